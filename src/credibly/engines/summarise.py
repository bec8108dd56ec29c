"""The verb `summarise`: what an engine counts becomes predictions that count each case."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import Unpack

from credibly._core.doors import door
from credibly._core.text import one_or_several
from credibly.engines.findings import ENGINE
from credibly.errors import says
from credibly.io.roles import ColumnRoles
from credibly.measures import Measure
from credibly.predictions import Predictions


@door
def summarise(
    source: object,
    *,
    engine: str = "auto",
    connect: str | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    by: str | Sequence[str] = (),
    tolerance: float | None = None,
    exact: bool = False,
    memory: str | None = None,
    spill: str | None = None,
    threads: int | None = None,
    **columns: Unpack[ColumnRoles],
) -> Predictions:
    """Count predictions where they are stored, and return a table with one row for all equal ones.

    Every measure, interval, curve and comparison takes the result as if it were the cases themselves.

    Parameters
    ----------
    source
        A lazy frame (a DuckDB relation, a LazyFrame of polars, a DataFrame of Spark or Dask, a table of
        Ibis), or a file, a folder or a pattern such as ``"preds/*.parquet"``; with ``connect``, the
        name of a table.
    engine
        What reads files: a name from ``credibly list engines``; ``"auto"`` is DuckDB, and
        ``"memory"`` keeps every row as it is.
    connect
        The address of a database, such as ``"postgresql://user@host/name"``.
    measures
        Measures that the summary must support; all by default.
    by
        Columns to slice by afterwards: they distinguish rows, which are then counted exactly unless there is a
        ``tolerance``.
    tolerance
        How far bins of scores may move a ranking measure at most; 1e-6 by default. Without it, a
        million rows or fewer are not binned, nor are scores that would hardly shrink.
    exact
        Count by distinct score instead of bins, so the result is exact.
    memory
        Memory that DuckDB may use before it spills to disk, such as ``"2GB"``.
    spill
        Folder for what does not fit into memory.
    threads
        Number of threads of the engine.
    **columns
        The roles of columns, as in :func:`credibly.read`.

    >>> import duckdb, credibly
    >>> rows = duckdb.sql("SELECT i % 3 = 0 AS truth, (i % 7) / 8 AS score FROM range(700) AS t(i)")
    >>> p = summarise(rows, exact=True)
    >>> p.n, p.cases
    (14, 700.0)
    >>> print(p.findings[-1].message)
    Counted by DuckDB: 700 rows, 14 of them distinct.
    """
    # What counts is imported only now: the command line reads the signature for small files as well.
    from credibly.engines._tables import EngineLimits
    from credibly.engines.counting import counted, gathered, open_lazy
    from credibly.engines.query import Counting

    limits = EngineLimits(memory=memory, spill=spill, threads=threads)
    slices = one_or_several(by, "by", "columns")
    with closing(open_lazy(source, engine, connect, limits)) as lazy:
        counting = Counting.of(lazy, columns, slices)
        if engine == "memory" and not slices:
            return gathered(counting)
        whole = counted(
            counting, measures, tolerance, exact=exact or (bool(slices) and tolerance is None)
        )
    if engine != "memory":
        return whole
    alone = says("<engine='memory'> is for the whole")
    finding = ENGINE(done="Slices by any column are counted", engine=lazy.engine, what=alone)
    return replace(whole, findings=(*whole.findings, finding))
