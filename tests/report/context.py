"""Predictions of every kind that a report must come through."""

from dataclasses import replace
from functools import cache

import numpy as np

import credibly
from credibly import Finding, Predictions
from credibly.predictions import Fit, Provenance

HOSTILE = "<script>alert(1)</script>"
QUOTED = "\"'><img src=x onerror=alert(2)>"
HEBREW = "שלום \u202eעולם"
LONG = "a name of three hundred letters " * 10
NAMES = (HOSTILE, QUOTED, HEBREW, LONG)


def seeded():
    """The same numbers whichever test asks first."""
    return np.random.default_rng(7)


def several(names, n=80, **more):
    """Probabilities of several models on the same cases, the first the best."""
    truth, rng = np.arange(n) % 2, seeded()
    each = [
        np.clip(0.5 + (0.3 - 0.03 * i) * (2 * truth - 1) + rng.normal(0, 0.2, n), 0.01, 0.99)
        for i in range(len(names))
    ]
    k = len(names)
    return Predictions.of(
        np.tile(truth, k),
        probability=np.concatenate(each),
        model=np.repeat(np.array(names, object), n),
        row=np.tile(np.arange(n), k),
        **{name: np.tile(column, k) for name, column in more.items()},
    )


def hostile():
    """Names of models and classes that a careless page would obey."""
    p = several(NAMES)
    return replace(p, classes=(QUOTED, HOSTILE))


def failed():
    """A run in which one scheme failed on every fold."""
    fits = [Fit("tree", 0, f, 40, 40) for f in (0, 1)]
    fits += [Fit("broken", 0, f, 40, 40, error="ValueError: <b>no</b>") for f in (0, 1)]
    p = several(["tree"], fold=np.arange(80) // 40, n_train=np.full(80, 40))
    said = Finding("failed-fits", "problem", "broken failed in 2 of 2 fits: ValueError")
    made = Provenance("folds(k=2)", "s", "d", 1, {}, {"credibly": "0"}, tuple(fits))
    return replace(p, provenance=made, findings=(said,))


def one_class():
    return Predictions.of(
        np.ones(30, int), probability=seeded().random(30), classes=[0, 1], positive=1
    )


def no_measure():
    """Scores of one class: no measure has a value."""
    return Predictions.of(np.ones(30, int), score=seeded().random(30), classes=[0, 1], positive=1)


def numeric():
    rng = seeded()
    truth = rng.random(60)
    return Predictions.of(
        np.tile(truth, 2), value=np.tile(truth, 2) + rng.normal(0, 0.1, 120),
        model=np.repeat(["a", "b"], 60), row=np.tile(np.arange(60), 2),
    )  # fmt: skip


def three_classes():
    rng = seeded()
    truth = rng.integers(0, 3, 90)
    return Predictions.of(
        truth, probability=rng.dirichlet(np.ones(3), 90) * 0.5 + np.eye(3)[truth] * 0.5
    )


def repeated():
    """Two models on twelve training sets, each of which predicts all rows."""
    rng, k = seeded(), 12
    truth = np.arange(40) % 2
    chance = np.clip(0.3 + 0.4 * np.tile(truth, 2 * k) + rng.normal(0, 0.2, 80 * k), 0.01, 0.99)
    return Predictions.of(
        np.tile(truth, 2 * k), probability=chance, row=np.tile(np.arange(40), 2 * k),
        repeat=np.tile(np.repeat(np.arange(k), 40), 2), model=np.repeat(["a", "b"], 40 * k),
    )  # fmt: skip


KINDS = {
    "one model": lambda: several(["tree"]),
    "two models": lambda: several(["tree", "forest"]),
    "twelve models": lambda: several([f"m{i}" for i in range(12)]),
    "folds": lambda: several(["a", "b", "c"], fold=np.arange(80) // 16, n_train=np.full(80, 64)),
    "hostile names": hostile,
    "failed scheme": failed,
    "one class": one_class,
    "no measure": no_measure,
    "numbers": numeric,
    "three classes": three_classes,
    "labels alone": lambda: Predictions.of(["a", "b", "c", "a"] * 10, label=["a", "b", "b", "a"] * 10),
    "two classes, none positive": lambda: Predictions.of(
        ["a", "b", "b", "a"] * 20, label=["a", "b", "a", "a"] * 20
    ),
    "importance weights": lambda: Predictions.of(
        [1, 0] * 30, probability=seeded().random(60), sample_weight=1 + np.arange(60) / 60,
        weight_kind="importance",
    ),
    "many repeats": repeated,
    "groups": lambda: several(["a", "b"], group=np.arange(80) // 4),
    "four cases": lambda: Predictions.of([1, 1, 0, 0], probability=[0.9, 0.4, 0.6, 0.1]),
    "unknown truths": lambda: Predictions.of([1, 0, None] * 20, probability=seeded().random(60)),
}  # fmt: skip
# Much like others: for CI.
LATER = {
    "two models",
    "labels alone",
    "two classes, none positive",
    "groups",
    "unknown truths",
    "many repeats",
}


@cache
def reported(kind):
    """The report of a kind of predictions under its name: made once for all that is asked of it."""
    p = KINDS[kind]()
    before = p.fingerprint
    made = credibly.report(p, title=kind)
    assert p.fingerprint == before
    return made
