"""Can predicted numbers be believed as far as they say: prediction intervals, quantiles, distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.seeds import seed_of
from credibly._core.text import interval_text, number_text, percent, pvalue_text, some_rows
from credibly.calibration.findings import (
    COVERAGE,
    COVERAGE_NOT_AS_PROMISED,
    CROSSING_QUANTILES,
)
from credibly.calibration.groups import small_groups, wilson_limits
from credibly.errors import DataError, ParameterError
from credibly.intervals.proportions import wilson
from credibly.intervals.quantiles import chi_square_tail
from credibly.predictions.labels import as_array
from credibly.results.formats import by_row
from credibly.results.interval import Interval
from credibly.results.result import Cells, Result


class IntervalCoverage(Result):
    """How often prediction intervals of a nominal level held the truth, and how wide they were.

    >>> c = interval_coverage([1.0, 2.0, 3.0, 9.0], [0, 1, 2, 3], [2, 3, 4, 5], nominal=0.8)
    >>> c.coverage, c.width, c.below, c.above
    (0.75, 2.0, 0.0, 0.25)
    """

    nominal: float
    coverage: float
    interval: Interval
    below: float
    above: float
    width: float
    width_interval: Interval | None
    score: float
    n: int
    findings: tuple[Finding, ...] = ()

    def heading(self) -> str:
        """Say what was promised, and of how many cases."""
        return f"Prediction intervals of {percent(self.nominal)}, {self.n:,} cases"

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        return ["", "value"], [
            ["coverage", interval_text(self.coverage, self.interval)],
            ["truth below", number_text(self.below)],
            ["truth above", number_text(self.above)],
            ["mean width", interval_text(self.width, self.width_interval)],
            ["interval score", number_text(self.score)],
        ]


@door
def interval_coverage(
    y_true: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    *,
    nominal: float,
    confidence_level: float = 0.95,
) -> IntervalCoverage:
    """Judge prediction intervals: coverage with Wilson's interval, misses on either side, width, score.

    The interval score is the mean width and 2 / (1 - nominal) times how far the truth lies outside
    (Gneiting and Raftery 2007); lower is better.

    >>> print(interval_coverage([1.0, 2.0, 3.0, 9.0], [0, 1, 2, 3], [2, 3, 4, 5], nominal=0.8))
    Prediction intervals of 80 %, 4 cases
                    value
    coverage        0.750 [0.301, 0.954]
    truth below     0
    truth above     0.25
    mean width      2
    interval score  12
      note: 0.75 of the true values lie within the intervals, close to the nominal 0.8.
    """
    _need_share("nominal", nominal)
    y, lower, upper = _columns(y_true=y_true, low=low, high=high)
    if (lower > upper).any():
        crossed = np.flatnonzero(lower > upper)
        raise DataError(f"low is above high in {some_rows(crossed.tolist())}.")
    below, above = y < lower, y > upper
    held = float((~below & ~above).sum())
    limits = wilson(held, y.size, confidence_level)
    outside = np.maximum(lower - y, 0) + np.maximum(y - upper, 0)
    width = upper - lower
    score = float((width + 2 / (1 - nominal) * outside).mean())
    return IntervalCoverage(
        nominal,
        held / y.size,
        limits,
        float(below.mean()),
        float(above.mean()),
        float(width.mean()),
        _mean_interval(width, confidence_level),
        score,
        y.size,
        (_promised(held / y.size, limits, nominal),),
    )


class QuantileCalibration(Result):
    """Share of the truth at or below predicted quantiles, beside their levels, with pinball losses.

    >>> q = quantile_calibration([1.0, 2.0, 3.0, 4.0], [[0, 2], [1, 3], [2, 3], [5, 6]], [0.25, 0.75])
    >>> q.observed.tolist()
    [0.25, 1.0]
    """

    levels: Floats
    observed: Floats
    low: Floats
    high: Floats
    loss: Floats
    n: int
    confidence_level: float
    findings: tuple[Finding, ...] = ()

    json_keys = "n confidence_level quantiles=rows findings"
    row_columns = "level=levels observed low high pinball_loss=loss"

    def heading(self) -> str:
        """Say how many cases there are."""
        return f"Quantiles, {self.n:,} cases"

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        body = []
        for row in self.rows():
            limits = Interval(row["low"], row["high"], self.confidence_level, "Wilson")
            shown = interval_text(row["observed"], limits)
            body.append([f"{row['level']:g}", shown, number_text(row["pinball_loss"])])
        return ["level", "at or below", "pinball loss"], body


@door
def quantile_calibration(
    y_true: ArrayLike,
    quantiles: ArrayLike,
    levels: Sequence[float],
    *,
    confidence_level: float = 0.95,
) -> QuantileCalibration:
    """Judge predicted quantiles, one column per level: how often the truth was at or below each.

    >>> print(quantile_calibration([1.0, 2.0, 3.0, 4.0], [[2.5]] * 4, [0.5]))
    Quantiles, 4 cases
    level  at or below           pinball loss
    0.5    0.500 [0.150, 0.850]  0.5
    """
    (y,) = _columns(y_true=y_true)
    at = np.asarray(levels, np.float64)
    q = np.asarray(as_array(quantiles, "quantiles"), np.float64)
    if q.shape != (y.size, at.size) or not np.isfinite(q).all():
        raise DataError(
            f"quantiles must be finite, one row per case and one column per level ({y.size} x {at.size}); got shape {q.shape}."
        )
    for level in at.tolist():
        _need_share("levels", level)
    if (np.diff(at) <= 0).any():
        raise ParameterError(f"levels must increase; got {at.tolist()}.")
    reached = (y[:, None] <= q).sum(axis=0)
    low, high = wilson_limits(reached, y.size, confidence_level)
    away = y[:, None] - q
    loss = np.maximum(at * away, (at - 1) * away).mean(axis=0)
    crossed = int((np.diff(q, axis=1) < 0).any(axis=1).sum())
    findings = (CROSSING_QUANTILES(crossed=crossed, n=y.size),) if crossed else ()
    return QuantileCalibration(
        at, reached / y.size, low, high, loss, y.size, confidence_level, findings
    )


class Pit(Result):
    """Probability integral transforms: where in its predicted distribution each truth lies.

    Uniform if the distributions are right (Dawid 1984); heaped at both ends if they are too narrow, in
    the middle if too wide. ``pvalue`` is of the chi-square test of equal heights.

    >>> pit_histogram([0.1, 0.4, 0.6, 0.9], bins=2).counts.tolist()
    [2.0, 2.0]
    """

    values: Floats
    edges: Floats
    counts: Floats
    low: Floats
    high: Floats
    statistic: float
    pvalue: float
    confidence_level: float
    findings: tuple[Finding, ...] = ()

    json_keys = "n=values.size bars=rows statistic pvalue confidence_level findings"

    @property
    def density(self) -> Floats:
        """Height of each bar where 1 is what right distributions give."""
        return self.counts / self.counts.sum() * self.counts.size

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary per bar."""
        names = ("from", "to", "cases", "density", "low", "high")
        columns = (self.edges[:-1], self.edges[1:], self.counts, self.density, self.low, self.high)
        return by_row(dict(zip(names, columns, strict=True)))

    def heading(self) -> str:
        """Say how many cases there are."""
        return f"Probability integral transforms, {self.values.size:,} cases"

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        return ["", "cases", "density"], [
            [f"{r['from']:.3g} - {r['to']:.3g}", f"{r['cases']:g}", number_text(r["density"])]
            for r in self.rows()
        ]

    def remarks(self) -> list[str]:
        """Say what the test of equal heights found."""
        tested = f"chi-square {number_text(self.statistic)}, p-value {pvalue_text(self.pvalue)}"
        return [f"{tested} for equal heights"]


@door
def pit_histogram(values: ArrayLike, bins: int = 10, *, confidence_level: float = 0.95) -> Pit:
    """Put probability integral transforms into bars of equal width, with Wilson's intervals.

    The transforms themselves: :func:`pit_of_normal`, :func:`pit_of_samples`, or any distribution's
    function at the truth.

    >>> pit_histogram(pit_of_normal([0.0, 1.0], mean=[0, 0], deviation=[1, 1]), bins=1).counts.tolist()
    [2.0]
    """
    (z,) = _columns(values=values)
    if (z < 0).any() or (z > 1).any():
        wrong = np.flatnonzero((z < 0) | (z > 1))
        raise DataError(
            f"Transforms must lie between 0 and 1; {some_rows(wrong.tolist())} does not."
        )
    if not isinstance(bins, int) or isinstance(bins, bool) or not 1 <= bins <= z.size:
        raise ParameterError(
            f"bins must be from 1 to the number of cases ({z.size}); got {bins!r}."
        )
    counts, edges = np.histogram(z, bins, (0.0, 1.0))
    expected = z.size / bins
    statistic = float(((counts - expected) ** 2 / expected).sum())
    p = chi_square_tail(statistic, bins - 1) if bins > 1 else np.nan
    low, high = (bins * end for end in wilson_limits(counts, z.size, confidence_level))
    return Pit(
        z,
        edges,
        counts.astype(np.float64),
        low,
        high,
        statistic,
        p,
        confidence_level,
        small_groups(np.full(bins, expected), "bars"),
    )


@door
def pit_of_normal(y_true: ArrayLike, mean: ArrayLike, deviation: ArrayLike) -> Floats:
    """Return where each truth lies in its normal distribution.

    >>> pit_of_normal([1.0], mean=[1.0], deviation=[2.0]).tolist()
    [0.5]
    """
    from scipy.special import ndtr

    y, centre, spread = _columns(y_true=y_true, mean=mean, deviation=deviation)
    if (spread <= 0).any():
        wrong = np.flatnonzero(spread <= 0)
        raise DataError(f"deviation must be above 0; it is not in {some_rows(wrong.tolist())}.")
    return np.asarray(ndtr((y - centre) / spread))


@door
def pit_of_samples(
    y_true: ArrayLike, samples: ArrayLike, *, rng: int | np.random.Generator
) -> Floats:
    """Return where each truth lies among samples from its distribution, one row of samples per case.

    Between the samples below and above, and among those that equal the truth, the place is random:
    only so are the transforms of right distributions uniform.

    >>> pit_of_samples([1.0], [[0.0, 2.0]], rng=1).round(3).tolist()
    [0.504]
    """
    (y,) = _columns(y_true=y_true)
    drawn = np.asarray(as_array(samples, "samples"), np.float64)
    if drawn.ndim != 2 or len(drawn) != y.size or not drawn.size or not np.isfinite(drawn).all():
        raise DataError(
            f"samples must be finite, one row per case ({y.size}); got shape {drawn.shape}."
        )
    below = (drawn < y[:, None]).sum(axis=1)
    same = (drawn == y[:, None]).sum(axis=1)
    chance = np.random.default_rng(seed_of(rng)).random(y.size)
    return (below + chance * (same + 1)) / (drawn.shape[1] + 1)


def _columns(**given: ArrayLike) -> list[Floats]:
    """Return finite columns of one length, at least one case."""
    columns = {name: np.asarray(as_array(c, name), np.float64) for name, c in given.items()}
    first = next(iter(columns.values()))
    for name, column in columns.items():
        if column.ndim != 1 or column.size != first.size or not column.size:
            raise DataError(
                f"{name} must be a list of numbers as long as the others, at least one; got shape {column.shape}."
            )
        if not np.isfinite(column).all():
            wrong = np.flatnonzero(~np.isfinite(column))
            raise DataError(f"{name} is not a finite number in {some_rows(wrong.tolist())}.")
    return list(columns.values())


def _need_share(name: str, value: float) -> None:
    if not isinstance(value, int | float) or not 0 < value < 1:
        raise ParameterError(f"{name} must be between 0 and 1; got {value!r}.")


def _mean_interval(values: Floats, confidence_level: float) -> Interval | None:
    """Student's interval of a mean of widths; none where nothing varies."""
    from credibly.intervals.quantiles import student_quantile

    if values.size < 2 or np.ptp(values) <= 1e-12 * np.abs(values).max():
        return None
    error = float(values.std(ddof=1) / np.sqrt(values.size))
    half = error * student_quantile((1 - confidence_level) / 2, values.size - 1)
    mean = float(values.mean())
    return Interval(mean - half, mean + half, confidence_level, "Student's t").within(0, np.inf)


def _promised(coverage: float, limits: Interval, nominal: float) -> Finding:
    if limits.low <= nominal <= limits.high:
        return COVERAGE(coverage=coverage, nominal=nominal)
    too = "narrow" if coverage < nominal else "wide"
    return COVERAGE_NOT_AS_PROMISED(coverage=coverage, nominal=nominal, too=too)
