"""The prequential code: every row by what was learnt from the rows before it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly.description_length.messages import adaptive_bits, gaussian_bits, whole_bits
from credibly.description_length.problem import MIN_SPREAD, confusion
from credibly.errors import DataError
from credibly.schemes import fitted, take_rows

if TYPE_CHECKING:
    from credibly.description_length.problem import CodingProblem
    from credibly.schemes import ModelOutput

    Rows = NDArray[np.intp]

FIRST_ROWS = 10  # rows that are told before anything is learnt from them


@dataclass(eq=False)
class Prequential:
    """Rows coded block by block, each by the estimator as fitted on all blocks before it.

    ``unlearnt`` counts the rows that were sent by frequencies alone because no fit was possible
    yet.
    """

    name: str
    estimator: Any
    problem: CodingProblem
    order: Rows
    classes: tuple[Any, ...] = ()
    y: NDArray[Any] = field(default_factory=lambda: np.empty(0))  # as the estimator is to see it
    bits: float = 0.0
    unlearnt: int = 0
    why: str = ""

    def __post_init__(self) -> None:
        k = self.problem.k
        self.seen = np.zeros(k)  # how often each class came up, and after which prediction
        self.by_label = np.zeros((k, k))
        self.squares, self.residuals = 0.0, 0

    def tell(self, refits: int) -> float:
        """Return the bits of all targets; the estimator is refitted after blocks of growing size."""
        n = self.problem.n
        ends = np.rint(np.geomspace(min(FIRST_ROWS, n), n, refits + 1)).astype(int)
        for start, end in pairwise([0, *np.unique(ends)]):
            before, block = self.order[:start], self.order[start:end]
            output = self._learnt(before, block) if start else None
            if output is None:
                self.unlearnt += block.size
                self.bits += self._unlearnt(block)
            else:
                self.bits += self._predicted(output, block, start)
            if self.problem.k:
                self.seen += np.bincount(self.problem.y[block], minlength=self.problem.k)
        if self.unlearnt == n and n > FIRST_ROWS:
            raise DataError(f"{self.name} could not be fitted on any part of the rows: {self.why}")
        return self.bits

    def _learnt(self, before: Rows, block: Rows) -> ModelOutput | None:
        """Fit on the rows so far and predict the next; none where that fails, as it may on few rows."""
        from credibly.running.tasks import predicted

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                X = self.problem.X
                model = fitted(self.name, self.estimator, take_rows(X, before), self.y[before])
                return predicted(model, take_rows(X, block), self.classes or None)
        except Exception as error:  # an estimator may raise anything
            self.why = " ".join(str(error).split())[:300]
            return None

    def _unlearnt(self, block: Rows) -> float:
        p = self.problem
        if p.k:
            after = self.seen + np.bincount(p.y[block], minlength=p.k)
            a = p.pseudo_count
            return float(adaptive_bits(after, a) - adaptive_bits(self.seen, a))
        y = p.y[block]
        self.squares, self.residuals = self.squares + float(np.var(y)), self.residuals + 1
        whole = [round(v) for v in (y / p.precision).tolist()]
        return sum(whole_bits(abs(v)) + (v != 0) for v in whole)

    def _predicted(self, output: ModelOutput, block: Rows, n: int) -> float:
        p = self.problem
        y = p.y[block]
        if output.value is not None:
            spread = np.sqrt(self.squares / max(self.residuals, 1))
            left = y - output.value
            self.squares += float(np.sum(left**2))
            self.residuals += block.size
            least = MIN_SPREAD * p.precision
            return float(gaussian_bits(left, max(spread, least), p.precision).sum())
        a, label = p.pseudo_count, output.label
        if output.probability is not None:
            if not p.labels_only:
                chance = output.probability[np.arange(block.size), y]
                return float(-np.log2((n * chance + a) / (n + a * p.k)).sum())
            label = output.probability.argmax(axis=1)
        before = self.by_label
        self.by_label = before + confusion(np.asarray(label), y, p.k)
        return float((adaptive_bits(self.by_label, a) - adaptive_bits(before, a)).sum())
