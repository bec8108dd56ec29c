import numpy as np
import pytest

from credibly import Predictions, evaluate
from credibly.io import read

DISTRIBUTION = """inst#,actual,predicted,error,distribution,
1,2:yes,2:yes,,0.189,*0.811
2,1:no,2:yes,+,0.4,*0.6
3,1:no,1:no,,*0.999,0.002
"""


def codes(p):
    return {f.code: f for f in p.findings}


def test_distribution(write, same):
    got = read(write(DISTRIBUTION))
    want = Predictions.of(
        ["yes", "no", "no"],
        label=["yes", "yes", "no"],
        probability=[[0.189, 0.811], [0.4, 0.6], [0.999, 0.002]],
        tolerance=0.0011,
        classes=["no", "yes"],
        row=[1, 2, 3],
    )
    same(got, want)
    assert "3 decimals" in codes(got)["rounded-probabilities"].message


def test_classes_in_the_order_of_their_indices(write):
    text = (
        "inst#,actual,predicted,error,distribution,,\n1,2:b,3:a,+,0.1,0.2,*0.7\n2,1:z,1:z,,*1,0,0\n"
    )
    got = read(write(text))
    assert got.classes == ("z", "b", "a")
    assert got.truth.tolist() == [1, 0]


def test_a_class_that_never_occurs(write):
    text = "inst#,actual,predicted,error,distribution,,\n1,1:a,3:c,+,0.1,0.2,*0.7\n"
    got = read(write(text))
    assert got.classes == ("a", "class 2", "c")
    assert "Class 2 occurs in no row" in codes(got)["class-without-name"].message
    named = read(write(text), classes=["a", "class 2", "c"])
    assert named.classes == ("a", "class 2", "c")


def test_missing(write):
    text = "inst#,actual,predicted,error,distribution,\n1,1:?,2:b,,0.25,*0.75\n2,1:a,1:a,,*1,0\n3,2:b,2:b,,0,*1\n"
    assert read(write(text)).truth.tolist() == [-1, 0, 1]


def test_missing_prediction_has_one_mark_for_the_distribution(write):
    text = "inst#,actual,predicted,error,distribution,\n1,1:a,?,,?\n2,2:b,1:a,+,*1,0\n"
    got = read(write(text))
    assert got.label.tolist() == [-1, 0]
    assert got.gaps.tolist() == [True, False]


def test_zero_probabilities_are_no_prediction(write):
    text = "inst#,actual,predicted,error,distribution,\n1,1:a,1:a,,0,0\n2,2:b,1:a,+,*1,0\n3,2:b,?,,0,0\n"
    got = read(write(text))
    assert got.label.tolist() == [0, 0, -1]
    assert got.gaps.tolist() == [True, False, True]


def test_quoted_actual_label(write):
    text = "inst#,actual,predicted,error,prediction\n1,1:'build wind',2:head\\'s,+,0.7\n2,2:'head\\'s',2:head\\'s,,0.6\n"
    got = read(write(text))
    assert got.classes[0] == "build wind"


def test_two_classes_are_completed(write, same):
    text = "inst#,actual,predicted,error,prediction\n1,2:yes,2:yes,,0.811\n2,1:no,1:no,,0.6\n3,1:no,2:yes,+,1\n"
    got = read(write(text))
    want = Predictions.of(
        ["yes", "no", "no"],
        label=["yes", "no", "yes"],
        probability=[[0.189, 0.811], [0.6, 0.4], [0, 1]],
        row=[1, 2, 3],
    )
    same(got, want)
    assert codes(got)["probabilities-completed"].severity == "note"


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ("1,2:yes,2:yes,,0.811\n2,3:may,1:no,+,0.6\n", "the classes are not two"),
        ("1,2:yes,2:yes,,0.811\n2,1:no,1:no,,0.45\n", "below a half"),
        ("1,2:yes,?,,?\n2,1:no,1:no,,0.6\n3,2:yes,2:yes,,0.6\n", "a case has none"),
    ],
)
def test_what_cannot_be_completed_is_said(write, rows, why):
    got = read(write("inst#,actual,predicted,error,prediction\n" + rows))
    assert got.provides == ("label",)
    assert why in codes(got)["probabilities-left-out"].message


def test_numeric(write, same):
    text = "inst#,actual,predicted,error\n1,20,21,1\n2,?,3,?\n3,5,4,-1\n"
    same(read(write(text)), Predictions.of([20, np.nan, 5], value=[21, 3, 4], row=[1, 2, 3]))


def test_folds_by_the_numbering(write):
    rows = "1,1:a,1:a,,0.9\n2,2:b,1:a,+,0.8\n1,1:a,1:a,,0.7\n2,2:b,2:b,,0.6\n"
    got = read(write("inst#,actual,predicted,error,prediction\n" + rows))
    assert got.fold.tolist() == [0, 0, 1, 1]
    assert got.row is None
    assert "2 folds" in codes(got)["folds-from-numbering"].message


def test_attributes_are_no_roles_but_an_id_is(write):
    text = "inst#,actual,predicted,error,prediction,ID,weight,group\n1,2:b,2:b,,0.8,x7,70,1\n2,1:a,2:b,+,0.6,x9,80,2\n"
    got = read(write(text))
    assert got.row.tolist() == ["x7", "x9"]
    assert got.weight is None
    assert got.group is None
    assert read(write(text), group="group").group.tolist() == [1, 2]


def test_tabs_and_more_decimals(write):
    text = (
        "inst#,actual,predicted,error,distribution,\n1,2:b,2:b,,0.12345,*0.87656\n2,1:a,1:a,,*1,0\n"
    )
    got = read(write(text.replace(",", "\t"), "p.txt"))
    assert "5 decimals" in codes(got)["rounded-probabilities"].message


def test_faults(message):
    start = "inst#,actual,predicted,error,distribution,\n"
    assert "Weka writes a class as index:label" in message(start + "1,yes,2:no,,0,*1\n")
    assert "the probability 'x' is not a number: row 0" in message(start + "1,1:a,2:b,+,x,*1\n")
    assert "the class 3:c lies beyond the 2 columns" in message(start + "1,1:a,3:c,+,0,*1\n")
    assert "the class 0:c lies beyond" in message(start + "1,1:a,0:c,+,0,*1\n")
    assert "is not Weka output" in message("y,score\n1,2\n", format="weka")
    assert "sum to 1 in 1 row" in message(start + "1,1:a,2:b,+,0.002,*1\n2,1:a,1:a,,*1,0\n")


CSV_TABLE = "inst#,actual,predicted,error,distribution,\n1,2:yes,2:yes,,0.189,*0.811\n2,1:no,2:yes,+,0.4,*0.6\n"
PLAIN_TABLE = (
    "    inst#     actual  predicted error distribution\n"
    "         1      2:yes      2:yes       0.189,*0.811\n"
    "         2       1:no      2:yes   +   0.4,*0.6\n"
)
AFTER = "\n=== Error on test data ===\n\nCorrectly Classified Instances    1    50 %\n"
RUN = "=== Run information ===\n\nScheme:  weka.classifiers.trees.J48\n" + "x" * 9000 + "\n\n"
CAPTIONS = ["", "=== Predictions on test data ===\n\n", "\n=== Predictions on test split ===\n\n", "=== Predictions under cross-validation ===\n\n"]  # fmt: skip


@pytest.mark.daily
@pytest.mark.parametrize("table", [CSV_TABLE, PLAIN_TABLE], ids=["csv", "plain"])
@pytest.mark.parametrize("caption", CAPTIONS)
@pytest.mark.parametrize(("before", "after"), [("", ""), ("", AFTER), (RUN, AFTER)])
def test_what_weka_prints_around_its_predictions(write, table, caption, before, after):
    if after and not caption:
        return  # predictions without a caption are printed alone
    got = read(write(before + caption + table + after, "printed.txt"))
    assert got.probability.tolist() == [[0.189, 0.811], [0.4, 0.6]]
    assert got.truth.tolist() == [1, 0]
    assert got.label.tolist() == [1, 1]


def test_plain_text_with_quotes_missing_ones_and_attributes(write):
    text = (
        "=== Predictions on test data ===\n\n"
        " inst#     actual  predicted error prediction (id,name)\n"
        "     1 1:'build wind' 2:head 3       0.7 (17,x)\n"
        "     2        1:?          ?       ? (18,y,z)\n"
    )
    got = read(write(text, "printed.txt"))
    assert got.classes == ("build wind", "head 3")
    assert (got.truth.tolist(), got.label.tolist()) == ([0, -1], [1, -1])
    assert got.row.tolist() == [17, 18]


def test_plain_numbers(write):
    text = "=== Predictions on test data ===\n\n inst#     actual  predicted      error\n     1     18.5    19.25    0.75\n     2      ?     20.5      ?\n     3     7.0     ?       ?\n"
    got = read(write(text, "printed.txt"))
    assert got.value[:2].tolist() == [19.25, 20.5]
    assert got.known().n == 1


def test_tables_of_training_and_of_test_data(write, message):
    training = "=== Predictions on training data ===\n\n" + CSV_TABLE.replace(
        "0.811", "0.9"
    ).replace("0.189", "0.1")
    test = "\n=== Predictions on test data ===\n\n" + CSV_TABLE
    assert read(write(training + test, "printed.txt")).probability[0, 0] == 0.189
    alone = read(write(training, "printed.txt"))
    assert "training" in {f.code: f.message for f in evaluate(alone).findings}["resubstitution"]
    assert "holds 2 tables of predictions" in message(test + test, "printed.txt")


def test_output_without_predictions_says_how_to_print_them(message):
    said = message(
        "\n=== Error on test data ===\n\nCorrectly Classified Instances\n", "printed.txt"
    )
    assert "without predictions. Have Weka print them: -classifications" in said
    bad = message(
        "=== Predictions on test data ===\n\n" + PLAIN_TABLE + "what is this\n", "printed.txt"
    )
    assert "printed.txt, line 6: this line is not a prediction" in bad
