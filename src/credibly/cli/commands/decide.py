"""`credibly decide`: labels by what mistakes cost."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.command_groups import FIRST
from credibly.cli.costs import CostOptions, file_or_bundled, shares
from credibly.cli.options import Options
from credibly.cli.output import TEXT, Output

GROUP = FIRST


class DecideOptions(Options):
    """By which rule labels are chosen."""

    verb = "credibly.decisions.decide:decide"
    leave_out = "predictions costs threshold"
    reads = {"prevalence": shares}
    says = {"prevalence": "Share of the positive class, or of each class: a=0.2,b=0.8."}


def command(
    file: Path,
    *others: Path,
    columns: Columns,
    costs: CostOptions,
    asked: DecideOptions,
    output: Output = TEXT,
) -> None:
    """Choose labels or a threshold by the cost of mistakes, and report that cost.

    For instance:
      credibly decide preds.csv --cost fn=5 --cost fp=1
      credibly decide preds.csv --cost fn=5 --cost fp=1 --prevalence 0.02
      credibly decide preds.csv --rule youden --rng 1
      credibly decide preds.csv --threshold 0.3 --cost fn=5 --cost fp=1

    Parameters
    ----------
    file
        The file of predictions, one row per case, or the name of a bundled one (campaign, breast-cancer).
    others
        Files of other models on the same cases, each named after its file.
    """
    from credibly.cli.terminal import print_result
    from credibly.decisions import decide

    path = file_or_bundled(file)
    if "threshold" in columns and asked.get("rule") in {None, "given_threshold"}:
        asked["threshold"] = columns.pop("threshold")
    decision = decide(columns.read_models([path, *others]), costs.of(path, columns), **asked)
    print_result(decision, output, confusion=True)
