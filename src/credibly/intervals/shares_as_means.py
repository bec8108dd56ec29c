"""Limits for a proportion that is taken for a mean of zeros and ones: in text books, to be compared with."""

from __future__ import annotations

import math

from credibly.intervals.proportions import proportion_method
from credibly.intervals.quantiles import normal_quantile
from credibly.intervals.student import two_sided


@proportion_method(
    "Wald, continuity corrected",
    few=False,
    cite="Newcombe, R. G. (1998) Two-sided confidence intervals for the single proportion: "
    "comparison of seven methods. Statistics in Medicine 17, 857-872 (method 2).",
)
def wald_corrected(part: float, whole: float, confidence_level: float) -> tuple[float, float]:
    r"""Move Wald's limits out by half a case: less narrow, and still too narrow near 0 and 1.

    $x/n \pm (z\sqrt{(x/n)(1 - x/n)/n} + 1/(2n))$.

    >>> limits = wald_corrected(75, 100)
    >>> round(limits.low, 4), round(limits.high, 4)
    (0.6601, 0.8399)
    """
    z = normal_quantile(1 - confidence_level, tails=2)
    return _around(part, whole, z / math.sqrt(whole), 0.5 / whole)


@proportion_method(
    "Student",
    aliases=("student_t",),
    few=False,
    cite="Student (1908) The probable error of a mean. Biometrika 6, 1-25.",
)
def student(part: float, whole: float, confidence_level: float) -> tuple[float, float]:
    r"""Estimate the variance of zeros and ones, and allow for that: Student's limits of their mean.

    $x/n \pm t_{n-1}\sqrt{(x/n)(1 - x/n)/(n - 1)}$. Zeros and ones are not normal, so that it covers
    as seldom as Wald's near 0 and 1; where cases are many it is the same. Of one case it knows nothing.

    >>> limits = student(75, 100)
    >>> round(limits.low, 4), round(limits.high, 4)
    (0.6636, 0.8364)
    """
    if whole <= 1:
        return 0.0, 1.0
    return _around(part, whole, two_sided(confidence_level, whole - 1) / math.sqrt(whole - 1), 0.0)


def _around(part: float, whole: float, errors: float, more: float) -> tuple[float, float]:
    share = part / whole
    half = errors * math.sqrt(share * ((whole - part) / whole)) + more
    return share - half, share + half
