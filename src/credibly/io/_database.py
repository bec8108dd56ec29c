"""Columns that DuckDB reads: locked to one file, one pass, and every row in its place."""

# Statements are put together from our own names and from quoted literals only.
# ruff: noqa: S608

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, is_masked_array
from credibly._core.findings import Finding
from credibly._core.text import Lines, count, in_lines
from credibly.errors import DataError, listed
from credibly.io._source import GROUPED_NUMBER, MAX_SHOWN_ROWS, Source, not_numbers
from credibly.io.findings import MISSING_AS_TEXT, NUMBERS_AS_WRITTEN
from credibly.predictions.labels import MISSING, Labels, code_type, encode, without_midnight

if TYPE_CHECKING:
    from credibly.io._source import Kind

    Explain = Callable[[Exception], DataError]

# Types whose labels are taken as they are; every other type is written out as text.
WHOLE_TYPES = (
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "UTINYINT",
    "USMALLINT",
    "UINTEGER",
    "UBIGINT",
)
REAL_TYPES = ("FLOAT", "DOUBLE", "DECIMAL")
MAX_ENUMERATED = 4096  # distinct labels that are worth an enumeration inside the database

# Same reading of a whole number as credibly.io.classes.WHOLE_NUMBER.
WHOLE_PATTERN = r"\s*[+-]?(0|[1-9][0-9]{0,38})(\.0*)?\s*"


def quoted(text: str) -> str:
    """Write text as an SQL literal.

    >>> quoted("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def literal_path(path: Path) -> str:
    """Return a path as DuckDB must be given it: a name with wildcards in it means itself."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in str(path.absolute()))


def connect(*paths: Path, spill: str = "", settings: str = "") -> Any:  # noqa: ANN401
    """Open a database in memory that can read these files and touch nothing else.

    No extension is loaded, nothing is written (not even a temporary file, unless there is a folder to
    ``spill`` to), and no other file can be opened, whatever a header or a value says.
    """
    import duckdb

    connection = duckdb.connect(
        ":memory:",
        config={
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "temp_directory": spill,
        },
    )
    silence(connection)
    allowed = ", ".join(quoted(t) for p in paths for t in (str(p.absolute()), literal_path(p)))
    connection.execute(
        f"{settings} SET allowed_paths = [{allowed}]; SET enable_external_access = false; "
        "SET lock_configuration = true"
    )
    return connection


def silence(connection: Any) -> None:  # noqa: ANN401
    """Let a database draw no progress, which would stand among our own output.

    In a notebook without widgets it draws none, and refuses to be told so.
    """
    import duckdb

    with suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar = false")


class TableSource(Source):
    """Columns of a table function such as ``read_csv``.

    A column is known to the database by a name or an expression of ours; the names in the file are
    data and are never part of a statement unless quoted.
    """

    def __init__(
        self,
        path: Path,
        relation: str,
        columns: Sequence[tuple[str, str, str]],
        explain: Explain,
        *,
        connection: Any = None,  # noqa: ANN401
        decimal_comma: bool = False,
        lines: Lines = lambda rows: (),  # noqa: ARG005
    ) -> None:
        """Take the columns as (name in the file, SQL expression, SQL type), and what tells the ``lines`` of text that rows stand in."""
        self.where = path.name
        self._each = [(i, sql, of) for i, (_, sql, of) in enumerate(columns)]
        self.renamed([name for name, _, _ in columns])
        self.relation = relation
        self._connection = connection if connection is not None else connect(path)
        self._explain = explain
        self.decimal_comma = decimal_comma
        self._lines = lines
        self._loaded: set[str] = set()

    def renamed(self, names: Sequence[str]) -> TableSource:
        """Give the columns, before any is loaded, other names."""
        self.names = tuple(names)
        self._columns = {n: self._each[i] for i, n in enumerate(names)}
        return self

    def load(self, numbers: Sequence[str], labels: Sequence[str]) -> None:
        """Read these columns into memory in one pass over the file.

        Only the value of a number is kept, and its text where that is not a number.
        """
        wanted: dict[str, str] = {}
        for name in numbers:
            i, sql, of = self._columns[name]
            if _is_number(of):
                wanted[f"n{i}"] = f"CAST({sql} AS DOUBLE)"
            else:
                text = _text(sql, of)
                wanted[f"n{i}"] = f"TRY_CAST({text} AS DOUBLE)"
                wanted[f"b{i}"] = f"CASE WHEN TRY_CAST({text} AS DOUBLE) IS NULL THEN {text} END"
        for name in labels:
            i, sql, of = self._columns[name]
            as_it_is = _is_natural(of) or (of == "VARCHAR" and self.has_empty_class(name))
            wanted[f"t{i}"] = sql if as_it_is else _text(sql, of)
        listed = ", ".join(f"{sql} AS {key}" for key, sql in wanted.items())
        self.run(f"CREATE OR REPLACE TEMP TABLE loaded AS SELECT {listed} FROM {self.relation}")
        self._loaded = set(wanted)

    def close(self) -> None:
        """Give back the memory of the database."""
        self._connection.close()

    def lines(self, rows: Sequence[int]) -> Sequence[int]:
        """Return the lines of a file of text in which rows stand."""
        return self._lines(rows)

    def run(self, statement: str, parameters: Sequence[object] = ()) -> Any:  # noqa: ANN401
        """Execute a statement; translate its errors into ours."""
        import duckdb

        try:
            return self._connection.execute(statement, list(parameters))
        except duckdb.OutOfMemoryException:
            raise DataError(
                f"{self.where} does not fit into memory. Read fewer columns, or a part of it."
            ) from None
        except duckdb.Error as error:
            raise self._explain(error) from None

    def _need(self, name: str, key: str) -> str:
        """Return the loaded column, loading it by itself if it was not asked for before."""
        i = self._columns[name][0]
        if key == "n" and f"n{i}" not in self._loaded and f"t{i}" in self._loaded:
            return f"t{i}"
        if f"{key}{i}" not in self._loaded:
            self.load([name], []) if key == "n" else self.load([], [name])
        return f"{key}{i}"

    def kind(self, name: str) -> Kind:
        """Say what the values of a column are."""
        key = self._need(name, "t")
        of = self._columns[name][2]
        if of in WHOLE_TYPES or of == "BOOLEAN":
            return "whole"
        text = f"CAST({key} AS VARCHAR)"
        there, real, whole = self.run(
            f"SELECT count({key}), count(TRY_CAST({text} AS DOUBLE)), "
            f"count(*) FILTER (regexp_full_match({text}, {quoted(WHOLE_PATTERN)})) FROM loaded"
        ).fetchone()
        if not there:
            return "empty"
        if whole == there:
            return "whole"
        texts = f"SELECT DISTINCT {text} FROM loaded WHERE TRY_CAST({text} AS DOUBLE) IS NULL AND {key} IS NOT NULL"
        if real == there:
            return "number"
        # Marks of missing values stand among numbers; beside whole ones they may be a class.
        told, found = real > whole, self.run(texts)
        for (text,) in iter(found.fetchone, None):  # one that is no number settles it
            number = self.meaning(text)
            # A number whose thousands are grouped is one, of which it is not sure which.
            if number is None and not GROUPED_NUMBER.fullmatch(text):
                return "text"
            told |= number is None or not math.isnan(number)
        return "number" if told else "text"

    def numbers(self, name: str) -> Floats:
        """Return a column of numbers, or name the rows that are none."""
        i, _, of = self._columns[name]
        key = self._need(name, "n")
        text = f"b{i}" if key.startswith("n") else key
        if key.startswith("t"):
            key = f"TRY_CAST({key} AS DOUBLE)"
        found = self.run(f"SELECT {key} AS n FROM loaded").fetchnumpy()["n"]
        if not is_masked_array(found):
            return np.asarray(found, np.float64)
        values = np.asarray(found.filled(np.nan), np.float64)
        if not _is_number(of):
            self._fill_written(
                values, name, text, f"FROM loaded WHERE {key} IS NULL AND trim({text}) <> ''"
            )
        return values

    def _fill_written(self, numbers: Floats, name: str, text: str, bad: str) -> None:
        """Put in the numbers that are written with a decimal comma or in percent, or refuse what is none."""
        if not self.run(f"SELECT 1 {bad} LIMIT 1").fetchall():
            return
        found = self.meant(t for (t,) in self.run(f"SELECT DISTINCT {text} {bad}").fetchall())
        meant = {text: number for text, number in found.items() if number is not None}
        rows = self.run(f"SELECT rowid, {text} {bad} ORDER BY rowid").fetchall()
        if len(meant) < len(found) or self._is_mixed(name, meant):
            wrong = [(row, t) for row, t in rows if t not in meant] or rows
            first = wrong[:MAX_SHOWN_ROWS]
            with in_lines(self.lines):
                raise not_numbers(self.where, name, first, len(wrong))
        for row, written in rows:
            numbers[row] = meant[written]
        marks = sorted(text for text, number in meant.items() if math.isnan(number))
        if marks:
            marked = sum(written in marks for _, written in rows)
            self._tell(
                MISSING_AS_TEXT(
                    column=f"{self.where}: column {name!r}",
                    what="",
                    marks=listed(map(repr, marks)),
                    rows=count(marked, "row"),
                    so="taken as missing",
                    remedy="Leave missing numbers empty.",
                )
            )
        written = next((t for _, t in rows if not math.isnan(meant[t])), None)
        if written is not None:
            self._tell(NUMBERS_AS_WRITTEN(column=name, example=written, number=meant[written]))

    def _tell(self, finding: Finding) -> None:
        self.findings = tuple(dict.fromkeys((*self.findings, finding)))

    def _is_mixed(self, name: str, texts: Iterable[str]) -> bool:
        """Whether some numbers of a column are written another way, so that it is not clear which is meant."""
        _, sql, of = self._columns[name]
        text, other = _text(sql, of), []
        if any("," in t for t in texts):
            other.append(f"(contains({text}, '.') AND NOT contains({text}, ','))")
        if any("%" in t for t in texts):
            other.append(f"NOT contains({text}, '%')")
        if not other:
            return False
        query = f"SELECT DISTINCT {text} FROM {self.relation} WHERE {' OR '.join(other)}"
        return any(t and not self.is_mark(t) for (t,) in self.run(query).fetchall())

    def labels(self, name: str) -> Labels:
        """Return codes and values; text is encoded inside the database while the values are few."""
        key = self._need(name, "t")
        if _is_natural(self._columns[name][2]):
            return self._as_numpy(key, name)
        distinct = f"SELECT {key} FROM loaded WHERE {key} IS NOT NULL GROUP BY {key}"
        values = [v for (v,) in self.run(f"{distinct} LIMIT {MAX_ENUMERATED + 1}").fetchall()]
        if self._columns[name][2].startswith("TIMESTAMP"):
            return encode(self._times(key), name)
        self._refuse_nul(name, values)
        if len(values) > MAX_ENUMERATED:
            return self._as_numpy(key, name)
        return self._enumerated(key, distinct, bool(values))

    def _times(self, key: str) -> NDArray[Any]:
        texts = self.run(f"SELECT {key} AS v FROM loaded").fetchall()
        return np.array(without_midnight([v for (v,) in texts]), object)

    def _enumerated(self, key: str, distinct: str, some: bool) -> Labels:  # noqa: FBT001
        if not some:
            rows = self.run("SELECT count(*) FROM loaded").fetchone()[0]
            return Labels(np.full(rows, MISSING, np.int8), ())
        self.run(f"CREATE OR REPLACE TEMP TYPE set_{key} AS ENUM ({distinct} ORDER BY {key})")
        values = self.run(f"SELECT enum_range(NULL::set_{key})").fetchone()[0]
        codes = self.run(
            f"SELECT coalesce(CAST(enum_code({key}::set_{key}) AS INTEGER), {MISSING}) AS code FROM loaded"
        ).fetchnumpy()["code"]
        return Labels(np.asarray(codes).astype(code_type(len(values))), tuple(values))

    def of_text(self, name: str) -> bool:
        """Whether a column has the type of text."""
        return self._columns[name][2] == "VARCHAR"

    def _refuse_nul(self, name: str, values: Sequence[str]) -> None:
        spoiled = [v for v in values if "\0" in v]
        if spoiled:
            raise DataError(
                f"{self.where}: column {name!r} holds a NUL byte, as in {spoiled[0][:40]!r}. "
                "The file is damaged, or is not a text file: write it again."
            )

    def _as_numpy(self, key: str, name: str) -> Labels:
        found = self.run(f"SELECT {key} AS v FROM loaded").fetchnumpy()["v"]
        if not is_masked_array(found):
            return encode(found, name)
        missing = np.ma.getmaskarray(found)
        return encode(np.asarray(found.data[~missing]), name).among(missing)

    def column(self, name: str) -> NDArray[Any]:
        """Return a column as it is: whole numbers where all are, else text."""
        key = self._need(name, "t")
        of = self._columns[name][2]
        if not _is_natural(of) and not self.is_text(name) and self.kind(name) == "whole":
            plain = f"SELECT TRY_CAST({key} AS BIGINT) AS v FROM loaded"
            found = self.run(plain).fetchnumpy()["v"]
            if not is_masked_array(found):
                return np.asarray(found)
        elif of in WHOLE_TYPES:
            found = self.run(f"SELECT {key} AS v FROM loaded").fetchnumpy()["v"]
            if not is_masked_array(found):
                return np.asarray(found)
        elif self.of_text(name):
            found = self.run(f"SELECT {key} AS v FROM loaded").fetchnumpy()["v"].tolist()
            self._refuse_nul(name, [v for v in found if v is not None])
            return np.array(found, object if None in found else None)
        return super().column(name)


def _is_number(of: str) -> bool:
    return of in {*WHOLE_TYPES, *REAL_TYPES, "HUGEINT"}


def _is_natural(of: str) -> bool:
    return of in {*WHOLE_TYPES, *REAL_TYPES, "BOOLEAN"}


def _text(sql: str, of: str) -> str:
    """Write a column as text; an empty one is missing."""
    return f"NULLIF({sql if of == 'VARCHAR' else f'CAST({sql} AS VARCHAR)'}, '')"
