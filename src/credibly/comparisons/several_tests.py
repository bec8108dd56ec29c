"""Several tests of the same two models, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from credibly._core.text import count, number_text, percent, pvalue_text
from credibly.comparisons.result import TestResult, difference_columns
from credibly.errors import ParameterError, listed
from credibly.results.formats import Column, table_of
from credibly.results.result import Cells, Result

if TYPE_CHECKING:
    from credibly.comparisons._declare import Comparison


class SeveralTests(Result):
    r"""The same two models by several tests, which differ in their assumptions.

    >>> from credibly.comparisons import Discordant
    >>> from credibly import compare
    >>> print(*str(compare(Discordant(12, 5))).splitlines()[:5], sep="\n")
    None of the 4 tests rejects at 5 % that both models have the same error rate.
    first against second: error_rate among the cases that only one gets wrong, n = 17
    test                          statistic  p-value  difference  95 % interval
    mcnemar(method='chi_square')  2.882      0.0896   0.412       [-0.063, 0.734]
    mcnemar(method='corrected')   1.455      0.146    0.412       [-0.119, 0.772]
    """

    tests: tuple[str, ...]
    results: tuple[TestResult, ...]

    __iter__ = None  # a result is looked up by name, not unpacked
    versioned = True
    json_keys = "tests=_by_test"
    finding_parts = "results"

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, test: str) -> TestResult:
        if test not in self.tests:
            raise KeyError(f"{test!r} was not asked for; there are {', '.join(self.tests)}.")
        return self.results[self.tests.index(test)]

    @property
    def pvalues(self) -> dict[str, float]:
        """The p-value of each test."""
        return dict(zip(self.tests, (r.pvalue for r in self.results), strict=True))

    @property
    def heading(self) -> str:
        """Say which models and which measure."""
        r = self.results[0]
        return f"{' against '.join(r.names)}: {r.measure}, n = {number_text(r.n)}"

    def _by_test(self) -> list[dict[str, Any]]:
        return [{**r.to_dict(), "test": t} for t, r in zip(self.tests, self.results, strict=True)]

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary for each test."""
        return [{**r.rows()[0], "test": t} for t, r in zip(self.tests, self.results, strict=True)]

    def cells(self) -> Cells:
        """Return a line for each test."""
        columns: dict[str, Column] = {
            "test": list(self.tests),
            "statistic": "statistic",
            "p-value": lambda r: pvalue_text(r.pvalue),
            **difference_columns(self.results),
        }
        return table_of(self.results, columns)

    def meaning(self) -> str:
        """Say how many of the tests reject their null."""
        defined = [r for r in self.results if r.pvalue == r.pvalue]
        if not defined:
            return ""
        sure = sum(r.rejected for r in defined)
        word = "All" if sure == len(defined) > 1 else sure or "None"
        rejects = "rejects" if sure <= 1 else "reject"
        level = f"{percent(1 - defined[0].confidence_level)}"
        nulls = listed(dict.fromkeys(r.null for r in defined))
        return f"{word} of the {count(len(defined), 'test')} {rejects} at {level} that {nulls}."

    def remarks(self) -> Iterator[str]:
        """Say how intervals were made, and what a choice among the tests would do."""
        methods = dict.fromkeys(i.method for r in self.results if (i := r.confidence_interval))
        if methods:
            yield f"Intervals are about the difference: {'; '.join(methods)}."
        yield "Choose one test before looking at the results: the smallest of several p-values is too small."


def several_tests(
    tests: Sequence[str | Comparison], judge: Callable[[str | Comparison], object]
) -> SeveralTests:
    """Make each of the tests; each has to compare two models."""
    made = [judge(test) for test in tests]
    results = tuple(r for r in made if isinstance(r, TestResult))
    if not made or len(results) < len(made):
        raise ParameterError(
            f"Several tests side by side need exactly two models; got {len(made)} tests of more, or no test."
        )
    return SeveralTests(tuple(t if isinstance(t, str) else t.call for t in tests), results)
