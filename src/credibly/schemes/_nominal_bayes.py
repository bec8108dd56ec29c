"""Naive Bayes by counting: shares of values within each class, and normal densities of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from credibly._core.arrays import Floats
from credibly._core.parameters import at_least, require
from credibly.schemes._validation import TextClassifier, checked_inputs, checked_training_part
from credibly.schemes.columns import columns_of

MIN_VARIANCE_SHARE = 1e-9  # part of the largest variance that each variance has at least


class NominalBayes(TextClassifier):
    r"""Multiply the share of a class by the shares of the case's values among the cases of that class.

    $\Pr(c \mid x) \propto \Pr(c) \prod_a \Pr(a(x) \mid c)$, the shares counted in the training part.
    A value that a class never had makes the class impossible; if all classes are, their shares in the
    training part are what is left. With ``laplace`` no share is 0. Missing values, and values that no
    class had, are left out of the product. Columns of numbers have a normal density in each class.

    Parameters
    ----------
    laplace
        What is added to each count of a value: 0 as counted, 1 for Laplace's estimator.

    >>> weather = [["sunny"], ["sunny"], ["rainy"], ["rainy"], ["rainy"]]
    >>> play = ["no", "yes", "yes", "yes", "no"]
    >>> NominalBayes().fit(weather, play).predict_proba([["sunny"]]).round(3).tolist()
    [[0.5, 0.5]]
    >>> model = NominalBayes(laplace=1).fit(weather, play)
    >>> model.shares_["column 0"].tolist()  # of rainy and sunny in each class
    [[0.5, 0.6], [0.5, 0.4]]
    """

    def __init__(self, laplace: float = 0.0) -> None:
        self.laplace = laplace

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> NominalBayes:
        """Count the values in each class; cases count as much as they weigh."""
        require("laplace", self.laplace, at_least(0))
        X, y = checked_training_part(self, X, y, ensure_all_finite="allow-nan")
        self.classes_, codes = np.unique(y, return_inverse=True)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        each = np.eye(len(self.classes_))[codes] * weight[:, None]
        self.priors_ = each.sum(axis=0) / each.sum()
        columns = columns_of(X)
        numbers = {n: c for n, c in columns.items() if c.dtype.kind == "f"}
        self.densities_ = {n: _moments(c, each) for n, c in numbers.items()}
        self.values_: dict[str, tuple[str, ...]] = {}
        self.shares_: dict[str, Floats] = {}
        for name, column in columns.items():
            if name not in numbers:
                self.values_[name], self.shares_[name] = self._counted(column, each)
        return self

    def _counted(self, column: NDArray[Any], each: Floats) -> tuple[tuple[str, ...], Floats]:
        """Return the values, and the share that each has (row) in each class (column)."""
        values = tuple(sorted({v for v in column if v is not None}))
        counts = np.full((len(values), each.shape[1]), float(self.laplace))
        for i, value in enumerate(values):
            counts[i] += each[column == value].sum(axis=0)
        total = counts.sum(axis=0)
        # A class whose values are all missing.
        even = np.full(counts.shape, 1 / max(len(values), 1))
        return values, np.divide(counts, total, out=even, where=total > 0)

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return the log of the product for each class (column); minus infinity where it is 0."""
        check_is_fitted(self)
        X = checked_inputs(self, X, ensure_all_finite="allow-nan")
        columns = columns_of(X, tuple(self.values_))
        n = len(next(iter(columns.values())))
        with np.errstate(divide="ignore"):
            joint = np.tile(np.log(self.priors_), (n, 1))
            for name, values in self.values_.items():
                place = {v: i for i, v in enumerate(values)}
                at = np.array([place.get(v, len(values)) for v in columns[name]], np.intp)
                ones = np.zeros(len(self.classes_))  # of what is missing or new
                joint += np.vstack([np.log(self.shares_[name]), ones])[at]
        for name, (mean, variance) in self.densities_.items():
            away = (columns[name][:, None] - mean) ** 2 / variance
            joint += np.nan_to_num(-0.5 * (away + np.log(2 * np.pi * variance)), posinf=0)
        return joint

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class; its share in the training part where all are impossible."""
        joint = self.predict_joint_log_proba(X)
        largest = joint.max(axis=1, keepdims=True)
        possible = np.isfinite(largest)
        with np.errstate(invalid="ignore"):
            odds = np.where(possible, np.exp(joint - largest), self.priors_)
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _moments(column: Floats, each: Floats) -> tuple[Floats, Floats]:
    """Return mean and variance of a column in each class; those of all cases where a class has no value."""
    known = np.isfinite(column)
    values, weight = column[known], each[known]
    total = weight.sum(axis=0)
    every = weight.sum()
    middle = float(weight.sum(axis=1) @ values / every) if every > 0 else 0.0
    spread = float(weight.sum(axis=1) @ (values - middle) ** 2 / every) if every > 0 else 1.0
    mean = np.divide(weight.T @ values, total, out=np.full(total.size, middle), where=total > 0)
    squares = np.array([w @ (values - m) ** 2 for w, m in zip(weight.T, mean, strict=True)])
    variance = np.divide(squares, total, out=np.full(total.size, spread), where=total > 0)
    return mean, variance + MIN_VARIANCE_SHARE * (spread or 1.0)
