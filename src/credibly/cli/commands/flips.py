"""`credibly flips`: which cases one model gained on another, and which it lost."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import Options
from credibly.cli.output import TEXT, Output

GROUP = JUDGE


class FlipOptions(Options):
    """What gains and losses are of."""

    verb = "credibly.comparisons.flips:flips"
    leave_out = "a b"


def command(
    files: list[Path], /, *, columns: Columns, asked: FlipOptions, output: Output = TEXT
) -> None:
    """List the cases that one model gained on another, and those that it lost.

    For instance:
      credibly flips candidate.jsonl baseline.jsonl
      credibly flips both.csv --truth y --label predicted --model name --csv

    Parameters
    ----------
    files
        The predictions or outcomes of two models for the same cases, the new one first; or one file of both, with a column that names them.
    """
    from credibly.cli.terminal import print_result
    from credibly.comparisons.flips import flips

    print_result(flips(columns.read_models(files, asked), **asked), output)
