"""Bins of scores: what they hide is never more than what they say."""

import math
from dataclasses import replace

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from credibly import Predictions, evaluate
from credibly.engines import bins, merge, summarise
from credibly.engines.bins import joined
from credibly.evaluation.bounds import error_bound
from credibly.measures import measures
from credibly.predictions.summaries import ClassScores
from examples import examples

RANKING = [m for m in measures if m.of_order or m.reads is ClassScores]
LOSSES = [m for m in measures if m.quick is not None and m.task == "classification"]
ROUNDING = 1e-12


@st.composite
def tables(draw):
    """Scores with ties of every size: few values, neighbours one unit in the last place apart, clusters."""
    n = draw(st.integers(2, 40))
    kind = draw(st.sampled_from(["few", "many", "neighbours", "clusters", "ends"]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    score = {
        "few": lambda: rng.integers(0, 4, n) / 4,
        "many": lambda: rng.random(n),
        "neighbours": lambda: np.nextafter(0.5, rng.choice([0.0, 1.0], n)),
        "clusters": lambda: np.clip(0.3 + 1e-6 * rng.standard_normal(n), 0, 1),
        "ends": lambda: rng.choice([0.0, 1e-300, 1e-9, 0.5, 1 - 1e-9, 1.0], n),
    }[kind]()
    lean = draw(st.sampled_from([0.1, 0.5, 0.9]))
    if draw(st.booleans()):  # adversarial: within a bin the classes stand in order
        truth = np.argsort(np.argsort(score)) < lean * n
        truth = truth if draw(st.booleans()) else ~truth
    else:
        truth = rng.random(n) < lean
    cuts = np.sort(rng.random(draw(st.integers(0, 6))))
    return truth.astype(int), score, cuts


def binned(truth, score, cuts):
    """Count in the bins between cuts; the ends of a bin are its lowest and highest score."""
    place = np.searchsorted(cuts, score, side="right")
    rows = pd.DataFrame({"truth": truth, "bin": place, "score": score})
    ends = rows.groupby("bin")["score"].agg(["min", "max"])
    sizes = rows.groupby(["bin", "truth"]).size().reset_index(name="n")
    low, high = ends.loc[sizes["bin"], "min"].to_numpy(), ends.loc[sizes["bin"], "max"].to_numpy()
    p = Predictions.of(
        sizes["truth"], probability=low + (high - low) / 2, sample_weight=sizes["n"],
        weight_kind="frequency", classes=[0, 1], positive=1,
    )  # fmt: skip
    return replace(p, span=np.column_stack([low, high]), cache={})


def check_bounds(truth, score, cuts):
    exact = Predictions.of(truth, probability=score, classes=[0, 1], positive=1)
    p = binned(truth, score, cuts)
    for m in (*RANKING, *LOSSES):
        value, bound = m.value(exact), error_bound(m, p)
        if math.isfinite(value) and math.isfinite(bound):
            assert abs(m.value(p) - value) <= bound + ROUNDING, m.name
        else:  # infinite losses are infinite from bins, or the bound says that they may be
            assert m.value(p) == value or not math.isfinite(bound) or math.isnan(value), m.name


@examples(300)
@given(tables())
def test_no_table_is_further_off_than_its_bound(table):
    check_bounds(*table)


@pytest.mark.slow
@settings(max_examples=10_000, deadline=None)
@given(tables())
def test_no_table_of_ten_thousand_is_further_off_than_its_bound(table):
    check_bounds(*table)


def test_bounds_are_attained():
    """AUC and KS reach their bounds, and average precision its upper one: smaller bounds would be wrong."""
    score = np.array([0.9, 0.8, 0.2, 0.1])
    for truth in ([1, 1, 0, 0], [0, 0, 1, 1]):
        exact = Predictions.of(truth, probability=score)
        p = binned(np.array(truth), score, [])
        for name in ("auc", "ks"):
            m = measures[name]
            assert abs(m.value(exact) - m.value(p)) == pytest.approx(error_bound(m, p), abs=1e-15)


def test_bins_of_width_zero_hide_nothing():
    p = Predictions.of([1, 0, 1], probability=[0.5, 0.5, 0.25])
    exact = replace(p, span=np.repeat(p.probability[:, None], 2, axis=1), cache={})
    assert all(error_bound(m, exact) == 0 for m in RANKING)
    assert all(error_bound(m, p) is None for m in RANKING)


@given(tables(), st.sampled_from([1e-2, 1e-6, 1e-9]))
def test_refining_keeps_to_the_tolerance(table, tolerance):
    truth, score, _ = table
    if len(set(truth)) < 2:
        return
    frame = pd.DataFrame({"truth": truth, "score": score})  # noqa: F841  (read by DuckDB)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bins, "MIN_CASES_PER_BIN", 0)  # bins, however few the cases
        p = summarise(duckdb.sql("FROM frame"), tolerance=tolerance)
    exact = Predictions.of(truth, score=score)
    for name in ("auc", "average_precision", "ks"):
        e = evaluate(p, name, interval="none")[name]
        assert e.bound <= tolerance
        assert abs(e.value - measures[name].value(exact)) <= e.bound + ROUNDING


@given(tables(), tables())
def test_merged_bins_keep_their_promise(first, second):
    """Parts cut at different places, in bins that overlap."""
    truth, score = (np.concatenate([a, b]) for a, b in zip(first[:2], second[:2], strict=True))
    p = merge(binned(*first), binned(*second))
    exact = Predictions.of(truth, probability=score, classes=[0, 1], positive=1)
    assert p.cases == exact.n
    for m in RANKING:
        value, bound = m.value(exact), error_bound(m, p)
        assert math.isnan(value) or abs(m.value(p) - value) <= bound + ROUNDING, m.name


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 5)), min_size=1, max_size=12))
def test_joined_intervals_are_apart_and_cover(given_ends):
    low = np.array([float(a) for a, _ in given_ends])
    high = low + [float(b) for _, b in given_ends]
    first, last, piece = joined(low, high)
    assert (first[1:] > last[:-1]).all()
    assert ((first[piece] <= low) & (high <= last[piece])).all()
    assert set(first) <= set(low)
    assert set(last) <= set(high)
