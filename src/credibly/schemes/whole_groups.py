"""Groups inside a scheme: searches, stacking and calibration resample their training part once more.

What resamples all rows of a training part (a search object, or one at any step of a pipeline) gets its
folds as rows, made with the groups of these rows. What lies deeper, such as stacking inside a search,
sees parts of them that nobody here knows.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.errors import DataError
from credibly.schemes.findings import INNER_GROUPS_SPLIT, INNER_GROUPS_WHOLE

if TYPE_CHECKING:
    Pairs = list[tuple[NDArray[np.intp], NDArray[np.intp]]]

DEFAULT_FOLDS = 5  # of scikit-learn where cv is None
INNER_PARAMETERS = {  # where an estimator inside is fitted on all rows
    "FixedThresholdClassifier": "estimator",
    "SelectFromModel": "estimator",
    "TransformedTargetRegressor": "regressor",
    "ExpectedCostClassifier": "estimator",
    "CostWeightedClassifier": "estimator",
}
# Parameters of those for which cv=None means no folds.
PARAMETERS_WITHOUT_FOLDS = ("gcv_mode", "chain_method")


def takes_groups(estimator: Any) -> bool:
    """Whether a fit takes groups by name, as those of this package that resample do."""
    from sklearn.utils.validation import has_fit_parameter

    return bool(has_fit_parameter(estimator, "groups"))


def keep_groups_whole(estimator: Any, y: Any, groups: NDArray[Any]) -> Any:
    """Give everything that resamples all of a training part folds that do not part its groups.

    The estimator, which is ours, is changed.

    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, cv=2)
    >>> kept = keep_groups_whole(search, np.array([0, 1] * 4), np.array([0, 0, 1, 1, 2, 2, 3, 3]))
    >>> [test.tolist() for _, test in kept.cv]
    [[0, 1, 4, 5], [2, 3, 6, 7]]
    """
    for each in _seeing_all_rows(estimator):
        splitter = _grouped_splitter(each)
        if splitter is not None:
            each.set_params(cv=_pairs(each, splitter, y, groups))
    return estimator


def about_inner_groups(name: str, estimator: Any, y: Any, groups: NDArray[Any]) -> list[Finding]:
    """Say what resampling inside a scheme does with groups."""
    seen = list(_seeing_all_rows(estimator))
    known = {id(e) for e in seen}
    deeper = [e for e in _all_inside(estimator) if id(e) not in known and _resamples(e)]
    findings = [_about(name, each, y, groups) for each in seen]
    return [f for f in [*findings, *(_split(name, e) for e in deeper)] if f is not None]


def _about(name: str, each: Any, y: Any, groups: NDArray[Any]) -> Finding | None:
    splitter = _grouped_splitter(each)
    if splitter is None:
        own = _resamples(each) and not takes_groups(each)
        return _split(name, each) if own else None
    if _is_number(each.cv):
        return INNER_GROUPS_WHOLE(
            scheme=name,
            cv=each.cv,
            estimator=type(each).__name__,
            splitter=f"{type(splitter).__name__}({splitter.n_splits})",
        )
    pairs = _pairs(each, splitter, y, groups)
    parted = any(np.isin(groups[test], groups[train]).any() for train, test in pairs)
    return _split(name, each) if parted else None


def _split(name: str, each: Any) -> Finding:
    return INNER_GROUPS_SPLIT(scheme=name, cv=each.cv, estimator=type(each).__name__)


def _seeing_all_rows(estimator: Any) -> Iterator[Any]:
    """Yield an estimator and those inside that are fitted on the same rows."""
    yield estimator
    for inside in _handed_on(estimator):
        if hasattr(inside, "get_params"):
            yield from _seeing_all_rows(inside)


def _handed_on(estimator: Any) -> Sequence[Any]:
    steps = getattr(estimator, "steps", None) or getattr(estimator, "transformer_list", None)
    if steps:
        parts = [part for _, part in steps]
        return [] if any(hasattr(part, "fit_resample") for part in parts) else parts
    if hasattr(estimator, "transformers"):
        return [part[1] for part in estimator.transformers]
    own = INNER_PARAMETERS.get(type(estimator).__name__)
    return [getattr(estimator, own)] if own else []


def _all_inside(estimator: Any) -> list[Any]:
    deep = estimator.get_params(deep=True).values()
    return [v for v in deep if hasattr(v, "get_params") and not isinstance(v, type)]


def _resamples(estimator: Any) -> bool:
    """Whether an estimator has folds of its own; cv="prefit" and lists of rows are none."""
    given = getattr(estimator, "cv", "prefit")
    if given is None:
        return type(estimator).__module__.startswith("sklearn.") and not any(
            hasattr(estimator, n) for n in PARAMETERS_WITHOUT_FOLDS
        )
    return not isinstance(given, str | list | tuple)


def _grouped_splitter(estimator: Any) -> Any:
    """Return what is to cut the rows for an estimator; nothing where its folds are not ours to choose."""
    from sklearn.base import is_classifier
    from sklearn.model_selection import GroupKFold, StratifiedGroupKFold

    if not _resamples(estimator) or takes_groups(estimator) or not _takes_rows(estimator):
        return None
    given = estimator.cv
    if not _is_number(given):
        return given if hasattr(given, "split") else None
    k = DEFAULT_FOLDS if given is None else int(given)
    return StratifiedGroupKFold(k) if is_classifier(estimator) else GroupKFold(k)


def _is_number(cv: object) -> bool:
    return cv is None or (isinstance(cv, Integral) and not isinstance(cv, bool))


def _takes_rows(estimator: Any) -> bool:
    """Whether ``cv`` may be a list of rows: some transformers of earlier scikit-learns need a number."""
    rules = getattr(estimator, "_parameter_constraints", {}).get("cv", ["cv_object"])
    return "cv_object" in rules


def _pairs(estimator: Any, splitter: Any, y: Any, groups: NDArray[Any]) -> Pairs:
    k, there = getattr(splitter, "n_splits", 0), len(set(groups.tolist()))
    if _is_number(estimator.cv) and there < k:
        raise DataError(
            f"{k} folds inside {type(estimator).__name__} need at least {k} groups; the training part has {count(there, 'group')}. Use a smaller cv."
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a finding says that groups are ignored
        return list(splitter.split(np.zeros((len(groups), 1)), y, groups))
