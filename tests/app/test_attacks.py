"""Attacks on the server by who has no token, and computations that would not end: each bounded in time."""

import asyncio
import csv
import gzip
import http.client
import io
import json
import os
import re
import signal
import socket
import stat
import time
import zipfile
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from app.conftest import in_a_loop, start
from credibly import DataError, ParameterError
from credibly._core.signatures import accepts
from credibly.app import calls, connections, serve, server, uploads
from credibly.app.jobs import Jobs, PendingCall, StoppedError
from credibly.app.openapi import CALLS
from credibly.app.session import Session
from credibly.app.upload_folder import PREFIX, upload_folder
from credibly.cli import main
from credibly.errors import CrediblyError
from credibly.io._limits import ReadingLimits, check_limits
from pages import waited_for

GOOD = "y,score\n1,0.9\n0,0.2\n1,0.4\n0,0.5\n"


@pytest.fixture(scope="module")
def served(served_with):
    """A server that nobody else uses: what strangers leave open is nobody's."""
    return served_with()


def connected(served):
    return socket.create_connection(("127.0.0.1", served.port), timeout=30)


def raw(served, sent, *, until=30):
    """Send bytes; return all that is answered until the server hangs up, or so many seconds."""
    with connected(served) as sock:
        sock.settimeout(until)
        found = b""
        try:
            sock.sendall(sent)
            while piece := sock.recv(65536):
                found += piece
        except (TimeoutError, ConnectionError):
            pass
        return found


# Connections of strangers


@pytest.mark.parametrize(
    "begun",
    [b"", b"GET / HTTP/1.1\r\nHost: local", b"POST /api/roles HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n{"],
    ids=["silent", "half a header", "half a body"],
)  # fmt: skip
def test_half_open_connections_keep_nobody_out(served, begun):
    with ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(connected(served)).sendall(begun)
        for _ in range(3):
            assert served.ask("GET", "/api/progress").status == 200


def test_a_stranger_that_asks_for_nothing_is_cut_off(monkeypatch):
    closed = []

    class Transport:
        def abort(self):
            closed.append(self)

    class Loop:
        def call_later(self, *_):
            return None

    def connection(*, known=False, answering=False):
        made = object.__new__(connections.Connection)
        made.transport, made.loop = Transport(), Loop()
        made.scope = {"state": {"credibly.knows_token": known}}
        made.cycle = type("Cycle", (), {"response_complete": not answering})
        return made

    for given in ({"known": True}, {"answering": True}, {}):
        connection(**given)._look()
    assert len(closed) == 1


@pytest.mark.parametrize(
    ("begun", "drip"),
    [
        (b"GET / HTTP/1.1\r\nX", b"x"),
        (b"GET /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n", b"x"),
    ],
    ids=["header", "body"],
)
@pytest.mark.thorough
def test_a_slow_sender_without_a_token(served, begun, drip):
    with connected(served) as sock:
        sock.sendall(begun)
        began = time.monotonic()
        open_for = 4 * connections.LOOK_SECONDS
        try:
            while time.monotonic() - began < open_for:
                sock.sendall(drip)
                time.sleep(0.5)
        except OSError:
            return
        pytest.fail(f"it was still open after {open_for} seconds")


def test_a_body_of_which_nothing_comes_any_more(monkeypatch):
    class Silent:
        headers = {}  # noqa: RUF012

        async def stream(self):
            yield b"{"
            await asyncio.sleep(60)

    monkeypatch.setattr(server, "IDLE_SECONDS", 0.05)
    with pytest.raises(server.TooSlowError, match="Send it again"):
        in_a_loop(server._body(Silent()))


def test_a_refusal_does_not_wait_for_the_body(served):
    head = b"POST /api/predictions?name=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000000\r\n\r\n"
    began = time.monotonic()
    assert b" 401 " in raw(served, head)
    assert time.monotonic() - began < 10


def test_many_guesses_of_the_token(served):
    statuses = {served.ask("GET", "/api/progress", token=f"guess{i}").status for i in range(100)}
    assert statuses == {401}
    assert served.ask("GET", "/api/progress").status == 200


# Requests


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /api HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 1_000_000 + b"\r\n\r\n",
        b"GET /api HTTP/1.1\r\nHost: localhost\r\n" + b"X: 1\r\n" * 100_000 + b"\r\n",
        b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
    ids=["long header", "many headers", "long address"],
)
def test_huge_headers(served, sent):
    assert raw(served, sent)[:12] in {b"HTTP/1.1 400", b""}  # or cut off while it was still sent


@pytest.mark.parametrize(
    "lengths",
    [
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"Content-Length: 5\r\nContent-Length: 40\r\n",
        b"Transfer-Encoding: identity, chunked\r\n",
        b"Transfer-Encoding : chunked\r\n",
        b"Content-Length: +5\r\n",
    ],
)
def test_a_request_that_hides_another(served, lengths):
    """Whatever is taken for the body, what is hidden in it is not answered as a request with the token."""
    hidden = f"GET /api/progress?token={served.token} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    outer = b"POST /api/roles HTTP/1.1\r\nHost: localhost\r\n" + lengths + b"\r\n0\r\n\r\n" + hidden
    assert b'"work"' not in raw(served, outer, until=5)


@pytest.mark.parametrize(
    "host",
    ["localhost.", "127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "127.0.0.1:80@evil.example", "localhost#", "localhost/x", "LOCALHOST.evil.example", "localhost:80:80", "localhost, evil.example"],
)  # fmt: skip
def test_names_that_could_point_here(served, host):
    assert served.ask("GET", "/api/progress", Host=host).status == 403


@pytest.mark.parametrize("depth", [10, 200, 500, 900, 990, 2000, 100_000])
def test_deep_json(served, depth):
    for opened, closed in (("[", "]"), ('{"a":', "}")):
        inner = "1" if opened != "[" else ""
        deep = opened * depth + inner + closed * depth
        body = f'{{"id": {deep}}}'.encode()
        answered = served.ask("POST", "/api/roles", body, **{"Content-Type": "application/json"})
        assert answered.status == 400


# Files that unpack to more than they look


def dictionary(value, n):
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int8)), pa.array([value]))


def repeated(value, n, columns=("y", "score")):
    return pa.table(dict.fromkeys(columns, dictionary(value, n)))


def lists(n, value=0.5, each=None):
    """One list of a value, or of lists of it, so often."""
    values = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int8)), pa.array([value]))
    if each:
        values = pa.LargeListArray.from_arrays(pa.array(np.arange(0, n + 1, each)), values)
    return pa.table({"y": pa.LargeListArray.from_arrays(pa.array([0, len(values)]), values)})


def mapped(n):
    zeros = pa.array(np.zeros(n, np.int32))
    return pa.table({"y": pa.MapArray.from_arrays(pa.array([0, n]), zeros, zeros)})


BOMBS = {
    "texts": lambda: repeated("x" * 100_000, 1_000_000),
    "long texts": lambda: repeated("x" * 900_000, 100_000),
    "bytes": lambda: repeated(b"x" * 100_000, 1_000_000),
    "columns": lambda: repeated(0.5, 5_000_000, [f"c{i}" for i in range(30)]),
    "a list": lambda: lists(20_000_000),
    "a list of lists": lambda: lists(20_000_000, each=1000),
    "a list of texts": lambda: lists(10_000_000, "x" * 10_000),
    "a map": lambda: mapped(20_000_000),
}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.daily(name=["texts", "a list of texts"])
def test_a_small_file_that_unpacks_to_gigabytes(tmp_path, name):
    path = tmp_path / "bomb.parquet"
    made = BOMBS[name]()
    pq.write_table(made, path, compression="zstd", row_group_size=made.num_rows)
    assert path.stat().st_size < 25_000 * made.num_columns
    honest = tmp_path / "p.csv"
    honest.write_text("truth,score\n1,0.9\n0,0.2\n")
    uploads.open_apart(
        honest, honest.name, {}, ReadingLimits(), Event()
    )  # which imports what reads
    began = time.monotonic()
    with pytest.raises(DataError, match="holds more bytes than allowed here"):
        uploads.open_apart(path, path.name, {}, ReadingLimits(), Event())
    assert time.monotonic() - began < 20  # a tenth of a second, or much more on a busy machine


def gzipped(line, times):
    return gzip.compress(b"y,score\n" + line * times, compresslevel=9)


def packed(table, **how):
    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd", **how)
    return file.getvalue()


SMALL = {
    "structures.parquet": lambda: packed(pa.table({"y": pa.StructArray.from_arrays([pa.array(np.zeros(4_500_000, np.int8))], ["a"])})),
    "booleans.parquet": lambda: packed(pa.table(dict.fromkeys([f"c{i}" for i in range(80)], pa.array(np.zeros(4_000_000, bool))))),
    "groups.parquet": lambda: packed(pa.table({"y": np.zeros(11_000), "score": np.zeros(11_000)}), row_group_size=1),
    "cell.csv.gz": lambda: gzipped(b"x" * 1_000_000, 300),
    "rows.csv.gz": lambda: gzipped(b"1,0.5" + b"0" * 95 + b"\n", 3_000_000),
    "columns.csv.gz": lambda: gzipped(b"1," * 500_000, 300),
    "keys.jsonl.gz": lambda: gzip.compress(b"".join(b'{"k%d": 1}\n' % i for i in range(20_500))),
}  # fmt: skip


@pytest.mark.daily(name=["structures.parquet", "cell.csv.gz", "groups.parquet"])
@pytest.mark.parametrize("name", SMALL)
def test_a_small_file_holds_no_more_than_its_size_allows(tmp_path, name):
    """What is read of a file is bounded by what was sent, whatever makes it small."""
    path = tmp_path / name
    path.write_bytes(SMALL[name]())
    began = time.process_time()
    answered = uploads._done(uploads.open_here, path, {}, ReadingLimits())
    assert re.search("holds more (bytes|row groups|columns)|different keys", str(answered))
    assert time.process_time() - began < 6  # seconds; half of one on a quiet machine


def test_honest_files_are_far_within_what_their_size_allows(tmp_path):
    """Columns that repeat themselves pack best: constant names, two classes, folds."""
    rng = np.random.default_rng(1)
    n = 2_000_000
    table = pa.table(
        {"truth": rng.integers(0, 2, n), "label": rng.integers(0, 2, n), "fold": np.arange(n) % 10,
         "model": dictionary("tree", n), "site": dictionary("north", n)}
    )  # fmt: skip
    pq.write_table(table, tmp_path / "p.parquet", compression="zstd")
    check_limits(tmp_path / "p.parquet", ReadingLimits())


def test_texts_within_others_are_counted(tmp_path):
    path = tmp_path / "p.parquet"
    text = "x" * 100
    told = [{"asked": [text, text], "scores": {"a b": text, "c": ""}, "said": {"it's": [[text]]}}]
    pq.write_table(pa.Table.from_pylist(told * 1000), path)
    values = 1000 * 5 * 64 + 1000 * 4 * 100
    check_limits(path, ReadingLimits(size=values + 1000))
    with pytest.raises(DataError, match="more bytes"):
        check_limits(path, ReadingLimits(size=values - 1000))


def test_honest_texts_are_counted_as_they_are(tmp_path):
    path = tmp_path / "p.parquet"
    pq.write_table(repeated("x" * 100, 1000), path)
    check_limits(path, ReadingLimits(size=250_000))
    with pytest.raises(DataError, match="more bytes"):
        check_limits(path, ReadingLimits(size=210_000))


# What is said, and what is left behind


@pytest.mark.parametrize(
    "content",
    [GOOD.replace("score", "s"), "y,score\n1,a\n0,b\n", "", "y\n", '"', "y,score\n" + "\0" * 50],
)
def test_no_path_of_the_server_is_said(served, content):
    answered = served.send(content, "mine.csv")
    text = answered.body.decode()
    assert "credibly-app" not in text
    assert str(served.folder) not in text
    assert "upload-" not in text
    kept = answered.json.get("id")
    if kept:
        again = served.call("evaluate", id=kept).body.decode()
        assert str(served.folder) not in again


def test_no_path_of_a_reader_that_fails(tmp_path, monkeypatch):
    path = tmp_path / "upload-1.csv"
    path.write_text(GOOD)

    def fails(path, *_):
        raise ValueError(f"{path} and {path.parent}")

    monkeypatch.setattr(uploads, "check_limits", fails)
    error = uploads._done(uploads.open_here, path, {}, ReadingLimits())
    said = uploads.renamed(error.sentence, path, "mine.csv")
    assert str(said) == "mine.csv cannot be read: ValueError: mine.csv and the folder"


@pytest.mark.thorough
def test_a_killed_server_leaves_nothing_for_long(tmp_path):
    first = start(tmp_path, "--port", "0")
    first.send(GOOD)
    first.process.kill()
    first.process.communicate()
    assert first.left()
    (tmp_path / "other").mkdir()
    second = start(tmp_path, "--port", "0")
    third = start(tmp_path, "--port", "0")
    try:
        folders = {p for p in tmp_path.iterdir() if p.name.startswith(PREFIX)}
        assert len(folders) == 2  # those of the two that run
        assert not [p for p in second.left() if "upload" in str(p)]
        assert all(stat.S_IMODE(p.stat().st_mode) == 0o700 for p in folders)
        assert (tmp_path / "other").exists()
    finally:
        for each in (second, third):
            each.process.send_signal(signal.SIGTERM)
            each.process.communicate(timeout=30)
    assert not list(tmp_path.glob(f"{PREFIX}*"))


def test_what_is_not_ours_is_not_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept.txt").write_text("kept")
    (tmp_path / f"{PREFIX}link").symlink_to(elsewhere)
    (tmp_path / f"{PREFIX}file").write_text("kept")
    with upload_folder(), upload_folder():
        pass
    assert (elsewhere / "kept.txt").read_text() == "kept"
    assert (tmp_path / f"{PREFIX}file").exists()


# The token


def test_the_browser_is_given_a_file_not_the_token(tmp_path, monkeypatch):
    opened = Event()
    seen = []
    monkeypatch.setattr("webbrowser.open", lambda url: (seen.append(url), opened.set()))
    serve.open_browser("http://127.0.0.1:1/?token=a&b", tmp_path)
    assert opened.wait(10)
    assert seen == [(tmp_path / "open.html").as_uri()]
    assert "url=http://127.0.0.1:1/?token=a&amp;b" in (tmp_path / "open.html").read_text()


def test_a_running_server_shows_no_token(served):
    def arguments(process):
        return Path(f"/proc/{process}/cmdline").read_bytes()

    if not Path("/proc/self/cmdline").exists():
        pytest.skip("there is no /proc")
    served.send(GOOD)  # has started processes that read
    mine = [p.name for p in Path("/proc").iterdir() if p.name.isdigit()]
    for each in mine:
        try:
            assert served.token.encode() not in arguments(each)
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue  # it has ended


def test_a_token_is_read_from_a_file_or_the_environment(tmp_path, monkeypatch, capsys):
    file = tmp_path / "token"
    file.write_text("correct horse battery\n")
    assert serve.token_from(file) == "correct horse battery"
    monkeypatch.setenv("CREDIBLY_TOKEN", "from the environment")
    assert serve.token_from(None) == "from the environment"
    with pytest.raises(DataError, match="cannot be read"):
        serve.token_from(tmp_path / "none")
    with pytest.raises(ParameterError, match="others could guess it"):
        serve.token_for("127.0.0.1", "short")
    assert main(["app", "--token", "secret secret secret"]) == 2
    assert "--token-file" in capsys.readouterr().err


# Computations


def posted(served, body):
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {served.token}"}
    connection.request("POST", "/api/slow", body, headers)
    return connection


@pytest.fixture
def slow(monkeypatch):
    """A server in this process with a call that computes for ever."""
    import uvicorn

    from credibly.app import declared_calls as calls
    from credibly.app.session import Session

    def slow(session):
        """Compute for ever."""
        while True:
            sum(range(100))

    monkeypatch.setattr(server, "CALLS", [*calls.CALLS, calls.Call("POST", "/api/slow", slow)])
    session = Session()
    config = uvicorn.Config(
        server.application(session, "t"), log_level="error", http=connections.Connection
    )
    with serve.listen("127.0.0.1", 0) as sock:
        running = uvicorn.Server(config)
        thread = Thread(target=running.run, kwargs={"sockets": [sock]})
        thread.start()
        while not running.started:
            time.sleep(0.01)

        class Here:
            port, token = sock.getsockname()[1], "t"

            def ask(self, method, path, body=None):
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
                headers = {"Authorization": "Bearer t", "Content-Type": "application/json"}
                connection.request(method, path, body and json.dumps(body), headers)
                with closing(connection):
                    answered = connection.getresponse()
                    return answered.status, json.loads(answered.read())

        yield Here(), session
        running.should_exit = True
        session.ended.set()
        thread.join(30)


def work_of(here):
    return here.ask("GET", "/api/progress")[1]["work"]


def test_a_computation_is_stopped(slow):
    here, session = slow
    with ExitStack() as stack:
        waiting = [stack.enter_context(closing(posted(here, b"{}"))) for _ in range(3)]
        three_end(here, waiting)
    # A fourth takes too long.
    session.time_limit = 0.1
    with closing(posted(here, b"{}")) as fourth:
        answered = fourth.getresponse()
        assert answered.status == 503
        why = json.loads(answered.read())["error"]
    assert "took longer than 0.1 seconds and was stopped" in why
    assert work_of(here) == []


def three_end(here, waiting):
    waited_for(lambda: len(work_of(here)) == 3, "three calls are under way or wait")
    first, queued, _ = work_of(here)
    assert first["what"] == "Slow"
    for each in (queued, first):
        assert here.ask("POST", "/api/stop", {"job": each["id"]})[0] == 200
    for connection in waiting[:2]:
        answered = connection.getresponse()
        assert answered.status == 409
        assert json.loads(answered.read())["error"] == "This was stopped."
    assert here.ask("POST", "/api/stop", {"job": first["id"]})[0] == 404
    # Who waits for the third hangs up.
    waiting[2].close()
    waited_for(lambda: not work_of(here), "all of them end")


def test_a_thread_is_left_alone_after_its_job():
    """The exception that stops a job never reaches what its thread does next."""
    for _ in range(40):
        job = PendingCall("count")
        ended = []

        def count(job=job, ended=ended):
            try:
                job.run(lambda: [sum(range(50)) for _ in iter(int, 1)])
            except StoppedError:
                ended.append(sum(i for i in range(20_000)))

        thread = Thread(target=count)
        thread.start()
        while job.began is None:
            pass
        job.stop(StoppedError("enough"))
        while thread.is_alive():
            job.interrupt()
        assert ended == [sum(range(20_000))]


def test_jobs_are_listed_while_they_last():
    jobs = Jobs()
    with jobs.started("Evaluate") as job:
        assert [each["what"] for each in jobs.told()] == ["Evaluate"]
        job.stop(StoppedError("first"))
        job.stop(StoppedError("second"))
        with pytest.raises(StoppedError, match="first"):
            job.run(os.getpid)
    assert jobs.told() == []


def workbook_saying(text, declared, folder):
    """An Excel file whose first heading is an entity that the sheet itself declares."""
    excel = pytest.importorskip("openpyxl")
    book = excel.Workbook()
    book.active.append(["truth", "score"])
    book.active.append([1, 0.5])
    book.save(folder / "plain.xlsx")
    with zipfile.ZipFile(folder / "plain.xlsx") as plain, zipfile.ZipFile(folder / "p.xlsx", "w") as made:  # fmt: skip
        for name in plain.namelist():
            body = plain.read(name)
            if name.endswith("sheet1.xml"):
                assert b"<t>truth</t>" in body
                start = f'<?xml version="1.0"?><!DOCTYPE x [{declared}]>'.encode()
                body = start + body.replace(b"<t>truth</t>", f"<t>{text}</t>".encode())
            made.writestr(name, body)
    return folder / "p.xlsx"


LAUGHS = '<!ENTITY a0 "ha">' + "".join(
    f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12)
)
OUTSIDE = '<!ENTITY a SYSTEM "file:///etc/passwd">'


@pytest.mark.parametrize(("text", "declared"), [("&a11;", LAUGHS), ("&a;", OUTSIDE)])
def test_a_workbook_whose_text_grows_or_lies_elsewhere(tmp_path, text, declared):
    path = workbook_saying(text, declared, tmp_path)
    began = time.monotonic()
    with pytest.raises(DataError) as refused:
        uploads.open_apart(path, path.name, {}, ReadingLimits(), Event())
    assert time.monotonic() - began < 20
    assert "root:" not in str(refused.value)


def test_no_cell_of_what_is_saved_is_a_formula(tmp_path):
    """Names of models, labels, columns and cells that a spreadsheet would compute are text for it too."""
    evil = ["=cmd|'/c calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "-", "-1.5"]
    path = tmp_path / "p.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["truth", "probability", "=HYPERLINK(1)", "case"])
        writer.writerows([[i % 2, 1 - (i % 2) / 2, evil[i % 7], i] for i in range(28)])
    session = Session()
    options = {"truth": "truth", "probability": "probability", "row": "case", "positive": 1}
    key = session.keep_file(path, options).id
    for answer in (
        calls.selection(session, id=key, costs={"fn": 5, "fp": 1}, at="share=1"),
        calls.worst_cases(session, id=key, whole=True),
    ):
        read = list(csv.reader(io.StringIO(answer.body, newline="")))
        cells = {cell for row in read for cell in row}
        assert {f"'{e}" for e in evil[:5]} <= cells
        assert {"-", "-1.5", "'=HYPERLINK(1)"} <= cells
        assert not [c for c in cells if c.startswith(("=", "+", "@", "\t", "\r"))]


@pytest.mark.daily(path=["/etc/passwd"])
@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "file:///etc/passwd"])
def test_no_id_and_no_name_is_a_path(path):
    """Every call that needs a text is sent a path for it: it is an unknown name, and no file."""
    session, refused = Session(), 0
    for call in CALLS:
        needed = {n: q for n, q in call.parameters.items() if q.required}
        given = {n: path if accepts(q.hint, path) else [path] for n, q in needed.items()}
        if (
            call.upload
            or not all(accepts(needed[n].hint, v) for n, v in given.items())
            or not given
        ):
            continue
        with pytest.raises(CrediblyError):
            call.function(session, **given)
        refused += 1
    assert refused > 20
