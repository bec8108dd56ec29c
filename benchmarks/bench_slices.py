"""Slices with intervals, gaps and p-values that hold together, beside bare values of scikit-learn by slice.

The peer is what fairlearn's MetricFrame must do at least: one call for each slice and one for all.
"""

import numpy as np
from sklearn.metrics import accuracy_score, roc_auc_score

from benchmarks.interleaved import best_times, print_table, times
from credibly import Predictions, slices

SIZES, SLICES = (1000, 10_000, 100_000), 5


def row(n, rng):
    truth, place = rng.integers(0, 2, n), rng.integers(0, SLICES, n)
    score = 1 / (1 + np.exp(0.5 - truth - rng.normal(size=n)))
    label = (score > 0.5).astype(int)

    def one_by_one(function, predicted):
        function(truth, predicted)
        for i in range(SLICES):
            function(truth[place == i], predicted[place == i])

    def ours(measure):
        p = Predictions.of(truth, probability=score, columns={"place": place})
        return slices(p, by="place", measures=measure, rng=1)

    best = best_times(
        {
            "areas": lambda: one_by_one(roc_auc_score, score),
            "auc": lambda: ours("auc"),
            "shares": lambda: one_by_one(accuracy_score, label),
            "accuracy": lambda: ours("accuracy"),
        }
    )
    pairs = ("areas", "auc"), ("shares", "accuracy")
    return [f"{n:,}", *(times(best[peer] / best[own]) for peer, own in pairs)]


def main():
    rng = np.random.default_rng(0)
    print_table(
        f"{SLICES} slices with intervals, faster than bare calls of scikit-learn",
        ["cases", "AUC / roc_auc_score", "accuracy / accuracy_score"],
        [row(n, rng) for n in SIZES],
    )
