"""The verb `search`: what there is about some words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from credibly._core.doors import door
from credibly._core.names import name_key
from credibly._core.parameters import require, whole
from credibly._core.search_names import search_names
from credibly.catalogue.entries import summary_of
from credibly.catalogue.functions import FUNCTION_KIND, functions, last_word
from credibly.catalogue.registries import HOMES, registry_of
from credibly.errors import ParameterError
from credibly.results.result import Result

# How much a word is worth where it is found.
IN_NAME, IN_ALIAS, IN_TITLE, IN_SUMMARY, IN_DESCRIPTION = 8, 7, 5, 3, 1
EXACT_NAME = 100  # a name that is just these words
NOTHING_FOUND = (
    "All words must occur in a name, a description or a reference. Try fewer words, or other ones. "
    "`credibly list measures` lists everything of one kind."
)
BETWEEN_WORDS = re.compile(r"[^\w'’+]")
STOP_WORDS = frozenset(
    ["a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"]
)


class Match(Result, eq=True):
    """Something that fits the words: what it is, and by which of its names it was found."""

    kind: str
    name: str
    called: str
    summary: str
    likeness: float


class Matches(Result, eq=True):
    """What fits some words, the best first."""

    words: str
    matches: tuple[Match, ...]

    row_parts = "matches"
    empty_columns = "kind name called summary likeness"

    @property
    def heading(self) -> str:
        """How many things fit."""
        return f"{len(self.matches)} found for {self.words!r}"

    def remarks(self) -> tuple[str, ...]:
        """Say what to do where nothing fits."""
        return () if self.matches else (NOTHING_FOUND,)

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Return a line for each, with what distinguishes them first: narrow terminals repeat it."""
        body = [
            [m.name if m.called in {"", m.name} else f"{m.name} ({m.called})", m.kind, m.summary]
            for m in self.matches
        ]
        return ["name", "kind", "what it is"], body


@door
@search_names({"list, help, find": "search('kappa') or credibly.show('kappa')"})
def search(words: str, kind: str | None = None, *, limit: int = 20) -> Matches:
    """Search names, titles, descriptions and references, also by the terms of other programs.

    Parameters
    ----------
    words
        Words to look for; all of them must occur, as whole words or as the beginning of one.
    kind
        Only search one kind, such as ``"measure"``.
    limit
        Largest number of results.

    >>> import credibly
    >>> credibly.search("area under roc", limit=1).matches[0].name
    'auc'
    """
    if not isinstance(words, str) or not (asked := _words(words)):
        raise ParameterError("Give some words to look for.")
    require("limit", limit, whole(1))
    found = [
        Match(of, entry.name, called, summary_of(entry), likeness)
        for of, entry in _entries(kind)
        for likeness, called in [_likeness(entry, asked, name_key(words))]
        if likeness
    ]
    found.sort(key=lambda m: -m.likeness)
    return Matches(words, tuple(found[:limit]))


@cache
def _words(text: str) -> tuple[str, ...]:
    plain = [w for w in name_key(BETWEEN_WORDS.sub(" ", text)).split("_") if w]
    return tuple(w for w in plain if w not in STOP_WORDS) or tuple(plain)


def _entries(kind: str | None) -> Iterator[tuple[str, Any]]:
    for each in [kind] if kind and kind != FUNCTION_KIND else () if kind else HOMES:
        registry = registry_of(each)
        yield from ((registry.kind, entry) for entry in registry)
    if kind in {None, FUNCTION_KIND}:
        yield from ((FUNCTION_KIND, function) for function in functions())


def _likeness(entry: Any, asked: tuple[str, ...], whole: str) -> tuple[float, str]:  # noqa: ANN401
    """Return how well an entry fits all words, 0 where one is missing, and the name that fits best."""
    known = [a.name for a in getattr(entry.aliases, "known", ())] or list(entry.aliases)
    known += getattr(entry.aliases, "unlike", {})
    summary = summary_of(entry)
    places = [
        (IN_NAME, _words(entry.name)),
        *((IN_ALIAS, _words(name)) for name in known),
        (IN_TITLE, _words(getattr(entry, "title", ""))),
        (IN_SUMMARY, _words(summary)),
        (IN_DESCRIPTION, _words(f"{entry.doc} {getattr(entry, 'cite', '')}")),
    ]
    worth = [max((_worth(word, said) * w for w, said in places), default=0) for word in asked]
    fits = [name for name in known if all(_worth(word, _words(name)) for word in asked)]
    exact = [name for name in known if name_key(name) == whole]
    own = whole in {name_key(entry.name), last_word(entry.name)}
    same = EXACT_NAME * (2 if own else bool(exact))
    return (sum(worth) / len(worth) + same if all(worth) else same), next(iter(exact + fits), "")


def _worth(word: str, said: tuple[str, ...]) -> float:
    """Return 1 for a word that is there, less for one that begins with it."""
    if word in said:
        return 1
    return 0.5 if len(word) > 2 and any(s.startswith(word) or word == f"{s}s" for s in said) else 0
