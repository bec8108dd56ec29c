"""scikit-learn's habits: displays made from predictions, from an estimator or from cross-validation.

They draw on matplotlib's axes and keep them in ``ax_`` and ``figure_``. What is shown is in ``result_``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from credibly.curves.curve import curve
from credibly.curves.hulls import Hull, hull
from credibly.curves.result import Curve, Curves
from credibly.errors import ParameterError
from credibly.predictions import Predictions
from credibly.results.plot import plot
from credibly.schemes.columns import take_rows
from credibly.schemes.prediction import outputs


class _ResultDisplay:
    """What the displays share; each says which result it shows."""

    def __init__(self, result: Curve | Curves | Hull) -> None:
        self.result_ = result
        self.ax_: Any = None
        self.figure_: Any = None

    @classmethod
    def _result(cls, predictions: Predictions, *, by_fold: bool) -> Curve | Curves | Hull:
        raise NotImplementedError

    def plot(self, ax: Any = None, **options: Any) -> Self:  # noqa: ANN401
        """Draw on these axes, or on new ones."""
        self.ax_ = plot(self.result_, **options).draw(ax)
        self.figure_ = self.ax_.figure
        return self

    @classmethod
    def from_predictions(
        cls,
        y_true: object,
        y_score: object,
        *,
        sample_weight: object = None,
        pos_label: object = None,
        name: str | None = None,
        ax: Any = None,  # noqa: ANN401
    ) -> Self:
        """Draw from true labels and scores that are larger where the positive class is more likely."""
        p = Predictions.of(
            y_true,
            score=y_score,
            sample_weight=sample_weight,
            positive=pos_label,
            model=None if name is None else [name] * len(np.asarray(y_true)),
        )
        return cls(cls._result(p, by_fold=False)).plot(ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,  # noqa: ANN401
        X: Any,  # noqa: ANN401, N803
        y: object,
        *,
        sample_weight: object = None,
        pos_label: object = None,
        name: str | None = None,
        ax: Any = None,  # noqa: ANN401
    ) -> Self:
        """Draw from a fitted classifier of two classes and the cases to judge it on."""
        return cls.from_predictions(
            y,
            _scores(estimator, X, pos_label),
            sample_weight=sample_weight,
            pos_label=_positive(estimator, pos_label),
            name=name or type(estimator).__name__,
            ax=ax,
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,  # noqa: ANN401, N803
        y: object,
        *,
        sample_weight: object = None,
        pos_label: object = None,
        ax: Any = None,  # noqa: ANN401
    ) -> Self:
        """Draw from ``cross_validate(..., return_estimator=True, return_indices=True)``."""
        if "estimator" not in cv_results or "indices" not in cv_results:
            raise ParameterError(
                "cv_results must hold the estimators and their test parts.",
                remedy="Make them with cross_validate(..., return_estimator=True, return_indices=True).",
            )
        models, tests = cv_results["estimator"], cv_results["indices"]["test"]
        rows = np.concatenate(tests)
        parts = [_scores(m, take_rows(X, t), pos_label) for m, t in zip(models, tests, strict=True)]
        p = Predictions.of(
            np.asarray(y)[rows],
            score=np.concatenate(parts),
            sample_weight=None if sample_weight is None else np.asarray(sample_weight)[rows],
            positive=_positive(models[0], pos_label),
            fold=np.repeat(np.arange(len(tests)), [len(t) for t in tests]),
            row=rows,
        )
        return cls(cls._result(p, by_fold=True)).plot(ax)


def _positive(estimator: Any, pos_label: object) -> object:  # noqa: ANN401
    return estimator.classes_[1] if pos_label is None else pos_label


def _scores(estimator: Any, X: Any, pos_label: object) -> Any:  # noqa: ANN401, N803
    """Return the probability or the decision function of the positive class."""
    classes = list(getattr(estimator, "classes_", ()))
    if len(classes) != 2:
        raise ParameterError(
            f"A display is of a fitted classifier of two classes; {type(estimator).__name__} has {len(classes)}."
        )
    output = outputs(estimator, X, classes)
    place = classes.index(_positive(estimator, pos_label))
    if output.probability is not None:
        return output.probability[:, place]
    if output.score is None:
        raise ParameterError(
            f"{type(estimator).__name__} has neither predict_proba nor decision_function."
        )
    return output.score if place == 1 else -output.score


class _CurveDisplay(_ResultDisplay):
    kind: ClassVar[str]

    @classmethod
    def _result(cls, predictions: Predictions, *, by_fold: bool) -> Curve | Curves | Hull:
        return curve(cls.kind, predictions, by="fold" if by_fold else None)


class LiftDisplay(_CurveDisplay):
    """Lift by the share of cases selected.

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> display = LiftDisplay.from_predictions([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
    >>> display.ax_.get_ylabel(), display.result_.at(0.5)
    ('lift', 1.0)
    """

    kind = "lift"


class GainsDisplay(_CurveDisplay):
    """Share of the positive cases found by the share of cases selected.

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> GainsDisplay.from_predictions([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]).result_.at(0.25)
    0.5
    """

    kind = "gains"


class CostCurveDisplay(_CurveDisplay):
    """Expected cost by the probability cost of the positive class, at the best threshold for each.

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> CostCurveDisplay.from_predictions([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]).result_.at(0.5)
    0.25
    """

    kind = "cost"


class HullDisplay(_ResultDisplay):
    """The ROC convex hull, with the line of equal cost that touches it; folds are pooled.

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> HullDisplay.from_predictions([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]).result_.area
    0.875
    """

    @classmethod
    def _result(cls, predictions: Predictions, *, by_fold: bool) -> Curve | Curves | Hull:  # noqa: ARG003
        return hull(predictions)
