"""Class labels of any type as small whole numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import MAX_EXACT_WHOLE, is_masked_array
from credibly._core.text import count, several, shown, some_rows
from credibly.errors import DataError, ParameterError, says

MISSING = -1
SURE_MARKS = frozenset({"na", "n/a", "nan", "null", "?", "<na>", "#n/a", "."})  # of missing values
MIDNIGHT_SUFFIX = " 00:00:00"
ABSENT = -2  # in a column of labels: the model of this row gives none at all
ROWS_PER_BLOCK = 1 << 16
MAX_DENSITY = 4  # times as many whole numbers as rows, up to which counting beats sorting
MAX_CODE = (1 << 63) - 1  # the largest whole number of 64 bits
MAX_NUMBER_CLASSES = 20  # distinct whole numbers up to which a truth is taken for classes
# Rows, and rows alike in a row, from which on it is faster to look at runs.
MIN_ROWS_OF_RUNS, MIN_RUN = 1000, 8

# Two classes of which one is plainly the positive one; every other pair must be told.
LIKELY_POSITIVES = {
    frozenset({"0", "1"}): "1",
    frozenset({"no", "yes"}): "yes",
    frozenset({"n", "y"}): "y",
    frozenset({"nein", "ja"}): "ja",
    frozenset({"nee", "ja"}): "ja",
    frozenset({"nej", "ja"}): "ja",
    frozenset({"non", "oui"}): "oui",
    frozenset({"no", "si"}): "si",
    frozenset({"no", "sí"}): "sí",
    frozenset({"no", "sì"}): "sì",
    frozenset({"não", "sim"}): "sim",
    frozenset({"nie", "tak"}): "tak",
    frozenset({"false", "true"}): "true",
    frozenset({"f", "t"}): "t",
    frozenset({"negative", "positive"}): "positive",
    frozenset({"neg", "pos"}): "pos",
    frozenset({"-", "+"}): "+",
    frozenset({"absent", "present"}): "present",
    frozenset({"control", "case"}): "case",
}


@dataclass(frozen=True, slots=True)
class Labels:
    """Codes into the distinct values, -1 where the value is missing."""

    codes: NDArray[Any]
    values: tuple[Any, ...]

    def among(self, missing: NDArray[np.bool_]) -> Labels:
        """Return the labels of all rows, where these are of the rows that are not missing.

        >>> encode(np.array([5, 7]), "truth").among(np.array([False, True, False]))
        Labels(codes=array([ 0, -1,  1], dtype=int8), values=(5, 7))
        """
        if not missing.any():
            return self
        codes = np.full(missing.size, MISSING, self.codes.dtype)
        codes[~missing] = self.codes
        return Labels(codes, self.values)


def encode(values: object, name: str) -> Labels:
    """Find the distinct labels of a column and the code of each row.

    >>> encode(["b", "a", None, "b"], "truth")
    Labels(codes=array([ 1,  0, -1,  1], dtype=int8), values=('a', 'b'))
    """
    if isinstance(values, Labels):
        return values
    array = dates_as_text(as_column(values, name))
    if array.dtype.kind in "iu":
        return _encode_whole(array)
    if array.dtype.kind == "b":
        labels = _encode_whole(array.view(np.int8))
        return Labels(labels.codes, tuple(bool(v) for v in labels.values))
    if array.dtype.kind == "f":
        return _encode_floats(array, name)
    if array.dtype.kind in "US":
        distinct = np.unique(array)
        return Labels(_codes(array, distinct), tuple(distinct.tolist()))
    return _encode_objects(array, name)


def sure_marks(labels: Labels, classes: Iterable[object] | None) -> list[Any]:
    """Return the labels that stand for a missing value, such as NA and ?, unless they are named as classes.

    >>> sure_marks(encode(["a", "NA", "b"], "truth"), None), sure_marks(encode(["a", "NA"], "truth"), ["a", "NA"])
    (['NA'], [])
    """
    named = set() if classes is None else set(map(str, as_labels(classes)))
    texts = (v for v in labels.values if isinstance(v, str) and v not in named)
    return [v for v in texts if v.strip().lower() in SURE_MARKS]


def unmarked(labels: Labels, marks: Sequence[Any]) -> Labels:
    """Return labels that are missing where they are marks; all of them if nothing else would be left.

    >>> unmarked(encode(["b", "NA", "a"], "truth"), ["NA"])
    Labels(codes=array([ 1, -1,  0], dtype=int8), values=('a', 'b'))
    """
    kept = [v for v in labels.values if v not in marks]
    if not marks or not kept:
        return labels
    place = {v: i for i, v in enumerate(kept)}
    move = np.array([*(place.get(v, MISSING) for v in labels.values), MISSING], labels.codes.dtype)
    return Labels(np.where(labels.codes < 0, labels.codes, move[labels.codes]), tuple(kept))


def dates_as_text(array: NDArray[Any]) -> NDArray[Any]:
    """Write dates as text in their order, 2024-01-31, with the time of day where there is any; all else stays.

    >>> dates_as_text(np.array(["2024-01-31", "NaT"], "datetime64[ns]")).tolist()
    ['2024-01-31', None]
    """
    if array.dtype.kind == "O":
        items = array.tolist()
        first = next((v for v in items if not is_missing(v)), None)
        if not isinstance(first, date) or not all(map(_is_plain_date, items)):
            return array
        array = np.array([None if is_missing(v) else v for v in items], "datetime64[us]")
    if array.dtype.kind != "M":
        return array
    missing = np.isnat(array)
    out = np.full(array.shape, None, object)
    texts = np.datetime_as_string(array[~missing], unit="auto")
    out[~missing] = [text.replace("T", " ") for text in texts.tolist()]  # as files write them
    return out


def _is_plain_date(value: object) -> bool:
    """Whether this is a date, with a time or without but not of some time zone, or is missing."""
    return is_missing(value) or (isinstance(value, date) and getattr(value, "tzinfo", None) is None)


def distinct(values: NDArray[Any]) -> Labels:
    """Find the distinct values of a column that says where rows come from: anything that can be compared.

    >>> distinct(np.array([0.5, 0.1, 0.5])).values
    (0.1, 0.5)
    >>> distinct(np.array(["b", 2, "a"], object)).values
    (2, 'a', 'b')
    >>> distinct(np.array([(2, "b"), (1, "c")], object)[:, 0]).values
    (1, 2)
    """
    if values.size and values.strides == (0,):  # one value that stands for all
        return Labels(np.zeros(values.size, np.intp), tuple(values[:1].tolist()))
    if values.dtype.kind in "iu" and values.size:
        low, high = int(values.min()), int(values.max())
        if high - low <= MAX_DENSITY * values.size:
            return _counted(values, low, high)
    if values.dtype.kind in "OU" and values.size > MIN_ROWS_OF_RUNS:
        starts = starts_of_runs(values)
        if MIN_RUN * starts.size < values.size:
            few = distinct(values[starts])
            return Labels(np.repeat(few.codes, np.diff(starts, append=values.size)), few.values)
    if values.dtype.kind != "O":
        found, codes = np.unique(values, return_inverse=True)
        return Labels(codes, tuple(found.tolist()))
    items = values.tolist()
    known = dict.fromkeys(items)
    try:
        ordered = sorted(known)
    except TypeError:  # of several types
        ordered = sorted(known, key=lambda v: (type(v).__name__, str(v)))
    place = {v: i for i, v in enumerate(ordered)}
    return Labels(np.array([place[v] for v in items], np.intp), tuple(ordered))


def starts_of_runs(values: NDArray[Any]) -> NDArray[np.intp]:
    """Return where values begin that differ from the one before; everywhere where they cannot be compared.

    >>> starts_of_runs(np.array(["a", "a", "b", "a"], object)).tolist()
    [0, 2, 3]
    """
    try:
        changed = np.asarray(values[1:] != values[:-1], bool)
    except Exception:  # of a type of others
        return np.arange(values.size)
    return np.flatnonzero(np.concatenate([[True], changed]))


def as_they_come(labels: Labels) -> Labels:
    """Return the same rows with the distinct values in the order in which they first occur.

    >>> as_they_come(distinct(np.array(["tree", "bayes", "tree"]))).values
    ('tree', 'bayes')
    """
    if len(labels.values) < 2:
        return labels
    first = np.empty(len(labels.values), np.intp)
    first[labels.codes[::-1]] = np.arange(labels.codes.size)[::-1]  # the last to be written stays
    order = np.argsort(first)
    return Labels(np.argsort(order)[labels.codes], tuple(labels.values[i] for i in order))


def _counted(values: NDArray[Any], low: int, high: int) -> Labels:
    """Find the distinct ones of whole numbers that lie close together: without sorting."""
    signed = values.dtype.kind == "i"
    place = values.astype(np.int64, copy=False) if signed else values - values.min()
    place = (place - low if low and signed else place).astype(np.int64, copy=False)
    there = np.zeros(high - low + 1, bool)
    there[place] = True
    if there.all():
        return Labels(place, tuple(range(low, high + 1)))
    number = np.cumsum(there) - 1
    found = np.flatnonzero(there)
    kept = (found + low).tolist() if signed else [v + low for v in found.tolist()]
    return Labels(number[place], tuple(kept))


def joint_codes(columns: Iterable[Labels]) -> NDArray[np.int64]:
    """Number rows by their values in several columns, in the order of these: the same number where all are the same.

    >>> joint_codes([distinct(np.array([7, 3, 7])), distinct(np.array(["a", "a", "b"]))]).tolist()
    [2, 0, 3]
    """
    given = list(columns)
    first, *others = [labels for labels in given if len(labels.values) > 1] or given[:1]
    code, most = first.codes.astype(np.int64), len(first.values)
    for labels in others:
        if most * len(labels.values) > MAX_CODE:  # those that occur are as many as there are rows
            found, code = np.unique(code, return_inverse=True)
            most = found.size
        code = code * len(labels.values) + labels.codes
        most *= len(labels.values)
    return code


def rows_by_code(codes: NDArray[Any]) -> list[NDArray[np.intp]]:
    """Return the rows of each code, in the order of the codes; one sort serves any number of them.

    >>> [rows.tolist() for rows in rows_by_code(np.array([7, 3, 7]))]
    [[1], [0, 2]]
    """
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order])) + 1
    return np.split(order, starts) if codes.size else []


def as_array(values: object, name: str) -> NDArray[Any]:
    """Return an array in which what numpy's masked arrays hide is missing, or say why there is none.

    >>> as_array(np.ma.masked_array([1.5, 2.5], mask=[False, True]), "value")
    array([1.5, nan])
    """
    try:
        if type(values) is not np.ndarray and is_masked_array(values):
            return _unmasked(values)
        array = np.asarray(values)
    except ValueError:
        raise DataError(
            f"{name} must have the same number of columns in every row; its rows differ in length."
        ) from None
    except Exception as error:  # whatever a type of others does when it is read
        raise DataError(
            f"{name} cannot be read as an array: {type(values).__name__} raised {type(error).__name__}."
        ) from None
    if isinstance(values, list | tuple) and _was_rewritten(array, values):
        array = np.array(values, object)
    return _plain_numbers(array) if array.dtype.kind == "O" else array


def _plain_numbers(array: NDArray[Any]) -> NDArray[Any]:
    """Return decimals and fractions, as databases give them, as plain numbers.

    >>> _plain_numbers(np.array([Decimal("0.25"), None], object))
    array([0.25,  nan])
    """
    first = next((v for v in array.flat if not is_missing(v)), None)
    if not isinstance(first, Decimal | Fraction):
        return array
    try:
        made = [math.nan if is_missing(v) else float(v) for v in array.flat]
    except (TypeError, ValueError):  # something else stands among them
        return array
    return np.array(made, np.float64).reshape(array.shape)


def _unmasked(values: np.ma.MaskedArray[Any, Any]) -> NDArray[Any]:
    if not np.ma.is_masked(values):
        return np.asarray(values.data)
    if values.dtype.kind == "f":
        return np.asarray(values.filled(np.nan))
    plain = np.array(values.data, object)
    plain[np.ma.getmaskarray(values)] = None
    return plain


def without_midnight(texts: list[str | None]) -> list[str | None]:
    """Return times without the time of the day, if that is midnight in all of them.

    >>> without_midnight(["2020-01-31 00:00:00", None])
    ['2020-01-31', None]
    """
    if all(t is None or t.endswith(MIDNIGHT_SUFFIX) for t in texts):
        return [None if t is None else t.removesuffix(MIDNIGHT_SUFFIX) for t in texts]
    return texts


def _was_rewritten(array: NDArray[Any], values: Sequence[Any]) -> bool:
    """Numpy writes a number or a missing value among texts as text, and whole numbers of 64 bits as others."""
    if array.ndim != 1:
        return False
    if array.dtype.kind in "US":
        return not all(isinstance(v, str | bytes) for v in values)
    too_large = array.dtype.kind == "f" and bool((np.abs(array) >= MAX_EXACT_WHOLE).any())
    return too_large and not any(isinstance(v, float | np.floating) for v in values)


def as_column(values: object, name: str) -> NDArray[Any]:
    """Return a one-dimensional array, or say what is wrong with the shape."""
    array = as_array(values, name)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        if isinstance(values, str):
            raise DataError(
                f"{name} must be one column; got {shown(values)}.",
                remedy=f"Take it out of the frame: frame[{shown(values)}].",
            )
        raise DataError(
            f"{name} must be one column; it has the shape {array.shape}.",
            remedy="Read a frame with truth and predictions by credibly.read(frame)."
            if hasattr(values, "columns")
            else "",
        )
    return array


def is_missing(value: object) -> bool:
    """Whether a value is none: None, NaN, or what pandas writes in its place.

    >>> import pandas as pd
    >>> [is_missing(v) for v in (None, float("nan"), pd.NA, pd.NaT, "", 0)]
    [True, True, True, True, False, False]
    """
    if value is None or type(value).__name__ == "NAType":  # which does not say what it equals
        return True
    try:
        differs = value != value  # of an array, an array
    except Exception:  # of a type of others, which is at least something
        return False
    return isinstance(differs, bool | np.bool_) and bool(differs)


def code_type(size: int) -> type[np.signedinteger[Any]]:
    """Return the type of the codes of so many values."""
    return np.int8 if size <= np.iinfo(np.int8).max else np.int32


def _encode_whole(array: NDArray[Any]) -> Labels:
    if not array.size:
        return Labels(array.astype(np.int8), ())
    if np.bitwise_or.reduce(array) == 1:  # one pass tells that all are 0 or 1, and some 1
        small = array.astype(np.int8)
        if small.min() == 0:
            return Labels(small, (0, 1))
    found = distinct(array)
    return Labels(found.codes.astype(code_type(len(found.values))), found.values)


# What is said of fractions from 0 to 1 in the place of the truth.
SWAPPED = "If these were predicted, swap the two: what was observed comes first. "


def _encode_floats(array: NDArray[Any], name: str) -> Labels:
    missing = np.isnan(array)
    known = array[~missing]
    if known.size and (
        float(np.abs(known).max()) > MAX_EXACT_WHOLE or (known != np.rint(known)).any()
    ):
        swapped = name == "truth" and known.min() >= 0 and known.max() <= 1
        raise DataError(
            f"{name} holds numbers that are not whole, so they are not class labels.",
            remedy=says(
                f"{SWAPPED if swapped else ''}Give probabilities as <probability=...>, other scores as <score=...> "
                "and, for numeric prediction, predicted numbers as <value=...>; give classes as whole numbers or text."
            ),
        )
    return _encode_whole(known.astype(np.int64)).among(missing)


def _encode_objects(array: NDArray[Any], name: str) -> Labels:
    """Encode Python objects: text, or numbers and truth values, but not a mixture."""
    items = array.tolist()
    if any(issubclass(kind, np.generic) for kind in {*map(type, items)}):
        items = [v.item() if isinstance(v, np.generic) else v for v in items]
    try:
        known = list(dict.fromkeys(items))
        if not {*map(type, known)} <= {str, int, bool}:
            known = [v for v in known if not is_missing(v)]
    except Exception:  # of a type of others, which cannot be told apart
        known = [object()]
    types = {*map(type, known)}
    kinds = {
        "text" if issubclass(t, str) else "number" if issubclass(t, int | float) else "other"
        for t in types
    }
    if len(kinds) > 1 or "other" in kinds:
        examples = ", ".join(shown(v, 40) for v in (known if len(kinds) > 1 else items)[:4])
        what = "mixes types" if len(kinds) > 1 else "holds neither text nor numbers"
        raise DataError(
            f"{name} {what} ({examples} ...). Give all labels as text or all as whole numbers, and None where one is missing."
        )
    if any(issubclass(t, float) for t in types):
        numbers = np.array([math.nan if is_missing(v) else v for v in items], np.float64)
        return _encode_floats(numbers, name)
    if kinds == {"number"} and types != {bool}:
        known = [int(v) for v in known]
    distinct = sorted(known)
    place = {v: i for i, v in enumerate(distinct)}
    codes = map(place.get, items, repeat(MISSING))  # what is missing is no key
    return Labels(np.fromiter(codes, code_type(len(distinct)), len(items)), tuple(distinct))


def _codes(array: NDArray[Any], distinct: NDArray[Any]) -> NDArray[Any]:
    """Return the place of each value; comparing beats sorting while the classes are few."""
    if distinct.size > 20:
        return np.searchsorted(distinct, array).astype(code_type(distinct.size))
    codes = np.zeros(array.size, np.int8)
    for i, value in enumerate(distinct[1:], start=1):
        codes[array == value] = i
    return codes


def align(labels: Labels, classes: Sequence[Any], name: str) -> NDArray[Any]:
    """Return codes into ``classes``, or name the labels that are not among them."""
    if labels.values == tuple(classes):
        return labels.codes
    place = {c: i for i, c in enumerate(classes)}
    strangers = [v for v in labels.values if v not in place]
    if strangers:
        rows = np.flatnonzero(labels.codes == labels.values.index(strangers[0]))
        raise DataError(
            f"{name} holds {strangers[0]!r}, which is not one of the {count(len(place), 'class')} "
            f"{shorten(classes)}: {some_rows(rows)}.",
            asked=str(strangers[0]),
            choices=map(str, place),
            remedy=says("Name every class in <classes=...>, or correct the label."),
        )
    move = np.array([place[v] for v in labels.values] + [MISSING], code_type(len(place)))
    return move[labels.codes]


def as_label(value: object, name: str) -> Any:  # noqa: ANN401
    """Return a class label that was passed as an argument as Python's own text or number, or refuse it.

    >>> as_label(np.int64(3), "positive")
    3
    """
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, date | np.datetime64):
        plain = dates_as_text(np.array([value])).tolist()[0]
    if not isinstance(plain, str | int | float) or plain != plain:
        raise ParameterError(
            f"{name} must be a class label, which is text or a whole number; got {shown(value)}."
        )
    return plain


def as_labels(values: object) -> tuple[Any, ...]:
    """Return the class labels that were passed as ``classes``, in their order; refuse what has none.

    >>> as_labels(np.array(["b", "a"]))
    ('b', 'a')
    """
    if isinstance(values, bytes | AbstractSet | Mapping):
        raise ParameterError(
            f"classes must be a list of class labels in their order; got {shown(values)}."
        )
    return tuple(as_label(v, "each of classes") for v in several(values, "classes", "class labels"))


def shorten(classes: Sequence[Any], limit: int = 6) -> str:
    """List a few class names.

    >>> shorten(["a", "b"])
    "'a', 'b'"
    """
    named = ", ".join(repr(c)[:60] for c in classes[:limit])
    return f"{named} ... ({len(classes)} in all)" if len(classes) > limit else named


def likely_positive(classes: Sequence[Any]) -> Any | None:  # noqa: ANN401
    """Return the positive one of two classes if there can be no doubt which it is.

    >>> likely_positive(["no", "yes"]), likely_positive([0, 1]), likely_positive(["cat", "dog"])
    ('yes', 1, None)
    """
    if len(classes) != 2:
        return None
    if all(isinstance(c, int) for c in classes):
        return 1 if set(classes) in ({0, 1}, {-1, 1}) else None
    lower = {str(c).lower(): c for c in classes}
    return lower.get(LIKELY_POSITIVES.get(frozenset(lower), ""))


def all_differ(row: NDArray[Any]) -> bool:
    """Whether no two rows are of one case."""
    if row.dtype.kind in "iu" and (row[1:] > row[:-1]).all():  # they are numbered: nothing to sort
        return True
    if row.dtype.kind in "OU":
        return len({*row.tolist()}) == len(row)
    return int(distinct(row).codes.max(initial=-1)) + 1 == len(row)


def as_words(label: object) -> str:
    """Return what a label says, however it is spaced and whatever its case."""
    return " ".join(str(label).casefold().split())
