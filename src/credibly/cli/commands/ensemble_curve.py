"""`credibly ensemble-curve`: what more models in an ensemble would bring."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from credibly.cli.command_groups import LEARN
from credibly.cli.data import DataColumns
from credibly.cli.growth import Grown, Measured, print_growth
from credibly.cli.options import HOW, WRITTEN
from credibly.cli.output import TEXT, Output

GROUP = LEARN


class OfModels(Grown):
    """How ensembles learn, and of how many models."""

    verb = "credibly.ensembles.ensemble_curve:ensemble_curve"


def command(
    data: str,
    /,
    *,
    columns: DataColumns,
    scheme: Annotated[list[str], Parameter(group=HOW)],
    asked: OfModels,
    measured: Measured,
    picture: Annotated[Path | None, WRITTEN] = None,
    output: Output = TEXT,
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
    picture
        File to write: .svg, .png, .pdf, .html or .json; without it, only the table is shown.
    """
    from credibly.ensembles import ensemble_curve

    print_growth(ensemble_curve, data, columns, scheme, asked, measured, picture, output)
