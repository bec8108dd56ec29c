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
that a first result never waits for a compiler.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property
from types import FunctionType
from typing import Any, Literal, NamedTuple

from credibly._core.parameters import one_of, require

Device = Literal["cpu", "gpu"]

COMPILE_FROM = 100_000


def refuse_other_devices(device: object) -> None:
    """Refuse what names no device."""
    require("device", device, one_of("cpu", "gpu"))


def worth_compiling(n: int) -> bool:
    """Whether a kernel beats its numpy twin on ``n`` rows by more than its start-up costs."""
    return n >= COMPILE_FROM and os.environ.get("CREDIBLY_JIT", "1") != "0"


class Kernel:
    """A loop over plain arrays, which numba compiles when it is first called, with the kernels that it calls."""

    def __init__(self, plain: FunctionType, options: dict[str, Any]) -> None:
        self.plain, self._options = plain, options

    @cached_property
    def compiled(self) -> Callable[..., Any]:
        """The compiled function; two threads may both make it, and find the same."""
        from numba import njit

        names, code = self.plain.__globals__, self.plain.__code__
        called = {n: names[n] for n in code.co_names if isinstance(names.get(n), Kernel)}
        inside = {n: kernel.compiled for n, kernel in called.items()}
        function = FunctionType(code, {**names, **inside}) if inside else self.plain
        compiled: Callable[..., Any] = njit(nogil=True, cache=True, **self._options)(function)
        return compiled

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401
        """Call the compiled function."""
        return self.compiled(*arguments)

    def worth(self, n: int) -> Callable[..., Any]:
        """Return what is faster on ``n`` rows: the compiled function, or the plain one as it stands."""
        return self.compiled if worth_compiling(n) else self.plain


def kernel(**options: Any) -> Callable[[Any], Kernel]:  # noqa: ANN401
    """Declare the decorated function as a kernel, with options of numba's compiler."""
    return lambda plain: Kernel(plain, options)


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


class ErrorSums(NamedTuple):
    """Sums over rows of functions of the error of a predicted number."""

    error: float
    """Prediction minus truth."""
    square: float
    distance: float
    """Without its sign."""
    share: float
    """The distance as a share of the truth's."""
