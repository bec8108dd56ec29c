"""Outcomes: cases that were scored elsewhere, instead of a truth and a prediction."""

import json
import re
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from credibly import (
    DataError,
    ParameterError,
    Predictions,
    at_k,
    attempts,
    check,
    compare,
    evaluate,
    flips,
    forecasts,
    gate,
    prediction_sets,
    read,
    report,
    save,
)
from credibly.engines import summarise
from credibly.reports import log_to_mlflow

# 30 questions about 6 passages, by two models; goldens below are of these.
RNG = np.random.default_rng(11)
PASSAGE = np.repeat(np.arange(6), 5)
FIRST = np.round(
    np.clip(0.6 + np.repeat(RNG.normal(0, 0.2, 6), 5) + RNG.normal(0, 0.2, 30), 0, 1), 3
)
SECOND = np.round(np.clip(FIRST + RNG.normal(0.05, 0.1, 30), 0, 1), 3)


def codes(result):
    return {f.code for f in result.findings}


def clustered(values, cluster):
    """The standard error that Inspect prints: pairs within a cluster, and C / (C - 1)."""
    mean, names = values.mean(), np.unique(cluster)
    pairs = sum(np.outer(v := values[cluster == c] - mean, v).sum() for c in names)
    return np.sqrt(pairs * len(names) / (len(names) - 1)) / len(values)


# inspect_ai 0.3.285: stderr() and stderr(cluster="p") of these scores, and the number of the passage of each.
INSPECT_SCORES = [2.054735, 1.249593, -0.283269, 1.137596, -1.101371, -0.268126, 0.60239]
INSPECT_PASSAGES = [0, 0, 1, 1, 2, 2, 2]
INSPECT_ERRORS = {"naive": 0.412955078057871, "clustered": 0.5641871342412698}


@pytest.mark.parametrize("kind", INSPECT_ERRORS)
def test_standard_errors_are_those_that_the_package_of_inspect_computes(kind):
    group = {"group": INSPECT_PASSAGES} if kind == "clustered" else {}
    p = Predictions.of(outcome=INSPECT_SCORES, better="higher", **group)
    found = evaluate(p, "mean_outcome", interval="influence")["mean_outcome"].interval
    assert found.standard_error == pytest.approx(INSPECT_ERRORS[kind], rel=1e-12)


def test_standard_errors_are_those_of_inspect():
    alone = evaluate(Predictions.of(outcome=FIRST, better="higher"), "mean_outcome").estimates[0]
    assert alone.value == pytest.approx(FIRST.mean(), rel=1e-12)
    assert alone.interval.standard_error == pytest.approx(
        FIRST.std(ddof=1) / np.sqrt(30), rel=1e-12
    )
    grouped = Predictions.of(outcome=FIRST, better="higher", group=PASSAGE)
    found = evaluate(grouped, "mean_outcome").estimates[0].interval
    assert found.standard_error == pytest.approx(clustered(FIRST, PASSAGE), rel=1e-12)
    assert found.degrees_of_freedom == 5


def test_standard_errors_are_those_of_a_cluster_robust_regression():
    """OLS on a constant with cov_type="cluster" (statsmodels 0.15.0), alone and of the differences."""
    grouped = {"better": "higher", "group": PASSAGE}
    one = evaluate(Predictions.of(outcome=FIRST, **grouped), "mean_outcome").estimates[0]
    assert one.interval.standard_error == pytest.approx(0.09418568539503935, rel=1e-9)
    two = compare(Predictions.of(outcome={"a": FIRST, "b": SECOND}, **grouped))
    assert two.parameters["standard_error"] == pytest.approx(0.012656109635709976, rel=1e-9)
    plain = compare(Predictions.of(outcome={"a": FIRST, "b": SECOND}, better="higher"))
    assert plain.parameters["standard_error"] == pytest.approx(0.01538072262127142, rel=1e-9)


def test_paired_differences_have_the_error_of_their_differences():
    both = {"outcome": {"a": FIRST, "b": SECOND}, "better": "higher"}
    plain = compare(Predictions.of(**both))
    gap = FIRST - SECOND
    assert plain.difference == pytest.approx(gap.mean(), rel=1e-12)
    assert plain.parameters["standard_error"] == pytest.approx(gap.std(ddof=1) / 30**0.5, rel=1e-12)
    grouped = compare(Predictions.of(**both, group=PASSAGE))
    assert grouped.parameters["standard_error"] == pytest.approx(clustered(gap, PASSAGE), rel=1e-12)
    assert grouped.favoured == "b"


def test_epochs_of_a_case_count_once():
    case, epoch = np.repeat(np.arange(10), 3), np.tile(np.arange(3), 10)
    numbers = FIRST[:30]
    again = Predictions.of(outcome=numbers, row=case, repeat=epoch, better="higher")
    means = numbers.reshape(10, 3).mean(axis=1)
    found = evaluate(again, "mean_outcome").estimates[0]
    assert (found.value, found.n) == (pytest.approx(means.mean(), rel=1e-12), 10)
    assert found.interval.standard_error == pytest.approx(means.std(ddof=1) / 10**0.5, rel=1e-12)
    assert "pooled-folds" not in codes(evaluate(again))
    other = Predictions.of(outcome=SECOND, row=case, repeat=epoch, better="higher")
    assert compare(again, other).test == "influence"


def test_passes_are_shares_with_wilson_and_mcnemar():
    a, b = FIRST > 0.6, SECOND > 0.6
    p = Predictions.of(outcome={"a": a, "b": b})
    table = evaluate(p)
    assert {e.measure for e in table} == {"pass_rate"}
    assert {e.interval.method for e in table} == {"Wilson"}
    found = compare(p)
    assert (found.test, found.measure, found.direction) == ("mcnemar", "pass_rate", "higher")
    assert found.parameters["only_second"] == (b & ~a).sum()
    assert compare(Predictions.of(outcome={"a": a, "b": b, "c": ~a})).whole.test == "cochran_q"


OF_PREDICTIONS = r"(?i)\b(truth|majority|class(es)?|labels?|predicted|err|errs|error rates?|wrong|loss|losses|trivial)\b"


@pytest.mark.parametrize("kind", ["pass", "number"])
def test_nothing_is_said_of_a_truth_or_a_class(kind):
    given = {"new": FIRST, "old": SECOND}
    passes = {name: each > 0.6 for name, each in given.items()}
    p = (
        Predictions.of(outcome=passes)
        if kind == "pass"
        else Predictions.of(outcome=given, better="higher")
    )
    said = [str(evaluate(p).all), str(compare(p)), str(flips(p)), str(gate(p, margin=0.05))]
    said += [str(check(p).cells()), report(p).markdown().split("## What the numbers mean")[0]]
    for text in said:
        found = re.search(OF_PREDICTIONS, text)
        assert not found, text[max(0, found.start() - 90) : found.end() + 60]


@pytest.mark.parametrize("ends", [(0, 1), (-0.5, 1.25), (0, np.inf)])
@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet", "frame"])
def test_files_give_outcomes_back(tmp_path, kind, ends):
    p = Predictions.of(
        outcome={"a": FIRST, "b": SECOND}, better="lower", bounds=ends, group=PASSAGE
    )
    assert (
        read(p.frame() if kind == "frame" else save(p, tmp_path / f"p.{kind}")).fingerprint
        == p.fingerprint
    )


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_engines_are_told_which_way_is_better_by_the_file(tmp_path, kind):
    p = Predictions.of(outcome={"a": FIRST, "b": SECOND}, better="lower", bounds=(0, 1))
    found = summarise(save(p, tmp_path / f"p.{kind}"))
    assert (found.better, found.bounds) == ("lower", (0.0, 1.0))


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ({"better": "higher"}, {"better": "lower"}, "of a higher is better, of b lower is better"),
        ({"bounds": (0, 1)}, {"bounds": (0, 2)}, "from 0 to 1, of b outcomes reach from 0 to 2"),
    ],
)
def test_models_that_were_scored_otherwise_are_not_compared(first, second, said):
    models = {
        "a": Predictions.of(outcome=FIRST, **first),
        "b": Predictions.of(outcome=SECOND, **second),
    }
    for verb in (compare, gate, flips):
        with pytest.raises(DataError, match=f"(?i){said}"):
            verb(models)


def test_a_direction_that_is_known_of_one_model_is_not_that_of_both():
    known, unknown = Predictions.of(outcome=FIRST, better="lower"), Predictions.of(outcome=SECOND)
    assert compare({"a": known, "b": unknown}).direction == "neither"
    with pytest.raises(ParameterError, match="higher or a lower"):
        gate({"a": known, "b": unknown})
    passes = compare(
        {
            "a": Predictions.of(outcome=FIRST > 0.5),
            "b": Predictions.of(outcome=SECOND, better="higher"),
        }
    )
    assert passes.direction == "higher"
    assert {"outcomes-of-two-kinds", "unchecked-order"} <= codes(passes)


def test_outcomes_of_both_directions_in_one_file_are_refused():
    mixed = pd.DataFrame({"outcome": [0.5, 7.0], "better": ["higher", "lower"]})
    with pytest.raises(DataError, match="outcomes of several kinds: 'better' is higher and lower"):
        read(mixed)


@pytest.mark.parametrize("column", ["metric", "Metric name", "scorer"])
def test_outcomes_of_two_metrics_are_not_averaged(column):
    mixed = pd.DataFrame({"score": [1.0, 0.0, 0.3], column: ["accuracy", "accuracy", "bleu"]})
    with pytest.raises(DataError, match=f"'{column}' is accuracy and bleu"):
        read(mixed, outcome="score")
    assert read(mixed[:2], outcome="score").n == 2
    apart = evaluate(read(mixed, outcome="score", ignore=[column]), "mean_outcome", by=column)
    assert [e.value for e in apart] == [0.5, 0.3]


def test_wide_and_long_tables_are_the_same():
    wide = pd.DataFrame({"id": range(30), "a": FIRST, "b": SECOND})
    long = wide.melt("id", var_name="model", value_name="outcome")
    assert read(wide, outcome=["a", "b"]).fingerprint == read(long).fingerprint
    named = read(wide, outcome={"x": "a", "y": "b"})
    assert set(named.model.tolist()) == {"x", "y"}


def test_words_and_truth_values_of_files_are_passes(tmp_path):
    path = tmp_path / "runs.jsonl"
    rows = [{"id": i, "passed": bool(v > 0.6)} for i, v in enumerate(FIRST)]
    path.write_text("\n".join(map(json.dumps, rows)))
    p = read(path)
    assert p.outcome.tolist() == (FIRST > 0.6).tolist()
    assert "taken-as-passed" not in codes(p)
    words = read(pd.DataFrame({"outcome": ["pass", "FAIL", None, "passed"]}))
    assert np.array_equal(words.outcome, [1, 0, np.nan, 1], equal_nan=True)
    assert codes(words) >= {"no-outcome", "guessed-columns"}


def test_what_is_taken_for_granted_is_said():
    assert "outcome-direction" in codes(Predictions.of(outcome=FIRST))
    assert "taken-as-passed" in codes(Predictions.of(outcome=[1, 0, 1]))
    assert not Predictions.of(outcome=[True, False]).findings
    unknown = compare(Predictions.of(outcome={"a": FIRST, "b": SECOND}))
    assert (unknown.direction, unknown.favoured) == ("neither", "")
    lower = compare(Predictions.of(outcome={"a": FIRST, "b": SECOND}, better="lower"))
    assert lower.favoured == "a"


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"outcome": [1, 0], "row": [7, 7]}, DataError, "row id"),
        ({"outcome": {"a": [1, 0], "b": [1, 0, 1]}}, DataError, "not for the same cases"),
        ({"outcome": [0.5, 2.0], "bounds": (0, 1)}, DataError, "outside"),
        ({"outcome": [0.5], "bounds": (1, 0)}, ParameterError, "lowest and the highest"),
        ({"outcome": [0.5], "better": "up"}, ParameterError, "better"),
        ({"outcome": [0.5], "y_true": [1]}, ParameterError, "set one of them"),
        ({"outcome": [0.5], "label": [1]}, ParameterError, "set one of them"),
        ({"outcome": [np.inf]}, DataError, "finite"),
        ({"outcome": [None, np.nan]}, DataError, "None of the 2 rows has an outcome"),
        ({"outcome": ["pass", "maybe"]}, DataError, "neither pass nor fail"),
    ],
    ids=lambda each: str(each)[:40],
)
def test_bad_outcomes_are_named(given, error, said):
    with pytest.raises(error, match=said):
        Predictions.of(**given)


def test_models_that_were_judged_on_other_cases_are_named():
    a = Predictions.of(outcome=FIRST, row=range(30), better="higher")
    b = Predictions.of(outcome=SECOND, row=range(1, 31), better="higher")
    with pytest.raises(DataError, match="not evaluated on the same cases"):
        compare(a, b)


def test_equivalence_within_a_margin():
    p = Predictions.of(outcome={"a": FIRST, "b": SECOND}, better="higher")
    assert compare(p, margin=0.2).rejected
    assert not compare(p, margin=0.01).rejected
    assert compare(p, margin=0.2, alternative="greater").rejected


def test_variance_between_and_within_cases_is_shown_apart():
    rng = np.random.default_rng(5)
    case, epoch = np.repeat(np.arange(200), 4), np.tile(np.arange(4), 200)
    numbers = np.repeat(rng.normal(0, 1, 200), 4) + rng.normal(0, 1, 800)
    p = Predictions.of(outcome=numbers, row=case, repeat=epoch, better="higher")
    found = evaluate(p, "mean_outcome")
    (said,) = [f for f in found.all_findings() if f.code == "epochs"]
    assert said.data["between"] + said.data["within"] == pytest.approx(100)
    assert said.data["within"] == pytest.approx(20, abs=5)  # 1 / 4 of 1 + 1 / 4
    assert said.data["least"] < found.estimates[0].interval.standard_error


def test_mlflow_gets_numbers_with_their_limits(monkeypatch):
    logged, texts = {}, {}
    fake = SimpleNamespace(
        log_metrics=logged.update, log_text=lambda text, name: texts.update({name: text})
    )
    monkeypatch.setitem(sys.modules, "mlflow", fake)
    p = Predictions.of(outcome={"a": FIRST > 0.6, "b": SECOND > 0.6})
    made = log_to_mlflow(evaluate(p), report=report(p), prefix="nightly")
    assert made == logged
    assert {"nightly/a/pass_rate", "nightly/a/pass_rate_low", "nightly/b/pass_rate_high"} <= set(
        logged
    )
    assert texts["report.html"].startswith("<!")
    halves = {"a": FIRST > 0.6, "b": SECOND > 0.6}
    hard = Predictions.of(outcome=halves, columns={"hard": np.arange(FIRST.size) % 2})
    sliced = evaluate(hard, "pass_rate", by="hard")
    named = log_to_mlflow(sliced)
    assert len(named) == 3 * len(sliced.rows())  # none overwrites another
    assert "0/a/pass_rate" in named or "a/0/pass_rate" in named
    assert any(name.endswith("_difference") for name in log_to_mlflow(gate(p, margin=0.1)))
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(ParameterError, match="MLflow is not installed"):
        log_to_mlflow(evaluate(p))


def test_numbers_of_0_and_1_are_passes_only_where_they_can_be_nothing_else():
    numbers = [0.0, 1, 1, 0, 1]
    assert Predictions.of(outcome=numbers).pass_or_fail
    assert Predictions.of(outcome=numbers, better="higher", bounds=(0, 1)).pass_or_fail
    for told in ({"better": "lower"}, {"bounds": (0, 10)}, {"better": "lower", "bounds": (0, 10)}):
        (found,) = evaluate(Predictions.of(outcome=numbers, **told), "mean_outcome").estimates
        assert not Predictions.of(outcome=numbers, **told).pass_or_fail
        assert found.value == 0.6
        assert "Wilson" not in found.interval.method


@pytest.mark.parametrize("score", ["mean_forecast_error", "crps"])
def test_losses_without_an_end_have_no_interval_of_a_share(score):
    made = forecasts([1.0, 3, 2, 0, -1], members=[[0.0], [2], [2], [0], [0]])
    (found,) = made.table(score).estimates
    assert found.value == 0.6
    assert found.interval.high > 1
    assert found.interval.method != "Wilson"


def test_mean_sizes_of_sets_end_at_the_number_of_classes():
    one = prediction_sets(["a", "b", "c"] * 7, [["a"], ["b"], ["a"]] * 6 + [["a"], ["b"], []])
    assert one.table("set_size").estimates[0].interval.method != "Wilson"
    all_sizes = prediction_sets(["a", "b", "c"], [["a"], ["a", "c"], ["a", "b", "c"]])
    assert all_sizes.table("set_size").estimates[0].interval.high <= 3
    assert one.table("empty_sets").estimates[0].interval.method == "Wilson"


@pytest.mark.parametrize("how", ["pass", "majority", "best"])
@pytest.mark.parametrize("rate", [0.5, 1.0])
def test_attempts_are_what_evaluate_says_of_k_of_them(how, rate):
    """Also where all cases pass, or fail, as a whole: then it is a pass rate."""
    rng = np.random.default_rng(3)
    row, repeat = np.divmod(np.arange(90), 3)
    p = Predictions.of(outcome=rng.random(90) < rate, row=row, repeat=repeat)
    for k, found in zip((1, 2, 3), attempts(p, k=[1, 2, 3], how=how).estimates, strict=True):
        (expected, *_) = evaluate(at_k(p, k, how)).estimates
        assert (found.value, found.interval, found.n) == (
            expected.value,
            expected.interval,
            expected.n,
        )


def test_errors_beside_failures_are_named():
    p = Predictions.of(outcome=["pass", "fail", "Error", "pass", None])
    (said,) = [f for f in p.findings if f.code == "errors-as-failed"]
    assert said.message.startswith("1 outcome called")
    assert p.outcome.tolist()[:4] == [1, 0, 0, 1]
    for words in (["pass", "error"], ["pass", "fail"]):  # one word for all failures
        assert "errors-as-failed" not in codes(Predictions.of(outcome=words))


def test_a_difference_that_does_not_vary_has_no_effect_size():
    old = np.arange(30) / 7
    both = Predictions.of(outcome={"new": old + 0.1, "old": old}, better="higher")
    assert compare(both).effect_sizes == {}


def test_truth_values_of_a_frame_say_what_is_a_pass(tmp_path):
    frame = pd.DataFrame({"id": range(30), "passed": [i % 3 > 0 for i in range(30)]})
    frame.to_parquet(tmp_path / "p.parquet")
    for source in (frame, tmp_path / "p.parquet"):
        p = read(source)
        assert p.outcome.tolist() == frame["passed"].astype(float).tolist()
        assert "taken-as-passed" not in codes(p)
    gaps = frame.astype({"passed": "boolean"})
    gaps.loc[3, "passed"] = pd.NA
    assert np.isnan(read(gaps, outcome="passed").outcome).nonzero()[0].tolist() == [3]
    assert "taken-as-passed" in codes(read(frame.astype({"passed": int})))
