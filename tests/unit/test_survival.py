"""Times to an event: figures of scikit-survival and lifelines, definitions, influence values, ties, bad input, every verb."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

import credibly
from credibly import DataError, ParameterError, Predictions, check, compare, survival
from credibly._kernels.concordance import before_and_below
from credibly.cli import main
from credibly.errors import MissingColumnError

CASE = np.arange(60)
RISK = np.round(np.sin(CASE * 1.7) + np.cos(CASE * CASE * 0.3), 1)
TIME = np.abs(np.round(5 + 4 * np.sin(CASE * 2.3 + 1) - RISK * 1.2 + np.cos(CASE * 7.1) * 2 + CASE * 0.013, 6)) + 0.5  # fmt: skip
EVENT = (CASE * 7 % 10) < 6
TIMES = np.array([3.0, 5.0, 7.0])
CHANCE = np.exp(-np.outer(np.exp(0.8 * RISK), TIMES) / 10)
WHOLE = np.ceil(TIME)  # with many ties

# scikit-survival 0.28 on these; no two times are equal, where it weighs by G(T) and others by G(T-).
SCORES = {
    "harrell_c": 0.6116774791473587,
    "uno_c": 0.6513507948806504,
    "uno_c(until=6)": 0.5660691230519005,
    "survival_auc(at=3)": 0.5796465283137109,
    "survival_auc(at=5)": 0.5674060772866809,
    "survival_auc(at=7)": 0.6614029146034799,
    "survival_brier(at=3)": 0.204654839213461,
    "survival_brier(at=5)": 0.2770902608758979,
    "survival_brier(at=7)": 0.24718576046561308,
    "ibs": 0.25150528035771746,
}
MORE = ["survival_bias(at=5)", "event_share(at=5)", "survival_net_benefit(threshold=0.3, at=5)"]


def made(time=TIME, rows=slice(None), **more):
    return survival(time[rows], EVENT[rows], risk=RISK[rows], survival=CHANCE[rows], times=TIMES, **more)  # fmt: skip


def value(found, score):
    return float(found.scored(score).outcome.mean())


@pytest.mark.parametrize("score", SCORES)
def test_values_are_those_of_scikit_survival(score):
    assert value(made(), score) == pytest.approx(SCORES[score], rel=1e-9)


def test_tied_times_are_compared_as_in_scikit_survival_and_lifelines():
    assert value(made(WHOLE), "harrell_c") == pytest.approx(0.6147227533460803, rel=1e-12)
    tiny = survival([1, 2, 2, 2, 3, 3, 4, 5], [1, 1, 1, 0, 1, 0, 0, 1], risk=[0.9, 0.7, 0.7, 0.7, 0.5, 0.9, 0.1, 0.1])  # fmt: skip
    assert value(tiny, "harrell_c") == pytest.approx(0.775)  # both packages


def watched(time, event, t, *, strictly):
    """Return Kaplan and Meier's chance of not being censored before a time, or up to it; events leave first."""
    chance = 1.0
    for s in np.unique(time[~event]):
        if s < t or (s == t and not strictly):
            lost = np.sum((time == s) & ~event)
            chance *= 1 - lost / (np.sum(time > s) + lost)
    return chance


def slow_pairs(score, time, event, risk, at):
    """Return a concordance or an area by its definition, pair by pair."""
    power = {"harrell_c": 0, "uno_c": 2, "survival_auc": 1}[score]
    area = score == "survival_auc"
    right, pairs = 0.0, 0.0
    for i in np.flatnonzero(event & (time <= at) if area else event):
        weight = watched(time, event, time[i], strictly=True) ** -power
        for j in range(time.size):
            outlasts = time[j] > time[i] or (time[j] == time[i] and not event[j])
            if time[j] > at if area else outlasts:
                right += weight * ((risk[i] > risk[j]) + 0.5 * (risk[i] == risk[j]))
                pairs += weight
    return right / pairs


def slow_brier(time, event, chance, at):
    """Return the Brier score by its definition, case by case."""
    total = 0.0
    for i in range(time.size):
        if event[i] and time[i] <= at:
            total += chance[i] ** 2 / watched(time, event, time[i], strictly=True)
        elif time[i] > at:
            total += (1 - chance[i]) ** 2 / watched(time, event, at, strictly=False)
    return total / time.size


@pytest.mark.parametrize("score", ["harrell_c", "uno_c", "survival_auc", "survival_brier"])
@pytest.mark.parametrize("at", [3.0, 5.0])
def test_values_follow_their_definitions_with_ties(score, at):
    if score == "survival_brier":
        want = slow_brier(WHOLE, EVENT, CHANCE[:, TIMES.tolist().index(at)], at)
    else:
        want = slow_pairs(score, WHOLE, EVENT, RISK, at)
    asked = f"{score}(at={at})" if score.startswith("survival") else score
    assert value(made(WHOLE), asked) == pytest.approx(want, rel=1e-12)


MEANS = [*MORE, "ibs", *(name for name in SCORES if name.startswith("survival_brier"))]


@pytest.mark.parametrize("score", MEANS)
def test_weighted_means_move_as_if_each_case_were_left_out(score):
    found = made(WHOLE).scored(score).outcome
    left = np.array([value(made(WHOLE, np.delete(CASE, k)), score) for k in CASE])
    assert_allclose(found, found.mean() - 59 * (left - left.mean()), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("score", [*SCORES, *MORE])
def test_scores_of_many_cases_are_influence_values_through_the_censoring_weights_too(score):
    often = 80  # of each case, of which one is added and taken away
    base = np.repeat(CASE, often)
    found = made(WHOLE, base).scored(score).outcome
    for k in (0, 7, 22, 41):
        more = value(made(WHOLE, np.append(base, k)), score)
        less = value(made(WHOLE, np.delete(base, k * often)), score)
        want = (more - less) / 2 * often * CASE.size
        assert found[k * often] - found.mean() == pytest.approx(want, abs=3 / base.size)


@pytest.mark.parametrize("score", ["uno_c", "survival_brier(at=5)", "survival_auc(at=5)"])
def test_standard_errors_are_close_to_the_jackknife_of_the_whole(score):
    left = np.array([value(made(rows=np.delete(CASE, k)), score) for k in CASE])
    jackknife = np.sqrt(59 / 60 * ((left - left.mean()) ** 2).sum())
    (e,) = made().table(score)
    assert e.standard_error == pytest.approx(jackknife, rel=0.1)


COUNTS = CASE * 5 % 4  # 0 to 3
WEIGHTED = {"of repeated rows": {"rows": np.repeat(CASE, COUNTS)}, "of frequencies": {"sample_weight": COUNTS, "weight_kind": "frequency"}}  # fmt: skip


@pytest.mark.parametrize("score", [*SCORES, *MORE])
def test_frequencies_are_repeated_rows(score):
    (e,), (other,) = (made(WHOLE, **k).table(score) for k in WEIGHTED.values())
    assert e.value == pytest.approx(other.value, rel=1e-12)
    assert tuple(e.interval) == pytest.approx(tuple(other.interval), rel=1e-9)


def test_what_stands_beside_scores_takes_frequencies_too():
    repeated, counted = (made(WHOLE, **k) for k in WEIGHTED.values())
    assert repeated.horizon == counted.horizon
    assert (
        survival(
            WHOLE[np.repeat(CASE, COUNTS)],
            EVENT[np.repeat(CASE, COUNTS)],
            risk=RISK[np.repeat(CASE, COUNTS)],
        ).horizon
        == survival(WHOLE, EVENT, risk=RISK, sample_weight=COUNTS).horizon
    )
    for show in (
        lambda s: [(g.n, g.predicted, g.observed) for g in s.calibration(at=5, groups=4).groups],
        lambda s: [e.value for e in s.decision_curve(at=5, thresholds=[0.2, 0.5]).estimates],
        lambda s: [e.value for e in s.by_time("survival_auc").estimates],
    ):
        assert_allclose(show(repeated), show(counted), rtol=1e-12)


@pytest.mark.parametrize("score", [*SCORES, *MORE])
def test_weighted_scores_are_the_derivative_by_the_weight(score):
    rng = np.random.default_rng(1)
    weight, step = rng.exponential(1, 60).repeat(60), 1e-4
    rows = np.tile(CASE, 60)  # so that leaving out one case is as good as a derivative
    weight = np.resize(weight, rows.size)
    p = made(WHOLE, rows, sample_weight=weight).scored(score)
    total = weight.sum()
    mean = float(np.average(p.outcome, weights=weight))
    for k in (1, 9, 22):
        moved = [weighted_value(made(WHOLE, rows, sample_weight=weight + d * (np.arange(rows.size) == k)), score) for d in (step, -step)]  # fmt: skip
        assert (p.outcome[k] - mean) / total == pytest.approx((moved[0] - moved[1]) / (2 * step), rel=0.02, abs=2e-2 / total)  # fmt: skip


def weighted_value(found, score):
    p = found.scored(score)
    return float(np.average(p.outcome, weights=p.weight))


def test_bad_weights_are_refused():
    for wrong, said in (
        (-1 - CASE, "negative"),
        (0 * CASE, "zero"),
        (CASE[:9], "9 rows"),
        ((CASE == 1).astype(int), "has an event"),
    ):
        with pytest.raises(DataError, match=said):
            made(sample_weight=wrong)


def test_observed_risk_is_kaplan_meiers():
    chance = 1.0
    for s in np.unique(WHOLE[EVENT & (WHOLE <= 5)]):
        chance *= 1 - np.sum((s == WHOLE) & EVENT) / np.sum(s <= WHOLE)
    assert value(made(WHOLE), "event_share(at=5)") == pytest.approx(1 - chance, rel=1e-12)
    groups = made(WHOLE).calibration(at=5, groups=4).groups
    assert sum(g.n for g in groups) == 60
    assert np.diff([g.predicted for g in groups]).min() > 0
    assert all(g.observed in g.interval for g in groups if g.interval)


def test_points_before_and_below_are_counted():
    rng = np.random.default_rng(1)
    for n in (1, 2, 40, 150):
        key, place = (rng.integers(0, max(n // 3, 1), n) for _ in range(2))
        weight = rng.random(n)
        before = key[None, :] < key[:, None]
        below, same = before_and_below(key, place, weight)
        assert_allclose(below, (before & (place[None, :] < place[:, None])) @ weight)
        assert_allclose(same, (before & (place[None, :] == place[:, None])) @ weight)


def test_every_verb_takes_scores():
    models = {"a": RISK, "b": np.roll(RISK, 1)}
    found = survival(TIME, EVENT, models, group=CASE // 3)
    p = found.scored("uno_c")
    told = compare(p.where(model="a"), p.where(model="b"), "mean_outcome")
    each = [e.value for e in found.table("uno_c")]
    assert told.difference == pytest.approx(each[0] - each[1])
    assert str(check(p))
    assert "Uno's concordance" in str(credibly.report(p.where(model="a")))
    curve = found.by_time("survival_auc", [3, 5])
    assert [e.keys["model"] for e in curve.estimates] == ["a", "b", "a", "b"]
    assert curve.plot()
    elsewhere = made(censoring=(TIME[::2], EVENT[::2]))
    assert "censoring-elsewhere" in {f.code for f in elsewhere.findings}


def test_how_cases_move_a_measure_has_no_median():
    shown = [e.measure for e in credibly.evaluate(made().scored("uno_c"))]
    assert shown == ["mean_outcome"]
    assert credibly.plot(made().scored("uno_c"), "outcome_distribution").x.ends is None


def test_net_benefit_without_censoring_is_that_of_two_classes():
    found = survival(TIME, 1 + 0 * CASE, survival=CHANCE, times=TIMES)
    when, wanted = float(TIMES[1]), [0.1, 0.3, 0.5]
    p = Predictions.of((when >= TIME).astype(int), probability=1 - CHANCE[:, 1], classes=[0, 1], positive=1)  # fmt: skip
    curve, told = credibly.curve(p, "net_benefit"), found.decision_curve(at=when, thresholds=wanted)
    by = {(e.keys["threshold"], e.keys["model"]): e for e in told.estimates}
    for x in wanted:
        assert by[x, "model"].value == pytest.approx(curve.at(x), abs=1e-12)
        share = (when >= TIME).mean()
        assert by[x, "treat all"].value == pytest.approx(share - (1 - share) * x / (1 - x))
        assert by[x, "model"].value in by[x, "model"].interval
    assert "treating nobody" in str(told)
    assert told.plot().alt == told.meaning()
    with pytest.raises(credibly.CrediblyError, match="No chances of survival"):
        survival(TIME, EVENT, risk=RISK).decision_curve()


BAD = {
    "negative": (lambda: survival(-TIME, EVENT, risk=RISK), "Time is negative in rows 0"),
    "no event": (lambda: survival(TIME, 0 * CASE, risk=RISK), "No case has an event"),
    "strange event": (lambda: survival(TIME, CASE, risk=RISK), "neither 1 (event) nor 0"),
    "missing": (lambda: survival(np.where(CASE == 3, np.nan, TIME), EVENT, risk=RISK), "missing in row 3"),
    "missing risk": (lambda: survival(TIME, EVENT, risk=np.where(CASE == 3, np.nan, RISK)), "Risk is missing in row 3"),
    "sizes": (lambda: survival(TIME, EVENT[:9], risk=RISK), "got 60 and 9"),
    "size of risk": (lambda: survival(TIME, EVENT, risk=RISK[:9]), "for each of 60 cases"),
    "after the end": (lambda: survival(TIME, EVENT & (TIME < 9), survival=CHANCE, times=TIMES).table("survival_brier(at=99)"), "Nobody was followed beyond 99"),
    "before the first": (lambda: made().table("survival_auc(at=0.01)"), "No event was seen"),
    "chances": (lambda: survival(TIME, EVENT, survival=CHANCE + 1, times=TIMES), "not between 0 and 1"),
    "times": (lambda: survival(TIME, EVENT, survival=CHANCE), "Set times="),
    "same time": (lambda: survival(TIME, EVENT, survival=CHANCE, times=[3, 3, 5]), "each once"),
    "nothing": (lambda: survival(TIME, EVENT), "are needed"),
    "strange": (lambda: survival(TIME, EVENT, {"a": {"hazard": RISK}}), "got hazard"),
    "no chances": (lambda: survival(TIME, EVENT, risk=RISK).table("ibs"), "no chances of survival at several times"),
    "no such column": (lambda: made().table("harrell_c", by="x"), "no column x"),
    "groups": (lambda: made().calibration(groups=0), "groups must be a whole number"),
    "treat all": (lambda: survival(TIME, EVENT, {"treat all": {"survival": CHANCE, "times": TIMES}}).decision_curve(), "Rename it"),
    "censored before": (lambda: made(censoring=([0.1, 0.2], [0, 0])).table("uno_c"), "censoring was estimated"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_named(what):
    call, said = BAD[what]
    with pytest.raises((DataError, ParameterError, MissingColumnError)) as error:
        call()
    assert said in str(error.value)


def test_slices_have_weights_of_their_own():
    site = np.resize(np.array(["a", "b", "c"], object), TIME.size)
    site[0] = "alone"
    found = made(columns={"site": site})
    table = found.table(["uno_c", "survival_brier(at=3)"], by="site")
    for e in table:
        (alone,) = found.take(site == e.keys["site"]).table(e.measure)
        assert (e.value, e.interval) == (alone.value, alone.interval)
    assert {e.keys["site"] for e in table} == {"a", "b", "c"}
    assert "site=alone is not shown" in str(table.findings)


def test_survival_that_rises_is_said():
    found = survival(TIME, EVENT, survival=CHANCE[:, ::-1], times=TIMES)
    assert "survival-rises" in {f.code for f in found.findings}


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = zip(TIME, EVENT, RISK, *CHANCE.T, strict=True)
    lines = [",".join(str(float(v)) for v in row) for row in rows]
    (tmp_path / "s.csv").write_text("time,event,cox,s3,s5,s7\n" + "\n".join(lines) + "\n")
    assert main(["survival", "s.csv", "--risk", "cox", "--score", "uno_c", "--save", "u.csv", "--json"]) == 0  # fmt: skip
    assert json.loads(capsys.readouterr().out)["estimates"][0]["value"] == pytest.approx(SCORES["uno_c"])  # fmt: skip
    assert main(["evaluate", "u.csv"]) == 0
    chances = ["survival", "s.csv", "--survival", "s3,s5,s7", "--times", "3,5,7"]
    assert main([*chances, "--by-time", "survival_brier", "-o", "b.svg"]) == 0
    assert main([*chances, "--calibration", "5", "-o", "c.svg"]) == 0
    assert (tmp_path / "c.svg").stat().st_size
    assert main(["survival", "s.csv"]) == 0  # columns are recognised
