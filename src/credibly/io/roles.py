"""The roles of columns: which were named, which were guessed, and the error where one is missing."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly.errors import (
    Argument,
    ArgumentName,
    DataError,
    MissingColumnError,
    ModelColumns,
    ParameterError,
    Sentence,
    did_you_mean,
    listed,
    says,
)
from credibly.io.classes import as_number
from credibly.io.findings import GUESSED_COLUMNS, REPEATED_IDENTIFIERS, SCORES_FROM_0_TO_1
from credibly.predictions.column_names import (
    NAMES,
    PREDICTED_NAMES,
    plain_name,
    split_prefix,
)
from credibly.predictions.columns import unused_columns
from credibly.predictions.labels import all_differ, joint_codes

if TYPE_CHECKING:
    from credibly.io._source import Source

    Spec = str | Sequence[str] | Mapping[Any, str]


class ColumnRoles(TypedDict, total=False):
    """What :func:`credibly.read` takes by keyword, for functions that pass it on."""

    truth: str | None
    label: str | None
    score: str | None
    probability: str | Sequence[str] | Mapping[Any, str] | None
    value: str | None
    outcome: str | Sequence[str] | Mapping[Any, str] | None
    better: Literal["higher", "lower"] | None
    bounds: Sequence[float] | None
    positive: object
    classes: Sequence[Any] | None
    threshold: float | None
    weight: str | None
    weight_kind: Literal["frequency", "importance"] | None
    row: str | None
    model: str | None
    repeat: str | None
    fold: str | None
    part: str | None
    group: str | None
    time: str | None
    baseline: str | Sequence[str] | Mapping[Any, str] | None
    n_train: str | None


PREDICTION_ROLES = ("label", "score", "probability", "value", "outcome")
NUMERIC_ROLES = {"score", "probability", "value", "weight", "baseline", "n_train"}
ESSENTIAL_ROLES = {"truth", *PREDICTION_ROLES}
MAX_QUOTED = 4  # columns of one role that a sentence names
MAX_LISTED = 20
PREDICTION_NAMES = {*NAMES["probability"], *NAMES["score"], *NAMES["label"], *PREDICTED_NAMES}
# What columns of a role hold, where its name does not say it.
WORDS = {"row": "case identifier", "label": "predicted label", "value": "predicted number"}
IDENTIFIES = re.compile(
    r"(^|[\W_])id$|[a-z]I[dD]$|(^|[\W_])(patient|subject|participant|customer|client|user|person|student)s?($|[\W_])",
    re.IGNORECASE,
)
SOME_REPEAT = 0.9  # values per case, below which they do not merely hold a few duplicates
SCORED_REMEDY = says(
    " If a column says how well each case did (pass or fail, or a score), name it with <outcome=...>."
)
RAW_DATA = "{where} looks like data to learn from: no column holds predictions."
TRAIN_FIRST = "Use <run()> with {truth!r} as the target to train models on it and evaluate them."
FIRST_LINE_HINT = "; in a text file the first line must hold the names of the columns"
NO_HEADER = (
    " The first line holds values: write a line of names above it, such as 'truth,probability'."
)
TITLE_LINE = (
    " The first line names one column of {n}: delete the lines above the names of the columns."
)


@dataclass(slots=True)
class Roles:
    """The column of each role, those still to be decided from the values, and what was guessed."""

    source: Source
    chosen: dict[str, Spec] = field(default_factory=dict)
    guessed: list[str] = field(default_factory=list)
    left_open: list[str] = field(default_factory=list)
    predicted: str | None = None
    prefixed: dict[str, list[str]] = field(default_factory=dict)
    spare: list[str] = field(default_factory=list)
    explicit: frozenset[str] = frozenset()
    said: list[Finding] = field(default_factory=list)
    # Columns that say of every outcome which way is better and how far it reaches.
    telling: list[str] = field(default_factory=list)
    positive: object = None  # the class that one share is about, where it was named
    by_values: Sequence[Argument] = ()  # what only the values of columns said

    def take(self, role: str, column: Spec) -> None:
        """Note a guess."""
        self.chosen[role] = column
        self.guessed.append(role)

    def columns(self) -> set[str]:
        """Return every column that has a role."""
        return {c for spec in self.chosen.values() for c in columns_of(spec)} | {*self.telling}

    def to_load(self) -> tuple[list[str], list[str]]:
        """Return the columns to read as numbers and those to read as labels."""
        numbers = [
            c for r, spec in self.chosen.items() if r in NUMERIC_ROLES for c in columns_of(spec)
        ]
        numbers += [c for columns in self.prefixed.values() for c in columns]
        labels = [
            c for r, spec in self.chosen.items() if r not in NUMERIC_ROLES for c in columns_of(spec)
        ]
        labels += [*self.telling, *([self.predicted] if self.predicted is not None else [])]
        if "value" in self.explicit:
            numbers.append(labels.pop(labels.index(str(self.chosen["truth"]))))
        return list(dict.fromkeys(numbers)), list(dict.fromkeys(labels))

    def finding(self) -> tuple[Finding, ...]:
        """Say what was taken without having been named."""
        if not (self.guessed or self.left_open or self.by_values):
            return tuple(self.said)
        own = [r for r in self.guessed if self._called_like(r)]
        others = [r for r in self.guessed if r not in own]
        taken = [_quoted([c for r in own for c in columns_of(self.chosen[r])])] if own else []
        taken += [f"{_shortly(columns_of(self.chosen[r]))} as {WORDS.get(r, r)}" for r in others]
        taken += [f"{_quoted(self.telling)} for what all outcomes share"] if self.telling else []
        known = "; ".join(taken)
        if self.by_values:
            seen = "; ".join(_said_of(each) for each in self.by_values)
            named = f" Others by their names: {known}." if taken else ""
            guess = f"Guessed columns by their values: {seen}.{named}"
        else:
            guess = f"Guessed columns: {known}." if taken else ""
        said = " ".join([*([guess] if guess else ()), *self.left_open])
        remedy = Sentence()
        unnamed = [] if own or self.by_values else ["row"]
        if asked := [*self.by_values, *(Argument(r, ...) for r in others or unnamed)]:
            between = [part for each in asked for part in (", ", each)][1:]
            between[-2:-1] = [" and "] if len(asked) > 1 else between[-2:-1]
            remedy = Sentence("To be sure, set ", *between, ".")
        return (GUESSED_COLUMNS(taken=said, remedy=remedy), *self.said)

    def _called_like(self, role: str) -> bool:
        """Whether the columns of a role bear its name."""
        columns = columns_of(self.chosen[role])
        return all(role in {plain_name(c), split_prefix(c)[0]} for c in columns)

    def unused(self) -> tuple[Finding, ...]:
        """Say which columns were left aside."""
        return unused_columns(self._aside())

    def identifying(self) -> list[str]:
        """Return the columns without a role that are called like what identifies somebody or something."""
        if "group" in self.chosen or not self.source.values_known:
            return []
        return [c for c in self._aside() if IDENTIFIES.search(c)]

    def take_identifier(self) -> None:
        """Take the one column that is called like an identifier and differs between all cases of a model and repeat."""
        if "row" in self.chosen or self.source.kept:
            return
        beside = [self.chosen[r] for r in ("model", "repeat", "fold") if r in self.chosen]
        columns = {c: self.source.labels(c) for c in self.identifying()}
        found = [
            name
            for name, column in columns.items()
            if (column.codes >= 0).all()
            and all_differ(joint_codes([column, *(self.source.labels(str(c)) for c in beside)]))
        ]
        if len(found) == 1:
            self.take("row", found[0])

    def doubts(self) -> Iterator[Finding]:
        """Say what the values of columns speak against: scores that are probabilities, cases that belong together."""
        score = self.chosen.get("score")
        if score is not None and "score" in self.guessed and "probability" not in self.chosen:
            numbers = self.source.numbers(str(score))
            if ((numbers >= 0) & (numbers <= 1) | np.isnan(numbers)).all():
                yield SCORES_FROM_0_TO_1(column=score)
        # Each of the cases stands there once for each of these.
        for_each = [self.chosen[r] for r in ("model", "repeat") if r in self.chosen]
        times = math.prod(len(self.source.labels(str(c)).values) for c in for_each)
        for column in self.identifying():
            found = self.source.labels(column)
            cases = round(np.count_nonzero(found.codes >= 0) / max(times, 1))
            if 1 < len(found.values) < SOME_REPEAT * cases:
                yield REPEATED_IDENTIFIERS(column=column, values=len(found.values), cases=cases)

    def _aside(self) -> list[str]:
        taken = self.columns() | self.source.hidden
        return [c for c in self.source.names if c not in taken]


def _said_of(told: Argument) -> str:
    """Say as what the columns of an argument were taken, each by its name."""
    columns = str(told.value).split(",") if isinstance(told, ModelColumns) else [str(told.value)]
    return f"{listed(map(repr, columns))} as {WORDS.get(told.name, told.name)}"


def _shortly(names: Sequence[str]) -> str:
    """Quote the names of columns; of one per class, which are many, the first and the last."""
    if len(names) <= MAX_QUOTED:
        return _quoted(names)
    return f"{names[0]!r} to {names[-1]!r} ({len(names)} columns)"


def _quoted(columns: Sequence[str]) -> str:
    more = f" ... ({len(columns)} in all)" if len(columns) > MAX_LISTED else ""
    return f"{', '.join(map(repr, columns[:MAX_LISTED]))}{more}"


def columns_of(spec: Spec) -> list[str]:
    """Return the columns that an argument names.

    >>> columns_of("p"), columns_of(["a", "b"]), columns_of({"yes": "p_yes"})
    (['p'], ['a', 'b'], ['p_yes'])
    """
    if isinstance(spec, str):
        return [spec]
    return list(spec.values()) if isinstance(spec, Mapping) else list(spec)


def _refuse_several(source: Source, role: str, name: object) -> None:
    """Say how the columns of several models are named, where several are given for one."""
    parts = name.split(",") if isinstance(name, str) and name not in source.names else name
    if not isinstance(parts, list | tuple) or len(parts) < 2:
        return
    if all(isinstance(c, str) and c in source.names for c in parts):
        raise ParameterError(
            says("{it} takes one column; got {n}.", it=ArgumentName(role), n=len(parts)),
            remedy=says("If they are of several models: {models}.", models=ModelColumns.of(parts)),
        )


def existing(source: Source, role: str, name: object, *, several: bool = False) -> str:
    """Return the column of this name, if it is there once; ``several`` lets it stand repeatedly."""
    _refuse_several(source, role, name)
    if not isinstance(name, str):
        raise ParameterError(
            says(
                "{it} takes the name of a column of {where}; got {kind}.",
                it=Argument(role),
                where=source.where,
                kind=type(name).__name__,
            )
        )
    same = [c for c in source.names if c == name] or [
        c for c in source.names if c.strip() == name.strip()
    ]
    if not same:
        raise MissingColumnError(
            says(
                "There is no column {name!r} for {it} in {where}.",
                name=name,
                where=source.where,
                it=Argument(role),
            ),
            asked=name,
            choices=source.names,
            remedy=found_columns(source),
        )
    if len(same) > 1 and not (several and len(set(same)) == 1):
        raise DataError(
            says(
                "For {it}, {where} has {n} columns called {name!r}.",
                where=source.where,
                n=len(same),
                name=name,
                it=Argument(role),
            ),
            remedy="Give each column its own name.",
        )
    return same[0]


WORD = re.compile(r"[^\W_]+")


def found_columns(source: Source) -> str:
    """List the columns of a source, the first ones when they are many."""
    if not source.names:
        return "It has no columns."
    listed = ", ".join(_short(c) for c in source.names[:MAX_LISTED])
    more = f" ... ({len(source.names):,} in all)" if len(source.names) > MAX_LISTED else ""
    return f"Its columns: {listed}{more}.{_wrong_first_line(source.names)}"


def _short(name: str) -> str:
    text = repr(name)[1:-1]
    return text if len(text) <= 60 else text[:60] + "..."


def _wrong_first_line(names: Sequence[str]) -> str:
    """Say what to do where the names of all columns are values, or one alone has a name: a title."""
    if names and all(as_number(name) is not None for name in names):
        return NO_HEADER
    if len(names) > 1 and names[0].strip() and not any(n.strip() for n in names[1:]):
        return TITLE_LINE.format(n=len(names))
    return ""


def _about_first_line(names: Sequence[str]) -> str:
    """Say what may be wrong with the names of columns: they are values, or were not divided."""
    if any(as_number(name) is not None for name in names):
        return FIRST_LINE_HINT
    undivided = len(names) == 1 and len(names[0].split()) > 1
    return "; fields must be separated by commas, semicolons, tabs or bars" if undivided else ""


class UnnamedColumnError(MissingColumnError):
    """A role that no column has by its name; ``clear`` is what to set if nothing else can be meant."""

    clear: tuple[Argument, ...] = ()


def lacks_column(
    source: Source,
    what: str,
    suggested: Argument,
    *beside: Argument,
    clear: bool = False,
    inputs_of: str = "",
) -> UnnamedColumnError:
    """Say which role no column has, and what to set for it and beside it; or that these are inputs of a model."""
    roles = what.replace(" or ", ", ").split(", ")
    known = [n for r in roles for n in NAMES[r]] + (
        list(PREDICTED_NAMES) if what != "truth" else []
    )
    words = [c for c in source.names if {*WORD.findall(c.lower())} & {*known}]
    if what == "truth" and suggested.name == "truth" and words:
        suggested = Argument("truth", words[0])
    # One suggestion: that of the values, unless they say nothing.
    unsure = suggested.value is ...
    near = [c for c in source.names if did_you_mean(plain_name(c), known)] if unsure else []
    hint = f" Did you mean {listed(map(repr, near[:3]), 'or')}?" if near else ""
    name_it = f"No column of {source.where} has a name that identifies it as the {what}.{hint}"
    error = UnnamedColumnError(
        RAW_DATA.format(where=source.where) if inputs_of else name_it,
        choices=source.names,
        remedy=found_columns(source)
        if _wrong_first_line(source.names)
        else says(
            "{columns} {name}, such as {it}{beside}{first_line}.{scored}",
            name="If one column holds predictions, name it" if inputs_of else "Name it",
            columns=says(TRAIN_FIRST, truth=inputs_of) if inputs_of else found_columns(source),
            it=suggested,
            beside=says(" and {it}", it=beside[0]) if beside else "",
            first_line=_about_first_line(source.names)
            if suggested.value is not ...
            else FIRST_LINE_HINT,
            scored=SCORED_REMEDY if suggested.name == "truth" and not beside else "",
        ),
    )
    error.clear = (suggested, *beside) if clear else ()
    return error


def distinct_values(source: Source, column: str) -> NDArray[Any]:
    """Return the different values of a column: numbers, where all are."""
    if source.kind(column) not in {"whole", "number"}:
        return np.array(source.labels(column).values)
    found = source.numbers(column)
    return np.unique(found[~np.isnan(found)])
