"""Arithmetic of columns, written as text and read without running any of it."""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from credibly._core.arrays import Floats
from credibly.errors import DataError, ParameterError
from credibly.predictions.numbers import finite, frozen

MAX_LETTERS = 1000
MAX_DEPTH = 50  # brackets and operators within each other
LARGEST_POWER = 10
OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
FUNCTIONS: dict[str, tuple[Callable[..., Any], int]] = {
    "abs": (np.abs, 1),
    "exp": (np.exp, 1),
    "log": (np.log, 1),
    "max": (np.maximum, 2),
    "min": (np.minimum, 2),
    "sqrt": (np.sqrt, 1),
}
FORMULA_ADVICE = (
    "Write numbers, columns, + - * / ** and brackets, such as '0.8 + 0.1 * distance'; "
    f"functions: {', '.join(FUNCTIONS)}. Put a column name that is not a single word in quotes."
)


def column_names(text: str) -> list[str]:
    """Return the columns that an expression names.

    >>> column_names("0.8 + 0.1 * max(distance, 'last mile')")
    ['distance', 'last mile']
    """
    tree = _parsed(text)
    nodes = list(ast.walk(tree))
    functions = {id(n.func) for n in nodes if isinstance(n, ast.Call)}
    found = [_column_name(n) for n in nodes if id(n) not in functions]
    names = list(dict.fromkeys(name for name in found if name is not None))
    with np.errstate(all="ignore"):  # a dry run, which refuses anything but arithmetic
        _value(tree, text, dict.fromkeys(names, np.ones(1)))
    return names


def arithmetic(text: str, columns: Mapping[str, Floats]) -> Floats:
    """Compute an expression of columns.

    >>> arithmetic("0.8 + 0.1 * distance", {"distance": np.array([2.0, 30.0])}).tolist()
    [1.0, 3.8]
    >>> arithmetic("__import__('os')", {})
    Traceback (most recent call last):
    ...
    credibly.errors.ParameterError: Cannot compute "__import__('os')": ...
    """
    tree = _parsed(text)
    with np.errstate(all="ignore"):  # what is not finite is named below
        result = np.asarray(_value(tree, text, columns), np.float64)
    if not columns and not np.isfinite(result).all():
        raise _refused(text, f"the result, {float(result):g}, is not a finite number")
    size = max((len(c) for c in columns.values()), default=1)
    return frozen(finite(np.array(np.broadcast_to(result, size)), text))


def _parsed(text: str) -> ast.expr:
    if len(text) > MAX_LETTERS:
        raise ParameterError(
            f"The expression has {len(text):,} characters; at most {MAX_LETTERS:,} are read."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about how a text would run, which it never does
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _refused(text, "it is not arithmetic") from None
    if _depth(tree) > MAX_DEPTH:
        raise _refused(text, f"it is more than {MAX_DEPTH} levels deep")
    return tree


def _depth(tree: ast.AST) -> int:
    """Count levels without recursion, which a hostile text could exhaust."""
    level, depth = [tree], 0
    while level and depth <= MAX_DEPTH:
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        depth += 1
    return depth


def _column_name(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


def _value(node: ast.expr, text: str, columns: Mapping[str, Floats]) -> Any:  # noqa: ANN401
    name = _column_name(node)
    if name is not None:
        if name in columns:
            return np.asarray(columns[name], np.float64)
        raise DataError(f"There is no column {name!r} for {text!r}.", asked=name, choices=columns)
    if isinstance(node, ast.Constant) and type(node.value) in {int, float}:
        try:
            return float(node.value)  # type: ignore[arg-type]
        except OverflowError:
            raise _refused(text, "a number is too large") from None
    if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](_value(node.operand, text, columns))
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        left, right = _value(node.left, text, columns), _value(node.right, text, columns)
        if isinstance(node.op, ast.Pow) and (np.ndim(right) or abs(right) > LARGEST_POWER):
            raise _refused(text, f"a power is a number from -{LARGEST_POWER} to {LARGEST_POWER}")
        return OPERATORS[type(node.op)](np.float64(left) if np.ndim(left) == 0 else left, right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        function, arity = FUNCTIONS.get(node.func.id, (None, 0))
        if function is not None and len(node.args) == arity:
            return function(*(_value(a, text, columns) for a in node.args))
    raise _refused(text, f"{ast.unparse(node)[:60]!r} is not allowed")


def _refused(text: str, why: str) -> ParameterError:
    return ParameterError(f"Cannot compute {text[:200]!r}: {why}. {FORMULA_ADVICE}")
