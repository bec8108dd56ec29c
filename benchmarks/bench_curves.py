"""Curves of ten models beside the sorts they rest on, and bands beside the bootstrap of an AUC.

The floor of any curve is one sort a model. The peer draws its two curves with scikit-learn.
"""

import numpy as np
from sklearn import metrics as peer

from benchmarks.interleaved import best_times, print_table, times
from credibly import Predictions, curve, hull
from credibly.intervals import bootstrap
from credibly.predictions.summaries import ScoreTable

MODELS = 10
KINDS = ("roc", "precision_recall", "lift", "cost")


def models(n, rng):
    y = (rng.random(n) < 0.3).astype(np.int64)
    scores = {f"m{i}": rng.normal(np.where(y, 0.3 + i / 10, -0.5), 1) for i in range(MODELS)}
    return y, {name: Predictions.of(y, score=s) for name, s in scores.items()}


def forget(named):
    for p in named.values():
        p.cache.clear()


def sorts(named):
    forget(named)
    for p in named.values():
        ScoreTable.of(p)


def everything(named):
    forget(named)
    for p in named.values():
        for kind in KINDS:
            curve(kind, p)
    hull(named)


def of_peer(y, named):
    for p in named.values():
        peer.roc_curve(y, p.score)
        peer.precision_recall_curve(y, p.score)


def draw_all(n, rng):
    y, named = models(n, rng)
    best = best_times(
        {
            "sorts": lambda: sorts(named),
            "ours": lambda: everything(named),
            "peer": lambda: of_peer(y, named),
        }
    )
    return [
        f"{n:,}",
        f"{1000 * best['ours']:,.0f} ms",
        times(best["ours"] / best["sorts"]),
        times(best["peer"] / best["ours"]),
    ]


def bands(n, rng):
    y = (rng.random(n) < 0.3).astype(np.int64)
    p = Predictions.of(y, score=rng.normal(np.where(y, 0.5, -0.7), 1))
    best = best_times(
        {
            "auc": lambda: bootstrap(p, "auc", rng=1),
            "pointwise": lambda: curve("roc", p, band="pointwise", rng=1),
            "simultaneous": lambda: curve("roc", p, band="simultaneous", rng=1),
            "fixed width": lambda: curve("roc", p, band="fixed_width", rng=1),
        }
    )
    return [
        [f"{n:,}", name, f"{1000 * best[name]:,.0f} ms", times(best[name] / best["auc"])]
        for name in best
    ]


def main():
    rng = np.random.default_rng(0)
    print_table(
        f"ROC, precision-recall, lift and cost curves of {MODELS} models, and their hull",
        ["n", "ours", "of the sorts", "peer's two curves of ours"],
        [draw_all(n, rng) for n in (10**5, 10**6)],
    )
    print_table(
        "Bands of a ROC curve by 2,000 replicates",
        ["n", "", "time", "of the bootstrap of its area"],
        [row for n in (10**4, 10**5) for row in bands(n, rng)],
    )
