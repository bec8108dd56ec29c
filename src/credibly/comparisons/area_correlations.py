"""The correlation of two AUCs on the same cases, from that of the scores, by Hanley and McNeil's table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.doors import door
from credibly._core.parameters import one_of, require
from credibly.errors import DataError, ParameterError, says

if TYPE_CHECKING:
    from credibly.predictions import Predictions

Coefficient = Literal["pearson", "kendall"]

# Hanley & McNeil (1983), Table I, in hundredths: a row for each mean correlation of the scores within the
# classes (0.02, 0.04 ... 0.90), a column for each mean AUC (0.700, 0.725 ... 0.975).
HUNDREDTHS = """
02 02 02 02 02 02 02 01 01 01 01 01
04 04 03 03 03 03 03 03 03 02 02 02
05 05 05 05 05 05 05 04 04 04 03 02
07 07 07 07 07 06 06 06 06 05 04 03
09 09 09 09 08 08 08 07 07 06 06 04
11 11 11 10 10 10 09 09 08 08 07 05
13 12 12 12 12 11 11 11 10 09 08 06
14 14 14 14 13 13 13 12 11 11 09 07
16 16 16 16 15 15 14 14 13 12 11 09
18 18 18 17 17 17 16 15 15 14 12 10
20 20 19 19 19 18 18 17 16 15 14 11
22 22 21 21 21 20 19 19 18 17 15 12
24 23 23 23 22 22 21 20 19 18 16 13
26 25 25 25 24 24 23 22 21 20 18 15
27 27 27 26 26 25 25 24 23 21 19 16
29 29 29 28 28 27 26 26 24 23 21 18
31 31 31 30 30 29 28 27 26 25 23 19
33 33 32 32 31 31 30 29 28 26 24 21
35 35 34 34 33 33 32 31 30 28 26 22
37 37 36 36 35 35 34 33 32 30 28 24
39 39 38 38 37 36 36 35 33 32 29 25
41 40 40 40 39 38 38 37 35 34 31 27
43 42 42 42 41 40 39 38 37 35 33 29
45 44 44 43 43 42 41 40 39 37 35 30
47 46 46 45 45 44 43 42 41 39 37 32
49 48 48 47 47 46 45 44 43 41 39 34
51 50 50 49 49 48 47 46 45 43 41 36
53 52 52 51 51 50 49 48 47 45 43 38
55 54 54 53 53 52 51 50 49 47 45 40
57 56 56 55 55 54 53 52 51 49 47 42
59 58 58 57 57 56 55 54 53 51 49 45
61 60 60 59 59 58 58 57 55 54 51 47
63 62 62 62 61 60 60 59 57 56 53 49
65 64 64 64 63 62 62 61 60 58 56 51
67 66 66 66 65 65 64 63 62 60 58 54
69 69 68 68 67 67 66 65 64 63 60 56
71 71 70 70 69 69 68 67 66 65 63 59
73 73 72 72 72 71 71 70 69 67 65 61
75 75 75 74 74 73 73 72 71 70 68 64
77 77 77 76 76 76 75 74 73 72 70 67
79 79 79 79 78 78 77 77 76 75 73 70
82 81 81 81 81 80 80 79 78 77 76 73
84 84 83 83 83 82 82 81 81 80 78 75
86 86 86 85 85 85 84 84 83 82 81 79
88 88 88 88 87 87 87 86 86 85 84 82
"""
CORRELATION_TABLE: Floats = (
    np.array([row.split() for row in HUNDREDTHS.split("\n")[1:-1]], np.float64) / 100
)
TABLE_CORRELATIONS, TABLE_AREAS = np.linspace(0.02, 0.90, 45), np.linspace(0.7, 0.975, 12)


@door
def correlation_of_areas(correlation: float, area: float) -> float:
    """Return the correlation of two AUCs by the published table, between whose entries it is linear.

    Parameters
    ----------
    correlation
        Of the scores of the two models: the mean of that among positive and among negative cases,
        from 0.02 to 0.90.
    area
        The mean of the two AUCs, from 0.7 to 0.975.

    >>> correlation_of_areas(0.5, 0.85), round(correlation_of_areas(0.51, 0.84), 4)
    (0.43, 0.444)
    """
    for name, value, ends in (
        ("correlation", correlation, TABLE_CORRELATIONS),
        ("area", area, TABLE_AREAS),
    ):
        if not ends[0] - ROUNDING <= value <= ends[-1] + ROUNDING:
            raise ParameterError(
                f"Hanley and McNeil's table has a mean {name} from {ends[0]:g} to {ends[-1]:g}; got {value:.4g}.",
                remedy=says("Leave out <correlation=...> to use the one from DeLong's covariance."),
            )
    by_row = np.array([np.interp(area, TABLE_AREAS, row) for row in CORRELATION_TABLE])
    return float(np.interp(correlation, TABLE_CORRELATIONS, by_row))


def correlations_of_scores(
    models: tuple[Predictions, ...], coefficient: Coefficient
) -> tuple[float, float]:
    """Return how the scores of two models go together among positive, and among negative cases.

    >>> from credibly import Predictions
    >>> a = Predictions.of([1, 1, 1, 0, 0, 0], score=[6, 4, 5, 1, 2, 3])
    >>> b = Predictions.of([1, 1, 1, 0, 0, 0], score=[9, 4, 5, 2, 1, 3])
    >>> tuple(round(r, 6) for r in correlations_of_scores((a, b), "kendall"))
    (1.0, 0.333333)
    """
    require("correlation", coefficient, one_of("pearson", "kendall"))
    p = models[0]
    scores = np.array([q.scores_of(q.positive or 0, "hanley_mcneil") for q in models])
    positive, weight = p.truth == p.positive, p.weights
    found = [
        _coefficient(scores[:, side], weight[side], coefficient) for side in (positive, ~positive)
    ]
    if np.isnan(found).any():
        raise DataError(
            "The scores of a model do not vary among the cases of a class, so they have no correlation.",
            remedy=says("Leave out <correlation=...> to use the one from DeLong's covariance."),
        )
    return found[0], found[1]


def _coefficient(scores: Floats, weight: Floats, coefficient: Coefficient) -> float:
    """Return Pearson's correlation, or Kendall's tau-b, of two rows of scores."""
    x, y = np.repeat(scores, weight.astype(np.int64), axis=1)
    if x.size < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.nan
    if coefficient == "pearson":
        return float(np.corrcoef(x, y)[0, 1])
    from scipy.stats import kendalltau

    return float(kendalltau(x, y).statistic)
