"""Bagging and AdaBoost: scikit-learn's contract, the algorithm step by step, ties and degenerate learners."""

import math

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.decomposition import PCA
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import credibly
from credibly import ParameterError
from credibly.schemes import AdaBoost, Bagging, reweighted, vote_weight
from credibly.schemes._voting import Lessons, Trial

EVERY = [
    Bagging(n_estimators=3),
    Bagging(GaussianNB(), 4, voting="probability"),
    AdaBoost(n_estimators=20),
    AdaBoost(GaussianNB(), 3, multiclass="m1"),
]


@pytest.mark.daily
@parametrize_with_checks(EVERY)
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("make", [Bagging, AdaBoost])
def test_a_cell_that_is_no_value_is_refused_though_no_sample_holds_it(make):
    X = np.arange(80, dtype=float).reshape(40, 2).astype(object)
    X[0, 0] = {"foo": "bar"}
    y = np.arange(40) % 2
    never = np.ones(40)
    never[0] = 0
    with pytest.raises(TypeError, match=r"argument must be .* string.* number"):
        make(GaussianNB(), 3).fit(X, y, sample_weight=never)


@pytest.fixture(scope="module")
def iris():
    """Two principal components; versicolor against the rest, written +1 and -1."""
    X, y = load_iris(return_X_y=True)
    return PCA(2).fit_transform(X), np.where(y == 1, 1, -1)


class Scripted(ClassifierMixin, BaseEstimator):
    """Predicts what the first column says, or the opposite; learns nothing."""

    def __init__(self, column=0, flip=False):
        self.column = column
        self.flip = flip

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        said = np.asarray(X)[:, self.column].astype(int)
        return 1 - said if self.flip else said


class Forgetful(Scripted):
    """Another column at each fit, so that rounds differ though nothing is learnt."""

    fits = 0

    def fit(self, X, y):
        Forgetful.fits += 1
        self.column = (Forgetful.fits - 1) % X.shape[1]
        return super().fit(X, y)


# --- AdaBoost, step by step


def test_every_round_follows_the_algorithm(iris):
    """Algorithm 22.5 with t <= K, written out again from what the models predict."""
    X, y = iris
    model = AdaBoost(SVC(kernel="linear", C=1), 8, random_state=3).fit(X, y)
    assert len(model.estimators_) == len(model.alphas_) == 8
    w = np.full(len(y), 1 / len(y))
    for each, alpha, error in zip(model.estimators_, model.alphas_, model.errors_, strict=True):
        wrong = model.classes_[each.predict(X)] != y
        epsilon = w[wrong].sum()
        assert error == pytest.approx(epsilon, abs=1e-12)
        assert 0 < epsilon < 0.5
        assert alpha == pytest.approx(math.log((1 - epsilon) / epsilon), abs=1e-9)
        w = np.where(wrong, w * (1 / epsilon - 1), w)
        w /= w.sum()
        assert w[wrong].sum() == pytest.approx(0.5), "for the next model it is a coin"


def test_the_vote_is_the_sign_of_the_weighted_sum(iris):
    X, y = iris
    model = AdaBoost(n_estimators=7, random_state=0).fit(X, y)
    said = np.array([model.classes_[m.predict(X)] for m in model.estimators_])
    total = model.alphas_ @ said
    np.testing.assert_allclose(model.decision_function(X), total, atol=1e-12)
    assert (model.predict(X) == np.where(total > 0, 1, -1)).all()
    assert model.findings_ == ()


def test_boosted_lines_bend_round_iris(iris):
    """Example 22.14: no line is right in more than three of four cases, 25 together in 95 of 100."""
    X, y = iris
    for seed in range(3):
        model = AdaBoost(SVC(kernel="linear", C=1), 25, random_state=seed).fit(X, y)
        each = [(p != y).mean() for p in model.staged_predict(X)]
        assert len(each) == 25
        assert each[0] > 0.25
        assert each[-1] < 0.05
        assert (model.predict(X) != y).mean() == each[-1]


def test_classes_that_are_not_signs_are_mapped_and_it_is_said(iris):
    X, y = iris
    named = np.where(y > 0, "versicolor", "other")
    signed, mapped = (AdaBoost(n_estimators=5, random_state=1).fit(X, t) for t in (y, named))
    np.testing.assert_array_equal(signed.decision_function(X), mapped.decision_function(X))
    (said,) = mapped.findings_
    assert said.code == "signed-classes"
    assert "'other' counts as -1 and 'versicolor' as +1" in said.message


def test_a_perfect_model_stands_alone():
    X = np.array([[0, 1], [0, 1], [1, 1], [1, 0]] * 3, float)
    y = X[:, 0].astype(int)
    first = AdaBoost(DecisionTreeClassifier(), 9, random_state=0).fit(X, y)
    assert first.alphas_.tolist() == [1.0]
    assert first.errors_.tolist() == [0.0]
    assert "perfect-learner" in {f.code for f in first.findings_}
    Forgetful.fits = 1  # so that the first to come reads the second column, with 1/4 + 1/2 wrong
    X[:, 1] = y
    X[0, 1] = 1
    later = AdaBoost(Forgetful(), 9, random_state=0).fit(X, y)
    assert later.alphas_.tolist() == [1.0], "those before it are dropped: it would outvote them"
    assert "Model 2 makes no error" in later.findings_[-1].message
    assert (later.predict(X) == y).all()


def test_models_no_better_than_chance_are_discarded_up_to_a_limit():
    X = np.array([[0], [0], [0], [1]] * 5)
    y = np.array([1, 1, 1, 0] * 5)  # the column says the opposite always
    for retries in (0, 3):
        drawn = []

        class Counting(Scripted):
            def fit(self, X, y, drawn=drawn):
                drawn.append(1)
                return super().fit(X, y)

        model = AdaBoost(Counting(), 5, retries=retries, random_state=0).fit(X, y)
        assert len(drawn) == retries + 1
        assert model.alphas_.tolist() == [1.0], "something must answer"
        assert model.findings_[-1].code == "weak-learner"
        assert f"None of {retries + 1} samples" in model.findings_[-1].message


def test_learning_ends_when_later_models_are_too_weak():
    """The same rule again is wrong on exactly half of the new weights."""
    X, y = np.array([[0], [0], [1], [1]] * 5), np.array([0, 0, 1, 0] * 5)
    model = AdaBoost(Scripted(), 5, retries=2, random_state=0).fit(X, y)
    assert model.errors_.tolist() == pytest.approx([0.25])
    assert model.alphas_.tolist() == pytest.approx([math.log(3)])
    assert "ended after 1" in model.findings_[-1].message


def test_a_vote_can_be_turned_around():
    X, y = np.array([[0, 1], [0, 1], [1, 0], [1, 1]] * 5), np.array([1, 1, 0, 1] * 5)
    straight = AdaBoost(Scripted(flip=True), 1, random_state=0).fit(X, y)
    turned = AdaBoost(Scripted(), 1, weak="invert", random_state=0).fit(X, y)
    assert turned.errors_.tolist() == pytest.approx([0.75])
    assert turned.alphas_.tolist() == pytest.approx([-math.log(3)])
    np.testing.assert_allclose(turned.decision_function(X), straight.decision_function(X))
    assert (turned.predict_proba(X) >= 0).all()
    opposite = AdaBoost(Scripted(), 3, weak="invert", random_state=0).fit(X, 1 - X[:, 0])
    assert opposite.alphas_.tolist() == [-1.0]
    assert (opposite.predict(X) == 1 - X[:, 0]).all()


@pytest.mark.parametrize("weak", ["discard", "invert"])
@pytest.mark.parametrize("n", [7, 10, 11, 23, 70])
def test_an_error_of_chance_but_for_rounding_is_no_better_than_chance(weak, n):
    """The weights that a constant leaves make every other constant wrong on exactly half of them."""
    X, y = np.zeros((n, 1)), np.arange(n) < n // 3
    model = AdaBoost("zero-r", 10, weak=weak, random_state=1).fit(X, y)
    assert len(model.estimators_) == 1
    assert model.findings_[-1].code == "weak-learner"


def test_inverting_is_for_two_classes(iris):
    X, _ = iris
    with pytest.raises(ParameterError, match="two classes; there are 3"):
        AdaBoost(weak="invert").fit(X, load_iris().target)


def test_several_classes_ask_less_of_a_model():
    """Ten classes: a single split is wrong on most cases, and still better than chance (9/10)."""
    rng = np.random.default_rng(0)
    y = np.arange(300) % 10
    X = rng.normal(y[:, None], 0.3, (300, 1))
    samme = AdaBoost(n_estimators=60, random_state=0).fit(X, y)
    assert len(samme.alphas_) == 60
    assert samme.errors_[0] > 0.5
    assert samme.alphas_[0] == pytest.approx(
        math.log((1 - samme.errors_[0]) / samme.errors_[0]) + math.log(9)
    )
    assert (samme.predict(X) != y).mean() < 0.3
    m1 = AdaBoost(n_estimators=60, multiclass="m1", random_state=0).fit(X, y)
    assert m1.alphas_.tolist() == [1.0]
    assert m1.findings_[-1].code == "weak-learner"


def test_two_classes_make_no_difference_between_the_two_ways(iris):
    X, y = iris
    a, b = (
        AdaBoost(n_estimators=5, multiclass=m, random_state=2).fit(X, y) for m in ("samme", "m1")
    )
    assert a.alphas_.tolist() == b.alphas_.tolist()


def test_an_error_as_small_as_can_be_leaves_numbers_finite():
    weight = np.array([5e-324, 0.5, 0.5])
    wrong = np.array([True, False, False])
    alpha = vote_weight(float(np.average(wrong, weights=weight)))
    assert math.isfinite(alpha)
    assert reweighted(weight, wrong, alpha).sum() == pytest.approx(1)
    assert vote_weight(0.0) == math.inf
    assert vote_weight(0.5) == 0


# --- bagging


def test_bagging_is_the_case_of_equal_weights_and_votes(iris, monkeypatch):
    """AdaBoost whose judge finds every model a coin with one mistake's weight moved by nothing."""
    X, y = iris
    monkeypatch.setattr("credibly.schemes._voting.reweighted", lambda weight, wrong, alpha: weight)
    monkeypatch.setattr("credibly.schemes._voting.vote_weight", lambda error, k: 1.0)
    monkeypatch.setattr(
        Lessons, "trial", lambda self, model, weight: Trial(model, np.zeros(1, bool), 0.25)
    )
    boosted = AdaBoost("tree", 7, random_state=5).fit(X, y)
    bagged = Bagging("tree", 7, random_state=5).fit(X, y)
    np.testing.assert_array_equal(boosted.votes(X), bagged.votes(X))


@pytest.mark.parametrize("learner", [DecisionTreeClassifier(max_depth=2), SVC(kernel="linear")])
def test_the_votes_of_scikit_learns_models_are_counted_alike(learner):
    """Its bagging averages probabilities, or counts votes where there are none."""
    X, y = load_iris(return_X_y=True)
    theirs = BaggingClassifier(learner, 6, random_state=0).fit(X, y)
    voting = "probability" if hasattr(learner, "predict_proba") else "majority"
    ours = Bagging(learner, 6, voting=voting, random_state=0).fit(X, y)
    ours.estimators_ = theirs.estimators_
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_equal_votes_go_to_the_first_class_and_even_numbers_are_named():
    X, y = np.array([[0, 1]] * 10), np.array(["no", "yes"] * 5)
    model = Bagging(n_estimators=2, random_state=0).fit(X, y)
    model.estimators_ = [Scripted(0).fit(X, [0, 1]), Scripted(1).fit(X, [0, 1])]
    assert model.predict_proba(X[:1]).tolist() == [[0.5, 0.5]]
    assert model.decision_function(X[:1]).tolist() == [0.0]
    assert model.predict(X[:1]).tolist() == ["no"]
    (said,) = model.findings_
    assert said.code == "even-votes"
    assert "no then wins" in said.message
    assert Bagging(n_estimators=3, random_state=0).fit(X, y).findings_ == ()


def test_a_sample_of_one_class_teaches_a_constant():
    """With one case of the class in four, samples without it are common; an SVC would refuse them."""
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 0, 1])
    model = Bagging(SVC(), 15, random_state=0).fit(X, y)
    assert len(model.estimators_) == 15
    assert {len(m.classes_) for m in model.estimators_} == {1, 2}


@pytest.mark.parametrize("make", [Bagging, AdaBoost])
def test_stages_are_the_smaller_ensembles(make, iris):
    X, y = iris
    large = make(n_estimators=6, random_state=4).fit(X, y)
    stages = list(large.staged_predict_proba(X))
    for k in (1, 4, 6):
        small = make(n_estimators=k, random_state=4).fit(X, y)
        np.testing.assert_allclose(small.predict_proba(X), stages[k - 1], atol=1e-15)


@pytest.mark.parametrize("make", [Bagging, AdaBoost])
def test_rows_without_weight_are_never_learnt_from(make, iris):
    X, y = iris
    noise = np.vstack([X, X]), np.append(y, -y)
    weight = np.repeat([1.0, 0.0], len(y))
    whole = make(n_estimators=5, random_state=0).fit(*noise, sample_weight=weight)
    clean = make(n_estimators=5, random_state=0).fit(X, y)
    np.testing.assert_allclose(whole.predict_proba(X), clean.predict_proba(X), atol=1e-12)


def test_heavy_cases_pull_the_vote(iris):
    X, y = iris
    weight = np.where(y > 0, 20.5, 1.0)
    plain, pulled = (
        Bagging("naive-bayes", 11, random_state=0).fit(X, y, sample_weight=w)
        for w in (None, weight)
    )
    assert (pulled.predict(X) > 0).sum() > (plain.predict(X) > 0).sum()


@pytest.mark.parametrize(
    ("weight", "size"), [([1, 1, 1], 3), ([2, 0, 4], 6), ([0.5, 1, 2], 3), ([5000, 2000, 1000], 3)]
)
def test_whole_weights_count_cases_unless_they_are_huge(weight, size):
    drawn = []

    class Counting(Scripted):
        def fit(self, X, y):
            drawn.append(len(y))
            return super().fit(X, y)

    X, y = np.array([[0], [1], [0]]), np.array([0, 1, 1])
    Bagging(Counting(), 9, random_state=0).fit(X, y, sample_weight=weight)
    assert set(drawn) == {size}


@pytest.mark.parametrize("make", [Bagging, AdaBoost])
def test_learners_by_name_take_text_and_gaps(make):
    rng = np.random.default_rng(1)
    town = rng.choice(["Bern", "Rome", None], 80)
    size = np.where(rng.random(80) < 0.2, np.nan, rng.normal(size=80))
    frame = pd.DataFrame({"town": town, "size": size})
    y = np.where((town == "Rome") | (size > 1), "dear", "cheap")
    for learner in ("tree(max_depth=2)", "knn(k=3)", "naive-bayes", "one-r"):
        model = make(learner, 5, random_state=0).fit(frame, y)
        assert (model.predict(frame) == y).mean() > 0.6
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"size": "length"}))


@pytest.mark.parametrize("make", [Bagging, AdaBoost])
def test_a_quantity_is_refused_and_many_classes_are_not(make):
    with pytest.raises(ValueError, match="is for classes; y holds 214 different numbers"):
        make(n_estimators=2).fit(*load_diabetes(return_X_y=True))
    y = np.repeat(np.arange(30), 5)
    assert len(make("tree", n_estimators=2, random_state=0).fit(y[:, None], y).classes_) == 30


@pytest.mark.parametrize("make", [Bagging, AdaBoost])
@pytest.mark.parametrize("k", [0, -1, 2.5, True, "many"])
def test_at_least_one_model(make, k):
    with pytest.raises(ParameterError, match="at least 1; got"):
        make(n_estimators=k).fit([[0], [1]], [0, 1])


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Bagging(voting="hard"), "voting must be one of 'majority', 'probability'"),
        (Bagging("svm", voting="probability"), "gives no probabilities. Use voting='majority'"),
        (Bagging("lasso"), "predicts numbers"),
        (Bagging(LinearRegression()), "predicts numbers"),
        (Bagging("nosuch"), "There is no scheme 'nosuch'"),
        (AdaBoost(weak="keep"), "weak must be one of"),
        (AdaBoost(multiclass="r2"), "multiclass must be one of"),
        (AdaBoost(retries=-1), "retries must be a whole number of at least 0"),
    ],
)
def test_what_cannot_be_is_refused(model, words):
    with pytest.raises(ParameterError, match=words.replace("(", r"\(")):
        model.fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])


# --- in a run


def test_a_run_says_what_the_models_doubt():
    X, y = load_breast_cancer(return_X_y=True)
    names = ["bagging(k=4, base='naive-bayes')", "adaboost(base='tree', k=3)"]
    p = credibly.run(names, X, y, resampling="3", rng=1)
    said = {f.code: f for f in p.findings}
    assert "in 3 fits: 4 votes on two classes" in said["even-votes"].message
    assert "share of votes was taken" in said["output-taken"].message
    assert "signed-classes" not in said


def test_ties_of_votes_are_the_models_and_those_of_probabilities_the_positive_class():
    """What one scheme predicts must not depend on the company it is in."""
    X, y = load_breast_cancer(return_X_y=True)
    alone = credibly.run("knn(k=4)", X, y, resampling="3", rng=1)
    both = credibly.run(["knn(k=4)", "bagging(k=2)"], X, y, resampling="3", rng=1)
    knn = both.take(both.model == "knn(k=4)")
    np.testing.assert_array_equal(
        knn.label[np.argsort(knn.row)], alone.label[np.argsort(alone.row)]
    )
    bagged = both.take(both.model == "bagging(k=2)")
    tied = bagged.probability == 0.5
    assert tied.any()
    assert (bagged.label[tied] == 0).all()
