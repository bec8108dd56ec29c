r"""Variances of sums over what follows one another in time, where neighbours are alike.

The variance of a sum over n moments is n times the long-run variance: that of a moment, and twice all
its covariances with later ones. It is the height of the spectrum at frequency 0, and is estimated by the mean
of the squared weights of the first few cosines of a series (equal-weighted cosines). Divided by it, a mean
follows Student's t with as many degrees of freedom as there are cosines, so that few of them cost width
and no coverage.

How many serve depends on how long the memory is. A spectrum of an autoregression beside white noise is fitted
to all cosines (Whittle's likelihood; the noise alone is kept unless it is worse by more than two
parameters cost), and as many cosines are taken as keep the mean height within 3 % of that at 0, up to the 0.4 n^(2/3) of Lazarus et al. and never
fewer than four: a few long waves, where memory is long, as a few long blocks would be. What the fitted spectrum
says is still missing is added. `docs/validity` shows how often such intervals hold.

Lazarus, E., Lewis, D. J., Stock, J. H. & Watson, M. W. (2018) HAR inference: recommendations for practice.
Journal of Business & Economic Statistics 36, 541-559. Whittle, P. (1953) Estimation and information in
stationary time series. Arkiv foer Matematik 2, 423-434.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, dot
from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.intervals._declare import ONE_GROUP, RefusalError
from credibly.intervals.findings import LONG_MEMORY
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct
from credibly.predictions.parts import time_steps
from credibly.results.interval import TimeDependence

MIN_COSINES = 4  # with fewer, Student's t has too few degrees of freedom to be of use
MIN_MOMENTS = 6  # with fewer, there are not that many cosines
MAX_LOSS = 0.03  # of the height at frequency 0 that the mean over the cosines may miss
# Cosines that are looked at one by one; those after them in bins of growing width.
SINGLE_COSINES = 16
COSINE_BINS = 40
# Of the height at frequency 0.
HEIGHT_SHARES = np.array([0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 0.95, 1.0])
FIRST_HALVING = 2.0  # cosine at which the slowest autoregression halves its spectrum
PARAMETER_COST = 4.0  # of two parameters, by Akaike's criterion


def cosine_powers(series: Floats) -> Floats:
    """Return the squared weights of the cosines of a series, from that of half a wave on.

    >>> cosine_powers(np.array([1.0, 0, 0, -1])).round(6).tolist()
    [1.707107, 0.0, 0.292893]
    """
    n = series.size
    mirrored = np.concatenate([series, series[::-1]])
    turned = np.fft.rfft(mirrored)[1:n] * np.exp(-0.5j * np.pi * np.arange(1, n) / n)
    return np.square(turned.real) / (2 * n)


@dataclass(frozen=True, slots=True)
class Spectrum:
    """An autoregression of first order beside white noise, seen in ``n`` moments.

    ``share`` is what the autoregression has of the height at frequency 0, and ``half`` the cosine at which
    its own height is halved: the lower, the longer its memory.
    """

    n: int
    share: float = 0.0
    half: float = math.inf

    @classmethod
    def fitted(cls, powers: Floats) -> Spectrum:
        """Fit it to the squared weights of all cosines, over a grid."""
        n = powers.size + 1
        edges = np.concatenate(
            [np.arange(1, SINGLE_COSINES + 1), np.geomspace(SINGLE_COSINES + 1, n, COSINE_BINS)]
        )
        start = np.unique(np.minimum(np.rint(edges), n).astype(np.intp))
        count = np.diff(start)
        mean = np.add.reduceat(powers, start[:-1] - 1) / count
        middle = (start[:-1] + start[1:] - 1) / 2
        halves = FIRST_HALVING * 1.5 ** np.arange(
            max(1, math.ceil(math.log(n / FIRST_HALVING, 1.5)))
        )
        wave = _wave(middle, np.minimum(halves, n)[:, None], n)
        height = HEIGHT_SHARES[:, None, None] * wave + (1 - HEIGHT_SHARES[:, None, None])
        badness = powers.size * np.log((count * mean / height).sum(axis=-1) / powers.size)
        badness += (count * np.log(height)).sum(axis=-1)
        white = powers.size * math.log((count * mean).sum() / powers.size)
        best = np.unravel_index(badness.argmin(), badness.shape)
        if white <= badness[best] + PARAMETER_COST:
            return cls(n)
        return cls(n, float(HEIGHT_SHARES[best[0]]), float(halves[best[1]]))

    def heights(self, count: int) -> Floats:
        """Return the heights at the first cosines, that at frequency 0 being 1."""
        wave = _wave(np.arange(1, count + 1), min(self.half, self.n), self.n)
        return self.share * wave + 1 - self.share

    @property
    def memory(self) -> float:
        r"""How long blocks must be for what they miss to be small: $\sum |k| R_k / \sum R_k$."""
        if not self.share:
            return 0.0
        c = 2 * math.sin(math.pi * min(self.half, self.n) / 2 / self.n)
        slope = 1 + c * c / 2 - c * math.sqrt(1 + c * c / 4)  # the correlation of neighbours
        return 2 * self.share * slope / (1 - slope * slope)


def _wave(place: Floats | NDArray[np.intp], half: Floats | float, n: int) -> Floats:
    """Return the height of the spectrum of an autoregression, by which share of that at 0."""
    ratio = np.sin(np.pi * place / 2 / n) / np.sin(np.pi * half / 2 / n)
    return np.asarray(1 / (1 + np.square(ratio)))


@dataclass(frozen=True, eq=False)
class LongRun:
    """A series of what moments add to a sum, and how far that sum may be off."""

    series: Floats

    def __post_init__(self) -> None:
        if self.series.size < MIN_MOMENTS:
            raise RefusalError(
                f"{self.series.size} moments are too few to see how neighbours hang together"
            )

    @cached_property
    def unit(self) -> float:
        """The size of the largest number, by which squares are kept within what a double holds."""
        return float(np.abs(self.series).max(initial=0.0)) or 1.0

    @cached_property
    def powers(self) -> Floats:
        """Squared weights of the cosines, in squared units."""
        return cosine_powers(self.series / self.unit)

    @cached_property
    def spectrum(self) -> Spectrum:
        """What is fitted to the cosines."""
        if not self.powers.any():
            return Spectrum(self.series.size)
        return Spectrum.fitted(self.powers)

    @cached_property
    def means(self) -> Floats:
        """Mean heights of the spectrum over the first cosines, for each number of them that may be taken."""
        most = max(MIN_COSINES, round(0.4 * self.series.size ** (2 / 3)))
        return np.cumsum(self.spectrum.heights(most)) / np.arange(1, most + 1)

    @cached_property
    def cosines(self) -> int:
        """How many cosines are taken."""
        enough = np.flatnonzero(self.means >= 1 - MAX_LOSS)
        return max(MIN_COSINES, int(enough[-1]) + 1 if enough.size else 0)

    @property
    def seen(self) -> float:
        """Which share of the long-run variance the cosines show, as far as the fitted spectrum tells."""
        return float(self.means[self.cosines - 1])

    @property
    def error(self) -> float:
        """The standard error of the sum."""
        variance = float(self.powers[: self.cosines].mean()) / self.seen
        return self.unit * math.sqrt(self.series.size * variance)

    @property
    def correlation(self) -> float:
        """The correlation of neighbours; 0 where nothing varies."""
        away = self.series / self.unit
        away = away - away.mean()
        total = float(dot(away, away))
        return float(dot(away[1:], away[:-1])) / total if total else 0.0


def long_memory(what: str, found: TimeDependence) -> tuple[Finding, ...]:
    """Say that the memory is too long for what a long-run variance can show, where it is."""
    if not found.too_long:
        return ()
    moments = count(found.moments, "moment")
    return (LONG_MEMORY(measure=what, moments=moments, effective=found.effective_cases),)


def over_time(moved: Floats, p: Predictions) -> tuple[float, TimeDependence]:
    """Return the standard error of a sum over rows that are in time order, and what it rests on.

    ``moved`` is what each row adds. Rows of one moment are added up first. Groups that follow one another
    are moments themselves. Groups that recur vary in their own right: to the variance over time that
    over groups is added, less what both count, that within a group at one moment.
    """
    steps = time_steps(p)
    groups = None if p.grouping is None else distinct(p.grouping).codes
    if groups is not None and _follow(steps, groups):
        first = np.full(int(groups.max()) + 1, steps.size)
        np.minimum.at(first, groups, steps)
        steps, groups = np.argsort(np.argsort(first))[groups], None
    run = LongRun(np.bincount(steps, moved).astype(np.float64))
    error, freedom = run.error, run.cosines
    if groups is not None:
        over = _error_of(groups, moved)
        both = _error_of(groups.astype(np.int64) * (int(steps.max()) + 1) + steps, moved)
        size = max(error, over, both) or 1.0  # divided out, as squares may not fit a double
        a, b, c = error / size, over / size, both / size
        error = max(error, over, size * math.sqrt(max(a**2 + b**2 - c**2, 0.0)))
        freedom = min(freedom, int(groups.max()))
    plain = _error_of(np.arange(p.n), moved)
    worth = p.cases * (plain / error) ** 2 if error > 0 else math.nan
    facts = run.series.size, run.cosines, freedom, worth, run.correlation
    return error, TimeDependence(*facts, seen=run.seen, memory=run.spectrum.memory)


def _error_of(unit: NDArray[np.intp] | NDArray[np.int64], moved: Floats) -> float:
    """Return the standard error of a sum over units that are independent."""
    size = float(np.abs(moved).max(initial=0.0)) or 1.0
    sums = np.bincount(distinct(unit).codes, moved / size)
    if sums.size < 2:
        raise RefusalError(ONE_GROUP)
    return size * math.sqrt(sums.size) * float(sums.std(ddof=1))


def _follow(steps: NDArray[np.intp], groups: NDArray[np.intp]) -> bool:
    """Whether groups follow one another in time: none begins before the one before it has ended."""
    count = int(groups.max()) + 1
    first, last = np.full(count, steps.size), np.full(count, -1)
    np.minimum.at(first, groups, steps)
    np.maximum.at(last, groups, steps)
    order = np.argsort(first)
    return bool((first[order][1:] > last[order][:-1]).all())
