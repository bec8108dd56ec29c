"""One file, a folder or a pattern: which files it means, and whether they belong together."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from glob import glob, has_magic
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from credibly._core.text import count
from credibly.errors import DataError, ParameterError, says
from credibly.io._database import literal_path, quoted
from credibly.io._files import check_file
from credibly.io.parquet import ARROW_KEY, MAGIC, METADATA_KEY, check_ends, declared_orders

FILE_KINDS = {
    "parquet": (".parquet", ".pq"),
    "csv": (".csv", ".csv.gz", ".tsv", ".tsv.gz"),
}
MAX_PATHS = 100_000  # files and folders to look through
SHARED_FACTS = ("version", "classes", "positive", "weight_kind", "design")  # of files of one table
PATTERN_REMEDY = "Name the files of predictions, such as 'preds/*.parquet'."


@dataclass(frozen=True, slots=True)
class Files:
    """Files of one kind that hold the rows of one table."""

    paths: tuple[Path, ...]
    kind: str
    where: str
    kept: Mapping[str, Any] = field(default_factory=dict)
    """What files of ours say of themselves beside the columns."""
    orders: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """The values of columns of ordered categories."""

    @classmethod
    def of(cls, source: str | PathLike[str]) -> Files:
        """List what a path, a folder or a pattern such as ``preds/*.parquet`` stands for.

        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> for name in ("a.csv", "b.csv"):
        ...     _ = (folder / name).write_text("truth,label")
        >>> Files.of(folder / "*.csv").kind, [p.name for p in Files.of(folder).paths]
        ('csv', ['a.csv', 'b.csv'])
        """
        text = fspath(source)
        paths = _listed(text)
        kinds = {_kind(p) for p in paths}
        if len(kinds) > 1:
            raise DataError(
                f"{text} holds files of several kinds ({', '.join(sorted(kinds))}). Name one kind, such as '*.parquet'."
            )
        for path in paths:
            check_file(path)
            if not path.stat().st_size:
                raise DataError(
                    f"{path.name} is empty. A file of predictions needs a header and at least one row."
                )
            if "parquet" in kinds:
                check_ends(path)
        kept, orders = _told(paths) if "parquet" in kinds else ({}, {})
        name = paths[0].name if len(paths) == 1 else f"{text} ({count(len(paths), 'file')})"
        return cls(tuple(paths), kinds.pop(), name, kept, orders)

    @property
    def named_by_values(self) -> bool:
        """Whether folders such as ``country=de`` hold the values of further columns."""
        return any("=" in part for p in self.paths for part in p.parent.parts)

    @property
    def size(self) -> int:
        """How many bytes they take."""
        return sum(p.stat().st_size for p in self.paths)


def _told(paths: Sequence[Path]) -> tuple[dict[str, Any], dict[str, tuple[Any, ...]]]:
    """Return what all files alike say of themselves and of their ordered categories.

    Rows that stand for many cases each, which an engine would count as one, or whose order counts are refused.
    """
    import duckdb

    listed = ", ".join(quoted(literal_path(p)) for p in paths)
    with duckdb.connect(":memory:") as connection:
        try:
            found = connection.execute(f"FROM parquet_kv_metadata([{listed}])").fetchall()
        except duckdb.Error:  # the engine will say what is wrong with the file
            return {}, {}
    told: dict[str, dict[str, Any]] = defaultdict(dict)
    for name, key, value in found:
        told[key.decode(errors="replace")][name] = value
    own = [_read(value) for value in told[METADATA_KEY].values()]
    for name, kept in zip(told[METADATA_KEY], own, strict=True):
        if (kept.get("design") or {}).get("in_time"):
            raise DataError(
                f"{Path(name).name} holds cases in time order, which counting would lose: read it by itself, without an engine."
            )
        if kept.get("weight_kind") == "frequency":
            raise DataError(
                f"{Path(name).name} is a summary, in which each row stands for many cases: read it by itself, without an engine; add up several summaries with credibly merge."
            )

    alike = len(own) == len(paths) and all(_facts(kept) == _facts(own[0]) for kept in own)
    orders = [declared_orders(Path(name)) for name in told[ARROW_KEY]]
    same = len(orders) == len(paths) and all(each == orders[0] for each in orders)
    return _joined(own) if alike else {}, orders[0] if same else {}


def _facts(kept: Mapping[str, Any]) -> list[Any]:
    return [kept.get(fact) for fact in SHARED_FACTS]


def _joined(own: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what files of the same facts say together; where several come from is not one place."""
    said = [finding for kept in own for finding in kept.get("findings", ())]
    distinct = [finding for i, finding in enumerate(said) if finding not in said[:i]]
    provenance = own[0].get("provenance") if len(own) == 1 else None
    return {**own[0], "findings": distinct, "provenance": provenance} if own[0] else {}


def _read(value: bytes) -> dict[str, Any]:
    """Read our metadata of a file; without it, an engine reads the columns alone."""
    try:
        kept = json.loads(value)
    except ValueError:
        return {}
    return kept if isinstance(kept, dict) else {}


def _listed(text: str) -> list[Path]:
    path = Path(text)
    if path.is_dir():
        suffixes = tuple(s for kind in FILE_KINDS.values() for s in kind)
        paths = sorted(p for p in _within(path, suffixes) if p.is_file())
        if not paths:
            raise DataError(
                f"The folder {text} has no readable log and no file that ends in {', '.join(suffixes)}."
            )
        return paths
    if path.exists() or not has_magic(text):
        return [path]
    paths = sorted(Path(name) for name in glob(text, recursive=True))  # noqa: PTH207
    if not paths:
        raise DataError(f"No file matches {text!r}.")
    return paths


def _within(folder: Path, suffixes: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files with these suffixes in a folder and its subfolders; refuse one that cannot be searched."""

    def refuse(error: OSError) -> None:
        raise DataError(
            f"The folder {error.filename} cannot be searched: {error.strerror}. {PATTERN_REMEDY}"
        )

    seen = 0
    for place, _, names in os.walk(folder, onerror=refuse):
        seen += len(names) + 1
        if seen > MAX_PATHS:
            raise DataError(
                f"The folder {folder} holds more than {MAX_PATHS:,} files and folders. {PATTERN_REMEDY}"
            )
        yield from (Path(place, name) for name in names if name.lower().endswith(suffixes))


def _kind(path: Path) -> str:
    check_file(path)
    with path.open("rb") as file:
        if file.read(len(MAGIC)) == MAGIC:
            return "parquet"
    for kind, suffixes in FILE_KINDS.items():
        if path.name.lower().endswith(suffixes):
            return kind
    raise ParameterError(
        f"{path.name} is neither CSV nor Parquet by its name; an engine only reads these.",
        remedy=says("Use <engine='memory'>."),
    )
