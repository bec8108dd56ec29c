"""The page's arithmetic is Python's: the shipped modules, run in a browser, against the library."""

import json
from dataclasses import replace

import numpy as np
import pytest

import credibly
from credibly import Predictions, cost_benefit
from credibly.app.page import modules as module_names, static
from credibly.app.page_data import CONFIDENCE_LEVELS, page_data
from credibly.curves.costs import operating_range
from credibly.decisions import decide
from credibly.intervals import proportion_methods
from credibly.intervals.quantiles import normal_quantile, two_sided

TOLERANCE = 1e-12
PLACES = ("share", "number", "recall", "threshold", "best", "worst")


@pytest.fixture(scope="module")
def modules(browser):
    """Call functions of the shipped modules: a name, and lists of arguments."""
    page = browser.new_page()

    def fulfil(route):
        name = route.request.url.partition("modules.test/")[2]
        if name in module_names():
            route.fulfill(body=static(name), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html>", content_type="text/html")

    page.route("**/*", fulfil)
    page.goto("http://modules.test/")

    def call(code, argument):
        said = page.evaluate(
            """async ([code, text]) => {
              const a = await import("/arithmetic.js");
              const c = await import("/curves.js");
              const s = await import("/state.js");
              const run = (code, argument) => new Promise((done, failed) => {
                const tag = document.createElement("script");
                window.answer = done; window.argument = argument; window.library = { ...a, ...c, ...s };
                window.failed = failed;
                tag.textContent = `try { answer((${code})(library, argument)); } catch (e) { failed(e); }`;
                document.head.append(tag);
              });
              const made = await run(code, JSON.parse(text));
              return JSON.stringify(made, (k, v) => typeof v === "number" && !Number.isFinite(v) ? String(v) : v);
            }""",
            [code, json.dumps(argument)],
        )
        return json.loads(said)

    yield call
    page.close()


def number(value):
    return float(value) if isinstance(value, str) else np.nan if value is None else value


def near(mine, theirs, size=1.0):
    """Equal to twelve digits of the larger of the number and what it is made of."""
    mine, theirs = number(mine), number(theirs)
    if np.isnan(theirs) or np.isinf(theirs):
        np.testing.assert_equal(mine, theirs)
    else:
        assert abs(mine - theirs) <= TOLERANCE * max(abs(theirs), size), (mine, theirs)


def random_case(i):
    """Predictions with ties, sometimes with weights, and a random scenario."""
    rng = np.random.default_rng(i)
    n = int(rng.integers(4, 400))
    truth = np.concatenate([[0, 1, 0, 1], rng.integers(0, 2, n)])
    score = np.round(truth * rng.random() + rng.normal(size=truth.size), int(rng.integers(0, 4)))
    weight = {}
    if i % 3 == 0:
        weight = {
            "sample_weight": rng.integers(1, 5, truth.size),
            "weight_kind": "frequency",
        }
    p = Predictions.of(truth, score=score, **weight)
    costs = dict(zip(("tp", "fp", "fn", "tn"), np.round(rng.normal(0, 10, 4), 2), strict=True))
    if i % 2:
        costs |= {"tp": -abs(costs["tp"]), "fp": abs(costs["fp"]), "fn": 0.0, "tn": 0.0}
    population = None if i % 4 < 2 else float(rng.integers(100, 10**6))
    prevalence = None if i % 5 < 3 else float(rng.uniform(0.01, 0.9))
    by = PLACES[i % len(PLACES)]
    value = float(rng.random())
    cases = float(p.weights.sum())
    if by == "number":
        value = float(np.floor(value * (population or cases)))
    if by == "threshold":
        value = float(rng.choice(score)) if rng.random() < 0.7 else float(rng.normal())
    return p, costs, {"population": population, "prevalence": prevalence}, (by, value)


ALL = """(l, {page_data, setting, place}) => {
  const [m] = l.modelsOf(page_data);
  const q = l.pointAt(m.table, place, setting);
  return { q, estimates: l.estimatesAt(m.table, q, setting), rates: l.ratesAt(m.table, q, setting),
           cells: l.cellsAt(m.table, q, setting), even: l.breakEven(q, setting),
           limits: l.bestLimits(m.table, m.parts, setting) };
}"""
NAMES = (
    "threshold", "taken", "selected", "share", "tp", "fp", "fn", "tn", "profit", "random", "gain",
    "recall", "precision", "lift", "accuracy", "population",
)  # fmt: skip


def setting_of(costs, options, level=0.95):
    return {"costs": costs, **options, "level": level, "z": normal_quantile(1 - level, tails=2)}


@pytest.mark.daily(i=range(4))
@pytest.mark.parametrize("i", range(30))  # each two choices of a case meet within 20
def test_a_point_and_its_sums_equal_those_of_python(modules, i):
    p, costs, options, (by, value) = random_case(i)
    level = CONFIDENCE_LEVELS[i % len(CONFIDENCE_LEVELS)]
    at = by if by in {"best", "worst"} else f"{by}={value!r}"
    theirs = cost_benefit(p, costs, at=at, confidence_level=level, **options)
    mine = modules(
        ALL,
        {
            "page_data": page_data(p),
            "setting": setting_of(costs, options, level),
            "place": {"by": by, "value": value},
        },
    )
    point = theirs.point
    size = max(map(abs, costs.values())) * point.population
    for name in NAMES:
        near(
            mine["q"][name],
            getattr(point, name),
            1.0 if name not in {"profit", "random", "gain"} else size,
        )
    near(mine["q"]["breakEven"], point.break_even)
    names = {
        "profit": "profit",
        "random": "random_profit",
        "gain": "gain",
        "advantage": "advantage",
    }
    for name, measure in names.items():
        e, m = theirs.table[measure], mine["estimates"][name]
        near(m["value"], e.value, size)
        assert (m["low"] is None) == (e.interval is None), (name, e)
        if e.interval is not None:
            near(m["low"], e.interval.low, size)
            near(m["high"], e.interval.high, size)
    if point.fp:
        near(mine["even"]["negative"], theirs.break_even_cost("fp"), size / point.fp)


@pytest.mark.daily
@pytest.mark.parametrize("unit", [1e-300, 1e-10, 1.0, 1e300])
@pytest.mark.parametrize("by", ["best", "worst"])
def test_the_unit_of_money_moves_no_place(modules, by, unit):
    p = Predictions.of([1, 1, 0, 1, 0, 0, 0, 0], score=[8, 7, 6, 5, 4, 3, 2, 1])
    costs = {"tp": -unit, "fp": 4 * unit, "fn": 0.0, "tn": 0.0}
    setting = setting_of(costs, {"population": None, "prevalence": None})
    place = {"by": by, "value": 0}
    q = modules(ALL, {"page_data": page_data(p), "setting": setting, "place": place})["q"]
    assert (
        q["selected"] == cost_benefit(p, costs, at=by).point.selected == (2 if by == "best" else 8)
    )


@pytest.mark.daily(i=range(4))
@pytest.mark.parametrize("i", range(20))
def test_rates_equal_those_of_python(modules, i):
    p, costs, options, _ = random_case(i)
    threshold = float(np.median(p.score))
    mine = modules(
        ALL,
        {
            "page_data": page_data(p),
            "setting": setting_of(costs, options),
            "place": {"by": "threshold", "value": threshold},
        },
    )["rates"]
    at = decide(replace_label(p, threshold), {"fn": 1, "fp": 1}, rule="given_labels",
                prevalence=options["prevalence"])  # fmt: skip
    for name in ("recall", "specificity", "precision"):
        e = at.table[name]
        near(mine[name]["value"], e.value)
        near(mine[name]["low"], e.interval.low)
        near(mine[name]["high"], e.interval.high)
    if options["prevalence"] is None:
        e = credibly.evaluate(replace_label(p, threshold), "accuracy")["accuracy"]
        near(mine["accuracy"]["value"], e.value)
        near(mine["accuracy"]["low"], e.interval.low)
        near(mine["accuracy"]["high"], e.interval.high)


def replace_label(p, threshold):
    return replace(p, label=(p.score >= threshold).astype(np.int8), score=None, cache={})


@pytest.mark.daily(i=[1])
@pytest.mark.parametrize("i", range(1, 21, 2))
def test_the_limits_of_the_best_place_are_those_of_python(modules, i):
    """The page keeps the hulls of the parts that Python draws, so the limits are the same, not alike."""
    p, costs, options, _ = random_case(i)
    mine = modules(
        ALL,
        {
            "page_data": page_data(p),
            "setting": setting_of(costs, options),
            "place": {"by": "best", "value": 0},
        },
    )["limits"]
    made = decide(p, costs, rule="minimum_cost", prevalence=options["prevalence"], rng=1)
    limits = made.decisions[0].threshold_interval
    if limits is None:
        assert mine["why"]
        return
    table = cost_benefit(p, costs, prevalence=options["prevalence"]).curve()
    share = table["selected"] / table["selected"][-1]
    for side, threshold in (("low", limits.high), ("high", limits.low)):
        # Python tells the score at which the share is reached, the page the share itself.
        place = int(np.searchsorted(share, mine[side] * (1 - 1e-12)))
        near(table["threshold"][place], threshold)


@pytest.mark.daily
@pytest.mark.parametrize("level", CONFIDENCE_LEVELS)
def test_quantiles_of_student(modules, level):
    freedoms = [1.0, 1.5, 2.0, 3.7, 9.0, 29.5, 30.0, 61.0, 412.3, 999.0, 1000.0, 1e5]
    z = normal_quantile(1 - level, tails=2)
    mine = modules(
        "(l, {level, z, freedoms}) => freedoms.map((f) => l.twoSided(level, z, f))",
        {"level": level, "z": z, "freedoms": freedoms},
    )
    for m, f in zip(mine, freedoms, strict=True):
        near(m, two_sided(level, f))


@pytest.mark.daily
def test_wilson(modules):
    cases = [(0, 5), (5, 5), (1, 3), (0.5, 7), (1417, 22285)]
    z = normal_quantile(0.05, tails=2)
    mine = modules(
        "(l, {z, cases}) => cases.map(([a, b]) => l.wilson(a, b, z))", {"z": z, "cases": cases}
    )
    for m, (part, whole) in zip(mine, cases, strict=True):
        limits = proportion_methods["wilson"](part, whole, 0.95)
        near(m["low"], limits.low)
        near(m["high"], limits.high)


@pytest.mark.daily(i=range(3))
@pytest.mark.parametrize("i", range(12))
def test_tangent_cost_curve_and_operating_range(modules, i):
    p, costs, options, _ = random_case(2 * i + 1)
    made = page_data(p)
    prevalence = options["prevalence"] or float(
        np.average(p.truth == p.positive, weights=p.weights)
    )
    mine = modules(
        """(l, {page_data, setting, prevalence}) => {
          const [m] = l.modelsOf(page_data);
          const trade = l.tradeOff(setting, prevalence);
          return { trade, tangent: l.tangentOf(l.cornersOf(page_data), trade), envelope: l.costEnvelope(m.table, m.hull),
                   range: l.operatingRange(0.2, 0.3), turning: l.turningCosts(m.table, m.hull, setting) };
        }""",
        {"page_data": made, "setting": setting_of(costs, options), "prevalence": prevalence},
    )
    theirs = credibly.hull(p).best(
        prevalence=prevalence, false_negative=-costs["tp"], false_positive=costs["fp"]
    )
    near(mine["tangent"]["slope"], theirs.slope)
    near(mine["tangent"]["corner"]["x"], theirs.point.false_positive_rate)
    near(mine["tangent"]["corner"]["y"], theirs.point.true_positive_rate)
    near(mine["trade"]["probabilityCost"], theirs.probability_cost)
    envelope = credibly.curve("cost", p)
    for m, x, y in zip(mine["envelope"], envelope.x, envelope.y, strict=True):
        near(m["x"], x)
        near(m["y"], y)
    for m, t in zip(
        mine["range"],
        operating_range(false_positive_rate=0.2, false_negative_rate=0.3),
        strict=True,
    ):
        near(m, t)
    for end, below, above in (("all", True, False), ("none", False, True)):
        turn = number(mine["turning"][end])
        if not (np.isfinite(turn) and turn > 0):
            continue
        for factor, expected in ((1 - 1e-6, below), (1 + 1e-6, above)):
            fp = {"fp": turn * factor}
            best = cost_benefit(p, costs | fp, prevalence=options["prevalence"]).point
            reached = best.share > 1 - 1e-9 if end == "all" else best.share == 0
            assert reached == expected, (end, factor, best)


@pytest.mark.daily(i=[0])
@pytest.mark.parametrize("i", range(6))
def test_drawn_curves_are_those_of_the_library(modules, i):
    p, costs, options, _ = random_case(i)
    mine = modules(
        """(l, {page_data, setting}) => { const [m] = l.modelsOf(page_data); return l.curvesAt(m.table, m.drawn, setting); }""",
        {"page_data": page_data(p), "setting": setting_of(costs, options)},
    )
    shift = {"prevalence": options["prevalence"]}
    roc = credibly.curve("roc", p)
    gains = credibly.curve("gains", p, **shift)
    found = cost_benefit(p, costs, **options).curve()
    by_threshold = dict(zip(roc.threshold.tolist(), zip(roc.x, roc.y, strict=True), strict=True))
    shares = dict(zip(gains.threshold.tolist(), gains.x, strict=True))
    profits = dict(zip(found["threshold"].tolist(), found["profit"], strict=True))
    size = max(map(abs, costs.values())) * (options["population"] or p.weights.sum())
    assert len(mine) <= 2000
    for q in mine:
        at = number(q["threshold"])
        near(q["alarms"], by_threshold[at][0])
        near(q["recall"], by_threshold[at][1])
        near(q["share"], shares[at])
        near(q["profit"], profits[at], size)
