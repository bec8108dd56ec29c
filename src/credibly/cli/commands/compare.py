"""`credibly compare`: whether one model is really better."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from credibly.cli.columns import DEFAULT, WHAT, Columns, many
from credibly.cli.options import AverageOfClasses
from credibly.cli.output import TEXT, Output
from credibly.cli.where import HERE, LONG, Where, WideTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from credibly._core.results import Finding
    from credibly.comparisons import DatasetTable, FoldTable
    from credibly.predictions import Predictions

VALUES = Group.create_ordered("Bare values instead of predictions")
PAIR = 2


def _what(text: str) -> Parameter:
    return Parameter(group=WHAT, help=text)


def _switch(group: Group, text: str) -> Parameter:
    return Parameter(group=group, negative=(), help=text)


def command(
    files: Annotated[list[Path], Parameter(negative=())],
    /,
    *,
    roles: Columns = DEFAULT,
    columns: Annotated[
        str | None,
        Parameter(group=VALUES, help="Columns of values, one a scheme, separated by commas."),
    ] = None,
    over: Annotated[
        Literal["folds", "datasets"],
        Parameter(group=VALUES, help="Whether a row is a fold or a dataset."),
    ] = "folds",
    datasets: Annotated[
        str | None,
        Parameter(group=VALUES, help="Column of the datasets' names; a row is a dataset then."),
    ] = None,
    control: Annotated[
        str | None,
        Parameter(group=VALUES, help="Scheme that all others are compared with, over datasets."),
    ] = None,
    test_train_ratio: Annotated[
        float | None,
        Parameter(group=VALUES, help="Size of a test part over that of its training part."),
    ] = None,
    repeats: Annotated[
        int,
        Parameter(group=VALUES, help="How often the data were split anew; rows follow repeats."),
    ] = 1,
    direction: Annotated[
        Literal["higher", "lower"] | None,
        Parameter(group=VALUES, help="Whether higher or lower values are better."),
    ] = None,
    measure: Annotated[str | None, _what("What to compare, such as auc or error_rate.")] = None,
    average: AverageOfClasses = None,
    test: Annotated[str, _what("auto, or a name from `credibly list comparisons`.")] = "auto",
    alternative: Annotated[
        Literal["two-sided", "less", "greater"], _what("Whether the first is less or greater.")
    ] = "two-sided",
    margin: Annotated[
        float | None, _what("Test equivalence within this difference, or non-inferiority.")
    ] = None,
    against: Annotated[float | None, _what("Compare one model with this value.")] = None,
    independent: Annotated[
        bool, _switch(WHAT, "The models were judged on different cases.")
    ] = False,
    partial: Annotated[bool, _switch(WHAT, "The models share some of their cases.")] = False,
    correction: Annotated[
        str | None,
        _what("How p-values of several pairs are adjusted: `credibly list adjustments`."),
    ] = None,
    confidence_level: Annotated[
        float,
        _what("Of the interval; of each of its limits where the test has a side or a margin."),
    ] = 0.95,
    rng: Annotated[int | None, _what("Seed of a random test.")] = None,
    wide: WideTable = LONG,
    where: Where = HERE,
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
    from credibly.cli.printing import print_answer
    from credibly.comparisons.compare import compare

    asked: dict[str, Any] = {
        "test": test, "alternative": alternative, "margin": margin,
        "correction": correction, "confidence_level": confidence_level, "rng": rng,
    }  # fmt: skip
    if columns is not None:
        values = _values(
            files,
            many(columns) or [],
            test_train_ratio=test_train_ratio if over == "folds" and datasets is None else None,
            table=over == "datasets" or datasets is not None,
            datasets=datasets,
            measure=measure or "value",
            repeats=repeats,
            direction=direction,
            format_name=roles.format,
        )
        print_answer(compare(values, control=control, **asked), output)
        return
    found = _predictions(files, roles, wide, where)
    result = compare(
        found if len(found) > 1 or against is not None else next(iter(found.values())),
        measure=measure,
        against=against,
        independent=independent,
        partial=partial,
        average=average,
        **asked,
    )
    # A single test has its findings among its cells.
    findings: tuple[Finding, ...] = getattr(result, "all_findings", tuple)()
    print_answer(result, output, findings=findings)


def _predictions(
    files: Sequence[Path], roles: Columns, wide: WideTable, where: Where
) -> dict[str, Predictions]:
    """Read files of one model each, or have an engine count a table with a column for each."""
    from credibly._core.errors import ParameterError

    if wide.models is None:
        if where != HERE or wide != LONG:
            raise ParameterError(
                "An engine counts one table with a column for each model: name them by models=..., such as models='tree=p_tree,forest=p_forest'."
            )
        return {name: roles.read(file) for name, file in _named(files).items()}
    if len(files) > 1:
        raise ParameterError(
            f"models= names columns of one table, or of a pattern of files in quotes; got {len(files)} files."
        )
    return wide.read(files[0], roles, where)


def _named(files: Sequence[Path]) -> dict[str, Path]:
    """Call each file by its stem, or by its whole path where stems are the same."""
    from credibly._core.errors import ParameterError

    places = [file.resolve() for file in files]
    twice = [file for i, file in enumerate(files) if places[i] in places[:i]]
    if twice:
        raise ParameterError(
            f"The same file was given twice: {twice[0]}. A comparison needs another model's."
        )
    stems = [file.stem for file in files]
    names = stems if len(set(stems)) == len(stems) else [str(file) for file in files]
    return dict(zip(names, files, strict=True))


def _values(
    files: Sequence[Path],
    columns: list[str],
    *,
    table: bool,
    test_train_ratio: float | None,
    datasets: str | None,
    measure: str,
    repeats: int,
    direction: str | None,
    format_name: str | None,
) -> FoldTable | DatasetTable:
    """Read the values of schemes by fold or by dataset."""
    import numpy as np

    from credibly._core.errors import ParameterError
    from credibly.comparisons import DatasetTable, FoldTable
    from credibly.io.values import read_values

    if len(files) > 1:
        raise ParameterError("Values come from one file, with a column a scheme.")
    if len(columns) < PAIR:
        raise ParameterError(
            f"A comparison needs columns of two schemes, such as columns='a,b'; got {len(columns)}."
        )
    found = read_values(files[0], columns, format_name, names=datasets)
    if table:
        return DatasetTable.of(
            found, datasets=datasets, columns=columns, measure=measure, direction=direction
        )
    return FoldTable(
        np.column_stack([found[name] for name in columns]),
        tuple(columns),
        measure,
        direction or "neither",
        test_train_ratio=test_train_ratio,
        repeats=repeats,
    )
