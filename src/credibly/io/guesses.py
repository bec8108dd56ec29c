"""Which columns may hold the truth and the predictions, by their values, where names do not tell.

An error offers them, and the page shows them to be confirmed. They are taken, with a note, only where no
other column can be meant.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly.errors import Argument, CrediblyError, ModelColumns
from credibly.io._declare import open_source
from credibly.io.classes import as_number
from credibly.io.roles import (
    MAX_LISTED,
    PREDICTION_ROLES,
    Roles,
    UnnamedColumnError,
    columns_of,
    distinct_values,
    lacks_column,
)
from credibly.predictions.column_names import split_prefix
from credibly.predictions.labels import likely_positive

if TYPE_CHECKING:
    from credibly.io._source import Source

# Agreement beyond chance from which on several columns are taken for models: of classes, and of numbers.
MIN_AGREEMENT, MIN_ALIKE = 0.2, 0.5
MIN_EXPLAINED = 0.05  # share of the variance of a score that the classes of a truth explain
MAX_CLASSES = 20  # of a column that may be a truth
MAX_PERCENT = 100
VERDICT_WORDS = {"pass", "passed", "fail", "failed"}  # words for outcomes that are not classes
MAX_OFF = 0.2  # how far the mean of probabilities may be from the share of what they predict
MIN_INPUTS = 2  # columns of numbers beside a score from which on they look like inputs of a model
PREDICTION = "label, score, probability or value"


def check_predicted(roles: Roles) -> None:
    """Refuse predictions that predict nothing."""
    if not set(PREDICTION_ROLES) & set(roles.chosen):
        raise lacking(roles, PREDICTION, [_maybe_predicted(roles)])


def lacking(roles: Roles, what: str, offered: list[Argument]) -> UnnamedColumnError:
    """Return the error of a role that no name of a column tells, with what the values tell of it."""
    source = roles.source
    clear = source.values_known and _is_clear(roles, offered)
    truth, last = str(roles.chosen.get("truth", "")), offered[-1]
    if truth and source.values_known and (last.name == "score" or _holds_classes(source, last)):
        beside = [c for c in source.names[:MAX_LISTED] if c not in roles.columns()]
        inputs = [c for c in beside if source.kind(c) in {"whole", "number"}]
        if len(inputs) > MIN_INPUTS:
            two = {truth, str(last.value)} if last.name == "probability" else {truth}
            return lacks_column(source, what, *offered, inputs_of=max(two, key=source.names.index))
    return lacks_column(source, what, *offered, clear=clear)


def is_predicted(roles: Roles, column: str) -> bool:
    """Whether a column of two classes is what happened: another holds shares that go with it, and none can be meant beside."""
    if roles.source.kind(column) != "whole" or len(distinct_values(roles.source, column)) != 2:
        return False
    as_truth = replace(roles, chosen={**roles.chosen, "truth": column})
    offered = _maybe_predicted(as_truth)
    return offered.name == "probability" and _is_clear(as_truth, [offered])


def _holds_classes(source: Source, offered: Argument) -> bool:
    """Whether a column offered as a probability holds 0 and 1 alone: it says what a case is."""
    return offered.name == "probability" and offered.value is not ... and source.kind(str(offered.value)) != "number"  # fmt: skip


def _is_clear(roles: Roles, offered: list[Argument]) -> bool:
    """Whether nothing else than what is offered can be meant: the values of no other column say as much."""
    source, given = roles.source, {a.name: a.value for a in offered}
    if ... in given.values() or given.keys() & {"score", "outcome"}:
        return False
    if "truth" in given and given.keys() & {"label", "value"}:  # either may be what happened
        return False
    truth = str(given.get("truth", roles.chosen.get("truth")))
    named = [c for role in given if role != "truth" for c in str(given[role]).split(",")]
    if not {*named} <= {*source.names}:  # a name holds a comma
        return False
    if given.keys() & {"probability", "models"}:
        classes = {c: len(source.labels(c).values) for c in named if source.kind(c) != "number"}
        # Two values, such as 0 and 1, say what a case is; more may be what happened.
        if classes and ("probability" in given or "truth" in given):
            return False
        of_two = len(distinct_values(source, truth)) <= 2
        if any(n <= 2 and (of_two or source.kind(c) == "whole") for c, n in classes.items()):
            return False
    known = [c for spec in roles.chosen.values() for c in columns_of(spec)]
    prefixed = [c for c in source.names if split_prefix(c)[0]]
    predicted = {*named, *known, *prefixed, roles.predicted or truth} - {truth}
    every = _contents(source, {truth, *predicted, *source.hidden})
    if any(source.kind(c) == "number" for c in every):  # inputs of a model, or other predictions
        return False
    few = [c for c, v in every.items() if 1 < len(v) <= MAX_CLASSES]
    scores = [source.numbers(c) for c in predicted if source.kind(c) == "number"]
    if "truth" in given and not _are_shares(scores):  # of several numbers any may be what happened
        return False
    if "value" in given or not (given.keys() & {"probability", "models"} and _are_shares(scores)):
        return "value" in given or not few
    codes, others = source.labels(truth).codes, [source.labels(c).codes for c in few]
    positive = _positive_codes(source, truth, roles.positive)
    return all(
        _predicts(codes, positive, x)
        and all(_explained(other, x) < _explained(codes, x) / 2 for other in others)
        for x in scores
    )


def _are_shares(columns: list[Floats]) -> bool:
    return bool(columns) and bool(max(map(np.nanmax, columns)) <= 1)


def _positive_codes(source: Source, truth: str, positive: object) -> NDArray[np.bool_] | None:
    """Return which cases are of the class that one share is about, if it is known which that is."""
    found = source.labels(truth)
    numbers = [as_number(str(v)) for v in found.values]
    plain = [int(n or 0) for n in numbers] if set(numbers) == {0, 1} else found.values
    told = likely_positive(plain) if positive is None else positive
    place = [i for i, v in enumerate(found.values) if told is not None and str(told) in {str(v), str(plain[i])}]  # fmt: skip
    return found.codes == place[0] if len(place) == 1 and len(found.values) == 2 else None


def _predicts(codes: NDArray[Any], positive: NDArray[np.bool_] | None, share: Floats) -> bool:
    """Whether shares are larger where the class is that they are about, and on average about as large as it is common."""
    known = (codes >= 0) & np.isfinite(share)
    if positive is None or not (positive & known).any() or not (~positive & known).any():
        return False
    larger = share[positive & known].mean() > share[~positive & known].mean()
    off = abs(share[known].mean() - positive[known].mean())
    return bool(larger and _explained(codes, share) > max(MIN_EXPLAINED, 4 / codes.size) and off < MAX_OFF)  # fmt: skip


def check_numbers(roles: Roles) -> None:
    """Refuse a truth of fractions if no column of predictions was named but one may be."""
    unclear = not (set(PREDICTION_ROLES) & set(roles.chosen) or roles.prefixed)
    if unclear and roles.source.kind(str(roles.chosen["truth"])) == "number":
        offered = _maybe_predicted(roles)
        if offered.value is not ...:
            raise lacking(roles, PREDICTION, [offered])


def maybe_columns(roles: Roles) -> list[Argument]:
    """Return what to set for the truth and, where no column is known to predict it, for the predictions."""
    offered = maybe_truth(roles.source)
    predicted = {*PREDICTION_ROLES} & {*roles.chosen} or roles.predicted or roles.prefixed
    if offered.name != "truth" or offered.value is ... or predicted:
        return [offered]
    roles.chosen["truth"] = str(offered.value)
    beside = _maybe_predicted(roles)
    return [offered] if beside.value is ... else [offered, beside]


def maybe_truth(source: Source) -> Argument:
    """Return what to set for the truth: a column of few values that scores distinguish, or of numbers that others repeat."""
    every = _contents(source, ())
    verdicts = [c for c, v in every.items() if v.size and _are_verdicts(v)]
    if verdicts:
        return Argument("outcome", verdicts if len(verdicts) > 1 else verdicts[0])
    found = {c: v for c, v in every.items() if c not in source.hidden}
    few = {c: v for c, v in found.items() if 1 < len(v) <= MAX_CLASSES and source.kind(c) != "number"}  # fmt: skip
    # The classes that columns such as p_yes are of.
    about = {split_prefix(c)[1].strip() for c in source.names}
    of_classes = [c for c, v in few.items() if {str(each) for each in v.tolist()} <= about]
    if of_classes:
        return Argument("truth", of_classes[0])
    scores = [source.numbers(c) for c in found if c not in few and source.kind(c) == "number"]
    told = {c: _told(source, c, scores) for c in few}
    twin = _first_of_twins(source, [c for c in found if c not in few])
    if twin is not None and max(told.values(), default=0) < MIN_EXPLAINED:
        return Argument("truth", twin)
    shares = sum(np.nanmin(x) >= 0 and np.nanmax(x) <= 1 for x in scores if np.isfinite(x).any())

    def unlikely(column: str) -> tuple[bool, bool, float, int]:
        classes, explained = len(few[column]), told[column]
        clear, of_two = explained >= MIN_EXPLAINED, shares == 1  # one share is about two classes
        known = -explained if clear or of_two else 0.0
        return of_two and classes != 2, not clear, known, classes

    return Argument("truth", min(few, key=unlikely, default=...))


def _are_verdicts(values: NDArray[Any]) -> bool:
    return {str(v).strip().lower() for v in values.tolist()} <= VERDICT_WORDS


def _told(source: Source, column: str, scores: list[Floats]) -> float:
    """Return how much of the variance of a score the classes of a column explain, at most.

    Classes that a score separates without an error were made of it: they are labels, no truth.
    """
    codes = source.labels(column).codes
    return max((_explained(codes, x) for x in scores), default=0.0)


def _explained(codes: NDArray[Any], numbers: Floats) -> float:
    known = (codes >= 0) & np.isfinite(numbers)
    codes, numbers = codes[known], numbers[known]
    total = np.var(numbers) * numbers.size
    if not total > 0:
        return 0.0
    order = np.argsort(numbers, kind="stable")
    if (np.diff(codes[order]) != 0).sum() < len(np.unique(codes)):
        return 0.0
    sums, counts = np.bincount(codes, numbers - numbers.mean()), np.bincount(codes)
    return float((sums[counts > 0] ** 2 / counts[counts > 0]).sum() / total)


def _first_of_twins(source: Source, columns: list[str]) -> str | None:
    """Return the first column of numbers that another one repeats, nearly: what happened stands before what was predicted."""
    numbers = _numbers(source, columns)
    for column, x in numbers.items():
        if any(_alike(x, y) > MIN_ALIKE for other, y in numbers.items() if other != column):
            return column
    return None


def _numbers(source: Source, columns: Collection[str]) -> dict[str, Floats]:
    return {c: source.numbers(c) for c in columns if source.kind(c) in {"whole", "number"}}


def _alike(x: Floats, y: Floats) -> float:
    """Return how much of the variance of a column is gone where another is subtracted."""
    known = np.isfinite(x) & np.isfinite(y)
    spread = np.var(x[known]) if known.any() else 0.0
    return float(1 - np.mean((x[known] - y[known]) ** 2) / spread) if spread > 0 else 0.0


def _maybe_predicted(roles: Roles) -> Argument:
    """Return what to set for the predictions: columns of numbers from 0 to 1, of the classes, or of numbers like the truth."""
    source, truth = roles.source, str(roles.chosen["truth"])
    found = _contents(source, (roles.columns() | source.hidden) - {truth})
    values = found.pop(truth, np.array([]))
    numbers = {c: v for c, v in found.items() if v.dtype.kind == "f" and v.size}
    if values.dtype.kind == "f" and values.size > MAX_CLASSES:
        x = source.numbers(truth)
        return _one_or_more("value", [c for c, y in _numbers(source, numbers).items() if _alike(x, y) > 0])  # fmt: skip
    classes = set(values.tolist())
    shares = [c for c, v in numbers.items() if v.min() >= 0 and v.max() <= 1]
    labels = [c for c, v in found.items() if v.size and set(v.tolist()) <= classes]
    fractions = {c for c, v in numbers.items() if (v % 1).any()}  # of which 0 and 1 may be two
    labels = labels or [c for c, v in found.items() if len({*v.tolist()} & classes) > 1 and c not in fractions]  # fmt: skip
    if not set(shares) <= set(labels):
        return _one_or_more("probability", shares)
    if labels:  # all shares are 0 and 1, as the truth is
        agreeing = [c for c in labels if _agreement(source, truth, c) > MIN_AGREEMENT]
        return ModelColumns.of(agreeing) if len(agreeing) > 1 else Argument("label", labels[0])
    return _one_or_more("score", _scores(source, truth, numbers))


def _scores(source: Source, truth: str, numbers: dict[str, NDArray[Any]]) -> list[str]:
    """Return the column of fractions that the truth tells most about, and those that say much the same; others may count anything."""
    held = {c: source.numbers(c) for c in numbers if source.kind(c) == "number"}
    if not held:
        return []
    codes = source.labels(truth).codes
    told = {c: _explained(codes, x) for c, x in held.items()}
    first = max(told, key=lambda c: told[c])
    same = [c for c, x in held.items() if c == first or _alike(held[first], x) > MIN_AGREEMENT]
    return same if numbers[first].max() <= MAX_PERCENT and numbers[first].min() >= 0 else [first]


def _one_or_more(role: str, columns: list[str]) -> Argument:
    if len(columns) > 1:
        return ModelColumns.of(columns)
    return Argument(role, next(iter(columns), ...))


def _agreement(source: Source, truth: str, column: str) -> float:
    """Return how far a column of classes agrees with the truth beyond chance (kappa), as what predicts it does."""
    known, said = source.labels(truth), source.labels(column)
    place = {str(v): i for i, v in enumerate(known.values)}
    codes = np.array([*(place.get(str(v), -1) for v in said.values), -1])[said.codes]
    shares = [np.bincount(x[x >= 0], minlength=len(place)) / x.size for x in (known.codes, codes)]
    expected = float(shares[0] @ shares[1])
    return (
        0.0 if expected >= 1 else float(np.mean(known.codes == codes) - expected) / (1 - expected)
    )


def _contents(source: Source, but: Collection[str]) -> dict[str, NDArray[Any]]:
    """Return the different values of the first columns of a file; of what an engine counts none are read."""
    if not source.values_known:
        return {}
    names = [c for c in dict.fromkeys(source.names[:MAX_LISTED]) if c not in but]
    if names:
        source.load([], names)
    return {c: distinct_values(source, c) for c in names}


def other_kind(source: object, format: str | None) -> Any:  # noqa: A002, ANN401
    """Return the kind of prediction that a table holds if it is not one of classes, numbers or outcomes."""
    from importlib import import_module

    kinds = import_module("credibly.case_scores.tables")  # which stands above
    found = None
    with suppress(
        CrediblyError, OSError, TypeError, ValueError
    ):  # what cannot be read is of no kind
        if hasattr(source, "columns") or Path(source).is_file():  # type: ignore[arg-type]
            with closing(open_source(source, format)) as table:
                found = kinds.recognised(table)
    return found[0] if found else None
