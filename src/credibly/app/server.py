"""The server: routes to the declared calls, the page and its files, behind the checks of security."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

from anyio import CapacityLimiter, fail_after, open_file, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from credibly.app import calls, experiment_calls, report_calls  # noqa: F401
from credibly.app.declared_calls import CALLS, JSON_TYPE, Answer, Call
from credibly.app.jobs import PendingCall, StoppedError, TooLongError, UnknownJobError, doing
from credibly.app.prediction_store import Kept, UnknownSetError
from credibly.app.runs import RunningError
from credibly.app.security import SecurityMiddleware, answer, framed, html
from credibly.app.session import Session, plain_label
from credibly.app.surface import on_page, said_here, without_folders
from credibly.app.upload_folder import discard_upload, upload_folder
from credibly.errors import CrediblyError, ParameterError, surface
from credibly.io import bundled_names, bundled_story, readers
from credibly.measures import measures
from credibly.results.formats import SCHEMA_VERSION, json_text

MAX_JSON_BYTES = 1_000_000
MAX_WAITING_CALLS = (
    16  # calls that compute or wait for it; the server asks further ones to come later
)
POLL_SECONDS = 0.2  # between looks at whether a call is still wanted
IDLE_SECONDS = 60.0  # in which nothing of a body comes
STATIC_TYPES = {".js": "text/javascript", ".css": "text/css"}


class TooLargeError(CrediblyError):
    """A body that is larger than is taken."""


class TooSlowError(CrediblyError):
    """A body that stopped arriving."""


class BusyError(CrediblyError):
    """More calls than are taken at a time."""


# The most particular first.
ERROR_STATUSES: dict[type[BaseException], int] = {
    TooLargeError: 413,
    TooSlowError: 408,
    BusyError: 503,
    StoppedError: 409,
    RunningError: 409,
    TooLongError: 503,
    UnknownSetError: 404,
    UnknownJobError: 404,
    ParameterError: 400,
    CrediblyError: 422,
    MemoryError: 413,
}


def application(session: Session, token: str, *, host: str = "127.0.0.1") -> SecurityMiddleware:
    """Return the server as an ASGI application."""
    return SecurityMiddleware(Site(session, token).app(), token, host)


class Site:
    """The routes, and how a request becomes a call."""

    def __init__(self, session: Session, token: str) -> None:
        self.session = session
        self.token = token
        self._one_at_a_time = CapacityLimiter(1)
        self._waiting = 0

    def app(self) -> Starlette:
        """Return the routes as an application."""
        routes = [
            Route("/", self.page),
            Route("/api", self.reference),
            Route("/api/openapi.json", self.openapi),
            Route("/static/{name:path}", self.static),
            Route("/favicon.ico", self.no_icon),
            Route("/preview/{id}", self.preview),
            *(
                Route(each.path, partial(self.answer, each), methods=[each.method])
                for each in CALLS
            ),
        ]
        handlers: dict[Any, Callable[..., Any]] = {
            404: _not_found,
            405: _not_found,
            Exception: _unexpected,
        }
        return Starlette(routes=routes, lifespan=self._lifespan, exception_handlers=handlers)

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Keep uploads in a folder that goes with the server, also when a signal ends it."""
        with upload_folder() as folder:
            self.session.folder = folder
            Thread(target=self.session.warm, daemon=True).start()
            try:
                yield
            finally:
                self.session.workshop.runs.end()
                self.session.folder = None

    async def page(self, request: Request) -> Response:
        """Show the set that the address names, or the one that was opened at the start."""
        from credibly.app.page import render

        kept, error = None, None
        try:
            key = request.query_params.get("id") or self.session.at_start
            kept = self.session.store[key] if key else None
        except UnknownSetError as unknown:
            error = str(unknown)
        server = {
            "token": self.token,
            "set": None if kept is None else _as_page(kept),
            "limit": self.session.limits.size,
            "examples": [{"name": name, "about": bundled_story(name)} for name in bundled_names()],
            "formats": [{"title": r.title, "suffixes": list(r.suffixes)} for r in readers],
            "measures": {m.name: m.title for m in measures},
            "error": error,
        }
        return html(await to_thread.run_sync(partial(render, None, server=server)))

    async def reference(self, _: Request) -> Response:
        """Describe the calls to a reader."""
        from credibly.app.openapi import reference

        return html(reference())

    async def openapi(self, _: Request) -> Response:
        """Describe the calls to a program."""
        from credibly.app.openapi import document

        return JSONResponse(document())

    async def static(self, request: Request) -> Response:
        """Send a script or style of the page: one of those we have, by its name."""
        from credibly.app.page import static

        name = request.path_params["name"]
        try:
            text = await to_thread.run_sync(static, name)
        except CrediblyError:
            return await _not_found(request, None)
        return Response(text, media_type=STATIC_TYPES.get(Path(name).suffix, "text/plain"))

    async def preview(self, request: Request) -> Response:
        """Send a report that is looked at before it is saved."""
        page = self.session.shown.get(request.path_params["id"])
        return await _not_found(request, None) if page is None else framed(page)

    async def no_icon(self, _: Request) -> Response:
        """Browsers ask; there is none."""
        return Response(status_code=204)

    async def answer(self, call: Call, request: Request) -> Response:
        """Answer a call; what is wrong is said with the status that fits."""
        try:
            made = await self._made(call, request)
        except ClientDisconnect:
            return Response(status_code=400)
        except (CrediblyError, MemoryError) as error:
            status = next(code for kind, code in ERROR_STATUSES.items() if isinstance(error, kind))
            with surface(on_page):
                why = str(error) or "There is not enough memory for this. Use fewer cases."
            details = error.to_dict() if isinstance(error, CrediblyError) else None
            folders = self.session.private_folders()
            return answer(
                status,
                without_folders(why, folders),
                request.scope,
                without_folders(details, folders),
            )
        named = {"Content-Disposition": f'attachment; filename="{made.file_name}"'}
        headers = named if made.file_name else None
        return Response(made.body, call.status, headers, made.media)

    async def _made(self, call: Call, request: Request) -> Answer:
        if call.quick:
            given = await _given(call, request)
            return await to_thread.run_sync(
                _completed, partial(call.function, self.session, **given)
            )
        with self.session.jobs.started(call.title) as job:
            if not call.upload:
                given = await _given(call, request)
                return await self._run(job, partial(call.function, self.session, **given), request)
            given = call.checked(_query(request))
            path = self.session.place(given.get("name", ""))
            try:
                with doing(f"Receiving {plain_label(given.get('name', ''))}"):
                    await _receive(request, path, self.session.limits.size, job)
                function = partial(call.function, self.session, path, **given)
                return await self._run(job, function, request)
            except BaseException:
                discard_upload(path)
                raise

    async def _run(self, job: PendingCall, function: Callable[[], Any], request: Request) -> Answer:
        """Compute in a thread, one call at a time, as long as somebody waits and time is left."""
        if self._waiting >= MAX_WAITING_CALLS:
            raise BusyError(
                f"{MAX_WAITING_CALLS} calls are already waiting. Try again when some are done."
            )
        self._waiting += 1
        running = asyncio.ensure_future(
            to_thread.run_sync(
                job.run,
                partial(_completed, function),
                abandon_on_cancel=True,
                limiter=self._one_at_a_time,
            )
        )
        gone = asyncio.ensure_future(_gone(request))
        try:
            while not running.done():
                await asyncio.wait([running], timeout=POLL_SECONDS)
                self._stop_if_unwanted(job, gone=gone.done())
                if job.why is not None and not job.interrupt():
                    raise job.why
            return running.result()
        finally:
            self._waiting -= 1
            gone.cancel()
            running.cancel()

    def _stop_if_unwanted(self, job: PendingCall, *, gone: bool) -> None:
        limit = self.session.time_limit
        if gone or self.session.ended.is_set():
            job.stop(StoppedError("Nobody waits for this any more."))
        elif job.began is not None and time.monotonic() - job.began > limit:
            job.stop(
                TooLongError(
                    f"This took longer than {limit:g} seconds and was stopped.",
                    remedy="Use fewer cases or replicates, or the command line.",
                )
            )


def _completed(function: Callable[[], Any]) -> Answer:
    """Make a call and write down what it returns; results write themselves, in the words of the page."""
    with surface(on_page):
        return _written(function())


def _written(found: object) -> Answer:
    answer = found if isinstance(found, Answer) else Answer(found)
    if answer.body is None or answer.media != JSON_TYPE:
        return answer
    told = answer.body
    if hasattr(told, "to_dict"):
        told = {"schema_version": SCHEMA_VERSION, **told.to_dict()}
    return replace(answer, body=json_text(said_here(told), None))


async def _given(call: Call, request: Request) -> dict[str, Any]:
    """Return the arguments of a call, checked: from the JSON body, or from the address."""
    if call.method != "POST":
        return call.checked({**_query(request), **request.path_params})
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON_TYPE:
        raise ParameterError(f"{call.name} takes JSON: send it with Content-Type: {JSON_TYPE}.")
    body = await _body(request)
    try:
        given = json.loads(body)
        json.dumps(given, ensure_ascii=False).encode()  # half a letter could not be answered
    except (ValueError, RecursionError) as error:
        raise ParameterError(f"The body is not JSON: {str(error)[:200]}.") from None
    if not isinstance(given, dict):
        raise ParameterError(f"{call.name} takes a JSON object; got {type(given).__name__}.")
    return call.checked(given)


def _query(request: Request) -> dict[str, str]:
    return {k: v for k, v in request.query_params.items() if k != "token"}


async def _body(request: Request) -> bytes:
    found = bytearray()
    async for chunk in _limited(request, MAX_JSON_BYTES):
        found += chunk
    return bytes(found)


async def _receive(request: Request, path: Path, limit: int, job: PendingCall) -> None:
    """Write the body to a file, no more of it than is taken."""
    async with await open_file(path, "xb") as file:
        async for chunk in _limited(request, limit):
            job.check()
            await file.write(chunk)


async def _gone(request: Request) -> None:
    """Return when nobody waits for the answer any more."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _limited(request: Request, limit: int) -> AsyncIterator[bytes]:
    """Yield the body; refuse one that is too large by what it says of itself, or when it turns out to be."""
    size = request.headers.get("content-length", "0")
    seen = int(size) if size.isdecimal() else 0
    _refuse_above(limit, seen)
    seen = 0
    stream = request.stream()
    while True:
        try:
            with fail_after(IDLE_SECONDS):
                chunk = await anext(stream, None)
        except TimeoutError:
            raise TooSlowError(
                f"No data arrived for {IDLE_SECONDS:g} seconds. Send it again."
            ) from None
        if chunk is None:
            return
        seen += len(chunk)
        _refuse_above(limit, seen)
        yield chunk


def _refuse_above(limit: int, size: int) -> None:
    if size > limit:
        raise TooLargeError(
            f"The body has more than {limit:,} bytes, the limit here. Keep only the columns and "
            "rows that matter, or use the command line."
        )


async def _not_found(request: Request, _: HTTPException | None) -> Response:
    wanted = f"{request.method} {request.url.path[:100]}"
    known = any(each.path == request.url.path for each in CALLS)
    why = f"There is no {wanted} here. /api describes what there is."
    return answer(405 if known else 404, why, request.scope)


async def _unexpected(request: Request, error: Exception) -> Response:
    why = f"Something unexpected went wrong ({type(error).__name__}). The server's terminal says more; please report it."
    return answer(500, why, request.scope)


def _as_page(kept: Kept) -> Any:  # noqa: ANN401
    with surface(on_page):
        return said_here(kept.to_dict())
