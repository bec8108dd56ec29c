"""Resamplings with inner splits, which say how far the estimate of the others may be off.

Their inner splits are fitted and predicted like all others, but set apart: what is judged is ordinary
cross-validation, or a repeated holdout. The estimates ``nested_cv`` and ``conservative_z`` read both.
Nothing is tuned here: searches within training parts are made by :func:`credibly.running.nested`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np

from credibly._core.arrays import Indices
from credibly._core.names import Names
from credibly._core.parameters import between, whole
from credibly.errors import DataError
from credibly.resampling._declare import resampling
from credibly.resampling._rows import Rows
from credibly.resampling._splits import SplitPlan, others
from credibly.resampling.cross_validation import folds, with_inner
from credibly.resampling.findings import INNER_FITS
from credibly.resampling.groups import grouped_folds
from credibly.resampling.holdouts import sample

MIN_HALF_ROWS = 2  # rows to train on in a half
BATES = "Bates, S., Hastie, T. & Tibshirani, R. (2024) Cross-validation: what does it estimate and how well does it do it? Journal of the American Statistical Association 119, 1434-1445."


@resampling(
    "nested cross-validation",
    promised=("disjoint", "covers", "stratified"),
    aliases=Names("ncv"),
    constraints={"k": whole(3), "repeats": whole(1)},
    cite=BATES,
)
def nested_cv(
    rows: Rows,
    rng: np.random.Generator,
    *,
    k: int = 10,
    repeats: int = 10,
    stratified: bool = True,
) -> SplitPlan:
    """Cross-validate, and again without each fold in turn, to see how wrong cross-validation is.

    Beside the k models that leave out one fold there are k (k - 1) / 2 that leave out two, each an
    inner split that tests both: k (k + 1) / 2 fits per repeat, 550 by default. This is not tuning:
    ``credibly.running.nested`` searches for the best parameters within training parts, which often has
    the same name. For rows in groups, use ``grouped_nested_cv``.

    >>> splits = nested_cv(k=3, repeats=1).realise(6, rng=1)
    >>> [(s.test.tolist(), s.inner) for s in splits]
    [([2, 5], False), ([1, 3], False), ([0, 4], False),
     ([2, 5, 1, 3], True), ([2, 5, 0, 4], True), ([1, 3, 0, 4], True)]
    """
    outer = folds.function(rows, rng, k=k, repeats=repeats, stratified=stratified)
    return with_inner(outer, k, repeats, combinations(range(k), 2))


@resampling(
    "nested cross-validation with whole groups",
    promised=("disjoint", "covers", "respects_groups"),
    constraints={"k": whole(3), "repeats": whole(1)},
    cite=BATES,
)
def grouped_nested_cv(
    rows: Rows,
    rng: np.random.Generator,
    *,
    k: int = 10,
    repeats: int = 10,
    stratified: bool = True,
) -> SplitPlan:
    """Cross-validate with whole groups, and again without each fold in turn.

    Folds are those of ``grouped_folds``, so that no model, the inner ones included, is tested on a
    group of which it has seen a part.

    >>> splits = grouped_nested_cv(k=3, repeats=1).realise(6, groups=list("aabbcc"), rng=1)
    >>> sorted(sorted(s.test.tolist()) for s in splits)
    [[0, 1], [0, 1, 2, 3], [0, 1, 4, 5], [2, 3], [2, 3, 4, 5], [4, 5]]
    """
    outer = grouped_folds.function(rows, rng, k=k, repeats=repeats, stratified=stratified)
    return with_inner(outer, k, repeats, combinations(range(k), 2))


@resampling(
    "paired subsampling",
    promised=("disjoint", "stratified"),
    constraints={"test": between(0, 0.5), "repeats": whole(1), "pairs": whole(1)},
    cite="Nadeau, C. & Bengio, Y. (2003) Inference for the generalization error. Machine Learning 52, 239-281.",
)
def paired_subsampling(
    rows: Rows,
    rng: np.random.Generator,
    *,
    test: float = 0.1,
    repeats: int = 15,
    pairs: int = 10,
    stratified: bool = True,
) -> SplitPlan:
    """Hold out parts of all rows repeatedly, and parts of random halves that share no rows.

    Two halves give two independent estimates, and how far they are apart says how much an estimate
    varies. Halves are held out in parts of the same size as all rows, with inner splits that leave
    less to train on: (1 + 2 pairs) repeats fits, 315 by default.

    >>> splits = paired_subsampling(repeats=2, pairs=1).realise(20, rng=1)
    >>> [(s.train.size, s.test.size, s.inner) for s in splits]
    [(18, 2, False), (18, 2, False), (8, 2, True), (8, 2, True), (8, 2, True), (8, 2, True)]
    """
    strata, n = rows.strata if stratified else None, rows.n
    held = min(max(round(n * test), 1), n - 1)
    _enough(n, held, test)
    seeds = rng.integers(0, 2**63, (1 + 2 * pairs, repeats))
    halving = rng.integers(0, 2**63, pairs)

    @lru_cache(maxsize=1)
    def halves(pair: int) -> tuple[Indices, Indices]:
        one = sample(strata, n, 0.5, np.random.default_rng(halving[pair]))
        return one, others(one, n)

    def within(i: int) -> Indices:
        """Return the rows that a split cuts."""
        part = i // repeats
        return np.arange(n) if part == 0 else halves((part - 1) // 2)[(part - 1) % 2]

    def tested(i: int) -> Indices:
        mine = within(i)
        codes = None if strata is None else strata[mine]
        stream = np.random.default_rng(seeds[divmod(i, repeats)])
        return mine[sample(codes, mine.size, held / mine.size, stream)]

    def numbers(i: Indices) -> tuple[Indices, Indices]:
        part, place = np.divmod(i, repeats)
        return np.where(part == 0, place, repeats + part - 1), np.where(part == 0, 0, -1 - place)

    finding = INNER_FITS(fits=f"{seeds.size:,}", judged=f"{repeats:,}")
    return SplitPlan(
        seeds.size,
        tested,
        lambda i: np.setdiff1d(within(i), tested(i)),
        findings=(finding,),
        numbers=numbers,
    )


def _enough(n: int, held: int, test: float) -> None:
    """Refuse where half of the rows leave nothing to train on."""
    if n // 2 - held >= MIN_HALF_ROWS:
        return
    needed = next(m for m in range(n, 10**9) if m // 2 - max(round(m * test), 1) >= MIN_HALF_ROWS)
    raise DataError(
        f"Paired subsampling trains on half of the rows without a test part; of {n} rows, half are "
        f"{n // 2} and a test part {held}. {needed} rows would do, or a smaller test part."
    )
