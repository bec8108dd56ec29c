"""Confusion matrices as they are printed: every form, either way round, and what is wrong with them."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import credibly
from credibly import DataError, ParameterError, Predictions

NAMES = ["no", "yes"]
ROWS = [[50, 3], [4, 30]]
LINES = [["", "no", "yes", "Total"], ["no", 50, 3, 53], ["yes", 4, 30, 34], ["Total", 54, 33, 87]]
FORMS = {
    "lines": LINES,
    "lines in another order": [["", "yes", "no"], ["no", 3, 50], ["yes", 30, 4]],
    "text": [["actual", "no", "yes"], ["no", "50", "3"], ["yes", "4", "30"]],
    "pandas": pd.DataFrame(ROWS, index=NAMES, columns=NAMES),
    "pandas with names in a column": pd.DataFrame({"actual": NAMES, "no": [50, 4], "yes": [3, 30]}),
    "polars": pl.DataFrame({"actual": NAMES, "no": [50, 4], "yes": [3, 30]}),
    "polars without names": pl.DataFrame({"no": [50, 4], "yes": [3, 30]}),
    "pyarrow": pa.table({"actual": NAMES, "no": [50, 4], "yes": [3, 30]}),
    "pairs": {("no", "no"): 50, ("no", "yes"): 3, ("yes", "no"): 4, ("yes", "yes"): 30},
    "nested": {"no": {"no": 50, "yes": 3}, "yes": {"no": 4, "yes": 30}},
}


def cells(p):
    return {
        (p.classes[t], p.classes[label]): w
        for t, label, w in zip(p.truth, p.label, p.weight, strict=True)
    }


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_the_same_table(form):
    p = Predictions.from_counts(FORMS[form])
    assert cells(p) == FORMS["pairs"]
    assert p.classes[p.positive] == "yes"
    turned = Predictions.from_counts(FORMS[form], orientation="predicted")
    assert cells(turned)[("yes", "no")] == 3


def test_arrays_and_lists_need_names():
    p = Predictions.from_counts(ROWS, classes=NAMES)
    assert cells(p) == FORMS["pairs"]
    with pytest.raises(DataError, match=r"The classes of a table of.*Set classes="):
        Predictions.from_counts(ROWS)
    ordered = Predictions.from_counts(FORMS["pandas"], classes=["yes", "no"])
    assert ordered.classes == ("yes", "no")
    assert cells(ordered) == FORMS["pairs"]


def test_margins_of_pandas():
    truth, label = pd.Series([0, 0, 1, 1, 1], name="t"), pd.Series([0, 1, 1, 1, 0], name="p")
    p = Predictions.from_counts(pd.crosstab(truth, label, margins=True))
    assert cells(p) == {(0, 0): 1, (0, 1): 1, (1, 0): 1, (1, 1): 2}


def test_undecided_cases():
    lines = [["", "no", "yes", "no label", "total"], ["no", 50, 3, 2, 55], ["yes", 4, 30, 0, 34]]
    p = Predictions.from_counts(lines)
    rows = Predictions.of(
        ["no"] * 55 + ["yes"] * 34,
        label=["no"] * 50 + ["yes"] * 3 + [None] * 2 + ["no"] * 4 + ["yes"] * 30,
    )
    found, known = (
        credibly.evaluate(q, ["accuracy", "unclassified_rate", "recall"]) for q in (p, rows)
    )
    assert found.to_json() == known.to_json()


def test_a_class_called_total():
    lines = [["", "total", "a"], ["total", 5, 1], ["a", 2, 7]]
    assert Predictions.from_counts(lines, classes=["total", "a"]).cases == 15


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ([[1, 2], [3, -4]], "that of actual 'yes', predicted 'yes' is -4"),
        ([[1, 2], [3.5, 4]], "that of actual 'yes', predicted 'no' is 3.5"),
        ([[0.1, 0.2], [0.3, 0.4]], "Multiply shares by the number of cases"),
        ([[1, 2, 3], [4, 5, 6]], "is square.*this one has 2 rows and 3 columns"),
        ([[1, 2], [3]], "is square.*this one has 2 rows and 1 or 2 columns"),
        ([[1]], "1 row and 1 columns is not one of the 2 classes"),
        ([[0, 0], [0, 0]], "All counts are 0"),
        ([[1, None], [3, 4]], "row 'no', column 'yes' is not a number: None"),
        ([["", "no", "yes"], ["no", 1, 2], ["maybe", 3, 4]], "'maybe' names a row but no column"),
        ([["", "no", "maybe"], ["no", 1, 2], ["yes", 3, 4]], "'yes' names a row but no column"),
        ([["", "no", "no"], ["no", 1, 2], ["yes", 3, 4]], "'yes' names a row but no column"),
        ([["", "no", "yes"], ["no", 1, "x"], ["yes", 3, 4]], "row 'no', column 'yes' is not a number: 'x'"),
        ([["", "no", "yes"], ["no", 1], ["yes", 3, 4]], "The row 'no' has 1 counts; 2 are expected"),
        ([["", "no", "yes", "total"], ["no", 1, 2, 4], ["yes", 3, 4, 7]],
         "total of the row 'no' is said to be 4, but the counts sum to 3"),
        ([["", "no", "yes"], ["no", 1, 2], ["yes", 3, 4], ["sum", 4, 7]],
         "total of the column 'yes' is said to be 7, but the counts sum to 6"),
        ([[10**18, 2], [3, 4]], "Frequency weights count cases"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(table, said):
    with pytest.raises(DataError, match=said):
        Predictions.from_counts(table, classes=NAMES)


@pytest.mark.parametrize("given", [5, "table", [1, 2], {"a": [1, 2]}, None])
def test_what_is_no_table(given):
    with pytest.raises(ParameterError, match="A table of counts is"):
        Predictions.from_counts(given)


def test_a_frame_that_cannot_be_read():
    twice = pd.DataFrame(ROWS, index=NAMES, columns=["no", "no"])
    with pytest.raises(DataError, match="The frame cannot be read"):
        Predictions.from_counts(twice)


def test_neither_rows_nor_columns_are_named_otherwise():
    with pytest.raises(ParameterError, match="orientation must be one of 'actual'"):
        Predictions.from_counts(ROWS, classes=NAMES, orientation="actual_rows")
    with pytest.raises(DataError, match=r"has no row and column for the class 'si'"):
        Predictions.from_counts(FORMS["pandas"], classes=["no", "si"])


WIDE = "actual,no,yes,total\nno,50,3,53\nyes,4,30,34\n"
LONG = "actual,predicted,n\nno,no,50\nno,yes,3\nyes,no,4\nyes,yes,30\n"
WEKA = (
    "=== Confusion Matrix ===\n\n  a  b   <-- classified as\n 50  3 |  a = no\n  4 30 |  b = yes\n"
)


@pytest.mark.parametrize(
    "text", [WIDE, LONG, WEKA, WIDE.replace(",", ";"), LONG.replace(",", "\t")]
)
def test_files(write, text):
    file = write(text)
    with pytest.raises(DataError, match=r"looks like a table of counts.*Set matrix=True"):
        credibly.read(file)
    assert cells(credibly.read(file, matrix=True)) == FORMS["pairs"]


def test_what_weka_prints(write):
    captions = "=== Error on training data ===", "=== Stratified cross-validation ==="
    text = "\n".join(
        [captions[0], WEKA.replace("50", "53").replace(" 3 |", " 0 |"), "", captions[1], WEKA]
    )
    file = write(text, "weka.txt")
    assert cells(credibly.read(file, matrix=True)) == FORMS["pairs"]  # not those of training data
    with pytest.raises(DataError, match=r"without predictions.*matrix=True"):
        credibly.read(file)
    predicted = "inst#,actual,predicted,error,prediction\n1,1:no,1:no,,0.9\n2,2:yes,1:no,+,0.6\n"
    both = write(f"=== Predictions on test data ===\n\n{predicted}\n{WEKA}", "both.txt")
    assert credibly.read(both).n == 2


def test_frames_are_recognised_too():
    frame = FORMS["pandas with names in a column"]
    with pytest.raises(DataError, match="looks like a table of counts"):
        credibly.read(frame)
    assert cells(credibly.read(frame, matrix=True)) == FORMS["pairs"]
    long = pl.DataFrame({"predicted": NAMES, "actual": NAMES[::-1], "count": [4, 3]})
    with pytest.raises(DataError, match="looks like a table of counts"):
        credibly.read(long)
    assert cells(credibly.read(long, matrix=True)) == {("no", "yes"): 3, ("yes", "no"): 4}


def test_numbers_without_names(write):
    bare = write("50 3\n4 30\n")
    with pytest.raises(DataError, match=r"no class names. Set classes="):
        credibly.read(bare, matrix=True)
    assert cells(credibly.read(bare, matrix=True, classes=NAMES)) == FORMS["pairs"]
    numbered = credibly.read(write(",0,1,total\n0,5,1,6\n1,2,7,9\n"), matrix=True)
    assert numbered.classes == (0, 1)
    assert numbered.positive == 1


def test_turned_files(write):
    turned = credibly.read(write(WIDE), matrix=True, orientation="predicted")
    assert cells(turned)[("yes", "no")] == 3
    unnamed = write("system,gold,n\nno,no,50\nno,yes,4\nyes,no,3\nyes,yes,30\n")
    assert cells(credibly.read(unnamed, matrix=True, orientation="predicted")) == FORMS["pairs"]
    named = credibly.read(unnamed, matrix=True, truth="gold", label="system", weight="n")
    assert cells(named) == FORMS["pairs"]
    with pytest.raises(ParameterError, match=r"Set weight="):
        credibly.read(unnamed, matrix=True, truth="gold", label="system")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (",a,b\na,1,2\nb,,4\n", "count in row 'b', column 'a' is not a number: ''"),
        (',a,b\na,"1,200",2\nb,3,4\n', "count in row 'a', column 'a' is not a number: '1,200'"),
        ("x,a,b\na,45%,5%\nb,1%,4%\n", "is not a number: '45%'"),
        (LONG.replace(",3", ",-3"), "that of actual 'no', predicted 'yes' is -3"),
        (LONG.replace(",3", ",2.5"), "that of actual 'no', predicted 'yes' is 2.5"),
        (LONG + "no,no,2\n", "the pair of actual 'no' and predicted 'no' occurs twice"),
        ("actual,a,b\na,1\nb,2,3\n", "the row 'a' has 1 counts; 2 are expected"),
        ("actual,a,b\n", "the class 'a' names a column but no row"),
        ("1 2 3\n4 5 6\n", "has the size 1 x 2 x 3"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(write, text, said):
    with pytest.raises(DataError, match=said):
        credibly.read(write(text), matrix=True)


def test_undecided_cases_in_a_list(write):
    p = credibly.read(write("truth,predicted,n\n0,0,5\n0,,2\n1,1,7\n"), matrix=True)
    assert (p.classes, p.cases, p.label.tolist()) == ((0, 1), 14, [0, -1, 1])


@pytest.mark.parametrize(
    "text",
    [
        "actual,no,yes\nno,1,0\nyes,0,1\n",  # probabilities of two cases
        "actual,no,yes\nno,0.9,0.1\nyes,0.2,0.8\n",
        "actual,predicted,n\nno,no,50\nno,no,3\nyes,no,4\n",  # a pair twice
        "actual,predicted,age\nno,no,50\nno,yes,3\nyes,no,4\n",
    ],
)
def test_cases_are_not_taken_for_counts(write, text):
    assert credibly.read(write(text)).weight is None


def test_rows_that_look_like_counts_can_be_cases(write):
    assert credibly.read(write(LONG), matrix=False).n == 4
    assert credibly.read(write(LONG), weight="n", weight_kind="frequency").cases == 87


def test_what_counts_do_not_have():
    p = Predictions.from_counts(ROWS, classes=NAMES)
    for ask in (
        lambda: credibly.evaluate(p, "auc"),
        lambda: credibly.curve("roc", p),
        lambda: credibly.evaluate(p, by=["fold"]),
    ):
        with pytest.raises(DataError, match=r"counts have none.*one row for each case"):
            ask()


def test_counts_stay_counts_in_files(tmp_path):
    p = Predictions.from_counts(ROWS, classes=NAMES)
    file = tmp_path / "counts.parquet"
    credibly.save(p, file)
    back = credibly.read(file)
    assert back.design.counted
    assert back.fingerprint == p.fingerprint


def test_names_of_rows_are_read_by_their_text():
    """An index of numbers beside columns of text, as reading a CSV leaves them, in another order."""
    rows = {"index": [1, 0], "columns": ["0", "1"]}
    p = Predictions.from_counts(pd.DataFrame([[4, 30], [50, 3]], **rows))
    assert cells(p) == {("0", "0"): 50, ("0", "1"): 3, ("1", "0"): 4, ("1", "1"): 30}
    first = pl.DataFrame({"actual": [1, 0], "0": [4, 50], "1": [30, 3]})
    assert cells(Predictions.from_counts(first)) == cells(p)
    counted = pd.DataFrame([[50, 3], [4, 30]], columns=[1, 2])  # whose index counts rows
    assert cells(Predictions.from_counts(counted))[(2, 1)] == 4
    days = pd.to_datetime(["2020-01-01", "2020-01-02"])
    dated = Predictions.from_counts(pd.DataFrame(ROWS, index=days, columns=days))
    assert dated.classes == ("2020-01-01", "2020-01-02")


@pytest.mark.parametrize("nothing", [None, "?", "no label"])
def test_undecided_cases_of_a_mapping(nothing):
    given = {("no", "no"): 50, ("no", nothing): 3, ("yes", "yes"): 30}
    p = Predictions.from_counts(given)
    assert p.classes == ("no", "yes")
    assert sorted(zip(p.label, p.weight, strict=True)) == [(-1, 3), (0, 50), (1, 30)]


PREDICTED_ROWS = [
    "Prediction,no,yes\nno,50,4\nyes,3,30\n",
    "predicted / actual,no,yes,total\nno,50,4,54\nyes,3,30,33\n",
]


@pytest.mark.parametrize("text", PREDICTED_ROWS)
def test_rows_that_are_called_predicted_are_not_taken_for_actual(write, text):
    file = write(text)
    with pytest.raises(DataError, match=r"the rows are called .*Set orientation='predicted'"):
        credibly.read(file, matrix=True)
    assert cells(credibly.read(file, matrix=True, orientation="predicted")) == FORMS["pairs"]
    assert cells(credibly.read(file, matrix=True, orientation="actual"))[("no", "yes")] == 4


def test_a_cross_table_says_what_its_rows_are():
    predicted, actual = pd.Series([0, 1, 1], name="predicted"), pd.Series([0, 0, 1], name="actual")
    table = pd.crosstab(predicted, actual)
    with pytest.raises(DataError, match="The rows are called 'predicted'"):
        Predictions.from_counts(table)
    p = Predictions.from_counts(table, orientation="predicted")
    assert cells(p) == cells(Predictions.from_counts(pd.crosstab(actual, predicted)))


def test_a_list_of_cells_as_caret_names_them(write):
    file = write("Prediction,Reference,Freq\nno,no,50\nyes,no,3\nno,yes,4\nyes,yes,30\n")
    assert cells(credibly.read(file, matrix=True)) == FORMS["pairs"]
    numbers = write("Prediction,Reference,Freq\n0,0,50\n1,0,3\n0,1,4\n1,1,30\n", "n.csv")
    assert cells(credibly.read(numbers, matrix=True))[(0, 1)] == 3


def test_what_spreadsheets_leave_empty(write):
    file = write("actual,no,yes,,\nno,50,3,,\nyes,4,30,,\n,,,,\n")
    assert cells(credibly.read(file, matrix=True)) == FORMS["pairs"]
