"""Instances of Every Eval Ever: the shared schema of scored cases, one JSON object per line."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from credibly.errors import DataError
from credibly.io._declare import log_reader
from credibly.io._logs import (
    HASH_LETTERS,
    LogRow,
    ScoredLog,
    json_objects,
    number_of,
    plain_columns,
    refuse_duplicates,
)


@log_reader(
    "Every Eval Ever",
    begins=(b"{",),
    holds=(b'"schema_version"', b'"evaluation_id"', b'"sample_id"'),
)
def every_eval_ever(path: Path) -> list[ScoredLog]:
    r"""Instance-level data of Every Eval Ever, with model, evaluation and sample of each line.

    The outcome is whether the answer is correct where every score says no more than that, and else the score.
    A line with an error has none. Runs of the same sample are repeats.

    >>> line = ('{"schema_version": "0.2.1", "evaluation_id": "run1", "model_id": "m/small", "evaluation_name": "sums", '
    ...         '"sample_id": "%s", "evaluation": {"score": %s, "is_correct": %s}}\n')
    >>> file = folder / "sums_samples.jsonl"
    >>> _ = file.write_text(line % ("a", "1.0", "true") + line % ("b", "0.0", "false"))
    >>> read(file).outcome.tolist()
    [1.0, 0.0]
    """
    logs: dict[tuple[str, str], ScoredLog] = {}
    runs: dict[tuple[str, str], dict[str, int]] = {}
    for number, line in enumerate(json_objects(path), start=1):
        try:
            key = str(line["evaluation_name"]), str(line["model_id"])
            sample, run = str(line["sample_id"]), str(line["evaluation_id"])
        except KeyError as lacking:
            raise DataError(
                f"{path.name}, line {number}: there is no {lacking.args[0]}, which the schema requires."
            ) from None
        log = logs.setdefault(key, ScoredLog(*key))
        repeat = runs.setdefault(key, {}).setdefault(run, len(runs[key]))
        hashed = str(line.get("sample_hash") or "")[:HASH_LETTERS]
        case = f"{sample}#{hashed}" if hashed else sample
        log.add(
            LogRow(case, _scores(line), repeat, plain_columns(line.get("metadata"), "metadata."))
        )
    for log in logs.values():
        refuse_duplicates(path.name, log)
        same = all(_same(row.scores) for row in log.rows)
        log.metrics = dict.fromkeys(("is_correct",) if same else ("score", "is_correct"))
        log.better = {"is_correct": True}
    return list(logs.values())


def _scores(line: Mapping[str, Any]) -> dict[str, float]:
    found = line.get("evaluation")
    if line.get("error") or not isinstance(found, Mapping):
        return {"score": math.nan, "is_correct": math.nan}
    return {name: number_of(found.get(name)) for name in ("score", "is_correct")}


def _same(scores: Mapping[str, float]) -> bool:
    score, correct = scores["score"], scores["is_correct"]
    return math.isnan(score) or score == correct
