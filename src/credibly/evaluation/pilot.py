"""How many cases a study needs, from predictions already made: a pilot shows how much a measure varies."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.averages import Average
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.parameters import above, between, require
from credibly._core.text import count, lower_first, number_text, percent
from credibly.errors import DataError
from credibly.evaluation._declare import folds
from credibly.evaluation.evaluate import evaluate
from credibly.evaluation.findings import SMALL_PILOT
from credibly.evaluation.fold_estimators import headline_estimate
from credibly.intervals._declare import EstimateRequest, RefusalError
from credibly.intervals.generalization import Moves, moves_of, widened
from credibly.intervals.influence import influence
from credibly.intervals.long_run import MIN_COSINES
from credibly.intervals.proportions import wilson
from credibly.intervals.quantiles import chi_square_quantile, two_sided
from credibly.intervals.sample_size import smallest
from credibly.intervals.standard_errors import RangeScale, grows, wilson_form
from credibly.intervals.widening import widening
from credibly.measures import Measure, measures
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions, refuse_several_models
from credibly.predictions.labels import distinct
from credibly.predictions.parts import cluster_count, size_ratio, time_steps
from credibly.results.estimate import Estimate
from credibly.results.interval import Interval
from credibly.results.result import Result

MIN_END_DISTANCE = 1e-12  # to an end of the range, for an interval that reaches it
# Degrees of freedom below which a variance is known to within a quarter at best.
MIN_DEGREES_OF_FREEDOM = 30
REMEDIES = {
    "cases": "more cases",
    "training sets": "more cases",
    "cases and training sets": "more cases",
    "splits": "more repeats or more cases",
}


class PilotPlan(Result, eq=True):
    """How many cases narrow an interval to a width, judged by a pilot.

    ``n`` counts what is independent (``unit``: a case, a group or a moment in time), of which the pilot had
    ``pilot_n``; ``assured_n`` are enough with the probability ``assurance``, although the pilot may have
    shown too little variation. ``cases`` is how many cases these ``n`` are. ``parts`` says what the variance is made of.
    After a resampling, ``width_with_endless_repeats`` and ``width_with_endless_folds`` are what the same
    cases leave, and ``repeats`` is the number of repeats that would do, if any would.

    >>> import numpy as np
    >>> from credibly import Predictions, sample_size
    >>> rng = np.random.default_rng(1)
    >>> y = rng.integers(0, 2, 200)
    >>> plan = sample_size(Predictions.of(y, score=rng.normal(y, 1)), "auc", width=0.05)
    >>> plan.pilot_n, plan.n, plan.assured_n
    (200, 1372, 1570)
    """

    json_keys = (
        "measure title value width n assured_n assurance unit cases pilot_n pilot_width "
        "confidence_level method parts [repeats] [width_with_endless_repeats] "
        "[width_with_endless_folds] sizes widths findings"
    )
    row_keys = (
        "n assured_n cases pilot_n pilot_width [repeats] [width_with_endless_repeats] "
        "[width_with_endless_folds] method"
    )

    measure: str
    title: str
    value: float
    width: float
    n: int
    assured_n: int
    assurance: float
    unit: str
    cases: float
    pilot_n: int
    interval: Interval
    parts: Mapping[str, float]
    sizes: Floats
    widths: Floats
    repeats: int | None = None
    width_with_endless_repeats: float | None = None
    width_with_endless_folds: float | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def pilot_width(self) -> float:
        """How wide the interval of the pilot is."""
        return self.interval.high - self.interval.low

    @property
    def confidence_level(self) -> float:
        """The level of the interval."""
        return self.interval.confidence_level

    @property
    def method(self) -> str:
        """How the interval of the pilot was made."""
        return self.interval.method

    def heading(self) -> str:
        """Say how many are needed."""
        level = f"{percent(self.confidence_level)} interval"
        return (
            f"{count(self.n, self.unit)} bring the {level} of "
            f"{lower_first(self.title)} to a width of {self.width:g}"
        )

    def remarks(self) -> Iterator[str]:
        """Say what the variance is made of, and what more repeats cannot bring."""
        told = ", ".join(f"{name} {100 * share:.3g} %" for name, share in self.parts.items())
        if len(self.parts) > 1:
            lowered = "; ".join(f"{name}: {REMEDIES[name]}" for name in self.parts)
            yield f"Variance: {told}. It is lowered by ({lowered})."
        if self.width_with_endless_repeats is not None:
            least = number_text(self.width_with_endless_repeats)
            yield f"More repeats of the same cases cannot bring the width below {least}."
        if self.repeats is not None:
            yield f"{count(self.repeats, 'repeat')} of the same cases would do."
        if self.width_with_endless_folds is not None:
            least = number_text(self.width_with_endless_folds)
            yield f"More folds of the same cases cannot bring it below {least}."


@door
def sample_size(
    predictions: Predictions,
    measure: str | Measure,
    width: float,
    *,
    average: Average | None = None,
    confidence_level: float = 0.95,
    assurance: float = 0.9,
) -> PilotPlan:
    """Return how many cases bring the interval of a measure to a width, by predictions already made.

    The variance per case (or group, or moment in time) is taken from the interval that
    :func:`credibly.evaluate` gives, and the limits are made again for other numbers of them. After a
    resampling the variance is taken apart: more repeats lower what the splits add, and nothing else.

    Parameters
    ----------
    predictions
        The predictions of one model, or of one scheme in a resampling: the pilot.
    measure
        A measure, such as ``"auc"``.
    width
        How wide the interval should be, from its lower to its upper limit.
    average
        How a measure of one class is averaged over all classes.
    confidence_level
        Confidence level of the interval.
    assurance
        How likely ``assured_n`` is to be enough, although a pilot shows by chance too much or too little variation.

    >>> from credibly import Predictions
    >>> p = Predictions.of([1, 0] * 50, label=[1, 0] * 40 + [0, 1] * 10)
    >>> print(sample_size(p, "accuracy", width=0.1))
    245 cases bring the 95 % interval of accuracy to a width of 0.1
                 value
    n            245
    assured n    245
    cases        245
    pilot n      100
    pilot width  0.1555
    method       Wilson
    """
    p = as_predictions(predictions, "sample_size")
    m = measures.parse(measure).about(p)
    wanted = float(require("width", width, above(0)))
    share = float(require("assurance", assurance, between(0, 1)))
    refuse_several_models(p, f"A pilot is of one model, and there are {len(p.model_names)}.")
    pilot = Pilot.of(p, m, average, confidence_level)
    n, assured = (pilot.needed(wanted, each) for each in (None, share))
    sizes = np.unique(np.geomspace(max(2, min(n, pilot.n) / 4), 4 * max(n, pilot.n), 60).round())
    unit = count(pilot.n, pilot.unit)
    facts = {"n": unit, "needed": n, "assured": assured, "share": 100 * share}
    few = pilot.freedom < MIN_DEGREES_OF_FREEDOM
    return PilotPlan(
        m.call, m.title, pilot.estimate.value, wanted, n, max(n, assured), share, pilot.unit,
        round(n * p.known().cases / pilot.n), pilot.n, pilot.interval, pilot.parts.shares,
        sizes, np.array([pilot.width(each) for each in sizes.tolist()]),
        pilot.repeats_for(wanted), pilot.endless("repeats"), pilot.endless("folds"),
        (SMALL_PILOT(measure=lower_first(m.title), **facts),) if few else (),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class VarianceParts:
    """What a variance is made of, by share, and what is left of it with endless repeats, or endless folds."""

    shares: Mapping[str, float]
    left: Mapping[str, float]
    by_repeats: tuple[float, float] | None = None  # what one repeat adds, and the rest
    by_folds: bool = False  # whether it is that over folds, of which more cases do not make more


@dataclass(frozen=True, slots=True)
class Pilot:
    """The estimate of a pilot, and how its interval would change with more data."""

    estimate: Estimate
    interval: Interval
    range: tuple[float, float]
    unit: str
    n: int
    parts: VarianceParts

    @classmethod
    def of(
        cls, p: Predictions, m: Measure, average: Average | None, confidence_level: float
    ) -> Pilot:
        """Evaluate a pilot, or say why it gives no plan."""
        way = headline_estimate(p, m.name)
        table = evaluate(p, m, estimate=way, average=average, confidence_level=confidence_level)
        found = next(iter(table.estimates))
        if found.interval is None:
            raise DataError(
                f"The pilot gives no interval of {lower_first(m.title)}: {found.why_no_interval}."
            )
        average = m.average_on(p, average)
        moved = influence(m, p, average)
        if moved is not None and grows(moved, p.weights):
            raise DataError(
                f"{m.title} grows with the number of cases, and so does its interval.",
                remedy="Plan for the mean or the rate that it is a multiple of.",
            )
        unit, n = _units(p, found)
        return cls(found, found.interval, m.range, unit, n, _parts(p, m, average, found))

    @property
    def freedom(self) -> float:
        """Degrees of freedom of the variance that the pilot shows; where that follows from a value, of its cases."""
        found = self.interval.degrees_of_freedom
        return found if math.isfinite(found) or self.interval.share_of else max(self.n - 1.0, 1.0)

    def width(self, n: float, assurance: float | None = None, left: float = 1.0) -> float:
        """Return how wide the interval would be with so many units and what is left of the variance."""
        level, value = self.interval.confidence_level, self.estimate.value
        if whole := self.interval.share_of:  # Wilson's limits need nothing but the share and these
            cases = whole * n / (self.n * left)
            low, high = wilson.limits(value * cases, cases, level)
            return high - low
        sure = 1.0
        if assurance is not None and math.isfinite(self.freedom):
            sure = math.sqrt(self.freedom / chi_square_quantile(assurance, self.freedom))
        times = 1.0
        if math.isfinite(self.interval.degrees_of_freedom):
            times = two_sided(level, self._freedom_of(n)) / two_sided(level, self.freedom)
        factor = math.sqrt(left * self.n / n) * times * sure
        if self.interval.as_share:
            first, last = wilson_form(value, factor * self._reach(), *self.range)
            return last - first
        scale = RangeScale(*self.range, nearest=MIN_END_DISTANCE)
        middle, low, high = map(scale.place, (value, self.interval.low, self.interval.high))
        ends = middle + factor * (high - middle), middle - factor * (middle - low)
        return scale.value(ends[0]) - scale.value(ends[1])

    def _reach(self) -> float:
        """Return how far the limits of the pilot would reach with the error that the value has."""
        (low, high), value, limit = self.range, self.estimate.value, self.interval.low
        return (value - limit) * math.sqrt(
            (value - low) * (high - value) / ((limit - low) * (high - limit))
        )

    def needed(self, width: float, assurance: float | None) -> int:
        """Return the smallest number of units that brings the interval to a width."""
        goal = f"a width of {width:g}"
        return smallest(int, lambda n: self.width(n, assurance) <= width, goal, fewest=2)

    def _freedom_of(self, n: float) -> float:
        """Return the degrees of freedom with so many units; those of folds stay as they are."""
        if self.parts.by_folds:
            return self.freedom
        grown = self.freedom * n / self.n
        if self.unit == "moment":
            grown = min(grown, max(MIN_COSINES, 0.4 * n ** (2 / 3)))
        return max(grown, 1.0)

    def endless(self, what: str) -> float | None:
        """Return the width that endless repeats, or folds, of the same cases leave."""
        left = self.parts.left.get(what)
        return None if left is None else self.width(self.n, left=left)

    def repeats_for(self, width: float) -> int | None:
        """Return how many repeats of the same cases bring the interval to a width, if any number does."""
        if (
            self.parts.by_repeats is None
            or self.width(self.n, left=self.parts.by_repeats[1]) > width
        ):
            return None
        once, rest = self.parts.by_repeats

        def enough(repeats: int) -> bool:
            return self.width(self.n, left=once / repeats + rest) <= width

        return smallest(int, enough, f"a width of {width:g}")


def _units(p: Predictions, e: Estimate) -> tuple[str, int]:
    """Return what is independent in a pilot, and how many there are of it."""
    if e.interval is not None and e.interval.about == "datasets":
        return "data set", len(e.values)
    if p.in_time:
        return "moment", int(time_steps(p).max()) + 1
    if p.grouping is not None:
        return "group", cluster_count(p)
    return "case", max(1, round(p.known().cases))


def _parts(p: Predictions, m: Measure, average: Average | None, e: Estimate) -> VarianceParts:
    """Take the variance of an estimate apart: by cases, by splits and by training sets."""
    if e.interval is None or e.interval.about != "training":
        return VarianceParts({"cases": 1.0}, {})
    ratio = size_ratio(folds(p))
    asked = EstimateRequest(m, p, average, value=e.value, values=e.values, ratio=ratio)
    try:
        return _of_repeats(moves_of(asked), p.repeats) if p.repeats > 1 else _of_one(asked)
    # Scores of different models do not compare: its interval is by folds alone.
    except RefusalError:
        pass
    if ratio is None:
        return VarianceParts({"cases and training sets": 1.0}, {}, by_folds=True)
    return _of_folds(asked, ratio)


def _of_one(asked: EstimateRequest) -> VarianceParts:
    """By cases of one cross-validation, which does not show what repeats would: at best that learning is stable."""
    widened(asked)  # or it refuses
    p, cases = asked.predictions, widening(asked.predictions, asked.measure) ** -2
    whole = p.grouping is not None and len(folds(p)) == len(distinct(p.grouping).values)
    left = {} if whole else {"repeats": cases}  # each fold is a group: there are no other splits
    return VarianceParts({"cases": cases, "training sets": 1 - cases}, left)


def _of_repeats(moves: Moves, repeats: int) -> VarianceParts:
    """By cases: a part stays however often cases are predicted again, another moves with each repeat.

    The interval does not count on repeats that average out what moves, so that these can only lower it.
    """
    moved, learned = moves.over_repeats, moves.over_training
    stays = max(moves.over_cases - moved, 0.0)
    now, total = stays + moved + learned, stays + moved / repeats + learned
    smooth = (
        1 - moves.ties
    ) * moved  # of which other training sets add as often as there are folds
    shares = {"cases": stays, "training sets": learned, "splits": moved / repeats}
    return VarianceParts(
        {name: part / total for name, part in shares.items()},
        {"repeats": (stays + learned) / now, "folds": (stays + learned - smooth) / now},
    )


def _of_folds(asked: EstimateRequest, ratio: float) -> VarianceParts:
    """By folds: the corrected t adds what a repeat averages out to what training sets have in common."""
    repeats = asked.predictions.repeats
    each = len(asked.values) / repeats
    rest = max(each, 1.0) * ratio  # k folds of k / n of the variance each, times 1 / (k - 1)
    total = 1 / repeats + rest
    return VarianceParts(
        {"cases and training sets": rest / total, "splits": 1 / repeats / total},
        {"repeats": rest / total, "folds": min(1.0, (1 / repeats + 1) / total)},
        (1 / total, rest / total),
        by_folds=True,
    )
