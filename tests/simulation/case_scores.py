"""How often intervals of sets of labels and of rankings hold the true value, and how often equal models are called different.

The labels of a case hang together, documents are ranked by a noisy score; some queries come from users whose queries are alike.
Run from the repository:

    python -m tests.simulation.case_scores --repetitions 600 --output docs/validity/case-scores.csv
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from scipy.special import ndtr

from credibly import compare, label_sets, rankings

from .answers import row, run

SEED = 20261124
COMMON = np.array([0.5, 0.3, 0.3, 0.2, 0.1])  # how often each label is true
FOUND = np.array([0.9, 0.8, 0.7, 0.6, 0.5])  # and predicted where it is true
FALSE = 0.1  # predicted where it is not
RARE, FOUND_RARE = np.array([0.03, 0.06, 0.1, 0.3, 0.5]), np.array([0.5, 0.6, 0.7, 0.8, 0.9])
DOCUMENTS, QUERIES_PER_USER = 20, 4
CELLS = {
    **{f"labels of {n} cases: {how} {measure}": ("labels", n, how, measure)
       for n in (60, 300) for how, measure in (
           ("micro", "recall"), ("macro", "recall"), ("weighted", "recall"), ("macro", "f1"), ("weighted", "f1"))},
    **{f"rare labels of {n} cases: macro {measure}": ("rare", n, "macro", measure) for n in (60, 100) for measure in ("recall", "precision", "auc")},
    **{f"labels of {n} cases: {score}": ("labels", n, "", score) for n in (60,) for score in ("hamming_loss", "subset_accuracy")},
    **{f"rankings of {n} queries: {score}": ("rankings", n, "", score)
       for n in (15, 50) for score in ("ndcg(k=5)", "map", "mrr")},
    **{f"rankings of {QUERIES_PER_USER} queries of each of {n} users: {score}": ("users", n, "", score) for n in (10, 40) for score in ("ndcg(k=5)", "map")},
    **{f"two equal models, labels of 60 cases: {score}": ("equal labels", 60, "", score) for score in ("hamming_loss", "subset_accuracy")},
    **{f"two equal models, rankings of {n} queries: {score}": ("equal rankings", n, "", score) for n in (15, 50) for score in ("ndcg(k=5)", "mrr")},
    **{f"two equal models, rankings of {QUERIES_PER_USER} queries of each of {n} users: ndcg(k=5)": ("equal users", n, "", "ndcg(k=5)") for n in (10, 40)},
}  # fmt: skip
BAD = set()  # which the page names


def uniform(rng, n):
    """Return numbers of each case and label that hang together within a case."""
    shared = np.sqrt(0.5) * rng.normal(size=(n, 1))
    return ndtr(shared + np.sqrt(0.5) * rng.normal(size=(n, COMMON.size)))


def labelled(rng, n, common=COMMON, found=FOUND):
    """Return sets of labels, true and predicted."""
    truth = uniform(rng, n) < common
    predicted = uniform(rng, n) < np.where(truth, found, FALSE)
    return label_sets(truth.astype(int), predicted.astype(int))


def labelled_twice(rng, n):
    """Return the sets of two equal models for the same cases."""
    truth = uniform(rng, n) < COMMON
    both = (uniform(rng, n) < np.where(truth, FOUND, FALSE) for _ in range(2))
    return [label_sets(truth.astype(int), predicted.astype(int)) for predicted in both]


def rare(rng, n):
    """Return sets of labels some of which few cases have, with scores that are one standard deviation apart."""
    made = labelled(rng, n, RARE, FOUND_RARE)
    return replace(made, score=rng.normal(size=made.truth.shape) + made.truth)


def ranked(rng, n, *, users=False, runs=1):
    """Return rankings of documents, each query with its own share of relevant ones; of users, whose queries are as hard in part."""
    each = QUERIES_PER_USER if users else 1
    shared = np.repeat(rng.normal(size=n), each)
    easy = np.sqrt(0.7) * shared + np.sqrt(0.3) * rng.normal(size=n * each) if users else shared
    judged, made = {}, [{} for _ in range(runs)]
    for q, ease in enumerate(easy):
        grade = (rng.random(DOCUMENTS) < 0.2) * rng.integers(1, 4, DOCUMENTS)
        grade[0] = max(grade[0], 1)
        judged[f"q{q}"] = {f"d{i}": int(g) for i, g in enumerate(grade)}
        for run_of in made:
            score = grade * np.exp(0.3 * ease) + rng.normal(size=DOCUMENTS)
            run_of[f"q{q}"] = {f"d{i}": float(s) for i, s in enumerate(score)}
    group = {q: i // each for i, q in enumerate(judged)} if users else None
    return rankings(judged, dict(zip("ab", made, strict=False)), group=group)


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


def told(cell, rng):
    """Return whether the interval holds the true value, or whether the test rejects; None where there is neither."""
    kind, n, how, measure = cell
    if kind == "equal labels":
        a, b = (made.scored(measure) for made in labelled_twice(rng, n))
        return compare(a, b).pvalue < 0.05
    if kind.startswith("equal"):
        p = ranked(rng, n, users=kind == "equal users", runs=2).scored(measure)
        return compare(p).pvalue < 0.05
    if kind in {"rankings", "users"}:
        made = ranked(rng, n, users=kind == "users")
    else:
        made = {"labels": labelled, "rare": rare}[kind](rng, n)
    if how:
        (found,) = [e for e in made.averaged([measure]) if e.average == how]
    else:
        found = made.table(measure).estimates[0]
    return None if found.interval is None else true_value(kind, how, measure) in found.interval


def row_of(name, repetitions):
    """Return a row of the table."""
    held = [told(CELLS[name], np.random.default_rng([SEED, 2, r])) for r in range(repetitions)]
    return row(name, held, rejects=CELLS[name][0].startswith("equal"))


if __name__ == "__main__":
    run(__doc__, row_of, CELLS, "case-scores.csv")
