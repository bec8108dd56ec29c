"""What a prediction must expect to lose when the true probabilities are known."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from credibly._core.doors import door
from credibly.measures import Measure, measures
from credibly.predictions import Predictions
from credibly.predictions.numbers import finite


@door
def expected_loss(
    measure: str | Measure, probability: ArrayLike, true_probability: ArrayLike
) -> float:
    """Return the expected value of a probability loss when classes happen with ``true_probability``.

    An expectation is a weighted mean over what can happen, so it is the measure itself on one row per
    class. Honest probabilities minimise it for every proper loss:

    >>> expected_loss("quadratic_loss", [0.5, 0.5], [0.75, 0.25])
    0.5
    >>> expected_loss("quadratic_loss", [0.75, 0.25], [0.75, 0.25])
    0.375
    """
    claimed = finite(probability, "probability")
    k = claimed.size
    p = Predictions.of(
        np.arange(k),
        probability=np.tile(claimed, (k, 1)),
        classes=range(k),
        positive=k - 1,
        sample_weight=finite(true_probability, "true_probability"),
        weight_kind="importance",
    )
    return measures.parse(measure).value(p.take(p.weights > 0))
