"""Preprocessing inside the fold: everything is learnt from the training part alone."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from credibly._core.arrays import Floats
from credibly.errors import DataError
from credibly.schemes.columns import light_frame, mostly_differ
from credibly.schemes.dates import days_of, order_of_dates
from credibly.schemes.light_frame import Text

if TYPE_CHECKING:
    from credibly.schemes._declare import Encoding
    from credibly.schemes.dates import Order


@dataclass(frozen=True, slots=True)
class Dates:
    """How the dates of a column are written, and their mean in the training part."""

    order: Order
    mean: float

    def read(self, column: Text) -> Floats:
        """Return a column of such dates as days."""
        return days_of(column.known.tolist(), self.order)[np.asarray(column.codes)]


Learnt = float | Dates | list[str | None] | None  # nothing for a column that is left out


@dataclass(eq=False, repr=False)
class Encoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turn a frame or an array with columns of numbers and of categories into one matrix of numbers.

    A missing number becomes the mean of the training part (unless ``keep_missing``); a missing
    category is a category of its own if the training part has one. A category that the training
    part lacks is all zeros in one-hot columns and counts as missing among codes. Dates that are
    written as text become days; other text that differs in most rows of the training part tells
    nothing about new rows, and is left out.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [20, None, 40], "town": ["Bern", "Rome", None]})
    >>> Encoder().fit_transform(frame)
    array([[20.,  1.,  0.,  0.],
           [30.,  0.,  1.,  0.],
           [40.,  0.,  0.,  1.]])
    """

    encoding: Encoding = "one-hot"
    _: KW_ONLY
    text: tuple[str, ...] | None = None
    keep_missing: bool = False

    def fit(self, X: Any, y: object = None) -> Encoder:  # noqa: ARG002
        """Learn the means and the categories of the training part."""
        columns = light_frame(X, self.text).columns.items()
        self.learnt_ = {
            name: _learnt(c) if isinstance(c, Text) else _mean(np.asarray(c, np.float64))
            for name, c in columns
        }
        self.n_features_in_ = len(self.learnt_)
        if all(learnt is None for learnt in self.learnt_.values()):
            raise DataError(
                f"There is nothing to learn from: {', '.join(self.learnt_)} hold a different text in most rows."
            )
        return self

    def transform(self, X: Any) -> Floats:
        """Return the matrix."""
        text = {name for name, learnt in self.learnt_.items() if not isinstance(learnt, float)}
        columns = light_frame(X, text).columns
        if list(columns) != list(self.learnt_):
            raise DataError(
                f"The columns are {', '.join(columns)}; in the training part they were {', '.join(self.learnt_)}."
            )
        widths = [self._width(learnt) for learnt in self.learnt_.values()]
        matrix = np.empty((X.shape[0], sum(widths)))
        place = 0
        for width, (name, learnt) in zip(widths, self.learnt_.items(), strict=True):
            self._fill(matrix[:, place : place + width], columns[name], learnt)
            place += width
        return matrix

    def _width(self, learnt: Learnt) -> int:
        if learnt is None:
            return 0
        return len(learnt) if isinstance(learnt, list) and self.encoding == "one-hot" else 1

    def _fill(self, block: Floats, column: Any, learnt: Learnt) -> None:
        """Write a column of the input into its columns of the matrix."""
        if learnt is None:
            return
        if not isinstance(learnt, list):
            mean = learnt.mean if isinstance(learnt, Dates) else learnt
            numbers = (
                learnt.read(column) if isinstance(learnt, Dates) else np.asarray(column, np.float64)
            )
            gone = np.isnan(numbers) & (not self.keep_missing)
            block[:, 0] = np.where(gone, mean, numbers)
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


def _learnt(column: Text) -> Dates | list[str | None] | None:
    """Return the categories in alphabetical order, a missing one last; how dates are written; or nothing."""
    present = column.present
    categories: list[str | None] = column.known[present].tolist()
    texts = [c for c in categories if c is not None]
    order = order_of_dates(texts)
    if order is not None and len(texts) > 1:
        days = days_of(column.known.tolist(), order)[np.asarray(column.codes)]
        return Dates(order, _mean(days))
    rows = int((np.asarray(column.codes) < len(column.known) - 1).sum())
    return None if mostly_differ(len(texts), rows) else categories
