"""Time: train on the past, test on what came after."""

from __future__ import annotations

import numpy as np

from credibly._core.arrays import Indices
from credibly._core.names import Names
from credibly._core.parameters import whole
from credibly._core.text import count
from credibly.errors import DataError
from credibly.predictions.labels import distinct
from credibly.resampling._declare import resampling
from credibly.resampling._rows import Rows
from credibly.resampling._splits import SplitPlan


@resampling(
    "time-ordered validation",
    promised=("disjoint", "respects_time"),
    aliases=Names(
        "time_series, rolling_origin, forward_chaining",
        sklearn="TimeSeriesSplit",
        caret="timeslice",
    ),
    constraints={"k": whole(1), "window": whole(1), "gap": whole(0)},
    cite="Tashman, L. J. (2000) Out-of-sample tests of forecasting accuracy: an analysis and review. International Journal of Forecasting 16, 437-450.",
)
def time_ordered(rows: Rows, *, k: int = 5, window: int | None = None, gap: int = 0) -> SplitPlan:
    """Cut the rows by time into k + 1 blocks; test each except the first on a model of older rows.

    Without ``time`` the rows are taken to be in order. Rows of the same time are never parted, so
    blocks may differ in size. The model trains on all older rows, or on the latest ``window`` of them,
    and leaves out the ``gap`` rows just before the test block.

    >>> splits = time_ordered(k=2, gap=1).realise(9)
    >>> [(s.train.tolist(), s.test.tolist()) for s in splits]
    [([0, 1], [3, 4, 5]), ([0, 1, 2, 3, 4], [6, 7, 8])]
    """
    order, starts = _in_time(rows)
    near = np.round(np.arange(1, k + 1) * rows.n / (k + 1))
    cuts = np.append(starts[np.searchsorted(starts, near)], rows.n)
    if (np.diff(cuts) <= 0).any() or cuts[0] <= gap:
        raise DataError(
            f"time_ordered(k={k}, gap={gap}) needs {k + 1} blocks of different times with more than "
            f"{count(gap, 'row')} in the first; {count(rows.n, 'row')} of "
            f"{count(len(starts) - 1, 'different time')} do not give them. Use a smaller k or gap."
        )

    def train(i: int) -> Indices:
        end = cuts[i] - gap
        return order[max(0, end - window) if window else 0 : end]

    return SplitPlan(k, lambda i: order[cuts[i] : cuts[i + 1]], train, folds=k)


def _in_time(rows: Rows) -> tuple[Indices, Indices]:
    """Return the rows from old to new, and where in them each new time starts, the end included."""
    if rows.order is None:
        return np.arange(rows.n), np.arange(rows.n + 1)
    codes = distinct(rows.order).codes
    starts = np.append(0, np.cumsum(np.bincount(codes)))
    return np.argsort(codes, kind="stable"), starts
