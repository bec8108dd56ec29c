"""What an experiment costs beyond fitting and predicting, and what its workers need of memory."""

import os
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
from joblib.externals.loky import get_reusable_executor
from sklearn.base import BaseEstimator, ClassifierMixin

from benchmarks.interleaved import print_table
from credibly import Experiment

WORKERS = 2
NUMBERS = 12_800_000  # in the data of which workers keep no copy
NOTHING = "benchmarks.bench_experiments:Nothing"
TEXTS = ["autumn", "winter", "spring", "summer", None]
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


def held(pid):
    """Bytes of memory that belong to a process alone, and of all that it has mapped."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return np.zeros(2)
    found = dict(x.split(":", 1) for x in lines if x.startswith(("RssAnon", "VmRSS")))
    return np.array([int(found[k].split()[0]) * 1024 for k in ("RssAnon", "VmRSS")])


def workers():
    """Return the processes that joblib keeps."""
    mine = Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text().split()
    found = []
    for pid in mine:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
        if b"popen_loky" in command:
            found.append(int(pid))
    return found


class Nothing(ClassifierMixin, BaseEstimator):
    """Learns which classes there are, in a few bytes: what a worker grows by is not the scheme's."""

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.array([y.min(), y.max()])
        return self

    def predict(self, X):
        return np.full(X.shape[0], self.classes_[0])


def numbers(rng, columns):
    """Return inputs, targets and their size."""
    X = rng.normal(size=(NUMBERS // columns, columns))
    return X, (X[:, 0] > 0).astype(int), X.nbytes


def mixed(rng, columns):
    """Return a table with a fourth of its columns text, and the size that it has as a CSV file."""
    n = NUMBERS // columns // 4
    X = np.empty((n, columns), object)
    size = 0
    for j in range(columns):
        X[:, j] = rng.choice(TEXTS, n) if j % 4 == 0 else rng.normal(size=n).round(6)
        size += sum(len(str(v)) + 1 for v in X[:, j])
    return X, (X[:, 1] > 0).astype(int), size


def memory(scheme, X, y):
    """Return by how much a fresh worker grew while it fitted, at most, and afterwards."""
    get_reusable_executor().shutdown(wait=True)
    with tempfile.TemporaryDirectory() as folder:
        few = len(y) // 10  # enough for workers to load what they need
        warm = Experiment(scheme, {"w": (X[:few], y[:few])}, resampling="4x10", rng=1)
        warm.run(Path(folder, "warm"), n_jobs=WORKERS, progress=False)
        pids = workers()
        before = {p: held(p) for p in pids}
        peak = dict(before)
        stop = threading.Event()

        def watch():
            while not stop.wait(0.005):
                for p in pids:
                    peak[p] = np.maximum(peak[p], held(p))

        thread = threading.Thread(target=watch)
        thread.start()
        made = Experiment(scheme, {"large": (X, y)}, resampling="10", rng=1)
        store = made.run(Path(folder, "kept"), n_jobs=WORKERS, progress=False)
        stop.set()
        thread.join()
        assert set(store.results().status) == {"done"}
    grown = np.max([peak[p] - before[p] for p in pids], axis=0)
    return *grown, max(held(p)[0] - before[p][0] for p in pids)


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
    for kind, columns, names in (
        (numbers, 32, (NOTHING, "zero-r")),
        (numbers, 128, (NOTHING, "zero-r")),
        (mixed, 32, (NOTHING, "zero-r", "tree(max_depth=1)")),
    ):
        X, y, size = kind(rng, columns)
        for scheme in names:
            shares = [f"{g / size:.2f}" for g in memory(scheme, X, y)]
            name = scheme.rpartition(":")[2]
            rows.append([f"{columns} of {kind.__name__}", f"{size / 1e6:.0f}", name, *shares])
    print_table(
        "Memory of a worker in ten folds, of the data's size; of numbers 0.90 are trained on",
        ["columns", "MB", "scheme", "its own, at most", "with mapped files", "afterwards"],
        rows,
    )
