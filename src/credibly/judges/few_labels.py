"""The verb `few_labels`: a mean, a rate or a measure from few labels and a judge of all cases."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import UNIT_RANGE, Floats
from credibly._core.doors import door
from credibly._core.entry_names import MeasureName
from credibly._core.findings import Finding
from credibly._core.search_names import search_names
from credibly._core.text import count, interval_text, lower_first, number_text, percent
from credibly.errors import DataError, ParameterError, says
from credibly.intervals.quantiles import two_sided
from credibly.judges.corrected_rate import corrected_rate
from credibly.judges.findings import (
    BEYOND_THE_RANGE,
    FEW_LABELLED,
    JUDGE_IS_BIASED,
    JUDGE_NEVER_WRONG,
    JUDGE_SAYS_NOTHING,
    LABELLED_DIFFER,
    NOT_JUDGED,
)
from credibly.judges.rectified import JudgedMoves, LabelledSample, Rectified
from credibly.judges.sides import (
    Sides,
    by_mean,
    by_measure,
    by_outcome,
    column_of_cases,
    probabilities,
)
from credibly.measures import Measure
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions, refuse_several_models
from credibly.predictions.findings import MISSING_TRUTH, NO_OUTCOME, NO_PREDICTION, UNUSED_COLUMNS
from credibly.results.formats import Column, table_of
from credibly.results.interval import Interval
from credibly.results.result import Cells, Collected, Result

MIN_LABELS = 30  # with fewer, a variance is known to within a quarter at best
MIN_CLASS_LABELS = 5  # labels of a class, below which a rate has an interval that may be too narrow
# Standard errors between labelled and other cases that chance does not make.
MAX_STANDARD_ERRORS = 4.0
# Findings of cases without labels, of the judge's column, and of cases that are not judged.
EXPECTED_CODES = {kind.code for kind in (NO_OUTCOME, MISSING_TRUTH, UNUSED_COLUMNS, NO_PREDICTION)}
TITLES = {
    "tuned": "Labels and judge, tuned weight (PPI++)",
    "ppi": "Labels and judge, full weight (PPI)",
    "labels": "Labels alone",
    "rogan_gladen": "Judge corrected by sensitivity and specificity (Rogan-Gladen)",
    "judge": "Judge alone",
}


class RectifiedEstimate(Result, eq=True):
    """The estimate of one method of combining labels and judge.

    ``weight`` is how much of the judge it takes, and ``effective_labels`` how many labels alone would say
    as much.
    """

    method: str
    title: str
    value: float
    interval: Interval | None
    weight: float | None = None
    effective_labels: float | None = None
    why_no_interval: str = ""

    row_keys = "method title value *_ends weight effective_labels"


class FewLabels(Collected[RectifiedEstimate]):
    """A number by few labels and a judge of all cases, by several methods; the first is the one to report.

    ``labels_to_halve`` is how many labels make its interval half as wide, if labels of these cases can;
    ``half_width_at_best`` is what remains when all cases are labelled.

    >>> import numpy as np, credibly
    >>> rng = np.random.default_rng(1)
    >>> truth = rng.random(2000) < 0.6
    >>> judge = np.where(rng.random(2000) < 0.9, truth, ~truth).astype(int)
    >>> people = [int(t) if i < 200 else None for i, t in enumerate(truth)]
    >>> found = credibly.few_labels(credibly.Predictions.of(people, label=judge))
    >>> found["tuned"].value.__round__(3), round(found["tuned"].effective_labels), found.labels_to_halve
    (0.595, 434, 1494)
    """

    measure: str | None
    what: str
    n_labelled: int
    n_cases: int
    estimates: tuple[RectifiedEstimate, ...]
    labels_to_halve: int | None
    half_width_at_best: float
    findings: tuple[Finding, ...] = ()

    members = "estimates method"
    row_parts = "estimates"
    versioned = True

    @property
    def best(self) -> RectifiedEstimate:
        """The estimate to report."""
        return self.estimates[0]

    def heading(self) -> str:
        """Name the quantity, and the numbers of labels and cases."""
        return f"{self.what}: {self.n_labelled:,} of {count(self.n_cases, 'case')} labelled, all judged"

    def meaning(self) -> str:
        """Say the number to report and what the judge brought."""
        best = self.best
        text = f"{self.what}: {interval_text(best.value, best.interval)}."
        worth = best.effective_labels
        if worth is None or not best.weight:
            return text
        return f"{text} {self.n_labelled:,} labels and the judge say as much as {worth:,.0f} labels alone."

    def cells(self) -> Cells:
        """Return a line for each method."""
        level = next(e.interval.confidence_level for e in self.estimates if e.interval)
        columns: dict[str, Column] = {
            "method": "title",
            "value": lambda e: number_text(e.value, e.interval),
            f"{percent(level)} interval": lambda e: interval_text(None, e.interval) or "none",
            "weight of judge": lambda e: "" if e.weight is None else f"{e.weight:.3g}",
            "labels it is worth": lambda e: (
                "" if e.effective_labels is None else f"{e.effective_labels:,.0f}"
            ),
        }
        return table_of(self.estimates, columns)

    def remarks(self) -> Iterator[str]:
        """Say how many labels would halve the interval."""
        if self.labels_to_halve is not None:
            yield f"About {self.labels_to_halve:,} labels, in place of {self.n_labelled:,}, would halve the interval."
        else:
            yield (
                f"Labels of these {self.n_cases:,} cases cannot halve the interval: with all of them it would "
                f"still reach {number_text(self.half_width_at_best)} to either side. Judge and label more cases."
            )
        yield self.about_intervals()


@door
@search_names(
    {
        "ppi, ppi_py, ppi_mean_ci, ppi_mean_pointestimate, prediction_powered_inference": "few_labels(p)"
    }
)
def few_labels(
    predictions: Predictions,
    measure: MeasureName | Measure | None = None,
    *,
    judge: str | Sequence[Any] | NDArray[Any] | None = None,
    sampled_with: str | Sequence[float] | NDArray[Any] | None = None,
    stratum: str | Sequence[Any] | NDArray[Any] | None = None,
    confidence_level: float = 0.95,
) -> FewLabels:
    """Estimate from few labels by people and a judge of all cases: prediction-powered inference.

    The labelled cases must be chosen at random, or by ``sampled_with`` or ``stratum``.

    Parameters
    ----------
    predictions
        Cases of which few have a truth, or an outcome. Without ``judge``, what they predict is the judge, and
        the share of the positive class, or the mean of numbers, is estimated.
    measure
        A measure of the predictions, from ``credibly list measures``; ``judge`` then holds the judge's
        answer for the truth of each case.
    judge
        The column, or the values, with the judge's answer for the truth, or the outcome, of each case.
    sampled_with
        The column, or the values, of the probability with which each case was chosen to be labelled.
    stratum
        The column, or the values, of the strata in each of which cases were chosen at random.
    confidence_level
        How often such intervals should cover the true number.

    >>> import numpy as np
    >>> p = Predictions.of([1, 0, 1, 1, 0, 1] * 6 + [None] * 60, label=[1, 0, 0, 1, 0, 1] * 16)
    >>> found = few_labels(p)
    >>> found.best.title, round(found.best.value, 3), round(found["judge"].value, 3)
    ('Labels and judge, tuned weight (PPI++)', 0.667, 0.5)
    """
    given = _one_model(as_predictions(predictions, "few_labels"))
    p, findings = given, tuple(f for f in given.findings if f.code not in EXPECTED_CODES)
    sides = by_outcome(p, measure, judge) if p.task == "outcome" else None
    if sides is None:
        sides = by_measure(p, measure, judge) if judge is not None else by_mean(p, measure)
    silent = sides.silent
    if silent.all():
        raise DataError(
            "The judge gives no answer for any case.",
            remedy=says("Set <judge=...> to the column, or the values, that it gave."),
        )
    p = p.take(~silent) if silent.any() else p
    columns = {"sampled_with": sampled_with, "stratum": stratum}
    drawn = {
        n: None if c is None else column_of_cases(given, n, c)[~silent] for n, c in columns.items()
    }
    if all(c is not None for c in drawn.values()):
        raise ParameterError(says("Give <sampled_with=...> or <stratum=...>, not both."))
    labelled = sides.labelled[~silent]
    findings += tuple(_not_judged(sides))
    if labelled.all():
        raise DataError(
            "All cases have a truth, so no judge is needed.",
            remedy="Evaluate the cases by their truth, or leave it empty where no person labelled the case.",
        )
    sample = LabelledSample.of(
        labelled,
        p.weights,
        probabilities(drawn["sampled_with"], labelled),
        drawn["stratum"],
        p.clusters,
    )
    moves = JudgedMoves.of(sample, *sides.statistics(p))
    return _estimated(moves, sides, sides.table(p, labelled), confidence_level, findings, measure)


def _not_judged(sides: Sides) -> Iterator[Finding]:
    if sides.silent.any():
        yield NOT_JUDGED(
            rows=count(int(sides.silent.sum()), "case"),
            all=sides.silent.size,
            labelled=int((sides.silent & sides.labelled).sum()),
        )


def _one_model(p: Predictions) -> Predictions:
    models = count(len(p.model_names), "model")
    refuse_several_models(p, f"Few labels judge one model at a time; there are {models}.")
    if p.in_time:
        raise DataError(
            "Cases in time order are not independent, which the estimate from few labels needs."
        )
    return p


def _estimated(
    moves: JudgedMoves,
    sides: Sides,
    table: Floats | None,
    level: float,
    said: tuple[Finding, ...],
    measure: object,
) -> FewLabels:
    sample = moves.sample
    full = 1.0 if sample.plain else moves.share
    found = {
        "tuned": moves.at(moves.tuned_weight()),
        "ppi": moves.at(full),
        "labels": moves.at(0.0),
    }
    alone = found["labels"].error ** 2
    t = two_sided(level, sample.freedom)
    estimates = []
    for name, r in found.items():
        half = t * _error(r, table if sample.plain else None)
        worth = sample.n * alone / r.error**2 if r.error > 0 else None
        limits = _limits(r.value, half, sides.range)
        interval = Interval(
            *limits,
            level,
            _method(name, sample),
            standard_error=r.error,
            degrees_of_freedom=sample.freedom,
        )
        value = min(max(r.value, sides.range[0]), sides.range[1])
        estimates.append(RectifiedEstimate(name, TITLES[name], value, interval, r.weight, worth))
    if table is not None and sample.plain:
        estimates += _corrected(moves, table, level)
    why = "a judge is wrong in ways that only labels show"
    estimates.append(
        RectifiedEstimate("judge", TITLES["judge"], moves.by_judge, None, why_no_interval=why)
    )
    return FewLabels(
        None if measure is None else str(getattr(measure, "name", measure)),
        sides.what,
        sample.n,
        sample.labelled.size,
        tuple(estimates),
        moves.labels_to_halve(found["tuned"]),
        t * moves.with_all_labelled(),
        (*said, *_doubts(moves, sides, table, found["tuned"], estimates[0])),
    )


def _limits(value: float, half: float, ends: tuple[float, float]) -> tuple[float, float]:
    low, high = (min(max(x, ends[0]), ends[1]) for x in (value - half, value + half))
    return low, high


def _method(name: str, sample: LabelledSample) -> str:
    drawn = "" if sample.plain else ", strata" if sample.counted else ", inverse probabilities"
    groups = "" if sample.group is None else f", {int(sample.group.max()) + 1} groups"
    return f"{'influence values' if name == 'labels' else 'prediction-powered'}{drawn}{groups}, t"


def _error(r: Rectified, table: Floats | None) -> float:
    """Return the standard error, half a case added to each of the four ways that two can say yes or no.

    What no label has shown may still happen: without this, a judge that is right of all labelled cases
    would seem to be right of all.
    """
    if table is None:
        return r.error
    says_yes = np.array([0.0, -r.weight, 1.0, 1 - r.weight])

    def variance(counts: Floats) -> float:
        n = counts.sum()
        mean = counts @ says_yes / n
        return float(counts @ np.square(says_yes - mean) / (n - 1) / n)

    return math.sqrt(r.error**2 - variance(table) + variance(table + 0.5))


def _corrected(moves: JudgedMoves, table: Floats, level: float) -> Iterator[RectifiedEstimate]:
    """Yield the rate by the judge on the other cases, corrected by how often it is wrong on the labelled ones."""
    _, false_yes, missed, true_yes = table
    true_no = table[0]
    others = int((~moves.sample.labelled).sum())
    said = moves.by_judge * moves.sample.labelled.size - (false_yes + true_yes)
    try:
        rate = corrected_rate(
            round(said), others, int(true_yes), int(true_yes + missed), int(true_no),
            int(true_no + false_yes), confidence_level=level,
        )  # fmt: skip
    except (ParameterError, DataError) as refused:
        yield RectifiedEstimate(
            "rogan_gladen",
            TITLES["rogan_gladen"],
            math.nan,
            None,
            why_no_interval=refused.found.rstrip("."),
        )
        return
    yield RectifiedEstimate("rogan_gladen", TITLES["rogan_gladen"], rate.rate, rate.interval)


def _doubts(
    moves: JudgedMoves, sides: Sides, table: Floats | None, r: Rectified, best: RectifiedEstimate
) -> Iterator[Finding]:
    sample = moves.sample
    if sample.n < MIN_LABELS:
        yield FEW_LABELLED(n=count(sample.n, "labelled case"), of="", least=MIN_LABELS)
    elif sides.m is None and sides.range == UNIT_RANGE:
        ones = int(sides.truth[sides.labelled & ~sides.silent].sum())
        rarer = min(ones, sample.n - ones)
        if rarer < MIN_CLASS_LABELS:
            yield FEW_LABELLED(
                n=count(rarer, "labelled case"), of=" of the rarer class", least=MIN_CLASS_LABELS
            )
    if table is not None and table[1] == 0 and table[2] == 0:
        yield JUDGE_NEVER_WRONG(n=count(sample.n, "labelled case"))
    if (
        sides.m is None
        and sample.plain
        and sample.group is None
        and sample.weight.min() == sample.weight.max()
    ):
        yield from _not_random(moves, sides)
    if r.weight == 0:
        yield JUDGE_SAYS_NOTHING()
    if best.interval is not None and moves.by_judge not in best.interval:
        yield JUDGE_IS_BIASED(judge=number_text(moves.by_judge, best.interval))
    if best.value != r.value:
        yield BEYOND_THE_RANGE(
            title=lower_first(sides.what), value=number_text(r.value), end=number_text(best.value)
        )


def _not_random(moves: JudgedMoves, sides: Sides) -> Iterator[Finding]:
    """Return a finding if the judge's ratings of labelled cases differ from the others by more than chance."""
    judged, rows = sides.judge[~sides.silent], moves.sample.labelled
    mine, others = judged[rows], judged[~rows]
    error = math.sqrt(judged.var() * (1 / mine.size + 1 / others.size))
    apart = abs(mine.mean() - others.mean())
    if error > 0 and apart > MAX_STANDARD_ERRORS * error:
        yield LABELLED_DIFFER(
            labelled=number_text(float(mine.mean())),
            others=number_text(float(others.mean())),
            errors=apart / error,
        )
