"""Data to learn from, as the page shows them: bundled sets, and uploads that are read apart."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from credibly.app.prediction_store import new_id
from credibly.app.preview import occurrences, text_at
from credibly.io._declare import open_path
from credibly.io.datasets import datasets
from credibly.predictions.labels import Labels
from credibly.results.formats import json_ready

PREVIEW_ROWS = 5
MAX_SHOWN_CLASSES = 30  # values that a page can offer to choose from
MAX_CLASSES = 50  # a column of more whole numbers is one of numbers
# What a target is often called.
USUAL_TARGETS = ("class", "target", "y", "label", "outcome", "truth")


@dataclass(frozen=True, slots=True)
class DataColumn:
    """A column of data: how many values it has, and which."""

    name: str
    kind: str  # classes or numbers
    distinct: int
    missing: int
    # Of classes, with how many rows have each; of numbers, least and most.
    values: tuple[tuple[str, int], ...]
    first: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DataFile:
    """Data by an id: a file of ours, or a bundled set."""

    name: str
    source: Path | str  # a path, or the name of a bundled set
    rows: int
    columns: tuple[DataColumn, ...]
    target: str
    positive: str = ""
    id: str = field(default_factory=new_id)

    def to_dict(self) -> dict[str, Any]:
        """Return what a page may know."""
        return json_ready(
            {
                "id": self.id,
                "name": self.name,
                "rows": self.rows,
                "target": self.target,
                "positive": self.positive,
                "bundled": isinstance(self.source, str),
                "columns": [asdict(c) for c in self.columns],
            }
        )


def described_file(path: Path, _: dict[str, Any]) -> tuple[int, tuple[DataColumn, ...], str]:
    """Return how many rows a file has, its columns, and which of them is likely the target."""
    with closing(open_path(path, None)) as source:
        source.load([], list(source.names))
        columns = tuple(
            _column(name, source.labels(name), source.kind(name)) for name in source.names
        )
        rows = source.labels(source.names[0]).codes.size
    return rows, columns, likely_target(columns)


def described_set(name: str) -> DataFile:
    """Return a bundled set.

    >>> described_set("iris").target
    'species'
    """
    entry = datasets[name]
    found = entry()
    rows, inputs = found.data.shape
    names = [str(n) for n in found.feature_names]
    classes = [str(c) for c in found.target_names] if "target_names" in found else []
    counts = tuple((c, int((found.target == i).sum())) for i, c in enumerate(classes))
    first = tuple(classes[int(v)] if classes else f"{v:g}" for v in found.target[:PREVIEW_ROWS])
    kind = "classes" if classes else "numbers"
    columns = [
        DataColumn(n, "numbers", 0, 0, (), tuple(f"{v:g}" for v in found.data[:PREVIEW_ROWS, i]))
        for i, n in enumerate(names[:inputs])
        if found.data.dtype.kind in "biuf"
    ]
    columns.append(DataColumn(entry.target, kind, len(classes), 0, counts, first))
    return DataFile(entry.name, entry.name, rows, tuple(columns), entry.target, entry.positive)


def likely_target(columns: tuple[DataColumn, ...]) -> str:
    """Return the column that is called as targets often are, else the last one that could be one."""
    usual = [c.name for c in columns if c.name.lower() in USUAL_TARGETS]
    able = [c.name for c in columns if 1 < c.distinct <= MAX_SHOWN_CLASSES]
    return next(iter([*usual, *reversed(able)]), columns[-1].name)


def _column(name: str, labels: Labels, kind: str) -> DataColumn:
    counts, missing = occurrences(labels)
    classes = kind not in {"whole", "number"} or (
        kind == "whole" and len(labels.values) <= MAX_CLASSES
    )
    shown = zip(map(str, labels.values[:MAX_SHOWN_CLASSES]), counts.tolist(), strict=False)
    return DataColumn(
        name,
        "classes" if classes else "numbers",
        len(labels.values),
        missing,
        tuple(shown) if classes else (),
        tuple(text_at(labels, row) or "" for row in range(min(PREVIEW_ROWS, labels.codes.size))),
    )
