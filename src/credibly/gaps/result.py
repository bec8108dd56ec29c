"""Results for slices and the gaps between them, and how they are presented."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from credibly._core.findings import Finding
from credibly._core.grouping import grouped_by
from credibly._core.layout import Key
from credibly._core.text import count, interval_text, lower_first, number_text, percent, pvalue_text
from credibly.results.estimate import SIGNS
from credibly.results.formats import Column, cell_text, table_of
from credibly.results.interval import Interval
from credibly.results.result import Blocks, Cells, Collected, Result

MAX_IN_ORDER = 8  # slices of a measure in the order of their values; of more the worst come first
MAX_SHOWN_SLICES = 12  # of a measure, in a text
# Titles of columns, which a column of the cases may not have.
OWN_COLUMNS = {
    "cases",
    "measure",
    "value",
    "minus the rest",
    "p-value, adjusted",
    "",
}
DIRECTION_WORDS = {
    "higher": ("better", "worse"),
    "lower": ("worse", "better"),
    "neither": ("higher", "lower"),
}


class SliceContrast(Result, eq=True):
    """A slice beside other cases: their ``value``, and what that of the slice is less and over it."""

    to: str
    value: float
    difference: float
    interval: Interval | None
    ratio: float
    ratio_interval: Interval | None
    pvalue: float
    adjusted_pvalue: float

    @property
    def side(self) -> int:
        """Whether the slice is shown to be above (1) or below (-1) the others; 0 where it is not."""
        i = self.interval
        return 0 if i is None else int(i.low > 0) - int(i.high < 0)


class SliceEstimate(Result, eq=True):
    """A measure on one slice, and how it differs from the rest of the cases and from the best slice."""

    measure: str
    title: str
    direction: str
    keys: Mapping[str, Any]
    model: str | None
    n: float
    value: float
    overall: float  # on all cases
    interval: Interval | None
    why_no_interval: str = ""
    rest: SliceContrast | None = None
    best: SliceContrast | None = None

    json_keys = (
        "measure [model] slice=keys n value overall interval why_no_interval rest best verdict"
    )

    @property
    def name(self) -> str:
        """The values that the cases of the slice share."""
        return slice_name(self.keys)

    @property
    def verdict(self) -> str:
        """Whether it is shown to be better or worse than the rest."""
        side = 0 if self.rest is None else self.rest.side
        return "" if not side else DIRECTION_WORDS[self.direction][0 if side > 0 else 1]

    @property
    def badness(self) -> float:
        """Its value, with the sign that makes more worse; minus infinity if undefined."""
        return -math.inf if math.isnan(self.value) else -SIGNS.get(self.direction, 1) * self.value

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary."""
        row: dict[str, Any] = {**({} if self.model is None else {"model": self.model}), **self.keys}
        row |= {"measure": self.measure, "n": self.n, "value": self.value, "overall": self.overall}
        row |= {"low": _end(self.interval, "low"), "high": _end(self.interval, "high")}
        for name, c in (("rest", self.rest), ("best", self.best)):
            row |= {f"difference_to_{name}": math.nan if c is None else c.difference}
            for end in ("low", "high"):
                row |= {f"{end}_to_{name}": math.nan if c is None else _end(c.interval, end)}
            row |= {f"ratio_to_{name}": math.nan if c is None else c.ratio}
            row |= {f"adjusted_pvalue_to_{name}": math.nan if c is None else c.adjusted_pvalue}
        return [row | {"verdict": self.verdict}]


def _end(interval: Interval | None, name: str) -> float:
    return math.nan if interval is None else float(getattr(interval, name))


def slice_name(keys: Mapping[str, Any]) -> str:
    """Write the values that the cases of a slice share.

    >>> slice_name({"sex": "f", "age": None})
    'sex=f, age=missing'
    """
    return ", ".join(f"{c}={value_name(v)}" for c, v in keys.items())


def value_name(value: object) -> str:
    """Write a value of a column that cases are sliced by."""
    return "missing" if value is None or value != value else cell_text(value)


class GapEstimate(Result, eq=True):
    """The largest difference of a measure between any two slices, and the smallest ratio.

    Their intervals are about the slices between which they lie, and hold with those of all other pairs. By chance
    alone the largest of several differences lies above 0: how far any two slices may truly differ is ``any_two``.
    """

    name: str
    title: str
    measure: str
    model: str | None
    highest: str
    lowest: str
    difference: float
    interval: Interval | None
    any_two: Interval | None
    ratio: float
    ratio_interval: Interval | None
    pvalue: float

    json_keys = (
        "name title measure [model] highest lowest difference interval any_two ratio ratio_interval "
        "pvalue"
    )

    @property
    def is_shown(self) -> bool:
        """Whether the slices are shown to differ."""
        return self.any_two is not None and self.any_two.low > 0


class Slices(Collected[GapEstimate]):
    """Measures in slices of the cases, with differences that hold together, and the largest gaps by name.

    >>> import numpy as np, credibly
    >>> rng = np.random.default_rng(1)
    >>> shop = rng.choice(["north", "south", "west"], 900)
    >>> wrong = rng.random(900) < np.where(shop == "south", 0.3, 0.1)
    >>> truth = rng.integers(0, 2, 900)
    >>> p = credibly.Predictions.of(truth, label=truth ^ wrong, columns={"shop": shop})
    >>> found = credibly.slices(p, "error_rate", by="shop")
    >>> found.worst.name, found.worst.verdict, found["error_rate"].is_shown
    ('shop=south', 'worse', True)
    """

    by: tuple[str, ...]
    confidence_level: float
    n: float
    estimates: tuple[SliceEstimate, ...]
    gaps: tuple[GapEstimate, ...]
    searched: int | None = None
    findings: tuple[Finding, ...] = ()

    members = "gaps name"
    json_keys = "by confidence_level n [searched] slices=estimates gaps findings"
    row_parts = "estimates"
    versioned = True
    empty_columns = "measure n value"

    @property
    def worst(self) -> SliceEstimate:
        """The worst slice by the first measure, of those that can be judged; of a search the one that is firmest."""
        first = self._tables()[0]
        own = [e for e in first if e.rest is not None] or first
        return own[0] if self.searched else max(own, key=lambda e: e.badness)

    def _tables(self) -> list[list[SliceEstimate]]:
        return list(grouped_by(lambda e: (e.model, e.measure), self.estimates).values())

    def heading(self) -> str:
        """Say what was sliced by what."""
        what = self._measures
        if self.searched is not None:
            return f"Worst slices by {what} of {self.searched:,} that were searched in {count(self.n, 'case')}"
        slices = len({e.name for e in self.estimates})
        return f"{what[:1].upper() + what[1:]} by {' and '.join(self.by)}: {count(slices, 'slice')} of {count(self.n, 'case')}"

    @property
    def _measures(self) -> str:
        titles = list(dict.fromkeys(e.title for e in self.estimates))
        return lower_first(titles[0]) if len(titles) == 1 else count(len(titles), "measure")

    def meaning(self) -> str:
        """Say which slices differ, and how large the largest gap is."""
        if self.searched is not None:
            found = [e for e in self.estimates if e.verdict]
            if not found:
                return (
                    f"None of {count(self.searched, 'slice')} is shown to be worse than the rest."
                )
            named = "; ".join(f"{e.name} {_beside(e.rest)}" for e in found[:3] if e.rest)
            return f"{count(len(found), 'slice')} of {self.searched:,} shown to be worse than the rest by {self._measures}: {named}."
        if not self.gaps:
            return "No two slices can be compared."
        return " ".join(_said(g) for g in self.gaps[:3])

    def blocks(self) -> Blocks:
        """Yield the slices of each measure, the gaps, and how far slices of three and more are from the best."""
        tables = self._tables()
        gaps = [("Largest gaps between slices", *self._gaps())] if self.gaps else []
        yield from gaps if len(tables) > 1 else ()  # the overview of several tables
        for own in tables:
            yield _title(own) if len(tables) > 1 else "", *self._slices(own)
        yield from gaps if len(tables) == 1 else ()
        for own in tables:
            if sum(e.best is not None for e in own) > 1:  # the difference of two is the gap
                best = next(e.best.to for e in own if e.best)
                title = f"Differences from the best slice, {best}"
                whose = f" by {lower_first(_title(own))}" if len(tables) > 1 else ""
                yield f"{title}{whose}", *self._contrasts(own)

    def cells(self) -> Cells:
        """Return a line for each slice of each measure."""
        return self._slices(self.estimates)

    def _slices(self, own: Sequence[SliceEstimate]) -> Cells:
        several = len({e.measure for e in own}) > 1
        value = "value" if several else lower_first(own[0].title if own else "value")
        columns: dict[str, Column] = {
            **self._names(own),
            **({"measure": "title"} if several else {}),
            "cases": lambda e: f"{e.n:,.10g}",
            value: lambda e: interval_text(e.value, e.interval),
            "minus the rest": lambda e: _beside(e.rest),
            "p-value, adjusted": lambda e: (
                "" if e.rest is None else pvalue_text(e.rest.adjusted_pvalue)
            ),
            "": "verdict",
        }
        return table_of(self._first(own), columns)

    def _first(self, own: Sequence[SliceEstimate]) -> Sequence[SliceEstimate]:
        """Return the slices that are shown: the worst, the worst first, of more than are read in their order."""
        if self.searched is not None or len(own) <= MAX_IN_ORDER:
            return own
        return sorted(own, key=lambda e: e.badness, reverse=True)[:MAX_SHOWN_SLICES]

    def _names(self, own: Sequence[SliceEstimate]) -> dict[str, Column]:
        """Return the columns that name slices: one for each column of the cases, where they are not taken."""
        keys = list(dict.fromkeys(k for e in own for k in e.keys))
        if self.searched is None and OWN_COLUMNS.isdisjoint(keys):
            return {Key(k): partial(_value_of, k) for k in keys}
        return {Key("slice"): "name"}

    def _contrasts(self, own: Sequence[SliceEstimate]) -> Cells:
        columns: dict[str, Column] = {
            **self._names(own),
            "minus the best": lambda e: _beside(e.best),
            "times the best": lambda e: interval_text(e.best.ratio, e.best.ratio_interval),
            "p-value, adjusted": lambda e: pvalue_text(e.best.adjusted_pvalue),
        }
        return table_of(self._first([e for e in own if e.best]), columns)

    def _gaps(self) -> Cells:
        models = any(g.model for g in self.gaps)
        columns: dict[str, Column] = {
            Key("gap"): "title",
            **({Key("model"): lambda g: g.model or ""} if models else {}),
            "largest difference": lambda g: interval_text(g.difference, g.interval),
            "smallest ratio": lambda g: (
                "" if math.isnan(g.ratio) else interval_text(g.ratio, g.ratio_interval)
            ),
            "highest": "highest",
            "lowest": "lowest",
            "p": lambda g: pvalue_text(g.pvalue),
        }
        return table_of(self.gaps, columns)

    def remarks(self) -> Iterator[str]:
        """Say what holds together."""
        hidden = [
            len(own) - MAX_SHOWN_SLICES for own in self._tables() if len(own) > MAX_SHOWN_SLICES
        ]
        if hidden:
            yield f"The {MAX_SHOWN_SLICES} worst slices are shown; JSON and frames hold {sum(hidden)} more."
        whose = "all slices that were searched" if self.searched is not None else "several slices"
        yield (
            f"Intervals and p-values allow for {whose}: with {percent(self.confidence_level)} confidence all "
            "intervals of a column hold together for new cases (max-T), so they are wider than that of one slice alone."
        )
        if self.gaps:
            yield (
                "A gap is the largest difference between two slices. By chance alone some two differ: p allows for "
                "that."
            )


def _value_of(column: str, e: SliceEstimate) -> str:
    return value_name(e.keys.get(column))


def _title(own: Sequence[SliceEstimate]) -> str:
    """Return the measure of a table, and the model if there are several."""
    return " of ".join([own[0].title, *([own[0].model] if own[0].model else [])])


def _beside(c: SliceContrast | None) -> str:
    if c is None:
        return ""
    text = interval_text(c.difference, c.interval)
    return text if c.difference < 0 else f"+{text}"


def _said(g: GapEstimate) -> str:
    whose = f" of {g.model}" if g.model else ""
    largest = f"the largest difference is {interval_text(g.difference, g.interval)}, between {g.highest} and {g.lowest}"
    if g.any_two is None:
        return f"{g.title}{whose}: {largest}, without an interval."
    if g.is_shown:
        return f"{g.title}{whose} differs between slices: {largest}."
    most = number_text(g.any_two.high, g.any_two)
    others = g.interval is None or g.interval.high < g.any_two.high
    rest = f"; no two slices differ by more than {most}" if others else ""
    return f"{g.title}{whose} is not shown to differ between slices: {largest}{rest}."
