"""Findings, declared: what there is to know before believing a number, each kind once.

The kinds of a package stand in its module ``findings``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from credibly._core.registry import Registry
from credibly._core.results import Finding
from credibly.errors import says

if TYPE_CHECKING:
    from credibly._core.results import Severity


@dataclass(frozen=True, slots=True)
class FindingKind:
    """A kind of finding: its code, how much it matters, what it says and what to do.

    Called with the data of a case it gives the finding. ``says`` and ``action`` are templates of
    :func:`credibly.errors.says`.

    >>> few = FindingKind("few-folds", "caution", "There are {n} folds.", "Ask for more with <folds=...>.")
    >>> few(n=2)
    Finding(code='few-folds', severity='caution', message='There are 2 folds.', action='Ask for more with folds=... .')
    """

    code: str
    severity: Severity
    says: str
    action: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its code, under which it is found."""
        return self.code

    @property
    def doc(self) -> str:
        """What it says and what to do."""
        return f"{self.says} {self.action}".rstrip()

    def __call__(self, **data: object) -> Finding:
        """Say it of some data."""
        return Finding(self.code, self.severity, says(self.says, **data), says(self.action, **data))


findings: Registry[FindingKind] = Registry("finding", "credibly", "findings")


def finding(code: str, severity: Severity, text: str, action: str = "") -> FindingKind:
    """Declare a kind of finding."""
    return findings.add(FindingKind(code, severity, text, action))
