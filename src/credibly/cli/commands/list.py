"""`credibly list`: what there is."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter


def command(
    kind: str = "measures",
    *,
    json: Annotated[bool, Parameter(negative=(), help="JSON.")] = False,
) -> None:
    """List everything of a kind: measures, baselines, curves, band-methods, decision-rules, interval-methods, proportion-methods, readers.

    Parameters
    ----------
    kind
        Which kind to list.
    """
    from credibly._core.results import json_ready
    from credibly.cli.catalogue import registry_of, summary_of
    from credibly.cli.printing import print_cells

    registry = registry_of(kind)
    if json:
        import json as to_json

        entries = [
            {"name": e.name, "aliases": list(e.aliases), "summary": summary_of(e)} for e in registry
        ]
        print(
            to_json.dumps(json_ready({"schema_version": 1, registry.kind + "s": entries}), indent=2)
        )
        return
    rows = [[e.name, ", ".join(e.aliases), summary_of(e)] for e in registry]
    print_cells([registry.kind, "also called", "what it is"], rows)
