"""Can the probabilities be believed? Curves, statistics, decompositions and tests of calibration."""

from credibly.reliability._declare import calibration_statistic, calibration_statistics
from credibly.reliability.decompositions import Decomposition, corp, covariance, murphy
from credibly.reliability.groups import Groups, grouped
from credibly.reliability.logistic import LogisticFit, recalibrated
from credibly.reliability.outcomes import Outcomes, top_label

__all__ = [
    "Decomposition",
    "Groups",
    "LogisticFit",
    "Outcomes",
    "calibration_statistic",
    "calibration_statistics",
    "corp",
    "covariance",
    "grouped",
    "murphy",
    "recalibrated",
    "top_label",
]
