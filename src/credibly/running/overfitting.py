"""How closely a scheme follows its rows: by how much it errs less on those that it was fitted to, and how far models of folds lie apart.

What follows single cases changes with them, so this says how far other training sets would move a value
(`intervals.widening`). One model of each scheme is looked at on a thousand of its rows at most, and the models of the first cross-validation on two hundred
that they share: no further fit is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly.intervals.standard_errors import unit_of
from credibly.running.tasks import FitResult, Job, case_losses, own_rows

if TYPE_CHECKING:
    from credibly.resampling import Splits
    from credibly.schemes import ModelOutput


def watched_place(splits: Splits) -> int:
    """Return the split whose model is looked at: one of those that learn from the most rows.

    >>> from credibly.resampling import as_resampling
    >>> watched_place(as_resampling("time_ordered(k=3)").realise(20))
    2
    """
    if splits.trains_on_the_rest:
        return 0
    return int(np.argmax([len(s.train) for s in splits]))


def overfitting(job: Job, results: Sequence[FitResult]) -> dict[str, float]:
    """Return by which share each scheme errs less on its own rows than on the same rows held out."""
    found = {}
    for watched in results:
        if watched.own_losses is None:
            continue
        held = _held_out(job, results, watched.scheme)
        rows = own_rows(job.split(watched.place).train)
        known = ~np.isnan(held[rows])
        own, others = (float(np.sum(x[known])) for x in (watched.own_losses, held[rows]))
        if 0 < others < np.inf:  # a scheme that never errs shows nothing
            found[job.names[watched.scheme]] = 1 - own / others
    return found


def instability(job: Job, results: Sequence[FitResult]) -> dict[str, float]:
    """Return how far the losses of a row lie apart between the models of folds that were fitted to it.

    It is the jackknife's variance over folds, as a multiple of the variance of held-out losses over cases.
    """
    found = {}
    for scheme, name in enumerate(job.names):
        losses = [
            r.shared_losses for r in results if r.scheme == scheme and r.shared_losses is not None
        ]
        held = _held_out(job, results, scheme) if len(losses) > 2 else np.empty(0)
        known = held.size and np.isfinite(held).all()
        unit = unit_of(held) if known else 1.0  # squares fit a double
        spread = float(np.var(held / unit)) if known else 0.0
        if 0 < spread < np.inf:
            apart = float(np.nanvar(np.asarray(losses) / unit, axis=0).mean())
            found[name] = (len(losses) - 1) * apart / spread
    return found


def _held_out(job: Job, results: Sequence[FitResult], scheme: int) -> Floats:
    """Return the loss of each row in the first cross-validation of a scheme; NaN where it has none."""
    held = np.full(job.data.n, np.nan)
    for r in results:
        first = np.repeat((np.atleast_1d(r.repeat) == 0) & (np.atleast_1d(r.fold) >= 0), r.sizes)
        if r.scheme == scheme and first.any():
            rows = r.rows[first]
            held[rows] = (
                np.nan if r.output is None else case_losses(job.data, _of(r.output, first), rows)
            )
    return held


def _of(output: ModelOutput, rows: NDArray[np.bool_]) -> ModelOutput:
    """Return an output for some of its rows."""
    kept = {
        name: column[rows]
        for name in ("label", "probability", "score", "value")
        if (column := getattr(output, name)) is not None
    }
    return replace(output, **kept)
