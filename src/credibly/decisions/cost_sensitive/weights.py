"""What costs mean to a learner: how much a training case of each class matters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from credibly._core.arrays import Floats
from credibly.errors import DataError, ParameterError
from credibly.predictions import CostMatrix
from credibly.predictions.cost_matrix import as_costs


def training_costs(costs: object, classes: Sequence[Any]) -> Floats:
    """Return costs by actual and predicted class in the order of ``classes``.

    Takes a :class:`~credibly.CostMatrix`, outcomes of a yes or no such as ``{"fn": 5, "fp": 1}``
    (the last class is positive), a table in the order of the sorted classes, or nothing: 1 a mistake.

    >>> training_costs({"fn": 5, "fp": 1}, ["no", "yes"]).tolist()
    [[0.0, 1.0], [5.0, 0.0]]
    """
    names = [getattr(c, "item", lambda c=c: c)() for c in classes]
    if costs is None:
        return 1.0 - np.eye(len(names))
    made = as_costs(costs, names, len(names) - 1)
    if isinstance(made, CostMatrix):
        return made.aligned(names)
    raise ParameterError(
        "Costs used for learning must be the same for all cases; these differ from row to row."
    )


def class_weights(costs: object, classes: Sequence[Any], sizes: ArrayLike) -> Floats:
    r"""Return the weight of a training case of each class, so that all weights sum to the cases.

    $w_i = C_i\, N / \sum_k C_k N_k$, where $C_i = \sum_j (C_{ij} - C_{ii})$ is what mistakes about
    class i cost in all (Ting 2002). With two classes it is the cost of the one mistake, which is exact:
    a learner that counts sees the same as with a threshold moved by the costs (Elkan 2001).

    >>> class_weights({"fn": 1, "fp": 10}, ["yes", "no"][::-1], [50, 50]).tolist()
    [1.818..., 0.1818...]
    """
    table = training_costs(costs, classes)
    extra = (table - np.diagonal(table)[:, None]).sum(axis=1)
    if not (extra > 0).all():
        bad = classes[int(np.argmin(extra))]
        raise DataError(
            f"Mistakes about the class {bad!r} cost no more than being right, so its cases would "
            "get no weight. Give every class at least one mistake with a positive cost."
        )
    n = np.asarray(sizes, np.float64)
    return np.asarray(extra * n.sum() / (extra @ n))
