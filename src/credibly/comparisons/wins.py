"""Schemes on several datasets, each with its folds: on how many one is significantly better than another."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations, product
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.text import count, number_text, percent
from credibly.comparisons._declare import comparisons
from credibly.comparisons.automatic_test import choose
from credibly.comparisons.evidence import FoldTable, PairedValues
from credibly.comparisons.findings import CANNOT_BE_TESTED, NOT_ADJUSTED
from credibly.comparisons.over_folds import constant
from credibly.comparisons.result import TestResult
from credibly.errors import DataError, listed
from credibly.intervals.findings import DEPENDENT_FOLDS
from credibly.predictions.labels import as_array
from credibly.results.result import Cells, Result

VERDICT_MARKS = {1: "+", 0: "", -1: "-"}
UNTESTABLE_MARK = "?"


class WinsTiesLosses(Result):
    """Means of schemes on datasets, and on which datasets they differ significantly.

    ``verdicts[d, i, j]`` is 1 where scheme i is significantly better than scheme j on dataset d, -1
    where it is worse; ``pvalues`` has the same shape, NaN where a difference could not be judged.
    ``untestable`` is true where schemes differ by as much in every fold and there are too few of them
    to say more: neither a tie nor a win. A mean is not finite where a scheme has no values on a dataset.
    """

    schemes: tuple[str, ...]
    datasets: tuple[str, ...]
    means: NDArray[np.float64]
    pvalues: NDArray[np.float64]
    verdicts: NDArray[np.int8]
    test: str
    confidence_level: float
    untestable: NDArray[np.bool_]
    findings: tuple[Finding, ...] = (NOT_ADJUSTED(),)

    json_keys = "schemes datasets test confidence_level comparisons=rows findings"

    def counts(self, first: str, second: str) -> tuple[int, int, int]:
        """Return on how many datasets the first wins significantly, neither does, and the second does."""
        i, j = self.schemes.index(first), self.schemes.index(second)
        both = np.isfinite(self.means[:, i] + self.means[:, j]) & ~self.untestable[:, i, j]
        of = self.verdicts[both, i, j]
        return int((of > 0).sum()), int((of == 0).sum()), int((of < 0).sum())

    def standing(self, scheme: str) -> tuple[int, int]:
        """Return how often a scheme wins and loses significantly against all others on all datasets."""
        counts = [self.counts(scheme, other) for other in self.schemes if other != scheme]
        return sum(c[0] for c in counts), sum(c[2] for c in counts)

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary per dataset and pair: the long form."""
        return [
            {
                "dataset": dataset,
                "first": self.schemes[i],
                "second": self.schemes[j],
                "first_mean": float(self.means[d, i]),
                "second_mean": float(self.means[d, j]),
                "pvalue": float(self.pvalues[d, i, j]),
                "verdict": int(self.verdicts[d, i, j]),
                "untestable": bool(self.untestable[d, i, j]),
            }
            for d, dataset in enumerate(self.datasets)
            for i, j in combinations(range(len(self.schemes)), 2)
        ]

    def mark(self, dataset: int, scheme: int) -> str:
        """Return the sign of a scheme against the first on a dataset."""
        if self.untestable[dataset, scheme, 0]:
            return UNTESTABLE_MARK
        return VERDICT_MARKS[int(self.verdicts[dataset, scheme, 0])]

    def cells(self) -> Cells:
        """Return header and body: means, marked where they differ from those of the first scheme."""
        body = [
            [
                dataset,
                *(
                    f"{_text(float(mean))} {self.mark(d, j)}".rstrip()
                    for j, mean in enumerate(self.means[d])
                ),
            ]
            for d, dataset in enumerate(self.datasets)
        ]
        against = ["/".join(map(str, self.counts(s, self.schemes[0]))) for s in self.schemes[1:]]
        return ["dataset", *self.schemes], [*body, ["wins/ties/losses", "", *against]]

    def remarks(self) -> list[str]:
        """Say what the signs mean."""
        level = f"{percent(1 - self.confidence_level)}"
        text = f"+ and -: significantly better and worse than {self.schemes[0]} at {level}, {self.test}."
        return [f"{text} {UNTESTABLE_MARK}: cannot be tested." if self.untestable.any() else text]


def _text(mean: float) -> str:
    return "missing" if math.isnan(mean) else number_text(mean)


def _pair(of: FoldTable, i: str, j: str, dataset: str) -> PairedValues | None:
    """Return the values of two schemes, or nothing where one has none."""
    first, second = of.names.index(i), of.names.index(j)
    if not np.isfinite(of.table[:, [first, second]]).any(axis=0).all():
        return None
    return replace(of.pair(first, second), names=(f"{i} on {dataset}", f"{j} on {dataset}"))


@door
def wins_ties_losses(
    results: Mapping[str, Mapping[str, ArrayLike] | FoldTable],
    *,
    test_train_ratio: float | None = None,
    repeats: int = 1,
    direction: Literal["higher", "lower"] = "higher",
    test: str = "auto",
    confidence_level: float = 0.95,
) -> WinsTiesLosses:
    """Test every pair of schemes on each dataset separately, over its folds.

    Parameters
    ----------
    results
        For each dataset, for each scheme, its values over the same folds; none of them finite where
        a scheme has none on a dataset. A :class:`FoldTable` knows its own ratio and repeats.
    test_train_ratio
        Cases of a test part over those of its training part; 1/9 for ten folds.
    repeats
        How often each dataset was split again.
    direction
        Whether higher or lower values are better.
    test
        A comparison of values over folds; ``"auto"`` is the corrected resampled t, with nine degrees
        of freedom at most for repeats.

    >>> results = {
    ...     "iris": {"tree": [.93, .95, .94, .93, .95], "bayes": [.95, .94, .96, .94, .97]},
    ...     "glass": {"tree": [.70, .66, .71, .68, .69], "bayes": [.48, .50, .47, .52, .46]},
    ... }
    >>> table = wins_ties_losses(results, test_train_ratio=1 / 4)
    >>> table.counts("tree", "bayes")
    (1, 1, 0)
    >>> print(table.cells()[1])
    [['iris', '0.94', '0.952'], ['glass', '0.688', '0.486 -'], ['wins/ties/losses', '', '0/1/1']]
    """
    folds = {d: _folds(d, of, test_train_ratio, repeats) for d, of in results.items()}

    def judge(pair: PairedValues) -> TestResult | None:
        return judged_by_folds(pair, test, confidence_level)

    return tally(folds, direction, confidence_level, judge)


def tally(
    folds: Mapping[str, FoldTable],
    direction: Literal["higher", "lower"],
    confidence_level: float,
    judge: Callable[[PairedValues], TestResult | None],
    over_cases: Mapping[str, Mapping[tuple[str, ...], TestResult]] | None = None,
) -> WinsTiesLosses:
    """Count what is said of every pair of schemes on each dataset: by a test over its cases, or else of their values."""
    datasets, schemes = tuple(folds), _schemes(folds)
    shape = (len(datasets), len(schemes), len(schemes))
    pvalues, verdicts = np.full(shape, np.nan), np.zeros(shape, np.int8)
    untestable = np.zeros(shape, bool)
    sign = 1 if direction == "higher" else -1
    findings: list[Finding] = []
    titles: dict[str, None] = {}
    for (d, dataset), (i, j) in product(enumerate(datasets), combinations(range(len(schemes)), 2)):
        result = (over_cases or {}).get(dataset, {}).get((schemes[i], schemes[j]))
        pair = (
            None if result is not None else _pair(folds[dataset], schemes[i], schemes[j], dataset)
        )
        if pair is not None:
            result = judge(pair)
        if result is not None:
            titles[comparisons[result.test].title] = None
            pvalues[d, i, j] = pvalues[d, j, i] = result.pvalue
            verdicts[d, i, j] = sign * np.sign(result.difference) * result.rejected
            verdicts[d, j, i] = -verdicts[d, i, j]
            findings += [f for f in result.findings if f.code == DEPENDENT_FOLDS.code]
        if pair is not None and constant(pair) and not verdicts[d, i, j]:
            untestable[d, i, j] = untestable[d, j, i] = True
            first, second = pair.names
            gap = abs(pair.difference)
            findings.append(CANNOT_BE_TESTED(first=first, second=second, difference=gap))
    means = [[of.table[:, of.names.index(s)].mean() for s in schemes] for of in folds.values()]
    return WinsTiesLosses(
        schemes, datasets, np.array(means), pvalues, verdicts, listed(titles) if titles else "no test", confidence_level,
        untestable, tuple(dict.fromkeys((NOT_ADJUSTED(), *findings))),
    )  # fmt: skip


def judged_by_folds(pair: PairedValues, test: str, confidence_level: float) -> TestResult | None:
    """Test a pair; nothing where the difference is the same in every fold and the test can make nothing of it."""
    entry = comparisons.parse(choose(pair)[0] if test == "auto" else test)
    suited = entry if isinstance(pair, entry.reads) else comparisons["paired_t"]
    try:
        result = suited(pair, confidence_level=confidence_level)
    except DataError:
        if not constant(pair):
            raise
        return None
    return None if math.isnan(result.pvalue) else result


def _folds(
    dataset: str, of: Mapping[str, ArrayLike] | FoldTable, ratio: float | None, repeats: int
) -> FoldTable:
    if isinstance(of, FoldTable):
        return of
    values = [np.asarray(as_array(v, s), np.float64) for s, v in of.items()]
    for s, v in zip(of, values, strict=True):
        if v.size != values[0].size:
            raise DataError(
                f"There must be as many values of {next(iter(of))} as of {s} on {dataset}; got {values[0].size} and {v.size}."
            )
    table = np.column_stack(values) if values else np.empty((0, 0))
    return FoldTable(table, tuple(of), test_train_ratio=ratio, repeats=repeats)


def _schemes(results: Mapping[str, FoldTable]) -> tuple[str, ...]:
    """Return the schemes, which all datasets must have."""
    if not results:
        raise DataError("There are no datasets to compare schemes on.")
    schemes = next(iter(results.values())).names
    if len(schemes) < 2:
        raise DataError(
            f"A comparison needs at least two schemes; got {count(len(schemes), 'scheme')}."
        )
    for dataset, of in results.items():
        if set(of.names) != set(schemes):
            missing = sorted(set(schemes) ^ set(of.names))
            raise DataError(
                f"Every dataset needs the same schemes; {dataset} differs in {', '.join(missing)}."
            )
    return schemes
