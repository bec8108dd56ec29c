"""The hand-written estimators: one rule, full Bayes, trees with smoothed leaves."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from credibly import ParameterError
from credibly.schemes import FullBayes, NominalBayes, OneR, ProbabilityTree
from credibly.schemes._one_r import bucket_cuts


@pytest.mark.filterwarnings("ignore")  # a few checks of scikit-learn warn on purpose
@parametrize_with_checks(
    [OneR(), FullBayes(), NominalBayes(), NominalBayes(laplace=1), ProbabilityTree()]
)
def test_keeps_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def cut_by_hand(values, codes, k, least):
    """Holte's buckets, case by case: fill, then go on while the class or the value stays."""
    order = np.argsort(values, kind="stable")
    v, c = values[order], codes[order]
    buckets, i = [], 0
    while i < len(v):
        counts = np.zeros(k)
        first = i
        while i < len(v):
            same = v == v[i]
            here = np.bincount(c[same], minlength=k)
            if counts.max() >= least and here.argmax() != counts.argmax():
                break
            counts += here
            i += int(same.sum())
        buckets.append((v[first], v[i - 1], int(counts.argmax())))
    return [(b[1] + a[0]) / 2 for b, a in pairwise(buckets) if b[2] != a[2]]


@pytest.mark.parametrize("seed", range(20))
def test_buckets_against_a_slow_twin(seed):
    rng = np.random.default_rng(seed)
    n, k, least = int(rng.integers(1, 60)), int(rng.integers(2, 4)), int(rng.integers(1, 7))
    values = np.round(rng.normal(size=n), 1)
    codes = (values > 0).astype(int) if seed % 2 else rng.integers(0, k, n)
    expected = cut_by_hand(values, codes, k, least)
    assert bucket_cuts(values, codes, k, least).tolist() == pytest.approx(expected)


def test_one_rule_on_a_table_worked_by_hand():
    """Town makes 1 error (one of Rome's 3), age 2 (all are 'no' in one bucket of five)."""
    frame = pd.DataFrame({"age": [1, 2, 3, 4, 5], "town": ["Bern", "Bern", "Rome", "Rome", "Rome"]})
    rule = OneR().fit(frame, ["yes", "yes", "no", "no", "yes"])
    assert rule.rule_.column == "town"
    assert rule.rule_.correct == 4
    assert rule.predict(frame).tolist() == ["yes", "yes", "no", "no", "no"]
    assert rule.predict_proba(frame)[2].tolist() == pytest.approx([2 / 3, 1 / 3])


def test_missing_is_a_value_of_its_own():
    X = np.array([[1.0], [1], [1], [np.nan], [np.nan]])
    rule = OneR(min_bucket=1).fit(X, ["a", "a", "a", "b", "b"])
    assert rule.predict([[np.nan], [1]]).tolist() == ["b", "a"]
    text = pd.DataFrame({"t": ["x", "x", None]})
    named = OneR().fit(text, ["a", "a", "b"])
    assert named.predict(pd.DataFrame({"t": [None, "new", "x"]})).tolist() == ["b", "b", "a"]


def test_a_bucket_without_cases_gives_the_frequencies_of_all():
    rule = OneR().fit(pd.DataFrame({"t": ["x", "x", "y"]}), ["a", "a", "b"])
    new = rule.predict_proba(pd.DataFrame({"t": ["z", None]}))
    assert new.tolist() == [pytest.approx([2 / 3, 1 / 3])] * 2


def test_one_rule_refuses_an_empty_bucket():
    with pytest.raises(ParameterError, match="min_bucket must be a whole number of at least 1"):
        OneR(min_bucket=0).fit([[1], [2]], ["a", "b"])


@pytest.mark.parametrize("unbiased", [False, True])
def test_full_bayes_is_bayes_rule_with_gaussians(unbiased):
    X, y = load_iris(return_X_y=True)
    X, y = X[5:], y[5:]  # unequal classes
    joint = np.empty((len(X), 3))
    for c in range(3):
        own = X[y == c]
        covariance = np.cov(own.T, ddof=int(unbiased))
        density = multivariate_normal(own.mean(axis=0), covariance).logpdf(X)
        joint[:, c] = np.log(len(own) / len(X)) + density
    model = FullBayes(unbiased=unbiased).fit(X, y)
    assert np.abs(model.predict_joint_log_proba(X) - joint).max() < 1e-9
    assert model.findings_ == ()


def test_full_bayes_on_iris_as_in_the_text_book():
    """Thirty errors on the training data, thirty-four by leave-one-out, of 150 (two columns)."""
    X, y = load_iris(return_X_y=True)
    X = X[:, :2]
    assert (FullBayes().fit(X, y).predict(X) != y).sum() == 30
    kept = [np.delete(np.arange(150), i) for i in range(150)]
    wrong = [FullBayes().fit(X[k], y[k]).predict(X[[i]])[0] != y[i] for i, k in enumerate(kept)]
    assert sum(wrong) == 34


def test_full_bayes_weights_count_cases():
    X, y = load_iris(return_X_y=True)
    twice = np.where(np.arange(150) % 3 == 0, 2, 1)
    repeated = FullBayes().fit(np.repeat(X, twice, axis=0), np.repeat(y, twice))
    weighted = FullBayes().fit(X, y, sample_weight=twice)
    assert np.abs(repeated.predict_proba(X) - weighted.predict_proba(X)).max() < 1e-9


def test_full_bayes_says_where_a_covariance_is_singular():
    X = np.array([[0.0, 0], [1, 1], [2, 2], [0, 5], [1, 7], [3, 4]])
    model = FullBayes().fit(X, list("aaabbb"))
    (finding,) = model.findings_
    assert finding.code == "singular-covariance"
    assert "of a is singular" in finding.message
    assert np.isfinite(model.predict_proba(X)).all()
    assert (model.predict(X) == list("aaabbb")).all()


def test_full_bayes_does_not_mind_the_units():
    X, y = load_iris(return_X_y=True)
    tiny = X * [1e-8, 1, 1e6, 1]
    model = FullBayes().fit(tiny, y)
    assert model.findings_ == ()
    assert np.abs(model.predict_proba(tiny) - FullBayes().fit(X, y).predict_proba(X)).max() < 1e-9


# Witten & Frank's weather: the counts by hand give 0.0053 for yes and 0.0206 for no on a day that is
# sunny, cool, humid and windy.
WEATHER = pd.DataFrame(
    [d.split() for d in """sunny hot high no|sunny hot high yes|overcast hot high no|rainy mild high no
rainy cool normal no|rainy cool normal yes|overcast cool normal yes|sunny mild high no
sunny cool normal no|rainy mild normal no|sunny mild normal yes|overcast mild high yes
overcast hot normal no|rainy mild high yes""".replace("\n", "|").split("|")],
    columns=["outlook", "temperature", "humidity", "windy"],
)  # fmt: skip
PLAY = ["no", "no", "yes", "yes", "yes", "no", "yes", "no", "yes", "yes", "yes", "yes", "yes", "no"]
NEW = pd.DataFrame([["sunny", "cool", "high", "yes"]], columns=WEATHER.columns)


def test_naive_bayes_by_counting_on_the_weather():
    joint = np.exp(NominalBayes().fit(WEATHER, PLAY).predict_joint_log_proba(NEW))[0]
    assert joint.round(4).tolist() == [0.0206, 0.0053]
    no = 5 / 14 * 3 / 5 * 1 / 5 * 4 / 5 * 3 / 5
    yes = 9 / 14 * 2 / 9 * 3 / 9 * 3 / 9 * 3 / 9
    assert joint.tolist() == pytest.approx([no, yes])


def test_laplace_adds_to_each_count():
    joint = np.exp(NominalBayes(laplace=1).fit(WEATHER, PLAY).predict_joint_log_proba(NEW))[0]
    yes = 9 / 14 * 3 / 12 * 4 / 12 * 4 / 11 * 4 / 11
    assert joint[1] == pytest.approx(yes)


def test_values_that_a_class_never_had():
    """No overcast day was without play; what no day had is left out; impossible in all classes is the prior."""
    model = NominalBayes().fit(WEATHER, PLAY)
    overcast = NEW.assign(outlook="overcast")
    assert model.predict_proba(overcast)[0].tolist() == [0, 1]
    assert model.predict_proba(NEW.assign(outlook="foggy")) == pytest.approx(
        model.predict_proba(NEW.assign(outlook=None))
    )
    both = NominalBayes().fit(pd.DataFrame({"a": list("xy"), "b": list("uv")}), [0, 1])
    assert both.predict_proba(pd.DataFrame({"a": ["x"], "b": ["v"]}))[0].tolist() == [0.5, 0.5]
    assert NominalBayes(laplace=0.5).fit(WEATHER, PLAY).predict_proba(overcast)[0].min() > 0


def test_numbers_have_normal_densities():
    X, y = load_iris(return_X_y=True)
    from sklearn.naive_bayes import GaussianNB

    ours, theirs = (m.fit(X, y).predict_proba(X) for m in (NominalBayes(), GaussianNB()))
    np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_weights_count_cases():
    weight = np.arange(14) % 3
    twice = NominalBayes().fit(WEATHER, PLAY, sample_weight=weight)
    rows = np.repeat(np.arange(14), weight)
    drawn = NominalBayes().fit(WEATHER.iloc[rows], np.array(PLAY)[rows])
    np.testing.assert_allclose(twice.predict_proba(WEATHER), drawn.predict_proba(WEATHER))


def test_a_negative_count_is_refused():
    with pytest.raises(ParameterError, match="laplace must be a number of at least 0"):
        NominalBayes(laplace=-1).fit([["a"], ["b"]], [0, 1])


@pytest.mark.parametrize("weighted", [False, True])
def test_leaves_of_a_probability_tree_are_counted_with_some_cases_more(weighted):
    X, y = load_iris(return_X_y=True)
    weight = np.arange(len(y)) % 3 + 1.0 if weighted else np.ones(len(y))
    model = ProbabilityTree(laplace=2, max_depth=2, random_state=0).fit(X, y, weight)
    found = model.predict_proba(X)
    leaf = model.apply(X)
    for i in range(0, len(y), 7):
        counts = [weight[(leaf == leaf[i]) & (y == c)].sum() for c in range(3)]
        expected = [(n + 2) / (sum(counts) + 6) for n in counts]
        assert found[i] == pytest.approx(expected)
    assert (model.predict(X) == found.argmax(1)).mean() == 1
    plain = ProbabilityTree(laplace=0, random_state=0).fit(X, y)
    assert plain.predict_proba(X).min() == 0
