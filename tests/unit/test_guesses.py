"""What a user of scikit-learn guesses: it works, or ends in the right word."""

from __future__ import annotations

import ast
import inspect
from decimal import Decimal
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import credibly
from credibly import (
    ParameterError,
    Predictions,
    compare,
    cost_benefit,
    curve,
    evaluate,
    plot,
    read,
    report,
)
from credibly._core.keywords import OTHER_KEYWORDS
from credibly._core.search_names import search_names_of
from credibly.catalogue import show
from credibly.catalogue.registries import HOMES, registry_of
from credibly.cli import build, main, options_of
from credibly.errors import DataError, UnknownArgumentError, UnknownNameError
from credibly.plots import Figure
from credibly.reports.report import Report
from each import Each
from examples import examples

Y = np.random.default_rng(3).integers(0, 2, 80)
A, B = np.clip(0.4 * Y + 0.6 * np.random.default_rng(4).random((2, 80)), 0, 1)
P, Q = Predictions.of(Y, A), Predictions.of(Y, B)
FRAME = pd.DataFrame({"y": Y, "logit": A, "rf": B, "pred": (B > 0.5).astype(int)})
VERBS = {n: getattr(credibly, n) for n in credibly.__all__}
SOUGHT = [(n, how) for verb in VERBS.values() for n, how in search_names_of(verb).items()]
USED = [r for r in map(registry_of, HOMES) if r.use]


@Each("name, how", SOUGHT, str)
def test_names_of_other_libraries_lead_to_the_verb(name, how):
    assert name not in credibly.__all__
    with pytest.raises(AttributeError) as caught:
        getattr(credibly, name)
    assert str(caught.value).endswith(f"Use credibly.{how}.")
    verb = how.partition("(")[0]
    assert verb in credibly.__all__
    assert show(name)


@pytest.mark.parametrize("registry", USED, ids=lambda r: r.kind)
def test_the_use_of_an_entry_is_a_call_that_there_is(registry):
    name = next(iter(registry)).name
    called = ast.parse(registry.used(name), mode="eval").body
    call = next(c for c in ast.walk(called) if isinstance(c, ast.Call))
    verb = getattr(credibly, call.func.attr)
    assert {k.arg for k in call.keywords} <= set(inspect.signature(verb).parameters)


def test_a_name_of_another_kind_is_told_with_its_verb():
    with pytest.raises(
        UnknownNameError, match=r"the calibration statistic expected.*`calibration`"
    ):
        evaluate(P, "ece")
    with pytest.raises(AttributeError, match=r"It is the curve roc: credibly\.curve\(p, 'roc'\)\."):
        _ = credibly.roc
    with pytest.raises(AttributeError, match=r"It is credibly\.running\.learning_curve\."):
        _ = credibly.learning_curve


@pytest.mark.parametrize(
    ("kind", "name", "how"),
    [(Figure, n, how) for m in (Figure.save, Figure.draw) for n, how in search_names_of(m).items()]
    + [(Report, n, how) for n, how in search_names_of(Report.model_card).items()],
)
def test_methods_of_other_libraries_lead_to_ours(kind, name, how):
    thing = plot(P) if kind is Figure else reported()
    assert not hasattr(kind, name)
    with pytest.raises(AttributeError) as caught:
        getattr(thing, name)
    assert str(caught.value).endswith(f"Use {how}.")
    assert hasattr(thing, how[1:].partition("(")[0])


@cache
def reported():
    return report(P)


def test_a_file_called_card_is_a_model_card(tmp_path):
    assert reported().save(tmp_path / "card.md").read_text().startswith("---\ntags:")
    assert not reported().save(tmp_path / "report.md").read_text().startswith("---")
    assert not reported().save(tmp_path / "card.md", "markdown").read_text().startswith("---")


def codes(result):
    return [f.code for f in result.all_findings()]


@examples(20)
@given(n=st.integers(30, 80), strength=st.floats(0.2, 1), seed=st.integers(0, 99))
def test_a_ranking_clearly_the_wrong_way_round_is_told(n, strength, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    score = strength * y + rng.random(n)
    for positive in (0, 1):
        table = evaluate(Predictions.of(y, score=score, positive=positive), ["auc", "gini"])
        below = any(
            e.interval is not None and e.interval.high < c
            for e, c in zip(table, (0.5, 0), strict=True)
        )
        assert ("other-class" in codes(table)) == below
        assert codes(table).count("other-class") <= 1


def test_the_probability_of_the_other_class_is_asked_about():
    said = evaluate(Predictions.of(Y, probability=A, positive=0), "auc").all_findings()
    (found,) = [f for f in said if f.code == "other-class"]
    assert "is this the score or probability of 1?" in found.message
    assert "other-class" not in codes(evaluate(P, "auc"))
    assert "other-class" not in codes(evaluate(Predictions.of(Y, score=np.arange(80) % 7), "auc"))


def test_arrays_that_look_swapped_and_a_truth_alone_are_told():
    assert "swapped-arrays" in [f.code for f in Predictions.of(A, Y).findings]
    for truth, given_as in ((Y, A), (A * 10, B), (A, B)):
        assert "swapped-arrays" not in [f.code for f in Predictions.of(truth, given_as).findings]
    assert [f.code for f in Predictions.of(Y).findings] == ["nothing-predicted"]


def test_two_models_of_one_test_set():
    both = Predictions.of(Y, {"a": A, "b": B})
    assert both.model.tolist() == ["a"] * 80 + ["b"] * 80
    assert (
        compare(both, measure="auc").difference
        == compare({"a": P, "b": Q}, measure="auc").difference
    )
    named = Predictions.of(Y, probability={"a": A, "b": B}, label={"a": A > 0.4, "b": B > 0.4})
    assert named.where(model="b").label.tolist() == (B > 0.4).astype(int).tolist()
    by_class = Predictions.of(Y, {0: 1 - A, 1: A})
    assert by_class.model is None
    assert evaluate(by_class, "auc")["auc"].value == evaluate(P, "auc")["auc"].value
    with pytest.raises(ParameterError, match="the same models"):
        Predictions.of(Y, probability={"a": A, "b": B}, label={"b": Y, "a": Y})
    for several in ([P, Q], (P, Q)):
        for verb in (compare, evaluate, report):
            with pytest.raises(
                ParameterError, match=r"Give several models their names: \{'a': p, 'b'"
            ):
                verb(several)
    with pytest.raises(DataError, match=r"several models: models=\['logit', 'rf'\]"):
        read(FRAME, truth="y", probability=["logit", "rf"])


def test_a_named_probability_labels_the_cases_itself():
    p = read(FRAME, truth="y", probability="logit")
    assert p.label.tolist() == (A >= 0.5).astype(int).tolist()
    assert p.fingerprint == P.fingerprint
    assert read(FRAME, truth="y", probability="logit", label="pred").label.tolist() == (
        FRAME["pred"].tolist()
    )


def test_a_benefit_written_as_a_cost_is_told():
    (said,) = [
        f for f in cost_benefit(P, {"tp": 15, "fp": 1}).all_findings() if f.code == "dear-decisions"
    ]
    assert said.action.startswith("If 15 is a benefit, write it as a negative cost.")
    for name in ("benefits", "benefit"):
        with pytest.raises(UnknownArgumentError, match=r"A benefit is a negative cost.*costs="):
            cost_benefit(P, **{name: {"tp": 15}})


def test_predictions_come_first_and_may_come_second():
    assert curve(P, "roc").y.tolist() == curve("roc", P).y.tolist()
    assert plot(P, "roc").layers[0].columns == plot("roc", P).layers[0].columns
    assert len(curve({"a": P, "b": Q}, "roc").curves) == 2


def test_what_goes_by_name_is_told_where_it_is_given_by_place():
    with pytest.raises(UnknownArgumentError, match=r"read\(source, truth=..., label=...\)"):
        read(FRAME, "y", "logit")
    with pytest.raises(ParameterError, match=r"Use Predictions.of\(y_true, y_pred\)"):
        Predictions(Y, A)


COMMANDS = ["evaluate", "compare", "run", "decide", "report", "recalibrate"]


@pytest.mark.daily(command=COMMANDS[:2])
@pytest.mark.parametrize("command", COMMANDS)
def test_options_of_other_libraries_are_ours_or_end_in_them(command, capsys):
    known = options_of(build([command]), [command])
    tried = 0
    for own, others in OTHER_KEYWORDS.items():
        option = f"--{own.replace('_', '-')}"
        for other in others.split():
            typed = f"--{other.replace('_', '-')}"
            if option in known and typed not in known:
                assert main([command, "x.csv", typed, "y"]) > 0
                said = capsys.readouterr().err
                assert "Unknown option" not in said or option in said.partition("Use ")[2]
                tried += 1
    assert tried


def test_costs_with_commas_and_the_plot_behind_the_file(tmp_path, capsys, monkeypatch):
    FRAME[["y", "logit"]].to_csv(tmp_path / "one.csv", index=False)
    monkeypatch.chdir(tmp_path)
    asked = ["evaluate", "one.csv", "--truth", "y", "--probability", "logit", "--csv"]
    shown = []
    for costs in (["--cost", "fn=5,fp=1"], ["--cost", "fn=5", "--cost", "fp=1"]):
        assert main([*asked, *costs, "--measure", "average_cost"]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    for words in (["roc", "one.csv"], ["one.csv", "roc"]):
        assert main(["plot", *words, "--truth", "y", "--probability", "logit"]) == 0
        assert main(["curve", *words, "--truth", "y", "--probability", "logit"]) == 0
    assert (tmp_path / "one-roc.svg").exists()


def test_columns_that_can_be_read_once_are_read_once():
    rows = list(zip([1, 0, 1, 0], [0.9, 0.2, 0.6, 0.4], strict=True))
    lists = Predictions.of([y for y, _ in rows], [s for _, s in rows])
    once = Predictions.of((y for y, _ in rows), (s for _, s in rows))
    assert once.fingerprint == lists.fingerprint
    by_name = Predictions.of(
        {i: y for i, (y, _) in enumerate(rows)}.values(), map(float, lists.probability)
    )
    assert by_name.fingerprint == lists.fingerprint
    with pytest.raises(DataError, match="y_true is a set, which has no order"):
        Predictions.of({0, 1}, [0.9, 0.2])
    with pytest.raises(DataError, match="there is no case"):
        Predictions.of([], [])


def test_decimals_are_numbers_and_numbers_as_text_are_not():
    made = Predictions.of([1, 0], [Decimal("0.75"), Decimal("0.25")])
    assert made.probability.tolist() == [0.75, 0.25]
    with pytest.raises(DataError, match=r"written as text, such as '0.75'. Make numbers"):
        Predictions.of([1, 0], ["0.75", "0.25"])
    assert Predictions.of(["1.5", "2.5"], ["1.5", "1.5"]).label is not None


def test_an_index_in_another_order_is_doubted():
    y = pd.Series([1, 0, 1, 0], index=list("abcd"))
    s = pd.Series([0.9, 0.2, 0.6, 0.4], index=list("dabc"))
    (said,) = [f for f in Predictions.of(y, s).findings if f.code == "reordered-index"]
    assert said.severity == "caution"
    for other in (s.set_axis(list("abcd")), s.set_axis(range(4)), s.to_numpy()):
        assert "reordered-index" not in {f.code for f in Predictions.of(y, other).findings}
