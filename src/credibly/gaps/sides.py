"""A measure on some of the cases, and two of these side by side.

A slice is the same cases with the weights of all others zero, so its value, its influence values and its interval
are those of the measure. Limits of a difference or a ratio come of the limits of both values (method of
variance estimates recovery): of two shares that is Newcombe's interval, of areas it stands on the logit scale, and so on.

Zou, G. Y. & Donner, A. (2008) Construction of confidence limits about effect measures. Statistics in Medicine 27,
1693-1702. Donner, A. & Zou, G. Y. (2012) Closed-form confidence intervals for functions of the normal mean and
standard deviation. Statistical Methods in Medical Research 21, 347-359.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, dot
from credibly._core.averages import Average
from credibly.comparisons._scores import mover_distance
from credibly.comparisons.many_tasks import SharedDraws
from credibly.intervals._declare import EstimateRequest
from credibly.intervals.influence import influence
from credibly.intervals.methods import interval_for
from credibly.intervals.quantiles import normal_tail
from credibly.measures import Measure
from credibly.predictions import Predictions
from credibly.predictions.numbering import unit_numbers
from credibly.results.interval import Interval

MAX_UNITS = 8192  # cases or groups that are told apart; more are joined at random
# Tails below which Wilson's limits of a share fall short, and limits that do not.
EXACT_BELOW_TAIL, EXACT_METHOD = 0.005, "clopper_pearson"
# The error of a difference, as a share of those of its ends, that rounding does not make.
MIN_SPREAD_SHARE = 1e-6
MAX_STANDARD_ERRORS = 8.0  # in standard errors: a p-value of 1e-15
# Where limits are computed, to find the place at which they reach no difference.
STANDARD_ERROR_STEPS = np.linspace(0, MAX_STANDARD_ERRORS, 33)[1:]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The value of a measure on some of the cases, and how far each unit of them moves it."""

    asked: EstimateRequest
    n: float  # cases
    units: float  # cases or groups that were drawn independently
    basis: float  # cases that the value rests on
    moves: Floats | None
    _limits: dict[float, Interval | str] = field(default_factory=dict, repr=False)

    @property
    def value(self) -> float:
        """The value on these cases."""
        return self.asked.value

    def too_small(self, at_least: int) -> str:
        """Say why the slice cannot be judged; nothing of one that can."""
        m = self.asked.measure
        if not math.isfinite(self.value):
            return f"{m.title} is not defined: {m.undefined_when}"
        if min(self.units, self.basis) < at_least:
            rare = m.parts is None and self.basis < min(at_least, self.n)
            few = "cases of one class" if rare else "cases or groups"
            return f"{m.title} rests on fewer than {at_least} {few}, in the slice or outside it"
        return ""

    def limits(self, tail: float) -> Interval | str:
        """Return the interval with this tail probability beyond each limit, or the reason for having none."""
        if tail not in self._limits:
            request = replace(self.asked, confidence_level=1 - 2 * tail)
            m = request.measure
            alone = m.parts is not None and not request.average
            far = tail < EXACT_BELOW_TAIL and alone and request.predictions.clusters is None
            interval, why = interval_for(
                replace(request, interval=EXACT_METHOD) if far else request
            )
            if interval is None and far:
                interval, why = interval_for(request)
            self._limits[tail] = why if interval is None else interval
        return self._limits[tail]

    def reach(self, tail: float) -> tuple[float, float]:
        """Return how far the limits lie below and above the value; NaN where there are none."""
        made = self.limits(tail)
        if isinstance(made, str):
            return math.nan, math.nan
        return self.value - made.low, made.high - self.value


@dataclass(frozen=True, slots=True, eq=False)
class Contrast:
    """One value less another, or as a multiple of it."""

    first: Side
    second: Side

    @property
    def swapped(self) -> Contrast:
        """The second less the first."""
        return Contrast(self.second, self.first)

    @property
    def difference(self) -> float:
        """How far the first lies above the second."""
        return self.first.value - self.second.value

    @property
    def ratio(self) -> float:
        """The first as a multiple of the second, where neither can be negative."""
        a, b = self.first.value, self.second.value
        return a / b if self.first.asked.measure.range[0] >= 0 and b > 0 else math.nan

    @property
    def correlation(self) -> float:
        """The correlation of both values, which share no case but may share groups."""
        a, b = self.first.moves, self.second.moves
        if a is None or b is None or self.first.asked.predictions.clusters is None:
            return 0.0
        sizes = _length(a), _length(b)
        return float(dot(a / sizes[0], b / sizes[1])) if min(sizes) > 0 else 0.0

    @property
    def errors_apart(self) -> float:
        """The difference in standard errors; infinite where none of the cases varies."""
        sides = self.first, self.second
        a, b = (math.inf if s.moves is None else _length(s.moves) for s in sides)
        error = math.inf
        if math.isfinite(a + b):
            apart = max(1 - self.correlation, 0.0)  # (a - b)^2 + 2 a b (1 - r)
            error = math.hypot(a - b, math.sqrt(2 * a * apart) * math.sqrt(b))
        return self.difference / error if error > 0 else math.copysign(math.inf, self.difference)

    def limits(self, tail: float) -> tuple[float, float] | None:
        """Return the limits of the difference with this tail probability beyond each."""
        below, above = self._halves(tail)
        if math.isnan(below + above):
            return None
        return self.difference - below, self.difference + above

    def _halves(self, tail: float) -> tuple[float, float]:
        (a_low, a_high), (b_low, b_high) = self.first.reach(tail), self.second.reach(tail)
        rho = self.correlation
        return mover_distance(a_low, b_high, rho), mover_distance(a_high, b_low, rho)

    def ratio_limits(self, tail: float) -> tuple[float, float] | None:
        """Return the limits of the ratio: the multiples of the second at which the difference vanishes."""
        (a_low, a_high), (b_low, b_high) = self.first.reach(tail), self.second.reach(tail)
        if math.isnan(self.ratio) or math.isnan(a_low + b_low):
            return None
        a, b, rho = self.first.value, self.second.value, self.correlation
        near, far = (
            a * b - (rho * x * y if rho else 0.0) for x, y in ((a_low, b_high), (a_high, b_low))
        )
        low = _multiple(near, b * b - b_high * b_high, a * a - a_low * a_low)
        squares = b * b - b_low * b_low
        root = math.sqrt(max(far * far - squares * (a * a - a_high * a_high), 0.0))
        return low, (far + root) / squares if squares > 0 else math.inf

    def pvalue(self) -> float:
        """Return the two-sided p-value: the tails of the interval that just reaches no difference."""
        d = abs(self.difference)
        if d == 0:
            return 1.0
        side = 0 if self.difference > 0 else 1
        before, start = d, 0.0
        for z in STANDARD_ERROR_STEPS.tolist():
            left = d - self._halves(normal_tail(z))[side]
            if math.isnan(left):
                return math.nan
            if left <= 0:
                return normal_tail(start + (z - start) * before / (before - left), tails=2)
            before, start = left, z
        return normal_tail(MAX_STANDARD_ERRORS, tails=2)


def _basis(m: Measure, p: Predictions, average: Average | None) -> float:
    """Return how many cases a value rests on: those of the whole of a share, of the smaller of two classes, or all."""
    if average:
        return p.cases
    if m.parts is not None:
        return float(m.parts(m.summarise(p.counted))[1])
    if not (m.class_wise or m.compares_scores):
        return p.cases
    return float(p.class_counts.min())


def _length(moves: Floats) -> float:
    """Return the root of the sum of the squares, none of which need fit a double."""
    largest = float(np.abs(moves).max(initial=0.0))
    return largest * math.sqrt(float(np.square(moves / largest).sum())) if largest > 0 else 0.0


def _multiple(product: float, squares: float, rest: float) -> float:
    """Return the smaller root, in a form that is stable for either sign of the squared term."""
    below = product + math.sqrt(max(product * product - squares * rest, 0.0))
    return max(rest / below, 0.0) if below > 0 else 0.0


class SharedReplicates:
    """Normal replicates with the covariance that independent units of the cases show (max-T).

    Of more units than can be held, some are joined at random, whole groups together, which leaves every covariance
    what it is on average.
    """

    def __init__(self, p: Predictions, seed: int, count: int) -> None:
        clusters = p.clusters
        codes = unit_numbers(p)
        self.own = None if clusters is None else codes
        self.units = int(codes.max(initial=-1)) + 1
        if self.units > MAX_UNITS:
            joined = np.random.default_rng([seed, self.units]).integers(0, MAX_UNITS, self.units)
            codes, self.units = joined[codes], MAX_UNITS
        self.codes, self.draws = codes, SharedDraws(seed, count)
        counted = clusters is None and p.weight_kind == "frequency"
        self.weights = np.sqrt(p.weights) if counted else p.weights

    def side(self, request: EstimateRequest, rows: NDArray[np.intp]) -> Side:
        """Return the value of the measure that is asked for on some rows, with how far each unit moves it."""
        m, p, average = request.measure, request.predictions, request.average
        if not p.n:
            return Side(request, 0.0, 0.0, 0.0, None)
        slopes = influence(m, p, average)
        moves: Floats | None = None
        if slopes is not None:
            moves = np.bincount(self.codes[rows], slopes * self.weights[rows], self.units).astype(
                np.float64
            )
        units = (
            p.cases if self.own is None else float(np.count_nonzero(np.bincount(self.own[rows])))
        )
        value = m.on(p, average)
        return Side(replace(request, value=value), p.cases, units, _basis(m, p, average), moves)

    def smallest_pvalues(self, family: Sequence[Side | Contrast]) -> Floats:
        """Return the smallest of all p-values in each replicate, by normal tails.

        What shows no variation, or has no influence values, counts as a test by itself that no other resembles.
        """
        ends = [(c.first, c.second) if isinstance(c, Contrast) else (c, None) for c in family]
        moved = {
            id(s): s.moves for pair in ends for s in pair if s is not None and s.moves is not None
        }
        place = {key: i + 1 for i, key in enumerate(moved)}  # the first column is nothing
        table = np.column_stack([np.zeros(self.units), *moved.values()])
        places = (
            np.array([[place.get(id(s), 0) for s in q] for q in ends], np.intp).reshape(-1, 2).T
        )
        table /= np.abs(table).max(initial=0.0) or 1.0  # as squares may not fit a double
        norms = np.sqrt(np.square(table).sum(axis=0))
        table = np.divide(table, norms, out=np.zeros_like(table), where=norms > 0)
        correlations = table.T @ table
        (a, b), (i, j) = norms[places], places
        size = np.sqrt(np.maximum(a * a + b * b - 2 * a * b * correlations[i, j], 0.0))
        varies = size > MIN_SPREAD_SHARE * np.maximum(a, b)
        (first, second), size = places[:, varies], size[varies]
        drawn = self.draws.of(correlations, 0) * norms
        alone = self.draws.of(np.eye(len(ends) - size.size), 1)
        largest = np.abs(alone).max(axis=1, initial=0)
        for i, j, error in zip(first, second, size, strict=True):
            np.maximum(largest, np.abs(drawn[:, i] - drawn[:, j]) / error, out=largest)
        from scipy.special import ndtr

        values: Floats = 2 * ndtr(-largest)
        return values
