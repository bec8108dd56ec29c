"""The few measures that are shown where nobody asked for particular ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from credibly.predictions import Predictions

PANEL = "headline"  # what they are called together
HEADLINE = {
    "classification": ("error_rate", "auc", "brier", "kappa"),
    "numeric": ("mae", "rmse", "r2"),
}
WITH_POSITIVE = ("error_rate", "recall", "precision", "auc", "brier", "kappa")


def is_headline(asked: object) -> bool:
    """Whether what was asked for is these measures together.

    >>> is_headline("headline"), is_headline(["headline"]), is_headline("auc")
    (True, True, False)
    """
    return isinstance(asked, str | list) and asked in (PANEL, [PANEL])


def first_measures(p: Predictions) -> tuple[str, ...]:
    """Return the names of the measures for a first look at predictions.

    >>> from credibly import Predictions
    >>> first_measures(Predictions.of([1.0, 2.5], value=[1.5, 2.0]))
    ('mae', 'rmse', 'r2')
    """
    return WITH_POSITIVE if p.has_positive else HEADLINE[p.task]
