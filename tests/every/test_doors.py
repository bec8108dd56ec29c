"""All doors agree: what is shown of some predictions is the same number wherever it is shown."""

import json
import math
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import credibly
from credibly import CrediblyError, Predictions, evaluate, run
from credibly.errors import MissingColumnError
from credibly.intervals import bootstrap
from credibly.measures import measures
from each import Each
from every.doors import Door, every

DOORS = every()
# Commands and the page call the others, which other tests show: they are tried by CI. Of the rest each
# answers one of two questions every day, of the first predictions that it takes, and both of all in CI.
DIRECT = [d for d in DOORS if not d.name.startswith(("command ", "call "))]


def by_door(daily):
    """Try some doors every day, and in CI all of them, the direct ones with further predictions."""
    all_of_it = [pytest.param(d, d in DIRECT, marks=pytest.mark.thorough) for d in DOORS]
    cases = [*((d, False) for d in daily), *all_of_it]
    return pytest.mark.parametrize(("door", "further"), cases, ids=repr)


X, Y = (part[:120] for part in load_breast_cancer(return_X_y=True))
X = X[:, :4]
GROUPS = np.arange(120) // 3
TREE = "tree(max_depth=2)"


def _search():
    return GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=3)


def _with_training_part():
    p = run([TREE, "naive-bayes"], X, Y, resampling="3", rng=1)
    part = np.where(p.fold == 2, "test", "train")
    return Predictions.of(
        p.truth, probability=p.probability, model=p.model, row=p.row, part=part, positive=1
    )


def _empty_class():
    p = run("naive-bayes", *load_iris(return_X_y=True), resampling="3", rng=1)
    wide = np.column_stack([p.probability, np.zeros(p.n)])
    return Predictions.of(p.truth, probability=wide, classes=[0, 1, 2, 3])


KINDS = {
    "bootstrap": lambda: run(TREE, X, Y, resampling="bootstrap(replicates=6)", rng=1),
    "repeated folds": lambda: run(TREE, X, Y, resampling="3x4", rng=1),
    "leave one out": lambda: run("naive-bayes", X[:60], Y[:60], resampling="leave_one_out"),
    "nested search": lambda: run({"search": _search()}, X, Y, resampling="3", rng=1),
    "holdout with training part": _with_training_part,
    "validation part": lambda: run(TREE, X, Y, resampling="three_way", rng=1),
    "groups": lambda: run(TREE, X, Y, resampling="4", rng=1, groups=GROUPS),
    "repeated groups": lambda: run(TREE, X, Y, resampling="2x4", rng=1, groups=GROUPS),
    "time order": lambda: run(TREE, X, Y, resampling="time_ordered(k=4)", time=np.arange(120)),
    "independent data sets": lambda: run(TREE, X, Y, resampling="subsets(parts=4)", rng=1),
    "weights": lambda: run(TREE, X, Y, resampling="3", rng=1, sample_weight=np.arange(120) + 1.0, weight_kind="importance"),
    "frequencies": lambda: run(TREE, X, Y, resampling="2x3", rng=1, sample_weight=np.arange(120) % 3 + 1, weight_kind="frequency"),
    "labels only": lambda: Predictions.of(Y, label=Y[::-1], positive=1),
    "different outputs": lambda: run({"bayes": "naive-bayes", "svm": SVC()}, X, Y, resampling="3", rng=1),
    "three classes": lambda: run("naive-bayes", *load_iris(return_X_y=True), resampling="2x3", rng=1),
    "an empty class": _empty_class,
    "numbers": lambda: run("tree(max_depth=3)", *(a[:90] for a in load_diabetes(return_X_y=True)), resampling="bootstrap(replicates=5)", rng=1),
}  # fmt: skip
by_kind = Each("kind", KINDS, str)


@cache
def made(kind):
    return KINDS[kind]()


def models(p):
    return {None: p} if p.model is None else {str(k["model"]): q for k, q in p.groups(["model"])}


def same(a, b, rel=1e-12):
    return (math.isnan(a) and math.isnan(b)) or a == b or math.isclose(a, b, rel_tol=rel, abs_tol=rel)  # fmt: skip


def numbers(told, keys, path=()):
    """Yield the numbers that stand under some keys, with the way to them."""
    if isinstance(told, dict):
        for k, v in told.items():
            yield from numbers(v, keys, (*path, k))
    elif isinstance(told, list):
        for i, v in enumerate(told):
            if not isinstance(v, dict) or not str(v.get("measure")).startswith(BY_DEALS):
                yield from numbers(v, keys, (*path, i))
    elif isinstance(told, int | float) and not isinstance(told, bool) and keys & set(path):
        yield path, float(told)


@by_kind
def test_functions_of_measures_and_evaluate(kind):
    """The function of a measure is the value of all cases pooled."""
    p = made(kind)
    told = evaluate(p, estimate="pooled", interval="none")
    tried = 0
    for name, q in models(p).items():
        for m in measures:
            found = [e for e in told.estimates if e.measure == m.call and e.keys.get("model", name) == name]  # fmt: skip
            if not found:
                continue
            (shown,) = found
            if "missing-output" in {f.code for f in shown.findings}:
                with pytest.raises(MissingColumnError):
                    m(q)
                continue
            value = m(q, average=shown.average)
            assert same(value, shown.value), (m.name, name, value, shown.value)
            tried += 1
    assert tried > 5


@pytest.mark.daily(kind=["different outputs"])
@by_kind.apart
def test_frame_json_command_line_and_page_show_the_same_table(kind, tmp_path):
    p = made(kind)
    want = json.loads(evaluate(p, rng=1).to_json())
    table = evaluate(p)
    assert all(map(same, table.frame()["value"], (e.value for e in table.estimates)))
    doors = {d.name: d for d in DOORS}
    typed = doors["command evaluate"](p, tmp_path)
    assert typed["code"] == 0, typed["said"]
    for told in (typed["text"], doors["call /api/evaluate"](p, tmp_path)):
        assert dict(numbers(told, {"value", "low", "high", "n"})) == dict(
            numbers(want, {"value", "low", "high", "n"})
        )


@by_kind
def test_figures_show_the_pooled_values(kind):
    p = made(kind)
    if p.task == "numeric":
        return
    for name, q in models(p).items():
        value = {e.measure: e.value for e in evaluate(q, estimate="pooled", interval="none").estimates}  # fmt: skip
        if "accuracy" in value:
            matrix = credibly.plot(p, "confusion_matrix", model=name).layers[0].columns
            right = sum(v for v, x, y in zip(matrix["value"], matrix["x"], matrix["y"], strict=True) if x == y)  # fmt: skip
            assert same(right / sum(matrix["value"]), value["accuracy"], 1e-11)
            assert sum(matrix["value"]) == pytest.approx(q.weights.sum())
        if "auc" in value and q.has_positive:
            assert same(credibly.curve("roc", q).numbers["auc"], value["auc"])


@by_kind
def test_a_bootstrap_of_a_measure_is_about_the_same_value_and_units(kind):
    p = next(iter(models(made(kind)).values()))
    name = "mae" if p.task == "numeric" else "error_rate"
    (shown,) = evaluate(p, name, estimate="pooled", interval="bootstrap", rng=3, replicates=200).estimates  # fmt: skip
    drawn = bootstrap(p, [name], rng=3, replicates=200)
    assert same(drawn.values[0], shown.value)
    if shown.interval is not None:
        limits = drawn.interval(name)
        assert (limits.low, limits.high) == (shown.interval.low, shown.interval.high)
    figure = credibly.plot(p, "sampling_distribution", measure=name, rng=3, replicates=200)
    assert f"around {shown.value:.4g}," in figure.alt


def corrupted(p):
    """Other predictions for the rows that models have seen."""
    seen = p.seen
    other = replace(seen, label=1 - seen.label, probability=1 - seen.probability, cache={})
    return replace(p, seen=other, cache={})


@by_door(daily=DIRECT[::2])
def test_what_models_have_seen_is_not_judged(door: Door, further, tmp_path):
    p = made("holdout with training part")
    assert p.seen is not None
    for q in (p, one(p)):  # some doors are of one model
        told, want = (without_names(door(r, tmp_path), r) for r in (corrupted(q), q))
        assert told == want
        if not further and not refused(told):
            break


def without_names(told, p):
    """Leave out the fingerprints, and the numbers by which a process tells clips of its pictures apart."""
    said = json.dumps(told).replace(p.fingerprint, "...")
    return json.loads(re.sub(r"\bclip\d+", "clip", said))


def predictions(times):
    """Two models on the same cases, each predicted so many times in the same way."""
    q = made("holdout with training part")
    one = replace(q, seen=None, part=None, cache={})
    rows = np.tile(np.arange(one.n), times)
    more = {} if times == 1 else {"repeat": np.repeat(np.arange(times), one.n)}
    return Predictions.of(
        one.truth[rows], probability=one.probability[rows], model=one.model[rows],
        row=one.row[rows], positive=1, n_train=80, **more,
    )  # fmt: skip


@pytest.mark.parametrize("door", [d for d in DOORS if d.name.startswith("verb ")], ids=repr)
def test_every_verb_that_shows_findings_counts_cases_without_a_truth(door: Door, tmp_path):
    whole = made("holdout with training part")
    found = replace(whole, seen=None, part=None, cache={})
    unknown = found.truth.astype(float)
    unknown[found.row == found.row[0]] = np.nan
    p = Predictions.of(
        unknown, probability=found.probability, model=found.model, row=found.row, positive=1
    )
    answers = [t for t in (door(both(p), tmp_path), door(one(p), tmp_path)) if not refused(t)]
    told = [t for t in answers if isinstance(t, dict) and "findings" in t]
    if not told:
        pytest.skip("it shows no findings, or takes neither one nor two models of two classes")
    assert all("missing-truth" in json.dumps(t["findings"]) for t in told)


BY_DEALS = "cross_fitted_"  # cases are dealt into folds at random
SHOWN = {"value", "x", "y", "layers", "points"}
LIMITS = {"low", "high", "left", "right", "interval", "y2", "band", "opacity", "draws"}
# About draws, which differ, or about how values vary from one repeat to the next, which here they do not.
# What is about repeats themselves: how values vary between them; and what takes one of them.
OF_REPEATS = {"sampling_distribution", "conformal"}


@cache
def of_learning():
    """What is said of models on repeated cases without folds wherever they are compared."""
    with pytest.raises(MissingColumnError) as error:
        credibly.compare(predictions(2))
    return str(error.value).partition(";")[0]


@by_door(daily=DIRECT[1::2])
def test_cases_that_are_predicted_repeatedly_count_once(door: Door, further, tmp_path):
    if door.name.split()[-1].removeprefix("/api/") in OF_REPEATS:
        pytest.skip("it is about repeats themselves, or takes one of them")
    answered = 0
    for some in (both, one):
        once, twice = (door(some(predictions(times)), tmp_path) for times in (1, 2))
        if refused(once):
            continue
        if refused(twice) and of_learning() in str(twice):
            pytest.skip("it compares models, which with repeats is about learning")
        assert not refused(twice), twice
        compared(once, twice)
        answered += 1
        if not further:
            break
    if not answered:
        pytest.skip(f"it takes neither one nor two models of two classes: {once}")


def both(p):
    return p


def one(p):
    return p.where(model=TREE)


def refused(told):
    if isinstance(told, str):
        return told.startswith("refused:")
    return isinstance(told, dict) and told.get("code", 0) != 0


def statuses(told):
    """What checks say, which show no numbers of their own; one of them is about repeats."""
    checks = told.get("text", told).get("checks", []) if isinstance(told, dict) else []
    return {c["code"]: c["status"] for c in checks if c["code"] != "rows-wrong-every-time"}


def compared(once, twice):
    want = [(path, v) for path, v in numbers(once, SHOWN) if not LIMITS & set(path)]
    told = [(path, v) for path, v in numbers(twice, SHOWN) if not LIMITS & set(path)]
    assert want or statuses(once) == statuses(twice)
    assert len(told) == len(want)
    for (path, a), (_, b) in zip(told, want, strict=True):
        assert same(a, b, 1e-9), (path, a, b)


def test_several_models_are_not_mixed_by_a_function_of_a_measure():
    with pytest.raises(CrediblyError, match="2 models"):
        measures["auc"](predictions(1))
