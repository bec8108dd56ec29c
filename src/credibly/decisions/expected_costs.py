"""The verb `expected_costs`: what each label of a case must be expected to cost, whatever the truth turns out to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly._core.arrays import Floats, dot
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.text import count, number_text, shown
from credibly.decisions.problem import DecisionProblem, cost_array
from credibly.decisions.rules import minimum_expected_cost
from credibly.errors import DataError, ParameterError
from credibly.predictions import CostMatrix, Predictions, RowCosts
from credibly.predictions.caveats import left_out
from credibly.predictions.findings import MISSING_TRUTH
from credibly.predictions.labels import as_array
from credibly.predictions.numbers import refuse_infinite
from credibly.predictions.summaries.linear import ratio
from credibly.results.formats import cell_text, plain_scalar
from credibly.results.result import Cells, Result

ROWS_TO_READ = 20


class ExpectedCosts(Result):
    """The expected cost of each label (column) of each case (row), and the cheapest label as a code.

    A case that is predicted repeatedly has several rows, whose ``weights`` are shares of its own.
    ``by_class`` holds the costs by actual and predicted class where they are the same for all cases,
    and ``threshold`` the probability of the positive class from which on that label is the cheaper one.
    """

    probability: Floats
    costs: Floats
    labels: NDArray[np.int64]
    classes: tuple[Any, ...]
    row: NDArray[Any]
    cases: float
    weights: Floats
    model: NDArray[Any] | None = None
    by_class: Floats | None = None
    positive: int | None = None
    threshold: float | None = None
    findings: tuple[Finding, ...] = ()

    json_keys = "classes threshold cases=rows findings"

    @property
    def heading(self) -> str:
        """Say what it is."""
        rows = "" if self.cases == len(self.row) else f" in {count(len(self.row), 'row')}"
        what = f"Expected cost of each label, {count(self.cases, 'case')}{rows}"
        if self.threshold is None:
            return what
        name = self.classes[self.positive or 0]
        return (
            f"{what}; {name} is cheaper from a probability of {number_text(self.threshold)} upwards"
        )

    @property
    def mean(self) -> float:
        """What the cheapest labels are expected to cost on average."""
        cheapest = self.costs[np.arange(len(self.row)), self.labels]
        return float(ratio(dot(self.weights, cheapest), self.weights.sum()))

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary for each case: its probabilities, the cost of each label, and the cheapest."""
        return [self._row(i) for i in range(len(self.row))]

    def _row(self, i: int) -> dict[str, Any]:
        told: dict[str, Any] = {"row": plain_scalar(self.row[i])}
        if self.model is not None:
            told["model"] = plain_scalar(self.model[i])
        for kind, numbers in (("probability", self.probability), ("cost", self.costs)):
            names = (f"{kind}_{c}" for c in self.classes)
            told |= dict(zip(names, numbers[i].tolist(), strict=True))
        return told | {"label": plain_scalar(self.classes[self.labels[i]])}

    def cells(self) -> Cells:
        """Return header and body of the table as people read it: the first cases of many."""
        first = [self._row(i) for i in range(min(len(self.row), ROWS_TO_READ))]
        written = [list(map(cell_text, told.values())) for told in first]
        names = [f"{kind} of {c}" for kind in ("probability", "cost") for c in self.classes]
        model = [] if self.model is None else ["model"]
        return ["row", *model, *names, "cheapest"], written

    def remarks(self) -> list[str]:
        """Say how many rows the table does not show."""
        more = len(self.row) - ROWS_TO_READ
        return [f"... and {count(more, 'more row')}"] if more > 0 else []


@door
def expected_costs(
    cases: Predictions | ArrayLike,
    costs: object = None,
    *,
    classes: Sequence[Any] | None = None,
) -> ExpectedCosts:
    r"""Compute the expected cost of each label for each case, and the cheapest label.

    $\sum_i P(i \mid x)\, C_{ij}$ for each label j. The truth is not needed, so this works for new
    cases; :func:`credibly.decide` evaluates such decisions where the truth is known.

    Parameters
    ----------
    cases
        Predictions with probabilities, or bare probabilities of the classes: those of one case, or one
        row for each case.
    costs
        A :class:`CostMatrix`, :class:`RowCosts`, or outcomes such as ``{"fn": 5, "fp": 1}``.
    classes
        The classes of bare probabilities; those of the costs, or else 0, 1 and so on.

    >>> from credibly import CostMatrix
    >>> from credibly.decisions import expected_costs
    >>> costs = CostMatrix([[0, 1], [5, 0]], classes=["healthy", "ill"])
    >>> found = expected_costs([0.7, 0.3], costs)
    >>> found.costs.tolist(), found.rows()[0]["label"]
    ([[1.5, 0.7]], 'ill')
    """
    p = cases if isinstance(cases, Predictions) else _bare(cases, costs, classes)
    if p.task != "classification":
        raise ParameterError("Labels are for classes; these predictions are numbers.")
    if isinstance(cases, Predictions) and classes is not None:
        raise ParameterError(
            "Predictions already have classes: leave out classes, which is for plain probabilities."
        )
    array, findings = cost_array(p, costs)
    kept = ~p.gaps
    if not kept.any():
        raise DataError("No case has a probability.")
    rows = p.row if p.row is not None else np.arange(p.n)
    judged = p.take(kept)
    problem = DecisionProblem(judged, array[kept] if array.ndim == 3 else array)
    choice = minimum_expected_cost.function(problem)
    return ExpectedCosts(
        problem.probability(),
        problem.expected_costs(),
        choice.labels,
        p.classes,
        rows[kept],
        judged.cases,
        judged.weights,
        None if p.model is None else p.model[kept],
        by_class=array if array.ndim == 2 else None,
        positive=p.positive,
        threshold=choice.threshold,
        # What was observed has no part in it.
        findings=(
            *(f for f in p.findings if f.code != MISSING_TRUTH.code),
            *findings,
            *left_out(p),
        ),
    )


def _bare(given: object, costs: object, classes: Sequence[Any] | None) -> Predictions:
    """Make predictions of unknown truth out of probabilities."""
    try:
        matrix = np.atleast_2d(np.asarray(as_array(given, "cases"), np.float64))
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            f"Cases must be Predictions or class probabilities; got {shown(given)}."
        ) from None
    refuse_infinite(matrix.ravel(), "a probability")
    if matrix.ndim != 2 or matrix.shape[1] < 2:
        raise DataError(
            f"Probabilities need two or more classes, one row per case; got the shape {matrix.shape}."
        )
    if classes is None:
        named = isinstance(costs, CostMatrix | RowCosts)
        classes = costs.classes if named else range(matrix.shape[1])  # type: ignore[attr-defined]
    return Predictions.of([None] * len(matrix), probability=matrix, classes=classes)
