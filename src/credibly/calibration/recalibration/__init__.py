"""Better probabilities from old ones: maps fitted on cases kept apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.calibration.recalibration._declare import (
        FittedMap as FittedMap,
        FittedRecalibration as FittedRecalibration,
        Recalibration as Recalibration,
        recalibration as recalibration,
        recalibrations as recalibrations,
    )
    from credibly.calibration.recalibration._estimator import (
        RecalibratedClassifier as RecalibratedClassifier,
    )
    from credibly.calibration.recalibration.recalibrate import (
        Recalibrated as Recalibrated,
        RecalibratedModels as RecalibratedModels,
        recalibrate as recalibrate,
    )

lazy(__name__)
