"""`credibly ensemble-curve`: what more models in an ensemble would bring."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from credibly.cli.command_groups import LEARN
from credibly.cli.data import DataColumns
from credibly.cli.growth import GrowthMeasures, GrowthOptions, print_growth
from credibly.cli.options import HOW
from credibly.cli.output import PICTURED, PicturedOutput

GROUP = LEARN


class OfModels(GrowthOptions):
    """How ensembles learn, and of how many models."""

    verb = "credibly.ensembles.ensemble_curve:ensemble_curve"


def command(
    data: str,
    /,
    *,
    columns: DataColumns,
    scheme: Annotated[list[str], Parameter(group=HOW)],
    asked: OfModels,
    measured: GrowthMeasures,
    output: PicturedOutput = PICTURED,
) -> None:
    """Show training and test error by the number of models in an ensemble.

    For instance:
      credibly ensemble-curve iris --scheme bagging
      credibly ensemble-curve loans.csv --target default --scheme adaboost --sizes 1,10,100 -o boosting.svg
      credibly ensemble-curve loans.csv --target default --scheme forest,bagging --measure brier --json

    Parameters
    ----------
    data
        A file, or the name of a bundled dataset.
    scheme
        Ensembles such as bagging,'adaboost(max_depth=2)'; may be repeated.
    """
    from credibly.ensembles import ensemble_curve

    print_growth(ensemble_curve, data, columns, scheme, asked, measured, output)
