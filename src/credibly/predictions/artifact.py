"""Predictions: immutable columns from which everything else is computed."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from hashlib import blake2b
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from credibly._core.errors import DataError, MissingColumnError, ParameterError, count, some_rows
from credibly._core.results import Finding
from credibly.predictions.labels import (
    MISSING,
    align,
    as_column,
    distinct,
    encode,
    likely_positive,
    shorten,
)
from credibly.predictions.numbers import (
    finite,
    floats,
    frozen,
    same_length,
    sums_to_one,
    weights,
    within_unit,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Task = Literal["classification", "numeric"]
WeightKind = Literal["none", "frequency", "importance"]

BINARY = 2
DESIGN_COLUMNS = ("row", "model", "repeat", "fold", "part", "group")
PREDICTION_COLUMNS = ("label", "score", "probability", "value")


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """An immutable, checked table of predictions, one row a predicted case.

    Build it with :meth:`of` from arrays or with :func:`credibly.read` from a file or a frame.
    For classes, ``truth`` and ``label`` are codes into ``classes``: -1 in ``truth`` is an unknown
    truth, -1 in ``label`` an unclassified case ("doubt").

    >>> p = Predictions.of(["yes", "no", "yes"], probability=[0.9, 0.2, 0.4])
    >>> p.classes, p.classes[p.positive], p.label.tolist()
    (('no', 'yes'), 'yes', [1, 0, 0])
    >>> p
    Predictions(3 rows, classes 'no', 'yes' (positive), columns: label, probability)
    """

    task: Task
    truth: NDArray[Any]
    classes: tuple[Any, ...] = ()
    positive: int | None = None
    label: NDArray[Any] | None = None
    score: Floats | None = None
    probability: Floats | None = None
    value: Floats | None = None
    weight: Floats | None = None
    weight_kind: WeightKind = "none"
    row: NDArray[Any] | None = None
    model: NDArray[Any] | None = None
    repeat: NDArray[Any] | None = None
    fold: NDArray[Any] | None = None
    part: NDArray[Any] | None = None
    group: NDArray[Any] | None = None
    baseline: Floats | None = None
    n_train: Floats | None = None
    findings: tuple[Finding, ...] = ()
    cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        y_true: object,
        *,
        label: object = None,
        score: object = None,
        probability: object = None,
        value: object = None,
        sample_weight: object = None,
        weight_kind: Literal["frequency", "importance"] | None = None,
        classes: Sequence[Any] | None = None,
        positive: object = None,
        threshold: float | None = None,
        baseline: object = None,
        n_train: object = None,
        tolerance: float = 1e-6,
        **design: object,
    ) -> Predictions:
        """Check and copy columns.

        Parameters
        ----------
        y_true
            What was observed: class labels of any type, or numbers when ``value`` is given.
        label
            Predicted classes; a missing one is an unclassified case.
        score
            Any number that is larger where the positive class is more likely.
        probability
            Probability of the positive class, or one column a class in the order of ``classes``.
        value
            Predicted numbers.
        sample_weight, weight_kind
            Case weights, and whether they count repeated cases (``"frequency"``) or say how much a
            case matters (``"importance"``, the default).
        classes
            Every class, in the order of the columns of ``probability`` and, where classes are
            ordered, from low to high. Sorted labels when not given.
        positive
            The class that scores and two-class measures are about.
        threshold
            Label a case positive when its score or probability is at least this.
        baseline
            Class probabilities (or the mean) of the training part: one for all rows or one a row.
        n_train
            Size of the training part.
        tolerance
            How far a row of probabilities may be from summing to 1.
        **design
            ``row, model, repeat, fold, part, group``: where each row comes from.
        """
        unknown = set(design) - set(DESIGN_COLUMNS)
        if unknown:
            msg = f"Predictions have no column {sorted(unknown)[0]!r}; design columns: {', '.join(DESIGN_COLUMNS)}."
            raise ParameterError(msg)
        if value is not None:
            clash = {"label": label, "score": score, "probability": probability}
            given = [k for k, v in clash.items() if v is not None]
            for name, extra in (
                ("classes", classes),
                ("positive", positive),
                ("threshold", threshold),
            ):
                if extra is not None:
                    msg = f"{name}= is for predicted classes, but value= predicts numbers: pass one of them."
                    raise ParameterError(msg)
            if given:
                msg = f"value= is for numeric prediction and {given[0]}= for classes: pass one of them."
                raise ParameterError(msg)
            columns = _numeric_columns(y_true, value, baseline)
        else:
            columns = _class_columns(
                y_true, label, score, probability, classes, positive, threshold, baseline, tolerance
            )
        n = len(columns["truth"])
        findings = list(columns.pop("findings"))
        if sample_weight is not None:
            columns["weight"] = frozen(weights(sample_weight, n))
            columns["weight_kind"], more = _weight_kind(columns["weight"], weight_kind)
            findings += more
        elif weight_kind is not None:
            msg = f"weight_kind={weight_kind!r} says what sample_weight= means, which is not given."
            raise ParameterError(msg)
        columns |= _design(design, n)
        if n_train is not None:
            columns["n_train"] = frozen(_training_size(n_train, n))
        made = cls(**columns, findings=tuple(findings))
        _refuse_duplicate_rows(made)
        return made

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.truth)

    def __len__(self) -> int:
        return self.n

    @property
    def provides(self) -> tuple[str, ...]:
        """Names of the prediction columns that are there."""
        return tuple(c for c in PREDICTION_COLUMNS if getattr(self, c) is not None)

    @property
    def binary(self) -> bool:
        """Whether there are two classes and it is known which is positive."""
        return len(self.classes) == BINARY and self.positive is not None

    @property
    def weights(self) -> Floats:
        """The weight of each row: 1 when none are given."""
        return self.weight if self.weight is not None else np.ones(self.n)

    def need(self, column: str, wanted_by: str) -> NDArray[Any]:
        """Return a column, or say who wanted it and what there is instead."""
        array: NDArray[Any] | None = getattr(self, column)
        if array is None:
            have = ", ".join(self.provides) or "none"
            msg = f"{wanted_by} needs {column}; these predictions have: {have}. Pass {column}=... ."
            raise MissingColumnError(msg)
        return array

    def scores_of(self, class_index: int, wanted_by: str) -> Floats:
        """Return the score of one class: its probability, or the score column of the positive one."""
        if self.probability is not None:
            return self.probabilities_of(class_index)
        if self.score is None:
            have = ", ".join(self.provides) or "none"
            msg = (
                f"{wanted_by} needs a score or probability; these predictions have: {have}. "
                "Pass score=... or probability=..., or use a measure of labels such as accuracy."
            )
            raise MissingColumnError(msg)
        return self.score if class_index == self.positive else -self.score

    def probabilities_of(self, class_index: int) -> Floats:
        """Return the probability of one class."""
        p = self.need("probability", "this")
        if p.ndim == 1:
            return p if class_index == self.positive else 1 - p
        return p[:, class_index]

    def probability_matrix(self, wanted_by: str) -> Floats:
        """Return one column of probabilities a class."""
        p = self.need("probability", wanted_by)
        if p.ndim == 1:
            return np.column_stack([self.probabilities_of(i) for i in range(len(self.classes))])
        return p

    def take(self, rows: NDArray[Any]) -> Predictions:
        """Return some of the rows, by mask or by place."""
        picked: dict[str, Any] = {
            f.name: frozen(array[rows])
            for f in fields(self)
            if isinstance(array := getattr(self, f.name), np.ndarray)
        }
        return replace(self, **picked, cache={})

    def known(self) -> Predictions:
        """Return the rows whose truth is known."""
        missing = self.truth == MISSING if self.task == "classification" else np.isnan(self.truth)
        return self.take(~missing) if missing.any() else self

    def groups(self, columns: Sequence[str]) -> Iterator[tuple[dict[str, Any], Predictions]]:
        """Yield the rows that share their values in some design columns, with these values."""
        if not columns:
            yield {}, self
            return
        found = [distinct(self.need(c, f"by={c!r}")) for c in columns]
        code = np.zeros(self.n, np.int64)
        for labels in found:
            code = code * len(labels.values) + labels.codes
        for each in np.unique(code):
            rows = np.flatnonzero(code == each)
            keys = {c: f.values[f.codes[rows[0]]] for c, f in zip(columns, found, strict=True)}
            part = self.take(rows)
            # Within a slice of one group, cases no longer come in groups.
            yield keys, replace(part, group=None) if "group" in columns else part

    @property
    def fingerprint(self) -> str:
        """A hash of every column: the same for the same predictions wherever they were made."""
        if "fingerprint" not in self.cache:
            digest = blake2b(digest_size=16)
            for f in fields(self):
                part = getattr(self, f.name)
                if f.name in {"cache", "findings"} or part is None:
                    continue
                digest.update(f.name.encode())
                if isinstance(part, np.ndarray):
                    plain = _canonical(part)
                    digest.update(f"{plain.dtype.kind}{plain.shape}".encode())
                    digest.update(np.ascontiguousarray(plain).view(np.uint8).data)
                else:
                    digest.update(repr(part).encode())
            self.cache["fingerprint"] = digest.hexdigest()
        return str(self.cache["fingerprint"])

    def __repr__(self) -> str:
        what = "numeric"
        if self.task == "classification":
            mark = {self.positive: " (positive)"}
            named = ", ".join(f"{c!r}{mark.get(i, '')}" for i, c in enumerate(self.classes[:6]))
            what = f"classes {named}{' ...' if len(self.classes) > 6 else ''}"
        return f"Predictions({count(self.n, 'row')}, {what}, columns: {', '.join(self.provides)})"


def _numeric_columns(truth: object, value: object, baseline: object) -> dict[str, Any]:
    y = floats(truth, "truth")
    if np.isinf(y).any():
        msg = f"truth is infinite in {some_rows(np.flatnonzero(np.isinf(y)))}."
        raise DataError(msg)
    v = finite(value, "value")
    same_length(v, y.size, "value")
    columns = {"task": "numeric", "truth": frozen(y), "value": frozen(v), "findings": ()}
    if baseline is not None:
        mean = finite(np.atleast_1d(np.asarray(baseline)), "baseline")
        if mean.size not in {1, y.size}:
            msg = (
                f"baseline must be one number (the training mean) or one a row; it has {mean.size}."
            )
            raise DataError(msg)
        columns["baseline"] = frozen(np.broadcast_to(mean, y.size).copy())
    return columns


def _class_columns(
    truth: object,
    label: object,
    score: object,
    probability: object,
    classes: Sequence[Any] | None,
    positive: object,
    threshold: float | None,
    baseline: object,
    tolerance: float,
) -> dict[str, Any]:
    found = {"truth": encode(truth, "truth")}
    n = len(found["truth"].codes)
    if label is not None:
        found["label"] = encode(label, "label")
        same_length(found["label"].codes, n, "label")
    names = _class_names(classes, [v for f in found.values() for v in f.values])
    place, findings = _positive_place(names, positive)
    columns: dict[str, Any] = {
        "task": "classification",
        "classes": names,
        "positive": place,
        **{k: frozen(align(f, names, k).copy()) for k, f in found.items()},
    }
    if score is not None:
        columns["score"] = frozen(finite(score, "score"))
        same_length(columns["score"], n, "score")
        _need_positive(names, place, "score")
    if probability is not None:
        columns["probability"] = frozen(_probability(probability, n, names, place, tolerance))
    if label is None:
        columns["label"] = _labels_from(columns, threshold)
    elif threshold is not None:
        msg = "threshold= makes labels out of scores, but label= is given: pass one of them."
        raise ParameterError(msg)
    if baseline is not None:
        columns["baseline"] = frozen(_class_baseline(baseline, n, names, tolerance))
    return {**columns, "findings": findings}


def _class_names(classes: Sequence[Any] | None, seen: list[Any]) -> tuple[Any, ...]:
    if classes is not None:
        names = tuple(getattr(c, "item", lambda c=c: c)() for c in classes)
        if len(set(names)) != len(names):
            msg = f"classes names one twice: {shorten(names)}."
            raise DataError(msg)
        return names
    distinct = list(dict.fromkeys(seen))
    if distinct and set(distinct) < {0, 1}:
        return (
            (False, True) if isinstance(distinct[0], bool) else (0, 1)
        )  # one of the two is absent
    if len({isinstance(v, str) for v in distinct}) > 1:
        msg = (
            f"truth and label are of different types: {shorten(distinct)}. "
            "Give both as text or both as numbers."
        )
        raise DataError(msg)
    return tuple(sorted(distinct))


def _positive_place(
    names: tuple[Any, ...], positive: object
) -> tuple[int | None, tuple[Finding, ...]]:
    if positive is not None:
        for i, name in enumerate(names):
            if name == positive or str(name) == str(positive):
                return i, ()
        msg = f"The positive class {positive!r} is none of the classes {shorten(names)}."
        raise DataError(msg)
    guess = likely_positive(names)
    if guess is None:
        return None, ()
    said = Finding(
        "positive-class",
        "note",
        f"The positive class was taken to be {guess!r}.",
        "Name it with positive= to be sure.",
    )
    return names.index(guess), () if isinstance(guess, int) else (said,)


def _need_positive(names: tuple[Any, ...], place: int | None, column: str) -> None:
    if len(names) > BINARY:
        msg = (
            f"{column} is one column but there are {len(names)} classes ({shorten(names)}). "
            "Pass probability= with one column a class."
        )
        raise DataError(msg)
    if place is None:
        msg = (
            f"{column} is about one class: which of {shorten(names)} is it? "
            "Pass positive=... (and classes=[...] if only one of them occurs)."
        )
        raise DataError(msg)


def _probability(
    given: object, n: int, names: tuple[Any, ...], place: int | None, tolerance: float
) -> Floats:
    try:
        shape = np.asarray(given)
    except ValueError:
        msg = "probability must have the same number of columns in every row."
        raise DataError(msg) from None
    if shape.ndim <= 1:
        p = floats(shape, "probability")
        same_length(p, n, "probability")
        within_unit(p, "probability")
        _need_positive(names, place, "probability")
        return p
    same_length(shape, n, "probability")
    if shape.ndim != 2 or shape.shape[1] != len(names):
        msg = (
            f"probability has {count(shape.shape[1], 'column')} but there are "
            f"{count(len(names), 'class')}: {shorten(names)}. "
            "Name every class, in the order of the columns, with classes=[...]."
        )
        raise DataError(msg)
    p = floats(shape.ravel(), "probability").reshape(shape.shape)
    within_unit(p, "probability")
    sums_to_one(p, tolerance, "probability")
    return p


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and value == value


def _labels_from(columns: dict[str, Any], threshold: float | None) -> NDArray[Any] | None:
    """Label by threshold, or by the most probable class; of equally probable ones the first,
    but the positive one at exactly one half.
    """
    place, p = columns["positive"], columns.get("probability")
    names = columns["classes"]
    if threshold is not None and not _is_number(threshold):
        msg = f"threshold must be a number; got {threshold!r}."
        raise ParameterError(msg)
    if threshold is not None or (p is not None and p.ndim == 1):
        if place is None or len(names) > BINARY:
            msg = "threshold= needs two classes and a positive one: pass positive=... ."
            raise ParameterError(msg)
        s = columns.get("score") if p is None else (p if p.ndim == 1 else p[:, place])
        if s is None:
            msg = "threshold= needs score=... or probability=... ."
            raise ParameterError(msg)
        cut = 0.5 if threshold is None else threshold
        return frozen(((s >= cut) == bool(place)).astype(np.int8))
    if p is None:
        return None
    codes = p.argmax(axis=1).astype(columns["truth"].dtype)
    if place is not None and len(names) == BINARY:
        codes[p[:, place] == p[:, 1 - place]] = place
    return frozen(codes)


def _class_baseline(given: object, n: int, names: tuple[Any, ...], tolerance: float) -> Floats:
    array = np.asarray(given, np.float64)
    k = len(names)
    if array.shape not in {(k,), (n, k)}:
        msg = (
            f"baseline must hold the training part's probability of each of the {k} classes "
            f"{shorten(names)}, once or for each row; it has the shape {array.shape}."
        )
        raise DataError(msg)
    matrix = np.array(np.broadcast_to(array, (n, k)))
    if not np.isfinite(matrix).all():
        msg = "baseline holds numbers that are not finite."
        raise DataError(msg)
    within_unit(matrix, "baseline")
    sums_to_one(matrix, tolerance, "baseline")
    return matrix


def _weight_kind(
    w: Floats, kind: Literal["frequency", "importance"] | None
) -> tuple[WeightKind, list[Finding]]:
    if kind is None:
        said = Finding(
            "weight-kind",
            "note",
            "The weights were taken as importance weights, so intervals use the effective size.",
            "Pass weight_kind='frequency' if a weight counts repeated cases.",
        )
        return "importance", [said]
    if kind not in {"frequency", "importance"}:
        msg = f"weight_kind must be 'frequency' or 'importance'; got {kind!r}."
        raise ParameterError(msg)
    if kind == "frequency" and not (w == np.rint(w)).all():
        bad = np.flatnonzero(w != np.rint(w))
        msg = (
            f"Frequency weights are whole numbers; {count(bad.size, 'row')} are not: "
            f"{some_rows(bad)}. Pass weight_kind='importance'."
        )
        raise DataError(msg)
    return kind, []


def _training_size(given: object, n: int) -> Floats:
    size = finite(np.atleast_1d(np.asarray(given)), "n_train")
    if size.size not in {1, n} or (size < 0).any():
        msg = f"n_train must be one number from 0 up, or one a row; it has {count(size.size, 'value')}."
        raise DataError(msg)
    return np.broadcast_to(size, n).copy()


def _design(design: dict[str, object], n: int) -> dict[str, Any]:
    columns = {}
    for name, given in design.items():
        if given is None:
            continue
        # One value may stand for all rows, such as model="forest".
        array = as_column([given] * n if isinstance(given, str | int) else given, name)
        same_length(array, n, name)
        columns[name] = frozen(array.copy())
    return columns


def _refuse_duplicate_rows(p: Predictions) -> None:
    """A case is predicted once by a model in a fold; twice is a faulty join or export."""
    if p.row is None:
        return
    code = np.zeros(p.n, np.int64)
    for column in (p.model, p.repeat, p.fold, p.part, p.row):
        if column is not None:
            labels = distinct(column).codes
            code = code * (int(labels.max(initial=0)) + 1) + labels
    _, first, counts = np.unique(code, return_index=True, return_counts=True)
    if (counts > 1).any():
        twice = p.row[first[counts > 1]]
        msg = (
            f"{count(int((counts > 1).sum()), 'row id')} occur more than once within a model and fold: "
            f"{some_rows(twice)}. Give each repetition its own repeat or fold, or remove the copies."
        )
        raise DataError(msg)


def _canonical(column: NDArray[Any]) -> NDArray[Any]:
    """Return the column as every container would have given it: numpy's widths are not data."""
    if column.dtype.kind in "OU":
        column = np.array(column.tolist())  # as wide as its longest text; numbers become numbers
    if column.dtype.kind == "O":
        return column.astype(str)
    return column.astype(np.int64) if column.dtype.kind in "iu" else column
