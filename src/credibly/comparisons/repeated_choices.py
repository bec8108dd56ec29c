"""The best of several models, chosen again and again: on some cases, and judged on those that had no say in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import ROUNDING, Floats, Indices
from credibly.comparisons.cases import Cases
from credibly.comparisons.resampling import replicates_of, shared_block
from credibly.intervals._declare import EstimateRequest
from credibly.intervals.bootstrap import as_cases
from credibly.intervals.generalization import stability, widened
from credibly.intervals.methods import interval_for
from credibly.intervals.quantiles import normal_tail
from credibly.intervals.replicates import OutOfBag, Replicates
from credibly.measures.by_threshold import at_thresholds, best_places, names_of_both
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct
from credibly.results.estimate import SIGNS

MAX_LEVEL = 1 - 1e-12  # the highest level of a single bound


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """Values of all models (columns) in samples (rows), the best of each, and its value on other cases.

    Where no value is defined, the place of the best is -1. Without other cases there are no values on them.
    """

    inside: Floats
    best: Indices
    outside: Floats

    @property
    def shares(self) -> Floats:
        """How often each model is the best or as good, as a share of the samples that have a best one."""
        rows = np.flatnonzero(self.best >= 0)
        values = self.inside[rows]
        equal = _as_good(values, self.inside[rows, self.best[rows]])
        equal &= _as_good(-values, -self.inside[rows, self.best[rows]])
        shares: Floats = equal.mean(axis=0) if rows.size else np.zeros(values.shape[1])
        return shares


def best_of_rows(values: Floats, direction: str) -> Indices:
    """Return the place of the best value in each row, the first of equal ones; -1 where none is defined.

    >>> best_of_rows(np.array([[0.3, 0.2, 0.2], [np.nan, np.inf, 0.1], [np.nan] * 3]), "lower").tolist()
    [1, 2, -1]
    """
    defined = ~np.isnan(values)
    gains = np.where(defined, SIGNS[direction] * values, -np.inf)
    best = _as_good(gains, gains.max(axis=1)).argmax(axis=1)
    lost = ~defined[np.arange(len(best)), best]  # beside infinite losses
    best = np.where(lost, defined.argmax(axis=1), best)
    return np.where(defined.any(axis=1), best, -1)


def _as_good(gains: Floats, best: Floats) -> NDArray[np.bool_]:
    """Tell which gains of each row reach the best up to rounding."""
    finite = np.isfinite(best)
    lowest = np.where(finite, best - ROUNDING * np.abs(np.where(finite, best, 0.0)), best)
    return np.asarray(gains >= lowest[:, None])


def choices_in_replicates(cases: Cases, seed: int, count: int, *, thresholds: bool) -> Choices:
    """Choose in bootstrap samples of the cases, the same for all models, and judge on the cases left out.

    So do Tsamardinos et al. (2018) with the held-out predictions of a cross-validation. Groups are drawn
    whole, and where ``thresholds`` are tuned they are tuned again in each sample.
    """
    one_by_one = replace(cases, models=tuple(map(_each_case, cases.models)), kept={})
    return (_tuned if thresholds else _fixed)(one_by_one, seed, count)


def _each_case(p: Predictions) -> Predictions:
    """Return a row for each case where rows do not count many: drawing these is far quicker."""
    rows = as_cases(p)
    return p if rows is p else replace(rows, row=None, cache={})


def _draws(cases: Cases, seed: int, count: int) -> list[Replicates]:
    m, block = cases.measure, shared_block(cases.models)
    draws = [replicates_of(p, m, seed, count, stratified=False, block=block) for p in cases.models]
    draws[0].held(draws[1:])
    return draws


def _fixed(cases: Cases, seed: int, count: int) -> Choices:
    m = cases.measure
    draws = _draws(cases, seed, count)
    inside = np.column_stack([d.values([m], cases.average)[:, 0] for d in draws])
    best, outside = best_of_rows(inside, m.direction), np.full(count, np.nan)
    for i in np.unique(best[best >= 0]).tolist():
        which = np.flatnonzero(best == i)
        outside[which] = OutOfBag(draws[i], which).values([m], cases.average)[:, 0]
    return Choices(inside, best, outside)


def _tuned(cases: Cases, seed: int, count: int) -> Choices:
    """Tune the threshold of each model in each sample: each threshold is one more candidate."""
    m = cases.measure
    columns = []
    for p, draws in zip(cases.models, _draws(cases, seed, count), strict=True):
        names, parts = names_of_both(p), []
        others = OutOfBag(draws, np.arange(count)).score_tables(m.name)
        for drawn, left in zip(draws.score_tables(m.name), others, strict=True):
            values = at_thresholds(m, drawn, names)
            place = best_places(m, values)
            apart = at_thresholds(m, left, names, place)
            parts.append(np.hstack([np.take_along_axis(values, place[:, None], axis=1), apart]))
        columns.append(np.concatenate(parts))
    inside, outside = (np.column_stack([c[:, side] for c in columns]) for side in (0, 1))
    best = best_of_rows(inside, m.direction)
    apart = np.take_along_axis(outside, np.maximum(best, 0)[:, None], axis=1)[:, 0]
    return Choices(inside, best, np.where(best < 0, np.nan, apart))


def choices_in_folds(table: Floats, direction: str) -> Choices:
    """Choose in each fold (row) by its values; no cases are left for a judgement."""
    return Choices(table, best_of_rows(table, direction), np.full(len(table), np.nan))


def optimism_by_folds(table: Floats, chosen: int, direction: str) -> float:
    """Return by how much the chosen model (column) is worse than the best of each fold (row), on average.

    It estimates how much better than it is the best looks (Tibshirani & Tibshirani 2009).

    >>> optimism_by_folds(np.array([[0.2, 0.3], [0.4, 0.2]]), 1, "lower")
    0.04999999999999999
    """
    best = table.max(axis=1) if direction == "higher" else table.min(axis=1)
    return float(np.abs(table[:, chosen] - best).mean())


def joint_bounds(cases: Cases, inside: Floats, level: float) -> list[tuple[float, str]]:
    """Return joint confidence bounds of how bad each model may be, or why there are none.

    The largest of the standardised deviations in replicates that all models share (max-T) says by how
    much the level of a single bound must be raised. Bounds at that level are those of the intervals
    that the measure has, about learning again where models of several folds were judged. As they hold together, they hold of the one that looks best.
    """
    alone = _level_of_each(inside, np.array(cases.values), cases.direction, level)
    found = []
    for p, value in zip(cases.models, cases.values, strict=True):
        request = EstimateRequest(cases.measure, p, cases.average, value=value)
        request = replace(request, confidence_level=2 * alone - 1)
        folds = 1 if p.fold is None else len(distinct(p.fold).values)
        learned = (widened.name, stability.name) if folds > 1 else ()
        tried = (interval_for(replace(request, interval=way)) for way in learned)
        limits, why = next((each for each in tried if each[0]), None) or interval_for(request)
        end = (
            np.nan if limits is None else limits.low if cases.direction == "higher" else limits.high
        )
        found.append((end, why))
    return found


def _level_of_each(inside: Floats, values: Floats, direction: str, level: float) -> float:
    """Return the level that each one-sided bound needs for all to hold together."""
    if values.size < 2:
        return level
    with np.errstate(all="ignore"):
        moved = SIGNS[direction] * (inside - values) / np.nanstd(inside, axis=0, ddof=1)
    top = np.where(np.isfinite(moved), moved, -np.inf).max(axis=1)
    if not np.isfinite(top).any():
        return level
    critical = float(np.quantile(top[np.isfinite(top)], level))
    return min(max(level, 1 - normal_tail(critical)), MAX_LEVEL)
