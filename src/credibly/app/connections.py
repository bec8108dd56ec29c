"""Connections: those whose sender has not shown the token are few, short, and make room for each other.

A connection that sends nothing, or a byte now and then, costs its sender nothing. So one that has not
yet carried a request with the token is a stranger: the oldest stranger is cut off when there are too
many, and every stranger that asks for nothing is cut off after a while. Whoever has the token is never
kept out by them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from credibly.app.security import REQUEST_STATE_KEY

if TYPE_CHECKING:
    import asyncio

MAX_UNKNOWN_CONNECTIONS = 32
LOOK_SECONDS = 10.0
MAX_CONNECTIONS = 128  # of any kind; the server asks further ones to come later


class Connection(H11Protocol):
    """One connection, as uvicorn speaks HTTP over it."""

    since: float
    patience: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room for a new connection among the strangers."""
        super().connection_made(transport)
        self.since = self.loop.time()
        self.patience = self.loop.call_later(LOOK_SECONDS, self._look)
        strangers = [each for each in self._all() if not each.known]
        if len(strangers) > MAX_UNKNOWN_CONNECTIONS:
            min(strangers, key=lambda each: each.since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self.patience.cancel()
        super().connection_lost(exc)

    @property
    def known(self) -> bool:
        """Whether a request with the token has come over it."""
        return self.scope is not None and bool(self.scope["state"].get(REQUEST_STATE_KEY))

    def _all(self) -> list[Connection]:
        found: Any = self.connections  # a set of whatever protocol uvicorn was given
        return [each for each in found if not each.transport.is_closing()]

    def _look(self) -> None:
        """Cut off a stranger that is not being answered."""
        answering = self.cycle is not None and not self.cycle.response_complete
        if self.known or answering:
            self.patience = self.loop.call_later(LOOK_SECONDS, self._look)
        else:
            self.transport.abort()
