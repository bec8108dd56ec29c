"""The verb `decide`: labels out of scores and costs, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.grouping import grouped
from credibly._core.parameters import require, whole as whole_number
from credibly._core.seeds import seed_of
from credibly._core.text import interval_text, lower_first, number_text
from credibly.decisions._declare import Choice, DecisionRule, decision_rules
from credibly.decisions.findings import (
    CHOSEN_AND_JUDGED,
    MISJUDGED_COST,
    NO_EXPECTED_COST,
    PRIOR_SHIFT,
)
from credibly.decisions.model_choice import ModelChoice
from credibly.decisions.problem import DecisionProblem
from credibly.decisions.uncertainty import margin_of
from credibly.errors import MissingColumnError, ParameterError, listed, says
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.predictions.caveats import with_output
from credibly.predictions.findings import MISSING_OUTPUT, NO_PREDICTION
from credibly.predictions.predicted_columns import unpredicted_rows
from credibly.predictions.summaries import Counts, ScoreTable
from credibly.results.estimate import Estimate, with_decimals
from credibly.results.estimates import MAX_MODELS_BESIDE, Tabled
from credibly.results.interval import Interval
from credibly.results.result import Result
from credibly.results.table import Table

GIVEN_THRESHOLD = "given_threshold"
FIRST_OF_MANY = (  # models, each with a row
    "cross_fitted_cost",
    "cross_fitted_saving",
    "average_cost",
    "saving",
    "recall",
    "specificity",
)


class ModelDecision(Result):
    """What was decided for the cases of one model.

    ``labels`` are codes into the classes, -1 for doubt, in the order of the held-out
    rows whose truth is known.
    """

    model: Any
    rule: str
    title: str
    threshold: float | None
    threshold_interval: Interval | None
    why_no_threshold_interval: str
    doubt_from: float | None
    labels: NDArray[np.int64]
    counts: Counts
    given: str = "score"  # what the threshold is on, in words
    positive: str = "positive"  # what a case from the threshold on is labelled, in words

    json_keys = (
        "[model] rule threshold threshold_interval why_no_threshold_interval doubt_from "
        "confusion_matrix=counts"
    )

    def __str__(self) -> str:
        return f"{_of([self.model])}{self.said()}"

    def said(self) -> str:
        """Say by which rule cases are labelled, and how."""
        if self.threshold is None:
            return f"{self.title}: a label for each case, without a single threshold."
        return f"{self.title}: {self.cut()}{self._doubt()}."

    def named(self) -> str:
        """Say by which rule cases are labelled, where the threshold is said elsewhere."""
        return f"Rule: {lower_first(self.title)}{self._doubt()}."

    def _doubt(self) -> str:
        return "" if self.doubt_from is None else f", in doubt from {number_text(self.doubt_from)}"

    def cut(self) -> str:
        """Say which cases are labelled positive, where a threshold decides it."""
        if self.threshold is None or np.isposinf(self.threshold):
            return "" if self.threshold is None else f"no case is labelled {self.positive}"
        where = interval_text(self.threshold, self.threshold_interval)
        return f"cases with a {self.given} of at least {where} are labelled {self.positive}"


def _common_cut(made: Sequence[ModelDecision]) -> str:
    """Say which cases are labelled positive, where one threshold decides it for every model."""
    cuts = {d.cut() for d in made}
    return cuts.pop() if len(cuts) == 1 else ""


def _positive(p: Predictions) -> str:
    return "positive" if p.positive is None else f"positive ({p.classes[p.positive]})"


class Decision(Tabled):
    """Decisions for one model or several, with what they cost in ``table``.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0] * 5, probability=[0.9, 0.2, 0.3, 0.1] * 5)
    >>> made = credibly.decide(p, {"fn": 5, "fp": 1})
    >>> made.threshold, made.labels[:4].tolist(), made.table["average_cost"].value
    (0.16666666666666666, [1, 1, 1, 0], 0.25)
    """

    decisions: tuple[ModelDecision, ...]

    def meaning(self) -> str:
        """Say which cases are labelled positive, what that costs, and whether a trivial rule is cheaper."""
        told, cut = self.table.meaning(), _common_cut(self.decisions)
        if not told or not cut:
            return told
        start = told if len(self.decisions) > 1 else lower_first(told)
        return f"{cut[0].upper()}{cut[1:]}: {start}"

    @property
    def only(self) -> ModelDecision:
        """The decision, where there is one model."""
        if len(self.decisions) > 1:
            names = ", ".join(str(d.model) for d in self.decisions)
            raise ParameterError(
                f"There are decisions for several models ({names}): use .decisions."
            )
        return self.decisions[0]

    @property
    def threshold(self) -> float | None:
        """The score from which on a case is labelled positive; none where labels follow no threshold."""
        return self.only.threshold

    @property
    def threshold_interval(self) -> Interval | None:
        """How far the threshold may be off, where it was chosen on the cases and rng was given."""
        return self.only.threshold_interval

    @property
    def labels(self) -> NDArray[np.int64]:
        """The label of each case as a code into the classes, -1 for doubt."""
        return self.only.labels

    @property
    def counts(self) -> Counts:
        """The table of truth against label."""
        return self.only.counts


@door
def decide(
    predictions: Predictions | Mapping[str, Predictions],
    costs: object = None,
    *,
    rule: str | DecisionRule | None = None,
    threshold: float | None = None,
    prevalence: object = None,
    doubt: float | None = None,
    estimate: Literal["auto", "pooled"] = "auto",
    confidence_level: float = 0.95,
    rng: int | np.random.Generator | None = None,
    replicates: int = 500,
) -> Decision:
    """Turn scores or probabilities into labels by the cost of mistakes, and estimate that cost.

    Parameters
    ----------
    predictions
        From :meth:`Predictions.of` or :func:`credibly.read`; several models also by name.
    costs
        A :class:`CostMatrix`, :class:`RowCosts`, or outcomes such as ``{"fn": 5, "fp": 1}``, each a
        number or a column; benefits are negative. By default every mistake costs 1.
    rule
        How labels are chosen: ``minimum_expected_cost`` (the default where there are probabilities),
        ``minimum_cost`` (for scores), ``fixed_recall(recall=0.9)``, ``fixed_precision``,
        ``fixed_specificity``, ``top_share(share=0.1)``, ``capacity(number=100)``, ``budget``, ``youden``,
        ``nearest_corner``, ``best_f``, ``given_threshold`` or ``given_labels`` (for labels).
    threshold
        Score from which on a case is labelled positive, where it was decided elsewhere: short for the rule
        ``given_threshold``.
    prevalence
        Share of the positive class, or of each class by name, where the decisions will be used. Costs,
        rates and probabilities are adjusted to it; the distribution within a class does not change.
    doubt
        Cost of leaving a case undecided (for ``minimum_expected_cost``).
    estimate
        Estimate to use: ``"auto"`` chooses by how the predictions were made, such as the mean
        over folds; ``"pooled"`` evaluates all cases together.
    confidence_level
        Confidence level of the intervals.
    rng
        Seed; with it, the threshold gets an interval and its cost a cross-fitted estimate.
    replicates
        Number of replicates of the subsampling.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0, 0], probability=[0.9, 0.3, 0.4, 0.2, 0.1])
    >>> credibly.decide(p, {"fn": 5, "fp": 1}).threshold
    0.16666666666666666
    >>> credibly.decide(p, {"fn": 5, "fp": 1}, prevalence=0.02).threshold
    0.8672...
    """
    predictions = as_predictions(predictions, "decide")
    require("replicates", replicates, whole_number(2))
    chosen = decision_rules.parse(rule or _automatic(predictions, threshold))
    chosen = chosen if threshold is None else _at(chosen, threshold)
    chosen = chosen if doubt is None else chosen.given(doubt=doubt)
    seed = None if rng is None else seed_of(rng)
    whole = replace(DecisionProblem.of(predictions, costs, prevalence), estimated=estimate)
    choices, aside = _choices(chosen, whole)
    made, estimates, doubts, doubted = [], [], list[Finding](), set[object]()
    for keys, problem, choice in choices:
        one = ModelChoice(chosen, problem, choice, keys, seed, confidence_level)
        limits, why = one.threshold_interval(replicates)
        made.append(
            ModelDecision(
                model=keys.get("model"),
                rule=chosen.call,
                title=chosen.title_with_arguments,
                threshold=choice.threshold,
                threshold_interval=limits,
                why_no_threshold_interval=why,
                doubt_from=choice.doubt_from,
                labels=choice.labels,
                counts=problem.counts(choice.labels),
                given="score" if problem.cases.probability is None else "probability",
                positive=_positive(problem.cases),
            )
        )
        estimates += one.estimates()
        if own := [*one.doubts()]:
            doubts += own
            doubted.add(keys.get("model"))
    findings = (*_as_decided(predictions), *whole.findings, *aside, *_findings(chosen, whole, seed))
    findings += (*_misjudged(chosen, estimates, doubted), *doubts)
    return Decision(_table(chosen, whole, made, estimates, findings), tuple(made))


def _choices(
    rule: DecisionRule, whole: DecisionProblem
) -> tuple[list[tuple[dict[str, Any], DecisionProblem, Choice]], list[Finding]]:
    """Decide for each model; one that lacks what the rule reads is left out while others have it."""
    made, lacking = [], {}
    for keys, problem in models(whole):
        try:
            made.append((keys, problem, rule(problem)))
        except MissingColumnError as error:
            lacking[str(keys.get("model"))] = error
    if not made:
        raise next(iter(lacking.values()))
    lack = f"what {rule.title} reads"
    return made, [MISSING_OUTPUT(model=m, lack=lack, so="it is left out") for m in lacking]


def scored_models(
    whole: DecisionProblem,
) -> tuple[list[tuple[dict[str, Any], DecisionProblem]], list[Finding]]:
    """Return the problem of each model that gives scores, and which have none."""
    parts = {str(keys.get("model")): (keys, problem) for keys, problem in models(whole)}
    each = [(name, problem.cases) for name, (_, problem) in parts.items()]
    kept, said = with_output(each, ScoreTable.missing, str)
    return [parts[name] for name, _ in kept], said


def models(problem: DecisionProblem) -> Iterator[tuple[dict[str, Any], DecisionProblem]]:
    """Yield the problem of each model; several are never mixed."""
    names = problem.cases.model
    if names is None or len(set(names.tolist())) == 1:
        yield {}, problem
        return
    for name in dict.fromkeys(names.tolist()):
        yield {"model": name}, problem.take(np.flatnonzero(names == name))


def _of(models: Sequence[Any]) -> str:
    return "" if None in models else f"{listed(map(str, models))}: "


def _at(rule: DecisionRule, threshold: float) -> DecisionRule:
    """Return the rule of a threshold, which no other rule takes."""
    if rule.name != GIVEN_THRESHOLD:
        raise ParameterError(
            says(
                "<threshold> is for the rule {given}; got the rule {rule}.",
                given=GIVEN_THRESHOLD,
                rule=rule.name,
            ),
            remedy=says("Leave out <threshold=...> or <rule=...>."),
        )
    return rule.given(threshold=threshold)


def _automatic(p: Predictions, threshold: float | None) -> str:
    if threshold is not None:
        return GIVEN_THRESHOLD
    if p.probability is not None:
        return "minimum_expected_cost"
    return "minimum_cost" if p.score is not None else "given_labels"


def _findings(rule: DecisionRule, problem: DecisionProblem, seed: int | None) -> list[Finding]:
    findings = []
    if rule.caution:
        findings.append(NO_EXPECTED_COST(rule=rule.title, why=rule.caution))
    if rule.rate is not None and seed is None:
        findings.append(CHOSEN_AND_JUDGED(choice="threshold", value="cost"))
    moved = problem.priors is not None and problem.cases.probability is not None
    if moved and problem.cases.baseline is None:
        findings.append(PRIOR_SHIFT())
    return findings


def _as_decided(p: Predictions) -> Iterator[Finding]:
    """Yield what predictions say, and of rows without one what becomes of them here."""
    often = p.weight if p.weight_kind == "frequency" else None
    for f in p.findings:
        gaps = f.code == NO_PREDICTION.code
        yield unpredicted_rows(p.gaps, "decisions leave such rows out", often) if gaps else f


def _misjudged(
    rule: DecisionRule, estimates: list[Estimate], doubted: set[object]
) -> Iterator[Finding]:
    """Yield where the cost that the probabilities promise is not the one that was observed.

    Models whose probabilities are ``doubted`` already, with what that costs, need no second word.
    """
    expected = [e for e in estimates if e.measure == "expected_cost" and rule.believes]
    for e in expected:
        model = e.keys.get("model")
        if model in doubted:
            continue
        costs = (c for c in estimates if c.measure == "average_cost")
        found = next(c for c in costs if c.keys.get("model") == model)
        limits = found.interval
        if limits is not None and not limits.low <= e.value <= limits.high:
            yield MISJUDGED_COST(
                of="" if model is None else f" of {model}",
                expected=number_text(e.value, e.interval),
                observed=interval_text(found.value, limits),
            )


def _table(
    rule: DecisionRule,
    problem: DecisionProblem,
    made: list[ModelDecision],
    estimates: list[Estimate],
    findings: tuple[Finding, ...],
) -> Table:
    p = problem.cases
    details: dict[str, Any] = {
        "rule": rule.call,
        "classes": list(p.classes),
        "positive": None if p.positive is None else p.classes[p.positive],
        "prevalence": None
        if problem.priors is None
        else dict(zip(map(str, p.classes), problem.priors.tolist(), strict=True)),
        "decisions": [d.to_dict() for d in made],
    }
    if len(made) == 1:
        details["confusion_matrix"] = made[0].counts.to_dict()
    alike = grouped((d.said(), d.model) for d in made)
    heading = "\n".join(f"{_of(models)}{said}" for said, models in alike.items())
    first = FIRST_OF_MANY if len(made) > MAX_MODELS_BESIDE else ()
    margin = margin_of(estimates, "saving")
    table = Table(
        heading, with_decimals(estimates), findings, details, margin=margin, first_look=first
    )
    if table.meaning() and _common_cut(made):  # what it means says the threshold already
        return replace(table, heading=made[0].named())
    return table
