"""`credibly compare`: whether one model is really better."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cyclopts import Group

from credibly._core.parameters import at_least, require
from credibly.cli.columns import Columns, with_other
from credibly.cli.command_groups import FIRST
from credibly.cli.counting_engine import CountingEngine, WideTable, read_models
from credibly.cli.options import Options, calls, many
from credibly.cli.output import TEXT, Output
from credibly.errors import DataError, ParameterError, says
from credibly.predictions import Predictions
from credibly.predictions.numbers import is_number

if TYPE_CHECKING:
    from credibly.comparisons import DatasetTable, Discordant, FoldTable, Moments

GROUP = FIRST

VALUES = Group.create_ordered("Bare values instead of predictions")
PRINTED = Group.create_ordered("Printed numbers instead of files")


def one_or_several(text: str) -> str | list[str] | None:
    """Return a name, or a list where commas stand outside brackets.

    >>> one_or_several("mcnemar(method='exact')"), one_or_several("paired_t, wilcoxon")
    ("mcnemar(method='exact')", ['paired_t', 'wilcoxon'])
    """
    found = calls([text])
    return found[0] if found and len(found) == 1 else found


class CompareOptions(Options):
    """What to compare, and by which test."""

    verb = "credibly.comparisons.compare:compare"
    leave_out = "a b"
    first = "measure against test margin confidence_level"
    reads = {"test": one_or_several}
    says = {
        "test": "auto, or a name from ``credibly list comparisons``; separate several with commas."
    }


class ValuesOptions(Options):
    """Values by fold or by dataset instead of predictions."""

    verb = "credibly.cli.commands.compare:read_table"
    leave_out = "files measure format_name"
    group = VALUES
    first = "columns"


class PrintedNumbers(Options):
    """Numbers that papers print, instead of files."""

    verb = "credibly.cli.commands.compare:read_printed"
    leave_out = "measure"
    group = PRINTED
    first = "discordant"


def command(
    files: list[Path] | None = None,
    /,
    *,
    roles: Columns,
    values: ValuesOptions,
    printed: PrintedNumbers,
    asked: CompareOptions,
    wide: WideTable,
    counting: CountingEngine,
    output: Output = TEXT,
) -> None:
    """Test whether one model is really better than another, and by how much.

    The test is chosen by how the predictions were made; the output says which test was used and why.
    One file may hold several models, named by a column; or each model has its own file; or one table of
    any size has one column per model and is counted by an engine.

    For instance:
      credibly compare new.csv old.csv --truth y --score s --measure auc
      credibly compare new.csv newer.csv --against old.csv
      credibly compare run.parquet --measure error_rate
      credibly compare 'preds/*.parquet' --truth y --models tree=p1,forest=p2 --measure auc --bins 512
      credibly compare a.csv --measure accuracy --against 0.9 --alternative greater
      credibly compare folds.csv --columns a,b --test-train-ratio 0.111
      credibly compare results.csv --datasets dataset --columns a,b,c --measure auc
      credibly compare --values a=0.81,0.79,0.84 --values b=0.78,0.80,0.80 --over datasets
      credibly compare --discordant 12 5 --cases 100
      credibly compare --means 0.81 0.78 --deviations 0.02 0.03 --sizes 10 10

    Parameters
    ----------
    files
        Files of predictions, one or more, differences are first minus second; or one file of values with --columns.
    """
    from credibly.cli.terminal import print_result
    from credibly.comparisons.compare import compare

    if printed or {"columns", "values"} & {*values}:
        for name in ("independent", "partial", "average"):
            asked.pop(name, None)  # of predictions
        measure = asked.pop("measure", "value")
        if printed and (files or {"columns", "values"} & {*values}):
            raise ParameterError("Give either printed numbers, or values, or files.")
        table = (
            read_printed(measure, **printed)
            if printed
            else read_table(files or [], measure, roles.get("format"), **values)
        )
        print_result(compare(table, **asked), output)
        return
    found = _predictions(files or [], roles, wide, counting, asked)
    single = len(found) == 1 and not isinstance(asked.get("against"), float)
    result = compare(next(iter(found.values())) if single else found, **asked)
    print_result(result, output)


def _predictions(
    files: Sequence[Path], roles: Columns, wide: WideTable, counting: CountingEngine, asked: Options
) -> dict[str, Predictions]:
    """Read files of one model each, or have an engine count a table with a column for each."""
    if not files:
        raise ParameterError(
            "There is nothing to compare.",
            remedy=says(
                "Give files of predictions, or numbers, for instance with <discordant=...>."
            ),
        )
    models = roles.get("models")
    if models is None:
        if counting or wide:
            raise ParameterError(
                "An engine counts one table with one column per model.",
                remedy=says(
                    "Name the columns with <models=...>, such as <models='tree=p_tree,forest=p_forest'>."
                ),
            )
        return roles.read_each(with_other(files, asked))
    if len(files) > 1:
        raise ParameterError(
            says(
                "<models=> names columns of one table, or of a pattern of files in quotes; got {n} files.",
                n=len(files),
            )
        )
    if not (counting or wide) and counting.keeps_rows(files[0], roles):
        return {files[0].stem: roles.read(files[0])}
    roles = Columns({k: v for k, v in roles.items() if k != "models"})
    return read_models(files[0], roles, counting, models, **wide)


def read_table(
    files: Sequence[Path],
    measure: str,
    format_name: str | None,
    *,
    columns: str | None = None,
    values: list[str] | None = None,
    over: Literal["folds", "datasets"] = "folds",
    datasets: str | None = None,
    test_train_ratio: float | None = None,
    repeats: int = 1,
    direction: Literal["higher", "lower"] | None = None,
) -> FoldTable | DatasetTable:
    """Read the values of schemes by fold or by dataset.

    Parameters
    ----------
    columns
        Columns of values, one per scheme, separated by commas.
    values
        Values of one scheme: a=0.81,0.79,0.84, or the name of a file of numbers; repeat it for each
        scheme.
    over
        Whether a row is a fold or a dataset.
    datasets
        Column with the names of the datasets; each row is then one dataset.
    test_train_ratio
        Size of a test part divided by that of its training part.
    repeats
        How many times the data were split; rows are ordered by repeat.
    direction
        Whether higher or lower values are better.
    """
    import numpy as np

    from credibly.comparisons import DatasetTable, FoldTable

    found = (
        _typed_values(values)
        if values
        else _columns_of_values(files, columns, [datasets] if datasets else [], format_name)
    )
    names = [name for name in found if name != datasets]
    if over == "datasets" or datasets is not None:
        return DatasetTable.of(
            found, datasets=datasets, columns=names, measure=measure, direction=direction
        )
    if len({len(found[name]) for name in names}) > 1:
        sizes = ", ".join(f"{name} {len(found[name])}" for name in names)
        raise DataError(
            f"All schemes need the same number of values by fold; got {sizes}.",
            remedy=says(
                "For runs that are not paired, give <means=...>, <deviations=...> and <sizes=...>."
            ),
        )
    return FoldTable(
        np.column_stack([found[name] for name in names]),
        tuple(names),
        measure,
        direction or "neither",
        test_train_ratio=test_train_ratio,
        repeats=repeats,
    )


def _columns_of_values(
    files: Sequence[Path], columns: str | None, labels: list[str], format_name: str | None
) -> dict[str, Any]:
    from credibly.io import read_numbers

    names = many(columns) or []
    if len(files) != 1:
        raise ParameterError("Values come from one file, with one column per scheme.")
    if len(names) < 2:
        raise ParameterError(
            f"A comparison needs the columns of two schemes; got {len(names)}.",
            remedy=says("Name them, for instance with <columns='a,b'>."),
        )
    return read_numbers(files[0], names, labels=labels, format=format_name)


def _typed_values(texts: Sequence[str]) -> dict[str, Any]:
    """Read the values of each scheme, typed as a=0.81,0.79 or kept in a file of their own."""
    found: dict[str, list[float]] = {}
    for text in texts:
        name, equals, numbers = text.partition("=")
        file = Path(text)
        if not equals and file.is_file():
            name, numbers = file.stem, file.read_text(encoding="utf-8")
        if name.strip() in found:
            raise ParameterError(f"The scheme {name.strip()!r} is given twice.")
        parts = [part for part in re.split(r"[,;\s]+", numbers) if part]
        bad = next((part for part in parts if not is_number(part)), None)
        if bad is not None:
            raise ParameterError(f"The values of {name.strip()!r} are numbers; got {bad[:40]!r}.")
        found[name.strip()] = [float(part) for part in parts]
        if not found[name.strip()]:
            raise ParameterError(f"Write values as a=0.81,0.79, or give a file; got {text!r}.")
    if len(found) < 2:
        raise ParameterError(
            f"A comparison needs the values of two schemes; got {len(found)}.",
            remedy=says("Give <values=...> once for each scheme."),
        )
    return found


def read_printed(
    measure: str,
    *,
    discordant: tuple[float, float] | None = None,
    cases: float | None = None,
    both: float | None = None,
    means: tuple[float, float] | None = None,
    variances: tuple[float, float] | None = None,
    deviations: tuple[float, float] | None = None,
    sizes: tuple[int, int] | None = None,
) -> Discordant | Moments:
    """Take numbers that papers print.

    Parameters
    ----------
    discordant
        How many cases only the first model gets wrong, and how many only the second.
    cases
        Total number of cases, including those on which both models agree.
    both
        How many cases both models get wrong, for their error rates and Newcombe's interval.
    means
        Means of two schemes over independent runs.
    variances
        Variances of these runs (divisor n - 1).
    deviations
        Standard deviations instead of variances.
    sizes
        Number of runs of each scheme.
    """
    from credibly.comparisons import Discordant, Moments
    from credibly.measures import measures

    if discordant is not None and means is None:
        return Discordant(*discordant, cases=cases, both=both)
    for deviation in deviations or ():
        require("deviations", deviation, at_least(0))
    squares = tuple(d * d for d in deviations) if deviations is not None else variances
    one = (variances is None) != (deviations is None)
    if means is None or sizes is None or squares is None or not one or discordant is not None:
        raise ParameterError(
            says(
                "Give printed numbers as <discordant=...>, or as <means=...> with <sizes=...> "
                "and either <variances=...> or <deviations=...>."
            )
        )
    known = measures.of_values(measure)
    better = known.direction if known else "neither"
    return Moments(means, (squares[0], squares[1]), sizes, measure_name=measure, direction=better)
