"""Several models judged on the same rows of one table: the joint table of what they say."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from credibly.engines._tables import EngineLimits, Lazy
from credibly.engines.bins import FIRST_PASS_BINS, HIGH, LOW, Bins, finest
from credibly.engines.counting import open_lazy
from credibly.engines.findings import ENGINE
from credibly.engines.query import CASES_COLUMN, Counting
from credibly.errors import ParameterError, says
from credibly.io.roles import ColumnRoles
from credibly.predictions import Predictions


def summarise_models(
    source: object,
    models: Mapping[str, Mapping[str, str]],
    *,
    engine: str = "auto",
    connect: str | None = None,
    bins: int | None = None,
    memory: str | None = None,
    spill: str | None = None,
    threads: int | None = None,
    **columns: Unpack[ColumnRoles],
) -> dict[str, Predictions]:
    """Count what several models say about the same cases, for :func:`credibly.compare` and its tests.

    Parameters
    ----------
    source, engine, connect, memory, spill, threads
        As in :func:`credibly.engines.summarise`; one table with the columns of all models.
    models
        The columns of each model by its name, such as ``{"tree": {"probability": "p_tree"}}``.
    bins
        Count scores and probabilities in as many bins, at most, as each model may have; a comparison
        says how far they may move its difference. Distinct values by default.
    **columns
        The roles of columns that the models share, as in :func:`credibly.read`.

    >>> import duckdb, credibly
    >>> rows = duckdb.sql("SELECT i % 2 AS y, (i % 5 < 3)::INT AS a, (i % 7 < 4)::INT AS b FROM range(700) AS t(i)")
    >>> both = summarise_models(rows, {"a": {"label": "a"}, "b": {"label": "b"}}, truth="y")
    >>> credibly.compare(both, measure="error_rate").test
    'mcnemar'
    """
    if len(models) < 2:
        raise ParameterError("summarise_models takes at least two models; for one use summarise.")
    if bins is not None and bins < 2:
        raise ParameterError(f"bins must be a whole number of at least 2; got {bins!r}.")
    limits = EngineLimits(memory=memory, spill=spill, threads=threads)
    with closing(open_lazy(source, engine, connect, limits)) as lazy:
        each = {
            name: _counting(lazy, _own_labels({**columns, **roles}))
            for name, roles in models.items()
        }
        grids = {one.score: _grid(one, bins) for one in each.values() if bins and one.score}
        keys = dict.fromkeys(c for one in each.values() for part in one.columns for c in part)
        placed = [
            e
            for grid in grids.values()
            for e in (_middle(grid), grid.score().alias(f"{LOW} {grid.column}"))
        ]
        query = lazy.frame.with_columns(*placed) if placed else lazy.frame
        ends = [e for grid in grids.values() for e in _ends(grid)]
        found = next(iter(each.values())).count(query, list(keys), *ends)
        for one in each.values():  # a row that is refused for one model is left out for all
            found = one.sound(found)
        spans = {column: _span(found, grid) for column, grid in grids.items()}
        made = {name: one.made(_own(found, one)) for name, one in each.items()}
    rows = np.arange(len(found[CASES_COLUMN]))
    total = f"{found[CASES_COLUMN].sum():,.0f} rows, {rows.size:,} of them distinct"
    note = ENGINE(done="Counted", engine=lazy.engine, what=total)
    return {
        name: replace(
            made[name],
            row=rows,
            findings=(*made[name].findings, *one.left_out, note),
            span=spans.get(one.score or ("", "")),
            cache={},
        )
        for name, one in each.items()
    }


def _own_labels(asked: dict[str, Any]) -> dict[str, Any]:
    """Label by the probability of each model: a column of labels that is guessed would be taken for every model's."""
    given = {role for role, column in asked.items() if column is not None}
    if "probability" not in given or given & {"label", "threshold"}:
        return asked
    return {**asked, "threshold": 0.5}


def _counting(lazy: Lazy, columns: dict[str, Any]) -> Counting:
    counting = Counting.of(lazy, columns)
    if not counting.counted:
        raise ParameterError(
            says(
                "Joint tables count cases, without importance weights: for those use "
                "<engine='memory'>, that is credibly.read and compare."
            )
        )
    return counting


def _own(found: dict[str, Any], one: Counting) -> dict[str, Any]:
    return {c: found[c] for part in one.columns for c in part} | {CASES_COLUMN: found[CASES_COLUMN]}


def _grid(one: Counting, bins: int) -> Bins:
    """Return the grid of a model's scores that has at most so many bins."""
    grid = Bins.of(one, one.score or ("", ""))
    scale = grid.scale * 2.0 ** math.floor(math.log2(bins) - math.log2(FIRST_PASS_BINS))
    return replace(grid, scale=min(scale, finest(grid.first, grid.last)))


def _middle(grid: Bins) -> Any:  # noqa: ANN401
    """Return the expression of the middle of a score's bin; missing scores stay missing."""
    import narwhals.stable.v2 as nw

    x = grid.score()
    middle = ((grid.place(grid.scale) + 0.5) / grid.scale).clip(grid.first, grid.last)
    threshold = grid.counting.asked.get("threshold")
    if threshold is not None:  # it stays between the cases that it tells apart
        above = middle.clip(lower_bound=float(threshold))
        below = middle.clip(upper_bound=float(np.nextafter(float(threshold), -np.inf)))
        middle = nw.when(x >= float(threshold)).then(above).otherwise(below)
    sound = x.is_between(grid.first, grid.last)
    return nw.when(sound).then(middle).otherwise(x).alias(grid.column)


def _ends(grid: Bins) -> list[Any]:
    """Return the expressions of the smallest and the largest score of a cell."""
    import narwhals.stable.v2 as nw

    x = nw.col(f"{LOW} {grid.column}")
    return [x.min().alias(f"{LOW} {grid.column}"), x.max().alias(f"{HIGH} {grid.column}")]


def _span(found: dict[str, Any], grid: Bins) -> NDArray[Any]:
    """Return the scores that each bin reaches over; one that holds a single score is that score."""
    low, high = (np.asarray(found[f"{e} {grid.column}"], np.float64) for e in (LOW, HIGH))
    middles, place = np.unique(np.asarray(found[grid.column], np.float64), return_inverse=True)
    least, most = np.full(middles.size, np.inf), np.full(middles.size, -np.inf)
    with np.errstate(invalid="ignore"):  # a missing score has no span
        np.minimum.at(least, place, low)
        np.maximum.at(most, place, high)
    found[grid.column] = np.where(least == most, least, middles)[place]
    return np.column_stack([least[place], most[place]])
