"""Numbers in words, for readers without statistics."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from credibly._core.results import Estimate, Interval

GROUPS = (10, 20, 100, 1000, 10_000, 100_000, 1_000_000)
SURE = {0.9: "9 times in 10", 0.95: "19 times in 20", 0.99: "99 times in 100"}


def in_words(share: float) -> str:
    """Say a share as so many in so many.

    >>> in_words(0.0032), in_words(0.25), in_words(0.94), in_words(0.0)
    ('about 3 in 1,000', 'about 5 in 20', 'about 94 in 100', 'none')
    """
    if share <= 0:
        return "none"
    if share >= 1:
        return "all"
    for size in GROUPS:
        near = round(share * size)
        # Near enough: within a twentieth of the smaller side.
        if near and abs(near / size - share) <= 0.05 * min(share, 1 - share) + 1e-12:
            return f"about {near:,} in {size:,}"
    return f"fewer than 1 in {GROUPS[-1]:,}"


def between(limits: Interval | None, digits: int = 3) -> str:
    """Say an interval and how sure it is.

    >>> from credibly import Interval
    >>> between(Interval(0.912, 0.958, 0.95, "Wilson"))
    'between 0.912 and 0.958 (limits that hold 19 times in 20)'
    """
    if limits is None:
        return ""
    sure = SURE.get(
        round(limits.confidence_level, 4), f"with {100 * limits.confidence_level:g} % confidence"
    )
    return f"between {limits.low:.{digits}g} and {limits.high:.{digits}g} (limits that hold {sure})"


def headline(best: str, estimate: Estimate, models: int) -> str:
    """Say in two sentences how well the best model does.

    The first is about new cases; the second says how much of it may be luck.
    """
    value, limits = estimate.value, estimate.interval
    if math.isnan(value):
        return f"{estimate.title} of {best} is undefined here; the findings below say why."
    if estimate.measure in {"accuracy", "error_rate"}:
        right = value if estimate.measure == "accuracy" else 1 - value
        said = f"{_subject(best, models)} labels {in_words(right)} new cases correctly."
    else:
        way = {"higher": "higher is better", "lower": "lower is better"}.get(estimate.direction, "")
        said = f"{_subject(best, models)} reaches {estimate.name} {value:.3g}{f' ({way})' if way else ''}."
    if limits is None:
        return f"{said} No interval can be given: {estimate.why_no_interval}."
    name = estimate.title[0].lower() + estimate.title[1:]
    return f"{said} The {name} lies {between(limits)}."


def _subject(best: str, models: int) -> str:
    return f"{best}, the best of {models} models," if models > 1 else f"{best[0].upper()}{best[1:]}"
