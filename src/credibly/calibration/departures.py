"""Whether probabilities are further from the outcomes than chance explains, and far enough to matter."""

from __future__ import annotations

import math
from collections.abc import Iterator

from credibly.calibration.logistic import recalibrated
from credibly.calibration.outcomes import Outcomes
from credibly.calibration.statistics import spiegelhalter_z_of
from credibly.intervals.quantiles import chi_square_tail
from credibly.predictions import Predictions
from credibly.predictions.parts import each_once

FAR = 3.3  # a standard normal number is further out once in a thousand times
MATERIAL = 0.1  # of the Brier score that the probabilities lead one to expect
ONCE_IN = 0.001
QUARTER = 1.25  # times the slope, or the odds


def departures(p: Predictions) -> list[str]:
    """Say by which statistics the probabilities of a positive class cannot be taken at face value.

    The Brier score is off by a tenth of what the probabilities imply (Spiegelhalter's z), or the line that
    recalibrates them has a slope or changes the odds by a quarter (test of unreliability); either of them once
    in a thousand times by chance.

    >>> from credibly import Predictions
    >>> departures(Predictions.of([1, 0, 0, 0] * 100, probability=[0.9, 0.7, 0.7, 0.7] * 100))
    ["Spiegelhalter's z = 19"]
    """
    o = Outcomes.of(each_once(p))
    return [*_of_brier(o), *_of_line(o)]


def _of_brier(o: Outcomes) -> Iterator[str]:
    z = spiegelhalter_z_of(o)
    expected = float(o.total @ (o.probability * (1 - o.probability)))
    excess = abs(float((o.events - o.total * o.probability) @ (1 - 2 * o.probability)))
    if math.isnan(z) and not expected and excess:
        yield "all are 0 or 1, and some are wrong"
    elif abs(z) > FAR and excess > MATERIAL * expected:
        yield f"Spiegelhalter's z = {z:.2g}"


def _of_line(o: Outcomes) -> Iterator[str]:
    line, shift = recalibrated(o), recalibrated(o, slope=1.0)
    gain = line.deviance_as_given - line.deviance
    if math.isnan(gain) or chi_square_tail(max(gain, 0.0), 2) > ONCE_IN:
        return
    if not 1 / QUARTER < line.slope < QUARTER:
        yield f"calibration slope {line.slope:.2g}"
    if abs(shift.intercept) > math.log(QUARTER):
        yield f"calibration offset {shift.intercept:.2g}"
