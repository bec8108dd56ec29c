"""A document as data: blocks that every format renders in its own way, and how its sections are declared."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from credibly._core.findings import Finding
from credibly._core.formulas import formulas, with_plain_formulas
from credibly.results.figure import Figure
from credibly.results.result import Cells

M = TypeVar("M")
MIN_FOLDED_ROWS = 20  # rows from which a table is folded


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences."""

    text: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What to doubt, the worst first."""

    findings: tuple[Finding, ...]

    def by_code(self) -> list[list[Finding]]:
        """Return them with those of one code together, in the order of the first of each; templates ask for it."""
        found: dict[str, list[Finding]] = {}
        for f in self.findings:
            found.setdefault(f.code, []).append(f)
        return list(found.values())


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; ``folded`` ones are shown on request where a format can do that."""

    caption: str
    header: tuple[str, ...]
    body: tuple[tuple[str, ...], ...]
    folded: bool = False

    @classmethod
    def of(cls, caption: str, cells: Cells, *, folded: bool | None = None) -> Grid:
        """Make it of header and body, folded if it is long, unless that is said."""
        header, body = cells
        fold = len(body) > MIN_FOLDED_ROWS if folded is None else folded
        return cls(caption, tuple(header), tuple(map(tuple, body)), fold)


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A figure; ``model`` names the one it is about, where there are several."""

    figure: Figure
    model: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """A command or some source, to be copied."""

    text: str

    @property
    def language(self) -> str:
        """The shell's, for a command of this program, or Python."""
        return "sh" if self.text.split(maxsplit=1)[:1] == ["credibly"] else "python"


@dataclass(frozen=True, slots=True)
class Definition:
    """What a number shown in the document means, and where it comes from; the formula in LaTeX's language."""

    term: str
    text: str
    formula: str = ""
    reference: str = ""


Tone = Literal["", "good", "doubtful", "bad"]  # whether a figure speaks for what is judged


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """One of the figures at the top; ``anchor`` is the section that says more."""

    label: str
    value: str
    detail: str = ""
    tone: Tone = ""
    anchor: str = ""


Block = Paragraph | Findings | Grid | Picture | Code | Definition


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """Blocks under a heading."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def anchor(self) -> str:
        """What links to it are written with.

        >>> Section("How well it does", ()).anchor
        'how-well-it-does'
        """
        return "-".join(re.findall(r"\w+", self.title.lower()))


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A title, a headline in plain language, and sections; ``data`` is what a machine would read.

    ``models`` are the names that a reader may show and hide, ``key_figures`` what stands at the top.
    """

    title: str
    headline: str
    sections: tuple[Section, ...]
    data: Mapping[str, Any] = field(default_factory=dict)
    models: tuple[str, ...] = ()
    key_figures: tuple[KeyFigure, ...] = ()

    def figures(self) -> list[Figure]:
        """Return every figure in order."""
        return [b.figure for s in self.sections for b in s.blocks if isinstance(b, Picture)]


class Sections(Generic[M]):
    """The sections of one kind of report, which all read the same context.

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

    @property
    def titles(self) -> list[str]:
        """The titles of all that are declared."""
        return [title for title, _ in self._declared]

    def of(self, context: M, left: Collection[str] = ()) -> tuple[Section, ...]:
        """Return the sections that have something to say; those that are left out are not made."""
        wanted = ((title, blocks) for title, blocks in self._declared if title not in left)
        made = (Section(title, tuple(blocks(context))) for title, blocks in wanted)
        return tuple(s for s in made if s.blocks)


def definition_of(entry: Any) -> Definition:  # noqa: ANN401
    """Define a declared thing by what its declaration says, with the formula of a measure."""
    formula = next(iter(formulas(entry.doc)), "")
    summary = getattr(entry, "summary", None)
    words = summary if summary is not None else entry.doc.split("\n\n")[0]
    text = with_plain_formulas(" ".join(words.replace("`", "").split()))
    return Definition(entry.title, text, formula if summary is not None else "", entry.cite)
