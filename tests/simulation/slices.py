"""How often all that is said of slices holds together, and how often equal slices are said to differ.

Slices of fixed sizes are drawn from known rates; a search looks for the worst of many slices where none is. Run from
the repository:

    python -m tests.simulation.slices --repetitions 500 --output docs/validity/slices.csv
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import NormalDist

import numpy as np

from credibly import Predictions, slices

SEED = 20261119
EVEN = (100,) * 6
HELD = ("values", "rest", "best", "gap", "pair", "ratio")
UNEVEN = (400, 200, 100, 50, 25, 25, 15, 12)


@dataclass(frozen=True)
class Cell:
    """What is drawn: the measure, sizes of slices and the value in each, or a search."""

    measure: str
    sizes: tuple[int, ...]
    values: tuple[float, ...]
    share: float = 0.5  # of positive cases
    grouped: bool = False  # whether cases come in groups of five that reach over slices
    searched: int = 0  # cases in which a search looks for the worst slice


def alike(measure, sizes, value, **more):
    """Return slices that do not differ."""
    return Cell(measure, sizes, (value,) * len(sizes), **more)


def search(measure, n, value, **more):
    """Return a search where no slice differs."""
    return Cell(measure, (n,), (value,), searched=n, **more)


CELLS = {
    "error rate 0.2, 2 slices of 150": alike("error_rate", (150, 150), 0.2),
    "error rate 0.2, 6 slices of 100": alike("error_rate", EVEN, 0.2),
    "error rate 0.05, 8 slices of 400 to 12": alike("error_rate", UNEVEN, 0.05),
    "error rate 0.5, 8 slices of 400 to 12": alike("error_rate", UNEVEN, 0.5),
    "error rates of 0.05 to 0.3, 6 slices of 100": Cell("error_rate", EVEN, (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)),
    "error rate 0.2 in groups of 5, 6 slices of 100": alike("error_rate", EVEN, 0.2, grouped=True),
    "recall 0.8 of 5 % positive, 4 slices of 400": alike("recall", (400,) * 4, 0.8, share=0.05),
    "AUC 0.8 of 20 % positive, 5 slices of 100": alike("auc", (100,) * 5, 0.8, share=0.2),
    "AUC 0.95 of 10 % positive, 5 slices of 100": alike("auc", (100,) * 5, 0.95, share=0.1),
    "squared error, t with 5 degrees, 6 slices of 50": alike("mse", (50,) * 6, 5 / 3),
    "search, error rate 0.2 in 500 cases": search("error_rate", 500, 0.2),
    "search, error rate 0.03 in 500 cases": search("error_rate", 500, 0.03),
    "search, recall 0.8 of 10 % positive in 1,000 cases": search("recall", 1000, 0.8, share=0.1),
    "search, AUC 0.8 of 20 % positive in 500 cases": search("auc", 500, 0.8, share=0.2),
    "search, squared error, t with 5 degrees, in 500 cases": search("mse", 500, 5 / 3),
}  # fmt: skip


def outcomes(cell, n, values, rng):
    """Return arguments of predictions with a value of the measure in each case's slice."""
    if cell.measure == "mse":
        return {"truth": np.zeros(n), "value": rng.standard_t(5, n)}
    truth = (rng.random(n) < cell.share).astype(int)
    if cell.measure == "auc":
        apart = np.array([NormalDist().inv_cdf(v) for v in values]) * np.sqrt(2)
        return {"truth": truth, "score": rng.normal(truth * apart)}
    number = rng.random(n)
    if cell.grouped:
        group = rng.permutation(n) // 5
        number = normal(
            0.7 * rng.normal(size=n // 5 + 1)[group] + np.sqrt(0.51) * rng.normal(size=n)
        )
        wrong = number < values
        return {"truth": truth, "label": truth ^ wrong, "group": group}
    bad = 1 - values if cell.measure == "recall" else values
    return {"truth": truth, "label": truth ^ (number < bad)}


def normal(x):
    """Return the standard normal distribution function."""
    from scipy.special import ndtr

    return ndtr(x)


def drawn(cell, rng):
    """Return predictions with the columns to slice by."""
    place = np.repeat(np.arange(len(cell.sizes)), cell.sizes)
    made = outcomes(cell, place.size, np.asarray(cell.values)[place], rng)
    columns = {"slice": place}
    if cell.searched:
        n = cell.searched
        columns = {f"c{k}": rng.choice(3, n, p=(0.6, 0.3, 0.1)) for k in range(4)}
        columns |= {f"x{k}": rng.normal(size=n) for k in range(3)}
    return Predictions.of(**made, columns=columns)


def judged(cell, rng, replicates):
    """Return whether all that is said of one sample holds."""
    p = drawn(cell, rng)
    asked = {"replicates": replicates, "rng": 1}
    if cell.searched:
        found = slices(p, cell.measure, search=True, **asked)
        return {"alarm": any(e.verdict for e in found.estimates)}
    found = slices(p, cell.measure, by="slice", **asked)
    values, sizes = np.array(cell.values), np.array(cell.sizes)
    own = {e.keys["slice"]: e for e in found.estimates if e.rest}
    rest = {k: np.delete(values, k) @ np.delete(sizes, k) / np.delete(sizes, k).sum() for k in own}
    true = [values[k] for k in own]
    (gap,) = found.gaps or (None,)
    apart = max(true) - min(true) if true else 0.0
    between = ends(gap, values)
    equal = np.ptp(values) == 0
    return {
        "values": all(values[k] in e.interval for k, e in own.items() if e.interval),
        "rest": all(near(values[k] - rest[k], e.rest.interval) for k, e in own.items()),
        "best": all(near(values[k] - values[int(e.best.to.rpartition("=")[2])], e.best.interval) for k, e in own.items() if e.best),
        "gap": gap is None or near(apart, gap.any_two),
        "pair": gap is None or near(between[0] - between[1], gap.interval),
        "ratio": gap is None or near(between[0] and between[1] / between[0], gap.ratio_interval),
        "alarm": any(e.verdict for e in own.values()) if equal else None,
        "gap_alarm": bool(gap and gap.pvalue <= 0.05) if equal else None,
    }  # fmt: skip


def ends(gap, values):
    """Return the true values of the slices in which the highest and the lowest are seen."""
    return gap and [values[int(side.rpartition("=")[2])] for side in (gap.highest, gap.lowest)]


def near(value, interval):
    """Whether an interval holds a value, up to rounding; where there is none nothing is claimed."""
    return interval is None or value in replace(
        interval, low=interval.low - 1e-9, high=interval.high + 1e-9
    )


def coverage(name, repetitions, replicates=2000):
    """Return a row of the table."""
    rows = [
        judged(CELLS[name], np.random.default_rng([SEED, r]), replicates)
        for r in range(repetitions)
    ]
    made = {"what": name, "repetitions": repetitions}
    for key in (*HELD, "alarm", "gap_alarm"):
        told = [r[key] for r in rows if r.get(key) is not None]
        made[key] = round(float(np.mean(told)), 4) if told else ""
    return made


def side_by_side(rows):
    """Return the table as the page shows it, in per cent."""
    titles = {
        "values": "all values", "rest": "all minus the rest", "best": "all minus the best", "gap": "largest gap",
        "pair": "gap of the two seen", "ratio": "ratio of the two seen", "alarm": "a slice differs, in error", "gap_alarm": "a gap, in error",
    }  # fmt: skip
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
    parser.add_argument("--repetitions", type=int, default=500)
    parser.add_argument("--only", action="append", help="part of the name of a cell", default=[])
    parser.add_argument("--output", type=Path, default=Path("slices.csv"))
    asked = parser.parse_args()
    names = [n for n in CELLS if not asked.only or any(part in n for part in asked.only)]
    rows = [coverage(name, asked.repetitions) for name in names]
    write(rows, asked.output)
    write(side_by_side(rows), asked.output.with_name(f"{asked.output.stem}-95.csv"))


if __name__ == "__main__":
    main()
