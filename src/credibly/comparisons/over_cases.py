"""A test of two ways of learning after a cross-validation, by how each case moves the difference.

Folds are few; cases are many, and each is predicted as often as the others. The spread of what they add to a
difference is its standard error if models are taken as they are. Other training sets move it further, and
a single cross-validation cannot show how far: the error is widened by a factor that suffices for trees and
nearest neighbours in simulations (`tests/simulation/differences.py`, the page on validity). It is less where schemes follow
their rows no more closely than linear ones (`intervals.widening`), and where repeats show that the loss of a case moves little.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.averages import Average
from credibly._core.findings import Finding
from credibly.comparisons._declare import Outcome, TestRequest, by_standard_error, comparison
from credibly.comparisons.assumptions import GROUPED, LARGE, Standing, standing
from credibly.comparisons.cases import Cases, values_by_part
from credibly.comparisons.influence import error_of, of_moments
from credibly.comparisons.over_folds import SAME_SPLITS
from credibly.errors import DataError, listed, says
from credibly.evaluation._declare import part_of
from credibly.evaluation.findings import ONE_CHOICE
from credibly.evaluation.fold_estimators import headline_estimate
from credibly.intervals._declare import NO_INFLUENCE, RefusalError, size_of
from credibly.intervals.generalization import (
    Moves,
    error_within_folds,
    moves_by_case,
)
from credibly.intervals.influence import influence
from credibly.intervals.standard_errors import stretched, unit_of
from credibly.intervals.wald import BAYLE
from credibly.intervals.widening import (
    cuts_once,
    of_choices,
    widening_by_fit,
    widening_in_time,
    widening_of_linear,
)
from credibly.measures import Measure
from credibly.predictions import Predictions
from credibly.predictions.labels import rows_by_code
from credibly.predictions.lack import lack_of
from credibly.predictions.numbering import repeat_numbers, unit_numbers
from credibly.predictions.parts import as_given
from credibly.predictions.summaries import LossMoments
from credibly.results.about import About

ONE_REPEAT_FACTOR = 1.3  # times the error over cases after one cross-validation, at most; simulated
REPEATS_FACTOR = 1.25  # at most, of a mean over repeats, which varies less; simulated
JUMP_SHARE = (
    0.3  # what jumping predictions add, as a share of what moves little in every repeat; simulated
)
# Times that for a function of means, such as F, which influence values follow in part; simulated.
RATIO_FACTOR = 1.08
TRAINING_SETS = (
    "Training on other data changes the difference at most as much as it does for linear models, trees and nearest "
    "neighbours, with which the factor was simulated."
)


@dataclass(frozen=True, slots=True, eq=False)
class ResampledCases(Cases):
    """Predictions of two models for the same cases by the models of a cross-validation."""

    about: ClassVar[About] = "training"

    @property
    def mean_over(self) -> str:
        """What the values are means of: folds, if all of them have one."""
        return "folds" if _by_folds(self) is not None else ""

    @classmethod
    def of_cases(cls, cases: Cases) -> Self:
        """Take the predictions of two models, or say what they lack."""
        p = cases.models[0]
        if p.fold is None and not _are_holdouts(p):
            lack_of("fold").refuse(p, "A test of ways of learning")
        if p.design.independent:
            raise DataError(
                "These datasets share no cases, so no error needs to be widened.",
                remedy=says("Use <test='paired_t'>."),
            )
        shared = cases.in_given_order, cases.whole, cases.places, cases.kept
        return cls(cases.models, cases.names, cases.measure, cases.average, *shared)

    @property
    def stands(self) -> Standing:
        """The splits are the same; the rest is as for any cases."""
        found = standing(*self.models, in_given_order=self.in_given_order)
        return {**found, "splits": ("holds", "Read from the predictions.")}

    @property
    def values(self) -> tuple[float, ...]:
        """The mean over folds of each model, or its value on all cases."""
        return learned_values(self)


def _by_folds(cases: Cases) -> tuple[float, ...] | None:
    """Return the means over folds; nothing where all cases pooled stand for a model, as they do of a function of means.

    Scores of different models do not compare, so that what compares scores has no other value.
    """
    m, first = cases.measure, cases.models[0]
    pooled = not m.of_pairs and headline_estimate(first, m.name) == "pooled"
    if (m.nonlinear or pooled) and np.isfinite(_pooled(cases)).all():
        return None
    try:
        return values_by_part(cases).values
    except DataError:
        if cases.measure.compares_scores or not np.isfinite(_pooled(cases)).all():
            raise
        return None


def _pooled(cases: Cases) -> tuple[float, ...]:
    return tuple(cases.measure.on(p, cases.average) for p in cases.models)


def learned_values(cases: Cases) -> tuple[float, ...]:
    """Return what stands for each way of learning: the mean over folds, or the value on all cases."""
    found = _by_folds(cases)
    return _pooled(cases) if found is None else found


@dataclass(frozen=True, slots=True)
class CaseError:
    """The standard error of a difference over cases, its freedom, and what it is widened by for learning."""

    error: float
    freedom: float
    widened: float
    units: str = "cases"


def error_by_design(cases: Cases) -> CaseError:
    """Return the error of a difference in the way that suits how cases were drawn and resampled.

    Groups are left out as a whole; scores are compared within folds, since those of different models do
    not compare. In time order the error is a long-run one, if it is known how closely the schemes follow their rows.
    """
    first, m = cases.models[0], cases.measure
    if first.in_time:
        return _over_time(cases)
    if _are_holdouts(first):
        return _over_holdouts(cases)
    if m.of_pairs:
        return _within_folds(cases)
    found = [influence(m, p, cases.average) for p in cases.models]
    apart = None if found[0] is None or found[1] is None else found[0] - found[1]
    folds = int(part_of(first).max() + 1) // first.repeats
    if apart is not None:
        apart = stretched(apart, m, first, cases.average)
    moves = moves_by_case(first, apart, folds)
    variance, freedom, units = moves.variance
    times = RATIO_FACTOR if m.nonlinear else 1.0
    widened = max(times * _widened(moves, variance, _most(cases)), _of_choices(cases, found, apart))
    return CaseError(moves.error[0], freedom, widened, units)


def _of_choices(cases: Cases, found: Sequence[Floats | None], apart: Floats | None) -> float:
    """Return what the choices of two schemes, which are made apart from one another, multiply the error of their difference by."""
    if apart is None or not apart.any():
        return 1.0
    unit = unit_of(apart)  # squares fit a double
    whole = float(np.square(apart / unit).sum())
    added = sum(
        (of_choices(p) ** 2 - 1) * float(np.square(values / unit).sum())
        for p, values in zip(cases.models, found, strict=True)
        if values is not None
    )
    return math.sqrt(1 + added / whole)


def _most(cases: Cases) -> float:
    """Return by what to multiply the error at most: less for means of schemes that follow their rows as linear ones do.

    Labels jump, and areas are no means of losses: what is derived for squares serves labels in groups alone, and no areas.
    """
    m, models = cases.measure, cases.models
    if m.nonlinear:
        return ONE_REPEAT_FACTOR
    most, jumps = min(ONE_REPEAT_FACTOR, widening_by_fit(*models)), m.reads is not LossMoments
    if m.of_pairs or (jumps and models[0].grouping is None):
        return most
    return min(most, widening_of_linear(*models, jumps=jumps))


def _widened(moves: Moves, variance: float, most: float) -> float:
    """Return by what to multiply the error: how far losses move from repeat to repeat, or the most there is."""
    if len(moves.moved) == 1 or variance == 0:
        return most
    factor = moves.folds * (moves.ties * JUMP_SHARE + 1 - moves.ties)
    return min(most, REPEATS_FACTOR, math.sqrt(1 + factor * moves.over_repeats / variance))


def _over_time(cases: Cases) -> CaseError:
    widened = widening_in_time(*cases.models)
    if not math.isfinite(widened):
        raise RefusalError("it is not known how closely the schemes follow their rows")
    try:
        error, freedom = error_of(cases.measure, cases.models, cases.average)[1]
    except DataError as refused:
        raise RefusalError(refused.found) from None
    times = RATIO_FACTOR if cases.measure.nonlinear else 1.0
    widened = max(times * min(widened, ONE_REPEAT_FACTOR), *map(of_choices, cases.models))
    return CaseError(error, freedom, widened, "moments")


def _are_holdouts(p: Predictions) -> bool:
    return p.repeats > 1 and int(part_of(p).max()) + 1 == p.repeats


def _over_holdouts(cases: Cases) -> CaseError:
    """Return the error of a mean over repeated holdouts: a case moves it by what it adds to those that test it.

    Training sets that share most of their cases move the mean together, which no spread over holdouts shows. Where losses move by
    $a$ with a test case and by $b$ with a training case, the error is that of $a + b$ over all $n$ cases. The corrected t has
    that of $a - b m / (n - m)$ instead, for tests on $m$ cases.
    """
    m, first = cases.measure, cases.models[0]
    found = [_moves_of_holdouts(p, m, cases.average) for p in cases.models]
    if found[0] is None or found[1] is None:
        raise RefusalError(NO_INFLUENCE)
    apart, weight = found[0] - found[1], np.bincount(unit_numbers(first), as_given(first).weights)
    unit, n, copies = unit_of(apart), float(apart.size), None
    if first.grouping is None and first.given_kind == "frequency":
        copies = weight / np.bincount(unit_numbers(first))
        apart, n = apart / np.sqrt(copies), float(copies.sum())
    sizes = None if first.grouping is None else weight.astype(np.float64)
    moves = Moves(unit, apart[None] / unit, n, copies, sizes, 1.0, 1.0)
    widened = max(
        _most(cases) * (RATIO_FACTOR if m.nonlinear else 1.0), *map(of_choices, cases.models)
    )
    return CaseError(*moves.error[:2], widened, moves.error[2])


def _moves_of_holdouts(p: Predictions, m: Measure, average: Average | None) -> Floats | None:
    """Return by what each case, or group, moves the mean over holdouts; of a function of means the value on all rows."""
    units, rows = unit_numbers(p), p if m.nonlinear else as_given(p)
    repeat = np.zeros(p.n, np.intp) if m.nonlinear else repeat_numbers(p)
    moved = np.zeros(int(units.max()) + 1)
    for places in rows_by_code(repeat):
        part = replace(rows.take(places), row=None)  # within a holdout no case is there twice
        values = influence(m, part, average)
        if values is None:
            return None
        moved += np.bincount(units[places], values * part.weights, moved.size)
    return moved / (int(repeat.max()) + 1)


def _within_folds(cases: Cases) -> CaseError:
    """Return the error of a mean over folds of measures that compare scores: those of the folds, added up."""
    m, average, whole = cases.measure, cases.average, cases.models[0]
    if whole.repeats > 1:
        raise RefusalError("repeats compare other pairs of scores")
    if whole.grouping is not None:
        raise RefusalError("a fold holds too few groups to compare scores within it")
    moves_by_case(whole, np.zeros(whole.n), 1)  # this refuses anything but cross-validations
    parts = [[part for _, part in p.groups(["fold"])] for p in cases.models]
    error, freedom = error_within_folds(m, zip(*parts, strict=True), average)
    return CaseError(error, freedom, max(_most(cases), *map(of_choices, cases.models)))


@comparison(
    "t over cases, widened",
    null="equal means over training sets",
    cite=BAYLE,
    assumptions={**SAME_SPLITS, "grouped": GROUPED, "large": LARGE, "learning": TRAINING_SETS},
)
def widened_t(cases: ResampledCases, request: TestRequest) -> Outcome:
    r"""Student's t of how each case moves the difference, its error widened for learning from other training sets.

    For any measure with influence values, after a cross-validation, repeated or not, and after repeated holdouts; with groups, these are
    the units. In time order, where ``run`` has seen how closely schemes follow their rows, the error is a long-run one. After one cross-validation the error over cases is multiplied by 1.3 at most. Less is enough for means of schemes that
    err hardly less on rows that they were fitted to than on others, as ``run`` finds: with $o$ the share
    by which they err less and $q = 2 (p + 1) / n$ that of least squares with $p$ attributes, $\sqrt{1 + o - o^2 / 4}$ for losses that do not jump, and in groups,
    where $o$ is at most $1.5 q$ (and taken for no less than $q$, except for such losses in groups), and $1 + q + 4 \max(o - q, 0)$ for others. After repeated ones
    it is at most 1.25 and $\sqrt{1 + c v / s^2}$, with $s^2$ the variance over cases, $v$ that of
    a case over repeats and $c$ the number of folds, less for what jumps, such as labels. In simulations equal schemes are
    called different in 0 to 6 of 100 samples, nearest neighbours included.

    >>> from credibly import compare, run
    >>> from sklearn.datasets import load_iris
    >>> p = run(["zero-r", "naive-bayes"], *load_iris(return_X_y=True), resampling="cross_validation(k=5)", rng=1)
    >>> result = compare(p, measure="error_rate")
    >>> result.test, round(result.difference, 2), result.rejected
    ('widened_t', 0.61, True)
    """
    try:
        error = error_by_design(cases)
    except RefusalError as refusal:
        raise DataError(
            f"{cases.measure.title} cannot be compared case by case: {refusal}.",
            remedy=says("Use <test='corrected_resampled_t'>."),
        ) from None
    first, second = cases.values
    in_time = cases.models[0].in_time
    how, more, doubts = of_moments(cases) if in_time else (f"t over {error.units}", {}, ())
    return by_standard_error(
        request,
        first - second,
        error.error * error.widened,
        error.freedom,
        method=f"{how}, {error.widened:.3g} times the standard error",
        rounding=ROUNDING * size_of(cases.measure, first, second),
        parameters={"widened": error.widened, **more},
        findings=(*_of_cuts(cases), *doubts),
    )


def _of_cuts(cases: Cases) -> tuple[Finding, ...]:
    """Say that what a single cut labels positive may change by more than the error allows for."""
    models = zip(cases.names, cases.models, strict=True)
    names = [str(name) for name, p in models if cuts_once(p)]
    if not names or not cases.measure.nonlinear or cases.models[0].task != "classification":
        return ()
    return (ONE_CHOICE(whose=f" ({listed(names)})"),)


def by_cases(cases: Cases) -> tuple[str, str] | None:
    """Return the test over the cases of a cross-validation, and why; nothing where it does not apply."""
    first, second = learned_values(cases)
    try:
        error = error_by_design(cases)
    except RefusalError:
        return None
    if error.error <= ROUNDING * size_of(cases.measure, first, second) and first != second:
        return None
    if cases.models[0].in_time:
        often = "the cases are in time order, and each is predicted once"
    elif _are_holdouts(cases.models[0]):
        often = "the holdouts test the same cases again"
    else:
        often = "the folds predict every case equally often"
    return (
        widened_t.name,
        f"{often}, so differences are taken over {error.units}; their standard "
        f"error is multiplied by {error.widened:.3g}, since other training sets would change the difference too",
    )
