"""`credibly evaluate`: measures of a file of predictions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from credibly.cli.columns import Columns, named_files
from credibly.cli.command_groups import FIRST
from credibly.cli.costs import CostOptions
from credibly.cli.counting_engine import CountingEngine
from credibly.cli.options import Options, many
from credibly.cli.output import TEXT, Output
from credibly.errors import ParameterError, says

GROUP = FIRST


class EvaluateOptions(Options):
    """What to estimate, and how."""

    verb = "credibly.evaluation.evaluate:evaluate"
    leave_out = "predictions costs"
    first = "measures by interval average confidence_level"
    reads = {"by": many}
    says = {
        "by": "Slices: model, repeat, fold, part, group, class, occurring_class or any column; separate several with commas."
    }


def command(
    file: Path,
    *others: Path,
    columns: Columns,
    asked: EvaluateOptions,
    costs: CostOptions,
    counting: CountingEngine,
    output: Output = TEXT,
) -> None:
    """Estimate measures (metrics), with intervals, from a file of predictions.

    Reads CSV, TSV, Excel, JSON, Parquet, ARFF and Weka's prediction files. Large files, and
    folders or patterns of CSV and Parquet files, are counted by an engine; the output says which.

    For instance:
      credibly evaluate preds.csv --truth y --probability p --positive yes
      credibly evaluate preds.csv --truth y --label predicted --by class
      credibly evaluate preds.csv --cost fn=5 --cost fp=1 --measure average_cost
      credibly evaluate preds.parquet --measure "auc,brier,fbeta(beta=2)" --json
      credibly evaluate 'preds/*.parquet' --truth y --probability p --tolerance 1e-6
      credibly evaluate 'preds/*.parquet' --truth y --label predicted --by country,month
      credibly evaluate iris.csv wine.csv glass.csv --measure accuracy --spread

    Parameters
    ----------
    file
        The file of predictions, one row per case; - for standard input; or a folder or pattern of
        files, or the name of a table.
    others
        More files: of other models on the same cases, or of other datasets, over which means are taken.
        Their cases decide which.
    """
    from credibly.cli.terminal import print_result
    from credibly.evaluation import evaluate
    from credibly.measures.selection import PANEL
    from credibly.predictions.case_columns import SLICES
    from credibly.results.brief import Brief

    measures, slices = asked.pop("measures", None), asked.pop("by", [])
    brief = output == TEXT and not (measures or asked.get("spread"))
    measures = [PANEL] if brief else measures
    options = {**asked, "by": slices}
    if costs:
        options["costs"] = costs.of(file, columns)
    by_query = [name for name in slices if name not in SLICES]
    if by_query and not others and not counting.keeps_rows(file, columns):
        from credibly.engines import evaluate_slices

        given = counting.options(columns)
        options["by"] = [name for name in slices if name in SLICES]
        table = evaluate_slices(str(file), by_query, measures, options=options, **given)
    elif others:
        _refuse_measures(others)
        named = named_files([file, *others])
        read = {n: counting.predictions(f, columns, measures) for n, f in named.items()}
        table = evaluate(read, measures, **options)
    else:
        table = evaluate(counting.predictions(file, columns, measures), measures, **options)
    first = measures and output == TEXT
    shown = Brief(table) if brief else table if first else table.all
    print_result(shown, output, confusion=brief or measures is None)


def _refuse_measures(files: Sequence[Path]) -> None:
    """Say how to name a measure, if one is given in the place of a file."""
    from credibly.measures import measures

    for file in files:
        if not file.exists() and str(file) in measures:
            raise ParameterError(
                f"There is no file {file}.",
                remedy=says("For the measure set <measure={name}>.", name=str(file)),
            )
