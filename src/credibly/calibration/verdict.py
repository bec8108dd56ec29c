"""Says in a sentence whether probabilities are calibrated, and how they are off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from credibly._core.text import interval_text, lower_first, number_text
from credibly.calibration.goodness_of_fit import CALIBRATED
from credibly.calibration.groups import Groups
from credibly.calibration.outcomes import Outcomes
from credibly.comparisons.multiplicity import adjust
from credibly.comparisons.result import TestResult
from credibly.errors import listed
from credibly.results.interval import Interval
from credibly.results.table import Table


def verdict(
    about: str, table: Table, tests: Sequence[TestResult], outcomes: Outcomes, groups: Groups
) -> str:
    """Say whether probabilities are calibrated, then how they are off on average, in spread and in places.

    They are not where a test shows it, allowing for the number of tests, nor where there is nothing to
    test but outcomes that had a probability of 0 occurred.
    """
    right, off = _on_average(table)
    off += [*_spread(table), *_certainties(outcomes)]
    shown, tested = rejected(tests), any(t.null == CALIBRATED for t in tests)
    wrong = bool(shown) or (not tested and _wrong(outcomes) > 0)
    if wrong and not off:
        off.append(f"off in places{_where(groups)}")
    how = ", but ".join(part for part in (*right, listed(off)) if part)
    if wrong:
        by = f" ({', '.join(shown)})" if shown else ""
        return f"The probabilities{about} are not calibrated{by}: they are {how}."
    if not how:
        return ""
    rest = " No test finds them miscalibrated." if tested and not off else ""
    return f"The probabilities{about} are {how}.{rest}"


def _on_average(table: Table) -> tuple[list[str], list[str]]:
    """Say whether what is predicted happens as often as it should: what is right, and what is off."""
    for e in table.where(measure="calibration_in_the_large"):
        if e.value == e.value:
            gap = f"on average (predicted minus observed {interval_text(e.value, e.interval)})"
            if e.interval is None or e.interval.low <= 0 <= e.interval.high:
                return [f"about right {gap}"], []
            return [], [f"too {'high' if e.value > 0 else 'low'} {gap}"]
    return [], []


def _spread(table: Table) -> Iterator[str]:
    """Say whether probabilities lie too far out or too near to each other, where that is sure."""
    for e in table.where(measure="calibration_slope"):
        if e.interval is not None and not e.interval.low <= 1 <= e.interval.high:
            way = "extreme" if e.value < 1 else "moderate"
            yield f"too {way} (calibration slope {interval_text(e.value, e.interval)})"


def _wrong(o: Outcomes) -> float:
    """Count the cases whose outcome had a probability of 0."""
    unforeseen = o.events[o.probability <= 0].sum()
    return float(unforeseen + (o.total - o.events)[o.probability >= 1].sum())


def _certainties(o: Outcomes) -> Iterator[str]:
    if wrong := _wrong(o):
        certain = o.total[(o.probability <= 0) | (o.probability >= 1)].sum()
        yield f"wrong in {wrong:,.10g} of {certain:,.10g} cases with a probability of exactly 0 or 1"


def _where(groups: Groups) -> str:
    """Name the group of cases whose share of events is the least likely by its probabilities."""
    outside = (groups.predicted < groups.low) | (groups.predicted > groups.high)
    if not outside.any():
        return ""
    variance = groups.foretold * (1 - groups.predicted)
    gaps = np.where(outside, (groups.events - groups.foretold) ** 2 / variance, 0)
    row = groups.rows()[int(gaps.argmax())]
    limits = Interval(row["low"], row["high"], groups.confidence_level, "Wilson")
    said, seen = (number_text(row[k], limits) for k in ("predicted", "observed"))
    return f": where they say {said}, {seen} occurs ({number_text(row['n'])} cases)"


def rejected(tests: Iterable[TestResult]) -> list[str]:
    """Name the tests that show that probabilities are not calibrated, allowing for how many there are."""
    made = [t for t in tests if t.null == CALIBRATED and t.pvalue == t.pvalue]
    adjusted = zip(made, adjust([t.pvalue for t in made]), strict=True)
    return [lower_first(t.title) for t, p in adjusted if p <= 1 - t.confidence_level]
