"""Decisions: doors, prevalence, doubt, what is said, and what a result holds."""

import json

import numpy as np
import pytest

from credibly import (
    CostMatrix,
    DataError,
    ParameterError,
    Predictions,
    RowCosts,
    check,
    cost_benefit,
    decide,
    evaluate,
)
from credibly.decisions import decision_rules
from credibly.decisions.problem import DecisionProblem

COSTS = {"fn": 5, "fp": 1}


@pytest.fixture
def p():
    rng = np.random.default_rng(4)
    truth = (rng.random(400) < 0.3).astype(int)
    logit = rng.normal(1.6 * truth, 1)
    chance = 1 / (1 + np.exp(-(1.6 * logit - 1.28 + np.log(0.3 / 0.7))))
    return Predictions.of(truth, probability=chance)


class TestCosts:
    def test_by_outcome_matrix_and_row_agree(self, p):
        here = decide(p, COSTS)
        matrix = decide(p, CostMatrix.of([[0, 1], [5, 0]], [0, 1]))
        rows = decide(p, RowCosts.binary(fn=np.full(p.n, 5.0), fp=1.0))
        assert here.threshold == matrix.threshold == 1 / 6
        assert rows.threshold is None
        assert here.labels.tolist() == matrix.labels.tolist() == rows.labels.tolist()
        for a, b in zip(here.table.estimates, rows.table.estimates, strict=True):
            assert (a.measure, a.value) == (b.measure, pytest.approx(b.value))

    def test_classes_may_be_named_in_any_order(self):
        p = Predictions.of(["no", "yes"], probability=[0.2, 0.3], positive="yes")
        costs = CostMatrix.of([[0, 5], [1, 0]], ["yes", "no"])
        assert decide(p, costs).threshold == 1 / 6
        assert decide(p, {"fn": 5, "fp": 1}).threshold == 1 / 6

    def test_the_positive_class_may_come_first(self):
        p = Predictions.of(["a", "b"], probability=[0.9, 0.1], positive="a")
        made = decide(p, {"fn": 5, "fp": 1})
        assert made.threshold == 1 / 6
        assert [p.classes[i] for i in made.labels] == ["a", "b"]
        assert made.counts.matrix.tolist() == [[1, 0], [0, 1]]

    def test_benefits_are_negative_costs(self):
        p = Predictions.of([0, 1, 0, 1], probability=[0.04, 0.06, 0.04, 0.2])
        made = decide(p, {"tp": -15, "fp": 0.8})
        assert made.threshold == pytest.approx(0.8 / 15.8)
        assert made.table["total_cost"].value == -30
        table = CostMatrix.of([[0, -0.8], [0, 15]], [0, 1], meaning="benefit")
        assert decide(p, table).threshold == made.threshold

    def test_no_costs_are_said(self, p):
        made = decide(p)
        assert made.threshold == 0.5
        assert "no-costs" in {f.code for f in made.table.findings}

    @pytest.mark.parametrize(
        ("costs", "message"),
        [
            ({"fn": 0, "fp": 0}, "All costs are zero"),
            ({"fn": 1, "tp": 1, "fp": 0}, "Every label costs the same"),
            ({"loss": 1}, "'loss' is not one of them"),
            ({"fn": float("nan")}, "is nan"),
            ({"fn": [1.0, 2.0]}, "costs has 2 rows but truth has 400"),
            ({"fn": [1.0, float("inf")]}, "not a finite number"),
            (CostMatrix.of([[0, 1], [5, 0]], [0, 2]), "no class 1"),
            ([[0, 1]], "A table of costs is square"),
            ({"tp": 3, "tn": 3}, "both mistakes are cheaper than being right"),
        ],
    )
    def test_refuses(self, p, costs, message):
        with pytest.raises((DataError, ParameterError), match=message):
            decide(p, costs)

    def test_outcomes_are_those_of_two_classes(self):
        p = Predictions.of(["a", "b", "c"], probability=np.eye(3), classes=list("abc"))
        with pytest.raises(DataError, match="Outcomes such as fn and fp need two classes"):
            decide(p, COSTS)

    def test_a_label_that_always_costs_less_needs_no_threshold(self, p):
        assert decide(p, {"fn": 1, "fp": 0}).threshold == 0
        assert decide(p, {"fn": 0, "fp": 1}).threshold == np.inf

    def test_rows_of_unknown_truth_are_left_out_with_their_costs(self):
        p = Predictions.of([0, None, 1], probability=[0.1, 0.9, 0.8])
        made = decide(p, {"fn": [1.0, 100.0, 7.0], "fp": 1.0}, rule="given_threshold(threshold=2)")
        assert made.table["total_cost"].value == 7


class TestPrevalence:
    def test_bayes_rule_moves_the_threshold_by_the_odds(self, p):
        share = float((p.truth == 1).mean())
        made = decide(p, COSTS, prevalence=0.02)
        odds = made.threshold / (1 - made.threshold)
        assert odds == pytest.approx((1 / 5) * (share / (1 - share)) / (0.02 / 0.98))
        assert made.table["average_cost"].value == pytest.approx(
            0.02 * 5 * (1 - made.table["recall"].value)
            + 0.98 * (1 - made.table["specificity"].value)
        )

    def test_the_training_shares_are_those_of_the_baseline(self, p):
        trained = Predictions.of(p.truth, probability=p.probability, baseline=[0.5, 0.5])
        odds = decide(trained, COSTS, prevalence=0.02).threshold
        assert odds / (1 - odds) == pytest.approx((1 / 5) / (0.02 / 0.98))

    def test_its_own_prevalence_changes_nothing_but_what_is_uncertain(self, p):
        share = float((p.truth == 1).mean())
        by_row = RowCosts.binary(**COSTS)  # both are then means of a number of each case
        here, there = (decide(p, by_row, prevalence=q) for q in (None, share))
        assert there.threshold == pytest.approx(here.threshold)
        assert there.counts.matrix == pytest.approx(here.counts.matrix)
        a, b = (d.table["average_cost"] for d in (here, there))
        assert a.value == pytest.approx(b.value)
        assert b.interval.high - b.interval.low < a.interval.high - a.interval.low

    def test_shares_by_name(self, p):
        by_name = decide(p, COSTS, prevalence={0: 0.9, 1: 0.1})
        assert by_name.threshold == decide(p, COSTS, prevalence=0.1).threshold

    @pytest.mark.parametrize(
        ("prevalence", "message"),
        [
            (0, "between 0 and 1"),
            (1.0, "between 0 and 1"),
            (float("nan"), "between 0 and 1"),
            (True, "between 0 and 1"),
            ([0.5, 0.6], "sum to 1"),
            ({0: 0.5}, "share of each class"),
        ],
    )
    def test_refuses(self, p, prevalence, message):
        with pytest.raises(ParameterError, match=message):
            decide(p, COSTS, prevalence=prevalence)

    def test_a_class_without_cases_has_no_cost(self):
        p = Predictions.of(list("aabb"), label=list("abab"), classes=list("abc"))
        with pytest.raises(DataError, match="No case is of class 'c'"):
            decide(p, prevalence=[0.3, 0.3, 0.4])


class TestDoubt:
    def test_lies_between_two_probabilities(self, p):
        """Positive costs 1 - q, negative 5 q: both above 0.4 between 0.08 and 0.6."""
        made = decide(p, COSTS, doubt=0.4)
        q = p.probability
        expected = np.where(q > 0.6, 1, np.where(q < 0.08, 0, -1))
        assert made.labels.tolist() == expected.tolist()
        assert made.threshold == q[q > 0.6].min()
        assert made.decisions[0].doubt_from == q[q > 0.08].min()
        assert made.counts.doubt.sum() == (expected == -1).sum()

    def test_never_expects_to_cost_more_than_a_label(self, p):
        costs = [decide(p, COSTS, doubt=d).table["expected_cost"].value for d in (0.1, 0.4, 9.0)]
        without = decide(p, COSTS)
        assert costs == sorted(costs)
        assert costs[2] == without.table["expected_cost"].value

    def test_is_for_expected_costs(self, p):
        with pytest.raises(ParameterError, match="youden has no parameter 'doubt'"):
            decide(p, COSTS, rule="youden", doubt=0.1)


class TestResult:
    def test_is_json(self, p):
        made = json.loads(decide(p, {"fn": 0, "fp": 1}, rule="minimum_cost").to_json())
        assert made["decisions"][0]["threshold"] == "Infinity"
        assert made["rule"] == "minimum_cost"
        assert made["confusion_matrix"]["counts"][0][1] == 0
        assert {e["measure"] for e in made["estimates"]} >= {"average_cost", "saving"}

    def test_baselines_are_the_constant_labels(self, p):
        e = decide(p, COSTS).table["average_cost"]
        share = float((p.truth == 1).mean())
        assert e.baselines["always 0"] == pytest.approx(5 * share)
        assert e.baselines["always 1"] == pytest.approx(1 - share)

    def test_several_models_are_decided_apart(self, p):
        both = Predictions.of(
            np.tile(p.truth, 2),
            probability=np.concatenate([p.probability, 1 - p.probability]),
            model=np.repeat(["a", "b"], p.n),
            row=np.tile(np.arange(p.n), 2),
        )
        made = decide(both, COSTS, rule="minimum_cost")
        assert [d.model for d in made.decisions] == ["a", "b"]
        assert made.decisions[0].threshold == decide(p, COSTS, rule="minimum_cost").threshold
        assert made.table.where(measure="average_cost", model="a")
        with pytest.raises(ParameterError, match="several models"):
            _ = made.threshold

    def test_reads_and_prints(self, p):
        text = str(decide(p, COSTS, rule="minimum_cost", rng=1, replicates=40))
        assert "are labelled positive" in text
        assert "cross-fitted" in text
        assert max(len(line) for line in text.splitlines()[1:] if "note:" not in line) < 120
        assert "no case is labelled positive" in str(decide(p, {"fn": 0, "fp": 1}))

    def test_says_which_rule_is_cheaper(self):
        truth = [1] * 45 + [0] * 5
        missed = Predictions.of(truth, probability=[0.1] * 40 + [0.9] * 10)
        made = decide(missed, {"fn": 5, "fp": 1})
        assert "; always 1 is clearly cheaper (0.1): saving per case" in made.meaning()
        assert made.meaning().startswith(
            "Cases with a probability of at least 0.1667 are labelled positive (1)"
        )

    def test_says_its_threshold_once_and_recalibration_where_it_would_gain(self):
        shifted = Predictions.of([1, 0] * 100, probability=[0.99, 0.3] * 100)  # off, but all right
        made = decide(shifted, {"fn": 1, "fp": 1})
        assert str(made).count("at least 0.5") == 1
        assert "\nRule: minimum expected cost.\n" in str(made)
        said = {f.code: str(f) for f in made.all_findings()}
        assert "believed-probabilities" not in said
        assert "ecalibrat" not in said["believed-without-loss"]

    def test_doubts_a_threshold_where_the_cost_is_not_as_expected(self):
        truth = [1] * 20 + [0] * 20
        bold = Predictions.of(truth, probability=([0.99] * 10 + [0.01] * 10) * 2)
        honest = Predictions.of(truth, probability=[0.5] * 40)
        both = {"bold": bold, "honest": honest}
        (said,) = (f for f in decide(both, COSTS).all_findings() if f.severity == "caution")
        assert said.code == "believed-probabilities"
        assert "the probabilities of bold" in str(said)
        assert "rule='minimum_cost'" in str(said)
        for made in (decide(honest, COSTS), decide(bold, COSTS, rule="minimum_cost", rng=1)):
            assert "believed-probabilities" not in {f.code for f in made.all_findings()}

    def test_doubts_labels_of_several_classes_where_the_cost_is_not_as_expected(self):
        sure = [[0.98, 0.01, 0.01], [0.01, 0.98, 0.01], [0.01, 0.01, 0.98]]
        bold = Predictions.of(
            [0, 0, 1, 1, 2, 2] * 8, probability=[sure[i] for i in [0, 1, 1, 2, 2, 0] * 8]
        )
        found = decide(bold, [[0, 1, 1], [1, 0, 1], [1, 1, 0]]).all_findings()
        (said,) = (f for f in found if f.code == "misjudged-cost")
        assert "The expected cost according to the model is" in str(said)

    def test_the_frame_holds_the_estimates(self, p):
        frame = decide(p, COSTS).frame()
        assert list(frame["measure"][:2]) == ["average_cost", "total_cost"]

    def test_inputs_are_left_alone(self, p):
        before = p.fingerprint
        decide(p, COSTS, rule="minimum_cost", rng=1, replicates=20)
        p.cache.pop("fingerprint")
        assert p.fingerprint == before


class TestUncertainty:
    def test_a_saving_is_the_average_of_another_matrix(self):
        """Its interval is made as that of the cost: by the table, with half a case in each cell."""
        p = Predictions.of([0] * 60 + [1] * 40, probability=[0.1] * 50 + [0.9] * 50, positive=1)
        made = decide(p, {"fn": 5, "fp": 1}, rule="minimum_expected_cost").table
        saved = [[1, 0], [-5, 0]]  # against labelling all positive
        found = evaluate(p, "average_cost", costs=saved)["average_cost"]
        assert made["saving"].value == pytest.approx(found.value)
        assert tuple(made["saving"].interval) == pytest.approx(tuple(found.interval))
        assert made["saving"].interval.method == made["average_cost"].interval.method

    def test_cross_fitting_takes_back_what_was_chosen(self):
        """Scores that say nothing: choosing seems to save, cross-fitted it does not."""
        rng = np.random.default_rng(8)
        p = Predictions.of(rng.permutation([0, 1] * 100), score=rng.normal(size=200))
        made = decide(p, {"fn": 1, "fp": 1}, rule="minimum_cost", rng=3, replicates=20)
        assert made.table["saving"].value > 0.02
        assert made.table["cross_fitted_saving"].value < 0.01
        assert made.table["cross_fitted_cost"].value > made.table["average_cost"].value

    def test_groups_are_dealt_and_drawn_whole(self):
        rng = np.random.default_rng(2)
        group = np.repeat(np.arange(60), 5)
        truth = (rng.random(60) < 0.5).astype(int)[group]
        p = Predictions.of(truth, score=rng.normal(truth, 1), group=group)
        made = decide(p, COSTS, rule="youden", rng=1, replicates=40)
        assert "of 60" in made.threshold_interval.method
        assert "groups" in made.table["average_cost"].interval.method

    def test_few_cases_get_no_threshold_interval(self):
        p = Predictions.of([0, 1] * 5, score=np.arange(10))
        made = decide(p, COSTS, rule="youden", rng=1)
        assert made.threshold_interval is None
        assert "at least 30" in made.decisions[0].why_no_threshold_interval

    def test_a_threshold_from_costs_alone_is_certain(self, p):
        made = decide(p, COSTS, rng=1)
        assert made.decisions[0].why_no_threshold_interval == ("it was not chosen from these cases")

    def test_costs_stay_within_what_labels_can_cost(self):
        p = Predictions.of([0, 1] * 10, label=[0, 1] * 9 + [1, 1])
        e = decide(p, {"fn": 50, "fp": 10}, rule="given_labels").table["average_cost"]
        assert e.value == 0.5
        assert 0 <= e.interval.low < e.interval.high <= 50
        by_row = decide(p, RowCosts.binary(fn=50, fp=10), rule="given_labels").table
        e, total = by_row["average_cost"], by_row["total_cost"]
        assert (e.value, e.interval.low) == (0.5, 0.0)
        assert total.interval.high == 20 * e.interval.high

    def test_repeats_of_the_same_cases_say_no_more_than_one(self, p):
        columns = {"score": np.tile(p.probability, 2), "repeat": np.repeat([0, 1], p.n)}
        options = {"costs": RowCosts.binary(**COSTS), "rule": "youden", "rng": 1, "replicates": 20}
        named = np.tile(np.arange(p.n), 2)
        twice = decide(Predictions.of(np.tile(p.truth, 2), **columns, row=named), **options)
        once = decide(Predictions.of(p.truth, score=p.probability), **options)
        for made in (once, twice):
            limits = made.table["average_cost"].interval
            ends = [getattr(once.table["average_cost"].interval, end) for end in ("low", "high")]
            # Degrees of freedom are one less than cases for repeats, Satterthwaite's without.
            assert [limits.low, limits.high] == pytest.approx(ends, rel=0.01)
        nameless = decide(Predictions.of(np.tile(p.truth, 2), **columns), **options)
        assert nameless.table["average_cost"].interval is None
        assert "several repeats" in nameless.decisions[0].why_no_threshold_interval

    def test_doubt_widens_what_can_be(self):
        p = Predictions.of([0, 1], label=[0, 1])
        problem = DecisionProblem.of(p, {"tn": 5, "fp": 6, "fn": 2})
        assert problem.attainable() == (2.5, 4.0)
        assert problem.attainable(1.0) == (0.5, 4.0)
        assert problem.attainable(8.0) == (2.5, 8.0)

    def test_what_does_not_vary_has_no_interval(self):
        p = Predictions.of([0, 1, 0, 1], label=[0, 1, 0, 1])
        e = decide(p, RowCosts.binary(**COSTS), rule="given_labels").table["average_cost"]
        assert (e.value, e.interval) == (0.0, None)
        assert "no variation" in e.why_no_interval


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: decide([0, 1]), "decide takes Predictions"),
        (lambda: decide(Predictions.of([0, 1], score=[0, 1]), replicates=0), "replicates must be"),
        (lambda: decide(Predictions.of([0.5, 1.0], value=[1.0, 2.0])), "are numbers"),
        (lambda: decide(Predictions.of([0, 1], label=[0, 1]), rule="youden"), "needs a score"),
        (lambda: decide(Predictions.of([0, 1], score=[0, 1]), rule="bayes"), "needs probability"),
        (lambda: decide(Predictions.of([0, 1], score=[0, 1]), rule="yuden"), "Did you mean youden"),
        (
            lambda: decide(Predictions.of([0, 1, 1], score=[2, 1, 0]), rule="fixed_precision"),
            "the highest is 0.6667",
        ),
        (
            lambda: decide(
                Predictions.of(["a", "b", "c"], probability=np.eye(3), classes=list("abc")),
                rule="youden",
            ),
            "A threshold needs two classes",
        ),
    ],
)
def test_refuses(make, message):
    with pytest.raises((DataError, ParameterError), match=message):
        make()


@pytest.mark.parametrize("unit", [10.0**e for e in (-300, -100, -10, -9, 0, 9, 100, 300)])
def test_the_unit_of_cost_moves_no_threshold(unit):
    p = Predictions.of([0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6])
    assert decide(p, {"fn": 5 * unit, "fp": unit}, rule="minimum_cost").threshold == 3
    rows = RowCosts.binary(fn=np.full(6, 5 * unit), fp=unit)
    assert decide(p, rows, rule="minimum_cost").threshold == 3


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_rounding_makes_no_threshold_cheaper(unit):
    """Three responses pay for one call in vain: all cost as much as none, but 0.3 < 3 * 0.1 in doubles."""
    p = Predictions.of([1, 1, 1, 0], score=[1, 1, 1, 1])
    costs = {"tp": -0.1 * unit, "fp": 0.3 * unit}
    assert decide(p, costs, rule="minimum_cost").threshold == np.inf
    assert decide(p, RowCosts.binary(**costs), rule="minimum_cost").threshold == np.inf


def test_a_problem_at_its_own_weights_is_a_weighted_mean():
    p = Predictions.of([0, 1, 1], label=[1, 0, 1], sample_weight=[1, 2, 3], weight_kind="frequency")
    problem = DecisionProblem.of(p, COSTS)
    e = problem.estimate("cost", "Cost", problem.costs_of(p.label), 0.95)
    cases = np.array([1.0, 5.0, 5.0, 0.0, 0.0, 0.0])
    assert e.value == pytest.approx(cases.mean())
    assert (e.interval.low + e.interval.high) / 2 == pytest.approx(e.value)


def test_the_precision_at_a_given_prevalence_rests_on_both_rates():
    truth = [1] * 40 + [0] * 60
    label = np.array([1] * 30 + [0] * 10 + [1] * 12 + [0] * 48)
    p = Predictions.of(truth, score=label)
    rule = "given_threshold(threshold=1)"
    table = decide(p, rule=rule, prevalence=0.1).table
    found = table["precision"]
    assert found.value == pytest.approx(0.1 * 0.75 / (0.1 * 0.75 + 0.9 * 0.2))
    # Every ratio within the limits is one at which the two rates together are not too far off: the
    # squared distances of each, as shares of its own half width, sum to one at a limit (MOVER).
    recall, specificity = table["recall"].interval, table["specificity"].interval
    for end, hit, alarm in (
        (found.interval.low, recall.low, 1 - specificity.low),
        (found.interval.high, recall.high, 1 - specificity.high),
    ):
        ratio = end / (1 - end) * 9
        off = 0.75 - ratio * 0.2
        assert off**2 == pytest.approx((hit - 0.75) ** 2 + (ratio * (alarm - 0.2)) ** 2, rel=1e-9)
    assert "MOVER-R" in found.interval.method
    plain = decide(p, rule=rule).table
    for name in ("recall", "specificity"):  # about one class each
        assert table[name].interval == plain[name].interval


@pytest.mark.parametrize(("hits", "alarms"), [(0, 5), (5, 0), (20, 20), (20, 0), (0, 20)])
def test_the_precision_at_a_given_prevalence_at_the_edges(hits, alarms):
    label = [1] * hits + [0] * (20 - hits) + [1] * alarms + [0] * (20 - alarms)
    p = Predictions.of([1] * 20 + [0] * 20, score=label)
    rule = "given_threshold(threshold=1)"
    found = decide(p, rule=rule, prevalence=0.02).table["precision"]
    limits = found.interval
    assert 0 <= limits.low <= found.value <= limits.high <= 1
    assert limits.low < limits.high
    nobody = decide(p, rule="given_threshold(threshold=2)", prevalence=0.02).table["precision"]
    assert np.isnan(nobody.value)
    assert nobody.interval is None


def test_the_precision_at_a_given_prevalence_leaves_out_what_is_in_doubt(p):
    made = decide(p, COSTS, prevalence=0.5, doubt=0.3)
    (_, alarms), (_, hits) = made.counts.matrix  # at the prevalence
    assert made.counts.doubt.sum() > 0
    assert made.table["precision"].value == pytest.approx(hits / (hits + alarms))


@pytest.mark.parametrize(
    ("costs", "code", "words"),
    [
        ({"fn": -5, "fp": 1}, "negative-costs", "Labelling 1 as 0 costs -5"),
        ({"fn": 5, "fp": 1, "tp": 9}, "dear-decisions", "Labelling 1 correctly costs 9"),
        ({"fn": [5.0, -1.0] * 200, "fp": 1}, "negative-costs", "Labelling 1 as 0 costs -1"),
    ],
)
def test_odd_costs_are_named(p, costs, code, words):
    said = {f.code: f for f in decide(p, costs).table.findings}
    assert said[code].severity == "caution"
    assert words in said[code].message


@pytest.mark.parametrize("costs", [None, COSTS, {"tp": -15, "fp": 0.8}])
def test_plain_costs_are_not_doubted(p, costs):
    codes = {f.code for f in decide(p, costs).table.findings}
    assert codes.isdisjoint({"negative-costs", "dear-decisions"})


@pytest.mark.parametrize(("given", "other"), [("fn", "fp"), ("fp", "fn"), ("tp", "fp")])
def test_a_mistake_without_a_cost_is_refused(p, given, other):
    with pytest.raises(ParameterError, match=f"{other} is not given.*{other}=1 .{other}=0 if"):
        decide(p, {given: 5})
    decide(p, {given: 5, other: 0})


def test_a_choice_that_is_judged_on_other_cases_leads_with_what_it_is_worth_there():
    rng = np.random.default_rng(0)
    truth = np.arange(120) % 4 == 0
    p = Predictions.of(truth * 1, score=rng.normal(size=120))  # which says nothing
    made = decide(p, {"fn": 3, "fp": 1}, rule="minimum_cost", rng=1)
    table = made.table
    assert table["saving"].value > 0 > table["cross_fitted_saving"].value
    assert "average cost, cross-fitted is" in made.meaning()
    assert "clearly above 0" not in made.meaning()
    selected = cost_benefit(p, {"tp": -3, "fp": 1}, rng=1)
    assert selected.table["advantage"].value >= 0 > selected.table["cross_fitted_advantage"].value
    assert selected.meaning().startswith("Profit, cross-fitted is")


def test_limits_of_a_threshold_say_what_was_drawn():
    rng = np.random.default_rng(1)
    truth, group = rng.integers(0, 2, 200), np.arange(200) // 5
    score = truth + rng.normal(size=200)
    for columns, drawn in (({}, "of 200 cases"), ({"group": group}, "of 40 groups")):
        p = Predictions.of(truth, score=score, **columns)
        made = decide(p, {"fn": 1, "fp": 1}, rule="minimum_cost", rng=1, replicates=50)
        assert drawn in made.threshold_interval.method


def test_probabilities_that_a_rule_believes_are_doubted_where_the_check_doubts_them():
    rng = np.random.default_rng(4)
    risk = rng.random(1000)
    truth = (rng.random(1000) < risk).astype(int)
    sure = 1 / (1 + np.exp(-0.3 * np.log(risk / (1 - risk)) - 1))  # of the same order, and far off
    codes = {}
    for name, probability in {"good": risk, "poor": sure}.items():
        p = Predictions.of(truth, probability=probability)
        said = {f.code: f for f in decide(p, {"fn": 5, "fp": 1}).all_findings()}
        codes[name] = "believed-probabilities" in said
        assert codes[name] == (check(p)["miscalibrated"].status == "caution")
    assert codes == {"good": False, "poor": True}
    assert "would have cost" in said["believed-probabilities"].message
    cost = decide(p, {"fn": 5, "fp": 1}, rule="minimum_cost", rng=1)
    (fitted,) = cost.table.where(measure="cross_fitted_cost")
    assert f"would have cost {fitted.value:.4g} per case" in said["believed-probabilities"].message
    chosen = {f.code for f in cost.all_findings()}
    assert "believed-probabilities" not in chosen


@pytest.mark.parametrize("costs", [{"fn": 5, "fp": 1}, {"tp": -5, "fp": 1, "fn": 0, "tn": 0}])
def test_advice_needs_a_gain_that_cases_show(costs):
    rng = np.random.default_rng(4)
    risk = rng.random(400)
    truth = (rng.random(400) < risk).astype(int)
    sure = 1 / (1 + np.exp(-0.3 * np.log(risk / (1 - risk)) - 1))
    said = {f.code for f in decide(Predictions.of(truth, probability=sure), costs).all_findings()}
    assert "believed-without-loss" in said
    assert "believed-probabilities" not in said


def test_of_many_classes_the_cheapest_label_stands_beside_the_cost():
    k = 40
    truth = np.tile(np.arange(k), 5)
    found = decide(Predictions.of(truth, probability=np.eye(k)[truth] * 0.5 + 0.5 / k))
    assert len(found.table["average_cost"].baselines) == k
    assert str(found).count("always ") < k


def test_a_threshold_is_short_for_its_rule_and_the_help_names_every_rule():
    p = Predictions.of([0, 1, 0, 1], probability=[0.1, 0.4, 0.3, 0.9])
    short, whole = (
        decide(p, COSTS, **how)
        for how in ({"threshold": 0.35}, {"rule": "given_threshold(threshold=0.35)"})
    )
    assert short.to_json() == whole.to_json()
    with pytest.raises(
        ParameterError, match="is for the rule given_threshold; got the rule youden"
    ):
        decide(p, COSTS, rule="youden", threshold=0.35)
    for each in decision_rules:
        assert f"``{each.name}" in decide.__doc__, each.name
