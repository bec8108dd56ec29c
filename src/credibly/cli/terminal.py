"""Printing results: tables that a terminal makes pleasant and a pipe keeps plain."""

from __future__ import annotations

import csv
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from credibly._core.findings import Finding, joined, worst_first
from credibly._core.layout import fitted_table, folded, in_terminal, terminal_width
from credibly._core.text import count, markdown_table, plain_table, visible, width_of
from credibly.cli.output import Output, PicturedOutput
from credibly.results.brief import Brief
from credibly.results.estimates import Tabled
from credibly.results.result import Result, TableText
from credibly.results.table import Table

if TYPE_CHECKING:
    from credibly.reports import Report
    from credibly.reports.formats import Format
    from credibly.results.figure import Figure


MAX_CLASSES = 12
MAX_FIRST_CLASSES = 6  # which leave room for the rest of a first screen
MAX_FIRST_NOTES = 2  # of a first screen, unless there is worse
SEVERITY_COLOURS = {"problem": "bold red", "caution": "yellow", "note": "dim"}
MORE_HINT = (
    "\nUse --all for every measure, baseline rule and finding, or --json for other programs."
)
ESCAPE = "\x1b"  # what begins a colour, which is never part of data that are made visible
LINE_STYLES = {"title": "bold", "header": "bold", "row": ""}


def print_result(
    result: Result,
    output: Output,
    *,
    draw: Callable[[], Figure] | None = None,
    remarks: Sequence[str] = (),
    confusion: bool = False,
) -> None:
    """Print a result in the format that was asked for, after its picture is saved."""
    if isinstance(output, PicturedOutput) and output.picture is not None:
        (draw or result.plot)().save(output.picture)
    if output.json:
        print(result.to_json())
    elif output.csv:
        print_rows(result.rows())
        print_findings(result.all_findings(), sys.stderr)  # what reads the rows must not meet them
    else:
        _print_text_of(result, output, remarks, confusion=confusion)


def _print_text_of(
    result: Result, output: Output, remarks: Sequence[str], *, confusion: bool
) -> None:
    """Print what a result means, its tables, what they are about and what to doubt: one screen, or all."""
    whole = output.all or output.markdown
    shown = result.all if whole else result
    if said := shown.meaning():
        print_text(f"{said}\n")
    show, title = (_below_blank, "### {}") if output.markdown else (table_text, "{}")
    text = "\n".join(shown.laid_out(show, title)).lstrip("\n")
    print(text if output.markdown else _within(text))
    if said := "\n".join((*shown.said_below(), *map(str, remarks))).strip():
        print()
        print_text(said)
    table = result.table if isinstance(result, Tabled) else result
    if confusion and isinstance(table, Table):
        _print_confusion(table, show, MAX_CLASSES if whole else MAX_FIRST_CLASSES)
    findings = shown.all_findings()
    if whole:
        print_findings(joined(findings, most=len(findings)))
    else:
        print_joined(findings, brief=isinstance(result, Brief))
    if isinstance(result, Brief) and not whole:
        print_text(MORE_HINT)


def _below_blank(header: list[str], body: list[list[str]]) -> str:
    """Write a Markdown table, which needs a blank line before it."""
    return f"\n{markdown_table(header, body)}"


def print_saved(report: Report, output: Path, written_as: Format | None = None) -> None:
    """Write a report, and say what it finds and where it is."""
    replaced = " in the place of the file that was there" * output.exists()
    saved = report.save(output, written_as)
    print_text(report.document.headline)
    print(f"\nWrote {visible(str(saved))}{replaced}")


def print_rows(rows: list[dict[str, Any]]) -> None:
    """Print flat dictionaries as CSV."""
    names = list(dict.fromkeys(k for row in rows for k in row))
    writer = csv.DictWriter(sys.stdout, fieldnames=names)
    writer.writeheader()
    writer.writerows(rows)


def _print_confusion(table: Table, show: TableText, most: int) -> None:
    """Print the table of truth against label where it is small enough to be read."""
    found = table.details.get("confusion_matrix")
    if found and len(found.classes) <= most:
        print("\n" + show(*found.cells()).lstrip("\n"))


def table_text(header: list[str], body: list[list[str]]) -> str:
    """Write a table of text, for a terminal within its width."""
    if not _has_width(sys.stdout):
        return plain_table(header, body)
    lines = fitted_table(header, body, terminal_width())
    return "\n".join(_styled(line.text, LINE_STYLES[line.kind]) for line in lines)


def _has_width(out: TextIO) -> bool:
    """Whether lines end somewhere: in a terminal, or in a pipe for which somebody set COLUMNS.

    Shells keep it to themselves; the readline of a Python that calls us sets it beside LINES for all.
    """
    asked = os.environ.get("COLUMNS", "").isdigit() and "LINES" not in os.environ
    return in_terminal(out) or asked


def fits(text: str) -> bool:
    """Whether no line of a text is wider than those of the output."""
    return not _has_width(sys.stdout) or max(map(width_of, text.split("\n"))) <= terminal_width()


def _styled(text: str, style: str) -> str:
    """Write a line as a terminal shows it."""
    if not (text and style):
        return text
    from rich.console import Console
    from rich.text import Text

    console = Console()
    with console.capture() as drawn:
        console.print(Text(text, style=style), soft_wrap=True, end="")
    return drawn.get()


def print_text(text: str, file: TextIO | None = None) -> None:
    """Print sentences, folded at words in a terminal; a line below an indented one is indented too."""
    out = file or sys.stdout
    print(_within(visible(text), out), file=out)


def _within(text: str, out: TextIO | None = None) -> str:
    """Fold what is wider than the terminal; lines of tables are not."""
    if not _has_width(out or sys.stdout):
        return text
    return "\n".join(part for line in text.split("\n") for part in _folded(line))


def _folded(line: str) -> list[str]:
    return [line] if ESCAPE in line else folded(line, terminal_width())


def print_joined(findings: tuple[Finding, ...], *, brief: bool = True) -> None:
    """Print how much there is to doubt, then one finding of each kind, the worst first."""
    # What to do about a note is not urgent.
    silent = {f for f in findings if f.severity == "note" and (brief or f.of_reading)}
    told = joined(replace(f, action="") if f in silent else f for f in findings)
    if not told:
        return
    weights = Counter(f.severity for f in told)
    several = ", ".join(count(n, severity) for severity, n in weights.items())
    print_text(f"\n{several}" if len(told) > 1 else "")
    heavy = len(told) - weights["note"]
    shown = told[: heavy + max(MAX_FIRST_NOTES - heavy, 1)]
    if len(told) - len(shown) == 1:  # which takes no more room than the words that it is not shown
        shown = told
    print_findings(shown, apart=False)
    if more := len(told) - len(shown):
        print_text(f"{count(more, 'more note')}: see --all.")


def print_findings(
    findings: Iterable[Finding], file: TextIO | None = None, *, apart: bool = True
) -> None:
    """Print what to doubt, the worst first."""
    out = file or sys.stdout
    ranked = worst_first(findings)
    if not ranked:
        return
    if out is sys.stdout and apart:
        print()
    for f in ranked:
        if not in_terminal(out):
            print_text(str(f), out)
            continue
        severity, *rest = _folded(visible(str(f)))
        word = f"{f.severity}:"
        shown = [_styled(word, SEVERITY_COLOURS[f.severity]) + severity.removeprefix(word), *rest]
        print("\n".join(shown), file=out)
