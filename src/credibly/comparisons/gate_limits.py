"""Between which limits the difference of two models lies, for a gate: at one look, or at every look.

At one look they are those of the test, somewhat wider where these are known to hold too seldom: passes and failures
are counted in whole cases (one is left to spare), and differences that are skewed move Student's limits
(Johnson 1978), of which the outer ones are taken; so are those of cases too rare to be among these, if they had the worst outcome
that was seen, and those that the limits of both models alone give, of measures that
are no means over cases: an area near 1 has a limit further from its value below than above (Zou & Donner 2008). How often verdicts are wrong was simulated at the margin itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from credibly._core.arrays import Floats, dot
from credibly._core.findings import Finding
from credibly._core.text import lower_first
from credibly.comparisons._declare import differences
from credibly.comparisons._scores import mover_distance, tango_limits
from credibly.comparisons.cases import Cases
from credibly.comparisons.findings import (
    ALIKE,
    ANY_TIME,
    FEW_LOOKED_AT,
    NO_ENDS,
    NOT_SEEN,
    SKEWED_DIFFERENCES,
)
from credibly.comparisons.losses import case_losses, has_case_losses
from credibly.comparisons.result import TestResult, error_of_difference
from credibly.comparisons.sequences import (
    MAX_FREEDOM,
    MIN_CASES,
    betting_limits,
    in_units,
    mixture_quantile,
)
from credibly.comparisons.skewness import outer_limits, skewness_of
from credibly.evaluation import evaluate
from credibly.intervals.influence import influence
from credibly.intervals.standard_errors import error_of_sum
from credibly.results.interval import Interval

# Cases by which a score is brought nearer to zero, as an exact test does: of all tables of 4 to 90 cases, verdicts
# are wrong in 5 % at most; with half a case, in up to 8 %.
SPARE_PAIRS = 1.0
# The third moment, in standard errors, above which verdicts are wrong more often than stated.
MAX_SKEWNESS = 0.2
Limits = tuple[Interval | None, str, tuple[Finding, ...]]  # or why there are none, and what to know


@dataclass(frozen=True, slots=True)
class GateLook:
    """The cases of two models, from which limits of their difference are made."""

    found: TestResult
    cases: Cases
    alpha: float
    units: float
    unit: str

    @property
    def level(self) -> float:
        """The confidence level of limits on both sides, as it would be written."""
        return round(1 - 2 * self.alpha, 12)

    def _made(self, ends: tuple[float, float], method: str) -> Interval:
        return Interval(*ends, self.level, method).within(*differences(self.cases))

    def _each(self) -> tuple[Floats, Floats, Floats] | None:
        """Return how far each case, or group, moves the value of each model, and how many there are of it.

        Return nothing for a measure that is not smooth.
        """
        m, average, models = self.cases.measure, self.cases.average, self.cases.models
        if not m.smooth or models[0].in_time:
            return None
        first, second = (influence(m, p, average) for p in models)
        if first is None or second is None:
            return None
        p = models[0]
        if p.clusters is None and p.weight_kind == "frequency":
            return first, second, p.weights
        one, other = in_units(first, p)[0], in_units(second, p)[0]
        return one, other, np.ones(one.size)

    def _moves(self) -> tuple[Floats, Floats] | None:
        """Return how far each case, or group, moves the difference, and how many there are of it."""
        each = self._each()
        return None if each is None else (each[0] - each[1], each[2])

    def _of_both(self) -> tuple[float, float] | None:
        """Return limits made of those of both models alone and of how far these move together (MOVER).

        Limits near an end of the range, such as those of an area near 1, lie further out on the other side: so
        does then the limit of a difference.
        """
        each, level = self._each(), self.level
        asked = self.cases.measure, None, self.cases.average
        pooled: dict[str, Any] = {
            "estimate": "pooled"
        }  # as influence values and the difference are
        tables = [evaluate(p, *asked, **pooled, confidence_level=level) for p in self.cases.models]
        (a,), (b,) = (t.estimates for t in tables)
        if each is None or a.interval is None or b.interval is None:
            return None
        one, other, copies = each
        spread = math.sqrt(float(dot(copies, one**2)) * float(dot(copies, other**2)))
        r = float(dot(copies, one * other)) / spread if spread > 0 else 0.0
        d = a.value - b.value
        below = mover_distance(a.value - a.interval.low, b.interval.high - b.value, r)
        above = mover_distance(a.interval.high - a.value, b.value - b.interval.low, r)
        return d - below, d + above

    def once(self) -> Limits:
        """Return the limits of a single look, with what few flips or skewed differences call for."""
        result, told = self.found, self.found.parameters
        limits, why = result.confidence_interval, result.why_no_interval
        if limits is None:
            return self._without_variation(why)
        if result.test == "mcnemar":
            b, c, n = told["only_first"], told["only_second"], result.n
            ends = tango_limits(b, c, n, (1 - self.level) / 2, spare=SPARE_PAIRS)
            return self._made(ends, "Tango, continuity corrected"), "", ()
        moves = self._moves()
        if moves is None or "standard_error" not in told:
            return limits, why, ()
        error = told["standard_error"]
        third = skewness_of(*moves, error)
        errors = (limits.high - limits.low) / 2 / error
        ends = outer_limits(result.difference, error, errors, third)
        by_case = has_case_losses(self.cases.measure)
        both = self._unseen() if by_case else self._of_both()
        skewed = abs(third) > MAX_SKEWNESS
        findings: tuple[Finding, ...] = (
            (SKEWED_DIFFERENCES(n=self.units, units=f"{self.unit}s"),) if skewed else ()
        )
        if both is not None:
            if by_case and (both[0] < ends[0] or both[1] > ends[1]):
                findings += (
                    NOT_SEEN(share=self._share_unseen, n=self.units, units=f"{self.unit}s"),
                )
            ends = min(ends[0], both[0]), max(ends[1], both[1])
        return self._made(ends, f"{limits.method}, allowing for skewness"), "", findings

    @property
    def _share_unseen(self) -> float:
        """How many of all cases can be such that none is among these, except by an error."""
        return 1 - self.alpha ** (1 / max(self.units, 1))

    def _unseen(self) -> tuple[float, float] | None:
        """Return between what the difference lies if as many cases as can go unseen have the worst, or the best, outcome that was seen.

        Nothing in 40 cases tells of a loss that comes once in twenty; how large it can be, the outcomes that were seen tell. Passes and
        failures vary whenever one of each is seen, so that nothing need be added.
        """
        first, second = (case_losses(q, self.cases.measure, "gate") for q in self.cases.models)
        seen = np.concatenate([first, second])
        if np.isin(seen, (0, 1)).all():
            return None
        typical, share = self.found.values[1], self._share_unseen
        low, high = ((1 - share) * self.found.difference + share * (float(end) - typical) for end in (seen.min(), seen.max()))  # fmt: skip
        return low, high

    def every_time(self, *, by_case: bool) -> Limits:
        """Return limits that hold however often they are looked at."""
        ends, p = differences(self.cases), self.cases.models[0]
        if not all(map(math.isfinite, ends)):
            finding = NO_ENDS(measure=lower_first(self.cases.measure.title))
            return None, "a loss of any size may be too rare to have been seen yet", (finding,)
        m = self.cases.measure
        losses = [case_losses(q, m, "gate") for q in self.cases.models if by_case]
        if losses and all((m.range[0] <= x).all() and (x <= m.range[1]).all() for x in losses):
            first, second = losses
            interval = self._made(
                betting_limits(*in_units(first - second, p), ends, self.alpha), "betting"
            )
            return interval, "", (ANY_TIME(method=interval.method),)
        moves, error = self._moves(), error_of_difference(self.found)
        if moves is None or error is None:
            return None, self.found.why_no_interval or "the measure is not smooth", ()
        if self.units < MIN_CASES or error_of_sum(*moves)[1] < MAX_FREEDOM:
            few = FEW_LOOKED_AT(n=self.units, units=f"{self.unit}s", fewest=MIN_CASES)
            return None, f"{self.units:g} {self.unit}s are too few", (few,)
        half = error * mixture_quantile(self.units, self.alpha)
        around = self.found.difference - half, self.found.difference + half
        interval = self._made(around, "mixture boundary, for many cases")
        return interval, "", (ANY_TIME(method=interval.method),)

    def _without_variation(self, why: str) -> Limits:
        """Return limits where all cases differ alike: so few may not that none among these is as rare as an error."""
        ends, same = differences(self.cases), self.found.difference
        if not all(map(math.isfinite, ends)):
            finding = ALIKE(n=self.units, units=f"{self.unit}s", difference=same)
            return None, why, (finding,) if same else ()
        if same and not has_case_losses(self.cases.measure):
            return None, why, ()
        share = self._share_unseen
        low, high = (same + share * (end - same) for end in ends)
        method = "all cases differ alike" if same else "no case differs"
        return self._made((low, high), method), "", ()
