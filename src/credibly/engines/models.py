"""Several models judged on the same rows of one table: the joint table of what they say."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.errors import ParameterError
from credibly._core.results import Finding
from credibly.engines._declare import Lazy, Limits
from credibly.engines.bins import Bins
from credibly.engines.counting import CASES, Counting
from credibly.engines.summarising import open_lazy
from credibly.evaluation.bounds import error_bound
from credibly.measures import measures as all_measures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from credibly.predictions import Predictions

ROLES = ("label", "score", "probability", "value")


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
    **columns: Any,  # noqa: ANN401
) -> dict[str, Predictions]:
    """Count what several models say about the same cases, for :func:`credibly.compare` and its tests.

    Parameters
    ----------
    source, engine, connect, memory, spill, threads
        As in :func:`credibly.engines.summarise`; one table with the columns of all models.
    models
        The columns of each model by its name, such as ``{"tree": {"probability": "p_tree"}}``.
    bins
        Count scores and probabilities in as many bins, at most, as each model may have; a finding
        says how far they may move an AUC. Distinct values when not given.
    **columns
        The roles of columns that the models share, as in :func:`credibly.read`.

    >>> import duckdb, credibly
    >>> rows = duckdb.sql("SELECT i % 2 AS y, (i % 5 < 3)::INT AS a, (i % 7 < 4)::INT AS b FROM range(700) AS t(i)")
    >>> both = summarise_models(rows, {"a": {"label": "a"}, "b": {"label": "b"}}, truth="y")
    >>> credibly.compare(both, measure="error_rate").test
    'mcnemar'
    """
    if len(models) < 2:
        msg = "summarise_models takes at least two models; for one use summarise."
        raise ParameterError(msg)
    limits = Limits(memory=memory, spill=spill, threads=threads)
    with closing(open_lazy(source, engine, connect, limits)) as lazy:
        each = {name: _counting(lazy, {**columns, **roles}) for name, roles in models.items()}
        spans = _placed(lazy, each, bins)
        keys = dict.fromkeys(c for one in each.values() for part in one.columns for c in part)
        first = next(iter(each.values()))
        query = lazy.frame.with_columns(*spans.values()) if spans else lazy.frame
        found = lazy.collect(query.group_by(*keys).agg(first.sizes()))
        for one in each.values():  # a row that one model cannot predict is left out for all
            found = one.sound(found)
        made = {name: one.made(_own(found, one)) for name, one in each.items()}
    rows = np.arange(len(found[CASES]))
    note = Finding(
        "engine",
        "note",
        f"Counted by {lazy.engine}: {found[CASES].sum():,.0f} rows, {rows.size:,} of them distinct.",
    )
    return {
        n: _binned(replace(p, row=rows, findings=(*p.findings, note)), bins)
        for n, p in made.items()
    }


def _counting(lazy: Lazy, columns: dict[str, Any]) -> Counting:
    counting = Counting.of(lazy, columns)
    if not counting.counted:
        msg = "Joint tables count cases: importance weights are for engine='memory', that is credibly.read and compare."
        raise ParameterError(msg)
    return counting


def _own(found: dict[str, Any], one: Counting) -> dict[str, Any]:
    return {c: found[c] for part in one.columns for c in part} | {CASES: found[CASES]}


def _placed(lazy: Lazy, each: dict[str, Counting], bins: int | None) -> dict[str, Any]:
    """Return for each column of scores the expression of the lower edge of its bin."""
    placed: dict[str, Any] = {}
    for one in each.values() if bins else ():
        if one.score is not None:
            grid = Bins.of(one, one.score)
            scale = grid.scale * 2.0 ** np.floor(np.log2(bins or 1) - 15)
            edge = (grid.score() * float(scale)).floor() / float(scale)
            placed[grid.column] = edge.alias(grid.column)
    return placed


def _binned(p: Predictions, bins: int | None) -> Predictions:
    """Say how far bins may move an AUC."""
    column = p.score if p.score is not None else p.probability
    if not bins or column is None or column.ndim > 1 or p.positive is None:
        return p
    edges = np.unique(column)
    gaps = np.diff(edges)
    width = gaps.min(initial=np.inf)
    span = np.column_stack([column, np.nextafter(column + width, -np.inf)])
    bound = error_bound(all_measures["auc"], replace(p, span=span, cache={}))
    message = f"Scores are counted in bins, which move an AUC by at most {bound:.2g}."
    return replace(
        p, findings=(*p.findings, Finding("binned", "note", message, "Ask for more bins=."))
    )
