"""Training sets to learn from again and again: resampled from the data, or drawn again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from credibly.errors import DataError, ParameterError, says
from credibly.predictions import Design, Predictions
from credibly.predictions.table import Task
from credibly.resampling import Resampling, SplitPlan, Splits, as_resampling, resamplings
from credibly.running.data import Data
from credibly.running.run import carry_out, prepare, run

DEFAULT_REPLICATES = 50
SUBSAMPLE_SHARE = 0.5


def resampled(training: object, replicates: int | None) -> Resampling:
    """Return the resampling that draws the training sets, of whole groups where there are any.

    >>> resampled("subsample", 20)
    repeated_holdout(test=0.5, repeats=20)
    """
    n = DEFAULT_REPLICATES if replicates is None else replicates
    named = training if isinstance(training, str) else ""
    if named == "bootstrap":
        rule = resamplings["bootstrap"](replicates=n)
        return replace(rule, with_groups="grouped_bootstrap")
    if named == "subsample":
        rule = resamplings["repeated_holdout"](test=SUBSAMPLE_SHARE, repeats=n)
        return replace(rule, with_groups="grouped_holdout")
    if replicates is not None:
        raise ParameterError(
            says(
                "<replicates=> is for <training='bootstrap'>, <training='subsample'> and functions; any "
                "other resampling says itself how often, such as '10x10'."
            )
        )
    return as_resampling(training)


def learn(
    schemes: Any,
    X: Any,
    y: Any,
    training: Any,
    replicates: int | None,
    seed: int,
    options: dict[str, Any],
) -> Predictions:
    """Run schemes on the training sets, and predict what these do not hold."""
    if isinstance(training, Resampling) or not callable(training):
        how = resampled(training, replicates)
        return run(schemes, X, y, resampling=how, rng=seed, **options)
    n = DEFAULT_REPLICATES if replicates is None else replicates
    if n < 2:
        raise ParameterError(f"replicates must be at least 2, otherwise nothing varies; got {n}.")
    return _drawn_anew(schemes, X, y, training, n, seed, **options)


def _drawn_anew(
    schemes: Any,
    X: Any,
    y: Any,
    draw: Callable[[np.random.Generator], tuple[Any, Any]],
    replicates: int,
    seed: int,
    *,
    task: Task | None = None,
    positive: object = None,
    n_jobs: int | None = None,
    progress: bool = True,
    **unused: object,
) -> Predictions:
    """Train on sets that a function draws, and predict the rows given, which no training set holds."""
    given = [name for name, value in unused.items() if value is not None]
    if given:
        raise ParameterError(
            f"{given[0]}= is about resampled rows, and a function that draws training sets does not resample."
        )
    drawn = [draw(g) for g in np.random.default_rng(seed).spawn(replicates)]
    parts = [(X, y), *drawn]
    try:
        inputs = np.concatenate([np.asarray(x) for x, _ in parts])
        target = np.concatenate([np.asarray(t) for _, t in parts])
    except ValueError as error:
        raise DataError(
            f"The training sets that the function draws do not have the columns of X: {error}."
        ) from None
    data = Data.of(inputs, target, task=task, positive=positive)
    ends = np.cumsum([len(t) for _, t in parts])
    plan = SplitPlan(
        replicates,
        lambda _: np.arange(ends[0]),
        lambda i: np.arange(ends[i], ends[i + 1]),
        design=Design(repeats="retrained"),
    )
    name = f"{replicates} newly drawn training sets"
    splits = Splits(data.n, plan, resampling=name, promises=frozenset({"disjoint"}))
    job = prepare(schemes, data, splits, seed)
    return carry_out(job, n_jobs, exact_shortcuts=False, progress=progress)
