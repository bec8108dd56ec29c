"""Ctrl-C and SIGTERM at any moment: the exit code that shells expect, one line at most, never a traceback."""

import os
import shlex
import signal
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from credibly import interval
from credibly.cli import main

STARTS = {"module": ["-m", "credibly"], "script": ["-c", "import sys; {}"]}
SIGNALS = {"SIGINT": 130, "SIGTERM": 143}
SEND = "import os, signal, time\nos.kill(os.getpid(), signal.{})\ntime.sleep(9)\n"
HIDDEN = (
    "try:\n    {}\nexcept BaseException as error:\n    raise ImportError('broken') from error\n"
)


def script():
    """What the script does that pip makes of the entry point."""
    project = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text())
    module, name = project["project"]["scripts"]["credibly"].split(":")
    assert callable(getattr(import_module(module), name))
    return f"from {module} import {name}; sys.exit({name}())"


def started(how, folder, *words):
    """Start the command line with a folder whose modules come before all others."""
    paths = os.pathsep.join([str(folder), *(p for p in sys.path if p)])
    arguments = [a.format(script()) for a in STARTS[how]]
    return subprocess.run(
        [sys.executable, *arguments, *words], env={**os.environ, "PYTHONPATH": paths},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("name", SIGNALS)
@pytest.mark.parametrize("how", STARTS)
@pytest.mark.parametrize("module", ["cyclopts", "credibly.cli", "pkgutil"])
def test_in_the_first_moments(module, how, name, tmp_path):
    """A signal comes while something is imported."""
    watched = f"""
import sys
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r} and "credibly" in sys.modules:
            exec({SEND.format(name)!r})
sys.meta_path.insert(0, Watch())
sys.modules.pop({module!r}, None)
"""
    (tmp_path / "sitecustomize.py").write_text(watched)
    found = started(how, tmp_path, "list", "measures")
    assert found.returncode == SIGNALS[name]
    assert found.stdout == ""
    assert found.stderr == ("credibly: interrupted\n" if name == "SIGINT" else "")


@pytest.mark.parametrize("name", SIGNALS)
@pytest.mark.parametrize("hidden", [False, True])
def test_while_a_command_imports_a_library_that_makes_another_error_of_it(hidden, name, tmp_path):
    send = SEND.format(name)
    wrapped = HIDDEN.format(send.replace("\n", "\n    "))
    (tmp_path / "numpy.py").write_text(wrapped if hidden and name == "SIGINT" else send)
    (tmp_path / "p.csv").write_text("y,s\n1,0.5\n0,0.2\n")
    found = started("module", tmp_path, "evaluate", str(tmp_path / "p.csv"), "--truth", "y")
    assert found.returncode == SIGNALS[name]
    assert "Traceback" not in found.stderr
    assert "unexpected" not in found.stderr
    assert len(found.stderr.splitlines()) <= 1


def test_what_the_caller_ignores_stays_ignored():
    from credibly._core.interruption import leave_at_once

    before = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)}
    try:
        for number in before:
            signal.signal(number, signal.SIG_IGN)
        leave_at_once()
        assert {signal.getsignal(n) for n in before} == {signal.SIG_IGN}
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_who_calls_the_command_line_gets_the_signals_back(capsys):
    from credibly.cli import main

    before = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)]
    assert main(["list", "measures"]) == 0
    assert [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)] == before
    assert capsys.readouterr().out


@pytest.mark.thorough
@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-"])
def test_closed_streams_are_no_reason_to_stop(closed, tmp_path):
    words = shlex.join([sys.executable, "-m", "credibly", "interval", "7", "10"])
    done = subprocess.run(["sh", "-c", f"{words} {closed}"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (b"Wilson" in done.stdout) == (closed != ">&-")


@pytest.mark.parametrize("name", ["stdout", "stderr"])
def test_results_are_text_where_there_is_no_output(name, monkeypatch):
    """As in a program without a window."""
    found = interval(7, 10)
    text = str(found)
    monkeypatch.setattr(sys, name, None)
    assert str(found) == text


def test_a_terminal_of_one_letter_is_taken_for_a_wider_one(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "1")
    monkeypatch.delenv("LINES", raising=False)
    assert main(["interval", "7", "10"]) == 0
    assert "Wilson" in capsys.readouterr().out
