"""The size of a theory, which is what a reader of a fitted model has to read, beside its error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.text import interval_text, number_text
from credibly.evaluation import evaluate
from credibly.evaluation.fold_estimators import headline_estimate
from credibly.measures.selection import headline_measure
from credibly.predictions.table import Task
from credibly.results.estimate import Estimate
from credibly.results.result import Cells, Result
from credibly.running.final import final_model
from credibly.running.run import run
from credibly.schemes import as_schemes
from credibly.schemes.prediction import last_step

SIZE_PARTS = ("models", "rules", "conditions", "numbers", "cases")


class TheorySize(Result, eq=True):
    """The parts of a fitted model; all NaN for a model of unknown structure.

    ``rules`` are leaves of trees or buckets of one rule, ``conditions`` the tests that lead to them,
    ``numbers`` what was learnt otherwise (coefficients, means, shares), and ``cases`` those of the
    training part that the model keeps to compare new ones with. ``models`` is how many vote.
    """

    name: str
    models: float = 1
    rules: float = 0
    conditions: float = 0
    numbers: float = 0
    cases: float = 0

    @property
    def total(self) -> float:
        """Rules, conditions, numbers and cases together."""
        return self.rules + self.conditions + self.numbers + self.cases


def theory_size(model: Any, name: str = "") -> TheorySize:
    """Count what a fitted model is made of.

    >>> from credibly.running import theory_size
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> size = theory_size(DecisionTreeClassifier().fit([[1], [2], [3]], [0, 1, 0]))
    >>> size.rules, size.conditions
    (3, 2)
    """
    learnt = last_step(model)
    name = name or type(learnt).__name__
    for attribute, count in COUNTERS.items():
        if hasattr(learnt, attribute):
            return TheorySize(name, **count(learnt))
    return TheorySize(name, *[float("nan")] * len(SIZE_PARTS))


def _tree(model: Any) -> dict[str, int]:
    leaves = int((model.tree_.children_left < 0).sum())
    return {"rules": leaves, "conditions": int(model.tree_.node_count) - leaves}


def _boosted(model: Any) -> dict[str, int]:
    trees = [tree.nodes for stage in model._predictors for tree in stage]  # noqa: SLF001
    leaves = sum(int(nodes["is_leaf"].sum()) for nodes in trees)
    nodes = sum(len(nodes) for nodes in trees)
    return {"models": len(trees), "rules": leaves, "conditions": nodes - leaves}


def _members(model: Any) -> Counter[str]:
    total: Counter[str] = Counter()
    for member in np.asarray(model.estimators_, object).ravel().tolist():
        size = theory_size(member)
        total.update({part: getattr(size, part) for part in SIZE_PARTS})
    return total


def _one_rule(model: Any) -> dict[str, int]:
    filled = int((model.rule_.counts.sum(axis=1) > 0).sum())
    return {"rules": filled, "conditions": filled - 1}


def _full_bayes(model: Any) -> dict[str, int]:
    k, d = model.means_.shape
    return {"numbers": k * d + k * d * (d + 1) // 2 + k - 1}


def _nominal_bayes(model: Any) -> dict[str, int]:
    k = len(model.classes_)
    shares = sum(len(values) - 1 for values in model.values_.values())
    return {"numbers": k * (shares + 2 * len(model.densities_)) + k - 1}


def _support_vectors(model: Any) -> dict[str, int]:
    rows = int(model.support_vectors_.shape[0])
    return {"cases": rows, "numbers": int(model.dual_coef_.size) + int(np.size(model.intercept_))}


def _linear(model: Any) -> dict[str, int]:
    moved = int(np.count_nonzero(model.coef_))
    return {"numbers": moved + int(np.count_nonzero(getattr(model, "intercept_", 0)))}


# How to count a model that has this attribute once it is fitted; the first that it has.
COUNTERS: Mapping[str, Callable[[Any], Mapping[str, int]]] = {
    "estimators_": _members,
    "_predictors": _boosted,
    "tree_": _tree,
    "rule_": _one_rule,
    "covariances_": _full_bayes,
    "shares_": _nominal_bayes,
    "var_": lambda m: {"numbers": 2 * int(m.var_.size) + len(m.classes_) - 1},
    "support_vectors_": _support_vectors,
    "coef_": _linear,
    "coefs_": lambda m: {"numbers": sum(int(c.size) for c in (*m.coefs_, *m.intercepts_))},
    "n_samples_fit_": lambda m: {"cases": int(m.n_samples_fit_)},
    "class_prior_": lambda m: {"rules": 1, "numbers": len(m.class_prior_) - 1},
    "constant_": lambda m: {"rules": 1, "numbers": int(np.size(m.constant_))},
}


class TheorySizes(Result):
    """The size of what each scheme makes of all data, beside its error in resampling."""

    sizes: tuple[TheorySize, ...]
    errors: tuple[Estimate, ...]
    findings: tuple[Finding, ...] = ()

    heading = "Size of what each scheme learns from all data, and its error on held-out cases"
    versioned = True

    def __iter__(self) -> Iterator[tuple[TheorySize, Estimate]]:
        return zip(self.sizes, self.errors, strict=True)

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary for each scheme."""
        return [
            {
                "scheme": s.name,
                **{part: float(getattr(s, part)) for part in (*SIZE_PARTS, "total")},
                "measure": e.measure,
                "value": e.value,
                "low": e.interval.low if e.interval else float("nan"),
                "high": e.interval.high if e.interval else float("nan"),
            }
            for s, e in self
        ]

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        body = [
            [s.name, *(number_text(float(getattr(s, p))) for p in SIZE_PARTS), interval_text(e.value, e.interval)]
            for s, e in self
        ]  # fmt: skip
        return ["scheme", *SIZE_PARTS, self.errors[0].name.lower()], body


@door
def theory_sizes(
    schemes: Any,
    X: Any,
    y: Any,
    *,
    measure: str | None = None,
    resampling: Any = None,
    task: Task | None = None,
    rng: int | np.random.Generator | None = None,
    progress: bool = True,
) -> TheorySizes:
    """Set the size of fitted models beside their error: how much there is to understand, and what it brings.

    Sizes are those of models fitted on all data; errors come from resampling. Size is only one part
    of how well people understand a theory, but it can be counted.

    Parameters
    ----------
    schemes
        Schemes as for :func:`credibly.run`.
    X, y
        Inputs and targets.
    measure
        What errors are measured by; the error rate, or the mean absolute error of numbers.
    resampling
        As for :func:`credibly.run`; ten folds by default.
    task
        What is predicted, classes or numbers, if the target does not make that clear.
    rng
        Seed of the resampling, and of every fit that is random.
    progress
        Show a progress bar on a terminal if it takes long.

    >>> from credibly.running import theory_sizes
    >>> from sklearn.datasets import load_iris
    >>> data = load_iris(return_X_y=True)
    >>> found = theory_sizes(["zero-r", "tree(max_depth=2)"], *data, rng=1, progress=False)
    >>> [(s.name, s.rules, s.conditions, round(e.value, 2)) for s, e in found]
    [('zero-r', 1, 0, 0.67), ('tree(max_depth=2)', 3, 2, 0.07)]
    """
    chosen = as_schemes(schemes)
    p = run(list(chosen), X, y, resampling=resampling, task=task, rng=rng, progress=progress)
    name = measure or headline_measure(p.task)
    table = evaluate(p, name, estimate=headline_estimate(p, name))
    by_model = {str(e.keys.get("model", chosen[0].name)): e for e in table.estimates}
    sizes = [
        theory_size(final_model(s, X, y, task=task, rng=rng).estimator, s.name) for s in chosen
    ]
    errors = tuple(by_model[s.name] for s in chosen)
    return TheorySizes(tuple(sizes), errors, table.all_findings())
