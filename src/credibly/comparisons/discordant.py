"""Two models known only by how often exactly one of them errs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from credibly._core.doors import checked_fields
from credibly._core.text import shown
from credibly.comparisons._declare import comparisons
from credibly.comparisons.result import TestResult
from credibly.errors import ParameterError, says
from credibly.predictions import Predictions

MCNEMAR_VARIANTS = tuple(
    f"mcnemar(method={method!r})" for method in ("chi_square", "corrected", "exact", "mid_p")
)


@checked_fields
@dataclass(frozen=True, slots=True)
class Discordant:
    """How many cases only the first of two models gets wrong, and how many only the second.

    It stands for the rows that it counts. ``cases`` is how many there were in all; without it,
    shares are those of the cases on which only one errs. ``both`` is how many both get wrong, which
    matters to no test, but without it the error rates themselves are not known, nor Newcombe's interval.

    >>> from credibly import compare
    >>> found = compare(Discordant(15, 5, cases=100))
    >>> {name: round(p, 4) for name, p in found.pvalues.items()}  # doctest: +NORMALIZE_WHITESPACE
    {"mcnemar(method='chi_square')": 0.0253, "mcnemar(method='corrected')": 0.0442,
     "mcnemar(method='exact')": 0.0414, "mcnemar(method='mid_p')": 0.0266}
    >>> compare(Discordant(15, 5, cases=100), test="mcnemar").difference
    0.1
    """

    only_first: float
    only_second: float
    cases: float | None = None
    both: float | None = None
    names: tuple[str, str] = ("first", "second")

    def __post_init__(self) -> None:
        told = {"only_first": self.only_first, "only_second": self.only_second}
        told |= {k: v for k, v in (("cases", self.cases), ("both", self.both)) if v is not None}
        for name, given in told.items():
            if not (0 <= given < math.inf and float(given).is_integer()):
                raise ParameterError(
                    f"{name} must be a whole number of cases, at least 0; got {shown(given)}."
                )
        texts = isinstance(self.names, tuple | list) and all(isinstance(n, str) for n in self.names)
        if not texts or len(self.names) != 2 or self.names[0] == self.names[1]:
            raise ParameterError(
                f"names must be two different names of models; got {shown(self.names)}."
            )
        counted = self.only_first + self.only_second + (self.both or 0)
        if self.cases is None and (self.both is not None or not counted):
            raise ParameterError(
                "There is no case that only one of the models gets wrong."
                if not counted
                else "The number of cases that both get wrong needs the number of all cases.",
                remedy=says("Set <cases=...> to the number of all cases."),
            )
        if self.cases is not None and counted > self.cases:
            raise ParameterError(
                f"The models cannot get more cases wrong than there are; got {counted:,.10g} of {self.cases:,.10g}."
            )

    @property
    def models(self) -> dict[str, Predictions]:
        """Predictions that these numbers count: a row for each kind of case."""
        parts = self.only_first, self.only_second, self.both or 0
        weight = np.array([*parts, (self.cases or sum(parts)) - sum(parts)], float)
        there = weight > 0
        labels = np.array([0, 1, 0, 1]), np.array([1, 0, 0, 1])
        return {
            name: Predictions.of(
                np.ones(4, int)[there], label=label[there], classes=[0, 1], row=np.arange(4)[there],
                sample_weight=weight[there], weight_kind="frequency",
            )
            for name, label in zip(self.names, labels, strict=True)
        }  # fmt: skip

    def tested(self, answer: Callable[[dict[str, Predictions]], TestResult]) -> TestResult:
        """Make a test of the known counts; limits that need unknown counts are NaN."""
        result = self._told(answer(self.models))
        unknown = self.both is None and self.cases is not None
        if not unknown or comparisons.parse(result.test).random:
            return result
        others = self.cases - self.only_first - self.only_second  # type: ignore[operator]
        may_be = (answer(replace(self, both=both).models) for both in (others // 2, others))
        if all(each.confidence_interval == result.confidence_interval for each in may_be):
            return result
        why = "it depends on how many cases both models get wrong, which is not given"
        return replace(result, confidence_interval=None, why_no_interval=why)

    def _told(self, result: TestResult) -> TestResult:
        """Return a result without what these numbers do not tell."""
        if self.cases is None:
            of_these = f"{result.measure} among the cases that only one gets wrong"
            return replace(result, measure=of_these)
        return result if self.both is not None else replace(result, values=())
