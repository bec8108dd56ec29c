"""`credibly cost-benefit`: how many of the best-scored cases to select."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  (read by the command line at run time)
from typing import Annotated

from cyclopts import Parameter

from credibly.cli.columns import DEFAULT, WHAT, Columns
from credibly.cli.costs import NO_COSTS, CostOptions
from credibly.cli.output import OUTPUT, TEXT, Output


def command(
    file: Path,
    *,
    columns: Columns = DEFAULT,
    costs: CostOptions = NO_COSTS,
    at: Annotated[
        str | None,
        Parameter(
            group=WHAT,
            help="Where to operate: 20%, number=500, recall=0.8, threshold=0.3, best (the default) or worst.",
        ),
    ] = None,
    population: Annotated[
        float | None, Parameter(group=WHAT, help="How many cases there will be.")
    ] = None,
    prevalence: Annotated[
        float | None, Parameter(group=WHAT, help="Share of the positive class among them.")
    ] = None,
    confidence_level: Annotated[float, Parameter(group=WHAT, help="Of the intervals.")] = 0.95,
    rng: Annotated[
        int | None, Parameter(group=WHAT, help="Seed: adds the cross-fitted profit of the best.")
    ] = None,
    rows: Annotated[
        Path | None,
        Parameter(group=OUTPUT, help="Write the ids of the selected rows to this file."),
    ] = None,
    output: Output = TEXT,
) -> None:
    """Say what selecting the cases of the highest scores brings, and how many bring most.

    For instance:
      credibly cost-benefit campaign --benefit tp=15 --cost fp=0.8
      credibly cost-benefit preds.csv --benefit tp=15 --cost fp=0.8 --population 1000000 --at 20%

    Parameters
    ----------
    file
        The file of scores, one row a case, or the name of a bundled one (campaign, breast-cancer).
    """
    from credibly.cli.costs import file_or_bundled
    from credibly.cli.printing import print_result
    from credibly.decisions import cost_benefit

    path = file_or_bundled(file)
    made = cost_benefit(
        columns.read(path),
        costs.of(path, columns.format),
        at=at,
        population=population,
        prevalence=prevalence,
        confidence_level=confidence_level,
        rng=rng,
    )
    if rows is not None:
        _write(rows, made.selected_rows(rng=rng).tolist())
    print_result(made.table, output, confusion=True)


def _write(path: Path, selected: list[object]) -> None:
    from credibly._core.errors import DataError

    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{row}\n" for row in ("row", *selected))
    except OSError as error:
        msg = f"{path} cannot be written: {error.strerror}. Choose another name."
        raise DataError(msg) from None
