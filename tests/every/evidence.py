"""Evidence of every kind, by what a comparison reads: of two different models, of one twice, and swapped."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from credibly import ParameterError, Predictions
from credibly.comparisons import (
    Areas,
    Cases,
    DatasetTable,
    FoldValues,
    Moments,
    Overlap,
    PairedValues,
    Samples,
    Single,
    comparisons,
)
from credibly.comparisons.inner_splits import InnerCases, NestedCases
from credibly.comparisons.over_cases import ResampledCases
from credibly.measures import measures
from credibly.resampling import as_resampling

EVERY = list(comparisons)
MEASURES = ("error_rate", "auc", "brier", "mae", "ks", "recall", "discrimination_slope")
N = 60
FEW = 199


def model(which: int, seed: int, rows: slice = slice(None)) -> dict[str, Predictions]:
    """Predictions of one model for the same cases: of classes and of numbers."""
    truth = np.random.default_rng(seed).permutation(np.arange(N) % 2)
    rng = np.random.default_rng([seed, which])
    score = np.round((1.2 - 0.8 * which) * (truth - 0.5) + rng.normal(size=N), 1)
    probability = 1 / (1 + np.exp(-score))
    both = {"row": np.arange(N)[rows]}
    return {
        "classification": Predictions.of(truth[rows], probability=probability[rows], **both),
        "numeric": Predictions.of(truth[rows] * 1.0, value=score[rows], **both),
    }


def of_cases(kind: type, first: int, second: int, seed: int, name: str):
    m = measures[name]
    shift = slice(20, None) if kind is Overlap and first != second else slice(None)
    models = (model(first, seed)[m.task], model(second, seed, shift)[m.task])
    names = ("a", "b")
    if issubclass(kind, InnerCases):
        return of_inner_splits(kind, first, second, seed, m)
    if kind is ResampledCases:
        fold = np.random.default_rng([seed, 5]).permutation(N) % 5
        return kind(tuple(replace(p, fold=fold, cache={}) for p in models), names, m)
    if kind is Cases:
        return Cases(models, names, m)
    if kind is Samples:
        return Samples(models, names, m)
    if kind is Overlap:
        return Overlap(models, names, m, None, (np.arange(N), np.arange(N)[shift]))
    value = m.value(models[0]) if first == second else 0.45 * (1 if name != "mae" else 3)
    return Single(models[0], names, m, value)


def of_inner_splits(kind: type, first: int, second: int, seed: int, m):
    """Predictions with those of inner splits, each a little off those of one model for all cases."""
    rule = "nested_cv(k=3, repeats=2)" if kind is NestedCases else "paired_subsampling(repeats=3)"
    splits = as_resampling(rule).realise(N, rng=seed + 1)
    names = ("row", "repeat", "fold", "part")
    cells = [
        (row, s.repeat, s.fold, "inner" if s.inner else "test") for s in splits for row in s.test
    ]
    columns = {n: np.array(c) for n, c in zip(names, zip(*cells, strict=True), strict=True)}
    made = []
    for which in (first, second):
        p = model(which, seed)[m.task].take(columns["row"])
        off = np.random.default_rng([seed, which]).normal(size=p.n)
        own = {"value": p.value + off} if m.task == "numeric" else {}
        if m.task != "numeric":
            odds = np.log(p.probability / (1 - p.probability)) + off
            own = {"probability": np.round(1 / (1 + np.exp(-odds)), 3)}
        truth = p.truth if m.task == "numeric" else np.array(p.classes)[p.truth]
        made.append(Predictions.of(truth, **own, **columns, n_train=30))
    return kind(tuple(made), ("a", "b"), m)


def of_values(kind: type, first: int, second: int, seed: int):
    n = 10
    table = np.random.default_rng(seed).normal([0.8, 0.7, 0.72], 0.05, (n, 3)).round(4)
    a, b = table[:, first], table[:, second]
    if kind is FoldValues:
        return FoldValues(a, b, ("a", "b"), test_train_ratio=1.0, repeats=5, folds=2)
    if kind is PairedValues:
        return PairedValues(a, b, ("a", "b"))
    if kind is Moments:
        return Moments.of(a, b, ("a", "b"))
    if kind is DatasetTable:
        columns = [first, second, 2 if first != second else first]
        return DatasetTable(table[:, columns], ("a", "b", "c"))
    areas = (0.8 + 0.01 * seed, 0.7)
    same = first == second
    return Areas((areas[first], areas[second]), 51, 58, 1.0 if same else 0.5, ("a", "b"))


def evidence(entry, first: int = 0, second: int = 1, seed: int = 0, measure: str | None = None):
    """Return evidence that a comparison reads, of the given models, in a measure that it takes."""
    if not issubclass(entry.reads, Cases | Samples | Single):
        return of_values(entry.reads, first, second, seed)
    return of_cases(entry.reads, first, second, seed, measure or measure_of(entry))


def judge(entry, given, **asked):
    """Make a comparison, with few replicates where it is random."""
    few = {q.name: FEW for q in entry.parameters if entry.random and q.rule.accepts(FEW)}
    return entry(given, **{"rng": 1, **few, **asked})


@cache
def measure_of(entry) -> str:
    """Return the first measure that a comparison does not refuse."""
    for name in MEASURES:
        try:
            judge(entry, of_cases(entry.reads, 0, 1, 0, name))
        except ParameterError:
            continue
        return name
    msg = f"{entry.name} takes none of {MEASURES}"
    raise AssertionError(msg)


def transformed(cases):
    """Write the scores of the first model on another scale, in the same order."""
    first, *rest = cases.models
    score = np.exp(3 * first.scores_of(first.positive, "a test")) - 7
    plain = [replace(p, score=p.scores_of(p.positive, "a test"), probability=None) for p in rest]
    return Cases(
        (replace(first, score=score, probability=None, cache={}), *plain),
        cases.names,
        cases.measure,
    )


def shuffled(cases):
    """Put the rows into another order, the same for all models."""
    order = np.random.default_rng(5).permutation(cases.models[0].n)
    return Cases(tuple(p.take(order) for p in cases.models), cases.names, cases.measure)
