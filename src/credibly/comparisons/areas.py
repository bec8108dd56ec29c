"""Tests of AUCs and of whole ROC curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.names import Names
from credibly._core.parameters import Rule, between, one_of, whole
from credibly._kernels import worth_compiling
from credibly._kernels.placements import delong_covariance, placements, twice_midranks
from credibly._kernels.threads import together
from credibly.comparisons._declare import (
    Outcome,
    TestRequest,
    by_chi_square,
    by_standard_error,
    comparison,
    unvaried,
    welch,
)
from credibly.comparisons.area_correlations import correlation_of_areas, correlations_of_scores
from credibly.comparisons.assumptions import (
    APART,
    EXCHANGEABLE,
    INDEPENDENT,
    LARGE,
    SAME,
    UNSEEN,
    refuse_importance,
    require_measure,
)
from credibly.comparisons.cases import Areas, Cases, Samples
from credibly.errors import DataError, ParameterError, says
from credibly.intervals.power import hanley_mcneil_standard_error
from credibly.predictions import Predictions
from credibly.predictions.table import tallied

if TYPE_CHECKING:
    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

DELONG = "DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988) Comparing the areas under two or more correlated receiver operating characteristic curves. Biometrics 44, 837-845."
HANLEY = "Hanley, J. A. & McNeil, B. J. (1983) A method of comparing the areas under receiver operating characteristic curves derived from the same cases. Radiology 148, 839-843."
VENKATRAMAN = "Venkatraman, E. S. & Begg, C. B. (1996) A distribution-free procedure for comparing receiver operating characteristic curves from a paired experiment. Biometrika 83, 835-848."
VENKATRAMAN_2000 = "Venkatraman, E. S. (2000) A permutation test to compare receiver operating characteristic curves. Biometrics 56, 1134-1138."
MAX_CELLS = 2_000_000  # numbers in a table of permutations
SCALES = {"auc": 1.0, "gini": 2.0}
CORRELATION_RULE = Rule(
    "a number from -1 to 1, 'pearson', 'kendall' or None",
    lambda v: one_of(None, "pearson", "kendall").accepts(v) or between(-1, 1, ends=True).accepts(v),
    2,
)
NEARLY_EQUAL = 1e-9  # of the variances: below that their difference is rounding and taken anew
PAIRED = {"same": SAME, "independent": INDEPENDENT, "unseen": UNSEEN, "large": LARGE}
SEPARATE = {"apart": APART, "independent": INDEPENDENT, "unseen": UNSEEN, "large": LARGE}
SWAPPED = {"independent": INDEPENDENT, "exchangeable": EXCHANGEABLE}
same_area = partial(comparison, null="both models have the same AUC", cite=DELONG, compares="auc")
same_curve = partial(
    comparison,
    null="both models have the same ROC curve",
    compares="auc",
    signed=False,
    random=True,
    constraints={"permutations": whole(99)},
)


class Placed(NamedTuple):
    """AUCs of models, the placements of positive and negative cases, and the AUCs' covariance."""

    auc: Floats
    above: Floats
    below: Floats
    covariance: Floats
    weights: tuple[Floats, Floats] | tuple[None, None]  # of positive and of negative cases


def place(models: tuple[Predictions, ...], test: str) -> Placed:
    """Place the cases of models that share their cases: one sort per model."""
    p = models[0]
    refuse_importance(p, test)
    positive = p.truth == p.positive
    sizes = tallied(~positive, None if p.weight is None else p.counts, 2).tolist()
    if min(sizes) < 2:
        raise DataError(
            f"{test} needs at least two positive and two negative cases to estimate their variation; there are {sizes[0]:g} and {sizes[1]:g}."
        )
    scores = [q.scores_of(q.positive or 0, test) for q in models]
    weight = p.weight
    sides = (None, None) if weight is None else (weight[positive], weight[~positive])
    with together(large=worth_compiling(len(models) * p.n)):
        auc, above, below = placements(scores, positive, weight)
        covariance = delong_covariance(above, below, *sides)
    return Placed(auc, above, below, covariance, sides)


def _placed(cases: Cases, test: str) -> Placed:
    require_measure(cases.measure, tuple(SCALES), test)
    return cases.shared("placed", lambda all_: _place_all(all_, test))


def _place_all(cases: Cases, test: str) -> Placed:
    """Place all models; their AUCs come with it, so that nothing is sorted twice."""
    placed = place(cases.models, test)
    scale = SCALES[cases.measure.name]
    cases.kept.setdefault("values", (scale * placed.auc - (scale - 1)).tolist())
    return placed


@same_area("DeLong", assumptions=PAIRED, aliases=Names("delong_paired", proc="roc.test"))
def delong(cases: Cases, request: TestRequest) -> Outcome:
    """Compare two AUCs on the same cases by the covariance of their placements.

    >>> from credibly import Predictions, compare
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> a = Predictions.of(truth, score=[8, 7, 6, 3, 5, 4, 2, 1])
    >>> b = Predictions.of(truth, score=[8, 3, 5, 1, 7, 6, 4, 2])
    >>> result = compare(a, b, "auc")
    >>> result.difference, round(result.pvalue, 6)
    (0.4375, 0.00974)
    """
    placed, (i, j) = _placed(cases, "delong"), cases.at
    scale = SCALES[cases.measure.name]
    c = placed.covariance
    variance, size = c[i, i] + c[j, j] - 2 * c[i, j], c[i, i] + c[j, j]
    if variance <= NEARLY_EQUAL * size:
        gap = (placed.above[[i]] - placed.above[[j]], placed.below[[i]] - placed.below[[j]])
        variance = delong_covariance(*gap, *placed.weights)[0, 0]
    return by_standard_error(
        request,
        scale * float(placed.auc[i] - placed.auc[j]),
        scale * math.sqrt(max(0.0, float(variance))),
        method="DeLong",
        effect_sizes={"correlation of the AUCs": _correlation(c, i, j)} if size else {},
    )


def _correlation(covariance: Floats, i: int, j: int) -> float:
    size = math.sqrt(float(covariance[i, i] * covariance[j, j]))
    return float(covariance[i, j]) / size if size else math.nan


@same_area(
    "DeLong, several AUCs", null="all models have the same AUC", assumptions=PAIRED, several=True
)
def delong_several(cases: Cases, request: TestRequest) -> Outcome:
    """Compare the AUCs of several models on the same cases at once, by chi-square.

    >>> from credibly import Predictions, compare
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> scores = {"a": [8, 7, 6, 3, 5, 4, 2, 1], "b": [8, 3, 5, 1, 7, 6, 4, 2], "c": [1, 2, 3, 4, 5, 6, 7, 8]}
    >>> models = {name: Predictions.of(truth, score=s) for name, s in scores.items()}
    >>> compare(models, measure="auc", test="delong_several").parameters
    {'freedom': 2}
    """
    placed = _placed(cases, "delong_several")
    k = len(cases.models)
    contrast = np.hstack([np.ones((k - 1, 1)), -np.eye(k - 1)])
    gap = contrast @ placed.auc
    spread = contrast @ placed.covariance @ contrast.T
    tolerance = NEARLY_EQUAL * float(np.trace(placed.covariance))
    freedom = int(np.linalg.matrix_rank(spread, tolerance, hermitian=True)) if tolerance else 0
    if not freedom:
        if np.abs(gap).max() > 1e-12:
            raise DataError(
                "The AUCs differ without any variation, so their standard errors are 0 and this test does not apply."
            )
        return Outcome(0.0, 1.0, findings=unvaried(request).findings)
    inverse = np.linalg.pinv(spread, rcond=NEARLY_EQUAL, hermitian=True)
    statistic = float(gap @ inverse @ gap)
    return by_chi_square(statistic, freedom)


@same_area("DeLong, unpaired", assumptions=SEPARATE, aliases=Names("unpaired_delong"))
def delong_unpaired(samples: Samples, request: TestRequest) -> Outcome:
    """Compare two AUCs on different cases: variances add, and Student's t has Satterthwaite's freedom.

    >>> from credibly import Predictions, compare
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> a = Predictions.of(truth, score=[8, 7, 6, 3, 5, 4, 2, 1])
    >>> b = Predictions.of(truth, score=[8, 3, 5, 1, 7, 6, 4, 2])
    >>> round(compare(a, b, "auc", independent=True).pvalue, 6)
    0.151027
    """
    require_measure(samples.measure, tuple(SCALES), "delong_unpaired")
    scale = SCALES[samples.measure.name]
    found = [place((p,), "delong_unpaired") for p in samples.models]
    errors = [math.sqrt(float(each.covariance[0, 0])) for each in found]
    sizes = [p.cases for p in samples.models]
    error, freedom = welch(*((e, n - 1) for e, n in zip(errors, sizes, strict=True)))
    return by_standard_error(
        request,
        scale * float(found[0].auc[0] - found[1].auc[0]),
        scale * error,
        freedom,
        method="DeLong, unpaired",
    )


@same_area(
    "Hanley and McNeil",
    cite=HANLEY,
    assumptions={
        "same": SAME,
        "independent": INDEPENDENT,
        "model": "The exponential model of the scores gives the right standard error of an AUC.",
        "large": LARGE,
    },
    constraints={"correlation": CORRELATION_RULE},
)
def hanley_mcneil(
    areas: Areas, request: TestRequest, *, correlation: float | str | None = None
) -> Outcome:
    r"""Compare two correlated AUCs from their values, the class sizes and the correlation of the two.

    $Z = (A_1 - A_2) / \sqrt{s_1^2 + s_2^2 - 2 r s_1 s_2}$ with the standard errors of Hanley and
    McNeil (1982). From predictions, r is that of DeLong's covariance unless ``correlation`` gives it:
    a number, or ``"pearson"`` or ``"kendall"``, by which the scores within each class are correlated
    and r is looked up in the table of 1983.

    >>> from credibly.comparisons import Areas
    >>> round(hanley_mcneil(Areas((0.9, 0.8), positives=51, negatives=58, correlation=0.5)).statistic, 6)
    2.579653
    """
    s, t = (hanley_mcneil_standard_error(a, areas.positives, areas.negatives) for a in areas.values)
    r, more = _looked_up(areas, correlation)
    variance = s**2 + t**2 - 2 * r * s * t
    return by_standard_error(
        request,
        areas.values[0] - areas.values[1],
        math.sqrt(max(0.0, variance)),
        method="Hanley-McNeil",
        parameters={"correlation": r, **more},
    )


def _looked_up(areas: Areas, correlation: float | str | None) -> tuple[float, dict[str, float]]:
    """Return the correlation that was given, that of DeLong, or that of the table for the scores."""
    if not isinstance(correlation, str):
        return areas.correlation if correlation is None else correlation, {}
    if not areas.models:
        raise ParameterError(
            says(
                "<correlation={name}> is computed from scores, and of these AUCs none are known.",
                name=correlation,
            ),
            remedy="credibly.comparisons.correlation_of_areas gives r from their correlation.",
        )
    found = correlations_of_scores(areas.models, correlation)  # type: ignore[arg-type]
    if areas.correlation == 1:  # the same ranks
        return 1.0, {}
    more = dict(zip(("among positives", "among negatives"), found, strict=True))
    return correlation_of_areas(sum(found) / 2, sum(areas.values) / 2), more


def areas_of(cases: Cases) -> Areas:
    """Reduce predictions to their AUCs, class sizes and DeLong's correlation."""
    require_measure(cases.measure, ("auc",), "hanley_mcneil")
    placed, (i, j) = _placed(cases, "hanley_mcneil"), cases.at
    p = cases.models[0]
    positives = float(p.weights[p.truth == p.positive].sum())
    correlation = _correlation(placed.covariance, i, j)
    same = bool(
        (placed.above[i] == placed.above[j]).all() and (placed.below[i] == placed.below[j]).all()
    )
    return Areas(
        (float(placed.auc[i]), float(placed.auc[j])),
        round(positives),
        round(float(p.weights.sum()) - positives),
        1.0 if same else max(-1.0, min(1.0, correlation)) if correlation == correlation else 0.0,
        cases.names,
        models=cases.models,
    )


# --- whole curves -------------------------------------------------------------------------------


@same_curve("Venkatraman", cite=VENKATRAMAN, assumptions={"same": SAME, **SWAPPED})
def venkatraman(cases: Cases, request: TestRequest, *, permutations: int = 2000) -> Outcome:
    """Compare two ROC curves on the same cases as a whole: they may cross and have the same AUC.

    The statistic adds up, over all ranks at which a model may start to say positive, how much the
    numbers of errors of the two models differ there, ties at their expected value. Permutations swap
    the ranks that the models give a case. The p-value counts the sample itself as one of them.

    >>> from credibly import Predictions, compare
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> a = Predictions.of(truth, score=[8, 7, 6, 3, 5, 4, 2, 1])
    >>> b = Predictions.of(truth, score=[8, 3, 5, 1, 7, 6, 4, 2])
    >>> compare(a, b, "auc", test="venkatraman", rng=1).statistic
    14.0
    """
    p = cases.models[0]
    _check_curves(cases, "venkatraman")
    rng = np.random.default_rng(request.seed)
    positive = p.truth == p.positive
    ranks = np.array(
        [twice_midranks(q.scores_of(q.positive or 0, "venkatraman")) for q in cases.models]
    )

    def swapped(count: int) -> Floats:
        turned = np.where(rng.random((count, 1, p.n)) < 0.5, ranks, ranks[::-1])
        return paired_statistics(turned, positive)

    seen = float(paired_statistics(ranks[None], positive)[0])
    return _permuted(seen, swapped, permutations, p.n)


@same_curve("Venkatraman, unpaired", cite=VENKATRAMAN_2000, assumptions={"apart": APART, **SWAPPED})
def venkatraman_unpaired(
    samples: Samples, request: TestRequest, *, permutations: int = 2000
) -> Outcome:
    """Compare two ROC curves on different cases as a whole.

    Cases are placed by the share of a mixture, with the class shares of both samples together, that
    lies below them; the statistic is the area between the two curves of errors over that share.
    Permutations deal the places of each class out to the samples again.

    >>> from credibly import Predictions, compare
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> a = Predictions.of(truth, score=[8, 7, 6, 3, 5, 4, 2, 1])
    >>> b = Predictions.of(truth, score=[8, 3, 5, 1, 7, 6, 4, 2])
    >>> round(compare(a, b, "auc", test="venkatraman_unpaired", rng=1, independent=True).statistic, 6)
    0.21875
    """
    _check_curves(samples, "venkatraman_unpaired")
    rng = np.random.default_rng(request.seed)
    truths = [p.truth == p.positive for p in samples.models]
    share = sum(t.sum() for t in truths) / sum(t.size for t in truths)
    scores = [q.scores_of(q.positive or 0, "venkatraman_unpaired") for q in samples.models]
    placed = [_mixed(s, t, share) for s, t in zip(scores, truths, strict=True)]
    _, codes = np.unique(np.concatenate(placed), return_inverse=True)

    def dealt(count: int) -> Floats:
        return unpaired_statistics(_dealt(codes, np.concatenate(truths), count, rng), truths, share)

    seen = float(unpaired_statistics(codes[None], truths, share)[0])
    return _permuted(seen, dealt, permutations, codes.size)


def _dealt(
    codes: NDArray[np.int64], positive: NDArray[np.bool_], count: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Deal the places of each class out again, many times."""
    dealt = np.tile(codes, (count, 1))
    for side in (False, True):
        dealt[:, positive == side] = rng.permuted(dealt[:, positive == side], axis=1)
    return dealt


def _mixed(score: Floats, positive: NDArray[np.bool_], share: float) -> Floats:
    """Return the share of a mixture of the classes that lies below each case, ties half."""
    weight = np.where(positive, share / positive.sum(), (1 - share) / (~positive).sum())
    _, place = np.unique(score, return_inverse=True)
    size = np.bincount(place, weight)
    return (np.cumsum(size) - size / 2)[place]


def _permuted(seen: float, draw: Callable[[int], Floats], permutations: int, cases: int) -> Outcome:
    """Count the statistics of permutations, drawing as many at a time as fit into memory."""
    least = seen * (1 - 1e-12)
    beyond = sum(int((draw(count) >= least).sum()) for count in blocks(permutations, 4 * cases))
    return Outcome(
        seen, (1 + beyond) / (1 + permutations), parameters={"permutations": permutations}
    )


def _check_curves(evidence: Cases | Samples, test: str) -> None:
    require_measure(evidence.measure, tuple(SCALES), test)
    for p in evidence.models:
        if p.weight is not None:
            raise DataError(
                f"{test} permutes cases, so it does not take weights.",
                remedy=says("Leave out the weights, or use <test='delong'>."),
            )
        if np.unique(p.truth == p.positive).size < 2:
            raise DataError(f"{test} needs cases of both classes; all cases belong to one.")


def blocks(permutations: int, width: int) -> Iterator[int]:
    """Yield how many permutations to make at a time, so that their table stays small.

    >>> list(blocks(5, 1_000_000))
    [2, 2, 1]
    """
    most = max(1, MAX_CELLS // width)
    while permutations > 0:
        yield min(most, permutations)
        permutations -= most


def paired_statistics(ranks: Ints, positive: Bools) -> Floats:
    """Return twice the difference of the errors of two models, summed over all ranks to start at.

    ``ranks`` holds twice the midranks: permutation, model, case.
    """
    first, second = (missed_below(ranks[:, model], positive) for model in (0, 1))
    return 2 * np.abs(first - second).sum(axis=1)


def missed_below(twice: Ints, positive: Bools) -> Floats:
    """Return how many positive cases are among the x lowest, for x = 1 to n, ties evenly mixed.

    A tie spreads its positive cases over as many places as it has cases.

    >>> missed_below(np.array([[2, 5, 5]]), np.array([False, True, False])).tolist()
    [[0.0, 0.5, 1.0]]
    """
    count, n = twice.shape
    places = 2 * n + 1
    cell = twice + places * np.arange(count)[:, None]
    size = np.bincount(cell.ravel(), minlength=count * places)
    held = np.bincount(cell[:, positive].ravel(), minlength=count * places)
    shares = np.repeat(held / np.maximum(size, 1), size).reshape(count, n)
    return np.cumsum(shares, axis=1)


def unpaired_statistics(codes: Ints, truths: list[Bools], share: float) -> Floats:
    """Return the areas between the curves of errors of two samples, over the share below.

    ``codes`` says where cases stand among all places in order: permutation, cases of both samples.
    """
    size = int(codes.max()) + 1
    samples = np.split(codes, [truths[0].size], axis=1)
    curves = [_curve(c, t, share, size) for c, t in zip(samples, truths, strict=True)]
    grid = np.sort(np.concatenate([below for below, _ in curves], axis=1), axis=1)
    first, second = (_interpolated(grid, below, missed) for below, missed in curves)
    return _area_of_size(grid, 2 * (first - second))


def _curve(codes: Ints, positive: Bools, share: float, size: int) -> tuple[Floats, Floats]:
    """Return the share below each place, and of it the positive cases; equal points do no harm."""
    count = len(codes)
    cell = codes + size * np.arange(count)[:, None]
    weight = np.where(positive, share / positive.sum(), (1 - share) / (~positive).sum())
    curves = []
    for each in (weight, weight * positive):
        sums = np.bincount(cell.ravel(), np.tile(each, count), minlength=count * size)
        running = np.cumsum(sums.reshape(count, size), axis=1)
        curves.append(np.concatenate([np.zeros((count, 1)), running], axis=1))
    below, missed = curves
    return below / below[:, -1:], missed


def _interpolated(grid: Floats, x: Floats, y: Floats) -> Floats:
    """Interpolate row by row; rows are set side by side, two apart, so that one pass serves all."""
    apart = 2.0 * np.arange(len(x))[:, None]
    return np.interp((grid + apart).ravel(), (x + apart).ravel(), y.ravel()).reshape(grid.shape)


def _area_of_size(x: Floats, y: Floats) -> Floats:
    """Integrate the size of broken lines, which may cross zero within a piece."""
    a, b, width = y[:, :-1], y[:, 1:], np.diff(x, axis=1)
    total = np.abs(a) + np.abs(b)
    crossing = np.divide(a**2 + b**2, total, out=np.zeros_like(total), where=total > 0)
    return (width * np.where(a * b < 0, crossing, total) / 2).sum(axis=1)
