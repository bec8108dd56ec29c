"""`credibly compare`: whether one model is really better."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from cyclopts import Group

from credibly.cli.columns import Columns
from credibly.cli.counting_engine import CountingEngine, WideTable
from credibly.cli.options import Options, many
from credibly.cli.output import TEXT, Output
from credibly.errors import ParameterError, says
from credibly.predictions import Predictions

if TYPE_CHECKING:
    from credibly.comparisons import DatasetTable, FoldTable

VALUES = Group.create_ordered("Bare values instead of predictions")
PAIR = 2


class Compared(Options):
    """What to compare, and by which test."""

    verb = "credibly.comparisons.compare:compare"
    leave_out = "a b"
    elsewhere = {"control": VALUES}


class Values(Options):
    """Values by fold or by dataset instead of predictions."""

    verb = "credibly.cli.commands.compare:read_table"
    leave_out = "files measure format_name"
    group = VALUES


def command(
    files: list[Path],
    /,
    *,
    roles: Columns,
    values: Values,
    asked: Compared,
    wide: WideTable,
    counting: CountingEngine,
    output: Output = TEXT,
) -> None:
    """Test whether one model is really better than another, and by how much.

    The test is chosen by how the predictions were made; the output says which and why. A file may
    hold several models, told apart by a column, or each model has a file of its own; a table of any
    size may hold a column for each model, whatever engine it takes to count it.

    For instance:
      credibly compare a.csv b.csv --truth y --score s --measure auc
      credibly compare run.parquet --measure error_rate
      credibly compare 'preds/*.parquet' --truth y --models tree=p1,forest=p2 --measure auc --bins 512
      credibly compare a.csv --measure accuracy --against 0.9 --alternative greater
      credibly compare folds.csv --columns a,b --test-train-ratio 0.111
      credibly compare results.csv --datasets dataset --columns a,b,c --measure auc

    Parameters
    ----------
    files
        Files of predictions, one or more; or one file of values with --columns.
    """
    from credibly.cli.terminal import print_result
    from credibly.comparisons.compare import compare

    if "columns" in values:
        for name in ("against", "independent", "partial", "average"):
            asked.pop(name, None)  # of predictions
        measure = asked.pop("measure", "value")
        table = read_table(files, measure, roles.get("format"), **values)
        print_result(compare(table, **asked), output, prose=True)
        return
    asked.pop("control", None)  # of values
    found = _predictions(files, roles, wide, counting)
    single = len(found) == 1 and "against" not in asked
    result = compare(next(iter(found.values())) if single else found, **asked)
    print_result(result, output, prose=True)


def _predictions(
    files: Sequence[Path], roles: Columns, wide: WideTable, counting: CountingEngine
) -> dict[str, Predictions]:
    """Read files of one model each, or have an engine count a table with a column for each."""
    if "models" not in wide:
        if counting or wide:
            raise ParameterError(
                "An engine counts one table with a column for each model.",
                remedy=says(
                    "Name them by <models=...>, such as <models='tree=p_tree,forest=p_forest'>."
                ),
            )
        return {name: roles.read(file) for name, file in _named(files).items()}
    if len(files) > 1:
        raise ParameterError(
            says(
                "<models=> names columns of one table, or of a pattern of files in quotes; got {n} files.",
                n=len(files),
            )
        )
    return wide.read(files[0], roles, counting)


def _named(files: Sequence[Path]) -> dict[str, Path]:
    """Call each file by its stem, or by its whole path where stems are the same."""
    places = [file.resolve() for file in files]
    twice = [file for i, file in enumerate(files) if places[i] in places[:i]]
    if twice:
        raise ParameterError(
            f"The same file was given twice: {twice[0]}. A comparison needs another model's."
        )
    stems = [file.stem for file in files]
    names = stems if len(set(stems)) == len(stems) else [str(file) for file in files]
    return dict(zip(names, files, strict=True))


def read_table(
    files: Sequence[Path],
    measure: str,
    format_name: str | None,
    *,
    columns: str | None = None,
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
        Columns of values, one a scheme, separated by commas.
    over
        Whether a row is a fold or a dataset.
    datasets
        Column of the datasets' names; a row is a dataset then.
    test_train_ratio
        Size of a test part over that of its training part.
    repeats
        How often the data were split anew; rows follow repeats.
    direction
        Whether higher or lower values are better.
    """
    import numpy as np

    from credibly.comparisons import DatasetTable, FoldTable
    from credibly.io import read_numbers

    names = many(columns) or []
    if len(files) > 1:
        raise ParameterError("Values come from one file, with a column a scheme.")
    if len(names) < PAIR:
        raise ParameterError(
            f"A comparison needs columns of two schemes; got {len(names)}.",
            remedy=says("Name them, such as by <columns='a,b'>."),
        )
    found = read_numbers(files[0], names, labels=[datasets] if datasets else [], format=format_name)
    if over == "datasets" or datasets is not None:
        return DatasetTable.of(
            found, datasets=datasets, columns=names, measure=measure, direction=direction
        )
    return FoldTable(
        np.column_stack([found[name] for name in names]),
        tuple(names),
        measure,
        direction or "neither",
        test_train_ratio=test_train_ratio,
        repeats=repeats,
    )
