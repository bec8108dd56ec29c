"""`credibly agreement`: how far judges agree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from credibly.cli.command_groups import JUDGE
from credibly.cli.options import COLUMNS, Options, many
from credibly.cli.output import PICTURED, PicturedOutput

GROUP = JUDGE


class AgreementOptions(Options):
    """What ratings are."""

    verb = "credibly.judges.agreement:agreement"


def command(
    file: Path,
    *,
    judges: Annotated[str, Parameter(group=COLUMNS)],
    format: str | None = None,  # noqa: A002
    asked: AgreementOptions,
    output: PicturedOutput = PICTURED,
) -> None:
    """Measure how well judges agree on the same cases: kappas and Krippendorff's alpha, with intervals.

    For instance:
      credibly agreement ratings.csv --judges ann,bob,gpt
      credibly agreement ratings.csv --judges ann,gpt --level ordinal

    Parameters
    ----------
    file
        A file with one row per case and one column per judge; an empty cell is a missing rating.
    judges
        The columns of the judges, separated by commas.
    format
        Format of the file, if its name does not show it.
    """
    from credibly.cli.terminal import print_result
    from credibly.io import read_numbers
    from credibly.judges.agreement import agreement

    read = read_numbers(file, labels=many(judges) or [""], format=format)
    found = agreement(read, **asked)
    print_result(found, output)
