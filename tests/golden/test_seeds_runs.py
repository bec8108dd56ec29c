"""Figures of the seeds on what resampling estimates: leave-one-out, .632, repeated folds, the bootstrap."""

import math

import numpy as np
import pytest
from sklearn.datasets import load_iris

from credibly import Predictions, evaluate, run
from credibly.evaluation.bootstrap_estimators import weighted
from credibly.intervals import mean_interval
from credibly.intervals.influence import influence
from credibly.measures import measures
from credibly.resampling.bootstraps import bootstrap_inclusion
from golden.goldens import golden


def iris():
    X, y = load_iris(return_X_y=True)
    return X[:, :2], y


def value(p, estimate, measure="error_rate"):
    return evaluate(p, measure, estimate=estimate, interval="none")[measure].value


@golden("wf-loo-majority", "dw-loo-majority", "ds-loo-majority")
def test_leave_one_out_of_a_majority_rule(case):
    y = np.repeat([0, 1], 50)
    table = evaluate(run("zero-r", np.zeros((100, 1)), y, resampling="loo"), "error_rate")
    error = table["error_rate"]
    case.check(loo_error=error.value, true_error=error.baselines["majority"])
    assert "leave-one-out-majority" in {f.code for f in table.all_findings()}


def memoriser(inside=1.0, outside=1.0):
    """A rule that knows its training cases and guesses the others: of two left out, one is wrong.

    ``inside`` and ``outside`` are the weights of the cases in the sample and out of it.
    """
    share = [inside / 2] * 2 + [outside / 2] * 2
    return Predictions.of(
        [0, 1, 0, 1] * 2,
        label=[0, 1, 0, 1, 0, 1, 0, 0],
        row=[0, 1, 2, 3] * 2,
        repeat=[-1] * 4 + [0] * 4,
        fold=[-1] * 4 + [0] * 4,
        part=["train"] * 6 + ["test"] * 2,
        sample_weight=share * 2,
        weight_kind="importance",
        n_train=4,
    )


@golden("wf-632-memoriser", "dw-632-memoriser")
def test_the_632_bootstrap_of_a_memoriser(case):
    p = memoriser()
    assert value(p, "oob") == case["e_test"]
    assert value(p, "apparent") == case["e_training"]
    case.check(
        estimate=value(p, "632"),
        estimate_exact_weights=weighted(case["e_training"], case["e_test"], 1 - math.exp(-1)),
    )
    assert value(p, "632_replicates") == pytest.approx(case["weights"][0] * case["e_test"])
    codes = {f.code for f in evaluate(p, "error_rate", estimate="632").all_findings()}
    assert "memoriser" in codes


@golden("zm-bootstrap-fullD-memoriser")
def test_replicates_judged_on_all_cases(case):
    """In the limit of many cases 63.2 % of them are in the sample, and known by heart."""
    drawn = bootstrap_inclusion(math.inf)
    p = memoriser(inside=drawn, outside=1 - drawn)
    case.check(
        expected_estimate=value(p, "all_cases"),
        out_of_bag_estimate=value(p, "oob"),
        wf_632_estimate=value(p, "632"),
    )


@pytest.mark.thorough
@golden("zm-ex22.7-repeated-cv")
def test_repeated_folds_of_full_bayes_on_iris(case):
    p = run("full-bayes", *iris(), resampling="folds(k=5, repeats=400, stratified=False)", rng=0)
    runs = evaluate(p, "error_rate", by="repeat", estimate="fold_mean", interval="none").estimates
    means = [e.value for e in runs]
    case.check(
        mean_error=value(p, "repeat_mean"),
        sd_of_run_mean=np.std(means, ddof=1),
        mean_variance_1_over_K=np.mean([np.var(e.values) for e in runs]),
        mean_variance_1_over_Km1=np.mean([np.var(e.values, ddof=1) for e in runs]),
    )


@pytest.mark.thorough
@golden("zm-ex22.8-bootstrap")
def test_the_bootstrap_of_full_bayes_on_iris(case):
    p = run("full-bayes", *iris(), resampling="bootstrap(replicates=2000)", rng=0)
    table = evaluate(p, "error_rate", estimate=["all_cases", "oob_mean"], interval="none")
    (every,), (out,) = (table.where(estimate=e) for e in ("all_cases", "oob_mean"))
    case.check(
        mean_error=every.value, variance=np.var(every.values, ddof=1), out_of_bag_mean=out.value
    )
    assert "replicates-on-training-cases" in {f.code for f in every.findings}


@golden("zm-iris-loo")
def test_leave_one_out_and_resubstitution_of_full_bayes_on_iris(case):
    seen = run("full-bayes", *iris(), resampling="resubstitution")
    left = run("full-bayes", *iris(), resampling="loo")
    errors = {name: int((p.truth != p.label).sum()) for name, p in (("seen", seen), ("left", left))}
    case.check(
        resubstitution_errors=errors["seen"],
        loo_errors=errors["left"],
        n=left.n,
        resubstitution=value(seen, "pooled"),
        loo=value(left, "pooled"),
    )


@golden("ds-bootstrap-se-mean")
def test_the_ideal_bootstrap_error_of_a_mean_is_that_of_its_influence_values(case):
    x = np.array(case["sample"])
    p = Predictions.of(np.zeros(len(x)), value=x)
    values = influence(measures["mae"], p)
    case.check(
        ideal_se=float(np.sqrt(np.square(values).sum())),
        classic_se=mean_interval(x, method="t", independent=True).standard_error,
    )
