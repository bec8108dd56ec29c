"""Prediction intervals, quantiles and distributions of numbers."""

import json

import numpy as np
import pytest
from scipy.stats import chisquare, norm

from credibly import DataError, ParameterError, plot
from credibly.calibration import (
    interval_coverage,
    pit_histogram,
    pit_of_normal,
    pit_of_samples,
    quantile_calibration,
)


def truths(n=2000, seed=0):
    rng = np.random.default_rng(seed)
    mean = rng.normal(0, 3, n)
    return mean, mean + rng.normal(0, 1, n)


def test_right_intervals_hold_as_often_as_they_say_and_narrow_ones_do_not():
    mean, y = truths()
    z = norm.ppf(0.95)
    fine = interval_coverage(y, mean - z, mean + z, nominal=0.9)
    assert fine.interval.low < 0.9 < fine.interval.high
    assert fine.findings[0].severity == "note"
    assert fine.coverage + fine.below + fine.above == pytest.approx(1)
    narrow = interval_coverage(y, mean - 1, mean + 1, nominal=0.9)
    assert "too narrow" in narrow.findings[0].message
    wide = interval_coverage(y, mean - 9, mean + 9, nominal=0.9)
    assert "too wide" in wide.findings[0].message
    assert fine.score < min(narrow.score, wide.score)
    assert json.loads(fine.to_json())["nominal"] == 0.9
    assert len(fine.frame()) == 1


def test_the_interval_score_by_hand():
    """Width 2 each; one truth lies 4 above, at 2 / 0.2 a unit: (2 + 2 + 2 + 2 + 40) / 4."""
    made = interval_coverage([1.0, 2.0, 3.0, 9.0], [0, 1, 2, 3], [2, 3, 4, 5], nominal=0.8)
    assert made.score == pytest.approx((8 + 10 * 4) / 4)


def test_widths_have_an_interval():
    mean, y = truths(50)
    width = np.linspace(1, 3, 50)
    made = interval_coverage(y, mean - width, mean + width, nominal=0.9)
    assert made.width == pytest.approx(4)
    assert made.width_interval.low < made.width < made.width_interval.high


def test_quantiles_at_their_levels():
    mean, y = truths()
    levels = [0.1, 0.5, 0.9]
    made = quantile_calibration(y, mean[:, None] + norm.ppf(levels), levels)
    assert ((made.low < levels) & (levels < made.high)).all()
    away = y - mean
    assert made.loss[1] == pytest.approx(np.abs(away).mean() / 2)
    crossed = quantile_calibration([1.0, 2.0], [[2, 1], [0, 3]], [0.2, 0.8])
    assert crossed.findings[0].code == "crossing-quantiles"
    assert len(made.frame()) == 3
    assert plot(made).layers[1].columns["x"] == levels


def test_transforms_of_right_distributions_are_uniform():
    mean, y = truths()
    fine = pit_histogram(pit_of_normal(y, mean, np.ones(y.size)))
    assert fine.pvalue > 0.01
    assert fine.pvalue == pytest.approx(chisquare(fine.counts).pvalue)
    assert fine.density.mean() == pytest.approx(1)
    narrow = pit_histogram(pit_of_normal(y, mean, np.full(y.size, 0.5)))
    assert narrow.pvalue < 1e-6
    assert narrow.density[0] > 1.5 < narrow.density[-1]
    assert plot(fine).layers[0].kind == "bars"
    assert "p-value" in str(fine)
    assert json.loads(fine.to_json())["n"] == 2000


def test_transforms_of_samples_are_uniform_even_of_counts():
    rng = np.random.default_rng(1)
    rate = rng.gamma(3, 1, 3000)
    y, samples = rng.poisson(rate), rng.poisson(rate[:, None], (3000, 19))
    assert pit_histogram(pit_of_samples(y, samples, rng=1)).pvalue > 0.01


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: interval_coverage([1.0], [2.0], [0.0], nominal=0.9),
            DataError,
            "low is above high in row 0",
        ),
        (
            lambda: interval_coverage([1.0], [0.0], [2.0], nominal=90),
            ParameterError,
            "nominal must be between",
        ),
        (
            lambda: interval_coverage([1.0], [0.0, 1.0], [2.0], nominal=0.9),
            DataError,
            "low must be a list",
        ),
        (
            lambda: interval_coverage([np.nan], [0.0], [2.0], nominal=0.9),
            DataError,
            "y_true is not a finite",
        ),
        (lambda: interval_coverage([], [], [], nominal=0.9), DataError, "at least one"),
        (
            lambda: quantile_calibration([1.0], [[1.0, 2.0]], [0.5]),
            DataError,
            r"got shape \(1, 2\)",
        ),
        (
            lambda: quantile_calibration([1.0], [[1.0, 2.0]], [0.5, 0.5]),
            ParameterError,
            "levels must increase",
        ),
        (lambda: pit_histogram([1.2]), DataError, "between 0 and 1; row 0"),
        (lambda: pit_histogram([0.2], bins=2), ParameterError, "bins must be from 1"),
        (lambda: pit_of_normal([1.0], [1.0], [0.0]), DataError, "deviation must be above 0"),
        (lambda: pit_of_samples([1.0], [1.0], rng=1), DataError, "one row per case"),
    ],
)
def test_bad_input_is_refused_with_the_reason(call, error, words):
    with pytest.raises(error, match=words):
        call()
