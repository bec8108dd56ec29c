"""How the sections of a report are declared: each a generator of blocks, in the order of its file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from credibly._core.formulas import formulas, with_plain_formulas
from credibly.reports.document import Definition, Section

if TYPE_CHECKING:
    from credibly.reports.document import Block

M = TypeVar("M")


class Sections(Generic[M]):
    """The sections of one kind of report, which all read the same context.

    >>> from credibly.reports.document import Paragraph
    >>> section = Sections()
    >>> @section("How much")
    ... def how_much(context):
    ...     yield Paragraph(f"{context} in all.")
    >>> section.of(5)[0].blocks
    (Paragraph(text='5 in all.'),)
    """

    def __init__(self) -> None:
        self._declared: list[tuple[str, Callable[[M], Iterator[Block]]]] = []

    def __call__(
        self, title: str
    ) -> Callable[[Callable[[M], Iterator[Block]]], Callable[[M], Iterator[Block]]]:
        """Declare the decorated generator of blocks as a section of this title."""

        def declare(blocks: Callable[[M], Iterator[Block]]) -> Callable[[M], Iterator[Block]]:
            self._declared.append((title, blocks))
            return blocks

        return declare

    def of(self, context: M) -> tuple[Section, ...]:
        """Return the sections that have something to say."""
        made = (Section(title, tuple(blocks(context))) for title, blocks in self._declared)
        return tuple(s for s in made if s.blocks)


def definition_of(entry: Any) -> Definition:  # noqa: ANN401
    """Define a declared thing by what its declaration says, with the formula of a measure."""
    formula = next(iter(formulas(entry.doc)), "")
    summary = getattr(entry, "summary", None)
    words = summary if summary is not None else entry.doc.split("\n\n")[0]
    text = with_plain_formulas(" ".join(words.replace("`", "").split()))
    return Definition(entry.title, text, formula if summary is not None else "", entry.cite)
