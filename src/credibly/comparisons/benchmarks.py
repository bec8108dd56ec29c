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
from dataclasses import replace
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
    SharedDraws,
    TaskMoments,
    TaskTable,
    flipped,
    gap_on_task,
    gap_over_all,
    smallest_pvalues,
)
from credibly.comparisons.multiplicity import adjusted_pvalue, tail_for
from credibly.errors import DataError, ParameterError, listed, says
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
    benchmarks = _decided(table, weights, margin, confidence_level, SharedDraws(seed, replicates))
    findings = (*read, *said, *more, *benchmarks.findings, *unseeded)
    return replace(benchmarks, findings=tuple(dict.fromkeys(findings)))


def _as_given(given: object, models: Mapping[str, Predictions]) -> list[str]:
    """Return the names of the models in the order in which they were given."""
    if isinstance(given, Predictions) and given.model is not None:
        return [str(name) for name in given.model_names]
    return list(models)


def _decided(
    table: TaskTable, how: Weights, margin: float | None, level: float, draws: SharedDraws
) -> Benchmarks:
    k, tasks = len(table.models), range(len(table.tasks))
    v = table.weights(how)
    moments = [table.moments(t) for t in tasks]
    total = _total(table, v, moments)
    pairs = [gap_over_all(table, j, i, v, moments, total) for i, j in combinations(range(k), 2)]
    smallest = smallest_pvalues(iter([(draws.of(total, 0), pairs)]), draws.replicates)
    tail = tail_for(smallest, level)
    against = [d for d in pairs if d.second == 0]
    tests = [_tests(table, d, v, draws) for d in against]
    on_tasks = [[gap_on_task(table, i, t, moments[t]) for i in range(1, k)] for t in tasks]
    drawn = ((draws.of(moments[t].covariance, t + 1), on_tasks[t]) for t in tasks)
    of_tasks = smallest_pvalues(drawn, draws.replicates)
    each = [on_tasks[t][i] for i in range(k - 1) for t in tasks]
    task_tail = tail_for(of_tasks, level)
    beats = _beats(pairs, tail, table)
    best_first = np.argsort(-table.sign * (table.values @ v), kind="stable").tolist()
    return Benchmarks(
        table.measure.call,
        table.measure.title,
        table.measure.direction,
        how,
        float(level),
        tuple(_standing(table, i, v, total, beats, level, moments) for i in best_first),
        tuple(
            _told(table, v, d, tail, level, smallest, test["permutation"])
            for d, test in zip(against, tests, strict=True)
        ),
        tuple(_told(table, v, d, task_tail, level, of_tasks) for d in each),
        {_named(table, d): test for d, test in zip(against, tests, strict=True)},
        tuple(
            _no_worse(table, i, on_tasks, task_tail, margin or 0.0, level)
            for i in range(k - 1 if margin else 0)
        ),
        tuple(_doubts(table, each)),
    )


def _total(table: TaskTable, v: Floats, moments: list[TaskMoments]) -> Floats:
    """Return the covariance over all tasks, each of which must show some variation."""
    total = table.overall_covariance(v, moments)
    if not all(np.isfinite(c).all() for c in (total, *(m.covariance for m in moments))):
        raise DataError(
            "A task has a single case or group, which shows no variation.",
            remedy="Leave it out, or join tasks.",
        )
    return total


def _named(table: TaskTable, d: ModelGap) -> str:
    return f"{table.models[d.first]} against {table.models[d.second]}"


def _beats(pairs: Sequence[ModelGap], tail: float, table: TaskTable) -> NDArray[np.bool_]:
    """Return which model is shown to be better than which, all together."""
    made = np.zeros((len(table.models),) * 2, bool)
    for d in pairs:
        limits = d.limits(tail)
        if limits is not None and (limits[0] > 0 or limits[1] < 0):
            better = (limits[0] > 0) == (table.sign > 0)
            made[(d.first, d.second) if better else (d.second, d.first)] = True
    return made


def _standing(
    table: TaskTable,
    i: int,
    v: Floats,
    total: Floats,
    beats: NDArray[np.bool_],
    level: float,
    moments: list[TaskMoments],
) -> ModelStanding:
    parts = np.array([w**2 * m.covariance[i, i] for w, m in zip(v, moments, strict=True)])
    spread = float(np.square(parts) @ (1 / np.maximum(table.sizes - 1, 1)))
    freedom = max(float(parts.sum()) ** 2 / spread, 1.0) if spread > 0 else 1.0
    value, error = float(table.values[i] @ v), math.sqrt(max(float(total[i, i]), 0.0))
    interval = None
    if error > 0:
        half = student_quantile((1 - level) / 2, freedom) * error
        interval = Interval(
            value - half,
            value + half,
            level,
            "influence values by task, t",
            standard_error=error,
            degrees_of_freedom=freedom,
        )
        interval = interval.within(*table.measure.range)
    return ModelStanding(
        table.models[i],
        value,
        interval,
        1 + int(beats[:, i].sum()),
        len(table.models) - int(beats[i].sum()),
    )


def _told(
    table: TaskTable,
    v: Floats,
    d: ModelGap,
    tail: float,
    level: float,
    smallest: Floats,
    pvalue: float | None = None,
) -> TaskDifference:
    limits = d.limits(tail)
    p = d.pvalue(over_all=pvalue)
    t = d.task
    adjusted = adjusted_pvalue(p, smallest)
    method = "Tango, max-T" if d.discordant is not None else "influence values, t, max-T"
    made = (
        None if limits is None else Interval(*limits, level, method, standard_error=d.error or None)
    )
    away = 0 if limits is None else 1 if limits[0] > 0 else -1 if limits[1] < 0 else 0
    ends = [
        float(table.values[i, t] if t >= 0 else table.values[i] @ v) for i in (d.first, d.second)
    ]
    cases = int(table.cases.sum() if t < 0 else table.cases[t])
    return TaskDifference(
        table.models[d.first], table.models[d.second], "" if t < 0 else table.tasks[t], cases, ends[0], ends[1],
        d.value, made, p, adjusted, away * table.sign,
    )  # fmt: skip


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


def _no_worse(
    table: TaskTable,
    i: int,
    on_tasks: list[list[ModelGap]],
    tail: float,
    margin: float,
    level: float,
) -> NoWorse:
    """Test each task by itself: all must pass, so that no correction is needed."""
    worst, shown = "", -math.inf
    verdict: Verdict = "yes"
    for t, differences in enumerate(on_tasks):
        d = differences[i]
        limits, joint = d.limits(1 - level), d.limits(tail)
        low = math.inf if limits is None else -(limits[0] if table.sign > 0 else -limits[1])
        if low > shown:
            shown, worst = low, table.tasks[t]
        if joint is not None and (joint[1] if table.sign > 0 else -joint[0]) < -margin:
            verdict, worst = "no", table.tasks[t]
            break
    if verdict == "yes" and not shown < margin:
        verdict = "undecided"
    return NoWorse(
        table.models[i + 1], table.models[0], float(margin), verdict, worst, max(shown, 0.0)
    )


def _doubts(table: TaskTable, each: Sequence[ModelGap]) -> Iterator[Finding]:
    small = [t for t, n in zip(table.tasks, table.sizes, strict=True) if n < MIN_TASK_CASES]
    if small and table.passes is None:
        yield FEW_CASES_OF_TASKS(tasks=listed(small, most=MAX_SHOWN_CHANGES), least=MIN_TASK_CASES)
    still = sorted({table.tasks[d.task] for d in each if d.limits(0.025) is None})
    if still:
        yield NO_CHANGE_IN_TASK(tasks=listed(still, most=MAX_SHOWN_CHANGES))
