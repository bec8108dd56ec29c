"""Demsar's example: the areas of four variants of C4.5 on fourteen datasets.

Demsar, J. (2006) Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1-30, table 6 and
section 3.2. The table is printed to three digits; the ranks of one dataset show that 0.975 and 0.975 were
not equal before they were rounded. ``PRINTED`` is the table, ``RANKED`` has that tie broken.
"""

import numpy as np
import pytest

from credibly.comparisons import DatasetTable, comparisons
from credibly.comparisons.ranking import rank_schemes

NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
PRINTED = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.975, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
RANKED = PRINTED + 1e-5 * (np.indices(PRINTED.shape) == [[[12]], [[2]]]).all(axis=0)


def table(values):
    return DatasetTable(values, NAMES, measure_name="auc")


def test_average_ranks():
    ranking = rank_schemes(table(RANKED))
    found = dict(zip(ranking.schemes, ranking.average_ranks, strict=True))
    printed = {"C4.5": 3.143, "C4.5+m": 2.000, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}
    assert found == pytest.approx(printed, abs=5e-4)
    assert ranking.schemes[0] == "C4.5+m+cf"


def test_the_two_statistics_as_printed():
    """The article ignores ties: 9.28 with three, and 3.69 with three and 39 degrees of freedom."""
    friedman = comparisons["friedman"](table(RANKED), ties="ignored")
    iman = comparisons["iman_davenport"](table(RANKED), ties="ignored")
    assert friedman.statistic == pytest.approx(9.28, abs=5e-3)
    assert iman.statistic == pytest.approx(3.69, abs=5e-3)
    assert (iman.parameters["freedom"], iman.parameters["freedom of residuals"]) == (3, 39)


def test_ties_make_the_statistic_larger_when_they_are_allowed_for():
    corrected = comparisons["friedman"](table(PRINTED))
    ignored = comparisons["friedman"](table(PRINTED), ties="ignored")
    assert corrected.statistic == pytest.approx(10.952380952, abs=1e-9)
    assert ignored.statistic == pytest.approx(9.857142857, abs=1e-9)
    assert "corrected" in corrected.title
    assert "ignored" in ignored.title


def test_critical_differences_and_what_follows():
    """Quantiles 2.569 and 2.394 of the article's tables, here exact: best and worst lie 1.18 apart."""
    error = np.sqrt(4 * 5 / (6 * 14))
    ranking = rank_schemes(table(RANKED))
    assert ranking.critical_difference == pytest.approx(2.569 * error, abs=5e-4 * error)
    assert ranking.groups == (ranking.schemes,)
    against = rank_schemes(table(RANKED), correction="bonferroni_dunn", against="C4.5")
    assert against.critical_difference == pytest.approx(2.394 * error, abs=5e-4 * error)
    assert {p.first for p in against.pairs if p.adjusted <= 0.05} == {"C4.5+m+cf"}
