"""The diagram of the folds shows every row where it is trained, tuned and tested on."""

import numpy as np
import pytest

import credibly
from credibly import CrediblyError, Predictions
from credibly.resampling import resamplings


def drawn(figure):
    """Return which rows each split shows as what."""
    found = {}
    for layer in figure.layers:
        c = layer.columns
        for left, right, y, series in zip(c["x"], c["right"], c["y"], c["series"], strict=True):
            found.setdefault((y, series), set()).update(range(left, right))
    return found


@pytest.mark.parametrize(
    "name", ["folds", "bootstrap", "three_way", "repeated_holdout", "leave_one_out"]
)
def test_every_row_is_where_it_belongs(name):
    splits = (
        resamplings[name].realise(24, rng=3)
        if resamplings[name].random
        else resamplings[name].realise(24)
    )
    figure = credibly.plot(splits)
    found = drawn(figure)
    for y, split in zip(figure.y.categories, splits, strict=False):
        times = np.bincount(split.train, minlength=24)
        assert found[y, "test"] == set(split.test.tolist())
        assert found.get((y, "training"), set()) == set(np.flatnonzero(times == 1).tolist())
        assert found.get((y, "training, several times"), set()) == set(
            np.flatnonzero(times > 1).tolist()
        )
        tuned = [] if split.validation is None else split.validation.tolist()
        assert found.get((y, "validation"), set()) == set(tuned)


def test_sorted_rows_are_tested_in_blocks():
    figure = resamplings["folds"](k=4).realise(12, rng=1).plot(sort=True)
    test = figure.layers[0].columns
    assert test["series"][0] == "test"
    assert list(zip(test["x"], test["right"], strict=True)) == [(0, 3), (3, 6), (6, 9), (9, 12)]


def test_many_rows_and_splits_are_drawn_in_part():
    figure = resamplings["bootstrap"].realise(1000, rng=1).plot()
    assert "the first 25 of 200 splits; one of 4 rows" in figure.subtitle
    assert len(figure.y.categories) == 25
    assert max(figure.layers[0].columns["right"]) <= 1000


def test_folds_of_predictions():
    p = Predictions.of(
        [0, 1] * 6, label=[0, 1] * 6, row=[0, 1, 2, 3] * 3, fold=[1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3],
        part=["test", "train", "train", "validation"] + ["train", "test", "train", "train"] + ["train"] * 2 + ["test"] * 2,
    )  # fmt: skip
    found = drawn(credibly.plot(p, "folds"))
    assert found["fold 1", "test"] == {0}
    assert found["fold 1", "validation"] == {3}
    assert found["fold 3", "training"] == {0, 1}
    assert found["fold 3", "test"] == {2, 3}
    bare = credibly.plot(Predictions.of([0, 1, 0], label=[0, 1, 1], fold=[0, 0, 1]), "folds")
    assert drawn(bare) == {("fold 1", "test"): {0, 1}, ("fold 2", "test"): {2}}
    assert bare.subtitle.endswith("drawn: test rows")
    with pytest.raises(CrediblyError, match="in which fold"):
        credibly.plot(Predictions.of([0, 1], label=[0, 1]), "folds")
