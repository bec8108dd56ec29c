"""How closely a scheme follows single cases: by how much it errs less on rows that it was fitted to.

What follows single cases changes with them, so this says how far other training sets would move a value
(`intervals.generalization`). One model of each scheme is looked at, on a thousand of its rows at most: no further fit is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import Floats, Indices
from credibly.resampling._splits import is_inner

if TYPE_CHECKING:
    from credibly.resampling import Splits
    from credibly.running.data import Data
    from credibly.running.tasks import Job, TaskResult
    from credibly.schemes import Output

ENOUGH = 1000  # rows that are looked at


def watched_place(splits: Splits) -> int:
    """Return the split whose model is looked at: one of those that learn from the most rows.

    >>> from credibly.resampling import as_resampling
    >>> watched_place(as_resampling("time_ordered(k=3)").realise(20))
    2
    """
    if splits.trains_on_the_rest:
        return 0
    return int(np.argmax([len(s.train) for s in splits]))


def own_rows(train: Indices) -> Indices:
    """Return rows of a training part, evenly spaced where there are many."""
    return train[:: -(-len(train) // ENOUGH) or 1]


def case_losses(data: Data, output: Output, rows: Indices) -> Floats:
    """Return the squared error of each row, of classes the Brier score, or whether the label is wrong."""
    if output.value is not None:
        with np.errstate(over="ignore"):
            return np.square(output.value - data.y[rows])
    truth = np.asarray(data.codes)[rows]
    if output.probability is None:
        return (np.asarray(output.label) != truth).astype(np.float64)
    return np.square(output.probability - np.eye(len(data.classes))[truth]).sum(axis=1)


def overfitting(job: Job, results: Sequence[TaskResult]) -> dict[str, float]:
    """Return by which share each scheme errs less on its own rows than on the same rows held out."""
    found = {}
    for watched in results:
        if watched.own_losses is None:
            continue
        held = np.full(job.data.n, np.nan)
        for r in results:
            if (r.scheme, r.repeat) == (watched.scheme, 0) and not is_inner(r.repeat, r.fold):
                held[r.rows] = (
                    np.nan if r.output is None else case_losses(job.data, r.output, r.rows)
                )
        rows = own_rows(job.split(watched.place).train)
        known = ~np.isnan(held[rows])
        own, others = (float(np.sum(x[known])) for x in (watched.own_losses, held[rows]))
        if 0 < others < np.inf:  # a scheme that never errs shows nothing
            found[job.names[watched.scheme]] = 1 - own / others
    return found
