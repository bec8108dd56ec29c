"""What must hold of every comparison, naming none of them."""

import json
import math
import re

import numpy as np
import pytest

import credibly.comparisons as package
from credibly import ParameterError
from credibly.catalogue.entries import facts_of, summary_of
from credibly.comparisons import Cases, DatasetTable, Samples, Single, comparisons
from credibly.measures import measures
from credibly.predictions.summaries import ScoreTable
from each import Each
from every.additions import example_runs
from every.evidence import EVERY, evidence, judge, measure_of, shuffled, transformed

every = Each("entry", EVERY)
judging = Each("entry", [e for e in EVERY if not e.bayesian])
signed = Each("entry", [e for e in EVERY if e.signed and not e.bayesian])
sided = Each("entry", [e for e in EVERY if e.alternatives and not e.bayesian])
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (1, 2))]


def test_there_are_comparisons():
    assert len(EVERY) > 30


# --- what a declaration says --------------------------------------------------------------------


@every
def test_is_described(entry):
    assert entry.title
    assert re.search(r"\b(1[89]|20)\d\d\b", entry.cite), "a reference has a year"
    assert summary_of(entry).endswith("."), summary_of(entry)
    assert bool(entry.null) != entry.bayesian
    assert not entry.null.endswith(".")
    assert entry.assumptions
    facts = facts_of(entry)
    assert facts["reference"] == entry.cite
    assert facts["null"] == entry.null.format(measure="expected value of the measure")


@every
def test_worked_example_runs(entry):
    names = {**{n: getattr(package, n) for n in package.__all__}, **{e.name: e for e in EVERY}}
    example_runs(entry, **names)


@every
def test_parameters_refuse_what_their_rule_refuses(entry):
    for q in entry.parameters:
        with pytest.raises(ParameterError, match=q.name):
            entry(evidence(entry), rng=1, **{q.name: q.rule.broken_by})
    with pytest.raises(ParameterError, match="no parameter 'nonsense'"):
        entry(evidence(entry), rng=1, nonsense=1)


@every
def test_refuses_evidence_of_another_kind(entry):
    other = DatasetTable if entry.reads is not DatasetTable else Single
    stranger = next(e for e in EVERY if e.reads is other)
    with pytest.raises(ParameterError, match=f"{entry.name} needs {entry.reads.__name__}; got"):
        entry(evidence(stranger))


@every
def test_an_alternative_is_one_of_three(entry):
    with pytest.raises(ParameterError, match="alternative"):
        entry(evidence(entry), rng=1, alternative="both")
    if not entry.alternatives:
        with pytest.raises(ParameterError, match="one-sided"):
            entry(evidence(entry), rng=1, alternative="less")
    if not (entry.signed and entry.shifts):
        with pytest.raises(ParameterError, match="margin"):
            entry(evidence(entry), rng=1, margin=0.1)


# --- what a result holds ------------------------------------------------------------------------


@every
@pytest.mark.parametrize("seed", SEEDS)
def test_result(entry, seed):
    result = judge(entry, evidence(entry, seed=seed))
    assert entry.bayesian or 0 <= result.pvalue <= 1
    assert len(result.assumptions) == len(entry.assumptions)
    assert math.isnan(result.difference) != entry.signed
    limits = result.confidence_interval
    if limits is None:
        assert result.why_no_interval
    else:
        assert limits.low <= result.difference <= limits.high
        assert limits.about == result.about
    text = str(result)
    assert entry.bayesian or "rejected" in text
    assert "accept" not in text.lower()
    assert max(map(len, "\n".join(result.laid_out()).splitlines())) <= 120


@every
def test_goes_to_json_and_back(entry):
    result = judge(entry, evidence(entry))
    back = json.loads(result.to_json())
    assert back["test"] == entry.name
    if not entry.bayesian:
        assert back["pvalue"] == result.pvalue
    assert back["statistic"] == (None if math.isnan(result.statistic) else result.statistic)
    assert set(result.to_dict()) <= set(back)
    assert len(result.frame()) == 1
    header, body = result.cells()
    assert all(len(row) == len(header) for row in body)


@every
def test_the_same_seed_gives_the_same_result(entry):
    first, second = (judge(entry, evidence(entry), rng=7).to_json() for _ in range(2))
    assert first == second
    if entry.random:
        fixed, seeded = (judge(entry, evidence(entry), rng=seed) for seed in (None, 1))
        assert fixed.pvalue == seeded.pvalue or math.isnan(fixed.pvalue)
        assert [f.code for f in fixed.findings if f not in seeded.findings] == ["unseeded"]


@every
def test_inputs_are_not_modified(entry):
    given = evidence(entry)
    models = getattr(given, "models", None) or [m for m in [getattr(given, "model", None)] if m]
    arrays = [getattr(given, name) for name in ("a", "b", "table") if hasattr(given, name)]
    before = [m.fingerprint for m in models], [np.array(a) for a in arrays]
    judge(entry, given)
    for m in models:
        m.cache.pop("fingerprint")
    assert [m.fingerprint for m in models] == before[0]
    assert all((a == b).all() for a, b in zip(arrays, before[1], strict=True))


# --- equal models, swapped models ---------------------------------------------------------------


@judging
@pytest.mark.parametrize("seed", SEEDS)
def test_equal_models_are_not_told_apart(entry, seed):
    result = judge(entry, evidence(entry, 0, 0, seed))
    assert result.pvalue == pytest.approx(1.0, abs=1e-9)
    assert not result.rejected
    if entry.signed:
        assert result.difference == pytest.approx(0.0, abs=1e-12)


def close(entry):
    """Replicates of different samples have seeds of their own, by place: swapping changes them."""
    return {"abs": 0.15} if entry.random and entry.reads is Samples else {"rel": 1e-7, "abs": 1e-12}


@judging
@pytest.mark.parametrize("seed", SEEDS)
def test_swapping_the_models_turns_the_sign(entry, seed):
    if entry.reads is Single:
        pytest.skip("one model")
    result, swapped = (judge(entry, evidence(entry, *pair, seed)) for pair in ((0, 1), (1, 0)))
    if entry.reads.__name__ == "Overlap":  # the second lacks rows, so the pair is another one
        assert 0 <= swapped.pvalue <= 1
        return
    assert swapped.pvalue == pytest.approx(result.pvalue, **close(entry))
    if entry.signed:
        assert swapped.difference == pytest.approx(-result.difference, rel=1e-9, abs=1e-12)


@sided
@pytest.mark.parametrize("seed", SEEDS)
def test_sides(entry, seed):
    given = evidence(entry, seed=seed)
    two, less, greater = (
        judge(entry, given, alternative=a).pvalue for a in ("two-sided", "less", "greater")
    )
    assert less + greater >= 1 - 1e-9, "what is seen belongs to both sides"
    assert min(less, greater) <= two + 1e-12
    # An exact test need not double the smaller side, and permutations have two sides of their own.
    assert two <= 2 * min(less, greater) + (0.2 if entry.random or entry.reads is Single else 1e-9)
    if entry.reads not in {Single} and entry.reads.__name__ != "Overlap":
        back = judge(entry, evidence(entry, 1, 0, seed), alternative="less").pvalue
        assert back == pytest.approx(greater, **close(entry))
    result = judge(entry, given)
    favoured = "greater" if result.difference > 0 else "less"
    if abs(result.difference) > 1e-9:
        assert {"greater": greater, "less": less}[favoured] <= 0.5 + 1e-9


@sided
@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_an_interval_has_the_bounds_of_its_one_sided_test(entry, alternative):
    result = judge(entry, evidence(entry, seed=1), alternative=alternative)
    limits = result.confidence_interval
    if limits is None:
        pytest.skip("no interval")
    assert (result.confidence_level, limits.confidence_level) == (0.95, pytest.approx(0.9))
    assert "(90 % interval, each limit is a 95 % bound" in " ".join(str(result).split())
    with pytest.raises(ParameterError, match=r"above 0\.5 for one-sided"):
        judge(entry, evidence(entry), alternative=alternative, confidence_level=0.4)


@signed
@pytest.mark.parametrize("seed", SEEDS)
def test_margins(entry, seed):
    if not entry.shifts:
        pytest.skip("only tests equality")
    given = evidence(entry, seed=seed)
    size = max(0.02, abs(judge(entry, given).difference))
    small, large = (judge(entry, given, margin=m * size) for m in (0.5, 20.0))
    assert small.pvalue >= large.pvalue
    assert large.pvalue < 0.05, "a wide margin holds any difference"
    assert small.confidence_level == 0.95
    if small.confidence_interval:
        assert small.confidence_interval.confidence_level == pytest.approx(0.9)
    lower = judge(entry, given, margin=0.5 * size, alternative="greater").pvalue
    upper = judge(entry, given, margin=0.5 * size, alternative="less").pvalue
    assert small.pvalue == pytest.approx(max(lower, upper), rel=1e-9)
    for wrong in (0, -0.1, math.nan, math.inf):
        with pytest.raises(ParameterError, match="margin"):
            judge(entry, given, margin=wrong)


@pytest.mark.parametrize("entry", [e for e in EVERY if e.reads is Cases], ids=lambda e: e.name)
def test_the_order_of_rows_does_not_matter(entry):
    if entry.random or "ordered" in entry.assumptions:
        pytest.skip("random by row, or about rows in order of time")
    given = evidence(entry)
    moved = judge(entry, shuffled(given))
    assert moved.pvalue == pytest.approx(judge(entry, given).pvalue, rel=1e-7)


@pytest.mark.parametrize("entry", [e for e in EVERY if e.reads is Cases], ids=lambda e: e.name)
def test_scores_may_be_on_any_scale(entry):
    """Whatever compares a measure of ranks sees ranks alone."""
    name = measure_of(entry)
    if measures[name].reads is not ScoreTable:
        try:
            given = evidence(entry, measure="auc")
            plain = judge(entry, given)
        except ParameterError:
            pytest.skip("not about ranks")
    else:
        given = evidence(entry)
        plain = judge(entry, given)
    if given.measure.reads is not ScoreTable or "label" in str(entry.doc.split("\n")[0]):
        pytest.skip("not about ranks")
    assert judge(entry, transformed(given)).pvalue == pytest.approx(plain.pvalue, rel=1e-6)


def test_a_name_with_arguments_is_read():
    entry = next(e for e in EVERY if e.parameters)
    q = entry.parameters[0]
    found = comparisons.parse(f"{entry.name}({q.name}={q.default!r})")
    assert found.name == entry.name
    assert found.arguments == {q.name: q.default}
    assert comparisons.parse(entry) is entry
    with pytest.raises(ParameterError, match="no comparison"):
        comparisons.parse("nonsense")
