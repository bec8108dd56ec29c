"""`credibly list`: what there is."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from credibly.catalogue.registries import KINDS
from credibly.cli.command_groups import LOOK_UP

GROUP = LOOK_UP
MAX_EXAMPLES = 2


def command(
    kind: Annotated[
        str | None, Parameter(help=f"Which kind to list; all kinds by default: {KINDS}.")
    ] = None,
    *,
    n: int = 150,
    json: bool = False,
) -> None:
    """List the kinds of things there are, or everything of a kind, such as measures, schemes or terms.

    Parameters
    ----------
    n
        Number of rows for which resamplings are shown.
    json
        JSON.
    """
    from credibly._core.text import plain_table
    from credibly.catalogue.entries import columns_of, common_names, summary_of
    from credibly.catalogue.registries import registry_of
    from credibly.cli.terminal import fits, print_text, table_text
    from credibly.results.formats import json_text

    if kind is None and not json:
        _print_kinds()
        return
    registry = registry_of(kind or "measures")
    columns = [columns_of(e, n) for e in registry]
    if json:
        entries = [
            {"name": e.name, "aliases": list(e.aliases), "summary": summary_of(e), **more}
            for e, more in zip(registry, columns, strict=True)
        ]
        print(json_text({"schema_version": 1, registry.kind + "s": entries}))
        return
    rows = [
        [
            e.name,
            *(map(_text, more.values()) if more else [", ".join(common_names(e))]),
            summary_of(e),
        ]
        for e, more in zip(registry, columns, strict=True)
    ]
    header = [registry.kind, *(columns[0] or ["also called"]), "what it is"]
    if len(header) > 3 or fits(plain_table(header, rows)):
        print(table_text(header, rows))
    else:  # a description below each name, which would stand twice in two tables
        for name, also, summary in (header, *rows):
            print_text(f"{name}  {also}".rstrip())
            print_text(f"    {summary}")


def _print_kinds() -> None:
    """Print how many things of each kind there are, and a few of them."""
    from credibly.catalogue.registries import registry_of
    from credibly.cli.terminal import print_text, table_text

    names = {kind: [e.name for e in registry_of(kind)] for kind in KINDS.split(", ")}
    rows = [[kind, str(len(all_)), ", ".join(all_[:MAX_EXAMPLES])] for kind, all_ in names.items()]
    print(table_text(["kind", "how many", "such as"], rows))
    print_text("\n`credibly list KIND` describes all of a kind, such as `credibly list measures`.")


def _text(value: object) -> str:
    """Write a text, a number, a range of sizes, or a mark for nothing."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return "-".join(dict.fromkeys(map(_text, value)))
    if isinstance(value, float):
        return f"{value:.3f}"
    return "-" if value is None else f"{value:,}"
