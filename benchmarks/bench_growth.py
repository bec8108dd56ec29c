"""How time grows: ten times the rows of leave-one-out, 1,000 classes over 300, a bootstrap of few rows over many.

What is linear takes ten times as long for ten times the rows. Of k classes a table has k * k cells,
which 1,000 classes have 11 times as many of as 300; one by one, they take as long each. A bootstrap of fewer rows must not take longer.
"""

import time
from functools import partial

import numpy as np

from benchmarks.interleaved import print_table, times
from credibly import Predictions, evaluate, run


def leave_one_out(n):
    rng = np.random.default_rng(0)
    data = rng.normal(size=(n, 5))
    target = (data[:, 0] + rng.normal(size=n) > 0).astype(int)
    return evaluate(run("naive-bayes", data, target, resampling="loo", positive=1, progress=False))


def label_measures(k, by=None):
    rng = np.random.default_rng(0)
    truth = np.append(np.arange(k), rng.integers(0, k, 20_000))
    label = np.where(rng.random(truth.size) < 0.7, truth, rng.integers(0, k, truth.size))
    return evaluate(Predictions.of(truth, label=label), by=by)


def bootstrap(n):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, n)
    p = Predictions.of(truth, score=truth + rng.normal(size=n), positive=1)
    return evaluate(p, "auc", interval="bootstrap", replicates=2000, rng=1)


CASES = (  # what, of which sizes, and the most times as long that the larger one may take
    ("leave-one-out, run and evaluate", leave_one_out, 10_000, 100_000, "12x"),
    ("label measures of k classes", label_measures, 300, 1000, "12x"),
    ("each of k classes", partial(label_measures, by="class"), 30, 300, "10x"),
    ("2,000 replicates of an AUC", bootstrap, 1000, 10_000, "10x, at least 1x"),
)


def main():
    rows = []
    for what, call, small, large, limit in CASES:
        best = dict.fromkeys((small, large), float("inf"))
        for size in best:
            call(size)  # imports and compiles
        for _ in range(3):
            for size in best:
                begin = time.process_time()
                call(size)
                best[size] = min(best[size], time.process_time() - begin)
        rows.append(
            (
                what,
                *(f"{size:,}: {spent:.3g} s" for size, spent in best.items()),
                times(best[large] / best[small]),
                limit,
            )
        )
    print_table("Growth", ("", "small", "large", "times as long", "aim"), rows)


if __name__ == "__main__":
    main()
