"""Things put together by what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values of each key, both in the order in which they come.

    >>> grouped([("b", 1), ("a", 2), ("b", 3)])
    {'b': [1, 3], 'a': [2]}
    """
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def grouped_by(key: Callable[[V], K], values: Iterable[V]) -> dict[K, list[V]]:
    """Return the values with the same key, in the order in which they come.

    >>> grouped_by(len, ["to", "be", "or", "not"])
    {2: ['to', 'be', 'or'], 3: ['not']}
    """
    return grouped((key(value), value) for value in values)
