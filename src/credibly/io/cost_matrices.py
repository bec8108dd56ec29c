"""Cost matrices from files."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal

from credibly.io.square_tables import read_square_table
from credibly.predictions import CostMatrix


def read_cost_matrix(
    path: str | PathLike[str],
    *,
    classes: Sequence[Any] | None = None,
    orientation: Literal["actual", "predicted"] | None = None,
    meaning: Literal["cost", "benefit"] = "cost",
) -> CostMatrix:
    r"""Read what each mistake costs from a labelled CSV, or from Weka's ``.cost`` with ``classes``.

    The first column of a CSV names the actual classes, the header the predicted ones;
    ``orientation="predicted"`` says that it is the other way round, ``meaning="benefit"`` that its
    numbers are gains.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "costs.csv")
    >>> _ = file.write_text("actual,good,bad\ngood,0,1\nbad,5,0\n")
    >>> read_cost_matrix(file).cost("bad", "good")
    5.0
    """
    table = read_square_table(path, classes, "cost").of_actual_rows(orientation, "cost")
    names = table.rows if classes is None else classes
    return CostMatrix.of(table.ordered(names), names, meaning=meaning)
