"""The calibration plot the way scikit-learn draws its own."""

# ruff: noqa: N803, ANN401  (X is the field's name for what a model learns from)

from __future__ import annotations

from typing import Any, cast

import numpy as np

from credibly._core.parameters import one_of, require
from credibly.calibration.calibration import Calibration, calibration
from credibly.errors import ParameterError
from credibly.predictions import Predictions
from credibly.results.plot import plot


class ReliabilityDisplay:
    """Calibration plot with intervals, isotonic and smooth curve, drawn on matplotlib's axes.

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> display = ReliabilityDisplay.from_predictions([0, 0, 1, 1] * 25, [0.1, 0.4, 0.3, 0.8] * 25)
    >>> display.ax_.get_xlabel()
    'predicted probability'
    """

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self.ax_: Any = None
        self.figure_: Any = None

    def plot(self, ax: Any = None, **options: Any) -> ReliabilityDisplay:
        """Draw on given axes, or on new ones; options are those of the calibration plot."""
        self.ax_ = plot(self.calibration, "calibration_plot", **options).draw(ax)
        self.figure_ = self.ax_.figure
        return self

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_prob: Any,
        *,
        n_bins: int = 10,
        strategy: str = "quantile",
        pos_label: Any = None,
        sample_weight: Any = None,
        rng: int | np.random.Generator | None = None,
        ax: Any = None,
        **options: Any,
    ) -> ReliabilityDisplay:
        """Draw from the truth and the probability of the positive class, in scikit-learn's words."""
        rules = {"quantile": "equal_size", "uniform": "equal_width"}
        require("strategy", strategy, one_of(*rules))
        p = Predictions.of(
            y_true, probability=y_prob, positive=pos_label, sample_weight=sample_weight
        )
        made = calibration(p, n_bins, rule=rules[strategy], rng=rng)  # type: ignore[arg-type]
        return cls(cast("Calibration", made)).plot(ax, **options)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, **options: Any) -> ReliabilityDisplay:
        """Draw from a fitted classifier of two classes and cases that it did not see."""
        classes = list(estimator.classes_)
        if len(classes) != 2 or not hasattr(estimator, "predict_proba"):
            raise ParameterError(
                f"The display needs a classifier of two classes with predict_proba; this one has {len(classes)}."
            )
        positive = options.pop("pos_label", classes[1])
        column = classes.index(positive)
        probability = estimator.predict_proba(X)[:, column]
        return cls.from_predictions(y, probability, pos_label=positive, **options)
