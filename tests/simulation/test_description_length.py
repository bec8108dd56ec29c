"""What the shortest description finds: the true size of a tree, nothing in noise, the number of clusters.

A few seeds in CI, a hundred with -m slow.
"""

from collections import Counter

import numpy as np
import pytest

from credibly import clustering_mdl, mdl

TREES = [f"tree(max_leaf_nodes={leaves})" for leaves in range(2, 9)]
FEW, ALL = range(4), range(100)
seeds = pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(FEW, marks=pytest.mark.thorough, id="few"),
        pytest.param(ALL, marks=pytest.mark.slow, id="all"),
    ],
)


def from_a_tree(seed, n=1000, noise=0.1):
    """A tree of four leaves. Its root tells the classes apart better than any other split by itself,
    so that growing by the best split finds it; a tenth of the labels is wrong.
    """
    rng = np.random.default_rng(seed)
    X = rng.random((n, 5))
    y = np.where(X[:, 0] <= 0.5, X[:, 1] > 0.85, X[:, 2] > 0.15)
    return X, (y ^ (rng.random(n) < noise)).astype(int)


def from_blobs(seed, k, n=60, apart=8):
    """Gaussians of unit spread in three columns, their centres at least eight spreads apart."""
    rng = np.random.default_rng(seed)
    centres = rng.uniform(0, 60, (1, 3))
    while len(centres) < k:
        more = rng.uniform(0, 60, 3)
        if np.linalg.norm(centres - more, axis=1).min() >= apart:
            centres = np.vstack([centres, more])
    return np.vstack([rng.normal(centre, 1, (n, 3)) for centre in centres])


@seeds
def test_the_true_size_of_a_tree(seeds):
    found = Counter(mdl(TREES, *from_a_tree(s), rng=s).best.name for s in seeds)
    assert found["tree(max_leaf_nodes=4)"] >= 0.9 * len(seeds), found


@seeds
def test_nothing_in_noise(seeds):
    schemes = [*TREES, "one-r", "naive-bayes", "logistic"]
    found = Counter()
    for s in seeds:
        rng = np.random.default_rng(s)
        X, y = rng.random((1000, 5)), rng.integers(0, 2, 1000)
        found[mdl(schemes, X, y, rng=s).best.name] += 1
    assert found["null theory"] >= 0.95 * len(seeds), found


@seeds
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_the_number_of_clusters(k, seeds):
    found = Counter(clustering_mdl(from_blobs(s, k), rng=s).best.name for s in seeds)
    assert found[f"{k} cluster{'s' * (k > 1)}"] >= 0.95 * len(seeds), found
