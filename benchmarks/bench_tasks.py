"""A million outcomes of 20 models on 50 tasks: a decision over all of them, against a loop of numpy.

    python -m benchmarks tasks

The loop computes what harnesses print, a mean and a paired standard error for each model and task against the first
model, and a permutation test over all tasks. Ours adds simultaneous intervals, Tango's limits and ranks.
"""

import numpy as np

from benchmarks.interleaved import best_times, print_table, times
from credibly import Predictions, benchmarks

MODELS, TASKS, CASES, FLIPS = 20, 50, 1000, 1000


def loop(passed, task):
    """Return differences and standard errors by task, and p-values over all."""
    made = []
    for other in passed[1:]:
        gap = other - passed[0]
        each = [gap[task == t] for t in range(TASKS)]
        made += [(d.mean(), d.std(ddof=1) / np.sqrt(d.size)) for d in each]
        rng = np.random.default_rng(1)
        moved = gap[gap != 0]
        flipped = [abs((rng.choice((-1.0, 1.0), moved.size) * moved).sum()) for _ in range(FLIPS)]
        made.append(np.mean(np.array(flipped) >= abs(moved.sum())))
    return made


def main():
    rng = np.random.default_rng(0)
    task = np.repeat(np.arange(TASKS), CASES)
    hard = 0.6 * rng.random(task.size)
    passed = np.array(
        [hard + 0.4 * rng.random(task.size) < 0.5 + 0.01 * k for k in range(MODELS)]
    ).astype(float)
    outcome = {f"m{k:02}": passed[k] for k in range(MODELS)}
    p = Predictions.of(outcome=outcome, columns={"task": task})
    best = best_times(
        {"loop": lambda: loop(passed, task), "ours": lambda: benchmarks(p)}, seconds=1, rounds=2
    )
    row = [
        f"{p.n:,}",
        f"{best['loop']:.2f} s",
        f"{best['ours']:.2f} s",
        times(best["loop"] / best["ours"]),
    ]
    print_table(
        "Twenty models on fifty tasks", ["outcomes", "loop of numpy", "benchmarks", "ratio"], [row]
    )
