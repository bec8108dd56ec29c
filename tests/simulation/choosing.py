"""What the best of many models is said to be worth, before and after allowing for the choice.

Each sample has cases, and models of known worth that are judged on them; the best by the measure is chosen.
What it is worth in truth is compared with its value as it stands, with BBC-CV and with the correction of
Tibshirani and Tibshirani (over ten folds), and it is counted how often the interval of the first two, and
the lower bound of the chosen one (max-T), hold it. Run from the repository:

    python -m tests.simulation.choosing --repetitions 200 --output docs/validity/choosing.csv
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from scipy.special import ndtr, ndtri
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from credibly import Predictions, best_of

from .coverage import write
from .fresh import moons, sparse

SEED = 20261116
MODELS = 50
FOLDS = 10
REPLICATES = 400
MAX_SEARCHES = 100  # samples of what takes many fits
FRESH = 20_000  # cases on which what was learned is judged
NUMBERS = (
    *("truth", "naive", "bbc", "tibshirani", "covers_naive", "covers_bbc", "bound_holds"),
    *("width_naive", "width_bbc"),
)


def noise(n, models, rng, alike):
    """Normal numbers of cases (rows) and models (columns), which correlate by ``alike`` within a case."""
    own = rng.normal(size=(n, models))
    return np.sqrt(alike) * rng.normal(size=(n, 1)) + np.sqrt(1 - alike) * own


def labelled(n, rng, *, rates, alike=0.0):
    """Models that are right in a known share of the cases."""
    y = rng.integers(0, 2, n)
    right = noise(n, len(rates), rng, alike) < ndtri(rates)
    columns = [{"label": np.where(column, y, 1 - y)} for column in right.T]
    return y, columns, lambda best: rates[int(best.chosen)]


def scored(n, rng, *, apart, alike=0.0, thresholds=False):
    """Models whose scores are normal in two classes, the centres so far apart."""
    y = np.arange(n) % 2  # an AUC needs both classes in every fold
    score = noise(n, len(apart), rng, alike) + y[:, None] * apart

    def truth(best):
        far = apart[int(best.chosen)]
        if not thresholds:
            return ndtr(far / np.sqrt(2))
        cut = best[best.chosen].threshold
        return (ndtr(far - cut) + ndtr(cut)) / 2

    return y, [{"score": column} for column in score.T], truth


def learned(n, rng, *, models, columns=20, shift=0.25):
    """Nearest centroids on five columns each, held out by ten folds; worth is that of a fit to all rows."""

    def cases(size):
        y = np.arange(size) % 2
        return rng.normal(size=(size, columns)) + shift * y[:, None], y

    def fitted(X, y):
        low, high = X[y == 0].mean(axis=0), X[y == 1].mean(axis=0)
        return lambda new: ((new - (low + high) / 2) @ (high - low) > 0).astype(int)

    X, y = cases(n)
    parts = [rng.choice(columns, 5, replace=False) for _ in range(models)]
    fold, label = folds(n), np.empty((models, n), int)
    for k in range(FOLDS):
        train = fold != k
        for j, part in enumerate(parts):
            label[j, ~train] = fitted(X[train][:, part], y[train])(X[~train][:, part])

    def truth(best):
        part = parts[int(best.chosen)]
        new, known = cases(FRESH)
        return float((fitted(X[:, part], y)(new[:, part]) == known).mean())

    return y, [{"label": each} for each in label], truth


def searched(n, rng, *, draw, schemes):
    """Settings of scikit-learn's schemes, held out by ten folds; worth is that of the chosen one fitted to all rows."""
    X, _, y, _ = draw(rng, n)
    fold, label = folds(n), np.empty((len(schemes), n), int)
    for k in range(FOLDS):
        train = fold != k
        for j, make in enumerate(schemes):
            label[j, ~train] = make().fit(X[train], y[train]).predict(X[~train])

    def truth(best):
        new, _, known, _ = draw(rng, FRESH)
        return float((schemes[int(best.chosen)]().fit(X, y).predict(new) == known).mean())

    return y, [{"label": each} for each in label], truth


def folds(n):
    """Return the folds of cases whose classes alternate or are random."""
    return np.arange(n) // 2 % FOLDS


@dataclass(frozen=True)
class Design:
    """Models, and the measure that chooses among them."""

    name: str
    draw: Callable
    measure: str
    sizes: tuple[int, ...] = (100,)
    thresholds: bool = False


SETTINGS = (
    *(partial(KNeighborsClassifier, k) for k in (1, 3, 5, 9, 15, 25)),
    *(partial(DecisionTreeClassifier, max_depth=d, random_state=0) for d in (1, 2, 3, 5, 8)),
    *(partial(LogisticRegression, C=c) for c in (0.01, 0.1, 1.0, 10.0, 100.0)),
)
EQUAL, SPREAD = np.full(MODELS, 0.7), np.linspace(0.55, 0.75, MODELS)
APART = np.full(MODELS, 1.0)
DESIGNS = (
    Design("50 equal models", partial(labelled, rates=EQUAL), "accuracy", (100, 400)),
    Design("50 equal models, alike", partial(labelled, rates=EQUAL, alike=0.7), "accuracy"),
    Design("50 models, 0.55 to 0.75", partial(labelled, rates=SPREAD), "accuracy"),
    Design("50 equal models", partial(scored, apart=APART), "auc"),
    Design("10 equal models, tuned thresholds", partial(scored, apart=APART[:10], thresholds=True), "accuracy", thresholds=True),
    Design("50 centroids, ten folds", partial(learned, models=MODELS), "accuracy", (100, 400)),
)  # fmt: skip
SEARCHES = (  # settings of schemes, some of which are better: 100 samples of each are enough
    Design("16 settings, half moons", partial(searched, draw=moons, schemes=SETTINGS), "accuracy", (60, 150)),
    Design("16 settings, 2 of 15 columns", partial(searched, draw=sparse, schemes=SETTINGS), "accuracy"),
)  # fmt: skip


def sample(design, n, number, replicates=REPLICATES):
    """Return truth, values and whether intervals hold the truth, of one sample."""
    rng = np.random.default_rng([SEED, (*DESIGNS, *SEARCHES).index(design), n, number])
    y, columns, truth = design.draw(n, rng)
    more = {"fold": folds(n), "row": np.arange(n), "positive": 1}
    models = {f"{j}": Predictions.of(y, **c, **more) for j, c in enumerate(columns)}
    best = best_of(models, design.measure, thresholds=design.thresholds, replicates=replicates, rng=number)  # fmt: skip
    true, naive, after = truth(best), best.naive, best.corrected
    by_folds = np.nan
    if not design.thresholds:
        by_folds = best_of(models, design.measure, method="tibshirani", replicates=2, rng=number).corrected.value  # fmt: skip
    bound = best[best.chosen].bound
    return (
        *(true, naive.value, after.value, by_folds, true in naive.interval, true in after.interval),
        np.nan if np.isnan(bound) else bound <= true,
        *(e.interval.high - e.interval.low for e in (naive, after)),
    )


def row_of(design, n, repetitions, replicates=REPLICATES):
    """Return the means over samples: of the values less the truth, of what holds, and of widths."""
    found = np.array([sample(design, n, i, replicates) for i in range(repetitions)], float)
    means = dict(zip(NUMBERS, found.mean(axis=0).tolist(), strict=True))
    bias = {f"bias_{k}": means[k] - means["truth"] for k in ("naive", "bbc", "tibshirani")}
    shown = {"truth": means["truth"], **bias, **{k: means[k] for k in NUMBERS[4:]}}
    return {
        "design": design.name, "measure": design.measure, "n": n, "repetitions": repetitions, "seed": SEED,
        **{k: "" if np.isnan(v) else round(v, 4) for k, v in shown.items()},
    }  # fmt: skip


def side_by_side(rows):
    """Return what the documentation shows: biases, and coverage in per cent."""
    titles = {"bias_naive": "as it stands", "bias_bbc": "BBC-CV", "bias_tibshirani": "Tibshirani"}
    covers = {"covers_naive": "interval as it stands", "covers_bbc": "interval of BBC-CV", "bound_holds": "bound (max-T)"}  # fmt: skip
    return [
        {k: row[k] for k in ("design", "measure", "n")}
        | {f"bias, {t}": row[k] if row[k] == "" else f"{float(row[k]):+.3f}" for k, t in titles.items()}
        | {t: row[k] if row[k] == "" else f"{100 * float(row[k]):.1f}" for k, t in covers.items()}
        for row in rows
    ]  # fmt: skip


def main():
    """Run all cells and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=200)
    parser.add_argument("--output", type=Path, default=Path("choosing.csv"))
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    searches = asked.output.with_name(f"{asked.output.stem}-searches.csv")
    for designs, repetitions, output in (
        (DESIGNS, asked.repetitions, asked.output),
        (SEARCHES, min(asked.repetitions, MAX_SEARCHES), searches),
    ):
        cells = [(d, n) for d in designs for n in d.sizes]
        with ProcessPoolExecutor(asked.processes) as pool:
            jobs = [pool.submit(row_of, *cell, repetitions) for cell in cells]
            rows = []
            for i, job in enumerate(jobs, start=1):
                rows.append(job.result())
                print(f"{i} of {len(jobs)} cells", file=sys.stderr)  # noqa: T201
        write(rows, output)
        write(side_by_side(rows), output.with_name(f"{output.stem}-95.csv"))


if __name__ == "__main__":
    main()
