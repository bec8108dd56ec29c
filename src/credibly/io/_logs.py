"""Logs of evaluations as columns: what several of them hold becomes one set of scored cases.

A reader of a format returns a :class:`ScoredLog` for each run of one model on one task. Here they are put
together: a name for each case, the score that is the outcome, what else was scored, and what is to be doubted.
Nothing is scored here, no model and no judge is run, and what has no score stays without one.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly._core.text import count, some_have
from credibly.errors import DataError, listed, says
from credibly.io._files import open_bytes
from credibly.io._source import ColumnSource
from credibly.io.findings import (
    CLUSTERS_UNKNOWN,
    LOG_METRICS,
    LOG_READ,
    LOG_UNFINISHED,
    LOG_WITHOUT_SCORES,
    METRIC_DIRECTION,
    MIXED_METRICS,
    NOT_BY_CASE,
    OTHER_SCORES,
)

MAX_LINE_BYTES = 64_000_000  # a transcript of one case
MAX_CASES = 5_000_000
HASH_LETTERS = 6  # characters that tell whether two runs mean the same case by a number
MAX_SHOWN = 5
# Which way is better, of metrics whose logs do not say; none is guessed.
HIGHER_IS_BETTER = {
    *("acc", "acc_norm", "acc_bytes", "acc_all", "acc_mutual_info", "likelihood", "accuracy", "exact_match", "em", "f1", "bleu", "chrf", "rouge1", "rouge2", "rougel"),
    *("mcc", "pass@1", "pass@k", "mc1", "mc2", "match", "includes", "choice", "is_correct"),
    *("prompt_level_strict_acc", "prompt_level_loose_acc", "inst_level_strict_acc", "inst_level_loose_acc"),
}  # fmt: skip
LOWER_IS_BETTER = {
    "perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "brier_score", "ter", "wer", "cer"
}  # fmt: skip


@dataclass(slots=True)
class ScoredLog:
    """One model on one task: a row for each case and epoch, with a score under each metric.

    The first of ``metrics`` is the one to take for the outcome. ``better`` says for some whether higher is
    better. A row holds ``case``, ``repeat``, ``scores`` and columns ``beside`` it.
    """

    task: str
    model: str | None
    rows: list[LogRow] = field(default_factory=list)
    metrics: dict[str, None] = field(default_factory=dict)
    better: dict[str, bool] = field(default_factory=dict)
    cluster: str | None = None  # a column of what is beside, whose cases belong together
    unfinished: str = ""  # what the log says of itself where it did not end well
    announced: int | None = None  # how many rows the log says that it holds
    said: list[Finding] = field(default_factory=list)

    def add(self, row: LogRow) -> None:
        """Take a row, and the names of its scores in their order."""
        if len(self.rows) >= MAX_CASES:
            raise DataError(f"{self.task} holds more than {MAX_CASES:,} rows.")
        self.rows.append(row)
        self.metrics |= dict.fromkeys(row.scores)

    def direction(self, metric: str) -> str | None:
        """Say which way of a metric is better, if the log does or its name is known."""
        plain = metric.partition(" (")[0].strip().lower()
        higher = self.better.get(metric, self.better.get(metric.partition(" (")[0]))
        if higher is None:
            higher = (
                True if plain in HIGHER_IS_BETTER else False if plain in LOWER_IS_BETTER else None
            )
        return None if higher is None else "higher" if higher else "lower"


@dataclass(slots=True)
class LogRow:
    """What a log says of a case in one epoch."""

    case: str
    scores: dict[str, float]
    repeat: int = 0
    beside: dict[str, Any] = field(default_factory=dict)


class LogSource(ColumnSource):
    """The columns of logs, whose roles are fixed by their format."""

    def __init__(self, where: str, format_title: str, logs: Sequence[ScoredLog]) -> None:
        logs = [log for log in logs if log.rows]
        if not logs:
            raise DataError(f"{where} holds no case.")
        for log in logs:
            _leave_out_without_numbers(log)
        if not any(log.metrics for log in logs):
            why = next((f": {log.unfinished}" for log in logs if log.unfinished), "")
            raise DataError(
                f"No case of {where} has a score{why}.",
                remedy="Score it first with the program that wrote it, or run it again.",
            )
        super().__init__(where, _columns(logs))
        self.roles = {
            role: role
            for role in ("row", "model", "repeat", "group", "outcome")
            if role in self.names
        }
        self.hidden = frozenset(self.names)
        self.scores = frozenset(m for log in logs for m in log.metrics)
        self.directions = _directions(where, logs)
        self.findings = tuple(_findings(format_title, logs))


def _leave_out_without_numbers(log: ScoredLog) -> None:
    """Keep the metrics that are numbers of single cases, and name the others."""
    scored = {m for row in log.rows for m, x in row.scores.items() if math.isfinite(x)}
    others = [m for m in log.metrics if m not in scored]
    log.metrics = {m: None for m in log.metrics if m in scored}
    if others and log.metrics:
        log.said.append(NOT_BY_CASE(metrics=listed(others), task=log.task))


def _columns(logs: Sequence[ScoredLog]) -> dict[str, NDArray[Any]]:
    """Put the rows of all logs below each other."""
    several = len({log.task for log in logs}) > 1
    each = [(log, row) for log in logs for row in log.rows]
    columns: dict[str, NDArray[Any]] = {}
    cases = [f"{log.task}/{row.case}" if several else row.case for log, row in each]
    columns["row"] = _texts(cases)
    columns["task"] = _texts([log.task for log, _ in each])
    if any(log.model for log in logs):
        columns["model"] = _texts([log.model or "unknown" for log, _ in each])
    if any(row.repeat for _, row in each):
        columns["repeat"] = np.array([row.repeat for _, row in each])
    if any(log.cluster in row.beside for log, row in each):
        columns["group"] = _texts(_groups(each, cases, several=several))
    mains = {id(log): next(iter(log.metrics), "") for log in logs}
    columns["outcome"] = np.array([row.scores.get(mains[id(log)], math.nan) for log, row in each])
    if len(set(mains.values())) > 1:
        columns["metric"] = _texts([mains[id(log)] for log, _ in each])
    metrics = list(dict.fromkeys(m for log in logs for m in log.metrics))
    for metric in metrics if len(metrics) > 1 else ():
        columns.setdefault(metric, np.array([row.scores.get(metric, math.nan) for _, row in each]))
    for name in dict.fromkeys(n for _, row in each for n in row.beside):
        if name not in columns:
            columns[name] = _texts([row.beside.get(name) for _, row in each])
    return columns


def _groups(
    each: Sequence[tuple[ScoredLog, LogRow]], cases: Sequence[str], *, several: bool
) -> Iterator[str]:
    """Yield which cases belong together: those of a cluster that the log names, or each for itself."""
    for (log, row), case in zip(each, cases, strict=True):
        cluster = row.beside.get(log.cluster) if log.cluster else None
        yield case if cluster is None else f"{log.task}/{cluster}" if several else str(cluster)


def _texts(values: Iterable[Any]) -> NDArray[Any]:
    """Return a column of numbers, or of texts where some value is none; missing ones stay so."""
    found = list(values)
    made = np.empty(len(found), object)
    kinds = {type(v) for v in found if v is not None}
    if float in kinds and kinds <= {int, float}:
        return np.array([math.nan if v is None else v for v in found])
    made[:] = found if kinds <= {int} else [None if v is None else str(v) for v in found]
    return made


def _directions(where: str, logs: Sequence[ScoredLog]) -> dict[str, str]:
    """Return which way of each metric is better, and of the outcome where all that it holds agree."""
    made: dict[str, str] = {}
    for log in logs:
        made |= {m: way for m in log.metrics if (way := log.direction(m)) is not None}
    mains = {
        log.task: (main, log.direction(main))
        for log in logs
        for main in [next(iter(log.metrics), "")]
    }
    ways = {way for _, way in mains.values()}
    if {"higher", "lower"} <= ways:
        text = listed(
            f"{metric} of {task} ({way} is better)" for task, (metric, way) in mains.items()
        )
        raise DataError(
            f"{where} holds some outcomes that are better high and some that are better low: {text}.",
            remedy=says(
                "Read one task at a time, or name a metric that all have with <outcome=...>."
            ),
        )
    if len(ways) == 1 and (way := ways.pop()) is not None:
        made["outcome"] = way
    return made


def _findings(format_title: str, logs: Sequence[ScoredLog]) -> Iterator[Finding]:
    tasks = list(dict.fromkeys(log.task for log in logs))
    models = list(dict.fromkeys(log.model for log in logs if log.model))
    mains = {log.task: next(iter(log.metrics), "") for log in logs}
    one = set(mains.values())
    named = one.pop() if len(one) == 1 else listed([f"{m} of {t}" for t, m in mains.items()])
    yield LOG_READ(
        format=format_title,
        tasks=_few("task", tasks),
        models=_few("model", models) if models else "no name of a model",
        cases=count(len({(log.task, r.case) for log in logs for r in log.rows}), "case"),
        epochs=count(1 + max(r.repeat for log in logs for r in log.rows), "epoch"),
        metric=named,
    )
    others = [
        m for m in dict.fromkeys(m for log in logs for m in log.metrics) if m not in mains.values()
    ]
    if others:
        yield LOG_METRICS(metrics=listed(others), one=others[0])
    if len(set(mains.values())) > 1:
        yield MIXED_METRICS(metrics=listed([f"{m} of {t}" for t, m in mains.items()]))
    yield from _directions_unknown(logs, mains)
    for log in logs:
        if log.cluster and not any(log.cluster in row.beside for row in log.rows):
            yield CLUSTERS_UNKNOWN(task=log.task, cluster=log.cluster)
        if why := log.unfinished or _fewer(log):
            yield LOG_UNFINISHED(task=log.task, model=log.model or "unknown", why=why)
        bare = sum(not any(map(math.isfinite, r.scores.values())) for r in log.rows)
        if bare:
            yield LOG_WITHOUT_SCORES(rows=some_have(bare, len(log.rows), "row"), task=log.task)
        yield from _other_scores(log)
        yield from log.said


def _fewer(log: ScoredLog) -> str:
    """Say when rows are missing that the log itself counts."""
    told, held = log.announced or 0, len(log.rows)
    return f"it announces {count(told, 'row')} and holds {held:,}" if told > held else ""


def _other_scores(log: ScoredLog) -> Iterator[Finding]:
    """Say of cases that are scored by other metrics than most."""
    main = next(iter(log.metrics), "")
    numbers = [{m for m, x in row.scores.items() if math.isfinite(x)} for row in log.rows]
    others = [found for found in numbers if found and main not in found]
    if others:
        rows, metrics = some_have(len(others), len(log.rows), "row"), set().union(*others)
        text = listed(m for m in log.metrics if m in metrics)
        yield OTHER_SCORES(task=log.task, rows=rows, metric=main, others=text)


def _directions_unknown(logs: Sequence[ScoredLog], mains: Mapping[str, str]) -> Iterator[Finding]:
    """Say that scores of 0 and 1 will be read as failures and passes, although the log does not say so."""
    unknown = [log for log in logs if log.metrics and log.direction(mains[log.task]) is None]
    scores = (row.scores.get(mains[log.task], math.nan) for log in unknown for row in log.rows)
    if unknown and all(x in {0.0, 1.0} for x in scores if math.isfinite(x)):
        yield METRIC_DIRECTION(metrics=listed(dict.fromkeys(mains[log.task] for log in unknown)))


def _few(noun: str, names: Sequence[str]) -> str:
    return f"{count(len(names), noun)} ({listed(names, most=MAX_SHOWN)})"


def refuse_duplicates(where: str, log: ScoredLog) -> None:
    """Refuse a case that a log holds twice in the same epoch."""
    often = Counter((row.case, row.repeat) for row in log.rows)
    twice = [key for key, n in often.items() if n > 1]
    if twice:
        case, repeat = twice[0]
        epoch = f" of epoch {repeat + 1}" if repeat else ""
        raise DataError(
            f"{where}: case {case!r}{epoch} occurs {often[twice[0]]} times in {log.task}"
            f"{f', and {len(twice) - 1:,} other cases too' if len(twice) > 1 else ''}.",
            remedy="A case has one score per epoch. Read the runs from files of their own.",
        )


UNFINISHED_REMEDY = "Wait for the run to end, or copy the whole file."
LAST_LINE_REMEDY = "Wait for the run to end, or delete the last line to read the cases before it."


def json_objects(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of JSON lines; NaN and infinity, which Python writes, are read."""
    with open_bytes(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES), b""), start=1):
            if not line.strip():
                continue
            whole = line.endswith(b"\n")
            found = json_value(
                line, f"{path.name}, line {number}", cut="" if whole else LAST_LINE_REMEDY
            )
            if not isinstance(found, dict):
                raise DataError(f"{path.name}, line {number}: a JSON object is expected.")
            yield found


def json_value(text: bytes, where: str, *, cut: str = "") -> Any:  # noqa: ANN401
    """Read JSON, or say where it is none; what may have been ``cut`` off at the end of the file says what to do."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if cut:
            raise DataError(
                f"{where}: the file ends in the middle of a case. The log was cut off, or the "
                f"run has not finished.",
                remedy=cut,
            ) from None
        raise DataError(f"{where}: this is not JSON: {str(error)[:100]}.") from None


def number_of(value: object) -> float:
    """Return a score as a number: booleans and their texts are 1 and 0; NaN for all else.

    >>> [number_of(v) for v in (True, "False", "0.5", 2, None, [1])]
    [1.0, 0.0, 0.5, 2.0, nan, nan]
    """
    if isinstance(value, str):
        word = value.strip().lower()
        if word in {"true", "false"}:
            return float(word == "true")
        try:
            return float(word)
        except ValueError:
            return math.nan
    try:
        return float(value) if isinstance(value, bool | int | float) else math.nan
    except OverflowError:
        return math.nan


def plain_columns(given: object, prefix: str = "") -> dict[str, Any]:
    """Return the entries of an object that are numbers or short texts: columns to slice by.

    >>> plain_columns({"level": "hard", "text": "x" * 300, "more": {"a": 1}, "id": 7})
    {'level': 'hard', 'id': 7}
    """
    if not isinstance(given, Mapping):
        return {}
    return {
        f"{prefix}{name}": value
        for name, value in given.items()
        if isinstance(value, int | float) or (isinstance(value, str) and len(value) <= 80)
    }
