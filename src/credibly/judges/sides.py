"""What is estimated from few labels: by people on one side, and by the judge on the other."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import UNIT_RANGE, Floats
from credibly._core.entry_names import MeasureName
from credibly._core.text import count, shown
from credibly.errors import Argument, DataError, ParameterError, says
from credibly.intervals.influence import influence
from credibly.intervals.standard_errors import grows
from credibly.judges.rectified import Statistic, mean_of
from credibly.measures import Measure, measures
from credibly.predictions import Predictions
from credibly.predictions.labels import MISSING, as_column, is_missing
from credibly.predictions.numbers import frozen, same_length
from credibly.predictions.outcomes import outcome_numbers


@dataclass(frozen=True, slots=True)
class Sides:
    """What is estimated, by people on one side and by the judge on the other."""

    what: str
    range: tuple[float, float]
    labelled: NDArray[np.bool_]
    silent: NDArray[np.bool_]  # cases of which the judge says nothing
    truth: Floats
    judge: Floats
    m: Measure | None = None
    judged: NDArray[Any] | None = None

    def statistics(self, p: Predictions) -> tuple[Statistic, Statistic]:
        """Return the statistic by the truth and the one by the judge."""
        if self.m is None or self.judged is None:
            there = ~self.silent
            return mean_of(self.truth[there]), mean_of(self.judge[there])
        by_judge = replace(p, truth=frozen(self.judged[~self.silent]), cache={})
        return _of_measure(self.m, p), _of_measure(self.m, by_judge)

    def table(self, p: Predictions, labelled: NDArray[np.bool_]) -> Floats | None:
        """Return how often people and judge said yes or no of independent cases, if that is all they say."""
        if self.m is not None or p.clusters is not None or p.weight is not None:
            return None
        y, f = self.truth[~self.silent], self.judge[~self.silent]
        if not (np.isin(y[labelled], UNIT_RANGE).all() and np.isin(f, UNIT_RANGE).all()):
            return None
        kinds = (2 * y[labelled] + f[labelled]).astype(np.intp)
        return np.bincount(kinds, minlength=4).astype(np.float64)


def by_mean(p: Predictions, measure: object) -> Sides:
    """Take the predictions as the judge's version of the truth."""
    if measure is not None:
        raise ParameterError(
            says(
                "A measure by few labels needs <judge=...>: what a judge takes for the truth of each case."
            )
        )
    if p.task == "numeric":
        judged = np.asarray(p.value)
        return Sides(
            "Mean of the truth",
            (-math.inf, math.inf),
            ~np.isnan(p.truth),
            np.isnan(judged),
            p.truth,
            judged,
        )
    if p.positive is None:
        raise ParameterError(
            f"One class against the rest is estimated, but there are "
            f"{count(len(p.classes), 'class')}.",
            remedy=says("Name it with <positive=...>."),
        )
    if p.probability is not None:
        judged = np.full(p.n, math.nan)
        judged[~p.gaps] = p.take(~p.gaps).probabilities_of(p.positive)
    elif p.label is not None:
        judged = np.where(p.label == MISSING, np.nan, p.label == p.positive)
    else:
        judged = np.asarray(p.score)
    truth = np.where(p.truth == MISSING, np.nan, p.truth == p.positive)
    what = f"Share of {p.classes[p.positive]!r}"
    return Sides(what, UNIT_RANGE, p.truth != MISSING, np.isnan(judged), truth, judged)


def by_outcome(p: Predictions, measure: object, judge: object) -> Sides:
    """Take outcomes for the truth, of which few are known, and a column for the outcomes by a judge."""
    if measure is not None:
        raise ParameterError(
            "The mean of outcomes is estimated from few labels, and no other measure of them."
        )
    if judge is None or p.outcome is None:
        raise ParameterError(
            says(
                "Outcomes that people gave to few cases need <judge=...>: the outcomes that a judge gives to all."
            )
        )
    judged, *_ = outcome_numbers(column_of_cases(p, "judge", judge), "judge")
    ends = p.bounds or (UNIT_RANGE if p.pass_or_fail else (-math.inf, math.inf))
    what = "Pass rate" if p.pass_or_fail else "Mean outcome"
    return Sides(what, ends, ~np.isnan(p.outcome), np.isnan(judged), p.outcome, judged)


def by_measure(p: Predictions, measure: MeasureName | Measure | None, judge: object) -> Sides:
    """Take a column as the judge's version of the truth."""
    if measure is None:
        raise ParameterError(
            says("<judge=> stands in for the truth of a measure; name one with <measure=...>.")
        )
    m = measures.parse(measure)
    if not m.smooth:
        raise ParameterError(
            f"{m.title} is not smooth in the case weights, so few labels give it no interval."
        )
    said = column_of_cases(p, "judge", judge)
    none = np.zeros(0)
    if p.task == "numeric":
        judged = _numbers(said, "judge")
        silent = np.isnan(judged) | p.gaps
        return Sides(m.title, m.range, ~np.isnan(p.truth), silent, none, none, m, judged)
    codes = {str(c): i for i, c in enumerate(p.classes)}
    texts = [None if is_missing(v) else _class_text(v, codes) for v in said.tolist()]
    unknown = sorted({t for t in texts if t is not None and t not in codes})
    if unknown:
        raise DataError(
            f"The judge names {shown(unknown[0])}, which is not one of the classes {shown(list(p.classes))}."
        )
    coded = np.array([MISSING if t is None else codes[t] for t in texts], np.intp)
    return Sides(
        m.title, m.range, p.truth != MISSING, (coded == MISSING) | p.gaps, none, none, m, coded
    )


def _class_text(value: object, codes: dict[str, int]) -> str:
    """Write a class as predictions have it: 1.0 is 1 where classes are whole numbers."""
    text = str(value)
    whole = isinstance(value, float) and value.is_integer() and text not in codes
    return str(int(value)) if whole and isinstance(value, float) else text


def _of_measure(m: Measure, p: Predictions) -> Statistic:
    average = m.average_on(p, None)

    def statistic(rows: NDArray[np.bool_], weights: Floats) -> tuple[float, Floats]:
        part = p.take(rows)
        part = replace(
            part, weight=frozen(weights), weight_kind="importance", unshared=None, cache={}
        )
        value, slopes = m.on(part, average), influence(m, part, average)
        if slopes is None or not math.isfinite(value):
            raise DataError(
                f"{m.title} is undefined, or does not depend on its cases, on the labelled cases."
            )
        if grows(slopes, weights):
            raise ParameterError(
                f"{m.title} grows with the number of cases; estimate a mean or a rate."
            )
        return value, slopes

    return statistic


def column_of_cases(p: Predictions, name: str, given: object) -> NDArray[Any]:
    """Return a column by its name, or the values as they are."""
    if isinstance(given, str):
        if given not in p.columns and given not in {"group", "fold", "part", "repeat"}:
            raise ParameterError(
                says("{it} is not a column of the cases.", it=Argument(name, given)),
                choices=list(p.columns),
                remedy=f"Columns: {', '.join(p.columns) or 'none'}.",
            )
        return np.asarray(p.values_of(given, name))
    values = as_column(given, name)
    same_length(values, p.n, name)
    return values


def _numbers(values: NDArray[Any], name: str) -> Floats:
    try:
        return np.array([math.nan if is_missing(v) else float(v) for v in values.tolist()])
    except (TypeError, ValueError):
        raise DataError(
            says("{name} needs numbers; got {it}.", name=Argument(name), it=shown(str(values[0])))
        ) from None


def probabilities(values: NDArray[Any] | None, labelled: NDArray[np.bool_]) -> Floats | None:
    """Return with which probability each case was chosen, if that is given."""
    if values is None:
        return None
    made = _numbers(values, "sampled_with")
    if not ((made > 0) & (made <= 1)).all():
        bad = made[~((made > 0) & (made <= 1))][0]
        raise DataError(
            says(
                "<sampled_with=> holds probabilities above 0, at most 1; got {it}.",
                it=shown(float(bad)),
            ),
            remedy="A case that could not be chosen says nothing about others like it.",
        )
    if labelled.sum() < 2:
        raise DataError("Fewer than two cases are labelled; an interval needs at least two.")
    return made
