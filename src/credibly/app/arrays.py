"""Arrays as text that a page turns back into arrays of the same numbers."""

from __future__ import annotations

from base64 import b64encode

import numpy as np
from numpy.typing import ArrayLike


def packed(values: ArrayLike) -> dict[str, str]:
    """Write numbers as the bytes of the smallest kind that holds them.

    >>> packed([1, 2, 3]), packed([0.5])["type"]
    ({'type': 'u1', 'data': 'AQID'}, 'f8')
    """
    array = np.asarray(values)
    if (whole := array.astype(np.float64)).size == 0 or (
        (whole >= 0) & (whole < 2**32) & (whole == np.floor(whole))
    ).all():
        array = array.astype(np.min_scalar_type(int(whole.max(initial=0))))
    kind = {"u1": "u1", "u2": "u2", "u4": "u4"}.get(array.dtype.str[1:], "f8")
    return {"type": kind, "data": b64encode(array.astype(f"<{kind}").tobytes()).decode()}
