"""What the catalogue shows of an entry, and the results that hold it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from credibly._core.formulas import FORMULA, to_mathml, with_plain_formulas
from credibly._core.names import GENERAL_USE, VOCABULARIES, name_key
from credibly._core.parameters import write_call
from credibly._core.signatures import in_plain_words
from credibly._core.text import plain_table, visible
from credibly.results.formats import cell_text
from credibly.results.result import Cells, Result, TableText

# What is told as it stands, by the name under which it is told.
LIST_FIELDS = {
    "only": "only_for",
    "suffixes": "file_names",
    "shows": "shows",
    "options": "options",
    "describes": "describes",
}


def summary_of(entry: Any) -> str:  # noqa: ANN401
    """Return the first sentence of an entry's description."""
    return with_plain_formulas(in_plain_words(inspect.cleandoc(entry.doc).split("\n")[0], {}))


def columns_of(entry: Any, n: int) -> dict[str, Any]:  # noqa: ANN401
    """Return the columns of an entry in a listing, for data of ``n`` rows."""
    columns: dict[str, Any] = entry.columns(n) if hasattr(entry, "columns") else {}
    return columns


def facts_of(entry: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return what an entry declares, in the order in which people ask."""
    facts: dict[str, Any] = {
        "title": getattr(entry, "title", entry.name),
        "name": entry.name,
        "also_called": list(entry.aliases),
        "names": names_of(entry),
        "description": inspect.cleandoc(entry.doc),
    }
    if hasattr(entry, "facts"):
        facts |= entry.facts()
    if hasattr(entry, "parameters"):
        facts["parameters"] = [_parameter_text(q) for q in entry.parameters]
    for attribute, name in LIST_FIELDS.items():
        if hasattr(entry, attribute):
            facts[name] = list(getattr(entry, attribute))
    facts["reference"] = getattr(entry, "cite", None)
    return facts


def common_names(entry: Any) -> list[str]:  # noqa: ANN401
    """Return the names of an entry that are in general use or in text books, as a listing has room for."""
    origins = {name_key(n["name"]): n["origin"] for n in reversed(names_of(entry))}
    wanted = {GENERAL_USE, VOCABULARIES["texts"]}
    return [name for name in entry.aliases if origins.get(name_key(name), GENERAL_USE) in wanted]


def names_of(entry: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Return the names of an entry by vocabulary, with the arguments that a name sets and how it differs."""
    known = getattr(entry.aliases, "known", ())
    return [
        {"name": a.name, "origin": a.origin}
        | ({"sets": dict(a.arguments)} if a.arguments else {})
        | ({"differs": a.differs} if a.differs else {})
        for a in known
    ]


def _parameter_text(parameter: Any) -> str:  # noqa: ANN401
    default = "required" if parameter.required else f"default {parameter.default!r}"
    return f"{parameter.name}: {parameter.rule.text} ({default})"


SHARED_FIELDS = ("name", "title", "names", "description", "reference")


class Entry(Result, eq=True):
    """One thing that has a name: its kind, what it declares, and how a name that is not its own misses it."""

    kind: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    unlike: str = ""

    json_keys = "kind *facts [unlike]"

    @classmethod
    def of(cls, kind: str, entry: Any, unlike: str = "", **asked: str) -> Entry:  # noqa: ANN401
        """Tell of an entry of a registry, and how it is asked for."""
        return cls(
            kind, facts_of(entry) | {how: text for how, text in asked.items() if text}, unlike
        )

    @property
    def name(self) -> str:
        """Its own name."""
        return str(self.facts["name"])

    @property
    def heading(self) -> str:
        """What it is called, and what it is."""
        return f"{self.facts['title']} ({self.kind})"

    def rows(self) -> list[dict[str, Any]]:
        """Return one row with what is known of things of every kind, in texts."""
        told = {k: _flat(k, self.facts[k]) or "" for k in SHARED_FIELDS}
        return [{"kind": self.kind, **told, "unlike": self.unlike}]

    def cells(self) -> Cells:
        """Return a line for each thing that is known of it, the description first."""
        told = dict(self.facts)
        described = with_plain_formulas(in_plain_words(_flowing(told.pop("description")), {}))
        lines = [("description", described), ("name", told.pop("name")), ("not quite", self.unlike)]
        called = by_origin(told["names"])
        lines += [("also called" if o == GENERAL_USE else f"in {o}", t) for o, t in called.items()]
        apart = {"title", "names", "also_called"}
        lines += [(k, _flat(k, v)) for k, v in told.items() if k not in apart]
        body = [[k.replace("_", " "), cell_text(v)] for k, v in lines if v not in (None, "")]
        return ["", "value"], body

    def laid_out(self, table: TableText = plain_table, title: str = "{}") -> list[str]:
        """Return the description as sentences, and the rest below it."""
        (_, description), *lines = self.cells()[1]
        text = table(["", ""], lines)
        return [title.format(visible(self.heading)), "", visible(description), "", text]

    def _repr_html_(self) -> str:
        from credibly.results.notebook import page_html, table_html

        _, *lines = self.cells()[1]
        described = map(_paragraph, self.facts["description"].split("\n\n"))
        return page_html(self.heading, *described, table_html(["", ""], lines))


def _flowing(text: str) -> str:
    """Join the lines of each paragraph, which whoever shows it folds; examples stay as they are typed."""
    parts = text.split("\n\n")
    return "\n\n".join(p if p.startswith(">>>") else " ".join(p.split("\n")) for p in parts)


def _paragraph(text: str) -> str:
    """Write a paragraph of a description for a page: formulas as mathematics, examples as they are typed."""
    from credibly.results.notebook import shown

    if text.startswith(">>>"):
        return f"<pre>{shown(text)}</pre>"
    if alone := FORMULA.fullmatch(text.strip()):
        return f"<div>{to_mathml(alone[1], block=True)}</div>"
    parts = FORMULA.split(text)  # every second one is a formula
    told = (to_mathml(part) if i % 2 else shown(part) for i, part in enumerate(parts))
    return f"<p>{''.join(told)}</p>"


class Entries(Result, eq=True):
    """Everything that a name means, of any kind."""

    asked: str
    entries: tuple[Entry, ...]

    row_parts = "entries"

    @property
    def heading(self) -> str:
        """How many things have the name."""
        kinds = ", ".join(dict.fromkeys(e.kind for e in self.entries))
        return f"{self.asked}: {kinds}"

    def laid_out(self, table: TableText = plain_table, title: str = "{}") -> list[str]:
        """Return all that is known of each."""
        told = [["", "", *e.laid_out(table, title)] for e in self.entries]
        return [line for lines in told for line in lines][2:]

    def _repr_html_(self) -> str:
        from credibly.results.notebook import page_html

        each = [e._repr_html_() for e in self.entries]
        return each[0] if len(each) == 1 else page_html(self.heading, *each)


def by_origin(names: list[dict[str, Any]]) -> dict[str, str]:
    """Return the names of each vocabulary in one text, with what they set and what differs there."""
    found: dict[str, list[str]] = {}
    for name in names:
        text = write_call(name["name"], name.get("sets", {}))
        more = f" ({name['differs']})" if "differs" in name else ""
        found.setdefault(name["origin"], []).append(text + more)
    return {origin: ", ".join(texts) for origin, texts in found.items()}


def _flat(key: str, value: object) -> Any:  # noqa: ANN401
    if key == "names" and isinstance(value, list):
        return "; ".join(f"{origin}: {text}" for origin, text in by_origin(value).items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, list | tuple):
        return value
    texts = [str(each) for each in value]
    return (" " if all(text.endswith(".") for text in texts) else ", ").join(texts)
