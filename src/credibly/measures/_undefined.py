"""Why a value is undefined or infinite: declared reasons, each with the condition under which it is true."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from credibly._core.findings import FindingKind
from credibly.measures.findings import TOO_LARGE, TOO_SMALL, UNDEFINED
from credibly.predictions import Predictions
from credibly.predictions.summaries import Summary


@dataclass(frozen=True, slots=True)
class Reason:
    """What can leave a measure without a value, and how to tell that it did.

    The condition is one on the summary, or on the cases that count where a summary no longer tells
    (a square that is zero may be that of a tiny number). Without either it holds wherever no reason
    before it does.

    >>> from credibly.measures import measures
    >>> [reason.text for reason in measures["recall"].reasons]
    ['no case is positive']
    """

    text: str
    summary: Callable[[Any], Any] | None = None
    cases: Callable[[Any], Any] | None = None

    def holds(self, summary: Summary, cases: Predictions) -> bool:
        """Whether it is true of these cases."""
        if self.summary is not None:
            return bool(np.all(self.summary(summary)))
        return self.cases is None or bool(self.cases(cases))


def as_reasons(told: str | Reason | Iterable[Reason]) -> tuple[Reason, ...]:
    """Read what a declaration says: a sentence that always holds, a reason, or several in order."""
    if isinstance(told, str):
        return (Reason(told),) if told else ()
    return (told,) if isinstance(told, Reason) else tuple(told)


def no_cases(cases: Predictions) -> bool:
    """Whether nothing counts."""
    return not cases.n or not cases.weights.any()


NO_CASES = Reason("there are no cases", cases=no_cases)
NO_POSITIVE = Reason("no case is positive", lambda s: s.positives == 0)
NO_NEGATIVE = Reason("no case is negative", lambda s: s.negatives == 0)
ONE_CLASS = (NO_POSITIVE, NO_NEGATIVE)
NO_LABEL = "no case has a label"
UNTOLD = "its sums are too large for a double, or too small to differ from zero"
ENDLESS_BOTH_WAYS = Reason(
    "some cases count as infinitely good and others as infinitely bad",
    lambda s: (s.infinite > 0) & (s.minus_infinite > 0),
)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a value is not finite on some predictions."""

    text: str
    kind: FindingKind = UNDEFINED


def out_of_scale(p: Predictions) -> Cause:
    """Say that numbers are too large or too small for what is made of them."""
    columns = [x for x in (p.truth, p.value, p.outcome, p.baseline) if x is not None]
    sizes = np.abs(np.concatenate([np.ravel(x) for x in columns]))
    largest = float(sizes.max(initial=0))
    if largest > 1:
        return Cause(
            f"sums of what numbers as large as {largest:.3g} cost are beyond what a double holds",
            TOO_LARGE,
        )
    smallest = float(sizes[sizes > 0].min(initial=1))
    return Cause(
        f"what numbers as small as {smallest:.3g} cost is less than a double can tell from zero",
        TOO_SMALL,
    )
