"""Calls as text, rules, registries, cost matrices, counts made elsewhere."""

import time

import numpy as np
import pytest

from credibly import CostMatrix, DataError, ParameterError
from credibly._core.declared import Registry
from credibly._core.parameters import (
    above,
    between,
    one_of,
    parse_call,
    read_parameters,
    split_calls,
    whole,
    write_call,
)
from credibly._core.text import count, some_rows
from credibly.errors import UnknownNameError, did_you_mean
from credibly.measures import measure, measures, proportion
from credibly.predictions.summaries import BinaryCounts, Counts


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("auc", ("auc", {})),
        (" auc\n", ("auc", {})),
        ("auc()", ("auc", {})),
        ("fbeta(beta=2)", ("fbeta", {"beta": 2})),
        ("fbeta( beta = -0.5 )", ("fbeta", {"beta": -0.5})),
        ("kappa(weights='linear')", ("kappa", {"weights": "linear"})),
        ("f(a=None, b=True, c=[1, 2])", ("f", {"a": None, "b": True, "c": [1, 2]})),
    ],
)
def test_calls_are_read(text, call):
    assert parse_call(text) == call


def test_words_need_quotes():
    with pytest.raises(ParameterError, match=r"Words stand in quotes: f1\(average='macro'\)"):
        measures.parse("f1(average=macro)")


def test_one_literal_without_a_key_is_the_first_parameter():
    assert parse_call("fbeta(2)", first="beta") == ("fbeta", {"beta": 2})
    for text in ("fbeta(2, 3)", "fbeta(2, beta=3)", "fbeta(x)", "fbeta(*[2])"):
        with pytest.raises(ParameterError, match="Cannot read"):
            parse_call(text, first="beta")
    assert measures.parse("fbeta(2)").call == "fbeta(beta=2)"
    assert measures.parse("lift_at(0.01)").call == "lift_at(k=0.01)"
    with pytest.raises(ParameterError, match="Cannot read 'auc\\(2\\)'"):
        measures.parse("auc(2)")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fbeta(",
        "fbeta(2)",
        "fbeta(beta)",
        "fbeta(beta=x)",
        'fbeta(beta=__import__("os"))',
        'fbeta(beta=__import__("os").system("echo"))',
        "__import__('os').system('echo')",
        "fbeta(beta=open('/etc/passwd'))",
        "fbeta(beta=[x for x in (1,)])",
        "fbeta(beta=lambda: 1)",
        "fbeta(beta=2)(beta=3)",
        "fbeta(**{'beta': 2})",
        "fbeta(*[2])",
        "fbeta(beta=1, beta=2)",
        "fbeta.beta",
        "fbeta[beta]",
        "1",
        "fbeta; auc",
        "fbeta\x00",
        "a" + ".a" * 50_000,
        "fbeta(beta=" + "[" * 150 + "]" * 150,
        "fbeta(beta=" + "(" * 10_000 + "1" + ")" * 10_000 + ")",
        "fbeta(beta=" + "-" * 20_000 + "1)",
        "fbeta(beta=" + "1+" * 20_000 + "1)",
        "fbeta(beta=" + "9" * 10_000 + ")",
        "(" * 1_000_000,
    ],
    ids=lambda t: repr(t[:40]),
)
def test_nothing_but_a_call_with_literals_is_read(text):
    start = time.process_time()
    with pytest.raises(ParameterError, match="Write a name, or a name with literal") as caught:
        parse_call(text)
    assert time.process_time() - start < 5
    assert len(str(caught.value)) < 1000


def test_a_huge_number_is_an_argument_like_any_other():
    from credibly import Predictions

    p = Predictions.of([1, 1, 0, 0, 0], label=[1, 0, 1, 1, 0])
    assert measures.parse("fbeta(beta=" + "9" * 400 + ")").value(p) == 0.5  # recall
    assert measures.parse("fbeta(beta=1e-200)").value(p) == pytest.approx(1 / 3)  # precision


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        (" , ", []),
        ("auc", ["auc"]),
        ("a,b , c", ["a", "b", "c"]),
        ("f(x=1, y=2), g", ["f(x=1, y=2)", "g"]),
        ("f(x='a,b'), g(y=\"(\")", ["f(x='a,b')", 'g(y="(")']),
        ("f(x=[1, {2: 3, 4: 5}]),h", ["f(x=[1, {2: 3, 4: 5}])", "h"]),
    ],
)
def test_lists_of_calls_are_split(text, parts):
    assert split_calls(text) == parts


def test_calls_are_written_as_they_are_read():
    for call in (("f", {}), ("f", {"a": 1, "b": "x'y", "c": None})):
        assert parse_call(write_call(*call)) == call


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        (above(0), [1, 0.5, np.float64(2)], [0, -1, float("inf"), float("nan"), True, "1", None]),
        (between(0, 1), [0.5], [0, 1, 2, float("nan"), False, "x"]),
        (between(0, 1, ends=True), [0, 1, 0.5], [-0.1, 1.1, 2]),
        (whole(1), [1, 10**30], [0, 1.0, 1.5, True, "1"]),
        (one_of(None, "a"), [None, "a"], ["b", 0, False]),
    ],
)
def test_rules(rule, good, bad):
    assert all(rule.accepts(v) for v in good)
    assert not any(rule.accepts(v) for v in [*bad, rule.broken_by])


def test_every_parameter_has_a_rule_and_every_rule_a_parameter():
    def formula(c, *, beta=1): ...

    with pytest.raises(ParameterError, match="give each parameter its rule"):
        read_parameters(formula, {})
    with pytest.raises(ParameterError, match="rules for"):
        read_parameters(formula, {"beta": above(0), "gamma": above(0)})
    (beta,) = read_parameters(formula, {"beta": above(0)})
    assert (beta.name, beta.default, beta.required) == ("beta", 1, False)


def test_arguments_from_numpy_become_plain():
    m = measures["precision_at"].given(k=np.int64(3))
    assert m.call == "precision_at(k=3)"
    assert type(m.arguments["k"]) is int
    with pytest.raises(ParameterError, match=r"Did you mean beta\?"):
        measures["fbeta"].given(bta=2)


def test_registry_errors():
    with pytest.raises(UnknownNameError, match="`credibly list measures` shows all") as caught:
        measures["nonsense"]
    assert isinstance(caught.value, LookupError)
    assert not str(caught.value).startswith("'")
    assert "nonsense" not in measures
    assert 5 not in measures
    with pytest.raises(UnknownNameError):
        measures.remove("nonsense")


def test_a_registry_of_its_own():
    class Entry:
        def __init__(self, name, aliases=()):
            self.name, self.aliases = name, aliases

    registry = Registry("thing", "credibly.intervals")
    one = registry.add(Entry("one", ("uno",)))
    assert registry["uno"] is one
    for clash in (Entry("one"), Entry("uno"), Entry("two", ("one",))):
        with pytest.raises(ParameterError, match="declared twice"):
            registry.add(clash)
    assert len(registry) == 1
    assert registry.names() == ["one", "uno"]
    registry.remove("uno")
    assert len(registry) == 0
    assert "one" not in registry


def test_a_declaration_without_its_facts_fails_at_once():
    before = len(measures)
    with pytest.raises(TypeError, match="range"):

        @measure("Half", reads=BinaryCounts, best=1, cite="Nobody (2026).")  # no range
        def half(c):
            """Nothing."""

    with pytest.raises(ParameterError, match="rule"):

        @proportion("Half", reads=BinaryCounts, best=1, cite="Nobody (2026).")
        def other_half(c, *, of=1):
            """Nothing."""

    assert len(measures) == before


def test_words():
    assert count(0, "row") == "0 rows"
    assert count(1, "class") == "1 class"
    assert count(1234567, "case") == "1,234,567 cases"
    assert some_rows([1]) == "row 1, counted from 0"
    assert some_rows(range(7), identified=True) == "rows 0, 1, 2, 3, 4 and 2 more"
    assert did_you_mean("xyz", ["accuracy"]) == ""
    assert did_you_mean("AUC", ["auc"]) == " Did you mean auc?"


class TestCostMatrix:
    def test_is_by_actual_and_predicted(self):
        c = CostMatrix.of([[0, 1], [5, 0]], ["good", "bad"])
        assert (c.cost("bad", "good"), c.cost("good", "bad")) == (5.0, 1.0)
        turned = CostMatrix.of([[0, 5], [1, 0]], ["good", "bad"], orientation="predicted")
        assert turned.values.tolist() == c.values.tolist()
        assert repr(c) == "CostMatrix([[0.0, 1.0], [5.0, 0.0]], classes=['good', 'bad'])"

    def test_is_aligned_by_name(self):
        c = CostMatrix.of([[0, 1, 2], [3, 0, 4], [5, 6, 0]], ["a", "b", "c"])
        assert c.aligned(["c", "a"]).tolist() == [[0.0, 5.0], [2.0, 0.0]]
        assert CostMatrix.of([[0, 1], [5, 0]], ["0", "1"]).aligned([1, 0]).tolist() == [
            [0.0, 5.0],
            [1.0, 0.0],
        ]
        with pytest.raises(DataError, match=r"no class 'aa'.*Did you mean a\?|no class 'aa'"):
            c.aligned(["aa"])

    def test_is_immutable_and_a_copy(self):
        given = np.array([[0.0, 1.0], [5.0, 0.0]])
        c = CostMatrix.of(given, [0, 1])
        given[0, 0] = 9
        assert c.cost(0, 0) == 0
        with pytest.raises(ValueError, match="read-only"):
            c.values[0, 0] = 1

    @pytest.mark.parametrize(
        ("values", "classes", "orientation", "message"),
        [
            ([[0, 1]], [0, 1], "actual", r"2 rows and 2 columns; this one has the shape \(1, 2\)"),
            ([0, 1], [0, 1], "actual", "shape"),
            ([[0, 1], [1, 0]], [0, 0], "actual", "names a class twice"),
            ([[0, float("nan")], [1, 0]], ["a", "b"], "actual", "'a' labelled 'b' is nan"),
            ([[0, float("inf")], [1, 0]], ["a", "b"], "actual", "is inf"),
            ([["x", 1], [1, 0]], [0, 1], "actual", "table of numbers"),
            ([[0, 1], [1]], [0, 1], "actual", "table of numbers"),
            ([[0, 1], [1, 0]], [0, 1], "rows", "'actual' or 'predicted'; got 'rows'"),
        ],
    )
    def test_refuses(self, values, classes, orientation, message):
        with pytest.raises(DataError, match=message):
            CostMatrix.of(values, classes, orientation=orientation)


class TestCountsMadeElsewhere:
    def test_both_orientations(self):
        actual = Counts.from_matrix([[8, 2], [1, 9]], ("n", "y"))
        predicted = Counts.from_matrix([[8, 1], [2, 9]], ("n", "y"), orientation="predicted")
        assert actual.matrix.tolist() == predicted.matrix.tolist()
        assert measures["accuracy"].of_summary(actual) == 0.85
        assert measures["recall"].of_summary(actual.binary(1)) == 0.9
        with pytest.raises(DataError, match="square"):
            Counts.from_matrix([[1, 2, 3], [4, 5, 6]])

    def test_margins(self):
        c = Counts.from_matrix([[8, 2], [1, 9]])
        assert (c.actual.tolist(), c.predicted.tolist()) == ([10, 10], [9, 11])
        assert c.expected().tolist() == [[4.5, 5.5], [4.5, 5.5]]
        assert c.predicted_given_truth().tolist() == [[0.8, 0.2], [0.1, 0.9]]
        assert c.truth_given_predicted()[:, 0].tolist() == [8 / 9, 1 / 9]

    def test_four_outcomes(self):
        c = BinaryCounts.of_outcomes(tp=[1, 2], fp=0, fn=1, tn=3)
        assert c.total.tolist() == [5, 6]
        assert measures["recall"].of_summary(c).tolist() == [0.5, 2 / 3]
        assert c.table().matrix.tolist() == [[[3, 0], [1, 1]], [[3, 0], [1, 2]]]
