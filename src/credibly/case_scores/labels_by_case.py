"""Labels by the case that has them: mappings, and long tables with a row for each case and label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.text import count, shown
from credibly.errors import MAX_LISTED, DataError, MissingColumnError, ParameterError, listed
from credibly.io._declare import open_source
from credibly.io.numbers import columns_in
from credibly.io.roles import found_columns
from credibly.predictions.column_names import NAMES, plain_name
from credibly.predictions.labels import is_missing

CASE_COLUMNS = NAMES["row"]
LABEL_COLUMNS = ("label_name", "label", "labels", "tag", "genre", "category", "topic", "class")
FLAG_COLUMNS = ("truth", "y_true", "actual", "true", "predicted", "y_pred", "pred")
SCORE_COLUMNS = (*NAMES["probability"], *NAMES["score"])


class ByCase(NamedTuple):
    """Pairs of a case and one of its labels, with a number where there is one; ``cases`` are all, also those without labels."""

    cases: list[str]
    of: NDArray[np.intp]  # the place of the case of each pair
    labels: list[str]
    numbers: Floats | None


def is_by_case(given: object) -> bool:
    """Whether labels are given by case: a mapping, or a frame with a column of cases and one of labels.

    >>> is_by_case({"film 1": ["drama"]}), is_by_case([["drama"]])
    (True, False)
    """
    return isinstance(given, Mapping) or _long_columns(given) is not None


def by_case(given: object, role: str) -> ByCase:
    """Return the pairs of a mapping or of a long frame."""
    if isinstance(given, Mapping):
        return _of_mapping(given, role)
    columns = _long_columns(given)
    if columns is None:
        raise ParameterError(
            f"{role} is not given by case, but something else is; got {shown(given)}.",
            remedy="Give all of them by case: as a dictionary, or as a frame with a row for each case and label.",
        )
    case, label, called = columns
    number = next(
        (called[n] for n in (SCORE_COLUMNS if role == "scores" else FLAG_COLUMNS) if n in called),
        None,
    )
    with closing(open_source(given)) as table:
        if role == "scores" and number is None:
            raise MissingColumnError(
                "The frame has no column of scores.", remedy=found_columns(table)
            )
        held = columns_in(table, [number] if number else [], [case, label])
    return pairs(held[case], held[label], held[number] if number else None, role)


def pairs(case: NDArray[Any], label: NDArray[Any], numbers: Floats | None, role: str) -> ByCase:
    """Put the rows of a long table together by case, each label once under a case."""
    for column, what in ((case, "case"), (label, "label")):
        rows = [i for i, v in enumerate(column.tolist()) if is_missing(v)]
        if rows and not (what == "label" and numbers is None):
            raise DataError(f"The {what} of {count(len(rows), 'row')} of {role} is missing; the first is row {rows[0]}.")  # fmt: skip
    cases, labels = list(map(str, case.tolist())), list(map(str, label.tolist()))
    place = {c: i for i, c in enumerate(dict.fromkeys(cases))}
    of = np.fromiter(map(place.__getitem__, cases), np.intp, len(cases))
    if numbers is None:  # a row without a label says that its case has none
        known = [not is_missing(v) for v in label.tolist()]
        of, labels = of[np.array(known, bool)], [x for x, yes in zip(labels, known, strict=True) if yes]  # fmt: skip
    return _each_once(ByCase([*place], of, labels, numbers), role)


def _of_mapping(given: Mapping[Any, Any], role: str) -> ByCase:
    held = list(given.values())
    if not held or any(isinstance(v, str) or not isinstance(v, Iterable) for v in held):
        raise ParameterError(
            f"{role} holds the labels of each case by its name; got {shown(given)}.",
            remedy="Write an empty list for a case without labels.",
        )
    scored = [isinstance(v, Mapping) for v in held]
    if any(scored) != all(scored) or (role == "scores") != all(scored):
        form = "a dictionary of numbers by label" if role == "scores" else "a list of labels"
        raise ParameterError(f"Each case of {role} has {form}; got {shown(given)}.")
    held = [v if isinstance(v, Sequence | Mapping) else list(v) for v in held]
    of = np.repeat(np.arange(len(held)), [len(v) for v in held])
    flat = list(chain.from_iterable(held))
    numbers = None
    if all(scored):
        try:
            numbers = np.fromiter(chain.from_iterable(v.values() for v in held), np.float64, of.size)  # fmt: skip
        except (TypeError, ValueError):
            raise DataError(f"{role} holds what is not a number.") from None
    empty = [i for i, v in enumerate(flat) if is_missing(v)]
    cases = list(map(str, given))
    if empty:
        raise DataError(f"A label of {role} is missing in case {cases[of[empty[0]]]}.")
    return _each_once(ByCase(cases, of, list(map(str, flat)), numbers), role)


def _each_once(made: ByCase, role: str) -> ByCase:
    if len({*made.cases}) < len(made.cases):
        raise DataError(f"Two cases of {role} have the same name.")
    both = list(zip(made.of.tolist(), made.labels, strict=True))
    if len({*both}) < len(both):
        seen: set[tuple[int, str]] = set()
        at, label = next(p for p in both if p in seen or seen.add(p))  # type: ignore[func-returns-value]
        raise DataError(
            f"{role}: case {made.cases[at]} has the label {label} twice.",
            remedy="Name each label once under a case. For a column of zeros and ones per label, use a frame.",
        )
    return made


class Matrices(NamedTuple):
    """Labels of cases as matrices with a row per case and a column per label."""

    cases: list[str]
    labels: list[str]
    truth: Floats
    label: Floats | None
    scores: Floats | None
    absent: dict[str, list[str]]  # cases that truth or predictions do not name


def side_by_side(
    truth: ByCase, label: ByCase | None, scores: ByCase | None, labels: Sequence[str] | None
) -> Matrices:
    """Put truth and predictions together by the names of cases and labels; a case does not have the labels that are not listed.

    >>> held = by_case({"a": ["red"], "b": []}, "truth"), by_case({"b": ["red"], "a": ["round"]}, "label")
    >>> side_by_side(*held, None, None).label.tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    given = {"truth": truth, "label": label, "scores": scores}
    held = {role: each for role, each in given.items() if each is not None}
    cases = list(dict.fromkeys(chain.from_iterable(each.cases for each in held.values())))
    found = sorted({*chain.from_iterable(each.labels for each in held.values())})
    names = found if labels is None else [str(name) for name in labels]
    if strange := sorted({*found} - {*names}):
        raise DataError(
            f"Some labels are not among those named: {listed(strange, most=MAX_LISTED)}.",
            choices=names,
        )
    if not names:
        raise DataError("No case has a label, neither in truth nor predicted.")
    absent = {role: sorted({*cases} - {*each.cases}) for role, each in held.items() if role != "scores"}  # fmt: skip
    columns = {role: _matrix(each, cases, names, np.nan if role == "scores" else 0.0) for role, each in held.items()}  # fmt: skip
    return Matrices(
        cases, names, columns["truth"], columns.get("label"), columns.get("scores"), {r: c for r, c in absent.items() if c}
    )  # fmt: skip


def _matrix(given: ByCase, cases: list[str], names: list[str], unlisted: float) -> Floats:
    row, column = ({name: i for i, name in enumerate(every)} for every in (cases, names))
    at = np.fromiter(map(row.__getitem__, given.cases), np.intp, len(given.cases))[given.of]
    made = np.full((len(cases), len(names)), unlisted)
    made[at, [column[name] for name in given.labels]] = 1.0 if given.numbers is None else given.numbers  # fmt: skip
    return made


def _long_columns(given: object) -> tuple[str, str, dict[str, str]] | None:
    """Return the columns of the case and of the label of a long frame, and all columns by their plain names."""
    if not (hasattr(given, "columns") or hasattr(given, "column_names")):
        return None
    with closing(open_source(given)) as table:
        called = {plain_name(c): c for c in table.names}
        case, label = (next((called[n] for n in names if n in called), None) for names in (CASE_COLUMNS, LABEL_COLUMNS))  # fmt: skip
        if case is None or label is None:
            return None
        table.load([], [label])
        numbers = {str(v) for v in table.labels(label).values} <= {"0", "1", "0.0", "1.0"}
    return None if numbers else (case, label, called)  # a column of zeros and ones is a label
