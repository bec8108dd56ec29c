"""Rows that stand for many cases: whatever is asked of them, nothing grows with how many they stand for."""

import resource
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import credibly
from credibly import CrediblyError, Predictions
from credibly._core.declared import Registry
from credibly.calibration.recalibration import recalibrations
from credibly.comparisons import comparisons
from credibly.curves import curves
from credibly.curves.bands import band_methods
from credibly.decisions import decision_rules
from credibly.decisions.draws import MANY_CASES, MAX_DRAWN_BY_PLACE, deals, drawn
from credibly.decisions.problem import DecisionProblem
from credibly.ensembles import combinations, combine, diversity
from credibly.evaluation._declare import estimators
from credibly.intervals import bootstrap
from credibly.intervals.methods import interval_methods
from credibly.measures import measures
from credibly.plots import plots
from each import Each

FEW, MUCH = 100.0, 1e8
ROOM = 1_000_000_000  # bytes, of which four rows need next to nothing and 4e8 cases several times as much
COSTS = {"tp": -1, "fp": 1, "fn": 2}
GIVEN = {
    "capacity": {"number": 40},
    "budget": {"amount": 40},
    "weighted": {"weights": {"a": 1, "b": 2}},
}


def of(weight, **columns):
    given = {"probability": [0.9, 0.6, 0.4, 0.1], **columns}
    size = len(next(iter(given.values())))
    kind = {"sample_weight": [weight] * size, "weight_kind": "frequency"}
    return Predictions.of([1, 0, 1, 0] * (size // 4), **given, **kind)


def two(weight):
    return of(
        weight, probability=[0.9, 0.6, 0.4, 0.1, 0.7, 0.5, 0.3, 0.2], row=[0, 1, 2, 3] * 2,
        model=["a"] * 4 + ["b"] * 4,
    )  # fmt: skip


def three(weight):
    shares = np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.2, 0.6], [0.5, 0.3, 0.2]])
    return Predictions.of(
        ["a", "b", "c", "b"],
        probability=shares,
        sample_weight=[weight] * 4,
        weight_kind="frequency",
    )


def numbers(weight):
    return Predictions.of(
        [1.0, 2.0, 3.0, 4.0], value=[1.1, 2.5, 2.7, 4.2], sample_weight=[weight] * 4,
        weight_kind="frequency",
    )  # fmt: skip


def folds(weight):
    p = np.tile([0.9, 0.6, 0.4, 0.1], 10) + np.linspace(-0.05, 0.05, 40)
    each = {"row": np.tile(np.arange(20), 2), "fold": np.tile(np.repeat(np.arange(5), 4), 2)}
    return of(weight, probability=p, model=["a"] * 20 + ["b"] * 20, n_train=[80] * 40, **each)


KINDS = {
    "two classes": of,
    "two models": two,
    "three classes": three,
    "numbers": numbers,
    "folds": folds,
}


def page(p):
    from credibly.app.page_data import parts_of
    from credibly.predictions.summaries import ScoreTable

    return parts_of(DecisionProblem.of(p, COSTS), ScoreTable.of(p))


def called(name):
    given = ", ".join(f"{k}={v!r}" for k, v in GIVEN.get(name, {}).items())
    return f"{name}({given})" if given else name


def doors():
    """Return every verb with every registered way to ask it, by name."""
    made = {
        "evaluate": credibly.evaluate,
        "bootstrap": lambda p: bootstrap(p, ["auc"] if p.task != "numeric" else ["rmse"], rng=1),
        "cost_benefit": lambda p: credibly.cost_benefit(p, COSTS, rng=1),
        "cost_benefit at": lambda p: credibly.cost_benefit(p, COSTS, at="30%").selected(rng=1),
        "calibration": lambda p: credibly.calibration(p, rng=1, replicates=50),
        "hull": credibly.hull,
        "diversity": diversity,
        "check": credibly.check,
        "report": lambda p: credibly.report(p).markdown(),
        "parts of the page": page,
        "to JSON": lambda p: credibly.evaluate(p).to_json(),
    }
    made |= {f"measure {m.name}": lambda p, m=m: m(p) for m in measures if not m.by_request}
    made |= {
        f"interval {i.name}": lambda p, i=i: credibly.evaluate(
            p, interval=i.name, rng=1, replicates=50
        )
        for i in interval_methods
    }
    made |= {
        f"estimate {e.name}": lambda p, e=e: credibly.evaluate(p, estimate=e.name)
        for e in estimators
    }
    made |= {
        f"decide {r.name}": lambda p, r=r: credibly.decide(p, COSTS, rule=called(r.name), rng=1)
        for r in decision_rules
    }
    made |= {f"curve {c.name}": lambda p, c=c: credibly.curve(c.name, p) for c in curves}
    made |= {
        f"curve roc {b.name}": lambda p, b=b: credibly.curve("roc", p, band=b.name, rng=1)
        for b in band_methods
    }
    made |= {
        f"recalibrate {r.name}": lambda p, r=r: credibly.recalibrate(p, p, method=r.name)
        for r in recalibrations
    }
    made |= {
        f"compare {t.name} {m}": lambda p, t=t, m=m: credibly.compare(
            p, measure=m, test=t.name, rng=1
        )
        for t in comparisons
        for m in ("error_rate", "auc", "brier")
    }
    made |= {
        f"compare with a value {t.name}": lambda p, t=t: credibly.compare(
            p, measure="error_rate", test=t.name, against=0.3, rng=1
        )
        for t in comparisons
    }
    made |= {
        f"compare others {t.name}": lambda p, t=t: credibly.compare(
            p, p, measure="error_rate", test=t.name, independent=True, rng=1
        )
        for t in comparisons
    }
    made |= {
        f"combine {c.name}": lambda p, c=c: combine(p, called(c.name), rng=1) for c in combinations
    }
    made |= {f"plot {k.name}": lambda p, k=k: credibly.plot(p, k.name) for k in plots}
    made |= {
        f"plot of {name}": lambda p, name=name: credibly.plot(made[name](p))
        for name in ("evaluate", "cost_benefit", "bootstrap", "calibration", "hull", "check")
    }
    return made


@contextmanager
def little_memory():
    lines = Path("/proc/self/status").read_text().splitlines()
    used = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmData"))
    before = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (used + ROOM, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def outcome(door, p):
    """Return what kind of answer there is, or which refusal."""
    try:
        return type(door(p)).__name__
    except CrediblyError as error:
        return type(error).__name__


DOORS = doors()


@pytest.mark.thorough
@Each("name", DOORS).in_turn("kind", list(KINDS), again=0)
def test_nothing_grows_with_frequencies(name, kind):
    few = outcome(DOORS[name], KINDS[kind](FEW))
    with little_memory():
        assert outcome(DOORS[name], KINDS[kind](MUCH)) == few


class TestDrawing:
    """Counted rows are drawn from as their cases would be."""

    def problem(self, weight, seed=3):
        rng = np.random.default_rng(seed)
        score = np.arange(60) / 60
        truth = np.tile([0, 1], 30)
        share = np.where(truth == 1, score, 1 - score) * 2
        counts = np.ceil(weight * share * rng.uniform(0.5, 1.5, 60))
        p = Predictions.of(truth, score=score, sample_weight=counts, weight_kind="frequency")
        return DecisionProblem.of(p, {"fp": 1, "fn": 2})

    def test_few_counted_cases_give_what_their_rows_give(self):
        counted = self.problem(20)
        assert counted.size < MANY_CASES
        for verb in (credibly.decide, partial(credibly.cost_benefit)):
            tables = [
                verb(problem.cases, {"fp": 1, "fn": 2, "tp": -1}, rng=1).table
                for problem in (counted, counted.expanded())
            ]
            for mine, theirs in zip(*(t.estimates for t in tables), strict=True):
                assert mine.value == pytest.approx(theirs.value, rel=1e-12)
                assert mine.interval.low == pytest.approx(theirs.interval.low, rel=1e-9)

    def test_thresholds_of_counted_cases_have_the_limits_of_their_rows(self):
        counted = self.problem(400)
        limits = [
            credibly.decide(
                q.cases, {"fp": 1, "fn": 2}, rule="minimum_cost", rng=1
            ).threshold_interval
            for q in (counted, counted.expanded())
        ]
        assert limits[0] == limits[1]

    @pytest.mark.parametrize("scale", [1, 40, 10**6, 10**9])
    def test_parts_have_the_mean_and_the_spread_of_cases_without_replacement(self, scale):
        weight = np.array([50, 0, 300, 1250]) * 15 * scale
        n, m, share = weight.sum(), 900, weight / weight.sum()
        rng = np.random.default_rng(2)
        counts = np.array([drawn(weight, m, rng) for _ in range(4000)])
        assert (counts.sum(axis=1) == m).all()
        assert (counts[:, 1] == 0).all()
        variance = m * share * (1 - share) * (n - m) / (n - 1)
        assert counts.mean(axis=0) == pytest.approx(
            m * share, abs=4 * variance.max() ** 0.5 / 4000**0.5
        )
        assert counts.var(axis=0) == pytest.approx(variance, rel=0.12)

    @pytest.mark.parametrize("weight", [700, 3 * MAX_DRAWN_BY_PLACE])
    def test_folds_have_all_cases_and_each_class_alike(self, weight):
        problem = self.problem(weight)
        ((dealt, fold),) = deals(problem, 1)
        cases = dealt.cases
        assert dealt.size == problem.size
        assert cases.n <= 10 * problem.cases.n
        for truth in (0, 1):
            sizes = np.bincount(fold, cases.weights * (cases.truth == truth), 10)
            assert sizes == pytest.approx(sizes.mean(), rel=0.01)
        back = np.bincount(np.searchsorted(problem.cases.score, cases.score), cases.weights)
        assert np.array_equal(back, problem.cases.weights)

    def test_a_rare_class_is_dealt_evenly_beside_many(self):
        p = Predictions.of(
            [1, 0, 0], score=[0.9, 0.8, 0.1], sample_weight=[20, 1e9, 1e9], weight_kind="frequency"
        )
        ((dealt, fold),) = deals(DecisionProblem.of(p, {"fp": 1, "fn": 2}), 1)
        rare = dealt.cases.truth == 1
        assert np.bincount(fold[rare], dealt.cases.weights[rare]).tolist() == [2.0] * 10

    def test_many_counted_cases_cost_what_their_rows_cost(self):
        from credibly.decisions.uncertainty import cross_fitted

        problem = self.problem(1000)
        rule = decision_rules["minimum_cost"]
        found = []
        for q in (problem, problem.expanded()):
            whole, cost = cross_fitted(rule, q, seed=1)
            found.append(whole.estimate("cost", "Cost", cost, 0.95))
        mine, theirs = found
        assert mine.n == theirs.n
        assert mine.value == pytest.approx(theirs.value, abs=0.002)
        assert mine.interval.high - mine.interval.low == pytest.approx(
            theirs.interval.high - theirs.interval.low, rel=0.02
        )


@Each("total", [1, 7, 400, 10**6, 4 * 10**8, 10**12])
@pytest.mark.parametrize("away", [-2.0, -0.5, 0.0, 0.5, 2.0])
@pytest.mark.parametrize("share", [0.0, 0.001, 1 / 3, 0.5, 0.9, 1.0])
def test_exact_tests_look_at_no_list_of_outcomes(total, share, away):
    from scipy.stats import binomtest

    from credibly.comparisons.influence import binomial_tail

    spread = (total * share * (1 - share)) ** 0.5
    part = int(min(max(total * share + away * spread, 0), total))
    for alternative in ("two-sided", "less", "greater"):
        reference = binomtest(part, total, share, alternative=alternative).pvalue
        found = binomial_tail(part, total, share, alternative)
        # Beyond 1e9 cases scipy's own search for the other side loses digits.
        assert found == pytest.approx(reference, rel=1e-9 if total < 10**9 else 1e-3, abs=1e-300)


def test_every_registry_of_ways_to_ask_has_its_doors():
    """A way to ask that is declared later is among the doors by being registered."""
    asked = {interval_methods, decision_rules, curves, recalibrations, comparisons, combinations}
    assert all(isinstance(r, Registry) for r in asked)
    names = " ".join(DOORS)
    assert all(entry.name in names for registry in asked for entry in registry)
