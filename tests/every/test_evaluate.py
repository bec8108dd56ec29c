"""Everything at once: evaluate, intervals and baselines on every kind of predictions."""

import json
from functools import partial

import numpy as np
import pytest

from credibly import Predictions, evaluate
from credibly.evaluation.trivial_rules import baselines
from credibly.measures import measures
from each import Each
from every.battery import CASES, COSTS, VARIANTS, name_of, same

FILLED = [c for c in CASES if c.n]
KINDS = ("none", "frequency", "importance")
weights = Each("kind", KINDS, str)


def with_weights(case, kind):
    if kind == "none":
        return case.predictions
    weight = np.arange(case.n) % 3 + (1.0 if kind == "frequency" else 0.3)
    made = partial(case.with_columns, sample_weight=weight, weight_kind=kind)
    return case.once(("weighted", kind), made)


def everything(case, kind="none", by=None):
    """Return all measures of a case with the costs that some need."""
    p = with_weights(case, kind)
    costs = COSTS if p.task == "classification" else None
    return case.once(("everything", kind, by), partial(evaluate, p, by=by, costs=costs))


@pytest.mark.daily(kind=["none"])
@pytest.mark.parametrize(
    ("case", "kind"),
    [(c, k) for c in FILLED for k in KINDS if k == "none" or c.wholesome],
    ids=str,
)
def test_every_applicable_measure_gets_an_estimate(case, kind):
    p = with_weights(case, kind)
    table = everything(case, kind)
    found = {e.measure: e for e in table.estimates}
    for each in measures:
        if not each.offered(p):
            assert each.name not in found
            continue
        costly = any(q.name == "costs" for q in each.parameters)
        m = (each.given(costs=COSTS) if costly else each).about(p)
        lack = m.lacks(p)
        if m.lacks(p, averaged=True):
            assert m.call not in found
            continue
        e = found[m.call]
        assert (e.interval is None) == bool(e.why_no_interval)
        assert e.title == m.title
        assert e.direction == m.direction
        if not lack:
            assert same(e.value, m.value(p), rtol=0, atol=0)
        assert np.isnan(e.value) == any(f.code == "undefined" for f in e.findings)
        if np.isinf(e.value):
            assert [f.code for f in e.findings] == ["infinite-loss"]
    assert len(found) == len(table)


def contains_its_estimate(e):
    return (
        0 <= e.interval.low <= e.value <= e.interval.high <= 1
        and e.interval.low < e.interval.high
        and e.interval.about == "cases"
        and e.n > 0
    )


@pytest.mark.daily(kind=["importance"])
@Each("case", FILLED, repr)
@weights.apart
def test_wilson_contains_its_estimate(case, kind):
    p = with_weights(case, kind)
    slices = (None, "class") if p.task == "classification" else (None,)
    shares = [m for m in measures if m.parts is not None and m.task == p.task]
    shares = [m for m in shares if p.task != "outcome" or not m.lacks(p)]
    shares = [m for m in shares if p.probability is not None or "probability" not in m.needs]
    for by in slices if shares else ():
        for e in evaluate(p, shares, by=by, average=None).estimates:
            assert e.interval is None or contains_its_estimate(e), e


@pytest.mark.daily(case=FILLED[::2])
@pytest.mark.parametrize("case", FILLED, ids=repr)
def test_by_class_with_everything(case):
    p = case.predictions
    if p.task != "classification":
        return
    table = everything(case, by="class")
    assert {e.keys.get("class") for e in table.estimates} >= set(p.classes)
    json.loads(table.to_json())


@pytest.mark.parametrize("rule", list(baselines), ids=lambda b: b.name)
@weights.apart
def test_every_baseline_evaluates(rule, kind):
    applied = 0
    for case in FILLED:
        p = with_weights(case, kind)
        made = rule(p)
        if made is None:
            continue
        applied += 1
        assert made.task == p.task
        assert same(made.weights.sum(), p.weights.sum())
        for m in VARIANTS:
            if not m.lacks(made):
                value = m.value(made)
                assert np.isnan(value) or m.range[0] <= value <= m.range[1], (case, name_of(m))
    assert applied
    assert rule.doc.strip().endswith(".")


def test_a_baseline_is_the_rule_applied_row_by_row():
    """The weighted rows by class stand for what predicting every row would give."""
    case = next(c for c in CASES if c.name == "three classes")
    p = case.predictions
    share = np.bincount(p.truth) / p.n
    by_hand = {
        "majority": case.with_columns(label=np.full(p.n, share.argmax())),
        "prevalence": case.with_columns(probability=np.tile(share, (p.n, 1))),
    }
    for name, rows in by_hand.items():
        made = baselines[name](p)
        for m in measures:
            if not m.lacks(made) and not m.lacks(rows):
                assert same(m.value(made), m.value(rows)), (name, m.name)


def test_one_fold_without_weight_is_undefined_not_an_error():
    for columns in ({"value": [1.0, 2.0, 3.0]}, {"label": [1, 0, 1], "score": [0.1, 0.2, 0.3]}):
        p = Predictions.of([1, 0, 1], **columns, sample_weight=[1, 1, 0], fold=[0, 0, 1])
        for interval in ("auto", "bootstrap"):
            table = evaluate(p, by="fold", interval=interval, rng=1, replicates=9)
            values = [e.value for e in table.where(fold=1)]
            assert values
            assert not any(v > 0 for v in values)


@pytest.mark.parametrize("case", FILLED, ids=str)
@pytest.mark.parametrize("by", [None, "class"])
def test_every_estimate_says_how_it_stands_to_the_best_rule(case, by):
    p = case.predictions
    if by and p.task != "classification":
        pytest.skip("there are no classes")
    for e in everything(case, by=by):
        found = e.advantage
        assert (found is None) == (e.rule is None or np.isnan(e.value))
        if found is None:
            continue
        sign = 1 if e.direction == "higher" else -1
        assert found.rule == e.rule
        assert same(found.difference, sign * (e.value - e.rule.value))
        assert (found.standing == "unknown") == (e.interval is None)
        assert found.standing != "better" or found.difference > 0
        assert found.standing != "worse" or found.difference < 0
