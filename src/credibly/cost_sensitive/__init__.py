"""Learning that knows what mistakes cost: estimators of scikit-learn's kind.

>>> from credibly.cost_sensitive import class_weights
>>> class_weights({"fn": 3, "fp": 1}, ["no", "yes"], [30, 10]).tolist()
[0.666..., 2.0]
"""

from credibly.cost_sensitive.curves import cost_weighted_roc
from credibly.cost_sensitive.estimators import (
    CostResampledClassifier,
    CostSensitiveClassifier,
    CostWeightedClassifier,
    ExpectedCostClassifier,
    MetaCostClassifier,
    ThresholdClassifier,
)
from credibly.cost_sensitive.weights import class_weights, training_costs

__all__ = [
    "CostResampledClassifier",
    "CostSensitiveClassifier",
    "CostWeightedClassifier",
    "ExpectedCostClassifier",
    "MetaCostClassifier",
    "ThresholdClassifier",
    "class_weights",
    "cost_weighted_roc",
    "training_costs",
]
