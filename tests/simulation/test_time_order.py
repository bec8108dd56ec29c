"""Intervals and comparisons in time order: a seeded slice, and the committed tables."""

import csv
from pathlib import Path

import pytest

from simulation.time_order import CORRELATIONS, MEASURES, SIZES, WAYS, alarms, coverage

FOLDER = Path(__file__).parents[2] / "docs" / "validity"


def read(name):
    with (FOLDER / name).open() as file:
        return list(csv.DictReader(file))


@pytest.mark.thorough
def test_a_slice_of_the_simulation():
    rows = coverage("in time, 0.5", 200, 60, population=200_000)
    slack = 4 * (0.95 * 0.05 / 60) ** 0.5
    for row in rows:
        if row["interval"] != WAYS["naive"]:
            assert row["coverage"] >= 0.93 - slack, row
    shown = {(r["test"], r["models"]): r["rejected"] for r in alarms("in time, 0.5", 400, 60)}
    assert shown["long-run variance", "equal"] <= 0.05 + slack
    assert shown["long-run variance", "unequal"] > shown["corrected t over folds", "unequal"]


@pytest.mark.skipif(
    not (FOLDER / "time-order.csv").exists(), reason="the table of the full simulation is not there"
)
def test_the_committed_tables_say_what_the_documentation_claims():
    rows = read("time-order.csv")
    assert {(float(r["correlation"]), int(r["n"])) for r in rows} == {
        (c, n) for c in CORRELATIONS.values() for n in SIZES
    }
    assert {r["measure"] for r in rows} == {*MEASURES}
    assert {r["interval"] for r in rows} == {*WAYS.values()}
    assert all(int(r["repetitions"]) >= 1000 for r in rows)
    for r in rows:
        if r["interval"] == "long-run variance" and float(r["correlation"]) <= 0.5:
            assert 0.925 <= float(r["coverage"]) <= 0.98, r
    for r in read("time-order-tests.csv"):
        assert float(r["long-run variance, equal"]) <= 9, r
        if float(r["correlation"]) == 0.5:
            assert float(r["long-run variance, unequal"]) > float(
                r["corrected t over folds, unequal"]
            ), r
