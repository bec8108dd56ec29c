"""A slice of the simulation through the doors: its table is made as it says, and limits hold where that was recorded."""

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from . import doors

RECORD = Path("docs/validity/doors.csv")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["ols-50-4-disc", "lda-80-3-3cl", "ols-ar.7"])
def test_limits_and_verdicts_are_drawn_for_each_measure(name):
    (design,) = (d for d in doors.DESIGNS if d.name == name)
    rows = [r for i in range(2) for r in doors.sample((design, i, 4, 5))]
    made = doors.table(rows, 5)
    ways = set(design.ways)
    assert {(r["resampling"], r["measure"]) for r in made} == {(w, m) for w in ways for m in design.measures}  # fmt: skip
    assert all(r["given"] == r["samples"] and 0 <= r["covers_model"] <= 1 for r in made)
    assert all((r["false_alarms"] == "") == (r["resampling"] == doors.ALONE) for r in made)
    assert len(doors.side_by_side(made)) == len(ways)


def test_truths_are_those_of_the_measures():
    (design,) = (d for d in doors.DESIGNS if d.name == "lda-90-15")
    A, _, y, _ = doors.draw(design, np.random.default_rng(1), 90, True)
    model = design.make().fit(A, y)
    p = doors.evaluate(
        doors.run(model, A, y, resampling="resubstitution", progress=False),
        [*design.measures],
        interval="none",
    )
    found = doors.truth(design, model, A, y)
    assert all(math.isclose(p[m].value, found[m], rel_tol=1e-9) for m in design.measures)


def test_the_record_keeps_what_was_drawn():
    with RECORD.open() as file:
        rows = list(csv.DictReader(file))
    assert {r["design"] for r in rows} == {d.name for d in doors.DESIGNS}
    held = [float(r["covers_model"]) for r in rows if r["given"] == r["samples"] and r["resampling"] == doors.TEN]  # fmt: skip
    assert 0.94 < np.mean(held) < 0.97
