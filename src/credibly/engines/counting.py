"""Counting predictions where they are stored: by distinct rows, in bins of scores, or by sums of their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike

import numpy as np

from credibly._core.text import count
from credibly._kernels import worth_compiling
from credibly.engines._declare import engines
from credibly.engines._tables import EngineLimits, Lazy
from credibly.engines.bins import Bins, refine
from credibly.engines.files import Files
from credibly.engines.findings import ENGINE
from credibly.engines.query import Counting
from credibly.engines.sums import add_loss_sums, add_order_sums
from credibly.errors import ParameterError, says
from credibly.io.columns_by_role import DEFAULT_TOLERANCE
from credibly.measures import Measure, measures as all_measures
from credibly.measures.selection import asks_panel
from credibly.predictions import Predictions
from credibly.predictions.summaries import BinaryCounts, Counts

BOUNDED_MEASURES = ("auc", "average_precision", "ks")
MAX_EXACT_ROWS = 1 << 20  # rows that are counted by distinct score without a thought


def open_lazy(source: object, engine: str, connect: str | None, limits: EngineLimits) -> Lazy:
    """Open the files or the table that holds the predictions."""
    if connect is not None:
        from credibly.engines.others import connect as open_table

        return open_table(connect, str(source))
    if isinstance(source, str | PathLike):
        name = "duckdb" if engine in {"auto", "memory"} else engine
        files = Files.of(source)
        return replace(engines[name](files, limits), kept=files.kept, orders=files.orders)
    import narwhals.stable.v2 as nw

    try:
        frame = nw.from_native(source).lazy()  # type: ignore[call-overload]
    except TypeError:
        raise ParameterError(
            "summarise takes a file, a folder, a pattern or a frame that narwhals knows; "
            f"got {type(source).__name__}."
        ) from None
    name = str(frame.implementation.value)
    title = {"duckdb": "DuckDB", "pyspark": "Spark"}.get(name, name)
    names: dict[str, str] = {}
    if name == "duckdb":
        from credibly.engines.embedded import plainly_named

        relation, names = plainly_named(frame.to_native())
        frame = nw.from_native(relation).lazy()
    return Lazy(frame, title, f"the {title} table", renamed=names)


def gathered(counting: Counting) -> Predictions:
    """Keep every row as it is."""
    p = counting.gathered()
    return _noted(p, counting, f"{count(p.cases, 'row')}, each kept in memory", "Read")


def counted(
    counting: Counting,
    measures: str | Measure | Sequence[str | Measure] | None,
    tolerance: float | None,
    *,
    exact: bool,
) -> Predictions:
    """Count by distinct rows or in bins; columns to slice by distinguish rows as well."""
    if tolerance is not None and not tolerance > 0:
        raise ParameterError(
            f"tolerance must be greater than 0; got {tolerance!r}.",
            remedy=says("Ask for <exact=True> instead."),
        )
    counting.check_weights()
    measures = None if asks_panel(measures) else measures
    chosen = _chosen(measures)
    # Bins serve where scores are many: a few rows are counted as they are, whatever is asked of them.
    exact = exact or (tolerance is None and counting.total() <= MAX_EXACT_ROWS)
    sums = exact and measures is not None and _sums_serve(counting, chosen)
    score = counting.score
    if score is None or not counting.counted or (exact and not sums):
        return _distinct(counting)
    bins = Bins.of(counting, score)
    columns = bins.counts()
    if bins.about_the_other(columns):
        bins = replace(bins, turned=True)
        columns = bins.counts()
    columns = bins.with_missing(columns)
    refined = refine(
        bins, columns, chosen, float("inf") if sums else tolerance or DEFAULT_TOLERANCE
    )
    if refined is None:
        counting.left_out.clear()  # it is found again
        return _distinct(counting)
    p = refined
    if sums:
        add_order_sums(bins, p, set(columns[str(counting.roles.chosen["truth"])].tolist()))
    plain = p.probability is not None and p.probability.ndim == 1
    if plain and p.positive is not None and (sums or any(m.quick for m in chosen)):
        add_loss_sums(bins, p)
    ends = p.scored().span
    pieces = 0 if ends is None else np.unique(ends[:, 0]).size
    order = ", their order to the last pair" if sums else ""
    return _noted(p, counting, f"{_cases(p, counting)} in {pieces:,} bins of scores{order}")


def _distinct(counting: Counting) -> Predictions:
    p = counting.made(counting.sound(counting.distinct()))
    text = f"{_cases(p, counting)}, {p.n:,} of them distinct"
    return _noted(p, counting, text)


def _cases(p: Predictions, counting: Counting) -> str:
    return count(p.cases, "row" if counting.weight is None else "case")


def _noted(p: Predictions, counting: Counting, said: str, done: str = "Counted") -> Predictions:
    note = ENGINE(done=done, engine=counting.lazy.engine, what=said)
    return replace(p, findings=(*p.findings, *dict.fromkeys(counting.left_out), note))


def _chosen(measures: str | Measure | Sequence[str | Measure] | None) -> list[Measure]:
    if measures is None:
        return [all_measures[name] for name in (*BOUNDED_MEASURES, "brier")]
    listed = [measures] if isinstance(measures, str | Measure) else measures
    return [all_measures.parse(m) for m in listed]


def _sums_serve(counting: Counting, chosen: list[Measure]) -> bool:
    """Whether sums suffice, because there are too many distinct scores to count."""
    if "weight" in counting.roles.chosen or counting.score is None or counting.by:
        return False
    plain = all(m.of_order or m.quick or m.reads in {Counts, BinaryCounts} for m in chosen)
    return plain and worth_compiling(MAX_EXACT_ROWS) and counting.total() > MAX_EXACT_ROWS
