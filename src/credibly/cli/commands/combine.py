"""`credibly combine`: several models as one, judged beside them."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import Options, many
from credibly.cli.output import TEXT, Output

GROUP = JUDGE


class CombineOptions(Options):
    """Which models, and how."""

    verb = "credibly.ensembles.combine:combine"
    leave_out = "predictions models"
    defaults = {"how": None, "rng": 1}
    says = {
        "how": "Names from `credibly list combinations` such as vote,stacked,"
        '\'weighted(weights={"a": 2, "b": 1})\'; vote by default.'
    }


class CombineMeasures(Options):
    """What to estimate."""

    verb = "credibly.evaluation.evaluate:evaluate"
    takes = "measures average interval confidence_level"
    says = {"measures": "Measures such as auc,brier,'fbeta(beta=2)'; a few by default."}


def command(
    file: Path,
    *others: Path,
    columns: Columns,
    asked: CombineOptions,
    judged: CombineMeasures,
    only_models: str | None = None,
    save: Path | None = None,
    output: Output = TEXT,
) -> None:
    """Combine the predictions of several models into an ensemble, and evaluate it beside them.

    This only needs predictions for the same held-out cases; nothing is fitted to the inputs.

    For instance:
      credibly run iris --scheme tree,naive-bayes,knn --save preds.parquet
      credibly combine preds.parquet --how vote,stacked --save more.parquet
      credibly combine tree.csv forest.csv boosting.csv --row id --how average --measure auc,brier

    Parameters
    ----------
    file
        Predictions of several models, or of one model if you name more files.
    others
        Predictions of the other models for the same cases, one file per model.
    only_models
        The models to combine, separated by commas; all by default.
    save
        Save the predictions of all models, including the new ones, to a .parquet, .csv or .jsonl file.
    """
    from credibly.cli.terminal import print_result
    from credibly.ensembles import combine
    from credibly.evaluation import evaluate
    from credibly.io.save import save as save_to
    from credibly.measures.selection import PANEL
    from credibly.results.brief import Brief

    read = columns.read_models([file, *others])
    predictions = combine(read, models=many(only_models), **asked)
    if save is not None:
        save_to(predictions, save)
    measures = judged.pop("measures", PANEL)
    table = evaluate(predictions, measures, rng=asked["rng"], **judged)
    print_result(Brief(table) if output == TEXT else table.all, output)
