"""Confidence intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.intervals.bootstrap import (
        Bootstrap as Bootstrap,
        RowBootstrap as RowBootstrap,
        bootstrap as bootstrap,
        bootstrap_rows as bootstrap_rows,
    )
    from credibly.intervals.folds import fold_mean as fold_mean
    from credibly.intervals.means import (
        MeanEstimate as MeanEstimate,
        VarianceEstimate as VarianceEstimate,
        mean_interval as mean_interval,
        variance_interval as variance_interval,
    )
    from credibly.intervals.proportions import (
        ProportionMethod as ProportionMethod,
        proportion_interval as proportion_interval,
        proportion_method as proportion_method,
        proportion_methods as proportion_methods,
        wilson as wilson,
    )
    from credibly.intervals.quantiles import (
        chi_square_quantile as chi_square_quantile,
        chi_square_tail as chi_square_tail,
        normal_quantile as normal_quantile,
        normal_tail as normal_tail,
        student_quantile as student_quantile,
        student_tail as student_tail,
    )
    from credibly.intervals.sample_size import (
        ClassSizes as ClassSizes,
        hanley_mcneil_standard_error as hanley_mcneil_standard_error,
        power_of_auc as power_of_auc,
        power_of_two_aucs as power_of_two_aucs,
        sample_size_for_auc as sample_size_for_auc,
        sample_size_for_proportion as sample_size_for_proportion,
        sample_size_for_two_aucs as sample_size_for_two_aucs,
        width_with_more_data as width_with_more_data,
    )

lazy(
    __name__,
    {
        "bootstrap": "Bootstrap RowBootstrap bootstrap bootstrap_rows",
        "folds": "fold_mean",
        "means": "MeanEstimate VarianceEstimate mean_interval variance_interval",
        "proportions": "ProportionMethod proportion_interval proportion_method proportion_methods wilson",
        "quantiles": "chi_square_quantile chi_square_tail normal_quantile normal_tail student_quantile student_tail",
        "sample_size": "ClassSizes hanley_mcneil_standard_error power_of_auc power_of_two_aucs sample_size_for_auc sample_size_for_proportion sample_size_for_two_aucs width_with_more_data",
    },
)
