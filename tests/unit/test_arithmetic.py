"""Arithmetic of columns: what it computes, and that nothing of it runs."""

import numpy as np
import pytest

from credibly import DataError, ParameterError
from credibly.predictions.arithmetic import arithmetic, column_names

COLUMNS = {"a": np.array([1.0, 2.0]), "b": np.array([0.0, 4.0]), "two words": np.array([5.0, 6.0])}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.8 + 0.1 * a", [0.9, 1.0]),
        ("-a + +b", [-1, 2]),
        ("a ** 2 / 4 - (b - 1)", [1.25, -2]),
        ("max(a, b)", [1, 4]),
        ("min(a, 1.5) + sqrt(b) + abs(-a)", [2, 5.5]),
        ("log(exp(a))", [1, 2]),
        ("'two words' * 2", [10, 12]),
        ("7", [7, 7]),
    ],
)
def test_computes(text, expected):
    assert arithmetic(text, COLUMNS).tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    "text",
    [
        "", "1 +", "a.b", "a[0]", "__import__('os').system('true')", "(lambda: 1)()", "[a for a in b]", "a if b else a",
        "a == b", "a and b", "not a", "~a", "True", "None", "1j", "...", "f'{a}'", "a := 1", "*a", "eval('1')", "open('x')",
        "max(a)", "max(a, b, a)", "sqrt(x=a)", "a ** b", "2 ** 11", "9 ** 9 ** 9", "9" * 999, "(" * 400 + "a" + ")" * 400,
        "-" * 900 + "a", "+".join(["a"] * 300), "a" * 2000, "a\x00b", "a;b", "a @ b", "a // b", "a % b", "a << 1",
    ],
)  # fmt: skip
def test_refuses_all_else(text):
    with pytest.raises(ParameterError, match=r"Cannot compute|at most 1,000"):
        arithmetic(text, COLUMNS)


def test_names_what_is_missing_or_not_finite():
    with pytest.raises(DataError, match=r"no column 'aa'.* Did you mean a"):
        arithmetic("aa + 1", {**COLUMNS, "aaa": np.zeros(2)})
    with pytest.raises(DataError, match=r"not a finite number in 1 row: row 0"):
        arithmetic("1 / b", COLUMNS)


def test_names_its_columns_once_and_no_functions():
    assert sorted(column_names("max(a, b) + a * 'two words'")) == ["a", "b", "two words"]
