"""Requests and files that mean harm: refused or shown as text, nothing left behind, and the server still there."""

import gzip
import io
import json
import pickle
import re
import socket
import time
import zipfile
from contextlib import suppress
from importlib import import_module
from threading import Event, Thread
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from app.conftest import in_a_loop
from credibly import DataError
from credibly.app import uploads
from credibly.app.jobs import PendingCall
from credibly.app.openapi import CALLS
from credibly.app.security import SecurityMiddleware
from credibly.io._limits import ReadingLimits
from each import Each

GOOD = "y,score\n1,0.9\n0,0.2\n1,0.4\n0,0.5\n"
EVIL = "<img src=x onerror=alert(1)>"
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def served(served_with):
    """A server that nobody else uses: its files are counted."""
    return served_with()


@pytest.fixture(scope="module")
def small(served_with):
    """A server that takes 20 megabytes."""
    return served_with("--limit", "20")


@pytest.fixture(autouse=True)
def unharmed(served, small):
    """After each test the servers answer, and no file is left that belongs to no set."""
    yield
    for each in (served, small):
        for _ in range(600):  # until it has noticed who hung up
            if each.ask("GET", "/api/progress").json == {"work": []}:
                break
            time.sleep(0.1)
        sets = each.ask("GET", "/api/predictions").json["sets"]
        assert len(each.left()) == len(sets)
        for kept in sets:
            each.ask("DELETE", f"/api/predictions/{kept['id']}")
        assert each.left() == []


def raw(served, text, more=b"", *, done=True):
    """Send bytes as they are; return all that is answered until the server hangs up."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as sock:
        sock.sendall(text.replace("\n", "\r\n").encode() + more)
        if done:
            sock.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: sock.recv(65536), b"")).decode()


# Who asks


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8765", "evil.example:80", "x@127.0.0.1", "192.0.2.1", "[::1", "0.0.0.0", ""],
)  # fmt: skip
def test_another_host(served, host):
    for path in ("/", "/api", "/api/predictions", "/static/page.css", "/nothing"):
        answered = served.ask("GET", path, Host=host)
        assert answered.status == 403


@pytest.mark.parametrize(
    "host", ["127.0.0.1:{}", "localhost:{}", "LOCALHOST:{}", "[::1]:9", "localhost"]
)
def test_our_host(served, host):
    assert served.ask("GET", "/api/progress", Host=host.format(served.port)).status == 200


def test_no_host_and_two_hosts(served):
    assert " 403 " in raw(served, "GET /api/progress HTTP/1.0\n\n").split("\n")[0]
    two = "GET /api HTTP/1.1\nHost: localhost\nHost: evil.example\nConnection: close\n\n"
    assert raw(served, two).split()[1] in {"400", "403"}


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://localhost:1", "http://127.0.0.1", "file://", "https://evil.example:{}", ""],
)  # fmt: skip
def test_another_origin(served, origin):
    origin = origin.format(served.port)
    assert served.ask("GET", "/api/predictions", Origin=origin).status == 403
    answered = served.ask("POST", "/api/example", {"name": "campaign"}, Origin=origin)
    assert answered.status == 403
    assert served.ask("GET", "/api/predictions").json["sets"] == []
    preflight = served.ask("OPTIONS", "/api/example", Origin=origin)
    assert preflight.status == 403
    assert not [name for name in preflight.headers if name.lower().startswith("access-control")]


def test_our_origin(served):
    assert served.ask("GET", "/api/predictions", Origin=served.base).status == 200


def test_pictures_and_frames_of_other_sites(served):
    image = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    frame = {
        "Sec-Fetch-Site": "same-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "iframe",
    }
    link = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    }
    assert served.ask("GET", "/api/progress", **image).status == 403
    assert served.ask("GET", "/api/progress", **frame).status == 403
    assert served.ask("GET", "/api/progress", **link).status == 200


@Each("call", CALLS)
@pytest.mark.parametrize("token", [False, "wrong", "é"])
def test_no_token(served, call, token):
    body = {} if call.method == "POST" else None
    if token == "é":
        answered = served.ask(call.method, f"{call.path}?token={quote('é')}", body, token=False)
    else:
        answered = served.ask(call.method, call.path, body, token=token)
    assert answered.status == 401
    assert "Open the address that the server printed" in answered.error
    assert answered.headers["www-authenticate"] == "Bearer"


def test_the_page_needs_the_token(served):
    refused = served.ask("GET", "/", token=False)
    assert refused.status == 401
    assert served.token not in refused.body.decode()
    assert served.ask("GET", f"/?token={served.token}", token=False).status == 200


@pytest.mark.parametrize("path", ["/", "/api", "/api/predictions", "/nothing", "/static/page.css"])
def test_every_answer_is_protected(served, path):
    for host in (f"localhost:{served.port}", "evil.example"):
        headers = served.ask("GET", path, Host=host).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert "server" not in headers
        assert "set-cookie" not in headers


def test_a_web_socket(served):
    upgrade = (
        f"GET /api/progress?token={served.token} HTTP/1.1\nHost: localhost\nUpgrade: websocket\n"
        "Connection: Upgrade\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\nSec-WebSocket-Version: 13\n\n"
    )
    assert " 101 " not in raw(served, upgrade)


def test_security_lets_no_socket_through():
    sent = []

    async def keep(message):
        sent.append(message)

    in_a_loop(SecurityMiddleware(None, "t")({"type": "websocket"}, None, keep))
    assert sent == [{"type": "websocket.close", "code": 1008}]


# How much


@pytest.mark.parametrize(
    ("path", "size", "most"),
    [
        ("/api/predictions?name=big.csv", 5_000_000_000, 1_000_000_000),
        ("/api/roles", 2_000_000, 1_000_000),
    ],
)
def test_five_gigabytes_that_are_announced(served, path, size, most):
    head = f"POST {path} HTTP/1.1\nHost: localhost\nAuthorization: Bearer {served.token}\n"
    said = raw(
        served, f"{head}Content-Type: application/json\nContent-Length: {size}\n\n", done=False
    )
    assert said.split()[1] == "413"
    assert f"more than {most:,} bytes, the limit here" in said


def test_five_gigabytes_that_are_not_announced(small):
    head = (
        f"POST /api/predictions?name=big.csv&token={small.token} HTTP/1.1\r\nHost: localhost\r\n"
        "Transfer-Encoding: chunked\r\n\r\n"
    )
    piece = b"%x\r\n" % MEGABYTE + b"0,0.125\n" * (MEGABYTE // 8) + b"\r\n"
    sent = 0
    with socket.create_connection(("127.0.0.1", small.port), timeout=30) as sock:
        sock.sendall(head.encode())
        try:
            while sent < 5000:
                sock.sendall(piece)
                sent += 1
        except OSError:
            pass  # the server has hung up
    assert 20 < sent < 200


def test_a_body_that_ends_early(served):
    head = (
        f"POST /api/predictions?name=cut.csv&token={served.token} HTTP/1.1\nHost: localhost\n"
        "Content-Length: 1000\n\n"
    )
    assert " 201 " not in raw(served, head, GOOD.encode())


# What


def parquet(columns, **options):
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file, **options)
    return file.getvalue()


def zipped(content):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("p.csv", content)
    return file.getvalue()


class Harm:
    def __reduce__(self):
        return (exec, ("raise SystemExit",))


def rows(megabytes):
    return b"y,score\n" + b"0,0.125\n" * (megabytes * MEGABYTE // 8)


def small_parquet():
    return parquet({"y": [0, 1], "score": [0.5, 0.25]})


def damaged_parquet():
    whole = small_parquet()
    return whole[:4] + bytes(len(whole) - 12) + whole[-8:]


def many_rows():
    nothing = np.zeros(30 * MEGABYTE, np.int8)
    return parquet({"y": nothing, "score": nothing})


def many_columns():
    line = ",".join(f"c{i}" for i in range(MEGABYTE)).encode() + b"\n"
    return line + line


REFUSED = {
    "truncated.parquet": (lambda: small_parquet()[:-20], "incomplete Parquet file"),
    "damaged.parquet": (damaged_parquet, "cannot be read as Parquet"),
    "bomb.parquet": (many_rows, "holds more rows than allowed here: at most 5,000,000"),
    "wide.parquet": (lambda: parquet({f"c{i}": [1] for i in range(12_000)}), "holds more columns"),
    "bomb.zip": (lambda: zipped(rows(50)), "holds more bytes than allowed here"),
    "named like text.csv": (lambda: zipped(rows(1)), "is a zip archive"),
    "cut.xlsx": (lambda: zipped(rows(1))[:-40], "is not a whole zip archive"),
    "bomb.csv.gz": (lambda: gzip.compress(rows(50), 1), "holds more bytes than allowed here"),
    "zeros.csv.gz": (
        lambda: gzip.compress(bytes(50 * MEGABYTE), 1),
        "holds more bytes than allowed here",
    ),
    "cut.csv.gz": (lambda: gzip.compress(rows(1))[:-30], "cannot be unpacked"),
    "wide.csv": (many_columns, "holds more columns than allowed here: at most 10,000"),
    "wide.arff": (
        lambda: b"@relation r\n" + b"@attribute x numeric\n" * 20_000 + b"@data\n{0 1}\n" * 99,
        "holds more columns",
    ),
    "commas.csv": (lambda: b"," * MEGABYTE + b"\n", "holds more columns"),
    "model.pkl": (lambda: pickle.dumps(Harm()), "a Python pickle"),
    "model.csv": (lambda: pickle.dumps(Harm(), protocol=2), "model.csv"),
    "script.py": (lambda: b"import os\n", "format of script.py is not clear from its name"),
    "nothing.csv": (lambda: b"", "nothing.csv is empty"),
    "blank.csv": (lambda: b"\n\n\n", "nothing but empty lines"),
    "page.html": (lambda: f"<p>{EVIL}".encode(), "is not clear from its name"),
    "nul.csv": (lambda: bytes(1000), "NUL byte"),
    "list.jsonl": (lambda: b"[1, 2]", "a JSON object is expected"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_files_that_are_refused(small, name):
    content, said = REFUSED[name]
    answered = small.send(content(), name)
    assert answered.status == 422
    assert said in answered.error
    assert name in answered.error
    assert "upload-" not in answered.error


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("../../../../etc/passwd.csv", "passwd.csv"),
        ("/etc/cron.d/x.csv", "x.csv"),
        ("..\\..\\boot.csv", "boot.csv"),
        ("a\0b.csv", "a b.csv"),
        ("x" * 5000 + ".csv", "x" * 200),
        ("..", ".."),
        ("", "upload"),
        (f"{EVIL}.csv", f"{EVIL}.csv"),
    ],
)
def test_a_file_name_is_a_label(served, name, label):
    answered = served.ask(
        "POST", f"/api/predictions?name={quote(name, safe='')}&format=csv", GOOD.encode()
    )
    assert answered.status == 201
    assert answered.json["name"] == label
    (file,) = served.left()
    assert re.fullmatch(r"[a-zA-Z0-9_-][a-zA-Z0-9_.-]*", file.name)
    assert file.parent.name.startswith("upload-")
    assert file.parent.parent.parent == served.folder


def test_what_a_reader_takes_from_the_name_of_a_file_is_there(served):
    """The task of a log stands in its name, which two uploads must not lose."""
    line = {"doc_id": 1, "doc": {}, "target": "A", "acc": 1.0, "doc_hash": "h", "metrics": ["acc"], "filter": "none", "resps": [["x"]], "filtered_resps": ["x"]}  # fmt: skip
    name = "samples_arc_2026-01-02T03-04-05.jsonl"
    kept = served.send(f"{json.dumps(line)}\n{json.dumps({**line, 'doc_id': 2})}\n", name).json
    rows = served.call("worst-cases", id=kept["id"]).json
    assert {row[rows["columns"].index("task")] for row in rows["rows"]} == {"arc"}


@pytest.mark.parametrize(
    "path",
    ["/static/../security.py", "/static/..%2fsecurity.py", "/static/%2e%2e%2fsecurity.py", "/static//etc/passwd", "/static/", "/api/predictions/..%2f..%2fetc%2fpasswd", "//etc/passwd", "/static/page.html%00"],
)  # fmt: skip
def test_no_path_is_opened(served, path):
    assert served.ask("GET", path).status in {404, 405}


def test_a_named_format_is_one_of_the_readers(served):
    answered = served.ask("POST", "/api/predictions?name=p.csv&format=pickle", GOOD.encode())
    assert (answered.status, "There is no reader 'pickle'" in answered.error) == (400, True)


def test_labels_are_text(served):
    lines = [f'"{EVIL}",0.9,{EVIL}', f"</script><script>alert(1)</script>,0.2,{EVIL}"]
    kept = served.send("\n".join(["y,score,model", *lines]), f"{EVIL}.csv")
    assert kept.headers["content-type"] == "application/json"
    told = served.call("roles", id=kept.json["id"], positive=EVIL).json
    assert EVIL in told["classes"]
    page = served.ask("GET", f"/?id={kept.json['id']}").body.decode()
    assert "<img" not in page
    assert "<script>alert" not in page
    chosen = served.call("selection", id=kept.json["id"], costs={"tp": -1, "fp": 1}, at="100%")
    assert chosen.headers["content-type"].startswith("text/csv")
    assert chosen.headers["content-disposition"].startswith("attachment")


def test_a_column_that_is_no_model(served):
    rows = "".join(f"{i % 2},{i},m{i // 2}\n" for i in range(2000))
    kept = served.send(f"y,score,model\n{rows}").json
    assert kept["task"] is None
    assert "The column 'model' names 1,000 models" in kept["problem"]
    assert served.call("roles", id=kept["id"], ignore=["model"]).json["problem"] is None


def test_errors_are_text(served):
    answered = served.ask("GET", f"/{quote(EVIL)}")
    assert (answered.status, "<img" in answered.body.decode()) == (404, False)
    refused = served.ask("GET", "/", Host="<img>")
    assert (refused.status, "<img" in refused.body.decode()) == (403, False)


# The process that reads


def test_a_reader_that_ends_without_an_answer(tmp_path):
    ours, theirs = uploads._processes().Pipe(duplex=False)
    theirs.close()
    (tmp_path / "p.csv").write_text(GOOD)
    said = uploads._answer(ours, tmp_path / "p.csv", Event())
    assert "it is damaged, or needs too much memory" in str(said)
    ours.close()


@pytest.mark.parametrize(
    "why", ["took longer than -1 seconds", "was not read: the server is stopping"]
)
def test_a_reader_that_is_not_waited_for(tmp_path, monkeypatch, why):
    path = tmp_path / "p.csv"
    path.write_text(GOOD)
    ended = Event()
    monkeypatch.setattr(uploads, "POLL_SECONDS", 0.0)
    monkeypatch.setattr(uploads, "READ_SECONDS", -1)
    if "stopping" in why:
        ended.set()
    with pytest.raises(DataError, match=f"mine.csv {why}"):
        uploads.open_apart(path, "mine.csv", {}, ReadingLimits(), ended)


def test_findings_call_the_file_by_its_name(served):
    kept = served.send("y,label\nNA?,sun\nnan,rain\nsun,sun\nrain,nan\n", "weather.csv").json
    assert "upload-" not in json.dumps(kept)


def test_an_import_is_finished_before_a_call_is_stopped(tmp_path, monkeypatch):
    """A module that is left half imported would fail in every later call."""
    (tmp_path / "slow_to_import.py").write_text("import time\ntime.sleep(0.1)\ndone = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    job = PendingCall("importing")

    def call():
        with suppress(BaseException):  # stopped as soon as the import is over
            job.run(lambda: import_module("slow_to_import"))

    thread = Thread(target=call)
    thread.start()
    while thread.is_alive():
        job.interrupt()
        time.sleep(0.01)
    assert import_module("slow_to_import").done


@pytest.mark.thorough
def test_a_preview_is_a_frame_of_our_page_alone(served):
    """It has an origin of its own, so that nothing in it can ask this server for anything."""
    kept = served.send("truth,label\n" + "a,a\nb,b\na,b\n" * 9).json
    made = served.call("report-preview", id=kept["id"], order=["What it rests on"]).json
    path = f"/preview/{made['id']}"
    found = served.ask("GET", path)
    assert found.status == 200
    assert found.headers["content-security-policy"].startswith(
        "sandbox allow-scripts; frame-ancestors 'self'"
    )
    assert found.headers["x-frame-options"] == "SAMEORIGIN"
    assert found.headers["cache-control"] == "no-store"
    assert found.body.index(b"What it rests on") < found.body.index(b"How well it does")
    assert served.ask("GET", path, token=False).status == 401
    other = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "iframe",
    }
    assert served.ask("GET", path, **other).status == 403
    assert served.ask("GET", "/preview/another").status == 404
    for _ in range(4):
        served.call("report-preview", id=kept["id"])
    assert served.ask("GET", path).status == 404
