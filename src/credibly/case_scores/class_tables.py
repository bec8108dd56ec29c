"""Tables of cases with several labels each, or with a set of classes each: a column of zeros and ones per label or class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from credibly._core.doors import door
from credibly._core.text import several
from credibly.case_scores.beside import OtherNames, alike_within
from credibly.case_scores.label_sets import LabelSets, from_matrices, label_sets
from credibly.case_scores.labels_by_case import CASE_COLUMNS, pairs, side_by_side
from credibly.case_scores.prediction_sets import PredictionSets, prediction_sets
from credibly.case_scores.tables import (
    Columns,
    ReadTable,
    flags_in,
    one_called,
    table_kind,
    truth_in,
)
from credibly.errors import MissingColumnError, ParameterError, listed, says
from credibly.io._source import Source
from credibly.predictions.column_names import NAMES, PREDICTED_NAMES, plain_name, split_prefix
from credibly.predictions.labels import distinct

# Before the name of a label, where it is predicted.
PREDICTED_PREFIXES = ("pred_", "predicted_", "label_", "yhat_")
TRUTH_PREFIXES = ("true_", "truth_", "actual_", "y_")  # where it is true
MEMBER_PREFIXES = ("in_set_", "set_", "in_", "is_")
LABEL_COLUMNS = ("label_name", "tag", "genre", "category", "topic")


def bare(column: str, prefixes: Sequence[str]) -> str:
    """Return the name of a column without what stands before the label.

    >>> bare("True drama", TRUTH_PREFIXES), bare("drama", TRUTH_PREFIXES)
    ('drama', 'drama')
    """
    name = plain_name(column)
    return next((name[len(p) :] for p in prefixes if name.startswith(p) and name != p), name)


def _with_labels(table: Source) -> Columns | None:
    """Recognise columns of zeros and ones beside columns that predict those of the same names."""
    chances = {plain_name(rest): c for c in table.names for kind, rest in [split_prefix(c)] if kind and kind != "baseline"}  # fmt: skip
    guesses = {
        bare(c, PREDICTED_PREFIXES): c
        for c in table.names
        if bare(c, PREDICTED_PREFIXES) != plain_name(c)
    }
    taken = {*chances.values(), *guesses.values()}
    labels = {bare(c, TRUTH_PREFIXES): c for c in table.names if c not in taken}
    shared = [n for n in labels if n in (chances or guesses)]
    if len(shared) < 2 or truth_in(table):
        return None
    flags = {*flags_in(table, [labels[n] for n in shared])}
    named = [n for n in shared if labels[n] in flags]
    if len(named) < 2:
        return None
    made: Columns = {"truth": [labels[n] for n in named]}
    if all(n in chances for n in named):
        made["probability"] = [chances[n] for n in named]
    if all(n in guesses for n in named):
        made["label"] = [guesses[n] for n in named]
    return made if len(made) > 1 else None


def _with_rows_of_labels(table: Source) -> Columns | None:
    """Recognise a row for each case and label: the case, the name of the label, whether it is true, and what was predicted."""
    row, name, truth = (
        one_called(table, CASE_COLUMNS),
        one_called(table, LABEL_COLUMNS),
        truth_in(table),
    )
    if not row or not name or not truth or not flags_in(table, [truth]):
        return None
    found = {
        "label": [c for c in (one_called(table, (*NAMES["label"], *PREDICTED_NAMES)),) if c and flags_in(table, [c])],
        "probability": [c for c in table.names if plain_name(c) in (*NAMES["probability"], "p_1")][:1],
        "scores": [c for c in (one_called(table, NAMES["score"]),) if c],
    }  # fmt: skip
    foretold = {role: columns for role, columns in found.items() if columns}
    table.load([], [row])
    labels = table.labels(row)
    repeated = len(labels.values) < labels.codes.size
    return {"truth": [truth], **foretold, "name": name, "row": row} if foretold and repeated else None  # fmt: skip


def _labels(table: Source) -> Columns | None:
    return _with_labels(table) or _with_rows_of_labels(table)


@table_kind("Several labels per case", _labels)
@door
def read_label_sets(
    source: object,
    truth: Sequence[str] = (),
    *,
    label: Sequence[str] = (),
    probability: Sequence[str] = (),
    scores: Sequence[str] = (),
    name: str | None = None,
    predicted: object = None,
    row: str | None = None,
    **others: Unpack[OtherNames],
) -> LabelSets:
    """Read cases with any number of labels each from a file or a frame with one row per case, or per case and label.

    Parameters
    ----------
    source
        A file or a frame.
    truth
        The columns of the labels, of zeros and ones; they name the labels (without ``true_`` if it stands before all). In a long
        table the one column that says whether a case has a label; without it, each row is a label that a case has.
    label
        The columns of the predicted labels, in the same order; in a long table one column.
    probability
        The columns of probabilities, in the same order; in a long table one column.
    scores
        The columns of other scores, in the same order; in a long table one column.
    name
        The column of the name of the label: the table is long, with a row for each case and label.
    predicted
        A second long table, of the predicted labels of the same cases.
    row
        The column that identifies a case.
    **others
        ``group``, ``weight`` (and ``weight_kind``): the columns of groups of cases that belong together, and of how much each
        case counts; ``columns``: other columns, to slice by, all others by default; ``format``: that of the file.

    >>> import pandas as pd
    >>> films = pd.DataFrame({"drama": [1, 0], "comedy": [0, 1], "p_drama": [0.8, 0.6], "p_comedy": [0.1, 0.7]})
    >>> read_label_sets(films, ["drama", "comedy"], probability=["p_drama", "p_comedy"]).label.tolist()
    [[True, False], [True, True]]
    >>> true = pd.DataFrame({"film": [1, 1, 2], "genre": ["drama", "comedy", "comedy"]})
    >>> guessed = pd.DataFrame({"film": [2, 1], "genre": ["comedy", "drama"]})
    >>> read_label_sets(true, name="genre", row="film", predicted=guessed).label.tolist()
    [[False, True], [True, False]]
    """
    asked = {"truth": truth, "label": label, "probability": probability, "score": scores}
    named = {role: several(given, role, "columns") for role, given in asked.items()}
    if name is not None or predicted is not None:
        one = {role: _one(given, role) for role, given in named.items() if given}
        return _long(source, predicted, one, name, row, others)
    held = ReadTable(source, [c for each in named.values() for c in each], others, row=row)
    given = {role: held.matrix(each) for role, each in named.items() if each or role == "truth"}
    return label_sets(**given, labels=_label_names(named["truth"]), **held.beside)


def _label_names(columns: Sequence[str]) -> list[str]:
    """Return the names of labels without what stands before all of them.

    >>> _label_names(["true_red", "true_round"]), _label_names(["true", "red"])
    (['red', 'round'], ['true', 'red'])
    """
    short = [next((c[len(p) :] for p in TRUTH_PREFIXES if c.startswith(p)), "") for c in columns]
    return short if all(short) and len({*short}) == len(short) else [*columns]


def _one(columns: Sequence[str], role: str) -> str:
    if len(columns) > 1:
        raise ParameterError(
            f"A long table has one column of {role}; got {listed(columns)}.",
            remedy=says("Leave out <name=...> if there is a column per label."),
        )
    return columns[0]


def _long(
    source: object,
    predicted: object,
    named: Mapping[str, str],
    name: str | None,
    row: str | None,
    others: OtherNames,
) -> LabelSets:
    """Read one long table of truth and predictions, or two."""
    if name is None or row is None:
        raise MissingColumnError(
            "It is not clear which columns of a long table name the case and the label.",
            remedy=says("Set <row=...> and <name=...>."),
        )
    foretold = {role: c for role, c in named.items() if role != "truth"}
    first = named if predicted is None else {r: c for r, c in named.items() if r == "truth"}
    if predicted is not None:
        others = {**others, "columns": others.get("columns") or ()}
    held = ReadTable(source, [*first.values()], others, row=row, name=name)
    told = {role: column for role, column in held.beside.items() if role != "row"}
    where = held.role("row"), held.role("name")
    flags = {role: pairs(*where, held[c], role) for role, c in first.items()}
    if "truth" not in flags:
        flags["truth"] = pairs(*where, None, "truth")
    if predicted is not None:
        alone = {"columns": (), "format": others.get("format")}
        other = ReadTable(predicted, [*foretold.values()], alone, row=row, name=name)
        theirs = other.role("row"), other.role("name")
        flags |= {role: pairs(*theirs, other[c], role) for role, c in foretold.items()}
        if not foretold:
            flags["label"] = pairs(*theirs, None, "label")
    scores = flags.get("probability", flags.get("score"))
    made = side_by_side(flags["truth"], flags.get("label"), scores, None)
    return from_matrices(made, is_probability="probability" in flags, **alike_within(told, where[0], made.cases))  # fmt: skip


def _with_sets(table: Source) -> Columns | None:
    """Recognise a truth beside a column of zeros and ones for each of its classes."""
    truth = truth_in(table)
    if truth is None or len(table.names) <= 2:
        return None
    table.load([], [truth])
    classes = [str(v) for v in table.labels(truth).values]
    named = {bare(c, MEMBER_PREFIXES): c for c in table.names if c != truth}
    found = [named.get(plain_name(c), "") for c in classes]
    if len(classes) < 2 or len(flags_in(table, found)) < len(classes):
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
    **others: Unpack[OtherNames],
) -> PredictionSets:
    """Read sets of classes from a file or a frame with one row per case.

    Parameters
    ----------
    source
        A file or a frame.
    truth
        The column of the true class.
    sets
        The columns of the classes, of zeros and ones; they have the names of the classes, or these with ``in_`` or ``set_`` in front.
    level
        How often sets should contain the truth.
    row
        The column that identifies a case.
    **others
        ``group``, ``weight`` (and ``weight_kind``): the columns of groups of cases that belong together, and of how much each
        case counts; ``columns``: other columns, to slice by, all others by default; ``format``: that of the file.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"species": ["cat", "dog"], "in_cat": [1, 1], "in_dog": [0, 1]})
    >>> read_prediction_sets(frame, "species", ["in_cat", "in_dog"])
    PredictionSets(2 cases, 2 classes: cat, dog)
    """
    flags = several(sets, "sets", "columns")
    held = ReadTable(source, flags, others, truth=truth, row=row)
    known = {plain_name(str(v)): str(v) for v in distinct(held.role("truth")).values}
    classes = [c if c in known.values() else known.get(bare(c, MEMBER_PREFIXES), c) for c in flags]
    return prediction_sets(
        held.role("truth"), held.matrix(flags), classes=classes, level=level, **held.beside
    )
