"""The ROC surface of three classes: how many of each can be labelled rightly at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from credibly._core.arrays import Floats, evenly
from credibly._core.doors import door
from credibly._core.parameters import require, whole
from credibly._core.text import number_text
from credibly.curves.surfaces import Volume, ordered_volume, probability_volume
from credibly.errors import DataError
from credibly.predictions import Predictions
from credibly.results.formats import by_row
from credibly.results.result import Cells, Result

MAX_CASES = 3000  # of a class, to try weights on
MAX_CHEAP_TRIPLES = 1e8  # triples, whose volume is worked out along with the surface
SURFACE_LEVELS = (0.0, 0.25, 0.5, 0.75, 0.9)


class RocSurface(Result):
    """Shares of three classes that are labelled rightly (columns) by each of many rules (rows).

    A rule is a pair of cut points of one score, or of weights of the probabilities. Guessing gives
    shares that sum to 1; the volume below the surface is how often three cases are distinguished.
    """

    rates: Floats
    classes: tuple[Any, ...]
    kind: str
    volume: Volume | None

    json_keys = "classes kind volume points=rows"

    @property
    def heading(self) -> str:
        """Say what it is."""
        rules = "pairs of cut points" if self.kind == "ordered" else "pairs of weights"
        under = "" if self.volume is None else f", volume {number_text(self.volume.value)}"
        return f"ROC surface of {', '.join(map(str, self.classes))}: {len(self.rates):,} {rules}{under}"

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary for each rule: the share of each class that it labels rightly."""
        return by_row({str(c): self.rates[:, i] for i, c in enumerate(self.classes)})

    def level(self, share: float) -> tuple[Floats, Floats]:
        """Return the edge of what is possible for the first and the third class, the second kept.

        Of the rules that label at least this ``share`` of the second class rightly, those that none
        beats in the first and in the third: rising shares of the first, falling ones of the third.
        """
        kept = self.rates[self.rates[:, 1] >= share - 1e-12]
        order = np.lexsort((kept[:, 2], kept[:, 0]))[::-1]  # the best of the first class in front
        first, third = kept[order, 0], kept[order, 2]
        best = np.maximum.accumulate(third)
        new = np.concatenate([[True], best[1:] > best[:-1]]) if len(kept) else np.empty(0, bool)
        return first[new][::-1], third[new][::-1]

    def cells(self) -> Cells:
        """Return the best of the first and third class together, for some shares of the second."""
        a, b, c = map(str, self.classes)
        body = []
        for share in SURFACE_LEVELS:
            first, third = self.level(share)
            if first.size:
                best = int((first + third).argmax())
                numbers = (share, float(first[best]), float(third[best]))
                body.append([number_text(v) for v in numbers])
        return [f"{b} right, at least", f"{a} right", f"{c} right"], body


@door
def ordered_surface(
    y_true: ArrayLike, score: ArrayLike, *, order: Sequence[Any], points: int = 60
) -> RocSurface:
    """Return the ROC surface of one score that grows from the first class to the third.

    Scores up to a first cut point are labelled with the first class, those above a second one with the
    third, those between with the second.

    Parameters
    ----------
    y_true
        The class of each case.
    score
        One number for each case.
    order
        The three classes, from that of small scores to that of large ones.
    points
        How many cut points to try, each with each; all of them if the scores have fewer distinct values.

    >>> from credibly.curves import ordered_surface
    >>> surface = ordered_surface(list("aabbcc"), [1, 3, 2, 4, 3, 5], order="abc")
    >>> [side.tolist() for side in surface.level(0.5)]
    [[0.5, 1.0], [1.0, 0.5]]
    """
    require("points", points, whole(2))
    volume = ordered_volume(y_true, score, order=order)
    truth, values = np.asarray(y_true), np.asarray(score, np.float64)
    cuts = np.concatenate([[-np.inf], _spread(values, points)])
    below = [np.searchsorted(np.sort(values[truth == c]), cuts, "right") for c in order]
    share = [counts / counts[-1] for counts in below]
    i, j = np.triu_indices(cuts.size)
    rates = np.column_stack([share[0][i], share[1][j] - share[1][i], 1 - share[2][j]])
    return RocSurface(np.unique(rates, axis=0), tuple(order), "ordered", volume)


@door
def probability_surface(predictions: Predictions, *, points: int = 60) -> RocSurface:
    """Return the ROC surface of probabilities of three classes.

    A case is labelled with the class whose probability times a weight is largest; every pair of weights
    is a point of the surface.

    Parameters
    ----------
    predictions
        Probabilities of three classes.
    points
        How many weights to try for the first and for the third class, each with each.

    >>> from credibly import Predictions
    >>> from credibly.curves import probability_surface
    >>> p = Predictions.of(list("abc"), probability=[[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.3, 0.3, 0.4]])
    >>> probability_surface(p).rates.max(axis=0).tolist(), probability_surface(p).volume.value
    ([1.0, 1.0, 1.0], 1.0)
    """
    require("points", points, whole(2))
    p = predictions.known().scored()
    if len(p.classes) != 3:
        raise DataError(
            f"A ROC surface needs three classes; these predictions have {len(p.classes)}."
        )
    matrix = p.probability_matrix("probability_surface")
    if p.weight is not None:
        raise DataError("A ROC surface does not take weights.")
    sizes = np.bincount(p.truth, minlength=3).astype(float)
    volume = probability_volume(p) if sizes.prod() <= MAX_CHEAP_TRIPLES else None
    if not sizes.all():
        raise DataError("A ROC surface needs cases of all three classes.")
    sides = (matrix[p.truth == c] for c in range(3))
    logs = [np.log(np.maximum(m[evenly(len(m), MAX_CASES)], 1e-300)) for m in sides]
    every = np.concatenate(logs)
    # What must be added to the first, or to the third, for it to overtake the second.
    first, third = (_spread(every[:, 1] - every[:, c], points - 1) for c in (0, 2))
    third = np.concatenate([[-np.inf], third, [np.inf]])
    rates = np.concatenate([_shares(logs, u, third) for u in (-np.inf, *first, np.inf)])
    return RocSurface(np.unique(rates, axis=0), p.classes, "probabilities", volume)


def _shares(logs: Sequence[Floats], first: float, third: Floats) -> Floats:
    """Return the share of each class (column) that wins at each weight of the third; of equals the later."""
    shares = []
    for c, side in enumerate(logs):
        one, two, three = side[:, 0] + first, side[:, 1], side[:, 2] + third[:, None]
        wins = (
            (one > two) & (one > three),
            (two >= one) & (two > three),
            (three >= one) & (three >= two),
        )[c]
        shares.append(wins.mean(axis=1))
    return np.column_stack(shares)


def _spread(values: Floats, points: int) -> Floats:
    """Return the distinct values, or so many of them that share out the cases evenly."""
    distinct = np.unique(values)
    if distinct.size <= points:
        return distinct
    return np.unique(np.quantile(values, np.linspace(0, 1, points), method="inverted_cdf"))
