"""The verb `calibration`: what it holds, and what it says to bad input."""

import json
from dataclasses import replace

import numpy as np
import pytest

from credibly import DataError, ParameterError, Predictions, calibration, evaluate, plot
from credibly._core.seeds import FIXED_SEED
from credibly.calibration import (
    Outcomes,
    calibration_statistics,
    class_calibration,
    grouped,
    isotonic_curve,
    local_curve,
    smooth_curve,
)
from credibly.errors import MissingColumnError
from credibly.intervals.bootstrap import bootstrap
from credibly.intervals.influence import influence
from credibly.predictions.summaries import ScoreTable


def drawn(n=400, slope=1.0, seed=0, **more):
    rng = np.random.default_rng(seed)
    z = rng.normal(0, 1.5, n)
    y = (rng.random(n) < 1 / (1 + np.exp(-slope * z))).astype(int)
    return Predictions.of(y, probability=1 / (1 + np.exp(-z)), **more)


# --- what it holds ----------------------------------------------------------------------------


def test_every_statistic_has_an_interval_or_a_reason():
    for rng in (None, 1):
        for e in calibration(drawn(), rng=rng, replicates=60).table.estimates:
            assert e.interval is not None or e.why_no_interval, e.measure
    gaps = calibration(drawn(), rng=1, replicates=60).table["expected_calibration_error"]
    assert gaps.interval.method == "bootstrap, mirrored squares, 60 replicates"
    unseeded = calibration(drawn(), replicates=60)
    assert "rng=" in unseeded.table["e_max"].why_no_interval


def test_the_expected_calibration_error_has_an_interval_without_a_seed_which_a_note_names():
    unseeded, seeded = (calibration(drawn(), rng=rng, replicates=60) for rng in (None, FIXED_SEED))
    first, second = (c.table["expected_calibration_error"].interval for c in (unseeded, seeded))
    assert first == second
    notes = [[f.code for f in c.all_findings()].count("unseeded") for c in (unseeded, seeded)]
    assert notes == [1, 0]


def test_the_same_seed_gives_the_same_result_and_another_another():
    made = [calibration(drawn(), rng=seed, replicates=50).to_json() for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


@pytest.mark.thorough
def test_intervals_of_gaps_hold_none_for_calibrated_probabilities_and_not_for_others():
    names = ("expected_calibration_error", "debiased_calibration_error", "e_average")
    fine, off = (calibration(drawn(2000, s), rng=1, replicates=200).table for s in (1.0, 0.3))
    for name in names:
        assert fine[name].interval.low == 0
        assert off[name].interval.low > 0


def test_it_can_be_written_and_read():
    c = calibration(drawn(), rng=1, replicates=50)
    back = json.loads(c.to_json())
    assert back["groups"][0]["n"] == 40
    assert {t["test"] for t in back["tests"]} >= {"hosmer_lemeshow", "unreliability"}
    assert len(c.frame()) == len(c.table)
    assert "Hosmer-Lemeshow" in str(c.all)
    assert c.curve("isotonic").band is not None
    with pytest.raises(ParameterError, match="no curve 'loess'"):
        c.curve("loess")


@pytest.mark.parametrize("remainder", ["last", "first", "spread"])
def test_groups_hold_every_case_once(remainder):
    o = Outcomes.of(drawn(103))
    made = grouped(o, 10, remainder=remainder)
    assert made.total.sum() == 103
    assert (made.total.max(), made.total.min()) == {"last": (13, 10)}.get(remainder, (11, 10))
    assert (np.diff(made.predicted) > 0).all()


def test_cuts_and_widths():
    o = Outcomes.of(Predictions.of([0, 1, 0, 1], probability=[0.0, 0.2, 0.5, 1.0]))
    assert grouped(o, [0.2, 0.5]).total.tolist() == [1, 1, 2]
    assert grouped(o, 2, rule="equal_width").total.tolist() == [2, 2]


@pytest.mark.parametrize(
    ("how", "sizes"),
    [
        ({"groups": 4}, [1, 3]),
        ({"groups": [0.05, 0.5, 0.9]}, [1, 3]),
        ({"groups": 3, "rule": "equal_width"}, [1, 3]),
        ({"groups": 1}, [4]),
    ],
)
def test_hosmer_and_lemeshows_test_is_of_the_groups_that_are_shown(how, sizes):
    c = calibration(Predictions.of([1, 1, 1, 0], probability=[0.95, 0.95, 0.95, 0.11]), **how)
    assert c.groups.total.tolist() == sizes
    by_hand = {
        2: (3 - 2.85) ** 2 / (2.85 * 0.05) + 0.11**2 / (0.11 * 0.89),
        1: (3 - 2.96) ** 2 / (2.96 * (1 - 2.96 / 4)),
    }
    assert c.tests[0].statistic == pytest.approx(by_hand[len(sizes)])
    p = c.tests[0].parameters
    assert p["freedom"] == p["groups"] == len(sizes)


def test_curves_rise_and_stay_within():
    o = Outcomes.of(drawn(300, 0.5))
    for curve in (isotonic_curve(o, rng=1, replicates=50), smooth_curve(o)):
        assert curve.y.min() >= 0
        assert curve.y.max() <= 1
        assert (curve.band.low <= curve.band.high).all()
    assert (np.diff(isotonic_curve(o).y) >= 0).all()
    logits = smooth_curve(o, on_logits=True)
    assert logits.y.min() < 0
    assert local_curve(o).findings[0].code == "no-band"


def test_a_curve_that_leaves_its_band_is_not_explained_by_chance():
    fine, off = (
        isotonic_curve(Outcomes.of(drawn(3000, s)), rng=1, replicates=100) for s in (1, 0.3)
    )
    assert outside(off) > 0.3 > outside(fine)


def outside(curve):
    y = np.interp(curve.band.x, curve.x, curve.y)
    return np.mean((y < curve.band.low) | (y > curve.band.high))


# --- weights and groups -----------------------------------------------------------------------


def test_importance_weights_have_no_scale():
    w = np.random.default_rng(1).random(400) + 0.5
    first, second = (
        calibration(drawn(sample_weight=k * w), rng=1, replicates=50) for k in (1.0, 1e-6)
    )
    assert "effective-size" in {f.code for f in first.findings}
    for a, b in zip(first.table.estimates, second.table.estimates, strict=True):
        assert a.value == pytest.approx(b.value, rel=1e-9), a.measure
    assert first.outcomes.n == pytest.approx(w.sum() ** 2 / (w @ w))


@pytest.mark.parametrize("constant", [False, True])
def test_statistics_are_the_same_by_any_door_and_in_any_unit_of_importance(constant):
    """Statistics that count cases count the effective size, in `evaluate` as in `calibration`."""
    rng = np.random.default_rng(5)
    n, listed = 100, list(calibration_statistics)
    q = rng.random(n).round(1)  # tied, so that weights of one probability are added up
    y = (rng.random(n) < q).astype(int)
    w = np.full(n, 0.1) if constant else rng.exponential(size=n)

    def weighted(k):
        return Predictions.of(y, probability=q, sample_weight=k * w, weight_kind="importance")

    doors = [calibration(weighted(1.0)).table]
    doors += [evaluate(weighted(k), listed) for k in (1.0, 7.0, 1e-6)]
    doors += [evaluate(Predictions.of(y, probability=q), listed)] if constant else []
    for m in listed:
        first, *others = (table[m.name] for table in doors)
        assert not np.isnan(first.value), m.name
        for other in others:
            assert other.value == pytest.approx(first.value, rel=1e-9, abs=1e-12), m.name


def test_groups_of_importance_weights_have_no_scale():
    """Weights of 1 and 2 fill groups exactly, which rounding in another unit must not undo."""
    p = drawn(60)
    p = p.take(np.argsort(p.probability))
    for k in (1, 7, 0.1, 49, 1e-6):
        w = k * (1.0 + np.arange(60) % 2)
        o = Outcomes.of(replace(p, weight=w, weight_kind="importance", cache={}))
        assert grouped(o, 10).total == pytest.approx(np.full(10, 5.4)), k


def test_influence_values_and_replicates_of_importance_weights_have_no_scale():
    w = np.random.default_rng(1).exponential(size=60)
    light, heavy = (drawn(60, 0.6, sample_weight=k * w, weight_kind="importance") for k in (1, 7))
    for m in calibration_statistics:
        if m.smooth:
            moved = influence(m, heavy) * heavy.weights
            assert moved == pytest.approx(influence(m, light) * w, rel=1e-7, abs=1e-12), m.name
        first, second = (bootstrap(p, m, replicates=5, rng=1).replicates for p in (light, heavy))
        assert first == pytest.approx(second, rel=1e-7, abs=1e-9, nan_ok=True), m.name


def test_summaries_of_importance_weights_add_up_to_that_of_all():
    w = np.random.default_rng(1).exponential(size=60)
    p = drawn(60, sample_weight=w, weight_kind="importance")
    whole, first, last = map(ScoreTable.of, (p, p.take(slice(0, 20)), p.take(slice(20, 60))))
    assert (first + last).case_weight == pytest.approx(whole.case_weight)
    assert (whole - first).case_weight == pytest.approx(last.case_weight)
    assert w.sum() / whole.case_weight == pytest.approx(w.sum() ** 2 / (w @ w))


def without_last_digits(x):
    if isinstance(x, float):
        return float(f"{x:.10g}")
    if isinstance(x, dict):
        return {k: without_last_digits(v) for k, v in x.items()}
    return [without_last_digits(v) for v in x] if isinstance(x, list | tuple) else x


def same(first, second):
    assert repr(without_last_digits(first)) == repr(without_last_digits(second))


@pytest.mark.parametrize("kind", ["frequency", "importance"])
def test_a_row_of_weight_0_is_no_row(kind):
    rng = np.random.default_rng(3)
    weight, group = rng.integers(0, 4, 60), np.arange(60) // 3
    group[weight == 0] = 99  # nobody else is of that group
    p = drawn(60, sample_weight=weight, weight_kind=kind)
    for each in (p, replace(p, group=group, cache={})):
        with_them, without = (
            calibration(q, groups=3, rng=1, replicates=50) for q in (each, each.take(weight > 0))
        )
        same(with_them.to_dict(), without.to_dict())
    many = replace(three_classes(60), weight=weight, weight_kind=kind, cache={})
    with_them, without = (class_calibration(q, groups=3) for q in (many, many.take(weight > 0)))
    same(with_them.to_dict(), without.to_dict())


def test_a_statistic_with_influence_values_has_them_where_a_score_has_no_weight():
    p = drawn(30, sample_weight=[1, 2, 0] * 10, weight_kind="frequency")
    for m in (s for s in calibration_statistics if s.smooth):
        kept = p.weights > 0
        expected = influence(m, p.take(kept))
        assert influence(m, p)[kept] == pytest.approx(expected, rel=1e-9), m.name


def test_groups_of_cases_are_allowed_for_and_said():
    c = calibration(drawn(group=np.arange(400) // 4), rng=1, replicates=50)
    assert "groups-as-independent" in {f.code for f in c.findings}
    assert "groups" in c.table["calibration_slope"].interval.method


# --- several classes --------------------------------------------------------------------------


def three_classes(n=300, seed=0):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet([1, 1, 1], n)
    return Predictions.of(["abc"[rng.choice(3, p=row)] for row in p], probability=p)


def test_a_class_the_top_label_and_all_of_them():
    p = three_classes()
    one = calibration(p, of="b")
    assert one.outcomes.events.sum() == (p.truth == 1).sum()
    top = calibration(p, of="top-label")
    assert top.outcomes.probability.min() > 1 / 3
    whole = class_calibration(p)
    assert len(whole.classes.where(measure="brier_skill")) == 3
    assert whole.top_label.heading == top.heading
    b = next(e for e in whole.classes.where(measure="calibration_slope") if e.keys["class"] == "b")
    assert b.value == pytest.approx(one.table["calibration_slope"].value)
    assert all(t.pvalue > 0.001 for t in whole.tests)
    assert json.loads(whole.to_json())["tests"][1]["test"] == "spiegelhalter_of_classes"
    with pytest.raises(ParameterError, match="is not one of a, b, c"):
        calibration(p, of="d")
    assert calibration(p).heading == top.heading


def joint(p, groups):
    return class_calibration(p, groups=groups).tests[0]


@pytest.mark.parametrize("y", [[0, 0, 0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 2, 0, 2]])
def test_the_joint_test_keeps_tied_cases_together(y):
    """Eight equal rows are one group: 4, 2 and 2 cases where 4, 2.4 and 1.6 were foretold."""
    made = joint(Predictions.of(y, probability=[[0.5, 0.3, 0.2]] * 8, classes=[0, 1, 2]), 2)
    assert made.statistic == pytest.approx(0.16 / 2.4 + 0.16 / 1.6)
    assert (made.parameters["freedom"], made.parameters["groups"]) == (2, 1)


def test_the_joint_test_takes_a_frequency_for_as_many_rows():
    p, copies = three_classes(12), np.arange(12) % 4 + 1
    counted = replace(p, weight=copies.astype(float), weight_kind="frequency", cache={})
    repeated = p.take(np.repeat(np.arange(12), copies))
    for groups in (2, 3, 5):
        first, second = joint(counted, groups), joint(repeated, groups)
        assert first.statistic == pytest.approx(second.statistic)
        assert first.parameters == pytest.approx(second.parameters)


def test_joint_tests_of_importance_weights_have_no_scale():
    p, w = three_classes(60), np.random.default_rng(1).exponential(size=60)
    light, heavy = (
        class_calibration(replace(p, weight=k * w, weight_kind="importance", cache={}), groups=3)
        for k in (1.0, 7.0)
    )
    for first, second in zip(light.tests, heavy.tests, strict=True):
        assert first.statistic == pytest.approx(second.statistic)


# --- bad input --------------------------------------------------------------------------------


def test_probabilities_outside_the_unit_interval_are_refused():
    with pytest.raises(DataError, match="probability"):
        Predictions.of([0, 1], probability=[0.2, 1.5])


@pytest.mark.parametrize("groups", [0, -1, 5, True])
def test_more_groups_than_cases_are_refused(groups):
    with pytest.raises(ParameterError, match=r"groups must be from 1 to the number of cases \(4\)"):
        calibration(Predictions.of([0, 1, 0, 1], probability=[0.1, 0.2, 0.3, 0.4]), groups)


@pytest.mark.parametrize("cuts", [[0.5, 0.5], [0.6, 0.2], [0.0, 0.5], [0.5, 1.0], []])
def test_cuts_must_rise_between_0_and_1(cuts):
    with pytest.raises(ParameterError, match="Cut points must increase"):
        calibration(drawn(), cuts)


@pytest.mark.parametrize(
    ("y", "p"),
    [
        ([0, 1] * 10, [0.3] * 20),  # all equal
        ([1] * 20, list(np.linspace(0.1, 0.9, 20))),  # one class
        ([0, 1] * 10, [0.0, 1.0] * 10),  # certain and right
        ([1, 0] * 10, [0.0, 1.0] * 10),  # certain and wrong
        ([0] * 10 + [1] * 10, list(np.linspace(0.1, 0.9, 20))),  # separated
    ],
)
def test_degenerate_probabilities_are_judged_as_far_as_can_be(y, p):
    c = calibration(
        Predictions.of(y, probability=p, classes=[0, 1], positive=1), 2, rng=1, replicates=20
    )
    for e in c.table.estimates:
        assert e.interval is not None or e.why_no_interval, e.measure
        if np.isnan(e.value):
            assert e.findings, e.measure
    assert str(c)
    assert json.loads(c.to_json())
    assert plot(c).alt


def test_what_cannot_be_judged_is_refused_with_the_reason():
    with pytest.raises(MissingColumnError, match="these predictions have: label"):
        calibration(Predictions.of([0, 1], label=[0, 1]))
    with pytest.raises(DataError, match="at least two cases with a known truth; there is 1"):
        calibration(Predictions.of([1], probability=[0.4], classes=[0, 1], positive=1), 1)
    with pytest.raises(DataError, match="one model; these predictions are by a and b"):
        class_calibration(drawn(model=["a", "b"] * 200))
    with pytest.raises(ParameterError, match="confidence_level"):
        calibration(drawn(), confidence_level=2)
    with pytest.raises(ParameterError, match="knots must be one of 3, 4, 5"):
        smooth_curve(Outcomes.of(drawn()), knots=9)


def test_exact_zeros_and_ones_are_said():
    p = Predictions.of([0, 1, 0, 1] * 10, probability=[0.0, 1.0, 0.4, 0.7] * 10)
    c = calibration(p, 4)
    assert "certain-outputs" in {f.code for f in c.all_findings()}


def test_the_display_draws_what_scikit_learns_arguments_ask_for():
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt
    from sklearn.naive_bayes import GaussianNB

    from credibly.plots import ReliabilityDisplay

    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2))
    y = np.where(x[:, 0] + rng.normal(size=200) > 0, "yes", "no")
    model = GaussianNB().fit(x, y)
    _, ax = plt.subplots()
    made = ReliabilityDisplay.from_estimator(model, x, y, n_bins=5, strategy="uniform", ax=ax)
    assert made.ax_ is ax
    assert "5 steps of equal width" in made.calibration.groups.rule
    other = ReliabilityDisplay.from_estimator(model, x, y, pos_label="no")
    assert other.calibration.outcomes.prevalence == pytest.approx((y == "no").mean())
    with pytest.raises(ParameterError, match="strategy must be"):
        ReliabilityDisplay.from_predictions([0, 1], [0.2, 0.8], strategy="kmeans")
    plt.close("all")


class TestFirstContact:
    """What people meet who set nothing: several classes, few cases, ties."""

    def test_several_classes_are_judged_by_their_top_label_and_it_is_said(self):
        p = Predictions.of(
            list("abc") * 20,
            probability=[[0.6, 0.2, 0.2], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]] * 20,
            classes=["a", "b", "c"],
        )
        found, asked = calibration(p), calibration(p, of="top_label")
        assert "the top label" in found.heading
        np.testing.assert_array_equal(*([e.value for e in c.table] for c in (found, asked)))
        assert "about-top-label" in {f.code for f in found.findings}
        assert "about-top-label" not in {f.code for f in asked.findings}
        both = calibration({"x": p, "y": p})
        assert all("the top label" in m.heading for m in both.models)

    @pytest.mark.parametrize(("n", "made"), [(2, 1), (3, 1), (8, 4), (9, 4), (10, 10)])
    def test_few_cases_have_fewer_groups_and_a_caution(self, n, made):
        p = Predictions.of([0, 1] * n, probability=np.linspace(0.05, 0.95, 2 * n)).take(
            np.arange(n)
        )
        found = calibration(p)
        assert len(found.groups.rows()) == made
        assert ("few-cases-to-group" in {f.code for f in found.findings}) == (n < 10)

    def test_groups_that_were_asked_for_are_still_refused_beyond_the_cases(self):
        p = Predictions.of([0, 1, 0, 1], probability=[0.1, 0.8, 0.3, 0.6])
        with pytest.raises(ParameterError, match="number of cases"):
            calibration(p, 10)

    def test_ties_are_not_called_equal_sizes(self):
        tied = Predictions.of([0, 1] * 50, probability=[0.2] * 45 + [0.4] * 5 + [0.8] * 50)
        said = calibration(tied, 4).groups.rule
        assert said.startswith("3 groups of 5 to 50 cases; asked for 4 of equal size")
        apart = Predictions.of([0, 1] * 51, probability=np.linspace(0.01, 0.99, 102))
        for remainder in ("last", "first", "spread"):
            rule = calibration(apart, 4, remainder=remainder).groups.rule
            assert rule == f"4 groups of equal size, remainder {remainder}"
