"""Every measure as a scorer of scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from credibly._core.averages import Average
from credibly._core.doors import door
from credibly.errors import ParameterError
from credibly.measures import Measure, measures
from credibly.predictions import Predictions


@dataclass(frozen=True, slots=True)
class Scorer:
    """A measure of what a fitted model predicts, the larger the better; losses are negated.

    >>> from sklearn.dummy import DummyClassifier
    >>> model = DummyClassifier(strategy="prior").fit([[0], [0], [0], [0]], [0, 1, 1, 1])
    >>> Scorer("accuracy")(model, [[0], [0]], [0, 1]), Scorer("error_rate")(model, [[0], [0]], [0, 1])
    (0.5, -0.5)
    """

    measure: str
    average: Average | None = None
    positive: Any = None

    @property
    def sign(self) -> int:
        """What the value is multiplied by: -1 for a loss."""
        return -1 if measures.parse(self.measure).direction == "lower" else 1

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Let the model predict, and judge it."""
        p = Predictions.from_estimator(
            estimator, X, y, positive=self.positive, sample_weight=sample_weight
        )
        m = measures.parse(self.measure)
        return self.sign * m.on(m.usable(p), m.average_on(p, self.average))


@door
def scorer(
    measure: str | Measure, *, average: Average | None = None, positive: object = None
) -> Scorer:
    """Make a scorer of a measure, for scikit-learn's ``cross_validate`` and searches.

    scikit-learn takes the larger of two scores for the better one. So a loss is negated, as
    scikit-learn does in ``neg_log_loss``.

    Parameters
    ----------
    measure
        A name from ``credibly list measures``, such as ``"auc"`` or ``"fbeta(beta=2)"``.
    average
        How measures of one class become one number for all, as in :func:`credibly.evaluate`.
    positive
        The class that scores and two-class measures are about.

    >>> import credibly
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = load_iris(return_X_y=True)
    >>> cross_val_score(GaussianNB(), *data, cv=3, scoring=credibly.scorer("kappa")).round(2).tolist()
    [0.88, 0.91, 0.94]
    >>> credibly.scorer("log_loss").sign
    -1
    """
    found = measures.parse(measure)
    if found.direction == "neither":
        raise ParameterError(f"{found.call} has no better direction, so it cannot choose a model.")
    return Scorer(found.call, average, positive)
