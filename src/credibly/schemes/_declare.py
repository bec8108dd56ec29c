"""How a learning scheme is declared: one function that returns an estimator of scikit-learn's kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar, Literal

from credibly._core.declared import Declarator, Declared, Registry
from credibly._core.parameters import Rule, require
from credibly.errors import ParameterError, listed
from credibly.predictions.table import Task

BOTH_TASKS: tuple[Task, ...] = ("classification", "numeric")
PREDICTED_WORDS = {"classification": "classes", "numeric": "numbers"}

Encoding = Literal["one-hot", "codes", "none"]


class SchemeEntry(Declared[["Task"], Any]):
    """A learning scheme with a name, and how its columns are prepared for its estimator.

    ``encoding`` says how columns of categories reach it (``"none"``: as they are), ``scale`` that
    it needs columns of one scale, ``takes_missing`` that it handles missing values by itself, and
    ``renamed`` gives parameters a name of the field beside the estimator's own. ``constraints``
    holds rules for parameters that the estimator itself would only check when it is fitted.

    >>> from credibly.schemes import schemes
    >>> schemes["knn"].make("classification", k=3)
    KNeighborsClassifier(n_neighbors=3)
    """

    cite: str
    tasks: tuple[Task, ...] = BOTH_TASKS
    encoding: Encoding = "one-hot"
    scale: bool = False
    takes_missing: bool = False
    renamed: Mapping[str, str] = field(default_factory=dict)
    constraints: Mapping[str, Rule] = field(default_factory=dict, repr=False)
    dashed: ClassVar = True

    @property
    def predicts(self) -> str:
        """What it predicts: classes, numbers or both."""
        return listed(PREDICTED_WORDS[t] for t in self.tasks)

    @property
    def preprocessing(self) -> list[str]:
        """What is done to the columns inside the fold, where they need it."""
        encoded = {
            "one-hot": "one column for each category",
            "codes": "one code for each category",
            "none": "taken as they are",
        }
        steps = [encoded[self.encoding]]
        if self.encoding != "none" and not self.takes_missing:
            steps.append("means for missing numbers")
        if self.takes_missing:
            steps.append("missing numbers as they are")
        return [*steps, "standardised"] if self.scale else steps

    def estimators(self) -> list[str]:
        """Write the estimators that do the work, with what differs from their own defaults."""
        return [str(self.function(task)) for task in self.tasks]

    def facts(self) -> dict[str, Any]:
        """Return what people ask of it, by name."""
        return {
            "predicts": self.predicts,
            "estimator": self.estimators(),
            "renamed": [f"{ours} for {theirs}" for ours, theirs in self.renamed.items()],
            "columns_are": self.preprocessing,
        }

    def make(self, task: Task, **parameters: object) -> Any:
        """Return the unfitted estimator for a task, with some of its parameters set."""
        if task not in self.tasks:
            other = [e.name for e in schemes if task in e.tasks and self.tasks != e.tasks]
            raise ParameterError(
                f"{self.name} predicts {PREDICTED_WORDS[self.tasks[0]]}, and the target holds "
                f"{PREDICTED_WORDS[task]}.",
                choices=other,
                remedy=f"Schemes for those: {', '.join(other)}.",
            )
        estimator = self.function(task)
        known = {k: k for k in estimator.get_params(deep=False)} | dict(self.renamed)
        for name in parameters:
            if name not in known:
                raise ParameterError(
                    f"{self.name} has no parameter {name!r}.",
                    asked=name,
                    choices=known,
                    remedy=f"It has: {', '.join(sorted(known))}.",
                )
        self.check(parameters)
        return estimator.set_params(**{known[k]: v for k, v in parameters.items()})

    def check(self, parameters: Mapping[str, object]) -> None:
        """Refuse values that break a rule, by the name under which they were given."""
        rules = {self.renamed.get(name, name): rule for name, rule in self.constraints.items()}
        for name, value in parameters.items():
            rule = rules.get(self.renamed.get(name, name))
            if rule is not None:
                require(f"{self.name}: {name}", value, rule)


schemes: Registry[SchemeEntry] = Registry(
    "scheme", "credibly.schemes", use="run({name!r}, X, y)", typed="run FILE --scheme {name}"
)
scheme = Declarator(SchemeEntry, schemes)
