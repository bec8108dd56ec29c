"""How often intervals hold where cases matter unequally and a class is rare; how often equal models seem to differ."""

from __future__ import annotations

import numpy as np

from credibly import Predictions, compare, evaluate

MEASURES = ("balanced_accuracy", "g_mean", "macro_class_error", "kappa", "mcc", "fbeta")
RIGHT = {1: 0.9, 0: 0.92}  # how often a case of a class is labelled right


def labelled(rng, n, prevalence, spread, tilt):
    """Cases whose weights vary, and are ``tilt`` times as large where a label is wrong."""
    truth = (rng.random(n) < prevalence).astype(int)
    wrong = rng.random(n) > np.where(truth, RIGHT[1], RIGHT[0])
    weight = np.exp(spread * rng.normal(size=n)) * np.where(wrong, tilt, 1.0)
    return Predictions.of(
        truth, label=np.where(wrong, 1 - truth, truth), classes=[0, 1], positive=1,
        sample_weight=weight, weight_kind="importance",
    )  # fmt: skip


def coverage(n, prevalence, spread, tilt=1.0, samples=150, seed=11):
    """Return the share of samples in which the interval of each measure holds the value of the population."""
    many = labelled(np.random.default_rng([seed, 0]), 400_000, prevalence, 0.0, tilt)
    truths = {e.measure: e.value for e in evaluate(many, MEASURES, interval="none").estimates}
    held = dict.fromkeys(MEASURES, 0.0)
    drawn = 0
    for sample in range(samples):
        p = labelled(np.random.default_rng([seed, sample + 1]), n, prevalence, spread, tilt)
        if np.bincount(p.truth, minlength=2).min() < 2:
            continue
        drawn += 1
        for e in evaluate(p, MEASURES).estimates:
            held[e.measure] += e.interval is not None and (
                e.interval.low <= truths[e.measure] <= e.interval.high
            )
    return {name: count / drawn for name, count in held.items()}


def coverage_of_share(positives, right, spread, tilt=1.0, samples=400, seed=13):
    """Return how often the interval of the recall of so many positive cases holds that of the population.

    Weights are ``tilt`` times as large where a label is wrong.
    """
    true = right / (right + (1 - right) * tilt)
    held = 0
    for sample in range(samples):
        rng = np.random.default_rng([seed, sample])
        wrong = rng.random(positives) > right
        weight = np.exp(spread * rng.normal(size=positives)) * np.where(wrong, tilt, 1.0)
        p = Predictions.of(
            [1] * positives, label=1 - wrong.astype(int), classes=[0, 1], positive=1,
            sample_weight=weight, weight_kind="importance",
        )  # fmt: skip
        made = evaluate(p, "recall").estimates[0].interval
        held += made is not None and made.low <= true <= made.high
    return held / samples


def false_alarms(n, prevalence, samples=200, seed=12, measure="discrimination_slope"):
    """Return the share of samples in which two models that are equal in the population are told apart."""
    alarms, drawn = 0, 0
    for sample in range(samples):
        rng = np.random.default_rng([seed, sample])
        truth = (rng.random(n) < prevalence).astype(int)
        shared = rng.normal(size=n)
        scores = [2 * truth + np.sqrt(0.5) * (shared + rng.normal(size=n)) for _ in range(2)]
        if truth.sum() < 2:
            continue
        odds = np.log(prevalence / (1 - prevalence))
        models = [
            Predictions.of(truth, probability=1 / (1 + np.exp(2 - odds - 2 * s)), positive=1)
            for s in scores
        ]
        drawn += 1
        alarms += compare(*models, measure).pvalue < 0.05
    return alarms / drawn
