"""What was predicted: columns of numbers or of classes, checked at the door."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.grouping import grouped_by
from credibly._core.text import count, shown, some_have, some_rows
from credibly.errors import (
    Argument,
    DataError,
    ParameterError,
    listed,
    says,
)
from credibly.predictions.columns import by_class, stated_order
from credibly.predictions.findings import (
    CLASS_ORDER_TAKEN,
    LOOSE_TOLERANCE,
    MARKED_MISSING,
    MISSING_TRUTH,
    NO_PREDICTION,
    NUMBERS_AS_CLASSES,
    POSITIVE_CLASS,
    SPELLED_ALIKE,
)
from credibly.predictions.labels import (
    MAX_NUMBER_CLASSES,
    MISSING,
    Labels,
    align,
    as_array,
    as_label,
    as_labels,
    as_words,
    encode,
    likely_positive,
    shorten,
    sure_marks,
    unmarked,
)
from credibly.predictions.numbers import (
    as_count,
    finite,
    floats,
    for_each,
    frozen,
    missing_rows,
    predicted,
    refuse_infinite,
    same_length,
    seems_finite,
    sums_to_one,
    within_unit,
)
from credibly.predictions.outcomes import outcome_columns
from credibly.predictions.outputs import columns_and_gaps
from credibly.predictions.recognition import named_columns
from credibly.predictions.spelling import in_words_of_truth

if TYPE_CHECKING:
    from credibly.predictions.table import PredictionColumns

P = TypeVar("P", bound="PredictionColumns")
# How far a row of probabilities with two decimals may be from summing to 1.
MAX_ROUNDED_ERROR = 0.01
MIN_TRUE_CLASSES = 0.5  # share of predictions that are some true class, of numbers that are classes
MAX_RATINGS = 7  # grades of usual scales, whose mistakes are near misses too
# Agreement of truth and prediction, as numbers, in the wrong cases: that of numbers, and of chance in one case.
MIN_NEAR_MISSES, CHANCE_AGREEMENT = 0.5, 2.5


def refuse_classes_of_numbers(**given: object) -> None:
    """Refuse what is about classes beside predicted numbers."""
    clash = [name for name, column in given.items() if column is not None]
    if clash and clash[0] in {"classes", "positive", "threshold"}:
        raise ParameterError(
            says(
                "{it} is for predicted classes, but <value=> predicts numbers: set one of them.",
                it=Argument(clash[0]),
            )
        )
    if clash:
        raise ParameterError(
            says(
                "<value=> is for numeric prediction and {it} for classes: set one of them.",
                it=Argument(clash[0]),
            )
        )


def task_columns(
    arrays: tuple[object, object],
    named: dict[str, Any],
    about_classes: dict[str, Any],
    scored: dict[str, Any],
    *,
    baseline: object,
    tolerance: float,
    model: object,
) -> dict[str, Any]:
    """Check the columns of outcomes, of predicted numbers or of predicted classes, whichever these are."""
    y_true, y_pred = arrays
    if scored["outcome"] is not None:
        others = {"y_true": y_true, "y_pred": y_pred, "baseline": baseline}
        return outcome_columns(**scored, **others, **named, **about_classes)
    if clash := next((name for name, given in scored.items() if given is not None), None):
        raise ParameterError(
            says("{it} is about <outcome=>, which is not given.", it=Argument(clash))
        )
    if y_true is None:
        raise DataError(
            "Predictions need what was observed.",
            remedy=says(
                "Use Predictions.of(y_true, y_pred), or <outcome=...> for cases scored elsewhere."
            ),
        )
    of_classes = any(given is not None for given in about_classes.values())
    findings: list[Finding] = []
    if y_pred is not None or all(column is None for column in named.values()):
        named, findings = named_columns(y_true, y_pred, named, of_classes=of_classes)
    value = named.pop("value")
    if value is not None:
        refuse_classes_of_numbers(**about_classes, **named)
        made = numeric_columns(y_true, value, baseline)
    else:
        made = class_columns(
            y_true, **named, **about_classes, baseline=baseline, tolerance=tolerance, model=model
        )
    return {**made, "findings": [*findings, *made["findings"]]}


def numeric_columns(truth: object, value: object, baseline: object) -> dict[str, Any]:
    """Check the columns of a numeric prediction."""
    y, v = floats(truth, "truth", shared=True), floats(value, "value", shared=True)
    known, complete = seems_finite(y), seems_finite(v)
    if not known and np.isinf(y).any():
        raise DataError(f"truth is infinite in {some_rows(np.flatnonzero(np.isinf(y)))}.")
    v = v if complete else predicted(v, "value")
    same_length(v, y.size, "value")
    columns: dict[str, Any] = {"task": "numeric", "truth": frozen(y), "value": frozen(v)}
    columns["findings"] = ()
    if known and complete:
        columns["cache"] = {"gapless": True, "unknown": None}  # so that nobody looks again
    if not complete:
        columns["unpredicted"] = _no_prediction(
            np.isnan(v), "a missing number", "every measure leaves such rows out"
        )
    if baseline is not None:
        mean = finite(np.atleast_1d(as_array(baseline, "baseline")), "baseline", shared=True)
        if mean.size not in {1, y.size}:
            raise DataError(
                f"baseline must be one number (the training mean) or one per row; it has {mean.size}."
            )
        columns["baseline"] = frozen(for_each(mean, y.size))
    return columns


def class_columns(
    truth: object,
    label: object,
    score: object,
    probability: object,
    classes: Sequence[Any] | None,
    positive: object,
    threshold: float | None,
    baseline: object,
    tolerance: float,
    model: object = None,
) -> dict[str, Any]:
    """Check the columns of predicted classes, and label the cases where only scores are given.

    A model may lack a column that others have: it is missing in all of its rows.
    """
    classes = stated_order(truth, label) if classes is None else classes
    found, marks = _classes_of_cases(truth, label, classes)
    n = len(found["truth"].codes)
    names = _class_names(classes, [v for f in found.values() for v in f.values])
    place, findings = _positive_place(names, positive)
    findings = (*marks, *_spelled_alike(names), *findings)
    columns: dict[str, Any] = {"task": "classification", "classes": names, "positive": place}
    columns |= {k: frozen(align(f, names, k).copy()) for k, f in found.items()}
    if score is not None:
        columns["score"] = frozen(predicted(score, "score"))
        same_length(columns["score"], n, "score")
        _need_positive(names, place, "score", columns["truth"])
    if probability is not None:
        probability, unnamed = by_class(probability, names)
        columns["probability"] = frozen(
            _probability(probability, columns["truth"], names, place, tolerance)
        )
        by_position = classes is None and not hasattr(probability, "columns")
        findings += (*unnamed, *_taken(columns["probability"], names, by_position=by_position))
    missing = _without_number(columns)
    if label is None:
        columns["label"] = _labels_from(columns, threshold, missing)
    elif threshold is not None:
        raise ParameterError(
            says("<threshold=> makes labels out of scores, but <label=> is given: set one of them.")
        )
    if missing or (columns["label"] is not None and columns["label"].min(initial=0) < 0):
        columns, gaps = columns_and_gaps(columns, missing, model)
    if missing:
        columns["unpredicted"] = _no_prediction(
            gaps,
            "zero in all classes, or missing" if probability is not None else "a missing score",
            "measures of labels count such rows as errors, and all others leave them out",
        )
    else:
        columns["cache"] = {"gapless": True}  # so that nobody looks again
    if baseline is not None:
        columns["baseline"] = frozen(_class_baseline(baseline, n, names, tolerance))
    return {**columns, "findings": findings}


def _without_number(columns: dict[str, Any]) -> dict[str, NDArray[np.bool_]]:
    """Say in which rows a score or a probability is missing, of the columns in which one is."""
    given = {c: columns[c] for c in ("score", "probability") if c in columns}
    missing = {c: missing_rows([a], len(a)) for c, a in given.items()}
    return {c: rows for c, rows in missing.items() if rows.any()}


def _classes_of_cases(
    truth: object, label: object, classes: Sequence[Any] | None
) -> tuple[dict[str, Labels], tuple[Finding, ...]]:
    """Return the actual and, where they are given, the predicted classes, and which marks are missing ones."""
    found = {"truth": encode(truth, "truth")}
    if label is not None:
        found["label"] = encode(label, "label")
        same_length(found["label"].codes, len(found["truth"].codes), "label")
    marks: tuple[Finding, ...] = ()
    for role, labels in found.items():
        findings, found[role] = marked_missing(labels, classes, role)
        marks += findings
    if label is not None and classes is None:
        _refuse_predicted_numbers(found["truth"], found["label"])
    if label is not None and not {*found["truth"].values}.issuperset(found["label"].values):
        found["label"], findings = in_words_of_truth(found, classes)
        marks += findings
    if label is not None and classes is None:
        marks += _near_misses(found["truth"], found["label"])
    return found, marks


def _near_misses(truth: Labels, label: Labels) -> tuple[Finding, ...]:
    """Doubt classes that look like counts: many whole numbers, of which the wrong ones lie near the true ones.

    Codes of classes tell nothing about a mistake, so that numbers and codes of wrong cases agree by chance
    alone: their concordance (Lin 1989) is about 0, give or take one through the root of their number.
    """
    numbers = {*truth.values, *label.values}
    if len(numbers) <= MAX_RATINGS or not all(type(v) is int for v in numbers):
        return ()
    wrong = (truth.codes >= 0) & (label.codes >= 0)
    y, said = (np.array(f.values, np.float64)[f.codes[wrong]] for f in (truth, label))
    missed = y != said
    y, said = y[missed], said[missed]
    least = max(MIN_NEAR_MISSES, CHANCE_AGREEMENT / max(y.size, 1) ** 0.5)
    if least >= 1:
        return ()
    spread = np.var(y) + np.var(said) + (y.mean() - said.mean()) ** 2
    if np.mean((y - said) ** 2) >= (1 - least) * spread:
        return ()
    return (NUMBERS_AS_CLASSES(n=len(numbers), cases=count(truth.codes.size, "row")),)


def _refuse_predicted_numbers(truth: Labels, label: Labels) -> None:
    """Refuse as classes many whole numbers of which hardly any predicted one is among the true ones."""
    many = min(len(truth.values), len(label.values)) > MAX_NUMBER_CLASSES
    if not many or not all(type(v) is int for v in (*truth.values, *label.values)):
        return
    known = np.isin(label.values, truth.values)[label.codes[label.codes >= 0]]
    if known.mean() < MIN_TRUE_CLASSES:
        raise DataError(
            f"truth and label hold {len(truth.values):,} and {len(label.values):,} distinct numbers, and most "
            "predicted ones never occur as a truth: they are not classes.",
            remedy=says(
                "Set <value=...> instead of <label=...> for predicted numbers, or <classes=...> if they are classes."
            ),
        )


def marked_missing(
    labels: Labels, classes: Iterable[object] | None, column: str
) -> tuple[tuple[Finding, ...], Labels]:
    """Take marks such as NA as missing, and say so."""
    marks = sure_marks(labels, classes)
    rows = {m: int((labels.codes == labels.values.index(m)).sum()) for m in marks}
    kept = unmarked(labels, marks)
    findings = (
        MARKED_MISSING(column=column, mark=m, rows=count(n, "row")) for m, n in rows.items()
    )
    return ((), labels) if kept is labels else (tuple(findings), kept)


def _no_prediction(
    gaps: NDArray[np.bool_], what: str, so: str
) -> tuple[NDArray[np.bool_], str] | None:
    """Return which rows hold no prediction and what becomes of them; refuse where none holds one."""
    if not gaps.any():
        return None
    if gaps.all():
        raise DataError(f"None of the {count(gaps.size, 'row')} holds a prediction ({what}).")
    return gaps, so


def unpredicted_rows(
    gaps: NDArray[np.bool_], so: str, often: NDArray[np.float64] | None
) -> Finding:
    """Say how many rows hold no prediction: a row that stands for several counts as often."""
    some, all_rows = (gaps.sum(), gaps.size) if often is None else (often[gaps].sum(), often.sum())
    return NO_PREDICTION(rows=some_have(float(some), float(all_rows), "row"), so=so)


def with_unknown(p: P) -> P:
    """Count the cases without a truth; those with a truth and no prediction are another matter."""
    without = np.isnan(p.truth) if p.task == "numeric" else p.truth == MISSING
    if not without.any():
        return p
    rows = count(as_count(float(p.counts[without].sum())), "row")
    return replace(p, findings=(*p.findings, MISSING_TRUTH(rows=rows, cases=p.cases)))


def _class_names(classes: Sequence[Any] | None, seen: list[Any]) -> tuple[Any, ...]:
    if classes is not None:
        names = as_labels(classes)
        if len(set(names)) != len(names):
            raise DataError(f"classes names one twice: {shorten(names)}.")
        return names
    distinct = list(dict.fromkeys(seen))
    if distinct and set(distinct) < {0, 1}:
        # One of the two is absent.
        return (False, True) if isinstance(distinct[0], bool) else (0, 1)
    if len({isinstance(v, str) for v in distinct}) > 1:
        raise DataError(
            f"truth and label are of different types: {shorten(distinct)}. "
            "Give both as text or both as numbers."
        )
    return tuple(sorted(distinct))


def _taken(
    probability: Floats, classes: tuple[Any, ...], *, by_position: bool
) -> tuple[Finding, ...]:
    """Say how far sums of probabilities are from 1, and which column of an array was read as which class."""
    several = probability.ndim > 1 and len(classes) > 2
    order = [CLASS_ORDER_TAKEN(classes=shorten(classes))] if several and by_position else []
    return (*_tolerated(probability), *order)


def _positive_place(
    names: tuple[Any, ...], positive: object
) -> tuple[int | None, tuple[Finding, ...]]:
    if positive is not None:
        wanted = as_label(positive, "positive")
        for i, name in enumerate(names):
            if name == wanted or str(name) == str(wanted):
                return i, ()
        raise DataError(
            f"The positive class {positive!r} is not one of the classes {shorten(names)}.",
            asked=str(wanted),
            choices=map(str, names),
        )
    guess = likely_positive(names)
    if guess is None:
        return None, ()
    return names.index(guess), () if isinstance(guess, int) else (POSITIVE_CLASS(name=guess),)


def _spelled_alike(names: tuple[Any, ...]) -> tuple[Finding, ...]:
    """Doubt classes that differ only in case or spaces, as those of files that people wrote do."""
    texts = [name for name in names if isinstance(name, str)]
    if len(texts) < 2:
        return ()
    words = grouped_by(as_words, texts)
    alike = [each for each in words.values() if len(each) > 1]
    return tuple(SPELLED_ALIKE(names=listed(map(repr, each))) for each in alike[:1])


def _need_positive(
    names: tuple[Any, ...], place: int | None, column: str, truth: NDArray[Any]
) -> None:
    if not names:
        raise DataError("truth is empty: there is no case to evaluate.")
    if len(names) > 2:
        single = [names[i] for i in np.flatnonzero(np.bincount(truth[truth >= 0]) == 1)]
        stray = f"; {single[0]!r} is that of one row" if len(single) == 1 else ""
        alike = " ".join(f"{f.message} {f.action}" for f in _spelled_alike(names))
        raise DataError(
            f"{column} is one column but there are {len(names)} classes ({shorten(names)}{stray}).",
            remedy=alike or says("Set <probability=...> to one column per class."),
        )
    if place is None:
        raise DataError(
            f"{column} is about one class: which of {shorten(names)} is it?",
            choices=map(str, names),
            remedy=says(
                "Set <positive=...> to {one} (and <classes=...> if only one of them occurs).",
                one=listed(map(repr, names), "or"),
            ),
        )
    if len(names) < 2:
        raise DataError(
            f"Only the class {shorten(names)} occurs, so {column} cannot distinguish it from another.",
            remedy=says("Name both with <classes=...>."),
        )


def _probability(
    given: object, truth: NDArray[Any], names: tuple[Any, ...], place: int | None, tolerance: float
) -> Floats:
    shape = as_array(given, "probability")
    if shape.ndim == 2 and shape.shape[1] == 1 < len(names):
        shape = shape[:, 0]
    if shape.ndim <= 1:
        p = floats(shape, "probability")
        same_length(p, len(truth), "probability")
        within_unit(p, tolerance, "probability")
        _need_positive(names, place, "probability", truth)
        return p
    same_length(shape, len(truth), "probability")
    if shape.ndim > 2:
        raise DataError(
            f"probability must be one column, or one per class; it has the shape {shape.shape}."
        )
    if shape.shape[1] != len(names):
        raise DataError(
            f"probability has {count(shape.shape[1], 'column')} but there are "
            f"{count(len(names), 'class')}: {shorten(names)}.",
            remedy=says("Name every class, in the order of the columns, with <classes=...>."),
        )
    p = floats(shape.ravel(), "probability").reshape(shape.shape)
    within_unit(p, tolerance, "probability")
    sums = p.sum(axis=1)
    if not sums.all() or np.isnan(sums).any():  # Weka writes zeros for a case that it cannot decide
        p[~p.any(axis=1) | np.isnan(p).all(axis=1)] = np.nan
        refuse_infinite(np.where(np.isnan(p).all(axis=1), 0.0, p.sum(axis=1)), "probability")
    sums_to_one(p, tolerance, "probability")
    return p


def _tolerated(p: Floats) -> tuple[Finding, ...]:
    """Say when a generous tolerance let pass what rounding does not explain."""
    off = np.nan_to_num(np.abs(p.sum(axis=1) - 1)) if p.ndim > 1 else np.zeros(1)
    if not off.max(initial=0) > MAX_ROUNDED_ERROR:
        return ()
    rows = count(int((off > MAX_ROUNDED_ERROR).sum()), "row")
    return (LOOSE_TOLERANCE(rows=rows, limit=MAX_ROUNDED_ERROR, worst=off.max()),)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and value == value


def _labels_from(
    columns: dict[str, Any], threshold: float | None, missing: dict[str, NDArray[np.bool_]]
) -> NDArray[Any] | None:
    """Label by threshold, or by the most probable class; of equally probable ones the first,
    but the positive one at exactly one half.
    """
    place, p = columns["positive"], columns.get("probability")
    names = columns["classes"]
    if threshold is not None and not _is_number(threshold):
        raise ParameterError(f"threshold must be a number; got {shown(threshold)}.")
    if threshold is not None or (p is not None and p.ndim == 1):
        if place is None or len(names) > 2:
            raise ParameterError(
                says("<threshold=> needs two classes and a positive one."),
                remedy=says("Set <positive=...>."),
            )
        s = columns.get("score") if p is None else (p if p.ndim == 1 else p[:, place])
        if s is None:
            raise ParameterError(says("<threshold=> needs <score=...> or <probability=...>."))
        cut = 0.5 if threshold is None else threshold
        if p is not None and not 0 <= cut <= 1 and abs(cut) < math.inf:
            raise ParameterError(
                says(
                    "Probabilities lie between 0 and 1, and {it} does not.",
                    it=Argument("threshold", cut),
                ),
                remedy=says("Set {it} for {cut:g} %.", it=Argument("threshold", cut / 100), cut=cut)
                if 1 < cut <= 100
                else "Choose one between them.",
            )
        made = ((s >= cut) == bool(place)).astype(np.int8)
        return frozen(_undecided(made, missing.get("score" if p is None else "probability")))
    if p is None:
        return None
    codes = p.argmax(axis=1).astype(columns["truth"].dtype)
    if place is not None and len(names) == 2:
        codes[p[:, place] == p[:, 1 - place]] = place
    return frozen(_undecided(codes, missing.get("probability")))


def _undecided(codes: NDArray[Any], missing: NDArray[np.bool_] | None) -> NDArray[Any]:
    """A case without a score or probability gets no label."""
    if missing is not None:
        codes[missing] = MISSING
    return codes


def _class_baseline(given: object, n: int, names: tuple[Any, ...], tolerance: float) -> Floats:
    plain = as_array(given, "baseline")
    array: NDArray[Any] = floats(plain.ravel(), "baseline").reshape(plain.shape)
    k = len(names)
    if array.shape not in {(k,), (n, k)}:
        raise DataError(
            f"baseline must hold the training part's probability of each of the {k} classes "
            f"{shorten(names)}, once or for each row; it has the shape {array.shape}."
        )
    matrix = np.array(np.broadcast_to(array, (n, k)))
    if not np.isfinite(matrix).all():
        raise DataError("baseline holds numbers that are not finite.")
    within_unit(matrix, tolerance, "baseline")
    sums_to_one(matrix, tolerance, "baseline")
    return matrix
