"""Runs on several data sets of one kind that share no case, so that what they say is independent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from credibly._core.arrays import Indices
from credibly._core.doors import door
from credibly._core.seeds import seed_of
from credibly.errors import DataError, ParameterError, says
from credibly.predictions import Predictions
from credibly.predictions.table import Task
from credibly.resampling import SplitPlan, Splits, as_resampling
from credibly.running.data import Data
from credibly.running.run import carry_out, prepare

Drawn = tuple[Any, Any]


@door
def run_datasets(
    schemes: Any,
    generator: Callable[[np.random.Generator], Drawn] | Sequence[Drawn],
    *,
    datasets: int | None = None,
    test: float = 0.5,
    resampling: Any = None,
    task: Task | None = None,
    rng: int | np.random.Generator,
    n_jobs: int | None = None,
) -> Predictions:
    """Run schemes on independent data sets, each with its own training and test parts.

    Each repeat is a data set of its own, and the predictions say so: ``evaluate`` takes the mean over
    data sets, with a plain interval, and ``compare`` the paired t. One data set is cut into such parts
    by ``run(..., resampling="subsets(parts=10, k=10)")``.

    Parameters
    ----------
    schemes
        What to run, as in :func:`credibly.run`.
    generator
        A function that draws a data set, as a pair of X and y; or a list of such pairs.
    datasets
        How many to draw; all that are listed by default.
    test
        The share of each data set that is tested, where it is cut once.
    resampling
        How each data set is resampled: a number of folds, or a name from ``credibly list resamplings``.
    task
        ``"classification"`` or ``"numeric"``; decided by y by default.
    rng
        Seed of what is random.
    n_jobs
        Processes to run in.

    >>> import credibly, numpy as np
    >>> from credibly.running import run_datasets
    >>> def draw(rng):
    ...     y = rng.integers(0, 2, 60)
    ...     return rng.normal(y[:, None], 1, (60, 2)), y
    >>> p = run_datasets("naive-bayes", draw, datasets=5, rng=1)
    >>> estimate = credibly.evaluate(p, "error_rate").estimates[0]
    >>> estimate.keys, estimate.interval.about, len(estimate.values)
    ({'estimate': 'dataset_mean'}, 'datasets', 5)
    >>> folds = run_datasets(["naive-bayes", "one-r"], draw, datasets=5, resampling=3, rng=1)
    >>> test = credibly.compare(folds, measure="error_rate")
    >>> test.test, test.n
    ('paired_t', 5.0)
    """
    drawn = _drawn(generator, datasets, rng)
    data = Data.of(
        *(np.concatenate([np.asarray(v) for v in each]) for each in zip(*drawn, strict=True)),
        task=task,
    )
    sizes = [len(y) for _, y in drawn]
    if resampling is None:
        plan = _cut_once(sizes, test)
    else:
        plan = _resampled([np.asarray(y) for _, y in drawn], sizes, resampling, rng)
    splits = Splits(
        data.n,
        plan,
        resampling=f"{len(drawn)} data sets",
        promises=frozenset({"disjoint", "independent"}),
    )
    return carry_out(
        prepare(schemes, data, splits, seed_of(rng)), n_jobs, exact_shortcuts=False, progress=True
    )


def _drawn(
    generator: Callable[[np.random.Generator], Drawn] | Sequence[Drawn],
    datasets: int | None,
    rng: int | np.random.Generator,
) -> list[Drawn]:
    if callable(generator):
        if datasets is None:
            raise ParameterError(
                "A function draws as many data sets as it is asked for.",
                remedy=says("Set <datasets=...>."),
            )
        found = [generator(g) for g in np.random.default_rng(seed_of(rng)).spawn(datasets)]
    else:
        found = list(generator)[:datasets]
    if len(found) < 2:
        raise ParameterError(
            f"datasets must be at least 2, or there is nothing to compare; got {len(found)}."
        )
    return found


def _cut_once(sizes: list[int], test: float) -> SplitPlan:
    """Train on the first rows of each data set, test on the others."""
    ends = np.cumsum(sizes)
    starts = ends - sizes
    cuts = [int(s + round((e - s) * (1 - test))) for s, e in zip(starts, ends, strict=True)]
    if any(c in (s, e) for s, c, e in zip(starts, cuts, ends, strict=True)):
        raise DataError(says("<test={test}> leaves no row to train on or to test on.", test=test))
    return SplitPlan(
        len(sizes),
        lambda i: np.arange(cuts[i], ends[i]),
        lambda i: np.arange(starts[i], cuts[i]),
    )


def _resampled(
    ys: list[Any], sizes: list[int], resampling: object, rng: int | np.random.Generator
) -> SplitPlan:
    """Resample each data set by itself, in as many splits as the others."""
    rule = as_resampling(resampling)
    seeds = np.random.SeedSequence(seed_of(rng)).generate_state(len(ys)).tolist()
    made = [rule.realise(n, y, rng=s) for n, y, s in zip(sizes, ys, seeds, strict=True)]
    k = len(made[0])
    if any(len(splits) != k for splits in made):
        raise DataError(
            f"{rule} makes {sorted({len(s) for s in made})} splits of these data sets; every "
            f"data set needs the same number."
        )
    if made[0][k - 1].repeat:
        raise ParameterError(
            f"{rule} makes repeats, but here each data set is a repeat: use folds or one holdout."
        )
    starts = np.cumsum(sizes) - sizes
    fold = np.concatenate([splits.all_numbers[1] for splits in made])

    def part(i: int, which: str) -> Indices:
        rows: Indices = getattr(made[i // k][i % k], which)
        return rows + starts[i // k]

    return SplitPlan(
        k * len(made),
        lambda i: part(i, "test"),
        lambda i: part(i, "train"),
        folds=k,
        numbers=lambda i: (i // k, fold[i]),
    )
