"""Tests of any measure by resampling: the bootstrap and permutations. They need a seed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.averages import Average
from credibly._core.parameters import whole
from credibly._core.progress import track
from credibly._kernels import worth_compiling
from credibly._kernels.placements import twice_midranks
from credibly._kernels.signs import random_signs, signed_sums, swapped_pairs
from credibly._kernels.threads import together
from credibly.comparisons._declare import Outcome, TestRequest, by_standard_error, comparison
from credibly.comparisons.areas import SCALES
from credibly.comparisons.assumptions import (
    APART,
    EXCHANGEABLE,
    GROUPED,
    LARGE_SAMPLES,
    SAME,
    UNSEEN,
)
from credibly.comparisons.cases import Cases, PredictionEvidence, Samples, Single
from credibly.comparisons.losses import case_losses, has_case_losses
from credibly.comparisons.signed_ranks import Tails
from credibly.errors import DataError, says
from credibly.intervals._declare import size_of
from credibly.intervals.bootstrap import (
    Bootstrap,
    acceleration,
    bias_of_median,
    too_many_undefined,
)
from credibly.intervals.findings import UNDEFINED_REPLICATES
from credibly.intervals.influence import influence
from credibly.intervals.moments import block_length, shortfall
from credibly.intervals.replicates import Replicates
from credibly.measures import Measure
from credibly.predictions import Predictions
from credibly.predictions.numbering import unit_numbers
from credibly.predictions.parts import cluster_count
from credibly.predictions.table import cached

EFRON = "Efron, B. & Tibshirani, R. J. (1993) An Introduction to the Bootstrap, ch. 8, 13 and 16. Chapman & Hall."
GOOD = (
    "Good, P. (2005) Permutation, Parametric and Bootstrap Tests of Hypotheses, 3rd ed. Springer."
)
Method = Literal["normal", "percentile", "basic", "bca"]
bootstrapped = partial(
    comparison,
    null="both models have the same value",
    cite=EFRON,
    random=True,
    constraints={"replicates": whole(99)},
)


def _draws(
    e: PredictionEvidence, seeds: Sequence[int], count: int, *, stratified: bool
) -> list[Floats]:
    """Return the measure of each model in replicates; the same seed gives them the same weights.

    They are kept with the model, which may be compared with many others.
    """
    m, block = e.measure, shared_block(e.models)

    def drawn(p: Predictions, seed: int) -> Floats:
        made = replicates_of(p, m, seed, count, stratified=stratified, block=block)
        return made.values([m], e.average)[:, 0]

    return [
        cached(
            p, (Replicates, m, e.average, seed, count, stratified, block), partial(drawn, p, seed)
        )
        for p, seed in zip(e.models, seeds, strict=True)
    ]


def shared_block(models: Sequence[Predictions]) -> int | None:
    """Return how many neighbours are redrawn together for all models, where cases are in time order."""
    return block_length(*models) if models[0].in_time else None


def replicates_of(
    p: Predictions, m: Measure, seed: int, count: int, *, stratified: bool, block: int | None
) -> Replicates:
    """Return replicates of the cases of a model, or say why the measure or the cases have none."""
    if m.no_bootstrap:
        raise DataError(
            f"{m.title} cannot be bootstrapped: {m.no_bootstrap}.",
            remedy=says("Compare two models with <test='permutation'>."),
        )
    if p.clusters is not None and cluster_count(p) < 2:
        raise DataError("All cases belong to one group, so there is nothing to resample.")
    return Replicates(p, seed, count, stratified=stratified, paired=True, block=block)


def _bootstrapped(
    request: TestRequest, e: PredictionEvidence, drawn: Floats, method: Method
) -> Outcome:
    """Judge a difference by its replicates: their spread, or where the null lies among them."""
    remedy = says("Set <stratified=True>, or add cases.")
    if why := too_many_undefined(drawn, request.confidence_level):
        raise DataError(f"{e.measure.call} cannot be compared: {why}.", remedy=remedy)
    defined = drawn[~np.isnan(drawn)]
    lost = drawn.size - defined.size
    facts = {"measure": "The measure", "undefined": lost, "all": drawn.size, "why": ""}
    findings = (UNDEFINED_REPLICATES(**facts, remedy=remedy),) if lost else ()
    p, error, freedom = e.models[0], float(defined.std(ddof=1)), math.inf
    told: dict[str, float] = {"replicates": drawn.size}
    if length := shared_block(e.models):
        told["block_length"] = length
        wider, freedom = shortfall(p, length)
        error *= wider
    outcome = by_standard_error(
        request,
        e.difference,
        error,
        freedom,
        method=f"bootstrap, normal, {drawn.size} replicates",
        findings=findings,
        parameters=told,
        rounding=ROUNDING * size_of(e.measure, *e.values),
    )
    if method == "normal" or outcome.interval is None:
        return outcome
    skewness = _skewness(e) if method == "bca" else 0.0
    values, columns = np.array([e.difference]), defined[:, None]
    panel = Bootstrap(("difference",), values, columns, np.array([skewness]))
    limits = panel.interval("difference", confidence_level=request.confidence_level, kind=method)
    return replace(
        outcome,
        pvalue=_level_at_null(request, e.difference, defined, method, skewness),
        interval=(limits.low, limits.high),
        method=limits.method,
    )


def _skewness(e: PredictionEvidence) -> float:
    """Return the acceleration of the difference; 0 for a measure without influence values."""
    found = [influence(e.measure, p, e.average) for p in e.models]
    values = [v for v in found if v is not None]
    if len(values) < len(found):
        return 0.0
    if isinstance(e, Cases):
        return acceleration((values[0] - values[1], e.models[0]))
    signs = (1, -1)[: len(values)]
    moved = [sign * v for sign, v in zip(signs, values, strict=True)]
    return acceleration(*zip(moved, e.models, strict=True))


def _level_at_null(
    request: TestRequest, difference: float, drawn: Floats, method: str, skewness: float
) -> float:
    """Return the level at which the interval just reaches the null."""
    if method == "basic":
        drawn = 2 * difference - drawn
    below = (1 + int((drawn <= request.shift).sum())) / (1 + drawn.size)
    above = (1 + int((drawn >= request.shift).sum())) / (1 + drawn.size)
    if method == "bca":
        bias = bias_of_median(difference, drawn)
        below, above = _moved(below, bias, skewness), _moved(above, -bias, -skewness)
    return Tails(above, below).pvalue(request.alternative)


def _moved(share: float, bias: float, skewness: float) -> float:
    """Return the tail whose limit by bias and acceleration has this share of replicates below it."""
    if share >= 1:
        return 1.0
    normal = NormalDist()
    z = normal.inv_cdf(share) - bias
    bent = 1 + skewness * z
    return normal.cdf(z / bent - bias) if bent > 0 else float(z > 0)


@bootstrapped("Bootstrap", assumptions={"same": SAME, **LARGE_SAMPLES})
def bootstrap(
    cases: Cases,
    request: TestRequest,
    *,
    replicates: int = 2000,
    method: Method = "normal",
    stratified: bool = False,
) -> Outcome:
    """Compare any measure of two models on the same cases by redrawing the cases, the same for both.

    ``normal`` divides the difference by the spread of its replicates; ``percentile`` asks how many
    replicates lie beyond no difference, and takes quantiles for the interval, which ``basic`` mirrors
    at the difference and ``bca`` corrects for bias and skewness. ``stratified`` keeps
    the size of each class. Groups are redrawn as a whole. For sensitivity at a fixed specificity, KS
    and other measures that jump.

    >>> from credibly import Predictions, compare
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0] * 5
    >>> a = Predictions.of(truth, score=[8, 7, 6, 3, 5, 4, 2, 1] * 5)
    >>> b = Predictions.of(truth, score=[8, 3, 5, 1, 7, 6, 4, 2] * 5)
    >>> result = compare(a, b, "ks", test="bootstrap", rng=1)
    >>> result.difference, result.rejected
    (0.5, True)
    """
    seed = request.seed
    first, second = _draws(cases, [seed, seed], replicates, stratified=stratified)
    return _bootstrapped(request, cases, first - second, method)


@bootstrapped("Bootstrap, unpaired", assumptions={"apart": APART, **LARGE_SAMPLES})
def bootstrap_unpaired(
    samples: Samples,
    request: TestRequest,
    *,
    replicates: int = 2000,
    method: Method = "normal",
    stratified: bool = False,
) -> Outcome:
    """Compare any measure of two models on different cases by redrawing each sample separately.

    >>> from credibly import Predictions, compare
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0] * 5
    >>> a = Predictions.of(truth, score=[8, 7, 6, 3, 5, 4, 2, 1] * 5)
    >>> b = Predictions.of(truth, score=[8, 3, 5, 1, 7, 6, 4, 2] * 5)
    >>> compare(a, b, "ks", test="bootstrap_unpaired", rng=1, independent=True).difference
    0.5
    """
    seeds = np.random.SeedSequence(request.seed).generate_state(2)
    first, second = _draws(samples, seeds.tolist(), replicates, stratified=stratified)
    return _bootstrapped(request, samples, first - second, method)


@bootstrapped(
    "Bootstrap, against a value",
    null="the model has the given value",
    assumptions=LARGE_SAMPLES,
)
def bootstrap_value(
    single: Single,
    request: TestRequest,
    *,
    replicates: int = 2000,
    method: Method = "normal",
    stratified: bool = False,
) -> Outcome:
    """Compare any measure of one model with a given value by redrawing its cases.

    >>> from credibly import Predictions, compare
    >>> p = Predictions.of([1, 1, 1, 1, 0, 0, 0, 0] * 5, score=[8, 7, 6, 3, 5, 4, 2, 1] * 5)
    >>> compare(p, measure="recall_at_specificity", against=0.5, test="bootstrap_value", rng=1).difference
    0.25
    """
    if single.measure.lifted:
        raise DataError(
            f"{single.measure.title} is biased upwards by chance, and no test says by how much.",
            remedy=says(
                "Evaluate it with <interval='bootstrap'> and <rng=...>, and check whether the interval contains the value."
            ),
        )
    seed = request.seed
    (drawn,) = _draws(single, [seed], replicates, stratified=stratified)
    return _bootstrapped(request, single, drawn - single.against, method)


# --- permutations -------------------------------------------------------------------------------


@comparison(
    "Permutation",
    null="either model could have made either prediction of each case",
    cite=GOOD,
    assumptions={"same": SAME, "exchangeable": EXCHANGEABLE, "grouped": GROUPED, "unseen": UNSEEN},
    shifts=False,
    random=True,
    constraints={"permutations": whole(99)},
)
def permutation(cases: Cases, request: TestRequest, *, permutations: int = 2000) -> Outcome:
    """Compare any measure of two models by swapping, case by case, what they say.

    Scores of which the order alone matters are swapped as ranks, so that models may score on scales of
    their own. Groups are swapped as a whole. The p-value counts the sample itself as one permutation,
    so it is never 0.

    >>> from credibly import Predictions, compare
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0] * 5
    >>> a = Predictions.of(truth, score=[8, 7, 6, 3, 5, 4, 2, 1] * 5)
    >>> b = Predictions.of(truth, score=[8, 3, 5, 1, 7, 6, 4, 2] * 5)
    >>> compare(a, b, "auc", test="permutation", rng=1).rejected
    True
    """
    seed, first = request.seed, cases.models[0]
    unit = unit_numbers(first)
    with together(large=worth_compiling(first.n)):
        seen, drawn = _permuted(cases, unit, permutations, seed)
    slack = 1e-12 * max(1e-300, float(np.abs(drawn).max(initial=0.0)), abs(seen))
    far = {
        "greater": drawn >= seen - slack,
        "less": drawn <= seen + slack,
        "two-sided": np.abs(drawn) >= abs(seen) - slack,
    }[request.alternative]
    return Outcome(
        seen,
        (1 + int(far.sum())) / (1 + permutations),
        seen,
        why_no_interval=says(
            "permutations show what equally good models would give, not how much others differ; use <test='bootstrap'>"
        ),
        parameters={
            "permutations": permutations,
            "deviation": float(np.sqrt(np.mean(np.square(drawn)))),  # of equally good models
        },
    )


def _permuted(
    cases: Cases, unit: NDArray[Any], permutations: int, seed: int
) -> tuple[float, Floats]:
    """Return the difference, and what it is in permutations: by signs wherever it is a sum over cases."""
    m, first = cases.measure, cases.models[0]
    if first.weight_kind == "frequency" and first.clusters is None:
        return cases.difference, _by_count(cases, permutations, seed)
    if m.name in SCALES and first.weight is None and cases.average is None:
        gap, pairs, areas = swapped_areas(cases.models)
        scale = SCALES[m.name] / (4 * pairs)
        whole = SCALES[m.name]
        cases.kept.setdefault("values", [whole * area - (whole - 1) for area in areas])
    elif has_case_losses(m) and cases.average is None:
        mine, other = (case_losses(p, m, "permutation") for p in cases.models)
        gap, scale = (mine - other) * first.weights, 1 / float(first.weights.sum())
    else:
        return cases.difference, _one_by_one(cases, unit, permutations, seed)
    sums = signed_sums(gap, unit, seed=seed, count=permutations)
    return scale * float(gap.sum()), scale * sums


def swapped_areas(models: tuple[Predictions, ...]) -> tuple[Floats, float, list[float]]:
    """Return what each case adds to the difference of two AUCs when it is not swapped, the pairs, and the AUCs.

    Put the ranks of both models into one row. A pair of a positive and a negative entry counts for
    the first model if both are its own, for the second if both are that one's, else for none: with
    signs x and y, (x + y) / 2. So the difference is a sum over cases of their signs times how many
    entries of the other class each of their two entries beats. Here: twice that, to keep it whole,
    and the half of (x + y) is left to the caller.
    """
    p = models[0]
    positive = p.truth == p.positive
    positives = int(np.count_nonzero(positive))
    pairs = float(positives) * (p.n - positives)
    if not pairs:
        raise DataError("An AUC needs cases of both classes.")
    scores = [q.scores_of(q.positive or 0, "permutation") for q in models]
    gap, twice = swapped_pairs(scores, positive)
    return gap, pairs, [each / (2 * pairs) for each in twice]


def _one_by_one(cases: Cases, unit: NDArray[Any], permutations: int, seed: int) -> Floats:
    """Swap columns and compute again: for measures that are not sums over cases."""
    models = tuple(_by_rank(p, cases.measure, cases.average) for p in cases.models)
    found = []
    for i in track(range(permutations), permutations, "permutations"):
        swapped = random_signs(unit, seed=seed, permutation=i)
        pair = (_swap(models[0], models[1], swapped), _swap(models[1], models[0], swapped))
        first, second = (cases.measure.on(p, cases.average) for p in pair)
        found.append(first - second)
    return _all_defined(found, cases.measure)


def _by_count(cases: Cases, permutations: int, seed: int) -> Floats:
    """Swap some of the cases that each row counts: it becomes two rows, one of them swapped, of other weights."""
    models = [_by_rank(p, cases.measure, cases.average) for p in cases.models]
    n, weight = models[0].n, models[0].weights.astype(np.int64)
    twice, swapped = np.tile(np.arange(n), 2), np.repeat([False, True], n)
    first, second = (replace(p.take(twice), row=None, cache={}) for p in models)
    pair = (_swap(first, second, swapped), _swap(second, first, swapped))
    rng, found = np.random.default_rng(seed), []
    for _ in track(range(permutations), permutations, "permutations"):
        stay = rng.binomial(weight, 0.5)
        counts = np.concatenate([stay, weight - stay]).astype(np.float64)
        drawn = (replace(p, weight=counts, cache={}) for p in pair)
        mine, other = (cases.measure.on(p, cases.average) for p in drawn)
        found.append(mine - other)
    return _all_defined(found, cases.measure)


def _all_defined(found: list[float], m: Measure) -> Floats:
    if not np.isfinite(found).all():
        raise DataError(
            f"{m.call} is undefined in some permutations.",
            remedy=says("Use <test='bootstrap'>."),
        )
    return np.array(found)


def _ranks(p: Predictions, scores: Floats, times: int = 1) -> Floats:
    """Return twice the rank of each score among the cases, the same for equal ones."""
    if p.weight_kind != "frequency":
        return twice_midranks(scores).astype(np.float64)
    _, place = np.unique(scores, return_inverse=True)
    size = np.bincount(place, np.tile(p.weights, times)).astype(np.float64)
    ranks: Floats = (2 * np.cumsum(size) - size + 1)[place]
    return ranks


def _by_rank(p: Predictions, m: Measure, average: Average | None) -> Predictions:
    """Replace scores by their ranks where the order is all that a measure reads.

    Averages read the scores of every class: of each by itself, except for the micro average, which puts
    those of all classes into one row.
    """
    if not m.ranked:
        return p
    if average is None:
        ranks = _ranks(p, p.scores_of(p.positive or 0, m.name))
        return replace(p, score=ranks, probability=None, cache={})
    columns = [p.scores_of(i, m.name) for i in range(len(p.classes))]
    rows = [np.concatenate(columns)] if average == "micro" else columns
    every = np.concatenate([_ranks(p, each, each.size // p.n) for each in rows])
    return replace(p, score=None, probability=every.reshape(len(columns), -1).T, cache={})


def _swap(p: Predictions, other: Predictions, swapped: NDArray[np.bool_]) -> Predictions:
    """Return the predictions with those of the other model where they are swapped."""
    columns: dict[str, Any] = {}
    for name in p.provides:
        mine, theirs = getattr(p, name), other.need(name, "a permutation")
        here = swapped if mine.ndim == 1 else swapped[:, None]
        columns[name] = np.where(here, theirs, mine)
    return replace(p, **columns, cache={})
