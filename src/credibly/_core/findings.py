"""Findings, declared: what there is to know before believing a number, each kind once.

The kinds of a package stand in its module ``findings``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, Literal, NamedTuple, get_args

from credibly._core.display import Printed
from credibly._core.grouping import grouped_by
from credibly._core.registry import Registry
from credibly.errors import Sentence, says

Severity = Literal["problem", "caution", "note"]


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


@dataclass(frozen=True, slots=True)
class FindingKind:
    """A kind of finding: its code, how much it matters, what it says and what to do.

    Called with the data of a case it gives the finding. ``found`` and ``remedy`` are templates of
    :func:`credibly.errors.says`.

    >>> few = FindingKind("few-folds", "caution", "There are {n} folds.", "Ask for more with <folds=...>.")
    >>> few(n=2)
    Finding(code='few-folds', severity='caution', message='There are 2 folds.', action='Ask for more with folds=... .')
    >>> print(few.doc)
    There are [n] folds.
    """

    code: str
    severity: Severity
    found: str
    remedy: str = ""
    aliases: tuple[str, ...] = ()

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
        return Finding(
            self.code, self.severity, says(self.found, **data), says(self.remedy, **data)
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
    """Declare that a choice was made for whoever asked."""
    return finding(code, "note", found, remedy)
