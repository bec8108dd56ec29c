"""Curves of observed shares against predicted probabilities, with bands."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, evenly
from credibly._core.doors import check_confidence
from credibly._core.parameters import one_of, require
from credibly._core.seeds import seed_of
from credibly._kernels.isotonic import simulated
from credibly.calibration.findings import NO_BAND
from credibly.calibration.logistic import expit, fit_lines
from credibly.calibration.outcomes import Outcomes
from credibly.calibration.statistics import smoothed
from credibly.curves.result import Band, Curve
from credibly.errors import DataError
from credibly.intervals.quantiles import normal_quantile

MAX_LOGIT_ERROR = 8.0  # standard error of a logit at which a share may be anything
BAND_POINTS = 200  # at which a band is kept
X_TITLE, Y_TITLE = "predicted probability", "observed share"
KNOTS = {3: (0.1, 0.5, 0.9), 4: (0.05, 0.35, 0.65, 0.95), 5: (0.05, 0.275, 0.5, 0.725, 0.95)}


def isotonic_curve(
    outcomes: Outcomes,
    *,
    rng: int | np.random.Generator | None = None,
    replicates: int = 1000,
    confidence_level: float = 0.9,
) -> Curve:
    """Return the isotonic (CORP) reliability curve; with ``rng``, also its consistency band.

    The band shows where the curve would lie if the probabilities were calibrated: outcomes are drawn
    from them again and again. A curve that leaves it is not explained by chance.

    >>> from credibly import Predictions
    >>> from credibly.calibration import Outcomes
    >>> o = Outcomes.of(Predictions.of([0, 1, 0, 1], probability=[0.1, 0.4, 0.6, 0.9]))
    >>> isotonic_curve(o).y.tolist()
    [0.0, 0.5, 0.5, 1.0]
    """
    check_confidence(confidence_level)
    _need_cases(outcomes)
    fitted = outcomes.isotonic_shares
    band = None
    if rng is not None:
        at = evenly(outcomes.probability.size, BAND_POINTS)
        drawn = simulated(outcomes.probability, outcomes.total, at, seed_of(rng), replicates)
        tails = [(1 - confidence_level) / 2, (1 + confidence_level) / 2]
        low, high = np.quantile(drawn, tails, axis=0)
        method = f"consistency with calibrated probabilities, {replicates:,} simulated outcomes"
        x = outcomes.probability[at]
        band = Band(x, low, high, confidence_level, method, simultaneous=False)
    keep = _ends_of_steps(fitted)
    x, y = outcomes.probability[keep], fitted[keep]
    return Curve("isotonic", "Isotonic reliability curve", x, y, None, X_TITLE, Y_TITLE, band=band)


def smooth_curve(
    outcomes: Outcomes, *, knots: int = 5, confidence_level: float = 0.95, on_logits: bool = False
) -> Curve:
    """Return a smooth reliability curve with a pointwise band.

    The logit of the share of events is a restricted cubic spline of the logit of the probability
    (Harrell's knots), fitted by maximum likelihood; fewer knots are taken where the data allow no
    more, as where one class alone has the highest probabilities. ``on_logits`` draws it on the logit scale.
    """
    check_confidence(confidence_level)
    require("knots", knots, one_of(*KNOTS))
    o = outcomes.inside()
    _need_cases(o)
    x = o.logits
    at = np.linspace(x[0], x[-1], BAND_POINTS)
    fitted = None
    for used in range(knots, 1, -1):
        found = _fitted(o, x, at, used)
        fitted = fitted if found is None else (used, *found)
        if fitted is not None and fitted[2].max() < MAX_LOGIT_ERROR:
            break
    if fitted is None:
        raise DataError(
            "No smooth curve can be fitted: there is only one class or one probability, or the classes are separated."
        )
    used, middle, error = fitted
    half = error * normal_quantile((1 - confidence_level) / 2)

    def shown(z: Floats) -> Floats:
        return z if on_logits else expit(z)

    method = f"logistic regression on a restricted cubic spline with {used} knots"
    if used == 2:
        method = "logistic regression on a line"
    band = Band(
        shown(at),
        shown(middle - half),
        shown(middle + half),
        confidence_level,
        method,
        simultaneous=False,
    )
    words = (f"logit of {X_TITLE}", f"logit of {Y_TITLE}") if on_logits else (X_TITLE, Y_TITLE)
    return Curve(
        "smooth", "Smooth reliability curve", shown(at), shown(middle), None, *words, band=band
    )


def _fitted(o: Outcomes, x: Floats, at: Floats, knots: int) -> tuple[Floats, Floats] | None:
    """Return the logits of a spline at some places and their standard errors, if it can be fitted."""
    places = _knot_places(x, o.total, knots)
    fit = fit_lines(lambda rows: _spline(x[rows], places), o, max(2, places.size))
    if fit is None:
        return None
    beta, information = fit
    lines = _spline(at, places)
    error = np.sqrt(np.einsum("ij,ij->j", lines, np.linalg.solve(information, lines)))
    return beta @ lines, error


def local_curve(outcomes: Outcomes) -> Curve:
    """Return the locally weighted curve that the E statistics measure from; it has no band.

    >>> from credibly import Predictions
    >>> from credibly.calibration import Outcomes
    >>> o = Outcomes.of(Predictions.of([0, 0, 1, 1], probability=[0.1, 0.4, 0.6, 0.9]))
    >>> local_curve(o).y.round(3).tolist()
    [0.0, 0.0, 1.0, 1.0]
    """
    _need_cases(outcomes)
    o = outcomes
    y = smoothed(o)
    title = "Locally weighted reliability curve"
    return Curve("local", title, o.probability, y, None, X_TITLE, Y_TITLE, findings=(NO_BAND(),))


def _need_cases(o: Outcomes) -> None:
    if not o.probability.size:
        raise DataError(
            "No curve can be fitted: there is no case with a known truth (and a probability other than 0 and 1)."
        )


def _ends_of_steps(fitted: Floats) -> NDArray[np.intp]:
    """A flat stretch is drawn by its two ends."""
    change = np.flatnonzero(np.diff(fitted) != 0)
    return np.unique(np.concatenate([[0], change, change + 1, [fitted.size - 1]])).astype(np.intp)


def _knot_places(x: Floats, weight: Floats, knots: int) -> Floats:
    """Quantiles of the cases, as Harrell recommends; two knots mean a line."""
    if knots not in KNOTS:
        return np.empty(0)
    reach = np.cumsum(weight) / weight.sum()
    return np.unique(x[np.minimum(np.searchsorted(reach, KNOTS[knots]), x.size - 1)])


def _spline(x: Floats, knots: Floats) -> Floats:
    """Return the lines of a restricted cubic spline at rising places: linear beyond the outer knots."""
    lines = np.empty((max(2, knots.size), x.size))
    lines[0], lines[1] = 1.0, x
    if knots.size > 2:
        last, before = knots[-1], knots[-2]
        beyond_last, beyond_before = _cubed(x, last), _cubed(x, before)
        scale = (last - knots[0]) ** 2
        for i, k in enumerate(knots[:-2]):
            tail = (last - k) * beyond_before - (before - k) * beyond_last
            lines[2 + i] = (_cubed(x, k) - tail / (last - before)) / scale
    return lines


def _cubed(x: Floats, knot: float) -> Floats | float:
    """Return the cubed distance of rising numbers beyond a knot: a single zero if none lies beyond it."""
    if x[-1] <= knot:
        return 0.0
    beyond = np.maximum(x - knot, 0)
    return beyond * beyond * beyond
