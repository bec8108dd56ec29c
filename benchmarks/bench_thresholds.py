"""Confusion matrices at 100 thresholds, against a loop over scikit-learn and over numpy."""

import numpy as np
from sklearn.metrics import confusion_matrix

from benchmarks.interleaved import best_times, print_table, times
from credibly import Predictions
from credibly.predictions.summaries.scores import decisions_at

SAMPLE = 4  # thresholds that the slow loop is timed on, then multiplied up


def main():
    rng = np.random.default_rng(0)
    n = 10**6
    y = (rng.random(n) < 0.3).astype(np.int64)
    s = np.clip(rng.normal(0.4 + 0.2 * y, 0.2), 0, 1)
    p = Predictions.of(y, score=s)
    rows = []
    for name, cuts in {
        "even": np.linspace(0.01, 0.99, 100),
        "uneven": np.sort(rng.random(100) ** 4),
    }.items():

        def loop(cuts=cuts):
            return [confusion_matrix(y, s >= t) for t in cuts[:SAMPLE]]

        def careful(cuts=cuts):
            return [np.bincount(2 * y + (s >= t), minlength=4) for t in cuts[:SAMPLE]]

        best = best_times(
            {
                "peer": loop,
                "numpy": careful,
                "ours": lambda cuts=cuts: decisions_at(p, cuts),
                "read": s.sum,
            }
        )
        scale = 100 / SAMPLE
        rows.append(
            [
                name,
                times(scale * best["peer"] / best["ours"]),
                times(scale * best["numpy"] / best["ours"]),
                times(best["ours"] / best["read"]),
            ]
        )
    print_table(
        "Confusion matrix at 100 thresholds, n = 1e6",
        [
            "thresholds",
            "faster than a loop over scikit-learn",
            "over numpy",
            "times one pass over the scores",
        ],
        rows,
    )
