"""Gates: pass, fail or undecided, with the stated error, however often they are looked at."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import credibly
from credibly import (
    GateError,
    ParameterError,
    Predictions,
    benchmarks,
    compare,
    flips,
    gate,
    save,
)
from credibly.cli import main
from credibly.comparisons.sequences import betting_limits, in_units, mixture_quantile

OLD = np.arange(400) % 5 > 0


def models(flipped, **more):
    """A candidate that passes what the baseline does but for the first so many cases."""
    new = OLD.copy()
    new[:flipped] = False
    return Predictions.of(outcome={"new": new, "old": OLD}, **more)


def test_three_verdicts_by_the_bounds():
    found = {n: gate(models(n), margin=0.03) for n in (0, 12, 60)}
    assert [g.verdict for g in found.values()] == ["pass", "undecided", "fail"]
    assert [g.exit_code for g in found.values()] == [0, 4, 3]
    for g in found.values():
        assert g.low <= g.difference <= g.high
        assert g.sentence.lower().startswith(g.verdict)
    assert found[12].needed > 400
    assert (found[60].flips.n_lost, found[60].flips.n_gained) == (48, 0)


def test_lower_may_be_better():
    rng = np.random.default_rng(1)
    old = rng.exponential(size=500)
    p = Predictions.of(outcome={"new": 0.9 * old, "old": old}, better="lower")
    assert gate(p, margin=0.0).verdict == "pass"
    q = Predictions.of(outcome={"new": 1.3 * old, "old": old}, better="lower")
    assert gate(q, margin=0.05).verdict == "fail"


def test_any_measure_of_ordinary_predictions():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 600)
    a, b = (Predictions.of(y, score=y + rng.normal(size=600)) for _ in range(2))
    assert gate(a, b, "auc", margin=0.2).verdict == "pass"
    assert gate(a, measure="auc", against=0.95).verdict == "fail"
    labels = {
        n: Predictions.of(y, label=np.where(rng.random(600) < e, 1 - y, y))
        for n, e in (("new", 0.1), ("old", 0.3))
    }
    found = gate(labels, margin=0)
    assert (found.measure, found.verdict, found.direction) == ("error_rate", "pass", "lower")


ORDERED = {
    "compare": (compare, lambda found: (found["names"], found["difference"])),
    "gate": (gate, lambda found: (found["names"], found["difference"])),
    "flips": (
        flips,
        lambda found: (found["names"], sum([*found["gains"], *found["losses"]]) / 400),
    ),
    "benchmarks": (
        benchmarks,
        lambda found: (
            [found["overall"][0]["model"], found["overall"][0]["against"]],
            found["overall"][0]["difference"],
        ),
    ),
}


@pytest.mark.parametrize("verb", ORDERED)
def test_every_verb_takes_the_new_model_first_or_is_told_the_other(verb, tmp_path, capsys):
    function, told = ORDERED[verb]
    both = models(60, columns={"task": np.arange(400) % 2})
    turned = {name: both.where(model=name) for name in ("old", "new")}
    expected = (["new", "old"], pytest.approx(-0.12))
    assert told(json.loads(function(both).to_json())) == expected
    assert told(json.loads(function(turned, against="old").to_json())) == expected
    with pytest.raises(ParameterError, match="against='nobody' is not one of the models"):
        function(both, against="nobody")
    for name, p in turned.items():
        save(p, tmp_path / f"{name}.csv")
    new, old = (str(tmp_path / f"{name}.csv") for name in ("new", "old"))
    for words in ([new, old], [new, "--against", old], [old, new, "--against", "old"]):
        assert main([verb, *words, "--json"]) in {0, 3}
        assert told(json.loads(capsys.readouterr().out)) == expected


def test_nothing_is_decided_without_a_direction_or_two_models():
    with pytest.raises(ParameterError, match="a higher or a lower mean outcome is better"):
        gate(Predictions.of(outcome={"a": [0.1, 0.5], "b": [0.2, 0.3]}), margin=0.1)
    with pytest.raises(ParameterError, match="candidate and a baseline"):
        gate(Predictions.of(outcome=[True, False]))
    with pytest.raises(ParameterError, match="margin"):
        gate(models(3), margin=-1)
    with pytest.raises(ParameterError, match="set one of them"):
        gate(Predictions.of(outcome=[1]), Predictions.of(outcome=[1]), against=0.5)


def test_equal_models_pass_once_there_are_enough_cases():
    few, many = (
        Predictions.of(outcome={"a": x, "b": x}, better="higher", bounds=(0, 1))
        for x in (np.linspace(0, 0.9, 10), np.linspace(0, 0.9, 1000))
    )
    assert gate(few, margin=0.05).verdict == "undecided"
    assert gate(many, margin=0.05).verdict == "pass"
    endless = Predictions.of(outcome={"a": [1.5, 2.5], "b": [1.5, 2.5]}, better="higher")
    assert gate(endless, margin=0.05).verdict == "undecided"


def slow_wealth(differences, value, ends):
    """The mean wealth of bettors that stake 1, 1/2, 1/4 ... of what can be lost, case by case."""
    stakes = [0.5**j / (ends[1] - ends[0]) for j in range(10)]
    each, most = [1.0] * 10, 0.0
    for d in differences:
        each = [w * (1 + s * (d - value)) for w, s in zip(each, stakes, strict=True)]
        most = max(most, sum(each) / 10)
    return most


def test_limits_by_betting_are_where_wealth_reaches_its_bound():
    d = np.random.default_rng(3).choice([-1.0, 0, 0, 0, 1, 1], 200)
    low, high = betting_limits(d, np.ones(200), (-1, 1), 0.05)
    assert slow_wealth(d, low, (-1, 1)) == pytest.approx(20, rel=1e-9)
    assert slow_wealth(-d, -high, (-1, 1)) == pytest.approx(20, rel=1e-9)
    assert low < d.mean() < high


def test_groups_are_staked_as_they_come():
    p = Predictions.of(outcome=[1, 0, 1, 1, 0], group=["x", "x", "y", "x", "y"])
    sums, sizes = in_units(p.outcome, p)
    assert (sums.tolist(), sizes.tolist()) == ([2, 1], [3, 2])


def test_a_bound_for_every_look_is_wider_than_for_one():
    assert 1.645 < mixture_quantile(1000, 0.05) < mixture_quantile(100, 0.05)
    p = models(3)
    assert gate(p, margin=0.05, sequential=True).low < gate(p, margin=0.05).low


def releases(rng, n, rate, lost, gained):
    old = rng.random(n) < rate
    u = rng.random(n)
    return np.where(old, u >= lost / rate, u < gained / (1 - rate)), old


@pytest.mark.parametrize(("sequential", "looks"), [(False, 1), (True, 10)])
@pytest.mark.thorough
def test_false_passes_are_as_rare_as_stated(sequential, looks):
    """Candidates that are worse by exactly the margin; the slow simulation has a thousand of them."""
    assert (
        false_passes(60, sequential=sequential, looks=looks) <= 7
    )  # of 3 expected: 1 in 1,000 more


@pytest.mark.slow
@pytest.mark.parametrize("sequential", [False, True])
def test_false_passes_of_a_thousand_releases(sequential):
    """By betting, whatever passed at an earlier look still passes at the last one."""
    assert false_passes(1000, sequential=sequential, looks=1) <= 66  # of 50: 1 in 100 more


def test_limits_by_betting_only_close_in_as_cases_come():
    d = np.random.default_rng(4).choice([-1.0, 0, 0, 0, 1, 1], 300)
    found = [betting_limits(d[:k], np.ones(k), (-1, 1), 0.05) for k in range(30, 301, 30)]
    assert (np.diff([low for low, _ in found]) >= 0).all()
    assert (np.diff([high for _, high in found]) <= 0).all()


def false_passes(samples, *, sequential, looks, n=400, margin=0.04):
    rng, count = np.random.default_rng(7), 0
    for _ in range(samples):
        new, old = releases(rng, n, 0.8, 0.07, 0.03)
        ends = np.linspace(n / looks, n, looks).astype(int)
        verdicts = (
            gate(
                Predictions.of(outcome={"new": new[:k], "old": old[:k]}, better="higher"),
                margin=margin,
                sequential=sequential,
            ).verdict
            for k in ends
        )
        count += "pass" in verdicts
    return count


def test_what_continuous_integration_reads(tmp_path, capsys, monkeypatch):
    p = models(12)
    files = [str(save(p.where(model=m), tmp_path / f"{m}.jsonl")) for m in ("new", "old")]
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    codes = {}
    for margin in ("0.2", "0.03", "0.0001"):
        junit = tmp_path / f"{margin}.xml"
        codes[margin] = main(
            ["gate", *files, "--margin", margin, "--junit", str(junit), "--step-summary"]
        )
        suite = ET.parse(junit).getroot()
        found = suite.find("testcase")
        assert suite.get("tests") == "1"
        kind = {0: "system-out", 3: "failure", 4: "skipped"}[codes[margin]]
        assert found.find(kind) is not None
    assert list(codes.values()) == [0, 4, 3]
    assert summary.read_text().count("**") == 6
    capsys.readouterr()
    assert main(["gate", files[0], "--margin", "0.1"]) == 2


def test_a_test_of_pytest_fails_with_the_sentence():
    gate(models(0), margin=0.03).require()
    with pytest.raises(GateError, match="Fail: new is worse than old in pass rate"):
        gate(models(60), margin=0.03).require()
    undecided = gate(models(12), margin=0.03)
    with pytest.raises(GateError, match="with 80 % power"):
        undecided.require()
    undecided.require(undecided="pass")
    with pytest.raises(pytest.skip.Exception, match="Undecided"):
        undecided.require(undecided="skip")


def test_flips_name_the_cases_by_the_size_of_what_changed():
    p = Predictions.of(
        outcome={"new": [0.9, 0.2, 0.5, 0.4], "old": [0.4, 0.4, 0.5, 0.3]},
        better="higher",
        row=list("wxyz"),
    )
    found = flips(p)
    assert (found.gained, found.lost, found.same) == (("w", "z"), ("x",), 1)
    lower = flips(Predictions.of(outcome={"new": [2.0, 1.0], "old": [1.0, 2.0]}, better="lower"))
    assert (lower.gained, lower.lost) == ((1,), (0,))
    again = Predictions.of(
        outcome={"new": [1, 0, 1, 1], "old": [1, 1, 1, 1]},
        row=[0, 0, 1, 1],
        repeat=[0, 1, 0, 1],
        better="higher",
    )
    assert flips(again).lost == (0,)
    unknown = flips(Predictions.of(outcome={"a": [0.5, 2.0], "b": [1.0, 1.5]}))
    assert "no-direction" in {f.code for f in unknown.findings}


def test_limits_of_few_flips_leave_half_a_case_to_spare():
    new, old = [1] * 90 + [0] * 10, [1] * 85 + [0] * 15
    p = Predictions.of(outcome={"new": new, "old": old})
    plain = compare(p, alternative="greater").confidence_interval
    found = gate(p).limits
    assert found.low < plain.low < plain.high < found.high
    assert found.method == "Tango, continuity corrected"


def test_skewed_differences_move_the_limit_on_their_side_and_are_named():
    rng = np.random.default_rng(2)
    old = rng.normal(0, 0.01, 100)
    loss = np.where(np.arange(100) < 4, -2.0, 0.1) + rng.normal(0, 0.01, 100)
    p = Predictions.of(outcome={"new": old + loss, "old": old}, better="higher")
    plain, found = compare(p, alternative="greater").confidence_interval, gate(p)
    assert found.limits.low < plain.low - 0.02
    assert found.limits.high == pytest.approx(plain.high)
    assert "skewed-differences" in {f.code for f in found.findings}
    even = gate(
        Predictions.of(outcome={"new": old + rng.normal(size=100), "old": old}, better="higher")
    )
    assert "skewed-differences" not in {f.code for f in even.findings}


def test_no_limits_hold_at_every_look_where_losses_may_be_of_any_size():
    rng = np.random.default_rng(2)
    old = rng.normal(size=200).clip(-3, 3)
    outcomes = {"new": old + rng.uniform(0, 0.2, 200), "old": old}
    found = gate(Predictions.of(outcome=outcomes, better="higher"), margin=1.0, sequential=True)
    assert (found.verdict, found.limits) == ("undecided", None)
    assert "any size" in found.sentence
    assert "bounds=" in str(next(f for f in found.findings if f.code == "no-ends"))
    ends = Predictions.of(outcome=outcomes, better="higher", bounds=(-4, 4))
    assert gate(ends, margin=1.0, sequential=True).limits.method == "betting"


def test_limits_of_areas_near_one_reach_further_down():
    rng = np.random.default_rng(5)
    y = np.arange(300) % 5 == 0
    new, old = (Predictions.of(y.astype(int), score=rng.normal(2.6 * y, 1)) for _ in range(2))
    plain = compare(new, old, "auc", alternative="greater").confidence_interval
    found = gate(new, old, "auc", margin=0.02)
    assert found.low < plain.low
    each = [credibly.evaluate(p, "auc", confidence_level=0.9)["auc"] for p in (new, old)]
    apart = (each[0].value - each[0].interval.low, each[1].interval.high - each[1].value)
    assert found.low >= found.difference - sum(apart)


def test_limits_for_many_cases_wait_until_the_variance_is_known():
    rng = np.random.default_rng(2)
    for n, decided in ((60, False), (600, True)):
        y = np.arange(n) % 2
        new, old = (Predictions.of(y, score=y + rng.normal(size=n)) for _ in range(2))
        found = gate(new, old, "auc", margin=0.2, sequential=True)
        assert (found.limits is not None) == decided
        assert ("few-looked-at" in {f.code for f in found.findings}) != decided


def test_cases_that_all_differ_alike_leave_room_for_others_as_rare_as_an_error():
    old = np.linspace(0, 0.8, 60)
    models = {"new": old - 0.05, "old": old}
    found = gate(Predictions.of(outcome=models, better="higher", bounds=(-1, 1)), margin=0.2)
    share = 1 - 0.05 ** (1 / 60)
    assert found.limits.low == pytest.approx(-0.05 + share * (-2 + 0.05))
    assert found.limits.high == pytest.approx(-0.05 + share * (2 + 0.05))
    assert found.verdict == "pass"
    close = gate(Predictions.of(outcome=models, better="higher", bounds=(-1, 1)), margin=0.1)
    assert close.verdict == "undecided"
    assert 60 < close.needed < 150
    endless = gate(Predictions.of(outcome=models, better="higher"), margin=0.2)
    assert endless.verdict == "undecided"
    assert {f.code for f in endless.findings} == {"differ-alike"}
    assert "bounds=" in str(endless)
    assert "test=" not in str(endless)  # which a gate does not take


def test_losses_too_rare_to_be_seen_are_allowed_for():
    """A twentieth of all cases is missing from one sample of 40 in eight: limits must not depend on what was not seen."""
    rng = np.random.default_rng(4)
    old = rng.normal(size=40)
    new = old + 0.05 + 0.3 * rng.normal(size=40)
    found = gate(Predictions.of(outcome={"new": new, "old": old}, better="higher"), margin=0.1)
    share = 1 - 0.05 ** (1 / 40)
    worst = min(new.min(), old.min()) - old.mean()
    assert found.limits.low == pytest.approx((1 - share) * found.difference + share * worst)
    assert found.verdict == "undecided"
    assert "rare-losses-not-seen" in {f.code for f in found.findings}
    many = Predictions.of(outcome={"new": np.tile(new, 25), "old": np.tile(old, 25)}, better="higher")  # fmt: skip
    assert "rare-losses-not-seen" not in {f.code for f in gate(many, margin=0.1).findings}


def test_an_area_of_several_folds_is_that_of_all_cases():
    rng = np.random.default_rng(3)
    truth, fold = rng.integers(0, 2, 200), np.arange(200) % 5
    given = {"fold": fold, "row": np.arange(200), "n_train": np.full(200, 160)}
    models = {
        name: Predictions.of(truth, score=truth + noise * rng.normal(size=200), **given)
        for name, noise in (("new", 0.5), ("old", 1.0))
    }
    found = gate(models, measure="auc", margin=0.1)
    assert found.verdict == "pass"
    assert found.limits is not None


def test_flips_count_cases_as_repeated_rows_do():
    rng = np.random.default_rng(5)
    truth, new, old = rng.integers(0, 2, (3, 30))
    times = rng.integers(0, 4, 30)

    def found(rows, **weights):
        both = {"new": new[rows], "old": old[rows]}
        made = {
            name: Predictions.of(truth[rows], label=label, **weights)
            for name, label in both.items()
        }
        each = flips(made, measure="accuracy")
        return each.n_gained, each.n_lost, each.same

    weighted = found(slice(None), sample_weight=times, weight_kind="frequency")
    assert weighted == found(np.repeat(np.arange(30), times))
    assert sum(weighted) == times.sum()
