"""`credibly slices`: measures in slices of the cases, and the gaps between them."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import Columns, named_files
from credibly.cli.command_groups import JUDGE
from credibly.cli.counting_engine import CountingEngine
from credibly.cli.options import Options, many
from credibly.cli.output import PICTURED, PicturedOutput

GROUP = JUDGE


class SliceOptions(Options):
    """What to compare, and by which columns."""

    verb = "credibly.gaps.slices:slices"
    reads = {"by": many}


def command(
    file: Path,
    *others: Path,
    columns: Columns,
    asked: SliceOptions,
    counting: CountingEngine,
    output: PicturedOutput = PICTURED,
) -> None:
    """Compare slices of the cases: each with the rest, gaps between them, or a search for the worst.

    For instance:
      credibly slices preds.csv --by sex
      credibly slices preds.csv --by sex,region --measure "auc,equalized_odds"
      credibly slices preds.csv --search --measure error_rate
      credibly slices 'preds/*.parquet' --by country --measure recall

    Parameters
    ----------
    file
        The file of predictions, one row per case, with the columns to slice by.
    others
        Predictions of other models, one file per model, which are sliced one by one.
    """
    from credibly.cli.terminal import print_result
    from credibly.gaps.slices import slices

    # What a gap is made of is counted with the rest: an engine is not told which measures.
    by = asked.get("by", [])
    read = {
        name: counting.predictions(path, columns, None, by)
        for name, path in named_files([file, *others]).items()
    }
    result = slices(read if others else next(iter(read.values())), **asked)
    print_result(result, output)
