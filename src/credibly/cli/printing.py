"""Printing results: tables that a terminal makes pleasant and a pipe keeps plain."""

from __future__ import annotations

import csv
import sys
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from credibly._core.text import markdown_table, number_text, plain_table, visible
from credibly.results.formats import json_ready

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from credibly._core.results import Finding
    from credibly.cli.output import Output
    from credibly.curves import Curves, Hull, Tangent
    from credibly.reports import Report
    from credibly.results.table import Table


class Answer(Protocol):
    """A result that can be printed in every format."""

    def to_json(self) -> str:
        """Return everything for a program."""

    def rows(self) -> list[dict[str, Any]]:
        """Return the long form."""

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Return header and body of its table."""


MANY_CLASSES = 12
COLOURS = {"problem": "bold red", "caution": "yellow", "note": "dim"}


def print_result(table: Table, output: Output, *, confusion: bool) -> None:
    """Print a table in the format that was asked for."""
    if output.json:
        print(table.to_json())
        return
    if output.csv:
        print_rows(table.rows())
        print_findings(table.all_findings(), sys.stderr)  # what reads the rows must not meet them
        return
    show = print_markdown if output.markdown else print_cells
    print(visible(table.heading) + ("\n" if output.markdown else ""))
    show(*table.cells())
    if table.intervals_text():
        print(f"\n{visible(table.intervals_text())}")
    if confusion:
        _print_confusion(table, show)
    print_findings(table.all_findings())


def print_rows(rows: list[dict[str, Any]]) -> None:
    """Print flat dictionaries as CSV."""
    names = list(dict.fromkeys(k for row in rows for k in row))
    writer = csv.DictWriter(sys.stdout, fieldnames=names)
    writer.writeheader()
    writer.writerows(rows)


def print_curves(curves: Curves, output: Output, points: int) -> None:
    """Print curves: a picture of characters and some points of each, or all points for a program."""
    if output.json or output.csv:
        print(curves.to_json()) if output.json else print_rows(curves.rows())
        return
    from credibly.cli.text_plot import text_plot

    if curves.values() and not output.markdown:
        print(visible(text_plot(curves.values())))
    for c in curves.values():
        print(f"\n{visible(c.heading(points))}" + ("\n" if output.markdown else ""))
        (print_markdown if output.markdown else print_cells)(*c.cells(points))
        if c.band:
            print(c.band)
    each = [f for c in curves.values() for f in c.findings]
    print_findings(tuple(dict.fromkeys((*curves.findings, *each))))


def print_hull(hull: Hull, best: Tangent, output: Output) -> None:
    """Print a hull and its cheapest corner."""
    if output.csv:
        print_rows(hull.rows())
        return
    if output.json:
        import json as to_json
        from dataclasses import asdict

        everything = json_ready({**hull.to_dict(), "best": asdict(best)})
        print(to_json.dumps(everything, indent=2, ensure_ascii=False))
        return
    print(visible(hull.heading()) + ("\n" if output.markdown else ""))
    (print_markdown if output.markdown else print_cells)(*hull.cells())
    print(
        f"\nCheapest at the probability cost {number_text(best.probability_cost)} "
        f"(slope {number_text(best.slope)}): {visible(str(best.point))}, "
        f"expected cost {number_text(best.expected_cost)} a case."
    )
    print_findings(hull.findings)


def print_answer(
    answer: Answer,
    output: Output,
    *,
    heading: str = "",
    said: Sequence[str] = (),
    findings: tuple[Finding, ...] = (),
) -> None:
    """Print a result in the format asked for; its text says everything, other formats need the rest."""
    if output.json:
        print(answer.to_json())
    elif output.csv:
        print_rows(answer.rows())
        print_findings(findings, sys.stderr)  # what reads the rows must not meet them
    elif output.markdown:
        if heading:
            print(visible(heading) + "\n")
        print_markdown(*answer.cells())
        if said:
            print("\n" + visible("\n".join(map(str, said))))
        print_findings(findings)
    else:
        print(visible(str(answer)))


def print_saved(report: Report, output: Path) -> None:
    """Write a report, and say what it finds and where it is."""
    print(visible(report.document.headline))
    print(f"\nWrote {visible(str(report.save(output)))}")


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
    order = list(COLOURS)
    ranked = sorted(findings, key=lambda f: order.index(f.severity))
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
