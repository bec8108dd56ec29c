"""`credibly benchmarks`: one decision over many tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from credibly.cli.columns import Columns
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import WRITTEN, Options
from credibly.cli.output import TEXT, Output

GROUP = JUDGE


class Decided(Options):
    """What to decide by."""

    verb = "credibly.comparisons.benchmarks:benchmarks"
    leave_out = "predictions"


def command(
    file: Path,
    *others: Path,
    columns: Columns,
    asked: Decided,
    picture: Annotated[Path | None, WRITTEN] = None,
    output: Output = TEXT,
) -> None:
    """Decide between models over many tasks: gains and losses together, ranks, no worse anywhere.

    For instance:
      credibly benchmarks old/ new/ --margin 0.02
      credibly benchmarks logs/ --weights case --control old
      credibly benchmarks answers.csv --outcome passed --by subject

    Parameters
    ----------
    file
        A folder of logs or a file with several models, or of one model if you name more.
    others
        The logs of the other models on the same tasks, one file or folder per model.
    picture
        File to write: .svg, .png, .pdf, .html or .json; without it, only the tables are shown.
    """
    from credibly.cli.commands.evaluate import names_of
    from credibly.cli.terminal import print_result
    from credibly.comparisons.benchmarks import benchmarks

    read = {name: columns.read(path) for name, path in names_of([file, *others]).items()}
    found = benchmarks(read if others else next(iter(read.values())), **asked)
    if picture is not None:
        found.plot().save(picture)
    print_result(found, output)
