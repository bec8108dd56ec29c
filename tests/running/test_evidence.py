"""What estimators, tests and sentences make of how the evidence hangs together."""

import json
import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy import stats
from sklearn.neighbors import KNeighborsClassifier

import credibly
from credibly import Experiment, ParameterError, compare, evaluate, intervals
from credibly.comparisons import FoldValues, IndependentValues, PairedValues, comparisons
from credibly.errors import DataError, MissingColumnError
from credibly.experiments import analyse
from credibly.measures import measures
from credibly.running import run_datasets

N = 240


def drawn(rng, n=100):
    y = rng.integers(0, 2, n)
    return rng.normal(y[:, None] * [1.0, 0.3], 1, (n, 2)), y


def series(n=N, seed=1, rho=0.95):
    """A class that changes seldom, and a feature that follows it."""
    rng = np.random.default_rng(seed)
    z = np.zeros(n)
    for i in range(1, n):
        z[i] = rho * z[i - 1] + rng.normal()
    return (z + rng.normal(size=n))[:, None], (z > 0).astype(int)


@cache
def data_sets():
    return run_datasets(["naive-bayes", "one-r"], drawn, datasets=10, rng=1)


@cache
def subsets():
    cases = drawn(np.random.default_rng(3), 400)
    return credibly.run(
        ["naive-bayes", "one-r"], *cases, resampling="subsets(parts=10, k=3)", rng=1
    )


@cache
def within():
    data = [drawn(np.random.default_rng(i), 40) for i in range(10)]
    return run_datasets(["naive-bayes", "one-r"], data, resampling=3, rng=1)


@pytest.fixture(params=[data_sets, subsets, within], ids=lambda made: made.__name__)
def p(request):
    """Return predictions on data sets that are independent of each other."""
    return request.param()


def by_data_set(p, model, name):
    """The mean over folds of each repeat, in the obvious way."""
    mine = p.take(p.model == model)
    values = []
    for r in sorted(set(mine.repeat.tolist())):
        run = mine.take(mine.repeat == r)
        folds = [run.take(run.fold == f) for f in sorted(set(run.fold.tolist()))]
        values.append(np.mean([measures[name].value(part) for part in folds]))
    return np.array(values)


def test_independent_data_sets_are_compared_by_the_paired_t(p):
    a, b = (by_data_set(p, m, "error_rate") for m in ("naive-bayes", "one-r"))
    result = compare(p, measure="error_rate")
    assert (result.test, result.about, result.n) == ("paired_t", "datasets", 10)
    assert result.pvalue == pytest.approx(stats.ttest_rel(a, b).pvalue, rel=1e-9)
    assert [x.stands for x in result.assumptions] == ["holds", "unknown"]
    assert "overlap" not in str(result)
    assert not result.findings
    named = compare(p, measure="error_rate", test="paired_t")
    assert named.pvalue == result.pvalue
    assert [x.stands for x in named.assumptions] == ["holds", "unknown"]


def test_tests_that_allow_for_overlap_are_refused_there(p):
    with pytest.raises(ParameterError, match=r"10 separate datasets\. Use test='paired_t'"):
        compare(p, measure="error_rate", test="corrected_resampled_t")
    assert compare(p, measure="error_rate", test="wilcoxon").assumptions[0].stands != "violated"


def test_independent_data_sets_are_no_repeats(p):
    table = evaluate(p, ["error_rate", "auc"])
    kinds = {e.keys["estimate"] for e in table.estimates}
    assert kinds == {"dataset_mean", "pooled"}
    assert all(e.is_headline is (e.keys["estimate"] == "dataset_mean") for e in table.estimates)
    for model in ("naive-bayes", "one-r"):
        values = by_data_set(p, model, "error_rate")
        (e,) = table.where(measure="error_rate", model=model, estimate="dataset_mean")
        half = stats.t.ppf(0.975, 9) * stats.sem(values)
        assert e.value == pytest.approx(values.mean())
        assert e.values == pytest.approx(values)
        assert (e.interval.low, e.interval.high) == pytest.approx((e.value - half, e.value + half))
        assert e.interval.about == "datasets"
        (e,) = table.where(measure="error_rate", model=model, estimate="pooled")
        assert e.interval.method == "Wilson"
    assert "repeats" not in str(table)


def test_other_estimates_know_it_too(p):
    asked, default = (evaluate(p, "error_rate", estimate=e) for e in ("fold_mean", "dataset_mean"))
    for a, b in zip(asked.estimates, default.estimates, strict=True):
        assert (a.value, a.interval) == (b.value, b.interval)
    mine = p.take(p.model == "one-r")
    e = evaluate(mine, "error_rate", estimate="dataset_mean")["error_rate"]
    made = intervals.fold_mean(mine, "error_rate")
    assert (made.mean, made.n) == (pytest.approx(e.value), 10)
    assert made.interval == e.interval
    assert not made.findings
    with pytest.raises(MissingColumnError, match="repeats of the same cases"):
        evaluate(p, "error_rate", estimate="repeat_mean")


def test_one_model_that_knows_is_enough(tmp_path):
    """Cases are the same, so what one file says of them holds of the other, which has columns alone."""
    a, b = (data_sets().take(data_sets().model == m) for m in ("naive-bayes", "one-r"))
    text = credibly.read(credibly.save(b, tmp_path / "b.csv"))
    assert compare(a, text, "error_rate").test == "paired_t"


def test_several_models_on_independent_data_sets():
    p = run_datasets(["naive-bayes", "one-r", "zero-r"], drawn, datasets=6, rng=1)
    assert {r.test for r in compare(p, measure="error_rate").results} == {"paired_t"}


def test_values_of_independent_data_sets():
    values = IndependentValues([0.9, 0.8, 0.7, 0.9], [0.7, 0.7, 0.6, 0.6])
    result = compare(values)
    assert result.test == "paired_t"
    assert result.assumptions[0].stands == "holds"
    assert compare(values, test="unpaired_t").n == 8


def test_no_test_is_advised_that_is_then_called_violated():
    folds = FoldValues([0.9, 0.8, 0.7, 0.9], [0.7, 0.7, 0.6, 0.6])
    with pytest.raises(credibly.DataError) as refused:
        compare(folds)
    for entry in comparisons:
        assert f"test='{entry.name}'" not in str(refused.value)
    assert "over='datasets'" in str(refused.value)
    advised = compare(PairedValues(folds.a, folds.b), test="paired_t")
    assert "violated" not in {a.stands for a in advised.assumptions}


def test_experiments_on_independent_subsets(tmp_path):
    data = drawn(np.random.default_rng(3), 400)
    e = Experiment(
        ["naive-bayes", "one-r"],
        {"d": data},
        resampling="subsets(parts=10, k=3)",
        measures=["error_rate"],
        rng=1,
    )
    store = e.run(tmp_path / "e", n_jobs=1)
    analysis = analyse(store, "error_rate")
    mine = store.predictions("d")
    a, b = (by_data_set(mine, m, "error_rate") for m in ("naive-bayes", "one-r"))
    expected = stats.ttest_rel(a, b).pvalue
    assert analysis.pvalue("d", "one-r") == pytest.approx(expected, rel=1e-9)
    (shown,) = analysis.estimates.where(scheme="one-r", measure="error_rate", estimate="fold_mean")
    assert shown.interval.about == "datasets"
    assert json.loads(store.results().to_json())["design"]["repeats"] == "independent"


# --- order in time --------------------------------------------------------------------------------


def test_cases_in_time_are_judged_by_long_run_variances():
    p = credibly.run("naive-bayes", *series(), resampling="time_ordered(k=5)")
    table = evaluate(p, ["error_rate", "auc", "log_loss", "ks"], estimate="pooled")
    for name in ("error_rate", "auc"):
        found = table[name].interval
        assert found.dependence.moments == p.n
        assert f"by {found.dependence.cosines} cosines" in found.method
    assert "time-ordered-cases" in {f.code for f in table.findings}
    naive = evaluate(credibly.Predictions.of(p.truth, label=p.label), "error_rate")["error_rate"]
    wide = table["error_rate"].interval
    assert wide.high - wide.low > naive.interval.high - naive.interval.low
    drawn_anew = evaluate(p, "ks", estimate="pooled", interval="bootstrap", rng=1)["ks"]
    assert drawn_anew.interval is None
    assert "block_bootstrap" in drawn_anew.why_no_interval
    assert "block_bootstrap" in table["ks"].why_no_interval
    blocks = evaluate(p, "ks", estimate="pooled", interval="block_bootstrap", rng=1)["ks"]
    assert "blocks of" in blocks.interval.method


def test_a_single_split_in_time_has_a_long_run_variance_too():
    p = credibly.run(["naive-bayes", "one-r"], *series(), resampling="time_ordered(k=1)")
    assert evaluate(p, "error_rate").estimates[0].interval.dependence is not None
    result = compare(p, measure="error_rate")
    assert result.test == "influence"
    assert "in time order" in result.why
    named = compare(p, measure="error_rate", test="mcnemar")
    assert ("violated", "Cases are in time order, which this test ignores.") in [
        (a.stands, a.because) for a in named.assumptions
    ]
    one = p.take(p.model == "one-r")
    assert compare(one, measure="error_rate", against=0.5).test == "influence_value"


def test_folds_in_time_are_compared_case_by_case():
    p = credibly.run(["naive-bayes", "one-r"], *series(), resampling="time_ordered(k=5)")
    result = compare(p, measure="brier")
    assert (result.test, result.parameters["moments"]) == ("widened_t", result.n)
    assert "in time order" in result.why
    # Where it is not known how closely schemes follow their rows, it is about these models.
    plain = compare(replace(p, provenance=None, cache={}), measure="brier")
    assert plain.test == "influence"
    assert plain.difference == pytest.approx(result.difference)
    assert "long-run variance" in plain.why
    errors = (found.parameters["standard_error"] for found in (result, plain))
    widened = result.parameters["widened"]
    assert np.divide(*errors) == pytest.approx(widened)
    assert 1 < widened <= 1.3


def test_groups_that_cross_time_vary_in_their_own_right():
    X, y = series()
    p = credibly.run("naive-bayes", X, y, groups=np.arange(N) % 7, resampling="time_ordered")
    e = evaluate(p, "brier", estimate="pooled")["brier"]
    assert e.interval.dependence.freedom <= 6  # at most one less than groups
    alone = evaluate(replace(p, group=None, cache={}), "brier", estimate="pooled")["brier"]
    assert e.interval.standard_error >= alone.interval.standard_error


# --- what says nothing about new cases ------------------------------------------------------------


def test_training_cases_have_no_interval_about_new_ones():
    X, y = drawn(np.random.default_rng(1))
    p = credibly.run(KNeighborsClassifier(1), X, y, resampling="resubstitution")
    for e in evaluate(p).estimates:
        assert e.interval is None, e.measure
    assert "has seen these cases" in evaluate(p, "accuracy")["accuracy"].why_no_interval


def test_a_constant_in_each_fold_has_no_correlation_with_the_truth():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(200, 2)), rng.normal(size=200)
    p = credibly.run("zero-r", X, y, rng=1)
    e = evaluate(p, "correlation", estimate="pooled")["correlation"]
    assert e.value < 0
    assert e.interval is None
    assert "pooled-models" in {f.code for f in e.findings}
    fine = credibly.run("linear", X, y, rng=1)
    assert evaluate(fine, "correlation", estimate="pooled")["correlation"].interval


def test_a_constant_score_in_each_fold_ranks_no_cases():
    X, y = drawn(np.random.default_rng(1), 101)
    p = credibly.run("zero-r", X, y, resampling="7", rng=1)
    table = evaluate(p, ["auc", "brier"], estimate="pooled")
    assert "pooled-models" in {f.code for f in table["auc"].findings}
    assert table["auc"].interval is None
    assert table["brier"].interval is not None
    assert not math.isnan(table["auc"].value)


def test_averaged_curves_are_about_new_data_sets(p):
    mine = p.take(p.model == "naive-bayes")
    mean = credibly.curve("roc", mine, average="vertical")
    (expected,) = evaluate(mine, "auc", estimate="dataset_mean").estimates
    assert mean.band.about == "datasets"
    assert mean.numbers["auc"] == pytest.approx(expected.value)
    assert mean.estimate == "dataset_mean"
    assert "10 curves" in mean.band.method
    assert "dependent-folds" not in {f.code for f in mean.findings}


@pytest.mark.parametrize(
    "entry", [c for c in comparisons if c.reads is PairedValues], ids=lambda c: c.name
)
def test_every_test_of_pairs_knows_that_they_are_independent(entry):
    a, b = np.random.default_rng(1).normal([[0.8], [0.7]], 0.05, (2, 10))
    more = {"rng": 1} if entry.random else {}
    pairs, apart_ = (entry(kind(a, b), **more) for kind in (PairedValues, IndependentValues))
    assert apart_.pvalue == pairs.pvalue or (math.isnan(pairs.pvalue) and entry.bayesian)
    stands = {x.text: x.stands for x in apart_.assumptions}
    assert {s for t, s in stands.items() if "independent" in t} == {"holds"}


def test_each_data_set_is_cross_validated_by_itself():
    one = within().where(model="one-r")
    size = one.n // 10
    assert (np.asarray(one.row, int) // size == np.asarray(one.repeat, int)).all()
    assert sorted(np.asarray(one.row, int)) == list(range(one.n))
    assert (np.asarray(one.n_train) < size).all()


def test_data_sets_that_cannot_be_resampled_alike():
    made = [drawn(np.random.default_rng(i)) for i in range(3)]
    shorter = [made[0], tuple(v[:-3] for v in made[1])]
    with pytest.raises(DataError, match="every data set needs the same number"):
        run_datasets("one-r", shorter, resampling="loo", rng=1)
    with pytest.raises(ParameterError, match="makes repeats"):
        run_datasets("one-r", made, resampling="2x3", rng=1)
    with pytest.raises(ParameterError, match="Set datasets="):
        run_datasets("one-r", drawn, rng=1)
    with pytest.raises(ParameterError, match="at least 2"):
        run_datasets("one-r", made[:1], rng=1)
