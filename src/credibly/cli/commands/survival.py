"""`credibly survival`: scores of predictions of times to an event, some of them censored."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter

from credibly.cli.command_groups import JUDGE
from credibly.cli.options import COLUMNS, OUTPUT, WHAT, WRITTEN, many, numbers
from credibly.cli.output import TEXT, Output
from credibly.cli.scored_cases import show_scores

GROUP = JUDGE


def command(
    file: Path,
    *,
    time: Annotated[str, Parameter(group=COLUMNS)] = "time",
    event: Annotated[str, Parameter(group=COLUMNS)] = "event",
    risk: Annotated[str | None, Parameter(group=COLUMNS)] = None,
    survival: Annotated[str | None, Parameter(group=COLUMNS)] = None,
    times: Annotated[str | None, Parameter(group=COLUMNS)] = None,
    group: Annotated[str | None, Parameter(group=COLUMNS)] = None,
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
    time
        The column of how long each case was watched.
    event
        The column that says whether the event came then (1), or the case was censored (0).
    risk
        The column of a number that is higher where the event is expected sooner; of several, separated by commas, each is a model.
    survival
        The columns of the chance of no event up to each of the times, separated by commas.
    times
        The times of these columns, separated by commas; also those at which a score by time is shown.
    group
        The column of groups of cases that belong together.
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
    from credibly.case_scores.survival import survival as taken
    from credibly.cli.terminal import print_result
    from credibly.io import read_numbers

    risks, chances = many(risk) or [], many(survival) or []
    when: Any = numbers(times)
    read = read_numbers(file, [time, event, *risks, *chances], labels=[group] if group else [])
    told: dict[str, Any] = {"group": read[group]} if group else {}
    if chances:
        held: dict[str, Any] = {
            "survival": np.column_stack([read[c] for c in chances]),
            "times": when,
        }
        held |= {"risk": read[risks[0]]} if risks else {}
        found = taken(read[time], read[event], **held, **told)
    elif len(risks) == 1:
        found = taken(read[time], read[event], risk=read[risks[0]], **told)
    else:
        found = taken(read[time], read[event], {c: read[c] for c in risks} or None, **told)
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
