"""Intervals for what was learned hold it: a seeded slice of the simulation, and the committed table."""

import csv
from pathlib import Path

import numpy as np
import pytest

from simulation.generalization import (
    DESIGNS,
    METHODS,
    SEED,
    numbers,
    pvalues,
    rows_of,
    sample,
    side_by_side,
    truth,
)

TABLE = Path(__file__).parents[2] / "docs" / "validity" / "generalization.csv"


@pytest.mark.thorough
def test_a_slice_of_the_simulation():
    design = DESIGNS[1]
    methods = ("nested_cv", "pooled, 10 folds")
    nested, pooled = rows_of(design, [sample(design, i, methods) for i in range(60)], methods)
    for target in ("covers_model", "covers_training"):
        assert nested[target] >= 0.9
        assert nested[target] >= pooled[target]
    assert nested["given"] == 60


@pytest.mark.slow
def test_equal_schemes_are_called_equal():
    """In 8 samples no test rejects more than twice: one of level 5 % would in fewer than 1 of 100 slices."""
    found = np.array([pvalues(("LDA", True, 50), i) for i in range(8)])
    assert (found <= 0.05).sum(axis=0).max() <= 2


def test_the_truth_of_least_squares_is_what_theory_says():
    """With p columns and a constant the error is the noise, and what each estimated number adds."""
    design = DESIGNS[1]
    rng = np.random.default_rng(1)
    found = [truth(design, *design.draw(design.n, rng), rng) for _ in range(30)]
    n, p = design.n, 20
    assert np.mean(found) == pytest.approx((1 + 1 / n) * (1 + p / (n - p - 2)), rel=0.06)
    assert numbers(3, rng, columns=2)[0].shape == (3, 2)


def read(path):
    with path.open() as file:
        return list(csv.DictReader(file))


def test_the_table_is_that_of_the_designs_and_nested_cross_validation_holds():
    rows = read(TABLE)
    assert [(r["design"], int(r["n"]), r["measure"], r["method"]) for r in rows] == [
        (d.name, d.n, d.measure, m) for d in DESIGNS for m in METHODS
    ]
    assert {r["seed"] for r in rows} == {str(SEED)}
    for r in rows:
        least = 0.95 - 2.5 * float(r["monte_carlo_error"])
        if r["method"] == "nested_cv":
            assert min(float(r["covers_model"]), float(r["covers_training"])) >= least, r
    assert side_by_side(rows) == read(TABLE.with_name("generalization-95.csv"))
