"""Whether a model is better than a trivial rule is decided once, by both on the same cases."""

import json
from dataclasses import replace

import numpy as np
import pytest

from credibly import Predictions, check, compare, evaluate, report, run
from credibly.evaluation.trivial_rules import baselines, rows_of_rule
from credibly.measures import measures
from credibly.results import Interval
from credibly.results.estimate import Advantage, TrivialRule


def equal_to_majority(n, prevalence, rng, flipped=0.5):
    """Labels that differ from the most common class where either class is as likely: truly no better."""
    share = flipped * prevalence
    while True:
        truth = (rng.random(n) < prevalence).astype(int)
        if truth.any():
            break
    odds = np.where(truth == 1, share / prevalence, share / (1 - prevalence))
    return Predictions.of(truth, label=(rng.random(n) < odds).astype(int), classes=[0, 1])


@pytest.mark.daily(n=[50], prevalence=[0.1])
@pytest.mark.parametrize("n", [50, 300])
@pytest.mark.parametrize("prevalence", [0.1, 0.3])
def test_models_that_are_truly_equal_are_seldom_called_better(n, prevalence):
    """At most 5 of 100 may be; 2.5 are expected, so that more than 16 of 250 come once in 10,000 times."""
    rng = np.random.default_rng([n, int(100 * prevalence)])
    found = [
        evaluate(equal_to_majority(n, prevalence, rng), "error_rate")["error_rate"]
        for _ in range(250)
    ]
    found = [e.advantage.standing for e in found]
    assert found.count("better") <= 16


def test_squared_errors_that_are_truly_equal_to_those_of_the_mean():
    """The interval alone called 10 of 100 of these better."""
    rng = np.random.default_rng(3)
    better = 0
    for _ in range(200):
        x = rng.normal(size=200)
        p = Predictions.of(x + rng.normal(size=200), value=2 * x)
        better += evaluate(p, "mse")["mse"].advantage.standing == "better"
    assert better <= 13


def beside(p, name, measure):
    """Return the predictions of a rule for each case."""
    rows = rows_of_rule(measures[measure], p, name)
    if p.task == "numeric":
        return Predictions.of(p.truth, value=rows.value)
    if rows.label is not None:
        return Predictions.of(p.truth, label=rows.label[p.truth], classes=[0, 1])
    return Predictions.of(p.truth, probability=rows.probability[p.truth, 1], classes=[0, 1])


@pytest.mark.parametrize("measure", ["error_rate", "accuracy", "brier", "log_loss"])
@pytest.mark.parametrize("seed", range(4))
def test_it_agrees_with_a_comparison_of_the_model_with_the_rule(measure, seed):
    rng = np.random.default_rng(seed)
    truth = (rng.random(150) < 0.35).astype(int)
    score = np.clip(0.35 + 0.12 * (truth - 0.35) + 0.2 * rng.normal(size=150), 0.01, 0.99)
    p = Predictions.of(truth, probability=score, classes=[0, 1])
    found = evaluate(p, measure)[measure].advantage
    tested = compare(p, beside(p, found.rule.name, measure), measure)
    assert abs(tested.difference) == pytest.approx(abs(found.difference))
    near = (
        {} if measure in {"error_rate", "accuracy"} else {"rel": 0.3, "abs": 0.01}
    )  # other freedom
    assert found.pvalue == pytest.approx(tested.pvalue, **near)


def test_every_rule_moves_with_its_cases_as_a_difference_says():
    """Half of a case of each class more: the rule is held as it is, and its value moves as its influence says."""
    from credibly.evaluation.trivial_rules import _of_cases
    from credibly.intervals.influence import influence

    rng = np.random.default_rng(0)
    truth = (rng.random(60) < 0.4).astype(int)
    p = Predictions.of(truth, probability=np.clip(rng.normal(0.4 + 0.2 * truth, 0.2), 0.01, 0.99))
    tried = set()
    for name, measure in [("majority", "accuracy"), ("random", "precision"), ("all_positive", "fbeta"), ("prevalence", "brier")]:  # fmt: skip
        m, step = measures[measure], 1e-5
        rows = rows_of_rule(m, p, name)
        moved = _of_cases(influence(m, rows), rows, p)
        for c in (0, 1):
            size = rows.weights[rows.truth == c].sum()
            more = rows.weights * np.where(rows.truth == c, 1 + step / size, 1.0)
            shifted = m.on(replace(rows, weight=more, weight_kind="importance", cache={}), None)
            assert (shifted - m.on(rows, None)) / step == pytest.approx(moved[truth == c][0], rel=1e-3, abs=1e-8)  # fmt: skip
        tried.add(name)
    assert tried == {b.name for b in baselines if b.gives != "value"}


TRUTH = [1] * 8 + [0] * 32
UNCLEAR = Predictions.of(TRUTH, label=[1] * 7 + [0] + [1] * 2 + [0] * 30)
CLEAR = Predictions.of(TRUTH, label=[1] * 7 + [0] * 33)


@pytest.mark.parametrize(("p", "standing"), [(CLEAR, "better"), (UNCLEAR, "not shown")])
def test_every_surface_tells_the_same(p, standing):
    table = evaluate(p, "error_rate")
    clearly = standing == "better"
    assert table["error_rate"].advantage.standing == standing
    assert json.loads(table.to_json())["estimates"][0]["advantage"]["standing"] == standing
    assert ("not clearly better" in table.meaning()) is not clearly
    assert (", clearly better" in table._repr_html_()) is clearly
    (said,) = [f for f in report(p).document.key_figures if f.label == "Verdict"]
    assert said.tone == ("good" if clearly else "doubtful")
    passed = check(p)["no-better-than-majority"].status == "passed"
    assert passed is clearly


def test_a_verdict_that_the_interval_does_not_show_says_what_it_rests_on():
    truth = [1] * 60 + [0] * 140
    p = Predictions.of(truth, label=[1] * 40 + [0] * 20 + [1] * 25 + [0] * 115)
    e = evaluate(p, "error_rate")["error_rate"]
    assert e.interval.high < e.rule.value
    assert e.advantage.standing == "not shown"
    assert (
        evaluate(p, "error_rate")
        .meaning()
        .endswith(
            "not clearly better than the best trivial rule (majority, 0.3), whose value is uncertain too, on the same cases (p = 0.064)."
        )
    )
    assert (
        ", not clearly better than the best trivial rule (majority)." in report(p).document.headline
    )


def test_a_rule_that_no_case_moves_is_set_against_the_interval():
    e = evaluate(Predictions.of([1, 0] * 20, score=[0.9, 0.1] * 15 + [0.3, 0.5] * 5), "auc")["auc"]
    assert e.advantage.pvalue is None
    assert e.advantage.standing == "better"


def test_other_training_sets_add_to_the_error():
    rng = np.random.default_rng(1)
    y = np.arange(80) % 2
    X = rng.normal(0.7 * y[:, None], 1.0, (80, 2))
    table = evaluate(run("naive-bayes", X, y, resampling="10", rng=1), "error_rate")
    again, fitted = table["error_rate"], evaluate(table_pooled(X, y), "error_rate")["error_rate"]
    assert again.advantage.pvalue > fitted.advantage.pvalue


def table_pooled(X, y):
    p = run("naive-bayes", X, y, resampling="10", rng=1)
    return Predictions.of(p.truth, label=p.label, classes=p.classes)


def test_without_an_interval_nothing_is_claimed():
    assert evaluate(CLEAR, "error_rate", interval="none")["error_rate"].advantage.standing == "unknown"  # fmt: skip
    rule = TrivialRule("majority", 0.5)
    limits = Interval(0.1, 0.3, 0.95, "Wilson")
    assert Advantage(rule, -0.3, limits).standing == "worse"
    assert Advantage(rule, 0.0, limits, 0.01).standing == "not shown"


def test_one_error_among_cases_of_one_class_does_not_show_that_a_model_is_worse():
    """The majority rule is right on all of them; one case apart is no evidence, though the interval ends below 1."""
    p = Predictions.of([1, 1, 1, 1], label=[1, 1, 1, 0], classes=[0, 1])
    found = evaluate(p, "accuracy")["accuracy"].advantage
    assert found.rule.value == 1
    assert found.pvalue == 1
    assert found.standing == "not shown"
