"""One estimate stands for the predictions of many fits, at every door the same."""

import json
from dataclasses import replace

import numpy as np
import pytest

from credibly import Predictions, decide, evaluate, plot, report, run
from credibly.evaluation.fold_estimators import headline_estimate

RNG = np.random.default_rng(1)
Y = np.arange(60) % 2
X = RNG.normal(Y[:, None], 1.5, (60, 2))
PAIRS = [
    ([i for i in range(60) if i not in (a, b)], [a, b])
    for a in range(0, 8, 2)
    for b in range(1, 9, 2)
]


@pytest.mark.parametrize(
    ("resampling", "name", "about"),
    [
        ("3", "fold_mean", "training"),
        ("2x3", "fold_mean", "training"),
        ("bootstrap(replicates=10)", "oob", None),
        ("holdout", None, "cases"),
        (PAIRS, "pair_mean", "cases"),
    ],
)
def test_a_name_returns_the_headline_after_every_run(resampling, name, about):
    p = run("naive-bayes", X, Y, resampling=resampling, rng=1)
    table = evaluate(p, "auc")
    e = table["auc"]
    assert e.keys.get("estimate") == name
    assert headline_estimate(p, "auc") == (name or "pooled")
    assert about is None or e.interval.about == about
    kept = json.loads(table.to_json())["estimates"]
    marks = [each.get("headline") for each in kept]
    assert marks == ([None] if len(kept) == 1 else [True, False])
    said = [line for line in table.remarks() if line.startswith("Headline estimate: ")]
    assert len(said) == (len(kept) > 1)


def test_the_others_come_on_request():
    table = evaluate(run("naive-bayes", X, Y, resampling="3", rng=1), "auc")
    (other,) = table.where(measure="auc", estimate="pooled")
    assert other.value != table["auc"].value
    assert "Headline estimate: mean over folds." in str(table)
    assert "Not shown: other estimates (pooled); see .all." in str(table)
    assert len(table.cells()[1]) == 1
    assert table.all.cells()[0] == ["measure \\ estimate", "fold_mean", "pooled"]


def test_what_is_asked_for_by_name_has_the_usual_headline_or_the_first():
    p = run("naive-bayes", X, Y, resampling="2x3", rng=1)
    usual = evaluate(p, "auc", estimate=["pooled", "fold_mean"])
    assert usual["auc"].keys["estimate"] == "fold_mean"
    first = evaluate(p, "auc", estimate=["repeat_mean", "pooled"])
    assert first["auc"].keys["estimate"] == "repeat_mean"


def test_several_models_are_told_apart_in_words_that_work():
    p = run(["naive-bayes", "zero-r"], X, Y, resampling="3", rng=1)
    table = evaluate(p, "accuracy")
    with pytest.raises(KeyError, match=r"occurs 2 times.*model='naive-bayes'\)"):
        table["accuracy"]
    with pytest.raises(KeyError, match=r"'auc' is not in this table\. Measures: accuracy"):
        table["auc"]
    assert table["accuracy", "zero-r"].keys["model"] == "zero-r"
    with pytest.raises(KeyError, match=r"\('accuracy', 'tree'\) is not in this table"):
        table["accuracy", "tree"]
    heads = table.where(measure="accuracy", is_headline=True)
    assert [e.keys["model"] for e in heads] == ["naive-bayes", "zero-r"]


def test_pictures_reports_and_decisions_take_the_same():
    p = run("naive-bayes", X, Y, resampling="3", rng=1)
    value = evaluate(p, "accuracy")["accuracy"].value
    assert plot(evaluate(p, "accuracy")).layers[-1].columns["x"] == pytest.approx([value])
    costs = {"fn": 5, "fp": 1}
    made = decide(p, costs)
    for name in ("average_cost", "total_cost"):  # a total is that of all cases
        same = evaluate(p, name, costs=costs)[name]
        assert same.keys == made.table[name].keys
    labelled = replace(p, label=made.labels, cache={})
    assert evaluate(labelled, "average_cost", costs=costs)["average_cost"].value == pytest.approx(
        made.table["average_cost"].value
    )
    assert report(p).to_dict()


def test_one_estimate_is_not_marked():
    table = evaluate(Predictions.of([1, 0, 1], [1, 0, 0]), "accuracy")
    assert "headline" not in table["accuracy"].to_dict()
    assert "headline" not in table.rows()[0]
