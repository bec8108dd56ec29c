"""`credibly few-labels`: a rate or a measure from few labels and a judge of all cases."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import Options
from credibly.cli.output import PICTURED, PicturedOutput

GROUP = JUDGE


class FewLabelsOptions(Options):
    """What is estimated, and how cases were chosen to be labelled."""

    verb = "credibly.judges.few_labels:few_labels"
    says = {
        "judge": "Column with the judge's answer for the truth of each case.",
        "sampled_with": "Column of the probability with which each case was chosen to be labelled.",
        "stratum": "Column of the strata; in each of them, cases were chosen at random.",
    }


def command(
    file: Path, *, columns: Columns, asked: FewLabelsOptions, output: PicturedOutput = PICTURED
) -> None:
    """Estimate from few labels by people and a judge of all cases: prediction-powered inference.

    Leave the truth empty for cases that nobody labelled.

    For instance:
      credibly few-labels answers.csv --truth human --label judge
      credibly few-labels answers.csv --truth human --label judge --stratum topic
      credibly few-labels preds.csv --judge gpt_truth --measure accuracy

    Parameters
    ----------
    file
        A file with the truth of some cases, and what a judge or a model says of all of them.
    """
    from credibly.cli.terminal import print_result
    from credibly.judges.few_labels import few_labels

    result = few_labels(columns.read(file), **asked)
    print_result(result, output)
