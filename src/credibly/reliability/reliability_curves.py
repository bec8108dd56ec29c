"""Curves of what happened against what was foretold, with bands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from credibly._core.errors import ParameterError
from credibly._core.seeds import seed_of
from credibly._kernels.isotonic import isotonic, simulated
from credibly._kernels.smoothing import lowess
from credibly.curves.result import Band, Curve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from credibly.reliability.outcomes import Outcomes

    Floats = NDArray[np.float64]

PLACES = 200  # at which a band is kept
X, Y = "predicted probability", "observed share"
