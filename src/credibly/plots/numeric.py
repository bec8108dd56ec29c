"""Pictures of numeric prediction."""

from __future__ import annotations

import numpy as np

from credibly._core.errors import DataError, ParameterError
from credibly.plots._declare import declare_plot
from credibly.plots.figure import Axis, Figure, Layer
from credibly.predictions import Predictions

LARGEST = 1e150
MOST_POINTS = 2000


def _numeric(p: Predictions) -> bool:
    return p.task == "numeric"


@declare_plot("Prediction against truth", of=Predictions, suits=_numeric)
def prediction_against_truth(p: Predictions) -> Figure:
    """Each case at its predicted and its true value; on the dashed line they are equal.

    >>> import credibly
    >>> p = credibly.Predictions.of([1.0, 2.0, 3.0], value=[1.5, 2.0, 2.5])
    >>> credibly.plot(p).layers[1].columns["x"]
    [1.5, 2.0, 2.5]
    """
    truth, value, names = _points(p)
    low, high = (
        float(f([f(truth), f(value)])) if truth.size else e for f, e in ((np.min, 0), (np.max, 1))
    )
    error = float(np.sqrt(np.mean((truth - value) ** 2))) if truth.size else np.nan
    return Figure(
        "Prediction against truth",
        Axis("predicted"),
        Axis("true"),
        (
            Layer.of("line", x=[low, high], y=[low, high], emphasis="dashed"),
            Layer.of("points", x=value, y=truth, series=names, emphasis="quiet"),
        ),
        f"{p.known().n} cases at predicted and true value; root mean squared error {error:.4g}.",
        subtitle=_thinned_text(p),
        square=True,
    )


@declare_plot("Residuals", of=Predictions, suits=lambda _: False)
def residuals(p: Predictions) -> Figure:
    """What is left, truth minus prediction, against the prediction: a pattern is a fault of the model.

    >>> import credibly
    >>> p = credibly.Predictions.of([1.0, 2.0, 3.0], value=[1.5, 2.0, 2.5])
    >>> credibly.plot(p, "residuals").layers[1].columns["y"]
    [-0.5, 0.0, 0.5]
    """
    truth, value, names = _points(p)
    left = truth - value
    bias = float(left.mean()) if left.size else np.nan
    return Figure(
        "Residuals",
        Axis("predicted"),
        Axis("true minus predicted"),
        (
            Layer.of("rule", y=[0.0], emphasis="dashed"),
            Layer.of("points", x=value, y=left, series=names, emphasis="quiet"),
        ),
        f"Residuals of {p.known().n} cases against the prediction; their mean is {bias:.4g}.",
        subtitle=_thinned_text(p),
    )


def _points(p: Predictions) -> tuple[np.ndarray, np.ndarray, list[str] | None]:
    if not _numeric(p):
        raise ParameterError("This plot is of numeric predictions; these are of classes.")
    known = p.known()
    # Evenly spaced rows: what is drawn must not depend on chance.
    rows = np.unique(np.linspace(0, known.n - 1, min(known.n, MOST_POINTS)).astype(np.intp))
    some = known.take(rows)
    names = None if some.model is None else [str(m) for m in some.model.tolist()]
    truth, value = some.truth, some.need("value", "this plot")
    with np.errstate(over="ignore"):
        apart = float(np.abs(truth - value).max(initial=0))
    if not apart <= LARGEST:
        raise DataError(
            f"Truth and prediction differ by {apart:.3g}, whose square is beyond what a double holds. Divide them by a constant."
        )
    return truth, value, names


def _thinned_text(p: Predictions) -> str:
    n = p.known().n
    return f"{MOST_POINTS:,} of {n:,} cases" if n > MOST_POINTS else ""
