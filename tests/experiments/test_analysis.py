"""The analysis of an experiment from its results alone: marks, ranks, chances, gaps, times."""

import json
import math
from contextlib import closing

import numpy as np
import pytest
from scipy import stats

import credibly
from credibly.comparisons import DatasetTable, FoldValues, comparisons
from credibly.comparisons.ranking import Ranking
from credibly.errors import DataError, ParameterError
from credibly.experiments import Results, analyse

SHIFTS = {"zero": 0.0, "tree": 0.12, "bayes": 0.1, "near": 0.11}


def results(shifts=SHIFTS, datasets=6, repeats=2, folds=5, seed=1, drop=lambda *_: False, **more):
    """Accuracies and what goes with them; ``drop`` says which cells failed."""
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(datasets):
        level = rng.uniform(0.5, 0.8)
        for r in range(repeats):
            for f in range(folds):
                together = rng.normal(0, 0.02)
                for s, shift in shifts.items():
                    value = level + shift + together + rng.normal(0, 0.02)
                    failed = drop(f"data{d}", s, r, f)
                    rows.append((f"data{d}", s, r, f, math.nan if failed else value, failed))
    dataset, scheme, repeat, fold, value, failed = map(list, zip(*rows, strict=True))
    given = {
        "n_train": 90,
        "n_test": 10,
        "fit_seconds": 0.5,
        "predict_seconds": 0.1,
        "status": ["error" if f else "done" for f in failed],
        **more,
    }
    values = {"accuracy": np.array(value), "error_rate": 1 - np.array(value)}
    return Results.of(dataset, scheme, values, repeat=repeat, fold=fold, **given)


def folds_of(r, dataset, scheme, measure="accuracy"):
    return r.where(dataset=dataset, scheme=scheme).values[measure]


def test_the_best_on_each_dataset_and_what_it_is_worth():
    r = results(datasets=2)
    analysis = analyse(r, "error_rate")
    assert [c.dataset for c in analysis.choices] == [*r.datasets]
    for c in analysis.choices:
        means = {s: folds_of(r, c.dataset, s, "error_rate").mean() for s in r.schemes}
        assert c.best.naive.value == pytest.approx(min(means.values()))
        assert c.best.corrected.value >= c.best.naive.value
        assert c.best.method == "tibshirani"
    told = json.loads(analysis.to_json())["choices"][0]
    assert told["corrected"]["value"] == analysis.choices[0].best.corrected.value
    assert told["dataset"] == "data0"
    assert not analyse(r, "fit_seconds").choices


def test_predictions_judge_the_choice_by_cases():
    rng = np.random.default_rng(3)
    truth, fold = rng.integers(0, 2, 60), np.arange(60) % 5
    labels = {s: np.where(rng.random(60) < 0.3, 1 - truth, truth) for s in ("a", "b", "c")}
    p = {s: credibly.Predictions.of(truth, label=x, fold=fold, row=range(60), n_train=48) for s, x in labels.items()}  # fmt: skip
    wrong = {s: [(x != truth)[fold == k].mean() for k in range(5)] for s, x in labels.items()}
    columns = [[v for s in wrong for v in wrong[s]], ["a"] * 5 + ["b"] * 5 + ["c"] * 5]
    r = Results.of(["d"] * 15, columns[1], {"error_rate": columns[0]}, fold=[*range(5)] * 3, n_train=48, n_test=12)  # fmt: skip
    joined = credibly.Predictions.joined(p)
    best = analyse(r, predictions={"d": joined}).choices[0].best
    want = credibly.best_of(joined, "error_rate", rng=1)
    assert best.method == "bbc"
    assert best.corrected == want.corrected


# --- on each dataset ------------------------------------------------------------------------------


def test_lower_is_better_for_errors():
    r = results()
    accuracy, error = (analyse(r, m, base="zero") for m in ("accuracy", "error_rate"))
    for d in r.datasets:
        for s in r.schemes[1:]:
            assert accuracy.verdict(d, s) == error.verdict(d, s) == "better"
            assert accuracy.pvalue(d, s) == pytest.approx(error.pvalue(d, s), rel=1e-9)
    turned = analyse(r, "error_rate", base="tree")
    assert {turned.verdict(d, "zero") for d in r.datasets} == {"worse"}
    assert "(lower is better)" in error.heading


def test_estimates_are_means_over_splits_with_the_corrected_interval():
    r = results()
    analysis = analyse(r)
    e = analysis.estimates.where(dataset="data2", scheme="tree", measure="accuracy")[0]
    values = folds_of(r, "data2", "tree")
    half = stats.t.ppf(0.975, 9) * math.sqrt((1 / 10 + 1 / 9) * values.var(ddof=1))
    assert e.value == pytest.approx(values.mean(), rel=1e-14)
    assert (e.interval.low, e.interval.high) == pytest.approx(
        (values.mean() - half, values.mean() + half), rel=1e-12
    )
    assert e.interval.about == "training"
    assert e.n == 10


def test_the_overlap_is_that_of_all_parts_together():
    """214 rows in ten folds: parts of 21 and 22, and yet a ninth of what was trained on, as in Weka."""
    tested = np.array([22] * 4 + [21] * 6)
    r = Results.of(
        ["glass"] * 20,
        ["a"] * 10 + ["b"] * 10,
        {"accuracy": np.random.default_rng(1).random(20)},
        fold=list(range(10)) * 2,
        n_train=np.tile(214 - tested, 2),
        n_test=np.tile(tested, 2),
    )
    assert analyse(r).grid.tables["glass"].test_train_ratio == pytest.approx(1 / 9, rel=1e-15)


def test_ties_are_no_wins():
    r = results({"a": 0.0, "b": 0.0}, drop=lambda *_: False)
    same = {m: v.copy() for m, v in r.values.items()}
    for v in same.values():
        v[1::2] = v[::2]  # b is a
    r = Results.of(r.dataset, r.scheme, same, repeat=r.repeat, fold=r.fold, n_train=90, n_test=10)
    analysis = analyse(r)
    assert analysis.wins.counts("b", "a") == (0, 6, 0)
    assert {analysis.pvalue(d, "b") for d in r.datasets} == {1.0}
    assert [o.average_rank for o in analysis.overviews] == [1.5, 1.5]
    assert analysis.over_datasets.pvalue == 1


def test_means_that_differ_by_rounding_alone_are_tied():
    """The same errors in other folds: their means differ in the last digit."""
    folds = [[0.1, 0.2, 0.3, 0.7, 0.1], [0.1, 0.2, 0.3, 0.1, 0.7], [0.4] * 5]
    assert len({np.mean(f) for f in folds}) == 3
    r = Results.of(
        np.repeat(["x", "y"], 15), list("aaaaabbbbbccccc") * 2,
        {"error_rate": np.tile(np.ravel(folds), 2)}, fold=list(range(5)) * 6,
    )  # fmt: skip
    assert [o.average_rank for o in analyse(r).overviews] == [1.5, 1.5, 3]


def test_the_base_is_the_first_scheme_or_the_one_named():
    r = results()
    assert analyse(r).base == "zero"
    assert analyse(r, base="near").schemes[0] == "near"
    with pytest.raises(
        ParameterError, match=r"base must be one of the schemes .*Did you mean tree"
    ):
        analyse(r, base="tre")


def test_a_measure_goes_by_all_its_names():
    r = results()
    assert analyse(r, "success_rate").measure == "accuracy"
    with pytest.raises(ParameterError, match="no 'auc' in these results; available: accuracy"):
        analyse(r, "auc")


def test_times_are_compared_like_errors():
    seconds = np.where(np.arange(240) % 4 == 1, 2.0, 1.0) + np.random.default_rng(1).random(240) / 9
    analysis = analyse(results(fit_seconds=seconds), "fit_seconds", base="zero")
    assert {analysis.verdict(d, "tree") for d in analysis.grid.datasets} == {"worse"}
    assert analysis.direction == "lower"


def test_what_never_finished_is_not_fast():
    """A store notes 0 seconds for a fit that failed or was ended."""
    seconds = np.where(np.arange(240) % 4 == 3, 0.0, 1.0) + np.random.default_rng(1).random(240) / 9
    r = results(drop=lambda _dataset, scheme, *_split: scheme == "near", fit_seconds=seconds)
    assert np.isnan(r.where(scheme="near").fit_seconds).all()
    analysis = analyse(r, "fit_seconds", base="zero")
    assert {g.scheme for g in analysis.grid.gaps if g.missing} == {"near"}
    assert np.isnan(analysis.grid.means[:, analysis.grid.schemes.index("near")]).all()


def test_mean_times_are_shown():
    times = analyse(results()).times
    assert {(e.title, e.value) for e in times.estimates} == {
        ("Seconds to fit", 0.5),
        ("Seconds to predict", 0.1),
    }
    assert all(e.interval is None for e in times.estimates)
    assert analyse(results(fit_seconds=np.nan, predict_seconds=np.nan)).times is None


def test_another_test_may_be_asked_for():
    r = results(repeats=5, folds=2, n_train=50, n_test=50)
    found = analyse(r, test="five_by_two_t", base="zero").pvalue("data0", "tree")
    pair = FoldValues(folds_of(r, "data0", "tree"), folds_of(r, "data0", "zero"), repeats=5)
    assert found == comparisons["five_by_two_t"](pair).pvalue
    for test in ("unpaired_t", "bayesian_correlated_t", "mcnemar"):
        with pytest.raises(ParameterError, match="not a test of a difference over splits"):
            analyse(r, test=test)


# --- over datasets --------------------------------------------------------------------------------


def test_ranks_are_those_of_the_means():
    analysis = analyse(results(), "error_rate", correction="holm")
    means = DatasetTable(
        analysis.grid.means, analysis.schemes, measure_name="error_rate", direction="lower"
    )
    expected = credibly.compare(means, correction="holm")
    assert isinstance(analysis.ranking, Ranking)
    assert analysis.ranking.average_ranks == expected.average_ranks
    assert analysis.ranking.whole.pvalue == expected.whole.pvalue
    assert analysis.ranking.rows() == expected.rows()
    best = analysis.overviews[0]
    assert best.scheme == "tree"
    assert best.interval.about == "datasets"
    assert (best.wins, best.losses) == analysis.wins.standing("tree")


def test_two_schemes_are_compared_by_signed_ranks():
    analysis = analyse(results({"a": 0, "b": 0.1}))
    assert analysis.over_datasets.test == "wilcoxon"
    assert analysis.ranking is None
    assert "Wilcoxon" in str(analysis)


def test_chances_know_the_direction():
    r = results()
    better = analyse(r, "error_rate", base="zero", rope=0.01, rng=1)
    chance = next(c for c in better.chances if (c.dataset, c.scheme) == ("data0", "tree"))
    pair = FoldValues(
        folds_of(r, "data0", "tree", "error_rate"),
        folds_of(r, "data0", "zero", "error_rate"),
        test_train_ratio=1 / 9,
    )
    p = comparisons["bayesian_correlated_t"](pair, rope=0.01).probabilities
    assert (chance.better, chance.alike, chance.worse) == pytest.approx(
        (p["first lower"], p["no difference"], p["first higher"]), abs=1e-12
    )
    over = [c for c in better.chances if not c.dataset]
    assert [c.scheme for c in over] == ["tree", "bayes", "near"]
    assert all(c.better > 0.9 for c in over)
    assert not [c for c in analyse(r, base="zero").chances if not c.dataset]  # needs a seed


def test_a_base_that_ranks_leave_out_has_no_chances_over_datasets():
    r = results(drop=lambda d, s, *_: (d, s) == ("data1", "zero"))
    analysis = analyse(r, base="zero", leave_out="schemes", rng=1)
    assert "zero" not in analysis.ranking.schemes
    assert all(c.dataset for c in analysis.chances)
    assert {c.base for c in analysis.chances} == {"zero"}


def test_agreement_is_kendalls():
    rng = np.random.default_rng(4)
    schemes = [f"s{i}" for i in range(5)]
    values = {m: rng.integers(0, 4, 40) / 4 for m in ("auc", "brier", "kappa")}
    r = Results.of(np.repeat([f"d{i}" for i in range(8)], 5), schemes * 8, values)
    found = analyse(r).agreement
    ranks = found.average_ranks
    for i in range(3):
        for j in range(3):
            assert found.tau[i, j] == pytest.approx(stats.kendalltau(ranks[i], ranks[j]).statistic)
    table = np.array([stats.rankdata(row) for row in ranks])
    ties = sum(t**3 - t for row in table for t in np.unique(row, return_counts=True)[1])
    m, n = table.shape
    s = ((table.sum(axis=0) - m * (n + 1) / 2) ** 2).sum()
    assert found.concordance == pytest.approx(12 * s / (m**2 * (n**3 - n) - m * ties), rel=1e-12)
    by_hand = stats.rankdata(-values["auc"].reshape(8, 5), axis=1).mean(axis=0)
    assert ranks[0] == pytest.approx(by_hand)


def test_measures_that_cannot_rank_are_left_out_of_the_agreement():
    r = results()
    values = {
        **r.values,
        "rmse": np.full(r.n, np.nan),
        "log_loss": np.where(r.scheme == "tree", np.inf, r.values["error_rate"]),
    }
    r = Results.of(r.dataset, r.scheme, values, repeat=r.repeat, fold=r.fold, n_train=9, n_test=1)
    analysis = analyse(r)
    assert analysis.agreement.measures == ("accuracy", "error_rate")
    assert not analysis.estimates.where(measure="rmse")
    assert np.isinf(analysis.estimates.where(measure="log_loss", scheme="tree")[0].value)


def test_what_is_infinite_is_called_so_and_judged_by_nothing():
    r = results()
    values = np.where(r.scheme == "tree", np.inf, r.values["error_rate"])
    r = Results.of(r.dataset, r.scheme, {"log_loss": values}, repeat=r.repeat, fold=r.fold,
                   n_train=90, n_test=10)  # fmt: skip
    analysis = analyse(r, leave_out="schemes", rng=1)
    assert analysis.wins.counts("tree", "zero") == (0, 0, 0)
    assert analysis.wins.counts("bayes", "zero") == (6, 0, 0)
    assert "infinite" in str(analysis).splitlines()[2]
    assert "tree" not in analysis.ranking.schemes
    assert "10 infinite" in analysis.findings[0].message
    assert json.loads(analysis.to_json())["cells"][1]["value"] == "Infinity"
    assert "infinite" in credibly.report(analysis).markdown()


def test_measures_that_tell_nothing_apart_do_not_agree():
    r = Results.of(["a", "a", "b", "b"], ["x", "y"] * 2, {"auc": [1] * 4, "kappa": [1] * 4})
    assert math.isnan(analyse(r).agreement.concordance)


# --- incomplete grids -----------------------------------------------------------------------------


def missing(dataset, scheme, repeat, fold):
    return (dataset, scheme) == ("data1", "near") or (dataset, scheme, fold) == ("data2", "tree", 3)


def test_gaps_are_named_with_the_rule():
    analysis = analyse(results(drop=missing), base="zero")
    found = {(g.dataset, g.scheme): g for g in analysis.grid.gaps}
    assert set(found) == {("data1", "near"), ("data2", "tree")}
    assert found["data1", "near"].missing
    assert not found["data2", "tree"].missing
    assert found["data2", "tree"].reasons == {"error": 2}
    said = next(f for f in analysis.findings if f.code == "incomplete-grid")
    assert "near on data1 has 0 of 10 values (10 error)" in said.message
    assert "fewer than half" in said.message
    assert "leave out the datasets data1" in said.message
    assert "missing" in str(analysis)
    assert analysis.wins.counts("near", "zero") == (5, 0, 0)


def test_all_schemes_are_judged_on_the_same_splits():
    r = results(drop=missing)
    table = analyse(r).grid.tables["data2"].table
    assert table.shape == (8, 4)
    kept = r.where(dataset="data2", scheme="zero")
    assert sorted(table[:, 0]) == sorted(kept.values["accuracy"][kept.fold != 3])


def test_ranks_leave_out_datasets_or_schemes():
    r = results(drop=missing)
    datasets, schemes = (analyse(r, leave_out=which) for which in ("datasets", "schemes"))
    assert datasets.ranking.datasets == 5
    assert set(datasets.ranking.schemes) == set(SHIFTS)
    assert schemes.ranking.datasets == 6
    assert "near" not in schemes.ranking.schemes
    assert schemes.agreement.schemes == ("zero", "tree", "bayes")
    said = next(f for f in schemes.findings if f.code == "incomplete-grid")
    assert "leave out the schemes near" in said.message
    with pytest.raises(ParameterError, match="leave_out must be"):
        analyse(r, leave_out="rows")


def test_a_scheme_that_fails_everywhere_takes_no_ranks_from_the_others():
    r = results(drop=lambda d, s, *_: s == "near" or (d, s) == ("data1", "tree"))
    analysis = analyse(r)
    assert set(analysis.ranking.schemes) == {"zero", "tree", "bayes"}
    assert analysis.ranking.datasets == 5
    (said,) = [f for f in analysis.findings if f.code == "incomplete-grid"]
    assert said.message.endswith("leave out the datasets data1 and the schemes near.")
    assert said.action.startswith("You can fix the schemes that fail, or remove them")
    assert said.action.endswith("or set leave_out='schemes'.")


def test_a_dataset_on_which_all_schemes_fail_takes_no_scheme_from_ranks():
    r = results(drop=lambda d, *_: d == "data1")
    analysis = analyse(r, leave_out="schemes")
    assert set(analysis.ranking.schemes) == set(SHIFTS)
    assert analysis.ranking.datasets == 5


def test_a_cell_without_any_row_is_not_run():
    r = results()
    analysis = analyse(r.take(~((r.dataset == "data0") & (r.scheme == "tree"))))
    assert analysis.grid.gaps[0].reasons == {"not run": 10}
    assert math.isnan(analysis.estimates.where(dataset="data0", scheme="tree")[0].value)


def with_value(value):
    """Ten splits of two schemes, in one of which the first has some strange value."""
    values = np.random.default_rng(1).random((2, 10))
    values[0, 3] = value
    return Results.of(
        ["d"] * 20, ["a"] * 10 + ["b"] * 10, {"log_loss": values.ravel()},
        fold=list(range(10)) * 2, n_train=90, n_test=10,
    )  # fmt: skip


def test_what_is_undefined_is_a_gap_too():
    analysis = analyse(with_value(math.nan))
    assert analysis.grid.gaps[0].reasons == {"undefined": 1}
    assert not analysis.grid.gaps[0].missing
    assert analysis.grid.tables["d"].table.shape == (9, 2)


def test_one_infinite_value_makes_a_mean_infinite():
    analysis = analyse(with_value(math.inf))
    assert analysis.grid.gaps[0].reasons == {"infinite": 1}
    assert analysis.grid.gaps[0].missing
    assert analysis.grid.tables["d"].table.shape == (10, 2)
    assert analysis.grid.means[0, 0] == math.inf
    assert math.isfinite(analysis.grid.means[0, 1])


def test_nothing_left_is_said_not_raised():
    analysis = analyse(results(drop=lambda *_: True))
    assert analysis.wins is None
    assert analysis.overviews == ()
    assert np.isnan(analysis.grid.means).all()
    assert {f.code for f in analysis.findings} >= {"incomplete-grid", "not-analysed"}
    assert json.loads(analysis.to_json())["cells"][0]["value"] is None


# --- what cannot be made --------------------------------------------------------------------------


def codes(analysis):
    return [f.message for f in analysis.findings if f.code == "not-analysed"]


def test_without_sizes_there_are_ranks_but_no_marks():
    r = results(n_train=np.nan, n_test=np.nan)
    analysis = analyse(r)
    assert analysis.wins is None
    assert analysis.chances == ()
    assert any("test_train_ratio=" in m for m in codes(analysis))
    assert analysis.ranking is not None
    assert analysis.estimates.estimates[0].interval is None
    known = analyse(r, test_train_ratio=1 / 9)
    assert known.wins.pvalues[0, 0, 1] == analyse(results()).wins.pvalues[0, 0, 1]


def test_one_dataset_one_scheme_one_split():
    one = analyse(results(datasets=1))
    assert one.over_datasets is None
    assert one.wins is not None
    alone = analyse(results({"a": 0}))
    assert alone.wins is None
    assert alone.over_datasets is None
    split = analyse(results(repeats=1, folds=1))
    assert split.wins is None
    assert split.ranking is not None
    for analysis in (one, alone, split):
        assert codes(analysis)
        assert analysis.heading in str(analysis)
        json.loads(analysis.to_json())


def test_a_measure_without_direction_has_no_marks():
    r = results()
    r = Results.of(r.dataset, r.scheme, {"leaves": r.values["accuracy"]}, repeat=r.repeat,
                   fold=r.fold, n_train=90, n_test=10, directions={"leaves": "neither"})  # fmt: skip
    analysis = analyse(r)
    assert analysis.wins is None
    assert analysis.ranking is None
    assert analysis.estimates.estimates[0].interval is not None


def test_no_results_at_all():
    with pytest.raises(DataError, match="no results to analyse"):
        analyse(Results.of([], [], {"auc": []}))
    with pytest.raises(ParameterError, match="no measure"):
        analyse(Results.of(["a"], ["b"], {}))


# --- predictions, learning curves, output ---------------------------------------------------------


def test_pooled_cases_stand_beside_means_over_splits():
    from sklearn.datasets import load_iris

    run = credibly.run(["naive-bayes", "zero-r"], *load_iris(return_X_y=True), resampling="5", rng=1, progress=False)  # fmt: skip
    table = credibly.evaluate(run, "error_rate", estimate="fold_mean")
    r = Results.of(
        ["iris"] * 10,
        [e.keys["model"] for e in table.estimates for _ in e.values],
        {"error_rate": [v for e in table.estimates for v in e.values]},
        fold=list(range(5)) * 2,
        n_train=120,
        n_test=30,
    )
    found = analyse(r, predictions={"iris": run}).estimates
    pooled = found.where(scheme="naive-bayes", estimate="pooled")[0]
    expected = credibly.evaluate(run, "error_rate", estimate="pooled").where(model="naive-bayes")[0]
    assert (pooled.value, pooled.interval) == (expected.value, expected.interval)
    mean = found.where(scheme="naive-bayes", estimate="fold_mean")[0]
    assert mean.interval.low == pytest.approx(
        table.where(model="naive-bayes")[0].interval.low, rel=1e-12
    )


def test_learning_curves():
    parts = [results(seed=9, n_train=n, size=share) for share, n in ((0.5, 45), (1.0, 90))]
    columns = {
        c: np.concatenate([getattr(p, c) for p in parts])
        for c in ("repeat", "fold", "size", "n_train", "n_test")
    }
    dataset, scheme = (
        np.concatenate([getattr(p, c) for p in parts]) for c in ("dataset", "scheme")
    )
    values = {"accuracy": np.concatenate([p.values["accuracy"] for p in parts])}
    r = Results.of(dataset, scheme, values, **columns)
    analysis = analyse(r)
    curve = analysis.growth.where(dataset="data3", scheme="bayes")
    assert [e.keys["trained on"] for e in curve] == [45, 90]
    assert analysis.grid.tables["data3"].test_train_ratio == pytest.approx(1 / 9)
    assert analyse(parts[0]).growth is None


def test_datasets_may_have_sizes_of_their_own():
    r = Results.of(
        ["x"] * 4 + ["y"] * 4, ["a", "a", "b", "b"] * 2, {"auc": [0.9, 0.8, 0.7, 0.6] * 2},
        fold=[0, 1] * 4, size=[0.5] * 4 + [1.0] * 4, n_train=[50] * 4 + [100] * 4, n_test=50,
    )  # fmt: skip
    analysis = analyse(r)
    assert not analysis.grid.gaps
    assert {e.keys["trained on"] for e in analysis.growth.estimates} == {50, 100}


def test_everything_can_be_stored_and_read():
    analysis = analyse(results(drop=missing), base="zero", rng=1)
    stored = json.loads(analysis.to_json())
    assert stored["base"] == "zero"
    assert len(stored["cells"]) == 24
    assert {c["verdict"] for c in stored["cells"]} == {"", "better"}
    assert stored["gaps"][0]["scheme"] == "near"
    frame = analysis.frame()
    assert list(frame["scheme"][:4]) == ["zero", "tree", "bayes", "near"]
    assert frame["probability_better"].notna().sum() == 17


def test_a_notebook_gets_a_table():
    html = analyse(results({"<b>": 0.1, "b": 0}))._repr_html_()
    assert ">&lt;b&gt;</th>" in html
    assert "<b>" not in html


def test_many_or_long_names_are_numbered():
    long = {f"a scheme with a very long name {i}": 0.01 * i for i in range(5)}
    text = str(analyse(results(long)))
    assert "(1) a scheme with a very long name 0" in text
    assert max(len(line) for line in text.splitlines()[:10]) <= 100


def test_inputs_are_left_alone():
    r = results(drop=missing)
    before = r.values["accuracy"].copy()
    analyse(r, rng=1)
    np.testing.assert_array_equal(before, r.values["accuracy"])


@pytest.mark.parametrize(("folds", "verdict"), [(10, "better"), (5, "untestable")])
def test_a_difference_that_is_the_same_in_every_split_is_no_tie(folds, verdict):
    """One rule was right in every fold and no rule in half, and they were shown as a tie."""
    n = 2 * folds
    values = [np.full(n, 0.5), np.ones(n), 0.6 + np.arange(n) % 2 / 100]
    r = Results.of(
        ["d"] * 3 * n,
        np.repeat(["zero-r", "one-r", "other"], n),
        {"accuracy": np.concatenate(values)},
        repeat=np.tile(np.arange(n) // folds, 3),
        fold=np.tile(np.arange(n) % folds, 3),
        n_train=90,
        n_test=10,
    )
    analysis = analyse(r, "accuracy", base="zero-r")
    assert analysis.verdict("d", "one-r") == verdict
    assert analysis.verdict("d", "other") == "better"
    assert analysis.wins.counts("one-r", "zero-r") == (verdict == "better", 0, 0)
    assert ("untestable" in {f.code for f in analysis.findings}) == (verdict == "untestable")
    assert ("?" in str(analysis)) == (verdict == "untestable")


def test_reasons_of_failures_beyond_those_shown_are_counted():
    names = [f"s{i}" for i in range(8)]
    errors = [f"it failed in way {i}" for i in range(8)]
    r = Results.of(["d"] * 8, names, {"error_rate": [np.nan] * 8}, status="error", error=errors)
    said = [f.message for f in r.failures()]
    assert len(said) == 6
    assert said[-1] == "Something failed in other fits: there are 3 more reasons."
    assert "(5 more like this.)" in str(r)


def test_a_plain_paired_t_on_request_is_called_too_liberal():
    rng = np.random.default_rng(5)
    n = 3 * 2 * 20
    r = Results.of(
        np.repeat(["p", "q", "r"], 40), np.tile(np.repeat(["a", "b"], 20), 3),
        {"accuracy": rng.normal(0.8, 0.02, n)},
        fold=np.tile(np.arange(20), 6), n_train=90, n_test=10,
    )  # fmt: skip
    plain, corrected = (analyse(r, test=t) for t in ("paired_t", "corrected_resampled_t"))
    assert (plain.wins.pvalues[:, 0, 1] < corrected.wins.pvalues[:, 0, 1]).all()
    assert plain.wins.test == "Paired t"
    table = plain.grid.tables["q"].pair(0, 1)
    expected = stats.ttest_rel(table.a, table.b).pvalue
    assert plain.wins.pvalues[1, 0, 1] == pytest.approx(expected)
    codes = [f.code for f in plain.findings]
    assert codes.count("dependent-folds") == 1
    assert "dependent-folds" not in {f.code for f in corrected.findings}


def test_averages_are_means_over_splits():
    r = Results.of(
        ["p"] * 4 + ["q"] * 2, ["a", "a", "b", "b", "a", "b"], {"auc": [0.8, 0.6, 0.9, np.nan, 0.5, 0.7]},
        fold=[0, 1, 0, 1, 0, 0], status=["done"] * 5 + ["error"], fit_seconds=2,
    )  # fmt: skip
    means = r.averaged()
    assert list(zip(means.dataset, means.scheme, strict=True)) == [
        ("p", "a"),
        ("p", "b"),
        ("q", "a"),
    ]
    np.testing.assert_allclose(means.values["auc"], [0.7, np.nan, 0.5])
    assert means.fit_seconds.tolist() == [2, 2, 2]
    assert [f.code for f in means.findings] == ["averaged-results"]


def test_the_test_on_a_dataset_is_that_of_compare(tmp_path):
    """Over cases where there are predictions, which a store keeps, else over splits."""
    plan = credibly.Experiment(
        ["zero-r", "one-r", "naive-bayes"], ["iris"], resampling="5", measures=["error_rate"], rng=1
    )
    with closing(plan.run(tmp_path, n_jobs=1, progress=False)) as store:
        kept = store.predictions("iris")
        of_store = analyse(store)
        given = analyse(store.results(), predictions={"iris": kept})
        by_splits = analyse(store.results())
    asked = credibly.compare(kept, measure="error_rate")
    over_cases = {frozenset(r.names): r.pvalue for r in asked.results}
    for found in (of_store, given):
        assert found.wins.test == "t over cases, widened"
        rows = {frozenset((r["first"], r["second"])): r["pvalue"] for r in found.wins.rows()}
        assert rows == pytest.approx(over_cases)
    assert by_splits.wins.test == "Corrected resampled t"
