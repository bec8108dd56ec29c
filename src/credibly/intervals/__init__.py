"""Confidence intervals."""

from credibly.intervals.bootstrap import Bootstrap, RowBootstrap, bootstrap, bootstrap_rows
from credibly.intervals.folds import fold_mean
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
