"""Volume under a three-class ROC surface: from one ordered score, or from probability triples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from credibly._core.arrays import Floats
from credibly._core.doors import check_confidence, door
from credibly._core.text import count, interval_text
from credibly._kernels.triples import triples_told_apart
from credibly.errors import DataError, ParameterError
from credibly.intervals.quantiles import normal_quantile
from credibly.predictions import Predictions
from credibly.results.interval import Interval
from credibly.results.result import Result

CHANCE_VOLUME = 1 / 6
MAX_TRIPLES = 2e10


class Volume(Result, eq=True):
    """Share of the triples, one case of each class, that are distinguished; by chance a sixth."""

    value: float
    standard_error: float
    interval: Interval | None
    classes: tuple[Any, ...]
    sizes: tuple[int, ...]
    kind: str
    chance: float = CHANCE_VOLUME

    def __str__(self) -> str:
        order = " < ".join(map(str, self.classes)) if self.kind == "ordered" else ""
        what = f"order {order}" if order else "probabilities"
        return f"Volume under the ROC surface ({what}) {interval_text(self.value, self.interval)}, by chance 1/6"


@door
def ordered_volume(
    y_true: ArrayLike,
    score: ArrayLike,
    *,
    order: Sequence[Any],
    confidence_level: float = 0.95,
) -> Volume:
    r"""Return how often a score puts a case of each class in the right order, ties sharing.

    $\Pr(S_1 < S_2 < S_3) + \tfrac12 \Pr(S_1 = S_2 < S_3) + \tfrac12 \Pr(S_1 < S_2 = S_3) + \tfrac16 \Pr(S_1 = S_2 = S_3)$,
    by running sums over the sorted scores, with the variance of a U-statistic.

    Parameters
    ----------
    y_true
        The class of each case.
    score
        One number per case.
    order
        The three classes, from that of small scores to that of large ones.
    confidence_level
        Of the interval.

    >>> ordered_volume(list("aabbcc"), [1, 3, 2, 4, 3, 5], order="abc").value
    0.5
    """
    truth, values = np.asarray(y_true), np.asarray(score, np.float64)
    if len(order) != 3 or len(set(order)) != 3:
        raise ParameterError(f"order names the three classes; got {list(order)!r}.")
    if truth.shape != values.shape or values.ndim != 1 or not np.isfinite(values).all():
        raise DataError("A volume needs one finite score for each case.")
    level, place = np.unique(values, return_inverse=True)
    sizes = [np.bincount(place[truth == c], minlength=level.size).astype(float) for c in order]
    _refuse_empty([float(s.sum()) for s in sizes], order)
    low, mid, high = sizes
    below, above = low.cumsum() - low, high[::-1].cumsum()[::-1] - high
    # Of a triple all of whose scores are equal a sixth counts: a quarter is too much by a twelfth.
    of_mid = (below + low / 2) * (above + high / 2) - low * high / 12
    right, left = mid * (above + high / 2), mid * (below + low / 2)
    of_low = right[::-1].cumsum()[::-1] - right + mid * (above / 2 + high / 6)
    of_high = left.cumsum() - left + mid * (below / 2 + low / 6)
    each = [
        np.repeat(v, n.astype(int)) for v, n in zip((of_low, of_mid, of_high), sizes, strict=True)
    ]
    return _volume(each, tuple(order), "ordered", confidence_level)


@door
def probability_volume(predictions: Predictions, *, confidence_level: float = 0.95) -> Volume:
    """Return how often the probabilities distinguish three cases, one of each class.

    Of the six ways to give the three cases to the three classes the one with the largest sum of
    probabilities is right (Li and Fine 2008); equal sums share. The variance is that of a U-statistic.

    >>> from credibly import Predictions
    >>> p = Predictions.of(list("abc"), probability=[[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.3, 0.3, 0.4]])
    >>> probability_volume(p).value
    1.0
    """
    p = predictions.known().scored()
    if len(p.classes) != 3:
        raise DataError(
            f"A volume needs three classes; these predictions have {count(len(p.classes), 'class')}."
        )
    matrix = p.probability_matrix("probability_volume")
    if p.weight is not None:
        raise DataError("The volume under a ROC surface does not take weights.")
    sides = [matrix[p.truth == i] for i in range(3)]
    _refuse_empty([len(s) for s in sides], p.classes)
    triples = math.prod(len(s) for s in sides)
    if triples > MAX_TRIPLES:
        raise DataError(
            f"There are {triples:.2g} triples, which is too many: take a sample of the cases."
        )
    return _volume(triples_told_apart(*sides), p.classes, "probabilities", confidence_level)


def _refuse_empty(sizes: Sequence[float], classes: Sequence[Any]) -> None:
    empty = [repr(c) for c, n in zip(classes, sizes, strict=True) if not n]
    if empty:
        raise DataError(
            f"A volume needs cases of all three classes; there is no case of {', '.join(empty)}."
        )


def _volume(
    each: Sequence[Floats], classes: tuple[Any, ...], kind: str, confidence_level: float
) -> Volume:
    """Make the volume of what each case of each class is worth, and its error of their spread."""
    check_confidence(confidence_level)
    sizes = tuple(side.size for side in each)
    total = math.prod(sizes)
    value = float(each[1].sum()) / total
    shares = [side / (total / side.size) for side in each]
    error = math.nan
    if min(sizes) > 1:
        error = math.sqrt(sum(s.var(ddof=1) / s.size for s in shares))
    limits = None
    if error > 0 and 0 < value < 1:
        # On the logit, so that limits stay between 0 and 1.
        half = normal_quantile(1 - confidence_level, tails=2) * error / (value * (1 - value))
        middle = math.log(value / (1 - value))
        low, high = (1 / (1 + math.exp(-middle - side * half)) for side in (-1, 1))
        limits = Interval(low, high, confidence_level, "U-statistic, logit")
    return Volume(value, error, limits, classes, sizes, kind)
