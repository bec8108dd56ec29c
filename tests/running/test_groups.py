"""Groups stay whole: in splits by a number, and in every resampling inside a scheme."""

from __future__ import annotations

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
from credibly.biasvariance import bias_variance
from credibly.cost_sensitive import ThresholdClassifier
from credibly.experiments import Experiment
from credibly.recalibration import RecalibratedClassifier
from credibly.resampling import as_resampling
from credibly.running import learning_curve, nested, tuned_threshold

GROUPS = np.repeat(np.arange(20), 8)
RNG = np.random.default_rng(3)
# Groups have a place of their own and one class: who sees part of a group knows the rest.
Y = np.repeat(RNG.permutation(np.arange(20) % 2), 8)
X = np.column_stack(
    [np.repeat(RNG.normal(size=(20, 3)), 8, axis=0) + RNG.normal(0, 0.01, (160, 3)), GROUPS]
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
    parts = bias_variance("knn(k=1)", X[:, :3], Y, training="3x5", groups=GROUPS, rng=1)
    assert "groups-split" not in [f.code for f in parts.findings]


def test_experiments_keep_groups_whole(tmp_path):
    data = {"data": (X[:, :3], Y), "group": GROUPS}
    experiment = Experiment(["knn(k=1)"], {"towns": data}, resampling="2x5", rng=1)
    p = experiment.run(tmp_path / "e", progress=False).predictions("towns")
    assert p.provenance.resampling == "grouped_folds(k=5, repeats=2)"
    assert len(p.provenance.fits) == 10
