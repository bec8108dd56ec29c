"""The bootstrap: other weights, same formula.

A replicate gives each case a random weight, and a measure on it is the same function of the re-weighted
summary. So a whole panel of measures needs one sort and one linear pass per replicate, and a table of
labels no pass at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from credibly._core.arrays import ROUNDING, Floats, dot
from credibly._core.averages import Average
from credibly._core.doors import check_confidence, door
from credibly._core.parameters import one_of, require, whole
from credibly._core.seeds import seed_of
from credibly._core.text import count, number_text
from credibly._kernels import Device
from credibly._kernels.device import checked_device
from credibly._kernels.draws import worth_kernels
from credibly._kernels.threads import at_most, spread, together
from credibly.errors import DataError, ParameterError, says
from credibly.intervals._declare import EstimateRequest, RefusalError, interval_method
from credibly.intervals.influence import condensed, influence
from credibly.intervals.replicates import Replicates
from credibly.intervals.standard_errors import measure_error, unit_of
from credibly.measures import Measure, measures as all_measures
from credibly.predictions import Predictions
from credibly.predictions.labels import ROWS_PER_BLOCK, distinct
from credibly.predictions.parts import cluster_count
from credibly.results.formats import by_row
from credibly.results.interval import Interval
from credibly.results.result import Cells, Result

Kind = Literal["percentile", "basic", "bca", "studentised", "mirrored"]
KIND_RULE = one_of("percentile", "basic", "bca", "studentised", "mirrored")
KIND_TITLES = {"bca": "BCa", "mirrored": "mirrored squares"}
MIN_REPLICATES = 2
# Times a tail: the mean beyond this is the normal quantile at the tail (0.5 to 5 %).
TAIL_FACTOR = 2.5
ANGLE_LIMIT = 0.8  # angle (a share of 0.7) up to which chance lifts a gap noticeably; simulated
MIN_CASES_PER_ROW = 4  # from which on counted rows are drawn as they are


class Bootstrap(Result):
    """Values of measures (columns) in replicates (rows), beside the values themselves.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0] * 25, probability=[0.9, 0.4, 0.6, 0.1] * 25)
    >>> b = bootstrap(p, ["accuracy", "auc"], replicates=500, rng=1)
    >>> b.values.tolist(), b.replicates.shape
    ([0.5, 0.75], (500, 2))
    """

    names: tuple[str, ...]
    values: Floats
    replicates: Floats
    accelerations: Floats
    error: Floats | None = None
    replicate_errors: Floats | None = None
    measures: tuple[Measure, ...] = ()

    json_keys = "names values standard_errors replicates"

    def heading(self) -> str:
        """Say how many replicates there are."""
        return f"{len(self.replicates):,} replicates"

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary per replicate, with the value of each measure."""
        return by_row(dict(zip(self.names, self.replicates.T, strict=True)))

    def cells(self) -> Cells:
        """Return header and body: each measure, its value and its standard error."""
        told = zip(self.names, self.values.tolist(), self.standard_errors.tolist(), strict=True)
        body = [[name, number_text(value), number_text(error)] for name, value, error in told]
        return ["measure", "value", "standard error"], body

    @property
    def standard_errors(self) -> Floats:
        """Standard deviation of the replicates (divisor B - 1) of each measure."""
        with np.errstate(invalid="ignore"):  # infinite replicates have none
            return np.nanstd(self.replicates, axis=0, ddof=1)

    def place_of(self, name: str | Measure) -> int:
        """Return the column of a measure, by any of its names.

        >>> import credibly
        >>> p = credibly.Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 1])
        >>> bootstrap(p, ["accuracy", "f1"], rng=1).place_of("f_measure")
        1
        """
        called = str(getattr(name, "call", name))
        if called not in self.names:
            try:
                called = all_measures.parse(name).call
            except ParameterError:  # no measure of that name: that it is not here says as much
                called = ""
        if called not in self.names:
            raise ParameterError(
                f"{str(name)!r} was not bootstrapped; there are: {', '.join(self.names)}.",
                asked=str(name),
                choices=self.names,
            )
        return self.names.index(called)

    def interval(
        self, name: str | Measure, *, confidence_level: float = 0.95, kind: Kind | None = None
    ) -> Interval:
        """Return the interval of one measure, of the kind that fits it unless one is named.

        ``percentile`` takes quantiles of the replicates, ``basic`` mirrors them at the value, ``bca``
        corrects them for bias and skewness (Efron 1987), and ``studentised`` measures each in its own
        standard error (asked for with ``bootstrap(..., studentised=True)``). ``mirrored`` is for
        measures that chance can only lift, such as the largest gap between two distributions, and is
        theirs by default; the others' is ``bca``.
        """
        check_confidence(confidence_level)
        if kind is not None:
            require("kind", kind, KIND_RULE)
        i = self.place_of(name)
        m = self.measures[i] if self.measures else None
        if m is not None and m.no_bootstrap and kind is None:
            raise DataError(
                f"{m.title} does not get an interval from a bootstrap: {m.no_bootstrap}."
            )
        kind = kind or ("mirrored" if m is not None and m.lifted else "bca")
        low, high = self._limits(i, kind, confidence_level)
        if m is not None:
            low, high = (min(max(x, m.range[0]), m.range[1]) for x in (low, high))
        if not low < high:  # at an end of the range: nearly all replicates are as the value is
            raise DataError(
                f"Too few replicates of {self.names[i]} vary, so they give no interval."
            )
        drawn, all_of_them = (
            self.replicates[~np.isnan(self.replicates[:, i]), i],
            len(self.replicates),
        )
        used = f"{drawn.size} of {all_of_them}" if drawn.size < all_of_them else all_of_them
        method = f"bootstrap, {KIND_TITLES.get(kind, kind)}, {used} replicates"
        unit = unit_of(drawn) if np.isfinite(drawn).all() else math.nan  # squares fit a double
        error = None if math.isnan(unit) else unit * float((drawn / unit).std(ddof=1))
        return Interval(low, high, confidence_level, method, standard_error=error)

    def _limits(self, i: int, kind: Kind, confidence_level: float) -> tuple[float, float]:
        value, column = float(self.values[i]), self.replicates[:, i]
        if why := too_many_undefined(column, confidence_level):
            raise DataError(f"{self.names[i]} gets no interval from replicates: {why}.")
        column = column[~np.isnan(column)]
        if column.min() == column.max():
            raise DataError(
                f"The replicates of {self.names[i]} do not vary, so they give no interval."
            )
        tails = [(1 - confidence_level) / 2, (1 + confidence_level) / 2]
        if kind == "studentised":
            return self._studentised(i, tails)
        if kind == "mirrored":
            share = bool(self.measures) and self.measures[i].range == (0, 1)
            return _mirrored(tails, value, column, share=share)
        if kind == "bca":
            tails = _bca_tails(tails, value, column, self.accelerations[i])
        low, high = quantiles_of(column, tails)
        if kind == "basic":
            low, high = 2 * value - high, 2 * value - low
        # A value that the bias of replicates puts outside its own interval is its end.
        return (min(low, value), max(high, value)) if kind == "bca" else (low, high)

    def _studentised(self, i: int, tails: list[float]) -> tuple[float, float]:
        if self.error is None or self.replicate_errors is None:
            raise ParameterError(
                "A studentised interval needs the standard errors of the replicates.",
                remedy=says("Draw them with <studentised=True>."),
            )
        with np.errstate(all="ignore"):
            t = (self.replicates[:, i] - self.values[i]) / self.replicate_errors[:, i]
        t = t[np.isfinite(t)]
        if t.size < MIN_REPLICATES or not self.error[i] > 0:
            raise DataError(f"The replicates of {self.names[i]} have no standard errors.")
        upper, lower = np.quantile(t, tails).tolist()
        value, error = float(self.values[i]), float(self.error[i])
        return value - lower * error, value - upper * error


def too_many_undefined(drawn: Floats, confidence_level: float) -> str:
    """Say that more replicates are undefined than an interval leaves out: its limits could then be anywhere.

    >>> too_many_undefined(np.array([0.1, 0.2, np.nan, 0.3]), 0.95)
    'it is undefined in 1 of 4 replicates, and an interval may leave out 5 % of them'
    >>> too_many_undefined(np.array([0.1, 0.2, np.nan, 0.3]), 0.5)
    ''
    """
    lost, outside = int(np.isnan(drawn).sum()), 1 - confidence_level
    if drawn.size - lost >= MIN_REPLICATES and lost <= outside * drawn.size:
        return ""
    return f"it is undefined in {lost} of {drawn.size} replicates, and an interval may leave out {100 * outside:.4g} % of them"


def bias_of_median(value: float, column: Floats) -> float:
    """Return how far the value is from the median of its replicates, as a normal quantile."""
    sizes = np.abs(np.append(column, value))
    near = ROUNDING * sizes[np.isfinite(sizes)].max(initial=0.0)  # apart in the last digits alone
    below = ((column < value - near).sum() + (column <= value + near).sum()) / 2 / column.size
    edge = 0.5 / column.size  # all replicates on one side: as far as they can tell
    return NormalDist().inv_cdf(min(max(below, edge), 1 - edge))


def quantiles_of(column: Floats, tails: list[float]) -> tuple[float, float]:
    """Return two quantiles of replicates; between infinite ones nothing can be interpolated."""
    if np.isfinite(column).all():
        low, high = np.quantile(column, tails).tolist()
        return low, high
    low = float(np.quantile(column, tails[0], method="lower"))
    high = float(np.quantile(column, tails[1], method="higher"))
    return low, high


def _bca_tails(
    tails: list[float], value: float, column: Floats, acceleration: float
) -> list[float]:
    """Move the tails for the bias of the median and the skewness (Efron & Tibshirani 1993, eq. 14.10)."""
    normal, bias = NormalDist(), bias_of_median(value, column)
    moved = []
    for tail in tails:
        z = bias + normal.inv_cdf(tail)
        moved.append(normal.cdf(bias + z / (1 - acceleration * z)))
    return moved


def _mirrored(
    tails: list[float], value: float, column: Floats, *, share: bool
) -> tuple[float, float]:
    """Mirror the squares of the replicates at the square of the value.

    Chance makes a gap wider, and does so again in every replicate. To its square it adds about as much
    both times, so that what the replicates lie above the value is what the value may lie above the
    truth. Of a share the angle is squared, whose spread stays the same up to 1 (for small ones the
    angle is the share), and beyond ``ANGLE_LIMIT`` it counts as it is: chance lifts a wide gap by little, and
    squares would stretch the tail that ends at 1. The upper limit does not count on chance: it is as
    far above the value as the lower tail of the replicates is below their middle. Tails are means, not
    quantiles: where many replicates are equal, at 1 or because a class is small, a quantile jumps from
    one value to the next with the seed.
    """
    sizes = np.abs(np.arcsin(column) if share else column)
    centre = abs(math.asin(value) if share else value)
    tail, knee = min(1.0, TAIL_FACTOR * tails[0]), ANGLE_LIMIT if share else math.inf
    upper = _mean_between(_squared_below(knee, sizes), 1 - tail, 1)
    left = max(2 * float(_squared_below(knee, np.array([centre]))[0]) - upper, 0.0)
    low = math.sqrt(left) if left <= knee**2 else (left + knee**2) / (2 * knee)
    lower, middle = _mean_between(sizes**2, 0, tail), _mean_between(sizes**2, 0.25, 0.75)
    high = math.sqrt(max(centre**2 + middle - lower, 0.0))
    if share:
        low, high = math.sin(low), math.sin(min(high, math.pi / 2))
    return min(low, value), max(high, value)


def _squared_below(knee: float, sizes: Floats) -> Floats:
    """Return squares up to a size, and beyond it the line that continues them."""
    inside = np.minimum(sizes, knee)
    return inside * (2 * sizes - inside)


def _mean_between(values: Floats, start: float, end: float) -> float:
    """Return the mean of the values from one share of all to another, in their order.

    >>> _mean_between(np.array([4.0, 1.0, 2.0, 3.0]), 0.5, 1), _mean_between(np.array([1.0, 3.0]), 0, 0.75)
    (3.5, 1.6666666666666667)
    """
    shares = np.arange(values.size + 1) / values.size
    weights = np.minimum(shares[1:], end) - np.maximum(shares[:-1], start)
    return float(np.average(np.sort(values), weights=np.maximum(weights, 0)))


def _resampled(predictions: Predictions, chosen: list[Measure]) -> Predictions:
    """Return the rows that are drawn from: cases that count, of more than one group where there are groups."""
    p = predictions.known()
    if all(m.takes != "label" for m in chosen):
        p = p.scored()
    p = p.of_weight()
    if not p.n:
        raise DataError(
            f"None of the {count(predictions.n, 'row')} has a known truth and a prediction, so there is nothing to resample."
        )
    if p.clusters is not None and cluster_count(p) < MIN_REPLICATES:
        raise DataError("All cases belong to one group, so there is nothing to resample.")
    return p


@door
def bootstrap(
    predictions: Predictions,
    measures: str | Measure | Iterable[str | Measure],
    *,
    replicates: int = 2000,
    rng: int | np.random.Generator,
    average: Average | None = None,
    stratified: bool = False,
    studentised: bool = False,
    n_threads: int | None = None,
    device: Device = "cpu",
) -> Bootstrap:
    """Draw replicates of measures, all on the same weights.

    Parameters
    ----------
    predictions
        What to resample: its groups, when it has any, else its cases.
    measures
        One or several measures; a panel costs little more than one.
    replicates
        How many.
    rng
        A seed or a generator. The same seed gives the same replicates on any number of threads.
    average
        How measures of one class are averaged over all classes.
    stratified
        Keep the number of cases of each class. (Each replicate draws a multinomial below 1,000 cases
        and when stratified, and Poisson weights above, which differ by less than Monte Carlo error.)
    studentised
        Also compute the standard error of every replicate, which takes far longer.
    n_threads
        Threads that share the replicates; left out, as many as the process may use
        (``CREDIBLY_NUM_THREADS``, else the limits of numba and OpenMP, else its processors).
    device
        ``"gpu"`` draws Poisson weights on a graphics card: the same ones, so counts and pairs are equal
        to the last bit and other sums to 1e-12.
    """
    require("replicates", replicates, whole(MIN_REPLICATES))
    if n_threads is not None:
        require("n_threads", n_threads, whole(1))
    listed = [measures] if isinstance(measures, str | Measure) else list(measures)
    chosen = [all_measures.parse(m) for m in listed]
    for m in chosen:
        m.check_average(average)
    p = _resampled(predictions, chosen)
    draws = Replicates(
        as_cases(p),
        seed_of(rng),
        replicates,
        stratified=stratified,
        device=checked_device(device),
    )
    columns, accelerations = _drawn(draws, chosen, p, average, n_threads)
    errors: tuple[Floats | None, Floats | None] = (None, None)
    if studentised:
        errors = (
            np.array([_error(m, p, average) for m in chosen]),
            np.column_stack(
                [draws.one_by_one(lambda q, m=m: _error(m, q, average)) for m in chosen]
            ),
        )
    values = [m.on(p, average) for m in chosen]
    return Bootstrap(
        tuple(m.call for m in chosen),
        np.array(values),
        columns,
        accelerations,
        *errors,
        measures=tuple(chosen),
    )


def _drawn(
    draws: Replicates,
    measures: list[Measure],
    p: Predictions,
    average: Average | None,
    n_threads: int | None,
) -> tuple[Floats, Floats]:
    """Return the replicates and, computed beside them, how the error of each measure changes with its value."""
    columns, accelerations = np.empty((draws.count, len(measures))), np.empty(len(measures))
    large = worth_kernels(p.n, draws.count)

    def run(task: int) -> None:
        if task < 0:
            columns[:] = draws.values(measures, average)
        else:
            accelerations[task] = _acceleration(measures[task], rows[task], average)

    with at_most(n_threads), together(large=large):
        rows = [condensed(m, p, average) for m in measures]
        spread(run, range(-1, len(measures)), large=large)
    return columns, accelerations


def as_cases(p: Predictions) -> Predictions:
    """Return a row for each case where counted rows are not much fewer: drawing these is far quicker."""
    if p.weight is None or p.weight_kind != "frequency" or p.clusters is not None:
        return p
    if p.cases > MIN_CASES_PER_ROW * p.n:
        return p
    cases = p.take(np.repeat(np.arange(p.n), p.weight.astype(np.int64)))
    return replace(cases, weight=None, weight_kind="none", cache={})


def _error(m: Measure, p: Predictions, average: Average | None) -> float:
    """Standard error from influence values; NaN where a measure has none."""
    try:
        return measure_error(m, [m.view(p, average)], average)[0]
    except RefusalError:
        return np.nan


def _acceleration(m: Measure, p: Predictions, average: Average | None) -> float:
    values = influence(m, p, average)
    return 0.0 if values is None else acceleration((values, p))


def acceleration(*samples: tuple[Floats, Predictions]) -> float:
    """A sixth of the skewness of influence values, those of samples of other cases put together."""
    parts = [_units(values, p) for values, p in samples]
    means = [float(m.mean() if c is None else np.average(m, weights=c)) for m, c in parts]
    ends = [
        (m.max(initial=at) - at, at - m.min(initial=at))
        for (m, _), at in zip(parts, means, strict=True)
    ]
    largest = max(map(max, ends))
    if largest == 0:
        return 0.0
    second = third = 0.0
    for (m, c), at in zip(parts, means, strict=True):
        for start in range(0, m.size, ROWS_PER_BLOCK):
            rows = slice(start, start + ROWS_PER_BLOCK)
            # A skewness has no unit, so values are scaled first: cubes of large ones overflow.
            moved = (m[rows] - at) / largest
            squares = moved * moved  # numpy raises to the third power a hundred times slower
            counted = squares if c is None else squares * c[rows]
            second, third = second + float(counted.sum()), third + float(dot(counted, moved))
    return third / (6 * second**1.5)


def _units(values: Floats, p: Predictions) -> tuple[Floats, Floats | None]:
    """Return what each thing that is drawn moves, and how many there are of it, if not one of each."""
    if p.clusters is not None:
        moved = np.bincount(distinct(p.clusters).codes, values * p.weights).astype(np.float64)
        return moved, None
    if p.weight_kind == "frequency":
        return values, p.weights
    return values if p.weight is None else values * p.weight, None


EFRON_1997 = "Efron, B. & Tibshirani, R. (1997) Improvements on cross-validation: the .632+ bootstrap method. JASA 92, 548-560."


@interval_method("Delta method after the bootstrap", cite=EFRON_1997)
def delta_after_bootstrap(q: EstimateRequest) -> Interval:  # noqa: ARG001
    """Normal interval of .632, .632+ and optimism by the influence of each case on all of their parts.

    Out of bag it is Efron and Tibshirani's, less the variance of the replicates themselves; of the
    apparent value it is that with the model as it is; of optimism also how often a case is drawn. It
    misses where training values mislead.
    """
    raise RefusalError(
        says(
            "it is for the bootstrap; use <estimate='oob'>, <estimate='632'>, <estimate='632+'> or "
            "<estimate='optimism'>"
        )
    )
