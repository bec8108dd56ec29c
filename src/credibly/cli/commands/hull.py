"""`credibly hull`: which model to use for which classes and costs."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.options import Options
from credibly.cli.output import TEXT, Output


class Used(Options):
    """Where the model will be used."""

    verb = "credibly.curves.hulls:Hull.best"


def command(file: Path, *, columns: Columns, used: Used, output: Output = TEXT) -> None:
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
    print_hull(found, found.best(**used), output)
