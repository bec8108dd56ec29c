"""`credibly prediction-sets`: sets of classes that were predicted elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from credibly.cli.command_groups import JUDGE
from credibly.cli.options import COLUMNS, OUTPUT, WHAT, Options
from credibly.cli.output import TEXT, Output
from credibly.cli.scored_cases import show_scores

GROUP = JUDGE


class Table(Options):
    """The columns of the table, and what the sets are meant to hold."""

    verb = "credibly.case_scores.class_tables:read_prediction_sets"
    leave_out = "source"
    group = COLUMNS
    elsewhere = {"level": WHAT}


def command(
    file: Path,
    *,
    table: Table,
    score: Annotated[str | None, Parameter(group=WHAT)] = None,
    confidence_level: Annotated[float, Parameter(group=WHAT)] = 0.95,
    save: Annotated[Path | None, Parameter(group=OUTPUT)] = None,
    output: Output = TEXT,
) -> None:
    """Judge sets of classes: how often they hold the true class, how large they are, with intervals.

    For instance:
      credibly prediction-sets sets.csv --truth species --sets setosa,versicolor,virginica --level 0.9
      credibly prediction-sets sets.csv --truth y --sets a,b,c --score set_coverage --save covered.csv
      credibly slices covered.csv --by true_class

    Parameters
    ----------
    file
        A file with one row per case, and a column of zeros and ones per class.
    score
        Scores from ``credibly list case-scores``, separated by commas; all of sets by default.
    confidence_level
        Confidence level of the intervals.
    save
        File to write the score of each case to, the first of those that are named: other commands take it.
    """
    from credibly.case_scores.class_tables import read_prediction_sets

    show_scores(read_prediction_sets(file, **table), score, confidence_level, save, output)
