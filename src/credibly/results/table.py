"""Tables of estimates, which say first what they mean."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from credibly._core.findings import Finding, joined
from credibly._core.text import count
from credibly.errors import listed
from credibly.results.brief import Brief
from credibly.results.estimates import Estimates
from credibly.results.result import Cells, Result


class Table(Estimates):
    """Estimates of several measures, models, classes, folds or groups.

    >>> import credibly
    >>> table = credibly.evaluate(
    ...     credibly.Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0]), ["accuracy", "recall"])
    >>> table["recall"].value
    0.5
    >>> for e in table:
    ...     print(e.measure, e.value)
    accuracy 0.75
    recall 0.5
    >>> print(table)
    Accuracy is 0.750 [0.301, 0.954], not clearly better than the best trivial rule (majority, 0.5).
    4 cases, 2 classes: 0 and 1 (positive)
    measure   value  95 % interval   n  majority  random  all positive
    Accuracy  0.750  [0.301, 0.954]  4  0.5       0.5     0.5
    Recall    0.500  [0.095, 0.905]  2  0         0.25    1
    Intervals are about this model on new cases: Wilson (2).
    """

    def meaning(self) -> str:
        """Say how good the best is by the first measure, beside the best trivial rule."""
        if self.lead:
            first = sorted(self.estimates, key=lambda e: e.measure != self.lead)
            return replace(self, estimates=tuple(first), lead="").meaning()
        return self._brief().meaning()

    def _brief(self) -> Brief:
        if not self.first_look:
            return Brief(self)
        place = {name: i for i, name in enumerate(self.first_look)}
        chosen = sorted(
            (e for e in self.estimates if e.measure in place), key=lambda e: place[e.measure]
        )
        return Brief(replace(self, estimates=tuple(chosen), first_look=()))

    def all_findings(self) -> tuple[Finding, ...]:
        """Return its findings and those of the estimates that its text shows, each once."""
        every = super().all_findings()
        if not self.first_look:
            return every
        problems = (f for f in every if f.severity == "problem")
        return tuple(dict.fromkeys((*self._brief().all_findings(), *problems)))

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        return self._brief().cells() if self.first_look else super().cells()

    def about_intervals(self) -> str:
        """Say how the intervals were made and what they are about."""
        return self._brief().about_intervals() if self.first_look else super().about_intervals()

    def remarks(self) -> list[str]:
        """Say how the intervals were made, what they are about, and why there are none."""
        if not self.first_look:
            return super().remarks()
        shown = (e for e in self.estimates if e.measure in self.first_look)
        return [*self._brief().remarks(), *self._headlines(shown)]

    def left_out(self) -> list[str]:
        """Return in words what a first look leaves out."""
        if not self.first_look:
            return []
        brief = self._brief()
        shown = (e for e in self.estimates if e.measure in self.first_look)
        others = dict.fromkeys(str(e.keys["estimate"]) for e in shown if e.is_headline is False)
        more = len({e.name for e in self.estimates} - {e.name for e in brief.first()})
        return [
            *(["intervals that have no room here"] if brief.leaves_out_intervals else []),
            *([f"{count(more, 'more measure')}{self._doubts_besides()}"] if more else []),
            *([f"other estimates ({', '.join(others)})"] if others else []),
        ]

    def _doubts_besides(self) -> str:
        """Count what there is to doubt about measures that a first look does not show."""
        shown = {f.code for f in self.all_findings()}
        others = [f for f in joined(Result.all_findings(self)) if f.code not in shown]
        heavy = Counter(f.severity for f in others if f.severity != "note")
        texts = [count(n, severity) for severity, n in heavy.items()]
        return f" with {listed(texts)}" if texts else ""
