"""Compiled kernels: plain arrays in, plain arrays out. The only place that imports numba.

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
