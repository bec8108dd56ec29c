"""What a person sees while an experiment runs: done, failed, running and time left, by scheme."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from credibly._core.layout import in_terminal
from credibly._core.progress import NotebookPlace, bar_html
from credibly._core.text import visible

if TYPE_CHECKING:
    from credibly.experiments.execution.tasks import FitAnswer
    from credibly.experiments.plan.cells import ExperimentDesign

MAX_ROWS = 12  # schemes that get a row of their own
ALL_SCHEMES = "all"


@dataclass(frozen=True, slots=True)
class Tally:
    """How many cells of each scheme there are, are done and have failed."""

    schemes: dict[str, str]  # by the key of a cell
    totals: Counter[str]
    done: Counter[str]
    failed: Counter[str]

    @classmethod
    def of(cls, made: ExperimentDesign, known: Mapping[str, str]) -> Tally:
        """Count what earlier runs have done."""
        schemes = {key: task.scheme.name for key, task in made.tasks.items()}
        before = {k: s for k, s in known.items() if k in schemes}
        failed = (schemes[k] for k, status in before.items() if status != "done")
        done = Counter(schemes[k] for k in before)
        return cls(schemes, Counter(schemes.values()), done, Counter(failed))

    def add(self, answer: FitAnswer) -> str:
        """Count an answer, and return its scheme."""
        name = self.schemes[answer.key]
        self.done[name] += 1
        self.failed[name] += answer.status != "done"
        return name

    @property
    def left(self) -> int:
        """Cells that are still to be done."""
        return self.totals.total() - self.done.total()

    @property
    def named(self) -> list[str]:
        """The schemes that get a row of their own."""
        return list(self.totals)[:MAX_ROWS] if len(self.totals) > 1 else []


def watched(
    answers: Generator[FitAnswer],
    made: ExperimentDesign,
    known: Mapping[str, str],
    n_jobs: int,
) -> Generator[FitAnswer]:
    """Pass answers on and, in a terminal or a notebook, show them: a row for each scheme and one for all."""
    place = NotebookPlace.here()
    if not (place or in_terminal(sys.stderr)):
        yield from answers
        return
    tally = Tally.of(made, known)
    with _in_notebook(tally, place) if place else _in_terminal(tally, n_jobs) as show:
        for answer in answers:
            show(tally.add(answer))
            yield answer


@contextmanager
def _in_terminal(tally: Tally, n_jobs: int) -> Iterator[Callable[[str], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bars = Progress(
        TextColumn("{task.description}", markup=False),  # names are data
        BarColumn(),
        TextColumn("{task.completed:.0f}/{task.total:.0f} done"),
        TextColumn("{task.fields[failed]} failed"),
        TextColumn("{task.fields[running]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )

    def row(title: str, total: int, done: int, failed: int) -> Any:  # noqa: ANN401
        return bars.add_task(title, total=total, completed=done, failed=failed, running="")

    t = tally
    rows = {n: row(visible(n), t.totals[n], t.done[n], t.failed[n]) for n in t.named}
    whole = row(ALL_SCHEMES, t.totals.total(), t.done.total(), t.failed.total())

    def show(name: str) -> None:
        if name in rows:
            bars.update(rows[name], advance=1, failed=t.failed[name])
        running = f"{min(n_jobs, t.left)} running"
        bars.update(whole, advance=1, failed=t.failed.total(), running=running)

    with bars:
        yield show


@contextmanager
def _in_notebook(tally: Tally, place: NotebookPlace) -> Iterator[Callable[[str], None]]:
    start, before = time.monotonic(), tally.done.total()

    def show(_: str, *, now: bool = False) -> None:
        done = tally.done.total()
        each = (time.monotonic() - start) / max(1, done - before)
        left = f", about {each * tally.left:,.0f} s left" if tally.left else ""
        failed = f", {tally.failed.total():,} failed" if tally.failed.total() else ""
        text = f"{done:,} of {tally.totals.total():,} cells are done{failed}{left}"
        place.write(_table(tally, text), text, now=now)

    show("", now=True)
    try:
        yield show
    finally:
        show("", now=True)


def _table(tally: Tally, said: str) -> str:
    """Write a bar for each scheme, and one for all."""
    rows = [(n, tally.done[n], tally.totals[n], tally.failed[n]) for n in tally.named]
    lines = "".join(
        f'<tr><td align="left" style="text-align:left">{escape(visible(name))}</td>'
        f"<td>{bar_html(done, total)}</td><td>{done:,} of {total:,}</td>"
        f"<td>{f'{failed:,} failed' if failed else ''}</td></tr>"
        for name, done, total, failed in rows
    )
    whole = bar_html(tally.done.total(), tally.totals.total())
    return f'<div class="credibly"><p>{whole} {escape(said)}</p><table>{lines}</table></div>'
