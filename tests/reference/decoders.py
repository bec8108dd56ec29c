"""The other side of a message: a decoder for each coder, which has the inputs and the symbols alone.

A reader works out the probability of every symbol by itself. If its bits are those of the message,
the message is a code: the probabilities of what could have stood in its place sum to 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from every.additions import ByHand


class Reader:
    def __init__(self, values, *, labels_only=False):
        self.values = list(values)
        self.bits = 0.0
        self.labels_only = labels_only

    def next(self, bits):
        value = self.values.pop(0)
        self.bits += bits(value)
        return value

    def flag(self):
        value = self.next(lambda v: 1.0)
        assert value in (0, 1)
        return bool(value)

    def choice(self, among):
        value = self.next(lambda v: math.log2(among))
        assert 0 <= value < among
        return value

    def whole(self):
        return self.next(lambda v: _whole(v))

    def signed(self):
        return self.next(lambda v: _whole(abs(v)) + (1 if v else 0))

    def subset(self, among):
        size = self.whole()
        places = self.next(lambda v: math.log2(math.comb(among, size)))
        assert len(places) == size == len(set(places))
        assert all(0 <= p < among for p in places)
        return places

    def real(self, unit):
        return self.signed() * unit

    def scale(self, unit, n):
        return unit * math.exp(self.signed() / math.sqrt(2 * max(n, 1)))

    def distribution(self, k, n):
        return np.eye(k)[self.choice(k)] if self.labels_only else self.shares(k, n)

    def shares(self, k, n):
        shares, left = [], 1.0
        for _ in range(k - 1):
            cells = max(1, math.ceil(math.pi / 2 * math.sqrt(n * left)))
            angle = (self.choice(cells) + 0.5) * math.pi / 2 / cells
            shares.append(left * math.sin(angle) ** 2)
            left -= shares[-1]
        return np.array([*shares, left])


def _whole(value):
    """Elias's idea: digits first, with the probability 1 / (b (b + 1)), then which number of b digits."""
    b = len(bin(value + 1)) - 2
    return math.log2(2 ** (b - 1) * b * (b + 1))


@dataclass
class Shared:
    """What both sides know."""

    X: object
    n: int
    k: int
    pseudo_count: float = 0.5
    precision: float = 1.0

    def smoothed(self, p):
        return (self.n * p + self.pseudo_count) / (self.n + self.pseudo_count * self.k)

    @property
    def columns(self):
        X = np.asarray(self.X, float)
        return [(x, x.mean(), x.std()) for x in X.T if (x != x[0]).any()]


def decode_zero_r(reader, shared):
    if shared.k:
        return np.tile(reader.distribution(shared.k, shared.n), (shared.n, 1))
    spread = reader.scale(shared.precision, shared.n)
    return np.full(shared.n, reader.real(spread / math.sqrt(shared.n))), spread


def decode_one_r(reader, shared):
    X = np.asarray(shared.X, object)
    column = X[:, reader.choice(X.shape[1])]
    numeric = all(isinstance(v, int | float) for v in column if v is not None)
    if numeric:
        column = np.array([math.nan if v is None else v for v in column], float)
        values = np.unique(column[~np.isnan(column)])
        ends = values[list(reader.subset(len(values) - 1))]
        bucket = [len(ends) + 1 if math.isnan(v) else int((v > ends).sum()) for v in column]
    else:
        known = sorted({v for v in column if v is not None})
        bucket = [len(known) if v is None else known.index(v) for v in column]
    said = np.empty((shared.n, shared.k))
    for b in sorted(set(bucket)):
        rows = np.array(bucket) == b
        said[rows] = reader.distribution(shared.k, rows.sum())
    return said


def decode_tree(reader, shared):
    spread = 1.0 if shared.k else reader.scale(shared.precision, shared.n)
    said = read_tree(reader, shared, spread)
    return said if shared.k else (said[:, 0], spread)


def decode_forest(reader, shared):
    trees = reader.whole()
    spread = 1.0 if shared.k else reader.scale(shared.precision, shared.n)
    said = np.mean([read_tree(reader, shared, spread) for _ in range(trees)], axis=0)
    return said if shared.k else (said[:, 0], spread)


def read_tree(reader, shared, spread):
    X = np.asarray(shared.X, np.float32)
    columns = [j for j in range(X.shape[1]) if len(np.unique(X[:, j])) > 1]
    said = np.empty((shared.n, shared.k or 1))

    def node(rows):
        if not reader.flag():
            said[rows] = (
                reader.distribution(shared.k, len(rows))
                if shared.k
                else reader.real(spread / math.sqrt(len(rows)))
            )
            return
        values = X[rows, columns[reader.choice(len(columns))]]
        gone = np.isnan(values)
        known = np.unique(values[~gone])
        if gone.any():
            place, missing_left = divmod(reader.choice(2 * len(known) - 1), 2)
        else:
            place, missing_left = reader.choice(len(known) - 1), 0
        left = np.where(gone, bool(missing_left), values <= known[place])
        node(rows[left])
        node(rows[~left])

    node(np.arange(shared.n))
    return said


def decode_naive_bayes(reader, shared):
    share = reader.shares(shared.k, shared.n)
    joint = np.tile(share, (shared.n, 1))
    for c in range(shared.k):
        n = max(1.0, share[c] * shared.n)
        for x, middle, spread in shared.columns:
            wide = reader.scale(spread, n)
            mean = middle + reader.real(wide / math.sqrt(n))
            joint[:, c] *= np.exp(-(((x - mean) / wide) ** 2) / 2) / wide
    return shared.smoothed(joint / joint.sum(axis=1, keepdims=True))


def decode_full_bayes(reader, shared):
    share = reader.shares(shared.k, shared.n)
    joint = np.empty((shared.n, shared.k))
    X = np.column_stack([x for x, *_ in shared.columns])
    d = X.shape[1]
    for c in range(shared.k):
        n = max(1.0, share[c] * shared.n)
        variance, slopes = np.empty(d), np.eye(d)
        for i, (_, _, spread) in enumerate(shared.columns):
            variance[i] = reader.scale(spread, n) ** 2
            for h in range(i):
                slopes[i, h] = reader.real(math.sqrt(variance[i] / variance[h] / n))
        middle = [reader.real(math.sqrt(v / n)) for v in variance]
        mean = np.array([m for _, m, _ in shared.columns]) + slopes @ middle
        covariance = slopes @ np.diag(variance) @ slopes.T
        away = X - mean
        distance = np.einsum("ij,jk,ik->i", away, np.linalg.inv(covariance), away)
        joint[:, c] = share[c] * np.exp(-distance / 2) / math.sqrt(np.linalg.det(covariance))
    return shared.smoothed(joint / joint.sum(axis=1, keepdims=True))


def _plane(reader, shared, unit):
    value = np.full(shared.n, reader.real(unit))
    for x, middle, spread in shared.columns:
        value = value + reader.real(unit / spread) * (x - middle)
    return value


def decode_linear(reader, shared):
    spread = reader.scale(shared.precision, shared.n)
    return _plane(reader, shared, spread / math.sqrt(shared.n)), spread


def decode_logistic(reader, shared):
    unit = 2 / math.sqrt(shared.n)
    odds = [np.zeros(shared.n)] + [_plane(reader, shared, unit) for _ in range(shared.k - 1)]
    weight = np.exp(np.column_stack(odds))
    return shared.smoothed(weight / weight.sum(axis=1, keepdims=True))


def decode_knn(reader, shared):
    """Return the targets themselves; each label costs what those before it make of it."""
    reader.whole()
    if shared.k:
        seen = np.full(shared.k, shared.pseudo_count)
        codes = reader.next(lambda v: 0.0)
        for code in codes:
            reader.bits -= math.log2(seen[code] / seen.sum())
            seen[code] += 1
        return codes
    spread = reader.scale(shared.precision, shared.n)
    mean = reader.real(spread / math.sqrt(shared.n))
    values = reader.next(lambda v: 0.0) * shared.precision
    for value in values:
        reader.bits += _cell(value - mean, spread, shared.precision)
    return values


def _cell(away, spread, precision):
    low, high = (away - precision / 2) / spread, (away + precision / 2) / spread
    return -math.log2((math.erf(high / math.sqrt(2)) - math.erf(low / math.sqrt(2))) / 2)


DECODERS = ByHand(
    "Add a function decode_{name} to tests/reference/decoders.py that rebuilds the theory from the symbols.",
    {
        name.removeprefix("decode_"): function
        for name, function in globals().items()
        if name.startswith("decode_")
    },
)
