"""Squared losses taken apart, and the boundary bias of probabilities."""

from __future__ import annotations

from math import inf

import numpy as np

from credibly._core.arrays import Floats
from credibly.bias_variance._declare import Part, decomposition
from credibly.bias_variance.tables import Values
from credibly.errors import DataError, says

GEMAN = "Geman, S., Bienenstock, E. & Doursat, R. (1992) Neural networks and the bias/variance dilemma. Neural Computation 4, 1-58."
NON_NEGATIVE = (0.0, inf)


def _parts(bias: tuple[float, float], other: tuple[float, float]) -> dict[str, Part]:
    return {
        "noise": Part("Noise", range=other),
        "bias_squared": Part("Squared bias", range=bias),
        "variance": Part("Variance", range=other),
    }


def _refuse_several(values: Values, what: str, instead: str = "") -> None:
    if values.mean.shape[1] != 1:
        raise DataError(
            f"{what} uses one probability per case, so it needs two classes.", remedy=instead
        )


@decomposition(
    "Squared loss",
    loss="Squared loss",
    takes="number",
    parts=_parts((-inf, inf), NON_NEGATIVE),
    loss_range=NON_NEGATIVE,
    cite=GEMAN,
    aliases=("mse",),
)
def squared(values: Values, *, corrected: bool = False) -> tuple[Floats, ...]:
    r"""Noise, squared bias and variance of predicted numbers.

    $\operatorname{var}(y) + (\bar M - \bar y)^2 + \frac1K \sum (M_k - \bar M)^2$. The labels of two
    classes are taken as -1 and +1, so that the loss is four times the zero-one loss. With few training
    sets a part of the variance counts as bias; ``corrected`` moves it back, with the divisor $K - 1$,
    so that both are right on average, though the squared bias of a case may then be negative.

    >>> from credibly.bias_variance import Values
    >>> parts = squared(Values.of([[1, 1, -1, 1]], truth=[0.6], noise=0.64))
    >>> parts["variance"].tolist(), parts["bias_squared"].round(12).tolist(), parts.loss.round(12).tolist()
    ([0.75], [0.01], [1.4])
    """
    moved = values.variance / (values.count - 1) if corrected else 0.0
    return values.noise, values.bias_squared - moved, values.variance + moved


@decomposition(
    "Brier score",
    loss="Brier score",
    takes="probability",
    parts=_parts((-1.0, 1.0), (0.0, 1.0)),
    cite=GEMAN,
)
def brier(values: Values, *, corrected: bool = False) -> tuple[Floats, ...]:
    r"""Noise, squared bias and variance of the probability of the positive of two classes.

    The squared loss of that probability: the measure of the same name, and half the quadratic loss.
    ``corrected`` as in the squared loss.

    >>> from credibly.bias_variance import Values
    >>> parts = brier(Values.of([[0.5, 0.75]], truth=[1.0]))
    >>> parts["bias_squared"].tolist(), parts["variance"].tolist(), parts.loss.tolist()
    ([0.140625], [0.015625], [0.15625])
    """
    _refuse_several(values, "The Brier score", says("Set <loss='quadratic_loss'> for more."))
    return squared.function(values, corrected=corrected)


@decomposition(
    "Quadratic loss",
    loss="Quadratic loss",
    takes="probabilities",
    parts=_parts((-2.0, 2.0), (0.0, 2.0)),
    loss_range=(0.0, 2.0),
    cite=GEMAN,
    aliases=("brier_multiclass",),
)
def quadratic_loss(values: Values, *, corrected: bool = False) -> tuple[Floats, ...]:
    r"""Noise, squared bias and variance of the probabilities of all classes, summed over them.

    The measure of the same name: of two classes twice the Brier score. ``corrected`` as in the squared
    loss.

    >>> import numpy as np
    >>> from credibly.bias_variance import Values
    >>> said = np.array([[[0.5, 0.5], [0.25, 0.75]]])  # by case, training set and class
    >>> parts = quadratic_loss(Values.measured(said, np.array([[0.0, 1.0]]), np.zeros(1)))
    >>> parts["bias_squared"].tolist(), parts["variance"].tolist(), parts.loss.tolist()
    ([0.28125], [0.03125], [0.3125])
    """
    return squared.function(values, corrected=corrected)


@decomposition(
    "Friedman's boundary bias",
    loss="Brier score",
    takes="probability",
    parts={
        "boundary_bias": Part("Boundary bias", 0, (-0.5, 0.5)),
        "variance": Part("Variance of the probability", 0, (0.0, 0.25)),
        "crossing": Part("Probability of the wrong side", 0),
    },
    cite="Friedman, J. H. (1997) On bias, variance, 0/1-loss, and the curse of dimensionality. Data Mining and Knowledge Discovery 1, 55-77.",
)
def friedman(values: Values) -> tuple[Floats, ...]:
    r"""How far the mean probability lies on the wrong side of one half, for two classes.

    With the true probability $f$ and predicted ones of mean $\bar p$ and variance $v$, the boundary
    bias is $\mathrm{sign}(\frac12 - f) (\bar p - \frac12)$. Below 0, variance costs, above 0 it helps;
    how far the mean is from $f$ does not matter to the label. The chance of the wrong side is
    $\Phi(\text{boundary bias} / \sqrt v)$, if the predictions are normal. Bias and variance act together
    here, so nothing adds up.

    >>> from credibly.bias_variance import Values
    >>> parts = friedman(Values.of([[0.25, 0.5, 0.75, 1.0]], truth=[1.0]))
    >>> parts["boundary_bias"].tolist(), parts["crossing"].round(3).tolist()
    ([-0.125], [0.327])
    """
    from scipy.special import ndtr

    _refuse_several(values, "Friedman's boundary bias")
    towards = np.sign(0.5 - values.truth)
    bias = (towards * (values.mean - 0.5))[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = ndtr(bias / np.sqrt(values.variance))
    chance = np.where(np.isnan(chance), 0.5, chance)  # at one half without a variance
    return bias, values.variance, chance
