"""Can the probabilities be believed? Curves, statistics, decompositions and tests of calibration."""

from credibly.reliability._declare import calibration_statistic, calibration_statistics
from credibly.reliability.calibration import Calibration, calibration
from credibly.reliability.decompositions import Decomposition, corp, covariance, murphy
from credibly.reliability.goodness_of_fit import Foretold, calibration_test, calibration_tests
from credibly.reliability.groups import Groups, grouped
from credibly.reliability.logistic import LogisticFit, recalibrated
from credibly.reliability.outcomes import Outcomes, top_label
from credibly.reliability.reliability_curves import isotonic_curve, local_curve, smooth_curve

__all__ = [
    "Calibration",
    "Decomposition",
    "Foretold",
    "Groups",
    "LogisticFit",
    "Outcomes",
    "calibration",
    "calibration_statistic",
    "calibration_statistics",
    "calibration_test",
    "calibration_tests",
    "corp",
    "covariance",
    "grouped",
    "isotonic_curve",
    "local_curve",
    "murphy",
    "recalibrated",
    "smooth_curve",
    "top_label",
]
