"""How work on a million rows scales with threads: the same digits, and each number of threads beside one.

The floor is one over the number of threads. What stays serial is a sort or two, and the columns' copies.
"""

import os
import time

import numpy as np

from benchmarks.interleaved import best_times, print_table, times
from credibly import Predictions, compare, curve, evaluate
from credibly._kernels.threads import at_most

ROWS = 10**6


def models(count, rng):
    truth = (rng.random(ROWS) < 0.3).astype(int)
    scores = 1 / (1 + np.exp(1 - 1.2 * truth - rng.normal(size=(count, ROWS))))
    return {f"model {i}": Predictions.of(truth, score) for i, score in enumerate(scores)}


def work():
    """Return what is timed, by name; predictions are made anew, for they keep what was computed."""
    ten = models(10, np.random.default_rng(0))
    two = dict(list(ten.items())[:2])

    def fresh(given):
        return {name: p.take(slice(None)) for name, p in given.items()}

    def one():
        return fresh(two)["model 0"]

    panel = ["auc", "average_precision"]
    return {
        "bootstrap of AUC and AP": lambda: evaluate(one(), panel, interval="bootstrap", rng=1),
        "permutation test of two AUCs": lambda: compare(
            fresh(two), measure="auc", test="permutation", rng=1
        ),
        "simultaneous ROC band": lambda: curve("roc", one(), band="simultaneous", rng=1),
        "DeLong, ten models": lambda: compare(fresh(ten), measure="auc", test="delong"),
    }


def main():
    cores = len(os.sched_getaffinity(0))
    numbers = sorted({1, min(4, cores), cores}) if cores > 1 else [1, 2]
    rows = []
    for name, run in work().items():

        def limited(n, run=run):
            with at_most(n):
                return run()

        digits = {str(limited(n).to_json()) for n in numbers}
        best = best_times(
            {n: lambda n=n: limited(n) for n in numbers},
            seconds=0,
            rounds=2,
            clock=time.perf_counter,
        )
        ratios = [times(best[1] / best[n]) for n in numbers[1:]]
        rows.append(
            [name, f"{1000 * best[1]:,.0f} ms", *ratios, "yes" if len(digits) == 1 else "NO"]
        )
    header = ["a million rows", "one thread", *(f"{n} threads" for n in numbers[1:]), "same digits"]
    print_table(f"Threads, {cores} processors", header, rows)


if __name__ == "__main__":
    main()
