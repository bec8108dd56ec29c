"""From predictions of the same rows by many training sets to a table of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.text import count, some_rows
from credibly.bias_variance.averages import CaseFacts
from credibly.bias_variance.findings import NEVER_HELD_OUT, SELDOM_PREDICTED
from credibly.bias_variance.tables import MIN_PREDICTIONS, Values, Votes, class_probabilities
from credibly.errors import DataError, ParameterError, says
from credibly.predictions import Predictions
from credibly.predictions.labels import MISSING, as_array, distinct

if TYPE_CHECKING:
    from credibly.bias_variance._declare import Takes


UNDECIDED = "undecided"
LARGEST_NUMBER = 1e75  # of which squares of squared errors fit a double


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """The truth beyond what was observed: probabilities or means of the rows, and the noise of numbers."""

    truth: Any = None
    noise: Any = None

    def check(self, p: Predictions) -> None:
        """Refuse known values that do not match the predictions."""
        if p.task == "numeric" and (self.truth is None) != (self.noise is None):
            raise ParameterError(
                says(
                    "For numbers, the truth is given by <truth=> (the mean of each row) and "
                    "<noise=> (its variance): set both or neither."
                )
            )
        if p.task == "classification" and self.noise is not None:
            raise ParameterError(
                says(
                    "<noise=> is for numbers; the noise of classes follows from their probabilities in <truth=>."
                )
            )


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """A table of predictions by case and training set, with what is known of the cases."""

    table: Votes | Values
    cases: CaseFacts
    findings: tuple[Finding, ...]


def gather(p: Predictions, takes: Takes, known: Known) -> Gathered:
    """Gather the predictions of one model for rows that several training sets predict."""
    known.check(p)
    _refuse_too_large(p)
    row = distinct(p.need("row", "bias and variance"))
    often = np.bincount(row.codes)
    kept = often >= MIN_PREDICTIONS
    if not kept.any():
        raise DataError(
            "Every row is predicted only once, so it is not known how predictions vary with the training set.",
            remedy=says("Run with <resampling='bootstrap'> or with repeats, such as '10x10'."),
        )
    training_set = _training_sets(p, row.codes)
    one = np.empty(often.size, np.intp)
    one[row.codes] = np.arange(p.n)  # any of a case: they share truth and weight
    some = one[kept]
    ids = np.array(row.values, object)[kept]
    shape = (int(kept.sum()), int(training_set.max()) + 1)
    case = (np.cumsum(kept) - 1)[row.codes]
    chosen = kept[row.codes]
    at = case[chosen], training_set[chosen]
    wide = _Wide(p.take(chosen), p.take(some), ids, shape, at, known)
    weight = p.weights[some]
    group = None if p.group is None else p.group[some]
    cases = CaseFacts(ids, weight, p.weight_kind == "frequency", group)
    return Gathered(wide.table(takes), cases, _seldom(row.values, often))


def _refuse_too_large(p: Predictions) -> None:
    """Refuse numbers of which no double holds how squared errors vary."""
    if p.task != "numeric":
        return
    largest = max(float(np.abs(c).max(initial=0.0)) for c in (p.truth, p.value) if c is not None)
    if largest > LARGEST_NUMBER:
        raise DataError(
            f"The variance of squared errors of values up to {largest:.3g} is beyond what a double holds.",
            remedy="Divide the values by a constant.",
        )


def _training_sets(p: Predictions, row: NDArray[Any]) -> NDArray[np.intp]:
    """Number the training sets: repeats, where a repeat predicts a row once, else folds of repeats."""
    columns = [c for c in (p.repeat, p.fold) if c is not None]
    code = np.zeros(p.n, np.intp)
    for column in columns:
        labels = distinct(column)
        code = code * len(labels.values) + labels.codes
        cells = np.sort(code * (row.max() + 1) + row)
        if (cells[1:] != cells[:-1]).all():
            return distinct(code).codes
    raise DataError(
        "If a row has several predictions, repeat or fold must say which training set each one comes from.",
        remedy=says("Set <repeat=...> or <fold=...>."),
    )


def never_held_out(p: Predictions) -> tuple[Finding, ...]:
    """Return a finding about rows that every training set holds, so that no model can be tested on them."""
    if p.seen is None:
        return ()
    ids, known = (distinct(q.need("row", "bias and variance")).values for q in (p.seen, p))
    never = sorted(set(ids) - set(known), key=str)
    if not never:
        return ()
    which = some_rows(never, identified=True)
    return (NEVER_HELD_OUT(rows=count(len(never), "row"), which=which),)


def _seldom(ids: tuple[Any, ...], often: NDArray[Any]) -> tuple[Finding, ...]:
    few = [ids[i] for i in np.flatnonzero(often < MIN_PREDICTIONS)]
    if not few:
        return ()
    which = some_rows(few, identified=True)
    return (SELDOM_PREDICTED(rows=count(len(few), "row"), n=len(ids), which=which),)


@dataclass(frozen=True, slots=True, eq=False)
class _Wide:
    """Predictions spread over cases and training sets."""

    p: Predictions
    one: Predictions  # one row per case
    ids: NDArray[Any]
    shape: tuple[int, int]
    at: tuple[NDArray[np.intp], NDArray[np.intp]]
    known: Known

    def table(self, takes: Takes) -> Votes | Values:
        """Return what a decomposition looks at."""
        if takes == "label":
            return self.votes()
        return self.numbers() if takes == "number" else self.probabilities(takes)

    def votes(self) -> Votes:
        """Count labels; an undecided one is a label that is never right."""
        p = self.p
        codes = p.need("label", "a decomposition of labels").astype(np.intp)
        k, truth, classes = len(p.classes), self._class_truth(), p.classes
        if (codes == MISSING).any():
            codes = np.where(codes == MISSING, k, codes)
            truth, classes = np.pad(truth, ((0, 0), (0, 1))), (*classes, UNDECIDED)
        wide = np.full(self.shape, MISSING, np.intp)
        wide[self.at] = codes
        return Votes.counted(wide, truth, classes)

    def numbers(self) -> Values:
        """Spread predicted numbers; labels of two classes become -1 and +1."""
        if self.p.task == "classification":
            return self.votes().signs()
        truth, noise = self.one.truth, np.zeros(self.shape[0])
        if self.known.truth is not None:
            truth = looked_up(self.known.truth, self.ids, "truth")
            given = self.known.noise
            noise = noise + (given if np.ndim(given) == 0 else looked_up(given, self.ids, "noise"))
        return Values.of(self._spread(self.p.need("value", "squared")), truth, noise)

    def probabilities(self, takes: Takes) -> Values:
        """Spread probabilities: of all classes, or of the positive one where there are two."""
        p, truth = self.p, self._class_truth()
        matrix = p.probability_matrix("a decomposition of probabilities")
        if takes == "probability" and matrix.shape[1] == 2:
            place = 1 if p.positive is None else p.positive
            matrix, truth = matrix[:, [place]], truth[:, [place]]
            noise = (truth * (1 - truth))[:, 0]
        else:
            noise = 1 - (truth**2).sum(axis=1)
        return Values.measured(self._spread(matrix), truth, noise)

    def _spread(self, column: Floats) -> Floats:
        wide = np.full((*self.shape, *column.shape[1:]), np.nan)
        wide[self.at] = column
        return wide

    def _class_truth(self) -> Floats:
        classes = self.p.classes
        if self.known.truth is None:
            return np.eye(len(classes))[self.one.truth]
        given = looked_up(self.known.truth, self.ids, "truth")
        positive = 1 if self.p.positive is None else self.p.positive
        return class_probabilities(given, self.shape[0], classes, positive)


def looked_up(given: object, ids: NDArray[Any], name: str) -> NDArray[Any]:
    """Return the values given for some rows, by row number or by identifier.

    >>> looked_up({"a": 1.0, "b": 2.0}, np.array(["b"], object), "truth")
    array([2.])
    """
    if isinstance(given, Mapping):
        missing = [i for i in ids.tolist() if i not in given]
        if missing:
            raise DataError(f"{name} has no entry for {some_rows(missing, identified=True)}.")
        return np.asarray([given[i] for i in ids.tolist()])
    column = np.atleast_1d(as_array(given, name))
    numbered = all(isinstance(i, int) and 0 <= i < len(column) for i in ids.tolist())
    if not numbered:
        raise DataError(
            f"{name} must have an entry for each row by its number; it has {count(len(column), 'entry').replace('entrys', 'entries')}. Pass a dictionary from row to value if the rows have names."
        )
    return np.asarray(column[ids.astype(np.intp)])
