"""Estimates from resampled predictions against slow obvious twins, and what they say of themselves."""

import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeRegressor

import credibly
from credibly import Predictions, evaluate, run
from credibly.errors import MissingColumnError, UnknownNameError
from credibly.evaluation._declare import estimators, folds
from credibly.evaluation.bootstrap_estimators import plus
from credibly.intervals import fold_mean as mean_over_folds
from credibly.predictions.parts import all_rows
from credibly.resampling import bootstrap
from running.models import Memoriser

IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
BOOTSTRAP = [
    "oob",
    "oob_mean",
    "apparent",
    "632",
    "632_replicates",
    "632+",
    "optimism",
    "all_cases",
]


def one(p, measure, estimate, **options):
    (found,) = evaluate(p, measure, estimate=estimate, **options).estimates
    return found


def codes_of(table):
    return {f.code for f in table.all_findings()}


@pytest.fixture(scope="module")
def repeated():
    return run("naive-bayes", CANCER[0][:, :4], CANCER[1], resampling="5x4", rng=1)


@pytest.fixture(scope="module")
def drawn():
    """A bootstrap of a tree on few cases with three classes."""
    rows = np.arange(0, 150, 3)
    return run("tree(max_depth=2)", IRIS[0][rows, :2], IRIS[1][rows], resampling="bootstrap(replicates=25)", rng=1)  # fmt: skip


@pytest.fixture(scope="module")
def drawn_numbers():
    X, y = load_diabetes(return_X_y=True)
    return run(DecisionTreeRegressor(max_depth=3), X[:40], y[:40], resampling="bootstrap(replicates=20)", rng=1)  # fmt: skip


class TestFolds:
    def test_mean_over_folds(self, repeated):
        p = repeated
        e = one(p, "error_rate", "fold_mean", interval="corrected")
        parts = [(p.truth != p.label)[(p.repeat == r) & (p.fold == f)].mean() for r in range(5) for f in range(4)]  # fmt: skip
        assert e.values == pytest.approx(parts, abs=1e-15)
        want = mean_over_folds(p, "error_rate")
        assert (e.value, e.interval) == (want.mean, want.interval)
        assert e.interval.about == "training"
        assert e.n == len(CANCER[1])

    def test_plain_t_carries_a_caution_and_is_narrower(self, repeated):
        plain = one(repeated, "auc", "fold_mean", interval="t")
        wide = one(repeated, "auc", "fold_mean", interval="corrected")
        assert plain.interval.low > wide.interval.low
        assert [f.code for f in plain.findings] == ["dependent-folds"]
        assert not wide.findings

    def test_other_intervals_are_refused_with_a_reason(self, repeated):
        e = one(repeated, "auc", "fold_mean", interval="delong")
        assert e.interval is None
        assert "interval='corrected'" in e.why_no_interval

    def test_mean_of_means(self, repeated):
        e = one(repeated, "error_rate", "repeat_mean")
        want = [one(repeated.take(repeated.repeat == r), "error_rate", "fold_mean").value for r in range(5)]  # fmt: skip
        assert e.values == pytest.approx(want, abs=1e-15)
        assert e.value == pytest.approx(np.mean(want))
        assert "splitting" in e.why_no_interval

    def test_repeats_are_not_taken_for_new_cases(self):
        """The same predictions ten times over say no more than once."""
        rng = np.random.default_rng(0)
        y, s = rng.integers(0, 2, 80), rng.random(80)

        def times(k):
            return Predictions.of(
                np.tile(y, k),
                probability=np.tile(s, k),
                row=np.tile(np.arange(80), k),
                repeat=np.repeat(np.arange(k), 80),
                fold=np.zeros(80 * k, int),
                n_train=80,
            )

        for measure in ("brier", "auc", "error_rate"):
            two, ten = (one(times(k), measure, "pooled") for k in (2, 10))
            assert two.value == pytest.approx(ten.value)
            assert [ten.interval.low, ten.interval.high] == pytest.approx([two.interval.low, two.interval.high])  # fmt: skip
            assert two.n == ten.n == 80
            assert "80 cases predicted repeatedly" in two.interval.method
        single = one(times(1), "brier", "pooled").interval
        assert two.interval.high - two.interval.low > 0
        assert one(times(2), "brier", "pooled").interval.low == pytest.approx(single.low, rel=0.02)

    def test_both_are_shown_where_the_training_parts_are_known(self, repeated):
        table = evaluate(repeated, ["auc", "brier"])
        assert [e.keys["estimate"] for e in table.estimates] == ["fold_mean", "pooled"] * 2
        assert table.heading.startswith("2,845 predictions of 569 cases")
        bare = Predictions.of([0, 1] * 4, label=[0, 1] * 4, fold=[0] * 4 + [1] * 4)
        assert all("estimate" not in e.keys for e in evaluate(bare).estimates)

    def test_undefined_folds_are_counted(self):
        p = run("tree", *IRIS, resampling="folds(k=50, stratified=False)", rng=1)
        e = one(p, "auc", "fold_mean")
        assert e.value == np.nanmean(e.values)
        assert "left-out-folds" in {f.code for f in e.findings}
        assert math.isnan(one(p, "recall", "fold_mean").value)

    def test_functions_of_means_are_those_of_all_cases(self):
        y = IRIS[1] % 2
        p = run("tree", IRIS[0], y, resampling="10x10", rng=1)
        for name in ("f1", "mcc", "kappa", "recall"):
            e = evaluate(p, name)[name]
            assert (e.keys["estimate"], e.interval.about) == ("pooled", "training")

    def test_single_cases_are_pooled(self):
        p = run("naive-bayes", *CANCER, resampling="loo")
        table = evaluate(p, ["error_rate", "auc"])
        assert all("estimate" not in e.keys for e in table.estimates)
        assert "pooled-ranks" in {f.code for f in table["auc"].findings}
        assert not table["error_rate"].findings

    def test_a_rule_that_predicts_the_prior_has_an_area_of_0_left_one_out(self):
        p = run("zero-r", np.zeros((60, 1)), np.repeat([0, 1], 30), resampling="loo")
        assert one(p, "auc", "pooled").value == 0

    def test_pairs_left_out(self):
        X, y = CANCER[0][:24, :3], CANCER[1][:24]
        p = run("naive-bayes", X, y, resampling="leave_pair_out")
        e = evaluate(p, "auc")["auc"]
        assert e.keys["estimate"] == "pair_mean"
        won = []
        for f in range(int(p.fold.max()) + 1):
            s = p.probability[p.fold == f]
            up = s[p.truth[p.fold == f] == 1] - s[p.truth[p.fold == f] == 0]
            won.append(0.5 + 0.5 * np.sign(up[0]))
        assert e.value == pytest.approx(np.mean(won))
        assert e.interval.low < e.value < e.interval.high

    def test_folds_of_two_cases_are_not_all_pairs(self):
        X, y = CANCER[0][:40, :3], CANCER[1][:40]
        few = np.sort(np.concatenate([np.flatnonzero(y == side)[:4] for side in (0, 1)]))
        p = run("tree", X[few], y[few], resampling=4)
        assert [f.n for f in folds(p)] == [2] * 4
        assert not np.isnan(evaluate(p, "error_rate")["error_rate"].value)
        with pytest.raises(
            MissingColumnError, match="every pair of a positive and a negative case"
        ):
            evaluate(p, "auc", estimate="pair_mean")

    def test_a_single_split_is_judged_as_it_stands(self):
        table = evaluate(run("tree", *IRIS, resampling="holdout", rng=1), "error_rate")
        assert table["error_rate"].interval.method == "Wilson"

    def test_what_is_lacking_is_said(self):
        p = Predictions.of([0, 1], label=[0, 1])
        with pytest.raises(MissingColumnError, match="estimate='fold_mean' needs fold"):
            evaluate(p, "accuracy", estimate="fold_mean")
        with pytest.raises(MissingColumnError, match=r"estimate='632\+' needs row, repeat"):
            evaluate(p, "accuracy", estimate=".632+")
        with pytest.raises(
            UnknownNameError, match=r"There is no estimator 'fold_men'\. Did you mean"
        ):
            evaluate(p, "accuracy", estimate="fold_men")


def losses(p, measure):
    if measure == "mse":
        return (p.truth - p.value) ** 2
    return (p.truth != p.label).astype(float)


class Twin:
    """The bootstrap estimates case by case, for measures that are means of losses."""

    def __init__(self, p, measure):
        p = all_rows(p)
        loss = losses(p, measure)
        n, of_all = int(p.row.max()) + 1, p.repeat == -1
        self.apparent = loss[of_all].mean()
        self.out, self.samples, self.every = [], [], []
        by_case = [[] for _ in range(n)]
        for b in range(int(p.repeat.max()) + 1):
            mine = p.repeat == b
            bag = mine & (p.part == "train")
            out = mine & (p.part == "test")
            self.out.append(loss[out].mean())
            self.samples.append(np.average(loss[bag], weights=p.weight[bag]))
            self.every.append(loss[mine].mean())
            for row, value in zip(p.row[out], loss[out], strict=True):
                by_case[row].append(value)
        self.oob = np.mean([np.mean(v) for v in by_case if v])
        if measure == "mse":
            t, v = p.truth[of_all], p.value[of_all]
            self.gamma = np.mean((t[:, None] - v[None, :]) ** 2)
        else:
            t, v = p.truth[of_all], p.label[of_all]
            self.gamma = np.mean(t[:, None] != v[None, :])

    def values(self):
        b, a, c = self.oob, self.apparent, self.gamma
        rate = (min(b, c) - a) / (c - a) if min(b, c) > a and c > a else 0.0
        w = 0.632 / (1 - 0.368 * min(1.0, rate))
        return {
            "oob": b,
            "oob_mean": np.mean(self.out),
            "apparent": a,
            "632": 0.368 * a + 0.632 * b,
            "632_replicates": np.mean(0.368 * np.array(self.samples) + 0.632 * np.array(self.out)),
            "632+": (1 - w) * a + w * min(b, c),
            "optimism": a + np.mean(np.array(self.every) - np.array(self.samples)),
            "all_cases": np.mean(self.every),
        }


class TestBootstrap:
    @pytest.mark.parametrize("estimate", BOOTSTRAP)
    def test_labels(self, drawn, estimate):
        assert one(drawn, "error_rate", estimate).value == pytest.approx(
            Twin(drawn, "error_rate").values()[estimate], abs=1e-12
        )

    @pytest.mark.parametrize("estimate", BOOTSTRAP)
    def test_numbers(self, drawn_numbers, estimate):
        assert one(drawn_numbers, "mse", estimate).value == pytest.approx(
            Twin(drawn_numbers, "mse").values()[estimate], rel=1e-12
        )

    @pytest.mark.parametrize("estimate", BOOTSTRAP)
    def test_accuracy_is_one_minus_error(self, drawn, estimate):
        accuracy, error = (one(drawn, m, estimate).value for m in ("accuracy", "error_rate"))
        assert accuracy == pytest.approx(1 - error)

    def test_only_out_of_bag_has_an_interval(self, drawn):
        for estimate in BOOTSTRAP:
            e = one(drawn, "error_rate", estimate)
            assert (e.interval is not None) == (estimate == "oob"), estimate
            assert e.interval is not None or e.why_no_interval

    def test_auto_shows_out_of_bag_and_632_plus(self, drawn):
        table = evaluate(drawn, "error_rate")
        assert [e.keys["estimate"] for e in table.estimates] == ["oob", "632+"]
        assert "resubstitution" not in codes_of(table)

    def test_areas_are_averaged_over_replicates(self, drawn):
        oob, mean = (one(drawn, "auc", e).value for e in ("oob", "oob_mean"))
        assert oob == mean
        assert one(drawn, "auc", "632+").value <= one(drawn, "auc", "apparent").value

    @pytest.mark.thorough
    def test_one_nearest_neighbour_on_noise(self):
        """Efron and Tibshirani's case: the apparent error is 0, the true one a half; .632 is fooled."""
        rng = np.random.default_rng(3)
        found = {"632": [], "632+": [], "oob": []}
        for _ in range(12):
            X, y = rng.normal(size=(40, 5)), np.arange(40) % 2
            model = {"1-nn": KNeighborsClassifier(1)}
            p = run(model, X, y, resampling="bootstrap(replicates=30)", rng=rng)
            for e in evaluate(p, "error_rate", estimate=list(found), interval="none").estimates:
                found[e.keys["estimate"]].append(e.value)
        # The mean of twelve such errors has a standard error of about 0.03.
        assert np.mean(found["632+"]) == pytest.approx(0.5, abs=0.07)
        assert np.mean(found["632"]) == pytest.approx(0.316, abs=0.05)
        assert np.mean(found["oob"]) == pytest.approx(0.5, abs=0.07)

    def test_a_memoriser_is_named(self):
        rng = np.random.default_rng(0)
        X, y = np.arange(60.0)[:, None], rng.integers(0, 2, 60)
        p = run(Memoriser(), X, y, resampling="bootstrap(replicates=20)", rng=1)
        assert "memoriser" in codes_of(evaluate(p, "error_rate", estimate="632"))
        assert "memoriser" not in codes_of(evaluate(p, "error_rate", estimate="632+"))

    def test_weights_count_cases(self):
        """A case of weight 2 is two cases, as far as the same models judge them."""
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(30, 2)), np.arange(30) % 2
        w = rng.integers(1, 4, 30)
        p = run("naive-bayes", X, y, resampling="bootstrap(replicates=10)", rng=1, sample_weight=w, weight_kind="frequency")  # fmt: skip
        rows = all_rows(p)
        loss = (rows.truth != rows.label).astype(float)
        fits = [(loss[rows.repeat == b], w[rows.row[rows.repeat == b]]) for b in range(-1, 10)]
        apparent, *every = (np.average(each, weights=weight) for each, weight in fits)
        assert one(p, "error_rate", "apparent").value == pytest.approx(apparent)
        assert one(p, "error_rate", "all_cases").value == pytest.approx(np.mean(every))

    @pytest.mark.parametrize(
        ("inside", "outside", "chance", "want"),
        [
            (0.0, 0.5, 0.5, 0.5),  # no better than chance out of bag: all weight there
            (0.2, 0.2, 0.5, 0.2),  # no overfitting
            (0.3, 0.2, 0.5, 0.368 * 0.3 + 0.632 * 0.2),  # better out of bag than within
            (0.0, 0.7, 0.5, 0.5),  # worse than chance counts as chance
            (0.1, 0.3, 0.1, 0.1),  # chance no worse than the apparent error: no rate
        ],
    )
    def test_plus_keeps_its_rate_within_bounds(self, inside, outside, chance, want):
        assert plus(inside, outside, chance)[0] == pytest.approx(want)
        turned = plus(1 - inside, 1 - outside, 1 - chance, lower=False)
        assert turned[0] == pytest.approx(1 - want)


@pytest.mark.daily(suffix=["parquet"])
@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
def test_a_saved_run_gives_the_same_numbers(drawn, repeated, suffix, tmp_path):
    for p in (drawn, repeated):
        back = credibly.read(credibly.save(p, tmp_path / f"p.{suffix}"))
        wanted = [e.name for e in estimators if not e.needs(p)]
        want = evaluate(p, ["error_rate", "auc", "brier"], estimate=wanted)
        got = evaluate(back, ["error_rate", "auc", "brier"], estimate=wanted)
        assert len(want) >= 9
        for a, b in zip(want.estimates, got.estimates, strict=True):
            assert (a.keys, a.values, a.interval) == (b.keys, b.values, b.interval)
            assert a.value == b.value or (math.isnan(a.value) and math.isnan(b.value))
        if suffix == "parquet":
            assert want.findings == got.findings
            assert back.fingerprint == p.fingerprint


@pytest.mark.thorough
@pytest.mark.parametrize("measure", ["auc", "error_rate", "brier"])
def test_bootstrap_samples_given_as_a_list_are_replicates(measure):
    X, y = CANCER[0][:150, :4], CANCER[1][:150]
    declared = bootstrap(replicates=30).seeded(1)
    pairs = [(s.train, s.test) for s in declared.realise(len(y), y)]
    want = run("tree(max_depth=2)", X, y, resampling=declared, rng=1)
    given = run("tree(max_depth=2)", X, y, resampling=pairs, rng=1)
    # Files may number the replicates as folds of one repeat.
    single, seen = (
        replace(p, fold=np.maximum(p.repeat, 0), repeat=np.minimum(p.repeat, 0), cache={})
        for p in (given, given.seen)
    )
    single = replace(single, seen=seen)
    for estimate in ("oob", "632", "632+", "oob_mean", "optimism"):
        value = one(want, measure, estimate).value
        assert one(given, measure, estimate).value == value
        assert one(single, measure, estimate).value == pytest.approx(value, rel=1e-12)


def test_splitters_that_repeat_arrive_with_their_repeats():
    p = run("naive-bayes", *IRIS, resampling=RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=1))  # fmt: skip
    assert set(zip(p.repeat.tolist(), p.fold.tolist(), strict=True)) == {(r, f) for r in range(3) for f in range(4)}  # fmt: skip
    assert (np.bincount(p.repeat) == len(IRIS[1])).all()
