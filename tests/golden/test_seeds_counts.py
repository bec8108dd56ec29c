"""Figures about tables of truth against label, and rules that learned nothing."""

from statistics import NormalDist

import numpy as np

from credibly import Predictions, evaluate
from credibly.intervals import wilson
from credibly.measures import measures
from credibly.predictions.summaries import BinaryCounts, Counts
from golden.goldens import CASES, cells, golden, of

TABLE_5_4 = CASES["wf-table5.4-kappa"]["inputs"]["confusion_rows_actual"]


@golden(
    "wf-wilson-N1000",
    "wf-wilson-N100",
    "wf-wilson-N10",
    "dw-wilson-N1000",
    "dw-wilson-N100",
    "dw-wilson-N10",
    "ds-wilson-N1000",
    "ds-wilson-N100",
    "ds-wilson-N10",
)
def test_wilson_interval_with_the_printed_and_with_the_exact_z(case):
    """Erratum A40: for N = 10 Savoy prints [0.560, 0.870]; see test_wilson_is_not_the_slip."""
    assert case["S"] == case["f"] * case["N"]
    level = 2 * NormalDist().cdf(case["z"]) - 1
    printed = wilson(case["S"], case["N"], level)
    case.check(lower=printed.low, upper=printed.high)
    exact = wilson(case["S"], case["N"], case["confidence"])
    case.check(lower_exact_z=exact.low, upper_exact_z=exact.high)


@golden("ds-wilson-slip")
def test_wilson_is_not_the_slip(case):
    """Erratum A40: (4N)^2 written for 4N^2 gives what the slide prints."""
    level = 2 * NormalDist().cdf(case["z"]) - 1
    limits = wilson(case["f"] * case["N"], case["N"], level)
    case.differs("lower", limits.low)
    case.differs("upper", limits.high)


@golden("zm-ex22.1")
def test_error_rate_and_accuracy(case):
    wrong, right = case["errors"], case["n"] - case["errors"]
    counts = Counts.from_matrix([[right, wrong], [0, 0]])
    case.check(error_rate=of("error_rate", counts), accuracy=of("accuracy", counts))


@golden("wf-table5.4-kappa")
def test_kappa(case):
    c = Counts.from_matrix(case["confusion_rows_actual"])
    correct, by_chance = c.correct.sum(), np.trace(c.expected())
    case.check(
        n=c.total,
        correct=correct,
        success=of("accuracy", c),
        column_totals=c.predicted,
        expected=c.expected(),
        expected_correct=by_chance,
        extra_successes=correct - by_chance,
        possible_extra=c.total - by_chance,
        kappa=of("kappa", c),
    )


@golden("wf-table5.4b-kappa-zero")
def test_kappa_of_chance(case):
    case.check(kappa=of("kappa", Counts.from_matrix(case["confusion_rows_actual"])))
    by_chance = evaluate(cells(TABLE_5_4), "kappa")["kappa"].baselines["random"]
    case.check(kappa=by_chance)


@golden("dw-kappa-formula")
def test_kappa_from_the_slide(case):
    c = Counts.from_matrix(TABLE_5_4)
    assert c.correct.sum() == case["D_observed"]
    assert np.trace(c.expected()) == case["D_random"]
    assert c.total == case["D_perfect"]
    case.check(kappa=of("kappa", c))


@golden("zm-table22.1-kappa")
def test_kappa_of_a_table_with_predicted_rows(case):
    """Contradiction B1: what the rows are must be said, though kappa does not care."""
    c = Counts.from_matrix(case["confusion_rows_PREDICTED"], orientation="predicted")
    case.check(expected_correct=np.trace(c.expected()), kappa=of("kappa", c))


@golden("wf-prf-table5.4")
def test_precision_recall_and_f_with_averages(case):
    p = cells(case["confusion_rows_actual"])
    precision, recall, f = (measures[m] for m in ("precision", "recall", "f1"))
    case.check(
        precision=precision.by_class(p),
        recall=recall.by_class(p),
        f1=f.by_class(p),
        macro_precision=precision.averaged(p, "macro"),
        macro_recall=recall.averaged(p, "macro"),
        macro_f1=f.averaged(p, "macro"),
        micro_precision=precision.averaged(p, "micro"),
        micro_recall=recall.averaged(p, "micro"),
        balanced_accuracy=measures["balanced_accuracy"](p),
    )
    case.check(macro_f1=evaluate(p, "f1", average="macro")["fbeta"].value)


@golden("zm-ex22.2")
def test_measures_of_each_class(case):
    """Contradictions B1 (rows are predicted classes) and B11 (its "accuracy" of a class is precision)."""
    c = Counts.from_matrix(case["confusion_rows_PREDICTED"], orientation="predicted")
    p = cells(c.matrix)
    precision, recall, f = (measures[m] for m in ("precision", "recall", "f1"))
    case.check(
        m=c.predicted,
        n=c.actual,
        precision=precision.by_class(p),
        recall=recall.by_class(p),
        f=f.by_class(p),
        overall_f=f.averaged(p, "macro"),
        accuracy=of("accuracy", c),
        weighted_precision=precision.averaged(p, "weighted_predicted"),
    )


@golden("zm-ex22.3")
def test_measures_of_two_classes(case):
    b = BinaryCounts.of_outcomes(tp=case["TP"], fp=case["FP"], fn=case["FN"], tn=case["TN"])
    case.check(
        error_rate=of("error_rate", b.table()),
        accuracy=of("accuracy", b.table()),
        prec_P=of("precision", b),
        prec_N=of("npv", b),
        recall_P=of("recall", b),
        recall_N=of("specificity", b),
        FNR=of("fnr", b),
        FPR=of("fpr", b),
        prior_c1=of("prevalence", b),
        prior_c2=of("prevalence", b.table().binary(0)),
    )
    assert case["training_priors"] == [1 / 3, 2 / 3]


@golden("zm-table22.3-more")
def test_more_measures_of_two_classes(case):
    b = BinaryCounts.of_outcomes(tp=case["TP"], fp=case["FP"], fn=case["FN"], tn=case["TN"])
    case.check(
        F_P=of("f1", b),
        F_P_from_pr=of("f1", from_rates(of("precision", b), of("recall", b))),
        F_N=of("f1", b.table().binary(0)),
        sens_times_spec=of("sensitivity_times_specificity", b),
        kappa=of("kappa", b.table()),
    )


def from_rates(precision, recall):
    """Outcomes with a given precision and recall."""
    p, r = np.asarray(precision), np.asarray(recall)
    return BinaryCounts.of_outcomes(tp=1, fp=1 / p - 1, fn=1 / r - 1, tn=1)


@golden("oh-table7.1")
def test_sensitivity_specificity_and_predictive_values(case):
    """Contradiction B1: here the negative class stands first."""
    c = Counts.from_matrix([[case["TN"], case["FP"]], [case["FN"], case["TP"]]], (0, 1))
    b = c.binary(1)
    case.check(
        sensitivity=of("sensitivity", b),
        specificity=of("specificity", b),
        ppv=of("ppv", b),
        npv=of("npv", b),
    )


@golden("oh-eq7.3-7.5")
def test_shares_of_rows_and_columns(case):
    c = Counts.from_matrix(case["C"])
    case.check(
        truth_given_predicted=c.truth_given_predicted(),
        predicted_given_truth=c.predicted_given_truth(),
        accuracy=of("accuracy", c),
    )


@golden("zm-Q2-test")
def test_answer_to_an_exercise(case):
    truth = [row[-1] for row in case["test"]]
    p = Predictions.of(truth, label=case["predicted"])
    table = evaluate(p, ["precision", "recall"], by="class")

    def by_class(name):
        return {e.keys["class"]: e.value for e in table.where(measure=name)}

    case.check(
        accuracy=measures["accuracy"](p),
        precision=by_class("precision"),
        recall=by_class("recall"),
        confusion_rows_predicted=Counts.of(p).matrix.T,
    )


@golden("ds-lie-detector")
def test_lie_detector(case):
    """Erratum A45: the slide exchanges the off-diagonal cells, and 12 % should be 11 %."""
    tables = []
    for cleared, detected in zip(case["innocents_cleared"], case["lies_detected"], strict=True):
        truths, lies = round(100 * cleared), round(100 * detected)
        tables.append([[truths, 100 - truths], [100 - lies, lies]])
    c = Counts.from_matrix(tables, ("truth", "lie"))
    b, share = c.binary(0), c.predicted_given_truth()
    errors = of("fnr", b) + of("fpr", b)
    case.check(
        truth_row={"TP": of("recall", b), "FN": of("fnr", b)},
        lie_row={"FP": of("fpr", b), "TN": of("specificity", b)},
        row_sums=share[0].sum(axis=1),
        error_range=[min(errors), max(errors)],
        balanced_accuracy=of("balanced_accuracy", c),
    )


@golden("ds-f1-table")
def test_f_is_a_harmonic_mean(case):
    """Erratum A46: the slide prints the arithmetic mean."""
    f = of("f1", from_rates(case["precision"], case["recall"]))
    case.check(f1=f)
    for each, mistaken in zip(f, case.expected("arithmetic_mean"), strict=True):
        assert each < mistaken - 0.004


@golden("ds-macro-average")
def test_macro_f_is_the_mean_of_the_classes(case):
    """Contradiction B15: not the F of the averaged precision and recall.

    The slide averages over data sets; here they are four classes with the same precisions and
    recalls. The last column counts cases without a label, which lower recall alone.
    """
    table = np.array([[35, 0, 1, 15, 19], [15, 30, 0, 0, 5], [0, 15, 9, 0, 6], [0, 15, 0, 35, 20]])
    actual, label = np.indices(table.shape).reshape(2, -1)
    p = Predictions.of(
        actual,
        label=np.where(label == 4, np.nan, label),
        sample_weight=table.ravel(),
        weight_kind="frequency",
        classes=range(4),
    )
    precision, recall, f = (measures[m] for m in ("precision", "recall", "f1"))
    assert np.allclose(precision.by_class(p), case["precision"], rtol=0, atol=1e-12)
    assert np.allclose(recall.by_class(p), case["recall"], rtol=0, atol=1e-12)
    macro_f = f.averaged(p, "macro")
    case.check(
        macro_precision=precision.averaged(p, "macro"),
        macro_recall=recall.averaged(p, "macro"),
        macro_f1_mean_of_f1=macro_f,
        f1_of_macro_means=of(
            "f1", from_rates(precision.averaged(p, "macro"), recall.averaged(p, "macro"))
        ),
    )
    case.differs("f1_of_macro_means", macro_f)
    case.differs("mean_of_printed_f1", macro_f)


@golden("ds-trivial-acceptor")
def test_trivial_acceptor(case):
    b = BinaryCounts.of_outcomes(tp=case["TP"], fp=case["FP"], fn=case["FN"], tn=case["TN"])
    case.check(recall=of("recall", b), precision=of("precision", b))
    p = cells([[50, 40], [4, 6]], positive=1)
    rule = {
        e.measure: e.baselines["all_positive"]
        for e in evaluate(p, ["recall", "precision"]).estimates
    }
    case.check(**rule)


@golden("wf-null-rule-estrus", "dw-terrorist-null-rule")
def test_null_rule(case):
    given = CASES[case.id]["inputs"]
    n = given.get("positives_per") or round(1 / given["prevalence"])
    p = cells([[n - 2, 1], [0, 1]], positive=1)
    case.check(accuracy=evaluate(p, "accuracy")["accuracy"].baselines["majority"])


@golden("zm-multiclass-random-error")
def test_error_of_random_guessing(case):
    errors = [
        evaluate(cells(np.ones((k, k))), "error_rate")["error_rate"].baselines["random"]
        for k in case["k"]
    ]
    case.check(error=errors)


@golden("wf-hull-mixing")
def test_mixing_two_classifiers(case):
    """Erratum A20: points are (fp, tp). Half of the cases to each: their tables add."""
    assert case["p_A"] == 0.5
    mixed = at_rates(case["A"]) + at_rates(case["B"])
    case.check(tp=of("tpr", mixed), fp=of("fpr", mixed))


def at_rates(rates):
    tp, fp = rates["tp"], rates["fp"]
    return BinaryCounts.of_outcomes(tp=tp, fn=1 - tp, fp=fp, tn=1 - fp)


@golden("zm-ex22.13-losses")
def test_squared_loss_of_signs_is_four_times_the_error(case):
    """Erratum A6: for 8 and 10 voters the book lets a tied vote be worth 0."""
    zero_one, squared = {}, {}
    for voters, wrong in case["zero_one_counts"].items():
        truth = np.where(np.arange(case["n"]) % 3 == 0, 1, -1)
        voted = np.where(np.arange(case["n"]) < wrong, -truth, truth)
        zero_one[voters] = measures["zero_one_loss"](truth, voted)
        squared[voters] = measures["mse"](truth, voted)
    case.check(zero_one=zero_one, squared=squared)
