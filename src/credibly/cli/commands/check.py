"""`credibly check`: what is wrong with the evaluation itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from credibly.cli.columns import DEFAULT, WHAT, Columns
from credibly.cli.costs import NO_COSTS, CostOptions
from credibly.cli.options import PlannedMeasure, Prevalence
from credibly.cli.output import TEXT, Output


def command(
    file: Path,
    *,
    columns: Columns = DEFAULT,
    costs: CostOptions = NO_COSTS,
    prevalence: Prevalence = None,
    difference: Annotated[
        float | None, Parameter(group=WHAT, help="A difference of error rates that is claimed.")
    ] = None,
    measure: Annotated[str | None, Parameter(group=WHAT, help="The measure reported.")] = None,
    planned_measure: PlannedMeasure = None,
    tuned_on: Annotated[
        str | None, Parameter(group=WHAT, help="What choices were made on, such as validation.")
    ] = None,
    output: Output = TEXT,
) -> None:
    """Ask what is wrong with the evaluation itself; see `credibly list checks`.

    For instance:
      credibly check preds.csv --truth y --probability p --positive yes
      credibly check preds.csv --prevalence 0.02 --cost fn=5 --cost fp=1
      credibly show check winners-curse

    Parameters
    ----------
    file
        The file of predictions, one row a case, or the name of a bundled one (campaign, breast-cancer).
    """
    from credibly.checks import check
    from credibly.cli.costs import file_or_bundled
    from credibly.cli.printing import print_findings, print_markdown, print_rows

    path = file_or_bundled(file)
    found = check(
        columns.read(path),
        costs=costs.of(path, columns.format),
        prevalence=prevalence,
        difference=difference,
        measure=measure,
        planned_measure=planned_measure,
        tuned_on=tuned_on,
    )
    if output.json:
        print(found.to_json())
    elif output.csv:
        print_rows(found.rows())
    elif output.markdown:
        print_markdown(*found.cells())
    else:
        print(f"{len(found)} checks: {found.heading()}")
        print_findings(found.findings())
