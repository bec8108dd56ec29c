"""Splits of rows into training and test parts, made one at a time when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import overload

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Indices
from credibly._core.findings import Finding
from credibly.predictions.provenance import Design
from credibly.results.result import Plotted

MAX_KEPT_CELLS = 20_000_000  # splits times rows up to which test parts are kept


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """The rows of one training and one test part; a bootstrap's training part holds rows several times.

    The fold of an ``inner`` split is below 0: its predictions are set apart and not judged, for an
    estimate that says how far those of the other splits may be off.
    """

    train: Indices
    test: Indices
    repeat: int = 0
    fold: int = 0
    validation: Indices | None = None

    @property
    def inner(self) -> bool:
        """Whether it is not to be judged."""
        return self.fold < 0 <= self.repeat


@dataclass(frozen=True, slots=True, eq=False)
class SplitPlan:
    """How a resampling cuts the rows: what a declared function returns.

    ``test(i)`` gives the test rows of split ``i``; ``train(i)`` its training rows, or without it
    every other row is trained on. ``numbers(i)`` gives its repeat and its fold where they are not
    counted; a fold below 0 is that of an inner split. ``tested()`` gives what ``all_tests`` does,
    where that is faster than one split after the other. ``design`` says how the evidence hangs
    together where that is seen in the splits and not promised by a rule.
    """

    count: int
    test: Callable[[int], Indices]
    train: Callable[[int], Indices] | None = None
    validation: Callable[[int], Indices] | None = None
    folds: int = 1  # splits that make up one repeat
    findings: tuple[Finding, ...] = ()
    design: Design | None = None
    numbers: Callable[[Indices], tuple[Indices, Indices]] | None = None
    tested: Callable[[], tuple[Indices, Indices]] | None = None

    def all_tests(self) -> tuple[Indices, Indices]:
        """Return the test rows of all splits, one after the other, and how many each has."""
        if self.tested:
            return self.tested()
        each = [self.test(i) for i in range(self.count)]
        return np.concatenate(each), np.array([test.size for test in each], np.intp)


class Splits(Plotted, Sequence[Split]):
    """The splits of given rows by a resampling: a sequence that holds no training part.

    ``.plot()`` draws which rows each of them trains and tests on.

    >>> from credibly.resampling import folds
    >>> splits = folds(k=3).realise(6, rng=1)
    >>> len(splits), splits[0].train.size, splits[0].test.size
    (3, 4, 2)
    """

    def __init__(
        self,
        n: int,
        plan: SplitPlan,
        *,
        resampling: str = "given splits",
        seed: int | None = None,
        promises: frozenset[str] = frozenset(),
    ) -> None:
        self.n = n
        self.resampling = resampling
        self.seed = seed
        self.promises = promises
        self.design = plan.design or Design.promised(promises)
        self.findings = plan.findings
        self._plan = plan

    def __len__(self) -> int:
        return self._plan.count

    @overload
    def __getitem__(self, index: int) -> Split: ...
    @overload
    def __getitem__(self, index: slice) -> list[Split]: ...
    def __getitem__(self, index: int | slice) -> Split | list[Split]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(
                f"There are {len(self)} splits; there is none with the number {index}."
            )
        i = index % len(self)
        plan = self._plan
        kept = self.__dict__.get("_tests")  # where they have been asked for
        test = plan.test(i) if kept is None else kept[i]
        return Split(
            plan.train(i) if plan.train else others(test, self.n),
            test,
            *self.numbers(i),
            plan.validation(i) if plan.validation else None,
        )

    def __iter__(self) -> Iterator[Split]:
        return (self[i] for i in range(len(self)))

    def numbers(self, i: int) -> tuple[int, int]:
        """Return the repeat and the fold of a split."""
        repeat, fold = self._numbered(np.array([i]))
        return int(repeat[0]), int(fold[0])

    def _numbered(self, places: Indices) -> tuple[Indices, Indices]:
        plan = self._plan
        return plan.numbers(places) if plan.numbers else np.divmod(places, plan.folds)

    @cached_property
    def all_numbers(self) -> tuple[Indices, Indices]:
        """The repeats and the folds of all splits."""
        return self._numbered(np.arange(len(self)))

    @property
    def judged(self) -> list[int]:
        """The places of the splits that are judged: all but the inner ones."""
        repeat, fold = self.all_numbers
        return np.flatnonzero(~inner_splits(repeat, fold)).tolist()

    @cached_property
    def judged_first(self) -> Indices:
        """The places of all splits in the order in which their predictions stand: the inner ones after the others."""
        return np.argsort(inner_splits(*self.all_numbers), kind="stable")

    @property
    def trains_on_the_rest(self) -> bool:
        """Whether every split trains on each row that it does not test, once."""
        return self._plan.train is None

    def tests(self) -> Iterator[Indices]:
        """Return the test rows of each split, without making the training parts; few are kept."""
        if len(self) * self.n <= MAX_KEPT_CELLS:
            return iter(self._tests)
        return (self._plan.test(i) for i in range(len(self)))

    @cached_property
    def tested(self) -> tuple[Indices, Indices]:
        """The test rows of all splits, one after the other, and how many each has."""
        return self._plan.all_tests()

    @cached_property
    def _tests(self) -> list[Indices]:
        rows, sizes = self.tested
        return np.split(rows, np.cumsum(sizes)[:-1])

    @cached_property
    def test_sizes(self) -> Indices:
        """How many rows each split tests."""
        if self._plan.tested:
            return self.tested[1]
        return np.fromiter((test.size for test in self.tests()), np.intp, len(self))

    @cached_property
    def fingerprint(self) -> str:
        """A text that two sequences share if they train and test on the same rows.

        Rows are added up under a hash, so what trains on the rest is known by what it tests.
        """
        row = mixed(np.arange(self.n).astype(np.uint64))
        train, tested = self._plan.train, self._sums(row)
        learned = row.sum(dtype=np.uint64) - tested  # of whole numbers of 64 bits, as the sums are
        if train:
            learned = np.array([row[train(i)].sum() for i in range(len(self))], np.uint64)
        told = np.concatenate([np.array([self.n, len(self)], np.uint64), tested, learned])
        return sha256(told.astype("<u8").tobytes()).hexdigest()[:16]

    def _sums(self, row: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Add up numbers of the rows that each split tests: all at once where they are kept."""
        if len(self) * self.n > MAX_KEPT_CELLS or not len(self) or self.test_sizes.min() == 0:
            return np.array([row[test].sum(dtype=np.uint64) for test in self.tests()], np.uint64)
        starts = np.cumsum(self.test_sizes) - self.test_sizes
        return np.add.reduceat(row[self.tested[0]], starts)

    def __repr__(self) -> str:
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"<{len(self)} splits of {self.n} rows by {self.resampling}{seed}>"


def inner_splits(repeat: Indices, fold: Indices) -> NDArray[np.bool_]:
    """Say which splits are not to be judged; the fit on all rows has no repeat."""
    return (fold < 0) & (repeat >= 0)


def others(rows: Indices, n: int) -> Indices:
    """Return the rows below ``n`` that are not among the given ones."""
    kept = np.ones(n, bool)
    kept[rows] = False
    return np.flatnonzero(kept)


def mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Turn numbers into others that look random (Steele, Lea & Flood's splitmix64)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
