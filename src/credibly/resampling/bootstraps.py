"""The bootstrap: train on rows drawn with replacement, test on those that were not drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from math import exp, factorial, inf, log1p

import numpy as np

from credibly._core.arrays import Floats, Indices
from credibly._core.findings import Finding
from credibly._core.names import Names
from credibly._core.parameters import whole
from credibly._kernels.draws import rows_by_weight
from credibly.errors import DataError
from credibly.resampling._declare import resampling
from credibly.resampling._rows import Rows
from credibly.resampling._splits import SplitPlan, others
from credibly.resampling.cross_validation import enough_rows
from credibly.resampling.findings import BOOTSTRAP_REDRAWN

MAX_REDRAWN_ROWS = 10  # up to which a draw of every row happens once in three thousand draws


def bootstrap_inclusion(n: float) -> float:
    """Return the probability that a row is drawn at least once in ``n`` draws from ``n`` rows.

    $1 - (1 - 1/n)^n$, which tends to $1 - 1/e$, about 0.632.

    >>> round(bootstrap_inclusion(150), 4), round(bootstrap_inclusion(float("inf")), 4)
    (0.6334, 0.6321)
    """
    if n <= 1:
        return 1.0
    return 1 - exp(-1 if n == inf else n * log1p(-1 / n))


@resampling(
    "bootstrap",
    promised=("disjoint",),
    aliases=Names("oob, out_of_bag", texts="0.632 bootstrap", caret="boot, boot632, optimism_boot"),
    constraints={"replicates": whole(1)},
    inclusion=bootstrap_inclusion,
    by_weight=True,
    cite="Efron, B. & Tibshirani, R. (1997) Improvements on cross-validation: the .632+ bootstrap method. Journal of the American Statistical Association 92, 548-560.",
)
def bootstrap(
    rows: Rows, rng: np.random.Generator, *, replicates: int = 200, stratified: bool = False
) -> SplitPlan:
    """Train on as many rows as there are, drawn with replacement; test on the rows not drawn.

    A draw that leaves no row to test is drawn again, which happens only with few rows and is then
    reported. ``stratified`` draws within each class. Where rows have a ``weight`` they are drawn in
    proportion to it; a row that weighs nothing is only tested.

    >>> split = bootstrap(replicates=1).realise(6, rng=1)[0]
    >>> split.train.tolist(), split.test.tolist()
    ([4, 1, 2, 3, 1, 1], [0, 5])
    >>> bootstrap(replicates=1).realise(4, weight=[1, 1, 8, 0], rng=1)[0].train.tolist()
    [2, 2, 1, 2]
    """
    enough_rows(rows.n, 2)
    drawn = replicated(rows.n, replicates, rng, _drawing(rows, stratified=stratified))
    return SplitPlan(
        replicates, lambda i: others(drawn(i), rows.n), drawn, findings=_redrawn(rows.n)
    )


def replicated(
    n: int,
    replicates: int,
    rng: np.random.Generator,
    draw: Callable[[np.random.Generator], Indices],
) -> Callable[[int], Indices]:
    """Return what gives the draw of a replicate from ``n`` rows or groups: one that leaves some out."""
    seeds = rng.integers(0, 2**63, replicates)

    @lru_cache(maxsize=1)
    def drawn(i: int) -> Indices:
        stream = np.random.default_rng(seeds[i])
        while True:
            found = draw(stream)
            if np.unique(found).size < n:
                return found

    return drawn


def _drawing(rows: Rows, *, stratified: bool) -> Callable[[np.random.Generator], Indices]:
    """Return a function that draws as many rows as there are, of each class if asked to."""
    n, weight = rows.n, rows.weight
    if not stratified or rows.strata is None:
        if weight is not None:
            return lambda stream: rows_by_weight(weight, stream.random(n))
        return lambda stream: stream.integers(0, n, n)
    if weight is not None:
        return partial(_within_classes, rows.strata, weight)
    sizes = np.bincount(rows.strata)
    if sizes.max() < 2:
        raise DataError(
            "A stratified bootstrap needs a class with at least 2 rows; every class has 1."
        )
    order = np.argsort(rows.strata, kind="stable")
    starts = (np.cumsum(sizes) - sizes)[rows.strata[order]]
    widths = sizes[rows.strata[order]]
    return lambda stream: order[starts + stream.integers(0, widths)]


def _within_classes(strata: Indices, weight: Floats, stream: np.random.Generator) -> Indices:
    """Draw as many rows of each class as it has, by weight; of a class that weighs nothing all alike."""
    drawn = np.empty(strata.size, np.intp)
    for c in range(int(strata.max()) + 1):
        mine = np.flatnonzero(strata == c)
        own = weight[mine] if weight[mine].any() else np.ones(mine.size)
        drawn[mine] = mine[rows_by_weight(own, stream.random(mine.size))]
    return drawn


def _redrawn(n: int) -> tuple[Finding, ...]:
    """Say where it is likely that every row is drawn, so that none is left to test."""
    if n > MAX_REDRAWN_ROWS:
        return ()
    chance = factorial(n) / n**n
    return (BOOTSTRAP_REDRAWN(n=n, chance=chance),)
