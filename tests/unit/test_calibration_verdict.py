"""Whether probabilities are calibrated is decided once: every door gives the same verdict."""

import re

import numpy as np
import pytest

from credibly import Predictions, calibration, check, decide, report
from credibly.calibration import calibration_verdict, class_calibration
from simulation.calibration import foretold

THREE = np.random.default_rng(5).dirichlet([1, 1, 1], 900)


def of_three(risks):
    """What happens by some risks, foretold by others."""
    drawn = np.random.default_rng(1).random(len(risks))[:, None] > risks.cumsum(axis=1)
    truth = drawn[:, :-1].sum(axis=1)
    return Predictions.of(truth, probability=THREE, classes=[0, 1, 2])


def slightly_off(n=400_000):
    z = np.sort(np.random.default_rng(2).normal(0, 1.5, n))
    happened = np.random.default_rng(3).random(n) < 1 / (1 + np.exp(-1.04 * z))
    return Predictions.of(happened.astype(int), probability=1 / (1 + np.exp(-z)))


def others_swapped():
    """The top label is right as often as it says; the other classes have each other's probabilities."""
    risks = THREE.copy()
    for row in risks:
        low, middle, _ = row.argsort()
        row[[low, middle]] = row[[middle, low]]
    return of_three(risks)


def without_digits(sentence):
    """Numbers beside a table have the digits of its column."""
    return re.sub(r"\d+\.\d+", "#", str(sentence))


GIVEN = {
    "calibrated": foretold(1500, 0.2, "calibrated", np.random.default_rng(5)),
    "S": foretold(1500, 0.2, "S", np.random.default_rng(5)),
    "nearly": slightly_off(),
    "three calibrated": of_three(THREE),
    "three off": of_three(THREE**3 / (THREE**3).sum(axis=1, keepdims=True)),
}


@pytest.mark.parametrize("name", GIVEN)
def test_every_door_gives_the_verdict(name):
    p = GIVEN[name]
    verdict, found, checked = calibration_verdict(p), calibration(p), check(p)["miscalibrated"]
    assert verdict.miscalibrated == (name in {"S", "three off"})
    assert without_digits(found.meaning()) == without_digits(verdict)
    assert checked.message == str(verdict)
    assert found.to_dict()["miscalibrated"] == checked.fired == verdict.miscalibrated
    assert ("are not calibrated" in str(verdict)) == verdict.miscalibrated
    assert ("nearly calibrated" in str(verdict)) == (name == "nearly")
    assert ("are not calibrated" in report(p).markdown()) == verdict.miscalibrated


def test_classes_are_also_judged_jointly():
    p = others_swapped()
    joint = class_calibration(p).verdict
    assert not calibration(p).verdict.miscalibrated
    assert joint.miscalibrated
    assert calibration_verdict(p) == joint
    assert check(p)["miscalibrated"].message == str(joint)


def test_a_threshold_by_theory_is_doubted_where_another_one_is_cheaper_in_fact():
    costs = {"fn": 5, "fp": 1}
    said = {name: {f.code: f for f in decide(GIVEN[name], costs).all_findings()} for name in GIVEN if "three" not in name}  # fmt: skip
    assert "believed-probabilities" in said["S"]
    assert calibration_verdict(GIVEN["S"]).how in said["S"]["believed-probabilities"].message
    for name in ("calibrated", "nearly"):
        assert not {"believed-probabilities", "believed-without-loss"} & said[name].keys()


def test_one_improbable_event_does_not_overturn_a_calibrated_model():
    """The normal law gives it a p-value of 1e-23; of ten thousand such cases, one event is no surprise."""
    p = np.full(10_000, 1e-4)
    truth = np.zeros(p.size, int)
    truth[0] = 1
    odd = Predictions.of(np.r_[truth, 0, 1, 0, 1], probability=np.r_[p, 0.5, 0.5, 0.5, 0.5])
    rare = Predictions.of(np.r_[truth, 0, 1], probability=np.r_[p / 100, 0.5, 0.5])
    tests = {t.test: t for t in calibration(rare).tests}
    assert tests["standardised_residuals"].pvalue < 1e-20
    assert tests["standardised_residuals"].parameters["pvalue_for_few_events"] > 0.001
    assert not calibration_verdict(odd).miscalibrated
    assert not calibration_verdict(rare).miscalibrated


@pytest.mark.parametrize("least", [1e-300, 5e-324, 1e-160])
def test_probabilities_next_to_nothing_are_judged_at_every_door(least):
    truth, p = [0] * 500 + [1], np.full(501, least)
    for given in (Predictions.of(truth, probability=p), Predictions.of(truth, probability=1 - p)):
        assert calibration_verdict(given).miscalibrated
        assert check(given)["miscalibrated"].fired
        assert "not calibrated" in calibration(given).meaning()
        assert class_calibration(given).meaning()
        assert decide(given, {"fn": 5, "fp": 1}).table


def test_two_cases_are_judged_as_far_as_they_can_be():
    assert class_calibration(Predictions.of([1, 0], probability=[0.3, 0.2])).tests


@pytest.mark.parametrize("certain", [(60, 40), (50, 50)])
def test_a_single_doubt_among_certainties_is_judged_at_every_door(certain):
    """The squared gap of one case of 1/2 is the same whatever occurs: it has no spread to allow for."""
    truth = np.repeat([0, 1], certain)
    p = truth.astype(float)
    p[3] = 0.5
    given = Predictions.of(truth, probability=p)
    test = next(t for t in calibration(given).tests if t.test == "hosmer_lemeshow")
    assert test.parameters["pvalue_for_few_events"] == 1
    assert not check(given)["miscalibrated"].fired
    assert "calibrat" in report(given).markdown()
    assert decide(given, {"fn": 5, "fp": 1}).table


@pytest.mark.parametrize(
    ("truth", "probability", "said"),
    [
        ([0, 0, 0], [1.0, 1.0, 1.0], "too high on average (predicted minus observed 1)"),
        ([1, 1], [0.5, 0.5], "too low on average (predicted minus observed -0.5)"),
        ([1, 1], [1.0, 1.0], "about right on average (predicted minus observed 0)"),
    ],
)
def test_without_an_interval_only_no_gap_is_about_right(truth, probability, said):
    found = calibration(Predictions.of(truth, probability=probability, classes=[0, 1]))
    assert found.table.where(measure="calibration_in_the_large")[0].interval is None
    assert f" {said}" in found.meaning()


def test_probabilities_of_the_other_class_are_reversed_not_extreme():
    p = GIVEN["calibrated"]
    other = Predictions.of(p.truth, probability=1 - p.probabilities_of(1), classes=[0, 1])
    found = calibration(other)
    for said in (found.meaning(), check(other)["miscalibrated"].message):
        assert "reversed: larger probabilities go with the other class (calibration slope -" in said
        assert "extreme" not in said
    (told,) = [f for f in found.findings if f.code == "other-class"]
    assert "Larger scores go with 0, clearly" in told.message
    assert "positive=" in told.action
    assert "other-class" not in {f.code for f in calibration(p).findings}


def test_a_top_label_that_is_right_less_often_the_surer_it_is():
    sure = np.random.default_rng(6).uniform(0.4, 0.9, 900)
    rest = (1 - sure) / 2
    drawn = np.random.default_rng(7).random(900)
    truth = np.where(drawn < 1.3 - sure, 0, 1)
    p = Predictions.of(truth, probability=np.c_[sure, rest, rest], classes=[0, 1, 2])
    found = calibration(p)
    assert "reversed: the larger they are, the less often that class is right" in found.meaning()
    assert "other-class" not in {f.code for f in found.findings}
