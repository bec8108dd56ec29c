"""Findings, declared: what there is to know before believing a number, each kind once.

The kinds of a package stand in its module ``findings``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from string import Formatter
from typing import Any, Literal, NamedTuple, get_args

from credibly._core.declared import Registry
from credibly._core.grouping import grouped_by
from credibly._core.layout import Printed
from credibly.errors import Sentence, listed, says

Severity = Literal["problem", "caution", "note"]
SUBJECTS = ("measure", "where")  # fields that tell findings of one kind apart
MODEL = {"model", "scheme"}  # fields that say which model a finding is about
MAX_SUBJECTS = 6  # that are named where findings are joined


@dataclass(frozen=True, slots=True)
class Finding(Printed):
    """Something a reader should know before believing a number.

    ``data`` are the numbers of its message by name, where programs are to read them.
    """

    code: str
    severity: Severity
    message: str
    action: str = ""
    data: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    # What tells it from others of its kind: a measure, a slice.
    subject: str = field(default="", compare=False, repr=False)
    names_model: bool = field(default=False, compare=False, repr=False)
    # Whether it says how predictions were read, which they say themselves.
    of_reading: bool = field(default=False, compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        named = {name: getattr(self, name) for name in ("code", "severity", "message", "action")}
        return named | ({"data": dict(self.data)} if self.data else {})

    def __str__(self) -> str:
        return f"{self.severity}: {self.message} {self.action}".rstrip()


def worst_first(found: Iterable[Finding]) -> list[Finding]:
    """Return findings by how much they matter."""
    return sorted(found, key=lambda f: get_args(Severity).index(f.severity))


def by_kind(found: Iterable[Finding]) -> list[list[Finding]]:
    """Return findings with those of one kind together, the worst kind first."""
    return list(grouped_by(lambda f: f.code, worst_first(found)).values())


def of_models(found: Mapping[str, Iterable[Finding]]) -> tuple[Finding, ...]:
    """Return the findings of several models, each once; one that is not about all says which it is about.

    >>> few = FindingKind("few-folds", "caution", "There are {n} folds.")
    >>> print(*of_models({"tree": [few(n=2)], "forest": [few(n=2)], "knn": []}))
    caution: Models tree and forest: There are 2 folds.
    """
    having: dict[Finding, list[str]] = {}
    for name, each in found.items():
        for f in dict.fromkeys(each):
            having.setdefault(f, []).append(name)
    return tuple(f if len(names) == len(found) else _named(f, names) for f, names in having.items())


def _named(f: Finding, models: list[str]) -> Finding:
    if f.names_model:
        return f
    who = f"model{'s' if len(models) > 1 else ''} {listed(models)}"
    message = Sentence(f"{who[0].upper()}{who[1:]}: ", f.message)
    return replace(f, message=message, subject=who, names_model=True)


def joined(found: Iterable[Finding], most: int = MAX_SUBJECTS) -> list[Finding]:
    """Return one finding of each kind, which says what the others are about, if not too many; the worst first.

    >>> rests = FindingKind("rests-on-few", "note", "The error of {measure} rests on {n} cases.", "Add some.")
    >>> print(*joined([rests(measure="AUC", n=3), rests(measure="recall", n=4), rests(measure="F", n=5)]))
    note: The error of AUC rests on 3 cases. Add some. (Likewise for recall and F.)
    """
    return [_joined(most, *alike) for alike in by_kind(found)]


def _joined(most: int, first: Finding, *others: Finding) -> Finding:
    if not others:
        return first
    of = list(dict.fromkeys(f.subject for f in others if f.subject))
    text = f"({len(others)} more like this.)"
    if 0 < len(of) <= most and first.subject not in of:
        text = f"(Likewise for {listed(of)}.)"
    return replace(first, action=Sentence(first.action, *[" "] * bool(first.action), text))


@dataclass(frozen=True, slots=True)
class FindingKind:
    """A kind of finding: its code, how much it matters, what it says and what to do.

    Called with the data of a case it gives the finding. ``found`` and ``remedy`` are templates of
    :func:`credibly.errors.says`.

    >>> few = FindingKind("few-folds", "caution", "There are {n} folds.", "Ask for more with <folds=...>.")
    >>> few(n=2)
    Finding(code='few-folds', severity='caution', message='There are 2 folds.', action='Ask for more with folds=...')
    >>> print(few.doc)
    There are [n] folds.
    """

    code: str
    severity: Severity
    found: str
    remedy: str = ""
    aliases: tuple[str, ...] = ()
    of_reading: bool = False

    @property
    def name(self) -> str:
        """Its code, under which it is found."""
        return self.code

    @property
    def doc(self) -> Sentence:
        """What it says, with the names of its fields for what depends on the data."""
        return says(self.found, **{name: _Field(name) for name in self.fields})

    @property
    def action(self) -> Sentence:
        """What to do, in the same way."""
        return says(self.remedy, **{name: _Field(name) for name in self.fields})

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the data that it is called with."""
        parsed = Formatter().parse(self.found + self.remedy)
        return tuple(dict.fromkeys(name for _, name, _, _ in parsed if name))

    def columns(self, _n: int = 0) -> dict[str, str]:
        """Return what a listing shows of it."""
        return {"severity": self.severity}

    def facts(self) -> dict[str, Any]:
        """Return what people ask of it, by name."""
        return {"severity": self.severity, "what_to_do": self.action}

    def __call__(self, **data: object) -> Finding:
        """Say it of some data."""
        subject = "".join(str(data[name]) for name in SUBJECTS if name in data)
        return Finding(
            self.code,
            self.severity,
            says(self.found, **data),
            says(self.remedy, **data),
            subject=subject.strip().removeprefix("for "),
            names_model=not MODEL.isdisjoint(data) or " model " in str(data.get("where", "")),
            of_reading=self.of_reading,
        )


class _Field(NamedTuple):
    """What stands in a description for data."""

    name: str

    def __repr__(self) -> str:
        return f"[{self.name}]"

    def __format__(self, spec: str) -> str:
        return repr(self)


findings: Registry[FindingKind] = Registry("finding", "credibly", "findings")


def finding(code: str, severity: Severity, found: str, remedy: str = "") -> FindingKind:
    """Declare a kind of finding."""
    return findings.add(FindingKind(code, severity, found, remedy))


def problem(code: str, found: str, remedy: str = "") -> FindingKind:
    """Declare that a number does not mean what it seems to mean."""
    return finding(code, "problem", found, remedy)


def caution(code: str, found: str, remedy: str = "") -> FindingKind:
    """Declare that a number rests on less, or on something else, than one would expect."""
    return finding(code, "caution", found, remedy)


def note(code: str, found: str, remedy: str = "") -> FindingKind:
    """Declare that a choice was made on behalf of the user."""
    return finding(code, "note", found, remedy)


def reading(code: str, found: str, remedy: str = "") -> FindingKind:
    """Declare what was chosen when predictions were read: they say it, not every result that is made of them."""
    return findings.add(FindingKind(code, "note", found, remedy, of_reading=True))
