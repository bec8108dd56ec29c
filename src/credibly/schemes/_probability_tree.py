"""A decision tree whose leaves give no class a probability of 0."""

from __future__ import annotations

from typing import Any

from sklearn.tree import DecisionTreeClassifier

from credibly._core.arrays import Floats


class ProbabilityTree(DecisionTreeClassifier):  # type: ignore[misc]
    """A tree whose probabilities are the shares of the classes in a leaf, with cases added to each.

    Parameters
    ----------
    laplace
        Cases added to each class of a leaf: 1 is Laplace's estimate, 0 leaves the shares as they are.
    criterion, max_depth, min_samples_leaf, random_state
        As of scikit-learn's tree.

    >>> model = ProbabilityTree().fit([[0], [0], [0], [1]], list("aaab"))
    >>> model.predict_proba([[0], [1]]).round(3).tolist()  # (3 + 1) / (3 + 2) and so on
    [[0.8, 0.2], [0.333, 0.667]]
    """

    def __init__(
        self,
        *,
        laplace: float = 1.0,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_leaf: float = 1,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            criterion=criterion,
            max_depth=max_depth,
            min_samples_leaf=min_samples_leaf,
            random_state=random_state,
        )
        self.laplace = laplace

    def predict_proba(self, X: Any, check_input: bool = True) -> Floats:  # noqa: FBT001, FBT002  (its base's)
        """Return the smoothed shares of the classes in the leaf of each case."""
        shares = super().predict_proba(X, check_input)
        if self.n_outputs_ > 1:
            return shares
        leaf = self.apply(X, check_input)
        size = self.tree_.weighted_n_node_samples[leaf][:, None]
        return (size * shares + self.laplace) / (size + shares.shape[1] * self.laplace)
