"""Whether errors are by class, and what is added to rare classes, is decided once for all measures and all doors."""

import math

import numpy as np
import pytest

from credibly import Predictions, compare, evaluate, gate, sample_size
from credibly.errors import CrediblyError
from credibly.intervals.added_cases import error_with_added_cases, with_added_cases
from credibly.intervals.influence import influence
from credibly.intervals.standard_errors import by_class, measure_error, takes_added_cases
from credibly.measures import measures
from credibly.predictions.numbers import effective_sizes
from credibly.predictions.summaries import BinaryCounts, Counts
from every.battery import VARIANTS, by_variant, cases_for

N = 120


def labels(k, right):
    rng = np.random.default_rng([20, k])
    truth = np.minimum(rng.geometric(0.5, N) - 1, k - 1)
    truth[:k] = range(k)
    told = [np.where(rng.random(N) < r, truth, rng.integers(0, k, N)) for r in right]
    return truth, told


def models(k, **more):
    """Two models of the same cases of several classes, the last of which is rare."""
    truth, told = TABLES[k]
    return [Predictions.of(truth, label=t, classes=list(range(k)), **more) for t in told]


TABLES = {k: labels(k, (0.8, 0.65)) for k in (2, 3, 5)}
OF_LABELS = [
    m for m in measures
    if m.task == "classification" and m.smooth and not m.unfilled and m.reads in {Counts, BinaryCounts}
]  # fmt: skip
NAMES = [m.name for m in OF_LABELS]


@pytest.mark.parametrize("k", TABLES)
@pytest.mark.parametrize("name", NAMES)
def test_errors_are_by_class_just_where_influence_values_of_each_class_add_up_to_zero(name, k):
    m, p = measures[name], models(k)[0]
    if m.lacks(p, averaged=True):
        pytest.skip("it needs other predictions")
    average = m.average_on(p, None)
    values = influence(m, p, average)
    if values is None or not values.any() or (m.stratified and average):
        pytest.skip("nothing moves it here, or its classes are given")
    sums = np.bincount(p.truth, values)
    zero = bool((np.abs(sums) <= 1e-9 * np.abs(values).sum()).all())
    assert by_class(m, p, average=average) == zero


def test_what_adds_up_to_zero_by_chance_is_not_by_class():
    p = Predictions.of([0] * 5 + [1] * 5, label=[0, 0, 0, 0, 1, 1, 1, 1, 1, 0])
    assert not by_class(measures["accuracy"], p)
    assert not by_class(measures["mcc"], p)


@pytest.mark.parametrize("k", TABLES)
@pytest.mark.parametrize("name", NAMES)
def test_a_model_against_its_own_value_has_the_error_of_its_interval(name, k):
    """What compare says of one model is what evaluate says, added cases and divisors by class included."""
    p = models(k)[0]
    m = measures[name].about(p)
    if m.lacks(p, averaged=True) or m.parts is not None:
        pytest.skip("it needs other predictions, or is a proportion with an exact theory")
    average = m.average_on(p, None)
    (found,) = evaluate(p, name).estimates
    try:
        single = compare(p, measure=name, against=found.value - 0.01, test="influence_value")
    except CrediblyError:
        assert found.interval is None or math.isinf(found.value)
        return
    if found.interval is None or single.confidence_interval is None:
        assert not takes_added_cases(m, [p], average)
        return
    if not takes_added_cases(m, [p], average):
        expected = measure_error(m, [p], average)[0]
    else:
        expected = error_with_added_cases(m, [p], average)[1]
        # Two models on cases of their own have the errors of either, added up.
        both = compare(*models(k), name, independent=True, test="influence_unpaired")
        each = [error_with_added_cases(m, [q], average)[1] for q in models(k)]
        assert both.parameters["standard_error"] == pytest.approx(math.hypot(*each))
    assert single.parameters["standard_error"] == pytest.approx(expected)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "label", [[1] * 4 + [0] * 20, [0] * 22 + [1] * 2], ids=["all right", "all missed"]
)
def test_a_model_at_an_end_of_the_range_is_judged_by_its_interval(name, label):
    """The test rejects the values that the interval does not hold, where no case or every case is right too."""
    p, m = Predictions.of([1] * 4 + [0] * 20, label=label, positive=1), measures[name]
    if m.lacks(p) or m.parts is not None or not takes_added_cases(m, [p]):
        pytest.skip(
            "it needs other predictions, is a proportion with an exact theory, or takes no cases"
        )
    (found,) = evaluate(p, name).estimates
    if found.interval is None or not min(abs(found.value - end) for end in m.range) < 1e-12:
        return
    for share in (0.02, 0.3, 0.7, 0.98):
        value = m.range[0] + share * (min(m.range[1], 100) - m.range[0])
        rejected = compare(p, measure=name, against=value, test="influence_value").rejected
        assert rejected == (not found.interval.low <= value <= found.interval.high)


@by_variant([m for m in VARIANTS if m.smooth and m.parts is None and not m.mean])
def test_a_test_of_a_value_rejects_what_the_interval_does_not_hold(m):
    """Also at an end of the range, where added cases or the error of the other value tell what may still happen."""
    for case in (*cases_for(m, wholesome=True)[:1], *cases_for(m, perfect=True)[:1]):
        (found,) = evaluate(case.predictions, m).estimates
        if found.interval is None or found.average or math.isinf(found.value):
            continue
        low, high = found.interval.low, found.interval.high
        step = (high - low) / 50
        inside = (found.value, low + step)
        ends = (m.range[0], high if m.most else m.range[1])
        outside = [x for x in (low - step, high + step) if ends[0] < x < ends[1]]
        for value in (*inside, *outside):
            tested = compare(case.predictions, measure=m, against=value, test="influence_value")
            assert (tested.pvalue >= 0.05) == (value in inside), (case, value)
            assert value != found.value or tested.pvalue == 1, case
            limits = tested.confidence_interval
            assert (limits.low + value, limits.high + value) == pytest.approx((low, high)), case


@pytest.mark.parametrize("k", [2, 3])
def test_a_model_beside_one_that_no_case_moves_has_the_error_of_its_interval(k):
    """What compare says of a difference to a constant is what evaluate says of the model, where no cases are added."""
    rng = np.random.default_rng([21, k])
    truth = np.concatenate([np.repeat(range(k), 3), np.minimum(rng.geometric(0.6, N) - 1, k - 1)])
    odds = np.exp(1.2 * np.eye(k)[truth] + rng.normal(size=(truth.size, k)))
    p, same = (
        Predictions.of(truth, probability=each / each.sum(axis=1, keepdims=True), classes=list(range(k)))
        for each in (odds, np.ones_like(odds))
    )  # fmt: skip
    agreed = []
    for name in (
        m.name for m in measures if m.task == "classification" and m.smooth and not m.unfilled
    ):
        m = measures[name].about(p)
        if m.lacks(p, averaged=True) or (m.parts is not None and m.average_on(p, None) is None):
            continue
        average = m.average_on(p, None)
        moved = influence(m, m.view(same, average), average)
        (found,) = evaluate(p, name).estimates
        if moved is None or np.abs(moved).max() > 1e-14 or found.interval is None:
            continue
        if takes_added_cases(m, [m.view(p, average)], average):
            continue
        difference = compare(p, same, name, test="influence")
        assert difference.parameters["standard_error"] == pytest.approx(
            found.interval.standard_error
        ), name
        agreed.append(name)
    assert {"auc", "hand_till", "log_loss", "discrimination_slope", "brier"} <= set(agreed)


@pytest.mark.parametrize("k", TABLES)
def test_cases_that_are_added_to_two_models_are_those_of_either(k):
    first, second = models(k)
    pair = with_added_cases(first, second)
    for one, of_both in zip((first, second), pair, strict=True):
        (alone,) = with_added_cases(one)
        assert Counts.of(of_both).matrix == pytest.approx(Counts.of(alone).matrix)
    assert (pair[0].truth == pair[1].truth).all()
    assert (pair[0].weights == pair[1].weights).all()


@pytest.mark.parametrize("name", ["balanced_accuracy", "g_mean", "fbeta(average='macro')"])
def test_rare_classes_are_not_taken_for_certain(name):
    """All of a rare class right by one model and wrong by the other: a few cases do not show it for sure."""
    truth = np.array([0] * 40 + [1] * 40 + [2] * 2)
    right, wrong = truth.copy(), np.where(truth == 2, 0, truth)
    right[:8], wrong[:8] = 1, 1
    a, b = (Predictions.of(truth, label=label, classes=[0, 1, 2]) for label in (right, wrong))
    made = compare(a, b, name)
    assert made.difference > 0.1
    assert made.confidence_interval is not None
    assert made.confidence_interval.low < made.difference / 2


DOORS = {
    "evaluate": lambda p, q, m: list(evaluate(p, m).estimates[0].interval or []),
    "compare": lambda p, q, m: list(compare(p, q, m).confidence_interval or []),
    "independent": lambda p, q, m: list(compare(p, q, m, independent=True).confidence_interval or []),
    "gate": lambda p, q, m: list(gate(p, q, measure=m, margin=0.1).limits or []),
    "sample_size": lambda p, q, m: [sample_size(p, m, 0.05).n],
}  # fmt: skip
ASKED = ["balanced_accuracy", "g_mean", "mcc", "kappa", "fbeta(average='macro')", "recall(average='macro')"]  # fmt: skip


@pytest.mark.daily
@pytest.mark.parametrize("k", TABLES)
@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("door", DOORS)
def test_frequency_weights_are_repeated_rows_and_equal_weights_change_nothing(door, name, k):
    truth, told = TABLES[k]
    counts = np.random.default_rng(k).integers(1, 4, N)
    counted = models(k, sample_weight=counts, weight_kind="frequency")
    repeated = [Predictions.of(np.repeat(truth, counts), label=np.repeat(t, counts), classes=list(range(k))) for t in told]  # fmt: skip
    ask = DOORS[door]
    assert ask(*counted, name) == pytest.approx(ask(*repeated, name))
    equal = models(k, sample_weight=[0.37] * N, weight_kind="importance")
    assert ask(*equal, name) == pytest.approx(ask(*models(k), name))


def test_importance_weights_are_not_told_as_cases():
    given = {"sample_weight": np.random.default_rng(1).random(N) * 50, "weight_kind": "importance"}
    p, q = models(3, **given)
    assert evaluate(p, "kappa").estimates[0].n == N
    assert evaluate(p, "accuracy").estimates[0].n == N
    assert compare(p, q, "kappa").n == N
    assert gate(p, q, measure="kappa", margin=0.1).n == N
    plan = sample_size(p, "kappa", 0.05)
    assert plan.cases == plan.n


def test_the_weight_of_a_case_and_the_effective_size_are_of_one_formula():
    w = np.random.default_rng(2).random(N) * 1e90
    p = models(3, sample_weight=w, weight_kind="importance")[0]
    assert w.sum() / p.case_weight == pytest.approx(effective_sizes(w)[0])
    assert effective_sizes(w)[0] == pytest.approx(effective_sizes(w / 1e90)[0])
