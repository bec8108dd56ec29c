"""Predictions at the door: what is refused, and with which words."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from credibly import CrediblyError, DataError, ParameterError, Predictions

NAN, INF = float("nan"), float("inf")
Y3 = ["a", "b", "c"]
THIRDS = np.full((3, 3), 1 / 3)

BAD_DATA = {
    "infinite scores": (
        {"y_true": [0, 1, 1], "score": [INF, 0.5, -INF]},
        r"2 rows: rows 0 \(inf\), 2 \(-inf\)",
    ),
    "nothing but NaN": (
        {"y_true": [0, 1] * 5, "score": [NAN] * 10},
        "None of the 10 rows holds a prediction",
    ),
    "many infinite": ({"y_true": [0, 1] * 5, "score": [INF] * 10}, "and 5 more"),
    "infinite truth": ({"y_true": [INF, 2.0], "value": [1.0, 1.0]}, "truth is infinite in row 0"),
    "text score": ({"y_true": [0, 1], "score": ["x", "0.5"]}, r"score is not a number .*'x'"),
    "text value": ({"y_true": ["p", "q"], "value": [1.0, 2.0]}, "truth is not a number in 2 rows"),
    "complex score": ({"y_true": [0, 1], "score": [1j, 2.0]}, "score holds complex numbers"),
    "dates as scores": (
        {"y_true": [0, 1], "score": np.array(["2020-01-01", "2020-01-02"], "M8[D]")},
        "score holds dates",
    ),
    "label no class has": (
        {"y_true": ["cat", "dog"], "label": ["cat", "dgo"], "classes": ["cat", "dog"]},
        r"label holds 'dgo', which is not one of the 2 classes 'cat', 'dog': row 1, counted from 0. Did you mean dog\?",
    ),
    "truth no class has": (
        {"y_true": ["x", "b"], "label": ["b", "b"], "classes": ["a", "b"]},
        "truth holds 'x'",
    ),
    "class named twice": (
        {"y_true": ["a"], "label": ["a"], "classes": ["a", "a"]},
        "classes names one twice",
    ),
    "probabilities do not sum to 1": (
        {"y_true": Y3, "probability": THIRDS + np.diag([0, 0.1, 0.01])},
        r"does not sum to 1 in 2 rows; the worst is row 1, counted from 0, which sums to 1\.1 \(off by \+0\.1\)",
    ),
    "probability above 1": (
        {"y_true": [0, 1], "probability": [0.5, 1.5]},
        r"probability lies outside \[0, 1\] in 1 row, beyond rounding \(tolerance=1e-06\): row 1 \(1\.5\).*score=",
    ),
    "probability below 0": (
        {"y_true": [0, 1], "probability": [-0.25, 0.5]},
        r"row 0 \(-0\.25\)",
    ),
    "matrix outside [0, 1]": (
        {"y_true": [0, 1], "probability": [[1.5, -0.5], [0.5, 0.5]]},
        r"probability lies outside \[0, 1\] in 1 row, beyond rounding \(tolerance=1e-06\): row 0 \(1\.5\)",
    ),
    "NaN in a matrix": (
        {"y_true": [0, 1, 1], "probability": [[0.5, 0.5], [0.2, 0.8], [NAN, 1.0]]},
        r"probability is not a finite number in 1 row: row 2 \(nan\)",
    ),
    "columns unlike classes": (
        {"y_true": Y3, "probability": [[0.5, 0.5]] * 3},
        "probability has 2 columns but there are 3 classes",
    ),
    "ragged matrix": (
        {"y_true": [0, 1], "probability": [[0.5, 0.5], [1.0]]},
        "same number of columns in every row",
    ),
    "matrix too long": (
        {"y_true": [0, 1], "probability": [[0.5, 0.5]] * 3},
        "probability has 3 rows but truth has 2",
    ),
    "cube": (
        {"y_true": [0, 1], "probability": np.full((2, 2, 1), 0.5)},
        "probability must be one column",
    ),
    "negative weight": (
        {"y_true": [0, 1], "label": [0, 1], "sample_weight": [1.0, -2.0]},
        "weight is negative in 1 row: row 1",
    ),
    "zero weights": (
        {"y_true": [0, 1], "label": [0, 1], "sample_weight": [0, 0]},
        "Every weight is zero",
    ),
    "vast weight": (
        {"y_true": [0, 1, 0], "label": [0, 1, 1], "sample_weight": [1, 2e170, 1]},
        r"weight is 2e\+170 in row 1, .*above 1e\+100.*Divide all weights",
    ),
    "minute weight": (
        {"y_true": [0, 1, 0], "label": [0, 1, 1], "sample_weight": [0, 2e-170, 1]},
        "weight is 2e-170 in row 1, .*below 1e-100.*Multiply all weights",
    ),
    "NaN weight": (
        {"y_true": [0], "label": [0], "sample_weight": [NAN]},
        r"weight .*row 0 \(nan\)",
    ),
    "fractional frequency": (
        {"y_true": [0], "label": [0], "sample_weight": [1.5], "weight_kind": "frequency"},
        "Frequency weights are whole numbers",
    ),
    "repeated row": (
        {"y_true": [0, 1, 1], "label": [0, 1, 1], "row": [7, 8, 7]},
        "1 row id occurs more than once within a model and fold: row 7",
    ),
    "repeated row of a model": (
        {"y_true": [0, 1], "label": [0, 1], "row": ["r", "r"], "model": ["m", "m"]},
        "row r",
    ),
    "mixed labels": ({"y_true": ["a", 1, "b"], "label": Y3}, r"truth mixes types \('a', 1"),
    "mixed objects": (
        {"y_true": np.array(["a", 1, "b"], object), "label": Y3},
        "Give all labels as text or all as whole numbers",
    ),
    "text and numbers": (
        {"y_true": ["0", "1", "x"], "label": [0, 1, 2]},
        "truth and label are of different types",
    ),
    "spans of time as labels": (
        {"y_true": [dt.timedelta(1)], "label": [dt.timedelta(1)]},
        "truth holds neither text nor numbers",
    ),
    "fractions as labels": ({"y_true": [0.5, 1.0], "label": [0, 1]}, "numbers that are not whole"),
    "infinite label": ({"y_true": [INF, 1.0], "label": [0, 1]}, "not whole"),
    "wrong length of label": (
        {"y_true": [0, 1, 1], "label": [0, 1]},
        "label has 2 rows but truth has 3",
    ),
    "wrong length of score": (
        {"y_true": [0, 1], "score": [0.1]},
        "score has 1 row but truth has 2",
    ),
    "wrong length of value": ({"y_true": [0.0, 1.0], "value": [0.1]}, "value has 1 row"),
    "wrong length of weight": (
        {"y_true": [0, 1], "label": [0, 1], "sample_weight": [1]},
        "weight has 1 row",
    ),
    "wrong length of fold": ({"y_true": [0, 1], "label": [0, 1], "fold": [1]}, "fold has 1 row"),
    "two-dimensional truth": (
        {"y_true": [[0, 1], [1, 0]], "label": [0, 1]},
        r"truth must be one column; it has the shape \(2, 2\)",
    ),
    "two-dimensional score": (
        {"y_true": [0, 1], "score": [[0.1, 0.9], [0.5, 0.5]]},
        r"score must be one column",
    ),
    "ragged truth": ({"y_true": [[0], [1, 2]], "label": [0, 1]}, "rows differ in length"),
    "a single number": ({"y_true": 1, "label": [1]}, "truth must be one column"),
    "nothing": ({"y_true": None, "label": [1]}, "Predictions need what was observed"),
    "text for a column": ({"y_true": "yes", "label": ["yes"]}, "truth must be one column"),
    "a set": ({"y_true": {0, 1}, "label": [0, 1]}, "y_true is a set, which has no order"),
    "several classes, one score": (
        {"y_true": Y3, "score": [0.1, 0.2, 0.3]},
        "score is one column but there are 3 classes.*probability=",
    ),
    "several classes, one probability": (
        {"y_true": Y3, "probability": [0.1, 0.2, 0.3]},
        "probability is one column but there are 3 classes",
    ),
    "which class is scored": (
        {"y_true": ["cat", "dog"], "score": [0.1, 0.9]},
        r"which of 'cat', 'dog' is it\? Set positive=",
    ),
    "only one class seen": (
        {"y_true": ["yes", "yes"], "score": [0.1, 0.9]},
        r"classes=\.\.\. if only one of them occurs",
    ),
    "positive is no class": (
        {"y_true": [0, 1], "label": [0, 1], "positive": 2},
        "The positive class 2 is not one of the classes 0, 1",
    ),
    "baseline of another shape": (
        {"y_true": [0, 1], "label": [0, 1], "baseline": [0.2, 0.3, 0.5]},
        r"probability of each of the 2 classes 0, 1.*\(3,\)",
    ),
    "baseline does not sum to 1": (
        {"y_true": [0, 1], "label": [0, 1], "baseline": [0.5, 0.6]},
        "baseline does not sum to 1",
    ),
    "baseline not finite": (
        {"y_true": [0, 1], "label": [0, 1], "baseline": [NAN, 0.6]},
        "baseline",
    ),
    "numeric baseline of another length": (
        {"y_true": [0.0, 1.0, 2.0], "value": [0.0, 1.0, 2.0], "baseline": [0.5, 0.6]},
        "one number .the training mean. or one per row; it has 2",
    ),
    "training sizes of another length": (
        {"y_true": [0, 1, 1], "label": [0, 1, 1], "n_train": [5, 6]},
        "n_train must be one number .* it has 2 values",
    ),
    "negative training size": ({"y_true": [0], "label": [0], "n_train": -5}, "n_train"),
    "training size not a number": ({"y_true": [0], "label": [0], "n_train": NAN}, "n_train"),
}

BAD_ARGUMENTS = {
    "unknown keyword": (
        {"y_true": [0, 1], "label": [0, 1], "colour": [1, 1]},
        "no argument 'colour'. .* row, model, .* Other columns of the cases go into columns=",
    ),
    "value and label": (
        {"y_true": [1.0], "value": [1.0], "label": [1]},
        "value= is for numeric prediction and label= for classes",
    ),
    "value and probability": (
        {"y_true": [1.0], "value": [1.0], "probability": [1.0]},
        "set one of them",
    ),
    "label and threshold": (
        {"y_true": [0, 1], "label": [0, 1], "threshold": 0.5},
        "label= is given",
    ),
    "threshold without score": ({"y_true": [0, 1], "threshold": 0.5}, "needs score="),
    "threshold, three classes": (
        {"y_true": Y3, "probability": THIRDS, "threshold": 0.5},
        "threshold= needs two classes",
    ),
    "threshold is no number": (
        {"y_true": [0, 1], "score": [0.1, 0.9], "threshold": "0.5"},
        "threshold must be a number; got '0.5'",
    ),
    "threshold is NaN": (
        {"y_true": [0, 1], "score": [0.1, 0.9], "threshold": NAN},
        "threshold must be a number; got nan",
    ),
    "unknown kind of weight": (
        {"y_true": [0], "label": [0], "sample_weight": [1], "weight_kind": "case"},
        "weight_kind must be one of 'frequency', 'importance'; got 'case'",
    ),
}


@pytest.mark.parametrize(("columns", "message"), BAD_DATA.values(), ids=BAD_DATA)
def test_bad_data_is_refused_with_a_clear_message(columns, message):
    with pytest.raises(DataError, match=message) as caught:
        Predictions.of(**columns)
    assert isinstance(caught.value, CrediblyError | ValueError)
    assert str(caught.value).endswith((".", "=..."))


@pytest.mark.parametrize(("columns", "message"), BAD_ARGUMENTS.values(), ids=BAD_ARGUMENTS)
def test_bad_arguments_are_refused_with_a_clear_message(columns, message):
    with pytest.raises(ParameterError, match=message):
        Predictions.of(**columns)


def test_a_row_may_be_predicted_by_two_models_and_in_two_folds():
    both = {"y_true": [0, 1], "label": [0, 1], "row": [7, 7]}
    for column in ("model", "repeat", "fold", "part"):
        assert Predictions.of(**both, **{column: [1, 2]}).n == 2
    with pytest.raises(DataError, match="row 7"):
        Predictions.of(**both, group=[1, 2])


CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "numpy": np.array,
    "objects": lambda v: np.array(v, object),
    "read-only": lambda v: _read_only(np.array(v)),
    "every second": lambda v: np.repeat(np.array(v), 2)[::2],
    "backwards": lambda v: np.array(v)[::-1].copy()[::-1],
    "one column": lambda v: np.array(v)[:, None],
    "pandas": pd.Series,
    "pandas, odd index": lambda v: pd.Series(v, index=[9, 9, 7, 1, 0, 5][: len(v)]),
    "pandas categorical": lambda v: pd.Series(v, dtype="category"),
    "pandas nullable": lambda v: pd.Series(v).convert_dtypes(),
    "pandas arrow": lambda v: pd.Series(v).convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.Series,
    "pyarrow": pa.array,
    "pyarrow chunks": lambda v: pa.chunked_array([v[:2], v[2:]]),
}


def _read_only(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("made", CONTAINERS.values(), ids=CONTAINERS)
@pytest.mark.parametrize(
    ("truth", "label"),
    [
        ([1, 0, 1, 0], [1, 1, 0, 0]),
        ([True, False, True, False], [True, True, False, False]),
        (["b", "a", "b", "a"], ["b", "b", "a", "a"]),
        ([-1, 1, 1, -1], [1, 1, -1, -1]),
        ([1.0, 0.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0]),
    ],
    ids=["whole", "bool", "text", "signs", "floats"],
)
def test_any_container_gives_the_same_predictions(made, truth, label):
    plain = Predictions.of(np.array(truth), label=np.array(label), model=["m", "m", "n", "n"])
    p = Predictions.of(made(truth), label=made(label), model=made(["m", "m", "n", "n"]))
    assert p.classes == plain.classes
    assert [type(c) for c in p.classes] == [type(c) for c in plain.classes]
    assert p.truth.tolist() == plain.truth.tolist()
    assert p.label.tolist() == plain.label.tolist()
    assert p.fingerprint == plain.fingerprint


@pytest.mark.parametrize("made", CONTAINERS.values(), ids=CONTAINERS)
def test_numbers_from_any_container(made):
    score, weight = [0.5, -1.25, 3.0], [1.0, 2.0, 0.5]
    p = Predictions.of([1, 0, 1], score=made(score), sample_weight=made(weight))
    assert (p.score.tolist(), p.weight.tolist()) == (score, weight)
    q = Predictions.of(made(score), value=made(weight))
    assert (q.truth.tolist(), q.value.tolist()) == (score, weight)


MATRIX = [[0.5, 0.25, 0.25], [0.0, 1.0, 0.0], [0.25, 0.25, 0.5]]


@pytest.mark.parametrize(
    "made",
    [
        list,
        np.array,
        lambda v: np.asfortranarray(v),
        lambda v: np.array(v, np.float32),
        lambda v: pd.DataFrame(v, columns=Y3),
        lambda v: pl.DataFrame(v, schema=Y3, orient="row"),
        lambda v: np.array(v, object),
    ],
    ids=["list", "numpy", "fortran", "float32", "pandas", "polars", "objects"],
)
def test_matrices_from_any_container(made):
    p = Predictions.of(Y3, probability=made(MATRIX))
    assert p.probability.tolist() == MATRIX
    assert p.fingerprint == Predictions.of(Y3, probability=MATRIX).fingerprint


MISSING = {
    "None": [1, None, 0],
    "NaN": [1.0, NAN, 0.0],
    "objects": np.array([1, NAN, 0], object),
    "numpy scalars": [np.int64(1), None, np.int64(0)],
    "pandas nullable": pd.Series([1, None, 0], dtype="Int64"),
    "pandas boolean": pd.Series([True, None, False], dtype="boolean"),
    "polars": pl.Series([1, None, 0]),
    "polars boolean": pl.Series([True, None, False]),
    "pyarrow": pa.array([1, None, 0]),
}


@pytest.mark.parametrize("column", MISSING.values(), ids=MISSING)
def test_missing_truths_and_labels(column):
    p = Predictions.of(column, label=column)
    assert p.classes == (0, 1)
    assert p.truth.tolist() == p.label.tolist() == [1, -1, 0]
    assert p.known().n == 2


@pytest.mark.parametrize(
    "column",
    [
        ["a", None, "b"],
        ["a", NAN, "b"],
        pd.Series(["a", None, "b"]),
        pd.Series(["a", None, "b"], dtype="category"),
        pl.Series(["a", None, "b"]),
        pa.array(["a", None, "b"]),
    ],
    ids=["None", "NaN", "pandas", "categorical", "polars", "pyarrow"],
)
def test_missing_texts_are_no_class(column):
    p = Predictions.of(column, label=["a", "b", "b"])
    assert p.classes == ("a", "b")
    assert p.truth.tolist() == [0, -1, 1]


@pytest.mark.parametrize("kind", ["Float64", "Int64"])
def test_missing_scores_are_no_prediction(kind):
    score = pd.Series([1, None, 2], dtype=kind)
    p = Predictions.of([1, 0, 1], score=score)
    assert p.gaps.tolist() == [False, True, False]


def test_missing_truth_of_numbers():
    p = Predictions.of([1.0, NAN, 3.0], value=[1.0, 2.0, 3.0])
    assert p.known().truth.tolist() == [1.0, 3.0]


def test_classes_are_found_named_and_ordered():
    assert Predictions.of([3, 1], label=[2, 1]).classes == (1, 2, 3)
    p = Predictions.of(["low"], label=["high"], classes=["low", "mid", "high"])
    assert (p.classes, p.truth.tolist(), p.label.tolist()) == (("low", "mid", "high"), [0], [2])
    assert Predictions.of([1, 1], label=[1, 1]).classes == (0, 1)
    assert Predictions.of([True], label=[True]).classes == (False, True)
    assert Predictions.of(np.array([1, 2]), label=[1, 2], classes=np.array([1, 2, 5])).classes == (
        1,
        2,
        5,
    )


def test_two_hundred_classes():
    y = np.arange(400) % 200
    p = Predictions.of(y, label=y)
    assert len(p.classes) == 200
    assert p.truth.tolist() == y.tolist()


def test_far_apart_numbers_are_classes():
    p = Predictions.of([-(10**12), 10**12, 7], label=[7, 7, 7])
    assert p.classes == (-(10**12), 7, 10**12)
    assert p.truth.tolist() == [0, 2, 1]


@pytest.mark.parametrize(
    ("classes", "guess", "said"),
    [
        ([0, 1], 1, False),
        ([-1, 1], 1, False),
        ([False, True], True, False),
        (["no", "yes"], "yes", True),
        (["Neg", "Pos"], "Pos", True),
        (["control", "case"], "case", True),
        ([1, 2], None, False),
        (["cat", "dog"], None, False),
        (["a", "b", "yes"], None, False),
    ],
)
def test_the_positive_class_is_guessed_only_where_it_is_plain(classes, guess, said):
    p = Predictions.of(classes, label=classes)
    assert (None if p.positive is None else p.classes[p.positive]) == guess
    assert any(f.code == "positive-class" for f in p.findings) == said
    named = Predictions.of(classes, label=classes, positive=classes[0])
    assert named.classes[named.positive] == classes[0]
    assert not named.findings


def test_the_positive_class_may_be_named_as_text():
    assert Predictions.of([1, 2], label=[1, 2], positive="2").positive == 1


def test_labels_from_thresholds_and_probabilities():
    y = [1, 0, 1]
    assert Predictions.of(y, score=[0.1, 0.5, 0.9], threshold=0.5).label.tolist() == [0, 1, 1]
    assert Predictions.of(y, score=[0.1, 0.5, 0.9]).label is None
    assert Predictions.of(y, probability=[0.1, 0.5, 0.9]).label.tolist() == [0, 1, 1]
    assert Predictions.of(y, probability=[0.1, 0.5, 0.9], threshold=0.95).label.tolist() == [0] * 3
    half = [[0.5, 0.5], [0.9, 0.1], [0.1, 0.9]]
    assert Predictions.of(y, probability=half).label.tolist() == [1, 0, 1]
    assert Predictions.of(y, probability=half, positive=0).label.tolist() == [0, 0, 1]
    assert Predictions.of(y, probability=half, threshold=0.95).label.tolist() == [0, 0, 0]
    tied = [[0.4, 0.4, 0.2], [0.2, 0.4, 0.4], [1.0, 0.0, 0.0]]
    assert Predictions.of(Y3, probability=tied).label.tolist() == [0, 1, 0]
    flipped = Predictions.of(y, probability=[0.1, 0.5, 0.9], positive=0)
    assert flipped.label.tolist() == [1, 0, 0]


def test_rounded_probabilities_pass_with_a_stated_tolerance():
    rounded = [[0.33, 0.33, 0.33]] * 3
    with pytest.raises(DataError, match=r"off by -0.01"):
        Predictions.of(Y3, probability=rounded)
    p = Predictions.of(Y3, probability=rounded, tolerance=0.02)
    assert p.probability.tolist() == rounded  # nothing is renormalised


def test_no_rows_are_predictions_too():
    p = Predictions.of([], label=[], classes=["a", "b"])
    assert (p.n, len(p), p.classes) == (0, 0, ("a", "b"))
    assert Predictions.of([], value=[]).n == 0
    assert Predictions.of([], probability=np.zeros((0, 2)), classes=[0, 1]).n == 0


def test_one_value_stands_for_all_rows():
    p = Predictions.of(
        [0, 1], label=[0, 1], model="forest", fold=3, n_train=10, baseline=[0.5, 0.5]
    )
    assert p.model.tolist() == ["forest", "forest"]
    assert p.fold.tolist() == [3, 3]
    assert p.n_train.tolist() == [10.0, 10.0]
    assert p.baseline.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    q = Predictions.of([0.0, 1.0], value=[0.0, 1.0], baseline=0.5)
    assert q.baseline.tolist() == [0.5, 0.5]


def test_huge_finite_scores_are_fine():
    p = Predictions.of([0, 1, 1], score=[1.7e308, 1.7e308, -1.7e308])
    assert p.score.tolist() == [1.7e308, 1.7e308, -1.7e308]


def test_repr_says_what_there_is():
    p = Predictions.of(["no", "yes"], score=[0.1, 0.9], threshold=0.5)
    assert repr(p) == "Predictions(2 rows, classes 'no', 'yes' (positive), columns: label, score)"
    assert repr(Predictions.of([1.0], value=[2.0])) == "Predictions(1 row, numeric, columns: value)"
    many = Predictions.of(list("abcdefgh"), label=list("abcdefgh"))
    assert " ..." in repr(many)
