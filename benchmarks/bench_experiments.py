"""What an experiment costs beyond fitting and predicting, and what its workers need of memory."""

import os
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from benchmarks.interleaved import print_table
from credibly import Experiment

WORKERS = 2
NUMBERS = 12_800_000  # in the data of which workers keep no copy
COLUMNS = (32, 128)
SCHEMES = ["zero-r", "naive-bayes", "lda"]


def overhead(rng):
    """Return, for the best of three rounds, a task's milliseconds of fitting, beyond it, and of processors."""
    X = rng.normal(size=(150, 4))
    datasets = {"made": (X, (X[:, 0] > 0).astype(int))}
    best = [np.inf] * 3
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(4):  # the first starts the workers
            made = Experiment(SCHEMES, datasets, measures=["error_rate", "auc"], rng=seed)
            pids = [os.getpid(), *workers()]
            before, begin = sum(map(processor, pids)), time.perf_counter()
            r = made.run(Path(folder, str(seed)), n_jobs=WORKERS, progress=False).results()
            wall = time.perf_counter() - begin
            used = sum(map(processor, pids)) - before
            fitting = float((r.fit_seconds + r.predict_seconds).sum())
            if seed:
                ms = [1000 * s / r.n for s in (fitting, wall * WORKERS - fitting, used)]
                best = [min(pair) for pair in zip(best, ms, strict=True)]
        begin = time.perf_counter()
        made.run(Path(folder, str(seed)), n_jobs=WORKERS, progress=False)
        return r.n, best, time.perf_counter() - begin


def processor(pid):
    """Return the seconds that processors have spent on a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def anonymous(pid):
    """Bytes of memory that belong to a process alone: mapped files are shared."""
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(x.split()[1]) * 1024 for x in text.splitlines() if x.startswith("RssAnon")), 0)


def workers():
    """Return the processes that joblib keeps."""
    mine = Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text().split()
    found = []
    for pid in mine:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
        if b"popen_loky" in command:
            found.append(int(pid))
    return found


def memory(rng, columns):
    """Return the size of the data, and by how much a worker grew at most while it fitted."""
    X = rng.normal(size=(NUMBERS // columns, columns))
    y = (X[:, 0] > 0).astype(int)
    with tempfile.TemporaryDirectory() as folder:
        warm = Experiment("naive-bayes", {"w": (X[:100], y[:100])}, resampling="2x10", rng=1)
        warm.run(Path(folder, "warm"), n_jobs=WORKERS, progress=False)
        pids = workers()
        before = {p: anonymous(p) for p in pids}
        peak = dict(before)
        stop = threading.Event()

        def watch():
            while not stop.wait(0.005):
                for p in pids:
                    peak[p] = max(peak[p], anonymous(p))

        thread = threading.Thread(target=watch)
        thread.start()
        made = Experiment("zero-r", {"large": (X, y)}, resampling="10", rng=1)
        made.run(Path(folder, "kept"), n_jobs=WORKERS, progress=False)
        stop.set()
        thread.join()
    after = max(anonymous(p) - before[p] for p in pids)
    return X.nbytes, max(peak[p] - before[p] for p in pids), after


def main():
    rng = np.random.default_rng(0)
    n, (fitting, beyond, used), again = overhead(rng)
    print_table(
        f"An experiment of {n} fits on {WORKERS} workers (loky), 150 rows, two measures, every prediction kept",
        [
            "ms of fit and predict",
            "ms a task beyond",
            "ms of processors in all",
            "s when all is done",
        ],
        [[f"{fitting:.2f}", f"{beyond:.2f}", f"{used:.2f}", f"{again:.2f}"]],
    )
    rows = []
    for columns in COLUMNS:
        size, peak, after = memory(rng, columns)
        rows.append([str(columns), f"{peak / size:.2f}", f"{after / size:.2f}"])
    print_table(
        f"Memory of a worker, data of {size / 1e6:.0f} MB in ten folds, of the data's size",
        ["columns", "during fits, which need 0.90 to train on", "afterwards"],
        rows,
    )
