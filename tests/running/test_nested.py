"""Nested cross-validation and paired subsampling against plain loops written from the papers."""

import math
from dataclasses import replace
from itertools import combinations
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import credibly
from credibly import Predictions, compare, evaluate, run
from credibly.errors import DataError, MissingColumnError
from credibly.evaluation.nested_estimators import NestedError, NestedRows
from credibly.predictions.parts import all_rows
from credibly.resampling import nested_cv, paired_subsampling
from leaning import leaning, spread

DIABETES = tuple(a[:60] for a in load_diabetes(return_X_y=True))
CANCER = load_breast_cancer(return_X_y=True)
FEW = CANCER[0][::8, :3], CANCER[1][::8]
Z = NormalDist().inv_cdf(0.975)


def one(p, measure, estimate="nested_cv", **options):
    (found,) = evaluate(p, measure, estimate=estimate, **options).estimates
    return found


def on_log_scale(value, half, at=None):
    """Limits on the log scale; how wide they are there is seen at a value of which the error is known."""
    at = value if at is None else at
    return value / math.exp(half / at), value * math.exp(half / at)


def wilson_form(value, half, at):
    """Limits such that each lies as many of its own errors from the value: the roots of a square."""
    ratio = half**2 / (at * (1 - at))
    return sorted(np.roots([1 + ratio, -(2 * value + ratio), value**2]).real)


def no_narrower_than_over_cases(limits, p, measure):
    low, high = one(p, measure, "pooled").interval
    return min(limits[0], low), max(limits[1], high)


# --- the twins


def bates(fold_of, losses_of):
    """Algorithm 1 of Bates, Hastie and Tibshirani, in mlr3inferr's formulas: plain loops over splits.

    ``fold_of`` gives, by repeat, the fold of each case; ``losses_of(train, test)`` what a model costs.
    """
    a, b, inner, outer = [], [], [], []
    k = int(max(fold_of[0])) + 1
    n = len(fold_of[0])
    for fold in fold_of:
        for j in range(k):
            inside = []
            for i in range(k):
                if i != j:
                    train = np.flatnonzero((fold != i) & (fold != j))
                    inside += list(losses_of(train, np.flatnonzero(fold == i)))
            outside = list(losses_of(np.flatnonzero(fold != j), np.flatnonzero(fold == j)))
            a.append((np.mean(inside) - np.mean(outside)) ** 2)
            b.append(np.var(outside, ddof=1) / len(outside))
            inner += inside
            outer += outside
    mse = (k - 1) / k * (np.mean(a) - np.mean(b))
    low = np.std(inner, ddof=1) / math.sqrt(n)
    error = max(low, min(math.sqrt(max(0, mse)), low * math.sqrt(k)))
    bias = (1 + (k - 2) / k) * (np.mean(inner) - np.mean(outer))
    return np.mean(inner) - bias, error, np.mean(outer)


def folds_of(splits, k):
    """The fold of each case, by repeat, from the splits themselves."""
    found = {}
    for s in splits:
        if not s.inner:
            found.setdefault(s.repeat, np.zeros(splits.n, int))[s.test] = s.fold
    return list(found.values())


@pytest.mark.parametrize(("k", "repeats", "n"), [(5, 3, 60), (4, 2, 57), (3, 1, 30)])
def test_squared_errors_are_those_of_the_paper(k, repeats, n):
    X, y = DIABETES[0][:n, : n // 8], DIABETES[1][:n]

    def losses(train, test):
        return (LinearRegression().fit(X[train], y[train]).predict(X[test]) - y[test]) ** 2

    rule = nested_cv(k=k, repeats=repeats)
    value, error, of_folds = bates(folds_of(rule.realise(n, y, rng=3), k), losses)
    p = run(LinearRegression(), X, y, resampling=rule, rng=3, task="numeric")
    found = one(p, "mse")
    assert found.value == pytest.approx(value, rel=1e-9)
    assert found.interval.standard_error == pytest.approx(error, rel=1e-9)
    each = np.square(p.truth - p.value)
    each = np.bincount(p.row, each) / repeats
    limits = leaning(each, value, error * value / of_folds, spread(each)[1])
    expected = no_narrower_than_over_cases(limits, p, "mse")
    assert tuple(found.interval) == pytest.approx(expected, rel=1e-9)
    assert found.interval.about == "training"


def test_error_rates_are_those_of_the_paper():
    X, y = FEW
    rule = nested_cv(k=4, repeats=3)

    def losses(train, test):
        return GaussianNB().fit(X[train], y[train]).predict(X[test]) != y[test]

    value, error, of_folds = bates(folds_of(rule.realise(len(y), y, rng=1), 4), losses)
    p = run(GaussianNB(), X, y, resampling=rule, rng=1)
    found = one(p, "error_rate")
    assert found.value == pytest.approx(value, rel=1e-12)
    limits = wilson_form(value, stats.t.ppf(0.975, len(y) - 1) * error, of_folds)
    expected = no_narrower_than_over_cases(limits, p, "error_rate")
    assert tuple(found.interval) == pytest.approx(expected, rel=1e-9)
    right = one(p, "accuracy")
    assert right.value == pytest.approx(1 - value, rel=1e-12)
    assert right.interval.low == pytest.approx(1 - found.interval.high, rel=1e-9)


def slow_area(score, truth):
    pairs = [(score[i] > score[j]) + (score[i] == score[j]) / 2
             for i in np.flatnonzero(truth) for j in np.flatnonzero(~truth)]  # fmt: skip
    return np.mean(pairs)


def test_the_point_of_an_area_is_a_mean_of_areas_within_test_parts():
    p = run("naive-bayes", *FEW, resampling="nested_cv(k=3, repeats=2)", rng=1, positive=1)
    rows = all_rows(p)
    outer, inner, sizes = [], [], []
    for r in range(2):
        of_repeat = rows.take(rows.repeat == r)
        own = {row: f for row, f in zip(of_repeat.row, of_repeat.fold, strict=True) if f >= 0}
        for f in np.unique(of_repeat.fold):
            part = of_repeat.take(of_repeat.fold == f)
            folds = np.array([own[row] for row in part.row])
            for i in np.unique(folds):
                score, truth = part.probability[folds == i], part.truth[folds == i] == 1
                (outer if f >= 0 else inner).append(slow_area(score, truth))
                if f < 0:
                    sizes.append(truth.size)
    folds = [np.sum(p.take((p.repeat == r) & (p.fold == f)).n) for r in range(2) for f in range(3)]
    of_folds, of_inner = np.average(outer, weights=folds), np.average(inner, weights=sizes)
    expected = of_inner - (1 + 1 / 3) * (of_inner - of_folds)
    assert one(p, "auc").value == pytest.approx(expected, rel=1e-9)
    assert one(p, "auc").interval.low < one(p, "auc").value < one(p, "auc").interval.high


def test_conservative_z_is_that_of_nadeau_and_bengio():
    X, y = DIABETES
    rule = paired_subsampling(test=0.1, repeats=4, pairs=3)
    splits = rule.realise(len(y), y, rng=2)

    def error(s):
        fit = LinearRegression().fit(X[s.train], y[s.train])
        return np.mean((fit.predict(X[s.test]) - y[s.test]) ** 2)

    means = [np.mean([error(s) for s in splits[i : i + 4]]) for i in range(0, len(splits), 4)]
    squares = [(means[1 + 2 * i] - means[2 + 2 * i]) ** 2 for i in range(3)]
    sigma = math.sqrt(np.mean(squares) / 2)
    p = run(LinearRegression(), X, y, resampling=rule, rng=2, task="numeric")
    found = one(p, "mse", "conservative_z")
    assert found.value == pytest.approx(means[0], rel=1e-9)
    assert found.interval.standard_error == pytest.approx(sigma, rel=1e-9)
    limits = on_log_scale(means[0], stats.t.ppf(0.975, p.cases - 1) * sigma)
    expected = no_narrower_than_over_cases(limits, p, "mse")
    assert tuple(found.interval) == pytest.approx(expected, rel=1e-9)


def test_halves_share_no_case_and_test_parts_are_of_one_size():
    splits = paired_subsampling(repeats=3, pairs=2).realise(81, [0, 1, 1] * 27, rng=1)
    assert {s.test.size for s in splits} == {8}
    held = {}
    for s in splits:
        if s.inner:
            held.setdefault(s.repeat, set()).update([*s.train, *s.test])
    first, second, third, fourth = (held[r] for r in sorted(held))
    assert len(first | second) == len(third | fourth) == 81
    assert not first & second
    assert not third & fourth


def test_too_few_rows_for_halves_are_refused_with_how_many_would_do():
    with pytest.raises(DataError, match=r"of 6 rows, half are 3 and a test part 2.* 10 rows"):
        paired_subsampling(test=0.34).realise(6, rng=1)


# --- what holds whatever the numbers


def made(rng, k, repeats, n, p=0.3):
    """Predictions as nested cross-validation of labels would leave them, right by chance."""
    columns = {c: [] for c in ("row", "repeat", "fold", "part")}
    for r in range(repeats):
        fold = rng.permutation(np.arange(n) % k)
        parts = [((j,), j, "test") for j in range(k)]
        parts += [(pair, -1 - i, "inner") for i, pair in enumerate(combinations(range(k), 2))]
        for members, number, part in parts:
            rows = np.flatnonzero(np.isin(fold, members))
            columns["row"] += rows.tolist()
            columns["repeat"] += [r] * rows.size
            columns["fold"] += [number] * rows.size
            columns["part"] += [part] * rows.size
    truth = rng.normal(size=n)[columns["row"]]
    value = truth + rng.normal(size=truth.size) + p * rng.normal(size=n)[columns["row"]]
    return {"y_true": truth, "value": value, **columns, "n_train": 1}


@given(st.integers(3, 6), st.integers(1, 3), st.integers(12, 25), st.integers(0, 10**6))
def test_the_error_lies_between_the_naive_one_and_root_k_times_it(k, repeats, n, seed):
    p = Predictions.of(**made(np.random.default_rng(seed), k, repeats, n))
    found = NestedRows.of(p)
    q = credibly.intervals._declare.EstimateRequest(credibly.measures.measures["mse"], p)
    made_of = NestedError.of(found, found.values(q), found.moves(q))
    inner = np.square(p.seen.value - p.seen.truth)
    naive = inner.std(ddof=1) / math.sqrt(n)
    assert 1 <= made_of.inflation <= math.sqrt(k)
    assert made_of.error == pytest.approx(made_of.inflation * naive, rel=1e-9)
    assert found.judged.n == repeats * n
    assert found.inner.n == repeats * n * (k - 1)


@given(st.integers(0, 10**6))
def test_the_order_of_rows_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    columns = made(rng, 4, 2, 14)
    order = rng.permutation(len(columns["row"]))
    mixed = {c: v if np.isscalar(v) else np.asarray(v)[order] for c, v in columns.items()}
    for measure in ("mse", "rmse", "correlation"):
        here, there = (one(Predictions.of(**c), measure) for c in (columns, mixed))
        assert here.value == pytest.approx(there.value, rel=1e-9)
        assert tuple(here.interval) == pytest.approx(tuple(there.interval), rel=1e-9)


def test_frequencies_count_cases_repeatedly():
    columns = made(np.random.default_rng(1), 3, 2, 12)
    times = np.array([1, 2, 3] * 4)[columns["row"]]
    counted = Predictions.of(**columns, sample_weight=times, weight_kind="frequency")
    again = {c: v if np.isscalar(v) else np.repeat(v, times) for c, v in columns.items()}
    copy = np.concatenate([np.arange(t) for t in times])
    again["row"] = again["row"] * 10 + copy
    for measure in ("mse", "rmse"):
        a, b = one(counted, measure), one(Predictions.of(**again), measure)
        assert a.value == pytest.approx(b.value, rel=1e-9)
        assert a.interval.standard_error == pytest.approx(b.interval.standard_error, rel=1e-3)


# --- doors


@pytest.fixture(scope="module")
def nested():
    return run(["naive-bayes", "tree(max_depth=2)"], *FEW, resampling="nested_cv(k=3, repeats=2)", rng=1)  # fmt: skip


def test_what_is_judged_is_ordinary_cross_validation(nested):
    plain = run(["naive-bayes", "tree(max_depth=2)"], *FEW, resampling="2x3", rng=1)
    for estimate in ("fold_mean", "pooled"):
        a, b = (evaluate(p, "brier", estimate=estimate) for p in (nested, plain))
        assert [e.value for e in a.estimates] == [e.value for e in b.estimates]
        assert [e.interval for e in a.estimates] == [e.interval for e in b.estimates]
    assert nested.n == plain.n


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_saved_and_read_back_it_gives_the_same_numbers(nested, suffix, tmp_path):
    back = credibly.read(credibly.save(nested, tmp_path / f"p.{suffix}"))
    assert back.seen.n == nested.seen.n
    here, there = (evaluate(p, ["error_rate", "auc"]) for p in (nested, back))
    assert [e.value for e in here.estimates] == pytest.approx([e.value for e in there.estimates])
    for a, b in zip(here.estimates, there.estimates, strict=True):
        assert tuple(a.interval) == pytest.approx(tuple(b.interval))


def test_it_is_the_headline_and_says_what_it_is_about(nested):
    table = evaluate(nested, "error_rate")
    found = table.where(model="naive-bayes", estimate="nested_cv")[0]
    assert found.is_headline
    assert found.interval.method.startswith("nested cross-validation")
    assert "these ways of learning with new training sets" in str(table)
    assert "left-out" not in {f.code for f in table.all_findings()}


def error_over_groups(p, k):
    """The twin: groups for cases, by loops over repeats, folds and groups."""
    rows = all_rows(p)
    loss, off, naive = (rows.value - rows.truth) ** 2, [], []
    for r in sorted(set(rows.repeat.tolist())):
        own = {c: f for c, f, t in zip(rows.row, rows.fold, rows.repeat, strict=True) if t == r and f >= 0}  # fmt: skip
        fold = np.array([own[c] for c in rows.row])
        test = (rows.repeat == r) & (rows.fold >= 0)
        centre = loss[rows.fold >= 0].mean()
        sums = [((loss - centre) * (test & (rows.group == g))).sum() for g in set(rows.group[test])]
        spread = np.var(sums, ddof=1)
        for j in range(k):
            out = test & (fold == j)
            models = {f for c, f, t in zip(rows.row, rows.fold, rows.repeat, strict=True) if t == r and f < 0 and own[c] == j}  # fmt: skip
            inside = (rows.repeat == r) & np.isin(rows.fold, list(models)) & (fold != j)
            held = len(set(rows.group[out]))
            off.append(
                (loss[inside].mean() - loss[out].mean()) ** 2 - spread * held / out.sum() ** 2
            )
            about = loss[(rows.fold < 0)].mean()
            within = [((loss - about) * (inside & (rows.group == g))).sum() for g in set(rows.group[inside])]  # fmt: skip
            naive.append(np.var(within, ddof=1) / inside.sum() ** 2)
    groups = len(set(rows.group))
    low = math.sqrt(np.mean(naive) * (groups * (k - 1) / k) ** 2 / groups)
    high = math.sqrt(max(0, (k - 1) / k * np.mean(off)))
    return min(max(high, low), low * math.sqrt(k))


def test_groups_stand_for_cases_where_these_come_in_groups():
    X, y = DIABETES[0][:, :3], DIABETES[1]
    groups = np.repeat(np.arange(12), 5)
    rule = "grouped_nested_cv(k=3, repeats=2)"
    p = run("linear", X, y, resampling=rule, rng=1, groups=groups)
    found = one(p, "mse").interval
    assert found.standard_error == pytest.approx(error_over_groups(p, 3), rel=1e-6)
    for repeat in range(2):
        for g in range(12):
            assert len(set(p.fold[(p.repeat == repeat) & (p.group == g)].tolist())) == 1


def test_groups_of_one_case_are_cases():
    X, y = DIABETES[0][:, :3], DIABETES[1]
    rule = nested_cv(k=4, repeats=3)
    plain = run("linear", X, y, resampling=rule, rng=1)
    grouped = replace(plain, group=plain.row, seen=replace(plain.seen, group=plain.seen.row), cache={})  # fmt: skip
    a, b = (one(p, "mse").interval.standard_error for p in (plain, grouped))
    assert a == pytest.approx(b, rel=0.1)


def test_folds_that_cut_through_groups_and_order_in_time_are_refused():
    X, y = DIABETES[0][:, :3], DIABETES[1]
    p = run("linear", X, y, resampling=nested_cv(k=3, repeats=1), rng=1)
    halves = replace(p, group=p.row // 2, seen=replace(p.seen, group=p.seen.row // 2), cache={})
    assert "grouped_nested_cv" in one(halves, "mse").why_no_interval
    timed = replace(p, design=replace(p.design, in_time=True), cache={})
    assert "time_ordered" in one(timed, "mse").why_no_interval


def test_areas_of_folds_without_a_class_are_means_over_the_others():
    y = np.zeros(30, int)
    y[:2] = 1
    X = np.random.default_rng(1).normal(size=(30, 2))
    p = run("naive-bayes", X, y, resampling="nested_cv(k=5, repeats=1)", rng=1)
    found = one(p, "auc")
    assert found.value == np.nanmean(one(p, "auc", "fold_mean").values)
    assert "undefined-folds" in {f.code for f in found.findings}


def test_an_unfinished_repeat_does_not_count(nested):
    p = nested.where(model="naive-bayes")
    gone = p.seen.take(~((p.seen.repeat == 1) & (p.seen.fold == -2)))
    assert NestedRows.of(replace(p, seen=gone, cache={})).repeats == 1
    assert NestedRows.of(replace(p, seen=gone.take(gone.repeat == 1), cache={})) is None


def test_a_correction_beyond_the_range_is_not_made():
    X, y = (a[:30] for a in DIABETES)  # ten columns, and ten rows for inner models
    p = run(LinearRegression(), X, y, resampling=nested_cv(k=3, repeats=1), rng=3, task="numeric")
    found = one(p, "mse")
    assert found.value == pytest.approx(np.mean((p.value - p.truth) ** 2))
    assert "uncorrected" in {f.code for f in found.findings}


def test_few_repeats_are_told():
    columns = made(np.random.default_rng(5), 3, 1, 30, p=3)
    table = evaluate(Predictions.of(**columns), "mse", estimate="nested_cv")
    (said,) = [f for f in table.all_findings() if f.code == "unsettled-error"]
    assert "nested_cv(k=3, repeats=5)" in str(said)


def hardly_an_error(seed, n=40):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 3)) + 2.6 * y[:, None], y


@pytest.mark.parametrize("rule", ["nested_cv(k=10, repeats=2)", "paired_subsampling(repeats=5)"])
@pytest.mark.thorough
def test_limits_do_not_explode_where_there_is_hardly_an_error(rule):
    for seed in range(4):
        p = run("naive-bayes", *hardly_an_error(seed), resampling=rule, rng=seed)
        found = evaluate(p, "error_rate")["error_rate"]
        over_cases = one(p, "error_rate", "pooled").interval
        assert found.value in found.interval
        assert found.interval.high < 0.5
        assert found.interval.high >= over_cases.high


@pytest.mark.parametrize("rule", ["nested_cv(k=4, repeats=2)", "paired_subsampling(repeats=4)"])
@pytest.mark.parametrize("scale", [1e-160, 1e160])
def test_intervals_follow_the_unit_of_the_target(rule, scale):
    X, y = DIABETES
    one_, other = (
        evaluate(run("zero-r", X, s * y, resampling=rule, rng=1, task="numeric"), "mae")["mae"]
        for s in (1, scale)
    )
    assert tuple(v / scale for v in other.interval) == pytest.approx(tuple(one_.interval), rel=1e-6)


@pytest.mark.parametrize("rule", ["nested_cv(k=3, repeats=2)", "paired_subsampling(repeats=4)"])
@pytest.mark.parametrize("weight", [1e-12, 1e12])
@pytest.mark.daily
def test_equal_weights_of_any_size_make_no_difference(rule, weight):
    X, y = DIABETES
    plain, weighted = (
        evaluate(
            run("linear", X[:, :3], y, resampling=rule, rng=1, task="numeric", **how), "mae"
        )["mae"]
        for how in ({}, {"sample_weight": np.full(60, weight), "weight_kind": "importance"})
    )  # fmt: skip
    assert weighted.value == pytest.approx(plain.value, rel=1e-9)
    assert tuple(weighted.interval) == pytest.approx(tuple(plain.interval), rel=1e-6)


@pytest.mark.parametrize("rule", ["nested_cv(k=3, repeats=1)", "paired_subsampling(repeats=2)"])
def test_counts_that_grow_with_the_cases_are_refused(rule):
    p = run("naive-bayes", *FEW, resampling=rule, rng=1, positive=1)
    for measure in ("false_positives", "concordant_pairs"):
        assert "grows with the number of cases" in evaluate(p, measure)[measure].why_no_interval


def test_an_average_precision_does_not_grow():
    p = run("naive-bayes", *FEW, resampling="nested_cv(k=3, repeats=1)", rng=1, positive=1)
    found = one(p, "average_precision")
    assert found.interval.low < found.value < found.interval.high


# --- Wald intervals of one cross-validation


def test_wald_intervals_are_those_of_bayle_and_others():
    X, y = DIABETES
    p = run(LinearRegression(), X[:57], y[:57], resampling="5", rng=1, task="numeric")
    loss = (p.value - p.truth) ** 2
    within = np.mean([loss[p.fold == f].var(ddof=1) for f in range(5)])
    for method, variance in (("within_fold", within), ("all_pairs", loss.var())):
        found = one(p, "mse", "pooled", interval=method).interval
        error = math.sqrt(variance / 57)
        assert found.standard_error == pytest.approx(error, rel=1e-9)
        assert tuple(found) == pytest.approx(on_log_scale(loss.mean(), Z * error), rel=1e-9)
        assert found.about == "models"


def test_wald_intervals_of_an_area_go_by_influence_values():
    p = run("naive-bayes", *FEW, resampling="4", rng=1, positive=1)
    usual = one(p, "auc", "pooled").interval.standard_error
    for method in ("within_fold", "all_pairs"):
        assert one(p, "auc", "pooled", interval=method).interval.standard_error == pytest.approx(
            usual, rel=0.15
        )


def test_wald_intervals_refuse_repeats_groups_and_what_has_no_folds(nested):
    p = nested.where(model="naive-bayes")
    assert "predicted once" in one(p, "brier", "pooled", interval="all_pairs").why_no_interval
    plain = Predictions.of([1, 0, 1], label=[1, 1, 0])
    assert "fold" in one(plain, "error_rate", "pooled", interval="within_fold").why_no_interval


# --- differences


def test_a_difference_is_a_mean_of_differences_of_losses(nested):
    """The twin of one model serves the difference of two."""
    X, y = FEW
    models = GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0)
    rule = nested_cv(k=4, repeats=3)

    def losses(train, test):
        wrong = [m.fit(X[train], y[train]).predict(X[test]) != y[test] for m in models]
        return wrong[0] * 1.0 - wrong[1]

    value, error, _ = bates(folds_of(rule.realise(len(y), y, rng=1), 4), losses)
    p = run(dict(zip("ab", models, strict=True)), X, y, resampling=rule, rng=1)
    result = compare(p, measure="error_rate", test="nested_cv")
    assert result.names == ("a", "b")
    assert result.difference == pytest.approx(value, rel=1e-9)
    cases = compare(p, measure="error_rate", test="widened_t").parameters
    freedom = len(y) - 1
    if cases["standard_error"] > error:  # it is no smaller than over cases
        error, freedom = cases["standard_error"], cases["freedom"]
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(value) / error, freedom), rel=1e-6)
    half = stats.t.ppf(0.975, freedom) * error
    assert tuple(result.confidence_interval) == pytest.approx((value - half, value + half))
    assert result.about == "training"
    assert compare(p, measure="error_rate").test == "nested_cv"
    assert compare(p, measure="auc").difference == pytest.approx(
        np.subtract(*[e.value for e in evaluate(p, "auc", estimate="nested_cv").estimates])
    )


def test_a_difference_by_conservative_z():
    rule = paired_subsampling(repeats=3, pairs=4)
    p = run(["naive-bayes", "tree(max_depth=1)"], *FEW, resampling=rule, rng=1)
    parts = {}
    rows = all_rows(p)
    for keys, part in rows.groups(["repeat", "fold"]):
        wrong = [np.mean(part.where(model=m).label != part.where(model=m).truth) for m in ("naive-bayes", "tree(max_depth=1)")]  # fmt: skip
        parts[keys["repeat"], keys["fold"]] = wrong[0] - wrong[1]
    means = [np.mean([parts[r, 0] for r in range(3)])]
    means += [np.mean([parts[r, f] for f in (-1, -2, -3)]) for r in range(3, 11)]
    error = math.sqrt(np.mean(np.square(np.subtract(means[1::2], means[2::2]))) / 2)
    result = compare(p, measure="error_rate")
    assert result.test == "conservative_z"
    assert result.difference == pytest.approx(means[0])
    assert result.parameters["standard_error"] == pytest.approx(error)


def test_models_of_other_inner_splits_are_not_compared():
    one_, other = (run("naive-bayes", *FEW, resampling="nested_cv(k=3, repeats=1)", rng=1) for _ in "ab")  # fmt: skip
    gone = other.seen.take(np.arange(1, other.seen.n))
    with pytest.raises(DataError, match="not fitted on the same inner splits"):
        compare(one_, replace(other, seen=gone, cache={}), "error_rate", test="nested_cv")


def test_a_test_by_inner_splits_says_what_is_lacking():
    p = run(["naive-bayes", "zero-r"], *FEW, resampling="3", rng=1)
    with pytest.raises(MissingColumnError, match="inner splits of resampling='nested_cv'"):
        compare(p, measure="error_rate", test="nested_cv")


def test_several_models_are_compared_by_pairs(nested):
    three = run(["naive-bayes", "tree(max_depth=2)", "zero-r"], *FEW, resampling="nested_cv(k=3, repeats=2)", rng=1)  # fmt: skip
    found = compare(three, measure="error_rate")
    assert len(found.results) == 3
    assert {r.test for r in found.results} == {"nested_cv"}


def test_models_without_two_folds_show_how_stable_learning_is():
    """The squared move of a case counts k - 2 times in the variance; the value is that of the folds alone."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(120, 4))
    y = X.sum(axis=1) + rng.normal(size=120)
    plain, paired = (
        run("linear-regression", X, y, resampling=f"folds(k=6{more})", rng=2)
        for more in ("", ", pairs=3")
    )
    one, other = (evaluate(p, "mse")["mse"] for p in (plain, paired))
    assert other.value == one.value
    inner = paired.seen
    assert sorted(inner.row.tolist()) == list(range(120))
    again = inner.value[np.argsort(inner.row)]
    held = paired.value[np.argsort(paired.row)]
    before, after = np.square(y - held), np.square(y - again)
    middle = (before.mean() + after.mean()) / 2
    factor = np.sqrt(1 + 4 * np.square(after - before).sum() / np.square(before - middle).sum())
    assert f"widened error over cases, {factor:.3g} times" in other.interval.method
    assert 1 < factor < 1.2 < 1.25
    # by how closely the scheme follows its rows
    assert one.interval.method.startswith("widened error over cases, 1.04 times")


def test_labels_that_stay_count_as_such_in_models_without_two_folds():
    """What mostly stays and sometimes jumps adds a fifth of what moves in every training set."""
    rng = np.random.default_rng(6)
    X = rng.normal(size=(100, 3))
    y = (X.sum(axis=1) + rng.normal(size=100) > 0).astype(int)
    p = run("lda", X, y, resampling="folds(k=10, pairs=5)", rng=1)
    held, again = (q.label[np.argsort(q.row)] for q in (p, p.seen))
    wrong, other = held != y, again != y
    jumps = np.count_nonzero(wrong != other)
    assert 0 < jumps < 10
    middle = (wrong.mean() + other.mean()) / 2
    ties = 1 - jumps / 100
    added = (1 - ties + 0.2 * ties) * 8 * jumps / np.square(wrong - middle).sum()
    method = evaluate(p, "error_rate")["error_rate"].interval.method
    assert f"widened error over cases, {np.sqrt(1 + added):.3g} times" in method


def test_an_infinite_loss_is_infinite_after_nested_cross_validation_too():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + rng.normal(size=60) > 0).astype(int)
    p = credibly.run("knn(k=3)", X, y, resampling="nested_cv(k=5, repeats=2)", rng=1)
    found = credibly.evaluate(p, "log_loss")["log_loss"]
    assert found.value == np.inf
    assert [f.code for f in found.findings] == ["infinite-loss"]
