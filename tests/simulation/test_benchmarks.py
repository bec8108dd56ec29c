"""All intervals over many tasks hold together as often as they say, and margins are not passed too often."""

import numpy as np
import pytest

from credibly import Predictions, benchmarks

SIZES = (400, 100, 50, 50, 25, 25)


def drawn(rng, gains, models=2):
    task = np.repeat(np.arange(len(SIZES)), SIZES)
    rates = 0.6 + np.arange(models)[:, None] * np.asarray(gains)[task]
    shared = 0.6 * rng.random(task.size)
    shift = 0.4 * rng.random((models, task.size))
    # A case passes where a uniform number of its own, half shared, is small: scaled to the rate by its quantiles.
    u = shared + shift
    order = np.quantile(
        0.6 * rng.random(200_000) + 0.4 * rng.random(200_000), np.clip(rates.ravel(), 0, 1)
    )
    passed = u < order.reshape(rates.shape)
    return Predictions.of(
        outcome={str(k): passed[k] for k in range(models)}, columns={"task": task}
    )


@pytest.mark.slow
@pytest.mark.parametrize("models", [2, 5])
def test_all_intervals_hold_together(models):
    held = 0
    for r in range(300):
        found = benchmarks(
            drawn(np.random.default_rng([7, r]), (0.0,) * 6, models), replicates=2000, rng=1
        )
        held += all(0 in t.interval for t in found.tasks) and all(
            0 in t.interval for t in found.overall
        )
    assert held / 300 >= 0.88  # two tables of 95 % each


def test_a_margin_is_rarely_passed_where_one_task_is_worse_by_it():
    passed = 0
    for r in range(60):
        gains = (0.05, 0.05, 0.05, 0.05, 0.05, -0.1)
        found = benchmarks(
            drawn(np.random.default_rng([8, r]), gains), margin=0.1, replicates=200, rng=1
        )
        passed += found.no_worse[0].verdict == "yes"
    assert passed <= 8  # of 60 at 5 %: more than this once in 300
