"""`credibly attempts`: pass@k, the majority of k and the best of k."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import OutcomeColumns
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import Options
from credibly.cli.output import TEXT, Output

GROUP = JUDGE


class AttemptOptions(Options):
    """How many attempts, and what becomes of them."""

    verb = "credibly.evaluation.attempts:attempts"


def command(
    file: Path, *, columns: OutcomeColumns, asked: AttemptOptions, output: Output = TEXT
) -> None:
    """Estimate pass@k, the majority of k or the best of k attempts, with intervals over cases.

    For instance:
      credibly attempts log.eval --k 1,5
      credibly attempts answers.csv --outcome passed --row question --repeat try --k 5 --how majority

    Parameters
    ----------
    file
        A log, or a file of outcomes, in which cases were tried several times.
    """
    from credibly.cli.terminal import print_result
    from credibly.evaluation.attempts import attempts

    print_result(attempts(columns.read(file), **asked), output)
