"""One scheme on one split: fitted, asked for its predictions, timed. What fails comes back as data."""

from __future__ import annotations

import time
import traceback
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, Indices
from credibly._core.findings import Finding
from credibly._core.interruption import DEFAULT_HANDLERS, SIGNAL_EXIT_BASE
from credibly._core.text import beginning, count, shown
from credibly.errors import DataError
from credibly.resampling import Split
from credibly.schemes import fitted, outputs, seeded, take_rows
from credibly.schemes.prediction import last_step

if TYPE_CHECKING:
    from credibly.resampling import Splits
    from credibly.running.data import Data
    from credibly.schemes import ModelOutput


# How far rounding may take a sum of probabilities from 1.
SINGLE_ROUNDING, DOUBLE_ROUNDING = 1e-5, 1e-9
MAX_OWN_ROWS = 1000  # rows of its training part at which a model is looked at
MAX_SHARED_ROWS = 200  # rows at which the models of a cross-validation are compared
# Of a program that a signal told to end.
SIGNAL_EXIT_CODES = {SIGNAL_EXIT_BASE + number for number in DEFAULT_HANDLERS}
# The place of the fit on all rows, which a bootstrap needs beside its replicates.
ALL_ROWS_PLACE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """All that tasks share: data, splits, and the estimators that are cloned for every fit."""

    names: tuple[str, ...]
    estimators: tuple[Any, ...]
    data: Data
    splits: Splits | None  # not sent to workers, which get those of their tasks
    seed: int | None
    with_replacement: bool
    random: tuple[bool, ...]  # whether an estimator has a random_state that was left open
    named: tuple[bool, ...] = ()  # whether a scheme goes by its name, and encodes what it is given
    with_training: bool = False  # whether training parts are predicted as well
    unseeded: bool = False  # whether no seed was given
    unnamed: bool = False  # whether no scheme was named
    watched: int | None = None  # the split whose models predict their own rows as well
    compared: bool = (
        False  # whether the models of the first cross-validation predict rows that they share
    )

    def split(self, place: int) -> Split:
        """Return a split; :data:`ALL_ROWS_PLACE` trains and tests on every row."""
        if place == ALL_ROWS_PLACE:
            rows = np.arange(self.data.n)
            return Split(rows, rows, ALL_ROWS_PLACE, ALL_ROWS_PLACE)
        return self.known_splits[place]

    @property
    def known_splits(self) -> Splits:
        """The splits, where they are known: not in a worker."""
        if self.splits is None:
            raise RuntimeError("A worker has the splits of its tasks alone.")
        return self.splits

    @property
    def places(self) -> list[int]:
        """The splits to be fitted."""
        return [
            *range(len(self.known_splits)),
            *([ALL_ROWS_PLACE] if self.with_replacement else []),
        ]


@dataclass(frozen=True, slots=True, eq=False)
class TaskResult:
    """The answer of one task; without ``output`` it failed, and ``error`` says how."""

    scheme: int
    place: int
    repeat: int
    fold: int
    n_train: int
    rows: Indices
    times: NDArray[Any]  # how often each row is in the training part
    validation: int = 0  # how many of the rows, the last ones, are of a validation part
    output: ModelOutput | None = None
    fit_seconds: float = 0.0
    predict_seconds: float = 0.0
    baseline: NDArray[np.float64] | None = None  # priors or mean of the training part
    error: str = ""
    out_of_memory: bool = False
    trace: str = ""
    warned: tuple[str, ...] = ()
    said: tuple[Finding, ...] = ()  # by the fitted model itself
    chosen: str = ""  # parameters, by a search inside the training part
    own_losses: Floats | None = None  # of rows that the model was fitted to, where it is looked at
    shared_losses: Floats | None = None  # of rows that models of folds share; NaN of rows held out
    # of the rows that a model was fitted to, where it is looked at: whether a class has a probability of 0,
    # and how many different predictions there are, beside labels
    impossible: bool = False
    different: int = 0

    @classmethod
    def of(
        cls, scheme: int, place: int, split: Split, rows: Indices, times: NDArray[Any], **more: Any
    ) -> TaskResult:
        """Return a result for some rows of a split."""
        n_train = len(split.train)
        return cls(scheme, place, split.repeat, split.fold, n_train, rows, times, **more)

    @property
    def n_test(self) -> int:
        """How many rows were predicted that were neither trained on nor kept for validation."""
        return len(self.times) - int(np.count_nonzero(self.times)) - self.validation

    @property
    def sizes(self) -> Indices:
        """How many rows were predicted, as of a block of one fit."""
        return np.array([len(self.rows)], np.intp)

    @property
    def baselines(self) -> Floats:
        """The baseline as of a block of one fit."""
        return np.asarray(self.baseline)[None]


@dataclass(frozen=True, slots=True, eq=False)
class FitBlock:
    """The answers of many tasks of one scheme at once, one split after the other, without fits of their own."""

    scheme: int
    places: Indices  # of the splits
    repeat: Indices
    fold: Indices
    n_train: Indices
    rows: Indices  # of all splits
    sizes: Indices  # of the splits
    output: ModelOutput
    baselines: Floats
    fit_seconds: float

    # What comes of a fit of its own alone.
    validation: ClassVar[int] = 0
    error: ClassVar[str] = ""
    warned: ClassVar[tuple[str, ...]] = ()
    said: ClassVar[tuple[Finding, ...]] = ()
    impossible: ClassVar[bool] = False
    different: ClassVar[int] = 0
    own_losses: ClassVar[None] = None
    shared_losses: ClassVar[None] = None

    @property
    def place(self) -> int:
        """The place of the first split."""
        return int(self.places[0])

    @property
    def times(self) -> NDArray[Any]:
        """How often each row is in the training part: never."""
        return np.broadcast_to(0, len(self.rows))


FitResult = TaskResult | FitBlock


def judged_rows(job: Job, split: Split) -> Indices:
    """Return the rows to predict: the test part, behind it a validation part; all for a bootstrap."""
    if job.with_replacement:
        return np.arange(job.data.n)
    parts = [split.train, split.test] if job.with_training else [split.test]
    return np.concatenate(parts if split.validation is None else [*parts, split.validation])


def times_trained(split: Split, rows: Indices, n: int) -> NDArray[Any]:
    """Return how often each of some rows is in the training part."""
    return np.bincount(split.train, minlength=n)[rows]


def baseline_of(data: Data, train: Indices) -> NDArray[np.float64]:
    """Return the priors of the classes in a training part, or the mean of its numbers."""
    weight = np.ones(len(train)) if data.weight is None else data.weight[train]
    if data.codes is None:
        return np.asarray(np.average(data.y[train], weights=weight))
    share = np.bincount(data.codes[train], weight, len(data.classes))
    return np.asarray(share / share.sum())


def run_task(job: Job, scheme: int, place: int, split: Split) -> TaskResult:
    """Fit one scheme on one training part and predict."""
    rows = judged_rows(job, split)
    times = times_trained(split, rows, job.data.n)
    facts: dict[str, Any] = {"validation": 0 if split.validation is None else len(split.validation)}
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            facts |= _fit_and_predict(job, scheme, place, split, rows)
        except (Exception, SystemExit) as error:
            if isinstance(error, SystemExit) and error.code in SIGNAL_EXIT_CODES:
                raise
            facts["error"] = f"{type(error).__name__}: {_first_lines(error)}"
            facts["out_of_memory"] = isinstance(error, MemoryError)
            facts["trace"] = traceback.format_exc()
    facts["warned"] = tuple(dict.fromkeys(_first_lines(w.message) for w in heard))
    return TaskResult.of(scheme, place, split, rows, times, **facts)


def _fit_and_predict(
    job: Job, scheme: int, place: int, split: Split, rows: Indices
) -> dict[str, Any]:
    data = job.data
    weight = None if data.weight is None else data.weight[split.train]
    estimator = job.estimators[scheme]
    if job.random[scheme] and job.seed is not None:
        estimator = _with_seed(estimator, job.seed, split)
    begin = time.perf_counter()
    X = data.inputs(named=job.named[scheme])
    group = None if data.group is None else data.group[split.train]
    model = fitted(
        job.names[scheme], estimator, take_rows(X, split.train), data.y[split.train], weight, group
    )
    middle = time.perf_counter()
    classes = data.classes if data.task == "classification" else None
    output = predicted(model, take_rows(X, rows), classes)
    end = time.perf_counter()
    return {
        **_looked_at(job, model, X, place, split),
        "output": output,
        "fit_seconds": middle - begin,
        "predict_seconds": end - middle,
        "said": tuple(getattr(last_step(model), "findings_", ())),
        "baseline": baseline_of(data, split.train),
        "chosen": chosen_by(last_step(model)),
    }


def _looked_at(job: Job, model: Any, X: Any, place: int, split: Split) -> dict[str, Any]:
    """Return the losses of rows that a model was fitted to, where it is looked at."""
    facts: dict[str, Any] = {}
    if place == job.watched:
        facts["own_losses"], made = _losses(job.data, model, X, own_rows(split.train))
        if made is not None and made.value is not None:
            facts["different"] = len(np.unique(made.value))
        elif made is not None and made.probability is not None:
            facts["different"] = len(np.unique(made.probability, axis=0))
            facts["impossible"] = bool((made.probability <= 0).any())
    if job.compared and split.repeat == 0 and not split.inner:
        rows = shared_rows(job.data.n)
        fitted_to = np.isin(rows, split.train)
        own, _ = _losses(job.data, model, X, rows[fitted_to])
        if own is not None:
            facts["shared_losses"] = np.full(len(rows), np.nan)
            facts["shared_losses"][fitted_to] = own
    return facts


def _losses(
    data: Data, model: Any, X: Any, rows: Indices
) -> tuple[Floats | None, ModelOutput | None]:
    """Return the losses of some rows, and what is predicted of them; nothing where a model cannot predict these."""
    classes = data.classes if data.task == "classification" else None
    try:
        made = predicted(model, take_rows(X, rows), classes)
        return case_losses(data, made, rows), made
    except Exception:
        return None, None


def chosen_by(model: Any) -> str:
    """Write the parameters, or the threshold, that a search chose when it was fitted; nothing of others.

    >>> from types import SimpleNamespace
    >>> chosen_by(SimpleNamespace(best_params_={"max_depth": 2, "criterion": "gini"}))
    "max_depth=2, criterion='gini'"
    """
    found = dict(getattr(model, "best_params_", None) or {})
    if getattr(model, "best_threshold_", None) is not None:
        found["threshold"] = float(f"{model.best_threshold_:.4g}")
    return ", ".join(f"{name}={shown(value)}" for name, value in found.items())


def _with_seed(estimator: Any, seed: int, split: Split) -> Any:
    """Give every fit its own seed, which depends on nothing but the run's seed and the split."""
    from sklearn.base import clone

    numbers = [seed, split.repeat + 1, (split.fold + 1) % 2**32]  # inner folds are below 0
    state = np.random.SeedSequence(numbers).generate_state(1)
    return seeded(clone(estimator), int(state[0]))


def has_open_seed(estimator: Any) -> bool:
    """Whether some ``random_state`` of an estimator was left open."""
    found = estimator.get_params(deep=True)
    return any(v is None and k.rpartition("__")[2] == "random_state" for k, v in found.items())


def predicted(model: Any, X: Any, classes: Sequence[Any] | None) -> ModelOutput:
    """Predict, and check it here, where a fault is that of one fit; labels become places in ``classes``."""
    output = outputs(model, X, classes)
    if classes is None:
        _check_finite(output.value, "values")
        return output
    if output.score is not None:
        _check_finite(output.score, "scores")
    probability = None if output.probability is None else _normal(output.probability)
    return replace(output, probability=probability, label=_places(output.label, classes))


def _check_finite(column: NDArray[Any] | None, what: str) -> None:
    bad = 0 if column is None else int((~np.isfinite(column)).sum())
    if bad:
        raise DataError(f"its {what} are not finite in {count(bad, 'case')}.")


def _normal(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correct the rounding of single precision in probabilities; refuse anything else that is not a probability."""
    _check_finite(probability, "probabilities")
    sums = probability.sum(axis=1, keepdims=True)
    if (
        probability.min(initial=0) < -SINGLE_ROUNDING
        or np.abs(sums - 1).max(initial=0) > SINGLE_ROUNDING
    ):
        raise DataError("its probabilities are negative or do not sum to 1.")
    exact = probability.min(initial=0) >= 0 and np.abs(sums - 1).max(initial=0) <= DOUBLE_ROUNDING
    return probability if exact else np.clip(probability, 0, None) / sums


def _places(label: Any, classes: Sequence[Any]) -> NDArray[np.intp]:
    """Return the place of each label among the classes."""
    names = np.array(classes)
    order = np.argsort(names, kind="stable")
    given = np.asarray(label)
    given = given.astype(str) if names.dtype.kind == "U" else given
    found = order[np.minimum(np.searchsorted(names[order], given), len(names) - 1)]
    strange = given[names[found] != given]
    if strange.size:
        raise DataError(f"it predicts {strange.tolist()[0]!r}, which is not one of the classes.")
    return found


def _first_lines(said: object) -> str:
    """The first sentence or two of a message that may be a page long."""
    if isinstance(said, SystemExit):
        return f"the scheme tried to end the program (sys.exit({said.code!r}))."
    return beginning(said)


def own_rows(train: Indices) -> Indices:
    """Return rows of a training part, evenly spaced where there are many."""
    return train[:: -(-len(train) // MAX_OWN_ROWS) or 1]


def shared_rows(n: int) -> Indices:
    """Return the rows at which the models of a cross-validation are compared, evenly spaced where there are many."""
    return np.arange(0, n, -(-n // MAX_SHARED_ROWS))


def case_losses(data: Data, output: ModelOutput, rows: Indices) -> Floats:
    """Return the squared error of each row, of classes the Brier score, or whether the label is wrong."""
    if output.value is not None:
        with np.errstate(over="ignore"):
            return np.square(output.value - data.y[rows])
    truth = np.asarray(data.codes)[rows]
    if output.probability is None:
        return (np.asarray(output.label) != truth).astype(np.float64)
    return np.square(output.probability - np.eye(len(data.classes))[truth]).sum(axis=1)
