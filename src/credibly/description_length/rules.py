"""Codes for rules that look at one column, or at none."""

from __future__ import annotations

from typing import Any

import numpy as np

from credibly.description_length._declare import coder
from credibly.description_length.messages import Message
from credibly.description_length.problem import CodingProblem, Sent
from credibly.description_length.trees import QUINLAN
from credibly.schemes.columns import columns_of

RISSANEN = "Rissanen, J. (1978) Modeling by shortest data description. Automatica 14, 465-471."


@coder(
    "Zero rule",
    describes=("sklearn.dummy.DummyClassifier", "sklearn.dummy.DummyRegressor"),
    cite=RISSANEN,
    aliases=("null",),
)
def zero_r(model: Any, problem: CodingProblem, message: Message) -> Sent:
    """Send the class shares, or the mean and the spread: the null theory.

    >>> import credibly
    >>> found = credibly.mdl("zero-r", [[0], [0], [0], [0]], list("aaab"))
    >>> [(part.name, part.bits) for part in found["zero-r"].parts]
    [('distributions', 2.0), ('labels', 3.2935...)]
    """
    if not problem.k:
        value = float(np.ravel(model.constant_)[0])
        spread = problem.send_spread(np.full(problem.n, value), message)
        mean = message.real("moments", value, spread / np.sqrt(problem.n))
        return Sent(value=np.full(problem.n, mean), spread=spread)
    by_share = model.strategy in {"prior", "stratified"}
    shares = model.class_prior_ if by_share else model.predict_proba(np.zeros((1, 1)))[0]
    sent = message.distribution("distributions", np.asarray(shares, np.float64), problem.n)
    return Sent(probability=np.tile(sent, (problem.n, 1)))


@coder("One rule", describes=("credibly.schemes.OneR",), cite=QUINLAN)
def one_r(model: Any, problem: CodingProblem, message: Message) -> Sent:
    """Send which column decides, where its numbers are cut, and the class shares of each bucket.

    >>> import credibly
    >>> found = credibly.mdl("one-r(min_bucket=2)", [[1], [2], [3], [4]], list("aabb"))
    >>> [(part.name, round(part.bits, 2)) for part in found["one-r(min_bucket=2)"].parts]
    [('attributes', 0.0), ('cut points', 5.17), ('distributions', 3.17), ('labels', 0.4)]
    """
    rule = model.rule_
    text = () if rule.categories is None else (rule.column,)
    names = list(columns_of(problem.X))
    column = columns_of(problem.X, text, only=rule.column)[rule.column]
    message.choice("attributes", names.index(rule.column), among=len(names))
    if rule.categories is None:
        values = np.unique(column[~np.isnan(column)])
        places = np.searchsorted(values, rule.cuts, "right") - 1
        message.cut_points(tuple(places.tolist()), max(len(values) - 1, 0))
        message.parameters += len(places)
    bucket = rule.bucket_of(column)
    probability = np.empty((problem.n, problem.k))
    for b in np.unique(bucket):
        rows = bucket == b
        probability[rows] = message.distribution("distributions", rule.counts[b], rows.sum())
    return Sent(probability=probability)
