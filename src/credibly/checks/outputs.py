"""Checks of what models put out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credibly._core.text import count, number_text
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
from credibly.errors import MAX_LISTED, listed
from credibly.measures import measures
from credibly.predictions import Predictions
from credibly.predictions.outputs import certain_rows, not_most_probable
from credibly.predictions.parts import as_given

if TYPE_CHECKING:
    from credibly.checks._declare import CheckContext

PERFECT_AUC = 0.999
MIN_CASES = 30
# Half of the squared error by a hundredth of the cases.
LARGE_ERROR_SHARE, FEW_CASES_SHARE = 0.5, 0.01
MAX_FOLD_GAP = 0.02
MIN_JUDGED = 2  # cases, for calibration


@problem(
    "No better than the majority rule",
    remedy="Do not use these labels: if the scores rank the cases well, choose another threshold with <decide()>; else train another model.",
)
def no_better_than_majority(d: CheckContext) -> Verdict:
    """Always predicting the most common class makes no more errors."""
    needs(d.known.label is not None, "There are no labels.")
    needs(
        d.costs is None or not d.having("score", "probability"),
        "Scores are labelled by the costs, so what counts is what that costs beside a trivial rule (<decide()>).",
    )
    needs(np.unique(d.cases.truth).size > 1, "All cases have the same class.")
    poor, unsure = [], []
    for name, p in d.models.items():
        estimate = d.estimate("accuracy", p)
        if estimate is None or (gain := estimate.advantage) is None:
            continue
        if gain.difference <= 0:
            poor.append(f"{name}: {estimate.value:.3g} against {gain.rule.value:.3g}")
        elif gain.standing == "not shown":
            unsure.append(name)
    sentences = []
    if poor:
        sentences.append(
            f"Accuracy is no higher than that of always predicting the most common class ({'; '.join(poor)})."
        )
    if unsure:
        sentences.append(
            f"On the same cases the accuracy of {listed(unsure)} is not clearly higher than that of always predicting the most common class."
        )
    if sentences:
        return fired(" ".join(sentences))
    return passed("Accuracy is higher than that of always predicting the most common class.")


@caution(
    "Suspiciously perfect",
    remedy="Look for an attribute that gives away the answer, and for rows that are in both the training and the test part.",
    of_outcomes=True,
)
def suspiciously_perfect(d: CheckContext) -> Verdict:
    """A perfect result is rare on real problems and often a sign of leakage."""
    large = {name: p for name, p in d.models.items() if p.cases >= MIN_CASES}
    needs(large, f"There are fewer than {MIN_CASES} cases.")
    best = ("auc", "kappa", "r2")  # accuracy is high wherever a class is rare
    names = [name for name, p in large.items() if any(d.value(m, p) >= PERFECT_AUC for m in best)]
    if names:
        return fired(f"These models are almost always right: {', '.join(names)}.")
    return passed("No model is perfect.")


@caution(
    "Probabilities of exactly 0 or 1",
    remedy="Smooth them (Laplace) or recalibrate: by log loss, a single mistake among them costs infinitely much.",
)
def certain_probabilities(d: CheckContext) -> Verdict:
    """A probability of exactly 0 for an outcome that occurs makes the log loss infinite."""
    each = [as_given(p) for p in d.having("probability").values()]
    needs(each, "There are no probabilities.")
    certain = sum(float(p.counts[certain_rows(p)].sum()) for p in each)
    if certain:
        have = "has" if certain == 1 else "have"
        return fired(
            f"{count(certain, 'prediction')} of {sum(p.cases for p in each):,.10g} {have} a probability of exactly 0 or 1."
        )
    return passed("No probability is exactly 0 or 1.")


@note(
    "Labels that are not the most probable class",
    remedy="Evaluate the labels if they are what is used, and the probabilities if someone decides based on them.",
    same_as=("labels-differ",),
)
def labels_differ(d: CheckContext) -> Verdict:
    """The model's own labels differ from those that its probabilities give at equal costs."""
    having = d.having("probability")
    both = {n: as_given(p) for n, p in having.items() if p.label is not None}
    needs(both, "There are no labels in addition to probabilities.")
    differ = {
        name: p.counts @ not_most_probable(p.probability_matrix("this check"), np.asarray(p.label))
        for name, p in both.items()
    }
    sentences = [
        f"{name} ({n:,.10g} of {count(both[name].cases, 'prediction')})"
        for name, n in differ.items()
        if n
    ]
    if sentences:
        return fired(f"Labels are not the most probable class: {', '.join(sentences)}.")
    return passed("Every label is the most probable class.")


@caution(
    "Scores that look like labels",
    remedy="Ask the model for probabilities or decision values instead of labels.",
)
def scores_like_labels(d: CheckContext) -> Verdict:
    """A score with only two values is a label: its ROC curve has a single corner."""
    scored = d.having("score", "probability")
    needs(d.binary and scored, "There are no scores of a positive class.")
    needs(d.first.cases >= MIN_CASES, f"There are fewer than {MIN_CASES} cases.")
    names = [name for name, p in scored.items() if _takes_two_values(p)]
    if names:
        return fired(f"The scores of {', '.join(names)} take at most two values.")
    return passed("Scores take more than two values.")


def _takes_two_values(p: Predictions) -> bool:
    scores = p.scores_of(p.positive or 0, "this check")
    return not ((scores != scores.min()) & (scores != scores.max())).any()


@caution(
    "Pooled scores on different scales",
    remedy="Report the mean over folds, or make the models' scores comparable.",
)
def pooled_scores(d: CheckContext) -> Verdict:
    """Scores of models from different folds are compared with each other in a pooled AUC."""
    scored = d.having("score", "probability")
    if not d.binary or d.fold_codes is None or not scored:
        return not_applicable("There are no scores in folds.")
    if np.bincount(d.fold_codes).max() <= 2:
        return not_applicable("Test parts of one or two cases have no AUC of their own.")
    columns = [c for c in ("repeat", "fold") if getattr(d.known, c) is not None]
    far, auc = [], measures["auc"]
    for name, p in scored.items():
        each = [auc.value(part) for _, part in p.groups(columns)]
        defined = [v for v in each if not math.isnan(v)]
        pooled, mean = auc.value(p), float(np.mean(defined)) if defined else math.nan
        if mean - pooled > MAX_FOLD_GAP:
            far.append(f"{name}: {pooled:.3g} pooled, {mean:.3g} on average")
    if far:
        return fired(f"The pooled AUC is well below the mean over folds ({'; '.join(far)}).")
    return passed("The pooled AUC and the mean over folds agree.")


@note(
    "Squared error dominated by a few cases",
    remedy="Look at these cases, and report the mean absolute error as well.",
)
def error_carried_by_few(d: CheckContext) -> Verdict:
    """1 % of the cases account for more than half of the squared error."""
    needs(d.known.task == "numeric", "No numbers are predicted.")
    needs(d.first.cases >= MIN_CASES, f"There are fewer than {MIN_CASES} cases.")
    for name, p in d.models.items():
        errors = np.abs(p.truth - p.need("value", "this check"))
        squares = (errors / (errors.max() or 1.0)) ** 2 * p.weights
        few, order = max(1, int(FEW_CASES_SHARE * p.cases)), np.argsort(-squares / p.counts)
        upto = np.minimum(p.counts[order].cumsum(), few)
        largest = float(np.diff(upto, prepend=0.0) @ (squares / p.counts)[order])
        if largest > LARGE_ERROR_SHARE * squares.sum():
            share = largest / squares.sum()
            which = _with_errors(p, order[np.diff(upto, prepend=0.0) > 0])
            return fired(
                f"{count(few, 'case')} of {p.cases:,.10g} {'makes' if few == 1 else 'make'} {share:.0%} of "
                f"the squared error of {name}: {which}."
            )
    return passed("The squared error is spread over the cases.")


def _with_errors(p: Predictions, rows: NDArray[np.intp]) -> str:
    """Name cases by their identifiers, if they have any, and by what is wrong about them."""
    names = [""] * len(rows) if p.row is None else [f"row {name}, " for name in p.row[rows]]
    pairs = zip(names, p.truth[rows], p.need("value", "this check")[rows], strict=True)
    each = (f"{name}{number_text(y)} predicted as {number_text(v)}" for name, y, v in pairs)
    return listed(dict.fromkeys(each), most=MAX_LISTED)


@caution(
    "Miscalibrated",
    remedy="Recalibrate on rows kept apart before using the probabilities; the ranking does not change.",
    same_as=("believed-probabilities",),
)
def miscalibrated(d: CheckContext) -> Verdict:
    """The probabilities cannot be taken at face value.

    This is the verdict of :func:`credibly.calibration`: tests show at 1 % that they are off, and it matters.
    """
    from credibly.calibration import calibration_verdict

    judged = {n: p for n, p in d.having("probability").items() if p.cases >= MIN_JUDGED}
    needs(judged, "There are no probabilities of two cases or more.")
    each = {n: calibration_verdict(p) for n, p in judged.items()}
    off = {name: said for name, said in each.items() if said.miscalibrated}
    told = [f"{n}: {said}" if len(each) > 1 else str(said) for n, said in (off or each).items()]
    return (fired if off else passed)(" ".join(told))
