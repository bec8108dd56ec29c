"""Predictions in Parquet: bounded AUC against reading the columns, exact AUC against pandas + scikit-learn.

Sizes from CREDIBLY_ENGINE_ROWS, such as "1e6 1e7 1e8" (the largest takes 1 GB of disk and minutes).
Each contestant runs in a process of its own, in turn; the best turn of each counts. Ratios are of
processor time, of all threads together, which a busy machine does not bias; waiting time stands beside.
"""

import os
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

from benchmarks.interleaved import print_table, times
from benchmarks.make_predictions import make

THREADS = 2
SIZES = os.environ.get("CREDIBLY_ENGINE_ROWS", "1e6 1e7").split()
ROUNDS = int(os.environ.get("CREDIBLY_ENGINE_ROUNDS", "3"))
PEER_UP_TO = float(os.environ.get("CREDIBLY_ENGINE_PEER", "1e8"))
PROGRAM = """
import re, sys, time
from pathlib import Path
from benchmarks import bench_engines
path, warm, name = sys.argv[1:]
run = getattr(bench_engines, name)
peak = lambda: int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
run(warm)  # imports and compiles
begin, busy = time.perf_counter(), time.process_time()
value, bound = run(path)
print(time.process_time() - busy, peak(), time.perf_counter() - begin, value, bound)
"""


def reading(path):
    """Read the two columns, all rows, into memory."""
    import duckdb

    with duckdb.connect(config={"threads": THREADS}) as connection:
        connection.execute(f"SELECT truth, score FROM '{path}'").fetchnumpy()
    return 0, 0


def bounded(path, **options):
    """AUC from bins, with the bound that one pass gives."""
    from credibly import evaluate, summarise

    p = summarise(path, measures="auc", tolerance=1e-4, threads=THREADS, memory="400MB", **options)
    e = evaluate(p, "auc")["auc"]
    return e.value, e.bound or 0


def exact(path):
    """AUC to the last pair."""
    from credibly import evaluate, summarise

    p = summarise(path, measures="auc", exact=True, threads=THREADS, memory="400MB")
    e = evaluate(p, "auc")["auc"]
    return e.value, e.bound or 0


def peer(path):
    """What people do today."""
    import pandas as pd
    from sklearn.metrics import roc_auc_score

    frame = pd.read_parquet(path, columns=["truth", "score"])
    return roc_auc_score(frame["truth"], frame["score"]), 0


def measured(name, path, warm):
    command = [sys.executable, "-c", PROGRAM, str(path), str(warm), name]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return [float(x) for x in said[-5:]]


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get("CREDIBLY_ENGINE_FOLDER")) as folder:
        warm = make(400_000, Path(folder, "warm.parquet"))
        growth = []
        for size in SIZES:
            path = make(float(size), Path(folder, f"{size}.parquet"))
            names = ["reading", "bounded", "exact"] + ["peer"] * (float(size) <= PEER_UP_TO)
            best = {}
            for _ in range(ROUNDS):
                for name in names:
                    found = measured(name, path, warm)
                    best[name] = min(best.get(name, found), found)
            rows = [
                [
                    n,
                    f"{s:.2f}",
                    times(s / best["reading"][0]),
                    f"{wall:.2f}",
                    f"{mb:,.0f}",
                    f"{v:.9f}",
                    f"{b:.1e}",
                ]
                for n, (s, mb, wall, v, b) in best.items()
            ]
            header = ["what", "CPU s", "of reading", "waiting s", "peak MB", "AUC", "bound"]
            print_table(f"{float(size):,.0f} rows, {THREADS} threads in DuckDB", header, rows)
            if "peer" in best:
                ratio, share = (best["peer"][i] / best["exact"][i] for i in (0, 1))
                print(
                    f"  exact: {times(ratio)} as fast as pandas + scikit-learn in 1/{share:.1f} of its memory"
                )
            growth.append((float(size), best["bounded"][0], best["exact"][0]))
            path.unlink()
    for (n, *first), (m, *last) in pairwise(growth):
        slopes = ", ".join(
            f"{w} {times(b / a)}" for w, a, b in zip(("bounded", "exact"), first, last, strict=True)
        )
        print(f"  {m / n:,.0f} times the rows take: {slopes}")
    print_growth(growth)


def print_growth(growth):
    """Draw seconds against rows, both on a logarithmic scale: a straight line of slope 1 is linear growth."""
    from math import log10

    print(
        "\n  seconds against rows, each step of 10 to the right is 20 characters (b bounded, e exact)"
    )
    for row in range(6, -9, -1):
        line = [" "] * 60
        for n, *both in growth:
            for mark, s in zip("be", both, strict=True):
                if round(4 * log10(s)) == row:
                    line[round(20 * (log10(n) - 6))] = mark
        if any(c != " " for c in line):
            print(f"  {10 ** (row / 4):8.2f} s |{''.join(line).rstrip()}")


if __name__ == "__main__":
    main()
