"""Decision rules: where to operate, by costs, by theory or by what must be reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.names import Names
from credibly._core.parameters import NUMBER, SHARE_RULE, Rule, above, up_to
from credibly.decisions._declare import Choice, decision_rule, threshold_rule
from credibly.errors import DataError
from credibly.predictions.summaries.linear import ratio

if TYPE_CHECKING:
    from credibly.decisions.problem import DecisionProblem, Thresholds


ELKAN = "Elkan, C. (2001) The foundations of cost-sensitive learning. IJCAI, 973-978."
CHOW = "Chow, C. K. (1970) On optimum recognition error and reject tradeoff. IEEE Transactions on Information Theory 16, 41-46."
METZ = (
    "Metz, C. E. (1978) Basic principles of ROC analysis. Seminars in Nuclear Medicine 8, 283-298."
)
YOUDEN = "Youden, W. J. (1950) Index for rating diagnostic tests. Cancer 3, 32-35."
PERKINS = "Perkins, N. J. & Schisterman, E. F. (2006) The inconsistency of 'optimal' cutpoints obtained using two criteria based on the receiver operating characteristic curve. American Journal of Epidemiology 163, 670-675."
RIJSBERGEN = "van Rijsbergen, C. J. (1979) Information Retrieval, 2nd ed. Butterworths."
PEPE = "Pepe, M. S. (2003) The Statistical Evaluation of Medical Tests for Classification and Prediction. Oxford University Press."
WITTEN = (
    "Witten, I. H., Frank, E. & Hall, M. A. (2011) Data Mining, 3rd ed., ch. 5. Morgan Kaufmann."
)
CUBE_ROOT, SQUARE_ROOT = 1 / 3, 1 / 2
COST_RULE = Rule(
    "the cost of a case left undecided", lambda v: v is None or NUMBER.accepts(v), "much"
)


@decision_rule(
    "Minimum expected cost",
    cite=CHOW,
    aliases=Names("bayes", texts="Bayes decision rule"),
    constraints={"doubt": COST_RULE},
    believes=True,
)
def minimum_expected_cost(problem: DecisionProblem, *, doubt: float | None = None) -> Choice:
    r"""Give each case the label that its probabilities make cheapest: Bayes' rule.

    $\mathrm{argmin}_j \sum_i P(i \mid x)\, C_{ij}$

    With two classes this is a threshold on the probability, which follows from the costs alone
    (Elkan 2001): $(C_{FP} - C_{TN}) / (C_{FP} - C_{TN} + C_{FN} - C_{TP})$. It is not chosen on
    these cases, but it needs calibrated probabilities. With ``doubt``, the cost of leaving a case
    undecided, a case gets no label where every one would cost more (Chow 1970).

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 1, 0, 1], probability=[0.05, 0.1, 0.3, 0.9])
    >>> credibly.decide(p, {"fn": 10, "fp": 1}).threshold
    0.09090909090909091
    """
    expected = problem.expected_costs()
    threshold, labels = None, expected.argmin(axis=1)
    if problem.binary and problem.costs.ndim == 2:
        threshold = probability_threshold(problem)
        labels = problem.cut(threshold)
    elif problem.binary:  # of equally cheap labels the positive one, as with a threshold
        positive = int(problem.cases.positive or 0)
        labels = np.where(
            expected[:, positive] <= expected[:, 1 - positive], positive, 1 - positive
        )
    if doubt is None:
        return Choice(labels, threshold)
    undecided = expected.min(axis=1) > doubt
    labels = np.where(undecided, -1, labels)
    start = None
    if threshold is not None and undecided.any():
        positive = int(problem.cases.positive or 0)
        start = float(problem.scores()[undecided].min())
        taken = problem.scores()[labels == positive]
        threshold = float(taken.min()) if taken.size else np.inf
    return Choice(labels, threshold, doubt, start)


def probability_threshold(problem: DecisionProblem) -> float:
    """Return the probability, as the model gives it, from which on the positive label is cheaper."""
    positive = int(problem.cases.positive or 0)
    costs = problem.costs
    alarm = costs[1 - positive, positive] - costs[1 - positive, 1 - positive]
    miss = costs[positive, 1 - positive] - costs[positive, positive]
    if alarm <= 0 <= miss:
        return 0.0
    if miss <= 0 <= alarm:
        return float(np.inf)
    if alarm < 0:
        raise DataError(
            "With these costs, both mistakes are cheaper than being right. Have costs and benefits been swapped?"
        )
    if problem.priors is not None:
        # An odds of p against 1 - p moves by the ratio of the shares' odds.
        moved = problem.priors / problem.trained_for
        miss, alarm = miss * moved[positive], alarm * moved[1 - positive]
    return float(alarm / (alarm + miss))


@threshold_rule("Minimum cost", cite=METZ, rate=CUBE_ROOT, aliases=("roc_tangent",))
def minimum_cost(t: Thresholds) -> float:
    r"""Take the threshold at which these cases would have cost least.

    $\mathrm{argmin}_\tau\, \pi_1 (C_{FN} - C_{TP})(1 - \mathrm{TPR}) + \pi_0 (C_{FP} - C_{TN})\,\mathrm{FPR}$

    It is where a line of slope $\pi_0 (C_{FP} - C_{TN}) / \pi_1 (C_{FN} - C_{TP})$ touches the ROC curve
    from above. It needs only a ranking, not probabilities, but it is chosen on these cases.

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6])
    >>> credibly.decide(p, {"fn": 5, "fp": 1}, rule="minimum_cost").threshold
    3.0
    """
    return t.best(-t.cost, t.stake)


@threshold_rule(
    "Youden's index", cite=YOUDEN, rate=CUBE_ROOT, aliases=Names("youden_index", proc="youden")
)
def youden(t: Thresholds) -> float:
    r"""Maximise recall plus specificity: least cost where the two classes matter equally as a whole.

    $\mathrm{argmax}_\tau\, \mathrm{TPR} - \mathrm{FPR}$

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6])
    >>> credibly.decide(p, rule="youden").threshold
    5.0
    """
    return t.best(_recall(t) + _specificity(t))


@threshold_rule(
    "Nearest to the corner",
    cite=PERKINS,
    rate=CUBE_ROOT,
    aliases=Names(proc="closest.topleft"),
    caution="A sum of squared rates is not the cost of anything.",
)
def nearest_corner(t: Thresholds) -> float:
    r"""Take the point of the ROC curve nearest to the corner of no mistakes.

    $\mathrm{argmin}_\tau\, \mathrm{FPR}^2 + (1 - \mathrm{TPR})^2$

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6])
    >>> credibly.decide(p, rule="nearest_corner").threshold
    5.0
    """
    return t.best(-np.hypot(1 - _specificity(t), 1 - _recall(t)))


@threshold_rule("Best F-measure", cite=RIJSBERGEN, rate=CUBE_ROOT, constraints={"beta": above(0)})
def best_f(t: Thresholds, *, beta: float = 1.0) -> float:
    r"""Maximise the F-measure, in which recall counts beta times as much as precision.

    $\mathrm{argmax}_\tau\, (1 + \beta^2)\,TP / ((1 + \beta^2)\,TP + \beta^2 FN + FP)$

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6])
    >>> credibly.decide(p, rule="best_f(beta=2)").threshold
    3.0
    """
    c = t.counts
    values = (1 + beta**2) * c.tp
    return t.best(ratio(values, values + beta**2 * c.fn + c.fp))


@threshold_rule("Fixed recall", cite=PEPE, rate=SQUARE_ROOT, constraints={"recall": up_to(1)})
def fixed_recall(t: Thresholds, *, recall: float = 0.95) -> float:
    """Take the highest threshold at which at least this share of the positive cases is found.

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6])
    >>> credibly.decide(p, rule="fixed_recall(recall=0.6)").threshold
    5.0
    """
    return _first(t, _recall(t) >= recall - 1e-12)


@threshold_rule(
    "Fixed specificity", cite=PEPE, rate=SQUARE_ROOT, constraints={"specificity": up_to(1)}
)
def fixed_specificity(t: Thresholds, *, specificity: float = 0.95) -> float:
    """Take the lowest threshold at which at least this share of the negative cases is labelled negative.

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6])
    >>> credibly.decide(p, rule="fixed_specificity(specificity=0.6)").threshold
    3.0
    """
    return _last(t, _specificity(t) >= specificity - 1e-12)


@threshold_rule(
    "Fixed precision", cite=WITTEN, rate=SQUARE_ROOT, constraints={"precision": up_to(1)}
)
def fixed_precision(t: Thresholds, *, precision: float = 0.9) -> float:
    """Take the lowest threshold at which at least this share of those labelled positive is positive.

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6])
    >>> credibly.decide(p, rule="fixed_precision(precision=0.75)").threshold
    3.0
    """
    reached = ratio(t.counts.tp, t.counts.labelled_positive)
    if not (reached >= precision - 1e-12).any():
        best = float(np.nanmax(reached))
        raise DataError(
            f"No threshold has a precision of {precision:g} on these cases; the highest is {best:.4g}."
        )
    return _last(t, reached >= precision - 1e-12)


@threshold_rule(
    "Share of the cases", cite=WITTEN, rate=SQUARE_ROOT, constraints={"share": SHARE_RULE}
)
def top_share(t: Thresholds, *, share: float = 0.1) -> float:
    """Label at most this share of the cases positive, those of the highest scores.

    Fewer where that costs less. A block of cases of one score is taken as a whole or not at all.

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6])
    >>> credibly.decide(p, rule="top_share(share=0.4)").threshold
    5.0
    """
    return t.cheapest_within(share * t.times * float(t.counts.total[0]))


@threshold_rule("Capacity", cite=WITTEN, rate=SQUARE_ROOT, constraints={"number": above(0)})
def capacity(t: Thresholds, *, number: float) -> float:
    """Label at most so many of these cases positive, those of the highest scores.

    Fewer where that costs less. A block of cases of one score is taken as a whole or not at all.

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6])
    >>> credibly.decide(p, rule="capacity(number=3)", costs={"fn": 5, "fp": 1}).threshold
    5.0
    """
    return t.cheapest_within(number)


@threshold_rule(
    "Budget", cite=WITTEN, rate=SQUARE_ROOT, constraints={"amount": above(0), "price": above(0)}
)
def budget(t: Thresholds, *, amount: float, price: float = 1.0) -> float:
    """Spend at most an amount on cases labelled positive, each at a price, highest scores first.

    Less where that costs less in all.

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6])
    >>> credibly.decide(p, {"fn": 9, "fp": 1}, rule="budget(amount=10, price=2.5)").threshold
    3.0
    """
    return t.cheapest_within(amount / price)


@decision_rule("Given threshold", cite=WITTEN, constraints={"threshold": NUMBER})
def given_threshold(problem: DecisionProblem, *, threshold: float = 0.5) -> Choice:
    """Label positive from a threshold that was decided elsewhere.

    >>> import credibly
    >>> p = credibly.Predictions.of([0, 0, 1, 1], probability=[0.1, 0.4, 0.3, 0.9])
    >>> credibly.decide(p, rule="given_threshold(threshold=0.35)").labels.tolist()
    [0, 1, 0, 1]
    """
    return Choice(problem.cut(threshold), float(threshold))


@decision_rule("Given labels", cite=WITTEN)
def given_labels(problem: DecisionProblem) -> Choice:
    """Keep the labels as they are, to see what they cost; no label costs what the worst would.

    >>> import credibly
    >>> p = credibly.Predictions.of(["a", "b", "c"], label=["a", "c", None])
    >>> credibly.decide(p, rule="given_labels").table["total_cost"].value
    2.0
    """
    return Choice(problem.cases.need("label", "given_labels").astype(np.int64))


def _recall(t: Thresholds) -> Floats:
    return ratio(t.counts.tp, t.counts.positives)


def _specificity(t: Thresholds) -> Floats:
    return ratio(t.counts.tn, t.counts.negatives)


def _first(t: Thresholds, allowed: NDArray[np.bool_]) -> float:
    return float(t.threshold[int(np.argmax(allowed))])


def _last(t: Thresholds, allowed: NDArray[np.bool_]) -> float:
    return float(t.threshold[allowed.size - 1 - int(np.argmax(allowed[::-1]))])
