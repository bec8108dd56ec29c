"""Read predictions from a file or a frame, by the roles of its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from credibly._core.doors import door
from credibly._core.search_names import search_names
from credibly._core.text import count, several, shown
from credibly.errors import (
    Argument,
    ModelColumns,
    ParameterError,
    UnknownNameError,
    listed,
    says,
)
from credibly.io._declare import open_source
from credibly.io._files import spooled
from credibly.io.columns_by_role import ReadPredictions, read_roles
from credibly.io.count_tables import counted, read_table
from credibly.io.findings import CASES_LEFT_OUT, GUESSED_COLUMNS
from credibly.io.role_assignment import assign, kind_of_predictions
from credibly.io.roles import PREDICTION_ROLES, UnnamedColumnError, existing
from credibly.predictions import Predictions
from credibly.predictions.column_names import NAMES
from credibly.predictions.findings import NO_PREDICTION
from credibly.predictions.labelled_tables import Orientation
from credibly.predictions.recognition import Recognised


@door
@search_names({"read_csv, load, load_csv, from_csv, from_file": "read('predictions.csv')"})
def read(
    source: object,
    *,
    truth: str | None = None,
    label: str | None = None,
    score: str | None = None,
    probability: str | Sequence[str] | Mapping[Any, str] | None = None,
    value: str | None = None,
    y_pred: str | None = None,
    models: Sequence[str] | Mapping[str, str] | None = None,
    outcome: str | Sequence[str] | Mapping[Any, str] | None = None,
    better: Literal["higher", "lower"] | None = None,
    bounds: Sequence[float] | None = None,
    positive: object = None,
    classes: Sequence[Any] | None = None,
    threshold: float | None = None,
    weight: str | None = None,
    weight_kind: Literal["frequency", "importance"] | None = None,
    row: str | None = None,
    model: str | None = None,
    repeat: str | None = None,
    fold: str | None = None,
    part: str | None = None,
    group: str | None = None,
    time: str | None = None,
    baseline: str | Sequence[str] | Mapping[Any, str] | None = None,
    n_train: str | None = None,
    ignore: Sequence[str] = (),
    columns: Sequence[str] | None = None,
    tolerance: float | None = None,
    matrix: bool | None = None,
    orientation: Orientation | None = None,
    only_model: str | None = None,
    format: str | None = None,  # noqa: A002
    percent: bool = False,
    complete: bool = False,
) -> Predictions:
    r"""Read predictions from a file or a frame.

    Parameters
    ----------
    source
        A path to a CSV, TSV, JSON lines, Parquet, ARFF or Weka prediction file, or a frame of
        pandas, polars, pyarrow or anything else that narwhals reads. ``"-"`` is standard input.
    truth
        Column of what was observed (y_true). If it is not named, it is guessed from the column
        names where they are clear, and a finding reports each guess.
    label
        Predicted class.
    score
        Score that is larger where the positive class is more likely.
    probability
        Probability of the positive class, or one column per class (``"p_*"`` for all that begin so), or a
        mapping from class to column.
        In a list, the class is taken from the column name (``p_yes``, ``prob:yes``) or from the same
        position in ``classes``.
    value
        Predicted number.
    y_pred
        What was predicted; its values decide whether they are labels, probabilities, scores or numbers,
        as in ``Predictions.of``, and a finding says so.
    models
        The columns that several models predicted for the same cases, or a mapping from the name of a
        model to its column. All hold the same, which their values decide as for ``y_pred``.
    outcome
        How the case was scored elsewhere, instead of a truth and a prediction: a number, or pass
        and fail. Several columns are those of several models.
    better
        Whether a higher or a lower outcome is better.
    bounds
        The lowest and the highest outcome that there can be.
    positive
        The positive class, as written in the file.
    classes
        All classes, in order.
    threshold
        Label a case positive if its score is at least this.
    weight
        Case weight.
    weight_kind
        Whether weights count repeated cases or say how much a case matters.
    row
        Identifier of the case.
    model
        Column that names the model.
    repeat
        Repeat of the resampling.
    fold
        Fold of the resampling.
    part
        Part of the data: train, validation, test.
    group
        Group that cases belong to.
    time
        When cases were observed: a number, or a date such as 2024-01-31.
    baseline
        Training prior of each class, in columns as for ``probability``, or training mean.
    n_train
        Size of the training part.
    ignore
        Columns to ignore, whatever their names.
    columns
        Further columns to read now, to slice by (``evaluate(by="sex")``). By default every column of a
        file or frame can be sliced by and is read when it is used; of a lazy frame those that are named here.
    tolerance
        How far probabilities may be from summing to 1.
    matrix
        The file is a table of counts (a confusion matrix): a row and a column for each class, or one
        line for each pair of truth and label. A file that looks like one is refused unless this is set.
    orientation
        What the rows of a table of counts are: actual classes (the default) or predicted ones.
    only_model
        Only use the rows of this model, if a column names several.
    format
        The name of a reader, if neither the content nor the suffix of the file identifies the format.
    percent
        Probabilities are written in percent, from 0 to 100.
    complete
        Leave out the cases for which a model predicts nothing.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "churn.csv")
    >>> _ = path.write_text("actual,p_stay,p_leave\nstay,0.75,0.25\nleave,0.5,0.5\n")
    >>> p = read(path, positive="leave")
    >>> p
    Predictions(2 rows, classes 'leave' (positive), 'stay', columns: label, probability)
    >>> print(p.findings[0].message)
    Guessed columns: 'actual' as truth; 'p_stay', 'p_leave' as probability.
    """
    return reading(**locals()).predictions


def without_gaps(p: Predictions) -> Predictions:
    """Leave out the cases for which some model predicts nothing, and say how many.

    >>> p = Predictions.of([1, 0, 1], score=[0.9, float("nan"), 0.5])
    >>> without_gaps(p).n, without_gaps(p).findings[-1].message
    (2, '1 case was left out because a model has no prediction for it.')
    """
    if p.gapless:
        return p
    gone = p.gaps
    if p.row is not None:
        gone = np.isin(p.row, p.row[p.gaps])
    cases = int(p.gaps.sum()) if p.row is None else len(np.unique(p.row[p.gaps]))
    kept = p.take(~gone)
    findings = [f for f in p.findings if f.code != NO_PREDICTION.code]
    return replace(
        kept,
        findings=(
            *findings,
            CASES_LEFT_OUT(
                cases=count(cases, "case"),
                were="was" if cases == 1 else "were",
                them="it" if cases == 1 else "them",
            ),
        ),
    )


def reading(
    source: object,
    *,
    y_pred: str | None = None,
    models: Sequence[str] | Mapping[str, str] | None = None,
    matrix: bool | None = None,
    orientation: Orientation | None = None,
    only_model: str | None = None,
    complete: bool = False,
    **told: Any,  # noqa: ANN401
) -> ReadPredictions:
    """Read predictions as :func:`read` does, and say which roles columns were given."""
    asked = {name: told.pop(name, None) for name in NAMES}
    if y_pred is not None or models is not None:
        _refuse_both(asked, y_pred, models)
        given = {"": str(y_pred)} if models is None else models
        content = _of_models(source, asked, given, **told)
    elif matrix:
        content = _counts(source, asked, orientation, **told)
    else:
        with spooled(source) as here:
            if here is not source:  # standard input, which goes after the reading
                told["at_once"] = True
            try:
                content = read_roles(here, asked, matrix=matrix, **told)
            except UnnamedColumnError as error:
                if not error.clear:
                    raise
                content = _by_values(here, error.clear, asked, told)
    p = content.predictions if only_model is None else _of_model(content.predictions, only_model)
    return replace(content, predictions=without_gaps(p) if complete else p)


def _by_values(
    source: object, clear: Sequence[Argument], asked: Mapping[str, Any], told: Mapping[str, Any]
) -> ReadPredictions:
    """Read columns whose values alone say what they are, and say so."""
    given: dict[str, Any] = {
        a.name: str(a.value).split(",") if isinstance(a, ModelColumns) else a.value for a in clear
    }
    content = reading(source, **{**asked, **told, **given, "by_values": clear})
    p = content.predictions
    first = sorted(p.findings, key=lambda f: f.code != GUESSED_COLUMNS.code)
    return replace(
        content,
        predictions=replace(p, findings=tuple(first)),
        guessed={**content.guessed, **given},
    )


def _refuse_both(asked: Mapping[str, Any], y_pred: object, models: object) -> None:
    """Refuse two names for what was predicted."""
    given = [role for role in PREDICTION_ROLES if asked[role] is not None]
    if given or (y_pred is not None and models is not None):
        raise ParameterError(
            says(
                "{it} and {other} both name what was predicted.",
                it=Argument("y_pred" if models is None else "models"),
                other=Argument(given[0] if given else "y_pred"),
            ),
            remedy="Give one of them.",
        )


def _of_models(
    source: object,
    asked: Mapping[str, Any],
    models: Sequence[str] | Mapping[str, str],
    *,
    ignore: Sequence[str] = (),
    format: str | None = None,  # noqa: A002
    percent: bool = False,
    **others: Any,  # noqa: ANN401
) -> ReadPredictions:
    """Read a column of each model, having decided by the values of all what they hold."""
    given = models if isinstance(models, Mapping) else _by_their_names(models)
    with spooled(source) as here:
        with closing(open_source(here, format)) as opened:
            named = {str(m): existing(opened, "models", c) for m, c in given.items()}
            aside = {
                existing(opened, "ignore", c) for c in several(ignore, "ignore", "names of columns")
            }
            opened.hidden |= {*named.values(), *aside}
            truth = str(assign(opened, asked, threshold=True).chosen["truth"])
            of_classes = any(
                others.get(n) is not None for n in ("positive", "classes", "threshold")
            )
            if here is not source:  # standard input, which cannot be read again
                others["columns"] = list(dict.fromkeys(opened.names))
            found = (
                Recognised("probability")
                if percent
                else kind_of_predictions(opened, truth, list(named.values()), of_classes=of_classes)
            )
        readings = {
            name: read_roles(
                here, {**asked, found.column: column}, **others, format=format, matrix=False,
                ignore=[*aside, *(c for c in named.values() if c != column)], percent=percent,
            )
            for name, column in named.items()
        }  # fmt: skip
    each = {name: r.predictions for name, r in readings.items()}
    one = "" in each
    predictions = (
        each[""] if one else Predictions.joined({n: _with_rows(p) for n, p in each.items()})
    )
    findings = (
        found.said("y_pred was") if one else found.said("The predictions of all models were", "")
    )
    predictions = replace(predictions, findings=(*findings, *predictions.findings))
    first = next(iter(readings.values()))
    roles = {r: c for r, c in first.roles.items() if r != found.column}
    return replace(
        first, predictions=predictions, roles={**roles, found.column: list(named.values())}
    )


def _by_their_names(models: str | Sequence[str]) -> dict[str, str]:
    """Call models like their columns, each of which is named once."""
    listed_ones = [models] if isinstance(models, str) else several(models, "models", "columns")
    if not listed_ones or len(set(map(str, listed_ones))) < len(listed_ones):
        raise ParameterError(
            says("<models=> names the column of each model once; got {it}.", it=shown(models))
        )
    return {str(c): c for c in listed_ones}


def _with_rows(p: Predictions) -> Predictions:
    """Number the rows of a file, which are the same cases for each of its models."""
    return p if p.row is not None else replace(p, row=np.arange(p.n), cache={})


def _of_model(p: Predictions, name: str) -> Predictions:
    """Take the rows of a model by how it is written in the file."""
    named = {str(each): each for each in p.need("model", "only_model").tolist()}
    if str(name) not in named:
        raise UnknownNameError(
            f"There is no model {name!r}; there are {listed(list(named))}.",
            asked=str(name),
            choices=named,
        )
    return p.where(model=named[str(name)])


def _counts(
    source: object,
    asked: Mapping[str, Any],
    orientation: Orientation | None,
    **told: Any,  # noqa: ANN401
) -> ReadPredictions:
    """Read a table of counts, or a list of its cells, if its columns were named."""
    if told.get("threshold") is not None:
        raise ParameterError(says("<threshold=> makes labels out of scores, and counts have none."))
    with spooled(source) as here:
        named = {role: column for role, column in asked.items() if column is not None}
        if not named:
            counts = read_table(here, told.get("classes"), orientation, told.get("positive"))
            return ReadPredictions(counts, (), {})
        if "weight" not in named:
            raise ParameterError(
                says("<matrix=True> with named columns needs that of the counts."),
                remedy=says("Set <weight=...>."),
            )
        known = {name: told.get(name) for name in ("positive", "classes", "format")}
        content = read_roles(here, named, matrix=True, weight_kind="frequency", **known)
    return replace(content, predictions=counted(content.predictions))
