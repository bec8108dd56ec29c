"""What tests read, where values are all there is: by fold, by dataset, or their means and variances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike

from credibly._core.arrays import REAL_LINE, Floats
from credibly._core.doors import checked_fields
from credibly._core.text import count, some_rows
from credibly.errors import DataError, MissingColumnError, ParameterError, says
from credibly.predictions.labels import as_array
from credibly.results.about import About
from credibly.results.result import Plotted

if TYPE_CHECKING:
    from credibly.comparisons.assumptions import Standing
    from credibly.comparisons.result import Stands

MAX_VALUE = 1e150


class ComparisonEvidence(Protocol):
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
class PairedValues(Plotted):
    """Values of one measure for two models, pair by pair; ``about`` says what the pairs differ in.

    ``within`` are the ends between which values must lie, where they are known.
    """

    about: ClassVar[About] = "datasets"
    mean_over: ClassVar[str] = "data sets"
    independence: ClassVar[tuple[Stands, str]] = (
        "unknown",
        "This holds if each pair has its own cases.",
    )

    a: Floats
    b: Floats
    names: tuple[str, ...] = ("first", "second")
    measure_name: str = "value"
    direction: str = "neither"
    within: tuple[float, float] = field(default=REAL_LINE, kw_only=True)

    def __post_init__(self) -> None:
        _set(self, "a", _numbers(self.a, self.names[0], self.mean_over))
        _set(self, "b", _numbers(self.b, self.names[1], self.mean_over))
        if self.a.size != self.b.size:
            raise DataError(
                f"Pairs need the same number of values of {self.names[0]} and of {self.names[1]}; got {self.a.size} and {self.b.size}. Use unpaired_t for values that are not paired."
            )

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

    @property
    def stands(self) -> Standing:
        """Whether the assumptions of tests hold for these values."""
        return {"independent": self.independence}

    @property
    def difference(self) -> float:
        """The mean difference."""
        return float(self.differences.mean())


@dataclass(frozen=True, slots=True, eq=False)
class FoldValues(PairedValues):
    """Values of one measure for two models, fold by fold on the same splits.

    ``test_train_ratio`` is the size of a test part over that of its training part (None where it is
    not known), ``repeats`` how often the data were split again and ``folds`` how many folds a repeat
    has; values are ordered by repeat, then by fold.
    """

    about: ClassVar[About] = "training"
    mean_over: ClassVar[str] = "folds"

    test_train_ratio: float | None = None
    repeats: int = 1
    folds: int | None = None

    @property
    def stands(self) -> Standing:
        """Folds share training cases; splits are the same if they were read from predictions."""
        again = f"{self.repeats} repeats use the same cases."
        shared = again if self.repeats > 1 else "Folds share training cases."
        found: Standing = {"independent": ("violated", shared)}
        if self.folds is not None:
            found["splits"] = ("holds", "Read from the predictions.")
        return found


@dataclass(frozen=True, slots=True, eq=False)
class IndependentValues(PairedValues):
    """Values of one measure for two models on data sets of one kind that share no case."""

    independence = ("holds", "Each pair has its own training and test cases.")


@dataclass(frozen=True, slots=True, eq=False)
class FoldTable:
    """Values of one measure for several models (columns), fold by fold (rows) on the same splits.

    Where they are ``independent``, each row is of a data set of its own, which shares no case with
    others.

    >>> table = FoldTable(np.array([[0.9, 0.8, 0.7], [0.8, 0.8, 0.6]]), ("a", "b", "c"))
    >>> table.pair(0, 2).differences.round(9).tolist()
    [0.2, 0.2]
    """

    table: Floats
    names: tuple[str, ...]
    measure_name: str = "value"
    direction: str = "neither"
    test_train_ratio: float | None = None
    repeats: int = 1
    independent: bool = False
    within: tuple[float, float] = REAL_LINE
    folds: int | None = None

    def pair(self, first: int, second: int) -> PairedValues:
        """Return the values of two models, fold by fold."""
        a, b = self.table[:, first], self.table[:, second]
        told = a, b, (self.names[first], self.names[second]), self.measure_name, self.direction
        if self.independent:
            return IndependentValues(*told, within=self.within)
        overlap = self.test_train_ratio, self.repeats, self.folds
        return FoldValues(*told, *overlap, within=self.within)


@dataclass(frozen=True, slots=True, eq=False)
class DatasetTable:
    """Values of one measure for several schemes (columns) on several datasets (rows).

    >>> results = {"data": ["iris", "glass"], "tree": [0.95, 0.70], "bayes": [0.96, 0.55]}
    >>> table = DatasetTable.of(results, datasets="data", measure="accuracy")
    >>> table.names, table.datasets, table.direction
    (('tree', 'bayes'), ('iris', 'glass'), 'higher')
    """

    about: ClassVar[About] = "datasets"
    mean_over: ClassVar[str] = "data sets"
    table: Floats
    names: tuple[str, ...]
    datasets: tuple[object, ...] = ()
    measure_name: str = "value"
    direction: str = "higher"

    def __post_init__(self) -> None:
        _set(self, "table", _floats(self.table, "the table"))
        _set(self, "datasets", tuple(self.datasets) or tuple(range(1, len(self.table) + 1)))
        _check_table(self)

    @classmethod
    def of(
        cls,
        data: Any,  # noqa: ANN401
        *,
        datasets: str | None = None,
        columns: Sequence[str] | None = None,
        measure: str = "value",
        direction: str | None = None,
    ) -> DatasetTable:
        """Take a dictionary or a frame with one column per scheme; ``datasets`` is the one of their names.

        Which way is better is that of the measure if it is a registered one, else higher.
        """
        found = {str(k): v for k, v in _columns(data).items()}
        chosen = [name for name in found if name != datasets] if columns is None else list(columns)
        for name in [*chosen, *([datasets] if datasets else [])]:
            if name not in found:
                raise MissingColumnError(
                    f"The table has no column {name!r}; it has: {', '.join(found)}.",
                    asked=name,
                    choices=found,
                )
        values = [_floats(found[name], name) for name in chosen]
        if len({v.size for v in values}) > 1:
            sizes = ", ".join(f"{n} {v.size}" for n, v in zip(chosen, values, strict=True))
            raise DataError(f"The columns of a table must have the same length; got {sizes}.")
        named = tuple(found[datasets]) if datasets else ()
        if direction is None:
            from credibly.measures import measures

            known = measures.of_values(measure)
            direction = known.direction if known else "higher"
        table = np.column_stack(values) if values else np.empty((0, 0))
        return cls(table, tuple(chosen), named, measure, direction)

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


@checked_fields
@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Means and variances (divisor n - 1) over independent runs of two models, as papers print them.

    >>> Moments.of([0.8, 0.9, 0.7], [0.6, 0.7]).sizes
    (3, 2)
    """

    about: ClassVar[About] = "training"
    mean_over: ClassVar[str] = "runs"

    means: tuple[float, float]
    variances: tuple[float, float]
    sizes: tuple[int, int]
    names: tuple[str, ...] = ("first", "second")
    measure_name: str = "value"
    direction: str = "neither"

    def __post_init__(self) -> None:
        told = (self.means, self.variances, self.sizes)
        pairs = all(len(each) == 2 for each in (*told, self.names))
        known = np.isfinite([v for each in told for v in each]).all()
        counted = all(size >= 2 and size == round(size) for size in self.sizes) if known else False
        if not pairs or not counted or min(self.variances) < 0:
            raise DataError(
                f"Each model needs a mean, a variance of at least 0 and at least two values; got means {self.means}, variances {self.variances}, sizes {self.sizes}."
            )

    @classmethod
    def of(
        cls, a: ArrayLike, b: ArrayLike, names: tuple[str, ...] = ("first", "second"), **more: str
    ) -> Moments:
        """Reduce the values of two models, which need not be equally many."""
        x, y = _numbers(a, names[0]), _numbers(b, names[1])
        return cls(
            (float(x.mean()), float(y.mean())),
            (float(x.var(ddof=1)), float(y.var(ddof=1))),
            (x.size, y.size),
            names,
            **more,
        )

    @property
    def n(self) -> float:
        """How many values there are."""
        return float(sum(self.sizes))

    @property
    def values(self) -> tuple[float, ...]:
        """The means."""
        return self.means


def _set(evidence: object, name: str, value: object) -> None:
    object.__setattr__(evidence, name, value)  # while a frozen object is being made


def _columns(data: Any) -> dict[Any, Any]:  # noqa: ANN401
    if isinstance(data, Mapping):
        return dict(data)
    import narwhals.stable.v2 as nw

    try:
        return nw.from_native(data, eager_only=True).to_dict(as_series=False)
    except TypeError:
        raise ParameterError(
            f"A table of values is a dictionary of columns or a frame of pandas, polars or pyarrow; got {type(data).__name__}."
        ) from None


def _floats(values: Any, name: str) -> Floats:  # noqa: ANN401
    """Return an array of numbers, NaN where one is missing."""
    try:
        given = values if hasattr(values, "__array__") else list(values)
        return np.array(as_array(given, name), np.float64)  # None becomes NaN
    except (TypeError, ValueError):
        raise DataError(
            f"{name} holds something other than numbers, or rows of different lengths.",
            remedy=says(
                "Name the columns of the schemes with <columns=...> and the column of the datasets with <datasets=...>."
            ),
        ) from None


def _numbers(values: ArrayLike, name: str, places: str = "rows") -> Floats:
    numbers = _floats(values, name)
    if numbers.ndim != 1 or numbers.size < 2:
        raise DataError(
            f"A comparison of values needs a list of at least two values per model; {name} has the shape {numbers.shape}. One fold or one dataset says nothing about others: compare the predictions of its cases instead."
        )
    bad = np.flatnonzero(~np.isfinite(numbers))
    if bad.size:
        raise DataError(
            f"The values of {name} are not finite in {some_rows(bad.tolist(), noun=places.removesuffix('s'))}: the measure is undefined there. Leave such pairs out only if that is what you want to know."
        )
    if np.abs(numbers).max() > MAX_VALUE:
        raise DataError(
            f"The squares of values up to {np.abs(numbers).max():.3g} are too large for a double. Divide them by a constant."
        )
    return numbers


def _check_table(evidence: DatasetTable) -> None:
    table, names, datasets = evidence.table, evidence.names, evidence.datasets
    if table.ndim != 2 or table.shape != (len(datasets), len(names)):
        raise DataError(
            f"A table needs one row per dataset ({len(datasets)}) and one column per scheme ({len(names)}); got the shape {table.shape}."
        )
    if len(set(names)) < len(names) or len(set(datasets)) < len(datasets):
        raise DataError(
            "A table must name each scheme and each dataset once; some name occurs twice."
        )
    if min(table.shape) < 2:
        raise DataError(
            f"A comparison over datasets needs at least two datasets and two schemes; got {count(len(datasets), 'dataset')} and {count(len(names), 'scheme')}."
        )
    bad = np.argwhere(~np.isfinite(table))
    if bad.size:
        row, column = bad[0]
        raise DataError(
            f"The table has {count(len(bad), 'value')} that is not a finite number, first {names[column]} on {datasets[row]}. Ranks need a value of every scheme on every dataset: leave out this dataset or this scheme."
        )
