"""What an experiment will take, told from a first fold of every scheme on every dataset."""

from __future__ import annotations

import tempfile
from collections import Counter
from os import PathLike
from pathlib import Path

from joblib import effective_n_jobs

from credibly._core.findings import Finding
from credibly._core.grouping import grouped
from credibly.experiments.analysis.results import failures_stay
from credibly.experiments.caveats import about_changes, about_datasets
from credibly.experiments.execution.driver import Workers
from credibly.experiments.execution.tasks import FitAnswer
from credibly.experiments.plan.design import design, refuse_missing_files
from credibly.experiments.plan.plan import Plan
from credibly.experiments.store.store import Store
from credibly.predictions.findings import FAILED_FITS
from credibly.results.formats import Column, table_of
from credibly.results.result import Cells, Result


class Outlook(Result, eq=True):
    """A scheme on a dataset: how many fits, how many of them are left, and seconds of the first."""

    dataset: str
    scheme: str
    size: float
    fits: int
    left: int
    seconds: float
    error: str = ""


class Forecast(Result):
    """How many fits an experiment has, and how long those that are left may take."""

    outlooks: tuple[Outlook, ...]
    resampling: str
    measures: tuple[str, ...]
    n_jobs: int
    findings: tuple[Finding, ...] = ()

    json_keys = "fits left seconds n_jobs resampling measures outlooks findings"
    row_parts = "outlooks"

    @property
    def fits(self) -> int:
        """Number of fits in all."""
        return sum(o.fits for o in self.outlooks)

    @property
    def left(self) -> int:
        """Number of fits that have not been done."""
        return sum(o.left for o in self.outlooks)

    @property
    def seconds(self) -> float:
        """Estimated time of the fits, with all processes at work; starting these is not in it."""
        return sum(o.left * o.seconds for o in self.outlooks) / self.n_jobs

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        sized = len({o.size for o in self.outlooks}) > 1
        columns: dict[str, Column] = {
            "dataset": "dataset",
            "scheme": "scheme",
            **({"size": "size"} if sized else {}),
            "fits": "fits",
            "left": "left",
            "each": lambda o: (o.error and "fails") or duration(o.seconds),
            "all": lambda o: duration(o.seconds * o.left / self.n_jobs),
        }
        return table_of(self.outlooks, columns)

    def heading(self) -> str:
        """Say it in one line."""
        several = self.n_jobs > 1
        start = ", plus a few seconds to start them" if several and self.left else ""
        return (
            f"{self.fits:,} fits, {self.left:,} of them still to run: about {duration(self.seconds)} with "
            f"{self.n_jobs} process{'es' if several else ''}{start}"
        )


def duration(seconds: float) -> str:
    """Write a time with the unit that suits it.

    >>> duration(0.004), duration(75), duration(3 * 3600)
    ('4 ms', '75 s', '3 h')
    """
    for size, unit in ((3600 * 48, "d"), (3600 * 2, "h"), (180, "min"), (1, "s")):
        if seconds >= size:
            per = {"d": 86400, "h": 3600, "min": 60, "s": 1}[unit]
            return f"{seconds / per:.3g} {unit}"
    return f"{1000 * seconds:.3g} ms"


def forecast(
    plan: Plan, folder: str | PathLike[str] | None, n_jobs: int, *, retry_failed: bool = False
) -> Forecast:
    """Run a first fold of each scheme on each dataset, and keep nothing."""
    refuse_missing_files(plan, folder)
    with tempfile.TemporaryDirectory() as somewhere, Store.of_earlier_runs(folder) as store:
        there = store.statuses() if store else {}
        known = {k: s for k, s in there.items() if s == "done" or not retry_failed}
        made = design(plan, Path(somewhere), store)
        changes = list(about_changes(made, store)) if store else []
        kinds = grouped(((c.dataset, c.scheme, c.size), c.key) for c in made.cells)
        first = {keys[0]: made.tasks[keys[0]] for keys in kinds.values()}
        answers = {a.key: a for a in Workers(1, plan.limits).answers(list(first.values()))}
    outlooks = tuple(
        Outlook(*kind, len(keys), sum(k not in known for k in keys), *_took(answers[keys[0]]))
        for kind, keys in kinds.items()
    )
    resampling = Counter(n.facts["resampling"] for n in made.datasets if n.data)
    findings = list(about_datasets({n.name: n.known() for n in made.datasets}))
    findings += [
        FAILED_FITS(
            scheme=o.scheme, where=f"a fit on {o.dataset}", error=o.error.rstrip("."), so=""
        )
        for o in outlooks
        if o.error
    ]
    findings += [Finding(**f) for f in made.notes["findings"]]
    findings += failures_stay(sum(known.get(c.key, "done") != "done" for c in made.cells))
    findings += changes
    measures = tuple(made.notes["measures"])
    named = ", ".join(resampling)
    return Forecast(outlooks, named, measures, effective_n_jobs(n_jobs), tuple(findings))


def _took(answer: FitAnswer) -> tuple[float, str]:
    r = answer.result
    return r.fit_seconds + r.predict_seconds, r.error
