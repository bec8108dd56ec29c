"""The interval that was published for estimates from bootstrap samples: on request, and made where these are."""

from __future__ import annotations

from credibly.errors import says
from credibly.intervals._declare import EstimateRequest, RefusalError, interval_method
from credibly.results.interval import Interval

EFRON_1997 = "Efron, B. & Tibshirani, R. (1997) Improvements on cross-validation: the .632+ bootstrap method. JASA 92, 548-560."


@interval_method("Delta method after the bootstrap", cite=EFRON_1997)
def delta_after_bootstrap(q: EstimateRequest) -> Interval:  # noqa: ARG001
    """Normal interval of .632, .632+ and optimism by the influence of each case on all of their parts.

    Out of bag it is Efron and Tibshirani's, less the variance of the replicates themselves; of the
    apparent value it is that with the model as it is; of optimism also how often a case is drawn. It
    misses where training values mislead.
    """
    raise RefusalError(
        says(
            "it is for the bootstrap; use <estimate='oob'>, <estimate='632'>, <estimate='632+'> or "
            "<estimate='optimism'>"
        )
    )
