"""P-values of several comparisons at once, adjusted so that a small one still means something.

Written out: scipy has two of the seven, in a package that takes longer to import than `compare`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly._core.arrays import Floats
from credibly._core.declared import Declarator, DeclaredFunction, Registry
from credibly._core.doors import door
from credibly._core.names import Names
from credibly._core.text import some_rows
from credibly.errors import DataError, ParameterError

Controls = Literal["family", "discoveries"]
CONTROLS = {
    "family": "the probability of even one false alarm among all comparisons",
    "discoveries": "the expected share of false alarms among the comparisons called significant",
}

DUNN = "Dunn, O. J. (1961) Multiple comparisons among means. JASA 56, 52-64."
HOLM = "Holm, S. (1979) A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 65-70."
HOCHBERG = "Hochberg, Y. (1988) A sharper Bonferroni procedure for multiple tests of significance. Biometrika 75, 800-802."
HOMMEL = "Hommel, G. (1988) A stagewise rejective multiple test procedure based on a modified Bonferroni test. Biometrika 75, 383-386."
SHAFFER = "Shaffer, J. P. (1986) Modified sequentially rejective multiple test procedures. JASA 81, 826-831."
BENJAMINI = "Benjamini, Y. & Hochberg, Y. (1995) Controlling the false discovery rate: a practical and powerful approach to multiple testing. Journal of the Royal Statistical Society B 57, 289-300."

YEKUTIELI = "Benjamini, Y. & Yekutieli, D. (2001) The control of the false discovery rate in multiple testing under dependency. Annals of Statistics 29, 1165-1188."


class Adjustment(DeclaredFunction[[Floats], Floats]):
    """A way to adjust sorted p-values; ``controls`` says what it keeps below the level of significance."""

    cite: str
    controls: Controls = "family"


adjustments: Registry[Adjustment] = Registry("adjustment", "credibly.comparisons")
adjustment = Declarator(Adjustment, adjustments)


@door
def adjust(pvalues: ArrayLike, method: str = "holm") -> Floats:
    """Adjust p-values for being several: compare what comes out with the level of significance.

    Parameters
    ----------
    pvalues
        One p-value a comparison, in any order; the adjusted ones come in the same order.
    method
        A name of the registry of adjustments. ``"holm"`` assumes nothing about how the comparisons
        depend on one another; ``"shaffer"`` is for all pairs of some schemes and no other family.

    >>> adjust([0.01, 0.04, 0.03]).round(6).tolist()
    [0.03, 0.06, 0.06]
    >>> adjust([0.01, 0.04, 0.03], "benjamini_hochberg").round(6).tolist()
    [0.03, 0.04, 0.04]
    """
    chosen = adjustments[method]
    p = np.asarray(pvalues, np.float64)
    if p.ndim != 1:
        raise DataError(
            f"pvalues must be one number per comparison; got an array of shape {p.shape}."
        )
    bad = np.flatnonzero(~((p >= 0) & (p <= 1)))
    if bad.size:
        raise DataError(
            f"pvalues must lie between 0 and 1; those in {some_rows(bad.tolist())} do not."
        )
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    if p.size:
        adjusted[order] = np.minimum(chosen(p[order]), 1.0)
    return adjusted


@adjustment("Bonferroni", cite=DUNN)
def bonferroni(p: Floats) -> Floats:
    """Each p-value times the number of comparisons."""
    return p * p.size


@adjustment("Holm", cite=HOLM)
def holm(p: Floats) -> Floats:
    """Step down: the smallest times the number of comparisons, the next times one less, and so on.

    Never weaker than Bonferroni, and valid however the comparisons depend on one another.
    """
    return _step_down(p, np.arange(p.size, 0, -1))


@adjustment("Shaffer, static", cite=SHAFFER)
def shaffer(p: Floats) -> Floats:
    """Holm's for all pairs of schemes, where not every set of hypotheses can be true together.

    If one of the equalities among k schemes is false, then several are; the factor is the largest
    number that can still be true. The p-values must be those of all k(k - 1)/2 pairs.
    """
    schemes = round((1 + (1 + 8 * p.size) ** 0.5) / 2)
    if comb(schemes, 2) != p.size:
        raise ParameterError(
            f"shaffer needs the p-values of all pairs of some schemes: 3, 6, 10 ...; got {p.size}. Use 'holm' for any other family."
        )
    possible = np.array(sorted(possible_equalities(schemes)))
    left = np.arange(p.size, 0, -1)
    return _step_down(p, possible[np.searchsorted(possible, left, side="right") - 1])


@cache
def possible_equalities(schemes: int) -> frozenset[int]:
    """Return how many of the pairs of schemes can be equal at once: a group of j gives j(j - 1)/2.

    >>> sorted(possible_equalities(4))
    [0, 1, 2, 3, 6]
    """
    if schemes < 2:
        return frozenset({0})
    return frozenset(
        comb(j, 2) + rest
        for j in range(1, schemes + 1)
        for rest in possible_equalities(schemes - j)
    )


@adjustment("Hochberg", cite=HOCHBERG, aliases=Names(statsmodels="simes-hochberg"))
def hochberg(p: Floats) -> Floats:
    """Step up with Holm's factors, from the largest; valid for independent or positively dependent tests."""
    return _step_up(p * np.arange(p.size, 0, -1))


@adjustment("Hommel", cite=HOMMEL)
def hommel(p: Floats) -> Floats:
    """The closed test with Simes' inequality: never weaker than Hochberg, under the same conditions."""
    n = p.size
    rank = np.arange(1, n + 1)
    adjusted = np.full(n, np.min(n * p / rank))
    # As Wright (1992) computes it: for every size of an intersection, the least that Simes' test asks.
    for size in range(n - 1, 1, -1):
        first = n - size + 1
        least = np.min(size * p[first:] / rank[1:size])
        bound = np.minimum(size * p[:first], least)
        bound = np.concatenate([bound, np.full(n - first, bound[-1])])
        adjusted = np.maximum(adjusted, bound)
    return np.maximum(adjusted, p)


@adjustment(
    "Benjamini and Hochberg",
    cite=BENJAMINI,
    controls="discoveries",
    aliases=Names("fdr, BH", statsmodels="fdr_bh"),
)
def benjamini_hochberg(p: Floats) -> Floats:
    """Step up with the factor n over rank: on average, at most this share of what is called significant is false."""
    return _step_up(p * p.size / np.arange(1, p.size + 1))


@adjustment(
    "Benjamini and Yekutieli",
    cite=YEKUTIELI,
    controls="discoveries",
    aliases=Names("BY", statsmodels="fdr_by"),
)
def benjamini_yekutieli(p: Floats) -> Floats:
    """Benjamini and Hochberg's times 1 + 1/2 + ... + 1/n: valid however the tests depend on one another."""
    rank = np.arange(1, p.size + 1)
    return _step_up(p * p.size * (1 / rank).sum() / rank)


def _step_down(p: Floats, factors: NDArray[np.int64]) -> Floats:
    return np.maximum.accumulate(p * factors)


def _step_up(scaled: Floats) -> Floats:
    return np.minimum.accumulate(scaled[::-1])[::-1]


@dataclass(frozen=True, eq=False)
class Simultaneous:
    """Differences whose limits hold together, by the smallest of all their two-sided p-values (max-T).

    ``smallest`` has that of each replicate in which nothing differs (Westfall, P. H. & Young, S. S. (1993)
    Resampling-based multiple testing. Wiley).

    >>> together = Simultaneous(np.linspace(0.001, 1, 1000) / 10, 0.95)
    >>> round(together.tail, 5), round(together.adjusted(0.01), 3)
    (0.0025, 0.101)
    """

    smallest: Floats
    level: float

    @cached_property
    def tail(self) -> float:
        """What may lie beyond each limit."""
        n = self.smallest.size
        place = min(max(int((1 - self.level) * (n + 1)), 1), n) - 1
        return float(np.partition(self.smallest, place)[place]) / 2

    def adjusted(self, pvalue: float) -> float:
        """Return how often chance alone gives a smallest p-value that small, never less than the p-value itself."""
        if math.isnan(pvalue):
            return math.nan
        by_chance = (1 + (self.smallest <= pvalue).sum()) / (1 + self.smallest.size)
        return max(float(by_chance), pvalue)
