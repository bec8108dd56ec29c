"""Schemes ranked over datasets: average ranks, which of them differ, wins and losses, a diagram's data."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.layout import Key
from credibly._core.text import number_text, p_is, percent, pvalue_text
from credibly.comparisons._declare import comparisons
from credibly.comparisons.average_ranks import (
    bonferroni_dunn_difference,
    nemenyi_difference,
    range_tail,
    rank_standard_error,
)
from credibly.comparisons.evidence import DatasetTable
from credibly.comparisons.multiplicity import adjust, adjustments
from credibly.comparisons.over_datasets import ranks_of
from credibly.comparisons.result import FOLDED, TestResult
from credibly.comparisons.signed_ranks import sign_tails
from credibly.errors import ParameterError, says
from credibly.intervals.quantiles import normal_tail
from credibly.results.formats import Column, table_of
from credibly.results.result import Blocks, Cells, Collected, Result, TableText

# Corrections that come with a critical difference, beside those that adjust any p-values.
CRITICAL_DIFFERENCES: Mapping[str, tuple[str, Callable[[int, int, float], float]]] = {
    "nemenyi": ("Nemenyi", nemenyi_difference),
    "bonferroni_dunn": ("Bonferroni-Dunn", bonferroni_dunn_difference),
}


class RankedPair(Result, eq=True):
    """Two schemes: how far their average ranks lie apart, and how often each was the better one.

    ``pvalue`` is the normal one of the ranks, ``adjusted`` what the correction makes of it;
    ``sign_pvalue`` judges wins against losses by themselves.
    """

    first: str
    second: str
    rank_difference: float
    pvalue: float
    adjusted: float
    wins: int
    ties: int
    losses: int
    sign_pvalue: float

    @property
    def names(self) -> tuple[str, str]:
        """Both schemes."""
        return self.first, self.second


class Ranking(Collected[RankedPair]):
    """Average ranks of schemes over datasets (1 is the best), and which of them can be distinguished.

    ``groups`` are the bars of a critical-difference diagram: schemes next to each other that cannot.
    ``critical_difference`` is None for corrections that go step by step.
    """

    schemes: tuple[str, ...]
    average_ranks: tuple[float, ...]
    means: tuple[float, ...]
    datasets: int
    measure: str
    whole: TestResult
    correction: str
    critical_difference: float | None
    pairs: tuple[RankedPair, ...]
    groups: tuple[tuple[str, ...], ...]
    confidence_level: float
    against: str | None = None

    members = "pairs names"
    row_parts = "pairs"

    def cells(self) -> Cells:
        """Return header and body of the table of pairs as people read it."""
        columns: dict[str, Column] = {
            Key("first"): "first",
            Key("second"): "second",
            "rank difference": "rank_difference",
            "p-value": lambda p: pvalue_text(p.pvalue),
            f"p, {self.correction}": lambda p: pvalue_text(p.adjusted),
            "wins/ties/losses": lambda p: f"{p.wins}/{p.ties}/{p.losses}",
            "p, signs": lambda p: pvalue_text(p.sign_pvalue),
        }
        return table_of(self.pairs, columns)

    def heading(self) -> str:
        """Say which schemes, which measure and which test."""
        return self.whole.heading()

    def meaning(self) -> str:
        """Say whether ranks differ, and which scheme has the best."""
        first = min(zip(self.average_ranks, self.schemes, strict=True))
        p = p_is(self.whole.pvalue)
        if not self.whole.rejected:
            return f"No scheme is shown to rank better than another over {self.datasets} datasets ({p})."
        return f"Ranks over {self.datasets} datasets differ ({p}); {first[1]} has the best, {number_text(first[0])} on average."

    def blocks(self) -> Blocks:
        """Yield the average ranks, and the table of pairs."""
        ranked = zip(self.schemes, self.average_ranks, self.means, strict=True)
        ranks = [[name, number_text(r), number_text(m)] for name, r, m in ranked]
        yield "", ["scheme", "average rank", f"mean {self.measure}"], ranks
        yield "Pairs of schemes", *self.cells()

    def laid_out(self, table: TableText = FOLDED, title: str = "{}") -> list[str]:
        """Return the test of all schemes, their ranks, and the table of pairs."""
        _, header, ranks = next(self.blocks())
        apart = "; ".join(", ".join(g) for g in self.groups)
        level = f"{percent(1 - self.confidence_level)}"
        lines = [f"No significant difference at {level} ({self.correction}): {apart or 'none'}."]
        if self.critical_difference is not None:
            critical = number_text(self.critical_difference)
            lines.insert(
                0, f"Critical difference of average ranks: {critical} ({self.correction})."
            )
        first = [*self.whole.laid_out(table, title), "", table(header, ranks)]
        return [*first, *lines, "", table(*self.cells())]


@door
def rank_schemes(
    table: DatasetTable,
    *,
    test: str = "iman_davenport",
    correction: str = "nemenyi",
    against: str | None = None,
    confidence_level: float = 0.95,
) -> Ranking:
    """Rank three or more schemes over datasets and say which of them differ.

    Parameters
    ----------
    table
        A value of each scheme on each dataset.
    test
        The test of all schemes at once: ``"iman_davenport"``, ``"friedman"`` or ``"quade"``.
    correction
        How pairs are judged: ``"nemenyi"`` (all pairs), ``"bonferroni_dunn"`` (against one scheme), or
        an adjustment of the p-values of the ranks, such as ``"holm"`` or ``"shaffer"``.
    against
        A scheme, named before the results were seen, that all others are compared with.

    >>> from credibly.comparisons import DatasetTable
    >>> values = [[.9, .8, .7], [.8, .7, .6], [.9, .6, .5], [.7, .8, .6], [.9, .7, .8]]
    >>> ranking = rank_schemes(DatasetTable(values, ("a", "b", "c")))
    >>> ranking.schemes, ranking.average_ranks, ranking.groups
    (('a', 'b', 'c'), (1.2, 2.0, 2.8), (('a', 'b'), ('b', 'c')))
    >>> round(ranking.critical_difference, 4), round(ranking["a", "c"].adjusted, 4)
    (1.4823, 0.0307)
    """
    _check(table, correction, against)
    entry = comparisons.parse(test)
    why = "several schemes are ranked on each of several datasets, whose scales may differ"
    whole = entry(table, confidence_level=confidence_level, why=why)
    ranks = ranks_of(table)
    averages = ranks.mean(axis=0)
    order = np.argsort(averages, kind="stable")
    pairs = _pairs(table, ranks, order, correction, against)
    alpha, (n, k) = 1 - confidence_level, ranks.shape
    title, critical = CRITICAL_DIFFERENCES.get(correction) or (adjustments[correction].title, None)
    names = tuple(table.names[i] for i in order)
    return Ranking(
        schemes=names,
        average_ranks=tuple(averages[order].tolist()),
        means=tuple(table.table.mean(axis=0)[order].tolist()),
        datasets=len(table.table),
        measure=table.measure_name,
        whole=whole,
        correction=title,
        critical_difference=critical and critical(n, k, alpha),
        pairs=pairs,
        groups=() if against else _groups(names, pairs, alpha),
        confidence_level=confidence_level,
        against=against,
    )


def _check(table: DatasetTable, correction: str, against: str | None) -> None:
    if against is not None and against not in table.names:
        raise ParameterError(
            f"against must be one of the schemes {', '.join(table.names)}; got {against!r}."
        )
    if correction not in CRITICAL_DIFFERENCES:
        _ = adjustments[correction]  # says what there is
    if correction == "bonferroni_dunn" and against is None:
        raise ParameterError(
            "bonferroni_dunn compares all schemes with one of them.",
            remedy=says("Set <against=...>."),
        )
    if against is not None and correction in {"nemenyi", "shaffer"}:
        raise ParameterError(
            f"{correction} is for all pairs, not for one scheme against the others.",
            remedy=says("Set <correction='bonferroni_dunn'> or <correction='holm'>."),
        )


def _pairs(
    table: DatasetTable,
    ranks: Floats,
    order: NDArray[np.intp],
    correction: str,
    against: str | None,
) -> tuple[RankedPair, ...]:
    """Judge each pair, the better ranked first; with one that is named, that one second."""
    n, k = ranks.shape
    if against is None:
        chosen = [(i, j) for at, i in enumerate(order) for j in order[at + 1 :]]
    else:
        at = table.names.index(against)
        chosen = [(j, at) for j in order if j != at]
    averages = ranks.mean(axis=0)
    differences = [float(averages[i] - averages[j]) for i, j in chosen]
    z = [abs(d) / rank_standard_error(n, k) for d in differences]
    plain = [normal_tail(each, tails=2) for each in z]
    if correction == "nemenyi":
        adjusted = [range_tail(each * math.sqrt(2), k) for each in z]
    else:
        adjusted = adjust(
            plain, "bonferroni" if correction in CRITICAL_DIFFERENCES else correction
        ).tolist()
    return tuple(
        RankedPair(table.names[i], table.names[j], d, p, q, *_wins(ranks[:, i], ranks[:, j]))
        for (i, j), d, p, q in zip(chosen, differences, plain, adjusted, strict=True)
    )


def _wins(first: Floats, second: Floats) -> tuple[int, int, int, float]:
    wins, losses = int((first < second).sum()), int((first > second).sum())
    pvalue = sign_tails(wins, wins + losses).pvalue("two-sided") if wins + losses else 1.0
    return wins, first.size - wins - losses, losses, pvalue


def _groups(
    names: tuple[str, ...], pairs: tuple[RankedPair, ...], alpha: float
) -> tuple[tuple[str, ...], ...]:
    """Return the longest runs of schemes in the order of their ranks of which no two differ."""
    differ = {frozenset((p.first, p.second)) for p in pairs if p.adjusted <= alpha}
    runs: list[tuple[str, ...]] = []
    reached = 0
    for start in range(len(names)):
        end = start + 1
        while end < len(names) and not any(
            frozenset((each, names[end])) in differ for each in names[start:end]
        ):
            end += 1
        if end > reached and end - start > 1:  # not part of the run before
            runs.append(names[start:end])
        reached = max(reached, end)
    return tuple(runs)
