"""`credibly show`: all that is known about a name."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from credibly.catalogue.registries import KINDS
from credibly.cli.command_groups import LOOK_UP

GROUP = LOOK_UP


def command(
    *words: Annotated[
        str,
        Parameter(
            help="A name used here, in a textbook or in another program. If it means several "
            f"things, put the kind before it to choose one. Kinds: {KINDS}."
        ),
    ],
    json: bool = False,
) -> None:
    """Explain a name or a term: formula, range, reference, worked example, what others call it.

    For instance:
      credibly show kappa
      credibly show lift chart
      credibly show measure coverage

    Parameters
    ----------
    json
        JSON.
    """
    from credibly.catalogue import show
    from credibly.catalogue.registries import is_kind
    from credibly.cli.output import TEXT
    from credibly.cli.terminal import print_result

    kind = words[0] if len(words) > 1 and is_kind(words[0]) else None
    entries = show(" ".join(words if kind is None else words[1:]), kind)
    if json:  # one of a kind that was named is told by itself
        print((entries.entries[0] if kind else entries).to_json())
    else:
        print_result(entries, TEXT)
