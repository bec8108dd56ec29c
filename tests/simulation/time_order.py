"""How intervals and comparisons do in time order: short and long series, of short and of long memory.

Numbers are predicted with errors that follow an autoregression, and two classes as in `designs`. Each cell
draws many series and counts how often 95 % intervals of all cases pooled hold the truth: by long-run variances, by
the block bootstrap, and as if cases were independent. Two models with errors of their own are compared by mean
squared error as well: equal ones, and ones of which the second has errors with 1.4 times the variance.
Run from the repository:

    python -m tests.simulation.time_order --repetitions 1000 --output docs/validity/time-order.csv

Two tables beside it set all cells side by side: time-order-95.csv the coverage, and time-order-tests.csv how often
models were called different.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np

from credibly import compare
from credibly.evaluation.fold_estimators import estimators
from credibly.intervals._declare import EstimateRequest
from credibly.measures import measures
from credibly.predictions import Design

from .coverage import write
from .designs import POPULATION, TIMES, drawn, recorded, shared

KINDS = ("independent", *TIMES)  # which is also the correlation 0, in time order all the same
CORRELATIONS = {"independent": 0.0, **TIMES}
SIZES = (200, 400, 1000)
MEASURES = ("accuracy", "auc", "brier", "mse")
WAYS = {
    "auto": "long-run variance",
    "block_bootstrap": "block bootstrap",
    "naive": "as independent",
}
TESTS = {"influence": "long-run variance", "corrected_resampled_t": "corrected t over folds"}
WORSE = 1.4  # times the variance of its errors has the second of two unequal models
REPLICATES = 200
LEVEL = 0.95
SEED = 20261117


def numbers(kind, n, rng, models=1):
    """Return predicted numbers in time order, whose errors have a variance of 1."""
    y = rng.normal(size=n)
    made = [recorded(kind, n, y_true=y, value=y + e) for e in shared(kind, n, rng)[:models]]
    return [in_order(p) for p in made]


def in_order(p):
    """Return predictions of cases that are known to be in time order."""
    return replace(p, design=Design(in_time=True), cache={})


def intervals(p, seed):
    """Return the intervals of every measure in each way of making one."""
    plain = replace(p, design=Design(), cache={})
    settings = {"confidence_level": LEVEL, "seed": seed, "replicates": REPLICATES}
    return {
        (way, name): estimators["pooled"](
            EstimateRequest(measures[name], plain, **settings)
            if way == "naive"
            else EstimateRequest(measures[name], p, interval=way, **settings)
        ).interval
        for way, name in product(WAYS, MEASURES)
        if (name == "mse") == (p.task == "numeric")
    }


def coverage(kind, n, repetitions, population=POPULATION):
    """Return a row for each measure and way: how often the interval held the truth, and how wide it was."""
    everyone = drawn("independent", population, np.random.default_rng([SEED, 1]))
    true = {m: measures[m].value(everyone) for m in MEASURES if m != "mse"} | {"mse": 1.0}
    counts = {key: np.zeros(3) for key in product(WAYS, MEASURES)}
    for r in range(repetitions):
        rng = np.random.default_rng([SEED, 2, KINDS.index(kind), n, r])
        found = intervals(in_order(drawn(kind, n, rng)), r) | intervals(*numbers(kind, n, rng), r)
        for key, limits in found.items():
            if limits is not None:
                held = limits.low <= true[key[1]] <= limits.high
                counts[key] += [1, held, limits.high - limits.low]
    return [
        {
            "correlation": CORRELATIONS[kind], "n": n, "measure": name, "interval": WAYS[way],
            "level": LEVEL, "repetitions": repetitions, "made": int(made),
            "coverage": round(held / made, 4), "mean_width": round(width / made, 5),
        }
        for (way, name), (made, held, width) in counts.items()
    ]  # fmt: skip


def alarms(kind, n, repetitions):
    """Return how often comparisons call equal and unequal models different at 5 %, by mean squared error."""
    counts = dict.fromkeys(product(TESTS, ("equal", "unequal")), 0)
    for r in range(repetitions):
        rng = np.random.default_rng([SEED, 3, KINDS.index(kind), n, r])
        a, b = numbers(kind, n, rng, models=2)
        worse = replace(b, value=b.truth + np.sqrt(WORSE) * (b.value - b.truth), cache={})
        for test, (name, other) in product(TESTS, {"equal": b, "unequal": worse}.items()):
            counts[test, name] += compare(a, other, "mse", test=test).pvalue < 1 - LEVEL
    return [
        {
            "correlation": CORRELATIONS[kind], "n": n, "test": TESTS[test], "models": name,
            "repetitions": repetitions, "rejected": round(count / repetitions, 4),
        }
        for (test, name), count in counts.items()
    ]  # fmt: skip


def side_by_side(rows, value, *names):
    """Return a row for each correlation and size: shares in per cent by what was done."""
    table = {}
    for row in rows:
        key = {"correlation": row["correlation"], "n": row["n"]}
        line = table.setdefault(tuple(key.values()), key)
        line[", ".join(str(row[name]) for name in names)] = f"{100 * row[value]:.1f}"
    return list(table.values())


def main():
    """Run all cells and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--output", type=Path, default=Path("time-order.csv"))
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    cells = sorted(product(KINDS, SIZES), key=lambda cell: -cell[1])
    with ProcessPoolExecutor(asked.processes) as pool:
        jobs = [
            pool.submit(make, *cell, asked.repetitions)
            for make in (coverage, alarms)
            for cell in cells
        ]
        found = []
        for i, job in enumerate(jobs, start=1):
            found += job.result()
            print(f"{i} of {len(jobs)} cells", file=sys.stderr)  # noqa: T201
    found.sort(key=lambda row: (row["correlation"], row["n"]))
    rows, tests = ([r for r in found if column in r] for column in ("coverage", "rejected"))
    write(rows, asked.output)
    beside = {
        "95": side_by_side(rows, "coverage", "measure", "interval"),
        "tests": side_by_side(tests, "rejected", "test", "models"),
    }
    for name, table in beside.items():
        write(table, asked.output.with_name(f"{asked.output.stem}-{name}.csv"))


if __name__ == "__main__":
    main()
