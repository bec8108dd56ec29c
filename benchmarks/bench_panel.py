"""The whole binary panel with its curves from one sort, against eight calls of scikit-learn."""

import numpy as np
from sklearn import metrics as peer
from sklearn.calibration import calibration_curve

from benchmarks.interleaved import best_times, print_table, times
from credibly import Predictions
from credibly.measures import auc, average_precision, brier, ks, log_loss
from credibly.predictions.summaries import ScoreTable

EDGES = np.linspace(0, 1, 11)


def scores(kind, n, rng):
    positive = rng.random(n) < 0.3
    logit = rng.normal(np.where(positive, 0.5, -0.7), 1)
    smooth = 1 / (1 + np.exp(-logit))
    return positive.astype(np.int64), {
        "smooth": smooth,
        "three decimals": np.round(smooth, 3),
        "sorted": np.sort(smooth),
        "heavy tail": smooth**30,
        "clustered": np.round(smooth, 1) * 0.999 + rng.random(n) * 1e-9,
    }[kind]


def eight_calls(y, s):
    peer.roc_curve(y, s)
    peer.roc_auc_score(y, s)
    peer.precision_recall_curve(y, s)
    peer.average_precision_score(y, s)
    peer.log_loss(y, s)
    peer.brier_score_loss(y, s)
    calibration_curve(y, s, n_bins=10)
    peer.det_curve(y, s)


def panel(y, s):
    """Everything the eight calls compute and the KS distance; the curves are the columns of the table."""
    p = Predictions.of(y, probability=s)
    table = ScoreTable.of(p)
    values = [m.value(p) for m in (auc, average_precision, ks, log_loss, brier)]
    return values, table.binned(EDGES), table


def panel_with_curves(y, s):
    """The same with every curve written out in full: ROC, precision-recall and DET at every score."""
    _, _, table = panel(y, s)
    tp, fp = table.tp, table.fp
    tpr, fpr = tp / tp[-1], fp / fp[-1]
    return tpr, fpr, tp / (tp + fp), 1 - tpr


def main():
    rng = np.random.default_rng(0)
    rows = []
    cases = [
        ("smooth", 10**4),
        ("smooth", 10**6),
        ("three decimals", 10**6),
        ("sorted", 10**6),
        ("heavy tail", 10**6),
        ("clustered", 10**6),
        ("smooth", 10**7),
    ]
    for kind, n in cases:
        y, s = scores(kind, n, rng)
        best = best_times(
            {
                "peer": lambda y=y, s=s: eight_calls(y, s),
                "one": lambda y=y, s=s: peer.roc_auc_score(y, s),
                "ours": lambda y=y, s=s: panel(y, s),
                "full": lambda y=y, s=s: panel_with_curves(y, s),
                "sort": lambda s=s: np.sort(s),
            },
            seconds=6 if n < 10**7 else 1,
            rounds=3 if n < 10**7 else 2,
        )
        ours = best["ours"]
        rows.append(
            [
                f"{n:.0e}",
                kind,
                times(best["peer"] / ours),
                times(best["peer"] / best["full"]),
                times(best["one"] / ours),
                times(ours / best["sort"]),
                f"{1e9 * ours / n:.1f}",
            ]
        )
    print_table(
        "Binary panel (AUC, AP, KS, log loss, Brier, calibration groups, ROC / PR / DET as one table)",
        [
            "n",
            "scores",
            "faster than 8 calls",
            "all curves copied",
            "than roc_auc_score alone",
            "times numpy's sort",
            "ns a row",
        ],
        rows,
    )
