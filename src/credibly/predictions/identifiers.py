"""Which columns number the cases and say nothing of them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

MIN_IDENTIFIER_ROWS = 20  # rows from which on values that all differ look like identifiers
MIN_EXPECTED_PAIRS = 3  # equal values that chance would bring: to have none then has 5 %
IDENTIFIER_NAME = re.compile(r"(?<![a-z])(id|no|nr|number|key|index|row)(?![a-z])|id$")


def is_identifier(name: str, values: NDArray[Any]) -> bool:
    """Whether values look like identifiers: they all differ and, if they are numbers, number the rows.

    Amounts of money differ as well, by chance. Whole numbers are identifiers if they rise or fall throughout,
    lie so close that chance would repeat some, or are called so.

    >>> income = np.random.default_rng(1).permutation(60_000)[:300]
    >>> [is_identifier(n, v) for n, v in [("income", income), ("customer no", income), ("x", np.arange(300))]]
    [False, True, True]
    """
    if not _all_differ(values):
        return False
    if values.dtype.kind not in "iu" or IDENTIFIER_NAME.search(name.lower()):
        return True
    steps = np.diff(values.astype(np.float64))
    span = float(values.max()) - float(values.min()) + 1
    pairs = values.size * (values.size - 1) / 2
    return bool((steps > 0).all() or (steps < 0).all() or pairs / span > MIN_EXPECTED_PAIRS)


def _all_differ(values: NDArray[Any]) -> bool:
    if len(values) < MIN_IDENTIFIER_ROWS or values.dtype.kind in "fb":
        return False
    head = values[:1000].tolist()  # most columns repeat a value early
    return len(set(head)) == len(head) and len(set(values.tolist())) == len(values)
