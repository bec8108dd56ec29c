"""Several datasets by name: each for itself, and the mean over them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from credibly._core.findings import Finding
from credibly._core.grouping import grouped_by
from credibly._core.text import count, in_line
from credibly.errors import DataError, ParameterError, listed
from credibly.evaluation.findings import OVERLAPPING_CASES, SAME_CASES, UNDEFINED_DATASETS
from credibly.evaluation.trivial_rules import best_of_rules
from credibly.intervals._declare import NOT_ASKED
from credibly.intervals.means import mean_interval
from credibly.measures import measures
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.results.estimate import Estimate, with_decimals
from credibly.results.estimates import MEAN_OVER_DATASETS
from credibly.results.interval import Interval
from credibly.results.table import Table


def over_datasets(
    predictions: Mapping[str, Predictions],
    evaluated: Callable[[Predictions], Table],
    *,
    confidence_level: float,
    intervals: bool,
) -> Table:
    """Return the estimates of each dataset and the mean of each measure over them."""
    names = [str(name) for name in predictions]
    for name in names:
        if name == MEAN_OVER_DATASETS or names.count(name) > 1:
            why = "is that of their mean" if name == MEAN_OVER_DATASETS else "is given twice"
            raise ParameterError(f"Datasets need names of their own; {name!r} {why}.")
    tables = {
        name: evaluated(as_predictions(p, "evaluate"))
        for name, p in zip(names, predictions.values(), strict=True)
    }
    each = [
        replace(e, keys={"dataset": name, **e.keys})
        for name, table in tables.items()
        for e in table.estimates
    ]
    means = [
        _mean(alike, confidence_level, intervals=intervals)
        for alike in grouped_by(_beside_dataset, each).values()
        if len(alike) == len(tables)
    ]
    first = next(iter(tables.values()))
    findings = dict.fromkeys(f for table in tables.values() for f in table.findings)
    findings |= dict.fromkeys(_same_cases(predictions))
    return Table(
        in_line(f"{count(len(tables), 'dataset')}: {', '.join(tables)}"),
        with_decimals((*each, *means)),
        tuple(findings),
        {
            "task": first.details["task"],
            "confidence_level": confidence_level,
            "datasets": list(tables),
        },
        first.shows_spread,
        first_look=first.first_look,
    )


def _same_cases(predictions: Mapping[str, Predictions]) -> Iterator[Finding]:
    """Doubt datasets of the same cases that could not be joined: they may be models."""
    first, *others = predictions.values()
    different = len({p.fingerprint for p in predictions.values()}) > 1
    numbered = all(p.row is not None for p in predictions.values())
    alike = ["truth", "row"] if numbered else ["truth"]
    if different and all(
        np.array_equal(getattr(first, c), getattr(p, c)) for p in others for c in alike
    ):
        yield SAME_CASES(datasets=listed([*map(str, predictions)]))
    elif numbered and different and all(_mostly_the_same(first, p) for p in others):
        yield OVERLAPPING_CASES(datasets=listed([*map(str, predictions)]))


def _mostly_the_same(first: Predictions, other: Predictions) -> bool:
    """Whether most rows of the smaller one are in both, and are of the same truth."""
    if first.row is None or other.row is None or first.classes != other.classes:
        return False
    if first.row.dtype.kind != other.row.dtype.kind:
        return False
    rows, mine, its = np.intersect1d(first.row, other.row, return_indices=True)
    most = 2 * rows.size > min(first.n, other.n)
    return most and np.array_equal(first.truth[mine], other.truth[its])


def _beside_dataset(e: Estimate) -> tuple[object, ...]:
    """Return what tells an estimate apart beside its dataset."""
    others = [(k, str(v)) for k, v in e.keys.items() if k != "dataset"]
    return (e.measure, e.average, *others)


def _mean(estimates: list[Estimate], level: float, *, intervals: bool) -> Estimate:
    """Average a measure over datasets, with Student's interval about new ones."""
    values = tuple(e.value for e in estimates)
    undefined = [str(e.keys["dataset"]) for e in estimates if math.isnan(e.value)]
    limits, why = (None, NOT_ASKED) if not intervals else _limits(estimates, level)
    finding = UNDEFINED_DATASETS(measure=estimates[0].title, datasets=", ".join(undefined))
    # Plain addition takes infinities of both signs.
    add = math.fsum if all(map(math.isfinite, values)) else sum
    baselines = {
        name: math.fsum(e.baselines[name] for e in estimates) / len(values)
        for name in estimates[0].baselines
        if all(name in e.baselines for e in estimates)
    }
    return replace(
        estimates[0],
        value=add(values) / len(values),
        interval=limits,
        why_no_interval=why,
        n=float(len(values)),
        keys={**estimates[0].keys, "dataset": MEAN_OVER_DATASETS},
        baselines=baselines,
        rule=best_of_rules(baselines, estimates[0].direction),
        findings=(finding,) if undefined else (),
        values=values,
        paired=None,
        bound=None,
        variances=(),
    )


def _limits(estimates: list[Estimate], level: float) -> tuple[Interval | None, str]:
    if len(estimates) < 2:
        return None, "one dataset shows no variation"
    try:
        interval = mean_interval(
            [e.value for e in estimates], confidence_level=level, method="t", independent=True
        ).interval
    except DataError:
        return None, "the measure is not finite on some dataset"
    if interval.low == interval.high:
        return None, "the datasets show no variation in it"
    return replace(
        interval.within(*measures.parse(estimates[0].measure).range), about="datasets"
    ), ""
