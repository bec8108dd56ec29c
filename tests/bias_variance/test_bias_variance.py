"""The experiment: schemes on many training sets, predictions of saved runs, and what is refused."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import credibly
from credibly import DataError, ParameterError, Predictions, bias_variance
from credibly.bias_variance import Values, Votes, decompositions
from credibly.measures import measures

X, Y = load_iris(return_X_y=True)
X2, Y2 = X[50:], np.where(Y[50:] == 1, "versicolor", "virginica")


def codes(result):
    return [f.code for f in result.findings]


def by_hand(p, rows):
    """The share of held-out labels by class, the slow obvious way."""
    shares = []
    for row in rows:
        labels = p.label[(p.row == row) & (p.part == "test")]
        shares.append([np.mean(labels == c) for c in range(len(p.classes))])
    return np.array(shares)


@pytest.fixture(scope="module")
def trees():
    return bias_variance("tree(max_depth=2)", X2, Y2, replicates=25, rng=3)


def test_parts_are_those_of_the_held_out_votes(trees):
    setting = trees.settings[0]
    s = by_hand(trees.predictions, setting.row)
    truth = (Y2[setting.row.astype(int)] == "virginica").astype(int)
    wrong = 1 - s[np.arange(len(s)), truth]
    np.testing.assert_allclose(setting.parts.loss, wrong, atol=1e-12)
    biased = np.where(wrong == 0.5, 0.5, wrong > 0.5)
    np.testing.assert_allclose(setting.parts["bias"], biased, atol=1e-12)
    assert trees["loss"].value == pytest.approx(wrong.mean(), abs=1e-12)
    assert trees["bias"].value + trees["net_variance"].value == pytest.approx(
        trees["loss"].value, abs=1e-12
    )
    pairs = (s**2).sum(axis=1) * setting.predictions**2 - setting.predictions
    agree = pairs / setting.predictions / (setting.predictions - 1)
    assert trees["stability"].value == pytest.approx(agree.mean(), abs=1e-12)


def test_the_loss_is_the_out_of_bag_error(trees):
    oob = credibly.evaluate(trees.predictions, "error_rate", estimate="oob")["error_rate"]
    assert trees["loss"].value == pytest.approx(oob.value, abs=1e-12)


def test_a_saved_run_gives_the_same_numbers(trees, tmp_path):
    credibly.save(trees.predictions, tmp_path / "run.parquet")
    again = bias_variance(credibly.read(tmp_path / "run.parquet"))
    assert [e.value for e in again.table.estimates] == [e.value for e in trees.table.estimates]


def test_every_decomposition_is_of_the_same_loss(trees):
    p = trees.predictions
    error = trees["loss"].value
    losses = {d.name: bias_variance(p, loss=d)["loss"].value for d in decompositions}
    for d in decompositions:
        factor = {"label": 1, "number": 4}.get(d.takes)
        if factor:
            assert losses[d.name] == pytest.approx(factor * error, abs=1e-12)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_loss_of_probabilities_is_the_measure_of_its_title(classes):
    kept = slice(150 - 50 * classes, None)
    p = bias_variance(
        "naive-bayes", X[kept], Y[kept] - Y[kept].min(), replicates=40, rng=1
    ).predictions
    for d in decompositions:
        if "probabilit" not in d.takes:
            continue
        if d.takes == "probability" and classes > 2:
            with pytest.raises(DataError, match="needs two classes"):
                bias_variance(p, loss=d)
            continue
        title = {"Brier score": "brier", "Quadratic loss": "quadratic_loss"}[d.loss]
        measured = credibly.evaluate(p, title, estimate="oob", interval="none")
        assert measured[title].title == d.loss
        assert bias_variance(p, loss=d)["loss"].value == pytest.approx(measured[title].value)


def test_unknown_noise_is_held_by_the_bias_and_said(trees):
    assert "noise" not in [e.measure for e in trees.table.estimates]
    assert trees["bias"].title == "Bias and noise"
    assert codes(trees)[0] == "noise-in-bias"
    assert "one-data-set" in codes(trees)


def test_labels_are_mapped_where_the_formula_needs_numbers(trees):
    mapped = bias_variance(trees.predictions, loss="squared")
    assert "labels-mapped" in codes(mapped)
    assert mapped["loss"].value == pytest.approx(4 * trees["loss"].value, abs=1e-12)
    three = bias_variance("tree", X, Y, replicates=5, rng=1)
    with pytest.raises(DataError, match="two classes can be written as -1 and \\+1; there are 3"):
        bias_variance(three.predictions, loss="squared")
    with pytest.raises(DataError, match="needs two classes"):
        bias_variance(three.predictions, loss="friedman")


def test_the_callers_estimator_is_not_fitted():
    given = DecisionTreeClassifier(max_depth=1, random_state=0)
    result = bias_variance(given, X, Y, over={"max_depth": [1, 3]}, replicates=5, rng=1)
    assert not hasattr(given, "tree_")
    assert given.max_depth == 1
    assert [s.keys for s in result.settings] == [{"max_depth": 1}, {"max_depth": 3}]


@pytest.mark.thorough  # processes start slowly
def test_the_same_seed_gives_the_same_numbers_in_any_number_of_processes():
    one, two = (
        bias_variance("tree", X, Y, replicates=6, rng=5, n_jobs=jobs, progress=False)
        for jobs in (1, 2)
    )
    assert one.predictions.fingerprint == two.predictions.fingerprint


@pytest.mark.parametrize("training", ["subsample", "4x3", "bootstrap(replicates=8)"])
def test_any_resampling_that_predicts_rows_again_serves(training):
    replicates = 8 if training == "subsample" else None
    result = bias_variance("naive-bayes", X, Y, training=training, replicates=replicates, rng=1)
    assert result["loss"].value < 0.15
    if training == "4x3":
        assert set(result.settings[0].predictions) == {4}


def noisy_line(rng, n=30):
    x = rng.uniform(-1, 1, n)
    return x[:, None], 1 + 2 * x + rng.normal(0, 0.5, n)


def test_a_generator_with_known_truth_tells_noise_from_bias():
    """Least squares on a true line: no bias, variance sigma^2 times the mean leverage of a new case."""
    x = np.linspace(-1, 1, 41)
    result = bias_variance(
        LinearRegression(), x[:, None], 1 + 2 * x, training=noisy_line, replicates=400,
        loss="squared(corrected=True)", truth=1 + 2 * x, noise=0.25, task="numeric", rng=1,
    )  # fmt: skip
    assert result["noise"].value == 0.25
    assert result["noise"].interval is None
    assert abs(result["bias_squared"].value) < 1e-3
    draws = [noisy_line(g)[0][:, 0] for g in np.random.default_rng(9).spawn(2000)]
    leverage = [
        np.mean(1 / d.size + (x - d.mean()) ** 2 / ((d - d.mean()) ** 2).sum()) for d in draws
    ]
    variance = result["variance"]
    assert variance.value == pytest.approx(0.25 * np.mean(leverage), rel=0.1)
    assert variance.interval.about == "training"
    assert result["loss"].value == pytest.approx(0.25 + variance.value, abs=2e-3)
    assert not {"noise-in-bias", "one-data-set"} & set(codes(result))
    again = bias_variance(result.predictions, truth=1 + 2 * x, noise=0.25)
    assert again["variance"].interval.about == "training"
    assert "one-data-set" not in codes(again)


def test_known_probabilities_tell_the_noise_of_classes():
    rng = np.random.default_rng(4)

    def draw(g, n=40):
        x = g.normal(size=n)
        return x[:, None], (g.random(n) < 1 / (1 + np.exp(-x))).astype(int)

    x, y = draw(rng, 60)
    p = 1 / (1 + np.exp(-x[:, 0]))
    result = bias_variance("logistic", x, y, training=draw, replicates=20, truth=p, rng=2)
    noise = np.minimum(p, 1 - p).mean()
    james = bias_variance(result.predictions, loss="james", truth=p)
    assert james["noise"].value == pytest.approx(noise, abs=1e-12)
    assert james["loss"].value == result["loss"].value
    table = bias_variance(result.predictions, loss="brier", truth=np.stack([1 - p, p], 1))
    assert table["noise"].value == pytest.approx((p * (1 - p)).mean(), abs=1e-12)


def test_frequency_weights_are_repeated_cases_and_groups_widen_intervals():
    rng = np.random.default_rng(0)
    n, k = 20, 6
    truth, row = rng.integers(0, 2, n), np.arange(n)
    label = np.where(rng.random((k, n)) < 0.7, truth, 1 - truth)
    copies = rng.integers(1, 4, n)

    def table(rows, **more):
        tiled = {name: np.tile(np.asarray(v)[rows], k) for name, v in more.items()}
        return Predictions.of(
            np.tile(truth[rows], k), label=label[:, rows].ravel(), row=np.tile(np.arange(len(rows)), k),
            repeat=np.repeat(np.arange(k), len(rows)), **tiled,
        )  # fmt: skip

    weighted = bias_variance(
        Predictions.of(
            np.tile(truth, k),
            label=label.ravel(),
            row=np.tile(row, k),
            repeat=np.repeat(np.arange(k), n),
            sample_weight=np.tile(copies, k),
            weight_kind="frequency",
        )
    )
    repeated = bias_variance(table(np.repeat(row, copies)))
    for a, b in zip(weighted.table.estimates, repeated.table.estimates, strict=True):
        assert a.value == pytest.approx(b.value, abs=1e-12)
        assert a.interval.low == pytest.approx(b.interval.low, abs=1e-9)
    twice = np.repeat(row, 2)
    plain, grouped = bias_variance(table(twice)), bias_variance(table(twice, group=row))
    width = [r["loss"].interval.high - r["loss"].interval.low for r in (plain, grouped)]
    assert width[1] > width[0]


def test_an_undecided_label_is_a_label_that_is_never_right():
    p = Predictions.of(
        ["a", "b", "a", "b"], label=["a", None, "a", "b"], row=[0, 1, 0, 1], repeat=[0, 0, 1, 1]
    )
    assert bias_variance(p).settings[0].parts.loss.tolist() == [0, 0.5]


def test_points_and_frames_hold_what_the_table_averages(trees):
    points = trees.points()
    assert list(points.columns[:3]) == ["row", "predictions", "loss"]
    assert points["loss"].mean() == pytest.approx(trees["loss"].value, abs=1e-12)
    assert trees.frame()["measure"].tolist() == [e.measure for e in trees.table.estimates]
    assert trees.to_dict()["identity"].startswith("Zero-one loss = noise effect + bias")
    assert "Net variance" in str(trees)
    assert "<table" in trees._repr_html_()


def test_support_vectors_over_c_trade_bias_for_variance():
    """Zaki & Meira's Example 22.12: a quadratic kernel on Iris, two classes, C from 0.01 to 100."""
    pca = X - X.mean(0)
    pca = pca @ np.linalg.svd(pca, full_matrices=False)[2][:2].T
    y = np.where(Y == 1, 1, -1)
    result = bias_variance(
        SVC(kernel="poly", degree=2, gamma=1.0), pca, y, loss="squared", replicates=10,
        over={"C": np.logspace(-2, 2, 3)}, rng=1,
    )  # fmt: skip
    bias = [e.value for e in result.table.where(measure="bias_squared")]
    variance = [e.value for e in result.table.where(measure="variance")]
    assert bias[0] > bias[-1]
    assert variance[0] < variance[-1]
    assert [e.keys for e in result.table.where(measure="loss")] == [
        {"C": c} for c in (0.01, 1.0, 100.0)
    ]


# --- what is refused, and what is said


ONCE = Predictions.of([1, 0], label=[1, 1], row=[0, 1])
ROWS = {"row": [0, 1, 0, 1], "repeat": [0, 0, 1, 1]}
TWICE = Predictions.of([1, 0, 1, 0], label=[1, 1, 0, 0], **ROWS)


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        ((ONCE,), {}, "predicted only once"),
        ((Predictions.of([1, 0], label=[1, 1], row=[0, 0], model=["a", "b"]),), {}, "predicted only once"),
        ((Predictions.of([1, 0], label=[1, 1]),), {}, "needs row"),
        ((TWICE,), {"loss": "domingo"}, "no decomposition 'domingo'. Did you mean domingos"),
        ((TWICE,), {"loss": "brier"}, "needs probability"),
        ((Predictions.of([1.0, 2.5], value=[1, 2]),), {"loss": "webb"}, "a loss of classes, but"),
        (("tree", X, Y), {"rng": 1, "loss": "domingo"}, "Did you mean domingos"),
        (("tree", X, Y), {"rng": 1, "training": "foo"}, "no resampling 'foo'"),
        (([*"ab"], X, Y), {"rng": 1, "over": {"k": [1]}}, "no scheme 'a'"),
        ((["tree", "knn"], X, Y), {"rng": 1, "over": {"k": [1]}}, "exactly one scheme; got 2: tree, knn"),
        ((TWICE,), {"positive": 1}, "positive= has no meaning here"),
        ((TWICE,), {"noise": 1.0}, "noise= is for numbers"),
        ((TWICE,), {"truth": [0.5]}, "an entry for each row"),
        ((TWICE,), {"truth": [0.5, np.nan]}, "truth is missing in row 1"),
        ((TWICE,), {"truth": [[0.5, 0.4], [1, 0]]}, "sum"),
        ((TWICE,), {"truth": {0: 0.5}}, "truth has no entry for row 1"),
        ((TWICE,), {"over": {"C": [1]}}, "over= has no meaning here"),
        ((TWICE,), {"confidence_level": 1}, "between 0 and 1"),
        (("tree",), {"rng": 1}, "need X and y"),
        (("tree", X, Y), {"rng": 1, "training": "10x10", "replicates": 5}, "replicates= is for"),
        (("tree", X, Y), {"rng": 1, "over": {"C": [1]}}, "tree has no parameter 'C'"),
        ((SVC(), X, Y), {"rng": 1, "over": {"c": [1]}}, "SVC has no parameter 'c'. Did you mean C"),
        (("tree", X, Y), {"rng": 1, "over": {"max_depth": []}}, "a list of values"),
        (("tree", X, Y), {"rng": 1, "over": {"criterion": "gini"}}, "a list of values"),
        (("tree", X, Y), {"rng": 1, "over": [1, 2]}, "a list of values"),
        (("tree", X, np.zeros(150)), {"rng": 1}, "one class only"),
        (("tree", X, Y), {"rng": 1, "replicates": 1}, "predicted only once"),
        (("tree", X, Y), {"rng": 1, "training": lambda _: (X, Y), "replicates": 1}, "at least 2"),
        (("tree", X, Y), {"rng": 1, "training": lambda _: (X[:, :2], Y)}, "the columns of X"),
        (("tree", X, Y), {"rng": 1, "training": lambda _: (X, Y), "groups": Y}, "groups= is about"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_words(arguments, options, said):
    with pytest.raises((DataError, ParameterError), match=said):
        bias_variance(*arguments, **options)


def test_numbers_need_both_mean_and_noise():
    p = Predictions.of([1.0, 2.0, 1.0, 2.0], value=[1.0, 2.5, 1.5, 2.0], **ROWS)
    with pytest.raises(ParameterError, match="set both or neither"):
        bias_variance(p, truth=[1.0, 2.0])
    known = bias_variance(p, truth=[1.0, 2.0], noise=[0.5, 0.0])
    assert known["noise"].value == 0.25
    assert known["loss"].value == pytest.approx(0.25 + measures["mse"](p), abs=1e-12)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Votes.of([["a"]], ["a"]), "at least 2 training sets; there are fewer for 1 case"),
        (lambda: Votes.of(["a", "b"], ["a"]), "one row per case and one column per training set"),
        (lambda: Votes.of([["a", "b"]], ["a", "b"]), "label of each of 1 case"),
        (lambda: Votes.of([["a", "b"]], [[0.5, 0.5]], ["a"]), "not one of the 1 class"),
        (lambda: Values.of([[1.0, np.inf]], [1.0]), "infinite in row 0"),
        (lambda: Values.of([[1.0, 2.0]], [np.nan]), "one finite number"),
        (lambda: Values.of([[1.0, 2.0]], [1.0], -1), "noise is a variance"),
    ],
)
def test_bad_tables_are_refused(make, said):
    with pytest.raises(DataError, match=said):
        make()


def test_rows_that_one_training_set_predicts_are_left_out_and_said():
    p = Predictions.of(
        [1, 0, 1, 0, 1], label=[1, 1, 0, 0, 1], row=[*ROWS["row"], 2], repeat=[*ROWS["repeat"], 0]
    )
    result = bias_variance(p)
    assert result["loss"].n == 2
    assert "seldom-predicted" in codes(result)


def test_few_predictions_of_a_case_are_said():
    many = bias_variance("tree", X2, Y2, replicates=5, rng=1)
    assert "few-training-sets" in codes(many)
    assert "variance-in-bias" in codes(bias_variance(many.predictions, loss="kohavi_wolpert"))
    corrected = bias_variance(many.predictions, loss="kohavi_wolpert(corrected=True)")
    assert "variance-in-bias" not in codes(corrected)


def test_without_variation_there_is_no_interval_but_a_reason():
    p = Predictions.of([1, 0, 1, 0], label=[1, 0, 1, 0], **ROWS)
    loss = bias_variance(p)["loss"]
    assert loss.value == 0
    assert loss.interval is None
    assert "variation" in loss.why_no_interval


def test_a_bias_in_every_case_has_no_interval():
    """Each row is labelled wrongly by two training sets of three: without one of them it would tie."""
    p = Predictions.of(
        [1, 0] * 9,
        label=[0, 1] * 6 + [1, 0] * 3,
        row=list(range(6)) * 3,
        repeat=np.repeat([0, 1, 2], 6),
    )
    bias = bias_variance(p)["bias"]
    assert bias.value == 1
    assert bias.interval is None
    assert "largest possible value" in bias.why_no_interval


def test_rows_that_are_in_every_training_set_are_left_out_and_said():
    result = bias_variance("naive-bayes", X, Y, replicates=4, rng=2)
    assert "never-held-out" in codes(result)
    held = set(result.predictions.row[result.predictions.part == "test"].tolist())
    assert set(result.settings[0].row.tolist()) < held < set(range(150))


def test_values_of_a_parameter_may_be_of_any_kind():
    over = {"max_features": [1, "sqrt", None, np.float64(0.5)]}
    result = bias_variance("tree", X, Y, over=over, replicates=4, rng=1)
    assert [s.keys["max_features"] for s in result.settings] == [1, "sqrt", None, 0.5]


def test_unknown_truths_are_left_out_and_said():
    p = Predictions.of(
        [1, 0, None] * 3, label=[1, 1, 0] * 3, row=[0, 1, 2] * 3, repeat=np.repeat([0, 1, 2], 3)
    )
    result = bias_variance(p)
    assert result["loss"].n == 2
    assert "missing-truth" in codes(result)


def test_intervals_say_that_they_are_about_training_sets_of_these_data(trees):
    assert {e.interval.about for e in trees.table.estimates if e.interval} == {"training"}
    assert "Intervals are about this way of learning with new training sets" in str(trees)
    (said,) = [f.message for f in trees.findings if f.code == "one-data-set"]
    assert "cases and training sets drawn from these data" in said


def test_one_row_left_out_is_told_in_good_grammar():
    p = Predictions.of([1, 0, 1], label=[1, 1, 0], row=[0, 1, 0], repeat=[0, 0, 1])
    said = {f.code: f.message for f in bias_variance(p).findings}
    words = "Left out because only one training set predicts them: 1 row of 2 (row 1)."
    assert said["seldom-predicted"] == words


def test_numbers_whose_errors_no_double_holds_are_refused():
    X = np.arange(30.0)[:, None]
    with pytest.raises(DataError, match="is beyond what a double holds"):
        bias_variance("tree", X, 1e100 * X[:, 0], replicates=9, rng=1, progress=False)
