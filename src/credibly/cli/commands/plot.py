"""`credibly plot`: a picture of a file of predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from credibly.cli.columns import DEFAULT, WHAT, Columns, many
from credibly.cli.costs import NO_COSTS, CostOptions
from credibly.cli.options import AverageOfFolds, BandMethod, Prevalence, Seed, Slices
from credibly.cli.output import OUTPUT


def command(
    kind: str,
    file: Path,
    *,
    columns: Columns = DEFAULT,
    costs: CostOptions = NO_COSTS,
    by: Slices = None,
    average: AverageOfFolds = None,
    band: BandMethod = None,
    prevalence: Prevalence = None,
    confidence_level: Annotated[
        float | None, Parameter(group=WHAT, help="Of bands and intervals.")
    ] = None,
    rng: Seed = None,
    option: Annotated[
        list[str] | None,
        Parameter(
            group=WHAT,
            negative=(),
            help="What else a plot takes, such as show=rows or measure=auc; see `credibly show plot`.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        Parameter(
            name=("--output", "-o"),
            group=OUTPUT,
            help="File to write: .svg, .png, .pdf, .html or .json; by default named after file and plot.",
        ),
    ] = None,
    theme: Annotated[Literal["light", "dark"], Parameter(group=OUTPUT, help="Ground.")] = "light",
) -> None:
    """Draw a file of predictions: a curve, a confusion matrix, a hull, a comparison.

    For instance:
      credibly plot roc preds.csv --band pointwise --rng 1 -o roc.svg
      credibly plot confusion-matrix preds.csv --option show=rows -o matrix.png
      credibly plot differences preds.csv --option measure=auc --theme dark
      credibly plot cost-benefit campaign --benefit tp=15 --cost fp=0.8

    Parameters
    ----------
    kind
        A name from `credibly list plots` or `credibly list curves`.
    file
        The file of predictions, one row a case.
    """
    from credibly._core.text import visible
    from credibly.cli.costs import file_or_bundled
    from credibly.cli.printing import print_findings
    from credibly.curves import curves
    from credibly.results.figure import format_of
    from credibly.results.plot import plot, plots

    # A name or a format that is not known is told before a large file is read.
    name = kind if "(" in kind else kind.replace("-", "_")
    short = name.partition("(")[0]
    if short not in curves:
        _ = plots[name]
    file = file_or_bundled(file)
    target = output or Path(f"{file.stem}-{short.replace('_', '-')}.svg")
    format_of(target)
    given = {
        "by": many(by),
        "average": average,
        "band": band,
        "prevalence": prevalence,
        "confidence_level": confidence_level,
        "rng": rng,
        "costs": costs.of(file, columns.format),
    }
    options = {k: v for k, v in given.items() if v is not None} | _options(option or [])
    figure = plot(columns.read(file), name, **options)
    figure.save(target, theme=theme)
    print(f"{visible(str(target))}: {visible(figure.alt)}")
    print_findings(figure.findings)


def _options(pairs: list[str]) -> dict[str, Any]:
    """Read options written as name=value; a value is a number or a word.

    >>> _options(["threshold=0.5", "show=rows"])
    {'threshold': 0.5, 'show': 'rows'}
    """
    from credibly._core.errors import ParameterError

    read: dict[str, Any] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign:
            raise ParameterError(f"option= takes name=value, such as show=rows; got {pair!r}.")
        try:
            read[name.strip().replace("-", "_")] = float(value)
        except ValueError:
            read[name.strip().replace("-", "_")] = value.strip()
    return read
