"""Influence values and intervals where one class has a handful of cases and another a thousand million."""

from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from credibly import Predictions, compare
from credibly.comparisons._declare import welch
from credibly.comparisons.influence import size_of
from credibly.intervals._declare import EstimateRequest
from credibly.intervals.added_cases import with_added_cases
from credibly.intervals.influence import gradient, influence
from credibly.intervals.methods import interval_for
from credibly.intervals.proportions import wilson
from credibly.intervals.standard_errors import by_class, grows, standard_error, takes_added_cases
from credibly.measures import Measure, auc, fbeta, measures, recall
from credibly.predictions.summaries import BinaryCounts, ClassScores, Counts, ScoreTable
from every import long_double
from every.battery import COSTS, VARIANTS, by_variant, cases_for, name_of

AVERAGES = ("macro", "micro", "weighted", "weighted_predicted")
SMOOTH = [m for m in VARIANTS if m.smooth]
smooth = by_variant(SMOOTH)
long = pytest.mark.skipif(
    np.finfo(np.longdouble).nmant <= np.finfo(float).nmant, reason="long double is no longer here"
)


def sizes(n, seed):
    """Numbers of cases from one to a thousand million, in any order."""
    return np.round(10.0 ** np.random.default_rng(seed).permutation(np.linspace(0, 9, n)))


def labelled(k, seed, **columns):
    """One row for each cell of a table of k classes, the undecided among them."""
    truth, label = np.divmod(np.arange(k * (k + 1)), k + 1)
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(k), truth.size) * 0.9 + 0.1 / k
    return Predictions.of(
        truth,
        label=[None if v == k else int(v) for v in label],
        probability=p[:, 1] if k == 2 else p,
        classes=list(range(k)),
        positive=1,
        baseline=np.arange(1, k + 1) / np.arange(1, k + 1).sum(),
        **{
            "sample_weight": sizes(truth.size, seed),
            "weight_kind": "frequency",
            **columns,
        },
    )


def valued(seed, **columns):
    rng = np.random.default_rng(seed)
    truth = rng.normal(5, 1, 12)
    return Predictions.of(
        truth,
        value=truth + rng.normal(0, 0.5, 12),
        baseline=5.2,
        **{"sample_weight": sizes(12, seed), "weight_kind": "frequency", **columns},
    )


def scored_elsewhere(seed, **columns):
    rng = np.random.default_rng(seed)
    told = {"sample_weight": sizes(12, seed), "weight_kind": "frequency", **columns}
    return Predictions.of(outcome=rng.random(12) < 0.5, **told)


def samples(m, seeds=2, **columns):
    """Predictions to which a measure applies, with cells of any size."""
    if m.task == "outcome":
        return [scored_elsewhere(seed, **columns) for seed in range(seeds)]
    if m.task == "numeric":
        return [valued(seed, **columns) for seed in range(seeds)]
    several = m.reads is ClassScores or COSTS in m.arguments.values()
    ks = (3,) if several else (2,) if m.reads is ScoreTable else (2, 3)
    return [labelled(k, seed, **columns) for k in ks for seed in range(seeds)]


def agree(m, values, expected, p, value):
    """Each case counts as often as it occurs, so that this is what errors are made of.

    What is no more than the rounding of the value itself counts as nothing.
    """
    found, wanted = (np.asarray(x * np.sqrt(p.weights), float) for x in (values, expected))
    atol = 1e-9 * np.abs(wanted).max() + 1e-15 * size_of(m, value)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=atol)


@long
@smooth
def test_influence_values_are_derivatives_at_any_size(m):
    for p in samples(m):
        expected = long_double.derivatives(m, p)
        assert np.isfinite(expected).all()
        agree(m, influence(m, p), expected, p, m.value(p))


@long
@smooth.in_turn("average", AVERAGES)
def test_influence_values_of_averages_are_derivatives_at_any_size(m, average):
    if not m.class_wise:
        pytest.skip("not averaged over classes")
    for seed in range(2):
        p = labelled(3, seed)
        expected = long_double.derivatives(m, p, average)
        agree(m, influence(m, p, average), expected, p, m.averaged(p, average))


def another(p):
    """Another model on the same cases."""
    rng = np.random.default_rng(9)
    given = [c for c in ("label", "probability", "value") if getattr(p, c) is not None]
    return replace(p, cache={}, **{c: rng.permutation(getattr(p, c)) for c in given})


def slow_error(m, *models):
    """The error of a value, or of a difference, by derivatives in long double; with added cases where they are due."""
    m, models = m.about(models[0]), [m.view(p, None) for p in models]
    if takes_added_cases(m, models):
        models = with_added_cases(*models)
    mine, *other = (long_double.derivatives(m, p) for p in models)
    moved = (mine - sum(other)).astype(float)
    if (
        m.of_pairs and m.most
    ):  # a number of pairs varies as their share does: sizes of classes are known
        p = models[0]
        for rows in (p.truth == 0, p.truth == 1):
            moved[rows] -= np.average(moved[rows], weights=p.weights[rows])
    return standard_error(moved, models[0], by_class=by_class(m, models[0]))


@pytest.mark.thorough
@long
@smooth
def test_comparisons_by_influence_hold_at_any_size(m):
    for first in samples(m, seeds=2):
        second = another(first)
        values = [m.value(p) for p in (first, second)]
        if np.isinf(values).any():
            continue  # a ratio to nothing has no derivative
        error, _ = slow_error(m, first, second)
        apart, _ = welch(slow_error(m, first), slow_error(m, second))
        smallest = 1e-11 * size_of(m, *values)
        if error > smallest:
            found = compare(first, second, m, test="influence")
            assert found.parameters["standard_error"] == pytest.approx(error, rel=1e-7)
        if apart > smallest:
            found = compare(first, second, m, test="influence_unpaired", independent=True)
            assert found.parameters["standard_error"] == pytest.approx(apart, rel=1e-7)


def limits_of(m, p, average=None, method="auto"):
    value = m.averaged(p, average) if average else m.value(p)
    found, _ = interval_for(
        EstimateRequest(m, p, average, method, seed=1, replicates=200, value=value)
    )
    return (np.nan, np.nan) if found is None else (found.low, found.high)


@smooth.in_turn("cell", range(4))
def test_what_does_not_enter_a_measure_does_not_enter_its_interval(m, cell):
    """As the true negatives do not enter the F-measure."""
    if m.reads not in {Counts, BinaryCounts} or m.parts or COSTS in m.arguments.values():
        pytest.skip("no measure of a table of two classes, or a share of all cases")

    def table(number):
        counts = np.array([12.0, 8, 9, 11])
        counts[cell] = number
        return Predictions.of(
            [1, 1, 0, 0],
            label=[1, 0, 1, 0],
            sample_weight=counts,
            weight_kind="frequency",
            positive=1,
        )

    few, many = (table(number) for number in (1e7, 1e9))
    if m.value(few) != m.value(many):
        pytest.skip("it enters")
    # Divisors are n - 1, and what is counted is counted out of n.
    np.testing.assert_allclose(limits_of(m, few), limits_of(m, many), rtol=1e-6)


@smooth.in_turn("factor", [1e60, 1e-60]).in_turn("grouped", [False, True])
def test_the_unit_of_weights_enters_no_interval(m, grouped, factor):
    """Nor that of the importance weights of a sandwich, whatever power of ten it is."""
    for case in cases_for(m, wholesome=True)[:2]:
        weight = np.random.default_rng(5).random(case.n) + 0.5
        group = np.arange(case.n) % 7 if grouped else None
        first, second = (
            case.with_columns(sample_weight=w, weight_kind="importance", group=group)
            for w in (weight, weight * factor)
        )
        if not np.isclose(m.value(first), m.value(second), rtol=1e-9):
            continue  # a total
        for method in ("auto", "influence", "bootstrap"):
            ends = (limits_of(m, p, None, method) for p in (first, second))
            np.testing.assert_allclose(*ends, rtol=1e-7, atol=1e-12)


@smooth
def test_cases_of_the_same_importance_are_cases(m):
    for case in cases_for(m, wholesome=True)[:2]:
        plain = case.with_columns(sample_weight=None)
        equal = case.with_columns(sample_weight=np.full(case.n, 3.5), weight_kind="importance")
        if not np.isclose(m.value(plain), m.value(equal), rtol=1e-9):
            continue  # a total
        ends = (limits_of(m, p, None, "auto") for p in (plain, equal))
        np.testing.assert_allclose(*ends, rtol=1e-9, atol=1e-12)


@smooth
def test_rows_that_weigh_next_to_nothing_enter_no_interval(m):
    """Neither by the size of a sample nor by degrees of freedom."""
    for case in cases_for(m, wholesome=True)[:2]:
        weight = np.random.default_rng(5).random(case.n) + 0.5
        first = case.with_columns(sample_weight=weight, weight_kind="importance")
        more = first.take(np.arange(60 * case.n) % case.n)
        light = np.concatenate([weight, np.full(59 * case.n, 1e-14)])
        second = replace(more, weight=light, cache={})
        ends = (limits_of(m, p, None, "auto") for p in (first, second))
        np.testing.assert_allclose(*ends, rtol=1e-6, atol=1e-10)


@by_variant([m for m in VARIANTS if m.most])
def test_what_is_counted_is_counted_out_of_what_there_is(m):
    p = Predictions.of([1] * 9 + [0] * 3, score=[2, 3, 4, 5, 5, 6, 7, 8, 9, 1, 2, 5], threshold=4)
    low, high = limits_of(m, p, None, "auto")
    assert 0 <= low < m.value(p) < high <= float(m.most(m.summarise(p)))


@pytest.mark.parametrize("n_rare", [1, 2, 4])
@pytest.mark.parametrize("name", ["balanced_accuracy", "g_mean", "hand_till", "recall"])
def test_a_class_of_a_few_cases_that_are_all_right_is_not_known_for_certain(name, n_rare):
    """A mean of three recalls cannot be known better than the least known of them lets it."""
    rng = np.random.default_rng(1)
    truth = np.repeat([0, 1, 2], [100, 100, n_rare])
    p = rng.dirichlet(np.ones(3), truth.size)
    p[truth == 2] = [0.05, 0.05, 0.9]
    made = Predictions.of(truth, probability=p)
    m, average = measures[name], "macro" if name == "recall" else None
    value = m.on(made, average)
    found, why = interval_for(EstimateRequest(m, made, average, value=value))
    if n_rare == 1:
        assert found is None
        assert "a single case" in why
    elif name in {"balanced_accuracy", "recall"}:
        alone = wilson.of(n_rare, n_rare, 0.95)
        assert value - found.low > (alone.high - alone.low) / 6


@pytest.mark.parametrize("factor", [1e60, 1e-60])
@pytest.mark.parametrize("m", [m for m in SMOOTH if m.task == "numeric"], ids=name_of)
def test_the_unit_of_numbers_enters_as_it_enters_the_value(m, factor):
    case = cases_for(m, wholesome=True)[0]
    first, second = (
        case.with_columns(
            **{c: np.asarray(case.columns[c]) * f for c in ("y_true", "value", "baseline")}
        )
        for f in (1.0, factor)
    )
    grown = m.value(second) / m.value(first)
    other = another(first), another(second)
    if not np.isclose(np.log10(grown) / np.log10(factor), [0, 1, 2], atol=1e-6).any():
        pytest.skip("not in proportion to its numbers, or a power of them")
    for method in ("auto", "bootstrap"):
        low, high = limits_of(m, first, None, method)
        wanted = (np.array([low, high]) * grown).tolist()
        assert limits_of(m, second, None, method) == pytest.approx(wanted, rel=1e-7, nan_ok=True)
    for test, more in (("influence", {}), ("influence_unpaired", {"independent": True})):
        found = [
            compare(mine, theirs, m, test=test, **more).pvalue
            for mine, theirs in zip((first, second), other, strict=True)
        ]
        assert found[0] == pytest.approx(found[1], rel=1e-6)


def test_f_measure_by_hand():
    """The variance of 2 TP / (2 TP + FN + FP) by the delta method."""
    tp, fn, fp = 12.5, 8.5, 9.5  # half a case is added to each cell
    whole = 2 * tp + fn + fp
    slopes = np.array([2 * (fn + fp), -2 * tp, -2 * tp]) / whole**2
    error = np.sqrt(slopes**2 @ [tp, fn, fp])
    share = 2 * tp / whole
    half = NormalDist().inv_cdf(0.975) * error / (share * (1 - share))
    wanted = 1 / (1 + np.exp(-(np.log(share / (1 - share)) + np.array([-half, half]))))
    for tn in (1e2, 1e5, 1e9):
        counts = [tp - 0.5, fn - 0.5, fp - 0.5, tn]
        p = Predictions.of(
            [1, 1, 0, 0], label=[1, 0, 1, 0], sample_weight=counts, weight_kind="frequency"
        )
        np.testing.assert_allclose(limits_of(fbeta, p), wanted, rtol=1 / tn)  # divisors are n - 1


def test_an_auc_of_a_few_positives_among_very_many_cases_has_delongs_error():
    rng = np.random.default_rng(1)
    y = np.arange(90_000) < 30
    score = rng.normal(size=y.size) + 5 * y
    p = Predictions.of(y.astype(int), score=score)
    order = np.sort(score[~y])
    above = np.searchsorted(order, score[y]) / order.size
    below = 1 - np.searchsorted(np.sort(score[y]), score[~y]) / above.size
    by_hand = np.sqrt(above.var(ddof=1) / above.size + below.var(ddof=1) / below.size)
    error, _ = standard_error(influence(auc, p), p, by_class=True)
    assert error == pytest.approx(by_hand, rel=1e-9)


def test_an_average_over_classes_knows_its_tiny_class():
    """A recall of 7 in 10 beside two of a thousand million: the error of the mean is the tiny class's."""
    truth, label = [0, 0, 1, 1, 2, 2], [0, 1, 1, 0, 2, 1]
    weight = [7, 3, 9e8, 1e8, 5e8, 5e8]
    p = Predictions.of(truth, label=label, sample_weight=weight, weight_kind="frequency")
    error, _ = standard_error(influence(recall, p, "macro"), p, by_class=False)
    each = [0.7 * 0.3 / 10, 0.9 * 0.1 / 1e9, 0.25 / 1e9]
    assert error == pytest.approx(np.sqrt(sum(each)) / 3, rel=1e-8)


def test_a_formula_that_is_not_made_for_complex_numbers_is_differentiated_all_the_same():
    def absolute(c):
        return np.abs(c.tp - 3 * c.fp) / c.total

    def real_alone(c):
        return np.float64(c.tp.ravel()).reshape(c.tp.shape) / np.arctan2(c.total, 1.0)

    def rounded(c):
        return np.floor(c.tp) / c.total

    numbers = {"tp": 12.0, "fp": 9.0, "fn": 8.0, "tn": 1e9}
    c = BinaryCounts.of_outcomes(**numbers)
    total = float(c.total)
    found = gradient(absolute, c, numbers)
    np.testing.assert_allclose(
        [found["tp"], found["fp"], found["tn"]],
        [-1 / total - 15 / total**2, 3 / total - 15 / total**2, -15 / total**2],
        rtol=1e-6,
    )
    assert float(gradient(real_alone, c, numbers)["tp"]) == pytest.approx(2 / np.pi, rel=1e-6)
    assert float(gradient(rounded, c, {"tn": 1e9})["tn"]) == pytest.approx(-12 / total**2)


def test_a_formula_of_the_whole_table_of_scores_has_no_influence_values_unless_it_says_how_it_moves():
    m = Measure(auc.formula, "Area", reads=ScoreTable, range=(0, 1), best=1, cite="")
    p = Predictions.of([0, 1, 0, 1], score=[1, 2, 3, 4])
    assert influence(m, p) is None


def faultless(p):
    """The same cases, all predicted right, under weights that are no counts."""
    given = {}
    if p.task == "numeric":
        given["value"] = p.truth
    elif p.task == "classification":
        given = {"label": p.truth, "probability": np.eye(len(p.classes))[p.truth], "score": None}
        if p.probability is not None and p.probability.ndim == 1:
            given["probability"] = (p.truth == p.positive).astype(float)
    weight = 10 ** np.random.default_rng(3).uniform(-3, 3, p.n)
    return replace(p, weight=weight, weight_kind="importance", cache={}, **given)


@smooth.in_turn("right", [False, True])
def test_only_what_changes_with_the_unit_of_weights_grows_with_the_number_of_cases(m, right):
    """Rounding adds up to nothing, as that of a share of 1 did to something."""
    for case in cases_for(m, wholesome=True):
        p = faultless(case.predictions) if right else case.predictions
        twice = replace(p, weight=2 * p.weights, weight_kind="importance", cache={})
        with np.errstate(all="ignore"):
            value, more = m.value(p), m.value(twice)
        if np.isfinite(value) and (values := influence(m, p)) is not None:
            assert grows(values, p.weights) == (not np.isclose(value, more, rtol=1e-9, atol=1e-12))
