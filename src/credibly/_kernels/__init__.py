"""Compiled kernels: plain arrays in, plain arrays out. The only place that imports numba.

A finite double without its sign has 63 bits, so score and class share one 64-bit key, and sorting scores
*with* their classes is a plain sort of keys: no index, no gather. Keys of scores from 0 to 1.5,
probabilities among them, are themselves ordered doubles, which sort faster than whole numbers. Which sort
is faster, numpy's vector sort or a radix sort, differs by a factor of five between processors that report
the same instructions, so the kernel tries both once. One pass over the sorted keys then writes the
distinct-score table and adds up what AUC, average precision and KS need. Losses of two classes depend on
the probability of what happened alone, so one more pass sums all of them (`quick=` of a loss): exponents
are added and mantissas multiplied, and one logarithm serves 512 cases. Thresholded confusion matrices need
no sort at all: a small table of cells leads each score to its place among the thresholds. `benchmarks/`
states all of this as ratios to peers and to the floor (a sort, a pass over memory).

Small inputs, and all inputs under ``CREDIBLY_JIT=0``, take the numpy twin of each kernel instead, so
that nobody waits for a compiler to see a first result.
"""

from __future__ import annotations

import os
from typing import Literal, NamedTuple

Device = Literal["cpu", "gpu"]

COMPILE_FROM = 100_000


def worth_compiling(n: int) -> bool:
    """Whether a kernel beats its numpy twin on ``n`` rows by more than its start-up costs."""
    return n >= COMPILE_FROM and os.environ.get("CREDIBLY_JIT", "1") != "0"


class LossSums(NamedTuple):
    """Sums over rows of functions of q, the probability that was given to what happened."""

    distance: float
    """1 - q."""
    square: float
    """(1 - q) squared."""
    logarithm: float
    """-log q, where q is not 0."""
    zeros: float
    """Rows where q is 0."""
