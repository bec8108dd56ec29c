"""Tables of cases with several labels each, or with a set of classes each: a column of zeros and ones per label or class."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from credibly._core.doors import door
from credibly._core.words import several
from credibly.case_scores.label_sets import LabelSets, label_sets
from credibly.case_scores.prediction_sets import PredictionSets, prediction_sets
from credibly.case_scores.tables import Columns, OpenTable, flags_in, table_kind, truth_in
from credibly.io._declare import open_source
from credibly.predictions.column_names import plain_name, split_prefix

if TYPE_CHECKING:
    from credibly.io._source import Source

FORETOLD = (
    "pred_",
    "predicted_",
    "label_",
    "yhat_",
)  # before the name of a label, where it is predicted
TRUE = ("true_", "truth_", "actual_", "y_")  # where it is true
IN_SET = ("in_set_", "set_", "in_", "is_")
FEWEST = 2


def bare(column: str, prefixes: Sequence[str]) -> str:
    """Return the name of a column without what stands before the label.

    >>> bare("True drama", TRUE), bare("drama", TRUE)
    ('drama', 'drama')
    """
    name = plain_name(column)
    return next((name[len(p) :] for p in prefixes if name.startswith(p) and name != p), name)


def _with_labels(table: Source) -> Columns | None:
    """Recognise columns of zeros and ones beside columns that predict those of the same names."""
    chances = {plain_name(rest): c for c in table.names for kind, rest in [split_prefix(c)] if kind and kind != "baseline"}  # fmt: skip
    guesses = {bare(c, FORETOLD): c for c in table.names if bare(c, FORETOLD) != plain_name(c)}
    taken = {*chances.values(), *guesses.values()}
    labels = {bare(c, TRUE): c for c in table.names if c not in taken}
    shared = [n for n in labels if n in (chances or guesses)]
    if len(shared) < FEWEST or truth_in(table):
        return None
    flags = {*flags_in(table, [labels[n] for n in shared])}
    named = [n for n in shared if labels[n] in flags]
    if len(named) < FEWEST:
        return None
    made: Columns = {"truth": [labels[n] for n in named]}
    if all(n in chances for n in named):
        made["probability"] = [chances[n] for n in named]
    if all(n in guesses for n in named):
        made["label"] = [guesses[n] for n in named]
    return made if len(made) > 1 else None


@table_kind("Several labels per case", _with_labels)
@door
def read_label_sets(
    source: object,
    truth: Sequence[str],
    *,
    label: Sequence[str] = (),
    probability: Sequence[str] = (),
    row: str | None = None,
    group: str | None = None,
    columns: Sequence[str] | None = None,
    format: str | None = None,  # noqa: A002
) -> LabelSets:
    """Read cases with any number of labels each from a file or a frame with one row per case.

    Parameters
    ----------
    source
        A file or a frame.
    truth
        The columns of the labels, of zeros and ones; they name the labels.
    label
        The columns of the predicted labels, in the same order.
    probability
        The columns of probabilities, in the same order.
    row
        The column that identifies a case.
    group
        The column of groups of cases that belong together.
    columns
        Other columns of the cases, to slice by; all others by default.
    format
        The format of the file, where its suffix does not say it.

    >>> import pandas as pd
    >>> films = pd.DataFrame({"drama": [1, 0], "comedy": [0, 1], "p_drama": [0.8, 0.6], "p_comedy": [0.1, 0.7]})
    >>> read_label_sets(films, ["drama", "comedy"], probability=["p_drama", "p_comedy"]).label.tolist()
    [[True, False], [True, True]]
    """
    asked = {"truth": truth, "label": label, "probability": probability}
    named = {role: several(given, role, "columns") for role, given in asked.items()}
    with closing(open_source(source, format)) as table:
        held = OpenTable(table, [c for each in named.values() for c in each], row=row, group=group)
        given = {role: held.matrix(each) for role, each in named.items() if each or role == "truth"}
        beside = held.beside("row", "group", columns=columns)
    return label_sets(**given, labels=named["truth"], **beside)


def _with_sets(table: Source) -> Columns | None:
    """Recognise a truth beside a column of zeros and ones for each of its classes."""
    truth = truth_in(table)
    if truth is None or len(table.names) <= FEWEST:
        return None
    table.load([], [truth])
    classes = [str(v) for v in table.labels(truth).values]
    named = {bare(c, IN_SET): c for c in table.names if c != truth}
    found = [named.get(plain_name(c), "") for c in classes]
    if len(classes) < FEWEST or len(flags_in(table, found)) < len(classes):
        return None
    return {"truth": truth, "sets": found}


@table_kind("A set of classes per case", _with_sets)
@door
def read_prediction_sets(
    source: object,
    truth: str,
    sets: Sequence[str],
    *,
    level: float | None = None,
    row: str | None = None,
    group: str | None = None,
    columns: Sequence[str] | None = None,
    format: str | None = None,  # noqa: A002
) -> PredictionSets:
    """Read sets of classes from a file or a frame with one row per case.

    Parameters
    ----------
    source
        A file or a frame.
    truth
        The column of the true class.
    sets
        The columns of the classes, of zeros and ones; they are named as the classes are, also with ``in_`` or ``set_`` before.
    level
        How often sets are meant to hold the truth.
    row
        The column that identifies a case.
    group
        The column of groups of cases that belong together.
    columns
        Other columns of the cases, to slice by; all others by default.
    format
        The format of the file, where its suffix does not say it.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"species": ["cat", "dog"], "in_cat": [1, 1], "in_dog": [0, 1]})
    >>> read_prediction_sets(frame, "species", ["in_cat", "in_dog"])
    PredictionSets(2 cases, 2 classes: cat, dog)
    """
    flags = several(sets, "sets", "columns")
    with closing(open_source(source, format)) as table:
        held = OpenTable(table, flags, truth=truth, row=row, group=group)
        beside = held.beside("row", "group", columns=columns)
        known = {plain_name(str(v)): str(v) for v in table.labels(truth).values}
    classes = [c if c in known.values() else known.get(bare(c, IN_SET), c) for c in flags]
    return prediction_sets(
        held.role("truth"), held.matrix(flags), classes=classes, level=level, **beside
    )
