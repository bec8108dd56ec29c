"""`credibly run`: learning schemes on data, judged by resampling."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from credibly.cli.columns import WHAT, calls, many
from credibly.cli.data import HOW, NO_COLUMNS, DataColumns, data_column
from credibly.cli.options import ConfidenceLevel
from credibly.cli.output import OUTPUT, TEXT, Output

if TYPE_CHECKING:
    from credibly.predictions import Predictions

TWO = 2


def command(
    data: str,
    *,
    columns: DataColumns = NO_COLUMNS,
    time: Annotated[str | None, data_column("When a row was observed, for time_ordered.")] = None,
    fold: Annotated[
        str | None, data_column("In which fold a row is tested, for fold_column.")
    ] = None,
    scheme: Annotated[
        list[str] | None,
        Parameter(
            group=HOW,
            negative=(),
            help="Learning schemes such as naive-bayes,'tree(max_depth=3)' or "
            "'package.module:Class(a=1)'; may be given again. See `credibly list schemes`.",
        ),
    ] = None,
    resampling: Annotated[
        str | None,
        Parameter(
            group=HOW,
            help="10, 10x10, loo, bootstrap ...: see `credibly list resamplings`; ten folds when not given; numbers keep groups whole.",
        ),
    ] = None,
    task: Annotated[
        Literal["classification", "numeric"] | None,
        Parameter(group=HOW, help="Where the target does not tell."),
    ] = None,
    rng: Annotated[int, Parameter(group=HOW, help="Seed of everything random.")] = 1,
    jobs: Annotated[int, Parameter(group=HOW, help="Worker processes; -1 for all cores.")] = 1,
    positive: Annotated[str | None, Parameter(group=WHAT, help="The positive class.")] = None,
    measure: Annotated[
        list[str] | None,
        Parameter(
            group=WHAT,
            negative=(),
            help="Measures such as auc,brier,'fbeta(beta=2)', or all; a few when not given.",
        ),
    ] = None,
    estimate: Annotated[
        str, Parameter(group=WHAT, help="auto, or names from `credibly list estimators`.")
    ] = "auto",
    by: Annotated[
        str | None,
        Parameter(group=WHAT, help="Slices: repeat, fold, group, class; several with commas."),
    ] = None,
    interval: Annotated[
        str,
        Parameter(group=WHAT, help="auto, none, or a name from `credibly list interval-methods`."),
    ] = "auto",
    confidence_level: ConfidenceLevel = 0.95,
    strict: Annotated[
        bool,
        Parameter(group=OUTPUT, negative=(), help="End with exit code 1 if any fit failed."),
    ] = False,
    save: Annotated[
        Path | None,
        Parameter(group=OUTPUT, help="Keep the predictions: a .parquet, .csv or .jsonl file."),
    ] = None,
    output: Output = TEXT,
) -> None:
    """Run learning schemes on data and estimate how well they predict what they have not seen.

    Reads CSV, TSV, JSON lines, Parquet and ARFF, or a bundled set by name: iris, breast-cancer, wine,
    diabetes, digits. Every scheme gets the same splits.

    For instance:
      credibly run iris --scheme naive-bayes --scheme "tree(max_depth=3)"
      credibly run loans.csv --target default --scheme logistic --resampling 10x10 --group customer
      credibly run loans.csv --target default --scheme forest --save preds.parquet
      credibly evaluate preds.parquet --by class

    Parameters
    ----------
    data
        A file, or the name of a bundled set.
    """
    from dataclasses import replace

    from credibly.cli.interruption import end_if_interrupted
    from credibly.cli.printing import print_result
    from credibly.evaluation import evaluate
    from credibly.io.save import save as save_to
    from credibly.running.run import run

    table = columns.read(data, time=time, fold=fold)
    predictions = run(
        _schemes(scheme),
        table.X,
        table.y,
        resampling=resampling,
        **table.columns,
        weight_kind=columns.weight_kind,
        positive=positive,
        task=task,
        rng=rng,
        n_jobs=jobs,
    )
    predictions = replace(predictions, findings=table.and_more(predictions.findings))
    if save is not None:
        save_to(predictions, save)
    result = evaluate(
        predictions,
        _measures(measure, predictions),
        by=many(by),
        average=_average(predictions, many(by) or []),
        estimate=many(estimate) or "auto",
        interval=interval,
        confidence_level=confidence_level,
        rng=rng,
    )
    print_result(result, output, confusion=False)
    end_if_interrupted(predictions.findings)
    if strict:
        _refuse_failures(predictions)


def _schemes(asked: list[str] | None) -> list[str]:
    from credibly._core.errors import ParameterError

    if not asked:
        raise ParameterError(
            "Name at least one scheme=..., such as zero-r or naive-bayes; `credibly list schemes` shows all."
        )
    return calls(asked)


def _refuse_failures(predictions: Predictions) -> None:
    from credibly._core.errors import DataError, count

    failed = [f.code for f in predictions.findings].count("failed-fits")
    if failed:
        raise DataError(
            f"Fits of {count(failed, 'scheme')} failed; strict=True takes that for an error."
        )


def _measures(asked: list[str] | None, predictions: Predictions) -> list[str] | None:
    """Return what was asked for, everything, or a few that apply."""
    from credibly.measures import measures
    from credibly.measures.headline import HEADLINE

    listed = calls(asked)
    if listed == ["all"]:
        return None
    return listed or [
        m
        for m in HEADLINE[predictions.task]
        if not all(measures[m].lacks(part, averaged=True) for part in predictions.alike())
    ]


def _average(predictions: Predictions, by: list[str]) -> Literal["macro"] | None:
    """Average over two classes where it is not known which of them is meant."""
    unknown = len(predictions.classes) == TWO and not predictions.has_positive
    return "macro" if unknown and "class" not in by else None
