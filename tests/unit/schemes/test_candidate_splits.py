"""The table of candidate splits against sums over cases and against scikit-learn's trees."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.tree import DecisionTreeClassifier

from credibly import DataError, ParameterError
from credibly.schemes import candidate_splits

cases = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from("abc"), st.integers(0, 2)), min_size=2, max_size=20
)


def impurity(classes, criterion):
    shares = [list(classes).count(c) / len(classes) for c in set(classes)]
    if criterion == "gini":
        return 1 - sum(s * s for s in shares)
    return -sum(s * np.log2(s) for s in shares)


@given(cases, st.sampled_from(["gini", "entropy"]))
def test_is_the_mean_over_both_sides(rows, criterion):
    X = np.array([r[:2] for r in rows], dtype=object)
    y = [r[2] for r in rows]
    table = candidate_splits(X, y, criterion=criterion)
    for s in table.splits:
        name, sign, cut = s.split.rsplit(" ", 2)
        j = int(name.removeprefix("column "))
        yes = [c for r, c in zip(rows, y, strict=True)
               if (r[j] <= float(cut) if sign == "<=" else r[j] == cut)]  # fmt: skip
        no = list(y)
        for c in yes:
            no.remove(c)
        left = sum(len(side) * impurity(side, criterion) for side in (yes, no)) / len(y)
        assert s.impurity == pytest.approx(left, abs=1e-12)
        assert s.gain == pytest.approx(table.root - left, abs=1e-12)
        assert s.n == len(y)
    gains = [s.gain for s in table.splits]
    assert gains == pytest.approx(sorted(gains, reverse=True), abs=1e-11)


def test_a_tree_begins_with_the_best():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 3, 60)
    best = candidate_splits(X, y).best
    grown = DecisionTreeClassifier(max_depth=1).fit(X, y).tree_
    assert best.attribute == f"column {grown.feature[0]}"
    assert float(best.split.rsplit(" ", 1)[1]) == pytest.approx(grown.threshold[0])
    assert best.impurity == pytest.approx(grown.impurity[1:] @ grown.n_node_samples[1:] / 60)


def test_missing_values_are_left_out():
    table = candidate_splits([[1.0], [2.0], [np.nan]], [0, 1, 1])
    assert [(s.split, s.n, s.gain) for s in table.splits] == [("column 0 <= 1.5", 2, 0.5)]


def test_what_cannot_be_split():
    table = candidate_splits([[1.0], [1.0]], [0, 1])
    assert not table.splits
    with pytest.raises(DataError, match="No attribute has two values"):
        _ = table.best
    with pytest.raises(KeyError, match="is not among these"):
        _ = table["x = 1"]
    with pytest.raises(DataError, match="y has 1 value but X has 2 rows"):
        candidate_splits([[1.0], [1.0]], [0])
    with pytest.raises(DataError, match="missing in some rows"):
        candidate_splits([[1.0], [1.0]], ["a", None])
    with pytest.raises(ParameterError, match="criterion must be one of"):
        candidate_splits([[1.0], [1.0]], [0, 1], criterion="gain")
