"""Starting the server: a port, an address to open, and a clean end."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from html import escape
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import quote

from credibly.app.security import LOOPBACK
from credibly.errors import DataError, ParameterError, says

if TYPE_CHECKING:
    from credibly.app.session import Session

FIRST_PORT, TRIED_PORTS, LAST_PORT = 8765, 20, 65_535
SHORTEST_TOKEN = 16
REDIRECT_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Credibly</title>
<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url={address}"></head>
<body><p><a href="{address}">Open the page</a></p></body></html>
"""


def token_for(host: str, given: str | None) -> str:
    """Return the token that was given, or a new one; a server for other machines needs a good one.

    >>> token_for("0.0.0.0", None)
    Traceback (most recent call last):
    ...
    credibly.errors.ParameterError: host='0.0.0.0' lets other machines in, so it needs a token. ...
    """
    if host not in LOOPBACK and given is None:
        raise ParameterError(
            says("<host={host}> lets other machines in, so it needs a token.", host=host),
            remedy=says(
                "Choose a secret, such as {token}, and write it to a file that you name with "
                "<token_file=...>, or set CREDIBLY_TOKEN.",
                token=secrets.token_urlsafe(16),
            ),
        )
    if given is not None and len(given) < SHORTEST_TOKEN:
        raise ParameterError(
            f"The token has {len(given)} characters; others could guess it.",
            remedy=f"Choose one of at least {SHORTEST_TOKEN} characters, or none for a new one.",
        )
    return given or secrets.token_urlsafe(24)


def token_from(file: Path | None) -> str | None:
    """Return the token that a file or the environment holds; a command line is read by other users."""
    if file is None:
        return os.environ.get("CREDIBLY_TOKEN")
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise DataError(f"The token cannot be read from {file}.") from None


def open_browser(address: str, folder: Path) -> None:
    """Open the page in a browser.

    Other users see the command lines of this machine, so the browser is given a private file that
    leads to the address, never the address itself.
    """
    file = folder / "open.html"
    file.write_text(REDIRECT_PAGE.format(address=escape(address)), encoding="utf-8")
    Thread(target=webbrowser.open, args=(file.as_uri(),), daemon=True).start()


def listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens: at the port asked for, or at the first free one."""
    if port is not None and not 0 <= port <= LAST_PORT:
        raise ParameterError(
            says(
                "<port=> is a number from 0 (any free one) to {last!s}; got {port!s}.",
                last=LAST_PORT,
                port=port,
            )
        )
    family = socket.AF_INET6 if _is_six(host) else socket.AF_INET
    tried = range(FIRST_PORT, FIRST_PORT + TRIED_PORTS) if port is None else [port]
    for each in tried:
        with suppress(OSError):
            return socket.create_server((host, each), family=family)
    if port is None:
        raise ParameterError(
            f"The ports {FIRST_PORT} to {FIRST_PORT + TRIED_PORTS - 1} of {host} are in use.",
            remedy=says("Choose one with <port=...>."),
        )
    raise ParameterError(
        f"Port {port} of {host} cannot be used: another program has it, or it is not allowed.",
        remedy=says("Choose another with <port=...>, or leave it out for a free one."),
    )


def _is_six(host: str) -> bool:
    try:
        return ip_address(host).version == 6
    except ValueError:
        return False


def address_of(sock: socket.socket, token: str) -> str:
    """Return what to open in a browser."""
    host, port = sock.getsockname()[:2]
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/?token={quote(token)}"


def serve(
    session: Session, sock: socket.socket, token: str, host: str, ready: Callable[[], None]
) -> None:
    """Answer requests until Ctrl-C; ``ready`` is called when the first can come."""
    import uvicorn

    from credibly.app.connections import MAX_CONNECTIONS, Connection
    from credibly.app.server import application

    config = uvicorn.Config(
        application(session, token, host=host),
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=3,
        http=Connection,
        limit_concurrency=MAX_CONNECTIONS,
    )

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            session.ended.set()
            logging.getLogger(
                "uvicorn.error"
            ).disabled = True  # connections that are cut off now are not errors
            await super().shutdown(sockets)

    signal.signal(signal.SIGTERM, _end)
    with suppress(KeyboardInterrupt):
        Server(config).run(sockets=[sock])


def _end(number: int, _: object) -> NoReturn:
    """End as a program does that is done, so that what is temporary goes."""
    raise SystemExit(128 + number)
