r"""Limits of a mean difference that hold however often they are looked at, and whenever that ends.

Of differences between two ends they are found by betting (Waudby-Smith & Ramdas 2024). Whoever stakes a
share of what he has on each case to show that the mean is above a value cannot expect to gain if it is not:
$K_t = \prod (1 + \lambda (d_i - m))$ exceeds $1/\alpha$ at any time with a probability of at most $\alpha$
(Ville). Several shares are staked side by side, each a half of the one before; their mean is as good as the
best of them except for the number of shares. Values of the mean for which it never gets so far are the limits.

Of smooth measures between two ends that are no means over cases, such as an area, the limits hold for many cases
(Waudby-Smith et al. 2024): the normal quantile becomes Robbins' mixture boundary. Differences without ends have none: a
loss that is rare and large is not seen for a long time, and then every limit that was made without it is wrong.

Waudby-Smith, I. & Ramdas, A. (2024) Estimating means of bounded random variables by betting. JRSS B 86, 1-27;
Waudby-Smith, I., Arbour, D., Sinha, R., Kennedy, E. H. & Ramdas, A. (2024) Time-uniform central limit theory
and asymptotic confidence sequences. Annals of Statistics 52, 2613-2640.
"""

from __future__ import annotations

import math

import numpy as np

from credibly._core.arrays import Floats
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct

STAKE_COUNT = 10  # each a half of the one before
MAX_HALVINGS = 50  # of the range in which a limit is sought
TUNED_CASES = 1000  # cases at which the mixture boundary is lowest, beside others
MIN_CASES = 50  # cases before which a boundary that holds for many is not looked at
# Nor while the variance is so poorly known. Simulated: 2 % false passes of normal differences, up to 5 % of exponential
# and lognormal ones, which were 6 and 12 % without it.
MAX_FREEDOM = 80


def in_units(values: Floats, p: Predictions) -> tuple[Floats, Floats]:
    """Sum weighted values, and weights, of what is independent: cases or groups, in the order in which they come.

    A row that counts several cases is as many.

    >>> p = Predictions.of(outcome=[1, 0, 1, 1], group=["b", "b", "a", "b"])
    >>> in_units(p.outcome, p)
    (array([2., 1.]), array([3., 1.]))
    """
    weight = p.weights
    if p.clusters is None and p.weight_kind == "frequency":
        cases = np.repeat(values, np.rint(weight).astype(np.int64))
        return cases, np.ones(cases.size)
    if p.clusters is None:
        return values * weight, weight
    code = distinct(p.clusters).codes
    _, first = np.unique(code, return_index=True)
    place = np.empty(first.size, np.intp)
    place[np.argsort(first)] = np.arange(first.size)
    unit = place[code]
    sums, sizes = (np.bincount(unit, each) for each in (values * weight, weight))
    return sums.astype(np.float64), sizes.astype(np.float64)


def betting_limits(
    sums: Floats, sizes: Floats, ends: tuple[float, float], alpha: float
) -> tuple[float, float]:
    """Return a lower and an upper limit of the mean, each of which fails at some time with the probability ``alpha``.

    >>> gain = np.array([1.0, 0, 0, 1, 1, 0, 1, 1, 1, 0] * 20)
    >>> low, high = betting_limits(gain, np.ones(200), (-1, 1), 0.05)
    >>> round(low, 3), round(high, 3)
    (0.492, 0.702)
    """
    low = _lower(sums, sizes, ends, alpha)
    high = -_lower(-sums, sizes, (-ends[1], -ends[0]), alpha)
    return low, high


def _lower(sums: Floats, sizes: Floats, ends: tuple[float, float], alpha: float) -> float:
    """Return the largest value that some bettor has shown the mean to exceed; it falls as the value rises."""
    least, most = ends
    largest = (most - least) * float(sizes.max(initial=0.0))
    if not largest:
        return least
    stakes = 2.0 ** -np.arange(STAKE_COUNT) / largest

    def shown(value: float) -> bool:
        with np.errstate(divide="ignore"):
            logs = np.array(
                [np.cumsum(np.log1p(stake * (sums - value * sizes))) for stake in stakes]
            )
        top = logs.max(axis=0)
        wealth = top + np.log(np.exp(logs - top).mean(axis=0))
        return bool((wealth >= -math.log(alpha)).any())

    low, high = least, most
    for _ in range(MAX_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if shown(middle) else (low, middle)
    return low


def mixture_quantile(n: float, alpha: float) -> float:
    r"""Return the number of standard errors of a bound that holds at all times, of many cases.

    $\sqrt{2 \frac{n\rho^2 + 1}{n\rho^2} \ln(1 + \frac{\sqrt{n\rho^2 + 1}}{2\alpha})}$, with $\rho$ such
    that it is lowest at a thousand cases.

    >>> round(mixture_quantile(1000, 0.05), 3), round(mixture_quantile(100, 0.05), 3)
    (2.779, 3.679)
    """
    wide = -2 * math.log(2 * alpha)
    spread = n * (wide + math.log(wide + 1)) / TUNED_CASES
    return math.sqrt(2 * (spread + 1) / spread * math.log(1 + math.sqrt(spread + 1) / (2 * alpha)))
