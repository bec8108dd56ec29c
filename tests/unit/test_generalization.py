"""Intervals about learning anew: twins by loops, what they are never narrower than, and where they refuse."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats
from sklearn.neighbors import KNeighborsClassifier

import credibly
from credibly import Predictions, evaluate, run
from credibly.evaluation.out_of_bag import adjusted_variance
from credibly.intervals.influence import influence
from credibly.intervals.widening import widening
from credibly.measures import measures
from credibly.predictions.parts import all_rows
from credibly.predictions.provenance import Provenance
from credibly.running import learning_curve
from leaning import leaning, spread


def repeated_folds(seed, n=40, k=5, repeats=4, jumps=False):
    """Numbers predicted in repeated folds, by models that differ a little from fold to fold."""
    rng = np.random.default_rng(seed)
    truth, base = rng.normal(size=n), rng.normal(scale=0.3, size=n)
    columns = {name: [] for name in ("y_true", "value", "row", "repeat", "fold", "n_train")}
    for r in range(repeats):
        fold = rng.permutation(n) % k
        move = rng.normal(scale=0.2, size=n)
        if jumps:
            move = np.where(rng.random(n) < 0.1, move, 0.0)
        columns["y_true"].append(truth)
        columns["value"].append(truth + base + move)
        columns["row"].append(np.arange(n))
        columns["repeat"].append(np.full(n, r))
        columns["fold"].append(fold)
        columns["n_train"].append(np.full(n, n - n / k))
    return Predictions.of(**{name: np.concatenate(c) for name, c in columns.items()})


def estimate(p, measure, **options):
    return evaluate(p, measure, estimate="fold_mean", **options).estimates[0]


@pytest.mark.parametrize("jumps", [False, True])
def test_stability_adds_what_moves_from_repeat_to_repeat(jumps):
    p = repeated_folds(1, jumps=jumps)
    e = estimate(p, "mse")
    losses = ((p.truth - p.value) ** 2).reshape(4, 40)
    n, k = 40, 5
    within = sum(losses[:, i].var(ddof=1) for i in range(n)) / n**2
    centre = losses.mean()
    total = np.mean([sum((x - centre) ** 2 for x in row) for row in losses]) / n**2 * n / (n - 1)
    equal = np.mean(
        [abs(losses[r, i] - losses[r + 1, i]) < 1e-9 for r in range(3) for i in range(n)]
    )
    error = math.sqrt(total + (2 * equal + k * (1 - equal)) * within)
    assert e.standard_error == pytest.approx(error, rel=1e-9)
    mean = losses.mean(axis=0)
    low, high = leaning(mean, e.value, error, spread(mean)[1])
    assert (e.interval.low, e.interval.high) == pytest.approx((low, high), rel=1e-9)
    assert e.interval.about == "training"


@pytest.mark.parametrize("attributes", [0, 4, 30])
def test_one_cross_validation_has_the_error_over_cases_widened_for_learning(attributes):
    p = repeated_folds(2, repeats=1)
    p = replace(p, provenance=Provenance("", attributes=attributes), cache={})
    e = estimate(p, "mse")
    if attributes > 10:  # and nothing where one cross-validation cannot show how unstable it is
        assert e.interval is None
        return
    losses = (p.truth - p.value) ** 2
    error, freedom = spread(losses)
    error *= {0: 1.3, 4: 1.25 * math.sqrt(40 / 36)}[attributes]
    low, high = leaning(losses, np.mean(e.values), error, freedom)
    assert (e.interval.low, e.interval.high) == pytest.approx((low, high), rel=1e-9)
    assert e.interval.about == "training"


def test_groups_are_left_out_as_a_whole():
    p = repeated_folds(2, repeats=1)
    group = np.arange(40) // np.array([3, 5] * 20)
    p = replace(p, group=group, provenance=Provenance("", attributes=1), cache={})
    e = estimate(p, "mse")
    losses, groups = (p.truth - p.value) ** 2, sorted(set(group.tolist()))
    moved = [losses.mean() - losses[group != g].mean() for g in groups]
    count = len(groups)
    size = np.bincount(group)[groups].astype(float)
    sums = np.array([(losses - losses.mean())[group == g].sum() for g in groups])
    worth = spread(sums)[1]  # of which half count, or 3
    freedom = min((size**2).sum() ** 2 / (size**4).sum() - 1, max(worth / 2, min(worth, 3)))
    error = math.sqrt(np.square(moved).sum() * (count - 1) / count)
    error *= 1.25 / math.sqrt(1 - 1 / count)
    assert e.standard_error == pytest.approx(error)
    assert e.interval.degrees_of_freedom == pytest.approx(freedom)


def test_scores_are_compared_within_the_folds():
    rng = np.random.default_rng(3)
    truth, fold = np.arange(60) % 2, np.arange(60) // 20
    p = Predictions.of(truth, score=rng.normal(truth), fold=fold, n_train=40)
    e = estimate(p, "auc")
    errors = [evaluate(p.where(fold=f), "auc")["auc"].standard_error for f in range(3)]
    assert e.standard_error == pytest.approx(1.3 * math.hypot(*errors) / 3)


def test_leaving_out_single_cases_is_a_cross_validation_like_any_other():
    p = repeated_folds(4, k=40, repeats=1)
    (e,) = evaluate(p, "mse").estimates
    losses = (p.truth - p.value) ** 2
    error, freedom = spread(losses)
    low, high = leaning(losses, e.value, 1.3 * error, freedom)
    assert (e.interval.low, e.interval.high) == pytest.approx((low, high), rel=1e-9)
    assert e.interval.about == "training"
    truth = np.arange(40) % 2
    ranked = Predictions.of(truth, score=p.value, fold=p.fold, row=p.row, n_train=39)
    assert "scores of different models" in evaluate(ranked, "auc")["auc"].why_no_interval


def test_holdouts_have_the_corrected_t_on_the_scale_of_the_range():
    rng = np.random.default_rng(5)
    truth = rng.normal(size=40)
    rows = np.concatenate([rng.permutation(40)[:10] for _ in range(15)])
    repeat = np.repeat(np.arange(15), 10)
    p = Predictions.of(
        truth[rows], value=truth[rows] + rng.normal(size=150), row=rows, repeat=repeat, fold=0, n_train=30
    )  # fmt: skip
    e = estimate(p, "mse")
    values = np.array(e.values)
    naive = evaluate(p, "mse", estimate="pooled", interval="influence")["mse"]
    over_folds, within = values.var(ddof=1), 4 * naive.standard_error**2
    share = within / (over_folds + within)
    cases = naive.interval.degrees_of_freedom
    by_case = np.bincount(p.row, influence(measures["mse"], p) * p.weights)
    freedom = min(1 / ((1 - share) ** 2 / 9 + share**2 / cases), spread(by_case)[1])
    error = math.sqrt((over_folds + within) / 2 * (1 / 15 + 1 / 3))
    low, high = leaning(by_case, values.mean(), error, freedom)
    assert (e.interval.low, e.interval.high) == pytest.approx((low, high), rel=1e-6)


@given(
    st.integers(0, 10_000), st.sampled_from([1, 3]), st.sampled_from(["mse", "mae", "r2", "rmse"])
)
def test_an_interval_about_learning_is_never_narrower_than_one_about_cases(seed, repeats, measure):
    p = repeated_folds(seed, n=20, repeats=repeats)
    wide = estimate(p, measure).interval
    cases = evaluate(p, measure, estimate="pooled", interval="influence").estimates[0].interval
    assert wide.low <= cases.low + 1e-12
    assert cases.high <= wide.high + 1e-12
    assert cases.about == "models"


def test_no_error_in_any_fold_still_has_an_interval():
    p = Predictions.of([1, 0] * 20, label=[1, 0] * 20, fold=np.arange(40) // 4, n_train=36)
    e = estimate(p, "error_rate")
    assert e.value == 0
    assert (e.interval.low, e.interval.about) == (0, "training")
    assert 0.05 < e.interval.high < 0.12


def test_equal_rows_counted_are_worth_the_same():
    p = repeated_folds(3, n=12, k=3, repeats=3)
    twice = {name: np.concatenate([getattr(p, name)] * 2) for name in ("value", "repeat", "fold")}
    row = np.concatenate([p.row, p.row + 12])
    apart = Predictions.of(np.concatenate([p.truth] * 2), row=row, n_train=16, **twice)
    counted = Predictions.of(
        p.truth, value=p.value, repeat=p.repeat, fold=p.fold, row=p.row, n_train=16,
        sample_weight=np.full(p.n, 2), weight_kind="frequency",
    )  # fmt: skip
    one, other = estimate(apart, "mse"), estimate(counted, "mse")
    assert other.standard_error == pytest.approx(one.standard_error, rel=1e-9)


def test_the_corrected_t_of_the_paper_is_there_on_request():
    p = repeated_folds(4)
    e = estimate(p, "mse", interval="corrected")
    values = np.array(e.values)
    half = values.std(ddof=1) * math.sqrt(1 / 20 + 1 / 4) * stats.t.ppf(0.975, 19)
    assert e.interval.high == pytest.approx(values.mean() + half)


def few_cases(resampling, columns=20):
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(40, columns)), rng.normal(size=40)
    return credibly.run("linear", X, y, resampling=resampling, rng=1)


def test_many_attributes_in_one_cross_validation_are_said():
    codes = [
        {f.code for f in evaluate(few_cases(f"folds(k=5, repeats={r})"), "mse").all_findings()}
        for r in (1, 2)
    ]
    assert "many-attributes" in codes[0]
    assert "many-attributes" not in codes[1]


def test_one_cross_validation_of_few_cases_has_no_interval_but_says_what_would():
    p = few_cases("5")
    why = estimate(p, "mse").why_no_interval
    assert "32 training cases for 20 attributes" in why
    # How long they last follows from the fits that were timed, on a machine that may be busy.
    assert re.search(r"resampling='nested_cv\(k=5, repeats=10\)': 150 fits, about \d+ \w+", why)
    assert estimate(p, "mse", interval="scaled").interval is not None
    assert estimate(few_cases("5", columns=9), "mse").interval is not None
    assert estimate(few_cases("5x5"), "mse").interval is not None


def test_one_model_is_judged_as_it_is_however_many_attributes_it_has():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(100, 30)), rng.normal(size=100)
    table = evaluate(credibly.run("linear", X, y, resampling="holdout(test=0.2)", rng=1), "mse")
    assert table["mse"].interval.about == "cases"
    assert "many-attributes" not in {f.code for f in table.all_findings()}


def test_few_training_cases_count_and_not_those_tested():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(200, 4)), rng.normal(size=200)
    curve = learning_curve("linear", X, y, sizes=[12, 1.0], rng=1, progress=False)
    few, most = curve.table("mse").estimates
    assert "12 training cases for 4 attributes" in few.why_no_interval
    assert most.interval.method.startswith("widened error over cases, 1.03 times")
    known = replace(
        [*curve.predictions.values()][1], provenance=Provenance("", attributes=4), cache={}
    )
    assert widening(known, measures["mse"]) == 1.25 / math.sqrt(1 - 4 / 200)


def test_between_two_ends_many_attributes_leave_little_room():
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(40, 20)), np.arange(40) % 2
    p = credibly.run("naive-bayes", X, y, resampling="5", rng=1)
    assert estimate(p, "error_rate").interval is not None
    assert "nested_cv" in estimate(p, "log_loss").why_no_interval


def test_the_variance_out_of_bag_is_that_of_efron_and_tibshirani():
    rng = np.random.default_rng(6)
    replicates, n = 30, 12
    times = np.stack([np.bincount(rng.integers(0, n, n), minlength=n) for _ in range(replicates)])
    losses = rng.random((replicates, n))
    out = times == 0

    def influence(rows):
        mean = [losses[rows, i][out[rows, i]].mean() for i in range(n)]
        error = [(losses[b] * out[b]).sum() / n for b in rows]
        found = []
        for i in range(n):
            together = np.cov(times[rows, i], error, ddof=1)[0, 1]
            found.append(
                (2 + 1 / (n - 1)) * (mean[i] - np.mean(mean)) / n + (1 - 1 / n) ** -n * together
            )
        return np.array(found)

    every = np.arange(replicates)
    left = np.array([influence(np.delete(every, b)) for b in every])
    inner = (replicates - 1) / replicates * ((left - left.mean(axis=0)) ** 2).sum()
    expected = (influence(every) ** 2).sum() - inner
    found = adjusted_variance(losses, out.astype(float), times.astype(float))
    assert found == pytest.approx(expected, rel=1e-9)


def test_out_of_bag_is_about_models_of_samples():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(60, 3))
    y = X[:, 0] + rng.normal(size=60)
    p = credibly.run("linear", X, y, resampling="bootstrap(replicates=40)", rng=1)
    e = evaluate(p, "mse").where(estimate="oob")[0]
    assert e.interval.about == "samples"
    naive = evaluate(p, "mse", estimate="pooled").estimates[0].interval
    assert e.interval.low <= naive.low
    assert naive.high <= e.interval.high


@pytest.fixture(scope="module")
def sampled():
    rng = np.random.default_rng(8)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 3)) + y[:, None]
    return credibly.run("naive-bayes", X, y, resampling="bootstrap(replicates=25)", rng=1)


def test_combinations_with_training_values_have_no_interval_but_a_reason(sampled):
    for name in ("632", "632+", "optimism"):
        (e,) = evaluate(sampled, "error_rate", estimate=name).estimates
        assert e.interval is None
        assert "own training cases" in e.why_no_interval
        assert "estimate='oob'" in e.why_no_interval


@pytest.mark.parametrize("name", ["oob", "632", "632+"])
def test_the_delta_method_combines_what_each_case_moves(sampled, name):
    """The twin: influences in loops, those of the apparent error with the model as it is."""
    (e,) = evaluate(
        sampled, "error_rate", estimate=name, interval="delta_after_bootstrap"
    ).estimates
    every, n = all_rows(sampled), 40
    replicates = sorted(set(every.repeat.tolist()) - {-1})
    losses, times = np.zeros((len(replicates), n)), np.zeros((len(replicates), n))
    for b, repeat in enumerate(replicates):
        for i in np.flatnonzero(every.repeat == repeat):
            case = every.row[i]
            if every.part[i] == "train":
                times[b, case] = every.weights[i]
            else:
                losses[b, case] = every.label[i] != every.truth[i]
    apparent = np.zeros(n)
    for i in np.flatnonzero(every.repeat == -1):
        apparent[every.row[i]] = every.label[i] != every.truth[i]
    out = times == 0
    mean = np.array([losses[out[:, i], i].mean() for i in range(n)])
    inside, outside = apparent.mean(), mean.mean()
    share = 1.0 if name == "oob" else (e.value - inside) / (outside - inside)

    def influence(rows):
        # Less their mean, so that how many cases a sample leaves out adds nothing but what they cost.
        error = [((losses[b] - outside) * out[b]).sum() / n for b in rows]
        own = np.array([losses[rows, i][out[rows, i]].mean() for i in range(n)])
        together = [np.cov(times[rows, i], error, ddof=1)[0, 1] for i in range(n)]
        return (2 + 1 / (n - 1)) * (own - own.mean()) / n + (1 - 1 / n) ** -n * np.array(together)

    b = np.arange(len(replicates))
    left = np.array([influence(np.delete(b, j)) for j in b])
    internal = (b.size - 1) / b.size * ((left - left.mean(axis=0)) ** 2).sum()
    moved = share * influence(b) + (1 - share) * (apparent - inside) / n
    variance = (moved**2).sum() - share**2 * internal
    if variance <= 0:
        assert e.interval is None
        return
    assert e.standard_error == pytest.approx(math.sqrt(variance), rel=1e-6)
    half = stats.norm.ppf(0.975) * math.sqrt(variance)
    assert e.interval.high == pytest.approx(min(e.value + half, 1))
    assert ("misled-by-training" in {f.code for f in e.findings}) == (name != "oob")


@pytest.mark.parametrize("measure", ["error_rate", "auc"])
def test_optimism_moves_with_what_a_case_does_and_how_often_it_is_drawn(sampled, measure):
    """The twin: each case's influence in loops over the replicates."""
    (e,) = evaluate(
        sampled, measure, estimate="optimism", interval="delta_after_bootstrap"
    ).estimates
    every, n, m = all_rows(sampled), 40, credibly.measures.measures[measure]
    once = replace(every, weight=None, weight_kind=None, cache={})

    def direct(rows):
        part, found = once.take(rows), np.zeros(n)
        found[part.row] = influence(m, part)
        return found

    moved, drawn, gaps = direct(np.flatnonzero(every.repeat == -1)), [], []
    replicates = sorted(set(every.repeat.tolist()) - {-1})
    for b in replicates:
        mine = np.flatnonzero(every.repeat == b)
        moved = moved + direct(mine) / len(replicates)
        sample = every.take(mine[every.part[mine] == "train"])
        drawn.append(np.bincount(sample.row, sample.weights, n))
        gaps.append(m.value(once.take(mine)) - m.value(sample))
    for i in range(n):
        moved[i] += np.cov([d[i] for d in drawn], gaps, ddof=1)[0, 1]
    variance = (moved**2).sum() - n * np.var(gaps, ddof=1) / len(gaps)
    assert e.value == pytest.approx(
        m.value(every.take(np.flatnonzero(every.repeat == -1))) + np.mean(gaps)
    )
    assert e.standard_error == pytest.approx(math.sqrt(variance), rel=1e-9)
    assert (e.interval.about, e.findings[-1].code) == ("training", "misled-by-training")


def test_an_area_out_of_bag_has_an_interval_about_models_of_samples(sampled):
    (e,) = evaluate(sampled, "auc", estimate="oob").estimates
    assert e.interval.about == "samples"
    assert e.interval.low < e.value < e.interval.high
    parts = [p for _, p in sampled.groups(["repeat"])]
    alone = []
    for part in parts:
        moved = influence(credibly.measures.auc, part)
        if moved is not None:
            alone.append((moved**2).sum() * part.n / 40)
    assert e.standard_error >= math.sqrt(np.mean(alone)) * (1 - 1e-9)
    (other,) = evaluate(sampled, "average_precision", estimate="oob").estimates
    assert "share their cases" in other.why_no_interval


def test_the_delta_method_is_for_the_bootstrap():
    p = Predictions.of([1, 0, 1, 0], label=[1, 0, 0, 0])
    (e,) = evaluate(p, "error_rate", interval="delta_after_bootstrap").estimates
    assert "it is for the bootstrap" in e.why_no_interval


@pytest.mark.parametrize("scale", [1e-300, 1e-90, 1e78, 1e140])
@pytest.mark.parametrize("repeats", [1, 3])
def test_intervals_about_learning_follow_the_unit_of_the_target(scale, repeats):
    p = repeated_folds(8, n=20, repeats=repeats)
    scaled = Predictions.of(
        p.truth * scale, value=p.value * scale, row=p.row, repeat=p.repeat, fold=p.fold, n_train=16
    )
    one, other = estimate(p, "mae").interval, estimate(scaled, "mae").interval
    assert (other.low / scale, other.high / scale) == pytest.approx((one.low, one.high), rel=1e-6)


def test_counts_have_the_spread_of_the_folds_alone():
    rng = np.random.default_rng(9)
    truth = rng.integers(0, 2, 100)
    label = np.where(rng.random(100) < 0.8, truth, 1 - truth)
    p = Predictions.of(truth, label=label, positive=1, fold=np.arange(100) % 10, n_train=90)
    for e in evaluate(p, ["false_positives", "true_positives"], estimate="fold_mean"):
        assert e.value in e.interval
        assert e.interval.high < 4 * e.value


@pytest.mark.parametrize("measure", ["g_mean", "sensitivity_times_specificity"])
def test_an_interval_holds_its_value_at_the_end_of_the_range(measure):
    p = Predictions.of(
        [1, 1, 0, 0] * 2, label=[1] * 4 + [0] * 4, positive=1, fold=[0] * 4 + [1] * 4, n_train=4
    )
    e = estimate(p, measure)
    assert e.interval is None or e.value in e.interval


def test_without_variation_the_reason_is_that_of_the_folds():
    p = Predictions.of([1, 0] * 3, probability=[0.99, 0.01] * 3, fold=[0, 0, 0, 1, 1, 1], n_train=3)
    assert "no variation" in estimate(p, "probability_mae").why_no_interval


@pytest.mark.parametrize("way", [None, "folds(k=5)", "leave_one_out", "nested_cv(k=3, repeats=2)", "bootstrap(replicates=20)", "holdout"])  # fmt: skip
def test_a_loss_that_may_be_infinite_has_no_interval_where_a_class_was_called_impossible(way):
    """Shares of neighbours are 0 here and there: if that class happens there, the log loss of new cases is infinite."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((80, 2))
    y = (X[:, 0] > 0).astype(int)
    if way is None:
        p = Predictions.of([1, 0, 1, 0, 1, 0], probability=[1, 0, 0.8, 0.4, 0.9, 0.6])
    else:
        p = run({"it": KNeighborsClassifier(15)}, X, y, resampling=way, rng=1)
    table = evaluate(p, ["log_loss", "informational_loss", "log_loss(clip=0.001)", "brier"])
    assert np.isfinite(table["log_loss"].value)
    assert table["log_loss"].interval is None
    assert table["informational_loss"].interval is None
    assert "probability of 0" in table["log_loss"].why_no_interval
    assert "log_loss(clip=0.001) has an interval" in table["log_loss"].why_no_interval
    assert table["log_loss(clip=0.001)"].interval is not None
    assert table["brier"].interval is not None


def test_classes_that_are_possible_keep_the_interval_of_the_log_loss():
    p = Predictions.of([1, 0, 1, 0], probability=[0.999999, 0.2, 0.8, 0.4])
    assert evaluate(p, "log_loss")["log_loss"].interval is not None
