"""Van Calster and others: what mean, weak and moderate calibration say of intercept and slope."""

import numpy as np

from credibly import Predictions
from credibly.calibration import calibration_statistics

from .. import learners
from . import between, design, printed

PAPER = "Van Calster et al. 2016, Journal of Clinical Epidemiology 74"
KEYS = {
    "mean risk less event rate": "calibration_in_the_large",
    "calibration intercept": "calibration_offset",
    "calibration slope": "calibration_slope",
}
ROWS = 1000


def share(logit):
    """Return probabilities."""
    return 1 / (1 + np.exp(-logit))


def levels(y, probability):
    """Return the three numbers of the first two levels."""
    p = Predictions.of(y.astype(int), probability=probability, positive=1)
    return {said: calibration_statistics[name].value(p) for said, name in KEYS.items()}


@design(
    PAPER, "Logistic regression judged on the 200 cases it was fitted on: weak calibration by construction",
    place="weak calibration: intercept 0, slope 1",
    published={
        key: between(v - 1e-6, v + 1e-6, said)
        for (key, v, said) in zip(KEYS, (0.0, 0.0, 1.0), "001", strict=True)
    },
)  # fmt: skip
def on_its_own_cases():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 4))
    y = (rng.random(200) < share(X[:, 0] - 0.5)).astype(float)
    fitted = learners.logistic(X, y, np.ones((1, 200)), penalty=0.0)(X)[0]
    return levels(y, share(fitted))


def cases(rng):
    """Events hang on two columns; a model that knows the first alone is moderately calibrated."""
    known, hidden = rng.normal(size=(2, ROWS))
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    given = share(known[:, None] + 1.5 * nodes) @ weights / weights.sum()
    return (rng.random(ROWS) < share(known + 1.5 * hidden)), given


@design(
    PAPER, "1,000 cases by a model that lacks a column but gives the true risk of what it knows",
    place="moderate calibration, which implies the weaker levels",
    published=dict(zip(KEYS, map(printed, ("0.00", "0.00", "1.00")), strict=True)),
    samples=400,
)  # fmt: skip
def moderate(rng):
    return levels(*cases(rng))


@design(
    PAPER, "The same cases with twice the logit, as after overfitting",
    place="mean calibration alone: the average risk is right, its spread is not",
    published=dict(zip(KEYS, map(printed, ("0.00", "0.00", "0.50")), strict=True)),
    samples=400,
)  # fmt: skip
def mean_alone(rng):
    y, given = cases(rng)
    return levels(y, share(2 * np.log(given / (1 - given))))
