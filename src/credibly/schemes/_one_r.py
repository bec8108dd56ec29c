"""One rule: the values of a single column decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from credibly._core.errors import DataError, ParameterError
from credibly.schemes.columns import as_features, columns_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rule:
    """What one column says: where its buckets or categories lie and the class counts of each.

    The last row of ``counts`` is that of missing values, and of categories never seen.
    """

    column: str
    cuts: NDArray[np.float64] | None
    categories: tuple[str, ...]
    counts: Counts

    @property
    def correct(self) -> float:
        """Weight of the training cases that the rule gets right."""
        return float(self.counts.max(axis=1).sum())
