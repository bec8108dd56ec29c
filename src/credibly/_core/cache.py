"""What is computed once and cached with what it was made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")


class HasCache(Protocol):
    """Something immutable with room for what is derived from it."""

    @property
    def cache(self) -> dict[Any, Any]:
        """What has been computed, by key."""


def cached(owner: HasCache, key: object, compute: Callable[[], T]) -> T:
    """Return what was computed before under a key, or compute it now.

    >>> from types import SimpleNamespace
    >>> table = SimpleNamespace(cache={})
    >>> cached(table, "sum", lambda: 3), cached(table, "sum", lambda: 4)
    (3, 3)
    """
    if key not in owner.cache:
        owner.cache[key] = compute()
    found: T = owner.cache[key]
    return found


@dataclass(frozen=True)
class Slot(Generic[T]):
    """Where something of one type is kept with its owner by one part of the library for another.

    >>> from types import SimpleNamespace
    >>> table, total = SimpleNamespace(cache={}), Slot[int]("total")
    >>> total.put(table, 3)
    3
    >>> total.get(table), total.get(SimpleNamespace(cache={}))
    (3, None)
    """

    name: str

    def get(self, owner: HasCache) -> T | None:
        """Return what was put there, if anything was."""
        found: T | None = owner.cache.get(self)
        return found

    def put(self, owner: HasCache, value: T) -> T:
        """Keep something there."""
        owner.cache[self] = value
        return value

    def share(self, owner: HasCache, other: HasCache) -> None:
        """Keep what is there with another owner as well."""
        if self in owner.cache:
            other.cache[self] = owner.cache[self]
