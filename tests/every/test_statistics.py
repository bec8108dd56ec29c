"""Every statistic of columns: its worked example, a slow twin of it, and its bootstrap."""

import statistics as slow

import numpy as np
import pytest
from hypothesis import given, strategies as st

from credibly import DataError, ParameterError
from credibly.intervals import bootstrap_rows, statistics
from every.additions import ByHand, example_runs

NUMBERS = st.lists(
    st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=4, max_size=12
).filter(lambda rows: all(len(set(column)) > 1 for column in zip(*rows, strict=True)))


def trimmed(x, _):
    cut = len(x) // 4
    return slow.mean(sorted(x)[cut : len(x) - cut])


TWINS = ByHand(
    "Add a slow twin of {name} to TWINS of tests/every/test_statistics.py.",
    {
        "mean": lambda x, _: slow.mean(x),
        "trimmed_mean(share=0.25)": trimmed,
        "median": lambda x, _: slow.median(x),
        "quantile(q=0.75)": lambda x, _: slow.quantiles(x, n=4, method="inclusive")[2],
        "standard_deviation": lambda x, _: slow.stdev(x),
        "variance": lambda x, _: slow.variance(x),
        "ratio_of_means": lambda x, y: sum(x) / sum(y) if sum(y) else np.nan,
        "difference_of_means": lambda x, y: slow.mean([a - b for a, b in zip(x, y, strict=True)]),
        "correlation": lambda x, y: slow.correlation(x, y),
        "rank_correlation": lambda x, y: slow.correlation(ranks(x), ranks(y)),
    },
)
CALLS = list(TWINS)


def ranks(x):
    return [sum(b < a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]


def columns_of(entry, *columns):
    return [np.array(c, float) for c in columns[: entry.width]]


def test_every_statistic_is_tried():
    tried = {statistics.parse(call).name: call for call in CALLS}
    ByHand(TWINS.advice, tried).check_complete(e.name for e in statistics)


@pytest.mark.parametrize("entry", list(statistics), ids=lambda e: e.name)
def test_worked_examples(entry):
    example_runs(entry, np=np, **{entry.name: entry})


@pytest.mark.parametrize("call", CALLS)
@given(rows=NUMBERS)
def test_slow_twins(call, rows):
    entry, (x, y) = statistics.parse(call), zip(*rows, strict=True)
    want = TWINS[call](list(x), list(y))
    got = entry(*columns_of(entry, x, y))
    assert got == pytest.approx(float(want), rel=1e-9, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("call", CALLS)
def test_a_bootstrap_is_that_of_the_function(call):
    rng = np.random.default_rng(3)
    entry = statistics.parse(call)
    columns = columns_of(entry, rng.normal(5, 1, 20), rng.normal(8, 1, 20))
    named = bootstrap_rows(call, *columns, replicates=50, rng=1)
    plain = bootstrap_rows(lambda *c: entry(*c), *columns, replicates=50, rng=1)
    assert named.value == plain.value
    assert named.replicates.tolist() == plain.replicates.tolist()
    assert named.name == call
    assert not named.findings


def test_the_error_of_a_mean_is_the_known_one():
    x = np.random.default_rng(5).normal(0, 2, 400)
    drawn = bootstrap_rows("mean", x, replicates=4000, rng=1)
    known = x.std() / np.sqrt(400)
    assert drawn.standard_error == pytest.approx(known, rel=4 / np.sqrt(2 * 4000))
    assert drawn.limits.low < x.mean() < drawn.limits.high


def test_rows_without_a_number_are_left_out_and_counted():
    drawn = bootstrap_rows("correlation", [1, 2, np.nan, 4, 5.0], [1, 3, 2, np.nan, 4], replicates=50, rng=1)  # fmt: skip
    assert drawn.n == 3
    codes = {f.code for f in drawn.findings}
    assert codes == {"rows-without-numbers", "undefined-replicates"}
    assert np.isnan(drawn.replicates).any()
    assert drawn.standard_error > 0


@pytest.mark.parametrize(
    ("call", "columns", "error", "said"),
    [
        ("quantile", [[1, 2, 3]], ParameterError, "needs q"),
        ("quantile(q=2)", [[1, 2, 3]], ParameterError, "between 0 and 1"),
        ("medain", [[1, 2, 3]], ParameterError, "median"),
        ("correlation", [[1, 2, 3]], ParameterError, "takes 2 columns; got 1"),
        ("mean", [], ParameterError, "takes 1 column; got 0"),
        ("correlation", [[1, 2, 3], [1, 2]], DataError, "same length"),
        ("mean", [[np.nan, 1]], DataError, "at least 2"),
        ("mean", [["a", "b"]], DataError, "not a number in 2 rows"),
        ("mean", [[1, np.inf]], DataError, "inf"),
    ],
)
def test_what_has_no_such_statistic_is_refused(call, columns, error, said):
    with pytest.raises(error, match=said):
        bootstrap_rows(call, *columns, rng=1)
