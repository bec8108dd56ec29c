import gzip

import pytest

from credibly import Predictions
from credibly.io import read

HEADER = """% a comment
@RELATION 'the name'

@Attribute "the id" String
@attribute class {'no way', yes}
@ATTRIBUTE predicted {'no way',yes}
@attribute score REAL
@attribute 'p:yes' numeric
@attribute when date "yyyy-MM-dd"
@data
"""


def test_dense(write, same):
    rows = (
        "x1, yes, 'no way', 0.5, 1e-1, '2020-01-01'\n"
        "% another\n"
        "'it\\'s', 'no way', yes, -2, .25, ?\n"
        "\n"
        '"b, c", ?, ?, 3, 1, ?\n'
    )
    got = read(write(HEADER + rows, "p.arff"), row="the id", positive="yes")
    want = Predictions.of(
        ["yes", "no way", None],
        label=["no way", "yes", None],
        score=[0.5, -2, 3],
        probability=[0.1, 0.25, 1],
        classes=["no way", "yes"],
        positive="yes",
        row=["x1", "it's", "b, c"],
    )
    same(got, want)


def test_declared_order_of_classes(write):
    text = "@relation r\n@attribute class {low,mid,high}\n@attribute label {low,mid,high}\n@data\nmid,low\nlow,low\n"
    assert read(write(text, "p.arff")).classes == ("low", "mid", "high")
    assert read(write(text, "p.txt")).classes == ("low", "mid", "high")
    packed = write(gzip.compress(text.encode()), "p.arff.gz")
    assert read(packed).classes == ("low", "mid", "high")


def test_whole_numbers_as_nominal_values(write, same):
    text = "@relation r\n@attribute y {1,0}\n@attribute score real\n@data\n1,0.5\n0,0.25\n"
    same(
        read(write(text, "p.arff"), positive=1),
        Predictions.of([1, 0], score=[0.5, 0.25], classes=[1, 0], positive=1),
    )


def test_sparse_and_weights(write, same):
    text = (
        "@relation r\n@attribute class {a,b}\n@attribute score real\n@attribute x real\n@data\n"
        "{0 b, 1 2.5}, {2}\n{1 1}\n{}, {0.5}\n{0 ?, 2 7}\n"
    )
    got = read(write(text, "p.arff"), positive="b")
    want = Predictions.of(
        ["b", "a", "a", None],
        score=[2.5, 1, 0, 0],
        positive="b",
        sample_weight=[2, 1, 0.5, 1],
    )
    same(got, want)
    said = " ".join(f.message for f in got.findings)
    assert "'instance weight' as weight" in said
    assert "Not used: column 'x'" in said


def test_dense_weights(write):
    text = (
        "@relation r\n@attribute y {a,b}\n@attribute label {a,b}\n@data\na,b,{3}\nb,b, {1.5}\nb a\n"
    )
    got = read(write(text, "p.arff"))
    assert got.weight.tolist() == [3, 1.5, 1]
    assert got.label.tolist() == [1, 1, 0]


def test_numeric(write, same):
    text = "@relation r\n@attribute y real\n@attribute predicted integer\n@data\n1.5,2\n?,3\n"
    same(read(write(text, "p.arff")), Predictions.of([1.5, float("nan")], value=[2, 3]))


ONE = "@relation r\n@attribute y {a,b}\n@attribute score real\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ONE, "has no @data section"),
        (ONE + "@data\na,1,2\n", "p.arff, line 5: 3 values where 2 attributes are declared"),
        (ONE + "@data\nc,1\n", "line 5: 'c' is not one of the values declared for 'y': 'a', 'b'"),
        (ONE + "@data\na,x\n", "column 'score' is not a number in 1 row: row 0 ('x')"),
        (ONE + "@data\na,'1\n", "line 5: a quote is not closed"),
        (ONE + "@data\n{0 b, 9 1}\n", "line 5: this sparse row cannot be read"),
        (ONE + "@data\n{0 b, 1 1\n", "line 5: this sparse row cannot be read"),
        (ONE + "@data\n", "has columns and no rows"),
        (ONE + "nonsense\n@data\na,1\n", "line 4: @attribute or @data is expected"),
        (ONE + "@attribute z relational\n@data\n", "has the type 'relational', which is not read"),
        (ONE + "@attribute\n@data\n", "line 4: this attribute cannot be read"),
        ("@relation r\n@attribute class string\n@attribute score real\n@data\n{1 1}\n", "leaves out 'class'"),
        (ONE.encode() + b"@data\n\x81,1\n", "byte 0x81 in line 5"),
    ],
)  # fmt: skip
def test_faults(message, text, said):
    assert said in message(text, "p.arff")


def test_long_line(message):
    said = message(ONE.encode() + b"@data\n" + b"x" * 20_000_000, "p.arff")
    assert "line 5: the line is longer than" in said
