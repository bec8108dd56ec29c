"""What must not change a number: the unit of numbers, groups of one case, rows that weigh nothing."""

import json
import warnings

import numpy as np
import pytest

from credibly import (
    Predictions,
    best_of,
    compare,
    decide,
    detectable_difference,
    evaluate,
    gate,
    hull,
)
from credibly.errors import CrediblyError
from credibly.intervals import interval_methods
from credibly.intervals.influence import influence
from credibly.intervals.standard_errors import grows, measure_error
from each import Each
from every.battery import CASES, VARIANTS

N = 40
SMALL, LARGE = 2.0**-60, 2.0**60
OF_THE_UNIT = {"rmsle", "male"}  # logarithms of one more than a number


def of_numbers(unit=1.0, **more):
    rng = np.random.default_rng(3)
    truth = rng.normal(3, 1, N)
    errors = rng.normal(size=(2, N)) * [[0.3], [0.5]]
    return {
        name: Predictions.of(truth * unit, value=(truth + e) * unit, **more)
        for name, e in zip("ab", errors, strict=True)
    }


def of_classes(**more):
    rng = np.random.default_rng(4)
    truth = np.arange(N) % 3 == 0
    scores = np.clip(truth * 0.2 + rng.random((2, N)), 0, 0.99).round(2)
    return {
        n: Predictions.of(truth, probability=s, **more) for n, s in zip("ab", scores, strict=True)
    }


VERBS = {
    "evaluate": lambda m: evaluate(m["a"]),
    "bootstrap": lambda m: evaluate(m["a"], interval="bootstrap", replicates=200, rng=1),
    "compare": compare,
    "by bootstrap": lambda m: compare(m, test="bootstrap", rng=1),
    "by permutation": lambda m: compare(m, test="permutation", rng=1),
    "gate": lambda m: gate(m, against="b"),
    "plan": detectable_difference,
    "best": lambda m: best_of(m, rng=1, replicates=100),
}


def shown(told, path=()):
    """Yield the numbers of plain data with the way to each."""
    if isinstance(told, dict):
        for name, part in told.items():
            yield from shown(part, (*path, name))
    elif isinstance(told, list):
        for i, part in enumerate(told):
            yield from shown(part, (*path, i))
    elif not isinstance(told, str):
        yield path, told


def numbers_of(result):
    told = json.loads(result.to_json())
    told["estimates"] = [e for e in told.get("estimates", []) if e["measure"] not in OF_THE_UNIT]
    return dict(shown(told))


def same(one, other, units=(1.0,)):
    assert one.keys() == other.keys()
    for path, value in one.items():
        if value is None or other[path] is None or isinstance(value, bool):
            assert value == other[path], path
        else:
            near = [pytest.approx(value * unit, rel=1e-6, abs=1e-11 * unit) for unit in units]
            assert any(other[path] == each for each in near), path


@Each("verb", VERBS).in_turn("unit", [SMALL, LARGE])
def test_the_unit_of_numbers_is_carried_along(verb, unit):
    plain, other = (numbers_of(VERBS[verb](of_numbers(u))) for u in (1.0, unit))
    same(plain, other, (1.0, unit, unit**2, 1 / unit))


@Each("verb", [*VERBS, "decide"]).in_turn("design", [{}, {"fold": np.arange(N) % 4}])
def test_groups_of_one_case_are_none(verb, design):
    call = {**VERBS, "decide": lambda m: decide(m["a"], {"fn": 5, "fp": 1}, rng=1, replicates=20)}
    alone = call[verb](of_classes(**design, group=np.arange(N)[::-1]))
    same(numbers_of(call[verb](of_classes(**design))), numbers_of(alone))


def test_rows_that_stand_for_several_cases_of_a_group_are_groups():
    rng = np.random.default_rng(1)
    often, group = rng.integers(1, 4, N), np.arange(N)
    truth, score = rng.integers(0, 2, N), rng.random(N).round(1)
    counted = Predictions.of(
        truth, probability=score, sample_weight=often, weight_kind="frequency", group=group
    )
    rows = np.repeat(group, often)
    written = Predictions.of(truth[rows], probability=score[rows], group=rows)
    same(numbers_of(evaluate(written)), numbers_of(evaluate(counted)))


def test_rows_that_weigh_nothing_decide_nothing():
    weight = np.where(np.arange(N) % 4, 1.5, 0.0)
    given = {"sample_weight": weight, "weight_kind": "importance"}
    kept = of_classes(**given)["a"].take(weight > 0)
    found = [
        numbers_of(decide(p, {"fn": 5, "fp": 1}, rng=1, replicates=20))
        for p in (of_classes(**given)["a"], kept)
    ]
    same(*found)


def test_a_hull_is_at_the_prevalence_of_its_first_model():
    models = of_classes()
    fewer = models["a"].take(np.arange(N) % 5 > 0)
    shares = [float(p.truth.mean()) for p in (models["b"], fewer)]
    assert hull({"b": models["b"], "a": fewer}).prevalence == pytest.approx(shares[0])
    assert hull({"a": fewer, "b": models["b"]}).prevalence == pytest.approx(shares[1])
    useless = Predictions.of([1, 0, 1, 0], probability=[0.5] * 4)
    assert "none of them" in str(hull({"a": useless, "b": useless}))


@Each("method", [m.name for m in interval_methods])
def test_intervals_of_numbers_without_squares(method):
    """No method meets squares beyond a double, whether it answers or refuses."""
    for models in (of_numbers(1e150), of_numbers(1e150, group=np.arange(N) // 4)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                found = evaluate(models["a"], "mae", interval=method, rng=1, replicates=200)
            except CrediblyError:
                continue
        limits = found["mae"].interval
        assert limits is None or limits.low < found["mae"].value < limits.high


@Each("seed", range(6))
def test_rounding_is_no_difference(seed):
    """A model that says what the trivial rule says is neither better nor worse, in any order of its rows."""
    rng = np.random.default_rng(seed)
    truth, weight, order = np.arange(N) % 5 == 0, rng.gamma(1, 1, N), rng.permutation(N)
    share = np.full(N, np.average(truth, weights=weight) * (1 + seed * 2e-16))
    found = [
        evaluate(
            Predictions.of(
                truth[rows], probability=share, sample_weight=weight[rows], weight_kind="importance"
            )
        )
        for rows in (np.arange(N), order)
    ]
    for one, other in zip(*(table.all for table in found), strict=True):
        told = one.advantage
        if told is not None and abs(told.difference) < 1e-12 and told.pvalue is not None:
            assert told.pvalue == 1, one.measure
        limits = [(e.interval.low, e.interval.high) if e.interval else () for e in (one, other)]
        assert limits[0] == pytest.approx(limits[1], rel=1e-6, abs=1e-9), one.measure


def test_groups_of_uneven_size_are_worth_fewer():
    """Means of groups of very uneven size hold in about 95 of 100 samples; with all groups as freedom, in 84."""
    rng = np.random.default_rng(5)
    held, samples = 0, 150
    for _ in range(samples):
        sizes = np.maximum(1, 3 * (1 + rng.pareto(1.2, 12))).astype(int).clip(max=200)
        group = np.repeat(np.arange(12), sizes)
        outcome = rng.normal(size=12)[group] + rng.normal(size=group.size)
        p = Predictions.of(outcome=outcome, better="higher", group=group)
        limits = evaluate(p, "mean_outcome")["mean_outcome"].interval
        held += limits.low <= 0 <= limits.high
    assert held / samples > 0.9


@Each("m", [m for m in VARIANTS if m.smooth and m.task == "classification"])
def test_groups_of_copies_are_worth_one_case_each(m):
    """Divisors are by class for groups where they are for cases: each case twice, in a group of its own, is one case."""
    for case in CASES:
        if m.lacks(case.predictions) or not case.wholesome or case.perfect:
            continue
        twice = np.repeat(np.arange(case.n), 2)
        p, copies = case.predictions, case.rows(twice, group=twice)
        moved = influence(m, p)
        if moved is None or p.weight is not None or grows(moved, p.weights):
            continue
        assert measure_error(m, [copies])[0] == pytest.approx(measure_error(m, [p])[0], rel=1e-9)


def test_a_class_of_one_group_shows_no_variation():
    p = Predictions.of([1, 1, 0, 0, 0, 0], score=[3, 1, 2, 0, 0, 1], group=[0, 0, 1, 1, 2, 2])
    assert "a class has cases in a single group" in evaluate(p, "auc")["auc"].why_no_interval
