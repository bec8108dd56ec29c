"""Pictures of slices."""

from __future__ import annotations

import math

from credibly.errors import ParameterError
from credibly.gaps.result import Slices
from credibly.measures import measures
from credibly.results.figure import Figure
from credibly.results.forest import forest
from credibly.results.interval import level_text
from credibly.results.plot import plot_kind

MAX_SLICES = 40  # that a picture shows: the worst of more


@plot_kind("Slices", of=Slices)
def slice_values(found: Slices, *, measure: str | None = None) -> Figure:
    """Each slice with its interval, and a dashed line at the value of all cases.

    ``measure`` is one of those that were asked for, the first by default.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 0] * 30, label=[1, 1, 1, 0] * 15, columns={"sex": list("ffmm") * 15})
    >>> credibly.plot(credibly.slices(p, "error_rate", by="sex")).y.categories
    ('sex=f', 'sex=m')
    """
    names = list(dict.fromkeys(e.measure for e in found.estimates))
    asked = names[0] if measure is None and names else measures.parse(measure or "").call
    own = [e for e in found.estimates if e.measure == asked and not math.isnan(e.value)]
    if not own:
        raise ParameterError(f"No slice has a value of {asked}.", asked=asked, choices=tuple(names))
    own = sorted(own, key=lambda e: e.badness, reverse=True)[:MAX_SLICES]
    several = len({e.model for e in own}) > 1
    names = [" of ".join([e.name, *([str(e.model)] if several else [])]) for e in own]
    overall = sorted({e.overall for e in own if not math.isnan(e.overall)})
    text = level_text(e.interval for e in own)
    return forest(
        [(name, e.value, e.interval) for name, e in zip(names, own, strict=True)],
        own[0].title,
        f"{own[0].title} by slice.",
        subtitle=f"{f'{text}, all slices together; ' if text else ''}dashed: all cases",
        dashed=overall,
    )
