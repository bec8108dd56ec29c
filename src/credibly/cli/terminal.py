"""Printing results: tables that a terminal makes pleasant and a pipe keeps plain."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from credibly._core.findings import Finding, worst_first
from credibly._core.text import markdown_table, plain_table, visible
from credibly.results.result import Result, TableText
from credibly.results.table import Table

if TYPE_CHECKING:
    from credibly.cli.output import Output
    from credibly.reports import Report


MANY_CLASSES = 12
COLOURS = {"problem": "bold red", "caution": "yellow", "note": "dim"}


def print_result(
    result: Result,
    output: Output,
    *,
    remarks: Sequence[str] = (),
    confusion: bool = False,
    prose: bool = False,
) -> None:
    """Print a result in the format that was asked for; what is ``prose`` writes its text itself."""
    if output.json:
        print(result.to_json())
    elif output.csv:
        print_rows(result.rows())
        print_findings(result.all_findings(), sys.stderr)  # what reads the rows must not meet them
    elif prose and not output.markdown:
        print(visible(str(result)))
    else:
        show, title = (_below_blank, "### {}") if output.markdown else (table_text, "{}")
        print("\n".join(result.laid_out(show, title)).lstrip("\n"))
        if said := "\n".join(map(str, (*result.remarks(), *remarks))).strip():
            print(f"\n{visible(said)}")
        if confusion and isinstance(result, Table):
            _print_confusion(result, show)
        print_findings(result.all_findings())


def _below_blank(header: list[str], body: list[list[str]]) -> str:
    """Write a Markdown table, which needs a blank line before it."""
    return f"\n{markdown_table(header, body)}"


def print_saved(report: Report, output: Path) -> None:
    """Write a report, and say what it finds and where it is."""
    print(visible(report.document.headline))
    print(f"\nWrote {visible(str(report.save(output)))}")


def print_rows(rows: list[dict[str, Any]]) -> None:
    """Print flat dictionaries as CSV."""
    names = list(dict.fromkeys(k for row in rows for k in row))
    writer = csv.DictWriter(sys.stdout, fieldnames=names)
    writer.writeheader()
    writer.writerows(rows)


def _print_confusion(table: Table, show: TableText) -> None:
    """Print the table of truth against label where it is small enough to be read."""
    found = table.details.get("confusion_matrix")
    classes = table.details.get("classes", [])
    if not found or len(classes) > MANY_CLASSES:
        return
    undecided = any(found["unclassified"])
    header = ["actual \\ predicted", *map(str, classes), *(["no label"] if undecided else [])]
    rows = zip(classes, found["counts"], found["unclassified"], strict=True)
    body = [
        [str(c), *(f"{x:.6g}" for x in (*row, *([doubt] if undecided else [])))]
        for c, row, doubt in rows
    ]
    print("\n" + show(header, body).lstrip("\n"))


def table_text(header: list[str], body: list[list[str]]) -> str:
    """Write a table of text, for a terminal with colours and folds."""
    if not sys.stdout.isatty():
        return plain_table(header, body)
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    rich = RichTable(box=None, header_style="bold", pad_edge=False)
    for i, name in enumerate(header):
        rich.add_column(Text(visible(name)), overflow="fold", no_wrap=i > 0)
    for row in body:
        rich.add_row(*(Text(visible(c), style="dim" if c == "undefined" else "") for c in row))
    console = Console()
    with console.capture() as drawn:
        console.print(rich)
    return drawn.get().rstrip("\n")


def print_findings(findings: tuple[Finding, ...], file: TextIO | None = None) -> None:
    """Print what to doubt, the worst first."""
    out = file or sys.stdout
    ranked = worst_first(findings)
    if not ranked:
        return
    if out is sys.stdout:
        print()
    if not out.isatty():
        print("\n".join(visible(str(f)) for f in ranked), file=out)
        return
    from rich.console import Console
    from rich.text import Text

    for f in ranked:
        text = Text(f"{f.severity}: ", style=COLOURS[f.severity])
        Console(file=out).print(text.append(visible(f"{f.message} {f.action}".rstrip()), style=""))
