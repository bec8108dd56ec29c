"""How often intervals of sets of labels and of rankings hold the true value.

The labels of a case hang together, those of a query are ranked by a noisy score. Run from the repository:

    python -m tests.simulation.case_scores --repetitions 500 --output docs/validity/case-scores.csv
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np
from scipy.special import ndtr

from credibly import label_sets, rankings

SEED = 20261120
COMMON = np.array([0.5, 0.3, 0.3, 0.2, 0.1])  # how often each label is true
FOUND = np.array([0.9, 0.8, 0.7, 0.6, 0.5])  # and predicted where it is true
FALSE = 0.1  # predicted where it is not
RARE, FOUND_RARE = np.array([0.03, 0.06, 0.1, 0.3, 0.5]), np.array([0.5, 0.6, 0.7, 0.8, 0.9])
DOCUMENTS = 20
CELLS = {
    **{f"labels of {n} cases: {how} {measure}": ("labels", n, how, measure)
       for n in (60, 300) for how, measure in (
           ("micro", "recall"), ("macro", "recall"), ("weighted", "recall"), ("macro", "f1"), ("weighted", "f1"))},
    **{f"rare labels of {n} cases: macro {measure}": ("rare", n, "macro", measure) for n in (60, 100) for measure in ("recall", "precision", "auc")},
    **{f"labels of {n} cases: {score}": ("labels", n, "", score) for n in (60,) for score in ("hamming_loss", "subset_accuracy")},
    **{f"rankings of {n} queries: {score}": ("rankings", n, "", score)
       for n in (15, 50) for score in ("ndcg(k=5)", "map", "mrr")},
}  # fmt: skip


def uniform(rng, n):
    """Return numbers of each case and label that hang together within a case."""
    shared = np.sqrt(0.5) * rng.normal(size=(n, 1))
    return ndtr(shared + np.sqrt(0.5) * rng.normal(size=(n, COMMON.size)))


def labelled(rng, n, common=COMMON, found=FOUND):
    """Return sets of labels, true and predicted."""
    truth = uniform(rng, n) < common
    predicted = uniform(rng, n) < np.where(truth, found, FALSE)
    return label_sets(truth.astype(int), predicted.astype(int))


def rare(rng, n):
    """Return sets of labels some of which few cases have, with scores that are one standard deviation apart."""
    made = labelled(rng, n, RARE, FOUND_RARE)
    return replace(made, score=rng.normal(size=made.truth.shape) + made.truth)


def ranked(rng, n):
    """Return rankings of documents, each query with its own share of relevant ones."""
    easy = rng.normal(size=n)
    judged, run = {}, {}
    for q in range(n):
        grade = (rng.random(DOCUMENTS) < 0.2) * rng.integers(1, 4, DOCUMENTS)
        grade[0] = max(grade[0], 1)
        score = grade * np.exp(0.3 * easy[q]) + rng.normal(size=DOCUMENTS)
        judged[f"q{q}"] = {f"d{i}": int(g) for i, g in enumerate(grade)}
        run[f"q{q}"] = {f"d{i}": float(s) for i, s in enumerate(score)}
    return rankings(judged, run)


@cache
def true_value(kind, how, measure):
    """Return what the measure is of all cases: exactly of labels one by one, else of many cases."""
    if kind == "rare":
        hit, false = RARE * FOUND_RARE, (1 - RARE) * FALSE
        return {"recall": FOUND_RARE.mean(), "precision": (hit / (hit + false)).mean(), "auc": ndtr(np.sqrt(0.5))}[measure]  # fmt: skip
    if kind == "labels" and how:
        hit, false = COMMON * FOUND, (1 - COMMON) * FALSE
        each = FOUND if measure == "recall" else 2 * hit / (COMMON + hit + false)
        weights = np.ones(COMMON.size) if how == "macro" else COMMON
        return float(weights @ each / weights.sum())
    rng = np.random.default_rng([SEED, 1])
    made = labelled(rng, 400_000) if kind == "labels" else ranked(rng, 30_000)
    return float(np.nanmean(made.scored(measure).outcome))


def covered(cell, rng):
    """Return whether the interval of one sample holds the true value; None where there is no interval."""
    kind, n, how, measure = cell
    made = {"labels": labelled, "rare": rare, "rankings": ranked}[kind](rng, n)
    if how:
        (found,) = [e for e in made.averaged([measure]) if e.average == how]
    else:
        found = made.table(measure).estimates[0]
    return None if found.interval is None else true_value(kind, how, measure) in found.interval


def coverage(name, repetitions):
    """Return a row of the table."""
    told = [covered(CELLS[name], np.random.default_rng([SEED, 2, r])) for r in range(repetitions)]
    held = [x for x in told if x is not None]
    made = {"what": name, "repetitions": repetitions, "with interval": len(held)}
    return {**made, "coverage": round(float(np.mean(held)), 4)}


def main():
    """Run all cells and write the tables."""
    from tests.simulation.coverage import write

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=500)
    parser.add_argument("--output", type=Path, default=Path("case-scores.csv"))
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.jobs) as workers:
        rows = list(workers.map(partial(coverage, repetitions=asked.repetitions), CELLS))
    write(rows, asked.output)


if __name__ == "__main__":
    main()
