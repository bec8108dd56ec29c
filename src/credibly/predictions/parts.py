"""Which rows a model may be judged on: those that it was neither trained nor tuned on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from credibly.predictions.labels import distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from credibly.predictions import Predictions

TRAINING = ("train", "training")
SEEN = (*TRAINING, "validation")


def is_held_out(p: Predictions) -> NDArray[np.bool_]:
    """Say of each row whether the model that predicts it has not seen it.

    Rows that are not known to come from a run (they lack ``n_train``), or that are all of one kind,
    are taken as they are.
    """
    if p.part is None or p.n_train is None:
        return np.ones(p.n, bool)
    seen = np.isin(p.part.astype(str), SEEN)
    return seen if seen.all() else ~seen


def held_out(p: Predictions) -> Predictions:
    """Return the rows that every verb judges, unless it is asked about the parts themselves.

    >>> from credibly import Predictions
    >>> p = Predictions.of([1, 0, 1], label=[1, 0, 0], part=["train", "train", "test"], n_train=[2, 2, 2])
    >>> held_out(p).n
    1
    """
    if p.part is None or p.n_train is None:
        return p
    if "held out" not in p.cache:
        kept = is_held_out(p)
        p.cache["held out"] = p if kept.all() else p.take(kept)
    rows: Predictions = p.cache["held out"]
    return rows


def held_out_of_samples(p: Predictions) -> Predictions:
    """Return the held-out rows, with the number of distinct training rows where these are known.

    The sample of a bootstrap holds rows several times; how far training parts overlap depends on
    the distinct ones, which its run predicts as well.
    """
    rows = held_out(p)
    if rows is p or rows.n_train is None:
        return rows
    fit = np.zeros(p.n, np.int64)
    for column in (p.model, p.repeat, p.fold):
        if column is not None:
            labels = distinct(column)
            fit = fit * len(labels.values) + labels.codes
    train = p.need("part", "held-out rows").astype(str) == "train"
    known = np.bincount(fit, train)[fit][is_held_out(p)]
    return replace(rows, n_train=np.where(known > 0, known, rows.n_train), cache={})


def has_training_rows(p: Predictions) -> bool:
    """Whether some row is known to be of a training part."""
    if p.part is None:
        return False
    if "training rows" not in p.cache:
        p.cache["training rows"] = any(str(v).lower() in TRAINING for v in distinct(p.part).values)
    return bool(p.cache["training rows"])


def size_ratio(parts: Sequence[Predictions]) -> float | None:
    """Return the size of all test parts over that of all training parts; none where it is not known.

    Of k folds it is 1 / (k - 1), also where these are not all of one size.

    >>> from credibly import Predictions
    >>> folds = [Predictions.of([1] * n, label=[1] * n, n_train=10 - n) for n in (3, 3, 4)]
    >>> size_ratio(folds)
    0.5
    """
    trained = [float(part.n_train.mean()) for part in parts if part.n_train is not None]
    if not trained or len(trained) < len(parts):
        return None
    return sum(part.n for part in parts) / sum(trained)
