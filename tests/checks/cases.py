"""For each check, a case that fires, a near miss that does not, and one to which it does not apply."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from credibly import CostMatrix, Predictions, compare
from credibly.comparisons import FoldValues
from credibly.predictions import Design, Fit, Provenance
from every.additions import ByHand

TRUTH = np.tile([1, 0, 0, 1], 25)
COSTS = CostMatrix.of([[0, 1], [5, 0]], [0, 1])
FOLDS = np.repeat(np.arange(5), 20)
NOISE = np.random.default_rng(1).random(2000)
SCORES = np.where(TRUTH == 1, 0.6, 0.4) + 0.4 * (NOISE[:100] - 0.5)
FEATURES = np.arange(200.0).reshape(100, 2)
COPIED = np.where(np.arange(100)[:, None] == 99, FEATURES[0], FEATURES)  # rows 0 and 99 are equal
WHOLE = np.linspace(0.02, 0.98, 2000)[np.random.default_rng(3).permutation(2000)]


@dataclass
class Case:
    """Predictions, and what else is known of them."""

    predictions: Predictions
    known: dict[str, Any] = field(default_factory=dict)


def case(p, **known):
    return Case(p, known)


def flipped(n, start=0, truth=TRUTH):
    """Labels of which n, from a place on, are wrong."""
    label = np.array(truth)
    label[start : start + n] = 1 - label[start : start + n]
    return label


def labels(n=20, start=0, truth=TRUTH, **more):
    return Predictions.of(truth, label=flipped(n, start, truth), **more)


def scores(score=SCORES, **more):
    return Predictions.of(TRUTH, score=score, **more)


def models(*columns, kind="label", **more):
    """Predictions of several models on the same cases."""
    k = len(columns)
    names = np.repeat([f"m{i}" for i in range(k)], TRUTH.size)
    each = {name: np.tile(column, k) for name, column in more.items()}
    return Predictions.of(np.tile(TRUTH, k), **{kind: np.concatenate(columns)}, model=names, **each)


def foretold(p, bend=lambda p: p):
    """Outcomes that happen as often as probabilities say, and what a model made of the latter."""
    happened = np.random.default_rng(4).random(p.size) < p
    return Predictions.of(happened.astype(int), probability=bend(p))


def numbers(error):
    truth = np.tile([3.0, 1.0, 2.0, 4.0], len(error) // 4)
    return Predictions.of(truth, value=truth + error)


def run(p, resampling, *fits):
    return replace(p, provenance=Provenance(resampling, fits=fits))


def in_time(p):
    return replace(p, design=Design(in_time=True), cache={})


def sizes(positive, negative, **more):
    truth = np.r_[np.ones(positive, int), np.zeros(negative, int)]
    return Predictions.of(truth, label=truth[::-1], **more)


def spread(total, wrong):
    """Labels of so many cases with errors spread evenly."""
    truth = np.tile([1, 0, 0, 1], total // 4)
    label = truth.copy()
    places = np.linspace(1, total - 2, wrong).astype(int)
    label[places] = 1 - label[places]
    return Predictions.of(truth, label=label)


def bootstrapped(wrong):
    """Some rows out of the sample, some in it."""
    part = np.repeat(["test", "train"], [40, 60])
    p = Predictions.of(TRUTH, label=flipped(wrong, 40), part=part, n_train=60)
    return run(p, "bootstrap(replicates=1)")


def dependent(test):
    a, b = np.array([0.8, 0.7, 0.9, 0.85, 0.75]), np.array([0.7, 0.72, 0.8, 0.8, 0.7])
    return compare(FoldValues(a, b, test_train_ratio=0.25), test=test)


def a_test(correction=None):
    """A test of two models, or of three with p-values adjusted as said."""
    columns = [flipped(20), flipped(30, 10)] + ([flipped(5)] if correction else [])
    return compare(models(*columns, row=np.arange(100)), None, "error_rate", correction=correction)


def repeated(wrong_at):
    """Twenty rows predicted three times; errors at some rows in some repeats."""
    truth = np.tile([1, 0], 10)
    label = np.tile(truth, (3, 1))
    for repeat, row in wrong_at:
        label[repeat, row] = 1 - label[repeat, row]
    return Predictions.of(
        np.tile(truth, 3),
        label=label.ravel(),
        row=np.tile(np.arange(20), 3),
        repeat=np.repeat(np.arange(3), 20),
        fold=np.tile(np.repeat([0, 1], 10), 3),
    )


def shifted(by):
    """Scores of five folds, moved apart by their models."""
    return scores(SCORES + by * FOLDS, fold=FOLDS)


NUMERIC = case(numbers(NOISE[:100] - 0.5))
PLAIN = case(labels())
OUTLIER = np.r_[np.tile([1.0, -1.0], 48), np.zeros(4)]
PRIOR = np.tile([0.5, 0.5], (100, 1))
ABSENT = np.repeat([0, 1], [4, 96])
PARTS = np.repeat(["test", "Train"], [90, 10])
OK, FAILED = Fit("tree", 0, 0, 80, 20), Fit("tree", 0, 1, 80, 20, error="ValueError: no")
NOTHING = case(Predictions.of([None, None], label=[1, 0], classes=[0, 1]))

# fires, near miss, does not apply
CASES = ByHand(
    "Add to CASES of tests/checks/cases.py, under {name!r}, a case at which the check fires, a near miss "
    "at which it passes, and one to which it does not apply.",
    {
        "training-rows": (
            case(labels(part=np.full(100, "Train"))),
            case(labels(part=PARTS)),  # they are kept apart
            PLAIN,
        ),
        "rows-seen-in-training": (
            case(labels(), training=FEATURES[:50] + 1000, features=COPIED + 1000),
            case(labels(), training=FEATURES + 0.5, features=FEATURES),
            case(labels(), training=FEATURES),
        ),
        "duplicates-across-folds": (
            case(labels(fold=FOLDS), features=COPIED),
            case(labels(fold=np.r_[FOLDS[:99], 0]), features=COPIED),
            case(labels(fold=FOLDS), features=FEATURES[:50]),
        ),
        "groups-across-folds": (
            case(labels(fold=FOLDS, group=np.arange(100) // 15)),
            case(labels(fold=FOLDS, group=np.arange(100) // 10)),
            case(labels(fold=FOLDS)),
        ),
        "tuned-on-test": (
            case(labels(), tuned_on="test"),
            case(labels(part=np.repeat("test", 100)), tuned_on="validation"),
            PLAIN,
        ),
        "classes-absent-from-folds": (
            case(labels(fold=np.r_[FOLDS[:99], 9])),
            case(labels(fold=np.r_[FOLDS[:98], 9, 9])),
            NUMERIC,
        ),
        "classes-rare-in-folds": (
            case(labels(fold=np.r_[np.zeros(92), np.ones(8)])),
            case(labels(fold=np.r_[np.zeros(88), np.ones(12)])),
            PLAIN,
        ),
        "leave-one-out": (
            case(labels(fold=np.arange(100))),
            case(Predictions.of(TRUTH * 1.0, value=SCORES, fold=np.arange(100))),
            case(labels(fold=np.r_[np.arange(99), 98])),
        ),
        "memoriser-under-bootstrap": (
            case(bootstrapped(0)),
            case(bootstrapped(1)),
            case(labels(part=PARTS)),
        ),
        "failed-fits": (
            case(run(labels(), "folds(k=2)", OK, FAILED)),
            case(run(labels(), "folds(k=2)", OK, OK)),
            PLAIN,
        ),
        "no-better-than-majority": (
            case(spread(100, 50)),
            case(spread(100, 30)),
            case(Predictions.of(np.ones(40, int), label=np.ones(40, int), classes=[0, 1])),
        ),
        "suspiciously-perfect": (
            case(spread(2000, 0)),
            case(spread(2000, 2)),
            case(spread(28, 0)),
        ),
        "certain-probabilities": (
            case(foretold(np.r_[WHOLE, 1.0])),
            case(foretold(np.r_[WHOLE, 1 - 1e-12])),
            PLAIN,
        ),
        "labels-differ": (
            case(Predictions.of(TRUTH, probability=SCORES, label=(SCORES >= 0.55).astype(int))),
            case(Predictions.of(TRUTH, probability=SCORES)),
            PLAIN,
        ),
        "scores-like-labels": (
            case(scores(np.where(SCORES > 0.5, 1.0, -1.0))),
            case(scores(np.where(SCORES > 0.6, 1.0, np.where(SCORES > 0.4, 0.0, -1.0)))),
            PLAIN,
        ),
        "pooled-scores": (
            case(shifted(0.3)),
            case(shifted(0.0)),
            case(scores(fold=np.arange(100) // 2)),
        ),
        "error-carried-by-few": (
            case(numbers(np.where(np.arange(100) == 7, 11.0, OUTLIER))),
            case(numbers(np.where(np.arange(100) == 7, 9.0, OUTLIER))),
            case(numbers(np.zeros(28))),
        ),
        "miscalibrated": (
            case(foretold(WHOLE, lambda p: p**3)),
            case(foretold(WHOLE)),
            case(Predictions.of([0, 1, 2] * 30, label=[0, 1, 1] * 30)),
        ),
        "worse-slice": (
            case(labels(20, columns={"site": np.arange(100) // 20})),
            case(labels(20, columns={"site": np.arange(100) % 5})),
            PLAIN,
        ),
        "few-cases": (case(sizes(9, 40)), case(sizes(20, 40)), NOTHING),
        "class-proportions-differ": (
            case(labels(baseline=np.tile([0.8, 0.2], (100, 1)))),
            case(labels(baseline=np.tile([0.6, 0.4], (100, 1)))),
            PLAIN,
        ),
        "prevalence-differs": (
            case(labels(), prevalence=0.02),
            case(labels(), prevalence=0.4),
            PLAIN,
        ),
        "drift": (
            case(labels(40)),
            case(labels(40, start=30)),
            case(sizes(40, 60)),  # sorted by outcome
        ),
        "neighbours-in-time": (
            case(in_time(labels(20))),
            case(in_time(spread(100, 20))),
            case(labels(20)),
        ),
        "too-small-for-difference": (
            case(labels(), difference=0.05),
            case(labels(), difference=0.3),
            PLAIN,
        ),
        "weights-of-unknown-kind": (
            case(labels(sample_weight=1 + NOISE[:100])),
            case(labels(sample_weight=1 + NOISE[:100], weight_kind="importance")),
            PLAIN,
        ),
        "labels-that-never-occur": (
            case(Predictions.of(["yes", "no"] * 10, label=["never"] * 20)),
            case(Predictions.of(["yes", "no"] * 10, label=["never", "no"] * 10)),
            case(Predictions.of([0, 1] * 10, score=range(20))),
        ),
        "rows-wrong-every-time": (
            case(repeated([(0, 4), (1, 4), (2, 4)])),
            case(repeated([(0, 4), (1, 4), (2, 5)])),
            case(labels(row=np.arange(100))),
        ),
        "folds-tested-as-independent": (
            case(labels(), comparisons=[dependent("paired_t")]),
            case(labels(), comparisons=[dependent("corrected_resampled_t")]),
            PLAIN,
        ),
        "uncorrected-comparisons": (
            case(labels(), comparisons=[a_test(), a_test()]),
            case(labels(), comparisons=[a_test("holm"), a_test()]),
            PLAIN,
        ),
        "paired-on-unpaired": (
            case(
                Predictions.of(
                    [1, 0, 1, 0],
                    label=[1, 0, 0, 0],
                    model=["a", "a", "b", "b"],
                    row=[1, 2, 1, 3],
                )
            ),
            case(
                Predictions.of(
                    [1, 0, 0, 1],
                    label=[1, 0, 0, 0],
                    model=["a", "a", "b", "b"],
                    row=[1, 2, 2, 1],
                )
            ),
            case(labels(row=np.arange(100))),
        ),
        "winners-curse": (
            case(models(*[flipped(10, i) for i in range(4)])),
            case(models(*[flipped(10, i) for i in range(3)])),
            PLAIN,
        ),
        "measures-at-odds": (
            case(
                Predictions.of(
                    [1, 1, 0, 0] * 2,
                    probability=[0.9, 0.4, 0.1, 0.1, 0.55, 0.55, 0.49, 0.3],
                    model=["a"] * 4 + ["b"] * 4,
                )
            ),
            case(models(flipped(10), flipped(12))),
            PLAIN,
        ),
        "costs-ignored": (PLAIN, case(labels(), costs=COSTS), NUMERIC),
        "measure-chosen-afterwards": (
            case(labels(), measure="f1", planned_measure="recall"),
            case(labels(), measure="sensitivity", planned_measure="recall"),
            case(labels(), measure="recall"),
        ),
    },
)
