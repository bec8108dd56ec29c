"""What other programs call the same numbers: the page is written from this table and a test computes it.

``on`` says what both sides are computed from; ``arguments`` go to the other program's function.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Same:
    """One function of scikit-learn or scipy and the measure that gives the same number."""

    theirs: str
    ours: str
    on: str
    arguments: dict[str, Any] = field(default_factory=dict)
    average: str | None = None
    differs: str = ""


ZERO = "undefined where scikit-learn gives 0"
CONSTANT = "undefined where truth or label takes one value only; scikit-learn gives 0"

SAME = (
    Same("sklearn.metrics.accuracy_score", "accuracy", "label"),
    Same("sklearn.metrics.zero_one_loss", "error_rate", "label"),
    Same(
        "sklearn.metrics.balanced_accuracy_score",
        "balanced_accuracy",
        "classes",
        differs="undefined if a named class has no case; scikit-learn leaves the class out",
    ),
    Same("sklearn.metrics.precision_score", "precision", "label", differs=ZERO),
    Same("sklearn.metrics.recall_score", "recall", "label", differs=ZERO),
    Same("sklearn.metrics.recall_score", "specificity", "label", {"pos_label": 0}, differs=ZERO),
    Same("sklearn.metrics.f1_score", "f1", "label", differs=ZERO),
    Same("sklearn.metrics.fbeta_score", "fbeta(beta=2)", "label", {"beta": 2}, differs=ZERO),
    Same(
        "sklearn.metrics.f1_score",
        "f1",
        "classes",
        {"average": "macro"},
        "macro",
        differs="over every named class, also one that this slice lacks",
    ),
    Same("sklearn.metrics.precision_score", "precision", "classes", {"average": "micro"}, "micro"),
    Same("sklearn.metrics.recall_score", "recall", "classes", {"average": "weighted"}, "weighted"),
    Same("sklearn.metrics.matthews_corrcoef", "mcc", "classes", differs=CONSTANT),
    Same("sklearn.metrics.cohen_kappa_score", "kappa", "classes"),
    Same(
        "sklearn.metrics.cohen_kappa_score",
        "kappa(weights='quadratic')",
        "classes",
        {"weights": "quadratic"},
    ),
    Same("sklearn.metrics.roc_auc_score", "auc", "probability"),
    Same(
        "sklearn.metrics.roc_auc_score",
        "auc",
        "class_probability",
        {"multi_class": "ovr", "average": "macro"},
        "macro",
    ),
    Same(
        "sklearn.metrics.roc_auc_score",
        "hand_till",
        "class_probability",
        {"multi_class": "ovo", "average": "macro"},
    ),
    Same(
        "sklearn.metrics.average_precision_score",
        "average_precision",
        "probability",
        differs="undefined without a positive case; scikit-learn warns and gives 0",
    ),
    Same("sklearn.metrics.brier_score_loss", "brier", "probability"),
    Same(
        "sklearn.metrics.log_loss",
        "log_loss",
        "probability",
        differs="infinite for a probability of 0; scikit-learn clips, as clip= does here",
    ),
    Same("sklearn.metrics.mean_squared_error", "mse", "value"),
    Same("sklearn.metrics.root_mean_squared_error", "rmse", "value"),
    Same("sklearn.metrics.mean_absolute_error", "mae", "value"),
    Same("sklearn.metrics.median_absolute_error", "median_absolute_error", "value"),
    Same("sklearn.metrics.max_error", "max_error", "value"),
    Same(
        "sklearn.metrics.r2_score",
        "r2_test_mean",
        "value",
        differs="undefined for a constant truth; scikit-learn gives 1 or 0",
    ),
    Same(
        "sklearn.metrics.mean_absolute_percentage_error",
        "mape",
        "value",
        differs="infinite where a truth of zero is missed; scikit-learn divides by a tiny number",
    ),
    Same("sklearn.metrics.root_mean_squared_log_error", "rmsle", "value"),
    Same("sklearn.metrics.mean_pinball_loss", "pinball(quantile=0.9)", "value", {"alpha": 0.9}),
    Same("scipy.stats.pearsonr", "correlation", "value"),
    Same("scipy.stats.spearmanr", "spearman", "value"),
    Same("scipy.stats.kendalltau", "kendall", "value"),
)
