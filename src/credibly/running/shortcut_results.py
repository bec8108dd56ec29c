"""Results of splits that need no fit of their own, taken from exact shortcuts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import Floats
from credibly.running.shortcuts import shortcut_for
from credibly.running.tasks import Job, TaskResult
from credibly.schemes import Output

if TYPE_CHECKING:
    from credibly.running.shortcuts import Answers


def short_cuts(job: Job) -> dict[tuple[int, int], TaskResult]:
    """Return the results that shortcuts vouch for, by scheme and split."""
    if job.with_replacement or len(job.known_splits) < 2:
        return {}
    found: dict[tuple[int, int], TaskResult] = {}
    for scheme, estimator in enumerate(job.estimators):
        begin = time.perf_counter()
        data = job.data
        serve, _ = shortcut_for(
            estimator, job.known_splits, data.X, data.y, data.classes or None, data.weight
        )
        if serve is not None:
            answers = serve()
            seconds = (time.perf_counter() - begin) / len(job.known_splits)
            found |= _results(job, scheme, answers, seconds)
    return found


def _results(
    job: Job, scheme: int, answers: Answers, seconds: float
) -> dict[tuple[int, int], TaskResult]:
    splits, made, end = job.known_splits, {}, 0
    baselines = _baselines(job)
    for place, rows in enumerate(splits.tests()):
        start, end = end, end + len(rows)
        if not answers.refit[place]:
            made[scheme, place] = TaskResult(
                scheme,
                place,
                *splits.numbers(place),
                splits.n - len(rows),
                rows,
                np.zeros(len(rows), np.int64),
                output=_cut(answers.output, slice(start, end)),
                fit_seconds=seconds,
                shortcut=True,
                baseline=baselines[place],
            )
    return made


def _baselines(job: Job) -> Floats:
    """Return the priors of the classes, or the mean, of each training part: of all that is not tested."""
    data, splits = job.data, job.known_splits
    split = np.repeat(np.arange(len(splits)), splits.test_sizes)
    rows = np.concatenate(list(splits.tests()))
    left = data.n - splits.test_sizes
    if data.codes is None:
        shift = data.y.mean()
        tested = np.bincount(split, data.y[rows] - shift)
        return np.asarray(shift + ((data.y - shift).sum() - tested) / left)
    k = len(data.classes)
    tested = np.bincount(split * k + data.codes[rows], minlength=len(splits) * k).reshape(-1, k)
    return np.asarray((np.bincount(data.codes, minlength=k) - tested) / left[:, None])


def _cut(output: Output, rows: slice) -> Output:
    """Return the part of an output that belongs to one split, labels as places in the classes.

    A shortcut vouches that the most probable class, of equal votes the first, is the label.
    """
    if output.probability is None:
        value = None if output.value is None else output.value[rows]
        return Output(output.source, output.label, None, output.score, value)
    probability = output.probability[rows]
    return Output(output.source, probability.argmax(axis=1), probability, output.score)
