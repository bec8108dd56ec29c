"""What must hold of every way to estimate, naming none of them."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes

from credibly import evaluate, run
from credibly.evaluation._declare import estimators
from credibly.evaluation.fold_estimators import headline_estimate
from credibly.measures import measures
from credibly.predictions.summaries import BinaryCounts
from each import Each

EVERY = list(estimators)
X, Y = load_breast_cancer(return_X_y=True)
ROWS = np.arange(0, 569, 8)
each = Each("entry", EVERY)


@pytest.fixture(scope="module")
def runs():
    small = X[ROWS, :3], Y[ROWS]
    numbers = tuple(a[:60] for a in load_diabetes(return_X_y=True))
    return [
        run("naive-bayes", *small, resampling="3x4", rng=1),
        run("naive-bayes", *small, resampling="bootstrap(replicates=8)", rng=1),
        run("tree(max_depth=2)", *small, resampling="repeated_holdout(repeats=3)", rng=1),
        run("naive-bayes", X[ROWS[:14], :3], Y[ROWS[:14]], resampling="leave_pair_out"),
        run("naive-bayes", *small, resampling="4", rng=1),
        run("ridge", *numbers, resampling="bootstrap(replicates=8)", rng=1),
        run("ridge", *numbers, resampling="2x3", rng=1),
        run("naive-bayes", *small, resampling="nested_cv(k=3, repeats=2)", rng=1),
        run("ridge", *numbers, resampling="nested_cv(k=3, repeats=2)", rng=1),
        run("naive-bayes", *small, resampling="paired_subsampling(repeats=3, pairs=2)", rng=1),
    ]


@each
def test_is_described(entry):
    assert entry.title[0].isupper() or entry.title[0] == "."
    assert entry.doc.split("\n")[0].endswith(".")
    assert re.search(r"\b(19|20)\d\d\b", entry.cite)
    assert estimators[entry.name] is entry
    for alias in entry.aliases:
        assert estimators[alias] is entry


@each
def test_answers_some_run_within_the_range_of_every_measure(entry, runs):
    served = [p for p in runs if not entry.needs(p)]
    assert served, "no run serves it"
    for i, p in enumerate(served):
        known = p.task in {q.task for q in served[:i]}  # every measure was tried on another run
        table = evaluate(p, "headline" if known else None, estimate=entry.name)
        for e in table.estimates:
            m = measures.parse(e.measure)
            assert math.isnan(e.value) or m.range[0] - 1e-9 <= e.value <= m.range[1] + 1e-9 or entry.name == "optimism"  # fmt: skip
            assert e.interval is not None or e.why_no_interval
            assert e.interval is None or e.interval.low <= e.interval.high
            assert not math.isnan(e.value) or e.findings


@each
def test_the_order_of_rows_does_not_matter(entry, runs):
    for p in runs:
        if entry.needs(p):
            continue
        order = np.random.default_rng(0).permutation(p.n)
        measures = ["error_rate", "brier", "auc"] if p.task == "classification" else ["mae", "rmse"]
        here, there = (evaluate(q, measures, estimate=entry.name) for q in (p, p.take(order)))
        for a, b in zip(here.estimates, there.estimates, strict=True):
            assert a.value == pytest.approx(b.value, rel=1e-9, abs=1e-12, nan_ok=True)


@each
def test_what_is_lacking_is_said_in_words(entry, runs):
    for p in runs:
        lack = entry.needs(p)
        assert not lack or len(str(lack)) > 3


NO_ARGUMENTS = [m for m in measures if not m.unfilled and m.task != "outcome"]


@Each("m", NO_ARGUMENTS)
def test_what_stands_for_folds_does_not_hang_on_how_few_cases_they_hold(m, runs):
    """A mean over folds of equal size is that of all cases, or scores are compared; else cases are pooled."""
    p = next(r for r in runs if r.task == m.task and r.repeats == 2 + (m.task == "classification"))
    kind = headline_estimate(p, m.name)
    if kind == "pooled" or m.compares_scores or not m.smooth:
        return
    size = 3 * (p.n // (3 * p.repeats))
    fold = np.tile(np.arange(3), size // 3)
    part = replace(p.where(repeat=0).take(np.arange(size)), fold=fold, cache={})
    mean = np.mean([m.value(part.where(fold=f)) for f in range(3)])
    counted = 3 if m.range[1] == np.inf and m.reads is BinaryCounts else 1
    assert m.value(part) == pytest.approx(counted * mean)
