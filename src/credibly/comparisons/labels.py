"""Tests of predicted labels on the same cases: who errs where, and who says what how often."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import ROUNDING, Floats, dot
from credibly._core.names import Names
from credibly.comparisons._declare import Outcome, TestRequest, by_chi_square, comparison, tail_of
from credibly.comparisons._scores import (
    newcombe_limits,
    paired_correlation,
    tango_limits,
    tango_statistic,
)
from credibly.comparisons.assumptions import (
    INDEPENDENT,
    SAME,
    UNSEEN,
    refuse_importance,
    require_measure,
)
from credibly.comparisons.cases import Cases
from credibly.comparisons.findings import NO_VARIATION
from credibly.comparisons.signed_ranks import Tails
from credibly.errors import ParameterError
from credibly.intervals.quantiles import FEW_DISCORDANT, discordant_tails, normal_quantile
from credibly.measures import Measure
from credibly.predictions import Predictions
from credibly.predictions.labels import MISSING

MCNEMAR = "McNemar, Q. (1947) Note on the sampling error of the difference between correlated proportions or percentages. Psychometrika 12, 153-157. Intervals: Tango, T. (1998) Statistics in Medicine 17, 891-908; Newcombe, R. G. (1998) Statistics in Medicine 17, 2635-2650."
COCHRAN = "Cochran, W. G. (1950) The comparison of percentages in matched samples. Biometrika 37, 256-266."
BOWKER = "Bowker, A. H. (1948) A test for symmetry in contingency tables. JASA 43, 572-574."
MAXWELL = "Maxwell, A. E. (1970) Comparing the classification of subjects by two independent judges. British Journal of Psychiatry 116, 651-655."
SHARE_MEASURES = ("error_rate", "accuracy")
PAIRED_LABELS = {"same": SAME, "independent": INDEPENDENT, "unseen": UNSEEN}


def counts_cases(m: Measure) -> bool:
    """Whether a measure is the share of the cases that it counts, each as one or not at all."""
    return m.name in SHARE_MEASURES or (m.loss is not None and m.parts is not None)


def hits(p: Predictions, m: Measure, test: str) -> NDArray[np.bool_]:
    """Return for each case whether the measure counts it: its errors, what is right, or what passed."""
    if m.loss is not None:
        return m.losses(p)[:, 0] > 0
    right: NDArray[np.bool_] = p.need("label", test) == p.truth
    return right if m.name == "accuracy" else ~right


def _require_counted(m: Measure, test: str) -> None:
    if not counts_cases(m):
        require_measure(m, SHARE_MEASURES, test)


@comparison(
    "McNemar",
    null="both models have the same {measure}",
    cite=MCNEMAR,
    assumptions=PAIRED_LABELS,
    aliases=Names(
        texts="McNemar's test",
        statsmodels="mcnemar",
        unlike={"McnemarPValue": "caret tests truth against the labels of one model"},
    ),
)
def mcnemar(
    cases: Cases,
    request: TestRequest,
    *,
    method: Literal["auto", "exact", "mid_p", "corrected", "chi_square"] = "auto",
    interval: Literal["tango", "newcombe"] = "tango",
) -> Outcome:
    r"""Compare two shares of the same cases, such as error rates, by the cases that count for only one of the models.

    If both shares are the same, each such case counts for either model with equal probability.
    ``exact`` is the binomial test of that, ``mid_p`` counts half of what was seen, ``corrected`` is
    $Z = (|b - c| - 1)/\sqrt{b + c}$, no less than 0, and ``chi_square`` is $(b - c)^2/(b + c)$.
    ``auto`` is exact below 25 such cases, mid-p from there on. The interval is Tango's, corrected
    for continuity as far as the p-value is, so that it leaves out zero just where the p-value is
    small enough. A margin is tested by the same score. With ``interval="newcombe"`` it is made of
    Wilson's of either model.

    >>> from credibly import Predictions, compare
    >>> truth, errs = [1] * 40, [0] * 15
    >>> a = Predictions.of(truth, label=errs + [1] * 25, classes=[0, 1])
    >>> b = Predictions.of(truth, label=[1] * 15 + [0] * 5 + [1] * 20, classes=[0, 1])
    >>> round(compare(a, b, "error_rate", test="mcnemar").pvalue, 6)
    0.041389
    """
    first, second = cases.models
    _require_counted(cases.measure, "mcnemar")
    refuse_importance(first, "mcnemar")
    mine, other = (hits(p, cases.measure, "mcnemar") for p in (first, second))
    b, c = (float(first.weights[side].sum()) for side in (mine & ~other, other & ~mine))
    n = cases.n
    few = b + c < FEW_DISCORDANT
    used: str = method if method != "auto" else "exact" if few else "mid_p"
    spare = spare_cases(b, c, used)
    if request.shift:
        used, statistic = "score", tango_statistic(b, c, n, request.shift, spare=spare)
        pvalue = tail_of(statistic, request.alternative)
    else:
        statistic, pvalue = discordant_test(b, c, used, request.alternative)
    named = interval.capitalize()
    if interval == "newcombe":
        both = float(first.weights[mine & other].sum())
        r = paired_correlation(both, b, c, n - both - b - c)
        limits = newcombe_limits((both + b, both + c), (n, n), request.confidence_level, r)
    else:
        limits = tango_limits(b, c, n, (1 - request.confidence_level) / 2, spare=spare)
        named += ", continuity corrected" if spare > ROUNDING else ""
    return Outcome(
        statistic,
        pvalue,
        (b - c) / n,
        limits,
        named,
        parameters={"method": used, "only_first": b, "only_second": c},
        effect_sizes={"odds ratio": b / c} if c else {},
        findings=() if b + c else (SAME_RESULTS,),
    )


SAME_RESULTS = NO_VARIATION(same="have the same result on every case")


def discordant_test(b: float, c: float, method: str, alternative: str) -> tuple[float, float]:
    """Return statistic and p-value of ``b`` cases one way and ``c`` the other.

    >>> discordant_test(15, 5, "exact", "two-sided")
    (15, 0.04138946533203125)
    >>> discordant_test(4, 4, "corrected", "two-sided")
    (0.0, 1.0)
    """
    if method in {"exact", "mid_p"}:
        return b, _binomial(b, c, alternative, half=method == "mid_p")
    if not b + c:
        return 0.0, 1.0
    distance = abs(b - c) - (1 if method == "corrected" else 0)
    z = math.copysign(max(0.0, distance) / math.sqrt(b + c), b - c)
    pvalue = tail_of(z, alternative)  # type: ignore[arg-type]
    return (z if method == "corrected" else z * z), pvalue


def spare_cases(b: float, c: float, method: str) -> float:
    """Return by how many cases a score at zero is to be brought nearer to it to have the p-value of a method.

    An exact test leaves about one case to spare, mid-p next to none. Far out, where binomial tails are thinner
    than normal ones, there is nothing to spare.

    >>> [round(spare_cases(15, 5, method), 2) for method in ("exact", "mid_p", "corrected", "chi_square")]
    [0.88, 0.08, 1.0, 0.0]
    """
    if not b + c or method in {"corrected", "chi_square"}:
        return float(method == "corrected")
    larger, less = max(b, c), min(b, c)
    _, tail = discordant_test(larger, less, method, "greater")
    return max(larger - less - math.sqrt(b + c) * normal_quantile(tail), 0.0) if tail else 0.0


def _binomial(b: float, c: float, alternative: str, *, half: bool) -> float:
    """Tails of a fair coin; ``half`` counts what was seen half."""
    if b != int(b) or c != int(c):
        raise ParameterError(f"An exact test needs whole numbers of cases; got {b:g} and {c:g}.")
    return Tails(*discordant_tails(b, c, half=half)).pvalue(alternative)


@comparison(
    "Cochran's Q",
    null="all models have the same {measure}",
    cite=COCHRAN,
    assumptions=PAIRED_LABELS,
    several=True,
    aliases=Names(statsmodels="cochrans_q"),
)
def cochran_q(cases: Cases, request: TestRequest) -> Outcome:  # noqa: ARG001
    """Compare the error rates, or other shares of the same cases, of several models at once.

    With two models it is McNemar's chi-square without correction.

    >>> from credibly import Predictions, compare
    >>> models = {name: Predictions.of([1] * 6, label=labels, classes=[0, 1]) for name, labels in
    ...           [("a", [1, 1, 1, 1, 0, 0]), ("b", [1, 1, 0, 0, 1, 0]), ("c", [0, 0, 0, 0, 0, 1])]}
    >>> round(compare(models, measure="error_rate", test="cochran_q").pvalue, 6)
    0.311403
    """
    _require_counted(cases.measure, "cochran_q")
    refuse_importance(cases.models[0], "cochran_q")
    k, weight = len(cases.models), cases.models[0].weights
    right = np.array([hits(p, cases.measure, "cochran_q") for p in cases.models], np.float64)
    by_model, by_case = dot(right, weight), right.sum(axis=0)
    spread = float(k * (by_model**2).sum() - by_model.sum() ** 2)
    uneven = float(dot(weight, k * by_case - by_case**2))
    q = (k - 1) * spread / uneven if uneven else 0.0
    return by_chi_square(q, k - 1, *(() if uneven else (SAME_RESULTS,)))


@comparison(
    "Bowker's symmetry",
    null="disagreements are symmetric: label i by the first and j by the second is as frequent as the reverse",
    cite=BOWKER,
    assumptions={"same": SAME, "independent": INDEPENDENT},
    signed=False,
)
def bowker(cases: Cases, request: TestRequest) -> Outcome:  # noqa: ARG001
    """Test whether two models that disagree do so equally often in both directions, whatever the truth.

    Pairs of labels that never meet are left out of the degrees of freedom. With two classes it is
    McNemar's chi-square on labels instead of errors.

    >>> from credibly import Predictions, compare
    >>> a = Predictions.of(list("aabbcc"), label=list("aabbcc"))
    >>> b = Predictions.of(list("aabbcc"), label=list("abbaca"))
    >>> round(compare(a, b, "error_rate", test="bowker").pvalue, 6)
    0.606531
    """
    table = label_table(cases, "bowker")
    low, high = np.tril_indices(len(table), -1)
    there, back = table[low, high], table[high, low]
    met = there + back > 0
    statistic = float(((there - back)[met] ** 2 / (there + back)[met]).sum())
    freedom = int(met.sum())
    return by_chi_square(statistic, freedom, *(() if freedom else (SAME_LABELS,)))


@comparison(
    "Stuart-Maxwell",
    null="both models give each label equally often",
    cite=MAXWELL,
    assumptions={"same": SAME, "independent": INDEPENDENT},
    signed=False,
)
def stuart_maxwell(cases: Cases, request: TestRequest) -> Outcome:  # noqa: ARG001
    """Test whether two models give each label equally often, whatever the truth.

    >>> from credibly import Predictions, compare
    >>> a = Predictions.of(list("aabbcc"), label=list("aabbcc"))
    >>> b = Predictions.of(list("aabbcc"), label=list("abbaca"))
    >>> round(compare(a, b, "error_rate", test="stuart_maxwell").pvalue, 6)
    0.606531
    """
    table = label_table(cases, "stuart_maxwell")
    gap = table.sum(axis=1) - table.sum(axis=0)
    spread = -(table + table.T)
    np.fill_diagonal(spread, table.sum(axis=0) + table.sum(axis=1) - 2 * np.diag(table))
    freedom = int(np.linalg.matrix_rank(spread))
    statistic = float(gap @ np.linalg.pinv(spread, hermitian=True) @ gap)
    return by_chi_square(statistic, freedom, *(() if freedom else (SAME_LABELS,)))


def label_table(cases: Cases, test: str) -> Floats:
    """Count labels of the first model (rows) against those of the second; no label is one too."""
    first = cases.models[0]
    refuse_importance(first, test)
    k = len(first.classes)
    codes = [np.where((label := p.need("label", test)) == MISSING, k, label) for p in cases.models]
    cell = codes[0].astype(np.int64) * (k + 1) + codes[1]
    counts = np.bincount(cell, first.weights, (k + 1) ** 2).astype(np.float64)
    return counts.reshape(k + 1, k + 1)


SAME_LABELS = NO_VARIATION(same="give every case the same label")
