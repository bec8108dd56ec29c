"""What verbs about several models are given: predictions by name, a measure, and rows of the same cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from credibly._core.averages import Average
from credibly._core.findings import Finding, of_models
from credibly._core.text import count
from credibly._kernels import worth_compiling
from credibly._kernels.threads import spread
from credibly.comparisons.alignment import DIFFERENT_SAMPLES, aligned
from credibly.comparisons.cases import Cases
from credibly.comparisons.findings import EPOCHS_AVERAGED
from credibly.errors import DataError, MissingColumnError, ParameterError, listed, says
from credibly.evaluation.attempts import case_means
from credibly.evaluation.caveats import few_labelled_positive
from credibly.intervals.methods import unweighted
from credibly.measures import Measure, measures as all_measures
from credibly.measures.selection import first_measures
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.predictions.caveats import caveats, with_output
from credibly.predictions.findings import MISSING_TRUTH
from credibly.predictions.labels import distinct
from credibly.predictions.lack import Lack


def models_by_name(given: object, verb: str) -> dict[str, Predictions]:
    """Return the predictions of each model by its name, from a dictionary or a column that names them."""
    if not isinstance(given, Mapping):
        return with_same_epochs(split_models(as_predictions(given, verb)))
    if not given:
        raise ParameterError(f"There are no models to {verb.replace('_', ' ')}.")
    return with_same_epochs({str(n): one_model(p, str(n), verb) for n, p in given.items()})


def against_last(models: dict[str, Predictions], against: str | None) -> dict[str, Predictions]:
    """Return the models with the one that the others are compared with at the end: differences are first minus second."""
    if against is None:
        return models
    last = one_of_models(against, [*models])
    return {name: p for name, p in models.items() if name != last} | {last: models[last]}


def one_of_models(against: str, names: Sequence[str]) -> str:
    """Return the name of a model, or refuse one that there is not."""
    if against not in names:
        raise ParameterError(
            says("<against={it}> is not one of the models.", it=against),
            asked=against,
            choices=names,
            remedy=f"Models: {', '.join(names)}.",
        )
    return against


def with_same_epochs(models: dict[str, Predictions]) -> dict[str, Predictions]:
    """Return outcomes that match: where cases were tried in other epochs, the mean outcome of each case.

    >>> once = Predictions.of(outcome=[1, 0], row=["a", "b"])
    >>> twice = Predictions.of(outcome=[1, 0, 1, 1], row=["a", "b", "a", "b"], repeat=[0, 0, 1, 1])
    >>> with_same_epochs({"once": once, "twice": twice})["twice"].outcome.tolist()
    [1.0, 0.5]
    """
    parts = list(models.values())
    if any(p.task != "outcome" for p in parts) or not any(p.repeated for p in parts):
        return models
    epochs = [() if p.repeat is None else tuple(distinct(p.repeat).values) for p in parts]
    if len(set(epochs)) == 1:
        return models
    text = listed(
        [f"{n} {count(max(len(e), 1), 'epoch')}" for n, e in zip(models, epochs, strict=True)]
    )
    finding = EPOCHS_AVERAGED(epochs=text)
    made = {name: case_means(p) for name, p in models.items()}
    return {name: replace(p, findings=(*p.findings, finding)) for name, p in made.items()}


def one_model(p: object, name: str, verb: str) -> Predictions:
    """Return predictions of one model, or refuse those of several under one name."""
    split = split_models(as_predictions(p, verb))
    if len(split) > 1:
        raise ParameterError(
            f"{name} holds predictions of several models ({', '.join(split)}): pass them alone, or select one."
        )
    return next(iter(split.values()))


def split_models(p: Predictions) -> dict[str, Predictions]:
    """Return the predictions of each model that a column names."""
    if p.model is None:
        return {"the model": p}
    return {str(k["model"]): q.unnamed() for k, q in p.groups(["model"])}


def measure_of(
    asked: str | Measure | None, average: Average | None, models: dict[str, Predictions]
) -> tuple[Measure, Average | None]:
    """Return the measure, and the average that several classes call for."""
    first = next(iter(models.values()))
    if asked is None:
        shared = [c for c in first.provides if all(c in p.provides for p in models.values())]
        told = (all_measures[name] for name in first_measures(first.task))
        fitting = (m for m in told if m.takes in shared and m.offered(*models.values()))
        if not shared:
            held = [f"{n} has {' and '.join(p.provides) or 'none'}" for n, p in models.items()]
            raise MissingColumnError(
                f"The models have no kind of prediction in common: {listed(held)}.",
                remedy="Give predictions of the same kind for the same cases.",
            )
        asked = next(fitting, "error_rate")
    m = all_measures.parse(asked).about(*models.values())
    return m, m.average_on(first, average)


def having_output(
    models: dict[str, Predictions], m: Measure, average: Average | None
) -> tuple[dict[str, Predictions], list[Finding]]:
    """Leave out models that lack what the measure needs, where two are left; else say what is missing."""

    def lack(p: Predictions) -> Lack | None:
        return m.lacks(p, averaged=bool(average))

    kept, findings = with_output(list(models.items()), lack, str)
    if len(kept) >= min(2, len(models)) and not lack(kept[0][1]):
        return dict(kept), findings
    name, p = next((n, p) for n, p in models.items() if lack(p))
    if len(models) > 1:
        raise MissingColumnError(
            f"{m.name} needs {lack(p)}, which {name} lacks; it has: {', '.join(p.provides) or 'none'}."
        )
    m.summarise(p)  # raises the error that says what is missing
    raise ParameterError(f"{m.name} needs {lack(p)}.")


def same_cases(
    models: dict[str, Predictions],
    m: Measure,
    average: Average | None,
    *,
    scored: bool = False,
    elsewhere: str = DIFFERENT_SAMPLES,
) -> tuple[Cases, list[Finding]]:
    """Bring the rows of all models into line, those that count and have every prediction that is read.

    ``elsewhere`` is what to do about models that were not judged on the same cases. Those without a score are left out where the measure does not read labels, or where labels are made of
    scores.
    """
    matched, findings = aligned(models, elsewhere)
    unknown = [f for p in models.values() for f in p.findings if f.code == MISSING_TRUTH.code]
    if (scored or m.takes != "label") and not all_gapless(matched):
        gaps = np.any([p.gaps for p in matched], axis=0)  # cases that some model does not predict
        matched = tuple(p.take(~gaps) for p in matched)
    rows = tuple(unweighted(m, counted_rows(p), average) for p in matched)
    in_given_order = any(p.row is None for p in models.values())
    return Cases(rows, tuple(models), m, average, in_given_order), [
        *dict.fromkeys(unknown),
        *findings,
        *caveats(rows[0], ()),
    ]


def all_gapless(models: tuple[Predictions, ...]) -> bool:
    """Whether every model predicts every case: a pass over each, in threads where they are large."""
    large = worth_compiling(len(models) * models[0].n)
    spread(lambda p: p.gapless, models, large=large)
    return all(p.gapless for p in models)


def counted_rows(p: Predictions) -> Predictions:
    """Return the rows that count; there must be at least one."""
    rows = p.known().of_weight()
    if not rows.n:
        raise DataError("No row has a known truth, so there is nothing to compare.")
    return rows


def hardly_labelled(models: dict[str, Predictions], m: Measure) -> tuple[Finding, ...]:
    """Return what there is to doubt about models that label hardly any case positive."""
    each = {name: few_labelled_positive(p.unnamed(), [m]) for name, p in models.items()}
    return of_models(each)
