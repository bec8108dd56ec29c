"""Figures of the text books that no other test draws: what is drawn is what they show."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

import credibly
from credibly import CrediblyError, Predictions, evaluate
from credibly.calibration.recalibration import recalibrations

IRIS = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def replicates():
    """Zaki & Meira example 22.8: full Bayes on two columns of iris, learnt from bootstrap samples."""
    X, y = IRIS
    return credibly.run(
        "full-bayes", X[:, :2], y, resampling="bootstrap(replicates=20)", rng=1, progress=False
    )


def test_histogram_of_bootstrap_errors(replicates):
    """Figure 22.5: the error rates of the replicates, on all cases as the book has it, and out of bag."""
    for estimate in ("all_cases", "oob"):
        figure = credibly.plot(
            replicates, "fold_histogram", measure="error_rate", estimate=estimate
        )
        e = evaluate(replicates, "error_rate", estimate=estimate)["error_rate"]
        bars = figure.layers[0].columns
        assert sum(bars["y"]) == 20
        assert (bars["x"][0], bars["right"][-1]) == (min(e.values), max(e.values))
        assert figure.layers[1].columns["x"] == [e.value]
    assert figure.title == "Error rate in folds or replicates"


def test_histogram_is_of_one_model_and_of_values_of_folds():
    p = Predictions.of(
        [0, 1] * 8, label=[0, 1, 1, 1] * 4, fold=[0, 0, 1, 1] * 4,
        model=["a"] * 8 + ["b"] * 8, row=[*range(8)] * 2,
    )  # fmt: skip
    with pytest.raises(CrediblyError, match="one measure and one model"):
        credibly.plot(p, "fold_histogram", measure="accuracy")
    figure = credibly.plot(p, "fold_histogram", measure="accuracy", model="b")
    assert figure.layers[1].columns["x"] == [0.75]
    with pytest.raises(CrediblyError, match="folds for: none"):
        credibly.plot(p, "fold_histogram", measure="accuracy", model="b", estimate="pooled")


def outcomes():
    rng = np.random.default_rng(1)
    q = rng.random(500)
    flat = 1 / (1 + np.exp(-0.4 * np.log(q / (1 - q))))
    return Predictions.of((rng.random(500) < q).astype(int), probability=flat)


def test_calibration_function_pushes_to_the_ends():
    """Ohrn fig. 7.4: probabilities that cluster in the middle are pushed towards 0 and 1, in order."""
    p = outcomes()
    figure = credibly.plot(p, "calibration_function")
    line = figure.layers[1].columns
    x, y = np.array(line["x"]), np.array(line["y"])
    assert (np.diff(y) > 0).all()
    assert (y[x == 0.25] < 0.25).all()
    assert (y[x == 0.75] > 0.75).all()
    fitted = recalibrations["logistic"].fitted(p.probability_matrix("a test"), p.truth)
    np.testing.assert_array_equal(y, fitted(np.column_stack([1 - x, x]))[:, 1])


@pytest.mark.parametrize("method", [r.name for r in recalibrations])
def test_calibration_function_of_every_recalibration(method):
    p = outcomes()
    y = credibly.plot(p, "calibration_function", method=method).layers[1].columns["y"]
    assert min(y) >= 0
    assert max(y) <= 1
    turned = Predictions.of(1 - p.truth, probability=p.probability, classes=[0, 1], positive=0)
    np.testing.assert_allclose(
        y, credibly.plot(turned, "calibration_function", method=method).layers[1].columns["y"],
        atol=1e-6,
    )  # fmt: skip


def test_calibration_function_of_three_classes():
    X, y = IRIS
    p = credibly.run("naive-bayes", X[:, :2], y, resampling="3", rng=1, progress=False)
    assert credibly.plot(p, "calibration_function").series() == ["0", "1", "2"]
    with pytest.raises(CrediblyError, match="jointly"):
        credibly.plot(p, "calibration_function", method="temperature")
    with pytest.raises(CrediblyError, match="needs probability"):
        credibly.plot(Predictions.of([0, 1], score=[1, 2]), "calibration_function")
