"""All measures of numeric prediction, against scikit-learn's and scipy's one by one; bootstraps of ranks."""

import numpy as np
from scipy import stats
from sklearn import metrics

from benchmarks.interleaved import best_times, print_table, times
from credibly import Predictions, evaluate
from credibly.measures import measures

ROWS, FEWER, REPLICATES, TRIED = 1_000_000, 10_000, 1000, 20
RANKS = {"spearman": stats.spearmanr, "kendall": stats.kendalltau}


def data(n, rng):
    truth = rng.normal(size=n)
    return truth, truth + rng.normal(0, 0.5, n)


PEERS = {
    "mse": metrics.mean_squared_error,
    "rmse": metrics.root_mean_squared_error,
    "mae": metrics.mean_absolute_error,
    "median_absolute_error": metrics.median_absolute_error,
    "max_error": metrics.max_error,
    "r2": metrics.r2_score,
    "mape": metrics.mean_absolute_percentage_error,
    "correlation": np.corrcoef,
    **RANKS,
}


SINGLE = {**PEERS, "correlation": stats.pearsonr}  # numpy's checks nothing


def peers(truth, value):
    for function in PEERS.values():
        function(truth, value)


def ours(truth, value, *, interval="none"):
    p = Predictions.of(truth, value=value, baseline=0.0)
    return evaluate(p, list(PEERS), interval=interval)


def singly(n, rng):
    """Print how much faster each measure by itself is than its peer, both given arrays."""
    truth, value = data(n, rng)
    rows = []
    for name, function in SINGLE.items():
        best = best_times(
            {
                "peer": lambda f=function: f(truth, value),
                "ours": lambda m=measures[name]: m(truth, value),
            },
            seconds=0.5,
        )
        rows.append([name, times(best["peer"] / best["ours"])])
    print_table(f"One measure of {n:,} numbers, faster than the peer", ["measure", "faster"], rows)


def looped(function, truth, value, rng):
    """Draw a few replicates as one would by hand."""
    for _ in range(TRIED):
        rows = rng.integers(0, truth.size, truth.size)
        function(truth[rows], value[rows])


def together(n, rng):
    """Return how much faster all ten measures are, without and with intervals."""
    truth, value = data(n, rng)
    best = best_times(
        {
            "peers": lambda: peers(truth, value),
            "values": lambda: ours(truth, value),
            "intervals": lambda: ours(truth, value, interval="auto"),
        },
        seconds=10,
    )
    return [
        f"{n:,}",
        times(best["peers"] / best["values"]),
        times(best["peers"] / best["intervals"]),
    ]


def main():
    rng = np.random.default_rng(0)
    print_table(
        "Ten measures of numbers that all differ, with those of a baseline, beside scikit-learn's, numpy's and scipy's",
        ["numbers", "values", "with intervals where theory gives them"],
        [together(n, rng) for n in (FEWER, ROWS)],
    )
    for n in (1000, FEWER, ROWS):
        singly(n, rng)
    truth, value = data(FEWER, rng)
    p = Predictions.of(truth, value=value)
    rows = []
    for name, function in RANKS.items():
        how = {"interval": "bootstrap", "rng": 1, "replicates": REPLICATES}
        evaluate(p, name, **how)
        best = best_times(
            {
                "peer": lambda f=function: looped(f, truth, value, rng),
                "ours": lambda m=name, how=how: evaluate(p, m, **how),
            },
            seconds=6,
        )
        rows.append([name, times(best["peer"] / TRIED * REPLICATES / best["ours"])])
    print_table(
        f"{REPLICATES:,} bootstrap replicates of {FEWER:,} numbers, faster than a loop over scipy's",
        ["measure", "faster"],
        rows,
    )
