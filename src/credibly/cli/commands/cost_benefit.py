"""`credibly cost-benefit`: how many of the best-scored cases to select."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from credibly._core.text import visible
from credibly.cli.columns import DEFAULT, WHAT, Columns
from credibly.cli.costs import NO_COSTS, CostOptions
from credibly.cli.output import OUTPUT, TEXT, Output

if TYPE_CHECKING:
    from credibly.decisions import CostBenefit
    from credibly.predictions import Predictions


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
    confidence_level: Annotated[
        float | None, Parameter(group=WHAT, help="Of the intervals: 0.95 when not given.")
    ] = None,
    scenario: Annotated[
        Path | None,
        Parameter(group=WHAT, help="Costs, place and population as saved by the page (JSON)."),
    ] = None,
    rng: Annotated[
        int | None, Parameter(group=WHAT, help="Seed: adds the cross-fitted profit of the best.")
    ] = None,
    rows: Annotated[
        Path | None,
        Parameter(group=OUTPUT, help="Write the ids of the selected rows to this file."),
    ] = None,
    html: Annotated[
        Path | None,
        Parameter(
            group=OUTPUT, help="Write a page to try costs and places on; it needs no server."
        ),
    ] = None,
    output: Output = TEXT,
) -> None:
    """Say what selecting the cases of the highest scores brings, and how many bring most.

    For instance:
      credibly cost-benefit campaign --benefit tp=15 --cost fp=0.8
      credibly cost-benefit preds.csv --benefit tp=15 --cost fp=0.8 --population 1000000 --at 20%
      credibly cost-benefit preds.csv --html analyser.html
      credibly cost-benefit preds.csv --scenario scenario.json

    Parameters
    ----------
    file
        The file of scores, one row a case, or the name of a bundled one (campaign, breast-cancer).
    """
    from credibly.cli.costs import file_or_bundled
    from credibly.cli.printing import print_result
    from credibly.decisions import cost_benefit

    path = file_or_bundled(file)
    own = costs.of(path, columns.format)
    given: dict[str, Any] = {
        "at": at,
        "population": population,
        "prevalence": prevalence,
        "confidence_level": confidence_level,
    }
    p, own, given = _in_scenario(scenario, path, columns, own, given)
    options = {name: value for name, value in given.items() if value is not None}
    made = cost_benefit(p, own, **options, rng=rng)
    if rows is not None:
        _write(rows, "".join(f"{row}\n" for row in ("row", *made.selected_rows(rng=rng).tolist())))
    if html is not None:
        _write(html, _page(p, own, made, file.name, options, columns.options()))
        print(f"{visible(made.table.heading)}\n\nWrote {visible(str(html))}")
        return
    print_result(made.table, output, confusion=True)


def _in_scenario(
    scenario: Path | None, path: Path, columns: Columns, costs: object, given: dict[str, Any]
) -> tuple[Predictions, Any, dict[str, Any]]:
    """Read the predictions, and take from a scenario what the command line does not say itself."""
    if scenario is None:
        return columns.read(path), costs, given
    from credibly.app.scenario import read_scenario

    kept = read_scenario(scenario)
    named = columns if columns.positive else replace(columns, positive=kept.positive)
    filled = {n: getattr(kept, n) if value is None else value for n, value in given.items()}
    return kept.of_model(named.read(path)), costs or kept.costs, filled


def _page(
    p: Predictions,
    costs: object,
    made: CostBenefit,
    title: str,
    options: dict[str, Any],
    told: dict[str, Any],
) -> str:
    from credibly.app.page import render
    from credibly.app.page_data import scene
    from credibly.app.scenario import start_of
    from credibly.predictions.summaries.linear import against_rest

    start = start_of(against_rest(p), costs, made.points[0])
    start |= {name: options[name] for name in ("population", "prevalence") if name in options}
    start |= {"level": made.confidence_level}
    return render(scene(p, title=title, start=start, told=told))


def _write(path: Path, text: str) -> None:
    from credibly._core.errors import DataError
    from credibly._core.files import write_whole

    if path.is_file():
        raise DataError(
            f"{path} cannot be written: there is such a file already. Choose another name."
        )
    write_whole(path, text)
