"""The table of truth against label is a dictionary for programs and a table for people."""

import json
import pickle

import pytest

import credibly
from credibly import Predictions
from credibly.errors import DataError

COUNTS = [[2.0, 1.0], [0.0, 1.0]]


def confusion_matrix(p):
    return credibly.evaluate(p).details["confusion_matrix"]


@pytest.fixture
def nameless():
    return Predictions.of(["", "", "", "b"], label=["", "b", "", "b"])


def test_a_confusion_matrix_shows_names_and_stays_a_dictionary(nameless):
    found = confusion_matrix(nameless)
    assert found["counts"] == json.loads(json.dumps(found))["counts"] == COUNTS
    assert [line.split() for line in repr(found).splitlines()] == [
        ["actual", "\\", "predicted", "''", "b"],
        ["''", "2", "1"],
        ["b", "0", "1"],
    ]
    copied = pickle.loads(pickle.dumps(found))
    assert copied == found
    assert repr(copied) == repr(found)


def test_cases_without_a_label_have_a_column():
    found = confusion_matrix(Predictions.of(["a", "b", "b"], label=["a", "b", None]))
    assert repr(found).splitlines()[0].endswith("no label")
    assert repr(found).splitlines()[2].split() == ["b", "0", "1", "1"]


def test_a_decision_shows_it_too():
    p = Predictions.of([1, 0, 1, 0], [0.9, 0.2, 0.4, 0.6])
    found = credibly.decide(p, {"fn": 1, "fp": 1}).to_dict()["confusion_matrix"]
    assert found["counts"] == [[1.0, 1.0], [1.0, 1.0]]


def test_a_class_without_a_name_is_seen(nameless):
    by_class = credibly.evaluate(nameless, by="class")
    assert "2 classes: ''" in by_class.heading
    assert any(line.startswith("''") for line in str(by_class).splitlines())


def test_arrays_of_unequal_length_are_named_as_they_were_given():
    with pytest.raises(
        DataError, match=r"y_pred has 2 rows but truth has 3\. Give one row per case"
    ):
        Predictions.of([1, 0, 1], [0.9, 0.2])


def test_models_that_are_equal_are_said_to_be():
    p = Predictions.of([1, 0, 1, 0], {"a": [1, 0, 1, 1], "b": [1, 0, 0, 0]})
    assert (
        credibly.evaluate(p, "error_rate").meaning().startswith("a and b have the same error rate:")
    )
