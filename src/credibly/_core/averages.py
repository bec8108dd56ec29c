"""How the values of each class become one."""

from __future__ import annotations

from typing import Literal, get_args

from credibly._core.parameters import one_of, require

# Over all classes, or over those that occur alone; of the pooled cases; by actual or by predicted size.
Average = Literal["macro", "macro_occurring", "micro", "weighted", "weighted_predicted"]
AVERAGES: tuple[str, ...] = get_args(Average)
EQUAL = ("macro", "macro_occurring")  # in which each class that counts counts the same


def refuse_other_averages(average: object) -> None:
    """Refuse what names no average."""
    require("average", average, one_of(*AVERAGES))
