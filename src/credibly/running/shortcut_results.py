"""Results of splits that need no fit of their own, taken from exact shortcuts."""

from __future__ import annotations

import time

import numpy as np

from credibly._core.arrays import Floats, Indices
from credibly.running.shortcuts import Answers, shortcut_for
from credibly.running.tasks import FitBlock, Job
from credibly.schemes import ModelOutput


def short_cuts(job: Job) -> list[FitBlock]:
    """Return the results that shortcuts vouch for, in the order of schemes and splits."""
    if job.with_replacement or len(job.known_splits) < 2:
        return []
    found: list[FitBlock] = []
    for scheme, estimator in enumerate(job.estimators):
        begin = time.perf_counter()
        data = job.data
        serve, _ = shortcut_for(
            estimator, job.known_splits, data.X, data.y, data.classes or None, data.weight
        )
        if serve is not None:
            answers = serve()
            seconds = (time.perf_counter() - begin) / len(job.known_splits)
            found += _blocks(job, scheme, answers, seconds)
    return found


def _blocks(job: Job, scheme: int, answers: Answers, seconds: float) -> list[FitBlock]:
    """Return a block for each run of splits that need no fit of their own; the watched one is fitted."""
    splits = job.known_splits
    rows, sizes = splits.tested
    repeat, fold = splits.all_numbers
    baselines, starts = _baselines(job), np.cumsum(sizes) - sizes
    fitted = answers.refit.copy()
    if job.watched is not None:
        fitted[job.watched] = True
    order = splits.judged_first
    edges = np.flatnonzero(np.diff(np.concatenate([[True], fitted[order], [True]])))
    made = []
    for first, last in edges.reshape(-1, 2).tolist():
        these = order[first:last]
        own = sizes[these]
        mine = np.arange(own.sum()) + np.repeat(starts[these] - (np.cumsum(own) - own), own)
        made.append(
            FitBlock(
                scheme, these, repeat[these], fold[these], splits.n - own, rows[mine],
                own, _cut(answers.output, mine), baselines[these], seconds,
            )
        )  # fmt: skip
    return made


def _baselines(job: Job) -> Floats:
    """Return the priors of the classes, or the mean, of each training part: of all that is not tested."""
    data, splits = job.data, job.known_splits
    split = np.repeat(np.arange(len(splits)), splits.test_sizes)
    rows = splits.tested[0]
    left = data.n - splits.test_sizes
    if data.codes is None:
        shift = data.y.mean()
        tested = np.bincount(split, data.y[rows] - shift)
        return np.asarray(shift + ((data.y - shift).sum() - tested) / left)
    k = len(data.classes)
    tested = np.bincount(split * k + data.codes[rows], minlength=len(splits) * k).reshape(-1, k)
    return np.asarray((np.bincount(data.codes, minlength=k) - tested) / left[:, None])


def _cut(output: ModelOutput, rows: Indices) -> ModelOutput:
    """Return the part of an output that belongs to one split, labels as places in the classes.

    A shortcut vouches that the most probable class, of equal votes the first, is the label.
    """
    if output.probability is None:
        value = None if output.value is None else output.value[rows]
        return ModelOutput(output.source, output.label, None, output.score, value)
    probability = output.probability[rows]
    return ModelOutput(output.source, probability.argmax(axis=1), probability, output.score)
