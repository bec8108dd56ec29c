"""The one query: how many cases there are of each distinct row, or in each bin of scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import MAX_EXACT_WHOLE
from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.engines.columns import ArrayColumns, ColumnNames
from credibly.engines.findings import LEFT_OUT_ROWS
from credibly.errors import DataError, MissingColumnError, says
from credibly.io.classes import by_prefix, typed
from credibly.io.guesses import check_predicted
from credibly.io.read import read
from credibly.io.role_assignment import assign
from credibly.io.roles import columns_of, found_columns
from credibly.predictions import Predictions

if TYPE_CHECKING:
    from credibly.engines._tables import Lazy
    from credibly.io.roles import Roles

    Arrays = dict[str, NDArray[Any]]

CASES_COLUMN = "credibly: cases"  # the column of counts, by a name that no table has
PREDICTED_NUMBERS = ("score", "probability", "value")


@dataclass(frozen=True, slots=True, eq=False)
class Counting:
    """What is to be counted: the columns that have a role, and those to slice by."""

    lazy: Lazy
    asked: Mapping[str, Any]
    roles: Roles
    slices: Mapping[str, str] = field(default_factory=dict)  # columns of the table, by their names
    left_out: list[Finding] = field(default_factory=list)

    @classmethod
    def of(cls, lazy: Lazy, asked: Mapping[str, Any], by: Sequence[str] = ()) -> Counting:
        """Assign roles by names, as for a small file, before anything is read."""
        names = ColumnNames(lazy.where, lazy.names)
        asked = {k: v if k in SETTING_NAMES else renamed(v, lazy.renamed) for k, v in asked.items()}
        slices = {name: renamed(name, lazy.renamed) for name in by}
        specs = {k: v for k, v in asked.items() if k not in SETTING_NAMES}
        roles = assign(names, specs, threshold=asked.get("threshold") is not None)
        for name in slices.values():
            if name not in names.names:
                raise MissingColumnError(
                    f"There is no column {name!r} in {lazy.where} to slice by.",
                    asked=name,
                    choices=names.names,
                    remedy=found_columns(names),
                )
        return cls(lazy, asked, roles, slices)

    @property
    def by(self) -> tuple[str, ...]:
        """The columns of the table to slice by."""
        return tuple(self.slices.values())

    @property
    def counted(self) -> bool:
        """Whether equal rows may be counted together: not where each case has a weight of its own."""
        return "weight" not in self.roles.chosen or self.asked.get("weight_kind") == "frequency"

    @property
    def columns(self) -> tuple[list[str], list[str]]:
        """The columns of numbers and of labels; what identifies a row is not read."""
        numbers, labels = self.roles.to_load()
        aside = {c for r in ("row", "weight") for c in columns_of(self.roles.chosen.get(r, []))}
        return [c for c in numbers if c not in aside], [c for c in labels if c not in aside]

    @property
    def score(self) -> tuple[str, str] | None:
        """The role and the column of the one score or probability, if there is one."""
        found = [
            (role, c)
            for role in ("score", "probability")
            if role in self.roles.chosen
            for c in columns_of(self.roles.chosen[role])
        ] or [("probability", c) for each in self.roles.prefixed.values() for c in each]
        return found[0] if len(found) == 1 else None

    @property
    def weight(self) -> str | None:
        """The column of weights, if there is one."""
        found = self.roles.chosen.get("weight")
        return None if found is None else str(found)

    def count(self, frame: Any, keys: Sequence[str], *ends: Any) -> Arrays:  # noqa: ANN401
        """Count the cases of each group as 64-bit whole numbers, with other aggregates."""
        import narwhals.stable.v2 as nw

        # Casts stand before and after the sum: some engines group by nothing but plain sums.
        if self.weight is None:
            size = nw.len().alias(CASES_COLUMN)
        else:
            weight = nw.col(self.weight).cast(nw.Float64)  # text such as 1.0 is a number first
            frame = frame.with_columns(weight.cast(nw.Int64).alias(CASES_COLUMN))
            size = nw.col(CASES_COLUMN).sum()
        grouped = frame.group_by(*keys).agg(size, *ends) if keys else frame.select(size)
        made = grouped.with_columns(nw.col(CASES_COLUMN).cast(nw.Int64))
        # In one order whatever the threads: a seed draws by places, and equal parts look equal.
        return self.lazy.collect(made.sort(*keys) if keys else made)

    def total(self, frame: Any = None) -> float:  # noqa: ANN401
        """Return how many cases there are."""
        found = self.count(self.lazy.frame if frame is None else frame, ())[CASES_COLUMN]
        return float(found[0] or 0)

    def check_weights(self) -> None:
        """Refuse frequencies that are not whole numbers, before they are rounded."""
        import narwhals.stable.v2 as nw

        if self.weight is None or not self.counted:
            return
        w = nw.col(self.weight).cast(nw.Float64)
        bad = w.is_null() | ~w.is_between(0.0, MAX_EXACT_WHOLE) | (w.floor() != w)
        columns = self.lazy.collect(
            self.lazy.frame.filter(bad).select(w.alias(CASES_COLUMN)).head(1)
        )
        if columns[CASES_COLUMN].size:
            raise DataError(
                f"{self.lazy.where}: frequency weights must be whole numbers of at least 0; {self.weight!r} holds {columns[CASES_COLUMN][0]}.",
                remedy=says("Set <weight_kind='importance'> if they are not counts."),
            )

    def distinct(self) -> Arrays:
        """Count the cases of each distinct row; where weights are not counts, return the rows."""
        import narwhals.stable.v2 as nw

        numbers, labels = self.columns
        with self.lazy.explained():
            schema = self.lazy.frame.collect_schema()
        keys = list(dict.fromkeys((*numbers, *labels, *self.by)))
        wide = [
            nw.col(c).cast(nw.Float64)
            for c in keys
            if schema[c].is_decimal() or (c in numbers and schema[c].is_numeric())
        ]
        frame = self.lazy.frame.with_columns(*wide) if wide else self.lazy.frame
        if self.counted:
            return self.count(frame, keys)
        weight = nw.col(str(self.weight)).cast(nw.Float64).alias(CASES_COLUMN)
        return self.lazy.collect(frame.select(*keys, weight))

    def gathered(self) -> Predictions:
        """Return every row as it is."""
        numbers, labels = self.roles.to_load()
        keys = dict.fromkeys((*numbers, *labels))
        collected = self.lazy.collect(self.lazy.frame.select(*keys))
        return read(self.lazy.source(collected), **self.asked)

    def made(self, rows: Arrays) -> Predictions:
        """Turn sound rows into predictions."""
        roles = self.roles.columns()
        keys = [c for c in rows if c != CASES_COLUMN and (c not in self.by or c in roles)]
        beside = {name: rows[c] for name, c in self.slices.items()}
        source = self.lazy.source({c: rows[c] for c in [*keys, CASES_COLUMN]} | beside)
        source.hidden = frozenset(beside.keys() - roles)
        asked = {k: v for k, v in self.asked.items() if k != "row"}
        kind = "frequency" if self.counted else self.asked.get("weight_kind")
        try:
            counts = {"weight": CASES_COLUMN, "weight_kind": kind, "columns": list(beside)}
            return read(source, **asked | counts)
        except MissingColumnError:
            check_predicted(self.roles)  # which knows all columns of the table
            raise

    def sound(self, columns: Arrays) -> Arrays:
        """Return the rows without invalid ones, which a finding counts; a missing prediction is valid."""
        total = float(columns[CASES_COLUMN].sum())
        predicted = self._predicted(columns)
        # The cells of a CSV file are text until here.
        source = ArrayColumns(self.lazy.where, {c: columns[c] for _, c in predicted})
        columns = columns | {c: source.numbers(c) for _, c in predicted}
        if several := [c for role, c in predicted if role == "probability"]:
            missing = np.isnan([columns[c] for c in several])
            part = np.asarray(missing.any(axis=0) & ~missing.all(axis=0))
            columns = self._without(columns, part, "a probability is missing", total)
        for role, column in predicted:
            endless = np.isinf(columns[column])
            columns = self._without(columns, endless, f"{role} is infinite", total)
            if role == "probability":
                self.refuse_outside(
                    column, columns[CASES_COLUMN][abs(columns[column] - 0.5) > 0.5].sum()
                )
        classes = self.asked.get("classes")
        for role in ("truth", "label") if classes is not None else ():
            for column in columns_of(self.roles.chosen.get(role, [])):
                strange = _strangers(columns[column], classes or ())
                columns = self._without(
                    columns, strange, f"{role} is not one of the classes", total
                )
        if not columns[CASES_COLUMN].size:
            why = " ".join(f.message for f in self.left_out)
            raise DataError(f"{self.lazy.where} has no row that can be evaluated. {why}".rstrip())
        return columns

    def refuse_outside(self, column: str, cases: float) -> None:
        """Refuse probabilities outside 0 to 1."""
        if cases:
            raise DataError(
                f"{self.lazy.where}: {column!r} is outside 0 to 1 in {count(cases, 'row')}, so it does not hold probabilities.",
                remedy=says("Give it as <score=...>."),
            )

    def _predicted(self, found: Arrays) -> list[tuple[str, str]]:
        """Return the columns of predicted numbers, those named after the classes with them."""
        chosen = self.roles.chosen
        named = [(r, c) for r in PREDICTED_NUMBERS for c in columns_of(chosen.get(r, []))]
        if "probability" in chosen or "truth" not in chosen:
            return named
        truth = found[str(chosen["truth"])].tolist()
        known = self.asked.get("classes") or [v for v in dict.fromkeys(truth) if v is not None]
        fitting = [
            matched.values()
            for prefix, columns in self.roles.prefixed.items()
            if prefix != "baseline" and (matched := by_prefix(columns, known)) is not None
        ]
        return named + [("probability", c) for each in fitting[:1] for c in each]

    def _without(self, found: Arrays, bad: NDArray[np.bool_], what: str, total: float) -> Arrays:
        if bad.any():
            self.note(what, float(found[CASES_COLUMN][bad].sum()), total)
        return {c: a[~bad] for c, a in found.items()} if bad.any() else found

    def note(self, what: str, cases: float, total: float) -> None:
        """Add a finding about rows that are not predictions."""
        text = f"{what[0].upper()}{what[1:]}"
        self.left_out.append(LEFT_OUT_ROWS(what=text, rows=count(cases, "row"), all=total))


SETTING_NAMES = ("positive", "classes", "threshold", "better", "bounds", "weight_kind", "tolerance")


def renamed(columns: Any, names: Mapping[str, str]) -> Any:  # noqa: ANN401
    """Return names of columns, one or several, as a table has them.

    >>> renamed(["y", "p.yes"], {"p.yes": "p·yes"}), renamed({"yes": "p.yes"}, {"p.yes": "p·yes"})
    (['y', 'p·yes'], {'yes': 'p·yes'})
    """
    if isinstance(columns, str):
        return names.get(columns, columns)
    if isinstance(columns, dict):
        return {k: renamed(v, names) for k, v in columns.items()}
    return [renamed(c, names) for c in columns] if isinstance(columns, list | tuple) else columns


def _strangers(column: NDArray[Any], classes: Sequence[Any]) -> NDArray[np.bool_]:
    items = column.tolist()
    strange = {
        v: v is not None and v == v and typed(v, classes) not in classes
        for v in dict.fromkeys(items)
    }
    return np.array([strange[v] for v in items], bool)
