"""Ask every check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from credibly._core.doors import door
from credibly._core.findings import Finding, Severity
from credibly._core.parameters import between, require
from credibly._core.text import count, plain_table
from credibly.checks._declare import STATUSES, CheckResult, checks
from credibly.checks.context import CheckContext
from credibly.comparisons.result import Comparisons, TestResult
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.predictions.cost_matrix import as_costs
from credibly.results.result import Blocks, Cells, Collected, TableText

DIFFERENCE = between(-1, 1, ends=True)  # of error rates
SHARE = between(0, 1)


class Checklist(Collected[CheckResult]):
    """The answers of all checks, the worst first."""

    results: tuple[CheckResult, ...]

    members = "results code"
    versioned = True
    json_keys = "counts checks=results"
    row_parts = "results"
    tells_findings = True

    @property
    def fired(self) -> tuple[CheckResult, ...]:
        """The checks that found something to doubt."""
        return tuple(r for r in self.results if r.fired)

    def findings(self) -> tuple[Finding, ...]:
        """Return what was found as findings."""
        return tuple(r.finding() for r in self.fired)

    def unsaid(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return the findings, each once, that no check which fired says too."""
        said = {code for r in self.fired for code in (r.code, *checks[r.code].same_as)}
        return tuple(f for f in dict.fromkeys(findings) if f.code not in said)

    def counts(self) -> dict[str, int]:
        """Return how many checks there are of each status."""
        return {s: sum(r.status == s for r in self.results) for s in STATUSES}

    def heading(self) -> str:
        """Say how much there is to doubt in the evaluation."""
        found = {s: n for s, n in self.counts().items() if n}
        wrong = [count(found[s], s) for s in get_args(Severity) if s in found]
        others = [f"{n} {s}" for s, n in found.items() if s not in get_args(Severity)]
        said = ", ".join(wrong) or "nothing to doubt"
        return f"{len(self.results)} checks of the evaluation found {said} ({', '.join(others)})."

    def meaning(self) -> str:
        """Say how much there is to doubt in the evaluation, as its heading does."""
        return self.heading()

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        body = [[r.status, r.code, f"{r.message} {r.action}".rstrip()] for r in self.results]
        return ["status", "check", "what was found"], body

    def blocks(self) -> Blocks:
        """Yield what was found, and the checks that found nothing."""
        header, body = self.cells()
        found = len(self.fired)  # which come first
        if found:
            yield "", header, body[:found]
        yield "Checks that found nothing", header, body[found:]

    def laid_out(self, table: TableText = plain_table, title: str = "{}") -> list[str]:  # noqa: ARG002
        """Return the heading alone: what was found is said below it."""
        return [self.heading()]


@door
def check(
    predictions: Predictions | Mapping[str, Predictions],
    *,
    training: Any = None,  # noqa: ANN401
    features: Any = None,  # noqa: ANN401
    costs: object = None,
    prevalence: float | None = None,
    comparisons: Sequence[TestResult | Comparisons] = (),
    difference: float | None = None,
    measure: str | None = None,
    planned_measure: str | None = None,
    tuned_on: str | None = None,
) -> Checklist:
    """Check the evaluation itself for mistakes.

    Parameters
    ----------
    predictions
        Predictions of one or several models; a dictionary holds them by name.
    training
        Training rows: arrays or a frame of attributes.
    features
        The same attributes for the evaluated cases, in the order of the predictions of one model
        or as ``row`` numbers them.
    costs
        What mistakes cost: as for :func:`credibly.decide`.
    prevalence
        Share of the positive class where the model will be used.
    comparisons
        Comparisons that were made.
    difference
        A claimed difference of error rates.
    measure
        The measure that is reported.
    planned_measure
        The measure that was planned before looking at the results.
    tuned_on
        The part of the data that choices were made on, such as validation.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 0] * 50, label=[1, 0] * 50, part=["train"] * 100)
    >>> credibly.check(p)["training-rows"].status
    'problem'
    """
    predictions = as_predictions(predictions, "check")
    if difference is not None:
        require("difference", difference, DIFFERENCE)
    if prevalence is not None:
        require("prevalence", prevalence, SHARE)
    if costs is not None:
        costs = as_costs(costs, predictions.classes, predictions.positive)
    context = CheckContext(
        predictions,
        training,
        features,
        costs,
        prevalence,
        tuple(comparisons),
        difference,
        measure,
        planned_measure,
        tuned_on,
    )
    asked = [c for c in checks if c.of_outcomes or predictions.task != "outcome"]
    answers = [each(context) for each in asked]
    return Checklist(tuple(sorted(answers, key=lambda r: STATUSES.index(r.status))))
