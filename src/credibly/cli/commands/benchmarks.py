"""`credibly benchmarks`: one decision over many tasks."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import Options
from credibly.cli.output import PICTURED, PicturedOutput

GROUP = JUDGE


class BenchmarkOptions(Options):
    """What to decide by."""

    verb = "credibly.comparisons.benchmarks:benchmarks"


def command(
    files: list[Path],
    /,
    *,
    columns: Columns,
    asked: BenchmarkOptions,
    output: PicturedOutput = PICTURED,
) -> None:
    """Decide between models over many tasks: gains and losses together, ranks, no worse anywhere.

    For instance:
      credibly benchmarks new/ old/ --margin 0.02
      credibly benchmarks logs/ --weights case --against old
      credibly benchmarks answers.csv --outcome passed --by subject

    Parameters
    ----------
    files
        Logs of the same tasks, one file or folder per model, the last one is what the others are compared with; or one file or folder with several models.
    """
    from credibly.cli.terminal import print_result
    from credibly.comparisons.benchmarks import benchmarks

    found = benchmarks(columns.read_models(files, asked), **asked)
    print_result(found, output)
