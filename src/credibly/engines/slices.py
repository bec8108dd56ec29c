"""Every slice of a table, counted in one query and evaluated separately."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from credibly._core.text import count
from credibly.engines.summarise import summarise
from credibly.evaluation import evaluate
from credibly.io.roles import ColumnRoles
from credibly.measures import Measure
from credibly.results.table import Table


def evaluate_slices(
    source: object,
    by: str | Sequence[str],
    measures: str | Measure | Sequence[str | Measure] | None = None,
    *,
    engine: str = "auto",
    connect: str | None = None,
    tolerance: float | None = None,
    exact: bool = False,
    memory: str | None = None,
    spill: str | None = None,
    threads: int | None = None,
    options: Mapping[str, Any] | None = None,
    **columns: Unpack[ColumnRoles],
) -> Table:
    """Estimate measures in each slice by columns of any name, such as country and month.

    One query counts all slices. Without ``tolerance`` it counts distinct rows, so that every slice is
    exact; with it, bins of scores, finer where they may have moved a slice by more than that, and each
    estimate says how far.

    Parameters
    ----------
    source, engine, connect, tolerance, exact, memory, spill, threads, columns
        As in :func:`credibly.engines.summarise`.
    by
        The name of a column, or several.
    measures
        Names of measures; everything that applies by default.
    options
        Arguments for :func:`credibly.evaluate`, such as ``{"confidence_level": 0.99}``.

    >>> import duckdb
    >>> rows = duckdb.sql(
    ...     "SELECT i % 2 AS truth, i // 3 % 2 AS label, i % 4 AS shop FROM range(240) AS t(i)")
    >>> table = evaluate_slices(rows, "shop", "accuracy")
    >>> [(e.keys["shop"], e.value, e.n) for e in table.estimates][:2]
    [(0, 0.6666666666666666, 60.0), (1, 0.6666666666666666, 60.0)]
    """
    by = [by] if isinstance(by, str) else by
    whole = summarise(
        source,
        engine=engine,
        connect=connect,
        measures=measures,
        by=by,
        tolerance=tolerance,
        exact=exact,
        memory=memory,
        spill=spill,
        threads=threads,
        **columns,
    )
    asked = dict(options or {})
    beside = asked.pop("by", None) or []
    sliced = [*by, *([beside] if isinstance(beside, str) else beside)]
    table = evaluate(whole, measures, sliced, **asked)
    slices = int(table.details["slices"])
    heading = f"{count(whole.cases, 'case')} in {count(slices, 'slice')} by {', '.join(by)}"
    return replace(table, heading=heading)
