"""Intervals of cases in few groups: how a measure moves when a whole group is left out."""

from __future__ import annotations

import math

import numpy as np

from credibly.errors import says
from credibly.intervals._declare import (
    CASES_ALIKE,
    EstimateRequest,
    RefusalError,
    interval_method,
)
from credibly.intervals.quantiles import two_sided
from credibly.intervals.standard_errors import on_scale, refuse_repeats
from credibly.predictions.labels import distinct
from credibly.results.interval import Interval

CLUSTERS = "MacKinnon, J. G., Nielsen, M. O. & Webb, M. D. (2023) Fast and reliable jackknife and bootstrap methods for cluster-robust inference. Journal of Applied Econometrics 38, 671-694."
MAX_GROUPS = 2000  # with more, influence values give the same


@interval_method("Jackknife over groups", cite=CLUSTERS)
def jackknife(q: EstimateRequest) -> Interval:
    r"""Student's interval from the values without each of the groups, with one degree of freedom less than groups.

    $\frac{G - 1}{G} \sum_g (\hat\theta_{-g} - \hat\theta)^2$. With few groups influence values see too
    little of how far a whole group moves a measure; this computes it.
    """
    p, m = q.predictions.of_weight(), q.measure
    refuse_repeats(p)
    if p.clusters is None or p.in_time:
        raise RefusalError(
            says("it leaves out whole groups of cases (<group=...>), and there are none")
        )
    codes = distinct(p.clusters).codes
    groups = int(codes.max()) + 1
    if not 1 < groups <= MAX_GROUPS:
        raise RefusalError(
            says(
                f"it is for 2 to {MAX_GROUPS} groups, and there are {groups}; use <interval='influence'>"
            )
        )
    without = np.array([m.on(p.take(codes != g), q.average) for g in range(groups)])
    if not np.isfinite(without).all():
        raise RefusalError("it is undefined without some group")
    error = math.sqrt((groups - 1) / groups) * math.hypot(*(without - q.value))
    low, high = m.range
    if not q.varies(error):
        raise RefusalError(CASES_ALIKE)
    ends = on_scale(q.value, error * two_sided(q.confidence_level, groups - 1), low, high)
    return Interval(
        *ends,
        q.confidence_level,
        f"jackknife, {groups} {p.cluster_name}",
        standard_error=error,
        degrees_of_freedom=groups - 1,
    )
