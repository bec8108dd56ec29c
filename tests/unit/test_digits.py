"""Numbers for people: as many digits as the interval supports, and none that say nothing."""

import math
import re
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from credibly import Predictions, evaluate
from credibly._core.text import count, interval_text, number_text


def limits(low, high):
    return SimpleNamespace(low=low, high=high)


@pytest.mark.parametrize(
    ("value", "low", "high", "said"),
    [
        (7.0, 3.2, 15.1, "7 [3.2, 15.1]"),  # a count
        (0.0, 0.0, 3.2, "0 [0.00, 3.20]"),
        (1.0, 0.34, 1.0, "1.000 [0.340, 1.000]"),  # a share
        (1 / 3, 0.0, 250.0, "0.3 [0, 250]"),  # an average of counts that is not none
        (5.66e-10, 4.91e-10, 6.53e-10, "5.66e-10 [4.91e-10, 6.53e-10]"),
        (0.0, -2e-13, 2e-13, "0 [-2e-13, 2e-13]"),
        (0.5, 0.5 - 1e-15, 0.5 + 1e-15, "0.5 [0.5, 0.5]"),  # rounding alone
    ],
)
def test_digits_of_an_interval(value, low, high, said):
    assert interval_text(value, limits(low, high)) == said


@given(
    st.floats(-1e12, 1e12, allow_subnormal=False),
    st.floats(1e-14, 1e6),
    st.floats(0, 1),
)
def test_what_is_written_is_near_and_short(value, width, place):
    interval = limits(value - place * width, value + (1 - place) * width)
    if not interval.low < interval.high:
        return
    text = number_text(value, interval)
    written = float(text.replace(",", ""))
    span = interval.high - interval.low
    assert abs(written - value) <= max(0.01 * span, 1e-3 * abs(value) * (span < 1e-10 * abs(value)), 1e-14)  # fmt: skip
    assert not re.fullmatch(r"-?0\.0{8,}", text)
    assert abs(value) < 1e-14 or written != 0


def test_sizes_have_no_more_digits_than_mean_something():
    weighted = Predictions.of(
        [1, 0, 1, 0], label=[1, 0, 0, 0], weight=[0.1234567, 1.7654321, 2.5, 730.26], weight_kind="importance"
    )  # fmt: skip
    header, (row,) = evaluate(weighted, "accuracy").cells()
    assert row[header.index("n")] == "4"  # cases, not the sum of their weights
    assert count(734.6496778, "case") == "734.6 cases"
    assert count(1234567.0, "case") == "1,234,567 cases"


def test_counts_are_whole_and_their_averages_are_not():
    table = evaluate(Predictions.of([1, 0] * 12, label=[1, 0, 0] * 8), ["tp", "fn"])
    shown = {e.measure: number_text(e.value, e.interval) for e in table.estimates}
    assert all(re.fullmatch(r"\d+", text) for text in shown.values())
    macro = evaluate(Predictions.of(list("abc") * 8, label=list("abcabcba") * 3), "tp")["tp"]
    assert not macro.value.is_integer()
    assert math.isclose(float(number_text(macro.value, macro.interval)), macro.value, rel_tol=0.05)
