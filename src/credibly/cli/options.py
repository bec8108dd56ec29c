"""Options that several commands take, each with its help once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from credibly._core.averages import Average
from credibly.cli.columns import WHAT
from credibly.cli.output import OUTPUT


def _what(text: str) -> Parameter:
    return Parameter(group=WHAT, help=text)


ConfidenceLevel = Annotated[float, _what("Of the intervals.")]
Seed = Annotated[int | None, _what("Seed of a bootstrap.")]
Replicates = Annotated[int, _what("Replicates of a bootstrap.")]

Prevalence = Annotated[float | None, _what("Share of positives where the model will be used.")]
Shares = Annotated[str | None, _what("Share of the positive class, or of each: a=0.2,b=0.8.")]
PlannedMeasure = Annotated[str | None, _what("The measure chosen before looking.")]

Slices = Annotated[
    str | None,
    _what("Slices: model, repeat, fold, part, group, class, occurring_class; several with commas."),
]
AverageOfClasses = Annotated[Average | None, _what("How measures of one class become one number.")]
AverageOfFolds = Annotated[
    Literal["vertical", "threshold"] | None,
    _what("One curve out of those of the folds, with their spread."),
]
BandMethod = Annotated[str | None, _what("A name from `credibly list band-methods`.")]

ReportFile = Annotated[
    Path,
    Parameter(
        name=["--output", "-o"],
        group=OUTPUT,
        help="Where to write it; the name says the format: html, md, tex, json.",
    ),
]
Title = Annotated[
    str | None, Parameter(group=OUTPUT, help="Title; names the file or folder when not given.")
]
