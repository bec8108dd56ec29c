"""Names of registered things as types: an editor completes them, and any other text is taken too.

Written by `scripts/name_types.py`. When the program runs, each is plain text, since a name may have
arguments, other names and plug-ins.
"""

# ruff: noqa: PYI051 -- the names are not redundant to an editor

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Literal

    # fmt: off
    MeasureName = Literal[
        "accuracy", "auc", "average_cost", "average_precision", "balanced_accuracy", "bias",
        "brier", "class_complexity_order_0", "class_error", "complexity_improvement",
        "concordant_pairs", "correlation", "coverage", "diagnostic_odds_ratio", "discordant_pairs",
        "discrimination_slope", "eleven_point_average_precision", "error_rate",
        "false_negative_rate", "false_negatives", "false_positive_rate", "false_positives", "fbeta",
        "g_mean", "gini", "h_measure", "hand_till", "information_score", "informational_loss",
        "jaccard", "kappa", "kendall", "ks", "lift_at", "log_loss", "macro_class_error", "mae",
        "male", "mape", "markedness", "max_error", "mcc", "mean_outcome", "mean_region_size",
        "median_absolute_error", "median_outcome", "mse", "negative_likelihood_ratio",
        "negative_predictive_value", "observed_over_expected", "outcome_quantile", "pabak",
        "partial_auc", "pass_rate", "pinball", "positive_likelihood_ratio", "precision",
        "precision_at", "prevalence", "probability_bias", "probability_mae", "probability_rae",
        "probability_rmse", "probability_rrse", "quadratic_loss", "quantile_coverage",
        "r2_test_mean", "r2_training_mean", "rae", "recall", "recall_at", "recall_at_specificity",
        "relative_information_score", "rmse", "rmsle", "rmspe", "rps", "rrse", "rse",
        "selection_rate", "sensitivity_times_specificity", "smape", "spearman", "specificity",
        "specificity_at_recall", "spherical_score", "three_point_average_precision", "tied_pairs",
        "total_cost", "total_outcome", "true_negatives", "true_positives", "unclassified_rate",
        "within_classes", "youden", "yule_q",
    ] | str
    TestName = Literal[
        "bayesian_correlated_t", "bayesian_signed_rank", "binomial_value", "bootstrap",
        "bootstrap_unpaired", "bootstrap_value", "bowker", "cochran_q", "conservative_z",
        "corrected_resampled_t", "delong", "delong_several", "delong_unpaired", "diebold_mariano",
        "five_by_two_f", "five_by_two_t", "friedman", "hanley_mcneil", "idi", "iman_davenport",
        "influence", "influence_unpaired", "influence_value", "mcnemar", "nested_cv", "nri",
        "paired_losses", "paired_t", "partially_paired", "permutation", "quade", "redelmeier",
        "sign_test", "stuart_maxwell", "two_proportions", "unpaired_losses", "unpaired_t",
        "venkatraman", "venkatraman_unpaired", "widened_t", "wilcoxon",
    ] | str
    CurveName = Literal[
        "cost", "detection_error", "error", "gains", "lift", "likelihood_ratio", "margin",
        "net_benefit", "precision_recall", "roc", "scaled_roc", "threshold", "total_cost",
    ] | str
    PlotName = Literal[
        "agreement_of_judges", "average_ranks", "bias_and_variance", "calibration_function",
        "calibration_plot", "chance_matrix", "class_scatter", "comparison_matrix",
        "conformal_coverage", "confusion_matrix", "cost_benefit", "covariance_graph",
        "critical_difference", "curve", "decision_boundaries", "description_length",
        "detectable_by_size", "differences", "differences_on_tasks", "ensemble_curve", "estimates",
        "expected_costs", "experiment_growth", "fold_histogram", "fold_values", "folds",
        "horizon_calibration", "horizon_decision", "hull", "labels_and_judge", "learning_curve",
        "lift_chart", "outcome_distribution", "outcomes", "paired_differences", "pit_plot",
        "prediction_against_truth", "price_of_choosing", "proportion_coverage",
        "proportion_intervals", "quantile_plot", "recalibration_plot", "residuals", "roc_surface",
        "sampling_distribution", "schemes_by_dataset", "score_by_time", "scored_cases",
        "scores_by_class", "slice_values", "student_densities", "theory_sizes", "two_sided_test",
        "width_by_size", "wins_matrix", "cost", "detection_error", "error", "gains", "lift",
        "likelihood_ratio", "margin", "net_benefit", "precision_recall", "roc", "scaled_roc",
        "threshold", "total_cost",
    ] | str
    ResamplingName = Literal[
        "bootstrap", "fold_column", "folds", "grouped_bootstrap", "grouped_folds",
        "grouped_holdout", "grouped_nested_cv", "holdout", "leave_one_group_out", "leave_one_out",
        "leave_pair_out", "nested_cv", "paired_subsampling", "repeated_holdout", "resubstitution",
        "subsets", "three_way", "time_ordered", "weka_folds", "weka_holdout",
    ] | str
    IntervalMethodName = Literal[
        "agresti_coull", "all_pairs", "arcsine", "block_bootstrap", "bootstrap", "clopper_pearson",
        "corrected", "delong", "delta_after_bootstrap", "hanley_mcneil", "influence", "jackknife",
        "jeffreys", "log_normal", "logit", "mann_whitney", "mid_p", "newcombe", "order_statistics",
        "plus_four", "scaled", "stability", "student", "t", "wald", "wald_corrected", "widened",
        "wilson", "wilson_corrected", "within_fold",
    ] | str
    EstimatorName = Literal[
        "632", "632+", "632_replicates", "all_cases", "apparent", "conservative_z", "dataset_mean",
        "fold_mean", "nested_cv", "oob", "oob_mean", "optimism", "pair_mean", "pooled",
        "repeat_mean",
    ] | str
    BandMethodName = Literal[
        "fixed_width", "ks", "pointwise", "simultaneous", "working_hotelling",
    ] | str
    RecalibrationName = Literal[
        "beta", "histogram", "isotonic", "laplace", "linear_tilt", "logistic", "shift",
        "temperature", "venn_abers",
    ] | str
    SchemeName = Literal[
        "adaboost", "bagging", "boosting", "forest", "full-bayes", "knn", "lasso", "lda", "linear",
        "logistic", "naive-bayes", "nominal-bayes", "one-r", "probability-tree", "ridge", "svm",
        "tree", "zero-r",
    ] | str
    # fmt: on
else:
    MeasureName = str
    TestName = str
    CurveName = str
    PlotName = str
    ResamplingName = str
    IntervalMethodName = str
    EstimatorName = str
    BandMethodName = str
    RecalibrationName = str
    SchemeName = str
