"""Data with two attributes, of which pictures can be drawn: classes as points and as normal distributions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.text import count, shown
from credibly.errors import DataError, ParameterError, listed, says
from credibly.predictions.labels import as_column
from credibly.results.formats import cell_text
from credibly.results.result import Cells, Result
from credibly.running.data import Data
from credibly.schemes.columns import columns_of

Covariance = Literal["full", "naive", "none"]


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """Rows of two numeric attributes, with the codes of their classes."""

    names: tuple[str, str]
    points: Floats
    codes: NDArray[Any]
    classes: tuple[Any, ...]
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, X: Any, y: Any, attributes: Sequence[str | int] | None) -> Plane:
        """Take two columns of numbers, those that are named where there are more."""
        data = Data.of(X, y, task="classification")
        rows = data.X.toarray() if hasattr(data.X, "tocsr") else data.X
        columns = columns_of(rows)
        names = list(columns) if attributes is None else [_name(a, columns) for a in attributes]
        if len(names) != 2:
            raise ParameterError(
                says(
                    "A plane has two attributes; there are {n}: {names}.",
                    n=len(names),
                    names=listed(names, most=10),
                ),
                remedy=says("Name two with <attributes=...>."),
            )
        for name in names:
            column = columns[name]
            if column.dtype.kind != "f" or not np.isfinite(column).all():
                raise DataError(
                    f"{name} is not a finite number in every row, so it cannot be drawn in a plane."
                )
        points = np.column_stack([columns[n] for n in names])
        assert data.codes is not None  # noqa: S101
        return cls((names[0], names[1]), points, data.codes, data.classes, data.findings)

    def labels(self, codes: NDArray[Any]) -> list[str]:
        """Return the classes of some codes as text."""
        return [str(self.classes[c]) for c in codes.tolist()]


def _name(asked: object, columns: dict[str, NDArray[Any]]) -> str:
    names = list(columns)
    if isinstance(asked, int) and not isinstance(asked, bool) and 0 <= asked < len(names):
        return names[asked]
    if asked not in columns:
        raise ParameterError(
            f"There is no attribute {asked!r}; there are {listed(names, most=10)}.",
            asked=str(asked),
            choices=names,
        )
    return str(asked)


class ClassScatter(Result):
    """Rows of two attributes by class, and the normal distribution of each class's training rows.

    ``means`` has a row for each class, ``covariances`` a matrix; both are NaN where nothing was fitted.
    """

    plane: Plane
    test: NDArray[np.bool_]
    means: Floats
    covariances: Floats
    covariance: Covariance

    json_keys = "attributes=plane.names classes=plane.classes means covariances n=_n test=_tested"

    @property
    def heading(self) -> str:
        """Say what it is."""
        first, second = self.plane.names
        held = f", of which {int(self.test.sum()):,} to be tested" if self.test.any() else ""
        return f"{first} and {second} of {count(len(self.test), 'row')}{held}"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is to be doubted about the data."""
        return self.plane.findings

    def _n(self) -> int:
        return len(self.test)

    def _tested(self) -> int:
        return int(self.test.sum())

    def rows(self) -> list[dict[str, Any]]:
        """Return the size, the means, the standard deviations and the correlation of each class."""
        rows = []
        for c, name in enumerate(self.plane.classes):
            mine = (self.plane.codes == c) & ~self.test
            deviation = np.sqrt(np.diagonal(self.covariances[c]))
            with np.errstate(invalid="ignore", divide="ignore"):
                correlation = self.covariances[c, 0, 1] / deviation.prod()
            rows.append({"class": name, "n": int(mine.sum()), "correlation": float(correlation)})
            for j, attribute in enumerate(self.plane.names):
                rows[-1][f"mean {attribute}"] = float(self.means[c, j])
                rows[-1][f"deviation {attribute}"] = float(deviation[j])
        return rows

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        rows = self.rows()
        return list(rows[0]), [list(map(cell_text, row.values())) for row in rows]

    def ellipse(self, code: int, deviations: float) -> Floats:
        """Return points at so many standard deviations around the mean of a class."""
        angle = np.linspace(0, 2 * np.pi, 73)
        values, axes = np.linalg.eigh(self.covariances[code])
        around = np.column_stack([np.cos(angle), np.sin(angle)]) * np.sqrt(np.maximum(values, 0))
        return np.asarray(self.means[code] + deviations * around @ axes.T)


@door
def class_scatter(
    X: object,
    y: object,
    *,
    attributes: Sequence[str | int] | None = None,
    test: object = None,
    covariance: Covariance = "full",
) -> ClassScatter:
    """Lay out rows of two attributes by class, with the normal distribution of each class.

    Parameters
    ----------
    X
        Two columns of numbers, or more of which ``attributes`` names two.
    y
        The class of each row.
    attributes
        The two columns to show, by name or by number.
    test
        Which rows are to be tested: true or false for each, or their numbers. They are drawn larger,
        and the distributions are those of the others.
    covariance
        ``"full"``, as full Bayes has it; ``"naive"``, without correlation; or ``"none"``.

    >>> from credibly.running import class_scatter
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> class_scatter(X, y, attributes=[0, 1]).means.round(2).tolist()
    [[5.01, 3.43], [5.94, 2.77], [6.59, 2.97]]
    """
    plane = Plane.of(X, y, attributes)
    held = _mask(test, len(plane.points))
    k = len(plane.classes)
    means, matrices = np.full((k, 2), np.nan), np.full((k, 2, 2), np.nan)
    for c in range(k):
        mine = plane.points[(plane.codes == c) & ~held]
        if covariance != "none" and len(mine):
            means[c] = mine.mean(axis=0)
            full = np.atleast_2d(np.cov(mine.T, ddof=0))
            matrices[c] = full if covariance == "full" else np.diag(np.diag(full))
    return ClassScatter(plane, held, means, matrices, covariance)


def _mask(test: object, n: int) -> NDArray[np.bool_]:
    held = np.zeros(n, bool)
    if test is None:
        return held
    rows = as_column(test, "test")
    flags = rows.dtype.kind == "b" and rows.size == n
    places = rows.dtype.kind in "iu" and (not rows.size or (rows.min() >= 0 and rows.max() < n))
    if not (flags or places):
        raise ParameterError(
            says(
                "<test=> takes true or false for each of {n} rows, or numbers of rows; got {test}.",
                n=n,
                test=shown(test),
            )
        )
    held[rows] = True
    return held
