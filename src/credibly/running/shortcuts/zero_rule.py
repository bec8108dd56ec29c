"""The zero rule: frequencies and means of what is left."""

from __future__ import annotations

import numpy as np

from credibly.running.shortcuts._declare import shortcut
from credibly.running.shortcuts._problem import HeldOutValues, ShortcutProblem


@shortcut(applies_to=("sklearn.dummy.DummyClassifier", "sklearn.dummy.DummyRegressor"))
def zero_rule(p: ShortcutProblem) -> HeldOutValues:
    """Take the test part's counts, or sum, from those of all cases."""
    p.take_defaults("random_state")
    sure = np.zeros(len(p.sizes), bool)
    if p.k:
        share = p.left / p.left.sum(axis=1, keepdims=True)
        return HeldOutValues(share[p.split_of], sure, votes=True)
    shift = p.y.mean()
    tested = np.add.reduceat(p.y[p.rows] - shift, p.starts[:-1])
    total = (p.y - shift).sum()
    mean = shift + (total - tested) / (p.n - p.sizes)
    return HeldOutValues(mean[p.split_of], sure)
