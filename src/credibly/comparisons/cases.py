"""Evidence from predictions: of models on the same cases, on other cases, on some of the same cases, or of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import checked_fields
from credibly._core.words import count
from credibly.comparisons.assumptions import Standing, standing
from credibly.comparisons.evidence import FoldValues, IndependentValues
from credibly.errors import DataError, ParameterError, says
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct
from credibly.predictions.parts import size_ratio

if TYPE_CHECKING:
    from credibly.comparisons.evidence import PairedValues
    from credibly.measures import Measure
    from credibly.measures._declare import Average


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Predictions of two or more models for the same cases, row by row, and the measure to compare.

    >>> from credibly import Predictions
    >>> from credibly.measures import measures
    >>> a = Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0])
    >>> b = Predictions.of([1, 1, 0, 0], label=[1, 1, 1, 1])
    >>> Cases((a, b), ("a", "b"), measures["error_rate"]).values
    (0.25, 0.5)
    """

    models: tuple[Predictions, ...]
    names: tuple[str, ...]
    measure: Measure
    average: Average | None = None
    whole: Cases | None = None
    places: tuple[int, ...] = ()
    kept: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def n(self) -> float:
        """The weight of the cases."""
        return float(self.shared("n", lambda all_: all_.models[0].weights.sum()))

    @property
    def stands(self) -> Standing:
        """How what tests take for granted stands for these cases."""
        found: Standing = self.shared("standing", lambda all_: standing(*all_.models))
        return found

    @property
    def measure_name(self) -> str:
        """The measure with its arguments and average."""
        return named(self.measure, self.average, self.models[0])

    @property
    def direction(self) -> str:
        """Which way is better."""
        return self.measure.direction

    @property
    def values(self) -> tuple[float, ...]:
        """The measure of each model."""
        known = self.shared("values", lambda all_: [all_.value_of(p) for p in all_.models])
        return tuple(known[i] for i in self.at)

    def value_of(self, p: Predictions) -> float:
        """The measure of some predictions."""
        return value_of(p, self.measure, self.average)

    @property
    def difference(self) -> float:
        """First minus second."""
        first, second = self.values[:2]
        return first - second

    def pair(self, first: int, second: int) -> Cases:
        """Return two of the models, which share what was computed for all of them."""
        return Cases(
            (self.models[first], self.models[second]),
            (self.names[first], self.names[second]),
            self.measure,
            self.average,
            self,
            (first, second),
        )

    def shared(self, key: str, compute: Callable[[Cases], Any]) -> Any:  # noqa: ANN401
        """Compute once for all models what a test of each pair takes from it."""
        whole = self.whole or self
        if key not in whole.kept:
            whole.kept[key] = compute(whole)
        return whole.kept[key]

    @property
    def at(self) -> tuple[int, ...]:
        """Where the models stand among all of them."""
        return self.places or tuple(range(len(self.models)))


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Predictions of two models for cases of their own, which have nothing to do with each other."""

    models: tuple[Predictions, Predictions]
    names: tuple[str, ...]
    measure: Measure
    average: Average | None = None

    @property
    def n(self) -> float:
        """The weight of all cases."""
        return float(sum(p.weights.sum() for p in self.models))

    @property
    def measure_name(self) -> str:
        """The measure with its arguments and average."""
        return named(self.measure, self.average, self.models[0])

    @property
    def direction(self) -> str:
        """Which way is better."""
        return self.measure.direction

    @property
    def values(self) -> tuple[float, ...]:
        """The measure of each model."""
        return tuple(value_of(p, self.measure, self.average) for p in self.models)

    @property
    def difference(self) -> float:
        """First minus second."""
        first, second = self.values
        return first - second


@dataclass(frozen=True, slots=True, eq=False)
class Overlap(Samples):
    """Predictions of two models for cases of which some are the same.

    ``rows`` holds, for each model, the number of each of its cases in the union of both.
    """

    rows: tuple[NDArray[np.intp], ...] = ()

    @property
    def size(self) -> int:
        """How many cases there are in the union."""
        return int(max(r.max(initial=-1) for r in self.rows)) + 1

    @property
    def n(self) -> float:
        """How many cases there are in the union."""
        return float(self.size)


@dataclass(frozen=True, slots=True, eq=False)
class Single:
    """Predictions of one model, and the value with which its measure is compared."""

    model: Predictions
    names: tuple[str, ...]
    measure: Measure
    against: float
    average: Average | None = None

    @property
    def n(self) -> float:
        """The weight of the cases."""
        return float(self.model.weights.sum())

    @property
    def measure_name(self) -> str:
        """The measure with its arguments and average."""
        return named(self.measure, self.average, self.model)

    @property
    def direction(self) -> str:
        """Which way is better."""
        return self.measure.direction

    @property
    def values(self) -> tuple[float, ...]:
        """The measure of the model."""
        return (value_of(self.model, self.measure, self.average),)

    @property
    def difference(self) -> float:
        """The value minus that with which it is compared."""
        return self.values[0] - self.against


@checked_fields
@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """Two AUCs on the same cases, with the sizes of the classes and their correlation: as papers print them."""

    values: tuple[float, ...]
    positives: int
    negatives: int
    correlation: float
    names: tuple[str, ...] = ("first", "second")
    measure_name: str = "auc"
    direction: str = "higher"

    def __post_init__(self) -> None:
        if not all(0 <= v <= 1 for v in self.values) or not -1 <= self.correlation <= 1:
            raise ParameterError(
                f"AUCs lie between 0 and 1, a correlation between -1 and 1; got {self.values} and {self.correlation}."
            )
        if len(self.values) != len(self.names) or len(self.names) != 2:
            raise ParameterError(
                f"Areas are those of two models; got {len(self.values)} values and {len(self.names)} names."
            )
        if min(self.positives, self.negatives) < 1:
            raise ParameterError(
                f"An AUC needs cases of both classes; got {self.positives} positive and {self.negatives} negative ones."
            )

    @property
    def n(self) -> float:
        """How many cases there are."""
        return float(self.positives + self.negatives)


def value_of(p: Predictions, m: Measure, average: Average | None) -> float:
    """Return the measure of some predictions, averaged over classes if that was asked for."""
    return m.on(p, average)


def named(m: Measure, average: Average | None, p: Predictions) -> str:
    """Write a measure with its arguments and average, and whether it is about all classes.

    >>> from credibly import Predictions
    >>> from credibly.measures import measures
    >>> p = Predictions.of(list("abc"), label=list("abb"), positive="a")
    >>> [named(measures.parse(m), a, p) for m, a in (("fbeta(beta=2)", "macro"), ("mcc", None))]
    ['fbeta(beta=2), macro average', 'mcc, all classes']
    """
    return f"{m.call}, {average} average" if average else m.call + m.scope(p)


def values_by_part(cases: Cases) -> PairedValues:
    """Compute the measure on each independent data set where the cases come from several, else in each fold."""
    if not cases.models[0].design.independent:
        return fold_values(cases)
    values = cases.shared("data sets", _by_data_set)
    first, second = (values[i] for i in cases.at)
    told = cases.names, cases.measure_name, cases.direction
    return IndependentValues(first, second, *told, within=cases.measure.range)


def _by_data_set(cases: Cases) -> Floats:
    """Return values by model and data set: means over its folds, where it has several."""
    values, _, repeats = cases.shared("folds", _by_fold)
    p = cases.models[0]
    parts = [keys.get("repeat") for keys, _ in p.groups(_columns(p))]
    if repeats == 1:
        return values
    code = distinct(np.array(parts)).codes
    return np.array([np.bincount(code, each) / np.bincount(code) for each in values])


def fold_values(cases: Cases) -> FoldValues:
    """Compute the measure in each fold of a resampling, with how far training sets overlap.

    The size of the training parts is ``n_train``; where that is not known but the folds of a repeat
    hold each case once, all other cases trained the model.
    """
    values, ratio, repeats = cases.shared("folds", _by_fold)
    first, second = (values[i] for i in cases.at)
    folds = values.shape[1] // repeats if values.shape[1] % repeats == 0 else None
    told = cases.names, cases.measure_name, cases.direction
    overlap = ratio, repeats, folds
    return FoldValues(first, second, *told, *overlap, within=cases.measure.range)


def _columns(p: Predictions) -> list[str]:
    return [c for c in ("repeat", "fold") if getattr(p, c) is not None]


def _by_fold(cases: Cases) -> tuple[Floats, float | None, int]:
    """Return values by model and fold, the ratio of test to training size, and the repeats."""
    p = cases.models[0]
    columns = _columns(p)
    if not columns:
        raise DataError(
            "A test over folds needs to know them.",
            remedy=says("Set <fold=...> (and <repeat=...> where there are repeats)."),
        )
    parts = [[q for _, q in model.groups(columns)] for model in cases.models]
    values = np.array([[cases.value_of(q) for q in each] for each in parts])
    undefined = int(np.isnan(values).any(axis=0).sum())
    if undefined:
        raise DataError(
            f"{cases.measure.title} is undefined in {undefined} of {count(len(parts[0]), 'fold')}: "
            f"{cases.measure.why_undefined((q for each in parts for q in each), cases.average)}. Use fewer folds, or compare pooled cases by naming a test."
        )
    repeats = 1 if p.repeat is None else len(distinct(p.repeat).values)
    return values, _test_train_ratio(p, parts[0], repeats), repeats


def _test_train_ratio(p: Predictions, parts: list[Predictions], repeats: int) -> float | None:
    """Return the size of a test part over that of its training part, or nothing if it cannot be told."""
    if p.n_train is not None:
        return size_ratio(parts)
    rows = p.n / repeats if p.row is None else len(distinct(p.row).values)
    if (
        len(parts) > repeats and p.n == rows * repeats
    ):  # a cross-validation: each case once a repeat
        return p.n / sum(rows - q.n for q in parts)
    return None
