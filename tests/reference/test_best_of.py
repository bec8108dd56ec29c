"""The best of several, chosen again and again, against loops that read as the papers do."""

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from credibly import Predictions, best_of, evaluate
from credibly._kernels.draws import multinomial_weights, poisson_weights
from credibly.comparisons import FoldTable
from credibly.intervals import interval
from credibly.intervals.replicates import left_out
from credibly.measures import measures
from reference import twins

REPLICATES = 12


def share_right(truth, label, weight):
    return sum(w for y, p, w in zip(truth, label, weight, strict=True) if y == p) / sum(weight)


def area(truth, score, weight):
    return twins.auc(list(zip(score, truth, weight, strict=True)))


def squares(truth, probability, weight):
    off = [w * (y - p) ** 2 for y, p, w in zip(truth, probability, weight, strict=True)]
    return sum(off) / sum(weight)


KINDS = {"accuracy": ("label", share_right, 1), "auc": ("score", area, 1), "brier": ("probability", squares, -1)}  # fmt: skip


def drawn_again(truth, columns, measure, drawn, weight=None):
    """Return the mean over samples of the value of the best of each, on the rows that it lacks.

    Tsamardinos, Greasidou & Borboudakis (2018), algorithm 3: rows of the matrix of held-out predictions
    are drawn with replacement, the best column is chosen by them and judged by the rows left out.
    """
    value, sign = KINDS[measure][1:]
    weight = [1] * len(truth) if weight is None else weight
    found = []
    for times in drawn:
        inside = [i for i, n in enumerate(times) for _ in range(n)]
        outside = [i for i, n in enumerate(times) if n == 0]

        def on(rows, column):
            return value(*([each[i] for i in rows] for each in (truth, column, weight)))

        try:
            values = [on(inside, column) for column in columns]
            best = max(range(len(columns)), key=lambda j: sign * values[j])
            found.append(np.nan if np.isnan(values).all() else on(outside, columns[best]))
        except ZeroDivisionError:  # no row is left out
            found.append(np.nan)
    return np.array(found, float)


def predictions(truth, columns, measure, **more):
    kind = KINDS[measure][0]
    return {f"m{j}": Predictions.of(truth, **{kind: c}, positive=1, **more) for j, c in enumerate(columns)}  # fmt: skip


def sampled(seed, n, models, measure):
    rng = np.random.default_rng(seed)
    truth = np.append([0, 1], rng.integers(0, 2, n - 2)).tolist()
    if measure == "accuracy":
        return truth, rng.integers(0, 2, (models, n)).tolist()
    return truth, (rng.integers(0, 17, (models, n)) / 16).tolist()


@given(st.integers(0, 10**6), st.integers(8, 25), st.integers(2, 4), st.sampled_from([*KINDS]))
def test_bootstrap_bias_corrected_cross_validation(seed, n, models, measure):
    truth, columns = sampled(seed, n, models, measure)
    drawn = multinomial_weights(n, seed=seed, count=REPLICATES).tolist()
    want = drawn_again(truth, columns, measure, drawn)
    want = want[~np.isnan(want)]
    assume(want.size > 1)  # else replicates say nothing
    made = best_of(predictions(truth, columns, measure), measure, replicates=REPLICATES, rng=seed)
    worse = min if made.naive.direction == "higher" else max  # chance may make the mean better
    value = worse(want.mean(), made.naive.value)
    assert made.corrected.value == pytest.approx(value, abs=1e-12)
    low, high = np.quantile(want, [0.025, 0.975])
    limits = (low, high) if value != made.naive.value else (min(low, value), max(high, value))
    if np.ptp(limits) == 0 or REPLICATES - want.size > 0.05 * REPLICATES:
        # Limits without width say nothing, nor do replicates of which more are undefined than limits leave out.
        assert made.corrected.interval is None
        return
    if made.naive.interval is not None:  # which is moved by what the choice flatters, and kept to
        moved = [end + value - made.naive.value for end in made.naive.interval]
        within = np.clip(moved, *measures[measure].range)
        limits = min(limits[0], within[0]), max(limits[1], within[1])
    assert (made.corrected.interval.low, made.corrected.interval.high) == pytest.approx(limits)


@pytest.mark.parametrize("measure", KINDS)
def test_groups_are_drawn_whole(measure):
    truth, columns = sampled(3, 40, 3, measure)
    group = np.arange(40) // 3
    drawn = multinomial_weights(14, seed=5, count=50)[:, group].tolist()
    want = drawn_again(truth, columns, measure, drawn)
    made = best_of(predictions(truth, columns, measure, group=group), measure, replicates=50, rng=5)
    assert made.corrected.value == pytest.approx(np.nanmean(want), abs=1e-12)


@pytest.mark.parametrize("measure", KINDS)
def test_weights_go_along(measure):
    truth, columns = sampled(4, 30, 3, measure)
    weight = np.random.default_rng(4).integers(1, 9, 30) / 2
    more = {"sample_weight": weight, "weight_kind": "importance"}
    drawn = multinomial_weights(30, seed=5, count=50).tolist()
    want = drawn_again(truth, columns, measure, drawn, weight.tolist())
    made = best_of(predictions(truth, columns, measure, **more), measure, replicates=50, rng=5)
    assert made.corrected.value == pytest.approx(np.nanmean(want), abs=1e-12)


@pytest.mark.parametrize("measure", KINDS)
def test_counted_rows_are_as_many_cases(measure):
    truth, columns = sampled(6, 12, 3, measure)
    times = np.arange(12) % 4 + 1
    whole = [np.repeat(c, times).tolist() for c in (truth, *columns)]
    counted = {"sample_weight": times, "weight_kind": "frequency", "row": range(12)}
    each = best_of(predictions(whole[0], whole[1:], measure), measure, replicates=50, rng=5)
    made = best_of(predictions(truth, columns, measure, **counted), measure, replicates=50, rng=5)
    assert made.corrected.value == each.corrected.value
    assert made.naive.value == pytest.approx(each.naive.value)


def test_many_cases_have_poisson_weights():
    truth, columns = sampled(8, 1200, 2, "accuracy")
    drawn = poisson_weights(np.arange(1200), seed=2, count=4).tolist()
    want = drawn_again(truth, columns, "accuracy", drawn)
    made = best_of(predictions(truth, columns, "accuracy"), "accuracy", replicates=4, rng=2)
    assert made.corrected.value == pytest.approx(want.mean(), abs=1e-12)


def test_weights_held_and_drawn_again_are_the_same(monkeypatch):
    truth, columns = sampled(8, 60, 5, "auc")
    models = predictions(truth, columns, "auc")
    held = best_of(models, "auc", replicates=40, rng=2)
    monkeypatch.setattr("credibly.intervals.replicates.WEIGHTS_PER_BLOCK", 60)
    assert best_of(models, "auc", replicates=40, rng=2).to_json() == held.to_json()


def tuned(truth, score, rows, value, sign):
    """Return the threshold that is best on some rows, the highest of equal ones."""
    best = (-np.inf, None)
    for t in sorted({score[i] for i in rows}, reverse=True):
        found = sign * value([truth[i] for i in rows], [int(score[i] >= t) for i in rows])
        best = max(best, (found, t), key=lambda pair: pair[0])
    return best


@pytest.mark.parametrize(("measure", "sign"), [("accuracy", 1), ("error_rate", -1)])
def test_thresholds_are_tuned_again_in_each_sample(measure, sign):
    truth, columns = sampled(9, 20, 3, "auc")

    def value(y, label):
        right = sum(a == b for a, b in zip(y, label, strict=True)) / len(y)
        return right if sign > 0 else 1 - right

    found = []
    for times in multinomial_weights(20, seed=7, count=30).tolist():
        inside = [i for i, n in enumerate(times) for _ in range(n)]
        outside = [i for i, n in enumerate(times) if n == 0]
        each = [tuned(truth, score, inside, value, sign) for score in columns]
        best = max(range(3), key=lambda j: each[j][0])
        label = [int(columns[best][i] >= each[best][1]) for i in outside]
        found.append(value([truth[i] for i in outside], label))
    models = predictions(truth, columns, "auc")
    made = best_of(models, measure, thresholds=True, replicates=30, rng=7)
    assert made.corrected.value == pytest.approx(np.mean(found), abs=1e-12)
    whole = [tuned(truth, score, range(20), value, sign) for score in columns]
    assert [made[f"m{j}"].threshold for j in range(3)] == [t for _, t in whole]
    assert made.naive.value == pytest.approx(sign * max(v for v, _ in whole))
    assert all(np.isnan(c.bound) and c.why_no_bound for c in made.candidates)


@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 5), st.sampled_from([1, -1]))
def test_the_correction_of_tibshirani_and_tibshirani(seed, folds, models, sign):
    """Their bias is the mean over folds of the error of the chosen one less that of the best of the fold."""
    errors = np.random.default_rng(seed).integers(0, 20, (folds, models)) / 20
    means = [sum(errors[:, j]) / folds for j in range(models)]
    chosen = min(range(models), key=lambda j: (means[j], j))
    bias = sum(errors[k, chosen] - min(errors[k]) for k in range(folds)) / folds
    table = errors if sign < 0 else 1 - errors
    direction = "lower" if sign < 0 else "higher"
    made = best_of(FoldTable(table, tuple(f"m{j}" for j in range(models)), "x", direction))
    assert made.optimism == pytest.approx(bias, abs=1e-12)
    error = made.corrected.value if sign < 0 else 1 - made.corrected.value
    assert error == pytest.approx(means[chosen] + bias, abs=1e-12)
    for j in range(models):
        among_best = sum(errors[k, j] == min(errors[k]) for k in range(folds)) / folds
        assert made[f"m{j}"].share == pytest.approx(among_best)


def test_folds_of_predictions_are_those_of_their_values():
    truth, columns = sampled(11, 60, 4, "accuracy")
    fold = np.arange(60) % 5
    models = predictions(truth, columns, "accuracy", fold=fold)
    right = (np.array(columns) == truth).T
    table = np.array([right[fold == k].mean(axis=0) for k in range(5)])
    names = tuple(models)
    made = best_of(models, "accuracy", method="tibshirani", rng=1, replicates=20)
    want = best_of(FoldTable(table, names, "accuracy", "higher"))
    assert made.chosen == want.chosen
    assert made.corrected.value == pytest.approx(want.corrected.value, abs=1e-12)
    assert made.corrected.interval is None
    assert not np.isnan(made.candidates[0].bound)


@pytest.mark.parametrize("measure", KINDS)
def test_copies_of_one_model_cost_nothing(measure):
    truth, columns = sampled(12, 50, 1, measure)
    alone = best_of(predictions(truth, columns, measure), measure, rng=3, replicates=200)
    four = best_of(predictions(truth, columns * 4, measure), measure, rng=3, replicates=200)
    assert (alone.corrected.value, alone.optimism) == (alone.naive.value, 0)
    assert alone.corrected.interval == alone.naive.interval == four.naive.interval
    assert [f.code for f in alone.findings if f.code == "no-choice"]
    assert [c.share for c in four.candidates] == [1] * 4
    # Copies: nothing but what the cases left out say, which is the value itself on average.
    spread = (four.corrected.interval.high - four.corrected.interval.low) / 4
    assert abs(four.optimism) < 5 * spread / 200**0.5


def test_bounds_that_hold_together_lie_below_single_ones_and_above_those_of_bonferroni():
    truth, columns = sampled(13, 80, 10, "accuracy")
    models = predictions(truth, columns, "accuracy")
    made = best_of(models, "accuracy", rng=3)
    right = round(80 * made.naive.value)
    single = interval(right, 80, confidence_level=0.9)["wilson"].low
    many = interval(right, 80, confidence_level=1 - 2 * 0.05 / 10)["wilson"].low
    bound = made[made.chosen].bound
    assert many - 0.01 < bound < single
    alone = best_of({"m": models[made.chosen]}, "accuracy", rng=3)["m"].bound
    assert alone == pytest.approx(single)
    copies = {f"copy {i}": models[made.chosen] for i in range(6)}
    assert best_of(copies, "accuracy", rng=3)["copy 0"].bound == pytest.approx(single, abs=0.01)


def test_bounds_after_folds_are_about_learning_again():
    truth, columns = sampled(13, 80, 1, "accuracy")
    once = {"fold": np.arange(80) % 5}
    (model,) = predictions(truth, columns, "accuracy", **once).values()
    found = evaluate(model, "accuracy", estimate="pooled", interval="widened", confidence_level=0.9)
    assert best_of({"m": model}, "accuracy", rng=3)["m"].bound == pytest.approx(found.estimates[0].interval.low)  # fmt: skip


@pytest.mark.parametrize(("copies", "draws"), [(5, 7), (30, 20), (31, 40), (400, 380)])
def test_as_many_cases_of_a_row_are_left_out_as_balls_leave_boxes_empty(copies, draws):
    """Mean and variance of the number of empty boxes, by the exact formulas."""
    n, k = float(copies), float(draws)
    mean = n * (1 - 1 / n) ** k
    variance = n * (n - 1) * (1 - 2 / n) ** k + mean - mean**2
    size = 40_000
    found = left_out(np.full(size, k), np.full(size, n), np.random.default_rng(3))
    assert abs(found.mean() - mean) < 4 * (variance / size) ** 0.5 + 0.01 * (copies > 30)
    assert found.var() == pytest.approx(variance, rel=0.05)
    assert found.min() >= max(0, copies - draws)
    assert found.max() < copies


@pytest.mark.thorough
def test_counted_rows_give_what_their_cases_give():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 40)
    columns = [np.where(rng.random(40) < right, truth, 1 - truth) for right in (0.8, 0.75, 0.7)]
    counted = {
        str(i): Predictions.of(
            truth, label=c, sample_weight=np.full(40, 50), weight_kind="frequency"
        )
        for i, c in enumerate(columns)
    }
    cases = {
        str(i): Predictions.of(np.repeat(truth, 50), label=np.repeat(c, 50))
        for i, c in enumerate(columns)
    }
    one, other = (best_of(models, "accuracy", rng=5) for models in (counted, cases))
    assert one.naive.value == other.naive.value
    assert one.corrected.value == pytest.approx(other.corrected.value, abs=2e-3)
    assert one.corrected.interval.low == pytest.approx(other.corrected.interval.low, abs=5e-3)
    assert one.corrected.interval.high == pytest.approx(other.corrected.interval.high, abs=5e-3)
