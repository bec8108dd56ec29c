"""The verb `worst_cases`: the cases that models predict worst, with what each says of them and their other columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.parameters import require, whole
from credibly._core.search_names import search_names
from credibly._core.text import count, number_text
from credibly.errors import DataError, ParameterError, UnknownNameError, says
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.predictions.labels import as_they_come, distinct
from credibly.results.result import Cells, Result

OWN_COLUMNS = ("group", "part", "repeat", "fold", "time")  # of predictions, which are shown as well
EMPTY = "empty"


class WorstCases(Result):
    """Cases, the worst predicted first: the truth, what each model says, and other columns of the data.

    ``wrong_in`` counts the cases that no model, one model, ... and every model gets wrong; it is empty where
    predictions are better and worse, not right or wrong. Cases without a truth are not counted there. ``n`` is the
    number of cases, ``picked`` of those that were asked for. If cases ``of_class`` were asked for, ``n`` and
    ``wrong_in`` count no others.

    >>> from credibly import Predictions, worst_cases
    >>> found = worst_cases(Predictions.of(["no", "yes", "yes"], probability=[0.9, 0.4, 0.7], positive="yes"))
    >>> found.wrong_in, found.table[0]
    ((1, 2), (0, 'no', 0.9))
    """

    n: int
    models: tuple[str, ...]
    wrong_in: tuple[int, ...]
    picked: int
    columns: tuple[str, ...]
    table: tuple[tuple[Any, ...], ...]
    of_class: str | None = None

    json_keys = "n models wrong_in picked columns rows=table of_class"

    def heading(self) -> str:
        """Say how many cases are shown, and how many are wrong in all models."""
        if not self.wrong_in:
            return f"The worst of {count(self.n, 'case')}"
        of = "" if self.of_class is None else f" of class {self.of_class}"
        where = f" in all {len(self.models)} models" if len(self.models) > 1 else ""
        return f"{self.wrong_in[-1]:,} of {count(sum(self.wrong_in), 'case')}{of} wrong{where}"

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary per case."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.table]

    def cells(self) -> Cells:
        """Return header and body of the table."""
        return [*self.columns], [[_cell(value) for value in row] for row in self.table]

    def remarks(self) -> Iterator[str]:
        """Say how many cases several models get wrong, and where there is no case."""
        if len(self.models) > 1 and self.wrong_in:
            each = ", ".join(f"{k}: {n:,}" for k, n in enumerate(self.wrong_in))
            yield f"Cases by how many models get them wrong: {each}."
        unknown = self.n - sum(self.wrong_in)
        if self.wrong_in and unknown:
            lacks = "truth" if "truth" in self.columns else "outcome"
            verbs = ("has", "is") if unknown == 1 else ("have", "are")
            yield f"{count(unknown, 'case')} {verbs[0]} no {lacks} and {verbs[1]} not counted."
        if not self.table:
            yield "There is no such case."


@door
@search_names({"misclassified, top_losses, hardest_cases, residuals": "worst_cases(p)"})
def worst_cases(
    predictions: Predictions,
    *,
    wrong_in: int | None = None,
    of_class: str | None = None,
    most: int | None = None,
    beside: Sequence[str] | None = None,
) -> WorstCases:
    """List the cases that models predict worst, the worst first.

    How bad a case is predicted is the mean over models of the probability that is missing from what happened, of a
    predicted number of its distance to the true one, of an outcome of its distance to the best one.

    Parameters
    ----------
    predictions
        Predictions of one model or of several. What several fits say of a case is averaged; of labels, the most
        frequent one is shown.
    wrong_in
        Only cases that so many models get wrong; 0 are those that all get right. A model of several fits is wrong
        if more than half of them are.
    of_class
        Only cases of this class.
    most
        How many cases to list at most; all by default.
    beside
        Columns of the data to show beside the predictions; all by default. One that has the name of a column before
        it is shown as "name (column)".

    >>> from credibly import Predictions
    >>> p = Predictions.of([0, 1, 1], label=[0, 0, 1], columns={"site": ["x", "y", "y"]})
    >>> print(worst_cases(p, wrong_in=1))
    1 of 3 cases wrong
    row  truth  predicted  site
    1    1      0          y
    """
    p = as_predictions(predictions, "worst_cases")
    p = p if (p.weights > 0).all() else p.take(p.weights > 0)
    if not p.n:
        raise DataError("There are no cases.")
    cases = CaseRows(p)
    if wrong_in is not None:
        require("wrong_in", wrong_in, whole(0))
    if most is not None:
        require("most", most, whole(1))
    found = cases.picked(wrong_in, of_class)
    names, table = cases.table(found[:most], beside)
    of_class = None if of_class is None else str(of_class)
    n, counts = cases.counted(of_class)
    models = tuple(map(str, cases.models))
    return WorstCases(n, models, counts, len(found), names, table, of_class)


@dataclass(frozen=True, eq=False)
class CaseRows:
    """Every case once, with the predictions of every model for it.

    >>> cases = CaseRows(Predictions.of([0, 1, 1], label=[0, 0, 1]))
    >>> cases.wrong_in.tolist(), cases.table(cases.picked(1))
    ([0, 1, 0], (('row', 'truth', 'predicted'), ((1, 1, 0),)))
    """

    predictions: Predictions

    @cached_property
    def models(self) -> list[Any]:
        """The models, in the order of the file."""
        return list(self.predictions.model_names) or ["model"]

    @cached_property
    def _model(self) -> NDArray[np.int64]:
        p = self.predictions
        if p.model is None:
            return np.zeros(p.n, np.int64)
        return np.asarray(as_they_come(distinct(p.model)).codes, np.int64)

    @cached_property
    def _case(self) -> tuple[NDArray[np.int64], list[Any]]:
        """Which case each row is of, and what cases are called."""
        p = self.predictions
        if p.row is not None:
            labels = distinct(p.row)
            return np.asarray(labels.codes, int), list(labels.values)
        place = np.zeros(p.n, np.int64)
        for m in range(len(self.models)):
            mine = self._model == m
            place[mine] = np.arange(mine.sum())
        return place, list(range(int(place.max(initial=-1)) + 1))

    @property
    def n(self) -> int:
        """How many cases there are."""
        return len(self._case[1])

    def _mean(self, values: Floats) -> Floats:
        """Return the mean of what a model says of a case; NaN where it says nothing."""
        cell = self._case[0] * len(self.models) + self._model
        size = self.n * len(self.models)
        known = ~np.isnan(values)
        sums = np.bincount(cell[known], values[known], size)
        counts = np.bincount(cell[known], minlength=size)
        with np.errstate(invalid="ignore", over="ignore"):
            return (sums / np.where(counts, counts, np.nan)).reshape(self.n, -1)

    @cached_property
    def wrong(self) -> Floats:
        """The share of a model's predictions of a case that are wrong; NaN where it makes none."""
        p = self.predictions
        if p.task == "outcome":
            return self._mean(np.where(np.isnan(self._loss), np.nan, self._loss > 0))
        if p.label is None:
            raise DataError(
                "There are no labels, so none can be wrong.", remedy=says("Set <threshold=...>.")
            )
        return self._mean(np.where(p.truth < 0, np.nan, (p.label != p.truth).astype(float)))

    @cached_property
    def _loss(self) -> Floats:
        """How far outcomes lie below the best that there is."""
        p = self.predictions
        outcome = np.asarray(p.outcome, float)
        if self.is_graded:
            best = (np.fmin if p.better == "lower" else np.fmax).reduce(outcome)
        else:  # even where no case has it
            best = 0.0 if p.better == "lower" else 1.0
        with np.errstate(over="ignore"):
            return np.abs(outcome - best)

    @property
    def is_graded(self) -> bool:
        """Whether cases are better and worse, and not right or wrong."""
        p = self.predictions
        if p.task != "outcome":
            return p.task == "numeric"
        outcome = np.asarray(p.outcome, float)
        return not np.isin(outcome[~np.isnan(outcome)], (0, 1)).all()

    def _numbers(self, of: Callable[[Predictions], Floats]) -> Floats:
        """Return a number of each row; NaN where it holds no prediction."""
        found = np.full(self.predictions.n, np.nan)
        found[~self.predictions.gaps] = of(self.predictions.scored())
        return found

    @cached_property
    def wrong_in(self) -> NDArray[np.int64]:
        """In how many models a case is wrong."""
        return (self.wrong > 0.5).sum(axis=1)

    @cached_property
    def _judged(self) -> NDArray[np.bool_]:
        """Whether it is known of a case what any model got wrong."""
        return np.asarray(~np.isnan(self.wrong).all(axis=1))

    def counted(self, of_class: str | None = None) -> tuple[int, tuple[int, ...]]:
        """Return how many cases there are, of a class, and how many none, one, ... and all of the models get wrong."""
        asked = np.ones(self.n, bool) if of_class is None else self._is_of(of_class)
        n = int(asked.sum())
        if self.is_graded:
            return n, ()
        wrong_in = self.wrong_in[asked & self._judged]
        return n, tuple(np.bincount(wrong_in, minlength=len(self.models) + 1).tolist())

    @cached_property
    def badness(self) -> Floats:
        """How far predictions lie from what happened: the missing probability, or the distance; NaN where nothing is known."""
        by_model = self._distances()
        known = ~np.isnan(by_model)
        with np.errstate(invalid="ignore", over="ignore"):
            return np.where(known, by_model, 0).sum(axis=1) / known.sum(axis=1)

    def _distances(self) -> Floats:
        p = self.predictions
        if p.task == "outcome":
            return self._mean(self._loss)
        if p.task == "numeric":
            with np.errstate(over="ignore"):
                return np.abs(self._mean(p.value - p.truth))
        if p.probability is None:
            return self.wrong
        of_truth = self._numbers(_of_truth)
        missing = np.where(np.isnan(of_truth), 1, 1 - of_truth)  # none at all is an error too
        return self._mean(np.where(p.truth < 0, np.nan, missing))

    def picked(self, wrong_in: int | None = None, of_class: str | None = None) -> NDArray[np.int64]:
        """Return cases, the worst first: those wrong in so many models, or of one class."""
        keep = np.ones(self.n, bool)
        if wrong_in is not None:
            if self.is_graded:
                raise ParameterError(
                    says(
                        "Predictions are right or wrong for <wrong_in=>; these are better and worse."
                    )
                )
            keep &= self._judged & (self.wrong_in == wrong_in)
        if of_class is not None:
            keep &= self._is_of(str(of_class))
        cases = np.flatnonzero(keep)
        return cases[np.argsort(-self.badness[cases], kind="stable")]

    def _is_of(self, name: str) -> NDArray[np.bool_]:
        """Whether each case is of a class."""
        p = self.predictions
        named = {str(c): i for i, c in enumerate(p.classes)}
        if name not in named:
            raise UnknownNameError(f"There is no class {name[:40]!r}.", asked=name, choices=named)
        return np.asarray(p.truth[self._first] == named[name])

    @cached_property
    def _first(self) -> NDArray[np.int64]:
        return np.unique(self._case[0], return_index=True)[1]

    @cached_property
    def _truths(self) -> list[Any]:
        p = self.predictions
        values = p.truth[self._first].tolist()
        if p.task == "numeric":
            return values
        return [None if code < 0 else p.classes[code] for code in values]

    def table(
        self, cases: NDArray[np.int64], beside: Sequence[str] | None = ()
    ) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
        """Return names of columns and rows of cells: case, truth, what each model says, and other columns (None: all)."""
        p = self.predictions
        said = self._said()
        said_by = [str(m) for m in p.model_names] or [self._what_is_said]
        known = p.task != "outcome"  # which has no truth
        columns = self._beside(beside)
        names = ["row", *(["truth"] if known else [])]
        for name in said_by:
            names.append(_untaken(name, names, "model"))
        for name, _ in columns:
            names.append(_untaken(name, names, "column"))
        others = [column[self._first] for _, column in columns]
        rows = tuple(
            (
                _plain(self._case[1][c]),
                *([self._truths[c]] if known else []),
                *(_plain(said(c, m)) for m in range(len(self.models))),
                *(_plain(column[c]) for column in others),
            )
            for c in cases.tolist()
        )
        return tuple(names), rows

    def _beside(self, asked: Sequence[str] | None) -> list[tuple[str, NDArray[Any]]]:
        """Return other columns with their names: those of the predictions themselves before those of the data."""
        p = self.predictions
        own = {n: np.asarray(getattr(p, n)) for n in OWN_COLUMNS if getattr(p, n) is not None}
        if asked is None:
            return [*own.items(), *((name, p.columns[name]) for name in p.columns.free)]
        for name in asked:
            if name not in p.columns and name not in own:
                raise UnknownNameError(
                    f"There is no column {name!r}.", asked=name, choices=[*own, *p.columns.free]
                )
        # The column of the data, where a role has its name.
        return [(n, p.columns[n] if n in p.columns else own[n]) for n in dict.fromkeys(asked)]

    @property
    def _what_is_said(self) -> str:
        """The heading of the column of a model without a name."""
        p = self.predictions
        if p.probability is not None and p.positive is not None:
            return f"probability of {p.classes[p.positive]}"
        if p.task == "outcome":
            return p.outcome_name or "outcome"
        return "predicted" if p.score is None else "score"

    def _said(self) -> Callable[[int, int], Any]:
        """Return a model's prediction for a case: a number, a probability, a score, or its label."""
        p = self.predictions
        numbers = {"numeric": p.value, "outcome": p.outcome}.get(p.task, p.score)
        if p.probability is not None and p.positive is not None:
            positive = p.positive
            numbers = self._numbers(lambda known: known.probabilities_of(positive))
        if numbers is not None:
            means = self._mean(np.asarray(numbers, float))
            return lambda c, m: float(means[c, m])
        labels = self._usual_labels(p.need("label", "the rows"))
        return lambda c, m: None if labels[c, m] < 0 else p.classes[labels[c, m]]

    def _usual_labels(self, label: NDArray[Any]) -> NDArray[np.int64]:
        """Return the label that a model's fits give to a case most often, the first class of several; -1 for none."""
        usual = np.full(self.n * len(self.models), -1)
        cell = self._case[0] * len(self.models) + self._model
        k, given = len(self.predictions.classes), label >= 0
        pairs, times = np.unique(cell[given] * k + label[given], return_counts=True)
        order = np.lexsort((-pairs, times))  # the last that is set stays
        usual[pairs[order] // k] = pairs[order] % k
        return usual.reshape(self.n, -1)

    def flips(self, first: str, second: str) -> dict[str, Any]:
        """Count the cases that both models get right, one of them alone, and neither."""
        named = {str(m): i for i, m in enumerate(self.models)}
        for name in (first, second):
            if name not in named:
                raise UnknownNameError(
                    f"There is no model {name[:40]!r}.", asked=name, choices=named
                )
        a, b = (self.wrong[:, named[name]] for name in (first, second))
        both = ~np.isnan(a) & ~np.isnan(b)
        one, two = a[both] > 0.5, b[both] > 0.5
        return {
            "n": int(both.sum()),
            "both": int((~one & ~two).sum()),
            "only_first": int((~one & two).sum()),
            "only_second": int((one & ~two).sum()),
            "neither": int((one & two).sum()),
        }


def _of_truth(p: Predictions) -> Floats:
    """Return the probability that each row gives to what happened; of what is unknown, any."""
    return p.probability_matrix("the rows")[np.arange(p.n), np.maximum(p.truth, 0)]


def _untaken(name: str, taken: Sequence[str], kind: str) -> str:
    """Return a name, with its kind if another column has it.

    >>> _untaken("truth", ["row", "truth"], "column"), _untaken("site", ["row"], "column")
    ('truth (column)', 'site')
    """
    while name in taken:
        name = f"{name} ({kind})"
    return name


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Return a value of a column as Python has it; None for one that is missing."""
    plain = value.item() if hasattr(value, "item") else value
    return None if isinstance(plain, float) and np.isnan(plain) else plain


def _cell(value: object) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return EMPTY
    return number_text(value) if isinstance(value, float) else str(value)
