"""Curves of models, folds and mixtures: the verb, its errors and what its results can do."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import credibly
from credibly import DataError, ParameterError, Predictions, curve, hull
from credibly.cli.commands.demo import DEMO_FILE
from credibly.curves import (
    Curve,
    Curves,
    average_curves,
    best_stretches,
    binormal,
    cost_line,
    curves,
    dominates,
    inverted,
    operating_range,
    ordered_volume,
    probability_cost,
    probability_volume,
    threshold_table,
)


@pytest.fixture(scope="module")
def tumours():
    return credibly.read(DEMO_FILE, positive="malignant")


def simple(**more):
    return Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1], **more)


# --- the verb ----------------------------------------------------------------------------------


def test_several_models_are_never_mixed(tumours):
    found = curve("roc", tumours)
    assert isinstance(found, Curves)
    assert list(found) == ["logistic", "naive-bayes", "nearest-neighbours", "tree"]
    assert found["tree"].keys == {"model": "tree"}
    assert [c.label for c in found.where(model="tree").values()] == ["tree"]
    with pytest.raises(KeyError, match="'forest' has no curve here; there are: 'logistic'"):
        found["forest"]


def test_models_may_be_given_by_name(tumours):
    named = {str(k["model"]): part for k, part in tumours.groups(["model"])}
    a, b = curve("roc", tumours), curve("roc", named)
    assert list(a) == list(b)
    assert all((a[m].y == b[m].y).all() for m in named)


def test_slices_have_curves_of_their_own(tumours):
    found = curve("roc", tumours, by=["model", "fold"])
    assert len(found) == 40
    assert len(found.where(model="tree")) == 10
    rows = found.frame("polars")
    assert {"model", "fold", "x", "y", "threshold"} == set(rows.columns)


def test_each_class_against_the_rest():
    p = Predictions.of(list("abcabc"), probability=np.full((6, 3), 1 / 3))
    found = curve("roc", p, by="class")
    assert list(found) == list(curve("roc", p)) == ["a", "b", "c"]
    assert [c.numbers["auc"] for c in found.values()] == [0.5] * 3
    with pytest.raises(DataError, match="about one class"):
        curve("roc", Predictions.of(list("abab"), probability=np.full((4, 2), 1 / 2)))


@pytest.mark.parametrize(
    ("name", "more", "error", "message"),
    [
        ("rocc", {}, ParameterError, "no curve 'rocc'. Did you mean roc"),
        ("roc", {"by": "colour"}, ParameterError, "by must be one of 'model', 'repeat'"),
        (
            "roc",
            {"prevalence": 1},
            ParameterError,
            "prevalence must be a number between 0 and 1; got 1",
        ),
        ("roc", {"prevalence": 0.0}, ParameterError, "between 0 and 1"),
        ("roc", {"band": "wide", "rng": 1}, ParameterError, "no band method 'wide'"),
        ("lift", {"band": "ks"}, ParameterError, "ks is for roc; for lift there are: pointwise"),
        (
            "roc",
            {"band": "pointwise", "rng": 1, "replicates": 1},
            ParameterError,
            "replicates must be",
        ),
        ("roc", {"band": "ks", "confidence_level": 95}, ParameterError, "Did you mean 0.95"),
        ("roc", {"average": "vertical"}, DataError, "needs fold"),
        ("roc", {"average": "vertical", "band": "ks"}, ParameterError, "Leave out band="),
        ("threshold", {"measure": "auc"}, ParameterError, "measure must be the name of a measure"),
        ("net_benefit", {}, DataError, "net_benefit needs probability"),
        ("total_cost", {"fp": "much"}, ParameterError, "fp must be a finite number"),
    ],
)
def test_what_is_refused(name, more, error, message):
    with pytest.raises(error, match=message.replace("(", r"\(")):
        curve(name, simple(), **more)


def test_a_fold_of_one_class_is_named():
    p = simple(fold=[0, 1, 0, 1])
    with pytest.raises(DataError, match=r"2 cases of fold 0 none is negative. Pool the slices"):
        curve("roc", p, by="fold")


@pytest.mark.parametrize("kind", ["margin", "roc"])
@pytest.mark.parametrize(("truth", "weight"), [([None, None], None), ([1, None], [0, 1])])
def test_cases_of_unknown_truth_alone_have_no_curve(kind, truth, weight):
    p = Predictions.of(truth, probability=[0.2, 0.3], classes=[0, 1], sample_weight=weight)
    with pytest.raises(DataError, match=f"{kind} needs cases .* among the 2 cases none is"):
        curve(kind, p)


@pytest.mark.parametrize("wrong", [[1, 2], {"a": [1, 2]}, None])
@pytest.mark.parametrize("verb", [lambda p: curve("roc", p), hull])
def test_only_predictions_are_taken(verb, wrong):
    with pytest.raises(ParameterError, match="Give Predictions, or a dictionary of Predictions"):
        verb(wrong)


def test_what_was_said_about_the_predictions_comes_with_the_curve():
    p = Predictions.of([1, None, 0], score=[3.0, 9.0, 1.0], positive=1)
    assert [f.code for f in curve("roc", p).findings] == ["missing-truth"]
    assert [f.code for f in hull(p).findings] == ["missing-truth"]
    two = curve("roc", {"a": p, "b": p})
    assert [f.code for f in two.findings] == ["missing-truth"]


@pytest.mark.parametrize("kind", ["threshold", "roc", "gains", "likelihood_ratio"])
def test_scores_of_any_size(kind):
    """The largest and the smallest doubles: no sum or difference may overflow."""
    s = [-1.7e308, -1e308, -5e-324, 0.0, 5e-324, 1e-300, 1.0, 1e308, 1.5e308, 1.7e308] * 3
    p = Predictions.of([0, 1, 0, 1, 0, 0, 1, 0, 1, 1] * 3, score=s)
    c = curve(kind, p)
    assert len(str(c).splitlines()) > 3
    assert c.thinned(4).x.size <= 4
    if kind != "likelihood_ratio":
        band = curve(kind, p, band="simultaneous", rng=1, replicates=20).band
        assert np.isfinite(band.x).all()


def test_scores_that_are_all_equal():
    p = Predictions.of([0, 1] * 3, probability=[0.5] * 6)
    for kind in curves:
        assert str(curve(kind, p))
    assert curve("roc", p).at(0.3) == 0.3
    assert curve("lift", p).y.tolist() == [1]
    assert hull(p).contributors == ()


def test_rows_without_truth_are_left_out():
    p = Predictions.of([1, None, 0], score=[3.0, 9.0, 1.0], positive=1)
    assert curve("roc", p).y.tolist() == [0, 1, 1]


# --- findings ----------------------------------------------------------------------------------


def test_a_curve_below_the_diagonal_is_reported_and_left_as_it_is():
    p = Predictions.of([1, 0, 0, 1], score=[1, 2, 4, 3])
    c = curve("roc", p)
    assert c.numbers["auc"] < 0.5
    assert [f.code for f in c.findings] == ["below-diagonal"]
    turned = curve("roc", inverted(p))
    assert turned.numbers["auc"] == 1 - c.numbers["auc"]
    assert turned.findings == ()


def test_probabilities_turn_round_too():
    p = Predictions.of([1, 0, 0], probability=[0.2, 0.7, 0.9])
    assert inverted(p).probability.tolist() == pytest.approx([0.8, 0.3, 0.1])
    with pytest.raises(DataError, match="two classes"):
        inverted(Predictions.of([1, 0], label=[1, 0]))


# --- cross-validation --------------------------------------------------------------------------


def test_vertical_average_keeps_its_folds(tumours):
    found = curve("roc", tumours, average="vertical")
    tree = found["tree"]
    assert len(tree.parts) == 10
    x = tree.x[37]
    each = [c.at(x) for c in tree.parts]
    assert tree.at(x) == pytest.approx(np.mean(each))
    assert tree.band.about == "training"
    assert "corrected t over 10 curves" in str(tree.band)
    assert tree.band.high.max() <= 1
    assert len(json.loads(tree.to_json())["curves"][0]["parts"]) == 10


def test_threshold_average_is_the_mean_of_points(tumours):
    tree = curve("roc", tumours, average="threshold")["tree"]
    assert tree.threshold[0] == np.inf
    cut = 0.2
    at = int(np.flatnonzero(tree.threshold == cut)[0])
    part = tumours.take(tumours.model == "tree")
    rates = []
    for _, fold in part.groups(["fold"]):
        positive = fold.truth == fold.positive
        called = fold.probabilities_of(fold.positive) >= cut
        rates.append((called[~positive].mean(), called[positive].mean()))
    assert (tree.x[at], tree.y[at]) == pytest.approx(tuple(np.mean(rates, axis=0)))


def test_averages_at_thresholds_of_ones_own(tumours):
    tree = curve("roc", tumours, average="threshold", thresholds=[0.1, 0.5, 0.3])["tree"]
    assert tree.threshold.tolist() == [0.5, 0.3, 0.1]
    part = tumours.take(tumours.model == "tree")
    for cut, x, y in zip(tree.threshold, tree.x, tree.y, strict=True):
        rates = []
        for _, fold in part.groups(["fold"]):
            positive = fold.truth == fold.positive
            called = fold.probabilities_of(fold.positive) >= cut
            rates.append((called[~positive].mean(), called[positive].mean()))
        assert (x, y) == pytest.approx(tuple(np.mean(rates, axis=0)))
    by_cut = curve("threshold(measure='recall')", part, average="threshold", thresholds=[0.2, 0.6])
    assert by_cut.x[0] < by_cut.x[1]
    assert by_cut.threshold.tolist() == [0.2, 0.6]


def test_horizontal_average_is_the_mean_of_x_at_equal_y(tumours):
    tree = curve("roc", tumours, average="horizontal")["tree"]
    for i in (13, 50, 88):
        level = tree.y[i]
        # By hand: the first stretch of each fold's curve that reaches the level, and where on it.
        each = []
        for c in tree.parts:
            j = int(np.argmax(c.y >= level))
            before = max(j - 1, 0)
            share = (level - c.y[before]) / (c.y[j] - c.y[before]) if c.y[j] > c.y[before] else 1
            each.append(c.x[before] + share * (c.x[j] - c.x[before]))
        assert tree.x[i] == pytest.approx(np.mean(each))
    assert (tree.band.low <= tree.y + 1e-12).all()
    assert (tree.band.high >= tree.y - 1e-12).all()
    assert "of x at equal y" in tree.band.method


def test_horizontal_is_vertical_of_the_mirrored_curve():
    """A ROC curve mirrored at the falling diagonal has its axes swapped."""
    rng = np.random.default_rng(4)
    truth, fold = np.arange(42) % 2, np.arange(42) // 2 % 3  # 7 cases of a class: no level is met
    score = truth + rng.normal(size=42)
    p = Predictions.of(truth, score=score, fold=fold)
    mirrored = Predictions.of(1 - truth, score=-score, fold=fold)
    across, along = (
        curve("roc", p, average="horizontal"),
        curve("roc", mirrored, average="vertical"),
    )
    np.testing.assert_allclose(across.x[::-1], 1 - along.y, atol=1e-12)


def test_what_is_asked_of_averages_must_fit(tumours):
    with pytest.raises(ParameterError, match="goes with average='threshold'"):
        curve("roc", tumours, average="vertical", thresholds=[0.5])
    with pytest.raises(ParameterError, match="are numbers, at least one"):
        curve("roc", tumours, average="threshold", thresholds=[])
    with pytest.raises(ParameterError, match="both rises and falls"):
        curve("threshold(measure='f1')", tumours, average="horizontal")


def test_folds_that_are_taken_for_independent_are_doubted(tumours):
    folds = curve("roc", tumours, by=["model", "fold"]).where(model="tree")
    wide = average_curves(folds, test_train_ratio=1 / 9)
    narrow = average_curves(folds)
    assert [f.code for f in narrow.findings] == ["dependent-folds"]
    assert wide.findings == ()
    assert (wide.band.high - wide.band.low >= narrow.band.high - narrow.band.low - 1e-12).all()


@pytest.mark.parametrize("how", ["vertical", "threshold"])
def test_what_cannot_be_averaged(how):
    with pytest.raises(DataError, match="at least two"):
        average_curves([curve("roc", simple())], how)
    with pytest.raises(ParameterError, match="'vertical', 'horizontal', 'threshold'"):
        average_curves([curve("roc", simple())] * 2, "sideways")
    bare = replace(curve("roc", simple()), threshold=None)
    if how == "threshold":
        with pytest.raises(ParameterError, match="no thresholds"):
            average_curves([bare, bare], how)


# --- bands -------------------------------------------------------------------------------------


def noisy(n=400, **more):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, n)
    return Predictions.of(y, score=y + rng.normal(size=n), **more)


def test_models_of_the_same_cases_share_replicates():
    p = noisy()
    twice = Predictions.of(
        np.tile(p.truth, 2), score=np.tile(p.score, 2), model=["a"] * p.n + ["b"] * p.n
    )
    found = curve("roc", twice, band="pointwise", rng=4, replicates=100)
    assert (found["a"].band.low == found["b"].band.low).all()


def test_a_band_of_groups_is_wider():
    """Each case four times over is no more to know than once."""
    once = noisy(150)
    many = Predictions.of(
        np.repeat(once.truth, 4), score=np.repeat(once.score, 4), group=np.repeat(np.arange(150), 4)
    )
    plain = replace(many, group=None)
    widths = {}
    for name, p in {"once": once, "grouped": many, "plain": plain}.items():
        b = curve("roc", p, band="pointwise", rng=2, replicates=400).band
        widths[name] = float(np.trapezoid(b.high - b.low, b.x))
    assert widths["grouped"] == pytest.approx(widths["once"], rel=0.15)
    assert widths["plain"] < 0.7 * widths["once"]
    for how in ("ks", "working_hotelling"):
        with pytest.raises(ParameterError, match="independent cases"):
            curve("roc", many, band=how)


@pytest.mark.thorough
def test_pieces_of_scores_do_not_move_a_band():
    """A large input is cut into pieces; a band of the same cases cut finer is the same but for rounding."""
    from credibly.curves import bands

    p = noisy(3000)
    asked = {"band": "pointwise", "rng": 3, "replicates": 200}
    coarse = curve("roc", p, **asked).band
    pieces = bands.SCORE_PIECES
    try:
        bands.SCORE_PIECES = 3000
        fine = curve("roc", p, **asked).band
    finally:
        bands.SCORE_PIECES = pieces
    width = float((fine.high - fine.low).mean())
    assert np.abs(fine.low - coarse.low).max() < 0.1 * width
    assert np.abs(fine.high - coarse.high).max() < 0.1 * width


def test_prevalence_moves_a_band_with_its_curve():
    asked = {"band": "simultaneous", "rng": 3, "replicates": 200, "prevalence": 0.05}
    c = curve("precision_recall", noisy(), **asked)
    assert c.y[-1] == pytest.approx(0.05)
    low, high = c.band.at(0.5)
    assert low <= c.at(0.5) <= high


def test_weighted_cases_have_bands():
    p = noisy(sample_weight=np.arange(400) % 3 + 1.0, weight_kind="importance")
    b = curve("roc", p, band="simultaneous", rng=3, replicates=100).band
    assert (b.high > b.low).any()
    for how in ("ks", "working_hotelling"):
        with pytest.raises(ParameterError, match="independent cases"):
            curve("roc", p, band=how)


# --- several models ----------------------------------------------------------------------------


def test_hull_of_the_tumours(tumours):
    h = hull(tumours)
    assert h.contributors == ("logistic", "naive-bayes")
    assert h.non_contributors == ("nearest-neighbours", "tree")
    assert (np.diff(h.slopes) < 0).all()
    rows = h.rows()
    assert rows[0]["probability_cost_from"] == 0
    assert rows[-1]["probability_cost_to"] == 1
    for before, after in pairwise(rows):
        assert before["probability_cost_to"] == after["probability_cost_from"]
    assert "never best: nearest-neighbours, tree" in str(h)
    assert len(h.frame()) == len(h.points) == len(json.loads(h.to_json())["points"])
    stretches = best_stretches(curve("cost", tumours), better="below")
    assert [s.model for s in stretches] == ["logistic", "naive-bayes"]


def test_the_best_corner_moves_with_classes_and_costs(tumours):
    h = hull(tumours)
    rare = h.best(prevalence=0.001)
    assert rare.point.false_positive_rate == 0
    costly = h.best(false_negative=1000)
    assert costly.point.true_positive_rate == 1
    for wrong in (0, 1, -0.2, float("nan")):
        with pytest.raises(ParameterError, match="between 0 and 1"):
            h.best(prevalence=wrong)
    with pytest.raises(ParameterError, match="not negative"):
        h.best(false_negative=-1)


@pytest.mark.parametrize("size", [1e7, 1e8, 1e12, 1e15])
@pytest.mark.parametrize("turned", [False, True])
def test_a_corner_of_few_cases_among_many_is_one(size, turned):
    """Three positives come before the first negative, or three negatives after the last positive."""
    truth, score = np.array([1, 0, 1, 0, 1, 0]), np.arange(6, 0, -1)
    if turned:  # the curve mirrored at the falling diagonal
        truth, score = 1 - truth, -score
    h = hull(Predictions.of(truth, score=score, sample_weight=[3, 1, 1, 1, size, size]))
    assert [q.threshold for q in h.points[1:-1]] == ([-1, -5] if turned else [6, 2])


def test_models_of_other_cases_are_doubted():
    h = hull({"a": simple(), "b": Predictions.of([1, 0, 0], score=[3, 2, 1])})
    assert [f.code for f in h.findings] == ["different-cases"]
    with pytest.raises(DataError, match="no predictions"):
        hull({})


def test_models_that_reach_the_same_corner_share_it():
    h = hull({"a": simple(), "b": simple()})
    assert {q.model for q in h.points[1:-1]} == {"a"}
    assert all(q.also == ("b",) for q in h.points[1:-1])
    assert h.contributors == ("a", "b")


def test_a_mixture_reaches_its_rates():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 4000)
    scores = {"a": y + rng.normal(size=4000), "b": y + rng.exponential(size=4000)}
    h = hull({m: Predictions.of(y, score=s) for m, s in scores.items()})
    for wanted in (0.05, 0.2, 0.5, 0.9):
        m = h.mixture(false_positive_rate=wanted)
        assert m.false_positive_rate == pytest.approx(wanted)
        called = m.predict(scores, rng=1)
        assert called.dtype == bool
        assert called[y == 0].mean() == pytest.approx(wanted, abs=0.03)
        assert called[y == 1].mean() == pytest.approx(m.true_positive_rate, abs=0.03)
    assert (m.predict(scores, rng=1) == m.predict(scores, rng=1)).all()
    with pytest.raises(ParameterError, match="from 0 to 1"):
        h.mixture(false_positive_rate=1.2)


def test_a_mixture_says_whose_scores_it_lacks():
    h = hull(simple())
    with pytest.raises(DataError, match="needs the scores of 'model'; got those of 'other'"):
        h.mixture(false_positive_rate=0.25).predict({"other": [1, 2]}, rng=1)


def test_only_like_curves_can_be_compared():
    roc, steps = curve("roc", simple()), curve("precision_recall", simple())
    with pytest.raises(ParameterError, match="of the same kind"):
        dominates(roc, steps)
    with pytest.raises(ParameterError, match="'above', 'below'"):
        best_stretches([roc, roc], better="left")


# --- numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong", [{"prevalence": 1.5}, {"prevalence": -0.1}, {"prevalence": 0.5, "false_negative": -1},
              {"prevalence": 0.5, "false_negative": 0, "false_positive": 0},
              {"prevalence": 0.5, "false_negative": float("nan")}]
)  # fmt: skip
def test_probability_cost_refuses_nonsense(wrong):
    with pytest.raises(ParameterError):
        probability_cost(**wrong)


def test_a_classifier_worse_than_chance_operates_nowhere():
    low, high = operating_range(false_positive_rate=0.7, false_negative_rate=0.7)
    assert low > high


def test_the_gap_to_the_envelope_is_never_negative(tumours):
    p = tumours.take(tumours.model == "tree")
    best, fixed = curve("cost", p), curve("cost", p, threshold=0.5)
    at = np.linspace(0, 1, 51)
    assert (fixed.at(at) - best.at(at) >= -1e-12).all()
    assert "best threshold everywhere" in fixed.beside
    low, high = fixed.numbers["operating_from"], fixed.numbers["operating_to"]
    trivial = np.minimum(at, 1 - at)
    inside = (at > low) & (at < high)
    assert (fixed.at(at)[inside] <= trivial[inside] + 1e-12).all()
    assert (fixed.at(at)[~inside] >= trivial[~inside] - 1e-12).all()


def test_total_cost_by_sample_size():
    c = curve("total_cost", simple(), tp=-15, fp=0.8, fn=0, benefit=True, population=400)
    assert c.x.tolist() == [0, 100, 200, 300, 400]
    assert c.numbers == {"best_size": 300.0, "best_total": pytest.approx(2920)}
    assert c.beside["random"][1].tolist() == pytest.approx([0, 2840])


def test_net_benefit_by_hand():
    y, p = [1, 1, 0, 0, 0], [0.9, 0.3, 0.6, 0.2, 0.1]
    c = curve("net_benefit", Predictions.of(y, probability=p), points=9)
    odds = c.x / (1 - c.x)
    tp = np.array([sum(a and b >= t for a, b in zip(y, p, strict=True)) for t in c.x])
    fp = np.array([sum((not a) and b >= t for a, b in zip(y, p, strict=True)) for t in c.x])
    assert c.y == pytest.approx((tp - fp * odds) / 5)
    assert c.beside["treat none"][1].tolist() == [0.0] * 9
    assert c.beside["treat all"][1] == pytest.approx((2 - 3 * odds) / 5)


def test_one_table_holds_three_curves(tumours):
    p = tumours.take(tumours.model == "tree")
    t = threshold_table(p, points=5)
    roc, lift, precision = (curve(n, p) for n in ("roc", "lift", "precision_recall"))
    for row in t.rows():
        assert lift.at(row["share"]) == pytest.approx(row["lift"])
        assert row["tpr"] in roc.y
        assert row["precision"] in precision.y
        inside = roc.x <= row["fpr"]
        inside &= roc.y <= row["tpr"]
        assert row["area"] == pytest.approx(np.trapezoid(roc.y[inside], roc.x[inside]))
    assert t.rows()[-1]["area"] == pytest.approx(roc.numbers["auc"])
    assert len(json.loads(t.to_json())["rows"]) == len(t.frame())
    assert "FPR (ROC x)" in str(t)
    with pytest.raises(DataError, match="several models"):
        threshold_table(tumours)


def test_cost_line_is_a_curve():
    line = cost_line(false_positive_rate=0.1, false_negative_rate=0.3, model="A")
    assert isinstance(line, Curve)
    assert line.label == "A"
    assert "Cost curve of A" in str(line)


def test_binormal_describes_itself():
    fit = binormal(noisy())
    limits = fit.interval()
    assert limits.low < fit.area < limits.high
    assert fit.curve().numbers["auc"] == fit.area
    assert fit.at([0.0, 1.0]).tolist() == [0, 1]
    with pytest.raises(DataError, match="overlap"):
        binormal(Predictions.of([0, 0, 1, 1], score=[1, 2, 3, 4]))


@pytest.mark.parametrize(
    "more", [{"sample_weight": [3.0] * 400, "weight_kind": "importance"}, {"group": [1, 2] * 200}]
)
def test_a_binormal_curve_of_dependent_cases_has_no_standard_error(more):
    plain, fit = binormal(noisy()), binormal(noisy(**more))
    assert (fit.a, fit.b) == pytest.approx((plain.a, plain.b), rel=1e-6)
    assert np.isnan(fit.covariance).all()
    assert np.isnan(fit.standard_error)
    with pytest.raises(DataError, match="independent cases"):
        fit.interval()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"order": "ab"}, "three classes"),
        ({"order": "abd"}, "no case of 'd'"),
        ({"score": [1, 2]}, "one finite score"),
        ({"score": [1, 2, float("nan")]}, "one finite score"),
    ],
)
def test_an_ordered_volume_refuses(wrong, message):
    given = {"y_true": list("abc"), "score": [1, 2, 3], "order": "abc"} | wrong
    with pytest.raises(credibly.CrediblyError, match=message):
        ordered_volume(**given)


def test_volumes_describe_themselves():
    rng = np.random.default_rng(0)
    truth = rng.choice(list("abc"), 60)
    v = ordered_volume(truth, rng.random(60) + (truth == "c"), order="abc")
    assert v.interval.low < v.value < v.interval.high
    assert "by chance 1/6" in str(v)
    assert json.loads(json.dumps(v.to_dict()))["sizes"] == list(v.sizes)
    alone = ordered_volume(list("abc"), [1, 2, 3], order="abc")
    assert alone.interval is None
    assert np.isnan(alone.standard_error)


def test_a_volume_of_probabilities_refuses():
    with pytest.raises(DataError, match="three classes"):
        probability_volume(Predictions.of([0, 1], probability=[0.2, 0.7]))
    p = Predictions.of(
        list("abc"), probability=np.eye(3), sample_weight=[1, 2, 3], weight_kind="frequency"
    )
    with pytest.raises(DataError, match="not take weights"):
        probability_volume(p)


def test_a_new_curve_is_declared_once():
    from credibly.curves import Points, curve_kind
    from credibly.predictions.summaries import ScoreTable

    @curve_kind("Counts", x_title="cases", y_title="hits", reads=ScoreTable, cite="Nobody (2020).")
    def hits(t: ScoreTable) -> Points:
        """Positives among the first cases."""
        return Points(t.tp + t.fp, t.tp, t.score)

    try:
        assert curve("hits", simple()).y.tolist() == [1, 1, 2, 2]
        many = Predictions.of([1, 0] * 10, score=range(20))
        c = curve("hits", many, band="pointwise", rng=1, replicates=20)
        assert c.band is not None
    finally:
        curves.remove("hits")


def test_replicates_of_a_curve_may_share_their_x():
    from credibly.curves import Points, curve_kind
    from credibly.predictions.summaries import ScoreTable

    @curve_kind(
        "Selected", x_title="score", y_title="cases", reads=ScoreTable, cite="Nobody (2020)."
    )
    def selected(t: ScoreTable) -> Points:
        """Cases that score as much or more."""
        return Points(t.score[::-1], (t.pos + t.neg).cumsum(axis=-1)[..., ::-1])

    try:
        many = Predictions.of([1, 0] * 10, score=range(20))
        c = curve("selected", many, band="pointwise", rng=1, replicates=20)
        assert c.band.low.shape == c.band.x.shape
        assert (c.band.low <= c.at(c.band.x)).all()
    finally:
        curves.remove("selected")


@pytest.mark.parametrize("points", [2, 3, 5, 11, 50, 399])
def test_a_few_points_still_show_the_shape(points):
    rng = np.random.default_rng(3)
    truth = np.repeat([0, 1], 2000)
    roc = curve("roc", Predictions.of(truth, score=rng.normal(size=4000) + 2 * truth))
    thin = roc.thinned(points)
    assert points / 2 <= thin.x.size <= points
    assert (thin.x[0], thin.x[-1]) == (0, 1)
    # Along the other diagonal the curve has no vertical steps. Chords are off by about 1 / k squared.
    off = np.interp(roc.x + roc.y, thin.x + thin.y, thin.y - thin.x) - (roc.y - roc.x)
    assert np.abs(off).max() < 4 / points**2 + 0.005 or points == 2
    if points >= 5:
        assert abs(np.trapezoid(thin.y, thin.x) - roc.numbers["auc"]) < 0.03
    with pytest.raises(ParameterError, match="at least 2"):
        roc.thinned(1)


@pytest.mark.parametrize("wrong", [0, 40])
def test_a_curve_that_bends_in_a_corner_is_thinned_to_its_shape(wrong):
    """All of it lies within a thousandth of the corner, which a picture then shows alone."""
    scores = np.r_[
        np.linspace(2, 1, 100), np.linspace(1.5, 1.1, wrong), np.linspace(0.9, 0, 99_900)
    ]
    roc = curve("roc", Predictions.of(np.repeat([1, 0], [100, 99_900 + wrong]), score=scores))
    thin = roc.thinned(200)
    off = np.interp(roc.y, thin.y, thin.x) - roc.x
    assert np.abs(off[(roc.x <= 0.0005) & (roc.y < 1)]).max() < 0.00005


def in_folds(**more):
    y = np.arange(200) % 3 == 0
    score = y + np.random.default_rng(4).normal(size=200)
    return Predictions.of(y.astype(int), score=score, fold=np.arange(200) % 5, **more)


def test_areas_have_the_intervals_of_measures():
    """Those that `evaluate` gives of the same cases: pooled, and as the mean over folds."""
    p = in_folds(n_train=160)
    for name, measure in (("roc", "auc"), ("precision_recall", "average_precision")):
        pooled = credibly.evaluate(p, measure, estimate="pooled", confidence_level=0.9)[measure]
        drawn = curve(name, p, confidence_level=0.9)
        assert tuple(drawn.intervals[measure]) == pytest.approx(tuple(pooled.interval), rel=1e-12)
        about = "models" if measure == "auc" else "training"  # precision is taken over all cases
        assert drawn.intervals[measure].about == pooled.interval.about == about
        mean = curve(name, p, average="vertical")
        over = credibly.evaluate(p, measure, estimate="fold_mean")[measure]
        assert mean.numbers[measure] == pytest.approx(over.value, rel=1e-12)
        assert tuple(mean.intervals[measure]) == pytest.approx(tuple(over.interval), rel=1e-12)
    assert not curve("roc", p, prevalence=0.1).intervals


def test_means_of_curves_keep_what_to_compare_them_with():
    p = in_folds()
    (x, y) = curve("roc", p, average="vertical").beside["chance"]
    assert (x.tolist(), y.tolist()) == ([0, 1], [0, 1])
    shares = [
        y[0] for c in curve("precision_recall", p, by="fold").values() for _, y in c.beside.values()
    ]
    _, y = curve("precision_recall", p, average="vertical").beside["chance"]
    assert y[0] == pytest.approx(np.mean(shares))
