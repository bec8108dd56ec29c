"""What conformal prediction answers: sets or intervals of new cases, and how they did where the truth is known."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.text import interval_text, number_text
from credibly.case_scores._declare import Evidence
from credibly.case_scores.forecasts import Forecasts
from credibly.case_scores.prediction_sets import PredictionSets
from credibly.results.result import Result
from credibly.results.table import Table


class Conformal(Result):
    """Conformal predictions of new cases, and how they did where the truth is known.

    ``sets`` are those of classes, ``low`` and ``high`` the ends of intervals of numbers; ``thresholds`` are the scores up to
    which things are predicted, by part of the cases; ``guarantee`` is how often they hold the truth at least, on average over all
    samples that could have been drawn.
    """

    heading: str
    method: str
    level: float
    guarantee: float
    n: int
    thresholds: Mapping[str, float]
    table: Table
    sets: PredictionSets | None = None
    intervals: Forecasts | None = None
    low: Floats | None = None
    high: Floats | None = None
    weights: str = ""  # the column of weights
    findings: tuple[Finding, ...] = ()

    versioned = True
    json_keys = "heading method level guarantee n thresholds estimates=table.estimates findings=all_findings"
    row_parts = "table"
    finding_parts = "table"

    @property
    def evidence(self) -> Evidence:
        """The sets, or the intervals, to be scored case by case."""
        evidence: Evidence | None = self.sets if self.sets is not None else self.intervals
        assert evidence is not None  # noqa: S101  (there is always one of both)
        return evidence

    def predicted(self) -> dict[str, list[Any]]:
        """Return the row and the truth of each case, and what is predicted: a column per class, or both ends."""
        p = self.evidence.of_cases()
        if self.sets is not None:
            names = np.array([*self.sets.classes, ""], object)
            truth, flags = names[self.sets.truth], self.sets.sets[0].astype(int)
            made = {name: flags[:, k].tolist() for k, name in enumerate(self.sets.classes)}
        else:
            assert self.low is not None and self.high is not None and self.intervals is not None  # noqa: PT018, S101
            truth = self.intervals.parts[0].truth
            made = {"low": self.low.tolist(), "high": self.high.tolist()}
        row = list(p.get("row", range(truth.size)))
        return {"row": row, "truth": truth.tolist(), **made}

    def write(self, file: str | Path) -> None:
        """Write what is predicted to a CSV file."""
        columns = self.predicted()
        with Path(file).open("w", encoding="utf-8", newline="") as out:
            rows = csv.writer(out)
            rows.writerow(columns)
            rows.writerows(zip(*columns.values(), strict=True))

    def meaning(self) -> str:
        """Say how often the truth is held, and at which size or width."""
        held, size = self.table.estimates[:2]
        mean = number_text(size.value, size.interval)
        of, by = (
            ("Sets", f"hold {mean} classes on average")
            if self.sets is not None
            else ("Intervals", f"are {mean} wide on average")
        )
        share = interval_text(held.value, held.interval)
        return f"{of} contain the truth in a share of {share} of the cases (level {self.level:g}); they {by}."

    def remarks(self) -> Iterator[str]:
        """Say what is guaranteed, and of what."""
        yield from self.table.remarks()
        if math.isnan(self.guarantee):
            yield "Nothing is guaranteed, because each fold was predicted by another model; the coverage is what was seen."
            return
        condition = (
            f"{self.weights} says how many times as likely such cases are among them as among "
            f"the {self.n:,} cases of the thresholds"
            if self.weights
            else f"they and the {self.n:,} cases of the thresholds could have come in any order"
        )
        yield (
            f"At least {100 * self.guarantee:.4g} % of new cases are covered, on average over samples, if {condition}; "
            "nothing is assumed of the model."
        )
