"""What tests read: predictions of models on the same cases, on other cases, values by fold or by dataset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from credibly._core.results import About
    from credibly.measures import Measure
    from credibly.predictions import Predictions

    Floats = NDArray[np.float64]


class Evidence(Protocol):
    """What every kind of evidence tells about itself."""

    @property
    def names(self) -> tuple[str, ...]:
        """The models, in the order in which they are compared."""

    @property
    def measure_name(self) -> str:
        """What is compared, as it is called in a result."""

    @property
    def n(self) -> float:
        """How many independent things there are: cases, folds, datasets."""

    @property
    def values(self) -> tuple[float, ...]:
        """The value of each model, or nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class PairedValues:
    """Values of one measure for two models, pair by pair; ``about`` says what the pairs differ in."""

    about: ClassVar[About] = "datasets"

    a: Floats
    b: Floats
    names: tuple[str, ...] = ("first", "second")
    measure_name: str = "value"
    direction: str = "neither"

    @property
    def n(self) -> float:
        """How many differences there are."""
        return float(self.a.size)

    @property
    def values(self) -> tuple[float, ...]:
        """The means over pairs."""
        return float(self.a.mean()), float(self.b.mean())

    @property
    def differences(self) -> Floats:
        """First minus second."""
        return self.a - self.b


@dataclass(frozen=True, slots=True, eq=False)
class FoldValues(PairedValues):
    """Values of one measure for two models, fold by fold on the same splits.

    ``test_train_ratio`` is the size of a test part over that of its training part (None where it is
    not known), ``repeats`` how often the data were split anew and ``folds`` how many folds a repeat
    has; values are ordered by repeat, then by fold.
    """

    about: ClassVar[About] = "training"

    test_train_ratio: float | None = None
    repeats: int = 1
    folds: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DatasetTable:
    """Values of one measure for several schemes (columns) on several datasets (rows)."""

    table: Floats
    names: tuple[str, ...]
    datasets: tuple[str, ...] = ()
    measure_name: str = "value"
    direction: str = "higher"

    @property
    def n(self) -> float:
        """How many datasets there are."""
        return float(len(self.table))

    @property
    def values(self) -> tuple[float, ...]:
        """The means over datasets."""
        return tuple(float(v) for v in self.table.mean(axis=0))

    def pair(self, first: int, second: int) -> PairedValues:
        """Return the values of two schemes, dataset by dataset."""
        names = (self.names[first], self.names[second])
        a, b = self.table[:, first], self.table[:, second]
        return PairedValues(a, b, names, self.measure_name, self.direction)


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Predictions of two or more models for the same cases, row by row, with the measure to compare."""

    models: tuple[Predictions, ...]
    names: tuple[str, ...]
    measure: Measure

    @property
    def n(self) -> float:
        """The weight of the cases."""
        return float(self.models[0].weights.sum())

    @property
    def measure_name(self) -> str:
        """The measure with its arguments."""
        return self.measure.call

    @property
    def values(self) -> tuple[float, ...]:
        """The measure of each model."""
        return tuple(self.measure.value(p) for p in self.models)
