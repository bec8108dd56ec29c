"""A progress bar for work that turns out to be long."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

PATIENCE = 1.0  # seconds before a bar appears

T = TypeVar("T")


def track(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Pass items on, showing on a terminal how many are done once it takes more than a second.

    >>> list(track([1, 2], 2, "replicates"))
    [1, 2]
    """
    if not sys.stderr.isatty():
        yield from items
        return
    start, bar = time.monotonic(), None
    try:
        for done, item in enumerate(items):
            if bar is None and time.monotonic() - start > PATIENCE:
                bar = _bar(total, what)
            if bar is not None:
                bar.update(bar.task_ids[0], completed=done)
            yield item
    finally:
        if bar is not None:
            bar.stop()


def _bar(total: int, what: str) -> Any:  # noqa: ANN401
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    bar.add_task(what, total=total)
    bar.start()
    return bar
