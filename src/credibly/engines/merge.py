"""The verb `merge`: summaries of parts become the summary of the whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import dot
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.text import count
from credibly._kernels import LossSums
from credibly.engines.bins import joined
from credibly.engines.findings import ENGINE, SAME_PARTS
from credibly.errors import DataError, ParameterError, says
from credibly.predictions import Design, Predictions
from credibly.predictions.labels import distinct, joint_codes
from credibly.predictions.numbering import case_numbers
from credibly.predictions.outputs import MAY_BE_ABSENT, filled
from credibly.predictions.parts import all_rows
from credibly.predictions.provenance import merged
from credibly.predictions.table import LOSS_SUMS

MERGED_COLUMNS = (
    "truth", "label", "score", "probability", "value", "outcome", "model", "repeat", "fold", "part", "group",
    "time", "baseline", "n_train",
)  # fmt: skip
SHARED_FACTS = ("task", "classes", "positive", "better", "bounds")


@door
def merge(*parts: Predictions) -> Predictions:
    """Add up predictions of parts of the cases: one row for all that are equal, with how many they are.

    Bins of scores that overlap become one, so that parts need not have been cut alike. Cases that follow
    one another in time keep their places.

    >>> from credibly import Predictions
    >>> a = Predictions.of([1, 0, 1], score=[0.5, 0.5, 0.5])
    >>> b = Predictions.of([0, 1], score=[0.5, 0.25])
    >>> merge(a, b).weight.tolist(), merge(a, b).cases
    ([2.0, 1.0, 2.0], 5.0)
    """
    if not parts:
        raise ParameterError("merge takes the predictions of at least one part.")
    said = [f for p in parts for f in p.findings if f.code != ENGINE.code]
    findings = tuple(dict.fromkeys([*said, *_same(parts)]))
    repeated = any(p.repeated for p in parts)
    parts = _each_as_it_is(tuple(all_rows(p) for p in parts))
    first = parts[0]
    for other in parts[1:]:
        _refuse_other(first, other)
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(p, name) for p in parts])
        for name in MERGED_COLUMNS
        if getattr(first, name) is not None
    }
    weight = np.concatenate([p.weights for p in parts])
    first = replace(
        first,
        findings=findings,
        provenance=merged([p.provenance for p in parts]),
        design=Design.merged(p.design for p in parts),
        cache={},
    )
    if first.weight_kind == "importance" or first.in_time or repeated:
        # Equal rows are not one row.
        row = _cases(parts) if repeated else None
        predictions = replace(
            first, **columns, row=row, weight=weight, weight_kind=first.kind_of_sums
        )
        return predictions.judged()
    binned = any(p.span is not None for p in parts)
    if binned:
        columns |= _bins(parts, columns)
    chosen, sizes = _distinct(columns, weight)
    small = {name: column[chosen] for name, column in columns.items()}
    predictions = replace(
        first, **{"span": None, **small}, row=None, weight=sizes, weight_kind="frequency"
    )
    if binned and all(LOSS_SUMS.get(p) is not None or p.span is None for p in parts):
        _add_sums(predictions, parts)
    return predictions.judged()


def _cases(parts: tuple[Predictions, ...]) -> NDArray[np.int64]:
    """Number the cases of all parts; those of different parts are different cases."""
    codes = [case_numbers(p) for p in parts]
    starts = np.cumsum([0, *(int(c.max(initial=-1)) + 1 for c in codes[:-1])])
    return np.concatenate([start + c for start, c in zip(starts, codes, strict=True)])


def _same(parts: tuple[Predictions, ...]) -> list[Finding]:
    """Return a finding about parts that are equal: one was probably named twice."""
    more = len(parts) - len({p.fingerprint for p in parts})
    if not more:
        return []
    equal = f"{more:,} {'is' if more == 1 else 'are'}"
    return [SAME_PARTS(parts=count(len(parts), "part"), equal=equal)]


def _each_as_it_is(parts: tuple[Predictions, ...]) -> tuple[Predictions, ...]:
    """Fill in missing values for models that lack a column which other parts have."""
    if any(p.model is None for p in parts):
        return parts
    for name in MAY_BE_ABSENT:
        without = [getattr(p, name) is None for p in parts]
        lacking, having = (_models(parts, without, wanted=w) for w in (True, False))
        if lacking and having and not lacking & having:
            made = filled([getattr(p, name) for p in parts], [p.n for p in parts])
            new: list[dict[str, Any]] = [{name: column} for column in made]
            parts = tuple(replace(p, **c, cache={}) for p, c in zip(parts, new, strict=True))
    return parts


def _models(parts: tuple[Predictions, ...], without: list[bool], *, wanted: bool) -> set[object]:
    chosen = [p for p, lacks in zip(parts, without, strict=True) if lacks is wanted]
    return {m for p in chosen for m in p.need("model", "merge").tolist()}


def _refuse_other(first: Predictions, other: Predictions) -> None:
    for name in SHARED_FACTS:
        mine, theirs = getattr(first, name), getattr(other, name)
        if mine != theirs:
            raise DataError(
                f"These summaries differ in {name} ({mine!r} and {theirs!r}), so they are not parts of the same whole.",
                remedy=says("Set <classes=...> and <positive=...> when you make them."),
            )
    for name in MERGED_COLUMNS:
        mine, theirs = getattr(first, name), getattr(other, name)
        if (mine is None) != (theirs is None) or (mine is not None and mine.ndim != theirs.ndim):
            raise DataError(
                f"Only one of these summaries has the column {name}, so they cannot be added up."
            )
    if (first.weight_kind == "importance") != (other.weight_kind == "importance"):
        raise DataError(
            "One of these summaries counts cases and the other has importance weights, so they cannot be added up."
        )


def _bins(parts: tuple[Predictions, ...], columns: dict[str, Any]) -> dict[str, Any]:
    """Join bins that overlap; a score that stands for itself is a bin of no width."""
    role = "probability" if "probability" in columns else "score"
    if columns[role].ndim > 1:
        raise DataError(
            "Bins need a single column of scores; these summaries have one column per class."
        )
    spans = [
        np.repeat(getattr(p, role)[:, None], 2, axis=1) if p.span is None else p.span for p in parts
    ]
    low, high, piece = joined(*np.concatenate(spans).T)
    middle = (low + (high - low) / 2)[piece]
    return {role: middle, "span": np.column_stack([low[piece], high[piece]])}


def _distinct(columns: dict[str, Any], weight: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return a row of each kind and the weight of all that are equal to it."""
    each = [c for column in columns.values() for c in np.atleast_2d(column.T)]
    code = joint_codes(distinct(c.astype(str) if c.dtype.kind == "O" else c) for c in each)
    _, first, kind = np.unique(code, return_index=True, return_inverse=True)
    return first, np.bincount(kind, weight).astype(np.float64)


def _add_sums(made: Predictions, parts: tuple[Predictions, ...]) -> None:
    """Add up the sums of losses, which bins do not change."""
    from credibly.measures.probability import truth_probability

    sums = np.zeros(len(LossSums._fields))
    for p in parts:
        if p.probability is None:
            return
        if (known_sums := LOSS_SUMS.get(p)) is not None:
            sums += known_sums
            continue
        known = p.known()
        q, w = truth_probability(known), known.weights
        logs = -np.log(np.where(q > 0, q, 1.0))
        sums += [dot(w, 1 - q), dot(w, (1 - q) ** 2), dot(w, logs), dot(w, q == 0)]
    LOSS_SUMS.put(made, LossSums(*sums.tolist()))
