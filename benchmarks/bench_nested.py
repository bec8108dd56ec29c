"""Nested cross-validation by exact shortcuts against refitting: OLS, 100 rows of 20 columns.

Ten folds and 200 repeats are 11,000 models: 2,000 that leave out one fold and 9,000 that leave out two.
The peer fits each with scikit-learn and predicts what it leaves out, on splits that are made for it;
ours makes the splits as well. A tenth of the peer's fits are timed. The whole door, `run` and `evaluate`, also checks
and keeps every prediction with what is known of its fit.
"""

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression

from benchmarks.interleaved import best_times, print_table, times
from credibly import evaluate, run
from credibly.resampling import nested_cv
from credibly.running.shortcuts import shortcut_for

ROWS, COLUMNS, REPEATS, SHARE = 100, 20, 200, 10


def main():
    rng = np.random.default_rng(0)
    data = rng.normal(size=(ROWS, COLUMNS))
    numbers = data @ rng.normal(size=COLUMNS) + rng.normal(size=ROWS)
    classes = (numbers > 0).astype(int)
    rule = nested_cv(k=10, repeats=REPEATS)
    rows = []
    for name, estimator, target in (
        ("linear regression", LinearRegression(), numbers),
        ("linear discriminant", LinearDiscriminantAnalysis(), classes),
    ):
        codes = None if target is numbers else [0, 1]
        splits = rule.realise(ROWS, rng=0)
        few = [splits[i] for i in range(0, len(splits), SHARE)]

        def peer(e=estimator, y=target, cuts=few):
            return [e.fit(data[s.train], y[s.train]).predict(data[s.test]) for s in cuts]

        def ours(e=estimator, y=target, c=codes):
            answers = shortcut_for(e, rule.realise(ROWS, rng=0), data, y, c)[0]()
            return answers.output.value if c is None else answers.output.label

        starts = np.concatenate([[0], np.cumsum(splits.test_sizes)])
        mine = np.split(ours(), starts[1:-1])[::SHARE]
        apart = max(np.abs(a - b).max() for a, b in zip(peer(), mine, strict=True))

        def door(e=estimator, y=target, c=codes):
            p = run(e, data, y, resampling=rule, rng=0, progress=False)
            return evaluate(p, "mse" if c is None else "error_rate")

        best = best_times({"peer": peer, "ours": ours, "door": door}, rounds=3, seconds=9)
        for what, key in ((name, "ours"), (f"{name}, run and evaluate", "door")):
            ratio = times(SHARE * best["peer"] / best[key])
            rows.append([what, ratio, f"{1e3 * best[key]:.0f} ms", f"{apart:.0e}"])
    print_table(
        f"Nested cross-validation, {ROWS} rows x {COLUMNS} columns, {len(splits):,} models",
        ["scheme", "faster than refitting", "ours", "largest difference"],
        rows,
    )


if __name__ == "__main__":
    main()
