"""The parts of a decision over many tasks, and how it is presented."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from credibly._core.findings import Finding
from credibly._core.text import (
    count,
    interval_text,
    lower_first,
    number_text,
    p_is,
    percent,
    pvalue_text,
)
from credibly.errors import listed
from credibly.results.formats import Column, table_of
from credibly.results.interval import Interval
from credibly.results.result import Blocks, Cells, Result

Weights = Literal["task", "case"]
Verdict = Literal["yes", "no", "undecided"]
WEIGHTING_WORDS = {"task": "each task counts the same", "case": "each case counts the same"}
MAX_SHOWN_TASKS = 12  # that a text shows all of
MAX_SHOWN_CHANGES = 5  # of the largest gains and losses where there are more
VERDICT_WORDS = {1: "better", -1: "worse", 0: "not settled"}


class ModelStanding(Result, eq=True):
    """What one model reaches over all tasks, and which ranks it may have."""

    model: str
    value: float
    interval: Interval | None
    rank_low: int
    rank_high: int

    row_keys = "model value *_ends rank_low rank_high"

    @property
    def may_be_best(self) -> bool:
        """Whether no other model is shown to be better."""
        return self.rank_low == 1


class TaskDifference(Result, eq=True):
    """By how much a model differs from another on one task, or over all of them (``task`` is empty).

    ``interval`` holds together with those of all other tasks and models; ``pvalue`` is of this difference
    alone and ``adjusted_pvalue`` among all of them.
    """

    model: str
    against: str
    task: str
    cases: int
    value: float
    against_value: float
    difference: float
    interval: Interval | None
    pvalue: float
    adjusted_pvalue: float
    gain: int  # 1 where the model is shown to be better, -1 where it is worse

    json_keys = "model against task cases value against_value difference interval pvalue adjusted_pvalue verdict"
    row_keys = "model against task cases value against_value difference *_ends pvalue adjusted_pvalue verdict"

    @property
    def verdict(self) -> str:
        """What is shown: better, worse, or nothing."""
        return VERDICT_WORDS[self.gain]


class NoWorse(Result, eq=True):
    """Whether a model is no worse than another on any task by more than a margin.

    ``task`` is where it comes closest to being worse, and ``margin_shown`` the smallest margin for which the
    answer would be yes.
    """

    model: str
    against: str
    margin: float
    verdict: Verdict
    task: str
    margin_shown: float


class Benchmarks(Result):
    """One decision over many tasks: who is better, where it gains and loses most, and what may be tied.

    >>> import numpy as np, credibly
    >>> rng = np.random.default_rng(1)
    >>> task = np.repeat(["maths", "reading"], [200, 100])
    >>> old = rng.random(300) < 0.6
    >>> new = old ^ (rng.random(300) < np.where(old, 0.02, 0.3))
    >>> p = credibly.Predictions.of(outcome={"old": old, "new": new}, columns={"task": task})
    >>> found = credibly.benchmarks(p, against="old")
    >>> found.overall[0].verdict, [t.verdict for t in found.tasks], found.standings[0].may_be_best
    ('better', ['better', 'better'], True)
    """

    measure: str
    title: str
    better: str
    weights: Weights
    confidence_level: float
    standings: tuple[ModelStanding, ...]
    overall: tuple[TaskDifference, ...]
    tasks: tuple[TaskDifference, ...]
    tests: Mapping[str, Mapping[str, float]]
    no_worse: tuple[NoWorse, ...] = ()
    findings: tuple[Finding, ...] = ()

    versioned = True
    row_parts = "differences"

    @property
    def differences(self) -> tuple[TaskDifference, ...]:
        """The differences over all tasks, then those on each."""
        return (*self.overall, *self.tasks)

    @property
    def largest_gain(self) -> TaskDifference:
        """The task on which a model gains most over the model it is compared with."""
        return max(self.tasks, key=self.gained)

    @property
    def largest_loss(self) -> TaskDifference:
        """The task on which a model loses most against the model it is compared with."""
        return min(self.tasks, key=self.gained)

    def gained(self, t: TaskDifference) -> float:
        """Return a difference as a gain: positive where it is for the better."""
        return t.difference if self.better == "higher" else -t.difference

    def heading(self) -> str:
        """Say what was compared."""
        tasks = len({t.task for t in self.tasks})
        return f"{self.title} of {count(len(self.standings), 'model')} on {count(tasks, 'task')}; {WEIGHTING_WORDS[self.weights]}"

    def meaning(self) -> str:
        """Say who is better, and where gain and loss are largest."""
        best = [s.model for s in self.standings if s.may_be_best]
        if len(self.standings) > 2:
            tied = (
                f"{best[0]} is the best"
                if len(best) == 1
                else f"{len(best)} of {len(self.standings)} models may be the best: {listed(best, most=MAX_SHOWN_CHANGES)}"
            )
            return f"{tied} ({percent(self.confidence_level)} for all ranks together)."
        d = self.overall[0]
        how = {1: "is better than", -1: "is worse than", 0: "is not shown to differ from"}[d.gain]
        text = f"{d.model} {how} {d.against} over all tasks: {_signed(d)}."
        if len(self.tasks) > 1:
            gain, loss = self.largest_gain, self.largest_loss
            most = "Largest gain" if self.gained(gain) > 0 else "Smallest loss"
            least = "largest loss" if self.gained(loss) < 0 else "smallest gain"
            text += f" {most}: {gain.task} {_signed(gain)}; {least}: {loss.task} {_signed(loss)}."
        return text

    def blocks(self) -> Blocks:
        """Yield the models, the differences over all tasks, and those on single tasks."""
        level = f"{percent(self.confidence_level)}"
        ranks: dict[str, Column] = {
            "model": "model",
            lower_first(self.title): lambda s: interval_text(s.value, s.interval),
            f"rank ({level}, all together)": lambda s: (
                f"{s.rank_low}" if s.rank_low == s.rank_high else f"{s.rank_low} to {s.rank_high}"
            ),
        }
        yield "", *table_of(self.standings, ranks)
        yield f"Over all tasks{self._minus()}", *self._differences(self.overall)
        shown = self.tasks
        title = f"On each task{self._minus()}"
        if len(shown) > MAX_SHOWN_TASKS:
            order = sorted(shown, key=self.gained)
            shown = (*order[-MAX_SHOWN_CHANGES:][::-1], *order[:MAX_SHOWN_CHANGES])
            title = f"Where gain and loss are largest{self._minus()}"
        yield title, *self._differences(shown)

    def _minus(self) -> str:
        """Say what a difference is, where no column does."""
        d = self.overall[0]
        return f": {d.model} minus {d.against}" if len(self.standings) == 2 else ""

    def cells(self) -> Cells:
        """Return the differences over all tasks and on each."""
        return self._differences(self.differences)

    def _differences(self, shown: Sequence[TaskDifference]) -> Cells:
        several = len(self.standings) > 2
        columns: dict[str, Column] = {
            **({"model": lambda d: f"{d.model} - {d.against}"} if several else {}),
            "task": lambda d: d.task or "all",
            "cases": lambda d: f"{d.cases:,}",
            "difference": lambda d: number_text(d.difference, d.interval),
            f"{percent(self.confidence_level)} interval, simultaneous": lambda d: (
                interval_text(None, d.interval) or "none"
            ),
            "p, adjusted": lambda d: pvalue_text(d.adjusted_pvalue),
            "": "verdict",
        }
        return table_of(shown, columns)

    def remarks(self) -> Iterator[str]:
        """Say what the tests are, and whether a model is no worse anywhere."""
        for name, tests in self.tests.items():
            text = ", ".join(f"{test} {p_is(p)}" for test, p in tests.items())
            yield f"{name} over all tasks: {text}."
        for n in self.no_worse:
            how = {
                "yes": f"{n.model} is no worse than {n.against} on any task by more than {n.margin:g}",
                "no": f"{n.model} is worse than {n.against} by more than {n.margin:g} on {n.task}",
                "undecided": f"It is not shown that {n.model} is no worse than {n.against} on any task by more than {n.margin:g}: {n.task} leaves it open",
            }[n.verdict]
            yield f"{how}; shown is a margin of {number_text(n.margin_shown)}."
        yield (
            f"Intervals of all differences in a table hold together with {percent(self.confidence_level)} (max-T), "
            "about new cases of these tasks. No worse on any task: each task is tested by itself at the same level, "
            "which errs no more often where all must pass."
        )


def _signed(d: TaskDifference) -> str:
    text = interval_text(d.difference, d.interval)
    return text if d.difference < 0 else f"+{text}"
