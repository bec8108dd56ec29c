"""Votes and weights of ensembles against slow and obvious twins."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from credibly import Predictions
from credibly.ensembles import combine, reweighted, vote_weight
from credibly.ensembles.combiners import shortest_mean


@given(st.lists(st.tuples(st.floats(1e-6, 1), st.booleans()), min_size=2, max_size=30))
def test_the_next_model_meets_a_coin(cases):
    """Whatever the weights, those of the cases that were wrong come to one half, by w exp(alpha)."""
    weight = np.array([w for w, _ in cases])
    weight /= weight.sum()
    wrong = np.array([b for _, b in cases])
    if wrong.all() or not wrong.any():
        return
    error = float(np.average(wrong, weights=weight))
    alpha = vote_weight(error)
    raised = [w * math.exp(alpha) if b else w for w, b in zip(weight, wrong, strict=True)]
    new = reweighted(weight, wrong, alpha)
    assert new.tolist() == pytest.approx([r / sum(raised) for r in raised], rel=1e-9, abs=1e-12)
    assert new[wrong].sum() == pytest.approx(0.5, rel=1e-9)


ballots = st.integers(2, 5).flatmap(
    lambda k: st.lists(
        st.lists(st.sampled_from([None, *range(k)]), min_size=4, max_size=4),
        min_size=2,
        max_size=6,
    ).map(lambda rows: (k, rows))
)


@given(ballots)
def test_votes_are_counted_one_by_one(drawn):
    k, rows = drawn  # a row a model
    n, names = 4, [f"class {i}" for i in range(k)]
    said = [None if v is None else names[v] for row in rows for v in row]
    p = Predictions.of(
        [names[0]] * n * len(rows),
        label=said,
        classes=names,
        model=np.repeat([f"m{i}" for i in range(len(rows))], n),
        row=np.tile(np.arange(n), len(rows)),
    )
    made = combine(p, ["vote", "vote(doubt=True)"])
    plain, doubtful = (made.take(made.model == m).label for m in ("vote", "vote(doubt=True)"))
    for i in range(n):
        votes = Counter(row[i] for row in rows if row[i] is not None)
        most = [c for c, v in votes.items() if v == max(votes.values())]
        assert plain[i] == (min(most) if most else -1)
        assert doubtful[i] == (most[0] if len(most) == 1 else -1)


def solved(matrix, right):
    """Gauss in fractions; None where there is no single solution."""
    rows = [[*map(Fraction, row), Fraction(v)] for row, v in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = next((k for k in range(i, len(rows)) if rows[k][i]), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for k, row in enumerate(rows):
            if k != i:
                rows[k] = [v - row[i] * w for v, w in zip(row, rows[i], strict=True)]
    return [row[-1] for row in rows]


def shortest_of_all(vectors):
    """Squared length of the shortest mean: that of every set of rows, if its weights are none below 0."""
    products = [[sum(a * b for a, b in zip(u, v, strict=True)) for v in vectors] for u in vectors]
    lengths = []
    for size in range(1, len(vectors) + 1):
        for chosen in combinations(range(len(vectors)), size):
            # Lagrange: all rows of the set have the same product with the mean.
            equations = [[*(products[i][j] for j in chosen), 1] for i in chosen]
            found = solved([*equations, [1] * size + [0]], [0] * size + [1])
            if found and min(found[:-1]) >= 0:
                lengths.append(-found[-1])
    return min(lengths)


@given(
    st.integers(1, 5).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(-9, 9), min_size=n, max_size=n), min_size=1, max_size=5
        )
    ),
    st.sampled_from([1e-150, 1.0, 1e150]),
)
def test_the_shortest_mean_is_that_of_the_best_set_of_rows(rows, unit):
    weights = shortest_mean(unit * np.array(rows, np.float64))
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1, abs=1e-15)
    mean = weights @ np.array(rows)
    best = float(shortest_of_all(rows))
    assert mean @ mean == pytest.approx(best, rel=1e-12, abs=1e-12)
