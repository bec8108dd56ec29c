"""What to doubt about all that is made from some predictions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from credibly._core.errors import count
from credibly._core.results import Finding
from credibly.predictions.labels import distinct, shorten
from credibly.predictions.parts import SEEN, TRAINING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from credibly.predictions import Predictions
    from credibly.predictions.lack import Lack


def caveats(p: Predictions, sliced_by: Sequence[str]) -> list[Finding]:
    """Return what holds of every number made from these predictions."""
    found = [_missing_truth(p), _mixed_parts(p, sliced_by), _resubstitution(p), _validation(p)]
    if "fold" not in sliced_by:
        found.append(_pooled_folds(p, sliced_by))
    if p.design.in_time:
        message = "Cases follow one another in time: intervals take blocks of neighbouring cases, not the cases, as independent."
        found.append(Finding("time-ordered-cases", "note", message))
    elif p.group is not None and "group" not in sliced_by:
        message = "Cases come in groups: intervals take the groups, not the cases, as independent."
        found.append(Finding("grouped-cases", "note", message, "Compare them with by='group'."))
    return [f for f in found if f is not None]


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
        f"{name(key)} lacks {missing}: it is left out."
        for (key, _), missing in zip(parts, lacks, strict=True)
        if missing
    }
    kept = [part for part, missing in zip(parts, lacks, strict=True) if not missing]
    return kept, [Finding("missing-output", "note", message) for message in sorted(said)]


def left_out(p: Predictions) -> list[Finding]:
    """Say that rows of training and validation parts are not judged."""
    if p.seen is None:
        return []
    message = f"{count(p.seen.n, 'row')} of training and validation parts are not judged."
    return [Finding("left-out", "note", message, "Evaluate them with by='part'.")]


def binned_scores(p: Predictions) -> list[Finding]:
    """Say that scores stand for bins, where thresholds and what follows from them are shown."""
    widest = 0.0 if p.span is None or not p.n else float((p.span[:, 1] - p.span[:, 0]).max())
    if not widest:
        return []
    message = f"Scores are counted in bins, the widest of {widest:.2g}: thresholds fall between bins, and each case counts as one in the middle of its bin."
    return [Finding("binned", "note", message, "Ask for a smaller tolerance=, or exact counts.")]


def _missing_truth(p: Predictions) -> Finding | None:
    unknown = p.cases - p.known().cases
    if not unknown:
        return None
    return Finding(
        "missing-truth",
        "caution",
        f"The truth of {count(unknown, 'row')} of {p.cases:,.10g} is unknown: left out.",
        "If truth is missing for a reason, the rest does not represent the whole.",
    )


def _resubstitution(p: Predictions) -> Finding | None:
    parts = Counter([] if p.part is None else p.part.tolist())
    seen = sum(n for part, n in parts.items() if str(part).lower() in TRAINING)
    if not seen:
        return None
    return Finding(
        "resubstitution",
        "problem",
        f"{count(seen, 'row')} of {p.n:,} belong to the training part: "
        "the model has seen them, so these estimates are too good.",
        "Judge on rows that were not used for training.",
    )


def _validation(p: Predictions) -> Finding | None:
    chosen = 0 if p.part is None else int((p.part == "validation").sum())
    if not chosen:
        return None
    return Finding(
        "validation-part",
        "problem",
        f"{count(chosen, 'row')} of {p.n:,} belong to a validation part: if anything was chosen by them, "
        "these estimates are too good.",
        "Judge on the test part.",
    )


def _mixed_parts(p: Predictions, sliced_by: Sequence[str]) -> Finding | None:
    """Say that parts of other names than those that models have seen are judged together."""
    parts = () if p.part is None or "part" in sliced_by else distinct(p.part).values
    if len(parts) < 2:
        return None
    return Finding(
        "mixed-parts",
        "caution",
        f"Rows of {len(parts)} parts are judged together: {shorten(parts)}.",
        f"If models have seen some of them, call these {SEEN[0]!r} or {SEEN[-1]!r}; see each with by='part'.",
    )


def _pooled_folds(p: Predictions, sliced_by: Sequence[str]) -> Finding | None:
    columns = [c for c in ("repeat", "fold") if c not in sliced_by and getattr(p, c) is not None]
    found = {c: getattr(p, c).tolist() for c in columns}
    folds = len(set(zip(*found.values(), strict=True)))
    if folds <= 1:
        return None
    vary = [c for c in columns if len(set(found[c])) > 1]
    each = vary[0] if len(vary) == 1 else vary
    parts = "data sets" if p.design.independent and each == "repeat" else "folds"
    return Finding(
        "pooled-folds",
        "note",
        f"Cases of {folds} {parts}, predicted by as many fitted models, are pooled: intervals are about "
        "these models on new cases, not about learning anew.",
        f"See each with by={each!r}.",
    )
