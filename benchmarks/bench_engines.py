"""Predictions in Parquet: bounded AUC against reading the columns, exact AUC against pandas + scikit-learn.

Sizes from CREDIBLY_ENGINE_ROWS, such as "1e6 1e7 1e8" (the largest takes 1 GB of disk and minutes).
CREDIBLY_ENGINE_PLOT names a picture of the growth to write. Each contestant runs in a process of its own, in turn; the best turn of each counts. Ratios are of
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
PLOT = os.environ.get("CREDIBLY_ENGINE_PLOT")
OURS = ("bounded", "refined", "exact")
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


def bounded(path):
    """AUC from bins, with the bound that one pass gives."""
    return auc_of(path, tolerance=1e-4)


def refined(path):
    """AUC from bins, counted again until the bound is small."""
    return auc_of(path, tolerance=1e-6)


def exact(path):
    """AUC to the last pair."""
    return auc_of(path, exact=True)


def auc_of(path, **options):
    from credibly import evaluate, summarise

    p = summarise(path, measures="auc", threads=THREADS, memory="400MB", **options)
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
            names = ["reading", *OURS] + ["peer"] * (float(size) <= PEER_UP_TO)
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
            growth.append((float(size), *(best[name][0] for name in OURS)))
            path.unlink()
    for (n, *first), (m, *last) in pairwise(growth):
        slopes = ", ".join(f"{w} {times(b / a)}" for w, a, b in zip(OURS, first, last, strict=True))
        print(f"  {m / n:,.0f} times the rows take: {slopes}")
    if PLOT:
        print(f"  the growth is drawn in {growth_figure(growth).save(PLOT)}")


def growth_figure(growth):
    """Draw seconds against rows, both on a logarithmic scale: linear growth is as steep as the rule."""
    from credibly.plots import Axis, Figure, Layer

    rows, *seconds = zip(*growth, strict=True)
    rows = [n / 1e6 for n in rows]
    linear = [seconds[0][0] * n / rows[0] for n in rows]
    said = "; ".join(
        f"{name} {s[-1] / s[0]:.3g} times" for name, s in zip(OURS, seconds, strict=True)
    )
    lines = [
        Layer.of(kind, x=rows, y=s, series=name)
        for name, s in zip(OURS, seconds, strict=True)
        for kind in ("line", "points")
    ]
    return Figure(
        "AUC of predictions in Parquet",
        Axis("million rows", (rows[0], rows[-1]), logarithmic=True),
        Axis("processor time, seconds", logarithmic=True),
        (Layer.of("line", x=rows, y=linear, emphasis="dashed"), *lines),
        alt=f"Time against rows. From {rows[0]:g} to {rows[-1]:g} million rows it grows: {said}.",
        subtitle="Dashed: growth in proportion to the rows",
    )


if __name__ == "__main__":
    main()
