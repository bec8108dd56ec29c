"""Writing predictions so that reading them gives the same predictions back."""

# Statements are put together from our own names and from quoted literals only.
# ruff: noqa: S608

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.doors import door
from credibly._core.files import cannot_be_written, written
from credibly._core.findings import Finding
from credibly._kernels import LossSums
from credibly.errors import DataError, ParameterError
from credibly.io._database import quoted, silence
from credibly.io.classes import MISSING_MARKS, is_whole
from credibly.io.parquet import METADATA_KEY
from credibly.predictions import Design, Predictions, Provenance
from credibly.predictions.arguments import as_predictions
from credibly.predictions.column_names import CLASSES_COLUMN, POSITIVE_COLUMN, WEIGHT_KIND
from credibly.predictions.exchange import columns_of
from credibly.predictions.labels import likely_positive
from credibly.predictions.parts import all_rows, as_given, time_steps
from credibly.predictions.table import LOSS_SUMS
from credibly.results.formats import json_ready

INT64_LIMIT = 2**63
FORMAT_VERSION = 1  # of what is written there; a reader refuses what is newer than itself
SUFFIX_FORMATS = {".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".jsonl": "json", ".ndjson": "json"}  # fmt: skip


@door
def save(predictions: Predictions | Mapping[str, Predictions], path: str | PathLike[str]) -> Path:
    """Write predictions to a Parquet, CSV or JSON lines file, by the ending of its name; Parquet without.

    Parquet keeps everything: types, the positive class, findings and where the predictions come
    from, so that :func:`credibly.read` needs no further information. JSON lines keep the columns
    and tell text from numbers; CSV keeps the columns, and what reads as a whole number comes back
    as one. For cases in time order, text files keep a column of times; for weights, a column with
    their kind; and where the values do not show them, columns of the positive class and of the
    order of all classes.

    >>> import credibly, pathlib, tempfile
    >>> p = credibly.Predictions.of(["b", "a"], probability=[[0.25, 0.75], [0.5, 0.5]], model="tree")
    >>> path = credibly.save(p, pathlib.Path(tempfile.mkdtemp(), "p.parquet"))
    >>> credibly.read(path).fingerprint == p.fingerprint
    True
    """
    import duckdb

    predictions = as_predictions(predictions, "save")
    path = Path(path)
    form = form_of(path)
    columns = columns_of(predictions, every=True)
    if form != "parquet":
        columns |= _told_in_text(predictions, columns, path.name)
    if len({c.lower() for c in columns}) < len(columns):
        raise DataError(
            f"{path.name}: classes that differ only in upper and lower case cannot be columns. Rename them."
        )
    options = f"FORMAT {form}, USE_TMP_FILE false"  # a leftover of which would stay
    if form == "parquet":
        kept = json.dumps(json_ready(_described(predictions)), ensure_ascii=False)
        options += f", KV_METADATA {{{METADATA_KEY}: {quoted(kept)}}}"
    with duckdb.connect(":memory:") as connection:
        silence(connection)
        plain = {f"c{i}": _as_text(c) if _is_wide(c) else c for i, c in enumerate(columns.values())}
        connection.register("columns", plain)
        listed = ", ".join(
            f"{_known(f'c{i}', c)} AS {_name(n)}" for i, (n, c) in enumerate(columns.items())
        )
        try:
            with written(path) as part:
                connection.execute(
                    f"COPY (SELECT {listed} FROM columns) TO {quoted(str(part))} ({options})"
                )
        except duckdb.Error as error:
            raise cannot_be_written(path, error) from None
    return path


def _told_in_text(
    p: Predictions, columns: Mapping[str, NDArray[Any]], name: str
) -> dict[str, NDArray[Any]]:
    """Return columns that say what text does not show by itself."""
    told: dict[str, NDArray[Any]] = {}
    rows = all_rows(p)
    if p.in_time and p.time is None:
        # Text cannot say that cases stand in the order of time, but when each was observed.
        told["time"] = time_steps(rows)
    told |= {  # in which true would stand beside a column p_True
        c: _as_text(columns[c]) for c in ("truth", "label") if _of_truth_values(columns.get(c))
    }
    same = _told_classes(rows, name) if p.task == "classification" else {}
    if "weight" in columns:
        same[WEIGHT_KIND] = as_given(p).weight_kind
    return told | {column: np.full(rows.n, text, object) for column, text in same.items()}


def _told_classes(rows: Predictions, name: str) -> dict[str, str]:
    """Say which class is positive, and in which order all are, where text does not show it."""
    classes, positive = rows.classes, rows.positive
    if "" in classes:
        raise DataError(
            f"{name}: text has no class without a name, which reads as a missing value.",
            remedy="Save as Parquet, or give the class a name.",
        )
    told = {}
    occurring = {*rows.truth.tolist(), *([] if rows.label is None else rows.label.tolist())}
    shown = [c for i, c in enumerate(classes) if i in occurring]
    in_order = sorted(map(str, shown), key=float if all(map(is_whole, shown)) else None)
    marks = any(str(c).strip().lower() in MISSING_MARKS for c in classes)
    if in_order != [str(c) for c in classes] or marks:
        plain = [c if type(c) is int else str(c) for c in classes]
        told[CLASSES_COLUMN] = json.dumps(plain, ensure_ascii=False)
    if positive is not None and classes[positive] != likely_positive(classes):
        told[POSITIVE_COLUMN] = str(classes[positive])
    return told


def form_of(path: Path) -> str:
    """Return the format in which predictions are saved under a name, if they can be.

    >>> form_of(Path("p.csv")), form_of(Path("summary"))
    ('csv', 'parquet')
    """
    form = SUFFIX_FORMATS.get(path.suffix.lower()) if path.suffix else "parquet"
    if form is None:
        raise ParameterError(
            f"Predictions are saved as {', '.join(SUFFIX_FORMATS)}; got {path.name!r}."
        )
    if not path.parent.is_dir():
        raise DataError(f"{path} cannot be written: the folder {path.parent} does not exist.")
    return form


def _known(column: str, values: NDArray[Any]) -> str:
    """An unknown number is NULL, which every format can write; whole numbers of 64 bits are no doubles."""
    if _is_wide(values) and all(v is None or v >= 0 for v in values.tolist()):
        return f"CAST({column} AS UBIGINT)"
    return (
        f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END"
        if values.dtype.kind == "f"
        else column
    )


def _is_wide(values: NDArray[Any]) -> bool:
    """Whether there are whole numbers that DuckDB would take for doubles."""
    return values.dtype.kind == "O" and any(
        isinstance(v, int) and not -INT64_LIMIT <= v < INT64_LIMIT for v in values.tolist()
    )


def _of_truth_values(values: NDArray[Any] | None) -> bool:
    """Whether classes are True and False."""
    return values is not None and any(isinstance(v, bool) for v in values[:1000].tolist())


def _as_text(values: NDArray[Any]) -> NDArray[Any]:
    return np.array([None if v is None else str(v) for v in values.tolist()], object)


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _described(p: Predictions) -> dict[str, Any]:
    sums = LOSS_SUMS.get(p)
    return {
        "version": FORMAT_VERSION,
        "binned": p.span is not None,
        "loss_sums": None if sums is None or p.span is None else list(sums),
        "classes": list(p.classes),
        "positive": None if p.positive is None else p.classes[p.positive],
        "weight_kind": None if (kind := as_given(p).weight_kind) == "none" else kind,
        "findings": [f.to_dict() for f in p.findings],
        "design": p.design.to_dict(),
        "provenance": None if p.provenance is None else p.provenance.to_dict(),
    }


def restore(
    made: Predictions, kept: Mapping[str, Any], span: NDArray[Any] | None = None
) -> Predictions:
    """Give predictions read from a file of ours what none of its columns holds."""
    where = kept.get("provenance")
    if not isinstance(kept.get("version", 0), int) or kept.get("version", 0) > FORMAT_VERSION:
        raise DataError(
            f"The file was written by a newer Credibly (version {kept['version']} of the format; this one reads up to {FORMAT_VERSION}). Install that one."
        )
    try:
        findings = tuple(Finding(**f) for f in kept.get("findings", ()))
        design = Design.from_dict(kept.get("design"))
        provenance = None if where is None else Provenance.from_dict(where)
    except (TypeError, AttributeError):
        raise DataError(
            f"The description of the predictions under {METADATA_KEY!r} was not written by Credibly. Save the predictions again."
        ) from None
    restored = replace(
        made, findings=findings, provenance=provenance, design=design, span=span, cache={}
    )
    if span is not None and kept.get("loss_sums"):
        LOSS_SUMS.put(restored, LossSums(*map(float, kept["loss_sums"])))
    return restored
