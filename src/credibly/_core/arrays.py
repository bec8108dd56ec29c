"""Types of arrays, for hints, and what rounding may leave of them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

# What numpy.typing.NDArray stands for, without the import, which would delay small commands.
Floats: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
Indices: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.intp]]

ROUNDING = 1e-12  # of the size of numbers: more than is left of a difference that is none
