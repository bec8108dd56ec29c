"""The same quantity is the same number, whoever shows it; and what differs has another name."""

import json
import warnings
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest

from credibly import (
    CostMatrix,
    DataError,
    ParameterError,
    Predictions,
    RowCosts,
    calibration,
    check,
    compare,
    cost_benefit,
    curve,
    decide,
    evaluate,
    plot,
    report,
    run,
)
from credibly._core.text import interval_text, lower_first
from credibly.app.calls import evaluate as evaluate_call
from credibly.app.declared_calls import CALLS
from credibly.app.session import Session
from credibly.calibration import class_calibration
from credibly.calibration.statistics import by_groups
from credibly.cli import main
from credibly.cli.commands.demo import COSTS as COSTS_OF_DEMO, _predictions as demo_predictions
from credibly.curves import average_curves
from credibly.errors import listed
from credibly.evaluation._declare import estimators
from credibly.evaluation.fold_estimators import automatic, headline_estimate
from credibly.intervals import bootstrap
from credibly.io import save
from credibly.measures import measures
from credibly.predictions.summaries import ScoreTable
from each import Each
from every.battery import CASES, COSTS, VARIANTS, name_of

AVERAGES = ("macro", "macro_occurring", "weighted", "weighted_predicted", "micro")
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


@pytest.mark.daily
@pytest.mark.parametrize("m", OF_CLASSES, ids=name_of)
@pytest.mark.parametrize("average", AVERAGES)
def test_an_average_is_the_same_at_every_door(m, average):
    case = SEVERAL[1]  # some cases are undecided
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
        return
    assert found["evaluate"][m.call].average == average
    assert found["evaluate"][m.call].value == near(expected)
    assert found["compare"].values[0] == near(expected)
    assert found["compare"].measure == f"{m.call}, {average} average"
    assert found["bootstrap"].values[0] == near(expected)


@pytest.mark.daily
@pytest.mark.parametrize("m", [m for m in VARIANTS if m.task == "numeric"], ids=name_of)
@pytest.mark.parametrize("average", AVERAGES)
def test_numbers_are_not_averaged_over_classes_for_one_reason(m, average):
    p = next(c for c in CASES if c.wholesome and not m.lacks(c.predictions)).predictions
    said = {
        tried(partial(m, p, average=average)),
        tried(partial(evaluate, p, m, average=average)),
        tried(partial(compare, {"a": p, "b": p}, measure=m, average=average)),
        tried(partial(bootstrap, p, m, average=average, rng=1, replicates=2)),
    }
    assert said == {
        f"{m.name} is about numbers, which have no classes. Leave out average={average!r}."
    }


@Each("m", WHOLE)
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
        assert "Leave out --average" in asked(capsys, *words, "--measure", name)


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


@Each("m", OF_CLASSES)
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


@Each("m", OF_CLASSES)
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


def test_every_door_says_which_measures_are_of_all_classes(tmp_path, capsys):
    p = SEVERAL[0].with_columns(positive=2)
    save(p, tmp_path / "p.parquet")
    shown = [m for m in OF_CLASSES if m.viewable]
    expected = {m.call: m.title + ("" if m.class_wise else ", all classes") for m in shown}
    words = ("evaluate", tmp_path / "p.parquet", "--interval", "none", "--measure")
    found = asked(capsys, *words, ",".join(expected))["estimates"]
    assert {e["measure"]: e["title"] for e in found} == expected
    table = evaluate(p, list(expected), interval="none")
    for m in shown:
        (e,) = table.where(measure=m.call)
        assert plot(table, "estimates", measure=m.call).title == e.name
    document = report(p, measures=list(expected)).document
    assert {e["measure"]: e["title"] for e in document.data["evaluation"]["estimates"]} == expected
    (grid,) = (
        b
        for s in document.sections
        for b in s.blocks
        if getattr(b, "caption", "").startswith("Estimates with")
    )
    assert [row[0] for row in grid.body] == [e.name for e in table.estimates]
    costs = {"costs": CostMatrix.of(1 - np.eye(3), classes=p.classes), "rule": "given_labels"}
    by_row = {**costs, "costs": RowCosts.of(np.tile(1 - np.eye(3), (p.n, 1, 1)), p.classes)}
    for given in (costs, by_row):
        assert decide(p, **given).table["average_cost"].title == "Average cost, all classes"


@pytest.mark.parametrize("name", ["auc", "recall", "fbeta", "brier", "ks", "average_precision"])
def test_a_bootstrap_is_of_the_positive_class(name):
    p = SEVERAL[0].with_columns(positive=2)
    options = {"interval": "bootstrap", "rng": 3, "replicates": 200}
    (of_class,) = evaluate(p, name, by="class", **options).where(**{"class": 2})
    same_estimate(evaluate(p, name, **options).estimates[0], of_class)
    if measures[name].reads is ScoreTable:  # a table of labels alone is drawn cell by cell
        same_estimate(evaluate(p, [name, "precision", "gini"], **options).estimates[0], of_class)


@Each("m", [m for m in OF_CLASSES if not m.by_request])
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


@pytest.mark.daily
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
    assert f"; AUC {auc['pooled']:.3g}, all cases pooled." in plot(p, "roc").alt
    for each in curve("roc", p, by=["repeat", "fold"]).values():
        assert each.estimate == ""
    direct = average_curves(curve("roc", p, by=["repeat", "fold"]), how)
    assert direct.label == ""


# --- one estimate stands for predictions --------------------------------------------------------

SCHEMES = ["naive-bayes", "tree(max_depth=2)"]
SIZE = 60


@cache
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(SIZE, 3))
    two = np.where(X[:, 0] + 0.8 * rng.normal(size=SIZE) > 0.3, "yes", "no")
    three = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + rng.normal(size=SIZE), [-0.4, 0.5])]
    return X, two, three


def ran(resampling, several=False, **more):
    X, two, three = data()
    more = more if several else {"positive": "yes", **more}
    return run(SCHEMES, X, three if several else two, resampling=resampling, rng=1, **more)


def weighted():
    p = ran("holdout")
    return replace(p, weight=1 + np.arange(p.n) % 3 * 1.0, weight_kind="frequency", cache={})


KINDS = {
    "folds": lambda: ran(5),
    "repeated folds": lambda: ran("2x5"),
    "bootstrap": lambda: ran("bootstrap(replicates=20)"),
    "holdout": lambda: ran("holdout"),
    "leave one out": lambda: ran("leave_one_out"),
    "groups": lambda: ran(5, groups=np.arange(SIZE) // 3),
    "independent data": lambda: ran("subsets(parts=4)"),
    "time": lambda: ran("time_ordered", time=np.arange(SIZE)),
    "three classes": lambda: ran(5, several=True),
    "one of three classes": lambda: ran(5, several=True, positive="c"),
    "bootstrap of three classes": lambda: ran("bootstrap(replicates=20)", several=True),
    "weights": weighted,
    "labels alone": lambda: replace(ran(5), probability=None, cache={}),
}
by_kind = Each("kind", KINDS, str)
SOME = [
    "bootstrap",
    "time",
    "three classes",
    "weights",
    "labels alone",
]  # of those above, for every day


@cache
def made(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return KINDS[kind]()


def of_model(p, model):
    return p.take(np.asarray(p.model) == model)


def standing(p, m):
    """What stands for a measure of one model."""
    costs = {"costs": zero_one(p)} if "cost" in m else {}
    estimate = headline_estimate(p, m)
    return evaluate(p, m, estimate=estimate, **costs).estimates[0]


def zero_one(p):
    return CostMatrix.of(1.0 - np.eye(len(p.classes)), classes=p.classes)


def same_estimate(found, expected):
    assert found.value == near(expected.value), found.measure
    assert (found.interval is None) == (expected.interval is None)
    if found.interval is not None:
        limits = [(i.low, i.high) for i in (found.interval, expected.interval)]
        assert limits[0] == near(limits[1])
        assert found.interval.about == expected.interval.about


@by_kind
def test_the_first_estimate_of_a_table_stands_for_predictions(kind):
    for model in SCHEMES:
        p = of_model(made(kind), model)
        first = evaluate(p, "error_rate").estimates[0]
        assert first.keys.get("estimate", "pooled") == headline_estimate(p) == automatic(p)[0].name


@pytest.mark.daily
@by_kind.apart
@pytest.mark.parametrize("alone", [True, False])
def test_decisions_that_keep_the_labels_repeat_the_evaluation(kind, alone):
    """Nothing is shown twice, and all is labelled by its estimate."""
    whole = made(kind)
    for model in SCHEMES:
        p = of_model(whole, model)
        table = decide(p if alone else whole, rule="given_labels").table
        mine = [e for e in table.estimates if e.keys.get("model", model) == model]
        assert len({e.measure for e in mine}) == len(mine)
        rates = ("recall", "specificity", "precision") if len(p.classes) == 2 else ()
        for name in ("average_cost", *rates):
            (found,) = (e for e in mine if e.measure == name)
            same_estimate(found, standing(p, name))
            assert found.keys.get("estimate", "pooled") == headline_estimate(p, name)
        (total,) = (e for e in mine if e.measure == "total_cost")
        assert total.keys.get("estimate", "pooled") == "pooled"
        pooled = evaluate(p, "total_cost", costs=zero_one(p), estimate="pooled").estimates[0]
        same_estimate(total, pooled)


def test_decisions_can_be_judged_on_all_cases_where_a_fold_leaves_nothing_to_say(tmp_path, capsys):
    p = Predictions.of(
        [1, 0] * 6 + [0] * 4, label=[1, 0, 0] * 5 + [0], fold=[0] * 12 + [1] * 4, n_train=8
    )
    made = decide(p, {"fn": 5, "fp": 1}, prevalence=0.1).table
    assert np.isnan(made["average_cost"].value)
    assert any("estimate='pooled'" in f.action for f in made.all_findings())
    pooled = decide(p, {"fn": 5, "fp": 1}, prevalence=0.1, estimate="pooled").table
    assert {e.keys["estimate"] for e in pooled.estimates} == {"pooled"}
    same_estimate(pooled["recall"], evaluate(p, "recall", estimate="pooled")["recall"])
    rates = {n: pooled[n].value for n in ("recall", "specificity")}
    cost = 0.1 * 5 * (1 - rates["recall"]) + 0.9 * (1 - rates["specificity"])
    assert pooled["average_cost"].value == near(cost)
    save(p, tmp_path / "p.parquet")
    words = ("--cost", "fn=5", "--cost", "fp=1", "--prevalence", "0.1", "--estimate", "pooled")
    told = asked(capsys, "decide", tmp_path / "p.parquet", *words)["estimates"]
    assert by_estimate(told) == by_estimate([e.to_dict() for e in pooled.estimates])
    with pytest.raises(ParameterError, match="estimate must be one of 'auto', 'pooled'; got '632"):
        decide(p, estimate="632+")


@by_kind
def test_costs_by_row_are_estimated_as_those_of_classes_are(kind):
    p = of_model(made(kind), SCHEMES[0])
    k = len(p.classes)
    rows = RowCosts.of(np.broadcast_to(1.0 - np.eye(k), (p.n, k, k)), p.classes)
    by_row = decide(p, rows, rule="given_labels").table
    by_class = decide(p, zero_one(p), rule="given_labels").table
    for name in ("average_cost", "saving", "total_cost"):
        assert by_row[name].value == near(by_class[name].value)
        assert by_row[name].keys == by_class[name].keys


@pytest.mark.daily(kind=SOME[::2])
@by_kind.apart
def test_a_report_shows_what_stands_for_predictions(kind):
    p = made(kind)
    document = report(p, costs=zero_one(p)).document
    best = document.models[0]
    data = document.data
    first = {}
    for e in data["evaluation"]["estimates"]:
        first.setdefault((e["model"], e["measure"]), e)
    grids = [b for s in document.sections for b in s.blocks if hasattr(b, "header")]
    for model in SCHEMES:
        mine = of_model(p, model)
        for (name, measure), e in first.items():
            if name == model and measure in measures:
                expected = standing(mine, measure)
                assert e["value"] == near(expected.value)
                assert e.get("estimate", "pooled") == headline_estimate(mine, measure)
    shown = next(g for g in grids if g.caption.startswith("Estimates with 95 % intervals"))
    column = shown.header.index(best)
    main = standing(of_model(p, best), "accuracy")
    assert shown.body[0][column] == interval_text(main.value, main.interval)
    costs = next(g for g in grids if g.caption.startswith("Decisions by the rule"))
    decided = decide(p, zero_one(p)).table
    assert costs.header[1:-1] == tuple(document.models)
    for name, column in zip(
        document.models, list(zip(*costs.body, strict=True))[1:-1], strict=True
    ):
        mine = [e for e in decided.estimates if e.keys["model"] == name]
        assert list(column[1:]) == [interval_text(e.value, e.interval) for e in mine]
    estimate = headline_estimate(of_model(p, best))
    if estimate != "pooled":
        assert costs.caption.endswith(estimators[estimate].title[1:])
        pooled = [row[0] for row in costs.body if row[0].endswith(", all cases pooled")]
        assert pooled[0].startswith("Total cost")
        rates = len(p.classes) == 2 and headline_estimate(of_model(p, best), "recall") == "pooled"
        assert len(pooled) == (4 if rates else 1)


@by_kind
def test_checks_judge_by_what_stands_for_predictions(kind):
    p = made(kind)
    values = {}
    for name in ("accuracy", "auc", "log_loss"):
        each = {m: of_model(p, m) for m in SCHEMES}
        if not measures[name].lacks(each[SCHEMES[0]]):
            values[name] = {m: standing(q, name).value for m, q in each.items()}
    best = {n: (min if n == "log_loss" else max)(v, key=v.get) for n, v in values.items()}
    apart = {n: b for n, b in best.items() if len(set(values[n].values())) > 1}
    apart = {n: b for n, b in apart.items() if not np.isnan(list(values[n].values())).any()}
    by = {}
    for name, model in apart.items():
        by.setdefault(model, []).append(lower_first(measures[name].title))
    said = "; ".join(f"{model} by {listed(names)}" for model, names in by.items())
    assert check(p)["measures-at-odds"].message == (
        f"The best model is {said}."
        if len(set(apart.values())) > 1
        else "The same model is best by all measures."
    )


@by_kind
def test_calibration_is_of_all_cases_pooled(kind):
    """Of a bootstrap, statistics were .632+ under groups of cases out of bag."""
    p = of_model(made(kind), SCHEMES[0])
    if p.probability is None:
        return
    c = calibration(p, of=p.classes[-1])
    (brier,) = pooled_by_class(p, "brier")[-1:]
    label = {} if headline_estimate(p) == "pooled" else {"estimate": "pooled"}
    assert {tuple(e.keys.items()) for e in c.table.estimates} == {tuple(label.items())}
    same_estimate(c.table["brier"], brier)
    for d in c.decompositions:
        name = "log_loss" if "log" in d.name else "brier"
        assert d.score == near(c.table[name].value)
    g = c.groups
    assert c.table["ece"].value == near(g.total @ np.abs(g.predicted - g.observed) / g.total.sum())
    if len(p.classes) > 2:
        classes = class_calibration(p, 5)
        assert [e.value for e in classes.classes.where(measure="brier_skill")] == near(
            [calibration(p, 5, of=n).table["brier_skill"].value for n in p.classes]
        )


def pooled_by_class(p, name):
    return evaluate(p, name, by="class", estimate="pooled").where(measure=name)


@by_kind
@pytest.mark.parametrize("measure", ["error_rate", "auc", "brier"])
def test_a_comparison_compares_an_estimate_of_the_table(kind, measure):
    """Means over folds, over data sets or over replicates, or all cases pooled, and it says which."""
    p = made(kind)
    if measures[measure].lacks(of_model(p, SCHEMES[0]), averaged=True):
        return
    found = tried_for_data(partial(compare, p, measure=measure))
    if found is None:
        return
    names = {"fold_mean": "folds", "dataset_mean": "data sets", "oob": "folds"}
    for model, value in zip(found.names, found.values, strict=True):
        mine = of_model(p, model)
        estimate = headline_estimate(mine, measure)
        assert found.mean_over == names.get(estimate, "")
        (e,) = evaluate(
            mine, measure, estimate="oob_mean" if estimate == "oob" else estimate
        ).estimates
        assert value == near(e.value), estimate
    assert ("(means over " in str(found)) == bool(found.mean_over)
    assert f"(means over {found.mean_over})" in str(found) or not found.mean_over


def tried_for_data(function):
    try:
        return function()
    except DataError:
        return None


def test_a_headline_says_that_it_is_about_all_classes():
    p = made("one of three classes")
    assert "Its accuracy, all classes, lies between" in report(p).document.headline
    asked_for = report(p, measure="fbeta(beta=2)").document.headline
    assert "reaches an F-measure (beta=2) of 0." in asked_for
    assert "Its F-measure lies between" in asked_for


@pytest.mark.thorough
def test_the_demonstration_says_what_its_report_says(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["demo"]) == 0
    printed = capsys.readouterr().out
    assert main(["demo", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["estimates"]
    p = demo_predictions()
    reported = report(p, costs=COSTS_OF_DEMO, measures=["error_rate", "auc"]).document
    for e in reported.data["evaluation"]["estimates"]:
        if e.get("estimate") != headline_estimate(p):
            continue
        (same,) = (t for t in told if all(t[k] == e[k] for k in ("model", "measure", "estimate")))
        assert (same["value"], same["interval"]) == (e["value"], e["interval"])
    best = standing(of_model(p, reported.models[0]), "error_rate")
    low, high = (round(1000 * x) for x in (best.interval.low, best.interval.high))
    assert f"({low} to {high} with 95 % confidence)" in printed
    page = (tmp_path / "credibly-demo.html").read_text(encoding="utf-8")
    right = standing(of_model(p, reported.models[0]), "accuracy")
    assert interval_text(right.value, right.interval) in page


def session_with(path):
    session = Session()
    return session, session.keep_file(path, {}, path.name).id


@pytest.mark.daily(kind=SOME[::2])
@by_kind.apart
def test_files_commands_and_pages_give_the_numbers_of_the_functions(kind, tmp_path, capsys):
    p = made(kind)
    names = [n for n in ("error_rate", "auc", "brier", "log_loss") if lacks_nothing(n, p)]
    path = tmp_path / "p.parquet"
    save(p, path)
    expected = by_estimate(json.loads(evaluate(p, names).to_json())["estimates"])
    assert (
        by_estimate(asked(capsys, "evaluate", path, "--measure", ",".join(names))["estimates"])
        == expected
    )
    session, kept = session_with(path)
    assert (
        by_estimate(evaluate_call(session, id=kept, measures=names).to_dict()["estimates"])
        == expected
    )
    decided = by_estimate(decide(p, rule="given_labels").to_dict()["estimates"])
    told = asked(capsys, "decide", path, "--rule", "given_labels")["estimates"]
    assert by_estimate(told) == decided
    if p.has_positive and p.probability is not None:
        options = {"costs": {"tp": -3.0, "fp": 1.0}, "at": "30%"}
        sums = cost_benefit(p, **options)
        called = next(c.function for c in CALLS if c.path == "/api/cost-benefit")
        assert by_estimate(called(session, id=kept, **options).table.to_dict()["estimates"]) == (
            by_estimate(sums.table.to_dict()["estimates"])
        )
        for point in sums.points:
            (profit,) = sums.table.where(measure="profit", model=point.model)
            assert profit.value == near(point.profit)


def lacks_nothing(name, p):
    return not measures[name].lacks(of_model(p, SCHEMES[0]), averaged=True)


def by_estimate(estimates):
    """Values and limits by what they are of, as near as files keep them."""
    return {(e.get("model"), e.get("estimate"), e["measure"]): near_limits(e) for e in estimates}


def near_limits(e):
    limits = e["interval"] or {"low": None, "high": None}
    values = [e["value"], limits["low"], limits["high"]]
    plain = [np.nan if v is None else float(v) for v in values]
    return [f"{v:.11e}" for v in plain]  # rounded, so that they can be looked up
