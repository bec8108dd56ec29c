"""The verb `bias_variance`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np

from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly._core.text import count
from credibly.bias_variance._declare import NOISE, Decomposition, Parts, decompositions
from credibly.bias_variance.averages import averages
from credibly.bias_variance.evidence import Gathered, Known, gather, never_held_out
from credibly.bias_variance.findings import (
    FEW_TRAINING_SETS,
    LABELS_MAPPED,
    NOISE_IN_BIAS,
    ONE_DATA_SET,
    VARIANCE_IN_BIAS,
)
from credibly.bias_variance.result import BiasVariance, Setting
from credibly.bias_variance.training_sets import learn
from credibly.errors import DataError, ParameterError, says
from credibly.predictions import Predictions
from credibly.predictions.caveats import caveats, left_out
from credibly.predictions.findings import UNSEEDED
from credibly.predictions.lack import NUMBERS
from credibly.predictions.parts import as_given
from credibly.predictions.table import Task
from credibly.results.estimate import Estimate, with_decimals
from credibly.results.table import Table

MIN_PREDICTIONS = 10  # of a case; with fewer, their majority is much a matter of chance
LARGE_SHARE = 0.1
BINARY_LABELS = (-1, 1)
DEFAULT_DECOMPOSITIONS = {"classification": "domingos", "numeric": "squared"}


@door
def bias_variance(
    schemes: Any,
    X: Any = None,
    y: Any = None,
    *,
    loss: str | Decomposition | None = None,
    training: Any = "bootstrap",
    replicates: int | None = None,
    over: Mapping[str, Sequence[Any]] | None = None,
    truth: Any = None,
    noise: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    weight_kind: Literal["frequency", "importance"] | None = None,
    positive: object = None,
    task: Task | None = None,
    confidence_level: float = 0.95,
    rng: int | np.random.Generator | None = None,
    n_jobs: int | None = None,
    progress: bool = True,
) -> BiasVariance:
    """Decompose the expected loss into noise, bias and variance over training sets.

    Schemes learn from many training sets, and every case is predicted by the models that have not seen
    it. If predictions of each row from several training sets exist already, as in a saved run, pass
    them instead of schemes, X and y.

    Parameters
    ----------
    schemes
        Schemes as for :func:`credibly.run`, which fits clones of them; or :class:`Predictions`
        with several predictions per row, numbered by ``repeat`` or ``fold``.
    X, y
        Inputs and targets: what training sets are drawn from, or the cases to predict if
        ``training`` is a function that draws training sets.
    loss
        A name from ``credibly list decompositions``, by default ``"domingos"`` for classes and
        ``"squared"`` for numbers.
    training
        ``"bootstrap"``, ``"subsample"`` (half of the rows), or any resampling that predicts rows
        more than once, such as ``"20x5"``. In Python also a function of a random generator that
        returns inputs and targets of a new training set.
    replicates
        Number of training sets; 50 by default.
    over
        Values of a parameter of the scheme to try: ``{"C": [0.1, 1, 10]}``.
    truth, noise
        What is known of the truth beyond ``y``, by row: probabilities of the classes (one column per
        class, or that of the positive class of two), or mean and variance for numbers. Without it,
        noise cannot be separated from bias.
    groups, sample_weight, progress
        As in :func:`credibly.run`.
    weight_kind
        Whether weights count repeated cases or say how much a case matters.
    positive
        The positive class.
    task
        What is predicted, classes or numbers, if the target does not make that clear.
    n_jobs
        Worker processes; 1 by default, -1 for all cores.
    confidence_level
        Confidence level of the intervals, which allow for the choice of cases and of training sets;
        where these are resampled, of those that the data can give.
    rng
        Seed of the training sets and of every random fit.

    >>> import credibly
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> shallow = credibly.bias_variance("tree", X, y, over={"max_depth": [1, 5]}, replicates=10, rng=1)
    >>> one, five = shallow.table.where(measure="bias")
    >>> one.value > 0.3 > five.value
    True
    >>> shallow.findings[0].code
    'noise-in-bias'
    """
    if loss is not None:
        decompositions.parse(loss)  # mistakes are reported before anything is fitted
    judge = partial(_result, loss, Known(truth, noise), confidence_level)
    options = {
        "groups": groups, "sample_weight": sample_weight, "weight_kind": weight_kind,
        "positive": positive, "task": task,
    }  # fmt: skip
    if isinstance(schemes, Predictions):
        given = {"X": X, "y": y, "over": over, "replicates": replicates, **options}
        _refuse(given, "predictions are already made")
        return judge(schemes, _models(schemes), left_out(schemes))
    if X is None or y is None:
        raise ParameterError("Schemes need X and y to learn from; predictions need neither.")
    options |= {"n_jobs": n_jobs, "progress": progress}
    seed = FIXED_SEED if rng is None else rng
    chosen, keys = (schemes, None) if over is None else _range(schemes, over)
    predictions = learn(chosen, X, y, training, replicates, seed_of(seed), options)
    findings = [UNSEEDED(what="the training sets", seed=seed)] if rng is None else []
    result = judge(predictions, keys or _models(predictions), findings)
    return replace(result, parameters=tuple(over or ()))


def _refuse(given: Mapping[str, object], why: str) -> None:
    asked = [name for name, value in given.items() if value is not None]
    if asked:
        raise ParameterError(f"{asked[0]}= has no meaning here: {why}.")


def _models(p: Predictions) -> dict[str | None, dict[str, Any]]:
    """Return the models in the order in which they come; one alone needs no name."""
    names = p.model_names
    return {None: {}} if len(names) < 2 else {n: {"model": n} for n in names}


def _range(
    scheme: Any, over: Mapping[str, Sequence[Any]]
) -> tuple[list[Any], dict[str | None, dict[str, Any]]]:
    """Return a scheme for each value of the parameters, and the values by the scheme's name."""
    from credibly.running.tuning import candidates
    from credibly.schemes import as_schemes

    if not isinstance(over, Mapping) or any(isinstance(v, str) for v in over.values()):
        raise ParameterError(
            f"over must give a list of values for each parameter, such as {{'k': [1, 5]}}; got {over!r}."
        )
    plain = {name: [getattr(v, "item", lambda v=v: v)() for v in vs] for name, vs in over.items()}
    chosen = as_schemes(scheme)
    if len(chosen) > 1:
        names = ", ".join(s.name for s in chosen)
        raise ParameterError(
            f"over needs exactly one scheme; got {len(chosen)}: {names}. Use one at a time."
        )
    found = candidates(chosen[0], plain)
    return [s for s, _ in found], {s.name: given for s, given in found}


def _result(
    loss: str | Decomposition | None,
    known: Known,
    confidence_level: float,
    predictions: Predictions,
    models: Mapping[str | None, Mapping[str, Any]],
    notes: Sequence[Finding],
) -> BiasVariance:
    if predictions.task not in DEFAULT_DECOMPOSITIONS:
        NUMBERS.refuse(predictions, "A decomposition")
    entry = decompositions.parse(loss or DEFAULT_DECOMPOSITIONS[predictions.task])
    if predictions.task == "numeric" and entry.takes != "number":
        raise ParameterError(
            f"{entry.call} decomposes a loss of classes, but the predictions are numbers.",
            remedy=says("Set <loss='squared'>."),
        )
    judged = as_given(predictions).known()
    if not judged.n:
        raise DataError(
            f"None of the {count(predictions.n, 'row')} has a known truth, so there is nothing to decompose."
        )
    settings, estimates, said = [], [], []
    for name, keys in models.items():
        part = judged if name is None else judged.take(judged.need("model", "models") == name)
        if not part.n:  # all of its fits failed
            continue
        gathered = gather(part, entry.takes, known)
        setting = _setting(entry, gathered, keys, known)
        settings.append(setting)
        estimates += _estimates(entry, gathered, setting, confidence_level)
        said += [*gathered.findings, *_few(entry, gathered, keys)]
    said += [*never_held_out(predictions), *caveats(predictions, ["fold"]), *notes]
    said += [ONE_DATA_SET()] if predictions.design.repeats == "resampled" else []
    findings = [*_about_truth(entry, judged, known), *said, *predictions.findings]
    heading = _heading(entry, predictions, settings)
    details = {"decomposition": entry.call, "identity": entry.identity or None}
    table = Table(heading, with_decimals(estimates), tuple(dict.fromkeys(findings)), details)
    return BiasVariance(table, entry, tuple(settings), predictions)


def _setting(
    entry: Decomposition, found: Gathered, keys: Mapping[str, Any], known: Known
) -> Setting:
    parts = entry(found.table)
    if known.truth is None:
        kept = {name: v for name, v in parts.values.items() if name != NOISE}
        parts = Parts(parts.loss, kept)
    return Setting(keys, found.cases.row, found.table.count, parts)


def _estimates(
    entry: Decomposition,
    found: Gathered,
    setting: Setting,
    confidence_level: float,
) -> list[Estimate]:
    ranges = {"loss": entry.loss_range, "stability": (0.0, 1.0)}
    ranges |= {name: part.range for name, part in entry.parts.items()}
    made = averages(entry, found.table, found.cases, ranges, confidence_level)
    titles = _titles(entry, noise=NOISE in setting.parts.values)
    return [
        Estimate(
            measure=name,
            title=title,
            value=made[name].value,
            interval=made[name].interval,
            why_no_interval=made[name].why,
            n=float(found.cases.row.size),
            direction="lower" if name == "loss" else "higher" if name == "stability" else "neither",
            keys=setting.keys,
        )
        for name, title in titles.items()
        if name in made
    ]


def _titles(entry: Decomposition, *, noise: bool) -> dict[str, str]:
    """Return the titles of the parts; the one that includes unknown noise says so."""
    named = {name: part.title for name, part in entry.parts.items() if noise or name != NOISE}
    if not noise and entry.identity:
        named[next(iter(named))] += " and noise"
    return {"loss": entry.loss, **named, "stability": "Stability"}


def _heading(entry: Decomposition, p: Predictions, settings: Sequence[Setting]) -> str:
    made = p.provenance.resampling if p.provenance else "repeated predictions"
    often = np.concatenate([s.predictions for s in settings])
    low, high = int(often.min()), int(often.max())
    times = f"{low}" if low == high else f"{low} to {high}"
    cases = count(settings[0].row.size, "case")
    return f"{entry.title}, {cases} with {times} predictions each by {made}"


def _about_truth(entry: Decomposition, p: Predictions, known: Known) -> list[Finding]:
    findings = []
    if known.truth is None and entry.identity:
        findings.append(NOISE_IN_BIAS())
    if entry.takes == "number" and p.task == "classification" and p.classes != BINARY_LABELS:
        findings.append(LABELS_MAPPED(first=p.classes[0], last=p.classes[-1]))
    return findings


def _few(entry: Decomposition, found: Gathered, keys: Mapping[str, Any]) -> Iterator[Finding]:
    """Return findings where there are too few training sets to separate bias from variance."""
    where = "".join(f" at {k} {v}" for k, v in keys.items())
    often = float(np.median(found.table.count))
    if entry.arguments.get("corrected"):
        return
    if any(q.name == "corrected" for q in entry.parameters):
        plain, better = (
            np.average(e(found.table)["bias_squared"], weights=found.cases.weight)
            for e in (entry, entry.given(corrected=True))
        )
        if plain - better > LARGE_SHARE * plain:
            yield VARIANCE_IN_BIAS(
                where=where,
                bias=plain,
                variance=plain - better,
                often=often,
                corrected=f"{entry.name}(corrected=True)",
            )
    elif often < MIN_PREDICTIONS:
        yield FEW_TRAINING_SETS(often=often)
