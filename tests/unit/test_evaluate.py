"""What evaluate does beside computing: slices, averages, unclassified cases, findings."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from credibly import CostMatrix, DataError, ParameterError, Predictions, evaluate, expected_loss
from credibly.errors import MissingColumnError, UnknownNameError

NAN = float("nan")


def design(**more):
    y = np.array([0, 1] * 6)
    return Predictions.of(
        y,
        label=np.where(np.arange(12) < 3, 1 - y, y),
        fold=np.arange(12) // 4,
        repeat=np.arange(12) // 6,
        part=["test"] * 12,
        group=list("abcabcabcabc"),
        **more,
    )


@pytest.mark.parametrize("name", ["fold", "repeat", "part", "group"])
def test_by_each_column(name):
    p = design()
    table = evaluate(p, "accuracy", by=name)
    assert {e.keys[name] for e in table.estimates} == set(getattr(p, name).tolist())
    for e in table.estimates:
        here = getattr(p, name) == e.keys[name]
        assert e.value == (p.truth == p.label)[here].mean()
        assert e.n == here.sum()
        assert table.where(measure="accuracy", **{name: e.keys[name]}).estimates == (e,)


def test_by_several_columns_and_classes():
    table = evaluate(design(), "recall", by=["fold", "group", "class"])
    assert [*table.estimates[0].keys] == ["fold", "group", "class"]
    assert len(table) == 3 * 3 * 2
    (one,) = table.where(fold=1, group="b", **{"class": 1})
    assert one.value == 1.0


def test_several_models_are_never_mixed():
    p = Predictions.of([0, 1, 0, 1], label=[0, 1, 1, 0], model=["good", "good", "bad", "bad"])
    table = evaluate(p, "accuracy")
    assert {e.keys["model"]: e.value for e in table.estimates} == {"good": 1.0, "bad": 0.0}
    both = evaluate(
        Predictions.of(
            [0, 1, 0, 1], label=[0, 1, 1, 0], model=["good", "good", "bad", "bad"], fold=[0, 1] * 2
        ),
        "accuracy",
        by="fold",
    )
    assert len(both) == 4
    assert not evaluate(Predictions.of([0], label=[0], model="m"), "accuracy")["accuracy"].keys


def test_averages():
    p = Predictions.of(list("aaab"), label=list("aabb"))
    values = {a: evaluate(p, "recall", average=a)["recall"].value for a in ("macro", "weighted")}
    assert values == {"macro": pytest.approx(5 / 6), "weighted": pytest.approx(0.75)}
    micro = evaluate(p, "recall", average="micro")["recall"]
    assert micro.value == 0.75
    assert micro.average == "micro"
    assert "micro" in micro.name
    predicted = evaluate(p, "precision", average="weighted_predicted")["precision"].value
    assert predicted == pytest.approx(0.5 * 1 + 0.5 * 0.5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"by": "row"}, "by must be one of 'model', 'repeat'"),
        (
            {"by": "site"},
            "Any other column must be given with the predictions, such as columns={'site': ...}.",
        ),
        ({"by": ["fold", "nonsense"]}, "got 'nonsense'"),
        ({"average": "median"}, "average must be one of 'macro'"),
        ({"by": "class", "average": "macro"}, "ask for one of them"),
        ({"confidence_level": 95}, r"Did you mean 0.95\?"),
        ({"confidence_level": 0}, "confidence_level must lie between 0 and 1"),
        ({"confidence_level": NAN}, "confidence_level"),
        ({"unclassified": "ignore"}, "got 'ignore'"),
        ({"measures": "fbeta(beta=0)"}, "beta must be greater than 0; got 0"),
        ({"measures": "total_cost"}, "total_cost needs costs"),
        ({"measures": [5]}, "Cannot read '5'"),
    ],
)
def test_bad_requests(arguments, message):
    with pytest.raises(ParameterError, match=message):
        evaluate(design(), **arguments)


def test_a_name_that_no_measure_has():
    with pytest.raises(UnknownNameError, match=r"no measure 'acuracy'. Did you mean accuracy\?"):
        evaluate(design(), ["auc", "acuracy"])


def test_what_the_predictions_lack_is_said():
    p = design()
    with pytest.raises(MissingColumnError, match="auc needs a score or probability"):
        evaluate(p, "auc")
    with pytest.raises(MissingColumnError, match="log_loss needs probability"):
        evaluate(p, "log_loss")
    with pytest.raises(MissingColumnError, match="of the training part"):
        evaluate(Predictions.of([0, 1], probability=[0.1, 0.9]), "information_score")
    with pytest.raises(DataError, match="mse needs numeric predictions"):
        evaluate(p, "mse")
    with pytest.raises(MissingColumnError, match="accuracy needs label"):
        evaluate(Predictions.of([1.0], value=[1.0]), "accuracy")
    with pytest.raises(ParameterError, match="no classes"):
        evaluate(Predictions.of([1.0], value=[1.0]), by="class")
    with pytest.raises(DataError, match="positive"):
        evaluate(Predictions.of(["cat", "dog"], label=["cat", "dog"]), "recall")


def test_nothing_to_evaluate():
    with pytest.raises(DataError, match="None of the 0 rows has a known truth"):
        evaluate(Predictions.of([], label=[], classes=[0, 1]))
    with pytest.raises(DataError, match="None of the 2 rows"):
        evaluate(Predictions.of([None, None], label=[0, 1]))


class TestUnclassified:
    p = Predictions.of(list("aabb"), label=["a", None, "b", None])

    def test_counts_as_an_error(self):
        table = evaluate(self.p, ["accuracy", "unclassified_rate"])
        assert table["accuracy"].value == 0.5
        assert table["unclassified_rate"].value == 0.5
        assert [f.code for f in table.findings] == ["unclassified"]
        assert "2 of 4 cases have no label: such cases count as errors" in str(table)

    def test_is_left_out(self):
        table = evaluate(self.p, "accuracy", unclassified="exclude")
        assert (table["accuracy"].value, table["accuracy"].n) == (1.0, 2)
        assert "leave such cases out" in table.findings[0].message

    def test_gets_a_default_class(self):
        table = evaluate(self.p, "accuracy", unclassified="b")
        assert table["accuracy"].value == 0.75
        assert "default class 'b'" in table.findings[0].message

    def test_is_left_out_of_tables_of_labels_only(self):
        p = Predictions.of([1, 0, 1], label=[1, 0, None], probability=[0.9, 0.1, 0.2])
        table = evaluate(p, ["accuracy", "brier"], unclassified="exclude")
        assert table["accuracy"].n == 2
        assert table["brier"].value == pytest.approx((0.01 + 0.01 + 0.64) / 3)

    def test_nothing_is_said_when_all_are_labelled(self):
        assert "unclassified" not in codes(evaluate(design(), unclassified="exclude"))


def codes(table):
    return [f.code for f in table.all_findings()]


class TestFindings:
    def test_undefined(self):
        table = evaluate(Predictions.of([0, 0], label=[0, 0]), "recall")
        assert math.isnan(table["recall"].value)
        assert table["recall"].interval is None
        assert table["recall"].why_no_interval
        (said,) = table["recall"].findings
        assert (said.code, said.severity) == ("undefined", "caution")
        assert "Recall is undefined: no case is positive." in str(said)

    def test_undefined_classes_are_named(self):
        p = Predictions.of(list("aab"), label=list("aab"), classes=list("abc"))
        (said,) = evaluate(p, "recall", average="macro")["recall"].findings
        assert "for class 'c'" in said.message
        by_class = evaluate(p, "recall", by="class")
        assert ["class 'c'" in str(e.findings) for e in by_class.estimates] == [False, False, True]

    def test_an_infinite_loss_names_the_rows(self):
        p = Predictions.of([1, 0, 1], probability=[0.5, 1.0, 0.0], row=["r1", "r2", "r3"])
        e = evaluate(p, "log_loss")["log_loss"]
        assert e.value == math.inf
        (said,) = e.findings
        assert (said.code, said.severity) == ("infinite-loss", "problem")
        assert "2 cases cost infinitely much (rows r2, r3)" in said.message
        assert "clip=" in said.action
        assert math.isfinite(evaluate(p, "log_loss(clip=0.001)").estimates[0].value)

    def test_a_missed_zero(self):
        e = evaluate(Predictions.of([0.0, 1.0], value=[1.0, 1.0]), "mape")["mape"]
        assert e.value == math.inf
        assert "row 0" in e.findings[0].message
        assert "zero" in e.findings[0].action

    def test_missing_truth(self):
        p = Predictions.of([1, None, 0], label=[1, 1, 0])
        table = evaluate(p, "accuracy")
        assert table["accuracy"].n == 2
        assert "1 row of 3" in next(f.message for f in table.findings if f.code == "missing-truth")

    def test_resubstitution(self):
        p = Predictions.of([1, 0, 1], label=[1, 0, 0], part=["Train", "training", "training"])
        said = next(f for f in evaluate(p, "accuracy").findings if f.code == "resubstitution")
        assert said.severity == "problem"
        assert "3 rows of 3" in said.message

    def test_training_rows_beside_others_are_left_out(self):
        p = Predictions.of([1, 0, 1], label=[1, 1, 1], part=["Train", "test", "training"])
        table = evaluate(p, "accuracy")
        assert (table["accuracy"].value, table["accuracy"].n) == (0, 1)
        assert codes(table) == ["left-out", "one-class-truth"]

    def test_groups(self):
        p = design()
        assert "grouped-cases" in codes(evaluate(p, "accuracy"))
        assert "grouped-cases" not in codes(evaluate(p, "accuracy", by="group"))

    def test_guessed_positive_class(self):
        p = Predictions.of(["no", "yes"], label=["no", "yes"])
        assert codes(evaluate(p, "accuracy")) == ["positive-class"]
        named = Predictions.of(["no", "yes"], label=["no", "yes"], positive="yes")
        assert codes(evaluate(named, "accuracy")) == []

    def test_repeats_get_no_interval(self):
        e = evaluate(design(), "accuracy")["accuracy"]
        assert e.interval is None
        assert "several repeats" in e.why_no_interval
        each = evaluate(design(), "accuracy", by="repeat").estimates
        assert "repeats" not in "".join(x.why_no_interval for x in each)


def test_costs_are_added():
    costs = CostMatrix.of([[0, 1], [5, 0]], [0, 1])
    p = Predictions.of([1, 1, 0, 0], label=[1, 0, 1, 0])
    table = evaluate(p, costs=costs)
    values = {e.measure.partition("(")[0]: e.value for e in table.estimates}
    assert (values["total_cost"], values["average_cost"]) == (6.0, 1.5)
    assert not [e for e in evaluate(p).estimates if "cost" in e.measure]
    with pytest.raises(DataError, match="The cost matrix has no class 1"):
        evaluate(p, costs=CostMatrix.of([[0, 1], [5, 0]], [0, 2]))


def test_details_hold_the_confusion_matrix():
    table = evaluate(Predictions.of([1, 1, 0], label=[1, None, 1]), "accuracy")
    assert table.details["confusion_matrix"] == {
        "rows": "actual",
        "columns": "predicted",
        "counts": [[0.0, 1.0], [0.0, 1.0]],
        "unclassified": [0.0, 1.0],
        "expected_by_chance": pytest.approx(np.array([[0, 2 / 3], [0, 4 / 3]])),
    }
    assert table.details["positive"] == 1
    assert "confusion_matrix" not in evaluate(design(), "accuracy", by="fold").details


def test_a_measure_may_be_given_as_such():
    from credibly.measures import fbeta

    (e,) = evaluate(design(), fbeta.given(beta=2)).estimates
    assert e.measure == "fbeta(beta=2)"
    assert "beta=2" in e.name


shares = st.lists(st.integers(1, 50), min_size=2, max_size=5).map(
    lambda counts: np.array(counts) / sum(counts)
)


@given(st.data())
def test_honest_probabilities_minimise_proper_losses(data):
    truth = data.draw(shares)
    k = truth.size
    other = data.draw(st.lists(st.integers(1, 50), min_size=k, max_size=k))
    claimed = np.array(other) / sum(other)
    for loss in ("quadratic_loss", "informational_loss", "log_loss", "rps"):
        honest, dishonest = (expected_loss(loss, q, truth) for q in (truth, claimed))
        assert honest <= dishonest + 1e-12
        if np.abs(claimed - truth).max() > 1e-3:
            assert honest < dishonest
    gain = [expected_loss("spherical_score", q, truth) for q in (truth, claimed)]
    assert gain[0] >= gain[1] - 1e-12


def test_expected_losses_by_hand():
    truth, claimed = [0.75, 0.25], [0.5, 0.5]
    assert expected_loss("quadratic_loss", claimed, truth) == 0.5
    assert expected_loss("informational_loss", claimed, truth) == 1.0
    assert expected_loss("informational_loss", truth, truth) == pytest.approx(0.8112781244591328)
    assert expected_loss("probability_mae", [1.0, 0.0], truth) == 0.25  # improper: certainty wins
    assert expected_loss("probability_mae", truth, truth) == 0.375
    assert expected_loss("log_loss", [1.0, 0.0], [1.0, 0.0]) == 0.0
    with pytest.raises(DataError, match="does not sum to 1"):
        expected_loss("log_loss", [0.5, 0.6], truth)


def test_a_positive_class_among_several_is_what_measures_of_one_class_are_about():
    y, label = list("aabbcc"), list("abbbca")
    p = Predictions.of(y, label=label, positive="b")
    e = evaluate(p, "recall")["recall"]
    assert (e.value, e.average) == (1.0, None)
    assert evaluate(p, "recall", average="macro")["recall"].value == pytest.approx(2 / 3)
    assert "b (positive)" in evaluate(p, "recall").heading


def test_one_class_and_probabilities_need_the_other_ones_name():
    with pytest.raises(DataError, match="Only the class 'yes' occurs"):
        Predictions.of(["yes", "yes"], probability=[0.3, 0.7], positive="yes")
    p = Predictions.of(
        ["yes", "yes"], probability=[0.3, 0.7], positive="yes", classes=["no", "yes"]
    )
    assert p.label.tolist() == [0, 1]


def test_what_is_not_predictions_is_refused_with_a_way_out():
    with pytest.raises(ParameterError, match=r"credibly.read\("):
        evaluate([1, 0], "auc")
    with pytest.raises(ParameterError, match="no predictions"):
        evaluate(Predictions.of([1, 0, 1]))


def test_measures_of_one_class_average_when_called():
    from credibly.measures import precision

    assert precision(["a", "b", "c"], ["a", "b", "b"], average="micro") == pytest.approx(2 / 3)


def test_gini_is_the_stretched_auc_with_its_interval():
    for scores in (np.zeros(40), np.arange(40.0), np.random.default_rng(0).random(40)):
        p = Predictions.of([0, 1] * 20, score=scores)
        table = evaluate(p, ["auc", "gini"])
        area, gini = table["auc"].interval, table["gini"].interval
        assert (gini.low, gini.high) == pytest.approx(
            (2 * area.low - 1, 2 * area.high - 1), abs=1e-7
        )


def test_few_replicates_are_a_caution():
    p = Predictions.of([1, 0] * 20, score=np.arange(40) % 7)
    few, enough = (
        evaluate(p, "auc", interval="bootstrap", rng=1, replicates=n).all_findings()
        for n in (199, 200)
    )
    assert [f.action for f in few if f.code == "few-replicates"] == [
        "Draw at least replicates=200."
    ]
    assert not [f for f in enough if f.code == "few-replicates"]


def test_a_generous_tolerance_is_a_caution():
    y, loose = [0, 1], [[0.5, 0.3], [0.2, 0.8]]
    found = Predictions.of(y, probability=loose, tolerance=0.3).findings
    assert [f.code for f in found] == ["loose-tolerance"]
    assert "1 row are more than 0.01 away" in found[0].message
    assert not Predictions.of(y, probability=[[0.5, 0.499], [0.2, 0.8]], tolerance=0.3).findings


def test_nothing_is_said_of_pooling_where_nothing_is_pooled():
    p = Predictions.of([1, 0] * 10, label=[1, 0, 0, 0] * 5, fold=[0, 1] * 10, n_train=[10] * 20)
    said = {e: {f.code for f in evaluate(p, estimate=e).findings} for e in ("fold_mean", "pooled")}
    assert "pooled-folds" in said["pooled"] - said["fold_mean"]


@pytest.mark.parametrize("scale", [1e-98, 1e98])
def test_intervals_have_the_scale_of_the_weights(scale):
    """Those of totals too: of pairs, which grow with the square of the weights."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 60)
    weight = rng.random(60) + 0.1
    score = truth + rng.normal(size=60)
    tables = [
        evaluate(Predictions.of(truth, score=score, label=score > 0.5, sample_weight=w))
        for w in (weight, weight * scale)
    ]
    for one, other in zip(*(t.estimates for t in tables), strict=True):
        assert (one.interval is None) == (other.interval is None), one.measure
        ratio = other.value / one.value if one.value else 1.0
        if one.interval is not None:
            limits = [(e.interval.low, e.interval.high) for e in (one, other)]
            assert limits[1] == pytest.approx([ratio * x for x in limits[0]], rel=1e-6), one.measure


@pytest.mark.parametrize("name", ["rse", "rrse", "r2_training_mean"])
def test_a_baseline_too_large_for_squares_does_not_make_a_model_perfect(name):
    truth = 1e154 * np.arange(1.0, 5)
    near = Predictions.of(truth, value=truth * (1 + 1e-13), baseline=0.0)
    found = evaluate(near, name)[name]
    assert math.isnan(found.value)
    assert "as large as 4e+154 are too large for a double" in found.findings[0].message


def test_numbers_too_large_for_squares_are_said_to_be_that():
    truth, value = np.arange(1.0, 21), np.arange(1.0, 21)[::-1]
    table, small = (
        evaluate(Predictions.of(k * truth, value=k * value, baseline=7 * k)) for k in (1e200, 1.0)
    )
    for name in ("mse", "rmse", "rse", "rrse", "r2_training_mean"):
        (said,) = table[name].findings
        assert not math.isfinite(table[name].value)
        assert "as large as 2e+201 are too large for a double" in said.message, name
        assert "Divide" in said.action
    ours, theirs = (t["mae"].interval for t in (table, small))
    assert (ours.low / 1e200, ours.high / 1e200) == pytest.approx((theirs.low, theirs.high))
    assert table["rae"].value == pytest.approx(small["rae"].value)
    right = evaluate(Predictions.of([7.0, 7.0], value=[1.0, 2.0], baseline=7.0), "rse")["rse"]
    assert "the training mean is always right" in right.findings[0].message
    both = Predictions.of([0.0, 1e200], value=[1.0, 2e200], baseline=1.0)
    (said,) = evaluate(both, "mape")["mape"].findings
    assert said.code == "infinite-loss"  # at any size: a truth of zero was missed


def test_none_asks_for_no_interval():
    p = Predictions.of([1, 0, 1, 0], label=[1, 0, 0, 0])
    for asked in (None, "none"):
        assert evaluate(p, "error_rate", interval=asked)["error_rate"].interval is None


@pytest.mark.parametrize("name", [3, ["wilson"], {"wilson": 1}, 0.5])
def test_what_cannot_be_a_name_is_refused_like_a_wrong_one(name):
    p = Predictions.of([1, 0, 1, 0], label=[1, 0, 0, 0])
    with pytest.raises(UnknownNameError, match="There is no interval method"):
        evaluate(p, "error_rate", interval=name)


@pytest.mark.parametrize("weight", [None, 2])
def test_labels_that_find_hardly_any_positive_case_are_doubted(weight):
    """Of a rare class a threshold of 0.5 says little, however well the scores rank."""
    truth = np.arange(200) < 20
    probability = np.where(truth, 0.3, 0.1)
    weights = {} if weight is None else {"weight": [weight] * 200, "weight_kind": "frequency"}
    p = Predictions.of(truth, probability=probability, **weights)
    (found,) = (f for f in evaluate(p).findings if f.code == "few-labelled-positive")
    times = weight or 1
    assert f"call 0 of {200 * times} cases positive, where {20 * times} are" in found.message
    lower = Predictions.of(truth, probability=probability, threshold=0.2)
    for other in (evaluate(lower), evaluate(p, "auc")):
        assert "few-labelled-positive" not in {f.code for f in other.findings}


def test_what_is_for_replicates_alone_says_that_none_were_drawn():
    p = Predictions.of([1, 0, 1, 0], score=[0.9, 0.1, 0.4, 0.5])
    codes = [f.code for f in evaluate(p, "auc", replicates=100, device="gpu").findings]
    assert codes.count("not-drawn") == 2
    drawn = evaluate(p, "auc", interval="bootstrap", replicates=100, rng=1)
    assert "not-drawn" not in {f.code for f in drawn.findings}
