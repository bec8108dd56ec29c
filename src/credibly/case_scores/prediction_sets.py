"""Sets of classes that are predicted for each case and should contain the true class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.parameters import between, require
from credibly._core.text import count, some_have
from credibly._kernels.rows import count_true
from credibly.case_scores._declare import Details, Evidence
from credibly.case_scores.beside import GivenColumns, for_each_model, given_columns, other_order
from credibly.case_scores.findings import COVERED_TOO_SELDOM, EMPTY_SETS
from credibly.case_scores.label_sets import Flags, flags_of, lists_of, refuse_twice
from credibly.errors import DataError
from credibly.predictions.labels import as_column, distinct, is_missing
from credibly.predictions.numbers import frozen

UNKNOWN_TRUTH = -1  # the code of a truth that is not known
SHORTFALL_SIGNIFICANCE = 0.05  # of any shortfall that is named, over all classes and sizes


@dataclass(frozen=True, eq=False, repr=False)
class PredictionSets(Evidence):
    """Sets of classes by one or several models, with the true class of each case.

    Outcomes that are made of them have the columns ``true_class`` and ``set_size``, to slice by.

    >>> from credibly import prediction_sets
    >>> sets = prediction_sets(["a", "b", "c"], [["a"], ["a", "b"], ["a"]], level=0.9)
    >>> sets
    PredictionSets(3 cases, 3 classes: a, b, c)
    >>> sets.scored("set_coverage").outcome.tolist(), sets.sizes.tolist()
    ([1.0, 1.0, 0.0], [[1, 2, 1]])
    """

    classes: tuple[str, ...]
    truth: NDArray[np.intp]
    models: tuple[str, ...]
    sets: Flags  # by model, case and class
    level: float | None
    beside: Mapping[str, Any]
    findings: tuple[Finding, ...] = ()

    @property
    def heading(self) -> str:
        """How many cases there are, and which classes."""
        several = f"{count(len(self.models), 'model')}, " if len(self.models) > 1 else ""
        names = ", ".join(self.classes[:8])
        return f"{several}{count(self.truth.size, 'case')}, {count(len(self.classes), 'class')}: {names}"

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return len(self.classes)

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """How many classes each set holds, by model and case."""
        return count_true(self.sets)

    @cached_property
    def held(self) -> Flags:
        """Whether each set holds the true class, by model and case; false where that is not known."""
        known = self.truth != UNKNOWN_TRUTH
        return np.asarray(self.sets[:, np.arange(self.truth.size), self.truth] & known)

    def details(self, **options: Any) -> Details:  # noqa: ANN401
        """Yield how often sets hold the truth, by class and by size."""
        for title, by in (("By true class", "true_class"), ("By size of the set", "set_size")):
            whole = ["model", by] if len(self.models) > 1 else [by]
            yield title, partial(self.table, "set_coverage", by=whole, **options)

    def of_cases(self) -> dict[str, Any]:
        """Return the rows, models, groups and columns, with the true class and the size of the set among them."""
        names = np.array([*self.classes, ""], object)
        columns = {**self.beside.get("columns", {}), "true_class": names[self.truth]}
        made = for_each_model({**self.beside, "columns": columns}, self.models, self.truth.size)
        made["columns"]["set_size"] = self.sizes.ravel()
        return made


@door
def prediction_sets(
    truth: object,
    sets: object,
    *,
    classes: Sequence[Any] | None = None,
    level: float | None = None,
    **beside: Unpack[GivenColumns],
) -> PredictionSets:
    """Take sets of classes that were predicted, such as conformal ones, to judge them by how often they contain the truth.

    Parameters
    ----------
    truth
        The true class of each case.
    sets
        The classes of each set: an array or a frame of zeros and ones with a column per class, or a list of classes for
        each case; of several models a dictionary of these by name.
    classes
        The classes in the order of the columns; those of a frame by default, or all that occur, in order.
    level
        How often sets should contain the truth; a finding says where they do so too rarely.
    **beside
        ``row``, ``group`` and ``columns``: identifiers of the cases, groups of cases that belong together, and other columns
        to slice by; ``sample_weight`` (and ``weight_kind``): how much each case counts.

    >>> import numpy as np
    >>> sets = prediction_sets([0, 1, 1], np.array([[1, 0], [1, 1], [1, 0]]))
    >>> [(e.measure, round(e.value, 3)) for e in sets.table(["set_coverage", "set_size"])]
    [('set_coverage', 0.667), ('set_size', 1.333)]
    >>> [(e.keys["true_class"], e.value) for e in sets.table("set_coverage", by="true_class")]
    [('0', 1.0), ('1', 0.5)]
    """
    if level is not None:
        require("level", level, between(0, 1))
    models = dict(sets) if isinstance(sets, Mapping) else {"": sets}
    if not models:
        raise DataError("There are no sets.")
    actual, given = as_column(truth, "truth"), [_as_sets(each) for each in models.values()]
    if not actual.size:
        raise DataError("There are no cases.")
    names = _classes(actual, list(models.values()), classes)
    code = {name: i for i, name in enumerate(names)}
    missing = [is_missing(v) for v in actual.tolist()]
    strange = sorted(
        {str(v) for v, no in zip(actual.tolist(), missing, strict=True) if not no} - {*code}
    )
    if strange:
        raise DataError(
            f"The truth holds a class that is not among those named: {strange[0]}.", choices=names
        )
    codes = [
        UNKNOWN_TRUTH if no else code[str(v)]
        for v, no in zip(actual.tolist(), missing, strict=True)
    ]
    flags = [flags_of(each, names, "sets") for each in given]
    wrong = [len(f) for f in flags if len(f) != actual.size]
    if wrong:
        raise DataError(f"There are {actual.size:,} cases in truth and {wrong[0]:,} sets.")
    made = PredictionSets(
        tuple(names), frozen(np.array(codes, np.intp)), tuple(map(str, models)), frozen(np.stack(flags)), level,
        given_columns(**beside),
    )  # fmt: skip
    doubted = with_doubts(made)
    moved = other_order(truth, {name or "sets": each for name, each in models.items()})
    return replace(doubted, findings=(*doubted.findings, *moved))


def _as_sets(given: object) -> object:
    """Let arrays and frames be matrices, and lists be lists of classes, unless all that they hold is true or false."""
    if hasattr(given, "to_numpy") or isinstance(given, np.ndarray):
        return given
    rows = [list(r) for r in lists_of(given)]
    flat = [v for r in rows for v in r]
    if flat and all(isinstance(v, bool | np.bool_) for v in flat):
        return np.asarray(rows)
    return [[str(v) for v in r] for r in rows]


def _classes(truth: NDArray[Any], given: list[Any], classes: Sequence[Any] | None) -> list[str]:
    if classes is not None:
        return refuse_twice([str(c) for c in classes])
    for sets in given:
        if hasattr(sets, "columns"):
            return refuse_twice([str(c) for c in sets.columns])
    known = {v for v in truth.tolist() if not is_missing(v)}
    listed = {
        v for sets in given if isinstance(sets, list | tuple) for r in sets
        if not isinstance(r, str) for v in r if not isinstance(v, bool)
    }  # fmt: skip
    return [str(v) for v in distinct(np.array([*known, *listed], object)).values]


def with_doubts(made: PredictionSets, drawn: tuple[float, float] | None = None) -> PredictionSets:
    """Say what is to be doubted of sets; a threshold that was ``drawn`` has a coverage of a beta distribution."""
    return replace(made, findings=tuple(_doubts(made, drawn)))


def _doubts(made: PredictionSets, drawn: tuple[float, float] | None) -> Iterator[Finding]:
    for name, sizes, held in zip(made.models, made.sizes, made.held, strict=True):
        whose = f" of {name}" if name else ""
        if empty := int((sizes == 0).sum()):
            yield EMPTY_SETS(
                sets=some_have(empty, sizes.size, "set"), whose=f"{name}: " if name else ""
            )
        if made.level is None or {"group", "sample_weight"} & {*made.beside}:
            continue
        known = made.truth != UNKNOWN_TRUTH
        right, classes = held[known], [f"class {c}" for c in made.classes]
        by_size = [f"sets of {count(size, 'class')}" for size in range(len(classes) + 1)]
        counted = _tally(["all cases"], np.zeros(right.size, np.intp), right)
        counted |= _tally(classes, made.truth[known], right) | _tally(by_size, sizes[known], right)
        counted.pop(by_size[0], None)  # empty sets are called so
        yield from _too_seldom({f"{where}{whose}": both for where, both in counted.items()}, made.level, drawn)  # fmt: skip


def _tally(names: Sequence[str], codes: NDArray[np.intp], right: Flags) -> dict[str, tuple[int, int]]:  # fmt: skip
    """Return of each part how many cases are right and how many there are, where there are any."""
    counted = np.bincount(2 * codes + right, minlength=2 * len(names)).reshape(-1, 2).tolist()
    return {name: (k, k + no) for name, (no, k) in zip(names, counted, strict=True) if k + no}


def _too_seldom(
    counted: Mapping[str, tuple[int, int]], level: float, drawn: tuple[float, float] | None
) -> Iterator[Finding]:
    """Name the parts that hold the truth more seldom than chance explains, allowing for the number of parts."""
    from scipy.stats import betabinom, binom

    for where, (k, n) in counted.items():
        if k / n >= level:
            continue
        tail = binom.cdf(k, n, level) if drawn is None else 1 - betabinom.pmf(np.arange(k + 1, n + 1), n, *drawn).sum()  # fmt: skip
        if tail * len(counted) <= SHORTFALL_SIGNIFICANCE:
            yield COVERED_TOO_SELDOM(where=where, share=k / n, n=n, level=level)
