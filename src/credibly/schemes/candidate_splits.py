"""What each split of each attribute would do for the classes: the table behind the first node of a tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.text import count, number_text
from credibly.errors import DataError
from credibly.predictions.labels import MISSING, as_column, encode
from credibly.results.formats import table_of
from credibly.results.result import Cells, Collected, Result
from credibly.schemes.columns import as_features, columns_of

Criterion = Literal["gini", "entropy"]


class CandidateSplit(Result):
    """A yes or no about one attribute, the cases of each class on either side, and what is left of the impurity.

    ``impurity`` is the mean of both sides, weighted by their cases, and ``gain`` how much less it is
    than that of the cases before they are split. Cases whose value is missing are not among them.
    """

    attribute: str
    split: str
    yes: Floats
    no: Floats
    impurity: float
    gain: float

    @property
    def n(self) -> int:
        """How many cases are split."""
        return int(self.yes.sum() + self.no.sum())


class CandidateSplits(Collected[CandidateSplit]):
    """All splits of all attributes, the largest gain first; of equal ones in the order of the attributes."""

    splits: tuple[CandidateSplit, ...]
    classes: tuple[Any, ...]
    criterion: Criterion
    root: float

    members = "splits split"
    row_parts = "splits"
    empty_columns = "attribute split impurity gain"

    @property
    def heading(self) -> str:
        """Say what it is."""
        return (
            f"{count(len(self.splits), 'split')} by {self.criterion}, "
            f"which is {number_text(self.root)} before"
        )

    @property
    def best(self) -> CandidateSplit:
        """The split that a tree would begin with."""
        if not self.splits:
            raise DataError("No attribute has two values, so nothing can be split.")
        return self.splits[0]

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        named = " / ".join(map(str, self.classes))
        return table_of(
            self.splits,
            {
                "split": "split",
                f"yes: {named}": lambda s: _written(s.yes),
                f"no: {named}": lambda s: _written(s.no),
                f"weighted {self.criterion}": "impurity",
                "gain": "gain",
            },
        )


@door
def candidate_splits(X: object, y: object, *, criterion: Criterion = "gini") -> CandidateSplits:
    r"""Return what every binary split of every attribute leaves of the impurity of the classes.

    Numbers are split half way between neighbouring values, other values one against the rest.
    Impurity is Gini's $1 - \sum_j p_j^2$ or the entropy $-\sum_j p_j \log_2 p_j$, and the gain what
    the mean over both sides, weighted by their cases, takes off it. A tree begins with the largest.

    Parameters
    ----------
    X
        The attributes: a frame, or rows and columns.
    y
        The class of each row.
    criterion
        ``"gini"`` or ``"entropy"``.

    >>> from credibly.schemes import candidate_splits
    >>> table = candidate_splits([[15, "A"], [20, "B"], [25, "A"], [35, "B"]], [1, 2, 1, 2])
    >>> table.best.split, table.best.impurity, table["column 0 <= 17.5"].gain
    ('column 1 = A', 0.0, 0.16666666666666669)
    """
    # Of lists with text among the numbers, numpy would make text of everything.
    rows = as_features(np.array(X, object) if isinstance(X, list) else X)
    if hasattr(rows, "tocsr"):
        rows = rows.toarray()
    values = as_column(y, "y")
    if len(values) != rows.shape[0]:
        raise DataError(
            f"y has {count(len(values), 'value')} but X has {count(rows.shape[0], 'row')}."
        )
    labels = encode(values, "y")
    if (labels.codes == MISSING).any():
        raise DataError("y is missing in some rows. Remove these rows.")
    each = np.eye(len(labels.values))[labels.codes]
    splits = [
        split
        for name, column in columns_of(rows).items()
        for split in _splits(name, column, each, criterion)
    ]
    splits.sort(key=lambda s: -round(s.gain, 12))
    root = float(_impurity(each.sum(axis=0), criterion))
    return CandidateSplits(tuple(splits), tuple(labels.values), criterion, root)


def _splits(
    name: str, column: NDArray[Any], each: Floats, criterion: Criterion
) -> Iterator[CandidateSplit]:
    numeric = column.dtype.kind == "f"
    known = np.isfinite(column) if numeric else np.array([v is not None for v in column])
    column, each = column[known], each[known]
    values, place = np.unique(column, return_inverse=True)
    by_value = np.zeros((values.size, each.shape[1]))
    np.add.at(by_value, place, each)
    total = by_value.sum(axis=0)
    if numeric:
        cuts = values[:-1] + np.diff(values) / 2
        asked = [f"{name} <= {cut:.15g}" for cut in cuts.tolist()]
        sides = by_value.cumsum(axis=0)[:-1]
    else:
        asked = [f"{name} = {v}" for v in values.tolist()]
        sides = by_value
        if values.size == 2:  # the second question is the first one turned round
            asked, sides = asked[:1], sides[:1]
    before = float(_impurity(total, criterion))
    for text, yes in zip(asked, sides, strict=True):
        no = total - yes
        if yes.any() and no.any():
            n = total.sum()
            left = sum(float(s.sum() / n * _impurity(s, criterion)) for s in (yes, no))
            yield CandidateSplit(name, text, yes, no, left, before - left)


def _impurity(counts: Floats, criterion: Criterion) -> float:
    share = counts / max(float(counts.sum()), 1.0)
    if criterion == "gini":
        return float(1 - (share**2).sum())
    some = share[share > 0]
    return float(-(some * np.log2(some)).sum()) + 0.0


def _written(counts: Floats) -> str:
    return " / ".join(number_text(float(n)) for n in counts)
