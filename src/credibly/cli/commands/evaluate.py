"""`credibly evaluate`: measures of a file of predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from credibly.cli.columns import Columns
from credibly.cli.counting_engine import CountingEngine
from credibly.cli.options import WHAT, Options, many
from credibly.cli.output import TEXT, Output


class Measured(Options):
    """What to estimate, and how."""

    verb = "credibly.evaluation.evaluate:evaluate"
    leave_out = "predictions costs"
    names = {"measures": "measure"}
    reads = {"by": many}
    says = {
        "by": "Slices: model, repeat, fold, part, group, class, occurring_class or any column; several with commas."
    }


def command(
    file: Path,
    *,
    columns: Columns,
    asked: Measured,
    cost_matrix: Annotated[Path | None, Parameter(group=WHAT)] = None,
    counting: CountingEngine,
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
    cost_matrix
        Labelled CSV of costs: rows actual, columns predicted.
    """
    from credibly.cli.terminal import print_result
    from credibly.evaluation import evaluate
    from credibly.io import read_cost_matrix
    from credibly.predictions.summaries.linear import SLICES

    measures, slices = asked.pop("measures", None), asked.pop("by", [])
    options = {**asked, "by": [name for name in slices if name in SLICES]}
    if cost_matrix is not None:
        options["costs"] = read_cost_matrix(cost_matrix)
    others = [name for name in slices if name not in SLICES]
    if others:
        from credibly.engines import evaluate_slices

        given = counting.options(columns)
        table = evaluate_slices(str(file), others, measures, options=options, **given)
    else:
        table = evaluate(counting.predictions(file, columns, measures), measures, **options)
    print_result(table, output, confusion=measures is None)
