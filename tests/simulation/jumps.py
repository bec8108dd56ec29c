"""How often bootstrap intervals hold the true value: measures of ranked scores that jump.

Scores are normal in both classes, the centres 0 (no skill) to 3 deviations apart. The truth is known
from a sample so large that its own error does not matter; without skill it is what chance gives. Run
from the repository:

    python -m tests.simulation.jumps --only ks=200 --only h_measure=100 --output docs/validity/jumps.csv
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np

from credibly import Predictions
from credibly.intervals._declare import EstimateRequest
from credibly.intervals.methods import interval_for
from credibly.measures import measures
from credibly.predictions.summaries import ScoreTable

SIZES = (50, 200, 1000)
APART = (0.0, 0.2, 0.5, 1.5, 3.0)
POPULATION = 400_000
REPLICATES = 300
BEST = 0.1  # share of the cases that count as the best, where a measure asks for a number of them
SEED = 20261116


def drawn(n, apart, rng):
    """Half of the cases positive."""
    y = np.arange(n) % 2
    return Predictions.of(y, score=rng.normal(size=n) + apart * y)


def tried():
    """Names of all measures of ranked scores that jump and may be bootstrapped."""
    return [
        m.name for m in measures if m.reads is ScoreTable and not m.smooth and not m.no_bootstrap
    ]


def fitted(name, n):
    """A measure, with as many of n cases as it may ask for."""
    m = measures[name]
    return m.given(k=max(1, int(BEST * n))) if any(q.required for q in m.parameters) else m


def truth(name, apart):
    m = fitted(name, POPULATION)
    if apart == 0 and m.chance is not None:
        return m.chance
    return m.value(drawn(POPULATION, apart, np.random.default_rng([SEED, 1])))


def coverage(name, n, apart, repetitions, replicates=REPLICATES):
    """How often the 95 % interval held, lay above or below the truth, missed its own value or was refused."""
    m, true = fitted(name, n), truth(name, apart)
    held = above = below = outside = 0
    width = 0.0
    for r in range(repetitions):
        p = drawn(n, apart, np.random.default_rng([SEED, 2, n, int(10 * apart), r]))
        value = m.value(p)
        limits, _ = interval_for(
            EstimateRequest(m, p, None, "bootstrap", seed=r, replicates=replicates, value=value)
        )
        if limits is None:
            continue
        above += limits.low > true + 1e-12
        below += limits.high < true - 1e-12
        held += limits.low - 1e-12 <= true <= limits.high + 1e-12
        outside += not limits.low <= value <= limits.high
        width += limits.high - limits.low
    made = held + above + below
    return {
        "measure": name, "n": n, "apart": apart, "truth": round(true, 4), "repetitions": repetitions, "made": made,
        "coverage": round(held / made, 4) if made else "", "too_high": round(above / made, 4) if made else "",
        "too_low": round(below / made, 4) if made else "", "mean_width": round(width / made, 4) if made else "",
        "value_outside": outside,
    }  # fmt: skip


def side_by_side(rows):
    """Return a row a measure and size, and a column a distance: coverage in per cent."""
    table = {}
    for row in rows:
        entry = table.setdefault(
            (row["measure"], row["n"]), {"measure": row["measure"], "n": row["n"]}
        )
        shown = "" if row["coverage"] == "" else f"{100 * row['coverage']:.1f}"
        entry[f"{row['apart']:g} apart"] = shown
    return list(table.values())


def main():
    """Run all cells and write the tables."""
    from tests.simulation.coverage import write

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=400)
    parser.add_argument("--output", type=Path, default=Path("jumps.csv"))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", action="append", metavar="NAME[=REPETITIONS]")
    asked = parser.parse_args()
    cells = []
    for each in asked.only or tried():
        name, _, repetitions = each.partition("=")
        times = int(repetitions or asked.repetitions)
        cells += [(*cell, times) for cell in product([name], SIZES, APART)]
    with ProcessPoolExecutor(asked.processes) as pool:
        jobs = [pool.submit(coverage, *cell) for cell in cells]
        rows = []
        for i, job in enumerate(jobs, start=1):
            rows.append(job.result())
            print(f"{i} of {len(jobs)} cells", file=sys.stderr)  # noqa: T201
    write(rows, asked.output)
    write(side_by_side(rows), asked.output.with_name(f"{asked.output.stem}-95.csv"))


if __name__ == "__main__":
    main()
