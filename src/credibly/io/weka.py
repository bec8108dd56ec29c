"""Predictions as Weka prints them with ``-classifications ...CSV``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.text import some_rows
from credibly.errors import DataError, says
from credibly.io._database import TableSource
from credibly.io._declare import HEAD_BYTES, reader
from credibly.io._files import read_head
from credibly.io._source import Kind, Source
from credibly.io.arff import unescaped
from credibly.io.classes import as_number
from credibly.io.delimited import open_delimited, read_header
from credibly.io.findings import (
    CLASS_WITHOUT_NAME,
    FOLDS_FROM_NUMBERING,
    PROBABILITIES_COMPLETED,
    PROBABILITIES_LEFT_OUT,
    ROUNDED_PROBABILITIES,
)
from credibly.predictions.column_names import NAMES, plain_name
from credibly.predictions.labels import MISSING, Labels, code_type

FIRST_COLUMNS = ("inst#", "actual", "predicted", "error")
HEADER = re.compile(rb"^(\xef\xbb\xbf)?inst#[,\t]actual[,\t]predicted[,\t]error\b", re.IGNORECASE)
# Output of Weka starts with one of these, wherever its predictions stand.
PRINTED_OUTPUT = re.compile(
    rb"^=== (Predictions|Run information|Classifier model|Evaluation|Error on|Summary)\b[^\n]*===\s*$",
    re.MULTILINE,
)
PLAIN_HEADER = re.compile(
    rb"^(\xef\xbb\xbf)?\s*inst#\s+actual\s+predicted\s+error\b", re.IGNORECASE
)
NUMBERED_LABEL = re.compile(r"(\d{1,9}):(.*)", re.DOTALL | re.ASCII)
WEKA_DECIMALS = 3  # Weka's default
ROUNDING_MARGIN = 1e-9


@reader(
    "Weka predictions",
    is_text=True,
    recognise=lambda head: any(p.search(head) for p in (HEADER, PLAIN_HEADER, PRINTED_OUTPUT)),
)
def weka(path: Path) -> WekaSource:
    r"""The predictions that Weka prints as CSV or plain text, with or without what it prints around them.

    They are recognised by their header or by a caption such as ``=== Predictions on test data ===``; of
    several tables the one that is not of training data is read.

    A label ``2:yes`` gives the class and its place. With the distribution of each case the
    probabilities are read, rounded as Weka rounds them; with the one of the predicted class alone
    they are completed if there are two classes.

    >>> file = folder / "weka.csv"
    >>> header = "inst#,actual,predicted,error,distribution,\n"
    >>> _ = file.write_text(header + "1,2:yes,2:yes,,0.189,*0.811\n2,1:no,2:yes,+,0.4,*0.6\n")
    >>> read(file).probability.tolist()
    [[0.189, 0.811], [0.4, 0.6]]
    """
    head = read_head(path, HEAD_BYTES)
    if PRINTED_OUTPUT.search(head) is None and PLAIN_HEADER.match(head) is None:
        return _opened(path)
    from tempfile import TemporaryDirectory

    from credibly.io._weka_text import unwrapped

    text, trained = unwrapped(path)
    # Readers take files; one of the same name, so that messages name what was given.
    with TemporaryDirectory(prefix="credibly-") as folder:
        plain = Path(folder, path.name.removesuffix(".gz"))
        plain.write_text(text, encoding="utf-8")
        return _opened(plain, trained=trained)


def _opened(path: Path, *, trained: bool = False) -> WekaSource:
    names, _, _ = read_header(path, ",\t")
    if tuple(n.strip().lower() for n in names[:4]) != FIRST_COLUMNS:
        raise DataError(
            f"{path.name} is not Weka output: its header starts with {', '.join(names[:4])[:80]!r}; "
            f"{','.join(FIRST_COLUMNS)} is expected."
        )
    # Weka writes one "?" for a whole distribution, so a row may be short.
    table = open_delimited(path, ",\t", padded=_distribution(names) == len(names) - 4)
    return WekaSource(table, trained=trained)


def _distribution(names: Sequence[str]) -> int:
    """Return the number of columns under ``distribution``: its own and the nameless after it."""
    if len(names) <= 4 or names[4].strip().lower() != "distribution":
        return 0
    k = 1
    while 4 + k < len(names) and not names[4 + k].strip():
        k += 1
    return k


class WekaSource(Source):
    """Weka's columns with its notation undone: ``p:<class>`` holds the probability of a class."""

    def __init__(self, table: TableSource, *, trained: bool = False) -> None:
        self.where = table.where
        self._k = _distribution(table.names)
        self._has_prediction = len(table.names) > 4 and table.names[4].strip() == "prediction"
        self._table = _renamed(table, self._k)
        self._numeric = not self._k and not self._has_prediction
        extra = 4 + self._k + self._has_prediction
        self._extra = self._table.names[extra:]
        self._distribution = self._table.names[4 : 4 + (self._k or self._has_prediction)]
        self._table.load([], [*FIRST_COLUMNS, *self._distribution, *self._extra])
        self._made: dict[str, Floats] = {}
        self._design: dict[str, NDArray[Any]] = {}
        self.classes: tuple[str, ...] = ()
        self._nameless: list[int] = []
        self._labels: dict[str, Labels] = {}
        identifying = {n for n in self._extra if plain_name(n) in NAMES["row"]}
        self.hidden = frozenset(self._extra) - identifying  # attributes have no roles
        findings = [] if self._numeric else self._read_classes()
        findings += self._read_folds()
        if trained:
            rows = self._table.labels("inst#").codes.size
            self._design["part"] = np.full(rows, "train")
        self.findings = tuple(findings)
        self.names = ("actual", "predicted", *self._design, *self._made, *self._extra)

    def load(self, numbers: Sequence[str], labels: Sequence[str]) -> None:
        """All columns were loaded when the notation was undone."""

    def close(self) -> None:
        """Give back the memory of the database."""
        self._table.close()

    def _read_classes(self) -> list[Finding]:
        raw = {c: self._table.labels(c) for c in ("actual", "predicted")}
        names = self._class_names(raw)
        if self._k:
            beyond = [i for i in names if not 1 <= i <= self._k]
            if beyond:
                raise DataError(
                    f"{self.where}: the class {beyond[0]}:{names[beyond[0]][:40]} lies beyond the "
                    f"{self._k} columns of the distribution. Its header was changed: print it again."
                )
            self._nameless = [i for i in range(1, self._k + 1) if i not in names]
            names |= {i: f"class {i}" for i in self._nameless}
        indices = sorted(names)
        self.classes = tuple(names[i] for i in indices)
        place: dict[int | None, int] = {i: code for code, i in enumerate(indices)}
        kind = code_type(len(indices))
        for column, labels in raw.items():
            move = [place.get(_index(v), MISSING) for v in labels.values] + [MISSING]
            self._labels[column] = Labels(np.array(move, kind)[labels.codes], self.classes)
        return self._read_distribution() if self._k else self._complete(indices)

    def _class_names(self, raw: dict[str, Labels]) -> dict[int, str]:
        """Return the name of each index; Weka quotes the actual class and not the predicted one."""
        names: dict[int, str] = {}
        for column in ("actual", "predicted"):
            for value in raw[column].values:
                index = _index(value)
                if index is not None:
                    names[index] = value.partition(":")[2]
                elif value.strip() != "?" and NUMBERED_LABEL.fullmatch(value) is None:
                    raise DataError(
                        f"{self.where}: column {column!r} holds {value[:40]!r}; Weka writes a class "
                        "as index:label, such as 2:yes.",
                        remedy=says("Read a file of another origin with <format='csv'>."),
                    )
        used = {i for v in raw["predicted"].values if (i := _index(v)) is not None}
        return {i: n if i in used else unquoted(n) for i, n in names.items()}

    def _read_distribution(self) -> list[Finding]:
        columns = [self._probability(c) for c in self._distribution]
        decimals = max(self._decimals(c) for c in self._distribution)
        rounded = 0.5 * 10.0**-decimals
        self.tolerance = self._k * rounded + ROUNDING_MARGIN
        self._made = {f"p:{c}": p for c, p in zip(self.classes, columns, strict=True)}
        return [
            *(CLASS_WITHOUT_NAME(index=i) for i in self._nameless),
            ROUNDED_PROBABILITIES(decimals=decimals, by=self._k * rounded),
        ]

    def _probability(self, column: str) -> Floats:
        """Return a probability without the ``*`` that marks the predicted class."""
        labels = self._table.labels(column)
        values = [_number(v) for v in labels.values]
        bad = [v for v, n in zip(labels.values, values, strict=True) if n is None]
        if bad:
            rows = np.flatnonzero(labels.codes == labels.values.index(bad[0]))
            raise DataError(
                f"{self.where}: the probability {bad[0][:40]!r} is not a number: "
                f"{some_rows(rows)}. A label that holds the separator shifts the columns: print with -use-tab."
            )
        return np.array([*values, np.nan], np.float64)[labels.codes]

    def _decimals(self, column: str) -> int:
        texts = self._table.labels(column).values
        return max([WEKA_DECIMALS, *(len(t.partition(".")[2]) for t in texts if "E" not in t)])

    def _complete(self, indices: list[int]) -> list[Finding]:
        """Complete the probability of the predicted class if two classes make that exact."""
        predicted = self._labels["predicted"].codes
        p = self._probability(self._distribution[0])
        # With a third class the most probable one may have less than one half.
        if indices != [1, 2] or (predicted == MISSING).any() or not (p >= 0.5).all():
            why = "the classes are not two" if indices != [1, 2] else (
                "a case has none" if np.isnan(p).any() else "one is below a half, so there may be a third class"
            )  # fmt: skip
            return [PROBABILITIES_LEFT_OUT(why=why)]
        decimals = self._decimals(self._distribution[0])
        other = np.round(1 - p, decimals)
        first = predicted == 0
        self._made = {
            f"p:{self.classes[0]}": np.where(first, p, other),
            f"p:{self.classes[1]}": np.where(first, other, p),
        }
        return [PROBABILITIES_COMPLETED(decimals=decimals)]

    def _read_folds(self) -> list[Finding]:
        """Number the folds: case numbers start again in each, so they are not row ids."""
        number = self._table.numbers("inst#")
        starts = np.flatnonzero(np.diff(number) <= 0)
        if not starts.size:
            if self.hidden == frozenset(self._extra):  # no attribute identifies the case
                self._design = {"inst#": self._table.column("inst#")}
            return []
        fold = np.zeros(number.size, np.int64)
        fold[starts + 1] = 1
        self._design = {"fold": fold.cumsum()}
        return [FOLDS_FROM_NUMBERING(times=starts.size, folds=starts.size + 1)]

    def kind(self, name: str) -> Kind:
        """Say what the values are; Weka's header tells classes from numbers."""
        if name in {"actual", "predicted"}:
            return "number" if self._numeric else "text"
        return "number" if name in self._made else self._table.kind(name)

    def numbers(self, name: str) -> Floats:
        """Return a column of numbers; ``?`` is missing."""
        if name in self._made:
            return self._made[name]
        labels = self._table.labels(name)
        if "?" not in labels.values:
            return self._table.numbers(name)
        if any(_number(v) is None for v in labels.values):
            return self._table.numbers(name)  # which names the rows
        return np.array([*map(_number, labels.values), np.nan], np.float64)[labels.codes]

    def labels(self, name: str) -> Labels:
        """Return codes and values."""
        if name in self._labels:
            return self._labels[name]
        return self._table.labels(name)

    def column(self, name: str) -> NDArray[Any]:
        """Return a column as it is."""
        return self._design[name] if name in self._design else self._table.column(name)

    def order(self, name: str) -> tuple[Any, ...] | None:
        """Return the classes in the order of their indices."""
        return self.classes if name in self._labels else None


def _renamed(table: TableSource, k: int) -> TableSource:
    """Give Weka's nameless columns under ``distribution`` names of their own."""
    fixed = [n.strip().lower() for n in table.names[:4]]
    spread = [f"distribution {i}" for i in range(1, k + 1)]
    return table.renamed([*fixed, *spread, *table.names[4 + k :]])


def _index(label: str) -> int | None:
    """Return the index in ``2:yes``; a missing class is ``1:?`` or ``?``."""
    match = NUMBERED_LABEL.fullmatch(label)
    return int(match[1]) if match and match[2] != "?" else None


def unquoted(name: str) -> str:
    r"""Return a text without the quotes and escapes that Weka gives it.

    >>> unquoted(r"'head\'s'"), unquoted("plain")
    ("head's", 'plain')
    """
    return unescaped(name[1:-1]) if len(name) > 1 and name[0] == name[-1] == "'" else name


def _number(text: str) -> float | None:
    """Read a number, NaN for ``?``; nothing when it is none."""
    bare = text.strip().removeprefix("*")
    if bare == "?":
        return np.nan
    return as_number(bare)
