"""How a way to combine models is declared: one function of what they say of the same cases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.declared import Declarator, Parametrised, ReadingRegistry
from credibly._core.findings import Finding
from credibly.predictions import Predictions
from credibly.predictions.labels import MISSING


@dataclass(frozen=True, eq=False)
class Opinions:
    """The predictions of several models for the same cases, in the same order."""

    names: tuple[str, ...]
    models: tuple[Predictions, ...]
    seed: int | None = None

    @property
    def cases(self) -> Predictions:
        """The columns of the cases that do not depend on the model."""
        return self.models[0]

    @cached_property
    def ballots(self) -> Floats:
        """The labels as votes, of shape (models, cases, classes); a missing label is no vote."""
        votes = np.zeros((len(self.models), self.cases.n, len(self.cases.classes)))
        for i, p in enumerate(self.models):
            label = p.need("label", "a vote")
            given = np.flatnonzero(label != MISSING)
            votes[i, given, label[given]] = 1
        return votes

    @cached_property
    def voices(self) -> Floats:
        """Values (models, cases), or probabilities (models, cases, classes); votes where there are none."""
        if self.cases.task == "numeric":
            return np.stack([p.need("value", "a combination") for p in self.models])
        if all(p.probability is not None for p in self.models):
            return np.stack([p.probability_matrix("a combination") for p in self.models])
        return self.ballots


@dataclass(frozen=True, slots=True, eq=False)
class JointVerdict:
    """What the models say together: values or shares of the classes, and labels unless they follow."""

    voice: Floats
    label: NDArray[Any] | None = None
    findings: tuple[Finding, ...] = ()


class Combination(Parametrised[..., JointVerdict]):
    """A way to make one model out of what several predicted: its function turns opinions into a verdict."""

    cite: str

    def __call__(self, opinions: Opinions) -> JointVerdict:
        """Combine."""
        return self.function(opinions, **self.arguments)


combinations: ReadingRegistry[Combination] = ReadingRegistry("combination", "credibly.ensembles")
combination = Declarator(Combination, combinations)
