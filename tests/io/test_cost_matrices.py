import pytest

from credibly import DataError
from credibly.io import read_cost_matrix

WEKA = "% Rows Columns\n2 2\n% Matrix elements\n0 1\n5 0\n"


@pytest.fixture
def refused(write):
    def refuse(content, name="c.csv", **options):
        with pytest.raises(DataError) as caught:
            read_cost_matrix(write(content, name), **options)
        return str(caught.value)

    return refuse


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_labelled(write, separator):
    text = "actual \\ predicted,good,bad\ngood,0,1\nbad,5,0\n".replace(",", separator)
    costs = read_cost_matrix(write(text))
    assert costs.classes == ("good", "bad")
    assert costs.cost("bad", "good") == 5
    turned = read_cost_matrix(write(text), orientation="predicted")
    assert turned.cost("good", "bad") == 5


def test_columns_in_another_order(write):
    costs = read_cost_matrix(write(",bad,good\ngood,1,0\nbad,0,5\n"))
    assert costs.cost("good", "bad") == 1
    assert costs.cost("bad", "good") == 5


def test_whole_number_classes_and_order(write):
    path = write("\n,0,1\n0,0,1\n1,5,0\n")
    assert read_cost_matrix(path).classes == (0, 1)
    ordered = read_cost_matrix(path, classes=[1, 0])
    assert ordered.classes == (1, 0)
    assert ordered.cost(1, 0) == 5


@pytest.mark.parametrize("text", [WEKA, "2 2\n0 1\n5 0\n", "[0 1; 5 0]\n"])
def test_weka(write, refused, text):
    assert "no class names. Set classes=" in refused(text, "c.cost")
    costs = read_cost_matrix(write(text, "c.cost"), classes=["a", "b"])
    assert costs.cost("b", "a") == 5


def test_faults(refused, tmp_path):
    assert "the class 'bda' names a row" in refused(",good,bad\ngood,0,1\nbda,5,0\n")
    assert "Did you mean good?" in refused(",good,bad\ngod,0,1\nbad,5,0\n")
    assert "the cost in row 'a', column 'b' is not a number: 'x'" in refused(",a,b\na,0,x\nb,5,0\n")
    assert "the row 'b' has 1 costs; 2 are expected" in refused(",a,b\na,0,1\nb,5\n")
    assert "twice" in refused(",a,a\na,0,1\na,5,0\n")
    assert "not its rows, which hold costs alone" in refused("a,b\n0,1\n5,0\n")
    assert "size 3 x 3" in refused("3 3\n0 1\n5 0\n", classes=["a", "b"])
    assert "empty" in refused("")
    assert "UTF-8" in refused(b",\x81,b\n\x81,0,1\nb,5,0\n")
    with pytest.raises(DataError, match="There is no file"):
        read_cost_matrix(tmp_path / "none.csv")


def test_benefits_are_negative_costs(write):
    text = "actual,good,bad\ngood,0,-1\nbad,-5,2\n"
    costs = read_cost_matrix(write(text), meaning="benefit")
    assert costs.values.tolist() == [[0, 1], [5, -2]]


def test_rows_that_are_called_predicted(write, refused):
    text = "predicted,good,bad\ngood,0,5\nbad,1,0\n"
    assert "Exchange rows and columns" in refused(text)
    assert read_cost_matrix(write(text), orientation="predicted").cost("bad", "good") == 5
