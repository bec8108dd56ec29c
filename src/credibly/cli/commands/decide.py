"""`credibly decide`: labels by what the mistakes cost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from credibly.cli.columns import DEFAULT, WHAT, Columns
from credibly.cli.costs import NO_COSTS, CostOptions
from credibly.cli.options import ConfidenceLevel, Shares
from credibly.cli.output import TEXT, Output


def command(
    file: Path,
    *,
    columns: Columns = DEFAULT,
    costs: CostOptions = NO_COSTS,
    rule: Annotated[
        str | None,
        Parameter(
            group=WHAT,
            help="A name from `credibly list decision-rules`, such as youden or 'fixed_recall(recall=0.9)'.",
        ),
    ] = None,
    prevalence: Shares = None,
    doubt: Annotated[
        float | None, Parameter(group=WHAT, help="Cost of leaving a case undecided.")
    ] = None,
    estimate: Annotated[
        Literal["auto", "pooled"],
        Parameter(
            group=WHAT,
            help="auto: the one that stands for the predictions, such as the mean over folds.",
        ),
    ] = "auto",
    confidence_level: ConfidenceLevel = 0.95,
    rng: Annotated[
        int | None,
        Parameter(group=WHAT, help="Seed: adds the threshold's interval and cross-fitted costs."),
    ] = None,
    replicates: Annotated[int, Parameter(group=WHAT, help="Replicates of the subsampling.")] = 500,
    output: Output = TEXT,
) -> None:
    """Choose labels by what the mistakes cost, and say what they cost.

    For instance:
      credibly decide preds.csv --cost fn=5 --cost fp=1
      credibly decide preds.csv --cost fn=5 --cost fp=1 --prevalence 0.02
      credibly decide preds.csv --rule youden --rng 1

    Parameters
    ----------
    file
        The file of predictions, one row a case, or the name of a bundled one (campaign, breast-cancer).
    """
    from credibly.cli.costs import file_or_bundled, shares
    from credibly.cli.printing import print_result
    from credibly.decisions import decide

    path = file_or_bundled(file)
    made = decide(
        columns.read(path),
        costs.of(path, columns.format),
        rule=rule,
        prevalence=shares(prevalence),
        doubt=doubt,
        estimate=estimate,
        confidence_level=confidence_level,
        rng=rng,
        replicates=replicates,
    )
    print_result(made.table, output, confusion=True)
