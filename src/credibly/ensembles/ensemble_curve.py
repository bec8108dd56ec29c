"""How training and test error move with the number of models in an ensemble."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from credibly._core.doors import door
from credibly._core.seeds import seed_of
from credibly.errors import ParameterError
from credibly.predictions.findings import RESUBSTITUTION
from credibly.predictions.table import Task
from credibly.running.data import Data
from credibly.running.learning_curves import LearningCurve, grown
from credibly.running.run import prepare
from credibly.running.tasks import Job
from credibly.schemes.prediction import last_step

DEFAULT_SIZES = (1, 2, 3, 5, 10, 20, 50)
SIZE_PARAMETER = "n_estimators"


class EnsembleCurve(LearningCurve):
    """Predictions for the same training and test parts by ensembles of growing size."""

    key: ClassVar[str] = "models"
    by: ClassVar[tuple[str, ...]] = ("part",)
    title: ClassVar[str] = "Ensemble curve"
    fixed: ClassVar[str] = "the same training and test parts"
    meant: ClassVar[tuple[str, ...]] = (RESUBSTITUTION.code,)


@door
def ensemble_curve(
    schemes: Any,  # noqa: ANN401
    X: Any,  # noqa: ANN401, N803
    y: Any,  # noqa: ANN401
    *,
    sizes: Sequence[int] = DEFAULT_SIZES,
    resampling: Any = "10",  # noqa: ANN401
    groups: Any = None,  # noqa: ANN401
    sample_weight: Any = None,  # noqa: ANN401
    task: Task | None = None,
    rng: int | np.random.Generator | None = None,
    n_jobs: int | None = None,
    progress: bool = True,
) -> EnsembleCurve:
    """Run ensembles of growing size, and judge them on their training parts too.

    Any scheme with a parameter ``n_estimators`` will do. Ensembles of all sizes start from the same
    seed, so that the models of a smaller one are the first of a larger.

    Parameters
    ----------
    schemes
        What to run, as in :func:`credibly.run`.
    X, y
        Inputs and what is to be predicted.
    sizes
        Numbers of models.
    resampling
        How rows are split into training and test parts, as in :func:`credibly.run`.
    groups
        Rows of one group stay together.
    sample_weight
        The weight of each row.
    task
        ``"classification"`` or ``"numeric"``; by default decided by y.
    rng
        Seed of everything random.
    n_jobs
        Processes to run in; -1 for one per core.
    progress
        Whether to show progress on a terminal.

    >>> from credibly.ensembles import ensemble_curve
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> curve = ensemble_curve("adaboost", X, y == 1, sizes=[1, 20], resampling="5", rng=1)
    >>> table = curve.table("error_rate")
    >>> [e.keys for e in table.estimates][:2]
    [{'models': 1, 'part': 'test'}, {'models': 1, 'part': 'train'}]
    >>> one, many = (e.value for e in table.where(part="train"))
    >>> one > many
    True
    """
    rows = sorted(set(sizes))
    if not rows or any(not isinstance(k, int) or isinstance(k, bool) or k < 1 for k in rows):
        raise ParameterError(f"sizes must be whole numbers of at least 1; got {list(sizes)}.")
    data = Data.of(X, y, task=task, groups=groups, sample_weight=sample_weight)
    seed = None if rng is None else seed_of(rng)
    splits = data.splits(resampling, seed)
    job = replace(prepare(schemes, data, splits, seed), with_training=True)
    jobs = [(k, _of_size(job, k)) for k in rows]
    return EnsembleCurve(grown(jobs, n_jobs, exact_shortcuts=False, progress=progress))


def _of_size(job: Job, size: int) -> Job:
    sized = (_sized(n, e, size) for n, e in zip(job.names, job.estimators, strict=True))
    return replace(job, estimators=tuple(sized))


def _sized(name: str, estimator: Any, size: int) -> Any:  # noqa: ANN401
    """Return a copy of an estimator, or of a pipeline that ends in one, with so many models."""
    from sklearn.base import clone

    made = clone(estimator)
    ensemble = last_step(made)
    if SIZE_PARAMETER not in ensemble.get_params(deep=False):
        raise ParameterError(
            f"{name} has no parameter {SIZE_PARAMETER}, so its size cannot be set. Ensembles by name: bagging, adaboost, forest."
        )
    ensemble.set_params(**{SIZE_PARAMETER: size})
    return made
