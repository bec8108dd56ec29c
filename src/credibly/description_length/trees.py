"""Codes for decision trees and for forests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly.description_length._declare import coder
from credibly.description_length.messages import Message
from credibly.description_length.problem import CodingProblem, Sent
from credibly.errors import DataError

QUINLAN = "Quinlan, J. R. & Rivest, R. L. (1989) Inferring decision trees using the minimum description length principle. Information and Computation 80, 227-248."


@coder(
    "Decision tree",
    describes=("sklearn.tree.DecisionTreeClassifier", "sklearn.tree.DecisionTreeRegressor"),
    cite=QUINLAN,
)
def tree(model: Any, problem: CodingProblem, message: Message) -> Sent:
    """Send node after node: whether it splits, on which column and where, or what its leaf says.

    A split is one of those that separate the rows that reach it.

    >>> import credibly
    >>> found = credibly.mdl("tree", [[1], [2], [3], [4]], list("aabb"), rng=1)
    >>> [(part.name, round(part.bits, 2)) for part in found["tree"].parts]
    [('structure', 3.0), ('attributes', 0.0), ('cut points', 1.58), ('distributions', 3.17), ('labels', 0.4)]
    """
    spread = 1.0 if problem.k else problem.send_spread(model.predict(problem.X), message)
    said = write_tree(model.tree_, problem, message, spread)
    return Sent(probability=said) if problem.k else Sent(value=said[:, 0], spread=spread)


@coder(
    "Forest",
    describes=(
        "sklearn.ensemble.RandomForestClassifier",
        "sklearn.ensemble.RandomForestRegressor",
        "sklearn.ensemble.ExtraTreesClassifier",
        "sklearn.ensemble.ExtraTreesRegressor",
    ),
    cite=QUINLAN,
)
def forest(model: Any, problem: CodingProblem, message: Message) -> Sent:
    """Send how many trees there are, and one tree after the other.

    >>> import credibly
    >>> found = credibly.mdl("forest(trees=2)", [[1], [2], [3], [4]], list("aabb"), rng=1)
    >>> found["forest(trees=2)"].parts[0].name
    'structure'
    """
    message.whole("structure", len(model.estimators_))
    spread = 1.0 if problem.k else problem.send_spread(model.predict(problem.X), message)
    each = [write_tree(t.tree_, problem, message, spread) for t in model.estimators_]
    said = np.mean(each, axis=0)
    return Sent(probability=said) if problem.k else Sent(value=said[:, 0], spread=spread)


def write_tree(fitted: Any, problem: CodingProblem, message: Message, spread: float) -> Floats:
    """Write a tree, the left branch of a node before its right one; return what it says of each row."""
    X = problem.matrix.astype(np.float32)  # as scikit-learn splits them
    columns = varying(X)
    said = np.empty((problem.n, problem.k or 1))
    waiting = [(0, np.arange(problem.n))]
    while waiting:
        node, rows = waiting.pop()
        column = fitted.feature[node]
        message.flag("structure", column >= 0)
        if column < 0:
            said[rows] = _leaf(fitted.value[node, 0], rows.size, problem, message, spread)
            continue
        message.choice("attributes", int(np.searchsorted(columns, column)), among=columns.size)
        missing_left = bool(fitted.missing_go_to_left[node])
        left = _cut(X[rows, column], fitted.threshold[node], missing_left, message)
        waiting += [
            (fitted.children_right[node], rows[~left]),
            (fitted.children_left[node], rows[left]),
        ]
    return said


def varying(X: NDArray[Any]) -> NDArray[np.intp]:
    """Return the columns that hold more than one value, a missing one among them."""
    same = (X[0] == X) | (np.isnan(X) & np.isnan(X[0]))
    return np.flatnonzero(~same.all(axis=0))


def _leaf(
    value: Floats, n: int, problem: CodingProblem, message: Message, spread: float
) -> Floats | float:
    if problem.k:
        return message.distribution("distributions", value, n)
    return message.real("leaves", value[0], spread / np.sqrt(n))


def _cut(
    values: NDArray[Any],
    threshold: float,
    missing_left: bool,  # noqa: FBT001
    message: Message,
) -> NDArray[np.bool_]:
    """Send which of the splits of these values it is; return the rows that go to the left.

    Missing values double the splits, since they go to either side, and add that of all known values
    against them.
    """
    gone = np.isnan(values)
    known = np.unique(values[~gone])
    below = int(np.searchsorted(known, threshold, "right"))
    left = (values <= threshold) | (gone & missing_left)
    if left.all() or not left.any():
        raise DataError(
            "A split of the tree does not separate any rows, so the tree was not fitted on these rows."
        )
    if gone.any():
        message.choice("cut points", 2 * (below - 1) + missing_left, among=2 * known.size - 1)
    else:
        message.choice("cut points", below - 1, among=known.size - 1)
    message.parameters += 1
    return left
