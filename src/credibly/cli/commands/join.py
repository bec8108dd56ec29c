"""`credibly join`: several models of the same cases in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from credibly.cli.columns import OutcomeColumns
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import OUTPUT_OPTION, many
from credibly.errors import ParameterError, UnknownNameError, says

GROUP = JUDGE


def command(
    file: Path,
    *others: Path,
    columns: OutcomeColumns,
    only_models: str | None = None,
    output: Annotated[Path, OUTPUT_OPTION],
) -> None:
    """Write the predictions of several models for the same cases into one file, which every command reads.

    For instance:
      credibly join tree.csv forest.csv --row id -o both.parquet
      credibly join preds.parquet --only-models new,old -o two.parquet

    Parameters
    ----------
    file
        Predictions of one model or of several.
    others
        Predictions of other models for the same cases, each named after its file.
    only_models
        The models to write, separated by commas, in this order; all by default.
    output
        File to write: .parquet, .csv or .jsonl.
    """
    from credibly._core.text import count
    from credibly.comparisons.given_models import models_by_name
    from credibly.io import save

    for given in (file, *others):
        if _is_same(given, output):
            raise ParameterError(
                f"{output} is one of the files to join, and would be lost.",
                remedy=says("Name another file: <output='joined.parquet'>."),
            )
    models = models_by_name(columns.read_models([file, *others]), "join")
    chosen = many(only_models) or list(models)
    for name in chosen:
        if name not in models:
            raise UnknownNameError(f"There is no model {name!r}.", asked=name, choices=models)
    save({name: models[name] for name in chosen}, output)
    print(f"{output}: {count(len(chosen), 'model')}")


def _is_same(file: Path, other: Path) -> bool:
    """Whether two paths lead to one file; a link leads to what it points to."""
    if file.exists() and other.exists():
        return file.samefile(other)
    return file.resolve() == other.resolve()
