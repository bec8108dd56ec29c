"""Rows that are equal in all columns: which they are, and how many chance alone would make equal."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Indices
from credibly._core.layout import Printed
from credibly._core.text import count
from credibly.resampling._splits import mixed

if TYPE_CHECKING:
    Hashes = NDArray[np.uint64]

MAX_SORTED_VALUES = 20_000_000  # values that are sorted to tell how many equal rows chance gives
SIGNIFICANCE = 0.001


@dataclass(frozen=True, slots=True)
class EqualPairs(Printed):
    """Pairs of equal rows, and how many of them values as coarse as these would give by chance.

    ``expected`` is NaN where it is unknown. ``together`` is how many pairs come and go with a row.
    """

    pairs: int
    expected: float
    together: float = 1.0

    @property
    def enough(self) -> bool:
        """Whether chance explains the pairs: as many or more come up once in a thousand times at least."""
        from scipy.special import pdtrc

        if math.isnan(self.expected):
            return False
        most = self.expected + math.sqrt(2 * self.expected)  # it is itself made of chance pairs
        met = math.floor(self.pairs / self.together)
        # Poisson's probability of at least as many pairs; without pairs there is nothing to explain.
        return met <= 0 or bool(pdtrc(met - 1, most / self.together) >= SIGNIFICANCE)

    def __str__(self) -> str:
        if math.isnan(self.expected):
            return count(self.pairs, "pair")
        text = f"{self.expected:.2g}" if self.expected < 10 else f"{self.expected:,.0f}"
        return f"{count(self.pairs, 'pair')}, where chance alone gives about {text}"


def by_chance(X: Any) -> EqualPairs:  # noqa: ANN401, N803
    """Count the pairs of equal rows, and those that chance would give.

    Chance shows in the pairs that differ in one column or two, which are no copies. Where values are
    measured and rounded, about half as many pairs are equal as lie one step of a column apart. Where they
    are categories, a pair that is equal elsewhere is equal in a column as often as any two rows are, and
    is to those that differ in this column as those that differ in another are to those that differ in
    both. None of these is too high by more than chance, and each is too low for some data, so the largest
    counts.

    >>> rng = np.random.default_rng(1)
    >>> rounded = rng.normal(size=(300, 3)).round(1)
    >>> by_chance(rounded).enough, by_chance(np.vstack([rounded, rounded[:30]])).enough
    (True, False)
    """
    if hasattr(X, "tocsr"):
        return EqualPairs(_pairs(equal_rows(X)), math.nan)
    columns = list(_columns(X))
    if len(columns) == 1:  # one value alone tells no copy from another case
        pairs = _pairs(equal_rows(X))
        return EqualPairs(pairs, float(pairs))
    rows = _HashedRows.of(_of_columns(X))
    step = math.ceil(2 * len(columns) * rows.total.size / MAX_SORTED_VALUES)
    chosen = range(0, len(columns), step)
    terms = {j: _term(columns[j], j) for j in chosen}
    apart = {j: rows.equal_but_for(terms[j]) - rows.pairs for j in chosen}
    each = [rows.one_step(columns[j], terms[j]) / 2 for j in chosen]
    each += [apart[j] * _odds(columns[j]) for j in chosen]
    neighbours = list(pairwise(chosen))
    both = sum(
        rows.equal_but_for(terms[j] + terms[k]) - rows.pairs - apart[j] - apart[k]
        for j, k in neighbours
    )
    each.append(sum(apart[j] * apart[k] for j, k in neighbours) / both if both else 0.0)
    return EqualPairs(rows.pairs, max(each), rows.together)


@dataclass(frozen=True, slots=True)
class _HashedRows:
    """Hashes of rows, which are sums over columns, so that columns can be taken out or exchanged."""

    total: Hashes
    known: Hashes
    sizes: Indices

    @classmethod
    def of(cls, total: Hashes) -> _HashedRows:
        return cls(total, *np.unique(total, return_counts=True))

    @property
    def pairs(self) -> int:
        return int((self.sizes * (self.sizes - 1) // 2).sum())

    @property
    def together(self) -> float:
        """Return with how many others a row of a pair is equal, on average."""
        others = self.sizes - 1
        return float((self.sizes * others**2).sum() / max((self.sizes * others).sum(), 1) or 1)

    def equal_but_for(self, terms: Hashes) -> int:
        """Count the pairs that are equal when these columns are left out."""
        return _HashedRows.of(self.total - terms).pairs

    def one_step(self, column: NDArray[Any], terms: Hashes) -> int:
        """Count the pairs in which one has the next larger value of this column, and all else is equal."""
        text = column.dtype.kind not in "fiubmM"
        values, code = np.unique(column.astype(str) if text else column, return_inverse=True)
        example = np.zeros(values.size, np.intp)
        example[code] = np.arange(code.size)
        above = np.minimum(code + 1, values.size - 1)
        moved = self.total - terms + terms[example[above]]
        place = np.minimum(np.searchsorted(self.known, moved), self.known.size - 1)
        return int(self.sizes[place[(self.known[place] == moved) & (above > code)]].sum())


def _odds(column: NDArray[Any]) -> float:
    """Return the odds that two rows are equal in a column."""
    alike = _pairs(np.unique(_bits(column), return_inverse=True)[1])
    differ = math.comb(column.size, 2) - alike
    return alike / differ if differ else 0.0


def _pairs(codes: NDArray[Any]) -> int:
    sizes = np.bincount(codes)
    return int((sizes * (sizes - 1) // 2).sum())


def equal_rows(X: Any) -> Indices:  # noqa: ANN401, N803
    """Return a code for each row, shared by rows with equal values; missing equals missing.

    Takes arrays, frames of pandas, polars or pyarrow, and sparse matrices. Rows are distinguished by 64
    bits of hash, so among a million rows two different ones are confused once in forty million times.

    >>> equal_rows([[1, 2], [3, 4], [1, 2]]).tolist()
    [1, 0, 1]
    """
    hashes = _of_sparse(X.tocsr()) if hasattr(X, "tocsr") else _of_columns(X)
    return np.unique(hashes, return_inverse=True)[1].astype(np.intp)


def _of_columns(X: Any) -> Hashes:  # noqa: ANN401, N803
    total = np.zeros(1, np.uint64)
    for j, column in enumerate(_columns(X)):
        total = total + _term(column, j)
    return total


def _term(column: NDArray[Any], j: int) -> Hashes:
    return mixed(_bits(column) + mixed(np.array([j], np.uint64)))


def _of_sparse(X: Any) -> Hashes:  # noqa: ANN401, N803
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    there = X.data != 0
    hashes = mixed(_bits(X.data) + mixed(X.indices.astype(np.uint64)))
    total = np.zeros(X.shape[0], np.uint64)
    np.add.at(total, rows[there], hashes[there])
    return total


def _columns(X: Any) -> Iterator[NDArray[Any]]:  # noqa: ANN401, N803
    if hasattr(X, "iloc"):
        return (np.asarray(X.iloc[:, j]) for j in range(X.shape[1]))
    if hasattr(X, "columns"):
        return (np.asarray(c) for c in getattr(X, "get_columns", lambda: X.columns)())
    array = np.asarray(X)
    return iter(array.reshape(len(array), -1).T)


def _bits(column: NDArray[Any]) -> Hashes:
    """Return 64 bits for each value, equal for equal values."""
    if column.dtype.kind == "f":
        values = column.astype(np.float64) + 0.0  # minus zero becomes zero
        values[np.isnan(values)] = np.nan  # one of the many NaNs
        return values.view(np.uint64)
    if column.dtype.kind in "iubmM":
        return column.astype(np.int64).view(np.uint64)
    texts: dict[str, int] = {}
    return np.array([texts.setdefault(str(v), len(texts)) for v in column.tolist()], np.uint64)
