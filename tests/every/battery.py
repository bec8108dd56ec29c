"""Small predictions of every kind, and every measure with every kind of argument.

Columns are kept as plain arrays, so that tests can permute, repeat, drop and rename rows.
"""

from __future__ import annotations

import ast
import pickle
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly import CostMatrix, Predictions
from credibly.measures import Measure, measures
from credibly.predictions.lack import POSITIVE
from each import Each

if TYPE_CHECKING:
    from collections.abc import Callable

COSTS = CostMatrix.of([[0, 1, 2], [5, 0, 1], [7, 3, 0]], classes=[0, 1, 2])
CANDIDATES = (None, False, True, 0, 0.5, 1, 2, 12, COSTS)
ROWS = {"y_true", "label", "score", "probability", "value", "outcome", "sample_weight"}


@dataclass(frozen=True)
class Case:
    """Columns of predictions; ``wholesome`` ones define every measure, ``perfect`` ones are right."""

    name: str
    columns: dict[str, Any]
    wholesome: bool = False
    perfect: bool = False
    made: dict[Any, Any] = field(default_factory=dict)

    @property
    def n(self) -> int:
        return len(self.columns.get("y_true", self.columns.get("outcome")))

    @property
    def predictions(self) -> Predictions:
        return self.once("as it is", self.fresh)

    def once(self, key: object, make: Callable[[], Any]) -> Any:
        """Keep what every measure is tried on: making it takes longer than measuring it."""
        if key not in self.made:
            self.made[key] = make()
        return self.made[key]

    def fresh(self) -> Predictions:
        return Predictions.of(**self.columns)

    def with_columns(self, **changed: Any) -> Predictions:
        made = partial(Predictions.of, **{**self.columns, **changed})
        return self.once(("columns", pickle.dumps(changed)), made)

    def rows(self, which: Any, **changed: Any) -> Predictions:
        """Return predictions of some rows, in the order given."""
        return self.once(
            ("rows", pickle.dumps((which, changed))), partial(self._rows, which, changed)
        )

    def _rows(self, which: Any, changed: dict[str, Any]) -> Predictions:
        picked = {k: np.asarray(v)[which] if k in ROWS else v for k, v in self.columns.items()}
        weight = changed.get("sample_weight")
        if weight is not None:
            changed["sample_weight"] = np.asarray(weight)[which]
        return Predictions.of(**{**picked, **changed})

    def __repr__(self) -> str:
        return self.name


def _object(values: list[Any]) -> np.ndarray:
    column = np.empty(len(values), object)
    column[:] = values
    return column


def _binary() -> list[Case]:
    rng = np.random.default_rng(1)
    n = 24
    y = np.arange(n) % 2
    p = np.clip(0.35 * y + 0.6 * rng.random(n), 0.01, 0.99)
    label = np.where(rng.random(n) < 0.3, 1 - y, y)
    tied = np.round(p * 4) / 4
    common: dict[str, Any] = {"classes": [0, 1], "positive": 1, "baseline": [0.4, 0.6]}
    full = {"y_true": y, "label": label, "probability": p, **common}
    doubt = _object([None if i % 4 == 0 else int(v) for i, v in enumerate(label)])
    heavy = np.where(y == 1, 1.0, 1e12)
    certain = {**full, "baseline": [0.0, 1.0]}
    return [
        Case("binary", full, wholesome=True),
        Case("binary, two columns", {**full, "probability": np.column_stack([1 - p, p])}, True),
        Case("tied", {**full, "probability": np.clip(tied, 0.25, 0.75)}, wholesome=True),
        Case("scores", {"y_true": y, "label": label, "score": 9 * p - 5, **common}, wholesome=True),
        Case("doubt", {**full, "label": doubt}, wholesome=True),
        Case("no label", {**full, "label": _object([None] * n)}),
        Case("certain", {**full, "probability": np.where(tied > 0.5, 1.0, 0.0)}),
        Case("perfect", {**full, "label": y, "probability": y * 1.0}, True, perfect=True),
        Case("worst", {**full, "label": 1 - y, "probability": 1.0 - y}),
        Case(
            "worst, few positives",
            {**full, "label": 1 - y, "probability": 1.0 - y, "sample_weight": heavy},
        ),
        Case("constant score", {**full, "probability": np.full(n, 0.5)}),
        Case("all positive", {**full, "y_true": np.ones(n, int)}),
        Case("all negative", {**full, "y_true": np.zeros(n, int)}),
        Case(
            "all positive, none expected",
            {**full, "y_true": np.ones(n, int), "probability": np.zeros(n)},
        ),
        Case("all labelled positive", {**full, "label": np.ones(n, int)}),
        Case("all labelled negative", {**full, "label": np.zeros(n, int)}),
        Case("nothing positive", {**full, "y_true": y * 0, "label": y * 0}),
        Case("one positive row", {k: v[:1] if k in ROWS else v for k, v in full.items()}),
        Case("baseline certain", certain),
        Case("baseline certain and right", {**certain, "y_true": np.ones(n, int)}),
        Case("no rows", {k: v[:0] if k in ROWS else v for k, v in full.items()}),
    ]


def _several() -> list[Case]:
    rng = np.random.default_rng(2)
    n = 30
    y = np.arange(n) % 3
    p = rng.dirichlet([1, 1, 1], n) * 0.6
    p[np.arange(n), y] += 0.4
    label = np.where(rng.random(n) < 0.3, (y + 1) % 3, y)
    common: dict[str, Any] = {"classes": [0, 1, 2], "baseline": [0.5, 0.3, 0.2]}
    full = {"y_true": y, "label": label, "probability": p, **common}
    doubt = _object([None if i % 5 == 0 else int(v) for i, v in enumerate(label)])
    return [
        Case("three classes", full, wholesome=True),
        Case("three classes, tied", {**full, "probability": np.round(p * 4 - 0.5) / 4 * 0 + 1 / 3}),
        Case("three classes, doubt", {**full, "label": doubt}, wholesome=True),
        Case("three classes, one absent", {**full, "y_true": y % 2}),
        Case(
            "three classes, perfect",
            {**full, "label": y, "probability": np.eye(3)[y]},
            wholesome=True,
            perfect=True,
        ),
        Case(
            "three classes, worst",
            {**full, "label": (y + 1) % 3, "probability": np.eye(3)[(y + 1) % 3]},
        ),
    ]


def _numeric() -> list[Case]:
    rng = np.random.default_rng(3)
    n = 20
    y = rng.integers(1, 9, n) + 0.5
    v = y + rng.normal(size=n)
    full: dict[str, Any] = {"y_true": y, "value": v, "baseline": 4.25}
    return [
        Case("numeric", full, wholesome=True),
        Case("numeric, tied", {**full, "value": np.round(v)}, wholesome=True),
        Case("numeric, perfect", {**full, "value": y.copy()}, True, perfect=True),
        Case("numeric, reversed", {**full, "value": -y}),
        Case("numeric, far below", {**full, "value": y - 100}),
        Case("numeric, far above", {**full, "value": y + 100}),
        Case("numeric, truth zero", {**full, "y_true": y * 0, "value": y}),
        Case("numeric, constant value", {**full, "value": np.full(n, 0.1)}),
        Case("numeric, constant truth", {**full, "y_true": np.full(n, 0.1)}),
        Case("numeric, baseline right", {**full, "y_true": np.full(n, 4.25)}),
        Case("numeric, one row", {"y_true": y[:1], "value": v[:1], "baseline": 4.25}),
        Case("numeric, no rows", {"y_true": y[:0], "value": v[:0], "baseline": 4.25}),
    ]


def _outcomes() -> list[Case]:
    rng = np.random.default_rng(4)
    n = 20
    numbers, passed = rng.normal(size=n), rng.random(n) < 0.6
    return [
        Case("outcomes", {"outcome": numbers, "better": "lower"}, wholesome=True),
        Case("outcomes, tied", {"outcome": np.round(numbers), "better": "higher"}, wholesome=True),
        Case("outcomes in bounds", {"outcome": rng.random(n), "bounds": (0, 1)}, wholesome=True),
        Case("outcomes, one row", {"outcome": numbers[:1]}),
        Case("outcomes, no rows", {"outcome": numbers[:0]}),
        Case("passes", {"outcome": passed}, wholesome=True),
        Case("passes, all", {"outcome": passed | True}, perfect=True),
        Case("passes, none", {"outcome": passed & False}),
    ]


CASES = [*_binary(), *_several(), *_numeric(), *_outcomes()]


def _choices(text: str) -> list[Any]:
    """Read the values that a rule lists."""
    listed = text.removeprefix("one of ")
    return [] if listed == text else list(ast.literal_eval(f"({listed},)"))


def variants(m: Measure) -> list[Measure]:
    """Return a measure with its default arguments, if they suffice, and with every candidate."""
    made = [] if any(q.required for q in m.parameters) else [m]
    for q in m.parameters:
        tried = _choices(q.rule.text) or CANDIDATES
        fitting = [c for c in tried if q.rule.accepts(c) and c is not q.default]
        made += [m.given(**{q.name: c}) for c in fitting]
    return made


EVERY = list(measures)
VARIANTS = [v for m in EVERY for v in variants(m)]


def name_of(m: Measure) -> str:
    return m.call.split("CostMatrix")[0]


def by_variant(some: list[Measure]) -> Each:
    """Try each variant of a measure; every day the first of each, since other doors take their defaults too."""
    first = {m.name: m for m in reversed(some)}
    return Each("m", some, name_of, later=lambda m: first[m.name] is not m)


def cases_for(m: Measure, **wanted: bool) -> list[Case]:
    """Return the cases to which a measure applies."""
    return [
        c
        for c in CASES
        if all(getattr(c, k) == v for k, v in wanted.items()) and not m.lacks(c.predictions)
    ]


def counts_cases(m: Measure) -> bool:
    """Whether a parameter is a number of cases, which weights would have to reach."""
    return any(q.rule.accepts(2) and not q.rule.accepts(2.5) for q in m.parameters)


def about_one_class(m: Measure, p: Predictions) -> bool:
    """Whether several classes need a view of one against the rest before it applies."""
    return len(p.classes) > 2 and m.lacks(p) == POSITIVE


def same(a: float, b: float, rtol: float = 1e-12, atol: float = 1e-14) -> bool:
    return bool(np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True))
