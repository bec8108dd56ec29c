"""What verbs about several models are given: predictions by name, a measure, and rows of the same cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from credibly._core.averages import Average
from credibly._core.findings import Finding, of_models
from credibly._core.text import count
from credibly._kernels import worth_compiling
from credibly._kernels.threads import spread
from credibly.comparisons.alignment import DIFFERENT_SAMPLES, aligned, same_classes, shared_rows
from credibly.comparisons.automatic_test import resampled
from credibly.comparisons.cases import Cases, Overlap, Samples, Single
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
from credibly.predictions.findings import FAILED_FITS, MISSING_TRUTH
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


def models_of_two(a: Any, b: Predictions | str | None) -> dict[str, Predictions]:  # noqa: ANN401
    """Return the predictions of each model by its name, of two models or of what holds several."""
    if not isinstance(a, Predictions):  # which say at length that they lack something
        a = getattr(a, "predictions", a)  # a run holds them
    if isinstance(b, str):
        b = as_predictions(b, "compare")  # which says how to read a file
    if isinstance(a, list | tuple) and any(isinstance(p, Predictions) for p in a):
        as_predictions(a, "compare")  # which says how to name them
    given = (*a.values(), b) if isinstance(a, Mapping) else (a, b)
    plain = next((each for each in given if isinstance(each, list | tuple | np.ndarray)), None)
    if plain is not None:
        raise ParameterError(
            f"compare takes Predictions; got {type(plain).__name__}.",
            remedy="Make them of all models at once: Predictions.of(y_true, {'a': y_pred_a, 'b': y_pred_b}). For values by dataset use comparisons.PairedValues(a, b), for values by fold comparisons.FoldValues(a, b), and for numbers of cases that only one model gets wrong comparisons.Discordant(a, b).",
        )
    if b is None:
        return models_by_name(a, "compare")
    if isinstance(a, Mapping):
        raise ParameterError("Pass a dictionary of models or two predictions, not both.")
    pair = (as_predictions(a, "compare"), as_predictions(b, "compare"))
    own = [next(iter(split_models(p))) if p.model is not None else "" for p in pair]
    names = own if own[0] != own[1] and all(own) else ["first", "second"]
    return models_by_name(dict(zip(names, pair, strict=True)), "compare")


def with_value(
    models: dict[str, Predictions], m: Measure, average: Average | None, value: float
) -> tuple[Single, list[Finding]]:
    """Return the cases of the only model, to be compared with a value that the measure can take."""
    if len(models) > 1:
        raise ParameterError(
            f"Only one model can be compared with a value; there are {len(models)}: {', '.join(models)}.",
            remedy=says("Leave out <against=...>, or all models but one."),
        )
    low, high = m.range
    if not isinstance(value, int | float | np.number) or not low <= value <= high:
        raise ParameterError(
            f"against must be a value that {m.name} can take, {low:g} to {high:g}; got {value!r}."
        )
    name, p = next(iter(models.items()))
    rows = unweighted(m, counted_rows(m.usable(p)), average)
    single = Single(rows, (name, f"{value:g}"), m, float(value), average)
    return single, caveats(p, ())


def refuse_one(models: dict[str, Predictions]) -> None:
    """Refuse a single model, with what is known of others that failed."""
    if len(models) < 2:
        failed = [
            f.message for p in models.values() for f in p.findings if f.code == FAILED_FITS.code
        ]
        raise ParameterError(
            " ".join(["A comparison needs two models; these are predictions by one.", *failed]),
            remedy=says("Pass another model, or set <against=...> to a value."),
        )


def two_samples(
    models: dict[str, Predictions], m: Measure, average: Average | None, *, partial: bool
) -> Samples:
    """Return the cases of two models, of which they share some or none."""
    refuse_one(models)
    if len(models) > 2:
        raise ParameterError("Models on different cases can only be compared two at a time.")
    names = tuple(models)
    first, second = (unweighted(m, counted_rows(m.usable(p)), average) for p in models.values())
    second = same_classes(first, second, (names[0], names[1]))
    if not partial:
        return Samples((first, second), names, m, average)
    if first.row is None or second.row is None:
        raise DataError(
            "Rows that are only partly shared need identifiers.", remedy=says("Set <row=...>.")
        )
    if any(resampled(p) for p in (first, second)):
        raise DataError(
            "Partially paired predictions must come from one fitted model each, not from folds or repeats."
        )
    return Overlap((first, second), names, m, average, shared_rows(first, second, names))
