"""Weights of replicates have the distribution they claim, and sums under them are the obvious ones."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import fields
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import factorial, sqrt

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import binom, chi2, chi2_contingency, poisson

import credibly._kernels as kernels
from credibly._kernels import bootstrap, draws, poisson_lanes
from credibly._kernels.bootstrap import (
    PanelSums,
    replicate_sums,
    resampled_sums,
    weighted_sums,
)
from credibly._kernels.draws import multinomial_weights, poisson_weights
from credibly._kernels.threads import at_most

ROUNDED = {"precision", "losses"}  # all other sums are whole numbers, and exact


@pytest.fixture(params=["numpy", "compiled"])
def path(request, monkeypatch):
    """Run a test by the numpy twins and by the kernels."""
    monkeypatch.setattr(kernels, "COMPILE_FROM", 0)
    monkeypatch.setenv("CREDIBLY_JIT", "0" if request.param == "numpy" else "1")
    return request.param


@pytest.fixture
def compiled(monkeypatch):
    monkeypatch.setattr(kernels, "COMPILE_FROM", 0)
    monkeypatch.setenv("CREDIBLY_JIT", "1")


@pytest.fixture(params=[10**9, 1], ids=["counted", "adjusted"])
def drawing(request, monkeypatch):
    """Both ways to draw multinomial weights, whatever the number of cases."""
    for module in (draws, bootstrap):
        monkeypatch.setattr(module, "MIN_ADJUSTED_CASES", request.param)


def by_numpy(function, *arguments, **named):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CREDIBLY_JIT", "0")
        return function(*arguments, **named)


def agree(found, expected, tolerance=1e-12):
    for f in fields(PanelSums):
        a, b = getattr(found, f.name), getattr(expected, f.name)
        assert (a is None) == (b is None), f.name
        if b is not None:
            exact = f.name not in ROUNDED or tolerance == 0
            np.testing.assert_allclose(a, b, rtol=0 if exact else tolerance, atol=0, err_msg=f.name)


# --- distribution of the weights ---------------------------------------------------------------


def test_the_tables_hold_the_poisson_distribution():
    scale = 10**80
    inverse_e = Fraction(sum((-1) ** k * (scale // factorial(k)) for k in range(60)), scale)
    ends = [0, *poisson_lanes.ENDS, 1 << 15]
    whole = [Fraction(b - a, 1 << 15) for a, b in pairwise(ends)]
    rest = [0, *poisson_lanes.REST, 1 << 64]
    for k in range(len(rest) - 1):
        share = Fraction(rest[k + 1] - rest[k], 1 << 64) * whole[-1]
        chance = (whole[k] if k < poisson_lanes.UNSURE else 0) + share
        assert abs(chance - inverse_e / factorial(k)) < Fraction(1, 1 << 76), k


def test_pairs_of_a_tile_fit_16_bits():
    most = len(poisson_lanes.REST) * poisson_lanes.TILE
    assert (most // 2) ** 2 < 1 << 16


@pytest.mark.daily(seed=[1])
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_ten_million_weights_are_poisson(compiled, seed):
    counts = np.zeros(24, np.int64)
    for first in range(0, 1000, 100):
        counts += np.bincount(
            poisson_weights(np.arange(10_000), seed=seed, first=first, count=100).ravel(),
            minlength=24,
        )
    expected = 1e7 * np.append(poisson.pmf(np.arange(8), 1), poisson.sf(7, 1))
    found = np.append(counts[:8], counts[8:].sum())
    assert chi2.sf(((found - expected) ** 2 / expected).sum(), 8) > 1e-3


def neighbours(weights):
    """Pairs of weights that must not depend on one another, by how they are neighbours."""
    return {
        "cases": (weights[..., 1:], weights[..., :-1]),
        "cases two apart": (weights[..., 2:], weights[..., :-2]),
        "cases 16 apart": (weights[..., 16:], weights[..., :-16]),
        "replicates": (weights[:, 1:], weights[:, :-1]),
        "replicates of the next word": (weights[:, 4:], weights[:, :-4]),
        "replicates of the next block": (weights[:, 64:], weights[:, :-64]),
        "a case and the next in the next word": (weights[:, 4:, 1:], weights[:, :-4, :-1]),
        "a case and the one before in the next word": (weights[:, 4:, :-1], weights[:, :-4, 1:]),
        "seeds": (weights[1:], weights[:-1]),
    }


def test_neighbours_are_independent(compiled):
    seeds = [0, 1, 2, 3]
    weights = np.stack([poisson_weights(np.arange(4000), seed=s, count=256) for s in seeds])
    few = np.minimum(weights, 4).astype(np.int64)
    for name, (a, b) in neighbours(few).items():
        table = np.bincount(5 * a.ravel() + b.ravel(), minlength=25).reshape(5, 5)
        assert chi2_contingency(table).pvalue > 1e-3, name


def test_totals_of_replicates_vary_as_they_should(compiled):
    """Any dependence between many cases or many replicates shows in the spread of their sums."""
    n, count = 5000, 4096
    weights = poisson_weights(np.arange(n), seed=11, count=count)
    for totals in (weights.sum(axis=1), weights.sum(axis=0)):
        free, each = totals.size - 1, weights.size / totals.size
        statistic = ((totals - totals.mean()) ** 2).sum() / each
        assert 1e-3 < chi2.sf(statistic, free) < 0.999


def test_a_weight_depends_on_seed_replicate_and_case_alone(path):
    whole = poisson_weights(np.arange(300), seed=7, count=200)
    some = np.random.default_rng(0).permutation(300)[:120]
    assert (poisson_weights(some, seed=7, first=61, count=70) == whole[61:131, some]).all()
    assert (poisson_weights([5, 5], seed=7, first=199, count=1) == whole[199, 5]).all()
    assert (poisson_weights(np.arange(300), seed=8, count=200) != whole).mean() > 0.5


def test_twins_draw_the_same_weights(compiled):
    big = np.r_[np.arange(20_000), 2**31, 2**40]
    found = poisson_weights(big, seed=3, first=10, count=130)
    assert (found == by_numpy(poisson_weights, big, seed=3, first=10, count=130)).all()
    assert (found >= poisson_lanes.UNSURE).sum() > 100  # so the rare path was taken
    strata = np.arange(20_000) % 3
    for s in (None, strata):
        found = multinomial_weights(20_000, seed=3, first=5, count=40, strata=s)
        twin = by_numpy(multinomial_weights, 20_000, seed=3, first=5, count=40, strata=s)
        assert (found == twin).all()


def test_multinomial_replicates_draw_as_many_cases_as_there_are(path, drawing):
    strata = np.r_[np.zeros(30, int), np.ones(5, int), np.full(17, 2)][::-1].copy()
    w = multinomial_weights(52, seed=1, count=300, strata=strata)
    for s, size in enumerate([30, 5, 17]):
        assert (w[:, strata == s].sum(axis=1) == size).all()
    w = multinomial_weights(52, seed=1, count=300)
    assert (w.sum(axis=1) == 52).all()
    assert (multinomial_weights(52, seed=1, first=99, count=3) == w[99:102]).all()


@pytest.mark.daily
def test_multinomial_weights_are_uniform_and_vary_as_they_should(path, drawing):
    """So are the pairs: a draw of one case is none of another."""
    n, count = 50, 40_000
    w = multinomial_weights(n, seed=5, count=count).astype(np.int64)
    totals = w.sum(axis=0)
    assert chi2.sf(((totals - count) ** 2 / count).sum(), n - 1) > 1e-3
    several = np.bincount(np.minimum(w[:, 0], 5), minlength=6)
    expected = count * np.append(binom.pmf(np.arange(5), n, 1 / n), binom.sf(4, n, 1 / n))
    assert chi2.sf(((several - expected) ** 2 / expected).sum(), 5) > 1e-3
    products = w[:, 0] * w[:, 1] - (1 - 1 / n)
    assert abs(products.mean()) < 3.5 * products.std() / sqrt(count)
    groups = w.reshape(count, 5, 10).sum(axis=2)
    law = count * binom.pmf(np.arange(n + 1), n, 1 / 5)
    usual = law > 20
    for totals in groups.T:
        seen = np.bincount(totals, minlength=n + 1)
        off = ((seen - law)[usual] ** 2 / law[usual]).sum()
        assert chi2.sf(off, int(usual.sum()) - 1) > 1e-4


def test_bounded_integers_are_drawn_again_where_they_would_be_biased():
    z = np.arange(300_000, dtype=np.uint64) * poisson_lanes.GOLD
    thirds = np.bincount(draws._bounded(z, np.uint64(3 << 30)) >> 30, minlength=3)
    assert chi2.sf(((thirds - 1e5) ** 2 / 1e5).sum(), 2) > 1e-3


# --- sums ---------------------------------------------------------------------------------------


def obvious(weight, score, positive, losses, cell, n_cells):
    """Add up one replicate, pair by pair and score by score."""
    pairs = [
        (int(weight[i] * weight[j]), score[i] - score[j])
        for i in np.flatnonzero(positive)
        for j in np.flatnonzero(~positive)
    ]
    concordant, tied = (
        sum(w for w, d in pairs if side(d)) for side in (lambda d: d > 0, lambda d: d == 0)
    )
    p, q = int(weight[positive].sum()), int(weight[~positive].sum())
    precision, gap = Fraction(0), 0
    for s in np.unique(score):
        tp, fp = (int(weight[(score >= s) & side].sum()) for side in (positive, ~positive))
        gap = max(gap, abs(tp * q - fp * p))
        if tp:
            precision += int(weight[(score == s) & positive].sum()) * Fraction(tp, tp + fp)
    return (
        [p, q, concordant, tied, float(precision), gap],
        [
            float(sum(Fraction(x) * int(w) for x, w in zip(c, weight, strict=True)))
            for c in losses.T
        ],
        [weight[cell == c].sum() for c in range(n_cells)],
    )


@st.composite
def panels(draw):
    n = draw(st.integers(1, 70))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    distinct = draw(st.sampled_from([1, 2, 5, 20, 1000]))
    score = np.sort(rng.integers(0, distinct, n))[::-1]
    share = draw(st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]))
    return {
        "score": score,
        "positive": rng.random(n) < share,
        "losses": rng.random((n, draw(st.integers(0, 3)))),
        "cell": rng.integers(0, 4, n),
        "case": rng.integers(0, 3 * n, n) if draw(st.booleans()) else rng.permutation(n),
    }


def columns(panel):
    score = panel["score"]
    return {
        "positive": panel["positive"],
        "new_score": np.append(True, score[1:] != score[:-1]),
        "losses": panel["losses"] if panel["losses"].shape[1] else None,
        "cell": panel["cell"],
        "n_cells": 4,
        "precision": True,
        "gap": True,
    }


def check(sums, weights, panel):
    arguments = (panel["score"], panel["positive"], panel["losses"], panel["cell"], 4)
    expected = [obvious(w.astype(np.int64), *arguments) for w in weights]
    order, losses, cells = (np.array(part, float) for part in zip(*expected, strict=True))
    named = dict(zip(bootstrap.SUM_NAMES, order.T, strict=True))
    total = order[:, 0] + order[:, 1]
    losses = losses if losses.size else None
    agree(sums, PanelSums(total, **named, losses=losses, cells=cells))


@given(panels(), st.integers(0, 2**64 - 1), st.integers(0, 200))
def test_poisson_replicates(path, panel, seed, first):
    found = replicate_sums(panel["case"], seed=seed, first=first, count=5, **columns(panel))
    check(found, poisson_weights(panel["case"], seed=seed, first=first, count=5), panel)


@given(panels(), st.integers(0, 2**64 - 1))
def test_multinomial_replicates(path, drawing, panel, seed):
    n = int(panel["case"].max()) + 1
    strata = np.arange(n) % 2
    found = resampled_sums(panel["case"], seed=seed, count=4, strata=strata, **columns(panel))
    weights = multinomial_weights(n, seed=seed, count=4, strata=strata)[:, panel["case"]]
    check(found, weights, panel)


@given(panels())
def test_given_weights(path, panel):
    rng = np.random.default_rng(0)
    weights = rng.integers(0, 4, (6, panel["score"].size))
    check(weighted_sums(weights, **columns(panel)), weights, panel)
    halves = weighted_sums(weights / 2, **columns(panel))
    whole = weighted_sums(weights, **columns(panel))
    agree(
        PanelSums(
            *(
                np.asarray(getattr(halves, f.name)) * scale
                if getattr(halves, f.name) is not None
                else None
                for f, scale in zip(fields(PanelSums), (2, 2, 2, 4, 4, 2, 4, 2, 2), strict=True)
            )
        ),
        whole,
    )


def long_panel(n, distinct, seed=0):
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.3
    score = np.round((rng.normal(positive, 1)) * distinct)
    order = np.argsort(-score, kind="stable")
    score, positive = score[order], positive[order]
    losses = np.column_stack([rng.random(n), rng.exponential(size=n) * 1e6])
    return order, columns(
        {"score": score, "positive": positive, "losses": losses, "cell": rng.integers(0, 4, n)}
    )


@pytest.mark.parametrize("distinct", [1e9, 300, 20, 0.01])
@pytest.mark.parametrize("n", [127, 1000, 20_011])
def test_kernels_and_twins_agree_on_many_rows(compiled, n, distinct):
    """Enough rows for ties across tiles and for segments whose gap is not looked into."""
    case, panel = long_panel(n, distinct)
    found = replicate_sums(case, seed=2, first=3, count=130, **panel)
    agree(found, by_numpy(replicate_sums, case, seed=2, first=3, count=130, **panel))


def test_any_part_can_be_left_out(path):
    case, panel = long_panel(500, 10)
    whole = replicate_sums(case, seed=2, count=70, **panel)
    order = {k: panel[k] for k in ("positive", "new_score")}
    for parts, names in [
        (order, {"positives", "negatives", "concordant", "tied"}),
        (order | {"gap": True}, {"positives", "negatives", "concordant", "tied", "largest_gap"}),
        ({"losses": panel["losses"]}, {"losses"}),
        ({"cell": panel["cell"], "n_cells": 4}, {"cells"}),
        ({}, set()),
    ]:
        found = replicate_sums(case, seed=2, count=70, **parts)
        for f in fields(PanelSums):
            value = getattr(found, f.name)
            assert (value is not None) == (f.name in names | {"weight"}), f.name
            if value is not None:
                np.testing.assert_allclose(value, getattr(whole, f.name), rtol=1e-12)


def test_no_rows_and_no_replicates(path):
    empty = np.zeros(0)
    for sums in (replicate_sums, resampled_sums):
        found = sums(empty.astype(int), positive=empty, seed=1, count=3, precision=True, gap=True)
        assert found.weight.tolist() == found.concordant.tolist() == [0, 0, 0]
        assert found.largest_gap.tolist() == found.precision.tolist() == [0, 0, 0]
        assert sums([0, 1], positive=[True, False], seed=1, count=0).weight.size == 0


def test_threads_and_blocks_make_no_difference(path, monkeypatch):
    case, panel = long_panel(3000, 50)
    for sums in (replicate_sums, resampled_sums):
        whole = sums(case, seed=4, first=7, count=300, **panel)
        for threads in (2, 4):
            with at_most(threads):
                agree(sums(case, seed=4, first=7, count=300, **panel), whole, 0)
        parts = [sums(case, seed=4, first=f, count=c, **panel) for f, c in ((7, 99), (106, 201))]
        pairs = [[getattr(p, f.name) for p in parts] for f in fields(PanelSums)]
        agree(PanelSums(*map(np.concatenate, pairs)), whole)
        with monkeypatch.context() as smaller:
            smaller.setattr(bootstrap, "BLOCK_ELEMENTS", 100_000)
            smaller.setattr(bootstrap, "MAX_HELD_BYTES", 1)
            agree(sums(case, seed=4, first=7, count=300, **panel), whole)


def test_models_on_the_same_cases_share_their_replicates(path):
    """A second order of the same rows has the same weights, so all that ignores order is the same."""
    case, panel = long_panel(800, 30)
    other = np.random.default_rng(1).permutation(800)
    again = {k: v[other] if isinstance(v, np.ndarray) else v for k, v in panel.items()}
    a = replicate_sums(case, seed=4, count=80, **panel)
    b = replicate_sums(case[other], seed=4, count=80, **again | {"new_score": None})
    for name in ("weight", "positives", "negatives", "cells"):
        assert (getattr(a, name) == getattr(b, name)).all()
    np.testing.assert_allclose(a.losses, b.losses, rtol=1e-13)


def test_rows_of_a_group_have_one_weight(path):
    group = np.arange(600) // 7
    cells = replicate_sums(group, cell=group, n_cells=86, seed=4, count=70).cells
    size = np.bincount(group)
    assert (cells == poisson_weights(np.arange(86), seed=4, count=70) * size).all()
    cells = resampled_sums(group, cell=group, n_cells=86, seed=4, count=70).cells
    assert (cells == multinomial_weights(86, seed=4, count=70) * size).all()


def test_the_heaviest_case_overflows_nothing(compiled):
    """All rows of one case, at the largest weight that a million draws have."""
    weights = poisson_weights(np.arange(20_000), seed=6, count=64)
    lane, case = np.unravel_index(weights.argmax(), weights.shape)
    w, n = int(weights[lane, case]), 100_000
    assert w >= 9
    positive = np.arange(n) % 2 == 0
    for new, half in ((None, n * (n + 2) // 8), (np.zeros(n, bool), 0)):
        found = replicate_sums(
            np.full(n, case),
            positive=positive,
            new_score=new,
            seed=6,
            first=lane,
            count=1,
            gap=True,
        )
        assert found.concordant[0] == w * w * half
        assert found.tied[0] == (0 if half else w * w * n * n // 4)
        assert found.largest_gap[0] == (w * w * n // 2 if half else 0)


def test_losses_that_are_no_number_count_where_they_are_drawn(path):
    losses = np.array([[np.inf, 1.0], [1.0, -np.inf], [np.nan, 1.0], [2.0, np.inf], [0.5, 0.25]])
    weights = poisson_weights(np.arange(5), seed=3, count=60)
    found = replicate_sums(np.arange(5), losses=losses, seed=3, count=60).losses
    with np.errstate(invalid="ignore"):
        expected = np.where(weights[..., None] > 0, weights[..., None] * losses, 0).sum(axis=1)
    np.testing.assert_allclose(found, expected)
    assert np.isinf(found).any()
    assert np.isnan(found).any()
    assert np.isfinite(found).any()


@pytest.mark.parametrize(
    ("case", "named", "message"),
    [
        ([0, 1], {"positive": [True]}, "there are 2 cases"),
        ([0, 1], {"losses": [1.0, 2.0]}, "there are 2 cases"),
        ([0, 1], {"cell": [0, 2], "n_cells": 2}, "from 0 to 1"),
        ([0, -1], {}, "numbers from 0 on"),
        ([[0, 1]], {}, "numbers from 0 on"),
    ],
)
def test_what_does_not_fit_is_refused(case, named, message):
    with pytest.raises(ValueError, match=message):
        replicate_sums(case, seed=1, count=1, **named)


def test_more_that_does_not_fit():
    with pytest.raises(ValueError, match="only 2 cases"):
        resampled_sums([0, 5], n_cases=2, seed=1, count=1)
    with pytest.raises(ValueError, match="each of the 2 cases, not 3"):
        resampled_sums([0, 1], strata=[0, 0, 1], seed=1, count=1)
    with pytest.raises(ValueError, match="row for each replicate"):
        weighted_sums([1, 2])


def test_from_several_threads(compiled):
    case, panel = long_panel(2000, 50)
    alone = replicate_sums(case, seed=1, count=128, **panel)
    with at_most(2), ThreadPoolExecutor(4) as pool:
        tasks = [
            pool.submit(
                copy_context().run, partial(replicate_sums, case, seed=1, count=128, **panel)
            )
            for _ in range(8)
        ]
        for task in tasks:
            agree(task.result(), alone, 0)


FORK = """
import os, sys
import numpy as np
import credibly._kernels as kernels
kernels.COMPILE_FROM = 0
from credibly._kernels.bootstrap import replicate_sums
from credibly._kernels.threads import at_most
n = 4000
def run():
    with at_most(2):
        sums = replicate_sums(np.arange(n), positive=np.arange(n) % 3 == 0, gap=True, seed=1, count=256)
    return sums.largest_gap.tobytes()
before = run()
child = os.fork()
if not child:
    os._exit(0 if run() == before else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) or run() != before)
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_in_a_forked_child():
    done = subprocess.run(
        [sys.executable, "-c", FORK], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_bootstrap_of_an_auc_has_the_spread_of_its_sampling_distribution():
    """Standard deviations of Poisson and multinomial replicates against that of fresh samples."""
    rng = np.random.default_rng(0)
    n, fresh = 2000, []

    def auc(s):
        return (s.concordant + s.tied / 2) / (s.positives * s.negatives)

    def sample():
        positive = rng.random(n) < 0.3
        order = np.argsort(-rng.normal(positive, 1))
        return order, positive[order]

    for _ in range(3000):
        _, positive = sample()
        fresh.append(auc(weighted_sums(np.ones((1, n), int), positive=positive))[0])
    spread = np.std(fresh)
    for sums in (replicate_sums, resampled_sums):
        each = []
        for seed in range(20):
            case, positive = sample()
            each.append(np.std(auc(sums(case, positive=positive, seed=seed, count=1000))))
        assert abs(np.mean(each) / spread - 1) < 0.06


def test_all_replicates_decide_whether_to_compile(monkeypatch):
    asked = []
    monkeypatch.setattr(draws, "worth_kernels", lambda *work: bool(asked.append(work)))
    draws.poisson_weights(range(5), seed=1, count=3, of=900)
    draws.multinomial_weights(5, seed=1, count=3, of=900)
    draws.multinomial_weights(5, seed=1, count=3)
    assert asked == [(5, 900), (5, 900), (5, 3)]


def test_a_small_bootstrap_waits_for_no_compiler():
    assert not draws.worth_kernels(999, 2000)
    assert draws.worth_kernels(1000, 2000)
