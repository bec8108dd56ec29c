"""Can the probabilities be believed? Curves, statistics, decompositions and tests of calibration."""

from credibly.reliability._declare import calibration_statistic, calibration_statistics
from credibly.reliability.calibration import Calibration, calibration
from credibly.reliability.class_probabilities import ClassCalibration, class_calibration
from credibly.reliability.decompositions import Decomposition, corp, covariance, murphy
from credibly.reliability.goodness_of_fit import Foretold, calibration_test, calibration_tests
from credibly.reliability.groups import Groups, grouped
from credibly.reliability.logistic import LogisticFit, recalibrated
from credibly.reliability.numeric_prediction import (
    IntervalCoverage,
    Pit,
    QuantileCalibration,
    interval_coverage,
    pit_histogram,
    pit_of_normal,
    pit_of_samples,
    quantile_calibration,
)
from credibly.reliability.outcomes import Outcomes, top_label
from credibly.reliability.reliability_curves import isotonic_curve, local_curve, smooth_curve

__all__ = [
    "Calibration",
    "ClassCalibration",
    "Decomposition",
    "Foretold",
    "Groups",
    "IntervalCoverage",
    "LogisticFit",
    "Outcomes",
    "Pit",
    "QuantileCalibration",
    "calibration",
    "calibration_statistic",
    "calibration_statistics",
    "calibration_test",
    "calibration_tests",
    "class_calibration",
    "corp",
    "covariance",
    "grouped",
    "interval_coverage",
    "isotonic_curve",
    "local_curve",
    "murphy",
    "pit_histogram",
    "pit_of_normal",
    "pit_of_samples",
    "quantile_calibration",
    "recalibrated",
    "smooth_curve",
    "top_label",
]
