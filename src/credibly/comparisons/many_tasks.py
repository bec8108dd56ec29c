"""Models on many tasks: how far each case moves the value of its task, and what chance makes of all of them.

Differences come with a standard error by the sums of influence values over groups of cases. Normal replicates
with the covariance that the cases show are shared by all models and tasks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, dot
from credibly.comparisons._scores import tango_limits
from credibly.comparisons.labels import discordant_test
from credibly.comparisons.multiplicity import Simultaneous
from credibly.comparisons.skewness import outer_limits
from credibly.errors import DataError, ParameterError, says
from credibly.intervals.influence import influence
from credibly.intervals.quantiles import student_quantile, student_tail
from credibly.intervals.standard_errors import grows, stretched
from credibly.predictions import Predictions
from credibly.predictions.case_columns import asked_slices
from credibly.predictions.labels import distinct
from credibly.predictions.numbering import unit_numbers

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.comparisons.benchmark_results import Weights
    from credibly.measures import Measure

# Different sizes of differences, up to which equal ones are flipped together.
MAX_EXACT_SIZES = 2000
MIN_NORMAL_DIFFERENCES = 20_000  # differences, from which on their flipped sum is normal
RANDOM_FLIPS = 9_999
OUTCOME_ROUNDING = 1e-9  # how far rounding may take an outcome of 0 or 1


@dataclass(frozen=True, slots=True)
class TaskTable:
    """Values by model and task, and how far each group of cases moves them."""

    measure: Measure
    models: tuple[str, ...]
    tasks: tuple[str, ...]
    values: Floats  # by model and task
    cases: Floats  # of each task; what is judged again is one
    sizes: Floats  # of each task: what is independent, cases or groups of them
    held: Floats  # of each task: the weight of its cases
    groups: tuple[NDArray[np.intp], ...]  # of each task: the group of each row
    often: tuple[
        Floats, ...
    ]  # of each task: the cases that each row stands for, one where groups are judged
    moves: tuple[Floats, ...]  # of each task: by model and row
    shares: tuple[Floats, ...]  # of each task: the share of each row in it
    # Of each task: whether the cases of each row passed, by model; if that is all.
    passes: tuple[Floats, ...] | None

    @property
    def sign(self) -> int:
        """What turns a difference into a gain."""
        return 1 if self.measure.direction == "higher" else -1

    @classmethod
    def of(
        cls,
        m: Measure,
        average: Average | None,
        parts: Sequence[Predictions],
        names: Sequence[str],
        by: str,
    ) -> TaskTable:
        """Compute the measure of each model on each task."""
        parts = [p.of_weight() for p in parts]
        first = parts[0]
        (column,) = asked_slices(first.columns, by, first.cases)
        labels = distinct(np.asarray(first.values_of(column, says("<by={it}>", it=by))))
        tasks = tuple(map(str, labels.values))
        cluster = first.clusters
        group = unit_numbers(first)
        values = np.zeros((len(parts), len(tasks)))
        groups, moves, shares, passes = [], [], [], []
        plain = cluster is None and first.weight_kind != "importance"
        for t, task in enumerate(tasks):
            rows = np.flatnonzero(labels.codes == t)
            moved = np.zeros((len(parts), rows.size))
            for k, p in enumerate(parts):
                values[k, t], moved[k] = _moved(m, average, p.take(rows), f"{names[k]} on {task}")
            weight = first.weights[rows]
            groups.append(group[rows])
            moves.append(moved)
            shares.append(weight / weight.sum())
            # Of a mean, what the cases themselves are: all that is 0 or 1 has an exact theory.
            passes.append(values[:, [t]] + moved / shares[-1])
        of_passes = plain and all(
            (np.minimum(abs(x), abs(x - 1)) < OUTCOME_ROUNDING).all() for x in passes
        )
        cases = np.ones(first.n) if cluster is not None else first.counts
        often = tuple(cases[labels.codes == t] for t in range(len(tasks)))
        sizes = np.array(
            [
                np.unique(g).size if cluster is not None else o.sum()
                for g, o in zip(groups, often, strict=True)
            ],
            float,
        )
        counted = _cases_by_code(first, labels.codes)
        held = np.bincount(labels.codes, first.weights).astype(np.float64)
        return cls(
            m, tuple(names), tasks, values, counted, sizes, held, tuple(groups), often, tuple(moves), tuple(shares),
            tuple(x.round() for x in passes) if of_passes else None,
        )  # fmt: skip


def _moved(
    m: Measure, average: Average | None, part: Predictions, where: str
) -> tuple[float, Floats]:
    """Return the value of a model on a task, and how far each case moves it."""
    value, slopes = m.on(part, average), influence(m, part, average)
    if slopes is None or not math.isfinite(value):
        raise DataError(f"{m.title} of {where} is undefined, or does not depend on its cases.")
    if grows(slopes, part.weights):
        raise ParameterError(f"{m.title} grows with the number of cases; take a mean or a rate.")
    return value, stretched(slopes, m, part, average) * part.weights


def _cases_by_code(p: Predictions, codes: NDArray[np.intp]) -> Floats:
    """Return how many cases have each code; one that is judged again counts once."""
    if not p.repeated or p.row is None:
        return np.bincount(codes, p.counts).astype(np.float64)
    codes = np.unique(np.stack([codes, distinct(p.row).codes]), axis=1)[0]
    return np.bincount(codes).astype(np.float64)


class TaskMoments(NamedTuple):
    """How models vary together: their covariance, and the third moment of the difference of each from each other."""

    covariance: Floats
    third: Floats

    @classmethod
    def of(cls, moves: Floats, group: NDArray[np.intp], often: Floats) -> TaskMoments:
        """Compute both of sums over groups, for the covariance divided by their number less one.

        Where each row is its own group, it stands for as many equal ones as ``often`` says.
        """
        _, codes = np.unique(group, return_inverse=True)
        rows = int(codes.max()) + 1
        if rows == codes.size:
            sums = moves / often
        else:
            sums, often = np.array([np.bincount(codes, m) for m in moves]), np.ones(rows)
        n = float(often.sum())
        if n < 2:
            unknown = np.full((len(moves), len(moves)), math.nan)
            return cls(unknown, unknown)
        sums = sums - dot(sums, often)[:, None] / n
        mixed = np.square(sums) * often @ sums.T
        alone = np.diag(mixed)
        covariance = n / (n - 1) * (sums * often) @ sums.T
        return cls(covariance, alone[:, None] - alone - 3 * (mixed - mixed.T))


@dataclass(frozen=True, slots=True)
class SharedDraws:
    """Normal replicates that all differences share."""

    seed: int
    replicates: int

    def of(self, covariance: Floats, key: int) -> Floats:
        """Draw models with a covariance: a row for each replicate.

        By its symmetric root, which is one and moves little where rounding moves the covariance: other roots turn with
        the signs of vectors, which differ between machines.
        """
        values, vectors = np.linalg.eigh(covariance)
        half = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
        rng = np.random.default_rng([self.seed, key])
        made: Floats = rng.standard_normal((self.replicates, len(covariance))) @ half
        return made

    def together(
        self, parts: Iterable[tuple[Floats, Sequence[ModelGap]]], level: float, *, first: int
    ) -> Simultaneous:
        """Return how differences hold together; each part has a covariance, and its draws a number of their own."""
        from scipy.special import ndtr

        largest = np.zeros(self.replicates)
        for key, (covariance, differences) in enumerate(parts, first):
            drawn = self.of(covariance, key)
            for d in differences:
                if d.error > 0:
                    apart = np.abs(drawn[:, d.first] - drawn[:, d.second]) / d.error
                    np.maximum(largest, apart, out=largest)
        return Simultaneous(2 * ndtr(-largest), level)


@dataclass(frozen=True, slots=True)
class ModelGap:
    """A difference of two models, before it is known how many there are."""

    first: int
    second: int
    task: int  # -1 over all tasks
    value: float
    error: float
    freedom: float
    discordant: tuple[float, float, float] | None = None  # only first, only second, cases
    third: float = 0.0  # moment, by which skewed differences move the limits

    def pvalue(self, *, over_all: float | None = None) -> float:
        """Return the p-value of no difference, by its own distribution."""
        if over_all is not None:
            return over_all
        if self.discordant is not None:
            b, c, _ = self.discordant
            return float(discordant_test(b, c, "mid_p", "two-sided")[1]) if b + c else 1.0
        if not self.error > 0:
            return math.nan
        return float(student_tail(abs(self.value) / self.error, self.freedom, tails=2))

    def limits(self, tail: float) -> tuple[float, float] | None:
        """Return the limits that leave so much beyond each of them."""
        if self.discordant is not None:
            b, c, n = self.discordant
            return tango_limits(b, c, n, tail)
        if not self.error > 0:
            return None
        third = self.third / self.error / self.error / self.error
        return outer_limits(self.value, self.error, student_quantile(tail, self.freedom), third)


@dataclass(frozen=True, slots=True, eq=False)
class OverTasks:
    """Tasks that are weighed together, and how the models vary on each and over all."""

    table: TaskTable
    weights: Floats
    moments: tuple[TaskMoments, ...]
    covariance: Floats  # over all tasks, where groups may reach over several

    @classmethod
    def of(cls, table: TaskTable, how: Weights) -> OverTasks:
        """Weigh tasks alike, or by their cases; each must show some variation."""
        weights = table.held / table.held.sum()
        if how == "task":
            weights = np.full(len(table.tasks), 1 / len(table.tasks))
        each = zip(table.moves, table.groups, table.often, strict=True)
        moments = tuple(TaskMoments.of(*of_task) for of_task in each)
        ids = np.concatenate(table.groups)
        if sum(np.unique(g).size for g in table.groups) > np.unique(ids).size:
            moves = np.concatenate([w * m for w, m in zip(weights, table.moves, strict=True)], 1)
            covariance = TaskMoments.of(moves, ids, np.concatenate(table.often)).covariance
        else:
            parts = (w**2 * m.covariance for w, m in zip(weights, moments, strict=True))
            covariance = np.asarray(sum(parts))
        if not all(np.isfinite(c).all() for c in (covariance, *(m.covariance for m in moments))):
            raise DataError(
                "A task has a single case or group, which shows no variation.",
                remedy="Leave it out, or join tasks.",
            )
        return cls(table, weights, moments, covariance)

    @property
    def values(self) -> Floats:
        """The value of each model over all tasks."""
        values: Floats = self.table.values @ self.weights
        return values

    def freedom(self, variances: Floats) -> float:
        """Return the degrees of freedom of a weighted sum, by its variance on each task (Satterthwaite)."""
        parts = self.weights**2 * variances
        spread = float(np.square(parts) @ (1 / np.maximum(self.table.sizes - 1, 1)))
        return max(float(parts.sum()) ** 2 / spread, 1.0) if spread > 0 else 1.0

    def gap(self, i: int, j: int) -> ModelGap:
        """Return by how much one model differs from another over all tasks."""
        value = float(self.weights @ (self.table.values[i] - self.table.values[j]))
        variance = _of_difference(self.covariance, i, j)
        freedom = self.freedom(np.array([_of_difference(m.covariance, i, j) for m in self.moments]))
        error = math.sqrt(max(variance, 0.0)) if math.isfinite(variance) else math.nan
        thirds = (w**3 * m.third[i, j] for w, m in zip(self.weights, self.moments, strict=True))
        return ModelGap(i, j, -1, value, error, freedom, third=float(sum(thirds)))

    def gap_on_task(self, i: int, t: int) -> ModelGap:
        """Return by how much a model differs from the first on a task."""
        table, moments = self.table, self.moments[t]
        variance = _of_difference(moments.covariance, i, 0)
        error = math.sqrt(max(variance, 0.0)) if math.isfinite(variance) else math.nan
        value = float(table.values[i, t] - table.values[0, t])
        scale = max(abs(value), abs(float(table.values[i, t])), 1e-300)
        error = 0.0 if error < 1e-12 * scale else error
        freedom = table.sizes[t] - 1
        if table.passes is None:
            return ModelGap(i, 0, t, value, error, freedom, third=float(moments.third[i, 0]))
        x, y, often = table.passes[t][i], table.passes[t][0], table.often[t]
        counted = float(often[x > y].sum()), float(often[y > x].sum()), float(often.sum())
        return ModelGap(i, 0, t, value, error, freedom, counted)


def _of_difference(c: Floats, i: int, j: int) -> float:
    """Return the variance of a difference."""
    return float(c[i, i] + c[j, j] - 2 * c[i, j])


def flipped(sums: Floats, often: Floats, draws: SharedDraws) -> float:
    """Return how often the sum is as large when the two models change places in cases at random.

    ``often`` says how many equal cases each number stands for.
    """
    size = float(np.abs(sums).max(initial=0.0))
    moved = np.abs(sums) > 1e-12 * size
    sums, often = sums[moved], often[moved]
    if not sums.size:
        return 1.0
    seen = abs(float(dot(sums, often)))
    kinds, place = np.unique(np.abs(sums / size).round(12), return_inverse=True)
    rng = np.random.default_rng([draws.seed, 1 << 20])
    b = min(draws.replicates, RANDOM_FLIPS)
    if kinds.size <= MAX_EXACT_SIZES:
        drawn = np.zeros(b)
        for kind, n in zip(kinds * size, np.bincount(place, often), strict=True):
            drawn += kind * (2.0 * rng.binomial(int(n), 0.5, b) - n)
    elif often.sum() <= MIN_NORMAL_DIFFERENCES:
        sums = np.repeat(sums, often.astype(np.intp))
        drawn = np.array([float(rng.choice((-1.0, 1.0), sums.size) @ sums) for _ in range(b)])
    else:
        from scipy.special import ndtr

        return float(2 * ndtr(-seen / math.sqrt(float(dot(np.square(sums), often)))))
    return float((1 + (np.abs(drawn) >= seen * (1 - 1e-9)).sum()) / (1 + b))
