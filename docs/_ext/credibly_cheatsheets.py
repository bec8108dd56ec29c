"""What people type elsewhere, and what they type here: a table for each program, every cell of which runs.

The left-hand cells are code of the other program; those on the right are Python, or a command that begins with
``credibly``. ``SETUP`` makes the names that they use; the pages show it and the tests run it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SETUP = """\
import numpy as np
from sklearn.datasets import load_wine
from sklearn.tree import DecisionTreeClassifier
import credibly
from credibly import (Experiment, Predictions, calibration, check, compare, cost_benefit, curve,
    decide, evaluate, interval, plot, read, recalibrate, report, run, save, scorer)
from credibly.comparisons import Discordant
from credibly.experiments import analyse
from credibly.predictions.summaries import Counts
from credibly.running import final_model, learning_curve, nested

y_true = np.tile([1, 0, 0, 1, 0, 1, 0, 0], 25)             # 200 cases
proba = np.clip(0.3 * y_true + np.tile([0.1, 0.4, 0.3, 0.5, 0.2], 40), 0, 1)
other = np.clip(0.2 * y_true + np.tile([0.5, 0.1, 0.4], 67)[:200], 0, 1)
y_pred = (proba >= 0.5).astype(int)
p = Predictions.of(y_true, probability=proba)              # one model
models = {"a": p, "b": Predictions.of(y_true, probability=other)}
numbers = Predictions.of([3.0, 5.0, 8.0, 6.0], value=[2.5, 5.5, 7.0, 6.5])
save(p, "predictions.csv")
X, y = load_wine(return_X_y=True)
model = DecisionTreeClassifier(max_depth=3)
experiment = Experiment(["zero-r", "tree", "knn"], ["iris", "wine"], resampling="3", rng=1)
"""

SHEETS: dict[str, tuple[tuple[str, str], ...]] = {
    "scikit-learn": (
        ("accuracy_score(y_true, y_pred)", 'evaluate(p, "accuracy")'),
        ("roc_auc_score(y_true, proba)", 'evaluate(p, "roc_auc")'),
        (
            'f1_score(y_true, y_pred, average="macro")',
            'evaluate(p, "f1", average="macro")',
        ),
        ("make_scorer(fbeta_score, beta=2)", 'evaluate(p, "fbeta(beta=2)")'),
        ("the number alone", "credibly.measures.auc(y_true, proba)"),
        ("classification_report(y_true, y_pred)", 'evaluate(p, by="class")'),
        ("confusion_matrix(y_true, y_pred)", "Counts.of(p)"),
        ("ConfusionMatrixDisplay.from_predictions(...)", 'plot(p, "confusion_matrix")'),
        ("roc_curve(y_true, proba)", 'curve(p, "roc")'),
        ("RocCurveDisplay.from_predictions(...)", 'plot(p, "roc")'),
        ("PrecisionRecallDisplay.from_predictions(...)", 'plot(p, "precision_recall")'),
        ("CalibrationDisplay.from_predictions(...)", "calibration(p).plot()"),
        ("CalibratedClassifierCV(model)", 'recalibrate(p, method="isotonic", rng=1)'),
        ("brier_score_loss, log_loss", 'evaluate(p, ["brier", "log_loss"])'),
        ("mean_squared_error(y_true, y_pred)", 'evaluate(numbers, "mse")'),
        ("cross_val_score(model, X, y, cv=10)", 'evaluate(run(model, X, y, resampling="10"))'),
        (
            "RepeatedStratifiedKFold(n_splits=10, n_repeats=10)",
            'run(model, X, y, resampling="10x10")',
        ),
        (
            "cross_validate(model, X, y, cv=ShuffleSplit(5))",
            'run(model, X, y, resampling="ShuffleSplit(repeats=5)")',
        ),
        (
            'GridSearchCV(tree, {"max_depth": [1, 3]}) inside cross_validate',
            'run(nested("tree", {"max_depth": [1, 3]}, inner="3"), X, y, resampling="3")',
        ),
        ("learning_curve(model, X, y)", 'learning_curve("tree", X, y, resampling="3")'),
        ('scoring="roc_auc" of GridSearchCV', 'scorer("roc_auc")'),
        ("DummyClassifier().score(...)", 'evaluate(p, "accuracy")["accuracy"].baselines'),
        ("FixedThresholdClassifier, TunedThresholdClassifierCV", 'decide(p, {"fn": 5, "fp": 1})'),
        ("(nothing)", 'compare(models, measure="auc")'),
        ("(nothing)", "check(p)"),
    ),
    "Weka": (
        ("Explorer: J48, 10-fold cross-validation", 'run("tree", X, y, resampling="10")'),
        ("the same folds as Weka's, seed 1", 'run("tree", X, y, resampling="weka_folds(seed=1)")'),
        ("Correctly Classified Instances", 'evaluate(p, "accuracy")'),
        ("Kappa statistic", 'evaluate(p, "Kappa statistic")'),
        ("Detailed Accuracy By Class", 'evaluate(p, by="class")'),
        ("ROC Area, PRC Area", 'evaluate(p, ["ROC Area", "PRC Area"])'),
        ("Weighted Avg.", 'evaluate(p, "f1", average="weighted")'),
        ("Confusion Matrix", "Counts.of(p)"),
        ("Visualize threshold curve", 'plot(p, "roc")'),
        ("Cost/Benefit analysis", 'cost_benefit(p, {"fn": 5, "fp": 1})'),
        ("Visualize margin curve", 'plot(p, "margin")'),
        ("CostSensitiveClassifier, minimum expected cost", 'decide(p, {"fn": 5, "fp": 1})'),
        ("Output predictions: CSV", "credibly evaluate predictions.csv --by class"),
        (
            "Experimenter: setup and run",
            'experiment.run("results", n_jobs=1)',
        ),
        (
            "Experimenter: Analyse, Paired T-Tester (corrected)",
            "credibly experiment analyse results --measure error_rate",
        ),
        ("Experimenter: Summary, Ranking", 'analyse(experiment.run("results", n_jobs=1).results()).plot()'),
        ("ZeroR", 'run("ZeroR", X, y, resampling="3")'),
        ("IBk -K 5", 'run("knn(k=5)", X, y, resampling="3")'),
    ),
    "R": (
        ("roc(y, s); auc(roc)", 'evaluate(p, "auc")'),
        ('ci.auc(roc, method="delong")', 'evaluate(p, "auc", interval="delong")'),
        (
            'ci.auc(roc, method="bootstrap")',
            'evaluate(p, "auc", interval="bootstrap", rng=1)',
        ),
        ("roc.test(roc1, roc2)", 'compare(models, measure="auc")'),
        (
            'roc.test(roc1, roc2, method="bootstrap")',
            'compare(models, measure="auc", test="bootstrap(replicates=200)", rng=1)',
        ),
        (
            'roc.test(..., method="venkatraman")',
            'compare(models, measure="auc", test="venkatraman(permutations=200)", rng=1)',
        ),
        ("auc(roc, partial.auc=c(1, 0.8))", 'evaluate(p, "partial_auc(between=(0, 0.2))")'),
        ('coords(roc, "best")', 'decide(p, rule="youden")'),
        (
            'coords(roc, "best", best.method="closest.topleft")',
            'decide(p, rule="closest.topleft")',
        ),
        ("plot(roc)", 'plot(p, "roc")'),
        ("ci.se(roc), plot of the band", 'curve(p, "roc", band="pointwise", rng=1)'),
        ("confusionMatrix(pred, truth)", "evaluate(p)"),
        (
            'trainControl(method="repeatedcv", number=10, repeats=10)',
            'run(model, X, y, resampling="10x10")',
        ),
        ('trainControl(method="LOOCV")', 'run("knn", X, y, resampling="LOOCV")'),
        (
            "groupKFold(group)",
            'run(model, X, y, groups=[i // 2 for i in range(len(y))], resampling="5")',
        ),
        (
            "resamples(list(a, b)); diff(resamples)",
            'compare(run(["tree", "knn"], X, y, resampling="5x2"), measure="error_rate")',
        ),
        ("postResample(pred, obs)", 'evaluate(numbers, ["rmse", "mae", "correlation"])'),
        ("calibration(truth ~ p); plot(...)", "calibration(p).plot()"),
        ("binom.test(39, 50)", 'interval(39, 50, method="clopper_pearson")'),
        ("mcnemar.test(table)", "compare(Discordant(2, 8))"),
        ("train(...)$finalModel", 'final_model("tree", X, y)'),
    ),
    "yardstick": (
        ("accuracy(df, truth, .pred_class)", 'evaluate(p, "accuracy")'),
        ("roc_auc(df, truth, .pred_yes)", 'evaluate(p, "roc_auc")'),
        ("kap(df, ...), mcc(df, ...)", 'evaluate(p, ["kap", "mcc"])'),
        ("sens, spec, ppv, npv, f_meas", 'evaluate(p, ["sens", "spec", "ppv", "npv", "f_meas"])'),
        ("mn_log_loss, brier_class", 'evaluate(p, ["mn_log_loss", "brier_class"])'),
        ("metric_set(roc_auc, accuracy)", 'evaluate(p, ["roc_auc", "accuracy"])'),
        ('estimator = "macro_weighted"', 'evaluate(p, "f_meas", average="weighted")'),
        ('event_level = "second"', "Predictions.of(y_true, probability=proba, positive=1)"),
        ("conf_mat(df, truth, .pred_class)", "Counts.of(p)"),
        ("roc_curve(df, ...) |> autoplot()", 'plot(p, "roc_curve")'),
        ("pr_curve, gain_curve, lift_curve", 'curve(p, "gain_curve")'),
        ("rmse, mae, rsq_trad, mape", 'evaluate(numbers, ["rmse", "mae", "rsq_trad", "mape"])'),
        (
            "collect_metrics(fit_resamples(...))",
            'evaluate(run(model, X, y, resampling="5"), ["accuracy", "kap"])',
        ),
        ("group_by(fold) before a metric", 'evaluate(run(model, X, y, resampling="3"), by="fold")'),
        ("int_pctl(...)", 'evaluate(p, "auc", interval="bootstrap", rng=1)'),
    ),
    "skore": (
        (
            "skore.evaluate(model, X, y, splitter=0.2)",
            'evaluate(run(model, X, y, resampling="holdout(test=0.2)"))',
        ),
        (
            "skore.evaluate(model, X, y, splitter=5)",
            'evaluate(run(model, X, y, resampling="5"))',
        ),
        (
            'skore.evaluate(model, X_test, y_test, splitter="prefit")',
            "evaluate(Predictions.of(y_true, probability=proba))",
        ),
        ("pos_label=1", "Predictions.of(y_true, probability=proba, positive=1)"),
        ("report.metrics.summarize()", "evaluate(p)"),
        ("report.metrics.summarize().frame()", "evaluate(p).frame()"),
        ('report.metrics.get("roc_auc")', 'evaluate(p, "roc_auc")["auc"].value'),
        ("report.metrics.roc().plot()", 'plot(p, "roc")'),
        ("report.metrics.precision_recall().plot()", 'plot(p, "precision_recall")'),
        ("report.metrics.confusion_matrix().plot()", 'plot(p, "confusion_matrix")'),
        ("report.metrics.prediction_error().plot()", 'plot(numbers, "residuals")'),
        ("report.inspection.calibration_curve().plot()", "calibration(p).plot()"),
        ("report.checks.summarize()", "check(p)"),
        ("skore.compare([report_a, report_b])", 'compare(models, measure="auc")'),
        ("report.get_predictions(...)", 'run(model, X, y, resampling="5")'),
        ("a page to send", 'report(p).save("report.html")'),
        ("project.put(key, report)", 'save(p, "predictions.parquet")'),
        ("project.get(id)", 'read("predictions.csv")'),
    ),
}  # fmt: skip


def cells(program: str) -> Iterator[tuple[str, str]]:
    """Yield the cells of a table, as code; what is no code of the other program stays in words."""
    for there, here in SHEETS[program]:
        words = not any(mark in there for mark in "()=_$,")
        yield there if words or there == "(nothing)" else f"``{there}``", f"``{here}``"
