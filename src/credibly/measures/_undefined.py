"""Declared reasons for a value that is undefined or infinite, each with the condition under which it is true."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

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
ENDLESS_BOTH_WAYS = Reason(
    "some cases count as infinitely good and others as infinitely bad",
    lambda s: (s.infinite > 0) & (s.minus_infinite > 0),
)
