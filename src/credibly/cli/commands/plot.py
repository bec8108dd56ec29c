"""`credibly plot`: a picture of a file of predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from credibly.cli.columns import Columns, kind_and_file
from credibly.cli.command_groups import JUDGE
from credibly.cli.costs import CostOptions, file_or_bundled
from credibly.cli.options import OUTPUT, OUTPUT_OPTION, Options
from credibly.errors import ParameterError, UnknownNameError, did_you_mean, says

GROUP = JUDGE


class PlotOptions(Options):
    """What many plots take."""

    verb = "credibly.curves.curve:curve"
    takes = "by average thresholds band prevalence confidence_level rng"
    defaults = {"confidence_level": None}
    says = {"confidence_level": "Confidence level of bands and intervals."}


def command(
    kind: str,
    file: Path | None = None,
    *,
    columns: Columns,
    costs: CostOptions,
    asked: PlotOptions,
    option: list[str] | None = None,
    full_range: bool = False,
    output: Annotated[Path | None, OUTPUT_OPTION] = None,
    theme: Annotated[Literal["light", "dark"], Parameter(group=OUTPUT)] = "light",
    transparent: Annotated[bool, Parameter(group=OUTPUT)] = False,
    width: Annotated[int | None, Parameter(group=OUTPUT)] = None,
) -> None:
    """Plot a file of predictions: a curve, a confusion matrix, a hull, a comparison.

    For instance:
      credibly plot roc preds.csv --band pointwise --rng 1 -o roc.svg
      credibly plot confusion-matrix preds.csv --option show=rows -o matrix.png
      credibly plot differences preds.csv --option measure=auc --theme dark
      credibly plot cost-benefit campaign --benefit tp=15 --cost fp=0.8

    Parameters
    ----------
    kind
        A name from `credibly list plots` or `credibly list curves`; it may also follow the file, or be
        left out.
    file
        The file of predictions, one row per case.
    option
        Options of the plot, such as show=rows or measure=auc; see `credibly show plot confusion-matrix`.
    full_range
        Show all that is possible along the axes, which are otherwise cut where marks take a tenth of them.
    output
        File to write: .svg, .png, .pdf, .html or .json; by default named after the file and the plot.
    theme
        Background: light or dark.
    transparent
        Make the background transparent; the theme still says whether it is light or dark.
    width
        Width of the picture in pixels; by default as wide as needed.
    """
    from credibly.cli.terminal import print_findings, print_text
    from credibly.curves import curves
    from credibly.results.figure import Look, format_of
    from credibly.results.plot import plot, plots

    kind, file = kind_and_file(kind, file, lambda n: n in curves or n in plots)
    # An unknown name or format is reported before a large file is read.
    name = kind if "(" in kind else kind.replace("-", "_")
    short = name.partition("(")[0]
    if name and short not in curves:
        if short not in plots and did_you_mean(short, curves.names()):
            raise UnknownNameError(
                f"There is no plot {short!r}.", asked=short, choices=curves.names()
            )
        _ = plots[name]
    file = file_or_bundled(file)
    target = output or Path(f"{file.stem}{'-' if short else ''}{short.replace('_', '-')}.svg")
    format_of(target)
    priced = costs.of(file, columns)
    given = asked if priced is None else {**asked, "costs": priced}
    asked_for = {**given, **_options(option or [])}
    figure = plot(columns.read(file), name or None, full_range=full_range, **asked_for)
    look: Look = {"theme": theme, "transparent": transparent}
    figure.save(target, **(look if width is None else {**look, "width": width}))
    print_text(f"Wrote {target}: {figure.alt}")
    print_findings(figure.findings)


def _options(pairs: list[str]) -> dict[str, Any]:
    """Read options written as name=value; a value is a number or a word.

    >>> _options(["threshold=0.5", "show=rows"])
    {'threshold': 0.5, 'show': 'rows'}
    """
    read: dict[str, Any] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign:
            raise ParameterError(
                says("<option=> takes name=value, such as show=rows; got {pair!r}.", pair=pair)
            )
        try:
            read[name.strip().replace("-", "_")] = float(value)
        except ValueError:
            read[name.strip().replace("-", "_")] = value.strip()
    return read
