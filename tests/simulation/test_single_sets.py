"""Default intervals of single test sets hold: a seeded slice, and what the committed table says."""

import math
from pathlib import Path

import pytest

from . import single_sets
from .comparisons import read

TABLE = Path(__file__).parents[2] / "docs" / "validity" / "single-sets.csv"
HEAVY = ("3 df", "log-normal", "times as large", "skewed errors")  # named on the page


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["AUC 0.98, unequal, 10 % positive", "Laplace errors"])
def test_a_slice_of_the_grid(name, monkeypatch):
    """Where 95 of 100 hold, fewer than 102 of 120 do in one of a hundred thousand runs."""
    monkeypatch.setattr(single_sets, "LARGE", 200_000)
    for row in single_sets.held(name, 120, seed=1, sizes=(100,)):
        assert row["method"] != "auto" or row["coverage"] >= 0.85, row


def test_the_committed_table_says_what_the_documentation_claims():
    """Every area is held; losses are, except with heavy tails, and these are mostly said to have them."""
    rows = [r for r in read(TABLE) if r["method"] == "auto"]
    assert {r["cases"] for r in rows} == {*single_sets.CELLS}
    for r in rows:
        chance = 2 * math.sqrt(0.05 * 0.95 / int(r["given"]))
        held, heavy = float(r["coverage"]), any(name in r["cases"] for name in HEAVY)
        assert held >= 0.93 - (chance if r["measure"] != "auc" else 0) or heavy, r
        few_skewed = (r["cases"], r["n"]) == ("skewed errors", "30")  # named on the page
        assert held >= 0.9 or float(r["said"]) >= 0.5 or few_skewed, r
        if r["cases"] in {"normal errors", "even errors"} and int(r["n"]) >= 100:
            assert float(r["said"]) <= 0.05, r
