"""A million outcomes of 20 models on 50 tasks: means with intervals and comparisons, against a loop of numpy."""

import numpy as np

from benchmarks.interleaved import best_times, print_table, times
from credibly import Predictions, compare, evaluate

ROWS, MODELS, TASKS = 1_000_000, 20, 50
CASES = ROWS // MODELS


def data():
    rng = np.random.default_rng(1)
    return {f"model {i}": rng.random(CASES) < 0.5 + i / 50 for i in range(MODELS)}


def loop(outcomes, task):
    """The mean and its standard error of each model on each task."""
    found = {}
    for name, passed in outcomes.items():
        numbers = passed.astype(float)
        for each in range(TASKS):
            part = numbers[task == each]
            found[name, each] = part.mean(), part.std(ddof=1) / np.sqrt(part.size)
    return found


def main():
    outcomes, task = data(), np.arange(CASES) % TASKS
    passage = np.arange(CASES) // 10
    made = Predictions.of(outcome=outcomes, columns={"task": task})
    two = {n: outcomes[n] for n in list(outcomes)[:2]}

    def grouped():
        first, second = (v.astype(float) for v in two.values())
        gap = first - second
        sums = np.bincount(passage, gap - gap.mean())
        return gap.mean(), np.sqrt(sums @ sums) / gap.size

    best = best_times(
        {
            "loop": lambda: loop(outcomes, task),
            "ours": lambda: evaluate(made, "pass_rate", by="task"),
            "making": lambda: Predictions.of(outcome=outcomes),
            "all models": lambda: evaluate(Predictions.of(outcome=outcomes), "pass_rate"),
            "grouped loop": grouped,
            "grouped": lambda: compare(Predictions.of(outcome=two, group=passage)),
        },
        seconds=5,
    )
    rows = [
        ["every model on every task, with intervals", times(best["ours"] / best["loop"])],
        ["making and evaluating 20 models", times(best["all models"] / best["loop"])],
        ["making predictions of arrays", times(best["making"] / best["loop"])],
        ["a clustered comparison of two", times(best["grouped"] / best["grouped loop"])],
    ]
    title = f"{ROWS:,} outcomes, time over that of a loop of numpy that checks nothing"
    print_table(title, ["what", "times"], rows)


if __name__ == "__main__":
    main()
