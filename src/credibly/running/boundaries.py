"""The decision boundaries of fitted models on two attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.parameters import require, whole
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly._core.text import count, number_text
from credibly._kernels.contours import zero_lines
from credibly.errors import ParameterError
from credibly.predictions.findings import UNSEEDED
from credibly.results.result import Cells, Result
from credibly.running.two_attributes import Plane
from credibly.schemes import ModelOutput, Scheme, as_schemes, build, fitted_alone, outputs
from credibly.schemes.prediction import last_step

MARGIN_SHARE = 0.05  # beyond the outermost rows
Source = Literal["all rows", "replicate", "member"]
TIE_MARGIN = 1e-300  # keeps a point where two classes are equal on the side that its label says


class Boundary(Result):
    """The lines between the labels of one fitted model, and the share of all rows that it gets wrong.

    It learned from all rows, from one of the replicates, or as one of the members of an ensemble, which
    have numbers; ``fit`` says so in words. ``labels`` holds the code of the label at each point of the grid.
    """

    scheme: str
    source: Source
    number: int
    lines: tuple[tuple[Floats, Floats], ...]
    error: float
    labels: NDArray[np.int8]

    json_keys = "scheme fit error lines"

    @property
    def fit(self) -> str:
        """What it learned from, such as ``"replicate 2"``."""
        return f"{self.source} {self.number}" if self.number else self.source

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary for each point of each line."""
        return [
            {"scheme": self.scheme, "fit": self.fit, "line": i, "x": x, "y": y}
            for i, line in enumerate(self.lines)
            for x, y in zip(line[0].tolist(), line[1].tolist(), strict=True)
        ]


class DecisionBoundaries(Result):
    """The boundaries of fitted schemes over the rows of two attributes."""

    plane: Plane
    boundaries: tuple[Boundary, ...]
    findings: tuple[Finding, ...] = ()

    json_keys = "attributes=plane.names classes=plane.classes boundaries findings"
    row_parts = "boundaries"
    empty_columns = "scheme fit line x y"

    @property
    def heading(self) -> str:
        """Say what it is."""
        first, second = self.plane.names
        return (
            f"Decision boundaries on {first} and {second}, {count(len(self.plane.points), 'row')}"
        )

    def of(self, scheme: str) -> list[Boundary]:
        """Return the boundaries of one scheme, that of all rows first."""
        return [b for b in self.boundaries if b.scheme == scheme]

    @property
    def schemes(self) -> list[str]:
        """The names of the schemes."""
        return list(dict.fromkeys(b.scheme for b in self.boundaries))

    def unsettled(self, scheme: str) -> float:
        """Return how often fits on other samples label a point of the plane otherwise than most do."""
        votes = [b.labels for b in self.of(scheme) if b.source == "replicate"]
        if not votes:
            return float("nan")
        each = np.stack(
            [np.sum([v == c for v in votes], 0) for c in range(len(self.plane.classes))]
        )
        return float(1 - (each.max(axis=0) / len(votes)).mean())

    def cells(self) -> Cells:
        """Return the errors of each scheme, and how much of the plane is unsettled."""
        body = []
        for name in self.schemes:
            first, *others = self.of(name)
            texts = [number_text(first.error), "", ""]
            if others:
                texts[1] = number_text(float(np.mean([b.error for b in others])))
            if np.isfinite(unsettled := self.unsettled(name)):
                texts[2] = number_text(unsettled)
            body.append([name, *texts])
        header = ["scheme", "error on all rows", "mean error of the other fits", "plane unsettled"]
        return header, body


@door
def decision_boundaries(
    schemes: Any,
    X: object,
    y: object,
    *,
    attributes: Sequence[str | int] | None = None,
    replicates: int = 0,
    members: bool = False,
    points: int = 101,
    rng: int | np.random.Generator | None = None,
) -> DecisionBoundaries:
    """Fit schemes on two attributes, and trace the lines on which their labels change.

    Parameters
    ----------
    schemes
        A scheme, a list of them, or a dictionary from name to scheme, as for :func:`credibly.run`.
    X
        Two columns of numbers, or more if ``attributes`` names two; the others are not used.
    y
        The class of each row.
    attributes
        The two columns, by name or by number.
    replicates
        Number of bootstrap samples to learn from, in addition to all rows: a stable scheme draws
        nearly the same line every time.
    members
        Trace the models that vote in an ensemble (``bagging``, ``adaboost``) as well.
    points
        Number of grid points along each attribute.
    rng
        Seed of the samples and of random schemes.

    >>> from credibly.running import decision_boundaries
    >>> found = decision_boundaries("naive-bayes", [[0, 0], [1, 1], [4, 5], [5, 4]], list("aabb"))
    >>> [(b.fit, len(b.lines), b.error) for b in found.boundaries]
    [('all rows', 1, 0.0)]
    """
    require("replicates", replicates, whole(0))
    require("points", points, whole(3))
    plane = Plane.of(X, y, attributes)
    seed = FIXED_SEED if rng is None else seed_of(rng)
    drawn = _samples(plane, replicates, seed)
    trace = _Tracer(plane, *_sides(plane.points, points))
    found: list[Boundary] = []
    for scheme in as_schemes(schemes):
        model = trace.fitted(scheme, np.arange(len(plane.points)), seed)
        found.append(trace.boundary(scheme.name, "all rows", 0, model))
        for i, rows in enumerate(drawn, 1):
            other = trace.fitted(scheme, rows, seed)
            found.append(trace.boundary(scheme.name, "replicate", i, other))
        if members:
            found += trace.members(scheme.name, model)
    findings = [UNSEEDED(what="the samples", seed=seed)] if replicates and rng is None else []
    return DecisionBoundaries(plane, tuple(found), (*plane.findings, *findings))


@dataclass(frozen=True, slots=True, eq=False)
class _Tracer:
    """Fits schemes and traces their boundaries on one grid."""

    plane: Plane
    x: Floats
    y: Floats

    def fitted(self, scheme: Scheme, rows: NDArray[np.intp], seed: int) -> Any:
        points, codes = self.plane.points[rows], self.plane.codes[rows]
        estimator = build(scheme, "classification", points, seed)
        return fitted_alone(scheme.name, estimator, points, codes)

    def boundary(self, name: str, source: Source, number: int, model: Any) -> Boundary:
        """Trace a model that knows classes by their codes."""
        k = len(self.plane.classes)
        grid = np.column_stack([side.ravel() for side in np.meshgrid(self.x, self.y)])
        output = outputs(model, grid, range(k))
        shape = (self.y.size, self.x.size)
        labels = np.asarray(output.label, np.int8).reshape(shape)
        support = _support(output, k).reshape(*shape, k)
        wrong = np.asarray(model.predict(self.plane.points)) != self.plane.codes
        lines = tuple(_lines(self.x, self.y, labels, support))
        return Boundary(name, source, number, lines, float(wrong.mean()), labels)

    def members(self, name: str, model: Any) -> list[Boundary]:
        voters = getattr(last_step(model), "estimators_", None)
        if voters is None or not isinstance(voters, list) or len(getattr(model, "steps", [])) > 1:
            raise ParameterError(
                f"{name} is not an ensemble whose members learn from the same columns as it does."
            )
        return [self.boundary(name, "member", i, m) for i, m in enumerate(voters, 1)]


def _samples(plane: Plane, replicates: int, seed: int) -> list[NDArray[np.intp]]:
    """Draw bootstrap samples that hold every class, which a scheme needs to learn."""
    rng = np.random.default_rng(seed)
    n, drawn = len(plane.points), []
    for _ in range(replicates):
        rows = rng.integers(0, n, n)
        while len(np.unique(plane.codes[rows])) < len(plane.classes):
            rows = rng.integers(0, n, n)
        drawn.append(rows)
    return drawn


def _sides(points: Floats, size: int) -> list[Floats]:
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.where(high > low, high - low, 1.0) * MARGIN_SHARE
    return [np.linspace(a, b, size) for a, b in zip(low - room, high + room, strict=True)]


def _support(found: ModelOutput, k: int) -> Floats:
    """Return the support of each class at each point."""
    if found.probability is not None:
        return np.asarray(found.probability)
    if found.score is not None:
        return np.column_stack([-found.score, found.score])
    return np.eye(k)[np.asarray(found.label)]


def _lines(
    x: Floats, y: Floats, labels: NDArray[np.int8], support: Floats
) -> Iterator[tuple[Floats, Floats]]:
    """Yield the lines between each class and those after it: labels say the side, support how far in."""
    lowest = np.min([labels[:-1, :-1], labels[:-1, 1:], labels[1:, :-1], labels[1:, 1:]], axis=0)
    for c in range(support.shape[2] - 1):
        apart = np.abs(support[:, :, c] - np.delete(support, c, axis=2).max(axis=2))
        sides = np.where(labels == c, apart, -apart - TIE_MARGIN)
        yield from zero_lines(
            x, y, sides, lowest >= c
        )  # lines to earlier classes are drawn already
