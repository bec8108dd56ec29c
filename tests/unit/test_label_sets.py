"""Cases with any number of labels: scikit-learn's numbers by case and by label, and what is refused."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics

import credibly
from credibly import DataError, ParameterError, evaluate, label_sets, slices
from credibly.cli import main
from credibly.errors import MissingColumnError
from credibly.gaps import mean_over_slices

CASE = np.arange(300)[:, None]
LABEL = np.arange(5)
TRUTH = ((CASE * (LABEL + 3) + CASE // 7) % (LABEL + 2) == 0).astype(int)
SCORE = ((CASE * (7 * LABEL + 11) + CASE * CASE) % 97) / 97 * 0.7 + 0.3 * TRUTH
PREDICTED = (SCORE >= 0.5).astype(int)
DEFINED = {"true": TRUTH.any(1), "pairs": TRUTH.any(1) & ~TRUTH.all(1), "either": (TRUTH | PREDICTED).any(1)}  # fmt: skip


def by_sklearn(score):
    """Return scikit-learn's value over the cases for which it is defined."""
    nan = {"average": "samples", "zero_division": np.nan}
    ok = DEFINED
    return {
        "subset_accuracy": lambda: metrics.accuracy_score(TRUTH, PREDICTED),
        "hamming_loss": lambda: metrics.hamming_loss(TRUTH, PREDICTED),
        "case_precision": lambda: metrics.precision_score(TRUTH, PREDICTED, **nan),
        "case_recall": lambda: metrics.recall_score(TRUTH, PREDICTED, **nan),
        "case_f1": lambda: metrics.f1_score(TRUTH, PREDICTED, **nan),
        "case_jaccard": lambda: metrics.jaccard_score(TRUTH[ok["either"]], PREDICTED[ok["either"]], average="samples"),
        "ranking_loss": lambda: metrics.label_ranking_loss(TRUTH[ok["pairs"]], SCORE[ok["pairs"]]),
        "lrap": lambda: metrics.label_ranking_average_precision_score(TRUTH[ok["true"]], SCORE[ok["true"]]),
        "coverage_error": lambda: metrics.coverage_error(TRUTH[ok["true"]], SCORE[ok["true"]]),
    }[score]()  # fmt: skip


@pytest.mark.parametrize("score", ["subset_accuracy", "hamming_loss", "case_precision", "case_recall", "case_f1",
    "case_jaccard", "ranking_loss", "lrap", "coverage_error"])  # fmt: skip
def test_means_over_cases_are_those_of_scikit_learn(score):
    found = label_sets(TRUTH, probability=SCORE).table(score).estimates[0]
    assert found.value == pytest.approx(by_sklearn(score), abs=1e-12)
    assert found.value in found.interval


def test_ties_of_scores_are_not_in_order():
    rounded = SCORE.round(1)
    ok = DEFINED["pairs"]
    found = label_sets(TRUTH[ok], score=rounded[ok]).table(
        ["ranking_loss", "lrap", "coverage_error"]
    )
    want = [f(TRUTH[ok], rounded[ok]) for f in (metrics.label_ranking_loss, metrics.label_ranking_average_precision_score, metrics.coverage_error)]  # fmt: skip
    assert_allclose([e.value for e in found], want, atol=1e-12)


def test_averages_over_labels_are_those_of_scikit_learn():
    functions = {
        "precision": metrics.precision_score, "recall": metrics.recall_score, "fbeta": metrics.f1_score,
        "auc": metrics.roc_auc_score, "average_precision": metrics.average_precision_score,
        "jaccard": metrics.jaccard_score,
    }  # fmt: skip
    sets = label_sets(TRUTH, probability=SCORE)
    found = sets.averaged()
    assert len(found) == 15
    for e in (*found, *sets.averaged("jaccard")):
        given = SCORE if e.measure in {"auc", "average_precision"} else PREDICTED
        assert e.value == pytest.approx(
            functions[e.measure](TRUTH, given, average=e.average), abs=1e-12
        )
        assert e.value in e.interval


def test_the_labels_of_a_case_belong_together():
    """Copies of a label add nothing: the macro average has the error of one label."""
    one, many = (
        label_sets(np.repeat(TRUTH[:, :1], k, 1), np.repeat(PREDICTED[:, :1], k, 1)) for k in (1, 4)
    )
    made = [mean_over_slices(s.cells, "recall", "label_name") for s in (one, many)]
    assert made[0].value == made[1].value
    alone = evaluate(one.cells, "recall")["recall"]
    for found in made:
        assert tuple(found.interval) == pytest.approx(tuple(alone.interval), abs=0.002)


@pytest.mark.thorough
def test_a_weighted_mean_moves_with_how_often_labels_are_true():
    """Against the jackknife over cases."""
    sets = label_sets(TRUTH, PREDICTED)
    found = mean_over_slices(sets.cells, "f1", "label_name", weights="positives")

    def left_out(i):
        keep = np.arange(len(TRUTH)) != i
        return metrics.f1_score(TRUTH[keep], PREDICTED[keep], average="weighted")

    values = np.array([left_out(i) for i in range(len(TRUTH))])
    n = values.size
    error = np.sqrt((n - 1) / n * np.square(values - values.mean()).sum())
    assert found.interval.standard_error == pytest.approx(error, rel=0.01)


def test_lists_frames_and_dictionaries_say_the_same():

    names = list("abcde")
    lists = [[names[j] for j in np.flatnonzero(row)] for row in TRUTH]
    frame = pd.DataFrame(TRUTH, columns=names)
    given = [dict(zip(names, row.tolist(), strict=True)) for row in SCORE]
    made = [label_sets(lists, probability=given), label_sets(frame, probability=SCORE)]
    assert made[0].labels == made[1].labels == tuple(names)
    assert all((s.truth == TRUTH).all() and (s.label == PREDICTED).all() for s in made)
    assert (
        slices(made[0].cells, "recall", by="label_name", rng=1).estimates[0].name == "label_name=a"
    )


def test_labels_never_true_are_named():
    sets = label_sets([["a"], ["a"]], [["a"], ["b"]])
    assert "b" in next(f.message for f in sets.findings if f.code == "labels-never-true")
    found = mean_over_slices(sets.cells, "recall", "label_name")
    assert np.isnan(found.value)
    assert "label_name=b" in found.why_no_interval


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        (
            {"truth": [["a"]], "label": [["b"]], "labels": ["a"]},
            DataError,
            "not among those named: b",
        ),
        ({"truth": [[1, 0]], "label": [[1, 2]]}, DataError, "other numbers"),
        ({"truth": [[1, 0]], "label": [[1, 0], [0, 1]]}, DataError, "1 cases|There are"),
        ({"truth": [[1, 0]], "probability": [[0.5, 1.5]]}, DataError, "outside 0 to 1"),
        ({"truth": [[1, 0]], "probability": [[0.5]]}, DataError, "1 column for 2 labels"),
        ({"truth": [[1, 0]], "score": [[0.5, np.nan]]}, DataError, "no score"),
        ({"truth": [[1, 0]]}, MissingColumnError, "Nothing was predicted"),
        ({"truth": "ab", "label": "ab"}, ParameterError, "matrix"),
        ({"truth": [[], []], "label": [[], []]}, DataError, "No case has a label"),
    ],
)
def test_what_cannot_be_read_is_refused(given, error, said):
    with pytest.raises(error, match=said):
        label_sets(**given)


def test_a_score_that_needs_more_is_refused():
    with pytest.raises(ParameterError, match="which have no score of each label"):
        label_sets(TRUTH, PREDICTED).scored("lrap")


def test_the_command_says_the_same(tmp_path, capsys):
    names = list("abcde")
    header = ",".join([*names, *(f"p{n}" for n in names)])
    rows = [
        ",".join(map(str, [*t, *s])) for t, s in zip(TRUTH.tolist(), SCORE.tolist(), strict=True)
    ]
    path = tmp_path / "films.csv"
    path.write_text("\n".join([header, *rows]))
    asked = [
        "label-sets",
        str(path),
        "--truth",
        ",".join(names),
        "--probability",
        ",".join(f"p{n}" for n in names),
    ]
    cells = tmp_path / "cells.csv"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main([*asked, "--cells", str(cells), "--json"]) == 0
    said = {e["measure"]: e["value"] for e in json.loads(capsys.readouterr().out)["estimates"]}
    assert said["hamming_loss"] == pytest.approx(by_sklearn("hamming_loss"))
    assert main([*asked, "--averages"]) == 0
    assert "(macro)" in capsys.readouterr().out
    assert (
        main(
            [
                "slices",
                str(cells),
                "--by",
                "label_name",
                "--measure",
                "recall",
                "--rng",
                "1",
                "--json",
            ]
        )
        == 0
    )
    written = json.loads(capsys.readouterr().out)["slices"]
    straight = slices(
        label_sets(TRUTH, probability=SCORE, labels=names).cells, "recall", by="label_name", rng=1
    )
    assert [s["value"] for s in written] == [e.value for e in straight.estimates]
    assert_allclose(
        [s["interval"]["low"] for s in written], [e.interval.low for e in straight.estimates]
    )
    assert credibly.read(cells).group is not None


def test_columns_of_frames_are_put_in_order_by_their_names():
    truth = pd.DataFrame({"a": [1, 0, 1], "b": [0, 1, 1]})
    turned = truth[["b", "a"]]
    assert label_sets(truth, turned).table("subset_accuracy")["subset_accuracy"].value == 1
    chances = turned * 0.8 + 0.1
    assert label_sets(truth, probability=chances).label.tolist() == truth.astype(bool).to_numpy().tolist()  # fmt: skip
    with pytest.raises(DataError, match="label has no column for b"):
        label_sets(truth, truth.rename(columns={"b": "c"}))
    with pytest.raises(DataError, match="a occurs twice"):
        label_sets(truth.to_numpy(), truth.to_numpy(), labels=["a", "a"])
    moved = label_sets(truth, truth[::-1])
    assert "reordered-index" in {f.code for f in moved.findings}


@pytest.mark.parametrize(
    ("given", "said"),
    [({"probability": [[1, 0]], "score": [[1, 0]]}, "both given"), ({"label": [[1, 0]], "threshold": 0.3}, "leave out"),
     ({"score": [[1, 0]], "threshold": float("nan")}, "finite"), ({"label": [[1, 0]], "columns": ["x"]}, "dictionary of columns")],
)  # fmt: skip
def test_arguments_that_would_be_ignored_are_refused(given, said):
    with pytest.raises(ParameterError, match=said):
        label_sets([[1, 0]], **given)


def test_one_measure_of_labels_may_be_named_alone():
    sets = label_sets(TRUTH, PREDICTED)
    assert [e.value for e in sets.averaged("f1")] == [e.value for e in sets.averaged(["f1"])]


@pytest.mark.parametrize(
    ("truth", "said"),
    [([["a"], None], "row 1 is None"), ([["a", None], ["b"]], "missing in row 0"), (np.zeros((0, 2)), "no cases")],
)  # fmt: skip
def test_what_is_missing_among_labels_is_named(truth, said):
    with pytest.raises((DataError, ParameterError), match=said):
        label_sets(truth, truth)


def test_a_score_that_no_case_has_does_not_take_the_others_with_it():
    found = label_sets([[1], [0], [1]], probability=[[0.5], [0.4], [0.2]]).table()
    assert "subset_accuracy" in {e.measure for e in found}
    assert "score-not-shown" in {f.code for f in found.findings}


def long_tables():
    """Return truth, predictions and scores with a row for each case and label, in an order of their own."""
    names = np.array(list("abcde"))
    case, label = np.nonzero(TRUTH)
    true = pd.DataFrame({"case": [f"c{i:03}" for i in case], "label": names[label]})
    case, label = np.nonzero(PREDICTED)
    guessed = pd.DataFrame({"case": [f"c{i:03}" for i in case], "label": names[label]})
    case, label = np.nonzero(SCORE > -1)
    every = {"case": [f"c{i:03}" for i in case], "label": names[label]}
    scored = pd.DataFrame({**every, "probability": SCORE.ravel()})
    return true, guessed.sample(frac=1, random_state=1), scored.sample(frac=1, random_state=2)


def test_long_tables_and_mappings_say_what_matrices_say(tmp_path, capsys):
    true, guessed, scored = long_tables()
    cases = [f"c{i:03}" for i in range(len(TRUTH))]
    lists = {c: [x for x, yes in zip("abcde", row, strict=True) if yes] for c, row in zip(cases, TRUTH, strict=True)}  # fmt: skip
    given = {c: dict(zip("abcde", row.tolist(), strict=True)) for c, row in zip(cases, SCORE, strict=True)}  # fmt: skip
    want = label_sets(TRUTH, probability=SCORE, labels=list("abcde"), row=cases)
    one = scored.assign(truth=TRUTH[scored.index // 5, scored.index % 5], label_name=scored["label"]).drop(columns="label")  # fmt: skip
    made = [
        label_sets(lists, probability=given),
        label_sets(true, probability=scored),
        label_sets(true, guessed, probability=scored),
        credibly.read_label_sets(true, name="label", row="case", predicted=scored, probability=["probability"]),
        credibly.read_label_sets(one, ["truth"], probability=["probability"], name="label_name", row="case"),
    ]  # fmt: skip
    for found in made:
        order = np.argsort(found.beside["row"])
        for mine, theirs in ((found.truth, want.truth), (found.label, want.label), (found.score, want.score)):  # fmt: skip
            assert (mine[order] == theirs).all()
    pairs = label_sets(true, guessed), credibly.read_label_sets(true, name="label", row="case", predicted=guessed)  # fmt: skip
    assert pairs[0].table().to_dict() == pairs[1].table().to_dict()
    assert pairs[0].table("case_f1")["case_f1"].value == pytest.approx(by_sklearn("case_f1"))
    files = [tmp_path / f"{name}.csv" for name in ("true", "guessed")]
    for frame, file in zip((true, guessed), files, strict=True):
        frame.to_csv(file, index=False)
    main(["label-sets", *map(str, files), "--row", "case", "--name", "label", "--by-label", "--json"])  # fmt: skip
    told = json.loads(capsys.readouterr().out)["estimates"]
    assert told[0]["value"] == pairs[0].by_label().estimates[0].value


def test_each_label_has_the_area_and_the_average_precision_of_scikit_learn():
    found = label_sets(TRUTH, probability=SCORE).by_label(["auc", "average_precision"])
    for e in found:
        j = int(e.keys["label_name"])
        function = {"auc": metrics.roc_auc_score, "average_precision": metrics.average_precision_score}[e.measure]  # fmt: skip
        assert e.value == pytest.approx(function(TRUTH[:, j], SCORE[:, j]), abs=1e-12)


def test_cases_that_one_side_does_not_list_are_named():
    found = label_sets({"a": ["x"], "b": ["y"]}, {"a": ["x"], "c": ["y"]})
    said = [f.message for f in found.findings if f.code == "cases-not-listed"]
    assert len(said) == 2
    assert "not in truth (c)" in said[0]
    assert "not in label (b)" in said[1]
    assert found.truth.tolist() == [[True, False], [False, True], [False, False]]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lambda: label_sets({"a": ["x", "x"]}, {"a": []}), "case a has the label x twice"),
        (lambda: label_sets({"a": "x"}, {"a": []}), "holds the labels of each case"),
        (lambda: label_sets({"a": [None]}, {"a": []}), "missing in case a"),
        (lambda: label_sets({"a": []}, {"a": []}), "No case has a label"),
        (lambda: label_sets({"a": ["x"]}, [["x"]]), "is not given by case"),
        (lambda: label_sets({"a": ["x"]}, probability={"a": ["x"]}), "dictionary of numbers by label"),
        (lambda: label_sets({"a": ["x"], "b": ["y"]}, probability={"a": {"x": 0.1, "y": 0.3}, "b": {"x": 0.2}}), "have no score"),
        (lambda: label_sets({"a": ["x"]}, {"a": ["z"]}, labels=["x"]), "not among those named: z"),
        (lambda: label_sets({1: ["x"], "1": ["y"]}, {"1": ["x"]}), "same name"),
        (lambda: credibly.read_label_sets(long_tables()[0], name="label"), "It is not clear which"),
        (lambda: credibly.read_label_sets(long_tables()[0], ["a", "b"], name="label", row="case"), "one column of truth"),
        (lambda: label_sets({"a": ["x"]}, {"a": ["x"]}, row=[1]), "names of cases already"),
    ],
)  # fmt: skip
def test_labels_by_case_that_are_refused(given, said):
    with pytest.raises(credibly.CrediblyError, match=said):
        given()


def test_no_label_that_is_true_weighs_nothing():
    found = label_sets(0 * TRUTH, PREDICTED).averaged(["precision"])
    (e,) = [e for e in found if e.average == "weighted"]
    assert np.isnan(e.value)
    assert "no case is positive" in e.why_no_interval
