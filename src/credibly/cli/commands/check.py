"""`credibly check`: what is wrong with the evaluation itself."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from credibly.cli.columns import Columns
from credibly.cli.command_groups import FIRST
from credibly.cli.costs import CostOptions, file_or_bundled
from credibly.cli.options import Options
from credibly.cli.output import TEXT, Output

GROUP = FIRST
SEVERITIES = ("problem", "caution")
CHECK_FAILED = 3  # errors of the data and of the call are 1 and 2


class CheckOptions(Options):
    """What is known of the evaluation beside the predictions."""

    verb = "credibly.checks.check:check"
    takes = "prevalence difference measure planned_measure tuned_on"


def command(
    file: Path,
    *others: Path,
    columns: Columns,
    costs: CostOptions,
    known: CheckOptions,
    fail_on: Literal["problem", "caution"] | None = None,
    output: Output = TEXT,
) -> int:
    """Check the evaluation itself for mistakes, such as leakage or too few cases; see `credibly list checks`.

    For instance:
      credibly check preds.csv --truth y --probability p --positive yes
      credibly check preds.csv --prevalence 0.02 --cost fn=5 --cost fp=1
      credibly check preds.csv --fail-on problem
      credibly show check winners-curse

    Parameters
    ----------
    file
        The file of predictions, one row per case, or the name of a bundled one (campaign, breast-cancer).
    others
        Files of other models on the same cases, each named after its file.
    fail_on
        Exit with the code 3 if a problem is found, by a check or when the file was read; or also for a caution.
    """
    from credibly._core.text import markdown_table
    from credibly.checks import check
    from credibly.cli.terminal import print_findings, print_result, print_text

    path = file_or_bundled(file)
    checklist = check(columns.read_models([path, *others]), costs=costs.of(path, columns), **known)
    if output.json or output.csv or output.all:
        print_result(checklist, output)
    elif output.markdown:
        print(markdown_table(*checklist.cells()))
    else:
        print_text(checklist.meaning())
        print_findings(checklist.findings())
    grave = SEVERITIES[: 1 + SEVERITIES.index(fail_on)] if fail_on else ()
    return CHECK_FAILED if any(f.severity in grave for f in checklist.findings()) else 0
