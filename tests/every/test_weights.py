"""What weights stand for decides what every verb says: cases that are repeated, removed, or counted in another unit."""

import json

import numpy as np
import pytest

import credibly
from credibly import Predictions
from credibly.ensembles import diversity
from credibly.intervals.methods import interval_methods
from credibly.io import read, save
from each import Each

RNG = np.random.default_rng(11)
N = 48
TRUTH = RNG.integers(0, 2, N)
COUNTS = RNG.integers(0, 4, N)
COLUMNS = {"shop": RNG.choice(["x", "y"], N), "task": RNG.choice(["s", "t"], N)}
PROBABILITIES = {
    name: np.clip(0.3 * TRUTH + 0.7 * RNG.random(N), 0, 1).round(2) for name in ("a", "b")
}
KINDS = {
    "two classes": {"y_true": TRUTH, "probability": PROBABILITIES["a"]},
    "three classes": {
        "y_true": RNG.integers(0, 3, N),
        "probability": RNG.dirichlet([1, 1, 1], N),
        "classes": [0, 1, 2],
    },
    "numbers": {"y_true": TRUTH + RNG.random(N), "value": TRUTH + RNG.random(N).round(1)},
}
VERBS = {
    "slices": lambda p: credibly.slices(p["a"], by="shop", rng=1, replicates=200),
    "benchmarks": lambda p: credibly.benchmarks(p, "error_rate", rng=1, replicates=200),
    "benchmarks of a loss": lambda p: credibly.benchmarks(
        p, "brier", weights="case", rng=1, replicates=200
    ),
    "compare": lambda p: credibly.compare(p, measure="brier"),
    "calibration": lambda p: credibly.calibration(p["a"], rng=1, replicates=20),
    "decide": lambda p: credibly.decide(p["a"], {"fn": 5, "fp": 1}, rng=1, replicates=20),
}


def rows(which, **more):
    """Both models on some rows."""
    beside = {name: column[which] for name, column in COLUMNS.items()}
    return {
        name: Predictions.of(TRUTH[which], probability=p[which], columns=beside, **more)
        for name, p in PROBABILITIES.items()
    }


def numbers(told):
    """Return every number that a result holds, by its place; what stands for rows aside."""
    if isinstance(told, dict):
        found = [(k, numbers(v)) for k, v in told.items() if k not in {"findings", "rows"}]
        return [(f"{k}.{place}", n) for k, each in found for place, n in each]
    if isinstance(told, list):
        return [(f"{i}.{place}", n) for i, v in enumerate(told) for place, n in numbers(v)]
    return [("", float(told))] if isinstance(told, int | float) else []


def assert_same(a, b):
    one, other = (dict(numbers(json.loads(x.to_json()))) for x in (a, b))
    assert one
    assert one == pytest.approx(other, rel=1e-7, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("verb", VERBS)
def test_a_frequency_is_so_many_equal_rows(verb):
    counted = rows(np.arange(N), sample_weight=COUNTS, weight_kind="frequency")
    assert_same(VERBS[verb](counted), VERBS[verb](rows(np.repeat(np.arange(N), COUNTS))))


@pytest.mark.parametrize("verb", [v for v in VERBS if v != "decide"])  # which adds up costs
def test_importance_weights_have_no_unit(verb):
    weight = np.random.default_rng(12).random(N) + 0.1
    each = [
        rows(np.arange(N), sample_weight=w, weight_kind="importance")
        for w in (weight, 1000 * weight)
    ]
    assert_same(*map(VERBS[verb], each))


@pytest.mark.parametrize("kind", KINDS)
def test_equal_importance_weights_change_nothing(kind):
    weights = {"sample_weight": np.full(N, 3.0), "weight_kind": "importance"}
    each = [Predictions.of(**KINDS[kind], **more) for more in ({}, weights)]
    totals = {"positives", "negatives", "pairs"}  # which are in the unit of the weights
    tables = [
        [e for e in credibly.evaluate(p).all if e.measure.split("_")[-1] not in totals]
        for p in each
    ]
    for one, other in zip(*tables, strict=True):
        assert_same(one, other)


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_of_no_weight_is_no_case(kind):
    given, kept = KINDS[kind], COUNTS > 0
    weights = {"sample_weight": COUNTS, "weight_kind": "frequency"}
    both = {**given, **weights}
    parts = {k: v[kept] if isinstance(v, np.ndarray) else v for k, v in both.items()}
    assert_same(*(credibly.evaluate(Predictions.of(**p)) for p in (both, parts)))


@Each("method", interval_methods)
def test_a_group_of_no_weight_is_no_group(method):
    """Nor does it stand in what an interval or a finding says that it rests on."""
    kept = COUNTS > 0
    group = np.where(kept, np.arange(N) % 12, 100 + np.arange(N))
    told = []
    for which in (np.arange(N), np.flatnonzero(kept)):
        weights = {"sample_weight": COUNTS[which], "weight_kind": "frequency"}
        p = Predictions.of(
            TRUTH[which], probability=PROBABILITIES["a"][which], group=group[which], **weights
        )
        asked = {"interval": method.name, "rng": 1, "replicates": 99}
        told.append(credibly.evaluate(p, ["accuracy", "brier", "auc", "kappa"], **asked))
    assert_same(*told)
    one, other = (
        [(e.interval and e.interval.method, e.why_no_interval, e.findings) for e in t] for t in told
    )
    assert one == other


def test_classes_of_one_size_are_told_apart_by_no_rounding():
    """Of three classes the majority rule takes the first, whichever sum of weights rounding makes the largest."""
    label = np.tile([0, 1, 1, 2, 2, 0], 3)
    advantages = []
    for unit in (1.0, 1e-7, 0.1):
        weight = unit * np.repeat([3.7, 0.5, 2.0], 6)
        given = {"sample_weight": weight, "weight_kind": "importance", "label": label}
        p = Predictions.of(np.tile([0, 1, 2], 6), **given)
        advantages.append(credibly.evaluate(p, "recall", by="class").all.estimates)
    rules = [[e.baselines["majority"] for e in each] for each in advantages]
    assert rules == [[1.0, 0.0, 0.0]] * 3


def test_headings_count_cases():
    kept = np.repeat(np.arange(N), COUNTS)
    for counted, plain in [
        (rows(np.arange(N), sample_weight=COUNTS, weight_kind="frequency"), rows(kept)),
        (rows(np.arange(N), sample_weight=COUNTS, weight_kind="importance"), rows(COUNTS > 0)),
    ]:
        for verb in (credibly.evaluate, diversity):
            assert verb(counted).heading == verb(plain).heading


@pytest.mark.daily
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("weight_kind", ["frequency", "importance"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_keeps_what_weights_stand_for(kind, weight_kind, ending, tmp_path):
    p = Predictions.of(**KINDS[kind], sample_weight=COUNTS, weight_kind=weight_kind)
    back = read(save(p, tmp_path / f"p.{ending}"))
    assert back.weight_kind == weight_kind
    assert "weight_kind" not in back.columns.written
    assert_same(credibly.evaluate(p), credibly.evaluate(back))
