"""Intervals and tests of times to an event hold about as often as they say."""

import csv
from pathlib import Path

import pytest

from simulation.coverage import missed
from simulation.survival import BAD, CELLS, drawn, np

TABLE = Path(__file__).parents[2] / "docs" / "validity" / "survival.csv"


@pytest.mark.thorough
def test_a_slice_of_the_simulation():
    rejected = 0
    for seed in range(40):
        (a, _) = drawn(np.random.default_rng([7, seed]), 80, "a third").table("uno_c(until=30)")
        rejected += 0.7115 not in a.interval  # of 400,000 cases, none of which is censored
    assert rejected <= 7  # 5 % and 3 errors


def test_only_cells_that_the_page_names_miss_what_is_said():
    rows = {r["what"]: r for r in csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines())}
    assert set(rows) == set(CELLS)
    assert {name for name, r in rows.items() if missed(r)} == BAD
