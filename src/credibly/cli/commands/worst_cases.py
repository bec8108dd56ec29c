"""`credibly worst-cases`: the cases that models predict worst."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import OutcomeColumns
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import Options
from credibly.cli.output import TEXT, Output
from credibly.predictions import Predictions

GROUP = JUDGE


class WorstCasesOptions(Options):
    """Which cases are listed, and with what."""

    verb = "credibly.evaluation.worst_cases:worst_cases"


def command(
    file: Path,
    *others: Path,
    columns: OutcomeColumns,
    asked: WorstCasesOptions,
    output: Output = TEXT,
) -> None:
    """List the cases that models predict worst, with their other columns.

    For instance:
      credibly worst-cases preds.csv
      credibly worst-cases preds.csv --wrong-in 1 --of-class ill --beside age,site
      credibly worst-cases tree.csv forest.csv --row id --wrong-in 2 --csv

    Parameters
    ----------
    file
        The file of predictions, one row per case.
    others
        Predictions of other models for the same cases, one file per model.
    """
    from credibly.cli.terminal import print_result
    from credibly.evaluation.worst_cases import worst_cases

    read = columns.read_models([file, *others])
    p = read if isinstance(read, Predictions) else Predictions.joined(read)
    print_result(worst_cases(p, **asked), output)
