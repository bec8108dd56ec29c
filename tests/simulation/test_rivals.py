"""A slice of the default beside other methods, and what stands in its tables."""

import csv
from pathlib import Path

import numpy as np
import pytest

from . import rivals

RECORD = Path("docs/validity/rivals.csv")


@pytest.mark.thorough
def test_methods_are_drawn_side_by_side():
    (design,) = (d for d in rivals.DESIGNS if d.name == "lda-56-5")
    made = rivals.table([r for i in range(2) for r in rivals.sample((design, i, 2, 5))], 5)
    each = {(r["kind"], r["resampling"], r["method"]) for r in made}
    assert each == {("interval", *m) for m in rivals.INTERVALS} | {("test", *m) for m in rivals.TESTS}  # fmt: skip
    assert [r["measure"] for r in rivals.side_by_side(made)] == sorted(design.measures)


def test_the_share_of_the_width_that_is_needed_holds_95_of_100():
    true = np.random.default_rng(1).normal(size=4000)
    value, low, high = np.zeros(4000), np.full(4000, -3.0), np.full(4000, 3.0)
    found = rivals.of_intervals(np.column_stack([true, value, low, high]))
    assert found["needed"] == pytest.approx(1.96 / 3, rel=0.04)


def test_the_default_is_seldom_much_wider_than_the_narrowest_that_holds():
    with RECORD.open() as file:
        rows = [r for r in csv.DictReader(file) if r["kind"] == "interval"]
    ratios = []
    for key in {(r["design"], r["measure"]) for r in rows}:
        each = [
            r for r in rows if (r["design"], r["measure"]) == key and r["given"] == r["samples"]
        ]
        own = [r for r in each if (r["resampling"], r["method"]) == rivals.DEFAULT]
        holding = [float(r["width"]) for r in each if min(float(r["covers_model"]), float(r["covers_training"])) > 0.88]  # fmt: skip
        ratios += [float(own[0]["width"]) / min(holding)] if own and holding else []
    assert len(ratios) > 80
    assert np.mean(np.array(ratios) <= 1.5) > 0.95
