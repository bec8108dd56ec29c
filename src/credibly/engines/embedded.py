"""DuckDB, which reads files larger than memory and needs nothing installed beside Credibly."""

# Statements are put together from our own names and from quoted literals only.
# ruff: noqa: S608

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from credibly.engines._declare import engine
from credibly.engines._tables import EngineLimits, Lazy, said_by
from credibly.engines.files import Files
from credibly.errors import CrediblyError, DataError, ParameterError, says
from credibly.io._database import connect, literal_path, quoted

MEMORY_LIMIT = "2GB"
NUMBER_TYPES = ("INT", "DOUBLE", "FLOAT", "DECIMAL")
QUOTE = '"'
LOOKALIKES = str.maketrans({".": "\u00b7", QUOTE: "\u2033"})


@engine("DuckDB")
def duckdb(files: Files, limits: EngineLimits) -> Lazy:
    """Files larger than memory, on this machine; what does not fit is spilled into a folder."""
    import duckdb as database
    import narwhals.stable.v2 as nw

    connection, folder = _connect(files.paths, limits)

    def close() -> None:
        connection.close()
        shutil.rmtree(folder, ignore_errors=True)

    def explain(error: Exception) -> CrediblyError:
        return _explain(error, files, connection, limits)

    try:
        relation = connection.sql(f"FROM {_table(files)}")
        if len(files.paths) > 1:
            _refuse_other_columns(files, connection)
        relation, renamed = plainly_named(relation)
    except DataError:
        close()
        raise
    except database.Error as error:
        said = explain(error)
        close()
        raise said from None
    return Lazy(nw.from_native(relation), "DuckDB", files.where, explain, close, renamed)


def plainly_named(relation: Any) -> tuple[Any, dict[str, str]]:  # noqa: ANN401
    """Rename columns whose names hold dots or quotes, which expressions would read as several names.

    >>> import duckdb
    >>> table, names = plainly_named(duckdb.sql('SELECT 1 AS y, 2 AS "p.yes"'))
    >>> table.columns, names
    (['y', 'p·yes'], {'p.yes': 'p·yes'})
    """
    names = list(relation.columns)
    plain = {n: n.translate(LOOKALIKES) for n in names if n.translate(LOOKALIKES) != n}
    if not plain:
        return relation, plain
    if len({plain.get(n, n) for n in names}) < len(names):
        raise DataError(
            f"Columns {', '.join(map(repr, plain))} have names that cannot be distinguished from others. Rename them."
        )
    listed = ", ".join(f'"{n.replace(QUOTE, 2 * QUOTE)}" AS "{plain.get(n, n)}"' for n in names)
    return relation.project(listed), plain


def _connect(paths: Sequence[Path], limits: EngineLimits) -> tuple[Any, Path]:
    """Open a database in memory that can read these files and write to the spill folder alone."""
    import duckdb as database

    spill = Path(limits.spill or tempfile.gettempdir())
    folder = Path(tempfile.mkdtemp(prefix="credibly-spill-", dir=spill))
    threads = f"SET threads = {int(limits.threads)};" if limits.threads else ""
    # Counting into as many cells as bins needs no hashing, if cells may be that many.
    settings = (
        f"SET memory_limit = {quoted(limits.memory or MEMORY_LIMIT)}; {threads} "
        "SET perfect_ht_threshold = 20; SET preserve_insertion_order = false;"
    )
    try:
        return connect(*paths, spill=str(folder), settings=settings), folder
    except database.Error as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise ParameterError(
            says(
                "<memory={it}> is not a size such as '2GB'; DuckDB says: {error}",
                it=limits.memory,
                error=str(error).splitlines()[0],
            )
        ) from None


def _table(files: Files, paths: Sequence[Path] | None = None) -> str:
    listed = ", ".join(quoted(literal_path(p)) for p in paths or files.paths)
    folders = str(files.named_by_values).lower()
    if files.kind == "parquet":
        return f"read_parquet([{listed}], union_by_name = true, hive_partitioning = {folders})"
    # As text, so that a label is read as in a small file: 007 is a name, and 1.0 is 1.
    options = "all_varchar = true, header = true, nullstr = '', union_by_name = true"
    return f"read_csv([{listed}], {options}, hive_partitioning = {folders})"


def _refuse_other_columns(files: Files, connection: Any) -> None:  # noqa: ANN401
    """Refuse files whose columns have other names or hold other things than the first one's."""
    first: dict[str, str] = {}
    for path in files.paths:
        rows = connection.execute(f"DESCRIBE FROM {_table(files, [path])}").fetchall()
        found = {name: _sort(of) for name, of, *_ in rows}
        first = first or found
        for name in [*first, *found]:
            if name not in found or name not in first:
                lacks, other = (path, files.paths[0])[:: 1 if name not in found else -1]
                raise DataError(
                    f"{lacks.name} has no column {name!r}, which {other.name} has. All files of a table need the same columns."
                )
            if found[name] != first[name]:
                raise DataError(
                    f"Column {name!r} holds {found[name]} in {path.name} and {first[name]} in {files.paths[0].name}. Write the column with the same type everywhere."
                )


def _sort(of: str) -> str:
    return "numbers" if any(word in of for word in NUMBER_TYPES) else of.lower()


def _explain(
    error: Exception,
    files: Files,
    connection: Any,  # noqa: ANN401
    limits: EngineLimits,
) -> CrediblyError:
    import duckdb as database

    text = str(error)
    if isinstance(error, database.OutOfMemoryException) or "No space left" in text:
        return DataError(
            says(
                "{files} needs more space than <memory={memory}> and the spill folder {folder} provide.",
                files=files.where,
                memory=limits.memory or MEMORY_LIMIT,
                folder=limits.spill or tempfile.gettempdir(),
            ),
            remedy=says(
                "Give more with <memory=...> or <spill=...> (a folder with free space), or use "
                "bins with <tolerance=...>."
            ),
        )
    if isinstance(error, database.Error) and len(files.paths) > 1:
        for path in files.paths:  # which of them cannot be read
            try:
                connection.execute(
                    f"SELECT sum(hash(COLUMNS(*))) FROM {_table(files, [path])}"
                ).fetchall()
            except database.Error as again:
                return said_by("DuckDB", str(path), again)
    return said_by("DuckDB", files.where, error)
