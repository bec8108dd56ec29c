"""The splits that Weka makes: Java's generator, Weka's shuffle and Weka's way to stratify."""

from __future__ import annotations

import numpy as np

from credibly._core.arrays import Indices
from credibly._core.parameters import between, whole
from credibly.resampling._declare import resampling
from credibly.resampling._rows import Rows
from credibly.resampling._splits import SplitPlan
from credibly.resampling.cross_validation import enough_rows, small_classes

WEKA = "Frank, E., Hall, M. A. & Witten, I. H. (2016) The WEKA Workbench. Online appendix to Data Mining, 4th ed."


@resampling(
    "the folds of Weka",
    promised=("disjoint", "covers", "stratified"),
    constraints={"k": whole(2), "seed": whole(0)},
    cite=WEKA,
)
def weka_folds(rows: Rows, *, k: int = 10, seed: int = 1, stratified: bool = True) -> SplitPlan:
    """Cut the rows into the folds that Weka's cross-validation makes with this seed.

    ``y`` must name the classes as the ARFF file orders its rows. Test rows stand in Weka's order;
    training rows in the order of the file, where Weka shuffles them once more. With a numeric target
    Weka does not stratify, and neither does this.

    >>> [s.test.tolist() for s in weka_folds(k=2).realise(6, list("aabbab"))]
    [[4, 1, 5], [0, 2, 3]]
    """
    strata = rows.strata if stratified else None
    enough_rows(rows.n, k, strata=strata)
    order = shuffle(rows.n, JavaRandom(seed))
    if strata is not None:
        together = sort_by_class(order, strata)
        order = np.concatenate([together[i::k] for i in range(k)])
    tests = np.array_split(order, k)
    return SplitPlan(k, tests.__getitem__, folds=k, findings=small_classes(strata, k))


@resampling(
    "the percentage split of Weka",
    promised=("disjoint",),
    constraints={"test": between(0, 1), "seed": whole(0)},
    cite=WEKA,
)
def weka_holdout(rows: Rows, *, test: float = 0.34, seed: int = 1) -> SplitPlan:
    """Hold out the rows that Weka's percentage split tests on, 34 per cent by default.

    >>> weka_holdout.realise(6)[0].test
    array([5, 3])
    """
    enough_rows(rows.n, 2)
    trained = int(np.floor(rows.n * (1 - test) + 0.5))  # Java's Math.round
    order = shuffle(rows.n, JavaRandom(seed))
    cut = min(max(trained, 1), rows.n - 1)
    return SplitPlan(1, lambda _: order[cut:])


class JavaRandom:
    """The generator ``java.util.Random``: 48 bits, multiplied and added to.

    >>> random = JavaRandom(1)
    >>> [random.below(10) for _ in range(10)]
    [5, 8, 7, 3, 4, 4, 4, 6, 8, 8]
    """

    MULTIPLIER = 0x5DEECE66D
    MASK = (1 << 48) - 1

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ self.MULTIPLIER) & self.MASK

    def _bits(self) -> int:
        """Return the upper 31 of the next 48 bits."""
        self._state = (self._state * self.MULTIPLIER + 11) & self.MASK
        return self._state >> 17

    def below(self, bound: int) -> int:
        """Return ``nextInt(bound)``: a whole number from 0 to ``bound - 1``."""
        bits = self._bits()
        if bound & (bound - 1) == 0:
            return (bound * bits) >> 31
        while bits - bits % bound + bound > 1 << 31:  # the last, incomplete run of the numbers
            bits = self._bits()
        return bits % bound


def shuffle(n: int, random: JavaRandom) -> Indices:
    """Return the rows as ``Instances.randomize`` leaves them."""
    rows = list(range(n))
    for j in range(n - 1, 0, -1):
        i = random.below(j + 1)
        rows[i], rows[j] = rows[j], rows[i]
    return np.array(rows, np.intp)


def sort_by_class(order: Indices, strata: Indices) -> Indices:
    """Bring the rows of a class together by exchanges, as ``Instances.stratify`` does."""
    rows, start = order.tolist(), 0
    while start < len(rows):
        codes = strata[rows[start:]]
        for i, j in enumerate((start + np.flatnonzero(codes == codes[0])).tolist(), start):
            rows[i], rows[j] = rows[j], rows[i]
        start = i + 1
    return np.array(rows, np.intp)
