"""Schemes on several datasets, each with its folds: on how many one is significantly better than another."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from credibly._core.errors import DataError, ParameterError, count
from credibly._core.results import SCHEMA_VERSION, Finding, by_column, frame_of, json_ready
from credibly._core.showing import Plotted
from credibly._core.text import number_text, plain_table
from credibly.comparisons._declare import comparisons
from credibly.comparisons.evidence import FoldValues
from credibly.comparisons.over_folds import scale_of
from credibly.intervals.proportions import check_confidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

ROUNDING = 1e-12
MARKS = {1: "+", 0: "", -1: "-"}
UNADJUSTED = Finding(
    "not-adjusted",
    "note",
    "Each dataset is tested by itself, without adjusting for the number of tests: of those on which two "
    "schemes are alike, some will be called won or lost.",
    "Use compare(DatasetTable.of(...)) for a conclusion about all datasets.",
)


@dataclass(frozen=True, slots=True, eq=False)
class WinsTiesLosses(Plotted):
    """Means of schemes on datasets, and on which datasets they differ significantly.

    ``verdicts[d, i, j]`` is 1 where scheme i is significantly better than scheme j on dataset d, -1
    where it is worse; ``pvalues`` has the same shape, NaN where a difference could not be judged.
    """

    schemes: tuple[str, ...]
    datasets: tuple[str, ...]
    means: NDArray[np.float64]
    pvalues: NDArray[np.float64]
    verdicts: NDArray[np.int8]
    test: str
    confidence_level: float
    findings: tuple[Finding, ...] = (UNADJUSTED,)

    def counts(self, first: str, second: str) -> tuple[int, int, int]:
        """Return on how many datasets the first wins significantly, neither does, and the second does."""
        of = self.verdicts[:, self.schemes.index(first), self.schemes.index(second)]
        return int((of > 0).sum()), int((of == 0).sum()), int((of < 0).sum())

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary a dataset and pair: the long form."""
        return [
            {
                "dataset": dataset,
                "first": self.schemes[i],
                "second": self.schemes[j],
                "first_mean": float(self.means[d, i]),
                "second_mean": float(self.means[d, j]),
                "pvalue": float(self.pvalues[d, i, j]),
                "verdict": int(self.verdicts[d, i, j]),
            }
            for d, dataset in enumerate(self.datasets)
            for i, j in combinations(range(len(self.schemes)), 2)
        ]

    def frame(self, backend: Any = "pandas") -> Any:  # noqa: ANN401
        """Return the long form as a frame of ``backend`` (pandas, polars, pyarrow)."""
        return frame_of(by_column(self.rows()), backend)

    def to_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON but for NaN and infinity."""
        return {
            "schemes": list(self.schemes),
            "datasets": list(self.datasets),
            "test": self.test,
            "confidence_level": self.confidence_level,
            "comparisons": self.rows(),
            "findings": [f.to_dict() for f in self.findings],
        }

    def to_json(self, indent: int | None = 2) -> str:
        """Return JSON with full precision; NaN is ``null``, infinities are strings."""
        whole = {"schema_version": SCHEMA_VERSION, **self.to_dict()}
        return json.dumps(json_ready(whole), indent=indent, ensure_ascii=False)

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Return header and body: means, marked where they differ from those of the first scheme."""
        body = [
            [
                dataset,
                *(
                    f"{number_text(float(mean))} {MARKS[int(self.verdicts[d, j, 0])]}".rstrip()
                    for j, mean in enumerate(self.means[d])
                ),
            ]
            for d, dataset in enumerate(self.datasets)
        ]
        against = ["/".join(map(str, self.counts(s, self.schemes[0]))) for s in self.schemes[1:]]
        return ["dataset", *self.schemes], [*body, ["wins/ties/losses", "", *against]]

    def __str__(self) -> str:
        level = f"{100 * (1 - self.confidence_level):.4g} %"
        said = f"+ and -: significantly better and worse than {self.schemes[0]} at {level}, {self.test}."
        return "\n".join([plain_table(*self.cells()), said, *(f"  {f}" for f in self.findings)])

    def __repr__(self) -> str:
        return str(self)


def wins_ties_losses(
    results: Mapping[str, Mapping[str, ArrayLike]],
    *,
    test_train_ratio: float,
    repeats: int = 1,
    direction: Literal["higher", "lower"] = "higher",
    test: str = "corrected_resampled_t",
    confidence_level: float = 0.95,
) -> WinsTiesLosses:
    """Test every pair of schemes on each dataset by itself, over its folds.

    Parameters
    ----------
    results
        For each dataset, for each scheme, its values over the same folds.
    test_train_ratio
        Cases of a test part over those of its training part; 1/9 for ten folds.
    repeats
        How often each dataset was split anew.
    direction
        Whether higher or lower values are better.
    test
        A comparison of values over folds.

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
    check_confidence(confidence_level)
    datasets, schemes = tuple(results), _schemes(results)
    if direction not in {"higher", "lower"}:
        msg = f"direction must be 'higher' or 'lower'; got {direction!r}."
        raise ParameterError(msg)
    values = {d: {s: np.asarray(of[s], np.float64) for s in schemes} for d, of in results.items()}
    shape = (len(datasets), len(schemes), len(schemes))
    pvalues, verdicts = np.full(shape, np.nan), np.zeros(shape, np.int8)
    sign = 1 if direction == "higher" else -1
    entry = comparisons.parse(test)
    for (d, dataset), (i, j) in product(enumerate(datasets), combinations(range(len(schemes)), 2)):
        names = f"{schemes[i]} on {dataset}", f"{schemes[j]} on {dataset}"
        a, b = values[dataset][schemes[i]], values[dataset][schemes[j]]
        pair = FoldValues(a, b, names, test_train_ratio=test_train_ratio, repeats=repeats)
        if not _can_be_judged(pair):
            continue
        result = entry(pair, confidence_level=confidence_level)
        pvalues[d, i, j] = pvalues[d, j, i] = result.pvalue
        verdicts[d, i, j] = sign * np.sign(result.difference) * result.rejected
        verdicts[d, j, i] = -verdicts[d, i, j]
    means = np.array([[values[d][s].mean() for s in schemes] for d in datasets])
    return WinsTiesLosses(
        schemes, datasets, means, pvalues, verdicts, entry.title, confidence_level
    )


def _can_be_judged(pair: FoldValues) -> bool:
    """A difference that is the same in every fold has no variation to judge it by; none at all has."""
    spread = float(np.ptp(pair.differences))
    return spread > ROUNDING * scale_of(pair) or not pair.differences.any()


def _schemes(results: Mapping[str, Mapping[str, ArrayLike]]) -> tuple[str, ...]:
    """Return the schemes, which all datasets must have."""
    if not results:
        msg = "There are no datasets to compare schemes on."
        raise DataError(msg)
    schemes = tuple(next(iter(results.values())))
    if len(schemes) < 2:
        msg = f"A comparison needs at least two schemes; got {count(len(schemes), 'scheme')}."
        raise DataError(msg)
    for dataset, of in results.items():
        if set(of) != set(schemes):
            missing = sorted(set(schemes) ^ set(of))
            msg = (
                f"Every dataset needs the same schemes; {dataset} differs in {', '.join(missing)}."
            )
            raise DataError(msg)
    return schemes
