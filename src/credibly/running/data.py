"""The checked data that schemes learn from: rows, targets, weights and groups."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.parameters import one_of, require
from credibly._core.seeds import FIXED_SEED
from credibly._core.text import count, some_rows
from credibly.errors import DataError, says
from credibly.predictions.labels import (
    MAX_NUMBER_CLASSES,
    MISSING,
    as_column,
    as_label,
    distinct,
    encode,
    likely_positive,
)
from credibly.predictions.numbers import weights as checked_weights
from credibly.predictions.table import Task
from credibly.resampling import Splits, as_resampling
from credibly.resampling.caveats import doubts
from credibly.running.findings import MISSING_TARGETS, TASK_TAKEN
from credibly.schemes.columns import as_features, doubtful_columns_of, take_rows
from credibly.schemes.light_frame import LightFrame
from credibly.schemes.whole_groups import about_inner_groups

ROW_COLUMNS = ("groups", "sample_weight", "time", "fold")  # of inputs, beside the target


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """Rows to learn from. For classes, ``codes`` are the places of the targets in ``classes``.

    ``light`` has the same inputs for schemes by name, where there is text among them: it is read
    once, and not again in every fit.
    """

    X: Any
    y: NDArray[Any]
    task: Task
    classes: tuple[Any, ...] = ()
    codes: NDArray[Any] | None = None
    positive: Any = None
    weight: Floats | None = None
    weight_kind: Literal["frequency", "importance"] | None = None
    group: NDArray[Any] | None = None
    findings: tuple[Finding, ...] = ()
    light: LightFrame | None = None
    names: tuple[str, ...] = ()  # of the columns of an array, where a file has them
    time: Any = None
    fold: Any = None
    rows: NDArray[Any] | None = None  # their numbers in what was given, where some were left out
    home: str = ""  # the folder that keeps them, where one does

    def inputs(self, *, named: bool) -> Any:
        """Return what a scheme learns from: one by name, or an estimator that was given."""
        return self.light if named and self.light is not None else self.X

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.y)

    @property
    def attributes(self) -> int:
        """Number of columns to learn from."""
        return int(np.prod(self.X.shape[1:]))

    @classmethod
    def of(
        cls,
        X: object,
        y: object,
        *,
        task: Task | None = None,
        groups: object = None,
        sample_weight: object = None,
        weight_kind: Literal["frequency", "importance"] | None = None,
        positive: object = None,
        time: object = None,
        fold: object = None,
        target: str = "y",
    ) -> Data:
        """Check what is given, and find out whether classes or numbers are to be predicted.

        ``target`` is the name of y in errors.
        """
        X, (y, groups, sample_weight, time, fold) = _taken_out(
            X, y, groups, sample_weight, time, fold
        )
        rows = as_features(X)
        n = rows.shape[0]
        values = _same_length(as_column(y, target), n, target)
        kind, findings = _task(values, task)
        columns: dict[str, Any] = {
            "task": kind,
            "weight_kind": weight_kind,
            "time": time,
            "fold": fold,
        }
        if kind == "classification":
            columns |= _classes(values, positive, target)
        else:
            columns["y"] = _numbers(values, target)
        if groups is not None:
            columns["group"] = _same_length(as_column(groups, "groups"), n, "groups")
        if sample_weight is not None:
            columns["weight"] = checked_weights(sample_weight, n)
        return cls(rows, findings=(*findings, *doubtful_columns_of(rows)), **columns)

    @classmethod
    def with_known_targets(
        cls,
        X: object,
        y: object,
        **given: Any,
    ) -> Data:
        """Check what is given as :meth:`of` does; leave out the rows without a target, with a finding."""
        how = {name: value for name, value in given.items() if name not in ROW_COLUMNS}
        X, (y, *others) = _taken_out(X, y, *(given.get(name) for name in ROW_COLUMNS))
        columns: dict[str, Any] = dict(zip(ROW_COLUMNS, others, strict=True))
        features, values = as_features(X), as_column(y, "y")
        n = features.shape[0]
        numbers = values.dtype.kind in "iuf"
        missing = np.isnan(values) if numbers else encode(values, "y").codes == MISSING
        rows = np.flatnonzero(~missing)
        if len(values) != n or rows.size in {0, n}:
            return cls.of(features, values, **columns, **how)
        kept: dict[str, Any] = {
            name: None if c is None else _same_length(as_column(c, name), n, name)[rows]
            for name, c in columns.items()
        }
        data = cls.of(take_rows(features, rows), values[rows], **kept, **how)
        finding = MISSING_TARGETS(rows=count(n - rows.size, "row"), total=n)
        return replace(data, rows=rows, findings=(finding, *data.findings))

    def splits(self, resampling: object, rng: int | np.random.Generator | None) -> Splits:
        """Cut the rows into training and test parts, those of each class evenly where there are classes."""
        strata = None if self.codes is None else self.y
        columns = {"groups": self.group, "time": self.time, "fold": self.fold}
        chosen = as_resampling(resampling)
        seed = FIXED_SEED if rng is None and chosen.seed is None else rng
        return chosen.realise(self.n, strata, **columns, rng=seed)

    def doubts(self, splits: Splits, schemes: Iterable[tuple[str, Any]]) -> list[Finding]:
        """Return the findings about the data, the splits, and how estimators inside a scheme treat groups."""
        X = self.inputs(named=True)  # which are the same, and quicker to compare
        whole = X.all_rows() if hasattr(X, "all_rows") else X
        group = None if self.group is None else distinct(self.group).codes
        findings = doubts(splits, strata=self.codes, classes=self.classes, group=group, X=whole)
        if self.group is None:
            return [*self.findings, *findings]
        inside = [f for n, e in schemes for f in about_inner_groups(n, e, self.y, self.group)]
        return [*self.findings, *findings, *inside]

    @property
    def fingerprint(self) -> str:
        """A hash of inputs and targets."""
        import joblib

        return str(joblib.hash((self.X, self.y)))


def _task(y: NDArray[Any], asked: Task | None) -> tuple[Task, tuple[Finding, ...]]:
    if asked is not None:
        require("task", asked, one_of("classification", "numeric"))
        return asked, ()
    if y.dtype.kind not in "iuf":
        return "classification", ()
    known = y[~np.isnan(y)] if y.dtype.kind == "f" else y
    values = np.unique(known)
    if (values != np.rint(values)).any():
        return "numeric", ()
    kind: Task = "classification" if len(values) <= MAX_NUMBER_CLASSES else "numeric"
    if len(values) <= 2:
        return kind, ()
    other = "numeric" if kind == "classification" else "classification"
    taken = "classes" if kind == "classification" else "numbers"
    return kind, (TASK_TAKEN(n=len(values), taken=taken, other=other),)


def _classes(y: NDArray[Any], positive: object, target: str) -> dict[str, Any]:
    labels = encode(y, target)
    _refuse_missing(np.flatnonzero(labels.codes == MISSING), target)
    names = labels.values
    if len(names) < 2:
        raise DataError(
            f"{target} holds one class only ({names[0]!r} in {count(len(y), 'row')}): there is nothing to learn."
        )
    match: Any = likely_positive(names) if positive is None else None
    if positive is not None:
        positive = as_label(positive, "positive")
        same = [c for c in names if c == positive or str(c) == str(positive)]
        if not same:
            raise DataError(
                f"The positive class {positive!r} is not one of the classes {names[:10]}."
            )
        match = same[0]
    values = np.array(names) if y.dtype.kind in "OM" else None
    return {
        "y": y if values is None else values[labels.codes],
        "classes": names,
        "codes": labels.codes,
        "positive": match,
    }


def _numbers(y: NDArray[Any], target: str) -> Floats:
    try:
        numbers = np.asarray(y, np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"{target} holds values that are not numbers, so it cannot be predicted as numeric.",
            remedy=says("Set <task='classification'>."),
        ) from None
    _refuse_missing(np.flatnonzero(~np.isfinite(numbers)), target)
    return numbers


def _refuse_missing(rows: NDArray[Any], target: str) -> None:
    if rows.size:
        raise DataError(
            f"{target} is missing or infinite in {count(rows.size, 'row')}: {some_rows(rows)}.",
            remedy="Remove these rows.",
        )


def _taken_out(X: Any, *given: Any) -> tuple[Any, list[Any]]:
    """Take the columns out of a frame that are given by their names.

    >>> import pandas
    >>> rest, (y, weight) = _taken_out(pandas.DataFrame({"a": [1, 2], "y": [0, 1]}), "y", None)
    >>> list(rest.columns), y.tolist(), weight
    (['a'], [0, 1], None)
    """
    columns = list(getattr(X, "columns", ()))
    named = {name for name in given if isinstance(name, str) and name in columns}
    if not named:
        return X, list(given)
    taken = [X[g] if isinstance(g, str) and g in named else g for g in given]
    return X[[c for c in columns if c not in named]], taken


def _same_length(column: NDArray[Any], n: int, name: str) -> NDArray[Any]:
    if len(column) != n:
        raise DataError(f"{name} has {count(len(column), 'value')} but X has {count(n, 'row')}.")
    return column
