"""Printing results: tables that a terminal makes pleasant and a pipe keeps plain."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from credibly._core.findings import Finding, worst_first
from credibly._core.text import markdown_table, plain_table, visible
from credibly.results.formats import json_ready
from credibly.results.result import Result
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
        _print_tables(result, [*result.remarks(), *remarks], markdown=output.markdown)
        if confusion and isinstance(result, Table):
            _print_confusion(result, print_markdown if output.markdown else print_cells)
        print_findings(result.all_findings())


def _print_tables(result: Result, remarks: list[str], *, markdown: bool) -> None:
    """Print the heading, the tables, each with its title if it has one, and what is said below them."""
    tables = list(result.blocks())
    if heading := result.headline():
        print(visible(heading) + ("\n" if markdown and not tables[0][0] else ""))
    for title, header, body in tables:
        if title:
            print(f"\n### {title}\n" if markdown else f"\n{title}")
        (print_markdown if markdown else print_cells)(header, body)
    said = "\n".join(map(str, remarks)).strip()
    if said:
        print(f"\n{visible(said)}")


def print_json(facts: dict[str, Any]) -> None:
    """Print facts as JSON; NaN is ``null``, infinities are strings."""
    print(json.dumps(json_ready(facts), indent=2, ensure_ascii=False))


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


def print_markdown(header: list[str], body: list[list[str]]) -> None:
    """Print a Markdown table."""
    print(markdown_table(*_visible(header, body)))


def _print_confusion(table: Table, show: Callable[[list[str], list[list[str]]], None]) -> None:
    """Print the table of truth against label where it is small enough to be read."""
    found = table.details.get("confusion_matrix")
    classes = table.details.get("classes", [])
    if not found or len(classes) > MANY_CLASSES:
        return
    undecided = any(found["unclassified"])
    print()
    header = ["actual \\ predicted", *map(str, classes), *(["no label"] if undecided else [])]
    rows = zip(classes, found["counts"], found["unclassified"], strict=True)
    show(
        header,
        [
            [str(c), *(f"{x:.6g}" for x in (*row, *([doubt] if undecided else [])))]
            for c, row, doubt in rows
        ],
    )


def print_cells(header: list[str], body: list[list[str]]) -> None:
    """Print a table of text."""
    if not sys.stdout.isatty():
        print(plain_table(*_visible(header, body)))
        return
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    rich = RichTable(box=None, header_style="bold", pad_edge=False)
    head, rows = _visible(header, body)
    for i, name in enumerate(head):
        rich.add_column(Text(name), overflow="fold", no_wrap=i > 0)
    for row in rows:
        rich.add_row(*(Text(c, style="dim" if c == "undefined" else "") for c in row))
    Console().print(rich)


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


def _visible(header: list[str], body: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    return [visible(h) for h in header], [[visible(c) for c in row] for row in body]
