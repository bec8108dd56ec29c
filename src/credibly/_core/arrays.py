"""Types of arrays, for hints."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

# What numpy.typing.NDArray stands for, without the import, which would delay small commands.
Floats: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
Indices: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.intp]]
