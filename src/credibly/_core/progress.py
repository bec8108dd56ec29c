"""What a person sees of work that turns out to be long: in a terminal or in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, TypeVar

from credibly._core.layout import in_terminal

DELAY_SECONDS = 1.0  # before a bar appears
REFRESH_SECONDS = 0.2  # between two updates in a notebook

T = TypeVar("T")


class NotebookPlace:
    """A place below the cell of a notebook that can be written again.

    >>> NotebookPlace.here() is None  # outside of a notebook
    True
    """

    def __init__(self, display: Callable[..., Any]) -> None:
        self._display = display
        self._handle: Any = None
        self._last = 0.0

    @classmethod
    def here(cls) -> NotebookPlace | None:
        """Return a place where Python runs in a notebook; none elsewhere."""
        if "IPython" not in sys.modules:
            return None
        from IPython import get_ipython
        from IPython.display import display

        return cls(display) if hasattr(get_ipython(), "kernel") else None

    def write(self, html: str, text: str, *, now: bool = False) -> None:
        """Show markup, or text where there is none, unless it was written just before."""
        if not now and time.monotonic() - self._last < REFRESH_SECONDS:
            return
        self._last = time.monotonic()
        shown = {"text/html": html, "text/plain": text}
        if self._handle is None:
            self._handle = self._display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)


def bar_html(done: float, total: float) -> str:
    """Write a bar of how much is done.

    >>> bar_html(1, 4)
    '<progress value="1" max="4" style="vertical-align:middle">1 of 4</progress>'
    """
    return f'<progress value="{done:g}" max="{total:g}" style="vertical-align:middle">{done:,g} of {total:,g}</progress>'


def track(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Pass items on, showing how many are done once it takes more than a second.

    >>> list(track([1, 2], 2, "replicates"))
    [1, 2]
    """
    place = NotebookPlace.here()
    if not (place or in_terminal(sys.stderr)):
        yield from items
        return
    start = time.monotonic()
    with _shown(total, what, place) as show:
        for done, item in enumerate(items):
            if time.monotonic() - start > DELAY_SECONDS:
                show(done)
            yield item


@contextmanager
def _shown(total: int, what: str, place: NotebookPlace | None) -> Iterator[Callable[[int], None]]:
    """Yield what draws how many are done; it is erased when all are done."""
    bars: list[Any] = []

    def in_terminal(done: int) -> None:
        if not bars:
            bars.append(_bar(total, what))
        bars[0].update(bars[0].task_ids[0], completed=done)

    def in_notebook(done: int) -> None:
        text = f"{what} {done:,} of {total:,}"
        bars[:] = [text]
        assert place is not None  # noqa: S101
        place.write(f"{bar_html(done, total)} {escape(text)}", text)

    try:
        yield in_notebook if place else in_terminal
    finally:
        if place and bars:
            place.write("", "", now=True)
        elif bars:
            bars[0].stop()


def _bar(total: int, what: str) -> Any:  # noqa: ANN401
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    bar.add_task(what, total=total)
    bar.start()
    return bar
