"""The one verdict on whether probabilities are calibrated, and how they are off, which every door gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from credibly._core.arrays import ROUNDING, dot
from credibly._core.layout import Printed
from credibly._core.text import interval_text, lower_first, number_text
from credibly.calibration.goodness_of_fit import CALIBRATED, FEW_EVENTS
from credibly.calibration.groups import Groups
from credibly.calibration.logistic import recalibrated
from credibly.calibration.outcomes import Outcomes, logit
from credibly.comparisons.multiplicity import adjust
from credibly.comparisons.result import TestResult
from credibly.errors import listed
from credibly.results.interval import Interval
from credibly.results.table import Table

LEVEL = 0.01  # of all tests together
MATERIAL_SHARE = 0.1  # of the Brier score that the probabilities lead one to expect
MATERIAL_FACTOR = 1.25  # times the slope, or the odds


class Said(NamedTuple):
    """What is said of probabilities, with the numbers behind it.

    >>> Said("too high on average", " (predicted minus observed 0.1)").text
    'too high on average (predicted minus observed 0.1)'
    """

    words: str
    numbers: str = ""

    @property
    def text(self) -> str:
        """Both."""
        return self.words + self.numbers


@dataclass(frozen=True, slots=True)
class CalibrationVerdict(Printed):
    """Whether probabilities are calibrated, and how they are off.

    They are ``miscalibrated`` where tests show it at 1 %, allowing for how many tests there are, and it
    matters: the Brier score is off by a tenth of what the probabilities imply, or the slope of the
    recalibration line, its odds or those of a group by a quarter. So they are where outcomes occurred that
    had a probability of 0, and there is nothing else to test.
    """

    about: str  # which probabilities, where it is not plain
    right: Said | None
    off: tuple[Said, ...]
    shown: tuple[str, ...]  # by these tests
    miscalibrated: bool
    tested: bool = True

    @property
    def how(self) -> str:
        """Say what the probabilities are."""
        right, off = self.right.text if self.right else "", listed(part.text for part in self.off)
        how = ", but ".join(part for part in (right, off) if part)
        by = f" ({', '.join(self.shown)})" if self.shown else ""
        if self.miscalibrated:
            return f"not calibrated{by}: they are {how}"
        if self.shown:
            return f"nearly calibrated, off by more than chance{by} but by little: they are {how}"
        return how

    @property
    def in_short(self) -> str:
        """Say what the probabilities are without the numbers behind it, as a heading does; nothing where nothing is known."""
        words = listed(part.words for part in self.off) or (self.right.words if self.right else "")
        return f"not calibrated: {words}" if self.miscalibrated else words

    def __str__(self) -> str:
        """Say it in a sentence; nothing where nothing is known."""
        if not self.how:
            return ""
        rest = " No test finds them miscalibrated." if self.tested and not self.off else ""
        return f"The probabilities{self.about} are {self.how}.{rest}"


def verdict(
    about: str, table: Table, tests: Sequence[TestResult], outcomes: Outcomes, groups: Groups
) -> CalibrationVerdict:
    """Judge the probabilities of one class."""
    right, *off = _on_average(table)
    off += [*_spread(table, about), *_certainties(outcomes)]
    shown, tested = rejected(tests), any(t.null == CALIBRATED for t in tests)
    impossible = not tested and _wrong(outcomes) > 0
    if (shown or impossible) and not off:
        off.append(Said("off in places", _where(groups)))
    wrong = impossible or (bool(shown) and matters(outcomes, groups))
    return CalibrationVerdict(about, right, tuple(off), shown, wrong, tested)


def rejected(tests: Iterable[TestResult]) -> tuple[str, ...]:
    """Name the tests that show that probabilities are not calibrated, allowing for how many there are."""
    made = [t for t in tests if t.null == CALIBRATED and t.pvalue == t.pvalue]
    pvalues = [max(t.pvalue, t.parameters.get(FEW_EVENTS, 0)) for t in made]
    adjusted = zip(made, adjust(pvalues), strict=True)
    return tuple(lower_first(t.title) for t, p in adjusted if p <= LEVEL)


def matters(o: Outcomes, groups: Groups) -> bool:
    """Whether probabilities that chance does not explain are far enough off to matter."""
    expected = float(dot(o.total, o.probability * (1 - o.probability)))
    excess = abs(float(dot(o.events - o.total * o.probability, 1 - 2 * o.probability)))
    line, shift = recalibrated(o), recalibrated(o, slope=1.0)
    most = np.log(MATERIAL_FACTOR)
    near = 1 / MATERIAL_FACTOR < line.slope < MATERIAL_FACTOR and abs(shift.intercept) < most
    outside = _outside(groups)
    odds = np.abs(logit(groups.observed[outside]) - logit(groups.predicted[outside]))
    return not near or excess > MATERIAL_SHARE * expected or bool((odds > most).any())


def _outside(groups: Groups) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return (groups.predicted < groups.low) | (groups.predicted > groups.high)


def _on_average(table: Table) -> tuple[Said | None, *tuple[Said, ...]]:
    """Say whether what is predicted happens as often as it should: what is right, and what is off."""
    for e in table.where(measure="calibration_in_the_large"):
        if e.value == e.value:
            limits = e.interval
            gap = f" (predicted minus observed {interval_text(e.value, limits)})"
            right = abs(e.value) <= ROUNDING if limits is None else limits.low <= 0 <= limits.high
            if right:
                return (Said("about right on average", gap),)
            return None, Said(f"too {'high' if e.value > 0 else 'low'} on average", gap)
    return (None,)


def reversed_slope(table: Table) -> str:
    """Return the slope of the recalibration line where larger probabilities surely go with fewer events."""
    for e in table.where(measure="calibration_slope"):
        if e.interval is not None and e.interval.high < 0:
            return f"calibration slope {interval_text(e.value, e.interval)}"
    return ""


def _spread(table: Table, about: str) -> Iterator[Said]:
    """Say whether probabilities are reversed, or lie too far out or too near to each other, where that is sure."""
    if slope := reversed_slope(table):
        why = f": larger probabilities go with the other class ({slope}; is the positive class the right one?)"
        if about:
            why = f": the larger they are, the less often that class is right ({slope})"
        yield Said("reversed", why)
        return
    for e in table.where(measure="calibration_slope"):
        if e.interval is not None and not e.interval.low <= 1 <= e.interval.high:
            way = "extreme" if e.value < 1 else "moderate"
            numbers = f" (calibration slope {interval_text(e.value, e.interval)})"
            yield Said(f"too {way}", numbers)


def _wrong(o: Outcomes) -> float:
    """Count the cases whose outcome had a probability of 0."""
    unforeseen = o.events[o.probability <= 0].sum()
    return float(unforeseen + (o.total - o.events)[o.probability >= 1].sum())


def _certainties(o: Outcomes) -> Iterator[Said]:
    if wrong := _wrong(o):
        certain = o.total[(o.probability <= 0) | (o.probability >= 1)].sum()
        yield Said(
            f"wrong in {wrong:,.10g} of {certain:,.10g} cases with a probability of exactly 0 or 1"
        )


def _where(groups: Groups) -> str:
    """Name the group whose share of events is furthest from its probabilities, of those that chance hardly explains."""
    outside = _outside(groups)
    if not outside.any():
        return ""
    gaps = np.where(outside, np.abs(groups.observed - groups.predicted), 0)
    row = groups.rows()[int(gaps.argmax())]
    limits = Interval(row["low"], row["high"], groups.confidence_level, "Wilson")
    said, seen = (number_text(row[k], limits) for k in ("predicted", "observed"))
    return f": where they say {said}, {seen} occurs ({number_text(row['n'])} cases)"
