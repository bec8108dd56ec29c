"""How estimates move with the size of the training part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Indices
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.grouping import grouped
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly._core.text import interval_text
from credibly.errors import ParameterError, listed
from credibly.evaluation import estimators, evaluate
from credibly.measures import Measure
from credibly.measures.selection import headline_measure
from credibly.predictions import Predictions
from credibly.predictions.table import Task
from credibly.resampling import Split, SplitPlan, Splits
from credibly.results.estimate import Estimate, with_decimals
from credibly.results.result import Result
from credibly.results.table import Table
from credibly.running.data import Data
from credibly.running.findings import INTERRUPTED
from credibly.running.run import carry_out, prepare
from credibly.running.tasks import Job

DEFAULT_SIZES = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
MAX_LINES = 3  # of which the meaning is said


class LearningCurve(Result):
    """Predictions for the same test parts after training on growing shares of the training parts."""

    key: ClassVar[str] = "trained on"
    by: ClassVar[tuple[str, ...]] = ()
    title: ClassVar[str] = "Learning curve"
    fixed: ClassVar[str] = "the same test parts"
    meant: ClassVar[tuple[str, ...]] = ()  # codes of findings that the curve itself makes obvious

    predictions: Mapping[int, Predictions]  # by rows trained on

    json_keys = "heading sizes=rows estimates=judged.estimates"
    finding_parts = "judged"

    @property
    def heading(self) -> str:
        """Say what grows, and what stays the same at every size."""
        return f"{self.title}, {self.fixed}"

    def rows(self) -> list[dict[str, Any]]:
        """Return how many cases were predicted at each size."""
        return [{self.key: n, "cases": p.n} for n, p in self.predictions.items()]

    @property
    def sizes(self) -> tuple[int, ...]:
        """What grows: rows trained on."""
        return tuple(self.predictions)

    @property
    def usual(self) -> str:
        """The measure that is shown by default: the headline measure of the task."""
        return headline_measure(next(iter(self.predictions.values())).task)

    @property
    def judged(self) -> Table:
        """That measure at every size."""
        return self.table(self.usual)

    def meaning(self) -> str:
        """Say what the first and the last size give, of each model unless they are many."""
        lines = grouped(
            (tuple((k, v) for k, v in e.keys.items() if k != self.key), e)
            for e in self.judged.estimates
        )
        if len(lines) > MAX_LINES:
            return ""
        several = ((dict(keys), line) for keys, line in lines.items() if len(line) > 1)
        return "\n".join(self._course(keys, line) for keys, line in several)

    def _course(self, keys: Mapping[str, Any], line: Sequence[Estimate]) -> str:
        of = f" ({', '.join(f'{k} {v}' for k, v in keys.items())})" if keys else ""
        first, last = (
            f"{interval_text(e.value, e.interval)} ({self.key} {e.keys[self.key]:,})"
            for e in (line[0], line[-1])
        )
        return f"{line[0].name}{of} goes from {first} to {last}."

    def _described_by(self) -> Table:
        return self.judged

    def table(self, measures: str | Measure | Sequence[str | Measure], **options: Any) -> Table:
        """Estimate measures at every size by what stands for several folds, unless asked otherwise."""
        fold_mean = estimators["fold_mean"]
        models = [m for p in self.predictions.values() for _, m in p.groups(["model"])]
        several = not any(fold_mean.needs(m) for m in models)
        ways = ["fold_mean", "pooled"] if several else "pooled"
        options = {"estimate": ways, "by": self.by, **options}
        tables = {n: evaluate(p, measures, **options) for n, p in self.predictions.items()}
        estimates = tuple(
            replace(e, keys=self._keys(n, e), is_headline=None)
            for n, t in tables.items()
            for e in t.estimates
            if e.is_headline is not False
        )
        findings = tuple(self._findings(tables))
        heading = f"{self.heading}, {len(self.sizes)} sizes"
        return Table(heading, with_decimals(estimates), findings, down=self.key)

    def _keys(self, size: int, e: Estimate) -> dict[str, Any]:
        return {self.key: size, **{k: v for k, v in e.keys.items() if k != "estimate"}}

    def _findings(self, tables: Mapping[int, Table]) -> Iterator[Finding]:
        """Yield the findings; those about some sizes only say about which."""
        sizes = ((f, f"{n:,}") for n, t in tables.items() for f in dict.fromkeys(t.findings))
        for f, some in grouped(sizes).items():
            if f.code not in self.meant:
                where = f"{self.key[:1].upper()}{self.key[1:]} {listed(some)}: "
                every = len(some) == len(tables)
                yield f if every else replace(f, message=f"{where}{f.message}")


@door
def learning_curve(
    schemes: Any,
    X: Any,
    y: Any,
    *,
    sizes: Sequence[float] = DEFAULT_SIZES,
    resampling: Any = "10",
    groups: Any = None,
    sample_weight: Any = None,
    task: Task | None = None,
    rng: int | np.random.Generator | None = None,
    n_jobs: int | None = None,
    exact_shortcuts: bool = True,
    progress: bool = True,
) -> LearningCurve:
    r"""Run schemes with growing training parts, each contained in the next; the test parts stay the same.

    Parameters
    ----------
    schemes
        What to run, as in :func:`credibly.run`.
    X, y
        Inputs and what is to be predicted.
    sizes
        Shares of the training part, 1.0 for all of it, or numbers of rows.
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
    exact_shortcuts
        Whether to compute results without refitting where they are known to be the same.
    progress
        Whether to show progress on a terminal.

    >>> from credibly.running import learning_curve
    >>> from sklearn.datasets import load_iris
    >>> curve = learning_curve("naive-bayes", *load_iris(return_X_y=True), sizes=[0.1, 1.0], rng=1)
    >>> curve.sizes
    (13, 135)
    >>> small, large = curve.table("error_rate").estimates
    >>> small.value > large.value
    True
    >>> print("\n".join(str(curve).splitlines()[:5]))
    Error rate goes from 0.107 [0.054, 0.200] (trained on 13) to 0.047 [0.019, 0.111] (trained on 135).
    Learning curve, the same test parts
    trained on  Error rate
    13          0.107 [0.054, 0.200]
    135         0.047 [0.019, 0.111]
    """
    data = Data.of(X, y, task=task, groups=groups, sample_weight=sample_weight)
    seed = None if rng is None else seed_of(rng)
    splits = data.splits(resampling, seed)
    order = FIXED_SEED if seed is None else seed
    whole = min(len(s.train) for s in splits)
    shares = any(size < 1 for size in sizes)  # beside which 1 is all
    rows = [rows_of(float(size) if shares and size == 1 else size, whole) for size in sizes]
    jobs = (
        (n, prepare(schemes, data, shrunk(splits, n, data, order), seed)) for n in sorted(set(rows))
    )
    return LearningCurve(grown(jobs, n_jobs, exact_shortcuts=exact_shortcuts, progress=progress))


def grown(
    jobs: Iterable[tuple[int, Job]], n_jobs: int | None, **how: bool
) -> dict[int, Predictions]:
    """Carry out the job of each size; an interrupted one is the last."""
    made = {}
    for size, job in jobs:
        made[size] = carry_out(job, n_jobs, **how)
        if any(f.code == INTERRUPTED.code for f in made[size].findings):
            break
    return made


def rows_of(size: float, whole: int) -> int:
    """Return how many rows a share of the training part, or a number of rows, means."""
    if not fits(size, whole):
        raise ParameterError(
            f"sizes are shares up to 1.0 or numbers of rows up to the {whole} of the smallest training part; got {size}."
        )
    return _rows(size, whole)


def fits(size: float, whole: int) -> bool:
    """Whether a size comes to at least one row, and to no more than there are."""
    return 1 <= _rows(size, whole) <= whole


def _rows(size: float, whole: int) -> int:
    return int(size * whole) if isinstance(size, float) and size <= 1 else int(size)


def shrunk(splits: Splits, size: int, data: Data, seed: int) -> Splits:
    """Train on the first rows of each training part in an order that mixes the classes evenly."""

    def train(i: int) -> Indices:
        split: Split = splits[i]
        return split.train[_mixed(split.train, data.codes, [seed, i])[:size]]

    first = splits[0]
    folds = sum(s.repeat == first.repeat for s in splits)
    plan = SplitPlan(
        len(splits),
        lambda i: splits[i].test,
        train,
        folds=folds,
        design=splits.design,
        numbers=lambda i: (splits.all_numbers[0][i], splits.all_numbers[1][i]),
    )
    name = f"{splits.resampling}, trained on {size} rows"
    return Splits(
        splits.n, plan, resampling=name, seed=splits.seed, promises=frozenset({"disjoint"})
    )


def _mixed(train: Indices, codes: NDArray[Any] | None, seed: list[int]) -> Indices:
    """Order rows at random such that every beginning has the classes in proportion."""
    order = np.random.default_rng(seed).permutation(len(train))
    if codes is None:
        return order
    kinds = codes[train[order]]
    place = np.empty(len(order))
    for c in np.unique(kinds):
        mine = np.flatnonzero(kinds == c)
        place[mine] = (np.arange(len(mine)) + 0.5) / len(mine)
    return order[np.argsort(place, kind="stable")]
