"""Outcomes: cases that were scored elsewhere, a number or pass and fail for each, checked at the door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.parameters import one_of, require
from credibly._core.text import count, shown, some_have, some_rows
from credibly.errors import Argument, DataError, ParameterError, says
from credibly.predictions.findings import (
    ERRORS_AS_FAILED,
    NO_OUTCOME,
    OUTCOME_DIRECTION,
    TAKEN_AS_PASSED,
)
from credibly.predictions.labels import as_column, distinct, is_missing
from credibly.predictions.numbers import are_passes, floats, frozen, predicted
from credibly.predictions.provenance import Design
from credibly.predictions.table import Better, PredictionColumns

PASSED_WORDS = (
    "pass",
    "passed",
    "true",
    "yes",
    "correct",
    "right",
    "success",
    "succeeded",
    "resolved",
)
ERROR_WORD = "error"
FAILED_WORDS = (
    "fail",
    "failed",
    "false",
    "no",
    "incorrect",
    "wrong",
    "failure",
    ERROR_WORD,
    "unresolved",
)
OUTCOME_OF_WORD = {**dict.fromkeys(PASSED_WORDS, 1.0), **dict.fromkeys(FAILED_WORDS, 0.0)}


def outcome_columns(
    outcome: object, better: object, bounds: object, **beside: object
) -> dict[str, Any]:
    """Check outcomes, and say what was assumed about them."""
    _refuse_beside(beside)
    if better is not None:
        require("better", better, one_of(*get_args(Better)))
    given, told, errors = outcome_numbers(outcome)
    numbers = predicted(given, "outcome")
    ends = None if bounds is None else _ends(bounds, numbers)
    return {
        "task": "outcome",
        "truth": frozen(np.zeros(numbers.size)),  # there is none: it says of every case the same
        "outcome": frozen(numbers),
        "better": better,
        "bounds": ends,
        "design": Design(repeats="asked_again"),
        "findings": _findings(numbers, errors, told=told or better is not None),
    }


def outcome_numbers(outcome: object, name: str = "outcome") -> tuple[Floats, bool, int]:
    """Return outcomes as numbers, whether they say themselves what is a pass, and how many are errors beside failures.

    >>> outcome_numbers([True, None, False])[0].tolist(), outcome_numbers(["pass", "fail", "error"])
    ([1.0, nan, 0.0], (array([1., 0., 0.]), True, 1))
    """
    column = as_column(outcome, name)
    if column.dtype.kind in "iuf":
        return floats(column, name), False, 0
    if column.dtype.kind == "b":
        return column.astype(np.float64), True, 0
    known = distinct(column)
    strange = [v for v in known.values if not is_pass_or_fail(v)]
    words = [v for v in known.values if isinstance(v, str) and _word(v) in OUTCOME_OF_WORD]
    if strange and not words:
        return floats([np.nan if is_missing(v) else v for v in column.tolist()], name), False, 0
    if strange:
        raise DataError(
            says(
                "{it} holds {word}, which says neither pass nor fail, beside {other}.",
                it=Argument(name),
                word=shown(strange[0]),
                other=shown(words[0]),
            ),
            remedy="Write one way throughout: numbers, truth values, or words such as pass and fail.",
        )
    as_number = [np.nan if is_missing(v) else OUTCOME_OF_WORD[_word(v)] for v in known.values]
    errors = [not is_missing(v) and _word(v) == ERROR_WORD for v in known.values]
    plain = any(
        _word(v) in FAILED_WORDS for v, e in zip(known.values, errors, strict=True) if not e
    )
    n = int(np.array([*errors, False])[known.codes].sum()) if plain else 0
    return np.array([*as_number, np.nan])[known.codes], True, n


def is_pass_or_fail(value: object) -> bool:
    """Whether a value is a word, or a truth value, for pass or fail; one that is missing may be either."""
    return is_missing(value) or _word(value) in OUTCOME_OF_WORD


def _word(value: object) -> str:
    return str(value).strip().lower()


def _refuse_beside(given: Mapping[str, object]) -> None:
    """Refuse what is about predictions: outcomes were judged elsewhere."""
    clash = next((name for name, column in given.items() if column is not None), None)
    if clash is not None:
        raise ParameterError(
            says(
                "<outcome=> is of cases that were scored elsewhere, and {it} is for predictions: set one of them.",
                it=Argument(clash),
            ),
            remedy=says("To keep it beside outcomes, put it into <columns=...>."),
        )


def _ends(bounds: object, numbers: Floats) -> tuple[float, float]:
    """Return the lowest and the highest outcome that there can be, between which all are."""
    try:
        low, high = map(float, bounds)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        low = high = np.nan
    if not low < high:
        raise ParameterError(
            says(
                "<bounds> must be the lowest and the highest possible outcome; got {given}.",
                given=shown(bounds),
            )
        )
    beyond = np.flatnonzero((numbers < low) | (numbers > high))
    if beyond.size:
        raise DataError(
            says(
                "{rows} outside <bounds={ends}>: {named}.",
                rows=f"{count(beyond.size, 'outcome')} {'lies' if beyond.size == 1 else 'lie'}",
                ends=(low, high),
                named=some_rows(beyond),
            )
        )
    return low, high


def reach_of(parts: Sequence[PredictionColumns]) -> tuple[float, float] | None:
    """Return the ends between which the outcomes of all parts lie, or their means, if each says its own."""
    ends = [p.bounds for p in parts if p.bounds is not None]
    if len(ends) < len(parts):
        return None
    return min(low for low, _ in ends), max(high for _, high in ends)


def stand_for_moves(p: PredictionColumns) -> bool:
    """Whether outcomes lie beyond the ends of their mean: they are the value of a measure and how a case moves it."""
    if p.outcome is None or p.bounds is None:
        return False
    return bool(np.nanmin(p.outcome) < p.bounds[0] or p.bounds[1] < np.nanmax(p.outcome))


def of_one_score(first: PredictionColumns, other: PredictionColumns) -> bool:
    """Whether both hold the same score of cases, whose lowest value may depend on the cases."""
    return bool(first.outcome_name) and first.outcome_name == other.outcome_name


def _findings(numbers: Floats, errors: int, *, told: bool) -> tuple[Finding, ...]:
    gaps = np.isnan(numbers)
    if gaps.size and gaps.all():
        raise DataError(f"None of the {count(gaps.size, 'row')} has an outcome.")
    findings = []
    if gaps.any():
        findings.append(NO_OUTCOME(rows=some_have(int(gaps.sum()), gaps.size, "row")))
    if errors:
        findings.append(ERRORS_AS_FAILED(outcomes=count(errors, "outcome")))
    if not told:
        findings.append(TAKEN_AS_PASSED() if are_passes(numbers) else OUTCOME_DIRECTION())
    return tuple(findings)
