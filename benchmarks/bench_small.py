"""Small calls: what everything around a formula costs, in units of one call of a peer."""

import numpy as np
from scipy.stats import binomtest
from sklearn.metrics import accuracy_score, roc_auc_score

from benchmarks.interleaved import best_times, print_table
from credibly import Predictions, compare, evaluate

SIZES = (100, 1000, 10_000)


def data(n, rng):
    truth = rng.integers(0, 2, n)
    scores = [1 / (1 + np.exp(0.5 - truth - rng.normal(size=n))) for _ in range(2)]
    return truth, *scores


def accuracy_with_limits(truth, label):
    """What one would write by hand for an accuracy with Wilson's interval."""
    right = round(accuracy_score(truth, label) * truth.size)
    return binomtest(right, truth.size).proportion_ci(method="wilson")


def discordant(truth, a, b):
    """An exact test of McNemar's by hand."""
    right, other = a == truth, b == truth
    only = int((right & ~other).sum())
    return binomtest(only, only + int((other & ~right).sum()))


def row(n, rng):
    truth, score, other = data(n, rng)
    label, second = (score > 0.5).astype(int), (other > 0.5).astype(int)

    def scored():
        return Predictions.of(truth, probability=score)

    def labelled(column):
        return Predictions.of(truth, label=column)

    best = best_times(
        {
            "area": lambda: roc_auc_score(truth, score),
            "auc": lambda: evaluate(scored(), "auc"),
            "everything": lambda: evaluate(scored()),
            "share": lambda: accuracy_with_limits(truth, label),
            "accuracy": lambda: evaluate(labelled(label), "accuracy"),
            "discordant": lambda: discordant(truth, label, second),
            "mcnemar": lambda: compare(labelled(label), labelled(second), "accuracy"),
        },
        rounds=20,
    )
    pairs = (
        ("auc", "area"),
        ("everything", "area"),
        ("accuracy", "share"),
        ("mcnemar", "discordant"),
    )
    return [f"{n:,}", *(f"{best[ours] / best[peer]:.2f}" for ours, peer in pairs)]


def main():
    rng = np.random.default_rng(0)
    rows = [row(n, rng) for n in SIZES]
    print_table(
        "Predictions made and judged, with intervals and baselines, in units of one bare call of a peer",
        [
            "cases",
            "AUC / roc_auc_score",
            "everything / roc_auc_score",
            "accuracy / accuracy_score and binomtest",
            "compare / binomtest",
        ],
        rows,
    )
