"""What must hold of every decomposition of a loss, naming none of them."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, strategies as st

from credibly import ParameterError
from credibly.bias_variance import Values, Votes, decomposition, decompositions
from credibly.bias_variance._declare import Part
from each import Each
from every.additions import example_runs

EVERY = list(decompositions)
CORRECTED = [
    d.given(corrected=True) for d in EVERY if any(q.name == "corrected" for q in d.parameters)
]
by_name = Each("entry", EVERY)
with_arguments = Each("entry", [*EVERY, *CORRECTED], lambda d: d.call)
LABELS = 4


@st.composite
def vote_tables(draw):
    """Labels with gaps, ties among them, and a truth that is certain, even or anything."""
    n, k, sets = draw(st.integers(1, 6)), draw(st.integers(2, LABELS)), draw(st.integers(2, 7))
    codes = st.lists(st.integers(0, k - 1), min_size=sets, max_size=sets)
    labels = np.array(draw(st.lists(codes, min_size=n, max_size=n)))
    gaps = draw(st.lists(st.integers(2, sets - 1), max_size=sets)) if sets > 2 else []
    labels[0, gaps] = -1
    weights = st.lists(st.integers(0, 5), min_size=k, max_size=k).filter(any)
    truth = np.array([draw(weights) for _ in range(n)], float)
    return Votes.counted(labels, truth / truth.sum(axis=1, keepdims=True), tuple(range(k)))


@st.composite
def value_tables(draw, low, high, noise):
    n, sets = draw(st.integers(1, 5)), draw(st.integers(2, 6))
    number = st.floats(low, high, width=32)
    values = [[draw(number) for _ in range(sets)] for _ in range(n)]
    truth = [draw(number) for _ in range(n)]
    return Values.of(values, truth, [noise(t) for t in truth])


@st.composite
def probability_tables(draw):
    n, k, sets = draw(st.integers(1, 4)), draw(st.integers(2, 4)), draw(st.integers(2, 5))
    shares = st.lists(st.integers(1, 9), min_size=k, max_size=k)
    made = np.array([[draw(shares) for _ in range(sets + 1)] for _ in range(n)], float)
    made /= made.sum(axis=2, keepdims=True)
    truth = made[:, 0]
    return Values.measured(made[:, 1:], truth, 1 - (truth**2).sum(axis=1))


TABLES = {
    "label": vote_tables(),
    "number": value_tables(-100, 100, abs),
    "probability": value_tables(0, 1, lambda t: t * (1 - t)),
    "probabilities": probability_tables(),
}


def adds_up(entry, table):
    parts = entry(table)
    total = sum(entry.parts[name].sign * v for name, v in parts.values.items())
    np.testing.assert_allclose(total, parts.loss, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "entry", [e for e in [*EVERY, *CORRECTED] if e.identity], ids=lambda d: d.call
)
def test_the_parts_add_up_to_the_loss_of_each_case(entry):
    given(TABLES[entry.takes])(lambda table: adds_up(entry, table))()


def test_only_the_boundary_bias_is_shown_without_a_sum():
    assert [e.name for e in EVERY if not e.identity] == ["friedman"]


@pytest.mark.parametrize("entry", EVERY, ids=lambda d: d.name)
def test_parts_keep_to_their_ranges(entry):
    def check(table):
        for name, value in entry(table).values.items():
            low, high = entry.parts[name].range
            assert (value >= low - 1e-12).all(), name
            assert (value <= high + 1e-12).all(), name
        low, high = entry.loss_range
        assert ((table.loss >= low - 1e-12) & (table.loss <= high + 1e-12)).all()

    given(TABLES[entry.takes])(check)()


@with_arguments
def test_the_order_of_training_sets_and_of_classes_does_not_matter(entry):
    if entry.takes != "label":
        return

    def check(table):
        k = len(table.classes)
        here = entry(table)
        for order in itertools.islice(itertools.permutations(range(k)), 1, None):
            place = np.argsort([*order])
            labels = np.where(table.labels < 0, -1, place[table.labels])[:, ::-1]
            there = entry(Votes.counted(labels, table.truth[:, list(order)], table.classes))
            for name, value in here.values.items():
                np.testing.assert_allclose(value, there[name], atol=1e-12)

    given(TABLES["label"])(check)()


@by_name
def test_a_rule_that_is_always_right_loses_nothing_but_noise(entry):
    if entry.takes == "label":
        parts = entry(Votes.of([["a", "a"], ["b", "b"]], ["a", "b"]))
    else:
        parts = entry(Values.of([[1, 1], [0, 0]], [1.0, 0.0]))
    for name, value in parts.values.items():
        assert value.tolist() == ([-0.5, -0.5] if name == "boundary_bias" else [0, 0])


@with_arguments
def test_leaving_a_training_set_out_is_a_table_without_it(entry):
    rng = np.random.default_rng(2)
    if entry.takes == "label":
        labels, truth = rng.integers(0, 3, (5, 6)), np.eye(3)[rng.integers(0, 3, 5)]
        labels[0, 3:] = -1
        whole = Votes.counted(labels, truth, (0, 1, 2))
        rebuild = lambda keep, rows: Votes.counted(labels[rows][:, keep], truth[rows], (0, 1, 2))  # noqa: E731
    else:
        values, truth = rng.random((5, 6)), rng.random(5)
        values[0, 3:] = np.nan
        whole = Values.of(values, truth, 0.1)
        rebuild = lambda keep, rows: Values.of(values[rows][:, keep], truth[rows], 0.1)  # noqa: E731
    for i in range(6):
        rows, smaller = whole.without(i)
        assert set(rows.tolist()) == set(range(1 if i > 2 else 0, 5))
        direct = entry(rebuild([j for j in range(6) if j != i], rows))
        for name, value in entry(smaller).values.items():
            np.testing.assert_allclose(value, direct[name], rtol=1e-9, atol=1e-12)


@by_name
def test_is_described(entry):
    assert entry.title[0].isupper()
    assert entry.name.isidentifier()
    assert entry.summary.endswith(".")
    assert re.search(r"\b(19|20)\d\d\b", entry.cite)
    assert all(decompositions[a] is entry for a in (entry.name, *entry.aliases))
    assert all(p.title[0].isupper() and p.sign in {-1, 0, 1} for p in entry.parts.values())


@by_name
def test_worked_example_runs(entry):
    example_runs(entry, **{entry.name: entry})


@with_arguments
def test_its_call_reads_back(entry):
    assert decompositions.parse(entry.call).call == entry.call
    for q in entry.parameters:
        with pytest.raises(ParameterError, match=f"{entry.name}: {q.name} must be"):
            entry.given(**{q.name: q.rule.broken_by})


@by_name
def test_the_wrong_table_is_refused(entry):
    wrong = Values.of([[1, 2]], [1.0]) if entry.takes == "label" else Votes.of([[1, 2]], [1])
    if entry.takes == "number":
        return  # reads labels as -1 and +1
    with pytest.raises(ParameterError, match=f"{entry.name} is about a table of"):
        entry(wrong)


def test_what_does_not_add_up_is_refused():
    @decomposition(
        "Half", loss="Zero-one loss", takes="label", parts={"half": Part("Half")}, cite="2000"
    )
    def half(votes):
        return (votes.loss / 2,)

    try:
        with pytest.raises(ParameterError, match="half do not add up to the loss in 1 cases"):
            half(Votes.of([["a", "b"]], ["a"]))
    finally:
        decompositions.remove("half")
