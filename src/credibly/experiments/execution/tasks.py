"""One cell of an experiment: a small specification that goes to a worker, and the answer that comes back."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from credibly._core.parameters import write_call
from credibly.experiments.analysis.results import WHOLE_TRAINING_PART, Status
from credibly.experiments.store.data import open_data
from credibly.measures import Measure, measures
from credibly.predictions import CostMatrix, Predictions
from credibly.predictions.lack import Lack
from credibly.resampling import Split, Splits
from credibly.running.assembly import predictions_of
from credibly.running.data import Data
from credibly.running.learning_curves import rows_of, shrunk
from credibly.running.tasks import ALL_ROWS_PLACE, Job, TaskResult, has_open_seed, run_task
from credibly.schemes import Scheme, as_scheme, build


@dataclass(frozen=True, slots=True, eq=False)
class FitSetting:
    """What all cells of a dataset share: where its data are, how they are split, and what is measured.

    A worker makes the splits again; those that no named rule makes (``resampling`` is empty) travel
    with their tasks.
    """

    data: str
    resampling: str
    seed: int
    size: float
    with_replacement: bool
    measures: tuple[str, ...]
    costs: CostMatrix | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One scheme on one split; ``key`` is the hash of all that its result depends on."""

    key: str
    setting: FitSetting
    scheme: Scheme
    place: int
    split: Split | None = None

    def the_split(self) -> Split:
        """Return the rows to train and to test on."""
        s = self.setting
        if self.split is not None:
            return self.split
        if self.place == ALL_ROWS_PLACE:
            rows = np.arange(open_data(s.data).n)
            return Split(rows, rows, ALL_ROWS_PLACE, ALL_ROWS_PLACE)
        return _splits(s.data, s.resampling, s.seed, s.size)[self.place]


@dataclass(frozen=True, slots=True, eq=False)
class FitAnswer:
    """What a task gave: the result of the fit, and the values of the measures."""

    key: str
    status: Status
    result: TaskResult
    values: Mapping[str, float] = field(default_factory=dict)


def answer(task: Task, clock: AbstractContextManager[None] | None = None) -> FitAnswer:
    """Carry out a task; a scheme that fails is an answer too. Fit and prediction go on within ``clock``."""
    data = open_data(task.setting.data)
    try:
        estimator = _estimator(task)
    except Exception as error:  # this scheme cannot be made for these data
        text = f"{type(error).__name__}: {error}"
        return failed(task, "error", text, traceback.format_exc())
    job = Job(
        names=(task.scheme.name,),
        estimators=(estimator,),
        data=data,
        splits=None,
        seed=task.setting.seed,
        with_replacement=task.setting.with_replacement,
        random=(has_open_seed(estimator),),
        named=(bool(task.scheme.entry),),
    )
    split = task.the_split()
    with clock or nullcontext():
        result = run_task(job, 0, task.place, split)
    if result.output is None:
        status: Status = "memory" if result.out_of_memory else "error"
        return FitAnswer(task.key, status, result)
    predictions = predictions_of(job, [result])
    return FitAnswer(task.key, "done", result, values_of(predictions, task.setting))


def _estimator(task: Task) -> Any:  # noqa: ANN401
    """Return the unfitted estimator; those of named schemes are kept, since making one reads all rows."""
    scheme = task.scheme
    if scheme.entry:
        return _named(task.setting.data, write_call(scheme.entry, scheme.parameters))
    data = open_data(task.setting.data)
    return build(scheme, data.task, data.X)


@lru_cache(maxsize=64)
def _named(home: str, call: str) -> Any:  # noqa: ANN401
    data = open_data(home)
    return build(as_scheme(call), data.task, data.inputs(named=True))


def failed(task: Task, status: Status, error: str, trace: str = "") -> FitAnswer:
    """Return the answer for a fit that did not come to its end."""
    split = task.the_split()
    times = np.zeros(len(split.test), np.int64)
    more = {"error": error, "trace": trace}
    result = TaskResult.of(0, task.place, split, split.test, times, **more)
    return FitAnswer(task.key, status, result)


def values_of(predictions: Predictions, setting: FitSetting) -> dict[str, float]:
    """Return the values of the measures on held-out rows; NaN where one does not apply.

    Of two classes neither of which is the positive one, the values of both are averaged.
    """
    values = {name: _value(_measure(name, setting.costs), predictions) for name in setting.measures}
    # What is derived may refer back to the predictions, which would then wait for the garbage collector.
    predictions.cache.clear()
    return values


def cannot_judge(name: str, p: Predictions, costs: CostMatrix | None) -> Lack | None:
    """Say what predictions lack for a measure; without a positive class, classes are averaged."""
    return _measure(name, costs).lacks(p, averaged=True)


def range_of(name: str, costs: CostMatrix | None) -> tuple[float, float]:
    """Return the ends between which a measure must lie under given costs."""
    return _measure(name, costs).range


def _measure(name: str, costs: CostMatrix | None) -> Measure:
    m = measures.parse(name)
    wants = costs is not None and any(q.name == "costs" for q in m.parameters)
    return m.given(costs=costs) if wants else m


def _value(m: Measure, p: Predictions) -> float:
    if m.lacks(p, averaged=True):
        return float("nan")
    return m.on(p, m.average_on(p, None))


def splits_of(data: Data, resampling: object, seed: int, size: float) -> Splits:
    """Cut the rows of a dataset, and train on a part of each training part where one is asked for."""
    splits = data.splits(resampling, seed)
    if size == WHOLE_TRAINING_PART:
        return splits
    whole = min(len(s.train) for s in splits)
    return shrunk(splits, rows_of(size, whole), data, seed)


@lru_cache(maxsize=32)
def _splits(data: str, resampling: str, seed: int, size: float) -> Splits:
    return splits_of(open_data(data), resampling, seed, size)
