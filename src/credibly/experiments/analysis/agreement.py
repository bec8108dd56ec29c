"""Whether measures rank schemes alike: Kendall's tau for two of them, his W for all."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.text import count, number_text
from credibly.comparisons.average_ranks import friedman_statistic, ranks_within
from credibly.errors import DataError
from credibly.measures.numeric import kendall
from credibly.results.result import Cells, Result

if TYPE_CHECKING:
    from credibly.comparisons import DatasetTable
    from credibly.experiments.analysis.grids import LeaveOut, MeasureGrid


class MeasureAgreement(Result):
    """How far the rankings by several measures agree.

    ``average_ranks`` holds the average rank of each scheme (column) by each measure (row), ``tau``
    Kendall's tau-b of every two rows, ``concordance`` Kendall's W of all: 1 where they agree, 0 where
    they have nothing to do with one another. NaN where a measure does not tell any schemes apart.
    """

    measures: tuple[str, ...]
    schemes: tuple[str, ...]
    datasets: tuple[str, ...]
    average_ranks: NDArray[np.float64]
    tau: NDArray[np.float64]
    concordance: float

    json_keys = "measures schemes datasets average_ranks pairs=rows concordance"

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary per pair of measures."""
        return [
            {"first": self.measures[i], "second": self.measures[j], "tau": float(self.tau[i, j])}
            for i, j in combinations(range(len(self.measures)), 2)
        ]

    def cells(self) -> Cells:
        """Return header and body of a table: average ranks by measure, then tau of every two."""
        body = [
            [m, *map(number_text, ranks), *map(number_text, taus)]
            for m, ranks, taus in zip(
                self.measures, self.average_ranks.tolist(), self.tau.tolist(), strict=True
            )
        ]
        return ["average rank by", *self.schemes, *(f"tau, {m}" for m in self.measures)], body

    def remarks(self) -> list[str]:
        """Say how far all measures agree."""
        several = count(len(self.measures), "measure")
        return [f"Kendall's W of {several}: {number_text(self.concordance)}."]


def agreement(
    grids: Mapping[str, MeasureGrid], leave_out: LeaveOut = "datasets"
) -> MeasureAgreement:
    """Rank schemes by several measures, over the datasets and schemes that are complete in all of them.

    Measures that have no better way, or no two complete datasets, are left out; so are those that lack
    a scheme which others have, where datasets are what is left out.

    >>> from credibly.experiments import Results
    >>> from credibly.experiments.analysis.grids import MeasureGrid
    >>> values = {"accuracy": [.9, .8, .7, .9, .6, .5], "error_rate": [.1, .2, .3, .2, .4, .5]}
    >>> r = Results.of(["iris"] * 3 + ["glass"] * 3, ["a", "b", "c"] * 2, values)
    >>> print(agreement({m: MeasureGrid.of(r, m) for m in values}))
    average rank by  a  b  c  tau, accuracy  tau, error_rate
    accuracy         1  2  3  1              1
    error_rate       1  2  3  1              1
    Kendall's W of 2 measures: 1.
    """
    tables = _tables(grids, leave_out)
    if len(tables) < 2:
        raise DataError(
            f"Agreement needs two measures that rank schemes over datasets; got {count(len(tables), 'measure')}."
        )
    first = next(iter(tables.values()))
    schemes = [s for s in first.names if all(s in t.names for t in tables.values())]
    datasets = [d for d in first.datasets if all(d in t.datasets for t in tables.values())]
    if min(len(schemes), len(datasets)) < 2:
        raise DataError("Agreement needs two schemes and two datasets with all measures.")
    averages = np.array([_average_ranks(t, datasets, schemes) for t in tables.values()])
    tau = np.array([[kendall(a, b) for b in averages] for a in averages])
    ranks = ranks_within(averages, higher_is_better=False)
    told_apart = bool(np.ptp(ranks, axis=1).any())
    rows, columns = ranks.shape
    concordance = friedman_statistic(ranks).statistic / (rows * (columns - 1))
    return MeasureAgreement(
        tuple(tables),
        tuple(schemes),
        tuple(map(str, datasets)),
        averages,
        tau,
        concordance if told_apart else float("nan"),
    )


def _tables(grids: Mapping[str, MeasureGrid], leave_out: LeaveOut) -> dict[str, DatasetTable]:
    """Return the means by dataset of the measures that can rank schemes."""
    found = {}
    for measure, grid in grids.items():
        if grid.direction != "neither":
            with suppress(DataError):
                found[measure] = grid.over_datasets(leave_out)
    if leave_out == "schemes":
        return found
    most = max((len(t.names) for t in found.values()), default=0)
    return {m: t for m, t in found.items() if len(t.names) == most}


def _average_ranks(
    table: DatasetTable, datasets: list[object], schemes: list[str]
) -> NDArray[np.float64]:
    rows = [table.datasets.index(d) for d in datasets]
    columns = [table.names.index(s) for s in schemes]
    part = table.table[np.ix_(rows, columns)]
    return ranks_within(part, higher_is_better=table.direction == "higher").mean(axis=0)
