"""Results as metrics of a run of MLflow, each with its limits, and the report as an artifact."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import takewhile
from typing import Any

from credibly._core.doors import door
from credibly.errors import ParameterError
from credibly.reports.report import Report
from credibly.results.result import Result

LOGGED_FIELDS = {
    "value": "",
    "difference": "_difference",
    "low": "_low",
    "high": "_high",
    "pvalue": "_pvalue",
}
LOGGED_KEYS = (
    "dataset",
    "model",
    "first",
    "second",
    "task",
    "group",
    "class",
    "average",
    "estimate",
)


@door
def log_to_mlflow(
    result: Result, *, report: Report | None = None, prefix: str = ""
) -> dict[str, float]:
    """Log a table, a comparison or a gate to the active run of MLflow, and return what was logged.

    Each number is a metric by the name of its measure, its limits beside it as ``..._low`` and
    ``..._high``. It needs MLflow: ``pip install 'credibly[mlflow]'``.

    Parameters
    ----------
    result
        What :func:`credibly.evaluate`, :func:`credibly.compare` or :func:`credibly.gate` returns.
    report
        A report to keep as ``report.html`` among the artifacts of the run.
    prefix
        What the names of the metrics begin with.

    >>> from credibly import Predictions, evaluate
    >>> table = evaluate(Predictions.of(outcome=[True, True, False]))
    >>> log_to_mlflow(table)  # doctest: +SKIP
    {'pass_rate': 0.667, 'pass_rate_low': 0.208, 'pass_rate_high': 0.939}
    """
    try:
        mlflow = import_module("mlflow")
    except ImportError:
        raise ParameterError(
            "MLflow is not installed.", remedy="Install it: pip install 'credibly[mlflow]'."
        ) from None
    metrics = dict(_metrics(result, prefix))
    mlflow.log_metrics(metrics)
    if report is not None:
        mlflow.log_text(report.html(), "report.html")
    return metrics


def _metrics(result: Result, prefix: str) -> Iterator[tuple[str, float]]:
    """Yield every finite number of a result with a name that MLflow takes."""
    for row in result.rows():
        keys = dict.fromkeys([*(_of_slices(row) if "value" in row else ()), *LOGGED_KEYS])
        texts = [str(row[k]) for k in keys if row.get(k) not in (None, "")]
        name = "/".join([*filter(None, [prefix]), *texts, str(row.get("measure", "value"))])
        for key, ending in LOGGED_FIELDS.items():
            number: Any = row.get(key)
            if isinstance(number, int | float) and math.isfinite(number):
                yield re.sub(r"[^\w./ -]", "_", name) + ending, float(number)


def _of_slices(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield the columns that say what an estimate is of, which stand before its measure."""
    return takewhile(lambda column: column != "measure", row)
