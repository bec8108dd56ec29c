"""Intervals of decisions hold the truth about as often as they say: seeded slices."""

from math import log
from statistics import NormalDist

import numpy as np
import pytest

from credibly import Predictions, decide
from credibly.decisions import decision_rules
from credibly.decisions.problem import DecisionProblem
from credibly.decisions.uncertainty import cross_fitted, threshold_interval

COSTS = {"fn": 2, "fp": 1}
PREVALENCE, DISTANCE = 0.3, 1.5
NORMAL = NormalDist()
# Where the likelihood ratio equals the slope of the costs; the middle; a quantile of the positives.
TRUE = {
    "minimum_cost": (log(0.7 / 0.6) + DISTANCE**2 / 2) / DISTANCE,
    "youden": DISTANCE / 2,
    "fixed_recall(recall=0.9)": DISTANCE + NORMAL.inv_cdf(0.1),
}


def draw(n, seed):
    """Scores of two normal populations."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < PREVALENCE).astype(int)
    return Predictions.of(truth, score=rng.normal(DISTANCE * truth, 1), classes=[0, 1], positive=1)


def cost_at(threshold, prevalence):
    miss = NORMAL.cdf(threshold - DISTANCE)
    alarm = 1 - NORMAL.cdf(threshold)
    return prevalence * 2 * miss + (1 - prevalence) * alarm


def thresholds_held(name, n, repetitions, replicates):
    rule = decision_rules.parse(name)
    held = 0
    for r in range(repetitions):
        problem = DecisionProblem.of(draw(n, [n, r]), COSTS)
        limits, _ = threshold_interval(
            rule, problem, rule(problem).threshold,
            seed=r, replicates=replicates, confidence_level=0.95,
        )  # fmt: skip
        held += limits.low <= TRUE[name] <= limits.high
    return held / repetitions


@pytest.mark.thorough
@pytest.mark.parametrize("name", TRUE)
def test_a_slice_of_the_thresholds(name):
    assert thresholds_held(name, 300, 40, 60) >= 0.95 - 0.05 - 4 * (0.95 * 0.05 / 40) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUE)
def test_the_thresholds_again(name):
    """Optima are held a little more often than they say, quantiles a little less."""
    assert 0.90 <= thresholds_held(name, 1000, 400, 300) <= 1.0


@pytest.mark.thorough
@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_the_cost_of_a_given_threshold(prevalence):
    repetitions, held = 200, 0
    true = cost_at(1.0, prevalence or PREVALENCE)
    for r in range(repetitions):
        made = decide(
            draw(300, [1, r]), COSTS, rule="given_threshold(threshold=1)", prevalence=prevalence
        )
        limits = made.table["average_cost"].interval
        held += limits.low <= true <= limits.high
    slack = 4 * (0.95 * 0.05 / repetitions) ** 0.5
    assert 0.93 - slack <= held / repetitions <= min(1, 0.97 + slack)


@pytest.mark.thorough
def test_cross_fitting_is_nearer_to_what_new_cases_cost():
    """The cost judged where it was chosen is too low; cross-fitted it is that of the chosen thresholds."""
    rule = decision_rules["minimum_cost"]
    judged, honest, new = [], [], []
    for r in range(80):
        problem = DecisionProblem.of(draw(100, [2, r]), COSTS)
        choice = rule(problem)
        judged.append(problem.costs_of(choice.labels).mean())
        honest.append(cross_fitted(rule, problem, seed=r)[1].mean())
        new.append(cost_at(choice.threshold, PREVALENCE))
    gap = np.mean(new) - np.mean(judged)
    assert gap > 0.02
    assert abs(np.mean(honest) - np.mean(new)) < gap / 2


@pytest.mark.thorough
@pytest.mark.parametrize("threshold", [-0.5, 0.75, 2.5])
def test_the_precision_at_a_given_prevalence_is_held(threshold):
    """A hundred cases of each class, of which a share of 0.02 will be positive."""
    alarm, hit = 1 - NORMAL.cdf(threshold), 1 - NORMAL.cdf(threshold - DISTANCE)
    true = 0.02 * hit / (0.02 * hit + 0.98 * alarm)
    truth = np.repeat([0, 1], 100)
    held = 0
    for seed in range(400):
        score = np.random.default_rng(seed).normal(DISTANCE * truth, 1)
        p = Predictions.of(truth, score=score)
        made = decide(p, rule=f"given_threshold(threshold={threshold})", prevalence=0.02)
        limits = made.table["precision"].interval
        held += limits is not None and limits.low <= true <= limits.high
    assert 0.92 <= held / 400 <= 0.99
