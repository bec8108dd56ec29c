"""`credibly report`: one file that holds the evidence, its uncertainty and what to doubt."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from credibly.cli.columns import DEFAULT, WHAT, Columns, calls
from credibly.cli.costs import NO_COSTS, CostOptions
from credibly.cli.options import ConfidenceLevel, PlannedMeasure, ReportFile, Shares, Title


def command(
    file: Path,
    *,
    columns: Columns = DEFAULT,
    costs: CostOptions = NO_COSTS,
    output: ReportFile = Path("report.html"),
    title: Title = None,
    measure: Annotated[
        list[str] | None,
        Parameter(
            group=WHAT,
            negative=(),
            help="Measures to show, the one to rank and compare by first.",
        ),
    ] = None,
    prevalence: Shares = None,
    planned_measure: PlannedMeasure = None,
    confidence_level: ConfidenceLevel = 0.95,
) -> None:
    """Write a report: a page that needs no network, Markdown, LaTeX tables or JSON.

    For instance:
      credibly report preds.csv --truth y --probability p --positive yes -o report.html
      credibly report preds.parquet --cost fn=5 --cost fp=1 --prevalence 0.02
      credibly report preds.csv --measure auc,brier -o report.md

    Parameters
    ----------
    file
        The file of predictions, one row a case, or the name of a bundled one (campaign, breast-cancer).
    """
    from shlex import join

    from credibly.cli import TYPED
    from credibly.cli.costs import file_or_bundled, shares
    from credibly.cli.printing import print_saved
    from credibly.reports import report
    from credibly.reports.report import check_format

    check_format(output)  # before a large file is read
    path = file_or_bundled(file)
    listed = calls(measure)
    made = report(
        columns.read(path),
        measures=listed or None,
        measure=listed[0] if listed else None,
        costs=costs.of(path, columns.format),
        prevalence=shares(prevalence),
        planned_measure=planned_measure,
        title=title or f"Evaluation of {path.name}",
        command=join(["credibly", *TYPED.get()]),
        confidence_level=confidence_level,
    )
    print_saved(made, output)
