"""Tests of two ways of learning by inner splits: nested cross-validation and paired subsampling.

A difference between two models on a test part is a value like any other, and a difference of losses a
loss, so the estimates of one model (`evaluation`) serve the difference of two.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from credibly._core.arrays import ROUNDING
from credibly.comparisons._declare import Outcome, TestRequest, by_standard_error, comparison
from credibly.comparisons.assumptions import INDEPENDENT, Standing
from credibly.comparisons.cases import Cases
from credibly.comparisons.over_cases import CaseError, error_by_design
from credibly.comparisons.over_folds import SAME_SPLITS, STABLE
from credibly.errors import DataError, MissingColumnError
from credibly.evaluation.nested_estimators import (
    BATES,
    NestedError,
    NestedRows,
    NestedValues,
    lacks_inner_rows,
    unsettled,
)
from credibly.evaluation.paired_estimators import HalvesValues, PairedRows, lacks_halves
from credibly.intervals._declare import EstimateRequest, RefusalError
from credibly.intervals.folds import NADEAU
from credibly.predictions import Predictions
from credibly.predictions.lack import Lack
from credibly.results.about import About

of_learning = partial(
    comparison,
    null="both ways of learning do equally well with training sets of this size",
    assumptions={**SAME_SPLITS, **STABLE, "independent": INDEPENDENT},
)
UNDEFINED = (
    "{measure} has no finite value on {undefined} test parts, so no difference can be judged."
)
NO_INFLUENCE = "nested_cv needs influence values, and {measure} has none: it may jump when a weight moves a little."


class InnerCases(Cases):
    """Predictions of two models for the same cases, with those of the inner splits of a resampling."""

    __slots__ = ()
    about: ClassVar[About] = "training"

    @staticmethod
    def lack(p: Predictions) -> Lack | None:
        """Say what predictions lack for it."""
        raise NotImplementedError

    @classmethod
    def of_cases(cls, cases: Cases) -> Self:
        """Take the predictions of two models, or say what they lack."""
        for p, name in zip(cases.models, cases.names, strict=True):
            if lack := cls.lack(p):
                raise MissingColumnError(f"This test needs {lack}, which {name} lacks.")
        return cls(cases.models, cases.names, cases.measure, cases.average, cases.in_given_order)

    @property
    def requests(self) -> list[EstimateRequest]:
        """What is asked of each model."""
        return [EstimateRequest(self.measure, p, self.average) for p in self.models]

    @property
    def stands(self) -> Standing:
        """The splits are the same, and cases are taken as independent unless they come in groups."""
        p = self.models[0]
        grouped = p.grouping is not None or p.in_time
        found: Standing = {"splits": ("holds", "Read from the predictions.")}
        text = "Cases come in groups or in the order of time, which this test ignores."
        found["independent"] = (
            ("violated", text) if grouped else ("unknown", "No column says otherwise.")
        )
        return found


@dataclass(frozen=True, slots=True, eq=False)
class NestedCases(InnerCases):
    """Predictions of two models by nested cross-validation."""

    @staticmethod
    def lack(p: Predictions) -> Lack | None:
        """Say what predictions lack for nested cross-validation."""
        return lacks_inner_rows(p)

    @property
    def found(self) -> list[NestedRows]:
        """The rows of each model, in the same order."""
        rows = [found for p in self.models if (found := NestedRows.of(p)) is not None]
        _refuse_other_rows(self, [(f.judged.row, f.inner.row, f.part, f.inner_part) for f in rows])
        return rows

    @property
    def parts(self) -> list[NestedValues]:
        """The values of each model on test parts."""
        found = zip(self.found, self.requests, strict=True)
        return [_defined(self, rows.values(q)) for rows, q in found]

    @property
    def values(self) -> tuple[float, ...]:
        """The estimate of each model."""
        return tuple(v.corrected for v in self.parts)


@dataclass(frozen=True, slots=True, eq=False)
class PairedCases(InnerCases):
    """Predictions of two models by paired subsampling."""

    @staticmethod
    def lack(p: Predictions) -> Lack | None:
        """Say what predictions lack for paired subsampling."""
        return lacks_halves(p)

    @property
    def parts(self) -> list[HalvesValues]:
        """The values of each model on test parts."""
        rows = [found for p in self.models if (found := PairedRows.of(p)) is not None]
        _refuse_other_rows(self, [(f.rows.row, f.part, f.half) for f in rows])
        return [_defined(self, f.values(q)) for f, q in zip(rows, self.requests, strict=True)]

    @property
    def values(self) -> tuple[float, ...]:
        """The estimate of each model."""
        return tuple(float(v.of_all.mean()) for v in self.parts)


def _defined(cases: InnerCases, values: Any) -> Any:  # noqa: ANN401
    if values.undefined:
        raise DataError(UNDEFINED.format(measure=cases.measure.title, undefined=values.undefined))
    return values


def _refuse_other_rows(cases: InnerCases, columns: list[tuple[Any, ...]]) -> None:
    first, second = columns
    if not all(np.array_equal(a, b) for a, b in zip(first, second, strict=True)):
        raise DataError(
            f"{cases.names[0]} and {cases.names[1]} were not fitted on the same inner splits: run them together."
        )


@of_learning("Nested cross-validation of the difference", cite=BATES)
def nested_cv(cases: NestedCases, request: TestRequest) -> Outcome:
    """Judge a difference by the error of cross-validating it, estimated by cross-validating again inside.

    For any smooth measure, after ``run(..., resampling="nested_cv")``; the difference is that of models
    of all cases. The error is between the naive one and the root of the number of folds times it, and no
    smaller than that of the same folds over cases, widened for learning (``widened_t``): single
    nearest neighbours mislead inner splits as they do others.

    >>> from credibly import compare, run
    >>> from sklearn.datasets import load_iris
    >>> p = run(["zero-r", "naive-bayes"], *load_iris(return_X_y=True), resampling="nested_cv(k=3, repeats=2)", rng=1)
    >>> result = compare(p, measure="error_rate")
    >>> result.test, round(result.difference, 2), result.rejected
    ('nested_cv', 0.63, True)
    """
    first, second = cases.parts
    rows, values = cases.found, first - second
    moves = [f.moves(q) for f, q in zip(rows, cases.requests, strict=True)]
    if moves[0] is None or moves[1] is None:
        raise DataError(NO_INFLUENCE.format(measure=cases.measure.title))
    apart = moves[0][0] - moves[1][0], moves[0][1] - moves[1][1]
    made = NestedError.of(rows[0], values, apart)
    size = max(float(np.abs(v.outer).max()) for v in (first, second))
    method = f"nested cross-validation, {made.inflation:.3g} times the naive standard error"
    error, freedom = made.error, made.freedom
    least = _over_cases(cases)
    if least is not None and least.error * least.widened > error:
        error, freedom = least.error * least.widened, least.freedom
        method += ", no smaller than over cases"
    return by_standard_error(
        request,
        values.corrected,
        error,
        freedom,
        method=method,
        rounding=ROUNDING * size,
        findings=unsettled(made, rows[0]),
    )


def _over_cases(cases: Cases) -> CaseError | None:
    try:
        return error_by_design(cases)
    except RefusalError:
        return None


@of_learning("Conservative z of the difference", cite=NADEAU)
def conservative_z(cases: PairedCases, request: TestRequest) -> Outcome:
    """Judge a difference by how far those of halves that share no case lie apart.

    For any measure, after ``run(..., resampling="paired_subsampling")``. Halves train on less, so the
    error is somewhat too large.

    >>> from credibly import compare, run
    >>> from sklearn.datasets import load_iris
    >>> rule = "paired_subsampling(repeats=5, pairs=5)"
    >>> p = run(["zero-r", "naive-bayes"], *load_iris(return_X_y=True), resampling=rule, rng=1)
    >>> result = compare(p, measure="error_rate")
    >>> result.test, round(result.difference, 2), result.rejected
    ('conservative_z', 0.61, True)
    """
    first, second = cases.parts
    values = first - second
    size = max(float(np.abs(v.every).max()) for v in (first, second))
    return by_standard_error(
        request,
        float(values.of_all.mean()),
        values.error,
        method="conservative z",
        rounding=ROUNDING * size,
    )


def by_inner_splits(p: Predictions) -> tuple[str, str] | None:
    """Return the test that reads the inner splits of predictions, and why; nothing where there are none."""
    why = "inner splits show how far differences over the outer ones may be off"
    if not lacks_inner_rows(p):
        return nested_cv.name, why
    return None if lacks_halves(p) else (conservative_z.name, why)
