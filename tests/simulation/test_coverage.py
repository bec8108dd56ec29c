"""Intervals contain the truth as often as promised: a seeded slice, and the committed table."""

import csv
from pathlib import Path

import numpy as np
import pytest

from credibly import Predictions
from credibly.intervals._declare import EstimateRequest
from credibly.intervals.methods import interval_for
from credibly.measures import measures
from credibly.predictions.summaries import BinaryCounts, Counts
from simulation.coverage import CLASSIFICATION, NUMERIC, classes, coverage, numbers

TABLE = Path(__file__).parents[2] / "docs" / "validity" / "coverage.csv"


def bounds(level, repetitions, sigmas=4):
    """The coverage that chance allows when the true one is between 93 and 97 % (for 95 %)."""
    slack = sigmas * (level * (1 - level) / repetitions) ** 0.5
    return level - 0.02 - slack, min(1.0, level + 0.02 + slack)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("draw", "names", "n", "balance", "grouped"),
    [
        (
            classes,
            ("accuracy", "fbeta", "mcc", "auc", "average_precision", "brier"),
            100,
            "balanced",
            False,
        ),
        (
            classes,
            ("accuracy", "fbeta", "mcc", "auc", "average_precision", "brier"),
            150,
            "balanced",
            True,
        ),
        (numbers, NUMERIC, 100, "numeric", False),
    ],
)
def test_a_slice_of_the_simulation(draw, names, n, balance, grouped):
    repetitions = 120
    rows = coverage(draw, names, n, balance, grouped, repetitions, population=400_000)
    for row in rows:
        low, high = bounds(row["level"], repetitions)
        assert low <= row["coverage"] <= high, row


@pytest.mark.skipif(not TABLE.exists(), reason="the table of the full simulation is not there")
def test_the_committed_table_says_what_the_documentation_claims():
    """Within 93 to 97 % wherever ten cases are expected in each cell and there are twenty groups."""
    with TABLE.open() as file:
        rows = [r for r in csv.DictReader(file) if float(r["level"]) == 0.95]
    assert {r["measure"] for r in rows} == {*CLASSIFICATION, *NUMERIC}
    assert all(int(r["repetitions"]) >= 2000 for r in rows)
    wide = [
        r
        for r in rows
        if (r["cases"], r["n"])
        in {("balanced", "1000"), ("5 % positive", "1000"), ("numeric", "1000"), ("numeric", "100")}
        or (r["cases"], r["n"], r["grouped"]) == ("balanced", "100", "1")
        or (r["cases"], r["n"], r["grouped"]) == ("balanced", "100", "0")
    ]
    for r in wide:
        assert 0.93 <= float(r["coverage"]) <= 0.97, r


@pytest.mark.slow
@pytest.mark.parametrize("n", [100, 1000])
def test_the_simulation_again(n):
    for row in coverage(classes, CLASSIFICATION, n, "balanced", False, 1000):
        low, high = bounds(row["level"], 1000)
        assert low <= row["coverage"] <= high, row


@pytest.mark.thorough
@pytest.mark.parametrize("n", [10**4, 10**8])
def test_a_rare_class_among_any_number_of_cases(n):
    """Twenty positive cases in all, of which fourteen are found: tables drawn whole."""
    chosen = [
        m
        for m in measures
        if m.reads in {Counts, BinaryCounts}
        and m.smooth
        and not any(q.required for q in m.parameters)
        and all(np.isfinite(m.range))
        and m.name not in {"unclassified_rate", "prevalence", "accuracy", "error_rate"}
    ]
    expected = np.array([14, 6, 10, n - 30])
    cells = {"label": [1, 0, 1, 0], "classes": [0, 1], "positive": 1}

    def table(counts):
        return Predictions.of([1, 1, 0, 0], sample_weight=counts, weight_kind="frequency", **cells)

    true = {m.name: m.value(table(expected)) for m in chosen}
    chosen = [m for m in chosen if true[m.name] not in m.range]  # of two classes all are neighbours
    held = dict.fromkeys((m.name for m in chosen), 0)
    drawn = np.random.default_rng(1).multinomial(n, expected / n, size=300)
    for counts in drawn:
        p = table(counts)
        for m in chosen:
            limits, why = interval_for(EstimateRequest(m, p, value=m.value(p)))
            assert limits is not None, (m.name, counts, why)
            held[m.name] += limits.low <= true[m.name] <= limits.high
    assert all(0.91 <= h / len(drawn) <= 0.99 for h in held.values()), held
