"""Checks of what models put out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from credibly._core.errors import count
from credibly.checks._declare import Verdict, check_of, fired, not_applicable, passed

if TYPE_CHECKING:
    from credibly.checks.dossier import Dossier

PERFECT = 0.999
FEW_VALUES = 2
MANY_CASES = 30
CARRIED, SHARE = 0.5, 0.01  # half of the squared error by a hundredth of the cases
APART = 0.02


@check_of(
    "No better than the majority rule",
    severity="problem",
    action="Do not use the model for its labels; look at its ranking, or learn anew.",
)
def no_better_than_majority(d: Dossier) -> Verdict:
    """Always predicting the commonest class would err as rarely."""
    if d.known.task != "classification" or d.known.label is None:
        return not_applicable("There are no labels.")
    poor, unsure = [], []
    for name, p in d.models.items():
        found = d.estimate("accuracy", p)
        trivial = np.bincount(p.truth).max() / p.n
        if found is None or found.interval is None:
            continue
        if found.value <= trivial:
            poor.append(f"{name}: {found.value:.3g} against {trivial:.3g}")
        elif found.interval.low <= trivial:
            unsure.append(name)
    if poor:
        return fired(f"Accuracy is no higher than that of the commonest class ({'; '.join(poor)}).")
    if unsure:
        return fired(
            f"The interval of the accuracy of {', '.join(unsure)} includes that of the commonest class."
        )
    return passed("Accuracy is higher than that of the commonest class.")


@check_of(
    "Suspiciously perfect",
    severity="caution",
    action="Look for an attribute that gives the answer away, and for copies across the split.",
)
def suspiciously_perfect(d: Dossier) -> Verdict:
    """Hardly any real problem is solved without a mistake."""
    best = ("auc", "accuracy", "r2")
    names = [
        name
        for name, p in d.models.items()
        if p.n >= MANY_CASES and any(d.value(m, p) >= PERFECT for m in best)
    ]
    if names:
        return fired(f"{', '.join(names)} is right almost without exception.")
    return passed("No model is perfect.")


@check_of(
    "Probabilities of exactly 0 or 1",
    severity="caution",
    action="Smooth them (Laplace) or recalibrate; one mistake costs infinitely many bits.",
)
def certain_probabilities(d: Dossier) -> Verdict:
    """Nothing is certain; a probability of 0 for what happens makes every log loss infinite."""
    p = d.known.probability
    if p is None:
        return not_applicable("There are no probabilities.")
    certain = int(((p <= 0) | (p >= 1)).reshape(len(p), -1).any(axis=1).sum())
    if certain:
        return fired(
            f"{count(certain, 'case')} of {len(p):,} have a probability of exactly 0 or 1."
        )
    return passed("No probability is exactly 0 or 1.")


@check_of(
    "Scores that look like labels",
    severity="caution",
    action="Ask the model for probabilities or decision values instead of labels.",
)
def scores_like_labels(d: Dossier) -> Verdict:
    """A score with two values ranks nothing: its ROC curve has a single corner."""
    if not d.binary or (d.known.score is None and d.known.probability is None):
        return not_applicable("There are no scores.")
    names = [
        name
        for name, p in d.models.items()
        if p.n > MANY_CASES
        and np.unique(p.scores_of(p.positive or 0, "this check")).size <= FEW_VALUES
    ]
    if names:
        return fired(f"The scores of {', '.join(names)} take at most two values.")
    return passed("Scores take more than two values.")


@check_of(
    "Pooled scores of unlike scale",
    severity="caution",
    action="Report the mean over folds, or make the models' scores comparable.",
)
def pooled_scores(d: Dossier) -> Verdict:
    """Scores of models from different folds are compared with each other in a pooled AUC."""
    if not d.binary or not d.folds or d.value("auc", d.known) != d.value("auc", d.known):
        return not_applicable("There are no scores in folds.")
    far = []
    for name, parts in d.folds.items():
        each = [v for v in (d.value("auc", p) for p in parts) if not np.isnan(v)]
        pooled = d.value("auc", d.models[name])
        if each and np.mean(each) - pooled > APART:
            far.append(f"{name}: {pooled:.3g} pooled, {np.mean(each):.3g} on average")
    if far:
        return fired(f"The pooled AUC is well below the mean over folds ({'; '.join(far)}).")
    return passed("The pooled AUC and the mean over folds agree.")


@check_of(
    "Squared error carried by a few cases",
    severity="note",
    action="Look at these cases, and report the mean absolute error beside.",
)
def error_carried_by_few(d: Dossier) -> Verdict:
    """A hundredth of the cases makes more than half of the squared error."""
    if d.known.task != "numeric":
        return not_applicable("No numbers are predicted.")
    for name, p in d.models.items():
        squares = np.sort((p.truth - p.need("value", "this check")) ** 2)[::-1]
        few = max(1, int(SHARE * squares.size))
        if (
            squares.sum() > 0
            and squares.size >= MANY_CASES
            and squares[:few].sum() > CARRIED * squares.sum()
        ):
            share = squares[:few].sum() / squares.sum()
            return fired(
                f"{count(few, 'case')} of {p.n:,} make {share:.0%} of the squared error of {name}."
            )
    return passed("The squared error is spread over the cases.")


@check_of(
    "Miscalibrated although it discriminates",
    severity="caution",
    action="Recalibrate on rows kept apart before using the probabilities; the ranking stays as it is.",
)
def miscalibrated(d: Dossier) -> Verdict:
    """The model tells cases apart, but its probabilities are not to be taken as such."""
    from credibly.reliability import Outcomes
    from credibly.reliability.statistics import spiegelhalter_z_of

    if not d.binary or d.known.probability is None:
        return not_applicable("There are no probabilities of a positive class.")
    off = []
    for name, p in d.models.items():
        z = spiegelhalter_z_of(Outcomes.of(p))
        area = d.value("auc", p)
        if abs(z) > 3.3 and area > 0.7:
            off.append(f"{name} (z = {z:.2g}, AUC {area:.2g})")
    if off:
        return fired(
            f"The Brier score is not what the probabilities lead one to expect: {', '.join(off)}."
        )
    return passed("The Brier score is about what the probabilities lead one to expect.")
