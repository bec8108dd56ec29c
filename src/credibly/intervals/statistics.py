"""Statistics of columns by name, for the bootstrap of rows."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from credibly._core.arrays import Floats, dot
from credibly._core.declared import Declarator, Parametrised, ReadingRegistry
from credibly._core.names import Names
from credibly._core.parameters import SHARE_RULE, Rule
from credibly._kernels.placements import midranks
from credibly.errors import ParameterError
from credibly.predictions.summaries.linear import ratio

LESS_THAN_HALF = Rule(
    "a share from 0 to less than one half", lambda v: isinstance(v, int | float) and 0 <= v < 0.5, 0.5
)  # fmt: skip


class Statistic(Parametrised[..., float]):
    """A number that is computed from columns, which its function takes as arrays."""

    @property
    def width(self) -> int:
        """How many columns it takes."""
        parameters = inspect.signature(self.function).parameters.values()
        return sum(p.kind is not p.KEYWORD_ONLY for p in parameters)

    def __call__(self, *columns: Floats, **arguments: object) -> float:
        """Compute it."""
        if arguments:
            return self.given(**arguments)(*columns)
        if self.unfilled:
            raise ParameterError(
                f"{self.name} needs {self.unfilled}, as in {self.name}({self.unfilled}=0.9)."
            )
        return float(self.function(*columns, **self.arguments))

    def columns(self, n: int = 0) -> dict[str, Any]:  # noqa: ARG002
        """Return what a listing tells of it."""
        return {"columns": self.width}


class Statistics(ReadingRegistry[Statistic]):
    """Statistics of columns by name."""

    examples = "'quantile(q=0.9)'"


statistics = Statistics("statistic", "credibly.intervals")
statistic = Declarator(Statistic, statistics)


@statistic("Mean", aliases=Names("average"))
def mean(x: Floats) -> float:
    """The sum of the values divided by their number.

    >>> mean(np.array([1.0, 2.0, 6.0]))
    3.0
    """
    return float(x.mean())


@statistic("Trimmed mean", constraints={"share": LESS_THAN_HALF})
def trimmed_mean(x: Floats, *, share: float = 0.1) -> float:
    """The mean without the smallest and the largest values, a share of them at either end.

    >>> trimmed_mean(np.array([1.0, 2.0, 3.0, 100.0]), share=0.25)
    2.5
    """
    cut = int(share * x.size)
    return float(np.sort(x)[cut : x.size - cut].mean())


@statistic("Median")
def median(x: Floats) -> float:
    """The value in the middle, or the mean of the two that are.

    >>> median(np.array([1.0, 2.0, 60.0]))
    2.0
    """
    return float(np.median(x))


@statistic("Quantile", constraints={"q": SHARE_RULE}, aliases=Names("percentile"))
def quantile(x: Floats, *, q: float) -> float:
    """The value that a share q of the others lie below, interpolated between values (R's type 7).

    >>> quantile(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), q=0.75)
    4.0
    """
    return float(np.quantile(x, q))


@statistic("Standard deviation", aliases=Names("sd, std"))
def standard_deviation(x: Floats) -> float:
    """The root of the variance.

    >>> standard_deviation(np.array([1.0, 3.0, 5.0]))
    2.0
    """
    return float(x.std(ddof=1))


@statistic("Variance", aliases=Names("var"))
def variance(x: Floats) -> float:
    """The sum of squared distances from the mean, divided by the number of values less one.

    >>> variance(np.array([1.0, 3.0, 5.0]))
    4.0
    """
    return float(x.var(ddof=1))


@statistic("Ratio of means", aliases=Names("ratio"))
def ratio_of_means(x: Floats, y: Floats) -> float:
    """The mean of the first column divided by that of the second.

    >>> ratio_of_means(np.array([1.0, 3.0]), np.array([2.0, 6.0]))
    0.5
    """
    return float(ratio(x.mean(), y.mean()))


@statistic("Difference of means", aliases=Names("difference"))
def difference_of_means(x: Floats, y: Floats) -> float:
    """The mean of the first column less that of the second, row by row.

    >>> difference_of_means(np.array([1.0, 3.0]), np.array([2.0, 6.0]))
    -2.0
    """
    return float((x - y).mean())


@statistic("Correlation", aliases=Names("pearson"))
def correlation(x: Floats, y: Floats) -> float:
    """Pearson's correlation of two columns.

    >>> round(correlation(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 7.0])), 4)
    0.9934
    """
    a, b = x - x.mean(), y - y.mean()
    return float(ratio(dot(a, b), np.sqrt(dot(a, a) * dot(b, b))))


@statistic("Rank correlation", aliases=Names("spearman"))
def rank_correlation(x: Floats, y: Floats) -> float:
    """Spearman's correlation: Pearson's of the ranks; equal values share their mean rank.

    >>> rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([2.0, 40.0, 700.0]))
    1.0
    """
    return correlation.function(midranks(x), midranks(y))
