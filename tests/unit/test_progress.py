"""The progress bar appears on a terminal, late, and nowhere else."""

import io
import sys

from credibly._core import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_nothing_is_written_to_a_file(monkeypatch):
    target = io.StringIO()
    monkeypatch.setattr(sys, "stderr", target)
    monkeypatch.setattr(progress, "DELAY_SECONDS", -1)
    assert list(progress.track(range(3), 3, "things")) == [0, 1, 2]
    assert target.getvalue() == ""


def test_a_bar_on_a_terminal(monkeypatch):
    target = Terminal()
    monkeypatch.setattr(sys, "stderr", target)
    monkeypatch.setattr(progress, "DELAY_SECONDS", -1)
    monkeypatch.setenv("TERM", "xterm")
    assert list(progress.track(range(3), 3, "things")) == [0, 1, 2]
    assert "things" in target.getvalue()


def test_short_work_shows_none(monkeypatch):
    target = Terminal()
    monkeypatch.setattr(sys, "stderr", target)
    assert list(progress.track(range(3), 3, "things")) == [0, 1, 2]
    assert target.getvalue() == ""
