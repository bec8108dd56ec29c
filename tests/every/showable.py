"""Results of every type that a plot declares, small ones and awkward ones."""

from __future__ import annotations

from functools import cache

import numpy as np

import credibly
from credibly import Predictions, bias_variance
from credibly.calibration import pit_histogram, quantile_calibration
from credibly.calibration.recalibration import recalibrate
from credibly.comparisons import DatasetTable, FoldValues, PairedValues, wins_ties_losses
from credibly.description_length import DescriptionLengths
from credibly.ensembles import ensemble_curve
from credibly.experiments import Results, analyse
from credibly.intervals import bootstrap
from credibly.intervals.bootstrap import bootstrap_rows
from credibly.plots import plots
from credibly.running import learning_curve, run
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
def samples() -> dict[type, list[object]]:
    """Results by type."""
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
    found = [
        one, five, three_classes(), numbers(), numbers(("a", "b")),
        Predictions.of(["a", "b", "b"], label=["a", "b", None]),
        credibly.evaluate(one, ["accuracy", "auc", "log_loss"]), many,
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
        credibly.compare(over_datasets(HOSTILE)), credibly.compare(over_datasets("abcdefgh")),
        credibly.compare(over_datasets("abcd"), correction="bonferroni_dunn", control="c"),
        credibly.decide(one, {"fn": 5, "fp": 1}), credibly.decide(five),
        credibly.cost_benefit(one, costs), credibly.cost_benefit(five, costs, at="20%"),
        bootstrap(one, ["accuracy", "auc"], replicates=100, rng=1),
        bootstrap_rows(np.median, np.arange(9.0), replicates=100, rng=1),
        growth, votes, credibly.calibration(one), recalibrate(*halves(one)),
        pit_histogram(np.linspace(0, 1, 40), bins=5),
        quantile_calibration(np.arange(30.0), np.full((30, 2), [7.0, 22.0]), [0.25, 0.75]),
        wins_ties_losses(by_dataset, test_train_ratio=1 / 3), *decomposed(),
        DescriptionLengths.of({h: (i, 9 - i) for i, h in enumerate(HOSTILE)}),
        credibly.clustering_mdl(np.arange(12.0)[:, None], k=[1, 2], rng=1),
        experiment(), experiment(sizes=(0.5, 1.0)),
    ]  # fmt: skip
    kinds = dict.fromkeys(kind for entry in plots for kind in entry.types)
    return ByHand(
        "Add a {name} to what is found in samples() of tests/every/showable.py.",
        {kind: these for kind in kinds if (these := [f for f in found if isinstance(f, kind)])},
    )
