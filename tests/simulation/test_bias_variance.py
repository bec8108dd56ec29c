"""Intervals of bias and variance hold the truth about as often as they say, by simulation.

Predictions are made of a line with random coefficients, one draw per training set, so training sets shift
all cases together; the true parts are integrals.
"""

import numpy as np
import pytest
from scipy.special import ndtr

from credibly.bias_variance import Values, Votes, decompositions
from credibly.bias_variance.averages import CaseFacts, averages

RUNS, CASES, SETS = 400, 60, 25
LEVEL, SLOPE, OWN = 0.3, 0.4, 0.2  # deviations of intercept, slope and each single prediction
GRID = (np.arange(4001) + 0.5) / 4001


def target(x):
    return np.sin(3 * x)


def predicted(x, sets, rng):
    level, slope = rng.normal(0, LEVEL, sets), 1 + rng.normal(0, SLOPE, sets)
    return level + np.outer(x, slope) + rng.normal(0, OWN, (x.size, sets))


def deviation(x):
    return np.sqrt(LEVEL**2 + (SLOPE * x) ** 2 + OWN**2)


def numbers(x, rng):
    return Values.of(predicted(x, SETS, rng), target(x), 0.1)


def labels(x, rng):
    p = ndtr(target(x) - 0.5)
    return Votes.counted(
        (predicted(x, SETS, rng) > 0.5).astype(np.intp), np.stack([1 - p, p], 1), (0, 1)
    )


def true_parts():
    s, p = ndtr((GRID - 0.5) / deviation(GRID)), ndtr(target(GRID) - 0.5)
    squared = {
        "bias_squared": ((GRID - target(GRID)) ** 2).mean(),
        "variance": (deviation(GRID) ** 2).mean(),
    }
    wolpert = {"bias_squared": ((s - p) ** 2).mean(), "variance": (s * (1 - s)).mean()}
    loss = {"loss": (s + p - 2 * s * p).mean()}
    return {"squared": squared, "kohavi_wolpert": wolpert | loss}


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "make"), [("squared", numbers), ("kohavi_wolpert", labels)])
def test_intervals_hold_the_truth(name, make):
    entry = decompositions[name].given(corrected=True)
    truth = true_parts()[name]
    ranges = {name: part.range for name, part in entry.parts.items()}
    ranges |= {"loss": entry.loss_range, "stability": (0, 1)}
    held, values = dict.fromkeys(truth, 0), {k: [] for k in truth}
    for run in range(RUNS):
        rng = np.random.default_rng([11, run])
        table = make(rng.random(CASES), rng)
        cases = CaseFacts(np.arange(CASES), np.ones(CASES))
        made = averages(entry, table, cases, ranges, 0.95)
        for part, true in truth.items():
            held[part] += made[part].interval.low <= true <= made[part].interval.high
            values[part].append(made[part].value)
    for part, true in truth.items():
        error = np.std(values[part]) / np.sqrt(RUNS)
        assert abs(np.mean(values[part]) - true) < 4 * error, part  # corrected: right on average
        assert 0.9 <= held[part] / RUNS <= 0.985, (part, held[part] / RUNS)
