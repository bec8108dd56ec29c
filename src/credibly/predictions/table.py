"""The columns of predictions: the fields that everything about them reads, and what is kept with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import UNIT_RANGE, Floats
from credibly._core.findings import Finding
from credibly._core.text import count, name_text
from credibly.errors import MAX_LISTED
from credibly.predictions.case_columns import NO_COLUMNS, CaseColumns
from credibly.predictions.labels import ROWS_PER_BLOCK, all_differ, as_they_come, distinct
from credibly.predictions.numbers import are_passes, as_count, effective_sizes
from credibly.predictions.provenance import UNKNOWN

if TYPE_CHECKING:
    from credibly._kernels import LossSums
    from credibly.predictions.provenance import Design, Provenance

Task = Literal["classification", "numeric", "outcome"]
Better = Literal["higher", "lower"]
WeightKind = Literal["none", "frequency", "importance"]
MAX_COMPARED_CODES = 8  # of many rows, as many are counted faster by one comparison each
NUMBER_COLUMNS = ("score", "probability", "value", "outcome")
PREDICTION_COLUMNS = ("label", *NUMBER_COLUMNS)
T = TypeVar("T")


class HasCache(Protocol):
    """Something immutable with room for what is derived from it."""

    @property
    def cache(self) -> dict[Any, Any]:
        """What has been computed, by key."""


def cached(owner: HasCache, key: object, compute: Callable[[], T]) -> T:
    """Return what was computed before under a key, or compute it now.

    >>> from types import SimpleNamespace
    >>> table = SimpleNamespace(cache={})
    >>> cached(table, "sum", lambda: 3), cached(table, "sum", lambda: 4)
    (3, 3)
    """
    if key not in owner.cache:
        owner.cache[key] = compute()
    found: T = owner.cache[key]
    return found


@dataclass(frozen=True)
class Slot(Generic[T]):
    """Where something of one type is kept with its owner by one part of the library for another.

    What is kept ``of_bins`` are sums over the cases themselves, which bins of scores no longer distinguish:
    they are those of every row that can be judged.

    >>> from types import SimpleNamespace
    >>> table, total = SimpleNamespace(cache={}), Slot[int]("total")
    >>> total.put(table, 3)
    3
    >>> total.get(table), total.get(SimpleNamespace(cache={}))
    (3, None)
    """

    name: str
    of_bins: bool = False

    def get(self, owner: HasCache) -> T | None:
        """Return what was put there, if anything was."""
        found: T | None = owner.cache.get(self)
        return found

    def put(self, owner: HasCache, value: T) -> T:
        """Keep something there."""
        owner.cache[self] = value
        return value


LOSS_SUMS: Slot[LossSums] = Slot("loss sums", of_bins=True)
# Where the rows stood among all that were given.
PLACES: Slot[NDArray[np.intp]] = Slot("places")


@dataclass(frozen=True, slots=True, eq=False)
class PredictionColumns:
    """The columns of :class:`~credibly.Predictions`, and what follows from them alone."""

    task: Task
    truth: NDArray[Any]
    classes: tuple[Any, ...] = ()
    positive: int | None = None
    label: NDArray[Any] | None = None
    score: Floats | None = None
    probability: Floats | None = None
    value: Floats | None = None
    outcome: Floats | None = None
    better: Better | None = None
    bounds: tuple[float, float] | None = None
    outcome_name: str = ""  # what measures of outcomes are called, where that is known
    weight: Floats | None = None
    weight_kind: WeightKind = "none"
    row: NDArray[Any] | None = None
    model: NDArray[Any] | None = None
    repeat: NDArray[Any] | None = None
    fold: NDArray[Any] | None = None
    part: NDArray[Any] | None = None
    group: NDArray[Any] | None = None
    time: NDArray[Any] | None = None
    baseline: Floats | None = None
    n_train: Floats | None = None
    span: Floats | None = None
    columns: CaseColumns = NO_COLUMNS
    seen: Self | None = None
    unshared: Floats | None = None
    unshared_kind: WeightKind = "none"
    findings: tuple[Finding, ...] = ()
    provenance: Provenance | None = None
    design: Design = UNKNOWN
    cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.truth)

    @property
    def pass_or_fail(self) -> bool:
        """Whether every outcome that is known is a pass (1) or a failure (0), and could be nothing else.

        Numbers of 0 and 1 that can be higher are none, and neither are ones of which 1 is the worse.
        """
        numbers, share = self.outcome, self.bounds in {None, UNIT_RANGE}
        if self.outcome_name:  # of a score of which more is known
            share = self.bounds == UNIT_RANGE
        elif self.better == "lower":
            share = False
        return (
            share and numbers is not None and cached(self, are_passes, lambda: are_passes(numbers))
        )

    @property
    def way(self) -> Better | None:
        """Which way outcomes are better, if that is known: a pass is better than a failure."""
        return self.better or ("higher" if self.pass_or_fail else None)

    @property
    def kind_of_outcome(self) -> str:
        """What outcomes are, and which way is better."""
        passes, ends = self.pass_or_fail, self.bounds
        kind = "outcomes: pass or fail" if passes else "outcomes"
        way = f"{self.better} is better" if self.better else "" if passes else "direction unknown"
        reach = "" if ends is None or passes else f"from {ends[0]:g} to {ends[1]:g}"
        reach = reach.removesuffix(" to inf")
        return ", ".join(filter(None, [kind, reach, way]))

    @property
    def given_kind(self) -> WeightKind:
        """The kind of the weights that were given, whether or not cases are predicted repeatedly."""
        if self.design.counted:  # its counts are cases, not weights
            return "none"
        return self.weight_kind if self.unshared is None else self.unshared_kind

    @property
    def found_complete(self) -> dict[str, Any]:
        """What is known of copies of these rows as well: of rows without gaps, none has one."""
        facts = (("gapless", True), ("unknown", None))
        return {k: v for k, v in facts if self.cache.get(k, 0) is v}

    @property
    def kind_of_sums(self) -> WeightKind:
        """The kind of weights that are made of these: counts, where these count cases."""
        return "frequency" if self.weight_kind == "none" else self.weight_kind

    @property
    def in_time(self) -> bool:
        """Whether cases are in time order: a column tells, or how models were tested."""
        return self.time is not None or self.design.in_time

    @property
    def grouping(self) -> NDArray[Any] | None:
        """The groups of cases that are not independent: none where every case is a group of its own."""
        return None if cached(self, "groups of one", self._groups_of_one) else self.group

    def _groups_of_one(self) -> bool:
        often = self.weights if self.unshared is None else self.unshared
        if self.group is None or (self.given_kind == "frequency" and often.max(initial=0) > 1):
            return False
        if self.row is None or self.repeats == 1:
            return all_differ(self.group)
        return len(distinct(self.group).values) == len(distinct(self.row).values)

    @property
    def repeats(self) -> int:
        """How many repeats there are; one where nothing distinguishes them."""
        return 1 if self.repeat is None else len(distinct(self.repeat).values)

    @property
    def weights(self) -> Floats:
        """The weight of each row: 1 when none are given."""
        return self.weight if self.weight is not None else np.ones(self.n)

    @property
    def cases(self) -> float:
        """Number of cases that the rows stand for."""
        return float(self.n) if self.weight is None else as_count(float(self.counts.sum()))

    @property
    def counts(self) -> Floats:
        """How many cases each row stands for: a frequency; else one, or none where its weight is 0.

        Each row of a case that is predicted repeatedly counts as a share.
        """
        if self.weight is None or self.weight_kind == "frequency":
            return self.weights
        if self.unshared is not None and self.unshared_kind != "importance":
            return self.weight
        if self.unshared is not None:
            return np.divide(
                self.weight, self.unshared, out=np.zeros(self.n), where=self.unshared > 0
            )
        return (self.weight > 0).astype(np.float64)

    @property
    def class_weights(self) -> Floats:
        """The weight of the cases of each class.

        >>> from credibly import Predictions
        >>> Predictions.of(["a", "b", "a"], label=["a", "a", "a"], sample_weight=[1, 2, 3]).class_weights.tolist()
        [4.0, 2.0]
        """
        return self._by_class("class weights", self.weight)

    @property
    def class_counts(self) -> Floats:
        """The number of cases of each class."""
        if self.weight is None or self.weight_kind == "frequency":
            return self.class_weights
        return self._by_class("class counts", self.counts)

    def _by_class(self, name: str, weight: Floats | None) -> Floats:
        if not self.classes:
            return np.zeros(0)
        return cached(self, name, lambda: tallied(self.truth, weight, len(self.classes)))

    @property
    def counted(self) -> Self:
        """The same rows, each weighted with the number of cases that it represents."""
        if self.weight_kind != "importance":
            return self
        return replace(self, weight=self.counts, weight_kind="frequency", cache={})

    @property
    def case_weight(self) -> float:
        r"""The weight that is worth one case: 1, except for importance weights $\sum w^2 / \sum w$.

        Their sum in this unit is the effective size, and equal weights are worth a case each.

        >>> from credibly import Predictions
        >>> Predictions.of([1, 0], label=[1, 0], sample_weight=[7, 7], weight_kind="importance").case_weight
        7.0
        """
        if self.weight is None or self.weight_kind != "importance" or not self.weight.any():
            return 1.0
        if self.unshared is not None and self.unshared_kind != "importance":
            return 1.0
        largest = float(self.weight.max())  # divided out, so that equal weights are a case exactly
        size = effective_sizes(self.weight, whole=self.unshared)[0]
        return largest * float((self.weight / largest).sum() / size)

    @property
    def has_positive(self) -> bool:
        """Whether it is known which class is positive; the others together are negative."""
        return self.positive is not None

    @property
    def repeated(self) -> bool:
        """Whether some row is predicted more than once."""
        return cached(self, "repeated", lambda: self.row is not None and not all_differ(self.row))

    @property
    def provides(self) -> tuple[str, ...]:
        """Names of the prediction columns that are there."""
        return tuple(c for c in PREDICTION_COLUMNS if getattr(self, c) is not None)

    @property
    def clusters(self) -> NDArray[Any] | None:
        """What is independent where rows are not: groups, stretches of time, or cases predicted repeatedly.

        >>> from credibly import Predictions
        >>> Predictions.of([1, 0, 1, 0], label=[1, 0, 0, 0], row=[7, 8, 7, 8], repeat=[0, 0, 1, 1]).clusters.tolist()
        [7, 8, 7, 8]
        """
        if self.in_time:
            return cached(self, "time blocks", self._time_blocks)
        rows = self.row if self.repeated else None
        return rows if self.grouping is None else self.grouping

    @property
    def cluster_name(self) -> str:
        """What to call the clusters."""
        if self.in_time:
            return "blocks of time"
        return "groups" if self.grouping is not None else "cases predicted repeatedly"

    @property
    def model_names(self) -> tuple[Any, ...]:
        """The names of the models, in the order in which they were given; none if the column is not there."""

        def found() -> tuple[Any, ...]:
            return () if self.model is None else as_they_come(distinct(self.model)).values

        return cached(self, "model_names", found)

    def take(self, rows: NDArray[Any] | slice) -> Self:
        """Return some of the rows, by mask or by place."""
        raise NotImplementedError

    def _time_blocks(self) -> NDArray[np.intp]:
        """Return the stretch of time of each row."""
        raise NotImplementedError

    @property
    def heading(self) -> str:
        """How many cases there are, in how many folds they were predicted, and of which classes.

        >>> from credibly import Predictions
        >>> Predictions.of(["no", "yes"], probability=[0.25, 0.5]).heading
        '2 cases, 2 classes: no and yes (positive)'
        """
        models = len(distinct(self.model).values) if self.model is not None else 1
        cases = count(self.cases, "case")
        noun = "outcome" if self.task == "outcome" else "prediction"
        if models > 1:
            own = self.repeated and self.weight_kind != "frequency"
            made = int(np.count_nonzero(self.weights)) if own else self.cases
            cases = f"{count(made, noun)} by {models} models"
        if models == 1 and self.repeated and self.row is not None:
            cases = f"{self.n:,} {noun}s of {count(len(distinct(self.row).values), 'case')}"
        cases += self._resampled()
        if self.task == "numeric":
            return f"{cases}, numeric prediction"
        if self.task == "outcome":
            kind = self.kind_of_outcome
            return (
                f"{cases}, {kind.removeprefix('outcomes').lstrip(':, ') if noun in cases else kind}"
            )
        mark = {self.positive: " (positive)"} if self.has_positive else {}
        names = [f"{name_text(c)}{mark.get(i, '')}" for i, c in enumerate(self.classes)]
        listed = " and ".join(names) if len(names) <= 2 else ", ".join(names[:MAX_LISTED])
        more = " ..." if len(names) > MAX_LISTED else ""
        return f"{cases}, {count(len(names), 'class')}: {listed}{more}"

    def _resampled(self) -> str:
        """Say in how many folds, and how often, the cases were predicted.

        >>> from credibly import Predictions
        >>> Predictions.of([1, 0, 1, 0], label=[1, 0, 1, 1], fold=[0, 0, 1, 1])._resampled()
        ' in 2 folds'
        """
        columns = (self.repeat if self.design.repeats == "resampled" else None, self.fold)
        repeats, folds = (1 if c is None else len(distinct(c).values) for c in columns)
        if folds < 2:
            return f" in {repeats:,} repeats" if repeats > 1 else ""
        return f" in {repeats:,} times {folds:,} folds" if repeats > 1 else f" in {folds:,} folds"


def tallied(codes: NDArray[Any], weight: NDArray[np.float64] | None, k: int) -> NDArray[np.float64]:
    """Return the weight of the rows of each of ``k`` codes; those below 0 are of none.

    Some rows at a time: numpy widens codes to count them, and what is wide should stay in the cache.

    >>> tallied(np.array([1, 0, -1, 1], np.int8), None, 3).tolist()
    [1.0, 2.0, 0.0]
    """
    if weight is None and k <= MAX_COMPARED_CODES and codes.size >= ROWS_PER_BLOCK:
        narrow = codes.view(np.int8) if codes.dtype == bool else codes
        return np.array([np.count_nonzero(narrow == code) for code in range(k)], np.float64)
    values = np.zeros(k)
    step = max(ROWS_PER_BLOCK, k)
    for start in range(0, codes.size, step):
        part = codes[start : start + step]
        counted = None if weight is None else weight[start : start + step]
        if part.min() < 0:
            known = part >= 0
            part, counted = part[known], None if counted is None else counted[known]
        values += np.bincount(part, counted, k)
    return values
