"""What run records: the same splits for every scheme, the training part behind every row, and what failed."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from credibly import DataError, ParameterError, evaluate, run
from credibly.errors import MissingColumnError
from credibly.resampling import as_resampling
from credibly.running import nested
from running.models import (
    Ends,
    FailsWithout,
    Interrupts,
    Labels,
    Spoils,
    SpoilsProbabilities,
    Warns,
    WarnsALot,
)

IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def codes_of(p):
    return {f.code for f in p.findings}


@pytest.mark.parametrize("exact", [True, False])
def test_predictions_are_those_of_scikit_learn_on_the_same_splits(exact):
    splitter = StratifiedKFold(5, shuffle=True, random_state=3)
    p = run(GaussianNB(), *CANCER, resampling=splitter, exact_shortcuts=exact)
    want = cross_val_predict(GaussianNB(), *CANCER, cv=splitter, method="predict_proba")[:, 1]
    np.testing.assert_allclose(p.probability, want[p.row], rtol=0, atol=1e-12)
    assert sorted(p.row) == list(range(len(CANCER[1])))
    assert p.classes[p.positive] == 1


def test_splits_that_a_shortcut_leaves_to_refitting_stand_where_the_others_do():
    X, y = np.random.default_rng(4).normal(size=(30, 3)), np.arange(30.0)
    X[:, 0] = X[:, 1]
    X[7, 0] += 1  # without this row two columns are the same
    short, fitted = (
        run(Ridge(1e-9), X, y, resampling="nested_cv(k=5, repeats=2)", rng=1, exact_shortcuts=exact)
        for exact in (True, False)
    )
    assert {f.how for f in short.provenance.fits} == {"value", "value, exact shortcut"}
    for mine, whole in ((short, fitted), (short.seen, fitted.seen)):
        for column in ("row", "repeat", "fold", "part", "n_train"):
            assert np.array_equal(getattr(mine, column), getattr(whole, column))
    for ours, theirs in zip(short.provenance.fits, fitted.provenance.fits, strict=True):
        assert ours[:5] == theirs[:5]


def test_every_scheme_is_judged_on_the_same_rows():
    p = run(["tree", "naive-bayes", "zero-r"], *IRIS, resampling="3x5", rng=1)
    assert p.n == 3 * 3 * 150
    for keys, _ in p.groups(["repeat", "fold"]):
        here = (p.repeat == keys["repeat"]) & (p.fold == keys["fold"])
        rows = {tuple(p.row[here & (p.model == m)]) for m in ("tree", "naive-bayes", "zero-r")}
        assert len(rows) == 1


def test_the_training_part_is_recorded_with_every_row():
    X, y = IRIS
    splits = as_resampling("folds(k=4, stratified=False)").realise(150, y, rng=7)
    p = run("zero-r", X, y, resampling="folds(k=4, stratified=False)", rng=7)
    for split in splits:
        mine = np.isin(p.row, split.test)
        share = np.bincount(y[split.train], minlength=3) / len(split.train)
        np.testing.assert_allclose(p.baseline[mine], np.tile(share, (mine.sum(), 1)))
        assert (p.n_train[mine] == len(split.train)).all()
        assert (p.fold[mine] == split.fold).all()
    assert set(p.part.tolist()) == {"test"}
    assert p.provenance.splits == splits.fingerprint
    assert p.provenance.seed == 7


def test_numbers_and_their_training_means():
    X, y = DIABETES
    p = run(LinearRegression(), X, y, resampling="5", rng=1, task="numeric")
    assert p.task == "numeric"
    for split in as_resampling("5").realise(len(y), rng=1):
        mine = np.isin(p.row, split.test)
        np.testing.assert_allclose(p.baseline[mine], y[split.train].mean())


def test_weights_go_into_fits_and_into_baselines():
    X, y = CANCER
    w = np.where(y == 1, 1.0, 3.0)
    repeated = np.repeat(np.arange(len(y)), w.astype(int))
    one = run(LogisticRegression(C=1e-3, max_iter=10_000), X[:, :2], y, resampling=[(np.arange(400), np.arange(400, 569))], sample_weight=w)  # fmt: skip
    rows = repeated[repeated < 400]
    train = np.arange(len(rows))
    both = np.concatenate([X[rows, :2], X[400:, :2]]), np.concatenate([y[rows], y[400:]])
    other = run(LogisticRegression(C=1e-3, max_iter=10_000), *both, resampling=[(train, np.arange(len(rows), len(both[1])))])  # fmt: skip
    np.testing.assert_allclose(one.probability, other.probability, atol=1e-4)
    np.testing.assert_allclose(one.baseline, other.baseline)
    assert one.weight.tolist() == w[400:].tolist()


def test_a_scheme_that_fails_leaves_the_others_alone():
    X = np.column_stack([np.arange(40.0), np.ones(40)])
    y = np.arange(40) % 2
    p = run({"bad": FailsWithout(5.0), "good": Labels()}, X, y, resampling="4", rng=1)
    (failed,) = p.provenance.failed
    assert failed.model == "bad"
    assert failed.error == "RuntimeError: 5.0 is gone"
    assert (p.model == "good").sum() == 40
    assert (p.model == "bad").sum() == 30
    (said,) = [f for f in p.findings if f.code == "failed-fits"]
    assert f"repeat 0, fold {failed.fold}" in said.message
    assert "bad failed in 1 of 4 fits" in said.message


def test_if_everything_fails_the_first_error_is_raised():
    X, y = IRIS
    with pytest.raises(
        DataError, match=r"All 3 fits failed, first bad in repeat 0, fold 0: Runtime"
    ):
        run({"bad": FailsWithout(-1.0)}, X, y, resampling="3", rng=1)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (SpoilsProbabilities("nan"), "probabilities are not finite in 10 cases"),
        (SpoilsProbabilities("sum"), "do not sum to 1"),
        (SpoilsProbabilities("negative"), "probabilities are negative"),
        (Spoils("label"), "it predicts 9, which is not one of the classes"),
    ],
)
def test_a_bad_output_is_the_failure_of_one_fit(model, said):
    X = np.column_stack([np.arange(40.0), np.ones(40)])
    y = np.arange(40) % 2
    p = run({"spoils": model, "good": "naive-bayes"}, X, y, resampling="4", rng=1)
    (failed,) = p.provenance.failed
    assert said in failed.error
    assert (p.model == "spoils").sum() == 30
    assert (p.model == "good").sum() == 40


def test_probabilities_in_single_precision_are_mended():
    X = np.column_stack([np.arange(40.0), np.ones(40)])
    p = run(SpoilsProbabilities("single"), X, np.arange(40) % 2, resampling="4", rng=1)
    assert not p.provenance.failed
    assert p.probability.max() < 0.5 + 1e-7


def test_text_in_a_scheme_for_numbers_is_said_with_scheme_and_fold():
    X = pd.DataFrame({"size": [1.0, 2, 3, 4], "town": list("abab")})
    with pytest.raises(DataError, match=r"svc in repeat 0, fold 0: .*town holds text"):
        run({"svc": LinearSVC()}, X, [0, 1, 0, 1], resampling="2", rng=1)


def test_classes_absent_from_a_training_part_are_aligned_and_said():
    X, y = IRIS
    keep = np.r_[0:50, 50:100, 149]
    p = run("naive-bayes", X[keep], y[keep], resampling="folds(k=5, stratified=False)", rng=1)
    assert p.classes == (0, 1, 2)
    last = p.row == 100
    assert p.probability[last, 2].tolist() == [0.0]
    assert "class-absent-from-training" in codes_of(p)


def test_it_is_said_which_output_was_taken():
    X, y = CANCER
    p = run({"svc": LinearSVC(max_iter=50)}, X[:, :3], y, resampling="3", rng=1)
    assert p.provides == ("label", "score")
    assert {f.how for f in p.provenance.fits} == {"decision_function"}
    assert any("svc without probabilities" in f.message for f in p.findings)
    p = run({"labels": Labels()}, X, y, resampling="3", rng=1)
    assert p.provides == ("label",)
    np.testing.assert_array_equal(p.label[np.argsort(p.row)], cross_val(Labels(), X, y))


def cross_val(model, X, y):
    splits = as_resampling("3").realise(len(y), y, rng=1)
    return cross_val_predict(model, X, y, cv=[(s.train, s.test) for s in splits])


def test_schemes_with_different_outputs_keep_their_own():
    X, y = CANCER
    p = run({"svc": LinearSVC(max_iter=50), "nb": GaussianNB()}, X, y, resampling="3", rng=1)
    assert p.lacking("score") == ("nb",)
    assert p.lacking("probability") == ("svc",)
    p = run({"labels": Labels(), "nb": GaussianNB()}, X, y, resampling="3", rng=1)
    assert p.lacking("probability") == ("labels",)


def test_a_negative_positive_class_turns_the_scores_around():
    X, y = CANCER
    names = np.where(y == 1, "benign", "malignant")
    one = run(
        {"s": LinearSVC(max_iter=50)}, X[:, :3], names, resampling="3", rng=1, positive="benign"
    )
    two = run({"s": LinearSVC(max_iter=50)}, X[:, :3], names, resampling="3", rng=1, positive="malignant")  # fmt: skip
    np.testing.assert_allclose(one.score, -two.score)
    assert evaluate(one, "auc", estimate="pooled")["auc"].value == pytest.approx(
        evaluate(two, "auc", estimate="pooled")["auc"].value
    )
    p = run("naive-bayes", X, names, resampling="3", rng=1, positive="malignant")
    assert p.probability.ndim == 1
    assert evaluate(p, "auc", estimate="pooled")["auc"].value > 0.9


def test_seeds_make_random_schemes_repeatable_and_their_fits_different():
    X, y = IRIS
    forest = RandomForestClassifier(n_estimators=3)
    one, two = (run(forest, X, y, resampling="3", rng=5) for _ in range(2))
    assert one.fingerprint == two.fingerprint
    assert run(forest, X, y, resampling="3", rng=6).fingerprint != one.fingerprint
    p = run(forest, X, y, resampling=[(np.arange(0, 150, 2), np.arange(1, 150, 2))] * 2, rng=1)
    halves = [p.probability[p.fold == f] for f in (0, 1)]
    assert (halves[0] != halves[1]).any()
    assert "unseeded" in codes_of(run(forest, X, y, resampling=StratifiedKFold(3)))
    assert "unseeded" not in codes_of(one)


@pytest.mark.parametrize(
    ("scheme", "resampling", "what"),
    [
        ("naive-bayes", None, "the splits used the seed 1"),
        (
            RandomForestClassifier(n_estimators=2),
            "2",
            "the splits and RandomForestClassifier used",
        ),
        (
            RandomForestClassifier(n_estimators=2),
            StratifiedKFold(2),
            ": RandomForestClassifier used",
        ),
    ],
)
def test_without_a_seed_there_is_a_fixed_one_that_is_said(scheme, resampling, what):
    p = run(scheme, *IRIS, resampling=resampling)
    assert p.fingerprint == run(scheme, *IRIS, resampling=resampling, rng=1).fingerprint
    (said,) = [f for f in p.findings if f.code == "unseeded"]
    assert what in said.message


def test_nothing_is_said_of_seeds_where_nothing_is_random_or_one_is_given():
    splits = as_resampling("3").seeded(7)
    for p in (
        run("naive-bayes", *IRIS, resampling="loo"),
        run("naive-bayes", *IRIS, resampling=splits),
    ):
        assert "unseeded" not in codes_of(p)
    assert run("naive-bayes", *IRIS, resampling=splits).provenance.seed != 1


def test_inputs_are_not_modified():
    X, y = (a.copy() for a in IRIS)
    model = DecisionTreeClassifier()
    run(model, X, y, resampling="3", rng=1)
    np.testing.assert_array_equal(X, IRIS[0])
    np.testing.assert_array_equal(y, IRIS[1])
    assert not hasattr(model, "tree_")
    assert model.random_state is None


def test_stopping_keeps_what_is_done():
    Interrupts.fits = 0
    p = run(Interrupts(), *IRIS, resampling="5", rng=1)
    assert len(p.provenance.fits) == 2
    assert p.n == 60
    (said,) = [f for f in p.findings if f.code == "interrupted"]
    assert said.severity == "problem"
    assert "2 of 5 fits" in said.message
    Interrupts.fits = 2
    with pytest.raises(KeyboardInterrupt):
        run(Interrupts(), *IRIS, resampling="5", rng=1)


def test_stopping_a_fit_that_tunes_stops_the_run():
    Interrupts.fits = 0
    with pytest.raises(KeyboardInterrupt):
        run(nested(Interrupts(), {"c": [1, 2]}, inner="3"), *IRIS, resampling="5", rng=1)


def test_a_scheme_that_ends_the_program_fails_alone():
    p = run({"ends": Ends(), "zero": "zero-r"}, *IRIS, resampling="3", rng=1)
    assert {f.model for f in p.provenance.failed} == {"ends"}
    assert all("sys.exit(3)" in f.error for f in p.provenance.failed)
    with pytest.raises(SystemExit):  # a signal is no fault of a scheme
        run(Ends(code=143), *IRIS, resampling="3", rng=1)


def test_warnings_beyond_those_shown_are_counted():
    p = run(WarnsALot(), *IRIS, resampling="8", rng=1)
    said = [f.message for f in p.findings if f.code == "fit-warning"]
    assert len(said) == 6
    assert said[-1] == "Fits warned too: 3 more warnings."


def test_warnings_of_fits_become_findings():
    p = run(Warns(), *IRIS, resampling="3", rng=1)
    assert any("warned in 3 fits: it did not converge" in f.message for f in p.findings)


def test_frames_and_sparse_matrices_give_what_arrays_give():
    X, y = IRIS
    plain = run("naive-bayes", X, y, resampling="3", rng=1)
    frame = run("naive-bayes", pd.DataFrame(X), y, resampling="3", rng=1)
    assert plain.fingerprint == frame.fingerprint
    model = LogisticRegression(max_iter=1000)
    dense, thin = (run(model, x, y, resampling="3", rng=1) for x in (X, sparse.csr_matrix(X)))
    np.testing.assert_allclose(dense.probability, thin.probability, atol=1e-3)


def test_groups_are_kept_and_their_splitting_is_said():
    X, y = IRIS
    groups = np.arange(150) // 3
    p = run("tree", X, y, resampling="folds(k=5)", groups=groups, rng=1)
    assert (p.group == groups[p.row]).all()
    assert "groups-split" in codes_of(p)
    whole = run("tree", X, y, resampling="5", groups=groups, rng=1)
    assert "groups-split" not in codes_of(whole)


def test_copies_across_training_and_test_part_are_said():
    X, y = CANCER
    assert "duplicates-across-parts" not in codes_of(run("tree", X, y, resampling="3", rng=1))
    twice = np.concatenate([X, X[:50]]), np.concatenate([y, y[:50]])
    assert "duplicates-across-parts" in codes_of(run("tree", *twice, resampling="3", rng=1))


def test_a_validation_part_is_kept_apart():
    p = run("tree", *IRIS, resampling="three_way", rng=1)
    (split,) = as_resampling("three_way").realise(150, IRIS[1], rng=1)
    assert sorted(p.where(part="validation").row) == sorted(split.validation)
    assert sorted(p.row) == sorted(p.where(part="test").row) == sorted(split.test)
    judged = evaluate(p, "error_rate")
    assert judged["error_rate"].n == (p.part == "test").sum()
    assert "validation-part" not in {f.code for f in judged.findings}
    each = evaluate(p, "error_rate", by="part")
    assert "validation-part" in {f.code for f in each.all_findings()}


def test_resubstitution_is_a_problem():
    p = run("tree", *IRIS, resampling="resubstitution", rng=1)
    assert set(p.part.tolist()) == {"train"}
    table = evaluate(p, "error_rate")
    assert table["error_rate"].value == 0
    assert "resubstitution" in {f.code for f in table.all_findings()}


def test_a_bootstrap_records_samples_and_what_is_left_out():
    X, y = IRIS
    p = run("tree", X, y, resampling="bootstrap(replicates=3)", rng=1)
    splits = as_resampling("bootstrap(replicates=3)").realise(150, y, rng=1)
    for split in splits:
        out = p.where(repeat=split.repeat)
        assert sorted(out.row) == sorted(split.test)
        assert (out.weights == 1).all()
        bag = p.seen.where(repeat=split.repeat)
        times = np.bincount(split.train, minlength=150)
        assert bag.weight.tolist() == times[bag.row].tolist()
        assert bag.weight_kind == "frequency"
    apparent = p.seen.where(repeat=-1)
    assert sorted(apparent.row) == list(range(150))
    assert (apparent.label == apparent.truth).all()  # a full tree knows its training cases


def test_every_case_of_a_bootstrap_counts_once():
    p = run("tree", *IRIS, resampling="bootstrap(replicates=7)", rng=1)
    rows, times = np.unique(p.row, return_counts=True)
    assert len(set(times.tolist())) > 1
    assert np.bincount(p.row, p.weight)[rows] == pytest.approx(1, abs=1e-15)
    assert p.cases == pytest.approx(rows.size)
    assert p.clusters is p.row


def test_a_search_object_is_nested_by_construction():
    X, y = IRIS
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=3)
    p = run({"search": search}, X, y, resampling="3", rng=1)
    splits = as_resampling("3").realise(150, y, rng=1)
    want = cross_val_predict(search, X, y, cv=[(s.train, s.test) for s in splits])
    assert (p.label == want[p.row]).mean() > 0.97  # the inner seed is ours, the folds are the same


@pytest.mark.parametrize(
    ("X", "y", "options", "error", "said"),
    [
        (np.ones((4, 1)), [0, 1], {}, DataError, "y has 2 values but X has 4 rows"),
        (np.ones((4, 1)), [1, 1, 1, 1], {}, DataError, "one class only"),
        (np.ones((4, 1)), ["a", "b", None, "a"], {"resampling": [([0], [1])]}, DataError, "missing or infinite in 1 row: row 2"),
        (np.ones((4, 1)), [0.5, 1, np.inf, 2], {}, DataError, "missing or infinite in 1 row"),
        (np.ones((4, 1)), [None] * 4, {}, DataError, "missing or infinite in 4 rows"),
        (np.ones((4, 1)), list("aabb"), {"task": "numeric"}, DataError, "not numbers"),
        (np.ones((4, 1)), list("aabb"), {"task": "regress"}, ParameterError, "task must be"),
        (np.ones((4, 1)), list("aabb"), {"positive": "c"}, DataError, "positive class 'c' is not one"),
        (np.ones(4), list("aabb"), {}, DataError, "rows and columns"),
        (np.ones((4, 1)), list("aabb"), {"resampling": "10"}, DataError, "10 folds need at least 10"),
        (np.ones((4, 1)), list("aabb"), {"resampling": "grouped_folds(k=3)", "groups": [0, 0, 1, 1]}, DataError, "group"),
        (np.ones((4, 1)), list("aabb"), {"resampling": "grouped_folds(k=2)"}, MissingColumnError, "groups="),
        (np.ones((4, 1)), list("aabb"), {"groups": [1]}, DataError, "groups has 1 value"),
        (np.ones((4, 1)), list("aabb"), {"sample_weight": [1]}, DataError, "weight"),
        (np.ones((4, 1)), list("aabb"), {"n_jobs": 0}, ParameterError, "jobs must be at least 1, or -1 for all cores .*; got 0"),
        (np.ones((4, 1)), list("aabb"), {"n_jobs": "2"}, ParameterError, "got '2'"),
        (np.ones((4, 1)), list("aabb"), {"n_jobs": 1.5}, ParameterError, "got 1.5"),
    ],
)  # fmt: skip
def test_bad_input(X, y, options, error, said):
    with pytest.raises(error, match=said):
        run("zero-r", X, y, **{"resampling": "2", "rng": 1, **options})


def test_whole_numbers_are_classes_while_they_are_few_and_it_is_said():
    X = np.arange(100.0)[:, None]
    few = run("zero-r", X, np.arange(100) % 3, resampling="3", rng=1)
    many = run("zero-r", X, np.arange(100), resampling="3", rng=1)
    assert (few.task, many.task) == ("classification", "numeric")
    assert "task-taken" in codes_of(few)
    assert "task-taken" in codes_of(many)
    asked = run("zero-r", X, np.arange(100) % 3, resampling="3", rng=1, task="numeric")
    assert asked.task == "numeric"
    assert "task-taken" not in codes_of(asked)


DATES = np.array(["2024-01-31", "2024-02-29", "2024-03-31"], "datetime64[D]")


@pytest.mark.daily
@pytest.mark.parametrize("scheme", ["zero-r", "tree", "knn", "logistic"])
@pytest.mark.parametrize(
    "written",
    [
        lambda d: d,
        lambda d: d.astype("datetime64[ns]"),
        lambda d: d.tolist(),
        lambda d: pd.Series(pd.to_datetime(d)),
        lambda d: d.astype("datetime64[us]").tolist(),
    ],
    ids=["days", "nanoseconds", "dates", "pandas", "datetimes"],
)
def test_dates_are_classes_by_their_text(scheme, written):
    X, y = IRIS
    p = run(scheme, X, written(DATES[y]), resampling="3", rng=1)
    assert p.classes == ("2024-01-31", "2024-02-29", "2024-03-31")
    plain = run(scheme, X, y, resampling="3", rng=1)
    assert (p.label == plain.label).all()


@pytest.mark.parametrize("scheme", ["zero-r", "tree", "knn", "logistic"])
def test_classes_of_64_bits_stay_apart(scheme):
    X, y = IRIS
    names = np.array([1, 2**63 + 1, 2**64 - 1], np.uint64)
    p = run(scheme, X, names[y], resampling="3", rng=1)
    assert p.classes == (1, 2**63 + 1, 2**64 - 1)
    assert (p.label == run(scheme, X, y, resampling="3", rng=1).label).all()


@pytest.mark.parametrize("frame", [False, True])
def test_rows_without_a_target_are_left_out_of_all_columns(frame):
    X, y = IRIS
    gaps = y.astype(float)
    gaps[[0, 60, 149]] = np.nan
    kept = np.flatnonzero(~np.isnan(gaps))
    groups, weight = np.arange(150) // 2, np.linspace(1, 2, 150)
    given = pd.DataFrame(X) if frame else X
    with_gaps = run("naive-bayes", given, gaps, groups=groups, sample_weight=weight, rng=1)
    without = run(
        "naive-bayes",
        given.iloc[kept] if frame else X[kept],
        gaps[kept],
        groups=groups[kept],
        sample_weight=weight[kept],
        rng=1,
    )
    assert with_gaps.row.tolist() == kept[without.row].tolist()
    for column in ("truth", "probability", "group", "weight", "fold"):
        np.testing.assert_array_equal(getattr(with_gaps, column), getattr(without, column))
    assert [f.code for f in with_gaps.findings if f not in without.findings] == ["missing-targets"]


def test_two_classes_of_which_none_is_plainly_positive_are_said_to_be_averaged():
    X = np.arange(60.0).reshape(30, 2)
    (said,) = [f for f in run("zero-r", X, ["ham", "spam"] * 15).findings if f.code == "no-positive-class"]  # fmt: skip
    assert "'ham' or 'spam'" in said.message
    told = run("zero-r", X, ["ham", "spam"] * 15, positive="spam").findings
    assert "no-positive-class" not in {f.code for f in told}
    assert run("zero-r", X, ["ja", "nein"] * 15).positive == 0


def test_a_number_of_folds_that_nobody_chose_is_not_doubted():
    X, y = np.arange(114.0).reshape(57, 2), np.arange(57) % 2
    codes = [{f.code for f in run("zero-r", X, y, resampling=r).findings} for r in (None, "10")]
    assert ["small-folds" in each for each in codes] == [False, True]


def test_only_numbers_with_a_comma_are_to_be_turned():
    from credibly.schemes.columns import doubtful_columns

    names = {"id": [f"K{i:04}" for i in range(30)], "price": [f"{i},5" for i in range(30)]}
    said = {n: doubtful_columns({n: np.array(v)}, "")[0].action for n, v in names.items()}
    assert ["decimal commas" in said[n] for n in names] == [False, True]
