"""Learning that knows what mistakes cost: estimators of scikit-learn's kind.

>>> from credibly.decisions.cost_sensitive import class_weights
>>> class_weights({"fn": 3, "fp": 1}, ["no", "yes"], [30, 10]).tolist()
[0.666..., 2.0]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.decisions.cost_sensitive.curves import cost_weighted_roc as cost_weighted_roc
    from credibly.decisions.cost_sensitive.estimators import (
        CostResampledClassifier as CostResampledClassifier,
        CostSensitiveClassifier as CostSensitiveClassifier,
        CostWeightedClassifier as CostWeightedClassifier,
        ExpectedCostClassifier as ExpectedCostClassifier,
        MetaCostClassifier as MetaCostClassifier,
        ThresholdClassifier as ThresholdClassifier,
    )
    from credibly.decisions.cost_sensitive.weights import (
        class_weights as class_weights,
        training_costs as training_costs,
    )

lazy(__name__)
