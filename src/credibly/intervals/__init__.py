"""Confidence intervals.

Names are resolved when first used: a small evaluation needs few of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from credibly.intervals.bootstrapping import (
        Bootstrap,
        RowBootstrap,
        bootstrap,
        bootstrap_rows,
    )
    from credibly.intervals.folds import (
        fold_mean,
    )
    from credibly.intervals.means import (
        MeanEstimate,
        VarianceEstimate,
        mean_interval,
        variance_interval,
    )
    from credibly.intervals.planning import (
        ClassSizes,
        hanley_mcneil_standard_error,
        power_of_auc,
        power_of_two_aucs,
        sample_size_for_auc,
        sample_size_for_proportion,
        sample_size_for_two_aucs,
        width_with_more_data,
    )
    from credibly.intervals.proportions import (
        ProportionMethod,
        proportion_interval,
        proportion_method,
        proportion_methods,
        wilson,
    )
    from credibly.intervals.quantiles import (
        chi_square_quantile,
        chi_square_tail,
        normal_quantile,
        normal_tail,
        student_quantile,
        student_tail,
    )

_MODULES = ("bootstrapping", "folds", "means", "planning", "proportions", "quantiles")

__all__ = [
    "Bootstrap",
    "ClassSizes",
    "MeanEstimate",
    "ProportionMethod",
    "RowBootstrap",
    "VarianceEstimate",
    "bootstrap",
    "bootstrap_rows",
    "chi_square_quantile",
    "chi_square_tail",
    "fold_mean",
    "hanley_mcneil_standard_error",
    "mean_interval",
    "normal_quantile",
    "normal_tail",
    "power_of_auc",
    "power_of_two_aucs",
    "proportion_interval",
    "proportion_method",
    "proportion_methods",
    "sample_size_for_auc",
    "sample_size_for_proportion",
    "sample_size_for_two_aucs",
    "student_quantile",
    "student_tail",
    "variance_interval",
    "width_with_more_data",
    "wilson",
]


def __getattr__(name: str) -> object:
    if name in __all__:
        for module in _MODULES:
            found = import_module(f"{__name__}.{module}")
            if name in vars(found):
                return vars(found)[name]
    msg = f"module 'credibly.intervals' has no attribute {name!r}"
    raise AttributeError(msg)
