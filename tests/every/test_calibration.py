"""What must hold of every statistic and test of calibration and of every recalibration, naming none."""

import re

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

from credibly import CrediblyError, DataError, ParameterError, Predictions
from credibly.calibration import calibration_statistics, calibration_tests
from credibly.calibration.class_probabilities import ForetoldClasses
from credibly.calibration.goodness_of_fit import Foretold
from credibly.calibration.outcomes import Outcomes
from credibly.calibration.recalibration import RecalibratedClassifier, recalibrate, recalibrations
from credibly.evaluation import evaluate
from each import Each
from every.battery import CASES, same, variants

STATISTICS = list(calibration_statistics)
BINARY = [c for c in CASES if c.predictions.probability is not None and c.predictions.has_positive]
by_statistic = Each("m", STATISTICS)
by_test = Each("test", list(calibration_tests))
by_recalibration = Each("r", list(recalibrations))


def drawn(n=300, slope=0.6, seed=0, classes=2, shift=0.0):
    rng = np.random.default_rng(seed)
    if classes > 2:
        p = rng.dirichlet(np.ones(classes), n)
        odds = p**slope
        odds /= odds.sum(axis=1, keepdims=True)
        y = [rng.choice(classes, p=row) for row in odds]
        return Predictions.of(y, probability=p, classes=range(classes), row=np.arange(n) + n * seed)
    z = rng.normal(0, 1.5, n)
    y = (rng.random(n) < 1 / (1 + np.exp(-slope * z - shift))).astype(int)
    return Predictions.of(y, probability=1 / (1 + np.exp(-z)), row=np.arange(n) + n * seed)


# --- declarations -----------------------------------------------------------------------------


@Each(
    "entry",
    [*calibration_statistics, *calibration_tests, *recalibrations],
    lambda e: f"{type(e).__name__}-{e.name}",
)
def test_is_described(entry):
    assert entry.title[0].isupper()
    assert entry.name.isidentifier()
    assert re.search(r"\b(1[89]|20)\d\d\b", entry.cite), "a reference has a year"
    assert entry.doc.split("\n")[0].endswith((".", "with 1.", "with 2.")), entry.doc
    for q in entry.parameters:
        assert not q.rule.accepts(q.rule.broken_by)
        assert q.rule.accepts(q.default)


@by_statistic
def test_values_lie_in_the_range_and_are_undefined_where_it_is_said(m):
    low, high = m.range
    for case in BINARY:
        for variant in variants(m):
            value = variant.value(case.predictions)
            assert np.isnan(value) or low <= value <= high, (case, variant.call, value)
            if np.isnan(value):
                assert m.undefined, (case, variant.call)
            if case.wholesome and not case.perfect and variant is m:  # else groups of one case
                assert not np.isnan(value), (case, variant.call)


@by_statistic
def test_rows_may_come_in_any_order_and_in_copies(m):
    p = drawn(60)
    order = np.random.default_rng(1).permutation(p.n)
    assert same(m.value(p.take(order)), m.value(p), 1e-9, 1e-12)
    copies = np.random.default_rng(2).integers(1, 4, p.n)
    rows = np.repeat(np.arange(p.n), copies)
    counted = Predictions.of(
        p.truth, probability=p.probability, sample_weight=copies, weight_kind="frequency"
    )
    repeated = Predictions.of(p.truth[rows], probability=p.probability[rows])
    assert same(m.value(counted), m.value(repeated), 1e-9, 1e-12)


@by_statistic
def test_a_perfectly_wrong_and_a_single_case_do_not_crash(m):
    for y, q in (([1], [0.3]), ([0, 1], [1.0, 0.0]), ([1, 1], [0.5, 0.5]), ([0, 1], [0.5, 0.5])):
        value = m.value(Predictions.of(y, probability=q, classes=[0, 1], positive=1))
        assert np.isnan(value) or m.range[0] <= value <= m.range[1]


@by_statistic
def test_batches_are_the_single_values(m):
    """A bootstrap's replicates are the values of the re-weighted cases."""
    from credibly.intervals.bootstrap import bootstrap
    from credibly.intervals.replicates import Replicates

    p = drawn(50)
    b = bootstrap(p, m, replicates=3, rng=1)
    weights = np.concatenate(list(Replicates(p, 1, 3, stratified=False)._blocks()))
    for value, w in zip(b.replicates[:, 0], weights, strict=True):
        again = Predictions.of(
            p.truth, probability=p.probability, sample_weight=w, weight_kind="frequency"
        )
        assert same(value, m.value(again), 1e-9, 1e-12)


@by_statistic
def test_is_evaluated_by_class_and_on_average(m):
    p = drawn(90, classes=3)
    each = evaluate(p, m, by="class")
    whole = evaluate(p, m, average="macro").estimates[0]
    assert len(each) == 3
    assert whole.value == pytest.approx(np.mean([e.value for e in each.estimates]))


# --- tests ------------------------------------------------------------------------------------


def evidence_for(test, p):
    if test.reads is Foretold:
        return Foretold(Outcomes.of(p))
    return ForetoldClasses(p.probability_matrix("a test"), p.truth, p.weights)


@by_test
def test_p_values_are_probabilities_and_say_what_they_are_about(test):
    made = test(evidence_for(test, drawn()))
    assert 0 <= made.pvalue <= 1
    assert made.about == "cases"
    assert made.null
    assert np.isfinite(made.statistic)


@by_test
def test_sees_probabilities_that_are_far_off(test):
    made = test(evidence_for(test, drawn(2000, slope=0.2, shift=-0.5)))
    assert made.pvalue < 0.01 or "discrimination" in made.title.lower()


@by_test
def test_refuses_a_direction_and_a_margin(test):
    with pytest.raises(ParameterError, match="no direction"):
        test(evidence_for(test, drawn()), alternative="less")
    with pytest.raises(ParameterError, match="margin"):
        test(evidence_for(test, drawn()), margin=0.1)


# --- recalibrations ---------------------------------------------------------------------------


@by_recalibration
@pytest.mark.parametrize("classes", [2, 3])
def test_makes_probabilities_better_where_they_are_overconfident(r, classes):
    made = recalibrate(drawn(800, 0.3, 1, classes), drawn(800, 0.3, 2, classes), r.name)
    p = made.predictions.probability_matrix("this")
    assert p.min() >= 0
    assert p.max() <= 1
    assert p.sum(axis=1) == pytest.approx(np.ones(800))
    loss = made.table.where(measure="brier" if classes == 2 else "quadratic_loss")
    assert [e.keys["when"] for e in loss] == ["before", "after"]
    if r.name != "shift":  # which leaves confidence as it is
        assert loss[1].value < loss[0].value
        assert made.tests[0].pvalue < 0.05
        assert made.tests[0].difference == pytest.approx(loss[1].value - loss[0].value)


@by_recalibration
def test_the_ranking_stays_or_it_is_said_what_was_tied(r):
    made = recalibrate(drawn(400, 0.5, 1), drawn(400, 0.5, 2), r.name)
    before, after = (e.value for e in made.table.where(measure="auc"))
    codes = {f.code for f in made.findings}
    if made.same_roc:
        assert before == after
        assert made.ties_made == 0
        assert "same-roc" in codes
    else:
        assert made.ties_made > 0
        assert "ranking-changed" in codes


@by_recalibration
def test_copies_of_cases_are_weights(r):
    p = drawn(100, 0.5, 3)
    matrix = p.probability_matrix("this")
    copies = np.random.default_rng(0).integers(1, 4, p.n)
    rows = np.repeat(np.arange(p.n), copies)
    counted = r.fitted(matrix, p.truth, copies)(matrix)
    repeated = r.fitted(matrix[rows], p.truth[rows])(matrix)
    assert counted == pytest.approx(repeated, abs=1e-9)


@by_recalibration
def test_hostile_probabilities_give_probabilities_or_an_error(r):
    for q in ([0.0, 1.0, 0.0, 1.0], [0.5] * 4, [0.0, 1e-300, 0.5, 1.0], [1.0, 1.0, 0.0, 0.0]):
        matrix = np.column_stack([1 - np.array(q), q])
        truth = np.array([0, 1, 1, 0])
        try:
            made = r.fitted(matrix, truth)(np.array([[1.0, 0.0], [0.0, 1.0], [0.3, 0.7]]))
        except CrediblyError:
            continue
        assert np.isfinite(made).all()
        assert made.min() >= 0
        assert made.max() <= 1


@by_recalibration
def test_one_class_is_refused(r):
    with pytest.raises(DataError, match="at least two classes"):
        r.fitted(np.array([[0.4, 0.6], [0.3, 0.7]]), np.array([1, 1]))


@parametrize_with_checks([RecalibratedClassifier(cv=3)])
def test_scikit_learn_takes_it_for_one_of_its_own(estimator, check):
    check(estimator)


@pytest.mark.slow
@by_recalibration
def test_scikit_learn_takes_it_for_one_of_its_own_with_any_map(r):
    check_estimator(RecalibratedClassifier(method=r.name, cv=3), on_skip=None)
