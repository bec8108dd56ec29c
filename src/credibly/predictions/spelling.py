"""Classes that truth and labels write in two ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from credibly._core.findings import Finding
from credibly._core.grouping import grouped_by
from credibly.errors import DataError, says
from credibly.predictions.findings import LABELS_RESPELLED, STRANGE_LABELS
from credibly.predictions.labels import (
    MISSING,
    Labels,
    as_labels,
    as_words,
    likely_positive,
    shorten,
)


def as_truth_writes(labels: Labels, known: Sequence[Any]) -> tuple[Labels, tuple[Finding, ...]]:
    """Take labels as the classes that the truth writes in another way, where there can be no doubt which.

    They differ in case or spaces alone, or both are two classes of which one is plainly the positive one.

    >>> as_truth_writes(Labels(np.array([1, 0], np.int8), ("No", "Yes")), ["no", "yes"])[0]
    Labels(codes=array([1, 0], dtype=int8), values=('no', 'yes'))
    >>> as_truth_writes(Labels(np.array([1, 0]), (0, 1)), ["no", "yes"])[0].values
    ('no', 'yes')
    """
    unknown = [v for v in labels.values if v not in known]
    if not unknown:
        return labels, ()
    words = grouped_by(as_words, known)
    names = {v: words[as_words(v)][0] for v in unknown if len(words.get(as_words(v), ())) == 1}
    for two in (unknown, labels.values):
        positive, same = likely_positive(two), likely_positive(known)
        if not names and positive is not None and same is not None:
            other = next(k for k in known if k != same)
            names = {v: same if v == positive else other for v in two}
    if not names:
        return labels, ()
    values = tuple(dict.fromkeys(names.get(v, v) for v in labels.values))
    move = np.array(
        [*(values.index(names.get(v, v)) for v in labels.values), MISSING], labels.codes.dtype
    )
    said = LABELS_RESPELLED(labels=shorten([*names]), classes=shorten([*names.values()]))
    return Labels(move[labels.codes], values), (said,)


def in_words_of_truth(
    found: Mapping[str, Labels], classes: Sequence[Any] | None
) -> tuple[Labels, tuple[Finding, ...]]:
    """Return the labels as the truth writes its classes, and say what of them it does not know.

    Several labels of which it knows none are refused, unless the classes are stated: a single one of the
    classes may be all that is predicted of a few cases.
    """
    truth = found["truth"].values
    known = truth if classes is None else as_labels(classes)
    labels, said = as_truth_writes(found["label"], known)
    same = {*truth} & {*labels.values} or {*map(str, truth)} & {*map(str, labels.values)}
    stated = classes is not None
    if len(truth) < 2 or len(labels.values) < 1 + stated or same:
        return labels, said
    strange = STRANGE_LABELS(truth=shorten(truth), labels=shorten(labels.values))
    if len(labels.values) > 1 and not stated:
        raise DataError(
            strange.message,
            remedy=says(
                "Write the classes in the same way in both columns, or set <classes=...> to all classes if the labels are others."
            ),
        )
    return labels, (*said, strange)
