"""The verb `show`: what a name means, here and elsewhere."""

from __future__ import annotations

from credibly._core.doors import door
from credibly.catalogue.entries import Entries, Entry
from credibly.catalogue.functions import FUNCTION_KIND, functions_called
from credibly.catalogue.registries import HOMES, registry_of
from credibly.errors import ParameterError, UnknownNameError


@door
def show(name: str, kind: str | None = None) -> Entries:
    """Explain a name or a term: formula, range, reference, what others call it.

    Parameters
    ----------
    name
        The name, or one that textbooks or other programs use for it.
    kind
        Its kind, such as ``"measure"``; by default everything with this name.

    >>> import credibly
    >>> [(e.kind, e.name) for e in credibly.show("kappa").entries]
    [('measure', 'kappa')]
    >>> [(e.kind, e.name) for e in credibly.show("lift chart").entries]
    [('plot', 'lift_chart'), ('curve', 'gains'), ('curve', 'lift')]
    """
    if not isinstance(name, str) or not name.strip():
        raise ParameterError(
            "Name the thing to show.", remedy="`credibly list` lists everything of one kind."
        )
    called = (
        [Entry.of(FUNCTION_KIND, f) for f in functions_called(name)]
        if kind in {None, FUNCTION_KIND}
        else []
    )
    if kind not in {None, FUNCTION_KIND}:
        registry = registry_of(kind)
        found = registry.meanings(name) or {registry[name].name: ""}  # says what there is
        return Entries(name, _entries(kind, found))
    each = ((k, registry_of(k).meanings(name)) for k in ([] if kind else HOMES))
    named = [e for k, found in each for e in _entries(k, found)]
    entries = (*sorted(named, key=lambda e: bool(e.unlike)), *called)
    if not entries:
        raise UnknownNameError(
            f"Nothing is called {name!r}.",
            asked=name,
            choices=sorted({n for k in HOMES for n in registry_of(k).names()}),
            remedy="`credibly search` also searches descriptions.",
        )
    return Entries(name, entries)


def _entries(kind: str, found: dict[str, str]) -> tuple[Entry, ...]:
    registry = registry_of(kind)
    return tuple(
        Entry.of(
            registry.kind,
            registry[own],
            why,
            use=registry.used(own),
            command=registry.command(own),
        )
        for own, why in found.items()
    )
