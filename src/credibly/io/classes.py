"""Which classes there are, and which column is about which class."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from credibly._core.text import count
from credibly.errors import Argument, DataError, ModelColumns, says
from credibly.predictions.column_names import split_prefix
from credibly.predictions.labels import MISSING, SURE_MARKS, Labels, code_type, shorten, unmarked

# "1.0" is what a whole number becomes when its column once held a missing value; "007" is a name.
WHOLE_NUMBER = re.compile(r"\s*[+-]?(0|[1-9][0-9]{0,38})(\.0*)?\s*", re.ASCII)
MISSING_MARKS = SURE_MARKS | {"none", "missing"}  # words that may be classes as well


def recoded(labels: Labels, change: Callable[[Any], Any]) -> Labels:
    """Change the values of labels, sort them, and merge those that become equal."""
    changed = [change(v) for v in labels.values]
    values = sorted(set(changed))
    place = {v: i for i, v in enumerate(values)}
    move = np.array([place[c] for c in changed] + [MISSING], code_type(len(values)))
    return Labels(move[labels.codes], tuple(values))


def is_whole(value: object) -> bool:
    """Say whether a label is, or reads as, a whole number."""
    if isinstance(value, str):
        return WHOLE_NUMBER.fullmatch(value) is not None
    return isinstance(value, int) and not isinstance(value, bool)


def whole_if_all(labels: Labels) -> Labels:
    """Return whole numbers if every value reads as one.

    >>> whole_if_all(Labels(np.array([0, 1, 2]), ("1", "1.0", "10"))).values
    (1, 10)
    >>> whole_if_all(Labels(np.array([0, 1]), ("007", "1"))).values
    ('007', '1')
    """
    if any(isinstance(v, str) for v in labels.values) and all(is_whole(v) for v in labels.values):
        return recoded(labels, lambda v: int(str(v).partition(".")[0]))
    return labels


def agree(columns: Sequence[Labels], text: Sequence[bool] = ()) -> list[Labels]:
    """Give the labels of one problem one type: whole numbers if all are, else text if any is.

    ``text`` says of which columns the file tells that they are text.
    """
    told = text or [False] * len(columns)
    found = [c if t else whole_if_all(c) for c, t in zip(columns, told, strict=True)]
    kinds = {"text" if isinstance(v, str) else "number" for f in found for v in f.values}
    if len(kinds) > 1:
        return [recoded(c, str) for c in columns]
    return found


def typed(name: object, known: Sequence[Any]) -> Any:  # noqa: ANN401
    """Return the known class that reads the same as ``name``, or ``name`` in the type of the known.

    >>> typed("1", [0, 1]), typed("2", [0, 1]), typed(2, ["a"])
    (1, 2, '2')
    """
    item = getattr(name, "item", None)
    plain = item() if item is not None else name
    if plain in known:  # blanks may be all that tells two classes apart
        return next(each for each in known if each == plain)
    for each in known:
        if str(each) == str(plain).strip():
            return each
    if known and all(isinstance(v, str) for v in known):
        return str(plain)
    if all(is_whole(v) for v in known) and is_whole(plain):
        return int(str(plain).partition(".")[0])
    return plain


def refuse_real(labels: Labels, column: str, where: str) -> None:
    """Refuse numbers that are not whole as class labels: they are numeric truths without ``value``."""
    texts = [v for v in labels.values if isinstance(v, str)]
    if not texts or not all(is_real(v) for v in texts) or all(is_whole(v) for v in texts):
        return
    odd = next(v for v in texts if not is_whole(v))
    remedy = (
        "Name a column of probabilities with <probability=...>, of other scores with <score=...> and, for "
        "numeric prediction, of predicted numbers with <value=...>; classes are text or whole numbers."
    )
    if all(0 <= float(v) <= 1 for v in texts if is_real(v)):
        remedy = f"If these were predicted, swap <truth=> and <probability=>. {remedy}"
    if odd.strip().lower() in MISSING_MARKS:
        remedy = "Leave a missing label empty."
    raise DataError(
        f"{where}: column {column!r} holds numbers that are not whole, such as {odd}, so they "
        "are not class labels.",
        remedy=says(remedy),
    )


def as_number(value: Any) -> float | None:  # noqa: ANN401
    """Return the number that a value is, or reads as; nothing where it is none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def is_real(text: str) -> bool:
    """Say whether text is a number with a fraction or exponent, or whole; '007' alone is a name."""
    if as_number(text) is None:
        return False
    return not text.strip().lstrip("+-").isdigit() or is_whole(text)


def missing_marks(labels: Labels) -> list[Any]:
    """Return the labels that look like a missing value written as text."""
    return [v for v in labels.values if isinstance(v, str) and v.strip().lower() in MISSING_MARKS]


def without_marks(labels: Labels, fits: Callable[[Any], bool] = is_whole) -> Labels:
    """Take marks of missing values as missing where every other value is a (whole) number.

    >>> without_marks(Labels(np.array([0, 2, 1]), ("0", "1", "NA")))
    Labels(codes=array([ 0, -1,  1]), values=('0', '1'))
    """
    marks = missing_marks(labels)
    return (
        unmarked(labels, marks) if all(fits(v) for v in labels.values if v not in marks) else labels
    )


def by_prefix(columns: Iterable[str], known: Sequence[Any]) -> dict[Any, str] | None:
    """Match columns to classes by their names without the prefix, or return nothing.

    Every known class must have its column, or one column its class out of two.

    >>> by_prefix(["p_yes", "p_no"], ["no", "yes"])
    {'yes': 'p_yes', 'no': 'p_no'}
    """
    matched: dict[Any, str] = {}
    if not known:
        return None
    for column in columns:
        name = typed(split_prefix(column)[1], known)
        if name == "" and name not in known:
            continue  # a column p_ is about the class without a name, or about none
        if name not in known and column in known:  # which may simply be called like its class
            name = column
        if isinstance(name, str) != isinstance(known[0], str):
            return None
        if name in matched:
            return None
        matched[name] = column
    every = set(known) <= set(matched)
    one_of_two = len(matched) == 1 and len(set(known) | set(matched)) == 2
    return matched if every or (one_of_two and set(matched) <= set(known)) else None


def class_columns(
    spec: Sequence[str] | Mapping[Any, str],
    known: Sequence[Any],
    order: Sequence[Any] | None,
    role: str,
) -> dict[Any, str]:
    """Say which class each column of ``probability=`` or ``baseline=`` is about."""
    classes = list(order if order is not None else known)
    if isinstance(spec, Mapping):
        return {typed(c, classes): column for c, column in spec.items()}
    matched = by_prefix(spec, classes)
    if matched is not None:
        return matched
    if order is not None and len(order) == len(spec):
        return dict(zip(order, spec, strict=True))
    raise DataError(
        f"{role}: it is not clear which class each of the columns {shorten(spec)} belongs to; "
        f"the classes are {shorten(classes)}.",
        remedy=says(
            "Name them like the classes, such as {prefixed}, or set {classes} in the order of the columns. "
            "If they are of several models: {models}.",
            prefixed=f"p_{classes[0]}",
            classes=Argument("classes", classes),
            models=ModelColumns.of(spec),
        ),
    )


def every_class(
    matched: Mapping[Any, str], known: Sequence[Any], order: Sequence[Any] | None, role: str
) -> list[Any]:
    """Return all classes in order, having checked that each has its column."""
    classes = list(order) if order is not None else sorted({*known, *matched}, key=_sorting)
    lacking = [c for c in classes if c not in matched]
    strange = [c for c in matched if c not in classes]
    if strange:
        raise DataError(
            f"{role} names the class {strange[0]!r}, which is not one of {shorten(classes)}.",
            asked=str(strange[0]),
            choices=map(str, classes),
        )
    if lacking and not (len(matched) == 1 and len(classes) == 2):
        raise DataError(
            f"{role} has no column for {count(len(lacking), 'class')}: {shorten(lacking)}. "
            f"Its columns are about {shorten(list(matched))}. Name one column per class."
        )
    return classes


def _sorting(value: object) -> tuple[bool, Any]:
    return isinstance(value, str), value
