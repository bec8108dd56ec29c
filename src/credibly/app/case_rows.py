"""The cases themselves, with the predictions of each model and the other columns of the user's file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly.app.csv_text import as_csv
from credibly.errors import DataError, UnknownNameError
from credibly.predictions import Predictions
from credibly.predictions.labels import as_they_come, distinct
from credibly.results.formats import json_ready

MAX_ROWS, MAX_COLUMNS = 500, 60  # that are shown at once; the file that is saved has all


@dataclass(frozen=True, eq=False)
class CaseRows:
    """Every case once, with the predictions of every model for it.

    >>> p = Predictions.of([0, 1, 1], label=[0, 0, 1], columns={"site": ["x", "y", "y"]})
    >>> cases = CaseRows(p, ("site",))
    >>> cases.wrong_in.tolist(), cases.table(cases.picked(1))[1]
    ([0, 1, 0], [[1, 1, 0, 'y']])
    >>> cases.table(cases.picked(1))[0]
    ['row', 'truth', 'predicted', 'site']
    """

    predictions: Predictions
    beside: tuple[str, ...] = ()  # columns of the file that are shown too

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
        with np.errstate(invalid="ignore"):
            return (sums / np.where(counts, counts, np.nan)).reshape(self.n, -1)

    @cached_property
    def wrong(self) -> Floats:
        """The share of a model's predictions of a case that are wrong; NaN where it makes none."""
        p = self.predictions
        if p.task == "outcome":
            return self._mean(np.where(np.isnan(self._loss), np.nan, self._loss > 0))
        if p.label is None:
            raise DataError("There are no labels, so none can be wrong. Set a threshold.")
        return self._mean(np.where(p.truth < 0, np.nan, (p.label != p.truth).astype(float)))

    @cached_property
    def _loss(self) -> Floats:
        """How far outcomes lie below the best that there is."""
        p = self.predictions
        outcome = np.asarray(p.outcome, float)
        best = np.nanmin(outcome) if p.better == "lower" else np.nanmax(outcome)
        return np.abs(outcome - best)

    @property
    def _is_graded(self) -> bool:
        """Whether cases are better and worse, and not right or wrong."""
        p = self.predictions
        return p.task == "numeric" or (
            p.task == "outcome" and not np.isin(np.asarray(p.outcome), (0, 1)).all()
        )

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
    def badness(self) -> Floats:
        """How far predictions lie from what happened: the missing probability, or the distance; NaN where nothing is known."""
        by_model = self._distances()
        known = ~np.isnan(by_model)
        with np.errstate(invalid="ignore"):
            return np.where(known, by_model, 0).sum(axis=1) / known.sum(axis=1)

    def _distances(self) -> Floats:
        p = self.predictions
        if p.task == "outcome":
            return self._mean(self._loss)
        if p.task == "numeric":
            return np.abs(self._mean(p.value - p.truth))
        if p.probability is None:
            return self.wrong
        of_truth = self._numbers(_of_truth)
        missing = np.where(np.isnan(of_truth), 1, 1 - of_truth)  # none at all is an error too
        return self._mean(np.where(p.truth < 0, np.nan, missing))

    def picked(self, wrong_in: int | None = None, *, truth: str | None = None) -> NDArray[np.int64]:
        """Return cases, the worst first: those wrong in so many models, or of one class."""
        keep = np.ones(self.n, bool)
        if wrong_in is not None and not self._is_graded:
            keep &= self.wrong_in == wrong_in
        if truth is not None:
            keep &= np.array([str(t) == truth for t in self._truths])
        cases = np.flatnonzero(keep)
        return cases[np.argsort(-self.badness[cases], kind="stable")]

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

    def table(self, cases: NDArray[np.int64]) -> tuple[list[str], list[list[Any]]]:
        """Return names of columns and rows of cells: case, truth, what each model says, and other columns."""
        p = self.predictions
        said = self._said()
        said_by = [str(m) for m in p.model_names] or [self._what_is_said]
        known = p.task != "outcome"  # which has no truth
        names = ["row", *(["truth"] if known else []), *said_by, *self.beside]
        others = [p.columns[name][self._first] for name in self.beside]
        rows = []
        for c in cases.tolist():
            cells = [
                self._case[1][c],
                *([self._truths[c]] if known else []),
                *(said(c, m) for m in range(len(self.models))),
            ]
            rows.append([*cells, *(column[c] for column in others)])
        ready = json_ready(rows)
        assert isinstance(ready, list)  # noqa: S101
        return names, ready

    @property
    def _what_is_said(self) -> str:
        """The heading of the column of a model without a name."""
        p = self.predictions
        if p.probability is not None and p.positive is not None:
            return f"probability of {p.classes[p.positive]}"
        if p.task == "outcome":
            return p.outcome_name or "outcome"
        return "predicted" if p.score is None else "score"

    def _said(self) -> Any:  # noqa: ANN401
        """Return a model's prediction for a case: a number, a probability, a score, or its label."""
        p = self.predictions
        numbers = {"numeric": p.value, "outcome": p.outcome}.get(p.task, p.score)
        if p.probability is not None and p.positive is not None:
            positive = p.positive
            numbers = self._numbers(lambda known: known.probabilities_of(positive))
        if numbers is not None:
            means = self._mean(np.asarray(numbers, float))
            return lambda c, m: float(means[c, m])
        labels = np.full((self.n, len(self.models)), -1)
        labels[self._case[0], self._model] = p.need("label", "the rows")
        return lambda c, m: None if labels[c, m] < 0 else p.classes[labels[c, m]]

    def to_dict(self, wrong_in: int | None, truth: str | None) -> dict[str, Any]:
        """Return the counts and the worst rows."""
        cases = self.picked(wrong_in, truth=truth)
        shown = replace(self, beside=self.beside[:MAX_COLUMNS])
        names, rows = shown.table(cases[:MAX_ROWS])
        counts = (
            []
            if self._is_graded
            else np.bincount(self.wrong_in, minlength=len(self.models) + 1).tolist()
        )
        return {
            "n": self.n,
            "models": [str(m) for m in self.models],
            "wrong_in": counts,
            "picked": len(cases),
            "columns": names,
            "more_columns": len(self.beside) - len(shown.beside),
            "rows": rows,
        }

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


def list_of(selected: Predictions, beside: Sequence[str] = ()) -> str:
    """Write selected cases: being selected is to be labelled positive, whatever the score.

    ``beside`` are columns of the user's file to write too.

    >>> from credibly import Predictions, cost_benefit
    >>> p = Predictions.of(["no", "yes", "no"], probability=[0.25, 0.4, 0.3])
    >>> list_of(cost_benefit(p, {"fn": 5, "fp": 1}).selected()).splitlines()
    ['row,truth,label,probability', '1,yes,yes,0.4']
    """
    positive = int(selected.positive or 0)
    label = selected.classes[positive]
    columns: dict[str, list[Any]] = {
        "row": list(range(selected.n)) if selected.row is None else selected.row.tolist(),
        "truth": [selected.classes[code] for code in selected.truth.tolist()],
        "label": [label] * selected.n,
        "score" if selected.probability is None else "probability": selected.scores_of(
            positive, "the list"
        ).tolist(),
    }
    if selected.weight is not None:
        columns["weight"] = selected.weight.tolist()
    columns |= {name: selected.columns[name].tolist() for name in beside if name not in columns}
    return as_csv(columns, zip(*columns.values(), strict=True))
