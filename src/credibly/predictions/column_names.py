"""Names by which a column is known for what it holds."""

from __future__ import annotations

import re

# Names under which a role is known, as written by scikit-learn users, R, Weka and people.
# No name stands in two lists, so a column can be taken for one thing only.
NAMES = {
    "truth": ("truth", "y_true", "true", "actual", "target", "y", "class", "label_true", "true_label", "observed", "obs", "true_class", "ground_truth"),
    "label": ("label", "predicted_label", "label_pred", "pred_label", "pred_class", "predicted_class", "predictedclass", "classification"),
    "score": ("score", "y_score", "decision", "decision_function"),
    "probability": ("probability", "prob", "proba", "p", "y_prob", "y_proba", "predicted_probability"),
    "value": ("value", "predicted_value"),
    "weight": ("weight", "sample_weight", "weights", "instance_weight"),
    "row": ("row", "id", "index", "inst#", "row_id", "case", "case_id", "doc_id", "question_id"),
    "model": ("model", "scheme", "classifier"),
    "repeat": ("repeat", "repetition", "epoch"),
    "fold": ("fold",),
    "part": ("part", "split"),
    "group": ("group",),
    "time": ("time", "timestamp"),
    "baseline": ("baseline",),
    "n_train": ("n_train",),
    "outcome": ("outcome", "passed", "correct", "is_correct", "success", "resolved", "reward"),
}  # fmt: skip
# What is the same of every outcome, where a file says it: in columns beside them.
BETTER_COLUMN, LOWEST_COLUMN, HIGHEST_COLUMN = "better", "lowest_outcome", "highest_outcome"
OUTCOME_NAME_COLUMN = "outcome_name"  # what their mean is called
WEIGHT_KIND = "weight_kind"  # what weights stand for, in a column beside them
# What text cannot say by itself: which class is positive, and the order of all of them, as JSON.
POSITIVE_COLUMN, CLASSES_COLUMN = "positive_class", "class_order"
# By which cases were scored: outcomes of several have no mean.
METRIC_NAMES = ("metric", "metric_name", "scorer")
# A label where the truth is classes, a value where it is numbers.
PREDICTED_NAMES = ("predicted", "y_pred", "prediction", "pred", "yhat", "y_hat", "predictions")
PREFIXES = ("probability", "proba", "prob", "p", "distribution", "baseline")
# Classes that are numbers may follow at once, as in p0; yardstick begins with a dot, as in .pred_yes.
PREFIX = re.compile(
    rf"\s*({'|'.join(PREFIXES)}|\.pred)(?:\s*[:_.·=\- ](.*)|(?=\d+$)(.*))",
    re.IGNORECASE | re.DOTALL,
)


def plain_name(name: str) -> str:
    """Reduce a name to what people mean by it: case, blanks, dashes and a first dot do not count."""
    return name.strip().lower().lstrip(".").replace(" ", "_").replace("-", "_").replace(".", "_")


def split_prefix(column: str) -> tuple[str, str]:
    """Split the name of a column into what it says and the class it says it of, blanks and all.

    >>> split_prefix("p:yes"), split_prefix("Prob = no"), split_prefix("p0"), split_prefix("age")
    (('p', 'yes'), ('prob', ' no'), ('p', '0'), ('', 'age'))
    """
    match = PREFIX.fullmatch(column)
    return (match[1].lower(), match[2] or match[3] or "") if match else ("", column)


def names_a_role(name: str) -> bool:
    """Whether a column of this name may be guessed as a truth, a prediction or a part of the design.

    >>> names_a_role("Y true"), names_a_role("p_yes"), names_a_role("sex")
    (True, True, False)
    """
    known = {each for names in (*NAMES.values(), PREDICTED_NAMES) for each in names}
    return plain_name(name) in known or bool(split_prefix(name)[0])
