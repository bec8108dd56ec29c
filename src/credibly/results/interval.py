"""An interval with its method and what it is about."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from credibly._core.text import interval_text, percent
from credibly.results.about import About, about_what
from credibly.results.result import Result, ends

# Of a long-run variance, below which what is missing is more guessed than seen.
MIN_SEEN_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class TimeDependence:
    """How far neighbours in time were allowed for.

    There were so many ``moments``, and the long-run variance is the mean over so many ``cosines``: the
    degrees of ``freedom``, unless groups that recur have fewer. The cases say as much as ``effective_cases`` independent ones;
    ``correlation`` is that of neighbours. Of the variance the cosines show the share ``seen``, which is corrected for.
    """

    moments: int
    cosines: int
    freedom: int
    effective_cases: float
    correlation: float
    seen: float
    memory: float

    @property
    def too_long(self) -> bool:
        """Whether the memory is so long that not even the slowest cosines show most of the variance."""
        return self.seen < MIN_SEEN_SHARE

    @property
    def method(self) -> str:
        """How they were allowed for."""
        return f"long-run variance by {self.cosines} cosines of {self.moments:,} moments"


class Interval(Result, eq=True):
    """A confidence interval with its method and what it is about.

    >>> low, high = Interval(0.2, 0.4, 0.95, "Wilson")
    >>> low, high, 0.3 in Interval(0.2, 0.4, 0.95, "Wilson")
    (0.2, 0.4, True)
    """

    low: float
    high: float
    confidence_level: float
    method: str
    about: About = "cases"
    standard_error: float | None = field(default=None, compare=False)  # of the value, if it has one
    degrees_of_freedom: float = field(default=math.inf, compare=False)  # of the t that it uses
    dependence: TimeDependence | None = field(default=None, compare=False)  # of cases in time order
    share_of: float | None = field(default=None, compare=False)  # where it needs no more
    as_share: bool = field(default=False, compare=False)  # whether limits are in Wilson's form
    decimals: int | None = field(default=None, compare=False)  # of texts, as most beside it have

    json_keys = "low high confidence_level method about [dependence]"

    @property
    def method_name(self) -> str:
        """The name of the method, without what it was made of.

        >>> Interval(0.2, 0.4, 0.95, "Wilson, effective size 80").method_name
        'Wilson'
        """
        return self.method.partition(",")[0]

    def __iter__(self) -> Iterator[float]:
        """Give the two ends."""
        yield self.low
        yield self.high

    def __contains__(self, value: float) -> bool:
        """Whether a value lies between the ends, or is one of them."""
        return self.low <= value <= self.high

    def _intervals(self) -> Iterator[Result]:
        yield self

    def within(self, low: float, high: float) -> Interval:
        """Return the interval without what lies beyond two ends.

        >>> Interval(-0.1, 0.4, 0.95, "t").within(0, 1).low
        0
        """
        return replace(self, low=max(self.low, low), high=min(self.high, high))

    def times(self, factor: float) -> Interval:
        """Return the interval of so many times the value, such as of a total of cases.

        >>> tuple(Interval(0.2, 0.4, 0.95, "Wilson").times(100))
        (20.0, 40.0)
        """
        error = None if self.standard_error is None else self.standard_error * factor
        return replace(self, low=self.low * factor, high=self.high * factor, standard_error=error)

    def __str__(self) -> str:
        level = f"{percent(self.confidence_level)} interval"
        return f"{interval_text(None, self) or 'unbounded'} ({level}, {self.method})"


def ends_of(intervals: Iterable[Interval | None]) -> tuple[list[float], list[float]]:
    """Return the lower and the upper limits, NaN where there is no interval.

    >>> ends_of([Interval(0.2, 0.4, 0.95, "Wilson"), None])
    ([0.2, nan], [0.4, nan])
    """
    ends = [(i.low, i.high) if i else (math.nan, math.nan) for i in intervals]
    return [low for low, _ in ends], [high for _, high in ends]


def level_text(intervals: Iterable[Interval | None], *, several: bool = False) -> str:
    """Say in a few words of which level intervals are and what they are about; nothing if there is none.

    ``several`` says that models are several.

    >>> level_text([Interval(0.2, 0.4, 0.95, "Wilson"), None, Interval(0.1, 0.3, 0.95, "Wilson")])
    '95 % intervals about this model on new cases'
    """
    made = dict.fromkeys((i.confidence_level, i.about) for i in intervals if i)
    return "; ".join(
        f"{percent(level)} intervals about {about_what(a, several=several)}" for level, a in made
    )


def flat(interval: Interval | None) -> dict[str, Any]:
    """Return the columns of an interval in a row; NaN for a missing interval."""
    return ends(interval) | {"method": interval and interval.method}
