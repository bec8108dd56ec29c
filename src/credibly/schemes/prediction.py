"""Fit an estimator, and take from it the most telling kind of prediction that it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credibly.errors import CrediblyError, DataError, ParameterError, listed
from credibly.schemes.columns import declared_categories, nature_of
from credibly.schemes.whole_groups import keep_groups_whole, takes_groups

MAX_SHOWN_COLUMNS = 5  # names of columns in a message
# Where `predict` of scikit-learn's own classes returns the class of the largest `predict_proba`, by the
# same numbers: asking once is enough. Elsewhere rounding, ties or a threshold can make a difference.
LABEL_IS_MOST_PROBABLE = {
    "sklearn.calibration.CalibratedClassifierCV.predict",
    "sklearn.ensemble._bagging.BaggingClassifier.predict",
    "sklearn.ensemble._forest.ForestClassifier.predict",
    "sklearn.neighbors._classification.KNeighborsClassifier.predict",  # counts, if all weigh the same
    "sklearn.tree._classes.BaseDecisionTree.predict",
}

Source = Literal["probability", "decision_function", "votes", "label", "value"]


@dataclass(frozen=True, slots=True, eq=False)
class ModelOutput:
    """What an estimator predicted: one column of the predictions, and which of its answers it is.

    ``label`` holds what the model predicts, classes as given to the fit. Beside it stands a
    ``probability`` (one column for each of all classes) or a ``score`` (of the second of two classes)
    where the model has one; they need not agree.
    """

    source: Source
    label: NDArray[Any] | None = None
    probability: NDArray[np.float64] | None = None
    score: NDArray[np.float64] | None = None
    value: NDArray[np.float64] | None = None


def fitted(
    name: str, estimator: Any, X: Any, y: Any, sample_weight: Any = None, groups: Any = None
) -> Any:
    """Fit a clone on a training part; weights go to the last step of a pipeline, groups to what resamples.

    >>> from sklearn.dummy import DummyRegressor
    >>> fitted("mean", DummyRegressor(), np.zeros((2, 1)), np.array([1.0, 3])).predict([[0]])
    array([2.])
    """
    from sklearn.base import clone
    from sklearn.utils.validation import has_fit_parameter

    made, keywords = clone(estimator), {}
    last, prefix = _last_and_prefix(made)
    if sample_weight is not None:
        if not has_fit_parameter(last, "sample_weight"):
            raise ParameterError(
                f"{name} cannot be fitted with weights: its fit has no sample_weight. Leave them out, or choose another scheme."
            )
        keywords[f"{prefix}sample_weight"] = sample_weight
    if groups is not None:
        keep_groups_whole(made, y, groups)
        if takes_groups(last):
            keywords[f"{prefix}groups"] = groups
    try:
        return made.fit(X, y, **keywords)
    except (ValueError, TypeError) as error:
        other = nature_of(X).text if "convert" in str(error) or "dtype" in str(error) else ()
        if not other:
            raise
        raise DataError(
            f"{name} {_refused(other, declared_categories(X))}. Put an encoder before it in a "
            "pipeline, or choose a scheme by name, which encodes inside the fold."
        ) from error


def fitted_alone(name: str, estimator: Any, *given: Any) -> Any:
    """Fit as :func:`fitted` does where no other fit goes on: what the estimator refuses is an error about the data."""
    try:
        return fitted(name, estimator, *given)
    except CrediblyError:
        raise
    except (ValueError, TypeError) as error:
        raise DataError(f"{name} cannot be fitted: {' '.join(str(error).split())[:300]}") from error


def _refused(other: Sequence[str], categories: list[str]) -> str:
    """Say which columns are not numbers; among several kinds, the refused one is unknown.

    >>> _refused(["town"], []), _refused(["town", "street", "grade"], ["grade"])
    ('takes numbers only, and town holds text', 'does not take all columns: town and street hold text; grade holds categories')
    """
    text = [n for n in other if n not in categories]
    kinds = {"text": text, "categories": [n for n in other if n in categories]}
    said = "; ".join(
        f"{listed(names, most=MAX_SHOWN_COLUMNS)} {'holds' if len(names) == 1 else 'hold'} {kind}"
        for kind, names in kinds.items()
        if names
    )
    return (
        f"does not take all columns: {said}"
        if all(kinds.values())
        else f"takes numbers only, and {said}"
    )


def outputs(estimator: Any, X: Any, classes: Sequence[Any] | None = None) -> ModelOutput:
    """Predict: probabilities, else a score of two classes, else votes, else labels; numbers without classes.

    Columns of probability follow ``classes``; a class that the training part lacked gets 0.

    >>> from sklearn.dummy import DummyClassifier
    >>> model = DummyClassifier(strategy="prior").fit([[0], [0]], ["a", "c"])
    >>> outputs(model, [[0]], ["a", "b", "c"]).probability
    array([[0.5, 0. , 0.5]])
    """
    if classes is None:
        return ModelOutput("value", value=np.asarray(estimator.predict(X), np.float64).reshape(-1))
    every = np.asarray(classes)
    known = np.asarray(getattr(estimator, "classes_", every))
    if hasattr(estimator, "predict_proba"):
        probability = _aligned(estimator.predict_proba(X), known, every)
        votes_count = getattr(last_step(estimator), "voting", None) == "majority"
        source: Source = "votes" if votes_count else "probability"
        if labels_most_probable(estimator):
            return ModelOutput(source, every[probability.argmax(axis=1)], probability)
        return ModelOutput(source, _labels(estimator, X), probability)
    label = _labels(estimator, X)
    if hasattr(estimator, "decision_function") and len(every) == len(known) == 2:
        score = np.asarray(estimator.decision_function(X), np.float64).reshape(-1)
        second = known[1] == every[1]
        return ModelOutput("decision_function", label, score=score if second else -score)
    votes = _votes(estimator, X)
    if votes is not None:
        return ModelOutput("votes", label, _aligned(votes, known, every))
    return ModelOutput("label", label)


def _labels(estimator: Any, X: Any) -> NDArray[Any]:
    return np.asarray(estimator.predict(X)).reshape(-1)


def labels_most_probable(estimator: Any) -> bool:
    """Whether an estimator's labels are known to follow from its probabilities.

    >>> from sklearn.svm import SVC
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> labels_most_probable(DecisionTreeClassifier()), labels_most_probable(SVC())
    (True, False)
    """
    last = last_step(estimator)
    kind = type(last)
    predict = getattr(kind, "predict", None)
    where = f"{getattr(predict, '__module__', '')}.{getattr(predict, '__qualname__', '')}"
    counted = getattr(last, "weights", "uniform") == "uniform"
    return counted and kind.__module__.startswith("sklearn.") and where in LABEL_IS_MOST_PROBABLE


def last_step(estimator: Any) -> Any:
    """Return the last step of a pipeline, which is what learns; any other estimator is itself."""
    return _last_and_prefix(estimator)[0]


def _last_and_prefix(estimator: Any) -> tuple[Any, str]:
    steps = getattr(estimator, "steps", None)
    return (steps[-1][1], f"{steps[-1][0]}__") if steps else (estimator, "")


def _aligned(
    probability: Any,
    known: NDArray[Any],
    every: NDArray[Any],
) -> NDArray[np.float64]:
    """Spread the columns of the classes that the training part had over all classes."""
    given = np.asarray(probability, np.float64)
    if np.array_equal(known, every):
        return given
    place = {c: i for i, c in enumerate(every.tolist())}
    out = np.zeros((len(given), len(every)))
    out[:, [place[c] for c in known.tolist()]] = given
    return out


def _votes(estimator: Any, X: Any) -> NDArray[np.float64] | None:
    """Return the share of votes of each known class in a hard vote; None where no model votes."""
    voter = last_step(estimator)
    if getattr(voter, "voting", None) != "hard":
        return None
    weights = voter.weights if voter.weights is not None else [1] * len(voter.estimators)
    kept = [w for w, (_, e) in zip(weights, voter.estimators, strict=True) if e != "drop"]
    codes = np.asarray(estimator.transform(X))  # a column a voter
    share = np.zeros((len(codes), len(voter.classes_)))
    for weight, column in zip(kept, codes.T, strict=True):
        share[np.arange(len(codes)), column] += weight
    return share / share.sum(axis=1, keepdims=True)
