"""Few cases for many attributes: what one cross-validation cannot show, what would, and what that costs.

Least squares on half as many attributes as cases may err twice as much on one training set as on the next.
In a single cross-validation each case is predicted once, so nothing shows it. Between two ends of a range
there is little room for that, and intervals hold; beyond, they hold in 73 to 94 of 100 samples.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.errors import listed, says
from credibly.evaluation.findings import CHOICES_CHANGE, MANY_ATTRIBUTES, ONE_CHOICE
from credibly.intervals.widening import (
    CLASSIFICATION_FACTOR,
    MIN_CASES_PER_COLUMN,
    attributes_of,
    cuts_once,
    seen_choices,
    training_cases,
)
from credibly.predictions.labels import distinct

if TYPE_CHECKING:
    from credibly.intervals._declare import EstimateRequest
    from credibly.predictions import Predictions

# Folds and repeats of the nested cross-validation to run instead.
MIN_FOLDS, MAX_FOLDS, SUGGESTED_REPEATS = 3, 10, 10
LABELS_OF_A_CUT = (
    "each model makes a single cut, and how many cases a cut labels positive changes abruptly with the "
    "training set, which folds do not show"
)


def many_attributes(p: Predictions) -> list[Finding]:
    """Say that one cross-validation of few cases with many attributes does not show how unstable learning is."""
    if not _are_many(p):
        return []
    return [MANY_ATTRIBUTES(sizes=_sizes(p), **_cure(p))]


def choices_change(p: Predictions) -> list[Finding]:
    """Say that models of folds lie apart by more than any scheme that follows its rows is charged for, or may without showing it."""
    names = p.model_names or ("",)
    parts = {str(name): p.where(model=name) if len(names) > 1 else p for name in names}
    found = {name: seen_choices(part) for name, part in parts.items()}
    jumping = {name: times for name, times in found.items() if times > CLASSIFICATION_FACTOR}
    cut = [name for name, part in parts.items() if name not in jumping and cuts_once(part)]
    one = [ONE_CHOICE(whose=_whose(cut, len(found)))] if cut else []
    if not jumping:
        return one
    alone = _folds(p) > MAX_FOLDS  # ten folds move the value less than leaving out single cases
    instead = (
        says(" Or use <resampling='folds(k=10)'>: the fewer folds, the less it matters.")
        if alone
        else ""
    )
    whose = _whose(list(jumping), len(found))
    return [CHOICES_CHANGE(whose=whose, times=max(jumping.values()), instead=instead), *one]


def _whose(names: list[str], models: int) -> str:
    return f" ({listed(names)})" if models > 1 else ""


def why_unstable(q: EstimateRequest) -> str:
    """Return why a mean over one cross-validation has no interval of its own accord; nothing where it has one."""
    p = q.predictions
    if q.interval != "auto":
        return ""
    if q.measure.nonlinear and p.task == "classification" and cuts_once(p):
        return LABELS_OF_A_CUT
    if all(map(math.isfinite, q.measure.range)) or not _are_many(p):
        return ""
    return says(
        "{sizes}: one cross-validation does not show how far what is learned changes with the "
        "training set; run <resampling={call}>: {price}",
        sizes=_sizes(p),
        **_cure(p),
    )


def _are_many(p: Predictions) -> bool:
    """Whether models of one cross-validation had few cases to learn from; a single model is judged as it is."""
    once = p.n_train is not None and p.repeats == 1 and _folds(p) > 1
    needed = (attributes_of(p) + 1) * MIN_CASES_PER_COLUMN
    return once and not p.in_time and attributes_of(p) > 0 and needed > training_cases(p)


def _folds(p: Predictions) -> int:
    return 0 if p.fold is None else len(distinct(p.fold).values)


def _sizes(p: Predictions) -> str:
    trained = count(round(training_cases(p)), "training case")
    return f"{trained} for {count(attributes_of(p), 'attribute')}"


def _cure(p: Predictions) -> dict[str, str]:
    """Return the resampling that shows it, and what it takes."""
    return nested_call(p, min(max(_folds(p), MIN_FOLDS), MAX_FOLDS), SUGGESTED_REPEATS)


def nested_call(p: Predictions, k: int, repeats: int) -> dict[str, str]:
    """Return the call of the nested cross-validation that suits predictions, and what it takes.

    That is how many fits of all their models, and about how long they take if as long as those that were made.
    """
    models = p.model_names or ("",)
    fits = repeats * k * (k + 1) // 2 * len(models)
    done = () if p.provenance is None else p.provenance.fits
    spent = [f.fit_seconds + f.predict_seconds for f in done if not f.error and f.model in models]
    price = count(fits, "fit")
    if sum(spent) > 0:
        price += f", about {duration(fits * sum(spent) / len(spent))}"
    name = "nested_cv" if p.grouping is None else "grouped_nested_cv"
    return {"call": f"{name}(k={k}, repeats={repeats})", "price": price}


def duration(seconds: float) -> str:
    """Write a time as people plan with it.

    >>> duration(0.2), duration(42), duration(600), duration(9000)
    ('1 s', '42 s', '10 min', '2.5 h')
    """
    if seconds < 100:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.2g} h"
