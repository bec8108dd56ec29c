"""The bootstrap of any function of rows, beside measures of predictions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.parameters import require, whole
from credibly._core.seeds import seed_of
from credibly._core.text import count, interval_text, number_text, percent
from credibly.errors import DataError, ParameterError
from credibly.intervals.bootstrap import MIN_REPLICATES, Bootstrap, Kind
from credibly.intervals.findings import ROWS_WITHOUT_NUMBERS, UNDEFINED_REPLICATES
from credibly.intervals.statistics import Statistic, statistics
from credibly.predictions.labels import as_array
from credibly.predictions.numbers import predicted
from credibly.results.interval import Interval
from credibly.results.result import Cells, Result


class RowBootstrap(Result):
    """Replicates of any function of rows."""

    value: float
    replicates: Floats
    name: str = "function"
    n: int = 0
    confidence_level: float = 0.95
    findings: tuple[Finding, ...] = ()

    json_keys = "name n value standard_error interval=limits? replicates findings"

    @property
    def heading(self) -> str:
        """Say what was drawn."""
        return f"{self.name} of {count(self.n, 'row')}, {len(self.replicates):,} replicates"

    @property
    def standard_error(self) -> float:
        """Standard deviation of the replicates that are defined, divisor B - 1."""
        drawn = self.replicates[~np.isnan(self.replicates)]
        return float(drawn.std(ddof=1)) if drawn.size >= MIN_REPLICATES else math.nan

    @property
    def limits(self) -> Interval | None:
        """The percentile interval, if the replicates vary."""
        try:
            return self.interval(confidence_level=self.confidence_level)
        except DataError:
            return None

    def cells(self) -> Cells:
        """Return value, standard error and interval."""
        level = f"{percent(self.confidence_level)} interval"
        shown = interval_text(None, self.limits)
        texts = [number_text(self.value), number_text(self.standard_error), shown]
        return ["value", "standard error", level], [texts]

    def interval(self, *, confidence_level: float = 0.95, kind: Kind = "percentile") -> Interval:
        """Return the percentile, basic or mirrored interval, or BCa without acceleration."""
        whole_panel = Bootstrap(
            (self.name,), np.array([self.value]), self.replicates[:, None], np.zeros(1)
        )
        return whole_panel.interval(self.name, confidence_level=confidence_level, kind=kind)


@door
def bootstrap_rows(
    function: str | Statistic | Callable[..., float],
    *columns: ArrayLike,
    replicates: int = 2000,
    rng: int | np.random.Generator,
    confidence_level: float = 0.95,
) -> RowBootstrap:
    """Resample rows of columns together and apply any function to them.

    Parameters
    ----------
    function
        A name from ``credibly list statistics`` such as ``"quantile(q=0.9)"``, which leaves out rows
        without a number; or a function of arrays.
    columns
        What it takes, row by row.
    replicates
        How often rows are drawn.
    rng
        Seed of the draws.
    confidence_level
        Confidence level of the interval.

    >>> b = bootstrap_rows("median", [1.0, 2.0, 4.0, 8.0, 16.0], replicates=200, rng=1)
    >>> b.value, bootstrap_rows(np.median, [1.0, 2.0, 4.0, 8.0, 16.0], rng=1).value
    (4.0, 4.0)
    """
    from credibly._kernels.draws import multinomial_weights

    require("replicates", replicates, whole(MIN_REPLICATES))
    arrays = [as_array(c, "a column") for c in columns]
    chosen = statistics.parse(function) if isinstance(function, str | Statistic) else function
    name = "function"
    said: list[Finding] = []
    if isinstance(chosen, Statistic):
        name = chosen.call
        arrays, said = _complete(chosen, arrays)
    n = len(arrays[0]) if arrays else 0
    if n < MIN_REPLICATES or any(len(a) != n for a in arrays):
        raise DataError(
            f"Columns must have the same length, at least {MIN_REPLICATES}; they have {[len(a) for a in arrays]}."
        )
    seed, values = seed_of(rng), []
    for r in range(replicates):
        drawn = np.repeat(np.arange(n), multinomial_weights(n, seed=seed, first=r, count=1)[0])
        values.append(float(chosen(*(a[drawn] for a in arrays))))
    made = np.array(values)
    findings = (*said, *_undefined(name, made))
    return RowBootstrap(float(chosen(*arrays)), made, name, n, confidence_level, findings)


def _complete(chosen: Statistic, arrays: list[NDArray[Any]]) -> tuple[list[Floats], list[Finding]]:
    """Return columns of numbers without the rows that lack one, and say how many these are."""
    if len(arrays) != chosen.width:
        raise ParameterError(
            f"{chosen.title} takes {count(chosen.width, 'column')}; got {len(arrays)}."
        )
    numbers = [predicted(a, "a column") for a in arrays]
    if len({len(a) for a in numbers}) > 1:
        return numbers, []
    kept = np.logical_and.reduce([np.isfinite(a) for a in numbers])
    lost = int(kept.size - kept.sum())
    findings = [ROWS_WITHOUT_NUMBERS(rows=count(lost, "row"), n=kept.size)] if lost else []
    return [a[kept] for a in numbers], findings


def _undefined(name: str, replicates: Floats) -> list[Finding]:
    lost = int(np.isnan(replicates).sum())
    if not lost:
        return []
    told = {"measure": name, "undefined": lost, "all": replicates.size, "why": ""}
    return [UNDEFINED_REPLICATES(**told, remedy="Check whether so few different rows are enough.")]
