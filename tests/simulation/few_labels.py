"""How often intervals from few labels and a judge hold the true number.

Labels are few, a judge says something of all cases, and the truth is known by how cases are drawn. Run from
the repository:

    python -m tests.simulation.few_labels --output docs/validity/few-labels.csv
"""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path

import numpy as np

from credibly import DataError, Predictions, corrected_rate, few_labels

SEED = 20261117
POPULATION = 400_000
# Labels, cases, true rate, sensitivity and specificity of the judge.
RATES = (
    (30, 1000, 0.5, 0.9, 0.9),
    (30, 1000, 0.1, 0.9, 0.95),
    (60, 600, 0.3, 0.98, 0.98),
    (100, 2000, 0.9, 0.95, 0.7),
    (100, 5000, 0.05, 0.9, 0.98),
    (200, 1000, 0.6, 0.75, 0.8),
    (200, 5000, 0.5, 0.5, 0.5),
)
DESIGNS = ("random", "strata", "probabilities", "groups")


def judged(n, rate, sensitivity, specificity, rng):
    y = rng.random(n) < rate
    f = np.where(y, rng.random(n) < sensitivity, rng.random(n) >= specificity)
    return y.astype(int), f.astype(int)


def hidden(y, labelled):
    return [int(v) if known else None for v, known in zip(y, labelled, strict=True)]


def of_a_rate(cell, rng):
    """Return the intervals of a rate by each method, and the truth."""
    n, total, rate, *shares = cell
    y, f = judged(total, rate, *shares, rng)
    found = few_labels(Predictions.of(hidden(y, np.arange(total) < n), label=f, classes=[0, 1]))
    return {e.method: e.interval for e in found.estimates}, rate


def of_a_design(design, rng):
    """Return the interval where cases that the judge is unsure of are labelled more often, or come in groups."""
    total = 1500
    hard = rng.random(total) < 0.3
    y = (rng.random(total) < np.where(hard, 0.7, 0.2)).astype(int)
    group = np.repeat(np.arange(total // 10), 10)
    if design == "groups":
        shift = rng.normal(0, 0.2, total // 10)[group]
        y = (rng.random(total) < np.clip(0.35 + shift, 0, 1)).astype(int)
    f = np.where(rng.random(total) < np.where(hard, 0.6, 0.95), y, 1 - y)
    chosen = np.where(hard, 0.3, 0.05)
    more = {}
    if design == "strata":
        labelled = np.zeros(total, bool)
        for stratum, n in ((True, 120), (False, 50)):
            labelled[rng.choice(np.flatnonzero(hard == stratum), n, replace=False)] = True
        more = {"stratum": hard.astype(int)}
    elif design == "probabilities":
        labelled, more = rng.random(total) < chosen, {"sampled_with": chosen}
    elif design == "groups":
        labelled = np.isin(group, rng.choice(total // 10, 30, replace=False))
    else:
        labelled = rng.permutation(total) < 150
    beside = {"group": group} if design == "groups" else {}
    p = Predictions.of(hidden(y, labelled), label=f, classes=[0, 1], **beside)
    found = few_labels(p, **more)
    return {e.method: e.interval for e in found.estimates}, (
        0.35 if design != "groups" else group_rate()
    )


@cache
def group_rate():
    draws = np.random.default_rng([SEED, 9]).normal(0, 0.2, POPULATION)
    return float(np.clip(0.35 + draws, 0, 1).mean())


def scored(n, rng):
    """A classifier's scores, the truth, and a judge that takes one in ten for the other class."""
    y = (rng.random(n) < 0.4).astype(int)
    return y, rng.normal(y, 1.0), np.where(rng.random(n) < 0.9, y, 1 - y)


@cache
def true_value(measure):
    y, score, _ = scored(POPULATION, np.random.default_rng([SEED, 8]))
    from credibly.measures import measures

    return measures[measure].value(Predictions.of(y, score=score, threshold=0.5))


def of_a_measure(measure, rng):
    """Return the interval of a measure of a classifier, whose truth is known for 150 of 1,500 cases."""
    y, score, judge = scored(1500, rng)
    p = Predictions.of(
        hidden(y, np.arange(1500) < 150), score=score, threshold=0.5, classes=[0, 1], columns={"judge": judge}
    )  # fmt: skip
    found = few_labels(p, measure, judge="judge")
    return {e.method: e.interval for e in found.estimates}, true_value(measure)


def of_a_correction(cell, rng):
    """Return the interval of a rate corrected by sensitivity and specificity from other cases."""
    n, rate, se, sp, checked = cell
    _, f = judged(n, rate, se, sp, rng)
    try:
        found = corrected_rate(
            int(f.sum()), n, rng.binomial(checked, se), checked, rng.binomial(checked, sp), checked
        )
    except DataError:  # a judge that came out no better than chance
        return {}, rate
    return {"rogan_gladen": found.interval}, rate


CORRECTIONS = ((500, 0.1, 0.9, 0.95, 50), (1000, 0.4, 0.8, 0.8, 40), (300, 0.02, 0.95, 0.98, 100))


def cells():
    """Yield a name for each cell and what draws its intervals."""
    for cell in RATES:
        yield f"rate {cell[2]}, judge {cell[3]}/{cell[4]}, {cell[0]} of {cell[1]}", of_a_rate, cell
    for design in DESIGNS:
        yield f"rate, {design}", of_a_design, design
    for measure in ("accuracy", "f1", "auc"):
        yield f"{measure}, 150 of 1500", of_a_measure, measure
    for cell in CORRECTIONS:
        yield (
            f"corrected rate {cell[1]}, judge {cell[2]}/{cell[3]} by {cell[4]} each",
            of_a_correction,
            cell,
        )


def coverage(name, draw, cell, repetitions):
    """Return a row for each method: how often its 95 % intervals held, and their mean width."""
    held, width, made = {}, {}, {}
    for r in range(repetitions):
        intervals, truth = draw(cell, np.random.default_rng([SEED, r]))
        for method, i in intervals.items():
            if i is not None:
                made[method] = made.get(method, 0) + 1
                held[method] = held.get(method, 0) + (truth in i)
                width[method] = width.get(method, 0) + i.high - i.low
    return [
        {
            "what": name, "method": method, "repetitions": repetitions, "made": n,
            "coverage": round(held[method] / n, 4), "mean_width": round(width[method] / n, 4),
        }
        for method, n in made.items()
    ]  # fmt: skip


def side_by_side(rows):
    """Return a row for each cell and a column for each method: coverage in per cent and mean width."""
    table = {}
    for row in rows:
        entry = table.setdefault(
            row["what"],
            {
                "95 % intervals of": row["what"],
                **dict.fromkeys(("PPI++", "PPI", "labels alone", "Rogan-Gladen"), ""),
            },
        )
        title = {
            "tuned": "PPI++",
            "ppi": "PPI",
            "labels": "labels alone",
            "rogan_gladen": "Rogan-Gladen",
        }[row["method"]]
        entry[title] = f"{100 * row['coverage']:.1f} ({row['mean_width']:.3f})"
    return list(table.values())


def main():
    """Run all cells and write the tables."""
    from tests.simulation.coverage import write

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--output", type=Path, default=Path("few-labels.csv"))
    asked = parser.parse_args()
    rows = [row for cell in cells() for row in coverage(*cell, asked.repetitions)]
    write(rows, asked.output)
    write(side_by_side(rows), asked.output.with_name(f"{asked.output.stem}-95.csv"))


if __name__ == "__main__":
    main()
