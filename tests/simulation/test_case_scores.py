"""Intervals of sets of labels and of rankings hold the true value about as often as they say."""

import csv
from pathlib import Path

import pytest

from simulation.case_scores import CELLS, coverage

TABLE = Path(__file__).parents[2] / "docs" / "validity" / "case-scores.csv"


@pytest.mark.thorough
def test_a_slice_of_the_simulation():
    assert (
        coverage("labels of 60 cases: macro recall", 60)["coverage"] >= 0.86
    )  # 95 % less 3 errors


@pytest.mark.parametrize("name", CELLS)
def test_the_published_table_holds(name):
    rows = {r["what"]: r for r in csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines())}
    assert 0.9 <= float(rows[name]["coverage"]) <= 0.995, rows[name]
