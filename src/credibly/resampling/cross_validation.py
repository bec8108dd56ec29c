"""Cross-validation: every row is tested once in each repeat."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Indices
from credibly._core.findings import Finding
from credibly._core.names import Names
from credibly._core.parameters import whole
from credibly._core.text import count
from credibly.errors import DataError, says
from credibly.predictions.labels import distinct
from credibly.resampling._declare import resampling
from credibly.resampling._rows import Rows
from credibly.resampling._splits import SplitPlan
from credibly.resampling.findings import CLASS_SMALLER_THAN_FOLDS, INNER_FITS, NOT_STRATIFIED


@resampling(
    "k-fold cross-validation",
    promised=("disjoint", "covers", "stratified"),
    aliases=Names(
        "cv, k_fold",
        texts="cross-validation, k-fold cross-validation, stratified cross-validation, tenfold cross-validation, 10-fold cross-validation(k=10)",
        weka="Cross-validation",
        sklearn="KFold, StratifiedKFold, RepeatedStratifiedKFold(k=5, repeats=10), RepeatedKFold(k=5, repeats=10, stratified=False)",
        caret="cv, repeatedcv",
        differs={"KFold": "by default scikit-learn makes 5 folds and does not stratify"},
    ),
    constraints={"k": whole(2), "repeats": whole(1), "pairs": whole(0)},
    cite="Kohavi, R. (1995) A study of cross-validation and bootstrap for accuracy estimation and model selection. IJCAI 1995, 1137-1143.",
)
def folds(
    rows: Rows,
    rng: np.random.Generator,
    *,
    k: int = 10,
    repeats: int = 1,
    stratified: bool = True,
    pairs: int = 0,
) -> SplitPlan:
    """Cut the rows at random into k folds of equal size; test each on a model of the others.

    Rows are sorted by class, in random order within a class, and dealt to the folds like cards, so
    that the folds, and the rows of each class in them, differ by at most one row.

    With ``pairs``, so many further models leave out two folds each, up to one for every two folds. How far they
    predict otherwise shows how stable learning is, so that the interval need not allow for the worst.
    Use enough pairs to test all rows (half as many pairs as folds), or a hundred rows.

    >>> splits = folds(k=5, repeats=2).realise(20, [0, 1] * 10, rng=1)
    >>> len(splits), splits[0].test.size, splits[9].repeat
    (10, 4, 1)
    """
    n = rows.n
    strata = narrow(rows.strata) if stratified and rows.strata is not None else None
    enough_rows(n, k, strata=strata)
    plan = by_fold(k, repeats, rng, lambda r: deal(strata, n, k, r))
    plan = replace(plan, findings=small_classes(strata, k))
    two = list(zip(range(0, k, 2), range(1, k, 2), strict=False))[:pairs]
    return with_inner(plan, k, repeats, two) if two else plan


@resampling(
    "leave-one-out",
    promised=("disjoint", "covers"),
    aliases=Names(
        "loo",
        texts="leave-one-out cross-validation, leave-one-out cv",
        sklearn="LeaveOneOut",
        caret="LOOCV",
    ),
    cite="Stone, M. (1974) Cross-validatory choice and assessment of statistical predictions. Journal of the Royal Statistical Society B 36, 111-147.",
)
def leave_one_out(rows: Rows) -> SplitPlan:
    """Test each row on a model of all others: k-fold cross-validation with k = n.

    Nothing in it is random, and it cannot be stratified: a row of a class is missing from the very
    training part that it is tested on.

    >>> [s.test.tolist() for s in leave_one_out.realise(3)]
    [[0], [1], [2]]
    """
    enough_rows(rows.n, 2)
    findings = () if rows.strata is None else (NOT_STRATIFIED(),)
    return SplitPlan(rows.n, lambda i: np.array([i]), folds=rows.n, findings=findings)


@resampling(
    "leave-pair-out",
    promised=("disjoint", "pairs"),
    aliases=Names("lpo, leave_pair_out_cv"),
    cite="Airola, A., Pahikkala, T., Waegeman, W., De Baets, B. & Salakoski, T. (2011) An experimental comparison of cross-validation techniques for estimating the area under the ROC curve. Computational Statistics and Data Analysis 55, 1828-1844.",
)
def leave_pair_out(rows: Rows) -> SplitPlan:
    """Test every pair of rows from the two classes on a model of all others.

    The AUC is the share of pairs in which the row of the second class scores higher, a mean over
    pairs. Scores of different models are never compared, as they are when leave-one-out is pooled.

    >>> [s.test.tolist() for s in leave_pair_out.realise(4, ["no", "yes", "no", "yes"])]
    [[0, 1], [0, 3], [2, 1], [2, 3]]
    """
    first, *rest = parts_of(rows.need("strata", "leave_pair_out"))
    if len(rest) != 1:
        raise DataError(
            f"leave_pair_out pairs the rows of two classes; there {_are(1 + len(rest), 'class')}."
        )
    if rows.n < 3:
        raise DataError("leave_pair_out needs at least 3 rows, or there is nothing to train on.")
    (second,) = rest
    pairs = first.size * second.size
    return SplitPlan(
        pairs, lambda i: np.array([first[i // second.size], second[i % second.size]]), folds=pairs
    )


@resampling(
    "given folds",
    promised=("disjoint", "covers"),
    aliases=Names("given_folds, predefined", sklearn="PredefinedSplit"),
    cite="Stone, M. (1974) Cross-validatory choice and assessment of statistical predictions. Journal of the Royal Statistical Society B 36, 111-147.",
)
def fold_column(rows: Rows) -> SplitPlan:
    """Test each fold that a column of the data names on a model of the others.

    >>> [s.test.tolist() for s in fold_column.realise(4, fold=["b", "a", "b", "a"])]
    [[1, 3], [0, 2]]
    """
    tests = parts_of(distinct(rows.need("fold", "fold_column")).codes)
    if len(tests) < 2:
        raise DataError("fold_column needs at least 2 folds; the column holds one value.")
    return SplitPlan(len(tests), tests.__getitem__, folds=len(tests))


@resampling(
    "cross-validation on independent subsets",
    promised=("disjoint", "covers", "stratified", "independent"),
    constraints={"parts": whole(1), "k": whole(2)},
    cite="Witten, I. H., Frank, E. & Hall, M. A. (2011) Data Mining, 3rd ed., sec. 5.5.",
)
def subsets(
    rows: Rows, rng: np.random.Generator, *, parts: int = 10, k: int = 10, stratified: bool = True
) -> SplitPlan:
    """Cut the rows into parts that share no row, and cross-validate within each.

    The estimates of different parts are independent, at the price of smaller training sets. The
    repeat of a split is its part.

    >>> splits = subsets(parts=2, k=3).realise(12, rng=1)
    >>> len(splits), splits[0].train.size, splits[0].test.size
    (6, 4, 2)
    """
    strata = rows.strata if stratified else None
    enough_rows(rows.n, parts * k, f"{parts} parts of {k} folds", strata=strata)
    # Dealt into parts and then, in the same order, into folds: a row's card says both.
    card = deal(strata, rows.n, parts * k, rng)
    tests = parts_of(card % parts * k + card // parts)

    def train(i: int) -> Indices:
        first = i // k * k
        return np.sort(np.concatenate([tests[j] for j in range(first, first + k) if j != i]))

    return SplitPlan(
        parts * k, tests.__getitem__, train, folds=k, findings=small_classes(strata, parts * k)
    )


def enough_rows(
    n: int,
    k: int,
    what: str = "",
    *,
    noun: str = "row",
    remedy: str = "Ask for fewer, such as <resampling={k}>, or for 'loo'.",
    strata: NDArray[Any] | None = None,
) -> None:
    """Refuse more folds than rows, or groups of them; advise no more than the smallest class fills."""
    if k > n:
        most = n if strata is None else max(2, int(np.bincount(strata).min()))
        raise DataError(
            f"{what or f'{k} folds'} need at least {count(k, noun)}; there {_are(n, noun)}.",
            remedy="There is nothing to split." if n < 2 else says(remedy, k=min(5, n, most)),
        )


def _are(n: int, noun: str) -> str:
    return f"{'is' if n == 1 else 'are'} {count(n, noun)}"


def small_classes(strata: NDArray[Any] | None, k: int) -> tuple[Finding, ...]:
    """Say which classes have too few rows to be in every fold."""
    if strata is None:
        return ()
    sizes = np.bincount(strata)
    small = int((sizes < k).sum())
    if not small:
        return ()
    least = int(sizes.min())
    return (
        CLASS_SMALLER_THAN_FOLDS(
            classes=f"{count(small, 'class')} of {sizes.size} {'has' if small == 1 else 'have'}",
            k=k,
            rows=count(least, "row"),
            most=max(2, least),
        ),
    )


def deal(strata: NDArray[Any] | None, n: int, k: int, rng: np.random.Generator) -> Indices:
    """Return a fold for each row: sorted by class, random within, dealt in turn."""
    order = shuffled(strata, n, rng)
    fold = np.empty(n, np.intp)
    fold[order] = np.arange(n) % k
    return fold


def shuffled(strata: NDArray[Any] | None, n: int, rng: np.random.Generator) -> Indices:
    """Return the rows in random order, those of a class together where there are classes."""
    order = rng.permutation(n)
    return order if strata is None else order[stable_order(strata[order])]


def by_fold(
    k: int,
    repeats: int,
    rng: np.random.Generator,
    assign: Callable[[np.random.Generator], Indices],
) -> SplitPlan:
    """Plan k folds a repeat from a function that gives each row its fold.

    Each repeat has a seed of its own, so any split can be made without those before it.
    """
    seeds = rng.integers(0, 2**63, repeats)

    @lru_cache(maxsize=1)
    def tests(repeat: int) -> list[NDArray[Any]]:
        order, ends = _sorted_out(assign(np.random.default_rng(seeds[repeat])))
        return np.split(narrow(order), ends)

    def tested() -> tuple[Indices, Indices]:
        codes = np.stack([assign(np.random.default_rng(seed)) for seed in seeds])
        places = codes + k * np.arange(repeats)[:, None]
        sizes = np.bincount(places.ravel(), minlength=repeats * k)
        return np.argsort(narrow(codes), axis=1, kind="stable").ravel(), sizes

    return SplitPlan(
        repeats * k, lambda i: tests(i // k)[i % k].astype(np.intp), folds=k, tested=tested
    )


def with_inner(
    outer: SplitPlan, k: int, repeats: int, without: Iterable[tuple[int, int]]
) -> SplitPlan:
    """Add to repeated folds the splits that leave out two of them."""
    pairs = list(without)
    size = k + len(pairs)

    @lru_cache(maxsize=1)
    def tests(repeat: int) -> list[Indices]:
        each = [outer.test(repeat * k + fold) for fold in range(k)]
        return each + [np.concatenate([each[i], each[j]]) for i, j in pairs]

    def numbers(i: Indices) -> tuple[Indices, Indices]:
        repeat, place = np.divmod(i, size)
        return repeat, np.where(place < k, place, k - 1 - place)

    def tested() -> tuple[Indices, Indices]:
        rows, sizes = outer.all_tests()
        first, second = np.array(pairs).T
        own = sizes.reshape(repeats, k)
        inner = own[:, first] + own[:, second]
        order, cuts = rows.reshape(repeats, -1), {}
        for each in {tuple(one) for one in own.tolist()}:  # where each fold, and each pair, is
            parts = np.split(np.arange(order.shape[1]), np.cumsum(each)[:-1])
            cuts[each] = np.concatenate([*parts, *(parts[j] for pair in pairs for j in pair)])
        every = [one[cuts[tuple(each)]] for one, each in zip(order, own.tolist(), strict=True)]
        return np.concatenate(every), np.concatenate([own, inner], axis=1).ravel()

    finding = INNER_FITS(fits=f"{repeats * size:,}", judged=f"{repeats * k:,}")
    return SplitPlan(
        repeats * size,
        lambda i: tests(i // size)[i % size],
        folds=size,
        findings=(*outer.findings, finding),
        numbers=numbers,
        tested=tested,
    )


def parts_of(codes: Indices) -> list[Indices]:
    """Return the rows of each code, in ascending order."""
    return np.split(*_sorted_out(codes))


def _sorted_out(codes: NDArray[Any]) -> tuple[Indices, Indices]:
    """Return the rows by their codes, and where those of the next code begin."""
    return stable_order(codes), np.cumsum(np.bincount(codes))[:-1]


def stable_order(codes: NDArray[Any]) -> Indices:
    """Sort rows by code, equal ones as they stand; numpy sorts short numbers by radix, much faster."""
    return np.argsort(narrow(codes), kind="stable")


def narrow(whole: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers that are not negative in as few bytes as hold the largest."""
    return whole.astype(np.min_scalar_type(int(whole.max())))
