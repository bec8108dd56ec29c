"""Parquet files."""

# The only text from outside in a statement is quoted.
# ruff: noqa: S608

from __future__ import annotations

import json
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from credibly.errors import DataError
from credibly.io._database import TableSource, connect, literal_path, quoted
from credibly.io._declare import cannot_be_read, reader

MAGIC = b"PAR1"
METADATA_KEY = "credibly"  # of what is kept of predictions in the metadata
ARROW_KEY = "ARROW:schema"  # of the metadata in a file that tells more than the types of Parquet


@reader("Parquet", suffixes=(".parquet", ".pq"), begins=(MAGIC,))
def parquet(path: Path) -> TableSource:
    """A Parquet file; its types are kept, and a NULL or an empty text is missing.

    >>> import pandas as pd
    >>> file = folder / "p.parquet"
    >>> pd.DataFrame({"truth": [True, False], "score": [2.5, -1.0]}).to_parquet(file)
    >>> read(file)
    Predictions(2 rows, classes False, True (positive), columns: score)
    """
    import duckdb

    check_ends(path)
    connection, damaged = connect(path), partial(cannot_be_read, path, "Parquet")
    # The names are data and need not differ by case, so the columns are known by their places.
    file = f"read_parquet({quoted(literal_path(path))}, hive_partitioning=false)"
    try:
        schema = connection.execute(
            f"SELECT name, num_children FROM parquet_schema({quoted(literal_path(path))})"
        ).fetchall()
        types = [row[1] for row in connection.execute(f"DESCRIBE FROM {file}").fetchall()]
    except duckdb.Error as error:
        raise damaged(error) from None
    names = _top_names(schema)
    if len(names) != len(types):
        raise damaged(ValueError("The schema is damaged."))
    places = [f"c{i}" for i in range(len(types))]
    columns = [
        (name, place, of.split("(")[0] if of.startswith("DECIMAL") and of[-1] == ")" else of)
        for name, place, of in zip(names, places, types, strict=True)
    ]
    relation = f"{file} AS file({', '.join(places)})"
    source = TableSource(path, relation, columns, damaged, connection=connection)
    source.kept = _kept(path, connection)
    declared = _metadata(path, connection, ARROW_KEY)
    source.orders = {} if declared is None else declared_orders(path)
    return source


def declared_orders(path: Path) -> dict[str, tuple[Any, ...]]:
    """Return the values of columns that pandas or polars wrote as ordered categories, which pyarrow alone can read."""
    if find_spec("pyarrow") is None:
        return {}
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path) as file:
        kinds = {f.name: f.type for f in file.schema_arrow if pa.types.is_dictionary(f.type)}
        ordered = [name for name, of in kinds.items() if of.ordered]
        if not ordered or not file.num_row_groups:
            return {}
        first = file.read_row_group(0, columns=ordered)
    return {name: tuple(first[name].chunk(0).dictionary.to_pylist()) for name in ordered}


def _kept(path: Path, connection: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return what :func:`credibly.save` wrote beside the columns; nothing in files of others."""
    found = _metadata(path, connection, METADATA_KEY)
    try:
        kept = json.loads(found) if found is not None else {}
    except ValueError:
        kept = None
    if not isinstance(kept, dict):
        damage = ValueError(f"its metadata under {METADATA_KEY!r} are damaged")
        raise cannot_be_read(path, "Parquet", damage)
    return kept


def _metadata(path: Path, connection: Any, key: str) -> str | None:  # noqa: ANN401
    """Return what stands under a key beside the columns, if anything does."""
    found = connection.execute(
        f"SELECT decode(value) FROM parquet_kv_metadata({quoted(literal_path(path))}) "
        f"WHERE decode(key) = {quoted(key)}"
    ).fetchone()
    return None if found is None else str(found[0])


def check_ends(path: Path) -> None:
    """A Parquet file starts and ends with the same four bytes."""
    with path.open("rb") as file:
        head = file.read(len(MAGIC))
        size = file.seek(0, 2)
        file.seek(max(0, size - len(MAGIC)))
        tail = file.read()
    if head != MAGIC:
        raise DataError(
            f"{path.name} is not a Parquet file: it starts with {head!r}. Give the file the right suffix."
        )
    if tail != MAGIC or size < 12:
        raise DataError(
            f"{path.name} is an incomplete Parquet file: it was cut off. Write or copy it again."
        )


def _top_names(schema: list[tuple[str, int | None]]) -> list[str]:
    """Return the names of the outermost columns from the flat listing of a nested schema."""
    names, inside = [], 0
    for name, children in schema[1:]:
        if inside == 0:
            names.append(name)
        else:
            inside -= 1
        inside += children or 0
    return names
