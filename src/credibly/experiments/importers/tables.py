"""Results made elsewhere, as files or tables of one row per fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import MAX_EXACT_WHOLE
from credibly._core.text import some_rows
from credibly.errors import Argument, DataError, MissingColumnError, ParameterError, says
from credibly.experiments.analysis.results import STATUSES, Results, known_measure
from credibly.experiments.importers.weka_results import from_weka, is_weka
from credibly.io._source import not_numbers
from credibly.io.datasets.read import Marks, is_number
from credibly.measures._declare import Direction
from credibly.predictions.labels import is_missing

if TYPE_CHECKING:
    from credibly.io._source import Source

    Columns = dict[str, NDArray[Any]]

# What columns are called, by what they are; the first is ours.
ROLE_NAMES = {
    "dataset": ("dataset", "data", "data_set", "problem"),
    "scheme": ("scheme", "model", "classifier", "learner", "algorithm", "method"),
    "repeat": ("repeat", "run", "rep", "repetition"),
    "fold": ("fold", "split", "resample", "iteration"),
    "size": ("size",),
    "n_train": ("n_train", "train_size"),
    "n_test": ("n_test", "test_size"),
    "fit_seconds": ("fit_seconds", "fit_time", "time_train"),
    "predict_seconds": ("predict_seconds", "score_time", "time_predict"),
    "status": ("status",),
    "error": ("error",),
}
TEXT_ROLES = ("dataset", "scheme", "status", "error")
WORD_ROLES = ("status", "error")  # a column of numbers of that name is a measure
NUMBER_KINDS = "iufb"  # kinds of numpy's types
VALUE_COLUMN = "value"
OPTION_NAMES = ("measures", "measure", "directions")
# Of a column's cells are other text, and it is no column of numbers with mistakes.
MAX_TEXT_SHARE = 0.5
MAX_SHOWN_CELLS = 5  # cells that are no numbers


class ResultColumns(TypedDict, total=False):
    """What columns of a table of results are called."""

    dataset: str
    scheme: str
    repeat: str
    fold: str
    size: str
    n_train: str
    n_test: str
    fit_seconds: str
    predict_seconds: str
    status: str
    error: str


def read_results(
    path: str | Path,
    *,
    measures: str | Sequence[str] | None = None,
    measure: str | None = None,
    directions: Mapping[str, Direction] | Direction | None = None,
    format: str | None = None,  # noqa: A002
    **columns: Unpack[ResultColumns],
) -> Results:
    r"""Read a file of results: Weka's Experimenter's (CSV, ARFF), or a table of one row per fit.

    Parameters
    ----------
    path
        The file.
    measures
        The columns of values; all that hold numbers and are nothing else by default.
    measure
        What the column ``value`` holds.
    directions
        Which way measures that Credibly does not know are better, by name or one for all.
    format
        The name of a reader, if neither the content nor the suffix of the file identifies the format.
    dataset
        Name of the dataset. A column that is not named is guessed where its name is plain; a file of
        Weka's names all of them itself.
    scheme
        Name of the scheme.
    repeat
        Repeat of the resampling.
    fold
        Fold of the resampling.
    size, n_train, n_test
        Rows that a learning curve has come to, of the training part and of the test part.
    fit_seconds, predict_seconds
        How long it took.
    status, error
        What became of a fit.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "results.csv")
    >>> _ = file.write_text("dataset,model,fold,auc\niris,tree,0,0.9\niris,tree,1,0.8\n")
    >>> read_results(file)
    1 scheme on 1 dataset, 2 splits each: auc
    """
    from credibly.io._declare import open_path
    from credibly.io._files import check_file

    place = Path(path)
    check_file(place)
    options = {"measures": measures, "measure": measure, "directions": directions, **columns}
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    if is_weka(place):
        return from_weka(place, **given)
    with closing(open_path(place, format)) as source:
        return _from_columns(_columns_of(source), source.where, given)


def from_table(
    table: Any,  # noqa: ANN401
    *,
    measures: str | Sequence[str] | None = None,
    measure: str | None = None,
    directions: Mapping[str, Direction] | Direction | None = None,
    **columns: Unpack[ResultColumns],
) -> Results:
    """Take a table of one row per fit: a dictionary of columns, or a frame.

    Parameters
    ----------
    table
        Columns for dataset, scheme, fold (and repeat, where data were split again), and values.
    measures
        The columns of values; all that hold numbers and are nothing else by default.
    measure
        What the column ``value`` holds.
    directions
        Which way measures that Credibly does not know are better, by name or one for all. What is
        not analysed needs none.
    **columns
        What columns are called, where that is not plain: ``dataset="problem"``; also ``scheme``,
        ``repeat``, ``fold``, ``size``, ``n_train``, ``n_test``, ``fit_seconds``, ``predict_seconds``,
        ``status`` and ``error``.

    >>> r = from_table(
    ...     {"data": ["iris"] * 4, "model": ["a", "a", "b", "b"], "fold": [1, 2] * 2,
    ...      "value": [0.1, 0.2, 0.2, 0.1]}, measure="error_rate")
    >>> r.measures, r.directions["error_rate"], r.schemes
    (('error_rate',), 'lower', ('a', 'b'))
    """
    given = {"measures": measures, "measure": measure, "directions": directions, **columns}
    return _from_columns(_columns(table), "The table", given)


def _from_columns(columns: Columns, where: str, given: dict[str, Any]) -> Results:
    """Say what each column is, and put results together; messages call their source ``where``."""
    measures, measure, directions = (given.pop(n, None) for n in OPTION_NAMES)
    roles = _roles(columns, given)
    for needed in ("dataset", "scheme"):
        if needed not in roles:
            raise MissingColumnError(
                f"The table has no column for the {needed}; it has: {', '.join(columns)}.",
                remedy=says("Name it with {needed}.", needed=Argument(needed, ...)),
            )
    asked = [measures] if isinstance(measures, str) else measures
    maybe = set(columns if asked is None else asked) - set(roles.values())
    columns = {n: _meant(c, n, where) if n in maybe else c for n, c in columns.items()}
    names = _value_columns(columns, roles, asked)
    values = {
        measure if n == VALUE_COLUMN and measure else n: numbers_of(columns[n], n) for n in names
    }
    directions = _directions(values, directions)
    read: dict[str, Any] = {r: _read_as(r, columns[name]) for r, name in roles.items()}
    return Results.of(values=values, directions=directions, **read)


def _directions(
    values: Mapping[str, object], given: Mapping[str, Direction] | Direction | None
) -> Mapping[str, Direction]:
    """Return which way measures are better that Credibly does not know, as far as it was said."""
    by_name = dict.fromkeys(values, given) if isinstance(given, str) else dict(given or {})
    for name, direction in by_name.items():
        if name not in values:
            raise ParameterError(
                f"directions names {name!r}; the measures are: {', '.join(values)}.",
                asked=name,
                choices=values,
            )
        if direction not in get_args(Direction):
            raise ParameterError(
                f"The direction of {name!r} must be 'higher' or 'lower'; got {direction!r}."
            )
    return for_unknown(values, given) if isinstance(given, str) else by_name


def _columns_of(source: Source) -> Columns:
    """Read every column of a file: numbers as numbers, the rest as text."""
    kinds = {name: source.kind(name) for name in source.names}
    numbers = [n for n, kind in kinds.items() if kind in {"whole", "number", "empty"}]
    source.load(numbers, [n for n in source.names if n not in numbers])
    return {n: source.numbers(n) if n in numbers else source.column(n) for n in source.names}


def _columns(table: Any) -> Columns:  # noqa: ANN401
    if not isinstance(table, Mapping):
        import narwhals.stable.v2 as nw

        try:
            table = nw.from_native(table, eager_only=True).to_dict(as_series=False)
        except TypeError:
            raise ParameterError(
                f"A table of results is a dictionary of columns or a frame of pandas, polars or pyarrow; got {type(table).__name__}."
            ) from None
    columns = {str(name): _array(column, str(name)) for name, column in table.items()}
    sizes = {column.shape for column in columns.values()}
    if len(sizes) != 1 or any(len(size) != 1 for size in sizes) or sizes == {(0,)}:
        raise DataError(
            "A table of results needs at least one row, and columns of the same length."
        )
    return columns


def _array(column: object, name: str) -> NDArray[Any]:
    """Return a column as an array; numbers stay numbers where some are missing."""
    try:
        array = np.asarray(column)
    except ValueError:
        raise DataError(f"The column {name!r} holds rows of different lengths.") from None
    if array.dtype.kind == "O" and all(v is None or isinstance(v, int | float) for v in array.flat):
        return array.astype(np.float64)
    return array


def _roles(found: Columns, given: Mapping[str, str]) -> dict[str, str]:
    """Say which column is what: as told, or by its name."""
    plain = {name.lower().replace(" ", "_").replace("-", "_"): name for name in found}
    roles = {
        role: plain[alias]
        for role, aliases in ROLE_NAMES.items()
        for alias in reversed(aliases)
        if alias in plain and not (role in WORD_ROLES and _holds_numbers(found[plain[alias]]))
    }
    for role, name in given.items():
        if role not in ROLE_NAMES:
            raise ParameterError(
                f"There is no column of the kind {role!r}; kinds: {', '.join(ROLE_NAMES)}.",
                asked=role,
                choices=ROLE_NAMES,
            )
        _refuse_missing(found, name)
        roles[role] = name
    return roles


def _refuse_missing(found: Columns, name: str) -> None:
    if name not in found:
        raise MissingColumnError(
            f"The table has no column {name!r}; it has: {', '.join(found)}.",
            asked=name,
            choices=found,
        )


def _value_columns(
    found: Columns, roles: Mapping[str, str], asked: Sequence[str] | None
) -> list[str]:
    for name in asked or ():
        _refuse_missing(found, name)
    taken = set(roles.values())
    numeric = [n for n, c in found.items() if n not in taken and _holds_numbers(c)]
    names = numeric if asked is None else list(asked)
    if not names:
        raise MissingColumnError(
            f"The table has no column of values: the only columns of numbers are {', '.join(sorted(taken))}.",
            remedy=says("Name one with <measures=...>."),
        )
    return names


def _holds_numbers(column: NDArray[Any]) -> bool:
    return column.dtype.kind in NUMBER_KINDS and bool(np.isfinite(column).any())


def _meant(column: NDArray[Any], name: str, where: str) -> NDArray[Any]:
    """Return numbers where most cells of a column of text are some, and name those that are none."""
    if column.dtype.kind in NUMBER_KINDS:
        return column
    marks = Marks().in_numbers | {""}
    known = {i: t for i, v in enumerate(column.tolist()) if (t := _text(v).strip()) not in marks}
    other = {i: t for i, t in known.items() if not is_number(t)}
    if len(other) >= MAX_TEXT_SHARE * len(known):
        return column
    if other:
        raise not_numbers(where, name, islice(other.items(), MAX_SHOWN_CELLS), len(other))
    values = np.full(len(column), np.nan)
    values[list(known)] = list(map(float, known.values()))
    return values


def _read_as(role: str, column: NDArray[Any]) -> NDArray[Any]:
    """Bring a column into the form that results need."""
    if role in {"repeat", "fold"}:
        return _numbered(column)
    if role not in TEXT_ROLES:
        return numbers_of(column, role)
    texts = [_text(v) for v in column.tolist()]
    if role in {"dataset", "scheme"} and "" in texts:
        raise DataError(f"The {role} is missing in {some_rows([texts.index('')])}.")
    strange = [t for t in texts if t not in STATUSES]
    if role == "status" and strange:
        raise DataError(f"status must be one of {', '.join(STATUSES)}; got {strange[0]!r}.")
    return np.array(texts, object)


def _numbered(column: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers as they are, and number whatever else distinguishes splits."""
    if column.dtype.kind in "iu":
        return column
    if (
        column.dtype.kind == "f"
        and (np.abs(column) < MAX_EXACT_WHOLE).all()
        and not (column % 1).any()
    ):
        return column.astype(np.int64)
    named = [_text(v) for v in column.tolist()]
    place = {text: i for i, text in enumerate(dict.fromkeys(named))}
    return np.array([place[text] for text in named])


def _text(value: object) -> str:
    if is_missing(value):
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def numbers_of(column: object, name: str) -> NDArray[np.float64]:
    """Return a column of numbers, or name the one that holds none."""
    try:
        return np.asarray(column, np.float64)
    except (TypeError, ValueError):
        raise DataError(f"The column {name!r} holds something other than numbers.") from None


def for_unknown(values: Mapping[str, object], direction: Direction) -> dict[str, Direction]:
    """Say which way the measures are better that Credibly does not know."""
    return {name: direction for name in values if known_measure(name) is None}
