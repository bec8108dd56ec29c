"""Few cases for many attributes: what one cross-validation cannot show, what would, and what that costs.

Least squares on half as many attributes as cases may err twice as much on one training set as on the next.
In a single cross-validation each case is predicted once, so nothing shows it. Between two ends of a range
there is little room for that, and intervals hold; beyond, they hold in 73 to 94 of 100 samples.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from credibly._core.findings import Finding
from credibly._core.words import count
from credibly.errors import says
from credibly.evaluation import price
from credibly.evaluation.findings import MANY_ATTRIBUTES

if TYPE_CHECKING:
    from credibly.intervals._declare import EstimateRequest
    from credibly.predictions import Predictions

ENOUGH_A_PIECE = 4  # cases for each attribute, below which learning is seldom stable
LEAST, MOST, REPEATS = 3, 10, 10  # folds and repeats of the nested cross-validation to run instead


def many_attributes(p: Predictions) -> list[Finding]:
    """Say that one cross-validation of few cases with many attributes does not show how unstable learning is."""
    if not _are_many(p):
        return []
    return [MANY_ATTRIBUTES(sizes=_sizes(p), **_cure(p))]


def why_unstable(q: EstimateRequest) -> str:
    """Return why a mean over one cross-validation has no interval of its own accord; nothing where it has one."""
    p = q.predictions
    if q.interval != "auto" or all(map(math.isfinite, q.measure.range)) or not _are_many(p):
        return ""
    return says(
        "{sizes}: one cross-validation does not show how far what is learned changes with the "
        "training set; run <resampling={call}>: {price}",
        sizes=_sizes(p),
        **_cure(p),
    )


def _are_many(p: Predictions) -> bool:
    known = 0 if p.provenance is None else p.provenance.attributes
    once = p.fold is not None and p.n_train is not None and p.repeats == 1
    return once and not p.in_time and known * ENOUGH_A_PIECE > p.cases


def _sizes(p: Predictions) -> str:
    attributes = 0 if p.provenance is None else p.provenance.attributes
    return f"{count(p.cases, 'case')} for {count(attributes, 'attribute')}"


def _cure(p: Predictions) -> dict[str, str]:
    """Return the resampling that shows it, and what it takes."""
    k = min(max(len(set([] if p.fold is None else p.fold.tolist())), LEAST), MOST)
    return price.nested(p, k, REPEATS)
