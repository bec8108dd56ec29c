"""What a first user stumbled over: sentences that were false, and rows that were judged in silence."""

import json
import re
from contextlib import nullcontext
from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import credibly
from credibly import DataError, Predictions, calibration, check, evaluate, read, run, save
from credibly.cli import main
from credibly.errors import CrediblyError
from credibly.results.about import about_text
from credibly.results.interval import Interval

X, Y = (part[:120] for part in load_breast_cancer(return_X_y=True))


def codes(table):
    return [f.code for f in table.findings]


def test_parts_of_unknown_names_are_not_judged_in_silence():
    p = Predictions.of([1, 0, 1], label=[1, 1, 1], part=["trian", "test", "test"])
    (said,) = [f for f in evaluate(p, "accuracy").findings if f.code == "mixed-parts"]
    assert "'test', 'trian'" in said.message
    assert "mixed-parts" not in codes(evaluate(p, "accuracy", by="part"))
    learnt = Predictions.of([1, 0, 1], label=[1, 1, 1], part=["learn", "holdout", "holdout"])
    assert (learnt.n, codes(evaluate(learnt, "accuracy"))) == (2, ["left-out"])


@pytest.mark.parametrize("name", ["p.csv", "p.jsonl", "p.parquet"])
def test_saving_cases_in_time_narrows_no_interval(name, tmp_path):
    p = run("linear", X[:, :3], X[:, 3], resampling="time_ordered(k=4)", time=np.arange(120))
    before, after = (
        evaluate(q, "mae", estimate="pooled")["mae"].interval
        for q in (p, read(save(p, tmp_path / name)))
    )
    assert (after.low, after.high) == pytest.approx((before.low, before.high), rel=1e-9)


def test_repeats_are_neither_weights_nor_groups_to_the_reader():
    p = run("tree(max_depth=2)", X[:, :3], Y, resampling="2x3", rng=1)
    said = {f.code for f in calibration(p).findings}
    assert not {"grouped-cases", "groups-as-independent", "effective-size"} & said
    assert check(p)["weights-of-unknown-kind"].status == "not applicable"
    facts = json.loads(credibly.report(p).json())["facts"]
    assert "weights" not in facts


def test_each_fold_of_several_repeats_is_asked_for_by_both(capsys, tmp_path):
    p = run("naive-bayes", X[:, :3], Y, resampling="2x3", rng=1)
    (said,) = [f for f in evaluate(p, "accuracy").findings if f.code == "pooled-folds"]
    assert said.action == "See each with by=['repeat', 'fold']."
    assert len(evaluate(p, "accuracy", by=["repeat", "fold"]).estimates) == 6
    assert (
        main(["evaluate", str(save(p, tmp_path / "p.parquet")), "--measure", "accuracy", "--all"])
        == 0
    )
    assert "--by repeat,fold" in " ".join(capsys.readouterr().out.split())


def test_probabilities_may_be_rounded_to_the_decimals_that_they_show():
    rounded = [[0.3333, 0.3333, 0.3333], [0.5, 0.25, 0.25]]
    assert Predictions.of(["a", "b"], probability=rounded, classes=list("abc")).n == 2
    for wrong in ([[0.5, 0.3, 0.1]], [[0.3333, 0.3333, 0.3300]], [[0.123456789, 0.5, 0.3766]]):
        with pytest.raises(DataError, match="does not sum to 1"):
            Predictions.of(["a"], probability=wrong, classes=list("abc"))


def test_certain_probabilities_that_fail_are_miscalibrated():
    truth, certain = np.arange(100) % 2, (np.arange(100) % 2).astype(float)
    certain[:20] = 1 - certain[:20]
    found = check(Predictions.of(truth, probability=certain))["miscalibrated"]
    assert found.fired
    assert "wrong in 20 of 100 cases with a probability of exactly 0 or 1" in found.message
    assert not check(Predictions.of(truth, probability=truth.astype(float)))["miscalibrated"].fired


def test_every_model_is_held_against_the_majority_rule():
    truth = np.arange(100) % 4 == 0
    good, poor = truth.copy(), ~truth
    good[:24] = ~good[:24]
    p = Predictions.of(
        np.tile(truth, 2), label=np.r_[good, poor], model=np.repeat(["good", "poor"], 100)
    )
    alone = check(p.where(model="good"))["no-better-than-majority"].message
    both = check(p)["no-better-than-majority"].message
    assert "of good is not clearly higher" in alone
    assert "poor: 0 against 0.75" in both
    assert alone in both


def test_a_share_of_cases_has_the_interval_of_a_proportion():
    n = 400
    probability = np.full(n, 0.99)
    truth = np.ones(n, int)
    truth[0] = 0
    e = evaluate(Predictions.of(truth, probability=probability), "coverage")["coverage"]
    assert e.interval.method == "Wilson"
    assert e.interval.low > 0.98


def test_all_parts_are_counted_where_all_are_shown():
    p = Predictions.of([1, 0, 1], label=[1, 1, 1], part=["train", "test", "train"])
    assert evaluate(p, "accuracy", by="part").heading.startswith("3 cases")


@pytest.mark.parametrize("interval", ["auto", "bootstrap"])
def test_a_total_is_its_mean_times_the_cases(interval):
    costs = credibly.CostMatrix.of([[0, 1], [20, 0]], classes=[0, 1])
    p = run("tree(max_depth=2)", X[:, :3], Y, resampling="3", rng=1)
    names = ["total_cost", "average_cost"]
    total, mean = evaluate(p, names, costs=costs, estimate="pooled", interval=interval, rng=1).estimates  # fmt: skip
    assert total.value == pytest.approx(120 * mean.value)
    assert (total.interval.low, total.interval.high) == pytest.approx(
        (120 * mean.interval.low, 120 * mean.interval.high)
    )


@pytest.mark.parametrize(("slope", "shift", "fires"), [(3.0, 0.0, True), (0.5, 0.0, True), (1.0, 1.0, True), (1.0, 0.0, False)])  # fmt: skip
def test_probabilities_are_judged_by_tests_and_size_however_well_they_rank(slope, shift, fires):
    logit = np.random.default_rng(3).normal(0, 0.8, 3000)  # an AUC of about 0.7
    truth = np.random.default_rng(4).random(3000) < 1 / (1 + np.exp(-logit))
    p = Predictions.of(truth, probability=1 / (1 + np.exp(-slope * logit - shift)))
    assert check(p)["miscalibrated"].fired == fires


def test_a_frame_of_two_columns_holds_two_models_unless_they_are_probabilities():
    y, s = [0, 1, 1, 0], np.array([0.2, 0.9, 0.6, 0.4])
    both = Predictions.of(y, pd.DataFrame({"lr": s, "tree": [0, 1, 0, 0]}))
    assert both.model_names == ("lr", "tree")
    assert Predictions.of(y, pd.DataFrame({"a": 1 - s, "b": s})).probability.shape == (4, 2)


def test_a_list_of_fitted_models_is_named_by_their_classes():
    fitted = [DecisionTreeClassifier(max_depth=d).fit(X, Y) for d in (1, 2)]
    p = Predictions.from_estimator([*fitted, GaussianNB().fit(X, Y)], X, Y)
    depths = [f"DecisionTreeClassifier(max_depth={d})" for d in (1, 2)]
    assert list(p.model_names) == [*depths, "GaussianNB"]


def test_two_columns_of_one_name_are_refused(tmp_path):
    file = tmp_path / "twice.csv"
    file.write_text("y,p,p\n1,0.3,0.4\n0,0.2,0.1\n")
    with pytest.raises(DataError, match="has 2 columns called 'p'"):
        read(file)


def test_findings_of_some_models_name_them():
    y, s = [0, 1, 1, 0], [0.2, 0.9, 0.6, 0.4]
    p = Predictions.of(y, {"whole": s, "holed": [0.2, float("nan"), 0.6, 0.4]})
    (found,) = (f for f in p.findings if f.code == "no-prediction")
    assert found.message.startswith("Model holed: 1 of 4 rows has no prediction")


def test_a_truth_of_one_class_says_what_cannot_be_known():
    p = Predictions.of([1] * 20, probability=np.linspace(0, 1, 20), classes=[0, 1])
    table = credibly.evaluate(p)
    said = [f for f in table.all_findings() if f.code == "one-class-truth"]
    assert [f.severity for f in said] == ["problem"]
    assert said[0].message.startswith("All 20 cases are of class 1")
    assert table["recall"].value == 0.5
    assert np.isnan(table["auc"].value)
    assert "few-cases" not in {f.code for f in table.all_findings()}


def test_classes_are_shown_as_in_a_classification_report():
    truth, label = list("aabbccabca"), list("aabbcbaaca")
    table = credibly.evaluate(Predictions.of(truth, label), by="class")
    told = metrics.classification_report(truth, label, output_dict=True)
    header, body = table.cells()
    assert [str(h) for h in header] == ["class", "Precision", "Recall", "F-measure", "support"]
    rows = {row[0]: row[1:] for row in body}
    assert [*rows] == ["a", "b", "c", "accuracy", "macro average", "weighted average"]
    for name, key in (
        ("a", "a"),
        ("macro average", "macro avg"),
        ("weighted average", "weighted avg"),
    ):
        numbers = [float(cell.partition(" ")[0]) for cell in rows[name]]
        expected = [told[key][k] for k in ("precision", "recall", "f1-score", "support")]
        assert numbers == pytest.approx(expected, abs=0.0006)
    assert float(rows["accuracy"][2].partition(" ")[0]) == pytest.approx(told["accuracy"])
    assert table.meaning().startswith("Accuracy is 0.800 [")
    assert "F-measure is lowest for class " in table.meaning()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: credibly.evaluate([1, 0], y_pred=[1, 0]), "Predictions.of(y_true, y_pred)"),
        (lambda: credibly.evaluate("p.csv"), "credibly.read('p.csv')"),
        (lambda: credibly.evaluate({"test_score": [0.8, 0.9]}), "credibly.run(model, X, y, cv=5)"),
        (lambda: credibly.report([1, 0], [1, 0]), "Predictions.of(y_true, y_pred)"),
        (lambda: credibly.curve([1, 0], [0.8, 0.2]), "Predictions.of(y_true, y_pred)"),
        (lambda: credibly.decide([1, 0], [0.8, 0.2], costs={"fn": 5}), "Predictions.of(y_true"),
        (lambda: credibly.compare({"a": [0.8, 0.9], "b": [0.7, 0.8]}), "FoldValues(a, b)"),
    ],
)
def test_arrays_lead_to_predictions(call, said):
    with pytest.raises(credibly.CrediblyError) as error:
        call()
    assert said in str(error.value)
    assert "Did you mean" not in str(error.value)


def test_rows_without_a_prediction_are_spoken_of_once():
    scores = [0.9, 0.2, float("nan"), 0.4, 0.7, 0.1]
    undecided = Predictions.of([1, 0, 1, 0, 1, 0], score=scores, threshold=0.5)
    said = [f for f in evaluate(undecided).findings if f.code in {"no-prediction", "unclassified"}]
    assert [f.code for f in said] == ["no-prediction"]
    assert len(str(said[0])) < 200
    labels = Predictions.of([1, 0, 1, 0], label=[1, 0, None, 0])
    assert "unclassified" in codes(evaluate(labels))


def test_a_first_look_counts_cases_once_where_all_values_are_of_all():
    three = Predictions.of(["a", "b", "c"] * 9, label=["a", "b", "b"] * 9)
    header, body = evaluate(three)._brief().cells()
    assert "n" not in header
    assert {len(row) for row in body} == {len(header)}
    two = Predictions.of([1, 0, 0] * 9, label=[1, 1, 0] * 9, positive=1)
    assert "n" in evaluate(two)._brief().cells()[0]


def test_slices_say_in_one_reading_what_holds_and_what_is_too_small():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 80)
    given = {"label": np.where(rng.random(80) < 0.8, truth, 1 - truth), "positive": 1}
    city = np.array(["small"] * 5 + ["here", "there"] * 37 + ["here"])
    p = Predictions.of(truth, **given, columns={"city": city})
    text = str(credibly.slices(p, by="city", rng=1))
    assert "with 95 % confidence all intervals of a column hold together" in text
    assert "A gap is the largest difference between two slices." in text
    assert "fewer than 10 cases or groups, in the slice or outside it" in text


def test_classes_that_differ_only_in_case_or_spaces_are_doubted():
    p = Predictions.of(["yes", "no", "Yes", "no"], label=["yes", "no", "yes", "no"])
    (said,) = [f for f in evaluate(p).findings if f.code == "spelled-alike"]
    assert "'Yes' and 'yes' differ only in case or spaces" in said.message
    with pytest.raises(DataError, match=r"'no' and 'no ' differ only in case or spaces"):
        Predictions.of(["yes", "no", "no "], score=[0.9, 0.2, 0.1])
    assert "spelled-alike" not in codes(evaluate(Predictions.of(["a", "b"], label=["a", "a"])))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("y,p\n1,0.5\n0,abc\n1,0.4\n", r"line 3 \('abc'\)"),
        ("\ny,p\n\n1,0.5\n0,abc\n1,x\n", r"lines 5 \('abc'\), 6 \('x'\)"),
        ("y,p\n1,0.5\n0,1.5\n1,0.4\n", r"in 1 row, beyond rounding .*: line 3 \(1.5\)"),
        ('y,p,said\n1,0.5,"two\nlines"\n0,abc,""\n1,0.4,so\n', r"line 4 \('abc'\)"),
    ],
)
def test_a_cell_of_a_file_is_found_by_its_line(text, lines, tmp_path):
    file = tmp_path / "p.csv"
    file.write_text(text)
    with pytest.raises(DataError, match=rf"{lines} of the file[.,]"):
        read(file, truth="y", probability="p")


def test_predictions_of_almost_the_same_cases_are_not_called_datasets_in_silence():
    truth = np.arange(30) % 2
    both = {
        "a": Predictions.of(truth, label=truth, row=np.arange(30)),
        "b": Predictions.of(truth[2:], label=1 - truth[2:], row=np.arange(2, 30)),
    }
    assert "overlapping-cases" in codes(evaluate(both, "accuracy"))
    apart = {**both, "b": Predictions.of(truth[2:], label=truth[2:], row=np.arange(100, 128))}
    assert "overlapping-cases" not in codes(evaluate(apart, "accuracy"))
    other = {**both, "b": Predictions.of(1 - truth[2:], label=truth[2:], row=np.arange(2, 30))}
    assert "overlapping-cases" not in codes(evaluate(other, "accuracy"))


def test_a_gate_states_its_level_as_it_would_be_written():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 200)
    new, old = (
        Predictions.of(
            truth, label=np.where(rng.random(200) < 0.8, truth, 1 - truth), row=range(200)
        )
        for _ in range(2)
    )
    told = json.loads(credibly.gate(new, old, margin=0.05).to_json())
    assert "0.8999" not in json.dumps(told)


def test_a_report_says_that_it_replaced_a_file_and_a_plot_offers_curves(capsys, tmp_path):
    p = Predictions.of([1, 0, 1, 0] * 9, score=np.linspace(0, 1, 36), positive=1)
    file, page = save(p, tmp_path / "p.csv"), tmp_path / "report.html"
    for replaced in ("", " in the place of the file that was there"):
        assert main(["report", str(file), "-o", str(page)]) == 0
        assert f"Wrote {page}{replaced}\n" in capsys.readouterr().out
    assert main(["plot", "rocc", str(file)]) == 2
    assert "Did you mean roc?" in capsys.readouterr().err


def test_one_measure_is_spoken_of_first_in_short_in_full_and_in_json(capsys, tmp_path):
    p = Predictions.of([1, 0, 0, 0] * 9, probability=np.linspace(0, 1, 36), positive=1)
    table = evaluate(p)
    assert table.meaning().startswith("Error rate is")
    assert table.all.meaning() == table.all.all.meaning() == table.meaning()
    assert main(["evaluate", str(save(p, tmp_path / "p.csv")), "--positive", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sentence"] == table.meaning()


@pytest.mark.parametrize("columns", [(), ("label",)])
def test_numbers_are_not_taken_for_classes(columns):
    price = np.arange(100_000, 100_300)
    with pytest.raises(DataError, match=r"distinct numbers.*value=") if columns else nullcontext():
        given = dict.fromkeys(columns, price + 7 * 300) or {"y_pred": price + 7 * 300}
        assert Predictions.of(price, **given).task == "numeric"
    many = np.arange(300) % 100  # as many classes as some data sets of pictures have
    assert Predictions.of(many, label=(many + 1) % 100).task == "classification"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("auc", "credibly.evaluate(p)['auc']"),
        ("f1", "credibly.evaluate(p)['f1']"),
        ("calibration", "credibly.calibration(p)"),
        ("confusion", "confusion_matrix"),
    ],
)
def test_predictions_lead_to_verbs_and_measures(name, told):
    with pytest.raises(AttributeError, match=re.escape(told)):
        getattr(Predictions.of([1, 0], [1, 0]), name)


def test_makers_of_predictions_are_found_and_third_arguments_named():
    with pytest.raises(AttributeError, match=r"It is credibly.Predictions.from_estimator"):
        credibly.from_estimator  # noqa: B018
    with pytest.raises(CrediblyError, match=r"such as of\(y_true, y_pred, score=") as raised:
        Predictions.of([1, 0], [1, 0], [0.9, 0.1])
    assert raised.value.__suppress_context__, "one error is shown, not two"


def test_amounts_that_all_differ_are_no_identifiers():
    income = np.random.default_rng(1).permutation(60_000)[: len(Y)]
    asked = {"income": income, "age": Y + np.arange(len(Y)) // 2}
    named = pd.DataFrame({**asked, "customer id": income})
    for X_, expected in ((pd.DataFrame(asked), False), (named, True)):
        found = run("zero-r", X_, Y, resampling="holdout").findings
        assert ("identifier" in {f.code for f in found}) == expected


def test_no_slice_is_made_of_identifiers_unless_they_are_named():
    n = len(Y)
    columns = {
        "customer": 7 + np.arange(n),
        "name": [f"n{i}" for i in range(n)],
        "age": np.arange(n) // 2,
    }
    p = Predictions.of(Y, (Y * np.arange(n)) % 2, columns=columns)
    found = credibly.slices(p, search=True)
    assert {k for e in found.estimates for k in e.keys} == {"age"}
    (said,) = [f for f in found.findings if f.code == "columns-not-searched"]
    assert "customer and name" in said.message
    asked = credibly.slices(p, search=True, by="customer")
    assert {k for e in asked.estimates for k in e.keys} == {"customer"}
    assert "customer=" not in credibly.report(p).markdown()


def test_a_report_slices_by_what_is_asked(tmp_path, capsys):
    frame = pd.DataFrame(
        {"y": Y, "p": np.linspace(0.1, 0.9, len(Y)), "sex": np.tile(["f", "m"], len(Y) // 2)}
    )
    made = credibly.report(credibly.read(frame, truth="y", probability="p"), by="sex").markdown()
    assert "by sex: 2 slices" in made
    assert "Largest gaps between slices" in made
    frame.to_csv(path := tmp_path / "p.csv", index=False)
    asked = [
        "report",
        str(path),
        "--truth",
        "y",
        "--probability",
        "p",
        "-o",
        str(tmp_path / "r.md"),
    ]
    assert main([*asked, "--by", "sex"]) == 0
    assert "by sex: 2 slices" in (tmp_path / "r.md").read_text(encoding="utf-8")
    assert main([*asked, "--by", "gender"]) != 0
    assert "'sex'" in capsys.readouterr().err


def test_labels_that_find_no_positive_case_are_doubted_at_every_door():
    y = np.tile([1, 0, 0, 0], 30)
    sex = {"sex": np.tile(["f", "m"], 60)}
    kept = Predictions.of(y, probability=np.where(y, 0.4, 0.1), columns=sex)
    other = Predictions.of(y, probability=np.where(y, 0.9, 0.1), columns=sex)
    for result in (
        evaluate(kept, "error_rate"),
        evaluate({"kept": kept, "other": other}, "error_rate"),
        credibly.compare({"kept": kept, "other": other}),
        credibly.slices(kept, by="sex"),
    ):
        (said,) = [f for f in result.all_findings() if f.code == "few-labelled-positive"]
        assert "call 0 of 120 cases positive" in said.message
    assert "few-labelled-positive" not in codes(evaluate(other, "error_rate"))


@pytest.mark.parametrize("slices", [6, 12])
def test_the_slices_that_matter_stand_on_the_first_screen(slices):
    rng = np.random.default_rng(2)
    site = rng.integers(0, slices, 60 * slices)
    truth = rng.integers(0, 2, site.size)
    wrong = rng.random(site.size) < np.where(site == slices - 1, 0.5, 0.1)
    columns = {"site": site.astype(str), "sex": np.full(site.size, "f")}
    p = Predictions.of(truth, truth ^ wrong, columns=columns)
    found = credibly.slices(p, by=["site", "sex"])
    body = found.screen().blocks[0][2]
    assert [str(slices - 1), "f"] in [row[:2] for row in body]
    assert len(body) == slices or body[0][0] == str(slices - 1)


def test_what_becomes_of_text_and_of_missing_numbers_is_said(tmp_path, capsys):
    n = len(Y)
    gaps = np.where(np.arange(n) % 7, np.arange(n) / 3, np.nan)
    frame = pd.DataFrame({"age": gaps, "plan": np.tile(["a", "b"], n // 2), "y": Y})
    frame.to_csv(path := tmp_path / "d.csv", index=False)
    assert (
        main(["run", str(path), "--target", "y", "--scheme", "logistic,tree", "--resampling", "2"])
        == 0
    )
    said = " ".join(capsys.readouterr().out.split())
    assert "1 input of text and 1 input with missing numbers" in said
    assert "for logistic: one column for each category, means for missing numbers" in said
    whole = run("tree", frame[["age"]].fillna(0.0), Y, resampling=2, rng=1)
    assert "prepared-columns" not in {f.code for f in whole.findings}
    assert main(["run", str(path), "--target", "y", "-o", "p.parquet"]) != 0
    assert "--save" in capsys.readouterr().err


def test_labels_that_costs_replace_are_no_problem():
    y = np.tile([1, 0, 0, 0], 30)
    p = Predictions.of(y, probability=np.where(y, 0.4, 0.1))
    assert credibly.check(p)["no-better-than-majority"].status == "problem"
    assert (
        credibly.check(p, costs={"fn": 5, "fp": 1})["no-better-than-majority"].status
        == "not applicable"
    )
    assert "no-better-than-majority" not in codes(
        credibly.report(p, costs={"fn": 5, "fp": 1}).document.sections[0].blocks[0]
    )


def test_checks_count_predictions_and_name_cases():
    y = np.tile([1, 0, 0], 100)
    p = Predictions.of(
        np.tile(y, 3), probability=np.tile(np.where(y, 1.0, 0.2), 3), row=np.tile(np.arange(300), 3),
        repeat=np.repeat([0, 1, 2], 300),
    )  # fmt: skip
    assert "300 predictions of 900" in credibly.check(p)["certain-probabilities"].message
    wrong = Predictions.of(np.tile(y, 3), label=np.tile(1 - y, 3), row=p.row, repeat=p.repeat)
    assert "and 290 more" in credibly.check(wrong)["rows-wrong-every-time"].message
    value = np.r_[np.linspace(1, 2, 99), 50.0]
    few = Predictions.of(value, value=np.full(100, 1.5))
    assert "50 predicted as 1.5" in credibly.check(few)["error-carried-by-few"].message


def test_a_mean_that_is_that_of_the_rule_is_no_better_however_it_was_added_up():
    y = np.r_[np.ones(44, int), np.zeros(256, int)]
    fold = np.arange(300) % 25
    p = Predictions.of(y, label=np.zeros(300, int), positive=1, fold=fold)
    for estimate in ("pooled", "fold_mean"):
        e = evaluate(p, "error_rate", estimate=estimate)["error_rate"]
        assert e.advantage.difference == 0


def test_many_whole_numbers_whose_mistakes_are_near_misses_are_doubted_as_classes(tmp_path, capsys):
    """They are doubted by their values, at every door; what is called classes is not."""
    truth = [1, 2, 3, 10, 12, 7, 8, 15, 19, 6, 4, 9, 11, 5]
    near = [2, 2, 4, 9, 12, 8, 8, 14, 18, 7, 5, 8, 12, 6]
    far = [12, 2, 15, 6, 12, 1, 8, 3, 4, 11, 19, 5, 7, 9]

    def doubts(said, **more):
        return "numbers-as-classes" in codes(evaluate(Predictions.of(truth, said, **more)))

    assert doubts(near)
    assert not doubts(far)
    assert not doubts(truth)
    assert not doubts(near, classes=range(1, 20))
    grades = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]
    some = Predictions.of(grades, [2, 2, 4, 4, 4, 2, 1, 4, 5, 4])
    assert "numbers-as-classes" not in codes(evaluate(some))
    path = tmp_path / "counts.csv"
    rows = zip(truth, near, strict=True)
    path.write_text("y_true,y_pred\n" + "".join(f"{y},{p}\n" for y, p in rows))
    for verb in ("evaluate", "check"):
        assert main([verb, str(path)]) == 0
        said = capsys.readouterr().out
        assert "different whole numbers in 14 rows were taken as classes" in said
        assert "set --value;" in said
    assert main(["evaluate", str(path), "--value", "y_pred"]) == 0
    assert "taken as classes" not in capsys.readouterr().out


def test_what_a_result_hides_is_no_problem():
    sure = Predictions.of([1, 0, 1, 0] * 10, probability=[0.0, 0.2, 0.9, 0.4] * 10)
    assert "Log loss (nats) is infinite: 10 cases cost infinitely much" in str(
        credibly.evaluate(sure)
    )


def test_models_without_a_kind_of_prediction_in_common_are_told():
    truth = [1, 0, 1, 0] * 5
    models = {
        "a": Predictions.of(truth, label=truth),
        "b": Predictions.of([1.5, 2.5] * 10, value=[1.0, 2.0] * 10),
    }
    with pytest.raises(credibly.errors.MissingColumnError, match="a has label and b has value"):
        credibly.compare(models)


def test_intervals_about_something_else_are_named():
    made = [Interval(0, 1, 0.95, "t", about) for about in ("training", "training", "cases")]
    told = partial(about_text, made, methods=False)
    assert told(names=["A", "Error rate", "AUC"]).endswith(
        "That of AUC is about this model on new cases."
    )
    assert told(names=["A", "A", "A"]).endswith("Others are about this model on new cases.")


@pytest.mark.parametrize(("cut", "remedy"), [(30, "Set threshold=0.3"), (-1, "Choose one")])
def test_a_threshold_of_probabilities_lies_between_0_and_1(cut, remedy):
    with pytest.raises(credibly.ParameterError, match=f"lie between 0 and 1.*{remedy}"):
        Predictions.of([1, 0], probability=[0.9, 0.2], threshold=cut)
    assert Predictions.of([1, 0], score=[90, 20], threshold=30).label.tolist() == [1, 0]


def test_a_decision_curve_is_cut_off_where_it_falls_without_end():
    truth, said = [1, 0, 0, 0] * 30, [1.0, 0.0, 0.0, 1.0] * 30
    figure = credibly.plot(credibly.curve(Predictions.of(truth, probability=said), "net_benefit"))
    low, high = figure.y.ends
    assert -high < low < 0


def test_a_report_leads_with_the_trivial_rule_beside_the_model():
    p = Predictions.of([1, 0, 0, 0] * 30, probability=[0.9, 0.1, 0.2, 0.3] * 30)
    assert "; the best trivial rule (majority), about 3 in 4." in str(credibly.report(p))


def test_what_was_given_in_the_wrong_place_is_told():
    X_, y = np.ones((20, 3)), np.tile([1, 0], 10)
    with pytest.raises(DataError, match="as if they were swapped"):
        Predictions.from_estimator(GaussianNB().fit(X_, y), y, X_)
    with pytest.raises(DataError, match="'staid' is that of one row"):
        Predictions.of(["a", "b", "staid", "a", "b"], probability=[0.2] * 5)
    p = Predictions.of(y, label=y, columns={"sex": np.tile(["f", "m"], 10)})
    with pytest.raises(CrediblyError, match=r"a column of the cases \('sex'\); got 'gender'"):
        evaluate(p, by="gender")
