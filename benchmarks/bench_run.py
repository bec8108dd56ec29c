"""Gaussian naive Bayes with six measures, against cross_validate with six scorers; numbers and text."""

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from benchmarks.interleaved import best_times, print_table, times
from credibly import evaluate, run

SCORERS = ["accuracy", "balanced_accuracy", "f1", "roc_auc", "neg_brier_score", "neg_log_loss"]
MEASURES = ["accuracy", "balanced_accuracy", "f1", "auc", "brier", "log_loss"]


def data(n, rng):
    y = rng.integers(0, 2, n)
    return rng.normal(y[:, None] * 0.5, 1, (n, 10)), y


def peer(X, y):
    splitter = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=1)
    return cross_validate(GaussianNB(), X, y, cv=splitter, scoring=SCORERS)


def ours(X, y, *, exact_shortcuts):
    p = run(GaussianNB(), X, y, resampling="10x10", rng=1, exact_shortcuts=exact_shortcuts)
    return evaluate(p, MEASURES)


def table(n, rng):
    """Return a frame with six columns of numbers and eight of text."""
    numbers = {f"n{j}": rng.normal(size=n) for j in range(6)}
    texts = {f"t{j}": rng.choice(list("abcdefgh"), n) for j in range(8)}
    frame = pd.DataFrame({**numbers, **texts})
    return frame, (frame["n0"] + (frame["t0"] == "a") > 0).astype(int)


def peer_on_table(X, y):
    texts = [c for c in X if c.startswith("t")]
    hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    front = make_column_transformer((hot, texts), remainder="passthrough")
    return cross_validate(make_pipeline(front, GaussianNB()), X, y, cv=10, scoring=SCORERS)


def ours_on_table(X, y):
    p = run("naive-bayes", X, y, resampling="10", rng=1, exact_shortcuts=False)
    return evaluate(p, MEASURES)


def main():
    X, y = data(1000, np.random.default_rng(0))
    best = best_times(
        {
            "peer": lambda: peer(X, y),
            "refitted": lambda: ours(X, y, exact_shortcuts=False),
            "exact": lambda: ours(X, y, exact_shortcuts=True),
        },
        seconds=10,
    )
    print_table(
        "10x10 folds of Gaussian naive Bayes, 1,000 rows, six measures, means over folds and pooled, with intervals",
        ["fits", "faster than cross_validate", "share of its time"],
        [
            [name, times(best["peer"] / best[key]), f"{best[key] / best['peer']:.2f}"]
            for name, key in (("all refitted", "refitted"), ("exact shortcut", "exact"))
        ],
    )
    frame, target = table(50_000, np.random.default_rng(0))
    calls = {
        "peer": lambda: peer_on_table(frame, target),
        "ours": lambda: ours_on_table(frame, target),
    }
    best = best_times(calls, seconds=10)
    print_table(
        "Ten folds of Gaussian naive Bayes, 50,000 rows of six numbers and eight texts, encoded inside the fold",
        ["faster than cross_validate", "share of its time"],
        [[times(best["peer"] / best["ours"]), f"{best['ours'] / best['peer']:.2f}"]],
    )
