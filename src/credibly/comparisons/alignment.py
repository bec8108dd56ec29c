"""Bring the predictions of several models into line: the same cases, row by row, or a refusal that says why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly._core.text import count, some_rows
from credibly.comparisons.findings import OTHER_TASKS, OUTCOMES_OF_TWO_KINDS, UNCHECKED_ORDER
from credibly.errors import Argument, DataError, listed, says
from credibly.predictions import Predictions
from credibly.predictions.findings import ALIGNED_BY_POSITION
from credibly.predictions.labels import MISSING, distinct, joint_codes
from credibly.predictions.outcomes import of_one_score
from credibly.predictions.parts import numbered
from credibly.predictions.provenance import UNKNOWN

DIFFERENT_SAMPLES = says(
    "If they are different samples, set <independent=True>; if only some rows are shared, <partial=True>."
)

# Of verbs that take no other cases.
SHARED_ONLY = "Remove the rows that only one of them has."


def aligned(
    models: Mapping[str, Predictions], elsewhere: str = DIFFERENT_SAMPLES
) -> tuple[tuple[Predictions, ...], list[Finding]]:
    """Return the models with their rows in the order of the first, and what to know about it.

    ``elsewhere`` is what to do about models that were not judged on the same cases.
    """
    names = list(models)
    first = models[names[0]]
    found, findings = [first], []
    for name in names[1:]:
        other = same_classes(first, models[name], (names[0], name))
        if first.row is None or other.row is None:
            _refuse_counts(first, other, (names[0], name))
            if first.n != other.n:
                raise DataError(
                    f"{names[0]} has {count(first.n, 'row')} and {name} {count(other.n, 'row')}, without identifiers to match them by.",
                    remedy=says("Set <row=...>. {elsewhere}", elsewhere=elsewhere),
                )
            findings.append(UNCHECKED_ORDER() if first.task == "outcome" else ALIGNED_BY_POSITION())
        elif not _in_line(first, other):
            other = other.take(_places(first, other, (names[0], name), elsewhere))
        _refuse_other_cases(first, other, (names[0], name), elsewhere)
        findings += _of_other_tasks(first, other, (names[0], name))
        found.append(other)
    known = ~unknown_truth(first)
    whole = first.seen is None and known.all() and all(map(_all_count, found))
    if first.row is None and first.repeats == 1 and not whole:
        found = [numbered(p) for p in found]
    if not known.all():
        found = [p.take(known) for p in found]
    if not found[0].n:
        raise DataError("No row has a known truth, so there is nothing to compare.")
    findings += _of_two_kinds(found, names)
    shared = _shared_columns(found)
    both = tuple(replace(p, **shared, cache=p.found_complete) for p in found)
    return both, list(dict.fromkeys(findings))


def _all_count(p: Predictions) -> bool:
    """Whether every row counts: none lacks a prediction or weighs nothing."""
    return p.gapless and (p.weight is None or bool(p.weight.all()))


def _in_line(first: Predictions, other: Predictions) -> bool:
    """Whether the rows stand in the same order already, each once."""
    columns = [(getattr(first, c), getattr(other, c)) for c in ("row", "repeat", "fold")]
    given = [(a, b) for a, b in columns if a is not None or b is not None]
    same = all(a is not None and b is not None and np.array_equal(a, b) for a, b in given)
    return same and (len(given) > 1 or np.unique(first.need("row", "a match")).size == first.n)


def unknown_truth(p: Predictions) -> NDArray[np.bool_]:
    """Name the rows whose truth is not known."""
    return p.truth == MISSING if p.task == "classification" else np.isnan(p.truth)


def same_classes(first: Predictions, other: Predictions, names: tuple[str, str]) -> Predictions:
    """Return the other predictions in the first one's classes, or refuse."""
    if first.task != other.task:
        raise DataError(
            f"{names[0]} predicts {first.task} and {names[1]} {other.task}: they cannot be compared."
        )
    if first.task == "outcome":
        _refuse_other_outcomes(first, other, names)
    only = [c for c in first.classes if c not in other.classes]
    more = [c for c in other.classes if c not in first.classes]
    if only or more:
        where = f"{(only or more)[0]!r} only occurs in {names[0] if only else names[1]}"
        raise DataError(
            f"{names[0]} and {names[1]} have different classes: {where}.",
            remedy=says("Set <classes=...> to all of them for both."),
        )
    if first.has_positive and other.has_positive:
        pair = [repr(p.classes[p.positive or 0]) for p in (first, other)]
        if pair[0] != pair[1]:
            raise DataError(
                f"The positive class is {pair[0]} for {names[0]} and {pair[1]} for {names[1]}.",
                remedy=says("Set <positive=...> for both."),
            )
    if first.classes == other.classes:
        return replace(other, positive=first.positive, cache={}) if first.has_positive else other
    return _recoded(other, first.classes, first.positive)


def _refuse_other_outcomes(first: Predictions, other: Predictions, names: tuple[str, str]) -> None:
    """Refuse outcomes that are known not to mean the same."""
    said = {
        "better": [p.way and f"{p.way} is better" for p in (first, other)],
        "bounds": [
            p.bounds and f"outcomes reach from {p.bounds[0]:g} to {p.bounds[1]:g}"
            for p in (first, other)
        ],
    }
    if of_one_score(first, other):
        del said["bounds"]
    for argument, (mine, theirs) in said.items():
        if mine and theirs and mine != theirs:
            raise DataError(
                f"Of {names[0]} {mine}, of {names[1]} {theirs}: these are not the same outcomes.",
                remedy=says("Set {it} for both, if they are.", it=Argument(argument, ...)),
            )


def _of_other_tasks(
    first: Predictions, other: Predictions, names: tuple[str, str]
) -> Iterator[Finding]:
    """Say when rows of the same name are of other tasks, whose cases are often numbered alike."""
    mine, theirs = (p.columns.get("task") for p in (first, other))
    if mine is None or theirs is None:
        return
    differ = np.flatnonzero(_differ(mine, theirs))
    if differ.size:
        i = differ[0]
        yield OTHER_TASKS(rows=count(differ.size, "row"), first=names[0], task=mine[i], other=names[1], another=theirs[i])  # fmt: skip


def _of_two_kinds(models: list[Predictions], names: list[str]) -> Iterator[Finding]:
    """Say when some models pass or fail and others have numbers, which may be different metrics."""
    passes = [n for p, n in zip(models, names, strict=True) if p.pass_or_fail]
    if models[0].task == "outcome" and 0 < len(passes) < len(names):
        others = [n for n in names if n not in passes]
        yield OUTCOMES_OF_TWO_KINDS(passes=listed(passes), others=listed(others))


def _recoded(p: Predictions, classes: tuple[Any, ...], positive: int | None) -> Predictions:
    """Write the same predictions with the classes in another order."""
    place = np.array([*(classes.index(c) for c in p.classes), MISSING])
    columns = [p.classes.index(c) for c in classes]
    wide = p.probability is not None and p.probability.ndim > 1
    own = p.positive if p.positive is None else int(place[p.positive])
    return replace(
        p,
        classes=classes,
        positive=own if positive is None else positive,
        truth=place[p.truth],
        label=None if p.label is None else place[p.label],
        probability=p.probability[:, columns]
        if wide and p.probability is not None
        else p.probability,
        baseline=None if p.baseline is None else p.baseline[:, columns],
        cache={},
    )


def _refuse_counts(first: Predictions, other: Predictions, names: tuple[str, str]) -> None:
    """Cells of two tables are not the same cases, however much they look alike."""
    counted = [name for p, name in zip((first, other), names, strict=True) if p.design.counted]
    if counted:
        raise DataError(
            f"{listed(counted)}: counts do not say which case is which, so errors cannot be "
            "matched case by case.",
            remedy=says(
                "If these are different samples, set <independent=True>; for the same cases, "
                "give the rows, or the numbers of cases that only one model gets wrong: <discordant=...>, in Python "
                "Discordant(...)."
            ),
        )


def keys(*models: Predictions) -> list[NDArray[np.int64]]:
    """Number the rows of several models by what identifies them: repeat, fold if it repeats rows, and row."""
    columns = ["row"]
    if all(p.repeat is not None for p in models):
        columns.insert(0, "repeat")
    for p in models:
        held = distinct(joint_codes(distinct(getattr(p, c)) for c in columns))
        if len(held.values) < p.n and all(q.fold is not None for q in models):
            columns.insert(0, "fold")  # a row may be tested in several folds, as in a bootstrap
            break
    code = joint_codes(distinct(np.concatenate([getattr(p, c) for p in models])) for c in columns)
    _, code = np.unique(code, return_inverse=True)
    return np.split(code, np.cumsum([p.n for p in models])[:-1])


def _unique_keys(
    models: tuple[Predictions, ...], names: tuple[str, ...]
) -> list[NDArray[np.int64]]:
    """Number the rows of models, each of which may occur once in each."""
    codes = keys(*models)
    for code, name in zip(codes, names, strict=True):
        if np.unique(code).size < code.size:
            raise DataError(
                f"Rows of {name} occur more than once, so they cannot be matched.",
                remedy=says("For repeated predictions, set <repeat=...> or <fold=...>."),
            )
    return codes


def shared_rows(
    first: Predictions, other: Predictions, names: tuple[str, ...]
) -> tuple[NDArray[np.int64], ...]:
    """Number the rows of two models in the union of both; what they share must be the same cases."""
    mine, theirs = _unique_keys((first, other), names)
    _, here, there = np.intersect1d(mine, theirs, return_indices=True)
    _refuse_other_cases(first.take(here), other.take(there), (names[0], names[1]))
    return mine, theirs


def _places(
    first: Predictions, other: Predictions, names: tuple[str, str], elsewhere: str
) -> NDArray[np.intp]:
    """Return where the rows of the first stand in the other."""
    mine, theirs = _unique_keys((first, other), names)
    for p, own, else_, who in ((first, mine, theirs, names[0]), (other, theirs, mine, names[1])):
        alone = np.flatnonzero(~np.isin(own, else_))
        if alone.size:
            rows = _rows_text(p, alone)
            raise DataError(
                f"{names[0]} and {names[1]} were not evaluated on the same cases: {count(alone.size, 'row')} of {p.n:,} only in {who} ({rows}).",
                remedy=elsewhere,
            )
    order = np.argsort(theirs)
    return order[np.searchsorted(theirs[order], mine)]


def _refuse_other_cases(
    first: Predictions,
    other: Predictions,
    names: tuple[str, str],
    elsewhere: str = DIFFERENT_SAMPLES,
) -> None:
    """Refuse rows whose truth, split, weight or group differ."""
    hints = {
        "truth": elsewhere,
        "fold": "The models were resampled with different splits: run them on the same ones.",
        "repeat": "The models were resampled with different splits: run them on the same ones.",
        "n_train": "The models were trained on parts of different sizes.",
        "weight": "Each case must have the same weight for both models.",
        "group": "Each case must belong to the same group for both models.",
        "time": "Each case must have been observed at the same time for both models.",
    }
    for column, hint in hints.items():
        mine, theirs = getattr(first, column), getattr(other, column)
        if mine is None or theirs is None:
            continue
        differ = np.flatnonzero(_differ(mine, theirs))
        if differ.size:
            i = differ[0]
            rows = _rows_text(first, differ)
            values = f"{_shown(first, column, mine[i])} and {_shown(other, column, theirs[i])}"
            raise DataError(
                f"{column} differs between {names[0]} and {names[1]} in {count(differ.size, 'row')} ({rows}; first {values}).",
                remedy=hint,
            )


def _differ(mine: NDArray[Any], theirs: NDArray[Any]) -> NDArray[np.bool_]:
    if mine.dtype.kind == "f" and theirs.dtype.kind == "f":
        return (mine != theirs) & ~(np.isnan(mine) & np.isnan(theirs))
    return np.asarray(mine != theirs, np.bool_)


def _shown(p: Predictions, column: str, value: object) -> str:
    if column == "truth" and p.task == "classification":
        return "unknown" if value == MISSING else repr(p.classes[int(str(value))])
    return str(value)


def _shared_columns(models: list[Predictions]) -> dict[str, Any]:
    """Take what describes cases from whichever model has it."""
    names = ("weight", "repeat", "fold", "part", "group", "time", "n_train", "row")
    shared: dict[str, Any] = {}
    for name in names:
        given = [getattr(p, name) for p in models if getattr(p, name) is not None]
        shared[name] = given[0] if given else None
    shared["design"] = next((p.design for p in models if p.design != UNKNOWN), UNKNOWN)
    shared["weight_kind"] = next((p.weight_kind for p in models if p.weight is not None), "none")
    return shared


def _rows_text(p: Predictions, places: NDArray[np.intp]) -> str:
    """Name rows by their identifiers, or by their places where they have none."""
    if p.row is None:
        return some_rows(places.tolist())
    return some_rows(p.row[places].tolist(), identified=True)
