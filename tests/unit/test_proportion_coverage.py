"""Coverage of intervals for a proportion: published figures, and sums over all outcomes."""

from math import comb

import numpy as np
import pytest

from credibly import ParameterError
from credibly.intervals import proportion_coverage, proportion_interval


def test_figures_of_brown_cai_and_dasgupta():
    """Statistical Science 16 (2001), section 2.1: Wald at 0.2 with 30 and 98 cases, at 0.5 with 17 and 40."""
    at_fifth = proportion_coverage("wald", n=[30, 98], rate=0.2)
    at_half = proportion_coverage("wald", n=[17, 40], rate=0.5)
    assert at_fifth.coverage[0].round(3).tolist() == [0.946, 0.928]
    assert at_half.coverage[0].round(3).tolist() == [0.951, 0.919]


@pytest.mark.parametrize("method", ["wald", "wilson", "exact", "jeffreys"])
@pytest.mark.parametrize("rate", [0.0, 0.03, 0.5, 1.0])
def test_is_a_sum_over_outcomes(method, rate):
    n = 12
    by_hand = 0.0
    for x in range(n + 1):
        i = proportion_interval(x, n, method=method, confidence_level=0.9)
        if i.low <= rate <= i.high:
            by_hand += comb(n, x) * rate**x * (1 - rate) ** (n - x)
    found = proportion_coverage(method, n=n, rate=rate, confidence_level=0.9)
    assert found.coverage[0, 0] == pytest.approx(by_hand, abs=1e-12)


def test_exact_intervals_cover_and_walds_do_not():
    found = proportion_coverage(["exact", "wald"], n=20, rate=np.linspace(0.01, 0.99, 99))
    exact, wald = found.coverage
    assert exact.min() >= 0.95
    assert (wald < 0.95).mean() > 0.9
    assert "mean" in str(found)
    assert len(found.rows()) == 2 * 99


def test_the_oscillation_is_drawn():
    figure = proportion_coverage("wald", n=range(25, 101), rate=0.2).plot()
    line = figure.layers[-1].columns
    ups = np.diff(line["y"]) > 0
    assert figure.title == "Coverage of Wald's intervals"
    assert line["x"] == list(range(25, 101))
    assert 5 < (~ups).sum() < 20  # it falls now and then, by jumps
    both = proportion_coverage(["wald", "wilson"], n=10, rate=[0.1, 0.2]).plot()
    assert both.series() == ["Wald", "Wilson"]
    assert both.x.title == "true rate"


@pytest.mark.parametrize(
    "asked",
    [
        {"n": 0, "rate": 0.5}, {"n": 2.5, "rate": 0.5}, {"n": [], "rate": 0.5}, {"n": 10**9, "rate": 0.5},
        {"n": 5, "rate": 2}, {"n": 5, "rate": []}, {"n": 5, "rate": "high"}, {"n": [5, 6], "rate": [0.1, 0.2]},
        {"n": 5, "rate": 0.5, "methods": []}, {"n": 5, "rate": 0.5, "methods": "guess"},
        {"n": 5, "rate": 0.5, "confidence_level": 1},
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(asked):
    with pytest.raises(ParameterError):
        proportion_coverage(**asked)
