"""The price of choosing is paid back: a seeded slice of the simulation, and the committed table."""

import csv
from pathlib import Path

import numpy as np
import pytest

from simulation.choosing import DESIGNS, MODELS, SEARCHES, SEED, row_of, sample, side_by_side

TABLE = Path(__file__).parents[2] / "docs" / "validity" / "choosing.csv"


def read(path):
    with path.open() as file:
        return list(csv.DictReader(file))


@pytest.mark.thorough
def test_a_slice_of_the_simulation():
    """Fifty equal models of a hundred cases: the best looks ten per cent better than it is."""
    row = row_of(DESIGNS[0], 100, 30, replicates=100)
    assert row["bias_naive"] > 0.08
    assert abs(row["bias_bbc"]) < 0.03
    assert row["covers_naive"] < 0.6
    assert row["covers_bbc"] >= 0.95
    assert row["bound_holds"] >= 0.85


@pytest.mark.thorough
@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: f"{d.name} {d.measure}")
def test_every_design_has_a_truth_between_its_ends(design):
    found = sample(design, 100, 0, replicates=20)
    assert 0.5 < found[0] < 0.9
    assert len(found) == 9


def test_the_committed_table_says_what_the_documentation_claims():
    rows = read(TABLE)
    assert [(r["design"], r["measure"], int(r["n"])) for r in rows] == [
        (d.name, d.measure, n) for d in DESIGNS for n in d.sizes
    ]
    assert {r["seed"] for r in rows} == {str(SEED)}
    for r in rows:
        assert float(r["covers_bbc"]) >= 0.97, r
        assert abs(float(r["bias_bbc"])) < 0.2 * float(r["bias_naive"]), r
        assert float(r["covers_naive"]) < 0.8, r
        assert r["bound_holds"] == "" or float(r["bound_holds"]) >= 0.9, r
    assert side_by_side(rows) == read(TABLE.with_name("choosing-95.csv"))
    assert MODELS == 50
    assert np.isfinite([float(r["width_bbc"]) for r in rows]).all()


def test_the_record_of_searches_is_of_these_settings():
    rows = read(TABLE.with_name("choosing-searches.csv"))
    assert [(r["design"], int(r["n"])) for r in rows] == [(d.name, n) for d in SEARCHES for n in d.sizes]  # fmt: skip
    for r in rows:
        assert float(r["covers_bbc"]) >= 0.93, r
        assert abs(float(r["bias_bbc"])) < 0.5 * float(r["bias_naive"]), r
        assert float(r["bound_holds"]) >= 0.9, r
    assert side_by_side(rows) == read(TABLE.with_name("choosing-searches-95.csv"))


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: f"{d.name} {d.measure}")
def test_the_simulation_again(design):
    row = row_of(design, 100, 100)
    assert row["covers_bbc"] >= 0.96, row
    assert abs(row["bias_bbc"]) < 0.03, row
