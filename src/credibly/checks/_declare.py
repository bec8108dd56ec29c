"""How a check is declared: a question about the evaluation itself, asked once for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, get_args

from credibly._core.declared import Declarator, Declared, Registry, is_foreign
from credibly._core.findings import Finding, Severity, finding, findings
from credibly.errors import Sentence, says
from credibly.results.result import Result

if TYPE_CHECKING:
    from credibly.checks.context import CheckContext

T = TypeVar("T")
Status = Literal["problem", "caution", "note", "passed", "not applicable"]
STATUSES: tuple[Status, ...] = ("problem", "caution", "note", "passed", "not applicable")


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
