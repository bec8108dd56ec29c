"""Predictions: immutable columns from which everything else is computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import PurePath
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.text import count
from credibly.errors import DataError, ParameterError, says
from credibly.predictions.case_columns import CaseColumns, refuse_many
from credibly.predictions.columns import (
    DESIGN_COLUMNS,
    LET_PREDICT,
    DesignColumns,
    design_columns,
    fingerprint_of,
    kind_of_weights,
    refuse_duplicate_rows,
    refuse_strange_column,
    training_size,
)
from credibly.predictions.exchange import Exchanged, by_model
from credibly.predictions.labels import (
    MISSING,
    all_differ,
    as_they_come,
    distinct,
    joint_codes,
    rows_by_code,
)
from credibly.predictions.lack import SCORE, lack_of
from credibly.predictions.numbers import column_of, frozen, rounding, seems_finite, taken, weights
from credibly.predictions.outputs import (
    MAY_BE_ABSENT,
    absent_among,
    gaps_of,
    models_without,
    refuse_gaps,
    refuse_lacking,
)
from credibly.predictions.parts import all_rows, judged_and_seen, time_blocks, with_shared_weights
from credibly.predictions.predicted_columns import task_columns, unpredicted_rows, with_unknown
from credibly.predictions.table import (
    NUMBER_COLUMNS,
    PLACES,
    Better,
    PredictionColumns,
    Slot,
    cached,
)
from credibly.results.result import Plotted


@dataclass(frozen=True, slots=True, eq=False)
class Predictions(PredictionColumns, Exchanged, Plotted):
    """An immutable, checked table of predictions, one row per predicted case.

    Build it with :meth:`of` from arrays or with :func:`credibly.read` from a file or a frame.
    For classes, ``truth`` and ``label`` are codes into ``classes``: -1 in ``truth`` is an unknown
    truth, -1 in ``label`` an unclassified case ("doubt"). NaN in ``score``, ``probability`` and
    ``value`` is no prediction (see :meth:`scored`). Where rows stand for bins of scores, ``span``
    holds the lowest and the highest score in the bin of each.

    The rows are those to be judged. Rows of training and validation parts beside them are kept in
    ``seen``, which nothing reads unless it is about them. A case that its model predicts repeatedly
    still counts once: ``weight`` is then the share of each row, and ``unshared`` what was given.

    >>> p = Predictions.of(["yes", "no", "yes"], probability=[0.9, 0.2, 0.4])
    >>> p.classes, p.classes[p.positive], p.label.tolist()
    (('no', 'yes'), 'yes', [1, 0, 0])
    >>> p
    Predictions(3 rows, classes 'no', 'yes' (positive), columns: label, probability)
    >>> print(Predictions.of([1, 0, 1], [0.9, 0.2, 0.4]).findings[0].message)
    y_pred was taken as probabilities (they lie between 0 and 1).
    """

    @staticmethod
    def instead_of(given: object) -> str:
        """Say how to make predictions of something else."""
        if hasattr(given, "best_score_"):
            return (
                "best_score_ was measured on the data that chose it, so it is too optimistic to "
                "report. Pass the search object to credibly.run as a scheme, and use the predictions."
            )
        if hasattr(given, "predict"):
            return LET_PREDICT
        if hasattr(given, "scored"):
            return "Choose the score of each case, such as .scored('...'); .table() has the mean of each."
        if isinstance(given, list | tuple) and any(isinstance(p, Predictions) for p in given):
            return "Give several models their names: {'a': p, 'b': q}."
        if isinstance(given, Mapping) and {"test_score", "mean_test_score"} & {*given}:
            return (
                "These are scores of folds. Use credibly.run(model, X, y, cv=5), which keeps the "
                "predictions, or compare two lists of scores with credibly.comparisons.FoldValues(a, b)."
            )
        if isinstance(given, str | PurePath):
            return f"Read the file: credibly.read({str(given)!r})."
        if hasattr(given, "columns"):
            return says(
                "Read the frame: credibly.read(frame), with <truth=...> and <label=...> for columns of other names."
            )
        return "Make them with credibly.read(file or frame, truth=..., ...) or credibly.Predictions.of(y_true, y_pred)."

    def __post_init__(self) -> None:
        if not isinstance(self.task, str):
            raise ParameterError(
                "Predictions cannot be made directly from columns.",
                remedy="Use Predictions.of(y_true, y_pred), which checks and copies them.",
            )

    @classmethod
    @door
    @by_model
    def of(
        cls,
        y_true: object = None,
        y_pred: object = None,
        *,
        label: object = None,
        score: object = None,
        probability: object = None,
        value: object = None,
        outcome: object = None,
        better: Better | None = None,
        bounds: Sequence[float] | None = None,
        sample_weight: object = None,
        weight_kind: Literal["frequency", "importance"] | None = None,
        classes: Sequence[Any] | None = None,
        positive: object = None,
        threshold: float | None = None,
        baseline: object = None,
        n_train: object = None,
        columns: object = None,
        tolerance: float = 1e-6,
        **design: Unpack[DesignColumns],
    ) -> Predictions:
        """Check and copy columns.

        Parameters
        ----------
        y_true
            What was observed: class labels of any type, or numbers when ``value`` is given.
        y_pred
            What was predicted; its values decide its kind: several columns are probabilities, one
            column per class; text and whole numbers that are classes are labels; beside two classes,
            numbers from 0 to 1 are probabilities of the positive one, and other numbers scores; beside a
            truth with fractions, or of more than 20 numbers, they are predicted numbers. A
            finding says what it was read as. Beside ``score`` or ``probability`` it is the labels. A
            dictionary holds the predictions of several models for these cases by name.
        label
            Predicted classes; a missing one is an unclassified case.
        score
            Any number that is larger where the positive class is more likely.
        probability
            Probability of the positive class, or one column per class in the order of ``classes``. A
            row of zeros, or a missing number in ``probability``, ``score`` or ``value``, is a case
            without a prediction: undecided where labels are judged, and left out elsewhere.
        value
            Predicted numbers.
        outcome
            How each case was scored elsewhere, instead of a truth and a prediction: a number, or
            pass and fail (truth values, such words, 1 and 0). A dictionary holds those of several models.
        better
            Whether a ``"higher"`` or a ``"lower"`` outcome is better; a pass is better than a failure.
        bounds
            The lowest and the highest outcome that there can be, if there are any.
        sample_weight, weight_kind
            Case weights, and whether they count cases (``"frequency"``) or matter (``"importance"``, the default).
        classes
            Every class, in the order of the columns of ``probability`` and, where classes are
            ordered, from low to high. Sorted labels by default.
        positive
            The class that scores and two-class measures are about.
        threshold
            Label a case positive when its score or probability is at least this.
        baseline
            Class probabilities (or the mean) of the training part: one for all rows or one per row.
        n_train
            Size of the training part.
        columns
            Other columns of the cases to slice by, such as ``{"sex": ...}`` or a frame, which is kept
            as it is now and read where a column is used.
        tolerance
            How far rounding may take a probability beyond 0 or 1, and a row of them from summing to 1.
        **design
            ``row, model, repeat, fold, part, group, time``: where each row comes from, and when it was observed. Rows whose part is
            ``"train"`` or ``"validation"``, beside rows of another part, are not judged: see ``seen``.
        """
        tolerance = rounding(tolerance)
        named: dict[str, Any] = {
            "label": label,
            "score": score,
            "probability": probability,
            "value": value,
        }
        about_classes: dict[str, Any] = {
            "classes": classes,
            "positive": positive,
            "threshold": threshold,
        }
        scored = {"outcome": outcome, "better": better, "bounds": bounds}
        beside: dict[str, Any] = {"baseline": baseline, "model": design.get("model")}
        made_of = task_columns(
            (y_true, y_pred), named, about_classes, scored, tolerance=tolerance, **beside
        )
        n = len(made_of["truth"])
        findings, unpredicted = list(made_of.pop("findings")), made_of.pop("unpredicted", None)
        if sample_weight is not None:
            made_of["weight"] = frozen(weights(sample_weight, n))
            made_of["weight_kind"], more = kind_of_weights(made_of["weight"], weight_kind)
            findings += more
        elif weight_kind is not None:
            raise ParameterError(
                says("<weight_kind=> says what <sample_weight=> means, which is not given.")
            )
        if unpredicted is not None:
            often = made_of["weight"] if made_of.get("weight_kind") == "frequency" else None
            gaps, so = unpredicted
            findings.append(unpredicted_rows(gaps, so, often))
        made_of |= design_columns(design, n)
        if columns is not None:
            made_of["columns"] = CaseColumns.of(columns, n)
        if n_train is not None:
            made_of["n_train"] = frozen(training_size(n_train, n))
        predictions = cls(**made_of, findings=tuple(findings))
        refuse_duplicate_rows(predictions)
        return with_unknown(predictions.judged())

    def __len__(self) -> int:
        return self.n

    def need(self, column: str, wanted_by: str) -> NDArray[Any]:
        """Return a column, or say who wanted it and what there is instead."""
        array: NDArray[Any] | None = getattr(self, column)
        if array is None:
            lack_of(column).refuse(self, wanted_by)
        if column in MAY_BE_ABSENT and (names := self.lacking(column)):
            refuse_lacking(wanted_by, column, names)
        if column in NUMBER_COLUMNS and not self.gapless:
            refuse_gaps(self.gaps, wanted_by)
        return array

    def values_of(self, column: str, wanted_by: str) -> NDArray[Any]:
        """Return a column that rows can be distinguished by: one of the design, or any other of the cases."""
        if column in self.columns and column not in DESIGN_COLUMNS:
            return self.columns[column]
        refuse_strange_column(column, self.columns)
        return self.need(column, wanted_by)

    def has(self, column: str) -> bool:
        """Whether a column is there, for every model if it holds predictions."""
        return getattr(self, column) is not None and not self.lacking(column)

    def alike(self) -> list[Predictions]:
        """Return parts in which no model lacks what another has: these rows, or those of each model."""
        mixed = any(self.lacking(c) for c in self.provides)
        return [part for _, part in self.groups(["model"])] if mixed else [self]

    def lacking(self, column: str) -> tuple[Any, ...]:
        """Return the models that lack this prediction while others have it.

        >>> p = Predictions.of([1, 0, 1, 0], label=[1, 0, 1, 1], score=[0.9, 0.1, None, None],
        ...     model=["a", "a", "b", "b"])
        >>> p.lacking("score"), p.lacking("label"), p.take(p.model == "b").provides
        (('b',), (), ('label',))
        """
        return () if self.model is None else models_without(self, column)

    @property
    def gaps(self) -> NDArray[np.bool_]:
        """Which rows hold no prediction: a score, probability or value that is missing."""
        if self.cache.get("gapless"):
            return np.zeros(self.n, bool)
        return cached(self, "gaps", lambda: gaps_of(self, NUMBER_COLUMNS))

    @property
    def gapless(self) -> bool:
        """Whether every row holds a prediction."""
        return cached(self, "gapless", self._has_no_gaps)

    def _has_no_gaps(self) -> bool:
        there = (c for n in NUMBER_COLUMNS if (c := getattr(self, n)) is not None)
        return all(map(seems_finite, there)) or not self.gaps.any()

    def scored(self) -> Predictions:
        """Return the rows that hold a prediction: all that scores, probabilities and numbers can be judged by.

        >>> p = Predictions.of(["a", "b", "b"], probability=[[0.9, 0.1], [0.4, 0.6], [0, 0]])
        >>> p.label.tolist(), p.scored().n
        ([0, 1, -1], 2)
        """
        if self.gapless:
            return self
        key = "scored", self.row is None  # rows are numbered later, and keep what was sorted before
        return cached(self, key, lambda: self._with_sums(self.take(~self.gaps)))

    def scores_of(self, class_index: int, wanted_by: str) -> Floats:
        """Return the score of one class: its probability, or the score column of the positive one."""
        names = self.lacking("score" if self.probability is None else "probability")
        if names:
            refuse_lacking(wanted_by, "a score or probability of one kind", names)
        if self.probability is not None:
            return self.probabilities_of(class_index)
        if self.score is None:
            SCORE.refuse(self, wanted_by)
        if not self.gapless:
            refuse_gaps(self.gaps, wanted_by)
        return self.score if class_index == self.positive else -self.score

    def probabilities_of(self, class_index: int) -> Floats:
        """Return the probability of one class."""
        return column_of(self.need("probability", "this"), class_index, self.positive)

    def probability_matrix(self, wanted_by: str) -> Floats:
        """Return one column of probabilities per class."""
        p = self.need("probability", wanted_by)
        if p.ndim == 1:
            return np.column_stack([self.probabilities_of(i) for i in range(len(self.classes))])
        return p

    def take(self, rows: NDArray[Any] | slice) -> Predictions:
        """Return some of the rows, by mask or by place, and what their models have seen.

        Places that name a row twice make copies, which are no repeated predictions of its case.
        """
        picked: dict[str, Any] = {
            f.name: taken(array, rows)
            for f in fields(self)
            if isinstance(array := getattr(self, f.name), np.ndarray)
        }
        picked |= dict.fromkeys(absent_among(self, rows))
        picked["columns"] = self.columns.take(rows)
        places = None if isinstance(rows, slice) or rows.dtype.kind == "b" else rows
        copies = self.row is not None and places is not None and not all_differ(places)
        if copies:
            picked["row"] = None
        predictions = replace(self, **picked, cache=self.found_complete)
        if self.seen is not None and self.seen.model is not None and predictions.model is not None:
            same = np.isin(self.seen.model, list(set(predictions.model.tolist())))
            seen = self.seen if same.all() else self.seen.take(same)
            predictions = replace(predictions, seen=seen)
        return predictions if copies or self.unshared is None else with_shared_weights(predictions)

    def _time_blocks(self) -> NDArray[np.intp]:
        return time_blocks(self)

    def where(self, **values: object) -> Predictions:
        """Return the rows with these values in columns; with ``part=...`` also those of other parts.

        >>> p = Predictions.of([1, 0, 1], label=[1, 0, 0], part=["train", "train", "test"])
        >>> p.where(part="train").n
        2
        """
        rows = (all_rows(self) if "part" in values else self).matching(values)
        if rows is None:
            asked = ", ".join(f"{c}={v!r}" for c, v in values.items())
            there = {
                c: ", ".join(map(repr, distinct(self.values_of(c, c)).values[:6])) for c in values
            }
            raise DataError(
                f"There is no row with {asked}. There are: {'; '.join(f'{c} {v}' for c, v in there.items())}."
            )
        return with_shared_weights(rows)

    def blocks(self, size: int = 1 << 17) -> Iterator[Predictions]:
        """Yield the rows in blocks that share their memory; a small table is one block.

        They are kept, and keep what is derived from them: several losses are made of the same.
        """
        if self.n <= size:
            yield self
            return
        starts = range(0, self.n, size)
        yield from cached(self, "blocks", lambda: [self.take(slice(i, i + size)) for i in starts])

    def judged(self) -> Predictions:
        """Set apart the rows that models have seen, and let every case count once: what every verb receives.

        >>> p = Predictions.of([1, 0, 1], label=[1, 0, 0], part=["train", "train", "test"])
        >>> p.n, p.seen.n
        (1, 2)
        >>> twice = Predictions.of([1, 1, 0], label=[1, 0, 0], row=[0, 0, 1], fold=[0, 1, 1])
        >>> twice.weight.tolist(), twice.cases
        ([0.5, 0.5, 1.0], 2.0)
        """
        if self.part is None or not (sides := judged_and_seen(parts := distinct(self.part))):
            return self if self.row is None and self.unshared is None else with_shared_weights(self)
        judged, seen = (self._placed(rows, parts.codes[rows]) for rows in sides)
        return with_shared_weights(replace(judged, seen=seen))

    def _placed(self, rows: NDArray[np.bool_] | slice, codes: NDArray[Any]) -> Predictions:
        """Return some rows, which remember where they stood: findings name them by their places."""
        predictions = self.take(rows)
        if (part := predictions.part) is not None and codes.min() == codes.max():
            predictions = replace(predictions, part=np.broadcast_to(part[:1], part.size))
        PLACES.put(predictions, np.arange(self.n)[rows])
        return predictions

    def known(self) -> Predictions:
        """Return the rows whose truth is known, and where numbers are predicted the number as well."""
        seen = None if self.seen is None else self.seen.known()
        unknown = cached(self, "unknown", self._unknown)
        if unknown is None and seen is self.seen:
            return self
        rows = replace(self.take(slice(None) if unknown is None else ~unknown), seen=seen)
        return self._with_sums(rows)

    def _with_sums(self, rows: Predictions) -> Predictions:
        """Give the rows that can be judged what an engine summed beside bins: it is of these rows alone."""
        if self.span is not None:
            kept = self.cache.items()
            rows.cache.update((k, v) for k, v in kept if isinstance(k, Slot) and k.of_bins)
        return rows

    def _unknown(self) -> NDArray[np.bool_] | None:
        """Say which rows have no truth, or no number beside it; nothing where all are known."""
        if self.task == "classification":
            return self.truth == MISSING if self.truth.min(initial=0) == MISSING else None
        if self.gapless and seems_finite(self.truth):
            return None
        return missing if (missing := np.isnan(self.truth) | self.gaps).any() else None

    def of_weight(self) -> Predictions:
        """Return the rows of a weight above 0, which alone count as cases; all rows if none has any.

        >>> Predictions.of([1, 0, 1], label=[1, 0, 0], sample_weight=[2, 0, 1]).of_weight().n
        2
        """
        if self.weight is None or self.weight.all() or not self.weight.any():
            return self
        return self.take(self.weight > 0)

    def unnamed(self) -> Predictions:
        """Return the predictions of one model without its name, and how that one was made.

        >>> p = Predictions.of([1, 0], label=[1, 1], model=["tree", "tree"])
        >>> p.unnamed().model_names
        ()
        """
        names, provenance = self.model_names, self.provenance
        if provenance is not None and len(names) == 1:
            provenance = provenance.of(str(names[0]))
        return replace(self, model=None, provenance=provenance, cache=self.found_complete)

    def groups(self, columns: Sequence[str]) -> Iterator[tuple[dict[str, Any], Predictions]]:
        """Yield the rows that share their values in some columns, with these values.

        Values come in their order, models in the order in which they were given.
        """
        if not columns:
            yield {}, self
            return
        if "part" in columns and self.seen is not None:
            for keys, part in all_rows(self).groups(columns):
                yield keys, with_shared_weights(part)
            return
        each = {c: distinct(self.values_of(c, says("<by={c}>", c=c))) for c in columns}
        found = [as_they_come(v) if c == "model" else v for c, v in each.items()]
        slices = rows_by_code(joint_codes(found))
        refuse_many(columns, len(slices))
        for rows in slices:
            keys = {c: f.values[f.codes[rows[0]]] for c, f in zip(columns, found, strict=True)}
            part = self.take(rows)
            if self.seen is not None:
                part = replace(part, seen=self.seen.matching(keys))
            # Within a slice of one group, cases no longer come in groups.
            yield keys, replace(part, group=None) if "group" in columns else part

    def matching(self, values: Mapping[str, Any]) -> Predictions | None:
        """Return the rows with these values in columns, and those seen, if there are any."""
        rows = np.ones(self.n, bool)
        for column, value in values.items():
            rows &= self.values_of(column, f"{column}={value!r}") == value
        if not rows.any():
            return None
        seen = None if self.seen is None else self.seen.matching(values)
        return replace(self.take(rows), seen=seen)

    @property
    def fingerprint(self) -> str:
        """A hash of every column: the same for the same predictions wherever they were made."""
        return cached(self, "fingerprint", self._hashed)

    def _hashed(self) -> str:
        beside = {"cache", "findings", "provenance", "design", "columns", "seen"}
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in beside}
        own["seen"] = None if self.seen is None else self.seen.fingerprint
        return fingerprint_of(own)

    def __repr__(self) -> str:
        what = self.kind_of_outcome if self.task == "outcome" else "numeric"
        if self.task == "classification":
            mark = {self.positive: " (positive)"}
            named = ", ".join(f"{c!r}{mark.get(i, '')}" for i, c in enumerate(self.classes[:6]))
            what = f"classes {named}{' ...' if len(self.classes) > 6 else ''}"
        size = count(self.cases, "case") if self.design.counted else count(self.n, "row")
        models = [str(m) for m in self.model_names]
        more = f" ... ({len(models)})" if len(models) > 6 else ""
        by = f" by {', '.join(models[:6])}{more}" if models else ""
        return f"Predictions({size}{by}, {what}, columns: {', '.join(self.provides)})"
