"""Can the probabilities be believed? Curves, statistics, decompositions and tests of calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.calibration._declare import (
        calibration_gap as calibration_gap,
        calibration_statistic as calibration_statistic,
        calibration_statistics as calibration_statistics,
    )
    from credibly.calibration.calibration import (
        Calibration as Calibration,
        Calibrations as Calibrations,
        calibration as calibration,
    )
    from credibly.calibration.class_probabilities import (
        ClassCalibration as ClassCalibration,
        calibration_verdict as calibration_verdict,
        class_calibration as class_calibration,
    )
    from credibly.calibration.decompositions import (
        ScoreDecomposition as ScoreDecomposition,
        corp as corp,
        covariance as covariance,
        murphy as murphy,
    )
    from credibly.calibration.goodness_of_fit import (
        Foretold as Foretold,
        calibration_test as calibration_test,
        calibration_tests as calibration_tests,
    )
    from credibly.calibration.groups import Groups as Groups, grouped as grouped
    from credibly.calibration.logistic import (
        LogisticFit as LogisticFit,
        recalibrated as recalibrated,
    )
    from credibly.calibration.numeric_prediction import (
        IntervalCoverage as IntervalCoverage,
        Pit as Pit,
        QuantileCalibration as QuantileCalibration,
        interval_coverage as interval_coverage,
        pit_histogram as pit_histogram,
        pit_of_normal as pit_of_normal,
        pit_of_samples as pit_of_samples,
        quantile_calibration as quantile_calibration,
    )
    from credibly.calibration.outcomes import Outcomes as Outcomes, top_label as top_label
    from credibly.calibration.recalibration.recalibrate import recalibrate as recalibrate
    from credibly.calibration.reliability_curves import (
        isotonic_curve as isotonic_curve,
        local_curve as local_curve,
        smooth_curve as smooth_curve,
    )

lazy(__name__)
