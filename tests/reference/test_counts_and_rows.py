"""A table of counts gives what the rows give that it stands for: numbers, intervals, tests, plots, checks, report."""

import json
import math

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

import credibly
from credibly import CostMatrix, CrediblyError, Predictions
from credibly.comparisons import comparisons
from credibly.measures import measures
from credibly.plots import plots
from examples import examples

NAMES = ("no", "yes", "maybe", "never", "perhaps")


@st.composite
def tables(draw, size=None):
    """Counts of two to five classes; cells, rows and columns may be empty, but not all."""
    k = size or draw(st.integers(2, 5))
    cell = st.sampled_from([0, 0, 1, 2, 3, 7, 12])
    table = np.array(draw(st.lists(cell, min_size=k * k, max_size=k * k))).reshape(k, k)
    assume(table.any())
    return table


def classes_of(table):
    return NAMES[: len(table)]


def from_rows(table, **told):
    """The slow twin: every case is a row."""
    actual, predicted = np.nonzero(table)
    times = table[actual, predicted]
    names = np.array(classes_of(table))
    columns = (names[np.repeat(place, times)] for place in (actual, predicted))
    return Predictions.of(next(columns), label=next(columns), classes=classes_of(table), **told)


def from_table(table, **told):
    return Predictions.from_counts(table.tolist(), classes=classes_of(table), **told)


def answer(make):
    """What a call gives as JSON, or the kind of its refusal."""
    try:
        made = make()
    except CrediblyError as error:
        return type(error).__name__
    return json.loads(made.to_json())


def assert_alike(one, other, at=""):
    """The same keys and words, and numbers that are the same but for rounding."""
    if isinstance(one, dict):
        assert one.keys() == other.keys(), at
        for key in one:
            assert_alike(one[key], other[key], f"{at}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(other), at
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            assert_alike(a, b, f"{at}[{i}]")
    elif isinstance(one, float) and isinstance(other, float | int):
        assert math.isclose(one, other, rel_tol=1e-7, abs_tol=1e-9), (at, one, other)
    else:
        assert one == other, at


def both(table, ask, **told):
    """Ask rows and counts the same."""
    one, other = (
        answer(lambda p=p: ask(p)) for p in (from_rows(table, **told), from_table(table, **told))
    )
    assert_alike(one, other)
    return one


def of_labels(p):
    return [m.name for m in measures if m.takes == "label" and not m.lacks(p)]


@given(tables(), st.sampled_from([None, "macro", "weighted"]))
def test_every_measure_of_labels_with_its_interval(table, average):
    told = {"positive": "yes"} if average is None else {}
    assert of_labels(from_rows(table, **told)) == of_labels(from_table(table, **told))
    both(table, lambda p: credibly.evaluate(p, of_labels(p), average=average), **told)


@given(tables(size=3))
def test_by_class_and_at_another_level(table):
    names = ["recall", "precision", "f1", "error_rate"]
    both(table, lambda p: credibly.evaluate(p, names, by=["class"], confidence_level=0.8))


def test_the_bootstrap_draws_cases():
    table = np.array([[40, 9], [3, 28]])
    limits = [
        credibly.evaluate(p, "kappa", interval="bootstrap", rng=7)["kappa"].interval
        for p in (from_rows(table), from_table(table))
    ]
    assert limits[0].low == pytest.approx(
        limits[1].low, abs=0.03
    )  # other draws, the same distribution
    assert limits[0].high == pytest.approx(limits[1].high, abs=0.03)


@given(tables(size=3), tables(size=3), st.sampled_from(["error_rate", "kappa", "accuracy"]))
def test_two_models_on_different_cases(first, second, measure):
    made = [
        answer(lambda f=f: credibly.compare(f(first), f(second), measure, independent=True))
        for f in (from_rows, from_table)
    ]
    assert_alike(*made)


@given(tables(), st.sampled_from([0.2, 0.5, 0.9]))
def test_against_a_value(table, value):
    both(table, lambda p: credibly.compare(p, measure="accuracy", against=value))


@pytest.mark.parametrize(
    ("reads", "told"), [("Samples", {"independent": True}), ("Single", {"against": 0.7})]
)
def test_every_test_of_other_cases_and_of_one_model(reads, told):
    tables = np.array([[30, 6], [4, 25]]), np.array([[28, 8], [9, 22]])
    tried = 0
    for entry in comparisons:
        if entry.reads.__name__ != reads or entry.random:  # draws of rows and of counts differ
            continue
        made = []
        for make in (from_rows, from_table):
            models = dict(zip("ab", map(make, tables[: 1 + (reads == "Samples")]), strict=False))
            asked = {"measure": "accuracy", "test": entry.name, **told}
            made.append(answer(lambda m=models, a=asked: credibly.compare(m, **a)))
        assert_alike(*made, entry.name)
        tried += isinstance(made[0], dict)
    assert tried


def test_cells_of_two_tables_are_not_the_same_cases():
    p = from_table(np.array([[30, 6], [4, 25]]))
    with pytest.raises(CrediblyError, match="counts do not say which case is which") as caught:
        credibly.compare(p, p)
    assert "independent=True" in str(caught.value)


@given(tables())
def test_checks(table):
    made = [
        credibly.check(f(table, positive="yes"), prevalence=0.3) for f in (from_rows, from_table)
    ]
    verdicts = [{c["code"]: c for c in json.loads(m.to_json())["checks"]} for m in made]
    for found in verdicts:
        assert (
            found["drift"]["status"] == "not applicable"
        )  # sorted rows, and counts: neither has an order
        del found["drift"]
    assert_alike(*verdicts)


@examples(4)
@given(tables())
def test_report(table):
    k = len(table)
    costs = CostMatrix(np.arange(k * k, dtype=float).reshape(k, k) % 7, classes=classes_of(table))
    made = [
        json.loads(credibly.report(f(table), costs=costs, command="the same").to_json())
        for f in (from_rows, from_table)
    ]
    size = f"{table.sum()} "
    for each in made:
        each["checks"] = {c["code"]: c["status"] for c in each["checks"]}
        assert each["facts"].pop("predictions").startswith(size)
        assert each["facts"].pop("fingerprint")  # of the columns as they are kept
    assert_alike(*made)


@given(tables())
def test_decisions_by_a_cost_matrix(table):
    k = len(table)
    costs = CostMatrix(np.arange(k * k, dtype=float).reshape(k, k) % 7, classes=classes_of(table))
    both(table, lambda p: credibly.evaluate(p, ["average_cost", "total_cost"], costs=costs))
    both(table, lambda p: credibly.decide(p, costs).table)


@pytest.mark.parametrize("table", [[[50, 3], [4, 30]], [[9, 2, 1], [0, 7, 3], [4, 0, 0]]], ids=len)
def test_plots(table):
    table = np.array(table)
    drawn = 0
    for kind in plots:
        figures = []
        for make in (from_rows, from_table):
            try:
                figures.append(credibly.plot(make(table), kind.name).spec())
            except CrediblyError as error:
                figures.append(type(error).__name__)
        assert_alike(*figures, kind.name)
        drawn += isinstance(figures[0], dict)
    assert drawn


def test_as_many_cases_as_a_double_can_count():
    p = Predictions.from_counts([[4_000_000_000, 1], [2, 3_000_000_000]], classes=[0, 1])
    table = credibly.evaluate(p)
    assert table["accuracy"].n == p.cases == 7_000_000_003
    assert table["error_rate"].value == pytest.approx(3 / 7_000_000_003, rel=1e-12)
    assert p.n == 4
