"""How a resampling is declared: once, with what it promises and the generic tests check."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.declared import Declarator, Parametrised, Registry
from credibly._core.seeds import seed_of
from credibly.errors import CrediblyError, ParameterError, says
from credibly.resampling._rows import Rows
from credibly.resampling._splits import SplitPlan, Splits

MAX_CELLS = 20_000_000  # rows times splits that are looked at
MAX_LOOKED_AT = 100
PROMISES = {
    "disjoint": "no row is in a training part and in its test part",
    "covers": "every row is tested equally often, and at most once in a repeat",
    "stratified": "a class has its share of the rows of a test part, rounded down or up",
    "respects_groups": "no group is in a training part and in its test part",
    "respects_time": "every training row is older than every test row",
    "independent": "repeats share no row: each is a data set of its own",
    "pairs": "a test part is a pair of rows from two classes, to be ranked against each other: "
    "an AUC is the mean over pairs, never pooled",
}


@dataclass(frozen=True, slots=True)
class Shape:
    """Splits in numbers; sizes from the smallest to the largest that was seen."""

    splits: int | None = None
    train: tuple[int, int] | None = None
    test: tuple[int, int] | None = None
    overlap: float | None = None  # share of the rows of a training part that are in another
    inclusion: float | None = None  # probability that a row is in a training part


def shape_of(
    cut: Callable[..., Splits], n: int, inclusion: Callable[[int], float] | None = None
) -> Shape:
    """Return the shape of how ``n`` rows are cut: two classes, groups of five, ten folds, in order.

    It is empty where so few rows cannot be resampled like this.

    >>> from credibly.resampling import folds
    >>> shape_of(folds.cut, 150).train
    (135, 135)
    """
    row = np.arange(n)
    rows = Rows.of(n, row % 2, groups=row // 5, fold=row % 10)
    try:
        splits = cut(rows, rng=1)
    except CrediblyError:
        return Shape()
    looked = min(len(splits), MAX_LOOKED_AT, 2 + MAX_CELLS // n)
    seen = [splits[i] for i in np.linspace(0, len(splits) - 1, looked).astype(int)]
    included = np.zeros((len(seen), n), np.float32)
    for part, split in zip(included, seen, strict=True):
        part[split.train] = 1
    distinct = included.sum(axis=1, dtype=np.float64)
    shared = (included @ included.T) / distinct[:, None]
    return Shape(
        len(splits),
        _range(split.train.size for split in seen),
        _range(split.test.size for split in seen),
        float(shared[~np.eye(looked, dtype=bool)].mean()) if looked > 1 else None,
        inclusion(n) if inclusion else float(distinct.mean() / n),
    )


def _range(sizes: Iterable[int]) -> tuple[int, int]:
    every = list(sizes)
    return min(every), max(every)


class Resampling(Parametrised[..., SplitPlan]):
    """A rule that cuts rows into training and test parts, with its arguments.

    Its function of :class:`Rows` takes a random generator as second argument if it is random. What is
    ``promised`` is of :data:`PROMISES`. ``inclusion`` is the probability that a row is in a training
    part, as a function of the number of rows, where sizes do not tell.

    Call it to set arguments; :meth:`realise` cuts given rows. With :meth:`seeded` it is a
    scikit-learn splitter, to be passed as ``cv=``.

    >>> from credibly.resampling import folds
    >>> folds(k=5, repeats=2)
    folds(k=5, repeats=2)
    >>> [s.test.tolist() for s in folds(k=2).realise(4, ["a", "a", "b", "b"], rng=1)]
    [[1, 3], [0, 2]]
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> cross_val_score(GaussianNB(), *load_iris(return_X_y=True), cv=folds(k=5).seeded(1)).size
    5
    """

    cite: str = ""
    promised: tuple[str, ...] = ()
    inclusion: Callable[[int], float] | None = field(default=None, repr=False)
    seed: int | None = None
    by_weight: bool = False  # whether it draws rows in proportion to given weights
    with_groups: str = ""  # the resampling that takes its place where rows come in groups
    random: bool = field(init=False)

    def __post_init__(self) -> None:
        """See whether it is random, and refuse unknown promises."""
        super().__post_init__()
        self._set(random="rng" in inspect.signature(self.function).parameters)
        if unknown := set(self.promised) - set(PROMISES):
            raise ParameterError(
                f"{self.title} promises {sorted(unknown)}; promises are {', '.join(PROMISES)}."
            )

    def __call__(self, **arguments: object) -> Resampling:
        """Return the resampling with some of its arguments set."""
        return self.given(**arguments)

    @property
    def promises(self) -> frozenset[str]:
        """What it promises of its splits, of :data:`PROMISES`; a switch of that name takes it back."""
        return frozenset(p for p in self.promised if self.arguments.get(p, True))

    def for_rows(self, *, grouped: bool) -> Resampling:
        """Return the resampling that rows with groups, or without, call for."""
        if not grouped or not self.with_groups:
            return self
        return replace(resamplings[self.with_groups](**self.arguments), seed=self.seed)

    def seeded(self, rng: int | np.random.Generator) -> Resampling:
        """Return the resampling with its seed, as scikit-learn's ``random_state`` does."""
        return replace(self, seed=seed_of(rng))

    def realise(
        self,
        n_or_X: object,  # noqa: N803
        y: object = None,
        *,
        groups: object = None,
        time: object = None,
        fold: object = None,
        weight: object = None,
        rng: int | np.random.Generator | None = None,
    ) -> Splits:
        """Cut rows, given by their number or as they are, into training and test parts.

        ``y`` holds the classes to stratify by; a numeric target is not stratified by. ``groups``,
        ``time`` and ``fold`` are columns that some resamplings need. ``weight`` says how likely each
        row is to be drawn, for resamplings that draw rows: the bootstrap; others refuse it.
        """
        rows = Rows.of(n_or_X, y, groups=groups, time=time, fold=fold, weight=weight)
        if weight is not None and not self.by_weight:
            able = ", ".join(r.name for r in resamplings if r.by_weight)
            raise ParameterError(
                says("{call} draws no rows by <weight=>; {able} does.", call=self.call, able=able)
            )
        return self.cut(rows, rng)

    def cut(self, rows: Rows, rng: int | np.random.Generator | None = None) -> Splits:
        """Cut rows that were checked before."""
        if self.with_groups and rows.group is not None:
            return self.for_rows(grouped=True).cut(rows, rng)
        seed = self._seed(rng)
        plan = (
            self.function(rows, **self.arguments)
            if seed is None
            else self.function(rows, np.random.default_rng(seed), **self.arguments)
        )
        return Splits(rows.n, plan, resampling=self.call, seed=seed, promises=self.promises)

    def _seed(self, rng: int | np.random.Generator | None) -> int | None:
        if not self.random:
            return None
        if rng is not None:
            return seed_of(rng)
        if self.seed is None:
            raise ParameterError(
                f"{self.call} is random.",
                remedy=says(
                    "Set <rng=...>, or give it a seed with {call}.seeded(1). Nothing is random without it.",
                    call=self.call,
                ),
            )
        return self.seed

    def split(
        self,
        X: object,  # noqa: N803
        y: object = None,
        groups: object = None,
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Give the training and test rows of each split, as scikit-learn's splitters do."""
        splits = self.realise(X, y, groups=groups)
        for place in splits.judged:
            yield splits[place].train, splits[place].test

    def get_n_splits(
        self,
        X: object = None,  # noqa: N803
        y: object = None,
        groups: object = None,
    ) -> int:
        """Return how many splits these rows give; the number does not depend on the seed.

        Rows may be left out where their number does not matter, as scikit-learn's splitters allow.
        """
        seed = 0 if self.random and self.seed is None else None
        if X is not None or y is not None:
            return len(self.realise(y if X is None else X, y, groups=groups, rng=seed).judged)
        counts = {len(self.realise(n, rng=seed).judged) for n in SAMPLE_SIZES}
        if len(counts) > 1:
            raise ParameterError(
                f"How many splits {self.call} gives depends on the rows: give X (or y)."
            )
        return counts.pop()

    def facts(self) -> dict[str, Any]:
        """Return what people ask of it, by name."""
        return {"promises": sorted(self.promises)}

    def columns(self, n: int) -> dict[str, Any]:
        """Tell, for a listing, what it makes of ``n`` rows.

        >>> from credibly.resampling import leave_one_out
        >>> leave_one_out.columns(100)
        {'splits': 100, 'train': (99, 99), 'test': (1, 1), 'overlap': 0.98989..., 'inclusion': 0.99}
        """
        return asdict(shape_of(self.cut, n, self.inclusion))

    def __repr__(self) -> str:
        return self.call if self.seed is None else f"{self.call}.seeded({self.seed})"

    def __reduce__(self) -> Any:  # noqa: ANN401
        # The name of a declared function is that of its entry, so the function cannot be pickled.
        if self.name in resamplings and resamplings[self.name].function is self.function:
            return _revive, (self.name, dict(self.arguments), self.seed, self.with_groups)
        return object.__reduce_ex__(self, 2)


def _revive(
    name: str, arguments: dict[str, Any], seed: int | None, with_groups: str = ""
) -> Resampling:
    return replace(resamplings[name], arguments=arguments, seed=seed, with_groups=with_groups)


SAMPLE_SIZES = (9_973, 10_000)  # any two that are large enough, to see whether it matters
resamplings: Registry[Resampling] = Registry(
    "resampling",
    "credibly.resampling",
    use="run(scheme, X, y, resampling={name!r})",
    typed="run FILE --scheme SCHEME --resampling {name}",
    first="cross_validation",
)
resampling = Declarator(Resampling, resamplings)
