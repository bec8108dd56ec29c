"""Results for other programs."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.files import write_whole, written
from credibly.errors import DataError, ParameterError
from credibly.io._column_files import write_columns

if TYPE_CHECKING:
    from credibly.experiments.analysis.results import Results

EXPORT_SUFFIXES = (".csv", ".json", ".parquet")


def export_results(results: Results, path: Path) -> Path:
    """Write one row per cell, with full precision, in the format that the name says.

    >>> import pathlib, tempfile
    >>> from credibly.experiments import Results
    >>> r = Results.of(["iris"], ["tree"], {"error_rate": [0.1]})
    >>> file = export_results(r, pathlib.Path(tempfile.mkdtemp(), "r.csv"))
    >>> file.read_text().splitlines()[0]
    'dataset,scheme,size,repeat,fold,n_train,n_test,status,error,fit_seconds,predict_seconds,error_rate'
    """
    kind = path.suffix.lower()
    if kind not in EXPORT_SUFFIXES:
        raise ParameterError(
            f"Results are written as {', '.join(EXPORT_SUFFIXES)}; got {path.name!r}."
        )
    if kind == ".json":
        return write_whole(path, results.to_json() + "\n")
    if kind == ".csv":
        rows = results.rows()
        with written(path) as part, part.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fieldnames=list(results.columns()))
            writer.writeheader()
            writer.writerows(rows)
        return path
    try:
        return write_columns(path, {n: np.array(c.tolist()) for n, c in results.columns().items()})
    except OSError as error:
        raise DataError(f"{error.strerror}.") from None
