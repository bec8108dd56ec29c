"""Figures of the seeds on ensembles: the weights of AdaBoost, votes, and the tree to start from."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from credibly.schemes import (
    AdaBoost,
    Bagging,
    as_scheme,
    build,
    candidate_splits,
    fitted,
    reweighted,
    vote_weight,
)
from golden.goldens import golden


class Reader(ClassifierMixin, BaseEstimator):
    """Predicts what stands in a column; learns nothing."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.asarray(X)[:, self.column].astype(int)


def voters(alphas):
    """An ensemble of which each model reads its own column of votes, with every pattern of votes."""
    patterns = np.array(list(product([0, 1], repeat=len(alphas))))
    model = AdaBoost(Reader(), 1, retries=0, random_state=0).fit(patterns, patterns[:, 0])
    model.estimators_ = [Reader(t).fit(None, [0, 1]) for t in range(len(alphas))]
    model.alphas_ = np.array(alphas)
    model.classes_ = np.array([-1, 1])
    return model, patterns


@golden("zm-ex22.14-alphas")
def test_weights_of_votes(case):
    alphas = [vote_weight(e) for e in case["epsilon"]]
    case.check(alpha=alphas, weight_multiplier=[float(np.exp(a)) for a in alphas])
    # Erratum A8: printed from errors before rounding, so they agree to within 0.004.
    assert alphas == pytest.approx([0.944, 0.826, 1.559, 0.935], abs=0.004)


@golden("zm-adaboost-update")
def test_one_round_of_adaboost(case):
    n, misclassified = case["n"], case["misclassified"]
    y = np.arange(n) % 2
    X = np.where(np.arange(n) < misclassified, 1 - y, y)[:, None]
    model = AdaBoost(Reader(), 1, random_state=0).fit(X, y)
    weight = reweighted(np.full(n, 1 / n), X[:, 0] != y, model.alphas_[0])
    case.check(
        epsilon=model.errors_[0],
        alpha=model.alphas_[0],
        weight_misclassified=weight[0],
        weight_correct=weight[-1],
        new_weighted_error=weight[:misclassified].sum(),
    )


@golden("zm-ex22.14-M2")
def test_two_models_vote_like_the_weightier(case):
    """Erratum A7: 0.253 cannot be, since the first of two outvotes the second wherever they differ."""
    model, patterns = voters(case["alpha"])
    first = model.classes_[patterns[:, 0]]
    assert case.expected("vote_always_equals") == "M1"
    np.testing.assert_array_equal(model.predict(patterns), first)
    truth = np.resize(first, 100)  # of which the first model gets 28 in 100 wrong
    truth[:28] *= -1
    wrong = model.predict(np.resize(patterns, (100, 2))) != truth
    case.check(error_M2=wrong.mean())
    assert wrong.mean() == case["error_M1"]


@golden("zm-vote-binary-form")
def test_the_sign_form_is_the_vote(case):
    """argmax of the weighted votes against sign of the weighted sum, on all patterns of four votes."""
    model, patterns = voters(case["alpha"])
    signs = np.sign((2 * patterns - 1) @ case["alpha"])
    same = np.array_equal(model.predict(patterns), signs)
    assert len(patterns) == 16
    assert same == case.expected("identical_on_all_16_vote_patterns")
    np.testing.assert_array_equal(np.sign(model.decision_function(patterns)), signs)


@golden("oh-eq7.9-votes")
def test_the_share_of_votes(case):
    X = np.array([[0] * case["votes_0"] + [1] * case["votes_1"]] * 2)
    model = Bagging(Reader(), X.shape[1], random_state=0).fit(X, [0, 1])
    model.estimators_ = [Reader(t).fit(X, [0, 1]) for t in range(X.shape[1])]
    case.check(phi=model.predict_proba(X)[0, 1])


@golden("zm-Q2-tree")
def test_the_first_split_of_a_tree(case):
    """Every split as a tree of its own with one yes-or-no column, then the choice among the columns."""
    rows = case["train"]
    frame = pd.DataFrame(rows, columns=["X", "Y", "Z", "class"])
    y = frame.pop("class").to_numpy()
    gini = {}
    for split in case.expected("weighted_gini"):
        column, _, cut = split.replace("<=", "=").partition("=")
        below = frame[column] == cut if column == "Z" else frame[column] <= float(cut)
        grown = tree(pd.DataFrame({"below": below.astype(float)}), y).tree_
        gini[split] = grown.impurity[1:] @ grown.n_node_samples[1:] / len(y)
    model = fitted("tree", build(as_scheme("tree"), "classification", frame, seed=0), frame, y)
    grown = model[-1].tree_
    # Text is coded in alphabetical order, so "at most A" is "is A".
    chosen = {("Z", 0.5): "Z=A"}[frame.columns[grown.feature[0]], grown.threshold[0]]
    leaves = dict(zip(frame["Z"], model.predict(frame).tolist(), strict=True))
    case.check(
        root_gini=grown.impurity[0],
        weighted_gini=gini,
        chosen=chosen,
        leaves=leaves,
        training_accuracy=(model.predict(frame) == y).mean(),
    )
    table = candidate_splits(frame, y)
    by_split = {s.split.replace(" ", ""): s.impurity for s in table.splits}
    case.check(
        weighted_gini=by_split, root_gini=table.root, chosen=table.best.split.replace(" ", "")
    )


def tree(X, y):
    return fitted("tree", build(as_scheme("tree(max_depth=1)"), "classification", X, seed=0), X, y)
