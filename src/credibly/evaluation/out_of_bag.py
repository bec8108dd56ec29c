"""The standard error of an out-of-bag estimate, after Efron and Tibshirani (1997), sections 5 and 6."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import Floats
from credibly.intervals._declare import RefusalError
from credibly.intervals.generalization import wide_limits
from credibly.intervals.influence import influence, standard_error
from credibly.intervals.methods import interval_for
from credibly.predictions.labels import distinct
from credibly.predictions.parts import ALL_CASES, as_given

if TYPE_CHECKING:
    from credibly.intervals._declare import EstimateRequest
    from credibly.predictions import Predictions
    from credibly.results.interval import Interval

ENOUGH = 10  # replicates, below which covariances over them say nothing


def out_of_bag_interval(q: EstimateRequest) -> tuple[Interval | None, str]:
    """Return the interval of an out-of-bag estimate, about models of bootstrap samples, or why there is none.

    Where replicates draw groups, or a measure has no influence values, it is the one over cases.
    """
    p = q.predictions.of_weight()
    values = None if p.group is not None or p.in_time else influence(q.measure, p, q.average)
    if values is not None:
        plain, _ = standard_error(values, p, by_class=q.measure.stratified)
        parts = _replicates(p, values)
        more = adjusted_variance(*parts) if len(parts[0]) >= ENOUGH else 0.0
        error = max(plain, math.sqrt(max(more, 0.0)))
        try:
            cases = len(distinct(p.need("row", "a bootstrap")).values)
            return wide_limits(q, error, cases - 1, "Efron-Tibshirani", "samples"), ""
        except RefusalError as refusal:
            return None, refusal.args[0]
    found, why = interval_for(replace(q, predictions=p))
    return (None if found is None else replace(found, about="samples")), why


def _replicates(p: Predictions, values: Floats) -> tuple[Floats, Floats, Floats]:
    """Return what each case adds in each replicate, whether it is out of the sample, and how often in it."""
    seen = p.seen.take(p.seen.need("repeat", "a bootstrap") != ALL_CASES)  # type: ignore[union-attr]
    drawn = distinct(np.concatenate([p.need("repeat", "one"), seen.need("repeat", "one")])).codes
    named = distinct(np.concatenate([p.need("row", "one"), seen.need("row", "one")])).codes
    shape = int(drawn.max()) + 1, int(named.max()) + 1
    weight = np.ones(shape[1])
    weight[named[: p.n]] = as_given(p).weights
    moved, out, times = (np.zeros(shape) for _ in range(3))
    moved[drawn[: p.n], named[: p.n]] = values * weight[named[: p.n]] * shape[1]
    out[drawn[: p.n], named[: p.n]] = 1
    times[drawn[p.n :], named[p.n :]] = seen.weights / weight[named[p.n :]]
    return moved, out, times


def adjusted_variance(moved: Floats, out: Floats, times: Floats) -> float:
    r"""Return the variance by the delta method after the bootstrap, less that of the replicates themselves.

    ``moved`` are losses, ``out`` says by 1 which cases are out of a sample and ``times`` how often they are
    in it: a row for each replicate. The influence of a case is $(2 + 1/(n - 1))(E_i - \bar E)/n$, with $E_i$
    its mean loss out of bag, and $(1 - 1/n)^{-n}$ times the covariance over replicates of how often it is
    drawn with the error of the replicate. Squared and summed they give the variance (their eq. 35 to 40). With few
    replicates most of that is noise: its jackknife variance over replicates is taken off (eq. 42 and 43).
    """
    replicates, n = moved.shape
    both, error = moved * out, (moved * out).mean(axis=1)
    often, total = out.sum(axis=0), both.sum(axis=0)
    share = (1 - 1 / n) ** -n

    def influence_of(mean: Floats, covariance: Floats) -> Floats:
        centred = mean - mean.mean(axis=-1, keepdims=True)
        return (2 + 1 / (n - 1)) * centred / n + share * covariance

    sums, products = times.sum(axis=0), times.T @ error
    whole = influence_of(
        total / np.maximum(often, 1), (products - sums * error.mean()) / (replicates - 1)
    )
    rest = error.sum() - error
    without = (
        products - times * error[:, None] - (sums - times) * rest[:, None] / (replicates - 1)
    ) / (replicates - 2)
    left = influence_of((total - both) / np.maximum(often - out, 1), without)
    inner = (replicates - 1) / replicates * np.square(left - left.mean(axis=0)).sum()
    return float(np.square(whole).sum() - inner)
