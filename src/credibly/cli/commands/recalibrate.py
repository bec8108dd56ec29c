"""`credibly recalibrate`: better probabilities from old ones."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import Options
from credibly.cli.output import PICTURED, PicturedOutput

GROUP = JUDGE


class RecalibrateOptions(Options):
    """By which map, and how it is judged."""

    verb = "credibly.calibration.recalibration.recalibrate:recalibrate"
    leave_out = "fitted_on to"
    defaults = {"rng": 1}
    says = {
        "folds": "Number of folds to assign cases to, if there is one file and its predictions have no folds."
    }


def command(
    file: Path,
    to: Path | None = None,
    /,
    *,
    columns: Columns,
    asked: RecalibrateOptions,
    save: Path | None = None,
    output: PicturedOutput = PICTURED,
) -> None:
    """Recalibrate probabilities: fit a map on some predictions, apply it to others, and report what changed.

    With only one file, each fold gets the map that was fitted on the other folds.

    For instance:
      credibly recalibrate validation.csv test.csv --probability p --positive yes
      credibly recalibrate validation.csv test.csv --method isotonic --save better.parquet
      credibly recalibrate preds.csv --method "histogram(groups=5)" --folds 5 -o before-and-after.svg

    Parameters
    ----------
    file
        The predictions that the map is fitted on, one row per case.
    to
        Predictions of the same model on other cases.
    save
        Save the new predictions to a .parquet, .csv or .jsonl file.
    """
    from credibly.calibration.recalibration import recalibrate
    from credibly.cli.terminal import print_result
    from credibly.io.save import save as save_to

    others = None if to is None else columns.read(to)
    made = recalibrate(columns.read(file), others, **asked)
    if save is not None:
        save_to(made.predictions, save)
    print_result(made, output)
