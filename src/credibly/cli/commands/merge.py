"""`credibly merge`: summaries of parts become the summary of the whole."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from credibly.cli.command_groups import COUNT
from credibly.cli.options import OUTPUT_OPTION

GROUP = COUNT


def command(files: list[Path], /, *, output: Annotated[Path, OUTPUT_OPTION]) -> None:
    """Add up the summaries that `credibly summarise` made of several parts.

    For instance:
      credibly merge s1 s2 -o whole

    Parameters
    ----------
    files
        Summaries, or saved predictions, with the same classes and columns.
    output
        File for the sum.
    """
    from credibly._core.text import count
    from credibly.cli.terminal import print_findings
    from credibly.engines import merge
    from credibly.errors import ParameterError
    from credibly.io import read, save

    places = [file.resolve() for file in files]
    if len({*places}) < len(places):
        raise ParameterError(
            f"Each part can be added only once; {max(places, key=places.count)} is named more than once."
        )
    if output.resolve() in places:
        raise ParameterError(f"{output} is one of the parts. Write their sum to another file.")
    predictions = merge(*(read(file) for file in files))
    save(predictions, output)
    print(
        f"{output}: {count(predictions.cases, 'case')} in {count(predictions.n, 'row')} of {count(len(files), 'part')}"
    )
    print_findings(predictions.findings)
