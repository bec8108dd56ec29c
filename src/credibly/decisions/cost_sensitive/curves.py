"""ROC curves of learners that give no scores: one training for each point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from credibly.curves import Curve
from credibly.decisions.cost_sensitive.estimators import CostWeightedClassifier
from credibly.errors import DataError
from credibly.predictions.summaries import BinaryCounts
from credibly.predictions.summaries.linear import ratio

COST_RATIOS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)


def cost_weighted_roc(
    classifier: Any,  # noqa: ANN401
    X: Any,  # noqa: ANN401, N803
    y: Any,  # noqa: ANN401
    X_test: Any,  # noqa: ANN401, N803
    y_test: Any,  # noqa: ANN401
    *,
    ratios: Sequence[float] = COST_RATIOS,
) -> Curve:
    """Draw the ROC points of a learner trained with one cost ratio after another.

    ``ratios`` say how many false alarms a missed positive costs; the last of the sorted classes is
    positive. ``classifier`` takes weights, or is a :class:`CostResampledClassifier`, whose costs are
    replaced. Points are joined in rising order of the false positive rate.

    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 200)
    >>> X = rng.normal(y[:, None], 1.0)
    >>> tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    >>> roc = cost_weighted_roc(tree, X[:100], y[:100], X[100:], y[100:], ratios=[0.1, 1, 10])
    >>> roc.x.size, bool((np.diff(roc.y) >= 0).all())
    (5, True)
    """
    from sklearn.base import clone

    wraps = hasattr(classifier, "costs")
    model = clone(classifier) if wraps else CostWeightedClassifier(classifier)
    truth = np.asarray(y_test)
    classes = np.unique(np.asarray(y))
    if len(classes) != 2 or set(np.unique(truth)) != set(classes):
        raise DataError(
            f"A ROC curve needs two classes that both occur in each part; found {classes.tolist()}."
        )
    points = {(0.0, 0.0), (1.0, 1.0)}
    for each in ratios:
        if not 0 < each < np.inf:
            raise DataError(f"A cost ratio is a number above 0; got {each!r}.")
        model.set_params(costs={"fn": float(each), "fp": 1.0})
        points.add(_point(truth == classes[1], model.fit(X, y).predict(X_test) == classes[1]))
    x, y_rate = np.array(sorted(points)).T
    return Curve(
        name="roc",
        title="ROC curve by cost-weighted training",
        x=x,
        y=y_rate,
        threshold=None,
        x_title="False positive rate",
        y_title="True positive rate",
        beside={"chance": (np.array([0.0, 1.0]), np.array([0.0, 1.0]))},
    )


def _point(truth: Any, label: Any) -> tuple[float, float]:  # noqa: ANN401
    c = BinaryCounts.of_outcomes(
        tp=(truth & label).sum(),
        fp=(~truth & label).sum(),
        fn=(truth & ~label).sum(),
        tn=(~truth & ~label).sum(),
    )
    return float(ratio(c.fp, c.negatives)), float(ratio(c.tp, c.positives))
