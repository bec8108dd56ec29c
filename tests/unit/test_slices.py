"""Slices and gaps: fairlearn's numbers, limits from both sides, what is too small, and what a search pays."""

import json
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import credibly
from credibly import DataError, ParameterError, Predictions, slices
from credibly.cli import main
from credibly.gaps.cuts import in_ranges
from credibly.gaps.sides import Contrast, SharedReplicates
from credibly.intervals._declare import EstimateRequest
from credibly.measures import measures

PLACE = np.arange(120)
SEX = np.array(["f", "m", "x"])[(PLACE * PLACE + PLACE // 7) % 3]
AGE = np.array(["old", "young"])[(PLACE // 5 + PLACE) % 2]
TRUTH = ((PLACE * 37) % 11 < 5).astype(int)
SCORE = ((PLACE * 53 + PLACE * PLACE) % 29) / 29 * 0.6 + 0.3 * TRUTH + 0.1 * (SEX == "m")
# fairlearn 0.15.0 on these cases: difference and ratio of MetricFrame between groups and to the overall value.
FAIRLEARN = {
    "sex": {
        "accuracy": (0.127777777778, 0.849673202614, 0.083333333333, 0.901960784314),
        "recall": (0.310924369748, 0.647619047619, 0.173262032086, 0.803636363636),
        "precision": (0.270903010033, 0.70652173913, 0.158371040724, 0.828431372549),
        "selection_rate": (0.313888888889, 0.508695652174, 0.213888888889, 0.665217391304),
        "false_positive_rate": (0.377574370709, 0.103260869565, 0.236437246964, 0.235507246377),
    },
    "sex age": {
        "accuracy": (0.177257525084, 0.796153846154, 0.102898550725, 0.881666666667),
        "recall": (0.5, 0.5, 0.290909090909, 0.705128205128),
        "precision": (0.375, 0.625, 0.235294117647, 0.764705882353),
        "selection_rate": (0.347826086957, 0.466666666667, 0.227173913043, 0.651666666667),
        "false_positive_rate": (0.454545454545, 0.0, 0.26993006993, 0.0),
    },
}
# Its functions with names: difference and ratio.
NAMED = {
    "sex": {
        "demographic_parity": (0.313888888889, 0.508695652174),
        "equalized_odds": (0.377574370709, 0.103260869565),
        "equal_opportunity": (0.310924369748, 0.647619047619),
    },
    "sex age": {
        "demographic_parity": (0.347826086957, 0.466666666667),
        "equalized_odds": (0.5, 0.0),
        "equal_opportunity": (0.5, 0.5),
    },
}


def predictions(**more):
    """Return labelled cases of three sexes and two ages."""
    columns = {"sex": SEX, "age": AGE}
    return Predictions.of(TRUTH, label=(SCORE >= 0.5).astype(int), columns=columns, **more)


@pytest.mark.parametrize("by", FAIRLEARN)
def test_gaps_are_those_of_fairlearn(by):
    asked = [*FAIRLEARN[by], *NAMED[by]]
    found = slices(predictions(), asked, by=by.split(), at_least=2, replicates=50, rng=1)
    for name, (difference, ratio, far, nearest) in FAIRLEARN[by].items():
        assert_allclose(
            [found[name].difference, found[name].ratio], [difference, ratio], atol=1e-11
        )
        own = [e for e in found.estimates if e.measure == name]
        ratios = [
            min(e.value / e.overall, e.overall / e.value if e.value else math.inf) for e in own
        ]
        assert_allclose(max(abs(e.value - e.overall) for e in own), far, atol=1e-11)
        assert_allclose(min(ratios), nearest, atol=1e-11)
    for name, (difference, ratio) in NAMED[by].items():
        assert_allclose(
            [found[name].difference, found[name].ratio], [difference, ratio], atol=1e-11
        )


def sides(p, measure, masks):
    """Return a measure on parts of the cases."""
    shared, m = SharedReplicates(p, 1, 200), measures.parse(measure)
    rows = [np.flatnonzero(mask) for mask in masks]
    return shared, [shared.side(EstimateRequest(m, p.take(r)), r) for r in rows]


def test_the_difference_of_two_shares_has_newcombes_interval():
    """Newcombe (1998) Statistics in Medicine 17, 873-890, table II, method 10: 56 of 70 less 48 of 80."""
    right = np.repeat([1, 0, 1, 0], [56, 14, 48, 32])
    p = Predictions.of(np.ones(150), label=right, classes=[0, 1])
    _, both = sides(p, "accuracy", [np.arange(150) < 70, np.arange(150) >= 70])
    low, high = Contrast(*both).limits(0.025)
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)


def test_limits_of_a_ratio_are_where_the_difference_from_so_many_times_the_other_is_none():
    p = predictions()
    _, both = sides(p, "error_rate", [SEX == "f", SEX != "f"])
    low, high = Contrast(*both).ratio_limits(0.025)
    (a_low, a_high), (b_low, b_high) = (s.reach(0.025) for s in both)
    a, b = (s.value for s in both)
    assert_allclose(a - low * b, math.hypot(a_low, low * b_high), rtol=1e-12)
    assert_allclose(high * b - a, math.hypot(a_high, high * b_low), rtol=1e-12)
    turned = Contrast(*both).swapped.ratio_limits(0.025)
    assert_allclose(turned, [1 / high, 1 / low], rtol=1e-12)


def test_a_pvalue_is_where_a_limit_reaches_no_difference():
    p = predictions()
    _, both = sides(p, "error_rate", [SEX == "m", SEX != "m"])
    c = Contrast(*both)
    ends = c.limits(c.pvalue() / 2)
    assert min(map(abs, ends)) < 2e-3 * (ends[1] - ends[0])


def test_replicates_say_what_the_smallest_pvalue_is():
    """Three independent slices: the smallest of three uniform numbers."""
    p = predictions()
    shared, made = sides(p, "error_rate", [s == SEX for s in "fmx"])
    shared.draws = type(shared.draws)(1, 20_000)
    smallest = shared.smallest_pvalues(made)
    assert_allclose(np.mean(smallest <= 0.05), 1 - 0.95**3, atol=0.007)
    alone = shared.smallest_pvalues(made[:1])
    assert_allclose(np.mean(alone <= 0.05), 0.05, atol=0.005)


def test_two_slices_are_one_comparison():
    found = slices(predictions(), "error_rate", by="age", rng=1)
    one, other = (e.rest for e in found.estimates)
    assert one.difference == -other.difference
    assert one.adjusted_pvalue == pytest.approx(one.pvalue, abs=0.02)
    assert found["error_rate"].pvalue == one.adjusted_pvalue == other.adjusted_pvalue


@pytest.mark.parametrize("measure", ["error_rate", "auc", "brier"])
def test_groups_are_kept_whole(measure):
    """Every case twice, as a group of two, says no more than every case once."""
    truth, probability = np.repeat(TRUTH, 2), np.repeat(SCORE / 1.1, 2)
    columns = {"sex": np.repeat(SEX, 2)}
    twice = Predictions.of(
        truth, probability=probability, group=np.repeat(PLACE, 2), columns=columns
    )
    once = Predictions.of(TRUTH, probability=SCORE / 1.1, columns={"sex": SEX})
    both = [slices(p, measure, by="sex", rng=1).estimates[0] for p in (once, twice)]
    widths = [e.rest.interval.high - e.rest.interval.low for e in both]
    assert widths[1] == pytest.approx(widths[0], rel=0.1)
    assert both[0].value == pytest.approx(both[1].value)


def test_a_slice_without_positives_is_named_and_not_zero():
    """What fairlearn calls a true positive rate of 0, and so a gap of 1."""
    truth = np.where(SEX == "x", 0, TRUTH)
    p = Predictions.of(truth, label=TRUTH, columns={"sex": SEX}, positive=1)
    found = slices(p, "equalized_odds", by="sex", rng=1)
    empty = next(e for e in found.estimates if e.name == "sex=x" and e.measure == "recall")
    assert math.isnan(empty.value)
    assert empty.interval is None
    assert empty.rest is None
    said = next(f for f in found.findings if f.code == "small-slices")
    assert "sex=x" in said.message
    assert found["equalized_odds"].difference < 1


def test_small_slices_are_named():
    site = np.where(PLACE < 5, "tiny", np.where(PLACE < 60, "a", "b"))
    p = Predictions.of(TRUTH, label=(SCORE >= 0.5).astype(int), columns={"site": site})
    found = slices(p, "error_rate", by="site", rng=1)
    tiny = found.estimates[-1]
    assert (tiny.name, tiny.n, tiny.interval, tiny.rest) == ("site=tiny", 5, None, None)
    assert "fewer than 10" in tiny.why_no_interval
    assert "site=tiny (5)" in next(f.message for f in found.findings if f.code == "small-slices")
    assert {found["error_rate"].highest, found["error_rate"].lowest} == {"site=a", "site=b"}
    assert slices(p, "error_rate", by="site", at_least=2, rng=1).estimates[-1].interval


def searchable(n=600, worse=0.0):
    """Return cases with columns, in one value of which more of them are wrong."""
    rng = np.random.default_rng(5)
    columns = {f"c{k}": rng.choice(["a", "b", "c"], n) for k in range(4)}
    columns |= {"x": rng.normal(size=n), "id": np.array([f"case {i}" for i in range(n)])}
    wrong = rng.random(n) < 0.1 + worse * (columns["c2"] == "b")
    truth = rng.integers(0, 2, n)
    return Predictions.of(truth, label=truth ^ wrong, columns=columns)


def test_a_search_finds_the_slice_and_pays_for_it():
    found = slices(searchable(worse=0.25), "error_rate", search=True, rng=1)
    assert (found.worst.name, found.worst.verdict) == ("c2=b", "worse")
    alone = slices(searchable(worse=0.25), "error_rate", by="c2", rng=1).worst.rest
    searched = found.worst.rest
    assert searched.difference == alone.difference
    assert searched.interval.low < alone.interval.low
    codes = {f.code: f.message for f in found.findings}
    assert "id" in codes["columns-not-searched"]
    assert f"{found.searched} slices" in codes["searched-slices"]
    none = slices(searchable(), "error_rate", search=True, rng=1)
    assert not any(e.verdict for e in none.estimates)
    assert all(e.rest.adjusted_pvalue >= e.rest.pvalue for e in none.estimates)


def test_numbers_are_cut_by_their_own_quantiles():
    column = np.array([5.0, np.nan, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11])
    found = in_ranges(column, 2)
    assert [found.values[c] for c in found.codes[:3]] == ["up to 6", None, "up to 6"]
    assert in_ranges(np.array([3, 1, 3]), 4).values == (1, 3)
    assert in_ranges(np.array([f"{i}" for i in range(40)]), 4) is None


@pytest.mark.parametrize("n", [9000])
def test_many_cases_are_joined_at_random_and_say_the_same(n):
    rng = np.random.default_rng(1)
    truth, site = rng.integers(0, 2, n), rng.choice(list("abcd"), n)
    label = truth ^ (rng.random(n) < 0.2)
    p = Predictions.of(truth, label=label, columns={"site": site})
    m = measures["error_rate"]
    shared = SharedReplicates(p, 1, 4000)
    rows = [np.flatnonzero(site == s) for s in "abcd"]
    made = [shared.side(EstimateRequest(m, p.take(r)), r) for r in rows]
    assert shared.units < n
    assert np.mean(shared.smallest_pvalues(made) <= 0.05) == pytest.approx(1 - 0.95**4, abs=0.02)


def test_counts_say_what_cases_do():
    counted = Predictions.of([1, 1, 0, 0] * 2, label=[1, 0, 1, 0] * 2, sample_weight=[30, 10, 20, 40, 35, 5, 10, 50],
        weight_kind="frequency", columns={"site": list("aaaabbbb")})  # fmt: skip
    each = counted.take(np.repeat(np.arange(8), counted.weight.astype(int)))
    each = Predictions.of(each.truth, label=each.label, columns={"site": each.columns["site"]})
    both = [slices(p, ["error_rate", "f1"], by="site", rng=1) for p in (counted, each)]
    rows = [f.frame().drop(columns=["measure", "site", "verdict"]).to_numpy(float) for f in both]
    assert_allclose(rows[0][:, :3], rows[1][:, :3], rtol=1e-12)
    assert_allclose(rows[0], rows[1], atol=2e-3)  # as far as 5,000 replicates differ


def test_several_models_are_sliced_one_by_one():
    models = {"a": predictions(), "b": Predictions.of(TRUTH, label=TRUTH, columns={"sex": SEX})}
    found = slices(models, "error_rate", by="sex", rng=1)
    assert [e.model for e in found.estimates] == ["a"] * 3 + ["b"] * 3
    alone = slices(models["a"], "error_rate", by="sex", rng=1)
    assert found.estimates[0].rest.interval == alone.estimates[0].rest.interval
    assert [g.model for g in found.gaps] == ["a", "b"]


@pytest.mark.parametrize(
    ("asked", "error", "said"),
    [
        ({}, ParameterError, "No column"),
        ({"by": "shoe"}, ParameterError, "by must be"),
        ({"by": "class"}, ParameterError, "does not cut"),
        ({"by": "sex", "at_least": 1}, ParameterError, "at_least"),
        ({"search": True, "by": "shoe"}, ParameterError, "no column"),
        ({"search": True, "measures": "selection_rate"}, ParameterError, "no slice is the worst"),
        ({"by": "sex", "measures": "auc"}, credibly.CrediblyError, "score"),
        ({"by": "sex", "measures": "parity"}, credibly.CrediblyError, "parity"),
        ({"by": "one"}, DataError, "1 slice"),
    ],
)
def test_what_cannot_be_sliced_is_refused(asked, error, said):
    columns = {"sex": SEX, "one": np.zeros(120, int)}
    p = Predictions.of(TRUTH, label=(SCORE >= 0.5).astype(int), columns=columns)
    with pytest.raises(error, match=said):
        slices(p, **{"rng": 1, **asked})


def test_too_many_slices_are_refused():
    columns = {"site": [f"site {i // 2}" for i in range(402)]}
    p = Predictions.of(np.tile([1, 0], 201), label=np.ones(402), columns=columns)
    with pytest.raises(DataError, match="slices"):
        slices(p, by="site")
    drawn = np.random.default_rng(1).integers(0, 25, (5, 4000)).astype(str)
    many = {f"c{k}": column for k, column in enumerate(drawn)}
    p = Predictions.of(np.tile([1, 0], 2000), label=np.ones(4000), columns=many)
    with pytest.raises(ParameterError, match="more than"):
        slices(p, "error_rate", search=True)


def test_the_command_writes_the_same(tmp_path, capsys):
    path = credibly.save(predictions(), tmp_path / "p.csv")
    asked = [
        "slices",
        str(path),
        "--by",
        "sex",
        "--measure",
        "error_rate,equalized_odds",
        "--rng",
        "1",
    ]
    assert main([*asked, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    found = slices(predictions(), ["error_rate", "equalized_odds"], by="sex", rng=1)
    assert said["gaps"] == json.loads(found.to_json())["gaps"]
    assert said["slices"] == json.loads(found.to_json())["slices"]
    assert main([*asked, "-o", str(tmp_path / "p.svg")]) == 0
    capsys.readouterr()
    other = credibly.save(predictions(), tmp_path / "q.csv")
    assert main([asked[0], str(path), str(other), *asked[2:], "--json"]) == 0
    both = json.loads(capsys.readouterr().out)
    assert {s["model"] for s in both["slices"]} == {"p", "q"}
    assert "sex" in (tmp_path / "p.svg").read_text(encoding="utf-8")


def test_an_engine_counts_what_is_sliced(tmp_path, capsys):
    path = credibly.save(predictions(), tmp_path / "p.parquet")
    asked = [
        "slices",
        str(path),
        "--by",
        "sex,age",
        "--measure",
        "error_rate",
        "--rng",
        "1",
        "--json",
    ]
    said = []
    for engine in ("memory", "duckdb"):
        assert main([*asked, "--engine", engine]) == 0
        said.append(json.loads(capsys.readouterr().out))
    assert said[0]["by"] == said[1]["by"] == ["sex", "age"]
    both = [[(s["slice"], s["n"], s["value"]) for s in one["slices"]] for one in said]
    assert both[0] == both[1]
    limits = [[s["interval"]["low"] for s in one["slices"] if s["interval"]] for one in said]
    assert_allclose(limits[0], limits[1], atol=2e-3)


def test_many_numbers_are_cut_into_ranges_and_few_are_slices_themselves():
    rng = np.random.default_rng(2)
    truth, label = rng.integers(0, 2, (2, 300))
    columns = {"age": rng.integers(18, 80, 300), "grade": rng.integers(1, 5, 300)}
    p = Predictions.of(truth, label=label, columns=columns)
    for ranges in (3, 4):
        found = slices(p, "error_rate", by="age", ranges=ranges)
        assert len(found.estimates) == ranges
        assert sum(e.n for e in found.estimates) == 300
        assert found.estimates[0].name.startswith("age=up to ")
    assert [e.name for e in slices(p, "error_rate", by="grade").estimates] == [f"grade={i}" for i in range(1, 5)]  # fmt: skip


def test_a_gap_has_the_interval_of_the_slices_that_it_is_between():
    """A small slice widens how far any two may differ, not the interval of two others."""
    site = np.where(PLACE < 24, "tiny", np.where(PLACE % 2, "a", "b"))
    p = Predictions.of(TRUTH, label=(SCORE >= 0.5).astype(int), columns={"site": site})
    for measure in ("error_rate", "accuracy", "recall"):
        found = slices(p, measure, by="site", rng=1)
        gap = found[measure]
        of = {e.name: e for e in found.estimates}
        assert gap.difference == pytest.approx(of[gap.highest].value - of[gap.lowest].value)
        best = found.worst.best.to
        far = of[gap.lowest if gap.highest == best else gap.highest].best
        ends = sorted(abs(x) for x in (far.interval.low, far.interval.high))
        assert sorted(abs(x) for x in (gap.interval.low, gap.interval.high)) == pytest.approx(ends)
        assert gap.any_two.high >= gap.interval.high
        assert gap.any_two.low >= 0
        assert f"{gap.highest} and {gap.lowest}" in found.meaning()
        titles = [title for block in found.blocks() for title in block[1]]
        assert "ratio" not in titles
