"""Standard errors from influence values: of cases, of groups, and of a class at a time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly.errors import says
from credibly.intervals._declare import RefusalError
from credibly.predictions.labels import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from credibly._core.arrays import Floats
    from credibly.predictions import Predictions

LEAST, MOST = 1e-60, 1e60  # between which fourth powers, and sums of them, fit a double


def standard_error(values: Floats, p: Predictions, *, by_class: bool) -> tuple[float, float]:
    """Return the standard error from influence values, and its degrees of freedom.

    With groups it is that of the sums of the groups, of which there is one more than freedom.
    """
    moved = values * p.weights if p.weight_kind == "importance" else values
    copies = p.weights if p.weight_kind == "frequency" else None
    if p.clusters is None:
        return error_of_sum(moved, copies, p.truth if by_class else None)
    unit = _unit(moved)
    sums = _group_sums((moved if copies is None else moved * copies) / unit, p.clusters)
    return unit * float(np.sqrt(sums.size) * sums.std(ddof=1)), sums.size - 1


def error_of_sum(
    moved: Floats, copies: Floats | None = None, classes: NDArray[Any] | None = None
) -> tuple[float, float]:
    """Return the standard error of a sum over cases, and its degrees of freedom.

    Divisors are n - 1, by class where classes are given, as in DeLong's variance. A variance is itself
    an estimate, and a poor one where a few cases carry it: Satterthwaite's degrees of freedom, from the
    spread of the squares, say how poor.

    >>> error, freedom = error_of_sum(np.array([1e80, -1e80, 3e80, -3e80]))
    >>> float(error / 1e80).__round__(6), freedom
    (5.163978, 3.0)
    """
    unit = _unit(moved)
    if unit != 1:
        moved = moved / unit
    n = float(moved.size if copies is None else copies.sum())
    if n < 2:
        raise RefusalError("a single case shows no variation")
    mean = float(moved.sum() if copies is None else moved @ copies) / n
    squares = np.square(moved - mean)
    counted = squares if copies is None else squares * copies
    total = float(counted.sum())
    variance = n / (n - 1) * total
    if classes is not None:
        sizes = np.bincount(classes, copies)
        if (sizes[sizes > 0] < 2).any():
            raise RefusalError("a class has a single case, which shows no variation")
        parts = np.bincount(classes, counted)[sizes > 0]
        variance = float((parts * sizes[sizes > 0] / (sizes[sizes > 0] - 1)).sum())
    spread = float(counted @ squares) - total**2 / n
    freedom = 2 * total**2 / spread if spread > 0 else n - 1
    return unit * math.sqrt(variance), min(freedom, n - 1)


def _unit(values: Floats) -> float:
    """Return a power of two to divide by where fourth powers would not fit a double; else 1."""
    size = max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
    fits = size == 0 or LEAST < size < MOST
    return 1.0 if fits else math.ldexp(1.0, math.frexp(size)[1])


def _group_sums(moved: Floats, group: NDArray[Any]) -> Floats:
    codes = distinct(group).codes
    sums: Floats = np.bincount(codes[codes >= 0], moved[codes >= 0]).astype(np.float64)
    if sums.size < 2:
        raise RefusalError("all cases are of one group, so they cannot show how groups vary")
    return sums


def refuse_repeats(p: Predictions) -> None:
    """Refuse cases of several repeats where nothing tells which of them are the same."""
    if p.repeat is None or p.row is not None or p.design.independent:
        return
    if len(set(p.repeat.tolist())) > 1:
        raise RefusalError(
            says(
                "the same cases may be predicted in several repeats, and no <row=> tells which; "
                "ask <by='repeat'>"
            )
        )
