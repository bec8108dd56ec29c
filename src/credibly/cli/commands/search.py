"""`credibly search`: what there is about some words."""

from __future__ import annotations

from credibly.cli.command_groups import LOOK_UP
from credibly.cli.options import Options
from credibly.cli.output import TEXT, Output

GROUP = LOOK_UP


class SearchOptions(Options):
    """What to look for."""

    verb = "credibly.catalogue.search:search"
    takes = "kind limit"


def command(*words: str, asked: SearchOptions, output: Output = TEXT) -> None:
    """Search names, titles, descriptions and references, also by the terms of other programs.

    For instance:
      credibly search lift
      credibly search area under the curve --kind measure

    Parameters
    ----------
    words
        Words to look for; all of them must occur, as whole words or as the beginning of one.
    """
    from credibly.catalogue import search
    from credibly.cli.terminal import print_result

    print_result(search(" ".join(words), **asked), output)
