"""`credibly calibration`: can the probabilities of a file of predictions be believed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from credibly.cli.columns import DEFAULT, WHAT, Columns
from credibly.cli.options import ConfidenceLevel, Replicates
from credibly.cli.output import TEXT, Output

if TYPE_CHECKING:
    from credibly.calibration import Calibration, ClassCalibration
    from credibly.results.table import Table


def command(
    file: Path,
    /,
    *,
    columns: Columns = DEFAULT,
    groups: Annotated[
        str,
        Parameter(group=WHAT, help="How many groups, or cut points separated by commas."),
    ] = "10",
    rule: Annotated[
        Literal["equal_size", "equal_width"], Parameter(group=WHAT, help="How groups are made.")
    ] = "equal_size",
    of: Annotated[
        str | None,
        Parameter(
            group=WHAT, help="A class against the rest, or top-label; all of several if not given."
        ),
    ] = None,
    fitted_on_these: Annotated[
        bool, Parameter(group=WHAT, negative=(), help="The model was fitted on these very cases.")
    ] = False,
    confidence_level: ConfidenceLevel = 0.95,
    rng: Annotated[
        int | None,
        Parameter(group=WHAT, help="Seed: intervals of calibration errors, and the band."),
    ] = None,
    replicates: Replicates = 1000,
    output: Output = TEXT,
) -> None:
    """Judge probabilities: how often does what they foretell happen.

    For instance:
      credibly calibration preds.csv --truth y --probability p --positive yes
      credibly calibration preds.csv --groups 5 --rng 1
      credibly calibration preds.csv --of top-label --json

    Parameters
    ----------
    file
        The file of predictions, one row a case.
    """
    from credibly.calibration import calibration, class_calibration

    p = columns.read(file)
    made = _groups(groups)
    result: Calibration | ClassCalibration
    if of is None and not p.has_positive and p.task == "classification" and isinstance(made, int):
        result = class_calibration(
            p,
            made,
            fitted_on_these=fitted_on_these,
            rng=rng,
            replicates=replicates,
            confidence_level=confidence_level,
        )
    else:
        result = calibration(
            p,
            made,
            of=of,
            rule=rule,
            fitted_on_these=fitted_on_these,
            rng=rng,
            replicates=replicates,
            confidence_level=confidence_level,
        )
    _print(result, output)


def _groups(text: str) -> int | list[float]:
    from credibly._core.errors import ParameterError

    try:
        return [float(c) for c in text.split(",")] if "." in text or "," in text else int(text)
    except ValueError:
        raise ParameterError(
            f"groups must be a whole number, or cut points such as 0.2,0.5,0.8; got {text!r}."
        ) from None


def _print(result: Calibration | ClassCalibration, output: Output) -> None:
    from credibly._core.text import visible
    from credibly.cli.printing import (
        as_options,
        print_cells,
        print_findings,
        print_markdown,
        print_result,
    )

    table: Table = getattr(result, "table" if hasattr(result, "table") else "classes")
    if output.csv:
        print_result(table, output, confusion=False)
        return
    if output.json:
        print(result.to_json())
        return
    print(visible(result.heading))
    for title, header, body in result.blocks():
        print(f"\n### {title}\n" if output.markdown else f"\n{title}")
        (print_markdown if output.markdown else print_cells)(header, body)
    print(f"\n{visible(as_options(table.intervals_text()))}")
    print_findings(result.all_findings())
