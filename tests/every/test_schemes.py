"""What must hold of every scheme that has a name, naming none of them."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris

from credibly.schemes import as_scheme, build, fitted, outputs, schemes
from each import Each
from every.additions import example_runs

EVERY = list(schemes)
CASES = [(e, task) for e in EVERY for task in e.tasks]

by_name = Each("entry", EVERY)
by_task = pytest.mark.parametrize(
    ("entry", "task"), CASES, ids=[f"{e.name}-{task}" for e, task in CASES]
)


def plain(task):
    data = (
        load_iris(return_X_y=True) if task == "classification" else load_diabetes(return_X_y=True)
    )
    return data[0][::2], data[1][::2]


def mixed(task, kind=pd.DataFrame):
    """Return a frame with numbers, text and gaps in both, and a target that depends on them."""
    rng = np.random.default_rng(5)
    size = rng.normal(size=60)
    town = rng.choice(["Bern", "Oslo", "Rome"], 60)
    noise = rng.normal(size=60)
    worth = size + (town == "Rome") + 0.2 * noise
    gaps = [None if i % 9 == 4 else float(v) for i, v in enumerate(size)]
    places = [None if i % 11 == 3 else str(t) for i, t in enumerate(town)]
    frame = kind({"size": gaps, "town": places, "noise": noise, "flag": noise > 0})
    return frame, np.where(worth > 0, "dear", "cheap") if task == "classification" else worth


def predictions(entry, task, X, y, seed=3):
    model = fitted(entry.name, build(as_scheme(entry.name), task, X, seed=seed), X, y)
    out = outputs(model, X, sorted(set(y.tolist())) if task == "classification" else None)
    found = [c for c in (out.probability, out.score, out.value) if c is not None]
    return found[0] if found else out.label


@by_name
def test_is_described(entry):
    assert entry.title[0].isupper()
    assert re.search(r"\((1[89]|20)\d\d\)", entry.cite), "a reference has a year"
    assert entry.doc.split("\n")[0].endswith(".")
    assert entry.name == entry.name.lower()
    assert "_" not in entry.name
    assert entry.tasks
    assert entry.preprocessing
    assert len(entry.estimators()) == len(entry.tasks)


@by_name
def test_the_example_runs(entry):
    example_runs(entry)


@by_task
def test_is_a_clonable_estimator_of_its_task(entry, task):
    from sklearn.base import is_classifier, is_regressor

    estimator = entry.make(task)
    assert (is_classifier if task == "classification" else is_regressor)(estimator)
    assert clone(estimator).get_params() == estimator.get_params()
    for name, theirs in entry.renamed.items():
        assert theirs in estimator.get_params()
        assert name not in estimator.get_params()


@by_task
def test_learns_from_a_mixed_frame_with_gaps(entry, task):
    X, y = mixed(task)
    before = X.copy()
    got = predictions(entry, task, X, y)
    assert len(got) == len(y)
    pd.testing.assert_frame_equal(X, before)
    if got.dtype.kind == "f":
        assert np.isfinite(got).all()
    other = predictions(entry, task, *mixed(task, pl.DataFrame))
    assert np.array_equal(got, other)


@by_task
def test_learns_from_plain_numbers_and_is_the_same_by_seed(entry, task):
    X, y = plain(task)
    got = predictions(entry, task, X, y)
    assert len(got) == len(y)
    if got.dtype.kind == "f":
        assert np.isfinite(got).all()
    assert np.array_equal(got, predictions(entry, task, X, y))
    assert not hasattr(entry.make(task), "classes_")


@by_task
def test_names_the_nearest_parameter(entry, task):
    from credibly import ParameterError

    with pytest.raises(ParameterError, match=f"{entry.name} has no parameter 'nonsense'"):
        entry.make(task, nonsense=1)


@by_name
def test_other_tasks_are_refused(entry):
    from credibly import ParameterError

    for task in {"classification", "numeric"} - set(entry.tasks):
        with pytest.raises(ParameterError, match="the target holds"):
            entry.make(task)
