"""`credibly forecasts`: scores of forecasts of a distribution."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from credibly.cli.command_groups import JUDGE
from credibly.cli.options import COLUMNS, OUTPUT, WHAT, WRITTEN, Options, many
from credibly.cli.output import TEXT, Output
from credibly.cli.scored_cases import show_scores

GROUP = JUDGE


def pairs(text: str) -> dict[str, str]:
    """Read columns by the names of parameters.

    >>> pairs("mean=mu, sd=sigma")
    {'mean': 'mu', 'sd': 'sigma'}
    """
    parted = [part.partition("=") for part in many(text) or ()]
    return {name.strip(): column.strip() or name.strip() for name, _, column in parted}


class Table(Options):
    """The columns of the table."""

    verb = "credibly.case_scores.forecast_tables:read_forecasts"
    leave_out = "source"
    group = COLUMNS
    first = "truth parameters members quantiles"
    elsewhere = {"distribution": WHAT, "format": WHAT}
    reads = {"parameters": pairs}
    says = {
        "parameters": "Columns of the parameters: mean=mu,sd=sigma; those of the same names by default."
    }


def command(
    file: Path,
    *,
    table: Table,
    score: Annotated[str | None, Parameter(group=WHAT)] = None,
    baseline: Annotated[str | None, Parameter(group=WHAT)] = None,
    pit: Annotated[str | None, Parameter(group=WHAT)] = None,
    confidence_level: Annotated[float, Parameter(group=WHAT)] = 0.95,
    save: Annotated[Path | None, Parameter(group=OUTPUT)] = None,
    picture: Annotated[Path | None, WRITTEN] = None,
    output: Output = TEXT,
) -> None:
    """Score forecasts of a distribution (normal and others, ensembles, quantiles): CRPS, log score, coverage and more, with intervals.

    For instance:
      credibly forecasts rain.csv --truth mm --members "ens_*"
      credibly forecasts sales.csv --truth sold --quantiles "q*" --time day
      credibly forecasts hub.csv --level output_type_id --row location,date --model model_id --baseline naive
      credibly forecasts rain.csv --score crps --save crps.csv
      credibly compare crps.csv

    Parameters
    ----------
    file
        A file with a row per case and columns of parameters, members or quantiles; or with a row per quantile or member.
    score
        Scores from ``credibly list case-scores``, separated by commas; all that apply by default.
    baseline
        Show the skill of the other models against this one, in the first score that is named (crps by default).
    pit
        Show where in its distribution each truth lies (PIT histogram) for this model.
    confidence_level
        Confidence level of the intervals.
    save
        File to write the score of each case to, the first of those that are named: other commands take it.
    picture
        File to write the PIT histogram to: .svg, .png, .pdf, .html or .json.
    """
    from credibly._core.parameters import split_calls
    from credibly.case_scores.forecast_tables import read_forecasts
    from credibly.cli.terminal import print_result

    found = read_forecasts(file, **table)
    if pit is not None or picture is not None:
        places = found.pit(pit, confidence_level=confidence_level)
        print_result(places, output, picture=picture)
    elif baseline is not None:
        named = split_calls(score or "crps")[0]
        print_result(found.skill(named, baseline, confidence_level=confidence_level), output)
    else:
        show_scores(found, score, confidence_level, save, output)
