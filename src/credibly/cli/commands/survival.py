"""`credibly survival`: scores of predictions of times to an event, some of them censored."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from credibly.cli.command_groups import JUDGE
from credibly.cli.options import COLUMNS, OUTPUT, WHAT, WRITTEN, Options
from credibly.cli.output import TEXT, Output
from credibly.cli.scored_cases import show_scores

GROUP = JUDGE


class Table(Options):
    """The columns of the table."""

    verb = "credibly.case_scores.survival_tables:read_survival"
    leave_out = "source"
    group = COLUMNS
    says = {"times": "The times of these columns; also those at which a score by time is shown."}


def command(
    file: Path,
    *,
    table: Table,
    score: Annotated[str | None, Parameter(group=WHAT)] = None,
    by_time: Annotated[str | None, Parameter(group=WHAT)] = None,
    calibration: Annotated[float | None, Parameter(group=WHAT)] = None,
    confidence_level: Annotated[float, Parameter(group=WHAT)] = 0.95,
    save: Annotated[Path | None, Parameter(group=OUTPUT)] = None,
    picture: Annotated[Path | None, WRITTEN] = None,
    output: Output = TEXT,
) -> None:
    """Score predictions of times to an event, some censored: concordance, AUC and Brier score by time, calibration at a time.

    For instance:
      credibly survival patients.csv --risk cox,forest
      credibly survival patients.csv --survival s1,s5 --times 1,5
      credibly survival patients.csv --survival s1,s5 --times 1,5 --calibration 5 -o calibration.svg
      credibly survival patients.csv --risk cox,forest --score uno_c --save uno.csv
      credibly compare uno.csv

    Parameters
    ----------
    file
        A file with one row per case.
    score
        Scores from ``credibly list case-scores``, separated by commas; all that apply by default.
    by_time
        Show this score at each of the times: survival_auc or survival_brier.
    calibration
        Show predicted and observed risks of an event by this time, in ten groups of similar risk.
    confidence_level
        Confidence level of the intervals.
    save
        File to write the score of each case to, the first of those that are named: other commands take it.
    picture
        File to write the picture of a score by time, or of the calibration, to: .svg, .png, .pdf, .html or .json.
    """
    from credibly.case_scores.survival_tables import read_survival
    from credibly.cli.terminal import print_result

    found = read_survival(file, **table)
    when = table.get("times")
    shown: Any = None
    if by_time is not None:
        shown = found.by_time(by_time, when, confidence_level=confidence_level)
    elif calibration is not None:
        shown = found.calibration(at=calibration, confidence_level=confidence_level)
    if shown is None:
        show_scores(found, score, confidence_level, save, output)
        return
    if picture is not None:
        shown.plot().save(picture)
    print_result(shown, output)
