"""Folds that keep groups together."""

from __future__ import annotations

import numpy as np

from credibly._core.arrays import Floats, Indices
from credibly._core.names import Names
from credibly._core.parameters import between, whole
from credibly._core.text import count
from credibly.errors import DataError
from credibly.resampling._declare import resampling
from credibly.resampling._rows import Rows
from credibly.resampling._splits import SplitPlan
from credibly.resampling.bootstraps import bootstrap_inclusion, replicated
from credibly.resampling.cross_validation import by_fold, enough_rows, parts_of

# Groups up to which pairs are tried; with more, moving single ones is enough.
MAX_EXCHANGED_GROUPS = 2000
MAX_ROUNDS = 20
MIN_GAIN = 1e-12  # below it, rounding could make the search go in circles


@resampling(
    "k-fold cross-validation with whole groups",
    promised=("disjoint", "covers", "respects_groups"),
    aliases=Names(
        "group_folds, stratified_grouped_folds", sklearn="GroupKFold, StratifiedGroupKFold"
    ),
    constraints={"k": whole(2), "repeats": whole(1)},
    cite="Roberts, D. R. et al. (2017) Cross-validation strategies for data with temporal, spatial, hierarchical, or phylogenetic structure. Ecography 40, 913-929.",
)
def grouped_folds(
    rows: Rows,
    rng: np.random.Generator,
    *,
    k: int = 10,
    repeats: int = 1,
    stratified: bool = True,
) -> SplitPlan:
    """Cut the groups at random into k folds with like numbers of rows and of each class.

    Each group goes to the fold where it adds least to the sum, over folds and classes, of the squared
    share of the class that the fold holds; the share of all rows counts as one more class. Large
    groups come first, but not strictly, so that each repeat has another order: weights are multiplied
    by a random number from a half to one. Then groups move, and pairs of groups change places, as
    long as that lowers the sum.

    >>> splits = grouped_folds(k=2).realise(6, groups=["a", "a", "b", "c", "c", "c"], rng=1)
    >>> sorted(s.test.tolist() for s in splits)
    [[0, 1, 2], [3, 4, 5]]
    """
    group = rows.need("group", "grouped_folds")
    enough_rows(int(group.max()) + 1, k, noun="group")
    shares = _shares(group, rows.strata if stratified else None)
    return by_fold(k, repeats, rng, lambda r: balanced(shares, k, r)[group])


@resampling(
    "leave-one-group-out",
    promised=("disjoint", "covers", "respects_groups"),
    aliases=Names("logo, leave_one_cluster_out", sklearn="LeaveOneGroupOut"),
    cite="Roberts, D. R. et al. (2017) Cross-validation strategies for data with temporal, spatial, hierarchical, or phylogenetic structure. Ecography 40, 913-929.",
)
def leave_one_group_out(rows: Rows) -> SplitPlan:
    """Test each group on a model of all others: train in some towns, test in another.

    >>> [s.test.tolist() for s in leave_one_group_out.realise(4, groups=["a", "b", "a", "c"])]
    [[0, 2], [1], [3]]
    """
    tests = parts_of(rows.need("group", "leave_one_group_out"))
    if len(tests) < 2:
        raise DataError(
            f"Leaving a group out needs at least 2 groups; there is {count(len(tests), 'group')}."
        )
    return SplitPlan(len(tests), tests.__getitem__, folds=len(tests))


@resampling(
    "repeated holdout of whole groups",
    promised=("disjoint", "respects_groups"),
    aliases=Names("group_holdout", sklearn="GroupShuffleSplit, group_shuffle_split"),
    constraints={"test": between(0, 1), "repeats": whole(1)},
    cite="Roberts, D. R. et al. (2017) Cross-validation strategies for data with temporal, spatial, hierarchical, or phylogenetic structure. Ecography 40, 913-929.",
)
def grouped_holdout(
    rows: Rows, rng: np.random.Generator, *, test: float = 1 / 3, repeats: int = 10
) -> SplitPlan:
    """Hold out another random part of the groups in each repeat.

    >>> split = grouped_holdout(test=0.5, repeats=1).realise(6, groups=list("aabbcc"), rng=1)[0]
    >>> split.train.tolist(), split.test.tolist()
    ([4, 5], [0, 1, 2, 3])
    """
    group, n = _groups(rows, "grouped_holdout")
    m = min(max(round(n * test), 1), n - 1)
    seeds = rng.integers(0, 2**63, repeats)

    def tested(i: int) -> Indices:
        drawn = np.random.default_rng(seeds[i]).choice(n, m, replace=False)
        return np.flatnonzero(np.isin(group, drawn))

    return SplitPlan(repeats, tested)


@resampling(
    "bootstrap of whole groups",
    promised=("disjoint", "respects_groups"),
    aliases=("group_bootstrap", "cluster_bootstrap"),
    constraints={"replicates": whole(1)},
    inclusion=bootstrap_inclusion,
    cite="Davison, A. C. & Hinkley, D. V. (1997) Bootstrap Methods and their Application, sec. 3.8. Cambridge University Press.",
)
def grouped_bootstrap(rows: Rows, rng: np.random.Generator, *, replicates: int = 200) -> SplitPlan:
    """Train on as many groups as there are, drawn with replacement; test on the groups not drawn.

    >>> split = grouped_bootstrap(replicates=1).realise(6, groups=list("aabbcc"), rng=1)[0]
    >>> split.train.tolist(), split.test.tolist()
    ([2, 3, 0, 1, 0, 1], [4, 5])
    """
    group, n = _groups(rows, "grouped_bootstrap")
    parts = parts_of(group)
    drawn = replicated(n, replicates, rng, lambda stream: stream.integers(0, n, n))

    def tested(i: int) -> Indices:
        return np.flatnonzero(~np.isin(group, drawn(i)))

    return SplitPlan(replicates, tested, lambda i: np.concatenate([parts[g] for g in drawn(i)]))


def _groups(rows: Rows, owner: str) -> tuple[Indices, int]:
    """Return the group of each row, and how many there are."""
    group = rows.need("group", owner)
    n = int(group.max()) + 1
    if n < 2:
        raise DataError(f"{owner} needs at least 2 groups; there is {count(n, 'group')}.")
    return group, n


def _shares(group: Indices, strata: Indices | None) -> Floats:
    """Return, for each group, its share of every class and of all rows."""
    classes = np.zeros_like(group) if strata is None else strata
    table = np.zeros((group.max() + 1, classes.max() + 1))
    np.add.at(table, (group, classes), 1)
    if strata is not None:
        table = np.column_stack([table, table.sum(axis=1)])
    return table / table.sum(axis=0)


def balanced(shares: Floats, k: int, rng: np.random.Generator) -> Indices:
    """Return a fold for each group, such that the squared loads of the folds are low."""
    fold = np.empty(len(shares), np.intp)
    loads = np.zeros((k, shares.shape[1]))
    weights = (shares**2).sum(axis=1) * rng.uniform(0.5, 1, len(shares))
    for g in np.argsort(-weights):
        fold[g] = np.argmin(loads @ shares[g])  # an empty fold first: it adds nothing
        loads[fold[g]] += shares[g]
    for _ in range(MAX_ROUNDS):
        changed = _move(shares, fold, loads)
        if len(shares) <= MAX_EXCHANGED_GROUPS:
            changed |= _exchange(shares, fold, loads)
        if not changed:
            break
    return fold


def _move(shares: Floats, fold: Indices, loads: Floats) -> bool:
    """Move groups to the fold where they weigh least; no fold is emptied."""
    left = np.bincount(fold, minlength=len(loads))
    changed = False
    for g, s in enumerate(shares):
        a = fold[g]
        gains = (loads[a] - s - loads) @ s
        b = int(np.argmax(gains))
        if gains[b] > MIN_GAIN and b != a and left[a] > 1:
            loads[a] -= s
            loads[b] += s
            left[a] -= 1
            left[b] += 1
            fold[g] = b
            changed = True
    return changed


def _exchange(shares: Floats, fold: Indices, loads: Floats) -> bool:
    """Let two groups of different folds change places where that helps."""
    changed = False
    for g in range(len(shares)):
        a = fold[g]
        d = shares - shares[g]
        gains = ((loads[fold] - loads[a] - d) * d).sum(axis=1)
        h = int(np.argmax(gains))
        if gains[h] > MIN_GAIN and fold[h] != a:
            loads[a] += d[h]
            loads[fold[h]] -= d[h]
            fold[g], fold[h] = fold[h], a
            changed = True
    return changed
