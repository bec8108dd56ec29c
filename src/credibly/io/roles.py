"""Which column plays which role: named by the user, or guessed from its name and said."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly.errors import (
    Argument,
    DataError,
    MissingColumnError,
    ModelColumns,
    ParameterError,
    Sentence,
    did_you_mean,
    listed,
    says,
)
from credibly.io.classes import as_number, by_prefix
from credibly.io.findings import GUESSED_COLUMNS
from credibly.predictions.column_names import (
    BETTER,
    HIGHEST,
    LOWEST,
    NAMES,
    PREDICTED,
    plain_name,
    split_prefix,
)
from credibly.predictions.outcomes import is_pass_or_fail
from credibly.predictions.recognition import BINARY, Recognised, of_all_models
from credibly.predictions.unused_columns import columns_text, unused_columns

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


PREDICTIONS = ("label", "score", "probability", "value", "outcome")
NUMERIC = {"score", "probability", "value", "weight", "baseline", "n_train"}
ESSENTIAL = {"truth", *PREDICTIONS}
LISTED = 20
MOST_CLASSES = 20  # of a column that may be a truth
FORETOLD = {*NAMES["probability"], *NAMES["score"], *NAMES["label"], *PREDICTED}
SCORED = says(" If the cases were scored elsewhere, name that column with <outcome=...>.")
FIRST_LINE = "; in a text file the first line must hold the names of the columns"


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

    def take(self, role: str, column: Spec) -> None:
        """Note a guess."""
        self.chosen[role] = column
        self.guessed.append(role)

    def columns(self) -> set[str]:
        """Return every column that has a role."""
        return {c for spec in self.chosen.values() for c in columns_of(spec)} | {*self.telling}

    def to_load(self) -> tuple[list[str], list[str]]:
        """Return the columns to read as numbers and those to read as labels."""
        numbers = [c for r, spec in self.chosen.items() if r in NUMERIC for c in columns_of(spec)]
        numbers += [c for columns in self.prefixed.values() for c in columns]
        labels = [
            c for r, spec in self.chosen.items() if r not in NUMERIC for c in columns_of(spec)
        ]
        labels += [*self.telling, *([self.predicted] if self.predicted is not None else [])]
        if "value" in self.explicit:
            numbers.append(labels.pop(labels.index(str(self.chosen["truth"]))))
        return list(dict.fromkeys(numbers)), list(dict.fromkeys(labels))

    def finding(self) -> tuple[Finding, ...]:
        """Say what was taken without having been named."""
        if not self.guessed and not self.left_open:
            return tuple(self.said)
        taken = ", ".join(
            [
                *(f"{columns_text(columns_of(self.chosen[r]))} as {r}" for r in self.guessed),
                *(
                    [f"{columns_text(self.telling)} for what all outcomes share"]
                    if self.telling
                    else ()
                ),
            ]
        )
        said = " ".join([*([f"Guessed: {taken}."] if taken else ()), *self.left_open])
        *others, last = [Argument(r, ...) for r in self.guessed or ["row"]]
        between = [part for each in others for part in (each, ", ")][:-1]
        named = Sentence(*between, *([" and "] if others else []), last)
        return (GUESSED_COLUMNS(taken=said, arguments=named), *self.said)

    def unused(self) -> tuple[Finding, ...]:
        """Say which columns were left aside."""
        return unused_columns(
            [c for c in self.source.names if c not in self.columns() | self.source.hidden]
        )


def columns_of(spec: Spec) -> list[str]:
    """Return the columns that an argument names.

    >>> columns_of("p"), columns_of(["a", "b"]), columns_of({"yes": "p_yes"})
    (['p'], ['a', 'b'], ['p_yes'])
    """
    if isinstance(spec, str):
        return [spec]
    return list(spec.values()) if isinstance(spec, Mapping) else list(spec)


def assign(source: Source, asked: Mapping[str, Spec | None], *, threshold: bool = False) -> Roles:
    """Find the column of each role by the names the user gave, then by the names in the file."""
    roles = Roles(source)
    for role, spec in asked.items():
        if spec is not None:
            roles.chosen[role] = _named(source, role, spec)
    roles.explicit = frozenset(roles.chosen)
    taken = roles.columns() | source.hidden
    free = [c for c in source.names if c not in taken]
    told = _scored_elsewhere(roles, free)
    for role, names in NAMES.items():
        if role not in roles.chosen and not _excluded(role, told, threshold):
            column = _guessed(roles, role, names, free)
            if column is not None:
                roles.take(role, column)
    labelled = (
        bool({"label", "value", "outcome"} & set(roles.chosen)) or "probability" in roles.explicit
    )
    if not labelled and not threshold:
        roles.predicted = _guessed(roles, "label", PREDICTED, free)
    if "outcome" in roles.chosen:
        roles.telling = [c for c in (BETTER, LOWEST, HIGHEST) if c in free]
        return roles
    if "truth" not in roles.chosen:
        raise _lacks(source, "truth", _maybe_truth(source))
    _find_columns_of_classes(roles, free, threshold)
    return roles


def _find_columns_of_classes(roles: Roles, free: list[str], threshold: bool) -> None:  # noqa: FBT001
    for role in ("probability", "baseline"):
        if role not in roles.chosen and not _excluded(role, roles.explicit, threshold):
            _find_prefixed(roles, role, free)
            roles.spare = free


def _scored_elsewhere(roles: Roles, free: list[str]) -> frozenset[str]:
    """Take a column called like an outcome where none is called like a truth; return what decides the others."""
    if roles.explicit & {"truth", "outcome"} or any(plain_name(c) in NAMES["truth"] for c in free):
        return roles.explicit
    predicted = bool(roles.explicit & ESSENTIAL)
    column = _guessed(roles, "outcome", ["outcome"] if predicted else NAMES["outcome"], free)
    if column is None:
        return roles.explicit
    if predicted or _names_classes(roles.source, column, free):
        roles.take("truth", column)
        return roles.explicit
    roles.take("outcome", column)
    return roles.explicit | {"outcome"}


def _names_classes(source: Source, column: str, others: Sequence[str]) -> bool:
    """Whether a column holds what happened, not how it was scored: words other than pass and fail.

    What is called outcome is also what happened where it says yes and no, or where something predicts it.
    """
    either = plain_name(column) == "outcome"
    if either and any(plain_name(c) in FORETOLD or split_prefix(c)[0] for c in others):
        return True
    if not source.values_known:
        return False
    source.load([], [column])
    if source.kind(column) != "text":
        return False
    values = source.labels(column).values
    if either and {str(v).strip().lower() for v in values} <= {"yes", "no"}:
        return True
    return not all(map(is_pass_or_fail, values))


def _excluded(role: str, explicit: frozenset[str], threshold: bool) -> bool:  # noqa: FBT001
    """Do not guess beside what the user named: one prediction is of classes or of numbers,
    a threshold applies to the score that was named, and labels follow from a probability.
    """
    if "outcome" in explicit:
        return role in {*ESSENTIAL, "baseline", "n_train"}
    if role == "outcome":
        return True  # is told before the others
    if "value" in explicit:
        return role in {"label", "score", "probability"}
    if role == "value":
        return bool(explicit & {"label", "score", "probability"}) or threshold
    if role == "label" and "probability" in explicit:
        return True  # a probability that is named labels the cases itself
    return threshold and (
        role == "label" or (role in PREDICTIONS and bool(explicit & set(PREDICTIONS)))
    )


def _named(source: Source, role: str, spec: Spec) -> Spec:
    """Check that the named columns exist, once."""
    if role in {"probability", "baseline", "outcome"} and not isinstance(spec, str):
        if isinstance(spec, Mapping):
            return {c: existing(source, role, name) for c, name in spec.items()}
        if isinstance(spec, Sequence):
            found = [existing(source, role, name) for name in spec]
            return found[0] if len(found) == 1 and role == "probability" else found
    return existing(source, role, spec)


def existing(source: Source, role: str, name: object, *, several: bool = False) -> str:
    """Return the column of this name, if it is there once; ``several`` lets it stand repeatedly."""
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


def found_columns(source: Source) -> str:
    """List the columns of a source, the first ones when they are many."""
    if not source.names:
        return "It has no columns."
    listed = ", ".join(_short(c) for c in source.names[:LISTED])
    more = f" ... ({len(source.names):,} in all)" if len(source.names) > LISTED else ""
    return f"Its columns: {listed}{more}."


def _short(name: str) -> str:
    text = repr(name)[1:-1]
    return text if len(text) <= 60 else text[:60] + "..."


def _guessed(roles: Roles, role: str, names: Sequence[str], free: list[str]) -> str | None:
    """Take the one free column that has one of the names, if there is one."""
    found = [c for c in free if plain_name(c) in names]
    if len(found) > 1:
        _ambiguous(roles, role, found)
    if len(found) != 1:
        return None
    free.remove(found[0])
    return found[0]


def _ambiguous(roles: Roles, role: str, found: list[str]) -> None:
    """Refuse to choose what a number depends on; leave what only describes the rows alone."""
    columns = listed(map(repr, found[:6]), "or")
    if len(set(found)) < len(found):
        raise DataError(
            f"{roles.source.where} has {len(found)} columns called {found[0]!r}.",
            remedy="Give each column a name of its own.",
        )
    if role == "truth" or (role in ESSENTIAL and not roles.explicit & set(PREDICTIONS)):
        raise DataError(
            f"{roles.source.where}: {role} could be column {columns}.",
            remedy=says("Name one of them with {role}.", role=Argument(role, ...)),
        )
    roles.left_open.append(f"{role} was not used: it could be column {columns}.")


def _find_prefixed(roles: Roles, role: str, free: list[str]) -> None:
    """Collect columns such as p_yes and p_no, which the classes will confirm or not."""
    for column in free:
        prefix, rest = split_prefix(column)
        if prefix and rest and (prefix == "baseline") == (role == "baseline"):
            roles.prefixed.setdefault(prefix, []).append(column)


def kind_of_predictions(
    source: Source, truth: str, columns: Sequence[str], *, of_classes: bool = False
) -> Recognised:
    """Say what columns of predictions hold, by their values and those of the truth: labels, probabilities ..."""
    source.load([], [truth, *columns])
    found = of_all_models(
        _distinct(source, truth), [_distinct(source, c) for c in columns], of_classes=of_classes
    )
    kinds = {c: source.kind(c) for c in columns}
    if found is None and {"text", "number"} <= {*kinds.values()}:
        text, number = (
            next(c for c, k in kinds.items() if k == kind) for kind in ("text", "number")
        )
        raise DataError(
            f"{source.where}: column {text!r} holds text and {number!r} numbers, and what models predict is of one kind."
        )
    return found or Recognised("label")


def _distinct(source: Source, column: str) -> NDArray[Any]:
    """Return the different values of a column: numbers, where all are."""
    if source.kind(column) not in {"whole", "number"}:
        return np.array(source.labels(column).values)
    found = source.numbers(column)
    return np.unique(found[~np.isnan(found)])


def settle_task(roles: Roles) -> None:
    """Decide, where names leave it open, whether a predicted column holds labels or numbers."""
    source = roles.source
    for_classes = {"label", "score", "probability"} & set(roles.chosen)
    named = "value" in roles.guessed
    column = roles.predicted if roles.predicted is not None else roles.chosen.get("value")
    if column is None or "value" in roles.explicit:
        return
    column = str(column)
    truth, predicted = source.kind(str(roles.chosen["truth"])), source.kind(column)
    numeric = truth in {"whole", "number"} and predicted in {"whole", "number"}
    if (
        not for_classes
        and truth in {"whole", "text"}
        and predicted == "number"
        and (found := _of_two_classes(source, str(roles.chosen["truth"]), column))
    ):
        if named:
            del roles.chosen["value"]
            roles.guessed.remove("value")
        roles.take("probability", column)
        roles.said = found.said(f"Column {column!r} was")
        return
    fits = numeric and ("number" in {truth, predicted} or (named and roles.predicted is None))
    if named and roles.predicted is not None and fits:
        _ambiguous(roles, "value", [str(roles.chosen["value"]), roles.predicted])
    if named and (for_classes or not fits):
        del roles.chosen["value"]
        roles.guessed.remove("value")
    if roles.predicted is not None:
        roles.take("value" if fits and not for_classes else "label", roles.predicted)


def _of_two_classes(source: Source, truth: str, column: str) -> Recognised | None:
    """Take fractions from 0 to 1 beside two values for probabilities; others may be scores or numbers."""
    if len(source.labels(truth).values) > BINARY:
        return None
    found = kind_of_predictions(source, truth, [column], of_classes=True)
    if found.column != "probability":
        raise DataError(
            f"{source.where}: column {column!r} holds fractions and the truth in {truth!r} only "
            "two values.",
            remedy=says(
                "Say what it is: <probability={column}> (or <score=>) for classes, <value={column}> "
                "for numbers.",
                column=column,
            ),
        )
    return found


def settle_probability(roles: Roles, declared: Sequence[Any], known: Sequence[Any]) -> None:
    """Take a set of columns such as p_yes, p_no if it is about the classes and the only one.

    These are the declared ones, of which some may not occur, or at least those that do.
    """
    for role in ("probability", "baseline"):
        if role in roles.chosen:
            continue
        fitting = [
            matched
            for prefix, columns in roles.prefixed.items()
            if (prefix == "baseline") == (role == "baseline")
            and (matched := by_prefix(columns, declared) or by_prefix(columns, known))
        ]
        if len(fitting) == 1:
            roles.take(role, fitting[0])
        elif fitting:
            _ambiguous(roles, role, [c for m in fitting for c in m.values()])
    if "probability" not in roles.chosen:
        _take_named_like_classes(roles, known)


def _take_named_like_classes(roles: Roles, known: Sequence[Any]) -> None:
    """Take a column for each class that is called like it, if all hold numbers from 0 to 1."""
    named = {c: str(c) for c in known if str(c) in roles.spare}
    if len(named) < max(2, len(known)):
        return
    roles.take("probability", named)
    roles.source.load(*roles.to_load())
    try:
        columns = [roles.source.numbers(name) for name in named.values()]
    except DataError:
        columns = []
    if not columns or not all(((x >= 0) & (x <= 1)).all() for x in columns):
        del roles.chosen["probability"]
        roles.guessed.remove("probability")


def check_predicted(roles: Roles) -> None:
    """Refuse predictions that predict nothing."""
    if not set(PREDICTIONS) & set(roles.chosen):
        raise _lacks(roles.source, "label, score, probability or value", _maybe_predicted(roles))


def _maybe_truth(source: Source) -> Argument:
    """Return what to set for the truth: a column that has few different values, if there is one."""
    few = {c: v for c, v in _contents(source, ()).items() if 1 < len(v) <= MOST_CLASSES}
    about = {split_prefix(c)[1] for c in source.names}  # classes that columns such as p_yes are of
    of_classes = [c for c, v in few.items() if {str(each) for each in v.tolist()} <= about]
    fewest = sorted(few, key=lambda c: len(few[c]))
    return Argument("truth", next(iter([*of_classes, *fewest]), ...))


def _maybe_predicted(roles: Roles) -> Argument:
    """Return what to set for the predictions: columns that hold numbers from 0 to 1, or the classes."""
    truth = str(roles.chosen["truth"])
    found = _contents(roles.source, roles.columns() - {truth})
    classes = set(found.pop(truth, np.array([])).tolist())
    numbers = {c: v for c, v in found.items() if v.dtype.kind == "f" and v.size}
    shares = [c for c, v in numbers.items() if v.min() >= 0 and v.max() <= 1]
    labels = [c for c, v in found.items() if v.size and set(v.tolist()) <= classes]
    if set(shares) <= set(labels):  # all of them 0 and 1, as the truth is
        # Others may count anything.
        scores = [c for c in numbers if roles.source.kind(c) == "number"]
        return Argument("label" if labels else "score", next(iter(labels or scores), ...))
    return ModelColumns.of(shares) if len(shares) > 1 else Argument("probability", shares[0])


def _contents(source: Source, but: Collection[str]) -> dict[str, NDArray[Any]]:
    """Return the different values of the first columns of a file; of what an engine counts none are read."""
    if not source.values_known:
        return {}
    names = [c for c in dict.fromkeys(source.names[:LISTED]) if c not in {*but, *source.hidden}]
    source.load([], names)
    return {c: _distinct(source, c) for c in names}


def _about_first_line(names: Sequence[str]) -> str:
    """Say what may be wrong with the names of columns: they are values, or were not divided."""
    if any(as_number(name) is not None for name in names):
        return FIRST_LINE
    undivided = len(names) == 1 and len(names[0].split()) > 1
    return "; fields must be separated by commas, semicolons, tabs or bars" if undivided else ""


def _lacks(source: Source, what: str, suggested: Argument) -> MissingColumnError:
    roles = what.replace(" or ", ", ").split(", ")
    known = [n for r in roles for n in NAMES[r]] + (list(PREDICTED) if what != "truth" else [])
    near = [repr(c) for c in source.names if did_you_mean(plain_name(c), known)]
    hint = f" Did you mean {listed(near[:3], 'or')}?" if near else ""
    return MissingColumnError(
        f"No column of {source.where} has a name that identifies it as the {what}.{hint}",
        choices=source.names,
        remedy=says(
            "{columns} Name it, such as {it}{first_line}.{scored}",
            columns=found_columns(source),
            it=suggested,
            first_line=_about_first_line(source.names)
            if suggested.value is not ...
            else FIRST_LINE,
            scored=SCORED if suggested.name == "truth" else "",
        ),
    )
