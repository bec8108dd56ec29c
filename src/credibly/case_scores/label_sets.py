"""Cases with any number of labels each: what is true, what was predicted, and with which score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.parameters import NUMBER, require
from credibly._core.text import count, one_or_several, shown
from credibly.case_scores._declare import Details, Evidence
from credibly.case_scores.beside import GivenColumns, each_column, given_columns, other_order
from credibly.case_scores.findings import NEVER_TRUE, NOT_LISTED
from credibly.case_scores.labels_by_case import Matrices, by_case, is_by_case, side_by_side
from credibly.errors import MAX_LISTED, DataError, MissingColumnError, ParameterError, listed, says
from credibly.evaluation import evaluate
from credibly.gaps.means import SliceWeights, mean_over_slices
from credibly.measures import measures as all_measures
from credibly.predictions import Predictions
from credibly.predictions.labels import is_missing
from credibly.predictions.numbers import frozen
from credibly.results.estimate import Estimate, with_decimals
from credibly.results.table import Table

LABEL_NAME = "label_name"  # the column of cells that says which label a row is about
DEFAULT_MEASURES = ("precision", "recall", "f1", "auc", "average_precision")  # where none is named
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LabelSets(Evidence):
    """Truth and predictions of several labels per case, a row for each case and a column for each label.

    >>> from credibly import label_sets
    >>> sets = label_sets([["red", "round"], ["red"], []], [["red"], ["red"], ["round"]])
    >>> sets
    LabelSets(3 cases, 2 labels: red, round)
    >>> sets.scored("hamming_loss").outcome.tolist()
    [0.5, 0.0, 0.5]
    >>> import credibly
    >>> credibly.evaluate(sets.cells, "recall")["recall"].value
    0.6666666666666666
    """

    labels: tuple[str, ...]
    truth: Flags
    label: Flags | None
    score: Floats | None
    is_probability: bool
    beside: Mapping[str, Any]
    findings: tuple[Finding, ...] = ()
    needed: ClassVar[Mapping[str, str]] = {
        "label": "predicted labels, only scores of them",
        "score": "score of each label",
    }

    @property
    def heading(self) -> str:
        """How many cases there are, and which labels."""
        names = ", ".join(self.labels[:MAX_LISTED])
        return f"{count(len(self.truth), 'case')}, {count(len(self.labels), 'label')}: {names}"

    def of_cases(self) -> dict[str, Any]:
        """Return the rows, groups and columns that were given."""
        return dict(self.beside)

    def averaged(
        self, measures: str | Sequence[str] | None = None, *, confidence_level: float = 0.95
    ) -> Table:
        """Estimate measures of labels over all of them: pooled (micro), each alike (macro), by how often each is true (weighted).

        >>> sets = label_sets([[1, 0], [1, 1]], [[1, 1], [1, 0]])
        >>> [(e.average, e.value) for e in sets.averaged(["precision"])]
        [('micro', 0.6666666666666666), ('macro', 0.5), ('weighted', 0.6666666666666666)]
        """
        cells = self.cells
        estimates: list[Estimate] = []
        for name in _measures(measures, cells):
            (pooled,) = evaluate(cells, name, confidence_level=confidence_level).estimates
            estimates.append(replace(pooled.without_rules(), average="micro"))
            estimates += [
                mean_over_slices(
                    cells, name, LABEL_NAME, weights=how, confidence_level=confidence_level
                )
                for how in get_args(SliceWeights)
            ]
        return Table(self.heading, with_decimals(estimates), self.findings)

    def by_label(
        self, measures: str | Sequence[str] | None = None, *, confidence_level: float = 0.95
    ) -> Table:
        """Estimate measures of each label: precision, recall and F1, of scores also AUC and average precision.

        >>> sets = label_sets([[1, 0], [1, 1]], [[1, 1], [1, 0]], labels=["red", "round"])
        >>> [(e.keys["label_name"], e.value) for e in sets.by_label(["precision"])]
        [('red', 1.0), ('round', 0.0)]
        """
        cells = self.cells
        named = _measures(measures, cells)
        return evaluate(cells, named, by=LABEL_NAME, confidence_level=confidence_level)

    def details(self, **options: Any) -> Details:  # noqa: ANN401
        """Yield averages over the labels, and each label."""
        yield "Over all labels", lambda: self.averaged(**options)
        yield "By label", lambda: self.by_label(**options)

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return len(self.labels)

    @property
    def predicted(self) -> Flags:
        """The labels that were predicted, which scores of labels need."""
        if self.label is None:
            raise MissingColumnError("No labels were predicted.", remedy=says("Set <label=...>."))
        return self.label

    @property
    def cells(self) -> Predictions:
        """One row for each case and label, a two-class question; the rows of a case belong together.

        Measures of these are micro averages; ``by="label_name"`` has those of each label.
        """
        n, k = self.truth.shape
        beside = {c: v for c, v in self.beside.items() if c != "row"}
        made = each_column({"group": np.arange(n), **beside}, lambda column: np.repeat(column, k))
        made["columns"][LABEL_NAME] = np.tile(np.array(self.labels, object), n)
        if self.score is not None:
            made["probability" if self.is_probability else "score"] = self.score.ravel()
        if self.label is not None:
            made["label"] = self.label.ravel().astype(int)
        return Predictions.of(self.truth.ravel().astype(int), classes=[0, 1], positive=1, **made)


def _measures(asked: str | Sequence[str] | None, cells: Predictions) -> Sequence[str]:
    """Return measures of labels: those that are asked for, or the usual ones that these predictions have."""
    usual = [m for m in DEFAULT_MEASURES if not all_measures[m].lacks(cells)]
    return usual if asked is None else one_or_several(asked, "measures", "names of measures")


@door
def label_sets(
    truth: object,
    label: object = None,
    *,
    probability: object = None,
    score: object = None,
    labels: Sequence[str] | None = None,
    threshold: float | None = None,
    **beside: Unpack[GivenColumns],
) -> LabelSets:
    """Take cases that have any number of labels each (multilabel classification).

    Parameters
    ----------
    truth
        The labels of each case: a matrix or frame of zeros and ones with a column per label, or a list of labels
        for each case; or by the names of the cases, a dictionary of such lists or a long frame with a row for each case and
        label (columns ``case`` and ``label``).
    label
        The labels that were predicted, in the same form or the other.
    probability
        Probabilities: a matrix or frame with a column per label, or a dictionary by label for each case; by the names of the
        cases if the truth is, in a long frame in a column ``probability``.
    score
        Scores that are larger where a label is more likely, in the same form.
    labels
        Names of the labels, in the order of the columns; those of a frame, or found in lists, by default.
    threshold
        Score or probability from which on a label is predicted, where none are given; 0.5 for probabilities.
    **beside
        ``row``, ``group`` and ``columns``: identifiers of the cases, groups of cases that belong together, and other columns
        to slice by; ``sample_weight`` (and ``weight_kind``): how much each case counts.

    >>> sets = label_sets([[1, 0], [1, 1]], probability=[[0.9, 0.2], [0.4, 0.8]], labels=["red", "round"])
    >>> sets.label.tolist(), sets.table(["subset_accuracy", "ranking_loss"])["subset_accuracy"].value
    ([[True, False], [False, True]], 0.5)
    >>> label_sets({"film 1": ["drama"], "film 2": []}, {"film 2": ["comedy"], "film 1": ["drama"]}).label.tolist()
    [[False, True], [True, False]]
    """
    _refuse_both(label, probability, score, threshold)
    scores = probability if probability is not None else score
    if any(map(is_by_case, (truth, label, scores))):
        if beside.get("row") is not None:
            raise ParameterError(says("Labels by case have names of cases already: leave out <row=...>."))  # fmt: skip
        held = side_by_side(
            by_case(truth, "truth"), None if label is None else by_case(label, "label"),
            None if scores is None else by_case(scores, "scores"), labels,
        )  # fmt: skip
        return from_matrices(
            held, is_probability=probability is not None, threshold=threshold, **beside
        )  # fmt: skip
    names = _names(truth, label, scores, labels)
    true = flags_of(truth, names, "truth")
    if not len(true):
        raise DataError("There are no cases.")
    numbers = None
    if scores is not None:
        numbers = _checked_scores(scores, names, true.shape, is_probability=probability is not None)
    predicted = None if label is None else flags_of(label, names, "label")
    if predicted is not None and len(predicted) != len(true):
        raise DataError(f"There are {len(true):,} cases in truth and {len(predicted):,} predicted.")
    cut = 0.5 if threshold is None and probability is not None else threshold
    if predicted is None and numbers is not None and cut is not None:
        predicted = numbers >= cut
    if predicted is None and numbers is None:
        raise MissingColumnError(
            "Nothing was predicted.",
            remedy=says("Set <label=...>, <probability=...> or <score=...>."),
        )
    never = [names[j] for j in np.flatnonzero(~true.any(axis=0))]
    findings: tuple[Finding, ...] = (
        (NEVER_TRUE(labels=listed(never, most=MAX_LISTED)),) if never else ()
    )
    findings += other_order(truth, {"label": label, "probability": probability, "score": score})
    return LabelSets(
        tuple(names), frozen(true), None if predicted is None else frozen(predicted),
        None if numbers is None else frozen(numbers), probability is not None, given_columns(**beside), findings,
    )  # fmt: skip


def _refuse_both(
    label: object, probability: object, score: object, threshold: float | None
) -> None:
    """Refuse arguments of which one would be ignored."""
    if probability is not None and score is not None:
        raise ParameterError(says("<probability=...> and <score=...> were both given: give one of them."))  # fmt: skip
    if threshold is not None and label is not None:
        raise ParameterError(says("<threshold=...> is for scores of which no labels were made: leave out <label=...> or <threshold=...>."))  # fmt: skip
    if threshold is not None:
        require("threshold", threshold, NUMBER)


def _checked_scores(
    scores: object, names: list[str], shape: tuple[int, ...], *, is_probability: bool
) -> Floats:
    """Return a number for each case and label."""
    numbers = _numbers(scores, names)
    if numbers.shape != shape:
        raise DataError(f"Scores are {numbers.shape[0]:,} by {numbers.shape[1]:,}, the truth is {shape[0]:,} by {shape[1]:,}.")  # fmt: skip
    if is_probability and ((numbers < 0) | (numbers > 1)).any():
        raise DataError(
            "A probability lies outside 0 to 1.", remedy=says("Set <score=...> for other scores.")
        )
    return numbers


def from_matrices(held: Matrices, *, is_probability: bool, **told: Any) -> LabelSets:  # noqa: ANN401
    """Take cases whose labels were put together by their names, and say who was not named."""
    findings = tuple(
        NOT_LISTED(cases=count(len(cases), "case"), role=role, names=listed(cases, most=MAX_LISTED))
        for role, cases in held.absent.items()
    )
    scores: dict[str, Any] = {"probability" if is_probability else "score": held.scores}
    made = label_sets(held.truth, held.label, **scores, labels=held.labels, row=held.cases, **told)
    return replace(made, findings=(*made.findings, *findings))


def _frame(given: object) -> tuple[list[str], NDArray[Any]] | None:
    """Return the columns of a frame, which must have different names, and what it holds."""
    if not (hasattr(given, "columns") or hasattr(given, "column_names")):
        return None
    import narwhals.stable.v2 as nw

    try:
        frame = nw.from_native(given, eager_only=True)  # type: ignore[call-overload]
        return [str(c) for c in frame.columns], frame.to_numpy()
    except (TypeError, ValueError) as error:
        raise DataError(f"The frame cannot be read: {error}.") from None


def _matrix(given: object) -> NDArray[Any] | None:
    """Return a matrix or a frame as an array of two dimensions; nothing for lists of labels."""
    if (frame := _frame(given)) is not None:
        return frame[1]
    if isinstance(given, np.ndarray) and given.ndim == 2:
        return given
    if not isinstance(given, Sequence) or isinstance(given, str):
        return None
    rows = [r for r in given if isinstance(r, Sequence | np.ndarray) and not isinstance(r, str)]
    if len(rows) < len(given) or len({len(r) for r in rows}) != 1:
        return None
    flat = {type(v) for r in rows for v in r}
    numbers = flat and all(issubclass(t, int | float | np.number | np.bool_) for t in flat)
    return np.asarray(given) if numbers else None


def _by_label(given: object, names: list[str], role: str) -> NDArray[Any] | None:
    """Return a matrix with a column for each label in their order, in which those of a frame are put by their names."""
    matrix, frame = _matrix(given), _frame(given)
    if matrix is not None and matrix.shape[1] != len(names):
        raise DataError(
            f"{role} has {count(matrix.shape[1], 'column')} for {count(len(names), 'label')}."
        )
    if matrix is None or frame is None or not {*frame[0]} & {*names}:
        return matrix
    lacking = [name for name in names if name not in frame[0]]
    if lacking:
        raise DataError(
            f"{role} has no column for {listed(lacking, most=MAX_LISTED)}.", choices=frame[0],
            remedy="Call the columns of all frames by the labels, or of none.",
        )  # fmt: skip
    return matrix[:, [frame[0].index(name) for name in names]]


def _names(truth: object, label: object, scores: object, labels: Sequence[str] | None) -> list[str]:
    """Return the names of all labels."""
    if labels is not None:
        return refuse_twice([str(name) for name in labels])
    for given in (truth, label, scores):
        if (frame := _frame(given)) is not None:
            return refuse_twice(frame[0])
    matrix = _matrix(truth)
    if matrix is not None:
        return [str(i) for i in range(matrix.shape[1])]
    found = {
        str(v)
        for given in (truth, label)
        if given is not None and _matrix(given) is None
        for r in lists_of(given)
        for v in r
    }
    if not found:
        raise DataError("No case has a label, neither in truth nor predicted.")
    return sorted(found)


def refuse_twice(names: list[str]) -> list[str]:
    """Return names, each of which must stand once."""
    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if twice:
        raise DataError(f"{listed(dict.fromkeys(twice))} occurs twice among the names of the columns.")  # fmt: skip
    return names


def lists_of(given: object) -> list[Iterable[Any]]:
    """Return the labels of each case, given as lists."""
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise ParameterError(
            f"Labels are a matrix, or a list of labels for each case; got {shown(given)}."
        )
    rows = list(given)
    for i, r in enumerate(rows):
        if isinstance(r, str) or not isinstance(r, Iterable):
            raise ParameterError(
                f"The labels of a case are a list; row {i} is {shown(r)}.",
                remedy="Write an empty list for a case without labels.",
            )
    return rows


def flags_of(given: object, names: list[str], role: str) -> Flags:
    """Return which labels each case has."""
    matrix = _by_label(given, names, role)
    if matrix is None:
        place = {name: j for j, name in enumerate(names)}
        rows = lists_of(given)
        made = np.zeros((len(rows), len(names)), bool)
        strange: dict[str, None] = {}
        for i, row in enumerate(rows):
            for v in row:
                if is_missing(v):
                    raise DataError(f"A label of {role} is missing in row {i}.")
                if str(v) in place:
                    made[i, place[str(v)]] = True
                else:
                    strange[str(v)] = None
        if strange:
            raise DataError(
                f"{role} holds labels that are not among those named: {listed(strange, most=MAX_LISTED)}.",
                choices=names,
            )
        return made
    numbers = _as_numbers(matrix, role)
    if np.isnan(numbers).any():
        raise DataError(f"{role} is missing for some labels of some cases.")
    if not np.isin(numbers, (0, 1)).all():
        raise DataError(
            f"{role} holds other numbers than 0 and 1.",
            remedy=says("Set <probability=...> or <score=...> for scores."),
        )
    return numbers.astype(bool)


def _numbers(given: object, names: list[str]) -> Floats:
    """Return the score of every label for every case."""
    matrix = _by_label(given, names, "The matrix of scores")
    if matrix is None:
        rows = list(given) if isinstance(given, Iterable) else []
        if not rows or not all(isinstance(r, Mapping) for r in rows):
            raise ParameterError(
                f"Scores are a matrix with a column per label, or a dictionary for each case; got {shown(given)}."
            )
        matrix = np.array([[float(r.get(name, np.nan)) for name in names] for r in rows])
    numbers = _as_numbers(matrix, "The matrix of scores")
    if np.isnan(numbers).any():
        raise DataError(
            "Some labels of some cases have no score.",
            remedy="Give a score of every label for every case.",
        )
    return numbers


def _as_numbers(matrix: NDArray[Any], role: str) -> Floats:
    try:
        return np.asarray(matrix, np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{role} holds what is not a number.") from None
