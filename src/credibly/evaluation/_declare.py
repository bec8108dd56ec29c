"""How a way to estimate a measure from resampled predictions is declared: once, with what it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from credibly._core.arrays import Indices
from credibly._core.declared import Declarator, DeclaredFunction, Registry
from credibly._core.findings import Finding
from credibly._core.text import lower_first
from credibly.intervals._declare import EstimateRequest
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct, joint_codes
from credibly.predictions.lack import Lack
from credibly.predictions.numbering import part_columns
from credibly.predictions.table import cached
from credibly.results.estimate import Estimate
from credibly.results.interval import Interval

NO_INTERVAL = "its sampling distribution is not known"


@dataclass(frozen=True, slots=True)
class EstimateAnswer:
    """An estimate with its interval or the reason why it has none; ``values`` are those it averages.

    Where there are repeats, ``variances`` are those over the folds of each.
    """

    value: float
    interval: Interval | None = None
    why: str = NO_INTERVAL
    values: tuple[float, ...] = ()
    findings: tuple[Finding, ...] = ()
    variances: tuple[float, ...] = ()


class Estimator(DeclaredFunction[[EstimateRequest], EstimateAnswer]):
    """A way to make one number out of the predictions of many fits; ``needs`` says what they lack for it.

    One that ``leads`` stands for all predictions that lack nothing for it.
    """

    cite: str
    leads: bool = False
    needs: Callable[[Predictions], Lack | None] = field(default=lambda _: None, repr=False)


estimators: Registry[Estimator] = Registry(
    "estimator",
    "credibly.evaluation",
    ending="_estimators",
    use="evaluate(p, estimate={name!r})",
    typed="evaluate FILE --estimate {name}",
    first="fold_estimators",
)
estimator = Declarator(Estimator, estimators)


def folds(p: Predictions) -> list[Predictions]:
    """Return the rows of each fold and repeat; those of all measures share their sorting."""
    rows = replace(p, seen=None)
    return cached(p, "folds", lambda: [part for _, part in rows.groups(part_columns(p))])


def part_of(p: Predictions) -> Indices:
    """Return the number of the fold and repeat of each row, in the order of :func:`folds`."""
    columns = part_columns(p)
    if not columns:
        return np.zeros(p.n, np.intp)

    def numbered() -> Indices:
        found = [distinct(np.asarray(getattr(p, c))) for c in columns]
        return distinct(joint_codes(found)).codes.astype(np.intp)

    return cached(p, "parts", numbered)


def estimator_words(estimates: Iterable[Estimate]) -> dict[str, str]:
    """Return what the estimators that made estimates are called in sentences, by their names."""
    names = dict.fromkeys(str(e.keys["estimate"]) for e in estimates if "estimate" in e.keys)
    return {name: lower_first(estimators[name].title) for name in names}
