"""One Gaussian with a full covariance matrix for each class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly.schemes.findings import SINGULAR_COVARIANCE

# Smallest eigenvalue of a correlation matrix, below which a covariance matrix counts as singular.
SINGULAR_EIGENVALUE = 1e-12


class FullBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Bayes' rule with one Gaussian per class: maximum likelihood means, covariances and priors.

    Parameters
    ----------
    unbiased
        Divide the scatter of a class by its size less one instead of its size.
    smoothing
        Where the covariance matrix of a class is singular (too few cases, a constant column),
        this share of the largest variance of a column is added to its diagonal, and ``findings_``
        says so. Other classes are left as they are.

    >>> model = FullBayes().fit([[0, 0], [1, 1], [0, 1], [5, 5], [6, 6], [5, 6]], list("aaabbb"))
    >>> model.predict([[0.5, 0.5], [5.5, 5]])
    array(['a', 'b'], dtype='<U1')
    """

    def __init__(self, *, unbiased: bool = False, smoothing: float = 1e-9) -> None:
        self.unbiased = unbiased
        self.smoothing = smoothing

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> FullBayes:
        """Estimate the prior, the mean and the covariance matrix of each class."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        X, y, weight = X[weight > 0], y[weight > 0], weight[weight > 0]
        self.classes_, codes = np.unique(y, return_inverse=True)
        sizes = np.bincount(codes, weight)
        self.priors_ = sizes / sizes.sum()
        self.means_ = np.array(
            [np.average(X[codes == c], 0, weight[codes == c]) for c in range(len(sizes))]
        )
        self.covariances_ = np.array(
            [self._covariance(X[codes == c], weight[codes == c]) for c in range(len(sizes))]
        )
        self.findings_ = self._mend_singular(np.var(X, axis=0).max())
        return self

    def _covariance(self, X: Floats, weight: Floats) -> Floats:
        centred = X - np.average(X, 0, weight)
        size = weight.sum()
        scatter: Floats = (centred * weight[:, None]).T @ centred
        return scatter / (max(size - 1, 1) if self.unbiased else size)

    def _mend_singular(self, largest: float) -> tuple[Finding, ...]:
        """Add to the diagonal of singular covariance matrices, and say of which classes."""
        scale = np.sqrt(np.diagonal(self.covariances_, axis1=1, axis2=2))
        flat = (scale == 0).any(axis=1)
        scale = np.where(scale > 0, scale, 1)
        correlation = self.covariances_ / scale[:, :, None] / scale[:, None]
        singular = flat | (np.linalg.eigvalsh(correlation)[:, 0] <= SINGULAR_EIGENVALUE)
        if not singular.any():
            return ()
        added = self.smoothing * (largest or 1.0)
        self.covariances_[singular] += added * np.eye(self.covariances_.shape[1])
        named = ", ".join(str(c) for c in self.classes_[singular])
        return (SINGULAR_COVARIANCE(classes=named, added=added),)

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return the log of prior times density, one column per class."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        roots = np.linalg.cholesky(self.covariances_)
        out = np.empty((len(X), len(self.classes_)))
        for c, root in enumerate(roots):
            standard = np.linalg.solve(root, (X - self.means_[c]).T)
            out[:, c] = (
                np.log(self.priors_[c]) - np.log(np.diag(root)).sum() - (standard**2).sum(0) / 2
            )
        return out - X.shape[1] / 2 * np.log(2 * np.pi)

    def predict_proba(self, X: Any) -> Floats:
        """Return the posterior probability of each class."""
        return np.asarray(softmax(self.predict_joint_log_proba(X), axis=1))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class."""
        best = self.predict_joint_log_proba(X).argmax(axis=1)
        return self.classes_[best]
