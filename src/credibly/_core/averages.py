"""How the values of each class become one."""

from __future__ import annotations

from typing import Literal, get_args

# Over all classes, or over those that occur alone; of the pooled cases; by actual or by predicted size.
Average = Literal["macro", "macro_occurring", "micro", "weighted", "weighted_predicted"]
AVERAGES: tuple[str, ...] = get_args(Average)
# Averages in which each class that counts weighs the same.
EQUALLY_WEIGHTED = ("macro", "macro_occurring")
