"""How an exact shortcut is declared, and which one serves an estimator.

A shortcut works on all splits at once. Where it cannot promise what refitting gives (nearly
singular, tied, a class gone from the training part) it names the splits to refit.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.declared import Declarator, DeclaredFunction
from credibly._core.registry import Registry
from credibly.schemes import Output
from credibly.schemes.columns import plain_matrix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from credibly._core.arrays import Floats, Indices
    from credibly.resampling import Split, Splits

    Mask = NDArray[np.bool_]

BATCH = 2_000_000  # numbers that a batch of splits may hold at once
CLOSE = 1e-9  # classes whose probabilities differ by less could change places by rounding
# Rounding grows with the condition of the columns and with what a split takes away from them.
LARGEST_CONDITION = 1e4


class NoShortcutError(Exception):
    """A shortcut's reason for not serving; it never leaves this package."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutValues:
    """What a shortcut computed: numbers or class probabilities, and the splits that it cannot vouch for."""

    values: Floats
    doubtful: Mask
    why: str = ""
    votes: bool = False  # shares of counts: equal ones are equal, not close


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Predictions for the test rows of all splits, one split after the other.

    Where ``refit`` is true for a split, its rows must be predicted by refitting; ``why`` says for
    what reason.
    """

    output: Output
    refit: Mask
    why: str


@dataclass(frozen=True, eq=False)
class ShortcutProblem:
    """An estimator, its cases and the test rows of all splits, one after the other."""

    estimator: Any
    X: Floats
    y: NDArray[Any]  # numbers, or codes of classes
    k: int  # number of classes; 0 for numbers
    rows: Indices
    starts: Indices  # where each split begins in ``rows``, and the end

    @property
    def n(self) -> int:
        """Number of cases."""
        return len(self.X)

    @cached_property
    def sizes(self) -> Indices:
        """Size of each test part."""
        return np.diff(self.starts)

    @cached_property
    def split_of(self) -> Indices:
        """The split of each entry of ``rows``."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def one_by_one(self) -> bool:
        """Whether every test part is a single case."""
        return bool((self.sizes == 1).all())

    @cached_property
    def left(self) -> Floats:
        """Cases of each class in the training part of each split."""
        cells = np.bincount(
            self.split_of * self.k + self.y[self.rows], minlength=len(self.sizes) * self.k
        )
        every = np.bincount(self.y, minlength=self.k)
        return (every - cells.reshape(-1, self.k)).astype(np.float64)

    def take_defaults(self, *free: str) -> None:
        """Refuse unless every parameter but the named ones is at its default."""
        signature = inspect.signature(type(self.estimator)).parameters
        for name, value in self.estimator.get_params(deep=False).items():
            default = signature[name].default
            if name not in free and value is not default and value != default:
                raise NoShortcutError(f"{name}={value!r} is set")

    def refuse_large_means(self) -> None:
        """Refuse columns that lie so far from 0 that the digits of their spread are gone."""
        spread = self.X.std(axis=0)
        if (np.abs(self.X.mean(axis=0)) > LARGEST_CONDITION * spread)[spread > 0].any():
            raise NoShortcutError("a column's mean is very large beside its spread")

    def batches(self, width: int) -> Iterator[tuple[slice, slice]]:
        """Cut the splits, and their rows, so that a batch of rows times ``width`` stays small."""
        most = max(BATCH // width, int(self.sizes.max()))
        first = 0
        while first < len(self.sizes):
            last = int(np.searchsorted(self.starts, self.starts[first] + most, "right")) - 1
            last = max(last, first + 1)
            yield slice(first, last), slice(int(self.starts[first]), int(self.starts[last]))
            first = last

    def by_split(self, values: Floats, splits: slice) -> Floats:
        """Add up what a batch's rows hold within each split."""
        if self.one_by_one:
            return values
        return np.add.reduceat(values, self.starts[splits] - self.starts[splits.start])

    def to_rows(self, values: Floats, splits: slice, rows: slice) -> Floats:
        """Repeat what a batch's splits hold for each of their rows."""
        return values if self.one_by_one else values[self.split_of[rows] - splits.start]

    def moments_left(
        self, centred: Floats, left: Floats, splits: slice, rows: slice
    ) -> tuple[Floats, Floats]:
        """Return mean and variance of columns in the training parts of a batch, from what is tested.

        ``centred`` are values about their mean, 0 for cases that do not count.
        """
        tested, size = centred[self.rows[rows]], left[splits, None]
        mean = (centred.sum(axis=0) - self.by_split(tested, splits)) / size
        square = (np.square(centred).sum(axis=0) - self.by_split(tested**2, splits)) / size
        return mean, square - mean**2


@dataclass(frozen=True, eq=False, kw_only=True)
class Shortcut(DeclaredFunction[[ShortcutProblem], HeldOutValues]):
    """A way to predict without refitting, and the estimators that it serves: those of exactly these classes."""

    applies_to: tuple[str, ...]


shortcuts: Registry[Shortcut] = Registry("shortcut", "credibly.running.shortcuts")
shortcut = Declarator(Shortcut, shortcuts)


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
        found = _by_class(estimator)
        problem = _problem(estimator, splits, X, y, classes)
    except NoShortcutError as reason:
        return None, str(reason)
    return partial(_answer, found, problem, classes), ""


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
    tests = list(splits.tests())
    sizes = np.array([len(t) for t in tests])
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
    rows = np.concatenate(tests).astype(np.intp)
    return ShortcutProblem(estimator, matrix, target, len(classes or ()), rows, starts)


def _answer(found: Shortcut, problem: ShortcutProblem, classes: Sequence[Any] | None) -> Answers:
    """Run a shortcut; whatever it, or the classes, leave in doubt is to be refitted."""
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
            bad |= first - second < CLOSE
    refit[problem.split_of[bad]] = True
    why = computed.why or "two classes are as good as equal, or one is gone from the training part"
    return Answers(_output(values, classes), refit, why if refit.any() else "")


def _output(values: Floats, classes: Sequence[Any] | None) -> Output:
    if classes is None:
        return Output("value", value=values)
    return Output("probability", np.asarray(classes)[values.argmax(axis=1)], values)
