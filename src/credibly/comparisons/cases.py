"""Evidence from predictions: of models on the same cases, on other cases, on some of the same cases, or of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.averages import Average
from credibly._core.doors import checked_fields
from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.comparisons.assumptions import Standing, standing
from credibly.comparisons.evidence import FoldTable, PairedValues
from credibly.errors import DataError, ParameterError, says
from credibly.evaluation._declare import part_of
from credibly.evaluation.findings import LEFT_OUT_FOLDS
from credibly.measures import Measure
from credibly.measures._causes import why_undefined
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct
from credibly.predictions.numbering import part_columns
from credibly.predictions.parts import size_ratio


class PredictionEvidence:
    """What predictions of one or several models say of a measure."""

    __slots__ = ()
    models: tuple[Predictions, ...]
    measure: Measure
    average: Average | None

    @property
    def n(self) -> float:
        """How many cases there are."""
        return float(sum(p.cases for p in self.models))

    @property
    def stands(self) -> Standing:
        """Whether the assumptions of tests hold for these cases."""
        return standing(*self.models)

    @property
    def measure_name(self) -> str:
        """The measure with its arguments and average, and whether it is about all classes."""
        m = self.measure
        return (
            f"{m.call}, {self.average} average"
            if self.average
            else m.call + m.scope(self.models[0])
        )

    @property
    def direction(self) -> str:
        """Which way is better."""
        return self.measure.direction

    @property
    def values(self) -> tuple[float, ...]:
        """The measure of each model."""
        return tuple(self.measure.on(p, self.average) for p in self.models)

    @property
    def difference(self) -> float:
        """First minus second."""
        first, second = self.values[:2]
        return first - second


@dataclass(frozen=True, slots=True, eq=False)
class Cases(PredictionEvidence):
    """Predictions of two or more models for the same cases, row by row, and the measure to compare.

    >>> from credibly import Predictions
    >>> from credibly.measures import measures
    >>> a = Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0])
    >>> b = Predictions.of([1, 1, 0, 0], label=[1, 1, 1, 1])
    >>> Cases((a, b), ("a", "b"), measures["error_rate"]).values
    (0.25, 0.5)
    >>> c = [Predictions.of(list("abc"), label=list("abb"), positive="a")] * 2
    >>> [Cases(c, (), measures.parse(m), a).measure_name for m, a in (("fbeta(beta=2)", "macro"), ("mcc", None))]
    ['fbeta(beta=2), macro average', 'mcc, all classes']
    """

    models: tuple[Predictions, ...]
    names: tuple[str, ...]
    measure: Measure
    average: Average | None = None
    in_given_order: bool = False  # without identifiers by which rows were matched
    whole: Cases | None = None
    places: tuple[int, ...] = ()
    kept: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def n(self) -> float:
        """How many cases there are."""
        found: float = self.shared("cases", lambda all_: all_.models[0].cases)
        return found

    @property
    def stands(self) -> Standing:
        """Whether the assumptions of tests hold for these cases."""
        found: Standing = self.shared(
            "standing", lambda all_: standing(*all_.models, in_given_order=all_.in_given_order)
        )
        return found

    @property
    def values(self) -> tuple[float, ...]:
        """The measure of each model."""
        m = self.measure
        known = self.shared("values", lambda all_: [m.on(p, all_.average) for p in all_.models])
        return tuple(known[i] for i in self.at)

    def pair(self, first: int, second: int) -> Cases:
        """Return two of the models, which share what was computed for all of them."""
        models, names = (
            (self.models[first], self.models[second]),
            (self.names[first], self.names[second]),
        )
        return replace(self, models=models, names=names, whole=self, places=(first, second))

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
class Samples(PredictionEvidence):
    """Predictions of two models for cases of their own, which have nothing to do with each other."""

    models: tuple[Predictions, Predictions]
    names: tuple[str, ...]
    measure: Measure
    average: Average | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Overlap(Samples):
    """Predictions of two models for cases of which some are the same.

    ``rows`` holds, for each model, the number of each of its cases in the union of both.
    """

    rows: tuple[NDArray[np.intp], ...] = ()

    @property
    def n(self) -> float:
        """How many cases there are in the union."""
        return float(max(r.max(initial=-1) for r in self.rows)) + 1


@dataclass(frozen=True, slots=True, eq=False)
class Single(PredictionEvidence):
    """Predictions of one model, and the value with which its measure is compared."""

    model: Predictions
    names: tuple[str, ...]
    measure: Measure
    against: float
    average: Average | None = None

    @property
    def models(self) -> tuple[Predictions, ...]:  # type: ignore[override]
        """The one model."""
        return (self.model,)

    @property
    def difference(self) -> float:
        """The value minus that with which it is compared."""
        return self.values[0] - self.against


@checked_fields
@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """Two AUCs on the same cases, with the sizes of the classes and their correlation: as papers print them.

    ``models`` are the predictions that they were reduced from, where there are any.
    """

    values: tuple[float, ...]
    positives: int
    negatives: int
    correlation: float
    names: tuple[str, ...] = ("first", "second")
    measure_name: str = "auc"
    direction: str = "higher"
    models: tuple[Predictions, ...] = ()

    def __post_init__(self) -> None:
        if not all(0 <= v <= 1 for v in self.values) or not -1 <= self.correlation <= 1:
            raise ParameterError(
                f"AUCs must lie between 0 and 1 and a correlation between -1 and 1; got {self.values} and {self.correlation}."
            )
        if len(self.values) != len(self.names) or len(self.names) != 2:
            raise ParameterError(
                f"Areas need exactly two models; got {len(self.values)} values and {len(self.names)} names."
            )
        if min(self.positives, self.negatives) < 1:
            raise ParameterError(
                f"An AUC needs cases of both classes; got {self.positives} positive and {self.negatives} negative ones."
            )

    @property
    def n(self) -> float:
        """How many cases there are."""
        return float(self.positives + self.negatives)

    @property
    def stands(self) -> Standing:
        """That the cases are the same is taken on the word of the caller, who gave the correlation."""
        return {"same": ("holds", "")}


def values_by_part(cases: Cases) -> PairedValues:
    """Return the values of two models in each fold, or in each data set where these are independent."""
    table: FoldTable = cases.shared("folds", fold_table)
    first, second = cases.at
    return table.pair(first, second)


def fold_table(cases: Cases) -> FoldTable:
    """Compute the measure in each fold of a resampling, with how far training sets overlap.

    The size of the training parts is ``n_train``; where that is not known but the folds of a repeat
    hold each case once, all other cases trained the model. Of independent data sets with several folds
    each there are means over these.
    """
    p = cases.models[0]
    columns = part_columns(p)
    if not columns:
        raise DataError(
            "A test over folds needs a fold column.",
            remedy=says(
                "Set <fold=...> (and <repeat=...> if there are repeats); for models on one test set, "
                "leave <test> out."
            ),
        )
    parts = [[q for _, q in model.groups(columns)] for model in cases.models]
    values = np.array([[cases.measure.on(q, cases.average) for q in each] for each in parts])
    there = np.flatnonzero(~np.isnan(values).any(axis=0))
    by_chance = cases.measure.of_pairs and p.grouping is None and not p.design.independent
    if by_chance and there.size > 1:  # cases alone decide which folds hold both classes
        values, parts = values[:, there], [[each[i] for i in there] for each in parts]
    undefined = int(np.isnan(values).any(axis=0).sum())
    if undefined:
        raise DataError(
            f"{cases.measure.title} is undefined in {undefined} of {count(len(parts[0]), 'fold')}: "
            f"{why_undefined(cases.measure, (q for each in parts for q in each), cases.average)}. Use fewer folds, or compare pooled cases by naming a test."
        )
    repeats = p.repeats
    folds = values.shape[1] // repeats if values.shape[1] % repeats == 0 else None
    if p.design.independent and repeats > 1:
        code = distinct(np.array([keys["repeat"] for keys, _ in p.groups(columns)])).codes
        values = np.array([np.bincount(code, each) / np.bincount(code) for each in values])
    return FoldTable(
        values.T,
        cases.names,
        cases.measure_name,
        cases.direction,
        _test_train_ratio(p, parts[0], repeats),
        repeats,
        p.design.independent,
        cases.measure.range,
        folds,
    )


def folds_without_a_class(m: Measure, p: Predictions) -> tuple[Finding, ...]:
    """Say which folds are left out of a mean over pairs of cases, since some class has no case there."""
    counted = m.of_pairs and m.most is None  # and no number of pairs
    if p.fold is None or not counted or p.grouping is not None or p.design.independent:
        return ()
    part, classes = part_of(p), len(p.classes)
    sizes = np.bincount(part * classes + p.truth, minlength=(int(part.max()) + 1) * classes)
    lacking = int((sizes.reshape(-1, classes) == 0).any(axis=1).sum())
    folds = count(sizes.size // classes, "fold")
    facts = {"measure": m.title, "state": "undefined", "why": "a class has no case there"}
    some = 0 < lacking < sizes.size // classes
    return (LEFT_OUT_FOLDS(**facts, undefined=lacking, folds=folds),) if some else ()


def _test_train_ratio(p: Predictions, parts: list[Predictions], repeats: int) -> float | None:
    """Return the size of a test part over that of its training part; None if it is unknown."""
    if p.n_train is not None:
        return size_ratio(parts)
    rows = p.n / repeats if p.row is None else len(distinct(p.row).values)
    # A cross-validation: each case once a repeat.
    if len(parts) > repeats and p.n == rows * repeats:
        return p.n / sum(rows - q.n for q in parts)
    return None
