"""`credibly expected-costs`: what each label of each case must be expected to cost."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.command_groups import DECIDE
from credibly.cli.costs import CostOptions, file_or_bundled
from credibly.cli.output import TEXT, Output

GROUP = DECIDE


def command(file: Path, *, columns: Columns, costs: CostOptions, output: Output = TEXT) -> None:
    """Compute the expected cost of each label for each case, and the cheapest label; the truth is not needed.

    For instance:
      credibly expected-costs preds.csv --cost fn=5 --cost fp=1
      credibly expected-costs preds.csv --cost-matrix costs.csv --csv > cases.csv

    Parameters
    ----------
    file
        The file of predictions, one row per case, or the name of a bundled one. The truth
        column may be empty.
    """
    from credibly.cli.terminal import print_result
    from credibly.decisions import expected_costs

    path = file_or_bundled(file)
    print_result(expected_costs(columns.read(path), costs.of(path, columns)), output)
