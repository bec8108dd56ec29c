"""From the results of tasks to predictions with where they come from and what to doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Indices
from credibly._core.findings import Finding
from credibly._core.grouping import grouped
from credibly._core.text import count
from credibly.errors import DataError, Sentence
from credibly.predictions import Fit, Predictions, Provenance
from credibly.predictions.case_columns import named_attributes
from credibly.predictions.findings import FAILED_FITS, POSITIVE_CLASS
from credibly.predictions.labels import Labels
from credibly.predictions.numbers import borrowed
from credibly.predictions.outputs import filled, not_most_probable
from credibly.predictions.parts import INNER_PART
from credibly.predictions.provenance import Fits
from credibly.resampling._splits import inner_splits
from credibly.running.findings import (
    CHOSEN_INSIDE,
    FIT_WARNING,
    LABELS_DIFFER,
    NO_POSITIVE,
    OUTPUT_TAKEN,
)
from credibly.running.overfitting import instability, overfitting
from credibly.running.tasks import FitBlock

if TYPE_CHECKING:
    from credibly.running.data import Data
    from credibly.running.tasks import FitResult, Job
    from credibly.schemes import ModelOutput

MAX_SHOWN_WARNINGS = 5
MAX_SHOWN_CHOICES = 3
PACKAGES = ("credibly", "numpy", "scikit-learn")


def assemble(job: Job, results: Sequence[FitResult]) -> Predictions:
    """Put the predictions of all fits into one table; raise if there are none."""
    if all(r.output is None for r in results):
        raise DataError(_nothing(job, results))
    predictions = predictions_of(job, results)
    where = _provenance(job, results)
    findings = (
        *job.data.doubts(job.known_splits, zip(job.names, job.estimators, strict=True)),
        *predictions.findings,
        *problems(job, results),
        *_choices(where),
    )
    return replace(
        predictions,
        findings=findings,
        provenance=where,
        design=job.known_splits.design,
    )


def predictions_of(job: Job, results: Sequence[FitResult]) -> Predictions:
    """Put the predictions of the fits that did not fail into one table, and nothing else."""
    good = [r for r in results if r.output is not None]
    kinds = _kinds(good)
    data = job.data
    rows = np.concatenate([r.rows for r in good])
    sizes, repeats, fold, n_train = (
        _per_fit(good, name) for name in ("sizes", "repeat", "fold", "n_train")
    )
    columns: dict[str, Any] = {
        "row": rows if data.rows is None else data.rows[rows],
        "model": _names(job, good),
        "repeat": np.repeat(repeats, sizes),
        "fold": np.repeat(fold, sizes),
        "part": _parts(good, np.repeat(inner_splits(repeats, fold), sizes)),
        "n_train": np.repeat(n_train.astype(np.float64), sizes),
        # priors or mean of the training part
        "baseline": np.repeat(_per_fit(good, "baselines"), sizes, axis=0),
        **_predicted(data, good, kinds),
        **_weights(job, good, rows),
    }
    if data.group is not None:
        columns["group"] = data.group[rows]
    with borrowed():  # these columns were made here
        predictions = Predictions.of(**columns, columns=named_attributes(data.X).take(rows))
    if data.task == "numeric":
        return predictions
    findings = [*_about_outputs(job, good, kinds), *_disagreement(job, good)]
    if len(data.classes) == 2 and data.positive is None:
        findings.append(NO_POSITIVE(classes=" or ".join(map(repr, data.classes))))
    return replace(predictions, findings=(*predictions.findings, *findings))


def _names(job: Job, good: list[FitResult]) -> str | NDArray[Any]:
    """Return the scheme of each row, or the one of all."""
    schemes = {r.scheme for r in good}
    if len(schemes) == 1:
        return job.names[schemes.pop()]
    return np.repeat([job.names[r.scheme] for r in good], [len(r.rows) for r in good])


def _per_fit(good: list[FitResult], name: str) -> NDArray[Any]:
    """Return what is known of each fit, in one column."""
    return np.concatenate([np.atleast_1d(getattr(r, name)) for r in good])


def _parts(good: list[FitResult], inner: NDArray[np.bool_]) -> NDArray[Any]:
    """Say of each row whether it was trained on, tested, kept for validation, or of an inner split."""
    names = np.array(["test", "train", INNER_PART, "validation"], object)  # texts, not one per row
    place = np.where(np.concatenate([r.times for r in good]) > 0, 1, 2 * inner)
    for r, end in zip(good, np.cumsum([len(r.rows) for r in good]).tolist(), strict=True):
        if r.validation:
            place[end - r.validation : end] = 3
    return names[place]


def _weights(job: Job, good: list[FitResult], rows: NDArray[Any]) -> dict[str, Any]:
    """Case weights; a case of a bootstrap sample counts as often as it was drawn."""
    data = job.data
    if not job.with_replacement:
        given = None if data.weight is None else data.weight[rows]
        kind = data.weight_kind if data.weight is not None else None
        return {"sample_weight": given, "weight_kind": kind}
    times = np.concatenate([np.maximum(r.times, 1) for r in good]).astype(np.float64)
    if data.weight is None:
        return {"sample_weight": times, "weight_kind": "frequency"}
    return {"sample_weight": times * data.weight[rows], "weight_kind": data.weight_kind}


def _choices(made: Provenance) -> list[Finding]:
    """Say what searches inside the training parts chose, the most frequent choices first."""
    findings = []
    for model, folds in made.chosen.items():
        times = Counter(folds.values()).most_common()
        text = "; ".join(f"{chosen} in {n:,}" for chosen, n in times[:MAX_SHOWN_CHOICES])
        more = (
            f"; {len(times) - MAX_SHOWN_CHOICES:,} more" if len(times) > MAX_SHOWN_CHOICES else ""
        )
        findings.append(CHOSEN_INSIDE(model=model, fits=count(len(folds), "fit"), told=text + more))
    return findings


def _kinds(good: list[FitResult]) -> list[str]:
    """Name the best output of each result that all fits of its scheme have: a probability, a score or a label."""
    found: dict[int, set[str]] = {}
    for r in good:
        if r.output is not None and (found.get(r.scheme) or r.scheme not in found):
            columns = {c for c in OUTPUT_COLUMNS if getattr(r.output, c) is not None}
            found[r.scheme] = found.get(r.scheme, columns) & columns
    best = {s: next((c for c in OUTPUT_COLUMNS if c in had), "label") for s, had in found.items()}
    return [best[r.scheme] for r in good]


def _about_outputs(job: Job, good: list[FitResult], kinds: list[str]) -> list[Finding]:
    """Say which output was taken of schemes without probabilities."""
    taken: dict[str, dict[str, None]] = {}
    for r, kind in zip(good, kinds, strict=True):
        source = "" if r.output is None else r.output.source
        if source in {"decision_function", "label", "votes"}:
            words = source if kind != "label" else "label"
            taken.setdefault(words, {})[job.names[r.scheme]] = None
    findings = [
        OUTPUT_TAKEN(names=", ".join(names), taken=OUTPUT_WORDS[source])
        for source, names in taken.items()
    ]
    if "score" in kinds and job.data.positive is None:
        findings.append(POSITIVE_CLASS(name=job.data.classes[1]))
    return findings


OUTPUT_COLUMNS = ("probability", "score")  # the most telling first
OUTPUT_WORDS = {
    "votes": "the share of votes was taken",
    "decision_function": "the score of its decision function was taken",
    "label": "its labels were taken",
}


def _predicted(data: Data, good: list[FitResult], kinds: list[str]) -> dict[str, Any]:
    outputs = [r.output for r in good if r.output is not None]
    rows = np.concatenate([r.rows for r in good])
    if data.task == "numeric":
        return {"y_true": data.y[rows], "value": np.concatenate([o.value for o in outputs])}
    codes = np.asarray(data.codes)
    place = None if data.positive is None else data.classes.index(data.positive)
    about = 1 if place is None else place
    label = np.concatenate([_places(o, place) for o in outputs]).astype(codes.dtype)
    columns: dict[str, Any] = {
        "y_true": Labels(codes[rows], data.classes),
        "classes": data.classes,
        "positive": data.classes[about] if "score" in kinds else data.positive,
        "label": Labels(label, data.classes),
    }
    if "probability" in kinds:
        matrix = _where(kinds, "probability", good, lambda o: np.asarray(o.probability))
        flat = len(data.classes) == 2 and columns["positive"] is not None
        columns["probability"] = matrix[:, about] if flat else matrix
    if "score" in kinds:
        columns["score"] = _where(kinds, "score", good, lambda o: _score(o, about))
    return columns


def _where(
    kinds: list[str], kind: str, good: list[FitResult], take: Callable[[ModelOutput], NDArray[Any]]
) -> NDArray[Any]:
    """Put one column together; it is missing in all rows of schemes that lack it."""
    parts = [
        take(r.output) if own == kind and r.output is not None else None
        for r, own in zip(good, kinds, strict=True)
    ]
    return np.concatenate(filled(parts, [len(r.rows) for r in good]))


def _disagreement(job: Job, good: list[FitResult]) -> list[Finding]:
    """Count the held-out rows in which a model's label is not its most probable class."""
    said: dict[int, list[tuple[NDArray[Any], ...]]] = {}
    for r in good:
        o = r.output
        if o is not None and o.probability is not None and o.label is not None:
            said.setdefault(r.scheme, []).append((o.probability, o.label, r.times))
    findings = []
    for scheme, fits in said.items():  # all fits of a scheme at once: there may be one for each row
        probability, label, times = map(np.concatenate, zip(*fits, strict=True))
        held = times == 0
        differ = np.count_nonzero(not_most_probable(probability, label)[held])
        if differ:
            total = np.count_nonzero(held)
            findings.append(LABELS_DIFFER(name=job.names[scheme], n=differ, total=total))
    return findings


def _places(output: ModelOutput, positive: int | None) -> NDArray[Any]:
    """Return the places of labels among the classes.

    An experiment of an earlier version kept none beside probabilities: there it is the most probable
    class, of two equally probable ones the positive one.
    """
    if output.label is not None or output.probability is None:
        return np.asarray(output.label)
    if positive is not None and output.probability.shape[1] == 2:
        sure = output.probability[:, positive] >= 0.5
        return np.where(sure, positive, 1 - positive)
    return np.asarray(output.probability.argmax(axis=1))


def _score(output: ModelOutput, about: int) -> NDArray[Any]:
    score = np.asarray(output.score)
    return score if about == 1 else -score


def _nothing(job: Job, results: Sequence[FitResult]) -> str:
    worst = Counter(r.error for r in results).most_common(1)[0][0]
    first = next(r for r in results if r.error == worst)
    return (
        f"All {count(len(results), 'fit')} failed, first {job.names[first.scheme]} in repeat "
        f"{first.repeat}, fold {first.fold}: {worst}"
    )


def problems(job: Job, results: Sequence[FitResult]) -> list[Finding]:
    """Return what went wrong at fits: errors, warnings and the findings of fitted models."""
    return [*_failures(job, results), *_warnings(job, results), *_said(job, results)]


def _failures(job: Job, results: Sequence[FitResult]) -> list[Finding]:
    findings = []
    for i, name in enumerate(job.names):
        bad = [r for r in results if r.scheme == i and r.error]
        if bad:
            total = sum(len(r.sizes) for r in results if r.scheme == i)
            where = f"{len(bad)} of {count(total, 'fit')}, first in repeat {bad[0].repeat}, fold {bad[0].fold}"
            so = (
                "It has no estimates."
                if len(bad) == total
                else "Its estimates rest on the other fits, so they do not compare with those of other schemes."
            )
            error = bad[0].error.rstrip(".")
            findings.append(FAILED_FITS(scheme=name, where=where, error=error, so=so))
    return findings


def _warnings(job: Job, results: Sequence[FitResult]) -> list[Finding]:
    heard: Counter[tuple[str, str]] = Counter()
    for r in results:
        if r.warned:
            heard.update((job.names[r.scheme], text) for text in r.warned)
    findings = [
        FIT_WARNING(scheme=name, often=f"in {count(n, 'fit')}", text=text)
        for (name, text), n in heard.most_common()
    ]
    if len(findings) > MAX_SHOWN_WARNINGS:
        more = f"{len(findings) - MAX_SHOWN_WARNINGS} more warnings."
        findings[MAX_SHOWN_WARNINGS:] = [FIT_WARNING(scheme="Fits", often="too", text=more)]
    return findings


def _said(job: Job, results: Sequence[FitResult]) -> list[Finding]:
    """Return the findings of fitted models, once for each scheme and code, without notes."""
    heard = grouped(
        ((job.names[r.scheme], f.code), f) for r in results for f in r.said if f.severity != "note"
    )
    return [
        replace(
            all_[0], message=Sentence(f"{name} in {count(len(all_), 'fit')}: ", all_[0].message)
        )
        for (name, _), all_ in heard.items()
    ]


def versions_of(packages: Sequence[str]) -> dict[str, str]:
    """Return the versions of those packages that are installed."""
    found = {package: _version(package) for package in packages}
    return {package: version for package, version in found.items() if version}


@cache
def _version(package: str) -> str:
    """Return the version of a package, which stays while the program runs; nothing where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def fits_of(job: Job, results: Sequence[FitResult]) -> Fits:
    """Return what happened at each fit."""
    return Fits(tuple(_fits(job.names[r.scheme], r) for r in results))


def _fits(name: str, r: FitResult) -> tuple[Fit, tuple[Indices, ...]]:
    source = "" if r.output is None else r.output.source
    if isinstance(r, FitBlock):
        numbers = r.repeat, r.fold, r.n_train, r.sizes
        repeat, fold, n_train, n_test = (int(each[0]) for each in numbers)
        how = f"{source}, exact shortcut"
        return Fit(name, repeat, fold, n_train, n_test, r.fit_seconds, 0.0, how), numbers
    spent = r.fit_seconds, r.predict_seconds
    return Fit(name, r.repeat, r.fold, r.n_train, r.n_test, *spent, source, r.error, r.chosen), ()


def _provenance(job: Job, results: Sequence[FitResult]) -> Provenance:
    return Provenance(
        resampling=job.known_splits.resampling,
        splits=job.known_splits.fingerprint,
        data=job.data.fingerprint,
        seed=job.known_splits.seed,
        schemes={
            n: " ".join(repr(e).split()) for n, e in zip(job.names, job.estimators, strict=True)
        },
        versions=versions_of(PACKAGES),
        fits=fits_of(job, results),
        attributes=job.data.attributes,
        overfitting=overfitting(job, results),
        instability=instability(job, results),
        impossible={job.names[r.scheme]: True for r in results if r.impossible},
        different={job.names[r.scheme]: r.different for r in results if r.different},
    )
