"""Tests of calibration reject as often as they say: a seeded slice, and the committed table."""

import csv
from pathlib import Path

import pytest

from simulation.calibration import LEVEL, NAMES, SIZES, rejections

TABLE = Path(__file__).parents[2] / "docs" / "validity" / "calibration-tests.csv"


def slack(repetitions, sigmas=4):
    return sigmas * (LEVEL * (1 - LEVEL) / repetitions) ** 0.5


@pytest.mark.thorough
def test_a_slice_of_the_simulation():
    """Four standard errors around the nominal level; power of each against a slope of 0.7."""
    fine, off = (rejections(500, slope, 150, seed=3) for slope in (1.0, 0.7))
    for name in NAMES:
        assert abs(fine[name] - LEVEL) <= slack(150), name
        assert off[name] > fine[name] + slack(150), name


def test_the_committed_table_says_what_the_documentation_claims():
    with TABLE.open() as file:
        found = list(csv.DictReader(file))
    assert {(r["test"], int(r["n"])) for r in found} == {(t, n) for t in NAMES for n in SIZES}
    for r in found:
        share, repetitions = float(r["rejected"]), int(r["repetitions"])
        assert repetitions >= 2000
        if r["probabilities"] == "calibrated":
            assert abs(share - LEVEL) <= 0.015 + slack(repetitions), r
        elif int(r["n"]) >= 500:
            assert share > 0.3, r
    power = {
        (r["test"], r["n"]): float(r["rejected"])
        for r in found
        if r["probabilities"] != "calibrated"
    }
    assert all(power[t, "2000"] > power[t, "500"] > power[t, "100"] for t in NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("n", SIZES)
def test_the_simulation_again(n):
    for name, share in rejections(n, 1.0, 2000, seed=5).items():
        assert abs(share - LEVEL) <= 0.015 + slack(2000), name
