"""Combine what several models predicted into one more model, to be judged beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.seeds import seed_of
from credibly.comparisons.alignment import aligned
from credibly.ensembles._declare import Combination, JointVerdict, Opinions, combinations
from credibly.ensembles.combiners import winners
from credibly.errors import DataError, ParameterError, says
from credibly.predictions import Predictions
from credibly.predictions.case_columns import stacked
from credibly.predictions.caveats import left_out
from credibly.predictions.numbers import frozen
from credibly.predictions.outputs import MAY_BE_ABSENT, filled

SAME_CASES_REMEDY = "A combination needs the predictions of every model on the same cases: run them on the same splits, or keep only the rows that all of them have."


@door
def combine(
    predictions: Predictions | Mapping[str, Predictions],
    how: str | Combination | Sequence[str | Combination] = "vote",
    *,
    models: Sequence[str] | None = None,
    rng: int | np.random.Generator | None = None,
) -> Predictions:
    """Add to the predictions of several models those of a model that combines them.

    Only what the models predicted is read, on held-out cases that all of them have; nothing is
    fitted to inputs. The result holds the models and the new one under the name of the combination,
    so :func:`credibly.evaluate` and :func:`credibly.compare` judge them side by side. Where models
    give labels alone, the new one has the shares of their votes: as the score of the positive of two
    classes, as probabilities of more.

    Parameters
    ----------
    predictions
        Predictions with a ``model`` column, or a dictionary of predictions by name.
    how
        A name from ``credibly list combinations``, with arguments as in
        ``"weighted(weights={'tree': 2, 'knn': 1})"``; or several.
    models
        Those to combine; all by default.
    rng
        Seed of a combination that cuts folds of its own.

    >>> import credibly
    >>> from credibly.ensembles import combine
    >>> from sklearn.datasets import load_iris
    >>> data = load_iris(return_X_y=True)
    >>> p = credibly.run(["tree", "naive-bayes", "knn"], *data, resampling="5", rng=1)
    >>> both = combine(p, ["vote", "stacked"])
    >>> sorted(set(both.model.tolist()))
    ['knn', 'naive-bayes', 'stacked', 'tree', 'vote']
    """
    ways = [how] if isinstance(how, str | Combination) else list(how)
    entries = [combinations.parse(way) for way in ways]
    opinions, findings = opinions_of(predictions, models, rng)
    made = [*opinions.models]
    names = [*opinions.names]
    for entry in entries:
        verdict = entry(opinions)
        if entry.call in names:
            raise ParameterError(
                f"There is already a model called {entry.call!r}.",
                remedy=says("Leave it out with <models=...>."),
            )
        made.append(_as_predictions(opinions.cases, verdict))
        names.append(entry.call)
        findings.extend(verdict.findings)
    return _together(made, names, tuple(findings))


def opinions_of(
    given: Predictions | Mapping[str, Predictions],
    models: Sequence[str] | None,
    rng: int | np.random.Generator | None,
) -> tuple[Opinions, list[Finding]]:
    """Align the models on their held-out cases; return their predictions and the findings."""
    by_name = dict(given) if isinstance(given, Mapping) else _by_model(given)
    for name in models or ():
        if name not in by_name:
            raise ParameterError(
                f"There is no model {name!r}; there are {', '.join(map(str, by_name))}.",
                asked=name,
                choices=map(str, by_name),
            )
    chosen = {str(n): p for n, p in by_name.items() if models is None or n in models}
    if len(chosen) < 2:
        raise ParameterError(f"A combination needs two or more models; there is {len(chosen)}.")
    aside = [f for p in chosen.values() for f in left_out(p)]
    rows, findings = aligned(chosen, SAME_CASES_REMEDY)
    before = [f for p in chosen.values() for f in p.findings]
    seed = None if rng is None else seed_of(rng)
    return Opinions(tuple(chosen), rows, seed), list(dict.fromkeys([*before, *aside, *findings]))


def _by_model(p: Predictions) -> dict[str, Predictions]:
    if p.model is None:
        raise DataError(
            "These predictions are by one model: they have no model column.",
            remedy=says("Set <model=...>, or give the predictions of each model separately."),
        )
    return {str(keys["model"]): part for keys, part in p.groups(["model"])}


def _as_predictions(cases: Predictions, verdict: JointVerdict) -> Predictions:
    """Turn a verdict into predictions with the models' columns."""
    if cases.task == "numeric":
        return replace(cases, value=frozen(verdict.voice), cache={})
    share = np.clip(verdict.voice, 0, 1)  # rounding
    label = verdict.label if verdict.label is not None else winners(share, cases.positive)
    columns: dict[str, Any] = {"label": frozen(label.astype(cases.truth.dtype))}
    if cases.probability is not None:
        flat = cases.probability.ndim == 1 and cases.positive is not None
        columns["probability"] = frozen(share[:, cases.positive].copy() if flat else share)
    labels_alone = cases.probability is None and cases.score is None
    two = cases.positive is not None and len(cases.classes) == 2
    if cases.positive is not None and (cases.score is not None or (labels_alone and two)):
        columns["score"] = frozen(share[:, cases.positive].copy())
    elif labels_alone:  # a score is of one class, and shares of votes are of all
        columns["probability"] = frozen(share)
    return replace(cases, **columns, cache={})


def _widened(p: Predictions) -> Predictions:
    """Write the probability of one class as those of all."""
    if p.probability is None:
        return p
    return replace(p, probability=frozen(p.probability_matrix("a combination").copy()), cache={})


def _together(
    parts: Sequence[Predictions], names: Sequence[str], findings: tuple[Finding, ...]
) -> Predictions:
    """Concatenate the predictions of several models, each with its own columns."""
    columns: dict[str, Any] = {}
    if len({p.probability.ndim for p in parts if p.probability is not None}) > 1:
        parts = [_widened(p) for p in parts]
    for f in fields(Predictions):
        arrays = [getattr(p, f.name) for p in parts]
        if any(isinstance(a, np.ndarray) for a in arrays):
            if f.name in MAY_BE_ABSENT:
                arrays = filled(arrays, [p.n for p in parts])
            shared = all(a is not None for a in arrays)
            columns[f.name] = frozen(np.concatenate(arrays)) if shared else None
    columns["model"] = frozen(np.repeat(np.array(names, object), [p.n for p in parts]))
    columns["columns"] = stacked([p.columns for p in parts])
    return replace(parts[0], **columns, findings=findings, cache={})
