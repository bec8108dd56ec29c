"""How far models differ: those that err on other cases gain most by being combined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations as pairs_of
from typing import Any

import numpy as np

from credibly._core.doors import door
from credibly._core.text import count
from credibly.ensembles._declare import Opinions
from credibly.ensembles.combine import opinions_of
from credibly.errors import DataError
from credibly.evaluation import evaluate
from credibly.predictions import Predictions
from credibly.predictions.labels import MISSING
from credibly.predictions.numbers import frozen
from credibly.results.estimate import Estimate
from credibly.results.table import Table

# What a measure of labels is called when one model stands in the place of the truth.
ERROR_DIVERSITIES = {
    "error_rate": ("disagreement", "Disagreement"),
    "yule_q": ("q_statistic", "Q statistic"),
    "mcc": ("error_correlation", "Correlation of errors"),
}
LABEL_DIVERSITIES = {"kappa": ("label_kappa", "Kappa of labels")}


@door
def diversity(
    predictions: Predictions | Mapping[str, Predictions],
    *,
    models: Sequence[str] | None = None,
    confidence_level: float = 0.95,
) -> Table:
    r"""Measure how far the models of each pair differ on the same held-out cases.

    ``disagreement`` is the share of cases on which exactly one of the two is right, ``q_statistic``
    Yule's Q of the two being right (1 if they err on the same cases, 0 if independently, below 0 if
    on different ones), ``error_correlation`` the correlation of their errors (Kuncheva & Whitaker
    2003), ``label_kappa`` the agreement of their labels beyond chance (Margineantu & Dietterich
    1997). Each is an ordinary measure of a table of two models, and has its interval. A case that a
    model leaves undecided counts as an error of that model and as a disagreement of labels, also where
    both do.

    >>> import credibly
    >>> from credibly.ensembles import diversity
    >>> p = credibly.Predictions.of([0, 1, 0, 1] * 2, label=[0, 1, 1, 1, 0, 1, 1, 0],
    ...                             model=list("aaaabbbb"), row=[0, 1, 2, 3] * 2)
    >>> diversity(p)["disagreement"].value
    0.25
    """
    opinions, findings = opinions_of(predictions, models, None)
    if opinions.cases.task == "numeric":
        raise DataError(
            "Diversity is measured by which models are right, and a predicted number is never exactly right."
        )
    estimates = [
        estimate
        for i, j in pairs_of(range(len(opinions.names)), 2)
        for estimate in _of_pair(opinions, i, j, confidence_level)
    ]
    pairs = len(estimates) // (len(ERROR_DIVERSITIES) + len(LABEL_DIVERSITIES))
    heading = f"{count(pairs, 'pair')} of models on {count(opinions.cases.cases, 'case')}"
    return Table(heading, tuple(estimates), tuple(findings))


def _of_pair(o: Opinions, i: int, j: int, confidence_level: float) -> list[Estimate]:
    """Measure the table of what two models say, and that of which of them is right."""
    rest: dict[str, Any] = dict.fromkeys(("score", "probability", "baseline", "provenance"))
    labels = [o.models[m].need("label", "diversity") for m in (i, j)]
    predictions = replace(
        o.cases, truth=labels[0], label=labels[1], positive=None, cache={}, **rest
    )
    if any((label == MISSING).any() for label in labels):
        # In the place of the truth an undecided case is of a class that the other model never says.
        truth = labels[0].astype(np.intp)
        truth[truth == MISSING] = len(predictions.classes)
        predictions = replace(
            predictions, truth=frozen(truth), classes=(*predictions.classes, "undecided"), cache={}
        )
    right = [frozen((label == o.cases.truth).astype(np.int8)) for label in labels]
    who = ("wrong", "right")
    errors = replace(predictions, truth=right[0], label=right[1], classes=who, positive=1, cache={})
    estimates = []
    for table, names in ((errors, ERROR_DIVERSITIES), (predictions, LABEL_DIVERSITIES)):
        found = evaluate(table, list(names), estimate="pooled", confidence_level=confidence_level)
        for e in found.estimates:
            name, title = names[e.measure]
            estimates.append(
                replace(e.without_rules(), measure=name, title=title, direction="neither")
            )
    keys = {"models": f"{o.names[i]} and {o.names[j]}"}
    return [replace(e, keys=keys) for e in estimates]
