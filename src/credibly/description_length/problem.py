"""The rows and targets that a message is about, and what a theory predicts for each row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly.description_length.messages import Message, adaptive_bits, gaussian_bits

# What is added to every count, so that what was not seen stays possible.
PSEUDO_COUNTS = {"kt": 0.5, "laplace": 1.0}
MIN_SPREAD = 1 / 8  # of the precision: numbers that are predicted exactly cost next to nothing


@dataclass(frozen=True, slots=True, eq=False)
class Sent:
    """What a theory, as it was sent, says of each row.

    Probabilities of the classes, or values with the spread of what is left; nothing where the theory
    holds the targets themselves.
    """

    probability: Floats | None = None
    value: Floats | None = None
    spread: float = math.nan


@dataclass(frozen=True, eq=False)
class CodingProblem:
    """Rows that both sides have, and the targets that one of them has.

    ``y`` are codes of ``k`` classes, or numbers to within ``precision`` where ``k`` is 0.
    """

    X: Any
    y: NDArray[Any]
    k: int = 0
    pseudo_count: float = 0.5
    precision: float = 1.0
    labels_only: bool = False

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.y)

    @cached_property
    def matrix(self) -> Floats:
        """The inputs as numbers."""
        return np.asarray(self.X.toarray() if hasattr(self.X, "toarray") else self.X, np.float64)

    @cached_property
    def centre(self) -> Floats:
        """Mean of each column."""
        return self.matrix.mean(axis=0)

    @cached_property
    def spread(self) -> Floats:
        """Standard deviation of each column, exactly 0 where it is constant."""
        constant = (self.matrix == self.matrix[0]).all(axis=0)
        return np.where(constant, 0.0, self.matrix.std(axis=0))

    def smoothed(self, probability: Floats) -> Floats:
        """Mix probabilities with even ones as if every class had been seen a pseudo-count more often."""
        a = self.pseudo_count
        return (self.n * probability + a) / (self.n + a * self.k)

    def send_spread(self, predicted: Floats, message: Message) -> float:
        """Send the spread of what a fitted model leaves of the targets."""
        left = float(np.sqrt(np.mean((self.y - predicted) ** 2)))
        least = MIN_SPREAD * self.precision
        return message.scale("moments", max(left, least), self.precision, self.n)

    def rest(self, sent: Sent) -> tuple[str, float]:
        """Return the bits of the targets that are left once the theory is known, and their name."""
        if sent.value is not None:
            bits = gaussian_bits(self.y - sent.value, sent.spread, self.precision)
            return "residuals", float(bits.sum())
        if sent.probability is None:
            return "labels" if self.k else "residuals", 0.0
        if self.labels_only:
            table = confusion(sent.probability.argmax(axis=1), self.y, self.k)
            return "exceptions", float(adaptive_bits(table, self.pseudo_count).sum())
        with np.errstate(divide="ignore"):
            bits = -np.log2(sent.probability[np.arange(self.n), self.y])
        return "labels", float(bits.sum())


def confusion(predicted: NDArray[Any], actual: NDArray[Any], k: int) -> Floats:
    """Count the cases of each predicted (row) and actual class."""
    cells = np.bincount(predicted.astype(np.intp) * k + actual, minlength=k * k)
    return cells.reshape(k, k).astype(np.float64)
