"""A slice of the simulation of class sizes that are learned: its table is made as it says, and means over training sets are held."""

import csv
from pathlib import Path

import pytest

from . import learned_shares

RECORD = Path("docs/validity/learned-shares.csv")


@pytest.mark.thorough
def test_both_intervals_are_drawn_for_each_measure():
    name = "lda-150-3 classes"
    rows = [r for i in range(2) for r in learned_shares.sample((name, i, 5))]
    assert [r[:2] for r in rows] == 2 * [(name, m) for m in learned_shares.MEASURES]
    assert all(r[3] < r[4] and r[5] < r[6] for r in rows)


def test_means_over_training_sets_are_held_better_than_without():
    """Within two Monte Carlo errors, as they were recorded."""
    with RECORD.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(learned_shares.DESIGNS) * len(learned_shares.MEASURES)
    for r in rows:
        error = 100 * (0.93 * 0.07 / int(r["samples"])) ** 0.5
        assert float(r["model_now"]) > 93 - 2 * error
        assert float(r["relative_width"]) < 1.5
    mean = {
        k: sum(float(r[k]) for r in rows) / len(rows) for k in ("training_before", "training_now")
    }
    assert mean["training_now"] > max(93, mean["training_before"])
