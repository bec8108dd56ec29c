"""Measures of labels after ten folds, with and without what class sizes do by way of what is learned.

Schemes label the most probable class. Each default interval is held to the value of the model of all rows on fresh cases, and to its mean over
training sets. Run from the repository:

    python -m tests.simulation.learned_shares --samples 150 --output docs/validity/learned-shares.csv
"""

import argparse
import math
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from unittest.mock import patch

import numpy as np
from scipy.stats import norm
from sklearn import metrics
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from credibly import evaluate, run
from credibly.intervals import generalization
from credibly.intervals.influence import influence

from .coverage import write

MEASURES = ("recall", "precision", "fbeta", "balanced_accuracy", "mcc", "kappa")
DESIGNS = {  # scheme, rows, columns, shares of classes, signal
    "lda-100-40%": (LinearDiscriminantAnalysis, 100, 3, (0.6, 0.4), 1.3),
    "logistic-150-20%": (LogisticRegression, 150, 4, (0.8, 0.2), 1.5),
    "naive-bayes-240-12%": (GaussianNB, 240, 3, (0.88, 0.12), 2.2),
    "lda-150-3 classes": (LinearDiscriminantAnalysis, 150, 3, (0.5, 0.3, 0.2), 1.5),
}


def drawn(rng, design, n):
    """Return rows and classes, of each of which there are four at least."""
    _, _, p, shares, signal = design
    cuts = np.cumsum(shares)[:-1]
    while True:
        X = rng.standard_normal((n, p))
        height = signal * X.sum(axis=1) / math.sqrt(p) + 1.3 * rng.standard_normal(n)
        y = np.searchsorted(norm.ppf(cuts) * math.sqrt(signal**2 + 1.69), height)
        if np.bincount(y, minlength=len(shares)).min() >= 4:
            return X, y


def truths(z, label, classes):
    """Return the value of each measure by scikit-learn."""
    average = "binary" if classes == 2 else "macro"
    each = (metrics.recall_score, metrics.precision_score, metrics.f1_score)
    found = [f(z, label, average=average, zero_division=0) for f in each]
    rest = (metrics.balanced_accuracy_score, metrics.matthews_corrcoef, metrics.cohen_kappa_score)
    return [*found, *(f(z, label) for f in rest)]


def sample(job):
    """Return the truth and both intervals of each measure."""
    name, i, seed = job
    design = DESIGNS[name]
    scheme, n, *_ = design
    rng = np.random.default_rng([seed, list(DESIGNS).index(name), i])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X, y = drawn(rng, design, n)
        Z, z = drawn(rng, design, 4000)
        true = truths(z, scheme().fit(X, y).predict(Z), len(design[3]))
        p, made = run(scheme(), X, y, resampling="folds(k=10)", rng=i, progress=False), []
        for swapped in (influence, generalization.learned_influence):
            with patch.object(generalization, "learned_influence", swapped):
                shown = evaluate(p, list(MEASURES))
            made.append([tuple(shown[m].interval or (math.nan,) * 2) for m in MEASURES])
    return [(name, m, true[j], *made[0][j], *made[1][j]) for j, m in enumerate(MEASURES)]


def table(rows, seed):
    """Return a row for each design and measure."""
    made = []
    for name in DESIGNS:
        for m in MEASURES:
            found = np.array([r[2:] for r in rows if r[:2] == (name, m)])
            row = {"design": name, "measure": m, "samples": len(found)}
            for way, at in (("before", 1), ("now", 3)):
                true, low, high = found[:, 0], found[:, at], found[:, at + 1]
                for what, t in (("model", true), ("training", true.mean())):
                    held = ((low <= t) & (t <= high))[~np.isnan(low)].mean()
                    row[f"{what}_{way}"] = round(100 * float(held), 1)
            wide = (found[:, 4] - found[:, 3]) / (found[:, 2] - found[:, 1])
            made.append(row | {"relative_width": round(float(np.nanmedian(wide)), 3), "seed": seed})
    return made


def main():
    """Draw all designs, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=150)
    parser.add_argument("--seed", type=int, default=777)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path("learned-shares.csv"))
    asked = parser.parse_args()
    jobs = [(name, i, asked.seed) for i in range(asked.samples) for name in DESIGNS]
    with ProcessPoolExecutor(asked.jobs) as workers:
        rows = [r for found in workers.map(sample, jobs, chunksize=4) for r in found]
    write(table(rows, asked.seed), asked.output)


if __name__ == "__main__":
    main()
