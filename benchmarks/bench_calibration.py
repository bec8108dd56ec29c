"""The isotonic curve with its band, against a loop over scikit-learn's isotonic regression.

Both fit outcomes drawn from the probabilities, as often as there are replicates, and keep the fits at
200 places. The peer's replicates are fewer, and its time is scaled, since it would take minutes.
"""

import numpy as np
from sklearn.isotonic import IsotonicRegression

from benchmarks.interleaved import best_times, print_table, times
from credibly import Predictions, calibration
from credibly._kernels.smoothing import lowess
from credibly.calibration import Outcomes, isotonic_curve

REPLICATES, FEW = 1000, 20


def band_in_a_loop(probability, seed, replicates):
    rng = np.random.default_rng(seed)
    at = np.linspace(0, probability.size - 1, 200).astype(int)
    fits = []
    for _ in range(replicates):
        y = (rng.random(probability.size) < probability).astype(float)
        fits.append(IsotonicRegression().fit(probability, y).predict(probability[at]))
    return np.quantile(fits, [0.05, 0.95], axis=0)


def drawn(n):
    rng = np.random.default_rng(0)
    p = np.sort(rng.random(n))
    return Predictions.of((rng.random(n) < p).astype(int), probability=p)


def band():
    rows = []
    for n in (10**4, 10**5):
        p = drawn(n)
        o = Outcomes.of(p)
        best = best_times(
            {
                "peer": lambda q=p.probability: band_in_a_loop(q, 1, FEW),
                "ours": lambda o=o: isotonic_curve(o, rng=1, replicates=REPLICATES),
            },
            seconds=1,
        )
        ratio = best["peer"] * REPLICATES / FEW / best["ours"]
        theirs = band_in_a_loop(p.probability, 1, 200)
        ours = isotonic_curve(o, rng=1, replicates=200, confidence_level=0.9).band
        apart = max(np.abs(ours.low - theirs[0]).max(), np.abs(ours.high - theirs[1]).max())
        rows.append([f"{n:.0e}", times(ratio), f"{apart:.3f}"])
    header = ["n", "faster than a loop over scikit-learn", "largest distance between bands"]
    print_table(f"Isotonic curve with a band of {REPLICATES:,} replicates", header, rows)


def whole():
    """All statistics with intervals: what a bootstrap of each by itself would cost is not repeated."""
    p = drawn(2000)
    best = best_times(
        {
            "statistics": lambda: calibration(p),
            "bootstrap": lambda: calibration(p, rng=1, replicates=100),
        },
        seconds=1,
    )
    many = drawn(10**6)
    x, mixed = many.probability, np.random.default_rng(0).permutation(many.probability)
    large = best_times(
        {
            "lowess": lambda: lowess(x, x, np.ones(x.size)),
            "sort": lambda: np.sort(mixed),
            "all": lambda: calibration(many.take(slice(None))),
        },
        seconds=1,
    )
    rows = [
        [
            "a replicate of all statistics, n = 2,000",
            f"{(best['bootstrap'] - best['statistics']) / 100 / best['statistics']:.3f}x",
            "one call without replicates",
        ],
        ["locally weighted curve, n = 1e6", times(large["lowess"] / large["sort"]), "a sort"],
        ["all statistics and curves, n = 1e6", times(large["all"] / large["sort"]), "a sort"],
    ]
    print_table("Calibration", ["what", "takes", "of what"], rows)


def main():
    band()
    whole()
