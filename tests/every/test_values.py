"""What must hold of the value of every measure, whatever it measures."""

import numpy as np
import pytest

from credibly import CostMatrix, Predictions
from each import Each
from every.battery import (
    CASES,
    EVERY,
    VARIANTS,
    by_variant,
    cases_for,
    counts_cases,
    same,
    variants,
)

by_name = Each("m", EVERY)
with_arguments = by_variant(VARIANTS)
RNG = np.random.default_rng(4)
WEIGHTS = RNG.random(64) + 0.1
COUNTS = RNG.integers(0, 4, 64)
EIGHTHS = RNG.integers(1, 40, 64) / 8  # sums of these are exact, so merging must be


def weighted(case, scale=1.0):
    weight = scale * WEIGHTS[: case.n]
    return case.once(("weighted", scale), lambda: case.with_columns(sample_weight=weight))


def in_range(m, value):
    return np.isnan(value) or m.range[0] <= value <= m.range[1]


@with_arguments
def test_stays_in_its_range(m):
    cases = cases_for(m)
    assert cases
    for case in cases:
        assert in_range(m, m.value(case.predictions)), case
        if case.n:
            assert in_range(m, m.value(weighted(case))), case


@by_name
def test_perfect_predictions_attain_the_best_end(m):
    if m.best is None or np.isinf(m.best):
        return
    values = [v.value(c.predictions) for v in variants(m) for c in cases_for(v, perfect=True)]
    assert m.best in values


@by_name
def test_every_finite_end_is_attained(m):
    values = [v.value(c.predictions) for v in variants(m) for c in cases_for(v)]
    for end in m.range:
        if np.isfinite(end):
            assert np.nanmin(np.abs(np.array(values) - end)) < 1e-9, end


@with_arguments
def test_nothing_beats_perfect_predictions(m):
    """On the same truth, no predictions of the battery come closer to the best value."""
    if m.best is None:
        return

    def badness(value):
        if m.direction == "neither":
            return abs(value - m.best)
        return -value if m.direction == "higher" else value

    compared = 0
    for ideal in cases_for(m, perfect=True):
        truth = ideal.columns["y_true"]
        for other in cases_for(m):
            if np.array_equal(other.columns["y_true"], truth) and other.n:
                if "sample_weight" in other.columns:
                    continue
                if other.columns["baseline"] != ideal.columns["baseline"]:
                    continue
                value = m.value(other.predictions)
                if np.isnan(value):
                    continue
                compared += 1
                assert badness(m.value(ideal.predictions)) <= badness(value), other
    assert compared > 1


@by_name
def test_separates_good_from_bad(m):
    """A measure with a best value tells at least one bad prediction from a perfect one."""
    if m.best is None:
        return
    told = [
        v.value(ideal.predictions) != v.value(other.predictions)
        for v in variants(m)
        for ideal in cases_for(v, perfect=True)
        for other in cases_for(v, wholesome=True, perfect=False)
        if np.array_equal(other.columns["y_true"], ideal.columns["y_true"])
    ]
    assert any(told)


@by_name
def test_undefined_exactly_where_declared(m):
    values = {(v.call, c.name): v.value(c.predictions) for v in variants(m) for c in cases_for(v)}
    undefined = [k for k, v in values.items() if np.isnan(v)]
    wholesome = {c.name for c in CASES if c.wholesome}
    assert not [k for k in undefined if k[1] in wholesome]
    assert bool(undefined) == bool(m.undefined), undefined


@with_arguments
def test_order_of_rows_does_not_matter(m):
    for case in cases_for(m):
        order = np.random.default_rng(5).permutation(case.n)
        shuffled = case.once("shuffled", lambda c=case, o=order: c.rows(o))
        assert same(m.value(shuffled), m.value(case.predictions)), case
        if case.n:
            weight = WEIGHTS[: case.n]
            both = case.once("both", lambda c=case, o=order, w=weight: c.rows(o, sample_weight=w))
            assert same(m.value(both), m.value(weighted(case))), case


@with_arguments
def test_integer_weight_is_a_repeated_row(m):
    for case in cases_for(m):
        if not case.n or "sample_weight" in case.columns:
            continue
        count = np.maximum(COUNTS[: case.n], case.n == 1)
        repeated = case.once(
            "repeated", lambda c=case, k=count: c.rows(np.repeat(np.arange(c.n), k))
        )
        counted = case.once(
            "counted",
            lambda c=case, k=count: c.with_columns(sample_weight=k, weight_kind="frequency"),
        )
        assert same(m.value(counted), m.value(repeated)), case


@with_arguments
def test_zero_weight_is_a_removed_row(m):
    for case in cases_for(m):
        if case.n < 2:
            continue
        weight = np.where(np.arange(case.n) % 3 == 0, 0.0, WEIGHTS[: case.n])
        kept = np.flatnonzero(weight)
        zeros = case.once("zeros", lambda c=case, w=weight: c.with_columns(sample_weight=w))
        without = case.once("without", lambda c=case, w=weight, k=kept: c.rows(k, sample_weight=w))
        assert same(m.value(zeros), m.value(without)), case


def degree_of(m):
    """Return the power with which a measure grows with the weights: 0 unless it is a total."""
    found = set()
    for case in cases_for(m, wholesome=True):
        one, two = (
            m.value(case.with_columns(sample_weight=np.full(case.n, w))) for w in (1.0, 2.0)
        )
        found |= {d for d in (0, 1, 2) if np.isfinite(one) and one != 0 and same(two, 2**d * one)}
    assert len(found) <= 1, "a measure is a mean or a total, not now this and now that"
    return found.pop() if found else 0


@with_arguments
def test_the_scale_of_the_weights_matters_to_totals_only(m):
    if counts_cases(m):
        return  # its parameter is in cases, so it scales with them: the next test
    degree = degree_of(m)
    assert degree == 0 or not m.undefined, "only the total of nothing is defined"
    for case in cases_for(m):
        if not case.n:
            continue
        one = m.value(weighted(case))
        for scale in (0.3, 1e-9, 1e-98, 1e98):
            scaled = m.value(weighted(case, scale))
            assert same(scaled / scale**degree, one, rtol=1e-10, atol=1e-11), (case, scale)


@by_name
def test_a_number_of_cases_scales_with_the_weights(m):
    if not counts_cases(m):
        return
    name = m.parameters[0].name
    for case in cases_for(m.given(**{name: 3}), wholesome=True):
        weight = COUNTS[: case.n] + 1
        one = m.given(**{name: 3}).value(case.with_columns(sample_weight=weight))
        four = m.given(**{name: 12}).value(case.with_columns(sample_weight=4 * weight))
        assert same(one, four), case


def halves(case, weight):
    changed = {} if weight is None else {"sample_weight": weight}
    first, second = np.arange(case.n) % 3 == 0, np.arange(case.n) % 3 != 0
    return case.with_columns(**changed), case.rows(first, **changed), case.rows(second, **changed)


@with_arguments
@pytest.mark.parametrize("weight", [None, EIGHTHS], ids=["plain", "weighted"])
def test_summaries_merge_and_unmerge(m, weight):
    for case in cases_for(m):
        if case.n < 2 or "sample_weight" in case.columns:
            continue
        given = None if weight is None else weight[: case.n]
        whole, a, b = case.once(("halves", weight is None), lambda c=case, w=given: halves(c, w))
        sums = [m.summarise(p) for p in (whole, a, b)]
        for made, expected in [
            (sums[1] + sums[2], sums[0]),
            (sums[2] + sums[1], sums[0]),
            (sums[0] - sums[2], sums[1]),
            (sums[0] - sums[1], sums[2]),
        ]:
            value, wanted = float(m.of_summary(made)), float(m.of_summary(expected))
            assert same(value, wanted, rtol=1e-11, atol=1e-12), case


@with_arguments
def test_everything_removed_leaves_what_no_rows_give(m):
    for case in cases_for(m):
        summary = m.summarise(case.predictions)
        nothing = summary - summary
        no_rows = case.once("no rows", lambda c=case: c.rows(np.zeros(0, int)))
        expected = m.value(no_rows)
        assert same(float(m.of_summary(nothing)), expected), case
        assert same(float(m.of_summary(nothing + nothing)), expected), case
        back = float(m.of_summary(nothing + summary))
        assert same(back, float(m.of_summary(summary))), case


@with_arguments
def test_inputs_are_never_modified(m):
    for case in cases_for(m):
        given = {
            k: np.array(v) if isinstance(v, np.ndarray) else v for k, v in case.columns.items()
        }
        p = Predictions.of(**given)
        before = p.fingerprint
        m.value(p)
        for name, column in case.columns.items():
            assert np.array_equal(np.asarray(given[name]), np.asarray(column)), name
        assert p.fingerprint == before
        # The cached print would not show it: compute it anew.
        assert p.take(np.arange(p.n)).fingerprint == case.fresh().take(np.arange(p.n)).fingerprint


@with_arguments
def test_is_deterministic(m):
    for case in cases_for(m):
        one, two = m.value(case.fresh()), m.value(case.fresh())
        assert one == two or (np.isnan(one) and np.isnan(two))


def holes(case, gone):
    """Return the column that says what was observed with holes in it: the truth, or an outcome."""
    observed = "outcome" if "outcome" in case.columns else "y_true"
    numeric = "value" in case.columns or observed == "outcome"
    truth = np.array(case.columns[observed], float if numeric else object)
    truth[gone] = np.nan if numeric else None
    return {observed: truth}


@with_arguments
def test_rows_of_unknown_truth_are_ignored(m):
    for case in cases_for(m):
        gone = np.arange(case.n) % 4 == 1
        with_holes = case.once("holes", lambda c=case, g=gone: c.with_columns(**holes(c, g)))
        rest = case.once("rest", lambda c=case, g=gone: c.rows(~g))
        assert same(m.value(with_holes), m.value(rest)), case


def with_names(case, names):
    columns = dict(case.columns)
    for column in {"y_true", "label"} & set(columns):
        values = [None if c is None else names[c] for c in columns[column]]
        columns[column] = np.array(values, object)
    columns["classes"] = names[: len(columns["classes"])]
    if "positive" in columns:
        columns["positive"] = names[columns["positive"]]
    return Predictions.of(**columns)


def renamed(value, names):
    if isinstance(value, CostMatrix):
        return CostMatrix.of(value.values, [names[c] for c in value.classes])
    return value


@with_arguments
@pytest.mark.parametrize("names", [["x é", "x <y>", "a"], [False, True, 2]], ids=str)
def test_names_of_classes_do_not_matter(m, names):
    if m.task != "classification":
        return
    other = m.given(**{k: renamed(v, names) for k, v in m.arguments.items()})
    for case in cases_for(m):
        told = case.once(("names", str(names)), lambda c=case: with_names(c, names))
        assert same(other.value(told), m.value(case.predictions)), case
