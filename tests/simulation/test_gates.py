"""A seeded slice of the simulation of gates: false passes and failures at the margin."""

import pytest
from tests.simulation.gates import CELLS, drawn

DAILY = ["pass rate 0.8, margin 0.02, 60 cases", "AUC 0.95, margin 0.02, 150 cases, 20% positive"]


@pytest.mark.thorough
@pytest.mark.parametrize("name", DAILY)
def test_a_slice_of_the_table(name):
    told = drawn(name, range(60))
    assert told.count("pass") <= 8  # 3 are expected, and more than 8 in 1 of 300 such slices
    assert told.count("fail") <= 8


@pytest.mark.slow
@pytest.mark.parametrize("name", [c for c in CELLS if not c.startswith("rarer")])  # fmt: skip
def test_verdicts_at_the_margin_are_seldom(name):
    told = drawn(name, range(200))
    assert told.count("pass") <= 21  # of 200 at 5 %: more in 1 of 1,000 tables
    assert told.count("fail") <= 21
