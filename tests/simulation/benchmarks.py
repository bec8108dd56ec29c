"""How often all intervals over many tasks hold together, ranks are right, and a margin is passed in error.

Cases of tasks of different sizes pass or fail by how hard they are, which all models share. Run from the repository:

    python -m tests.simulation.benchmarks --output docs/validity/benchmarks.csv
"""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path

import numpy as np

from credibly import Predictions, benchmarks

SEED = 20261118
SIZES = (400, 100, 50, 50, 25, 25)
MARGIN = 0.1
# What is drawn: models, what each model after the first gains on each task, and whether cases come in groups of five.
CELLS = {
    "2 equal models": (2, (0.0,) * 6, False),
    "5 equal models": (5, (0.0,) * 6, False),
    "10 equal models": (10, (0.0,) * 6, False),
    "5 models, each better by 0.04": (5, (0.04,) * 6, False),
    "2 models, gains and losses": (2, (0.1, -0.05, 0.0, 0.2, -0.1, 0.0), False),
    "2 models, numbers in groups of 5": (2, (0.0,) * 6, True),
    "2 models, worse by 0.1 on a task of 25": (2, (0.05, 0.05, 0.05, 0.05, 0.05, -0.1), False),
    "2 models, worse by 0.1 on a task of 400": (2, (-0.1, 0.05, 0.05, 0.05, 0.05, 0.05), False),
}


@cache
def quantiles():
    """Return the sum of a shared and an own uniform number, sorted: what turns a rate into a threshold."""
    rng = np.random.default_rng([SEED, 1])
    return np.sort(0.6 * rng.random(400_000) + 0.4 * rng.random(400_000))


def drawn(cell, rng):
    """Return outcomes of models, and the true rates by model and task."""
    models, gains, grouped = cell
    task = np.repeat(np.arange(len(SIZES)), SIZES)
    rates = 0.5 + np.arange(models)[:, None] * np.asarray(gains)
    if grouped:
        group = np.arange(task.size) // 5
        hard = rng.normal(size=group.max() + 1)[group] + rng.normal(size=task.size)
        own = rng.normal(size=(models, group.max() + 1))[:, group] * 0.5
        made = rates[:, task] + hard + own + 0.5 * rng.normal(size=(models, task.size))
        more = {"group": group, "better": "higher"}
    else:
        place = (rates * quantiles().size).astype(int)
        number = 0.6 * rng.random(task.size) + 0.4 * rng.random((models, task.size))
        made, more = number < quantiles()[place][:, task], {}
    columns = {"task": task}
    return Predictions.of(
        outcome={str(k): made[k] for k in range(models)}, columns=columns, **more
    ), rates


def judged(cell, rng, replicates):
    """Return whether all that is said of one sample holds."""
    p, rates = drawn(cell, rng)
    found = benchmarks(p, against="0", margin=MARGIN, replicates=replicates, rng=1)
    means = rates.mean(1)
    gaps = {
        (str(k), t): rates[k, t] - rates[0, t] for k in range(len(rates)) for t in range(len(SIZES))
    }
    inside = [gaps[d.model, int(d.task)] in widened(d.interval) for d in found.tasks]
    over_all = [means[int(d.model)] - means[0] in widened(d.interval) for d in found.overall]
    ranks = [
        s.rank_low <= 1 + (means > means[int(s.model)] + 1e-9).sum()
        and s.rank_high >= len(means) - (means < means[int(s.model)] - 1e-9).sum()
        for s in found.standings
    ]
    worse = (rates[1:] - rates[0]).min() <= -MARGIN + 1e-9
    return {
        "tasks": all(inside), "over_all": all(over_all), "ranks": all(ranks),
        "no_worse": found.no_worse[0].verdict == "yes" if worse else None,
    }  # fmt: skip


def widened(interval):
    """Return an interval with room for the rounding of a rate to a threshold."""
    from dataclasses import replace

    return replace(interval, low=interval.low - 1e-5, high=interval.high + 1e-5)


def coverage(name, repetitions, replicates=2000):
    """Return a row of the table."""
    rows = [
        judged(CELLS[name], np.random.default_rng([SEED, 2, r]), replicates)
        for r in range(repetitions)
    ]
    made = {"what": name, "repetitions": repetitions}
    for key in ("tasks", "over_all", "ranks", "no_worse"):
        told = [r[key] for r in rows if r[key] is not None]
        made[key] = round(float(np.mean(told)), 4) if told else ""
    return made


def side_by_side(rows):
    """Return the table as the page shows it, in per cent."""
    titles = {
        "tasks": "all tasks",
        "over_all": "over all tasks",
        "ranks": "all ranks",
        "no_worse": "no worse, in error",
    }
    return [
        {
            "95 % together": r["what"],
            **{t: "" if r[k] == "" else f"{100 * r[k]:.1f}" for k, t in titles.items()},
        }
        for r in rows
    ]


def main():
    """Run all cells and write the tables."""
    from tests.simulation.coverage import write

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=400)
    parser.add_argument("--output", type=Path, default=Path("benchmarks.csv"))
    asked = parser.parse_args()
    rows = [coverage(name, asked.repetitions) for name in CELLS]
    write(rows, asked.output)
    write(side_by_side(rows), asked.output.with_name(f"{asked.output.stem}-95.csv"))


if __name__ == "__main__":
    main()
