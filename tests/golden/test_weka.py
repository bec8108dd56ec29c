"""Every statistic that Weka 3.9.7 gives for some predictions, computed again from them.

See ``weka/README.md``. Where Weka is at fault the test says so and does not follow it.
"""

import csv
import json
import math

import numpy as np
import pytest

from credibly import CostMatrix, Predictions
from credibly.measures import measures
from credibly.predictions.summaries import Counts
from golden.goldens import HERE

# The smallest double: Weka puts it in the place of a probability of zero, which so costs 1074 bits.
TINY = 5e-324
FILES = sorted((HERE / "weka").glob("*.json"))


class Run:
    """Predictions with what Weka says about them."""

    def __init__(self, path):
        self.weka = json.loads(path.read_text(encoding="utf-8"))
        with path.with_suffix(".predictions.csv").open(encoding="utf-8", newline="") as f:
            self.rows = list(csv.DictReader(f))
        self.classes = self.weka.get("classes", [])
        self.p = self.predictions()

    def column(self, name):
        return [r[name] for r in self.rows]

    def numbers(self, name):
        return np.array(self.column(name), np.float64)

    def predictions(self, *, of_baseline=False):
        """The predictions, or those of the rule that knows only the training part's classes or mean."""
        weight = {"sample_weight": self.numbers("weight"), "weight_kind": "importance"}
        if not self.classes:
            mean = self.weka["train_target_mean"]
            value = np.full(len(self.rows), mean) if of_baseline else self.numbers("predicted")
            return Predictions.of(self.numbers("actual"), value=value, baseline=mean, **weight)
        prior = self.weka["prior_probabilities_used_laplace"]
        columns = np.column_stack([self.numbers(f"p:{c}") for c in self.classes])
        return Predictions.of(
            self.column("actual"),
            label=self.column("predicted"),
            probability=np.tile(prior, (len(self.rows), 1)) if of_baseline else columns,
            classes=self.classes,
            baseline=prior,
            **weight,
        )

    def without_absent_classes(self):
        """The labels alone, as if no class existed but those that occur."""
        return Predictions.of(
            self.column("actual"),
            label=self.column("predicted"),
            sample_weight=self.numbers("weight"),
            weight_kind="importance",
        )

    @property
    def costs(self):
        return CostMatrix.of(self.weka["cost_matrix_rows_actual_cols_predicted"], self.classes)

    def value(self, name, **arguments):
        return measures[name](self.p, **arguments)

    def total(self, name, **arguments):
        return self.p.weights.sum() * self.value(name, **arguments)


def error_rate(run):
    """Weka's "error rate" is the average cost where there are costs, and the RMSE of numbers."""
    if not run.classes:
        return run.value("rmse")
    if "cost_matrix_rows_actual_cols_predicted" in run.weka:
        return run.value("average_cost", costs=run.costs)
    return run.value("error_rate")


def error(name):
    """The error of numbers, or that of probabilities, which Weka calls the same."""
    return lambda run: run.value(name if not run.classes else f"probability_{name}")


def error_of_baseline(name):
    def of(run):
        rule = run.predictions(of_baseline=True)
        return measures[name if not run.classes else f"probability_{name}"](rule)

    return of


STATISTICS = {
    "num_instances": lambda run: run.p.weights.sum(),
    "missing_class": lambda run: run.p.n - run.p.known().n,
    "unclassified": lambda run: run.total("unclassified_rate") if run.classes else 0,
    "pct_unclassified": lambda run: 100 * run.value("unclassified_rate") if run.classes else 0,
    "correct": lambda run: run.total("accuracy"),
    "incorrect": lambda run: run.total("error_rate"),
    "pct_correct": lambda run: 100 * run.value("accuracy"),
    "pct_incorrect": lambda run: 100 * run.value("error_rate"),
    "kappa": lambda run: run.value("kappa"),
    "error_rate": error_rate,
    "total_cost": lambda run: run.value("total_cost", costs=run.costs),
    "average_cost": lambda run: run.value("average_cost", costs=run.costs),
    "kb_relative_information_pct": lambda run: 100 * run.value("relative_information_score"),
    "kb_information_bits": lambda run: run.total("information_score"),
    "kb_mean_information_bits": lambda run: run.value("information_score"),
    "sf_prior_entropy_bits": lambda run: run.total("class_complexity_order_0"),
    "sf_mean_prior_entropy_bits": lambda run: run.value("class_complexity_order_0"),
    "sf_scheme_entropy_bits": lambda run: run.total("class_complexity_scheme", clip=TINY),
    "sf_mean_scheme_entropy_bits": lambda run: run.value("class_complexity_scheme", clip=TINY),
    "sf_entropy_gain_bits": lambda run: run.total("complexity_improvement", clip=TINY),
    "sf_mean_entropy_gain_bits": lambda run: run.value("complexity_improvement", clip=TINY),
    "mean_absolute_error": error("mae"),
    "mean_prior_absolute_error": error_of_baseline("mae"),
    "root_mean_squared_error": error("rmse"),
    "root_mean_prior_squared_error": error_of_baseline("rmse"),
    "relative_absolute_error_pct": lambda run: 100 * error("rae")(run),
    "root_relative_squared_error_pct": lambda run: 100 * error("rrse")(run),
    "coverage_of_cases_95_pct": lambda run: 100 * run.value("coverage", level=0.95),
    "mean_rel_region_size_95_pct": lambda run: 100 * run.value("mean_region_size", level=0.95),
    "confusion_matrix_rows_actual": lambda run: Counts.of(run.p).matrix,
    "unweighted_macro_f_measure": lambda run: measures["f1"].averaged(
        run.without_absent_classes(), "macro"
    ),
    "unweighted_micro_f_measure": lambda run: measures["f1"].averaged(run.p, "micro"),
    "correlation_coefficient": lambda run: run.value("correlation"),
    "plugin:male": lambda run: run.value("male"),
    "plugin:mape": lambda run: run.value("mape"),
    "plugin:rmsle": lambda run: run.value("rmsle"),
    "plugin:rmspe": lambda run: run.value("rmspe"),
}
# Weka has these for numbers only where the learner gives intervals or densities, which none here does.
FOR_CLASSES = {s for s in STATISTICS if s.startswith(("sf_", "coverage_", "mean_rel_region"))}

PER_CLASS = {
    "num_true_positives": "true_positives",
    "num_false_positives": "false_positives",
    "num_true_negatives": "true_negatives",
    "num_false_negatives": "false_negatives",
    "tp_rate": "true_positive_rate",
    "fp_rate": "false_positive_rate",
    "tn_rate": "true_negative_rate",
    "fn_rate": "false_negative_rate",
    "precision": "precision",
    "recall": "recall",
    "f_measure": "f_measure",
    "mcc": "mcc",
    "roc_area": "auc",
    # Weka's area is the step sum of average precision; there is no interpolation in it.
    "prc_area": "average_precision",
}


# Weka makes F of precision and recall, so it has none where nothing is predicted to be of a class.
# Credibly counts, 2 TP / (2 TP + FP + FN), as scikit-learn does: all of the class is missed, so F is 0.
MISSED_ALL = {
    "f_measure of tested_positive": 0.0,
    "f_measure, weighted": 2 * 178 / (2 * 178 + 83) * 178 / 261,
    "unweighted_macro_f_measure": 2 * 178 / (2 * 178 + 83) / 2,
}


@pytest.fixture(scope="module", params=FILES, ids=[f.stem for f in FILES])
def run(request):
    return Run(request.param)


def compare(run, name, ours, weka):
    if run.weka["name"] == "diabetes_zeror" and name in MISSED_ALL:
        assert weka is None, name
        weka = MISSED_ALL[name]
    expected = math.nan if weka is None else float(weka)
    same = pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)
    assert ours == same, f"{name}: {ours} is not {weka}"


def test_the_files_are_all_there(run):
    assert len(FILES) == 8
    assert run.weka["weka_version"] == "3.9.7"


def test_every_statistic(run):
    given = dict(run.weka["statistics"])
    given.pop("per_class", None)
    given.pop("weighted_avg", None)
    assert set(given) <= set(STATISTICS)
    for name, weka in given.items():
        if not run.classes and name in FOR_CLASSES:
            assert weka is None
            continue
        ours = STATISTICS[name](run)
        if name == "confusion_matrix_rows_actual":
            assert ours.tolist() == weka
        else:
            compare(run, name, ours, weka)


def test_every_statistic_of_each_class(run):
    for i, (name, given) in enumerate(run.weka["statistics"].get("per_class", {}).items()):
        assert name == run.classes[i]
        assert set(given) == set(PER_CLASS)
        for statistic, weka in given.items():
            ours = measures[PER_CLASS[statistic]].by_class(run.p)[i]
            compare(run, f"{statistic} of {name}", ours, weka)


def test_every_average_weighted_by_class(run):
    for statistic, weka in run.weka["statistics"].get("weighted_avg", {}).items():
        ours = measures[PER_CLASS[statistic]].averaged(run.p, "weighted")
        compare(run, f"{statistic}, weighted", ours, weka)


def test_the_baseline_is_the_training_part_with_one_case_more_of_each_class(run):
    if run.classes:
        counts = np.array(run.weka["train_class_counts"]) + 1
        prior = run.weka["prior_probabilities_used_laplace"]
        assert counts / counts.sum() == pytest.approx(prior, rel=1e-12)


def named(stem):
    return Run(HERE / "weka" / f"{stem}.json")


def test_a_certain_mistake_costs_infinitely_many_bits_and_not_1074():
    """Weka's fault: 22 certain mistakes of 73 make up all but 31 of its 23,659 bits."""
    run = named("glass_j48")
    given = measures["class_complexity_scheme"].given(clip=TINY).losses(run.p)[:, 0]
    certain = given == 1074
    assert certain.sum() == 22
    assert round(given.sum() - 22 * 1074) == 31
    assert run.value("class_complexity_scheme") == math.inf
    assert run.value("complexity_improvement") == -math.inf
    # What misleads is charged for the other classes, so a probability of zero does no such harm.
    assert math.isfinite(run.value("information_score"))
    honest = run.p.take(~certain)
    assert measures["class_complexity_scheme"](honest) < 1


def test_logarithmic_errors_are_undefined_where_a_prediction_is_minus_one_or_less():
    """That is why Weka has no value: one prediction of each file is the logarithm of nothing."""
    for stem in ("cpu_m5p", "bodyfat_linearregression"):
        run = named(stem)
        assert (run.p.value <= -1).sum() == 1
        rest = run.p.take(run.p.value > -1)
        assert math.isfinite(measures["rmsle"](rest))
        assert math.isfinite(measures["male"](rest))


def test_percentage_errors_are_infinite_where_a_truth_of_zero_is_missed():
    run = named("bodyfat_linearregression")
    assert (run.p.truth == 0).sum() == 1
    assert math.isfinite(measures["mape"](run.p.take(run.p.truth != 0)))


def test_a_class_that_nobody_predicts_has_no_precision():
    """Weka prints ? and so does Credibly: 0/0 is not 0. Nor is there an average with it."""
    run = named("diabetes_zeror")
    assert np.isnan(measures["precision"].by_class(run.p)).tolist() == [False, True]
    assert np.isnan(measures["mcc"].by_class(run.p)).all()
    assert math.isnan(measures["precision"].averaged(run.p, "weighted"))


def test_macro_f_with_a_class_that_neither_occurs_nor_is_predicted():
    """Weka drops the class from its macro average; Credibly says that the average is undefined."""
    run = named("glass_j48")
    assert Counts.of(run.p).actual[3] == Counts.of(run.p).predicted[3] == 0
    assert math.isnan(measures["f1"].averaged(run.p, "macro"))
    present = np.delete(measures["f1"].by_class(run.p), 3)
    weka = run.weka["statistics"]["unweighted_macro_f_measure"]
    assert present.mean() == pytest.approx(weka, rel=1e-12)


def test_fallout_is_the_false_positive_rate():
    """Weka's fault: what its threshold curves call fallout is one minus the precision."""
    run = named("diabetes_naivebayes")
    assert measures["fallout"] is measures["false_positive_rate"]
    fallout = measures["fallout"].by_class(run.p)
    assert np.abs(fallout - (1 - measures["precision"].by_class(run.p))).min() > 0.1


def test_weights_count():
    """Without its weights the breast cancer file gives other numbers."""
    run = named("breast-cancer_weighted_naivebayes")
    assert set(run.p.weights.tolist()) > {1.0}
    bare = Predictions.of(run.column("actual"), label=run.column("predicted"))
    gap = measures["accuracy"](bare) - run.value("accuracy")
    assert abs(gap) > 0.01
