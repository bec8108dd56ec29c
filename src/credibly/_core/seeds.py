"""Where randomness comes from: a seed that the caller gives, or a fixed one."""

from __future__ import annotations

import numpy as np

from credibly._core.text import shown
from credibly.errors import ParameterError, says

FIXED_SEED = 1  # where none is given: the same numbers each time, and a finding that says so


def seed_of(rng: int | np.random.Generator) -> int:
    """Return the seed that an integer is, or that a generator draws.

    >>> seed_of(7)
    7
    """
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(0, 2**63))
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0:
        return int(rng)
    raise ParameterError(
        says(
            "<rng> must be a whole number of at least 0 or a numpy Generator; got {rng}.",
            rng=shown(rng),
        )
    )
