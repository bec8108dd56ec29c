"""The samples of lm-evaluation-harness: one line for each case and filter."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

from credibly._core.text import count
from credibly.errors import DataError
from credibly.io._declare import log_reader
from credibly.io._files import read_head
from credibly.io._logs import (
    HASH_LETTERS,
    UNFINISHED_REMEDY,
    LogRow,
    ScoredLog,
    json_objects,
    json_value,
    number_of,
    plain_columns,
)
from credibly.io.findings import LOG_RESPONSES

SAMPLES_FILE = re.compile(r"samples_(.+?)_(\d{4}-\d\d-\d\dT[\d.:-]+?)\.jsonl")
MAX_RESULTS_BYTES = 200_000_000
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


@log_reader("lm-evaluation-harness", begins=(b"{",), holds=(b'"doc_id"', b'"doc"'))
def lm_evaluation_harness(path: Path) -> list[ScoredLog]:
    r"""Samples of lm-evaluation-harness (``--log_samples``): a file for each task, or their folder.

    A case has a line for each filter; its metrics are columns, ``exact_match (strict-match)`` where there are
    several filters, and the first is the outcome. ``results_*.json`` beside the file names the model.

    >>> file = folder / "samples_arithmetic_2026-01-31T12-00-00.jsonl"
    >>> line = '{"doc_id": %d, "doc": {"level": "hard"}, "filter": "none", "metrics": ["acc"], "acc": %s}\n'
    >>> _ = file.write_text("".join(line % case for case in [(0, "1.0"), (1, "0.0"), (2, "1.0")]))
    >>> p = read(file)
    >>> p.outcome.tolist(), p.better, p.columns["doc.level"].tolist()
    ([1.0, 0.0, 1.0], 'higher', ['hard', 'hard', 'hard'])
    """
    match = SAMPLES_FILE.match(path.name)
    about = _results(path, match[2]) if match else {}
    task = match[1] if match else path.name.removesuffix(".gz").removesuffix(".jsonl")
    named = about.get("model_name")
    log = ScoredLog(task, str(named) if named else None)
    log.better = {
        str(m): bool(v) for m, v in _entry(about, "higher_is_better", task).items() if v is not None
    }
    told = _entry(about, "n-samples", task).get("effective")
    log.announced = told if isinstance(told, int) else None
    lines = list(json_objects(path))
    several = len({str(line.get("filter")) for line in lines}) > 1
    rows: dict[str, LogRow] = {}
    for number, line in enumerate(lines, start=1):
        case, scores = _case(line, path, number), _scores(line, several=several)
        row = rows.get(case)
        if row is None:
            rows[case] = row = LogRow(case, scores, beside=plain_columns(line.get("doc"), "doc."))
            log.add(row)
        elif row.scores.keys() & scores.keys():
            raise DataError(
                f"{path.name}, line {number}: case {case!r} has a score under the filter {line.get('filter')!r} already.",
                remedy="A case has one line per filter. Read the runs from files of their own.",
            )
        else:
            row.scores |= scores
            log.metrics |= dict.fromkeys(scores)
    responses = {_responses(line.get("resps")) for line in lines}
    if len(responses) == 1 and (n := responses.pop()) > 1:
        log.said.append(LOG_RESPONSES(task=task, responses=count(n, "response")))
    return [log]


def _responses(given: object) -> int:
    """Return how many responses a case has."""
    first = given[0] if isinstance(given, list) and given else None
    return len(first) if isinstance(first, list) else 1


def _case(line: dict[str, Any], path: Path, number: int) -> str:
    """Name a case by its number and by what it holds: in another version of a task a number is another case."""
    if "doc_id" not in line:
        raise DataError(f"{path.name}, line {number}: there is no doc_id, which names the case.")
    hashed = str(line.get("doc_hash") or "")[:HASH_LETTERS]
    return f"{line['doc_id']}#{hashed}" if hashed else str(line["doc_id"])


def _scores(line: dict[str, Any], *, several: bool) -> dict[str, float]:
    """Return the metrics that are numbers, named with the filter where there are several."""
    names = line.get("metrics")
    made = {}
    for name in names if isinstance(names, list) else ():
        key = f"{name} ({line.get('filter')})" if several else str(name)
        value = line.get(str(name))
        made[key] = _brier(value) if name == "brier_score" else number_of(value)
    return made


def _brier(value: object) -> float:
    """Compute the Brier score of the class and the probabilities, which numpy has printed, of a case.

    >>> round(_brier([1, "[2.5e-01 7.5e-01]"]), 4)
    0.125
    """
    if not (isinstance(value, list) and len(value) == 2 and isinstance(value[0], int)):
        return number_of(value)
    shown = str(value[1])
    p = [float(x) for x in NUMBER.findall(shown)]
    if "..." in shown or not 0 <= value[0] < len(p):  # numpy leaves out the middle of many
        return math.nan
    return sum((x - (i == value[0])) ** 2 for i, x in enumerate(p))


def _results(path: Path, stamp: str) -> dict[str, Any]:
    """Read what stands beside the samples of a run, if it does."""
    # Of an output path that ends in .json, the name of its results begins with that.
    beside = next(path.parent.glob(f"*_{stamp}.json"), None)
    if beside is None:
        return {}
    found = json_value(read_head(beside, MAX_RESULTS_BYTES), beside.name, cut=UNFINISHED_REMEDY)
    return found if isinstance(found, dict) else {}


def _entry(given: dict[str, Any], *names: str) -> dict[str, Any]:
    found: Any = given
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}
