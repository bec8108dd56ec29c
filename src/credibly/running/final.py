"""The model to keep: fitted on all data, which no estimate of a resampling is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from credibly._core.seeds import seed_of
from credibly._core.words import count
from credibly.predictions.table import Task
from credibly.results.result import Result
from credibly.running.data import Data
from credibly.schemes import as_scheme, build, fitted


@dataclass(frozen=True, slots=True, eq=False)
class FinalModel(Result):
    """A scheme fitted on all data, and what the estimates of a run say about it."""

    name: str
    estimator: Any
    n: int

    json_keys = "name n about"

    @property
    def about(self) -> str:
        """What an estimate by resampling refers to."""
        return (
            f"{self.name}, fitted on all {count(self.n, 'row')}. Estimates by resampling are about models of this "
            "kind fitted on smaller parts of these data; this one was judged by none of them, and is expected to "
            "do about as well or slightly better."
        )

    def __str__(self) -> str:
        return self.about


def final_model(
    scheme: Any,
    X: Any,
    y: Any,
    *,
    groups: Any = None,
    sample_weight: Any = None,
    task: Task | None = None,
    rng: int | np.random.Generator | None = None,
) -> FinalModel:
    """Fit a scheme on all data: the model to use once it has been judged by :func:`credibly.run`.

    >>> from credibly.running import final_model
    >>> from sklearn.datasets import load_iris
    >>> final = final_model("naive-bayes", *load_iris(return_X_y=True))
    >>> final.estimator
    GaussianNB()
    >>> print(final.about[:47])
    naive-bayes, fitted on all 150 rows. Estimates
    """
    data = Data.of(X, y, task=task, groups=groups, sample_weight=sample_weight)
    chosen = as_scheme(scheme)
    seed = None if rng is None else seed_of(rng)
    estimator = build(chosen, data.task, data.X, seed)
    model = fitted(chosen.name, estimator, data.X, data.y, data.weight, data.group)
    return FinalModel(chosen.name, model, data.n)
