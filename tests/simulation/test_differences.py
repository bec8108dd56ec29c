"""Tests of two schemes after resampling raise no more false alarms than they say: a seeded slice, and twins."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from credibly import Predictions, compare
from credibly.comparisons import over_cases
from credibly.intervals import widening
from credibly.predictions import Provenance

from . import differences
from .comparisons import read
from .differences import Cell

TABLE = Path(__file__).parents[2] / "docs" / "validity" / "differences.csv"
DEFAULTS = ("one: cases", "repeated: cases", "one: after run", "repeated: after run")


def test_the_factors_are_those_of_the_package():
    assert differences.ONCE == over_cases.ONE_REPEAT_FACTOR
    assert differences.REPEATED == over_cases.REPEATS_FACTOR
    assert differences.JUMPS == over_cases.JUMP_SHARE
    assert differences.RATIO == over_cases.RATIO_FACTOR
    assert differences.CLOSER == widening.OVERFITTING_FACTOR
    assert differences.AS_LINEAR == widening.LINEAR_FACTOR


def models(cell, i, repeats, *, after_run=False):
    """Both models of a sample as predictions; after a run it is known how closely they follow their rows."""
    _, y, group, fold, scores, own, _ = differences.resampled(cell, i)
    fitted = {"": differences.overfitting(scores, own, y, fold)} if after_run else {}
    where = Provenance("", attributes=cell.columns, overfitting=fitted)
    made = []
    for score in scores:
        columns = {"value": score[:repeats].ravel()}
        if not cell.numeric:
            columns = {"probability": score[:repeats].ravel(), "positive": 1, "classes": [0, 1]}
        made.append(
            predictions(
                where,
                np.tile(y if cell.numeric else y.astype(int), repeats),
                row=np.tile(np.arange(cell.n), repeats),
                repeat=np.repeat(np.arange(repeats), cell.n),
                fold=fold[:repeats].ravel(),
                group=np.tile(group, repeats) if cell.group else None,
                **columns,
            )
        )
    return made


def predictions(where, *given, **columns):
    """Predictions that come from somewhere."""
    return replace(Predictions.of(*given, **columns), provenance=where)


@pytest.mark.thorough
@pytest.mark.parametrize("after_run", [False, True])
@pytest.mark.parametrize(
    "cell", [Cell("5-NN", 50, 5, True), Cell("OLS", 50, 10, False), Cell("LDA", 50, 10, True)]
)
def test_what_is_simulated_is_what_compare_chooses(cell, after_run):
    """One cross-validation is the same; of repeats the simulated error leaves out how far their means differ."""
    facts = np.array([differences.sample(cell, i) for i in range(3)])
    found = differences.statistics(cell, facts)
    kind = "after run" if after_run else "cases"
    for i, (j, measure) in product(range(3), enumerate(cell.measures)):
        once, often = (
            compare(*models(cell, i, repeats, after_run=after_run), measure) for repeats in (1, 10)
        )
        t, freedom = (each[i, j] for each in found[f"one: {kind}"])
        assert once.test == often.test == "widened_t"
        assert once.statistic == pytest.approx(t)
        assert once.pvalue == pytest.approx(2 * stats.t.sf(abs(t), freedom))
        t = found[f"repeated: {kind}"][0][i, j]
        assert 0.98 * abs(t) < abs(often.statistic) <= abs(t)


@pytest.mark.parametrize("after_run", [False, True])
def test_groups_are_simulated_as_compare_judges_them(after_run):
    """A mean over folds weighs groups by their folds, a mean over cases does not; the error is the same."""
    cell = Cell("LDA", 100, 5, True, group=5)
    facts = dict(zip(differences.FACTS, differences.sample(cell, 0)[0], strict=True))
    result = compare(*models(cell, 0, 1, after_run=after_run), "error_rate")
    known = differences.by_closeness(cell, facts["overfitting"], 2 * 4 / 20)[0]
    times = min(known, over_cases.ONE_REPEAT_FACTOR) if after_run else over_cases.ONE_REPEAT_FACTOR
    error = times * np.sqrt(facts["error"])
    assert result.parameters["standard_error"] == pytest.approx(error)
    assert result.parameters["freedom"] == pytest.approx(facts["freedom"])


@pytest.mark.thorough
@pytest.mark.parametrize("k", [5, 10, 20])
@pytest.mark.parametrize("scheme", ["LDA", "OLS", "1-NN"])
def test_a_slice_of_the_simulation(scheme, k):
    """15 of 150 or more happen once in a thousand times where 5 of 100 are called different."""
    cell, samples = Cell(scheme, 50, k, True), 150
    facts = np.array([differences.sample(cell, i) for i in range(samples)])
    found = differences.rates(cell, facts)
    for name in DEFAULTS:
        assert found[name].max() < 10, name


def test_the_committed_table_says_what_the_documentation_claims():
    """No default calls equal schemes different in more than 6 of 100 samples, chance allowed; groups apart."""
    rows = read(TABLE)
    assert {r["scheme"] for r in rows} >= {"LDA", "logistic", "OLS", "tree", "1-NN", "5-NN"}
    assert {r["folds"] for r in rows} == {"5", "10", "20"}
    for r in rows:
        if r["schemes"] == "equal" and not r["group"]:
            chance = 2 * np.sqrt(6 * 94 / int(r["samples"]))
            for name in DEFAULTS:
                assert not r[name] or float(r[name]) <= 6 + chance, r
    large = [r for r in rows if r["schemes"] == "unequal" and r["n"] == "200" and not r["group"]]
    means = {n: np.mean([float(r[n]) for r in large]) for n in ("one: cases", "one: corrected t")}
    assert means["one: cases"] > 1.4 * means["one: corrected t"]
