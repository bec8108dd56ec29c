"""A declared class without cases: averages and slices over the classes that occur, on request."""

import json
import math

import numpy as np
import pytest

import credibly
from credibly import DataError, Predictions, compare, curve, evaluate
from credibly.cli import main
from credibly.intervals import bootstrap
from credibly.measures import measures
from each import Each

RNG = np.random.default_rng(3)
TRUTH = RNG.integers(0, 3, 120)
MATRIX = RNG.dirichlet([1, 1, 1, 1], 120)
MATRIX[np.arange(120), TRUTH] += 0.3
MATRIX /= MATRIX.sum(axis=1, keepdims=True)
NAMES = np.array(list("abcd"))
P = Predictions.of(
    NAMES[TRUTH], probability=MATRIX, classes=list("abcd"), baseline=[0.3, 0.3, 0.3, 0.1]
)
ASKED = [
    m
    for m in measures
    if m.class_wise
    and not m.lacks(Predictions.of([0, 1], probability=[0.2, 0.7], baseline=[0.5, 0.5]))
]


@Each("m", ASKED)
def test_every_average_is_that_of_the_classes_that_occur(m):
    values = m.by_class(P)[:3]
    found = m(P, average="macro_occurring")
    assert found == pytest.approx(values.mean(), rel=1e-12) or math.isnan(values.mean())
    estimate = evaluate(P, m, average="macro_occurring")[m.name]
    assert estimate.value == pytest.approx(found, rel=1e-12) or math.isnan(found)
    assert estimate.average == "macro_occurring"


@pytest.mark.parametrize("m", ["f1", "auc", "brier"])
def test_intervals_of_what_ignores_the_empty_class_are_those_without_it(m):
    """Moving the probability of the empty class to one that is never the largest changes no ranks of others."""
    labels = NAMES[MATRIX[:, :3].argmax(axis=1)]
    given = dict(zip(("label", "classes"), (labels, list("abcd")), strict=True))
    with_empty = Predictions.of(NAMES[TRUTH], **given)
    without = Predictions.of(NAMES[TRUTH], label=labels)
    if m != "f1":
        with_empty = Predictions.of(
            NAMES[TRUTH],
            probability=np.column_stack([_three(), np.zeros(120)]),
            classes=list("abcd"),
        )
        without = Predictions.of(NAMES[TRUTH], probability=_three())
    for method in ("auto", "bootstrap"):
        a = evaluate(with_empty, m, average="macro_occurring", interval=method, rng=1)[m]
        b = evaluate(without, m, average="macro", interval=method, rng=1)[m]
        assert a.value == pytest.approx(b.value, rel=1e-12)
        assert a.interval.low == pytest.approx(b.interval.low, rel=1e-9)
        assert a.interval.high == pytest.approx(b.interval.high, rel=1e-9)


def _three():
    return MATRIX[:, :3] / MATRIX[:, :3].sum(axis=1, keepdims=True)


def test_by_class_shows_those_that_occur():
    table = evaluate(P, ["recall", "auc"], by="occurring_class")
    assert [e.keys["class"] for e in table.where(measure="recall")] == list("abc")
    every = evaluate(P, ["recall", "auc"], by="class")
    for e in table.estimates:
        same = next(o for o in every.estimates if (o.measure, o.keys) == (e.measure, e.keys))
        assert (same.value, same.baselines, same.interval) == (e.value, e.baselines, e.interval)


def test_curves_by_class():
    with pytest.raises(DataError, match="by='occurring_class'"):
        curve("roc", P, by="class")
    drawn = curve("roc", P, by="occurring_class")
    assert [c.keys["class"] for c in drawn.values()] == list("abc")
    assert credibly.plot(drawn).series()


def test_the_default_names_the_option():
    macro = evaluate(P, "recall")["recall"]
    assert math.isnan(macro.value)
    assert "average='macro_occurring'" in macro.findings[0].action
    each = [e for e in evaluate(P, "recall", by="class").estimates if e.keys["class"] == "d"]
    assert "by='occurring_class'" in each[0].findings[0].action
    unlabelled = Predictions.of(list("aabc"), label=list("aaac"))
    assert "occurring" not in evaluate(unlabelled, "precision")["precision"].findings[0].action


def test_comparisons_and_replicates_take_it():
    other = Predictions.of(NAMES[TRUTH], probability=MATRIX[::-1].copy(), classes=list("abcd"))
    found = compare(P, other, measure="auc", average="macro_occurring")
    assert found.difference == pytest.approx(
        measures["auc"](P, average="macro_occurring")
        - measures["auc"](other, average="macro_occurring")
    )
    drawn = bootstrap(P, "recall", average="macro_occurring", rng=1)
    assert np.isfinite(drawn.interval("recall").low)


def test_the_command_line_takes_it(tmp_path, capsys):
    path = credibly.save(P, tmp_path / "p.parquet")
    assert (
        main(
            ["evaluate", str(path), "--measure", "recall", "--average", "macro_occurring", "--json"]
        )
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert found["estimates"][0]["value"] == pytest.approx(
        measures["recall"](P, average="macro_occurring")
    )
    assert main(["evaluate", str(path), "--measure", "recall"]) == 0
    assert "--average macro_occurring" in capsys.readouterr().out
    assert main(["curve", "roc", str(path), "--by", "class"]) == 1
    assert "--by occurring_class" in capsys.readouterr().err
    assert main(["curve", "roc", str(path), "--by", "occurring_class", "--csv"]) == 0
