"""Where a function passes zero. By halving: importing scipy's root finders would take longer than all the rest."""

from __future__ import annotations

from collections.abc import Callable


def root(
    increasing: Callable[[float], float], low: float, high: float, *, halvings: int = 200
) -> float:
    """Halve the bracket until its ends are neighbours, or that often.

    >>> root(lambda x: x - 1.5, 0.0, 2.0)
    1.5
    """
    for _ in range(halvings):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if increasing(middle) < 0 else (low, middle)
    return (low + high) / 2
