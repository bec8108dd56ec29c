"""Intervals and tests of forecasts hold about as often as they say."""

import csv
from pathlib import Path

import pytest

from simulation.forecasts import CELLS, row_of

TABLE = Path(__file__).parents[2] / "docs" / "validity" / "forecasts.csv"


def test_a_slice_of_the_simulation():
    assert row_of("skill of 150 cases", 60)["share"] >= 0.86  # 95 % less 3 errors


@pytest.mark.parametrize(
    "name", [n for n in CELLS if "interval_score" not in n]
)  # the page names these
def test_the_published_table_holds(name):
    rows = {r["what"]: r for r in csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines())}
    share = float(rows[name]["share"])
    assert share >= 0.9 if rows[name]["of"] == "held" else share <= 0.1, rows[name]
