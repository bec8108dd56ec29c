"""The one contract of results: a class states what it holds, and its texts, rows and JSON follow."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from dataclasses import Field, FrozenInstanceError, dataclass, field, fields
from functools import cache
from inspect import ismethod
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    NamedTuple,
    TypeVar,
    dataclass_transform,
)

from credibly._core.entry_names import PlotName
from credibly._core.findings import Finding, joined
from credibly._core.layout import Printed, fitted_table, folded, in_terminal, terminal_width, within
from credibly._core.search_names import search_names
from credibly._core.text import count, lower_first, plain_table, visible
from credibly.errors import Everything, did_you_mean, listed, says
from credibly.results.about import about_text
from credibly.results.formats import (
    SCHEMA_VERSION,
    by_column,
    by_row,
    cell_text,
    frame_of,
    json_text,
    plain,
)

if TYPE_CHECKING:
    from credibly.results.figure import Figure

T = TypeVar("T")
Block = tuple[str, list[str], list[list[str]]]  # a table with its title
WIDTH = 80  # for which it is chosen, so that narrow terminals and pipes show the same
MAX_TABLE_LINES, SPARE_LINES = 18, 5  # of tables, and how many more are not worth leaving out
MIN_TABLE_ROWS = 3  # rows of a table that is shown at all, and names of what is not shown
# What editors offer of every result.
FOR_PEOPLE = {"all", "all_findings", "frame", "meaning", "plot", "rows", "to_dict", "to_json"}
MAX_NAMES = 8  # names that a message lists where another one was asked for
TableText = Callable[[list[str], list[list[str]]], str]  # how a table is written
Cells = tuple[list[str], list[list[str]]]  # header and body of a table as people read it
Blocks = Iterator[Block]  # of several tables, each with its title


class Plotted(Printed):
    """Something that has declared pictures."""

    __slots__ = ()

    @search_names({"savefig, write_image, show, draw": ".plot().save('picture.png')"})
    def plot(self, kind: PlotName | None = None, **options: Any) -> Figure:  # noqa: ANN401
        """Show it: a :class:`~credibly.plots.Figure`, as by :func:`credibly.plot`.

        ``kind`` is a name from ``credibly list plots``, the first that suits by default.
        """
        from credibly.results.plot import plot

        return plot(self, kind, **options)


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
class Result(Plotted):
    """What a computation returns: a frozen dataclass whose presentation is derived from what it holds.

    Its subclasses are dataclasses by themselves; those that are equal where their fields are say ``eq=True``.

    A class states what differs from this: JSON has every field, the rows are those of ``row_parts`` or
    one with the fields that are no tables themselves, the text is the ``heading`` (a field, a property
    or a method), the table of ``cells``, the ``remarks`` and the findings. Attributes are named by
    words separated by spaces; one with dots is looked up in parts, and a method is called.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls, *, eq: bool = False) -> None:
        super().__init_subclass__()
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = Result.__repr__  # type: ignore[method-assign]  # not a dataclass's
        if "__dataclass_fields__" not in cls.__dict__:
            dataclass(frozen=True, eq=eq, repr=False)(cls)
            # Those of this class do, and leave a decorator of a plug-in its place.
            del cls.__setattr__, cls.__delattr__

    def __dir__(self) -> list[str]:
        """Return what people read: what it holds and what its class adds, not how its text is made."""
        how = {n for c in (Result, Plotted) for n in vars(c) if n not in FOR_PEOPLE}
        return [n for n in super().__dir__() if n[:2] == "__" or not (n[0] == "_" or n in how)]

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    # What JSON holds, in its order: `name`, `key=attribute`, `name?` (null where it is empty, as every
    # `why_...` is), `[name]` (left out where it is empty), `*mapping` (its items).
    json_keys: ClassVar[str] = ""
    versioned: ClassVar[bool] = False  # whether its dictionary says the version of the schema too
    indent: ClassVar[int | None] = 2  # of JSON, unless asked otherwise
    # What its one row holds; of JSON all that is no table, when not given. `*_ends` are those of its interval.
    row_keys: ClassVar[str] = ""
    # Arrays of which each row holds a number, as `name` or `key=attribute`.
    row_columns: ClassVar[str] = ""
    # Results whose rows are its rows; of one, table and text are its too.
    row_parts: ClassVar[str] = ""
    empty_columns: ClassVar[str] = ""  # columns of a frame without rows
    finding_parts: ClassVar[str] = ""  # whose findings are its own too
    tells_findings: ClassVar[bool] = False  # whether its table says what it found
    shows_all: bool = False  # whether its text is as long as it needs to be, not one screen

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON except for NaN and infinity."""
        version = {"schema_version": SCHEMA_VERSION} if self.versioned else {}
        return version | self._named(self.json_keys or " ".join(f.name for f in fields(self)))

    def _named(self, words: str) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for entry in _entries(words):
            value = value_at(self, entry.path)
            empty = entry.empty and (value is None or (isinstance(value, Sized) and not len(value)))
            if entry.empty == "left out" and empty:
                continue
            shown: Any = None if empty else plain(value)
            made |= shown if entry.spread else {entry.key: shown}
        return made

    def _ends(self) -> dict[str, Any]:
        """Return the ends of its interval as a row holds them, also where it has none."""
        return ends(value_at(self, "interval"))

    def to_json(self, indent: int | None = -1) -> str:
        """Return JSON with full precision; NaN is ``null``, infinities are strings."""
        whole = {"schema_version": SCHEMA_VERSION, **self.to_dict()}
        spaces = self.indent if indent == -1 else indent
        return json_text(whole, spaces)

    def rows(self) -> list[dict[str, Any]]:
        """Return flat dictionaries: the long form."""
        if self.row_parts:
            return [row for part in self._parts(self.row_parts) for row in part.rows()]
        if self.row_columns:
            entries = _entries(self.row_columns)
            return by_row({each.key: value_at(self, each.path) for each in entries})
        if self.row_keys:
            return [self._named(self.row_keys)]
        kept = self.to_dict().items()
        return [{k: v for k, v in kept if k != "schema_version" and not isinstance(v, dict | list)}]

    @search_names(
        {
            "to_frame, to_pandas, to_dataframe, to_polars, to_df, df, head, values": ".frame()",
            "columns, index, shape": ".frame(), which has it",
            "to_csv": ".frame().to_csv(...)",
            "to_html, to_markdown, to_string": ".frame().to_html(...)",
            "confusion_matrix": ".details['confusion_matrix']",
            "summary, describe": "print(...)",
            "to_excel": ".frame().to_excel(...)",
            "to_parquet": ".frame().to_parquet(...)",
            "to_latex": ".frame().to_latex(...)",
        }
    )
    def frame(self, backend: Any = "pandas") -> Any:  # noqa: ANN401
        """Return the rows as a frame of ``backend`` (pandas, polars, pyarrow)."""
        return frame_of(
            by_column(self.rows(), (self._described_by() or self).empty_columns.split()), backend
        )

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        described_by = self._described_by()
        if described_by is not None:
            return described_by.cells()
        rows = self.rows()
        of_one = not (self.row_parts or self.row_columns)
        if of_one and type(self).rows is Result.rows:
            return ["", "value"], [[_spaced(k), cell_text(v)] for k, v in rows[0].items()]
        columns = by_column(rows, self.empty_columns.split())
        body = [list(map(cell_text, row)) for row in zip(*columns.values(), strict=True)]
        return list(map(_spaced, columns)), body

    def blocks(self) -> Blocks:
        """Yield title, header and body of each table that its text shows: none where there is nothing in it."""
        described_by = self._described_by()
        if described_by is not None and type(self).cells is Result.cells:
            yield from described_by.blocks()
        elif (cells := self.cells())[1]:
            yield "", *cells

    def meaning(self) -> str:
        """Say in a sentence what it means; nothing where its heading does."""
        described_by = self._described_by()
        return "" if described_by is None else described_by.meaning()

    def remarks(self) -> Iterable[str]:
        """Return the sentences below the table."""
        described_by = self._described_by()
        return () if described_by is None else described_by.remarks()

    def all_findings(self) -> tuple[Finding, ...]:
        """Return its findings and those of its parts, each once."""
        own = value_at(self, "findings") if hasattr(self, "findings") else ()
        each = [f for part in self._parts(self.finding_parts) for f in part.all_findings()]
        return tuple(dict.fromkeys((*own, *each)))

    def told_findings(self) -> tuple[Finding, ...]:
        """Return the findings that its text tells: how predictions were read, they say themselves."""
        return tuple(f for f in self.all_findings() if self.shows_all or not f.of_reading)

    @property
    def all(self) -> Result:
        r"""The same result, whose text shows every table and row.

        >>> import credibly
        >>> p = credibly.Predictions.of([0, 0, 1, 1] * 25, probability=[0.1, 0.4, 0.3, 0.8] * 25)
        >>> c = credibly.calibration(p)
        >>> len(str(c).split("\n")) < len(str(c.all).split("\n"))
        True
        """
        return Whole(self)

    def screen(self) -> Screen:
        """Return the tables of its text: those of one screen, or all."""
        return Screen(list(self.blocks()), []) if self.shows_all else first_screen(self.blocks())

    def laid_out(self, table: TableText = plain_table, title: str = "{}") -> list[str]:
        """Return the heading and the tables of its text, each below its title if it has one."""
        lines = [visible(head)] if (head := self.heading_text()) else []
        for name, header, body in self.screen().blocks:
            lines += [*(["", title.format(name)] if name else []), table(header, body)]
        return lines

    def left_out(self) -> list[str]:
        """Return in words what its tables leave out of a first look."""
        described_by = self._described_by()
        return [] if described_by is None else described_by.left_out()

    def said_below(self, *, on_screen: bool = True) -> list[str]:
        """Return the sentences below its tables: its remarks, and what they or a screen leave out."""
        hidden = [*self.left_out(), *(self.screen().hidden if on_screen else [])]
        sentence = says(
            "Not shown: {what}; see {all}.", what=listed(hidden or [""]), all=Everything("all")
        )
        return [*map(str, self.remarks()), *([str(sentence)] if hidden else [])]

    def __str__(self) -> str:
        """Write what it means, its tables and what to doubt; in a terminal within its width."""
        meaning = self.meaning()
        lead = [] if meaning in {"", self.heading_text()} else [meaning]
        below = [*self.said_below(), *(f"  {f}" for f in joined(self.told_findings()))]
        if not in_terminal(sys.stdout):
            lines = self.laid_out()
            return "\n".join([*lead, *lines, *([""] if "" in lines and below else []), *below])
        width = terminal_width()
        every = [*(f"{said}\n" for said in lead), *self.laid_out(within(width)), *below]
        return "\n".join(part for line in every for part in folded(visible(line), width))

    def __repr__(self) -> str:
        """Write it as a prompt shows it: as it is printed."""
        return str(self)

    def _repr_html_(self) -> str:
        from credibly.results.notebook import html_of

        return html_of(self)

    def is_line(self) -> bool:
        """Whether its text is a line of its own making, beside which a table would be for programs."""
        return type(self).__str__ is not Result.__str__ and not self.heading_text()

    def about_intervals(self) -> str:
        """Say what the intervals that it holds are about, and how they were made."""
        described_by = self._described_by()
        if described_by is not None:
            return described_by.about_intervals()
        return about_text({id(i): i for i in self._intervals()}.values())

    def _intervals(self) -> Iterator[Result]:
        """Yield the intervals that it holds, its own and those of its parts."""
        for each in fields(self):
            yield from _intervals_in(getattr(self, each.name))

    def heading_text(self) -> str:
        """Return its heading, or that of the one result that presents it."""
        if hasattr(self, "heading"):
            return str(value_at(self, "heading"))
        described_by = self._described_by()
        return "" if described_by is None else described_by.heading_text()

    def _described_by(self) -> Result | None:
        """Return the one result that it holds all rows of, if there is one."""
        part = value_at(self, self.row_parts) if self.row_parts else None
        return part if isinstance(part, Result) else None

    def _parts(self, paths: str) -> Iterator[Any]:
        for path in paths.split():
            part = value_at(self, path)
            yield from part if isinstance(part, tuple | list) else () if part is None else (part,)


class Whole(Result):
    """A result whose text shows all of it."""

    result: Result

    json_keys = "*result"
    row_parts = "result"
    finding_parts = "result"
    shows_all = True


class Collected(Result, Generic[T]):
    """A result that holds others, each of which is looked up by its name, not unpacked.

    ``members`` says which attribute has them, and which attribute of each is the name.
    """

    __iter__ = None
    members: ClassVar[str]

    def __len__(self) -> int:
        return len(value_at(self, self.members.split()[0]))

    def __getitem__(self, name: Any) -> T:  # noqa: ANN401
        held, key = self.members.split()
        names = []
        for each in value_at(self, held):
            names.append(value_at(each, key))
            if names[-1] == name:
                found: T = each
                return found
        known = [" against ".join(n) if isinstance(n, tuple) else str(n) for n in names]
        more = " ..." if len(known) > MAX_NAMES else ""
        raise KeyError(
            f"{name!r} is not among these; there are: {'; '.join(known[:MAX_NAMES])}{more}."
            f"{did_you_mean(str(name), known)}"
        )


def _spaced(name: str) -> str:
    return name.replace("_", " ")


class _Entry(NamedTuple):
    key: str
    path: str
    spread: bool
    empty: str  # what becomes of an empty value, if something does


@cache
def _entries(words: str) -> tuple[_Entry, ...]:
    """Read which attributes JSON holds.

    >>> _entries("*keys curve=name estimate? [bound]")[1:3]
    (_Entry(key='curve', path='name', spread=False, empty=''), _Entry(key='estimate', path='estimate', spread=False, empty='null'))
    """
    entries = []
    for word in words.split():
        key, _, path = word.strip("[]*?").partition("=")
        nulled = word.endswith("?") or word.startswith("why_")
        empty = "null" if nulled else "left out" if word.startswith("[") else ""
        entries.append(_Entry(key, path or key, word.startswith("*"), empty))
    return tuple(entries)


def value_at(thing: object, path: str) -> Any:  # noqa: ANN401
    """Return an attribute, also of an attribute; a method is called, and a part that is None stays so."""
    for name in path.split("."):
        if thing is None:
            break
        thing = getattr(thing, name)
        thing = thing() if ismethod(thing) else thing
    return thing


class Screen(NamedTuple):
    """The tables that a first screen shows, and what it leaves out in words."""

    blocks: list[Block]
    hidden: list[str]


def first_screen(blocks: Iterable[Block]) -> Screen:
    """Choose what fits: the first table, or its first rows, and of the others those that are short enough.

    >>> rows = [[str(i)] for i in range(30)]
    >>> shown, hidden = first_screen([("", ["n"], rows), ("Tests", ["test"], [["t"]])])
    >>> len(shown[0][2]), hidden
    (17, ['13 more rows', 'tests (1 row)'])
    """
    every = list(blocks)
    if sum(map(_lines, every)) <= MAX_TABLE_LINES + SPARE_LINES:
        return Screen(every, [])
    shown, hidden, room = list[Block](), list[str](), MAX_TABLE_LINES
    for title, header, body in every:
        kept = (title, header, body if shown else _first_rows(header, body))
        if _lines(kept) > room and shown:
            hidden.append(f"{lower_first(title or 'another table')} ({count(len(body), 'row')})")
            continue
        shown.append(kept)
        room -= _lines(kept)
        if left := len(body) - len(kept[2]):
            hidden.append(f"{count(left, 'more row')}")
    if len(hidden) > MIN_TABLE_ROWS:
        hidden = [
            *hidden[: MIN_TABLE_ROWS - 1],
            count(len(hidden) - MIN_TABLE_ROWS + 1, "more table"),
        ]
    return Screen(shown, hidden)


def _lines(block: Block) -> int:
    title, header, body = block
    if len(body) > MAX_TABLE_LINES + SPARE_LINES:
        return len(body)
    return 2 * bool(title) + len(fitted_table(header, body, WIDTH))


def _first_rows(header: list[str], body: list[list[str]]) -> list[list[str]]:
    """Return as many rows as fit; all if only a few would be left out."""
    if _lines(("", header, body)) <= MAX_TABLE_LINES + SPARE_LINES:
        return body
    kept = min(len(body), MAX_TABLE_LINES)
    while kept > MIN_TABLE_ROWS and _lines(("", header, body[:kept])) > MAX_TABLE_LINES:
        kept -= 1
    return body[:kept]


def ends(interval: Result | None) -> dict[str, float]:
    """Return the ends and the level of an interval; NaN for a missing one."""
    return {k: getattr(interval, k, math.nan) for k in ("low", "high", "confidence_level")}


def _intervals_in(thing: object) -> Iterator[Result]:
    if isinstance(thing, Result):
        yield from thing._intervals()  # noqa: SLF001  (of its own class)
    elif isinstance(thing, tuple):
        for each in thing:
            yield from _intervals_in(each)
