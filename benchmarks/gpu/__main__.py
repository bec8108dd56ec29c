"""Check the bootstrap on a graphics card against the processor's, and time it.

Run it on a machine with a CUDA card and CuPy: ``python -m benchmarks.gpu``. Without numba the
processor's side is its numpy twin, so it is compared on fewer replicates there.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from time import perf_counter

if find_spec("numba") is None:
    os.environ["CREDIBLY_JIT"] = "0"

import numpy as np

from credibly._kernels.bootstrap import _Panel, replicate_sums
from credibly._kernels.device import DevicePanel, falling_order, library
from credibly._kernels.draws import key_of
from credibly._kernels.poisson_lanes import LANES, POISSON

REPEATS = 20


def data(n: int, decimals: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Scores of two overlapping classes, three in ten positive; rounding makes ties."""
    rng = np.random.default_rng(1)
    positive = rng.random(n) < 0.3
    score = rng.normal(size=n) + 1.2 * positive
    return positive, score if decimals is None else score.round(decimals)


def compare(n: int, count: int, decimals: int | None) -> None:
    """Draw the same replicates on both, with every kind of sum, and say how far they differ."""
    positive, score = data(n, decimals)
    order, new = falling_order(score)
    rng = np.random.default_rng(2)
    columns = {
        "positive": positive[order],
        "new_score": new,
        "precision": True,
        "gap": True,
        "losses": rng.random((n, 5)),
        "cell": rng.integers(0, 300, n),
        "n_cells": 300,
    }
    here, there = (
        replicate_sums(order, seed=3, first=5, count=count, device=d, **columns)
        for d in ("cpu", "gpu")
    )
    whole = ("weight", "positives", "negatives", "concordant", "tied", "cells", "largest_gap")
    for name in whole:
        assert np.array_equal(getattr(here, name), getattr(there, name)), name
    apart = max(
        float(np.max(np.abs(getattr(there, name) / getattr(here, name) - 1)))
        for name in ("precision", "losses")
    )
    assert apart < 1e-12, apart
    auc = [(s.concordant + s.tied / 2) / (s.positives * s.negatives) for s in (here, there)]
    assert np.array_equal(*auc)
    ties = "no ties" if decimals is None else f"{decimals} decimals"
    print(f"n = {n:>9,}, {count} replicates, {ties}: equal; losses and precision to {apart:.1e}")


def timed(n: int, count: int, decimals: int | None) -> None:
    """Time the sums that an AUC reads, by the card's clock, on rows that lie there in order."""
    cupy = library()
    positive, score = data(n, decimals)
    start = perf_counter()
    order, new = falling_order(score)
    sort = perf_counter() - start
    panel = _Panel(n, {"positive": positive[order], "new_score": new})
    rows = DevicePanel(order.astype(np.uint64), panel.kinds(), panel.losses, panel.cell, 0)
    blocks = range(-(-count // LANES))
    keys = cupy.asarray(np.array([key_of(3, POISSON, block) for block in blocks], np.uint64))
    rows.order(keys, reach=False)
    found = []
    for _ in range(REPEATS):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        rows.order(keys, reach=False)
        end.record()
        end.synchronize()
        found.append(cupy.cuda.get_elapsed_time(begin, end))
    columns = {"positive": positive[order], "new_score": new}
    whole = {}
    for device in ("gpu", "cpu"):
        few = count if device == "gpu" else LANES  # the processor's time is linear in replicates
        replicate_sums(order, seed=3, count=few, device=device, **columns)
        start = perf_counter()
        replicate_sums(order, seed=3, count=few, device=device, **columns)
        whole[device] = (perf_counter() - start) * count / few
    ties = "no ties" if decimals is None else f"{decimals} decimals"
    print(
        f"AUC, n = {n:,}, {count} replicates, {ties}: median {np.median(found):.2f} ms, "
        f"least {min(found):.2f} ms after the sort; sort with transfers {1000 * sort:.1f} ms; "
        f"from the processor's arrays and back {1000 * whole['gpu']:.1f} ms, "
        f"{whole['cpu'] / whole['gpu']:.0f} times as fast as one thread"
    )


def main() -> None:
    """Compare, then time."""
    device = library().cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(device)
    for n, count in ((1000, 200), (1025, 64), (100_003, 100)):
        for decimals in (None, 3, 1, 0):
            compare(n, count, decimals)
    for decimals in (None, 3, 1):
        timed(1_000_000, 1000, decimals)


if __name__ == "__main__":
    main()
