"""How often intervals hold the true value: the simulation behind the table of validity.

Cases come from a known population, so the truth is known (from a sample so large that its own error does
not matter). Each cell draws many data sets, makes the default interval of each measure and counts how
often it holds the truth. Run from the repository:

    python -m tests.simulation.coverage --repetitions 2000 --output docs/validity/coverage.csv

A second table, coverage-95.csv beside it, sets the coverage of the 95 % intervals of all cells side by side.
"""

from __future__ import annotations

import argparse
import csv
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np

from credibly import Predictions
from credibly.intervals._declare import EstimateRequest
from credibly.intervals.methods import interval_for
from credibly.measures import measures

CLASSIFICATION = (
    "accuracy", "recall", "specificity", "precision", "fbeta", "youden", "balanced_accuracy",
    "mcc", "kappa", "auc", "average_precision", "brier", "log_loss",
)  # fmt: skip
NUMERIC = ("mae", "rmse", "correlation", "r2_test_mean")
SIZES = (30, 100, 1000)
PREVALENCES = {"balanced": 0.5, "5 % positive": 0.05}
LEVELS = (0.90, 0.95, 0.99)
GROUP_SIZE = 5
POPULATION = 4_000_000
SEED = 20261115


def classes(n, prevalence, *, grouped, rng):
    """Binormal scores with calibrated probabilities; groups share part of their score and of their class."""
    size = GROUP_SIZE if grouped else 1
    group = np.arange(n) // size
    shared = rng.normal(size=(2, group[-1] + 1))[:, group] if grouped else np.zeros((2, n))
    logit = np.log(prevalence / (1 - prevalence)) + 0.7 * shared[0]
    y = rng.random(n) < 1 / (1 + np.exp(-logit))
    x = rng.normal(1.5 * y, 1) + 0.5 * shared[1]
    p = 1 / (1 + np.exp(-(1.5 * x - 1.125 + np.log(prevalence / (1 - prevalence)))))
    return Predictions.of(
        y.astype(int),
        probability=p,
        label=(p >= prevalence).astype(int),
        classes=[0, 1],
        positive=1,
        group=group if grouped else None,
    )


def numbers(n, _prevalence, *, grouped, rng):
    """Numbers predicted with an error that groups share in part."""
    group = np.arange(n) // (GROUP_SIZE if grouped else 1)
    shared = rng.normal(size=group[-1] + 1)[group] if grouped else np.zeros(n)
    truth = rng.normal(size=n) + 0.5 * shared
    value = 0.8 * truth + rng.normal(scale=0.6, size=n) + 0.3 * shared
    return Predictions.of(truth, value=value, group=group if grouped else None)


def cells():
    """Every combination of measure family, size, balance and grouping."""
    for n, balance, grouped in product(SIZES, PREVALENCES, (False, True)):
        yield classes, CLASSIFICATION, n, balance, grouped
    for n, grouped in product(SIZES, (False, True)):
        yield numbers, NUMERIC, n, "numeric", grouped


def truths(draw, names, balance, *, grouped, size=POPULATION):
    """Return the value of each measure in the population."""
    rng = np.random.default_rng([SEED, 1])
    p = draw(size, PREVALENCES.get(balance, 0.5), grouped=grouped, rng=rng)
    return {name: measures[name].value(p) for name in names}


def coverage(draw, names, n, balance, grouped, repetitions, population=POPULATION):
    """Return a row a measure and level: how often the interval held, missed on either side or was refused."""
    true = truths(draw, names, balance, grouped=grouped, size=population)
    counts = {(name, level): np.zeros(5) for name in names for level in LEVELS}
    for r in range(repetitions):
        rng = np.random.default_rng(
            [
                SEED,
                2,
                n,
                list(PREVALENCES).index(balance) if balance in PREVALENCES else 9,
                grouped,
                r,
            ]
        )
        p = draw(n, PREVALENCES.get(balance, 0.5), grouped=grouped, rng=rng)
        for name in names:
            m = measures[name]
            value = m.value(p)
            for level in LEVELS:
                limits, _ = interval_for(EstimateRequest(m, p, confidence_level=level, value=value))
                c = counts[name, level]
                if limits is None:
                    c[3] += 1
                elif limits.low > true[name]:
                    c[1] += 1
                elif limits.high < true[name]:
                    c[2] += 1
                else:
                    c[0] += 1
                c[4] += 0 if limits is None else limits.high - limits.low
    rows = []
    for (name, level), c in counts.items():
        made = c[:3].sum()
        rows.append(
            {
                "measure": name, "n": n, "cases": balance, "grouped": int(grouped), "level": level,
                "repetitions": repetitions, "made": int(made), "coverage": round(c[0] / made, 4) if made else "",
                "too_high": round(c[1] / made, 4) if made else "", "too_low": round(c[2] / made, 4) if made else "",
                "mean_width": round(c[4] / made, 5) if made else "", "truth": round(true[name], 6),
            }
        )  # fmt: skip
    return rows


def main():
    """Run all cells and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=2000)
    parser.add_argument("--output", type=Path, default=Path("coverage.csv"))
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.processes) as pool:
        jobs = [pool.submit(coverage, *cell, asked.repetitions) for cell in cells()]
        rows = []
        for i, job in enumerate(jobs, start=1):
            rows += job.result()
            print(f"{i} of {len(jobs)} cells", file=sys.stderr)  # noqa: T201
    write(rows, asked.output)
    write(side_by_side(rows), asked.output.with_name(f"{asked.output.stem}-95.csv"))


def side_by_side(rows):
    """Return a row a measure and a column a cell: coverage of 95 % intervals in per cent."""
    table = {}
    for row in rows:
        if row["level"] == 0.95:
            grouped = ", groups" if row["grouped"] else ""
            cell = f"n = {row['n']}, {row['cases']}{grouped}"
            made = "" if row["coverage"] == "" else f"{100 * row['coverage']:.1f}"
            table.setdefault(row["measure"], {"measure": row["measure"]})[cell] = made
    columns = dict.fromkeys(c for row in table.values() for c in row)
    return [{c: row.get(c, "") for c in columns} for row in table.values()]


def missed(row):
    """Whether a share that was held (at least 93 %) or rejected (at most 6 %) misses that by more than two Monte Carlo errors."""
    aim = 0.93 if row["of"] == "held" else 0.06
    beyond = float(row["share"]) - aim
    below = -beyond if row["of"] == "held" else beyond
    return below > 2 * np.sqrt(aim * (1 - aim) / int(row["with an answer"]))


def write(rows, path):
    """Write rows as CSV."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
