"""Inputs and target from a file, a frame or the name of a bundled set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.errors import DataError, MissingColumnError, listed, says
from credibly.io._declare import open_source
from credibly.io._source import Source
from credibly.io.classes import as_number
from credibly.io.datasets.bundled import datasets
from credibly.io.findings import EMPTY_COLUMNS, MISSING_AS_TEXT, TARGET_TAKEN
from credibly.io.roles import existing
from credibly.predictions.labels import MISSING
from credibly.schemes.columns import doubtful_columns, refuse_repeated

MAX_LISTED = 20


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Inputs, target and what else is known of each row.

    ``X`` holds numbers, or objects where some columns are text; ``names`` are those of its columns.
    What :func:`take_frame` made has a frame as ``X``.
    """

    where: str
    X: Any
    y: NDArray[Any]
    names: tuple[str, ...]
    target: str
    group: NDArray[Any] | None = None
    weight: NDArray[Any] | None = None
    time: NDArray[Any] | None = None
    fold: NDArray[Any] | None = None
    findings: tuple[Finding, ...] = ()
    positive: str | None = None  # the class that it is about, where a bundled set has one

    @property
    def columns(self) -> dict[str, Any]:
        """What :func:`credibly.run` takes beside inputs and target, by the names it has there."""
        return {
            "groups": self.group,
            "sample_weight": self.weight,
            "time": self.time,
            "fold": self.fold,
        }

    def and_more(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """Return the findings about the data, and further ones.

        Arrays have lost the names of their columns, so what is said again without them is left out.
        """
        said = {f.code for f in self.findings}
        return (*self.findings, *(f for f in findings if f.code not in said))


@door
def read_data(
    source: object,
    target: str | None = None,
    *,
    ignore: Sequence[str] = (),
    group: str | None = None,
    weight: str | None = None,
    time: str | None = None,
    fold: str | None = None,
    format: str | None = None,  # noqa: A002
    missing: Sequence[str] | None = None,
) -> Dataset:
    """Read data from a CSV, TSV, JSON lines, Parquet or ARFF file, a frame, or a bundled dataset by name.

    Every column that is not named and not ignored is an input.

    Parameters
    ----------
    source
        A path, a frame, or the name of a bundled dataset.
    target
        Column to predict.
    ignore
        Columns to leave out, such as identifiers.
    group
        Group that rows belong to.
    weight
        Case weight, for fitting and evaluation.
    time
        Column that says when a row was observed, for ``time_ordered``.
    fold
        Column that says in which fold a row is tested, for ``fold_column``.
    format
        The name of a reader, if neither the content nor the suffix of the file identifies the format.
    missing
        Texts that mean a missing value; by default NA, N/A, NaN, null and ?, and None among numbers.

    >>> from credibly.io.datasets import read_data
    >>> iris = read_data("iris")
    >>> iris.X.shape, iris.target, iris.y[:1].tolist()
    ((150, 4), 'species', ['setosa'])
    >>> import pandas as pd
    >>> small = read_data(pd.DataFrame({"x": [1, 2], "town": ["a", None], "y": ["no", "yes"]}), "y")
    >>> small.X.tolist(), small.names
    ([[1, 'a'], [2, None]], ('x', 'town'))
    """
    if isinstance(source, str) and source in datasets and not Path(source).exists():
        return _bundled(source, target)
    opened, marks = _open(source, format), Marks.of(missing)
    opened.missing_marks = marks.in_numbers
    with closing(opened):
        other = {"group": group, "weight": weight, "time": time, "fold": fold}
        inputs, named, roles, findings = _assigned(opened, target, ignore, other)
        opened.load([], list(dict.fromkeys([*inputs, named, *roles.values()])))
        X, names, doubts = _inputs(opened, inputs, marks)
        columns: dict[str, Any] = {r: _beside(opened, c, r) for r, c in roles.items()}
        y, marked = _values(opened, named, marks)
    return Dataset(
        opened.where, X, y, names, named, findings=(*findings, *doubts, *marked), **columns
    )


@door
def take_frame(
    frame: Any,  # noqa: ANN401
    target: str | None = None,
    *,
    ignore: Sequence[str] = (),
    group: str | None = None,
    weight: str | None = None,
    time: str | None = None,
    fold: str | None = None,
) -> Dataset:
    """Part a frame into inputs, which stay a frame of the same library, target and other columns.

    >>> from credibly.io.datasets import take_frame
    >>> import polars as pl
    >>> frame = pl.DataFrame({"x": [1, 2], "town": ["a", None], "y": ["no", "yes"], "who": [7, 7]})
    >>> taken = take_frame(frame, "y", group="who")
    >>> taken.X.columns, taken.y.tolist(), taken.group.tolist()
    (['x', 'town'], ['no', 'yes'], [7, 7])
    """
    from credibly.io.frames import open_frame

    opened = open_frame(frame)
    other = {"group": group, "weight": weight, "time": time, "fold": fold}
    inputs, named, roles, findings = _assigned(opened, target, ignore, other)
    opened.load([], [*inputs, named, *roles.values()])
    columns: dict[str, Any] = {r: opened.as_it_is(c) for r, c in roles.items()}
    X, y = opened.only(inputs), opened.as_it_is(named)
    return Dataset(opened.where, X, y, tuple(inputs), named, findings=findings, **columns)


@door
def read_inputs(
    source: object,
    *,
    ignore: Sequence[str] = (),
    format: str | None = None,  # noqa: A002
    missing: Sequence[str] | None = None,
) -> Dataset:
    """Read rows without a target: every column that is not ignored is an input; ``y`` is empty.

    The target of a bundled set is left out.

    >>> from credibly.io.datasets import read_inputs
    >>> import pandas as pd
    >>> read_inputs(pd.DataFrame({"x": [1, 2], "town": ["a", "b"]}), ignore=["x"]).names
    ('town',)
    """
    if isinstance(source, str) and source in datasets and not Path(source).exists():
        return replace(_bundled(source, None), y=np.empty(0), target="")
    opened, marks = _open(source, format), Marks.of(missing)
    opened.missing_marks = marks.in_numbers
    with closing(opened):
        ignored = _ignored(opened, ignore)
        inputs = [c for c in opened.names if c not in ignored]
        opened.load([], inputs)
        X, names, doubts = _inputs(opened, inputs, marks)
    return Dataset(opened.where, X, np.empty(0), names, "", findings=doubts)


def _bundled(name: str, target: str | None) -> Dataset:
    found, called = datasets[name](), datasets[name].target
    if target not in {None, called}:
        raise MissingColumnError(
            f"The target of {name} is called {called!r}; there is no {target!r}."
        )
    classes = getattr(found, "target_names", None)
    y = found.target if classes is None else np.asarray(classes)[found.target]
    names = tuple(str(n) for n in found.feature_names)
    positive = datasets[name].positive or None
    return Dataset(name, found.data, y, names, called, positive=positive)


def _open(source: object, format_name: str | None) -> Source:
    if isinstance(source, str | PathLike) and not Path(source).exists():
        name = Path(source).name
        error = DataError(
            f"There is no file and no bundled set called {name!r}.",
            asked=name,
            choices=datasets.names(),
            remedy="`credibly list datasets` shows the bundled ones.",
        )
        if error.nearest or not Path(name).suffix:
            raise error
    return open_source(source, format_name)


def _assigned(
    source: Source, target: str | None, ignore: Sequence[str], other: Mapping[str, str | None]
) -> tuple[list[str], str, dict[str, str], tuple[Finding, ...]]:
    """Return the inputs, the target and the columns that have another role."""
    ignored = _ignored(source, ignore)
    roles = {r: existing(source, r, c) for r, c in other.items() if c is not None}
    aside = ignored | set(roles.values())
    named, findings = _target(source, target, aside)
    inputs = [c for c in source.names if c not in aside | {named}]
    if not inputs:
        raise DataError(
            f"{source.where} has no column left to learn from beside the target {named!r}."
        )
    return inputs, named, roles, findings


def _ignored(source: Source, names: Sequence[str]) -> set[str]:
    """Return the columns that are left out; of the others no two may have the same name."""
    ignored = {existing(source, "ignore", c, several=True) for c in names}
    refuse_repeated((c for c in source.names if c not in ignored), source.where)
    return ignored


def _target(source: Source, asked: str | None, aside: set[str]) -> tuple[str, tuple[Finding, ...]]:
    """Return the target that is named, or in an ARFF file the last column, as Weka takes it."""
    if asked is not None:
        return existing(source, "target", asked), ()
    if not source.where.lower().endswith(".arff"):
        names = listed(source.names, most=MAX_LISTED)
        raise MissingColumnError(
            f"Which column of {source.where} should be predicted?",
            choices=source.names,
            remedy=says("Name it with <target=...>. Its columns: {names}.", names=names),
        )
    last = [c for c in source.names if c not in aside][-1]
    return last, (TARGET_TAKEN(column=last),)


def _beside(source: Source, name: str, role: str) -> NDArray[Any]:
    """Return a column that is not an input: weights as numbers, and times as numbers where they are, for their order."""
    number = role == "weight" or (role == "time" and source.kind(name) == "number")
    return source.numbers(name) if number else source.column(name)


def _inputs(
    source: Source, names: list[str], marks: Marks
) -> tuple[NDArray[Any], tuple[str, ...], tuple[Finding, ...]]:
    """Return the inputs as one array: of numbers if all are, else of objects; empty columns are left out."""
    read = {n: _values(source, n, marks) for n in names if source.kind(n) != "empty"}
    columns = {n: column for n, (column, _) in read.items() if not _all_missing(column)}
    empty = [n for n in names if n not in columns]
    if not columns:
        rows = len(source.labels(names[0]).codes) if names else 0
        msg = f"Every input column of {source.where} is empty."
        if not rows:
            msg = f"There are no rows in {source.where}, only the names of its columns."
        raise DataError(msg)
    finding = EMPTY_COLUMNS(
        columns=count(len(empty), "column"), named=listed(empty, most=MAX_LISTED)
    )
    plain = all(c.dtype.kind in "iuf" for c in columns.values())
    doubts = doubtful_columns(columns, says("with <ignore=...>"))
    X = np.empty((len(next(iter(columns.values()))), len(columns)), np.float64 if plain else object)
    for j, column in enumerate(columns.values()):
        X[:, j] = column
    marked = [f for n in columns for f in read[n][1]]
    return X, tuple(columns), (*((finding,) if empty else ()), *doubts, *marked)


@dataclass(frozen=True, slots=True)
class Marks:
    """The texts that stand for a missing value: among numbers, and among other texts."""

    in_numbers: frozenset[str] = frozenset({"NA", "N/A", "NaN", "nan", "null", "None", "?"})
    in_texts: frozenset[str] = frozenset({"NA", "N/A", "NaN", "null", "?"})

    @classmethod
    def of(cls, given: Sequence[str] | None) -> Marks:
        """Take what was named for all columns, or the usual ones."""
        return cls() if given is None else cls(frozenset(given), frozenset(given))


def _all_missing(column: NDArray[Any]) -> bool:
    if column.dtype.kind == "O":
        return all(v is None for v in column)
    return column.dtype.kind == "f" and bool(np.isnan(column).all())


def _values(source: Source, name: str, marks: Marks) -> tuple[NDArray[Any], tuple[Finding, ...]]:
    """Return a column: whole numbers, numbers with NaN where missing, or text with None."""
    kind = source.kind(name)
    if kind in {"whole", "number"} and source.order(name) is None:
        numbers = source.numbers(name)
        whole = kind == "whole" and np.isfinite(numbers).all() and (np.abs(numbers) < 2**53).all()
        return (numbers.astype(np.int64) if whole else numbers), ()
    labels = source.labels(name)
    texts = [str(v) for v in labels.values]
    places = np.where(labels.codes == MISSING, len(texts), labels.codes)
    if source.order(name) is not None:  # missing marks are not declared values
        return np.array([*texts, None], object)[places], ()
    others = [t for t in texts if t.strip() not in marks.in_numbers]
    if 0 < len(others) < len(texts) and all(map(is_number, others)):
        values = [np.nan if t.strip() in marks.in_numbers else float(t) for t in texts]
        return np.array([*values, np.nan])[places], ()
    marked = {t: i for i, t in enumerate(texts) if t.strip() in marks.in_texts}
    known = np.array([*(None if t in marked else t for t in texts), None], object)
    said = (_taken_as_missing(name, t, int((places == i).sum())) for t, i in marked.items())
    return known[places], tuple(said)


def _taken_as_missing(name: str, mark: str, rows: int) -> Finding:
    return MISSING_AS_TEXT(
        column=f"The column {name!r}",
        what="",
        marks=repr(mark),
        rows=count(rows, "row"),
        so="taken as missing",
        remedy=says("Name other marks with <missing=...>."),
    )


def is_number(text: str) -> bool:
    """Whether a text is a number, as files write them."""
    return as_number(text) is not None and "_" not in text  # which Python allows between digits
