"""Results of every type that a plot declares, small ones and awkward ones."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, is_dataclass
from functools import cache

import numpy as np
import pandas as pd

import credibly
from credibly import Finding, Predictions, bias_variance
from credibly.calibration import (
    class_calibration,
    interval_coverage,
    pit_histogram,
    quantile_calibration,
)
from credibly.calibration.recalibration import recalibrate
from credibly.comparisons import (
    DatasetTable,
    Discordant,
    FoldValues,
    PairedValues,
    wins_ties_losses,
)
from credibly.curves import best_stretches, ordered_surface, ordered_volume, threshold_table
from credibly.decisions import expected_costs
from credibly.description_length import DescriptionLengths
from credibly.ensembles import ensemble_curve
from credibly.experiments import Results, analyse
from credibly.experiments.execution.forecast import Forecast, Outlook
from credibly.experiments.store.removal import Tidied
from credibly.experiments.store.status import Standing
from credibly.experiments.store.verification import Verification
from credibly.intervals import (
    bootstrap,
    densities,
    interval,
    mean_interval,
    proportion_coverage,
    sample_size_for_auc,
    sample_size_for_mcnemar,
    variance_interval,
)
from credibly.intervals.row_bootstrap import bootstrap_rows
from credibly.resampling import folds as splits_into_folds
from credibly.results import Brief
from credibly.running import (
    class_scatter,
    decision_boundaries,
    final_model,
    learning_curve,
    run,
    theory_sizes,
)
from credibly.schemes import candidate_splits
from every.additions import ByHand

N = 80
# What a name may look like, and must be shown as.
HOSTILE = ("<script>alert('1')</script>", 'a "quoted" $x_1$ & more', "שלום עולם", "n" * 300, "_")


def two_classes(models=("tree",), n=N, folds=4):
    """Predictions of models that differ, with ties, by fold."""
    rng = np.random.default_rng(7)
    truth = np.arange(n) % 2
    columns = {k: [] for k in ("truth", "probability", "model", "row", "fold")}
    for i, model in enumerate(models):
        signal = (1.2 - 0.2 * i) * (truth - 0.5) + rng.normal(size=n)
        columns["truth"].extend(np.where(truth, "yes", "no"))
        columns["probability"].extend((1 / (1 + np.exp(-2 * signal))).round(2))
        columns["model"].extend([model] * n)
        columns["row"].extend(range(n))
        columns["fold"].extend(np.arange(n) * folds // n)
    names = columns.pop("model")
    more = {"model": names} if len(models) > 1 else {}
    return Predictions.of(columns.pop("truth"), **columns, **more, positive="yes")


def three_classes():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, N)
    weight = rng.random((N, 3)) + np.eye(3)[truth]
    return Predictions.of(
        np.array(HOSTILE[:3])[truth],
        probability=weight / weight.sum(1, keepdims=True),
        classes=HOSTILE[:3],
    )


def numbers(models=("tree",)):
    rng = np.random.default_rng(5)
    truth = np.tile(rng.normal(10, 3, N), len(models))
    value = truth + rng.normal(0, 1, truth.size)
    return Predictions.of(truth, value=value, model=np.repeat(models, N))


def outcomes(models):
    """Cases that were scored elsewhere."""
    rng = np.random.default_rng(4)
    return Predictions.of(
        outcome={m: rng.random(N) for m in models}, better="higher", bounds=(0, 1)
    )


def over_datasets(names):
    rng = np.random.default_rng(2)
    return DatasetTable(rng.random((12, len(names))) - 0.1 * np.arange(len(names)), tuple(names))


def experiment(sizes=(1.0,)):
    """The analysis of hostile names on hostile datasets, one cell of which is missing."""
    rng = np.random.default_rng(6)
    cells = [(d, s, z, f) for d in HOSTILE for s in HOSTILE[:3] for z in sizes for f in range(4)]
    cells = [c for c in cells if c[:2] != HOSTILE[:2]]
    dataset, scheme, size, fold = (list(column) for column in zip(*cells, strict=True))
    values = {"error_rate": rng.random(len(cells)) / 2, "auc": rng.random(len(cells))}
    trained = [int(30 * z) for z in size]
    return analyse(
        Results.of(dataset, scheme, values, size=size, fold=fold, n_train=trained, n_test=10)
    )


def about_experiments():
    """What commands say of an experiment that is planned, under way, cleared or verified."""
    doubt = (Finding("few-folds", "note", f"Of {HOSTILE[2]} there are few."),)
    outlooks = tuple(Outlook(d, HOSTILE[1], 1.0, 10, 5, 0.25) for d in HOSTILE)
    counts = {(d, HOSTILE[1]): Counter(done=3, missing=2, error=1) for d in HOSTILE}
    return [
        Results.of(HOSTILE, HOSTILE[::-1], {"auc": np.full(5, 0.5)}, findings=doubt),
        Forecast(outlooks, "10", ("auc",), 2, doubt), Standing(HOSTILE[0], counts, 7, doubt),
        Tidied({(d, HOSTILE[1]): 3 for d in HOSTILE}, 2, 1000, dry_run=True),
        Verification(3, 10, (HOSTILE[:2],), (HOSTILE[:2],), (HOSTILE[:2],)),
    ]  # fmt: skip


def about_survival():
    """Return results about times to an event."""
    watched = np.arange(40) % 17 + 1
    found = credibly.survival(
        watched, watched % 3 > 0, survival=np.linspace(0.1, 0.9, 80).reshape(40, 2), times=[5, 9]
    )
    groups = found.calibration(at=9, groups=3)
    decision = found.decision_curve(at=9, thresholds=[0.2, 0.5])
    return found.by_time("survival_brier"), decision, groups, groups.groups[0]


def in_a_plane():
    """Classes and boundaries on two attributes of hostile names."""
    rng = np.random.default_rng(4)
    y = np.arange(40) % 2
    X = pd.DataFrame(rng.normal(size=(40, 2)) + y[:, None], columns=HOSTILE[:2])
    names = np.array(HOSTILE[1:3])[y]
    more = {"replicates": 3, "points": 11, "rng": 1}
    return [
        class_scatter(X, names, test=[0, 1]), class_scatter(X, names, covariance="none"),
        decision_boundaries("naive-bayes", X, names, **more),
        decision_boundaries({HOSTILE[0]: "tree", HOSTILE[3]: "knn"}, X, names, points=11),
    ]  # fmt: skip


def halves(p):
    """Return the cases of the first and of the second half."""
    half = p.n // 2
    return p.take(slice(0, half)), p.take(slice(half, p.n))


def decomposed():
    """What losses are made of: over a parameter's range, for several models, and for one."""
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(40, 2)), np.arange(40) % 2
    over = {"over": {"k": [1, 3, 15]}, "replicates": 8, "rng": 1, "progress": False}
    several = run({HOSTILE[0]: "zero-r", HOSTILE[2]: "tree"}, X, y, resampling="4x3", rng=1)
    one = run("tree", X, rng.normal(size=40), resampling="3x2", rng=1)
    return [
        bias_variance("knn", X, y, **over),
        bias_variance("tree", X, y, **over | {"over": {"criterion": ["gini", "entropy"]}}),
        bias_variance(several), bias_variance(several, loss="friedman"), bias_variance(one),
    ]  # fmt: skip


@cache
def computed() -> list[object]:
    """Results of calls, those inside of others not among them."""
    one, five = two_classes(), two_classes((*HOSTILE[:4], "tree"))
    wide = two_classes(tuple(f"model {i}" for i in range(11)))
    folds = FoldValues([0.9, 0.8, 0.7, 0.8], [0.8, 0.8, 0.6, 0.9], test_train_ratio=1 / 3)
    costs = {"tp": -15, "fp": 4}
    many = credibly.evaluate(five, ["accuracy", "auc"])
    by_dataset = {
        f"set {i}": {h: np.random.default_rng([i, j]).random(5) for j, h in enumerate(HOSTILE[:3])}
        for i in range(4)
    }
    growth = learning_curve(
        ["naive-bayes", "zero-r"],
        np.random.default_rng(1).normal(size=(60, 2)),
        np.arange(60) % 2,
        sizes=[0.3, 1.0],
        resampling="3",
        rng=1,
        progress=False,
    )
    votes = ensemble_curve(
        ["bagging", "forest"],
        np.random.default_rng(1).normal(size=(60, 2)),
        np.arange(60) % 2,
        sizes=[1, 3],
        resampling="3",
        rng=1,
        progress=False,
    )
    return [
        one, five, three_classes(), numbers(), numbers(("a", "b")),
        Predictions.of(["a", "b", "b"], label=["a", "b", None]),
        credibly.evaluate(one, ["accuracy", "auc", "log_loss"]), many,
        Brief(credibly.evaluate(five, "headline")), credibly.calibration(one).all,
        credibly.evaluate(three_classes(), by="class"),
        credibly.evaluate(five, "accuracy", by="fold"),
        credibly.evaluate(one, "accuracy", estimate="fold_mean"),
        credibly.evaluate(one, "accuracy", estimate="fold_mean")["accuracy"],
        credibly.curve("roc", one, band="pointwise", rng=1, replicates=100),
        credibly.curve("roc", five), credibly.curve("roc", wide), credibly.curve("det", five),
        credibly.curve("lift", five), credibly.curve("cost", five),
        credibly.curve("threshold(measure='f1')", one), credibly.curve("roc", one, by="fold"),
        credibly.hull(one), credibly.hull(five),
        credibly.compare(folds), credibly.compare(five), credibly.compare(two_classes(("a", "b"))),
        folds, PairedValues([1.0, 2.0, 4.0], [1.5, 1.0, 3.0]),
        credibly.best_of(five, "auc", replicates=100, rng=1),
        credibly.best_of(five, "f1", thresholds=True, replicates=100, rng=1),
        credibly.best_of(five, "accuracy", method="tibshirani", replicates=100, rng=1),
        credibly.compare(over_datasets(HOSTILE)), credibly.compare(over_datasets("abcdefgh")),
        credibly.compare(over_datasets("abcd"), correction="bonferroni_dunn", against="c"),
        credibly.decide(one, {"fn": 5, "fp": 1}), credibly.decide(five),
        expected_costs(five, costs), expected_costs(three_classes()),
        credibly.show("lift chart"), credibly.show("recall"), credibly.search("lift"),
        credibly.cost_benefit(one, costs), credibly.cost_benefit(five, costs, at="20%"),
        bootstrap(one, ["accuracy", "auc"], replicates=100, rng=1),
        bootstrap_rows(np.median, np.arange(9.0), replicates=100, rng=1),
        growth, votes, credibly.calibration(one), recalibrate(*halves(one)),
        credibly.conformal(*halves(one)), credibly.conformal(*halves(numbers())),
        credibly.calibration(five, groups=3), recalibrate(five, folds=2, rng=1, replicates=50),
        pit_histogram(np.linspace(0, 1, 40), bins=5), *about_survival(),
        quantile_calibration(np.arange(30.0), np.full((30, 2), [7.0, 22.0]), [0.25, 0.75]),
        wins_ties_losses(by_dataset, test_train_ratio=1 / 3), *decomposed(),
        DescriptionLengths.of({h: (i, 9 - i) for i, h in enumerate(HOSTILE)}),
        credibly.clustering_mdl(np.arange(12.0)[:, None], k=[1, 2], rng=1),
        experiment(), experiment(sizes=(0.5, 1.0)), *about_experiments(),
        class_calibration(three_classes(), groups=3), credibly.check(one), credibly.report(one),
        interval_coverage([1.0, 2.0, 9.0], [0, 1, 2], [2, 3, 4], nominal=0.8), threshold_table(one),
        best_stretches(credibly.curve("roc", five), better="above"),
        ordered_surface(np.array(HOSTILE[:3] * 4), np.arange(12) % 7, order=HOSTILE[:3]),
        ordered_volume(np.arange(30) % 3, np.arange(30) % 7, order=[0, 1, 2]),
        densities(), densities([]), credibly.sample_size(one, "accuracy", 0.1), sample_size_for_auc(0.8, 0.1), sample_size_for_mcnemar(0.8, 0.05),
        proportion_coverage(["wald", "wilson"], n=[10, 20], rate=0.3),
        splits_into_folds(k=3, repeats=2).realise(9, rng=1),
        *in_a_plane(),
        theory_sizes({HOSTILE[0]: "zero-r", HOSTILE[2]: "tree"}, np.arange(20.0)[:, None], np.arange(20) % 2, resampling="2", rng=1),
        candidate_splits([HOSTILE[:2], HOSTILE[1:3]], ["a", "b"]),
        credibly.compare(Discordant(3, 1)), interval(3, 4), interval(rate=0.3, n=5, width=0.1),
        mean_interval([0.9, 0.8, 0.7], method="t"), variance_interval([0.9, 0.8, 0.7]),
        final_model("zero-r", np.arange(8.0)[:, None], np.arange(8) % 2),
        outcomes((HOSTILE[0], HOSTILE[1])), credibly.flips(outcomes((HOSTILE[0], HOSTILE[1]))),
        credibly.gate(outcomes((HOSTILE[0], HOSTILE[1])), margin=0.1),
        credibly.worst_cases(sliced()), credibly.label_sets([[1, 0], [1, 1]] * 9, [[1, 0], [0, 1]] * 9, labels=HOSTILE[:2]).in_detail(),
        credibly.detectable_difference(outcomes((HOSTILE[0], HOSTILE[1])), difference=0.1),
        credibly.few_labels(Predictions.of([HOSTILE[0], "b"] * 20 + [None] * 60, label=[HOSTILE[0], "b", "b", "b"] * 25, positive=HOSTILE[0])),
        credibly.corrected_rate(230, 1000, 45, 50, 92, 100),
        credibly.benchmarks(Predictions.of(outcome={h: (np.arange(60) * (7 + i)) % 5 < 2 + i for i, h in enumerate(HOSTILE[:3])}, columns={"task": np.array(HOSTILE)[np.arange(60) % 5]}), margin=0.1, replicates=200),
        credibly.slices(sliced(), ["error_rate", "equalized_odds"], by=HOSTILE[0], replicates=100, rng=1),
        credibly.slices(sliced(), "error_rate", search=True, at_least=5, replicates=100, rng=1),
        credibly.agreement({h: (np.arange(20) * (i + 1)) % 3 for i, h in enumerate(HOSTILE[:3])}),
    ]  # fmt: skip


def sliced() -> Predictions:
    """Cases of two classes with columns to slice by."""
    place = np.arange(240)
    columns = {
        HOSTILE[0]: np.array(HOSTILE[:3])[place * place % 3],
        "site": np.array(HOSTILE[1:4])[place // 80],
    }
    return Predictions.of(place % 2, label=(place * 7) % 5 % 2, columns=columns)


@cache
def held() -> list[object]:
    """Results and all that they hold in turn."""
    found, left, seen = [], computed()[::-1], set()
    while left:
        thing = left.pop()
        if isinstance(thing, tuple):
            left += thing[::-1]
        elif is_dataclass(thing) and not isinstance(thing, Predictions) and id(thing) not in seen:
            seen.add(id(thing))
            found.append(thing)
            left += [getattr(thing, f.name) for f in fields(thing)]
    return found


class Samples(ByHand):
    """Results by type: those of calls, or else those that others hold."""

    def __missing__(self, kind):
        each = (computed(), held()) if isinstance(kind, type) else ()
        mine = ([f for f in found if isinstance(f, kind)] for found in each)
        these = next(filter(None, mine), None)
        return self.setdefault(kind, these) if these else super().__missing__(kind)


@cache
def samples() -> Samples:
    """Results of any type."""
    return Samples("Add a {name} to what computed() returns in tests/every/showable.py.", {})
