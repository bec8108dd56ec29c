"""Predictions of cells in Parquet files, and back again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly._core.grouping import grouped
from credibly.errors import DataError, ParameterError, says
from credibly.experiments.findings import INCOMPLETE
from credibly.experiments.store.data import open_data
from credibly.experiments.store.schema import DATA_FOLDER, PREDICTIONS_FOLDER
from credibly.io._column_files import read_columns, sum_of, write_columns
from credibly.io.parquet import check_ends
from credibly.predictions import Design, Predictions, Provenance
from credibly.running.assembly import fits_of, predictions_of, problems
from credibly.running.tasks import ALL_ROWS_PLACE, Job, TaskResult
from credibly.schemes import ModelOutput

if TYPE_CHECKING:
    from credibly.experiments.execution.tasks import FitAnswer, Task
    from credibly.experiments.store.records import Records

    Numbered = tuple[int, Task, FitAnswer]  # with the number of its cell

CHANGED_FILE = "The file does not hold what was written."
# Of a result, kept in the database as they are.
PLAIN_FIELDS = ("repeat", "fold", "n_train", "validation", "fit_seconds", "predict_seconds", "error", "trace")  # fmt: skip


def write_predictions(folder: Path, answers: Sequence[Numbered]) -> dict[int, str]:
    """Write the predictions of some cells, one file for each dataset and kind of output.

    Return the name of the file of each cell; those without predictions have none.
    """
    answered = (
        (f"{Path(task.setting.data).name[:12]}-{'-'.join(_outputs(output))}", (i, answer.result))
        for i, task, answer in answers
        if (output := answer.result.output) is not None
    )
    files: dict[int, str] = {}
    for kind, batch in grouped(answered).items():
        plain = folder / f"{kind.partition('-')[0]}-{batch[0][0]:08d}.parquet"
        written = write_columns(plain, _columns(batch), summed=True)
        files |= dict.fromkeys((i for i, _ in batch), written.name)
    return files


def _outputs(output: ModelOutput) -> dict[str, NDArray[Any]]:
    """Return the columns of an output; probabilities have one for each class, ``p0``, ``p1`` ..."""
    columns = {}
    if output.probability is not None:
        columns = {f"p{k}": p for k, p in enumerate(output.probability.T)}
    for name in ("label", "score", "value"):
        column = getattr(output, name)
        if column is not None:
            columns[name] = column
    return columns


def _columns(batch: Sequence[tuple[int, TaskResult]]) -> dict[str, NDArray[Any]]:
    """Put cells below each other: which cell, which row, how often it was trained on, and the output."""
    results = [r for _, r in batch]
    parts = [_outputs(r.output) for r in results if r.output is not None]
    return {
        "cell": np.repeat([i for i, _ in batch], [len(r.rows) for r in results]),
        "row": np.concatenate([r.rows for r in results]),
        "times": np.concatenate([r.times for r in results]),
        **{n: np.ascontiguousarray(np.concatenate([p[n] for p in parts])) for n in parts[0]},
    }


def results_of(
    store: Records, cells: Sequence[Mapping[str, Any]], *, checked: bool = True
) -> list[TaskResult]:
    """Return the results of cells, in their order; those that failed have no output."""
    # By file as well, since numbers of old cells are used again.
    found: dict[tuple[str, int], dict[str, NDArray[Any]]] = {}
    for name in dict.fromkeys(c["file"] for c in cells if c["file"]):
        columns = _read(store.folder / PREDICTIONS_FOLDER / name, checked=checked)
        ids, starts = np.unique(columns["cell"], return_index=True)
        for i, start, end in zip(ids.tolist(), starts, [*starts[1:], None], strict=True):
            found[name, i] = {n: c[start:end] for n, c in columns.items()}
    return [_result(c, found.get((c["file"], c["id"]))) for c in cells]


def _read(path: Path, *, checked: bool) -> dict[str, NDArray[Any]]:
    try:
        if checked:
            _check_sum(path)
        return read_columns([path])
    except (DataError, OSError) as error:
        home = path.parent.parent
        raise DataError(
            f"The predictions in {path} are damaged: {str(error).rstrip('.')}.",
            remedy=says("To refit them, resume {home} with <retry_failed=True>.", home=home),
        ) from error


def damaged(store: Records, *, thoroughly: bool) -> set[str]:
    """Return the files of predictions that are lost or cut short; ``thoroughly`` reads every one."""
    return {
        name
        for name in store.files()
        if not _is_whole(store.folder / PREDICTIONS_FOLDER / name, thoroughly=thoroughly)
    }


def _is_whole(path: Path, *, thoroughly: bool) -> bool:
    try:
        check_ends(path)
        if thoroughly:
            _check_sum(path)
    except (DataError, OSError):
        return False
    return True


def _check_sum(path: Path) -> None:
    """Refuse a file that does not hold what was written, by the sum in its name."""
    if sum_of(path) != path.stem.rpartition("-")[2]:
        raise DataError(CHANGED_FILE)


def _result(cell: Mapping[str, Any], columns: Mapping[str, NDArray[Any]] | None) -> TaskResult:
    facts: dict[str, Any] = {name: cell[name] for name in PLAIN_FIELDS}
    facts |= {"scheme": 0, "place": ALL_ROWS_PLACE if cell["repeat"] < 0 else 0}
    facts["warned"] = tuple(json.loads(cell["warned"]))
    if columns is None:
        held = np.zeros(cell["n_test"], np.int64)
        return TaskResult(rows=held, times=held, **facts)
    classes = [columns[f"p{k}"] for k in range(len(columns)) if f"p{k}" in columns]
    output = ModelOutput(
        cell["source"],
        probability=np.column_stack(classes) if classes else None,
        **{n: columns[n] for n in ("label", "score", "value") if n in columns},
    )
    baseline = np.array(json.loads(cell["baseline"]))
    rows, times = columns["row"], columns["times"]
    return TaskResult(rows=rows, times=times, output=output, baseline=baseline, **facts)


def read_predictions(
    store: Records, dataset: str, scheme: str | Sequence[str] | None, size: float
) -> Predictions:
    """Put the kept predictions for a dataset together, with what there is to doubt about them."""
    facts = _known(dataset, store.datasets(), "dataset")
    if "rows" not in facts:
        raise DataError(
            f"The dataset {dataset} cannot be used, so it has no predictions: {facts['error']}"
        )
    wanted = [c for c in store.wanted() if c.dataset == dataset]
    names = list(dict.fromkeys(c.scheme for c in wanted))
    asked = names if scheme is None else [scheme] if isinstance(scheme, str) else list(scheme)
    for name in asked:
        _known(name, dict.fromkeys(names), "scheme")
    chosen = [c for name in asked for c in wanted if c.scheme == name and c.size == size]
    rows = {row["key"]: row for row in store.cells(dict.fromkeys(c.key for c in chosen))}
    there = [c for c in chosen if c.key in rows]
    results = [
        replace(r, scheme=asked.index(c.scheme))
        for c, r in zip(there, results_of(store, [rows[c.key] for c in there]), strict=True)
    ]
    job = job_of(asked, store, facts)
    if all(r.output is None for r in results):
        raise DataError(
            f"No fit of {', '.join(asked) or 'any scheme'} on {dataset} with size {size:g} has been done without an error."
        )
    predictions = predictions_of(job, results)
    findings = (
        *(Finding(**f) for f in facts["findings"]),
        *predictions.findings,
        *problems(job, results),
        *([INCOMPLETE(done=len(there), total=len(chosen))] if len(there) < len(chosen) else []),
    )
    return replace(
        predictions,
        findings=findings,
        provenance=_provenance(store, facts, job, results),
        design=Design.from_dict(facts.get("design")),
    )


def job_of(names: Sequence[str], store: Records, facts: Mapping[str, Any]) -> Job:
    """Return what putting predictions together needs to know of the fits on a dataset."""
    data = open_data(str(store.folder / DATA_FOLDER / facts["data"]), inputs=False)
    drawn = facts["with_replacement"]
    return Job(tuple(names), (), data, None, None, with_replacement=drawn, random=())


def _known(name: str, those: Mapping[str, Any], what: str) -> Any:
    if name not in those:
        raise ParameterError(
            f"There is no {what} {name!r} in this experiment.",
            asked=name,
            choices=those,
            remedy=f"It has: {', '.join(those)}.",
        )
    return those[name]


def _provenance(
    store: Records, facts: Mapping[str, Any], job: Job, results: Sequence[TaskResult]
) -> Provenance:
    run = store.runs()[-1]
    described: Mapping[str, str] = store.meta("schemes")
    return Provenance(
        resampling=facts["resampling"],
        splits=facts["splits"],
        data=facts["data"],
        seed=run["seed"],
        schemes={n: described[n] for n in job.names},
        versions=run["versions"],
        fits=fits_of(job, results),
        attributes=facts.get("columns", 0),
    )
