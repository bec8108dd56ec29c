"""Pictures of predictions: numbers against their truth, scores by class."""

from __future__ import annotations

import numpy as np

from credibly._core.arrays import Floats, evenly
from credibly._core.text import number_text
from credibly.errors import DataError, ParameterError
from credibly.predictions.artifact import Predictions
from credibly.predictions.outcomes import stand_for_moves
from credibly.predictions.summaries import DistinctOutcomes
from credibly.results.figure import Axis, Columns, Figure, Layer
from credibly.results.plot import plot_kind

MAX_VALUE = 1e150
MAX_POINTS = 2000
HISTOGRAM_BARS = 20
MAX_CLASSES_IN_BARS = 3  # classes


def _numeric(p: Predictions) -> bool:
    return p.task == "numeric"


@plot_kind("Prediction against truth", of=Predictions, suits=_numeric)
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
        "",
        Axis("predicted"),
        Axis("true"),
        (
            Layer.of("line", x=[low, high], y=[low, high], emphasis="dashed"),
            Layer.of("points", x=value, y=truth, series=names, emphasis="quiet"),
        ),
        f"{p.known().n:,} predictions beside the true values; root mean squared error {number_text(error)}.",
        subtitle="; ".join(filter(None, [_thinned_text(p), "dashed: prediction equals truth"])),
        square=True,
    )


@plot_kind("Residuals", of=Predictions, suits=lambda _: False)
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
        "",
        Axis("predicted"),
        Axis("true minus predicted"),
        (
            Layer.of("rule", y=[0.0], emphasis="dashed"),
            Layer.of("points", x=value, y=left, series=names, emphasis="quiet"),
        ),
        f"Residuals of {p.known().n} cases against the prediction; their mean is {bias:.4g}.",
        subtitle="; ".join(filter(None, [_thinned_text(p), "dashed: prediction equals truth"])),
    )


def _points(p: Predictions) -> tuple[np.ndarray, np.ndarray, list[str] | None]:
    if not _numeric(p):
        raise ParameterError("This plot shows numeric predictions; these are classes.")
    known = p.known()
    # Evenly spaced rows: what is drawn must not depend on chance.
    some = known.take(evenly(known.n, MAX_POINTS))
    names = None if some.model is None else [str(m) for m in some.model.tolist()]
    truth, value = some.truth, some.need("value", "this plot")
    with np.errstate(over="ignore"):
        apart = float(np.abs(truth - value).max(initial=0))
    if not apart <= MAX_VALUE:
        raise DataError(
            f"Truth and prediction differ by {apart:.3g}, whose square is too large for a double. Divide them by a constant."
        )
    return truth, value, names


def _thinned_text(p: Predictions) -> str:
    n = p.known().n
    return f"{MAX_POINTS:,} of {n:,} cases" if n > MAX_POINTS else ""


@plot_kind("Distribution of outcomes", of=Predictions, suits=lambda _: False)
def outcome_distribution(p: Predictions) -> Figure:
    """The share of the cases whose outcome is at most so high, a line for each model.

    >>> import credibly
    >>> p = credibly.Predictions.of(outcome={"a": [0.1, 0.5], "b": [0.4, 0.9]}, better="higher")
    >>> credibly.plot(p, "outcome_distribution").series()
    ['a', 'b']
    """
    p.need("outcome", "outcome_distribution")
    layers, spoken = [], []
    ends = None if stand_for_moves(p) else p.bounds
    for keys, part in p.known().groups([] if p.model is None else ["model"]):
        points, name = DistinctOutcomes.of(part), str(keys.get("model", ""))
        if not points.value.size:
            raise DataError("There is no outcome to draw.")
        share = np.cumsum(points.weight) / points.weight.sum()
        some = evenly(share.size, MAX_POINTS)
        layers.append(Layer.of("step", x=points.value[some], y=share[some], series=name))
        spoken.append(f"{name or 'median'} {float(points.quantile(0.5)):.4g}")
    way = {None: "", "higher": "further right is better", "lower": "further left is better"}
    text = f"Share of the cases by outcome. Medians: {', '.join(spoken)}."
    return Figure(
        "",
        Axis("outcome", ends),
        Axis("share of cases with at most this outcome", (0.0, 1.0)),
        tuple(layers),
        text,
        subtitle=way[p.better],
    )


@plot_kind("Scores by class", of=Predictions, suits=lambda _: False)
def scores_by_class(
    p: Predictions, model: str | None = None, threshold: float | None = None
) -> Figure:
    """How the scores of the cases of each class are spread, as shares of the class.

    With more than two classes the probability of the case's own class is shown. ``threshold`` draws
    the score from which on cases would be labelled positive.

    >>> import credibly
    >>> p = credibly.Predictions.of(["no", "yes", "yes"], probability=[0.1, 0.9, 0.4])
    >>> credibly.plot(p, "scores_by_class").series()
    ['no', 'yes']
    """
    cases = one_model(p, model).known().scored()
    title, scores = _scores(cases)
    finite = np.isfinite(scores)
    if not finite.any():
        raise DataError("There is no finite score of a case whose truth is known.")
    ends = (0.0, 1.0) if cases.probability is not None else None
    if not np.abs(scores[finite]).max() < MAX_VALUE:
        raise DataError("The scores are too far apart to be drawn. Divide them by a constant.")
    edges = np.histogram_bin_edges(scores[finite], HISTOGRAM_BARS, ends)
    layers, spoken = [], []
    for code, name in enumerate(cases.classes):
        mine = finite & (cases.truth == code)
        weight = cases.weights[mine]
        if not weight.sum() > 0:
            continue
        share = np.histogram(scores[mine], edges, weights=weight)[0] / weight.sum()
        layers.append(_spread(edges, share, str(name), len(cases.classes)))
        middle = float(np.average(scores[mine], weights=weight))
        spoken.append(f"{name}: mean {middle:.3g}")
    if threshold is not None:
        layers.append(Layer.of("rule", x=[threshold], emphasis="dashed"))
    return Figure(
        "",
        Axis(title, ends),
        Axis("share of the class"),
        tuple(layers),
        f"Spread of the {title} in {len(layers)} classes. {'; '.join(spoken)}.",
        subtitle="" if threshold is None else f"dashed: threshold {threshold:.4g}",
    )


def _spread(edges: Floats, share: Floats, series: str, classes: int) -> Layer:
    """Draw a histogram: as bars that show through, or as a line where these would hide each other."""
    if classes <= MAX_CLASSES_IN_BARS:
        bars: Columns = {
            "x": edges[:-1],
            "right": edges[1:],
            "y": share,
            "low": np.zeros(share.size),
        }
        return Layer.of("bars", **bars, series=series, emphasis="quiet")
    return Layer.of("line", x=(edges[:-1] + edges[1:]) / 2, y=share, series=series)


def _scores(p: Predictions) -> tuple[str, Floats]:
    """Return what is shown of each case, and its name."""
    if p.task != "classification":
        raise ParameterError("Scores by class need classes; these predictions are numbers.")
    if p.has_positive:
        code = int(p.positive or 0)
        what = "score" if p.probability is None else "probability"
        return f"{what} of {p.classes[code]}", p.scores_of(code, "scores_by_class")
    own = p.probability_matrix("scores_by_class")[np.arange(p.n), p.truth]
    return "probability of the true class", own


def one_model(p: Predictions, model: str | None) -> Predictions:
    """Return the rows of one model: the one that was named, or the only one."""
    if p.model is None:
        return p
    names = [str(m) for m in p.model.tolist()]
    several = list(dict.fromkeys(names))
    if model is None and len(several) == 1:
        return p
    if model not in several:
        other = "" if model is None else f"; {model!r} is not one of them"
        raise ParameterError(
            f"This plot shows one model; choose it with the option model: {', '.join(several)}{other}.",
            asked=model,
            choices=several,
        )
    return p.take(np.array(names) == model)
