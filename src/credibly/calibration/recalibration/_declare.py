"""How a recalibration is declared: one function that fits a map from probabilities to probabilities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.declared import Declarator, Parametrised, ReadingRegistry
from credibly.calibration.outcomes import Outcomes
from credibly.errors import DataError
from credibly.predictions.summaries import ScoreTable


@dataclass(frozen=True, slots=True, eq=False)
class FittedMap:
    """A map from probabilities to probabilities, and the numbers that define it."""

    function: Callable[[Floats], Floats]
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, function: Callable[..., Floats], **parameters: Any) -> FittedMap:  # noqa: ANN401
        """Fix the parameters of a function of a module, so that the map can be written to a file."""
        return cls(partial(function, **parameters), parameters)

    def __call__(self, probability: Floats) -> Floats:
        """Map probabilities."""
        return self.function(np.asarray(probability, np.float64))


class Recalibration(Parametrised[..., FittedMap]):
    """A way to map probabilities to better ones, and what is known about it.

    Its function fits a map on :class:`~credibly.calibration.Outcomes`: of one class against the rest,
    and with more than two classes the results are scaled to sum to one. A ``joint`` one maps the
    probabilities of all classes together: it takes their matrix, the codes of the actual classes and
    weights.
    """

    cite: str
    joint: bool = False

    def fitted(
        self, matrix: Floats, truth: NDArray[Any], weight: Floats | None = None
    ) -> FittedRecalibration:
        """Fit on probabilities (one column per class), codes of the actual classes and case weights."""
        w = np.ones(len(truth)) if weight is None else np.asarray(weight, np.float64)
        if len(np.unique(truth[w > 0])) < 2:
            raise DataError(f"{self.name} needs cases of at least two classes to be fitted.")
        if self.joint:
            maps = [self.function(matrix, truth, w, **self.arguments)]
        else:
            columns = [1] if matrix.shape[1] == 2 else range(matrix.shape[1])
            outcomes = (_outcomes(matrix[:, k], truth == k, w) for k in columns)
            maps = [self.function(o, **self.arguments) for o in outcomes]
        return FittedRecalibration(self.call, tuple(maps), matrix.shape[1], self.joint)


def _outcomes(probability: Floats, happened: NDArray[np.bool_], weight: Floats) -> Outcomes:
    """Group the cases by probability; a class without cases, or with nothing else, cannot be mapped."""
    score, place = np.unique(probability, return_inverse=True)
    pos, neg = (np.bincount(place, weight * side, score.size) for side in (happened, ~happened))
    return Outcomes.of_table(ScoreTable(score[::-1], pos[::-1], neg[::-1]))[0]


@dataclass(frozen=True, slots=True, eq=False)
class FittedRecalibration:
    """Fitted maps: one for two classes or for all together, else one per class."""

    method: str
    maps: tuple[FittedMap, ...]
    n_classes: int
    joint: bool = False

    def __call__(self, matrix: Floats) -> Floats:
        """Map probabilities, one column per class."""
        if self.joint:
            return self.maps[0](matrix)
        if self.n_classes == 2:
            second = self.maps[0](matrix[:, 1])
            return np.column_stack([1 - second, second])
        mapped = np.column_stack([m(matrix[:, k]) for k, m in enumerate(self.maps)])
        total = mapped.sum(axis=1, keepdims=True)
        even = np.full_like(mapped, 1 / self.n_classes)  # where nothing is left of any class
        return np.divide(mapped, total, out=even, where=total > 0)


recalibrations = ReadingRegistry[Recalibration](
    "recalibration",
    "credibly.calibration.recalibration",
    use="recalibrate(p, method={name!r})",
    typed="recalibrate FILE --method {name}",
)
recalibration = Declarator(Recalibration, recalibrations)
