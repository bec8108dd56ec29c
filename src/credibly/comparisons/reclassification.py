"""Whether a model moves the probabilities of cases to the right side: NRI and IDI."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from credibly._core.arrays import Floats, dot
from credibly._core.parameters import Rule
from credibly.comparisons._declare import Outcome, TestRequest, by_standard_error, comparison
from credibly.comparisons.assumptions import GROUPED, LARGE, SAME, UNSEEN, require_measure
from credibly.comparisons.cases import Cases
from credibly.comparisons.findings import IMPROPER
from credibly.errors import DataError, ParameterError, says
from credibly.intervals._declare import RefusalError
from credibly.intervals.standard_errors import standard_error
from credibly.predictions import Predictions

PENCINA = "Pencina, M. J., D'Agostino, R. B. Sr, D'Agostino, R. B. Jr & Vasan, R. S. (2008) Evaluating the added predictive ability of a new marker. Statistics in Medicine 27, 157-172."
STEYERBERG = "Pencina, M. J., D'Agostino, R. B. Sr & Steyerberg, E. W. (2011) Extensions of net reclassification improvement calculations to measure usefulness of new biomarkers. Statistics in Medicine 30, 11-21."
ASSUMPTIONS = {"same": SAME, "grouped": GROUPED, "unseen": UNSEEN, "large": LARGE}
SLOPE_MEASURE = "discrimination_slope"
CUTOFFS_RULE = Rule(
    "None, or probabilities between 0 and 1 in rising order",
    lambda v: (
        v is None
        or (
            isinstance(v, tuple | list)
            and len(v) > 0
            and all(isinstance(c, int | float) for c in v)
            and all(a < b for a, b in zip((0, *v), (*v, 1), strict=True))
        )
    ),
    (0.5, 0.2),
)


@comparison(
    "Integrated discrimination improvement",
    null="both models have the same discrimination slope",
    cite=PENCINA,
    assumptions=ASSUMPTIONS,
    compares=SLOPE_MEASURE,
)
def idi(cases: Cases, request: TestRequest) -> Outcome:
    r"""Compare two models by the distance between the mean probabilities of the two classes.

    $\overline{(p - q)}_{+} - \overline{(p - q)}_{-}$, with probabilities $p$ of the first and $q$ of the
    second model: the difference of their discrimination slopes, by the normal distribution with the
    variances of $p - q$ in either class. The new model stands first.

    >>> from credibly import Predictions, compare
    >>> truth = [1, 1, 1, 0, 0, 0]
    >>> new = Predictions.of(truth, probability=[0.9, 0.7, 0.4, 0.3, 0.2, 0.2])
    >>> old = Predictions.of(truth, probability=[0.7, 0.6, 0.5, 0.5, 0.2, 0.3])
    >>> result = compare(new, old, test="idi")
    >>> round(result.difference, 4), round(result.statistic, 4)
    (0.1667, 1.5811)
    """
    first, p, q = _sides(cases, "idi")
    difference, error = _apart(p - q, first, freedom=1)
    return by_standard_error(request, difference, error, method="normal", findings=(IMPROPER(),))


@comparison(
    "Net reclassification improvement",
    null="as many cases move to the right side as to the wrong side",
    cite=STEYERBERG,
    assumptions=ASSUMPTIONS,
    compares=SLOPE_MEASURE,
    constraints={"cutoffs": CUTOFFS_RULE},
)
def nri(cases: Cases, request: TestRequest, *, cutoffs: tuple[float, ...] | None = None) -> Outcome:
    r"""Compare how often one model gives a higher probability than another, in either class.

    $P(\text{up} \mid +) - P(\text{down} \mid +) - P(\text{up} \mid -) + P(\text{down} \mid -)$, from
    the second model to the first, the new one. Without ``cutoffs`` every higher probability counts (the
    continuous NRI); with them, a higher category, and the tables of either class have the categories of
    the second model in rows and those of the first in columns. The test is the normal one with the
    multinomial variances of up and down in either class, as in R's Hmisc and PredictABEL.

    >>> from credibly import Predictions, compare
    >>> truth = [1, 1, 1, 0, 0, 0]
    >>> new = Predictions.of(truth, probability=[0.9, 0.7, 0.4, 0.3, 0.2, 0.2])
    >>> old = Predictions.of(truth, probability=[0.7, 0.4, 0.6, 0.6, 0.2, 0.3])
    >>> result = compare(new, old, test="nri")
    >>> round(result.difference, 4), result.effect_sizes["positive cases"].__round__(4)
    (1.0, 0.3333)
    >>> round(compare(new, old, test="nri(cutoffs=(0.5,))").difference, 4)
    0.3333
    """
    first, p, q = _sides(cases, "nri")
    parameters: dict[str, Any] = {}
    if cutoffs is not None:
        p, q = (np.searchsorted(cutoffs, side, "right").astype(np.float64) for side in (p, q))
        parameters = {"cutoffs": tuple(cutoffs), **_tables(first, p, q, len(cutoffs) + 1)}
    ups = np.sign(p - q)
    difference, error = _apart(ups, first, freedom=0)
    positive = first.truth == first.positive
    shares = [
        float(np.average(ups[side], weights=first.weights[side])) for side in (positive, ~positive)
    ]
    return by_standard_error(
        request,
        difference,
        error,
        method="normal",
        parameters=parameters,
        effect_sizes={"positive cases": shares[0], "negative cases": -shares[1]},
        findings=(IMPROPER(),),
        measure="net reclassification",
        values=(),
    )


def _tables(first: Predictions, p: Floats, q: Floats, k: int) -> dict[str, Any]:
    """Count the cases of either class by the category of the second model (rows) and of the first."""
    found: dict[str, Any] = {}
    for name, side in (
        ("positive_cases", first.truth == first.positive),
        ("negative_cases", first.truth != first.positive),
    ):
        cell = (q[side] * k + p[side]).astype(np.intp)
        counts = np.bincount(cell, first.weights[side], k * k).reshape(k, k)
        found[name] = [[c if c % 1 else int(c) for c in row] for row in counts.tolist()]
    return found


def _sides(cases: Cases, test: str) -> tuple[Predictions, Floats, Floats]:
    """Return the cases and what both models say of them."""
    require_measure(cases.measure, (SLOPE_MEASURE,), test)
    first = cases.models[0]
    if cases.average or len(first.classes) != 2:
        raise ParameterError(
            f"{test} is about one class against the rest.", remedy=says("Set <positive=...>.")
        )
    place = first.positive or 0
    p, q = (each.probabilities_of(place) for each in cases.models)
    return first, p, q


def _apart(moved: Floats, p: Predictions, *, freedom: int) -> tuple[float, float]:
    """Return the mean of the positive less that of the negative cases, and its standard error.

    Divisors are the size of a class less ``freedom``; of groups, those of their sums.
    """
    positive, weight = p.truth == p.positive, p.weights
    sizes = [float(weight[side].sum()) for side in (positive, ~positive)]
    if min(sizes) <= freedom:
        raise DataError("Both classes need several cases to show how they vary.")
    means = [float(np.average(moved[side], weights=weight[side])) for side in (positive, ~positive)]
    signed = np.where(positive, (moved - means[0]) / sizes[0], (means[1] - moved) / sizes[1])
    try:
        error, _ = standard_error(signed, p, by_class=True)
    except RefusalError as refusal:
        raise DataError(f"The cases give no standard error: {refusal}.") from None
    if p.clusters is None and p.weight_kind != "importance" and not freedom:
        parts = [
            float(dot(weight[side], np.square(signed[side]))) for side in (positive, ~positive)
        ]
        error = math.sqrt(sum(parts))
    return means[0] - means[1], error
