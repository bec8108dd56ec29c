"""Bootstrap replicates of ranking measures and of a panel of seven, against loops over the same cases.

Peers resample rows in a Python loop; they are timed on a few replicates and multiplied up, as their
cost is that of one replicate times their number. Ours includes sorting.
"""

import numpy as np
from sklearn import metrics as peer

from benchmarks.interleaved import best_times, print_table, times
from credibly._kernels.bootstrap import replicate_sums, resampled_sums
from credibly._kernels.poisson_lanes import LANES

REPLICATES = 2000
SAMPLE = {10**4: 10, 10**5: 2, 10**6: 1}  # replicates that a slow loop is timed on
SHARE = {10**4: 2048, 10**5: 2048, 10**6: 128}  # and ours


def data(n, decimals, rng):
    y = (rng.random(n) < 0.3).astype(np.int64)
    s = 1 / (1 + np.exp(-rng.normal(np.where(y, 0.5, -0.7), 1)))
    return y, s if decimals is None else np.clip(np.round(s, decimals), 0.001, 0.999)


def loop_auc(y, s, count):
    rng = np.random.default_rng(1)
    for _ in range(count):
        rows = rng.integers(0, y.size, y.size)
        peer.roc_auc_score(y[rows], s[rows])


def loop_panel(y, s, count):
    rng = np.random.default_rng(1)
    for _ in range(count):
        rows = rng.integers(0, y.size, y.size)
        a, b = y[rows], s[rows]
        label = b >= 0.5
        peer.roc_auc_score(a, b)
        peer.average_precision_score(a, b)
        fpr, tpr, _ = peer.roc_curve(a, b)
        np.abs(tpr - fpr).max()
        peer.brier_score_loss(a, b)
        peer.log_loss(a, b)
        peer.accuracy_score(a, label)
        peer.f1_score(a, label)


def in_order(y, s):
    order = np.argsort(s)[::-1]
    ranked = s[order]
    return order, y[order] == 1, np.append(True, ranked[1:] != ranked[:-1]), ranked


def careful_auc(y, s, count):
    """Sort once; a replicate is counts of rows, two sums by distinct score and a running sum."""
    order, positive, new, _ = in_order(y, s)
    place = np.empty(y.size, np.int64)
    place[order] = np.arange(y.size)
    starts = np.flatnonzero(new)
    rng = np.random.default_rng(1)
    for _ in range(count):
        weight = np.bincount(place[rng.integers(0, y.size, y.size)], minlength=y.size)
        pos, all_ = weight * positive, weight
        if starts.size < y.size:
            pos, all_ = np.add.reduceat(pos, starts), np.add.reduceat(weight, starts)
        neg = all_ - pos
        tp = np.cumsum(pos)
        (neg * (tp - 0.5 * pos)).sum() / (tp[-1] * neg.sum())


def ours_auc(y, s, count):
    order, positive, new, _ = in_order(y, s)
    sums = replicate_sums(order, positive=positive, new_score=new, seed=1, count=count)
    return (sums.concordant + sums.tied / 2) / (sums.positives * sums.negatives)


def ours_panel(y, s, count):
    order, positive, new, p = in_order(y, s)
    losses = np.column_stack([(p - positive) ** 2, -np.log(np.where(positive, p, 1 - p))])
    cell = 2 * positive + (p >= 0.5)
    sums = replicate_sums(
        order,
        positive=positive,
        new_score=new,
        losses=losses,
        cell=cell,
        n_cells=4,
        precision=True,
        gap=True,
        seed=1,
        count=count,
    )
    tp, labelled = sums.cells[:, 3], sums.cells[:, 1] + sums.cells[:, 3]
    pairs = sums.positives * sums.negatives
    return (
        (sums.concordant + sums.tied / 2) / pairs,
        sums.precision / sums.positives,
        sums.largest_gap / pairs,
        *(sums.losses / sums.weight[:, None]).T,
        (sums.cells[:, 0] + tp) / sums.weight,
        2 * tp / (labelled + sums.positives),
    )


def ours_exact(y, s, count):
    order, positive, new, _ = in_order(y, s)
    return resampled_sums(order, positive=positive, new_score=new, seed=1, count=count)


def main():
    rng = np.random.default_rng(0)
    rows = []
    for n, decimals in [(10**4, 3), (10**5, None), (10**5, 4), (10**5, 3), (10**6, 4)]:
        y, s = data(n, decimals, rng)
        few, many = SAMPLE[n], SHARE[n]
        runs = {
            "peer": (loop_auc, few),
            "panel peer": (loop_panel, max(1, few // 2)),
            "numpy": (careful_auc, 5 * few),
            "ours": (ours_auc, many),
            "panel": (ours_panel, many),
            "exact": (ours_exact, max(LANES, many // 8)),  # whole blocks of lanes
        }
        best = best_times(
            {name: lambda f=f, k=k, y=y, s=s: f(y, s, k) for name, (f, k) in runs.items()},
            seconds=15,
        )
        each = {name: best[name] / k for name, (_, k) in runs.items()}
        ns = {name: f"{1e9 * t / n:.2f}" for name, t in each.items()}
        rows.append(
            [
                f"{n:.0e}",
                "all distinct" if decimals is None else f"{decimals} decimals",
                times(each["peer"] / each["ours"]),
                times(each["numpy"] / each["ours"]),
                times(each["panel peer"] / each["panel"]),
                times(each["numpy"] / each["exact"]),
                times(each["exact"] / each["ours"]),
                ns["ours"],
                ns["panel"],
                ns["exact"],
                ns["numpy"],
            ]
        )
    print_table(
        f"Bootstrap, {REPLICATES} replicates (peers from a few, multiplied up; at 1e6 ours from 128, which bear the whole sort); "
        "ns are per row and replicate",
        [
            "n",
            "scores",
            "AUC: than a scikit-learn loop",
            "than careful numpy",
            "panel of 7: than a scikit-learn loop",
            "exact multinomial AUC: than careful numpy",
            "takes, of Poisson's",
            "ns AUC",
            "ns panel",
            "ns exact",
            "ns numpy",
        ],
        rows,
    )
