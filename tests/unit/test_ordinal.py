"""Ordered classes: distances between classes, against the mean absolute error of their numbers."""

import numpy as np
import pytest

from credibly import Predictions, evaluate

PLACE = np.arange(200)
TRUTH = (PLACE * 7 + PLACE // 9) % 5
LABEL = np.clip(TRUTH + (PLACE * 13 + PLACE // 4) % 5 - 2, 0, 4)
# scikit-learn 1.9.1: mean_absolute_error of the numbers, its mean over classes, and cohen_kappa_score.
SKLEARN = {
    "class_error": 0.865,
    "macro_class_error": 0.868220762976861,
    "within_one": 0.76,
    "kappa(weights='linear')": 0.477215036866916,
}


@pytest.mark.parametrize("measure", SKLEARN)
def test_distances_are_those_of_numbers(measure):
    found = evaluate(Predictions.of(TRUTH, label=LABEL), measure).estimates[0]
    assert found.value == pytest.approx(SKLEARN[measure], abs=1e-12)
    assert found.value in found.interval


def test_the_order_is_that_of_the_classes():
    names = np.array(["none", "mild", "moderate", "severe", "fatal"])
    p = Predictions.of(names[TRUTH], label=names[LABEL], classes=list(names))
    assert evaluate(p, "class_error").estimates[0].value == pytest.approx(SKLEARN["class_error"])
    sorted_by_name = Predictions.of(names[TRUTH], label=names[LABEL])
    assert evaluate(sorted_by_name, "class_error").estimates[0].value != pytest.approx(
        SKLEARN["class_error"]
    )


def test_a_case_without_a_label_lies_as_far_off_as_it_can():
    p = Predictions.of([1, 2, 3, 3], label=[1, 2, None, 3])
    assert evaluate(p, "class_error").estimates[0].value == 0.5
    assert evaluate(p, "within_one").estimates[0].value == 0.75
