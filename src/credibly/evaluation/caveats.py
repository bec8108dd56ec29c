"""What to doubt about a value or its interval: findings that come with the numbers themselves."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.errors import count, some_rows
from credibly._core.results import Finding

if TYPE_CHECKING:
    from credibly._core.results import Interval
    from credibly.measures import Measure
    from credibly.predictions import Predictions

SHOWN = 5
ENOUGH = 10
BEYOND = 5  # replicates that should lie beyond either limit


def replicate_findings(replicates: int, confidence_level: float) -> list[Finding]:
    """Say when a bootstrap has too few replicates for its limits to be more than chance."""
    needed = math.ceil(round(2 * BEYOND / (1 - confidence_level), 6))
    if replicates >= needed:
        return []
    message = (
        f"{count(replicates, 'replicate')} of a bootstrap leave fewer than {BEYOND} beyond either "
        f"limit of a {100 * confidence_level:.6g} % interval: another seed would move the limits."
    )
    return [Finding("few-replicates", "caution", message, f"Draw at least replicates={needed}.")]


def interval_findings(
    p: Predictions, limits: Interval | None, keys: dict[str, Any]
) -> tuple[Finding, ...]:
    """Name the classes that have too few cases for an interval that rests on large samples."""
    if p.task != "classification" or limits is None or limits.method.startswith("Wilson"):
        return ()
    if "class_sizes" not in p.cache:
        known = p.truth >= 0
        sizes = np.bincount(p.truth[known], p.counts[known], len(p.classes))
        p.cache["class_sizes"] = sizes.astype(np.int64)
    size = p.cache["class_sizes"]
    few = [f"{c!r} ({n})" for c, n in zip(p.classes, size.tolist(), strict=True) if n < ENOUGH]
    if not few:
        return ()
    more = f" and {len(few) - SHOWN} more" if len(few) > SHOWN else ""
    where = "".join(f" for {k} {v!r}" for k, v in keys.items())
    return (
        Finding(
            "few-cases",
            "caution",
            f"Fewer than {ENOUGH} cases of class {', '.join(few[:SHOWN])}{more}{where}: intervals "
            "other than Wilson's may be too narrow.",
        ),
    )


def value_findings(
    m: Measure, p: Predictions, value: float, keys: dict[str, Any], average: str | None
) -> tuple[Finding, ...]:
    """Return why a value is undefined or infinite."""
    where = "".join(f" for {k} {v!r}" for k, v in keys.items())
    if not math.isfinite(value) and (large := _too_large(m, p)):
        state = "undefined" if math.isnan(value) else "infinite"
        message = f"{m.title} is {state}{where}: sums of what numbers as large as {large:.3g} cost are beyond what a double holds."
        hint = "Divide truth, prediction and baseline by a constant."
        return (Finding("too-large", "problem", message, hint),)
    if math.isnan(value):
        if average and average != "micro":
            where += _undefined_classes(m, p)
        message = f"{m.title} is undefined{where}: {m.undefined or 'it has no value here'}."
        return (Finding("undefined", "caution", message, ""),)
    if math.isinf(value) and m.loss is not None:
        rows = np.flatnonzero(np.isinf(m.losses(p)).any(axis=1))
        places = p.row is None or (p.row.dtype.kind == "i" and p.row.min() == 0)
        named = rows if p.row is None else p.row[rows].tolist()
        cases = p.take(rows).cases
        # Where a row counts many cases it has no place among them.
        listed = f" ({some_rows(named, identified=not places)})" if cases == rows.size else ""
        message = (
            f"{m.title} is infinite{where}: {count(cases, 'case')} cost infinitely much{listed}."
        )
        hint = (
            f"A probability of exactly 0 was given to what happened; {m.name}(clip=0.001) has a floor."
            if m.takes == "probability"
            else "A truth of zero was missed."
        )
        return (Finding("infinite-loss", "problem", message, hint),)
    return ()


def _too_large(m: Measure, p: Predictions) -> float:
    """Return the largest number if losses are not finite for its size alone: those of smaller ones are."""
    if m.loss is None or p.task != "numeric":
        return 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(p.weights @ m.losses(p)).all():
            return 0.0
    columns = {c: x for c in ("truth", "value", "baseline") if (x := getattr(p, c)) is not None}
    size = max(float(np.abs(x).max()) for x in columns.values())
    scaled = replace(p, **{c: x / size for c, x in columns.items()}, cache={})
    return size if np.isfinite(m.losses(scaled)).all() else 0.0


def _undefined_classes(m: Measure, p: Predictions) -> str:
    bad = [repr(c) for c, v in zip(p.classes, m.by_class(p), strict=True) if np.isnan(v)]
    more = f" and {len(bad) - SHOWN} more" if len(bad) > SHOWN else ""
    return f" for {'class' if len(bad) == 1 else 'classes'} {', '.join(bad[:SHOWN])}{more}"
