"""DeLong, DeLong and Clarke-Pearson's patients, and Sun and Xu's way of computing the same."""

import math

import numpy as np

from credibly import Predictions, compare, evaluate
from credibly.comparisons import Cases, comparisons
from credibly.measures import measures

from . import between, design, redone

PAPER = "DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44"
SCREENED = """
3.0 5.8 10 0  3.2 6.3 5 1  3.9 6.8 3 1  2.8 4.8 6 0  3.2 5.8 3 1  0.9 4.0 5 0  2.5 5.7 8 0  1.6 5.6 5 1
3.8 5.7 5 1  3.7 6.7 6 1  3.2 5.4 4 1  3.8 6.6 6 1  4.1 6.6 5 1  3.6 5.7 5 1  4.3 7.0 4 1  3.6 6.7 4 0
2.3 4.4 6 1  4.2 7.6 4 0  4.0 6.6 6 0  3.5 5.8 6 1  3.8 6.8 7 1  3.0 4.7 8 0  4.5 7.4 5 1  3.7 7.4 5 1
3.1 6.6 6 1  4.1 8.2 6 1  4.3 7.0 5 1  4.3 6.5 4 1  3.2 5.1 5 1  2.6 4.7 6 1  3.3 6.8 6 0  1.7 4.0 7 0
3.7 6.1 5 1  3.3 6.3 7 1  4.2 7.7 6 1  3.5 6.2 5 1  2.9 5.7 9 0  2.1 4.8 7 1  2.8 6.2 8 0  4.0 7.0 7 1
3.3 5.7 6 1  3.7 6.9 5 1  3.6 6.6 5 1
"""  # albumin, total protein, K-G score (10 is worst), whether surgery helped
TESTS = ("albumin", "total protein", "K-G score")


def patients():
    """Return the scores of the three screening tests, higher for surgery, and whether it helped."""
    table = np.array(SCREENED.split(), float).reshape(-1, 4)
    return np.array([table[:, 0], table[:, 1], 10 - table[:, 2]]), table[:, 3].astype(int)


def over_all_pairs(scores, y):
    """Return the areas and their covariance from every pair of cases, as the article has it."""
    wins = [
        (s[y == 1][:, None] > s[y == 0]) + 0.5 * (s[y == 1][:, None] == s[y == 0]) for s in scores
    ]
    above, below = ([w.mean(axis) for w in wins] for axis in (1, 0))
    covariance = np.cov(above) / y.sum() + np.cov(below) / (y.size - y.sum())
    return np.mean(above, axis=1), covariance


def chi_square(areas, covariance):
    """Return the statistic of all areas against the last."""
    contrast = np.column_stack([np.eye(len(areas) - 1), -np.ones(len(areas) - 1)])
    gaps = contrast @ areas
    return float(gaps @ np.linalg.solve(contrast @ covariance @ contrast.T, gaps))


PAIRS = "the article's sums over all pairs of cases"


@design(
    PAPER, "Three screening tests of 43 patients with ovarian cancer: areas, standard errors, tests",
    place="its data, as printed in SAS/STAT User's Guide, LOGISTIC, Comparing ROC Curves",
    published={
        f"{what} of {name}": redone(f"{what} of {name}, pairs", PAIRS)
        for name in TESTS for what in ("AUC", "standard error")
    } | {
        "chi-square of all three": redone("chi-square, pairs", PAIRS),
        "p-value of all three": redone("p-value, pairs", PAIRS),
    },
)  # fmt: skip
def screening_tests():
    scores, y = patients()
    tests = [Predictions.of(y, score=s, positive=1) for s in scores]
    several = comparisons["delong_several"](Cases(tuple(tests), TESTS, measures["auc"]))
    areas, covariance = over_all_pairs(scores, y)
    found = {}
    for i, (name, p) in enumerate(zip(TESTS, tests, strict=True)):
        (e,) = evaluate(p, "auc").estimates
        found[f"AUC of {name}"] = e.value
        found[f"AUC of {name}, pairs"] = areas[i]
        found[f"standard error of {name}"] = e.interval.standard_error
        found[f"standard error of {name}, pairs"] = math.sqrt(covariance[i, i])
    statistic = chi_square(areas, covariance)
    return found | {
        "chi-square of all three": several.statistic,
        "chi-square, pairs": statistic,
        "p-value of all three": several.pvalue,
        "p-value, pairs": math.exp(-statistic / 2),  # of two degrees of freedom
    }


@design(
    "Sun & Xu 2014, IEEE Signal Processing Letters 21",
    "DeLong's squared z by ranks, of 500 cases with ties, beside that over all pairs of cases",
    place="the algorithm computes the same as DeLong's",
    published={"largest of 20 differences": between(0, 1e-9, "0")},
)  # fmt: skip
def ranks_for_pairs():
    rng = np.random.default_rng(1)
    apart = []
    for _ in range(20):
        y = (rng.random(500) < 0.3).astype(int)
        scores = np.round(rng.normal(y, 1.2, (2, 500)), 1)
        models = [Predictions.of(y, score=s, positive=1) for s in scores]
        found = compare(*models, "auc", test="delong").statistic
        apart.append(abs(found**2 - chi_square(*over_all_pairs(scores, y))))
    return {"largest of 20 differences": max(apart)}
