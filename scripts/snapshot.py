"""Write down what the public verbs answer, or compare what they answer now with what was written.

    python scripts/snapshot.py write FILE.json
    python scripts/snapshot.py compare FILE.json

Every call is public: a name of the library, found in whatever package exports it, or the command
line. Of an answer the numbers, keys, codes and names are kept; sentences, times, versions, sums of
bytes and paths are not. A call that raises is kept as its public class, so the snapshot is total.
`compare` prints what differs by call, and ends with exit code 1 if anything does.
"""

import contextlib
import csv
import importlib
import inspect
import io
import json
import math
import os
import pkgutil
import re
import sys
import tempfile
import warnings
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path

import numpy as np

import credibly

DIGITS, TOLERANCE, NOISE = 15, 1e-12, 1e-15
LONGEST = 40  # letters; what is longer is a sentence
SHOWN = 8  # differences of one call
ASIDE = "…"  # instead of a sentence
UNSTEADY = re.compile(r"seconds|elapsed|fingerprint|^(started|ended|times)$|(?<!schema_)versions?$")
HEXADECIMAL = re.compile(r"[0-9a-f]{12,}")
OF_PREDICTIONS = """
truth label score probability value weight weight_kind row model repeat fold part group n_train baseline
classes positive task cases
"""


# What is kept of an answer


def kept(value):
    """Return the part of a value that a redesign must not change, as plain JSON."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        sentence = " " in value or len(value) > LONGEST or os.sep in value
        return ASIDE if sentence or HEXADECIMAL.fullmatch(value) else value
    if isinstance(value, int | float | np.number):
        number = float(value)
        return float(f"{number:.{DIGITS}g}") if math.isfinite(number) else str(number)
    if hasattr(value, "items") and not hasattr(value, "to_json"):
        pairs = {str(key): item for key, item in value.items()}
        return {key: kept(item) for key, item in pairs.items() if not UNSTEADY.search(key)}
    if isinstance(value, np.ndarray):
        return kept(value.tolist())
    if isinstance(value, list | tuple | range):
        return [kept(item) for item in value]
    return kept(document(value))


def document(value):
    """Return a result as what it says of itself in JSON, else its public columns or fields."""
    if isinstance(value, credibly.Predictions):
        return predictions_document(value)
    for name in ("to_json", "json", "to_dict", "spec"):
        method = getattr(value, name, None)
        if callable(method):
            answer = method()
            made = json.loads(answer) if isinstance(answer, str) else answer
            return {k: v for k, v in made.items() if k != "config"} if name == "spec" else made
    if callable(getattr(value, "rows", None)):
        return value.rows()
    if is_dataclass(value):
        names = [f.name for f in fields(value) if not f.name.startswith("_")]
        return {name: getattr(value, name) for name in names}
    return type(value).__name__ if type(value).__str__ is object.__str__ else str(value)


def predictions_document(predictions):
    found = {name: getattr(predictions, name, None) for name in OF_PREDICTIONS.split()}
    made = getattr(predictions, "provenance", None)
    return {
        **{name: value for name, value in found.items() if value is not None},
        "findings": [(f.code, f.severity) for f in predictions.findings],
        "resampling": getattr(made, "resampling", None),
        "fits": len(getattr(made, "fits", ())),
    }


def raised(error):
    """Return the name of the nearest public class of an error."""
    names = [c.__name__ for c in type(error).__mro__]
    public = {n for n in credibly.__all__ if n.endswith("Error")}
    return {"raises": next((n for n in names if n in public), names[0])}


# How things are found and called


@cache
def public(name):
    """Return a public name of the library, wherever it lives."""
    if name in credibly.__all__:
        return getattr(credibly, name)
    for module in pkgutil.iter_modules(credibly.__path__, "credibly."):
        if module.ispkg and not module.name.startswith(("credibly._", "credibly.app")):
            package = importlib.import_module(module.name)
            if name in getattr(package, "__all__", ()):
                return getattr(package, name)
    msg = f"no package of credibly exports {name}"
    raise AttributeError(msg)


def command(*words):
    """Run the command line here; return its exit code, and its output where that is data."""
    from credibly.cli import main

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            code = main([str(w) for w in words])
        except SystemExit as stop:
            code = stop.code
    text = out.getvalue()
    if "--json" in words and text:
        return {"exit": code, "json": json.loads(text)}
    if "--csv" in words:
        rows = csv.reader(io.StringIO(text))
        return {"exit": code, "csv": [[cell(c) for c in row] for row in rows]}
    if "--markdown" in words:
        rows = [line.strip("| ").split("|") for line in text.splitlines() if line.startswith("|")]
        return {"exit": code, "markdown": [[cell(c.strip()) for c in row] for row in rows]}
    if "--help" in words:
        return {"exit": code, "options": sorted(set(re.findall(r"(?<=\s)--[a-z][a-z-]+", text)))}
    return {"exit": code}


def cell(text):
    try:
        return float(text)
    except ValueError:
        return text


@cache
def names_of(kind):
    """Return the names of everything declared of a kind."""
    listed = command("list", kind, "--json").get("json", {})
    return [entry["name"] for key in listed if key != "schema_version" for entry in listed[key]]


@cache
def thing(name):
    """Return a thing that calls speak of as `@name`, made once."""
    return THINGS[name]()


def kinds_of(name):
    """Return the names of the classes that a thing is of; none if it cannot be made."""
    try:
        return {c.__name__ for c in type(thing(name)).__mro__}
    except Exception:
        return set()


def meant(argument):
    """Return an argument with the things in it that are written `@name`."""
    if isinstance(argument, str) and argument.startswith("@"):
        return thing(argument[1:])
    if isinstance(argument, dict):
        return {key: meant(value) for key, value in argument.items()}
    return [meant(a) for a in argument] if isinstance(argument, list) else argument


def answer(verb, arguments, options):
    """Make one call and return what is kept of it."""
    try:
        function = STEPS.get(verb) or public(verb)
        return kept(function(*meant(list(arguments)), **meant(options)))
    except Exception as error:
        return raised(error)


def taken():
    """Return what is kept of every call, by how it is written."""
    answers = {}
    for verb, arguments, options in calls():
        written = [*(repr(a) for a in arguments), *(f"{k}={v!r}" for k, v in options.items())]
        answers[f"{verb}({', '.join(written)})"] = answer(verb, arguments, options)
    return answers


# What calls are about


def probability_of(truth, rng, pull=1.5):
    """Return probabilities that know something of a truth of 0 and 1, with ties."""
    return (1 / (1 + np.exp(-(rng.normal(size=len(truth)) + pull * (truth - 0.5))))).round(2)


def yes_or_no(n=80, share=0.4, seed=1, pull=1.5, given="probability", among=slice(None), **more):
    """Return predictions of the same cases for the same n, share and seed, or of some among them."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < share).astype(int)
    probability = probability_of(truth, np.random.default_rng([seed, n, round(10 * pull)]), pull)
    score = np.log(probability + 0.01)
    column = {
        "probability": {"probability": probability},
        "label": {"label": np.where(probability > 0.5, "yes", "no")},
        "score": {"score": score},
        "missing": {"score": np.where(np.arange(n) % 7 == 0, np.nan, score)},
    }[given]
    columns = {"row": np.arange(n), **column, **more}
    chosen = {name: c[among] if isinstance(c, np.ndarray) else c for name, c in columns.items()}
    truth = np.where(truth == 1, "yes", "no")[among]
    return credibly.Predictions.of(truth, positive="yes", **chosen)


def three_classes(given="probability", seed=2, **more):
    truth = np.random.default_rng(0).integers(0, 3, 75)
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet((1.0, 1.0, 1.0), 75) + 0.6 * np.eye(3)[truth]
    shares /= shares.sum(axis=1, keepdims=True)
    names = np.array(["a", "b", "c"], object)
    labels = names[shares.argmax(axis=1)]
    if given == "undecided":
        labels[::6] = None
    column = {"probability": shares} if given == "probability" else {"label": labels}
    return credibly.Predictions.of(
        names[truth], classes=["a", "b", "c"], row=range(75), **column, **more
    )


def numbers(seed=3, **more):
    truth = np.random.default_rng(3).gamma(3, 2, 60).round(2)
    value = (truth + np.random.default_rng(seed + 1).normal(0.2, 1.5, 60)).round(2).clip(0.1)
    return credibly.Predictions.of(truth, value=value, row=range(60), baseline=6.0, **more)


def resampled(repeats=1, folds=5, models=("bayes", "rule", "tree"), n=60):
    """Return predictions of several models, each row once in every repeat."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, n)
    blocks = [(m, r) for m in models for r in range(repeats)]
    parts = [probability_of(truth, rng, 1 + models.index(m)) for m, _ in blocks]
    count = len(blocks)
    return credibly.Predictions.of(
        np.tile(truth, count),
        probability=np.concatenate(parts),
        row=np.tile(np.arange(n), count),
        model=np.repeat([m for m, _ in blocks], n),
        repeat=np.repeat([r for _, r in blocks], n),
        fold=np.concatenate([np.random.default_rng(r).permutation(n) % folds for _, r in blocks]),
        n_train=n - n // folds,
    )


def inputs(kind="classes"):
    """Return three columns and a target to learn from."""
    rng = np.random.default_rng(5)
    columns = rng.normal(size=(60, 3)).round(2)
    noise = rng.normal(size=60)
    if kind == "numbers":
        return columns, (columns @ [1.0, -2.0, 0.5] + noise).round(2)
    if kind == "two":
        return columns, np.where(columns[:, 0] + 0.7 * noise > 0, "yes", "no")
    return columns, np.array(["a", "b", "c"])[np.digitize(columns[:, 0] + 0.5 * noise, [-0.5, 0.5])]


def values_by_fold(columns=2):
    rng = np.random.default_rng(6)
    table = (0.8 + 0.05 * rng.normal(size=(10, columns)) - 0.02 * np.arange(columns)).round(3)
    if columns == 2:
        return public("FoldValues")(*table.T, test_train_ratio=1.0, repeats=5, direction="higher")
    names = ("bayes", "rule", "tree", "vote")[:columns]
    return public("FoldTable")(table, names, direction="higher", test_train_ratio=1 / 9)


def tabled():
    """Return accuracies of four schemes on nine datasets, by column."""
    rng = np.random.default_rng(7)
    table = (0.8 + 0.05 * rng.normal(size=(9, 4)) - 0.03 * np.arange(4)).round(3)
    columns = dict(zip(("bayes", "rule", "tree", "vote"), table.T.tolist(), strict=True))
    return {"dataset": [f"d{i}" for i in range(9)], **columns}


def values_by_dataset(*columns):
    options = {"datasets": "dataset", "columns": columns or None, "measure": "accuracy"}
    return public("DatasetTable").of(tabled(), **options)


def stored():
    experiment = credibly.Experiment(
        ["zero-r", "naive-bayes", "tree(max_depth=2)"],
        {"classes": inputs(), "two": inputs("two")},
        resampling="2x3",
        measures=["error_rate", "auc"],
        rng=1,
        sizes=[0.5, 1.0],
    )
    return experiment.run("experiment", n_jobs=1, progress=False)


def ran(*schemes, kind="two", **options):
    return credibly.run(list(schemes), *inputs(kind), rng=1, progress=False, **options)


WEIGHTS = np.random.default_rng(8).integers(1, 4, 80)
THINGS = {
    "binary": yes_or_no,
    "other": lambda: yes_or_no(pull=0.8),
    "later": lambda: yes_or_no(seed=10, row=range(100, 180)),
    "labels": lambda: yes_or_no(given="label"),
    "scores": lambda: yes_or_no(given="score"),
    "missing": lambda: yes_or_no(given="missing"),
    "front": lambda: yes_or_no(among=slice(60)),
    "back": lambda: yes_or_no(pull=0.8, among=slice(20, 80)),
    "rare": lambda: yes_or_no(n=120, share=0.04),
    "frequency": lambda: yes_or_no(sample_weight=WEIGHTS, weight_kind="frequency"),
    "importance": lambda: yes_or_no(sample_weight=WEIGHTS / 2, weight_kind="importance"),
    "leaky": lambda: yes_or_no(group=np.arange(80) // 4, fold=np.arange(80) % 5, n_train=64),
    "grouped": lambda: yes_or_no(group=np.arange(80) // 4),
    "parts": lambda: yes_or_no(part=np.where(np.arange(80) % 4 == 0, "train", "test")),
    "three": three_classes,
    "three_positive": lambda: three_classes(positive="a"),
    "three_other": lambda: three_classes(seed=12),
    "three_labels": lambda: three_classes("label"),
    "undecided": lambda: three_classes("undecided"),
    "numeric": numbers,
    "numeric_other": lambda: numbers(seed=13),
    "models": resampled,
    "repeats": lambda: resampled(repeats=3, folds=4, models=("bayes", "tree"), n=40),
    "halves": lambda: resampled(repeats=5, folds=2, models=("bayes", "tree"), n=40),
    "one_class": lambda: credibly.Predictions.of([1] * 8, score=range(8)),
    "bootstrapped": lambda: ran("naive-bayes", "knn", resampling="bootstrap(replicates=10)"),
    "timed": lambda: ran("linear", kind="numbers", resampling="time_ordered", time=list(range(60))),
    "costs": lambda: credibly.CostMatrix.binary(fn=5, fp=1, negative="no", positive="yes"),
    "row_costs": lambda: credibly.RowCosts.binary(fn=WEIGHTS, fp=0.5, negative="no", positive="yes"),
    "three_costs": lambda: credibly.CostMatrix([[0, 1, 2], [3, 0, 1], [5, 4, 0]], classes=["a", "b", "c"]),
    "subsets": lambda: ran("naive-bayes", resampling="subsets(parts=3, k=2)"),
    "pairs": lambda: ran("naive-bayes", resampling="leave_pair_out"),
    "X": lambda: inputs()[0],
    "classes": lambda: inputs()[1],
    "two": lambda: inputs("two")[1],
    "numbers": lambda: inputs("numbers")[1],
    "alike": lambda: np.arange(80)[:, None] // 2,
    "weights": lambda: WEIGHTS[:60],
    "group": lambda: np.arange(60) // 5,
    "order": lambda: np.arange(60),
    "fold": lambda: np.arange(60) % 4,
    "fold_values": values_by_fold,
    "fold_table": lambda: values_by_fold(3),
    "datasets": values_by_dataset,
    "two_datasets": lambda: values_by_dataset("bayes", "tree"),
    "store": stored,
    # results, to be drawn and asked further
    "table": lambda: credibly.evaluate(thing("models"), ["accuracy", "auc"]),
    "by_fold": lambda: credibly.evaluate(thing("models"), "accuracy", by="fold"),
    "estimate": lambda: credibly.evaluate(thing("models"), "accuracy").estimates[0],
    "calibrated": lambda: credibly.calibration(thing("binary")),
    "recalibrated": lambda: credibly.recalibrate(thing("binary"), thing("later")),
    "tested": lambda: credibly.compare(thing("fold_values")),
    "compared": lambda: credibly.compare(thing("models"), measure="accuracy"),
    "ranked": lambda: credibly.compare(thing("datasets")),
    "roc": lambda: credibly.curve("roc", thing("binary"), band="ks"),
    "rocs": lambda: credibly.curve("roc", thing("models")),
    "hulled": lambda: credibly.hull(thing("models")),
    "decided": lambda: credibly.decide(thing("binary"), {"fn": 5, "fp": 1}),
    "profit": lambda: credibly.cost_benefit(thing("binary"), {"tp": -15, "fp": 4}),
    "described": lambda: credibly.mdl(["tree(max_depth=2)", "knn"], *inputs(), rng=1),
    "apart": lambda: credibly.bias_variance("knn", *inputs(), over={"k": [1, 9]}, replicates=5, rng=1, progress=False),
    "analysed": lambda: public("analyse")(thing("store"), "error_rate"),
    "replicates": lambda: public("bootstrap")(thing("binary"), ["accuracy"], replicates=100, rng=1),
    "grown": lambda: public("ensemble_curve")("bagging", *inputs(), sizes=[1, 3], resampling="3", rng=1, progress=False),
    "learnt": lambda: public("learning_curve")("naive-bayes", *inputs(), sizes=[0.5, 1.0], resampling="3", rng=1, progress=False),
    "pit": lambda: public("pit_histogram")(np.linspace(0.01, 0.99, 37) ** 2, bins=5),
    "quantiles": lambda: public("quantile_calibration")([1.0, 2.0, 3.0], [[1.5, 2.5]] * 3, [0.25, 0.75]),
    "won": lambda: public("wins_ties_losses")({d: values_by_fold(3) for d in ("one", "two")}),
}  # fmt: skip
PREDICTED = list(THINGS)[: list(THINGS).index("costs")]
RESULTS = list(THINGS)[list(THINGS).index("table") :]


# The calls, one a line
# fmt: off


def call(verb, *arguments, **options):
    return verb, arguments, options


def calls():
    """Yield every call: the verb, its arguments and its options."""
    for part in (
        interface,
        evaluations,
        ways_of_estimating,
        measures,
        comparisons,
        curves,
        calibrations,
        decisions,
        checks_and_reports,
        runs,
        theories,
        figures,
        files,
        experiments,
        commands,
        wrong_calls,
        wrong_commands,
    ):
        yield from part()


def interface():
    for name in credibly.__all__:
        yield call("parameters_of", name)
    yield call("credibly", "--help")
    for kind in KINDS.split():
        yield call("credibly", "list", kind, "--json")
        for name in names_of(kind):
            yield call("credibly", "show", kind, name, "--json")
    for verb in COMMANDS.split():
        yield call("credibly", *verb.replace("experiment-", "experiment ").split(), "--help", "--all")


def evaluations():
    for name in PREDICTED:
        yield call("evaluate", f"@{name}")
    for name in ("binary", "frequency", "importance", "grouped", "three", "numeric", "scores"):
        yield call("evaluate", f"@{name}", interval="bootstrap", rng=1, replicates=60)
        yield call("evaluate", f"@{name}", interval=None, confidence_level=0.9)
    for by in ("class", "occurring_class", "fold", "repeat", "model", ["repeat", "class"]):
        for name in ("repeats", "three"):
            yield call("evaluate", f"@{name}", ["accuracy", "recall", "auc"], by=by)
    yield call("evaluate", "@grouped", ["accuracy", "auc"], by="group")
    yield call("evaluate", "@parts", ["accuracy", "auc"], by="part")
    for average in ("macro", "macro_occurring", "micro", "weighted", "weighted_predicted"):
        yield call("evaluate", "@three", ["recall", "precision", "fbeta(beta=2)", "auc"], average=average)
        yield call("evaluate", "@undecided", ["recall", "mcc", "kappa"], average=average)
    for unclassified in ("error", "exclude", "b"):
        yield call("evaluate", "@undecided", unclassified=unclassified)
    yield call("evaluate", "@binary", costs="@costs")
    yield call("evaluate", "@three", ["total_cost", "average_cost", "error_rate"], costs="@three_costs")


def ways_of_estimating():
    for method in names_of("interval-methods"):
        for name in ("binary", "repeats"):
            yield call("evaluate", f"@{name}", ["accuracy", "auc", "brier"], interval=method, rng=1, replicates=60)
    for estimator in names_of("estimators"):
        for name in ("repeats", "bootstrapped"):
            yield call("evaluate", f"@{name}", ["error_rate", "auc"], estimate=estimator)
    yield call("evaluate", "@subsets", ["error_rate", "auc"], estimate="dataset_mean")
    yield call("evaluate", "@pairs", "auc", estimate="pair_mean")
    yield call("evaluate", "@repeats", ["auc", "brier"], confidence_level=0.8, estimate=["pooled", "fold_mean"])


def measures():
    for measure in ("quadratic_loss", "informational_loss", "brier", "spherical_score"):
        yield call("expected_loss", measure, [0.5, 0.3, 0.2], [0.6, 0.3, 0.1])
    yield call("evaluate", "@three", ["rps", "hand_till"])
    yield call("evaluate", "@binary", ["yule_q", "kappa(weights='quadratic')", "fbeta(beta=0.5)"])
    yield call("evaluate", "@binary", ["partial_auc(limit=0.3)", "recall_at_specificity(specificity=0.8)"])
    yield call("evaluate", "@binary", ["precision_at(k=10)", "recall_at(k=10)", "lift_at(k=10)"])
    yield call("evaluate", "@numeric", ["pinball(quantile=0.9)", "quantile_coverage"])
    for measure in names_of("measures"):
        yield call("called_measure", measure)


def comparisons():
    evidence = {
        "models": ["@models"],
        "binary": ["@binary", "@other"],
        "three": ["@three", "@three_other"],
        "numeric": ["@numeric", "@numeric_other"],
        "halves": ["@halves"],
        "fold_values": ["@fold_values"],
        "datasets": ["@datasets"],
        "two_datasets": ["@two_datasets"],
    }
    for given in evidence.values():
        yield call("compare", *given)
        for test in names_of("comparisons"):
            yield call("compare", *given, test=test, rng=1)
    for test in names_of("comparisons"):
        for measure in ("auc", "brier"):
            yield call("compare", "@binary", "@other", measure, test=test, rng=1)
            yield call("compare", "@binary", "@later", measure, test=test, independent=True, rng=1)
        yield call("compare", "@models", measure="auc", test=test, rng=1)
        yield call("compare", "@binary", measure="accuracy", against=0.6, test=test, rng=1)
    for measure in ("auc", "brier", "accuracy", "recall", "log_loss", "mcc"):
        yield call("compare", "@binary", "@other", measure)
        yield call("compare", "@repeats", measure=measure)
    for margin in (0.02, 0.2):
        for alternative in ("two-sided", "less", "greater"):
            yield call("compare", "@binary", "@other", "auc", margin=margin, alternative=alternative)
    for correction in [*names_of("adjustments"), "nemenyi", "bonferroni_dunn"]:
        yield call("compare", "@models", measure="auc", correction=correction)
        yield call("compare", "@datasets", correction=correction)
        yield call("adjust", [0.01, 0.04, 0.03, 0.2], correction)
    yield call("compare", "@datasets", against="tree")
    yield call("compare", "@fold_table")
    yield call("compare", "@three", "@three_other", "recall", average="macro")
    yield call("compare", {"one": "@binary", "two": "@other", "three": "@frequency"}, measure="auc")
    yield call("compare", "@binary", "@other", "auc", confidence_level=0.9, alternative="greater")
    for measure in ("auc", "accuracy"):
        yield call("compare", "@front", "@back", measure, partial=True)


def curves():
    for kind in names_of("curves"):
        for name in ("binary", "scores", "models", "three_positive", "rare"):
            yield call("curve", kind, f"@{name}")
    for band in names_of("band-methods"):
        yield call("curve", "roc", "@binary", band=band, rng=1, replicates=60)
    for options in (
        {"by": "class"},
        {"by": "model"},
        {"average": "vertical"},
        {"average": "threshold"},
        {"prevalence": 0.1},
        {"band": "simultaneous", "rng": 2, "replicates": 50, "confidence_level": 0.9},
    ):
        for kind in ("roc", "precision_recall", "cost"):
            yield call("curve", kind, "@repeats", **options)
    yield call("curve", "threshold(measure='f1')", "@binary")
    yield call("curve", "roc", "@three", by="class")
    for name in ("binary", "models", "scores", "frequency", "three_positive"):
        yield call("hull", f"@{name}")
    yield call("hull", {"one": "@binary", "two": "@other"})
    for verb in ("threshold_table", "binormal"):
        yield call(verb, "@binary")
    yield call("probability_volume", "@three")


def calibrations():
    for name in ("binary", "rare", "frequency", "importance", "grouped", "three", "scores"):
        yield call("calibration", f"@{name}")
    yield call("calibration", "@binary", 5, rule="equal_width", rng=1, replicates=60)
    yield call("calibration", "@binary", [0.25, 0.5, 0.75], fitted_on_these=True, confidence_level=0.9)
    yield call("calibration", "@three", of="a")
    yield call("calibration", "@three", of="top_label")
    for method in names_of("recalibrations"):
        yield call("recalibrate", "@binary", "@later", method)
    yield call("recalibrate", "@binary", "@later", "histogram(groups=5)", rng=1, replicates=60)
    yield call("recalibrate", "@binary", "@other")
    for method in names_of("proportion-methods"):
        yield call("proportion_interval", 7, 30, method=method)


def decisions():
    given = {
        "best_f": "(beta=2)",
        "fixed_recall": "(recall=0.8)",
        "fixed_specificity": "(specificity=0.8)",
        "fixed_precision": "(precision=0.6)",
        "top_share": "(share=0.2)",
        "capacity": "(number=10)",
        "budget": "(amount=20, price=2)",
        "given_threshold": "(threshold=0.4)",
    }
    costs = {"fn": 5, "fp": 1}
    for rule in names_of("decision-rules"):
        for name in ("binary", "scores", "labels"):
            yield call("decide", f"@{name}", costs, rule=rule + given.get(rule, ""))
        yield call("decide", "@binary", costs, rule=rule)
    for name in (
        "binary",
        "labels",
        "scores",
        "frequency",
        "grouped",
        "rare",
        "models",
        "repeats",
        "three",
    ):
        yield call("decide", f"@{name}")
    yield call("decide", "@binary", costs, prevalence=0.02)
    yield call("decide", "@binary", costs, doubt=0.2)
    yield call("decide", "@binary", "@row_costs")
    yield call("decide", "@binary", costs, rule="youden", rng=1, replicates=50, confidence_level=0.9)
    yield call("decide", "@three", "@three_costs")
    yield call("decide", "@three_labels", "@three_costs")
    yield call("decide", "@three", "@three_costs", prevalence={"a": 0.2, "b": 0.3, "c": 0.5})
    yield call("decide", "@repeats", costs, estimate="pooled")
    benefit = {"tp": -15, "fp": 4}
    for at in ("20%", "number=15", "recall=0.8", "threshold=0.3", "best", "worst"):
        yield call("cost_benefit", "@binary", benefit, at=at)
    for name in ("scores", "models", "frequency", "three_positive", "rare", "missing"):
        yield call("cost_benefit", f"@{name}", benefit)
    yield call("cost_benefit", "@binary", benefit, population=8000, prevalence=0.1, rng=1)
    yield call("cost_benefit", "@binary", "@row_costs", confidence_level=0.9)
    yield call("judged_plan", data_gathering=3000, model_building=200, use=0.5, uses=10)


def checks_and_reports():
    for name in PREDICTED:
        yield call("check", f"@{name}")
        yield call("report", f"@{name}")
    known = {"costs": {"fn": 5, "fp": 1}, "prevalence": 0.02, "measure": "auc"}
    yield call("check", "@binary", **known, planned_measure="accuracy", tuned_on="test", difference=0.01)
    yield call("check", "@models", comparisons=["@compared", "@tested"])
    yield call("check", "@leaky", features="@alike")
    yield call("check", "@binary", features="@alike", training="@alike")
    yield call("report", "@binary", **known)
    yield call("report", "@models", measures=["auc", "brier"], confidence_level=0.9)
    yield call("report", "@analysed")


def runs():
    quiet = {"rng": 1, "progress": False}
    for scheme in names_of("schemes"):
        for target in ("@classes", "@numbers"):
            yield call("run", scheme, "@X", target, resampling="3", **quiet)
    columns = {"fold_column": {"fold": "@fold"}, "time_ordered": {"time": "@order"}}
    columns |= {name: {"groups": "@group"} for name in names_of("resamplings") if "group" in name}
    given = {"bootstrap": "(replicates=5)", "grouped_bootstrap": "(replicates=5)", "subsets": "(parts=2, k=3)"}
    for name in names_of("resamplings"):
        resampling = name + given.get(name, "")
        yield call("run", "naive-bayes", "@X", "@two", resampling=resampling, **columns.get(name, {}), **quiet)
    yield call("run", ["zero-r", "tree(max_depth=2)"], "@X", "@two", resampling="2x3", positive="yes", **quiet)
    yield call("run", {"a": "tree"}, "@X", "@two", sample_weight="@weights", weight_kind="frequency", **quiet)
    yield call("run", "naive-bayes", "@X", "@classes", groups="@group", exact_shortcuts=False, **quiet)


def theories():
    quiet = {"rng": 1, "progress": False}
    for loss in names_of("decompositions"):
        for target in ("@classes", "@two", "@numbers"):
            yield call("bias_variance", "tree", "@X", target, loss=loss, replicates=6, **quiet)
    yield call("bias_variance", "knn", "@X", "@two", over={"k": [1, 5]}, training="subsample", replicates=6, **quiet)
    yield call("bias_variance", "@repeats")
    for code in ("two-part", "prequential"):
        for target in ("@classes", "@numbers"):
            for scheme in ("naive-bayes", "tree(max_depth=2)", "zero-r", "linear", "one-r"):
                yield call("mdl", scheme, "@X", target, code=code, rng=1, refits=4)
    yield call("mdl", ["tree", "knn"], "@X", "@classes", labels="exceptions", zero_frequency="laplace", resampling="3", rng=1)
    for membership in ("adaptive", "uniform"):
        yield call("clustering_mdl", "@X", k=[1, 2, 3], membership=membership, rng=1)
    yield call("clustering_mdl", "@X", "@classes", precision=0.1)
    for how in names_of("combinations"):
        yield call("combine", "@models", how)
    yield call("combine", "@models", "weighted(weights={'tree': 2, 'rule': 1})")
    yield call("diversity", "@models")
    yield call("ensemble_curve", "bagging", "@X", "@classes", sizes=[1, 3], resampling="3", **quiet)
    yield call("learning_curve", "naive-bayes", "@X", "@classes", sizes=[0.5, 1.0], resampling="3", **quiet)


def figures():
    for kind in names_of("plots"):
        shown = command("show", "plot", kind, "--json").get("json", {}).get("shows", ())
        for name in [
            *RESULTS,
            "fold_values",
            "binary",
            "models",
            "three_labels",
            "numeric",
            "repeats",
        ]:
            if not kinds_of(name).isdisjoint(shown):
                yield call("plot", f"@{name}", kind)
    for kind in names_of("curves"):
        yield call("plot", "@binary", kind)
    for name in RESULTS:
        yield call("plot", f"@{name}")
    yield call("plot", "@three_labels", "confusion_matrix", show="rows")
    yield call("plot", "@models", "confusion_matrix", model="tree")
    yield call("plot", "@models", "scores_by_class", model="tree", threshold=0.5)
    yield call("plot", "@binary", "roc", band="pointwise", rng=1)


def files():
    for name in PREDICTED:
        for ending in ("parquet", "csv", "jsonl"):
            yield call("saved_and_read", f"@{name}", f"{name}.{ending}")
    for name in ("binary", "three", "frequency", "labels", "numeric"):
        yield call("merge", f"@{name}", f"@{name}")
        yield call("summarise", f"{name}.csv", exact=True)
        yield call("summarise", f"{name}.parquet", engine="duckdb", exact=True)
    yield call("merge", "@binary", "@later")
    for name in RESULTS:
        yield call("presented", f"@{name}")


def experiments():
    yield call("results_of", "@store")
    for measure in ("error_rate", "auc"):
        yield call("analyse", "@store", measure)
        yield call("analyse", "@store", measure, base="naive-bayes", correction="holm", confidence_level=0.9)
    yield call("credibly", "experiment", "plan.toml", "--folder", "planned", "--jobs", "1", "--quiet")
    yield call("credibly", "experiment", "status", "planned", "--json")
    for output in ("--json", "--csv", "--markdown"):
        yield call("credibly", "experiment", "analyse", "planned", output)
    yield call("credibly", "experiment", "analyse", "planned", "--measure", "auc", "--base", "zero-r", "--json")
    yield call("credibly", "experiment", "verify", "planned", "--cells", "2")
    yield call("credibly", "experiment", "export", "planned", "-o", "cells.csv")
    yield call("credibly", "experiment", "report", "planned", "-o", "planned.json")


def commands():
    def on(verb, name, *options):
        return call("credibly", verb, f"{name}.parquet", *options)

    costs = ("--cost", "fn=5", "--cost", "fp=1")
    for name in PREDICTED:
        for verb in ("evaluate", "check", "hull", "calibration", "decide", "cost-benefit"):
            yield on(verb, name, "--json")
        yield on("compare", name, "--json")
        yield call("credibly", "evaluate", f"{name}.csv", "--json")
    for output in ("--json", "--csv", "--markdown"):
        for name in ("binary", "models", "three"):
            for verb in (
                "evaluate",
                "check",
                "hull",
                "calibration",
                "decide",
                "cost-benefit",
                "compare",
            ):
                yield on(verb, name, output)
            yield call("credibly", "curve", "roc", f"{name}.parquet", output)
        yield call("credibly", "compare", "table.csv", "--datasets", "dataset", "--columns", "bayes,rule,tree", output)
        yield call("credibly", "run", "inputs.csv", "--target", "y", "--scheme", "tree", "--resampling", "3", output)
        yield call("credibly", "mdl", "inputs.csv", "--target", "y", "--scheme", "tree", output)
        yield call("credibly", "bias-variance", "inputs.csv", "--target", "y", "--scheme", "tree", "--replicates", "5", output)
    for kind in names_of("curves"):
        yield call("credibly", "curve", kind, "binary.parquet", "--json")
    yield call("credibly", "curve", "roc", "models.parquet", "--by", "model", "--average", "vertical", "--points", "9", "--json")
    yield on("evaluate", "repeats", "--measure", "auc,brier", "--by", "fold", "--json")
    yield on("evaluate", "three", "--average", "macro", "--measure", "recall,auc", "--json")
    yield on("evaluate", "binary", "--interval", "bootstrap", "--rng", "1", "--replicates", "60", "--json")
    yield on("evaluate", "repeats", "--estimate", "pooled", "--confidence-level", "0.9", "--json")
    yield on("evaluate", "binary", "--cost-matrix", "costs.csv", "--measure", "total_cost", "--json")
    yield on("decide", "binary", *costs, "--rule", "youden", "--json")
    yield on("decide", "binary", *costs, "--prevalence", "0.02", "--json")
    yield on("cost-benefit", "binary", "--benefit", "tp=15", "--cost", "fp=0.8", "--at", "20%", "--json")
    yield on("check", "binary", *costs, "--prevalence", "0.02", "--json")
    yield on("compare", "models", "--measure", "auc", "--correction", "holm", "--json")
    yield call("credibly", "compare", "binary.parquet", "other.parquet", "--measure", "auc", "--margin", "0.1", "--json")
    yield call("credibly", "compare", "table.csv", "--columns", "bayes,rule", "--test-train-ratio", "0.1", "--json")
    yield on("calibration", "three", "--of", "top-label", "--groups", "5", "--json")
    yield on("hull", "models", "--prevalence", "0.1", "--false-negative", "5", "--json")
    yield call("credibly", "mdl", "inputs.csv", "--clusters", "kmeans", "--k", "1..3", "--json")
    yield call("credibly", "demo", "--json")
    for kind in ("roc", "confusion-matrix", "calibration-plot", "estimates"):
        yield call("written", "plot", kind, "binary.parquet", "-o", "plot.json")
    for name in ("binary", "models", "numeric", "three"):
        yield call("written", "report", f"{name}.parquet", "-o", "report.json")
    yield call("credibly", "summarise", "binary.csv", "-o", "one")
    yield call("credibly", "summarise", "later.csv", "-o", "two")
    yield call("credibly", "merge", "one", "two", "-o", "both")
    yield call("credibly", "evaluate", "both", "--json")


def wrong_calls():
    yield call("evaluate", "@binary", "nothing")
    yield call("evaluate", "@binary", "rmse")
    yield call("evaluate", "@numeric", "auc")
    yield call("evaluate", "@binary", by="colour")
    yield call("evaluate", "@binary", average="mean")
    yield call("evaluate", "@binary", interval="guess")
    yield call("evaluate", "@binary", interval="bootstrap")
    yield call("evaluate", "@binary", confidence_level=1.5)
    yield call("evaluate", "@binary", estimate="guess")
    yield call("evaluate", "@binary", "fbeta(gamma=2)")
    yield call("evaluate", "@binary", "fbeta(beta=2")
    yield call("evaluate", "@binary", colour=1)
    yield call("evaluate", "@binary", costs="@three_costs")
    yield call("evaluate", [1, 0, 1])
    yield call("compare", "@binary")
    yield call("compare", "@binary", "@three")
    yield call("compare", "@binary", "@numeric")
    yield call("compare", "@binary", "@other", test="nothing")
    yield call("compare", "@binary", "@other", alternative="more")
    yield call("compare", "@binary", "@other", margin=-1)
    yield call("compare", "@models", correction="none")
    yield call("compare", "@datasets", against="nobody")
    yield call("curve", "nothing", "@binary")
    yield call("curve", "roc", "@labels")
    yield call("curve", "roc", "@binary", band="wide")
    yield call("hull", "@numeric")
    yield call("calibration", "@scores")
    yield call("calibration", "@binary", 0)
    yield call("recalibrate", "@binary", "@later", "nothing")
    yield call("decide", "@binary", {"fx": 1})
    yield call("decide", "@binary", rule="nothing")
    yield call("decide", "@numeric")
    yield call("decide", "@binary", prevalence=2)
    yield call("cost_benefit", "@binary", {"tp": -1}, at="somewhere")
    yield call("cost_benefit", "@labels", {"tp": -1})
    yield call("check", "@binary", colour=1)
    yield call("report", "@binary", measures=["nothing"])
    yield call("plot", "@binary", "nothing")
    yield call("plot", "@numeric", "roc")
    yield call("plot", 3)
    yield call("run", "nothing", "@X", "@classes")
    yield call("run", "tree", "@X", "@classes", resampling="nothing")
    yield call("run", "tree", "@X", [1, 2, 3])
    yield call("run", "tree(depth=3)", "@X", "@classes")
    yield call("bias_variance", "tree", "@X", "@classes", loss="nothing")
    yield call("mdl", "svm", "@X", "@classes")
    yield call("mdl", "tree", "@X", "@classes", code="three-part")
    yield call("clustering_mdl", "@X", k=0)
    yield call("expected_loss", "auc", [0.5, 0.5], [0.5, 0.5])
    yield call("expected_loss", "brier", [0.5, 0.5], [0.5, 0.4, 0.1])
    yield call("merge", "@binary", "@three")
    yield call("merge")
    yield call("read", "nowhere.csv")
    yield call("read", "binary.csv", truth="nothing")
    yield call("read", "binary.csv", format="nothing")
    yield call("save", "@binary", "binary.docx")
    yield call("summarise", "nowhere.csv")
    yield call("summarise", "binary.csv", engine="nothing")
    yield call("Experiment", [], ["iris"], rng=1)
    yield call("Experiment", "tree", ["nowhere.csv"], rng=1)
    yield call("predicted", [1, 0], label=[1])
    yield call("predicted", [1, 0], probability=[0.5, 1.5])
    yield call("predicted", [1, 0], probability=[[0.5, 0.4], [0.5, 0.5]])
    yield call("predicted", [1, 0])
    yield call("predicted", [], label=[])
    yield call("predicted", [1, 0, 1], label=[1, 0, 1], positive=7)
    yield call("predicted", [1, 0], label=[1, 0], sample_weight=[-1, 1])
    yield call("CostMatrix", [[0, 1]], classes=["a", "b"])
    yield call("FinancialPlan", use=-1)
    yield call("Finding", "a code", "terrible", "message")


def wrong_commands():
    for line in (
        "nothing",
        "evaluate",
        "evaluate nowhere.csv",
        "evaluate binary.csv --colour red",
        "evaluate binary.csv --measure nothing",
        "evaluate binary.csv --truth nothing",
        "evaluate binary.csv --average mean",
        "evaluate binary.csv --confidence-level two",
        "evaluate binary.csv --confidence-level 2",
        "evaluate binary.csv --interval bootstrap",
        "evaluate binary.csv --by colour",
        "evaluate binary.csv --json --csv",
        "evaluate plan.toml",
        "compare binary.csv",
        "compare binary.csv numeric.csv",
        "compare models.csv --test nothing",
        "compare table.csv --columns bayes,nobody",
        "curve nothing binary.csv",
        "curve roc labels.csv",
        "hull numeric.csv",
        "calibration scores.csv",
        "decide binary.csv --cost fx=1",
        "decide binary.csv --rule nothing",
        "cost-benefit binary.csv --at somewhere",
        "check nowhere.csv",
        "report binary.csv -o report.docx",
        "plot nothing binary.csv",
        "plot roc numeric.csv -o plot.json",
        "run inputs.csv --scheme tree",
        "run inputs.csv --target y --scheme nothing",
        "run inputs.csv --target nothing --scheme tree",
        "run nowhere --scheme tree",
        "bias-variance inputs.csv --target y --scheme tree --loss nothing",
        "mdl inputs.csv --target y --scheme svm",
        "merge nowhere -o whole",
        "summarise nowhere.csv -o whole",
        "experiment nowhere.toml",
        "experiment status nowhere",
        "list nothing",
        "show measure nothing",
        "show nothing auc",
    ):
        yield call("credibly", *line.split())
# fmt: on


# Calls that take more than one step


def parameters_of(name):
    """Return the parameters of a public function or class, with their defaults."""
    parameters = inspect.signature(public(name)).parameters.values()
    return [(p.name, p.kind.name, repr(p.default)) for p in parameters]


def called_measure(name):
    """Call a measure as a function on every kind of prediction that it may be about."""
    function = public("measures")[name]
    binary, numeric = thing("binary"), thing("numeric")
    given = {
        "labels": (binary.truth, (binary.probability > 0.5).astype(int)),
        "probabilities": (binary.truth, binary.probability),
        "numbers": (numeric.truth, numeric.value),
    }
    answers = {}
    for kind, arguments in given.items():
        try:
            answers[kind] = kept(function(*arguments))
        except Exception as error:
            answers[kind] = raised(error)
    return answers


def judged_plan(**costs):
    return credibly.FinancialPlan(**costs).judge(thing("profit"))


def saved_and_read(predictions, path):
    return credibly.read(credibly.save(predictions, path))


def results_of(store):
    return store.results()


def predicted(*arguments, **options):
    return credibly.Predictions.of(*arguments, **options)


def presented(result):
    """Return the rows and the frame of a result, where it has them."""
    found = {}
    for name in ("rows", "frame"):
        if callable(getattr(result, name, None)):
            made = getattr(result, name)()
            found[name] = made.to_dict("list") if hasattr(made, "to_dict") else made
    return found


def written(*words):
    """Return what a command wrote to the JSON file that it was told last."""
    path = Path(words[-1])
    path.unlink(missing_ok=True)
    return {**command(*words), "file": json.loads(path.read_text("utf-8"))}


STEPS = {
    "credibly": command,
    "parameters_of": parameters_of,
    "called_measure": called_measure,
    "judged_plan": judged_plan,
    "saved_and_read": saved_and_read,
    "results_of": results_of,
    "predicted": predicted,
    "presented": presented,
    "written": written,
}
KINDS = """
adjustments band-methods baselines calibration-statistics calibration-tests checks coders combinations
comparisons curves datasets decision-rules decompositions engines estimators interval-methods measures
plots proportion-methods readers recalibrations resamplings schemes
"""
COMMANDS = """
app bias-variance calibration check compare cost-benefit curve decide demo evaluate experiment hull list
mdl merge plot report run show summarise experiment-analyse experiment-export experiment-gc
experiment-import experiment-report experiment-resume experiment-status experiment-verify
"""
PLAN = """rng = 1
resampling = "2x3"
measures = ["error_rate", "auc"]
schemes = ["zero-r", "tree(max_depth=2)", "naive-bayes"]
datasets = [{data = "inputs.csv", target = "y"}, "iris"]
"""


def write_inputs():
    """Write the files that commands read, into the current folder."""
    columns, target = inputs()
    data = dict(zip("uvwy", [*columns.T.tolist(), target], strict=True))
    for name, table in {"inputs.csv": data, "table.csv": tabled()}.items():
        with Path(name).open("w", newline="") as file:
            csv.writer(file).writerows([list(table), *zip(*table.values(), strict=True)])
    Path("costs.csv").write_text(",no,yes\nno,0,1\nyes,5,0\n")
    Path("plan.toml").write_text(PLAN)


# Comparing


def differences(before, now, path=""):
    """Yield a line for everything that differs in two answers."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in [*before, *(k for k in now if k not in before)]:
            if key not in now or key not in before:
                yield f"{path}.{key} is {'gone' if key in before else 'new'}"
            else:
                yield from differences(before[key], now[key], f"{path}.{key}")
    elif isinstance(before, list) and isinstance(now, list):
        if len(before) != len(now):
            yield f"{path} has {len(now)} items, not {len(before)}"
        for i, (b, n) in enumerate(zip(before, now, strict=False)):
            yield from differences(b, n, f"{path}[{i}]")
    elif not same(before, now):
        yield f"{path} is {json.dumps(now)[:80]}, not {json.dumps(before)[:80]}"


def same(before, now):
    if isinstance(before, float | int) and isinstance(now, float | int):
        close = math.isclose(before, now, rel_tol=TOLERANCE, abs_tol=NOISE)
        return close and isinstance(before, bool) == isinstance(now, bool)
    return type(before) is type(now) and before == now


def print_differences(before, now):
    """Print what differs by call, and return in how many."""
    count = 0
    for call_ in [*before, *(c for c in now if c not in before)]:
        if call_ not in now or call_ not in before:
            found = ["is no longer asked" if call_ in before else "was not asked"]
        else:
            found = list(differences(before[call_], now[call_]))
        count += bool(found)
        if found:
            print(call_, *(f"    {line}" for line in found[:SHOWN]), sep="\n")
            if len(found) > SHOWN:
                print(f"    and {len(found) - SHOWN} more")
    print(f"{count} of {len(before)} calls differ")
    return count


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in {"write", "compare"}:
        sys.exit(__doc__)
    path = Path(sys.argv[2]).resolve()
    print(f"asking {Path(credibly.__file__).parent}", file=sys.stderr)
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        write_inputs()
        now = taken()
    if sys.argv[1] == "compare":
        return 1 if print_differences(json.loads(path.read_text("utf-8")), now) else 0
    lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in now.items())
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    refused = sum(isinstance(a, dict) and list(a) == ["raises"] for a in now.values())
    print(f"{len(now)} calls, {refused} of them refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
