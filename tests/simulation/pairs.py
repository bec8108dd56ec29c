"""How often `credibly.compare` calls equal schemes different, by default, in designs that chose no constant of it.

One learner on one block of columns and the same on another are equal by symmetry; they are unequal where the second
block carries less. Each sample is resampled in several ways and compared by what `compare` chooses by itself, and by other tests
for their power. Classes are two or three, even or rare; noise is normal, heavy in its tails or growing. Run from the repository:

    python -m tests.simulation.pairs --samples 500 --output docs/validity/pairs.csv

A second table, pairs-5.csv beside it, sets false alarms and power of the defaults side by side.
"""

import argparse
import math
import sys
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from credibly import compare
from credibly.errors import CrediblyError

from . import learners
from .coverage import write
from .headline import LEAST, ONE, REPEATED, plain, predicted

SEED = 20261119
SHARED = 0.5  # correlation of the blocks
LOO, HOLDOUTS, GROUPS = (
    "leave_one_out",
    "repeated_holdout(test=0.3, repeats=30)",
    "grouped_folds(k=5)",
)
BESIDE = {  # other tests, for their power
    ONE: {"corrected t": "corrected_resampled_t"},
    REPEATED: {"corrected t": "corrected_resampled_t(freedom='nine')"},
}


@dataclass(frozen=True)
class Pair:
    """A learner, how its predictions are read, rows, measures, classes or noise, and resamplings."""

    name: str
    learner: Callable
    reads: str
    n: int
    measures: tuple[str, ...]
    shares: tuple[float, ...] = (0.5, 0.5)
    noise: str = "normal"
    ways: tuple[str, ...] = (ONE, REPEATED, LOO)
    columns: int = 3
    groups: int = 0
    uneven: bool = False

    @property
    def numeric(self):
        return self.reads == "value"


OLS, LDA, LOGISTIC = learners.ols, learners.lda, learners.logistic
ONE_NN, FIVE_NN = learners.neighbours(1), learners.neighbours(5)
ERRORS = ("mse", "mae")
TABLES = ("error_rate", "kappa", "f1")
ALL = (ONE, REPEATED, LOO, HOLDOUTS)
PAIRS = (
    Pair("1-NN", ONE_NN, "share", 50, TABLES, ways=ALL),
    Pair("1-NN", ONE_NN, "share", 150, TABLES),
    Pair("5-NN", FIVE_NN, "share", 60, (*TABLES, "auc")),
    Pair("5-NN, 20 % positive", FIVE_NN, "share", 120, TABLES, (0.8, 0.2)),
    Pair("LDA", LDA, "logit", 60, (*TABLES, "log_loss", "auc"), ways=ALL),
    Pair("LDA, 15 % positive", LDA, "logit", 150, (*TABLES, "auc"), (0.85, 0.15)),
    Pair("logistic, 5 % positive", LOGISTIC, "logit", 300, ("error_rate", "brier"), (0.95, 0.05)),
    Pair("LDA, 3 classes", learners.several_lda(3), "shares", 90, ("error_rate", "kappa", "log_loss"), (0.4, 0.3, 0.3)),
    Pair("OLS, t with 3 df", OLS, "value", 100, ERRORS, noise="t3", ways=ALL),
    Pair("OLS, growing noise", OLS, "value", 60, ERRORS, noise="growing"),
    Pair("OLS on 2 chosen of 15", learners.chosen(OLS, 2), "value", 100, ERRORS, columns=15),
    Pair("1-NN, numbers", ONE_NN, "value", 60, ERRORS),
    Pair("tree", learners.tree(6, 2), "share", 80, ("error_rate", "brier")),
    Pair("OLS, 8 groups", OLS, "value", 80, ERRORS, groups=8, ways=(GROUPS,)),
    Pair("OLS, 20 groups", OLS, "value", 100, ERRORS, groups=20, ways=(GROUPS,)),
    Pair("LDA, 12 uneven groups", LDA, "logit", 120, ("error_rate", "brier"), groups=12, uneven=True, ways=(GROUPS,)),
    Pair("5-NN, 30 uneven groups", FIVE_NN, "share", 150, ("error_rate", "brier"), groups=30, uneven=True, ways=(GROUPS,)),
)  # fmt: skip


def draw(pair, equal, rng):
    """Return two blocks of columns, the target and the group of each case."""
    n, group = pair.n, None
    if pair.groups:
        size = rng.uniform(1, 4, pair.groups) if pair.uneven else np.ones(pair.groups)
        group = rng.choice(pair.groups, n, p=size / size.sum())
        group[rng.permutation(n)[: pair.groups]] = np.arange(pair.groups)
    tied = 0.5 if pair.groups else 0.0

    def noise(*shape):
        own = rng.standard_normal((n, *shape))
        if group is None:
            return own
        return (
            math.sqrt(1 - tied) * own
            + math.sqrt(tied) * rng.standard_normal((pair.groups, *shape))[group]
        )

    common = noise(pair.columns)
    blocks = [
        math.sqrt(SHARED) * common + math.sqrt(1 - SHARED) * noise(pair.columns) for _ in range(2)
    ]
    wide = math.sqrt(3 / pair.columns)
    if pair.numeric:
        signals = (0.5, 0.5) if equal else (1.0, 0.55)
        y = (
            sum(s * wide * x.sum(1) for s, x in zip(signals, blocks, strict=True))
            * 0.7
            / math.sqrt(3)
        )
        e = {
            "normal": noise(),
            "t3": rng.standard_t(3, n),
            "growing": noise() * np.exp(0.5 * common[:, 0]),
        }
        return blocks, y + e[pair.noise], group
    signals = (0.6, 0.6) if equal else (0.9, 0.45)
    y = rng.choice(len(pair.shares), n, p=pair.shares)
    if pair.groups:
        y = (noise() > 0).astype(int)
    turn = np.eye(len(pair.shares))[:, 1:] if len(pair.shares) > 2 else np.arange(2.0)[:, None]
    where = np.arange(pair.columns) % turn.shape[1]
    return (
        [x + 2 * s * wide * turn[y][:, where] for s, x in zip(signals, blocks, strict=True)],
        y.astype(float),
        group,
    )


def sample(place, equal, i, seed=SEED):
    """Return the p-value of each resampling, test and measure on one data set, and which test it was."""
    pair, rng = PAIRS[place], np.random.default_rng([seed, place, int(equal), i])
    blocks, y, group = draw(pair, equal, rng)
    while not pair.numeric and (
        np.bincount(y.astype(int), minlength=len(pair.shares)).min() < LEAST
    ):
        blocks, y, group = draw(pair, equal, rng)
    found, base = {}, None
    for way in pair.ways:
        if way in (ONE, REPEATED):
            call = "folds(k=10, repeats=10)"
            base = base or [predicted(pair, X, y, group, call, i)[0] for X in blocks]
            models = [plain(p, 10 if way == REPEATED else 1) for p in base]
        else:
            models = [predicted(pair, X, y, group, way, i)[0] for X in blocks]
        for test, call in {"default": "auto", **BESIDE.get(way, {})}.items():
            for m in pair.measures:
                found[way, test, m] = pvalue(models, m, call)
    return found


def pvalue(models, measure, test):
    """Return the p-value and the test; one that refuses raises no alarm."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = compare(*models, measure, test=test)
        except CrediblyError as error:
            return 1.0, type(error).__name__
        return (1.0 if math.isnan(result.pvalue) else result.pvalue), result.test


def rows_of(pair, equal, samples, seed=SEED):
    """Return how often each test rejects at 5 %, in per cent."""
    return [
        {
            "design": pair.name, "n": pair.n, "measure": m, "resampling": way, "test": test,
            "chosen": " ".join(sorted({s[way, test, m][1] for s in samples})), "schemes": "equal" if equal else "unequal",
            "samples": len(samples), "rate_5": round(100 * float(np.mean([s[way, test, m][0] <= 0.05 for s in samples])), 1), "seed": seed,
        }
        for way, test, m in samples[0]
    ]  # fmt: skip


def side_by_side(rows):
    """Return a row for each design and measure: false alarms / power of each resampling and test."""
    made = {}
    for r in rows:
        line = made.setdefault((r["design"], r["n"], r["measure"]), {})
        line |= {"design": r["design"], "n": r["n"], "measure": r["measure"]}
        name = r["resampling"] if r["test"] == "default" else f"{r['resampling']}: {r['test']}"
        line[name] = f"{line[name]} / {r['rate_5']:.0f}" if name in line else f"{r['rate_5']:.1f}"
    names = list(dict.fromkeys(k for line in made.values() for k in line))
    return [{k: line.get(k, "") for k in names} for line in made.values()]


def main():
    """Draw all pairs and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cells", nargs="*", type=int)
    parser.add_argument("--seconds", type=float, default=math.inf, help="when to stop")
    parser.add_argument("--output", type=Path, default=Path("pairs.csv"))
    asked = parser.parse_args()
    made, begin = [], time.monotonic()
    with ProcessPoolExecutor(asked.jobs) as workers:
        for place in asked.cells or range(len(PAIRS)):
            pair = PAIRS[place]
            if time.monotonic() - begin > asked.seconds:
                break
            for equal in (True, False):
                count = asked.samples // (1 if equal else 2) // (2 if "tree" in pair.name else 1)
                each = partial(sample, place, equal, seed=asked.seed)
                samples = list(workers.map(each, range(count), chunksize=4))
                made += rows_of(pair, equal, samples, asked.seed)
            write(made, asked.output)
            write(side_by_side(made), asked.output.with_name(f"{asked.output.stem}-5.csv"))
            print(pair.name, pair.n, f"{time.monotonic() - begin:.0f} s", file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    main()
