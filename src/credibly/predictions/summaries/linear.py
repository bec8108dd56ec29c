"""What all summaries share: they are made of arrays that are linear in the case weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly._core.arrays import Floats
from credibly._core.averages import AVERAGES, Average
from credibly._core.parameters import one_of, require
from credibly.errors import DataError, ParameterError
from credibly.predictions.artifact import Predictions
from credibly.predictions.labels import MISSING
from credibly.predictions.lack import Lack
from credibly.predictions.numbers import column_of
from credibly.predictions.table import cached

ARRAY_TYPES = np.ndarray | np.number  # sums of arrays without an axis are numbers


class Summary(ABC):
    """A frozen dataclass of arrays; other fields (names of classes) must agree to be merged."""

    __slots__ = ()

    takes: ClassVar[str]
    """The kind of prediction that it summarises."""

    @classmethod
    def of(cls, p: Predictions, wanted_by: str = "") -> Self:
        """Reduce predictions, once for all measures; ``wanted_by`` names who asks, in an error."""
        return cached(p, cls, lambda: cls.reduced(p, wanted_by or cls.__name__))

    def stand_for(self, p: Predictions) -> None:
        """Let this summary stand for the predictions, instead of one made from their rows."""
        p.cache[type(self)] = self

    @classmethod
    @abstractmethod
    def reduced(cls, p: Predictions, wanted_by: str) -> Self:
        """Reduce predictions."""

    @classmethod
    @abstractmethod
    def missing(cls, p: Predictions) -> Lack | None:
        """Say what the predictions lack for this summary; nothing when they have it all."""

    @classmethod
    def per_class(cls, p: Predictions, wanted_by: str) -> list[Self]:
        """Summarise each class against the rest."""
        return [cls.of(one_vs_rest(p, i), wanted_by) for i in range(len(p.classes))]

    @classmethod
    def stacked(cls, each: Sequence[Self]) -> Self:
        """Stack summaries along a new first axis; fields that are not arrays are those of the first.

        >>> from credibly.predictions.summaries import BinaryCounts
        >>> two = [BinaryCounts.of_outcomes(tp=n, fp=1, fn=1, tn=1) for n in (3, 5)]
        >>> BinaryCounts.stacked(two).positives
        array([4., 6.])
        """
        first = each[0]
        held = {f.name: [getattr(one, f.name) for one in each] for f in fields(first)}  # type: ignore[arg-type]
        arrays = {n: np.array(v) for n, v in held.items() if isinstance(v[0], ARRAY_TYPES)}
        return replace(first, **arrays)  # type: ignore[type-var]

    @classmethod
    def condensed(cls, p: Predictions) -> Predictions:
        """Merge rows that this summary cannot distinguish into one that counts as often; all, if few are."""
        return p

    @classmethod
    def taken(cls, given: object, wanted_by: str) -> Self:
        """Return a summary of this kind, or say what was given instead."""
        made = cls.converted(given)
        if not isinstance(made, cls):
            raise ParameterError(
                f"{wanted_by} reads {cls.__name__}; got {type(given).__name__}. Make one with {cls.__name__}.of(predictions)."
            )
        return made

    @classmethod
    def converted(cls, given: object) -> object:
        """Return a summary of this kind where another one holds all that it does."""
        return given

    def __add__(self, other: Self) -> Self:
        return self._combined(other, 1)

    def __sub__(self, other: Self) -> Self:
        return self._combined(other, -1)

    def _combined(self, other: Self, sign: int) -> Self:
        changed: dict[str, Any] = {}
        for f in fields(self):  # type: ignore[arg-type]
            mine, theirs = getattr(self, f.name), getattr(other, f.name)
            if isinstance(mine, ARRAY_TYPES):
                changed[f.name] = mine + sign * theirs
            elif mine != theirs:
                raise DataError(
                    f"These summaries differ in {f.name} ({mine} and {theirs}), so they cannot be merged."
                )
        return replace(self, **changed)  # type: ignore[type-var]


def one_vs_rest(p: Predictions, class_index: int) -> Predictions:
    """View one class as positive and all others together as negative.

    >>> from credibly import Predictions
    >>> view = one_vs_rest(Predictions.of(["a", "b", "c"], label=["a", "c", "c"]), 2)
    >>> view.truth.tolist(), view.label.tolist(), view.classes
    ([0, 0, 1], [0, 1, 1], (('not', 'c'), 'c'))
    """
    return cached(p, ("view", class_index), lambda: _view(p, class_index))


def occurring(p: Predictions) -> NDArray[np.bool_]:
    """Say of each class whether there is a case of it, of known truth and some weight.

    >>> from credibly import Predictions
    >>> occurring(Predictions.of(["a", "b"], label=["a", "c"], classes=["a", "b", "c"])).tolist()
    [True, True, False]
    """
    return p.class_weights > 0


def class_places(p: Predictions, by: str) -> list[int]:
    """Return which classes are shown one by one: all of them, or those that occur."""
    shown = np.ones(len(p.classes), bool) if by == "class" else occurring(p)
    return np.flatnonzero(shown).tolist()


def against_rest(p: Predictions) -> Predictions:
    """View the positive class, if one is named, against all others together; two classes stay as they are.

    >>> from credibly import Predictions
    >>> against_rest(Predictions.of(["a", "b", "c"], label=["a", "c", "c"], positive="c")).classes
    ('not c', 'c')
    """
    if p.task != "classification" or p.positive is None or len(p.classes) <= 2:
        return p
    view = one_vs_rest(p, p.positive)
    name = p.classes[p.positive]
    return replace(view, classes=(f"not {name}", name))


def _view(p: Predictions, class_index: int) -> Predictions:
    def codes(column: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.where(column == MISSING, MISSING, column == class_index).astype(np.int8)

    name = p.classes[class_index]
    scored = p.score is not None and p.probability is None and len(p.classes) <= 2
    score = p.score if scored else None
    if score is not None and class_index != p.positive:
        score = -score
    share = None if p.baseline is None else p.baseline[:, class_index]
    span = p.span
    # What was lowest is highest for the other class.
    if span is not None and class_index != p.positive:
        span = (0 if scored else 1) - span[:, ::-1]
    return replace(
        p,
        truth=codes(p.truth),
        label=None if p.label is None else codes(p.label),
        classes=(("not", name), name),
        positive=1,
        score=score,
        probability=None
        if p.probability is None
        else column_of(p.probability, class_index, p.positive),
        baseline=None if share is None else np.column_stack([1 - share, share]),
        span=span,
        seen=None if p.seen is None else one_vs_rest(p.seen, class_index),
        cache={"of_one_class": len(p.classes)},
    )


def class_sizes(p: Predictions, average: Average) -> NDArray[np.float64]:
    """Return the weight of each class in an average over classes, by the cases of known truth."""
    require("average", average, one_of(*AVERAGES))
    k = len(p.classes)
    if average == "macro":
        return np.ones(k)
    if average == "macro_occurring":
        return occurring(p).astype(np.float64)
    codes = p.truth if average == "weighted" else p.need("label", "weighted_predicted")
    known = (codes >= 0) & (p.truth >= 0)
    return np.bincount(codes[known], p.weights[known], k).astype(np.float64)


def ratio(a: ArrayLike, b: ArrayLike) -> Floats:
    """Divide, with NaN where the divisor is zero: the one place where 0/0 gets its meaning.

    >>> ratio([1, 0], [2, 0])
    array([0.5, nan])
    """
    top, bottom = np.asarray(a), np.asarray(b)
    if not (top.ndim or bottom.ndim) and top.dtype == bottom.dtype == np.float64:  # one number
        return np.asarray(top.item() / bottom.item() if bottom else np.nan)
    # Complex numbers stay complex: it is by them that formulas are differentiated.
    with np.errstate(over="ignore"):
        if np.count_nonzero(bottom) == bottom.size:
            return np.asarray(top / bottom)
        kind = np.result_type(top, bottom, np.float64)
        out = np.full(np.broadcast_shapes(top.shape, bottom.shape), np.nan, kind)
        return np.divide(top, bottom, out=out, where=bottom != 0)
