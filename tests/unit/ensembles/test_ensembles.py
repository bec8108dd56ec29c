"""Combining given predictions, how models differ, and ensembles that grow."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.decomposition import PCA
from sklearn.svm import SVC

import credibly
from credibly import DataError, ParameterError, Predictions
from credibly.ensembles import AdaBoost, combinations, combine, diversity, ensemble_curve
from credibly.ensembles._declare import Opinions
from credibly.ensembles.combine import opinions_of
from credibly.ensembles.combiners import _cuts, convex_weights
from credibly.errors import MissingColumnError


def labelled(truth, *labels, **more):
    n = len(truth)
    return Predictions.of(
        list(truth) * len(labels),
        label=[x for each in labels for x in each],
        model=np.repeat(list("abcdef")[: len(labels)], n),
        row=np.tile(np.arange(n), len(labels)),
        **more,
    )


def only(p, name):
    return p.take(p.model == name)


@pytest.fixture(scope="module")
def runs():
    X, y = load_breast_cancer(return_X_y=True)
    return credibly.run(["tree", "naive-bayes", "logistic"], X, y, resampling="5", rng=1)


# --- votes and means


def test_a_vote_of_several_classes_by_hand():
    p = labelled("abc", "abb", "abb", "acc", "bca")
    made = only(combine(p, "vote"), "vote")
    assert [made.classes[i] for i in made.label] == ["a", "b", "b"]


def test_ties_go_to_the_positive_class_or_to_none_and_are_counted():
    p = labelled([0, 1, 1], [0, 1, 0], [1, 1, 1])
    made = combine(p, ["vote", "vote(doubt=True)"])
    assert only(made, "vote").label.tolist() == [1, 1, 1]
    assert only(made, "vote(doubt=True)").label.tolist() == [-1, 1, -1]
    said = [f.message for f in made.findings if f.code == "tied-votes"]
    assert said == [
        "2 cases of 3 with equally many votes for two classes go to 1.",
        "2 cases of 3 with equally many votes for two classes are undecided.",
    ]
    assert not [f for f in combine(labelled([0], [0], [0], [1])).findings if "votes" in f.code]


def test_who_has_no_label_does_not_vote():
    p = labelled("aab", ["a", None, None], ["b", "a", None], ["b", None, None])
    assert only(combine(p), "vote").label.tolist() == [1, 0, -1]


def test_scores_of_different_scales_are_combined_by_their_labels():
    p = Predictions.of(
        [0, 1] * 3, score=[-2.0, 5.0, 100.0, 300.0, 7.0, -9.0], threshold=0.0, model=list("aabbcc")
    )
    made = only(combine(p), "vote")
    assert made.score.tolist() == pytest.approx([2 / 3, 2 / 3])


def test_some_of_the_models_can_be_combined(runs):
    made = combine(runs, "average", models=["tree", "logistic"])
    assert sorted(set(made.model.tolist())) == ["average", "logistic", "tree"]
    mean = (only(made, "tree").probability + only(made, "logistic").probability) / 2
    np.testing.assert_allclose(only(made, "average").probability, mean, atol=1e-15)


def test_a_mean_of_probabilities_has_no_more_than_the_mean_brier_score(runs):
    """The square is convex, so averaging cannot lose against drawing a model at random."""
    table = credibly.evaluate(combine(runs, "average"), "brier", estimate="pooled")
    scores = {e.keys["model"]: e.value for e in table.estimates}
    new = scores.pop("average")
    assert new < np.mean(list(scores.values()))


def test_findings_and_provenance_stay(runs):
    made = combine(runs)
    assert made.provenance == runs.provenance
    assert set(runs.findings) <= set(made.findings)


# --- stacking


def test_stacked_weights_are_the_best_convex_ones(runs):
    """A general minimiser under the same constraints finds nothing better."""
    models = tuple(only(runs, name) for name in ("tree", "naive-bayes", "logistic"))
    o = Opinions(("tree", "naive-bayes", "logistic"), models)
    rows = np.arange(o.cases.n)

    def brier(w):
        mean = np.tensordot(w, o.voices, 1)
        return ((mean - np.eye(2)[o.cases.truth]) ** 2).sum(axis=1).mean()

    found = convex_weights(o, rows)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    best = minimize(
        brier,
        np.full(3, 1 / 3),
        bounds=[(0, 1)] * 3,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
        options={"ftol": 1e-15},
    )
    assert brier(found) <= best.fun * (1 + 1e-12)
    assert brier(found) == pytest.approx(best.fun, rel=1e-9)


def of_values(truth, **values):
    models = tuple(Predictions.of(truth, value=v) for v in values.values())
    return Opinions(tuple(values), models)


def test_the_weights_of_models_that_are_off_on_either_side():
    """Half the truth and three too many: scaling weights of free sum would take the first alone."""
    t = np.array([9.0, 10, 11, 9, 10, 11])
    a, b = t / 2, t + 3
    found = convex_weights(of_values(t, a=a, b=b), np.arange(6))
    first = (
        (t - b) @ (a - b) / ((a - b) @ (a - b))
    )  # where the derivative along the segment is zero
    assert found.tolist() == pytest.approx([first, 1 - first], rel=1e-12)
    grid = np.linspace(0, 1, 1001)
    errors = [np.mean((w * a + (1 - w) * b - t) ** 2) for w in grid]
    assert np.mean((found @ [a, b] - t) ** 2) < min(errors)
    assert grid[np.argmin(errors)] == pytest.approx(first, abs=1e-3)


def test_identical_models_share_a_weight():
    t = np.array([9.0, 10, 11, 9, 10, 11])
    a, b = t / 2, t + 3
    two = convex_weights(of_values(t, a=a, b=b), np.arange(6))
    four = convex_weights(of_values(t, a=a, b=b, c=a, d=a), np.arange(6))
    assert four.tolist() == [two[0] / 3, two[1], two[0] / 3, two[0] / 3]


def test_a_perfect_model_has_all_the_weight():
    t = np.array([9.0, 10, 11])
    assert convex_weights(of_values(t, a=t + 1e-9, b=t, c=t + 5), np.arange(3)).tolist() == [
        0,
        1,
        0,
    ]


def test_no_case_has_a_say_in_how_it_is_predicted(runs):
    """With the truth of one fold turned around, its own stacked predictions stay; the others move."""
    fold = only(runs, "tree").fold
    turned = np.where(runs.fold == 0, 1 - runs.truth, runs.truth)
    changed = Predictions.of(
        turned, probability=runs.probability, model=runs.model, row=runs.row, fold=runs.fold
    )
    old, new = (only(combine(p, "stacked"), "stacked") for p in (runs, changed))
    before, after = (p.probability[np.argsort(p.row)] for p in (old, new))
    mine = np.sort(only(runs, "tree").row[fold == 0])
    np.testing.assert_array_equal(before[mine], after[mine])
    assert np.abs(np.delete(before, mine) - np.delete(after, mine)).max() > 0.01


def test_stacking_without_folds_needs_a_seed(runs):
    loose = Predictions.of(runs.truth, probability=runs.probability, model=runs.model, row=runs.row)
    with pytest.raises(MissingColumnError, match=r"Set rng=\.\.\. to make folds"):
        combine(loose, "stacked")
    a, b, c = (only(combine(loose, "stacked", rng=r), "stacked").probability for r in (1, 1, 2))
    assert (a == b).all()
    assert (a != c).any()


def test_repeats_are_stacked_each_by_itself():
    X, y = load_iris(return_X_y=True)
    p = credibly.run(["tree", "naive-bayes"], X, y == 1, resampling="2x3", rng=1)
    made = only(combine(p, "stacked"), "stacked")
    once = p.take(p.repeat == 0)
    alone = only(combine(once, "stacked"), "stacked")
    first = made.take(made.repeat == 0)
    np.testing.assert_allclose(
        first.probability[np.argsort(first.row)], alone.probability[np.argsort(alone.row)]
    )


@pytest.mark.parametrize("resampling", ["repeated_holdout(repeats=6)", "bootstrap(replicates=6)"])
def test_cases_predicted_repeatedly_stay_in_one_fold(resampling):
    """Cases lie in several test parts or there is one, so folds are cut, of cases and not of rows."""
    X, y = load_iris(return_X_y=True)
    p = credibly.run(["tree", "naive-bayes"], X, y == 1, resampling=resampling, rng=1)
    with pytest.raises(MissingColumnError, match="Set rng"):
        combine(p, "stacked")
    o, _ = opinions_of(p, None, 1)
    seen = np.zeros(o.cases.n)
    for train, test in _cuts(o, 5):
        assert not set(o.cases.row[train]) & set(o.cases.row[test])
        seen[test] += 1
    assert (seen == 1).all()


def test_rows_of_unknown_truth_are_left_out_and_counted():
    p = labelled([0, 1, None], [0, 1, 1], [0, 0, 1])
    made = combine(p, "vote")
    assert made.n == 3 * 2
    assert "The truth is missing in 2 rows of 6, which every measure leaves out." in {
        f.message for f in made.findings
    }


def test_probabilities_of_one_class_and_of_all_go_together():
    truth, chance = [0, 1, 1], np.array([0.25, 0.5, 0.75])
    narrow = Predictions.of(truth, probability=chance)
    wide = Predictions.of(truth, probability=np.column_stack([1 - chance, chance]))
    made = combine({"narrow": narrow, "wide": wide}, "average")
    assert made.probability.shape == (9, 2)
    np.testing.assert_allclose(only(made, "average").probability[:, 1], chance)


def test_models_that_say_nothing_are_weighted_alike():
    p = Predictions.of([1.0, 2.0] * 2, value=[0.0] * 4, model=list("aabb"), row=[0, 1] * 2)
    o = Opinions(("a", "b"), tuple(only(p, m) for m in "ab"))
    assert convex_weights(o, np.arange(2)).tolist() == [0.5, 0.5]


# --- what is refused


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda p: combine(p, "stack"), ParameterError, "There is no combination 'stack'"),
        (lambda p: combine(p, models=["tree"]), ParameterError, "two or more models; there is 1"),
        (lambda p: combine(p, models=["tree", "oak"]), ParameterError, "no model 'oak'"),
        (lambda p: combine(only(p, "tree")), ParameterError, "two or more models"),
        (
            lambda p: combine(p, "weighted(weights={'oak': 1})"),
            ParameterError,
            "weights names 'oak'; the models are",
        ),
        (lambda p: combine(combine(p), "vote"), ParameterError, "already a model called 'vote'"),
        (
            lambda p: combine(Predictions.of([0, 1], label=[0, 1])),
            DataError,
            "they have no model column",
        ),
        (
            lambda p: combine({"a": only(p, "tree"), "b": only(p, "tree").take(slice(0, 9))}),
            DataError,
            "not evaluated on the same cases.*keep only the rows that all of them have",
        ),
    ],
)
def test_what_cannot_be_combined_is_refused(runs, make, error, words):
    with pytest.raises(error, match=words):
        make(runs)


def test_numbers_are_not_voted_on():
    p = Predictions.of([1.0, 2.0] * 2, value=[1.0, 2.0, 1.0, 3.0], model=list("aabb"))
    with pytest.raises(DataError, match="Use 'average' or 'median'"):
        combine(p)
    with pytest.raises(DataError, match="never exactly right"):
        diversity(p)


def test_combinations_are_listed():
    from credibly.catalogue.entries import facts_of
    from credibly.catalogue.registries import registry_of

    assert registry_of("combinations") is combinations
    assert facts_of(combinations["stacked"])["also_called"][0] == "stacking"


# --- how models differ


def test_diversity_by_hand():
    """Of ten cases both are right on 5, the first alone on 2, the second alone on 1, neither on 2."""
    truth = [1] * 10
    first = [1] * 7 + [0] * 3
    second = [1] * 5 + [0, 0] + [1] + [0, 0]
    p = labelled([*truth, 0], [*first, 0], [*second, 0])  # and both on another, of the other class
    table = diversity(p)
    n11, n10, n01, n00 = 6, 2, 1, 2
    assert table["disagreement"].value == pytest.approx((n10 + n01) / 11)
    assert table["q_statistic"].value == pytest.approx(
        (n11 * n00 - n01 * n10) / (n11 * n00 + n01 * n10)
    )
    rho = (n11 * n00 - n01 * n10) / np.sqrt(8 * 7 * 3 * 4)
    assert table["error_correlation"].value == pytest.approx(rho)
    from sklearn.metrics import cohen_kappa_score

    kappa = cohen_kappa_score([*first, 0], [*second, 0])
    assert table["label_kappa"].value == pytest.approx(kappa)
    assert all(e.interval for e in table.estimates)
    assert table.estimates[0].keys == {"models": "a and b"}


def test_undecided_labels_agree_with_nothing_whoever_comes_first():
    """Of six cases the two agree on three: by their margins 3, 2 and 2, 3 on 12 of 36 by chance."""
    truth = [0, 1, 0, 1, 0, 1]
    first, second = [0, 1, None, 1, 0, 0], [0, 1, 1, None, 1, 0]
    plain = [0, 0, 1, 1, 1, 0]
    kappa = diversity(labelled(truth, first, second))["label_kappa"].value
    assert kappa == pytest.approx((3 / 6 - 12 / 36) / (1 - 12 / 36))
    for pair in ((first, second), (first, plain)):
        one, other = (diversity(labelled(truth, *p)) for p in (pair, pair[::-1]))
        for a, b in zip(one.estimates, other.estimates, strict=True):
            assert (a.measure, a.n, a.value) == (b.measure, 6, pytest.approx(b.value))
            limits = [(e.interval.low, e.interval.high) for e in (a, b)]
            assert limits[0] == pytest.approx(limits[1], rel=1e-9)


def test_every_pair_is_measured(runs):
    table = diversity(runs)
    assert len(table.where(measure="disagreement")) == 3
    assert "3 pairs of models on 569 cases" in str(table)


# --- growing


@pytest.mark.thorough
def test_training_and_test_error_by_the_number_of_models():
    """Figure 22.9: both fall with the number of boosted lines, the training error at least as far."""
    X, y = load_iris(return_X_y=True)
    lines = AdaBoost(SVC(kernel="linear", C=1))
    grown = ensemble_curve(
        {"lines": lines}, PCA(2).fit_transform(X), y == 1, sizes=[25, 1], resampling="5", rng=3
    )
    assert grown.sizes == (1, 25)
    table = grown.table("error_rate")
    error = {(e.keys["models"], e.keys["part"]): e for e in table.estimates}
    for part in ("train", "test"):
        assert error[1, part].value > 0.25
        assert error[25, part].value < 0.08
        assert error[25, part].interval.about == "training"
    assert "resubstitution" not in {f.code for f in table.all_findings()}
    assert lines.n_estimators == 50, "the caller's estimator is not touched"
    figure = grown.plot()
    assert figure.series() == ["test part", "training part"]
    assert "from 1 to 25" in figure.alt


def test_each_size_is_the_beginning_of_the_next():
    X, y = load_iris(return_X_y=True)
    options = {"resampling": "3", "rng": 1, "progress": False}
    few = ensemble_curve("bagging", X, y, sizes=[3], **options).predictions[3]
    both = ensemble_curve("bagging", X, y, sizes=[3, 6], **options).predictions
    np.testing.assert_array_equal(few.probability, both[3].probability)
    thirds = both[3].probability * 3
    sixths = both[6].probability * 6
    assert ((sixths >= thirds - 1e-9) & (sixths <= thirds + 3 + 1e-9)).all()


@pytest.mark.parametrize("sizes", [[], [0, 1], [1.5], [True]])
def test_sizes_are_whole_numbers(sizes):
    with pytest.raises(ParameterError, match="sizes must be whole numbers of at least 1"):
        ensemble_curve("bagging", [[0], [1]] * 5, [0, 1] * 5, sizes=sizes, rng=1)


def test_what_has_no_models_cannot_grow():
    with pytest.raises(ParameterError, match="naive-bayes has no parameter n_estimators"):
        ensemble_curve("naive-bayes", [[0], [1]] * 5, [0, 1] * 5, resampling="2", rng=1)


def test_margins_are_those_of_the_votes():
    """Boosting raises the share of votes for the actual class; the curve of margins shows it."""
    X, y = load_breast_cancer(return_X_y=True)
    p = credibly.run(["adaboost(k=3)", "adaboost(k=60)"], X, y, resampling="3", rng=1)
    few, many = (
        credibly.curve("margin", only(p, name)) for name in ("adaboost(k=3)", "adaboost(k=60)")
    )
    assert many.numbers["not_above_zero"] < few.numbers["not_above_zero"]


def test_models_of_labels_alone_vote_with_shares():
    """Two of three say yes: two thirds, which the ROC curve ranks by; the models themselves have no score."""
    p = Predictions.of(
        [1, 0, 1, 0] * 3, label=[1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0],
        model=["a"] * 4 + ["b"] * 4 + ["c"] * 4, row=[0, 1, 2, 3] * 3,
    )  # fmt: skip
    made = combine(p, "vote")
    new = made.where(model="vote")
    assert new.score == pytest.approx([1, 0, 2 / 3, 1 / 3])
    assert new.label.tolist() == [1, 0, 1, 0]
    table = credibly.evaluate(made, "auc")
    assert table.where(model="vote")[0].value == 1
    assert np.isnan(table.where(model="a")[0].value)


def test_shares_of_votes_for_three_classes_are_probabilities():
    p = Predictions.of(list("abc") * 3, label=list("aba") + list("abb") + list("acc"),
                       model=[1] * 3 + [2] * 3 + [3] * 3, row=[0, 1, 2] * 3)  # fmt: skip
    new = combine(p, "vote").where(model="vote")
    thirds = [[1, 0, 0], [0, 2 / 3, 1 / 3], [1 / 3, 1 / 3, 1 / 3]]
    np.testing.assert_allclose(new.probability_matrix("a test"), thirds)


def test_columns_of_the_cases_are_kept_for_each_model_and_combination():
    columns = {"sex": ["f", "m", "f"]}
    models = {
        name: Predictions.of([0, 1, 1], probability=score, columns=columns)
        for name, score in {"a": [0.1, 0.9, 0.4], "b": [0.2, 0.3, 0.8]}.items()
    }
    made = combine(models, "average")
    assert made.columns["sex"].tolist() == ["f", "m", "f"] * 3
    assert {e.keys["sex"] for e in credibly.evaluate(made, "error_rate", by="sex").estimates} == {
        "f",
        "m",
    }
