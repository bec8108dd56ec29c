"""Logs of Inspect: one JSON document, or a zip of them (``.eval``), which is compressed with Zstandard."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credibly.errors import DataError, listed
from credibly.io._declare import log_reader
from credibly.io._files import ZIP_MAGIC, read_head
from credibly.io._logs import (
    UNFINISHED_REMEDY,
    LogRow,
    ScoredLog,
    json_value,
    number_of,
    plain_columns,
    refuse_duplicates,
)
from credibly.io.findings import EPOCHS_REDUCED

if TYPE_CHECKING:
    from zipfile import ZipInfo

MAX_BYTES = 1_000_000_000  # bytes of a document, and of all that is unpacked
LETTER_OUTCOMES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}  # as Inspect's own metrics read them
LOCAL_HEADER = struct.Struct("<4s22xHH")  # its mark, and the lengths of name and extra field
STORED, DEFLATED, ZSTANDARD = 0, 8, 93


def is_archive(head: bytes) -> bool:
    """Whether a file starts as a log in a zip does."""
    return any(n in head[:128] for n in (b"_journal/", b"header.json", b"samples/"))


@log_reader("Inspect", begins=(b"{",), holds=(b'"eval"', b'"status"', b'"task'))
def inspect_json(path: Path) -> list[ScoredLog]:
    r"""A log of Inspect in JSON; its epochs are repeats, its scorers are columns.

    Grades C, P, I and N are 1, 0.5, 0 and 0. A sample that failed has no outcome.

    >>> file = folder / "log.json"
    >>> _ = file.write_text('{"version": 2, "status": "success", "eval": {"task": "sums", "model": "m/small"}, "samples": ['
    ...     '{"id": 1, "epoch": 1, "scores": {"match": {"value": "C"}}}, {"id": 2, "epoch": 1, "scores": {"match": {"value": "I"}}}]}')
    >>> p = read(file)
    >>> p.outcome.tolist(), p.model.tolist(), p.better
    ([1.0, 0.0], ['m/small', 'm/small'], 'higher')
    """
    found = json_value(read_head(path, MAX_BYTES), path.name, cut=UNFINISHED_REMEDY)
    if not isinstance(found, dict):
        raise DataError(f"{path.name}: a JSON object is expected.")
    return [_log(found, found.get("samples"), path)]


@log_reader("Inspect archive", begins=(ZIP_MAGIC,), recognise=is_archive, suffixes=(".eval",))
def inspect_eval(path: Path) -> list[ScoredLog]:
    r"""A log of Inspect in a zip (``.eval``); that of Zstandard needs ``pip install 'credibly[logs]'``.

    >>> import zipfile
    >>> file = folder / "log.eval"
    >>> with zipfile.ZipFile(file, "w") as packed:
    ...     packed.writestr("header.json", '{"status": "success", "eval": {"task": "sums", "model": "m/small"}}')
    ...     packed.writestr("summaries.json", '[{"id": 1, "epoch": 1, "scores": {"match": {"value": "C"}}}]')
    >>> read(file).outcome.tolist()
    [1.0]
    """
    import zipfile

    try:
        with zipfile.ZipFile(path) as packed:
            entries = {e.filename: e for e in packed.infolist()}
    except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error):
        raise DataError(
            f"{path.name} is not a whole zip archive: its end is missing. The log was cut off, "
            f"or the run has not finished."
        ) from None
    log = _Entries(path, entries)
    ended = "header.json" in entries
    start = "header.json" if ended else "_journal/start.json"
    if start not in entries:
        raise DataError(
            f"{path.name} is a zip archive without header.json, so it is not a log of Inspect."
        )
    header = log.read(start) if ended else {**log.read(start), "status": "started"}
    samples = log.all("summaries.json") or log.all("_journal/summaries/") or log.all("samples/")
    made = _log(header, samples, path)
    if made.cluster and not any(made.cluster in row.beside for row in made.rows):
        # Summaries of older versions have no metadata.
        made = _log(header, log.all("samples/") or samples, path)
    return [made]


@dataclass(frozen=True, slots=True)
class _Entries:
    """What a zip holds."""

    path: Path
    entries: Mapping[str, ZipInfo]

    def read(self, name: str) -> Any:  # noqa: ANN401
        """Read one document."""
        return json_value(_unpacked(self.path, self.entries[name]), f"{self.path.name}, {name}")

    def all(self, prefix: str) -> list[Any]:
        """Read what all documents hold whose names begin so."""
        parts = [n for n in self.entries if n.startswith(prefix)]
        if sum(self.entries[n].file_size for n in parts) > MAX_BYTES:
            raise DataError(
                f"{self.path.name} holds more than {MAX_BYTES:,} bytes of samples once it is unpacked."
            )
        found = [self.read(n) for n in sorted(parts, key=lambda n: (len(n), n))]
        return [s for part in found for s in (part if isinstance(part, list) else [part])]


def _unpacked(path: Path, entry: ZipInfo) -> bytes:
    """Unpack an entry, never to more than it says that it holds."""
    if entry.file_size > MAX_BYTES:
        raise DataError(f"{path.name}, {entry.filename} holds more than {MAX_BYTES:,} bytes.")
    try:
        with path.open("rb") as file:
            file.seek(entry.header_offset)
            mark, name, extra = LOCAL_HEADER.unpack(file.read(LOCAL_HEADER.size))
            file.seek(name + extra, 1)
            packed = file.read(entry.compress_size)
    except (OSError, ValueError, OverflowError, struct.error):
        raise DataError(f"{path.name}, {entry.filename} is not where the archive says.") from None
    unpack = {STORED: lambda data, _: data, DEFLATED: _inflated, ZSTANDARD: _of_zstandard}
    if mark != ZIP_MAGIC or entry.compress_type not in unpack or entry.flag_bits & 1:
        raise DataError(
            f"{path.name}, {entry.filename} cannot be unpacked. Write or copy the log again."
        )
    try:
        found = unpack[entry.compress_type](packed, entry.file_size)
    except (zlib.error, ValueError) as error:
        raise DataError(f"{path.name}, {entry.filename} cannot be unpacked: {error}.") from None
    if len(found) != entry.file_size or zlib.crc32(found) != entry.CRC:
        raise DataError(f"{path.name}, {entry.filename} is damaged. Copy the log again.")
    return found


def _inflated(packed: bytes, size: int) -> bytes:
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, size + 1)


def _of_zstandard(packed: bytes, size: int) -> bytes:
    try:
        import zstandard
    except ImportError:
        raise DataError(
            "Logs of Inspect (.eval) are compressed with Zstandard, which needs a package.",
            remedy="Install it with pip install 'credibly[logs]', or write the log as JSON: inspect log convert --to json.",
        ) from None
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed) as stream:
            return bytes(stream.read(size + 1))
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None


def _log(header: Mapping[str, Any], samples: object, path: Path) -> ScoredLog:
    """Return the samples of a log with the scores of each scorer."""
    about = header.get("eval")
    if not isinstance(about, Mapping):
        raise DataError(f"{path.name} is not a log of Inspect: it has no description of the run.")
    if not isinstance(samples, list):
        raise DataError(
            f"{path.name} holds no samples: only what the run says of all of them together.",
            remedy="Run it with its samples logged (log_samples), or copy the whole log.",
        )
    model = about.get("model")
    log = ScoredLog(str(about.get("task") or path.stem), str(model) if model else None)
    log.unfinished = _unfinished(header)
    results = header.get("results")
    total = results.get("total_samples") if isinstance(results, Mapping) else None
    log.announced = total if isinstance(total, int) else None
    told = about.get("scorers")
    scorers = [s for s in told if isinstance(s, Mapping)] if isinstance(told, list) else []
    log.metrics = dict.fromkeys(str(s.get("name")) for s in scorers if s.get("name"))
    log.cluster = _cluster(scorers)
    graded: set[str] = set()
    for sample in samples:
        if isinstance(sample, Mapping):
            log.add(_row(sample, graded))
    there = {m for row in log.rows for m in row.scores}
    log.metrics = {m: None for m in log.metrics if m in there}
    log.better = dict.fromkeys(graded, True)
    if reduced := _reducers(about):
        log.said.append(EPOCHS_REDUCED(task=log.task, reducer=listed(reduced)))
    refuse_duplicates(path.name, log)
    return log


def _unfinished(header: Mapping[str, Any]) -> str:
    status = header.get("status")
    if status is None or status == "success":
        return ""
    error = header.get("error")
    message = str(error.get("message", ""))[:120] if isinstance(error, Mapping) else ""
    return f"its status is {status}{f' ({message})' if message else ''}"


def _reducers(about: Mapping[str, Any]) -> list[str]:
    """Return how the run made one score of the epochs of a case, where that is not their mean."""
    config = about.get("config")
    told = config.get("epochs_reducer") if isinstance(config, Mapping) else None
    named = [told] if isinstance(told, str) else told if isinstance(told, list) else []
    return [str(r) for r in named if r != "mean"]


def _cluster(scorers: Iterable[Mapping[str, Any]]) -> str | None:
    """Return the metadata by which the run itself says that cases belong together."""
    for scorer in scorers:
        metrics = scorer.get("metrics")
        for metric in metrics if isinstance(metrics, list) else ():
            options = metric.get("options") if isinstance(metric, Mapping) else None
            if isinstance(options, Mapping) and options.get("cluster"):
                return f"metadata.{options['cluster']}"
    return None


def _row(sample: Mapping[str, Any], graded: set[str]) -> LogRow:
    """Return what a sample scored; one that failed has no score, whatever a scorer made of it."""
    scores: dict[str, float] = {}
    given = sample.get("scores")
    for name, score in given.items() if isinstance(given, Mapping) else ():
        value = score.get("value") if isinstance(score, Mapping) else score
        parts: Mapping[str, Any] = value if isinstance(value, Mapping) else {"": value}
        for part, each in parts.items():
            key = f"{name}.{part}" if part else str(name)
            if isinstance(each, str) and each in LETTER_OUTCOMES:
                graded.add(key)
            if isinstance(each, bool):
                graded.add(key)
            scores[key] = math.nan if sample.get("error") else _grade(each)
    epoch = sample.get("epoch")
    repeat = epoch - 1 if isinstance(epoch, int) and epoch > 0 else 0
    beside = plain_columns(sample.get("metadata"), "metadata.")
    return LogRow(str(sample.get("id")), scores, repeat, beside)


def _grade(value: object) -> float:
    if isinstance(value, str) and value in LETTER_OUTCOMES:
        return LETTER_OUTCOMES[value]
    return number_of(value)
