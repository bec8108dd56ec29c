"""What an experiment says: estimates, who is better where, ranks over datasets, and what to doubt."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from credibly._core.findings import Finding
from credibly._core.layout import TEXT_WIDTH
from credibly._core.text import number_text, p_is, percent, plain_table, visible
from credibly.comparisons.ranking import Ranking
from credibly.comparisons.wins import UNTESTABLE_MARK
from credibly.results.interval import Interval
from credibly.results.result import Cells, Result, TableText
from credibly.results.table import Table

if TYPE_CHECKING:
    from credibly.comparisons import BestOf, TestResult, WinsTiesLosses
    from credibly.experiments.analysis.agreement import MeasureAgreement
    from credibly.experiments.analysis.grids import LeaveOut, MeasureGrid

VERDICTS = ("better", "alike", "worse")


class Overview(Result, eq=True):
    """A scheme over all datasets that are complete: its mean, its average rank, and how often it wins.

    ``wins`` and ``losses`` count significant ones on single datasets, against every other scheme. The
    interval of the mean is about new datasets like these.
    """

    scheme: str
    datasets: int
    mean: float
    interval: Interval | None
    average_rank: float
    wins: int
    losses: int


class Chance(Result, eq=True):
    """How probable it is that a scheme is better than the base, practically alike, or worse.

    ``dataset`` is empty where it is about datasets like all of these.
    """

    dataset: str
    scheme: str
    base: str
    better: float
    alike: float
    worse: float
    test: str


class BestOnDataset(Result):
    """The best scheme on a dataset, and what it is worth allowing for the choice."""

    dataset: str
    best: BestOf

    json_keys = "dataset *best"
    row_keys = "dataset *best.summary"


class Analysis(Result):
    """The analysis of an experiment by one measure, made by :func:`analyse`.

    ``grid`` holds the values; ``estimates`` the mean of every measure over splits with its interval
    (and of pooled cases, where predictions were given); ``wins`` who is significantly better where;
    ``over_datasets`` the comparison over datasets; ``overviews`` the schemes, the best first;
    ``chances`` what Bayesian tests say against the base; ``agreement`` whether measures rank alike;
    ``times`` what fitting and predicting took; ``growth`` the learning curves; ``choices`` the best
    scheme on each dataset, with what it is worth allowing for the choice (:func:`credibly.best_of`).
    What could not be made is None, and a finding says why.
    """

    heading: str
    measure: str
    direction: str
    base: str
    confidence_level: float
    leave_out: LeaveOut
    grid: MeasureGrid
    estimates: Table
    wins: WinsTiesLosses | None
    over_datasets: Ranking | TestResult | None
    overviews: tuple[Overview, ...]
    chances: tuple[Chance, ...]
    agreement: MeasureAgreement | None
    times: Table | None
    growth: Table | None
    choices: tuple[BestOnDataset, ...]
    findings: tuple[Finding, ...]

    json_keys = (
        "heading measure direction base confidence_level cells=rows overviews over_datasets "
        "comparisons=wins.rows chances agreement estimates=estimates.rows times=times.rows "
        "learning_curves=growth.rows choices gaps=grid.gaps findings"
    )

    @property
    def schemes(self) -> tuple[str, ...]:
        """The schemes, the base first."""
        return self.grid.schemes

    @property
    def ranking(self) -> Ranking | None:
        """The ranks over datasets, where there are three schemes or more."""
        return self.over_datasets if isinstance(self.over_datasets, Ranking) else None

    def verdict(self, dataset: str, scheme: str) -> str:
        """Say whether a scheme is significantly ``"better"`` or ``"worse"`` than the base, else nothing.

        A difference that is the same in too few splits to be judged is ``"untestable"``.
        """
        place = self._place(dataset, scheme)
        if self.wins is None or place is None:
            return ""
        if self.wins.untestable[place]:
            return "untestable"
        return {1: "better", 0: "", -1: "worse"}[int(self.wins.verdicts[place])]

    def pvalue(self, dataset: str, scheme: str) -> float:
        """Return the p-value of a scheme against the base on one dataset, NaN where it was not tested."""
        place = self._place(dataset, scheme)
        return math.nan if self.wins is None or place is None else float(self.wins.pvalues[place])

    def _place(self, dataset: str, scheme: str) -> tuple[int, int, int] | None:
        if self.wins is None or dataset not in self.wins.datasets:
            return None
        return self.wins.datasets.index(dataset), self.wins.schemes.index(scheme), 0

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary per dataset and scheme: estimate, test and chances against the base."""
        chances = {(c.dataset, c.scheme): c for c in self.chances}
        flat = []
        for e in self.estimates.where(measure=self.measure, estimate="fold_mean"):
            dataset, scheme = str(e.keys["dataset"]), str(e.keys["scheme"])
            chance = chances.get((dataset, scheme))
            flat.append(
                {
                    "dataset": dataset,
                    "scheme": scheme,
                    "measure": self.measure,
                    "value": e.value,
                    **{end: getattr(e.interval, end, math.nan) for end in ("low", "high")},
                    "confidence_level": self.confidence_level,
                    "splits": int(e.n),
                    "base": self.base,
                    "pvalue": self.pvalue(dataset, scheme),
                    "verdict": self.verdict(dataset, scheme),
                    **{f"probability_{how}": getattr(chance, how, math.nan) for how in VERDICTS},
                }
            )
        return flat

    def cells(self) -> Cells:
        """Return header and body: means by dataset, marked against the base, and rows about all datasets."""
        marks = {"better": " +", "worse": " -", "untestable": f" {UNTESTABLE_MARK}", "": ""}
        body = []
        for dataset, row in zip(self.grid.datasets, self.grid.means.tolist(), strict=True):
            signs = [marks[self.verdict(dataset, s)] for s in self.schemes]
            body.append([dataset, *map("".join, zip(_aligned(row), signs, strict=True))])
        known = {o.scheme: o for o in self.overviews}
        if known:
            each = [known.get(s) for s in self.schemes]
            means = [o.mean if o else math.nan for o in each]
            body.append(["mean over datasets", *_aligned(means)])
            body.append(["average rank", *(f"{o.average_rank:.2f}" if o else "" for o in each)])
        if self.wins is not None:
            counts = [self.wins.counts(s, self.base) for s in self.schemes[1:]]
            body.append(["wins/ties/losses", "", *("/".join(map(str, c)) for c in counts)])
        return ["dataset", *self.schemes], body

    def remarks(self) -> Iterator[str]:
        """Yield what stands below the table: what marks mean, and what holds over datasets."""
        level = f"{percent(1 - self.confidence_level)}"
        if self.wins is not None:
            yield from self.wins.remarks()
        if len(self.choices) == 1 and len(self.grid.datasets) == 1:
            yield self.choices[0].best.meaning()
        whole = self.over_datasets
        if isinstance(whole, Ranking):
            apart = "; ".join(", ".join(g) for g in whole.groups) or "none"
            yield f"Over {whole.datasets} datasets: {whole.whole.title}, {p_is(whole.whole.pvalue)}. No significant difference at {level} ({whole.correction}): {apart}."
        elif whole is not None:
            yield f"Over {whole.n:g} datasets: {whole.title}, {p_is(whole.pvalue)}."
        for c in self.chances:
            if not c.dataset:
                yield f"{c.scheme} against {c.base} over datasets ({c.test}): better {c.better:.3f}, practically equal {c.alike:.3f}, worse {c.worse:.3f}."

    def laid_out(self, table: TableText = plain_table, title: str = "{}") -> list[str]:
        """Number the schemes where their names would make the table too wide."""
        header, body = self.cells()
        if max(map(len, plain_table(header, body).splitlines())) <= TEXT_WIDTH:
            return Result.laid_out(self, table, title)
        key = [f"({i}) {visible(name)}" for i, name in enumerate(self.schemes, 1)]
        short = [header[0], *(f"({i})" for i in range(1, len(self.schemes) + 1))]
        return [visible(self.heading), table(short, body), *key]


def _aligned(values: list[float]) -> list[str]:
    """Write values with the decimals that give the largest of them four digits.

    >>> _aligned([0.95, 0.123456, math.nan, math.inf])
    ['0.9500', '0.1235', 'missing', 'infinite']
    """
    largest = max((abs(v) for v in values if math.isfinite(v)), default=0.0)
    decimals = min(12, max(0, 3 - math.floor(math.log10(largest)))) if largest > 0 else 0
    return [
        "missing" if math.isnan(v) else number_text(v) if math.isinf(v) else f"{v:,.{decimals}f}"
        for v in values
    ]
