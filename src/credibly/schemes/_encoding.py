"""Preprocessing inside the fold: everything is learnt from the training part alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from credibly._core.errors import DataError
from credibly.schemes.columns import light_frame
from credibly.schemes.light_frame import Text

if TYPE_CHECKING:
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
        columns = light_frame(X, self.text).columns.items()
        self.learnt_ = {
            name: _categories(c) if isinstance(c, Text) else _mean(np.asarray(c, np.float64))
            for name, c in columns
        }
        self.n_features_in_ = len(self.learnt_)
        return self

    def transform(self, X: Any) -> Floats:
        """Return the matrix."""
        text = {name for name, learnt in self.learnt_.items() if isinstance(learnt, list)}
        columns = light_frame(X, text).columns
        if list(columns) != list(self.learnt_):
            msg = f"The columns are {', '.join(columns)}; in the training part they were {', '.join(self.learnt_)}."
            raise DataError(msg)
        widths = [self._width(learnt) for learnt in self.learnt_.values()]
        matrix = np.empty((X.shape[0], sum(widths)))
        place = 0
        for width, (name, learnt) in zip(widths, self.learnt_.items(), strict=True):
            self._fill(matrix[:, place : place + width], columns[name], learnt)
            place += width
        return matrix

    def _width(self, learnt: float | list[str | None]) -> int:
        return len(learnt) if isinstance(learnt, list) and self.encoding == "one-hot" else 1

    def _fill(self, block: Floats, column: Any, learnt: float | list[str | None]) -> None:
        """Write a column of the input into its columns of the matrix."""
        if not isinstance(learnt, list):
            numbers = np.asarray(column, np.float64)
            gone = np.isnan(numbers) & (not self.keep_missing)
            block[:, 0] = np.where(gone, learnt, numbers)
            return
        place = {category: i for i, category in enumerate(learnt)}
        codes = np.array([place.get(v, -1) for v in column.known])[np.asarray(column.codes)]
        if self.encoding == "one-hot":
            block[:] = codes[:, None] == np.arange(len(learnt))
        else:
            block[:, 0] = np.where(codes < 0, np.nan if self.keep_missing else -1.0, codes)


def _mean(numbers: Floats) -> float:
    known = numbers[~np.isnan(numbers)]
    return float(known.mean()) if known.size else 0.0


def _categories(column: Text) -> list[str | None]:
    """Return the categories in alphabetical order, a missing one last."""
    categories: list[str | None] = column.known[column.present].tolist()
    return categories
