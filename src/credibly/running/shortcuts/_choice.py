"""Which shortcut serves an estimator, and what of its predictions is to be refitted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.arrays import Floats
from credibly.running.shortcuts._declare import Shortcut, shortcuts
from credibly.running.shortcuts._problem import (
    TIE_MARGIN,
    Answers,
    NoShortcutError,
    ShortcutProblem,
)
from credibly.schemes import ModelOutput
from credibly.schemes.columns import plain_matrix

if TYPE_CHECKING:
    from credibly.resampling import Split, Splits


def shortcut_for(
    estimator: Any,
    splits: Splits,
    X: Any,
    y: Any,
    classes: Sequence[Any] | None = None,
    sample_weight: Any = None,
) -> tuple[Callable[[], Answers] | None, str]:
    """Return a function that predicts every test row, or none and the reason.

    ``classes`` are all classes in the order of the columns of probability; none for numbers.
    """
    if sample_weight is not None:
        return None, "cases have weights"
    if not (splits.trains_on_the_rest or all(_is_the_rest(s, splits.n) for s in splits)):
        return None, "a training part is not all that is not tested"
    try:
        shortcut = _by_class(estimator)
        problem = _problem(estimator, splits, X, y, classes)
    except NoShortcutError as reason:
        return None, str(reason)
    return partial(_answer, shortcut, problem, classes), ""


def _is_the_rest(split: Split, n: int) -> bool:
    """Whether training and test rows together are every row once."""
    return bool(
        split.train.size + split.test.size == n
        and (np.bincount(np.concatenate([split.train, split.test]), minlength=n) == 1).all()
    )


def _by_class(estimator: Any) -> Shortcut:
    """Find the shortcut by the exact class; a subclass may do anything."""
    home = [part for part in type(estimator).__module__.split(".") if not part.startswith("_")]
    name = ".".join([*home, type(estimator).__qualname__])
    for each in shortcuts:
        if name in each.applies_to:
            return each
    raise NoShortcutError(f"there is no shortcut for {type(estimator).__name__}")


def _problem(
    estimator: Any, splits: Splits, X: Any, y: Any, classes: Sequence[Any] | None
) -> ShortcutProblem:
    if getattr(getattr(X, "dtype", None), "itemsize", 8) < 8 and X.dtype.kind == "f":
        raise NoShortcutError("the columns are not of double precision")
    matrix = plain_matrix(X)
    if matrix is None:
        raise NoShortcutError("the columns are not all finite numbers")
    rows, sizes = splits.tested
    if not sizes.all() or sizes.max() >= len(matrix):
        raise NoShortcutError("a test or training part is empty")
    target = np.asarray(y)
    if target.ndim != 1:
        raise NoShortcutError("the target has several columns")
    if classes is None:
        target = np.asarray(target, np.float64)
    else:
        place = {c: i for i, c in enumerate(classes)}
        target = np.array([place[v] for v in target.tolist()], np.intp)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return ShortcutProblem(
        estimator, matrix, target, len(classes or ()), rows.astype(np.intp, copy=False), starts
    )


def _answer(found: Shortcut, problem: ShortcutProblem, classes: Sequence[Any] | None) -> Answers:
    """Run a shortcut; splits that it, or the classes, leave in doubt are to be refitted."""
    everything = np.ones(len(problem.sizes), bool)
    try:
        with np.errstate(all="ignore"):  # what is not finite is doubtful, and refitted
            computed = found(problem)
    except NoShortcutError as reason:
        empty = np.full((len(problem.rows), problem.k or 1), np.nan)
        return Answers(
            _output(empty[:, 0] if classes is None else empty, classes), everything, str(reason)
        )
    values = computed.values
    bad = ~np.isfinite(values if values.ndim == 1 else values.sum(axis=1))
    refit = computed.doubtful.copy()
    if classes is not None:
        refit |= (problem.left == 0).any(axis=1)
        if not computed.votes and problem.k > 1:
            second, first = np.partition(values, problem.k - 2, axis=1)[:, -2:].T
            bad |= first - second < TIE_MARGIN
    if bad.any():
        refit[problem.split_of[bad]] = True
    why = computed.why or "two classes are as good as equal, or one is gone from the training part"
    return Answers(_output(values, classes), refit, why if refit.any() else "")


def _output(values: Floats, classes: Sequence[Any] | None) -> ModelOutput:
    if classes is None:
        return ModelOutput("value", value=values)
    return ModelOutput("probability", np.asarray(classes)[values.argmax(axis=1)], values)
