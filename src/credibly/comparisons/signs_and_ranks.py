"""Comparisons of pairs by signs and ranks, which do not ask how large a difference is or how it spreads."""

from __future__ import annotations

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.names import Names
from credibly.comparisons._declare import Outcome, TestRequest, comparison, unvaried
from credibly.comparisons.evidence import PairedValues
from credibly.comparisons.over_folds import INDEPENDENT, cautions
from credibly.comparisons.signed_ranks import (
    MAX_EXACT_PAIRS,
    Method,
    Zeros,
    median_limits,
    rank_sum_distribution,
    sign_tails,
    signed_rank_tails,
    signed_ranks,
    walsh_averages,
    without_rounding,
)

WILCOXON = "Wilcoxon, F. (1945) Individual comparisons by ranking methods. Biometrics Bulletin 1, 80-83. Zeros: Pratt, J. W. (1959) JASA 54, 655-667; Demsar, J. (2006) Journal of Machine Learning Research 7, 1-30."
SIGN = "Dixon, W. J. & Mood, A. M. (1946) The statistical sign test. JASA 41, 557-566."
MEDIAN = "median of the differences"
TOO_FEW = "there are too few pairs for limits at this level"


@comparison(
    "Wilcoxon signed-rank",
    null="differences are symmetric around zero",
    cite=WILCOXON,
    assumptions={**INDEPENDENT, "symmetric": "differences are spread symmetrically"},
    aliases=Names("signed_rank", texts="Wilcoxon signed-rank test", scipy="wilcoxon"),
)
def wilcoxon(
    e: PairedValues,
    request: TestRequest,
    *,
    zeros: Zeros = "drop",
    method: Method = "auto",
    continuity: bool = True,
) -> Outcome:
    """Sum of the ranks of positive differences: what Demsar recommends for two schemes over datasets.

    Its distribution is the exact one of these ranks, so that ties and zeros need no approximation.
    From 501 pairs on, or with ``method="normal"``, it is the normal one, with ties allowed for and,
    unless ``continuity=False``, continuity. Zero differences are dropped, or with ``zeros="pratt"``
    ranked first and dropped then, or with ``zeros="split"`` counted half for either, as Demsar has it.
    The difference is Hodges and Lehmann's: the median of the means of all pairs of differences.

    >>> pairs = PairedValues([78, 24, 64, 45, 64, 52, 30, 50], [78, 24, 62, 48, 68, 56, 25, 44])
    >>> result = wilcoxon(pairs)
    >>> result.statistic, result.pvalue, wilcoxon(pairs, zeros="pratt").pvalue
    (12.0, 0.78125, 0.875)
    >>> round(wilcoxon(pairs, zeros="split", method="normal", continuity=False).pvalue, 6)
    0.833232
    """
    differences = without_rounding(e.a, e.b + request.shift)
    if not differences.any():
        return unvaried(request)
    ranks, positive = signed_ranks(differences, zeros)
    total, tails, how = signed_rank_tails(ranks, positive, method, continuity=continuity)
    centre, limits, why = _around_median(e.differences, request.confidence_level)
    return Outcome(
        total,
        tails.pvalue(request.alternative),
        centre,
        limits,
        "Hodges-Lehmann",
        why,
        parameters={"distribution": how, "ranked": ranks.size},
        effect_sizes={"rank-biserial correlation": 2 * total / float(ranks.sum()) - 1},
        estimator="median of the means of pairs of differences"
        if e.a.size <= MAX_EXACT_PAIRS
        else MEDIAN,
        findings=cautions(e),
    )


@comparison("Sign test", null="each is higher equally often", cite=SIGN, assumptions=INDEPENDENT)
def sign_test(e: PairedValues, request: TestRequest) -> Outcome:
    """Exact binomial test of how often the first is higher than the second; ties are left out.

    >>> result = sign_test(PairedValues([9, 8, 7, 6, 5, 4], [1, 2, 3, 4, 5, 3]))
    >>> result.statistic, result.pvalue, result.difference
    (5.0, 0.0625, 3.0)
    """
    differences = without_rounding(e.a, e.b + request.shift)
    wins, losses, n = int((differences > 0).sum()), int((differences < 0).sum()), e.a.size
    ties = n - wins - losses
    if ties == n:
        return unvaried(request)
    tails = sign_tails(wins, wins + losses)
    limits, why = _limits(np.sort(e.differences), _binomial(n), request.confidence_level)
    return Outcome(
        float(wins),
        tails.pvalue(request.alternative),
        float(np.median(e.differences)),
        limits,
        "order statistics of the differences",
        why,
        parameters={"wins": wins, "ties": ties, "losses": losses},
        effect_sizes={"share of wins, ties as half": (wins + ties / 2) / n},
        estimator=MEDIAN,
        findings=cautions(e),
    )


def _around_median(
    differences: Floats, confidence_level: float
) -> tuple[float, tuple[float, float] | None, str]:
    """Return Hodges and Lehmann's centre and the limits that go with it."""
    if differences.size > MAX_EXACT_PAIRS:  # all pairs of them would fill the memory
        return float(np.median(differences)), None, f"it is made for up to {MAX_EXACT_PAIRS} pairs"
    means = walsh_averages(differences)
    steps = np.arange(1.0, differences.size + 1)
    counts = rank_sum_distribution(steps)[::2]  # without ties sums are whole
    return float(np.median(means)), *_limits(means, counts, confidence_level)


def _limits(
    ordered: Floats, chances: Floats, confidence_level: float
) -> tuple[tuple[float, float] | None, str]:
    limits = median_limits(ordered, chances, confidence_level)
    return (None, TOO_FEW) if limits is None else (limits, "")


def _binomial(n: int) -> Floats:
    from scipy.special import gammaln

    k = np.arange(n + 1)
    return np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) - n * np.log(2))
