"""`credibly show`: all that is known about one thing."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from credibly.cli.catalogue import KINDS


def command(
    kind: Annotated[
        str, Parameter(help=f"Which kind it is of, in the singular or the plural: {KINDS}.")
    ],
    name: str,
    /,
    *,
    json: bool = False,
) -> None:
    """Show one entry: formula, range, reference and worked example.

    For instance:
      credibly show measure kappa

    Parameters
    ----------
    name
        Its name or one of its other names.
    json
        JSON.
    """
    from credibly.cli.catalogue import facts_of, registry_of
    from credibly.results.formats import json_text

    entry = registry_of(kind)[name]
    facts = facts_of(entry)
    if json:
        print(json_text({"schema_version": 1, **facts}))
        return
    description = facts.pop("description")
    width = max(len(k) for k in facts)
    print(f"{facts.pop('title', entry.name)}\n\n{description}\n")
    for key, value in facts.items():
        if value not in (None, "", []):
            text = ", ".join(map(str, value)) if isinstance(value, list) else value
            print(f"{key.replace('_', ' '):<{width}}  {text}")
