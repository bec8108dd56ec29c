"""Forecasts in tables: a row per case with columns of parameters, members or quantiles, or a row per quantile or member."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from fnmatch import fnmatchcase
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.text import one_or_several, several, some_rows
from credibly.case_scores.beside import OtherNames, each_column
from credibly.case_scores.distributions import distributions
from credibly.case_scores.forecast_forms import form_of
from credibly.case_scores.forecasts import Forecasts, ModelForecasts, from_parts
from credibly.case_scores.tables import Columns, as_they_are, number_in, table_kind, truth_in
from credibly.errors import CrediblyError, DataError, MissingColumnError, ParameterError, says
from credibly.io._declare import open_source
from credibly.io._source import Source
from credibly.io.numbers import columns_in
from credibly.io.roles import found_columns
from credibly.predictions.labels import distinct

QUANTILE_COLUMN = re.compile(r"(?:q|quantile)[_ .-]?0?\.\d+")
BARE_MEMBER = re.compile(r"m[_ .-]?\d+")
MIN_COLUMNS = 2  # of a forecast
MEMBER_COLUMN = re.compile(r"(?:m|mem|member|ens|ensemble|realization)[_ .-]?\d+")


def _of_distributions(table: Source) -> Columns | None:
    """Recognise a truth beside columns called like quantiles, members or the parameters of a distribution."""
    try:
        found = _wide(table, None, None, None, None)
    except CrediblyError:
        return None
    columns, kind = found["columns"], found["kind"]
    truth = truth_in(table) or (_only_number(table, columns) if kind == "quantiles" else None)
    models = all(BARE_MEMBER.fullmatch(c.lower()) for c in columns)  # m1, m2 may as well be models
    if truth is None or len(columns) < MIN_COLUMNS or models:
        return None
    table.load([], [truth, *columns])
    if not {table.kind(c) for c in (truth, *columns)} <= {"whole", "number"}:
        return None
    if kind != "distribution":
        return {"truth": truth, kind: columns}
    return {
        "truth": truth,
        "distribution": found["family"].name,
        "parameters": dict(zip(found["family"].parameter_names, columns, strict=True)),
    }


def _only_number(table: Source, columns: Sequence[str]) -> str | None:
    """Return the one column of fractions beside those of the forecasts: what they are about."""
    others = [c for c in table.names if c not in columns]
    table.load([], others)
    found = [c for c in others if table.kind(c) == "number"]
    return found[0] if len(found) == 1 else None


@table_kind("Forecasts of a distribution", _of_distributions)
@door
def read_forecasts(
    source: object,
    truth: str = "truth",
    *,
    distribution: str | None = None,
    parameters: Mapping[str, str] | Sequence[str] | None = None,
    members: str | Sequence[str] | None = None,
    quantiles: str | Sequence[str] | None = None,
    level: str | None = None,
    member: str | None = None,
    value: str = "value",
    model: str | None = None,
    row: str | Sequence[str] | None = None,
    time: str | None = None,
    **others: Unpack[OtherNames],
) -> Forecasts:
    r"""Read forecasts of a distribution from a file or a frame.

    Parameters
    ----------
    source
        A file or a frame with a row per case, or with a row per case and quantile (``level``) or member (``member``).
    truth
        The column of what was observed.
    distribution
        The family that the columns of ``parameters`` are about; normal where there are columns ``mean`` and ``sd``.
    parameters
        The columns of the parameters by name, or columns that are named as they are; those of the same names by default.
    members
        The columns of members: names, or a pattern such as ``ens_*``; columns such as ``member_1`` are found.
    quantiles
        The columns of quantiles: names, or a pattern such as ``q*``, whose number is the level; columns such as ``q0.05`` are found.
    level
        In a table with a row per quantile, the column of the level.
    member
        In a table with a row per member, the column of the member.
    value
        In such tables, the column of the quantile or member.
    model
        The column of the model.
    row
        The column, or columns, that identify a case; needed in such tables.
    time
        The column of when a case was observed.
    **others
        ``group``, ``weight`` (and ``weight_kind``): the columns of groups of cases that belong together, and of how much each
        case counts; ``columns``: other columns, to slice by, all others by default where a row is a case; ``format``: that of the file.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"y": [1.0, 3.0], "mean": [1.5, 2.0], "sd": [1.0, 2.0]})
    >>> read_forecasts(frame, "y").scored("crps").outcome.round(4).tolist()
    [0.3314, 0.6628]
    >>> long = pd.DataFrame({"day": [1, 1, 2, 2], "level": [0.1, 0.9] * 2, "value": [0, 2, 1, 3], "y": [1.0, 1.0, 5.0, 5.0]})
    >>> read_forecasts(long, "y", level="level", row="day").scored("wis").outcome.round(4).tolist()
    [0.2, 2.2]
    """
    identified = one_or_several(row, "row", "columns")
    if (level or member) and not identified:
        raise ParameterError(
            "It is not clear which rows belong to one case.", remedy=says("Set <row=...>.")
        )
    weight = others.get("weight")
    told = {"group": others.get("group"), "time": time, "sample_weight": weight}
    with closing(open_source(source, others.get("format"))) as table:
        given = _long(level, member, value) if level or member else _wide(table, distribution, parameters, members, quantiles)  # fmt: skip
        named = [c for c in (model, member, *identified, *told.values()) if c and c != weight]
        needed = [truth, *given["columns"], *([weight] if weight else [])]
        used = {*needed, *named, *table.hidden}
        rest = () if level or member else (c for c in table.names if c not in used)
        asked = others.get("columns")
        columns = several(rest if asked is None else asked, "columns", "columns")
        held = columns_in(table, needed, list(dict.fromkeys(named)))
        held |= as_they_are(table, columns) if columns else {}
    if member:
        held[member] = distinct(held[member]).codes
    true = held[truth]
    numbers = np.column_stack([held[c] for c in given["columns"]])
    case = _together([held[c] for c in identified])
    known: dict[str, Any] = {k: v for k, v in others.items() if k == "weight_kind"}
    known |= {role: held[c] for role, c in told.items() if c}
    known |= {} if case is None else {"row": case}
    known["columns"] = {c: held[c] for c in columns}
    of = held[model] if model else np.full(true.size, "forecast", object)
    parts = []
    for name in dict.fromkeys(of.tolist()):
        rows = np.flatnonzero(of == name)
        if case is not None and (level or member):
            form, rows = _pivoted(numbers, case, rows, true, given["kind"])
        else:
            form = _form(given, numbers[rows])
        beside = each_column(known, lambda column, rows=rows: column[rows])
        parts.append(
            ModelForecasts(str(name), true[rows], form_of(form, true[rows], str(name)), beside)
        )
    return from_parts(parts)


def _wide(
    table: Source,
    distribution: str | None,
    parameters: Mapping[str, str] | Sequence[str] | None,
    members: str | Sequence[str] | None,
    quantiles: str | Sequence[str] | None,
) -> dict[str, Any]:
    """Return which columns hold the forecasts of a case, and as what."""
    if parameters is not None and not isinstance(parameters, Mapping):
        parameters = {c: c for c in several(parameters, "parameters", "columns")}
    members, quantiles = (
        given if given is None or isinstance(given, str) else several(given, name, "columns")
        for given, name in ((members, "members"), (quantiles, "quantiles"))
    )
    if not (distribution or members or quantiles):
        quantiles = [c for c in table.names if QUANTILE_COLUMN.fullmatch(c.lower())]
        members = (
            [] if quantiles else [c for c in table.names if MEMBER_COLUMN.fullmatch(c.lower())]
        )
        if not (quantiles or members) and not {"mean", "sd"} <= {*(parameters or ()), *table.names}:
            raise MissingColumnError(
                "It is not clear which columns hold the forecasts.",
                remedy=says("Set <distribution=...> with <parameters=...>, <members=...> or <quantiles=...>. {columns}", columns=found_columns(table)),
            )  # fmt: skip
    if quantiles:
        found = _matching(table, quantiles)
        levels = [_level(c) for c in found]
        return {"kind": "quantiles", "columns": found, "levels": levels}
    if members:
        return {"kind": "members", "columns": _matching(table, members)}
    family = distributions[distribution or "normal"]
    named = {p: (parameters or {}).get(p, p) for p in family.parameter_names}
    return {"kind": "distribution", "columns": list(named.values()), "family": family}


def _long(level: str | None, member: str | None, value: str) -> dict[str, Any]:
    if level and member:
        raise ParameterError(
            says("A row is a quantile or a member: set one of <level> and <member>.")
        )
    kind = "quantiles" if level else "members"
    return {"kind": kind, "columns": [level or member, value]}


def _form(given: Mapping[str, Any], numbers: Floats) -> dict[str, Any]:
    kind = given["kind"]
    if kind == "members":
        return {"members": numbers}
    if kind == "quantiles":
        return {"quantiles": numbers, "levels": given["levels"]}
    family = given["family"]
    named = dict(zip(family.parameter_names, numbers.T, strict=True))
    return {"distribution": family.name, "parameters": named}


def _matching(table: Source, asked: str | Sequence[str]) -> list[str]:
    """Return the columns of these names, or that a pattern matches."""
    if not isinstance(asked, str):
        return list(asked)
    found = [c for c in table.names if fnmatchcase(c, asked)]
    if not found:
        raise MissingColumnError(
            f"No column matches {asked!r} in {table.where}.", remedy=found_columns(table)
        )
    return found


def _level(column: str) -> float:
    """Return the level that the name of a column of quantiles says."""
    found = number_in(column)
    if found is None:
        raise DataError(f"The column {column!r} does not say the level of its quantiles.")
    return found


def _together(columns: Sequence[NDArray[Any]]) -> NDArray[Any] | None:
    """Return one identifier of each row."""
    if len(columns) < 2:
        return columns[0] if columns else None
    return np.array([" | ".join(map(str, row)) for row in zip(*(c.tolist() for c in columns), strict=True)], object)  # fmt: skip


def _pivoted(
    numbers: Floats, case: NDArray[Any], rows: NDArray[np.intp], truth: Floats, kind: str
) -> tuple[dict[str, Any], NDArray[np.intp]]:
    """Return a matrix with a row per case and a column per level or member, and the first row of each case."""
    cases = distinct(case[rows]).codes
    order, first = np.unique(cases, return_index=True)
    at, column = np.unique(numbers[rows, 0], return_inverse=True)
    matrix = np.full((order.size, at.size), np.nan)
    place = np.searchsorted(order, cases)
    counts = np.zeros(matrix.shape, int)
    np.add.at(counts, (place, column), 1)
    what = "a level" if kind == "quantiles" else "a member"
    if (counts > 1).any():
        twice = case[rows[first[np.flatnonzero((counts > 1).any(axis=1))]]]
        raise DataError(f"A case has {what} twice: {some_rows(twice, identified=True)}.")
    matrix[place, column] = numbers[rows, 1]
    firsts = rows[first]
    differing = (truth[rows] != truth[firsts][place]) & ~np.isnan(truth[rows])
    if differing.any():
        raise DataError(
            f"The rows of one case have different truths: {some_rows(dict.fromkeys(case[rows[differing]].tolist()), identified=True)}."
        )
    columns = {"quantiles": matrix, "levels": at} if kind == "quantiles" else {"members": matrix}
    return columns, firsts
