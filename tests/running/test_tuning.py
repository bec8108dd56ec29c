"""Choosing inside the training part, and the guards against judging by what chose."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from credibly import DataError, ParameterError, best_of, evaluate, run
from credibly.resampling import as_resampling
from credibly.running import final_model, learning_curve, nested, run_datasets
from credibly.running.tuning import select, tuned_threshold

IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)


class TestNested:
    @pytest.mark.thorough
    def test_the_choice_is_made_by_the_training_part_alone(self):
        """On noise the score that chose flatters; the outer folds do not see it."""
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(80, 3)), rng.integers(0, 2, 80)
        tuned = nested("knn", {"k": list(range(1, 20, 2))}, inner="4", rng=1)
        p = run({"tuned": tuned}, X, y, resampling="5x4", rng=1)
        assert evaluate(p, "error_rate", estimate="pooled")["error_rate"].value == pytest.approx(0.5, abs=0.12)  # fmt: skip

    def test_what_is_chosen_is_the_best_of_a_run(self):
        X, y = CANCER
        tuned = nested("tree", {"max_depth": [1, 2, 6]}, inner="5", measure="auc", rng=3).fit(X, y)
        p = run([f"tree(max_depth={d})" for d in (1, 2, 6)], X, y, resampling="5", rng=3)
        table = evaluate(p, "auc", estimate="pooled", interval="none")
        best = max(table.estimates, key=lambda e: e.value).keys["model"]
        assert best == f"tree(max_depth={tuned.best_params_['max_depth']})"
        assert tuned.predict_proba(X[:2]).shape == (2, 2)

    def test_what_the_choice_is_worth_follows_from_the_predictions_that_are_kept(self):
        X, y = IRIS
        tuned = nested("knn", {"k": [1, 5, 40]}, inner="3", rng=3, keep_predictions=True).fit(X, y)
        best = best_of(tuned.held_out_, "error_rate", rng=1, replicates=200)
        assert best.chosen == f"knn(k={tuned.best_params_['k']})"
        assert best.corrected.value > best.naive.value
        assert not hasattr(nested("knn", {"k": [1]}, inner="3").fit(X, y), "held_out_")

    def test_an_estimator_as_scheme(self):
        tuned = nested(DecisionTreeClassifier(), {"max_depth": [1, 3]}, inner="3", rng=1)
        tuned.fit(*IRIS)
        assert tuned.best_params_ == {"max_depth": 3}
        assert tuned.predict(IRIS[0][:1]).tolist() == [0]

    def test_the_score_that_chose_is_refused(self):
        tuned = nested("knn", {"k": [1, 3]}, inner="3", rng=1).fit(*IRIS)
        with pytest.raises(ParameterError, match="measured on the data that chose it"):
            _ = tuned.best_score_
        with pytest.raises(ParameterError, match="measured on the data that chose it"):
            _ = tuned_threshold("naive-bayes").best_score_

    def test_a_fitted_search_object_is_not_judged_by_its_own_score(self):
        search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, cv=3).fit(*IRIS)
        with pytest.raises(
            ParameterError, match="best_score_ was measured on the data that chose it"
        ):
            evaluate(search, "accuracy")

    @pytest.mark.parametrize("grid", [{}, {"k": []}, {"k": "abc"}])
    def test_a_grid_without_values(self, grid):
        with pytest.raises(ParameterError, match="grid must give a list of values"):
            nested("knn", grid).fit(*IRIS)

    def test_a_measure_without_a_better_end(self):
        with pytest.raises(ParameterError, match="no better direction"):
            nested("linear", {"fit_intercept": [True, False]}, measure="bias", rng=1).fit(
                IRIS[0][:, :2], IRIS[0][:, 2]
            )


class TestThreshold:
    def test_it_is_the_best_of_the_held_out_scores(self):
        X, y = CANCER[0][:, :2], CANCER[1]
        model = tuned_threshold("naive-bayes", measure="mcc", inner="4", rng=1).fit(X, y)
        p = run("naive-bayes", X, y, resampling="4", rng=1)
        values = {}
        for cut in np.unique(p.probability):
            label = p.probability >= cut
            values[cut] = (
                np.corrcoef(label, p.truth)[0, 1] if label.any() and not label.all() else -1
            )
        assert values[model.best_threshold_] == pytest.approx(max(values.values()))
        labels = model.predict(X)
        score = model.predict_proba(X)[:, 1]
        assert (labels == (score >= model.best_threshold_)).all()

    def test_what_a_tuned_threshold_is_worth(self):
        X, y = CANCER
        tuned = tuned_threshold("naive-bayes", measure="f1", inner="3", rng=1, keep_predictions=True)  # fmt: skip
        tuned.fit(X, y)
        best = best_of(tuned.held_out_, "f1", thresholds=True, rng=1, replicates=100)
        assert best.candidates[0].threshold == tuned.best_threshold_
        assert best.optimism > 0

    def test_a_run_takes_the_labels_of_the_threshold(self):
        X, y = CANCER[0][:, :2], CANCER[1]
        p = run({"t": tuned_threshold("naive-bayes", inner="3")}, X, y, resampling="3", rng=1)
        assert p.provides == ("label", "probability")
        assert (p.label != (p.probability >= 0.5)).any()

    def test_what_it_needs(self):
        with pytest.raises(ParameterError, match="measure of two-class labels"):
            tuned_threshold("naive-bayes", measure="auc").fit(*CANCER)
        with pytest.raises(DataError, match="two classes and a positive one"):
            tuned_threshold("naive-bayes").fit(*IRIS)


class TestSelection:
    def test_chosen_by_validation_judged_by_test(self):
        depths = [f"tree(max_depth={d})" for d in (1, 2, 8)]
        p = run(depths, *CANCER, resampling="three_way", rng=1)
        chosen = select(p, "error_rate")
        errors = {m: (v.truth != v.label).mean() for m in depths for v in [p.where(model=m, part="validation")]}  # fmt: skip
        assert errors[chosen.model] == min(errors.values())
        mine = p.where(model=chosen.model)
        assert evaluate(chosen.predictions, "error_rate")["error_rate"].value == (mine.truth != mine.label).mean()  # fmt: skip

    def test_without_a_validation_part(self):
        with pytest.raises(DataError, match="no validation part"):
            select(run("tree", *IRIS, resampling="3", rng=1), "error_rate")


class TestLearningCurve:
    def test_test_parts_stay_and_training_parts_grow(self):
        curve = learning_curve(
            ["tree", "zero-r"], *IRIS, sizes=[0.2, 50, 1.0], resampling="5", rng=1
        )
        assert curve.sizes == (24, 50, 120)
        small, middle, full = curve.predictions.values()
        for p in (small, middle):
            np.testing.assert_array_equal(p.row, full.row)
            np.testing.assert_array_equal(p.fold, full.fold)
        assert set(small.n_train.tolist()) == {24.0}
        whole = run(["tree", "zero-r"], *IRIS, resampling="5", rng=1)
        assert sorted(full.row.tolist()) == sorted(whole.row.tolist())
        np.testing.assert_allclose(small.baseline, 1 / 3)  # the classes stay in proportion

    def test_its_table_has_intervals(self):
        curve = learning_curve("naive-bayes", *CANCER, sizes=[0.1, 1.0], resampling="5", rng=1)
        table = curve.table(["error_rate", "auc"])
        assert [e.keys["trained on"] for e in table.estimates] == [45, 45, 455, 455]
        assert all(
            e.interval is not None and e.interval.about == "training" for e in table.estimates
        )
        first, last = table.where(measure="auc")
        assert last.interval.high - last.interval.low < first.interval.high - first.interval.low

    def test_sizes_that_do_not_fit(self):
        with pytest.raises(ParameterError, match="up to the 120 of the smallest training part"):
            learning_curve("tree", *IRIS, sizes=[121], resampling="5", rng=1)


class TestDatasets:
    def test_independent_sets_have_a_plain_interval(self):
        def draw(rng):
            y = np.arange(40) % 2
            return rng.normal(y[:, None], 1, (40, 2)), y

        p = run_datasets("naive-bayes", draw, datasets=6, rng=1)
        e = evaluate(p, "error_rate", estimate="dataset_mean")["error_rate"]
        want = [(p.truth != p.label)[p.repeat == b].mean() for b in range(6)]
        assert e.values == pytest.approx(want)
        half = 2.5705818366147395 * np.std(want, ddof=1) / np.sqrt(6)  # t of 5 degrees of freedom
        assert e.interval.high - e.interval.low == pytest.approx(2 * half)
        assert e.interval.about == "datasets"
        assert not e.findings
        with pytest.raises(ParameterError, match="at least 2"):
            run_datasets("naive-bayes", draw, datasets=1, rng=1)
        with pytest.raises(DataError, match="leaves no row"):
            run_datasets("naive-bayes", draw, datasets=2, test=0.001, rng=1)


def test_the_final_model_says_what_estimates_are_about():
    final = final_model("tree(max_depth=2)", *IRIS, rng=1)
    assert final.estimator.predict(IRIS[0][:1]).tolist() == [0]
    assert "fitted on all 150 rows" in str(final)
    assert "itself was not evaluated" in final.about


def test_a_resampling_serves_as_inner_splitter_of_a_search():
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": [1, 3]},
        cv=as_resampling("3").seeded(1),
    )
    p = run({"search": search}, *IRIS, resampling="3", rng=1)
    assert evaluate(p, "error_rate", estimate="pooled")["error_rate"].value < 0.15
