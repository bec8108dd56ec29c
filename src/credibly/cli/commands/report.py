"""`credibly report`: one file that holds the evidence, its uncertainty and what to doubt."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from credibly.cli.columns import Columns
from credibly.cli.command_groups import FIRST
from credibly.cli.costs import CostOptions, file_or_bundled, shares
from credibly.cli.options import OUTPUT, OUTPUT_OPTION, Options, many
from credibly.errors import ParameterError, listed
from credibly.reports.formats import SUFFIXES, Format, check_format

GROUP = FIRST
WRITTEN_ALONE = {*SUFFIXES.values()} - {".json"}  # no predictions are read from such files


class ReportOptions(Options):
    """What the report shows."""

    verb = "credibly.reports.report:report"
    takes = "title measures by prevalence planned_measure difference tuned_on confidence_level note leave_out order"
    elsewhere = {"title": OUTPUT, "note": OUTPUT, "leave_out": OUTPUT, "order": OUTPUT}
    reads = {"by": many, "prevalence": shares}
    says = {
        "title": "Title; the name of the file by default.",
        "measures": "Measures to show; models are ranked and compared by the first.",
        "prevalence": "Share of the positive class, or of each class: a=0.2,b=0.8.",
    }


def command(
    file: Path,
    *others: Path,
    columns: Columns,
    costs: CostOptions,
    asked: ReportOptions,
    output: Annotated[Path | None, OUTPUT_OPTION] = None,
    written_as: Annotated[Format | None, Parameter(name="--as", group=OUTPUT)] = None,
) -> None:
    """Write a report as a self-contained HTML page, Word, Markdown, a model card, LaTeX tables or JSON.

    For instance:
      credibly report preds.csv --truth y --probability p --positive yes -o report.html
      credibly report preds.parquet --cost fn=5 --cost fp=1 --prevalence 0.02
      credibly report preds.csv --measure auc,brier --by sex -o report.md
      credibly report preds.csv --as model-card -o card.md
      credibly report new.csv old.csv --positive yes -o both.html

    Parameters
    ----------
    file
        The file of predictions, one row per case, or the name of a bundled one (campaign, breast-cancer).
    others
        Files of other models on the same cases, each named after its file: the new model first.
    output
        File to write, report.html by default; its suffix sets the format: .html, .md, .tex, .json or .docx.
    written_as
        Format, if the suffix does not show it: model-card is Markdown with the metadata that model hubs read.
    """
    from credibly.cli import typed
    from credibly.cli.terminal import print_saved
    from credibly.reports import report

    if output is None and others and others[-1].suffix in WRITTEN_ALONE:
        *names, wrong = (file, *others)
        raise ParameterError(
            f"{wrong.name} is a report to write, not a file of predictions.",
            remedy=f"Name it last: `credibly report {' '.join(map(str, names))} -o {wrong}`.",
        )
    output = output or Path(f"report{SUFFIXES[written_as or 'html']}")
    check_format(output, written_as)  # before a large file is read
    paths = [file_or_bundled(each) for each in (file, *others)]
    asked.setdefault("title", f"Evaluation of {listed(path.name for path in paths)}")
    measure = asked.get("measures", [None])[0]
    priced = costs.of(paths[0], columns)
    read = columns.read_models(paths)
    made = report(read, measure=measure, costs=priced, command=typed(), **asked)
    print_saved(made, output, written_as)
