"""A score taken apart: how much is the world's uncertainty, how much the model's doing.

Every decomposition adds up to the score it is of; the parts say which way they count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from credibly._core.arrays import Floats, dot
from credibly._core.text import number_text
from credibly.errors import ParameterError
from credibly.predictions.table import cached
from credibly.results.result import Cells, Result

if TYPE_CHECKING:
    from credibly.calibration.groups import Groups
    from credibly.calibration.outcomes import Outcomes


Score = Literal["brier", "log_loss"]


class ScoreDecomposition(Result, eq=True):
    """Parts of a score, each with the sign by which it counts, and what they add up to.

    >>> from credibly import Predictions
    >>> from credibly.calibration import Outcomes, murphy
    >>> parts = murphy(Outcomes.of(Predictions.of([0, 1], probability=[0.25, 0.5])))
    >>> parts.score, parts.parts["uncertainty"]
    (0.15625, 0.25)
    """

    name: str
    score: float
    parts: Mapping[str, float]
    signs: Mapping[str, int]
    cite: str
    details: Mapping[str, Any] = field(default_factory=dict)

    json_keys = "name score parts signs details cite"

    @property
    def total(self) -> float:
        """The parts with their signs, added up."""
        return float(sum(self.signs[k] * v for k, v in self.parts.items()))

    def cells(self) -> Cells:
        """Return header and body of the table of parts."""
        rows = [
            ["+" if self.signs[k] > 0 else "-", k, number_text(v)] for k, v in self.parts.items()
        ]
        return ["", self.name, "value"], [*rows, ["=", "score", number_text(self.score)]]


MURPHY = "Murphy, A. H. (1973) A new vector partition of the probability score. Journal of Applied Meteorology 12, 595-600; Stephenson, D. B., Coelho, C. A. S. & Jolliffe, I. T. (2008) Two extra components in the Brier score decomposition. Weather and Forecasting 23, 752-757."
YATES = "Yates, J. F. (1982) External correspondence: decompositions of the mean probability score. Organizational Behavior and Human Performance 30, 132-156; Arkes, H. R. et al. (1995) The covariance decomposition of the probability score and its use in evaluating prognostic estimates. Medical Decision Making 15, 120-131."
CORP = "Dimitriadis, T., Gneiting, T. & Jordan, A. I. (2021) Stable reliability diagrams for probabilistic classifiers. PNAS 118, e2016191118."


def murphy(outcomes: Outcomes, groups: Groups | None = None) -> ScoreDecomposition:
    """Take the Brier score apart: uncertainty + calibration - discrimination.

    Without groups, cases of equal probability are a group, and the three parts are all there is.
    With groups, two more parts hold what lies within them.
    """
    o, name = outcomes, "Murphy's decomposition of the Brier score"
    total, predicted, observed = o.total, o.probability, o.share
    if groups is not None:
        total, predicted, observed = groups.total, groups.predicted, groups.observed
    weight, prevalence = total / total.sum(), o.prevalence
    parts = {
        "uncertainty": prevalence * (1 - prevalence),
        "calibration": float(dot(weight, (predicted - observed) ** 2)),
        "discrimination": float(dot(weight, (observed - prevalence) ** 2)),
    }
    signs, details = {"uncertainty": 1, "calibration": 1, "discrimination": -1}, {}
    if groups is not None:
        of_groups = sum(signs[k] * v for k, v in parts.items())
        details = {"brier_of_group_means": of_groups, "groups": groups.rule}
        parts["variance within groups"] = groups.within_variance
        parts["covariance within groups"] = groups.within_covariance
        signs |= {"variance within groups": 1, "covariance within groups": -1}
    return ScoreDecomposition(name, o.brier, parts, signs, MURPHY, details)


def covariance(outcomes: Outcomes) -> ScoreDecomposition:
    """Take the Brier score apart by the covariance of probabilities and outcomes (Yates; Arkes).

    Uncertainty + bias squared + least variance + scatter - 2 covariance. ``details`` hold what its
    graph shows: mean and spread of the probabilities of events and of the others, and the slope.
    """
    o = outcomes
    others = o.total - o.events
    prevalence, mean = o.prevalence, o.mean(o.probability)
    if o.one_class:
        raise ParameterError("The covariance decomposition needs cases with and without the event.")
    of_events, of_others = (float(dot(w, o.probability)) / w.sum() for w in (o.events, others))
    spread = [
        float(dot(w, (o.probability - m) ** 2)) / w.sum()
        for w, m in ((o.events, of_events), (others, of_others))
    ]
    slope = of_events - of_others
    uncertainty = prevalence * (1 - prevalence)
    parts = {
        "uncertainty": uncertainty,
        "bias squared": (mean - prevalence) ** 2,
        "least variance": slope**2 * uncertainty,
        "scatter": prevalence * spread[0] + (1 - prevalence) * spread[1],
        "twice the covariance": float(2 * slope * uncertainty),
    }
    details = {
        "bias": mean - prevalence,
        "slope": slope,
        "mean_of_events": of_events,
        "mean_of_others": of_others,
        "variance_of_events": spread[0],
        "variance_of_others": spread[1],
        "prevalence": prevalence,
    }
    signs = dict(zip(parts, (1, 1, 1, 1, -1), strict=True))
    name = "Covariance decomposition of the Brier score"
    return ScoreDecomposition(name, o.brier, parts, signs, YATES, details)


def corp(outcomes: Outcomes, score: Score = "brier") -> ScoreDecomposition:
    """Take a proper score apart by isotonic recalibration: miscalibration - discrimination + uncertainty.

    No groups to choose: the recalibrated probabilities are the isotonic fit of the outcomes.
    """
    return cached(outcomes, (corp, score), lambda: _corp(outcomes, score))


def _corp(o: Outcomes, score: Score) -> ScoreDecomposition:
    loss = _losses(score)
    raw, better, least = (
        _mean_loss(o, p, loss) for p in (o.probability, o.isotonic_shares, o.prevalence)
    )
    parts = {
        "miscalibration": raw - better if np.isfinite(raw) else raw,
        "discrimination": least - better,
        "uncertainty": least,
    }
    signs = {"miscalibration": 1, "discrimination": -1, "uncertainty": 1}
    name = f"CORP decomposition of the {'Brier score' if score == 'brier' else 'log loss'}"
    return ScoreDecomposition(name, raw, parts, signs, CORP)


def _losses(score: str) -> Callable[[Any, int], Any]:
    """Return the loss of a probability when the event happens (1) or not (0)."""
    if score == "brier":
        return lambda p, happened: (happened - p) ** 2
    if score == "log_loss":
        return lambda p, happened: -np.log(p if happened else 1 - p)
    raise ParameterError(f"score must be 'brier' or 'log_loss'; got {score!r}.")


def _mean_loss(o: Outcomes, p: Floats | float, loss: Callable[[Any, int], Any]) -> float:
    """Average a loss; what never happened at a probability costs nothing there, however unlikely."""
    cost = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        for happened, weight in ((1, o.events), (0, o.total - o.events)):
            each = loss(p, happened)
            added = float((weight * each).sum() if np.ndim(each) else weight.sum() * each)
            if not np.isfinite(added):
                added = float(np.where(weight > 0, weight * each, 0.0).sum())
            cost += added
    return cost / o.n
