"""`credibly run`: learning schemes on data, evaluated by resampling."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from credibly._core.text import count
from credibly.cli.command_groups import FIRST
from credibly.cli.data import DataColumns
from credibly.cli.options import DATA, HOW, OUTPUT, WHAT, Options, calls, many
from credibly.cli.output import TEXT, Output
from credibly.errors import Argument, DataError, ParameterError, says
from credibly.predictions import Predictions

if TYPE_CHECKING:
    from credibly.io.datasets import Dataset

GROUP = FIRST


class RunColumns(DataColumns):
    """Which column is what, and which orders the rows or says their fold."""

    leave_out = "source format"


class RunOptions(Options):
    """How schemes learn and are tried."""

    verb = "credibly.running.run:run"
    takes = "weight_kind resampling task rng n_jobs positive"
    group = HOW
    first = "resampling rng positive n_jobs"
    elsewhere = {"weight_kind": DATA, "positive": WHAT}
    defaults = {"rng": 1, "n_jobs": 1}


class RunMeasures(Options):
    """What to estimate, and how."""

    verb = "credibly.evaluation.evaluate:evaluate"
    takes = "measures estimate by interval confidence_level"
    first = "measures by interval"
    reads = {"by": many}
    says = {
        "measures": "Measures such as auc,brier,'fbeta(beta=2)', or all; a few by default.",
        "by": "Slices: repeat, fold, group, class; separate several with commas.",
    }


def command(
    data: str,
    *others: str,
    columns: RunColumns,
    scheme: Annotated[list[str] | None, Parameter(group=HOW)] = None,
    learned: RunOptions,
    asked: RunMeasures,
    strict: Annotated[bool, Parameter(group=OUTPUT)] = False,
    save: Path | None = None,
    output: Output = TEXT,
) -> None:
    """Train schemes (learners) on data and estimate how well they predict cases they have not seen.

    Reads CSV, TSV, JSON lines, Parquet and ARFF, or a bundled dataset by name, such as iris,
    breast-cancer or loans (`credibly list datasets`). Every scheme gets the same splits.

    For instance:
      credibly run loans.csv --target default
      credibly run iris --scheme naive-bayes --scheme "tree(max_depth=3)"
      credibly run loans.csv --target default --scheme logistic --resampling 10x10 --group customer
      credibly run loans.csv --target default --scheme forest --save preds.parquet
      credibly evaluate preds.parquet --by class
      credibly run spring.csv summer.csv autumn.csv --target sold --scheme tree,forest --resampling 5

    Parameters
    ----------
    data
        A file, or the name of a bundled dataset.
    others
        More datasets with the same columns that share no cases with the first: each is resampled
        separately, and means are over datasets.
    scheme
        Learning schemes (learners) such as naive-bayes,'tree(max_depth=3)' or
        'package.module:Class(a=1)'; may be repeated. By default a linear model, a tree and a forest. See
        `credibly list schemes`.
    strict
        Exit with code 1 if any fit failed.
    save
        Save the predictions to a .parquet, .csv or .jsonl file.
    """
    from dataclasses import replace

    from credibly.cli.interruption import end_if_interrupted
    from credibly.cli.terminal import print_result
    from credibly.evaluation import evaluate
    from credibly.io.save import save as save_to
    from credibly.results.brief import Brief

    tables = [columns.read(each) for each in (data, *others)]
    schemes = calls(scheme)
    predictions = (_on_several if others else _on_one)(tables, schemes, learned)
    said = dict.fromkeys(f for t in tables for f in t.and_more(predictions.findings))
    predictions = replace(predictions, findings=tuple(said))
    if save is not None:
        save_to(predictions, save)
    named = ["all"] if output.all else asked.get("measures")
    asked.pop("measures", None)
    measures = _measures(named, predictions)
    average = _average(predictions, asked.get("by", []))
    result = evaluate(predictions, measures, average=average, rng=learned["rng"], **asked)
    brief = output == TEXT and not (named or asked.get("by"))
    print_result(Brief(result) if brief else result if output == TEXT else result.all, output)
    end_if_interrupted(predictions.findings)
    if strict:
        _refuse_failures(predictions)


def _on_one(tables: list[Dataset], schemes: list[str] | None, learned: RunOptions) -> Predictions:
    from credibly.running.run import run

    (table,) = tables
    given = {"positive": table.positive, **learned}
    return run(schemes, table.X, table.y, **table.columns, **given)


def _on_several(
    tables: list[Dataset], schemes: list[str] | None, learned: RunOptions
) -> Predictions:
    """Run schemes on data sets of one kind, each by itself."""
    from credibly.running.data_sets import run_datasets

    first = tables[0]
    for table in tables[1:]:
        if table.names != first.names:
            raise DataError(
                f"{table.where} has different inputs from {first.where}: {', '.join(table.names)}.",
                remedy=says("All datasets of a run need the same columns; see <ignore=...>."),
            )
    columns = ("group", "weight", "time", "fold")
    refused = [c for c in columns if any(getattr(t, c) is not None for t in tables)]
    refused += [name for name in ("weight_kind", "positive") if name in learned]
    if refused:
        raise ParameterError(says("{name} only works with one dataset.", name=Argument(refused[0])))
    pairs = [(table.X, table.y) for table in tables]
    return run_datasets(schemes, pairs, **{"resampling": "10", **learned})


def _refuse_failures(predictions: Predictions) -> None:
    from credibly.predictions.findings import FAILED_FITS

    failed = sum(f.code == FAILED_FITS.code for f in predictions.findings)
    if failed:
        schemes = count(failed, "scheme")
        raise DataError(
            says(
                "Fits of {schemes} failed; <strict=True> treats that as an error.", schemes=schemes
            )
        )


def _measures(asked: list[str] | None, predictions: Predictions) -> list[str] | None:
    """Return what was asked for, everything, or a few that apply."""
    from credibly.measures import measures
    from credibly.measures.selection import first_measures

    if asked == ["all"]:
        return None
    return asked or [
        m
        for m in first_measures(predictions.task)
        if not all(measures[m].lacks(part, averaged=True) for part in predictions.alike())
    ]


def _average(predictions: Predictions, by: list[str]) -> Literal["macro"] | None:
    """Average over two classes where it is not known which of them is meant."""
    unknown = len(predictions.classes) == 2 and not predictions.has_positive
    return "macro" if unknown and "class" not in by else None
