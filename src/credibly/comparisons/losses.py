"""Tests of mean losses: the loss of each case under one model minus that under the other."""

from __future__ import annotations

import math
from functools import partial
from typing import Literal

import numpy as np

from credibly._core.arrays import Floats, dot
from credibly._core.names import Names
from credibly._core.parameters import whole
from credibly._core.text import count, some_rows
from credibly.comparisons._declare import (
    EFFECTIVE_FREEDOM,
    WELCH,
    Outcome,
    TestRequest,
    by_standard_error,
    comparison,
    tail_of,
    unvaried,
    welch,
)
from credibly.comparisons.assumptions import (
    APART,
    INDEPENDENT,
    LARGE,
    LARGE_SAMPLES,
    SAME,
    UNSEEN,
    require_measure,
)
from credibly.comparisons.cases import Cases, Samples
from credibly.comparisons.findings import FEW_FOR_HORIZON
from credibly.comparisons.labels import SHARE_MEASURES, hits
from credibly.errors import DataError, ParameterError, says
from credibly.evaluation.caveats import HEAVY_TAIL_DEGREES
from credibly.intervals._declare import RefusalError
from credibly.intervals.standard_errors import standard_error
from credibly.measures import Measure
from credibly.predictions import Predictions
from credibly.predictions.labels import all_differ
from credibly.predictions.numbers import effective_sizes
from credibly.predictions.parts import time_steps

STUDENT = "Student (1908) The probable error of a mean. Biometrika 6, 1-25."
REDELMEIER = "Redelmeier, D. A., Bloch, D. A. & Hickam, D. H. (1991) Assessing predictive accuracy: how to compare Brier scores. Journal of Clinical Epidemiology 44, 1141-1146."
DIEBOLD = "Diebold, F. X. & Mariano, R. S. (1995) Comparing predictive accuracy. Journal of Business & Economic Statistics 13, 253-263; with the correction of Harvey, D., Leybourne, S. & Newbold, P. (1997)."
CASES_PER_STEP = 25  # of a horizon, after the first, from which on the test of Diebold and Mariano keeps its level
same_loss = partial(comparison, null="both models have the same expected {measure}")


def has_case_losses(m: Measure) -> bool:
    """Whether a measure is the mean of what each case costs, so that a difference is a mean too."""
    if m.name in SHARE_MEASURES:
        return True
    if m.loss is None:
        return False
    # The formula of a mean is linear: it doubles with the sum, and halves with the weight.
    from credibly.predictions.summaries import LossMoments

    pairs = [(4.0, 0.7), (4.0, 1.4), (2.0, 0.7)]
    summaries = [LossMoments.of_sums(np.array(w), np.array([s])) for w, s in pairs]
    try:
        values = [float(m.of_summary(each)) for each in summaries]
    except (IndexError, ParameterError):
        return False  # several columns of losses
    return bool(np.allclose(values, [s / w for w, s in pairs], rtol=1e-12))


def case_losses(p: Predictions, m: Measure, test: str) -> Floats:
    """Return the loss of each case; refuse a measure that is not a mean, and infinite losses."""
    if not has_case_losses(m):
        raise ParameterError(
            f"{test} compares means of losses, and {m.call} is not one.",
            remedy=says(
                "Use <test='influence'>, or a measure such as brier, log_loss, mse or error_rate."
            ),
        )
    if m.loss is None:
        return hits(p, m, test).astype(np.float64)
    losses = m.losses(p)[:, 0]
    bad = np.flatnonzero(~np.isfinite(losses))
    if bad.size:
        rows = bad if p.row is None else p.row[bad]
        clips = any(q.name == "clip" for q in m.parameters)
        floor = f" {m.name}(clip=0.001) has a floor." if clips else ""
        raise DataError(
            f"{m.title} of {count(bad.size, 'case')} is not a finite number ({some_rows(rows.tolist(), identified=p.row is not None)}), so the means cannot be compared.{floor}"
        )
    return losses


def mean_and_error(losses: Floats, p: Predictions) -> tuple[float, float, float, float]:
    """Return the weighted mean of losses, its standard error, degrees of freedom (n - 1, or groups - 1) and those that the cases show."""
    weight = p.weights
    mean = float(np.average(losses, weights=weight))
    try:
        error, freedom = standard_error((losses - mean) / weight.sum(), p, by_class=False)
    except RefusalError as refusal:
        raise DataError(f"The losses give no standard error: {refusal}.") from None
    size = float(weight.sum() if p.weight_kind == "frequency" else effective_sizes(weight)[0])
    return mean, error, freedom if p.clusters is not None else size - 1, freedom


def _told(*seen: float) -> dict[str, float]:
    """Say where few cases carry an error."""
    return {EFFECTIVE_FREEDOM: min(seen)} if min(seen) < HEAVY_TAIL_DEGREES else {}


def rounding_of(*losses: Floats) -> float:
    """Return the size below which a difference of mean losses is rounding."""
    return 1e-13 * max(float(np.abs(each).max(initial=0.0)) for each in losses)


@same_loss("Paired t over cases", cite=STUDENT, assumptions={"same": SAME, **LARGE_SAMPLES})
def paired_losses(cases: Cases, request: TestRequest) -> Outcome:
    """Compare two means over the same cases, such as mean losses, by Student's t of the differences case by case.

    For any measure that is a mean over cases: Brier, log loss, squared or absolute error, error rate.
    With groups, losses are summed within each group first.

    >>> from credibly import Predictions, compare
    >>> a = Predictions.of([1, 2, 3, 4], value=[1.5, 2, 3, 4])
    >>> b = Predictions.of([1, 2, 3, 4], value=[2, 3, 3, 3])
    >>> result = compare(a, b, "mae")
    >>> round(result.difference, 3), round(result.pvalue, 6)
    (-0.625, 0.079605)
    """
    mine, other = (case_losses(p, cases.measure, "paired_losses") for p in cases.models)
    mean, error, freedom, seen = mean_and_error(mine - other, cases.models[0])
    spread = error * math.sqrt(freedom + 1)
    return by_standard_error(
        request,
        mean,
        error,
        freedom,
        method="Student's t",
        rounding=rounding_of(mine, other),
        parameters=_told(seen),
        effect_sizes={"Cohen's d of the differences": mean / spread} if spread else {},
    )


@same_loss("Welch's t over cases", cite=WELCH, assumptions={"apart": APART, **LARGE_SAMPLES})
def unpaired_losses(samples: Samples, request: TestRequest) -> Outcome:
    """Compare two means over different cases, such as mean losses, by Welch's t.

    >>> from credibly import Predictions, compare
    >>> a = Predictions.of([1, 2, 3, 4], value=[1.5, 2, 3, 4])
    >>> b = Predictions.of([1, 2, 3], value=[2, 3, 3])
    >>> round(compare(a, b, "mae", independent=True).pvalue, 6)
    0.240112
    """
    losses = [case_losses(p, samples.measure, "unpaired_losses") for p in samples.models]
    found = [mean_and_error(x, p) for x, p in zip(losses, samples.models, strict=True)]
    difference = found[0][0] - found[1][0]
    error, freedom = welch(*((e, f) for _, e, f, _ in found))
    return by_standard_error(
        request,
        difference,
        error,
        freedom,
        method="Welch's t",
        rounding=rounding_of(*losses),
        parameters=_told(*(seen for *_, seen in found)),
    )


@comparison(
    "Redelmeier's comparison of Brier scores",
    null="the mean of the two probabilities is right for each case, so neither score is better",
    cite=REDELMEIER,
    assumptions={"same": SAME, "independent": INDEPENDENT, "unseen": UNSEEN, "large": LARGE},
    shifts=False,
    compares="brier",
    aliases=Names("bloch", texts="Brier score test"),
)
def redelmeier(cases: Cases, request: TestRequest) -> Outcome:
    r"""Compare two Brier scores on the same cases by the variance that honest probabilities would give them.

    $Z = \sum (p - q)(p + q - 2y) / \sqrt{\sum (p - q)^2 (p + q)(2 - p - q)}$: the numerator is the
    difference of the scores, and its variance is that of outcomes whose probability lies in the
    middle. The interval is that of the paired losses, which needs no such null.

    >>> from credibly import Predictions, compare
    >>> a = Predictions.of([1, 0, 1, 0], probability=[0.8, 0.3, 0.6, 0.2])
    >>> b = Predictions.of([1, 0, 1, 0], probability=[0.6, 0.5, 0.5, 0.4])
    >>> round(compare(a, b, "brier", test="redelmeier").statistic, 6)
    -1.4418
    """
    require_measure(cases.measure, ("brier",), "redelmeier")
    first = cases.models[0]
    if first.weight_kind == "importance" or len(first.classes) != 2:
        raise DataError(
            "redelmeier needs two classes and cases without importance weights.",
            remedy=says("Use <test='paired_losses'>."),
        )
    p, q = (each.probabilities_of(each.positive or 0) for each in cases.models)
    y, weight = (first.truth == first.positive).astype(np.float64), first.weights
    gap = float(dot(weight, (p - q) * (p + q - 2 * y)))
    variance = float(dot(weight, (p - q) ** 2 * (p + q) * (2 - p - q)))
    if (p == q).all():
        return unvaried(request)
    if not variance > 0:
        raise DataError(
            "Wherever the models differ, their mean probability is 0 or 1, so this test has no variance.",
            remedy=says("Use <test='paired_losses'>."),
        )
    losses = paired_losses.function(cases, request)
    z = gap / math.sqrt(variance)
    return Outcome(
        z,
        tail_of(z, request.alternative),
        gap / float(weight.sum()),
        losses.interval,
        "Student's t of paired losses",
    )


@same_loss(
    "Diebold-Mariano",
    cite=DIEBOLD,
    assumptions={
        "same": SAME,
        "ordered": "Rows are in time order, and losses more than the horizon apart are independent.",
        "unseen": UNSEEN,
        "large": LARGE,
    },
    constraints={"horizon": whole(1)},
)
def diebold_mariano(
    cases: Cases,
    request: TestRequest,
    *,
    horizon: int = 1,
    kernel: Literal["uniform", "bartlett"] = "uniform",
) -> Outcome:
    """Compare two mean losses of forecasts, which depend on each other up to ``horizon`` - 1 steps apart.

    The variance of the mean difference adds the autocovariances up to that lag, with equal weights
    or with Bartlett's falling ones, and the statistic is corrected for few cases. With a horizon of 1
    it is the paired t-test.

    >>> from credibly import Predictions, compare
    >>> a = Predictions.of([1, 2, 3, 4, 5, 6], value=[1.5, 2, 3, 4, 6, 7])
    >>> b = Predictions.of([1, 2, 3, 4, 5, 6], value=[2, 3, 3, 3, 7, 9])
    >>> round(compare(a, b, "mae", test="diebold_mariano(horizon=2)").pvalue, 6)
    0.034635
    """
    first = cases.models[0]
    steps = time_steps(first) if first.in_time else np.arange(first.n)
    grouped = first.grouping is not None or first.repeated or not all_differ(steps)
    if first.weight is not None or grouped:
        raise DataError(
            "diebold_mariano needs one row for each moment in time order, without weights or groups."
        )
    mine, other = (case_losses(p, cases.measure, "diebold_mariano") for p in cases.models)
    d, n = (mine - other)[np.argsort(steps)], first.n
    if not n > horizon:
        raise DataError(f"A horizon of {horizon} needs more cases than that; there are {n}.")
    centred = d - d.mean()
    lags = [float(dot(centred[k:], centred[: n - k])) / n for k in range(horizon)]
    falling = [1.0 if kernel == "uniform" else 1 - k / horizon for k in range(horizon)]
    total = 2 * sum(w * c for w, c in zip(falling, lags, strict=True)) - lags[0]
    if total < 0 or (total == 0 and lags[0] > 0):
        raise DataError(
            f"The autocovariances up to lag {horizon - 1} add up to no variance.",
            remedy=says("Use <kernel='bartlett'>, or a smaller horizon."),
        )
    few = n < CASES_PER_STEP * (horizon - 1)
    correction = (n + 1 - 2 * horizon + horizon * (horizon - 1) / n) / n
    return by_standard_error(
        request,
        float(d.mean()),
        math.sqrt(total / n / correction),
        n - 1,
        method="Diebold-Mariano",
        rounding=rounding_of(mine, other),
        parameters={"horizon": horizon, "kernel": kernel},
        findings=(FEW_FOR_HORIZON(n=n, horizon=horizon),) if few else (),
        stands={
            "ordered": ("doubtful", "The horizon sets how long neighbours are alike.")
            if first.in_time
            else ("unknown", "No column says so.")
        },
    )
