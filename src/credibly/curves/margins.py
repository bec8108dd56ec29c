"""The margin curve: how clearly each case is separated from the best wrong class."""

from __future__ import annotations

import numpy as np

from credibly._core.arrays import Floats, dot
from credibly._core.names import Names
from credibly.curves._declare import Points, curve_kind
from credibly.predictions.summaries import ClassScores
from credibly.predictions.summaries.linear import ratio

SCHAPIRE = "Schapire, R. E., Freund, Y., Bartlett, P. & Lee, W. S. (1998) Boosting the margin: a new explanation for the effectiveness of voting methods. Annals of Statistics 26, 1651-1686."


def margins(t: ClassScores) -> Floats:
    """Return the probability of each case's actual class less the largest of the others."""
    rows = np.arange(t.actual.size)
    others = t.probability.copy()
    others[rows, t.actual] = -np.inf
    return np.asarray(t.probability[rows, t.actual] - others.max(axis=1))


def _told(t: ClassScores) -> dict[str, float]:
    margin = margins(t)
    weight = np.ones(margin.size) if t.weight is None else t.weight
    total = weight.sum()
    return {
        "mean_margin": float(ratio(dot(weight, margin), total)),
        "not_above_zero": float(ratio(dot(weight, margin <= 0), total)),
    }


@curve_kind(
    "Margin curve",
    x_title="margin",
    y_title="share of cases up to this margin",
    cite=SCHAPIRE,
    range=(0, 1),
    course="rising",
    numbers=_told,
    aliases=Names(weka="Margin curve"),
)
def margin(t: ClassScores) -> Points:
    r"""Distribution of the margin: the probability of the actual class less the largest of the others.

    $F(x) = \Pr(p_{y} - \max_{k \ne y} p_k \le x)$

    >>> c = curve(Predictions.of(["a", "b"], probability=[[0.75, 0.25], [0.625, 0.375]]), "margin")
    >>> c.at([-1, 0, 1]).tolist(), c.numbers["mean_margin"]
    ([0.0, 0.5, 1.0], 0.125)
    """
    value, place = np.unique(margins(t), return_inverse=True)
    size = np.bincount(place, t.weight, value.size)
    value, share = value[size > 0], size[size > 0].cumsum()
    below = np.concatenate([[0.0], ratio(share, share[-1])])
    # Two points at each margin: a distribution jumps there.
    x = np.concatenate([[-1.0], np.repeat(value, 2), [1.0]])
    return Points(x, np.concatenate([[0.0], np.repeat(below, 2)[1:-1], [1.0]]))
