"""How often cases of three classes, one of each, are distinguished by their probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from credibly._core.arrays import Floats
from credibly._kernels import kernel, worth_compiling

SUM_ROUNDING = 1e-12  # sums of probabilities that differ by less are equal


def triples_told_apart(a: Floats, b: Floats, c: Floats) -> tuple[Floats, Floats, Floats]:
    """Return for each case of three classes (rows of probabilities) the weight of the triples it is distinguished in.

    Of the six ways to give three cases to three classes, the one with the largest sum of probabilities
    is taken; those that share the largest sum share the triple.

    >>> one, two, three = (np.eye(3)[[i]] for i in range(3))
    >>> [side.tolist() for side in triples_told_apart(one, two, three)]
    [[1.0], [1.0], [1.0]]
    """
    out = np.zeros(len(a)), np.zeros(len(b)), np.zeros(len(c))
    if worth_compiling(len(a) * len(b) * len(c)):
        _count(*(np.ascontiguousarray(side) for side in (a, b, c)), *out)
    else:
        _by_rows(a, b, c, *out)
    return out


def _by_rows(a: Floats, b: Floats, c: Floats, *out: Floats) -> None:
    """Take all pairs of the second and third class at once: the twin of `_count`."""
    for i, x in enumerate(a):
        right = x[0] + b[:, None, 1] + c[None, :, 2]
        others = np.stack(
            [
                x[0] + b[:, None, 2] + c[None, :, 1],
                x[1] + b[:, None, 0] + c[None, :, 2],
                x[1] + b[:, None, 2] + c[None, :, 0],
                x[2] + b[:, None, 0] + c[None, :, 1],
                x[2] + b[:, None, 1] + c[None, :, 0],
            ]
        )
        share = np.where(
            (others > right + SUM_ROUNDING).any(axis=0),
            0.0,
            1 / (1 + (np.abs(others - right) <= SUM_ROUNDING).sum(axis=0)),
        )
        out[0][i] = share.sum()
        out[1][:] += share.sum(axis=1)
        out[2][:] += share.sum(axis=0)


@kernel()
def _count(a: Any, b: Any, c: Any, of_a: Any, of_b: Any, of_c: Any) -> None:  # noqa: ANN401
    for i in range(a.shape[0]):
        a0, a1, a2 = a[i, 0], a[i, 1], a[i, 2]
        for j in range(b.shape[0]):
            # What each class's third case would have to give, with the first two cases placed.
            b0, b1, b2 = b[j, 0], b[j, 1], b[j, 2]
            third = a0 + b1
            swapped = a1 + b0 - third
            if swapped > SUM_ROUNDING:
                continue
            second = a0 + b2 - third, a2 + b0 - third
            first = a1 + b2 - third, a2 + b1 - third
            for k in range(c.shape[0]):
                c1, c0 = c[k, 1] - c[k, 2], c[k, 0] - c[k, 2]
                most = max(max(second[0], second[1]) + c1, max(first[0], first[1]) + c0)
                if most > SUM_ROUNDING:
                    continue
                share = 1.0
                if most >= -SUM_ROUNDING or swapped >= -SUM_ROUNDING:
                    ties = 1
                    ties += swapped >= -SUM_ROUNDING
                    ties += (second[0] + c1 >= -SUM_ROUNDING) + (second[1] + c1 >= -SUM_ROUNDING)
                    ties += (first[0] + c0 >= -SUM_ROUNDING) + (first[1] + c0 >= -SUM_ROUNDING)
                    share = 1.0 / ties
                of_a[i] += share
                of_b[j] += share
                of_c[k] += share
