"""How many cases show a difference between two models, by a pilot of both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.averages import Average
from credibly._core.doors import door
from credibly._core.entry_names import MeasureName
from credibly._core.findings import Finding
from credibly._core.parameters import above, between, require
from credibly._core.text import count, lower_first, number_text
from credibly.comparisons._scores import MAX_HALVINGS
from credibly.comparisons.compare import compare
from credibly.comparisons.findings import ROUGH_PILOT
from credibly.comparisons.given_models import measure_of, models_by_name, same_cases
from credibly.comparisons.result import TestResult, error_of_difference
from credibly.errors import DataError, ParameterError, says
from credibly.intervals.power import discordant_power, power_by_t
from credibly.intervals.quantiles import root
from credibly.intervals.sample_size import smallest
from credibly.measures import Measure
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.predictions.parts import cluster_count
from credibly.results.result import Result

if TYPE_CHECKING:
    Power = Callable[[float, int], float]

MIN_UNITS = 30  # with fewer, a pilot shows a variance to within a quarter at best


class PairPlan(Result):
    """How many cases show a difference between two models on the same cases, judged by a pilot.

    ``n`` counts what is independent (``unit``: cases or groups), of which the pilot had ``pilot_n``;
    ``cases`` is how many cases these are. ``detectable`` is the smallest difference that the pilot itself
    would have shown with this power, and ``differences`` those that other ``sizes`` would.

    >>> from credibly import Predictions, detectable_difference
    >>> old, new = [1] * 70 + [0] * 30, [1] * 66 + [0] * 4 + [1] * 10 + [0] * 20
    >>> plan = detectable_difference(Predictions.of(outcome={"new": new, "old": old}), difference=0.05)
    >>> plan.pilot_n, plan.n, round(plan.detectable, 3)
    (100, 438, 0.104)
    """

    row_keys = "n cases pilot_n observed detectable method"

    measure: str
    title: str
    names: tuple[str, ...]
    difference: float
    power: float
    n: int
    unit: str
    cases: float
    pilot_n: int
    observed: float
    detectable: float
    confidence_level: float
    method: str
    sizes: Floats
    differences: Floats
    findings: tuple[Finding, ...] = ()

    def heading(self) -> str:
        """Say how many are needed."""
        return (
            f"{count(self.n, self.unit)} show a difference of {self.difference:g} in "
            f"{lower_first(self.title)} with a power of {self.power:g}"
        )

    def remarks(self) -> Iterator[str]:
        """Say what the pilot itself could have shown."""
        yield (
            f"The pilot of {count(self.pilot_n, self.unit)} shows one of "
            f"{number_text(self.detectable)} as often."
        )


@door
def detectable_difference(
    a: Predictions | Mapping[str, Predictions],
    b: Predictions | None = None,
    measure: MeasureName | Measure | None = None,
    *,
    difference: float | None = None,
    power: float = 0.8,
    average: Average | None = None,
    confidence_level: float = 0.95,
) -> PairPlan:
    """Return how many cases show a difference between two models, by a pilot of both on the same cases.

    The variance of the difference is that of the test which :func:`credibly.compare` makes of the pilot:
    of proportions by the cases on which the models disagree, of means and areas case by case, with
    groups by group.

    Parameters
    ----------
    a, b
        Predictions, or outcomes, of two models for the same cases; or as ``a`` alone a dictionary of both
        by name, or predictions with a ``model`` column.
    measure
        What is compared; by default the measure that :func:`credibly.compare` takes.
    difference
        The difference that should be found; by default that of the pilot.
    power
        The probability that it is found.
    average
        How a measure of one class is averaged over all classes.
    confidence_level
        One minus the level of the two-sided test.

    >>> import numpy as np
    >>> from credibly import Predictions
    >>> rng = np.random.default_rng(1)
    >>> old = rng.normal(size=100)
    >>> p = Predictions.of(outcome={"new": old + rng.normal(0.1, 0.5, 100), "old": old}, better="higher")
    >>> print(str(detectable_difference(p, difference=0.1)).splitlines()[0])
    197 cases show a difference of 0.1 in mean outcome with a power of 0.8
    """
    wanted = float(require("power", power, between(0, 1)))
    given = a if b is None else {"first": as_predictions(a, "detectable_difference"), "second": b}
    models = models_by_name(given, "detectable_difference")
    if len(models) != 2:
        raise ParameterError(f"A pilot is of two models; got {len(models)}: {', '.join(models)}.")
    m, over = measure_of(measure, average, models)
    found = compare(models, measure=m, average=over, confidence_level=confidence_level)
    cases, said = same_cases(models, m, over)
    p = cases.models[0]
    grouped = p.clusters is not None and p.grouping is not None
    units = cluster_count(p) or round(p.cases)
    if not isinstance(found, TestResult):
        raise ParameterError("A pilot is of two models.")
    apart = (
        abs(found.difference)
        if difference is None
        else float(require("difference", difference, above(0)))
    )
    if not apart:
        raise DataError(
            "The models of the pilot do not differ.",
            remedy=says("Name the difference that matters with <difference=...>."),
        )
    of = _power(found, units, 1 - confidence_level)
    n = smallest(int, lambda size: of(apart, size) >= wanted, f"a power of {wanted:g}", fewest=2)
    sizes = np.unique(np.geomspace(max(8, min(n, units) / 4), 4 * max(n, units), 40).round())
    if units < MIN_UNITS:
        said.append(ROUGH_PILOT(n=units, unit=f"{'group' if grouped else 'case'}s"))
    return PairPlan(
        found.measure, m.title, found.names, apart, wanted, n, "group" if grouped else "case",
        round(n * p.cases / units), units, found.difference, _smallest_shown(of, units, wanted),
        confidence_level, found.title, sizes,
        np.array([_smallest_shown(of, int(size), wanted) for size in sizes]), tuple(said),
    )  # fmt: skip


def _power(found: TestResult, units: int, alpha: float) -> Power:
    """Return the power by the difference and the number of units, from what the pilot shows of its variance."""
    told: Mapping[str, Any] = found.parameters
    if "only_first" in told:
        either = (told["only_first"] + told["only_second"]) / found.n

        def of_flips(difference: float, n: int) -> float:
            sides = [max((either + side * difference) / 2, 0.0) for side in (1, -1)]
            share = max(sum(sides), difference, 1e-12)  # a difference needs as many flips
            both = (share + difference) / 2, (share - difference) / 2
            return discordant_power(*both, n, "connor", alpha, 2) if share <= 1 else 1.0

        return of_flips
    error = error_of_difference(found)
    if error is None:
        raise DataError(
            f"The pilot gives no variance of the difference: {found.why_no_interval or 'there is none'}."
        )
    deviation = error * float(np.sqrt(units))
    return lambda difference, n: power_by_t(difference, deviation, n, alpha, 2, paired=True)


def _smallest_shown(power: Power, n: int, wanted: float) -> float:
    """Return the smallest difference that so many units show with this power."""
    low, high = 0.0, 1e-9
    while power(high, n) < wanted:
        low, high = high, 2 * high
        if high > 1e300:
            return float("nan")
    return root(lambda difference: power(difference, n) - wanted, low, high, halvings=MAX_HALVINGS)
