"""Nadeau and Bengio, and Dietterich: tests over folds, as documented and by their false alarms."""

import numpy as np
from sklearn.datasets import load_iris, make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score, train_test_split
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from credibly import Predictions
from credibly.comparisons import Cases, FoldValues, comparisons
from credibly.measures import measures

from ..schemes import Setting, accuracies, draw, folds, holdouts, predictions
from . import between, design, printed

NADEAU = "Nadeau & Bengio 2003, Machine Learning 52"
DIETTERICH = "Dietterich 1998, Neural Computation 10"


@design(
    NADEAU, "AUC of two support vector machines on 100 points of two moons, ten times ten folds",
    place="scikit-learn 1.7, example Statistical comparison of models using grid search",
    published={
        "corrected t": printed("0.750"), "one-sided p-value, corrected": printed("0.227"),
        "t, not corrected": printed("2.611"), "one-sided p-value, not corrected": printed("0.005"),
        "probability that the first is better (Benavoli)": printed("0.773"),
        "probability that they differ by less than 0.01": printed("0.432"),
    },
)  # fmt: skip
def two_moons():
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    splits = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    first, second = (
        cross_val_score(SVC(kernel=kernel, random_state=0), X, y, cv=splits, scoring="roc_auc")
        for kernel in ("rbf", "linear")
    )
    values = FoldValues(
        first, second, measure_name="auc", test_train_ratio=1 / 9, repeats=10, folds=10
    )
    corrected = comparisons["corrected_resampled_t"](values, alternative="greater")
    plain = comparisons["paired_t"](values, alternative="greater")
    bayesian = comparisons["bayesian_correlated_t"](values, rope=0.01).probabilities
    return {
        "corrected t": corrected.statistic,
        "one-sided p-value, corrected": corrected.pvalue,
        "t, not corrected": plain.statistic,
        "one-sided p-value, not corrected": plain.pvalue,
        "probability that the first is better (Benavoli)": comparisons["bayesian_correlated_t"](
            values
        ).probabilities["first higher"],
        "probability that they differ by less than 0.01": bayesian["no difference"],
    }


def halves(depth):
    """Return the accuracies of logistic regression and a tree on five times two halves of the irises."""
    X, y = load_iris(return_X_y=True)
    # one model for each class, by liblinear, as scikit-learn had it by default when the page was made
    logistic = OneVsRestClassifier(LogisticRegression(solver="liblinear", random_state=1))
    tree = DecisionTreeClassifier(random_state=1, max_depth=depth)
    seeds = np.random.RandomState(1)
    found = []
    for _ in range(5):
        one, other, y1, y2 = train_test_split(
            X, y, test_size=0.5, random_state=seeds.randint(0, 32767)
        )
        for train, z, test, t in ((one, y1, other, y2), (other, y2, one, y1)):
            found.append([m.fit(train, z).score(test, t) for m in (logistic, tree)])
    first, second = np.transpose(found)
    return FoldValues(first, second, measure_name="accuracy", test_train_ratio=1.0, repeats=5, folds=2)  # fmt: skip


@design(
    DIETTERICH, "Logistic regression against a tree on five times two halves of the irises",
    place="mlxtend user guide, 5x2cv paired t test",
    published={
        "t": printed("-1.539"), "p-value": printed("0.184"),
        "t, tree of depth 1": printed("5.386"), "p-value, tree of depth 1": printed("0.003"),
    },
)  # fmt: skip
def five_times_two():
    deep, stump = (comparisons["five_by_two_t"](halves(depth)) for depth in (None, 1))
    return {
        "t": deep.statistic, "p-value": deep.pvalue,
        "t, tree of depth 1": stump.statistic, "p-value, tree of depth 1": stump.pvalue,
    }  # fmt: skip


def judged(both, first, second, neither):
    """Return two models of which so many cases are right by both, by one alone, by neither."""
    right = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [both, first, second, neither], axis=0)
    truth = np.arange(len(right)) % 2
    labels = np.where(right.T == 1, truth, 1 - truth)
    models = tuple(Predictions.of(truth, label=each, positive=1) for each in labels)
    return Cases(models, ("first", "second"), measures["accuracy"])


@design(
    DIETTERICH, "McNemar's test of two tables of 10,000 cases",
    place="mlxtend user guide, McNemar's test",
    published={
        "p-value, corrected, 25 against 15": printed("0.154728923485"),
        "p-value, exact, 11 against 1": printed("0.005859375"),
    },
    why={
        "p-value, exact, 11 against 1": "Theirs is twice the chance of exactly 1 of 12 (24 / 4096); the tail "
        "holds 0 of 12 as well (26 / 4096).",
    },
)  # fmt: skip
def discordant_cases():
    return {
        "p-value, corrected, 25 against 15": comparisons["mcnemar"](
            judged(9945, 25, 15, 15), method="corrected"
        ).pvalue,
        "p-value, exact, 11 against 1": comparisons["mcnemar"](
            judged(9959, 11, 1, 29), method="exact"
        ).pvalue,
    }


# --- false alarms -----------------------------------------------------------------------------

EQUAL = Setting("nearest centroid", True, 300)
NEAREST = Setting("nearest neighbour", True, 300)
LEVEL = 0.05
ACCEPTABLE = 0.075  # what a rate at 5 % may be in Bradley's liberal sense: half as much again
SPLITS = {
    "30 holdouts": (lambda y, rng: holdouts(y, 1 / 3, 30, rng), 30, 1 / 2),
    "10 folds": (lambda y, rng: folds(y, 10, 1, rng), 1, 1 / 9),
    "5 x 2 folds": (lambda y, rng: folds(y, 2, 5, rng), 5, 1.0),
}
TESTS = {
    "t over 30 holdouts": ("paired_t", "30 holdouts"),
    "t over 10 folds": ("paired_t", "10 folds"),
    "5 x 2 cv t": ("five_by_two_t", "5 x 2 folds"),
    "corrected t over 30 holdouts": ("corrected_resampled_t", "30 holdouts"),
}
MCNEMAR = "McNemar, fitted models"


def alarms(setting, rng, *names):
    """Return which tests call two schemes different that are equal by symmetry."""
    blocks, y = draw(setting.n, setting.signals(2), rng)
    found = {}
    for name in names:
        test, kind = TESTS[name]
        split, repeats, ratio = SPLITS[kind]
        train = split(y, rng)
        a, b = accuracies(setting.fit, blocks, y, train)
        values = FoldValues(
            a, b, measure_name="accuracy", test_train_ratio=ratio, repeats=repeats,
            folds=len(train) // repeats,
        )  # fmt: skip
        found[name] = float(comparisons[test](values).pvalue <= LEVEL)
    cases = tuple(predictions(setting.learner, x, y) for x in blocks)
    mcnemar = comparisons["mcnemar"](Cases(cases, ("a", "b"), measures["accuracy"]))
    return found | {MCNEMAR: float(mcnemar.pvalue <= LEVEL)}


NEIGHBOURS_PAIR = (
    "Errors of nearest neighbours come in pairs: two close cases of different classes mislead each "
    "other whichever is tested, which no split of the same cases shows."
)


@design(
    DIETTERICH, "Two nearest-centroid schemes that are equal by symmetry, 300 cases: false alarms at 5 %",
    place="abstract: too many over random splits, somewhat too many over ten folds, few by McNemar, acceptable 5 x 2 cv",
    published={
        "t over 30 holdouts": between(0.1, 1, "high"),
        "t over 10 folds": between(0.05, 0.2, "somewhat elevated"),
        "5 x 2 cv t": between(0, ACCEPTABLE, "acceptable"),
        MCNEMAR: between(0, 0.05, "low"),
    },
    samples=1000,
)  # fmt: skip
def equal_centroids(rng):
    return alarms(EQUAL, rng, *list(TESTS)[:3])


@design(
    DIETTERICH, "The same with single nearest neighbours",
    place="abstract, as above",
    published={
        "t over 30 holdouts": between(0.1, 1, "high"),
        "t over 10 folds": between(0.05, 0.2, "somewhat elevated"),
        "5 x 2 cv t": between(0, ACCEPTABLE, "acceptable"),
        MCNEMAR: between(0, 0.05, "low"),
    },
    why={"5 x 2 cv t": NEIGHBOURS_PAIR},
    samples=600,
)  # fmt: skip
def equal_neighbours(rng):
    return alarms(NEAREST, rng, *list(TESTS)[:3])


@design(
    NADEAU, "Two nearest-centroid schemes that are equal by symmetry, 300 cases: false alarms at 5 %",
    place="abstract: the new tests have correct size",
    published={"corrected t over 30 holdouts": between(0, ACCEPTABLE, "correct size")},
    samples=1000,
)  # fmt: skip
def corrected_centroids(rng):
    return alarms(EQUAL, rng, "corrected t over 30 holdouts")


@design(
    NADEAU, "The same with single nearest neighbours",
    place="abstract, as above",
    published={"corrected t over 30 holdouts": between(0, ACCEPTABLE, "correct size")},
    samples=600,
)  # fmt: skip
def corrected_neighbours(rng):
    return alarms(NEAREST, rng, "corrected t over 30 holdouts")
