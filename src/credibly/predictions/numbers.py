"""Numeric columns, checked at the door."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.text import count, shown, some_rows
from credibly.errors import DataError, ParameterError, says
from credibly.predictions.labels import as_column

MIN_PERCENT = 2  # what is larger than 1 by more than a slip may be a percentage
BITS_OF_ONE = np.float64(1).view(np.uint64)
MIN_WEIGHT, MAX_WEIGHT = 1e-100, 1e100  # weights whose products a double can hold
MIN_DECIMALS, MAX_DECIMALS = 3, 6  # of probabilities that were rounded to be written
_borrowed: ContextVar[bool] = ContextVar("columns stay where they are", default=False)
NO_NUMBERS = {"c": "complex numbers", "M": "dates", "m": "spans of time"}


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array that is ours read-only."""
    array.flags.writeable = False
    return array


def taken(column: NDArray[Any], rows: NDArray[Any] | slice) -> NDArray[Any]:
    """Return some rows of a column of ours; one value that stands for all is still kept once.

    >>> taken(np.broadcast_to(np.array(["tree"]), 5), np.array([0, 3])).strides
    (0,)
    """
    if any(column.strides) or isinstance(rows, slice):
        return frozen(column[rows])
    size = int(np.count_nonzero(rows)) if rows.dtype.kind == "b" else rows.size
    return np.broadcast_to(column[:1], (size, *column.shape[1:]))


@contextmanager
def borrowed() -> Iterator[None]:
    """Copy no columns while predictions are made: nobody keeps these, or nobody else has the columns."""
    token = _borrowed.set(True)
    try:
        yield
    finally:
        _borrowed.reset(token)


def copied(array: NDArray[Any]) -> NDArray[Any]:
    """Copy a column, unless it is borrowed."""
    return array.view() if _borrowed.get() else array.copy()


def floats(values: object, name: str, *, shared: bool = False) -> Floats:
    """Copy a column of numbers, or ``shared`` ones that are only read if they are borrowed."""
    array = as_column(values, name)
    if array.dtype.kind in NO_NUMBERS:
        raise DataError(f"{name} holds {NO_NUMBERS[array.dtype.kind]}.")
    try:
        if shared and _borrowed.get():
            return np.asarray(array, np.float64).view()
        return np.array(array, np.float64)
    except (TypeError, ValueError, OverflowError):
        bad = [(i, v) for i, v in enumerate(array.tolist()) if not is_number(v)]
        first = some_rows([(bad[0][0], repr(bad[0][1]))]) if bad else "somewhere"
        raise DataError(
            f"{name} is not a number in {count(len(bad), 'row')}, first in {first}."
        ) from None


def is_number(value: Any) -> bool:  # noqa: ANN401
    """Whether something is a number, or text that reads as one."""
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def seems_finite(array: Floats) -> bool:
    """Whether a sum finds every number finite: it is far cheaper than a mask, which is seldom needed.

    >>> seems_finite(np.array([1.0, 2.0])), seems_finite(np.array([1.0, np.nan]))
    (True, False)
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(array.sum()))


def predicted(values: object, name: str) -> Floats:
    """Copy a column of predictions, NaN where there is none; refuse those without end."""
    array = floats(values, name)
    if not seems_finite(array):
        array[np.isnan(array)] = np.nan  # of one kind, since their bits are part of a fingerprint
        refuse_infinite(np.where(np.isnan(array), 0.0, array), name)
    return array


def missing_rows(columns: Sequence[Floats], n: int) -> NDArray[np.bool_]:
    """Say in which rows a number of some column is missing.

    >>> missing_rows([np.array([0.5, np.nan]), np.array([[0.5, 0.5], [1.0, 0.0]])], 2)
    array([False,  True])
    """
    missing = np.zeros(n, bool)
    for column in columns:
        first = column if column.ndim == 1 else column[:, 0]  # of a row all are missing, or none
        if not seems_finite(first):
            missing |= np.isnan(first)
    return missing


def finite(values: object, name: str, *, shared: bool = False) -> Floats:
    """Copy a column in which every number is finite, or say which rows are not."""
    array = floats(values, name, shared=shared)
    refuse_infinite(array, name)
    return array


def for_each(numbers: Floats, n: int) -> Floats:
    """Return one number for each row, of numbers that are one for each row or one for all."""
    return copied(numbers) if numbers.size == n else np.full(n, numbers[0])


def refuse_infinite(array: Floats, name: str) -> None:
    """Name the rows whose number is not finite."""
    if not seems_finite(array):
        bad = np.flatnonzero(~np.isfinite(array))
        if bad.size:
            shown = ((i, str(array[i])) for i in bad)
            raise DataError(
                f"{name} is not a finite number in {count(bad.size, 'row')}: {some_rows(shown)}. "
                "Remove these rows or repair the model that made them."
            )


def within_unit(array: Floats, tolerance: float, name: str) -> None:
    """Refuse numbers outside [0, 1]; what rounding took there, by ``tolerance`` at most, is put on the end.

    The array, which is ours, may hold NaN for what is missing.
    """
    # The bits of numbers from 0 to 1 are ordered as they are, and those of all others but -0 exceed them.
    if not array.size or array.view(np.uint64).max() <= BITS_OF_ONE:
        return
    beyond = np.nan_to_num(np.maximum(-array, array - 1), nan=0.0, posinf=np.inf)
    if beyond.max() <= 0:
        return
    if beyond.max() > tolerance:
        bad = np.argwhere(beyond > tolerance)
        rows, first = np.unique(bad[:, 0], return_index=True)
        shown = ((i[0], repr(float(array[tuple(i)]))) for i in bad[first])
        raise DataError(
            says(
                "{name} lies outside [0, 1] in {rows}, beyond rounding (<tolerance={tolerance}>): {named}.",
                name=name,
                rows=count(rows.size, "row"),
                named=some_rows(shown),
                tolerance=tolerance,
            ),
            remedy=says(
                "{percent}If these are scores on another scale, {how}; if they were rounded, say how far "
                "with <tolerance=...>.",
                how=says(
                    "turn them into probabilities, or give labels alone, as <label=...>"
                    if array.ndim > 1
                    else "give them as <score=...>"
                ),
                percent=says(
                    "If these are percentages, read them with <percent=True> or divide them by 100. "
                )
                if np.nanmin(array) >= 0 and MIN_PERCENT < np.nanmax(array) <= 100
                else "",
            ),
        )
    np.clip(array, 0, 1, out=array)


def sums_to_one(array: Floats, tolerance: float, name: str) -> None:
    """Refuse rows of probabilities that do not add up; nothing is renormalised."""
    excess = np.nan_to_num(array.sum(axis=1) - 1)  # a row without a prediction is no sum
    worst = int(np.abs(excess).argmax()) if excess.size else 0
    if excess.size and abs(excess[worst]) > tolerance:
        tolerance = max(tolerance, _by_decimals(array))
    if excess.size and abs(excess[worst]) > tolerance:
        off = int((np.abs(excess) > tolerance).sum())
        raise DataError(
            says(
                "{name} does not sum to 1 in {rows}; the worst is {worst}, which sums to {sum:.9g} "
                "(off by {by:+.3g}), beyond rounding (<tolerance={tolerance}>).",
                name=name,
                rows=count(off, "row"),
                worst=some_rows([worst]),
                sum=1 + excess[worst],
                by=excess[worst],
                tolerance=tolerance,
            ),
            remedy=says(
                "Give normalised probabilities, or allow for rounding with <tolerance=...>. If the columns "
                "are predictions of several models, name these with <models=...>."
            ),
        )


def _by_decimals(array: Floats) -> float:
    """Return how far from 1 rows may sum if every number was rounded to the decimals that it shows.

    Numbers of three decimals and more were; of fewer, they may as well be wrong.

    >>> _by_decimals(np.array([[0.333, 0.333, 0.333]])), _by_decimals(np.array([[0.5, 0.6]]))
    (0.0015, 0.0)
    """
    known = array[~np.isnan(array)]
    for decimals in range(1, MAX_DECIMALS + 1):
        scaled = known * 10**decimals
        if (np.abs(scaled - np.rint(scaled)) < 1e-6).all():  # rounding of the numbers as doubles
            each = 0.5 * 10.0**-decimals
            return float(each * array.shape[1]) if decimals >= MIN_DECIMALS else 0.0
    return 0.0


def rounding(tolerance: object) -> float:
    """Check the tolerance for rounded probabilities."""
    number = tolerance.item() if isinstance(tolerance, np.generic) else tolerance
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number < np.inf:
        raise ParameterError(f"tolerance must be a number from 0 up; got {shown(tolerance)}.")
    return float(number)


def weights(values: object, n: int) -> Floats:
    """Copy a column of case weights."""
    array = finite(values, "weight")
    same_length(array, n, "weight")
    if array.size and array.min() < 0:
        bad = np.flatnonzero(array < 0)
        raise DataError(f"weight is negative in {count(bad.size, 'row')}: {some_rows(bad)}.")
    if n and not array.any():
        raise DataError("Every weight is zero: no case counts.")
    for w in (array.max(initial=0), array.min(initial=np.inf, where=array > 0)):
        if n and not MIN_WEIGHT <= w <= MAX_WEIGHT:
            bound = f"below {MIN_WEIGHT:g}" if w < 1 else f"above {MAX_WEIGHT:g}"
            size, remedy = ("small", "Multiply") if w < 1 else ("large", "Divide")
            raise DataError(
                f"weight is {w:.6g} in {some_rows(np.flatnonzero(array == w))}, {bound}: products "
                f"of such weights are too {size} for a double. {remedy} all weights by a constant."
            )
    return array


def same_length(array: NDArray[Any], n: int, name: str) -> None:
    """Refuse a column of another length than truth."""
    if len(array) != n:
        raise DataError(
            f"{name} has {count(len(array), 'row')} but truth has {n:,}.",
            remedy="Give one row per case, in the same order.",
        )


def are_passes(numbers: Floats) -> bool:
    """Whether every outcome that is known is 0 or 1, and one is known."""
    if numbers.size and 0 < numbers[0] < 1:  # most others are seen at once
        return False
    known = numbers[~np.isnan(numbers)]
    return bool(known.size) and bool(((known == 0) | (known == 1)).all())


def as_count(size: float) -> float:
    """Return a number of cases without what the rounding of shares has left, thirds among them.

    >>> as_count(1 / 3 + 1 / 3 + 1 / 3 + 1e-13), as_count(0.1234)
    (1.0, 0.1234)
    """
    whole = round(size)
    return float(whole) if abs(size - whole) <= ROUNDING * max(1, whole) else size


def effective_size(weight: Floats, squares: Floats) -> Floats:
    """Return of how many cases that count the same others are worth, by the sum of their weights and of the squares (Kish).

    >>> effective_size(np.array([2.0, 0.0]), np.array([2.0, 0.0])).tolist()
    [2.0, 0.0]
    """
    there = squares > 0
    return np.divide(np.square(weight), squares, out=np.zeros(np.shape(weight)), where=there)


def effective_sizes(
    weights: Floats,
    codes: NDArray[Any] | None = None,
    classes: int = 1,
    *,
    whole: Floats | None = None,
) -> Floats:
    """Return the effective size of the cases of each class.

    A row may be a share of a case, whose weight as a ``whole`` is then given as well.

    >>> effective_sizes(np.array([1.0, 1.0, 1e-12])).round(6).tolist(), effective_sizes(np.array([5.0, 5.0]), np.array([0, 1]), 2).tolist()
    ([2.0], [1.0, 1.0])
    """
    codes = np.zeros(weights.size, np.intp) if codes is None else codes
    whole = weights if whole is None else whole
    # The largest is divided out, so that no square leaves what a double can hold.
    largest = np.full(classes, MIN_WEIGHT)
    np.maximum.at(largest, codes, whole)
    share, full = weights / largest[codes], whole / largest[codes]
    first, second = np.array([np.bincount(codes, each, classes) for each in (share, share * full)])
    return effective_size(first, second)


def column_of(probability: Floats, class_index: int, positive: int | None) -> Floats:
    """Return the probability of one class out of the columns of all, or out of that of the positive one."""
    if probability.ndim == 1:
        return probability if class_index == positive else 1 - probability
    return probability[:, class_index]
