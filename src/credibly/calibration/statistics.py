"""Numbers that say how far probabilities can be believed, and how they move with the weight of a case.

With sums over cases, the derivative of a sum by the weight of a case is what the case adds to it. A maximised
likelihood moves with a weight as if its coefficients stood still; the coefficients themselves move by the inverse
information times the score of the case, which is the sandwich.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import REAL_LINE, Floats, dot
from credibly._core.parameters import Rule, one_of, whole
from credibly._kernels.smoothing import lowess
from credibly.calibration._declare import (
    calibration_gap,
    calibration_statistic,
    calibration_statistics,
)
from credibly.calibration.decompositions import CORP, MURPHY, corp
from credibly.calibration.groups import (
    REMAINDERS,
    Grouping,
    Groups,
    Remainder,
    are_cuts,
    grouped,
    most_groups,
)
from credibly.calibration.logistic import (
    ROWS_PER_BLOCK,
    LogisticFit,
    expit,
    recalibrated,
    softplus,
)
from credibly.calibration.outcomes import Outcomes, logit
from credibly.measures import Measure
from credibly.measures._undefined import NO_CASES
from credibly.predictions.table import cached

if TYPE_CHECKING:
    Sides = tuple[Floats, Floats]

DEVIANCES = ("deviance_of_prevalence", "deviance_as_given", "deviance")
COMPLEX_STEP = 1e-30  # its square is 0 beside 1


def slopes_of_bias(o: Outcomes) -> Sides:
    """Differentiate the mean of the probability less the outcome."""
    p, mean = o.probability, o.mean(o.probability) - o.prevalence
    return (p - 1 - mean) / o.n, (p - mean) / o.n


def slopes_of_coefficient(which: int, slope: float | None = None) -> Callable[[Outcomes], Sides]:
    """Differentiate the intercept (0) or slope (1) of the recalibration line."""

    def slopes(o: Outcomes) -> Sides:
        fit = recalibrated(o, slope=slope)
        inside, x = _logits(o)
        first, second = fit.covariance[which]
        event, other = np.empty((2, x.size))
        for rows in _in_cache(x.size):
            fitted = expit(fit.intercept + fit.slope * x[rows])
            moved = first + second * x[rows]
            event[rows] = moved * (1 - fitted)
            other[rows] = -moved * fitted
        return _of_those(inside, event, other)

    return slopes


def slopes_of_likelihoods(formula: Callable[[LogisticFit], float]) -> Callable[[Outcomes], Sides]:
    """Differentiate a formula of the deviances of prevalence, of probabilities as given and of the line.

    It moves with the weight of a case by what the case adds to each of them and to the cases, times the
    slopes of the formula.
    """

    def slopes(o: Outcomes) -> Sides:
        fit = recalibrated(o)
        inside, x = _logits(o)
        prevalence = logit(np.array([o.inside().prevalence]))
        whole, given, line = (2 * _slope(formula, fit, name) for name in DEVIANCES)
        of_given, of_line = _costs(o, x, fit)
        # Of a case without the event; the loss of an event is less by its logits.
        level = _slope(formula, fit, "n") + whole * softplus(prevalence)
        event, other = np.empty((2, x.size))
        for rows in _in_cache(x.size):
            other[rows] = level + given * of_given[rows] + line * of_line[rows]
            logits = (given + line * fit.slope) * x[rows] + line * fit.intercept
            event[rows] = other[rows] - (whole * prevalence + logits)
        return _of_those(inside, event, other)

    return slopes


def _costs(o: Outcomes, x: Floats, fit: LogisticFit) -> Sides:
    """Return the loss of a case without the event, as given and on the line; three formulas read it."""
    return cached(o, _costs, lambda: (softplus(x), softplus(fit.intercept + fit.slope * x)))


def _in_cache(n: int) -> Iterator[slice]:
    """Yield so many rows at a time that what is made of them stays in the cache."""
    return (slice(start, start + ROWS_PER_BLOCK) for start in range(0, n, ROWS_PER_BLOCK))


def _logits(o: Outcomes) -> tuple[NDArray[np.bool_], Floats]:
    """Say which probabilities have a logit, and return it; 0 for the others, which move no fit."""
    x = o.logits
    inside = np.isfinite(x)
    return inside, x if inside.all() else np.where(inside, x, 0.0)


def _of_those(inside: NDArray[np.bool_], event: Floats, other: Floats) -> Sides:
    if inside.all():
        return event, other
    return np.where(inside, event, 0.0), np.where(inside, other, 0.0)


def _slope(formula: Callable[[LogisticFit], float], fit: LogisticFit, name: str) -> float:
    """Differentiate by one number of a fit, with a complex step (see `intervals/influence.py`)."""
    moved = replace(fit, **{name: getattr(fit, name) + COMPLEX_STEP * 1j})
    return formula(moved).imag / COMPLEX_STEP


def slopes_of_skill(o: Outcomes) -> Sides:
    """Differentiate one less the Brier score as a share of the uncertainty."""
    p, prevalence, brier = o.probability, o.prevalence, o.brier
    uncertainty = prevalence * (1 - prevalence) or np.nan  # of one class it is undefined

    def side(loss: Floats, happened: int) -> Floats:
        of_uncertainty = (1 - 2 * prevalence) * (happened - prevalence)
        return -(loss - brier - brier / uncertainty * of_uncertainty) / (uncertainty * o.n)

    return side((1 - p) ** 2, 1), side(p**2, 0)


HARRELL = (
    "Harrell, F. E. (2015) Regression Modeling Strategies, 2nd ed., sec. 10.9 (val.prob). Springer."
)
COX = "Cox, D. R. (1958) Two further applications of a model for binary regression. Biometrika 45, 562-565."
NAEINI = "Naeini, M. P., Cooper, G. F. & Hauskrecht, M. (2015) Obtaining well calibrated probabilities using Bayesian binning. AAAI 2015, 2901-2907."
NIXON = "Nixon, J. et al. (2019) Measuring calibration in deep learning. CVPR workshops."
KUMAR = "Kumar, A., Liang, P. & Ma, T. (2019) Verified uncertainty calibration. NeurIPS 32."
SPIEGELHALTER = "Spiegelhalter, D. J. (1986) Probabilistic prediction in patient management and clinical trials. Statistics in Medicine 5, 421-433."
NAGELKERKE = "Nagelkerke, N. J. D. (1991) A note on a general definition of the coefficient of determination. Biometrika 78, 691-692."
MILLER = "Miller, M. E., Langefeld, C. D., Tierney, W. M., Hui, S. L. & McDonald, C. J. (1993) Validation of probabilistic predictions. Medical Decision Making 13, 49-58."

NO_FIT = "no line can be fitted: there is only one class or one probability, or a probability separates the classes"
NO_OFFSET = "no line can be fitted: there is only one class, or all probabilities are 0 or 1"
SIZE_RULES = {
    "groups": Rule(
        f"{whole(1).text}, or cut points that rise between 0 and 1",
        lambda v: whole(1).accepts(v) or are_cuts(v),
        0,
    ),
    "remainder": one_of(*REMAINDERS),
}
GROUP_RULES = {**SIZE_RULES, "rule": one_of("equal_width", "equal_size")}
fit_statistic = partial(calibration_statistic, range=REAL_LINE, best=None, undefined=NO_FIT)
corp_statistic = partial(
    calibration_statistic, family="isotonic", range=(0, np.inf), undefined=NO_CASES, cite=CORP
)


@calibration_statistic(
    "Calibration in the large",
    range=(-1, 1),
    best=0,
    undefined=NO_CASES,
    cite=MURPHY,
    aliases=("bias",),
    slopes=slopes_of_bias,
)
def calibration_in_the_large(o: Outcomes) -> float:
    r"""Mean probability less the share of events: above 0, the event is predicted too often.

    $\bar p - \bar y$
    """
    return o.mean(o.probability) - o.prevalence


@fit_statistic("Calibration intercept", best=0, cite=COX, slopes=slopes_of_coefficient(0))
def calibration_intercept(o: Outcomes) -> float:
    r"""Intercept of the logistic regression of outcomes on the logit of the probability.

    $\operatorname{logit} \Pr(y) = a + b \operatorname{logit} p$
    """
    return recalibrated(o).intercept


@fit_statistic("Calibration slope", best=1, cite=COX, slopes=slopes_of_coefficient(1))
def calibration_slope(o: Outcomes) -> float:
    r"""Slope of that regression: below 1, probabilities are too extreme (as after overfitting).

    $\operatorname{logit} \Pr(y) = a + b \operatorname{logit} p$
    """
    return recalibrated(o).slope


@calibration_statistic(
    "Calibration offset",
    range=REAL_LINE,
    best=0,
    undefined=NO_OFFSET,
    cite=COX,
    slopes=slopes_of_coefficient(0, 1.0),
)
def calibration_offset(o: Outcomes) -> float:
    r"""Shift of all logits that fits best while the slope stays 1.

    $\operatorname{logit} \Pr(y) = a + \operatorname{logit} p$
    """
    return recalibrated(o, slope=1.0).intercept


def smoothed(o: Outcomes) -> Floats:
    """Return the locally weighted share of events at each probability."""
    if o.probability.size == 1:
        return o.share
    return cached(o, "smoothed", lambda: lowess(o.probability, o.share, o.total))


def by_groups(groups: int | Sequence[float], rule: Grouping, remainder: Remainder) -> list[Measure]:
    """Return all statistics, those of groups about these groups.

    An adaptive error is by its definition about groups of equal size: it takes as many.
    """
    asked = tuple(map(float, groups)) if np.ndim(groups) else int(groups)  # type: ignore[arg-type]
    how = {"groups": asked, "rule": rule, "remainder": remainder}
    chosen: list[Measure] = []
    for m in calibration_statistics:
        own = {q.name: q.default for q in m.parameters}
        given = {k: v for k, v in how.items() if k in own}
        if "rule" not in own and "groups" in own and isinstance(asked, tuple):
            given["groups"] = len(asked) + 1
        chosen.append(m.given(**{k: v for k, v in given.items() if v != own[k]}))
    return chosen


def _groups(
    o: Outcomes, groups: int | Sequence[float], rule: Grouping, remainder: Remainder
) -> Groups:
    """Return groups, no more than there can be."""
    most = min(groups, most_groups(o)) if isinstance(groups, int) else groups
    return grouped(o, most, rule=rule, remainder=remainder)


def _gaps(found: Groups) -> tuple[Floats, Floats]:
    """Return of each group its share of the cases and the gap between mean probability and share of events."""
    return found.total / found.total.sum(), found.predicted - found.observed


@calibration_gap(
    "Expected calibration error", cite=NAEINI, constraints=GROUP_RULES, aliases=("ece",)
)
def expected_calibration_error(
    o: Outcomes,
    *,
    groups: int | Sequence[float] = 10,
    rule: Grouping = "equal_width",
    remainder: Remainder = "last",
) -> float:
    r"""Mean over groups, by their size, of the gap between mean probability and share of events.

    $\sum_g \frac{n_g}{n} |\bar p_g - \bar y_g|$. Chance alone makes it larger than 0, and more so
    with more groups: see the debiased error.
    """
    share, gap = _gaps(_groups(o, groups, rule, remainder))
    return float(dot(share, np.abs(gap)))


@calibration_gap(
    "Adaptive calibration error",
    cite=NIXON,
    constraints={**SIZE_RULES, "groups": whole(1)},
    aliases=("ace",),
)
def adaptive_calibration_error(
    o: Outcomes, *, groups: int = 10, remainder: Remainder = "last"
) -> float:
    r"""Mean over groups of equal size, each counting the same, of the gap.

    $\frac1G \sum_g |\bar p_g - \bar y_g|$. Ties may leave some of the $G$ groups larger than others.
    """
    return float(np.abs(_gaps(_groups(o, groups, "equal_size", remainder))[1]).mean())


@calibration_gap(
    "Maximum calibration error", cite=NAEINI, constraints=GROUP_RULES, aliases=("mce",)
)
def maximum_calibration_error(
    o: Outcomes,
    *,
    groups: int | Sequence[float] = 10,
    rule: Grouping = "equal_width",
    remainder: Remainder = "last",
) -> float:
    r"""The largest gap of any group; a small group may cause it.

    $\max_g |\bar p_g - \bar y_g|$
    """
    return float(np.abs(_gaps(_groups(o, groups, rule, remainder))[1]).max())


@calibration_gap("Root mean squared calibration error", cite=KUMAR, constraints=GROUP_RULES)
def root_mean_squared_calibration_error(
    o: Outcomes,
    *,
    groups: int | Sequence[float] = 10,
    rule: Grouping = "equal_size",
    remainder: Remainder = "last",
) -> float:
    r"""Root of the mean over groups, by their size, of the squared gap.

    $\sqrt{\sum_g \frac{n_g}{n} (\bar p_g - \bar y_g)^2}$
    """
    share, gap = _gaps(_groups(o, groups, rule, remainder))
    return float(np.sqrt(dot(share, gap**2)))


@calibration_gap(
    "Debiased calibration error",
    undefined="some group has a single case",
    cite=KUMAR,
    constraints=GROUP_RULES,
)
def debiased_calibration_error(
    o: Outcomes,
    *,
    groups: int | Sequence[float] = 10,
    rule: Grouping = "equal_size",
    remainder: Remainder = "last",
) -> float:
    r"""Root of the mean squared gap less what chance alone puts into it, never below 0.

    $\sqrt{\max\left(0, \sum_g \frac{n_g}{n} \left[(\bar p_g - \bar y_g)^2 - \frac{\bar y_g (1 - \bar y_g)}{n_g - 1}\right]\right)}$
    """
    found = _groups(o, groups, rule, remainder)
    if (found.total <= 1).any():
        return np.nan
    chance = found.observed * (1 - found.observed) / (found.total - 1)
    square = float(dot(found.total, (found.predicted - found.observed) ** 2 - chance)) / o.n
    return float(np.sqrt(max(square, 0.0)))


def _smooth_gaps(o: Outcomes) -> Floats:
    """Return how far a smooth curve of the outcomes lies from each probability."""
    return np.abs(o.probability - smoothed(o))


@calibration_gap("E max", range=(0, np.inf), cite=HARRELL)
def e_max(o: Outcomes) -> float:
    """Largest distance of the smoothed share of events from the probability."""
    return float(_smooth_gaps(o).max())


@calibration_gap("E 90", range=(0, np.inf), cite=HARRELL)
def e_90(o: Outcomes) -> float:
    """Distance of the smoothed share of events from the probability: nine tenths of the cases have no larger one."""
    gap = _smooth_gaps(o)
    if (o.total == 1).all():
        return float(np.quantile(gap, 0.9))
    order = np.argsort(gap)
    ranked, reach = gap[order], np.cumsum(o.total[order])
    place = 1 + 0.9 * (reach[-1] - 1)  # between two cases, in the manner of R's type 7
    low, high = (
        ranked[min(np.searchsorted(reach, r - 1e-9), gap.size - 1)]
        for r in (np.floor(place), np.ceil(place))
    )
    return float(low + (place - np.floor(place)) * (high - low))


@calibration_gap("E average", range=(0, np.inf), cite=HARRELL)
def e_average(o: Outcomes) -> float:
    """Mean distance of the smoothed share of events from the probability."""
    return o.mean(_smooth_gaps(o))


def _gain(fit: LogisticFit) -> float:
    """Return what the probabilities gain in likelihood over the prevalence."""
    return fit.deviance_of_prevalence - fit.deviance_as_given


def _share_gained(fit: LogisticFit) -> float:
    most = np.expm1(-fit.deviance_of_prevalence / fit.n)
    return np.expm1(-_gain(fit) / fit.n) / most


def _quality(fit: LogisticFit) -> float:
    return (_gain(fit) - 1 - (fit.deviance_as_given - fit.deviance - 2)) / fit.n


@fit_statistic(
    "Nagelkerke's R2",
    range=(-np.inf, 1),
    best=1,
    cite=NAGELKERKE,
    slopes=slopes_of_likelihoods(_share_gained),
)
def nagelkerke_r2(o: Outcomes) -> float:
    r"""Likelihood gained over the prevalence, with the probabilities as they are, as a share of the largest gain.

    $\frac{1 - e^{-\chi^2_D / n}}{1 - e^{-d_0 / n}}$
    """
    return float(_share_gained(recalibrated(o)))


@fit_statistic(
    "Discrimination index D",
    cite=HARRELL,
    slopes=slopes_of_likelihoods(lambda fit: (_gain(fit) - 1) / fit.n),
)
def discrimination_index(o: Outcomes) -> float:
    r"""Gain in likelihood of the probabilities over the prevalence, per case.

    $(\chi^2_D - 1) / n$
    """
    fit = recalibrated(o)
    return (_gain(fit) - 1) / fit.n


@fit_statistic("Unreliability index U", family="tested", cite=MILLER)
def unreliability_index(o: Outcomes) -> float:
    r"""Gain in likelihood that recalibration by a line would bring, per case.

    $(\chi^2_U - 2) / n$
    """
    fit = recalibrated(o)
    return (fit.deviance_as_given - fit.deviance - 2) / fit.n


@fit_statistic("Quality index Q", cite=HARRELL, slopes=slopes_of_likelihoods(_quality))
def quality_index(o: Outcomes) -> float:
    """Discrimination index less unreliability index."""
    return _quality(recalibrated(o))


@fit_statistic(
    "Spiegelhalter's z",
    family="tested",
    undefined="every probability is 0, 1/2 or 1",
    cite=SPIEGELHALTER,
)
def spiegelhalter_z(o: Outcomes) -> float:
    r"""Distance of the Brier score from what the probabilities imply, in standard errors.

    $\frac{\sum (y - p)(1 - 2p)}{\sqrt{\sum (1 - 2p)^2 p (1 - p)}}$
    """
    return spiegelhalter_z_of(o)


def spiegelhalter_z_of(o: Outcomes) -> float:
    """Return the statistic; the test reads it too."""
    return cached(o, spiegelhalter_z_of, lambda: _spiegelhalter_z(o))


def _spiegelhalter_z(o: Outcomes) -> float:
    p = o.probability
    spread = float(dot(o.total, (1 - 2 * p) ** 2 * p * (1 - p)))
    return float(dot(o.events - o.total * p, 1 - 2 * p)) / np.sqrt(spread) if spread > 0 else np.nan


@corp_statistic("Miscalibration (CORP)", best=0)
def miscalibration(o: Outcomes, *, score: Literal["brier", "log_loss"] = "brier") -> float:
    """How much lower the score would be after isotonic recalibration."""
    return corp(o, score).parts["miscalibration"]


@corp_statistic("Discrimination (CORP)", best=None)
def discrimination(o: Outcomes, *, score: Literal["brier", "log_loss"] = "brier") -> float:
    """How much lower the score of isotonically recalibrated probabilities is than that of the prevalence."""
    return corp(o, score).parts["discrimination"]


@calibration_statistic(
    "Brier skill",
    range=(-np.inf, 1),
    best=1,
    undefined="every case is of one class",
    cite=MURPHY,
    slopes=slopes_of_skill,
)
def brier_skill(o: Outcomes) -> float:
    r"""Share of the Brier score of the prevalence that the probabilities save.

    $1 - B / [\bar y (1 - \bar y)]$
    """
    return np.nan if o.one_class else 1 - o.brier / (o.prevalence * (1 - o.prevalence))
