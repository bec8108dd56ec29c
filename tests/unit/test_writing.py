"""Whatever writes a file writes all of it, or leaves the old one and nothing beside it."""

import resource
import signal
import stat
from contextlib import contextmanager

import numpy as np
import pytest

import credibly
from credibly import CrediblyError, DataError, Predictions
from credibly._core.files import write_whole, written
from credibly.experiments import Results
from credibly.experiments.analysis.export import export_results

P = Predictions.of([0, 1] * 2000, probability=np.linspace(0.1, 0.9, 4000), row=range(4000))
RESULTS = Results.of(
    ["iris"] * 9000, ["tree"] * 9000, {"error_rate": [0.1] * 9000}, fold=range(9000)
)
WRITERS = {
    "p.parquet": lambda path: credibly.save(P, path),
    "p.csv": lambda path: credibly.save(P, path),
    "p.jsonl": lambda path: credibly.save(P, path),
    "f.svg": lambda path: credibly.plot(P, "scores_by_class").save(path),
    "f.json": lambda path: credibly.plot(P, "scores_by_class").save(path),
    "r.md": lambda path: credibly.report(P).save(path),
    "e.csv": lambda path: export_results(RESULTS, path),
    "e.json": lambda path: export_results(RESULTS, path),
    "e.parquet": lambda path: export_results(RESULTS, path),
}


@contextmanager
def full_disk():
    """Let no file of this process grow beyond 2,000 bytes, and only meanwhile: pytest may write to one."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, name):
    path = tmp_path / name
    WRITERS[name](path)  # also to import and to make what is kept for later
    path.write_bytes(b"old")
    with full_disk(), pytest.raises(CrediblyError, match="cannot be written"):
        WRITERS[name](path)
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", WRITERS)
def test_what_cannot_be_written_is_said(tmp_path, name):
    for path in (tmp_path / "nowhere" / name, tmp_path / ("x" * 300 + name)):
        with pytest.raises(CrediblyError, match="cannot be written") as caught:
            WRITERS[name](path)
        assert len(str(caught.value)) < 600
    (tmp_path / name).mkdir()
    with pytest.raises(CrediblyError, match="cannot be written"):
        WRITERS[name](tmp_path / name)
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_a_long_name_is_written(tmp_path):
    path = tmp_path / ("x" * 251 + ".csv")
    assert credibly.read(credibly.save(P, path)).n == 4000


def test_links_modes_and_devices_stay(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_whole(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    write_whole("/dev/null", "nothing")
    with pytest.raises(DataError, match=r"/dev/full cannot be written: No space left on device"):
        write_whole("/dev/full", "something")


def test_an_error_of_the_writer_leaves_nothing(tmp_path):
    def write(error):
        with written(tmp_path / "a") as part:
            part.write_text("half")
            raise error

    for error in (KeyboardInterrupt, ZeroDivisionError):
        with pytest.raises(error):
            write(error)
    assert not list(tmp_path.iterdir())
