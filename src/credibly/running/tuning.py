"""Tuning inside the training part: no test case helps to choose parameters or thresholds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils.metaestimators import available_if

from credibly._core.parameters import write_call
from credibly.errors import DataError, ParameterError, says
from credibly.evaluation import evaluate
from credibly.measures import Measure, measures
from credibly.measures.by_threshold import best_threshold, names_of_both, refuse_unlabelled
from credibly.predictions import Predictions
from credibly.predictions.summaries import ScoreTable
from credibly.running.findings import INTERRUPTED
from credibly.running.run import run
from credibly.schemes import Scheme, as_scheme, build, fitted, outputs

SCORE_REFUSED = (
    "The score that chose the {what} was measured on the data that chose it, so it is too good and is not "
    "reported. Pass this scheme to credibly.run, which judges it on cases that were not used to "
    "choose, or set "
    "keep_predictions=True and see credibly.best_of(model.held_out_)."
)


def nested(
    scheme: Any,
    grid: Mapping[str, Sequence[Any]],
    *,
    inner: Any = "5",
    measure: str = "error_rate",
    rng: int | None = None,
    keep_predictions: bool = False,
) -> Tuned:
    """Return a scheme that chooses its parameters by resampling its own training part.

    Run it like any other scheme: the outer splits then judge the choosing as well. A search object of
    scikit-learn (a grid search by ``GridSearchCV``) does the same. With ``keep_predictions=True`` a
    fitted one holds what all candidates predicted on the inner splits (``held_out_``), of which
    :func:`credibly.best_of` estimates, without outer splits, what the chosen one is worth.

    >>> import credibly
    >>> from credibly.running import nested
    >>> from sklearn.datasets import load_iris
    >>> tuned = nested("knn", {"k": [1, 5, 15]}, inner="3")
    >>> p = credibly.run({"tuned knn": tuned}, *load_iris(return_X_y=True), resampling="3", rng=1)
    >>> credibly.evaluate(p, "error_rate", estimate="pooled")["error_rate"].value < 0.1
    True
    >>> kept = nested("knn", {"k": [1, 5, 15]}, inner="3", rng=1, keep_predictions=True)
    >>> search = kept.fit(*load_iris(return_X_y=True))
    >>> best = credibly.best_of(search.held_out_, "error_rate", rng=1)
    >>> best.chosen, search.best_params_, best.corrected.value > best.naive.value
    ('knn(k=1)', {'k': 1}, True)
    """
    return Tuned(scheme, grid, inner, measure, rng, keep_predictions)


def tuned_threshold(
    scheme: Any,
    *,
    measure: str = "f1",
    inner: Any = "5",
    positive: object = None,
    rng: int | None = None,
    keep_predictions: bool = False,
) -> TunedThreshold:
    """Return a scheme for two classes that chooses its threshold by resampling its own training part.

    With ``keep_predictions=True`` a fitted one holds the predictions that chose it (``held_out_``), for
    :func:`credibly.best_of` with ``thresholds=True``.

    >>> from credibly.running.tuning import tuned_threshold
    >>> from sklearn.datasets import load_breast_cancer
    >>> model = tuned_threshold("naive-bayes", inner="3", rng=1).fit(*load_breast_cancer(return_X_y=True))
    >>> 0 < model.best_threshold_ <= 1
    True
    """
    return TunedThreshold(scheme, measure, inner, positive, rng, keep_predictions)


def _has(method: str) -> Callable[[Any], bool]:
    return lambda self: hasattr(self.model_, method)


class _Choosing(BaseEstimator):  # type: ignore[misc]
    """What schemes that choose inside the training part share: the chosen model predicts."""

    @available_if(_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the chosen model."""
        return self.model_.predict_proba(X)

    @available_if(_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        """Return the scores of the chosen model."""
        return self.model_.decision_function(X)

    def predict(self, X: Any) -> Any:
        """Return the predictions of the chosen model."""
        return self.model_.predict(X)

    def _held_out(
        self, schemes: Any, X: Any, y: Any, sample_weight: Any, groups: Any, **options: Any
    ) -> Predictions:
        """Run on the inner splits; an interruption ends the whole run instead of choosing by part of it."""
        options |= {"groups": groups, "sample_weight": sample_weight, "progress": False}
        p = run(schemes, X, y, resampling=self.inner, rng=self.random_state or 0, **options)
        if any(f.code == INTERRUPTED.code for f in p.findings):
            raise KeyboardInterrupt
        if self.keep_predictions:
            self.held_out_ = p
        return p

    def _keep(self, model: Any) -> None:
        self.model_ = model
        if hasattr(model, "classes_"):
            self.classes_ = model.classes_


@dataclass(eq=False, repr=False)
class Tuned(_Choosing):
    """A scheme that chooses its parameters when it is fitted; see :func:`nested`."""

    scheme: Any
    grid: Any
    inner: Any = "5"
    measure: str = "error_rate"
    random_state: int | None = None
    keep_predictions: bool = False

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Tuned:
        """Try every combination of the grid on the inner splits, and refit the best."""
        found = candidates(self.scheme, self.grid)
        p = self._held_out([s for s, _ in found], X, y, sample_weight, groups)
        values = {s.name: _value(p, s.name, self.measure) for s, _ in found}
        best = _best(values, self.measure)
        chosen, self.best_params_ = next(c for c in found if c[0].name == best)
        estimator = build(chosen, p.task, X, self.random_state)
        self._keep(fitted(best, estimator, X, y, sample_weight, groups))
        return self

    @property
    def best_score_(self) -> float:
        """Refused: the score that chose is not one that judges."""
        raise ParameterError(SCORE_REFUSED.format(what="parameters"))


@dataclass(eq=False, repr=False)
class TunedThreshold(_Choosing):
    """A scheme for two classes that chooses its threshold when it is fitted; see :func:`tuned_threshold`."""

    scheme: Any
    measure: str = "f1"
    inner: Any = "5"
    positive: object = None
    random_state: int | None = None
    keep_predictions: bool = False

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> TunedThreshold:
        """Choose the threshold by held-out scores of the training part, and fit on all of it."""
        m = measures.parse(self.measure)
        refuse_unlabelled(m)
        p = self._held_out(self.scheme, X, y, sample_weight, groups, positive=self.positive)
        _, self.positive_ = names_of_both(p)
        table = ScoreTable.of(p, "a threshold")
        self.best_threshold_ = best_threshold(m, table, p)
        estimator = build(as_scheme(self.scheme), "classification", X, self.random_state)
        self._keep(fitted(as_scheme(self.scheme).name, estimator, X, y, sample_weight, groups))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Label positive from the chosen threshold on."""
        names = np.asarray(self.classes_)
        place = names.tolist().index(self.positive_)
        output = outputs(self.model_, X, names.tolist())
        if output.probability is not None:
            score = output.probability[:, place]
        elif output.score is not None:
            score = output.score if place == 1 else -output.score
        else:
            return np.asarray(output.label)
        return names[np.where(score >= self.best_threshold_, place, 1 - place)]

    @property
    def best_score_(self) -> float:
        """Refused: the score that chose is not one that judges."""
        raise ParameterError(SCORE_REFUSED.format(what="threshold"))


def candidates(
    scheme: Any, grid: Mapping[str, Sequence[Any]]
) -> list[tuple[Scheme, dict[str, Any]]]:
    """Return a scheme for each combination of the grid."""
    listed = [v for v in grid.values() if hasattr(v, "__len__") and not isinstance(v, str)]
    if not grid or len(listed) < len(grid) or not all(len(v) for v in listed):
        raise ParameterError(f"grid must give a list of values for each parameter; got {grid!r}.")
    base = as_scheme(scheme)
    made = []
    for values in product(*grid.values()):
        given = dict(zip(grid, values, strict=True))
        name = write_call(base.name.partition("(")[0], {**base.parameters, **given})
        if base.entry:
            chosen = replace(base, name=name, parameters={**base.parameters, **given})
        else:
            chosen = replace(base, name=name, estimator=_set(base.estimator, given))
        made.append((chosen, given))
    return made


def _set(estimator: Any, given: dict[str, Any]) -> Any:
    known = estimator.get_params(deep=True)
    for name in given:
        if name not in known:
            raise ParameterError(
                f"{type(estimator).__name__} has no parameter {name!r}.",
                asked=name,
                choices=known,
                remedy=f"It has: {', '.join(sorted(known))}.",
            )
    return clone(estimator).set_params(**given)


def _value(p: Predictions, model: str, measure: str) -> float:
    rows = p.matching({"model": model})
    if rows is None:
        return float("nan")
    table = evaluate(rows, measure, estimate="pooled", interval="none")
    return table.estimates[0].value


def choosing_measure(name: str) -> Measure:
    """Return the measure of a name, one that has a better end."""
    measure = measures.parse(name)
    if measure.direction == "neither":
        raise ParameterError(f"{name} has no better direction, so it cannot be used to choose.")
    return measure


def _best(values: Mapping[str, float], measure: str) -> str:
    direction = choosing_measure(measure).direction
    defined = {k: v for k, v in values.items() if not np.isnan(v)}
    if not defined:
        raise DataError(f"{measure} is undefined for every candidate, so none can be chosen.")
    return (max if direction == "higher" else min)(defined, key=lambda k: defined[k])


@dataclass(frozen=True, slots=True)
class Selection:
    """The model that did best on validation parts, and its predictions for the test parts alone."""

    model: str
    predictions: Predictions


def select(predictions: Predictions, measure: str) -> Selection:
    """Choose a model by its validation parts; judge it by its test parts.

    >>> import credibly
    >>> from credibly.running.tuning import select
    >>> from sklearn.datasets import load_iris
    >>> p = credibly.run(["zero-r", "naive-bayes"], *load_iris(return_X_y=True), resampling="three_way", rng=1)
    >>> chosen = select(p, "error_rate")
    >>> chosen.model, set(chosen.predictions.part.tolist())
    ('naive-bayes', {'test'})
    """
    seen = predictions.seen
    validated = None if seen is None else seen.matching({"part": "validation"})
    if validated is None:
        raise DataError(
            "There is no validation part to choose by.",
            remedy=says("Run with <resampling='three_way'>."),
        )
    names = list(dict.fromkeys(predictions.need("model", "choosing").tolist()))
    best = _best({n: _value(validated, n, measure) for n in names}, measure)
    return Selection(best, predictions.where(model=best))
