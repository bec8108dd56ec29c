"""Comparisons of several learning schemes over several datasets, by ranks within each (Demsar 2006)."""

from __future__ import annotations

from functools import partial

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.names import Names
from credibly.comparisons._declare import Outcome, TestRequest, comparison
from credibly.comparisons.average_ranks import (
    RankStatistic,
    Ties,
    friedman_statistic,
    iman_davenport_statistic,
    quade_statistic,
    ranks_within,
)
from credibly.comparisons.evidence import DatasetTable
from credibly.comparisons.findings import FEW_DATASETS
from credibly.errors import DataError, ParameterError, says

FRIEDMAN = "Friedman, M. (1937) The use of ranks to avoid the assumption of normality implicit in the analysis of variance. JASA 32, 675-701."
IMAN = "Iman, R. L. & Davenport, J. M. (1980) Approximations of the critical region of the Friedman statistic. Communications in Statistics A 9, 571-595."
QUADE = "Quade, D. (1979) Using weighted rankings in the analysis of complete blocks with additive block effects. JASA 74, 680-683."
INDEPENDENT_DATASETS = {"datasets": "the datasets are independent of one another"}
rank_test = partial(
    comparison,
    reads=DatasetTable,
    null="all schemes rank equally",
    assumptions=INDEPENDENT_DATASETS,
    several=True,
)
MAX_EXACT_DATASETS, MAX_EXACT_SCHEMES = 10, 5


@rank_test(
    "Friedman", cite=FRIEDMAN, aliases=Names(texts="Friedman test", scipy="friedmanchisquare")
)
def friedman(e: DatasetTable, request: TestRequest, *, ties: Ties = "corrected") -> Outcome:  # noqa: ARG001
    r"""Chi-square of the rank sums of three or more schemes, with $k - 1$ degrees of freedom.

    Without ties $\chi^2 = \frac{12 n}{k (k + 1)} \sum_j (\bar r_j - \frac{k + 1}{2})^2$. Ties make
    ranks vary less: ``"corrected"`` divides by the variance that they have, as R and scipy do;
    ``"ignored"`` by the one they would have without ties, as Demsar's article does. It is conservative
    for few datasets.

    >>> table = DatasetTable([[.9, .8, .7], [.8, .7, .7], [.9, .6, .5]], ("a", "b", "c"))
    >>> round(friedman(table).statistic, 4), round(friedman(table, ties="ignored").statistic, 4)
    (5.6364, 5.1667)
    """
    ranks = schemes_ranked(e, "friedman")
    return _outcome(e, friedman_statistic(ranks, ties), ranks, f"Friedman, ties {ties}", few=True)


@rank_test("Iman and Davenport", cite=IMAN)
def iman_davenport(e: DatasetTable, request: TestRequest, *, ties: Ties = "corrected") -> Outcome:  # noqa: ARG001
    r"""F of the rank sums of three or more schemes: Friedman's test, less conservative.

    $F = (n - 1) \chi^2 / (n (k - 1) - \chi^2)$ with $k - 1$ and $(k - 1)(n - 1)$ degrees of freedom.
    Where all datasets rank alike F is infinite, and the p-value is the chance of that: $m^{1 - n}$,
    where $m$ is in how many orders the ranks can stand, $k!$ without ties.

    >>> table = DatasetTable([[.9, .8, .7], [.8, .7, .7], [.9, .6, .5]], ("a", "b", "c"))
    >>> round(iman_davenport(table).statistic, 4)
    31.0
    """
    ranks = schemes_ranked(e, "iman_davenport")
    title = f"Iman and Davenport, ties {ties}"
    return _outcome(e, iman_davenport_statistic(ranks, ties), ranks, title)


@rank_test(
    "Quade",
    cite=QUADE,
    assumptions={**INDEPENDENT_DATASETS, "scale": "values of different datasets are comparable"},
)
def quade(e: DatasetTable, request: TestRequest) -> Outcome:  # noqa: ARG001
    """F of ranks that weigh more on datasets where the schemes lie further apart.

    >>> table = DatasetTable([[.9, .8, .7], [.8, .7, .7], [.9, .6, .5]], ("a", "b", "c"))
    >>> round(quade(table).pvalue, 4)
    0.0376
    """
    ranks = schemes_ranked(e, "quade")
    return _outcome(e, quade_statistic(e.table, ranks), ranks, "Quade")


def schemes_ranked(e: DatasetTable, name: str) -> Floats:
    """Return the ranks of three or more schemes within each dataset, the best first."""
    if len(e.names) <= 2:
        raise DataError(
            f"{name} needs at least three schemes; got {len(e.names)}.",
            remedy=says("Use <test='wilcoxon'> for two."),
        )
    return ranks_of(e)


def ranks_of(e: DatasetTable) -> Floats:
    """Return the ranks within each dataset, which need to know which way is better."""
    if e.direction not in {"higher", "lower"}:
        raise ParameterError(
            f"Ranks need to know whether higher or lower {e.measure_name} is better; got {e.direction!r}.",
            remedy=says("Set <direction='higher'> or <direction='lower'>."),
        )
    return ranks_within(e.table, higher_is_better=e.direction == "higher")


def _outcome(
    e: DatasetTable, found: RankStatistic, ranks: Floats, title: str, *, few: bool = False
) -> Outcome:
    n, k = ranks.shape
    averages = dict(zip(e.names, ranks.mean(axis=0).tolist(), strict=True))
    concordance = friedman_statistic(ranks).statistic / (n * (k - 1))
    return Outcome(
        found.statistic,
        found.pvalue,
        parameters={
            **dict(zip(("freedom", "freedom of residuals"), found.dof, strict=False)),
            **{f"average rank of {name}": rank for name, rank in averages.items()},
        },
        effect_sizes={"Kendall's W": concordance},
        findings=_few(n, k) if few else (),
        title=title,
    )


def _few(n: int, k: int) -> tuple[Finding, ...]:
    if n > MAX_EXACT_DATASETS or k > MAX_EXACT_SCHEMES:
        return ()
    return (FEW_DATASETS(n=n, k=k),)
