"""The same quantity is the same number, whoever shows it; and what differs has another name."""

import json
from functools import partial

import numpy as np
import pytest

from credibly import ParameterError, Predictions, calibration, compare, curve, evaluate, plot
from credibly.cli import main
from credibly.curves import average_curves
from credibly.intervals import bootstrap
from credibly.io import save
from credibly.reliability import class_calibration
from credibly.reliability.statistics import by_groups
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


# --- calibration --------------------------------------------------------------------------------


def foretold(n=47, **more):
    rng = np.random.default_rng(3)
    q = rng.random(n)
    return Predictions.of((rng.random(n) < q**2).astype(int), probability=q, **more)


@pytest.mark.parametrize("remainder", ["last", "first", "spread"])
@pytest.mark.parametrize("rule", ["equal_size", "equal_width"])
@pytest.mark.parametrize("groups", [3, 10, [0.2, 0.5, 0.55]])
def test_calibration_errors_are_of_the_groups_above_them(groups, rule, remainder):
    p = foretold()
    c = calibration(p, groups, rule=rule, remainder=remainder)
    share, gap = c.groups.total / c.groups.total.sum(), c.groups.predicted - c.groups.observed
    table = c.table
    assert table["expected_calibration_error"].value == near(share @ np.abs(gap))
    assert table["ece"].value == table["expected_calibration_error"].value
    assert table["maximum_calibration_error"].value == near(np.abs(gap).max())
    root = np.sqrt(share @ gap**2)
    assert table["root_mean_squared_calibration_error"].value == near(root)
    debiased = table["debiased_calibration_error"]
    assert debiased.value <= root or (np.isnan(debiased.value) and c.groups.total.min() == 1)
    if rule == "equal_size" and isinstance(groups, int):
        assert table["adaptive_calibration_error"].value == near(np.abs(gap).mean())
    for m in by_groups(groups, rule, remainder):  # what it is called gives the number elsewhere too
        assert table[m.call].value == near(m(p))
    drawn = calibration(p, groups, rule=rule, remainder=remainder, rng=1, replicates=50).table
    assert [e.value for e in drawn.estimates] == near([e.value for e in table.estimates])
    assert drawn["root_mean_squared_calibration_error"].interval is not None
    assert f"the largest gap is {np.abs(gap).max():.3g}" in plot(c).alt


def test_calibration_of_classes_is_of_the_groups_asked_for():
    p = SEVERAL[0].predictions
    made = class_calibration(p, groups=2)
    for i, name in enumerate(p.classes):
        alone = calibration(p, 2, of=name).table
        for statistic in ("ece", "mce", "ace", "debiased_calibration_error"):
            (e,) = made.classes.where(measure=statistic, **{"class": name})
            assert e.value == near(alone[statistic].value), (statistic, i)
    assert made.average["log_loss"].value == near(evaluate(p, "log_loss")["log_loss"].value)
    assert made.average["log_loss"].average is None


# --- curves -------------------------------------------------------------------------------------


def in_folds(n=60, k=5, repeats=1, seed=4):
    """Scores of cases that were dealt into folds, as a run keeps them."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    each = []
    for repeat in range(repeats):
        q = np.clip(0.3 * y + 0.7 * rng.random(n), 0.01, 0.99)
        fold = rng.permutation(np.arange(n) % k)
        each.append((np.arange(n), q, fold, np.full(n, repeat)))
    row, q, fold, repeat = (np.concatenate(c) for c in zip(*each, strict=True))
    columns = {"row": row, "fold": fold, "repeat": repeat, "n_train": n - n // k}
    return Predictions.of(y[row], probability=q, positive=1, **columns)


@pytest.mark.parametrize("repeats", [1, 2])
@pytest.mark.parametrize("how", ["vertical", "threshold"])
def test_a_curve_says_which_estimate_its_number_is(repeats, how):
    p = in_folds(repeats=repeats)
    auc = {e.keys["estimate"]: e.value for e in evaluate(p, "auc").estimates}
    mean, pooled = curve("roc", p, average=how), curve("roc", p)
    assert (mean.label, mean.estimate, pooled.estimate) == ("", "fold_mean", "pooled")
    assert mean.numbers["auc"] == near(auc["fold_mean"])
    assert pooled.numbers["auc"] == near(auc["pooled"])
    assert mean.heading().startswith("ROC curve: ")
    assert mean.heading().endswith(f"auc {auc['fold_mean']:.4g} (mean over folds)")
    assert pooled.heading().endswith(f"auc {auc['pooled']:.4g} (all cases pooled)")
    assert f"(auc {auc['pooled']:.3g}, all cases pooled)" in plot(p, "roc").alt
    for each in curve("roc", p, by=["repeat", "fold"]).values():
        assert each.estimate == ""
    direct = average_curves(curve("roc", p, by=["repeat", "fold"]), how)
    assert direct.label == ""
