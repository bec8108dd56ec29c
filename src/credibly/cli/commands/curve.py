"""`credibly curve`: points of a curve, with a band."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from credibly.cli.columns import Columns, kind_and_file
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import OUTPUT, Options
from credibly.cli.output import TEXT, Output

if TYPE_CHECKING:
    from credibly.curves import Curves

GROUP = JUDGE


class CurveOptions(Options):
    """What is drawn, and with which band."""

    verb = "credibly.curves.curve:curve"
    leave_out = "name predictions"


def command(
    name: str,
    file: Path | None = None,
    *,
    columns: Columns,
    asked: CurveOptions,
    points: Annotated[int | None, Parameter(group=OUTPUT)] = None,
    output: Output = TEXT,
) -> None:
    """Compute the points of a curve, such as ROC, from a file of predictions.

    For instance:
      credibly curve roc preds.csv --truth y --probability p --positive yes
      credibly curve "threshold(measure='f1')" preds.csv --csv
      credibly curve cost preds.csv --by model --band simultaneous --rng 1 --json

    Parameters
    ----------
    name
        A name from `credibly list curves`, with arguments in brackets if needed; with a file alone, roc.
    file
        The file of predictions, one row per case.
    points
        At most this many points, chosen to keep the shape: 2,000 look like all of them.
    """
    from credibly.cli.terminal import print_result
    from credibly.curves import Curve, Curves, curve, curves as kinds

    name, file = kind_and_file(name, file, kinds.__contains__, default="roc")
    kind = kinds.parse(name)  # an unknown name is reported before a large file is read
    drawn = curve(columns.read(file), kind, **asked)
    curves = Curves((drawn,)) if isinstance(drawn, Curve) else drawn
    if points is not None:
        curves = Curves(tuple(c.thinned(points) for c in curves.values()), curves.findings)
    if output.json or output.csv:
        print_result(curves, output)
    else:
        _print(curves, points, output)


def _print(curves: Curves, points: int | None, output: Output) -> None:
    """Print curves: a picture of characters and some points of each; of several, the points on request."""
    from credibly._core.text import markdown_table
    from credibly.cli.terminal import print_findings, print_joined, print_text, table_text
    from credibly.cli.text_plot import text_plot
    from credibly.curves.result import POINTS_TO_READ

    at_most, markdown = points or POINTS_TO_READ, output.markdown
    if curves.values() and not markdown:
        print_text(text_plot(curves.values()))
    if len(curves) > 1 and points is None and output == TEXT:
        headings = (c.heading(c.x.size) for c in curves.values())
        below = [*curves.remarks(), "Not shown: the points of each curve; see --all or --points."]
        print_text("\n" + "\n".join((*headings, *below)))
        print_joined(curves.all_findings())
        return
    for c in curves.values():
        print_text(f"\n{c.heading(at_most)}" + ("\n" if markdown else ""))
        print((markdown_table if markdown else table_text)(*c.cells(at_most)))
        if c.band:
            print_text(str(c.band))
    print_findings(curves.all_findings())
