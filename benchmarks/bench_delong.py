"""DeLong's covariance of several AUCs, and Hand and Till's multiclass AUC.

The first peer is the published fast algorithm (Sun and Xu 2014) in the form in which packages carry
it, three midranks a model in a Python loop over runs of ties; it is written here in a few lines, so
that no package is needed. The second ranks with scipy. Ours starts from the same plain arrays.
"""

import numpy as np
from scipy.stats import rankdata
from sklearn.metrics import roc_auc_score

from benchmarks.interleaved import best_times, print_table, times
from credibly import Predictions, evaluate
from credibly._kernels.placements import delong_covariance, pairwise_separations, placements


def midranks_in_a_loop(x):
    order = np.argsort(x)
    ranked = x[order]
    ranks = np.empty(x.size)
    start = 0
    while start < x.size:
        stop = start
        while stop < x.size and ranked[stop] == ranked[start]:
            stop += 1
        ranks[start:stop] = (start + stop + 1) / 2
        start = stop
    out = np.empty(x.size)
    out[order] = ranks
    return out


def by_midranks(midranks, scores, positive):
    """Return AUCs and their covariance from midranks within the classes and over all."""
    p, n = positive.sum(), (~positive).sum()
    above, below = [], []
    for s in scores:
        a, b = s[positive], s[~positive]
        both = midranks(np.concatenate([a, b]))
        above.append((both[:p] - midranks(a)) / n)
        below.append(1 - (both[p:] - midranks(b)) / p)
    return np.mean(above, axis=1), np.cov(above) / p + np.cov(below) / n


def ours(scores, positive):
    auc, above, below = placements(scores, positive)
    return auc, delong_covariance(above, below)


def hand_till(probability, truth):
    wins = pairwise_separations(probability, truth)
    size = np.bincount(truth, minlength=len(wins))
    share = wins / np.outer(size, size)
    return share[~np.eye(len(wins), dtype=bool)].mean()


def delong(rng):
    rows = []
    for n, m, decimals in [
        (10**5, 2, None),
        (10**6, 2, None),
        (10**6, 2, 3),
        (10**6, 10, None),
    ]:
        positive = rng.random(n) < 0.3
        scores = rng.normal(np.where(positive, 1.0, 0.0), 1, (m, n))
        scores = scores if decimals is None else np.round(scores, decimals)
        best = best_times(
            {
                "loop": lambda s=scores, y=positive: by_midranks(midranks_in_a_loop, s, y),
                "scipy": lambda s=scores, y=positive: by_midranks(rankdata, s, y),
                "ours": lambda s=scores, y=positive: ours(s, y),
                "sort": lambda s=scores: np.sort(s, axis=1),
            },
            rounds=3 if m == 2 else 2,
            seconds=10,
        )
        error = np.abs(ours(scores, positive)[1] / by_midranks(rankdata, scores, positive)[1] - 1)
        rows.append(
            [
                f"{n:.0e}",
                m,
                "all distinct" if decimals is None else f"{decimals} decimals",
                times(best["loop"] / best["ours"]),
                times(best["scipy"] / best["ours"]),
                times(best["ours"] / best["sort"]),
                f"{1e9 * best['ours'] / n / m:.0f}",
                f"{error.max():.0e}",
            ]
        )
    print_table(
        "DeLong's covariance",
        [
            "n",
            "models",
            "scores",
            "faster than fast DeLong in a loop",
            "than numpy and rankdata",
            "times a sort",
            "ns a row and model",
            "relative difference to rankdata",
        ],
        rows,
    )


def multiclass(rng):
    rows = []
    for n, k in [(10**4, 10), (10**5, 10), (10**5, 50), (10**6, 10)]:
        truth = rng.integers(0, k, n)
        odds = rng.gamma(1.0, size=(n, k))
        odds[np.arange(n), truth] *= 3
        probability = odds / odds.sum(axis=1, keepdims=True)

        def peer(truth=truth, probability=probability):
            return roc_auc_score(truth, probability, multi_class="ovo")

        def mine(truth=truth, probability=probability):
            return hand_till(probability, truth)

        assert abs(peer() - mine()) < 1e-12
        best = best_times({"peer": peer, "ours": mine}, rounds=3, seconds=5)
        each = f"{1e9 * best['ours'] / n / k:.0f}"
        rows.append([f"{n:.0e}", k, times(best["peer"] / best["ours"]), each])
    print_table(
        "Hand and Till's multiclass AUC",
        ["n", "classes", "faster than scikit-learn", "ns a row and class"],
        rows,
    )


def through_evaluate(rng):
    """The interval of one AUC with all that comes with it, from plain arrays."""
    n = 10**6
    positive = rng.random(n) < 0.3
    rows = []
    for kind, score in (
        ("all distinct", rng.normal(np.where(positive, 1.0, 0.0), 1)),
        ("probabilities", 1 / (1 + np.exp(-rng.normal(np.where(positive, 1.0, 0.0), 1)))),
    ):

        def ours(score=score):
            return evaluate(Predictions.of(positive, score=score), "auc", interval="delong")

        def peer(score=score):
            return by_midranks(midranks_in_a_loop, score[None], positive)

        area, covariance = by_midranks(rankdata, score[None], positive)
        limits = ours()["auc"].interval
        assert abs(area[0] - 1.959963984540054 * np.sqrt(covariance) - limits.low) < 1e-12
        best = best_times({"peer": peer, "ours": ours, "sort": lambda s=score: np.sort(s)})
        sorts = times(best["ours"] / best["sort"])
        rows.append([f"{n:.0e}", kind, times(best["peer"] / best["ours"]), sorts])
    print_table(
        "DeLong's interval of one AUC by evaluate",
        ["n", "scores", "faster than fast DeLong in a loop", "times a sort"],
        rows,
    )


def main():
    rng = np.random.default_rng(0)
    delong(rng)
    through_evaluate(rng)
    multiclass(rng)
