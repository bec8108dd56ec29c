"""`credibly summarise`: the summary of one part, to be merged with those of others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from credibly.cli.columns import Columns
from credibly.cli.command_groups import COUNT
from credibly.cli.counting_engine import CountingEngine
from credibly.cli.options import OUTPUT_OPTION

GROUP = COUNT


def command(
    file: Path,
    *,
    output: Annotated[Path, OUTPUT_OPTION],
    columns: Columns,
    counting: CountingEngine,
) -> None:
    """Count predictions into a small summary file, which `credibly merge` adds up and every command reads.

    For instance:
      credibly summarise part1.parquet --truth y --probability p -o s1
      credibly merge s1 s2 -o whole
      credibly evaluate whole

    Parameters
    ----------
    file
        The predictions: a file, a folder, a pattern of files, or the name of a table.
    output
        File for the summary.
    """
    from credibly._core.text import count
    from credibly.cli.terminal import print_findings
    from credibly.engines import summarise
    from credibly.io import save
    from credibly.io.save import form_of

    form_of(output)  # before anything is counted
    predictions = summarise(str(file), **counting.options(columns))
    save(predictions, output)
    print(f"{output}: {count(predictions.cases, 'case')} in {count(predictions.n, 'row')}")
    print_findings(predictions.findings)
