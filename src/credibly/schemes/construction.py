"""From a chosen scheme to an estimator that is ready to fit on a training part."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.findings import Finding
from credibly._core.grouping import grouped
from credibly._core.text import count
from credibly.errors import ParameterError, listed
from credibly.predictions.table import Task
from credibly.schemes._declare import PREDICTED_WORDS, schemes
from credibly.schemes.columns import light_frame, nature_of
from credibly.schemes.findings import PREPARED

if TYPE_CHECKING:
    from credibly.schemes._declare import SchemeEntry
    from credibly.schemes.choice import Scheme
    from credibly.schemes.columns import Nature


def build(scheme: Scheme, task: Task, X: Any, seed: int | None = None) -> Any:
    """Return an unfitted estimator for a task and the columns of X.

    A given estimator is cloned. That of a named scheme gets a pipeline in front where the columns
    need one: what it learns (means, categories, scales) it learns when fitted, from the training
    part. Parameters called ``random_state`` that were left open take the seed.

    >>> import numpy as np
    >>> from credibly.schemes import as_scheme
    >>> build(as_scheme("naive-bayes"), "classification", np.ones((3, 2)))
    GaussianNB()
    """
    if not scheme.entry:
        from sklearn.base import clone

        _check_task(scheme, task)
        return seeded(clone(scheme.estimator), seed)
    entry = schemes[scheme.entry]
    parameters = dict(scheme.parameters)
    scale = bool(parameters.pop("scale", entry.scale))
    estimator = entry.make(task, **parameters)
    return seeded(_with_preprocessing(entry, estimator, nature_of(X), scale=scale), seed)


def how_prepared(chosen: Iterable[Scheme], X: Any) -> tuple[Finding, ...]:
    """Say what happens to text and to missing values before the schemes by name learn from them.

    >>> import numpy as np
    >>> from credibly.schemes import as_schemes
    >>> print(*how_prepared(as_schemes(["linear", "knn"]), np.array([[1, "a"], [None, "b"], [3, "a"]], object)))
    note: The data have 1 input of text and 1 input with missing numbers. In each training part ...
    """
    ways = {s.name: schemes[s.entry].preprocessing for s in chosen if s.entry}
    nature = nature_of(X)
    if not ways or nature.plain or nature.sparse:
        return ()
    columns = light_frame(X, nature.text).columns
    numbers = (np.asarray(c) for n, c in columns.items() if n not in nature.text)
    gaps = sum(bool(np.isnan(each).any()) for each in numbers)
    what = [f"{count(len(nature.text), 'input')} of text"] if nature.text else []
    what += [f"{count(gaps, 'input')} with missing numbers"] if gaps else []
    told = grouped((", ".join(way), name) for name, way in ways.items())
    how = "; ".join(f"for {listed(names)}: {way}" for way, names in told.items())
    return (PREPARED(what=listed(what), how=how),) if what else ()


def seeded(estimator: Any, seed: int | None, *, every: bool = False) -> Any:
    """Set each ``random_state`` that was left open, or ``every`` one, and return the estimator.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seeded(DecisionTreeClassifier(), 7)
    DecisionTreeClassifier(random_state=7)
    """
    if seed is None:
        return estimator
    open_ones = [
        name
        for name, value in estimator.get_params(deep=True).items()
        if (every or value is None) and name.rpartition("__")[2] == "random_state"
    ]
    return (
        estimator.set_params(**dict.fromkeys(open_ones, seed % 2**32)) if open_ones else estimator
    )


def _with_preprocessing(entry: SchemeEntry, estimator: Any, columns: Nature, *, scale: bool) -> Any:
    """Put in front of the estimator what these columns and the scheme ask for."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    steps: list[Any] = []
    if entry.encoding != "none" and not columns.sparse and not columns.plain:
        from credibly.schemes._encoding import Encoder

        steps.append(Encoder(entry.encoding, text=columns.text, keep_missing=entry.takes_missing))
    if scale:
        steps.append(StandardScaler(with_mean=not columns.sparse))
    return make_pipeline(*steps, estimator) if steps else estimator


def _check_task(scheme: Scheme, task: Task) -> None:
    from sklearn.base import is_classifier, is_regressor

    wrong = is_regressor if task == "classification" else is_classifier
    if wrong(scheme.estimator):
        other = "numbers" if task == "classification" else "classes"
        raise ParameterError(
            f"{scheme.name} predicts {other}, and the target holds {PREDICTED_WORDS[task]}."
        )
