"""`credibly conformal`: sets of classes and intervals of numbers that contain the truth as often as promised."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import Options
from credibly.cli.output import PICTURED, PicturedOutput

GROUP = JUDGE


class ConformalOptions(Options):
    """Which predictions are made, and how they are judged."""

    verb = "credibly.case_scores.conformal:conformal"
    leave_out = "fitted_on to"
    defaults = {"rng": 1}


def command(
    file: Path,
    to: Path | None = None,
    /,
    *,
    columns: Columns,
    asked: ConformalOptions,
    sets: Path | None = None,
    output: PicturedOutput = PICTURED,
) -> None:
    """Predict sets of classes, or intervals of numbers, that contain the truth as often as promised.

    With only one file, each fold gets the thresholds of the other folds.

    For instance:
      credibly conformal calibration.csv new.csv --level 0.9
      credibly conformal calibration.csv new.csv --method adaptive --by class --sets sets.csv
      credibly conformal preds.csv --method "scaled_error(scale='sd')"

    Parameters
    ----------
    file
        Predictions of cases that the model was not fitted on, which set the thresholds.
    to
        Predictions of the same model for new cases.
    sets
        CSV file to write what is predicted to: a column of zeros and ones per class, or the ends of intervals.
    """
    from credibly.case_scores.conformal import conformal
    from credibly.cli.terminal import print_result

    found = conformal(columns.read(file), None if to is None else columns.read(to), **asked)
    if sets is not None:
        found.write(sets)
    print_result(found, output)
