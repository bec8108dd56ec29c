"""What rules that learned nothing would have scored on the same cases.

A baseline predicts by class alone, so it is a handful of weighted rows, and every measure applies to
it as it does to real predictions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.declared import Declarator, DeclaredFunction
from credibly._core.keeping import kept
from credibly._core.names import Names
from credibly._core.registry import Registry
from credibly.predictions import Predictions
from credibly.predictions.labels import tallied
from credibly.predictions.summaries import ScoreTable

if TYPE_CHECKING:
    from credibly._core.averages import Average
    from credibly.measures import Measure


@dataclass(frozen=True, eq=False, kw_only=True)
class Baseline(DeclaredFunction[[Predictions], Predictions | None]):
    """A rule that ignores the case: its predictions for given cases, or nothing where it does not apply."""

    gives: str  # the column of predictions that it fills


baselines: Registry[Baseline] = Registry("baseline", "credibly.evaluation", ending="_rules")
baseline = Declarator(Baseline, baselines)


def baseline_values(
    m: Measure, p: Predictions, average: Average | None, *, by_class: bool
) -> dict[str, list[float]]:
    """Return what each baseline scores on these cases: one value, or one for each class.

    >>> from credibly.measures import accuracy
    >>> p = Predictions.of([1, 1, 0], label=[1, 0, 0])
    >>> baseline_values(accuracy, p, None, by_class=False)["majority"]
    [0.6666666666666666]
    """
    rules = {b: r for b, r in _rules_for(m, p).items() if r is not None and _reads(m, r, average)}
    if by_class:
        return {b.name: m.by_class(r).tolist() for b, r in rules.items()}
    if average or m.loss is not None or len(rules) < 2:
        return {b.name: [m.on(r, average)] for b, r in rules.items()}
    # One batch of summaries for all measures that read it, and one call of each formula.
    of_rules = [m.reads.of(r) for r in rules.values()]
    batch = kept(p, (baseline_values, m.reads), lambda: m.reads.stacked(of_rules))
    values = m.of_summary(batch).tolist()
    return {b.name: [value] for b, value in zip(rules, values, strict=True)}


def rows_of_rule(m: Measure, p: Predictions, name: str) -> Predictions:
    """Return the rows by which a baseline that has a value stands for these cases.

    >>> from credibly.measures import accuracy
    >>> p = Predictions.of([1, 1, 0], label=[1, 0, 0])
    >>> rows_of_rule(accuracy, p, "majority").label.tolist()
    [1, 1]
    """
    rows = _rules_for(m, p)[baselines[name]]
    assert rows is not None  # noqa: S101  # it has a value
    return rows


def _rules_for(m: Measure, p: Predictions) -> dict[Baseline, Predictions | None]:
    """Return what each baseline says of these cases that gives what a measure reads; made once for all."""
    read = "probability" if m.takes == "score" else m.takes
    if m.loss is not None and read not in m.needs:
        read = ""  # it reads the truth alone, so that any rule will do
    return kept(p, ("rules", read), lambda: {b: b(p) for b in baselines if read in {b.gives, ""}})


def _reads(m: Measure, rule: Predictions, average: Average | None) -> bool:
    """Whether a rule holds what the measure reads: one of probabilities predicts no sizes of classes."""
    sized = average != "weighted_predicted" or rule.label is not None
    return sized and not m.lacks(rule, averaged=True)


def _one_row_per_class(p: Predictions) -> Predictions | None:
    """Stand for all cases by one row per class with the weight of its cases."""
    if p.task != "classification" or not p.classes:
        return None
    return kept(p, _class_rows, lambda: _class_rows(p))


def _saying(rows: Predictions, **columns: Any) -> Predictions:  # noqa: ANN401
    """Return rows with what a rule says of them: nothing is missing there."""
    return replace(rows, **columns, cache={"gapless": True, "unknown": None})


def _class_rows(p: Predictions) -> Predictions:
    k = len(p.classes)
    size = tallied(p.truth, p.weight, k)
    return Predictions(
        task="classification",
        truth=np.arange(k),
        classes=p.classes,
        positive=p.positive,
        weight=size,
        weight_kind=p.kind_of_sums,
        baseline=None if p.baseline is None else np.tile(p.baseline.mean(axis=0), (k, 1)),
    )


@baseline(
    gives="label",
    aliases=Names(texts="majority class", sklearn="most_frequent", caret="No Information Rate"),
)
def majority(p: Predictions) -> Predictions | None:
    """Every case gets the most frequent class of these cases."""
    rows = _one_row_per_class(p)
    if rows is None or p.label is None:
        return None
    return _saying(rows, label=np.full(len(p.classes), rows.weights.argmax()))


@baseline(gives="label")
def random(p: Predictions) -> Predictions | None:
    """Labels as frequent as the predicted ones, dealt out without looking at the cases."""
    rows = _one_row_per_class(p)
    if rows is None or p.label is None:
        return None
    k = len(p.classes)
    share = np.bincount(np.where(p.label < 0, k, p.label), p.weights, k + 1)
    actual, label = np.divmod(np.arange(k * (k + 1)), k + 1)
    return _saying(
        rows,
        truth=actual,
        label=np.where(label == k, -1, label),
        weight=rows.weights[actual] * (share[label] / max(share.sum(), 1e-300)),
        baseline=None if rows.baseline is None else rows.baseline[actual],
    )


@baseline(gives="label", aliases=Names(texts="trivial acceptor"))
def all_positive(p: Predictions) -> Predictions | None:
    """Every case is labelled positive: the trivial acceptor."""
    rows = _one_row_per_class(p)
    if rows is None or p.label is None or not p.has_positive or p.positive is None:
        return None
    return _saying(rows, label=np.full(len(p.classes), p.positive))


@baseline(gives="probability", aliases=Names(sklearn="prior"))
def prevalence(p: Predictions) -> Predictions | None:
    """Every case gets the class shares of these cases as its probabilities."""
    rows = _one_row_per_class(p)
    if rows is None or (p.probability is None and p.score is None) or not rows.weights.sum():
        return None
    size = rows.weights
    share = size / size.sum()
    made = _saying(rows, probability=np.array([share] * len(p.classes)))
    if len(size) == 2 and p.positive is not None:
        sides = size[p.positive], size[1 - p.positive]
        ScoreTable.of_one_score(share[p.positive], *sides, made.case_weight).stand_for(made)
    return made


@baseline(gives="value")
def mean(p: Predictions) -> Predictions | None:
    """Every case gets the training mean, or that of these cases when it is not known."""
    if p.task != "numeric" or not p.n:
        return None
    if p.baseline is None and not p.weights.any():
        return None
    constant = p.baseline
    if constant is None:
        constant = np.broadcast_to(np.average(p.truth, weights=p.weight), p.n)
    return _saying(p, value=constant) if p.known() is p else replace(p, value=constant, cache={})
