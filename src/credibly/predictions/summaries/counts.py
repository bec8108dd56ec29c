"""Tables of truth against predicted label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from credibly._core.arrays import Floats
from credibly._core.text import name_text, number_text, plain_table
from credibly.errors import DataError, says
from credibly.predictions.artifact import Predictions
from credibly.predictions.labels import MISSING, ROWS_PER_BLOCK
from credibly.predictions.lack import POSITIVE, Lack, lack_of
from credibly.predictions.summaries.linear import Summary, ratio
from credibly.predictions.table import cached, tallied


@dataclass(frozen=True, slots=True, eq=False)
class Counts(Summary):
    """Weight of the cases by actual (row) and predicted (column) class.

    Unclassified cases stand in ``doubt``, by actual class: they are in every total but in no
    column, so they count as errors and lower no precision.

    >>> from credibly import Predictions
    >>> c = Counts.of(Predictions.of(["a", "a", "b"], label=["a", "b", None]))
    >>> c.matrix.tolist(), c.doubt.tolist(), float(c.total)
    ([[1.0, 1.0], [0.0, 0.0]], [0.0, 1.0], 3.0)
    """

    matrix: Floats
    doubt: Floats
    classes: tuple[Any, ...]

    takes: ClassVar[str] = "label"

    def to_dict(self) -> dict[str, Any]:
        """Return the table as lists, ready for JSON."""
        counted = {
            "orientation": "rows actual, columns predicted",
            "counts": self.matrix.tolist(),
            "unclassified": self.doubt.tolist(),
        }
        return ConfusionMatrix(counted, self.classes)

    def confusion_matrix(self) -> ConfusionMatrix:
        """Return the table as lists, beside the one that chance would give with the same margins."""
        counted = {
            "rows": "actual",
            "columns": "predicted",
            "counts": self.matrix.tolist(),
            "unclassified": self.doubt.tolist(),
            "expected_by_chance": self.expected().tolist(),
        }
        return ConfusionMatrix(counted, self.classes)

    @classmethod
    def reduced(cls, p: Predictions, wanted_by: str) -> Counts:
        """Count rows of known truth."""
        k, label, weight = len(p.classes), p.need("label", wanted_by), p.weight
        flat = np.zeros(k * (k + 1))
        step = max(ROWS_PER_BLOCK, flat.size)  # each adds a whole table
        for start in range(0, p.n, step):
            rows = slice(start, start + step)
            # Of a truth that is missing, the number of a cell is below 0.
            cell = p.truth[rows] * np.intp(k + 1) + np.where(label[rows] < 0, k, label[rows])
            flat += tallied(cell, None if weight is None else weight[rows], flat.size)
        table = flat.reshape(k, k + 1)
        return cls(table[:, :k], table[:, k], p.classes)

    @classmethod
    def from_matrix(
        cls,
        matrix: ArrayLike,
        classes: tuple[Any, ...] | None = None,
        *,
        orientation: Literal["actual", "predicted"] = "actual",
    ) -> Counts:
        """Take a confusion matrix made elsewhere; ``orientation`` says what its rows are.

        >>> Counts.from_matrix([[10, 0], [3, 7]], orientation="predicted").matrix.tolist()
        [[10.0, 3.0], [0.0, 7.0]]
        """
        table = np.array(matrix, np.float64)
        if table.ndim < 2 or table.shape[-1] != table.shape[-2]:
            raise DataError(
                f"A confusion matrix must be square; this one has the shape {table.shape}."
            )
        if not (np.isfinite(table).all() and (table >= 0).all()):
            raise DataError(
                "A confusion matrix holds counts or weights: finite numbers that are not negative."
            )
        if orientation == "predicted":
            table = np.swapaxes(table, -1, -2)
        names = classes or tuple(range(table.shape[-1]))
        return cls(table, np.zeros(table.shape[:-1]), names)

    @classmethod
    def missing(cls, p: Predictions) -> Lack | None:
        """Say what the predictions lack."""
        return None if p.has("label") else lack_of("label")

    @classmethod
    def condensed(cls, p: Predictions) -> Predictions:
        """Return one row for each cell of the table that is not empty."""
        counts = Counts.of(p)
        table = np.column_stack([counts.matrix, counts.doubt])
        truth, label = np.nonzero(table)
        small = p.take(np.zeros(truth.size, np.intp))
        return replace(
            small,
            truth=truth,
            label=np.where(label == len(p.classes), MISSING, label),
            weight=table[table > 0],
            weight_kind="frequency",
            group=None,
        )

    @classmethod
    def per_class(cls, p: Predictions, wanted_by: str) -> list[Counts]:
        """Count each class against the rest, from the one table."""
        return [b.table() for b in BinaryCounts.per_class(p, wanted_by)]

    @classmethod
    def each_class(cls, p: Predictions, wanted_by: str) -> Counts:
        """Count all classes against the rest, as a batch."""
        return BinaryCounts.each_class(p, wanted_by).table()

    @classmethod
    def converted(cls, given: object) -> object:
        """Return a table of the outcomes of a yes or no."""
        return given.table() if isinstance(given, BinaryCounts) else given

    @property
    def actual(self) -> Floats:
        """Weight of each actual class."""
        return self.matrix.sum(axis=-1) + self.doubt

    @property
    def predicted(self) -> Floats:
        """Weight of each predicted class."""
        return self.matrix.sum(axis=-2)

    @property
    def correct(self) -> Floats:
        """Weight of the cases labelled right, by class."""
        return _diagonal(self.matrix)

    @property
    def total(self) -> Floats:
        """Weight of all cases."""
        return np.asarray(self.actual.sum(axis=-1))

    def expected(self) -> Floats:
        """Return the matrix that chance would give with the same margins."""
        actual = self.actual
        total = np.asarray(actual.sum(axis=-1))
        return ratio(actual[..., :, None] * self.predicted[..., None, :], total[..., None, None])

    def truth_given_predicted(self) -> Floats:
        """Return the share of each actual class among the cases of a predicted class (columns sum to 1)."""
        return ratio(self.matrix, self.predicted[..., None, :])

    def predicted_given_truth(self) -> Floats:
        """Return the share of each predicted class among the cases of an actual class (rows sum to 1)."""
        return ratio(self.matrix, self.actual[..., :, None])

    def binary(self, positive: int) -> BinaryCounts:
        """Return the two-by-two table of one class against the rest."""
        # Sums, not differences: what rounding leaves of an empty cell would define the undefined.
        rest = np.arange(self.doubt.shape[-1]) != positive
        of_rest = self.matrix[..., rest, :]
        cells = (
            self.matrix[..., positive, positive],
            of_rest[..., positive].sum(axis=-1),
            self.matrix[..., positive, rest].sum(axis=-1),
            of_rest[..., rest].sum(axis=(-1, -2)),
            self.doubt[..., positive],
            self.doubt[..., rest].sum(axis=-1),
        )
        # Arrays even where a sum is one number: only arrays are added when summaries are.
        return BinaryCounts(*map(np.asarray, cells))

    def each_binary(self) -> BinaryCounts:
        """Return the two-by-two tables of all classes against the rest, as a batch, in few passes over the cells.

        >>> Counts.from_matrix([[5, 1, 0], [2, 6, 0], [0, 3, 4]]).each_binary().tn
        array([13.,  9., 14.])
        """
        places = np.arange(self.doubt.shape[-1])
        wrong = self.matrix.copy()
        wrong[..., places, places] = 0.0
        tp, fp, fn = self.correct, wrong.sum(axis=-2), wrong.sum(axis=-1)
        total = np.asarray(tp.sum(axis=-1) + fn.sum(axis=-1))[..., None]
        tn = total - (tp + fp + fn)
        # A difference has all its digits where most is left. Few classes have more than half of all cases: the
        # cells of the others are added up, for what rounding leaves of an empty one would define the undefined.
        little = ~(tn > total / 2)
        for i in np.flatnonzero(little.any(axis=tuple(range(little.ndim - 1)))).tolist():
            others = self.matrix[..., places != i, :][..., places != i].sum(axis=(-1, -2))
            tn[..., i] = np.where(little[..., i], others, tn[..., i])
        return BinaryCounts(tp, fp, fn, tn, self.doubt, _without_each(self.doubt))


@dataclass(frozen=True, slots=True, eq=False)
class BinaryCounts(Summary):
    """The four outcomes of a two-class decision, and the cases left undecided.

    Each field is an array: a batch of tables (thresholds, replicates) is one object.
    """

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats
    doubt_positive: Floats
    doubt_negative: Floats

    takes: ClassVar[str] = "label"

    @classmethod
    def reduced(cls, p: Predictions, wanted_by: str) -> BinaryCounts:
        """Count the outcomes for the positive class."""
        if p.positive is None:
            raise DataError(
                f"{wanted_by} is about one class: which of {', '.join(map(repr, p.classes[:6]))} is positive?",
                choices=map(str, p.classes),
                remedy=says("Set <positive=...>, <average='macro'> or <by='class'>."),
            )
        return Counts.of(p, wanted_by).binary(p.positive)

    @classmethod
    def of_outcomes(
        cls, *, tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, tn: ArrayLike
    ) -> BinaryCounts:
        """Take the four numbers themselves.

        >>> BinaryCounts.of_outcomes(tp=7, fp=7, fn=3, tn=13).positives
        array(10.)
        """
        cells = np.broadcast_arrays(*(np.asarray(c, np.float64) for c in (tp, fp, fn, tn)))
        zero = np.zeros(cells[0].shape)
        return cls(cells[0], cells[1], cells[2], cells[3], zero, zero)

    @classmethod
    def missing(cls, p: Predictions) -> Lack | None:
        """Say what the predictions lack."""
        return Counts.missing(p) or (None if p.has_positive else POSITIVE)

    @classmethod
    def condensed(cls, p: Predictions) -> Predictions:
        """Return one row for each cell of the table of labels that is not empty."""
        return Counts.condensed(p)

    @classmethod
    def per_class(cls, p: Predictions, wanted_by: str) -> list[BinaryCounts]:
        """Count each class against the rest, from the one table."""
        each = cls.each_class(p, wanted_by)
        cells = [getattr(each, f.name) for f in fields(cls)]
        return [cls(*(np.asarray(c[i]) for c in cells)) for i in range(len(p.classes))]

    @classmethod
    def each_class(cls, p: Predictions, wanted_by: str) -> BinaryCounts:
        """Count all classes against the rest, as a batch; kept for all that read it."""
        return cached(p, BinaryCounts.each_class, lambda: Counts.of(p, wanted_by).each_binary())

    def table(self) -> Counts:
        """Return the same numbers as a labelled table, negative class first."""
        matrix = np.array([[self.tn, self.fp], [self.fn, self.tp]])
        doubt = np.array([self.doubt_negative, self.doubt_positive])
        # Views of a batch: sums over two classes are then sums of two whole arrays.
        return Counts(_last_axes(matrix, 2), _last_axes(doubt, 1), ("rest", "class"))

    @property
    def positives(self) -> Floats:
        """Weight of the cases whose actual class is positive."""
        return np.asarray(self.tp + self.fn + self.doubt_positive)

    @property
    def negatives(self) -> Floats:
        """Weight of the cases whose actual class is negative."""
        return np.asarray(self.fp + self.tn + self.doubt_negative)

    @property
    def labelled_positive(self) -> Floats:
        """Weight of the cases labelled positive."""
        return np.asarray(self.tp + self.fp)

    @property
    def labelled_negative(self) -> Floats:
        """Weight of the cases labelled negative."""
        return np.asarray(self.tn + self.fn)

    @property
    def total(self) -> Floats:
        """Weight of all cases."""
        return np.asarray(self.positives + self.negatives)


def _diagonal(matrix: Floats) -> Floats:
    return np.diagonal(matrix, axis1=-2, axis2=-1)


def _last_axes(array: Floats, number: int) -> Floats:
    """Put the first axes last."""
    return array.transpose(*range(number, array.ndim), *range(number))


def _without_each(numbers: Floats) -> Floats:
    """Return the sums along the last axis without each of its numbers in turn.

    Sums of what stands before and behind, not differences from the whole: what rounding leaves of an
    empty cell would define the undefined.
    """
    before, behind = np.zeros_like(numbers), np.zeros_like(numbers)
    np.cumsum(numbers[..., :-1], axis=-1, out=before[..., 1:])
    np.cumsum(numbers[..., :0:-1], axis=-1, out=behind[..., -2::-1])
    return before + behind


class ConfusionMatrix(dict[str, Any]):
    r"""Counts of cases by actual (row) and predicted (column) class, and of those without a label.

    >>> ConfusionMatrix({"counts": [[3.0, 1.0], [0.0, 4.0]], "unclassified": [0.0, 0.0]}, ["no", "yes"])
    actual \ predicted  no  yes
    no                  3   1
    yes                 0   4
    """

    def __init__(self, counted: Mapping[str, Any], classes: Sequence[Any]) -> None:
        super().__init__(counted)
        self.classes = tuple(classes)

    def __reduce__(self) -> tuple[Any, ...]:
        return ConfusionMatrix, (dict(self), self.classes)

    def __repr__(self) -> str:
        return plain_table(*self.cells())

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows, with a column of cases without a label where there are any."""
        undecided = any(self["unclassified"])
        names = [name_text(c) for c in self.classes]
        rows = zip(names, self["counts"], self["unclassified"], strict=True)
        header = ["actual \\ predicted", *names, *(["no label"] if undecided else [])]
        return header, [
            [name, *map(number_text, (*row, *([doubt] if undecided else [])))]
            for name, row, doubt in rows
        ]
