"""What a gate returns: the verdict, the sentence that says why, and what continuous integration reads."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal
from xml.sax.saxutils import escape, quoteattr

from credibly._core.findings import Finding
from credibly._core.text import count, lower_first, markdown_table, number_text, percent, visible
from credibly.results.interval import Interval
from credibly.results.result import Cells, Result

if TYPE_CHECKING:
    from credibly.comparisons.flips import Flips

Verdict = Literal["pass", "fail", "undecided"]
EXIT_CODES: dict[Verdict, int] = {"pass": 0, "fail": 3, "undecided": 4}


class GateError(AssertionError):
    """A gate that was not passed; its text is the sentence of the gate.

    >>> from credibly import GateError, Predictions, gate
    >>> try:
    ...     gate(Predictions.of(outcome=[0] * 99), measure="pass_rate", against=0.9).require()
    ... except GateError as error:
    ...     print(str(error).split(":")[0])
    Fail
    """


class Gate(Result):
    """Whether a candidate may replace a baseline.

    ``verdict`` is ``"pass"``, ``"fail"`` or ``"undecided"``; ``limits`` are a lower and an upper bound of
    the difference (candidate minus baseline), each of the confidence level. ``needed`` is about how many
    cases (or groups, ``unit``) in all would settle what is undecided four times in five, if the difference
    stays what it is.

    >>> from credibly import Predictions, gate
    >>> found = gate(Predictions.of(outcome=[1] * 96 + [0] * 4), measure="pass_rate", against=0.9)
    >>> found.verdict, found.passed, found.exit_code
    ('pass', True, 0)
    """

    json_keys = (
        "verdict sentence exit_code names measure direction values difference limits why_no_limits "
        "margin confidence_level sequential n unit units needed test [flips] findings"
    )
    row_keys = "verdict measure difference low high margin confidence_level n units needed test"

    verdict: Verdict
    names: tuple[str, ...]
    measure: str
    title: str
    direction: str
    values: tuple[float, ...]
    difference: float
    limits: Interval | None
    why_no_limits: str
    margin: float
    confidence_level: float
    sequential: bool
    n: float
    unit: str
    units: float
    needed: float | None
    test: str
    flips: Flips | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the candidate may replace the baseline."""
        return self.verdict == "pass"

    @property
    def exit_code(self) -> int:
        """What the command returns: 0 for pass, 3 for fail, 4 for undecided (1 and 2 are errors)."""
        return EXIT_CODES[self.verdict]

    @property
    def low(self) -> float:
        """The lower bound of the difference."""
        return self.limits.low if self.limits else -math.inf

    @property
    def high(self) -> float:
        """The upper bound of the difference."""
        return self.limits.high if self.limits else math.inf

    @property
    def sentence(self) -> str:
        """The verdict and its reason, for a pull request."""
        first, second = self.names
        what, apart = lower_first(self.title), number_text(self.difference, self.limits)
        worse, bound = (
            f"worse than {second} in {what}",
            f"{percent(self.confidence_level)} bound",
        )
        sample = f"{bound}, {self._cases()}, {self._method()}"
        side, end = ("at least", self.low) if self.direction == "higher" else ("at most", self.high)
        other, far = ("at most", self.high) if side == "at least" else ("at least", self.low)
        if self.verdict == "pass":
            shown = f"by {self.margin:g} or more" if self.margin else "at all"
            return f"Pass: {first} is not {worse} {shown}: difference {apart}, {side} {self._end(end)} ({sample})."
        if self.verdict == "fail":
            shown = f" by more than {self.margin:g}" if self.margin else ""
            return f"Fail: {first} is {worse}{shown}: difference {apart}, {other} {self._end(far)} ({sample})."
        if self.limits is None:
            return f"Undecided: the difference in {what} is {apart}, without limits: {self.why_no_limits}."
        between = f"between {self._end(self.low)} and {self._end(self.high)}"
        beyond = f" by more than {self.margin:g}" if self.margin else ""
        asked = f"whether {first} is {worse}{beyond} is open"
        return f"Undecided: the difference in {what} is {apart}, {between} ({bound}s, {self._cases()}, {self._method()}), so that {asked}. {self._more()}"

    def _end(self, value: float) -> str:
        return number_text(value, self.limits)

    def _cases(self) -> str:
        cases = count(self.n, "case")
        return cases if self.unit == "case" else f"{cases} in {count(self.units, self.unit)}"

    def _method(self) -> str:
        method = self.limits.method if self.limits else self.test
        return f"{method}, valid at every look" if self.sequential else method

    def _more(self) -> str:
        """Say how many more would settle it."""
        if self.needed is None:
            return "No number of cases would settle a difference that lies at the margin."
        more = max(self.needed - self.units, 1)
        return f"If the difference stays as it is, about {count(self.needed, self.unit)} in all ({more:,.0f} more) would decide it with 80 % power."

    def heading(self) -> str:
        """Say the verdict and its reason."""
        return self.sentence

    def cells(self) -> Cells:
        """Return a table of what the verdict rests on."""
        return ["", "value"], list(map(list, self._told()))

    def _told(self) -> Iterator[tuple[str, str]]:
        yield "verdict", self.verdict
        for role, name, value in zip(
            ("candidate", "baseline"), self.names, self.values, strict=False
        ):
            yield role if role == name else f"{role}: {name}", number_text(value)
        yield "difference", number_text(self.difference, self.limits)
        if self.limits is not None:
            level = f"{percent(self.confidence_level)} bounds, each one-sided"
            yield level, f"{self._end(self.low)} and {self._end(self.high)}"
        yield "margin", f"{self.margin:g}"
        yield "cases", self._cases()
        if self.flips is not None:
            yield "gained, lost", f"{self.flips.n_gained:,}, {self.flips.n_lost:,}"

    def markdown(self) -> str:
        """Return the verdict for a pull request or the summary of a step of GitHub Actions."""
        mark = {"pass": "✅", "fail": "❌", "undecided": "❔"}[self.verdict]
        sentences = [f"- {f}" for f in self.findings]
        table = markdown_table(*self.cells())
        return visible(
            "\n".join([f"{mark} **{self.sentence}**", "", table, "", *sentences]).rstrip() + "\n"
        )

    def junit(self) -> str:
        """Return the verdict as JUnit XML: a failure, or skipped where it is undecided.

        >>> from credibly import Predictions, gate
        >>> found = gate(Predictions.of(outcome=[1] * 96 + [0] * 4), measure="pass_rate", against=0.9)
        >>> print(found.junit().splitlines()[1])
        <testsuite name="credibly gate" tests="1" failures="0" skipped="0">
        """
        message = quoteattr(self.sentence)
        inside = {
            "pass": f"<system-out>{escape(self.sentence)}</system-out>",
            "fail": f"<failure message={message}>{escape(str(self))}</failure>",
            "undecided": f"<skipped message={message}/>",
        }[self.verdict]
        counts = f'failures="{self.verdict == "fail":d}" skipped="{self.verdict == "undecided":d}"'
        return "\n".join(
            [
                '<?xml version="1.0" encoding="UTF-8"?>',
                f'<testsuite name="credibly gate" tests="1" {counts}>',
                f'  <testcase classname="credibly.gate" name={quoteattr(self.measure)}>{inside}</testcase>',
                "</testsuite>",
                "",
            ]
        )

    def require(self, *, undecided: Literal["fail", "skip", "pass"] = "fail") -> None:
        """Fail a test of pytest with the sentence unless the gate is passed.

        ``undecided`` says what becomes of a verdict that is open: the test fails, is skipped or passes.

        >>> from credibly import Predictions, gate
        >>> gate(Predictions.of(outcome=[1] * 96 + [0] * 4), measure="pass_rate", against=0.9).require()
        """
        __tracebackhide__ = True  # of pytest, which then shows the line of the test
        if self.passed or (self.verdict == "undecided" and undecided == "pass"):
            return
        if self.verdict == "undecided" and undecided == "skip":
            import pytest

            pytest.skip(self.sentence)
        raise GateError(self.sentence)
