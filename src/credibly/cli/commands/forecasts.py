"""`credibly forecasts`: scores of forecasts of a distribution."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.command_groups import JUDGE
from credibly.cli.options import COLUMNS, WHAT, Options, many
from credibly.cli.output import PICTURED, PicturedOutput
from credibly.cli.scored_cases import EVERY_SCORE, AskedScores

GROUP = JUDGE


def pairs(text: str) -> dict[str, str]:
    """Read columns by the names of parameters.

    >>> pairs("mean=mu, sd=sigma")
    {'mean': 'mu', 'sd': 'sigma'}
    """
    parted = [part.partition("=") for part in many(text) or ()]
    return {name.strip(): column.strip() or name.strip() for name, _, column in parted}


class ForecastOptions(Options):
    """The columns of the table."""

    verb = "credibly.case_scores.forecast_tables:read_forecasts"
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
    table: ForecastOptions,
    baseline: str | None = None,
    pit: str | None = None,
    asked: AskedScores = EVERY_SCORE,
    output: PicturedOutput = PICTURED,
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
    baseline
        Show the skill of the other models against this one, in the first score that is named (crps by default).
    pit
        Show where in its distribution each truth lies (PIT histogram) for this model.
    """
    from credibly.case_scores.forecast_tables import read_forecasts
    from credibly.cli.terminal import print_result

    forecasts = read_forecasts(file, **table)
    if pit is not None or output.picture is not None:
        places = forecasts.pit(pit, confidence_level=asked.confidence_level)
        print_result(places, output)
    elif baseline is not None:
        named = asked.named or ["crps"]
        print_result(
            forecasts.skill(named[0], baseline, confidence_level=asked.confidence_level), output
        )
    else:
        asked.show(forecasts, output)
