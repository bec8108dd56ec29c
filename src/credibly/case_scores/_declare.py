"""How a score of a case is declared, and how scores become outcomes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.declared import Declarator, Reading, ReadingRegistry
from credibly._core.findings import Finding
from credibly._core.words import count, several
from credibly.case_scores.findings import UNDEFINED_CASES
from credibly.errors import ParameterError
from credibly.evaluation import evaluate
from credibly.measures import measures
from credibly.predictions import Predictions
from credibly.predictions.findings import NO_OUTCOME
from credibly.results.table import Estimate, Table


@dataclass(frozen=True, eq=False, kw_only=True)
class CaseScore(Reading[..., Floats]):
    """A number for each case, whose mean over cases is a measure: a function of the evidence that it ``reads``."""

    range: tuple[float, float]
    best: float
    cite: str
    undefined: str = ""  # of which cases there is none
    needs: str = ""  # what the evidence must hold for it
    shown: bool = True  # among those that are shown where none is named

    @property
    def better(self) -> str:
        """Which way is better."""
        return "higher" if self.best == self.range[1] else "lower"

    def facts(self) -> dict[str, Any]:
        """Return what people ask of it, by name."""
        low, high = self.range
        return {
            "range": f"{low:g} to {high:g}",
            "better_when": self.better,
            "undefined_when": self.undefined,
            "computed_from": self.reads.__name__,
        }


case_scores: ReadingRegistry[CaseScore] = ReadingRegistry("case score", "credibly.case_scores")
case_score = Declarator(CaseScore, case_scores)


class Evidence:
    """What cases are scored by; a kind of prediction says what its cases are."""

    __slots__ = ()
    findings: tuple[Finding, ...]

    @property
    def heading(self) -> str:
        """What the cases are."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.heading})"

    def of_cases(self) -> dict[str, Any]:
        """Return what predictions of outcomes are told of the cases: rows, models, groups, columns."""
        raise NotImplementedError

    def lacks(self, score: CaseScore) -> bool:
        """Whether it does not hold what a score needs."""
        return bool(score.needs) and getattr(self, score.needs) is None

    def scored(self, score: str | CaseScore) -> Predictions:
        """Return the score of each case as outcomes, which every verb takes."""
        s = case_scores.parse(score)
        fitting = [each.name for each in case_scores if each.reads is type(self)]
        if s.reads is not type(self) or self.lacks(s):
            raise ParameterError(
                f"{s.call} is not a score of these cases" + (f", which have no {s.needs}." if s.reads is type(self) else "."),
                asked=s.name,
                choices=fitting,
                remedy=f"Scores: {', '.join(fitting)}.",
            )  # fmt: skip
        with np.errstate(all="ignore"):
            values = np.asarray(s.function(self, **s.arguments), np.float64)
        bounds = s.range if all(map(math.isfinite, s.range)) else None
        made = Predictions.of(outcome=values, better=s.better, bounds=bounds, **self.of_cases())  # type: ignore[arg-type]
        empty = int(np.isnan(values).sum())
        if not empty:
            return replace(made, findings=(*self.findings, *made.findings))
        said = UNDEFINED_CASES(title=s.title, cases=count(empty, "case"), why=s.undefined)
        others = [f for f in made.findings if f.code != NO_OUTCOME.code]  # which does not know why
        return replace(made, findings=(*self.findings, *others, said))

    def table(
        self,
        scores: str | CaseScore | Iterable[str | CaseScore] | None = None,
        **options: Any,  # noqa: ANN401
    ) -> Table:
        """Estimate the mean over cases of several scores, all that apply by default, as :func:`credibly.evaluate` does."""
        named: list[Any]
        if scores is None:
            every = [s for s in case_scores if s.reads is type(self) and s.shown]
            named = [s for s in every if not self.lacks(s)]
        else:
            named = (
                [scores]
                if isinstance(scores, str | CaseScore)
                else several(scores, "scores", "names of scores")
            )
        if not named:
            raise ParameterError("No score is named that these cases have.")
        chosen = [case_scores.parse(s) for s in named]
        parts = [_evaluated(self.scored(s), options) for s in chosen]
        estimates = [e for s, t in zip(chosen, parts, strict=True) for e in _renamed(s, t)]
        findings = tuple(dict.fromkeys(f for t in parts for f in t.findings))
        return replace(
            parts[0], heading=self.heading, estimates=tuple(estimates), findings=findings
        )


def _evaluated(p: Predictions, options: dict[str, Any]) -> Table:
    """Estimate the mean, which has an exact theory where all cases pass or fail."""
    passes = measures["pass_rate"].offered(p)
    return evaluate(p, "pass_rate" if passes else "mean_outcome", **options)


def _renamed(s: CaseScore, table: Table) -> list[Estimate]:
    """Call the mean outcome what it is."""
    return [replace(e, measure=s.call, title=s.title, also=s.also) for e in table.estimates]
