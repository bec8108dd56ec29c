"""Every slice of a table, counted in one query and judged by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from credibly._core.findings import Finding
from credibly._core.words import count
from credibly.engines._tables import EngineLimits
from credibly.engines.findings import ENGINE, MANY_SLICES
from credibly.engines.query import Counting, renamed
from credibly.engines.summarise import counted, open_lazy
from credibly.errors import DataError, says
from credibly.evaluation import evaluate
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct, joint_codes, rows_by_code
from credibly.results.table import Estimate, Table

if TYPE_CHECKING:
    from credibly.io.roles import ColumnRoles
    from credibly.measures import Measure

MOST_SLICES = 50_000


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
    exact; with it, bins of scores, and each estimate says how far these may have moved it.

    Parameters
    ----------
    source, engine, connect, tolerance, exact, memory, spill, threads, columns
        As in :func:`credibly.engines.summarise`.
    by
        The name of a column, or several.
    measures
        Names of measures; everything that applies when not given.
    options
        Arguments for :func:`credibly.evaluate`, such as ``{"confidence_level": 0.99}``.

    >>> import duckdb
    >>> rows = duckdb.sql(
    ...     "SELECT i % 2 AS truth, i // 3 % 2 AS label, i % 4 AS shop FROM range(240) AS t(i)")
    >>> table = evaluate_slices(rows, "shop", "accuracy")
    >>> [(e.keys["shop"], e.value, e.n) for e in table.estimates][:2]
    [(0, 0.6666666666666666, 60.0), (1, 0.6666666666666666, 60.0)]
    """
    limits = EngineLimits(memory=memory, spill=spill, threads=threads)
    by = [by] if isinstance(by, str) else by
    with closing(open_lazy(source, engine, connect, limits)) as lazy:
        counting = Counting.of(lazy, columns, by)
        whole, rows = counted(counting, measures, tolerance, exact=exact or tolerance is None)
    asked = dict(options or {})
    estimates: list[Estimate] = []
    findings: dict[Finding, None] = dict.fromkeys(whole.findings)
    if engine == "memory":
        whole_alone = says("<engine='memory'> is for the whole")
        said = ENGINE(done="Slices by any column are counted", engine=lazy.engine, what=whole_alone)
        findings[said] = None
    slices = 0
    columns_by = {c: rows[renamed(c, lazy.renamed)] for c in by}
    for keys, part in _parts(whole, columns_by):
        table = evaluate(part, measures, **asked)
        estimates += [replace(e, keys={**keys, **e.keys}) for e in table.estimates]
        findings |= dict.fromkeys(f for f in table.findings if f.code != ENGINE.code)
        slices += 1
    level = asked.get("confidence_level", 0.95)
    findings |= dict.fromkeys(_multiplicity(slices, level))
    heading = f"{count(whole.cases, 'case')} in {count(slices, 'slice')} by {', '.join(by)}"
    return Table(
        heading, tuple(estimates), tuple(findings), {"n": int(whole.cases), "slices": slices}
    )


def _parts(p: Predictions, by: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Predictions]]:
    found = {name: distinct(np.asarray(column)) for name, column in by.items()}
    code = joint_codes(found.values())
    slices = np.unique(code).size
    if slices > MOST_SLICES:
        raise DataError(
            f"{', '.join(by)} cut the cases into {slices:,} slices; at most {MOST_SLICES:,} can be evaluated at once. Round the numbers, or use columns with fewer values."
        )
    for rows in rows_by_code(code):
        yield {n: f.values[f.codes[rows[0]]] for n, f in found.items()}, p.take(rows)


def _multiplicity(slices: int, level: float) -> list[Finding]:
    """Intervals of many slices miss somewhere: say how often, and which level holds for all."""
    if slices < 2:
        return []
    return [
        MANY_SLICES(
            slices=slices,
            missed=slices * (1 - level),
            level=100 * level,
            everywhere=round(1 - (1 - level) / slices, 8),
        )
    ]
