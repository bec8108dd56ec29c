"""`credibly hull`: which model to use for which classes and costs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from credibly.cli.columns import DEFAULT, WHAT, Columns
from credibly.cli.options import Prevalence
from credibly.cli.output import TEXT, Output


def command(
    file: Path,
    *,
    columns: Columns = DEFAULT,
    prevalence: Prevalence = None,
    false_negative: Annotated[
        float, Parameter(group=WHAT, help="Cost of a positive case taken for negative.")
    ] = 1.0,
    false_positive: Annotated[
        float, Parameter(group=WHAT, help="Cost of a negative case taken for positive.")
    ] = 1.0,
    output: Output = TEXT,
) -> None:
    """Find the convex hull of the ROC curves of all models in a file, and the cheapest point of it.

    For instance:
      credibly hull preds.csv --truth y --probability p --model model --positive yes
      credibly hull preds.csv --prevalence 0.02 --false-negative 50

    Parameters
    ----------
    file
        The file of predictions, one row a case.
    """
    from credibly.cli.printing import print_hull
    from credibly.curves import hull

    found = hull(columns.read(file))
    best = found.best(
        prevalence=prevalence, false_negative=false_negative, false_positive=false_positive
    )
    print_hull(found, best, output)
