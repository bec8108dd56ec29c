"""Data, learners and evidence for the simulation of comparisons, built so that a repetition takes milliseconds.

Cases have several blocks of features with the same distribution, so that one learner on one block and the
same learner on another are equal by symmetry: whatever a test says against that is a false alarm. Where the
second block carries less of the class, they are unequal, and the test is to say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from zlib import crc32

import numpy as np

from credibly import Predictions
from credibly._kernels.placements import delong_covariance, placements
from credibly.comparisons import (
    Areas,
    Cases,
    DatasetTable,
    FoldValues,
    Moments,
    Overlap,
    PairedValues,
    Samples,
    Single,
)
from credibly.measures import measures

BLOCKS, FEATURES = 4, 3
SIGNAL, WEAKER, SHARED = 0.5, 0.4, 0.3  # of the class, on the weaker side, correlation of blocks
DATASETS = 15
TRAINED_ON = 100
POPULATION = 400_000
NEIGHBOURS = 24  # enough that one of them is a training case
MEASURES = ("auc", "brier", "error_rate")
SEED = 20261116


def draw(n, signals, rng):
    """Return blocks of features (block, case, feature) and the class, half of it positive."""
    y = np.arange(n) % 2
    noise = rng.standard_normal((len(signals) + 1, n, FEATURES), dtype=np.float32)
    mixed = np.sqrt(1 - SHARED) * noise[1:] + np.sqrt(SHARED) * noise[0]
    return mixed + np.multiply.outer(signals, 2 * y - 1)[..., None], y


# --- learners: the score of case ``i`` by the model trained in split ``s`` ---------------------


def class_moments(x, y, train):
    """Return size, mean and mean square of each class in the training part of each split."""
    for label in (0, 1):
        chosen = train * (y == label)
        size = chosen.sum(axis=1, keepdims=True)
        yield size, chosen @ x / size, chosen @ np.square(x) / size


def nearest_centroid(x, y, train, split, case):
    """The difference of the squared distances to the means of the classes."""
    (_, low, _), (_, high, _) = class_moments(x, y, train)
    weight, bias = high - low, (np.square(low) - np.square(high)).sum(axis=1) / 2
    return (x[case] * weight[split]).sum(axis=1) + bias[split]


def naive_bayes(x, y, train, split, case):
    """The logarithm of the odds if features are normal and independent within a class."""
    odds = 0.0
    for sign, (_, mean, square) in zip((-1, 1), class_moments(x, y, train), strict=True):
        variance = np.maximum(square - mean**2, 0.05)
        gap = np.square(x[case] - mean[split]) / variance[split]
        odds = odds - sign * (gap + np.log(variance[split])).sum(axis=1) / 2
    return odds


def nearest_neighbour(x, y, train, split, case):
    """How much nearer the nearest positive training case is than the nearest negative one."""
    if len(train) == 1:
        known = train[0]
        nearest = [gaps(x[case], x[known & (y == label)]).min(axis=1) for label in (0, 1)]
    else:
        nearest = [nearest_trained(x, y, label, train, split, case) for label in (0, 1)]
    return np.sqrt(nearest[0]) - np.sqrt(nearest[1])


def gaps(x, z):
    """Squared distances."""
    squares = np.square(x).sum(axis=1)[:, None] + np.square(z).sum(axis=1) - 2 * x @ z.T
    return np.maximum(squares, 0)


def nearest_trained(x, y, label, train, split, case):
    """Look through the nearest cases of a class until one is in the training part."""
    near, apart = neighbours(x.tobytes(), y.tobytes(), label)
    there = train[split[:, None], near[case]]
    found = there.argmax(axis=1)
    return np.where(there.any(axis=1), apart[case, found], np.inf)


@lru_cache(maxsize=8)  # one dataset is split in several ways
def neighbours(x, y, label):
    """Return the nearest cases of a class to each case, itself left out, and how far they are."""
    x, y = np.frombuffer(x).reshape(-1, FEATURES), np.frombuffer(y, np.int64)
    members = np.flatnonzero(y == label)
    apart = gaps(x, x[members])
    apart[members, np.arange(members.size)] = np.inf
    k = min(NEIGHBOURS, members.size)
    near = np.argpartition(apart, k - 1, axis=1)[:, :k]
    order = np.argsort(np.take_along_axis(apart, near, axis=1), axis=1)
    near = np.take_along_axis(near, order, axis=1)
    return members[near], np.take_along_axis(apart, near, axis=1)


LEARNERS = {
    "nearest centroid": nearest_centroid,
    "naive Bayes": naive_bayes,
    "nearest neighbour": nearest_neighbour,
}


# --- splits: which cases train (split, case), and who is tested where -------------------------


def folds(y, parts, repeats, rng):
    """Stratified cross-validation: a row a split, ordered by repeat and fold."""
    keys = rng.random((repeats, y.size)) + y
    place = np.argsort(np.argsort(keys, axis=1), axis=1)
    tested = (place[:, None] % parts) == np.arange(parts)[None, :, None]
    return ~tested.reshape(-1, y.size)


def holdouts(y, share, repeats, rng):
    """Stratified random splits, of which a share is tested."""
    keys = rng.random((repeats, y.size)) + y
    place = np.argsort(np.argsort(keys, axis=1), axis=1)
    test = round(share * y.size / 2)
    return place % (y.size // 2) >= test


def accuracies(learner, blocks, y, train):
    """Return the accuracy on each block (row) in the test part of each split."""
    split, case = np.nonzero(~train)
    sizes = np.bincount(split, minlength=len(train))
    return np.array(
        [
            np.bincount(split, (learner(x, y, train, split, case) > 0) == y[case]) / sizes
            for x in blocks
        ]
    )


# --- evidence ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """One cell of the simulation, but for the comparison."""

    learner: str
    equal: bool
    n: int

    def signals(self, blocks, weaker=slice(1, None), base=SIGNAL):
        values = np.full(blocks, base)
        values[weaker] -= 0 if self.equal else SIGNAL - WEAKER
        return values

    @property
    def fit(self):
        return LEARNERS[self.learner]


def over_folds(s, rng):
    """Values over folds of one dataset, as they are usually made."""
    blocks, y = draw(s.n, s.signals(2), rng)
    made = {
        "10 x 10 folds": (folds(y, 10, 10, rng), 10, 1 / 9),
        "10 folds": (folds(y, 10, 1, rng), 1, 1 / 9),
        "5 x 2 folds": (folds(y, 2, 5, rng), 5, 1.0),
        "30 holdouts of 30 %": (holdouts(y, 0.3, 30, rng), 30, 3 / 7),
    }
    for name, (train, repeats, ratio) in made.items():
        a, b = accuracies(s.fit, blocks, y, train)
        yield name, FoldValues(
            a, b, measure_name="accuracy", direction="higher", test_train_ratio=ratio,
            repeats=repeats, folds=len(train) // repeats,
        )  # fmt: skip


def over_datasets(s, rng):
    """Values on datasets of their own difficulty, each with a training and a test half of its own."""
    table = np.array([one_dataset(s, BLOCKS, rng) for _ in range(DATASETS)])
    names = tuple(f"scheme {i}" for i in range(BLOCKS))
    described = f"{DATASETS} datasets"
    yield described, DatasetTable(table, names, measure_name="accuracy")
    yield described, PairedValues(table[:, 0], table[:, 1], measure_name="accuracy")
    runs = np.array([one_dataset(s, 1, rng)[0] for _ in range(DATASETS)])
    yield f"{DATASETS} runs each", Moments.of(table[:, 1], runs, measure_name="accuracy")


def one_dataset(s, blocks, rng):
    """Schemes differ from dataset to dataset, but by themselves none of them more than another."""
    signals = s.signals(blocks) + rng.uniform(-0.15, 0.15) + rng.uniform(-0.05, 0.05, blocks)
    x, y = draw(s.n, signals, rng)
    half = s.n // 2
    kept = np.r_[: min(half, TRAINED_ON), half : s.n]
    train = (np.arange(kept.size) < kept.size - half)[None]
    return accuracies(s.fit, x[:, kept], y[kept], train)[:, 0]


@cache
def training_set(learner):
    """Return the one training set that all cases of this learner are judged with."""
    rng = np.random.default_rng([SEED, list(LEARNERS).index(learner)])
    blocks, y = draw(TRAINED_ON, np.full(1, SIGNAL), rng)
    return blocks[0], y


def score(learner, x):
    """Score new cases by the one fitted model; what is fitted on one block is applied to all of them."""
    known, y = training_set(learner)
    everything, truth = np.concatenate([known, x]), np.r_[y, np.zeros(len(x), int)]
    train = np.arange(len(everything))[None] < len(known)
    case = np.arange(len(known), len(everything))
    return LEARNERS[learner](everything, truth, train, np.zeros(len(x), int), case)


def predictions(learner, x, y):
    """Predictions with all that measures may ask for."""
    scores = np.clip(score(learner, x), -30, 30)
    return Predictions.of(
        y, probability=1 / (1 + np.exp(-scores)), label=(scores > 0).astype(int),
        classes=[0, 1], positive=1,
    )  # fmt: skip


@cache
def population_values(learner):
    """Return the value of each measure for the fitted model in the population."""
    rng = np.random.default_rng([SEED, 99])
    blocks, y = draw(POPULATION, np.full(1, SIGNAL), rng)
    parts = [
        predictions(learner, x, t)
        for x, t in zip(np.array_split(blocks[0], 40), np.array_split(y, 40), strict=True)
    ]
    whole = Predictions.of(
        y, probability=np.concatenate([p.probability for p in parts]),
        label=np.concatenate([p.label for p in parts]), classes=[0, 1], positive=1,
    )  # fmt: skip
    return {m: measures[m].value(whole) for m in MEASURES}


def on_cases(s, rng):
    """Predictions of fitted models: for the same cases, for other ones, for some of the same."""
    blocks, y = draw(s.n, s.signals(BLOCKS), rng)
    models = tuple(predictions(s.learner, x, y) for x in blocks)
    others, z = draw(s.n, s.signals(BLOCKS), rng)
    other = predictions(s.learner, others[1], z)
    half = s.n // 2
    mixed = predictions(
        s.learner, np.concatenate([blocks[1][:half], others[1][half:]]), np.r_[y[:half], z[half:]]
    )
    rows = (np.arange(s.n), np.r_[np.arange(half), np.arange(half) + s.n])
    truth = population_values(s.learner)
    names, judged = ("a", "b", "c", "d"), models[0] if s.equal else models[1]
    for name in MEASURES:
        m = measures[name]
        yield f"same cases, {name}", Cases(models[:2], names[:2], m)
        yield f"same cases, {name}", Cases(models, names, m)
        yield f"other cases, {name}", Samples((models[0], other), names[:2], m)
        yield f"half the same cases, {name}", Overlap((models[0], mixed), names[:2], m, rows=rows)
        yield f"against a value, {name}", Single(judged, names[:1], m, truth[name])
    slope = measures["discrimination_slope"]
    yield f"same cases, {slope.name}", Cases(models[:2], names[:2], slope)
    yield "same cases, published", published_areas(models[:2], y)


def published_areas(models, y):
    """Two areas with their correlation, as a paper would print them."""
    scores = np.array(
        [p.probability[:, 1] if p.probability.ndim > 1 else p.probability for p in models]
    )
    areas, above, below = placements(scores, y == 1)
    covariance = delong_covariance(above, below)
    spread = np.sqrt(covariance[0, 0] * covariance[1, 1])
    correlation = float(covariance[0, 1] / spread) if spread > 0 else 0.0
    return Areas(tuple(areas.tolist()), int(y.sum()), int((1 - y).sum()), correlation)


MAKERS = (over_folds, over_datasets, on_cases)


def evidence_of(setting, repetition, makers=MAKERS, seed=SEED):
    """Yield each piece of evidence of one repetition, its maker and its description.

    Each maker has random numbers of its own, so that it does not matter which others are asked.
    """
    key = crc32(f"{setting.learner} {setting.equal} {setting.n}".encode())
    for i, make in enumerate(MAKERS):
        if make in makers:
            rng = np.random.default_rng([seed, key, repetition, i])
            for kind, evidence in make(setting, rng):
                yield make, kind, evidence
