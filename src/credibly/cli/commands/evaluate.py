"""`credibly evaluate`: measures of a file of predictions."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  (read by the command line at run time)
from typing import Annotated, Literal

from cyclopts import Parameter

from credibly.cli.columns import DEFAULT, WHAT, Columns, calls, many
from credibly.cli.output import TEXT, Output


def command(
    file: Path,
    *,
    columns: Columns = DEFAULT,
    measure: Annotated[
        list[str] | None,
        Parameter(
            group=WHAT,
            negative=(),
            help="Measures such as auc,brier,'fbeta(beta=2)'; everything that applies when not given.",
        ),
    ] = None,
    by: Annotated[
        str | None,
        Parameter(
            group=WHAT, help="Slices: model, repeat, fold, part, group, class; several with commas."
        ),
    ] = None,
    average: Annotated[
        Literal["macro", "micro", "weighted", "weighted_predicted"] | None,
        Parameter(group=WHAT, help="How measures of one class become one number."),
    ] = None,
    unclassified: Annotated[
        str,
        Parameter(group=WHAT, help="Cases without a label: error, exclude, or a default class."),
    ] = "error",
    cost_matrix: Annotated[
        Path | None,
        Parameter(group=WHAT, help="Labelled CSV of costs: rows actual, columns predicted."),
    ] = None,
    estimate: Annotated[
        str,
        Parameter(
            group=WHAT,
            help="How many fits become one number: auto, or names from `credibly list estimators`.",
        ),
    ] = "auto",
    interval: Annotated[
        str,
        Parameter(
            group=WHAT,
            help="How to make intervals: auto, none, or a name from `credibly list interval-methods`.",
        ),
    ] = "auto",
    confidence_level: Annotated[float, Parameter(group=WHAT, help="Of the intervals.")] = 0.95,
    rng: Annotated[int | None, Parameter(group=WHAT, help="Seed of a bootstrap.")] = None,
    replicates: Annotated[int, Parameter(group=WHAT, help="Replicates of a bootstrap.")] = 2000,
    output: Output = TEXT,
) -> None:
    """Estimate measures from a file of predictions.

    Reads CSV, TSV, JSON lines, Parquet, ARFF and Weka's prediction files.

    For instance:
      credibly evaluate preds.csv --truth y --probability p --positive yes
      credibly evaluate preds.csv --truth y --label predicted --by class
      credibly evaluate preds.parquet --measure "auc,brier,fbeta(beta=2)" --json

    Parameters
    ----------
    file
        The file of predictions, one row a case; - for standard input.
    """
    from credibly.cli.printing import print_result
    from credibly.evaluation import evaluate
    from credibly.io import read_cost_matrix

    table = evaluate(
        columns.read(file),
        calls(measure) or None,
        by=many(by),
        average=average,
        unclassified=unclassified,
        costs=None if cost_matrix is None else read_cost_matrix(cost_matrix),
        estimate=many(estimate) or "auto",
        interval=interval,
        confidence_level=confidence_level,
        rng=rng,
        replicates=replicates,
    )
    print_result(table, output, confusion=measure is None)
