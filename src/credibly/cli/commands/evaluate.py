"""`credibly evaluate`: measures of a file of predictions."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  (read by the command line at run time)
from typing import Annotated, Literal

from cyclopts import Group, Parameter

COLUMNS = Group.create_ordered(
    "Columns of the file (names are guessed where unambiguous, and said)"
)
WHAT = Group.create_ordered("What to report")
OUTPUT = Group.create_ordered("Output")


def _column(text: str) -> Parameter:
    return Parameter(group=COLUMNS, help=text)


def command(
    file: Path,
    *,
    truth: Annotated[str | None, _column("What was observed.")] = None,
    label: Annotated[str | None, _column("Predicted class.")] = None,
    score: Annotated[
        str | None, _column("Score: larger where the positive class is likelier.")
    ] = None,
    probability: Annotated[
        str | None,
        _column("Probability of the positive class, or one column a class separated by commas."),
    ] = None,
    value: Annotated[str | None, _column("Predicted number.")] = None,
    weight: Annotated[str | None, _column("Case weight.")] = None,
    weight_kind: Annotated[
        Literal["frequency", "importance"] | None,
        _column("Whether weights count repeated cases or say how much a case matters."),
    ] = None,
    row: Annotated[str | None, _column("Identifier of the case.")] = None,
    model: Annotated[str | None, _column("Name of the model.")] = None,
    repeat: Annotated[str | None, _column("Repeat of the resampling.")] = None,
    fold: Annotated[str | None, _column("Fold of the resampling.")] = None,
    part: Annotated[str | None, _column("Part of the data: train, validation, test.")] = None,
    group: Annotated[str | None, _column("Group that cases belong to.")] = None,
    baseline: Annotated[
        str | None,
        _column("Training prior of each class, separated by commas, or training mean."),
    ] = None,
    positive: Annotated[str | None, Parameter(group=WHAT, help="The positive class.")] = None,
    classes: Annotated[
        str | None, Parameter(group=WHAT, help="All classes in their order, separated by commas.")
    ] = None,
    threshold: Annotated[
        float | None, Parameter(group=WHAT, help="Label positive from this score on.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        Parameter(
            group=WHAT,
            negative=(),
            help="Measures such as auc,brier,'fbeta(beta=2)'; everything that applies when not given.",
        ),
    ] = None,
    by: Annotated[
        str | None,
        Parameter(
            group=WHAT, help="Slices: model, repeat, fold, part, group, class; several with commas."
        ),
    ] = None,
    average: Annotated[
        Literal["macro", "micro", "weighted", "weighted_predicted"] | None,
        Parameter(group=WHAT, help="How measures of one class become one number."),
    ] = None,
    unclassified: Annotated[
        str,
        Parameter(group=WHAT, help="Cases without a label: error, exclude, or a default class."),
    ] = "error",
    cost_matrix: Annotated[
        Path | None,
        Parameter(group=WHAT, help="Labelled CSV of costs: rows actual, columns predicted."),
    ] = None,
    interval: Annotated[
        str,
        Parameter(
            group=WHAT,
            help="How to make intervals: auto, none, or a name from `credibly list interval-methods`.",
        ),
    ] = "auto",
    confidence_level: Annotated[float, Parameter(group=WHAT, help="Of the intervals.")] = 0.95,
    rng: Annotated[int | None, Parameter(group=WHAT, help="Seed of a bootstrap.")] = None,
    replicates: Annotated[int, Parameter(group=WHAT, help="Replicates of a bootstrap.")] = 2000,
    tolerance: Annotated[
        float | None, Parameter(group=WHAT, help="How far probabilities may be from summing to 1.")
    ] = None,
    format: Annotated[  # noqa: A002
        str | None, Parameter(group=WHAT, help="Format of the file when its name does not tell.")
    ] = None,
    json: Annotated[
        bool, Parameter(group=OUTPUT, negative=(), help="JSON with full precision.")
    ] = False,
    csv: Annotated[
        bool, Parameter(group=OUTPUT, negative=(), help="CSV, one row an estimate.")
    ] = False,
    markdown: Annotated[bool, Parameter(group=OUTPUT, negative=(), help="Markdown.")] = False,
) -> None:
    """Estimate measures from a file of predictions.

    Reads CSV, TSV, JSON lines, Parquet, ARFF and Weka's prediction files.

    For instance:
      credibly evaluate preds.csv --truth y --probability p --positive yes
      credibly evaluate preds.csv --truth y --label predicted --by class
      credibly evaluate preds.parquet --measure "auc,brier,fbeta(beta=2)" --json

    Parameters
    ----------
    file
        The file of predictions, one row a case; - for standard input.
    """
    from credibly._core.parameters import split_calls
    from credibly.cli.printing import print_result
    from credibly.evaluation import evaluate
    from credibly.io import read, read_cost_matrix

    predictions = read(
        file,
        truth=truth,
        label=label,
        score=score,
        probability=_one_or_many(probability),
        value=value,
        positive=positive,
        classes=_many(classes),
        threshold=threshold,
        weight=weight,
        weight_kind=weight_kind,
        row=row,
        model=model,
        repeat=repeat,
        fold=fold,
        part=part,
        group=group,
        baseline=_one_or_many(baseline),
        tolerance=tolerance,
        format=format,
    )
    table = evaluate(
        predictions,
        [m for each in measure for m in split_calls(each)] if measure else None,
        by=_many(by),
        average=average,
        unclassified=unclassified,
        costs=None if cost_matrix is None else read_cost_matrix(cost_matrix),
        interval=interval,
        confidence_level=confidence_level,
        rng=rng,
        replicates=replicates,
    )
    print_result(table, json=json, as_csv=csv, markdown=markdown, confusion=measure is None)


def _many(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(",") if part.strip()]


def _one_or_many(text: str | None) -> str | list[str] | None:
    return _many(text) if text is not None and "," in text else text
