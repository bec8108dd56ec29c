"""Recognises an unnamed array of predictions: labels, probabilities, scores or numbers.

The rule, in this order:

1. Several columns are probabilities, one column per class in the order of ``classes``.
2. Text, dates and truth values are labels.
3. Beside a truth with fractions, or with more than 20 distinct numbers, they are predicted numbers.
4. Whole numbers that are classes are labels; so are all whole numbers where the truth has more than two.
5. Beside a truth of two classes, numbers from 0 to 1 are probabilities of the positive class, and other
   numbers scores.
6. Numbers with fractions beside a truth of three and more whole numbers are predicted numbers.

Where classes, the positive class or a threshold are named, nothing is taken for predicted numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly.errors import Argument, DataError, ParameterError, says
from credibly.predictions.findings import NOTHING_PREDICTED, PREDICTIONS_TAKEN, SWAPPED_ARRAYS
from credibly.predictions.labels import MAX_NUMBER_CLASSES, as_array, is_missing
from credibly.predictions.numbers import same_length

KIND_WORDS = {
    "label": "predicted classes",
    "probability": "probabilities",
    "score": "scores",
    "value": "predicted numbers",
}


# what an array may have been meant as instead
KIND_REMEDIES = {
    "label": "If they are numbers, set <value=...>.",
    "probability": "If they are scores, set <score=...>.",
    "score": "If they are predicted numbers, set <value=...>.",
    "value": "If they are classes, set <label=...>.",
}


class Recognised(NamedTuple):
    """Which column an array is, and why; without a reason where no other is possible."""

    column: str
    why: str = ""

    def said(self, it: str, remedy: str | None = None) -> list[Finding]:
        """Say what predictions were read as, and why."""
        if not self.why:
            return []
        what, text = (
            KIND_WORDS[self.column],
            KIND_REMEDIES[self.column] if remedy is None else remedy,
        )
        return [PREDICTIONS_TAKEN(it=it, what=what, why=self.why, remedy=says(text))]


def named_columns(
    y_true: object, y_pred: object, named: dict[str, Any], *, of_classes: bool
) -> tuple[dict[str, Any], list[Finding]]:
    """Put unnamed predictions among the named ones, and say what they were read as.

    Beside scores or probabilities they are labels.
    """
    if y_pred is None:
        given = any(column is not None for column in named.values())
        return named, [] if given else [NOTHING_PREDICTED()]
    for column in ("label", "value"):
        if named[column] is not None:
            it = Argument(column)
            raise ParameterError(says("<y_pred> and {it} are both given: set one of them.", it=it))
    if named["score"] is not None or named["probability"] is not None:
        return {**named, "label": y_pred}, []
    same_length(as_array(y_pred, "y_pred"), len(as_array(y_true, "truth")), "y_pred")
    found = recognised(y_true, y_pred, of_classes=of_classes)
    findings = found.said("y_pred was")
    return {**named, found.column: y_pred}, findings + _swapped(y_true, y_pred, found.column)


def of_all_models(
    y_true: object, models: Sequence[object], *, of_classes: bool = False
) -> Recognised | None:
    """Say what columns of predictions are that all hold the same, such as those of several models.

    >>> of_all_models(["no", "yes"], [[0.2, 0.7], [0.0, 1.0]]).column
    'probability'
    """
    arrays = [as_array(each, "y_pred") for each in models]
    if any(a.ndim > 1 or a.dtype.kind not in "iuf" for a in arrays):
        return None
    return recognised(y_true, np.concatenate(arrays), of_classes=of_classes)


def _swapped(y_true: object, y_pred: object, column: str) -> list[Finding]:
    """Say where probabilities stand in the place of the truth, and labels in that of the predictions."""
    if column != "value":
        return []
    truth, given = (_numbers(as_array(y, "truth")) for y in (y_true, y_pred))
    if truth is None or given is None or not truth.size or _whole(truth):
        return []
    few = np.unique(given).size
    within = bool(((truth >= 0) & (truth <= 1)).all())
    return [SWAPPED_ARRAYS(n=few)] if few <= 2 < np.unique(truth).size and within else []


def recognised(y_true: object, y_pred: object, *, of_classes: bool = False) -> Recognised:
    """Say what an array of predictions is, beside the truth.

    >>> recognised([1, 0, 1], [0.9, 0.2, 0.4])
    Recognised(column='probability', why='they lie between 0 and 1')
    >>> recognised([1, 0, 1], [1, 0, 0]).column, recognised([1, 0, 1], [3.5, -1, 0]).column
    ('label', 'score')
    >>> recognised([1.5, 2.25], [1, 2]).column, recognised(["a", "b"], [[0.9, 0.1], [0.5, 0.5]]).column
    ('value', 'probability')
    """
    array = as_array(y_pred, "y_pred")
    if not array.size:
        raise DataError("y_pred is empty: there is no case to evaluate.")
    if array.ndim == 2 and array.shape[1] > 1:
        return Recognised("probability")
    given = _numbers(array)
    if given is None:
        _refuse_written_numbers(array, y_true)
        return Recognised("label")
    truth = _numbers(as_array(y_true, "truth"))
    if truth is None:
        return _beside_names(given, whole=array.dtype.kind in "iu")
    classes = np.unique(truth)
    if not of_classes and not _whole(classes):
        return Recognised("value", "the truth holds numbers with fractions")
    if not of_classes and len(classes) > MAX_NUMBER_CLASSES:
        return Recognised("value", f"the truth holds {len(classes)} distinct numbers")
    several = len(classes) > 2
    if _whole(given) and (several or np.isin(given, [*classes, *_zero_and_one(classes)]).all()):
        return Recognised("label", "whole numbers beside whole numbers")
    if several and not of_classes:
        why = f"they have fractions, and the truth holds {len(classes)} distinct whole numbers"
        return Recognised("value", why)
    return _of_the_positive_class(given)


def _refuse_written_numbers(array: np.ndarray[Any, Any], y_true: object) -> None:
    """Refuse text that holds fractions, unless the truth holds the same texts."""
    some = [v for v in array.ravel()[:MAX_NUMBER_CLASSES].tolist() if not is_missing(v)]
    if not some or not all(isinstance(v, str) and _is_fraction(v) for v in some):
        return
    if not set(some) & set(map(str, as_array(y_true, "truth").ravel().tolist())):
        raise DataError(
            f"y_pred holds numbers that are written as text, such as {some[0]!r}.",
            remedy="Make numbers of them first, such as with .astype(float).",
        )


def _is_fraction(text: str) -> bool:
    try:
        return not float(text).is_integer()
    except ValueError:
        return False


def _beside_names(given: Floats, *, whole: bool) -> Recognised:
    # Labels, which beside text are refused by their type.
    if whole and np.isin(given, [0, 1]).all():
        return Recognised("label")
    return _of_the_positive_class(given)


def _of_the_positive_class(given: Floats) -> Recognised:
    within = bool(((given >= 0) & (given <= 1)).all())
    if within:
        return Recognised("probability", "they lie between 0 and 1")
    return Recognised("score", "some lie outside 0 to 1")


def _zero_and_one(classes: Floats) -> list[float]:
    """Where one of these alone occurs, the other is a class as well."""
    return [0.0, 1.0] if set(classes.tolist()) <= {0.0, 1.0} else []


def _whole(numbers: Floats) -> bool:
    return bool((numbers == np.rint(numbers)).all())


def _numbers(array: np.ndarray[Any, Any]) -> Floats | None:
    """Return what is known of a column of numbers; nothing of one that holds something else."""
    if array.dtype.kind == "O":
        known = [v for v in array.ravel().tolist() if not is_missing(v)]
        if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in known):
            return None
        return np.array(known, np.float64)
    if array.dtype.kind not in "iuf":
        return None
    numbers = np.asarray(array, np.float64).ravel()
    return numbers[~np.isnan(numbers)]
