"""Where one curve lies above another: dominance, crossings, and who is best where."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import numpy as np

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.doors import door
from credibly._core.parameters import one_of, require
from credibly._core.text import number_text
from credibly.curves.result import Curve, Curves
from credibly.errors import ParameterError
from credibly.results.result import Result

Better = Literal["above", "below"]


class Stretch(Result, eq=True):
    """A stretch of x in which one curve is the best."""

    low: float
    high: float
    model: str

    def __str__(self) -> str:
        return f"{self.model} from {number_text(self.low)} to {number_text(self.high)}"


@door
def best_stretches(curves: Curves | Sequence[Curve], *, better: Better) -> tuple[Stretch, ...]:
    """Return which curve is best where: the highest (``"above"``) or the lowest (``"below"``, for costs).

    Curves that run together count for the first of them.

    >>> from credibly.curves import cost_line
    >>> a = cost_line(false_positive_rate=0.1, false_negative_rate=0.4, model="A")
    >>> b = cost_line(false_positive_rate=0.3, false_negative_rate=0.2, model="B")
    >>> [str(s) for s in best_stretches([a, b], better="below")]
    ['A from 0 to 0.5', 'B from 0.5 to 1']
    """
    listed = _lines(curves, better)
    x = np.unique(
        np.concatenate(
            [_all_breaks(listed), *(crossings(a, b) for a, b in combinations(listed, 2))]
        )
    )
    middle = (x[1:] + x[:-1]) / 2
    sign = 1 if better == "above" else -1
    heights = sign * np.array([np.interp(middle, c.x, c.y) for c in listed])
    winner = np.argmax(heights >= heights.max(axis=0) - ROUNDING, axis=0)
    first = np.flatnonzero(np.append(True, winner[1:] != winner[:-1]))
    ends = np.append(first[1:], middle.size)
    names = [c.label or str(i) for i, c in enumerate(listed)]
    return tuple(
        Stretch(float(x[i]), float(x[j]), names[winner[i]])
        for i, j in zip(first, ends, strict=True)
    )


@door
def crossings(a: Curve, b: Curve) -> Floats:
    """Return the x at which two curves of straight lines change places.

    >>> from credibly.curves import cost_line
    >>> crossings(cost_line(false_positive_rate=0.25, false_negative_rate=0.5),
    ...           cost_line(false_positive_rate=0.5, false_negative_rate=0.25)).tolist()
    [0.5]
    """
    x, ahead = _differences(a, b)
    apart = np.flatnonzero(np.abs(ahead) > ROUNDING)
    changed = np.flatnonzero(np.diff(np.sign(ahead[apart])) != 0)
    # From the last place where one leads towards the next: there they are level, or have crossed.
    i = apart[changed]
    part = ahead[i] / (ahead[i] - ahead[i + 1])
    return np.unique(x[i] + part * (x[i + 1] - x[i]))


@door
def dominates(a: Curve, b: Curve, *, better: Better = "above") -> bool:
    """Whether a curve is nowhere worse than another and somewhere better.

    >>> from credibly import Predictions, curve
    >>> y = [1, 0, 1, 0]
    >>> good, bad = (curve(Predictions.of(y, score=s), "roc") for s in ([4, 2, 3, 1], [4, 3, 2, 1]))
    >>> dominates(good, bad), dominates(bad, good), dominates(good, good)
    (True, False, False)
    """
    _lines([a, b], better)
    ahead = _differences(a, b)[1] * (1 if better == "above" else -1)
    return bool((ahead >= -ROUNDING).all() and (ahead > ROUNDING).any())


def _differences(a: Curve, b: Curve) -> tuple[Floats, Floats]:
    """Return a less b at both ends of each piece between breaks, with the x of these ends."""
    x = _all_breaks([a, b])
    (a_left, a_right), (b_left, b_right) = (_ends_of_pieces(c, x) for c in (a, b))
    ahead = np.column_stack([a_left - b_left, a_right - b_right]).ravel()
    return np.repeat(x, 2)[1:-1], ahead


def _ends_of_pieces(c: Curve, x: Floats) -> tuple[Floats, Floats]:
    """Return y just right of the start and just left of the end of each piece: a curve may jump."""
    after = np.interp(x, c.x, c.y)
    before = np.interp(-x, -c.x[::-1], c.y[::-1])
    return after[:-1], before[1:]


def _all_breaks(curves: Sequence[Curve]) -> Floats:
    low, high = max(c.x[0] for c in curves), min(c.x[-1] for c in curves)
    x = np.unique(np.concatenate([c.x for c in curves]))
    return x[(x >= low) & (x <= high)]


def _lines(curves: Curves | Sequence[Curve], better: str) -> list[Curve]:
    listed = list(getattr(curves, "curves", curves))
    require("better", better, one_of("above", "below"))
    names = {c.name.partition("(")[0] for c in listed}
    if len(names) > 1 or any(c.drawn != "line" for c in listed):
        raise ParameterError(
            f"Only curves of the same kind, made of lines, can be compared with each other; got {', '.join(sorted(names))}."
        )
    return listed
