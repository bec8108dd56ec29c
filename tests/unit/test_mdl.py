"""Description length of schemes: parts, choices, doors and errors."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from scipy.stats import norm
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import credibly
from credibly import DataError, ParameterError, mdl
from credibly.description_length import DescriptionLengths, Sent, coder, coders, order_saving
from credibly.description_length.messages import (
    Message,
    adaptive_bits,
    gaussian_bits,
    resolution,
    whole_bits,
)

HOSTILE = ("<script>", 'a "b" $x$', "שלום")


def data(n=200, seed=1, noise=0.1):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 3))
    return X, np.where(rng.random(n) < noise, X[:, 0] <= 0.5, X[:, 0] > 0.5).astype(int)


def numbers(n=200, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, (2 * X[:, 0] - X[:, 1] + rng.normal(size=n)).round(2)


# --- codes --------------------------------------------------------------------------------------


def test_whole_numbers_have_a_code():
    """The probabilities of all numbers of b digits sum to 1 / (b (b + 1)), so those below 2^b - 1 to b / (b + 1)."""
    for b in range(1, 14):
        total = math.fsum(2 ** -whole_bits(v) for v in range(2**b - 1))
        assert math.isclose(total, b / (b + 1), rel_tol=1e-12)


@given(st.lists(st.integers(0, 3), max_size=30), st.sampled_from([0.5, 1.0]))
def test_adaptive_bits_are_those_of_the_labels_one_by_one(labels, a):
    seen, bits = np.full(4, a), 0.0
    for label in labels:
        bits -= math.log2(seen[label] / seen.sum())
        seen[label] += 1
    assert math.isclose(adaptive_bits(np.bincount(labels, minlength=4), a), bits, abs_tol=1e-9)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=12))
def test_laplace_is_to_send_counts_and_then_their_order(labels):
    n = len(labels)
    counts = math.log2(math.comb(n + 2, 2))
    bits = float(adaptive_bits(np.bincount(labels, minlength=3), 1.0))
    assert math.isclose(bits, counts + order_saving(labels), abs_tol=1e-9)


@given(st.floats(-8, 8), st.floats(0.01, 30), st.floats(0.001, 30))
def test_gaussian_cells(residual, spread, precision):
    ends = (residual + np.array([-0.5, 0.5]) * precision) / spread
    # Taken where it is small, so that nothing is lost to 1 minus something.
    low, high = ends if abs(ends[0]) < abs(ends[1]) or ends[0] < 0 < ends[1] else ends[::-1]
    chance = norm.cdf(ends[1]) - norm.cdf(ends[0]) if ends[0] < 0 < ends[1] else None
    if chance is None:
        near, far = sorted(map(abs, (low, high)))
        chance = norm.sf(near) - norm.sf(far)
    if chance > 1e-250 and chance > 1e-9 * norm.sf(min(abs(ends))):
        assert math.isclose(gaussian_bits(residual, spread, precision), -math.log2(chance), rel_tol=1e-6, abs_tol=1e-6)  # fmt: skip


def test_gaussian_cells_sum_to_one_and_thin_ones_meet_the_density():
    cells = np.arange(-4000, 4001) * 0.01
    assert math.isclose(np.exp2(-gaussian_bits(cells, 1.3, 0.01)).sum(), 1, rel_tol=1e-12)
    thick, thin = (gaussian_bits(2.0, 1.0, w) + math.log2(w) for w in (1.1e-6, 0.9e-6))
    assert math.isclose(thick, thin, rel_tol=1e-9)


@given(st.lists(st.integers(0, 400), min_size=2, max_size=5).filter(any))
def test_distributions_are_sent_to_about_half_a_bit_of_the_best(counts):
    """Half of log2 n bits a share, no share is 0, and rounding costs under a bit for each."""
    n, k = sum(counts), len(counts)
    message = Message()
    sent = message.shares("d", np.array(counts) / n, n)
    assert math.isclose(sent.sum(), 1)
    assert (sent > 0).all()
    assert message.parts()["d"] <= (k - 1) * (math.log2(n) / 2 + 2)
    c = np.array(counts)[np.array(counts) > 0]
    best = -(c * np.log2(c / n)).sum()
    own = -(np.array(counts) * np.log2(sent)).sum()
    assert own <= best + 1.5 * (k - 1)


def test_resolution_and_precision():
    assert resolution(np.array([1.0, 1.1, 3.0])) == pytest.approx(0.1)
    X, y = numbers()
    fine, coarse = (mdl("linear", X, y, precision=p) for p in (0.001, 0.01))
    assert mdl("linear", X, y).precision["target"] == pytest.approx(0.01)
    gap = fine["linear"].data - coarse["linear"].data
    assert gap == pytest.approx(len(y) * math.log2(10), rel=1e-3)


# --- results ------------------------------------------------------------------------------------


def test_parts_add_up_and_weights_are_posteriors():
    X, y = data()
    found = mdl(["tree(max_depth=1)", "naive-bayes"], X, y, rng=1)
    for d in found.descriptions:
        assert math.isclose(d.total, math.fsum(p.bits for p in d.parts))
    assert found.best.name == "tree(max_depth=1)"
    totals = {d.name: d.total for d in found.descriptions}
    assert found.margin == sorted(totals.values())[1] - min(totals.values())
    assert math.isclose(sum(found.weights.values()), 1)
    a, b = found.weights["tree(max_depth=1)"], found.weights["naive-bayes"]
    assert math.isclose(
        math.log2(a / b), totals["naive-bayes"] - totals["tree(max_depth=1)"], rel_tol=1e-6
    )
    assert found.saved("null theory") == 0


def test_the_loss_is_that_of_the_measure():
    """L[E|T] of the null theory is the informational loss of the shares as sent."""
    X, y = data()
    d = mdl("zero-r", X, y)["zero-r"]
    entropy = len(y) * -sum(p * math.log2(p) for p in np.bincount(y) / len(y))
    assert entropy <= d.data <= entropy + 0.75


def test_bic_and_aic_of_least_squares():
    """By hand: the logarithm of the Gaussian likelihood, and slopes, mean and spread as parameters."""
    X, y = numbers()
    d = mdl("linear", X, y)["linear"]
    left = y - LinearRegression().fit(X, y).predict(X)
    n, s = len(y), math.sqrt((left**2).mean())
    log_likelihood = norm.logpdf(left, 0, s).sum()
    assert d.parameters == 3 + 1 + 1
    assert math.isclose(d.aic, 2 * 5 - 2 * log_likelihood, rel_tol=1e-12)
    assert math.isclose(d.bic, 5 * math.log(n) - 2 * log_likelihood, rel_tol=1e-12)


def test_aic_of_logistic_regression_and_of_a_tree():
    X, y = data()
    found = mdl({"l": LogisticRegression(C=np.inf), "t": DecisionTreeClassifier(max_depth=1)}, X, y)
    for name, parameters in (("l", 4), ("t", 1 + 2)):
        p = found.models[name].predict_proba(X)[np.arange(len(y)), y]
        assert found[name].parameters == parameters
        assert math.isclose(found[name].aic, 2 * parameters - 2 * np.log(p).sum(), rel_tol=1e-9)


def test_full_bayes_survives_columns_that_repeat_each_other():
    """Rounding is done where errors are independent, so a nearly singular covariance does no harm."""
    X, y = data()
    twice = np.column_stack([X, X[:, 0] + 1e-6 * X[:, 1]])
    found = mdl(["full-bayes"], twice, y)["full-bayes"]
    model = mdl(["full-bayes"], twice, y).models["full-bayes"]
    own = -np.log2(model.predict_proba(twice)[np.arange(len(y)), y]).sum()
    assert found.data < own + 1.5 * found.parameters


def test_exceptions_by_frequency():
    """One bit a leaf for its label, and the adaptive code of the labels where each was predicted."""
    X, y = data()
    found = mdl("tree(max_depth=1)", X, y, labels="exceptions", zero_frequency="laplace", rng=1)
    d = found["tree(max_depth=1)"]
    parts = {p.name: p.bits for p in d.parts}
    predicted = found.models["tree(max_depth=1)"].predict(X)
    expected = sum(
        math.log2(len(mine) + 1) + math.log2(math.comb(len(mine), mine.sum()))
        for mine in (y[predicted == c] for c in (0, 1))
    )
    assert parts["distributions"] == 2
    assert math.isclose(parts["exceptions"], expected, rel_tol=1e-9)


def test_exceptions_keep_the_theory():
    """The labels of naive Bayes are the same, whatever codes the exceptions to them."""
    X, y = data()
    found = mdl("naive-bayes", X, y, labels="exceptions")["naive-bayes"]
    assert found.theory == mdl("naive-bayes", X, y)["naive-bayes"].theory
    assert found.data < 0.8 * len(y)


def test_numeric_prediction_finds_the_plane():
    X, y = numbers()
    found = mdl(["linear", "tree", "knn"], X, y, rng=1)
    assert found.best.name == "linear"
    assert found["linear"].parts[-1].name == "residuals"
    assert found["knn"].data == 0
    assert abs(found.saved("knn")) < 20


def test_a_perfect_fit_costs_next_to_nothing():
    X = np.arange(50.0)[:, None]
    found = mdl("linear", X, 3 * X[:, 0] + 7)
    assert found["linear"].data < 1
    assert found["linear"].data >= 0


def test_prequential_takes_any_estimator_and_prefers_what_predicts():
    X, y = data()
    found = mdl([SVC(), "tree(max_depth=1)"], X, y, code="prequential", rng=1)
    assert found.best.name == "tree(max_depth=1)"
    assert found.best.theory == 0
    assert found.saved("SVC") > 20
    again = mdl([SVC(), "tree(max_depth=1)"], X, y, code="prequential", rng=1)
    assert again.to_json() == found.to_json()


def test_the_prequential_code_of_the_null_theory_is_near_the_adaptive_one():
    X, y = data(n=500)
    bits = mdl("zero-r", X, y, code="prequential", refits=400, rng=1)["zero-r"].total
    assert bits == pytest.approx(float(adaptive_bits(np.bincount(y), 0.5)), rel=0.02)


def test_prequential_numbers():
    X, y = numbers()
    found = mdl(["linear", "tree"], X, y, code="prequential", rng=1)
    assert found.best.name == "linear"
    assert found.saved("linear") > 100


def test_prequential_says_what_it_rests_on():
    X, y = data()
    order = np.argsort(y)
    found = mdl("logistic", X[order], y[order], code="prequential")
    assert {f.code for f in found.findings} >= {"order-of-rows", "told-without-the-scheme"}


def test_beside_cross_validation():
    X, y = data()
    found = mdl(["tree", "tree(max_depth=1)"], X, y, resampling="5", rng=1)
    errors = {d.name: d.error.value for d in found.descriptions}
    p = credibly.run(["tree", "tree(max_depth=1)"], X, y, resampling="5", rng=1)
    same = credibly.evaluate(p, "error_rate")
    assert errors["tree"] == same.where(model="tree")[0].value
    assert set(errors) == {"tree", "tree(max_depth=1)", "null theory"}
    assert "error rate" in str(found)
    assert found["tree"].error.interval is not None


def test_disagreement_is_said():
    X, y = weak(60, 3)
    found = mdl(["logistic", "zero-r"], X, y, resampling="5", rng=1)
    codes = {f.code for f in found.findings}
    assert found.best.name == "zero-r"
    assert "null-theory-wins" in codes
    assert "length-and-error-disagree" in codes


def weak(n, seed):
    """A weak signal: it lowers the error and does not pay for its slopes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, (X[:, 0] * 0.5 + rng.normal(size=n) > 0).astype(int)


def test_the_average_keeps_every_explanation():
    X, y = data(60)
    found = mdl(["naive-bayes", "zero-r"], X, y)
    p = found.average(X[:3])
    weights = found.weights
    by_hand = sum(weights[name] * m.predict_proba(X[:3]) for name, m in found.models.items())
    assert np.allclose(p, by_hand)
    assert np.allclose(p.sum(axis=1), 1)
    Z, t = numbers()
    assert mdl(["linear", "zero-r"], Z, t).average(Z[:2]).shape == (2,)
    with pytest.raises(ParameterError, match="nothing to average"):
        mdl([SVC(), "tree"], X, y, code="prequential", rng=1).average(X)
    with pytest.raises(ParameterError, match="no models"):
        DescriptionLengths.of({"a": (1, 2)}).average(X)


def test_result_can_be_kept():
    X, y = data()
    found = mdl(["tree(max_depth=1)", "knn"], X, y, rng=1)
    kept = json.loads(found.to_json())
    assert kept["best"] == "tree(max_depth=1)"
    assert kept["descriptions"][1]["aic"] is None
    assert kept["why_no_interval"]
    frame = found.frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame.groupby("theory").bits.sum()["knn"] == pytest.approx(found["knn"].total)
    text = str(found)
    assert "cut points" in text
    assert "to 1 against" in text
    assert "<table" in found._repr_html_()
    with pytest.raises(KeyError, match="Did you mean knn"):
        found["kn"]


def test_lengths_from_elsewhere():
    with pytest.raises(ParameterError, match="none below 0"):
        DescriptionLengths.of({"a": (-1, 2)})
    with pytest.raises(ParameterError, match="from 0 to 1"):
        DescriptionLengths.of_probabilities({"a": (0.5, 2)})
    assert DescriptionLengths.of_probabilities({"a": (0.5, 0)}).best.total == math.inf
    alike = DescriptionLengths.of({"a": (1, 2), "b": (2, 1)})
    assert "equally short" in str(alike)
    assert "can describe" in str(DescriptionLengths.of({"a": (1, 2), "b": (2, math.inf)}))
    assert DescriptionLengths.of({"a": (1, 2)}).verdict() == "a takes 3 bits."


# --- doors --------------------------------------------------------------------------------------


def test_no_coder():
    X, y = data()
    with pytest.raises(
        ParameterError, match=r"no coder for SVC.*DecisionTreeClassifier.*prequential"
    ):
        mdl(["tree", "svm"], X, y, rng=1)


def test_a_coder_of_ones_own():
    class Constant(DecisionTreeClassifier):
        def predict_proba(self, X):
            return np.tile([0.25, 0.75], (len(X), 1))

    @coder("Constant", describes=(Constant,), cite="Nobody (2000) Nothing.")
    def constant(model, problem, message):
        """Send nothing."""
        return Sent(probability=model.predict_proba(problem.X))

    try:
        y = np.array([0, 1, 1, 1])
        found = mdl({"mine": Constant()}, np.arange(4.0)[:, None], y)
        assert math.isclose(found["mine"].total, 2 + 3 * math.log2(4 / 3))
    finally:
        coders.remove("constant")


def test_impossible_targets_are_a_problem():
    class Certain(DecisionTreeClassifier):
        pass

    @coder("Certain", describes=(Certain,), cite="Nobody (2000) Nothing.")
    def certain(model, problem, message):
        """Send nothing, and be sure."""
        return Sent(probability=np.tile([1.0, 0.0], (problem.n, 1)))

    try:
        found = mdl({"sure": Certain()}, np.arange(4.0)[:, None], [0, 1, 0, 1])
        assert found["sure"].total == math.inf
        assert "impossible-targets" in {f.code for f in found.findings}
        assert found.best.name == "null theory"
        assert found.weights["sure"] == 0
        assert "Infinity" in found.to_json()
    finally:
        coders.remove("certain")


def test_fitted_estimators_are_taken_as_they_are():
    X, y = data()
    stump = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y)
    pipe = make_pipeline(DecisionTreeClassifier(max_depth=1, random_state=0)).fit(X, y)
    a = mdl({"a": stump, "b": pipe}, X, y, refit=False)
    assert a["a"].total == a["b"].total == mdl({"a": stump}, X, y)["a"].total
    assert a.models["a"] is stump
    with pytest.raises(DataError, match="not fitted on these rows"):
        mdl({"a": stump}, X + 5, y, refit=False)
    with pytest.raises(DataError, match="does not know the class"):
        mdl({"a": stump}, X, np.where(y, "yes", "no"), refit=False)


def test_estimators_are_not_fitted_themselves():
    X, y = data()
    tree = DecisionTreeClassifier(max_depth=1)
    mdl(tree, X, y, rng=1)
    assert not hasattr(tree, "tree_")


def test_preprocessing_that_looks_at_the_target_is_refused():
    X, y = data()
    chosen = make_pipeline(SelectKBest(k=1), DecisionTreeClassifier())
    with pytest.raises(DataError, match="need the target"):
        mdl(chosen, X, y, rng=1)
    assert mdl(chosen, X, y, code="prequential", rng=1).best.total > 0


def test_text_missing_values_constant_columns_and_hostile_labels():
    rng = np.random.default_rng(1)
    n = 90
    town = np.array(HOSTILE, object)[rng.integers(0, 3, n)]
    frame = pd.DataFrame({"town": town, "age": rng.normal(40, 9, n).round(), "same": 1.0})
    frame.loc[3:9, "age"] = np.nan
    frame.loc[12, "town"] = None
    y = np.where(rng.random(n) < 0.1, HOSTILE[0], town)
    schemes = ["tree", "one-r", "naive-bayes", "logistic", "forest(trees=3)", "knn", "lda"]
    found = mdl(schemes, frame, y, rng=1)
    assert found.best.name == "one-r"
    assert all(math.isfinite(d.total) and d.total > 0 for d in found.descriptions)
    plain = mdl(["full-bayes"], frame[["age", "same"]].fillna(40.0), y, rng=1)
    assert math.isfinite(plain["full-bayes"].total)


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[1], [2]], ["a", "a"], "one class only"),
        (np.empty((0, 2)), [], "nothing to learn from"),
        ([[1], [2]], ["a", None], "missing"),
        ([[1], [2]], ["a"], "but X has"),
        ([[1.5], [2]], [0.5, np.nan], "missing or infinite"),
    ],
)
def test_bad_data(X, y, words):
    with pytest.raises(DataError, match=words):
        mdl("zero-r", X, y)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"code": "shortest"}, "code must be"),
        ({"labels": "yes"}, "labels must be"),
        ({"zero_frequency": "none"}, "zero_frequency must be"),
        ({"precision": 0}, "precision must be"),
        ({"refits": 0}, "refits must be"),
        ({"rng": -1}, "rng must be"),
    ],
)
def test_bad_arguments(more, words):
    X, y = data()
    with pytest.raises(ParameterError, match=words):
        mdl("zero-r", X, y, **more)


def test_what_cannot_be_fitted_is_named():
    X, y = data()
    X[3, 0] = np.nan
    with pytest.raises(DataError, match=r"mine cannot be fitted: .*NaN"):
        mdl({"mine": LogisticRegression()}, X, y)


def test_exceptions_are_for_classes():
    X, y = numbers()
    with pytest.raises(ParameterError, match="for classes"):
        mdl("linear", X, y, labels="exceptions")


def test_two_rows():
    found = mdl(["tree", "one-r"], [[1.0], [2.0]], ["a", "b"], rng=1)
    assert found.best.name in {"tree", "one-r", "null theory"}
    assert all(math.isfinite(d.total) for d in found.descriptions)
    assert mdl("naive-bayes", [[1.0], [2.0]], ["a", "b"], code="prequential").best.total > 0


def test_nothing_seeded_is_said():
    X, y = data()
    assert "unseeded" in {f.code for f in mdl("forest(trees=2)", X, y).findings}
    assert "unseeded" not in {f.code for f in mdl("forest(trees=2)", X, y, rng=1).findings}


def test_one_versus_rest_is_no_softmax():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.arange(60) % 3
    from sklearn.multiclass import OneVsRestClassifier

    with pytest.raises(ParameterError, match="no coder"):
        mdl(OneVsRestClassifier(LogisticRegression()), X, y)


def test_bars_end_where_the_lengths_do():
    X, y = data()
    found = mdl(["tree(max_depth=2)", "naive-bayes", "knn"], X, y, rng=1)
    ends = {}
    for layer in found.plot().layers[:-1]:
        for name, end in zip(layer.columns["y"], layer.columns["right"], strict=True):
            ends[name] = max(end, ends.get(name, 0))
    assert ends == pytest.approx({d.name: d.total for d in found.descriptions})


def test_a_missing_error_and_a_warning_are_said():
    X, y = np.ones((40, 1)), np.arange(40) % 3 == 0
    found = mdl(["naive-bayes", "tree"], X, y, resampling="5", rng=1)
    assert found["naive-bayes"].error is None
    said = {f.code: f.message for f in found.findings}
    assert "naive-bayes warned in 1 fit: invalid value" in said["fit-warning"]
    assert "naive-bayes failed in 5 of 5 fits" in said["failed-fits"]
