"""The verb `slices`: measures in slices of the cases, the gaps between them, and a search for the worst ones."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from credibly._core.doors import check_confidence, door
from credibly._core.findings import Finding
from credibly._core.parameters import SWITCH, require, whole
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly._core.sought import sought
from credibly._core.text import lower_first
from credibly._core.words import count, several
from credibly.comparisons.given_models import (
    counted_rows,
    having_output,
    measure_of,
    models_by_name,
)
from credibly.errors import CrediblyError, DataError, ParameterError, listed, says
from credibly.gaps._declare import gaps
from credibly.gaps.cuts import Cut, candidates, cuts_by, in_ranges, not_searched
from credibly.gaps.findings import NO_GAP_INTERVAL, NOT_SEARCHED, SEARCHED, SMALL_SLICES
from credibly.gaps.result import GapEstimate, SliceContrast, SliceEstimate, Slices, slice_name
from credibly.gaps.sides import Contrast, SharedReplicates, Side
from credibly.intervals._declare import EstimateRequest
from credibly.intervals.simultaneous import adjusted_pvalue, tail_for
from credibly.measures import Measure
from credibly.measures._declare import Average
from credibly.predictions import Predictions
from credibly.predictions.case_columns import NONE
from credibly.predictions.findings import UNSEEDED
from credibly.predictions.slices import CLASSES, asked_slices
from credibly.predictions.unused_columns import unused_but
from credibly.results.interval import Interval
from credibly.results.table import SIGNS

MOST_COMPARED = 200  # slices of which all pairs are compared
WORST = 10  # slices that a search shows
NAMED = 8  # small slices that a finding names
RANGES = 4  # of numbers
MOST_ROWS = 20_000_000  # of all slices together, that are looked at in passing


@dataclass(frozen=True, slots=True, eq=False)
class _Sliced:
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
    def pairs(self) -> list[_Pair]:
        """Every two slices that can be judged."""
        return [
            _Pair(self, i, j, Contrast(self.sides[i], self.sides[j]))
            for i, j in combinations(self.judged, 2)
        ]

    def name(self, i: int) -> str:
        """Return what a slice is called."""
        return slice_name(self.cuts[i].keys)


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Two slices by one measure."""

    of: _Sliced
    first: int
    second: int
    contrast: Contrast


@dataclass(frozen=True, slots=True, eq=False)
class _Family:
    """Contrasts that hold together: what the smallest of their p-values is by chance."""

    level: float
    smallest: np.ndarray

    @property
    def tail(self) -> float:
        """What may lie beyond each limit."""
        return tail_for(self.smallest, self.level)

    def interval(self, side: Side) -> Interval | str:
        """Return the interval of a value, or why there is none."""
        made = side.limits(self.tail)
        if isinstance(made, str):
            return made
        return replace(made, confidence_level=self.level, method=f"{made.method}, max-T")

    def limits(self, c: Contrast, ends: tuple[float, float] | None) -> Interval | None:
        """Return limits of a difference or ratio as an interval."""
        made = c.first.limits(self.tail)
        if ends is None or isinstance(made, str):
            return None
        how = made.method.partition(",")[0]
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
            adjusted_pvalue(pvalue, self.smallest),
        )


@door
@sought(
    {
        "fairness, MetricFrame, metric_frame, demographic_parity_difference, equalized_odds_difference": (
            "slices(p, 'equalized_odds', by='sex')"
        ),
        "slice_finder, subgroups, worst_slices": "slices(p, search=True)",
    }
)
def slices(
    predictions: Predictions | Mapping[str, Predictions],
    measures: str | Measure | Iterable[str | Measure] | None = None,
    by: str | Sequence[str] | None = None,
    *,
    search: bool = False,
    ways: int = 2,
    ranges: int = RANGES,
    at_least: int = 10,
    average: Average | None = None,
    confidence_level: float = 0.95,
    replicates: int = 5000,
    rng: int | np.random.Generator | None = None,
) -> Slices:
    """Compare slices of the cases: each with the rest and with the best, and the largest gaps between them.

    A slice is judged by the same formula, interval and influence values as all cases are. Intervals hold for all
    slices together, and groups of cases are kept whole.

    Parameters
    ----------
    predictions
        Predictions with columns to slice by, of one model or of several, which are never mixed.
    measures
        Measures, or gaps from ``credibly list gaps`` such as ``"equalized_odds"``; as for
        :func:`credibly.compare` by default.
    by
        A column, or several that are crossed; for a search the columns to search in, all by default.
    search
        Search for the slices that are worst against the rest, and allow for having searched.
    ways
        How many columns a slice of a search is made of at most.
    ranges
        How many ranges of equal numbers of cases a search cuts a column of numbers into.
    at_least
        How many cases or groups of cases a slice needs to be judged.
    average
        How measures of one class are averaged over all classes.
    confidence_level
        How often all intervals of a kind should hold together.
    replicates
        How many replicates say what chance does to all slices.
    rng
        Seed of the replicates; a fixed one by default.

    >>> sex, label = ["f", "m"] * 100, [1, 1, 0, 1, 1, 0, 0, 0] * 25
    >>> p = Predictions.of([1, 0, 0, 1] * 50, label=label, columns={"sex": sex})
    >>> found = slices(p, ["error_rate", "equalized_odds"], by="sex")
    >>> [(e.name, e.value) for e in found.estimates[:2]]
    [('sex=f', 0.25), ('sex=m', 0.75)]
    >>> found["equalized_odds"].difference
    0.5
    """
    check_confidence(confidence_level)
    for name, value, least in (("ways", ways, 1), ("ranges", ranges, 2), ("at_least", at_least, 2)):
        require(name, value, whole(least))
    require("replicates", replicates, whole(20))
    require("search", search, SWITCH)
    models = models_by_name(predictions, "slices")
    asked = _asked(measures, average, models)
    columns = _columns(next(iter(models.values())), by, search=search)
    seed = FIXED_SEED if rng is None else seed_of(rng)
    said: list[Finding] = [] if rng is not None else [UNSEEDED(what="the replicates", seed=seed)]
    estimates, found = list[SliceEstimate](), list[GapEstimate]()
    tried = None
    for name, given in models.items():
        p = counted_rows(given)
        cuts = candidates(p, columns, ways, ranges) if search else cuts_by(p, columns)
        if len(cuts) < 2 or (len(cuts) > MOST_COMPARED and not search):
            raise DataError(
                f"{listed(columns)} {'cut' if len(columns) > 1 else 'cuts'} the cases into {count(len(cuts), 'slice')}; 2 to {MOST_COMPARED} can be compared.",
                remedy=says(
                    "Choose other columns with <by=...>, or set <search=True> to find the worst slices."
                ),
            )
        p = replace(p, columns=NONE, group=None if "group" in columns else p.group, cache={})
        shared = SharedReplicates(p, seed, replicates)
        model = name if len(models) > 1 else None
        tables = {
            m.call: _sliced(m, a, p, model, cuts, shared, at_least) for m, a in asked.measures
        }
        said += [f for t in tables.values() for f in _doubts(t, search=search)]
        for t in tables.values():
            estimates += _estimates(t, shared, confidence_level, search=search)
        tried = max(tried or 0, *(len(t.judged) for t in tables.values())) if search else None
        for kind, title, calls in () if search else asked.gaps:
            parts = [tables[c] for c in calls]
            made = _gap(
                kind, title, model, [q for t in parts for q in t.pairs], shared, confidence_level
            )
            found += [] if made is None else [made]
    read = unused_but([f for q in models.values() for f in q.findings], columns)
    if search:
        said += _searched(next(iter(models.values())), columns, tried or 0)
    n = float(next(iter(models.values())).known().cases)
    findings = tuple(dict.fromkeys((*read, *said)))
    return Slices(
        tuple(columns), float(confidence_level), n, tuple(estimates), tuple(found), tried, findings
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """The measures, and the gaps with the measures that each is made of."""

    measures: tuple[tuple[Measure, Average | None], ...]
    gaps: tuple[tuple[str, str, tuple[str, ...]], ...]


def _asked(
    given: str | Measure | Iterable[str | Measure] | None,
    average: Average | None,
    models: dict[str, Predictions],
) -> _Asked:
    """Read names of measures and of gaps."""
    names: list[str | Measure | None]
    if given is None or isinstance(given, str | Measure):
        names = [given]
    else:
        names = several(given, "measures", "names of measures and gaps")
    chosen: dict[str, tuple[Measure, Average | None]] = {}
    of_gaps = []
    for name in names:
        kind = gaps[name] if isinstance(name, str) and name in gaps else None
        own = []
        for each in (name,) if kind is None else kind():
            m, a = measure_of(each, average, models)
            having_output(models, m, a)
            chosen.setdefault(m.call, (m, a))
            own.append(m)
        told = (own[0].call, own[0].title) if kind is None else (kind.name, kind.title)
        of_gaps.append((*told, tuple(m.call for m in own)))
    return _Asked(tuple(chosen.values()), tuple(of_gaps))


def _columns(p: Predictions, by: str | Sequence[str] | None, *, search: bool) -> list[str]:
    """Return the columns to slice by."""
    if by is None and not search:
        raise ParameterError(
            "No column to slice by is named.",
            remedy=says(
                "Set <by=...> to one or several, or <search=True> to search in all of them."
            ),
        )
    if search:
        columns = list(p.columns.free) if by is None else [by] if isinstance(by, str) else list(by)
        unknown = [c for c in columns if c not in p.columns]
        if unknown or not columns:
            raise ParameterError(
                f"There is no column {listed(unknown)} beside the predictions." if unknown
                else "There is no column beside the predictions to search in.",
                asked=unknown[0] if unknown else "",
                choices=tuple(p.columns),
                remedy="Give the predictions columns, such as columns={'site': ...}.",
            )  # fmt: skip
        return columns
    columns = asked_slices(p, by)
    if refused := [c for c in columns if c in CLASSES or c == "model"]:
        raise ParameterError(
            says("<by={it}> does not cut the cases into slices.", it=refused[0]),
            remedy="Models are sliced one by one; evaluate shows classes.",
        )
    return columns


def _sliced(
    m: Measure,
    average: Average | None,
    p: Predictions,
    model: str | None,
    cuts: Sequence[Cut],
    shared: SharedReplicates,
    at_least: int,
) -> _Sliced:
    """Compute a measure on each slice and on the rest of the cases."""
    used = np.ones(p.n, bool) if m.takes == "label" else ~p.gaps
    sides, rests, why = [], [], []
    for cut in cuts:
        inside = np.zeros(p.n, bool)
        inside[cut.rows] = True
        both = [
            shared.side(EstimateRequest(m, m.view(p.take(rows), average), average), rows)
            for rows in (np.flatnonzero(inside & used), np.flatnonzero(~inside & used))
        ]
        sides.append(both[0])
        rests.append(both[1])
        why.append(next((w for side in both if (w := side.too_small(at_least))), ""))
    overall = m.on(p.take(used), average)
    return _Sliced(m, model, cuts, sides, rests, overall, why)


def _estimates(
    t: _Sliced, shared: SharedReplicates, level: float, *, search: bool
) -> Iterator[SliceEstimate]:
    """Tell each slice beside the rest and the best; of a search the worst."""
    own = [Contrast(t.sides[i], t.rests[i]) for i in t.judged]
    rest = _Family(level, shared.smallest_pvalues(own))
    of_values = _Family(level, shared.smallest_pvalues([t.sides[i] for i in t.judged]))
    best, paired = _best(t, shared, level) if not search else (None, rest)
    for i in _worst(t, own) if search else range(len(t.cuts)):
        side, judged = t.sides[i], not t.why[i]
        made = of_values.interval(side) if judged else t.why[i]
        told = rest.told(Contrast(side, t.rests[i]), "rest") if judged else None
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
            told,
            other,
        )


def _best(t: _Sliced, shared: SharedReplicates, level: float) -> tuple[int | None, _Family]:
    """Return the best slice, the highest where no end is better, and what holds for all pairs of slices."""
    family = _Family(level, shared.smallest_pvalues([q.contrast for q in t.pairs]))
    sign = SIGNS.get(t.measure.direction, 1)
    return max(t.judged, key=lambda i: sign * t.sides[i].value, default=None), family


def _worst(t: _Sliced, own: Sequence[Contrast]) -> list[int]:
    """Return the slices that are worse than the rest by the most standard errors."""
    sign = SIGNS.get(t.measure.direction)
    if sign is None:
        raise ParameterError(
            f"It is not known whether a higher or a lower {lower_first(t.measure.title)} is better, so no slice is the worst."
        )
    far = {i: -sign * c.errors_apart for i, c in zip(t.judged, own, strict=True)}
    order = sorted((i for i in far if far[i] > 0), key=lambda i: -far[i])
    return order[:WORST]


def _gap(
    name: str,
    title: str,
    model: str | None,
    pairs: Sequence[_Pair],
    shared: SharedReplicates,
    level: float,
) -> GapEstimate | None:
    """Return the largest difference and the smallest ratio between any two slices.

    What holds for all pairs together holds for the pair that is the farthest apart.
    """
    if not pairs:
        return None
    family = _Family(level, shared.smallest_pvalues([q.contrast for q in pairs]))
    widest = max(pairs, key=lambda q: abs(q.contrast.difference))
    c, places = widest.contrast, (widest.first, widest.second)
    high, low = places if c.difference >= 0 else places[::-1]
    ends = [q.contrast.limits(family.tail) for q in pairs]
    known = [e for e in ends if e is not None]
    limits, pvalue = None, math.nan
    if len(known) == len(ends):
        limits = max(0.0, *(max(e[0], -e[1]) for e in known)), max(max(e[1], -e[0]) for e in known)
        firmest = max(zip(pairs, known, strict=True), key=lambda each: _firmness(*each))[0]
        pvalue = adjusted_pvalue(firmest.contrast.pvalue(), family.smallest)
    ratio, of_ratio = _ratio(pairs, family.tail)
    return GapEstimate(
        name,
        title,
        widest.of.measure.call,
        model,
        widest.of.name(high),
        widest.of.name(low),
        abs(c.difference),
        family.limits(c, limits),
        ratio,
        family.limits(c, of_ratio),
        pvalue,
    )


def _firmness(pair: _Pair, ends: tuple[float, float]) -> float:
    """Return how far a difference reaches, as a multiple of the way to its limit on the side of no difference."""
    d = pair.contrast.difference
    way = d - ends[0] if d > 0 else ends[1] - d
    return abs(d) / way if way > 0 else 0.0


def _ratio(pairs: Sequence[_Pair], tail: float) -> tuple[float, tuple[float, float] | None]:
    """Return the smallest ratio of two slices, and limits of it, where no value can be negative."""
    ordered = (q.contrast if q.contrast.difference <= 0 else q.contrast.swapped for q in pairs)
    told = [c for c in ordered if not math.isnan(c.ratio)]  # not those of two values of 0
    if not told:
        return math.nan, None
    known = [ends for c in told if (ends := c.ratio_limits(tail)) is not None]
    value = min(c.ratio for c in told)
    if len(known) < len(told):
        return value, None
    # Of the larger over the smaller as well: which of two is larger is not known.
    low = min(min(a, 1 / b) for a, b in known)
    return value, (low, min(1.0, *(min(b, 1 / a if a > 0 else b) for a, b in known)))


def _doubts(t: _Sliced, *, search: bool) -> Iterator[Finding]:
    """Say which slices cannot be judged, and which have no interval."""
    by_why: dict[str, list[str]] = {}
    for i, why in enumerate(t.why):
        if why:
            by_why.setdefault(why, []).append(f"{t.name(i)} ({t.sides[i].n:,.10g})")
    for why, names in by_why.items():
        more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
        yield SMALL_SLICES(slices=listed([*names[:NAMED], *more]), why=f"{why}.")
    if search:
        return
    blank = {t.name(i): w for i in t.judged if isinstance(w := t.sides[i].limits(0.025), str)}
    if blank:
        told = {"title": t.measure.title, "slices": listed([*blank][:NAMED])}
        yield NO_GAP_INTERVAL(**told, why=next(iter(blank.values())))


def _searched(p: Predictions, columns: Sequence[str], tried: int) -> Iterator[Finding]:
    """Say how much was searched, and what was not."""
    left = list(not_searched(p, columns))
    if left:
        yield NOT_SEARCHED(columns=listed(left))
    yield SEARCHED(candidates=tried, columns=listed([c for c in columns if c not in left]))


def affordable_slices(
    p: Predictions, measure: str | Measure | None, confidence_level: float = 0.95
) -> Slices | None:
    """Search by each column of its own for a value that is shown in passing; nothing where it cannot be.

    >>> affordable_slices(Predictions.of([1, 0], [1, 1]), "error_rate") is None
    True
    """
    found = {c: f for c in p.columns.free if (f := in_ranges(p.columns[c], RANGES)) is not None}
    values = sum(len(f.values) for f in found.values())
    if not values or values * p.n > MOST_ROWS:
        return None
    try:
        made = slices(p, measure, [*found], search=True, ways=1, confidence_level=confidence_level)
    except CrediblyError:  # too few cases, no better end: nobody asked for it
        return None
    return made if made.searched else None
