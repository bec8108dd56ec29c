"""The few measures that are shown where nobody asked for particular ones."""

from __future__ import annotations

HEADLINE = {
    "classification": ("error_rate", "auc", "brier", "kappa"),
    "numeric": ("mae", "rmse", "r2"),
}
