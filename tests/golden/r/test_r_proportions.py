"""Every interval for a proportion that R gave, computed again. See README.md."""

import csv
import math

import pytest

from credibly.intervals import proportion_interval
from golden.goldens import HERE

with (HERE / "r" / "proportions.csv").open(encoding="utf-8", newline="") as f:
    ROWS = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(f)]
SAME = {
    "wilson": "wilson",
    "wilson_cc_newcombe": "wilson_corrected",
    "clopper_pearson": "clopper_pearson",
    "hmisc_exact": "clopper_pearson",
    "jeffreys": "jeffreys",
    "midp": "mid_p",
    "wald": "wald",
    "agresti_coull": "agresti_coull",
}


def ours(row, method):
    limits = proportion_interval(row["x"], row["n"], confidence_level=row["level"], method=method)
    return [limits.low, limits.high]


def theirs(row, column):
    return [row[f"{column}_low"], row[f"{column}_high"]]


def near(limits):
    return pytest.approx(limits, rel=0, abs=2e-14)  # the file has 14 digits


def test_all_rows_are_there():
    assert len(ROWS) == 258
    assert {(r["x"] == 0, r["x"] == r["n"]) for r in ROWS} == {(0, 0), (0, 1), (1, 0)}


@pytest.mark.parametrize("column", SAME)
def test_same_limits(column):
    for row in ROWS:
        cut = [min(max(limit, 0), 1) for limit in theirs(row, column)]
        assert ours(row, SAME[column]) == near(cut), row


def test_jeffreys_without_the_change_differs_at_the_ends_only():
    for row in ROWS:
        low, high = theirs(row, "jeffreys_unmodified")
        expected = [low if row["x"] > 0 else 0, high if row["x"] < row["n"] else 1]
        assert ours(row, "jeffreys") == near(expected), row


def test_prop_test_drops_its_correction_at_one_half():
    """Its correction is min(1/2, |x - n p0|) with p0 = 1/2, the null hypothesis nobody asked about."""
    halves = 0
    for row in ROWS:
        at_half = 2 * row["x"] == row["n"]
        halves += at_half
        expected = ours(row, "wilson" if at_half else "wilson_corrected")
        assert expected == near(theirs(row, "proptest_cc")), row
    assert halves == 21


def test_hmisc_changes_one_limit_of_wilson_next_to_the_ends():
    """At x = 1 the lower limit becomes -log(level)/n, and so at x = n - 1 by symmetry."""
    changed = 0
    for row in ROWS:
        low, high = ours(row, "wilson")
        outer = -math.log(row["level"]) / row["n"]
        if row["x"] == 1:
            low, changed = outer, changed + 1
        if row["x"] == row["n"] - 1:
            high, changed = 1 - outer, changed + 1
        assert [low, high] == near(theirs(row, "hmisc_wilson")), row
    assert changed == 66
