"""A seeded slice of the simulation of conformal prediction, and what its committed table must say."""

import csv
from pathlib import Path

import numpy as np
import pytest
from tests.simulation.conformal import CELLS, coverage

TABLE = Path(__file__).parents[2] / "docs" / "validity" / "conformal.csv"


def rows():
    with TABLE.open(encoding="utf-8") as file:
        return {r["what"]: r for r in csv.DictReader(file)}


def test_the_table_holds_every_cell_and_the_guarantee():
    found = rows()
    assert [*found] == [*CELLS]
    promised = {w: r for w, r in found.items() if r["guaranteed"]}
    assert len(promised) == len(CELLS) - 3
    for what, r in promised.items():
        slack = 3 * float(r["chance moves it by"])
        assert float(r["coverage"]) >= float(r["guaranteed"]) - slack, what


@pytest.mark.parametrize(
    "what",
    [
        "least_ambiguous, 9 cases, level 0.9",
        "CV+ of least squares, 40 cases, 10 columns, 5 folds, level 0.9",
    ],
)
def test_a_slice_agrees_with_the_table(what):
    made, known = coverage(what, 12), rows()[what]
    error = float(known["chance moves it by"]) * np.sqrt(int(known["repetitions"]) / 12)
    assert abs(made["coverage"] - float(known["coverage"])) < 4 * error
