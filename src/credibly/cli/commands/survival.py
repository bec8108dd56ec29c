"""`credibly survival`: scores of predictions of times to an event, some of them censored."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.command_groups import JUDGE
from credibly.cli.options import COLUMNS, Options
from credibly.cli.output import PICTURED, PicturedOutput
from credibly.cli.scored_cases import EVERY_SCORE, AskedScores

GROUP = JUDGE


class SurvivalOptions(Options):
    """The columns of the table."""

    verb = "credibly.case_scores.survival_tables:read_survival"
    group = COLUMNS
    first = "risk survival times"
    says = {"times": "The times of these columns; also those at which a score by time is shown."}


def command(
    file: Path,
    *,
    table: SurvivalOptions,
    by_time: str | None = None,
    calibration: float | None = None,
    decision: float | None = None,
    asked: AskedScores = EVERY_SCORE,
    output: PicturedOutput = PICTURED,
) -> None:
    """Score predictions of times to an event, some censored: concordance, AUC and Brier score by time, calibration at a time.

    For instance:
      credibly survival patients.csv --risk cox,forest
      credibly survival patients.csv --survival s1,s5 --times 1,5
      credibly survival patients.csv --survival s1,s5 --times 1,5 --calibration 5 -o calibration.svg
      credibly survival patients.csv --survival s1,s5 --times 1,5 --decision 5 -o decision.svg
      credibly survival patients.csv --risk cox,forest --score uno_c --save uno.csv
      credibly compare uno.csv

    Parameters
    ----------
    file
        A file with one row per case.
    by_time
        Show this score at each of the times: survival_auc or survival_brier.
    calibration
        Show predicted and observed risks of an event by this time, in ten groups of similar risk.
    decision
        Show the net benefit by this time of treating those whose risk reaches a threshold (decision curve).
    """
    from credibly.case_scores.survival_tables import read_survival
    from credibly.cli.terminal import print_result

    survival = read_survival(file, **table)
    when = table.get("times")
    level = asked.confidence_level
    if by_time is not None:
        print_result(survival.by_time(by_time, when, confidence_level=level), output)
    elif calibration is not None:
        print_result(survival.calibration(at=calibration, confidence_level=level), output)
    elif decision is not None:
        print_result(survival.decision_curve(at=decision, confidence_level=level), output)
    else:
        asked.show(survival, output)
