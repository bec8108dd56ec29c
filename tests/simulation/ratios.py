"""How often intervals of correlations, R2 and relative errors hold: normal and heavy-tailed numbers, cases that are far off, groups.

Run from the repository:

    python -m tests.simulation.ratios --repetitions 1000 --output docs/validity/ratios.csv

Each row is the share of samples in which the default 95 % interval holds the value of the population.
"""

from functools import cache
from itertools import product

import numpy as np

from credibly import Predictions, evaluate

from . import answers

SEED, LARGE, DRAWS = 20261123, 400_000, 5
MEASURES = ("correlation", "r2_test_mean", "rse", "rrse", "rae")
NOISE = {
    "normal": lambda r, n: r.standard_normal(n),
    "t, 5 df": lambda r, n: r.standard_t(5, n),
    "t, 3 df": lambda r, n: r.standard_t(3, n),
    "far off": lambda r, n: r.standard_normal(n) * np.where(r.random(n) < 0.03, 8.0, 1.0),
}
SIZES = (20, 50, 200)


def draw(law, n, rng, groups=0):
    """Predicted numbers; cases of a group share a part of the truth and of what is missed."""
    noise = NOISE.get(law, NOISE["normal"])

    def column(which):
        own = which(rng, n)
        if not groups:
            return own
        return 0.8 * own + 0.6 * which(rng, n if n == LARGE else groups)[np.arange(n) // 6]

    x = column(NOISE["normal"] if law == "far off" else noise)
    v = 0.7 * x + 0.7 * column(noise)
    if law == "log-normal":
        x, v = np.exp(x), np.exp(v)
    elif law == "prices":
        x, v = np.exp(0.6 * x), np.exp(0.6 * x + 0.3 * column(noise))
    group = np.arange(n) // 6 if groups else None
    middle = {"log-normal": np.exp(0.5), "prices": np.exp(0.18)}.get(law, 0.0)
    return Predictions.of(x, value=v, baseline=np.full(n, middle), group=group)


@cache
def truths(law, groups):
    """Return the values in the population."""
    drawn = (draw(law, LARGE, np.random.default_rng([SEED, i]), groups) for i in range(DRAWS))
    found = [[e.value for e in evaluate(p, list(MEASURES), interval="none")] for p in drawn]
    return dict(zip(MEASURES, np.mean(found, axis=0), strict=True))


def row_of(cell, repetitions):
    """Return how often limits of a measure hold."""
    law, n, groups, measure = cell
    true, held = truths(law, bool(groups))[measure], []
    for i in range(repetitions):
        p = draw(law, n, np.random.default_rng([SEED, 1, n, groups, i]), groups)
        limits = evaluate(p, measure)[measure].interval
        held.append(None if limits is None else limits.low <= true <= limits.high)
    of = f"{n} cases in {groups} groups" if groups else f"{n} cases"
    return answers.row(f"{measure}, {law}, {of}", held, rejects=False)


LAWS = (*NOISE, "log-normal", "prices")
CELLS = [
    *((law, n, 0, m) for law, n, m in product(LAWS, SIZES, MEASURES)),
    *((law, 6 * g, g, m) for law, g, m in product(("normal", "t, 3 df", "log-normal"), (10, 30), MEASURES)),
]  # fmt: skip

if __name__ == "__main__":
    answers.run(__doc__, row_of, CELLS, "ratios.csv")
