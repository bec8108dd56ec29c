"""Checks of what is made of the numbers: tests, choices, costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from credibly._core.grouping import grouped
from credibly._core.text import lower_first
from credibly.checks._declare import (
    Verdict,
    caution,
    fired,
    needs,
    not_applicable,
    note,
    passed,
    problem,
)
from credibly.comparisons.best_of import affordable_best_of
from credibly.comparisons.result import TestResult
from credibly.decisions import decide
from credibly.errors import listed, says
from credibly.evaluation.caveats import MAX_MODELS
from credibly.intervals.findings import DEPENDENT_FOLDS
from credibly.intervals.quantiles import normal_quantile
from credibly.measures import measures
from credibly.predictions import CostMatrix
from credibly.predictions.labels import distinct

if TYPE_CHECKING:
    from credibly.checks._declare import CheckContext
    from credibly.measures import Measure
    from credibly.predictions import Predictions


@problem(
    "Dependent folds tested as independent",
    remedy="Use the default of <compare()>, or the corrected resampled t test.",
    same_as=("dependent-folds",),
    of_outcomes=True,
)
def folds_tested_as_independent(d: CheckContext) -> Verdict:
    """Folds share training rows, so a test that treats them as independent finds differences that do not exist."""
    needs(d.tests, "No comparisons were given (<comparisons=>).")
    naive = [t for t in d.tests if any(f.code == DEPENDENT_FOLDS.code for f in t.findings)]
    if naive:
        return fired(
            f"{naive[0].title} treats {naive[0].n:g} folds that share training rows as independent."
        )
    return passed("No test treats folds as independent.")


@caution(
    "Many comparisons without correction",
    remedy="Adjust the p-values, for instance with <correction='holm'>.",
    same_as=("not-adjusted",),
    of_outcomes=True,
)
def uncorrected_comparisons(d: CheckContext) -> Verdict:
    """At 5 %, one true null hypothesis in twenty is rejected on average."""
    needs(d.comparisons, "No comparisons were given (<comparisons=>).")
    single = sum(isinstance(c, TestResult) for c in d.comparisons)
    if single > 1:
        return fired(f"{single} comparisons were made without a correction for multiple testing.")
    return passed("P-values are adjusted for the number of comparisons, or there is only one.")


@problem(
    "Paired test on unpaired data",
    remedy="Compare on the same rows, or set <independent=True>.",
    same_as=("different-cases",),
    of_outcomes=True,
)
def paired_on_unpaired(d: CheckContext) -> Verdict:
    """Models were judged on different rows, so they cannot be compared row by row."""
    if len(d.models) < 2 or d.known.row is None or d.known.model is None:
        return not_applicable(says("There is one model, or rows have no identifiers (<row=>)."))
    model, row = (distinct(c) for c in (d.known.model, d.known.row))
    seen = np.zeros((len(model.values), len(row.values)), bool)
    seen[model.codes, row.codes] = True
    other = [
        str(name) for name, mine in zip(model.values, seen, strict=True) if (mine != seen[0]).any()
    ]
    if other:
        return fired(f"The rows of {model.values[0]} are not those of {', '.join(other)}.")
    return passed("All models were evaluated on the same rows.")


@caution(
    "Winner's curse",
    remedy="Report the value that allows for the choice (<best_of()>), or evaluate the chosen model again on rows kept for this or by nested resampling.",
    same_as=("best-of-many",),
    of_outcomes=True,
)
def winners_curse(d: CheckContext) -> Verdict:
    """The best of many models looks better than it is, because it was partly chosen by chance.

    The largest of n equally good values lies about as many standard errors above their mean as the
    largest of n normal numbers (Blom's approximation).
    """
    n = len(d.models)
    needs(n > 1, "There is one model.")
    if n <= MAX_MODELS:
        return passed(f"There are {n} models to choose from.")
    luck = normal_quantile(0.625 / (n + 0.25))
    text = (
        f"The best of {n} models is evaluated on the rows it was chosen on: among {n} equally "
        f"good models, the best would look better by about {luck:.1f} standard errors."
    )
    best = affordable_best_of(d.models, d.measure)
    return fired(text) if best is None else fired(f"{text} {best.meaning()}", **best.summary())


@caution(
    "Measures disagree",
    remedy="Choose by what mistakes cost, not by the most flattering measure.",
    of_outcomes=True,
)
def measures_at_odds(d: CheckContext) -> Verdict:
    """One model is best by one measure and another by a second one."""
    needs(len(d.models) > 1, "There is one model.")
    best: dict[str, set[str]] = {}
    for m in _rival_measures(d):
        values = {name: _value(d, m, p) for name, p in d.models.items()}
        if not any(np.isnan(v) for v in values.values()) and len(set(values.values())) > 1:
            top = (max if m.direction == "higher" else min)(values.values())
            best[lower_first(m.title)] = {name for name, v in values.items() if v == top}
    if best and not set.intersection(*best.values()):
        by = grouped((listed(n for n in d.models if n in tops), m) for m, tops in best.items())
        text = "; ".join(f"{models} by {listed(measures)}" for models, measures in by.items())
        return fired(f"The best model is {text}.")
    return passed(
        "The same model is best by all measures." if best else "Fewer than two measures apply."
    )


def _value(d: CheckContext, m: Measure, p: Predictions) -> float:
    """Return the value of a measure; what mistakes cost is that of decisions by the costs, where these can be made."""
    if m.name == "average_cost" and p.probability is not None:
        return decide(p, d.costs).table["average_cost"].value
    return d.value(m, p)


def _rival_measures(d: CheckContext) -> list[Measure]:
    """Return measures that look at errors, ranking, probabilities and costs."""
    names = ["accuracy", "auc", "log_loss"] if d.known.task == "classification" else ["mae", "rmse"]
    chosen = [measures[name] for name in names]
    if isinstance(d.costs, CostMatrix) and d.known.label is not None:
        chosen.append(measures["average_cost"].given(costs=d.costs))
    return chosen


@note(
    "Costs ignored",
    remedy="Give the costs with <costs=...>: those of outcomes, such as fn=5 and fp=1, or a matrix of the classes.",
    same_as=("no-costs",),
)
def costs_ignored(d: CheckContext) -> Verdict:
    """Error rates count a missed positive case as much as a false alarm."""
    needs(d.known.task == "classification", "No classes are predicted.")
    if d.costs is not None:
        return passed("The costs of mistakes are given.")
    return fired("No costs were given, so all mistakes count the same.")


@caution(
    "Measure chosen after the fact",
    remedy="Report the measure that was planned, with the others in addition.",
    of_outcomes=True,
)
def measure_chosen_afterwards(d: CheckContext) -> Verdict:
    """The measure reported is not the one chosen before looking."""
    if d.planned_measure is None or d.measure is None:
        return not_applicable(
            says(
                "The measure reported (<measure=>) and the one planned (<planned_measure=>) are not given."
            )
        )
    if measures.parse(d.measure).call != measures.parse(d.planned_measure).call:
        return fired(f"The measure planned was {d.planned_measure}; {d.measure} is reported.")
    return passed(f"The measure planned, {d.planned_measure}, is the one reported.")
