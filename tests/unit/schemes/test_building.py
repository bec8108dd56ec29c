"""From a scheme to an estimator: preprocessing is learnt inside the fold, the rest is left alone."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

from credibly import DataError, ParameterError
from credibly.schemes import as_scheme, build, take_rows
from credibly.schemes._encoding import Encoder
from credibly.schemes.columns import as_features, columns_of, nature_of, plain_matrix

COLUMNS = {"age": [20.0, None, 40.0, 50.0], "town": ["Bern", "Rome", None, "Bern"]}
FRAMES = [pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS), pa.table(COLUMNS)]
KINDS = ["pandas", "polars", "pyarrow"]
NUMBERS = np.arange(12.0).reshape(6, 2)


@pytest.mark.parametrize("frame", FRAMES, ids=KINDS)
def test_frames_of_every_kind_are_encoded_alike(frame):
    expected = [[20, 1, 0, 0], [110 / 3, 0, 1, 0], [40, 0, 0, 1], [50, 1, 0, 0]]
    assert np.allclose(Encoder().fit_transform(frame), expected)


@pytest.mark.parametrize("frame", FRAMES, ids=KINDS)
def test_rows_keep_the_kind_of_the_frame(frame):
    part = take_rows(frame, np.array([3, 0]))
    assert type(part) is type(frame)
    assert columns_of(part)["town"].tolist() == ["Bern", "Bern"]
    assert columns_of(part)["age"].tolist() == [50, 20]


def test_categories_of_the_test_part_alone_are_unknown():
    train, test = FRAMES[0].iloc[:2], FRAMES[0].iloc[2:]
    encoder = Encoder(text=("town",)).fit(train)
    assert encoder.transform(test).tolist() == [[40, 0, 0], [50, 1, 0]]
    codes = Encoder("codes", text=("town",)).fit(train)
    assert codes.transform(test).tolist() == [[40, -1], [50, 0]]
    keeping = Encoder("codes", text=("town",), keep_missing=True).fit(train)
    assert np.isnan(keeping.transform(test)[0, 1])
    assert np.isnan(keeping.transform(train)[1, 0])


def test_the_mean_is_that_of_the_training_part():
    train, test = FRAMES[0].iloc[[0, 2]], FRAMES[0].iloc[[1]]
    assert Encoder(text=("town",)).fit(train).transform(test)[0, 0] == 30


def test_a_training_part_without_a_category_stays_text():
    """Which columns hold text is known from all rows; a part of them may be all missing."""
    frame = pd.DataFrame({"town": [None, None, "Bern"], "x": [1.0, 2.0, 3.0]})
    pipeline = build(as_scheme("ridge"), "numeric", frame)
    model = pipeline.fit(frame.iloc[:2], [1.0, 2.0])
    assert np.isfinite(model.predict(frame.iloc[2:])).all()


def test_plain_numbers_need_no_pipeline():
    for frame in (NUMBERS, pd.DataFrame(NUMBERS, columns=["a", "b"]), NUMBERS.tolist()):
        assert (
            type(build(as_scheme("naive-bayes"), "classification", frame)).__name__ == "GaussianNB"
        )


def test_scaling_where_the_scheme_wants_it_or_the_user_says_so():
    assert list(build(as_scheme("knn"), "numeric", NUMBERS).named_steps) == [
        "standardscaler",
        "kneighborsregressor",
    ]
    assert not isinstance(build(as_scheme("knn(scale=False)"), "numeric", NUMBERS), Pipeline)
    assert isinstance(build(as_scheme("ridge(scale=True)"), "numeric", NUMBERS), Pipeline)


def test_sparse_columns_are_scaled_without_centring():
    pipeline = build(as_scheme("logistic"), "classification", csr_matrix(NUMBERS))
    assert pipeline.fit(csr_matrix(NUMBERS), [0, 1] * 3).predict(csr_matrix(NUMBERS)).size == 6


def test_objects_are_cloned_and_left_alone():
    given = LogisticRegression(C=3)
    built = build(as_scheme(given), "classification", FRAMES[0])
    assert built is not given
    assert built.C == 3


def test_open_seeds_are_set_and_given_ones_kept():
    assert build(as_scheme("tree"), "classification", NUMBERS, seed=7).random_state == 7
    mine = DecisionTreeClassifier(random_state=1)
    assert build(as_scheme(mine), "classification", NUMBERS, seed=7).random_state == 1
    assert mine.random_state == 1
    assert build(as_scheme("tree"), "classification", NUMBERS).random_state is None
    large = build(as_scheme("tree"), "classification", NUMBERS, seed=2**40 + 5)
    assert large.random_state == 5


@pytest.mark.parametrize(
    ("scheme", "task", "says"),
    [
        ("linear", "classification", "linear predicts numbers, and the target holds classes"),
        ("logistic", "numeric", "logistic predicts classes, and the target holds numbers"),
        (Ridge(), "classification", "Ridge predicts numbers, and the target holds classes"),
        (LogisticRegression(), "numeric", "predicts classes, and the target holds numbers"),
        ("tree(max_deph=3)", "numeric", "tree has no parameter 'max_deph'. Did you mean max_depth"),
        ("knn(neighbours=3)", "numeric", "knn has no parameter 'neighbours'"),
    ],
)
def test_a_scheme_that_does_not_suit(scheme, task, says):
    with pytest.raises(ParameterError) as error:
        build(as_scheme(scheme), task, NUMBERS)
    assert says in str(error.value)


def test_what_can_be_learnt_from():
    with pytest.raises(DataError, match="rows and columns"):
        as_features([1, 2, 3])
    with pytest.raises(DataError, match="nothing to learn from"):
        as_features(np.empty((0, 3)))
    with pytest.raises(DataError, match="'when' holds dates"):
        columns_of(pd.DataFrame({"when": pd.to_datetime(["2020-01-01"])}))
    with pytest.raises(DataError, match="holds list values"):
        columns_of(pl.DataFrame({"x": [[1], [2]]}))
    with pytest.raises(DataError, match="in the training part they were a, b"):
        Encoder().fit(pd.DataFrame({"a": [1], "b": ["x"]})).transform(pd.DataFrame({"a": [1]}))
    assert as_features(pl.LazyFrame(COLUMNS)).shape == (4, 2)


def test_numbers_in_columns_of_objects_are_numbers():
    frame = pd.DataFrame({"a": [1, 2.5, None], "b": ["x", 1, None], "c": [True, False, True]})
    frame["a"] = frame["a"].astype(object)
    assert nature_of(frame).text == ("b",)
    assert columns_of(frame)["b"].tolist() == ["x", "1", None]
    assert plain_matrix(frame[["c"]]).tolist() == [[1], [0], [1]]
    assert plain_matrix(frame) is None
    with pytest.raises(DataError, match="a holds numbers in the training part"):
        columns_of(pd.DataFrame({"a": ["x"]}), text=())
