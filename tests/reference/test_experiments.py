"""The analysis of random result tables against a slow twin: pure Python, one cell at a time."""

import math
from statistics import fmean, variance

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from scipy import stats

from credibly.experiments import Results, analyse

LEVEL = 0.05


def usable(cells, dataset, schemes, splits):
    """The rule for incomplete grids: who has values in at least half of the splits, and where all have."""
    has = {s: [k for k in splits if (dataset, s, k) in cells] for s in schemes}
    present = [s for s in schemes if 2 * len(has[s]) >= len(splits)]
    common = [k for k in splits if all(k in has[s] for s in present)]
    return present, common


def flag_twin(first, base, ratio, direction, repeats):
    """Nadeau and Bengio's test, signs where nothing varies; better or worse by the direction of the measure."""
    differences = [a - b for a, b in zip(first, base, strict=True)]
    k, mean = len(differences), fmean(differences)
    if all(d == 0 for d in differences):
        return "", 1.0
    constant = all(d == differences[0] for d in differences)
    if constant:
        folds = k // repeats  # of a repeat, which share no test case
        p = 2 * 0.5**folds if folds > 1 else math.nan
    else:
        t = mean / math.sqrt((1 / k + ratio) * variance(differences))
        p = 2 * stats.t.sf(abs(t), k - 1)
    if not p <= LEVEL:
        return "untestable" if constant else "", p
    return ("better" if (mean > 0) == (direction == "higher") else "worse"), p


@st.composite
def tables(draw):
    """Few schemes, datasets and splits; eighths give ties and exact sums; some cells fail."""
    schemes = [f"s{i}" for i in range(draw(st.integers(2, 4)))]
    datasets = [f"d{i}" for i in range(draw(st.integers(1, 4)))]
    repeats, folds = draw(st.integers(1, 2)), draw(st.integers(2, 5))
    splits = [(r, f) for r in range(repeats) for f in range(folds)]
    shift = {s: draw(st.integers(-3, 3)) for s in schemes}
    cells = {}
    for key in ((d, s, k) for d in datasets for s in schemes for k in splits):
        if draw(st.integers(0, 12)):
            cells[key] = (draw(st.integers(0, 8)) + shift[key[1]]) / 8
    return schemes, datasets, splits, cells, draw(st.sampled_from(["higher", "lower"]))


def results_of(schemes, datasets, splits, cells, direction, rng):
    keys = [(d, s, k) for d in datasets for s in schemes for k in splits]
    kept = [key for key in keys if key in cells or rng.random() < 0.5]  # failed, or never run
    rng.shuffle(kept)
    return Results.of(
        [d for d, _, _ in kept],
        [s for _, s, _ in kept],
        {"score": [cells.get(key, np.nan) for key in kept]},
        repeat=[r for _, _, (r, _) in kept],
        fold=[f for _, _, (_, f) in kept],
        n_train=12,
        n_test=3,
        directions={"score": direction},
        status=["done" if key in cells else "error" for key in kept],
    )


@given(tables(), st.integers(0, 2**31))
def test_flags_are_those_of_the_slow_twin(table, seed):
    schemes, datasets, splits, cells, direction = table
    present = {d for d, _, _ in cells}
    assume(all(any((d, s, k) in cells for d in datasets for k in splits) for s in schemes))
    assume(present == set(datasets))
    results = results_of(*table, np.random.default_rng(seed))
    assume(all(len({*zip(results.repeat[results.dataset == d], results.fold[results.dataset == d], strict=True)}) == len(splits) for d in datasets))  # fmt: skip
    analysis = analyse(results, "score", base=schemes[0])
    for d in datasets:
        here, common = usable(cells, d, schemes, splits)
        row = dict(
            zip(analysis.schemes, analysis.grid.means[datasets_of(analysis, d)], strict=True)
        )
        for s in schemes:
            judged = s in here and common
            mean = fmean(cells[d, s, k] for k in common) if judged else math.nan
            assert row[s] == pytest.approx(mean, rel=1e-12, abs=1e-15, nan_ok=True)
            if s == schemes[0] or not judged or schemes[0] not in here or len(common) < 2:
                assert analysis.verdict(d, s) == ""
                continue
            first, base = ([cells[d, name, k] for k in common] for name in (s, schemes[0]))
            repeats = len({r for r, _ in common})
            flag, p = flag_twin(first, base, 3 / 12, direction, repeats)
            assert analysis.pvalue(d, s) == pytest.approx(p, rel=1e-9, nan_ok=True)
            if abs(p - LEVEL) > 1e-9 or math.isnan(p):
                assert analysis.verdict(d, s) == flag


def datasets_of(analysis, name):
    return analysis.grid.datasets.index(name)


@given(tables(), st.integers(0, 2**31))
def test_the_mark_knows_which_way_is_better(table, seed):
    """The same values with the other direction turn every mark round and leave every p-value."""
    schemes, datasets, splits, cells, _ = table
    assume(all(any((d, s, k) in cells for d in datasets for k in splits) for s in schemes))
    marks = []
    for direction in ("higher", "lower"):
        rng = np.random.default_rng(seed)
        results = results_of(schemes, datasets, splits, cells, direction, rng)
        assume(results.n)
        analysis = analyse(results, "score", base=schemes[0])
        marks.append({(d, s): analysis.verdict(d, s) for d in results.datasets for s in schemes})
    turned = {"better": "worse", "worse": "better", "": "", "untestable": "untestable"}
    assert {key: turned[mark] for key, mark in marks[0].items()} == marks[1]
