"""Who may ask: the checks that every request passes before anything else looks at it.

A page on another site can send requests to this machine, and a name of its own can be made to point
here. So the name in `Host` must be one of ours, a request that a page sends must come from our own
page, and whoever asks for data must know the token that was printed at the start.
"""

from __future__ import annotations

import re
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from ipaddress import ip_address
from typing import Any

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
# These hold no data.
PUBLIC = re.compile(r"/api|/api/openapi\.json|/static/(?:screens/)?[^/]+|/favicon\.ico")
DENY_ALL_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PAGE_POLICY = f"{DENY_ALL_POLICY}; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'"
# A report in a frame of our page has an origin of its own; what it may do is what the report itself says.
FRAME_HEADERS = {
    "Content-Security-Policy": "sandbox allow-scripts; frame-ancestors 'self'; connect-src 'none'; form-action 'none'",
    "X-Frame-Options": "SAMEORIGIN",
}
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
# After these we hang up, or the rest of the body would have to be received.
ERROR_HEADERS = {401: {"WWW-Authenticate": "Bearer"}}
CLOSING_STATUSES = {401, 403, 408, 413}
# In the state of a request, for the connection that it came over.
REQUEST_STATE_KEY = "credibly.knows_token"
REFUSAL_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Credibly: refused</title></head>
<body><h1>Refused</h1><p>{why}</p></body></html>
"""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not answered."""

    status: int
    why: str


@dataclass(frozen=True, slots=True)
class SecurityMiddleware:
    """Stands before an application and answers in its place what must not reach it."""

    app: ASGIApp
    token: str
    host: str = "127.0.0.1"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on; either way with the headers that protect the answer."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in {**HEADERS, "Content-Security-Policy": DENY_ALL_POLICY}.items():
                    headers.setdefault(name, value)
                if message["status"] in CLOSING_STATUSES:
                    headers["Connection"] = "close"
            await send(message)

        refusal = self.refusal(scope)
        app = self.app if refusal is None else answer(refusal.status, refusal.why, scope)
        await app(scope, receive, protected)

    def refusal(self, scope: Scope) -> Refusal | None:
        """Say why a request is refused, if it is."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self.is_ours(hosts[0]):
            name = hosts[0] if hosts else ""
            return Refusal(
                403,
                f"This server does not answer to {name[:100]!r}. Open the address that it printed.",
            )
        if not _from_our_page(headers, hosts[0]):
            return Refusal(403, "Pages of other sites may not use this server.")
        knows = self.knows_token(scope, headers)
        scope.setdefault("state", {})[REQUEST_STATE_KEY] = knows
        if not knows and not PUBLIC.fullmatch(scope["path"]):
            return Refusal(
                401,
                "The token is missing or wrong. Open the address that the server printed when it started.",
            )
        return None

    def is_ours(self, host: str) -> bool:
        """Say whether a Host header names this server; the port may be that of a tunnel.

        A server that listens to other machines is also known by any address, since a name that is
        made to point here is never an address, and by the name of its machine.
        """
        name = _name_of(host)
        if name in LOOPBACK or self.host in LOOPBACK:
            return name in LOOPBACK
        return _is_address(name) or name in {self.host.lower(), socket.gethostname().lower()}

    def knows_token(self, scope: Scope, headers: Headers) -> bool:
        """Say whether the token stands in the query or in the Authorization header."""
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        asked = QueryParams(scope["query_string"]).get("token", "")
        given = bearer if scheme.lower() == "bearer" else asked
        return secrets.compare_digest(given.encode(), self.token.encode())


def _name_of(host: str) -> str:
    """Return the name in a Host header without its port.

    >>> _name_of("LocalHost:8000"), _name_of("[::1]:8000"), _name_of("127.0.0.1.evil.com")
    ('localhost', '::1', '127.0.0.1.evil.com')
    """
    match = re.fullmatch(r"\[([0-9a-fA-F:.]+)\](?::\d+)?|([^:\[\]/@\s]+)(?::\d+)?", host)
    return (match[1] or match[2]).lower() if match else ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _from_our_page(headers: Headers, host: str) -> bool:
    """Say whether a request comes from our own page, or from no page: a link that is followed, a program."""
    origins = headers.getlist("origin")
    if any(origin not in {f"http://{host}", f"https://{host}"} for origin in origins):
        return False
    if headers.get("sec-fetch-site", "none") in {"none", "same-origin"}:
        return True
    return (
        headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    )


def html(page: str, status: int = 200) -> Response:
    """Answer with a page of ours, which may run the scripts of this server and no others."""
    return HTMLResponse(page, status, headers={"Content-Security-Policy": PAGE_POLICY})


def framed(page: str) -> Response:
    """Answer with a report, which our own page alone may show in a frame."""
    return HTMLResponse(page, headers=FRAME_HEADERS)


def answer(
    status: int, why: str, scope: Scope, details: Mapping[str, Any] | None = None
) -> Response:
    """Answer that something is wrong: a page to who opened an address, JSON to a program."""
    if scope["method"] == "GET" and not scope["path"].startswith("/api"):
        return html(REFUSAL_PAGE.format(why=escape(why)), status)
    body = {"error": why, "status": status, **({"details": details} if details else {})}
    return JSONResponse(body, status, ERROR_HEADERS.get(status))
