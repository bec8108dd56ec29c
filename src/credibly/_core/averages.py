"""How the values of each class become one."""

from __future__ import annotations

from typing import Literal, get_args

from credibly._core.parameters import one_of, require
from credibly.errors import ParameterError, says

# Over all classes, or over those that occur alone; of the pooled cases; by actual or by predicted size.
Average = Literal["macro", "macro_occurring", "micro", "weighted", "weighted_predicted"]
AVERAGES: tuple[str, ...] = get_args(Average)
EQUAL = ("macro", "macro_occurring")  # in which each class that counts counts the same


def refuse_other_averages(average: object) -> None:
    """Refuse what names no average."""
    if isinstance(average, str) and average == "binary":  # as scikit-learn calls it
        raise ParameterError(
            says("Without <average=>, a measure of one class is about the positive class."),
            remedy=says("Leave it out, and name the positive class with <positive=...>."),
        )
    require("average", average, one_of(*AVERAGES))
