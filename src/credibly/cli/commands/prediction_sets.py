"""`credibly prediction-sets`: sets of classes that were predicted elsewhere."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.command_groups import JUDGE
from credibly.cli.options import COLUMNS, WHAT, Options
from credibly.cli.output import TEXT, Output
from credibly.cli.scored_cases import EVERY_SCORE, AskedScores

GROUP = JUDGE


class SetOptions(Options):
    """The columns of the table, and what the sets are meant to hold."""

    verb = "credibly.case_scores.class_tables:read_prediction_sets"
    defaults = dict.fromkeys(("truth", "sets"))
    group = COLUMNS
    elsewhere = {"level": WHAT}


def command(
    file: Path, *, table: SetOptions, asked: AskedScores = EVERY_SCORE, output: Output = TEXT
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
    """
    from credibly.case_scores.class_tables import read_prediction_sets

    asked.show(read_prediction_sets(file, **table), output)
