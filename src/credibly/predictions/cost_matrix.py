"""What each kind of mistake costs, for all cases alike or for each by itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from credibly._core.arrays import Floats
from credibly._core.text import shown
from credibly.errors import DataError, ParameterError, says
from credibly.predictions.labelled_tables import Orientation, check_orientation, labelled_table
from credibly.predictions.labels import as_array, as_labels, shorten
from credibly.predictions.numbers import finite, frozen, same_length

# The outcomes of a yes or no by the place of their actual and their predicted class, negative first.
CELL_PLACES = {"tn": (0, 0), "fp": (0, 1), "fn": (1, 0), "tp": (1, 1)}
# What others call them, in the singular.
OUTCOME_NAMES = {
    **{name: name for name in CELL_PLACES},
    **dict.fromkeys(("true_negative", "correct_rejection"), "tn"),
    **dict.fromkeys(("false_positive", "false_alarm"), "fp"),
    **dict.fromkeys(("false_negative", "miss", "misses"), "fn"),
    **dict.fromkeys(("true_positive", "hit"), "tp"),
}
COST_SIGNS = {"cost": 1.0, "benefit": -1.0}


@dataclass(frozen=True, slots=True, eq=False)
class CostMatrix:
    """Costs by actual (row) and predicted (column) class; benefits are negative costs.

    >>> CostMatrix([[0, 1], [5, 0]], classes=["good", "bad"]).cost("bad", "good")
    5.0
    >>> CostMatrix.of([[0, 5], [1, 0]], ["good", "bad"], orientation="predicted").cost("bad", "good")
    5.0
    """

    values: Floats
    classes: tuple[Any, ...]

    def __post_init__(self) -> None:
        names = as_labels(self.classes)
        matrix = _numbers(self.values, "A cost matrix is a table of numbers")
        if matrix.shape != (len(names), len(names)):
            raise DataError(
                f"A cost matrix for the classes {shorten(names)} needs {len(names)} rows and "
                f"{len(names)} columns; this one has the shape {matrix.shape}."
            )
        _refuse_twice(names)
        if not np.isfinite(matrix).all():
            i, j = np.argwhere(~np.isfinite(matrix))[0]
            raise DataError(f"The cost of {names[i]!r} labelled {names[j]!r} is {matrix[i, j]}.")
        _settle(self, matrix, names)

    @classmethod
    def of(
        cls,
        values: ArrayLike,
        classes: Sequence[Any],
        *,
        orientation: Orientation = "actual",
        meaning: Literal["cost", "benefit"] = "cost",
    ) -> CostMatrix:
        """Read a square table; ``orientation`` says what its rows are, ``meaning`` its numbers."""
        check_orientation(orientation)
        if meaning not in tuple(COST_SIGNS):
            raise DataError(
                f"meaning says what the numbers are: 'cost' or 'benefit'; got {shown(meaning)}."
            )
        matrix = cls(values, classes)  # type: ignore[arg-type]
        turned = matrix.values if orientation == "actual" else matrix.values.T
        return cls(turned * COST_SIGNS[meaning] + 0.0, matrix.classes)

    @classmethod
    def binary(
        cls,
        *,
        tp: float = 0.0,
        fp: float = 0.0,
        fn: float = 0.0,
        tn: float = 0.0,
        negative: object = 0,
        positive: object = 1,
    ) -> CostMatrix:
        """Name the cost of each outcome of a yes or no.

        >>> CostMatrix.binary(fn=5, fp=1).cost(1, 0)
        5.0
        """
        return cls.of([[tn, fp], [fn, tp]], [negative, positive])

    def cost(self, actual: object, predicted: object) -> float:
        """Return the cost of labelling a case of one class as another."""
        order = _places(self.classes, [actual, predicted])
        return float(self.values[order[0], order[1]])

    def aligned(self, classes: Sequence[Any]) -> Floats:
        """Return the costs in the order of ``classes``, which it must all name."""
        order = _places(self.classes, classes)
        return self.values[np.ix_(order, order)]

    def __repr__(self) -> str:
        return f"CostMatrix({self.values.tolist()}, classes={list(self.classes)})"


@dataclass(frozen=True, slots=True, eq=False)
class RowCosts:
    """Costs that differ from row to row: a cost matrix for each.

    A parcel that goes astray costs what is in it:

    >>> costs = RowCosts.binary(fn=[20.0, 300.0, 5.0], fp=4.0)
    >>> costs.values[:, 1, 0].tolist(), costs.values[:, 0, 1].tolist()
    ([20.0, 300.0, 5.0], [4.0, 4.0, 4.0])
    """

    values: Floats
    classes: tuple[Any, ...]

    def __post_init__(self) -> None:
        names = as_labels(self.classes)
        array = _numbers(self.values, "Costs of each row are numbers")
        if array.ndim != 3 or array.shape[1:] != (len(names), len(names)):
            raise DataError(
                f"Costs of each row for the classes {shorten(names)} need the shape "
                f"(rows, {len(names)}, {len(names)}); these have {array.shape}."
            )
        _refuse_twice(names)
        finite(array.sum(axis=(1, 2)), "the cost")
        _settle(self, array, names)

    @classmethod
    def of(cls, values: ArrayLike, classes: Sequence[Any]) -> RowCosts:
        """Take costs by row, actual class and predicted class."""
        return cls(values, classes)  # type: ignore[arg-type]

    @classmethod
    def binary(
        cls,
        *,
        tp: ArrayLike = 0.0,
        fp: ArrayLike = 0.0,
        fn: ArrayLike = 0.0,
        tn: ArrayLike = 0.0,
        negative: object = 0,
        positive: object = 1,
    ) -> RowCosts:
        """Name the cost of each outcome of a yes or no: a number, or a column with one for each row."""
        cells = {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
        columns = {k: finite(np.atleast_1d(as_array(v, k)), k) for k, v in cells.items()}
        n = max(c.size for c in columns.values())
        values = np.zeros((n, 2, 2))
        for name, column in columns.items():
            if column.size != 1:
                same_length(column, n, name)
            values[:, *CELL_PLACES[name]] = column
        return cls(values, (negative, positive))

    def aligned(self, classes: Sequence[Any]) -> Floats:
        """Return the costs of each row in the order of ``classes``, which it must all name."""
        order = _places(self.classes, classes)
        return self.values[:, order][:, :, order]

    def __repr__(self) -> str:
        return f"RowCosts({len(self.values):,} rows, classes={list(self.classes)})"


Costs = CostMatrix | RowCosts


def _numbers(values: object, what: str) -> Floats:
    try:
        return np.array(as_array(values, "costs"), np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{what}; got {shown(values)}.") from None


def _settle(costs: Costs, values: Floats, classes: tuple[Any, ...]) -> None:
    object.__setattr__(costs, "values", frozen(values))
    object.__setattr__(costs, "classes", classes)


def as_costs(given: object, classes: Sequence[Any], positive: int | None) -> Costs:
    """Take costs in any form: every door that asks for costs takes what this takes.

    A :class:`CostMatrix` or :class:`RowCosts`; outcomes of a yes or no such as ``{"fn": 5, "fp": 1}``;
    a table of what each actual class (row) costs under each label (column), as a list of rows, an
    array, a frame or a mapping, in the order of ``classes`` where nothing names them.

    >>> as_costs({"FN": 5, "FP": 1}, ["no", "yes"], 1)
    CostMatrix([[0.0, 1.0], [5.0, 0.0]], classes=['no', 'yes'])
    >>> as_costs({"yes": {"no": 5}, "no": {"yes": 1}}, ["no", "yes"], None)
    CostMatrix([[0.0, 1.0], [5.0, 0.0]], classes=['no', 'yes'])
    >>> as_costs([[0, 1], [5, 0]], ["no", "yes"], None).cost("yes", "no")
    5.0
    """
    if isinstance(given, CostMatrix | RowCosts):
        return given
    if (cells := by_outcome(given)) is not None:
        return _of_cells(cells, classes, positive)
    if getattr(given, "ndim", 0) == 3:
        return RowCosts.of(given, classes)  # type: ignore[arg-type]
    names = tuple(classes)
    return CostMatrix(
        labelled_table(given, names, "cost").of_actual_rows(None, "cost").ordered(names), names
    )


def by_outcome(given: object) -> dict[str, Any] | None:
    """Return costs that are named by the outcomes of a yes or no, in small letters; else nothing."""
    if not isinstance(given, Mapping):
        return None
    if any(isinstance(name, tuple) or isinstance(cost, Mapping) for name, cost in given.items()):
        return None
    return {outcome_called(name): cost for name, cost in given.items()}


def outcome_called(name: object) -> str:
    """Return how an outcome is written here that goes by this name.

    >>> outcome_called("FN"), outcome_called("False positives"), outcome_called("miss"), outcome_called("typo")
    ('fn', 'fp', 'fn', 'typo')
    """
    key = re.sub(r"[\W_]+", "_", str(name).strip().lower())
    return OUTCOME_NAMES.get(key) or OUTCOME_NAMES.get(key.removesuffix("s"), str(name).lower())


def _of_cells(
    cells: Mapping[str, ArrayLike], classes: Sequence[Any], positive: int | None
) -> Costs:
    """Make costs out of named outcomes, for all rows where each is a number."""
    for name in cells:
        if name not in CELL_PLACES:
            raise ParameterError(
                f"The outcomes of a yes or no are {', '.join(CELL_PLACES)}; {name!r} is not one of them.",
                asked=name,
                choices=CELL_PLACES,
                remedy="Use fn for a miss (positive, called negative) and fp for a false alarm.",
            )
    if len(classes) != 2 or positive is None:
        choose = "Set <positive=...>, or give" if len(classes) == 2 else "Give"
        named = classes[:3]  # an example that a line holds
        table = {c: {other: 1 for other in named if other != c} for c in named}
        raise DataError(
            f"Outcomes such as fn and fp need two classes, one of them positive; the "
            f"classes are {shorten(tuple(classes))}.",
            remedy=says(f"{choose} all costs as a table: <costs={{table}}>.", table=table),
        )
    names = {"negative": classes[1 - positive], "positive": classes[positive]}
    same_for_all = all(np.ndim(v) == 0 for v in cells.values())
    make: Any = CostMatrix.binary if same_for_all else RowCosts.binary
    made: Costs = make(**cells, **names)
    return made


def _refuse_twice(names: tuple[Any, ...]) -> None:
    if len(set(names)) != len(names):
        raise DataError(f"The cost matrix names a class twice: {shorten(names)}.")


def _places(named: tuple[Any, ...], classes: Sequence[Any]) -> list[int]:
    place = {c: i for i, c in enumerate(named)}
    place |= {str(c): i for c, i in place.items()}
    order = []
    for c in classes:
        found = place.get(c, place.get(str(c)))
        if found is None:
            raise DataError(
                f"The cost matrix has no class {c!r}; it names {shorten(named)}.",
                asked=str(c),
                choices=map(str, named),
            )
        order.append(found)
    return order
