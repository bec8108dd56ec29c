"""Figures about what mistakes cost."""

import numpy as np

from credibly import CostMatrix, evaluate, expected_loss
from credibly.measures import measures
from credibly.summaries import BinaryCounts, Counts
from golden.goldens import cells, golden, of


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
