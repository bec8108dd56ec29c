"""Comparisons of models on the same cases: DeLong for many, permutations and the bootstrap of two AUCs, McNemar.

Peers that loop in Python over scikit-learn are timed on a few repetitions and multiplied up, as their
cost is that of one times their number. Ours is the whole verb: alignment, test, interval and words.
"""

import numpy as np
from sklearn.metrics import roc_auc_score

from benchmarks.bench_delong import by_midranks, midranks_in_a_loop
from benchmarks.interleaved import best_times, print_table, times
from credibly import Predictions, compare

REPETITIONS = 2000
FEW = 2  # repetitions that a loop is timed on


def data(n, models, rng):
    truth = (rng.random(n) < 0.3).astype(np.int64)
    signal = rng.normal(np.where(truth, 1.0, 0.0), 1)
    return truth, signal + rng.normal(0, 0.7, (models, n))


def fresh(truth, scores):
    """New predictions, so that nothing sorted before is at hand."""
    return {f"m{i}": Predictions.of(truth, score=s) for i, s in enumerate(scores)}


def peer_delong(truth, scores):
    from scipy.stats import norm, rankdata

    auc, covariance = by_midranks(rankdata, scores, truth == 1)
    i, j = np.triu_indices(len(auc), 1)
    variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
    return 2 * norm.sf(np.abs(auc[i] - auc[j]) / np.sqrt(variance))


def loop_delong(truth, scores):
    return by_midranks(midranks_in_a_loop, scores, truth == 1)


def delong(rng):
    rows = []
    for n, m in [(10**5, 2), (10**5, 50)]:
        truth, scores = data(n, m, rng)
        models = fresh(truth, scores)
        contestants = {
            "packages": lambda t=truth, s=scores: loop_delong(t, s),
            "rankdata": lambda t=truth, s=scores: peer_delong(t, s),
            "ours": lambda d=models: compare(
                {k: Predictions.of(p.truth, score=p.score) for k, p in d.items()}, measure="auc"
            ),
        }
        found = contestants["ours"]()
        pvalues = [found.pvalue] if m == 2 else [r.pvalue for r in found.results]
        assert np.allclose(pvalues, contestants["rankdata"](), rtol=1e-6, atol=1e-300)
        best = best_times(contestants, rounds=2, seconds=5)
        rows.append(
            [
                f"{n:.0e}",
                m,
                times(best["packages"] / best["ours"]),
                times(best["rankdata"] / best["ours"]),
                f"{best['ours']:.3f} s",
            ]
        )
    print_table(
        "Every pair of models by DeLong's test",
        ["n", "models", "faster than packages' loop", "than scipy's rankdata", "ours"],
        rows,
    )


def loop_permutation(truth, s, t, count):
    rng = np.random.default_rng(1)
    for _ in range(count):
        swapped = rng.random(truth.size) < 0.5
        a, b = np.where(swapped, t, s), np.where(swapped, s, t)
        roc_auc_score(truth, a) - roc_auc_score(truth, b)


def loop_bootstrap(truth, s, t, count):
    rng = np.random.default_rng(1)
    for _ in range(count):
        rows = rng.integers(0, truth.size, truth.size)
        roc_auc_score(truth[rows], s[rows]) - roc_auc_score(truth[rows], t[rows])


def resampled(rng):
    rows = []
    for n in (10**4, 10**5):
        truth, (s, t) = data(n, 2, rng)

        def ours(test, truth=truth, s=s, t=t):
            a, b = (Predictions.of(truth, score=x) for x in (s, t))
            return compare(a, b, "auc", test=test, rng=1)

        best = best_times(
            {
                "swap peer": lambda d=(truth, s, t): loop_permutation(*d, FEW),
                "swap": lambda f=ours: f(f"permutation(permutations={REPETITIONS})"),
                "draw peer": lambda d=(truth, s, t): loop_bootstrap(*d, FEW),
                "draw": lambda f=ours: f(f"bootstrap(replicates={REPETITIONS})"),
            },
            rounds=3,
            seconds=5,
        )
        scale = REPETITIONS / FEW
        rows.append(
            [
                f"{n:.0e}",
                times(scale * best["swap peer"] / best["swap"]),
                f"{best['swap']:.3f} s",
                times(scale * best["draw peer"] / best["draw"]),
                f"{best['draw']:.3f} s",
            ]
        )
    print_table(
        f"A difference of two AUCs, {REPETITIONS} repetitions (peers: {FEW}, multiplied up)",
        ["n", "permutations: than a scikit-learn loop", "ours", "paired bootstrap", "ours"],
        rows,
    )


def main():
    rng = np.random.default_rng(0)
    delong(rng)
    resampled(rng)
