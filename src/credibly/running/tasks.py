"""One scheme on one split: fitted, asked for its predictions, timed. What fails comes back as data."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly.resampling import Split
from credibly.schemes import fitted, outputs, seeded, take_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from credibly.resampling import Splits
    from credibly.running.data import Data
    from credibly.schemes import Output

    Indices = NDArray[np.intp]

ALL = -1  # the place of the fit on all rows, which a bootstrap needs beside its replicates


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """All that tasks share: data, splits, and the estimators that are cloned for every fit."""

    names: tuple[str, ...]
    estimators: tuple[Any, ...]
    data: Data
    splits: Splits
    seed: int | None
    with_replacement: bool

    def split(self, place: int) -> Split:
        """Return a split; :data:`ALL` trains and tests on every row."""
        if place == ALL:
            rows = np.arange(self.data.n)
            return Split(rows, rows, ALL, ALL)
        return self.splits[place]

    @property
    def places(self) -> list[int]:
        """The splits to be fitted."""
        return [*range(len(self.splits)), *([ALL] if self.with_replacement else [])]


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """What came of one task; without ``output`` it failed, and ``error`` says how."""

    scheme: int
    place: int
    repeat: int
    fold: int
    n_train: int
    rows: Indices
    times: NDArray[Any]  # how often each row is in the training part
    validation: int = 0  # how many of the rows, the last ones, are of a validation part
    output: Output | None = None
    fit_seconds: float = 0.0
    predict_seconds: float = 0.0
    shortcut: bool = False  # whether it was had without a fit of its own
    error: str = ""
    warned: tuple[str, ...] = ()


def judged_rows(job: Job, split: Split) -> Indices:
    """Return the rows to predict: the test part, behind it a validation part; all for a bootstrap."""
    if job.with_replacement:
        return np.arange(job.data.n)
    if split.validation is None:
        return split.test
    return np.concatenate([split.test, split.validation])


def times_trained(split: Split, rows: Indices, n: int) -> NDArray[Any]:
    """Return how often each of some rows is in the training part."""
    return np.bincount(split.train, minlength=n)[rows]


def run_task(job: Job, scheme: int, place: int) -> Result:
    """Fit one scheme on one training part and predict."""
    split = job.split(place)
    rows = judged_rows(job, split)
    facts: dict[str, Any] = {
        "scheme": scheme,
        "place": place,
        "repeat": split.repeat,
        "fold": split.fold,
        "n_train": len(split.train),
        "rows": rows,
        "times": times_trained(split, rows, job.data.n),
        "validation": 0 if split.validation is None else len(split.validation),
    }
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            facts |= _fit_and_predict(job, scheme, split, rows)
        except Exception as error:
            facts["error"] = f"{type(error).__name__}: {_first_lines(error)}"
    facts["warned"] = tuple(dict.fromkeys(_first_lines(w.message) for w in heard))
    return Result(**facts)


def _fit_and_predict(job: Job, scheme: int, split: Split, rows: Indices) -> dict[str, Any]:
    data = job.data
    weight = None if data.weight is None else data.weight[split.train]
    estimator = job.estimators[scheme]
    if job.seed is not None:
        estimator = _with_seed(estimator, job.seed, split)
    begin = time.perf_counter()
    model = fitted(
        job.names[scheme], estimator, take_rows(data.X, split.train), data.y[split.train], weight
    )
    middle = time.perf_counter()
    classes = data.classes if data.task == "classification" else None
    output = predicted(model, take_rows(data.X, rows), classes)
    end = time.perf_counter()
    return {"output": output, "fit_seconds": middle - begin, "predict_seconds": end - middle}


def _with_seed(estimator: Any, seed: int, split: Split) -> Any:
    """Give every fit its own seed, which depends on nothing but the run's seed and the split."""
    from sklearn.base import clone

    if not has_open_seed(estimator):
        return estimator
    state = np.random.SeedSequence([seed, split.repeat + 1, split.fold + 1]).generate_state(1)
    return seeded(clone(estimator), int(state[0]))


def has_open_seed(estimator: Any) -> bool:
    """Whether some ``random_state`` of an estimator was left open."""
    if not hasattr(estimator, "steps") and "random_state" not in estimator.get_params(deep=False):
        names = estimator.get_params(deep=False).values()
        if not any(hasattr(v, "get_params") for v in names):
            return False
    found = estimator.get_params(deep=True)
    return any(v is None and k.rpartition("__")[2] == "random_state" for k, v in found.items())


def predicted(model: Any, X: Any, classes: Sequence[Any] | None) -> Output:
    """Predict; where the model chose its own threshold, its labels are taken from it."""
    from dataclasses import replace

    output = outputs(model, X, classes)
    if classes is not None and (hasattr(model, "best_threshold_") or hasattr(model, "threshold")):
        return replace(output, label=np.asarray(model.predict(X)))
    return replace(output, label=None) if output.probability is not None else output


def _first_lines(said: object) -> str:
    """The first sentence or two of a message that may be a page long."""
    return " ".join(str(said).split())[:300]
