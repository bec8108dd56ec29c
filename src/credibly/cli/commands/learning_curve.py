"""`credibly learning-curve`: what more training rows would bring."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from credibly.cli.command_groups import LEARN
from credibly.cli.data import DataColumns
from credibly.cli.growth import GrowthMeasures, GrowthOptions, print_growth
from credibly.cli.options import HOW
from credibly.cli.output import PICTURED, PicturedOutput

GROUP = LEARN


def command(
    data: str,
    /,
    *,
    columns: DataColumns,
    scheme: Annotated[list[str], Parameter(group=HOW)],
    asked: GrowthOptions,
    measured: GrowthMeasures,
    output: PicturedOutput = PICTURED,
) -> None:
    """Show how the error falls with the number of training rows; the test parts stay the same.

    For instance:
      credibly learning-curve iris --scheme naive-bayes,tree
      credibly learning-curve loans.csv --target default --scheme forest --sizes 0.1,0.5,1.0 -o curve.svg
      credibly learning-curve loans.csv --target default --scheme logistic --sizes 50,100,200 --measure brier

    Parameters
    ----------
    data
        A file, or the name of a bundled dataset.
    scheme
        Learning schemes (learners) such as tree,'knn(k=3)'; may be repeated.
    """
    from credibly.running import learning_curve

    print_growth(learning_curve, data, columns, scheme, asked, measured, output)
