"""One measure of an experiment by dataset and scheme, with what is missing named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import compress
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.comparisons import DatasetTable, FoldTable
from credibly.errors import DataError, ParameterError, Sentence, listed, says
from credibly.experiments.analysis.results import (
    STATUSES,
    WHOLE_TRAINING_PART,
    Results,
    known_measure,
)
from credibly.experiments.findings import INCOMPLETE_GRID
from credibly.measures import measures as all_measures
from credibly.measures._declare import Direction
from credibly.results.result import Result

LeaveOut = Literal["datasets", "schemes"]
TIME_MEASURES = ("fit_seconds", "predict_seconds")  # which can be compared like measures
MIN_SPLIT_SHARE = 0.5  # of the splits of a dataset, for a scheme to count as having values there
MAX_NAMED = 6
FAILURES = {*STATUSES} - {"done", "missing"}
HALF_RULE = (
    "A scheme with values in fewer than half of a dataset's splits, or with an infinite value, "
    "counts as missing there; for the other schemes, only the splits in which all of them have a value are used."
)


class GridGap(Result, eq=True):
    """A scheme that lacks values on a dataset: how many it has, and why the rest are missing."""

    dataset: str
    scheme: str
    values: int
    splits: int
    reasons: Mapping[str, int]

    json_keys = "dataset scheme values splits reasons missing"

    @property
    def missing(self) -> bool:
        """Whether it has too few values to count there at all."""
        return self.values < MIN_SPLIT_SHARE * self.splits or "infinite" in self.reasons

    def __str__(self) -> str:
        why = ", ".join(f"{n} {reason}" for reason, n in self.reasons.items())
        return f"{self.scheme} on {self.dataset} has {self.values} of {self.splits} values ({why})"


@dataclass(frozen=True, slots=True, eq=False)
class MeasureGrid:
    """Values of one measure over the splits that the schemes of a dataset share.

    ``tables`` holds them by dataset, with a column of NaN (or of infinity) for a scheme that is missing
    there. The rule is stated in a finding wherever something is missing.

    >>> from credibly.experiments import Results
    >>> r = Results.of(["iris"] * 5, ["a", "a", "a", "b", "b"], {"accuracy": [.9, .8, .7, .9, .7]},
    ...                fold=[0, 1, 2, 0, 2])
    >>> grid = MeasureGrid.of(r, "accuracy")
    >>> grid.tables["iris"].table.tolist()
    [[0.9, 0.9], [0.7, 0.7]]
    >>> print(grid.gaps[0])
    b on iris has 2 of 3 values (1 not run)
    """

    measure: str
    direction: Direction
    schemes: tuple[str, ...]
    tables: Mapping[str, FoldTable]
    gaps: tuple[GridGap, ...]

    @classmethod
    def of(
        cls,
        results: Results,
        measure: str,
        *,
        base: str | None = None,
        test_train_ratio: float | None = None,
    ) -> MeasureGrid:
        """Lay out one measure, the scheme ``base`` first; of a learning curve the largest size.

        ``test_train_ratio`` is used where the results do not know their sizes.
        """
        measure, values, direction = _values(results, measure)
        if not results.n:
            raise DataError("There are no results to analyse.")
        names = results.schemes
        if base is not None and base not in names:
            raise ParameterError(
                f"base must be one of the schemes {', '.join(names)}; got {base!r}.",
                asked=base,
                choices=names,
            )
        schemes = names if base is None else (base, *(s for s in names if s != base))
        tables: dict[str, FoldTable] = {}
        gaps: list[GridGap] = []
        for dataset in results.datasets:
            mine = np.flatnonzero(results.dataset == dataset)
            rows = mine[results.size[mine] == largest(results.size[mine])]
            matrix, states, known = _laid_out(results, rows, values, schemes)
            gaps += _gaps(dataset, schemes, matrix, states)
            table, kept = _shared(matrix)
            of_splits = known[kept]
            ratio = _ratio(results, of_splits) or test_train_ratio
            repeats = max(1, len(set(results.repeat[of_splits].tolist())))
            made = FoldTable(
                table, schemes, measure, direction, ratio, repeats,
                within=results.range_of(dataset, measure),
            )  # fmt: skip
            apart = results.design.independent and repeats > 1
            tables[dataset] = _by_repeat(made, results.repeat[of_splits]) if apart else made
        return cls(measure, direction, schemes, tables, tuple(gaps))

    @property
    def datasets(self) -> tuple[str, ...]:
        """The datasets, in their order."""
        return tuple(self.tables)

    @property
    def means(self) -> Floats:
        """Means over splits by dataset (row) and scheme (column); not finite where a scheme is missing."""
        empty = np.full(len(self.schemes), np.nan)
        return np.array(
            [t.table.mean(axis=0) if len(t.table) else empty for t in self.tables.values()]
        )

    def over_datasets(self, leave_out: LeaveOut = "datasets") -> DatasetTable:
        """Return the means without gaps: ``leave_out`` the datasets, or the schemes, that have any.

        A scheme without a value on any dataset says nothing of these, and is left out in any case;
        so is a dataset without a value of any scheme.
        """
        rows, columns = self._ranked(leave_out)
        return DatasetTable(
            self.means[np.ix_(rows, columns)],
            tuple(compress(self.schemes, columns)),
            tuple(compress(self.datasets, rows)),
            self.measure,
            self.direction,
        )

    def _ranked(self, leave_out: LeaveOut) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Say which datasets and which schemes have a part in ranks."""
        defined = np.isfinite(self.means)
        rows, columns = (np.asarray(defined.any(axis=axis)) for axis in (1, 0))
        if leave_out == "datasets":
            return np.asarray(rows & defined[:, columns].all(axis=1)), columns
        return rows, np.asarray(columns & defined[rows].all(axis=0))

    def findings(self, leave_out: LeaveOut = "datasets") -> tuple[Finding, ...]:
        """Name the incomplete cells, the rule that deals with them, and what ranks leave out."""
        if not self.gaps:
            return ()
        named = "; ".join(map(str, self.gaps[:MAX_NAMED]))
        more = f"; and {len(self.gaps) - MAX_NAMED} more" if len(self.gaps) > MAX_NAMED else ""
        cells = f"{len(self.gaps)} of {count(len(self.tables) * len(self.schemes), 'cell')}"
        rows, columns = self._ranked(leave_out)
        datasets, schemes = compress(self.datasets, ~rows), compress(self.schemes, ~columns)
        out = {"datasets": list(datasets), "schemes": list(schemes)}
        sentences = [f"the {what} {', '.join(names)}" for what, names in out.items() if names]
        left = f" Ranks and means over datasets leave out {listed(sentences)}." if sentences else ""
        return (
            INCOMPLETE_GRID(
                cells=cells,
                measure=self.measure,
                which=named + more,
                rule=HALF_RULE + left,
                so=self._action(leave_out, out),
            ),
        )

    def _action(self, leave_out: LeaveOut, out: Mapping[str, list[str]]) -> Sentence:
        """Say what can be done: only what was not run can be run, and what fails will fail again."""
        reasons = {reason for gap in self.gaps for reason in gap.reasons}
        ways = ["run what is missing"] if "not run" in reasons else []
        if reasons & FAILURES:
            ways.append("fix the schemes that fail, or remove them from the experiment")
        if out[leave_out]:
            other = "schemes" if leave_out == "datasets" else "datasets"
            ways.append(says("set <leave_out={other}>", other=other))
        joined = [part for way in ways for part in (", or ", way)][1:]
        return Sentence("You can ", *joined, ".") if ways else Sentence()


def _by_repeat(table: FoldTable, repeat: NDArray[np.int64]) -> FoldTable:
    """Return one row for each repeat, which is a data set of its own: the mean over its folds."""
    means = np.array([table.table[repeat == r].mean(axis=0) for r in np.unique(repeat)])
    return replace(table, table=means, test_train_ratio=None, repeats=1, independent=True)


def largest(sizes: Floats) -> float:
    """Return the size that stands for a scheme: the whole training part, or the largest there is."""
    return WHOLE_TRAINING_PART if (sizes == WHOLE_TRAINING_PART).any() else float(sizes.max())


def _values(results: Results, asked: str) -> tuple[str, Floats, Direction]:
    """Return a measure, or a time, as the results call it, its column, and which way it is better."""
    if asked in TIME_MEASURES:
        return asked, getattr(results, asked), "lower"
    for name in results.measures:
        if _called(name) == _called(asked):
            return name, results.values[name], _direction(results, name)
    known = (*results.measures, *TIME_MEASURES)
    raise ParameterError(
        f"There is no {asked!r} in these results; available: {', '.join(known)}.",
        asked=asked,
        choices=known,
    )


def _direction(results: Results, name: str) -> Direction:
    if name not in results.directions:
        raise ParameterError(
            f"Is higher or lower {name!r} better?",
            asked=name,
            choices=all_measures.names(),
            remedy=says("Set <directions='higher'> or <directions='lower'>, or one for each name."),
        )
    return results.directions[name]


def _called(measure: str) -> str:
    """Return the one name of a measure that may go by several."""
    known = known_measure(measure)
    return known.call if known else measure


def _laid_out(
    results: Results, rows: NDArray[np.intp], values: Floats, schemes: tuple[str, ...]
) -> tuple[Floats, NDArray[np.object_], NDArray[np.intp]]:
    """Return values and states by split and scheme, and a row of each split that knows its sizes."""
    pairs = np.column_stack([results.repeat[rows], results.fold[rows]])
    splits, at = np.unique(pairs, axis=0, return_inverse=True)
    column = {s: j for j, s in enumerate(schemes)}
    across = np.array([column[s] for s in results.scheme[rows]], np.intp)
    matrix = np.full((len(splits), len(schemes)), np.nan)
    states = np.full(matrix.shape, "missing", object)
    matrix[at, across] = values[rows]
    states[at, across] = results.status[rows]
    known = np.empty(len(splits), np.intp)
    order = np.argsort(np.isfinite(results.n_train[rows]), kind="stable")
    known[at[order]] = rows[order]  # the last to be written is one that knows
    return matrix, states, known


def _shared(matrix: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the values in the splits that count, and which they are.

    A scheme with too few is NaN throughout; one that is infinite anywhere is so on average.
    """
    has = np.isfinite(matrix)
    above, below = (find(matrix).any(axis=0) for find in (np.isposinf, np.isneginf))
    missing = (has.mean(axis=0) < MIN_SPLIT_SHARE) | above | below
    kept = np.asarray(has[:, ~missing].all(axis=1)) & (not missing.all())
    instead = np.select([above & ~below, below & ~above], [np.inf, -np.inf], np.nan)
    return np.where(missing, instead, matrix)[kept], kept


def _gaps(
    dataset: str, schemes: tuple[str, ...], matrix: Floats, states: NDArray[np.object_]
) -> list[GridGap]:
    """Name the schemes that lack values, with the reasons."""
    words = {"done": "undefined", "missing": "not run"}
    found = []
    for scheme, values, state in zip(schemes, matrix.T, states.T, strict=True):
        lost = ~np.isfinite(values)
        why = Counter(
            "infinite" if np.isinf(v) else words.get(s, s)
            for v, s in zip(values[lost].tolist(), state[lost].tolist(), strict=True)
        )
        if why:
            found.append(GridGap(dataset, scheme, int((~lost).sum()), lost.size, dict(why)))
    return found


def _ratio(results: Results, rows: NDArray[np.intp]) -> float | None:
    """Return the size of all test parts over that of all training parts; none where it is not known."""
    tested, trained = results.n_test[rows].sum(), results.n_train[rows].sum()
    return float(tested / trained) if np.isfinite(tested) and trained > 0 else None
