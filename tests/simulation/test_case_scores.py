"""Intervals and tests of sets of labels and of rankings hold about as often as they say."""

import csv
from pathlib import Path

import pytest

from simulation.case_scores import BAD, CELLS, row_of
from simulation.coverage import missed

TABLE = Path(__file__).parents[2] / "docs" / "validity" / "case-scores.csv"


@pytest.mark.thorough
def test_a_slice_of_the_simulation():
    assert row_of("labels of 60 cases: macro recall", 60)["share"] >= 0.86  # 95 % less 3 errors


def test_only_cells_that_the_page_names_miss_what_is_said():
    rows = {r["what"]: r for r in csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines())}
    assert set(rows) == set(CELLS)
    assert {name for name, r in rows.items() if missed(r)} == BAD
