"""Cost matrices from files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from credibly.errors import DataError, says
from credibly.io._files import check_file
from credibly.io.classes import is_whole
from credibly.io.delimited import read_header
from credibly.predictions import CostMatrix
from credibly.predictions.labels import shorten

if TYPE_CHECKING:
    Table = list[list[float]]

LARGEST = 50_000_000  # bytes; a thousand classes need a tenth of it
NUMBERS = re.compile(r"\s*[-+.\d][-+.\deE]*(\s+[-+.\deE]+)*\s*")


def read_cost_matrix(
    path: str | PathLike[str],
    *,
    classes: Sequence[Any] | None = None,
    orientation: Literal["actual", "predicted"] = "actual",
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
    file = Path(path)
    check_file(file)
    if file.stat().st_size > LARGEST:
        raise DataError(f"{file.name} has more than {LARGEST:,} bytes, too many for a cost matrix.")
    _, delimiter, skip = read_header(file, ",;\t|")  # which also checks that this is text
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{file.name} is not UTF-8, which is expected. Save it as UTF-8.") from None
    if _is_weka(text):
        values, names = _weka(file, text, classes)
    else:
        rest = "".join(text.splitlines(keepends=True)[skip:])
        values, names = _labelled(file, rest, delimiter, classes)
    return CostMatrix.of(values, names, orientation=orientation, meaning=meaning)


def _is_weka(text: str) -> bool:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return first.lstrip().startswith(("%", "[")) or NUMBERS.fullmatch(first) is not None


def _weka(file: Path, text: str, classes: Sequence[Any] | None) -> tuple[Table, list[Any]]:
    """Read a size and the rows of numbers that follow it."""
    if classes is None:
        raise DataError(
            f"{file.name} is a cost matrix of Weka, which has no class names.",
            remedy=says("Set <classes=...> in the order in which Weka declares them."),
        )
    lines = [s for line in text.splitlines() if (s := line.partition("%")[0].strip())]
    if lines and lines[0].startswith("["):
        rows = " ".join(lines).strip("[] ").split(";")
    else:
        rows = lines[1:]
        size = lines[0].split() if lines else []
        if [str(len(rows)), str(len(rows))] != size:
            raise DataError(
                f"{file.name} says that its matrix has the size {' x '.join(size)} "
                f"and has {len(rows)} rows after that."
            )
    values = [[_cost(v, file, i, j) for j, v in enumerate(r.split())] for i, r in enumerate(rows)]
    return _square(values, file), list(classes)


def _labelled(
    file: Path, text: str, delimiter: str, classes: Sequence[Any] | None
) -> tuple[Table, list[Any]]:
    try:
        lines = [r for r in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if r]
    except csv.Error as error:
        raise DataError(f"{file.name} cannot be read as CSV: {error}.") from None
    across = [c.strip() for c in lines[0][1:]]
    down = [r[0].strip() for r in lines[1:]]
    _same_classes(file, down, across)
    values = [[_cost(v, file, i, j) for j, v in enumerate(r[1:])] for i, r in enumerate(lines[1:])]
    matrix = _square(values, file)
    order = [str(c) for c in classes] if classes is not None else down
    _same_classes(file, down, order)
    names = list(classes) if classes is not None else _typed(down)
    ordered = [[matrix[down.index(a)][across.index(p)] for p in order] for a in order]
    return ordered, names


def _same_classes(file: Path, down: list[str], across: list[str]) -> None:
    for some, others in ((down, across), (across, down)):
        for name in some:
            if name not in others:
                raise DataError(
                    f"{file.name}: the class {name!r} names a row or a column but not both "
                    f"(rows: {shorten(down)}; columns: {shorten(across)}).",
                    asked=name,
                    choices=others,
                    remedy="The first column names the actual classes, the header the predicted ones.",
                )
            if some.count(name) > 1:
                raise DataError(f"{file.name} names the class {name!r} twice.")


def _square(values: list[list[float]], file: Path) -> list[list[float]]:
    for i, row in enumerate(values):
        if len(row) != len(values):
            raise DataError(
                f"{file.name}: row {i + 1} of the matrix has {len(row)} costs; {len(values)} are expected."
            )
    return values


def _cost(text: str, file: Path, row: int, column: int) -> float:
    try:
        return float(text)
    except ValueError:
        raise DataError(
            f"{file.name}: the cost in row {row + 1}, column {column + 1} is no number: {text[:40]!r}."
        ) from None


def _typed(names: list[str]) -> list[Any]:
    return [int(n) for n in names] if all(is_whole(n) and "." not in n for n in names) else [*names]
