"""Cases in groups of similar probability: the points of a calibration plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, dot
from credibly._core.doors import check_confidence
from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.calibration.findings import SMALL_GROUPS
from credibly.errors import DataError, ParameterError, says
from credibly.intervals.proportions import wilson
from credibly.predictions.table import cached
from credibly.results.result import Result

if TYPE_CHECKING:
    from credibly.calibration.outcomes import Outcomes


Grouping = Literal["equal_size", "equal_width"]
Remainder = Literal["last", "first", "spread"]
REMAINDERS = ("last", "first", "spread")
DEFAULT_GROUPS = 10
MIN_GROUP_CASES = 5  # with fewer, limits and tests of large samples are doubtful
WEIGHT_ROUNDING = 1e-9  # of a group: sums of weights are not exact, and their unit must not matter


class Groups(Result):
    """Groups of cases, from low probabilities to high: sums, means, and intervals of the observed shares.

    ``within_variance`` and ``within_covariance`` are what the groups hide of the squared error: the
    variance of the probabilities within groups and twice their covariance with the outcomes.
    """

    total: Floats
    foretold: Floats
    events: Floats
    confidence_level: float
    rule: str
    within_variance: float
    within_covariance: float

    json_keys = (
        "total foretold events confidence_level rule within_variance within_covariance findings"
    )
    row_columns = "n=total predicted observed low high expected_events=foretold events"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings about the groups, made only on request: replicates make thousands of groups."""
        return small_groups(self.total)

    @property
    def predicted(self) -> Floats:
        """Mean probability of each group."""
        return self.foretold / self.total

    @property
    def observed(self) -> Floats:
        """Share of events in each group."""
        return self.events / self.total

    @property
    def low(self) -> Floats:
        """Lower ends of Wilson's intervals of the observed shares."""
        return wilson_limits(self.events, self.total, self.confidence_level)[0]

    @property
    def high(self) -> Floats:
        """Upper ends of Wilson's intervals of the observed shares."""
        return wilson_limits(self.events, self.total, self.confidence_level)[1]

    def __len__(self) -> int:
        return self.total.size


def grouped(
    outcomes: Outcomes,
    groups: int | Sequence[float] = 10,
    *,
    rule: Grouping = "equal_size",
    remainder: Remainder = "last",
    confidence_level: float = 0.95,
) -> Groups:
    """Put cases into groups.

    Parameters
    ----------
    outcomes
        Probabilities and events.
    groups
        How many, or rising cut points between 0 and 1.
    rule
        ``"equal_size"``: as many cases in each as can be, equal probabilities staying together;
        ``"equal_width"``: equal steps of probability, the upper end belonging to the last.
    remainder
        Of equal sizes: cases over go to the last group, one each to the first ones, or are spread.
    confidence_level
        Of Wilson's interval of each observed share.

    >>> from credibly import Predictions
    >>> from credibly.calibration import Outcomes
    >>> o = Outcomes.of(Predictions.of([0, 0, 1, 1], probability=[0.1, 0.3, 0.6, 0.8]))
    >>> grouped(o, 2).predicted.tolist(), grouped(o, 2).observed.tolist()
    ([0.2, 0.7], [0.0, 1.0])
    """
    check_confidence(confidence_level)
    key = (grouped, type(groups), tuple(np.atleast_1d(groups)), rule, remainder)
    sums = cached(outcomes, key, lambda: _made(outcomes, groups, rule, remainder))
    return Groups(**sums, confidence_level=confidence_level)


def _made(
    outcomes: Outcomes, groups: int | Sequence[float], rule: Grouping, remainder: Remainder
) -> dict[str, Any]:
    """Add up groups once for all that is about them: points, statistics, tests."""
    if isinstance(groups, int | np.integer):
        wanted, most = int(groups), most_groups(outcomes)
        if not 1 <= wanted <= most or isinstance(groups, bool):
            raise ParameterError(
                says(
                    "<groups> must be from 1 to the number of cases ({most}); got {groups!r}.",
                    most=most,
                    groups=groups,
                )
            )
        place, text = _places(outcomes, wanted, rule, remainder)
    else:
        if not are_cuts(groups):
            raise ParameterError(
                "groups must be a whole number or cut points. Cut points must increase and lie between 0 and 1."
            )
        cuts = np.asarray(groups, np.float64)
        place = np.searchsorted(cuts, outcomes.probability, side="right")
        text = f"cuts at {', '.join(f'{c:g}' for c in cuts)}"
    return _summed(outcomes, place, text)


def are_cuts(value: object) -> bool:
    """Whether a value is a sequence of cut points that rise between 0 and 1.

    >>> are_cuts([0.2, 0.5]), are_cuts([0.5, 0.2]), are_cuts(3), are_cuts([])
    (True, False, False, False)
    """
    try:
        cuts = np.asarray(value, np.float64)
    except (TypeError, ValueError):
        return False
    rising = cuts.ndim == 1 and cuts.size > 0 and bool((np.diff(cuts) > 0).all())
    return rising and bool(cuts[0] > 0 and cuts[-1] < 1)


def most_groups(o: Outcomes) -> int:
    """Return how many groups there can be: as many as cases, or as probabilities where cases are weighted."""
    return int(o.n) if o.counted else o.probability.size


def usual_groups(most: int) -> int:
    """Return the default number of groups: fewer, of at least two cases each, if there are few cases.

    >>> usual_groups(500), usual_groups(10), usual_groups(9), usual_groups(2)
    (10, 10, 4, 1)
    """
    return DEFAULT_GROUPS if most >= DEFAULT_GROUPS else max(most // 2, 1)


def _places(o: Outcomes, wanted: int, rule: str, remainder: str) -> tuple[NDArray[np.intp], str]:
    if rule == "equal_width":
        place = np.minimum((o.probability * wanted).astype(np.intp), wanted - 1)
        return place, f"{wanted} steps of equal width"
    if rule != "equal_size" or remainder not in REMAINDERS:
        raise ParameterError(
            "rule must be 'equal_size' or 'equal_width', and remainder one of "
            f"{', '.join(REMAINDERS)}; got {rule!r}, {remainder!r}."
        )
    if not o.counted:  # of weights there is no remainder
        text = f"{count(wanted, 'group')} of equal size, remainder spread"
        return equal_sizes(o.total, wanted, "spread"), text
    place = equal_sizes(o.total, wanted, remainder)
    return place, _as_equal(np.bincount(place, o.total, wanted).astype(np.float64), remainder)


def _as_equal(sizes: Floats, remainder: str) -> str:
    """Say how equal groups are: cases of one probability stay together, so that ties can make sizes differ."""
    others, last = sizes[:-1], sizes[-1]
    text = count(sizes.size, "group")
    if not others.size or (np.ptp(others) <= 1 and last >= others.max() - 1):
        return f"{text} of equal size, remainder {remainder}"
    values = sizes[sizes > 0]
    parts = f"{count(values.size, 'group')} of {values.min():,.10g} to {values.max():,.10g} cases"
    if values.size == sizes.size:
        return parts
    return f"{parts}; asked for {sizes.size} of equal size, but equal probabilities stay together"


def equal_sizes(total: Floats, wanted: int, remainder: str) -> NDArray[np.intp]:
    """Place numbers of tied cases, in order, into groups of equal size: each by the cases before it."""
    before, n = np.cumsum(total) - total, float(total.sum())
    size = np.floor(n / wanted)
    if remainder == "last":
        place = np.floor(before / size)  # exact, of counts
    elif remainder == "spread":
        place = np.floor(before * wanted / n + WEIGHT_ROUNDING)
    else:
        larger = n - size * wanted  # groups that take one more
        bound = larger * (size + 1)
        place = np.where(
            before < bound,
            np.floor(before / (size + 1)),
            larger + np.floor((before - bound) / size),
        )
    return np.minimum(place, wanted - 1).astype(np.intp)


def _summed(o: Outcomes, place: NDArray[np.intp], rule: str) -> dict[str, Any]:
    if not o.n:
        raise DataError("There are no cases with a known truth to put into groups.")
    first = np.flatnonzero(
        np.diff(place, prepend=-1)
    )  # of each group that is not empty: they are in order
    total, foretold, events = (
        np.add.reduceat(column, first) for column in (o.total, o.total * o.probability, o.events)
    )
    away = o.probability - np.repeat(foretold / total, np.diff(first, append=place.size))
    return {
        "total": total,
        "foretold": foretold,
        "events": events,
        "rule": rule,
        "within_variance": float(dot(o.total, away**2)) / o.n,
        "within_covariance": 2 * float(dot(o.events, away)) / o.n,
    }


def small_groups(sizes: Floats, what: str = "groups") -> tuple[Finding, ...]:
    """Say how many groups hold few cases, or few that are expected."""
    small = int((sizes < MIN_GROUP_CASES).sum())
    if not small:
        return ()
    return (SMALL_GROUPS(small=small, all=sizes.size, groups=what, few=MIN_GROUP_CASES),)


def wilson_limits(parts: Floats, whole: Floats | float, level: float) -> tuple[Floats, Floats]:
    """Return the ends of Wilson's interval of each share."""
    each = np.broadcast(parts, whole)
    limits = [wilson(float(part), float(size), level) for part, size in each]
    return np.array([i.low for i in limits]), np.array([i.high for i in limits])
