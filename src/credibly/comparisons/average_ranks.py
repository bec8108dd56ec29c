"""Statistics of ranks within datasets: Friedman, Iman-Davenport, Quade, and the critical differences."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from credibly._core.arrays import ROUNDING, Floats
from credibly._kernels.placements import midranks
from credibly.comparisons.signed_ranks import without_rounding
from credibly.intervals.quantiles import chi_square_tail, normal_quantile, root

Ties = Literal["corrected", "ignored"]

# Nodes of Gauss and Legendre for the range of normal numbers, over what a double can tell from none.
QUADRATURE_NODES, QUADRATURE_REACH = 400, 10.0


class RankStatistic(NamedTuple):
    """A statistic of ranks, its degrees of freedom and its p-value."""

    statistic: float
    dof: tuple[float, ...]
    pvalue: float


def ranks_within(table: Floats, *, higher_is_better: bool) -> Floats:
    """Rank the schemes (columns) within each dataset (row): 1 is the best, ties share the middle.

    Values that differ by rounding alone are tied: means over the same folds in another order.

    >>> ranks_within(np.array([[0.9, 0.8, 0.3 * 3]]), higher_is_better=True).tolist()
    [[1.5, 3.0, 1.5]]
    """
    signed = -table if higher_is_better else table
    return np.array([midranks(_steps(row)) for row in signed])


def _steps(values: Floats) -> Floats:
    """Number values in their order, those that differ by rounding alone alike."""
    order = np.argsort(values, kind="stable")
    apart = np.diff(values[order]) > ROUNDING * np.abs(values).max(initial=0.0)
    steps = np.empty(len(values))
    steps[order] = np.concatenate([[0], np.cumsum(apart)])[: len(values)]
    return steps


def friedman_statistic(ranks: Floats, ties: Ties = "corrected") -> RankStatistic:
    r"""Chi-square of the rank sums; ``ties="ignored"`` divides by the variance of ranks without ties."""
    n, k = ranks.shape
    between = float(np.square(ranks.sum(axis=0) - n * (k + 1) / 2).sum())
    spread = float(np.square(ranks - (k + 1) / 2).sum()) if ties == "corrected" else _untied(n, k)
    statistic = (k - 1) * between / spread if between > 0 else 0.0
    return RankStatistic(statistic, (k - 1.0,), chi_square_tail(statistic, k - 1))


def iman_davenport_statistic(ranks: Floats, ties: Ties = "corrected") -> RankStatistic:
    """F of the rank sums: less conservative than chi-square where there are few datasets."""
    n, k = ranks.shape
    chi_square = friedman_statistic(ranks, ties).statistic
    return _f_statistic((n - 1) * chi_square, n * (k - 1) - chi_square, ranks)


def quade_statistic(table: Floats, ranks: Floats) -> RankStatistic:
    """F of ranks weighted by the rank of a dataset's range: datasets that distinguish schemes count more."""
    n, k = ranks.shape
    weights = midranks(without_rounding(table.max(axis=1), table.min(axis=1)))
    scores = weights[:, None] * (ranks - (k + 1) / 2)
    total = float(np.square(scores).sum())
    between = float(np.square(scores.sum(axis=0)).sum()) / n
    return _f_statistic((n - 1) * between, total - between, ranks)


def _untied(n: int, k: int) -> float:
    return n * k * (k * k - 1) / 12


def _f_statistic(between: float, within: float, ranks: Floats) -> RankStatistic:
    """Return F and its p-value; where all datasets rank alike F is infinite and the chance of it known."""
    from scipy.special import fdtrc

    n, k = ranks.shape
    dof = (k - 1.0, (k - 1.0) * (n - 1))
    if between <= 0:
        return RankStatistic(0.0, dof, 1.0)
    if within <= 1e-12 * between:  # Conover (1999), p. 375
        return RankStatistic(math.inf, dof, math.exp((1 - n) * _log_orders(ranks[0])))
    statistic = between / within
    return RankStatistic(statistic, dof, float(fdtrc(*dof, statistic)))


def _log_orders(ranks: Floats) -> float:
    """Return the logarithm of the number of orders in which ranks can stand; tied ones are alike.

    >>> [round(math.exp(_log_orders(np.array(r)))) for r in ([1, 2, 3], [1, 2.5, 2.5])]
    [6, 3]
    """
    _, tied = np.unique(ranks, return_counts=True)
    return math.lgamma(ranks.size + 1) - sum(math.lgamma(t + 1) for t in tied)


def rank_standard_error(n: int, k: int) -> float:
    """Return the standard error of the difference of two average ranks when all schemes are alike."""
    return math.sqrt(k * (k + 1) / (6 * n))


def nemenyi_difference(n: int, k: int, alpha: float = 0.05) -> float:
    """Return how far average ranks must lie apart when all pairs of schemes are compared.

    >>> round(nemenyi_difference(14, 4), 4)
    1.2536
    """
    return range_quantile(alpha, k) / math.sqrt(2) * rank_standard_error(n, k)


def bonferroni_dunn_difference(n: int, k: int, alpha: float = 0.05) -> float:
    """Return how far average ranks must lie apart when all schemes are compared with one.

    >>> round(bonferroni_dunn_difference(14, 4), 4)
    1.1681
    """
    return normal_quantile(alpha / (k - 1), tails=2) * rank_standard_error(n, k)


@lru_cache(maxsize=256)
def range_quantile(tail: float, k: int) -> float:
    """Return the value that the range of ``k`` standard normal numbers exceeds with probability ``tail``.

    >>> round(range_quantile(0.05, 2) / 2**0.5, 6)  # of two, it is the size of one difference
    1.959964
    """
    low, high = 0.0, 1.0
    while range_tail(high, k) > tail:
        low, high = high, 2 * high
    return root(lambda value: tail - range_tail(value, k), low, high)


def range_tail(value: float, k: int) -> float:
    """Return the probability that the range of ``k`` standard normal numbers exceeds ``value``.

    If the smallest is z, all others lie within ``value`` above it with probability (x - y)^(k - 1), of
    x^(k - 1) that they lie above z at all. Summing the differences keeps the digits of a small tail.
    """
    from scipy.special import ndtr

    nodes, weights = _nodes()
    x, y = ndtr(-nodes), ndtr(-nodes - value)
    beyond = x ** (k - 1) * -np.expm1((k - 1) * np.log1p(-np.minimum(y / x, 1 - 1e-16)))
    density = np.exp(-nodes * nodes / 2) / math.sqrt(2 * math.pi)
    return float(min(1.0, k * (weights * density * beyond).sum()))


@lru_cache(maxsize=1)
def _nodes() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(QUADRATURE_NODES)
    return QUADRATURE_REACH * nodes, QUADRATURE_REACH * weights
