"""Intervals and tests of forecasts hold about as often as they say."""

import csv
from pathlib import Path

import pytest

from simulation.coverage import missed
from simulation.forecasts import BAD, CELLS, row_of

TABLE = Path(__file__).parents[2] / "docs" / "validity" / "forecasts.csv"


@pytest.mark.thorough
def test_a_slice_of_the_simulation():
    assert row_of("skill of 150 cases", 60)["share"] >= 0.86  # 95 % less 3 errors


def test_only_cells_that_the_page_names_miss_what_is_said():
    rows = {r["what"]: r for r in csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines())}
    assert set(rows) == set(CELLS)
    assert {name for name, r in rows.items() if missed(r)} == BAD
