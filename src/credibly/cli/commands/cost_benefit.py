"""`credibly cost-benefit`: how many of the best-scored cases to select."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from credibly._core.text import visible
from credibly.cli.columns import Columns
from credibly.cli.command_groups import DECIDE
from credibly.cli.costs import CostOptions, file_or_bundled
from credibly.cli.options import OUTPUT, WHAT, Options
from credibly.cli.output import TEXT, Output
from credibly.predictions import Predictions

if TYPE_CHECKING:
    from credibly.decisions import CostBenefit

GROUP = DECIDE

OUTPUT_OPTION = Parameter(group=OUTPUT)


class CostBenefitOptions(Options):
    """How many cases are selected, and out of which population."""

    verb = "credibly.decisions.cost_benefit:cost_benefit"
    leave_out = "predictions costs"


def command(
    file: Path,
    *,
    columns: Columns,
    costs: CostOptions,
    asked: CostBenefitOptions,
    scenario: Annotated[Path | None, Parameter(group=WHAT)] = None,
    rows: Path | None = None,
    html: Path | None = None,
    output: Output = TEXT,
) -> None:
    """Find how many of the best-scored cases to select for the highest profit.

    For instance:
      credibly cost-benefit campaign --benefit tp=15 --cost fp=0.8
      credibly cost-benefit preds.csv --benefit tp=15 --cost fp=0.8 --population 1000000 --at 20%
      credibly cost-benefit preds.csv --html analyser.html
      credibly cost-benefit preds.csv --scenario scenario.json

    Parameters
    ----------
    file
        The file of scores, one row per case, or the name of a bundled one (campaign, breast-cancer).
    scenario
        Costs, operating point and population as saved by the page (JSON).
    rows
        Write the identifiers of the selected rows to this file.
    html
        Write a page for trying costs and operating points; it needs no server.
    """
    from credibly._core.files import write_new
    from credibly.cli.terminal import print_result
    from credibly.decisions import cost_benefit

    path = file_or_bundled(file)
    own, rng = costs.of(path, columns), asked.pop("rng", None)
    p, own, options = _in_scenario(scenario, path, columns, own, asked)
    analysis = cost_benefit(p, own, **options, rng=rng)
    if rows is not None:
        write_new(
            rows, "".join(f"{row}\n" for row in ("row", *analysis.selected_rows(rng=rng).tolist()))
        )
    if html is not None:
        write_new(html, _page(p, own, analysis, file.name, options, columns))
        print(f"{visible(analysis.table.heading)}\n\nWrote {visible(str(html))}")
        return
    print_result(analysis, output, confusion=True)


def _in_scenario(
    scenario: Path | None, path: Path, columns: Columns, costs: object, asked: CostBenefitOptions
) -> tuple[Predictions, Any, dict[str, Any]]:
    """Read the predictions, and take from a scenario what the command line does not say itself."""
    if scenario is None:
        return columns.read(path), costs, asked
    from credibly.app.scenario import read_scenario

    kept = read_scenario(scenario)
    if kept.positive is not None:
        columns.setdefault("positive", kept.positive)
    found = {n: getattr(kept, n) for n in ("at", "population", "prevalence", "confidence_level")}
    given = {n: value for n, value in (found | asked).items() if value is not None}
    return kept.of_model(columns.read(path)), costs or kept.costs, given


def _page(
    p: Predictions,
    costs: object,
    made: CostBenefit,
    title: str,
    options: dict[str, Any],
    told: Columns,
) -> str:
    from credibly.app.page import render
    from credibly.app.page_data import page_data
    from credibly.app.scenario import start_of
    from credibly.predictions.summaries.linear import against_rest

    start = start_of(against_rest(p), costs, made.points[0])
    start |= {name: options[name] for name in ("population", "prevalence") if name in options}
    start |= {"level": made.confidence_level}
    return render(page_data(p, title=title, start=start, told=told))
