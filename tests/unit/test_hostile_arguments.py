"""Whatever is passed to a public door, the answer is predictions, numbers, or an error of ours with a sentence."""

import datetime as dt
import decimal
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import credibly
from credibly import CostMatrix, CrediblyError, DataError, ParameterError, Predictions
from credibly.measures import measures

NAN = float("nan")


class Raising:
    """Does nothing right."""

    def _fail(self, *_, **__):
        raise RuntimeError("no")

    __array__ = __iter__ = __len__ = __eq__ = __ne__ = __repr__ = __str__ = __hash__ = _fail
    __float__ = __bool__ = __getitem__ = __lt__ = __index__ = _fail


ODD = st.builds(iter, st.just([0, 1])) | st.builds(Raising) | st.builds(lambda: [Raising(), Raising()]) | st.sampled_from(
    [
        object(), object, len, 5, 0, -1, 3.5, NAN, math.inf, 1j, True, "", "x", "01", b"\xff", [], (), {},
        {0: 1}, set(), {1}, [[1], [2, 3]], [[1]], [None, None], [{}, {}], ["a", 1],
        np.array(1), np.array([1, 2]), np.array([[0.5, 0.5], [0.5, 0.5]]), np.array([1j, 2]), np.zeros((0, 3)),
        np.array(["2020-01-01", "NaT"], "M8[D]"), np.ma.masked, np.ma.masked_array([0.5, 1], mask=[True, False]),
        pd.NA, pd.NaT, pd.Series(["a", None]), pd.DataFrame({"a": [1, 2]}), dt.date(2020, 1, 1), decimal.Decimal("0.5"),
        2**70, -(2**70), [2**70, 1], range(2), np.float32(0.25), np.str_("b"), np.void(b"1"),
    ]
)  # fmt: skip
PARAMETERS = [
    "y_true", "label", "score", "probability", "value", "sample_weight", "weight_kind", "classes", "positive",
    "threshold", "baseline", "n_train", "tolerance", "row", "model", "repeat", "fold", "part", "group",
]  # fmt: skip
BASES = {
    "classes": {"y_true": [0, 1], "probability": [[0.5, 0.5], [0.25, 0.75]]},
    "text": {"y_true": ["a", "b"], "label": ["a", "b"]},
    "scores": {"y_true": [0, 1], "score": [0.5, 0.25]},
    "numbers": {"y_true": [0.5, 1.5], "value": [1.0, 2.0]},
}


def answers(call):
    """Whether it returns or refuses; any other error is the test's failure."""
    try:
        made = call()
    except CrediblyError as error:
        assert str(error).strip().endswith((".", "?"))  # noqa: PT017
        return None
    return made


@pytest.mark.daily
@pytest.mark.parametrize("name", PARAMETERS)
@pytest.mark.parametrize("base", BASES)
@given(odd=ODD)
def test_the_constructor_answers_or_refuses(name, base, odd):
    made = answers(lambda: Predictions.of(**{**BASES[base], name: odd}))
    if made is not None:
        assert made.fingerprint
        answers(lambda: credibly.evaluate(made))


@pytest.mark.parametrize("name", ["measures", "by", "average", "unclassified", "costs", "estimate", "interval", "confidence_level", "rng", "replicates", "device"])  # fmt: skip
@given(odd=ODD)
def test_evaluate_answers_or_refuses(name, odd):
    p = Predictions.of(**BASES["classes"])
    answers(lambda: credibly.evaluate(p, **{"measures": "accuracy", name: odd}))


@pytest.mark.parametrize("name", ["classes", "positive", "baseline", "average", "sample_weight"])
@given(odd=ODD)
def test_a_measure_answers_or_refuses(name, odd):
    answers(lambda: measures["f1"]([0, 1, 1], [0, 1, 0], **{name: odd}))


@pytest.mark.parametrize("name", ["truth", "score", "classes", "positive", "baseline", "tolerance", "threshold", "model", "format", "ignore"])  # fmt: skip
@given(odd=ODD)
def test_read_answers_or_refuses(name, odd):
    frame = pd.DataFrame({"y": [0, 1], "p": [0.5, 0.25], "model": ["a", "a"]})
    answers(lambda: credibly.read(frame, **{"truth": "y", "probability": "p", name: odd}))


@pytest.mark.parametrize("tolerance", [-1, NAN, math.inf, "x", None, [1], True])
@pytest.mark.parametrize("base", BASES)
def test_a_tolerance_is_a_number_from_0_up(tolerance, base):
    with pytest.raises(ParameterError, match="tolerance must be a number from 0 up"):
        Predictions.of(**BASES[base], tolerance=tolerance)


HAIR = 1.0000000000000087  # what Weka's J48 says of a case of hypothyroid


@pytest.mark.parametrize("value", [HAIR, 1 + 9e-7])
def test_rounding_beyond_the_ends_is_accepted(value):
    given_ = np.array([[value, 1 - value], [0.5, 0.5]])
    kept = given_.copy()
    p = Predictions.of(["a", "b"], probability=given_)
    assert p.probability.tolist() == [[1.0, 0.0], [0.5, 0.5]]
    assert (given_ == kept).all()
    assert Predictions.of([0, 1], probability=[value, 0.5]).probability.tolist() == [1.0, 0.5]


def test_what_is_beyond_rounding_is_shown_in_full():
    with pytest.raises(
        DataError, match=r"tolerance=1e-06.*row 0 \(1\.000001000001\).*tolerance=\.\.\."
    ):
        Predictions.of([0, 1], probability=[1.000001000001, 0.5])
    assert Predictions.of([0, 1], probability=[1.0005, 0.5], tolerance=1e-3).probability[0] == 1
    with pytest.raises(DataError, match=r"beyond rounding \(tolerance=1e-09\)"):
        Predictions.of(["a", "b"], probability=[[0.5, 0.5 + 1e-8], [0, 1]], tolerance=1e-9)


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.float64, np.bool_, "U1", object])
def test_masked_labels_are_missing(kind):
    plain = np.array([0, 1, 1, 0]).astype(kind)
    masked = np.ma.masked_array(plain, mask=[False, False, True, False])
    assert Predictions.of(masked, label=plain).truth.tolist() == [0, 1, -1, 0]
    assert Predictions.of(plain, label=masked).label.tolist() == [0, 1, -1, 0]


def test_masked_numbers_are_missing():
    whole = np.ma.masked_array([1, 2, 3], mask=[True, False, False])
    assert Predictions.of([1.0, 2, 3], value=whole).gaps.tolist() == [True, False, False]
    assert Predictions.of(whole, value=[1.0, 2, 3]).known().n == 2
    matrix = np.ma.masked_array([[0.5, 0.5], [0.1, 0.9]], mask=[[True, True], [False, False]])
    assert Predictions.of(["a", "b"], probability=matrix).label.tolist() == [-1, 1]
    with pytest.raises(DataError, match="weight is not a finite number"):
        Predictions.of([0, 1, 1], label=[0, 1, 1], sample_weight=whole)
    with pytest.raises(DataError):
        CostMatrix.of(np.ma.masked_array([[0, 1], [1, 0]], mask=[[1, 0], [0, 0]]), ["a", "b"])


def test_masked_inputs_and_targets_of_a_run():
    X = np.ma.masked_array(
        [[i, i % 3] for i in range(20)], mask=[[i == 4, False] for i in range(20)]
    )
    plain = np.array([[NAN if i == 4 else i, i % 3] for i in range(20)])
    y = [0, 1] * 10
    a, b = (credibly.run("tree", each, y, resampling=2, rng=1) for each in (X, plain))
    assert a.label.tolist() == b.label.tolist()
    masked = np.ma.masked_array(y, mask=[True] + [False] * 19)
    found = credibly.run("tree", plain, masked, resampling=2, rng=1)
    assert sorted(found.row.tolist()) == list(range(1, 20))
    assert "missing-targets" in {f.code for f in found.findings}


@pytest.mark.parametrize("values", [[2**63, 2**63 + 1], [2**64 - 1, 0], [2**63 - 1, 2**63]])
@pytest.mark.parametrize(
    "make", [lambda v: np.array(v, np.uint64), list, lambda v: np.array(v, object)]
)
def test_whole_numbers_of_64_bits_stay_apart(values, make):
    p = Predictions.of(make(values * 2), label=make(values[:1] * 4))
    assert p.classes == tuple(sorted(values))
    assert measures["accuracy"](p) == 0.5
