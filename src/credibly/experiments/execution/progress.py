"""What a person sees while an experiment runs: done, failed, running and time left, by scheme."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from credibly._core.text import visible

if TYPE_CHECKING:
    from credibly.experiments.execution.tasks import FitAnswer
    from credibly.experiments.plan.cells import ExperimentDesign

    Seen = Callable[[Generator[FitAnswer]], Generator[FitAnswer]]

MOST_ROWS = 12  # schemes that get a row of their own


@contextmanager
def watched(
    made: ExperimentDesign, known: Mapping[str, str], n_jobs: int, *, show: bool
) -> Iterator[Seen]:
    """Give a function that passes answers on and shows them, on a terminal, where that is wanted."""
    if not show or not sys.stderr.isatty():
        yield lambda answers: answers
        return
    with _ProgressDisplay(made, known, n_jobs) as display:
        yield display.seen


class _ProgressDisplay:
    """A row for the whole and one for each scheme."""

    def __init__(self, made: ExperimentDesign, known: Mapping[str, str], n_jobs: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._schemes = {key: task.scheme.name for key, task in made.tasks.items()}
        self._failed: Counter[str] = Counter()
        self._n_jobs = n_jobs
        self._bars: Any = Progress(
            TextColumn("{task.description}", markup=False),  # names are data
            BarColumn(),
            TextColumn("{task.completed:.0f}/{task.total:.0f} done"),
            TextColumn("{task.fields[failed]} failed"),
            TextColumn("{task.fields[running]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        totals = Counter(self._schemes.values())
        before = Counter(self._schemes[k] for k in known if k in self._schemes)
        failed = Counter(
            self._schemes[k] for k, s in known.items() if s != "done" and k in self._schemes
        )
        self._failed += failed
        listed = list(totals)[:MOST_ROWS] if len(totals) > 1 else []
        self._rows = {
            name: self._row(name, totals[name], before[name], failed[name]) for name in listed
        }
        self._all = self._row("all", totals.total(), before.total(), failed.total())

    def _row(self, name: str, total: int, done: int, failed: int) -> Any:  # noqa: ANN401
        return self._bars.add_task(
            visible(name), total=total, completed=done, failed=failed, running=""
        )

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def seen(self, answers: Generator[FitAnswer]) -> Generator[FitAnswer]:
        """Pass answers on and count them."""
        try:
            for answer in answers:
                self._count(answer)
                yield answer
        finally:
            answers.close()

    def _count(self, answer: FitAnswer) -> None:
        name = self._schemes[answer.key]
        self._failed[name] += answer.status != "done"
        if name in self._rows:
            self._bars.update(self._rows[name], advance=1, failed=self._failed[name])
        left = self._bars.tasks[-1].remaining - 1
        running = f"{min(self._n_jobs, left):.0f} running"
        self._bars.update(self._all, advance=1, failed=self._failed.total(), running=running)
