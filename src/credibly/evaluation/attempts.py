"""Several attempts at the same cases: pass@k, the majority of k and the best of k, with intervals over cases.

A case was tried n times. What k of these tries would have given, averaged over all ways to choose them, is an
unbiased estimate for the case; cases are what is drawn, so that the mean over cases has the interval of any mean.
Chen, M. et al. (2021) Evaluating large language models trained on code. arXiv:2107.03374.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.parameters import require, whole
from credibly._core.search_names import search_names
from credibly._core.text import count
from credibly.errors import DataError, ParameterError, says
from credibly.evaluation.evaluate import evaluate
from credibly.evaluation.findings import FEWER_ATTEMPTS
from credibly.measures import measures
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.predictions.findings import TAKEN_AS_PASSED
from credibly.predictions.labels import distinct, joint_codes
from credibly.results.table import Table

How = Literal["pass", "majority", "best"]
MEAN_OUTCOME = "mean_outcome"
TITLES = {"pass": "pass@{k}", "majority": "majority of {k}", "best": "best of {k}"}


@door
def at_k(predictions: Predictions, k: int, how: How = "pass") -> Predictions:
    r"""Return what k attempts at each case would give: one outcome per case, to evaluate and to compare.

    For a case that passed c times of n, pass@k is $1 - \binom{n-c}{k} / \binom{n}{k}$.

    Parameters
    ----------
    predictions
        Outcomes of which each case (``row``) has several (``repeat``), such as the epochs of a log.
    k
        How many attempts.
    how
        Whether one of them passes (``"pass"``), most of them do (``"majority"``, of which a tie counts half),
        or the outcome of the best of them (``"best"``).

    >>> p = Predictions.of(outcome=[1, 0, 0, 1, 1, 0], row=[0, 0, 0, 1, 1, 1], repeat=[0, 1, 2, 0, 1, 2])
    >>> at_k(p, 2).outcome.round(4).tolist()
    [0.6667, 1.0]
    """
    p = as_predictions(predictions, "at_k")
    require("k", k, whole(1))
    return _collapsed(p, _outcomes(p, how), k, how)


def case_means(p: Predictions) -> Predictions:
    """Return the mean outcome of the attempts at each case: one outcome per case.

    >>> p = Predictions.of(outcome=[1, 0, 0.5], row=[0, 0, 1], repeat=[0, 1, 0])
    >>> case_means(p).outcome.tolist()
    [0.5, 0.5]
    """
    if not p.repeated or p.outcome is None:
        return replace(p, repeat=None)
    return _collapsed(p, p.outcome, 1, "best")


def _collapsed(p: Predictions, outcome: Floats, k: int, how: How) -> Predictions:
    """Return one outcome per case, made of those of its attempts."""
    names = ["model", "row"] if p.model is not None else ["row"]
    codes = joint_codes([distinct(getattr(p, name)) for name in names])
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    kept = first[np.argsort(first)]
    values = _of_k(outcome, place, k, how, lower=p.better == "lower")[np.argsort(first)]
    few = int(np.isnan(values).sum())
    if few == values.size:
        raise DataError(
            f"No case has {count(k, 'attempt')}.",
            remedy=says(
                "Ask for fewer with <k=...>, or name the column of attempts with <repeat=...>."
            ),
        )
    known = np.flatnonzero(~np.isnan(values))
    beside: dict[str, Any] = {
        name: getattr(p, name)[kept][known]
        for name in ("model", "row", "group")
        if getattr(p, name) is not None
    }
    if p.given_kind != "none" and p.unshared is not None:
        beside |= {"sample_weight": p.unshared[kept][known], "weight_kind": p.given_kind}
    predictions = Predictions.of(
        outcome=values[known],
        better=p.better or ("higher" if p.pass_or_fail else None),
        bounds=(0.0, 1.0) if how != "best" or p.pass_or_fail else p.bounds,
        columns=p.columns.take(kept).take(known),
        **beside,
    )
    findings = [f for f in p.findings if f.code != TAKEN_AS_PASSED.code]
    if few:
        findings.append(FEWER_ATTEMPTS(cases=f"{few:,} of {count(values.size, 'case')}", k=k))
    return replace(predictions, findings=(*findings, *predictions.findings))


def _outcomes(p: Predictions, how: How) -> Floats:
    if p.task != "outcome" or p.outcome is None:
        raise ParameterError(
            "Attempts are outcomes of cases that were scored elsewhere; these are predictions.",
            remedy=says("Name the column of outcomes with <outcome=...>."),
        )
    if p.row is None or not p.repeated:
        raise DataError(
            "Every case has one outcome, so there are no attempts to choose from.",
            remedy=says(
                "Name the column of the case with <row=...> and that of the attempt with <repeat=...>."
            ),
        )
    if how != "best" and not p.pass_or_fail:
        raise DataError(
            f"{TITLES[how].format(k='k')} is of outcomes that pass or fail; these are other numbers.",
            remedy=says("Use <how='best'>."),
        )
    if how == "best" and p.better is None and not p.pass_or_fail:
        raise DataError(
            "It is not known whether a higher or a lower outcome is better, so none is the best.",
            remedy=says("Set <better='higher'> or <better='lower'> where the outcomes are read."),
        )
    return p.outcome


def _of_k(outcome: Floats, place: NDArray[np.intp], k: int, how: How, *, lower: bool) -> Floats:
    """Return the mean over all ways to choose k of the outcomes of each case; NaN where there are fewer."""
    known = ~np.isnan(outcome)
    cases = int(place.max()) + 1
    n = np.bincount(place[known], minlength=cases)
    made = np.full(cases, np.nan)
    if how == "best":
        value = -outcome if lower else outcome
        order = np.lexsort((value, place))
        order = order[known[order]]
        ends = np.cumsum(n)
        rank = np.arange(order.size) - np.repeat(ends - n, n) + 1  # from the worst of a case
        share = _chosen_below(rank - 1, k - 1) - _chosen_below(np.repeat(n, n), k)
        weights = np.where(rank >= k, np.exp(share), 0.0)
        sums, whole_weight = (
            np.bincount(place[order], w, minlength=cases)
            for w in (weights * outcome[order], weights)
        )
        rows = n >= k
        # Divided by what is 1 but for rounding, and never beyond the outcomes themselves.
        made[rows] = np.clip(
            sums[rows] / whole_weight[rows], outcome[known].min(), outcome[known].max()
        )
        return made
    passed = np.bincount(place[known], outcome[known], minlength=cases).astype(np.intp)
    from scipy.stats import hypergeom

    rows = n >= k
    drawn = hypergeom(n[rows], passed[rows], k)
    if how == "pass":
        made[rows] = _pass_at_k(n[rows], passed[rows], k)
    else:
        tie = drawn.pmf(k // 2) / 2 if k % 2 == 0 else 0.0
        made[rows] = drawn.sf(k // 2) + tie
    return made


def _pass_at_k(n: NDArray[Any], passed: NDArray[Any], k: int) -> Floats:
    """Return the estimate as it was published: one less a product, in which nothing overflows."""
    values = np.ones(n.size)
    for i in range(k):
        values *= np.maximum(n - passed - i, 0) / (n - i)
    return 1 - values


def _chosen_below(n: NDArray[Any], k: int) -> Floats:
    """Return the logarithm of the number of ways to choose k of n."""
    from scipy.special import gammaln

    left = np.maximum(n - k, 0)
    values: Floats = gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(left + 1.0)
    return values


def _mean(p: Predictions, confidence_level: float) -> Table:
    """Return the mean outcome; where cases pass or fail as a whole it is their pass rate, with the interval of that."""
    measure = "pass_rate" if p.pass_or_fail else MEAN_OUTCOME
    table = evaluate(p, measure, confidence_level=confidence_level)
    title = measures[MEAN_OUTCOME].title
    named = tuple(replace(e, measure=MEAN_OUTCOME, title=title) for e in table.estimates)
    return replace(table, estimates=named)


@door
@search_names({"pass_at_k, pass@k, estimate_pass_at_k": "attempts(p, k=[1, 5])"})
def attempts(
    predictions: Predictions,
    *,
    k: Sequence[int] = (1,),
    how: How = "pass",
    confidence_level: float = 0.95,
) -> Table:
    """Estimate pass@k, the majority of k or the best of k attempts, with intervals over cases.

    Parameters
    ----------
    predictions
        Outcomes of which each case (``row``) has several (``repeat``), such as the epochs of a log.
    k
        How many attempts; several numbers give a row each.
    how
        Whether one of them passes (``"pass"``), most of them do (``"majority"``), or the ``"best"`` outcome.
    confidence_level
        How often such intervals should cover the true number.

    >>> p = Predictions.of(outcome=[1, 0, 0, 1, 1, 0], row=[0, 0, 0, 1, 1, 1], repeat=[0, 1, 2, 0, 1, 2])
    >>> [round(e.value, 4) for e in attempts(p, k=[1, 2]).estimates]
    [0.5, 0.8333]
    """
    asked = [k] if isinstance(k, int) else list(k)
    if not asked:
        raise ParameterError(says("<k=> names one number of attempts or several; got none."))
    tables = {
        TITLES[how].format(k=each): _mean(at_k(predictions, each, how), confidence_level)
        for each in asked
    }
    first = next(iter(tables.values()))
    return replace(
        first,
        estimates=tuple(
            replace(e, keys={**e.keys, "attempts": title})
            for title, t in tables.items()
            for e in t.estimates
        ),
        findings=tuple(dict.fromkeys(f for t in tables.values() for f in t.findings)),
        first_look=(),
    )
