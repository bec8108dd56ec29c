"""`credibly evaluate`: measures of a file of predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from credibly.cli.columns import DEFAULT, WHAT, Columns, calls, many
from credibly.cli.options import AverageOfClasses, ConfidenceLevel, Replicates, Seed
from credibly.cli.output import TEXT, Output
from credibly.cli.where import HERE, Where


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
            group=WHAT,
            help="Slices: model, repeat, fold, part, group, class, occurring_class or any column; several with commas.",
        ),
    ] = None,
    average: AverageOfClasses = None,
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
    confidence_level: ConfidenceLevel = 0.95,
    rng: Seed = None,
    replicates: Replicates = 2000,
    device: Annotated[
        Literal["cpu", "gpu"], Parameter(group=WHAT, help="Where a bootstrap is computed.")
    ] = "cpu",
    where: Where = HERE,
    output: Output = TEXT,
) -> None:
    """Estimate measures from a file of predictions.

    Reads CSV, TSV, JSON lines, Parquet, ARFF and Weka's prediction files. Large files, and folders or
    patterns of CSV and Parquet files, are counted by an engine, which is said.

    For instance:
      credibly evaluate preds.csv --truth y --probability p --positive yes
      credibly evaluate preds.csv --truth y --label predicted --by class
      credibly evaluate preds.parquet --measure "auc,brier,fbeta(beta=2)" --json
      credibly evaluate 'preds/*.parquet' --truth y --probability p --tolerance 1e-6
      credibly evaluate 'preds/*.parquet' --truth y --label predicted --by country,month

    Parameters
    ----------
    file
        The file of predictions, one row a case; - for standard input; or a folder or pattern of
        files, or the name of a table.
    """
    from credibly.cli.printing import print_result
    from credibly.evaluation import evaluate
    from credibly.io import read_cost_matrix
    from credibly.predictions.summaries.linear import SLICES

    measures, slices = calls(measure), many(by) or []
    options: dict[str, Any] = {
        "by": [name for name in slices if name in SLICES],
        "average": average,
        "unclassified": unclassified,
        "costs": None if cost_matrix is None else read_cost_matrix(cost_matrix),
        "estimate": many(estimate) or "auto",
        "interval": interval,
        "confidence_level": confidence_level,
        "rng": rng,
        "replicates": replicates,
        "device": device,
    }
    others = [name for name in slices if name not in SLICES]
    if others:
        from credibly.engines import evaluate_slices

        asked = where.options(columns)
        table = evaluate_slices(str(file), others, measures or None, options=options, **asked)
    else:
        table = evaluate(where.predictions(file, columns, measures), measures or None, **options)
    print_result(table, output, confusion=measure is None)
