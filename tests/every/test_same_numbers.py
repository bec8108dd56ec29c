"""The same quantity is the same number, whoever shows it; and what differs has another name."""

import json
from functools import partial

import pytest

from credibly import ParameterError, compare, evaluate
from credibly.cli import main
from credibly.intervals import bootstrap
from credibly.io import save
from every.battery import CASES, COSTS, VARIANTS, name_of

AVERAGES = ("macro", "weighted", "weighted_predicted", "micro")
SEVERAL = [c for c in CASES if len(c.columns.get("classes", ())) == 3 and c.wholesome]
BINARY = [c for c in CASES if len(c.columns.get("classes", ())) == 2 and c.wholesome]
OF_CLASSES = list({m.name: m for m in reversed(VARIANTS) if m.task == "classification"}.values())
WHOLE = [m for m in OF_CLASSES if m.viewable and not m.class_wise]


def near(value):
    return pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True)


def tried(function):
    """Return the number, or the refusal."""
    try:
        return function()
    except ParameterError as refusal:
        return str(refusal)


def asked(capsys, *words):
    """Return what a command says: its JSON, or its complaint."""
    code = main([*map(str, words), "--json"])
    said = capsys.readouterr()
    return json.loads(said.out) if code == 0 else said.err


def other(case):
    """The same cases, predicted by another model."""
    return case.rows(list(range(case.n)), label=case.columns["label"][::-1].copy())


# --- averages over classes ----------------------------------------------------------------------


@pytest.mark.parametrize("m", OF_CLASSES, ids=name_of)
@pytest.mark.parametrize("average", AVERAGES)
def test_an_average_is_the_same_at_every_door(m, average):
    for case in SEVERAL[:2]:
        p = case.predictions
        models = {"a": p, "b": case.once("other", partial(other, case))}
        shuffled = {"test": "permutation(permutations=99)", "rng": 1}
        expected = tried(partial(m, p, average=average))
        found = {
            "evaluate": tried(partial(evaluate, p, m, average=average, interval="none")),
            "compare": tried(partial(compare, models, measure=m, average=average, **shuffled)),
            "bootstrap": tried(partial(bootstrap, p, m, average=average, rng=1, replicates=2)),
        }
        if isinstance(expected, str):
            assert set(found.values()) == {expected}
            continue
        assert found["evaluate"][m.call].average == average
        assert found["evaluate"][m.call].value == near(expected)
        assert found["compare"].values[0] == near(expected)
        assert found["compare"].measure == f"{m.call}, {average} average"
        assert found["bootstrap"].values[0] == near(expected)


@pytest.mark.parametrize("m", WHOLE, ids=name_of)
def test_of_two_classes_either_against_the_rest_is_the_whole(m):
    for case in BINARY:
        p = case.predictions
        if m.lacks(p):
            continue
        assert m.by_class(p) == near([m.value(p)] * 2)
        for average in AVERAGES:
            given = {"average": average}
            found = tried(partial(m, p, **given))
            assert isinstance(found, str) or found == m.value(p)
            table = tried(partial(evaluate, p, m, interval="none", **given))
            assert found == (table if isinstance(table, str) else table[m.call].value)


@pytest.mark.parametrize("average", AVERAGES)
def test_the_command_line_averages_as_the_function_does(average, tmp_path, capsys):
    p = SEVERAL[0].predictions
    save(p, tmp_path / "p.parquet")
    values = {m.call: tried(partial(m, p, average=average)) for m in OF_CLASSES if m.viewable}
    refused = [name for name, value in values.items() if isinstance(value, str)]
    accepted = {name: value for name, value in values.items() if name not in refused}
    words = ("evaluate", tmp_path / "p.parquet", "--average", average, "--interval", "none")
    found = asked(capsys, *words, "--measure", ",".join(accepted))
    assert {e["average"] for e in found["estimates"]} == {average}
    assert {e["measure"]: e["value"] for e in found["estimates"]} == near(accepted)
    for name in refused[:2]:
        assert "leave out --average" in asked(capsys, *words, "--measure", name)


def test_a_panel_says_what_it_does_not_average():
    p = SEVERAL[0].predictions
    table = evaluate(p, average="weighted", interval="none")
    assert {e.measure for e in table.estimates if e.average is None} == {
        m.name for m in OF_CLASSES if not m.class_wise and not m.by_request and not m.arguments
    } - {"total_cost", "average_cost"}
    assert "not-averaged" in {f.code for f in table.findings}
    (said,) = evaluate(p, ["mcc", "recall"], average="macro").findings
    assert said.code == "averaged"
    assert "Matthews correlation is averaged over each class" in said.message


# --- one class of several -----------------------------------------------------------------------


@pytest.mark.parametrize("m", OF_CLASSES, ids=name_of)
def test_a_measure_is_of_the_positive_class_or_says_that_it_is_of_all(m):
    for case in SEVERAL:
        whole = case.predictions
        for positive in (0, 2):
            p = case.once(positive, partial(case.with_columns, positive=positive))
            (e,) = evaluate(p, m, confidence_level=0.9).estimates
            assert e.value == near(m(p))
            if not m.class_wise:
                assert e.title == f"{m.title}, all classes"
                assert e.value == near(m(whole))
                continue
            assert e.title == m.title
            (of_class,) = evaluate(p, m, by="class", confidence_level=0.9).where(
                **{"class": positive}
            )
            assert e.value == near(of_class.value)
            assert e.interval == of_class.interval
            assert e.why_no_interval == of_class.why_no_interval


@pytest.mark.parametrize("m", OF_CLASSES, ids=name_of)
def test_a_comparison_is_of_the_positive_class_or_says_that_it_is_of_all(m):
    case = SEVERAL[0]
    p = case.with_columns(positive=2)
    q = case.with_columns(positive=2, label=case.columns["label"][::-1].copy())
    models, shuffled = {"a": p, "b": q}, {"test": "permutation(permutations=99)", "rng": 1}
    found = compare(models, measure=m, **shuffled)
    assert found.values == near((m(p), m(q)))
    assert found.measure == m.call + ("" if m.class_wise else ", all classes")
    if m.class_wise and m.smooth:
        views = {n: m.view(r) for n, r in models.items()}
        given, by_hand = (tried(partial(compare, v, measure=m)) for v in (models, views))
        assert str(given) == str(by_hand)


@pytest.mark.parametrize("m", [m for m in OF_CLASSES if not m.by_request], ids=name_of)
def test_by_class_shows_each_class_of_every_measure_that_can_be_asked_of_one(m):
    for case in SEVERAL:
        table = evaluate(case.predictions, m, by="class", interval="none")
        if m.viewable:
            assert [e.keys.get("class") for e in table.estimates] == [0, 1, 2]
            assert [e.value for e in table.estimates] == near(list(m.by_class(case.predictions)))
        else:
            assert m.arguments["costs"] is COSTS
            assert [e.keys for e in table.estimates] == [{}]
