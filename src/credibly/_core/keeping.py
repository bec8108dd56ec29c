"""What is computed once and kept with what it was made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Keeper(Protocol):
    """Something immutable with room for what is derived from it."""

    @property
    def cache(self) -> dict[Any, Any]:
        """What has been computed, by key."""


def kept(owner: Keeper, key: object, compute: Callable[[], T]) -> T:
    """Return what was computed before under a key, or compute it now.

    >>> from types import SimpleNamespace
    >>> table = SimpleNamespace(cache={})
    >>> kept(table, "sum", lambda: 3), kept(table, "sum", lambda: 4)
    (3, 3)
    """
    if key not in owner.cache:
        owner.cache[key] = compute()
    found: T = owner.cache[key]
    return found
