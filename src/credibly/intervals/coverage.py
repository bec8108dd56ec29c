"""How often an interval for a proportion covers: computed from the binomial distribution, not simulated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from credibly._core.arrays import ROUNDING, Floats, Indices
from credibly._core.doors import door
from credibly._core.text import number_text, percent, shown
from credibly.errors import ParameterError, says
from credibly.intervals.shares import ProportionMethod, proportion_methods
from credibly.results.formats import by_row
from credibly.results.result import Cells, Result

MAX_INTERVALS = 500_000  # one interval for each number of successes


class ProportionCoverage(Result):
    """How often each method (row of ``coverage``) covers a rate with so many cases.

    ``along`` says which of the two changes: ``"n"`` or ``"rate"``.
    """

    methods: tuple[str, ...]
    n: Indices
    rate: Floats
    coverage: Floats
    confidence_level: float
    along: str

    versioned = True
    json_keys = "confidence_level along points=rows"

    @property
    def heading(self) -> str:
        """Say what it is."""
        return f"How often {percent(self.confidence_level)} intervals cover, {self.held}"

    @property
    def held(self) -> str:
        """Say what stays the same at every point."""
        return f"rate {self.rate[0]:g}" if self.along == "n" else f"{self.n[0]:,} cases"

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary for each method and point."""
        points = by_row({"n": self.n, "rate": self.rate})
        return [
            {"method": method, **point, "coverage": covered}
            for method, line in zip(self.methods, self.coverage.tolist(), strict=True)
            for point, covered in zip(points, line, strict=True)
        ]

    def cells(self) -> Cells:
        """Return, for each method, its coverage on average and where it is lowest."""
        body = []
        for method, line in zip(self.methods, self.coverage, strict=True):
            worst = int(line.argmin())
            place = self.n[worst] if self.along == "n" else self.rate[worst]
            numbers = (float(line.mean()), float(line[worst]), float(place), float(line.max()))
            body.append([method, *map(number_text, numbers)])
        return ["method", "mean", "lowest", f"at {self.along}", "highest"], body


@door
def proportion_coverage(
    methods: str | Sequence[str] = "wald",
    *,
    n: int | Sequence[int],
    rate: float | Sequence[float] | Floats,
    confidence_level: float = 0.95,
) -> ProportionCoverage:
    r"""Return how often intervals for a proportion cover the true rate, for many sizes or many rates.

    $\sum_{x:\, \theta \in I(x)} \binom{n}{x} \theta^x (1 - \theta)^{n - x}$. Successes are whole
    numbers, so the coverage goes up and down with either, and Wald's is below its level nearly
    everywhere (Brown, Cai & DasGupta 2001).

    Parameters
    ----------
    methods
        One of ``proportion_methods``, or several.
    n
        The number of cases, or several.
    rate
        The true rate, or several; of ``n`` and ``rate`` one has several values at most.
    confidence_level
        What the intervals promise.

    >>> from credibly.intervals import proportion_coverage
    >>> found = proportion_coverage(["wald", "wilson"], n=[30, 98], rate=0.2)
    >>> found.coverage.round(3).tolist()
    [[0.946, 0.928], [0.964, 0.958]]
    """
    names = [methods] if isinstance(methods, str) else list(methods)
    entries = [proportion_methods[name] for name in names]
    sizes, rates = _sizes(n), _rates(rate)
    if not entries or (sizes.size > 1 and rates.size > 1):
        raise ParameterError(
            says(
                "There must be a method, and one value of <n=> or of <rate=>; got {m} methods, {n} sizes, {r} rates.",
                m=len(entries), n=sizes.size, r=rates.size,
            )
        )  # fmt: skip
    points = max(sizes.size, rates.size)
    sizes, rates = np.resize(sizes, points), np.resize(rates, points)
    covered = np.stack([_covered(entry, sizes, rates, confidence_level) for entry in entries])
    along = "n" if len(set(rates.tolist())) == 1 and points > 1 else "rate"
    return ProportionCoverage(
        tuple(e.name for e in entries), sizes, rates, covered, float(confidence_level), along
    )


def _covered(method: ProportionMethod, sizes: Indices, rates: Floats, level: float) -> Floats:
    values = np.empty(sizes.size)
    for n in np.unique(sizes).tolist():
        mine = sizes == n
        each = np.array([method.limits(x, n, level) for x in range(n + 1)])
        # Limits are rounded: a rate that lies on one is covered.
        near = ROUNDING * np.maximum(each, 1 / n)
        low, high = (each[:, 0] - near[:, 0], each[:, 1] + near[:, 1])
        held = (low[:, None] <= rates[mine]) & (rates[mine] <= high[:, None])
        values[mine] = (held * _binomial(n, rates[mine])).sum(axis=0)
    return values


def _binomial(n: int, rates: Floats) -> Floats:
    """Return the probability of each number of successes (row) at each rate (column)."""
    from scipy.special import gammaln, xlog1py, xlogy

    x = np.arange(n + 1.0)[:, None]
    ways = gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1)
    return np.asarray(np.exp(ways + xlogy(x, rates) + xlog1py(n - x, -rates)))


def _sizes(given: Any) -> Indices:  # noqa: ANN401
    found = np.atleast_1d(np.asarray(given))
    plain = found.dtype.kind in "iu" and found.ndim == 1 and found.size
    if not plain or found.min() < 1 or (found.astype(float) + 1).sum() > MAX_INTERVALS:
        raise ParameterError(
            says(
                "<n=> takes whole numbers of at least 1, together up to {most:,}; got {n}.",
                most=MAX_INTERVALS,
                n=shown(given),
            )
        )
    return found.astype(np.intp)


def _rates(given: Any) -> Floats:  # noqa: ANN401
    values = np.atleast_1d(np.asarray(given, np.float64))
    if values.ndim != 1 or not values.size or not ((values >= 0) & (values <= 1)).all():
        raise ParameterError(
            says("<rate=> takes shares from 0 to 1; got {rate}.", rate=shown(given))
        )
    return values
