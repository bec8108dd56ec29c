"""Bootstrap intervals of measures that jump hold the truth, and their own value, with skill and without."""

import csv
from pathlib import Path

import numpy as np
import pytest

from credibly.measures import measures
from simulation.jumps import APART, SIZES, coverage, tried

TABLE = Path(__file__).parents[2] / "docs" / "validity" / "jumps.csv"
LIFTED = [name for name in tried() if measures[name].lifted]


def test_there_are_measures_that_chance_lifts():
    assert LIFTED


@pytest.mark.thorough
@pytest.mark.parametrize("apart", [0.0, 0.2, 3.0], ids=["no skill", "weak skill", "strong skill"])
@pytest.mark.parametrize("n", [50, 200])
@pytest.mark.parametrize("name", LIFTED)
def test_a_slice_of_the_simulation(name, n, apart):
    """Within two errors of the committed share; quantiles of the replicates hold 0 to 85 % here."""
    row = coverage(name, n, apart, 80, replicates=100)
    assert row["made"] > 40, row
    with TABLE.open() as file:
        (known,) = (
            float(r["coverage"])
            for r in csv.DictReader(file)
            if (r["measure"], int(r["n"]), float(r["apart"])) == (name, n, apart)
        )
    assert row["coverage"] >= known - 2 * np.sqrt(max(known * (1 - known), 0.02) / row["made"]), row
    assert not row["value_outside"], row


def test_the_committed_table_says_what_the_documentation_claims():
    with TABLE.open() as file:
        rows = list(csv.DictReader(file))
    assert {r["measure"] for r in rows} == set(LIFTED)
    assert {(int(r["n"]), float(r["apart"])) for r in rows} == {
        (n, a) for n in SIZES for a in APART
    }
    assert all(float(r["coverage"]) >= 0.91 and int(r["value_outside"]) == 0 for r in rows)


@pytest.mark.slow
@pytest.mark.parametrize("apart", APART)
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", tried())
def test_the_simulation_again(name, n, apart):
    row = coverage(name, n, apart, 200)
    if row["made"] < 100:
        pytest.skip("most samples show no variation")
    assert row["coverage"] >= (0.88 if measures[name].lifted else 0.85), row
    assert not row["value_outside"], row
