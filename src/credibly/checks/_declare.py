"""How a check is declared: a question about the evaluation itself, asked once for all; and what is known of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from credibly._core.declared import Declarator, Declared, Registry, is_foreign
from credibly._core.findings import Finding, Severity, finding, findings
from credibly.errors import Sentence, says
from credibly.evaluation import evaluate
from credibly.evaluation.fold_estimators import headline_estimate
from credibly.measures import measures
from credibly.predictions import CostMatrix, Predictions, RowCosts
from credibly.predictions.labels import distinct
from credibly.predictions.parts import each_once
from credibly.results.estimate import Estimate
from credibly.results.result import Result

if TYPE_CHECKING:
    from credibly.comparisons.result import Comparisons, TestResult
    from credibly.measures import Measure


T = TypeVar("T")
Status = Literal["problem", "caution", "note", "passed", "not applicable"]
STATUSES: tuple[Status, ...] = ("problem", "caution", "note", "passed", "not applicable")
TUNING_PARTS = ("validation", "tuning", "development")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check says: it fired, it passed, or there was nothing to look at; and why.

    ``data`` are the numbers of the message by name, where programs are to read them.
    """

    status: Literal["fired", "passed", "not applicable"]
    message: str
    data: Mapping[str, Any] = field(default_factory=dict)


def fired(message: str, **data: object) -> Verdict:
    """Say what is wrong."""
    return Verdict("fired", message, data)


def passed(message: str) -> Verdict:
    """Say what was looked at and found in order."""
    return Verdict("passed", message)


def not_applicable(why: str) -> Verdict:
    """Say what is missing for the check."""
    return Verdict("not applicable", why)


class NotApplicableError(Exception):
    """Why a check does not apply; it never leaves this package."""


def needs(condition: object, why: str) -> None:
    """End a check that does not apply, and say what is missing, as a template of :func:`says`."""
    if not condition:
        raise NotApplicableError(says(why))


def given(thing: T | None, why: str) -> T:
    """Return what a check needs, or end it as :func:`needs` does."""
    if thing is None:
        raise NotApplicableError(says(why))
    return thing


class CheckResult(Result, eq=True):
    """The answer of one check on some predictions."""

    code: str
    title: str
    status: Status
    message: str
    action: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)

    json_keys = "code title status message action [data]"

    @property
    def fired(self) -> bool:
        """Whether there is something to doubt."""
        return self.status in {"problem", "caution", "note"}

    def finding(self) -> Finding:
        """Return a check that fired as a finding."""
        severity: Severity = self.status  # type: ignore[assignment]
        return Finding(self.code, severity, self.message, self.action, self.data)


class Check(Declared[["CheckContext"], Verdict]):
    """A question about an evaluation, how bad it is if the answer is no, and what to do then.

    Its name with dashes is the code of its findings; ``remedy`` is a template of
    :func:`credibly.errors.says`; ``same_as`` names findings of other origin that say the same;
    ``of_outcomes`` says whether it applies to outcomes, which have neither a truth nor a prediction.
    """

    severity: Severity
    remedy: str
    same_as: tuple[str, ...] = ()
    of_outcomes: bool = False
    dashed: ClassVar = True

    @property
    def action(self) -> Sentence:
        """What to do."""
        return says(self.remedy)

    def facts(self) -> dict[str, Any]:
        """Return what people ask of it, by name."""
        return {"severity": self.severity, "what_to_do": self.action}

    def __call__(self, context: CheckContext) -> CheckResult:
        """Ask it; nothing can be said about rows of unknown truth."""
        try:
            needs(context.known.n, "No row has a known truth.")
            verdict = self.function(context)
        except NotApplicableError as why:
            verdict = not_applicable(why.args[0])
        status: Any = self.severity if verdict.status == "fired" else verdict.status
        action = self.action if verdict.status == "fired" else ""
        return CheckResult(self.name, self.title, status, verdict.message, action, verdict.data)


class Checks(Registry[Check]):
    """The registry of checks, each of which is a kind of finding, unless its package declares that itself."""

    def add(self, entry: Check) -> Check:
        """Register a check and its finding."""
        if is_foreign(entry):
            self.load()
            findings.load()
        if entry.name not in entry.same_as:
            finding(entry.name, entry.severity, entry.summary, entry.remedy)
        return super().add(entry)

    def remove(self, name: str) -> None:
        """Forget a check and its finding."""
        if name not in self[name].same_as:
            findings.remove(self[name].name)
        super().remove(name)


checks = Checks("check", "credibly.checks")
check_kind = Declarator(Check, checks)
problem, caution, note = (partial(check_kind, severity=s) for s in get_args(Severity))


@dataclass(frozen=True, eq=False)
class CheckContext:
    """Predictions and whatever else the author of an evaluation can tell.

    Parameters
    ----------
    predictions
        What is judged.
    training
        Rows (arrays or a frame of attributes) that some model was trained on; ``features`` are those
        of the cases judged, in the order of the predictions of one model or as ``row`` numbers them.
    costs, prevalence
        What mistakes cost, and how common the positive class is where the model will be used.
    comparisons
        Comparisons that were made.
    difference
        A difference of error rates that is claimed or wished for.
    measure, planned_measure
        The measure reported, and the one chosen before looking.
    tuned_on
        The part of the data that parameters or thresholds were chosen on.
    """

    predictions: Predictions
    training: Any = None
    features: Any = None
    costs: CostMatrix | RowCosts | None = None
    prevalence: float | None = None
    comparisons: Sequence[TestResult | Comparisons] = ()
    difference: float | None = None
    measure: str | None = None
    planned_measure: str | None = None
    tuned_on: str | None = None
    kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def known(self) -> Predictions:
        """The cases of known truth: a row of weight 0 is none."""
        return self.predictions.known().of_weight()

    @cached_property
    def models(self) -> dict[str, Predictions]:
        """The predictions of each model."""
        if self.known.model is None:
            return {"the model": self.known}
        return {str(k["model"]): part for k, part in self.known.groups(["model"])}

    def having(self, *columns: str) -> dict[str, Predictions]:
        """Return the rows with a prediction of the models that give at least one of these."""
        return {
            name: p.scored()
            for name, p in self.models.items()
            if not {*columns}.isdisjoint(p.provides)
        }

    @cached_property
    def first(self) -> Predictions:
        """The predictions of the first model."""
        return next(iter(self.models.values()))

    @cached_property
    def beside_features(self) -> Predictions:
        """All rows of the first model, also those that are not cases: attributes are given for each."""
        p = self.predictions
        return p if p.model is None else next(part for _, part in p.groups(["model"]))

    @cached_property
    def cases(self) -> Predictions:
        """The first model's predictions, each case once."""
        return each_once(self.first)

    @cached_property
    def fold_codes(self) -> NDArray[np.int64] | None:
        """The test part of each row of the first model, from 0 up; nothing without folds."""
        if self.first.fold is None:
            return None
        code = distinct(self.first.fold).codes.astype(np.int64)
        if self.first.repeat is not None:
            code = code + distinct(self.first.repeat).codes * (int(code.max()) + 1)
        found, code = np.unique(code, return_inverse=True)
        return code if found.size > 1 else None

    @cached_property
    def tests(self) -> list[TestResult]:
        """Every single test among the comparisons."""
        return [t for c in self.comparisons for t in c.results]

    @property
    def resampling(self) -> str:
        """How the predictions were made, where it is known."""
        provenance = self.predictions.provenance
        return provenance.resampling if provenance else ""

    @property
    def leaves_one_out(self) -> bool:
        """Whether every test part is a single case."""
        code = self.fold_codes
        return code is not None and int(np.bincount(code).max()) == 1

    @property
    def binary(self) -> bool:
        """Whether there are two classes, one of them positive."""
        return self.known.has_positive and len(self.known.classes) == 2

    def estimate(self, measure: str | Measure, p: Predictions) -> Estimate | None:
        """Return the estimate that stands for a measure of a model, or nothing where it does not apply."""
        m = measures.parse(measure)
        key = (m.call, id(p))
        if key not in self.kept:
            table = None if m.lacks(p) else evaluate(p, m, estimate=headline_estimate(p, m.name))
            self.kept[key] = (p, None if table is None else table.estimates[0])
        estimate: Estimate | None = self.kept[key][1]
        return estimate

    def value(self, measure: str | Measure, p: Predictions) -> float:
        """Return its value; NaN where it does not apply."""
        estimate = self.estimate(measure, p)
        return np.nan if estimate is None else estimate.value

    def wrong(self, p: Predictions) -> NDArray[np.bool_] | None:
        """Whether each case has the wrong label."""
        return None if p.label is None else p.label != p.truth


def rows_of_part(p: Predictions, names: Sequence[str]) -> NDArray[np.bool_]:
    """Return which rows belong to a part of one of these names, in whatever case it is written."""
    if p.part is None:
        return np.zeros(p.n, bool)
    parts = distinct(p.part)
    return np.array([str(v).lower() in names for v in parts.values], bool)[parts.codes]
