"""Figures about scores: ranks, curves, areas and thresholds."""

from itertools import groupby

import numpy as np

from credibly import CostMatrix, Predictions, evaluate
from credibly.curves import threshold_table
from credibly.measures import measures
from credibly.predictions.summaries import ScoreTable
from credibly.predictions.summaries.scores import decisions_at
from golden.goldens import CASES, golden


def scored(case):
    """The scores of a case with what is positive, under the names that its source uses."""
    given = CASES[case.id]["inputs"]
    score = next(given[k] for k in ("score", "phi", "p") if k in given)
    truth = next(given[k] for k in ("positive", "actual", "d", "y") if k in given)
    return Predictions.of(truth, score=score)


def roc(p):
    """The points (false positive rate, true positive rate), from the origin."""
    every = ScoreTable.of(p).decisions()
    fpr, tpr = (measures[m].of_summary(every) for m in ("fpr", "tpr"))
    return np.column_stack([np.append(0, fpr), np.append(0, tpr)])


def running_area(points):
    """The area under the first so many points of a curve."""
    return [np.trapezoid(points[: i + 1, 1], points[: i + 1, 0]) for i in range(len(points))]


def ranked(labels):
    """Labels in the order of their scores, best first and without ties."""
    return Predictions.of(labels, score=-np.arange(len(labels)), classes=["no", "yes"])


def mailed(case):
    """A population in blocks of falling score: the subsets named, one within another, and the rest."""
    sizes = [s["size"] for s in case["subsets"]] + [case["population"]]
    yes = [s["responders"] for s in case["subsets"]] + [case["responders"]]
    size, hits = np.diff(sizes, prepend=0), np.diff(yes, prepend=0)
    blocks = np.arange(len(sizes))
    return Predictions.of(
        [1] * len(sizes) + [0] * len(sizes),
        score=-np.concatenate([blocks, blocks]),
        sample_weight=np.concatenate([hits, size - hits]),
        weight_kind="frequency",
    )


@golden("wf-lift-mailout", "dw-lift-mailout")
def test_lift_of_a_mail_out(case):
    p = mailed(case)
    sizes = [s["size"] for s in case["subsets"]]
    chosen = ScoreTable.of(p).decisions()
    case.check(
        base_rate=evaluate(p, "precision_at(k=1000000)").estimates[0].value,
        rates=[measures["precision_at"](p, k=k) for k in sizes],
        lift=[measures["lift_at"](p, k=k) for k in sizes],
        share_of_responses=[measures["recall_at"](p, k=k) for k in sizes],
        share_of_cost=(chosen.labelled_positive / chosen.total)[:2],
    )
    perfect = Predictions.of(
        [1, 0],
        score=[1, 0],
        sample_weight=[case["responders"], case["population"] - case["responders"]],
        weight_kind="frequency",
    )
    case.check(best_possible_lift=measures["lift_at"](perfect, k=case["responders"]))


def padded(labels, total, total_yes):
    """Put the rest of the cases, all of one low score, behind those whose order is known."""
    yes = total_yes - labels.count("yes")
    rest = ["yes"] * yes + ["no"] * (total - len(labels) - yes)
    score = [*range(len(labels), 0, -1), *([0] * len(rest))]
    return Predictions.of([*labels, *rest], score=score)


@golden("wf-table5.6-lift-at-10")
def test_lift_at_ten(case):
    """Ambiguity C10: fifty positive cases here, forty for the recall below."""
    p = padded(case["ranked_actual"], case["total"], case["total_yes"])
    k = case["k"]
    precision = measures["precision_at"](p, k=k)
    case.check(
        positives=ScoreTable.of(p).tp[k - 1],
        success_proportion=precision,
        base=measures["precision_at"](p, k=case["total"]),
        lift=measures["lift_at"](p, k=k),
    )


@golden("wf-table5.6-lift-all")
def test_lift_chart(case):
    """In the printed order; with the printed scores, ties count by their expected value (C5)."""
    labels = case["ranked_actual"]
    p = padded(labels, case["total"], case["total_yes"])
    ks = range(1, len(labels) + 1)
    case.check(
        cumulative_yes=ScoreTable.of(p).tp[: len(labels)],
        lift=[measures["lift_at"](p, k=k) for k in ks],
    )
    score = CASES["wf-table5.6-roc-ties"]["inputs"]["score"]
    rest = p.truth[len(labels) :]
    tied = Predictions.of(
        np.concatenate([p.truth[: len(labels)], rest]), score=[*score, *([0.0] * rest.size)]
    )
    assert [measures["lift_at"](tied, k=k) for k in (2, 8)] == [2.25, 2.4375]


@golden("wf-table5.6-pr-at-10")
def test_precision_and_recall_at_ten(case):
    p = padded(case["ranked_relevant"], 200, case["total_relevant"])
    case.check(
        recall_at_10=measures["recall_at"](p, k=case["k"]),
        precision_at_10=measures["precision_at"](p, k=case["k"]),
    )


@golden("wf-table5.6-roc-path")
def test_steps_of_the_roc_curve(case):
    """Erratum A17: the text walks along two where the table has one negative."""
    table = ScoreTable.of(ranked(case["ranked_actual"]))
    steps = ["up" if up else "along" for up in np.diff(table.tp, prepend=0)]
    case.check(path=[[way, len(list(group))] for way, group in groupby(steps)])


@golden("wf-table5.6-roc-ties")
def test_tied_scores_are_one_point(case):
    """Contradiction B8: rank alone would give 0.6410."""
    p = scored(case)
    table = ScoreTable.of(p)
    points = np.column_stack([np.append(0, table.fp), np.append(0, table.tp)])
    case.check(points_fp_tp_counts=points, auc_ties_half=measures["auc"](p))
    case.check(auc_rank_order=measures["auc"](ranked(case["actual"])))


@golden("oh-table7.2-c-index")
def test_c_index_is_the_area(case):
    """Eq. 7.12 has the right sign: with all thresholds and the origin it is the same area."""
    p = scored(case)
    every = ScoreTable.of(p).decisions()
    sensitivity = np.append(0, measures["sensitivity"].of_summary(every))
    specificity = np.append(1, measures["specificity"].of_summary(every))
    case.check(
        concordant=measures["concordant_pairs"](p),
        discordant=measures["discordant_pairs"](p),
        ties=measures["tied_pairs"](p),
        c_index=measures["c_index"](p),
        trapezoid=running_area(roc(p))[-1],
        integral_7_12_tau_0_to_1=np.trapezoid(sensitivity[::-1], specificity[::-1]),
    )


@golden("zm-ex22.4-point")
def test_point_at_a_threshold(case):
    """Contradiction B7: the example takes scores above the threshold, Credibly those from it on."""
    assert case["rule"] == "score > rho"
    b = decisions_at(scored(case), [np.nextafter(case["rho"], 1), case["rho"]])
    tp, fp, fpr, tpr = (measures[m].of_summary(b) for m in ("tp", "fp", "fpr", "tpr"))
    case.check(TP=tp[0], FP=fp[0], FPR=fpr[0], TPR=tpr[0], TP_if_ge=tp[1])


@golden("zm-ex22.4-auc")
def test_area_with_a_tie(case):
    """Erratum A3: 0.775 ranks the tied negative first, against the book's own rule for ties."""
    p = scored(case)
    area = measures["auc"](p)
    case.check(
        auc=area,
        mann_whitney=measures["mann_whitney"](p),
        U=measures["concordant_pairs"](p) + measures["tied_pairs"](p) / 2,
    )
    in_order = Predictions.of(case["positive"], score=-np.arange(p.n))
    case.check(auc_printed_order=measures["auc"](in_order))
    case.differs("auc_printed_order", area)


@golden("zm-ex22.4-curve")
def test_roc_curve(case):
    case.check(points_fpr_tpr=roc(scored(case)))


@golden("zm-table22.5-threshold-half")
def test_table_at_one_half(case):
    p = Predictions.of(case["positive"], score=case["score"], threshold=case["threshold"])
    outcomes = {c: measures[c.lower()](p) for c in ("TP", "FP", "FN", "TN")}
    case.check(**outcomes)


@golden("zm-table22.5-pr")
def test_average_precisions(case):
    """Erratum A19: they average precision, whatever the book calls them."""
    p = scored(case)
    case.check(
        three_point=measures["three_point_average_recall"](p),
        eleven_point=measures["eleven_point_average_recall"](p),
        average_precision_step=measures["average_precision"](p),
    )


@golden("zm-ex22.5")
def test_curve_with_ties(case):
    p = scored(case)
    points = roc(p)
    area = running_area(points)
    case.check(
        points=points,
        running_auc=area,
        auc=measures["auc"](p),
        left_trapezoid=area[2] - area[1],
        right_rectangle=area[3] - area[2],
    )
    case.check(running_auc=[0, *threshold_table(p).columns["area"]])


@golden("zm-random-classifier")
def test_random_classifier(case):
    points = []
    for r in case["r"]:
        p = Predictions.of(
            [1, 1, 0, 0],
            label=[1, 0, 1, 0],
            score=[1, 0, 1, 0],
            sample_weight=[3 * r, 3 * (1 - r), 5 * r, 5 * (1 - r)],
            weight_kind="importance",
        )
        rule = evaluate(p, ["fpr", "tpr", "auc"])
        points.append([rule[m].baselines["random"] for m in ("false_positive_rate", "recall")])
        case.check(auc=rule["auc"].baselines["prevalence"])
    case.check(points=points)


@golden("zm-Q5-roc")
def test_answer_to_an_exercise(case):
    p = scored(case)
    case.check(points=roc(p), auc=measures["auc"](p), mann_whitney=measures["mann_whitney"](p))


def cheapest(p, missed, false_alarm):
    """The threshold of least average cost, with that cost and the rates there."""
    table = ScoreTable.of(p)
    every = table.decisions()
    costs = CostMatrix.of([[0, false_alarm], [missed, 0]], ("rest", "class"))
    cost = measures["average_cost"].given(costs=costs).of_summary(every.table())
    at = int(cost.argmin())
    rates = (measures[m].of_summary(every)[at] for m in ("sensitivity", "specificity"))
    return table.score[at], cost[at], *rates


@golden("oh-eq7.15-threshold-fn5", "oh-eq7.15-threshold-fp5", "oh-eq7.15-threshold-equal")
def test_cheapest_threshold(case):
    """Erratum A27: the formula exchanges sensitivity and specificity, hence the two costs."""
    p = scored(case)
    assert case["pi1"] == measures["precision_at"](p, k=p.n)
    c1, c0 = case["c1_cost_of_missing_a_positive"], case["c0_cost_of_false_alarm"]
    tau, cost, sensitivity, specificity = cheapest(p, c1, c0)
    case.check(tau=tau, cost=cost, sensitivity=sensitivity, specificity=specificity)
    case.check(tau_as_printed=cheapest(p, c0, c1)[0])
    if c0 != c1:
        case.differs("tau_as_printed", tau)
