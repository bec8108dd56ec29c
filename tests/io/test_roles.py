import io

import numpy as np
import pandas as pd
import pytest

import credibly
from credibly import DataError, ParameterError, Predictions
from credibly.errors import MissingColumnError
from credibly.io import read


def guesses(p):
    return next(f.message for f in p.findings if f.code == "guessed-columns")


@pytest.mark.parametrize(
    "truth", ["truth", "y_true", "actual", "Target", "y", "class", "label true"]
)
@pytest.mark.parametrize("score", ["score", "y_score", "Decision"])
def test_guessed_names_are_said(write, same, truth, score):
    got = read(write(f"{truth},x,{score}\n1,a,0.5\n0,b,0.25\n"))
    same(got, Predictions.of([1, 0], score=[0.5, 0.25]))
    own = ", ".join(repr(r) for r, c in {"truth": truth, "score": score}.items() if r == c)
    others = [
        f"{c!r} as {r}" for r, c in {"truth": truth, "score": score}.items() if r != c.lower()
    ]
    assert guesses(got) == f"Guessed columns: {'; '.join(filter(None, [own, *others]))}."


def test_identifiers_that_repeat_are_doubted_unless_they_are_groups(write):
    rows = "".join(f"{i % 2},{i / 20},{i // 4},{i}\n" for i in range(20))
    path = write(f"y,score,patient_id,visit id\n{rows}")
    codes = [f.code for f in read(path).findings]
    assert codes[:2] == ["scores-from-0-to-1", "repeated-identifiers"]
    (said,) = [f for f in read(path).findings if f.code == "repeated-identifiers"]
    assert "'patient_id' holds 5 values in 20 cases" in said.message
    assert said.action == "Then set group='patient_id'."
    grouped = read(path, group="patient_id", score="score")
    assert not {"repeated-identifiers", "scores-from-0-to-1"} & {f.code for f in grouped.findings}


def test_rows_of_several_models_are_no_repeated_cases(write):
    rows = "".join(f"{i % 2},{i % 7},{i},{m}\n" for m in "ab" for i in range(20))
    predictions = read(write(f"y,score,patient_id,model\n{rows}"))
    assert guesses(predictions).endswith("'patient_id' as case identifier.")
    assert {f.code for f in predictions.findings} == {"guessed-columns"}
    assert predictions.row.tolist() == [*range(20)] * 2


def test_what_identifies_every_case_matches_rows_in_any_order(write):
    """Two columns that do so leave it open, and so does one with a gap."""
    ids = [f"p{i:02}" for i in range(40)]
    new = {name: i % 3 > 0 for i, name in enumerate(ids)}
    old = {name: i % 4 > 0 for i, name in enumerate(ids)}

    def rows(passed, order):
        return "prompt_id,passed\n" + "".join(f"{name},{passed[name]:d}\n" for name in order)

    models = [read(write(rows(new, ids))), read(write(rows(old, ids[::-1])))]
    found = credibly.compare(*models)
    assert "only first passed in 6, only second in 10" in str(found)
    assert "The rows were matched." in str(found)
    for others in ("a_id,b_id,passed\n1,1,1\n2,2,0\n3,3,1\n", "a_id,passed\n1,1\n,0\n3,1\n"):
        assert read(write(others)).row is None


def test_rows_without_identifiers_are_not_said_to_be_matched(write):
    outcomes = read(write("passed\n" + "1\n0\n1\n" * 10))
    assert "compared in the given order" in str(credibly.compare(outcomes, outcomes))


def test_the_truth_stands_beside_predictions_of_it(write, same):
    same(read(write("label,prediction\na,b\nb,b\n")), Predictions.of(["a", "b"], label=["b", "b"]))
    got = read(write("fraud,p_fraud,x\n1,0.5,a\n0,0.25,b\n"))
    same(got, Predictions.of([1, 0], probability=[0.5, 0.25]))
    assert guesses(got) == "Guessed columns: 'fraud' as truth; 'p_fraud' as probability."


def test_a_number_like_the_predicted_one_is_suggested(message):
    said = message("price,predicted,area\n1.5,1.25,7\n2.5,2.75,5\n4.5,4.25,6\n")
    assert "Name it, such as truth='price'. If" in said


def test_what_is_named_is_not_said(write):
    path = write("t,s\n1,0.5\n0,0.25\n")
    assert read(path, truth="t", score="s").findings == ()


def test_named_columns_are_not_taken_twice(write, same):
    path = write("label,score\n1,0.5\n0,0.25\n")
    same(read(path, truth="label"), Predictions.of([1, 0], score=[0.5, 0.25]))


@pytest.mark.parametrize("prefix", ["p:", "p_", "prob_", "probability_", "proba_", "P.", "p "])
def test_probability_columns(write, same, prefix):
    path = write(f"y,{prefix}b,{prefix}a,{prefix}c\na,.25,.5,.25\nb,.5,0,.5\n")
    want = Predictions.of(["a", "b"], probability=[[0.5, 0.25, 0.25], [0, 0.5, 0.5]], classes="abc")
    same(read(path), want)
    listed = [f"{prefix}{c}" for c in "cab"]
    same(read(path, probability=listed), want)
    same(read(path, probability={c: f"{prefix}{c}" for c in "abc"}), want)


def test_probability_of_whole_numbers(write, same):
    path = write("y,p_1,p_0\n1,0.25,0.75\n1,0.5,0.5\n")
    same(read(path), Predictions.of([1, 1], probability=[[0.75, 0.25], [0.5, 0.5]]))
    one = write("y,q\n1,0.25\n0,0.5\n")
    same(read(one, probability={"1": "q"}), Predictions.of([1, 0], probability=[0.25, 0.5]))


def test_probability_of_one_class_names_the_positive_one(write, same):
    path = write("y,p_dog\ncat,0.25\ndog,0.5\n")
    want = Predictions.of(["cat", "dog"], probability=[0.25, 0.5], positive="dog")
    same(read(path), want)
    matrix = read(path, positive="cat")
    assert matrix.probability.tolist() == [[0.75, 0.25], [0.5, 0.5]]


def test_prefixed_columns_that_are_no_classes(write):
    got = read(write("y,score,p_value,p_other\na,1,0.5,x\nb,2,0.5,x\n"), positive="a")
    assert got.provides == ("score",)


def test_probability_by_the_order_of_classes(write, same):
    path = write("y,m1,m2\na,0.5,0.5\nb,0.25,0.75\n")
    want = Predictions.of(["a", "b"], probability=[[0.5, 0.5], [0.75, 0.25]])
    same(read(path, probability=["m2", "m1"], classes=["a", "b"]), want)
    with pytest.raises(DataError, match=r"not clear which class each of the columns 'm1', 'm2'"):
        read(path, probability=["m1", "m2"])


def test_a_class_without_its_column(write):
    path = write("y,p_a,p_b\na,0.5,0.5\nc,0.25,0.75\n")
    with pytest.raises(DataError, match="probability has no column for 1 class: 'c'"):
        read(path, probability={"a": "p_a", "b": "p_b"})


def test_classes_are_matched_by_how_they_are_written(write):
    path = write("y,score\n1,0.5\n0,0.25\n")
    assert read(path, classes=["1", "0"], positive="1").classes == (1, 0)
    labels = write("y,label\n1,0\n0,0\n")
    assert read(labels, classes=["0", "1", "2"]).classes == (0, 1, 2)


@pytest.mark.parametrize(
    ("truth", "label", "classes"),
    [
        (["1", "0"], ["0", "1"], (0, 1)),
        (["1", "0"], ["0", "none"], ("0", "1", "none")),
        (["007", "1"], ["1", "007"], ("007", "1")),
        (["1.0", "0.0"], ["1", "0"], (0, 1)),
        (["+1", "-1"], ["-1", "+1"], (-1, 1)),
        (["1.0", "0"], ["b", "0"], ("0", "1.0", "b")),
        (["true", "false"], ["false", "true"], ("false", "true")),
        (["2020-01-01", "2020-02-01"], ["2020-01-01", "2020-01-01"], ("2020-01-01", "2020-02-01")),
        ([" a", "a "], ["a ", " a"], (" a", "a ")),
        (["12345678901234567890", "0"], ["0", "0"], (0, 12345678901234567890)),
    ],
)
def test_truth_and_label_agree(write, truth, label, classes):
    rows = "".join(f"{t},{p}\n" for t, p in zip(truth, label, strict=True))
    got = read(write("truth,label\n" + rows))
    assert got.classes == classes
    assert [str(got.classes[c]) for c in got.truth] == [
        str(int(float(t))) if isinstance(classes[0], int) and len(t) < 9 else t for t in truth
    ]


def test_numbers_without_end_are_text(write):
    long = "9" * 5000
    got = read(write(f"y,label,row\n{long},1,{long}\n1,1,8\n"))
    assert got.classes == ("1", long)
    assert got.row.tolist() == [long, "8"]


def test_one_class_only(write):
    assert read(write("y,score\n1,2\n1,3\n")).classes == (0, 1)


def test_all_labels_missing(write):
    got = read(write("y,label\na,\nb,\n"))
    assert got.label.tolist() == [-1, -1]


def test_missing_written_as_text_is_said(write):
    path = write("y,label\na,NA\nb,a\n")
    got = read(path)
    assert got.classes == ("a", "b")
    assert got.label.tolist() == [-1, 0]
    said = [f for f in got.findings if f.code == "marked-missing"]
    assert said[0].severity == "caution"
    assert "'label' holds 'NA' in 1 row, which was taken as a missing value" in said[0].message
    assert read(path, classes=["NA", "a", "b"]).label.tolist() == [0, 1]
    words = read(write("y,label\nnone,none\nmild,none\n"))
    assert words.classes == ("mild", "none")
    assert {f.code for f in words.findings} >= {"missing-as-text"}


@pytest.mark.parametrize("mark", ["NA", "?", ".", "null", "n/a"])
@pytest.mark.parametrize("others", [("0", "1"), ("a", "b")])
def test_marks_of_missing_labels_are_missing_at_every_door(write, mark, others):
    no, yes = others
    truth, label = [no, yes, mark, yes], [no, mark, yes, yes]
    rows = "\n".join(map(",".join, zip(truth, label, strict=True)))
    doors = [
        read(write(f"y,label\n{rows}\n"), truth="y", label="label"),
        read(pd.DataFrame({"y": truth, "label": label}), truth="y", label="label"),
        Predictions.of(truth, label=label),
    ]
    for p in doors:
        assert list(map(str, p.classes)) == [no, yes]
        assert p.truth.tolist() == [0, 1, -1, 1]
        assert p.label.tolist() == [0, -1, 1, 1]
        assert sum(f.code == "marked-missing" for f in p.findings) == 2


def test_a_mark_among_whole_numbers_is_a_missing_truth(write):
    got = read(write("y,score\n1,5\nNA,4\n0,3\n?,2\n"))
    assert got.classes == (0, 1)
    assert got.truth.tolist() == [1, -1, 0, -1]
    numbers = read(write("y,v\n1.5,5\nNA,4\n2,3\n"), value="v")
    assert np.isnan(numbers.truth).tolist() == [False, True, False]


def test_threshold_uses_the_named_score_and_no_label(write, same):
    path = write("y,predicted,s,p\n1,1,5,0.1\n0,1,-5,0.9\n")
    got = read(path, score="s", threshold=0)
    same(got, Predictions.of([1, 0], score=[5, -5], threshold=0))


def test_baseline(write, same):
    path = write("y,p,baseline\nyes,0.5,0.25\nno,0.25,0.5\n")
    want = Predictions.of(
        ["yes", "no"], probability=[0.5, 0.25], baseline=[[0.75, 0.25], [0.5, 0.5]]
    )
    same(read(path), want)
    three = write("y,label,baseline_a,baseline_b,baseline_c\na,b,.5,.25,.25\nb,c,.5,.25,.25\n")
    assert read(three).baseline.tolist() == [[0.5, 0.25, 0.25]] * 2
    with pytest.raises(DataError, match=r"baseline= is one column, 'baseline_a', but the classes"):
        read(three, baseline="baseline_a")


def test_value_or_label(write):
    assert read(write("actual,predicted\n1.5,2\n3,4\n")).task == "numeric"
    assert read(write("actual,predicted\n10,9.5\n20,21\n30,4\n")).task == "numeric"
    assert read(write("actual,predicted\n1,2\n2,2\n")).task == "classification"
    assert read(write("actual,value\n1,2\n2,2\n")).task == "numeric"
    many = "".join(
        f"{n},{n + 1}\n" for n in range(21)
    )  # as many as Predictions.of takes for numbers
    assert read(write("actual,predicted\n" + many)).task == "numeric"
    assert read(write("actual,label\n" + many.replace(",21", ",0"))).task == "classification"
    assert read(write("actual,predicted\n" + many), classes=range(22)).task == "classification"
    assert read(write("actual,score,value\nno,2,1\nyes,2,1\n")).provides == ("score",)


@pytest.mark.parametrize("truths", [("1", "0"), ("yes", "no")])
def test_shares_beside_two_classes_are_probabilities(write, truths):
    p = read(write("y,y_pred\n{},0.75\n{},0.25\n".format(*truths)))
    assert p.probability.tolist() == [0.75, 0.25]
    (said,) = [f.message for f in p.findings if f.code == "predictions-taken"]
    assert said.startswith("Column 'y_pred' was taken as probabilities (they lie")


def test_other_fractions_beside_two_classes_must_be_told(message):
    said = message("y,y_pred\n1,1.75\n0,0.25\n")
    assert "probability='y_pred' (or score=) for classes, value='y_pred' for numbers" in said


def test_real_truth_without_value(message):
    said = message("y,score\n1.5,2\n2.25,3\n")
    assert "column 'y' holds numbers that are not whole, such as 1.5" in said
    assert "value=" in said


def test_nan_is_a_missing_label(write):
    assert read(write("y,score\n1,2\nnan,3\n")).truth.tolist() == [1, -1]
    assert read(write("y,label\n1,nan\n0,1\n")).label.tolist() == [-1, 1]


def test_no_truth(message):
    said = message("thruth,score\n1,2\n")
    assert "No column of p.csv has a name that identifies it as the truth." in said
    assert "Did you mean 'thruth'?" in said
    assert "Its columns: thruth, score." in said


def test_no_prediction(message):
    said = message("y,scor,x\n1,2,3\n")
    assert "identifies it as the label, score, probability or value. Did you mean 'scor'?" in said


def test_ambiguous(message):
    assert "truth could be column 'y' or 'class'. Name one" in message("y,class,score\n1,2,3\n")
    assert "score could be column" in message("y,score,decision\n1,2,3\n")
    assert "label could be column" in message("y,predicted,y_pred\n1,2,3\n")


def test_ambiguous_design_is_left_and_said(write):
    got = read(write("y,score,id,index\n1,2,3,4\n0,2,3,4\n"))
    assert got.row is None
    assert "row was not used: it could be column 'id' or 'index'." in guesses(got)


def test_absent_name(message):
    said = message("y,score\n1,2\n", score="scroe")
    assert said.startswith("There is no column 'scroe' for score= in p.csv. Did you mean")
    assert "Its columns: y, score." in said
    assert "for probability=" in message("y,s\n1,2\n", probability={"a": "zz"})
    assert "takes the name of a column of p.csv; got int" in message("y,s\n1,2\n", score=3)


def test_many_columns_are_listed_in_part(message):
    said = message(",".join(f"c{i}" for i in range(5000)) + "\n" + ",".join(["1"] * 5000) + "\n")
    assert "c19 ... (5,000 in all)" in said


def test_duplicate_names(message, write):
    content = "y,s,s\n1,2,3\n0,4,5\n"
    assert "For score=, p.csv has 2 columns called 's'" in message(content, score="s")
    assert "p.csv has 2 columns called 'y'" in message("y,y,score\n1,2,3\n")
    assert read(write("y,x,x,score\n1,2,3,4\n0,2,3,4\n")).n == 2


def test_design_columns(write):
    path = write("y,label,id,scheme,split,group\na,b,x1,m,test,\nb,b,007,m,test,g\n")
    got = read(path)
    assert got.row.tolist() == ["x1", "007"]
    assert got.model.tolist() == ["m", "m"]
    assert got.part.tolist() == ["test", "test"]
    assert got.group.tolist() == [None, "g"]
    assert got.model.dtype.kind == "U"


def test_whole_row_ids(write):
    got = read(write("y,label,row\na,b,9007199254740993\nb,b,9007199254740992\n"))
    assert got.row.tolist() == [9007199254740993, 9007199254740992]
    assert got.row.dtype == np.int64


def test_many_distinct_labels(write):
    rows = "".join(f"c{i},c{i % 7}\n" for i in range(6000))
    got = read(write("y,label\n" + rows))
    assert len(got.classes) == 6000
    assert got.classes[got.truth[4321]] == "c4321"


def test_columns_called_like_the_classes_are_their_probabilities(write, same):
    text = "truth,predicted,cat,dog\ncat,cat,0.75,0.25\ndog,cat,0.5,0.5\n"
    got = read(write(text))
    want = Predictions.of(
        ["cat", "dog"], label=["cat", "cat"], probability=[[0.75, 0.25], [0.5, 0.5]]
    )
    same(got, want)
    assert "'cat', 'dog' as probability" in guesses(got)
    whole = read(write("y,0,1\n1,0.25,0.75\n0,0.5,0.5\n"))
    same(whole, Predictions.of([1, 0], probability=[[0.25, 0.75], [0.5, 0.5]]))


@pytest.mark.parametrize("rest", ["3,4", "a,b", "0.5,"])
def test_columns_called_like_the_classes_may_be_something_else(write, rest):
    got = read(write(f"truth,label,cat,dog\ncat,cat,0.75,0.25\ndog,cat,{rest}\n"))
    assert got.probability is None


def test_columns_called_like_the_classes_in_a_lazy_frame():
    polars = pytest.importorskip("polars")
    frame = polars.LazyFrame({"y": ["b", "a"], "a": [0.25, 0.5], "b": [0.75, 0.5]})
    assert read(frame).probability.tolist() == [[0.25, 0.75], [0.5, 0.5]]


def test_ignored_columns_have_no_role(write):
    path = write("y,score,weight,p_1\n1,0.5,2,0.5\n0,0.25,1,0.25\n")
    assert read(path).weight is not None
    got = read(path, ignore=["weight", "p_1"])
    assert (got.weight, got.probability) == (None, None)
    with pytest.raises(MissingColumnError, match=r"for ignore= in p.csv\. Did you mean weight"):
        read(path, ignore=["wieght"])


def test_marks_of_missing_numbers_are_missing_among_numbers(tmp_path):
    file = tmp_path / "marks.csv"
    file.write_text(
        "y,a,b\n1,0.75,0.5\n0,NA,0.25\n1,0.5,.\n0,0.25,0.125\n0,?,0.2\n1,-,0.3\n0,?,0.1\n"
    )
    p = read(file, truth="y", models=["a", "b"])
    assert np.isnan(p.probability).sum() == 5
    told = [f.message for f in p.findings if f.code == "missing-as-text"]
    assert [m.partition("column ")[2] for m in told] == [
        "'a' holds '-', '?' and 'NA' in 4 rows, taken as missing.",
        "'b' holds '.' in 1 row, taken as missing.",
    ]


@pytest.mark.parametrize(
    ("text", "set_to"),
    [
        ("city,actual price,forecast\na,1.5,2\nb,2.5,2\na,3.5,4\n", "truth='actual price'"),
        ("age,churned,pct\n40,yes,1\n50,no,2\n60,no,3\n", "truth='churned'"),
        ("id,result\nq0,FAIL\nq1,PASS\nq2,PASS\n", "outcome='result'"),
    ],
)
def test_one_column_is_suggested_and_no_other(tmp_path, text, set_to):
    (tmp_path / "p.csv").write_text(text)
    with pytest.raises(MissingColumnError) as error:
        read(tmp_path / "p.csv")
    assert f"such as {set_to}" in str(error.value)
    assert "Did you mean" not in str(error.value)


def test_a_first_line_that_holds_no_names_is_told(message):
    assert "write a line of names above it" in message("1,0.9\n0,0.2\n1,0.6\n0,0.4\n")
    title = message("Results of a clinic,,\n,,\nid,y,p\n1,0,0.2\n2,1,0.8\n")
    assert "delete the lines above the names of the columns" in title


def test_words_of_the_truth_are_suggested_as_labels(message):
    assert "label='guess'" in message("truth,guess,site\nspam,spam,x\nham,Spam,y\nham,ham,x\n")


@pytest.mark.parametrize(
    "text",
    [
        "pred,obs,no,yes,Resample\nno,no,0.9,0.1,Fold1\nno,yes,0.6,0.4,Fold1\nyes,yes,0.2,0.8,Fold2\n",  # caret
        "truth,.pred_class,.pred_no,.pred_yes\nno,no,0.9,0.1\nyes,no,0.6,0.4\nyes,yes,0.2,0.8\n",
    ],
)
def test_tables_of_r_are_read_as_they_are(write, text):
    got = read(write(text))
    assert got.provides == ("label", "probability")
    assert got.probability[:, 1].tolist() == [0.1, 0.4, 0.8]
    assert [got.classes[c] for c in got.truth] == ["no", "yes", "yes"]


def test_classes_that_are_numbers_may_follow_the_prefix_at_once(write):
    table = "label,p0,p1,p2\n0,0.5,0.3,0.2\n2,0.1,0.3,0.6\n1,0.1,0.8,0.1\n"
    same = table.replace("p0,p1,p2", "prob_0,prob_1,prob_2")
    assert read(write(table)).fingerprint == read(write(same, "q.csv")).fingerprint


def test_columns_of_several_models_are_pointed_to(write):
    numbers = write("y,a,b\n1,0.9,0.8\n0,0.1,0.3\n1,0.7,0.2\n")
    for given in ("a,b", ["a", "b"]):
        with pytest.raises(ParameterError, match=r"one column; got 2.*models=\['a', 'b'\]"):
            read(numbers, score=given)
    judged = write("case,a,b\n1,pass,fail\n2,fail,fail\n3,pass,pass\n", "j.csv")
    for named in ({}, {"models": ["a", "b"]}):
        with pytest.raises(MissingColumnError, match=r"outcome=\['a', 'b'\]"):
            read(judged, **named)


def test_a_letter_and_a_number_alone_are_no_probability(write):
    assert read(write("y,score,p1\n1,3,7\n0,1,9\n1,2,4\n")).provides == ("score",)


def test_one_column_of_shares_suggests_a_truth_of_two_values(message):
    """Also where a column of more values goes closer with it."""
    churned = ["no", "yes"]
    rows = (f"{'abcd'[i % 4]},{churned[i % 16 > 9]},{i % 4 / 8 + i % 7 / 14}" for i in range(160))
    said = message("age_group,churned,logit_score\n" + "\n".join(rows) + "\n")
    assert "such as truth='churned' and probability='logit_score'" in said


def told(read_file, text):
    """Return what was guessed by values, or what an error says instead."""
    try:
        return read_file(text).findings[0].message
    except MissingColumnError as error:
        return str(error)


def test_columns_are_taken_by_their_values_only_where_nothing_else_can_be_meant(write):
    def guess(text):
        return told(lambda t: read(write(t)), text)

    rng = np.random.default_rng(3)
    left = rng.random(200) < 0.4
    share = np.clip(0.4 + 0.3 * (left - 0.4) + rng.normal(0, 0.1, 200), 0, 1).round(3)
    said = ["no", "yes"]
    rows = [
        (said[a], b, "fm"[i % 2])
        for i, (a, b) in enumerate(zip(left.astype(int), share, strict=True))
    ]
    plain = "\n".join(f"{a},{b},{sex}" for a, b, sex in rows)
    assert guess(f"gone,logit,sex\n{plain}") == "Guessed columns by their values: 'gone' as truth; 'logit' as probability."  # fmt: skip
    # Another column of fractions may be an input, and one that the shares tell as much about the truth.
    inputs = "\n".join(f"{a},{b},{sex},{i / 7}" for i, (a, b, sex) in enumerate(rows))
    assert "Name it, such as truth='gone'" in guess(f"gone,logit,sex,fee\n{inputs}")
    twice = "\n".join(f"{a},{b},{a[0]}" for a, b, _ in rows)
    assert "Name it, such as" in guess(f"gone,logit,paid\n{twice}")
    # Shares that lie far from how common either class is are no probabilities of it.
    far = "\n".join(f"{a},{b / 9:.4f},{sex}" for a, b, sex in rows)
    assert "Name it, such as" in guess(f"gone,rebate,sex\n{far}")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("smoker,disease", "such as"),  # either may be what happened
        ("age,income,smoker,disease", "Use credibly.run with 'disease' as the target"),
        ("died,sex,risk_model", "such as"),
        ("y_true,sex,risk_model", "such as"),
        ("reader_1,reader_2", "such as"),
        ("first,second", "such as"),
        ("churned,stay", "such as"),
        ("churned,leave", "Guessed columns by their values: 'churned' as truth"),
        ("y_true,reader_1", "Guessed columns by their values: 'reader_1' as predicted label"),
    ],
)
def test_columns_that_say_what_a_case_is_are_not_taken_for_predictions(write, names, said):
    rng = np.random.default_rng(4)
    happened = rng.random(200) < 0.3
    seen = np.where(rng.random(200) < 0.15, ~happened, happened)
    share = np.clip(0.3 + 0.3 * (happened - 0.3) + rng.normal(0, 0.1, 200), 0, 1).round(3)
    first, age = rng.normal(10, 3, 200).round(2), rng.integers(20, 80, 200)
    second = (first + rng.normal(0, 1, 200)).round(2)
    of = {"risk_model": share, "leave": share, "stay": (1 - share).round(3), "age": age}
    of |= {"income": age * 1000 + 7, "first": first, "second": second}
    of |= {"died": happened * 1, "disease": happened * 1, "reader_1": happened * 1}
    of |= {"y_true": happened * 1, "sex": seen * 1, "reader_2": seen * 1}
    of |= {"smoker": np.where(seen, "y", "n"), "churned": np.where(happened, "yes", "no")}
    columns = names.split(",")
    rows = "\n".join(",".join(map(str, row)) for row in zip(*(of[c] for c in columns), strict=True))
    assert said in told(lambda t: read(write(t)), f"{names}\n{rows}")
    if names == "churned,stay":
        assert read(write(f"{names}\n{rows}"), positive="no").probability[0] == of["stay"][0]


def test_one_note_says_every_column_that_was_guessed_also_of_standard_input(write, monkeypatch):
    rows = "".join(f"{i % 2},{i % 2 * 0.4 + i % 5 / 10},{i % 3 + 1},{'ab'[i // 2 % 2]}\n" for i in range(60))  # fmt: skip
    path = write(f"y_true,risk,weight,place\n{rows}")
    p = read(path)
    (found,) = (f for f in p.findings if f.code == "guessed-columns")
    assert found.message == "Guessed columns by their values: 'risk' as probability. Others by their names: 'weight'; 'y_true' as truth."  # fmt: skip
    assert found.action == "To be sure, set probability='risk' and truth=..."
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    piped = read("-")
    assert piped.fingerprint == p.fingerprint
    assert [f for f in piped.findings if f.code != "format-taken"] == list(p.findings)
    assert piped.columns["place"].tolist() == p.columns["place"].tolist()


def test_an_outcome_of_0_and_1_that_shares_predict_is_the_truth(write):
    rows = "".join(f"{i},{i % 2},{i % 2 * 0.4 + i % 5 / 10:.1f}\n" for i in range(60))
    p = read(write(f"case,outcome,risk\n{rows}"))
    assert p.task == "classification"
    assert "'risk' as probability. Others by their names: 'outcome' as truth" in guesses(p)
    flags = "".join(f"{i % 2},{i % 3 % 2}\n" for i in range(60))
    assert read(write(f"outcome,flag\n{flags}")).task == "outcome"


def test_inputs_of_a_model_are_not_called_scores(write):
    rng = np.random.default_rng(3)
    left = rng.random(200) < 0.4
    rows = [
        f"{a + rng.normal():.3f},{rng.normal():.3f},{rng.normal():.3f},{'yes' if a else 'no'}"
        for a in left
    ]
    with pytest.raises(MissingColumnError, match="looks like data to learn from") as caught:
        read(write("tenure,fee,used,churned\n" + "\n".join(rows)))
    assert "Use credibly.run with 'churned' as the target" in str(caught.value)
