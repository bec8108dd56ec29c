"""Measures of outcomes: cases that were scored elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from credibly._core.arrays import REAL_LINE, Floats
from credibly._core.declared import Declarator
from credibly._core.names import Names
from credibly._core.parameters import between
from credibly.measures._declare import MeanLoss, Measure, TotalLoss, measures
from credibly.measures._undefined import NO_CASES
from credibly.predictions import Predictions
from credibly.predictions.lack import PASS_OR_FAIL, Lack
from credibly.predictions.outcomes import reach_of, stand_for_moves
from credibly.predictions.summaries import DistinctOutcomes, LossMoments, Summary

MILLER = "Miller, E. (2024) Adding error bars to evals: a statistical approach to language model evaluations. arXiv:2411.00640."
HYNDMAN_FAN = "Hyndman, R. J. & Fan, Y. (1996) Sample quantiles in statistical packages. The American Statistician 50, 361-365."


class _OfOutcomes(Measure):
    """A measure in the outcomes' own unit, whose range and direction the outcomes declare."""

    needs: tuple[str, ...] = ("outcome",)
    range: tuple[float, float] = REAL_LINE
    best: float | None = None
    undefined: Any = NO_CASES
    of_passes: bool = False  # whether it is about passes and failures, or about any other numbers
    in_bounds: bool = True  # whether it lies between the same ends as outcomes do

    def about(self, *parts: Predictions) -> Measure:
        """Return the measure with the range, the direction and the name that these outcomes have."""
        passes = all(p.pass_or_fail for p in parts)
        ends = reach_of(parts) or ((0.0, 1.0) if passes else self.range)
        ends = ends if self.in_bounds else self.range
        ways = {p.way for p in parts}  # one that is not known of all is not known
        best = (
            {"lower": ends[0], "higher": ends[1]}.get(ways.pop() or "") if len(ways) == 1 else None
        )
        names = {p.outcome_name for p in parts}
        name = names.pop() if len(names) == 1 else ""
        return replace(self, range=ends, best=best, title=self.called(name) if name else self.title)

    def called(self, name: str) -> str:
        """Return the title of the measure for outcomes of a name."""
        return f"{self.title}: {name}"

    def offered(self, *parts: Predictions) -> bool:
        """Whether it is shown by default: a pass rate is the mean of passes and failures."""
        passes = all(p.pass_or_fail for p in parts)
        return super().offered(*parts) and self.of_passes == passes

    def lacks(self, p: Predictions, *, averaged: bool = False) -> Lack | None:
        """Say what these predictions lack for the measure."""
        lack = super().lacks(p, averaged=averaged)
        return lack or (PASS_OR_FAIL if self.of_passes and not p.pass_or_fail and p.n else None)


class OutcomeMean(_OfOutcomes, MeanLoss):
    """The mean of what its function makes of the outcome of each case."""

    def called(self, name: str) -> str:
        """Return the name of the outcomes, which is that of their mean."""
        return name

    reads: type[Summary] = LossMoments


class OutcomeTotal(_OfOutcomes, TotalLoss):
    """The sum of what its function makes of the outcome of each case."""

    reads: type[Summary] = LossMoments


class OutcomeQuantile(_OfOutcomes):
    """A quantile of outcomes: its argument ``share`` says which, without one it is the median."""

    smooth: bool = False

    def offered(self, *parts: Predictions) -> bool:
        """Return whether it is shown by default: of how cases move a measure no quantile says anything."""
        return super().offered(*parts) and not any(map(stand_for_moves, parts))

    @property
    def share_below(self) -> float:
        """The share of the cases that lie below it."""
        return float(self.arguments.get("share", 0.5))


outcome_mean = Declarator(OutcomeMean, measures)
outcome_total = Declarator(OutcomeTotal, measures)
outcome_quantiles = Declarator(OutcomeQuantile, measures)


@outcome_mean(
    "Pass rate",
    range=(0, 1),
    of_passes=True,
    share=True,
    headline=1,
    reported=1,
    cite=MILLER,
    aliases=Names("share_passed"),
)
def pass_rate(p: Predictions) -> Floats:
    """Share of the cases that passed, of cases that were judged elsewhere as pass or fail.

    >>> pass_rate(Predictions.of(outcome=[True, True, False, True]))
    0.75
    """
    return p.need("outcome", "pass_rate")


@outcome_mean("Mean outcome", headline=2, reported=2, cite=MILLER, aliases=Names("average_outcome"))
def mean_outcome(p: Predictions) -> Floats:
    r"""Mean over the cases of an outcome that was found elsewhere, such as a score or a time.

    $\frac1n \sum s_i$

    >>> mean_outcome(Predictions.of(outcome=[0.5, 1.0, 0.75]))
    0.75
    """
    return p.need("outcome", "mean_outcome")


@outcome_total(
    "Total outcome",
    in_bounds=False,
    mean="mean_outcome",
    undefined=(),
    by_request=True,
    cite=MILLER,
)
def total_outcome(p: Predictions) -> Floats:
    r"""Sum over the cases of an outcome, such as returns or costs.

    $\sum s_i$

    >>> total_outcome(Predictions.of(outcome=[0.5, 1.0, 0.75]))
    2.25
    """
    return p.need("outcome", "total_outcome")


@outcome_quantiles("Median outcome", headline=3, reported=3, cite=HYNDMAN_FAN)
def median_outcome(t: DistinctOutcomes) -> Floats:
    """Middle outcome: half of the cases have a lower one, half a higher one.

    >>> median_outcome(Predictions.of(outcome=[0.5, 4.0, 0.75]))
    0.75
    """
    return t.quantile(0.5)


@outcome_quantiles(
    "Quantile of the outcome",
    by_request=True,
    cite=HYNDMAN_FAN,
    constraints={"share": between(0, 1)},
)
def outcome_quantile(t: DistinctOutcomes, *, share: float = 0.9) -> Floats:
    """Outcome below which a share of the cases lies, such as the time that 9 of 10 cases took at most.

    >>> outcome_quantile(Predictions.of(outcome=[1.0, 2.0, 3.0, 4.0]), share=0.75)
    3.5
    """
    return t.quantile(share)
