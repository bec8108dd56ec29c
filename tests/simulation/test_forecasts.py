"""Intervals and tests of forecasts hold about as often as they say."""

from simulation.forecasts import row_of


def test_a_slice_of_the_simulation():
    assert row_of("skill of 150 cases", 60)["share"] >= 0.86  # 95 % less 3 errors
