"""A measure in all slices of one model: what holds together of each, and the largest gap between two."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly._core.grouping import grouped
from credibly._core.text import lower_first
from credibly.comparisons.multiplicity import Simultaneous
from credibly.errors import MAX_LISTED, ParameterError, listed
from credibly.gaps.findings import NO_GAP_INTERVAL, SMALL_SLICES
from credibly.gaps.result import GapEstimate, SliceContrast, SliceEstimate, slice_name
from credibly.gaps.sides import Contrast, SharedReplicates, Side
from credibly.intervals._declare import EstimateRequest
from credibly.predictions import Predictions
from credibly.results.estimate import SIGNS
from credibly.results.interval import Interval

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.gaps.cuts import Cut
    from credibly.measures import Measure

MAX_SEARCHED_SLICES = 10  # slices that a search shows


@dataclass(frozen=True, slots=True, eq=False)
class Sliced:
    """A measure on all slices of one model, and on the rest beside each."""

    measure: Measure
    model: str | None
    cuts: Sequence[Cut]
    sides: Sequence[Side]
    rests: Sequence[Side]
    overall: float
    why: Sequence[str]  # a slice cannot be judged; nothing of one that can

    @property
    def judged(self) -> list[int]:
        """The places of the slices that can be judged."""
        return [i for i, why in enumerate(self.why) if not why]

    @property
    def pairs(self) -> list[Pair]:
        """Every two slices that can be judged."""
        return [
            Pair(self, i, j, Contrast(self.sides[i], self.sides[j]))
            for i, j in combinations(self.judged, 2)
        ]

    def name(self, i: int) -> str:
        """Return what a slice is called."""
        return slice_name(self.cuts[i].keys)


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two slices by one measure."""

    of: Sliced
    first: int
    second: int
    contrast: Contrast


class Family(Simultaneous):
    """Contrasts that hold simultaneously."""

    @classmethod
    def of(
        cls, contrasts: Sequence[Side | Contrast], shared: SharedReplicates, level: float
    ) -> Family:
        """Draw the smallest p-value of all contrasts under chance."""
        return cls(shared.smallest_pvalues(contrasts), level)

    def interval(self, side: Side) -> Interval | str:
        """Return the interval of a value, or the reason for having none."""
        made = side.limits(self.tail)
        if isinstance(made, str):
            return made
        return replace(made, confidence_level=self.level, method=f"{made.method}, max-T")

    def limits(self, c: Contrast, ends: tuple[float, float] | None) -> Interval | None:
        """Return limits of a difference or ratio as an interval."""
        made = c.first.limits(self.tail)
        if ends is None or isinstance(made, str):
            return None
        how = made.method_name
        return Interval(*ends, self.level, f"{how} of both sides (MOVER), max-T", made.about)

    def told(self, c: Contrast, to: str) -> SliceContrast:
        """Return a contrast with its limits and p-values."""
        pvalue, tail = c.pvalue(), self.tail
        return SliceContrast(
            to,
            c.second.value,
            c.difference,
            self.limits(c, c.limits(tail)),
            c.ratio,
            self.limits(c, c.ratio_limits(tail)),
            pvalue,
            self.adjusted(pvalue),
        )


def sliced(
    m: Measure,
    average: Average | None,
    p: Predictions,
    model: str | None,
    cuts: Sequence[Cut],
    shared: SharedReplicates,
    at_least: int,
) -> Sliced:
    """Compute a measure on each slice and on the rest of the cases, which of two slices is the other."""
    used = np.ones(p.n, bool) if m.takes == "label" else ~p.gaps
    known: dict[bytes, Side] = {}

    def side_of(rows: NDArray[np.intp]) -> Side:
        key = rows.tobytes()
        if key not in known:
            known[key] = shared.side(
                EstimateRequest(m, m.view(p.take(rows), average), average), rows
            )
        return known[key]

    sides, rests, why = [], [], []
    for cut in cuts:
        inside = np.zeros(p.n, bool)
        inside[cut.rows] = True
        both = [side_of(np.flatnonzero(of & used)) for of in (inside, ~inside)]
        sides.append(both[0])
        rests.append(both[1])
        why.append(next((w for side in both if (w := side.too_small(at_least))), ""))
    overall = m.on(p.take(used), average)
    return Sliced(m, model, cuts, sides, rests, overall, why)


def estimates(
    t: Sliced, shared: SharedReplicates, level: float, *, search: bool
) -> Iterator[SliceEstimate]:
    """Return the estimate of each slice, beside the rest and the best; of a search only the worst slices."""
    own = [Contrast(t.sides[i], t.rests[i]) for i in t.judged]
    rest = Family.of(own, shared, level)
    of_values = Family.of([t.sides[i] for i in t.judged], shared, level)
    best, paired = _best(t, shared, level) if not search else (None, rest)
    for i in _worst(t, own) if search else range(len(t.cuts)):
        side, judged = t.sides[i], not t.why[i]
        made = of_values.interval(side) if judged else t.why[i]
        contrast = rest.told(Contrast(side, t.rests[i]), "rest") if judged else None
        other = (
            paired.told(Contrast(side, t.sides[best]), t.name(best))
            if judged and best is not None and i != best
            else None
        )
        yield SliceEstimate(
            t.measure.call,
            t.measure.title,
            t.measure.direction,
            t.cuts[i].keys,
            t.model,
            side.n,
            side.value,
            t.overall,
            None if isinstance(made, str) else made,
            made if isinstance(made, str) else "",
            contrast,
            other,
        )


def _best(t: Sliced, shared: SharedReplicates, level: float) -> tuple[int | None, Family]:
    """Return the best slice, the highest where no end is better, and what holds for all pairs of slices."""
    family = Family.of([q.contrast for q in t.pairs], shared, level)
    sign = SIGNS.get(t.measure.direction, 1)
    return max(t.judged, key=lambda i: sign * t.sides[i].value, default=None), family


def _worst(t: Sliced, own: Sequence[Contrast]) -> list[int]:
    """Return the slices that are worse than the rest by the most standard errors."""
    sign = SIGNS.get(t.measure.direction)
    if sign is None:
        raise ParameterError(
            f"It is not known whether a higher or a lower {lower_first(t.measure.title)} is better, so no slice is the worst."
        )
    far = {i: -sign * c.errors_apart for i, c in zip(t.judged, own, strict=True)}
    order = sorted((i for i in far if far[i] > 0), key=lambda i: -far[i])
    return order[:MAX_SEARCHED_SLICES]


def gap_between(
    name: str,
    title: str,
    model: str | None,
    pairs: Sequence[Pair],
    shared: SharedReplicates,
    level: float,
) -> GapEstimate:
    """Return the largest difference and the smallest ratio between any two slices, with their limits.

    What holds for all pairs together holds for the pair that is the farthest apart.
    """
    family = Family.of([q.contrast for q in pairs], shared, level)
    widest = max(pairs, key=lambda q: abs(q.contrast.difference))
    falls = widest.contrast.difference >= 0
    high, low = (widest.first, widest.second) if falls else (widest.second, widest.first)
    c = widest.contrast if falls else widest.contrast.swapped
    ends = [q.contrast.limits(family.tail) for q in pairs]
    known = [e for e in ends if e is not None]
    limits, pvalue = None, math.nan
    if len(known) == len(ends):
        limits = max(0.0, *(max(e[0], -e[1]) for e in known)), max(max(e[1], -e[0]) for e in known)
        firmest = max(zip(pairs, known, strict=True), key=lambda each: _firmness(*each))[0]
        pvalue = family.adjusted(firmest.contrast.pvalue())
    ratios = [q.contrast if q.contrast.difference <= 0 else q.contrast.swapped for q in pairs]
    told = [r for r in ratios if not math.isnan(r.ratio)]  # not those of two values of 0
    nearest = min(told, key=lambda r: r.ratio, default=None)
    return GapEstimate(
        name,
        title,
        widest.of.measure.call,
        model,
        widest.of.name(high),
        widest.of.name(low),
        c.difference,
        family.limits(c, c.limits(family.tail)),
        family.limits(c, limits),
        nearest.ratio if nearest else math.nan,
        family.limits(nearest, nearest.ratio_limits(family.tail)) if nearest else None,
        pvalue,
    )


def _firmness(pair: Pair, ends: tuple[float, float]) -> float:
    """Return a difference as a multiple of its distance to the limit on the side of no difference."""
    d = pair.contrast.difference
    way = d - ends[0] if d > 0 else ends[1] - d
    return abs(d) / way if way > 0 else 0.0


def doubts(t: Sliced, *, search: bool) -> Iterator[Finding]:
    """Return findings about slices that cannot be judged, or have no interval."""
    small = ((why, f"{t.name(i)} ({t.sides[i].n:,.10g})") for i, why in enumerate(t.why) if why)
    for why, names in grouped(small).items():
        yield SMALL_SLICES(slices=listed(names, most=MAX_LISTED), why=f"{why}.")
    if search:
        return
    blank = {t.name(i): w for i in t.judged if isinstance(w := t.sides[i].limits(0.025), str)}
    if blank:
        told = {"title": t.measure.title, "slices": listed(blank, most=MAX_LISTED)}
        yield NO_GAP_INTERVAL(**told, why=next(iter(blank.values())))
