"""What to doubt about all that is made from some predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.predictions.findings import (
    BINNED,
    GROUPED_CASES,
    LEFT_OUT,
    MISSING_OUTPUT,
    MIXED_PARTS,
    POOLED_FOLDS,
    RESUBSTITUTION,
    TIME_ORDERED_CASES,
    VALIDATION_PART,
)
from credibly.predictions.labels import distinct, joint_codes, shorten
from credibly.predictions.parts import SEEN_PARTS, TRAINING_PARTS, are_inner, has_training_rows

if TYPE_CHECKING:
    from credibly.predictions.artifact import Predictions
    from credibly.predictions.lack import Lack


def caveats(p: Predictions, sliced_by: Sequence[str]) -> list[Finding]:
    """Return what holds of every number made from these predictions."""
    findings = [_mixed_parts(p, sliced_by), _resubstitution(p), _validation(p)]
    if "fold" not in sliced_by:
        findings.append(_pooled_folds(p, sliced_by))
    if p.in_time:
        findings.append(TIME_ORDERED_CASES())
    elif p.group is not None and p.clusters is not None and "group" not in sliced_by:
        findings.append(GROUPED_CASES())
    return [f for f in findings if f is not None]


def with_output(
    parts: Sequence[tuple[Any, Predictions]],
    lack: Callable[[Predictions], Lack | None],
    name: Callable[[Any], object],
) -> tuple[list[tuple[Any, Predictions]], list[Finding]]:
    """Leave out models that lack what others have, and say so; if all lack it, that is for others to say."""
    lacks = [lack(p) for _, p in parts]
    if all(lacks) or not any(lacks):
        return list(parts), []
    said = {
        MISSING_OUTPUT(model=name(key), lack=missing, so="it is left out")
        for (key, _), missing in zip(parts, lacks, strict=True)
        if missing
    }
    kept = [part for part, missing in zip(parts, lacks, strict=True) if not missing]
    return kept, sorted(said, key=lambda f: f.message)


def left_out(p: Predictions) -> list[Finding]:
    """Say that rows of training and validation parts are not judged; those of inner splits are read."""
    if p.seen is None or p.seen.part is None:
        return []
    aside = int((~are_inner(p.seen.part)).sum())
    return [LEFT_OUT(rows=count(aside, "row"))] if aside else []


def binned_scores(p: Predictions) -> list[Finding]:
    """Say that scores stand for bins, where thresholds and what follows from them are shown."""
    widest = (
        0.0
        if p.span is None or not p.n
        else float(np.nanmax(p.span[:, 1] - p.span[:, 0], initial=0.0))
    )
    how = f"the widest is {widest:.2g}, they lie between bins, and each case counts as the middle of its bin"
    return [BINNED(what="Thresholds are", how=how)] if widest else []


def _resubstitution(p: Predictions) -> Finding | None:
    if p.part is None or not has_training_rows(p):
        return None
    seen = sum(str(part).lower() in TRAINING_PARTS for part in p.part.tolist())
    return RESUBSTITUTION(
        what=f"{count(seen, 'row')} of {p.n:,} belong to the training part",
        instead="Evaluate rows that were not used for training.",
    )


def _validation(p: Predictions) -> Finding | None:
    if p.part is None or "validation" not in distinct(p.part).values:
        return None
    chosen = int(np.count_nonzero(p.part == "validation"))
    return VALIDATION_PART(rows=count(chosen, "row"), all=p.n)


def _mixed_parts(p: Predictions, sliced_by: Sequence[str]) -> Finding | None:
    """Say that parts of other names than those that models have seen are judged together."""
    parts = () if p.part is None or "part" in sliced_by else distinct(p.part).values
    if len(parts) < 2:
        return None
    return MIXED_PARTS(
        n=len(parts), parts=shorten(parts), train=SEEN_PARTS[0], validation=SEEN_PARTS[-1]
    )


def _pooled_folds(p: Predictions, sliced_by: Sequence[str]) -> Finding | None:
    columns = [c for c in p.design.fits if c not in sliced_by and getattr(p, c) is not None]
    found = {c: distinct(getattr(p, c)) for c in columns}
    folds = len(distinct(joint_codes(found.values())).values) if columns else 0
    if folds <= 1:
        return None
    vary = [c for c in columns if len(found[c].values) > 1]
    each = vary[0] if len(vary) == 1 else vary
    parts = "data sets" if p.design.independent and each == "repeat" else "folds"
    return POOLED_FOLDS(folds=folds, parts=parts, by=each)
