"""Votes and weights of ensembles against slow and obvious twins."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credibly import Predictions
from credibly.ensembles import combine, reweighted, vote_weight


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
