"""Every check fires where it should, stays silent at a near miss, and knows where it does not apply."""

import json
from dataclasses import replace

import numpy as np
import pytest

import credibly
from checks.cases import CASES, NOTHING, PLAIN, case, flipped, labels, models
from credibly import Finding, ParameterError, Predictions
from credibly.checks import checks
from credibly.checks._declare import STATUSES
from credibly.predictions.parts import as_given

NAMES = [c.name for c in checks]


def answer(name, of):
    return credibly.check(of.predictions, **of.known)[name]


def test_few_errors_are_seen_of_every_model_and_named():
    truth = [1, 0] * 40
    good = [*truth[:-3], *(1 - t for t in truth[-3:])]
    bad = [*truth[:-20], *(1 - t for t in truth[-20:])]
    for given in ({"bad": bad, "good": good}, {"good": good, "bad": bad}):
        found = credibly.check(credibly.Predictions.of(truth, given))["few-cases"]
        assert found.status == "caution"
        assert found.message == "Error rates are based on few errors: good (3)."


def test_every_check_has_its_three_cases():
    assert len(checks) >= 25
    CASES.check_complete(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_fires(name):
    found = answer(name, CASES[name][0])
    assert found.status == checks[name].severity, found.message
    assert found.action == checks[name].action
    assert found.finding() == Finding(name, found.status, found.message, found.action)


def test_the_winners_curse_has_the_value_that_allows_for_the_choice():
    p = models(*[flipped(30 + i % 3, i) for i in range(6)])
    found = answer("winners-curse", case(p, measure="accuracy"))
    best = credibly.best_of(p, "accuracy", rng=1)
    told = json.loads(found.to_json())["data"]
    assert (told["chosen"], told["naive"], told["corrected"]) == (
        best.chosen, best.naive.value, best.corrected.value,
    )  # fmt: skip
    assert told["low"] < told["corrected"] < told["high"]
    assert found.finding().to_dict()["data"]["corrected"] == best.corrected.value
    assert best.meaning() in found.message


def test_a_winner_of_models_that_cannot_be_chosen_by_the_measure_is_still_doubted():
    p = models(*[flipped(10, i) for i in range(4)])
    found = answer("winners-curse", case(p, measure="auc"))
    assert found.status == "caution"
    assert not found.data
    assert "data" not in json.loads(found.to_json())


@pytest.mark.parametrize("name", NAMES)
def test_a_near_miss_does_not_fire(name):
    found = answer(name, CASES[name][1])
    assert found.status == "passed", found.message
    assert found.action == ""


@pytest.mark.parametrize("name", NAMES)
def test_knows_where_it_does_not_apply(name):
    assert answer(name, CASES[name][2]).status == "not applicable"


@pytest.mark.parametrize("c", list(checks), ids=lambda c: c.name)
def test_is_described_in_sentences(c):
    assert c.doc.split("\n")[0].endswith(".")
    assert c.action.endswith(".")
    assert c.title[0].isupper()
    for each in CASES[c.name]:
        said = answer(c.name, each).message
        assert said.endswith((".", "no"))
        assert said[0].isupper() or said[0] in "'0123456789"


def test_nothing_is_asked_where_no_truth_is_known():
    assert {r.status for r in credibly.check(NOTHING.predictions).results} == {"not applicable"}


@pytest.mark.parametrize("of", [c for three in CASES.values() for c in three])
def test_every_check_answers_about_every_case(of):
    """Whatever a check is not about must not break it."""
    found = credibly.check(of.predictions, **of.known)
    assert len(found) == len(checks)
    ranks = [STATUSES.index(r.status) for r in found.results]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize("of", [c for three in CASES.values() for c in three])
def test_a_row_of_no_weight_is_no_case_for_any_check(of):
    """Rows that count once and others that do not count are the former alone."""
    p = as_given(of.predictions)
    known = {k: v for k, v in of.known.items() if k not in {"training", "features"}}
    kept = np.arange(p.n) % 4 > 0
    both = [
        replace(q, weight=weight * 1.0, weight_kind="frequency", cache={})
        for q, weight in ((p, kept), (p.take(kept), kept[kept]))
    ]
    one, other = (
        {r.code: (r.status, r.message) for r in credibly.check(q, **known).results} for q in both
    )
    for code in ("training-rows", "paired-on-unpaired"):  # about all rows that were given
        one[code] = other[code]
    assert one == other


def test_predictions_are_left_as_they_are():
    before = PLAIN.predictions.fingerprint
    credibly.check(PLAIN.predictions)
    assert PLAIN.predictions.fingerprint == before


def test_a_checklist_can_be_read_in_every_way():
    found = credibly.check(labels(part="train"))
    assert found["training-rows"].fired
    assert found.fired[0].code == "training-rows"
    assert str(found).splitlines()[2].startswith("  problem: 100 rows of 100")
    read = json.loads(found.to_json())
    assert read["schema_version"] == 1
    assert read["counts"]["problem"] == sum(c["status"] == "problem" for c in read["checks"])
    assert list(found.frame()["code"]) == [r.code for r in found.results]
    with pytest.raises(KeyError, match="Did you mean training-rows"):
        found["training-row"]
    with pytest.raises(TypeError):
        iter(found)


def test_what_a_check_says_is_not_said_twice():
    found = credibly.check(labels(part="train"))
    others = [Finding(code, "note", "x") for code in ("resubstitution", "undefined", "undefined")]
    assert [f.code for f in found.unsaid(others)] == ["undefined"]


def test_same_as_names_findings_that_exist():
    from pathlib import Path

    source = "".join(p.read_text() for p in Path(credibly.__file__).parent.rglob("*.py"))
    for c in checks:
        for code in c.same_as:
            assert source.count(f'"{code}"') > 1, code


def test_repeats_are_not_taken_for_more_cases():
    truth = np.r_[np.ones(5, int), np.zeros(15, int)]
    p = Predictions.of(
        np.tile(truth, 10), label=np.zeros(200, int),
        row=np.tile(np.arange(20), 10), repeat=np.repeat(np.arange(10), 20),
    )  # fmt: skip
    assert "1 (5)" in credibly.check(p)["few-cases"].message


def test_the_size_needed_is_that_of_mcnemars_test():
    """Models that never err on the same case: (1.96 sqrt(s) + 0.84 sqrt(s - d^2))^2 / d^2, s = 0.3, d = 0.1."""
    p = models(flipped(20), flipped(10, 50))
    said = credibly.check(p, difference=0.1)["too-small-for-difference"].message
    needed = (1.959964 * 0.3**0.5 + 0.841621 * 0.29**0.5) ** 2 / 0.01
    assert f"about {int(needed) + 1:,} cases; there are 100" in said


def test_unknown_facts_are_refused():
    with pytest.raises(TypeError, match="prevalance"):
        credibly.check(labels(), prevalance=0.1)
    with pytest.raises(ParameterError, match="takes Predictions"):
        credibly.check([1, 0])


def test_sizes_are_those_of_cases_and_not_of_rows():
    """A row of frequency 12 is twelve cases, and one of importance 0 is none."""
    truth, label = [1, 0, 1, 0], [1, 0, 0, 1]
    many = Predictions.of(truth, label=label, sample_weight=[12] * 4, weight_kind="frequency")
    assert credibly.check(many)["few-cases"].status == "passed"
    none = Predictions.of(truth * 5, label=label * 5, sample_weight=[1, 0, 1, 1] * 5)
    assert "0 (5)" in credibly.check(none)["few-cases"].message
    assert (
        "there are 48" in credibly.check(many, difference=0.01)["too-small-for-difference"].message
    )
    folds = Predictions.of(
        truth * 3,
        label=label * 3,
        sample_weight=[9] * 12,
        weight_kind="frequency",
        fold=[0] * 4 + [1] * 8,
    )
    assert credibly.check(folds)["classes-rare-in-folds"].status == "passed"
