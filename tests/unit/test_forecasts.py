"""Forecasts of a distribution: scoringrules' numbers, definitions, tables of every form, skill, bad input, every verb."""

import json
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose
from scipy import integrate, special, stats

import credibly
from credibly import (
    DataError,
    ParameterError,
    check,
    compare,
    evaluate,
    forecasts,
    read_forecasts,
    slices,
)
from credibly.case_scores import distributions
from credibly.case_scores.distributions import half_distance
from credibly.cli import main
from credibly.errors import MissingColumnError

CASE = np.arange(8)
Y = np.array([-1.3, 0.0, 0.7, 2.5, 3.0, 5.0, 9.2, 1.0])
COUNTS = np.array([0, 1, 0, 3, 2, 6, 4, 11.0])
MEAN, SD = np.cos(CASE), 0.5 + CASE / 4
MEMBERS = np.sin(np.outer(CASE + 1, np.arange(1, 13))) * 2 + MEAN[:, None]
LEVELS = [0.05, 0.25, 0.5, 0.75, 0.95]
QUANTILES = MEAN[:, None] + np.linspace(-1.5, 1.5, 5) * SD[:, None]
VECTORS = np.stack([MEMBERS, np.cos(MEMBERS) * 3], 2)
GIVEN = {
    "normal": (Y, {"mean": MEAN, "sd": SD}),
    "lognormal": (np.abs(Y) + 0.1, {"log_mean": MEAN, "log_sd": SD}),
    "student_t": (Y, {"freedom": 2.5 + CASE, "location": MEAN, "scale": SD}),
    "gamma": (np.abs(Y), {"shape": 1 + CASE, "rate": SD}),
    "exponential": (np.abs(Y), {"rate": SD}),
    "laplace": (Y, {"location": MEAN, "scale": SD}),
    "logistic": (Y, {"location": MEAN, "scale": SD}),
    "uniform": (Y, {"low": MEAN, "width": SD}),
    "poisson": (COUNTS, {"mean": 3 * SD}),
    "negative_binomial": (COUNTS, {"size": 1 + CASE, "mean": 3 * SD}),
}

# scoringrules 0.10 on these.
CRPS = {
    "normal": [2.01790563179, 0.324171004046, 0.684871580043, 2.78671001371, 2.81468284142, 3.73277692469, 7.11146723312, 0.536541486145],
    "lognormal": [0.878853831852, 1.25505655965, 0.187500065219, 1.58782822625, 1.62509663076, 2.16678441339, 4.12488779281, 2.43437492589],
    "student_t": [1.88641794661, 0.338869902121, 0.680660006036, 2.68251466083, 2.72377184377, 3.62912916112, 6.98166913973, 0.562495030481],
    "gamma": [0.388183107044, 1.66666666667, 1.37577747222, 0.409324648587, 0.339935607491, 1.06126229385, 4.96795331308, 1.85793599724],
    "exponential": [0.388183107044, 0.666666666667, 0.193170607583, 1.3702990938, 2.01481199538, 4.14303824151, 8.45000001021, 0.427021532944],
    "laplace": [1.93002591787, 0.342719379427, 0.693686265781, 2.62911607436, 2.659940101, 3.52203105159, 6.77232150858, 0.575481128905],
    "logistic": [1.81000165206, 0.38499545753, 0.682801187675, 2.38872624587, 2.40537355231, 3.19508378822, 6.30429109368, 0.875888305307],
    "uniform": [2.46666666667, 0.790302305868, 0.44948016988, 2.65665916327, 2.65364362086, 3.54967114787, 6.90649638002, 0.530819632307],
    "poisson": [0.840259398811, 0.639194974291, 2.04387332416, 0.500752057979, 1.46458666667, 0.662532198126, 1.09866228619, 2.95857948689],
    "negative_binomial": [0.5625, 0.554720980403, 1.69135802469, 0.598206906037, 1.25709283831, 0.883762254238, 1.05059992318, 2.87346089471],
}  # fmt: skip
WIS = [1.955, 0.265560461174, 0.579688101928, 2.6274924966, 2.61864362086, 3.50883781454, 6.85982971335, 0.521719549131]  # fmt: skip
SCORES = {
    ("members", "crps"): [1.45748766718, 0.426288402262, 0.736373922475, 2.81070488604, 3.11323488876, 5.41878010601, 7.02370733278, 0.484936715277],
    ("members", "crps(fair=True)"): [1.3827952544, 0.35421862652, 0.658246537404, 2.73744480699, 3.04199769643, 5.3800101905, 6.95268263712, 0.409550463211],
    ("members", "dss"): [3.09872696677, 0.938471114589, 1.48756514301, 6.74627522761, 7.82900183505, 52.1464422833, 28.756673954, 0.845374999827],
    ("quantiles", "crps"): WIS,
    ("quantiles", "wis"): WIS,
    ("quantiles", "interval_score(level=0.9)"): [32.5, 2.25, 3.0, 36.049849932, 32.5728724173, 47.0767562907, 110.796594267, 6.75],
    ("quantiles", "quantile_loss(level=0.25)"): [1.44375, 0.00554942353297, 0.466536709137, 1.10687312415, 1.19466090522, 1.50720945363, 2.43495742834, 0.483399436414],
    ("vectors", "energy_score"): [1.85252478751, 0.969695449677, 1.02091117747, 3.22158786967, 3.11149024849, 6.6472729026, 7.81340286248, 9.3775894355],
    ("vectors", "energy_score(fair=True)"): [1.71022069461, 0.83776015306, 0.894021769962, 3.08133458437, 2.99157212604, 6.57070056777, 7.67593918262, 9.24076738365],
    ("normal", "log_score"): [10.8057913526, 0.890746755621, 1.54183041357, 5.03969732494, 4.29087290982, 5.11020205679, 10.0989349269, 1.73585038897],
}  # fmt: skip


def named(family):
    truth, parameters = GIVEN[family]
    return forecasts(truth, distribution=family, parameters=parameters)


def made(form):
    if form == "members":
        return forecasts(Y, members=MEMBERS)
    if form == "quantiles":
        return forecasts(Y, quantiles=QUANTILES, levels=LEVELS)
    if form == "vectors":
        return forecasts(np.stack([Y, COUNTS], 1), members=VECTORS)
    return named(form)


@pytest.mark.parametrize("family", [d.name for d in distributions])
def test_closed_forms_are_those_of_scoringrules(family):
    assert_allclose(named(family).scored("crps").outcome, CRPS[family], rtol=1e-9)


@pytest.mark.parametrize(("form", "score"), SCORES)
def test_scores_are_those_of_scoringrules(form, score):
    assert_allclose(made(form).scored(score).outcome, SCORES[form, score], rtol=1e-9)


@pytest.mark.parametrize("family", [d.name for d in distributions])
def test_closed_forms_are_integrals_also_outside_of_the_support(family):
    d = distributions[family]
    held = {k: np.float64(v[3]) for k, v in GIVEN[family][1].items()}
    shapes, at, scale = d.standard(**held)
    law = getattr(stats, d.law)(*shapes, loc=at, **({} if d.discrete else {"scale": scale}))
    for y in (-1.3, 0.0, 0.4, 3.0):
        if d.discrete:
            steps = pairwise(np.unique([*np.arange(-2.0, 200), y]))
            want = sum((b - a) * (law.cdf((a + b) / 2) - ((a + b) / 2 >= y)) ** 2 for a, b in steps)
        else:
            want = integrate.quad(lambda x: law.cdf(x) ** 2, -np.inf, y, epsabs=1e-11)[0]
            want += integrate.quad(lambda x: law.sf(x) ** 2, y, np.inf, epsabs=1e-11)[0]
        got = forecasts([y], distribution=family, parameters=held).scored("crps").outcome[0]
        assert got == pytest.approx(want, abs=2e-8)


def test_counts_of_any_size_and_mean_are_as_far_apart_as_their_limits_say():
    near_poisson = 100 * (special.ive(0, 200.0) + special.ive(1, 200.0))
    assert_allclose(half_distance(np.array(1e13), np.array(100.0)), near_poisson, rtol=1e-10)
    near_gamma = 4e13 / special.beta(0.5, 2.5)
    assert_allclose(half_distance(np.array(2.5), np.array(1e14)), near_gamma, rtol=1e-10)
    seldom = 0.0009990009992670498883  # mpmath: the sum of F(1 - F)
    assert_allclose(half_distance(np.array(1e4), np.array(1e-3)), seldom, rtol=1e-10)


def test_a_lognormal_law_of_a_huge_scale_keeps_its_digits():
    parameters = {"log_mean": 0.3, "log_sd": 8.0}
    found = forecasts([2.0], distribution="lognormal", parameters=parameters).scored("crps").outcome
    assert found[0] == pytest.approx(
        1643307.62868958693, rel=1e-12
    )  # mpmath; where scoringrules is 9e-9 away


def test_ensembles_follow_their_definitions():
    y, x = Y[:4], MEMBERS[:4, :5]
    away = [np.mean([abs(a - t) for a in row]) for t, row in zip(y, x, strict=True)]
    pairs = [sum(abs(a - b) for a in row for b in row) for row in x]
    f = forecasts(y, members=x)
    assert_allclose(f.scored("crps").outcome, np.subtract(away, np.array(pairs) / 50))
    assert_allclose(f.scored("fair_crps").outcome, np.subtract(away, np.array(pairs) / 40))
    one = forecasts(y, members=x[:, :1])
    assert_allclose(one.scored("crps").outcome, np.abs(y - x[:, 0]))
    with pytest.raises(DataError):
        one.table("fair_crps")
    shared = forecasts(y, {"same": np.tile(x[0], (4, 1))}, climatology=x[0])
    for score in ("crps", "fair_crps", "dss", "interval_holds", "threshold_brier(threshold=0.5)"):
        both = shared.scored(score).outcome.reshape(2, -1)
        assert_allclose(both[0], both[1], atol=1e-12)
    assert_allclose(*(shared.pit(m, bins=2).values for m in ("same", "climatology")))


def test_distributions_have_quantiles_places_and_moments():
    f = named("normal")
    law = stats.norm(MEAN, SD)
    inside = np.abs(law.cdf(Y) - 0.5) <= 0.4
    assert f.scored("interval_holds(level=0.8)").outcome.tolist() == inside.tolist()
    width = 2 * stats.norm.ppf(0.9) * SD
    assert_allclose(f.scored("interval_width(level=0.8)").outcome, width)
    assert_allclose(f.scored("mean_forecast_error").outcome, (Y - MEAN) ** 2)
    assert_allclose(f.scored("dss").outcome, ((Y - MEAN) / SD) ** 2 + 2 * np.log(SD))
    assert_allclose(f.scored("threshold_brier(threshold=1)").outcome, (law.cdf(1) - (Y <= 1)) ** 2)
    assert_allclose(f.pit(bins=2).values, law.cdf(Y))
    assert_allclose(
        named("poisson").scored("log_score").outcome, -stats.poisson(3 * SD).logpmf(COUNTS)
    )
    many = stats.norm.ppf(np.arange(0.5, 2000) / 2000)
    close = forecasts(
        Y, quantiles=MEAN[:, None] + SD[:, None] * many, levels=np.arange(0.5, 2000) / 2000
    )
    assert_allclose(close.scored("wis").outcome, f.scored("crps").outcome, rtol=2e-3)


def test_places_of_counts_and_ensembles_are_random_by_a_seed():
    f = named("poisson")
    low, high = stats.poisson(3 * SD).cdf(COUNTS - 1), stats.poisson(3 * SD).cdf(COUNTS)
    a, b, c = (f.pit(bins=2, rng=seed).values for seed in (1, 1, 2))
    assert (a == b).all()
    assert (a != c).any()
    assert ((low <= a) & (a <= high)).all()
    rng = np.random.default_rng(5)
    right = forecasts(rng.normal(size=4000), members=rng.normal(size=(4000, 7)))
    assert right.pit(bins=10).pvalue > 0.001
    narrow = forecasts(rng.normal(size=4000), members=0.5 * rng.normal(size=(4000, 7)))
    assert narrow.pit(bins=10).pvalue < 1e-6
    assert_allclose(right.levels(at=[0.5]).observed, 0.5, atol=0.03)


def test_skill_is_a_ratio_of_means_with_its_interval():
    rng = np.random.default_rng(8)
    centre = rng.normal(size=300)
    y = centre + rng.normal(size=300)
    f = forecasts(y, distribution="normal", parameters={"mean": centre, "sd": 1}, climatology=rng.normal(0, 1.4, 500))  # fmt: skip
    e = f.skill("crps", "climatology")["crps"]
    a, b = f.scored("crps").outcome.reshape(2, -1)
    assert e.value == pytest.approx(1 - a.mean() / b.mean())
    assert e.direction == "higher"
    drawn = rng.integers(0, 300, (4000, 300))
    error = (1 - a[drawn].mean(axis=1) / b[drawn].mean(axis=1)).std()
    assert e.standard_error == pytest.approx(error, rel=0.1)
    assert e.interval.low < e.value < e.interval.high < 1
    with pytest.raises(ParameterError, match="has no skill"):
        f.skill("dss", "climatology")
    with pytest.raises(ParameterError, match="several models"):
        f.skill("crps", "nobody")
    exact = forecasts(y, {"exact": y[:, None]}, climatology=y).skill("crps", "climatology")["crps"]
    assert exact.value == 1
    assert exact.interval is None
    assert "is 0" in exact.why_no_interval


def in_time(n=120):
    rng = np.random.default_rng(4)
    noise = np.zeros(n)
    for i in range(1, n):
        noise[i] = 0.6 * noise[i - 1] + rng.normal()
    y = noise + rng.normal(size=n)
    models = {
        "sharp": {"distribution": "normal", "parameters": {"mean": noise, "sd": 1.0}},
        "vague": noise[:, None] + 2 * rng.normal(size=(n, 8)),
    }
    return forecasts(y, models, time=np.arange(n), columns={"season": np.arange(n) % 2}, climatology=y[:40])  # fmt: skip


def test_every_verb_takes_scores():
    f = in_time()
    p = f.scored("crps")
    found = compare(p.where(model="sharp"), p.where(model="vague"), "mean_outcome")
    assert found.pvalue < 0.05
    assert "long-run variance" in str(found)
    assert "TimeDependence(" not in str(found)
    assert slices(p.where(model="sharp"), "mean_outcome", by="season", replicates=200).rows()
    assert str(check(p))
    assert "ranked probability score" in str(credibly.report(p.where(model="sharp")))
    blocks = evaluate(p.where(model="sharp"), "mean_outcome", interval="block_bootstrap", rng=1)
    assert "block bootstrap" in blocks["mean_outcome"].interval.method
    limits = f.skill("crps", "climatology").estimates[0].interval
    assert limits.dependence is not None


def test_diebold_mariano_is_that_of_the_package_scores():
    k = np.arange(60)
    d = np.sin(k) + 0.3 + np.cos(3 * k * k)
    a, b = (credibly.Predictions.of(outcome=x, better="lower", row=k, time=k) for x in (d, 0 * d))
    found = compare(a, b, "mean_outcome", test="diebold_mariano(horizon=3)")
    assert found.statistic == pytest.approx(2.4486556718982015, rel=1e-9)  # scores 2.7, HLN
    assert 1 - found.pvalue / 2 == pytest.approx(stats.t(59).cdf(2.4486556718982015), rel=1e-9)
    few = {h: compare(a, b, "mean_outcome", test=f"diebold_mariano(horizon={h})").findings for h in (1, 3, 4)}  # fmt: skip
    assert [h for h, told in few.items() if "few-for-horizon" in {f.code for f in told}] == [4]
    alternating = (-1.0) ** k + 0.1 * np.cos(k)  # its neighbours undo each other
    c = credibly.Predictions.of(outcome=alternating, better="lower", row=k, time=k)
    with pytest.raises(DataError, match="add up to no variance"):
        compare(c, b, "mean_outcome", test="diebold_mariano(horizon=2)")


FRAME = pd.DataFrame(
    {"day": CASE, "y": Y, "mean": MEAN, "sd": SD, "shop": [f"s{i % 2}" for i in CASE]}
    | {f"ens_{j}": MEMBERS[:, j] for j in range(12)}
    | {f"q{level}": QUANTILES[:, j] for j, level in enumerate(LEVELS)}
)


@pytest.mark.parametrize("to", [lambda f: f, pl.from_pandas], ids=["pandas", "polars"])
def test_tables_with_a_row_per_case(to):
    plain = FRAME[["day", "y", "shop"]]
    normal = read_forecasts(to(plain.assign(mean=MEAN, sd=SD)), "y", time="day", columns=["shop"])
    assert_allclose(normal.scored("crps").outcome, CRPS["normal"], rtol=1e-9)
    assert normal.scored("crps").in_time
    named_by = read_forecasts(to(plain.assign(mu=MEAN, s=SD)), "y", distribution="normal", parameters={"mean": "mu", "sd": "s"})  # fmt: skip
    assert_allclose(named_by.scored("crps").outcome, CRPS["normal"], rtol=1e-9)
    ensemble = read_forecasts(to(FRAME), "y", members="ens_*")
    assert_allclose(ensemble.scored("crps").outcome, SCORES["members", "crps"], rtol=1e-9)
    assert_allclose(read_forecasts(to(FRAME), "y").scored("wis").outcome, WIS, rtol=1e-9)


def test_tables_with_a_row_per_quantile_or_member(tmp_path):
    wide = FRAME.rename(columns={f"q{level}": level for level in LEVELS})
    long = wide.melt(["day", "y", "shop"], LEVELS, var_name="level")
    both = pd.concat([long.assign(model="a"), long.assign(model="b", value=long["value"] + 1)])
    both = both.sample(frac=1, random_state=3)
    file = tmp_path / "hub.csv"
    both.to_csv(file, index=False)
    for source in (both, file):
        f = read_forecasts(source, "y", level="level", row=["day", "shop"], model="model")
        p = f.scored("wis").where(model="a")
        order = np.argsort([int(str(r).partition(" ")[0]) for r in p.row])
        assert_allclose(p.outcome[order], WIS, rtol=1e-9)
    members = FRAME.melt(["day", "y"], [f"ens_{j}" for j in range(12)], var_name="member")
    members.to_csv(file, index=False)
    for source in (members, file):
        f = read_forecasts(source, "y", member="member", row="day")
        assert_allclose(f.scored("crps").outcome, SCORES["members", "crps"], rtol=1e-9)


BAD = {
    "negative sd": (lambda: forecasts(Y, distribution="normal", parameters={"mean": 0, "sd": -SD}), "Sd is not above 0 in rows 0"),
    "one freedom": (lambda: forecasts(Y, distribution="student_t", parameters={"freedom": 1, "location": 0, "scale": 1}), "Freedom is not above 1"),
    "members missing": (lambda: forecasts(Y, members=np.where(MEMBERS[3, 1] == MEMBERS, np.nan, MEMBERS)), "Members are missing in row 3"),
    "no members": (lambda: forecasts(Y, members=np.empty((8, 0))), "no numbers"),
    "one number each": (lambda: forecasts(Y, members=MEAN), "a column per member"),
    "endless": (lambda: forecasts(Y, members=MEMBERS / 0.0), "infinite"),
    "words": (lambda: forecasts(Y, members=[["a"]] * 8), "must be numbers"),
    "levels": (lambda: forecasts(Y, quantiles=QUANTILES, levels=[0, 0.1, 0.2, 0.3, 0.4]), "between 0 and 1"),
    "same level twice": (lambda: forecasts(Y, quantiles=QUANTILES, levels=[0.1, 0.1, 0.2, 0.3, 0.4]), "each once"),
    "level missing": (lambda: made("quantiles").table("interval_score(level=0.8)"), "0.1. Levels: 0.05"),
    "a quantile missing": (lambda: forecasts(Y, quantiles=np.where(QUANTILES[2, 2] == QUANTILES, np.nan, QUANTILES), levels=LEVELS), "row 2"),
    "two forms": (lambda: forecasts(Y, members=MEMBERS, quantiles=QUANTILES), "members and quantiles is set"),
    "strange key": (lambda: forecasts(Y, {"a": {"member": MEMBERS}}), "got member"),
    "other sizes": (lambda: forecasts(Y, distribution="normal", parameters={"mean": [1, 2], "sd": 1}), "one for each of 8 cases"),
    "other parameters": (lambda: forecasts(Y, distribution="gamma", parameters={"shape": 1}), "are shape and rate; got shape"),
    "no density": (lambda: made("members").table("log_score"), "is not a score of these cases"),
    "no place": (lambda: made("quantiles").pit(), "levels()"),
    "which model": (lambda: in_time().pit(), "There are several models"),
    "climatology twice": (lambda: forecasts(Y, {"climatology": MEMBERS}, climatology=Y), "called climatology already"),
    "no truth": (lambda: forecasts(Y * np.nan, members=MEMBERS), "No case of forecast"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_named(what):
    call, said = BAD[what]
    with np.errstate(all="ignore"), pytest.raises((DataError, ParameterError, MissingColumnError)) as error:  # fmt: skip
        call()
    assert said in str(error.value)


def test_bad_tables_are_named():
    long = FRAME.melt(["day", "y"], ["mean", "sd"], var_name="kind").assign(level=0.5)
    with pytest.raises(DataError, match="a level twice"):
        read_forecasts(long, "y", level="level", row="day")
    with pytest.raises(ParameterError, match="belong to one case"):
        read_forecasts(long, "y", level="level")
    with pytest.raises(DataError, match="different truths"):
        read_forecasts(long.assign(level=np.repeat([0.1, 0.9], 8), y=range(16)), "y", level="level", row="day")  # fmt: skip
    with pytest.raises(MissingColumnError, match="no column 'nix'"):
        read_forecasts(FRAME, "nix")
    with pytest.raises(MissingColumnError, match="which columns hold"):
        read_forecasts(FRAME[["y", "day"]], "y")
    with pytest.raises(MissingColumnError, match="No column matches"):
        read_forecasts(FRAME, "y", members="m*s")


def test_what_is_doubtful_is_said():
    crossed = forecasts(Y, quantiles=QUANTILES[:, ::-1], levels=LEVELS)
    assert "crossing-quantiles" in {f.code for f in crossed.findings}
    gone = np.where(CASE[:, None] == 2, np.nan, MEMBERS)
    some = forecasts(np.where(CASE == 5, np.nan, Y), members=gone)
    assert "no-forecast" in {f.code for f in some.findings}
    assert np.flatnonzero(np.isnan(some.scored("crps").outcome)).tolist() == [2, 5]
    assert some.table("crps").estimates[0].n == 6
    impossible = forecasts([0.5, 1.0], distribution="poisson", parameters={"mean": 1.0})
    assert "score-not-shown" in {f.code for f in impossible.table().findings}
    with pytest.raises(DataError, match="infinite in row 0"):
        impossible.table("log_score")


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FRAME.to_csv("f.csv", index=False)
    assert main(["forecasts", "f.csv", "--truth", "y", "--members", "ens_*", "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert read["estimates"][0]["value"] == pytest.approx(np.mean(SCORES["members", "crps"]))
    assert main(["forecasts", "f.csv", "--truth", "y", "--distribution", "normal", "--parameters", "mean=mean,sd=sd", "--score", "crps", "--save", "c.csv"]) == 0  # fmt: skip
    assert main(["evaluate", "c.csv"]) == 0
    assert main(["forecasts", "f.csv", "--truth", "y", "--members", "ens_*", "--pit", "forecast", "-o", "p.svg"]) == 0  # fmt: skip
    assert (tmp_path / "p.svg").stat().st_size
    assert main(["forecasts", "f.csv", "--truth", "y", "--baseline", "none"]) != 0
