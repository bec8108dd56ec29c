"""`credibly prediction-sets`: sets of classes that were predicted elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
from cyclopts import Parameter

from credibly.cli.command_groups import JUDGE
from credibly.cli.options import COLUMNS, OUTPUT, WHAT, many
from credibly.cli.output import TEXT, Output
from credibly.cli.scored_cases import show_scores

GROUP = JUDGE


def command(
    file: Path,
    *,
    truth: Annotated[str, Parameter(group=COLUMNS)],
    sets: Annotated[str, Parameter(group=COLUMNS)],
    level: Annotated[float | None, Parameter(group=WHAT)] = None,
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
    truth
        The column of the true class.
    sets
        The columns of the classes, separated by commas; they are named as the classes are.
    level
        How often sets are meant to hold the truth.
    score
        Scores from ``credibly list case-scores``, separated by commas; all of sets by default.
    confidence_level
        Confidence level of the intervals.
    save
        File to write the score of each case to, the first of those that are named: other commands take it.
    """
    from credibly.case_scores.prediction_sets import prediction_sets
    from credibly.io import read_numbers

    names = many(sets) or []
    read = read_numbers(file, names, labels=[truth])
    flags = np.column_stack([read[name] for name in names])
    found = prediction_sets(read[truth], flags, classes=names, level=level)
    show_scores(found, score, confidence_level, save, output)
