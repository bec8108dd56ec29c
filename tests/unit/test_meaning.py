"""What results say first: a sentence of what they mean."""

import numpy as np
import pytest

from credibly import Predictions, calibration, check, compare, curve, evaluate, report
from credibly._core.text import number_text
from credibly.comparisons import Discordant, Moments, PairedValues
from credibly.intervals.proportions import wilson
from credibly.measures import measures
from credibly.measures.selection import headline_measure
from credibly.results import Brief, Estimate
from credibly.results.brief import slices_text

TRUTH = [1, 0] * 20
GOOD = [1, 0] * 18 + [0, 1] * 2
POOR = [0, 1] * 11 + [1, 0] * 9
LEVELS = [0.8, 0.7, 0.9, 0.6]


def several(**labels):
    n = len(TRUTH)
    return Predictions.of(
        TRUTH * len(labels),
        label=[x for label in labels.values() for x in label],
        model=[name for name in labels for _ in range(n)],
        row=[*range(n)] * len(labels),
    )


def test_the_best_of_several_models_beside_the_best_rule():
    brief = Brief(evaluate(several(good=GOOD, poor=POOR), "headline"))
    best = evaluate(Predictions.of(TRUTH, label=GOOD), "error_rate")["error_rate"]
    low, high = best.interval.low, best.interval.high
    assert brief.meaning() == (
        f"good has the lowest error rate of 2 models: 0.100 [{low:.3f}, {high:.3f}], "
        "clearly better than the best trivial rule (majority, 0.5)."
    )
    header, body = brief.cells()
    assert header == ["measure \\ model", "good", "poor", "best trivial rule"]
    assert [row[-1] for row in body] == ["0.5 (majority)", "1 (all positive)", "0.5 (random)", "0 (majority)"]  # fmt: skip


@pytest.mark.parametrize(
    ("label", "interval", "said"),
    [
        (GOOD, "auto", ", clearly better than the best trivial rule (majority, 0.5)."),
        (GOOD, "none", ", better than the best trivial rule (majority, 0.5)."),
        ([1, 0] * 11 + [0, 1] * 9, "auto", ", not clearly better than the best trivial rule"),
        (POOR, "auto", ", no better than the best trivial rule (majority, 0.5)."),
    ],
)
def test_how_a_model_stands_beside_the_best_rule(label, interval, said):
    table = evaluate(Predictions.of(TRUTH, label=label), "headline", interval=interval)
    assert said in Brief(table).meaning()


def test_slices_have_no_best():
    p = Predictions.of(TRUTH, label=GOOD, group=[0] * 20 + [1] * 20)
    assert Brief(evaluate(p, "headline", by="group")).meaning() == ""


def test_one_estimate_of_each_measure():
    p = Predictions.of(TRUTH, label=GOOD, fold=[0, 0, 1, 1] * 10, n_train=20)
    both = evaluate(p, "error_rate", estimate=["fold_mean", "pooled"])
    (first,) = Brief(both).first()
    assert first.value == both.where(estimate="fold_mean")[0].value
    assert first.keys == {}


def test_the_headline_is_a_panel_of_every_task():
    assert [e.measure for e in evaluate(Predictions.of(TRUTH, label=GOOD), "headline").estimates] == [
        "error_rate", "recall", "precision", "kappa"]  # fmt: skip
    numeric = evaluate(Predictions.of([1.0, 2.5, 4.0], value=[1.5, 2.0, 4.5]), "headline")
    assert [e.measure for e in numeric.estimates] == ["mae", "rmse", "r2_test_mean"]
    priced = evaluate(Predictions.of(TRUTH, label=GOOD), "headline", costs={"fn": 5, "fp": 1})
    assert [e.measure for e in priced.estimates][:2] == ["total_cost", "average_cost"]
    three = Predictions.of(list("abc") * 5, label=list("abb") * 5)
    assert [e.measure for e in evaluate(three, ["headline"]).estimates] == ["error_rate", "kappa"]


def test_a_comparison_says_which_is_better_or_that_none_is():
    good, poor = (Predictions.of(TRUTH, label=x) for x in (GOOD, POOR))
    found = compare({"good": good, "poor": poor}, measure="error_rate")
    assert found.meaning().startswith(
        "good is better than poor: they differ in error rate by 0.450; "
        "a difference this large would be rare by chance (p below 0.001)."
    )
    assert compare({"poor": poor, "good": good}, measure="error_rate").meaning() == found.meaning()
    same = compare(
        {"a": good, "b": Predictions.of(TRUTH, label=[*GOOD[:-1], 0])}, measure="error_rate"
    )
    assert same.meaning() == "Neither is shown to be better: the difference in error rate may be due to chance (p = 1)."  # fmt: skip


def test_values_without_a_direction_are_higher_not_better():
    found = compare(Moments((0.78, 0.81), (0.0004, 0.0009), (10, 10)))
    assert found.meaning() == (
        "second is higher than first: they differ in value by 0.0300; "
        "a difference this large would be rare by chance (p = 0.0184)."
    )
    assert "first 0.7800, second 0.8100 (means over runs)" in str(found)


def test_several_tests_say_how_many_reject():
    unsure, sure = compare(Discordant(12, 5)), compare(Discordant(30, 5))
    assert unsure.meaning() == "None of the 4 tests rejects at 5 % that both models have the same error rate."  # fmt: skip
    assert (
        sure.meaning()
        == "All of the 4 tests reject at 5 % that both models have the same error rate."
    )
    assert "the difference: Tango; Tango, continuity corrected." in str(unsure)
    assert "95 % interval" in str(unsure)


def test_a_difference_that_is_not_that_of_the_values_is_named():
    pairs = PairedValues([0.81, 0.79, 0.84, 0.8], [0.78, 0.8, 0.8, 0.77])
    by_ranks, by_means = compare(pairs), compare(pairs, test="paired_t")
    assert by_ranks.difference == pytest.approx(0.03)
    assert "0.03, median of the means of pairs of differences" in str(by_ranks)
    assert by_ranks.to_dict()["estimator"] == by_ranks.estimator
    assert not by_means.estimator
    assert by_means.difference == pytest.approx(by_means.values[0] - by_means.values[1])


def test_several_comparisons_say_which_are_told_apart():
    models = {"good": GOOD, "poor": POOR, "same": GOOD}
    found = compare(
        {k: Predictions.of(TRUTH, label=x) for k, x in models.items()}, measure="error_rate"
    )
    assert found.meaning() == (
        f"good has the lowest error rate ({number_text(found.results[0].values[0])}), but is not shown to be "
        "better than same. 2 of the 3 pairs differ significantly at 5 % (Holm-adjusted p-values): "
        "good is better than poor and same is better than poor."
    )
    perfect = {name: Predictions.of(TRUTH, label=x) for name, x in models.items()}
    perfect["same"] = perfect["poor"]
    assert "and is better than all others. 2 of the 3 pairs" in compare(perfect).meaning()
    against_one = compare(perfect, against="poor").meaning()
    assert "lowest" not in against_one  # not all pairs were compared


def test_calibration_says_whether_probabilities_are_right_on_average():
    high = calibration(Predictions.of(TRUTH, probability=LEVELS * 10), 2)
    assert "they are too high on average (predicted minus observed 0.250 [" in high.meaning()
    right = calibration(Predictions.of(TRUTH, probability=[0.4, 0.6, 0.5, 0.5] * 10), 2)
    assert "they are about right on average (predicted minus observed 0.000 [" in right.meaning()


def test_calibration_gives_one_verdict_for_one_model_and_for_several():
    high, low = [0.9] * 100 + [0.6] * 100, [1] * 70 + [0] * 30 + [1] * 80 + [0] * 20
    by_name = {
        "off in places": Predictions.of(low, probability=high),
        "zeros and ones": Predictions.of(low, probability=[1.0] * 90 + [0.0] * 110),
        "right": Predictions.of(low, probability=[0.7] * 100 + [0.8] * 100),
    }
    said = dict(line.split(": ", 1) for line in calibration(by_name).meaning().splitlines())
    assert said == {name: calibration(p).meaning() for name, p in by_name.items()}
    places = said["off in places"]
    assert places.startswith("The probabilities are not calibrated (Hosmer-Lemeshow test,")
    assert "about right on average" in places
    assert (
        "wrong in 100 of 200 cases with a probability of exactly 0 or 1" in said["zeros and ones"]
    )
    assert said["zeros and ones"].startswith("The probabilities are not calibrated: they are")
    assert said["right"].endswith("No test finds them miscalibrated.")


def test_checks_say_how_much_there_is_to_doubt():
    found = check(Predictions.of(TRUTH, label=GOOD))
    n = found.counts()
    assert found.meaning().startswith(f"{len(found)} checks of the evaluation found ")
    assert f"{n['passed']} passed" in found.meaning()


@pytest.mark.parametrize("task", ["classification", "numeric"])
def test_no_two_measures_of_a_first_look_have_one_place(task):
    places = [m.headline for m in measures if m.headline and m.task == task]
    assert sorted(places) == list(range(1, len(places) + 1))


def test_the_text_of_everything_is_a_first_look_and_everything_is_kept():
    p = Predictions.of(TRUTH, probability=[0.9 if x else 0.2 for x in GOOD])
    table = evaluate(p)
    first = [row[0] for row in table.cells()[1]]
    assert first == [e.name for e in evaluate(p, "headline")]
    assert str(table).splitlines()[0] == table.meaning()
    assert str(table).splitlines()[2].endswith("best trivial rule")
    assert len(table.rows()) == len(table) == len(table.all.cells()[1]) > len(first)
    assert f"Not shown: {len(table) - len(first)} more measures; see .all." in str(table)
    assert table.meaning() == Brief(evaluate(p, "headline")).meaning()
    for asked in ({"spread": True}, {"measures": ["accuracy", "recall"]}):
        assert not evaluate(p, **asked).first_look


def test_many_models_have_a_row_each_with_the_best_first():
    labels = {
        f"m{k}": [1 - y if i < k else y for i, y in enumerate(TRUTH)] for k in range(8, 0, -1)
    }
    table = evaluate(several(**labels))
    header, body = table.cells()
    assert header[:2] == ["model", "Error rate"]
    assert [row[0] for row in body] == [*(f"m{k}" for k in range(1, 9)), "trivial rule"]
    assert all("[" in row[1] and "[" not in "".join(row[2:]) for row in body[:-1])
    assert "comes first" in str(table)
    header, body = evaluate(
        several(**labels), ["error_rate", "kappa"]
    ).cells()  # what was asked for
    assert header == ["model", "Error rate", "Kappa"]
    assert [row[0] for row in body] == [*labels, "trivial rule"]
    assert all("[" in cell for row in body[:-1] for cell in row[1:])


def test_models_stand_in_the_order_in_which_they_were_given_beside_the_best_rule():
    table = evaluate(several(zed=GOOD, alpha=POOR), ["error_rate"])
    header, body = table.cells()
    assert header == ["measure \\ model", "zed", "alpha", "best trivial rule"]
    assert body[0][-1] == "0.5 (majority)"


def test_what_is_pooled_is_doubted_only_where_it_is_shown():
    p = Predictions.of(TRUTH, label=GOOD, fold=[0, 0, 1, 1] * 10, n_train=20)
    table = evaluate(p, "headline")
    assert "pooled-folds" in {f.code for f in table.all.all_findings()}
    for first in (table, Brief(table)):
        assert "pooled-folds" not in {f.code for f in first.all_findings()}


def test_a_gain_is_judged_by_its_own_interval():
    """The cases are the same, so the paired gain may be clear where both values overlap."""
    from credibly import cost_benefit, decide

    scores = [0.8 if x else 0.1 for x in GOOD]
    p = Predictions.of(TRUTH, probability=scores)
    for made in (cost_benefit(p, {"tp": -5, "fp": 4}), decide(p, {"fn": 5, "fp": 1})):
        margin = made.table[made.table.margin]
        verdict = "clearly above 0." if margin.interval.low > 0 else "not clearly above 0."
        assert made.meaning().endswith(made.table.meaning()[1:])
        assert made.meaning().endswith(f", {verdict}")
        first, second = made.blocks()
        assert len(first[2]) + len(second[2]) == len(made.table)
        assert all(cell for row in first[2] for cell in row)
        assert [len(part[1]) for part in (first, second)] == [6, 4]


def test_a_wide_interval_says_that_few_cases_carry_its_error():
    p = Predictions.of([0.0] * 40, value=[*np.linspace(-1, 1, 39), 9.0])
    (found,) = evaluate(p, "mse")["mse"].findings
    assert found.code == "few-carry-the-error"
    assert evaluate(p, "mse")["mse"].interval.degrees_of_freedom < 4


@pytest.mark.parametrize(("groups", "what"), [(4, "only 4 groups"), (60, "a few of 60 groups")])
def test_a_wide_interval_of_groups_asks_for_groups(groups, what):
    """More cases of the same groups say little about others."""
    wrong = np.arange(120) < 30
    label = np.where(wrong, 0, np.arange(120) % 2)
    group = (
        np.minimum(np.arange(120) // 30, 3) if groups == 4 else np.maximum(np.arange(120) - 60, 0)
    )
    (found,) = (
        f
        for f in evaluate(
            Predictions.of(np.arange(120) % 2, label=label, group=group), "error_rate"
        )["error_rate"].findings
        if f.code == "few-carry-the-error"
    )
    assert f"rests on {what}" in found.message
    assert "More groups make it narrower" in found.action


def test_the_reason_without_variation_over_repeated_folds_is_that_there_is_none():
    p = Predictions.of(
        [0, 0, 1, 1] * 4, score=[0.1, 0.2, 0.8, 0.9] * 4, row=[*range(8)] * 2, n_train=4,
        repeat=[0] * 8 + [1] * 8, fold=[0, 0, 0, 0, 1, 1, 1, 1] * 2,
    )  # fmt: skip
    assert "no variation" in evaluate(p, "auc")["auc"].why_no_interval


def test_an_interval_of_a_pair_that_the_adjustment_does_not_bear_out_is_explained():
    a, b, c = [1] * 15 + [0] * 25, [0] * 35 + [1] * 5, [0] * 36 + [1] * 4
    models = {
        n: Predictions.of([0] * 40, label=x, classes=[0, 1])
        for n, x in zip("abc", (a, b, c), strict=True)
    }
    found = compare(models, measure="error_rate")
    said, would = found.remarks()
    assert said.endswith("no difference is shown at 5 % between a and b; a and c.")
    assert would.startswith("With these cases, a true difference of ")
    assert found["a", "b"].confidence_interval.low > 0
    sure = {"good": GOOD, "poor": POOR, "same": GOOD}
    told = {n: Predictions.of(TRUTH, label=x) for n, x in sure.items()}
    assert not any("Allowing for" in r for r in compare(told, measure="error_rate").remarks())


def test_slices_are_a_first_look_and_the_worst_is_named_only_where_it_is_clear():
    n, rng = 400, np.random.default_rng(3)
    truth, site = rng.integers(0, 2, n), rng.choice(["a", "b", "c"], n)
    for flipped, start in ((0.4, "Error rate is clearly worse for site b, "), (0, "Slices do not")):
        wrong = rng.random(n) < np.where(site == "b", 0.1 + flipped, 0.1)
        p = Predictions.of(truth, label=truth ^ wrong, columns={"site": site})
        table = evaluate(p, by="site")
        assert table.meaning().startswith(start)
        header, body = table.cells()
        assert header == ["measure \\ site", "a", "b", "c"]
        assert [row[0] for row in body] == ["Error rate", "Recall", "Precision", "Kappa"]
        assert len(table.rows()) == 3 * len(table.all.cells()[1]) > 3 * len(body)


def test_many_slices_are_rows_beside_the_measures_of_a_first_look():
    n = 400
    columns = {"shop": np.arange(n) % 8, "day": np.arange(n) // 8 % 2}
    p = Predictions.of(np.arange(n) % 3 % 2, label=np.arange(n) % 5 % 2, columns=columns)
    header, body = evaluate(p, by="shop").cells()
    assert header == ["shop", "Error rate", "Recall", "Precision", "Kappa"]
    assert [row[0] for row in body] == [str(i) for i in range(8)]
    header, body = evaluate(p, by=["shop", "day"]).cells()
    assert header[0] == "shop, day"
    assert len(body) == 16


def test_slices_that_are_alike_are_seldom_said_to_differ():
    rng, n, said = np.random.default_rng(5), 300, 0
    for _ in range(60):
        rates = []
        for i in range(6):
            wrong = int(rng.binomial(n, 0.2))
            limits = wilson(wrong, n, 0.95)
            rates.append(Estimate("error_rate", "Error rate", wrong / n, limits, "", n, "lower", {"site": i}))  # fmt: skip
        said += slices_text(rates, -1).startswith("Error rate is clearly")
    assert said <= 8  # of 60, of which 5 % are 3


def test_losses_with_heavy_tails_are_said_to_show_too_little():
    rng = np.random.default_rng(1)
    heavy, even = rng.standard_t(1.5, 200), rng.normal(size=200)
    found = {
        name: [
            f.code for f in evaluate(Predictions.of(e, value=np.zeros(200)), "mse")["mse"].findings
        ]
        for name, e in {"heavy": heavy, "even": even}.items()
    }
    assert found == {"heavy": ["heavy-tails"], "even": []}


def test_one_measure_leads_for_numbers_at_every_door():
    truth = np.arange(40.0)
    made = {
        n: Predictions.of(truth, value=truth + np.tile([-d, 2 * d], 20))
        for n, d in (("x", 1), ("y", 3))
    }
    leading = headline_measure("numeric")
    assert (
        leading
        == min(
            (m for m in measures if m.task == "numeric" and m.headline), key=lambda m: m.headline
        ).name
    )
    assert evaluate(made["x"], "headline").estimates[0].measure == leading
    assert compare(made).measure == leading
    assert "mean absolute error" in report(made["x"]).document.headline


def test_several_curves_lead_with_the_range_of_their_area():
    score = np.arange(40) % 7
    p = Predictions.of(TRUTH, {"a": score, "b": -score})
    low, high = sorted(e.value for e in evaluate(p, "auc").estimates)
    said = curve(p, "roc").meaning()
    assert said.startswith(f"Area under the ROC curve lies between {number_text(low)} (")
    assert f" and {number_text(high)} (" in said
    assert curve(p, "roc").where(model="a").meaning() == ""
