"""What a person sees while an experiment runs: done, failed, running and time left, by scheme."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING

from credibly._core.text import visible

if TYPE_CHECKING:
    from credibly.experiments.execution.tasks import FitAnswer
    from credibly.experiments.plan.cells import ExperimentDesign

MOST_ROWS = 12  # schemes that get a row of their own
ALL = "all"


def watched(
    answers: Generator[FitAnswer],
    made: ExperimentDesign,
    known: Mapping[str, str],
    n_jobs: int,
) -> Generator[FitAnswer]:
    """Pass answers on and, on a terminal, show them: a row for each scheme and one for the whole."""
    if not sys.stderr.isatty():
        yield from answers
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    schemes = {key: task.scheme.name for key, task in made.tasks.items()}
    totals = Counter(schemes.values())
    before = {k: s for k, s in known.items() if k in schemes}
    done = Counter(schemes[k] for k in before)
    failed = Counter(schemes[k] for k, status in before.items() if status != "done")
    bars = Progress(
        TextColumn("{task.description}", markup=False),  # names are data
        BarColumn(),
        TextColumn("{task.completed:.0f}/{task.total:.0f} done"),
        TextColumn("{task.fields[failed]} failed"),
        TextColumn("{task.fields[running]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    rows = {
        name: bars.add_task(
            visible(name), total=totals[name], completed=done[name], failed=failed[name], running=""
        )
        for name in (list(totals)[:MOST_ROWS] if len(totals) > 1 else [])
    }
    left = totals.total() - done.total()
    whole = bars.add_task(
        ALL, total=totals.total(), completed=done.total(), failed=failed.total(), running=""
    )
    with bars:
        for answer in answers:
            name, left = schemes[answer.key], left - 1
            failed[name] += answer.status != "done"
            if name in rows:
                bars.update(rows[name], advance=1, failed=failed[name])
            running = f"{min(n_jobs, left)} running"
            bars.update(whole, advance=1, failed=failed.total(), running=running)
            yield answer
