"""Figures about what mistakes cost."""

import numpy as np
import pytest

from credibly import CostMatrix, Predictions, cost_benefit, decide, evaluate, expected_loss, read
from credibly.decisions.cost_sensitive import class_weights
from credibly.io import bundled
from credibly.measures import measures
from credibly.predictions.summaries import BinaryCounts, Counts
from golden.goldens import CASES, cells, golden, of


@golden("wf-table5.5-total-cost")
def test_cost_of_a_table(case):
    costs = CostMatrix.of(case["cost_rows_actual"], range(3))
    c = Counts.from_matrix(case["confusion_rows_actual"])
    case.check(total=of("total_cost", c, costs=costs), average=of("average_cost", c, costs=costs))


def expected_costs(probability, costs):
    """The expected cost of each label, when classes happen with these probabilities."""
    k = len(probability)
    cost = measures["average_cost"].given(costs=costs)
    return [expected_loss(cost, np.eye(k)[j], probability) for j in range(k)]


@golden("wf-expected-cost-default")
def test_default_costs_choose_the_most_probable_class(case):
    costs = expected_costs(case["p"], CostMatrix.of(case["cost_rows_actual"], range(3)))
    case.check(costs=costs, choice=np.argmin(costs))


@golden("wf-expected-cost-asymmetric")
def test_costs_may_choose_a_less_probable_class(case):
    costs = expected_costs(case["p"], CostMatrix.of(case["cost_rows_actual"], range(3)))
    case.check(costs=costs, choice=np.argmin(costs), most_probable=np.argmax(case["p"]))


@golden("oh-eq7.19-bayes-rule")
def test_bayes_rule_minimises_over_decisions(case):
    """Erratum A28: minimised over the truth, 0/1 loss would choose the least probable class."""
    loss = CostMatrix.of(case["loss_rows_decision_cols_truth"], range(3), orientation="predicted")
    costs = expected_costs(case["posterior"], loss)
    case.check(
        expected_loss=costs, decision=np.argmin(costs), map_class=np.argmax(case["posterior"])
    )
    case.differs("decision_as_printed", np.argmin(costs))


@golden("wf-ir-two-systems")
def test_two_systems_cost_the_same_at_the_break_even(case):
    relevant, documents = 100, 10_000
    systems = [case["system1"], case["system2"]]
    b = BinaryCounts.of_outcomes(
        tp=[s["relevant"] for s in systems],
        fp=[s["located"] - s["relevant"] for s in systems],
        fn=[relevant - s["relevant"] for s in systems],
        tn=[documents - relevant - s["located"] + s["relevant"] for s in systems],
    )
    precision, fp, fn = (of(m, b) for m in ("precision", "fp", "fn"))
    case.check(
        precision1=precision[0],
        precision2=precision[1],
        extra_fp=fp[1] - fp[0],
        fewer_fn=fn[0] - fn[1],
    )
    even = case.expected("breakeven_fn_over_fp_cost")
    costs = CostMatrix.of([[0, 1], [even, 0]], ("rest", "class"))
    first, second = of("total_cost", b.table(), costs=costs)
    assert first == second


def mailing(case):
    """Profit of a mail-out, and of rules that do not look, by total cost."""
    b = BinaryCounts.of_outcomes(
        tp=case["selected_responders"],
        fp=case["selected"] - case["selected_responders"],
        fn=case["responders"] - case["selected_responders"],
        tn=case["population"] - case["selected"] - case["responders"] + case["selected_responders"],
    )
    p = cells(b.table().matrix, positive=1)
    costs = CostMatrix.of(
        [[0, case["cost_per_nonresponse"]], [0, -case["benefit_per_response"]]], (0, 1)
    )
    cost = evaluate(p, "total_cost", costs=costs).estimates[0]
    rules = {name: -value for name, value in cost.baselines.items()}
    return b, -cost.value, rules


@golden("wf-fig5.2b-cost-benefit")
def test_profit_of_a_mail_out(case):
    """Ambiguity C9: the benefit is net of mailing."""
    b, profit, rules = mailing(case)
    case.check(
        fraction=b.labelled_positive / b.total,
        profit=profit,
        random_profit=rules["random"],
        mail_everybody=rules["all_positive"],
    )


@golden("wf-fig5.2a-cost-benefit")
def test_cheap_mail_goes_to_everybody(case):
    _, profit, rules = mailing(case)
    case.check(
        mail_everybody=rules["all_positive"],
        top_22285=profit,
        everybody_beats_that_subset=rules["all_positive"] > profit,
    )


def campaign(at=None, *, cost, rng=None):
    """The bundled campaign, which has the figures of the one in the book."""
    people = read(bundled("campaign"), positive="yes")
    return cost_benefit(people, {"tp": -15, "fp": cost}, at=at, rng=rng)


def test_the_bundled_campaign_has_the_figures_of_the_book():
    """Figure 5.2: the best number at $0.80, what a random sample of its size brings, and all at $0.50.

    $4,560.60, -$99.59 and 46.7 % are printed; of 47,706 people 2,402 respond and the top 22,285 hold
    1,417 of them: the only whole numbers with these figures.
    """
    best = campaign(cost=0.8).point
    assert (best.selected, best.tp, best.tp + best.fn, best.population) == (
        22_285, 1_417, 2_402, 47_706,
    )  # fmt: skip
    np.testing.assert_allclose(best.profit, 4560.60, atol=1e-6)
    np.testing.assert_allclose(best.random, -99.59254601, atol=1e-6)
    assert f"{best.share:.3f}" == "0.467"
    cheap = campaign(cost=0.5)
    assert cheap.point.selected == 47_706
    np.testing.assert_allclose(cheap.point.profit, 13_378, atol=1e-6)
    np.testing.assert_allclose(cheap.at("number=22285").point.profit, 10_821, atol=1e-6)


def test_the_best_number_of_the_campaign_is_the_only_best_one():
    curve = campaign(cost=0.8).curve()
    order = np.argsort(curve["profit"])[::-1]
    assert curve["selected"][order[0]] == 22_285
    assert curve["profit"][order[0]] > curve["profit"][order[1]] + 0.5


@golden("wf-cost-weight-10")
def test_a_weight_of_ten_is_a_threshold_of_ten_elevenths(case):
    """A threshold of 10/11 on the probability, and training cases of "no" that count ten times."""
    costs = {"fp": case["cost_false_positive"], "fn": case["cost_false_negative"]}
    p = Predictions.of(["no", "yes"] * 2, probability=[0.2, 0.8, 0.5, 0.95], positive="yes")
    no, yes = class_weights(costs, ["no", "yes"], [5, 5])
    case.check(threshold_yes=decide(p, costs).threshold, relative_weight_no=no / yes)


@golden("wf-lift-breakeven")
def test_what_a_response_must_be_worth(case):
    """Three blocks of tied scores: the mailings of the example and their responders."""
    sizes = np.diff(case["sizes"], prepend=0)
    responders = np.diff(case["responders"], prepend=0)
    p = Predictions.of(
        np.repeat([1, 0], 3),
        score=[3, 2, 1, 3, 2, 1],
        sample_weight=np.concatenate([responders, sizes - responders]),
        weight_kind="frequency",
    )
    result = cost_benefit(p, {"tp": -1, "fp": 0.001})
    rows = result.sizes([f"number={n}" for n in case["sizes"]])
    case.check(
        breakeven_ratio=[r["break_even"] for r in rows],
        marginal_ratio_100k_to_400k=rows[1]["marginal_break_even"],
        marginal_ratio_400k_to_all=rows[2]["marginal_break_even"],
    )


@golden("oh-eq7.15-threshold-fn5", "oh-eq7.15-threshold-fp5", "oh-eq7.15-threshold-equal")
def test_the_rule_of_least_cost(case):
    """Erratum A27, by the verb: at the stated prevalence, and as printed with the costs exchanged."""
    p = Predictions.of(case["d"], score=case["phi"])
    c1, c0 = case["c1_cost_of_missing_a_positive"], case["c0_cost_of_false_alarm"]
    options = {"rule": "minimum_cost", "prevalence": case["pi1"]}
    made = decide(p, {"fn": c1, "fp": c0}, **options)
    case.check(
        tau=made.threshold,
        cost=made.table["average_cost"].value,
        sensitivity=made.table["recall"].value,
        specificity=made.table["specificity"].value,
        tau_as_printed=decide(p, {"fn": c0, "fp": c1}, **options).threshold,
    )


@golden("oh-northwest-point")
def test_nearest_to_the_corner(case):
    """And Youden's point, on both tables."""
    found = {}
    for name, truth, score in (("table7_2", "d", "phi"), ("table22_5", "positive", "score")):
        table = case[name]
        p = Predictions.of(table[truth], score=table[score])
        made = decide(p, rule="nearest_corner")
        rates = {m: made.table[m].value for m in ("recall", "specificity")}
        found[name] = {
            "tau": made.threshold,
            "fpr": 1 - rates["specificity"],
            "tpr": rates["recall"],
            "distance": float(np.hypot(1 - rates["specificity"], 1 - rates["recall"])),
        }
        assert "no-expected-cost" in {f.code for f in made.table.findings}
    youden = decide(p, rule="youden")
    height = youden.table["recall"].value + youden.table["specificity"].value - 1
    found["table22_5"] |= {"youden_tau": youden.threshold, "youden": height}
    case.check(**found)


@pytest.mark.parametrize("name", ["wf-expected-cost-asymmetric", "oh-eq7.19-bayes-rule"])
def test_the_verb_takes_the_least_expected_cost(name):
    """Over the decisions (erratum A28); the figures are those of the tests above."""
    given, found = CASES[name]["inputs"], CASES[name]["expected"]
    if name.startswith("oh"):
        costs = given["loss_rows_decision_cols_truth"]
        costs = CostMatrix.of(costs, range(3), orientation="predicted")
        chances, choice, least = given["posterior"], found["decision"], found["expected_loss"]
    else:
        costs = CostMatrix.of(given["cost_rows_actual"], range(3))
        chances, choice, least = given["p"], found["choice"], found["costs"]
    p = Predictions.of([0, 1, 2], probability=[chances] * 3, classes=range(3))
    made = decide(p, costs)
    assert made.labels.tolist() == [choice] * 3
    np.testing.assert_allclose(made.table["expected_cost"].value, min(least), atol=1e-9)
