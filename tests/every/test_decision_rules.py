"""What must hold of every decision rule, naming none of them."""

import re

import numpy as np
import pytest

from credibly import DataError, ParameterError, Predictions, decide
from credibly.decisions import decision_rules
from each import Each
from every.additions import ByHand, example_runs

EVERY = list(decision_rules)
ARGUMENTS = ByHand(
    "{name} has no default: add a value to ARGUMENTS of tests/every/test_decision_rules.py.",
    {"number": 9, "amount": 12.0},
)
by_name = Each("rule", EVERY)
on_cases = Each("rule", [r for r in EVERY if r.rate is not None])
COSTS = {"fn": 4, "fp": 1}


def filled(rule):
    return rule.given(**{q.name: ARGUMENTS[q.name] for q in rule.parameters if q.required})


def cases(n=60, seed=3):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    chance = np.round(1 / (1 + np.exp(-rng.normal(2 * truth - 1))), 2)  # some tie
    return truth, chance


def chosen(rule, p, **options):
    return decide(p, COSTS, rule=filled(rule), **options)


@by_name
def test_is_described(rule):
    assert rule.title[0].isupper()
    assert rule.name.isidentifier()
    assert rule.summary.endswith(".")
    assert re.search(r"\b(19|20)\d\d\b", rule.cite)
    assert all(decision_rules[a] is rule for a in (rule.name, *rule.aliases))


@by_name
def test_worked_example_runs(rule):
    example_runs(rule)


@by_name
def test_parameters_refuse_what_their_rule_refuses(rule):
    for q in rule.parameters:
        with pytest.raises(ParameterError, match=f"{rule.name}: {q.name} must be"):
            rule.given(**{q.name: q.rule.broken_by})
        assert q.required or q.rule.accepts(q.default)


@by_name
def test_its_call_reads_back(rule):
    asked = filled(rule)
    assert decision_rules.parse(asked.call).call == asked.call


@by_name
def test_labels_follow_the_threshold(rule):
    truth, chance = cases()
    made = chosen(rule, Predictions.of(truth, probability=chance))
    if made.threshold is not None:
        assert made.labels.tolist() == (chance >= made.threshold).astype(int).tolist()
    assert made.counts.total == truth.size


@by_name
def test_order_of_rows_does_not_matter(rule):
    truth, chance = cases()
    order = np.random.default_rng(0).permutation(truth.size)
    here = chosen(rule, Predictions.of(truth, probability=chance))
    there = chosen(rule, Predictions.of(truth[order], probability=chance[order]))
    assert here.threshold == there.threshold
    assert here.labels[order].tolist() == there.labels.tolist()


@by_name
def test_a_frequency_weight_is_a_repeated_row(rule):
    truth, chance = cases()
    copies = np.random.default_rng(1).integers(1, 4, truth.size)
    weighted = Predictions.of(
        truth, probability=chance, sample_weight=copies, weight_kind="frequency"
    )
    repeated = Predictions.of(np.repeat(truth, copies), probability=np.repeat(chance, copies))
    one, other = (chosen(rule, p) for p in (weighted, repeated))
    assert one.threshold == other.threshold
    for a, b in zip(one.table.estimates, other.table.estimates, strict=True):
        assert a.value == pytest.approx(b.value, rel=1e-12)
        assert a.interval.low == pytest.approx(b.interval.low, rel=1e-9)


@on_cases
def test_only_the_order_of_scores_matters(rule):
    truth, chance = cases()
    here = chosen(rule, Predictions.of(truth, score=chance))
    there = chosen(rule, Predictions.of(truth, score=np.exp(5 * chance) - 7))
    assert here.labels.tolist() == there.labels.tolist()


@on_cases
def test_the_threshold_has_an_interval_that_holds_it_and_depends_on_the_seed_alone(rule):
    truth, chance = cases(n=150)
    p = Predictions.of(truth, score=chance)
    made = chosen(rule, p, rng=5, replicates=25)
    limits = made.threshold_interval
    assert limits.low <= made.threshold <= limits.high
    assert "subsampling" in limits.method
    again = chosen(rule, p, rng=5, replicates=25)
    assert (limits.low, limits.high) == (
        again.threshold_interval.low,
        again.threshold_interval.high,
    )
    assert chosen(rule, p).decisions[0].why_no_threshold_interval.startswith("subsampling")


@on_cases
def test_without_a_seed_it_says_that_the_cost_is_too_hopeful(rule):
    truth, chance = cases()
    p = Predictions.of(truth, score=chance)
    said = {f.code for f in chosen(rule, p).table.findings}
    assert "chosen-and-judged" in said
    said = {f.code for f in chosen(rule, p, rng=1, replicates=20).table.findings}
    assert "chosen-and-judged" not in said


@by_name
def test_one_class_is_refused(rule):
    with pytest.raises(DataError, match="only the class 1 occurs"):
        chosen(rule, Predictions.of([1, 1], probability=[0.2, 0.9], classes=[0, 1]))
