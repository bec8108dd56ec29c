"""Curves along the threshold of a score: each is a column of the table of distinct scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.names import Names
from credibly._core.parameters import Rule
from credibly._core.text import lower_first, number_text
from credibly.curves._declare import Points, curve_kind
from credibly.curves.findings import BELOW_DIAGONAL
from credibly.errors import DataError, ParameterError
from credibly.measures import measures
from credibly.measures.by_threshold import at_thresholds
from credibly.predictions import Predictions
from credibly.predictions.numbers import frozen
from credibly.predictions.summaries import BinaryCounts, Counts, ScoreTable
from credibly.predictions.summaries.linear import ratio

if TYPE_CHECKING:
    Lines = dict[str, tuple[Floats, Floats]]

SWETS = "Swets, J. A. (1988) Measuring the accuracy of diagnostic systems. Science 240, 1285-1293."
DAVIS = "Davis, J. & Goadrich, M. (2006) The relationship between precision-recall and ROC curves. ICML, 233-240."
WITTEN = "Witten, I. H., Frank, E. & Hall, M. A. (2011) Data Mining: Practical Machine Learning Tools and Techniques, 3rd ed., sec. 5.7. Morgan Kaufmann."
MARTIN = "Martin, A. et al. (1997) The DET curve in assessment of detection task performance. Eurospeech, 1895-1898."

CHOI = "Choi, B. C. K. (1998) Slopes of a receiver operating characteristic curve and likelihood ratios for a diagnostic test. American Journal of Epidemiology 148, 1127-1132."

FPR, TPR, SHARE = "false positive rate", "true positive rate", "share of cases labelled positive"


def rates(t: ScoreTable) -> tuple[Floats, Floats]:
    """Return false and true positive rate from no case labelled positive to all."""
    false, true = t.cuts()
    return false / false[..., -1:], true / true[..., -1:]


def thresholds(t: ScoreTable) -> Floats:
    """Return the score from which on cases are positive at each point: infinite where none is."""
    return np.concatenate([[np.inf], t.score])


def share_labelled(t: ScoreTable) -> Floats:
    """Return the share of all cases that is labelled positive, from none to all."""
    fp, tp = t.cuts()
    total = fp[..., -1:] + tp[..., -1:]
    return (fp + tp) / total


@door
def inverted(predictions: Predictions) -> Predictions:
    """Invert the scores of two classes, so that large ones indicate the other class.

    Only for a model that is known to have been fitted or read the wrong way round: judged on the
    same cases, the inverted one looks better than it is.

    >>> from credibly import Predictions
    >>> from credibly.measures import auc
    >>> p = Predictions.of([1, 0, 0], score=[1, 2, 3])
    >>> auc(p), auc(inverted(p))
    (0.0, 1.0)
    """
    p = predictions
    if len(p.classes) != 2 or (p.score is None and p.probability is None):
        raise DataError("Only a score or probability of two classes can be inverted.")
    score = None if p.score is None else frozen(-p.score)
    turned = None if p.probability is None else frozen(1 - p.probability)
    return replace(p, score=score, probability=turned, label=None, cache={})


def _value(measure: str, t: ScoreTable) -> float:
    return float(measures[measure].of_summary(t))


def _chance(t: ScoreTable) -> Lines:  # noqa: ARG001
    return {"chance": (np.array([0.0, 1.0]), np.array([0.0, 1.0]))}


def below_diagonal(t: ScoreTable) -> tuple[Finding, ...]:
    """Say where a ranking is worse than chance; turning it round is for its owner to decide."""
    area = _value("auc", t)
    if not area < 0.5:
        return ()
    return (BELOW_DIAGONAL(auc=number_text(area)),)


@curve_kind(
    "ROC curve",
    x_title=FPR,
    y_title=TPR,
    cite=SWETS,
    aliases=Names(
        "receiver_operating_characteristic",
        texts="ROC curve",
        sklearn="roc_curve",
        proc="roc",
        yardstick="roc_curve",
    ),
    range=(0, 1),
    course="rising",
    numbers=lambda t: {"auc": _value("auc", t)},
    beside=_chance,
    doubts=below_diagonal,
)
def roc(t: ScoreTable) -> Points:
    r"""True against false positive rate over all thresholds; cases of equal score move together.

    $(\Pr(S_- \ge \tau), \Pr(S_+ \ge \tau))$

    >>> curve(Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1]), "roc").y.tolist()
    [0.0, 0.5, 0.5, 1.0, 1.0]
    """
    return Points(*rates(t), thresholds(t))


def _prevalence(t: ScoreTable, *, interpolated: bool = False) -> Lines:  # noqa: ARG001
    level = float(ratio(t.positives, t.positives + t.negatives))
    return {"chance": (np.array([0.0, 1.0]), np.array([level, level]))}


@curve_kind(
    "Precision-recall curve",
    x_title="recall",
    y_title="precision",
    cite=DAVIS,
    range=(0, 1),
    drawn="step",
    numbers=lambda t, **_: {"average_precision": _value("average_precision", t)},
    beside=_prevalence,
    aliases=Names(
        "pr", texts="recall-precision curve", sklearn="precision_recall_curve", yardstick="pr_curve"
    ),
)
def precision_recall(t: ScoreTable, *, interpolated: bool = False) -> Points:
    r"""Precision against recall over all thresholds.

    $(\mathrm{TP}/P, \mathrm{TP}/(\mathrm{TP}+\mathrm{FP}))$ as steps: the area below is the average
    precision. ``interpolated`` adds the points between two thresholds where one more case at a time is
    found (Davis and Goadrich): random choices between the two, a hyperbola where a straight line would
    flatter.

    >>> curve(Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1]), "precision_recall").y.tolist()
    [1.0, 0.5, 0.6666666666666666, 0.5]
    """
    if interpolated:
        return _between(t)
    precision = t.tp + t.fp
    np.divide(t.tp, precision, out=precision)
    return Points(rates(t)[1][..., 1:], precision, t.score)


def _between(t: ScoreTable) -> Points:
    """Add the points between two thresholds at which one more positive case would be found."""
    if t.pos.ndim > 1:
        raise ParameterError(
            "An interpolated precision-recall curve has no band: use the step curve."
        )
    steps = np.maximum(np.ceil(t.pos).astype(np.int64), 1)
    place = np.repeat(np.arange(t.score.size), steps)
    part = (np.arange(place.size) - np.repeat(steps.cumsum() - steps, steps) + 1) / steps[place]
    tp, fp = (
        (run - side)[place] + part * side[place] for run, side in ((t.tp, t.pos), (t.fp, t.neg))
    )
    return Points(tp / tp[-1], tp / (tp + fp), np.where(part < 1, np.nan, t.score[place]))


@curve_kind(
    "Cumulative gains",
    x_title=SHARE,
    y_title="share of the positive cases found",
    cite=WITTEN,
    aliases=Names(
        "cumulative_gains, gain_chart",
        yardstick="gain_curve",
        unlike={
            "lift chart": "textbooks and Weka draw it with numbers of cases instead of shares: `credibly plot lift_chart`"
        },
    ),
    range=(0, 1),
    course="rising",
    beside=lambda t: _chance(t) | _perfect(t),
)
def gains(t: ScoreTable) -> Points:
    r"""Share of the positives among the cases of the largest scores.

    $(\frac{\mathrm{TP}+\mathrm{FP}}{n}, \frac{\mathrm{TP}}{P})$; within cases of equal score the
    straight line is what a random order of them would find on average.

    >>> curve(Predictions.of([1, 0, 1, 0], score=[4, 3, 3, 1]), "gains").at(0.5)
    0.75
    """
    return Points(share_labelled(t), rates(t)[1], thresholds(t))


def _perfect(t: ScoreTable) -> Lines:
    share = float(ratio(t.positives, t.positives + t.negatives))
    return {"perfect": (np.array([0.0, share, 1.0]), np.array([0.0, 1.0, 1.0]))}


@curve_kind(
    "Lift chart",
    x_title=SHARE,
    y_title="lift",
    cite=WITTEN,
    range=(0, np.inf),
    beside=lambda t: {"chance": (np.array([0.0, 1.0]), np.ones(2))},  # noqa: ARG005
    aliases=Names(
        yardstick="lift_curve",
        unlike={
            "lift chart": "it is the ratio to a random sample of each size; textbooks and Weka draw numbers of cases: `credibly plot lift_chart`"
        },
    ),
)
def lift(t: ScoreTable) -> Points:
    r"""How many times more positives there are among the cases of the largest scores than in a random sample.

    $\frac{\mathrm{TP}}{\mathrm{TP}+\mathrm{FP}} \big/ \frac{P}{n}$

    >>> curve(Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1]), "lift").y.tolist()
    [2.0, 1.0, 1.3333333333333333, 1.0]
    """
    share = share_labelled(t)[..., 1:]
    return Points(share, rates(t)[1][..., 1:] / share, t.score)


@curve_kind(
    "Detection error trade-off",
    x_title=FPR,
    y_title="false negative rate",
    cite=MARTIN,
    aliases=Names("det", sklearn="det_curve"),
    range=(0, 1),
    scale="probit",
    course="falling",
)
def detection_error(t: ScoreTable) -> Points:
    r"""False negative against false positive rate, to be drawn on scales of normal deviates.

    $(\Pr(S_- \ge \tau), \Pr(S_+ < \tau))$

    >>> curve(Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1]), "detection_error").y.tolist()
    [1.0, 0.5, 0.5, 0.0, 0.0]
    """
    fpr, tpr = rates(t)
    return Points(fpr, 1 - tpr, thresholds(t))


@curve_kind(
    "Likelihood ratio by score",
    x_title="score",
    y_title="likelihood ratio",
    cite=CHOI,
    range=(0, np.inf),
    drawn="step",
    course="rising",
)
def likelihood_ratio(t: ScoreTable) -> Points:
    r"""How many times as likely a score is among positives as among negatives: the slope of the ROC hull there.

    $\Pr(S_+ = s) / \Pr(S_- = s)$, pooled over neighbouring scores until it rises with the score.

    >>> curve(Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1]), "likelihood_ratio").y.tolist()
    [0.0, 1.0, 1.0, inf]
    """
    if t.pos.ndim > 1:
        raise ParameterError(
            "The slopes of a hull jump at its corners, so likelihood_ratio has no band."
        )
    fpr, tpr = rates(t)
    corners = t.hull()
    right, up = np.diff(fpr[corners]), np.diff(tpr[corners])
    slope = np.divide(up, right, out=np.full(up.shape, np.inf), where=right > 0)
    rising = t.score[::-1]
    return Points(rising, np.repeat(slope, np.diff(corners))[::-1], rising)


def _counts_decisions(name: object) -> bool:
    try:
        m = measures.parse(str(name))
    except ParameterError:
        return False
    filled = all(not q.required or q.name in m.arguments for q in m.parameters)
    return filled and m.reads in {BinaryCounts, Counts}


DEFAULT_MEASURE = "f1"
MEASURE_RULE = Rule(
    "the name of a measure of labels, such as 'f1' or 'fbeta(beta=2)'",
    _counts_decisions,
    "auc",
)


def _measure_named(measure: str = DEFAULT_MEASURE) -> str:
    """Name a measure as an axis does, with the arguments that make it another number."""
    m = measures.parse(measure)
    return lower_first(m.title_with_arguments)


@curve_kind(
    "Measure by threshold",
    x_title="threshold",
    y_title="value of the measure",
    y_named=_measure_named,
    cite=WITTEN,
    drawn="step",
    constraints={"measure": MEASURE_RULE},
)
def threshold(t: ScoreTable, *, measure: str = DEFAULT_MEASURE) -> Points:
    r"""Any measure of a two-by-two table, as a function of the score from which on cases are positive.

    >>> p = Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1])
    >>> curve(p, "threshold", measure="precision").y.tolist()
    [0.5, 0.6666666666666666, 0.5, 1.0]
    >>> curve(p, "threshold").y_title, curve(p, "threshold", measure="fbeta(beta=2)").y_title
    ('F-measure', 'F-measure (beta=2)')
    >>> curve(p, "threshold").cells()[0]
    ['threshold', 'F-measure']
    """
    rising = t.score[::-1]
    values = at_thresholds(measures.parse(measure), t)[..., ::-1]
    return Points(rising, values, rising)
