"""What one more case of a class does to a value, by way of what is learned: beside influence values, and no part of others."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import norm

from credibly import Predictions
from credibly.intervals.influence import influence
from credibly.intervals.learned_shares import learned_influence
from credibly.measures import measures

PLACES = norm.ppf((np.arange(3000) + 0.5) / 3000)
SCORE = np.concatenate([PLACES + 1.2, PLACES[1::2] * 1.1])
TRUTH = np.repeat([1, 0], [3000, 1500])
RULE = Predictions.of(TRUTH, probability=expit(0.9 * SCORE))
OF_LABELS = [
    m for m in measures if m.nonlinear and not m.lacks(RULE) and influence(m, RULE) is not None
]


@pytest.mark.parametrize("m", OF_LABELS, ids=lambda m: m.name)
def test_a_larger_class_moves_a_value_as_its_cases_say(m):
    """Weigh one class by more and by less, as the prior of a Bayes rule too: the slope is the sum over the cases of the class."""
    step = 1 / math.sqrt(RULE.n * TRUTH.mean() * (1 - TRUTH.mean()))
    found = []
    for h in (step, -step):
        probability = expit(logit(RULE.probability) + (h if takes_labels(m) else 0))
        weight = np.where(TRUTH == 1, math.exp(h), 1.0)
        moved = Predictions.of(TRUTH, probability=probability, sample_weight=weight)
        found.append(m.value(replace(moved, probability=RULE.probability)))
    slope = (found[0] - found[1]) / (2 * math.sinh(step))
    values = learned_influence(m, RULE)
    assert values[TRUTH == 1].sum() == pytest.approx(
        slope, rel=0.02, abs=1e-3 * np.abs(values).sum()
    )
    assert values.sum() == pytest.approx(0, abs=1e-9 * np.abs(values).sum())


def takes_labels(m):
    return m.reads.__name__ in {"Counts", "BinaryCounts"}


@pytest.mark.parametrize("name", ["error_rate", "auc", "brier", "fbeta"])
def test_the_rest_moves_as_its_cases_do(name):
    """Shares that are learned cost the error rate nothing to first order; labels that follow no probabilities show nothing."""
    p = (
        RULE
        if name != "fbeta"
        else Predictions.of(TRUTH, label=1 - RULE.label, probability=RULE.probability)
    )
    assert (learned_influence(measures[name], p) == influence(measures[name], p)).all()


def test_repeats_say_the_same_as_one():
    twice = Predictions.of(*(np.tile(a, 2) for a in (TRUTH, RULE.probability)), row=np.tile(np.arange(RULE.n), 2), repeat=np.repeat([0, 1], RULE.n), fold=np.zeros(2 * RULE.n))  # fmt: skip
    values = learned_influence(measures["fbeta"], twice) * twice.weights
    once = learned_influence(measures["fbeta"], RULE)
    assert values[: RULE.n] + values[RULE.n :] == pytest.approx(once)
