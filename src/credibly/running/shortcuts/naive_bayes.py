"""Gaussian naive Bayes: moments without the test part."""

from __future__ import annotations

import numpy as np
from scipy.special import softmax

from credibly.running.shortcuts._declare import shortcut
from credibly.running.shortcuts._problem import HeldOutValues, ShortcutProblem

LARGEST_DROP = 1e4  # of a variance, before its digits are gone
LOWEST_DENSITY = -1e4  # the log of a density that is still good to ten digits


@shortcut(applies_to=("sklearn.naive_bayes.GaussianNB",))
def naive_moments(p: ShortcutProblem) -> HeldOutValues:
    """Subtract the test part from the sums and squares of each class, and from the smoothing."""
    p.take_defaults("var_smoothing")
    p.refuse_large_means()
    batches = list(p.batches(p.X.shape[1]))
    cases = (p.n - p.sizes).astype(np.float64)
    centred = p.X - p.X.mean(axis=0)
    widest = np.concatenate([p.moments_left(centred, cases, *b)[1].max(axis=1) for b in batches])
    doubtful = np.square(centred).mean(axis=0).max() > LARGEST_DROP * widest
    joint = np.empty((len(p.rows), p.k))
    for c in range(p.k):
        member = p.y == c
        centre = p.X[member].mean(axis=0)
        centred = np.where(member[:, None], p.X - centre, 0)
        before = np.square(centred).sum(axis=0) / member.sum()
        for splits, rows in batches:
            shift, variance = p.moments_left(centred, p.left[:, c], splits, rows)
            variance += p.estimator.var_smoothing * widest[splits, None]
            doubtful[splits] |= (before > LARGEST_DROP * variance).any(axis=1)
            constant = np.log(p.left[splits, c]) - np.log(2 * np.pi * variance).sum(axis=1) / 2
            away = p.X[p.rows[rows]] - centre - p.to_rows(shift, splits, rows)
            distance = np.vecdot(away, away / p.to_rows(variance, splits, rows))
            joint[rows, c] = p.to_rows(constant, splits, rows) - distance / 2
    doubtful[p.split_of[joint.max(axis=1) < LOWEST_DENSITY]] = True
    why = "a column hardly varies within a class without a test part"
    return HeldOutValues(softmax(joint, axis=1), doubtful, why)
