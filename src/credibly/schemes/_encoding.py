"""Preprocessing inside the fold: everything is learnt from the training part alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from credibly._core.errors import DataError
from credibly.schemes.columns import columns_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from credibly.schemes._declare import Encoding
    from credibly.schemes.columns import Floats


class Encoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turn a frame or an array with columns of numbers and of categories into one matrix of numbers.

    A missing number becomes the mean of the training part (unless ``keep_missing``); a missing
    category is a category of its own if the training part has one. A category that the training
    part lacks is all zeros in one-hot columns and counts as missing among codes.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [20, None, 40], "town": ["Bern", "Rome", None]})
    >>> Encoder().fit_transform(frame)
    array([[20.,  1.,  0.,  0.],
           [30.,  0.,  1.,  0.],
           [40.,  0.,  0.,  1.]])
    """

    def __init__(
        self,
        encoding: Encoding = "one-hot",
        *,
        text: tuple[str, ...] | None = None,
        keep_missing: bool = False,
    ) -> None:
        self.encoding = encoding
        self.text = text
        self.keep_missing = keep_missing

    def fit(self, X: Any, y: object = None) -> Encoder:  # noqa: ARG002
        """Learn the means and the categories of the training part."""
        self.learnt_ = {
            name: _mean(column) if column.dtype.kind == "f" else _categories(column)
            for name, column in columns_of(X, self.text).items()
        }
        self.n_features_in_ = len(self.learnt_)
        return self

    def transform(self, X: Any) -> Floats:
        """Return the matrix."""
        text = {name for name, learnt in self.learnt_.items() if isinstance(learnt, list)}
        columns = columns_of(X, text)
        if list(columns) != list(self.learnt_):
            msg = f"The columns are {', '.join(columns)}; in the training part they were {', '.join(self.learnt_)}."
            raise DataError(msg)
        one_hot = self.encoding == "one-hot"
        widths = [
            len(known) if one_hot and isinstance(known, list) else 1
            for known in self.learnt_.values()
        ]
        matrix = np.empty((X.shape[0], sum(widths)))
        ends = np.cumsum(widths)
        for end, width, (name, learnt) in zip(ends, widths, self.learnt_.items(), strict=True):
            matrix[:, end - width : end] = self._block(columns.pop(name), learnt)
        return matrix

    def _block(self, column: NDArray[Any], learnt: float | list[str | None]) -> Floats:
        if isinstance(learnt, float):
            gone = np.isnan(column) & (not self.keep_missing)
            return np.where(gone, learnt, column)[:, None]
        place = {category: float(i) for i, category in enumerate(learnt)}
        codes = np.array([place.get(v, np.nan) for v in column])
        if self.encoding == "one-hot":
            return (codes[:, None] == np.arange(len(learnt))).astype(np.float64)
        unknown = np.nan if self.keep_missing else -1.0
        return np.where(np.isnan(codes), unknown, codes)[:, None]


def _mean(numbers: Floats) -> float:
    known = numbers[~np.isnan(numbers)]
    return float(known.mean()) if known.size else 0.0


def _categories(column: NDArray[Any]) -> list[str | None]:
    """Return the categories in alphabetical order, a missing one last."""
    found = set(column.tolist())
    return sorted(found - {None}) + ([None] if None in found else [])
