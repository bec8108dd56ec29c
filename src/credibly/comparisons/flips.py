"""The verb `flips`: which cases one model gained on another, and which it lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.entry_names import MeasureName
from credibly._core.findings import Finding
from credibly._core.text import count, number_text
from credibly.comparisons.alignment import SHARED_ONLY
from credibly.comparisons.cases import Cases
from credibly.comparisons.findings import NO_DIRECTION
from credibly.comparisons.given_models import (
    against_last,
    measure_of,
    models_by_name,
    same_cases,
)
from credibly.comparisons.losses import case_losses
from credibly.comparisons.result import title_inside
from credibly.errors import ParameterError
from credibly.measures import Measure
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.predictions.labels import distinct
from credibly.results.estimate import SIGNS
from credibly.results.result import Cells, Result

MAX_SHOWN_CASES = 10


class Flips(Result):
    """Which cases one model gained on another, which it lost, and by how much.

    ``gained`` are the cases on which the first model does better than the second, the largest gain
    first, ``lost`` those on which it does worse; ``same`` is how many are alike. ``gains`` and
    ``losses`` are the differences of these cases, first minus second. ``n_gained`` and ``n_lost`` count
    cases: a row with a frequency stands for as many.

    >>> from credibly import Predictions, flips
    >>> found = flips(Predictions.of(outcome={"new": [1, 1, 0, 1], "old": [1, 0, 1, 0]}))
    >>> found.gained, found.lost, found.same
    ((1, 3), (2,), 1)
    """

    names: tuple[str, str]
    measure: str
    direction: str
    gained: tuple[Any, ...]
    lost: tuple[Any, ...]
    same: int
    gains: Floats
    losses: Floats
    n_gained: int
    n_lost: int
    findings: tuple[Finding, ...] = ()

    def heading(self) -> str:
        """Say how many cases were gained and lost."""
        first, second = self.names
        return (
            f"{first} against {second}, {title_inside(self.measure)}: {first} gains {count(self.n_gained, 'case')}, "
            f"loses {self.n_lost:,}, {self.same:,} the same"
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary per case that is not the same."""
        both = (("gained", self.gained, self.gains), ("lost", self.lost, self.losses))
        return [
            {"case": case, "what": what, "difference": float(apart)}
            for what, cases, differences in both
            for case, apart in zip(cases, differences, strict=True)
        ]

    def cells(self) -> Cells:
        """Return header and body of a table of the largest gains and losses."""
        rows, gained = self.rows(), len(self.gained)
        shown = [*rows[: min(MAX_SHOWN_CASES, gained)], *rows[gained:][:MAX_SHOWN_CASES]]
        body = [[str(r["case"]), r["what"], number_text(r["difference"])] for r in shown]
        return ["case", "what", "difference"], body

    def remarks(self) -> Iterator[str]:
        """Say where a table does not show every case."""
        if max(len(self.gained), len(self.lost)) > MAX_SHOWN_CASES:
            yield f"The {MAX_SHOWN_CASES} largest of each are shown; frames, CSV and JSON hold all."


@door
def flips(
    a: Predictions | Mapping[str, Predictions],
    b: Predictions | None = None,
    measure: MeasureName | Measure | None = None,
    *,
    against: str | None = None,
) -> Flips:
    """Say which cases the first of two models gained on the second, and which it lost.

    Parameters
    ----------
    a, b
        Predictions, or outcomes, of two models for the same cases; or as ``a`` alone a dictionary of both
        by name, or predictions with a ``model`` column.
    measure
        A measure that is a mean over the cases, such as ``"pass_rate"``, ``"error_rate"`` or
        ``"brier"``; by default the one that :func:`credibly.compare` takes.
    against
        The name of the second model, which the first gains on or loses to; the last by default.

    >>> from credibly import Predictions
    >>> print(flips(Predictions.of(outcome={"new": [0.9, 0.5], "old": [0.4, 0.5]}, better="higher")))
    new against old, mean outcome: new gains 1 case, loses 0, 1 the same
    case  what    difference
    0     gained  0.5
    """
    given = a if b is None else {"first": as_predictions(a, "flips"), "second": b}
    models = against_last(models_by_name(given, "flips"), against)
    if len(models) != 2:
        raise ParameterError(f"flips takes two models; got {len(models)}: {', '.join(models)}.")
    m, average = measure_of(measure, None, models)
    cases, findings = same_cases(models, m, average, elsewhere=SHARED_ONLY)
    return flips_of(cases, findings)


def flips_of(cases: Cases, said: Sequence[Finding] = ()) -> Flips:
    """Return what was gained and lost on the cases of two models."""
    case, gap, counts = differences_by_case(cases)
    direction = cases.measure.direction
    better = SIGNS.get(direction, 1.0) * gap
    # A difference that rounding leaves between equal losses does not count.
    noise = 1e-12 * max(float(np.abs(gap).max(initial=0.0)), 1e-300)
    order = np.argsort(-better, kind="stable")
    gained = order[better[order] > noise]
    rising = np.argsort(better, kind="stable")
    lost = rising[better[rising] < -noise]
    won, less, every = (round(float(x.sum())) for x in (counts[gained], counts[lost], counts))
    unknown = () if direction in SIGNS else (NO_DIRECTION(measure=cases.measure.title),)
    return Flips(
        (cases.names[0], cases.names[1]),
        cases.measure_name,
        direction,
        tuple(case[gained].tolist()),
        tuple(case[lost].tolist()),
        every - won - less,
        gap[gained],
        gap[lost],
        won,
        less,
        (*said, *unknown),
    )


def differences_by_case(cases: Cases) -> tuple[NDArray[Any], Floats, Floats]:
    """Return the name of each case, first minus second there, and how many cases it stands for.

    The difference of a case that is judged again is the mean. Rows of weight 0 do not count.
    """
    first, second = (case_losses(p, cases.measure, "flips") for p in cases.models)
    p, gap = cases.models[0], first - second
    row = np.arange(p.n) if p.row is None else p.row
    if not p.repeated:
        counting = p.counts > 0
        return row[counting], gap[counting], p.counts[counting]
    labels = distinct(row)
    weight = np.bincount(labels.codes, p.weights)
    mean = np.bincount(labels.codes, p.weights * gap) / weight
    return np.array(labels.values), mean, np.bincount(labels.codes, p.counts).astype(np.float64)
