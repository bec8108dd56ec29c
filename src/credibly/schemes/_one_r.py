"""One rule: the values of a single column decide."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from credibly._core.arrays import Floats
from credibly.errors import ParameterError
from credibly.schemes._validation import TextClassifier, checked_inputs, checked_training_part
from credibly.schemes.columns import columns_of


@dataclass(frozen=True, slots=True, eq=False)
class ColumnRule:
    """What one column says: its cuts, or its categories, and how often each class is in each bucket.

    The last row of ``counts`` belongs to missing values.
    """

    column: str
    cuts: Floats
    categories: tuple[str, ...] | None
    counts: Floats

    @property
    def correct(self) -> int:
        """Number of training cases that the rule gets right."""
        return int(self.counts.max(axis=1).sum())

    def bucket_of(self, column: NDArray[Any]) -> NDArray[np.intp]:
        """Return the row of ``counts`` that each value belongs to; a new category counts as missing."""
        last = len(self.counts) - 1
        if self.categories is None:
            return np.where(np.isnan(column), last, np.searchsorted(self.cuts, column, "left"))
        place = {category: i for i, category in enumerate(self.categories)}
        return np.array([place.get(v, last) for v in column], np.intp)


class OneR(TextClassifier):
    """Predict from the one column whose rule makes the fewest errors on the training part.

    Each category, and each bucket of numbers, predicts its most common class. Buckets are filled
    from below until they hold ``min_bucket`` cases of their most common class and the next value
    belongs to another; neighbours that predict the same class are one. Missing values are a
    value of their own. Columns may hold numbers or text.

    >>> rule = OneR(min_bucket=2).fit([[1], [2], [3], [4], [5]], list("aabbb"))
    >>> rule.rule_.cuts.tolist(), rule.predict([[2.4], [2.6]]).tolist()
    ([2.5], ['a', 'b'])
    """

    def __init__(self, min_bucket: int = 6) -> None:
        self.min_bucket = min_bucket

    def __sklearn_tags__(self) -> Any:
        """Say that one column need not predict well."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags

    def fit(self, X: Any, y: Any) -> OneR:
        """Make a rule of every column and keep the best; the first of equals."""
        if not isinstance(self.min_bucket, int | np.integer) or self.min_bucket < 1:
            raise ParameterError(
                f"min_bucket must be a whole number of at least 1; got {self.min_bucket!r}."
            )
        X, y = checked_training_part(self, X, y, ensure_all_finite="allow-nan")
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.frequencies_ = np.bincount(codes) / len(codes)
        rules = [self._rule(name, column, codes) for name, column in columns_of(X).items()]
        self.rule_ = max(rules, key=lambda rule: rule.correct)
        return self

    def _rule(self, name: str, column: NDArray[Any], codes: NDArray[np.intp]) -> ColumnRule:
        k = len(self.classes_)
        if column.dtype.kind == "f":
            known = ~np.isnan(column)
            cuts = bucket_cuts(column[known], codes[known], k, self.min_bucket)
            rule = ColumnRule(name, cuts, None, np.zeros((len(cuts) + 2, k)))
        else:
            found = tuple(sorted({v for v in column if v is not None}))
            rule = ColumnRule(name, np.empty(0), found, np.zeros((len(found) + 1, k)))
        np.add.at(rule.counts, (rule.bucket_of(column), codes), 1)
        return rule

    def predict_proba(self, X: Any) -> Floats:
        """Return the class frequencies of each case's bucket, or of all where it is empty."""
        check_is_fitted(self)
        X = checked_inputs(self, X, ensure_all_finite="allow-nan")
        rule = self.rule_
        text = () if rule.categories is None else (rule.column,)
        counts = rule.counts[rule.bucket_of(columns_of(X, text, only=rule.column)[rule.column])]
        total = counts.sum(axis=1, keepdims=True)
        return np.where(total > 0, counts / np.maximum(total, 1), self.frequencies_)


def bucket_cuts(numbers: Floats, codes: NDArray[np.intp], k: int, min_bucket: int) -> Floats:
    """Return the values between buckets: half way between the neighbours on either side.

    >>> bucket_cuts(np.arange(6.0), np.array([0, 1, 0, 1, 1, 1]), 2, min_bucket=2)
    array([2.5])
    """
    values, place = np.unique(numbers, return_inverse=True)
    counts = np.zeros((len(values), k))
    np.add.at(counts, (place, codes), 1)
    leader = counts.argmax(axis=1).tolist()
    ends: list[int] = []  # the last value of each bucket
    classes: list[int] = []
    bucket = [0.0] * k
    for i, here in enumerate(counts.tolist()):  # lists: so short, they are faster than arrays
        most = max(bucket)
        if most >= min_bucket and leader[i] != bucket.index(most):
            ends.append(i - 1)
            classes.append(bucket.index(most))
            bucket = here
        else:
            bucket = [a + b for a, b in zip(bucket, here, strict=True)]
    classes.append(bucket.index(max(bucket)))
    kept = [e for e, (below, above) in zip(ends, pairwise(classes), strict=True) if below != above]
    cuts: Floats = (values[kept] + values[[e + 1 for e in kept]]) / 2
    return cuts
