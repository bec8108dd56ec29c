"""Intervals for a proportion: each method declared once."""

from __future__ import annotations

import math

from credibly._core.names import Names
from credibly.intervals.quantiles import normal_quantile, root, two_sided
from credibly.intervals.shares import proportion_method

# --- normal approximations ----------------------------------------------------------------------


@proportion_method(
    "Wilson",
    aliases=Names("score", texts="score interval", scipy="wilson", statsmodels="wilson"),
    added=lambda level: _z(level) ** 2 / 2,
    cite="Wilson, E. B. (1927) Probable inference, the law of succession, and statistical "
    "inference. Journal of the American Statistical Association 22, 209-212.",
)
def wilson(part: float, whole: float, confidence_level: float) -> tuple[float, float]:
    r"""Invert the normal test of every rate: good at any size, and the default.

    The limits solve $(x - n\theta)^2 = z^2 n\theta(1 - \theta)$. Brown, Cai & DasGupta (2001)
    recommend it at any size. ``part`` and ``whole`` need not be whole numbers.

    >>> limits = wilson(75, 100, confidence_level=0.8)
    >>> round(limits.low, 6), round(limits.high, 6)
    (0.69077, 0.801151)
    """
    z = _z(confidence_level)
    return _score_low(part, whole, z), _score_high(part, whole, z)


@proportion_method(
    "Wilson, continuity corrected",
    aliases=Names("score_corrected", scipy="wilsoncc"),
    cite="Newcombe, R. G. (1998) Two-sided confidence intervals for the single proportion: "
    "comparison of seven methods. Statistics in Medicine 17, 857-872 (method 4).",
)
def wilson_corrected(part: float, whole: float, confidence_level: float) -> tuple[float, float]:
    """Move Wilson's limits out by half a case, which covers nearly as surely as the exact method.

    The correction is made at every part. R's ``prop.test`` ties it to the null hypothesis of one
    half: at ``part = whole / 2`` it drops it and returns the plain Wilson interval.

    >>> limits = wilson_corrected(5, 10)
    >>> round(limits.low, 4), round(limits.high, 4)
    (0.2014, 0.7986)
    """
    z = _z(confidence_level)
    return _score_low(part - 0.5, whole, z), _score_high(part + 0.5, whole, z)


@proportion_method(
    "Wald",
    aliases=Names(texts="normal approximation", statsmodels="normal"),
    few=False,
    cite="Brown, L. D., Cai, T. T. & DasGupta, A. (2001) Interval estimation for a binomial "
    "proportion. Statistical Science 16, 101-133.",
)
def wald(part: float, whole: float, confidence_level: float) -> tuple[float, float]:
    r"""Add and subtract z standard errors: in every textbook, and too narrow.

    $x/n \pm z\sqrt{(x/n)(1 - x/n)/n}$. Of ten cases, what is called 95 % covers 76.9 % on average
    over all rates, and the interval at 0 or at 1 has no width. It serves for comparison.

    >>> limits = wald(10, 10)
    >>> limits.low, limits.high
    (1.0, 1.0)
    """
    return _around(part, whole, _z(confidence_level))


@proportion_method(
    "Agresti-Coull",
    added=lambda level: _z(level) ** 2 / 2,
    cite="Agresti, A. & Coull, B. A. (1998) Approximate is better than 'exact' for interval "
    "estimation of binomial proportions. The American Statistician 52, 119-126.",
    aliases=Names(statsmodels="agresti_coull"),
)
def agresti_coull(part: float, whole: float, confidence_level: float) -> tuple[float, float]:
    r"""Add $z^2$ cases, half of them to the part, then take Wald's limits.

    Its centre is Wilson's; it is never narrower. Limits beyond 0 or 1 are cut off, which R's do not.

    >>> limits = agresti_coull(75, 100)
    >>> round(limits.low, 4), round(limits.high, 4)
    (0.6565, 0.825)
    """
    z = _z(confidence_level)
    return _around(part + z * z / 2, whole + z * z, z)


@proportion_method(
    "Plus four",
    added=lambda _: 2.0,
    cite="Agresti, A. & Coull, B. A. (1998) Approximate is better than 'exact' for interval "
    "estimation of binomial proportions. The American Statistician 52, 119-126.",
)
def plus_four(part: float, whole: float, confidence_level: float) -> tuple[float, float]:
    """Add two cases to the part and two to the rest, then take Wald's limits.

    This is Agresti-Coull with z rounded to 2, and so made for a level of 95 %.

    >>> limits = plus_four(75, 100)
    >>> round((limits.low + limits.high) / 2, 6), round(77 / 104, 6)
    (0.740385, 0.740385)
    """
    return _around(part + 2, whole + 4, _z(confidence_level))


@proportion_method(
    "Arcsine",
    aliases=("anscombe",),
    added=lambda _: 0.375,
    cite="Anscombe, F. J. (1948) The transformation of Poisson, binomial and negative-binomial "
    "data. Biometrika 35, 246-254.",
)
def arcsine(part: float, whole: float, confidence_level: float) -> tuple[float, float]:
    r"""Add and subtract on the scale of the angle, on which the variance hardly depends on the rate.

    $\sin^2(\arcsin\sqrt{(x + 3/8)/(n + 3/4)} \pm z/(2\sqrt n))$, where angles end at 0 and a right
    angle. R's DescTools has the same.

    >>> limits = arcsine(75, 100)
    >>> round(limits.low, 4), round(limits.high, 4)
    (0.6589, 0.8279)
    """
    angle = math.asin(math.sqrt((part + 0.375) / (whole + 0.75)))
    half = _z(confidence_level) / (2 * math.sqrt(whole))
    low, high = max(angle - half, 0.0), min(angle + half, math.pi / 2)
    return math.sin(low) ** 2, math.sin(high) ** 2


@proportion_method(
    "Logit",
    cite="Brown, L. D., Cai, T. T. & DasGupta, A. (2001) Interval estimation for a binomial "
    "proportion. Statistical Science 16, 101-133.",
)
def logit(part: float, whole: float, confidence_level: float) -> tuple[float, float]:
    r"""Add and subtract on the log odds, whose limits are carried back to rates.

    $\ln(x/(n - x)) \pm z\sqrt{n/(x(n - x))}$. At 0 and at n there are no log odds: one limit is the
    end itself and the other Clopper-Pearson's, as in R's binom.

    >>> limits = logit(75, 100)
    >>> round(limits.low, 4), round(limits.high, 4)
    (0.6561, 0.8251)
    """
    rest = whole - part
    if part <= 0 or rest <= 0:
        beyond = -math.expm1(math.log((1 - confidence_level) / 2) / whole)
        return (0.0, beyond) if part <= 0 else (1 - beyond, 1.0)
    half = _z(confidence_level) * math.sqrt(1 / part + 1 / rest)
    factor = math.exp(min(half, 700.0))
    return part / (part + rest * factor), part * factor / (part * factor + rest)


def _z(confidence_level: float) -> float:
    return normal_quantile(1 - confidence_level, tails=2)


def _score_low(part: float, whole: float, z: float) -> float:
    """The lower root of the score equation, written so that nothing cancels."""
    if part <= 0:
        return 0.0
    spread = z * math.sqrt(z * z + 4 * part * (whole - part) / whole)
    return 2 * part * (part / whole) / (2 * part + z * z + spread)


def _score_high(part: float, whole: float, z: float) -> float:
    if part >= whole:
        return 1.0
    spread = z * math.sqrt(z * z + 4 * part * (whole - part) / whole)
    return (2 * part + z * z + spread) / (2 * (whole + z * z))


def _around(part: float, whole: float, z: float, more: float = 0.0) -> tuple[float, float]:
    share = part / whole
    half = z * math.sqrt(share * ((whole - part) / whole) / whole) + more
    return share - half, share + half


# --- binomial and beta distributions ------------------------------------------------------------


@proportion_method(
    "Clopper-Pearson",
    aliases=Names(scipy="exact", statsmodels="beta"),
    fractions="effective",
    cite="Clopper, C. & Pearson, E. S. (1934) The use of confidence or fiducial limits "
    "illustrated in the case of the binomial. Biometrika 26, 404-413.",
)
def clopper_pearson(part: float, whole: float, confidence_level: float) -> tuple[float, float]:
    r"""Invert the exact binomial test of either tail: covers at least as often as it says.

    The limits are quantiles of $\mathrm{Beta}(x, n - x + 1)$ and $\mathrm{Beta}(x + 1, n - x)$,
    with 0 at x = 0 and 1 at x = n. Under an effective size, x and n need not be whole in them
    (Korn & Graubard 1998).

    >>> limits = clopper_pearson(0, 10)
    >>> limits.low, round(limits.high, 6)
    (0.0, 0.308497)
    """
    tail = (1 - confidence_level) / 2
    low = _lower_quantile(part, whole - part + 1, tail) if part > 0 else 0.0
    high = _upper_quantile(part + 1, whole - part, tail) if part < whole else 1.0
    return low, high


@proportion_method(
    "Jeffreys",
    added=lambda _: 0.5,
    fractions="effective",
    cite="Brown, L. D., Cai, T. T. & DasGupta, A. (2001) Interval estimation for a binomial "
    "proportion. Statistical Science 16, 101-133.",
    aliases=Names(statsmodels="jeffreys"),
)
def jeffreys(part: float, whole: float, confidence_level: float) -> tuple[float, float]:
    r"""Take quantiles of the posterior under Jeffreys' prior, $\mathrm{Beta}(x + 1/2, n - x + 1/2)$.

    At x = 0 the lower limit is 0 and at x = n the upper limit is 1, the other one staying as it is
    (Brown, Cai & DasGupta 2001, section 3.1.1); otherwise no rate near the end would be covered.
    R's binom and DescTools do so too; statsmodels does not. The other modification of that paper,
    of the limits next to the ends, is not made.

    >>> limits = jeffreys(0, 10)
    >>> limits.low, round(limits.high, 6)
    (0.0, 0.217196)
    """
    tail = (1 - confidence_level) / 2
    a, b = part + 0.5, whole - part + 0.5
    low = _lower_quantile(a, b, tail) if part > 0 else 0.0
    high = _upper_quantile(a, b, tail) if part < whole else 1.0
    return low, high


@proportion_method(
    "Mid-p",
    aliases=("midp",),
    fractions="never",
    cite="Berry, G. & Armitage, P. (1995) Mid-P confidence intervals: a brief review. "
    "The Statistician 44, 417-423.",
)
def mid_p(part: float, whole: float, confidence_level: float) -> tuple[float, float]:
    r"""Invert the exact binomial test that counts the observed part half: close to the level on average.

    $P(X > x) + P(X = x)/2 = \alpha/2$ at the lower limit, by bisection to the last digit.

    >>> limits = mid_p(9, 10)
    >>> round(limits.low, 4), round(limits.high, 4)
    (0.5965, 0.995)
    """
    from scipy.special import betainc, betaincc

    tail = (1 - confidence_level) / 2
    share = part / whole

    def at_least(count: float, rate: float) -> float:
        return betainc(count, whole - count + 1, rate) if count < whole + 1 else 0.0

    def below(count: float, rate: float) -> float:
        return betaincc(count, whole - count + 1, rate) if count > 0 else 0.0

    def beyond_low(rate: float) -> float:
        return (at_least(part, rate) + at_least(part + 1, rate)) / 2 - tail

    def beyond_high(rate: float) -> float:
        return tail - (below(part, rate) + below(part + 1, rate)) / 2

    low = root(beyond_low, 0.0, share) if part > 0 else 0.0
    high = root(beyond_high, share, 1.0) if part < whole else 1.0
    return low, high


# --- a proportion taken for a mean of zeros and ones: in text books, to be compared with ------------


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
    return _around(part, whole, _z(confidence_level), 0.5 / whole)


@proportion_method(
    "Student",
    aliases=("student_t",),
    few=False,
    cite="Student (1908) The probable error of a mean. Biometrika 6, 1-25.",
)
def student(part: float, whole: float, confidence_level: float) -> tuple[float, float]:
    r"""Estimate the variance of zeros and ones, and allow for that: Student's limits of their mean.

    $x/n \pm t_{n-1}\sqrt{(x/n)(1 - x/n)/(n - 1)}$. Zeros and ones are not normal, so that it covers
    as seldom as Wald's near 0 and 1; where cases are many it is the same. One case has no interval.

    >>> limits = student(75, 100)
    >>> round(limits.low, 4), round(limits.high, 4)
    (0.6636, 0.8364)
    """
    if whole <= 1:
        return 0.0, 1.0
    t = two_sided(confidence_level, whole - 1)
    return _around(part, whole, t * math.sqrt(whole / (whole - 1)))


def _lower_quantile(a: float, b: float, tail: float) -> float:
    """The value below which a beta distribution has this probability.

    Boost's inverse, which scipy uses, is now and then far off: for a = 1000 and b = 1e9 by a factor
    of two (scipy 1.17). Its distribution function is right there, so the one checks the other.
    """
    from scipy.special import betainc, betaincinv

    value = float(betaincinv(a, b, tail))
    if abs(betainc(a, b, value) / tail - 1) < 1e-4:
        return value
    return root(lambda rate: betainc(a, b, rate) - tail, 0.0, 1.0)


def _upper_quantile(a: float, b: float, tail: float) -> float:
    """The value above which a beta distribution has this probability; as exact near 0 as near 1."""
    from scipy.special import betaincc, betainccinv

    value = float(betainccinv(a, b, tail))
    if abs(betaincc(a, b, value) / tail - 1) < 1e-4:
        return value
    return root(lambda rate: tail - betaincc(a, b, rate), 0.0, 1.0)
