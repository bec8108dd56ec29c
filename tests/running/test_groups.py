"""Groups stay whole: in splits by a number, and in every resampling inside a scheme."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import StackingClassifier
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import credibly
from credibly.bias_variance import bias_variance
from credibly.calibration.recalibration import RecalibratedClassifier
from credibly.decisions.cost_sensitive import ThresholdClassifier
from credibly.experiments import Experiment
from credibly.resampling import as_resampling
from credibly.running import learning_curve, nested, tuned_threshold

GROUPS = np.repeat(np.arange(20), 8)
# Groups have a place of their own and one class: who sees part of a group knows the rest.
Y = np.repeat(np.random.default_rng(3).permutation(np.arange(20) % 2), 8)
X = np.column_stack(
    [
        np.repeat(np.random.default_rng(4).normal(size=(20, 3)), 8, axis=0)
        + np.random.default_rng(5).normal(0, 0.01, (160, 3)),
        GROUPS,
    ]
)


def codes_of(p):
    return [f.code for f in p.findings]


@pytest.mark.parametrize("resampling", [5, "5", "2x5", None])
def test_numbers_of_folds_keep_groups_whole(resampling):
    p = credibly.run("knn(k=1)", X[:, :3], Y, resampling=resampling, groups=GROUPS, rng=1)
    assert p.provenance.resampling.startswith("grouped_folds")
    assert "groups-split" not in codes_of(p)
    for _, part in p.groups(["repeat", "group"]):
        assert len(set(part.fold.tolist())) == 1


def test_named_folds_do_as_they_are_told_and_it_is_said():
    p = credibly.run("knn(k=1)", X[:, :3], Y, resampling="folds(k=5)", groups=GROUPS, rng=1)
    assert "groups-split" in codes_of(p)


def test_numbers_keep_groups_whole_wherever_rows_are_cut():
    assert as_resampling(5).realise(160, Y, groups=GROUPS, rng=1).promises >= {"respects_groups"}
    assert repr(as_resampling("2x5")) == "folds(k=5, repeats=2)"
    curve = learning_curve(
        "knn(k=1)", X[:, :3], Y, sizes=[1.0], resampling="5", groups=GROUPS, rng=1
    )
    assert "groups-split" not in codes_of(curve.predictions[curve.sizes[0]])
    for training in ("3x5", "subsample", "bootstrap"):
        parts = bias_variance("knn(k=1)", X[:, :3], Y, training=training, groups=GROUPS, rng=1)
        assert "groups-split" not in [f.code for f in parts.findings]
        assert "grouped" in parts.predictions.provenance.resampling


def test_experiments_keep_groups_whole(tmp_path):
    data = {"data": (X[:, :3], Y), "group": GROUPS}
    experiment = Experiment(["knn(k=1)"], {"towns": data}, resampling="2x5", rng=1)
    p = experiment.run(tmp_path / "e", n_jobs=1, progress=False).predictions("towns")
    assert p.provenance.resampling == "grouped_folds(k=5, repeats=2)"
    assert len(p.provenance.fits) == 10


class Spy(ClassifierMixin, BaseEstimator):
    """Notes which groups it is fitted on and which it is asked about (the last column)."""

    log: ClassVar[list[tuple[bool, bool]]] = []

    def __init__(self, c=1.0):
        self.c = c

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.seen_ = frozenset(np.asarray(X)[:, -1].tolist())
        return self

    def predict_proba(self, X):
        asked = frozenset(np.asarray(X)[:, -1].tolist())
        shared = bool(asked & self.seen_)
        Spy.log.append((shared, asked == self.seen_))
        share = 1 / (1 + np.exp(-np.asarray(X)[:, 0]))
        return np.column_stack([1 - share, share])

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


GRID = {"c": [0.5, 1.0]}
INSIDE = {
    "search by number": GridSearchCV(Spy(), GRID, cv=4),
    "search by default": GridSearchCV(Spy(), GRID),
    "search by groups": GridSearchCV(Spy(), GRID, cv=GroupKFold(3)),
    "random search": RandomizedSearchCV(Spy(), GRID, n_iter=2, cv=LeaveOneGroupOut()),
    "pipeline": make_pipeline("passthrough", GridSearchCV(Spy(), GRID, cv=3)),
    "stacking": StackingClassifier([("a", Spy())], LogisticRegression(), cv=4),
    "stacking by groups": StackingClassifier(
        [("a", Spy())], LogisticRegression(), cv=GroupKFold(4)
    ),
    "calibration": CalibratedClassifierCV(Spy(), cv=4, ensemble=False),
    "threshold by search": TunedThresholdClassifierCV(Spy(), cv=4),
    "handed on": FixedThresholdClassifier(GridSearchCV(Spy(), GRID, cv=4), threshold=0.4),
    "nested": nested(Spy(), GRID, inner="4"),
    "nested in a pipeline": make_pipeline("passthrough", nested(Spy(), GRID, inner=4)),
    "tuned threshold": tuned_threshold(Spy(), inner="4"),
    "costs": ThresholdClassifier(Spy(), {"fn": 5, "fp": 1}, cv=4),
    "recalibrated": RecalibratedClassifier(Spy(), cv=4),
}


@pytest.mark.daily(name=list(INSIDE)[::3])
@pytest.mark.parametrize("name", INSIDE)
def test_resampling_inside_a_scheme_keeps_groups_whole(name):
    Spy.log = []
    p = credibly.run({name: INSIDE[name]}, X, Y, resampling=4, groups=GROUPS, rng=1)
    assert p.provenance.failed == ()
    inner = [shared for shared, on_its_own in Spy.log if not on_its_own]
    assert len(inner) > 4
    assert not any(inner)
    assert "inner-groups-split" not in codes_of(p)


def test_what_is_done_with_inner_folds_is_said():
    schemes = {n: INSIDE[n] for n in ("search by number", "search by groups", "pipeline")}
    p = credibly.run(schemes, X, Y, resampling=4, groups=GROUPS, rng=1)
    said = [f.message for f in p.findings if f.code == "inner-groups-whole"]
    assert [m.partition(":")[0] for m in said] == ["search by number", "pipeline"]
    assert "StratifiedGroupKFold(4)" in said[0]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "scheme",
    [
        GridSearchCV(Spy(), GRID, cv=KFold(4, shuffle=True, random_state=0)),
        GridSearchCV(StackingClassifier([("a", Spy())], cv=3), {"passthrough": [False]}, cv=3),
        TunedThresholdClassifierCV(Spy(), cv=0.5),
    ],
)
def test_inner_folds_that_part_groups_are_doubted(scheme):
    p = credibly.run({"s": scheme}, X, Y, resampling=4, groups=GROUPS, rng=1)
    assert codes_of(p).count("inner-groups-split") == 1


def test_inner_folds_are_those_that_scikit_learn_makes_with_groups():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3, 9, 25]}, cv=GroupKFold(4))
    noisy = X[:, :3] + np.random.default_rng(6).normal(0, 1, (160, 3))
    p = credibly.run({"s": search}, noisy, Y, resampling="grouped_folds(k=3)", groups=GROUPS, rng=1)
    splits = as_resampling(3).realise(160, Y, groups=GROUPS, rng=1)
    for i, split in enumerate(splits):
        search.fit(noisy[split.train], Y[split.train], groups=GROUPS[split.train])
        mine = p.take(p.fold == i)
        assert (search.predict_proba(noisy[mine.row])[:, 1] == mine.probability).all()


def test_too_few_groups_for_inner_folds_fail_with_the_reason():
    with pytest.raises(
        credibly.CrediblyError, match="30 folds inside GridSearchCV need at least 30"
    ):
        credibly.run(
            {"s": GridSearchCV(GaussianNB(), {}, cv=30)}, X, Y, resampling=4, groups=GROUPS, rng=1
        )


def test_without_groups_nothing_changes():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=4)
    p = credibly.run({"s": search}, X, Y, resampling=4, rng=1)
    assert not [c for c in codes_of(p) if c.startswith("inner-groups")]
    assert search.cv == 4


def test_logistic_regression_and_scaling_get_groups():
    scheme = make_pipeline(StandardScaler(), LogisticRegressionCV(Cs=2, cv=GroupKFold(3)))
    p = credibly.run({"s": scheme}, X, Y, resampling=4, groups=GROUPS, rng=1)
    assert p.provenance.failed == ()


@pytest.mark.thorough
def test_experiments_give_groups_to_inner_searches(tmp_path):
    data = {"data": (X, Y), "group": GROUPS}
    schemes = {
        "groups": GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=GroupKFold(3)),
        "number": GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=3),
    }
    store = Experiment(schemes, {"towns": data}, resampling=4, rng=1).run(tmp_path / "e", n_jobs=1, progress=False)  # fmt: skip
    p = store.predictions("towns")
    assert p.provenance.failed == ()
    assert "inner-groups-whole" in codes_of(p)
    same = credibly.run(schemes, X, Y, resampling=4, groups=GROUPS, rng=1)
    assert same.fingerprint == p.fingerprint
