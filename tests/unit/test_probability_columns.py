"""Frames of probabilities: which column is of which class, by name."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from credibly import Predictions
from credibly.errors import DataError

TRUTH = list("abcab")
MATRIX = np.random.default_rng(4).dirichlet([1, 1, 1], 5)
FRAMES = {
    "pandas": lambda names: pd.DataFrame(MATRIX, columns=names),
    "polars": lambda names: pl.DataFrame(MATRIX, schema=[str(name) for name in names]),
    "arrow": lambda names: pa.table(dict(zip(map(str, names), MATRIX.T, strict=True))),
}


@pytest.fixture(params=FRAMES)
def frame(request):
    return FRAMES[request.param]


@pytest.mark.parametrize("names", [["c", "a", "b"], ["p_c", "p_a", "p_b"], ["prob:c", "prob:a", "prob:b"]])  # fmt: skip
def test_columns_are_of_the_classes_that_they_name(frame, names):
    p = Predictions.of(TRUTH, probability=frame(names))
    assert p.probability.tolist() == MATRIX[:, [1, 2, 0]].tolist()
    assert not p.findings


@pytest.mark.parametrize("names", [[0, 1, 2], ["p1", "p2", "p3"], ["column_0", "column_1", "column_2"]])  # fmt: skip
def test_numbered_columns_are_in_the_order_of_the_classes(frame, names):
    p = Predictions.of(TRUTH, probability=frame(names))
    assert p.probability.tolist() == MATRIX.tolist()
    assert not p.findings


def test_names_of_no_class_are_doubted(frame):
    p = Predictions.of(TRUTH, probability=frame(["x", "y", "z"]))
    assert p.probability.tolist() == MATRIX.tolist()
    assert [f.code for f in p.findings] == ["columns-by-position"]


def test_a_class_without_a_column_is_refused(frame):
    with pytest.raises(DataError, match="no column for the class 'c', but columns 'a', 'b', 'z'"):
        Predictions.of(TRUTH, probability=frame(["a", "b", "z"]))


def test_classes_that_look_like_names_of_columns_are_taken_by_their_whole_name():
    truth = ["p_a", "p_b", "p_a"]
    given = pd.DataFrame({"p_b": [0.1, 0.9, 0.2], "p_a": [0.9, 0.1, 0.8]})
    p = Predictions.of(truth, probability=given, positive="p_b")
    assert p.probability.tolist() == [[0.9, 0.1], [0.1, 0.9], [0.8, 0.2]]


def test_an_array_of_probabilities_says_in_which_order_its_columns_were_taken():
    truth, columns = list("abc"), np.eye(3)
    (found,) = Predictions.of(truth, columns).findings
    assert found.code == "class-order-taken"
    assert "'a', 'b', 'c', in this order" in found.message
    assert not Predictions.of(truth, columns, classes=list("abc")).findings
