"""Exact shortcuts against refitting: leave-one-out and 10-fold on 1,000 rows of 20 columns.

The peer is scikit-learn's `cross_val_predict` on the same splits, which fits once a split. The
largest difference of any prediction (as a share of the largest target) is printed beside.
"""

import numpy as np
from sklearn.datasets import make_classification, make_regression
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.interleaved import best_times, print_table, times
from credibly.resampling import as_resampling
from credibly.running.shortcuts import shortcut_for
from credibly.schemes import FullBayes

ROWS, COLUMNS = 1000, 20


def by_refitting(estimator, data, target, splitter):
    method = "predict_proba" if hasattr(estimator, "predict_proba") else "predict"
    return cross_val_predict(estimator, data, target, cv=splitter, method=method)


def by_shortcut(estimator, data, target, splits):
    """Return predictions for the test rows of each split in turn."""
    classes = [0, 1] if hasattr(estimator, "predict_proba") else None
    run, why_not = shortcut_for(estimator, splits, data, target, classes)
    assert run is not None, why_not
    answers = run()
    assert not answers.refit.any(), answers.why
    return answers.output.value if classes is None else answers.output.probability


def main():
    classes = make_classification(
        ROWS, COLUMNS, n_informative=8, n_redundant=0, flip_y=0.1, random_state=0
    )
    numbers = make_regression(ROWS, COLUMNS, noise=20, random_state=0)
    schemes = [
        ("linear regression", LinearRegression(), *numbers),
        ("ridge regression", Ridge(), *numbers),
        ("Gaussian naive Bayes", GaussianNB(), *classes),
        ("linear discriminant", LinearDiscriminantAnalysis(), *classes),
        ("full Bayes", FullBayes(), *classes),
        ("5 nearest neighbours", KNeighborsClassifier(), *classes),
    ]
    rows = []
    for name, estimator, data, target in schemes:
        for resampling in ("leave_one_out", "folds(k=10)"):
            if "neighbours" in name and resampling != "leave_one_out":
                continue  # refitting costs nothing, so there is nothing to gain
            splits = as_resampling(resampling).realise(ROWS, rng=0)
            pairs = [(s.train, s.test) for s in splits]

            def peer(e=estimator, x=data, y=target, cv=pairs):
                return by_refitting(e, x, y, cv)

            def ours(e=estimator, x=data, y=target, s=splits):
                return by_shortcut(e, x, y, s)

            tested = np.concatenate(list(splits.tests()))
            apart = np.abs(peer()[tested] - ours()).max() / np.abs(target).max()
            best = best_times({"peer": peer, "ours": ours}, rounds=3, seconds=6)
            ratio = times(best["peer"] / best["ours"])
            rows.append([name, resampling, ratio, f"{1e3 * best['ours']:.2f} ms", f"{apart:.0e}"])
    print_table(
        f"Exact shortcuts, {ROWS:,} rows x {COLUMNS} columns",
        ["scheme", "resampling", "faster than cross_val_predict", "ours", "largest difference"],
        rows,
    )
