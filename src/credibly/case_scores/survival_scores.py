"""Scores of times to an event.

A concordance, an area and a mean with estimated censoring weights are no means over cases, but to first order they are: the score of a case
here is the value and the influence of the case on it, through the censoring weights as well (`Censoring.moves`). Their
mean is the value itself, and their spread that of the value: so intervals, groups of cases and paired comparisons hold. In a
slice they must be computed again (`Survival.take`).
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from credibly._core.arrays import Floats, dot
from credibly._core.names import Names
from credibly._core.parameters import Rule, above, between
from credibly._kernels.concordance import before_and_below
from credibly.case_scores._declare import UndefinedScoreError, case_score
from credibly.case_scores.censoring import in_order
from credibly.case_scores.survival import Predicted, Survival

HARRELL = "Harrell, F. E., Lee, K. L. & Mark, D. B. (1996) Multivariable prognostic models. Statistics in Medicine 15, 361-387."
UNO = "Uno, H., Cai, T., Pencina, M. J., D'Agostino, R. B. & Wei, L. J. (2011) On the C-statistics for evaluating overall adequacy of risk prediction procedures with censored survival data. Statistics in Medicine 30, 1105-1117."
GRAF = "Graf, E., Schmoor, C., Sauerbrei, W. & Schumacher, M. (1999) Assessment and comparison of prognostic classification schemes for survival data. Statistics in Medicine 18, 2529-2545."
BLANCHE = "Blanche, P., Dartigues, J.-F. & Jacqmin-Gadda, H. (2013) Estimating and comparing time-dependent areas under receiver operating characteristic curves for censored event times with competing risks. Statistics in Medicine 32, 5381-5397."
KAPLAN = "Kaplan, E. L. & Meier, P. (1958) Nonparametric estimation from incomplete observations. Journal of the American Statistical Association 53, 457-481."
VICKERS = "Vickers, A. J. & Elkin, E. B. (2006) Decision curve analysis. Medical Decision Making 26, 565-574."
POSITIVE_RULE = above(0)
TIME_RULE = Rule("a time above 0", lambda v: v is None or POSITIVE_RULE.accepts(v), 0)


def _concordance(s: Survival, m: Predicted, weight: Floats, power: float) -> Floats:
    """Return the share of concordant pairs, of which the earlier case weighs, with the influence of each case on it.

    A pair can be compared where one has its event before the other is last seen; at the same time, where the other is censored.
    """
    key, often = 2 * in_order(s.time)[1] + ~s.event, s.weight
    place, order = in_order(m.risk_at(None))[1], np.argsort(key, kind="stable")
    ordered = key[order]

    def upto(weight: Floats, side: Literal["left", "right"]) -> Floats:
        """Return the weight of the cases before each, or of those no later."""
        return np.append(0.0, np.cumsum(weight[order]))[np.searchsorted(ordered, key, side)]

    below, same = before_and_below(-key, place, often)
    later = often.sum() - upto(often, "right")
    right, pairs = weight * (below + same / 2), weight * later  # as the earlier one of a pair
    earlier = upto(often * weight, "left")
    below, same = before_and_below(key, place, often * weight)
    right_later, pairs_later = earlier - below - same / 2, earlier
    total = float(dot(often, pairs))
    if not total:
        raise UndefinedScoreError("No two cases can be compared: no event occurs before another "
                                  "case was last observed.")  # fmt: skip
    value = float(dot(often, right)) / total
    moved = right + right_later - value * (pairs + pairs_later)
    if power:
        moved += s.censoring.moves(right - value * pairs, s.left_at, power)
    return value + often.sum() * moved / total


@case_score("Harrell's concordance", range=(0, 1), best=1, cite=HARRELL, first_order=True, needs="ranked",
            aliases=Names("c_index, concordance_index"))  # fmt: skip
def harrell_c(s: Survival) -> Floats:
    """Share of the pairs that can be compared in which the case with the earlier event has the higher risk; ties count half.

    Two events at the same time cannot be compared; an event and a censored case at the same time can.

    >>> from credibly import survival
    >>> survival([1, 2, 3], [1, 1, 0], risk=[3, 1, 2]).scored("harrell_c").outcome.mean().round(4)
    np.float64(0.6667)
    """
    return s.each(lambda m: _concordance(s, m, s.event.astype(float), 0))


@case_score("Uno's concordance", range=(0, 1), best=1, cite=UNO, first_order=True, needs="ranked",
            constraints={"until": TIME_RULE})  # fmt: skip
def uno_c(s: Survival, *, until: float | None = None) -> Floats:
    """Concordance whose pairs are weighted by how likely they were to be observed: 1 / G(T-)² of the earlier case; events before ``until``.

    >>> from credibly import survival
    >>> survival([1, 2, 3], [1, 1, 0], risk=[3, 1, 2]).scored("uno_c").outcome.mean().round(4)
    np.float64(0.6667)
    """
    counted = s.event & (s.weight > 0) & (s.time < (math.inf if until is None else until))
    watched = s.censoring.watched[s.left_at]
    if (watched[counted] <= 0).any():
        raise UndefinedScoreError("Some events occur later than every case from which censoring "
                                  "was estimated.")  # fmt: skip
    with np.errstate(all="ignore"):
        weight = np.where(counted, watched**-2.0, 0.0)
    return s.each(lambda m: _concordance(s, m, weight, 2))


@case_score("Area under the ROC curve at a time", range=(0, 1), best=1, cite=BLANCHE, first_order=True,
            constraints={"at": TIME_RULE}, aliases=Names("time_dependent_auc, cumulative_dynamic_auc"))  # fmt: skip
def survival_auc(s: Survival, *, at: float | None = None) -> Floats:
    """Chance that a case with the event by a time has a higher risk than one that outlasts it; ties count half.

    >>> from credibly import survival
    >>> survival([1, 2, 3, 4], [1, 1, 0, 1], risk=[4, 1, 2, 1]).scored("survival_auc(at=2.5)").outcome.mean().round(4)
    np.float64(0.625)
    """
    when, had, outlasted = s.states(at)
    often = s.weight
    others = float(dot(often, outlasted))
    if not dot(often, had) or not others:
        text = "Nobody was followed beyond" if had.any() else "No event was seen up to"
        raise UndefinedScoreError(f"{text} {when:g}.")
    place = s.left_at
    watched = s.censoring.watched[place]
    weight = np.divide(1.0, watched, out=np.zeros(watched.size), where=had & (watched > 0))
    cases = float(dot(often, weight))

    def score(m: Predicted) -> Floats:
        at = in_order(m.risk_at(when))[1]
        calm, ill = np.bincount(at, often * outlasted), np.bincount(at, often * weight)
        above_them = (np.cumsum(calm) - calm / 2)[at]
        below_them = cases - (np.cumsum(ill) - ill / 2)[at]
        right = weight * above_them
        value = float(dot(often, right)) / (cases * others)
        moved = right + np.where(outlasted, below_them, 0.0)
        moved -= value * (weight * others + np.where(outlasted, cases, 0.0))
        moved += s.censoring.moves(right - value * weight * others, place)
        return value + often.sum() * moved / (cases * others)

    return s.each(score)


def _weighted_mean(s: Survival, at: float | None, term: object) -> Floats:
    """Return a mean of terms of cases whose state is known, weighted by 1 / G, with the influence of each case through G."""
    when, weight, place = s.weights(at)
    had = (s.time <= when).astype(float)

    def score(m: Predicted) -> Floats:
        terms = weight * term(m.surviving(when), had)  # type: ignore[operator]
        return terms + s.censoring.moves(terms, place)

    return s.each(score)


@case_score("Brier score at a time", range=(0, np.inf), best=0, cite=GRAF, first_order=True, needs="chances",
            constraints={"at": TIME_RULE}, aliases=Names("brier_at"))  # fmt: skip
def survival_brier(s: Survival, *, at: float | None = None) -> Floats:
    """Mean squared distance between the chance of survival and whether the case outlasted a time, weighted by 1 / G(T-) and 1 / G(t).

    >>> from credibly import survival
    >>> survival([1, 2, 3], [1, 1, 0], survival=[0.2, 0.4, 0.9], times=2).scored("survival_brier").outcome.round(4).tolist()
    [0.04, 0.16, 0.01]
    """
    return _weighted_mean(s, at, lambda chance, had: (1 - had - chance) ** 2)


@case_score("Integrated Brier score", range=(0, np.inf), best=0, cite=GRAF, first_order=True, needs="several_times",
            aliases=Names("ibs"))  # fmt: skip
def integrated_brier(s: Survival) -> Floats:
    """Mean of the Brier score over the times that were predicted, from the first to the last, by straight lines between them.

    >>> from credibly import survival
    >>> found = survival([1, 2, 3, 4], [1, 1, 0, 1], survival=[[0.5, 0.2], [0.6, 0.4], [0.8, 0.6], [0.9, 0.7]], times=[1, 3])
    >>> found.scored("ibs").outcome.mean().round(4)
    np.float64(0.1058)
    """
    times = s.shared_times
    scores = np.array([survival_brier.function(s, at=float(t)) for t in times])
    return np.trapezoid(scores, times, axis=0) / (times[-1] - times[0])


@case_score("Observed less predicted events at a time", range=(-np.inf, np.inf), best=0, cite=GRAF, first_order=True, needs="chances",
            constraints={"at": TIME_RULE}, aliases=Names("calibration_in_the_large_at"))  # fmt: skip
def survival_bias(s: Survival, *, at: float | None = None) -> Floats:
    """Share of events by a time (one less Kaplan-Meier's estimate) less the mean that was predicted; right predictions have 0.

    >>> from credibly import survival
    >>> survival([1, 2, 3], [1, 1, 0], survival=[0.2, 0.4, 0.9], times=2).scored("survival_bias").outcome.mean().round(4)
    np.float64(0.1667)
    """
    when = s.states(at)[0]
    seen = _events(s, when)
    return s.each(lambda m: seen - (1 - m.surviving(when)))


def _events(s: Survival, when: float) -> Floats:
    _, weight, place = s.weights(when)
    terms = np.where(s.time <= when, weight, 0.0)
    return terms + s.censoring.moves(terms, place)


@case_score("Share of events by a time", range=(0, 1), best=0, cite=KAPLAN, first_order=True, shown=False,
            constraints={"at": TIME_RULE}, aliases=Names("kaplan_meier_risk"))  # fmt: skip
def event_share(s: Survival, *, at: float | None = None) -> Floats:
    """Share of the cases with the event by a time, whatever was predicted: one less Kaplan and Meier's estimate.

    >>> from credibly import survival
    >>> survival([1, 2, 3, 4], [1, 0, 1, 1], risk=[1, 1, 1, 1]).scored("event_share(at=3)").outcome.mean().round(4)
    np.float64(0.625)
    """
    seen = _events(s, s.states(at)[0])
    return s.each(lambda _: seen)


@case_score("Net benefit at a time", range=(-np.inf, 1), best=1, cite=VICKERS, first_order=True, needs="chances", shown=False,
            constraints={"at": TIME_RULE, "threshold": between(0, 1)})  # fmt: skip
def survival_net_benefit(s: Survival, *, threshold: float = 0.5, at: float | None = None) -> Floats:
    """Events by a time among those whose predicted risk reaches a threshold, less the others among them by the odds of the threshold.

    >>> from credibly import survival
    >>> survival([1, 2, 3], [1, 1, 0], survival=[0.2, 0.4, 0.9], times=2).scored("survival_net_benefit").outcome.mean().round(4)
    np.float64(0.6667)
    """
    odds = threshold / (1 - threshold)
    return _weighted_mean(
        s, at, lambda chance, had: (1 - chance >= threshold) * (had - odds * (1 - had))
    )
