"""Bayesian comparisons: how probable it is that one scheme is better, or that it makes no difference.

A region of practical equivalence (``rope``) says how small a difference nobody minds. The answer is the
probability of lying below, within and above it, and no p-value.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.parameters import Rule, above, whole
from credibly.comparisons._declare import Outcome, TestRequest, comparison
from credibly.comparisons.evidence import FoldValues, PairedValues
from credibly.comparisons.over_folds import (
    INDEPENDENT,
    NORMAL,
    SAME_SPLITS,
    STABLE,
    cautions,
    corrected_standard_error,
    known_ratio,
    scale_of,
)
from credibly.comparisons.signed_ranks import without_rounding
from credibly.intervals.quantiles import student_quantile, student_tail

CORANI = "Corani, G. & Benavoli, A. (2015) A Bayesian approach for comparing cross-validated algorithms on multiple data sets. Machine Learning 100, 285-304."
BENAVOLI = "Benavoli, A., Mangili, F., Corani, G., Zaffalon, M. & Ruggeri, F. (2014) A Bayesian Wilcoxon signed-rank test based on the Dirichlet process. ICML, 1026-1034."
NOT_NEGATIVE = Rule(
    "a finite number of at least 0",
    lambda v: isinstance(v, int | float) and not isinstance(v, bool) and 0 <= v < math.inf,
    -1,
)
DRAWS_PER_BLOCK = 1000


@comparison(
    "Bayesian correlated t",
    cite=CORANI,
    assumptions={**SAME_SPLITS, **STABLE, **NORMAL},
    bayesian=True,
    constraints={"rope": NOT_NEGATIVE},
)
def bayesian_correlated_t(e: FoldValues, request: TestRequest, *, rope: float = 0.0) -> Outcome:
    """Probability that a scheme is better, from its values over folds that share training cases.

    The mean difference follows Student's t about the one seen, with the standard error of the corrected
    resampled t: under a flat prior, and a correlation of folds equal to the share of cases tested.

    >>> folds = FoldValues([.84, .78, .67, .87, .80], [.88, .97, .74, .80, .87], test_train_ratio=1 / 4)
    >>> chances = bayesian_correlated_t(folds, rope=0.01).probabilities
    >>> {k: round(p, 4) for k, p in chances.items()}
    {'first lower': 0.7667, 'no difference': 0.0716, 'first higher': 0.1617}
    """
    mean, freedom = float(e.differences.mean()), e.n - 1
    error = corrected_standard_error(
        float(np.var(e.differences, ddof=1)), e.n, known_ratio(e, "bayesian_correlated_t")
    )
    if error <= ROUNDING * scale_of(e):
        lower, higher = float(mean < -rope), float(mean > rope)
        half = 0.0
    else:
        lower = student_tail((mean + rope) / error, freedom)
        higher = student_tail((rope - mean) / error, freedom)
        half = error * student_quantile((1 - request.confidence_level) / 2, freedom)
    return _posterior(
        lower,
        higher,
        difference=mean,
        interval=(mean - half, mean + half),
        method="credible, correlated t",
        parameters={"rope": rope, "freedom": freedom},
    )


@comparison(
    "Bayesian signed-rank",
    cite=BENAVOLI,
    assumptions=INDEPENDENT,
    random=True,
    bayesian=True,
    constraints={"rope": NOT_NEGATIVE, "prior": above(0), "draws": whole(100)},
)
def bayesian_signed_rank(
    e: PairedValues,
    request: TestRequest,
    *,
    rope: float = 0.0,
    prior: float = 0.5,
    draws: int = 20_000,
) -> Outcome:
    """Probability that one of two schemes is better on most datasets, by ranks.

    Datasets get random weights (Dirichlet's, with a prior of strength ``prior`` on a dataset without a
    difference). In each of ``draws`` it is seen which is most likely for the mean of two datasets: below
    the region, within it or above it. Needs ``rng``.

    >>> pairs = PairedValues([.84, .78, .67, .87, .80], [.88, .97, .74, .80, .87])
    >>> chances = bayesian_signed_rank(pairs, rope=0.01, rng=1).probabilities
    >>> {k: round(p, 2) for k, p in chances.items()}
    {'first lower': 0.92, 'no difference': 0.01, 'first higher': 0.06}
    """
    rng = np.random.default_rng(request.seed)
    differences = without_rounding(e.a, e.b)
    below, within, over = region_shares(differences, rope, prior, draws, rng)
    most = np.argmax([below, within, over], axis=0)
    lower, higher = float(np.mean(most == 0)), float(np.mean(most == 2))
    return _posterior(
        lower,
        higher,
        difference=float(np.median(differences)),
        why_no_interval="ranks give probabilities alone",
        parameters={"rope": rope, "prior": prior, "draws": draws},
        findings=cautions(e),
    )


def region_shares(
    differences: Floats, rope: float, prior: float, draws: int, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Draw how much weight falls below, within and above the region, among means of two differences.

    In the order of the differences, those whose mean with a given one lies below a bound come first, so
    that sums over all pairs are sums of running totals.
    """
    values = np.append(differences, 0.0)  # the prior's own
    order = np.argsort(values)
    strength = np.append(np.ones(differences.size), prior)[order]
    ordered = values[order]
    upto_low = np.searchsorted(ordered, -2 * rope - ordered, side="left")
    upto_high = np.searchsorted(ordered, 2 * rope - ordered, side="right")
    low, high = np.empty(draws), np.empty(draws)
    for start in range(0, draws, DRAWS_PER_BLOCK):
        weights = rng.dirichlet(strength, min(DRAWS_PER_BLOCK, draws - start))
        running = np.pad(np.cumsum(weights, axis=1), ((0, 0), (1, 0)))
        low[start : start + DRAWS_PER_BLOCK] = (weights * running[:, upto_low]).sum(axis=1)
        high[start : start + DRAWS_PER_BLOCK] = (weights * running[:, upto_high]).sum(axis=1)
    return low, high - low, 1 - high


def _posterior(lower: float, higher: float, **more: Any) -> Outcome:  # noqa: ANN401
    chances = {
        "first lower": lower,
        "no difference": max(0.0, 1 - lower - higher),
        "first higher": higher,
    }
    return Outcome(math.nan, math.nan, probabilities=chances, **more)
