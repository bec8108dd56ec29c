"""The bootstrap of cases in time order: stretches of neighbours are redrawn, not single cases."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from credibly.errors import DataError, says
from credibly.intervals._declare import (
    CASES_ALIKE,
    EstimateRequest,
    RefusalError,
    interval_method,
)
from credibly.intervals.methods import replicates_of
from credibly.intervals.moments import block_length, shortfall
from credibly.intervals.quantiles import two_sided
from credibly.intervals.standard_errors import on_scale, refuse_repeats
from credibly.results.interval import Interval

CIRCULAR = "Politis, D. N. & Romano, J. P. (1992) A circular block-resampling procedure for stationary data. In: LePage, R. & Billard, L. (eds) Exploring the Limits of Bootstrap, 263-270. Wiley."


@interval_method("Block bootstrap", cite=CIRCULAR, random=True)
def block_bootstrap(q: EstimateRequest) -> Interval:
    """Student's interval from the spread of replicates that redraw stretches of time; for every measure.

    Circular blocks, whose length is stated; degrees of freedom are one less than blocks. What blocks of
    that length miss of the long-run variance is added. What chance can only lift, such as KS, is mirrored.
    """
    p, m = q.predictions, q.measure
    refuse_repeats(p)
    if not p.in_time:
        raise RefusalError(
            says(
                "the cases are not known to be in time order (<time=...>); use <interval='bootstrap'>"
            )
        )
    if m.no_bootstrap:
        raise RefusalError(m.no_bootstrap)
    drawn, length = replicates_of(q), block_length(p)
    wider, freedom = shortfall(p, length)
    if freedom < 1:
        raise RefusalError("a single moment shows no variation")
    text = f"block bootstrap, blocks of {length:,} moments, {q.replicates} replicates"
    if m.lifted:
        try:
            mirrored = drawn.interval(m.call, confidence_level=q.confidence_level)
        except DataError:
            raise RefusalError(CASES_ALIKE) from None
        return replace(mirrored, method=text)
    values = drawn.replicates[:, drawn.place_of(m)]
    values = values[np.isfinite(values)]
    error = float(values.std(ddof=1)) if values.size > 1 else 0.0
    low, high = m.range
    if not q.varies(error):
        raise RefusalError(CASES_ALIKE)
    error *= wider
    half = error * two_sided(q.confidence_level, freedom)
    return Interval(
        *on_scale(q.value, half, low, high), q.confidence_level, text, standard_error=error
    )
