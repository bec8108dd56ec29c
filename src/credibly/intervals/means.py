"""Intervals for a mean over folds or replicates, which rarely are independent."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.doors import check_confidence, door
from credibly._core.findings import Finding
from credibly._core.parameters import above, require
from credibly._core.text import count, interval_text, some_rows
from credibly.errors import DataError, ParameterError, says
from credibly.intervals.findings import DEPENDENT_FOLDS, ESTIMATED_VARIANCE, NO_SPREAD
from credibly.intervals.quantiles import chi_square_quantile, normal_quantile, student_quantile
from credibly.results.interval import Interval
from credibly.results.result import Result

MeanMethod = Literal["corrected", "t", "z"]

TITLES = {"corrected": "Corrected resampled t", "t": "Student's t", "z": "Normal"}

TOO_NARROW = "the interval may be far too narrow: in a simulation, 95 % intervals of ten times ten folds covered 43 %"
CORRECTED_REMEDY = says(
    "Use <method='corrected'> with <test_train_ratio=...>, or set <independent=True> if each value has its "
    "own training and test cases."
)


class MeanEstimate(Result, eq=True):
    """The mean of a measure over folds or replicates; ``variance`` is that of the values.

    ``standard_error`` is the one that the interval used.
    """

    n: int
    mean: float
    variance: float
    standard_error: float
    interval: Interval
    findings: tuple[Finding, ...] = ()

    def __str__(self) -> str:
        head = f"Mean of {self.n} values {interval_text(self.mean, self.interval)}"
        return "\n".join([head, *(f"  {f}" for f in self.findings)])


class VarianceEstimate(Result, eq=True):
    """The variance of a measure from one fold or replicate to the next."""

    n: int
    variance: float
    interval: Interval
    findings: tuple[Finding, ...] = ()

    def __str__(self) -> str:
        head = f"Variance of {self.n} values {interval_text(self.variance, self.interval)}"
        return "\n".join([head, *(f"  {f}" for f in self.findings)])


@door
def mean_interval(
    values: Iterable[float],
    *,
    confidence_level: float = 0.95,
    method: MeanMethod = "corrected",
    test_train_ratio: float | None = None,
    independent: bool = False,
) -> MeanEstimate:
    r"""Estimate the mean of a measure over training sets from its values on folds or replicates.

    Parameters
    ----------
    values
        One value per fold and repeat: ten times ten folds give a hundred.
    confidence_level
        How often such intervals are to cover the mean.
    method
        ``"corrected"`` multiplies the variance of the values by $1/k + n_{test}/n_{train}$ (Nadeau
        & Bengio 2003), since folds share training cases. ``"t"`` and ``"z"`` use $1/k$, which
        holds for independent values only; ``"z"`` takes the variance as known besides.
    test_train_ratio
        Cases of a test part over those of its training part; 1/9 for ten folds. Needed by
        ``"corrected"``.
    independent
        Each value has training and test cases of its own, so that ``"t"`` needs no caution.

    >>> errors = [8 / 30, 4 / 30, 7 / 30, 11 / 30, 5 / 30]
    >>> result = mean_interval(errors, test_train_ratio=1 / 4)
    >>> round(result.mean, 4), round(result.variance, 6), result.interval.about
    (0.2333, 0.008333, 'training')
    >>> print(result)
    Mean of 5 values 0.233 [0.063, 0.403]
    >>> mean_interval(errors, method="t").findings[0].code
    'dependent-folds'
    """
    k, mean, variance = _moments(values)
    factor = _variance_factor(k, method, test_train_ratio, independent=independent)
    error = math.sqrt(variance * factor)
    tail = 1 - float(confidence_level)
    student = student_quantile(tail, k - 1, tails=2)
    normal = normal_quantile(tail, tails=2)
    half = error * (normal if method == "z" else student)
    findings = _findings(variance, dependent=method != "corrected" and not independent)
    if method == "z":
        findings = (*findings, ESTIMATED_VARIANCE(k=k, factor=student / normal))
    return MeanEstimate(
        n=k,
        mean=mean,
        variance=variance,
        standard_error=error,
        interval=Interval(
            mean - half, mean + half, float(confidence_level), TITLES[method], "training", error
        ),
        findings=findings,
    )


def variance_interval(
    values: Iterable[float], *, confidence_level: float = 0.95, independent: bool = False
) -> VarianceEstimate:
    r"""Estimate how much a measure varies from one independent replicate to the next.

    The limits $(k - 1)s^2/\chi^2$ hold for independent values with a normal distribution, and other
    than those of a mean they stay wrong for other distributions however many values there are.

    >>> result = variance_interval([0.2, 0.3, 0.25, 0.4], independent=True)
    >>> round(result.variance, 6), round(result.interval.low, 6), round(result.interval.high, 6)
    (0.007292, 0.00234, 0.101369)
    """
    check_confidence(confidence_level)
    k, _, variance = _moments(values)
    tail = (1 - float(confidence_level)) / 2
    squares = variance * (k - 1)
    return VarianceEstimate(
        n=k,
        variance=variance,
        interval=Interval(
            squares / chi_square_quantile(tail, k - 1),
            squares / chi_square_quantile(1 - tail, k - 1),
            float(confidence_level),
            "Chi-square",
            "training",
        ),
        findings=_findings(variance, dependent=not independent),
    )


def _moments(values: Iterable[float]) -> tuple[int, float, float]:
    """Number, mean and variance (divisor k - 1) of values that can be used."""
    numbers = _numbers(values)
    k = len(numbers)
    if numbers.min() == numbers.max():
        return k, float(numbers[0]), 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float(numbers.mean())
        variance = float(numbers.var(ddof=1))
    if not math.isfinite(variance):
        raise DataError(
            f"The variance of values up to {np.abs(numbers).max():.3g} is beyond what a double holds. Divide them by a constant."
        )
    return k, mean, variance


def _numbers(values: Iterable[float]) -> NDArray[np.float64]:
    listed = values if hasattr(values, "__array__") else list(values)
    try:
        numbers = np.asarray(listed, np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"values must be numbers, one per fold or replicate; got {listed!r:.200}."
        ) from None
    if numbers.ndim != 1:
        raise DataError(
            f"values must be one number per fold or replicate; got an array of shape {numbers.shape}."
        )
    if len(numbers) < 2:
        raise DataError(
            f"The spread of values needs at least two of them; got {count(len(numbers), 'value')}. Use an interval over the cases instead."
        )
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        raise DataError(
            f"values are not finite in {some_rows(bad.tolist())}: the measure is undefined there. Leave such folds out only if that is what you want to know; a measure over all cases has no such gaps."
        )
    return numbers


def _variance_factor(
    k: int, method: MeanMethod, ratio: float | None, *, independent: bool
) -> float:
    if method != "corrected":
        if ratio is not None:
            raise ParameterError(
                says(
                    "<test_train_ratio=> is for <method='corrected'>; got <method={method}>.",
                    method=method,
                )
            )
        return 1 / k
    if independent:
        raise ParameterError(
            says("<method='corrected'> is for dependent folds."),
            remedy=says("Use <method='t'> for independent values."),
        )
    if ratio is None:
        raise ParameterError(
            says(
                "<method='corrected'> needs <test_train_ratio=...>, the cases of a test part over those "
                "of its training part: 1/9 for ten folds."
            ),
            remedy=says("Use <method='t'> for independent values."),
        )
    return 1 / k + float(require("test_train_ratio", ratio, above(0)))


def _findings(variance: float, *, dependent: bool) -> tuple[Finding, ...]:
    return (
        *[DEPENDENT_FOLDS(what="The values were", so=TOO_NARROW, instead=CORRECTED_REMEDY)]
        * dependent,
        *[NO_SPREAD()] * (variance == 0),
    )
