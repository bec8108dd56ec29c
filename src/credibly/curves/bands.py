"""Bands around a curve: each way to make them declared once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.declared import Declarator, DeclaredFunction, Registry
from credibly._core.doors import check_confidence
from credibly._core.parameters import require, whole
from credibly.curves.result import Band, even_steps, interpolate, spread
from credibly.errors import DataError, ParameterError
from credibly.intervals.bootstrap import too_many_undefined
from credibly.intervals.replicates import Replicates
from credibly.predictions import Predictions
from credibly.predictions.summaries import ScoreTable

if TYPE_CHECKING:
    from credibly.curves._declare import CurveKind
    from credibly.curves.result import Curve


EFRON = (
    "Efron, B. & Tibshirani, R. J. (1993) An Introduction to the Bootstrap. Chapman & Hall, ch. 13."
)
DAVISON = "Davison, A. C. & Hinkley, D. V. (1997) Bootstrap Methods and their Application, sec. 4.2.4. Cambridge University Press."
CAMPBELL = "Campbell, G. (1994) Advances in statistical methodology for the evaluation of diagnostic and laboratory tests. Statistics in Medicine 13, 499-508."
MACSKASSY = "Macskassy, S. A., Provost, F. & Rosset, S. (2005) ROC confidence bands: an empirical evaluation. ICML, 537-544."

SCORE_PIECES = 512  # of neighbouring scores: far finer than any band is wide
BAND_POINTS = 200
MIN_ERROR_SHARE = 0.1


def counts_independent(p: Predictions) -> bool:
    """Whether cases are independent and their weights, if any, count them."""
    return p.clusters is None and p.weight_kind != "importance"


@dataclass(frozen=True, slots=True, eq=False)
class BandRequest:
    """A curve that is to get a band, and what it was drawn from."""

    curve: Curve
    kind: CurveKind
    predictions: Predictions
    prevalence: float | None
    confidence_level: float
    seed: int
    replicates: int

    def grid(self) -> Floats:
        """Return the x at which limits are computed: even steps, and points spread along the curve."""
        x = self.curve.x
        own = x[spread(x, self.curve.y, BAND_POINTS)]
        return np.unique(np.concatenate([own, even_steps(x, BAND_POINTS // 2)]))

    def points_of_replicates(self) -> tuple[Floats, Floats]:
        """Return x and y of the curve in each replicate (row)."""
        draws = self._draws()
        if self.kind.reads is not ScoreTable:
            values = draws.one_by_one(self._resampled)
            return np.broadcast_to(self.grid(), values.shape), values
        t = draws.tables(SCORE_PIECES)
        t = t if self.prevalence is None else t.at_prevalence(self.prevalence)
        points = self.kind.of_summary(t)
        both = (t.positives > 0) & (t.negatives > 0)
        if why := too_many_undefined(np.where(both, 0.0, np.nan), self.confidence_level):
            raise DataError(f"The curve has no band: {why}.")
        return (points.x, points.y) if both.all() else (points.x[both], points.y[both])

    def replicated(self) -> tuple[Floats, Floats]:
        """Return x where every replicate is defined, and the replicates there (rows)."""
        at = self.grid()
        x, y = self.points_of_replicates()
        rows = [interpolate(at, *each, self.kind.drawn) for each in zip(x, y, strict=True)]
        values = np.array(rows)
        kept = ~np.isnan(values).any(axis=0)
        return at[kept], values[:, kept]

    def _resampled(self, p: Predictions) -> Floats:
        points = self.kind.of_summary(self.kind.reads.of(p, self.kind.name))
        return interpolate(self.grid(), points.x, points.y, self.kind.drawn)

    def _draws(self) -> Replicates:
        require("replicates", self.replicates, whole(2))
        p = self.predictions.known().scored()
        return Replicates(p, self.seed, self.replicates, stratified=False)

    def refuse_dependent(self, name: str) -> None:
        """Refuse cases in groups and importance weights, for a band that counts independent cases."""
        if counts_independent(self.predictions):
            return
        raise ParameterError(
            f"The band {name} is for independent cases, not for groups or weights: use simultaneous."
        )

    def band(self, x: Floats, low: Floats, high: Floats, method: str, *, whole: bool) -> Band:
        """Make the band."""
        return Band(x, low, high, self.confidence_level, method, simultaneous=whole)


class BandMethod(DeclaredFunction[[BandRequest], "Band"]):
    """A way to make a band; ``only`` names the curves it is for."""

    cite: str
    only: tuple[str, ...] = ()
    random: bool = False


band_methods: Registry[BandMethod] = Registry(
    "band method",
    "credibly.curves",
    use="curve(p, 'roc', band={name!r})",
    typed="curve roc FILE --band {name}",
)
band_method = Declarator(BandMethod, band_methods)


def make_band(how: str, wanted: BandRequest) -> Band:
    """Make a band by the method of a name, if it is one for this curve."""
    check_confidence(wanted.confidence_level)
    method = band_methods[how]
    if method.only and wanted.kind.name not in method.only:
        fit = [m.name for m in band_methods if not m.only or wanted.kind.name in m.only]
        raise ParameterError(
            f"The band {method.name} is for {', '.join(method.only)}; for {wanted.kind.name} there are: {', '.join(fit)}.",
            choices=fit,
        )
    return method(wanted)


@band_method("Bootstrap, point by point", cite=EFRON, random=True)
def pointwise(w: BandRequest) -> Band:
    """Quantiles of the replicates at each x: right for one x that was chosen beforehand."""
    x, values = w.replicated()
    tail = (1 - w.confidence_level) / 2
    low, high = np.quantile(values, [tail, 1 - tail], axis=0)
    return w.band(x, low, high, f"bootstrap, percentile, {w.replicates} replicates", whole=False)


@band_method("Bootstrap, the whole curve", cite=DAVISON, random=True)
def simultaneous(w: BandRequest) -> Band:
    """So many standard errors on either side that whole replicates lie within, at every x.

    A standard error counts for no less than a tenth of the largest one: near the ends of a curve, where
    replicates hardly vary, they are no guide to where the truth may be.
    """
    x, values = w.replicated()
    middle, error = w.curve.at(x), values.std(axis=0, ddof=1)
    error = np.maximum(error, MIN_ERROR_SHARE * error.max())
    with np.errstate(invalid="ignore"):  # where nothing varies at all
        worst = np.nan_to_num(np.abs(values - middle) / error).max(axis=1)
    half = np.quantile(worst, w.confidence_level) * error
    low, high = (np.clip(middle + side * half, *w.kind.range) for side in (-1, 1))
    method = f"bootstrap, largest studentised distance, {w.replicates} replicates"
    return w.band(x, low, high, method, whole=True)


@band_method("Kolmogorov-Smirnov distances", cite=CAMPBELL, only=("roc",))
def ks(w: BandRequest) -> Band:
    r"""Both rates moved by the largest distance that sampling gives their distributions at this confidence.

    Each distance is $\sqrt{\ln(2/\alpha') / 2n}$ (Dvoretzky, Kiefer, Wolfowitz; Massart) with
    $(1 - \alpha')^2$ the confidence level: it holds for any number of independent cases, and is wide.
    """
    w.refuse_dependent("ks")
    t = ScoreTable.of(w.predictions)
    tail = 1 - math.sqrt(w.confidence_level)
    right, up = (math.sqrt(math.log(2 / tail) / (2 * n)) for n in (t.negatives, t.positives))
    x, c = w.grid(), w.curve
    high = np.interp(x + right, c.x, c.y) + up
    low = np.interp(x - right, c.x, c.y) - up
    # Left of where the curve can have begun, nothing is known but that a rate is not below 0.
    low = np.where(x < right, 0.0, low)
    return w.band(
        x, np.clip(low, 0, 1), np.clip(high, 0, 1), "Kolmogorov-Smirnov distances", whole=True
    )


@band_method("Fixed width", cite=MACSKASSY, only=("roc",), random=True)
def fixed_width(w: BandRequest) -> Band:
    r"""The curve moved up and left, and down and right, by one distance, so that whole replicates lie between.

    It moves along the slope $-\sqrt{N/P}$, in which both rates vary alike (Campbell). In coordinates
    along and across that direction a curve is a function, so the distance is a largest difference.
    """
    t = ScoreTable.of(w.predictions)
    across, upward = math.sqrt(t.negatives), math.sqrt(t.positives)

    def turned(x: Floats, y: Floats) -> tuple[Floats, Floats]:
        return (x * across + y * upward) / 2, (y * upward - x * across) / 2

    along, height = turned(w.curve.x, w.curve.y)
    at = np.linspace(along[0], along[-1], BAND_POINTS)
    middle = np.interp(at, along, height)
    drawn = zip(*turned(*w.points_of_replicates()), strict=True)
    distance = [np.abs(np.interp(at, *each) - middle).max() for each in drawn]
    d = float(np.quantile(distance, w.confidence_level))
    x = w.grid()
    sides = (
        np.interp(x, (at - middle - move) / across, (at + middle + move) / upward)
        for move in (-d, d)
    )
    low, high = (np.clip(side, 0, 1) for side in sides)
    return w.band(x, low, high, f"fixed width, {w.replicates} replicates", whole=True)
