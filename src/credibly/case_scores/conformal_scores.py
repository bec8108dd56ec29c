"""Conformal scores: how strange a case would be if a class, or a number, were its truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.declared import Declarator, Parametrised, ReadingRegistry
from credibly._core.names import Names
from credibly._core.parameters import COLUMN, above, whole
from credibly._kernels.networks import at_least_as_likely
from credibly.errors import DataError
from credibly.predictions import Predictions

SADINLE = "Sadinle, M., Lei, J. & Wasserman, L. (2019) Least ambiguous set-valued classifiers with bounded error levels. Journal of the American Statistical Association 114, 223-234."
ROMANO = "Romano, Y., Sesia, M. & Candes, E. (2020) Classification with valid and adaptive coverage. NeurIPS 33, 3581-3591."
ANGELOPOULOS = "Angelopoulos, A. N., Bates, S., Jordan, M. & Malik, J. (2021) Uncertainty sets for image classifiers using conformal prediction. ICLR."
LEI = "Lei, J., G'Sell, M., Rinaldo, A., Tibshirani, R. J. & Wasserman, L. (2018) Distribution-free predictive inference for regression. Journal of the American Statistical Association 113, 1094-1111."
QUANTILE = "Romano, Y., Patterson, E. & Candes, E. (2019) Conformalized quantile regression. NeurIPS 32, 3543-3553."
Task = Literal["classification", "numeric"]


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """Of numbers: a truth between ``low`` and ``high`` is not strange, and outside it is by so many ``unit``s."""

    low: Floats
    high: Floats
    unit: Floats


class ConformalScore(Parametrised[..., Any]):
    """How unusual a case would be with each truth: a function of predictions.

    Of classes it returns a number for each case and class, of numbers a :class:`Reach`.
    """

    task: Task
    cite: str

    def facts(self) -> dict[str, Any]:
        """Return what people ask of it, by name."""
        return {
            "predicts": {"classification": "sets of classes", "numeric": "intervals"}[self.task]
        }


conformal_scores: ReadingRegistry[ConformalScore] = ReadingRegistry(
    "conformal score", "credibly.case_scores"
)
conformal_score = Declarator(ConformalScore, conformal_scores)


@conformal_score(
    "Least ambiguous sets",
    task="classification",
    cite=SADINLE,
    aliases=Names("lac, threshold, hinge"),
)
def least_ambiguous(p: Predictions) -> Floats:
    """One minus the probability of the class: the smallest sets, which may be empty."""
    return 1 - p.probability_matrix("a conformal score")


@conformal_score(
    "Adaptive sets", task="classification", cite=ROMANO, aliases=Names("aps, cumulated_score")
)
def adaptive(p: Predictions) -> Floats:
    """The probability of all classes that are at least as likely: sets are larger where a case is hard.

    Nothing is drawn at random. A set is empty where its most likely class alone is more likely than the threshold.
    """
    return at_least_as_likely(p.probability_matrix("a conformal score")).total


@conformal_score("Regularised adaptive sets", task="classification", cite=ANGELOPOULOS, aliases=Names("raps"),
                 constraints={"penalty": above(0), "free": whole(0)})  # fmt: skip
def regularised(p: Predictions, *, penalty: float = 0.01, free: int = 2) -> Floats:
    """As adaptive sets, with a penalty for each class beyond those that are free: long tails are cut off."""
    total, n = at_least_as_likely(p.probability_matrix("a conformal score"))
    return total + penalty * np.maximum(n - free, 0)


def _column(p: Predictions, name: str) -> Floats:
    return np.asarray(p.values_of(name, f"the column {name!r}"), np.float64)


@conformal_score("Absolute error", task="numeric", cite=LEI, aliases=Names("absolute_residual"))
def absolute_error(p: Predictions) -> Reach:
    """The distance between prediction and truth: intervals of one width for all cases."""
    value = p.need("value", "a conformal score")
    return Reach(value, value, np.ones(p.n))


@conformal_score(
    "Error by a scale",
    task="numeric",
    cite=LEI,
    aliases=Names("normalised_error, gamma"),
    constraints={"scale": COLUMN},
)
def scaled_error(p: Predictions, *, scale: str = "scale") -> Reach:
    """The distance between prediction and truth in units of a column, such as a predicted standard deviation."""
    value, unit = p.need("value", "a conformal score"), _column(p, scale)
    if not (unit > 0).all():
        raise DataError(
            f"The scale of a case must be above 0; the column {scale!r} holds {unit.min():g}."
        )
    return Reach(value, value, unit)


@conformal_score(
    "Distance beyond quantiles",
    task="numeric",
    cite=QUANTILE,
    aliases=Names("cqr, conformalized_quantile_regression"),
    constraints={"low": COLUMN, "high": COLUMN},
)
def beyond_quantiles(p: Predictions, *, low: str = "low", high: str = "high") -> Reach:
    """How far the truth lies outside of two predicted quantiles, which are columns: intervals keep their shape."""
    return Reach(_column(p, low), _column(p, high), np.ones(p.n))
