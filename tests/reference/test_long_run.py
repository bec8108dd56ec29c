"""Long-run variances and blocks of time beside twins that take every sum one by one."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.signal import lfilter

from credibly import Predictions, compare, evaluate, read, save
from credibly.errors import DataError
from credibly.intervals.influence import influence
from credibly.intervals.long_run import (
    MAX_LOSS,
    MIN_COSINES,
    LongRun,
    Spectrum,
    cosine_powers,
    over_time,
)
from credibly.intervals.moments import block_length, block_weights
from credibly.intervals.standard_errors import standard_error
from credibly.measures import measures
from credibly.predictions.parts import time_steps


def autoregression(rho, n, rng, rows=1):
    start = rng.normal(size=(rows, 1))
    steps = rng.normal(size=(rows, n)) * math.sqrt(1 - rho**2)
    return lfilter([1.0], [1.0, -rho], steps, axis=1, zi=rho * start)[0]


def slow_power(x, j):
    n = len(x)
    weights = [math.sqrt(2 / n) * math.cos(math.pi * j * (t + 0.5) / n) for t in range(n)]
    return sum(w * v for w, v in zip(weights, x, strict=True)) ** 2


def newey_west(x, lags):
    x = x - x.mean()
    n = x.size
    covariance = [float(x[k:] @ x[: n - k]) / n for k in range(lags + 1)]
    return covariance[0] + 2 * sum((1 - k / (lags + 1)) * c for k, c in enumerate(covariance) if k)


def forecasts(n, rho, rng, **columns):
    y = rng.normal(size=n)
    (error,) = autoregression(rho, n, rng)
    return Predictions.of(y, value=y + error, **columns)


@given(st.lists(st.floats(-5, 5), min_size=6, max_size=40))
def test_cosines_are_sums(values):
    x = np.array(values)
    slow = [slow_power(values, j) for j in range(1, len(values))]
    np.testing.assert_allclose(cosine_powers(x), slow, atol=1e-9)
    np.testing.assert_allclose(cosine_powers(x + 3), slow, atol=1e-9)
    assert cosine_powers(x).sum() == pytest.approx(x.var() * x.size, abs=1e-9)


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_the_standard_error_is_the_mean_of_a_few_cosines(rho):
    x = autoregression(rho, 300, np.random.default_rng(4))[0] / 300
    run = LongRun(x)
    mean = sum(slow_power(x, j) for j in range(1, run.cosines + 1)) / run.cosines
    assert run.error == pytest.approx(math.sqrt(300 * mean / run.seen), rel=1e-9)
    assert LongRun(1e-200 * x).error == pytest.approx(1e-200 * run.error, rel=1e-9)
    assert LongRun(x[::-1].copy()).error == pytest.approx(run.error, rel=1e-9)


def test_the_spectrum_is_that_of_an_autoregression_beside_noise():
    """Heights and memory against sums of covariances, for a correlation of 0.9 and as much noise."""
    n, rho, noise = (
        500,
        0.9,
        19.0,
    )  # the autoregression has (1 + rho) / (1 - rho) = 19 at frequency 0
    half = 2 * n / math.pi * math.asin((1 - rho) / (2 * math.sqrt(rho)))
    lags = np.arange(1, 2000)
    at = math.pi * np.arange(1, 6) / n
    series = 1 + 2 * (rho**lags * np.cos(np.outer(at, lags))).sum(axis=1) + noise
    made = Spectrum(n, 0.5, half)
    np.testing.assert_allclose(made.heights(5), series / (19 + noise), rtol=1e-9)
    expected = 2 * (lags * rho**lags).sum() / (19 + noise)
    assert made.memory == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("rho", "most"), [(0.0, 1.3), (0.5, 1.4), (0.9, 1.6)])
def test_long_series_have_the_variance_of_theory_and_of_newey_and_west(rho, most):
    n = 20_000
    x = autoregression(rho, n, np.random.default_rng(7))[0]
    run = LongRun(x)
    theory = (1 + rho) / (1 - rho)
    for other in (theory, newey_west(x, 200)):
        assert 1 / most < run.error**2 / n / other < most
    assert run.correlation == pytest.approx(rho, abs=0.05)
    assert run.seen >= 1 - MAX_LOSS


def test_a_long_memory_leaves_few_cosines_and_is_said():
    rng = np.random.default_rng(2)
    p = forecasts(200, 0.98, rng, time=np.arange(200))
    table = evaluate(p, "mse")
    found = table["mse"].interval.dependence
    assert (found.cosines, found.too_long) == (MIN_COSINES, True)
    assert "long-memory" in {f.code for f in table["mse"].findings}
    short = evaluate(forecasts(200, 0.3, rng, time=np.arange(200)), "mse")
    assert short["mse"].interval.dependence.cosines == 14  # 0.4 times 200^(2/3)
    assert "long-memory" not in {f.code for f in short["mse"].findings}
    assert short["mse"].to_dict()["interval"]["dependence"]["cosines"] == 14


def test_times_order_rows_wherever_these_stand():
    rng = np.random.default_rng(3)
    p = forecasts(150, 0.8, rng, time=np.arange(150))
    mixed = rng.permutation(150)
    for measure in ("mse", "r_squared"):
        a, b = (evaluate(q, measure)[measure].interval for q in (p, p.take(mixed)))
        assert tuple(a) == pytest.approx(tuple(b), rel=1e-9)
    dates = np.datetime64("2024-01-01") + np.arange(150)
    dated = Predictions.of(p.truth, value=p.value, time=dates)
    assert tuple(evaluate(dated, "mse")["mse"].interval) == pytest.approx(
        tuple(evaluate(p, "mse")["mse"].interval), rel=1e-12
    )


def test_cases_of_one_moment_are_added_up():
    rng = np.random.default_rng(5)
    p = forecasts(120, 0.5, rng, time=np.arange(120) // 3)
    values = influence(measures["mse"], p)
    sums = [values[3 * i : 3 * i + 3].sum() for i in range(40)]
    error, found = over_time(values, p)
    assert error == pytest.approx(LongRun(np.array(sums)).error, rel=1e-12)
    assert found.moments == 40
    assert standard_error(values, p, by_class=False) == (error, found.cosines)


def test_groups_that_follow_one_another_are_moments():
    rng = np.random.default_rng(6)
    p = forecasts(120, 0.5, rng, time=np.arange(120), group=np.arange(120)[::-1] // 4)
    _, found = over_time(influence(measures["mse"], p), p)
    assert found.moments == 30


def test_groups_that_recur_add_their_own_variance():
    """Twenty stations over sixty days: variances over days and over stations, less that of cells."""
    rng = np.random.default_rng(8)
    day, station = np.divmod(np.arange(1200), 20)
    error = rng.normal(size=20)[station] + rng.normal(size=60)[day] + rng.normal(size=1200)
    p = Predictions.of(np.zeros(1200), value=error, time=day, group=station)
    moved = influence(measures["mse"], p)
    error_of_all, found = over_time(moved, p)
    days = LongRun(np.bincount(day, moved))
    stations = math.sqrt(20) * np.bincount(station, moved).std(ddof=1)
    cells = math.sqrt(1200) * moved.std(ddof=1)
    expected = math.sqrt(days.error**2 + stations**2 - cells**2)
    assert error_of_all == pytest.approx(max(expected, days.error, stations), rel=1e-9)
    assert (found.cosines, found.freedom) == (days.cosines, min(days.cosines, 19))


def test_repeated_predictions_of_a_case_are_one_moment():
    p = Predictions.of([1.0, 2, 2, 3], value=[1.0, 2, 2, 3], row=[5, 7, 7, 9], fold=[0, 0, 1, 1])
    assert time_steps(p).tolist() == [0, 1, 1, 2]


def test_differences_of_losses_are_compared_as_by_diebold_and_mariano():
    """With the same series a difference of mean losses over its long-run error, with t of the cosines."""
    rng = np.random.default_rng(11)
    n = 200
    y, time = rng.normal(size=n), np.arange(n)
    errors = autoregression(0.5, n, rng, rows=2)
    a, b = (Predictions.of(y, value=y + e, time=time) for e in errors)
    result = compare(a, b, "mse")
    gap = errors[0] ** 2 - errors[1] ** 2
    run = LongRun((gap - gap.mean()) / n)
    assert result.statistic == pytest.approx(gap.mean() / run.error, rel=1e-9)
    assert result.parameters["freedom"] == run.cosines
    assert compare(a, b, "mse", test="paired_losses").pvalue == pytest.approx(result.pvalue)


def test_a_measure_that_jumps_is_compared_by_blocks_of_time():
    rng = np.random.default_rng(12)
    y = rng.normal(size=120)
    a, b = (
        Predictions.of(y, value=y + e, time=np.arange(120))
        for e in autoregression(0.6, 120, rng, 2)
    )
    result = compare(a, b, "median_absolute_error", rng=1)
    assert result.test == "bootstrap"
    length = block_length(a, b)
    assert result.parameters["block_length"] == length
    assert result.parameters["freedom"] == pytest.approx(120 / length - 1)


def test_blocks_are_drawn_around_the_circle():
    drawn = block_weights(10, 4, seed=3, first=0, count=400)
    assert (drawn.sum(axis=1) == 10).all()
    starts = (np.random.Generator(np.random.PCG64(3)).random((50, 3)) * 10).astype(int)
    for start, row in zip(starts, drawn[:50], strict=True):
        moments = [
            (s + k) % 10 for s, size in zip(start, (4, 4, 2), strict=True) for k in range(size)
        ]
        np.testing.assert_array_equal(row, np.bincount(moments, minlength=10))
    np.testing.assert_array_equal(drawn[7:9], block_weights(10, 4, seed=3, first=7, count=2))
    np.testing.assert_allclose(drawn.mean(axis=0), 1, atol=0.25)


@pytest.mark.parametrize("measure", ["mse", "median_absolute_error"])
def test_replicates_of_blocks_are_those_of_the_drawn_rows(measure):
    rng = np.random.default_rng(13)
    p = forecasts(60, 0.7, rng, time=np.arange(60))
    from credibly.intervals import bootstrap

    m, length = measures[measure], block_length(p)
    found = bootstrap(p, m, replicates=20, rng=5).replicates[:, 0]
    weights = block_weights(60, length, seed=5, first=0, count=20).astype(int)
    slow = [m.value(p.take(np.repeat(np.arange(60), w))) for w in weights]
    np.testing.assert_allclose(found, slow, rtol=1e-9)


def test_the_block_bootstrap_is_near_the_long_run_variance():
    p = forecasts(400, 0.5, np.random.default_rng(14), time=np.arange(400))
    drawn = evaluate(p, "mae", interval="block_bootstrap", rng=1)["mae"].interval
    plain = evaluate(p, "mae")["mae"].interval
    assert drawn.standard_error == pytest.approx(plain.standard_error, rel=0.35)
    assert f"blocks of {block_length(p)} moments" in drawn.method
    no_times = Predictions.of(p.truth, value=p.value)
    refused = evaluate(no_times, "mae", interval="block_bootstrap", rng=1)["mae"]
    assert "time order" in refused.why_no_interval


def test_longer_memories_have_longer_blocks():
    lengths = [
        block_length(forecasts(1000, rho, np.random.default_rng(15), time=np.arange(1000)))
        for rho in (0.0, 0.7, 0.97)
    ]
    assert lengths[0] == 10  # the cube root
    assert lengths[0] < lengths[1] < lengths[2] <= 200


@pytest.mark.parametrize("name", ["p.csv", "p.jsonl", "p.parquet"])
def test_times_are_saved_and_read(name, tmp_path):
    p = forecasts(40, 0.5, np.random.default_rng(16), time=np.arange(40)[::-1])
    again = read(save(p, tmp_path / name))
    assert again.fingerprint == p.fingerprint
    assert again.in_time


def test_rows_without_a_time_are_refused():
    with pytest.raises(DataError, match="time is missing in 1 row"):
        Predictions.of([1, 0], label=[1, 0], time=["2024-01", None])


def test_few_moments_leave_no_interval():
    e = evaluate(Predictions.of([1.0, 2, 3], value=[1.5, 2, 4], time=[1, 2, 3]), "mse")["mse"]
    assert (e.interval, "3 moments are too few" in e.why_no_interval) == (None, True)


def test_the_jackknife_leaves_out_whole_groups():
    """A mean moves as its influence values say; an AUC is computed anew without each group."""
    rng = np.random.default_rng(17)
    y, group = rng.integers(0, 2, 60), np.arange(60) // 10
    p = Predictions.of(y, probability=rng.beta(1 + y, 2 - y), group=group)
    found = {how: evaluate(p, ["brier", "auc"], interval=how) for how in ("jackknife", "influence")}
    mean, plain = (found[how]["brier"].interval for how in ("jackknife", "influence"))
    assert tuple(mean) == pytest.approx(tuple(plain), rel=1e-9)
    value = measures["auc"].value(p)
    apart = [measures["auc"].value(p.take(group != g)) - value for g in range(6)]
    area = found["jackknife"]["auc"].interval
    assert area.standard_error == pytest.approx(math.sqrt(5 / 6 * np.square(apart).sum()))
    assert area.degrees_of_freedom == 5
    alone = evaluate(Predictions.of(y, probability=p.probability), "auc", interval="jackknife")
    assert "groups" in alone["auc"].why_no_interval


def test_diebold_and_mariano_follow_the_times():
    rng = np.random.default_rng(18)
    y, time = rng.normal(size=80), np.arange(80)
    pair = [Predictions.of(y, value=y + e, time=time) for e in autoregression(0.5, 80, rng, rows=2)]
    test, mixed = "diebold_mariano(horizon=3)", rng.permutation(80)
    found = compare(*pair, "mse", test=test)
    assert compare(*(p.take(mixed) for p in pair), "mse", test=test).pvalue == pytest.approx(
        found.pvalue, rel=1e-9
    )
    plain = [Predictions.of(y, value=p.value) for p in pair]
    assert compare(*plain, "mse", test=test).pvalue == pytest.approx(found.pvalue, rel=1e-9)
