"""What every public function does with arguments that are not what it takes: it answers, or refuses in our words."""

import inspect
import warnings
from typing import Any

import numpy as np
import pytest

import credibly
from credibly import CostMatrix, CrediblyError, ParameterError, Predictions, RowCosts
from credibly._core.parameters import rule_of_choice
from credibly._core.signatures import hints_of
from credibly.app.page_data import page_data
from credibly.comparisons import Areas
from credibly.curves import curves
from credibly.intervals import bootstrap
from credibly.measures import measures
from credibly.predictions.summaries import BinaryCounts, Counts
from each import Each
from every.additions import ByHand
from every.kinds import kinds
from every.kinds_of_tables import TABLES

RNG = np.random.default_rng(1)
Y = np.arange(12) % 2
CASES = Predictions.of(Y, probability=np.clip(0.3 * Y + 0.6 * RNG.random(12), 0.01, 0.99))
OTHERS = Predictions.of(Y, probability=RNG.random(12))
TASKS = Predictions.of(outcome={"a": Y, "b": 1 - Y}, columns={"task": list("xxxyyy") * 2})
TRIED = Predictions.of(outcome=Y, row=np.arange(12) // 3, repeat=np.arange(12) % 3)
FEW = Predictions.of([1, 0, 1, 0, 1, 0, *[None] * 6], label=Y)
X = RNG.normal(size=(12, 2))
COSTS = {"fn": 5, "fp": 1}
WRONG = {
    "none": None, "negative": -1, "nan": float("nan"), "text": "text", "dictionary": {"a": 1},
    "nothing": [], "mixed": ["a", 1, None], "ragged": [[1, 2], [3]], "matrix": np.eye(2),
    "empty": np.array([]), "object": object(), "huge": 10**400,
}  # fmt: skip


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("arguments") / "cases.csv"
    path.write_text("y,p\n1,0.9\n0,0.4\n1,0.3\n0,0.2\n")
    return path


def recipes(file):
    """Return a call of each public function that does; a new one needs its own."""
    columns = {"truth": "y", "probability": "p"}
    calls = {
        "agreement": ([{"a": [1, 0, 1, 1], "b": [1, 0, 0, 1]}], {}),
        "at_k": ([TRIED, 2], {}),
        "attempts": ([TRIED], {}),
        "benchmarks": ([TASKS], {"replicates": 200}),
        "best_of": ([CASES], {"replicates": 20, "rng": 1}),
        "bias_variance": (["zero-r", X, Y], {"replicates": 3, "rng": 1, "progress": False}),
        "calibration": ([CASES], {}),
        "check": ([CASES], {}),
        "clustering_mdl": ([X], {"k": [1, 2], "rng": 1}),
        "compare": ([CASES, OTHERS], {}),
        "conformal": ([CASES, OTHERS], {}),
        "corrected_rate": ([230, 1000, 45, 50, 92, 100], {}),
        "cost_benefit": ([CASES, COSTS], {}),
        "curve": (["roc", CASES], {}),
        "decide": ([CASES, COSTS], {}),
        "evaluate": ([CASES], {"measures": "auc"}),
        "expected_loss": (["brier", [0.3, 0.7], [0.5, 0.5]], {}),
        "few_labels": ([FEW], {}),
        "detectable_difference": ([CASES, OTHERS, "brier"], {"difference": 0.2}),
        "flips": ([CASES, OTHERS], {}),
        "forecasts": ([[1.0, 2.0, 4.0]], {"members": [[1, 2], [2, 3], [1, 5]]}),
        "gate": ([CASES, OTHERS], {"margin": 0.1}),
        "hull": ([CASES], {}),
        "interval": ([75, 100], {}),
        "label_sets": ([[[1, 0], [1, 1]], [[1, 0], [0, 1]]], {}),
        "mdl": (["zero-r", X, Y], {}),
        "merge": ([CASES, OTHERS], {}),
        "plot": ([CASES], {}),
        "prediction_sets": ([["a", "b"], [["a"], ["a", "b"]]], {}),
        "rankings": ([{"q": {"a": 1, "b": 0}}, {"q": {"a": 2, "b": 1}}], {}),
        "read": ([file], columns),
        "read_forecasts": ([file, "y"], {"members": "p*"}),
        "read_label_sets": (
            [TABLES["label_sets"](), ["drama", "comedy"]],
            {"label": ["pred_drama", "pred_comedy"]},
        ),
        "read_prediction_sets": (
            [TABLES["prediction_sets"](), "truth", ["in_cat", "in_dog", "in_fox"]],
            {},
        ),
        "read_rankings": ([TABLES["rankings"]()], {"score": ["old", "new"]}),
        "read_survival": ([TABLES["survival"]()], {"risk": ["cox_risk", "forest_risk"]}),
        "recalibrate": ([CASES, OTHERS], {"replicates": 20}),
        "report": ([CASES], {}),
        "survival": ([[1, 2, 3], [1, 0, 1]], {"risk": [3, 1, 2]}),
        "run": (["zero-r", X, Y], {"resampling": 2, "rng": 1, "progress": False}),
        "sample_size": ([CASES, "brier", 0.2], {}),
        "save": ([CASES, file.with_suffix(".jsonl")], {}),
        "scorer": (["auc"], {}),
        "search": (["lift"], {}),
        "show": (["lift chart"], {}),
        "slices": ([TASKS], {"by": "task", "replicates": 50, "rng": 1}),
        "summarise": ([file], columns),
        "worst_cases": ([CASES], {}),
    }
    return ByHand("Add a call of {name} to recipes() of tests/every/test_arguments.py.", calls)


VERBS = [n for n in credibly.__all__ if inspect.isfunction(inspect.unwrap(getattr(credibly, n)))]


def refused_or_answered(function, arguments, options, told, warned="ignore"):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(warned)
            str(function(*arguments, **options))
    except CrediblyError:
        return
    except Exception as error:
        pytest.fail(f"{told}: {type(error).__name__}: {error}")


@pytest.mark.daily
@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("name", VERBS)
def test_every_argument_of_every_verb(name, kind, file, monkeypatch):
    monkeypatch.chdir(file.parent)
    function, wrong = getattr(credibly, name), WRONG[kind]
    arguments, options = recipes(file)[name]
    function(*arguments, **options)
    for i in range(len(arguments)):
        given = [*arguments[:i], wrong, *arguments[i + 1 :]]
        refused_or_answered(function, given, options, (f"argument {i}", kind))
    for q in list(inspect.signature(function).parameters.values())[len(arguments) :]:
        if q.name == "n_jobs" and isinstance(wrong, int):
            continue  # as many processes: `tests/running/test_parallel.py` starts some
        if q.kind not in {q.VAR_KEYWORD, q.VAR_POSITIONAL}:
            refused_or_answered(function, arguments, {**options, q.name: wrong}, (q.name, kind))


@pytest.mark.daily(kind=list(kinds())[::8])  # the others are drawn every day
@pytest.mark.parametrize("kind", kinds())
def test_every_verb_on_every_kind_of_predictions(kind, file, monkeypatch):
    monkeypatch.chdir(file.parent)
    p = kinds()[kind]
    calls = {name: call for name, call in recipes(file).items() if any(a is CASES for a in call[0])}
    assert len(calls) > 10
    for name, (arguments, options) in calls.items():
        given = [p if any(a is c for c in (CASES, OTHERS)) else a for a in arguments]
        refused_or_answered(getattr(credibly, name), given, options, (name, kind), "error")
    for more in (
        {"by": "class"},
        {"average": "macro"},
        {"interval": "bootstrap", "rng": 1, "replicates": 20},
    ):
        refused_or_answered(credibly.evaluate, [p], more, ("evaluate", more), "error")
    refused_or_answered(bootstrap, [p, ["error_rate"]], {"rng": 1, "replicates": 20}, kind, "error")
    refused_or_answered(page_data, [p], {}, ("page_data", kind), "error")


@Each("name", [*VERBS, "Predictions"])
def test_every_verb_knows_the_types_of_its_arguments(name):
    function = Predictions.of if name == "Predictions" else getattr(credibly, name)
    inner = inspect.unwrap(getattr(function, "__func__", function))
    assert inner is not function
    hints, written = hints_of(inner), inner.__annotations__
    assert hints
    assert {n for n, hint in hints.items() if hint is Any} <= {
        n for n, w in written.items() if w == "Any"
    }


@Each("name", VERBS)
def test_every_verb_refuses_another_choice_and_level_before_it_begins(name):
    function = getattr(credibly, name)
    hints = hints_of(inspect.unwrap(function))
    choices = {n: rule for n, hint in hints.items() if (rule := rule_of_choice(hint))}
    wrong: dict[str, Any] = dict.fromkeys(choices, "no such choice")
    if "confidence_level" in hints:
        wrong["confidence_level"] = 95
    for argument, value in wrong.items():
        needed = [
            q for q in inspect.signature(function).parameters.values() if q.default is q.empty
        ]
        others = {
            q.name: object() for q in needed if q.kind in {q.POSITIONAL_OR_KEYWORD, q.KEYWORD_ONLY}
        }
        with pytest.raises(ParameterError, match=f"{argument} must") as error:
            function(**others | {argument: value})
        assert argument not in choices or error.value.choices == choices[argument].choices


@Each("column", list(inspect.signature(Predictions.of).parameters)[1:-1])
@pytest.mark.parametrize("kind", WRONG)
def test_every_column_of_predictions(column, kind):
    for given in ({"probability": CASES.probability}, {"score": CASES.probability}):
        options = {**given, column: WRONG[kind]}
        refused_or_answered(Predictions.of, [Y], options, (column, kind))
    refused_or_answered(Predictions.of, [WRONG[kind]], {"label": Y}, ("y_true", kind))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: credibly.calibration({"y": [1, 0]}), "calibration takes Predictions; got dict"),
        (lambda: credibly.merge({"a": 1}), "merge: parts must be Predictions"),
        (lambda: credibly.evaluate({"a": 1}), "takes Predictions; got dict"),
        (lambda: credibly.save([1], "x.csv"), "save takes Predictions; got list"),
        (lambda: credibly.save(CASES, 3), "path must be text or a path; got 3"),
        (lambda: CostMatrix([[0, 1]], classes=["a", "b"]), "needs 2 rows"),
        (lambda: CostMatrix(["a"], classes=3), "class labels"),
        (lambda: CostMatrix.binary(fp=1).cost("a", "b"), "no class 'a'"),
        (lambda: RowCosts("x", "ab"), "numbers"),
        (lambda: Areas((0.9,), 5, 5, 0.5), "two models"),
        (lambda: Areas(0.9, 5, 5, 0.5), "Areas: values must be a list of a number"),
        (lambda: Areas((0.9, 0.8), 0, 5, 0.5), "both classes"),
    ],
)
def test_what_is_wrong_is_said(wrong, said):
    with pytest.raises(CrediblyError) as error:
        wrong()
    assert said in str(error.value)


def test_a_cost_matrix_is_made_as_it_is_written():
    made = CostMatrix([[0, 1], [5, 0]], classes=["good", "bad"])
    assert made.cost("bad", "good") == 5
    assert eval(repr(made)).values.tolist() == made.values.tolist()


def test_areas_are_compared_by_the_test_that_reads_them():
    found = credibly.compare(Areas((0.9, 0.8), positives=51, negatives=58, correlation=0.5))
    assert found.test == "hanley_mcneil"
    assert found.statistic == pytest.approx(2.579653)


def test_a_table_of_two_outcomes_is_a_table():
    outcomes = BinaryCounts.of_outcomes(tp=3, fp=1, fn=2, tn=4)
    assert measures["accuracy"].of_summary(outcomes) == 0.7
    for m in measures:
        wanted = m.given(costs=CostMatrix.binary()) if m.name.endswith("_cost") else m
        wanted = wanted.given(k=1) if any(q.name == "k" for q in m.parameters) else wanted
        if m.reads not in {Counts, BinaryCounts}:
            with pytest.raises(
                ParameterError, match=rf"reads {m.reads.__name__}; got BinaryCounts"
            ):
                wanted.of_summary(outcomes)
        for wrong in (None, CASES, "text"):
            with pytest.raises(ParameterError, match=f"reads {m.reads.__name__}; got"):
                wanted.of_summary(wrong)


@pytest.mark.parametrize("kind", [c for c in curves if not any(q.required for q in c.parameters)])
def test_curves_refuse_other_summaries(kind):
    with pytest.raises(ParameterError, match=f"reads {kind.reads.__name__}; got"):
        kind.of_summary(CASES)
