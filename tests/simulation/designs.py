"""How often intervals hold the true value where cases hang together: in groups, and in the order of time.

A fixed rule judges cases from a known population. Those of a group, or neighbours in time, share part of
their chance to be positive and of their score. Each cell draws many data sets, evaluates them as a run in
five test parts would have recorded them, and counts how often the interval holds the truth: that of all
cases pooled, that of the mean over folds, and for contrast the one that takes cases as independent.
Run from the repository:

    python -m tests.simulation.designs --repetitions 1000 --output docs/validity/designs.csv

A second table, designs-95.csv beside it, sets the coverage of all cells side by side.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np

from credibly import Predictions
from credibly.evaluation.fold_estimators import estimators
from credibly.intervals._declare import EstimateRequest
from credibly.measures import measures
from credibly.predictions import Design

from .coverage import write

MEASURES = ("accuracy", "auc", "brier")
SIZES = (200, 1000)
GROUPS = {"groups of 5": 5, "groups of 20": 20}
TIMES = {
    "in time, 0.5": 0.5,
    "in time, 0.9": 0.9,
    "in time, 0.97": 0.97,
}  # correlation of neighbours
CASES = ("independent", *GROUPS, *TIMES)
WAYS = {"pooled": "pooled", "fold_mean": "mean over folds", "naive": "as independent"}
FOLDS = 5
LEVEL = 0.95
POPULATION = 2_000_000
SEED = 20261116


def shared(kind, n, rng):
    """Return what cases have in common, two standard normal numbers each."""
    if kind in GROUPS:
        size = GROUPS[kind]
        return rng.normal(size=(2, -(-n // size)))[:, np.arange(n) // size]
    rho = TIMES.get(kind, 0.0)
    start = rng.normal(size=(2, 1))
    made = rng.normal(size=(2, n)) * np.sqrt(1 - rho**2)
    if rho:
        made[:, :1] += rho * start
        for t in range(1, n):
            made[:, t] += rho * made[:, t - 1]
    return made


def recorded(kind, n, **columns):
    """Return predictions in five test parts, with what is known of how cases hang together."""
    fold = np.arange(n) * FOLDS // n
    in_time = kind in TIMES
    made = Predictions.of(
        **columns,
        row=np.arange(n),
        fold=fold,
        group=np.arange(n) // GROUPS[kind] if kind in GROUPS else None,
        n_train=(fold + 1.0) * n / FOLDS if in_time else n - n / FOLDS,
    )
    return replace(made, design=Design(in_time=in_time), cache={})


def drawn(kind, n, rng):
    """Return predictions of a fixed rule for two classes."""
    chance, height = shared(kind, n, rng)
    y = rng.random(n) < 1 / (1 + np.exp(-2.5 * chance))
    x = rng.normal(1.5 * y, 1) + 1.5 * height
    p = 1 / (1 + np.exp(-(1.5 * x - 1.125)))
    return recorded(kind, n, y_true=y.astype(int), probability=p, classes=[0, 1], positive=1)


def intervals(p):
    """Return the intervals of every measure in each way of making one."""
    plain = replace(p, design=Design(), group=None, cache={})
    asked = {"pooled": ("pooled", p), "fold_mean": ("fold_mean", p), "naive": ("pooled", plain)}
    return {
        (way, name): estimators[estimate](
            EstimateRequest(measures[name], rows, confidence_level=LEVEL)
        ).interval
        for way, (estimate, rows) in asked.items()
        for name in MEASURES
    }


def coverage(kind, n, repetitions, population=POPULATION):
    """Return a row a measure and way: how often the interval held the truth, and how wide it was."""
    everyone = drawn("independent", population, np.random.default_rng([SEED, 1]))
    true = {m: measures[m].value(everyone) for m in MEASURES}
    counts = {key: np.zeros(3) for key in product(WAYS, MEASURES)}
    for r in range(repetitions):
        p = drawn(kind, n, np.random.default_rng([SEED, 2, CASES.index(kind), n, r]))
        for (way, name), limits in intervals(p).items():
            if limits is not None:
                held = limits.low <= true[name] <= limits.high
                counts[way, name] += [1, held, limits.high - limits.low]
    return [
        {
            "cases": kind, "n": n, "measure": name, "estimate": way, "level": LEVEL,
            "repetitions": repetitions, "made": int(made),
            "coverage": round(held / made, 4) if made else "",
            "mean_width": round(width / made, 5) if made else "", "truth": round(true[name], 6),
        }
        for (way, name), (made, held, width) in counts.items()
    ]  # fmt: skip


def side_by_side(rows):
    """Return a row for each kind and number of cases: coverage in per cent by measure and way."""
    table = {}
    for row in rows:
        line = table.setdefault((row["cases"], row["n"]), {"cases": row["cases"], "n": row["n"]})
        shown = "" if row["coverage"] == "" else f"{100 * row['coverage']:.1f}"
        line[f"{row['measure']}, {WAYS[row['estimate']]}"] = shown
    return list(table.values())


def main():
    """Run all cells and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--output", type=Path, default=Path("designs.csv"))
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.processes) as pool:
        cells = list(product(CASES, SIZES))
        jobs = [pool.submit(coverage, *cell, asked.repetitions) for cell in cells]
        rows = []
        for i, job in enumerate(jobs, start=1):
            rows += job.result()
            print(f"{i} of {len(jobs)} cells", file=sys.stderr)  # noqa: T201
    write(rows, asked.output)
    write(side_by_side(rows), asked.output.with_name(f"{asked.output.stem}-95.csv"))


if __name__ == "__main__":
    main()
