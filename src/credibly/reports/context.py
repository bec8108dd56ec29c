"""What the sections of a report share, each thing computed once and when first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.findings import Finding, FindingKind, worst_first
from credibly.checks import check
from credibly.checks._declare import CheckContext
from credibly.comparisons.result import Comparisons, TestResult
from credibly.errors import CrediblyError
from credibly.evaluation import evaluate
from credibly.evaluation.fold_estimators import automatic
from credibly.measures import measures as all_measures
from credibly.measures.selection import reported_measures
from credibly.predictions import CostMatrix, Predictions
from credibly.predictions.parts import each_once
from credibly.reports.findings import (
    NO_COMPARISON,
    NO_DECISION,
    NO_DETAIL,
    NO_PARTS,
    NO_PICTURE,
)
from credibly.results.estimate import Estimate
from credibly.results.figure import Figure
from credibly.results.table import Table

if TYPE_CHECKING:
    from credibly.bias_variance import BiasVariance
    from credibly.case_scores import CaseScore
    from credibly.case_scores._declare import Evidence
    from credibly.checks import Checklist
    from credibly.decisions import Decision
    from credibly.gaps import Slices
    from credibly.measures import Measure
    from credibly.results.result import Result

MIN_REPEATS = 10  # predictions of a row, from which they tell bias from variance


@dataclass(frozen=True, eq=False)
class ReportContext:
    """What was asked for, and what was found out about it."""

    predictions: Predictions
    asked: tuple[Measure, ...] = ()
    asked_main: Measure | None = None
    costs: Any = None
    prevalence: Any = None
    confidence_level: float = 0.95
    command: str = ""
    known: Mapping[str, Any] = field(default_factory=dict)
    missed: list[Finding] = field(default_factory=list)
    by: str | Sequence[str] | None = None  # columns to slice by
    evidence: Evidence | None = None  # of which the predictions are one score of each case
    score: CaseScore | None = None  # that score

    @cached_property
    def matrix(self) -> CostMatrix | None:
        """The costs, where they are the same for all cases."""
        return self.costs if isinstance(self.costs, CostMatrix) else None

    @cached_property
    def shown(self) -> tuple[Measure, ...]:
        """The measures of the tables, the main one among them."""
        chosen = list(self.asked) or self._panel()
        main = self.asked_main
        if main is not None and main.call not in [m.call for m in chosen]:
            chosen.insert(0, main)
        return tuple(chosen)

    def _panel(self) -> list[Measure]:
        p = self.predictions
        parts = p.alike()
        chosen = [
            m.given(average="macro") if all(m.lacks(part) for part in parts) else m.about(*parts)
            for m in reported_measures(p.provides)
            if m.offered(*parts) and not all(m.lacks(part, averaged=True) for part in parts)
        ]
        if self.matrix is not None and p.label is not None:
            chosen.append(all_measures["average_cost"].given(costs=self.matrix))
        return chosen

    @cached_property
    def table(self) -> Table:
        """Every measure of every model."""
        table = self._measured()
        if self.others is None:
            return table
        findings = tuple(dict.fromkeys((*table.findings, *self.others.findings)))
        return replace(
            table, estimates=(*table.estimates, *self.others.estimates), findings=findings
        )

    @cached_property
    def others(self) -> Table | None:
        """The other scores of the cases, where they have several."""
        if self.evidence is None or self.score is None:
            return None
        rest = [s for s in self.evidence.defined() if s.call != self.score.call]
        return self.evidence.table(rest, confidence_level=self.confidence_level) if rest else None

    def details(self) -> Iterator[tuple[str, Result]]:
        """Yield what else is to be seen of such a kind of prediction, by its title."""
        told = (
            ()
            if self.evidence is None
            else self.evidence.details(confidence_level=self.confidence_level)
        )
        for title, make in told:
            found = self.tried(NO_DETAIL, make, title=title)
            if found is not None:
                yield title, found

    def _measured(self) -> Table:
        ways = {automatic(part) for part in self.context.models.values()}
        # Side by side there is one kind of estimate, which all models have.
        estimate = "auto" if len(ways) == 1 else "pooled"
        return evaluate(
            self.predictions,
            self.shown,
            estimate=estimate,
            confidence_level=self.confidence_level,
        )

    @cached_property
    def main(self) -> Measure:
        """The measure that models are ranked by: the one asked for, or the first that has a value."""
        if self.asked_main is not None:
            return self.asked_main
        defined = [e for e in self.table.estimates if not np.isnan(e.value)]
        return next((m for m in self.shown if any(_is_of(e, m) for e in defined)), self.shown[0])

    @cached_property
    def context(self) -> CheckContext:
        """What is judged: rows of known truth that the models were not trained on."""
        return CheckContext(self.predictions)

    @cached_property
    def models(self) -> dict[str, Predictions]:
        """The judged rows of each model, the best first."""
        parts = self.context.models
        values = {name: self.leading(name).value for name in parts}
        sign = -1 if not self.cost_leads and self.main.direction == "higher" else 1
        order = sorted(parts, key=lambda n: (np.isnan(values[n]), sign * values[n]))
        return {name: parts[name] for name in order}

    @cached_property
    def cost_leads(self) -> dict[str, Estimate]:
        """What a case costs by each model's decisions; nothing unless that is what models are ranked by."""
        if self.decision is None or self.asked_main is not None:
            return {}
        of_cost = (e for e in self.decision.table.estimates if e.measure == "average_cost")
        found: dict[str, Estimate] = {}
        for e in of_cost:
            found.setdefault(str(e.keys.get("model", next(iter(self.context.models)))), e)
        return found if found.keys() == self.context.models.keys() else {}

    def leading(self, model: str) -> Estimate:
        """Return the estimate that a model is ranked by: what its decisions cost, or the main measure."""
        return self.cost_leads[model] if self.cost_leads else self.estimate(self.main, model)

    def estimates(self, m: Measure, model: str) -> list[Estimate]:
        """Return the estimates of a measure for a model, one for each way to sum up many fits."""
        return [
            e
            for e in self.table.estimates
            if _is_of(e, m) and str(e.keys.get("model", model)) == model
        ]

    def estimate(self, m: Measure, model: str) -> Estimate:
        """Return the first of them."""
        return self.estimates(m, model)[0]

    @cached_property
    def compared(self) -> TestResult | Comparisons | None:
        """Every pair of models by what their decisions cost, or else by the main measure."""
        if len(self.models) < 2:
            return None
        from credibly.comparisons.compare import compare

        judged, measure = self.decided, self.main
        if judged is not None:
            measure = all_measures["average_cost"].given(costs=self.matrix)
        level = self.confidence_level
        found = self.tried(
            NO_COMPARISON,
            lambda: compare(judged or self.predictions, measure=measure, confidence_level=level),
        )
        return found if isinstance(found, TestResult | Comparisons) else None

    @cached_property
    def decided(self) -> dict[str, Predictions] | None:
        """The cases of each model with the labels decided, where costs lead and are those of a matrix."""
        if not self.cost_leads or self.decision is None or self.matrix is None:
            return None
        if self.prevalence is not None:  # costs at other shares are not means over these cases
            return None
        made = self.decision.decisions
        labels = {str(d.model): d.labels for d in made}
        if len(self.models) == 1:  # whose name decisions leave out
            labels = dict.fromkeys(self.models, made[0].labels)
        return {
            name: replace(part, label=labels[name], score=None, probability=None, cache={})
            for name, part in self.models.items()
        }

    @cached_property
    def decision(self) -> Decision | None:
        """What the models' decisions cost, where costs are given."""
        if self.costs is None:
            return None
        from credibly.decisions import decide

        options = {"prevalence": self.prevalence, "confidence_level": self.confidence_level}
        return self.tried(
            NO_DECISION, lambda: decide(self.context.predictions, self.costs, **options)
        )

    @cached_property
    def sliced(self) -> Slices | None:
        """The best model in the slices asked for, or in those by any column in which it is worst, allowing for the search."""
        best = each_once(next(iter(self.models.values())))
        if self.by is None and not best.columns.free:
            return None
        from credibly.gaps.slices import affordable_slices, slices

        if self.by is not None:
            return slices(best, self.main, self.by, confidence_level=self.confidence_level)
        return affordable_slices(best, self.main, self.confidence_level)

    @cached_property
    def decomposed(self) -> BiasVariance | None:
        """What the loss is made of, where enough training sets predict the rows."""
        p = self.context.predictions
        if p.row is None or p.repeats < MIN_REPEATS:
            return None
        from credibly.bias_variance import bias_variance

        level = self.confidence_level
        return self.tried(NO_PARTS, lambda: bias_variance(p, confidence_level=level))

    @cached_property
    def checklist(self) -> Checklist:
        """The answers of all checks."""
        facts = {
            "costs": self.costs,
            "prevalence": self.prevalence if isinstance(self.prevalence, float) else None,
            "comparisons": () if self.compared is None else (self.compared,),
            "measure": "average_cost" if self.cost_leads else self.main.call,
        }
        return check(self.predictions, **{**facts, **self.known})

    def findings(self) -> tuple[Finding, ...]:
        """Return what to doubt, the worst first and nothing twice."""
        shown = (e for e in self.table.estimates if e.is_headline is not False)
        others: list[Finding] = [*self.table.findings, *(f for e in shown for f in e.findings)]
        others += self.missed
        if self.compared is not None:
            others += self.compared.all_findings()
        if self.decision is not None:
            others += self.decision.table.findings
        if self.decomposed is not None:
            others += self.decomposed.findings
        findings = (*self.checklist.findings(), *self.checklist.unsaid(others))
        return tuple(worst_first(findings))

    def tried(self, otherwise: FindingKind, make: Callable[[], Any], **about: Any) -> Any:  # noqa: ANN401
        """Return the result of a call; a failure becomes a finding and does not end the report."""
        try:
            return make()
        except CrediblyError as error:
            self.missed.append(otherwise(error=error, **about))
            return None

    def figures(self, makers: Iterable[Callable[[], Figure]]) -> Iterator[Figure]:
        """Yield the pictures that can be drawn."""
        drawn = (self.tried(NO_PICTURE, make) for make in makers)
        return (figure for figure in drawn if figure is not None)


def _is_of(e: Estimate, m: Measure) -> bool:
    """Whether an estimate is that of a measure, by the average asked for with it."""
    return e.measure == m.of_any_average.call and m.average in {None, e.average}
