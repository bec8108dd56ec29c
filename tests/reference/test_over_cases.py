"""The default test after a cross-validation against slow obvious twins, and where it gives way to another."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from credibly import Predictions, compare
from credibly.comparisons import comparisons
from credibly.comparisons.over_cases import (
    JUMP_SHARE,
    ONE_REPEAT_FACTOR,
    RATIO_FACTOR,
    REPEATS_FACTOR,
)
from credibly.errors import DataError
from credibly.intervals.standard_errors import measure_error
from credibly.measures import measures

N, K, R = 60, 5, 3
RNG = np.random.default_rng(7)
TRUTH = RNG.integers(0, 2, N)


def folds(repeats=1, k=K):
    return np.concatenate([np.random.default_rng(r).permutation(N) % k for r in range(repeats)])


def models(repeats=1, smooth=False, k=K, **columns):
    """Two models after folds: labels that jump here and there, or probabilities that move a little."""
    made = []
    for seed in (1, 2):
        rng = np.random.default_rng(seed)
        base = np.clip(0.3 + 0.4 * TRUTH + rng.normal(0, 0.25, N), 0.02, 0.98)
        moved = rng.normal(0, 0.01 if smooth else 0.15, (repeats, N))
        shares = np.clip(base + moved, 0.01, 0.99).ravel()
        more = {"row": np.tile(np.arange(N), repeats), "fold": folds(repeats, k), **columns}
        if repeats > 1:
            more["repeat"] = np.repeat(np.arange(repeats), N)
        made.append(Predictions.of(np.tile(TRUTH, repeats), probability=shares, positive=1, **more))
    return made


def losses(p, measure):
    share = p.probability if p.probability.ndim == 1 else p.probability[:, 1]
    if measure == "brier":
        return (share - p.truth) ** 2
    return ((share >= 0.5) != (p.truth == 1)).astype(float)


def differences(a, b, measure, repeats):
    """Loss differences by repeat and case."""
    apart = losses(a, measure) - losses(b, measure)
    order = np.lexsort((a.row, np.zeros(a.n) if a.repeat is None else a.repeat))
    return apart[order].reshape(repeats, -1)


def mean_over_folds(a, b, measure):
    apart = losses(a, measure) - losses(b, measure)
    repeat = np.zeros(a.n) if a.repeat is None else a.repeat
    places = sorted(set(zip(repeat.tolist(), a.fold.tolist(), strict=True)))
    return float(np.mean([apart[(repeat == r) & (a.fold == f)].mean() for r, f in places]))


def satterthwaite(d):
    """Degrees of freedom of a variance from the spread of the squares."""
    squares = np.square(d - d.mean())
    return 2 * squares.sum() ** 2 / (np.square(squares - squares.mean()).sum())


def held_out(repeats=8, **columns):
    """Two models after holdouts of a third of the cases."""
    tested = [np.random.default_rng(r).permutation(N)[: N // 3] for r in range(repeats)]
    row, made = np.concatenate(tested), []
    for seed in (1, 2):
        share = np.clip(0.3 + 0.4 * TRUTH[row] + np.random.default_rng(seed).normal(0, 0.25, row.size), 0.02, 0.98)  # fmt: skip
        design = {"row": row, "repeat": np.repeat(np.arange(repeats), N // 3), "fold": np.zeros(row.size, int)}  # fmt: skip
        made.append(Predictions.of(TRUTH[row], probability=share, positive=1, n_train=N - N // 3, **design, **columns))  # fmt: skip
    return made


@pytest.mark.parametrize("measure", ["error_rate", "brier"])
def test_holdouts(measure):
    a, b = held_out()
    apart = losses(a, measure) - losses(b, measure)
    moved = np.zeros(N)
    for repeat in range(8):
        here = a.repeat == repeat
        for row, d in zip(a.row[here], apart[here] - apart[here].mean(), strict=True):
            moved[row] += d / (8 * here.sum())
    n = len(set(a.row.tolist()))  # some are never held out
    error = ONE_REPEAT_FACTOR * math.sqrt(np.square(moved).sum() * n / (n - 1))
    result = compare(a, b, measure)
    assert result.test == "widened_t"
    assert result.difference == pytest.approx(apart.mean(), abs=1e-14)
    assert result.statistic == pytest.approx(apart.mean() / error, rel=1e-9)


def test_holdouts_of_repeated_cases_that_are_counted():
    a, b = held_out()
    twice = held_out(sample_weight=np.full(8 * (N // 3), 4.0), weight_kind="frequency")
    once, more = compare(a, b, "brier"), compare(*twice, "brier")
    n = len(set(a.row.tolist()))
    assert more.statistic == pytest.approx(once.statistic * math.sqrt((4 * n - 1) / (n - 1)), rel=1e-9)  # fmt: skip


def test_areas_of_holdouts():
    a, b = held_out()
    moved = np.zeros(N)
    for repeat in range(8):
        here = a.repeat == repeat
        rows, y = a.row[here], TRUTH[a.row[here]]
        for p, sign in ((a, 1), (b, -1)):
            s = p.probability[here]
            wins = (s[y == 1][:, None] > s[y == 0]) + 0.5 * (s[y == 1][:, None] == s[y == 0])
            for row, each in zip(rows[y == 1], wins.mean(axis=1) - wins.mean(), strict=True):
                moved[row] += sign * each / (8 * (y == 1).sum())
            for row, each in zip(rows[y == 0], wins.mean(axis=0) - wins.mean(), strict=True):
                moved[row] += sign * each / (8 * (y == 0).sum())
    n = len(set(a.row.tolist()))
    error = ONE_REPEAT_FACTOR * math.sqrt(np.square(moved).sum() * n / (n - 1))
    result = compare(a, b, "auc")
    assert result.test == "widened_t"
    assert result.statistic == pytest.approx(result.difference / error, rel=1e-9)


@pytest.mark.parametrize("measure", ["error_rate", "brier"])
def test_once(measure):
    a, b = models()
    d = differences(a, b, measure, 1)[0]
    error = ONE_REPEAT_FACTOR * d.std(ddof=1) / math.sqrt(N)
    freedom = min(satterthwaite(d), N - 1)
    result = compare(a, b, measure)
    t = mean_over_folds(a, b, measure) / error
    assert result.test == "widened_t"
    assert result.statistic == pytest.approx(t)
    assert result.parameters["freedom"] == pytest.approx(freedom)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(t), freedom))
    half = error * stats.t.ppf(0.975, freedom)
    assert tuple(result.confidence_interval) == pytest.approx(
        (result.difference - half, result.difference + half)
    )


@pytest.mark.parametrize(("measure", "smooth"), [("error_rate", False), ("brier", True)])
def test_repeated(measure, smooth):
    a, b = models(R, smooth=smooth)
    d = differences(a, b, measure, R)
    over_cases = np.square(d - d.mean()).sum(axis=1).mean() / (N * (N - 1))
    over_repeats = d.var(axis=0, ddof=1).sum() / N**2
    # A case whose loss stays the same adds as much as before; means differ by what others do.
    ties = (np.abs(np.diff(d, axis=0)) < 1e-12).mean()
    factor = K * (ties * JUMP_SHARE + 1 - ties)
    widened = min(REPEATS_FACTOR, math.sqrt(1 + factor * over_repeats / over_cases))
    result = compare(a, b, measure)
    assert result.parameters["widened"] == pytest.approx(widened, rel=1e-9)
    assert (widened < REPEATS_FACTOR) == smooth
    t = mean_over_folds(a, b, measure) / (widened * math.sqrt(over_cases))
    assert result.statistic == pytest.approx(t)


def test_groups_are_left_out_as_a_whole():
    """Uneven groups: the jackknife's error, and as much freedom as the squares of their sizes say."""
    sizes = np.array([3, 5, 8, 2, 12, 6, 4, 9, 1, 10])
    group = np.repeat(np.arange(10), sizes)
    a, b = models(group=group, fold=group % K)
    d = differences(a, b, "brier", 1)[0]
    without = np.array([d[group != g].mean() for g in range(10)])
    error = math.sqrt(9 / 10 * np.square(without - d.mean()).sum())
    result = compare(a, b, "brier")
    assert result.parameters["standard_error"] == pytest.approx(ONE_REPEAT_FACTOR * error)
    effective = (sizes**2).sum() ** 2 / (sizes**4).sum()
    assert result.parameters["freedom"] == pytest.approx(effective - 1)
    assert "over groups" in result.confidence_interval.method


def test_areas_are_compared_within_folds():
    """Scores of different models do not compare: DeLong's variance of each fold, added up."""
    a, b = models()
    variance = 0.0
    for fold in range(K):
        parts = [replace(p.take(p.fold == fold), fold=None, cache={}) for p in (a, b)]
        delong = compare(*parts, "auc", test="influence")
        variance += (delong.parameters["standard_error"] / K) ** 2
    result = compare(a, b, "auc")
    assert result.test == "widened_t"
    assert result.parameters["standard_error"] == pytest.approx(
        ONE_REPEAT_FACTOR * math.sqrt(variance)
    )
    assert result.difference == pytest.approx(
        compare(a, b, "auc", test="corrected_resampled_t").difference
    )


@pytest.mark.parametrize("measure", ["fbeta", "kappa", "mcc", "balanced_accuracy"])
def test_other_measures_move_with_their_influence_values(measure):
    a, b = models()
    pooled = [replace(p, fold=None, cache={}) for p in (a, b)]
    over_cases, _ = measure_error(measures[measure], pooled)
    result = compare(a, b, measure)
    assert result.test == "widened_t"
    assert result.parameters["standard_error"] == pytest.approx(
        ONE_REPEAT_FACTOR * RATIO_FACTOR * over_cases, rel=1e-6
    )


def test_counts_of_cases_are_cases():
    """A case that is counted twice is worth two."""
    a, b = models()
    counted = [
        replace(p, weight=np.full(N, 2.0), weight_kind="frequency", cache={}) for p in (a, b)
    ]
    once, twice = compare(a, b, "brier"), compare(*counted, "brier")
    ratio = twice.parameters["standard_error"] / once.parameters["standard_error"]
    assert ratio == pytest.approx(math.sqrt((N - 1) / (2 * N - 1)))


@pytest.mark.parametrize(
    "columns",
    [
        {"repeat": np.repeat([0, 1], N // 2), "fold": None, "n_train": 42},
        {"fold": np.repeat(np.arange(30), 2)},
    ],
)
def test_holdouts_and_tiny_folds_are_compared_by_cases(columns):
    a, b = models(**columns)
    assert compare(a, b, "brier").test == "widened_t"


def test_repeats_without_cases_get_nine_degrees_of_freedom():
    """What was published is there by its name."""
    a, b = models(R)
    assert compare(a, b, "auc").parameters["freedom"] == 9
    asked = compare(a, b, "auc", test="corrected_resampled_t")
    assert asked.parameters["freedom"] == K * R - 1
    assert asked.statistic == pytest.approx(compare(a, b, "auc").statistic)


def test_equal_models_are_equal_and_an_unvaried_difference_is_left_to_signs():
    a, _ = models()
    same = compare(a, a, "error_rate")
    assert (same.pvalue, same.test) == (1.0, "widened_t")
    right, wrong = (
        Predictions.of(TRUTH, label=y, row=np.arange(N), fold=folds()) for y in (TRUTH, 1 - TRUTH)
    )
    assert "Sign test" in compare(right, wrong, "error_rate").title


def test_margins_and_sides_agree_with_the_interval():
    a, b = models()
    for alternative in ("less", "greater"):
        result = compare(a, b, "brier", alternative=alternative)
        low, high = result.confidence_interval
        assert result.rejected == (high < 0 if alternative == "less" else low > 0)
    near = compare(a, b, "brier", margin=0.2)
    low, high = near.confidence_interval
    assert near.rejected == (low > -0.2 and high < 0.2)


def test_it_is_refused_without_folds():
    a, b = (replace(p, fold=None, cache={}) for p in models())
    with pytest.raises(Exception, match="fold"):
        compare(a, b, "brier", test="widened_t")
    assert comparisons["widened_t"].about == "training"


def test_areas_in_groups_are_left_to_folds():
    """A fold holds two or three groups, whose spread would say nothing."""
    group = np.repeat(np.arange(12), N // 12)
    a, b = models(group=group, fold=group % K)
    assert compare(a, b, "auc").test == "corrected_resampled_t"
    with pytest.raises(DataError, match="too few groups"):
        compare(a, b, "auc", test="widened_t")
