"""Intervals of so many successes of so many cases: the verb `interval`, by every method beside each other, or by one."""

from __future__ import annotations

import math
from collections.abc import Sequence

from credibly._core.arrays import MAX_EXACT_WHOLE, ROUNDING
from credibly._core.doors import door
from credibly._core.parameters import above, between, require
from credibly._core.text import interval_text, number_text, percent, shown
from credibly.errors import ParameterError, says
from credibly.intervals.sample_size import sample_size_for_proportion
from credibly.intervals.shares import (
    Alternative,
    ProportionMethod,
    proportion_methods,
    two_sided_level,
)
from credibly.results.formats import Column, table_of
from credibly.results.interval import Interval
from credibly.results.result import Cells, Result


class MethodInterval(Result, eq=True):
    """The result of one method: the share at its centre, and the interval or the reason for having none.

    ``n_for_width`` is how many cases it takes to be as narrow as was asked.
    """

    method: str
    title: str
    estimate: float
    interval: Interval | None
    why_no_interval: str = ""
    n_for_width: int | None = None

    json_keys = "method title estimate interval why_no_interval [n_for_width]"
    row_keys = "method title estimate *_ends width [n_for_width]"

    @property
    def width(self) -> float:
        """How wide the interval is."""
        return math.nan if self.interval is None else self.interval.high - self.interval.low


class ProportionIntervals(Result):
    """Intervals of one proportion by several methods.

    >>> import credibly
    >>> found = credibly.interval(75, 100, confidence_level=0.8)
    >>> round(found["wilson"].low, 3), round(found["wilson"].high, 3)
    (0.691, 0.801)
    """

    successes: float
    n: float
    rate: float
    standard_error: float
    confidence_level: float
    alternative: Alternative
    intervals: tuple[MethodInterval, ...]
    width: float | None = None

    __iter__ = None  # a result is looked up by name, not unpacked
    versioned = True
    row_parts = "intervals"
    json_keys = "successes n rate standard_error confidence_level alternative [width] intervals"

    def __len__(self) -> int:
        return len(self.intervals)

    def __getitem__(self, method: str) -> Interval:
        """Return the interval by one of the methods."""
        name = proportion_methods[method].name
        for each in self.intervals:
            if each.method == name:
                if each.interval is None:
                    raise ParameterError(f"{each.title} gives no interval: {each.why_no_interval}.")
                return each.interval
        raise ParameterError(
            f"{name} was not asked for; there are {', '.join(m.method for m in self.intervals)}."
        )

    @property
    def heading(self) -> str:
        """Say what it is about."""
        share, error = number_text(self.rate), number_text(self.standard_error)
        part = f"{self.successes:,.{0 if self.successes.is_integer() else 4}f}"
        return f"{part} of {self.n:,.0f}: {share}, standard error {error}"

    def cells(self) -> Cells:
        """Return a line for each method."""
        side = "" if self.alternative == "two-sided" else ", one limit"
        limits = f"{percent(self.confidence_level)} interval{side}"
        columns: dict[str, Column] = {
            "method": "title",
            "estimate": lambda m: number_text(m.estimate),
            limits: lambda m: interval_text(None, m.interval) or "none",
            "width": lambda m: number_text(m.width),
        }
        if self.width is not None:
            columns[f"n for a width of {self.width:g}"] = lambda m: (
                "" if m.n_for_width is None else f"{m.n_for_width:,}"
            )
        return table_of(self.intervals, columns)

    def remarks(self) -> list[str]:
        """Say which of them to take."""
        poor = [e.title for e in self.intervals if not proportion_methods[e.method].few]
        sentences = [
            "Wilson's interval works well at any size. Intervals are about new cases of the same kind."
        ]
        if poor:
            sentences.append(
                f"Do not trust these with few cases, or near 0 and 1: {'; '.join(poor)}."
            )
        none = {e.title: e.why_no_interval for e in self.intervals if e.interval is None}
        return [*sentences, *(f"{title} gives none: {why}." for title, why in none.items())]


@door
def interval(
    successes: float | None = None,
    n: float | None = None,
    *,
    rate: float | None = None,
    method: str | Sequence[str] | None = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    width: float | None = None,
) -> ProportionIntervals:
    """Compute confidence intervals for a proportion, with all methods side by side.

    Parameters
    ----------
    successes
        Number of successes.
    n
        How many cases there were.
    rate
        The share of successes, instead of their number.
    method
        A name from ``credibly list proportion_methods``, or several; all of them by default.
    confidence_level
        How often such intervals should cover the true rate.
    alternative
        ``"less"`` gives an upper limit only, from 0; ``"greater"`` a lower limit only, up to 1.
    width
        Largest width of the interval; the result then says how many cases each method needs.

    >>> found = interval(750, 1000, confidence_level=0.8, method=["wilson", "exact"])
    >>> print(found)
    750 of 1,000: 0.75, standard error 0.01369
    method           estimate  80 % interval     width
    Wilson           0.7496    [0.7321, 0.7671]  0.03508
    Clopper-Pearson  0.75      [0.7316, 0.7677]  0.03608
    Wilson's interval works well at any size. Intervals are about new cases of the same kind.
    """
    part, whole = _counts(successes, n, rate)
    if width is not None:
        require("width", width, between(0, 1))
        if alternative != "two-sided":
            raise ParameterError(
                says(
                    "<width=> is that of an interval with two limits; got <alternative={it}>.",
                    it=alternative,
                )
            )
    names = [method] if isinstance(method, str) else method
    chosen = list(proportion_methods) if names is None else [proportion_methods[m] for m in names]
    if not chosen:
        raise ParameterError(
            says("<method=> names one method or several, or is left out; got none of them.")
        )
    share = part / whole
    return ProportionIntervals(
        part,
        whole,
        share,
        math.sqrt(share * (1 - share) / whole),
        float(confidence_level),
        alternative,
        tuple(_by(m, part, whole, confidence_level, alternative, width) for m in chosen),
        width,
    )


def _by(
    m: ProportionMethod,
    part: float,
    whole: float,
    level: float,
    alternative: Alternative,
    width: float | None,
) -> MethodInterval:
    estimate = m.estimate(part, whole, two_sided_level(level, alternative))
    try:
        limits = m.of(part, whole, level, alternative=alternative)
    except ParameterError as refused:  # its remedy is about another door
        why = refused.found.rstrip(".").replace(f"{m.name} ", "it ", 1)
        return MethodInterval(m.name, m.title, estimate, None, why)
    needed = None
    if width is not None and _has_width(m, part / whole, level):
        needed = sample_size_for_proportion(width / 2, part / whole, level, m.name).n
    return MethodInterval(m.name, m.title, estimate, limits, "", needed)


def _has_width(m: ProportionMethod, share: float, level: float) -> bool:
    low, high = m.limits(2 * share, 2.0, level)
    return high > low


def _counts(successes: float | None, n: float | None, rate: float | None) -> tuple[float, float]:
    """Return part and whole, or say which of them is wrong."""
    if n is None or (successes is None) == (rate is None):
        raise ParameterError(
            says("An interval needs the successes and <n=...>, or <rate=...> and <n=...>.")
        )
    whole = _number("n", n)
    if not 0 < whole < math.inf or not whole.is_integer():
        raise ParameterError(f"n must be a whole number of cases, at least 1; got {shown(n)}.")
    if whole > MAX_EXACT_WHOLE:
        raise ParameterError(f"Counts are exact only up to 2^53; got {shown(n)} cases.")
    if rate is not None:
        share = float(require("rate", rate, between(0, 1, ends=True)))
        nearest = round(share * whole)
        return (float(nearest) if math.isclose(share * whole, nearest) else share * whole), whole
    part = _number("successes", successes)
    if part > whole:
        raise ParameterError(
            f"There cannot be more successes than cases; got {part:,.10g} of {whole:,.10g}."
        )
    if not part >= 0 or not part.is_integer():
        raise ParameterError(
            f"Successes must be a whole number of at least 0; got {shown(successes)}.",
            remedy=says("For a share, set <rate=...>."),
        )
    return part, whole


def _number(name: str, value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"{name} is a number of cases; got {shown(value)}.") from None


def proportion_interval(
    part: float | None = None,
    whole: float | None = None,
    *,
    rate: float | None = None,
    n: float | None = None,
    confidence_level: float = 0.95,
    method: str = "wilson",
    alternative: Alternative = "two-sided",
    effective_size: bool = False,
) -> Interval:
    """Return an interval for a proportion.

    Parameters
    ----------
    part, whole
        The counts: so many of so many cases. Or, in their place:
    rate, n
        The share and the number of cases.
    confidence_level
        How often such intervals should cover the true rate.
    method
        One of ``proportion_methods``.
    alternative
        ``"less"`` gives an upper limit only, from 0; ``"greater"`` a lower limit only, up to 1, as
        in scipy and R.
    effective_size
        The whole is an effective size, as of weighted cases, so that neither it nor the part has
        to be a whole number. A whole that is a fraction can be nothing else and says so by itself.
        Clopper-Pearson and Jeffreys then use their beta distributions with fractions.

    >>> limits = proportion_interval(9, 10)
    >>> round(limits.low, 4), round(limits.high, 4), limits.method
    (0.5958, 0.9821, 'Wilson')
    >>> limits = proportion_interval(rate=0.9, n=10, method="exact", alternative="greater")
    >>> round(limits.low, 4), limits.high, limits.method
    (0.6058, 1.0, 'Clopper-Pearson, one-sided')
    """
    return proportion_methods[method].of(
        *_part_and_whole(part, whole, rate, n),
        confidence_level,
        alternative=alternative,
        effective_size=effective_size,
    )


def _part_and_whole(
    part: float | None, whole: float | None, rate: float | None, n: float | None
) -> tuple[float, float]:
    if part is not None and whole is not None and rate is None and n is None:
        return part, whole
    if rate is not None and n is not None and part is None and whole is None:
        return _from_rate(rate, n)
    given = {"part": part, "whole": whole, "rate": rate, "n": n}
    names = [name for name, value in given.items() if value is not None]
    raise ParameterError(
        f"A proportion needs part and whole, or rate and n; got {', '.join(names) or 'nothing'}."
    )


def _from_rate(rate: float, n: float) -> tuple[float, float]:
    size = float(require("n", n, above(0)))
    part = float(require("rate", rate, between(0, 1, ends=True))) * size
    nearest = float(round(part))
    # A rate such as 0.1 is not exact in binary: 0.1 of 30 is meant to be 3.
    return nearest if abs(part - nearest) <= ROUNDING * size else part, size
