"""`credibly threshold-table`: lift, ROC and precision-recall beside each other."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.command_groups import JUDGE
from credibly.cli.costs import file_or_bundled
from credibly.cli.options import Options
from credibly.cli.output import TEXT, Output

GROUP = JUDGE


class ThresholdOptions(Options):
    """How much of the table is shown."""

    verb = "credibly.curves.tables:threshold_table"


def command(
    file: Path, *, columns: Columns, asked: ThresholdOptions, output: Output = TEXT
) -> None:
    """Print one table of lift, ROC and precision-recall by threshold, with the ROC area up to each threshold.

    For instance:
      credibly threshold-table preds.csv
      credibly threshold-table preds.csv --points 1000 --csv

    Parameters
    ----------
    file
        The file of predictions, one row per case, or the name of a bundled one.
    """
    from credibly.cli.terminal import print_result
    from credibly.curves import threshold_table

    print_result(threshold_table(columns.read(file_or_bundled(file)), **asked), output)
