"""Types of arrays, for hints, and what rounding may leave of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias, TypeGuard

import numpy as np

# What numpy.typing.NDArray stands for, without the import, which would delay small commands.
Floats: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
Indices: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.intp]]

ROUNDING = 1e-12  # of the size of numbers: a smaller difference between them is rounding
MAX_EXACT_WHOLE = 2.0**53  # beyond it, doubles skip whole numbers
UNIT_RANGE = (0.0, 1.0)
REAL_LINE = (-np.inf, np.inf)

# Sums of products over the last axis, cases, in one thread. BLAS (a @ b) shares out long columns, so that the last
# digits would say among how many threads, and these wait for one another wherever processors are busy.
dot: Callable[[Any, Any], Any] = partial(np.einsum, "...i,...i->...")


def evenly(n: int, most: int) -> Indices:
    """Return the places of all of ``n`` things in a row, or of so many of them, from first to last.

    >>> evenly(3, 5).tolist(), evenly(101, 5).tolist()
    ([0, 1, 2], [0, 25, 50, 75, 100])
    """
    return np.unique(np.linspace(0, n - 1, min(n, most)).astype(np.intp))


def is_masked_array(values: object) -> TypeGuard[np.ma.MaskedArray[Any, Any]]:
    """Whether values are a masked array; without numpy.ma, whose import would delay small commands, none is.

    >>> is_masked_array(np.ma.masked_array([1.5], mask=[True])), is_masked_array(np.zeros(1))
    (True, False)
    """
    return "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray)
