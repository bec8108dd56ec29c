"""The verb `agreement`: how far judges agree beyond chance, with intervals over cases.

Each statistic is a function of sums over cases: of how often a case got each rating, of pairs of ratings within
a case. Leaving out one case subtracts what it added, so the jackknife costs one evaluation per case.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, dot
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.search_names import search_names
from credibly._core.text import count, interval_text, number_text, percent, shown
from credibly.errors import DataError, ParameterError, says
from credibly.intervals.quantiles import two_sided
from credibly.intervals.standard_errors import on_scale
from credibly.judges.findings import NOT_ALL_RATED
from credibly.predictions.labels import MISSING, Labels, as_column, encode, is_missing
from credibly.results.formats import Column, table_of
from credibly.results.interval import Interval
from credibly.results.result import Cells, Collected, Result

Level = Literal["nominal", "ordinal", "interval"]
MAX_RATINGS = 60  # of an ordinal scale, above which they are numbers
MAX_COUNTS = 50_000_000  # of cases times ratings: what fits into memory
WEIGHT_WORDS = {"nominal": "", "ordinal": ", linear weights", "interval": ", quadratic weights"}
NO_VARIATION = "the cases show no variation"


class AgreementStatistic(Result, eq=True):
    """One statistic of agreement, of two judges or of all."""

    name: str
    title: str
    judges: str
    value: float
    interval: Interval | None
    n: int
    why_no_interval: str = ""

    row_keys = "name title judges value *_ends n"


class Agreement(Collected[AgreementStatistic]):
    """How far judges agree: the share of pairs of ratings that agree, kappas, and Krippendorff's alpha.

    >>> import credibly
    >>> found = credibly.agreement({"ann": [1, 1, 0, 1, 0, 0], "gpt": [1, 1, 0, 0, 0, 0]})
    >>> round(found["krippendorff_alpha"].value, 4), round(found["cohen_kappa"].value, 4)
    (0.6857, 0.6667)
    """

    level: Level
    judges: tuple[str, ...]
    n_cases: int
    statistics: tuple[AgreementStatistic, ...]
    findings: tuple[Finding, ...] = ()

    members = "statistics name"
    row_parts = "statistics"
    versioned = True

    def heading(self) -> str:
        """Name the judges and the number of cases."""
        return f"Agreement of {count(len(self.judges), 'judge')} on {count(self.n_cases, 'case')}, {self.level} ratings"

    def meaning(self) -> str:
        """Say how far they agree beyond chance."""
        alpha = self["krippendorff_alpha"]
        return f"Krippendorff's alpha of {count(len(self.judges), 'judge')} is {interval_text(alpha.value, alpha.interval)}: 1 is full agreement, 0 is chance."

    def cells(self) -> Cells:
        """Return a line for each statistic."""
        levels = {s.interval.confidence_level for s in self.statistics if s.interval}
        limits = f"{percent(levels.pop())} interval" if levels else "interval"
        columns: dict[str, Column] = {
            "statistic": "title",
            "judges": "judges",
            "value": lambda s: number_text(s.value, s.interval),
            limits: lambda s: interval_text(None, s.interval) or "none",
            "cases": lambda s: f"{s.n:,}",
        }
        return table_of(self.statistics, columns)

    def remarks(self) -> Iterator[str]:
        """Say why some have no interval, and how the others were made."""
        for s in self.statistics:
            if s.interval is None:
                yield f"{s.title} has no interval: {s.why_no_interval}."
        if any(s.interval for s in self.statistics):
            yield "Intervals are about new cases rated by these judges: jackknife over cases."


@door
@search_names(
    {
        "cohen_kappa_score, cohens_kappa": "agreement({'a': ..., 'b': ...})['cohen_kappa']",
        "fleiss_kappa": "agreement(ratings)['fleiss_kappa']",
        "krippendorff, krippendorff_alpha": "agreement(ratings)['krippendorff_alpha']",
    }
)
def agreement(
    ratings: Mapping[str, Sequence[Any]] | NDArray[Any] | Any,  # noqa: ANN401
    *,
    level: Level = "nominal",
    confidence_level: float = 0.95,
) -> Agreement:
    """Measure how well judges agree on the same cases: kappas and Krippendorff's alpha, with intervals.

    Parameters
    ----------
    ratings
        The ratings of each judge by name, one per case; a frame with one column per judge; or an array
        with one row per case. A missing rating is ``None`` or NaN.
    level
        What the ratings are: names (``"nominal"``), steps of an order (``"ordinal"``) or numbers whose
        differences count (``"interval"``). Cohen's kappa then has no, linear or quadratic weights.
    confidence_level
        How often such intervals should cover the agreement on all cases of this kind.

    >>> print(agreement({"a": [1, 2, 3, 3, 2, 1, 2, 3], "b": [1, 2, 3, 3, 2, 2, 2, 3]}, level="ordinal"))
    Krippendorff's alpha of 2 judges is 0.920 [0.058, 0.996]: 1 is full agreement, 0 is chance.
    Agreement of 2 judges on 8 cases, ordinal ratings
    statistic                      judges  value  95 % interval   cases
    Pairs of ratings that agree    all     0.875  [0.319, 0.991]  8
    Cohen's kappa, linear weights  a, b    0.84   [-0.14, 0.99]   8
    Fleiss' kappa                  all     0.80   [-0.24, 0.99]   8
    Krippendorff's alpha           all     0.920  [0.058, 0.996]  8
    Intervals are about new cases rated by these judges: jackknife over cases.
    """
    judges, columns = _columns(ratings)
    found = _ratings(columns, level)
    statistics = [_found(s, confidence_level) for s in _statistics(found, judges, level)]
    n = found.codes.shape[0]
    lone = int((found.given < 2).sum())
    findings = (NOT_ALL_RATED(cases=f"{lone:,}", all=count(n, "case")),) if lone else ()
    return Agreement(level, judges, n, tuple(statistics), findings)


class _Ratings(NamedTuple):
    """Ratings of each case by judge: places among the values that were given."""

    codes: NDArray[np.intp]
    values: tuple[Any, ...]

    @property
    def given(self) -> Floats:
        """How many ratings each case has."""
        return (self.codes != MISSING).sum(1).astype(np.float64)

    def numbers(self) -> Floats:
        """Return the ratings as numbers, NaN where one is missing."""
        return np.array([*self.values, math.nan], np.float64)[self.codes]

    def counts(self) -> Floats:
        """Return how often each case got each rating."""
        n, k = self.codes.shape[0], len(self.values)
        if n * k > MAX_COUNTS:
            raise DataError(
                f"There are {k:,} different ratings of {n:,} cases, too many to be names or steps.",
                remedy=says("Use <level='interval'> for numbers."),
            )
        rows = np.broadcast_to(np.arange(n)[:, None], self.codes.shape)
        there = self.codes != MISSING
        found = np.bincount(rows[there] * k + self.codes[there], minlength=n * k)
        return found.reshape(n, k).astype(np.float64)

    def agreeing(self) -> Floats:
        """Return the share of pairs of ratings of each case that are the same."""
        pairs = combinations(self.codes.T, 2)
        same = sum(((a == b) & (a != MISSING)).astype(np.float64) for a, b in pairs)
        values: Floats = 2 * same / (self.given * (self.given - 1))
        return values


class _Sums(NamedTuple):
    """A statistic as a function of sums: what each case adds, and the function of the sum."""

    name: str
    title: str
    judges: str
    of: Callable[[Floats], Floats]
    cases: Floats
    why_not: str = ""
    low: float = -1.0


def _columns(ratings: Any) -> tuple[tuple[str, ...], list[NDArray[Any]]]:  # noqa: ANN401
    """Return the names of the judges and the ratings of each."""
    if isinstance(ratings, Mapping) or hasattr(ratings, "columns"):
        names = list(ratings if isinstance(ratings, Mapping) else ratings.columns)
        columns = [as_column(ratings[name], str(name)) for name in names]
    else:
        table = np.asarray(ratings, None if isinstance(ratings, np.ndarray) else object)
        if table.ndim != 2:
            raise ParameterError(
                f"agreement takes ratings by judge, or a table with one row per case; got {shown(ratings)}."
            )
        names = [f"judge {i + 1}" for i in range(table.shape[1])]
        columns = [table[:, i] for i in range(table.shape[1])]
    if len(names) < 2:
        raise DataError(f"Agreement needs at least two judges; got {count(len(names), 'judge')}.")
    sizes = {str(n): len(c) for n, c in zip(names, columns, strict=True)}
    if len(set(sizes.values())) > 1:
        raise DataError(
            f"Judges rate the same cases, in the same order; got {shown(sizes)} ratings."
        )
    return tuple(map(str, names)), columns


def _ratings(columns: list[NDArray[Any]], level: Level) -> _Ratings:
    pooled = np.concatenate([np.asarray(c, object) for c in columns])
    missing = np.array([is_missing(v) for v in pooled.tolist()], bool)
    if missing.all():
        raise DataError("No judge has rated any case.")
    known = pooled[~missing]
    if level == "nominal":
        labels = encode(known, "ratings")
    else:
        labels = _ordered(known)
        if level == "ordinal" and len(labels.values) > MAX_RATINGS:
            raise DataError(
                f"There are {len(labels.values)} different ratings, too many for steps of an order.",
                remedy=says("Use <level='interval'>."),
            )
    codes = labels.among(missing).codes.astype(np.intp)
    return _Ratings(codes.reshape(len(columns), -1).T, labels.values)


def _ordered(known: NDArray[Any]) -> Labels:
    """Sort ratings as the numbers that they are."""
    try:
        numbers = known.astype(np.float64)
    except (TypeError, ValueError):
        bad = next(v for v in known.tolist() if not isinstance(v, int | float))
        raise DataError(
            f"Ratings that have an order are numbers; got {shown(bad)}.",
            remedy=says("Write them as 1, 2, 3 ..., or use <level='nominal'>."),
        ) from None
    values, codes = np.unique(numbers, return_inverse=True)
    return Labels(codes, tuple(values.tolist()))


def _statistics(r: _Ratings, judges: tuple[str, ...], level: Level) -> Iterator[_Sums]:
    several = r.given >= 2
    if not several.any():
        raise DataError("No case was rated by two judges, so nothing shows how far they agree.")
    rated = r._replace(codes=r.codes[several])
    agreeing = rated.agreeing()
    yield _Sums(
        "agreement", "Pairs of ratings that agree", "all", lambda s: s[..., 0] / s[..., 1],
        np.column_stack([agreeing, np.ones(agreeing.size)]), low=0.0,
    )  # fmt: skip
    for i, j in combinations(range(len(judges)), 2):
        yield _cohen(r, (i, j), judges, level)
    if level == "interval":
        yield _alpha_of_numbers(rated)
        return
    counts = rated.counts()
    yield _fleiss(counts, agreeing)
    yield (_alpha_of_names if level == "nominal" else _alpha_of_steps)(counts, rated.given)


def _cohen(r: _Ratings, pair: tuple[int, int], judges: tuple[str, ...], level: Level) -> _Sums:
    """Cohen's kappa of two judges, on the cases that both rated."""
    rows = (r.codes[:, pair] != MISSING).all(1)
    name, title = "cohen_kappa", f"Cohen's kappa{WEIGHT_WORDS[level]}"
    names = ", ".join(judges[i] for i in pair)
    why = "" if rows.any() else "no case was rated by both"
    if level == "interval":
        a, b = r.numbers()[rows][:, pair].T
        centre = a.mean() if a.size else 0.0  # differences do not change, and sums stay small
        a, b = a - centre, b - centre
        cases = np.column_stack([(a - b) ** 2, np.ones(a.size), a, b, a**2 + b**2])

        def of_numbers(s: Floats) -> Floats:
            cost, n, first, second, squares = (s[..., i] for i in range(5))
            return 1 - cost / (squares - 2 * first * second / n)

        return _Sums(name, title, names, of_numbers, cases, why)
    both, k = r.codes[rows][:, pair], len(r.values)
    apart = np.abs(np.arange(k)[:, None] - np.arange(k)[None, :])
    cost = (apart > 0 if level == "nominal" else apart).astype(np.float64)
    # What a case adds: its cost, and one to the rating of the first judge and to that of the second.
    eye = np.eye(k)
    cases = np.column_stack([cost[both[:, 0], both[:, 1]], eye[both[:, 0]], eye[both[:, 1]]])

    def of(s: Floats) -> Floats:
        first, second = s[..., 1 : k + 1], s[..., k + 1 :]
        expected = np.einsum("...i,ij,...j->...", first, cost, second) / first.sum(-1)
        values: Floats = 1 - s[..., 0] / expected
        return values

    return _Sums(name, title, names, of, cases, why)


def _fleiss(counts: Floats, agreeing: Floats) -> _Sums:
    """Fleiss' kappa, for cases that all have the same number of ratings."""
    cases = np.column_stack([agreeing, np.ones(len(counts)), counts])

    def of(s: Floats) -> Floats:
        shares = s[..., 2:] / s[..., 2:].sum(-1, keepdims=True)
        chance = np.square(shares).sum(-1)
        values: Floats = (s[..., 0] / s[..., 1] - chance) / (1 - chance)
        return values

    why = "" if np.ptp(counts.sum(1)) == 0 else "cases have different numbers of ratings"
    return _Sums("fleiss_kappa", "Fleiss' kappa", "all", of, cases, why)


def _alpha(of: Callable[[Floats], Floats], cases: Floats) -> _Sums:
    """Krippendorff's alpha: one minus observed over expected disagreement of ratings that have a partner."""
    return _Sums("krippendorff_alpha", "Krippendorff's alpha", "all", of, cases)


def _alpha_of_numbers(r: _Ratings) -> _Sums:
    x, given = r.numbers(), r.given
    x = np.nan_to_num(x - np.nanmean(x))  # differences do not change, and sums stay small
    total, squares = x.sum(1), np.square(x).sum(1)
    within = 2 * (given * squares - np.square(total)) / (given - 1)

    def of(s: Floats) -> Floats:
        d, n, t, q = (s[..., i] for i in range(4))
        return 1 - (n - 1) * d / (2 * (n * q - np.square(t)))

    return _alpha(of, np.column_stack([within, given, total, squares]))


def _alpha_of_names(counts: Floats, given: Floats) -> _Sums:
    within = (np.square(given) - np.square(counts).sum(1)) / (given - 1)

    def of(s: Floats) -> Floats:
        n = s[..., 1:].sum(-1)
        values: Floats = 1 - (n - 1) * s[..., 0] / (np.square(n) - np.square(s[..., 1:]).sum(-1))
        return values

    return _alpha(of, np.column_stack([within, counts]))


def _alpha_of_steps(counts: Floats, given: Floats) -> _Sums:
    k = counts.shape[1]
    pairs = counts[:, :, None] * counts[:, None, :] / (given - 1)[:, None, None]

    def of(s: Floats) -> Floats:
        counts = s[..., k * k :]
        # Between two steps lie the ratings of both, by half, and all those between them.
        middle = np.cumsum(counts, -1) - counts / 2
        apart = np.square(middle[..., :, None] - middle[..., None, :])
        observed = (s[..., : k * k].reshape(apart.shape) * apart).sum((-1, -2))
        expected = (counts[..., :, None] * counts[..., None, :] * apart).sum((-1, -2))
        values: Floats = 1 - (counts.sum(-1) - 1) * observed / expected
        return values

    return _alpha(of, np.column_stack([pairs.reshape(len(counts), -1), counts]))


def _found(s: _Sums, level: float) -> AgreementStatistic:
    """Return a statistic with its interval, or the reason for having none."""
    value, interval, why = (math.nan, None, s.why_not) if s.why_not else _jackknifed(s, level)
    return AgreementStatistic(s.name, s.title, s.judges, value, interval, len(s.cases), why)


def _jackknifed(s: _Sums, level: float) -> tuple[float, Interval | None, str]:
    """Return the value with its interval, or the reason for having none."""
    n, total = len(s.cases), s.cases.sum(0)
    with np.errstate(all="ignore"):
        value = float(s.of(total))
        kinds, often = np.unique(s.cases, axis=0, return_counts=True)
        without = s.of(total - kinds)
    if not math.isfinite(value):
        return math.nan, None, "all ratings are the same, so chance alone would agree"
    if n < 2 or not np.isfinite(without).all():
        return value, None, "a single case decides it"
    mean = float(dot(without, often)) / n
    error = math.sqrt((n - 1) / n * float(dot(np.square(without - mean), often)))
    if error == 0 or not s.low < value < 1:
        return value, None, NO_VARIATION
    ends = on_scale(value, error * two_sided(level, n - 1), s.low, 1.0)
    interval = Interval(
        *ends, level, "jackknife over cases", standard_error=error, degrees_of_freedom=n - 1
    )
    return value, interval, ""
