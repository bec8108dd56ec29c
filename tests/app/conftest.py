"""The real server, as the command line starts it, and what speaks to it."""

import asyncio
import http.client
import json
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import parse_qs, quote, urlsplit

import pytest

pytest.importorskip("starlette", reason="credibly[app] is not installed")
pytest.importorskip("uvicorn", reason="credibly[app] is not installed")

from app.desk import LOOKS, FirefoxDesk, Workbench
from app.firefox import PROGRAM, Firefox
from credibly.app.surface import on_page, said_here
from credibly.errors import surface
from credibly.results.formats import SCHEMA_VERSION, json_text

START = "import sys; from credibly.cli import main; sys.exit(main(sys.argv[1:]))"


def as_called(result):
    """What a call answers for a result of Python: its sentences speak of fields and options."""
    with surface(on_page):
        told = said_here({"schema_version": SCHEMA_VERSION, **result.to_dict()})
    return json.loads(json_text(told))


@dataclass(frozen=True)
class Answered:
    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        assert self.json["status"] == self.status
        return self.json["error"]


@dataclass(frozen=True)
class Served:
    """A server that runs: where it is, and how to ask it."""

    url: str
    process: subprocess.Popen
    folder: object  # in which it makes its temporary folder

    @property
    def base(self):
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def token(self):
        return parse_qs(urlsplit(self.url).query)["token"][0]

    @property
    def port(self):
        return urlsplit(self.url).port

    def connect(self):
        return http.client.HTTPConnection(urlsplit(self.url).hostname, self.port, timeout=60)

    def ask(self, method, path, body=None, *, token=True, **headers):
        """Send one request; a dictionary goes as JSON."""
        if isinstance(body, dict):
            body, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        if token:
            headers["Authorization"] = f"Bearer {self.token if token is True else token}"
        connection = self.connect()
        connection.request(method, path, body, headers)
        found = connection.getresponse()
        answered = Answered(found.status, dict(found.getheaders()), found.read())
        connection.close()
        return answered

    def call(self, name, /, **given):
        return self.ask("POST", f"/api/{name}", given)

    def send(self, content, name="p.csv"):
        """Upload a file."""
        content = content.encode() if isinstance(content, str) else content
        return self.ask("POST", f"/api/predictions?name={quote(name, safe='')}", content)

    def left(self):
        """Return the files that uploads have left."""
        return sorted(p for p in self.folder.rglob("credibly-app-*/*/*") if p.is_file())


def typed(lines):
    """Type commands in a shell, in which the command line is that of this Python."""
    first = f'credibly() {{ {shlex.quote(sys.executable)} -c {shlex.quote(START)} "$@"; }}'
    subprocess.run(["sh", "-ec", "\n".join([first, *lines])], check=True, stdout=subprocess.DEVNULL)


def start(folder, *arguments, **environment):
    """Start the command line in a process that has its own temporary folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", START, "app", *map(str, arguments), "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "TMPDIR": str(folder),
            "XDG_STATE_HOME": f"{folder}-state",  # what is remembered is not temporary
            "PYTHONUNBUFFERED": "1",
            **environment,
        },
    )
    line = process.stdout.readline()
    if "http://" not in line:
        process.kill()
        raise AssertionError(line + process.stderr.read())
    return Served(line.split()[-1], process, folder)


@contextmanager
def servers(tmp_path_factory):
    """Give what starts servers on files, with options, and end them."""
    running = []

    def serve(*arguments, **environment):
        folder = tmp_path_factory.mktemp("temporary")
        running.append(start(folder, *arguments, "--port", "0", **environment))
        return running[-1]

    yield serve
    for each in running:
        each.process.kill()
        each.process.communicate()


@pytest.fixture(scope="module")
def served_with(tmp_path_factory):
    """Start servers that end with the module."""
    with servers(tmp_path_factory) as serve:
        yield serve


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """A server without a file, which many have used before; where that matters, a module has its own."""
    with servers(tmp_path_factory) as serve:
        yield serve()


def in_a_loop(coroutine):
    """Run it in a thread, because the driver of a browser may have a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


@pytest.fixture
def sit(window, served):
    """Open the page in a window of some look."""

    def at(look="wide", place=served, expected=()):
        width, scheme = LOOKS[look]
        size = {"width": width, "height": 900}
        page = window(
            place.base, "blob:", "data:", expected=expected, viewport=size, color_scheme=scheme
        )
        return Workbench(page, place)

    return at


@pytest.fixture
def firefox(tmp_path):
    """Firefox in a profile of its own."""
    if PROGRAM is None:
        pytest.skip("there is no firefox on this machine")
    profile = tmp_path / "profile"
    profile.mkdir()
    made = Firefox(profile)
    yield made
    made.close()
    shutil.rmtree(profile, ignore_errors=True)


@pytest.fixture
def desk(engine, request, served):
    """Sit at the page in either browser; at the end nothing may have been said."""
    if engine == "chromium":
        yield request.getfixturevalue("sit")()
        return
    made = FirefoxDesk(request.getfixturevalue("firefox"), served)
    yield made
    assert made.heard == []
