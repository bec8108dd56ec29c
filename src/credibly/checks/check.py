"""Ask every check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from credibly._core.doors import door
from credibly._core.findings import Finding, Severity, worst_first
from credibly._core.parameters import SHARE_RULE, between, require
from credibly._core.text import count, plain_table
from credibly.checks._declare import STATUSES, CheckContext, CheckResult, checks
from credibly.comparisons.result import Comparisons, TestResult
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.predictions.cost_matrix import as_costs
from credibly.results.result import Blocks, Cells, Collected, TableText

DIFFERENCE_RULE = between(-1, 1, ends=True)  # of error rates


class Checklist(Collected[CheckResult]):
    """The answers of all checks, the worst first, and what the predictions themselves came with to doubt.

    ``came_with`` are problems and cautions that were found when they were read, such as a log that did not end well.
    """

    results: tuple[CheckResult, ...]
    came_with: tuple[Finding, ...] = ()

    members = "results code"
    versioned = True
    json_keys = "counts checks=results [came_with]"
    row_parts = "results"
    tells_findings = True

    @property
    def fired(self) -> tuple[CheckResult, ...]:
        """The checks that found something to doubt."""
        return tuple(r for r in self.results if r.fired)

    def findings(self) -> tuple[Finding, ...]:
        """Return what was found as findings, the worst first."""
        return tuple(worst_first((*(r.finding() for r in self.fired), *self.came_with)))

    def unsaid(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return the findings, each once, that no check which fired says too."""
        said = _said_by(self.fired) | {f.code for f in self.came_with}
        return tuple(f for f in dict.fromkeys(findings) if f.code not in said)

    def counts(self) -> dict[str, int]:
        """Return how many checks there are of each status."""
        return {s: sum(r.status == s for r in self.results) for s in STATUSES}

    def heading(self) -> str:
        """Say how much there is to doubt in the evaluation."""
        found = {s: n for s, n in self.counts().items() if n}
        wrong = [count(found[s], s) for s in get_args(Severity) if s in found]
        others = [f"{n} {s}" for s, n in found.items() if s not in get_args(Severity)]
        text = ", ".join(wrong) or "nothing to doubt"
        return f"{len(self.results)} checks of the evaluation found {text} ({', '.join(others)}).{self._came_with()}"

    def _came_with(self) -> str:
        often = Counter(f.severity for f in self.came_with)
        texts = [count(often[s], s) for s in get_args(Severity) if often[s]]
        return f" The predictions came with {' and '.join(texts)}." if texts else ""

    def meaning(self) -> str:
        """Say how much there is to doubt in the evaluation, as its heading does."""
        return self.heading()

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        silent = [r for r in self.results if not r.fired]
        body = [[f.severity, f.code, f"{f.message} {f.action}".rstrip()] for f in self.findings()]
        body += [[r.status, r.code, f"{r.message} {r.action}".rstrip()] for r in silent]
        return ["status", "check", "what was found"], body

    def blocks(self) -> Blocks:
        """Yield what was found, and the checks that found nothing."""
        header, body = self.cells()
        found = len(self.findings())  # which come first
        if found:
            yield "", header, body[:found]
        yield "Checks that found nothing", header, body[found:]

    def laid_out(self, table: TableText = plain_table, title: str = "{}") -> list[str]:  # noqa: ARG002
        """Return the heading alone; findings stand below it."""
        return [self.heading()]


def _said_by(fired: Iterable[CheckResult]) -> set[str]:
    return {code for r in fired for code in (r.code, *checks[r.code].same_as)}


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
        require("difference", difference, DIFFERENCE_RULE)
    if prevalence is not None:
        require("prevalence", prevalence, SHARE_RULE)
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
    said = _said_by(r for r in answers if r.fired)
    came = [
        f
        for f in dict.fromkeys(predictions.findings)
        if f.severity != "note" and f.code not in said
    ]
    return Checklist(tuple(sorted(answers, key=lambda r: STATUSES.index(r.status))), tuple(came))
