"""Tests of calibration reject as often as they say: a seeded slice, and the committed table."""

import csv
from pathlib import Path

import pytest

from simulation.calibration import (
    LEVEL,
    LEVEL_OF_VERDICT,
    NAMES,
    PREVALENCES,
    SIZES,
    VERDICT_SIZES,
    rejections,
    verdicts,
)

VALIDITY = Path(__file__).parents[2] / "docs" / "validity"
TABLE, VERDICTS = VALIDITY / "calibration-tests.csv", VALIDITY / "calibration-verdict.csv"


def slack(repetitions, sigmas=4, level=LEVEL):
    return sigmas * (level * (1 - level) / repetitions) ** 0.5


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


def judge_verdicts(found):
    """False alarms at most the level, and S-shapes found where there are cases enough."""
    for r in found:
        share, n, repetitions = float(r["rejected"]), int(r["n"]), int(r["repetitions"])
        if not r["probabilities"].startswith("S"):
            assert share <= LEVEL_OF_VERDICT + slack(repetitions, 3, LEVEL_OF_VERDICT), r
        elif n >= 2000:
            assert share > 0.9, r


@pytest.mark.thorough
def test_a_slice_of_the_verdicts():
    judge_verdicts(verdicts(60, {400: 1, 2000: 1}, seed=8))


def test_the_committed_verdicts_hold_their_level_and_find_what_is_off():
    with VERDICTS.open() as file:
        found = list(csv.DictReader(file))
    assert len(found) == 3 * len(PREVALENCES) * len(VERDICT_SIZES)
    judge_verdicts(found)
