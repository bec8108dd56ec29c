"""Codes for theories that are the data themselves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from credibly.description_length._declare import coder
from credibly.description_length.messages import Message, adaptive_bits, gaussian_bits
from credibly.description_length.problem import CodingProblem, Sent


@coder(
    "Nearest neighbours",
    describes=(
        "sklearn.neighbors.KNeighborsClassifier",
        "sklearn.neighbors.KNeighborsRegressor",
    ),
    cite="Rissanen, J. (1984) Universal coding, information, prediction, and estimation. IEEE Transactions on Information Theory 30, 629-636.",
    aliases=("memoriser",),
)
def knn(model: Any, problem: CodingProblem, message: Message) -> Sent:
    """Send the number of neighbours and every target: a theory that remembers explains nothing.

    What is left of the targets then takes no bits, and all of it about as many as the null theory.

    >>> import credibly
    >>> found = credibly.mdl("knn(k=1)", [[1], [2], [3], [4]], list("aabb"))
    >>> [(part.name, round(part.bits, 2)) for part in found["knn(k=1)"].parts]
    [('structure', 3.58), ('remembered', 5.42), ('labels', 0.0)]
    """
    message.whole("structure", model.n_neighbors)
    if problem.k:
        counts = np.bincount(problem.y, minlength=problem.k)
        message.add("remembered", problem.y, float(adaptive_bits(counts, problem.pseudo_count)))
    else:
        average = float(problem.y.mean())
        spread = problem.send_spread(np.full(problem.n, average), message)
        mean = message.real("moments", average, spread / math.sqrt(problem.n))
        cells = np.rint(problem.y / problem.precision)
        bits = gaussian_bits(problem.y - mean, spread, problem.precision)
        message.add("remembered", cells, float(bits.sum()))
    message.parameters = math.nan
    return Sent()
