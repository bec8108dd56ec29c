"""How often intervals of measures of labels hold where classes are rare, and how often equal models are called different.

Two models label cases of three to ten classes, the rarest of which has a handful of cases. In each class they label a
case the same with a probability, else independently of each other; what is wrong falls on all classes, on the
neighbouring ones or on the most frequent one. None of these cells chose how many cases are added to a table. Run from the repository:

    python -m tests.simulation.rare_classes --repetitions 500 --output docs/validity/rare-classes.csv
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from credibly import Predictions, compare
from credibly.errors import DataError
from credibly.intervals._declare import EstimateRequest
from credibly.intervals.methods import interval_for
from credibly.measures import measures

from .coverage import write

SEED = 20261120
MEASURES = (
    "balanced_accuracy",
    "g_mean",
    "fbeta(average='macro')",
    "precision(average='macro')",
    "mcc",
    "kappa",
)


@dataclass(frozen=True)
class Cell:
    """Shares of the classes, how often each is labelled right by both models, where errors fall, and how many cases."""

    shares: tuple[float, ...]
    first: tuple[float, ...]
    second: tuple[float, ...]
    errors: str
    together: float
    n: int

    @property
    def name(self):
        """What is drawn, in words."""
        rarest = 100 * min(self.shares)
        kind = "equal" if self.first == self.second else "unequal"
        return f"{len(self.shares)} classes, rarest {rarest:.2g} %, errors {self.errors}, {kind}, {self.n} cases"

    def chances(self):
        """Return the probability of each truth, label of the first and label of the second model."""
        k = len(self.shares)
        made = np.zeros((k, k, k))
        for c in range(k):
            away = np.abs(np.arange(k) - c)
            where = {"anywhere": away > 0, "next to it": away == 1}.get(self.errors)
            where = (
                (np.arange(k) == (c == 0)) if where is None else where
            )  # the most frequent class
            p, q = (np.where(away == 0, r[c], (1 - r[c]) * where / where.sum()) for r in (self.first, self.second))  # fmt: skip
            same = np.minimum(p, q)
            rest = np.outer(p - same, q - same) / max(1 - same.sum(), 1e-12)
            made[c] = self.shares[c] * (
                self.together * (np.diag(same) + rest) + (1 - self.together) * np.outer(p, q)
            )
        return made

    def truths(self):
        """Return the value of each measure for both models, in the population."""
        made = self.chances()
        tables = made.sum(axis=2), made.sum(axis=1)
        truth, label = np.divmod(np.arange(tables[0].size), len(self.shares))
        whole = [Predictions.of(truth, label=label, sample_weight=t.ravel(), weight_kind="importance") for t in tables]  # fmt: skip
        return {name: [value(name, p) for p in whole] for name in MEASURES}

    def draw(self, rng):
        """Return the predictions of both models for new cases."""
        made = self.chances()
        cases = rng.choice(made.size, self.n, p=made.ravel() / made.sum())
        truth, *labels = np.unravel_index(cases, made.shape)
        classes = list(range(len(self.shares)))
        return [Predictions.of(truth, label=label, classes=classes) for label in labels]


def value(name, p):
    """Return the value of a measure that may have an average."""
    m = measures.parse(name)
    return m.on(p, m.average_on(p, None))


def cells():
    """Three to ten classes, of 40 to 400 cases; models that are equal, and ones that differ on the rarest class."""
    shares = {
        3: (0.52, 0.42, 0.06),
        4: (0.44, 0.33, 0.19, 0.04),
        6: (0.5, 0.2, 0.12, 0.08, 0.05, 0.05),
        10: (0.37, *[0.07] * 9),
    }
    for k, n in ((3, 40), (3, 90), (4, 160), (4, 400), (6, 160), (10, 400)):
        errors = ("anywhere", "next to it", "in the most frequent class")[(k + n // 10) % 3]
        good = tuple(np.linspace(0.93, 0.75, k).round(3).tolist())
        poor = (*good[:-1], 0.45)
        yield Cell(shares[k], good, good, errors, 0.3, n)
        yield Cell(shares[k], good, poor, errors, 0.6, n)


def count(cell, samples):
    """Return, for each measure, whether intervals of one model and of the difference were given and held, and alarms."""
    true, found = cell.truths(), {name: [] for name in MEASURES}
    for i in samples:
        rng = np.random.default_rng([SEED, crc32(cell.name.encode()), i])
        first, second = cell.draw(rng)
        for name in MEASURES:
            one = (
                alone(name, first, true[name][0])
                if cell.first == cell.second
                else (0, 0, 0, np.nan)
            )
            found[name].append((*one, *apart(name, first, second, true[name])))
    return {name: np.array(rows) for name, rows in found.items()}


def alone(name, p, true):
    """Return whether the interval of one model is given, holds, and how wide it is."""
    m = measures.parse(name)
    average = m.average_on(p, None)
    made, _ = interval_for(EstimateRequest(m, p, average, value=m.on(p, average)))
    if made is None:
        return np.isfinite(m.on(p, average)), 0, 0, np.nan
    return 1, 1, made.low <= true <= made.high, made.high - made.low


def apart(name, p, q, true):
    """Return the same of the difference, and whether it is called one."""
    try:
        found = compare(p, q, name)
    except DataError:
        return np.isfinite(value(name, p) + value(name, q)), 0, 0, np.nan, 0
    made = found.confidence_interval
    if made is None:
        return 1, 0, 0, np.nan, found.pvalue < 0.05
    difference = true[0] - true[1]
    return 1, 1, made.low - 1e-12 <= difference <= made.high + 1e-12, made.high - made.low, found.pvalue < 0.05  # fmt: skip


def median(widths):
    """Return the median width of the intervals that were given."""
    known = widths[np.isfinite(widths)]
    return round(float(np.median(known)), 3) if known.size else ""


def share(part, whole):
    """Return a share in per cent."""
    return round(100 * float(part) / float(whole), 1) if whole else ""


def rows(cell, found, samples):
    """Return a row a measure."""
    for name, r in found.items():
        defined, given, held, width = r[:, 0].sum(), r[:, 1] > 0, r[:, 2], r[:, 3]
        pairs, told, right, wide, alarm = r[:, 4].sum(), r[:, 5] > 0, r[:, 6], r[:, 7], r[:, 8]
        yield {
            "cell": cell.name, "measure": name, "samples": samples,
            "given": share(given.sum(), defined), "held": share(held.sum(), given.sum()), "width": median(width),
            "difference given": share(told.sum(), pairs), "difference held": share(right.sum(), told.sum()),
            "width of difference": median(wide), "called different": share(alarm.sum(), pairs), "seed": SEED,
        }  # fmt: skip


def main():
    """Write a row for each cell and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=500)
    parser.add_argument("--output", type=Path, default=Path("rare-classes.csv"))
    asked = parser.parse_args()
    parts = [range(i, min(i + 50, asked.repetitions)) for i in range(0, asked.repetitions, 50)]
    made = []
    with ProcessPoolExecutor(2) as pool:
        for cell in cells():
            found = list(pool.map(count, [cell] * len(parts), parts))
            joined = {name: np.concatenate([each[name] for each in found]) for name in MEASURES}
            made += rows(cell, joined, asked.repetitions)
            write(made, asked.output)


if __name__ == "__main__":
    main()
