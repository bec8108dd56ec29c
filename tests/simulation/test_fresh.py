"""A slice of the simulation on other populations, and what stands in its table."""

import csv
from pathlib import Path

import numpy as np
import pytest

from . import doors, fresh

RECORD = Path("docs/validity/fresh.csv")


def drawn(name):
    return next(d for d in fresh.DESIGNS if d.name == name)


@pytest.mark.parametrize("design", fresh.DESIGNS, ids=lambda d: d.name)
def test_blocks_are_drawn_alike(design):
    """Both blocks say as much of the target, as far as four thousand cases show."""
    one = doors.draw(design, np.random.default_rng(1), 4000, True)
    A, B, y, group = one
    assert A.shape == B.shape == (4000, A.shape[1])
    assert (group is not None) == bool(design.groups)
    apart = [np.corrcoef(X.T, y)[-1, :-1] for X in (A, B)]
    assert np.abs(apart[0] - apart[1]).max() < (0.35 if design.ar or design.groups else 0.1)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["ols-counts-200", "lda-75-3-held", "nb-seasons.8-300"])
def test_limits_and_verdicts_are_drawn_for_each_measure(name):
    design = drawn(name)
    rows = [r for i in range(2) for r in doors.sample((design, i, 4, 5))]
    made = doors.table(rows, 5)
    assert {(r["resampling"], r["measure"]) for r in made} == {(w, m) for w in design.ways for m in design.measures}  # fmt: skip


def test_the_record_keeps_what_was_drawn():
    with RECORD.open() as file:
        rows = list(csv.DictReader(file))
    assert {r["design"] for r in rows} == {d.name for d in fresh.DESIGNS}
    given = [r for r in rows if r["given"] == r["samples"]]
    held, alarms = ([float(r[c]) for r in given] for c in ("covers_model", "false_alarms"))
    assert 0.94 < np.mean(held) < 0.98
    assert np.mean(alarms) < 0.05
