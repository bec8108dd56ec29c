"""`credibly best-of`: what the best of several models is worth, allowing for the choice."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import Options
from credibly.cli.output import TEXT, Output

GROUP = JUDGE


class BestOfOptions(Options):
    """What to choose by, and how to allow for it."""

    verb = "credibly.comparisons.best_of:best_of"
    names = {"thresholds": "tune-thresholds"}


def command(
    file: Path, *others: Path, columns: Columns, asked: BestOfOptions, output: Output = TEXT
) -> None:
    """Estimate how good the best of several models really is, allowing for the choice.

    The best of many models, settings or thresholds looks better than it is on the cases that chose it.
    Give the held-out predictions of all that were tried; nothing is fitted again.

    For instance:
      credibly run iris --scheme tree,naive-bayes,knn --save preds.parquet
      credibly best-of preds.parquet --measure accuracy
      credibly best-of tree.csv forest.csv boosting.csv --row id --measure auc
      credibly best-of preds.parquet --measure f1 --tune-thresholds

    Parameters
    ----------
    file
        Predictions of several models, or of one model if you name more files.
    others
        Predictions of the other models for the same cases, one file per model.
    """
    from credibly.cli.terminal import print_result
    from credibly.comparisons.best_of import best_of

    print_result(best_of(columns.read_models([file, *others]), **asked), output)
