"""The verb `benchmarks`: one decision about models that were judged on many tasks.

Everything rests on how far each case moves the measure of its task (influence values), added up within groups
of cases. A difference over all tasks is a weighted sum of the differences on each. Limits are simultaneous by max-T: normal
replicates with the covariance that the cases show, shared by all models and tasks, say how small the smallest of
all p-values gets by chance, and each limit is then taken from its own distribution at that level.

Westfall, P. H. & Young, S. S. (1993) Resampling-based multiple testing. Wiley. Rank intervals: Mogstad, M.,
Romano, J. P., Shaikh, A. M. & Wilhelm, D. (2024) Inference for ranks with applications to mobility across
neighbourhoods and academic achievement across countries. Review of Economic Studies 91, 476-518.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.entry_names import MeasureName
from credibly._core.findings import Finding
from credibly._core.parameters import above, require, whole
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly._core.text import count, lower_first
from credibly.comparisons.alignment import SHARED_ONLY
from credibly.comparisons.benchmark_results import (
    MAX_SHOWN_CHANGES,
    Benchmarks,
    ModelStanding,
    NoWorse,
    TaskDifference,
    Verdict,
    Weights,
)
from credibly.comparisons.findings import FEW_CASES_OF_TASKS, NO_CHANGE_IN_TASK
from credibly.comparisons.given_models import (
    against_last,
    having_output,
    measure_of,
    models_by_name,
    same_cases,
)
from credibly.comparisons.labels import discordant_test
from credibly.comparisons.many_tasks import (
    ModelGap,
    OverTasks,
    SharedDraws,
    TaskTable,
    flipped,
)
from credibly.comparisons.multiplicity import Simultaneous
from credibly.errors import ParameterError, listed, says
from credibly.intervals.quantiles import student_quantile
from credibly.measures import Measure
from credibly.predictions import Predictions
from credibly.predictions.case_columns import SLICES
from credibly.predictions.columns import unused_but
from credibly.predictions.findings import UNSEEDED
from credibly.results.interval import Interval

MIN_TASK_CASES = 30  # cases of a task, below which its interval is poor unless it is of passes


@door
def benchmarks(
    predictions: Predictions | Mapping[str, Predictions],
    measure: MeasureName | Measure | None = None,
    *,
    by: str = "task",
    against: str | None = None,
    weights: Weights = "task",
    margin: float | None = None,
    confidence_level: float = 0.95,
    replicates: int = 20_000,
    rng: int | None = None,
) -> Benchmarks:
    """Decide between models over many tasks: simultaneous differences, ranks, and no worse anywhere.

    Parameters
    ----------
    predictions
        Outcomes or predictions of two or more models for the same cases, or a dictionary with one entry per model.
    measure
        A measure from ``credibly list measures``; the mean of outcomes by default.
    by
        The column that names the task of each case.
    against
        The model that the others are compared with; the last by default.
    weights
        Whether each task (``"task"``) or each case (``"case"``) counts the same over all tasks.
    margin
        How much worse a model may be on a task; the result then says whether it is no worse on any.
    confidence_level
        How often all intervals of a table together should hold the true differences.
    replicates
        Number of replicates for the largest difference that chance produces.
    rng
        Seed of the replicates; a fixed one by default.

    >>> outcome = {"new": [1, 1, 0, 1, 0, 1] * 20, "old": [1, 0, 0, 1, 0, 1] * 20}
    >>> p = Predictions.of(outcome=outcome, columns={"task": ["maths", "reading"] * 60})
    >>> found = benchmarks(p, margin=0.05)
    >>> found.overall[0].verdict, found.largest_gain.task, found.no_worse[0].verdict
    ('better', 'reading', 'yes')
    """
    require("replicates", replicates, whole(20))
    if margin is not None:
        require("margin", margin, above(0))
    models = models_by_name(predictions, "benchmarks")
    if len(models) < 2:
        raise ParameterError(
            f"A decision needs at least two models; got {count(len(models), 'model')}."
        )
    if not all(by in {*SLICES, *p.columns} for p in models.values()):
        raise ParameterError(
            f"No column {by!r} says which task each case belongs to.",
            remedy=says("Name the column of tasks with <by=...>."),
        )
    given = {name: models[name] for name in _as_given(predictions, models)}
    *others, last = against_last(given, against)
    m, average = measure_of(measure, None, models)
    read = unused_but([f for p in models.values() for f in p.findings], [by])
    models, said = having_output({name: models[name] for name in (last, *others)}, m, average)
    cases, more = same_cases(models, m, average, elsewhere=SHARED_ONLY)
    if m.direction not in {"higher", "lower"}:
        raise ParameterError(
            f"It is not known whether a higher or a lower {lower_first(m.title)} is better, so there is no gain or loss.",
            remedy=says("Set <better='higher'> or <better='lower'> where the outcomes are read."),
        )
    table = TaskTable.of(m, average, cases.models, cases.names, by)
    seed = FIXED_SEED if rng is None else seed_of(rng)
    unseeded = () if rng is not None else (UNSEEDED(what="the replicates", seed=FIXED_SEED),)
    over = OverTasks.of(table, weights)
    benchmarks = _Decision(over, confidence_level, SharedDraws(seed, replicates)).decided(
        weights, margin
    )
    findings = (*read, *said, *more, *benchmarks.findings, *unseeded)
    return replace(benchmarks, findings=tuple(dict.fromkeys(findings)))


def _as_given(given: object, models: Mapping[str, Predictions]) -> list[str]:
    """Return the names of the models in the order in which they were given."""
    if isinstance(given, Predictions) and given.model is not None:
        return [str(name) for name in given.model_names]
    return list(models)


@dataclass(frozen=True, slots=True)
class _Decision:
    """What tells one model from another: all tasks together, and each of them."""

    over: OverTasks
    level: float
    draws: SharedDraws

    @property
    def table(self) -> TaskTable:
        """What is known of each task."""
        return self.over.table

    def decided(self, how: Weights, margin: float | None) -> Benchmarks:
        """Return all that is shown about the models."""
        over, table, draws = self.over, self.table, self.draws
        k, tasks = len(table.models), range(len(table.tasks))
        pairs = [over.gap(j, i) for i, j in combinations(range(k), 2)]
        whole = draws.together([(over.covariance, pairs)], self.level, first=0)
        on_tasks = [[over.gap_on_task(i, t) for i in range(1, k)] for t in tasks]
        parts = zip((m.covariance for m in over.moments), on_tasks, strict=True)
        by_task = draws.together(parts, self.level, first=1)
        each = [on_tasks[t][i] for i in range(k - 1) for t in tasks]
        tests = {d: _tests(table, d, over.weights, draws) for d in pairs if d.second == 0}
        beats = _beats(pairs, whole.tail, table)
        best_first = np.argsort(-table.sign * over.values, kind="stable").tolist()
        return Benchmarks(
            table.measure.call,
            table.measure.title,
            table.measure.direction,
            how,
            float(self.level),
            tuple(self._standing(i, beats) for i in best_first),
            tuple(self._told(d, whole, test["permutation"]) for d, test in tests.items()),
            tuple(self._told(d, by_task) for d in each),
            {f"{table.models[d.first]} against {table.models[0]}": t for d, t in tests.items()},
            tuple(
                self._no_worse([of[i] for of in on_tasks], by_task.tail, float(margin))
                for i in range(k - 1)
            )
            if margin
            else (),
            tuple(_doubts(table, each)),
        )

    def _standing(self, i: int, beats: NDArray[np.bool_]) -> ModelStanding:
        over, table = self.over, self.table
        freedom = over.freedom(np.array([m.covariance[i, i] for m in over.moments]))
        value, error = float(over.values[i]), math.sqrt(max(float(over.covariance[i, i]), 0.0))
        interval = None
        if error > 0:
            half = student_quantile((1 - self.level) / 2, freedom) * error
            interval = Interval(
                value - half,
                value + half,
                self.level,
                "influence values by task, t",
                standard_error=error,
                degrees_of_freedom=freedom,
            )
            interval = interval.within(*table.measure.range)
        low, high = 1 + int(beats[:, i].sum()), len(table.models) - int(beats[i].sum())
        return ModelStanding(table.models[i], value, interval, low, high)

    def _told(
        self, d: ModelGap, together: Simultaneous, pvalue: float | None = None
    ) -> TaskDifference:
        table, t = self.table, d.task
        limits, p = d.limits(together.tail), d.pvalue(over_all=pvalue)
        method = "Tango, max-T" if d.discordant is not None else "influence values, t, max-T"
        made, away = None, 0
        if limits is not None:
            made = Interval(*limits, self.level, method, standard_error=d.error or None)
            away = 1 if limits[0] > 0 else -1 if limits[1] < 0 else 0
        values = self.over.values if t < 0 else table.values[:, t]
        return TaskDifference(
            table.models[d.first],
            table.models[d.second],
            "" if t < 0 else table.tasks[t],
            int(table.cases.sum() if t < 0 else table.cases[t]),
            float(values[d.first]),
            float(values[d.second]),
            d.value,
            made,
            p,
            together.adjusted(p),
            away * table.sign,
        )

    def _no_worse(self, on_tasks: Sequence[ModelGap], tail: float, margin: float) -> NoWorse:
        """Test each task by itself: all must pass, so that no correction is needed."""
        table, worst, shown = self.table, "", -math.inf
        verdict: Verdict = "yes"
        for task, d in zip(table.tasks, on_tasks, strict=True):
            limits, joint = d.limits(1 - self.level), d.limits(tail)
            low = math.inf if limits is None else -(limits[0] if table.sign > 0 else -limits[1])
            if low > shown:
                shown, worst = low, task
            if joint is not None and (joint[1] if table.sign > 0 else -joint[0]) < -margin:
                verdict, worst = "no", task
                break
        if verdict == "yes" and not shown < margin:
            verdict = "undecided"
        names = table.models[on_tasks[0].first], table.models[0]
        return NoWorse(*names, margin, verdict, worst, max(shown, 0.0))


def _beats(pairs: Sequence[ModelGap], tail: float, table: TaskTable) -> NDArray[np.bool_]:
    """Return which model is shown to be better than which, all together."""
    made = np.zeros((len(table.models),) * 2, bool)
    for d in pairs:
        limits = d.limits(tail)
        if limits is not None and (limits[0] > 0 or limits[1] < 0):
            better = (limits[0] > 0) == (table.sign > 0)
            made[(d.first, d.second) if better else (d.second, d.first)] = True
    return made


def _tests(table: TaskTable, d: ModelGap, v: Floats, draws: SharedDraws) -> dict[str, float]:
    """Return p-values of no difference on any task: by flipping cases, and of passes by McNemar's test."""
    parts = []
    ids = []
    for t, w in enumerate(v):
        gap = table.values[d.first, t] - table.values[d.second, t]
        moved = table.moves[t][d.first] - table.moves[t][d.second] + gap * table.shares[t]
        parts.append(w * moved)
        ids.append(table.groups[t])
    groups, codes = np.unique(np.concatenate(ids), return_inverse=True)
    often = np.concatenate(table.often)
    sums: Floats = np.bincount(codes, np.concatenate(parts)).astype(np.float64)
    alone = groups.size == codes.size  # else groups change places as one
    cases: Floats = np.bincount(codes, often).astype(float) if alone else np.ones(groups.size)
    made = {"permutation": flipped(sums / cases, cases, draws)}
    if table.passes is not None:
        x, y = (np.concatenate([p[i] for p in table.passes]) for i in (d.first, d.second))
        b, c = float(often[x > y].sum()), float(often[y > x].sum())
        exact = float(discordant_test(b, c, "exact", "two-sided")[1]) if b + c else 1.0
        made["stratified McNemar (each case alike), exact"] = exact
    return made


def _doubts(table: TaskTable, each: Sequence[ModelGap]) -> Iterator[Finding]:
    small = [t for t, n in zip(table.tasks, table.sizes, strict=True) if n < MIN_TASK_CASES]
    if small and table.passes is None:
        yield FEW_CASES_OF_TASKS(tasks=listed(small, most=MAX_SHOWN_CHANGES), least=MIN_TASK_CASES)
    still = sorted({table.tasks[d.task] for d in each if d.limits(0.025) is None})
    if still:
        yield NO_CHANGE_IN_TASK(tasks=listed(still, most=MAX_SHOWN_CHANGES))
