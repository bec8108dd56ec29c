"""An interval with its method and what it is about."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from credibly._core.text import interval_text, lower_first, percent
from credibly.errors import listed
from credibly.results.result import Result

About = Literal["cases", "models", "samples", "training", "datasets"]

ABOUT_ONE_MODEL = {
    "cases": "this model on new cases",
    "models": "the models of these folds alone, on new cases",
    "samples": "models fitted on bootstrap samples, which hold 63 % of these cases",
    "training": "this way of learning with new training sets",
    "datasets": "new datasets",
}

ABOUT_SEVERAL = {  # what differs of several models
    "cases": "these models on new cases",
    "training": "these ways of learning with new training sets",
}

# Of a long-run variance, below which what is missing is more guessed than seen.
MAX_NAMED = 4  # things whose intervals are about something else
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


def intervals_in(thing: object) -> Iterator[Interval]:
    """Yield the intervals that a result holds, its own and those of its parts."""
    if isinstance(thing, Interval):
        yield thing
    elif isinstance(thing, tuple):
        for each in thing:
            yield from intervals_in(each)
    elif isinstance(thing, Result):
        for each in fields(thing):
            yield from intervals_in(getattr(thing, each.name))


def about_what(about: About, *, several: bool = False) -> str:
    """Say what an interval is about, of one model or of several.

    >>> about_what("cases"), about_what("cases", several=True)
    ('this model on new cases', 'these models on new cases')
    """
    return ABOUT_SEVERAL.get(about, ABOUT_ONE_MODEL[about]) if several else ABOUT_ONE_MODEL[about]


def about_text(
    intervals: Iterable[Interval],
    *,
    counted: bool = False,
    several: bool = False,
    methods: bool = True,
    names: Sequence[str] = (),
) -> str:
    """Say what intervals are about and how many were made by each method; nothing if there is none.

    Methods are ``counted`` in a table, whatever stands in it, and left out of a first look. ``several``
    says that models are several; ``names`` are those of what each interval is of.

    >>> about_text([Interval(0.2, 0.4, 0.95, "Wilson"), Interval(0.1, 0.3, 0.95, "Wilson")])
    'Intervals are about this model on new cases: Wilson (2).'
    >>> about_text([Interval(0.2, 0.4, 0.95, "Wilson"), Interval(0.1, 0.3, 0.95, "t", "datasets")])
    'Intervals are about this model on new cases: Wilson (1). Those of means over datasets are about new datasets: t (1).'
    """
    made = list(intervals)
    if not made:
        return ""
    if not counted and len(made) == 1:
        only = made[0]
        return f"{percent(only.confidence_level)} interval about {about_what(only.about, several=several)}: {only.method}."
    found: dict[str, Counter[str]] = {}
    having: dict[str, list[str]] = {}
    for i, name in zip(made, names or [""] * len(made), strict=True):
        about = about_what(i.about, several=several)
        found.setdefault(about, Counter())[i.method_name] += 1
        having.setdefault(about, []).append(name)
    first, *others = (
        f"{about}: {', '.join(f'{name} ({n})' for name, n in counts.most_common())}."
        if methods
        else f"{about}."
        for about, counts in found.items()
    )
    told = [
        f" {_of(having, about)} about {o}" for about, o in zip([*having][1:], others, strict=True)
    ]
    return "".join([f"Intervals are about {first}", *told])


def _of(names: dict[str, list[str]], about: str) -> str:
    """Name what intervals are of, where it is little and no other interval is of the same."""
    if about == ABOUT_ONE_MODEL["datasets"]:
        return "Those of means over datasets are"
    own = dict.fromkeys(names[about])
    apart = all(own.keys().isdisjoint(of) for other, of in names.items() if other != about)
    if not apart or len(own) > MAX_NAMED:
        return "Others are"
    told = listed(map(lower_first, own))
    return f"That of {told} is" if len(names[about]) == 1 else f"Those of {told} are"


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
    if interval is None:
        return dict.fromkeys(("low", "high", "confidence_level"), math.nan) | {"method": None}
    return {name: getattr(interval, name) for name in ("low", "high", "confidence_level", "method")}
