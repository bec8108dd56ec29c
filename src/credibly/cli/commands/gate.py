"""`credibly gate`: may a candidate replace a baseline."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from credibly.cli.columns import OutcomeColumns
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import OUTPUT, Options
from credibly.cli.output import TEXT, Output
from credibly.errors import ParameterError, says

GROUP = JUDGE
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"  # the file that a step of GitHub Actions shows


class GateOptions(Options):
    """What is to be decided."""

    verb = "credibly.comparisons.gate:gate"
    leave_out = "candidate baseline"


def command(
    files: list[Path],
    /,
    *,
    columns: OutcomeColumns,
    asked: GateOptions,
    junit: Path | None = None,
    step_summary: Annotated[bool, Parameter(group=OUTPUT, negative=())] = False,
    output: Output = TEXT,
) -> int:
    """Decide whether a candidate may replace a baseline: pass (exit code 0), fail (3) or undecided (4).

    It passes where the candidate is shown to be worse by no more than the margin, and fails where it is shown to
    be worse by more. Exit codes 1 and 2 are errors of the data and of the call.

    For instance:
      credibly gate candidate.jsonl baseline.jsonl --margin 0.01
      credibly gate both.csv --measure auc --margin 0.02 --junit gate.xml
      credibly gate candidate.jsonl baseline.jsonl --margin 0.01 --sequential --step-summary
      credibly gate both.csv --against old --margin 0.01
      credibly gate candidate.jsonl --measure pass_rate --against 0.9

    Parameters
    ----------
    files
        The predictions or outcomes of the candidate, then those of the model that it is to replace; or one file of both, the candidate first, with a column that names them.
    junit
        File to write the verdict to as JUnit XML.
    step_summary
        Append the verdict to the summary of the running step of GitHub Actions.
    """
    from credibly.cli.terminal import print_result
    from credibly.comparisons.gate import gate

    found = gate(columns.read_models(files, asked), **asked)
    if junit is not None:
        junit.write_text(found.junit(), encoding="utf-8")
    if step_summary:
        if not os.environ.get(STEP_SUMMARY):
            raise ParameterError(
                says("<step_summary> needs the variable {name}.", name=STEP_SUMMARY),
                remedy="GitHub Actions sets it.",
            )
        with Path(os.environ[STEP_SUMMARY]).open("a", encoding="utf-8") as file:
            file.write(found.markdown())
    if output.markdown:
        print(found.markdown(), end="")
    else:
        print_result(found, output)
    return found.exit_code
