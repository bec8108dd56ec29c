"""Names of six vocabularies lead to what they mean there; scorers of scikit-learn give the same numbers."""

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import get_scorer, get_scorer_names

import credibly
from credibly import Predictions, evaluate
from credibly.cli import main
from credibly.errors import UnknownNameError
from credibly.experiments import Results
from credibly.measures import measures
from each import Each

# Name: what it is here, with the arguments that it sets.
NAMES = {
    "text books": {
        "success rate": "accuracy", "error rate": "error_rate", "TP rate": "recall",
        "fallout": "false_positive_rate", "sensitivity": "recall", "F-measure": "fbeta",
        "Kappa statistic": "kappa", "quadratic loss function": "quadratic_loss",
        "informational loss function": "informational_loss", "Brier score": "brier",
        "c-index": "auc", "three-point average recall": "three_point_average_precision",
        "mean-squared error": "mse", "root relative-squared error": "rrse",
        "relative-absolute error": "rae", "correlation coefficient": "correlation",
        "lift chart": "lift_chart", "cost curve": "cost", "recall-precision curve": "precision_recall",
        "10-fold cross-validation": "folds(k=10)", "leave-one-out cross-validation": "leave_one_out",
        "0.632 bootstrap": "bootstrap", "paired t-test": "paired_t", "McNemar's test": "mcnemar",
        "corrected resampled t-test": "corrected_resampled_t", "contingency table": "confusion_matrix",
    },
    "Weka": {
        "Correctly Classified Instances": "accuracy", "Kappa statistic": "kappa",
        "Mean absolute error": "mae", "Root relative squared error": "rrse",
        "Coverage of cases (0.95 level)": "coverage", "Mean rel. region size (0.95 level)": "mean_region_size",
        "K&B Information Score": "information_score", "Class complexity | scheme": "informational_loss",
        "TP Rate": "recall", "FP Rate": "false_positive_rate", "F-Measure": "fbeta", "MCC": "mcc",
        "ROC Area": "auc", "prc_area": "average_precision", "Percent_correct": "accuracy",
        "Area_under_ROC": "auc", "Correlation coefficient": "correlation", "Total Cost": "total_cost",
        "IBk": "knn", "SMO": "svm", "NaiveBayes": "naive-bayes", "Percentage split": "holdout",
        "Paired T-Tester (corrected)": "corrected_resampled_t", "Cost/Benefit analysis": "cost_benefit",
    },
    "scikit-learn": {
        "f1_score": "fbeta", "neg_mean_squared_error": "mse", "roc_auc_ovr": "auc(average='macro')",
        "average_precision": "average_precision", "accuracy_score": "accuracy", "hamming_loss": "error_rate",
        "f1_macro": "fbeta(average='macro')", "precision_weighted": "precision(average='weighted')",
        "matthews_corrcoef": "mcc", "cohen_kappa_score": "kappa", "neg_brier_score": "brier",
        "roc_auc_ovo": "hand_till", "r2": "r2_test_mean", "neg_max_error": "max_error",
        "mean_pinball_loss": "pinball", "roc_curve": "roc", "det_curve": "detection_error",
        "calibration_curve": "calibration_plot", "StratifiedKFold": "folds", "LeaveOneOut": "leave_one_out",
        "GroupKFold": "grouped_folds", "TimeSeriesSplit": "time_ordered", "GaussianNB": "naive-bayes",
    },
    "pROC": {
        "auc": "auc", "sensitivity": "recall", "specificity": "specificity", "accuracy": "accuracy",
        "1-accuracy": "error_rate", "1-specificity": "false_positive_rate", "1-sensitivity": "false_negative_rate",
        "tp": "true_positives", "fp": "false_positives", "tn": "true_negatives", "fn": "false_negatives",
        "ppv": "precision", "npv": "negative_predictive_value", "tpr": "recall", "fpr": "false_positive_rate",
        "lr_pos": "positive_likelihood_ratio", "partial.auc": "partial_auc", "multiclass.roc": "hand_till",
        "roc": "roc", "roc.test": "delong", "closest.topleft": "nearest_corner", "youden": "youden",
        "venkatraman": "venkatraman",
    },
    "caret": {
        "Accuracy": "accuracy", "Kappa": "kappa", "Sensitivity": "recall", "Specificity": "specificity",
        "Pos Pred Value": "precision", "Neg Pred Value": "negative_predictive_value", "F1": "fbeta",
        "Prevalence": "prevalence", "Balanced Accuracy": "balanced_accuracy", "ROC": "auc", "Sens": "recall",
        "Spec": "specificity", "logLoss": "log_loss", "RMSE": "rmse", "MAE": "mae",
        "Mean_F1": "fbeta(average='macro')", "repeatedcv": "folds", "LOOCV": "leave_one_out",
        "LGOCV": "repeated_holdout", "timeslice": "time_ordered", "rf": "forest", "rpart": "tree",
        "confusionMatrix": "confusion_matrix", "No Information Rate": "majority",
    },
    "yardstick": {
        "accuracy": "accuracy", "bal_accuracy": "balanced_accuracy", "f_meas": "fbeta", "j_index": "youden",
        "kap": "kappa", "mcc": "mcc", "npv": "negative_predictive_value", "ppv": "precision",
        "sens": "recall", "spec": "specificity", "roc_auc": "auc", "roc_aunu": "auc(average='macro')",
        "average_precision": "average_precision", "brier_class": "brier", "gain_capture": "gini",
        "mn_log_loss": "log_loss", "rmse": "rmse", "mae": "mae", "rsq_trad": "r2_test_mean", "msd": "bias",
        "roc_curve": "roc", "pr_curve": "precision_recall", "gain_curve": "gains", "lift_curve": "lift",
        "conf_mat": "confusion_matrix",
    },
}  # fmt: skip
SPOKEN = [(v, name, here) for v, names in NAMES.items() for name, here in names.items()]


@Each("vocabulary, name, here", SPOKEN, str)
def test_a_name_leads_to_what_it_means(vocabulary, name, here):
    assert len(NAMES[vocabulary]) >= 20
    own, _, arguments = here.partition("(")
    for spelled in {name, name.lower(), name.replace(" ", "-")}:
        shown = [e for e in credibly.show(spelled).entries if not e.unlike]
        assert own in {e.name for e in shown}
    if arguments:
        sets = {n["name"]: n.get("sets") for e in shown for n in e.facts["names"]}
        written = ", ".join(f"{k}={v!r}" for k, v in sets[name].items())
        assert written == arguments.rstrip(")")


@pytest.mark.parametrize(
    ("name", "kinds"),
    [("coverage", {"coverage", "recall", "quantile_coverage"}), ("lift", {"lift", "lift_at", "lift_chart"}),
     ("t-test", {"paired_t", "unpaired_t", "corrected_resampled_t"}), ("Rsquared", {"r2_test_mean", "correlation"})],
)  # fmt: skip
def test_a_name_that_means_several_things_shows_them_all(name, kinds):
    assert kinds <= {e.name for e in credibly.show(name).entries}


@pytest.mark.parametrize("name", ["pr_auc", "Rsquared", "rsq", "mean_squared_log_error", "lift"])
def test_a_false_friend_is_refused(name):
    with pytest.raises(UnknownNameError) as refused:
        evaluate(Predictions.of([1, 0], probability=[0.5, 0.5]), name)
    assert refused.value.choices
    assert "roc_auc" not in str(refused.value)


class Fixed(BaseEstimator):
    """Says of each row what it was told; a row is its own number."""

    def __init__(self, said=None, classes=None):
        self.said, self.classes = said, classes

    def fit(self, X, y):
        return self

    def __sklearn_is_fitted__(self):
        return True


class FixedClassifier(ClassifierMixin, Fixed):
    @property
    def classes_(self):
        return np.array(self.classes)

    def predict_proba(self, X):
        return self.said[X[:, 0]]

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(1)]


class FixedRegressor(RegressorMixin, Fixed):
    def predict(self, X):
        return self.said[X[:, 0]]


def told(kind):
    """Return what scikit-learn is asked, and the same as predictions."""
    rng = np.random.default_rng(8)
    rows = np.arange(60)[:, None]
    if kind == "numbers":
        truth, value = rng.random(60) + 0.5, rng.random(60) + 0.5
        return FixedRegressor(value), rows, truth, Predictions.of(truth, value=value)
    k = 2 if kind == "two classes" else 3
    truth = rng.integers(0, k, 60)
    said = rng.random((60, k)) + np.eye(k)[truth] / 2
    said /= said.sum(1, keepdims=True)
    model, classes = FixedClassifier(said, list(range(k))), list(range(k))
    label = model.predict(rows)
    given = said[:, 1] if k == 2 else said
    return (
        model,
        rows,
        truth,
        Predictions.of(truth, label=label, probability=given, classes=classes),
    )


SCORERS = [name for name in get_scorer_names() if name in measures]


@pytest.mark.parametrize("name", SCORERS)
def test_a_scorer_of_scikit_learn_gives_the_same_number(name):
    m = measures[name]
    several = m.average or not m.class_wise
    kind = "numbers" if m.task == "numeric" else "three classes" if several else "two classes"
    model, rows, truth, p = told(kind)
    table = evaluate(p, name)
    sign = -1 if name.startswith("neg_") else 1
    assert table[name].value == pytest.approx(sign * get_scorer(name)(model, rows, truth))
    assert ("named-elsewhere" in {f.code for f in table.all_findings()}) == (sign < 0)


def test_most_scorers_of_scikit_learn_are_known():
    assert len(SCORERS) >= 32
    assert "neg_root_mean_squared_error" in SCORERS


def test_names_are_known_on_the_command_line(tmp_path, capsys):
    file = tmp_path / "p.csv"
    file.write_text("y,p\n1,0.9\n0,0.4\n1,0.3\n0,0.2\n")
    assert main(["evaluate", str(file), "--measure", "ROC Area", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["estimates"][0]["measure"] == "auc"
    assert main(["curve", "roc-curve", str(file)]) == 0
    assert main(["plot", "Lift chart", str(file), "-o", str(tmp_path / "l.svg")]) == 0
    capsys.readouterr()
    assert main(["show", "lift", "chart", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["entries"]
    assert [e["kind"] for e in found] == ["plot", "curve", "curve"]
    assert main(["search", "lift", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["matches"][0]["name"] == "lift"
    assert main(["compare", str(file), "--test", "delong_pared"]) == 2
    assert "unpaired" not in capsys.readouterr().err


def test_functions_of_packages_are_found():
    for words, name in {
        "sample size": "intervals.sample_size_for_proportion",
        "power": "intervals.power_of_mcnemar",
        "candidate splits": "schemes.candidate_splits",
        "learning curve": "running.learning_curve",
        "expected costs": "decisions.expected_costs",
    }.items():
        assert name in [m.name for m in credibly.search(words).matches]
    assert credibly.search("theory size").matches[0].name == "running.theory_size"
    assert credibly.search("evaluate").matches[0].name == "evaluate"  # and not under its package


def test_values_under_a_negated_name_are_not_taken_for_the_loss():
    values = {
        "neg_mean_squared_error": [-1.0, -2.0],
        "RMSE": [1.0, 2.0],
        "Percent_correct": [90, 80],
    }
    results = Results.of(["d", "d"], ["a", "b"], values)
    assert results.directions == {"RMSE": "lower"}


def test_a_plan_takes_names_of_other_programs():
    X, y = np.random.default_rng(1).normal(size=(30, 2)), np.arange(30) % 2
    made = credibly.run("NaiveBayes", X, y, resampling="10-fold cross-validation", rng=1)
    assert made.provenance.resampling == "folds(k=10)"
    assert set(made.model if made.model is not None else ["naive-bayes"]) == {"naive-bayes"}
