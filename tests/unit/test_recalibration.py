"""Maps that make probabilities better, judged on cases that they were not fitted on."""

import json
import pickle
from importlib import import_module

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import credibly
from credibly import DataError, ParameterError, Predictions, plot
from credibly.calibration.recalibration import RecalibratedClassifier, recalibrate, recalibrations
from credibly.errors import MissingColumnError
from credibly.measures import measures


def drawn(n=600, slope=0.5, seed=0, **more):
    rng = np.random.default_rng(seed)
    z = rng.normal(0, 1.5, n)
    y = (rng.random(n) < 1 / (1 + np.exp(-slope * z))).astype(int)
    more = {"row": np.arange(n) + n * seed, **more}
    return Predictions.of(y, probability=1 / (1 + np.exp(-z)), **more)


def map_of(name, p, **arguments):
    matrix = p.probability_matrix("this")
    return recalibrations[name].given(**arguments).fitted(matrix, p.truth).maps[0]


# --- the maps ---------------------------------------------------------------------------------


def test_isotonic_is_scikit_learns_between_and_beyond():
    p, at = drawn(), np.linspace(0, 1, 501)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(p.probability, p.truth).predict(at)
    assert map_of("isotonic", p)(at) == pytest.approx(theirs, abs=1e-12)


def test_temperature_has_the_least_log_loss():
    p = drawn()

    def loss(log_scale):
        odds = (p.probability / (1 - p.probability)) ** np.exp(log_scale)
        return measures["log_loss"](p.truth, odds / (1 + odds))

    found = 1 / map_of("temperature", p).parameters["temperature"]
    best = minimize_scalar(loss, bounds=(-3, 3), method="bounded", options={"xatol": 1e-10})
    assert np.log(found) == pytest.approx(best.x, abs=1e-5)


def test_laplace_adds_a_case_to_each_class():
    p = Predictions.of([0, 1, 1, 0], probability=[0.0, 1.0, 0.0, 0.25])
    found = map_of("laplace", p, cases=4)(np.array([[1.0, 0.0], [0.25, 0.75]]))
    assert found == pytest.approx(np.array([[5 / 6, 1 / 6], [2 / 6, 4 / 6]]))
    towards = map_of("m_estimate", p, cases=6, m=3, prior="observed")(np.array([[1.0, 0.0]]))
    assert towards == pytest.approx(np.array([[(6 + 3 / 2) / 9, 3 / 2 / 9]]))


@pytest.mark.parametrize("prior", ["uniform", "observed"])
def test_laplace_takes_the_number_of_cases_that_makes_outcomes_most_likely(prior):
    p = drawn(slope=0.4)
    made = map_of("laplace", p, prior=prior)
    n, m, shares = (made.parameters[k] for k in ("cases", "m", "prior"))

    def loss(log_cases):
        mixed = np.exp(log_cases) * p.probability_matrix("this") + m * shares
        return measures["log_loss"](p.truth, (mixed / mixed.sum(axis=1, keepdims=True))[:, 1])

    best = minimize_scalar(loss, bounds=(-5, 5), method="bounded", options={"xatol": 1e-10})
    assert np.log(n) == pytest.approx(best.x, abs=1e-4)
    honest = drawn(slope=1.0)
    assert map_of("laplace", honest).parameters["cases"] <= honest.n + 1e-6


def test_an_infinite_loss_names_the_smoother_and_it_helps():
    p = Predictions.of([0, 1, 1, 0] * 5, probability=[0.0, 1.0, 0.0, 0.25] * 5, row=range(20))
    q = Predictions.of([0, 1, 1, 0] * 5, probability=[0.0, 1.0, 0.0, 0.25] * 5, row=range(20, 40))
    (said,) = credibly.evaluate(p, "log_loss")["log_loss"].findings
    assert "laplace" in said.action
    made = recalibrate(p, q, "laplace")
    assert made.same_roc
    assert np.isfinite(measures["log_loss"](made.predictions))


def test_logistic_without_smoothing_is_the_calibration_line():
    p = drawn()
    made = map_of("logistic", p, smoothed=False).parameters
    table = credibly.calibration(p).table
    assert made["slope"] == pytest.approx(table["calibration_slope"].value, abs=1e-12)
    assert made["intercept"] == pytest.approx(table["calibration_intercept"].value, abs=1e-12)
    moved = map_of("shift", p).parameters["intercept"]
    assert moved == pytest.approx(table["calibration_offset"].value, abs=1e-12)


def test_beta_holds_the_line_as_a_special_case_and_never_falls():
    p = drawn(4000)
    beta, line = (map_of(n, p, **a) for n, a in (("beta", {}), ("logistic", {"smoothed": False})))
    at = np.linspace(0.05, 0.95, 50)
    assert beta(at) == pytest.approx(line(at), abs=0.05)
    upside_down = Predictions.of(1 - p.truth, probability=p.probability)
    flat = map_of("beta", upside_down)(at)
    assert np.diff(flat).min() >= 0


def test_histogram_gives_the_share_of_each_group():
    p = Predictions.of([0, 0, 0, 1, 1, 1], probability=[0.1, 0.2, 0.3, 0.6, 0.7, 0.8])
    made = map_of("histogram", p, groups=2)
    assert made(np.array([0.0, 0.3, 0.44, 0.46, 1.0])).tolist() == [0, 0, 0, 1, 1]


def test_venn_abers_lies_between_its_two_fits_and_shrinks_from_certainty():
    p = drawn(200)
    made = map_of("venn_abers", p)
    low, high, middle = (made.parameters[k] for k in ("low", "high", "heights"))
    assert (low <= high).all()
    assert ((low <= middle) & (middle <= high)).all()
    separated = Predictions.of([0] * 5 + [1] * 5, probability=np.linspace(0.1, 0.9, 10))
    ends = map_of("venn_abers", separated)(np.array([0.0, 1.0]))
    assert 0 < ends[0] < ends[1] < 1


def test_a_fitted_map_can_be_written_to_a_file():
    p = drawn()
    for entry in recalibrations:
        made = entry.fitted(p.probability_matrix("this"), p.truth)
        again = pickle.loads(pickle.dumps(made))
        matrix = p.probability_matrix("this")
        assert (again(matrix) == made(matrix)).all()


# --- predictions ------------------------------------------------------------------------------


def test_the_same_rows_are_refused():
    a = drawn(row=np.arange(600))
    b = drawn(seed=1, row=np.arange(599, 1199))
    with pytest.raises(DataError, match="both hold row 599"):
        recalibrate(a, b)
    nameless = drawn(row=None)
    with pytest.raises(DataError, match="same predictions twice"):
        recalibrate(nameless, nameless)
    assert "rows-unknown" in {
        f.code for f in recalibrate(nameless, drawn(seed=1, row=None)).findings
    }


def test_what_cannot_be_recalibrated_is_refused():
    p = drawn()
    with pytest.raises(
        MissingColumnError, match="of to needs probability; these predictions have: label"
    ):
        recalibrate(p, Predictions.of([0, 1], label=[0, 1]))
    with pytest.raises(DataError, match="The classes, or the positive class, differ"):
        recalibrate(p, Predictions.of(["a", "b"], probability=[0.1, 0.9], positive="b"))
    with pytest.raises(DataError, match="several models"):
        recalibrate(p, drawn(seed=1, model=["a", "b"] * 300))
    with pytest.raises(ParameterError, match="no recalibration 'izotonic'"):
        recalibrate(p, drawn(seed=1), "izotonic")
    with pytest.raises(ParameterError, match="histogram: groups must be a whole number"):
        recalibrate(p, drawn(seed=1), "histogram(groups=0)")


def test_the_positive_class_may_stand_first():
    second = recalibrate(drawn(), drawn(seed=1))
    names = np.array(["b", "a"])
    turned = [
        Predictions.of(names[p.truth], probability=p.probability, positive="a", row=p.row)
        for p in (drawn(), drawn(seed=1))
    ]
    first = recalibrate(*turned)
    assert first.predictions.probability == pytest.approx(second.predictions.probability)
    assert (first.predictions.label == 0).sum() == (second.predictions.label == 1).sum()


def test_unknown_truths_are_mapped_too():
    p = drawn(seed=1)
    some = np.where(np.arange(600) < 10, None, p.truth.astype(object))
    to = Predictions.of(some, probability=p.probability, classes=[0, 1], positive=1, row=p.row)
    made = recalibrate(drawn(), to)
    assert made.predictions.n == 600
    assert made.table.estimates[0].n == 590


def test_it_can_be_written_shown_and_drawn():
    r = recalibrate(drawn(), drawn(seed=1), "isotonic", rng=1, replicates=50)
    back = json.loads(r.to_json())
    assert back["method"] == "isotonic"
    assert back["ties_made"] == r.ties_made > 0
    assert "before" in str(r)
    assert len(r.frame()) == len(r.table)
    assert {t.measure for t in r.tests} >= {"brier", "expected_calibration_error"}
    assert plot(r).series() == ["before", "after"]


# --- estimators -------------------------------------------------------------------------------


@pytest.mark.parametrize(("ours", "theirs"), [("logistic", "sigmoid"), ("temperature",) * 2])
@pytest.mark.daily(ours=["temperature"])
def test_decision_values_are_recalibrated_as_by_scikit_learn(ours, theirs):
    """A line on logits is a line on scores; both programs stop their search at about five digits."""
    x, y = load_breast_cancer(return_X_y=True)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    base = LinearSVC(random_state=0)
    mine = RecalibratedClassifier(base, ours, cv=5).fit(x[::2], y[::2])
    peer = CalibratedClassifierCV(base, method=theirs, cv=5, ensemble=False).fit(x[::2], y[::2])
    assert mine.predict_proba(x[1::2]) == pytest.approx(peer.predict_proba(x[1::2]), abs=1e-5)


def test_probabilities_are_recalibrated_as_by_scikit_learn():
    x, y = load_breast_cancer(return_X_y=True)
    base = DecisionTreeClassifier(max_depth=3, random_state=0)
    mine = RecalibratedClassifier(base, "isotonic", cv=5).fit(x[::2], y[::2])
    peer = CalibratedClassifierCV(base, method="isotonic", cv=5, ensemble=False).fit(x[::2], y[::2])
    assert mine.predict_proba(x[1::2]) == pytest.approx(peer.predict_proba(x[1::2]), abs=1e-12)


def test_a_frozen_model_leaves_all_cases_to_the_map():
    x, y = load_breast_cancer(return_X_y=True)
    base = GaussianNB().fit(x[::2], y[::2])
    model = RecalibratedClassifier(FrozenEstimator(base), "logistic").fit(x[1::2], y[1::2])
    raw = base.predict_proba(x[1::2])
    expected = recalibrations["logistic"].fitted(raw, y[1::2])(raw)
    assert model.predict_proba(x[1::2]) == pytest.approx(expected)


def test_several_classes_and_scores_without_probabilities():
    x, y = load_iris(return_X_y=True)
    for base in (GaussianNB(), LinearSVC(random_state=0, max_iter=20_000)):
        made = RecalibratedClassifier(base, "temperature").fit(x[::2], y[::2])
        assert made.predict_proba(x[1::2]).sum(axis=1) == pytest.approx(np.ones(75))
        assert (made.predict(x[1::2]) == y[1::2]).mean() > 0.85


def test_inside_a_resampling_the_map_sees_the_training_part_alone():
    """A run of the wrapped scheme is better calibrated than the bare one, on the same folds."""
    x, y = load_breast_cancer(return_X_y=True)
    schemes = {"bare": GaussianNB(), "mapped": RecalibratedClassifier(GaussianNB(), "isotonic")}
    predictions = credibly.run(schemes, x, y, resampling="3", rng=1)
    result = credibly.evaluate(predictions, "brier", estimate="pooled")
    bare, mapped = (
        next(e.value for e in result.estimates if e.keys["model"] == k) for k in schemes
    )
    assert mapped < bare


@pytest.mark.daily(kind=["importance"], method=["isotonic"])
@pytest.mark.parametrize("kind", ["frequency", "importance"])
@pytest.mark.parametrize("method", ["isotonic", "logistic", "histogram"])
def test_a_row_of_weight_0_is_no_row(kind, method):
    weight = np.random.default_rng(3).integers(0, 4, 80)
    both = [drawn(80, seed=s, sample_weight=weight, weight_kind=kind) for s in (0, 1)]
    made, other = (
        recalibrate(*(p.take(rows) for p in both), method, rng=1, replicates=10)
        for rows in (weight >= 0, weight > 0)
    )
    assert (made.heading, made.ties_made) == (other.heading, other.ties_made)
    assert str(made.table) == str(other.table)
    assert [str(t) for t in made.tests] == [str(t) for t in other.tests]


@pytest.mark.parametrize(("k", "n"), [(2, 10), (5, 6), (3, 7)])
def test_equal_probabilities_stay_equal_at_any_temperature(k, n):
    """The slope of their likelihood is rounding, of either sign."""
    rng = np.random.default_rng([k, n])
    p = Predictions.of(
        rng.integers(0, k, n), probability=np.full((n, k), 1 / k), classes=list(range(k))
    )
    found = recalibrate(p, p.take(np.arange(2)), "temperature", replicates=2, rng=1)
    assert np.ptp(found.predictions.probability) < 1e-12


def test_where_a_map_does_not_help_another_one_that_does_is_named():
    """An S is right on average, so that moving all logits alike changes nothing; a rising curve mends it."""
    rng = np.random.default_rng(3)
    p = np.clip(rng.beta(2, 2, 3000), 0.001, 0.999)
    bent = np.clip(p - 0.2 * np.sin(2 * np.pi * p), 0, 1)
    crooked = Predictions.of((rng.random(p.size) < bent).astype(int), probability=p)
    fine = Predictions.of((rng.random(p.size) < p).astype(int), probability=p)
    said = {f.code: f for f in recalibrate(crooked, method="shift", rng=1).all_findings()}
    named = said["helpful-map"].action.rsplit(" ", 1)[1].rstrip(".")
    made = recalibrate(crooked, method=named, rng=1)
    assert made.tests[0].rejected
    assert made.tests[0].difference < 0
    for codes in (recalibrate(crooked, method=named, rng=1), recalibrate(fine, rng=1)):
        assert "helpful-map" not in {f.code for f in codes.all_findings()}


def test_other_maps_are_tried_up_to_a_number_of_probabilities(monkeypatch):
    """Many classes cost as much as many cases."""
    module, tried = import_module("credibly.calibration.recalibration.recalibrate"), []
    monkeypatch.setattr(module, "MAX_TRIED", 120)
    monkeypatch.setattr(module, "_helpful", lambda entry, known, *_: tried.append(known.n) or [])
    for n, k in [(60, 2), (62, 2), (40, 3), (42, 3)]:
        found = np.full((n, k), 1 / k)
        p = Predictions.of(np.arange(n) % k, probability=found, classes=list(range(k)))
        recalibrate(p, method="temperature", replicates=2, rng=1)
    assert tried == [60, 40]
